package call

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/person"
	"github.com/dialwright/dialwright/internal/postgres"
)

// Filter selects the calls of a list. A zero field filters nothing.
type Filter struct {
	page.Request
	ProjectID     *uuid.UUID
	CampaignID    *uuid.UUID
	NoCampaign    bool // only calls without a campaign; not with CampaignID
	AgentID       *uuid.UUID
	AgentVersion  *int // a number; needs AgentID
	PhoneNumberID *uuid.UUID
	Statuses      []Status              // any of these
	Outcomes      []Outcome             // any of these
	Intents       []conversation.Intent // any of these
	AnsweredBy    []AnsweredBy          // any of these
	PersonNumber  string                // E.164; whoever called
	NumberPart    person.Part           // of the person's number; not with PersonNumber
	ExternalID    string                // of the recipient
	RecipientID   *uuid.UUID            // of a campaign; whoever called
	Metadata      check.Pairs           // each of these
	Answers       check.Pairs           // each of these, or of a range: 10..19, 10..<20; see ReadAnswers
	Reviewed      *bool                 // whether people have reviewed the call
	Tag           string                // that people gave the call
	Times
	Direction   Direction     // empty: both
	MinDuration time.Duration // of the talk time
	Live        bool          // only calls that have not ended
	Placed      bool          // only calls that were placed, and inbound ones: those that figures count
	Query       string        // words of the transcript, in the syntax of a web search
	SaidBy      Speaker       // of the words of a search; empty is SaidByAnyone
	Sort        Sort          // order of a search; empty is Newest

	numbers []string // all that have NumberPart; nil: not known, because they are too many
}

// maxExternalID is how many characters the external ID of a recipient may have.
const maxExternalID = 200

// sqlAnswers is the object of the answers of a call.
const sqlAnswers = `analysis -> 'answers'`

// sqlOfRecipient are the conditions of Filter.RecipientID. The recipients of calls of their own are in no list.
var sqlOfRecipient = indexCondition{
	`recipient_id = @recipient_id and campaign_id is not null`,
	`resumes_recipient_id = @recipient_id`, // they called
}

// sqlAskedFor is the condition that a call asked the questions of a campaign: it is a call of the campaign, or a
// recipient called back and was asked what was left open.
const sqlAskedFor = `(campaign_id = @campaign_id or exists (
	select from recipient r where r.id = call.resumes_recipient_id and r.campaign_id = @campaign_id))`

// sqlNumberPart is the condition of Filter.NumberPart.
const sqlNumberPart = `person_number like any(@number_likes)`

// sqlVersion is the condition that a call follows the version of Filter.AgentVersion.
const sqlVersion = `agent_version_id = (
	select v.id from agent_version v where v.agent_id = @agent_id and v.number = @agent_version)`

// sqlCounted is the condition of Filter.Placed.
var sqlCounted = `(direction = 'inbound' or asked_at is not null
	and (ended_reason = any(` + sqlNotPlaced + `)) is not true)`

func (f Filter) check() error {
	var p fault.Problems
	fault.OneOf(&p, "status", f.Statuses, Statuses)
	fault.OneOf(&p, "outcome", f.Outcomes, Outcomes)
	fault.OneOf(&p, "intent", f.Intents, conversation.Intents)
	fault.OneOf(&p, "answered_by", f.AnsweredBy, Answerers)
	if f.Direction != "" {
		fault.OneOf(&p, "direction", []Direction{f.Direction}, Directions)
	}
	if f.AgentVersion != nil && f.AgentID == nil {
		p.Addf("agent_version", "needs agent_id")
	}
	check.Line(&p, "external_id", new(f.ExternalID), maxExternalID)
	f.Metadata.Check(&p, "metadata")
	f.Answers.Check(&p, "answers")
	if f.MinDuration < 0 {
		p.Addf("min_duration", "must not be negative")
	}
	p.Also(f.CheckQuery())
	return p.Err()
}

// indexCondition is a condition that an index serves in the order of the list. It has one
// part for each value.
type indexCondition []string

// sql is the condition for calls that are found by another index.
func (c indexCondition) sql() string { return "(" + strings.Join(c, " or ") + ")" }

// query returns a filter as SQL: conditions that an index serves in the order of the list,
// the most selective ones first, and conditions that are checked call by call.
func (f Filter) query(args pgx.NamedArgs) (indexed []indexCondition, looked []string) {
	var outcomes indexCondition
	for _, condition := range page.Equal(args, "outcome", f.indexedOutcomes()) {
		outcomes = append(outcomes, "ended_at is not null and "+condition) // as in the indexes by outcome
	}
	intents := indexCondition(page.Equal(args, "intent", f.Intents))
	if f.RecipientID != nil {
		args["recipient_id"] = f.RecipientID
		indexed = append(indexed, sqlOfRecipient)
	}
	if f.ExternalID != "" {
		args["external_id"] = f.ExternalID
		indexed = append(indexed, indexCondition{"external_id = @external_id"})
	}
	if f.PersonNumber != "" {
		args["person_number"] = f.PersonNumber
		indexed = append(indexed, indexCondition{"person_number = @person_number"})
	}
	if f.numbers != nil {
		found := indexCondition{"false"}
		if len(f.numbers) > 0 {
			found = page.Equal(args, "person_number", f.numbers)
		}
		indexed = append(indexed, found)
	} else if len(f.NumberPart) > 0 {
		looked, args["number_likes"] = append(looked, sqlNumberPart), f.NumberPart.Likes()
	}
	if f.CampaignID != nil {
		args["campaign_id"] = f.CampaignID
		if len(outcomes) == 0 && len(intents) == 0 {
			outcomes = indexCondition{"true"}
		}
		// Indexes have the calls of a campaign by outcome and by intent.
		of := "campaign_id = @campaign_id"
		if len(f.Answers) > 0 { // a recipient who calls back answers what the campaign asks
			of = sqlAskedFor
		}
		for _, conditions := range []indexCondition{outcomes, intents} {
			for i, condition := range conditions {
				conditions[i] = of + " and " + condition
			}
		}
	}
	if f.NoCampaign {
		indexed = append(indexed, indexCondition{"campaign_id is null"})
	}
	for _, conditions := range []indexCondition{intents, outcomes} {
		if len(conditions) > 0 {
			indexed = append(indexed, conditions)
		}
	}
	if f.PhoneNumberID != nil {
		indexed = append(indexed, indexCondition{"phone_number_id = @phone_number_id"})
		args["phone_number_id"] = f.PhoneNumberID
	}
	if f.AgentID != nil {
		indexed, args["agent_id"] = append(indexed, indexCondition{"agent_id = @agent_id"}), f.AgentID
	}
	if f.ProjectID != nil {
		indexed, args["project_id"] = append(indexed, indexCondition{"project_id = @project_id"}), f.ProjectID
	}
	if f.Placed {
		looked = append(looked, sqlCounted)
	}
	if f.AgentVersion != nil {
		looked = append(looked, sqlVersion)
		args["agent_version"] = f.AgentVersion
	}
	if f.Direction != "" {
		looked, args["direction"] = append(looked, "direction = @direction"), f.Direction
	}
	if len(f.AnsweredBy) > 0 {
		looked, args["answered_by"] = append(looked, "answered_by = any(@answered_by)"), f.AnsweredBy
	}
	if f.MinDuration > 0 {
		looked, args["min_duration"] = append(looked, "ended_at - answered_at >= @min_duration"), f.MinDuration
	}
	if len(f.Statuses) > 0 {
		looked, args["statuses"] = append(looked, "status = any(@statuses)"), f.Statuses
	}
	looked = append(looked, f.Times.sql(args, "")...)
	looked = append(looked, f.reviewSQL(args, "call.")...)
	looked = append(looked, page.Has(args, "metadata", "metadata", f.Metadata)...)
	for _, c := range answerConditions(args, sqlAnswers, f.Answers, f.asked()) {
		looked = append(looked, "("+c.analysis+")")
	}
	return indexed, looked
}

// unended reports whether no call that has ended passes the filter.
func (f Filter) unended() bool {
	return f.Live || len(f.Statuses) > 0 && !slices.ContainsFunc(f.Statuses, Status.Terminal)
}

// indexedOutcomes returns the outcomes of the filter's calls. A status that implies one outcome can
// use the index of that outcome.
func (f Filter) indexedOutcomes() []Outcome {
	if len(f.Outcomes) > 0 {
		return f.Outcomes
	}
	var same []Outcome
	for _, status := range f.Statuses {
		outcome := Outcome(status)
		if outcome == OutcomeCompleted || !slices.Contains(Outcomes, outcome) {
			return nil
		}
		same = append(same, outcome)
	}
	return same
}

// List returns a page of the organization's calls, newest first, or of its scheduled calls alone, the
// earliest first. If few calls pass the filter, it searches for half a second at most. The page may then
// be shorter than its limit, even empty, although more calls follow. Errors: Invalid.
func (s *Service) List(ctx context.Context, organization uuid.UUID, f Filter) (page.List[Call], error) {
	none := page.List[Call]{Data: []Call{}}
	if err := f.check(); err != nil {
		return none, err
	}
	of, err := ReadAnswers(ctx, s.pool, organization, f.asked(), f.Answers)
	if err != nil {
		return none, err
	}
	f.Answers = of
	if f, err = s.findNumbers(ctx, organization, f); err != nil {
		return none, err
	}
	args := pgx.NamedArgs{"organization_id": organization, "scanned": s.scanned}
	also, only := f.scheduled()
	if only {
		return s.listScheduled(ctx, f, args)
	}
	bounded, some, err := s.bounded(ctx, organization, f.Request, f.Times)
	if err != nil {
		return none, err
	}
	f.Request = bounded
	if err := f.Args(args); err != nil || !some {
		return none, err
	}
	list, err := s.list(ctx, organization, f, args)
	if err != nil || !also {
		return list, err
	}
	return s.addScheduled(ctx, f, list, args)
}

// list returns a page of the calls that are not scheduled.
func (s *Service) list(
	ctx context.Context, organization uuid.UUID, f Filter, args pgx.NamedArgs,
) (page.List[Call], error) {
	if f.Query != "" {
		return s.search(ctx, organization, f, args)
	}
	// The walks of a filter move the position of the page.
	args = maps.Clone(args)
	if f.unended() {
		return s.listLive(ctx, f, args)
	}
	indexed, looked := f.query(args)
	if !f.UpdatedAfter.IsZero() {
		if list, ok, err := s.listUpdated(ctx, f, indexed, looked, args); ok || err != nil {
			return list, err
		}
	}
	if len(indexed) > 1 || len(looked) > 0 {
		return s.filteredList(ctx, f, indexed, looked, args)
	}
	calls, err := s.collect(ctx, f.walk(columns, page.Order, indexed...), args)
	if err != nil {
		return page.List[Call]{Data: []Call{}}, err
	}
	return page.Cut(f.Request, calls, key), nil
}

// walk returns a statement that selects columns of the calls of a page along the indexes that serve
// the conditions. order ends with a limit.
func (f Filter) walk(columns, order string, indexed ...indexCondition) string {
	query := `select ` + columns + ` from call where organization_id = @organization_id and ` + page.Where
	either := make([][]string, len(indexed))
	for i, conditions := range indexed {
		either[i] = conditions
	}
	return page.Merge(query, order, either...)
}

// listLive lists live calls. An organization has few live calls, so no index needs to give the
// order. Each direction has its own index of the calls that are not settled.
func (s *Service) listLive(ctx context.Context, f Filter, args pgx.NamedArgs) (page.List[Call], error) {
	if len(f.Outcomes) > 0 || len(f.Intents) > 0 {
		return page.List[Call]{Data: []Call{}}, nil // live calls have neither an outcome nor an intent
	}
	indexed, looked := f.query(args)
	for _, condition := range indexed {
		looked = append(looked, condition.sql())
	}
	calls, err := s.collect(ctx, `
		with live as materialized (
			select * from call
			where organization_id = @organization_id and ended_at is null and direction = 'outbound'
			union all
			select * from call
			where organization_id = @organization_id and ended_at is null and direction = 'inbound'
			  and settled_at is null
		)
		select `+columns+` from live call
		where `+strings.Join(append(looked, page.Where), " and ")+` `+page.Order, args)
	if err != nil {
		return page.List[Call]{Data: []Call{}}, err
	}
	return page.Cut(f.Request, calls, key), nil
}

func (s *Service) collect(ctx context.Context, sql string, args pgx.NamedArgs) ([]Call, error) {
	calls, err := postgres.Collect(ctx, s.pool, pgx.RowToStructByName[Call], sql, args)
	if err != nil {
		return nil, fmt.Errorf("list calls: %w", err)
	}
	return calls, nil
}

func key(c Call) (time.Time, uuid.UUID) { return c.CreatedAt, c.ID }

// IDs returns the IDs of calls, in their order.
func IDs(calls []Call) []uuid.UUID { return page.IDs(calls, func(c Call) uuid.UUID { return c.ID }) }

// Get returns a call of the organization with its turns so far. Errors: NotFound.
func (s *Service) Get(ctx context.Context, organization, id uuid.UUID) (Call, []Turn, error) {
	c, turns, err := s.get(ctx, organization, id)
	if fault.KindOf(err) != fault.NotFound {
		return c, turns, err
	}
	found, other := Scheduled(ctx, s.pool, organization, []uuid.UUID{id})
	switch {
	case other != nil:
		return Call{}, nil, other
	case len(found) > 0:
		return found[0], nil, nil
	}
	return s.get(ctx, organization, id) // it may have been claimed between the two reads
}

// get returns a call that is not scheduled.
func (s *Service) get(ctx context.Context, organization, id uuid.UUID) (Call, []Turn, error) {
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

// Some returns the calls with these IDs. It leaves out calls that the organization does not have.
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

// LastWords returns the last words of calls that anybody said. A call without a word is not in it.
func (s *Service) LastWords(ctx context.Context, organization uuid.UUID, ids []uuid.UUID) (map[uuid.UUID]Turn, error) {
	last := make(map[uuid.UUID]Turn, len(ids))
	if len(ids) == 0 {
		return last, nil
	}
	type turnOf struct {
		CallID uuid.UUID
		Turn
	}
	turns, err := postgres.Collect(ctx, s.pool, pgx.RowToStructByName[turnOf], `
		select t.* from unnest($2::uuid[]) id
		cross join lateral (
			select call_id, `+turnColumns+` from call_turn
			where organization_id = $1 and call_id = id and role in ('agent', 'recipient')
			order by index desc limit 1
		) t`, organization, ids)
	if err != nil {
		return nil, fmt.Errorf("read the last words of %d calls: %w", len(ids), err)
	}
	for _, t := range turns {
		last[t.CallID] = t.Turn
	}
	return last, nil
}

// Attempts returns the calls to one recipient, and those in which the recipient called and was asked what was left
// open, newest first.
func (s *Service) Attempts(ctx context.Context, organization, recipient uuid.UUID) ([]Call, error) {
	return s.collect(ctx, `
		select `+columns+` from (
			select * from call where recipient_id = @recipient_id
			union all
			select * from call where resumes_recipient_id = @recipient_id
		) call
		where organization_id = @organization_id
		order by created_at desc, attempt desc
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

// Person is somebody who was called.
type Person struct{ Number, Name string }

// recentCalls is how many calls LastCalledFrom reads.
const recentCalls = 50

// LastCalledFrom returns who was called last from a phone number, newest first, each once. It looks at the last calls
// only.
func (s *Service) LastCalledFrom(
	ctx context.Context, organizationID, phoneNumberID uuid.UUID, limit int,
) ([]Person, error) {
	people, err := postgres.Collect(ctx, s.pool, pgx.RowToStructByName[Person], `
		select number, name
		from (
			select distinct on (person_number) person_number as number, recipient_name as name, created_at
			from (
				select person_number, recipient_name, created_at from call
				where organization_id = @organization_id and phone_number_id = @phone_number_id
				  and direction = 'outbound'
				order by created_at desc, id desc
				limit @recent) recent
			where person_number <> ''
			order by person_number, created_at desc) each_once
		order by created_at desc
		limit @limit`, pgx.NamedArgs{
		"organization_id": organizationID, "phone_number_id": phoneNumberID, "recent": recentCalls, "limit": limit,
	})
	if err != nil {
		return nil, fmt.Errorf("list who was called from a phone number: %w", err)
	}
	return people, nil
}
