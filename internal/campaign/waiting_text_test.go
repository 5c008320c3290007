package campaign

import (
	"slices"
	"testing"
)

func TestEveryWaitReasonHasWords(t *testing.T) {
	t.Parallel()
	for _, reason := range WaitReasons {
		words := Waiting{Reason: reason}.Words()
		if words.Line == "" || words.Awaited == "" {
			t.Errorf("%s has no words", reason)
		}
		if (words.Reached == "") != (words.Freed == "") {
			t.Errorf("%s: a limit that is reached is freed, too", reason)
		}
	}
	for reason := range waitWords {
		if !slices.Contains(WaitReasons, reason) {
			t.Errorf("%q has words and is no reason", reason)
		}
	}
}
