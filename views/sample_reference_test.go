package views_test

import (
	"github.com/dialwright/dialwright/api"
	"github.com/dialwright/dialwright/views"
)

func referenceSamples() (samples []sample) {
	r, err := api.Reference()
	if err != nil {
		panic(err)
	}
	for _, slug := range []string{
		"", "versioning-and-deprecation", "sandbox-numbers", "calling-rules", "messages", "events",
	} {
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
