package api

import (
	"embed"
	"errors"
	"fmt"
	"slices"

	"github.com/dialwright/dialwright"
	"github.com/dialwright/dialwright/internal/reference"
)

//go:embed guide/*.md
var guideFiles embed.FS

// guideOrder are the slugs of the guides in the order of the menu.
var guideOrder = []string{
	"", "quickstart", "sandbox-numbers", "lists-from-files", "receive-webhooks", "keep-a-copy-up-to-date", "errors",
	"retries-and-idempotency", "generate-a-client", "connect-an-assistant", "connect-n8n-zapier-and-make", "compliance",
	"calling-rules", "pre-dial-check", "versioning-and-deprecation", "changelog",
}

// addGuides adds the guides that are not part of the description: clients need no code for them. Each has one source: a
// file, the code of the sandboxes, the table of calling rules, or the changelog.
func addGuides(r *reference.Reference) error {
	pages := []reference.Page{sandboxPage(), callingRulesPage()}
	files, err := guideFiles.ReadDir("guide")
	if err != nil {
		return fmt.Errorf("read the guides: %w", err)
	}
	for _, file := range files {
		text, err := guideFiles.ReadFile("guide/" + file.Name())
		if err != nil {
			return fmt.Errorf("read the guides: %w", err)
		}
		pages = append(pages, reference.Guides(string(text))...)
	}
	pages = append(pages, reference.Guides(dialwright.Changelog)...)
	i := slices.IndexFunc(pages, func(p reference.Page) bool { return p.Slug == "connect-an-assistant" })
	if i < 0 {
		return errors.New("read the guides: there is no guide for assistants")
	}
	pages[i].Sections = append(pages[i].Sections, toolSection(r))
	for _, p := range r.Pages {
		if p.Guide() {
			pages = append(pages, p)
		}
	}
	r.Pages = slices.DeleteFunc(r.Pages, reference.Page.Guide)
	var guides []reference.Page
	for _, slug := range guideOrder {
		i := slices.IndexFunc(pages, func(p reference.Page) bool { return p.Slug == slug })
		if i < 0 {
			return fmt.Errorf("read the guides: there is no page %q", slug)
		}
		guides = append(guides, pages[i])
	}
	if len(guides) != len(pages) {
		return fmt.Errorf("read the guides: %d pages, but %d in the menu", len(pages), len(guides))
	}
	r.Pages = append(guides, r.Pages...)
	return nil
}
