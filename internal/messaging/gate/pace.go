package gate

import "time"

// pace is the rate of a number: at most rate messages in any second, an eighth of them at once. It
// is a token bucket, stored as the time at which the bucket will be full again.
type pace struct {
	at    time.Time // never before now
	now   time.Time
	gap   time.Duration // between two messages
	burst int
	taken bool
}

// paceOf reads the pace of a number. at is nil if the number never sent.
func paceOf(rate int, at *time.Time, now time.Time) pace {
	burst := max(rate/8, 1)
	// A full bucket and the inflow of one second add up to rate.
	p := pace{now: now, at: now, gap: time.Second / time.Duration(max(rate-burst, 1)), burst: burst}
	if at != nil && at.After(now) {
		p.at = *at
	}
	return p
}

// budget returns how many messages may go out now.
func (p *pace) budget() int {
	used := int((p.at.Sub(p.now) + p.gap - 1) / p.gap)
	return max(p.burst-used, 0)
}

// take uses up one message.
func (p *pace) take() { p.at, p.taken = p.at.Add(p.gap), true }

// ready returns the time of the next pass: half of the bucket is full by then.
func (p *pace) ready() time.Time {
	return p.at.Add(-time.Duration(p.burst/2) * p.gap)
}
