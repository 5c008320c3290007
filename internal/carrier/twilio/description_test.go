package twilio_test

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

// undescribed are requests that Twilio documents without describing them as OpenAPI.
// https://www.twilio.com/docs/voice/api/recording#fetch-a-recordings-media-file
var undescribed = []string{"fetch a recording"}

// TestDescriptionConformance compares the recorded requests with Twilio's description of its API,
// spec/json/twilio_api_v2010.json of https://github.com/twilio/twilio-oai, which this repository
// does not contain. The description says neither which values StatusCallbackEvent and other strings
// take, nor how repeated fields are encoded: they are repeated.
func TestDescriptionConformance(t *testing.T) {
	t.Parallel()
	file := os.Getenv("TWILIO_OAI")
	if file == "" {
		t.Skip("set TWILIO_OAI to the path of twilio_api_v2010.json of https://github.com/twilio/twilio-oai")
	}
	description, err := openapi3.NewLoader().LoadFromFile(file)
	if err != nil {
		t.Fatal(err)
	}
	recorded, err := os.ReadFile(requestsFile)
	if err != nil {
		t.Fatal(err)
	}
	seen, requests := 0, readRequests(string(recorded))
	for _, r := range requests {
		err := r.check(description)
		switch {
		case slices.Contains(undescribed, r.name) && errors.Is(err, errUndescribed):
			t.Logf("not described, as known: %s", r.name)
		case err != nil:
			t.Errorf("%s: %v", r.name, err)
		default:
			t.Logf("valid: %s (%d parameters)", r.name, len(r.query)+len(r.form))
			seen++
		}
	}
	if len(requests) < len(steps) || seen+len(undescribed) != len(requests) {
		t.Errorf("%d of %d requests are valid", seen, len(requests)-len(undescribed))
	}
}

// The comparison finds what it should find.
func TestDescriptionConformanceFindsFaults(t *testing.T) {
	t.Parallel()
	description, err := openapi3.NewLoader().LoadFromData([]byte(`{"openapi": "3.0.1",
		"info": {"title": "A small API", "version": "1"}, "paths": {"/Things/{Sid}.json": {"post": {
			"parameters": [
				{"name": "Sid", "in": "path", "required": true, "schema": {"type": "string", "pattern": "^TH[0-9]$"}},
				{"name": "Page", "in": "query", "schema": {"type": "integer"}}],
			"requestBody": {"content": {"application/x-www-form-urlencoded": {"schema": {
				"type": "object", "required": ["Name"], "properties": {
					"Name": {"type": "string"}, "On": {"type": "boolean"}, "At": {"type": "string", "format": "uri"},
					"Color": {"type": "string", "enum": ["red", "blue"]},
					"Event": {"type": "array", "items": {"type": "string"}}}}}}},
			"responses": {"200": {"description": "OK"}}}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	const valid = "POST /Things/TH1.json\nquery Page = 2\nform Name = N\nform On = true\n" +
		"form At = https://a.example/#b\nform Color = red\nform Event = a\nform Event = b\n"
	for request, want := range map[string]string{
		valid:                                     "",
		strings.Replace(valid, "TH1", "XX1", 1):   `path Sid`,
		strings.Replace(valid, "POST", "GET", 1):  `not described`,
		strings.Replace(valid, "Things", "T", 1):  `not described`,
		strings.Replace(valid, "= 2", "= two", 1): `query Page`,
		strings.Replace(valid, "Page", "Leaf", 1): `query Leaf: unknown`,
		strings.Replace(valid, "Name", "Nam", 1):  `form Nam: unknown`,
		"POST /Things/TH1.json\n":                 `form Name: missing`,
		valid + "form Name = M\n":                 `form Name: repeated`,
		strings.Replace(valid, "true", "yes", 1):  `form On`,
		strings.Replace(valid, "https:", "", 1):   `form At: not an absolute address`,
		strings.Replace(valid, "red", "green", 1): `form Color`,
	} {
		err := readRequests("# thing\n" + request)[0].check(description)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v, want %q", request, err, want)
		}
	}
}

// recordedRequest is a request of the file.
type recordedRequest struct {
	name, method, path string
	query, form        url.Values
}

func readRequests(file string) (all []recordedRequest) {
	for block := range strings.SplitSeq(strings.TrimPrefix(file, "# "), "\n# ") {
		lines := strings.Split(block, "\n")
		r := recordedRequest{name: lines[0], query: url.Values{}, form: url.Values{}}
		r.method, r.path, _ = strings.Cut(lines[1], " ")
		for _, line := range lines[2:] {
			place, rest, _ := strings.Cut(line, " ")
			name, value, _ := strings.Cut(rest, " = ")
			switch place {
			case "query":
				r.query.Add(name, value)
			case "form":
				r.form.Add(name, value)
			}
		}
		all = append(all, r)
	}
	return all
}

var errUndescribed = errors.New("the request is not described")

// check compares a request with a description.
func (r recordedRequest) check(description *openapi3.T) error {
	var operation *openapi3.Operation
	path := url.Values{}
	for template, item := range description.Paths.Map() {
		if values, ok := matchPath(template, r.path); ok && item.GetOperation(r.method) != nil {
			operation, path = item.GetOperation(r.method), values
		}
	}
	if operation == nil {
		return errUndescribed
	}
	known := map[string]openapi3.Schemas{"path": {}, "query": {}, "form": {}}
	var problems []error
	need := func(place, name string) {
		if !map[string]url.Values{"path": path, "query": r.query, "form": r.form}[place].Has(name) {
			problems = append(problems, fmt.Errorf("%s %s: missing", place, name))
		}
	}
	for _, p := range operation.Parameters {
		if known[p.Value.In] == nil {
			continue
		}
		known[p.Value.In][p.Value.Name] = p.Value.Schema
		if p.Value.Required {
			need(p.Value.In, p.Value.Name)
		}
	}
	if body := operation.RequestBody; body != nil {
		schema := body.Value.Content["application/x-www-form-urlencoded"].Schema.Value
		known["form"] = schema.Properties
		for _, name := range schema.Required {
			need("form", name)
		}
	}
	for place, values := range map[string]url.Values{"path": path, "query": r.query, "form": r.form} {
		for name, of := range values {
			if err := checkValues(known[place][name], of); err != nil {
				problems = append(problems, fmt.Errorf("%s %s: %w", place, name, err))
			}
		}
	}
	return errors.Join(problems...)
}

// matchPath returns the values of a path's parameters, if the path has the form of a template.
func matchPath(template, path string) (url.Values, bool) {
	want, got := strings.Split(template, "/"), strings.Split(path, "/")
	values := url.Values{}
	if len(want) != len(got) {
		return nil, false
	}
	for i, part := range want {
		name, suffix, isParameter := strings.Cut(strings.TrimPrefix(part, "{"), "}")
		value, found := strings.CutSuffix(got[i], suffix)
		switch {
		case !isParameter && part != got[i], isParameter && (!found || value == ""):
			return nil, false
		case isParameter:
			values.Set(name, value)
		}
	}
	return values, true
}

// checkValues compares the values of a parameter with its schema.
func checkValues(ref *openapi3.SchemaRef, values []string) error {
	if ref == nil {
		return errors.New("unknown")
	}
	schema := ref.Value
	if schema.Type.Is("array") {
		schema = schema.Items.Value
	} else if len(values) > 1 {
		return errors.New("repeated")
	}
	for _, text := range values {
		var value any = text
		var err error
		switch {
		case schema.Type.Is("integer"):
			var n int
			n, err = strconv.Atoi(text)
			value = float64(n)
		case schema.Type.Is("boolean"):
			value, err = strconv.ParseBool(text)
		case schema.Format == "uri":
			if u, parseErr := url.Parse(text); parseErr != nil || !u.IsAbs() || u.Host == "" {
				err = errors.New("not an absolute address")
			}
		}
		if err == nil {
			err = schema.VisitJSON(value)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
