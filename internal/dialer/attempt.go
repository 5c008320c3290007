package dialer

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
)

const (
	// attemptWindow is the time in which an organization may bound the calls to
	// one number, whichever campaigns make them.
	attemptWindow = 24 * time.Hour

	// cappedPick is how many recipients are read at a time while that is bounded:
	// those who are put off are found in handfuls, though few may be dialed.
	cappedPick = 128
)

// deferCapped defers the recipients whose number was called as often as the
// organization allows in attemptWindow, each to the moment one more call may be made
// or the next opening after it. It returns the others. Calls are claimed under the
// organization's row lock only, and this runs in a statement after the one that
// locked, so it counts all of them.
func (p *pass) deferCapped(ctx context.Context, batch *pgx.Batch, ready []candidate) ([]candidate, error) {
	most := p.organization.MaxDailyAttempts
	if most == nil || len(ready) == 0 {
		return ready, nil
	}
	numbers := make([]string, len(ready))
	for i, c := range ready {
		numbers[i] = c.PhoneNumber
	}
	until, err := attemptAgain(ctx, p.tx, p.OrganizationID, p.live.Now, numbers, *most)
	if err != nil {
		return nil, err
	}
	free := ready[:0]
	for _, c := range ready {
		at, capped := until[c.PhoneNumber]
		if !capped {
			free = append(free, c)
			continue
		}
		schedule, err := p.schedule(c.Zones)
		if err != nil {
			return nil, err
		}
		// Though they may wait for an opening in the end: only by the reason are they
		// found when the organization allows more.
		batch.Queue(`update recipient set due_at = @at, wait_reason = @reason where id = @id`,
			pgx.NamedArgs{"id": c.ID, "at": campaign.Opening(schedule, at), "reason": campaign.WaitAttemptLimit})
		p.moved++
	}
	return free, nil
}

// attemptAgain is when the numbers may be called again that have been called as
// often as most allows. What counts is when the carrier was asked; a call that it
// certainly was not asked for, or that the connection could not place, is none.
func attemptAgain(
	ctx context.Context, tx pgx.Tx, organizationID uuid.UUID, now time.Time, numbers []string, most int,
) (map[string]time.Time, error) {
	// The calls to one number follow each other, so the last ones that were claimed
	// are the last ones asked for. A claim may be up to a lease older than its call.
	rows, err := tx.Query(ctx, `
		select n.phone_number, c.at + make_interval(secs => @seconds) as again
		from unnest(@numbers::text[]) as n (phone_number)
		cross join lateral (
			select coalesce(call.asked_at, call.created_at) as at
			from call
			where call.organization_id = @organization_id and call.to_number = n.phone_number
			  and call.created_at > @claimed_after
			  and (call.asked_at is not null or call.ended_at is null)
			  and (call.ended_reason = any(@not_placed)) is not true
			order by call.created_at desc, call.id desc
			offset @most - 1 limit 1) c
		where c.at > @after`, pgx.NamedArgs{
		"numbers": numbers, "organization_id": organizationID, "seconds": attemptWindow.Seconds(), "most": most,
		"after": now.Add(-attemptWindow), "claimed_after": now.Add(-attemptWindow - 2*time.Minute),
		"not_placed": noAttempt,
	})
	if err != nil {
		return nil, fmt.Errorf("count calls to %d numbers: %w", len(numbers), err)
	}
	until := map[string]time.Time{}
	var number string
	var again time.Time
	if _, err := pgx.ForEachRow(rows, []any{&number, &again}, func() error {
		until[number] = again
		return nil
	}); err != nil {
		return nil, fmt.Errorf("count calls to %d numbers: %w", len(numbers), err)
	}
	return until, nil
}

// noAttempt are the reasons of calls that never rang.
var noAttempt = []string{
	string(call.ReasonCarrierUnavailable), string(call.ReasonCarrierBusy), string(call.ReasonNotPlaced),
}
