package reference

import (
	"os"
	"strings"
	"testing"
)

func described(t *testing.T) *Reference {
	t.Helper()
	description, err := os.ReadFile("../../api/openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	r, err := Parse(description)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// The reference includes the whole description, and every part has a text.
func TestOurDescriptionIsReadWhole(t *testing.T) {
	t.Parallel()
	r := described(t)
	slugs, anchors, operations := map[string]bool{}, map[string]bool{}, 0
	var look func(where string, fields []Field)
	look = func(where string, fields []Field) {
		for _, f := range fields {
			if f.Type == "" {
				t.Errorf("%s.%s has no type", where, f.Name)
			}
			look(where+"."+f.Name, f.Fields)
		}
	}
	for _, p := range r.Pages {
		if slugs[p.Slug] || p.Title == "" {
			t.Errorf("page %q, %q", p.Slug, p.Title)
		}
		slugs[p.Slug] = true
		for _, s := range p.Sections {
			if s.Title == "" || s.Text == "" {
				t.Errorf("%s: section %+v", p.Title, s)
			}
		}
		for _, o := range p.Operations {
			operations++
			if anchors[o.ID] || o.Scope == "" && o.ID != "getMe" || o.Title == "" || o.Text == "" ||
				strings.Contains(o.Text, "Scope:") || len(o.Responses) < 4 {
				t.Errorf("%s %s: %+v", o.Method, o.Path, o)
			}
			anchors[o.ID] = true
			for _, parameter := range o.Parameters {
				look(o.ID, []Field{parameter.Field})
			}
			if o.Body != nil {
				look(o.ID, o.Body.Fields)
			}
			for _, response := range o.Responses {
				look(o.ID+" "+response.Status, response.Fields)
				if response.Status >= "400" && len(response.Errors) == 0 {
					t.Errorf("%s: %s has no text", o.ID, response.Status)
				}
			}
		}
	}
	if described, err := os.ReadFile("../../api/openapi.yaml"); err != nil ||
		operations != strings.Count(string(described), "\n      operationId: ")-len(r.Page(EventsSlug).Events) {
		t.Errorf("%d operations, %v", operations, err)
	}
	for _, e := range r.Page(EventsSlug).Events {
		if look(e.Type, e.Fields); e.Text == "" || len(e.Fields) != 6 {
			t.Errorf("%+v", e)
		}
	}
}

func TestCurlQuotesForTheShell(t *testing.T) {
	t.Parallel()
	o := Operation{Method: "PATCH", Path: "/things/{id}", prefix: "/api/v1", Parameters: []Parameter{
		{Field: Field{Name: "id"}, In: "path", Example: "7"},
		{Field: Field{Name: "X-Note"}, In: "header", Example: "it's"},
		{Field: Field{Name: "limit"}, In: "query", Example: "1"},
	}}
	want := `curl -X PATCH https://example.com/api/v1/things/7 \
  -H "Authorization: Bearer $DIALWRIGHT_KEY" \
  -H 'X-Note: it'\''s' \
  -H 'Content-Type: application/json' \
  -d '{"name": "it'\''s"}'`
	if got := o.Request(LanguageOf("curl"), "https://example.com", &Example{JSON: `{"name": "it's"}`}); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Content that a terminal should not show is written to a file, named after the content.
func TestFilesAreNotShownInATerminal(t *testing.T) {
	t.Parallel()
	r := described(t)
	for id, file := range map[string]string{
		"exportCalls": "calls.csv", "exportRecipients": "recipients.csv", "getCallRecording": "recording.wav",
		"listCalls": "",
	} {
		found := false
		for _, p := range r.Pages {
			for _, o := range p.Operations {
				if o.ID != id {
					continue
				}
				found = true
				_, named, _ := strings.Cut(o.Request(LanguageOf("curl"), "https://example.com", nil), " -o ")
				if named, _, _ = strings.Cut(named, " "); named != file {
					t.Errorf("%s is written to %q, want %q", id, named, file)
				}
			}
		}
		if !found {
			t.Errorf("there is no operation %s", id)
		}
	}
}

func TestWhatIsNoDescription(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "\t", "a: [", "- 1"} {
		if r, err := Parse([]byte(text)); err == nil && len(r.Pages) != 1 {
			t.Errorf("%q: %+v", text, r)
		}
	}
	circle := "paths: {/a: {get: {tags: [A], operationId: a, responses: {'200': {$ref: " +
		"'#/paths/~1a/get/responses/200'}}}}}\ntags: [{name: A}]"
	if r, err := Parse([]byte(circle)); err != nil || len(r.Pages) != 2 {
		t.Errorf("a circle: %+v, %v", r, err)
	}
}
