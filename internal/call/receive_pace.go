package call

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/carrier"
)

// inboundPace bounds how often callers may call one number: burst times in a row, and then once every gap.
type inboundPace struct {
	burst int
	gap   time.Duration
}

// The paces of inbound calls. A caller whose line drops calls again a few times. Callers who withhold their number
// can't be told apart, so they share a pace. The pace of everybody bounds floods from changing numbers.
var (
	callerPace   = inboundPace{5, 2 * time.Minute}
	withheldPace = inboundPace{20, 30 * time.Second}
	everyPace    = inboundPace{120, 500 * time.Millisecond}
)

// Values of inbound_pace.caller that are no numbers.
const (
	callerWithheld = "withheld"
	callerAny      = "all"
)

// paced counts a call of a caller against a pace. allowed is whether the call may be accepted. first is whether it is
// the first that is rejected since the pace was at rest. Until the caller's transaction ends, other calls of the same
// pace wait.
func paced(
	ctx context.Context, tx pgx.Tx, number numberOf, caller string, p inboundPace,
) (allowed, first bool, err error) {
	var rejected int
	err = tx.QueryRow(ctx, `
		insert into inbound_pace as p (phone_number_id, organization_id, caller, rested_at, allowed, rejected)
		select @id, @organization_id, @caller, k.t + @gap::interval, true, 0 from (select clock() as t) k
		on conflict (phone_number_id, caller) do update set
			rested_at = case when p.rested_at <= excluded.rested_at + @more::interval
				then greatest(p.rested_at + @gap::interval, excluded.rested_at) else p.rested_at end,
			allowed = p.rested_at <= excluded.rested_at + @more::interval,
			rejected = case
				when p.rested_at > excluded.rested_at + @more::interval then p.rejected + 1
				when p.rested_at <= excluded.rested_at - @gap::interval then 0
				else p.rejected end
		returning allowed, rejected`, pgx.NamedArgs{
		"id": number.ID, "organization_id": number.OrganizationID, "caller": caller, "gap": p.gap,
		"more": time.Duration(p.burst-2) * p.gap, // from the first gap of this call
	}).Scan(&allowed, &rejected)
	if err != nil {
		return false, false, fmt.Errorf("count an incoming call: %w", err)
	}
	return allowed, !allowed && rejected == 1, nil
}

// numberOf is a number that somebody calls, and its organization.
type numberOf struct{ ID, OrganizationID uuid.UUID }

// pace is how a call is received by the paces of its number.
type pace int

const (
	within   pace = iota
	beyond        // it is only counted
	bursting      // it is the first one beyond: it is stored, so that people see it
)

// pace counts an incoming call against the paces of its number. If it is stored meanwhile, because the carrier asks
// twice at once, pace returns its ID.
func (s *Service) pace(
	ctx context.Context, tx pgx.Tx, number numberOf, in carrier.Incoming,
) (id uuid.UUID, p pace, err error) {
	allowed, first, err := paced(ctx, tx, number, callerAny, everyPace)
	if err != nil {
		return uuid.Nil, within, err
	}
	if id, err = s.received(ctx, tx, in); err != nil || id != uuid.Nil {
		return id, within, err
	}
	if allowed {
		caller, own := in.From, callerPace
		if caller == "" {
			caller, own = callerWithheld, withheldPace
		}
		if allowed, first, err = paced(ctx, tx, number, caller, own); err != nil {
			return uuid.Nil, within, err
		}
	}
	switch {
	case allowed:
		return uuid.Nil, within, nil
	case first:
		return uuid.Nil, bursting, nil
	}
	return uuid.Nil, beyond, nil
}

// SweepPaces deletes the paces that are at rest. It is a periodic task.
func (s *Service) SweepPaces(ctx context.Context) error {
	const most = 1000
	for {
		tag, err := s.pool.Exec(ctx, `
			delete from inbound_pace where ctid in (
				select ctid from inbound_pace where rested_at <= (select clock())
				limit $1 for update skip locked)`, most)
		if err != nil {
			return fmt.Errorf("sweep the paces of incoming calls: %w", err)
		}
		if tag.RowsAffected() < most {
			return nil
		}
	}
}
