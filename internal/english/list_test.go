package english

import "testing"

func TestList(t *testing.T) {
	t.Parallel()
	for want, of := range map[string][]string{
		"":           nil,
		"a":          {"a"},
		"a and b":    {"a", "b"},
		"a, b and c": {"a", "b", "c"},
	} {
		if got := List(of); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
