package call

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/fault"
)

// survey is a script with a question of each kind.
const survey = `{"language": "en-US", "questions": [
	{"key": "satisfied", "ask": "Are you satisfied?", "expect": "yes_no"},
	{"key": "score", "ask": "How likely, from 0 to 10?", "expect": "number", "min": 0, "max": 10},
	{"key": "visit", "ask": "Morning or evening?", "expect": "choice", "options": ["Morning", "Evening"]},
	{"key": "day", "ask": "Which day?", "expect": "date"},
	{"key": "hour", "ask": "When?", "expect": "time"},
	{"key": "wish", "ask": "Anything else?", "expect": "text"}]}`

// answer ends a call in which a person answered, and settles it.
func (w *world) answer(to string, answers map[string]any, asked ...string) Claimed {
	w.tb.Helper()
	c := w.over(to)
	text, err := json.Marshal(conversation.Analysis{
		Status: conversation.Ready, Answers: answers, Asked: asked, Successful: len(answers) == 6,
		Variables: map[string]string{},
	})
	if err != nil {
		w.tb.Fatal(err)
	}
	w.exec(`update call set analysis = $2, transcript_text = 'Agent: Hello' where id = $1`, c.ID, text)
	w.settle()
	return c
}

func (w *world) results(f ResultFilter) Results {
	w.tb.Helper()
	r, err := w.calls.Results(w.tb.Context(), w.claim.OrganizationID, f)
	if err != nil {
		w.tb.Fatal(err)
	}
	return r
}

// answersOf writes the answers of results in one line for each question.
func answersOf(r Results) string {
	var lines []string
	for _, q := range r.Questions {
		line := fmt.Sprintf("%s %d of %d", q.Key, q.Answered, q.Asked)
		if q.Mean != nil {
			line += fmt.Sprintf(" mean %g", *q.Mean)
		}
		for _, b := range q.Bars {
			if b.Calls > 0 {
				line += fmt.Sprintf(", %s %d", b.Value, b.Calls)
			}
		}
		for _, t := range q.Texts {
			line += ", " + t.Text
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// Settled calls count with what they were asked and answered. An erasure takes a person out of the sums, and retention
// leaves them.
func TestResults(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.exec(`update agent set script = $1`, survey)
	day := time.Now().UTC().AddDate(0, 0, 2).Format(time.DateOnly)
	all := []string{"satisfied", "score", "visit", "day", "hour", "wish"}
	w.answer("+12025550190", map[string]any{
		"satisfied": true, "score": 9, "visit": "Evening", "day": day, "hour": "14:30", "wish": "More time",
	}, all...)
	erased := w.answer("+12025550191", map[string]any{"satisfied": false, "score": 4, "visit": nil}, all[:4]...)
	w.answer("+12025550192", map[string]any{
		"satisfied": true, "score": 9, "visit": "Morning", "day": day, "hour": "14:00", "wish": "Nothing",
	}, all...)
	w.answer("+12025550193", map[string]any{})
	w.ended("+12025550194", carrier.NoAnswer)
	f := ResultFilter{AgentID: &w.claim.AgentID}
	is := func(what string, r Results, want string) {
		t.Helper()
		if got := answersOf(r); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", what, got, want)
		}
	}
	r := w.results(f)
	is("all", r, `satisfied 3 of 3, true 2, false 1
score 3 of 3 mean 7.333333333333333, 4 1, 9 2
visit 2 of 3, Morning 1, Evening 1
day 2 of 3, `+day+` 2
hour 2 of 2, 14:00..14:59 2
wish 2 of 2, Nothing, More time`)
	if r.Outcomes[OutcomeCompleted] != 4 || r.Outcomes[OutcomeNoAnswer] != 1 || r.Asked != 3 || r.Completed != 2 ||
		!reflect.DeepEqual(r.Attempts, []AttemptResult{{1, 5, 4}}) || len(r.Versions) != 0 {
		t.Errorf("%+v", r)
	}
	found := func(f Filter) string {
		t.Helper()
		list, err := w.calls.List(t.Context(), w.claim.OrganizationID, f)
		if err != nil {
			t.Fatal(err)
		}
		var numbers []string
		for _, c := range list.Data {
			numbers = append(numbers, c.PersonNumber[len(c.PersonNumber)-1:])
		}
		return strings.Join(numbers, " ")
	}
	// Each bar finds its calls, in the calls of an agent and in all.
	for _, q := range r.Questions {
		for _, b := range q.Bars {
			for _, agent := range []*uuid.UUID{&w.claim.AgentID, nil} {
				got := found(Filter{AgentID: agent, Answers: check.Pairs{q.Key: b.Value}})
				if n := len(strings.Fields(got)); n != b.Calls {
					t.Errorf("%s %s finds %q, want %d calls", q.Key, b.Value, got, b.Calls)
				}
			}
		}
	}
	if got := found(Filter{AgentID: f.AgentID, Answers: check.Pairs{"wish": "Nothing", "score": "8..9"}}); got != "2" {
		t.Errorf("two answers find %q", got)
	}
	// Values are read as people write them, and one that no answer can have is refused.
	for _, c := range []struct{ key, value, want string }{
		{"satisfied", "yes", "2 0"}, {"satisfied", "No", "1"}, {"satisfied", "TRUE", "2 0"},
		{"satisfied", "7", "answers[satisfied]: must be yes or no"},
		{"score", "7 to 10", "2 0"}, {"score", "4 to below 9", "1"},
		{"score", "4 .. 9", "2 1 0"}, {"score", "9", "2 0"},
		{"score", "yes", "answers[score]: must be a number, or a range such as 7 to 10"},
		{"visit", "evening", "0"}, {"visit", "Noon", "answers[visit]: must be one of Morning, Evening"},
		{"day", day + " to " + day, "2 0"},
		{"day", "14:00",
			"answers[day]: must be a date such as 2026-11-24, or a range such as 2026-11-01 to 2026-11-30"},
		{"hour", "14:10 to 15:00", "0"},
		{"hour", day, "answers[hour]: must be a time such as 14:30, or a range such as 14:00 to 15:30"},
		{"wish", "7 to 10", ""}, {"wish", "yes", ""}, {"gone", "7 to 10", ""},
	} {
		of := Filter{AgentID: f.AgentID, Answers: check.Pairs{c.key: c.value}}
		if _, err := w.calls.List(t.Context(), w.claim.OrganizationID, of); err != nil {
			if fields := fault.As(err).Fields; len(fields) != 1 || fields[0].Path+": "+fields[0].Message != c.want {
				t.Errorf("%s %s: %+v, want %s", c.key, c.value, fields, c.want)
			}
		} else if got := found(of); got != c.want {
			t.Errorf("%s %s finds %q, want %q", c.key, c.value, got, c.want)
		}
	}
	if got := found(Filter{Answers: check.Pairs{"satisfied": "Yes"}}); got != "2 0" {
		t.Errorf("yes in all calls finds %q", got)
	}

	left, err := w.calls.Erase(t.Context(), w.claim.OrganizationID, "+12025550191", uuid.New(),
		func(pgx.Tx, int, int) error { return nil })
	if err != nil || left {
		t.Fatalf("left %t, %v", left, err)
	}
	kept := `satisfied 2 of 2, true 2
score 2 of 2 mean 9, 9 2
visit 2 of 2, Morning 1, Evening 1
day 2 of 2, ` + day + ` 2
hour 2 of 2, 14:00..14:59 2`
	is("without "+erased.ID.String(), w.results(f), kept+"\nwish 2 of 2, Nothing, More time")
	if err := Recount(t.Context(), w.db.Pool, w.claim.OrganizationID); err != nil {
		t.Fatal(err)
	}
	is("counted again", w.results(f), kept+"\nwish 2 of 2, Nothing, More time")

	w.exec(`update project set transcript_days = 1`)
	w.exec(`update call set ended_at = ended_at - interval '2 days'`)
	if err := w.calls.Forget(t.Context()); err != nil {
		t.Fatal(err)
	}
	is("after retention", w.results(f), kept+"\nwish 2 of 2")
	if got := found(Filter{AgentID: f.AgentID, Answers: check.Pairs{"satisfied": "true"}}); got != "" {
		t.Errorf("an answer that was removed finds %q", got)
	}
	tomorrow := time.Now().AddDate(0, 0, 2)
	is("another period", w.results(ResultFilter{AgentID: f.AgentID, From: tomorrow}), "")
	other := w.tenant("Other", "+12025550111")
	r, err = w.calls.Results(t.Context(), other.OrganizationID, f)
	if err != nil || r.Calls() > 0 || r.Questions != nil {
		t.Errorf("another organization sees %+v, %v", r, err)
	}
}

// An answer is counted by one of a bounded number of values.
func TestAnswerValue(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, c := range []struct{ kind, answer, want string }{
		{"number", `0`, "0"}, {"number", `7`, "7"}, {"number", `1987`, "1900"}, {"number", `0.125`, "0.12"},
		{"number", `-145`, "-150"}, {"number", `3.75`, "3.7"}, {"date", `"1962-05-01"`, "1962"},
		{"date", `"2026-11-30"`, "2026-11-30"}, {"date", `"2027-11-30"`, "2027"}, {"time", `"14:30"`, "14:00"},
		{"choice", `"Home visit"`, "Home visit"}, {"text", `"Home visit"`, ""}, {"yes_no", `false`, "false"},
	} {
		var got string
		err := w.db.Pool.QueryRow(t.Context(), `select answer_value($1, $2::jsonb, '2026-11-27')`, c.kind, c.answer).
			Scan(&got)
		if err != nil || got != c.want {
			t.Errorf("%s %s is counted as %q, want %q: %v", c.kind, c.answer, got, c.want, err)
		}
	}
}

// Results that are compared have the same bars for a question, whatever was answered to each.
func TestAlignBars(t *testing.T) {
	t.Parallel()
	result := func(q conversation.Question, counts map[string]int) *Results {
		var rows []resultRow
		for value, calls := range counts {
			rows = append(rows, resultRow{Value: &value, Calls: calls})
		}
		return &Results{Questions: []QuestionResult{resultOf(q, rows)}}
	}
	for name, c := range map[string]struct {
		a, b conversation.Question
		x, y map[string]int
		want [2]string
	}{
		"numbers": {
			a: conversation.Question{Key: "n", Expect: conversation.Number},
			b: conversation.Question{Key: "n", Expect: conversation.Number},
			x: map[string]int{"1": 2, "2": 1}, y: map[string]int{"4": 5},
			want: [2]string{"1:2 2:1 3:0 4:0", "1:0 2:0 3:0 4:5"},
		},
		"options of two versions": {
			a: conversation.Question{Key: "n", Expect: conversation.Choice, Options: []string{"Red", "Blue"}},
			b: conversation.Question{Key: "n", Expect: conversation.Choice, Options: []string{"Green", "Red"}},
			x: map[string]int{"Blue": 2}, y: map[string]int{"Green": 1, "Red": 3},
			want: [2]string{"Red:0 Blue:2 Green:0", "Red:3 Blue:0 Green:1"},
		},
		"another kind of answer": {
			a: conversation.Question{Key: "n", Expect: conversation.Number},
			b: conversation.Question{Key: "n", Expect: conversation.YesNo},
			x: map[string]int{"1": 2}, y: map[string]int{"true": 1},
			want: [2]string{"1:2", "true:1 false:0"},
		},
	} {
		a, b := result(c.a, c.x), result(c.b, c.y)
		AlignBars(a, b)
		for i, r := range []*Results{a, b} {
			var all []string
			for _, bar := range r.Questions[0].Bars {
				all = append(all, fmt.Sprintf("%s:%d", bar.Value, bar.Calls))
			}
			if got := strings.Join(all, " "); got != c.want[i] {
				t.Errorf("%s: side %d has %s, want %s", name, i, got, c.want[i])
			}
		}
	}
}

// The ranges of bars cut no value, and there are few of them.
func TestBars(t *testing.T) {
	t.Parallel()
	bars := func(expect conversation.Expect, values ...string) string {
		counts := map[string]int{}
		for _, v := range values {
			counts[v]++
		}
		var all []string
		for _, b := range barsOf(conversation.Question{Expect: expect}, counts) {
			all = append(all, fmt.Sprintf("%s:%d", b.Value, b.Calls))
		}
		return strings.Join(all, " ")
	}
	for _, c := range []struct {
		expect conversation.Expect
		values []string
		want   string
	}{
		{conversation.YesNo, []string{"false"}, "true:0 false:1"},
		{conversation.Number, []string{"3", "3", "5"}, "3:2 4:0 5:1"},
		{
			conversation.Number, []string{"0", "1", "37"},
			"0..<5:2 5..<10:0 10..<15:0 15..<20:0 20..<25:0 25..<30:0 30..<35:0 35..<40:1",
		},
		{conversation.Number, []string{"1500"}, "1500..<1600:1"},
		{conversation.Number, []string{"0.5", "0.52"}, "0.5..<0.51:1 0.51..<0.52:0 0.52..<0.53:1"},
		{conversation.Number, []string{"-150", "-90"}, "-150..<-140:1 -140..<-130:0 -130..<-120:0 -120..<-110:0 " +
			"-110..<-100:0 -100..<-90:0 -90..<-80:1"},
		{conversation.Date, []string{"2026-11-30", "2026-12-02"}, "2026-11-30:1 2026-12-01:0 2026-12-02:1"},
		{
			conversation.Date, []string{"2026-11-29", "2026-12-20"}, "2026-11-23..2026-11-29:1 " +
				"2026-11-30..2026-12-06:0 2026-12-07..2026-12-13:0 2026-12-14..2026-12-20:1",
		},
		{conversation.Date, []string{"1962", "1963"}, "1962-01-01..1962-12-31:1 1963-01-01..1963-12-31:1"},
		{
			conversation.Time, []string{"09:00", "11:00", "11:00"},
			"09:00..09:59:1 10:00..10:59:0 11:00..11:59:2",
		},
		{conversation.Text, []string{""}, ""},
	} {
		if got := bars(c.expect, c.values...); got != c.want {
			t.Errorf("%s %v:\n%s, want\n%s", c.expect, c.values, got, c.want)
		}
	}
}
