package dialer

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/hours"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/internal/project"
	"github.com/dialwright/dialwright/internal/testwait"
)

// own returns the drafts of n calls of their own, to the numbers from the one at first.
func (b *bench) own(first, n int) *campaign.CallDrafts {
	ds := &campaign.CallDrafts{Batch: true}
	for i := range n {
		ds.Calls = append(ds.Calls, &campaign.CallDraft{
			To: testNumber(first + i), ProjectID: b.project.String(), AgentID: b.agent.String(),
			PhoneNumberID: b.number.String(), Name: fmt.Sprintf("Person %d", first+i), ExternalID: "contact",
		})
	}
	return ds
}

// request schedules calls of their own.
func (b *bench) request(t testing.TB, ds *campaign.CallDrafts) []call.Call {
	t.Helper()
	made, err := b.svc.Call(t.Context(), b.actor, ds)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

func (b *bench) call(t testing.TB, id uuid.UUID) call.Call {
	t.Helper()
	c, _, err := b.calls.Get(t.Context(), b.actor.OrganizationID, id)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// A call of its own is a call from the request on, and stays the same call until its end. No list of campaigns and
// recipients knows of it.
func TestACallOfItsOwn(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.subscribe(t, "*")
	made := b.request(t, b.own(1, 1))[0]
	if made.Status != call.StatusScheduled || made.PersonNumber != testNumber(1) || made.Attempt != 1 ||
		*made.FirstCallID != made.ID || *made.ExternalID != "contact" || made.PhoneNumberID != b.number {
		t.Fatalf("%+v", made)
	}
	list := func(f call.Filter) (ids []uuid.UUID) {
		t.Helper()
		found, err := b.calls.List(t.Context(), b.actor.OrganizationID, f)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range found.Data {
			ids = append(ids, c.ID)
		}
		return ids
	}
	for _, f := range []call.Filter{
		{}, {Statuses: []call.Status{call.StatusScheduled}}, {AgentID: &b.agent}, {ProjectID: &b.project},
		{PersonNumber: testNumber(1)}, {PhoneNumberID: &b.number},
		{Statuses: []call.Status{call.StatusScheduled, call.Busy}},
	} {
		if ids := list(f); !slices.Equal(ids, []uuid.UUID{made.ID}) {
			t.Errorf("the filter %+v finds %v", f, ids)
		}
	}
	if ids := list(call.Filter{Statuses: []call.Status{call.Queued}}); len(ids) > 0 {
		t.Errorf("%d queued calls", len(ids))
	}
	b.dial(t)
	placed := b.call(t, made.ID)
	if placed.Status != call.Queued || placed.StartedAt == nil || placed.CampaignID != nil ||
		*placed.ExternalID != "contact" || placed.Waiting != nil {
		t.Fatalf("%+v", placed)
	}
	b.endAll(t, call.OutcomeCompleted)
	b.settle(t)
	if c := b.call(t, made.ID); c.Outcome != call.OutcomeCompleted || c.NextCallID != nil {
		t.Errorf("%+v", c)
	}
	if n := b.network.dials(testNumber(1)); n != 1 {
		t.Errorf("%d calls", n)
	}
	got := value[[]string](t, b, `select array_agg(type order by id) from event where type <> 'call.analyzed'`)
	if want := []string{"call.scheduled", "call.started", "call.answered", "call.completed"}; !slices.Equal(got, want) {
		t.Errorf("events %v", got)
	}
	campaigns, err := b.svc.List(t.Context(), b.actor.OrganizationID, campaign.ListOptions{})
	if err != nil || len(campaigns.Data) > 0 {
		t.Errorf("%d campaigns, %v", len(campaigns.Data), err)
	}
	standing := value[uuid.UUID](t, b, `select id from campaign`)
	if _, err := b.svc.Cancel(t.Context(), b.actor, standing); fault.KindOf(err) != fault.NotFound {
		t.Errorf("the standing campaign was canceled: %v", err)
	}
	found, err := b.svc.RecipientsOf(t.Context(), b.actor.OrganizationID, phone.Number(testNumber(1)), page.Request{})
	if err != nil || len(found.Data) > 0 {
		t.Errorf("%d recipients, %v", len(found.Data), err)
	}
	if n := value[int](t, b, `select count(*) from campaign_log_entry`); n > 0 {
		t.Errorf("%d log entries", n)
	}
	// The figures of the project have the call.
	hours, err := b.calls.Hours(t.Context(), b.actor.OrganizationID, call.Scope{ProjectID: &b.project},
		time.Now().Add(-24*time.Hour), time.Now().Add(24*time.Hour))
	if err != nil || len(hours) != 1 || hours[0].Completed != 1 {
		t.Errorf("hours %+v, %v", hours, err)
	}
	// What the calls used can be removed.
	if err := b.projects().DeactivateAgent(t.Context(), b.actor, b.agent); err != nil {
		t.Error(err)
	}
}

// Calls with the same settings share one standing campaign.
func TestStandingCampaignsAreShared(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.request(t, b.own(1, 3))
	b.request(t, b.own(4, 3))
	other := b.own(7, 1)
	other.Calls[0].VoicemailAction = campaign.LeaveMessage
	b.request(t, other)
	if n := value[int](t, b, `select count(*) from campaign`); n != 2 {
		t.Errorf("%d standing campaigns", n)
	}
}

// A call waits for its time and its calling hours, says until when, and is placed then.
func TestAScheduledCallWaits(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	at := time.Now().Add(3 * time.Hour).Truncate(time.Millisecond)
	later, closed := b.own(1, 1), b.own(2, 1)
	later.Calls[0].ScheduledAt = &at
	day := strings.ToLower(time.Now().UTC().AddDate(0, 0, 3).Weekday().String()[:3])
	never := hours.Hours{Timezone: "UTC", Windows: []hours.Window{{
		Days: []hours.Day{hours.Day(day)}, Start: "09:00", End: "10:00",
	}}}
	closed.Calls[0].CallingHours = &never
	first, second := b.request(t, later)[0], b.request(t, closed)[0]
	b.dial(t)
	if w := b.call(t, first.ID).Waiting; w == nil || w.Reason != campaign.WaitScheduled ||
		!time.Time(*w.Until).Equal(at) {
		t.Errorf("the call for later waits for %+v", w)
	}
	if w := b.call(t, second.ID).Waiting; w == nil || w.Reason != campaign.WaitCallingHours || w.Until == nil {
		t.Errorf("the call outside of its hours waits for %+v", w)
	}
	b.exec(t, `update recipient set due_at = clock() where next_call_id = $1`, first.ID)
	b.exec(t, `update campaign set dial_at = clock()`)
	b.dial(t)
	if c := b.call(t, first.ID); c.Status != call.Queued {
		t.Errorf("%+v", c)
	}
}

// A call that was not reached gets further attempts, each a call of its own that names the first one.
func TestAnotherAttempt(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ds := b.own(1, 1)
	ds.Calls[0].Retry = &campaign.RetryInput{MaxAttempts: ptr(2), DelaysMinutes: []int{0}}
	first := b.request(t, ds)[0]
	b.dial(t)
	b.endAll(t, call.OutcomeBusy)
	b.settle(t)
	ended := b.call(t, first.ID)
	if ended.Outcome != call.OutcomeBusy || ended.NextCallID == nil {
		t.Fatalf("%+v", ended)
	}
	second := b.call(t, *ended.NextCallID)
	if second.Status != call.StatusScheduled || second.Attempt != 2 || *second.FirstCallID != first.ID {
		t.Fatalf("%+v", second)
	}
	b.dial(t)
	b.endAll(t, call.OutcomeBusy)
	b.settle(t)
	if c := b.call(t, second.ID); c.Outcome != call.OutcomeBusy || c.NextCallID != nil || c.Attempt != 2 {
		t.Errorf("%+v", c)
	}
	if n := b.network.dials(testNumber(1)); n != 2 {
		t.Errorf("%d calls", n)
	}
}

// A person who is put on the do-not-call list during an attempt gets no further one.
func TestNoOtherAttemptForListedNumbers(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ds := b.own(1, 2)
	for _, d := range ds.Calls {
		d.Retry = &campaign.RetryInput{MaxAttempts: ptr(2), DelaysMinutes: []int{60}}
	}
	made := b.request(t, ds)
	b.dial(t)
	b.exec(t, `insert into do_not_call (id, organization_id, phone_number, source)
		values (gen_random_uuid(), $1, $2, 'user')`, b.actor.OrganizationID, testNumber(1))
	b.endAll(t, call.OutcomeBusy)
	b.settle(t)
	for i, c := range made {
		if got := b.call(t, c.ID); got.Outcome != call.OutcomeBusy || (got.NextCallID == nil) != (i == 0) {
			t.Errorf("call %d: %+v", i, got)
		}
	}
}

// A canceled call is never placed. A call that is being placed can't be canceled any more.
func TestCancelACall(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.subscribe(t, "call.completed")
	made := b.request(t, b.own(1, 2))
	if err := b.svc.CancelCall(t.Context(), b.actor, made[0].ID); err != nil {
		t.Fatal(err)
	}
	if err := b.calls.End(t.Context(), b.actor, made[1].ID); fault.KindOf(err) != fault.Conflict {
		t.Errorf("a scheduled call was hung up: %v", err)
	}
	b.settle(t)
	b.dial(t)
	c := b.call(t, made[0].ID)
	if c.Status != call.Canceled || c.EndedReason != call.ReasonCanceledByUser || c.StartedAt != nil {
		t.Errorf("%+v", c)
	}
	if n := value[int](t, b, `select count(*) from event where subject_id = $1`, c.ID); n != 1 {
		t.Errorf("%d events of the canceled call", n)
	}
	if b.network.dials(testNumber(1)) != 0 || b.network.dials(testNumber(2)) != 1 {
		t.Error("the wrong call was placed")
	}
	for _, id := range []uuid.UUID{made[0].ID, made[1].ID} {
		if err := b.svc.CancelCall(t.Context(), b.actor, id); fault.KindOf(err) != fault.Conflict {
			t.Errorf("a second cancellation: %v", err)
		}
	}
	stranger := b.actor
	stranger.OrganizationID = uuid.New()
	for _, id := range []uuid.UUID{made[1].ID, uuid.New()} {
		if err := b.svc.CancelCall(t.Context(), stranger, id); fault.KindOf(err) != fault.NotFound {
			t.Errorf("a stranger's cancellation: %v", err)
		}
	}
}

// Cancellations race with the claims of two processes: each call is either canceled and never placed, or placed once.
func TestCancelBesideClaims(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	const calls = 60
	made := b.request(t, b.own(1, calls))
	ctx, stop := context.WithCancel(context.Background())
	var processes, people sync.WaitGroup
	b.race(ctx, t, &processes)
	var mu sync.Mutex
	canceled := map[uuid.UUID]bool{}
	for worker := range 4 {
		people.Go(func() {
			for i := worker; i < calls; i += 4 {
				err := b.svc.CancelCall(context.Background(), b.actor, made[i].ID)
				if err != nil && fault.KindOf(err) != fault.Conflict {
					t.Error(err)
				}
				mu.Lock()
				canceled[made[i].ID] = err == nil
				mu.Unlock()
			}
		})
	}
	people.Wait()
	for began := time.Now(); value[int](t, b, `select count(*) from recipient where status = 'pending'`) > 0; {
		if time.Since(began) > testwait.Limit {
			t.Fatal("calls are not placed")
		}
	}
	stop()
	processes.Wait()
	b.settle(t)
	for _, c := range made {
		dials, now := b.network.dials(c.PersonNumber), b.call(t, c.ID)
		if canceled[c.ID] != (dials == 0) || dials > 1 || canceled[c.ID] != (now.Status == call.Canceled) {
			t.Errorf("canceled %t, %d dials, %s", canceled[c.ID], dials, now.Status)
		}
	}
}

// A process that dies between the claim and the request loses no call and dials nobody twice.
func TestAnOwnCallWhoseProcessDies(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	first := b.request(t, b.own(1, 1))[0]
	d := b.dialer
	due, _, now, err := d.due(t.Context())
	if err != nil || len(due) != 1 || !due[0].Standing {
		t.Fatalf("%+v, %v", due, err)
	}
	if p, err := d.tryPass(t.Context(), due[0], 10, now); err != nil || len(p.queued) != 1 { // and never placed
		t.Fatal(err)
	}
	if err := b.svc.CancelCall(t.Context(), b.actor, first.ID); fault.KindOf(err) != fault.Conflict {
		t.Errorf("a claimed call was canceled: %v", err)
	}
	b.exec(t, `update call set lease_until = clock() - interval '1 second'`)
	if _, err := b.calls.Reconcile(t.Context()); err != nil {
		t.Fatal(err)
	}
	b.settle(t)
	lost := b.call(t, first.ID)
	if lost.EndedReason != call.ReasonNotPlaced || lost.NextCallID == nil {
		t.Fatalf("%+v", lost)
	}
	b.dial(t)
	if c := b.call(t, *lost.NextCallID); c.StartedAt == nil || c.Attempt != 1 {
		t.Errorf("%+v", c)
	}
	if n := b.network.dials(testNumber(1)); n != 1 {
		t.Errorf("%d calls", n)
	}
}

// What forbids a call between the request and the claim ends it, with a reason and an event.
func TestWhatEndsAScheduledCall(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		draft  func(*campaign.CallDraft)
		forbid func(*bench)
		want   call.Reason
		status call.Status
	}{
		"do-not-call list": {nil, func(b *bench) {
			b.exec(t, `insert into do_not_call (id, organization_id, phone_number, source)
				values (gen_random_uuid(), $1, $2, 'user')`, b.actor.OrganizationID, testNumber(1))
		}, call.ReasonDoNotCall, call.Canceled},
		"consent": {nil, func(b *bench) {
			b.exec(t, `update organization set consent_required = true`)
		}, call.ReasonNoConsent, call.Canceled},
		"expiry": {func(d *campaign.CallDraft) {
			d.ExpiresAt = ptr(time.Now().Add(time.Hour))
		}, func(b *bench) {
			b.exec(t, `update recipient set expires_at = clock() - interval '1 second'`)
		}, call.ReasonExpired, call.Canceled},
		"expiry while calling is stopped": {func(d *campaign.CallDraft) {
			d.ExpiresAt = ptr(time.Now().Add(time.Hour))
		}, func(b *bench) {
			b.exec(t, `update organization set calling_stopped_at = clock(), calling_stopped_by = 'Ada'`)
			b.exec(t, `update recipient set expires_at = clock() - interval '1 second'`)
		}, call.ReasonExpired, call.Canceled},
		"the number is gone": {nil, func(b *bench) {
			b.exec(t, `update phone_number set deactivated_at = clock()`)
		}, call.ReasonRemoved, call.Failed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			b.subscribe(t, "call.completed")
			ds := b.own(1, 1)
			if c.draft != nil {
				c.draft(ds.Calls[0])
			}
			id := b.request(t, ds)[0].ID
			c.forbid(b)
			b.dial(t)
			b.settle(t)
			got := b.call(t, id)
			if got.EndedReason != c.want || got.Status != c.status || b.network.dials(testNumber(1)) > 0 {
				t.Errorf("%s %s", got.Status, got.EndedReason)
			}
			if n := value[int](t, b, `select count(*) from event where subject_id = $1`, id); n != 1 {
				t.Errorf("%d events", n)
			}
		})
	}
}

// A call to a country that the carrier account may not call ends with the carrier's words. No other call waits for it:
// each is requested, so calls go through as soon as the account may call the country.
func TestOwnCallsToARefusedCountry(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.subscribe(t, "call.completed")
	b.answering(noGermany)
	to := func(number string) uuid.UUID {
		ds := b.own(1, 1)
		ds.Calls[0].To = number
		return b.request(t, ds)[0].ID
	}
	for i := range 2 * mostCountryRefusals {
		id := to(german(i))
		b.work(t)
		got := b.call(t, id)
		if got.EndedReason != call.ReasonCountryRefused || got.Detail != "no calls there" ||
			*got.CarrierCode != "21215" || got.NextCallID != nil {
			t.Fatalf("call %d: %+v", i, got)
		}
		if n := value[int](t, b, `select count(*) from event where subject_id = $1`, id); n != 1 {
			t.Errorf("%d events", n)
		}
	}
	b.answering(nil)
	id := to(german(99))
	b.work(t)
	b.endAll(t, call.OutcomeCompleted)
	b.settle(t)
	if got := b.call(t, id); got.Outcome != call.OutcomeCompleted {
		t.Errorf("%+v", got)
	}
}

// A call to a number on the list, or without a required consent, is refused at the request. The refusal names the call
// and the field, and nothing is scheduled.
func TestRefusedRequests(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.exec(t, `insert into do_not_call (id, organization_id, phone_number, source)
		values (gen_random_uuid(), $1, $2, 'user')`, b.actor.OrganizationID, testNumber(2))
	_, err := b.svc.Call(t.Context(), b.actor, b.own(1, 3))
	if f := fault.As(err); f == nil || f.Kind != fault.Unprocessable || f.Fields[0].Path != "calls[1].to" {
		t.Errorf("%v", err)
	}
	ds := b.own(1, 3)
	ds.Calls[2].AgentID = uuid.NewString()
	ds.Calls[1].To = "nonsense"
	if _, err := b.svc.Call(t.Context(), b.actor, ds); fault.KindOf(err) != fault.Invalid ||
		fault.As(err).Fields[0].Path != "calls[1].to" {
		t.Errorf("%v", err)
	}
	ds.Calls[1].To = testNumber(9)
	if _, err := b.svc.Call(t.Context(), b.actor, ds); fault.KindOf(err) != fault.Invalid ||
		fault.As(err).Fields[0].Path != "calls[2].agent_id" {
		t.Errorf("%v", err)
	}
	b.exec(t, `update organization set consent_required = true`)
	one := b.own(9, 1)
	one.Batch = false
	if _, err := b.svc.Call(t.Context(), b.actor, one); fault.KindOf(err) != fault.Unprocessable ||
		fault.As(err).Fields[0].Path != "consent" {
		t.Errorf("%v", err)
	}
	if _, err := b.svc.Call(t.Context(), b.actor, b.own(1, campaign.MaxCalls+1)); fault.KindOf(err) != fault.Invalid {
		t.Errorf("%v", err)
	}
	if n := value[int](t, b, `select count(*) from recipient`); n > 0 {
		t.Errorf("%d calls are scheduled", n)
	}
}

// A thousand calls in one request.
func TestAThousandCalls(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.exec(t, `update connection set calls_per_second = null`)
	made := b.request(t, b.own(1, campaign.MaxCalls))
	for i, c := range made {
		if c.PersonNumber != testNumber(1+i) {
			t.Fatalf("call %d is to another number", i)
		}
	}
	seen := map[uuid.UUID]bool{}
	var f call.Filter
	for pages := 0; ; pages++ {
		list, err := b.calls.List(t.Context(), b.actor.OrganizationID, f)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range list.Data {
			seen[c.ID] = true
		}
		if list.NextCursor == nil {
			break
		}
		if f.Cursor = *list.NextCursor; pages == 10 {
			b.dial(t) // calls that are placed meanwhile move to the first page
		}
	}
	if len(seen) < campaign.MaxCalls-claimMost {
		t.Errorf("the pages have %d calls", len(seen))
	}
}

// A callback that nobody makes needs a person, who reads of no campaign.
func TestCallbacksOfOwnCalls(t *testing.T) {
	t.Parallel()
	soon := time.Now().Add(3 * time.Hour).Truncate(time.Minute)
	for action, want := range map[campaign.IntentAction][]string{
		campaign.IntentStop: {
			"1 call_back: Asked to be called back. The call was requested without callbacks (due)",
		},
		campaign.IntentRetry: {
			"1 call_back: Asked to be called back. The call was requested without callbacks (due)",
		},
		campaign.IntentCallBack: nil,
	} {
		b := newBench(t)
		ds := b.own(1, 1)
		ds.Calls[0].Retry = &campaign.RetryInput{MaxAttempts: ptr(2)}
		ds.Calls[0].Intents.CallBack = action
		b.request(t, ds)
		b.dial(t)
		b.endWith(t, 1, conversation.CallBack, &soon)
		b.settle(t)
		b.wantFollowUps(t, want...)
	}
}

// The list of scheduled calls alone has the earliest first, also where calls are due at the same time, and so has the
// export.
func TestScheduledCallsByDueTime(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	day := time.Now().Add(24 * time.Hour).Truncate(time.Millisecond)
	const calls = 12
	for i := range calls {
		ds := b.own(1+i, 1)
		at := day.Add(time.Duration(i*5%calls/3) * time.Hour) // each time has three calls
		ds.Calls[0].ScheduledAt = &at
		b.request(t, ds)
	}
	// Calls to a country that the carrier refuses have no due time. They come last.
	b.exec(t, `update recipient set due_at = null, wait_reason = $1
		where id in (select id from recipient order by due_at desc limit 5)`, campaign.WaitCountry)
	f := call.Filter{Statuses: []call.Status{call.StatusScheduled}}
	for _, bounds := range []struct {
		after, before time.Time
		want          int
	}{
		{want: calls}, {after: day.Add(-time.Hour)}, {before: day, want: calls},
	} {
		var ids []string
		var last time.Time
		f.Request = page.Request{Limit: 4, CreatedAfter: bounds.after, CreatedBefore: bounds.before}
		for {
			list, err := b.calls.List(t.Context(), b.actor.OrganizationID, f)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range list.Data {
				due := time.Now().AddDate(100, 0, 0)
				if c.DueAt != nil {
					due = *c.DueAt
				}
				if due.Before(last) || slices.Contains(ids, c.ID.String()) {
					t.Errorf("a call due at %s follows one due at %s", due, last)
				}
				ids, last = append(ids, c.ID.String()), due
			}
			if list.NextCursor == nil {
				break
			}
			f.Cursor = *list.NextCursor
		}
		if len(ids) != bounds.want {
			t.Errorf("%+v: %d calls, want %d", bounds, len(ids), bounds.want)
		}
		var exported []string
		due := slices.Index(call.ExportHeader, "due_at")
		for row, err := range b.calls.Export(t.Context(), b.actor.OrganizationID, f) {
			if err != nil || (row[due] == "") != (len(exported) >= bounds.want-5) {
				t.Fatal(row, err)
			}
			exported = append(exported, row[0])
		}
		if !slices.Equal(exported, ids) {
			t.Errorf("%+v: the export has another order", bounds)
		}
	}
}

// Pages have scheduled calls beside others, each call once and newest first, and so has the export.
func TestPagesOfScheduledCalls(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	tomorrow := time.Now().Add(24 * time.Hour)
	var ids []uuid.UUID
	for i := range 6 {
		later := b.own(1+10*i, 3)
		for _, d := range later.Calls {
			d.ScheduledAt, d.ExternalID = &tomorrow, fmt.Sprint("contact ", i%2)
		}
		b.request(t, later)
		now := b.request(t, b.own(5+10*i, 1))[0]
		if err := b.svc.CancelCall(t.Context(), b.actor, now.ID); err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range []struct {
		call.Filter
		want int
	}{
		{call.Filter{}, 24},
		{call.Filter{Statuses: []call.Status{call.StatusScheduled}}, 18},
		{call.Filter{ExternalID: "contact 0"}, 9},
		{call.Filter{ExternalID: "contact"}, 6},
		{call.Filter{ExternalID: "contact 1", AgentID: &b.agent}, 9},
	} {
		ids = ids[:0]
		var last time.Time
		for f.Limit = 5; ; {
			list, err := b.calls.List(t.Context(), b.actor.OrganizationID, f.Filter)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range list.Data {
				if slices.Contains(ids, c.ID) || !f.DueFirst() && !last.IsZero() && c.CreatedAt.After(last) {
					t.Errorf("%+v: call %s of %s follows %s", f.Filter, c.ID, c.CreatedAt, last)
				}
				ids, last = append(ids, c.ID), c.CreatedAt
			}
			if list.NextCursor == nil {
				break
			}
			f.Cursor = *list.NextCursor
		}
		exported := 0
		f.Request = page.Request{}
		for row, err := range b.calls.Export(t.Context(), b.actor.OrganizationID, f.Filter) {
			if err != nil {
				t.Fatal(err)
			}
			if exported++; row[0] != ids[exported-1].String() {
				t.Errorf("%+v: the export has another order", f.Filter)
			}
		}
		if len(ids) != f.want || exported != f.want {
			t.Errorf("%+v: %d calls, %d in the export, want %d", f.Filter, len(ids), exported, f.want)
		}
	}
}

// Calls of their own go first, but take at most half of what the connection may start while a campaign waits.
func TestOwnCallsShareAConnection(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		concurrency any
		pace        any
	}{
		"concurrency 1": {1, nil}, "concurrency 2": {2, nil}, "concurrency 7": {7, nil}, "concurrency 10": {10, nil},
		"pace": {nil, 40.0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			b.exec(t, `update connection set max_concurrency = $1, calls_per_second = $2`, c.concurrency, c.pace)
			d := fast(b.draft(200))
			b.create(t, d)
			b.request(t, b.own(1000, 200))
			own := func() int {
				return value[int](t, b, `select count(*) from call where campaign_id is null`)
			}
			of := func() int { return value[int](t, b, `select count(*) from call where campaign_id is not null`) }
			before := 0
			for began := time.Now(); before < 40; {
				if time.Since(began) > testwait.Limit {
					t.Fatal("calls are not placed")
				}
				b.dial(t)
				if before == 0 && own()+of() > 0 && own() == 0 {
					t.Error("the campaign went first")
				}
				before = own() + of()
				most := 6 // of a burst after a late pass
				if n, ok := c.concurrency.(int); ok {
					most = (n + 1) / 2
				}
				if o, f := own(), of(); o > f+most {
					t.Errorf("%d calls of their own, %d of the campaign", o, f)
				}
				for i, id := range b.network.up() {
					if i%2 == 0 || c.pace != nil {
						b.tell(t, id, ends(call.OutcomeCompleted)...)
					}
				}
				b.settle(t)
			}
			// On a slow machine, the pace allows the campaign more by the time of its pass.
			if o, f := own(), of(); o < f/8 {
				t.Errorf("%d calls of their own, %d of the campaign: they were starved", o, f)
			}
		})
	}
}

// Without campaigns that wait, calls of their own use the whole connection.
func TestOwnCallsAlone(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.exec(t, `update connection set max_concurrency = 8, calls_per_second = null`)
	b.request(t, b.own(1, 20))
	b.dial(t)
	if n := len(b.network.up()); n != 8 {
		t.Errorf("%d calls", n)
	}
	waiting := 0
	for _, c := range b.scheduled(t) {
		if c.Waiting != nil && c.Waiting.Reason == campaign.WaitConnectionConcurrency {
			waiting++
		}
	}
	if waiting != 12 {
		t.Errorf("%d calls say that they wait for the connection", waiting)
	}
}

func (b *bench) scheduled(t testing.TB) []call.Call {
	t.Helper()
	list, err := b.calls.List(t.Context(), b.actor.OrganizationID, call.Filter{
		Statuses: []call.Status{call.StatusScheduled},
	})
	if err != nil {
		t.Fatal(err)
	}
	return list.Data
}

// A connection that fails does not lose calls of their own: they are tried again, one at a time, and end after a while.
func TestOwnCallsOfAFailingConnection(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.network.answer = func(carrier.Placement) error {
		return &carrier.Error{Kind: carrier.Unusable, Reason: "the carrier is down", Code: "http_503"}
	}
	id := b.request(t, b.own(1, 1))[0].ID
	b.exec(t, `update connection set consecutive_errors = $1, last_error = 'the carrier is down'`, project.MostErrors)
	b.dial(t) // begins to probe
	attempts := 0
	for next := &id; next != nil; attempts++ {
		b.exec(t, `update recipient set due_at = clock() where status = 'pending'`)
		b.exec(t, `update campaign set dial_at = clock()`)
		b.dial(t)
		b.settle(t)
		c := b.call(t, *next)
		if c.EndedReason != call.ReasonCarrierUnavailable || attempts > mostNotPlaced {
			t.Fatalf("after %d attempts: %+v", attempts, c)
		}
		next = c.NextCallID
	}
	if attempts != mostNotPlaced {
		t.Errorf("%d attempts", attempts)
	}
}

// All calling that is stopped makes calls of their own wait, and they go on when it is allowed.
func TestStoppedOwnCalls(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	id := b.request(t, b.own(1, 1))[0].ID
	if _, err := b.calling.Stop(t.Context(), b.actor, true); err != nil {
		t.Fatal(err)
	}
	b.dial(t)
	if w := b.call(t, id).Waiting; w == nil || w.Reason != campaign.WaitCallingStopped ||
		*w.Detail != "Stopped by Ada" {
		t.Errorf("%+v", w)
	}
	if err := b.calling.Allow(t.Context(), b.actor); err != nil {
		t.Fatal(err)
	}
	b.dial(t)
	if c := b.call(t, id); c.StartedAt == nil {
		t.Errorf("%+v", c)
	}
}
