package campaign

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	// The pace of a campaign is the pace of its latest calls: at most paceMost calls,
	// none older than paceSpan.
	paceMost = 500
	paceSpan = 10 * time.Minute

	// An estimate needs at least paceLeast calls, and the latest call must not be older
	// than paceStale.
	paceLeast = 10
	paceStale = 2 * time.Minute

	// doneLeast is the fewest finished recipients that give a number of calls per
	// recipient.
	doneLeast = 20
)

// Left is how much longer a campaign will call at its present pace.
type Left struct {
	Time time.Duration

	// Due is when the last waiting recipient is due, if that is what the campaign waits for.
	// Then Time is the least: the result of that call, and whether the calling hours are
	// open for it, are unknown.
	Due *time.Time
}

// Left estimates how much longer a running campaign will call, from its recent pace and
// the calls that its recipients have needed. It returns false if too few calls were
// made, or if the campaign is not dialing now.
func (s *Service) Left(ctx context.Context, c Campaign) (Left, bool, error) {
	if c.Status != Running || c.Pending == 0 {
		return Left{}, false, nil
	}
	var calls int
	var now time.Time
	var first, last, due *time.Time
	err := s.db.QueryRow(ctx, `
		with k as materialized (select clock() as t),
		recent as (
			select created_at from call
			where organization_id = @organization_id and campaign_id = @id and created_at > (select t - @span::interval
				from k)
			order by created_at desc
			limit @most)
		select (select t from k), count(*), min(created_at), max(created_at),
		       (select max(due_at) from recipient where campaign_id = @id and status = 'pending')
		from recent`,
		pgx.NamedArgs{
			"organization_id": c.OrganizationID, "id": c.ID, "span": paceSpan, "most": paceMost,
		}).Scan(&now, &calls, &first, &last, &due)
	if err != nil {
		return Left{}, false, fmt.Errorf("read the pace of campaign %s: %w", c.ID, err)
	}
	if calls < paceLeast || now.Sub(*last) > paceStale || !now.After(*first) {
		return Left{}, false, nil
	}
	left := Left{Time: time.Duration(float64(c.callsLeft()) / float64(calls) * float64(now.Sub(*first)))}
	if due != nil && due.Sub(now) > left.Time {
		left = Left{Time: due.Sub(now), Due: due}
	}
	return left, true, nil
}

// callsLeft estimates how many calls the remaining recipients need: one each, or more
// if finished recipients needed more.
func (c Campaign) callsLeft() int {
	done, ended := c.Completed+c.Failed, c.CallsPlaced-c.Dialing-c.InProgress
	if done < doneLeast || ended <= done {
		return c.Pending
	}
	expected := float64(ended) / float64(done) * float64(c.Total-c.Skipped-c.Canceled-c.Expired)
	return max(c.Pending, int(expected)-c.CallsPlaced)
}
