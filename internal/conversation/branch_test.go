package conversation

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/model"
)

// branching is the clinic's call with branches: who has seen a doctor is not asked about pain, and who has none is
// asked nothing more.
func branching() Script {
	s := checkIn()
	s.Questions[0].Branches = []Branch{
		{AnswerRule: AnswerRule{Answer: new(true)}, GoTo: "follow_up", Say: "Good, {{first_name}}."},
	}
	s.Questions[1].Branches = []Branch{
		{
			AnswerRule: AnswerRule{AtMost: new(0.0)}, GoTo: End,
			Say: "Then we won't disturb you, {{first_name}}. Goodbye.",
		},
	}
	s.Questions[2].Branches = []Branch{
		{AnswerRule: AnswerRule{Options: []string{"Home visit"}}, GoTo: "concerns"},
		{GoTo: End},
	}
	return s
}

func TestBranches(t *testing.T) {
	t.Parallel()
	s, got := play(t, branching(), margaret, false,
		Prompt{Text: "Yes."}, resume{}, Prompt{Text: "A home visit."}, Prompt{Text: "No, that is all."}, Closed{})
	const opening = "agent: Hello Margaret, this is Nora, an automated voice calling for Meridian Home Health. This " +
		"call is recorded. You can press 9 or say stop at any time, and we will not call again. You came home from " +
		"the hospital on Friday. Have you seen your doctor since?\n"
	expect(t, got, opening+`them:  Yes.
[seen_doctor = true]
agent: Good, Margaret. Would you rather have a home visit, or a phone call from a nurse?
agent: Sorry, the line dropped for a moment. `+`Would you rather have a home visit, or a phone call from a nurse?
them:  A home visit.
[follow_up = Home visit]
agent: Thank you. Is there anything you would like the nurse to know?
them:  No, that is all.
[concerns = No, that is all.]
agent! Thank you, Margaret. Take care, and goodbye.
[hang up: completed]
`)
	a := Analyze(s)
	if !a.Successful || !slices.Equal(a.Skipped, []string{"pain"}) ||
		!strings.HasPrefix(a.Summary, "Answered all 3 questions. 1 question did not apply. "+
			"“Have you seen your doctor since?” Yes.") {
		t.Errorf("%v, skipped %q, %q", a.Successful, a.Skipped, a.Summary)
	}
	for name, test := range map[string]struct {
		said    []Input
		last    string
		skipped []string
	}{
		"ends with its text": {
			[]Input{Prompt{Text: "No."}, Prompt{Text: "Zero."}},
			"agent! Then we won't disturb you, Margaret. Goodbye.\n[hang up: completed]\n",
			[]string{"follow_up", "concerns"},
		},
		"ends with the goodbye after any other answer": {
			[]Input{Prompt{Text: "No."}, Prompt{Text: "Three."}, Digit{"2"}},
			"agent! Thank you, Margaret. Take care, and goodbye.\n[hang up: completed]\n", []string{"concerns"},
		},
		"ends without an answer": {
			[]Input{Prompt{Text: "No."}, Prompt{Text: "Three."}, Prompt{Text: "Hm."}, Prompt{Text: "Hm."}},
			"agent! Thank you, Margaret. Take care, and goodbye.\n[hang up: completed]\n", []string{"concerns"},
		},
	} {
		s, got := play(t, branching(), margaret, false, test.said...)
		if !strings.HasSuffix(got, test.last) || !slices.Equal(Analyze(s).Skipped, test.skipped) {
			t.Errorf("%s: skipped %q\n%s", name, Analyze(s).Skipped, got)
		}
	}
}

// A model is told which fields are left. Without it, the agent follows the branches, and says what they say in the
// language of the call.
func TestBranchesWithAModel(t *testing.T) {
	t.Parallel()
	script := branching()
	script.Model = modelCheckIn().Model
	script.Transfer = &TransferSettings{Destinations: []uuid.UUID{desk().ID}, Known: []Destination{desk()}}
	script.Questions[2].Branches[0] = Branch{
		AnswerRule: AnswerRule{Options: []string{"Home visit"}}, DestinationID: new(desk().ID), Say: "One moment.",
	}
	d := newDialog(t, script).hear().answers("", "record_answer", `{"key": "seen_doctor", "value": true}`)
	told := func(want string) {
		t.Helper()
		last := d.state.Dialog.History[len(d.state.Dialog.History)-1].Text
		if last != want {
			t.Errorf("the model is told %s, want %s", last, want)
		}
	}
	told(`{"fields_without_value":["follow_up","concerns"],"recorded":true,"say":"Good, Ada."}`)
	if !strings.Contains(d.state.Script.Model.Instructions, "decide which fields apply") {
		t.Error("the rules say nothing of branches")
	}
	d.answers("", "record_answer", `{"key": "follow_up", "value": "Home visit"}`)
	told(`{"fields_without_value":["concerns"],"recorded":"Home visit","say":"One moment.","transfer_to":"Nurse"}`)
	if d.state.Heard = 1; slices.Contains(Analyze(d.state).Asked, "pain") {
		t.Error("a field that does not apply counts as asked")
	}
	d.step(Unthought{})
	if d.state.open().Key != "concerns" || !slices.Equal(d.state.Skipped(), []string{"pain"}) {
		t.Errorf("asks %q, skipped %q", d.state.open().Key, d.state.Skipped())
	}

	// An optional question that the agent does not ask without its model still leads on.
	script.Questions[1].Required, script.Questions[1].Branches = new(false), []Branch{{GoTo: "concerns"}}
	d = newDialog(t, script).hear().step(Unthought{}).step(Prompt{Text: "No."})
	if d.state.open().Key != "concerns" {
		t.Errorf("asks %q", d.state.open().Key)
	}

	script = bilingual()
	script.Questions[0].Branches = []Branch{
		{GoTo: End, Say: "Bye now.", Says: map[string]string{"es-US": "Hasta luego."}},
	}
	for language, want := range map[string]string{"en-US": "Bye now.", "es-US": "Hasta luego."} {
		s, _ := Start(script, map[string]any{"language": language}, false)
		s.Dialog.Scripted = true
		if s, _ = Step(s, Digit{"1"}); s.Saying != want {
			t.Errorf("%s: says %q", language, s.Saying)
		}
	}
}

// Whatever the branches and the answers: a conversation ends, asks no question twice, and asks each that it did not
// skip. This also holds if processes take over the call, if the recipient hangs up and calls back, and without a model.
func TestEveryPathEnds(t *testing.T) {
	t.Parallel()
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 7))
		script := randomScript(r)
		var p fault.Problems
		if script.Validate("", &p); p.Len() > 0 {
			t.Fatalf("seed %d: %v", seed, p.Err())
		}
		state, _ := Start(script, nil, false)
		asked := map[string]bool{}
		calls := 1
		for steps := 0; !state.Done(); steps++ {
			if steps > 200 {
				t.Fatalf("seed %d: no end", seed)
			}
			state = throughJSON(t, state)
			switch q := state.open(); {
			case state.Phase == Transferring:
				state, _ = Step(state, Untransferred{})
			case state.Phase == Offering:
				state, _ = Step(state, Digit{"2"})
			case state.Dialog != nil && !state.Dialog.Scripted:
				key := script.Questions[r.IntN(len(script.Questions))]
				if r.IntN(3) > 0 && key.Expect == YesNo {
					state, _ = Step(state, Thought{Finish: model.Called, Calls: []model.ToolCall{{
						ID: fmt.Sprint(steps), Name: "record_answer",
						Arguments: fmt.Sprintf(`{"key": %q, "value": %v}`, key.Key, r.IntN(2) == 0),
					}}})
				} else {
					state, _ = Step(state, Unthought{})
				}
			case r.IntN(6) == 0:
				state, _ = Resume(state)
			case r.IntN(12) == 0: // hangs up and calls back
				state, _ = Step(state, Closed{})
				calls++
				state, _ = StartInbound(script, nil, Inbound{Called: true, Answers: state.Answers})
			default:
				if asked[q.Key] && calls == 1 {
					t.Fatalf("seed %d: %s is asked twice", seed, q.Key)
				}
				asked[q.Key] = true
				if slices.Contains(state.Skipped(), q.Key) {
					t.Fatalf("seed %d: %s is asked and skipped", seed, q.Key)
				}
				state, _ = Step(state, randomAnswer(r, q))
			}
		}
		given := map[string]bool{}
		for _, a := range state.Answers {
			if given[a.Key] {
				t.Fatalf("seed %d: %s is answered twice", seed, a.Key)
			}
			given[a.Key] = true
		}
		for _, q := range script.Questions {
			skipped := slices.Contains(state.Skipped(), q.Key)
			if skipped && given[q.Key] {
				t.Fatalf("seed %d: %s is answered and skipped", seed, q.Key)
			}
			if !skipped && !given[q.Key] && state.asks(q) {
				t.Fatalf("seed %d: ended with %s, and %s is open", seed, state.Ending, q.Key)
			}
		}
		if a := Analyze(state); state.Ending != Completed || a.Successful != !slices.ContainsFunc(state.Answers,
			func(a Answer) bool { return a.Value == nil && script.Questions[state.questionAt(a.Key)].IsRequired() }) {
			t.Fatalf("seed %d: %s, %v, %s", seed, state.Ending, a.Successful, a.Summary)
		}
	}
}

func randomScript(r *rand.Rand) Script {
	s := Script{Language: "en-US", Greeting: "Hello."}
	s.Transfer = &TransferSettings{Destinations: []uuid.UUID{desk().ID}, Known: []Destination{desk()}}
	n := 1 + r.IntN(8)
	for i := range n {
		q := Question{Key: fmt.Sprintf("q%d", i), Ask: fmt.Sprintf("Number %d?", i), Required: new(r.IntN(3) > 0)}
		var rules []AnswerRule
		switch q.Expect = []Expect{YesNo, Number, Choice, Text}[r.IntN(4)]; q.Expect {
		case YesNo:
			rules = []AnswerRule{{Answer: new(true)}, {Answer: new(false)}}
		case Number:
			rules = []AnswerRule{{AtMost: new(3.0)}, {AtLeast: new(7.0)}}
		case Choice:
			q.Options = []string{"Red", "Green", "Blue"}
			rules = []AnswerRule{{Options: []string{"Red"}}, {Options: []string{"Green", "Blue"}}}
		}
		for _, rule := range append(rules, AnswerRule{}) {
			b := Branch{AnswerRule: rule}
			switch target := i + 1 + r.IntN(n-i); {
			case r.IntN(2) == 0:
				continue
			case r.IntN(6) == 0:
				b.DestinationID = new(desk().ID)
			case target == n:
				b.GoTo = End
			default:
				b.GoTo = fmt.Sprintf("q%d", target)
			}
			q.Branches = append(q.Branches, b)
		}
		s.Questions = append(s.Questions, q)
	}
	if r.IntN(4) == 0 {
		s.Model = modelCheckIn().Model
	}
	return s
}

func randomAnswer(r *rand.Rand, q Question) Input {
	if r.IntN(6) == 0 {
		return Prompt{Text: "I don't know."}
	}
	switch q.Expect {
	case Number:
		return Prompt{Text: fmt.Sprint(r.IntN(11))}
	case Text:
		return Prompt{Text: "The garden."}
	}
	return Digit{[]string{"1", "2"}[r.IntN(2)]}
}

func TestBranchesAreValidated(t *testing.T) {
	t.Parallel()
	yes := AnswerRule{Answer: new(true)}
	for want, branches := range map[string][]Branch{
		"questions[1].branches[0].go_to: is the key of no question": {{AnswerRule: yes, GoTo: "nobody"}},
		"questions[1].branches[0].go_to: must be a question after this one, so that no question is asked twice": {
			{AnswerRule: yes, GoTo: "b"}},
		`questions[1].branches[0].go_to: must be the key of a later question, or "end", unless the branch has a ` +
			`destination_id`: {{AnswerRule: yes}},
		"questions[1].branches[0].destination_id: is only for a branch without go_to": {
			{AnswerRule: yes, GoTo: End, DestinationID: new(desk().ID)}},
		"questions[1].branches[0].destination_id: must be one of the agent's destinations": {
			{AnswerRule: yes, DestinationID: new(uuid.Max)}},
		"questions[1].branches[0]: must be the last branch, because it is for every answer": {
			{GoTo: End}, {AnswerRule: yes, GoTo: "c"}},
		"questions[1].branches[1].answer: has a branch already, branch 1": {
			{AnswerRule: yes, GoTo: End}, {AnswerRule: yes, GoTo: "c"}},
		"questions[1].branches[0].options: is only for choice": {
			{AnswerRule: AnswerRule{Options: []string{"x"}}, GoTo: End}},
		`questions[1].branches[0].says: must name further languages of the agent, unlike "de"`: {
			{GoTo: End, Says: map[string]string{"de": "Tschüss."}}},
		"": {{AnswerRule: yes, GoTo: "c"}, {DestinationID: new(desk().ID), Say: "One moment."}},
	} {
		s := Script{
			Language: "en-US", Greeting: "Hello.", Transfer: &TransferSettings{Destinations: []uuid.UUID{desk().ID}},
			Questions: []Question{
				{Key: "a", Ask: "A?", Expect: YesNo}, {Key: "b", Ask: "B?", Expect: YesNo, Branches: branches},
				{Key: "c", Ask: "C?", Expect: YesNo},
			},
		}
		var p fault.Problems
		s.Validate("", &p)
		got := ""
		if err := p.Err(); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
	s := Script{Questions: []Question{
		{Key: "a", Branches: []Branch{{AnswerRule: yes, GoTo: "c"}, {GoTo: End}}}, {Key: "b"}, {Key: "c"}, {Key: "d"},
	}}
	if got := s.Reached(); !reflect.DeepEqual(got, []bool{true, false, true, true}) {
		t.Error(got)
	}
}
