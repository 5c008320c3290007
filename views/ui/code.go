package ui

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"strings"

	"github.com/a-h/templ"
)

// Header is a header of a message.
type Header struct {
	Name, Value string
}

// Message is an HTTP request or response as text: first line, headers, body. A JSON
// body is indented and colored. Any other body is shown unchanged.
type Message struct {
	Label   string // for screen readers: "Request"
	Start   string // first line: "POST https://…", "503 Service Unavailable"
	Headers []Header
	Body    string
}

// Render makes Message a component.
func (m Message) Render(_ context.Context, w io.Writer) error {
	var b strings.Builder
	b.WriteString(`<pre class="code code-tall" tabindex="0" role="region" aria-label="` +
		templ.EscapeString(m.Label) + `">`)
	if verb, rest, ok := strings.Cut(m.Start, " "); ok {
		span(&b, "k", verb)
		b.WriteString(" " + templ.EscapeString(rest))
	} else {
		b.WriteString(templ.EscapeString(m.Start))
	}
	for _, h := range m.Headers {
		b.WriteByte('\n')
		span(&b, "k", h.Name+":")
		b.WriteString(" " + templ.EscapeString(h.Value))
	}
	if m.Body != "" {
		b.WriteString("\n\n")
		if pretty, ok := indent(m.Body); ok {
			highlight(&b, pretty)
		} else {
			b.WriteString(templ.EscapeString(m.Body))
		}
	}
	b.WriteString("</pre>")
	_, err := io.WriteString(w, b.String())
	return err
}

// indent formats JSON for reading. ok is false for any other text.
func indent(body string) (pretty string, ok bool) {
	if start := strings.TrimSpace(body); !strings.HasPrefix(start, "{") && !strings.HasPrefix(start, "[") {
		return "", false
	}
	var b bytes.Buffer
	if err := json.Indent(&b, []byte(body), "", "  "); err != nil {
		return "", false
	}
	return b.String(), true
}

// highlight colors JSON: names, strings, numbers and literals. It neither omits nor
// adds text, even if the text is not JSON.
func highlight(b *strings.Builder, text string) {
	for len(text) > 0 {
		var n int
		var class string
		switch c := text[0]; {
		case c == '"':
			n, class = quoted(text), "s"
			if strings.HasPrefix(strings.TrimLeft(text[n:], " "), ":") {
				class = "k"
			}
		case c == '-' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z':
			n, class = word(text), "n"
		default:
			if n = strings.IndexFunc(text, begins); n < 0 {
				n = len(text)
			}
		}
		if class == "" {
			b.WriteString(templ.EscapeString(text[:n]))
		} else {
			span(b, class, text[:n])
		}
		text = text[n:]
	}
}

// begins reports whether a colored token may begin with c.
func begins(c rune) bool { return c == '"' || inWord(c) && c != '+' && c != '.' && c != 'E' }

func inWord(c rune) bool {
	return c == '-' || c == '+' || c == '.' || c == 'E' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z'
}

// quoted returns the length of the string at the start of text, including the quotes.
func quoted(text string) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}

// word returns the length of the number or of the true, false or null at the start of
// text.
func word(text string) int {
	if n := strings.IndexFunc(text, func(c rune) bool { return !inWord(c) }); n >= 0 {
		return n
	}
	return len(text)
}

func span(b *strings.Builder, class, text string) {
	b.WriteString(`<span class="` + class + `">` + templ.EscapeString(text) + `</span>`)
}
