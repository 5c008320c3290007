package dialer

import (
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/carrier"
)

// callsUs lets the i-th recipient call the organization's number, and returns the call.
func (b *bench) callsUs(t testing.TB, i int) uuid.UUID {
	t.Helper()
	r, err := b.calls.Receive(t.Context(), carrier.Incoming{
		ConnectionID: b.connection, CarrierCallID: "CA" + uuid.NewString(), From: testNumber(i), To: "+15005550000",
	})
	if err != nil || r.Action != carrier.OpenLine {
		t.Fatalf("%+v, %v", r, err)
	}
	return r.CallID
}

// answersAll ends a call in which the recipient answered everything.
func (b *bench) answersAll(t testing.TB, id uuid.UUID) {
	t.Helper()
	b.exec(t, `update call set answered_at = clock(), status = 'in_progress', ended_reason = 'completed',
		ended_by = 'agent', carrier_call_id = $2 where id = $1`, id, "CA"+id.String())
	b.tell(t, id, carrier.Event{Kind: carrier.Ended, Outcome: carrier.Completed})
}

func (b *bench) takesCalls(t testing.TB) {
	t.Helper()
	b.exec(t, `insert into inbound (phone_number_id, organization_id, agent_id, settings)
		select $1, organization_id, $2, '{"action": "agent"}' from phone_number where id = $1`, b.number, b.agent)
}

// checkResumed checks that a recipient and the call in which they called us name each other, and that the call is none
// of the campaign.
func (b *bench) checkResumed(t testing.TB, c campaign.Campaign, i int, id uuid.UUID, completed bool) {
	t.Helper()
	organization := b.actor.OrganizationID
	r := b.recipients(t, c.ID)[testNumber(i)]
	if (*r.LastCallID == id) != completed {
		t.Errorf("the last call of the recipient is %s, they called in %s", r.LastCallID, id)
	}
	in, _, err := b.calls.Get(t.Context(), organization, id)
	if err != nil {
		t.Fatal(err)
	}
	want := call.Resumed{CampaignID: c.ID, RecipientID: r.ID, Completed: completed}
	if in.Resumes == nil || *in.Resumes != want || in.CampaignID != nil || in.RecipientID != nil {
		t.Errorf("the call resumes %+v, want %+v; it is of campaign %v", in.Resumes, want, in.CampaignID)
	}
	found, err := b.calls.List(t.Context(), organization, call.Filter{RecipientID: &r.ID})
	if err != nil || !slices.ContainsFunc(found.Data, func(c call.Call) bool { return c.ID == id }) {
		t.Errorf("the calls of the recipient lack the one in which they called: %v", err)
	}
	both := len(found.Data)
	if found, err = b.calls.List(t.Context(), organization, call.Filter{
		RecipientID: &r.ID, Direction: call.Outbound,
	}); err != nil || len(found.Data) != both-1 || len(found.Data) != r.Attempts {
		t.Errorf("%d of %d calls of the recipient are outbound after %d attempts, %v", len(found.Data), both,
			r.Attempts, err)
	}
	if found, err = b.calls.List(t.Context(), organization, call.Filter{CampaignID: &c.ID}); err != nil ||
		slices.ContainsFunc(found.Data, func(c call.Call) bool { return c.ID == id }) {
		t.Errorf("the campaign has the call of a caller, %v", err)
	}
}

// A recipient who calls back and answers what was left open is completed and not called again.
func TestARecipientCallsBack(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.takesCalls(t)
	d := b.draft(2)
	d.Retry = &campaign.RetryInput{MaxAttempts: ptr(3), DelaysMinutes: []int{0}}
	c := b.create(t, d)
	b.dialAll(t, c.ID, 2)
	b.endAll(t, call.OutcomeNoAnswer)
	b.settle(t)

	id := b.callsUs(t, 0)
	in, _, err := b.calls.Get(t.Context(), b.actor.OrganizationID, id)
	if err != nil || in.LastCallID == nil || in.AgentID == nil || in.RecipientName != "Person 0" {
		t.Fatalf("%+v, %v", in, err)
	}
	b.dialAll(t, c.ID, 1) // the other recipient alone, because this one talks with us
	if n := value[int](t, b, `select count(*)::int from call where person_number = $1 and direction = 'outbound'`,
		testNumber(0)); n != 1 {
		t.Errorf("%d calls to a person who talks with us", n)
	}
	b.answersAll(t, id)
	b.again(t, c.ID) // the call has ended, but is not settled
	if n := value[int](t, b, `select count(*)::int from call where person_number = $1 and direction = 'outbound'`,
		testNumber(0)); n != 1 {
		t.Errorf("%d calls to a person who has just answered", n)
	}
	b.settle(t)
	r := b.recipients(t, c.ID)[testNumber(0)]
	if r.Status != campaign.RecipientCompleted || r.Attempts != 1 {
		t.Errorf("the recipient is %s after %d attempts", r.Status, r.Attempts)
	}
	b.checkResumed(t, c, 0, id, true)
	b.endAll(t, call.OutcomeCompleted)
	b.settle(t)
	got := b.checkCounters(t, c.ID)
	if got.Status != campaign.Completed || got.CallsPlaced != 3 { // two attempts that nobody answered, and one call
		t.Errorf("the campaign is %s after %d calls", got.Status, got.CallsPlaced)
	}
	hours, err := b.calls.Hours(t.Context(), b.actor.OrganizationID, call.Scope{CampaignID: &c.ID},
		time.Now().AddDate(-1, 0, 0), time.Now().AddDate(1, 0, 0))
	if err != nil || len(hours) != 1 || hours[0].Total() != 3 || hours[0].Completed != 1 {
		t.Errorf("the campaign's figures are %+v, %v", hours, err)
	}
}

// A recipient who calls while they are claimed is completed too, whatever becomes of the other call.
func TestARecipientCallsWhileClaimed(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.takesCalls(t)
	d := b.draft(1)
	d.Retry = &campaign.RetryInput{MaxAttempts: ptr(3), DelaysMinutes: []int{0}}
	c := b.create(t, d)
	b.dialAll(t, c.ID, 1)
	b.endAll(t, call.OutcomeNoAnswer)
	b.settle(t)
	b.dialAll(t, c.ID, 1) // rings
	id := b.callsUs(t, 0)
	b.answersAll(t, id)
	b.settle(t)
	if r := b.recipients(t, c.ID)[testNumber(0)]; r.Status == campaign.RecipientCompleted {
		t.Error("the recipient is completed while a call to them rings")
	}
	b.endAll(t, call.OutcomeNoAnswer)
	b.settle(t)
	if r := b.recipients(t, c.ID)[testNumber(0)]; r.Status != campaign.RecipientCompleted || r.Attempts != 2 {
		t.Errorf("the recipient is %s after %d attempts", r.Status, r.Attempts)
	}
	b.checkResumed(t, c, 0, id, true)
	if got := b.checkCounters(t, c.ID); got.Status != campaign.Completed {
		t.Errorf("the campaign is %s", got.Status)
	}
}

// A recipient with no attempt left calls us while we ring them. The call to them ends first. Whether they are failed is
// decided when their own call is settled, so no event has to be taken back.
func TestARecipientCallsDuringTheLastAttempt(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		end    call.Reason
		status campaign.RecipientStatus
		events []string
	}{
		"and answers everything": {call.ReasonCompleted, campaign.RecipientCompleted, []string{"recipient.completed"}},
		"and hangs up":           {call.ReasonHungUp, campaign.RecipientFailed, []string{"recipient.failed"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			b.takesCalls(t)
			b.subscribe(t, "recipient.completed", "recipient.failed")
			c := b.create(t, b.draft(2))
			b.dialAll(t, c.ID, 2)
			id := b.callsUs(t, 0)
			b.endAll(t, call.OutcomeNoAnswer)
			b.settle(t)
			recipients := b.recipients(t, c.ID)
			if r := recipients[testNumber(0)]; r.Status != campaign.RecipientDialing {
				t.Errorf("the recipient who talks with us is %s", r.Status)
			}
			if r := recipients[testNumber(1)]; r.Status != campaign.RecipientFailed {
				t.Errorf("the other recipient is %s", r.Status)
			}
			b.talks(t, id, test.end)
			b.settle(t)
			b.Advance(settlePoll)
			b.settle(t)
			if r := b.recipients(t, c.ID)[testNumber(0)]; r.Status != test.status || r.Attempts != 1 {
				t.Errorf("the recipient is %s after %d attempts", r.Status, r.Attempts)
			}
			b.checkResumed(t, c, 0, id, test.end == call.ReasonCompleted)
			if got := b.checkCounters(t, c.ID); got.Status != campaign.Completed {
				t.Errorf("the campaign is %s", got.Status)
			}
			var events []string
			for _, e := range b.events(t) {
				events = append(events, e.Type)
			}
			if want := append([]string{"recipient.failed"}, test.events...); !slices.Equal(events, want) {
				t.Errorf("the events are %q, want %q", events, want)
			}
		})
	}
}

// A caller and the settlement of the last call to them meet at the same moment, again and again: a recipient whose
// open questions are asked is not failed before the answers are known.
func TestACallerMeetsTheSettlement(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.takesCalls(t)
	const people = 40
	d := fast(b.draft(people))
	d.MaxConcurrency = ptr(people)
	c := b.create(t, d)
	b.dialAll(t, c.ID, people)
	b.endAll(t, call.OutcomeNoAnswer)
	var sides sync.WaitGroup
	callers := make([]uuid.UUID, people)
	for i := range people {
		sides.Go(func() { callers[i] = b.callsUs(t, i) })
	}
	var settling sync.WaitGroup
	done := make(chan struct{})
	settling.Go(func() {
		for {
			if _, err := b.settler.round(t.Context()); err != nil {
				t.Error(err)
			}
			select {
			case <-done:
				return
			default:
			}
		}
	})
	sides.Wait()
	close(done)
	settling.Wait()
	for _, id := range callers {
		b.answersAll(t, id)
	}
	b.settle(t)
	b.Advance(settlePoll)
	b.settle(t)
	recipients := b.recipients(t, c.ID)
	for i, id := range callers {
		if r := recipients[testNumber(i)]; r.Status != campaign.RecipientCompleted || *r.LastCallID != id {
			t.Errorf("recipient %d is %s, and their last call is %s, want %s", i, r.Status, r.LastCallID, id)
		}
	}
	if got := b.checkCounters(t, c.ID); got.Status != campaign.Completed {
		t.Errorf("the campaign is %s", got.Status)
	}
}

// A recipient who was not reached in any attempt calls back, even after the campaign has ended, and answers: they are
// completed, and a campaign that calls the unreached again does not call them.
func TestAnUnreachedRecipientCallsBack(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.takesCalls(t)
	b.subscribe(t, "recipient.completed", "recipient.failed")
	const hangsUp, before, during, late, heard = 0, 1, 2, 3, 4
	c := b.create(t, b.draft(5))
	b.dialAll(t, c.ID, 5)
	b.exec(t, `update call set ended_reason = 'voicemail_message_left', outcome = 'voicemail', status = 'completed',
		ended_at = clock(), settle_after = clock() where person_number = $1`, testNumber(heard))
	b.endAll(t, call.OutcomeNoAnswer)
	b.settle(t)
	if got := b.checkCounters(t, c.ID); got.Status != campaign.Completed {
		t.Fatalf("the campaign is %s", got.Status)
	}
	b.talks(t, b.callsUs(t, hangsUp), call.ReasonHungUp)
	answers := func(i int) {
		t.Helper()
		id := b.callsUs(t, i)
		b.answersAll(t, id)
		b.settle(t)
		b.checkResumed(t, c, i, id, true)
		b.checkCounters(t, c.ID)
	}
	answers(before)
	answers(heard)
	again, err := b.svc.Repeat(t.Context(), b.actor, c.ID, &campaign.Repetition{})
	if err != nil || again.Total != 3 {
		t.Fatalf("%d recipients are called again, %v", again.Total, err)
	}
	id := b.callsUs(t, during) // their recipient is the one who waits
	b.answersAll(t, id)
	b.settle(t)
	b.checkResumed(t, again, during, id, true)
	b.dialAll(t, again.ID, 2)
	b.endAll(t, call.OutcomeNoAnswer)
	b.settle(t)
	b.exec(t, `update call set created_at = created_at - interval '15 days' where person_number = $1`, testNumber(late))
	id = b.callsUs(t, late)
	if value[bool](t, b, `select resumes_recipient_id is not null from call where id = $1`, id) {
		t.Error("a caller is asked what was open two weeks ago")
	}
	b.answersAll(t, id)
	b.settle(t)
	statuses := map[campaign.RecipientStatus]int{}
	for _, r := range b.recipients(t, again.ID) {
		statuses[r.Status]++
	}
	if statuses[campaign.RecipientCompleted] != 1 || statuses[campaign.RecipientFailed] != 2 {
		t.Errorf("the recipients who are called again are %v", statuses)
	}
	if got := b.checkCounters(t, again.ID); got.Status != campaign.Completed {
		t.Errorf("the second campaign is %s", got.Status)
	}
	events := map[string]int{}
	for _, e := range b.events(t) {
		events[e.Type]++
	}
	if events["recipient.failed"] != 4+2 || events["recipient.completed"] != 1+1+1 {
		t.Errorf("the events are %v", events)
	}
}

// A claimed call is not placed if its recipient has called meanwhile.
func TestNobodyIsDialedWhoTalksWithUs(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.takesCalls(t)
	id := b.callsUs(t, 0)
	c := b.create(t, b.draft(1))
	b.again(t, c.ID)
	if n := len(b.network.up()); n != 0 {
		t.Errorf("%d calls are up", n)
	}
	if r := b.recipients(t, c.ID)[testNumber(0)]; r.WaitReason == nil || *r.WaitReason != campaign.WaitInCall {
		t.Errorf("the recipient is %+v", r)
	}
	b.answersAll(t, id)
	b.settle(t)
	b.exec(t, `update recipient set due_at = clock()`) // half a minute has passed
	b.dialAll(t, c.ID, 1)                              // nobody had called the person before, so nothing was answered
}

// The agent of a call that the person broke off asks the questions that are left, although the recipient has ended and
// the number has another agent. Answers to it count, and after the last one the number's agent answers.
func TestACallerHungUpBefore(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.takesCalls(t)
	other := uuid.New()
	b.exec(t, `update agent set script = script || '{"questions": [{"key": "a"}, {"key": "b"}, {"key": "c"}]}'
		where id = $1`, b.agent)
	b.exec(t, `update agent_version set script = script || '{"questions": [{"key": "a"}, {"key": "b"}, {"key": "c"}]}'
		where agent_id = $1`, b.agent)
	b.exec(t, `insert into agent select (jsonb_populate_record(a, jsonb_build_object('id', $2::text, 'name', 'Theo',
		'published_version_id', null))).* from agent a where id = $1`, b.agent, other)
	b.exec(t, `update inbound set agent_id = $1`, other)
	c := b.create(t, b.draft(1))
	b.dialAll(t, c.ID, 1)
	first := value[uuid.UUID](t, b, `select id from call where person_number = $1`, testNumber(0))
	b.endAll(t, call.OutcomeCompleted)
	b.exec(t, `update call set ended_reason = 'recipient_hung_up', analysis = '{"answers": {"a": true}}'
		where id = $1`, first)
	b.settle(t)
	if r := b.recipients(t, c.ID)[testNumber(0)]; r.Status != campaign.RecipientCompleted {
		t.Fatalf("the recipient is %s", r.Status)
	}
	asked := func(agent uuid.UUID, answered ...string) uuid.UUID {
		t.Helper()
		id := b.callsUs(t, 0)
		if got := value[uuid.UUID](t, b, `select agent_id from call where id = $1`, id); got != agent {
			t.Errorf("agent %s answers, want %s", got, agent)
		}
		got := value[[]string](t, b, `
			select array(select a ->> 'key' from call, jsonb_path_query(reception, '$.caller.answers[*]') a
			where id = $1 order by 1)`, id)
		if !slices.Equal(got, answered) {
			t.Errorf("the answers %q are known, want %q", got, answered)
		}
		return id
	}
	again := asked(b.agent, "a")
	b.talks(t, again, call.ReasonHungUp)
	b.exec(t, `update call set analysis = '{"answers": {"b": 2}}' where id = $1`, again)
	b.settle(t)
	aged := func(days int) {
		b.exec(t, `update call set created_at = created_at - make_interval(days => $1) where id = $2`, days, first)
	}
	aged(15) // what was open then is out of date
	b.talks(t, asked(other), call.ReasonCompleted)
	b.settle(t)
	aged(-15)
	last := asked(b.agent, "a", "b")
	b.talks(t, last, call.ReasonCompleted)
	b.settle(t)
	b.talks(t, asked(other), call.ReasonCompleted)
	b.settle(t)
	if r := b.recipients(t, c.ID)[testNumber(0)]; r.Status != campaign.RecipientCompleted || r.Attempts != 1 {
		t.Errorf("the recipient is %s after %d attempts", r.Status, r.Attempts)
	}
	b.checkCounters(t, c.ID)
}
