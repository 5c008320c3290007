package conversation

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

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

// CheckArguments checks the arguments of a call against the schema of the tool. The error is for the
// model.
func CheckArguments(schema json.RawMessage, arguments string) error {
	if len(arguments) > maxArguments {
		return errors.New("the arguments are too long")
	}
	compiled, err := CompileSchema(schema)
	if err != nil { // it was checked when the tool was saved
		return errors.New("the tool has no valid schema")
	}
	given, err := jsonschema.UnmarshalJSON(strings.NewReader(arguments))
	if err != nil {
		return errors.New("the arguments are not valid JSON")
	}
	object, ok := given.(map[string]any)
	if !ok {
		return errors.New("the arguments must be an object")
	}
	var problems []string
	if unknown := unknownArgument(schema, object); unknown != "" {
		problems = append(problems, fmt.Sprintf("there is no argument %q", limit(unknown, maxToolName)))
	}
	if err := compiled.Validate(given); err != nil {
		problems = append(problems, schemaProblem(err))
	}
	if len(problems) > 0 {
		return errors.New(limit(strings.Join(problems, "; "), 500))
	}
	return nil
}

// unknownArgument returns an argument that the schema does not describe, even if the schema does not
// forbid it: models invent arguments. A schema with additionalProperties decides for itself.
func unknownArgument(schema json.RawMessage, given map[string]any) string {
	var described struct {
		Properties           map[string]json.RawMessage `json:"properties"`
		AdditionalProperties json.RawMessage            `json:"additionalProperties"`
		PatternProperties    json.RawMessage            `json:"patternProperties"`
	}
	if json.Unmarshal(schema, &described) != nil || described.AdditionalProperties != nil ||
		described.PatternProperties != nil {
		return ""
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if _, ok := described.Properties[name]; !ok {
			return name
		}
	}
	return ""
}

// schemaProblem says what a schema finds wrong, as a person and a model can correct it.
func schemaProblem(err error) string {
	invalid, ok := errors.AsType[*jsonschema.ValidationError](err)
	if !ok {
		return "the arguments are not valid"
	}
	var all []string
	for _, e := range leaves(invalid) {
		at := strings.Join(e.InstanceLocation, ".")
		switch k := e.ErrorKind.(type) {
		case *kind.Required:
			for _, name := range k.Missing {
				all = append(all, within(at, name)+" is required")
			}
		case *kind.AdditionalProperties:
			for _, name := range k.Properties {
				all = append(all, fmt.Sprintf("there is no argument %q", within(at, name)))
			}
		case *kind.Type:
			all = append(all, fmt.Sprintf("%s must be of the type %s, not %s", at, strings.Join(k.Want, " or "), k.Got))
		case *kind.Format:
			all = append(all, fmt.Sprintf("%s does not have the format %s", at, k.Want))
		default:
			text := e.ErrorKind.LocalizedString(message.NewPrinter(language.English))
			if at != "" {
				text = at + ": " + text
			}
			all = append(all, text)
		}
	}
	return strings.Join(all, "; ")
}

// leaves are the errors that no others explain.
func leaves(e *jsonschema.ValidationError) (all []*jsonschema.ValidationError) {
	if len(e.Causes) == 0 {
		return []*jsonschema.ValidationError{e}
	}
	for _, cause := range e.Causes {
		all = append(all, leaves(cause)...)
	}
	return all
}

// within is the name of a value within another one.
func within(at, name string) string {
	if at == "" {
		return name
	}
	return at + "." + name
}

// schemaAddress stands for the address of a schema, which has none.
const schemaAddress = "tool:///arguments.json"

// CompileSchema compiles a JSON schema of the arguments of a tool. It loads nothing that the schema
// refers to.
func CompileSchema(schema json.RawMessage) (*jsonschema.Schema, error) {
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		return nil, fmt.Errorf("read a schema: %w", err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	c.UseLoader(noLoader{})
	if err := c.AddResource(schemaAddress, document); err != nil {
		return nil, fmt.Errorf("read a schema: %w", err)
	}
	compiled, err := c.Compile(schemaAddress)
	if err != nil {
		return nil, fmt.Errorf("compile a schema: %w", err)
	}
	return compiled, nil
}

// SchemaFault says why CompileSchema refuses a schema: where, and what.
func SchemaFault(err error) string {
	const wrong = "must be a JSON schema"
	if _, ok := errors.AsType[*jsonschema.LoadURLError](err); ok {
		return wrong + " that refers to nothing outside of itself"
	}
	refused, ok := errors.AsType[*jsonschema.SchemaValidationError](err)
	if !ok {
		text := strings.TrimPrefix(err.Error(), "compile a schema: ")
		return limit(wrong+": "+strings.ReplaceAll(text, schemaAddress, ""), 500)
	}
	invalid, ok := errors.AsType[*jsonschema.ValidationError](refused.Err)
	if !ok {
		return wrong
	}
	first := leaves(invalid)[0]
	text := first.ErrorKind.LocalizedString(message.NewPrinter(language.English))
	return limit(wrong+": at /"+strings.Join(first.InstanceLocation, "/")+", "+text, 500)
}

// noLoader keeps schemas from reading files and addresses.
type noLoader struct{}

func (noLoader) Load(string) (any, error) {
	return nil, errors.New("must not refer to other documents")
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
