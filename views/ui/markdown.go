package ui

import (
	"context"
	"io"
	"regexp"
	"strings"

	"github.com/a-h/templ"
)

// Markdown is text in the Markdown subset of the reference: headings, paragraphs, lists,
// code blocks, and inline code, emphasis and links. Any other text is shown unchanged.
// No text is interpreted as HTML.
type Markdown string

// Render makes Markdown a component.
func (m Markdown) Render(_ context.Context, w io.Writer) error {
	var b strings.Builder
	lines := strings.Split(strings.TrimSpace(string(m)), "\n")
	for i := 0; i < len(lines); {
		line := lines[i]
		switch {
		case strings.TrimSpace(line) == "":
			i++
		case strings.HasPrefix(line, "```"):
			start := i + 1
			for i = start; i < len(lines) && !strings.HasPrefix(lines[i], "```"); i++ {
			}
			b.WriteString(`<pre class="code" tabindex="0">` + templ.EscapeString(strings.Join(lines[start:i], "\n")) +
				`</pre>`)
			i++
		case strings.HasPrefix(line, "### "):
			b.WriteString("<h3>")
			inline(&b, strings.TrimPrefix(line, "### "))
			b.WriteString("</h3>")
			i++
		case itemOf(line) != "":
			list := "ul"
			if !strings.HasPrefix(line, "- ") {
				list = "ol"
			}
			b.WriteString("<" + list + ">")
			for i < len(lines) && itemOf(lines[i]) != "" {
				item := itemOf(lines[i])
				for i++; i < len(lines) && strings.HasPrefix(lines[i], "  "); i++ {
					item += " " + strings.TrimSpace(lines[i])
				}
				b.WriteString("<li>")
				inline(&b, item)
				b.WriteString("</li>")
			}
			b.WriteString("</" + list + ">")
		default:
			text := strings.TrimSpace(line)
			for i++; i < len(lines) && strings.TrimSpace(lines[i]) != "" && !strings.HasPrefix(lines[i], "- ") &&
				!strings.HasPrefix(lines[i], "```"); i++ {
				text += " " + strings.TrimSpace(lines[i])
			}
			b.WriteString("<p>")
			inline(&b, text)
			b.WriteString("</p>")
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

var numbered = regexp.MustCompile(`^\d+\. `)

// itemOf returns the text of an item of a list, "- …" or "1. …", or "".
func itemOf(line string) string {
	if text, ok := strings.CutPrefix(line, "- "); ok {
		return text
	}
	if mark := numbered.FindString(line); mark != "" {
		return line[len(mark):]
	}
	return ""
}

// inline writes a line with its code, emphasis and links.
func inline(b *strings.Builder, text string) {
	for text != "" {
		at := strings.IndexAny(text, "`*[")
		if at < 0 {
			b.WriteString(templ.EscapeString(text))
			return
		}
		b.WriteString(templ.EscapeString(text[:at]))
		text = text[at:]
		if inner, rest, ok := enclosed(text, "`", "`"); ok {
			b.WriteString("<code>" + templ.EscapeString(inner) + "</code>")
			text = rest
		} else if inner, rest, ok := enclosed(text, "**", "**"); ok {
			b.WriteString("<strong>" + templ.EscapeString(inner) + "</strong>")
			text = rest
		} else if label, href, rest, ok := link(text); ok {
			b.WriteString(`<a class="prose-link" href="` + templ.EscapeString(href) + `">` +
				templ.EscapeString(label) + "</a>")
			text = rest
		} else {
			b.WriteString(templ.EscapeString(text[:1]))
			text = text[1:]
		}
	}
}

// enclosed returns the text between two marks at the start of a text, and the rest.
func enclosed(text, open, end string) (inner, rest string, ok bool) {
	after, ok := strings.CutPrefix(text, open)
	if !ok {
		return "", "", false
	}
	inner, rest, ok = strings.Cut(after, end)
	return inner, rest, ok && inner != ""
}

// link parses [label](address). It accepts only addresses of the web and of this site,
// so an address can't run a script.
func link(text string) (label, href, rest string, ok bool) {
	label, after, ok := enclosed(text, "[", "]")
	if !ok {
		return "", "", "", false
	}
	href, rest, ok = enclosed(after, "(", ")")
	if !ok || !strings.HasPrefix(href, "https://") && !strings.HasPrefix(href, "http://") &&
		(!strings.HasPrefix(href, "/") || strings.HasPrefix(href, "//")) && !strings.HasPrefix(href, "#") {
		return "", "", "", false
	}
	return label, href, rest, true
}

// Snippet is code of several lines with a title and a copy button.
type Snippet struct {
	ID    string // the element's ID; unique on its page
	Title string
	Of    string // the object of the snippet, for screen readers after the title; may be ""
	Text  string
	JSON  bool // colors the text as JSON
}

// label returns the label for screen readers.
func (s Snippet) label() string {
	if s.Of == "" {
		return s.Title
	}
	return s.Title + ", " + s.Of
}

func (s Snippet) content() templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		var b strings.Builder
		if s.JSON {
			highlight(&b, s.Text)
		} else {
			b.WriteString(templ.EscapeString(s.Text))
		}
		_, err := io.WriteString(w, b.String())
		return err
	})
}
