package conversation

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// A model gets the schemas of its tools with each request, and the schemas of the organization's tools check each call.
// Encoding and compiling them takes longer than the rest of a turn, so they are kept by their whole content: two agents
// never share one that differs, and a changed one is made anew.

// kept keeps values by all that they are made of. It is safe for concurrent use.
type kept[V any] struct {
	mu     sync.RWMutex
	values map[string]V
}

// maxKept bounds the values of one kept. It begins anew after so many, which is cheaper than to know which one was used
// last.
const maxKept = 256

func (k *kept[V]) get(madeOf []byte, fresh func() V) V {
	k.mu.RLock()
	v, ok := k.values[string(madeOf)]
	k.mu.RUnlock()
	if ok {
		return v
	}
	v = fresh()
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.values == nil || len(k.values) >= maxKept {
		k.values = map[string]V{}
	}
	k.values[string(madeOf)] = v
	return v
}

var (
	encodedSchemas  kept[[]byte]         // of the product's tools
	compiledSchemas kept[argumentSchema] // of tools of organizations, by their JSON
)

// schema is the JSON schema of a tool's arguments. Nobody may change its bytes.
func (s State) schema(t tool) []byte {
	all := []string{string(t.name)}
	if t.madeOf != nil {
		all = append(all, t.madeOf(s)...)
	}
	return encodedSchemas.get(unambiguous(all), func() []byte { return schemaOf(t.parameters(s)) })
}

// unambiguous writes a list so that no other list is written the same way.
func unambiguous(all []string) []byte {
	size := 0
	for _, one := range all {
		size += binary.MaxVarintLen16 + len(one)
	}
	b := make([]byte, 0, size)
	for _, one := range all {
		b = append(binary.AppendUvarint(b, uint64(len(one))), one...)
	}
	return b
}

// schemaOf is the JSON schema of an object that has all of the properties and no others.
func schemaOf(properties map[string]any) []byte {
	required := append([]string{}, slices.Sorted(maps.Keys(properties))...) // not nil
	return encoded(map[string]any{
		"type": "object", "properties": properties, "required": required, "additionalProperties": false,
	})
}

// CheckArguments checks the arguments of a call against the schema of the tool. The error is for the
// model.
func CheckArguments(schema json.RawMessage, arguments string) error {
	if len(arguments) > maxArguments {
		return errors.New("the arguments are too long")
	}
	own := compiledSchemas.get(schema, func() argumentSchema { return readArgumentSchema(schema) })
	if own.schema == nil { // it was checked when the tool was saved
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
	if unknown := own.unknown(object); unknown != "" {
		problems = append(problems, fmt.Sprintf("there is no argument %q", limit(unknown, maxToolName)))
	}
	if err := own.schema.Validate(given); err != nil {
		problems = append(problems, schemaProblem(err))
	}
	if len(problems) > 0 {
		return errors.New(limit(strings.Join(problems, "; "), 500))
	}
	return nil
}

// argumentSchema is the schema of an organization's tool, ready for use.
type argumentSchema struct {
	schema *jsonschema.Schema // nil if it is not valid
	named  []string           // the arguments that it describes, in order
	others bool               // it decides itself about others
}

func readArgumentSchema(text json.RawMessage) (own argumentSchema) {
	var described struct {
		Properties           map[string]json.RawMessage `json:"properties"`
		AdditionalProperties json.RawMessage            `json:"additionalProperties"`
		PatternProperties    json.RawMessage            `json:"patternProperties"`
	}
	compiled, err := CompileSchema(text)
	if err != nil {
		return own
	}
	own.schema = compiled
	own.others = json.Unmarshal(text, &described) != nil || described.AdditionalProperties != nil ||
		described.PatternProperties != nil
	own.named = slices.Sorted(maps.Keys(described.Properties))
	return own
}

// unknown returns an argument that the schema does not describe, even if the schema does not forbid it: models invent
// arguments. A schema with additionalProperties decides for itself.
func (a argumentSchema) unknown(given map[string]any) string {
	if a.others {
		return ""
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if _, ok := slices.BinarySearch(a.named, name); !ok {
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
