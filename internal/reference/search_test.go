package reference

import (
	"strings"
	"testing"
)

func TestSearch(t *testing.T) {
	t.Parallel()
	r := described(t)
	for query, want := range map[string]string{
		"create campaign":     "createCampaign",
		"IDEMPOTENCY-KEY":     "idempotency-key",
		"/calls/{id}/hang-up": "hangUpCall",
		"phone_number_id":     "",
		"call.completed":      "call.completed",
		"campaigns:write":     "",
	} {
		found := r.Search(query)
		if len(found) == 0 || want != "" && found[0].ID != want {
			t.Errorf("%q: %+v", query, found[:min(len(found), 2)])
		}
		for _, f := range found {
			if r.Page(f.Slug) == nil || f.Page == "" || len(f.Excerpt) > 2*excerptLength ||
				strings.ContainsAny(f.Excerpt, "`\n") {
				t.Errorf("%q: %+v", query, f)
			}
		}
	}
	if found := r.Search("create zebra"); len(found) > 0 {
		t.Errorf("not all words are there: %+v", found[0])
	}
	if found := r.Search(" "); len(found) > 0 {
		t.Errorf("%+v", found)
	}
}

// A page as Markdown has all its parts, and the list of pages all pages.
func TestMarkdown(t *testing.T) {
	t.Parallel()
	r := described(t)
	index := r.Index("https://example.com")
	for _, p := range r.Pages {
		if !strings.Contains(index, "](https://example.com/docs/"+p.File()+")") {
			t.Errorf("the list lacks %s", p.Title)
		}
		text := p.Markdown(LanguageOf("python"), "https://example.com")
		for _, s := range p.Sections {
			if !strings.Contains(text, "\n## "+s.Title+"\n") || !strings.Contains(text, s.Text) {
				t.Errorf("%s lacks %s", p.Title, s.Title)
			}
		}
		for _, o := range p.Operations {
			if !strings.Contains(text, "`"+o.Method+" /api/v1"+o.Path+"`") {
				t.Errorf("%s lacks %s", p.Title, o.ID)
			}
			for _, response := range o.Responses {
				for _, f := range response.Errors {
					if !strings.Contains(text, "`"+f+"`") {
						t.Errorf("%s lacks the error %s", o.ID, f)
					}
				}
			}
			if o.Body != nil {
				for _, f := range o.Body.Fields {
					if !strings.Contains(text, "- `"+f.Name+"` (") {
						t.Errorf("%s lacks the field %s", o.ID, f.Name)
					}
				}
			}
		}
		for _, e := range p.Events {
			if !strings.Contains(text, e.Type) {
				t.Errorf("%s lacks %s", p.Title, e.Type)
			}
		}
		if strings.Count(text, "```")%2 != 0 {
			t.Errorf("%s has an open block", p.Title)
		}
	}
}
