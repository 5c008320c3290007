package dialer

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/postgres"
)

// catchUp bounds how much pacing makes up for a late dialer. A short stall must not delay
// every later call, and a long stall must not end in a burst.
const catchUp = 250 * time.Millisecond

// pace is a generic cell rate algorithm. next is when the next call is due. The k-th call
// after a start is due at start + k / rate, no matter how late the earlier calls were
// placed.
type pace struct {
	rate float64   // calls per second; 0 means no limit
	next time.Time // zero Time: at once
	rest bool      // next is the end of a pause that the carrier asked for
}

// newPace returns the pace of a stored row. The row stores only the start of the last
// call, so the next call is due by the current rate. Without a rate there is no limit,
// but a rest still applies.
func newPace(rate *float64, kept keptPace) (p pace) {
	if rate != nil {
		p.rate = *rate
	}
	if kept.LastAt != nil {
		p.next = kept.LastAt.Add(p.interval())
	}
	if rest := kept.RestUntil; rest != nil && rest.After(p.next) {
		p.next, p.rest = *rest, true
	}
	return p
}

// interval returns the time between two calls.
func (p pace) interval() time.Duration {
	if p.rate <= 0 {
		return 0
	}
	return time.Duration(float64(time.Second) / p.rate)
}

// last returns when the last call was scheduled to start, at the precision of PostgreSQL.
func (p pace) last() time.Time { return p.next.Add(-p.interval()).Round(time.Microsecond) }

// at drops the backlog that exceeds catchUp.
func (p pace) at(now time.Time) pace {
	if least := now.Add(-catchUp); p.next.Before(least) {
		p.next = least
	}
	return p
}

// allows returns how many calls are due at now, at most most.
func (p pace) allows(now time.Time, most int) int {
	if p.next.After(now) || most <= 0 {
		return 0
	}
	if p.rate <= 0 {
		return most
	}
	p = p.at(now)
	// Rounding errors below a microsecond must not cost a call.
	due := math.Floor(now.Sub(p.next).Seconds()*p.rate+1e-6) + 1
	return int(math.Min(due, float64(most)))
}

// after returns the pace after n calls were placed at now.
func (p pace) after(now time.Time, n int) pace {
	if p.rate <= 0 || n <= 0 {
		return p
	}
	p = p.at(now)
	p.next = p.next.Add(time.Duration(float64(n) / p.rate * float64(time.Second)))
	return p
}

// within returns how many calls fall due between now and d later, at most most.
func (p pace) within(now time.Time, d time.Duration, most int) int {
	left := now.Add(d).Sub(p.at(now).next)
	switch {
	case left < 0 || most <= 0:
		return 0
	case p.rate <= 0:
		return most
	}
	return int(math.Min(math.Floor(left.Seconds()*p.rate+1e-6)+1, float64(most)))
}

// keptPace is the stored pace of an organization, a connection or a phone number. The
// zero keptPace stands for a missing row.
type keptPace struct {
	LastAt    *time.Time
	RestUntil *time.Time

	OwnLead     int        // of a connection: calls of their own that started ahead of campaigns
	WaitedUntil *time.Time // of a connection: until when campaigns wait for it
}

// readPaces queues the statement that reads the paces of an organization, a connection
// and, unless it is nil, a phone number by their IDs. It must come after the statements that lock their
// rows. A statement that waited for a lock would read the paces from before the wait.
func readPaces(
	batch *pgx.Batch, organizationID, connectionID uuid.UUID, numberID *uuid.UUID,
) map[uuid.UUID]keptPace {
	paces := map[uuid.UUID]keptPace{}
	batch.Queue(`select id, last_at, rest_until, own_lead, waited_until from pace where id in ($1, $2, $3)`,
		organizationID, connectionID,
		numberID).
		Query(func(rows pgx.Rows) error {
			var id uuid.UUID
			var kept keptPace
			_, err := pgx.ForEachRow(rows, []any{
				&id, &kept.LastAt, &kept.RestUntil, &kept.OwnLead, &kept.WaitedUntil,
			}, func() error {
				paces[id] = kept
				return nil
			})
			return err
		})
	return paces
}

// reachedPace is a pace and its row, which belongs to the organization unless a
// connection or a phone number is named.
type reachedPace struct {
	pace
	connectionID, numberID *uuid.UUID
}

var reachedTable = postgres.NewColumns("reached",
	postgres.Column("connection_id", "uuid", func(r *reachedPace) *uuid.UUID { return r.connectionID }),
	postgres.Column("phone_number_id", "uuid", func(r *reachedPace) *uuid.UUID { return r.numberID }),
	postgres.Column("last_at", "timestamptz", func(r *reachedPace) time.Time { return r.last() }),
)

// keepPaces stores the paces that have a rate. The caller has locked the organization, the
// connection and the phone number, so no other transaction writes the paces.
func keepPaces(ctx context.Context, tx pgx.Tx, organizationID uuid.UUID, reached ...reachedPace) error {
	reached = slices.DeleteFunc(reached, func(r reachedPace) bool { return r.rate <= 0 })
	if len(reached) == 0 {
		return nil
	}
	args := reachedTable.Args(reached)
	args["organization_id"] = organizationID
	_, err := tx.Exec(ctx, `
		insert into pace (organization_id, connection_id, phone_number_id, last_at)
		select @organization_id, connection_id, phone_number_id, last_at from `+reachedTable.Table()+`
		on conflict (id) do update set last_at = excluded.last_at`, args)
	if err != nil {
		return fmt.Errorf("keep the paces of calls: %w", err)
	}
	return nil
}

// rest suspends call starts of a connection for a while. A concurrent pass does not undo
// the rest, because it writes another column.
func (d *Dialer) rest(ctx context.Context, connectionID uuid.UUID, t time.Duration) error {
	_, err := d.pool.Exec(ctx, `
		insert into pace (organization_id, connection_id, rest_until)
		select organization_id, id, clock() + make_interval(secs => @rest) from connection where id = @id
		on conflict (id) do update set rest_until = greatest(pace.rest_until, excluded.rest_until)`,
		pgx.NamedArgs{"id": connectionID, "rest": t.Seconds()})
	if err != nil {
		return fmt.Errorf("rest connection %s: %w", connectionID, err)
	}
	return nil
}
