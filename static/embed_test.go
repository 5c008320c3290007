package static_test

import (
	"bytes"
	"regexp"
	"testing"

	"github.com/dialwright/dialwright/static"
)

func TestPathIsServedAndNamesItsContent(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"app.css", "js/app.js", "js/htmx.min.js", "js/sse.min.js", "js/idiomorph-ext.min.js",
		"fonts/inter-latin.woff2", "icon.svg",
	} {
		url := static.Path(name)
		if !regexp.MustCompile(`^/static/.+\.[0-9a-f]{12}\.[a-z0-9]+$`).MatchString(url) {
			t.Errorf("Path(%q) = %q carries no hash", name, url)
		}
		f, ok := static.Lookup(url)
		if !ok || len(f.Content) == 0 || f.ContentType == "" {
			t.Errorf("Lookup(%q) = %d bytes, %q, %v", url, len(f.Content), f.ContentType, ok)
		}
	}
}

func TestLookupRefusesWhatIsNotOurs(t *testing.T) {
	t.Parallel()
	for _, url := range []string{
		"", "/", "/static/", "/static/app.css", "/static/../embed.go", static.Path("app.css")[len("/static/"):],
	} {
		if _, ok := static.Lookup(url); ok {
			t.Errorf("Lookup(%q) found a file", url)
		}
	}
}

// The stylesheet must load the fonts by their hashed names, and nothing from
// another host.
func TestStylesheetNamesOnlyFilesOfOurs(t *testing.T) {
	t.Parallel()
	f, _ := static.Lookup(static.Path("app.css"))
	urls := regexp.MustCompile(`url\(([^)]+)\)`).FindAllSubmatch(f.Content, -1)
	if len(urls) < 3 {
		t.Fatalf("%d urls in the stylesheet, want the fonts and the hatching", len(urls))
	}
	for _, u := range urls {
		if bytes.HasPrefix(u[1], []byte("#")) {
			continue
		}
		if _, ok := static.Lookup(string(u[1])); !ok {
			t.Errorf("the stylesheet names %q, which is not served", u[1])
		}
	}
}
