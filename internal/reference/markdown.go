package reference

import (
	"fmt"
	"strings"
)

// Markdown returns a page as Markdown, with its requests in a language. base is the server's public address.
func (p Page) Markdown(in Language, base string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n", p.Title)
	paragraph(&b, p.Text)
	for _, s := range p.Sections {
		fmt.Fprintf(&b, "## %s\n\n", s.Title)
		paragraph(&b, s.Text)
	}
	for _, o := range p.Operations {
		o.markdown(&b, in, base)
	}
	for _, e := range p.Events {
		fmt.Fprintf(&b, "## `%s`\n\n", e.Type)
		paragraph(&b, e.Text)
		code(&b, "json", e.Example)
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

func (o Operation) markdown(b *strings.Builder, in Language, base string) {
	fmt.Fprintf(b, "## %s\n\n`%s %s%s`\n\n", o.Title, o.Method, o.prefix, o.Path)
	if o.Deprecated {
		paragraph(b, "**Deprecated.**")
	}
	paragraph(b, o.Text)
	if o.Scope != "" {
		fmt.Fprintf(b, "Required scope: `%s`\n\n", o.Scope)
	}
	if len(o.Parameters) > 0 {
		b.WriteString("### Parameters\n\n")
		for _, p := range o.Parameters {
			p.markdown(b, "", ", in "+p.In)
		}
		b.WriteByte('\n')
	}
	if o.Body != nil {
		b.WriteString("### Body\n\n")
		for _, f := range o.Body.Fields {
			f.markdown(b, "", "")
		}
		b.WriteByte('\n')
		for i, e := range o.Body.Examples {
			paragraph(b, e.Title)
			code(b, in.ID, o.Request(in, base, &o.Body.Examples[i]))
		}
	}
	if o.Body == nil || len(o.Body.Examples) == 0 {
		code(b, in.ID, o.Request(in, base, nil))
	}
	b.WriteString("### Responses\n\n")
	for _, r := range o.Responses {
		fmt.Fprintf(b, "- `%s`: %s\n", r.Status, oneLine(r.Text))
		for _, text := range r.Errors {
			fmt.Fprintf(b, "  - `%s`\n", text)
		}
	}
	b.WriteByte('\n')
	for _, r := range o.Responses {
		for _, e := range r.Examples {
			code(b, "json", e.JSON)
		}
	}
}

func (f Field) markdown(b *strings.Builder, indent, where string) {
	fmt.Fprintf(b, "%s- `%s` (%s%s", indent, f.Name, f.Type, where)
	if f.Required {
		b.WriteString(", required")
	}
	if f.Limits != "" {
		b.WriteString(", " + f.Limits)
	}
	if f.Default != "" {
		b.WriteString(", default " + f.Default)
	}
	b.WriteString(")")
	if f.Text != "" {
		b.WriteString(": " + oneLine(f.Text))
	}
	if len(f.Values) > 0 {
		b.WriteString(" Values: `" + strings.Join(f.Values, "`, `") + "`.")
	}
	b.WriteByte('\n')
	for _, inner := range f.Fields {
		inner.markdown(b, indent+"  ", "")
	}
}

// Index returns the list of all pages as llms.txt (https://llmstxt.org), with links to them as Markdown.
func (r *Reference) Index(base string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n> %s\n\n## Pages\n\n", r.Title, oneLine(r.Pages[0].Text))
	for _, p := range r.Pages {
		fmt.Fprintf(&b, "- [%s](%s/docs/%s)", p.Title, base, p.File())
		if text, _, _ := strings.Cut(p.Text, "\n\n"); p.Slug != "" && text != "" {
			b.WriteString(": " + oneLine(text))
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "\n## Description for machines\n\n- [OpenAPI 3.1](%s/openapi.json)\n", base)
	return b.String()
}

// File is the name of the page as Markdown.
func (p Page) File() string {
	if p.Slug == "" {
		return "index.md"
	}
	return p.Slug + ".md"
}

func paragraph(b *strings.Builder, text string) {
	if text = strings.TrimSpace(text); text != "" {
		b.WriteString(text + "\n\n")
	}
}

func code(b *strings.Builder, language, text string) {
	if text == "" {
		return
	}
	if language == "curl" {
		language = "sh"
	}
	fmt.Fprintf(b, "```%s\n%s\n```\n\n", language, text)
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
