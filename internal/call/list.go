package call

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/page"
)

const (
	// scanned is how many calls one statement looks at for those that match.
	scanned = 10_000
	// patience is how long a list looks for matches before it answers with
	// what it has, and a cursor to go on from.
	patience = 500 * time.Millisecond
)

// Filter says which calls are listed. Its zero fields filter nothing.
type Filter struct {
	page.Request
	CampaignID    *uuid.UUID
	AgentID       *uuid.UUID
	PhoneNumberID *uuid.UUID
	Status        Status
	Outcome       Outcome
	AnsweredBy    AnsweredBy
	ToNumber      string        // E.164
	MinDuration   time.Duration // of talk
	Live          bool          // only calls that have not ended
	Query         string        // words of the transcript, as people type them into a search engine
	Sort          Sort          // of a search; empty is Newest
}

func (f Filter) check() error {
	var p fault.Problems
	oneOf(&p, "status", f.Status, Statuses)
	oneOf(&p, "outcome", f.Outcome, Outcomes)
	oneOf(&p, "answered_by", f.AnsweredBy, Answerers)
	if f.MinDuration < 0 {
		p.Addf("min_duration", "must not be negative")
	}
	p.Also(f.CheckQuery())
	return p.Err()
}

func oneOf[T ~string](p *fault.Problems, path string, v T, all []T) {
	if v == "" || slices.Contains(all, v) {
		return
	}
	names := make([]string, len(all))
	for i, a := range all {
		names[i] = string(a)
	}
	p.Addf(path, "must be one of %s", strings.Join(names, ", "))
}

// query is a filter as SQL: conditions that an index serves in the order of
// the list, and those that are looked at call by call.
func (f Filter) query(args pgx.NamedArgs) (indexed, looked []string) {
	conditions := []struct {
		on    bool
		where string
		name  string
		value any
	}{
		// The first that is on is served by an index, so the most telling come first.
		{f.ToNumber != "", "to_number = @to_number", "to_number", f.ToNumber},
		{f.CampaignID != nil, "campaign_id = @campaign_id", "campaign_id", f.CampaignID},
		{f.Outcome != "", "ended_at is not null and outcome = @outcome", "outcome", f.Outcome},
		{f.PhoneNumberID != nil, "phone_number_id = @phone_number_id", "phone_number_id", f.PhoneNumberID},
		{f.AgentID != nil, "agent_id = @agent_id", "agent_id", f.AgentID},
		{f.AnsweredBy != "", "answered_by = @answered_by", "answered_by", f.AnsweredBy},
		{f.MinDuration > 0, "ended_at - answered_at >= @min_duration", "min_duration", f.MinDuration},
	}
	indexed = []string{"organization_id = @organization_id"}
	served := false
	for _, c := range conditions {
		if !c.on {
			continue
		}
		args[c.name] = c.value
		// A campaign's calls are indexed by outcome too.
		both := c.name == "outcome" && f.ToNumber == "" && f.CampaignID != nil
		if (!served || both) && c.name != "answered_by" && c.name != "min_duration" {
			indexed, served = append(indexed, c.where), true
		} else {
			looked = append(looked, c.where)
		}
	}
	if f.Live {
		indexed = append(indexed, "ended_at is null")
	}
	if f.Status != "" {
		args["status"] = f.Status
		where := "status = @status"
		// A status that stands for one outcome can use its index.
		if same := Outcome(f.Status); f.Outcome == "" && f.ToNumber == "" && slices.Contains(Outcomes, same) && same != OutcomeCompleted {
			args["outcome"] = same
			if !served || f.CampaignID != nil {
				indexed = append(indexed, "ended_at is not null and outcome = @outcome")
			}
		}
		looked = append(looked, where)
	}
	return indexed, looked
}

// List is a page of the organization's calls. A filter that few calls pass is
// looked for during half a second at most: then the page may be shorter than its
// limit, even empty, although there is more. Errors: Invalid.
func (s *Service) List(ctx context.Context, organization uuid.UUID, f Filter) (page.List[Call], error) {
	none := page.List[Call]{Data: []Call{}}
	if err := f.check(); err != nil {
		return none, err
	}
	args := pgx.NamedArgs{"organization_id": organization, "scanned": s.scanned}
	if err := f.Args(args); err != nil {
		return none, err
	}
	if f.Query != "" {
		return s.search(ctx, organization, f, args)
	}
	if f.Status != "" && !f.Status.Terminal() {
		return s.listLive(ctx, f, args)
	}
	indexed, looked := f.query(args)
	from := `from call where ` + strings.Join(indexed, " and ") + ` and ` + page.Where + `
		order by created_at desc, id desc`
	if len(looked) == 0 {
		calls, err := s.collect(ctx, `select `+columns+` `+from+` limit @page_limit`, args)
		if err != nil {
			return none, err
		}
		return page.Cut(f.Request, calls, key), nil
	}

	// Of most calls no more is read than what tells whether they pass.
	query := `select id, created_at, hit, n from (
		select id, created_at, hit, row_number() over () as n, lead(id) over () is null as last from (
			select id, created_at, (` + strings.Join(looked, " and ") + `) is true as hit ` + from + ` limit @scanned
		) s
	) s where hit or last`
	want, began := args["page_limit"].(int), s.now()
	var found []position
	for {
		rows, err := s.pool.Query(ctx, query, args)
		if err != nil {
			return none, fmt.Errorf("list calls: %w", err)
		}
		var mark position
		var hit bool
		seen := 0
		_, err = pgx.ForEachRow(rows, []any{&mark.id, &mark.at, &hit, &seen}, func() error {
			if hit && len(found) < want {
				found = append(found, mark)
			}
			return nil
		})
		if err != nil {
			return none, fmt.Errorf("list calls: %w", err)
		}
		all, late := seen < s.scanned, s.now().Sub(began) > s.patience
		if len(found) < want && !all && !late {
			args["page_at"], args["page_id"] = mark.at, mark.id
			continue
		}
		ids := make([]uuid.UUID, len(found))
		for i, p := range found {
			ids[i] = p.id
		}
		args["ids"] = ids
		calls, err := s.collect(ctx, `
			select `+columns+` from call
			where organization_id = @organization_id and id = any(@ids)
			order by created_at desc, id desc`, args)
		if err != nil {
			return none, err
		}
		list := page.Cut(f.Request, calls, key)
		if len(found) == want { // also when one was deleted just now
			mark = found[want-2]
		}
		if !list.HasMore && (len(found) == want || !all) {
			next := f.Next(mark.at, mark.id)
			list.HasMore, list.NextCursor = true, &next
		}
		return list, nil
	}
}

// listLive lists calls in a state before the end. There are never so many that
// an order would have to come from an index.
func (s *Service) listLive(ctx context.Context, f Filter, args pgx.NamedArgs) (page.List[Call], error) {
	_, looked := f.query(args)
	if f.CampaignID != nil {
		looked = append(looked, "campaign_id = @campaign_id")
	}
	if f.ToNumber != "" {
		looked = append(looked, "to_number = @to_number")
	}
	if f.PhoneNumberID != nil {
		looked = append(looked, "phone_number_id = @phone_number_id")
	}
	if f.AgentID != nil {
		looked = append(looked, "agent_id = @agent_id")
	}
	if f.Outcome != "" {
		return page.List[Call]{Data: []Call{}}, nil // it has none yet
	}
	calls, err := s.collect(ctx, `
		with live as materialized (
			select * from call where organization_id = @organization_id and ended_at is null
		)
		select `+columns+` from live
		where `+strings.Join(looked, " and ")+` and `+page.Where+` `+page.Order, args)
	if err != nil {
		return page.List[Call]{Data: []Call{}}, err
	}
	return page.Cut(f.Request, calls, key), nil
}

func (s *Service) collect(ctx context.Context, sql string, args pgx.NamedArgs) ([]Call, error) {
	rows, err := s.pool.Query(ctx, sql, args)
	if err != nil {
		return nil, fmt.Errorf("list calls: %w", err)
	}
	calls, err := pgx.CollectRows(rows, pgx.RowToStructByName[Call])
	if err != nil {
		return nil, fmt.Errorf("list calls: %w", err)
	}
	return calls, nil
}

func key(c Call) (time.Time, uuid.UUID) { return c.CreatedAt, c.ID }

// Get is one call of the organization with its turns, also while it is up.
// Errors: NotFound.
func (s *Service) Get(ctx context.Context, organization, id uuid.UUID) (Call, []Turn, error) {
	batch := &pgx.Batch{}
	batch.Queue(`select `+columns+` from call where organization_id = $1 and id = $2`, organization, id)
	batch.Queue(`
		select `+turnColumns+`
		from call_turn where organization_id = $1 and call_id = $2
		order by index`, organization, id)
	results := s.pool.SendBatch(ctx, batch)
	defer results.Close() //nolint:errcheck // both results are read
	rows, err := results.Query()
	if err != nil {
		return Call{}, nil, fmt.Errorf("read call %s: %w", id, err)
	}
	c, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[Call])
	if errors.Is(err, pgx.ErrNoRows) {
		return Call{}, nil, fault.NotFoundf("Call")
	}
	if err != nil {
		return Call{}, nil, fmt.Errorf("read call %s: %w", id, err)
	}
	rows, err = results.Query()
	if err != nil {
		return Call{}, nil, fmt.Errorf("read the turns of call %s: %w", id, err)
	}
	turns, err := pgx.CollectRows(rows, pgx.RowToStructByName[Turn])
	if err != nil {
		return Call{}, nil, fmt.Errorf("read the turns of call %s: %w", id, err)
	}
	return c, turns, nil
}

// Some reads calls by their ids. One that is unknown or foreign is left out.
func (s *Service) Some(ctx context.Context, organization uuid.UUID, ids []uuid.UUID) (map[uuid.UUID]Call, error) {
	found := make(map[uuid.UUID]Call, len(ids))
	if len(ids) == 0 {
		return found, nil
	}
	calls, err := s.collect(ctx, `
		select `+columns+` from call
		where organization_id = @organization_id and id = any(@ids)`,
		pgx.NamedArgs{"organization_id": organization, "ids": ids})
	for _, c := range calls {
		found[c.ID] = c
	}
	return found, err
}

// Attempts are the calls made to one recipient of a campaign, newest first.
func (s *Service) Attempts(ctx context.Context, organization, recipient uuid.UUID) ([]Call, error) {
	return s.collect(ctx, `
		select `+columns+` from call
		where recipient_id = @recipient_id and organization_id = @organization_id
		order by attempt desc, created_at desc
		limit 100`, pgx.NamedArgs{"organization_id": organization, "recipient_id": recipient})
}

// Live counts the calls of the organization that have not ended, by status.
func (s *Service) Live(ctx context.Context, organization uuid.UUID) (map[Status]int, error) {
	rows, err := s.pool.Query(ctx, `
		select status, count(*) from call
		where organization_id = $1 and ended_at is null
		group by status`, organization)
	if err != nil {
		return nil, fmt.Errorf("count live calls: %w", err)
	}
	counts := map[Status]int{}
	var status Status
	var n int
	if _, err := pgx.ForEachRow(rows, []any{&status, &n}, func() error { counts[status] = n; return nil }); err != nil {
		return nil, fmt.Errorf("count live calls: %w", err)
	}
	return counts, nil
}
