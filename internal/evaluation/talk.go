package evaluation

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/call/line"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/model"
)

// Turn is an entry of the transcript of a conversation by text.
type Turn struct {
	Role        call.Role `json:"role"` // agent, recipient or system
	Text        string    `json:"text"`
	Interrupted bool      `json:"interrupted"` // of the agent: the recipient heard no more than Text
	// FirstTokenMS is how long the model took for the words of this turn; nil: they are no model's.
	FirstTokenMS *int `json:"first_token_ms"`
}

// ToolUse is a call of a tool that the conversation accepted.
type ToolUse struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
}

// utterance is what the agent says and the recipient has not heard to its end.
type utterance struct {
	Text  string `json:"text"`
	Fixed bool   `json:"fixed,omitempty"` // cannot be interrupted
	Turn  int    `json:"turn"`            // its index in Turns
}

// Talk is a conversation by text. Encoded as JSON, it can be continued elsewhere.
type Talk struct {
	State       conversation.State `json:"state"`
	Turns       []Turn             `json:"turns"`
	Tools       []ToolUse          `json:"tools,omitempty"`
	FirstTokens []int              `json:"first_tokens,omitempty"` // in milliseconds, of each answer of a model
	Agent       int                `json:"agent"`                  // how often the agent spoke

	Unheard  []utterance `json:"unheard,omitempty"`
	OptedOut int         `json:"opted_out,omitempty"` // Agent at the opt-out, plus 1
	HungUp   bool        `json:"hung_up,omitempty"`   // the agent hangs up, so nobody else does
	// Transferred is set when a person has taken the call.
	Transferred bool `json:"transferred,omitempty"`
}

// Mind answers the action Think of a conversation. See [line.Rehearsal.Think].
type Mind func(ctx context.Context, state conversation.State) line.Rehearsed

// Scene is what a conversation by text needs besides its agent.
type Scene struct {
	Mind Mind
	At   time.Time // the time in the recipient's time zone

	// Results are the results of tools of the organization and of send_message, which are not run, by name.
	Results map[string]json.RawMessage
}

// Begin starts a conversation of an agent. Only ctx bounds the time that a model takes.
func (s Scene) Begin(ctx context.Context, script conversation.Script, vars map[string]any, leaveMessage bool) *Talk {
	if script.Model != nil {
		vars["local_time"] = s.At.Format(conversation.LocalTime)
	}
	t := &Talk{Turns: []Turn{}}
	state, actions := conversation.Start(script, vars, leaveMessage)
	s.follow(ctx, t, state, actions)
	return t
}

// Over reports whether nothing that the recipient does has an effect.
func (t *Talk) Over() bool { return t.State.Phase == conversation.Over || t.Transferred }

// Ended returns why the call ended, as its API has it; empty: it goes on.
func (t *Talk) Ended() call.Reason {
	if t.Transferred {
		return call.ReasonTransferred
	}
	if t.State.Ending == "" {
		return ""
	}
	reason, _ := line.ReasonOf(t.State.Ending)
	return reason
}

// Do takes a step of the recipient.
func (s Scene) Do(ctx context.Context, t *Talk, step Step) {
	if t.State.ToTransfer() && step.Action != DeclineTransfer && step.Action != HangUp {
		s.takeTransfer(ctx, t)
	}
	if t.Transferred {
		return
	}
	switch step.Action {
	case Say:
		s.say(ctx, t, step.Text)
	case Interrupt:
		s.interrupt(ctx, t, step.Words)
		s.say(ctx, t, step.Text)
	case Press:
		s.heard(ctx, t)
		for _, key := range step.Text {
			t.add(call.System, "Pressed "+string(key))
			s.step(ctx, t, conversation.Digit{Digit: string(key)})
		}
	case StaySilent:
		s.heard(ctx, t)
		t.add(call.System, "Said nothing")
		s.step(ctx, t, conversation.Silence{})
	case IsVoicemail, Beep:
		s.heard(ctx, t)
		t.add(call.System, map[Action]string{
			IsVoicemail: "Voicemail was detected", Beep: "Voicemail was detected, and its recording runs",
		}[step.Action])
		s.step(ctx, t, conversation.MachineDetected{MessageEnd: step.Action == Beep})
	case DeclineTransfer:
		if s.heard(ctx, t); t.State.ToTransfer() {
			t.add(call.System, t.State.Handed.Name+" did not take the call")
			s.step(ctx, t, conversation.Untransferred{})
		}
	case TakeTransfer: // nothing is being transferred
	case HangUp:
		if s.heard(ctx, t); !t.HungUp {
			t.add(call.System, "The recipient hung up")
		}
		s.step(ctx, t, conversation.Closed{})
	}
}

// takeTransfer lets the person take the call that the agent transfers.
func (s Scene) takeTransfer(ctx context.Context, t *Talk) {
	s.heard(ctx, t)
	t.add(call.System, t.State.Handed.Name+" took the call")
	t.Transferred = true
}

// close ends the call after the last step. Who is being transferred waits for the person.
func (s Scene) close(ctx context.Context, t *Talk) {
	if t.State.ToTransfer() && !t.HungUp && !t.Transferred {
		s.takeTransfer(ctx, t)
	}
	s.heard(ctx, t)
	s.step(ctx, t, conversation.Closed{})
}

func (s Scene) say(ctx context.Context, t *Talk, text string) {
	if conversation.Clean(text) == "" {
		return
	}
	s.heard(ctx, t)
	t.add(call.Recipient, conversation.Clean(text))
	s.step(ctx, t, conversation.Prompt{Text: text, At: s.At})
}

// heard reports everything as played that the agent said.
func (s Scene) heard(ctx context.Context, t *Talk) {
	unheard := t.Unheard
	t.Unheard = nil
	for _, u := range unheard {
		if t.State.Dialog != nil { // a scripted agent need not know
			s.step(ctx, t, conversation.Played{Given: u.Text, Text: u.Text})
		}
	}
}

// interrupt cuts the last words of the agent after some words. What cannot be interrupted is played.
func (s Scene) interrupt(ctx context.Context, t *Talk, after int) {
	n := len(t.Unheard)
	if n == 0 || t.Unheard[n-1].Fixed {
		s.heard(ctx, t)
		return
	}
	last := t.Unheard[n-1]
	t.Unheard = t.Unheard[:n-1]
	s.heard(ctx, t)
	words := strings.Fields(last.Text)
	spoken := strings.Join(words[:min(after, len(words))], " ")
	in := conversation.Interrupted{Spoken: spoken}
	if t.State.Dialog != nil {
		in.Given = last.Text
	}
	if after < len(words) {
		t.Turns[last.Turn].Text, t.Turns[last.Turn].Interrupted = spoken, true
	}
	s.step(ctx, t, in)
}

func (s Scene) step(ctx context.Context, t *Talk, in conversation.Input) {
	state, actions := conversation.Step(t.State.At(s.At), in)
	s.follow(ctx, t, state, actions)
}

// follow carries out the actions of a step, and asks the model until the agent waits for the recipient.
func (s Scene) follow(ctx context.Context, t *Talk, state conversation.State, actions []conversation.Action) {
	t.State = state
	think := false
	for _, action := range actions {
		switch do := action.(type) {
		case conversation.Say:
			t.speak(do.Text, !do.Interruptible, nil)
		case conversation.Flush:
			t.Unheard = nil
		case conversation.RecordAnswer:
			t.add(call.System, "Recorded "+do.Key+": "+Spoken(do.Value))
		case conversation.OptOut:
			t.OptedOut = t.Agent + 1
			t.add(call.System, "Opted out. On a call, the number would now be on the do-not-call list")
		case conversation.Transfer:
			t.add(call.System, "Transfer to "+do.Destination+". On a call, the person there would be dialed")
			t.add(call.System, "The person there hears: “"+do.Briefing+"”")
		case conversation.UsedTool:
			t.add(call.System, "Used the tool "+do.Name)
		case conversation.Note:
			t.add(call.System, do.Text)
		case conversation.Press:
			t.add(call.System, "The agent pressed "+do.Digits)
		case conversation.HangUp:
			t.HungUp = true
			t.add(call.System, "The agent hung up")
		case conversation.Think:
			think = true
		}
	}
	for open := t.State.OpenCalls(); len(open) > 0; open = t.State.OpenCalls() {
		c := open[0]
		result, from := s.Results[c.Tool], "The test case has its result"
		if result == nil {
			result, from = json.RawMessage(`{"ok":true}`), "The model is told that all is well"
		}
		t.add(call.System, "The tool "+c.Tool+" is not run here. "+from)
		s.step(ctx, t, conversation.ToolAnswered{Number: c.Number, Result: result})
	}
	if !think || !t.State.Awaiting() {
		return
	}
	answer := s.Mind(ctx, t.State)
	for _, text := range answer.Meanwhile {
		t.add(call.System, "Meanwhile the recipient hears: “"+text+"”")
	}
	for _, f := range answer.Failures {
		t.add(call.System, strings.TrimPrefix(f.Connection+": ", ": ")+f.Reason)
	}
	thought, ok := answer.Input.(conversation.Thought)
	if !ok {
		t.add(call.System, "No model answered")
		s.step(ctx, t, answer.Input)
		return
	}
	if other := t.State.Script.Model.FallbackID; other != nil && thought.ConnectionID == *other {
		t.add(call.System, "The fallback connection answered")
	}
	first := int(answer.FirstToken.Milliseconds())
	t.FirstTokens = append(t.FirstTokens, first)
	if thought.Text != "" {
		t.speak(thought.Text, false, &first)
	}
	thought.At = s.At
	s.think(ctx, t, thought)
}

// think passes the answer of a model to the conversation, and notes the tools that were accepted.
func (s Scene) think(ctx context.Context, t *Talk, thought conversation.Thought) {
	state, actions := conversation.Step(t.State.At(s.At), thought)
	for _, c := range thought.Calls {
		result, known := resultOf(state.Dialog.History, c.ID)
		if strings.HasPrefix(result, `{"error":`) || !json.Valid([]byte(c.Arguments)) {
			t.add(call.System, "A call of the tool "+c.Name+" was not valid")
			continue
		}
		t.Tools = append(t.Tools, ToolUse{Name: c.Name, Arguments: json.RawMessage(c.Arguments)})
		if !known && state.Done() { // it ended the conversation, and the conversation dropped the calls after it
			break
		}
	}
	s.follow(ctx, t, state, actions)
}

// resultOf returns the result of a call in the last answer with calls.
func resultOf(history []model.Message, id string) (text string, known bool) {
	for _, m := range slices.Backward(history) {
		switch {
		case m.Role == model.Result && m.CallID == id:
			return m.Text, true
		case len(m.Calls) > 0:
			return "", false
		}
	}
	return "", false
}

func (t *Talk) add(role call.Role, text string) {
	t.Turns = append(t.Turns, Turn{Role: role, Text: text})
}

func (t *Talk) speak(text string, fixed bool, firstToken *int) {
	t.Agent++
	t.Unheard = append(t.Unheard, utterance{Text: text, Fixed: fixed, Turn: len(t.Turns)})
	t.Turns = append(t.Turns, Turn{Role: call.Agent, Text: text, FirstTokenMS: firstToken})
}

// Usage is what the agent's models used.
func (t *Talk) Usage() model.Usage {
	if t.State.Dialog == nil {
		return model.Usage{}
	}
	return t.State.Dialog.Usage
}

// rehearsed is the mind of an agent in production.
func rehearsed(lines *line.Service, organization uuid.UUID) Mind {
	return lines.Rehearse(organization).Think
}
