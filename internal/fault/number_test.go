package fault

import "testing"

// Numbers of four digits and more have commas, as in the dashboard.
func TestNumbersOfProblems(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]string{7: "at most 7", 999: "at most 999", 1000: "at most 1,000",
		1234567: "at most 1,234,567", -1000: "at most -1,000"} {
		var p Problems
		p.Addf("x", "at most %d", n)
		if got := As(p.Err()).Fields[0].Message; got != want {
			t.Errorf("%d: %q", n, got)
		}
	}
	var p Problems
	p.Addf("x", "%s is %q, at least %g%%, at most %v", "a", "b", 0.5, 1000.25)
	if got := As(p.Err()).Fields[0].Message; got != `a is "b", at least 0.5%, at most 1,000.25` {
		t.Errorf("%q", got)
	}
}
