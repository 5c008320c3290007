package call

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/page"
)

// Times are bounds of the start, the end and the last change of calls, all excluded. A zero time is no bound.
type Times struct {
	StartedAfter, StartedBefore time.Time
	EndedAfter, EndedBefore     time.Time
	UpdatedAfter, UpdatedBefore time.Time
}

// ofCalls reports whether only calls that have started can pass. Scheduled ones have neither a start nor an end.
func (t Times) ofCalls() bool {
	t.UpdatedAfter, t.UpdatedBefore = time.Time{}, time.Time{}
	return t != Times{}
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
		{"changed_at > ", "updated_after", t.UpdatedAfter}, {"changed_at < ", "updated_before", t.UpdatedBefore},
	} {
		if !bound.at.IsZero() {
			args[bound.name] = bound.at
			conditions = append(conditions, alias+bound.condition+"@"+bound.name)
		}
	}
	return conditions
}

// bounded returns the page with bounds of the creation that follow from the other bounds, so that
// a list does not look for the calls of a period among all older ones. ok is false if there are no calls in it.
//
// A call is created before it starts, and starts before it ends. So a call that started, ended or changed before a time
// was created before it. And a call that started or ended after a time has ended after it or is live. The earliest
// creation of these is read from an index.
func (s *Service) bounded(
	ctx context.Context, organization uuid.UUID, r page.Request, t Times,
) (bounded page.Request, ok bool, err error) {
	for _, before := range []time.Time{t.StartedBefore, t.EndedBefore, t.UpdatedBefore} {
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

// listUpdated returns a page of the calls that changed after a time. ok is false if so many calls did that the walk
// along the list finds them soon. The calls are found by the time of the change, however old they are: the cost of an
// old call may have become known just now.
func (s *Service) listUpdated(
	ctx context.Context, f Filter, indexed []indexCondition, looked []string, args pgx.NamedArgs,
) (list page.List[Call], ok bool, err error) {
	list.Data = []Call{}
	const ended = `organization_id = @organization_id and ended_changed_at > @updated_after`
	args["most"] = mostBounded
	var n int
	err = s.pool.QueryRow(ctx,
		`select count(*) from (select from call where `+ended+` limit @most + 1) c`, args).Scan(&n)
	if err != nil {
		return list, false, fmt.Errorf("count the calls that changed: %w", err)
	}
	if n > mostBounded {
		return list, false, nil
	}
	for _, condition := range indexed {
		looked = append(looked, condition.sql())
	}
	passes := ` and ` + strings.Join(append(looked, page.Where), " and ")
	rows, err := s.pool.Query(ctx, `
		with changed as materialized (
			select id, created_at from call where `+ended+passes+`
			union all
			select id, created_at from call
			where organization_id = @organization_id and ended_at is null and direction = 'outbound'`+passes+`
			union all
			select id, created_at from call
			where organization_id = @organization_id and ended_at is null and direction = 'inbound'
			  and settled_at is null`+passes+`
		)
		select id, created_at from changed `+page.Order, pgx.QueryExecModeCacheDescribe, args)
	if err != nil {
		return list, false, fmt.Errorf("list the calls that changed: %w", err)
	}
	var found []position
	var p position
	if _, err = pgx.ForEachRow(rows, []any{&p.id, &p.at}, func() error {
		found = append(found, p)
		return nil
	}); err != nil {
		return list, false, fmt.Errorf("list the calls that changed: %w", err)
	}
	calls, err := s.callsAt(ctx, found, args)
	if err != nil {
		return list, false, err
	}
	list = page.Cut(f.Request, calls, key)
	if want := args["page_limit"].(int); !list.HasMore && len(found) == want { // a call was deleted after it was found
		list.Stop(f.Request, found[want-2].at, found[want-2].id)
	}
	return list, true, nil
}
