package dialer

import (
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/hours"
)

// A number that may be in several time zones is dialed only while all of them are open,
// at the first attempt and at every retry. The next pass comes at that time, not before.
func TestANumberWithSeveralZones(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	d := fast(b.draft(1))
	day := hours.Hours{
		Timezone: hours.Recipient, Windows: []hours.Window{{Days: hours.Days(), Start: "08:00", End: "21:00"}},
	}
	d.CallingHours = &day
	d.Retry = &campaign.RetryInput{MaxAttempts: ptr(2), DelaysMinutes: []int{60}}
	// 08:30 in New York, 05:30 in Los Angeles
	d.ScheduledAt = ptr(time.Date(time.Now().Year()+1, 1, 10, 13, 30, 0, 0, time.UTC))
	c := b.create(t, d)
	b.exec(
		t,
		`update recipient set zones = '{America/New_York,America/Los_Angeles}', due_at = $1, wait_reason = 'scheduled'`,
		d.ScheduledAt,
	)
	at := func(hour, minute int) time.Time {
		return d.ScheduledAt.Truncate(24 * time.Hour).
			Add(time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute)
	}
	waits := func(what string, until time.Time) {
		t.Helper()
		r := b.recipients(t, c.ID)[testNumber(0)]
		if r.Status != campaign.RecipientPending || !r.DueAt.Equal(until) ||
			*r.WaitReason != campaign.WaitCallingHours {
			t.Errorf("%s: %+v, want %v", what, r, until)
		}
		if dialAt := value[time.Time](t, b, `select dial_at from campaign`); !dialAt.Equal(until) {
			t.Errorf("%s: looks again at %v, want %v", what, dialAt, until)
		}
	}
	b.Advance(time.Until(*d.ScheduledAt) + time.Second)
	b.dial(t)
	waits("open in one of two", at(16, 0)) // 08:00 in Los Angeles
	b.Advance(time.Until(at(25, 30)) - time.Until(*d.ScheduledAt))
	b.dial(t)
	if b.network.dials(testNumber(0)) != 1 {
		t.Fatal("not dialed while it is open in both")
	}
	b.endAll(t, call.OutcomeBusy) // ended at 20:30 in New York, where an hour later is too late
	b.settle(t)
	b.dial(t)
	waits("the next attempt", at(40, 0))
}
