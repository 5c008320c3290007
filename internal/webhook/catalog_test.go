package webhook

import (
	"slices"
	"strings"
	"testing"
)

// A subscription covers itself, its family, or everything, and nothing else.
func TestMatches(t *testing.T) {
	t.Parallel()
	for _, kind := range Types() {
		noun, _, _ := strings.Cut(string(kind), ".")
		for _, s := range Subscribable() {
			want := s == string(kind) || s == noun+".*" || s == "*"
			if matches([]string{s}, kind) != want {
				t.Errorf("%s covers %s: %v", s, kind, !want)
			}
		}
		if matches(nil, kind) || !matches([]string{"x", string(kind)}, kind) {
			t.Errorf("%s among none, or among others", kind)
		}
	}
}

func TestCatalog(t *testing.T) {
	t.Parallel()
	seen := Subscribable()
	slices.Sort(seen)
	if n := len(slices.Compact(seen)); n != len(Subscribable()) {
		t.Errorf("something is in it twice: %v", seen)
	}
	for _, k := range Catalog() {
		if noun, verb, ok := strings.Cut(string(k.Type), "."); !ok || noun == "" || verb == "" || verb == "*" ||
			!strings.HasSuffix(k.Description, ".") {
			t.Errorf("%+v", k)
		}
	}
}
