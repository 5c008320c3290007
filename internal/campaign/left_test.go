package campaign

import "testing"

func TestRecipientsTakeAsManyCallsAsThoseBeforeThem(t *testing.T) {
	t.Parallel()
	c := Campaign{Total: 120, Completed: 20, Pending: 100, Dialing: 20, CallsPlaced: 80}
	if n := c.callsLeft(); n != 280 {
		t.Errorf("%d calls are left, want 280", n)
	}
}
