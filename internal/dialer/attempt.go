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
	// attemptWindow is the period over which the limit on attempts to one number counts
	// calls. The limit belongs to the organization and spans all its campaigns.
	attemptWindow = 24 * time.Hour

	// cappedPick is the number of recipients read at a time while attempts are limited or
	// countries are refused. It is large because many due recipients may have to be deferred before a few can be
	// dialed.
	cappedPick = 128
)

// deferCapped defers recipients whose number has reached the organization's limit of attempts in
// attemptWindow. A deferred recipient becomes due when the limit allows another call, or at the
// next opening after that time. deferCapped returns the other recipients. Calls are claimed only
// under the organization's row lock, and deferCapped runs after the statement that takes this lock,
// so it sees every claimed call.
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
		// The reason stays daily attempts even when the recipient ends up waiting for an
		// opening, because a raised limit finds its recipients by this reason.
		batch.Queue(`update recipient set due_at = @at, wait_reason = @reason where id = @id`,
			pgx.NamedArgs{"id": c.ID, "at": campaign.Opening(schedule, at), "reason": campaign.WaitAttemptLimit})
		p.moved++
	}
	return free, nil
}

// attemptAgain returns when each number that has reached the limit may be called again.
// The limit counts requests to the carrier. It does not count calls that certainly were
// not requested or that the connection could not place.
func attemptAgain(
	ctx context.Context, tx pgx.Tx, organizationID uuid.UUID, now time.Time, numbers []string, most int,
) (map[string]time.Time, error) {
	// Calls to one number follow each other, so the calls claimed last are also the calls
	// requested last. The request may come up to one lease after the claim.
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
		"not_placed": call.NotPlacedReasons,
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
