package call

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/postgres"
)

// ResultFilter selects the settled calls whose results are summed: those of a campaign, of an agent, or both.
type ResultFilter struct {
	CampaignID, AgentID *uuid.UUID
	AgentVersion        *int        // nil: all versions, and the draft
	Answers             check.Pairs // each of these, as in Filter; needs a campaign or an agent
	// From and To are midnights of the organization: the first day, and the one after the last. Zero: no bound.
	From, To time.Time
}

// Results are the results of settled calls. Calls in which recipients of a campaign called back count with their
// answers only.
type Results struct {
	Outcomes  map[Outcome]int
	Intents   map[conversation.Intent]int
	Attempts  []AttemptResult // in order
	Asked     int             // calls that asked at least one question
	Completed int             // calls in which all required questions were answered
	Questions []QuestionResult
	Versions  []int // numbers of the versions that calls followed, the newest first
	Limited   bool  // more calls may have the answers of the filter than it looks at
}

// AttemptResult is how many first, second and later calls to recipients a person answered.
type AttemptResult struct{ Attempt, Placed, Reached int }

// Calls is the number of calls with an outcome.
func (r Results) Calls() (n int) {
	for _, calls := range r.Outcomes {
		n += calls
	}
	return n
}

// Reached is the number of outbound calls that a person answered.
func (r Results) Reached() (n int) {
	for _, a := range r.Attempts {
		n += a.Reached
	}
	return n
}

// Placed is the number of outbound calls that were placed.
func (r Results) Placed() (n int) {
	for _, a := range r.Attempts {
		n += a.Placed
	}
	return n
}

// QuestionResult is what calls answered to a question.
type QuestionResult struct {
	conversation.Question // as the newest version asks it; of a question that no recent version has, the key alone

	Asked    int
	Answered int
	Mean     *float64 // of a number
	Bars     []Bar    // in order; empty for answers that are told apart only by their text
	Texts    []TextAnswer

	counts map[string]int // calls by value
}

// AlignBars gives a question the same bars in all results that have it, so that they can be compared bar by bar.
func AlignBars(results ...*Results) {
	type id struct {
		key    string
		expect conversation.Expect
	}
	all := map[id][]*QuestionResult{}
	for _, r := range results {
		for i, q := range r.Questions {
			at := id{q.Key, q.Expect}
			all[at] = append(all[at], &r.Questions[i])
		}
	}
	for _, same := range all {
		asked, values := same[0].Question, map[string]int{}
		asked.Options = slices.Clone(asked.Options)
		for _, q := range same {
			for value := range q.counts {
				values[value] = 0
			}
			for _, option := range q.Options {
				if !slices.Contains(asked.Options, option) {
					asked.Options = append(asked.Options, option)
				}
			}
		}
		for _, q := range same {
			counts := maps.Clone(values)
			maps.Copy(counts, q.counts)
			q.Bars = barsOf(asked, counts)
		}
	}
}

// TextAnswer is an answer that is not counted by its value.
type TextAnswer struct {
	CallID uuid.UUID
	At     time.Time // when the call was queued
	Text   string
}

// resultVersions is how many versions of an agent the questions are read from, and latestTexts how many texts are read
// for each question.
const (
	resultVersions = 5
	latestTexts    = 5
)

// resultRow is a sum over rows of result_day.
type resultRow struct {
	Kind, Key string
	Value     *string
	Calls     int
	Number    float64
}

// sql returns the condition of result_day and the arguments.
func (f ResultFilter) sql(organizationID uuid.UUID) (string, pgx.NamedArgs) {
	args := pgx.NamedArgs{
		"organization_id": organizationID, "campaign_id": f.CampaignID, "agent_id": f.AgentID,
		"agent_version": f.AgentVersion, "from": day(f.From), "to": day(f.To),
	}
	where := `organization_id = @organization_id`
	if f.CampaignID != nil {
		where += ` and campaign_id = @campaign_id`
	}
	if f.AgentID != nil {
		where += ` and agent_id = @agent_id`
	}
	if f.AgentVersion != nil {
		where += ` and version_id in (select id from agent_version v
			where v.organization_id = @organization_id and v.agent_id = r.agent_id and v.number = @agent_version)`
	}
	if !f.From.IsZero() {
		where += ` and day >= @from::date`
	}
	if !f.To.IsZero() {
		where += ` and day < @to::date`
	}
	return where, args
}

func day(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	return new(t.Format(time.DateOnly))
}

// Results reads the results of a campaign or an agent. It reads a few rows per version, day and question, however many
// calls there are, and with Answers the latest calls with the answers. A campaign or an agent of another organization
// has none. Errors: Invalid for Answers.
func (s *Service) Results(ctx context.Context, organizationID uuid.UUID, f ResultFilter) (Results, error) {
	questions, from, err := s.resultSource(ctx, organizationID, f)
	if err != nil {
		return Results{}, err
	}
	r, err := s.sums(ctx, organizationID, f, from, questions)
	if err != nil {
		return Results{}, err
	}
	r.Limited = from.limited
	return r, s.addTexts(ctx, organizationID, f, from, r.Questions)
}

func (s *Service) sums(
	ctx context.Context, organizationID uuid.UUID, f ResultFilter, from resultSource,
	questions []conversation.Question,
) (Results, error) {
	r := newResults()
	var sums []resultRow
	batch := &pgx.Batch{}
	batch.Queue(`
		select kind, key, value, sum(calls)::bigint, sum(number)::float8
		from (`+from.sql+`) r
		group by 1, 2, 3 having sum(calls) > 0`, from.args).Query(func(rows pgx.Rows) (err error) {
		sums, err = pgx.CollectRows(rows, pgx.RowToStructByPos[resultRow])
		return err
	})
	unversioned := f
	unversioned.AgentVersion = nil
	whereAll, args := unversioned.sql(organizationID)
	batch.Queue(`
		select number from agent_version
		where id in (select version_id from result_day r where `+whereAll+`)
		order by number desc`, args).Query(func(rows pgx.Rows) (err error) {
		r.Versions, err = pgx.CollectRows(rows, pgx.RowTo[int])
		return err
	})
	if err := s.pool.SendBatch(ctx, batch).Close(); err != nil {
		return Results{}, fmt.Errorf("read the results of calls: %w", err)
	}
	r.fill(sums, questions)
	return r, nil
}

// fill sorts the sums.
func (r *Results) fill(sums []resultRow, questions []conversation.Question) {
	type id struct{ kind, key string }
	values := map[id][]resultRow{}
	var unknown []id // of questions that no recent version asks
	for _, row := range sums {
		value := ""
		if row.Value != nil {
			value = *row.Value
		}
		switch row.Kind {
		case resultOutcome:
			r.Outcomes[Outcome(value)] = row.Calls
		case resultIntent:
			r.Intents[conversation.Intent(value)] = row.Calls
		case resultAttempt:
			attempt, _ := strconv.Atoi(value)
			r.Attempts = append(r.Attempts, AttemptResult{attempt, row.Calls, int(row.Number)})
		case resultQuestionnaire:
			r.Asked += row.Calls
			if value == "true" {
				r.Completed = row.Calls
			}
		default:
			q := id{row.Kind, row.Key}
			if values[q] == nil {
				unknown = append(unknown, q)
			}
			values[q] = append(values[q], row)
		}
	}
	slices.SortFunc(r.Attempts, func(a, b AttemptResult) int { return a.Attempt - b.Attempt })
	for _, q := range questions {
		at := id{string(q.Expect), q.Key}
		r.Questions = append(r.Questions, resultOf(q, values[at]))
		unknown = slices.DeleteFunc(unknown, func(other id) bool { return other == at })
	}
	slices.SortFunc(unknown, func(a, b id) int {
		return slices.Compare([]string{a.key, a.kind}, []string{b.key, b.kind})
	})
	for _, q := range unknown {
		r.Questions = append(r.Questions,
			resultOf(conversation.Question{Key: q.key, Expect: conversation.Expect(q.kind)}, values[q]))
	}
}

func resultOf(q conversation.Question, rows []resultRow) QuestionResult {
	r := QuestionResult{Question: q}
	sum, counts := 0.0, map[string]int{}
	for _, row := range rows {
		r.Asked += row.Calls
		if row.Value == nil {
			continue
		}
		r.Answered += row.Calls
		sum += row.Number
		counts[*row.Value] = row.Calls
	}
	if q.Expect == conversation.Number && r.Answered > 0 {
		r.Mean = new(sum / float64(r.Answered))
	}
	r.counts = counts
	r.Bars = barsOf(q, counts)
	return r
}

// askedQuestions returns the questions of the latest versions that calls followed, each key once for each kind of
// answer, as the newest version asks it. If latest is not 0, only that many sums of answers are looked at.
func askedQuestions(
	ctx context.Context, db postgres.DB, organizationID uuid.UUID, f ResultFilter, latest int,
) ([]conversation.Question, error) {
	where, args := f.sql(organizationID)
	args["most"] = resultVersions
	if latest > 0 {
		where += ` order by day desc limit @latest`
		args["latest"] = latest
	}
	rows, err := db.Query(ctx, `
		select coalesce(coalesce(v.script, a.script) -> 'questions', '[]')
		from (select distinct agent_id, version_id from (
			select agent_id, version_id from result_day r where `+where+`) r) f
		join agent a on a.id = f.agent_id and a.organization_id = @organization_id
		left join agent_version v on v.id = f.version_id
		order by v.number desc nulls first limit @most`, args)
	if err != nil {
		return nil, fmt.Errorf("read the questions of calls: %w", err)
	}
	var all []conversation.Question
	var text []byte
	_, err = pgx.ForEachRow(rows, []any{&text}, func() error {
		var asked []conversation.Question
		if err := json.Unmarshal(text, &asked); err != nil {
			return err
		}
		for _, q := range asked {
			same := func(o conversation.Question) bool { return o.Key == q.Key && o.Expect == q.Expect }
			if !slices.ContainsFunc(all, same) {
				all = append(all, q)
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read the questions of calls: %w", err)
	}
	return all, nil
}

// addTexts adds the latest answers of questions whose answers are not counted by value.
func (s *Service) addTexts(
	ctx context.Context, organizationID uuid.UUID, f ResultFilter, from resultSource, questions []QuestionResult,
) error {
	var keys []string
	for _, q := range questions {
		if q.Answered > 0 && len(q.Bars) == 0 {
			keys = append(keys, q.Key)
		}
	}
	if len(keys) == 0 {
		return nil
	}
	where, args := f.sql(organizationID)
	args["keys"], args["most"] = keys, latestTexts
	if len(f.Answers) > 0 {
		where += ` and r.call_id = any(@calls)`
		args["calls"] = from.args["calls"]
	}
	rows, err := s.pool.Query(ctx, `
		select t.key, c.id, c.created_at, c.analysis -> 'answers' ->> t.key
		from unnest(@keys::text[]) k (key)
		cross join lateral (
			select r.key, r.call_id, r.created_at from call_answer r
			where `+where+` and r.key = k.key and r.value = ''`+sqlAround+`
			order by r.created_at desc, r.call_id desc limit @most) t
		join call c on c.id = t.call_id and c.organization_id = @organization_id
		where c.analysis -> 'answers' ->> t.key <> ''
		order by t.created_at desc, t.call_id desc`, args)
	if err != nil {
		return fmt.Errorf("read the latest answers: %w", err)
	}
	var key string
	var t TextAnswer
	_, err = pgx.ForEachRow(rows, []any{&key, &t.CallID, &t.At, &t.Text}, func() error {
		at := slices.IndexFunc(questions, func(q QuestionResult) bool { return q.Key == key && len(q.Bars) == 0 })
		questions[at].Texts = append(questions[at].Texts, t)
		return nil
	})
	if err != nil {
		return fmt.Errorf("read the latest answers: %w", err)
	}
	return nil
}

// AnswerKeys returns the keys of the questions that the calls of a campaign or an agent were asked, in the order of
// Results.
func (s *Service) AnswerKeys(ctx context.Context, organizationID uuid.UUID, f ResultFilter) ([]string, error) {
	questions, err := askedQuestions(ctx, s.pool, organizationID, f, 0)
	if err != nil {
		return nil, err
	}
	where, args := f.sql(organizationID)
	others, err := postgres.Collect(ctx, s.pool, pgx.RowTo[string], `
		select distinct key from result_day r where `+where+` and key <> '' order by key`, args)
	if err != nil {
		return nil, fmt.Errorf("read the questions of calls: %w", err)
	}
	var keys []string
	for _, q := range questions {
		others = append(others, q.Key) // the order of others follows that of questions
	}
	order := func(key string) int {
		if i := slices.IndexFunc(questions, func(q conversation.Question) bool { return q.Key == key }); i >= 0 {
			return i
		}
		return len(questions)
	}
	for _, key := range others {
		if !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	slices.SortStableFunc(keys, func(a, b string) int { return order(a) - order(b) })
	return keys, nil
}

// ExportedAnswers returns the keys of the questions that have a column in an export: if its calls are those of one
// campaign or agent, their questions.
func (s *Service) ExportedAnswers(ctx context.Context, organizationID uuid.UUID, f Filter) ([]string, error) {
	if f.CampaignID == nil && f.AgentID == nil {
		return nil, nil
	}
	return s.AnswerKeys(ctx, organizationID, ResultFilter{CampaignID: f.CampaignID, AgentID: f.AgentID})
}
