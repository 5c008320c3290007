package api

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/legacy"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/dialwright/dialwright/internal/reference"
)

// contract compares answers with the description.
type contract struct {
	doc    *openapi3.T
	router routers.Router

	published *contract // the contract of the published description; nil in that one

	components any // of the description, as JSON

	mu      sync.Mutex
	seen    map[string]bool // the shapes of answers that were tampered with already
	schemas map[*openapi3.Schema]*jsonschema.Schema
}

var theContract = sync.OnceValues(func() (*contract, error) {
	c, err := contractOf(Description)
	if err != nil {
		return nil, err
	}
	published, err := reference.Publish(Description, "/api/v1")
	if err != nil {
		return nil, err
	}
	if c.published, err = contractOf(published.JSON); err != nil {
		return nil, fmt.Errorf("published: %w", err)
	}
	return c, nil
})

func contractOf(description []byte) (*contract, error) {
	loader := openapi3.NewLoader()
	doc, err := loader.LoadFromData(description)
	if err != nil {
		return nil, err
	}
	if err := doc.Validate(context.Background()); err != nil {
		return nil, err
	}
	router, err := legacy.NewRouter(doc)
	if err != nil {
		return nil, err
	}
	openapi3filter.RegisterBodyDecoder("audio/wav", openapi3filter.FileBodyDecoder)
	components, err := plainJSON(doc.Components)
	if err != nil {
		return nil, err
	}
	return &contract{doc: doc, router: router, components: components,
		seen: map[string]bool{}, schemas: map[*openapi3.Schema]*jsonschema.Schema{}}, nil
}

// plainJSON returns a value as a JSON decoder returns it.
func plainJSON(v any) (any, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return jsonschema.UnmarshalJSON(bytes.NewReader(text))
}

func describedAPI(t testing.TB) *contract {
	t.Helper()
	c, err := theContract()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// check fails the test if an answer does not match the description, or if the description
// would also accept a slightly different answer.
func (c *contract) check(t testing.TB, r *http.Request, status int, header http.Header, body []byte) {
	t.Helper()
	if err := c.validate(t, r, status, header, body); err != nil {
		t.Errorf("%s %s, %d: not as described: %v\n%s", r.Method, r.URL.Path, status, err, clip(string(body)))
		return
	}
	route, _, err := c.find(r)
	if err != nil || status == http.StatusNoContent || strings.HasPrefix(header.Get("Content-Type"), "text/csv") ||
		strings.HasPrefix(header.Get("Content-Type"), "audio/") {
		return // validate checked this error completely, or the answer is not JSON
	}
	var answer any
	if err := json.Unmarshal(body, &answer); err != nil {
		t.Errorf("%s %s: %v", r.Method, r.URL.Path, err)
		return
	}
	shape := fmt.Sprint(r.Method, " ", route.Path, " ", status, shapeOf(answer))
	c.mu.Lock()
	seen := c.seen[shape]
	c.seen[shape] = true
	c.mu.Unlock()
	if seen {
		return
	}
	schema := schemaOf(route.Operation, status, header)
	for _, what := range c.passes(t, schema, answer) {
		t.Errorf("%s %s, %d: the description would let pass an answer with %s", r.Method, r.URL.Path, status, what)
	}
	published := schemaOf(c.published.doc.Paths.Value(route.Path).GetOperation(r.Method), status, header)
	if err := c.published.compile(t, published).Validate(answer); err != nil {
		t.Errorf("%s %s, %d: not as published: %v", r.Method, r.URL.Path, status, err)
	}
}

// schemaOf returns the schema of an answer, or nil if none is described.
func schemaOf(o *openapi3.Operation, status int, header http.Header) *openapi3.Schema {
	response := o.Responses.Status(status)
	if response == nil {
		response = o.Responses.Default()
	}
	if response == nil {
		return nil
	}
	content := response.Value.Content.Get(header.Get("Content-Type"))
	if content == nil || content.Schema == nil {
		return nil
	}
	return content.Schema.Value
}

// passes returns the single changes to a value that a schema of the description would
// accept.
func (c *contract) passes(t testing.TB, schema *openapi3.Schema, v any) (changes []string) {
	t.Helper()
	compiled := c.compile(t, schema)
	v = firsts(v)
	if err := compiled.Validate(v); err != nil {
		t.Errorf("the schema refuses the value as it is: %v", err)
	}
	tamper(v, func(what string) {
		if compiled.Validate(v) == nil {
			changes = append(changes, what)
		}
	})
	return changes
}

// compile compiles a schema of the description once. openapi3 compiles a schema again for
// each value, which takes a hundred times as long as the check of the value.
func (c *contract) compile(t testing.TB, schema *openapi3.Schema) *jsonschema.Schema {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	if s := c.schemas[schema]; s != nil {
		return s
	}
	plain, err := plainJSON(schema)
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.DefaultDraft(jsonschema.Draft2020)
	const url = "https://dialwright.example/description.json"
	if err := compiler.AddResource(url, map[string]any{"components": c.components, "schema": plain}); err != nil {
		t.Fatal(err)
	}
	s, err := compiler.Compile(url + "#/schema")
	if err != nil {
		t.Fatal(err)
	}
	c.schemas[schema] = s
	return s
}

// find returns the operation of a request. The library would also match a path with a
// trailing slash, and one without its last parameter.
func (c *contract) find(r *http.Request) (*routers.Route, map[string]string, error) {
	if strings.HasSuffix(r.URL.Path, "/") {
		return nil, nil, routers.ErrPathNotFound
	}
	route, params, err := c.router.FindRoute(r)
	if err == nil && strings.Count("/api/v1"+route.Path, "/") != strings.Count(r.URL.Path, "/") {
		return nil, nil, routers.ErrPathNotFound
	}
	return route, params, err
}

func (c *contract) validate(t testing.TB, r *http.Request, status int, header http.Header, body []byte) error {
	t.Helper()
	route, params, err := c.find(r)
	if err != nil {
		// A path or method outside the description returns only errors.
		if status < 400 {
			return err
		}
		var problem any
		if err := json.Unmarshal(body, &problem); err != nil {
			return err
		}
		return c.compile(t, c.doc.Components.Schemas["Error"].Value).Validate(problem)
	}
	input := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: &openapi3filter.RequestValidationInput{Request: r, PathParams: params, Route: route},
		Status:                 status,
		Header:                 header,
		Body:                   io.NopCloser(bytes.NewReader(body)),
		Options:                &openapi3filter.Options{IncludeResponseStatus: true},
	}
	isJSON := strings.HasPrefix(header.Get("Content-Type"), "application/json")
	input.Options.ExcludeResponseBody = isJSON && len(body) > 0 // compile says why
	err = openapi3filter.ValidateResponse(context.Background(), input)
	if err != nil || !input.Options.ExcludeResponseBody {
		return err
	}
	schema := schemaOf(route.Operation, status, header)
	if schema == nil {
		return fmt.Errorf("the content type %q is not described", header.Get("Content-Type"))
	}
	answer, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		return err
	}
	return c.compile(t, schema).Validate(answer)
}

// firsts copies a value with the first element of each array. Only those are changed, and to check the others after
// each change takes nine tenths of the time.
func firsts(v any) any {
	switch v := v.(type) {
	case []any:
		if len(v) == 0 {
			return v
		}
		return []any{firsts(v[0])}
	case map[string]any:
		copied := make(map[string]any, len(v))
		for name, of := range v {
			copied[name] = firsts(of)
		}
		return copied
	default:
		return v
	}
}

// freeform are the objects whose names the client chooses.
var freeform = []string{"metadata", "variables", "answers", "headers", "parameters", "asks", "says",
	"translated_options", "fields", "arguments", "tool_results"}

// tamper makes one change after another to an answer, calls refused after each change,
// and undoes it.
func tamper(v any, refused func(what string)) { tamperAt("", v, refused) }

func tamperAt(path string, v any, refused func(what string)) {
	switch v := v.(type) {
	case []any:
		if len(v) > 0 {
			tamperAt(path+"[0]", v[0], refused)
		}
	case map[string]any:
		v["surplus"] = true
		refused(path + ".surplus")
		delete(v, "surplus")
		for _, name := range slices.Sorted(maps.Keys(v)) {
			kept := v[name]
			delete(v, name)
			refused("no " + path + "." + name)
			v[name] = []any{[]any{"another type"}}
			if _, ok := kept.([]any); ok {
				v[name] = "another type"
			}
			refused("another type of " + path + "." + name)
			v[name] = kept
			if !slices.Contains(freeform, name) {
				tamperAt(path+"."+name, kept, refused)
			}
		}
	}
}

// shapeOf returns the types in an answer.
func shapeOf(v any) string {
	switch v := v.(type) {
	case []any:
		if len(v) == 0 {
			return "[]"
		}
		return "[" + shapeOf(v[0]) + "]"
	case map[string]any:
		var b strings.Builder
		for _, name := range slices.Sorted(maps.Keys(v)) {
			b.WriteString(name + ":" + shapeOf(v[name]) + ",")
		}
		return "{" + b.String() + "}"
	default:
		return fmt.Sprintf("%T", v)
	}
}

// passes must find every change that a loose schema accepts.
func TestALooseDescriptionIsFound(t *testing.T) {
	t.Parallel()
	text := &openapi3.Schema{Type: &openapi3.Types{"string"}}
	loose := &openapi3.Schema{Type: &openapi3.Types{"object"}, Properties: openapi3.Schemas{
		"id": openapi3.NewSchemaRef("", text), "note": openapi3.NewSchemaRef("", &openapi3.Schema{}),
	}}
	got := describedAPI(t).passes(t, loose, map[string]any{"id": "1", "note": "n"})
	if want := []string{".surplus", "no .id", "no .note", "another type of .note"}; !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
}
