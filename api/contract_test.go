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
)

// contract holds answers against the description.
type contract struct {
	doc    *openapi3.T
	router routers.Router

	mu   sync.Mutex
	seen map[string]bool // the shapes of answers that were tampered with already
}

var theContract = sync.OnceValues(func() (*contract, error) {
	loader := openapi3.NewLoader()
	doc, err := loader.LoadFromData(Description)
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
	return &contract{doc: doc, router: router, seen: map[string]bool{}}, nil
})

func describedAPI(t testing.TB) *contract {
	t.Helper()
	c, err := theContract()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// check fails the test when an answer is not as described, or when the
// description would also let pass one that is a little different.
func (c *contract) check(t testing.TB, r *http.Request, status int, header http.Header, body []byte) {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.validate(r, status, header, body); err != nil {
		t.Errorf("%s %s, %d: not as described: %v\n%s", r.Method, r.URL.Path, status, err, clip(string(body)))
		return
	}
	route, _, err := c.find(r)
	if err != nil || status == http.StatusNoContent || strings.HasPrefix(header.Get("Content-Type"), "text/csv") || strings.HasPrefix(header.Get("Content-Type"), "audio/") {
		return // an error that was looked at as a whole, or no body, or no JSON
	}
	var answer any
	if err := json.Unmarshal(body, &answer); err != nil {
		t.Errorf("%s %s: %v", r.Method, r.URL.Path, err)
		return
	}
	shape := fmt.Sprint(r.Method, " ", route.Path, " ", status, shapeOf(answer))
	if c.seen[shape] {
		return
	}
	c.seen[shape] = true
	tamper(answer, func(what string) {
		changed, err := json.Marshal(answer)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.validate(r, status, header, changed); err == nil {
			t.Errorf("%s %s, %d: the description would let pass an answer with %s", r.Method, r.URL.Path, status, what)
		}
	})
}

// find is the operation a request is for. The library would also take a path
// that ends in a slash for one that does not.
func (c *contract) find(r *http.Request) (*routers.Route, map[string]string, error) {
	if strings.HasSuffix(r.URL.Path, "/") {
		return nil, nil, routers.ErrPathNotFound
	}
	return c.router.FindRoute(r)
}

func (c *contract) validate(r *http.Request, status int, header http.Header, body []byte) error {
	route, params, err := c.find(r)
	if err != nil {
		// A path or method that is not described has nothing but errors.
		if status < 400 {
			return err
		}
		var problem any
		if err := json.Unmarshal(body, &problem); err != nil {
			return err
		}
		return c.doc.Components.Schemas["Error"].Value.VisitJSON(problem, openapi3.EnableJSONSchema2020())
	}
	input := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: &openapi3filter.RequestValidationInput{Request: r, PathParams: params, Route: route},
		Status:                 status,
		Header:                 header,
		Body:                   io.NopCloser(bytes.NewReader(body)),
		Options:                &openapi3filter.Options{IncludeResponseStatus: true},
	}
	return openapi3filter.ValidateResponse(context.Background(), input)
}

// freeform are the objects whose names are the client's.
var freeform = []string{"metadata", "variables", "answers", "headers"}

// tamper changes one thing after the other in an answer, calls refused each
// time, and puts it back.
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
			v[name] = [][]string{{"another type"}}
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

// shapeOf is the types in an answer.
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
