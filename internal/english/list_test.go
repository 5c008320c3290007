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

func TestCount(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]string{0: "0 numbers", 1: "1 number", 2: "2 numbers", 12855: "12,855 numbers"} {
		if got := Count(n, "number"); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
