package call

import (
	"context"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/check"
)

// answerRange matches a value of Filter.Answers that is a range: 10..19, or without its end, 10..<20.
var answerRange = regexp.MustCompile(`^(.+?)\.\.(<?)(.+)$`)

// plainNumber matches numbers that PostgreSQL reads, and isoTime matches dates and times of answers.
var (
	plainNumber = regexp.MustCompile(`^-?[0-9]{1,15}(\.[0-9]{1,9})?$`)
	isoTime     = regexp.MustCompile(`^(\d{4}-\d{2}-\d{2}|\d{2}:\d{2})$`)
)

// answerCondition is the condition of one key of Filter.Answers.
type answerCondition struct {
	analysis string // SQL, on the answers of an analysis
	value    string // SQL: the values of answer_value that such answers may have
}

// answerConditions returns the conditions of answers in the order of their keys, and adds their arguments to args.
// answers is the SQL of the object with the answers.
func answerConditions(args pgx.NamedArgs, answers string, pairs map[string]string, f ResultFilter) []answerCondition {
	all := make([]answerCondition, 0, len(pairs))
	for i, key := range slices.Sorted(maps.Keys(pairs)) {
		n := strconv.Itoa(i)
		k, from, to := "@answer_key_"+n, "@answer_from_"+n, "@answer_to_"+n
		args[k[1:]] = key
		given := answers + " ->> " + k + "::text"
		r := answerRange.FindStringSubmatch(pairs[key])
		numbers := r != nil && plainNumber.MatchString(r[1]) && plainNumber.MatchString(r[3])
		times := r != nil && isoTime.MatchString(r[1]) && isoTime.MatchString(r[3]) && len(r[1]) == len(r[3])
		if !numbers && !times {
			args[from[1:]] = pairs[key]
			c := answerCondition{
				analysis: `straight_apostrophes(` + given + `) = straight_apostrophes(` + from + `::text)`,
			}
			flag, is := yesNo(pairs[key])
			if is = is && flag != pairs[key]; is {
				args["answer_flag_"+n] = flag
				c.analysis = `(` + c.analysis + ` or jsonb_typeof(` + answers + ` -> ` + k + `::text) = 'boolean'
					and ` + given + ` = @answer_flag_` + n + `::text)`
			}
			c.value = `select unnest(array[` + from + `::text, '', straight_apostrophes(` + from + `::text),
				translate(straight_apostrophes(` + from + `::text), '''', '’'),
				answer_value('time', to_jsonb(` + from + `::text), null),
				answer_value('date', to_jsonb(` + from + `::text), null)`
			if plainNumber.MatchString(pairs[key]) {
				c.value += `, answer_value('number', to_jsonb(` + from + `::numeric), null)`
			}
			if is {
				c.value += `, @answer_flag_` + n + `::text`
			}
			c.value += `])`
			all = append(all, c)
			continue
		}
		args[from[1:]], args[to[1:]] = r[1], r[3]
		before := " <= "
		if r[2] != "" {
			before = " < "
		}
		c := answerCondition{}
		counted := `select value from result_day where organization_id = @organization_id and key = ` + k
		if f.CampaignID != nil {
			counted += ` and campaign_id = @campaign_id`
		} else {
			counted += ` and agent_id = @agent_id`
		}
		if numbers {
			c.analysis = `case when jsonb_typeof(` + answers + ` -> ` + k + `::text) = 'number' then (` + given +
				`)::numeric >= ` + from + `::numeric and (` + given + `)::numeric` + before + to + `::numeric end`
			c.value = counted + ` and case when kind = 'number' then value::numeric between
				answer_value('number', to_jsonb(` + from + `::numeric), null)::numeric and ` + to + `::numeric end`
		} else {
			c.analysis = `(` + given + `) collate "C" >= ` + from + ` and (` + given + `) collate "C"` + before + to
			prefix := len("14")
			if len(r[1]) > len("14:00") {
				prefix = len("2006")
			}
			args[from[1:]+"_begin"] = r[1][:prefix]
			c.value = counted + ` and value collate "C" between ` + from + `_begin and ` + to
		}
		all = append(all, c)
	}
	return all
}

// SQLAnswers returns conditions that a call c has answers, as Filter.Answers. It adds their arguments to args.
func SQLAnswers(args pgx.NamedArgs, pairs map[string]string) string {
	conditions := answerConditions(args, `c.analysis -> 'answers'`, pairs, ResultFilter{})
	parts := make([]string, len(conditions))
	for i, c := range conditions {
		parts[i] = "(" + c.analysis + ")"
	}
	return strings.Join(parts, " and ")
}

// AnswerCondition returns the condition that a call c has answers, as Filter.Answers. It adds its arguments to args. A
// campaign tells the questions. Errors: Invalid.
func (s *Service) AnswerCondition(
	ctx context.Context, organizationID uuid.UUID, campaignID *uuid.UUID, answers check.Pairs, args pgx.NamedArgs,
) (string, error) {
	if err := (Filter{Answers: answers}).check(); err != nil {
		return "", err
	}
	read, err := ReadAnswers(ctx, s.pool, organizationID, ResultFilter{CampaignID: campaignID}, answers)
	if err != nil {
		return "", err
	}
	return SQLAnswers(args, read), nil
}

// asked is the calls whose questions Answers is about.
func (f Filter) asked() ResultFilter {
	return ResultFilter{CampaignID: f.CampaignID, AgentID: f.AgentID}
}

// answered returns the calls with the first of the filter's answers in the order of lists, as SQL: at most @answered
// rows of call_id and call_at. It is empty if no index has them: without an answer, and for calls of no campaign and
// agent.
func (f Filter) answered(args pgx.NamedArgs) string {
	if len(f.Answers) == 0 || f.CampaignID == nil && f.AgentID == nil {
		return ""
	}
	of := `agent_id = @agent_id`
	if f.CampaignID != nil {
		of = `campaign_id = @campaign_id`
	}
	first := answerConditions(args, sqlAnswers, f.Answers, f.asked())[0]
	return `
		select a.call_id, a.call_at
		from (select distinct value from (` + first.value + `) v (value) where value is not null) v
		cross join lateral (
			select call_id, created_at as call_at from call_answer
			where organization_id = @organization_id and ` + of + ` and key = @answer_key_0 and value = v.value
			  and (created_at, call_id) < (@page_at, @page_id)
			  and created_at > @page_after and created_at < @page_before
			order by created_at desc, call_id desc limit @answered) a
		order by call_at desc, call_id desc limit @answered`
}
