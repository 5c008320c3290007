package dialer

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/campaign/intake"
	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/messaging"
	"github.com/dialwright/dialwright/internal/messaging/cloud"
	"github.com/dialwright/dialwright/internal/testwait"
)

// fresh marks the operator's limits as just read.
func (b *bench) fresh(t testing.TB) {
	t.Helper()
	b.exec(t, `update messaging_connection set read_at = clock()`)
}

// await waits until n messages of a campaign are in a state.
func (b *bench) await(t testing.TB, id uuid.UUID, status messaging.Status, n int) {
	t.Helper()
	deadline := time.Now().Add(testwait.Limit)
	for {
		got := value[int](t, b, `select count(*)::int from message where campaign_id = $1 and status = $2`, id, status)
		if got == n {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d messages are %s, want %d: %+v", got, status, n, b.planned(t, id))
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// again runs one more pass over a campaign now.
func (b *bench) again(t testing.TB, id uuid.UUID) {
	t.Helper()
	b.exec(t, `update campaign set dial_at = clock() where id = $1`, id)
	b.dial(t)
}

func TestACallWaitsForItsMessage(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	_, sender := b.whatsapp(t)
	d := b.writing(5, campaign.TriggerBeforeCall, "heads_up", `{}`)
	d.MaxConcurrency = ptr(2)
	c := b.create(t, d)
	for range 3 { // any number of passes
		b.again(t, c.ID)
	}
	got := b.get(t, c.ID)
	if len(b.network.up()) > 0 || len(b.planned(t, c.ID)) != 2 || got.Pending != 5 {
		t.Fatalf("%d calls, %d messages, %+v", len(b.network.up()), len(b.planned(t, c.ID)), got.Counters())
	}
	if w := got.Waiting; len(w) != 1 || w[0].Reason != campaign.WaitMessage || w[0].Recipients != 5 ||
		w[0].Until == nil {
		t.Errorf("waiting %+v", w)
	}
	stop := running(sender)
	b.await(t, c.ID, messaging.Sent, 2)
	stop()
	b.again(t, c.ID)
	if up := len(b.network.up()); up != 2 {
		t.Errorf("%d calls after their messages, want 2", up)
	}
	if n := len(b.planned(t, c.ID)); n != 2 {
		t.Errorf("%d messages while there is no free slot", n)
	}
	for n := range b.planned(t, c.ID) {
		if b.network.dials(n) != 1 {
			t.Errorf("%s was not called after its message", n)
		}
	}
	b.endAll(t, call.OutcomeNoAnswer)
	b.settle(t)
	b.again(t, c.ID)
	if n := len(b.planned(t, c.ID)); n != 4 {
		t.Errorf("%d messages when two slots are free again, want 4", n)
	}
}

// Messages are not sent long before their calls. Their number is limited to the calls that the pace
// allows in the minute that a call waits for its message.
func TestMessagesKeepThePaceOfCalls(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.whatsapp(t)
	d := b.writing(20, campaign.TriggerBeforeCall, "heads_up", `{}`)
	d.CallsPerSecond = ptr(0.05)
	c := b.create(t, d)
	for range 3 {
		b.again(t, c.ID)
	}
	if n := len(b.planned(t, c.ID)); n != 4 {
		t.Errorf("%d messages at a call every 20 seconds, want 4", n)
	}

	// While the connection rests, no recipient gets a message about a call that can't be placed.
	resting := b.create(t, b.writing(2, campaign.TriggerBeforeCall, "heads_up", `{}`))
	b.rest(t, 2*time.Minute)
	b.again(t, resting.ID)
	if n := len(b.planned(t, resting.ID)); n > 0 {
		t.Errorf("%d messages while the connection rests", n)
	}
}

// No call waits for its message longer than a minute, whatever happens to the message.
func TestACallWaitsAMinuteAtMost(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.whatsapp(t)
	c := b.create(t, b.writing(3, campaign.TriggerBeforeCall, "heads_up", `{}`))
	b.dial(t)
	b.Advance(55 * time.Second)
	b.fresh(t)
	b.again(t, c.ID)
	if up := len(b.network.up()); up > 0 {
		t.Errorf("%d calls before the minute is over", up)
	}
	b.Advance(5 * time.Second)
	b.fresh(t)
	b.dialAll(t, c.ID, 3)
	b.checkCounters(t, c.ID)
}

// A message that is refused, deferred or can't be sent no longer delays its call.
func TestACallDoesNotWaitForWhatIsPutOff(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		prepare string
		sends   bool
		status  messaging.Status
		number  string
	}{
		"accepted": {"", true, messaging.Sent, testNumber(1)},
		"refused":  {"", true, messaging.Failed, "+15005009100"},
		"put off": {
			`update messaging_scope set tier_limit = 1 where external_id in (select external_id from messaging_scope)`,
			true, messaging.Queued, testNumber(1),
		},
		"do not write": {
			`insert into do_not_call (id, organization_id, channel, phone_number, source)
				select gen_random_uuid(), id, 'message', '` + testNumber(1) + `', 'user' from organization`,
			true, messaging.Failed, testNumber(1),
		},
		"paused": {
			`update messaging_number set paused_reason = 'x', paused_until = clock() + interval '1 hour'`, false,
			messaging.Queued, testNumber(1),
		},
		"unread": {
			`update messaging_connection set read_at = clock() - interval '2 minutes'`, false, messaging.Queued,
			testNumber(1),
		},
		"unfilled": {`update messaging_template set removed_at = clock()`, false, messaging.Failed, testNumber(1)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			_, sender := b.whatsapp(t)
			d := b.writing(0, campaign.TriggerBeforeCall, "heads_up", `{}`)
			d.Recipients.Add(intake.Recipient{PhoneNumber: test.number})
			c := b.create(t, d)
			if test.prepare != "" {
				b.exec(t, test.prepare)
			}
			if name == "put off" {
				b.exec(t, `insert into messaging_ledger (scope_id, phone_number, counted_at, asked_at)
					select scope_id, '+13120000001', clock(), clock() from messaging_number`)
				b.exec(t, `update messaging_scope set recipients = 1`)
			}
			b.dial(t)
			if test.sends {
				defer running(sender)()
				deadline := time.Now().Add(testwait.Limit)
				for value[bool](t, b, `select status in ('queued', 'sending') and wait_reason is null from message`) {
					if time.Now().After(deadline) {
						t.Fatal("the message is still under way")
					}
					time.Sleep(10 * time.Millisecond)
				}
			}
			b.again(t, c.ID)
			if n := b.network.dials(test.number); n != 1 {
				t.Errorf("called %d times", n)
			}
			if m := b.planned(t, c.ID)[test.number]; m.Status != test.status {
				t.Errorf("the message is %s: %v", m.Status, m.Error)
			}
		})
	}
}

// Two processes dial the same campaign: each recipient gets one message and one call.
func TestTwoProcessesHoldTheSameCalls(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	operator, sender := b.whatsapp(t)
	const people = 30
	c := b.create(t, b.writing(people, campaign.TriggerBeforeCall, "heads_up", `{}`))
	_, other, _ := b.process(b.Pool)
	defer running(sender)()
	deadline := time.Now().Add(testwait.Limit)
	for len(b.network.up()) < people && time.Now().Before(deadline) {
		b.exec(t, `update campaign set dial_at = clock() where id = $1`, c.ID)
		done := make(chan struct{})
		go func() {
			defer close(done)
			_, _ = other.round(t.Context(), true)
			other.placing.Wait()
		}()
		_, err := b.dialer.round(t.Context(), true)
		b.dialer.placing.Wait()
		<-done
		if err != nil {
			t.Fatal(err)
		}
	}
	if up, sends := len(b.network.up()), len(operator.Sends()); up != people || sends != people {
		t.Errorf("%d calls and %d messages, want %d", up, sends, people)
	}
	for number := range b.planned(t, c.ID) {
		if n := b.network.dials(number); n != 1 {
			t.Errorf("%s was called %d times", number, n)
		}
	}
}

// A recipient who is never called gets no message that announces the call. A called
// recipient gets the message that belongs to the call.
func TestCancelWithdrawsWhatComesBeforeACall(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.whatsapp(t)
	before := b.create(t, b.writing(3, campaign.TriggerBeforeCall, "heads_up", `{}`))
	d := b.writing(0, campaign.TriggerAfterCall, "heads_up", `{}`)
	for i := range 2 {
		d.Recipients.Add(intake.Recipient{PhoneNumber: testNumber(10 + i)})
	}
	after := b.create(t, d)
	b.dialAll(t, after.ID, 2)
	b.again(t, before.ID)
	b.tell(t, b.callTo(t, 10), ends(call.OutcomeCompleted)...)
	b.Advance(10 * time.Second)
	b.settle(t)
	for _, id := range []uuid.UUID{before.ID, after.ID} {
		if _, err := b.svc.Cancel(t.Context(), b.actor, id); err != nil {
			t.Fatal(err)
		}
	}
	for number, m := range b.planned(t, before.ID) {
		if m.Status != messaging.Canceled || m.Error == nil ||
			*m.Error != "The call after it will not be made: the recipient was canceled" {
			t.Errorf("%s: %s, %v", number, m.Status, m.Error)
		}
	}
	if len(b.planned(t, before.ID)) != 3 {
		t.Errorf("%d messages before calls", len(b.planned(t, before.ID)))
	}
	b.tell(t, b.callTo(t, 11), ends(call.OutcomeCompleted)...) // in flight at the cancellation
	b.Advance(10 * time.Second)
	b.settle(t)
	if got := b.planned(t, after.ID); len(got) != 2 || got[testNumber(10)].Status != messaging.Queued ||
		got[testNumber(11)].Status != messaging.Queued {
		t.Errorf("%+v", got)
	}
}

// The message is also withdrawn if its call was claimed and could not be placed.
func TestAMessageBeforeACallThatWasNotPlaced(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.whatsapp(t)
	c := b.create(t, b.writing(1, campaign.TriggerBeforeCall, "heads_up", `{}`))
	b.dial(t)
	b.exec(t, `update message set wait_reason = 'quota'`) // deferred
	b.network.answer = func(carrier.Placement) error {
		if _, err := b.svc.Cancel(context.Background(), b.actor, c.ID); err != nil {
			t.Error(err)
		}
		return &carrier.Error{Kind: carrier.Unusable, Reason: "the network is down"}
	}
	b.again(t, c.ID)
	b.Advance(10 * time.Second)
	b.settle(t)
	r, m := b.recipients(t, c.ID)[testNumber(0)], b.planned(t, c.ID)[testNumber(0)]
	if r.Status != campaign.RecipientCanceled || m.Status != messaging.Canceled {
		t.Errorf("the recipient is %s, the message %s", r.Status, m.Status)
	}
}

// A campaign whose calls are simulated sends no message to a real phone, also if the server's operator was simulated
// when the campaign was created. Its calls are placed without them.
func TestSandboxCampaignsWriteToNoRealPhone(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	operator, _ := b.whatsapp(t)
	c := b.create(t, b.writing(2, campaign.TriggerBeforeCall, "heads_up", `{}`))
	b.again(t, c.ID)

	b.real = true
	b.connectWhatsApp(cloud.Options{GraphURL: b.operator}, false)
	b.svc = b.service()
	stop := running(b.gate.NewSender())
	b.await(t, c.ID, messaging.Failed, 2)
	stop()
	for number, m := range b.planned(t, c.ID) {
		if m.Error == nil || *m.Error != messaging.SandboxCall {
			t.Errorf("the message to %s failed: %v", number, m.Error)
		}
	}
	if n := operator.State().Accepted; n > 0 {
		t.Errorf("%d messages were sent", n)
	}
	b.again(t, c.ID)
	if up := len(b.network.up()); up != 2 {
		t.Errorf("%d calls, want 2", up)
	}

	_, err := b.svc.Pause(t.Context(), b.actor, c.ID)
	if err == nil {
		_, err = b.svc.Resume(t.Context(), b.actor, c.ID)
	}
	if fault.KindOf(err) != fault.Conflict || !strings.HasPrefix(err.Error(), messaging.SandboxCall) {
		t.Errorf("the campaign is resumed: %v", err)
	}

	_, err = b.svc.Create(t.Context(), b.actor, b.writing(1, campaign.TriggerAfterCall, "heads_up", `{}`))
	if f := fault.As(err); f == nil || len(f.Fields) != 1 || f.Fields[0].Path != "messaging" ||
		f.Fields[0].Message != messaging.SandboxCall {
		t.Errorf("another campaign: %v", err)
	}
	b.exec(t, `update connection set kind = 'twilio'`)
	d := b.writing(1, campaign.TriggerAfterCall, "heads_up", `{}`)
	d.NotReadyReason = "nobody checked it"
	b.create(t, d)
	b.exec(t, `update connection set kind = 'sandbox'`)
	d = b.writing(1, campaign.TriggerAfterCall, "heads_up", `{}`)
	d.Messaging = nil
	b.create(t, d)
}
