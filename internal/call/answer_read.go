package call

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/postgres"
)

// spokenRange matches a range as people write it: 7 to 10, or without its end, 7 to below 10.
var spokenRange = regexp.MustCompile(`(?i)^(\S+)\s+to\s+(below\s+)?(\S+)$`)

// Questions returns the questions that the calls of a campaign or an agent were asked, each key once for each kind of
// answer, as the newest version asks it. Without a campaign and an agent, there are none.
func (s *Service) Questions(
	ctx context.Context, organizationID uuid.UUID, f ResultFilter,
) ([]conversation.Question, error) {
	if f.CampaignID == nil && f.AgentID == nil {
		return nil, nil
	}
	return askedQuestions(ctx, s.pool, organizationID, f, 0)
}

// ReadAnswers returns the values of a filter by answers as Filter.Answers finds them, from values as people write them:
// "7 to 10", or an option in other case. The questions are those of the calls of a campaign or an agent. Without one
// of these, and for keys that nobody asks, values stay as they are. Errors: Invalid for a value that no answer to its
// question can have.
func ReadAnswers(
	ctx context.Context, db postgres.DB, organizationID uuid.UUID, f ResultFilter, pairs check.Pairs,
) (check.Pairs, error) {
	if len(pairs) == 0 || f.CampaignID == nil && f.AgentID == nil {
		return pairs, nil
	}
	questions, err := askedQuestions(ctx, db, organizationID, f, latestResults)
	if err != nil {
		return nil, err
	}
	read := maps.Clone(pairs)
	var p fault.Problems
	for _, key := range slices.Sorted(maps.Keys(pairs)) {
		asked := slices.DeleteFunc(slices.Clone(questions), func(q conversation.Question) bool { return q.Key != key })
		value, problem := readAnswer(asked, pairs[key])
		if problem != "" {
			// Earlier versions may have asked for something else.
			known, err := counted(ctx, db, organizationID, f, key, pairs[key])
			if err != nil {
				return nil, err
			}
			if !known {
				p.Addf("answers["+key+"]", "%s", problem)
			}
			value = pairs[key]
		}
		read[key] = value
	}
	return read, p.Err()
}

// latestResults is how many sums of answers ReadAnswers looks at for the questions, so that it costs the same however
// long a campaign runs. Where the questions of earlier versions are missing, values are taken as they are.
const latestResults = 100

// readAnswer reads a value for the first of the questions with a key that can have it. Otherwise, problem says what the
// answers to the newest one are.
func readAnswer(asked []conversation.Question, value string) (read, problem string) {
	for _, q := range asked {
		if read, ok := readFor(q, value); ok {
			return read, ""
		}
	}
	if len(asked) == 0 {
		return value, ""
	}
	switch asked[0].Expect {
	case conversation.YesNo:
		problem = "must be yes or no"
	case conversation.Number:
		problem = "must be a number, or a range such as 7 to 10"
	case conversation.Choice:
		problem = "must be one of " + strings.Join(asked[0].Options, ", ")
	case conversation.Date:
		problem = "must be a date such as 2026-11-24, or a range such as 2026-11-01 to 2026-11-30"
	case conversation.Time:
		problem = "must be a time such as 14:30, or a range such as 14:00 to 15:30"
	case conversation.Text, conversation.Phone, conversation.Email:
	}
	return value, problem
}

// readFor reads a value for a question. ok is false if no answer to the question can match it.
func readFor(q conversation.Question, value string) (read string, ok bool) {
	value = strings.TrimSpace(value)
	switch q.Expect {
	case conversation.YesNo:
		_, ok = yesNo(value)
		return value, ok
	case conversation.Choice:
		for _, option := range q.Options {
			if strings.EqualFold(check.Straight(option), check.Straight(value)) {
				return option, true
			}
		}
		return value, false
	case conversation.Number:
		return readRange(value, plainNumber)
	case conversation.Date, conversation.Time:
		read, ok = readRange(value, isoTime)
		length := len("2006-01-02")
		if q.Expect == conversation.Time {
			length = len("15:04")
		}
		for _, bound := range strings.Split(strings.ReplaceAll(read, rangeBefore, rangeTo), rangeTo) {
			ok = ok && len(bound) == length
		}
		return read, ok
	case conversation.Text, conversation.Phone, conversation.Email:
	}
	return value, true
}

// readRange reads a value, or two as a range.
func readRange(value string, one *regexp.Regexp) (read string, ok bool) {
	if one.MatchString(value) {
		return value, true
	}
	from, to, before := "", "", false
	if r := answerRange.FindStringSubmatch(value); r != nil {
		from, to, before = strings.TrimSpace(r[1]), strings.TrimSpace(r[3]), r[2] != ""
	} else if r := spokenRange.FindStringSubmatch(value); r != nil {
		from, to, before = r[1], r[3], r[2] != ""
	}
	if !one.MatchString(from) || !one.MatchString(to) {
		return value, false
	}
	if before {
		return from + rangeBefore + to, true
	}
	return from + rangeTo + to, true
}

// yesNo returns the JSON of an answer to a question of yes or no, from how people write it.
func yesNo(value string) (json string, ok bool) {
	switch strings.ToLower(value) {
	case "yes", "true":
		return "true", true
	case "no", "false":
		return "false", true
	}
	return "", false
}

// counted reports whether a call has an answer with exactly this value.
func counted(
	ctx context.Context, db postgres.DB, organizationID uuid.UUID, f ResultFilter, key, value string,
) (found bool, err error) {
	where, args := f.sql(organizationID)
	args["key"], args["value"] = key, value
	err = db.QueryRow(ctx, `
		select exists (select from result_day r where `+where+` and key = @key and value = @value)`, args).Scan(&found)
	if err != nil {
		return false, fmt.Errorf("read the answers of calls: %w", err)
	}
	return found, nil
}
