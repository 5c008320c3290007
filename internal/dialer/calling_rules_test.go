package dialer

import (
	"fmt"
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/campaign/intake"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/hours"
	"github.com/dialwright/dialwright/internal/regulation"
)

const (
	miami   = "+13055550100" // 8:00–20:00, three calls in 24 hours
	newYork = "+12125550100" // only the federal rule
)

func (b *bench) rules(t testing.TB, change func(*regulation.Settings)) {
	t.Helper()
	if err := b.calling.ChangeRules(t.Context(), b.actor, change); err != nil {
		t.Fatal(err)
	}
}

// draftOf returns a campaign that may call at any time.
func (b *bench) draftOf(numbers ...string) *campaign.Draft {
	d := fast(b.draft(0))
	for _, n := range numbers {
		d.Recipients.Add(intake.Recipient{PhoneNumber: n})
	}
	d.CallingHours = ptr(hours.Always())
	return d
}

// eastern moves the database's clock to a time of next year in New York and Miami.
func (b *bench) eastern(t testing.TB, month time.Month, day, hour, minute int) time.Time {
	t.Helper()
	zone, err := time.LoadLocation("America/New_York")
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(time.Now().Year()+1, month, day, hour, minute, 0, 0, zone)
	b.StopClock()
	b.Advance(at.Sub(value[time.Time](t, b, `select clock()`)))
	return at
}

// After 20:00 a recipient in Florida waits for the next morning, and one in New York is called. A
// forecast and the campaign say so, a retry obeys too, and the recipient is due at once when the
// rules no longer apply.
func TestRulesOfAState(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.rules(t, func(s *regulation.Settings) { s.Apply = true })
	at := b.eastern(t, time.March, 3, 19, 55)
	d := b.draftOf(miami, newYork)
	d.Retry = &campaign.RetryInput{MaxAttempts: ptr(3), DelaysMinutes: []int{10}}
	c := b.create(t, d)
	b.dial(t)
	b.Advance(time.Second) // the pace of the first moment allows one call
	b.dial(t)
	if b.network.dials(miami) != 1 || b.network.dials(newYork) != 1 {
		t.Fatal("not dialed before 20:00")
	}
	b.endAll(t, call.OutcomeBusy)
	b.settle(t)
	opens := at.Add(12*time.Hour + 5*time.Minute)
	waits := func(what, number string, until time.Time, reason string) {
		t.Helper()
		if r := b.recipients(t, c.ID)[number]; r.Status != campaign.RecipientPending || !r.DueAt.Equal(until) ||
			*r.WaitReason != reason {
			t.Errorf("%s: %v %s, want %v %s", what, r.DueAt, *r.WaitReason, until, reason)
		}
	}
	waits("the retry", miami, opens, campaign.WaitCallingRules)
	if r := b.recipients(t, c.ID)[newYork]; *r.WaitReason != campaign.WaitRetry {
		t.Errorf("in New York: %s", *r.WaitReason)
	}

	b.exec(t, `update recipient set due_at = clock() + interval '6 minutes'`) // 20:01
	b.Advance(10 * time.Minute)
	b.dial(t)
	waits("the pass", miami, opens, campaign.WaitCallingRules)
	if b.network.dials(miami) != 1 || b.network.dials(newYork) != 2 {
		t.Fatalf("dialed %d and %d times", b.network.dials(miami), b.network.dials(newYork))
	}
	b.endAll(t, call.OutcomeCompleted)
	b.settle(t)
	b.Advance(10 * time.Second)
	b.dial(t)
	got := b.checkCounters(t, c.ID)
	if len(got.Waiting) != 1 || got.Waiting[0].Reason != campaign.WaitCallingRules ||
		!time.Time(*got.Waiting[0].Until).Equal(opens) {
		t.Errorf("waiting %+v", got.Waiting)
	}
	if at := value[time.Time](t, b, `select dial_at from campaign`); !at.Equal(opens) {
		t.Errorf("looks again at %v", at)
	}

	late := b.create(t, b.draftOf(miami, newYork))
	if r := b.recipients(t, late.ID)[miami]; !r.DueAt.Equal(opens) || *r.WaitReason != campaign.WaitCallingRules {
		t.Errorf("a new recipient: %v %s", r.DueAt, *r.WaitReason)
	}
	if _, err := b.svc.Cancel(t.Context(), b.actor, late.ID); err != nil {
		t.Fatal(err)
	}

	b.rules(t, func(s *regulation.Settings) {
		s.Overrides = map[string]regulation.Override{"us-fl-hours": {Off: true, Reason: "they asked for late calls"}}
	})
	b.dial(t)
	if b.network.dials(miami) != 2 {
		t.Error("not dialed when the rule no longer applies")
	}
	entry := value[string](t, b, `select data -> 'overrides' -> 'us-fl-hours' ->> 'reason' from audit_entry
		where action = 'organization.calling_rules_updated' order by created_at desc limit 1`)
	if entry != "they asked for late calls" {
		t.Errorf("the audit log says %q", entry)
	}
}

// The fewest calls of the organization's limit and the rule count, across campaigns.
func TestRulesLimitCallsToANumber(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.rules(t, func(s *regulation.Settings) { s.Apply = true })
	b.limit(t, Limits{MaxDailyAttempts: ptr(5)})
	first := b.eastern(t, time.March, 3, 9, 0)
	for range 4 {
		b.create(t, b.draftOf(miami, newYork))
		b.dial(t)
		b.Advance(time.Second)
		b.dial(t)
		b.endAll(t, call.OutcomeCompleted)
		b.settle(t)
		b.Advance(time.Minute)
	}
	if b.network.dials(miami) != 3 || b.network.dials(newYork) != 4 {
		t.Fatalf("dialed %d and %d times", b.network.dials(miami), b.network.dials(newYork))
	}
	due := value[time.Time](t, b, `
		select due_at from recipient where status = 'pending' and wait_reason = 'attempt_limit'`)
	if late := due.Sub(first.Add(attemptWindow)); late < 0 || late > time.Minute {
		t.Errorf("again at %v", due)
	}
	b.rules(t, func(s *regulation.Settings) {
		s.Overrides = map[string]regulation.Override{"us-fl-calls": {Calls: 4, Reason: "another subject"}}
	})
	b.dial(t)
	if b.network.dials(miami) != 4 {
		t.Error("not dialed when the rule allows more")
	}
}

// An own rule for a place limits the calls to each of its numbers in a day, without the table, and the call says so.
// When the rule is removed, the recipient is due at once.
func TestOwnRuleLimitsCallsToANumber(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.rules(t, func(s *regulation.Settings) {
		s.Add(regulation.Rule{Place: "US-FL", Calls: 1, Days: 1, Source: "a promise"})
	})
	first := b.eastern(t, time.March, 3, 9, 0)
	for range 2 {
		b.create(t, b.draftOf(miami, newYork))
		b.dial(t)
		b.Advance(time.Second)
		b.dial(t)
		b.endAll(t, call.OutcomeCompleted)
		b.settle(t)
		b.Advance(time.Minute)
	}
	if b.network.dials(miami) != 1 || b.network.dials(newYork) != 2 {
		t.Fatalf("dialed %d and %d times", b.network.dials(miami), b.network.dials(newYork))
	}
	due := value[time.Time](t, b, `
		select due_at from recipient where status = 'pending' and wait_reason = 'attempt_limit'`)
	if late := due.Sub(first.Add(attemptWindow)); late < 0 || late > time.Minute {
		t.Errorf("again at %v", due)
	}
	settings, err := b.calling.Rules(t.Context(), b.actor.OrganizationID)
	if err != nil {
		t.Fatal(err)
	}
	id := settings.Own[0].ID
	if n := value[int](t, b, `
		select count(*) from call where calling_hours_decision -> 'rules' = $1 and person_number = $2`,
		[]string{id}, miami); n != 1 {
		t.Errorf("%d calls name %s", n, id)
	}
	b.rules(t, func(s *regulation.Settings) { s.Remove(id) })
	b.dial(t)
	if b.network.dials(miami) != 2 {
		t.Error("not dialed after the rule was removed")
	}
	if n := value[int](t, b, `select count(*) from audit_entry where action = 'organization.calling_rules_updated'
		and data -> 'own_rules' -> 0 ->> 'source' = 'a promise'`); n != 1 {
		t.Errorf("%d entries of the audit log", n)
	}
}

// In France, a fifth call within 30 days waits for weeks, and for a weekday.
func TestRulesOverThirtyDays(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.rules(t, func(s *regulation.Settings) { s.Apply = true })
	const paris = "+33145670100"
	b.eastern(t, time.March, 3, 6, 0) // noon in Paris
	var asked []time.Time
	for range 4 {
		for b.network.dials(paris) == len(asked) {
			b.create(t, b.draftOf(paris))
			b.dial(t)
			b.endAll(t, call.OutcomeCompleted)
			b.settle(t)
			if b.network.dials(paris) == len(asked) {
				b.exec(t, `delete from recipient where status = 'pending'`)
				b.exec(t, `delete from campaign where status = 'running'`)
				b.Advance(24 * time.Hour)
			}
		}
		asked = append(asked, value[time.Time](t, b, `select clock()`))
		b.Advance(24 * time.Hour)
	}
	c := b.create(t, b.draftOf(paris))
	for r := b.recipients(t, c.ID)[paris]; r.DueAt.After(value[time.Time](t, b, `select clock()`)); {
		b.Advance(time.Hour) // a weekend
	}
	b.dial(t)
	r := b.recipients(t, c.ID)[paris]
	again := asked[0].Add(30 * 24 * time.Hour)
	if b.network.dials(paris) != 4 || *r.WaitReason != campaign.WaitAttemptLimit ||
		r.DueAt.Before(again.Add(-time.Minute)) ||
		r.DueAt.After(again.Add(5*24*time.Hour)) {
		t.Errorf("dialed %d times, again at %v %s, want %v", b.network.dials(paris), r.DueAt, *r.WaitReason, again)
	}
	zone, err := time.LoadLocation("Europe/Paris")
	if err != nil {
		t.Fatal(err)
	}
	if day := r.DueAt.In(zone); day.Weekday() == time.Saturday || day.Weekday() == time.Sunday ||
		regulation.Holiday("FR", hours.DateOf(day)) != "" {
		t.Errorf("on %v", day)
	}
}

// Holidays and the organization's own days close for everyone, without any other rule.
func TestDaysWithoutCalls(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.rules(t, func(s *regulation.Settings) {
		s.Holidays = true
		s.ClosedDays = []regulation.ClosedDay{{Date: "12-26", Name: "A long weekend"}}
	})
	at := b.eastern(t, time.December, 25, 12, 0)
	c := b.create(t, b.draftOf(newYork))
	r := b.recipients(t, c.ID)[newYork]
	if want := at.Add(36 * time.Hour); !r.DueAt.Equal(want) || *r.WaitReason != campaign.WaitCallingRules {
		t.Fatalf("due at %v %s, want %v", r.DueAt, *r.WaitReason, want)
	}
	b.exec(t, `update recipient set due_at = clock(), wait_reason = null`)
	b.exec(t, `update campaign set dial_at = clock()`)
	b.dial(t)
	if b.network.dials(newYork) != 0 {
		t.Error("dialed on Christmas Day")
	}
	b.Advance(36*time.Hour + time.Minute)
	b.dial(t)
	if b.network.dials(newYork) != 1 {
		t.Error("not dialed afterwards")
	}
}

// A single call obeys the rules, too.
func TestTryObeysTheRules(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.rules(t, func(s *regulation.Settings) { s.ClosedDays = []regulation.ClosedDay{{Date: "06-01"}} })
	b.exec(t, `update project set calling_hours = $1`, hours.Always())
	b.eastern(t, time.June, 1, 12, 0)
	_, err := b.calling.Try(t.Context(), b.actor, Try{
		AgentID: b.agent, ProjectID: b.project, PhoneNumberID: b.number, ToNumber: newYork,
	})
	if fault.KindOf(err) != fault.Conflict {
		t.Errorf("a call on a day without calls: %v", err)
	}
}

// Half a list may wait for the rules of its place. The other half is dialed at once.
func TestManyWaitForRules(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.rules(t, func(s *regulation.Settings) { s.Apply = true })
	b.eastern(t, time.March, 3, 19, 0)
	d := b.draftOf()
	const n = 400
	for i := range n {
		d.Recipients.Add(intake.Recipient{PhoneNumber: fmt.Sprintf("+1305555%04d", i)})
		d.Recipients.Add(intake.Recipient{PhoneNumber: fmt.Sprintf("+1212555%04d", i)})
	}
	c := b.create(t, d)
	b.Advance(90 * time.Minute) // 20:30
	for range 40 {
		b.dial(t)
		b.Advance(time.Second)
	}
	waiting := value[int](t, b, `
		select count(*) from recipient where status = 'pending' and wait_reason = 'calling_rules'
		and phone_number like '+1305%'`)
	dialing := value[int](t, b, `
		select count(*) from recipient where status = 'dialing' and phone_number like '+1212%'`)
	if waiting != n || dialing != n {
		t.Errorf("%d wait and %d are dialed", waiting, dialing)
	}
	b.checkCounters(t, c.ID)
}
