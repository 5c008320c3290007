package dialer

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/campaign/intake"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/messaging"
)

// cancelOne cancels the recipient with a number.
func (b *bench) cancelOne(t testing.TB, id uuid.UUID, number string) (campaign.Recipient, error) {
	t.Helper()
	return b.svc.CancelRecipient(t.Context(), b.actor, id, b.recipients(t, id)[number].ID)
}

func TestCanceledRecipientsAreNotCalled(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.subscribe(t, "recipient.*", "campaign.completed")
	d := fast(b.draft(4))
	d.MaxConcurrency = ptr(3)
	d.Retry = &campaign.RetryInput{MaxAttempts: ptr(3), DelaysMinutes: []int{10}}
	c := b.create(t, d)
	b.dial(t)
	if n := len(b.network.up()); n != 3 {
		t.Fatalf("%d calls", n)
	}
	// The first waits for a retry, the second is ringing, the third is reached, the last was never called.
	of := map[string]uuid.UUID{}
	for number, r := range b.recipients(t, c.ID) {
		if r.LastCallID != nil {
			of[number] = *r.LastCallID
		}
	}
	dialed := slices.Sorted(maps.Keys(of))
	b.tell(t, of[dialed[0]], ends(call.OutcomeBusy)...)
	b.tell(t, of[dialed[2]], ends(call.OutcomeCompleted)...)
	b.settle(t)

	for _, number := range []string{dialed[0], dialed[1], testNumber(3)} {
		r, err := b.cancelOne(t, c.ID, number)
		if err != nil {
			t.Fatal(err)
		}
		want := campaign.RecipientCanceled
		if number == dialed[1] {
			want = campaign.RecipientDialing
		}
		if r.Status != want || r.CanceledAt == nil || r.DueAt != nil {
			t.Errorf("%s: %+v", number, r)
		}
	}
	if _, err := b.cancelOne(t, c.ID, dialed[1]); err != nil { // once more
		t.Error(err)
	}
	for number, text := range map[string]string{
		dialed[0]: "This recipient is canceled and can no longer be canceled",
		dialed[2]: "This recipient is completed and can no longer be canceled",
	} {
		if _, err := b.cancelOne(t, c.ID, number); fault.KindOf(err) != fault.Conflict || err.Error() != text {
			t.Errorf("%s: %v", number, err)
		}
	}
	if got := b.checkCounters(t, c.ID); got.Status != campaign.Running || got.Canceled != 2 {
		t.Fatalf("%+v", got)
	}
	// The call in progress continues, and nobody is called again.
	b.tell(t, of[dialed[1]], ends(call.OutcomeNoAnswer)...)
	b.settle(t)
	got := b.checkCounters(t, c.ID)
	if got.Status != campaign.Completed || got.Failed != 1 || got.Canceled != 2 || got.Completed != 1 {
		t.Errorf("at the end: %+v", got)
	}
	var types []string
	for _, e := range b.events(t) {
		types = append(types, e.Type)
	}
	want := "recipient.completed recipient.canceled recipient.canceled recipient.failed campaign.completed"
	if strings.Join(types, " ") != want {
		t.Errorf("events are %v", types)
	}
	if n := value[int](t, b, `select count(*) from audit_entry where action = 'campaign.recipients_canceled'`); n != 3 {
		t.Errorf("%d audit entries", n)
	}
}

// The campaign ends with its last waiting recipients, whatever its status. A draft stays one.
func TestACampaignWithoutRecipientsLeftCompletes(t *testing.T) {
	t.Parallel()
	for status, want := range map[campaign.Status]campaign.Status{
		campaign.Running: campaign.Completed, campaign.Paused: campaign.Completed,
		campaign.Scheduled: campaign.Completed, campaign.Drafted: campaign.Drafted,
	} {
		t.Run(string(status), func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			d := b.draft(3)
			d.CallingHours = window(tomorrow(12), time.Hour)
			d.AsDraft = status == campaign.Drafted
			if status == campaign.Scheduled {
				d.ScheduledAt = ptr(time.Now().Add(time.Hour))
			}
			c := b.create(t, d)
			if status == campaign.Running || status == campaign.Paused {
				b.dial(t)
			}
			if status == campaign.Paused {
				if _, err := b.svc.Pause(t.Context(), b.actor, c.ID); err != nil {
					t.Fatal(err)
				}
			}
			if got := b.get(t, c.ID).Status; got != status {
				t.Fatalf("the campaign is %s", got)
			}
			chosen := campaign.Chosen{IDs: []string{"x"}, ExternalIDs: []string{"nobody"}}
			for _, r := range b.recipients(t, c.ID) {
				chosen.IDs = append(chosen.IDs, r.ID.String())
			}
			for i, result := range []campaign.RecipientResult{
				campaign.RecipientWasCanceled, campaign.RecipientAlreadyEnded,
			} {
				results, err := b.svc.CancelRecipients(t.Context(), b.actor, c.ID, chosen)
				if err != nil {
					t.Fatal(err)
				}
				for j, r := range results {
					want := result
					if j == 0 || j == 4 {
						want = campaign.RecipientUnknown
					}
					if r.Result != want {
						t.Errorf("request %d: recipient %d is %s, want %s", i, j, r.Result, want)
					}
				}
			}
			got := b.checkCounters(t, c.ID)
			if got.Status != want || got.Canceled != 3 || len(got.Waiting) != 0 {
				t.Errorf("%+v", got)
			}
		})
	}
}

// Recipients are canceled while two processes dial. Nobody is called after the answer, and the campaign ends.
func TestCancellationsBesideTheDialer(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	const people = 120
	d := b.draft(people)
	d.CallsPerSecond, d.MaxConcurrency = ptr(1000.0), ptr(10)
	d.Retry = &campaign.RetryInput{MaxAttempts: ptr(3), DelaysMinutes: []int{0}}
	c := b.create(t, d)
	var ids []uuid.UUID
	for _, r := range b.recipients(t, c.ID) {
		ids = append(ids, r.ID)
	}
	ctx, stop := context.WithCancel(context.Background())
	var work sync.WaitGroup
	b.race(ctx, t, &work)
	defer work.Wait()
	defer stop()
	attempts := map[uuid.UUID]int{} // at the time of the cancellation
	for i, id := range ids[:people-10] {
		if i%10 == 0 {
			b.endAll(t, call.OutcomeBusy)
		}
		r, err := b.svc.CancelRecipient(t.Context(), b.actor, c.ID, id)
		if fault.KindOf(err) == fault.Conflict { // all attempts were made
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		attempts[id] = r.Attempts
	}
	b.until(t, "the campaign ends", func() bool {
		b.endAll(t, call.OutcomeBusy)
		return b.get(t, c.ID).Status == campaign.Completed
	})
	stop()
	work.Wait()
	got := b.checkCounters(t, c.ID)
	canceled := 0
	for _, r := range b.recipients(t, c.ID) {
		if n, ok := attempts[r.ID]; ok {
			if r.Attempts != n || n == 0 && r.Status != campaign.RecipientCanceled {
				t.Errorf("%+v had %d attempts when canceled", r, n)
			}
			if r.Status == campaign.RecipientCanceled {
				canceled++
			}
		} else if r.Attempts != 3 || r.Status != campaign.RecipientFailed {
			t.Errorf("%+v", r)
		}
	}
	if got.Canceled != canceled || len(attempts) < people/2 {
		t.Errorf("%d of %d were canceled: %+v", canceled, len(attempts), got)
	}
}

func TestPrioritizedRecipientsAreCalledFirst(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	d := fast(b.draft(6))
	d.MaxConcurrency = ptr(1)
	c := b.create(t, d)
	all := b.recipients(t, c.ID)
	for range 2 { // twice is like once
		r, err := b.svc.PrioritizeRecipient(t.Context(), b.actor, c.ID, all[testNumber(5)].ID)
		if err != nil || r.PrioritizedAt == nil || r.Status != campaign.RecipientPending {
			t.Fatalf("%+v, %v", r, err)
		}
	}
	results, err := b.svc.PrioritizeRecipients(t.Context(), b.actor, c.ID, campaign.Chosen{
		IDs: []string{all[testNumber(3)].ID.String(), all[testNumber(5)].ID.String()},
	})
	if err != nil || results[0].Result != campaign.RecipientWasPrioritized {
		t.Fatalf("%+v, %v", results, err)
	}
	var order []string
	for range 6 {
		b.again(t, c.ID)
		before := len(order)
		for number := range b.network.dialed {
			if !slices.Contains(order, number) {
				order = append(order, number)
			}
		}
		if len(order) != before+1 {
			t.Fatalf("dialed %v", order)
		}
		if _, err := b.svc.PrioritizeRecipient(t.Context(), b.actor, c.ID, all[order[0]].ID); err == nil ||
			!strings.Contains(err.Error(), "can no longer be prioritized") {
			t.Errorf("prioritizing a recipient who was called: %v", err)
		}
		b.endAll(t, call.OutcomeCompleted)
		b.settle(t)
	}
	want := []string{testNumber(3), testNumber(5), testNumber(0), testNumber(1), testNumber(2), testNumber(4)}
	if !slices.Equal(order, want) {
		t.Errorf("dialed in the order %v", order)
	}
}

// A prioritized recipient whose calling hours are closed waits, although many others with the same hours are due
// before.
func TestAPrioritizedRecipientWaitsForCallingHours(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	d := fast(b.draft(300))
	opens := tomorrow(12)
	d.CallingHours = window(opens, time.Hour)
	d.Recipients.Add(intake.Recipient{PhoneNumber: "+447700900123", Timezone: "UTC"})
	c := b.create(t, d)
	b.exec(t, `update recipient set due_at = clock() - interval '1 minute', wait_reason = null where campaign_id = $1`,
		c.ID)
	last := b.recipients(t, c.ID)[testNumber(299)]
	if _, err := b.svc.PrioritizeRecipient(t.Context(), b.actor, c.ID, last.ID); err != nil {
		t.Fatal(err)
	}
	b.again(t, c.ID)
	if r := b.recipients(t, c.ID)[testNumber(299)]; r.DueAt.Before(time.Now()) || r.Attempts != 0 {
		t.Errorf("%+v", r)
	}
}

// The message before a call is withdrawn, and after the call in progress nobody is told that they were not reached.
func TestMessagesToCanceledRecipients(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.whatsapp(t)
	before := b.create(t, b.writing(2, campaign.TriggerBeforeCall, "heads_up", `{}`))
	b.again(t, before.ID)
	if n := len(b.planned(t, before.ID)); n != 2 {
		t.Fatalf("%d messages", n)
	}
	if _, err := b.cancelOne(t, before.ID, testNumber(0)); err != nil {
		t.Fatal(err)
	}
	b.await(t, before.ID, messaging.Canceled, 1)
	b.checkCounters(t, before.ID)

	after := b.create(t, fast(b.writing(2, campaign.TriggerNoAnswer, "heads_up", `{}`)))
	b.exec(t, `update campaign set status = 'paused' where id = $1`, before.ID)
	b.again(t, after.ID)
	if _, err := b.cancelOne(t, after.ID, testNumber(0)); err != nil {
		t.Fatal(err)
	}
	b.endAll(t, call.OutcomeNoAnswer)
	b.settle(t)
	if n := len(b.planned(t, after.ID)); n != 1 {
		t.Errorf("%d messages after calls that nobody answered, want that of the recipient who was not canceled", n)
	}
}

func TestAChangedRecipientIsCalledAsChanged(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	d := fast(b.draft(3))
	d.MaxConcurrency = ptr(2)
	d.Retry = &campaign.RetryInput{MaxAttempts: ptr(2), DelaysMinutes: []int{0}}
	c := b.create(t, d)
	all := b.recipients(t, c.ID)
	change := func(number string, ch campaign.RecipientChange) (campaign.Recipient, error) {
		return b.svc.UpdateRecipient(t.Context(), b.actor, c.ID, all[number].ID, ch, nil)
	}
	r, err := change(testNumber(0), campaign.RecipientChange{
		PhoneNumber: ptr(testNumber(9)), Name: ptr(ptr("Ana")), Timezone: ptr(ptr("Europe/Madrid")),
		Variables: []byte(`{"amount": "12"}`),
	})
	if err != nil || r.PhoneNumber != testNumber(9) || r.Name != "Ana" || r.ZoneSource != campaign.ZoneOfRecipient ||
		!slices.Equal(r.Zones, []string{"Europe/Madrid"}) {
		t.Fatalf("%+v, %v", r, err)
	}
	for number, text := range map[string]string{
		testNumber(2): "phone_number: used by another recipient of this campaign",
		"+1312":       "phone_number: ",
	} {
		if _, err := change(testNumber(1), campaign.RecipientChange{PhoneNumber: &number}); err == nil ||
			!strings.HasPrefix(err.Error(), text) {
			t.Errorf("a change to %s: %v", number, err)
		}
	}
	b.dial(t)
	if b.network.dials(testNumber(9)) != 1 || b.network.dials(testNumber(0)) != 0 {
		t.Errorf("dialed %v", b.network.dialed)
	}
	const amount = `select variables ->> 'amount' from call where person_number = $1`
	if v := value[string](t, b, amount, testNumber(9)); v != "12" {
		t.Errorf("the amount is %s", v)
	}
	if _, err := change(testNumber(0), campaign.RecipientChange{Name: ptr(ptr("Eva"))}); fault.KindOf(err) !=
		fault.Conflict {
		t.Errorf("a change during the call: %v", err)
	}
	b.endAll(t, call.OutcomeBusy)
	b.settle(t)
	if _, err := change(testNumber(0), campaign.RecipientChange{PhoneNumber: ptr(testNumber(8))}); err == nil ||
		err.Error() != "phone_number: cannot be changed after the first attempt" {
		t.Errorf("another number after the first attempt: %v", err)
	}
	r, err = change(testNumber(0), campaign.RecipientChange{Name: ptr((*string)(nil))})
	if err != nil || r.Name != "" {
		t.Errorf("%+v, %v", r, err)
	}
	b.checkCounters(t, c.ID)
}
