package call

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/page"
)

// Times are bounds of the start and of the end of calls, both excluded. A zero time is no bound.
type Times struct {
	StartedAfter, StartedBefore time.Time
	EndedAfter, EndedBefore     time.Time
}

// mostBounded is how many calls are read to find the earliest creation of the calls of a period. If the period has
// more calls, the pages of the list are full of them anyway.
const mostBounded = 10_000

// sql returns the bounds as conditions on the table with this alias, and adds their arguments.
func (t Times) sql(args pgx.NamedArgs, alias string) []string {
	var conditions []string
	for _, bound := range []struct {
		condition, name string
		at              time.Time
	}{
		{"started_at > ", "started_after", t.StartedAfter}, {"started_at < ", "started_before", t.StartedBefore},
		{"ended_at > ", "ended_after", t.EndedAfter}, {"ended_at < ", "ended_before", t.EndedBefore},
	} {
		if !bound.at.IsZero() {
			args[bound.name] = bound.at
			conditions = append(conditions, alias+bound.condition+"@"+bound.name)
		}
	}
	return conditions
}

// bounded returns the page with bounds of the creation that follow from the bounds of the start and the end, so that
// a list does not look for the calls of a period among all older ones. ok is false if there are no calls in it.
//
// A call is created before it starts, and starts before it ends. So a call that started or ended before a time was
// created before it. And a call that started or ended after a time has ended after it or is live. The earliest creation
// of these is read from an index.
func (s *Service) bounded(
	ctx context.Context, organization uuid.UUID, r page.Request, t Times,
) (bounded page.Request, ok bool, err error) {
	for _, before := range []time.Time{t.StartedBefore, t.EndedBefore} {
		if !before.IsZero() && (r.CreatedBefore.IsZero() || before.Before(r.CreatedBefore)) {
			r.CreatedBefore = before
		}
	}
	after := t.EndedAfter
	if t.StartedAfter.After(after) {
		after = t.StartedAfter
	}
	if after.IsZero() {
		return r, true, nil
	}
	args := pgx.NamedArgs{"organization_id": organization, "after": after, "most": mostBounded}
	before, live := "", ""
	if !t.EndedBefore.IsZero() {
		before, args["before"] = ` and ended_at < @before`, t.EndedBefore
	}
	if t.EndedAfter.IsZero() && t.EndedBefore.IsZero() {
		live = `
			union all
			select created_at from call
			where organization_id = @organization_id and ended_at is null and direction = 'outbound'
			union all
			select created_at from call
			where organization_id = @organization_id and ended_at is null and direction = 'inbound'
			  and settled_at is null`
	}
	var first *time.Time
	var n int
	err = s.pool.QueryRow(ctx, `
		select min(created_at), count(*) from (
			(select created_at from call
			 where organization_id = @organization_id and ended_at > @after`+before+`
			 order by ended_at limit @most + 1)`+live+`
		) c`, args).Scan(&first, &n)
	switch {
	case err != nil:
		return r, false, fmt.Errorf("find the first call of a period: %w", err)
	case first == nil:
		return r, false, nil
	case n > mostBounded:
		return r, true, nil
	}
	if earlier := first.Add(-time.Millisecond); earlier.After(r.CreatedAfter) { // CreatedAfter itself is excluded
		r.CreatedAfter = earlier
	}
	return r, true, nil
}
