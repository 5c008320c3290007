package dialer

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/hours"
)

// otherParts adds an agent, and a phone number of another connection.
func (b *bench) otherParts(t testing.TB) (agent, connection, number uuid.UUID) {
	t.Helper()
	agent, connection, number = uuid.New(), uuid.New(), uuid.New()
	b.exec(t, `insert into agent (id, organization_id, name, language, script)
		select $1, organization_id, 'June', language, script from agent where id = $2`, agent, b.agent)
	b.exec(t, `insert into connection (id, organization_id, kind, name, account, credentials)
		values ($1, $2, 'sandbox', 'Other', 'AC2', '')`, connection, b.actor.OrganizationID)
	b.exec(t, `insert into phone_number (id, organization_id, connection_id, phone_number)
		values ($1, $2, $3, '+15005550009')`, number, b.actor.OrganizationID, connection)
	return agent, connection, number
}

// movedTo is a change of the agent and the number.
func movedTo(agent, number uuid.UUID) campaign.Change {
	text := ptr(number.String())
	return campaign.Change{AgentID: ptr(agent.String()), PhoneNumberID: &text}
}

// The agent, the number and the settings of calls change until the first call, also after the start.
func TestPartsChangeUntilTheFirstCall(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	agent, connection, number := b.otherParts(t)
	d := fast(b.draft(2))
	opens := tomorrow(12)
	d.CallingHours = window(opens, 30*time.Minute)
	c := b.create(t, d)
	b.update(t, c.ID, movedTo(agent, number))
	b.Advance(time.Until(opens) - time.Hour)
	b.dial(t)
	if got := b.get(t, c.ID); got.Status != campaign.Running || got.ConnectionID != connection {
		t.Fatalf("%s over connection %s before the hours", got.Status, got.ConnectionID)
	}
	b.update(t, c.ID, movedTo(b.agent, b.number))
	got := b.update(t, c.ID, campaign.Change{AgentID: ptr(agent.String()), RingTimeoutSeconds: ptr(20)})
	if got.AgentID != agent || *got.PhoneNumberID != b.number || got.ConnectionID != b.connection {
		t.Errorf("a running campaign without calls: agent %s, number %s", got.AgentID, got.PhoneNumberID)
	}
	later := ptr(time.Now().Add(72 * time.Hour))
	if _, err := b.svc.Update(t.Context(), b.actor, c.ID, campaign.Change{ScheduledAt: &later}, nil); fault.KindOf(
		err) != fault.Conflict || err.Error() != "scheduled_at: cannot be changed after the campaign has started" {
		t.Errorf("a start of the past: %v", err)
	}
	b.Advance(65 * time.Minute)
	b.dial(t)
	if n := value[int](t, b, `select count(*) from call where agent_id = $1 and phone_number_id = $2`,
		agent, b.number); n != 2 {
		t.Errorf("%d calls by the agent and the number of the last change", n)
	}
	_, err := b.svc.Update(t.Context(), b.actor, c.ID, movedTo(b.agent, number), nil)
	if fault.KindOf(err) != fault.Conflict || err.Error() != "agent_id: cannot be changed after the first call or "+
		"message; phone_number_id: cannot be changed after the first call or message" {
		t.Errorf("after the first call: %v", err)
	}
	b.wantLog(t, c.ID, "Ada: Created with 2 recipients", "Ada: Changed: agent and phone number", "Dialwright: Started",
		"Dialwright: Waiting: 2 for their calling hours. Next call at "+opens.Format("Mon 15:04"),
		"Ada: Changed: agent and phone number", "Ada: Changed: agent and ring time", "Dialwright: Dialing continues")
}

// A change beside a claim comes before it, and the calls follow it, or is refused.
func TestPartsChangeBesideTheFirstClaim(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	agent, connection, number := b.otherParts(t)
	b.exec(t, `update connection set max_concurrency = 1 where id = $1`, connection) // the campaigns are blocked, too
	always := hours.Always()
	var ids []uuid.UUID
	for i := range 12 {
		d := fast(b.draftFrom(i, 1))
		d.CallingHours = &always
		ids = append(ids, b.create(t, d).ID)
	}
	ctx, stop := context.WithCancel(context.Background())
	var work, changes sync.WaitGroup
	var ending sync.Mutex // a call ends once
	b.race(ctx, t, &work)
	for i := range 3 {
		changes.Go(func() {
			for turn := i; ; turn++ {
				refused := 0
				for _, id := range ids {
					ch := movedTo(agent, number)
					if turn%2 == 0 {
						ch = movedTo(b.agent, b.number)
					}
					_, err := b.svc.Update(context.Background(), b.actor, id, ch, nil)
					if kind := fault.KindOf(err); err != nil && kind != fault.Conflict {
						t.Error(err)
					}
					if used, err := b.svc.Used(context.Background(), b.actor.OrganizationID, id); err != nil {
						t.Error(err)
					} else if used {
						refused++
					}
				}
				if refused == len(ids) || t.Failed() {
					return
				}
				func() {
					ending.Lock()
					defer ending.Unlock()
					b.endAll(t, "completed") // the next campaign may call over the connection
				}()
			}
		})
	}
	changes.Wait()
	stop()
	work.Wait()
	if n := value[int](t, b, `select count(*) from call join campaign c on c.id = call.campaign_id
		where (call.agent_id, call.phone_number_id, call.connection_id)
		   <> (c.agent_id, c.phone_number_id, c.connection_id)`); n != 0 {
		t.Errorf("%d calls by what their campaign no longer has", n)
	}
	if n := value[int](t, b, `select count(*) from call`); n != len(ids) {
		t.Errorf("%d calls", n)
	}
}

// A dialer that waits for a free slot forgets the numbers of before.
func TestABlockedCampaignGetsAnotherNumber(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	agent, _, number := b.otherParts(t)
	b.exec(t, `update phone_number set max_concurrency = 1 where id = $1`, b.number)
	always := hours.Always()
	first, second := fast(b.draft(1)), fast(b.draftFrom(1, 1))
	first.CallingHours, second.CallingHours = &always, &always
	b.create(t, first)
	b.dial(t)
	waits := b.create(t, second)
	b.dial(t)
	b.exec(t, `update campaign set dial_at = null where id = $1`, waits.ID) // only a free slot wakes it
	target := b.dialer.blocked[waits.ID]
	if target.ID != waits.ID {
		t.Fatal("the campaign waits for no slot")
	}
	b.update(t, waits.ID, movedTo(agent, number))
	if _, err := b.dialer.pass(t.Context(), target, 1, true); err != errChanged { //nolint:errorlint // as visit gets it
		t.Errorf("a pass over the numbers of before: %v", err)
	}
	b.dial(t)
	b.dial(t)
	if n := value[int](t, b, `select count(*) from call where phone_number_id = $1 and agent_id = $2`, number,
		agent); n != 1 {
		t.Errorf("%d calls from the new number", n)
	}
}
