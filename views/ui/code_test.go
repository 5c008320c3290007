package ui

import (
	"context"
	"html"
	"regexp"
	"strings"
	"testing"
)

var anyTag = regexp.MustCompile(`<[^>]*>`)

// Highlighting leaves any text unchanged.
func FuzzHighlight(f *testing.F) {
	for _, text := range []string{
		`{"a": "b", "n": -1.5e+3, "t": true, "x": null, "s": "\"q\" \\", "deep": [{"k": "<b>&amp;"}]}`,
		"", `"`, `"\`, `{"open`, "...", "+E.", "ä\x80", "<script>", "-", "{\n  \"a\": 1\n}",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var b strings.Builder
		highlight(&b, text)
		if got := html.UnescapeString(
			anyTag.ReplaceAllString(b.String(), ""),
		); got != html.UnescapeString(html.EscapeString(text)) {
			t.Errorf("%q reads %q", text, got)
		}
	})
}

func TestMessage(t *testing.T) {
	t.Parallel()
	draw := func(m Message) string {
		var b strings.Builder
		if err := m.Render(context.Background(), &b); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	got := draw(Message{
		Label: `The "request"`, Start: "POST https://example.com/?a=1&b=<2>", Headers: []Header{{"webhook-id", "<i>"}},
		Body: `{"type":"call.completed","n":-1.5e3,"ok":true,"said":"<b>\"no\"</b>"}`,
	})
	for _, want := range []string{
		`aria-label="The &#34;request&#34;"`, `<span class="k">POST</span> https://example.com/?a=1&amp;b=&lt;2&gt;`,
		"\n" + `<span class="k">webhook-id:</span> &lt;i&gt;`,
		`<span class="k">&#34;type&#34;</span>: <span class="s">&#34;call.completed&#34;</span>`,
		`<span class="n">-1.5e3</span>`, `<span class="n">true</span>`, `&lt;b&gt;\&#34;no\&#34;&lt;/b&gt;`, "{\n  ",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is missing: %s", want, got)
		}
	}
	// A body that is not JSON, or is truncated JSON, is shown unchanged.
	for _, body := range []string{"<html>Bad gateway</html>", `{"cut": "he`, "12", "true"} {
		got := draw(Message{Start: "502", Body: body})
		if !strings.HasSuffix(got, "502\n\n"+html.EscapeString(body)+"</pre>") {
			t.Errorf("%q is drawn as %s", body, got)
		}
	}
}
