package views_test

import (
	"os"

	"github.com/dialwright/dialwright/internal/reference"
	"github.com/dialwright/dialwright/views"
)

func referenceSamples() (samples []sample) {
	description, err := os.ReadFile("../api/openapi.yaml")
	if err != nil {
		panic(err)
	}
	r, err := reference.Parse(description)
	if err != nil {
		panic(err)
	}
	for _, slug := range []string{"", "versioning-and-deprecation", "messages", "events"} {
		page := *r.Page(slug)
		docs := views.ReferenceDocs(r, page)
		docs.Version, docs.SignedIn = r.Version, slug == "messages"
		name := "docs"
		if slug != "" {
			name += "-" + slug
		}
		samples = append(samples, sample{
			name,
			views.ReferencePage(views.Reference{Docs: docs, Page: page, BaseURL: "https://calls.meridian.example"}),
		})
	}
	return samples
}
