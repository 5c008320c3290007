package conversation

import (
	"encoding/json"
	"errors"
	"slices"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/model"
)

// Some tools take time: those of the organization, which its own server answers, and
// send_message. Their calls are part of the State until their results are known, so they are on
// disk before they are carried out, and another process that takes over the call carries them
// out again under the same number. The model goes on when all results are there.

// HTTPTool is a tool of an organization, as a call uses it.
type HTTPTool struct {
	ID          uuid.UUID       `json:"id"`
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Parameters  json.RawMessage `json:"parameters"`    // a JSON schema of an object
	Say         string          `json:"say,omitempty"` // while it runs; empty: a filler, if it takes long
}

// OpenCall is a call of a tool whose result is not known yet.
type OpenCall struct {
	// Number counts the calls of tools in this conversation, from 1. It stays the same when the
	// call is repeated.
	Number    int             `json:"number"`
	CallID    string          `json:"call_id"` // as the model named it
	Tool      string          `json:"tool"`
	ToolID    uuid.UUID       `json:"tool_id"`   // the HTTPTool; of send_message, the MessageTemplate
	Arguments json.RawMessage `json:"arguments"` // valid for the tool
}

const (
	maxOpenCalls = 8      // at the same time
	maxResult    = 5000   // bytes of the result of a tool
	maxValues    = 50     // variables from results
	maxLater     = 20     // messages that wait for the result of a tool
	maxToolName  = 64     // characters
	maxArguments = 16_000 // bytes; an answer of answerTokens has less
)

// unavailable is the result of a tool that could not be carried out.
const unavailable = `{"error":"unavailable"}`

// OpenCalls are the calls of tools to carry out. A call that is no longer among them is to be
// canceled.
func (s State) OpenCalls() []OpenCall {
	if !s.modeled() || s.Done() {
		return nil
	}
	return s.Dialog.Open
}

// Values are the variables that the results of tools set, by name.
func (s State) Values() map[string]string {
	if s.Dialog == nil {
		return nil
	}
	return s.Dialog.Values
}

// begin begins a call of a tool that takes time.
func (s *State) begin(call OpenCall) error {
	d := s.Dialog
	if len(d.Open) >= maxOpenCalls {
		return errors.New("too many tools are running")
	}
	d.Open = append(d.Open, call)
	return nil
}

// begin opens a call of a tool of the organization.
func (t HTTPTool) begin(s *State, call model.ToolCall) error {
	if err := CheckArguments(t.Parameters, call.Arguments); err != nil {
		return err
	}
	return s.begin(OpenCall{
		Number: s.Dialog.ToolCalls, CallID: call.ID, Tool: t.Name, ToolID: t.ID,
		Arguments: json.RawMessage(call.Arguments),
	})
}

// toolAnswered processes the result of an open call. A call that is not open has been dropped.
func (s *State) toolAnswered(in ToolAnswered) []Action {
	d := s.Dialog
	if d == nil {
		return nil
	}
	i := slices.IndexFunc(d.Open, func(c OpenCall) bool { return c.Number == in.Number })
	if i < 0 {
		return nil
	}
	call := d.Open[i]
	d.Open = slices.Delete(d.Open, i, i+1)
	result := in.Result
	if len(result) == 0 || len(result) > maxResult || !json.Valid(result) {
		result = json.RawMessage(unavailable)
	}
	for name, value := range in.Values {
		if _, known := d.Values[name]; known || len(d.Values) < maxValues {
			if d.Values == nil {
				d.Values = map[string]string{}
			}
			d.Values[name] = limit(value, maxValue)
		}
	}
	d.History = append(d.History, model.Message{Role: model.Result, CallID: call.CallID, Text: string(result)})
	if len(d.Open) > 0 {
		return nil
	}
	d.History = append(d.History, d.Later...)
	d.Later, d.Cut, d.Rest = nil, false, ""
	if !s.modeled() || s.Phase != Talking && s.Phase != Menu {
		return nil
	}
	return s.think()
}

// add appends a message to the history. While tools run, it waits for their results, which must
// follow their calls.
func (d *Dialog) add(m model.Message) {
	switch {
	case len(d.Open) == 0:
		d.History = append(d.History, m)
	case len(d.Later) < maxLater:
		d.Later = append(d.Later, m)
	}
}

// place returns where in the history a message may be inserted that belongs at an index: not
// between the calls of tools and their results.
func (d *Dialog) place(at int) int {
	at = min(at, len(d.History))
	if at == len(d.History) && len(d.Open) == 0 || at < len(d.History) && d.History[at].Role != model.Result {
		return at
	}
	for at > 0 && d.History[at-1].Role == model.Result {
		at--
	}
	return max(at-1, 0) // before the calls
}
