package reference

import (
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"
)

// Found is a part of the reference that a search has found.
type Found struct {
	Page, Part string // titles; a whole page has no part
	Slug       string // of the page
	ID         string // of the part
	Detail     string // the method and path of an operation, or ""
	Excerpt    string // the text around the first word that was found
	rank       int
}

// maxFound is how many parts a search returns.
const maxFound = 40

// Search returns the parts of the reference that contain all words of a query, the best first. A word in a title counts
// more than one in a path, a name of a field or an error, and these count more than one in a text.
func (r *Reference) Search(query string) (found []Found) {
	words := strings.Fields(strings.ToLower(query))
	if len(words) == 0 {
		return nil
	}
	add := func(f Found, names []string, texts ...string) {
		title := strings.ToLower(f.Part)
		if f.Part == "" {
			title = strings.ToLower(f.Page)
		}
		named := strings.ToLower(strings.Join(names, "\n"))
		text := strings.Join(texts, " ")
		lower := strings.ToLower(text)
		for _, word := range words {
			switch {
			case title == word:
				f.rank += 1000
			case strings.Contains(title, word):
				f.rank += 100
			case strings.Contains(named, word):
				f.rank += 10
			case strings.Contains(lower, word):
				f.rank++
			default:
				return
			}
		}
		f.Excerpt = excerpt(text, lower, words)
		found = append(found, f)
	}
	for _, p := range r.Pages {
		add(Found{Page: p.Title, Slug: p.Slug}, nil, p.Text)
		for _, s := range p.Sections {
			add(Found{Page: p.Title, Part: s.Title, Slug: p.Slug, ID: s.Slug}, nil, s.Text)
		}
		for _, o := range p.Operations {
			add(Found{Page: p.Title, Part: o.Title, Slug: p.Slug, ID: o.ID, Detail: o.Method + " " + o.prefix + o.Path},
				o.names(), o.texts()...)
		}
		for _, e := range p.Events {
			add(Found{Page: p.Title, Part: e.Type, Slug: p.Slug, ID: e.Type}, nil, e.Text)
		}
	}
	slices.SortStableFunc(found, func(a, b Found) int { return b.rank - a.rank })
	return found[:min(len(found), maxFound)]
}

// names are the words of an operation that a client writes or reads.
func (o Operation) names() []string {
	all := []string{o.ID, o.Method, o.prefix + o.Path, o.Scope}
	var add func(fields []Field)
	add = func(fields []Field) {
		for _, f := range fields {
			all = append(append(all, f.Name), f.Values...)
			add(f.Fields)
		}
	}
	for _, p := range o.Parameters {
		all = append(all, p.Name)
	}
	if o.Body != nil {
		add(o.Body.Fields)
	}
	for _, r := range o.Responses {
		all = append(all, r.Errors...)
		if o.Method == http.MethodGet { // what others return is what they were sent
			add(r.Fields)
		}
	}
	return all
}

func (o Operation) texts() []string {
	all := []string{o.Text}
	for _, p := range o.Parameters {
		all = append(all, p.Text)
	}
	if o.Body != nil {
		for _, f := range o.Body.Fields {
			all = append(all, f.Text)
		}
	}
	for _, r := range o.Responses {
		all = append(all, r.Text)
	}
	return all
}

// excerptLength is the length of an excerpt in bytes, about.
const excerptLength = 160

// excerpt returns the text around the first word that is in it, without the marks of Markdown.
func excerpt(text, lower string, words []string) string {
	at := 0
	for _, word := range words {
		// Lower case may have another length in some languages, but not in English.
		if i := strings.Index(lower, word); i >= 0 && len(lower) == len(text) {
			at = i
			break
		}
	}
	start := max(0, at-excerptLength/3)
	end := min(len(text), start+excerptLength)
	for start > 0 && text[start-1] != ' ' && text[start-1] != '\n' {
		start--
	}
	for end < len(text) && !utf8.RuneStart(text[end]) {
		end++
	}
	for end < len(text) && text[end] != ' ' && text[end] != '\n' {
		end++
	}
	out := oneLine(strings.NewReplacer("`", "", "**", "").Replace(text[start:end]))
	if start > 0 {
		out = "… " + out
	}
	if end < len(text) {
		out += " …"
	}
	return out
}
