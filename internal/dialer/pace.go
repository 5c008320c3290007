package dialer

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// catchUp is how far pacing may make up for a dialer that was late: a short
// stall must not move every later call, and a long one must not end in a burst.
const catchUp = 250 * time.Millisecond

// pace is a generic cell rate algorithm: next is the moment the next call is
// due, and the k-th call after a start is due at start + k / rate, however late
// the ones before it were placed.
type pace struct {
	rate float64   // calls per second; 0 means no limit
	next time.Time // the zero Time: at once
}

// newPace is a pace of a row. A nil rate is none; yet nothing is due before next.
func newPace(rate *float64, next *time.Time) (p pace) {
	if rate != nil {
		p.rate = *rate
	}
	if next != nil {
		p.next = *next
	}
	return p
}

// at drops what can't be caught up any more.
func (p pace) at(now time.Time) pace {
	if least := now.Add(-catchUp); p.next.Before(least) {
		p.next = least
	}
	return p
}

// allows is how many calls are due at now, at most most.
func (p pace) allows(now time.Time, most int) int {
	if p.next.After(now) || most <= 0 {
		return 0
	}
	if p.rate <= 0 {
		return most
	}
	p = p.at(now)
	// The sum of rounding below a microsecond must not cost a call.
	due := math.Floor(now.Sub(p.next).Seconds()*p.rate+1e-6) + 1
	return int(math.Min(due, float64(most)))
}

// after is the pace once n calls were placed at now.
func (p pace) after(now time.Time, n int) pace {
	if p.rate <= 0 || n <= 0 {
		return p
	}
	p = p.at(now)
	p.next = p.next.Add(time.Duration(float64(n) / p.rate * float64(time.Second))).Round(time.Microsecond)
	return p
}

// within is how many calls fall due from now until d later, at most most.
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

// keptPace is a pace and the row that keeps it.
type keptPace struct {
	pace  pace
	table string
	id    uuid.UUID
}

// keepPaces writes the paces that have a rate, in the order given, which is the
// order of locks: organization, connection, phone number.
func keepPaces(ctx context.Context, tx pgx.Tx, kept ...keptPace) error {
	batch := &pgx.Batch{}
	for _, k := range kept {
		if k.pace.rate > 0 {
			batch.Queue(`update `+k.table+` set pace_at = $2 where id = $1`, k.id, k.pace.next)
		}
	}
	if batch.Len() == 0 {
		return nil
	}
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("keep the paces of calls: %w", err)
	}
	return nil
}
