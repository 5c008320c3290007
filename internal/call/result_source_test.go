package call

import (
	"maps"
	"testing"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/fault"
)

// Results of the calls with an answer count those calls alone, and each bar finds its calls with the same filter.
func TestResultsOfCallsWithAnAnswer(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.exec(`update agent set script = $1`, survey)
	asked := []string{"satisfied", "score", "visit"}
	w.answer("+12025550190", map[string]any{"satisfied": true, "score": 9, "visit": "Evening"}, asked...)
	w.answer("+12025550191", map[string]any{"satisfied": false, "score": 4, "visit": "Evening"}, asked...)
	w.answer("+12025550192", map[string]any{"satisfied": true, "score": 7, "visit": "Morning"}, asked...)
	w.answer("+12025550193", map[string]any{"satisfied": true}, asked...)
	w.ended("+12025550194", carrier.NoAnswer)
	for _, c := range []struct {
		answers check.Pairs
		calls   int
		want    string
	}{
		{check.Pairs{"satisfied": "yes"}, 3, "satisfied 3 of 3, true 3\nscore 2 of 3 mean 8, 7 1, 9 1\n" +
			"visit 2 of 3, Morning 1, Evening 1"},
		{check.Pairs{"satisfied": "yes", "score": "8 to 10"}, 1, "satisfied 1 of 1, true 1\n" +
			"score 1 of 1 mean 9, 9 1\nvisit 1 of 1, Evening 1"},
		{check.Pairs{"visit": "evening"}, 2, "satisfied 2 of 2, true 1, false 1\n" +
			"score 2 of 2 mean 6.5, 4 1, 9 1\nvisit 2 of 2, Evening 2"},
		{check.Pairs{"score": "0..1"}, 0, ""},
	} {
		f := ResultFilter{AgentID: &w.claim.AgentID, Answers: c.answers}
		r := w.results(f)
		for i := range r.Questions { // questions that nobody was asked are of no interest here
			if r.Questions[i].Asked == 0 {
				r.Questions = r.Questions[:i]
				break
			}
		}
		if got := answersOf(r); got != c.want || r.Calls() != c.calls || r.Reached() != c.calls || r.Limited {
			t.Errorf("%v: %d calls, %t\n%s\nwant\n%s", c.answers, r.Calls(), r.Limited, got, c.want)
		}
		if r.Outcomes[OutcomeCompleted] != c.calls {
			t.Errorf("%v: %v", c.answers, r.Outcomes)
		}
		for _, q := range r.Questions {
			for _, b := range q.Bars {
				if b.Calls == 0 { // no bar to open
					continue
				}
				pairs := maps.Clone(c.answers)
				pairs[q.Key] = b.Value
				list, err := w.calls.List(t.Context(), w.claim.OrganizationID, Filter{
					AgentID: f.AgentID, Answers: pairs, Placed: true,
				})
				if err != nil || len(list.Data) != b.Calls {
					t.Errorf("%v, %s %s: %d calls, %v, want %d", c.answers, q.Key, b.Value, len(list.Data), err,
						b.Calls)
				}
			}
		}
	}
	_, err := w.calls.Results(t.Context(), w.claim.OrganizationID, ResultFilter{
		AgentID: &w.claim.AgentID, Answers: check.Pairs{"satisfied": "7"},
	})
	if fault.KindOf(err) != fault.Invalid {
		t.Errorf("an answer that no call can have: %v", err)
	}
	other := w.tenant("Other", "+12025550111")
	r, err := w.calls.Results(t.Context(), other.OrganizationID, ResultFilter{
		AgentID: &w.claim.AgentID, Answers: check.Pairs{"satisfied": "true"},
	})
	if err != nil || r.Calls() > 0 {
		t.Errorf("another organization sees %+v, %v", r, err)
	}
}

// Each version has its own results, the newest first and the draft last.
func TestVersionResults(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.exec(`update agent set script = $1`, survey)
	for number, answers := range []map[string]any{
		{"satisfied": false, "score": 2}, {"satisfied": true, "score": 9}, {"satisfied": true, "score": 8},
	} {
		c := w.over("+1202555019" + string(rune('0'+number)))
		if number > 0 {
			id := uuid.New()
			w.exec(`insert into agent_version (id, organization_id, agent_id, number, kind, language, speech, script,
					record_calls, sha256, created_by)
				select $1, organization_id, id, $2, 'scripted', language, '{}', script, false, '', ''
				from agent where id = $3`, id, number, w.claim.AgentID)
			w.exec(`update call set agent_version_id = $2 where id = $1`, c.ID, id)
		}
		w.exec(`update call set
				analysis = jsonb_build_object('status', 'ready', 'successful', true, 'answers', $2::jsonb)
			where id = $1`, c.ID, answers)
		w.settle()
	}
	f := ResultFilter{AgentID: &w.claim.AgentID, AgentVersion: new(1)}
	all, err := w.calls.VersionResults(t.Context(), w.claim.OrganizationID, f)
	if err != nil || len(all) != 3 || *all[0].Version != 2 || *all[1].Version != 1 || all[2].Version != nil {
		t.Fatalf("%+v, %v", all, err)
	}
	for i, mean := range []float64{8, 9, 2} {
		if v := all[i]; v.Calls() != 1 || v.Asked != 1 || v.Completed != 1 || *v.Questions[1].Mean != mean {
			t.Errorf("%+v", v)
		}
	}
	f.Answers = check.Pairs{"satisfied": "true"}
	all, err = w.calls.VersionResults(t.Context(), w.claim.OrganizationID, f)
	if err != nil || len(all) != 2 || *all[1].Version != 1 {
		t.Fatalf("with an answer: %+v, %v", all, err)
	}
}

// A filter by calls that were placed finds those that the sums count.
func TestPlacedCalls(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.ended("+12025550190", carrier.NoAnswer)
	not := w.ended("+12025550191", carrier.NoAnswer)
	w.exec(`update call set ended_reason = 'caller_refused' where id = $1`, not.ID)
	for _, c := range []struct {
		filter Filter
		want   int
	}{
		{Filter{}, 2}, {Filter{Placed: true}, 1}, {Filter{Placed: true, Outcomes: []Outcome{OutcomeNoAnswer}}, 1},
		{Filter{Placed: true, Outcomes: []Outcome{OutcomeFailed}}, 0},
	} {
		list, err := w.calls.List(t.Context(), w.claim.OrganizationID, c.filter)
		if err != nil || len(list.Data) != c.want {
			t.Errorf("%+v: %d calls, %v, want %d", c.filter, len(list.Data), err, c.want)
		}
	}
}

// The value of a bar is narrowed by the filter that it was counted with.
func TestWithin(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ value, filter, want string }{
		{"7", "", "7"}, {"10..<20", "", "10..<20"}, {"7", "5..9", "7"}, {"10..<20", "15..25", "15..<20"},
		{"10..<20", "5..15", "10..15"}, {"10..<20", "5..<15", "10..<15"}, {"10..<20", "9..20", "10..<20"},
		{"10..<20", "100..<200", "100..<20"}, {"1500..<1600", "1523", "1523"}, {"true", "true", "true"},
		{"2026-11-01..2026-11-30", "2026-11-10..2026-12-01", "2026-11-10..2026-11-30"},
		{"09:00..09:59", "09:30..11:00", "09:30..09:59"},
	} {
		if got := Within(c.value, c.filter); got != c.want {
			t.Errorf("%s within %s is %s, want %s", c.value, c.filter, got, c.want)
		}
	}
}
