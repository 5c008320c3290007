package project

import "testing"

// What people read of failures says how many calls failed, and never that all calls fail.
func TestFailuresInWords(t *testing.T) {
	t.Parallel()
	why := "calls are suspended (29999)"
	for _, test := range []struct {
		failures      Failures
		text, problem string
	}{
		{Failures{ConsecutiveErrors: 1, LastError: &why}, "The last call could not be placed: " + why, ""},
		{Failures{ConsecutiveErrors: 3}, "3 calls in a row could not be placed", ""},
		{
			Failures{ConsecutiveErrors: 20, LineFailures: 5, LastError: &why},
			"20 calls in a row could not be placed: " + why,
			"20 calls in a row could not be placed through the connection Main: " + why,
		},
		{Failures{LineFailures: 1}, "The last answered call had no working line to the agent", ""},
		{
			Failures{ConsecutiveErrors: 2, LineFailures: 5}, "5 calls in a row had no working line to the agent",
			"5 calls in a row had no working line to the agent through the connection Main",
		},
		{Failures{Probing: ProbingCalls, LastError: &why}, "No call has worked since the last failure: " + why, ""},
	} {
		if got := test.failures.Text(); got != test.text {
			t.Errorf("%+v: %q, want %q", test.failures, got, test.text)
		}
		if f := test.failures; f.Failing() != (test.problem != "" || f.Probing != "") || !f.Failed() {
			t.Errorf("%+v: failing %t, failed %t", f, f.Failing(), f.Failed())
		}
		if got := test.failures.Problem("Main"); got != test.problem {
			t.Errorf("%+v: the problem is %q, want %q", test.failures, got, test.problem)
		}
	}
}
