package call

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/page"
)

const (
	// scanned is how many calls one statement checks at most.
	scanned = 2_000
	// patience is how long a list searches before it returns the calls found so far, with a cursor
	// to continue from.
	patience = 500 * time.Millisecond
)

// filteredList returns a page of the calls that pass conditions which no single index serves. It
// walks the index of one condition and checks each call there. A statement ends when the page is
// full, so a filter that many calls pass costs no more than any list. A filter that few calls pass
// takes several statements, until patience has passed.
func (s *Service) filteredList(
	ctx context.Context, f Filter, indexed []indexCondition, looked []string, args pgx.NamedArgs,
) (page.List[Call], error) {
	found, mark, all, err := s.filtered(ctx, f, indexed, looked, args, s.now().Add(s.patience))
	if err != nil {
		return page.List[Call]{Data: []Call{}}, err
	}
	calls, err := s.callsAt(ctx, found, args)
	if err != nil {
		return page.List[Call]{Data: []Call{}}, err
	}
	list := page.Cut(f.Request, calls, key)
	switch want := args["page_limit"].(int); {
	case list.HasMore:
	case len(found) == want: // a call was deleted after it was found
		list.Stop(f.Request, found[want-2].at, found[want-2].id)
	case !all:
		list.Stop(f.Request, mark.at, mark.id)
	}
	return list, nil
}

// filtered finds the next calls that pass, as many as the page takes, until a time. It returns the position of the
// last call that it checked, and whether no calls follow.
func (s *Service) filtered(
	ctx context.Context, f Filter, indexed []indexCondition, looked []string, args pgx.NamedArgs, until time.Time,
) (found []position, mark position, all bool, err error) {
	answered := f.answered(args)
	want := args["page_limit"].(int)
	args["answered"] = min(2*want, s.scanned) // nearly all of these calls pass
	for first := true; ; first = false {
		if !first && len(indexed) > 1 && answered == "" {
			if err := s.furthestFirst(ctx, f, indexed, args); err != nil {
				return nil, mark, false, err
			}
		}
		var hits []position
		hits, mark, all, err = s.stretch(ctx, f, indexed, looked, answered, want-len(found), args)
		if err != nil {
			return nil, mark, false, err
		}
		if found = append(found, hits...); len(found) >= want || all || s.now().After(until) {
			return found, mark, all, nil
		}
		args["page_at"], args["page_id"] = mark.at, mark.id
		args["answered"] = min(2*args["answered"].(int), s.scanned)
	}
}

// stretch checks the next calls in the index of the first condition, until the wanted number of
// calls passes. It reads only the columns that the conditions need. It returns the position of the
// last call that it checked, and whether no calls follow. answered is [Filter.answered]; if it is not empty, it is
// walked instead of an index.
func (s *Service) stretch(
	ctx context.Context, f Filter, indexed []indexCondition, looked []string, answered string, wanted int,
	args pgx.NamedArgs,
) (hits []position, mark position, all bool, err error) {
	first, most := min(1, len(indexed)), s.scanned
	if answered != "" {
		first, most = 0, args["answered"].(int)
	}
	conditions := slices.Clone(looked)
	for _, condition := range indexed[first:] {
		conditions = append(conditions, condition.sql())
	}
	passes := `(` + strings.Join(conditions, " and ") + `) is true as hit`
	const order = `order by created_at desc, id desc limit @scanned`
	args["wanted"] = wanted
	walk := f.walk(`id, created_at, `+passes, order, indexed[:first]...)
	if answered != "" {
		walk = `select id, created_at, ` + passes + ` from (` + answered + `) a join call on call.id = a.call_id
			where organization_id = @organization_id order by created_at desc, id desc`
	}
	rows, err := s.pool.Query(ctx, `
		select id, created_at, hit, n from (
			select id, created_at, hit, row_number() over () as n, lead(id) over () is null as last from (
				`+walk+`
			) s
		) s where hit or last limit @wanted`, args)
	if err != nil {
		return nil, mark, false, fmt.Errorf("list calls: %w", err)
	}
	var hit bool
	seen := 0
	_, err = pgx.ForEachRow(rows, []any{&mark.id, &mark.at, &hit, &seen}, func() error {
		if hit {
			hits = append(hits, mark)
		}
		return nil
	})
	if err != nil {
		return nil, mark, false, fmt.Errorf("list calls: %w", err)
	}
	return hits, mark, seen < most, nil
}

// furthestFirst puts the condition first whose next calls reach furthest back in time. Its
// index has the fewest calls to check.
func (s *Service) furthestFirst(ctx context.Context, f Filter, indexed []indexCondition, args pgx.NamedArgs) error {
	ends := make([]string, len(indexed))
	for i, condition := range indexed {
		stretch := f.walk(`id, created_at`, `order by created_at desc, id desc limit @scanned + 1`, condition)
		ends[i] = `(select created_at from (` + stretch +
			`) s order by created_at desc, id desc offset @scanned limit 1)`
	}
	var reached []*time.Time // nil: the condition has at most scanned calls left
	err := s.pool.QueryRow(ctx, `select array[`+strings.Join(ends, ", ")+`]`, args).Scan(&reached)
	if err != nil {
		return fmt.Errorf("list calls: %w", err)
	}
	best := 0
	for i, at := range reached {
		if reached[best] != nil && (at == nil || at.Before(*reached[best])) {
			best = i
		}
	}
	indexed[0], indexed[best] = indexed[best], indexed[0]
	return nil
}

// callsAt reads the calls at the found positions.
func (s *Service) callsAt(ctx context.Context, found []position, args pgx.NamedArgs) ([]Call, error) {
	args["ids"] = idsAt(found)
	return s.collect(ctx, `
		select `+columns+` from call
		where organization_id = @organization_id and id = any(@ids)
		order by created_at desc, id desc`, args)
}
