package dialer

import (
	"testing"

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
	b.endAll(t, call.OutcomeCompleted)
	b.settle(t)
	if got := b.checkCounters(t, c.ID); got.Status != campaign.Completed {
		t.Errorf("the campaign is %s", got.Status)
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
	if got := b.checkCounters(t, c.ID); got.Status != campaign.Completed {
		t.Errorf("the campaign is %s", got.Status)
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
	b.answersAll(t, id)
	b.settle(t)
	b.dialAll(t, c.ID, 1) // nobody had called the person before, so nothing was answered
}
