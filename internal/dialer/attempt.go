package dialer

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/internal/regulation"
)

const (
	// attemptWindow is the period over which the organization's limit on attempts to one number
	// counts calls. The limit spans all its campaigns.
	attemptWindow = 24 * time.Hour

	// cappedPick is the number of recipients read at a time while attempts are limited, rules apply or
	// countries are refused. It is large because many due recipients may have to be deferred before a few can be
	// dialed.
	cappedPick = 128
)

// capped is a number with a limit on the calls to it.
type capped struct {
	number string
	regulation.Cap
}

// capsOf returns the limits on calls to a number: the organization's, and those of the number's place.
func capsOf(most *int, rules *regulation.Book, number string) []capped {
	var caps []capped
	if most != nil {
		caps = append(caps, capped{number, regulation.Cap{Calls: *most, Period: attemptWindow}})
	}
	for _, c := range rules.Of(phone.Number(number)).Caps {
		caps = append(caps, capped{number, c})
	}
	return caps
}

// deferCapped defers recipients whose number has reached a limit of calls. A deferred recipient
// becomes due when all limits allow another call, or at the next opening after that time.
// deferCapped returns the other recipients. Calls are claimed only under the organization's row
// lock, and deferCapped runs after the statement that takes this lock, so it sees every claimed
// call.
func (p *pass) deferCapped(ctx context.Context, batch *pgx.Batch, ready []candidate) ([]candidate, error) {
	var caps []capped
	for _, c := range ready {
		caps = append(caps, capsOf(p.organization.MaxDailyAttempts, p.rules, c.PhoneNumber)...)
	}
	if len(caps) == 0 {
		return ready, nil
	}
	until, err := attemptAgain(ctx, p.tx, p.OrganizationID, p.live.Now, caps)
	if err != nil {
		return nil, err
	}
	free := ready[:0]
	for _, c := range ready {
		reached, wait := until[c.PhoneNumber]
		if !wait {
			free = append(free, c)
			continue
		}
		own, err := p.schedule(c.Zones)
		if err != nil {
			return nil, err
		}
		schedule, err := p.ruled(own, c)
		if err != nil {
			return nil, err
		}
		// The reason stays a limit even when the recipient ends up waiting for an
		// opening, because a raised limit finds its recipients by this reason.
		batch.Queue(`update recipient set due_at = @at, wait_reason = @reason where id = @id`,
			pgx.NamedArgs{
				"id": c.ID, "at": campaign.Opening(schedule, reached.again), "reason": campaign.WaitAttemptLimit,
			})
		p.moved++
	}
	return free, nil
}

// reachedCap is a limit that a number has reached.
type reachedCap struct {
	regulation.Cap
	again time.Time // when it allows another call
}

// attemptAgain returns the numbers that have reached a limit, with the limit that ends last.
// A limit counts requests to the carrier. It does not count calls that certainly were
// not requested or that the connection could not place.
func attemptAgain(
	ctx context.Context, tx pgx.Tx, organizationID uuid.UUID, now time.Time, caps []capped,
) (map[string]reachedCap, error) {
	numbers, most := make([]string, len(caps)), make([]int32, len(caps))
	seconds := make([]float64, len(caps))
	for i, c := range caps {
		numbers[i], most[i], seconds[i] = c.number, int32(c.Calls), c.Period.Seconds()
	}
	// Calls to one number follow each other, so the calls claimed last are also the calls
	// requested last. The request may come up to one lease after the claim.
	rows, err := tx.Query(ctx, `
		select n.i, c.at + make_interval(secs => n.seconds) as again
		from unnest(@numbers::text[], @most::int[], @seconds::float8[]) with ordinality
			as n (phone_number, most, seconds, i)
		cross join lateral (
			select coalesce(call.asked_at, call.created_at) as at
			from call
			where call.organization_id = @organization_id and call.person_number = n.phone_number
			  and call.direction = 'outbound'
			  and call.created_at > @now::timestamptz - make_interval(secs => n.seconds + @lease)
			  and (call.asked_at is not null or call.ended_at is null)
			  and (call.ended_reason = any(@not_placed)) is not true
			order by call.created_at desc, call.id desc
			offset n.most - 1 limit 1) c
		where c.at > @now::timestamptz - make_interval(secs => n.seconds)`, pgx.NamedArgs{
		"numbers": numbers, "organization_id": organizationID, "seconds": seconds, "most": most, "now": now,
		"lease": (2 * time.Minute).Seconds(), "not_placed": call.NotPlacedReasons,
	})
	if err != nil {
		return nil, fmt.Errorf("count calls to %d numbers: %w", len(numbers), err)
	}
	until := map[string]reachedCap{}
	var i int
	var again time.Time
	if _, err := pgx.ForEachRow(rows, []any{&i, &again}, func() error {
		c := caps[i-1]
		if last, ok := until[c.number]; !ok || again.After(last.again) {
			until[c.number] = reachedCap{c.Cap, again}
		}
		return nil
	}); err != nil {
		return nil, fmt.Errorf("count calls to %d numbers: %w", len(numbers), err)
	}
	return until, nil
}
