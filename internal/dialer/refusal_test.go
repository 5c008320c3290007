package dialer

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/campaign/intake"
	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/project"
)

// german returns the i-th of many numbers in Germany.
func german(i int) string { return fmt.Sprintf("+4930%07d", 1000000+i) }

// abroad returns a draft with a few recipients in the United States and in Germany.
func (b *bench) abroad(americans, germans int) *campaign.Draft {
	d := fast(b.draft(americans))
	for i := range germans {
		d.Recipients.Add(intake.Recipient{PhoneNumber: german(i)})
	}
	return d
}

// answering sets the carrier's answer to every request.
func (b *bench) answering(answer func(carrier.Placement) error) {
	b.network.mu.Lock()
	defer b.network.mu.Unlock()
	b.network.answer = answer
}

// noGermany is a carrier account that may not call Germany.
func noGermany(p carrier.Placement) error {
	if strings.HasPrefix(p.To, "+49") {
		return &carrier.Error{
			Kind: carrier.Refused, Concern: carrier.ConcernCountry, Code: "21215", Reason: "no calls there",
		}
	}
	return nil
}

// work runs passes and settlements until nothing changes at once any more.
func (b *bench) work(t *testing.T) {
	t.Helper()
	for range 6 {
		b.dial(t)
		b.settle(t)
		b.Advance(passGap)
	}
}

// logged returns the messages of a campaign's log of a type.
func (b *bench) logged(t *testing.T, id uuid.UUID, kind campaign.LogType) []string {
	t.Helper()
	list, err := b.svc.Log(t.Context(), b.actor.OrganizationID, id, page.Request{Limit: page.MaxLimit})
	if err != nil {
		t.Fatal(err)
	}
	var messages []string
	for _, e := range list.Data {
		if e.Type == kind {
			messages = append(messages, e.Message(func(at time.Time) string { return at.String() }))
		}
	}
	return messages
}

// The first refusal of an account pauses its campaign and uses no attempt. A person resumes the
// campaign after the account works again.
func TestARefusedAccountPausesTheCampaign(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.answering(func(carrier.Placement) error {
		return &carrier.Error{
			Kind: carrier.Unusable, Concern: carrier.ConcernAccount, Code: "21219", Reason: "the account is a trial",
		}
	})
	d := b.draft(3)
	d.MaxConcurrency, d.CallsPerSecond = ptr(1), ptr(1000.0)
	c := b.create(t, d)
	b.dial(t)
	b.settle(t)
	got := b.checkCounters(t, c.ID)
	const why = "The carrier refused the account: the account is a trial (21219)"
	if got.Status != campaign.Paused || got.PauseReason == nil || *got.PauseReason != why || got.Pending != 3 {
		t.Fatalf("%+v", got)
	}
	if n := value[int](t, b, `select sum(attempts) from recipient`); n != 0 {
		t.Errorf("%d attempts were spent", n)
	}
	if log := b.logged(t, c.ID, campaign.LogPaused); len(log) != 1 || log[0] != "Paused automatically: "+why {
		t.Errorf("%q", log)
	}
	reason := value[string](t, b, `select ended_reason || ' ' || carrier_code || ' ' || detail from call`)
	if reason != "account_refused 21219 the account is a trial" {
		t.Error(reason)
	}

	b.answering(nil)
	if _, err := b.svc.Resume(t.Context(), b.actor, c.ID); err != nil {
		t.Fatal(err)
	}
	b.Advance(carrierLeast)
	for b.get(t, c.ID).Status != campaign.Completed {
		b.dial(t)
		b.endAll(t, call.OutcomeCompleted)
		b.settle(t)
		b.Advance(passGap)
	}
	b.checkCounters(t, c.ID)
}

// The recipients of a country that the account may not call wait, and the others are called.
// The log says so once. Nobody else of the country is dialed until a person resumes the
// campaign, not even a recipient who is added later.
func TestARefusedCountryWaits(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.answering(noGermany)
	d := b.abroad(20, 6)
	d.MaxConcurrency = ptr(4)
	c := b.create(t, d)
	// Three Germans are due first. The others are due when the answers are known.
	b.exec(t, `update recipient set due_at = due_at - interval '1 minute' where phone_number = any($1)`,
		[]string{german(0), german(1), german(2)})
	b.exec(t, `update campaign set max_concurrency = 1`)
	for range mostCountryRefusals {
		b.dial(t)
		b.settle(t)
		b.Advance(passGap)
	}
	b.exec(t, `update campaign set max_concurrency = 100`)
	b.work(t)
	b.Advance(waitingGap)
	b.work(t)

	refused := 0
	for number, r := range b.recipients(t, c.ID) {
		german := strings.HasPrefix(number, "+49")
		if german && (r.Status != campaign.RecipientPending || r.DueAt != nil || r.Attempts != 0 ||
			r.WaitReason == nil || *r.WaitReason != campaign.WaitCountry) {
			t.Errorf("%+v", r)
		}
		if german {
			refused++
		}
		if !german && b.network.dials(number) != 1 {
			t.Errorf("%s was dialed %d times", number, b.network.dials(number))
		}
	}
	asked := value[int](t, b, `select count(*) from call where ended_reason = 'country_refused'`)
	if asked != mostCountryRefusals || refused != 6 {
		t.Errorf("%d calls to %d recipients of a country that was refused before", asked, refused)
	}
	got := b.checkCounters(t, c.ID)
	if w := got.Waiting; got.Status != campaign.Running || len(w) != 1 || w[0].Reason != campaign.WaitCountry ||
		w[0].Recipients != 6 || w[0].Until != nil || w[0].Detail == nil || *w[0].Detail != "Germany" {
		t.Errorf("%+v", got)
	}
	log := b.logged(t, c.ID, campaign.LogCountryRefused)
	if len(log) != 1 || log[0] != "The carrier refused calls to Germany: no calls there (21215). "+
		"6 recipients wait until the campaign is paused and resumed" {
		t.Errorf("%q", log)
	}
	if log := b.logged(t, c.ID, campaign.LogCallsNotPlaced); len(log) != 0 {
		t.Errorf("%q", log)
	}

	// When nobody else is left, the campaign is paused.
	added := &campaign.Addition{Recipients: &intake.List{}}
	added.Recipients.Add(intake.Recipient{PhoneNumber: german(100)})
	if _, err := b.svc.Append(t.Context(), b.actor, c.ID, added); err != nil {
		t.Fatal(err)
	}
	b.work(t)
	if got := b.get(t, c.ID); got.Status != campaign.Running || b.network.dials(german(100)) != 0 {
		t.Errorf("while others are called: %+v", got)
	}
	b.endAll(t, call.OutcomeCompleted)
	b.settle(t)
	b.work(t)
	got = b.checkCounters(t, c.ID)
	if want := "The carrier refused calls to Germany: no calls there (21215)"; got.Status !=
		campaign.Paused || got.PauseReason == nil || *got.PauseReason != want || got.Pending != 7 {
		t.Fatalf("%+v", got)
	}

	b.answering(nil)
	if _, err := b.svc.Resume(t.Context(), b.actor, c.ID); err != nil {
		t.Fatal(err)
	}
	b.work(t)
	if got := b.checkCounters(t, c.ID); got.Dialing != 7 {
		t.Errorf("resumed: %+v", got)
	}
}

// If most of the waiting recipients are in a refused country, the campaign is paused at once.
func TestARefusedCountryOfMostRecipientsPausesTheCampaign(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.answering(noGermany)
	c := b.create(t, b.abroad(2, 6))
	b.exec(t, `update recipient set due_at = due_at - interval '1 minute' where phone_number like '+49%'`)
	b.exec(t, `update campaign set max_concurrency = 1`)
	b.work(t)
	got := b.checkCounters(t, c.ID)
	if got.Status != campaign.Paused || got.PauseReason == nil ||
		!strings.Contains(*got.PauseReason, "refused calls to Germany") || got.Pending != 8 {
		t.Fatalf("%+v", got)
	}
	if n := value[int](t, b, `select count(*) from call`); n != mostCountryRefusals {
		t.Errorf("%d calls", n)
	}

	// A resumed campaign finds out anew, with as few calls.
	if _, err := b.svc.Resume(t.Context(), b.actor, c.ID); err != nil {
		t.Fatal(err)
	}
	b.exec(t, `update recipient set due_at = due_at - interval '1 minute' where phone_number like '+49%'`)
	b.work(t)
	if got, n := b.get(t, c.ID), value[int](t, b, `select count(*) from call`); got.Status != campaign.Paused ||
		n != 2*mostCountryRefusals {
		t.Errorf("resumed, the campaign is %s after %d calls", got.Status, n)
	}
}

// A few refused numbers do not make a country refused while calls to its other numbers work.
func TestRefusedNumbersOfAnAllowedCountry(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.answering(func(p carrier.Placement) error {
		if p.To < german(4) {
			return noGermany(p)
		}
		return nil
	})
	c := b.create(t, b.abroad(0, 12))
	b.exec(t, `update campaign set max_concurrency = 1`)
	// Every second call is accepted.
	b.exec(t, `update recipient set due_at = due_at - make_interval(secs => case when phone_number < $1
		then 60 - 10 * right(phone_number, 1)::int else 65 - 10 * (right(phone_number, 1)::int - 4) end)`, german(4))
	for range 40 {
		b.dial(t)
		b.endAll(t, call.OutcomeCompleted)
		b.settle(t)
		b.Advance(passGap)
	}
	got := b.checkCounters(t, c.ID)
	if got.Completed != 8 || got.Pending != 4 || got.Status != campaign.Paused {
		t.Errorf("%+v", got)
	}
	if _, err := b.svc.Resume(t.Context(), b.actor, c.ID); err != nil {
		t.Fatal(err)
	}
}

// Refusals of one recipient for an unknown cause pause the campaign after the others were called.
// Otherwise it would run without end.
func TestAnUnknownRefusalPausesTheCampaign(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.answering(func(p carrier.Placement) error {
		if p.To == testNumber(0) {
			return &carrier.Error{Kind: carrier.Unusable, Code: "29999", Reason: "under review"}
		}
		return nil
	})
	c := b.create(t, fast(b.draft(3)))
	pauses := func() {
		t.Helper()
		for range 3 * mostRefusals {
			b.dial(t)
			b.endAll(t, call.OutcomeCompleted)
			b.settle(t)
			b.Advance(carrierMost)
		}
		got := b.checkCounters(t, c.ID)
		if got.Status != campaign.Paused || got.PauseReason == nil || !strings.HasSuffix(*got.PauseReason,
			"calls to one recipient: under review (29999)") || got.Pending != 1 || got.Completed != 2 {
			t.Fatalf("%+v", got)
		}
	}
	pauses()
	if n := value[int](t, b, `select count(*) from call where person_number = $1`, testNumber(0)); n != mostRefusals {
		t.Errorf("%d calls", n)
	}
	if _, err := b.svc.Resume(t.Context(), b.actor, c.ID); err != nil {
		t.Fatal(err)
	}
	pauses()
	if n := value[int](t, b, `select count(*) from call where person_number = $1`, testNumber(0)); n != 2*mostRefusals {
		t.Errorf("%d calls after the campaign was resumed", n)
	}
}

// A number that does not exist is not called again, whatever the campaign retries.
func TestAnInvalidNumberIsFinal(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	d := fast(b.draft(1))
	d.Retry = &campaign.RetryInput{MaxAttempts: ptr(3), DelaysMinutes: []int{0}, On: []string{"failed"}}
	c := b.create(t, d)
	b.dial(t)
	for _, id := range b.network.up() {
		b.tell(t, id, carrier.Event{Kind: carrier.Ended, Outcome: carrier.Failed, SIPStatus: "404", Code: "32011"})
	}
	b.settle(t)
	if got := b.checkCounters(t, c.ID); got.Failed != 1 || got.Status != campaign.Completed {
		t.Errorf("%+v", got)
	}
}

// A number that the carrier refuses to call is not called again, whatever the campaign retries.
func TestARefusedNumberIsFinal(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.answering(func(carrier.Placement) error {
		return &carrier.Error{
			Kind: carrier.Refused, Concern: carrier.ConcernRecipient, Code: "21216", Reason: "the number is blocked",
		}
	})
	d := fast(b.draft(1))
	d.Retry = &campaign.RetryInput{MaxAttempts: ptr(3), DelaysMinutes: []int{0}, On: []string{"failed"}}
	c := b.create(t, d)
	b.dial(t)
	b.settle(t)
	if got := b.checkCounters(t, c.ID); got.Failed != 1 || got.Status != campaign.Completed {
		t.Errorf("%+v", got)
	}
}

// Five refusals of a calling number in a row pause the campaigns that call from it. Calls
// from other numbers of the connection neither count nor clear.
func TestARefusedCallingNumberPausesItsCampaigns(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.exec(t, `insert into phone_number (id, organization_id, connection_id, phone_number)
		values (gen_random_uuid(), $1, $2, '+15005550009')`, b.actor.OrganizationID, b.connection)
	// An earlier failure of the connection explains nothing about the calling number.
	b.exec(t, `update connection set last_error = 'out of reach', last_error_at = clock()`)
	b.answering(func(p carrier.Placement) error {
		if p.From == "+15005550009" {
			return nil
		}
		return &carrier.Error{
			Kind: carrier.Unusable, Concern: carrier.ConcernCaller, Code: "21210", Reason: "the number is not verified",
		}
	})
	d := b.draft(2)
	d.CallsPerSecond = ptr(1000.0)
	d.MaxConcurrency = ptr(2)
	c := b.create(t, d)
	d = fast(b.draft(0))
	d.PhoneNumberID = value[string](t, b, `select id::text from phone_number where phone_number = '+15005550009'`)
	for i := range 50 {
		d.Recipients.Add(intake.Recipient{PhoneNumber: testNumber(900 + i)})
	}
	d.MaxConcurrency = ptr(1)
	sound := b.create(t, d)
	asked := 0
	for b.get(t, c.ID).Status != campaign.Paused && asked < 20 {
		b.dial(t)
		b.endAll(t, call.OutcomeCompleted)
		b.settle(t)
		b.Advance(10 * time.Second)
		asked = value[int](t, b, `select count(*) from call where ended_reason = 'caller_refused'`)
		for _, w := range b.get(t, c.ID).Waiting {
			if w.Reason == campaign.WaitCarrier &&
				(w.Detail == nil || *w.Detail != "the number is not verified (21210)") {
				t.Errorf("after %d refusals: %+v", asked, w)
			}
		}
	}
	got := b.checkCounters(t, c.ID)
	want := fmt.Sprintf("The carrier refused %d calls in a row because of the phone number +1 500 555 0000: "+
		"the number is not verified (21210)", asked)
	if got.Status != campaign.Paused || got.PauseReason == nil || *got.PauseReason != want || got.Pending != 2 ||
		asked < project.MostCallerRefusals || asked > project.MostCallerRefusals+1 {
		t.Fatalf("after %d refusals: %+v", asked, got)
	}
	if got := b.checkCounters(t, sound.ID); got.Completed == 0 || got.Status == campaign.Paused {
		t.Errorf("from the other number: %+v", got)
	}
	if n := value[int](t, b, `select consecutive_errors from connection`); n != 0 {
		t.Errorf("%d errors of the connection", n)
	}

	b.answering(nil)
	if _, err := b.svc.Resume(t.Context(), b.actor, c.ID); err != nil {
		t.Fatal(err)
	}
	for range 100 {
		b.Advance(carrierMost)
		b.dial(t)
		b.endAll(t, call.OutcomeCompleted)
		b.settle(t)
	}
	if got := b.checkCounters(t, c.ID); got.Status != campaign.Completed {
		t.Errorf("resumed: %+v", got)
	}
}
