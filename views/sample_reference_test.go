package views_test

import (
	"github.com/dialwright/dialwright/api"
	"github.com/dialwright/dialwright/internal/reference"
	"github.com/dialwright/dialwright/views"
)

func referenceSamples() (samples []sample) {
	r, err := api.Reference()
	if err != nil {
		panic(err)
	}
	for _, slug := range []string{
		"", "quickstart", "changelog", "versioning-and-deprecation", "sandbox-numbers", "calling-rules", "messages",
		"events",
	} {
		page := *r.Page(slug)
		in := reference.LanguageOf("")
		if slug == "messages" {
			in = reference.LanguageOf("typescript")
		}
		docs := views.ReferenceDocs(r, views.ReferencePath(slug), in)
		docs.SignedIn = slug == "messages"
		name := "docs"
		if slug != "" {
			name += "-" + slug
		}
		samples = append(samples, sample{
			name,
			views.ReferencePage(views.Reference{
				Docs: docs, All: r, Page: page, BaseURL: "https://calls.meridian.example", Language: in,
			}),
		})
	}
	docs := views.ReferenceDocs(r, "/docs/search", reference.LanguageOf(""))
	docs.Query = "retry delay"
	return append(samples, sample{"docs-search", views.ReferenceSearch(docs, r.Search(docs.Query))})
}
