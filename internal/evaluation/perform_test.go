package evaluation

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/model"
)

// Every kind of check passes and fails, with a scripted agent.
func TestChecks(t *testing.T) {
	t.Parallel()
	s, connectionID := stageOf(t)
	script := agents("en", connectionID)["scripted"]
	content := Content{Recipient: Persona{Steps: []Step{say("Yes."), say("Seven."), say("Nothing.")}}}
	for _, c := range []struct {
		check Check
		want  Verdict
	}{
		{Check{Kind: Said, Value: "(?i)goodbye"}, Pass},
		{Check{Kind: Said, Value: "pizza"}, Fail},
		{Check{Kind: NotSaid, Value: "pizza"}, Pass},
		{Check{Kind: NotSaid, Value: "Robin"}, Fail},
		{Check{Kind: FieldEquals, Name: "coming", Value: "true"}, Pass},
		{Check{Kind: FieldEquals, Name: "rating", Value: "7"}, Pass},
		{Check{Kind: FieldEquals, Name: "rating", Value: "8"}, Fail},
		{Check{Kind: FieldEquals, Name: "other", Value: "8"}, Fail},
		{Check{Kind: FieldPresent, Name: "remark"}, Pass},
		{Check{Kind: FieldPresent, Name: "other"}, Fail},
		{Check{Kind: FieldAbsent, Name: "other"}, Fail}, // nothing collects it
		{Check{Kind: ToolNotCalled, Name: "old_lookup"}, Fail},
		{Check{Kind: FieldAbsent, Name: "remark"}, Fail},
		{Check{Kind: EndedReason, Value: "completed"}, Pass},
		{Check{Kind: EndedReason, Value: "silence"}, Fail},
		{Check{Kind: OptedOut}, Fail},
		{Check{Kind: NotOptedOut}, Pass},
		{Check{Kind: MaxTurns, Value: "4"}, Pass},
		{Check{Kind: MaxTurns, Value: "3"}, Fail},
		{Check{Kind: ToolCalled, Name: "end_call"}, Fail},
		{Check{Kind: ToolNotCalled, Name: "end_call"}, Pass},
		{Check{Kind: FirstTokenP95, Value: "60000"}, Fail},
		{Check{Kind: Judge, Value: `Says "Robin" and "Acme".`, ConnectionID: connectionID.String()}, Pass},
		{Check{Kind: Judge, Value: `Says "pizza".`, ConnectionID: connectionID.String()}, Fail},
		{Check{Kind: Judge, Value: `Is polite.`, ConnectionID: connectionID.String()}, Maybe},
	} {
		content.Checks = []Check{c.check}
		if err := (&CaseInput{Name: "A case", Content: content}).Validate(); err != nil {
			t.Errorf("%+v: %v", c.check, err)
		}
		r, err := s.perform(t.Context(), "Robin", "Acme", script, content)
		if err != nil {
			t.Fatal(err)
		}
		if r.Findings[0].Verdict != c.want || r.Passed() != (c.want == Pass) {
			t.Errorf("%+v: %+v\n%s", c.check, r.Findings[0], transcript(&r))
		}
	}
}

// A model holds the conversation, and its tools and times are checked.
func TestModelAgent(t *testing.T) {
	t.Parallel()
	s, connectionID := stageOf(t)
	script := agents("en", connectionID)["model"]
	content := Content{
		Recipient: Persona{Steps: []Step{say("Yes."), say("Seven."), say("The stairs are steep.")}},
		Checks: []Check{
			{Kind: ToolCalled, Name: "record_answer", Value: `{"key": "rating", "value": 7}`},
			{Kind: ToolNotCalled, Name: "record_answer", Value: `{"key": "rating", "value": 8}`},
			{Kind: ToolCalled, Name: "end_call"},
			{Kind: FieldEquals, Name: "remark", Value: "The stairs are steep."},
			{Kind: EndedReason, Value: "completed"},
			{Kind: FirstTokenP95, Value: "100000"},
		},
	}
	r, err := s.perform(t.Context(), "Robin", "Acme", script, content)
	if err != nil {
		t.Fatal(err)
	}
	if !r.Passed() {
		t.Errorf("%+v", r.Findings)
	}
	if r.InputTokens == 0 || r.OutputTokens == 0 || r.FirstTokenMS == nil {
		t.Errorf("tokens %d, %d, first after %v", r.InputTokens, r.OutputTokens, r.FirstTokenMS)
	}
}

// Who hangs up while the agent transfers the call is not connected. Otherwise the person takes it.
func TestHangUpBeforeATransfer(t *testing.T) {
	t.Parallel()
	s, connectionID := stageOf(t)
	script := agents("en", connectionID)["model with transfers"]
	asks := say(calleeOf("en").WantsHuman)
	for want, steps := range map[call.Reason][]Step{
		call.ReasonHungUp:      {asks, {Action: HangUp}},
		call.ReasonTransferred: {asks},
	} {
		r, err := s.perform(t.Context(), "Robin", "Acme", script, Content{
			Recipient: Persona{Steps: steps}, Checks: []Check{{Kind: ToolCalled, Name: "transfer"}},
		})
		if err != nil {
			t.Fatal(err)
		}
		took := strings.Contains(transcript(&r), "Desk took the call")
		if r.EndedReason != want || took != (want == call.ReasonTransferred) || !r.Passed() {
			t.Errorf("it ended with %s, want %s\n%s", r.EndedReason, want, transcript(&r))
		}
	}
}

// An interruption leaves only the words that were heard, in the transcript and in what the model sees.
func TestInterruption(t *testing.T) {
	t.Parallel()
	s, connectionID := stageOf(t)
	for kind, script := range agents("en", connectionID) {
		scene := Scene{Mind: rehearsed(s.lines, s.organization), At: s.now()}
		talk := scene.Begin(t.Context(), script, map[string]any{}, false)
		scene.Do(t.Context(), talk, Step{Action: Interrupt, Words: 1, Text: "Yes."})
		i := slices.IndexFunc(talk.Turns, func(turn Turn) bool { return turn.Interrupted })
		if i < 0 || len(strings.Fields(talk.Turns[i].Text)) != 1 {
			t.Fatalf("%s: %+v", kind, talk.Turns)
		}
		if script.Model == nil {
			continue
		}
		cut := talk.Turns[i].Text + " —"
		if !slices.ContainsFunc(talk.State.Request().Messages, func(m model.Message) bool { return m.Text == cut }) {
			t.Errorf("%s: the model does not see %q: %+v", kind, cut, talk.State.Request().Messages)
		}
	}
}

// A conversation continues after it was stored.
func TestTalkIsStored(t *testing.T) {
	t.Parallel()
	s, connectionID := stageOf(t)
	script := agents("en", connectionID)["model"]
	scene := Scene{Mind: rehearsed(s.lines, s.organization), At: s.now()}
	talk := scene.Begin(t.Context(), script, map[string]any{}, false)
	for _, step := range []Step{say("Yes."), say("Seven."), say("Nice.")} {
		text, err := json.Marshal(talk)
		if err != nil {
			t.Fatal(err)
		}
		talk = &Talk{}
		if err := json.Unmarshal(text, talk); err != nil {
			t.Fatal(err)
		}
		scene.Do(t.Context(), talk, step)
	}
	if talk.Ended() != call.ReasonCompleted || len(talk.State.Answers) != 3 {
		t.Errorf("ended with %q, %d answers", talk.Ended(), len(talk.State.Answers))
	}
}

// A model plays the recipient, and says the facts of its persona.
func TestPlayedRecipient(t *testing.T) {
	t.Parallel()
	s, connectionID := stageOf(t)
	script := agents("en", connectionID)["scripted"]
	for i, ask := range []string{"Are you coming on Monday?", "How many stars do you give?", "Anything else?"} {
		script.Questions[i].Ask = ask
	}
	r, err := s.perform(t.Context(), "Robin", "Acme", script, Content{
		Recipient: Persona{Model: &Player{
			Prompt:       "You are Mia.\nmonday: Yes, I am.\nstars: Four.\nelse: The stairs.",
			ConnectionID: connectionID.String(),
		}},
		Checks: []Check{
			{Kind: FieldEquals, Name: "coming", Value: "true"},
			{Kind: FieldEquals, Name: "rating", Value: "4"},
			{Kind: FieldEquals, Name: "remark", Value: "The stairs."},
			{Kind: EndedReason, Value: "completed"},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if !r.Passed() || r.InputTokens == 0 {
		t.Errorf("%+v\n%s", r.Findings, transcript(&r))
	}
}

// A voicemail gets the message only if the case says so.
func TestVoicemailMessage(t *testing.T) {
	t.Parallel()
	s, connectionID := stageOf(t)
	for kind, script := range agents("en", connectionID) {
		for leave, want := range map[bool]call.Reason{
			true: call.ReasonVoicemailMessage, false: call.ReasonVoicemail,
		} {
			script.VoicemailMessage = "Please call us."
			r, err := s.perform(t.Context(), "Robin", "Acme", script, Content{
				Recipient:    Persona{Steps: append(spoken(calleeOf("en").Voicemail[1]), Step{Action: Beep})},
				LeaveMessage: leave,
			})
			if err != nil || r.EndedReason != want {
				t.Errorf("%s, %t: ended with %q, %v", kind, leave, r.EndedReason, err)
			}
			if said := r.said("Please call us"); (said != "") != leave {
				t.Errorf("%s, %t: said %q", kind, leave, said)
			}
		}
	}
}

// A verdict is read however a model wraps it.
func TestVerdict(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Verdict{
		`{"verdict":"pass","reason":"x"}`:           Pass,
		"```json\n{\"verdict\":\"fail\"}\n```":      Fail,
		`{"verdict":"maybe","reason":"x"}`:          Maybe,
		`{"verdict":"PASS"}`:                        Maybe,
		`Yes, it passes.`:                           Maybe,
		`}{`:                                        Maybe,
		`{"verdict":"pass"} and {"verdict":"fail"}`: Maybe,
	} {
		if got, _ := verdictOf(text); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// The errors of a case name its fields.
func TestCaseValidation(t *testing.T) {
	t.Parallel()
	const silent = `{"name": "A", "recipient": {"steps": [{"action": "silence"}]}, "checks": [`
	for _, c := range []struct{ text, want string }{
		{`{"name": " "}`, "name: required"},
		{`{"name": "A", "checks": [{"kind": "opted_out"}]}`, "recipient.steps: required"},
		{
			`{"name": "A", "recipient": {"steps": [{"action": "say"}]}, "checks": []}`,
			"recipient.steps[0].text: required",
		},
		{`{"name": "A", "recipient": {"steps": [{"action": "wave"}]}}`, "recipient.steps[0].action: must be one of"},
		{
			`{"name": "A", "recipient": {"steps": [{"action": "press", "text": "a"}]}}`,
			"recipient.steps[0].text: must be 1 to 20",
		},
		{`{"name": "A", "recipient": {"steps": [{"action": "silence"}]}}`, "checks: at least one is required"},
		{`{"name": "A", "recipient": {"model": {"prompt": "x"}}}`, "recipient.model.connection_id: required"},
		{
			`{"name": "A", "variables": [], "recipient": {"steps": [{"action": "silence"}]}}`,
			"variables:",
		},
		{silent + `{"kind": "said", "value": "("}]}`, "checks[0].value: must be a regular"},
		{silent + `{"kind": "max_turns", "value": "x"}]}`, "checks[0].value: must be a whole"},
		{silent + `{"kind": "tool_called"}]}`, "checks[0].name: required"},
		{silent + `{"kind": "tool_called", "name": "a", "value": "[1]"}]}`, "checks[0].value: must be empty or"},
		{silent + `{"kind": "judge", "value": "x"}]}`, "checks[0].connection_id: required"},
		{
			silent + `{"kind": "ended_reason", "value": "On time!"}]}`,
			"checks[0].value: no conversation ends with this ended_reason",
		},
		{silent + `{"kind": "smell"}]}`, "checks[0].kind: must be one of"},
	} {
		var parsed CaseInput
		if err := json.Unmarshal([]byte(c.text), &parsed); err != nil {
			t.Fatal(err)
		}
		err := parsed.Validate()
		if fault.KindOf(err) != fault.Invalid || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.text, err, c.want)
		}
	}
}
