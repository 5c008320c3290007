package gate

import "time"

// pace is a number's rate: in any second at most rate messages, of which an
// eighth may go out at once. It is a token bucket, kept as the time at which it
// will be full again.
type pace struct {
	at    time.Time // never before now
	now   time.Time
	gap   time.Duration // between two messages
	burst int
	taken bool
}

// paceOf reads the pace of a number. at is nil when it never sent.
func paceOf(rate int, at *time.Time, now time.Time) pace {
	burst := max(rate/8, 1)
	// What flows in during a second, and a full bucket, are rate together.
	p := pace{now: now, at: now, gap: time.Second / time.Duration(max(rate-burst, 1)), burst: burst}
	if at != nil && at.After(now) {
		p.at = *at
	}
	return p
}

// budget is how many messages may go out now.
func (p *pace) budget() int {
	used := int((p.at.Sub(p.now) + p.gap - 1) / p.gap)
	return max(p.burst-used, 0)
}

// take is one message.
func (p *pace) take() { p.at, p.taken = p.at.Add(p.gap), true }

// ready is when it is worth while to look again: half of what may go out at once
// may go out.
func (p *pace) ready() time.Time {
	return p.at.Add(-time.Duration(p.burst/2) * p.gap)
}
