package call

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/postgres"
)

// subscribe gives an organization a webhook.
func (w *world) subscribe(organization uuid.UUID, events ...string) {
	w.tb.Helper()
	w.exec(`insert into webhook (id, organization_id, name, url, events, secret)
		values (gen_random_uuid(), $1, 'Hook', '', $2, '')`,
		organization, events)
}

// told is a stored event.
type told struct {
	Type string
	Data any
}

// told returns the events of a call in order.
func (w *world) told(id uuid.UUID) []told {
	w.tb.Helper()
	rows, err := w.db.Pool.Query(w.tb.Context(), `
		select type, payload::jsonb -> 'data' from event where subject_id = $1 order by created_at, id`, id)
	if err != nil {
		w.tb.Fatal(err)
	}
	all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[told])
	if err != nil {
		w.tb.Fatal(err)
	}
	return all
}

// toldTypes returns the types of the events of a call. It fails if an event has the data of another
// call.
func (w *world) toldTypes(id uuid.UUID) (all []string) {
	w.tb.Helper()
	for _, e := range w.told(id) {
		all = append(all, e.Type)
		if got := e.Data.(map[string]any)["id"]; got != id.String() {
			w.tb.Errorf("%s of call %s tells of %s", e.Type, id, got)
		}
	}
	return all
}

// printed returns the call as GET prints it now.
func (w *world) printed(id uuid.UUID) any {
	w.tb.Helper()
	c, turns, err := w.calls.Get(w.tb.Context(), w.claim.OrganizationID, id)
	if err != nil {
		w.tb.Fatal(err)
	}
	text, err := json.Marshal(w.calls.Detail(c, turns))
	if err != nil {
		w.tb.Fatal(err)
	}
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		w.tb.Fatal(err)
	}
	return v
}

// The product emits each fact when it becomes known, with the state of the call at that time.
func TestEachFactIsTold(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.subscribe(w.claim.OrganizationID, "call.*")
	stranger := w.tenant("Other", "+12025550101")
	w.subscribe(stranger.OrganizationID, "campaign.*", "recipient.completed", "webhook.test")
	c := w.queue("+12025550199")
	step := func(what string, do func(), want ...string) {
		t.Helper()
		before := len(w.told(c.ID))
		do()
		events := w.told(c.ID)[before:]
		var types []string
		for _, e := range events {
			types = append(types, e.Type)
			if !reflect.DeepEqual(e.Data, w.printed(c.ID)) {
				t.Errorf("%s told %s as %v\nGET prints %v", what, e.Type, e.Data, w.printed(c.ID))
			}
		}
		if !slices.Equal(types, want) {
			t.Errorf("%s told %v, want %v", what, types, want)
		}
	}
	step("the carrier's answer", func() { w.place(c) }, "call.started")
	step("an echo of it", func() { w.deliver(c, carrier.Event{Kind: carrier.Accepted}) })
	step("ringing", func() { w.deliver(c, carrier.Event{Kind: carrier.Ringing}) })
	step("the answer", func() { w.deliver(c, carrier.Event{Kind: carrier.Answered}) }, "call.answered")
	step("detection", func() { w.deliver(c, carrier.Event{Kind: carrier.Detected, AnsweredBy: carrier.Human}) })
	w.exec(`insert into call_turn (call_id, index, organization_id, role, text, start_ms)
		values ($1, 0, $2, 'agent', 'Hello <you> & "all"', 12)`,
		c.ID, c.OrganizationID)
	w.exec(`insert into call_line (call_id, organization_id, turns, analysis, closed_at)
		values ($1, $2, 1, '{"status": "ready", "summary": "Fine.", "answers": {"n": 1.5}, "sentiment": "positive", "successful": true, "opt_out": false}', clock())`,
		c.ID, c.OrganizationID)
	step("the end", func() {
		w.deliver(c, carrier.Event{Kind: carrier.Ended, Outcome: carrier.Completed, Duration: time.Second})
	})
	step("settlement", func() { w.settle() }, "call.completed", "call.analyzed")
	step("echoes of all", func() {
		for _, kind := range []carrier.EventKind{carrier.Accepted, carrier.Ringing, carrier.Answered} {
			w.deliver(c, carrier.Event{Kind: kind})
		}
		w.deliver(c, carrier.Event{Kind: carrier.Ended, Outcome: carrier.Completed})
		w.settle()
	})
	last := w.told(c.ID)[3].Data.(map[string]any)
	if turns := last["transcript"].([]any); len(turns) != 1 || last["analysis"].(map[string]any)["summary"] != "Fine." {
		t.Errorf("told %v", last)
	}

	other := stranger
	other.PersonNumber = "+12025550198"
	queued, _ := w.queueAll(other)
	w.place(queued[0])
	w.deliver(queued[0], carrier.Event{Kind: carrier.Answered})
	w.deliver(queued[0], carrier.Event{Kind: carrier.Ended, Outcome: carrier.Completed})
	w.db.Advance(detectionGrace)
	w.settle()
	if got := w.toldTypes(queued[0].ID); len(got) > 0 {
		t.Errorf("told an organization that does not listen: %v", got)
	}
}

// The carrier's reports may come in any order, several times, and at several processes at a time.
// The product emits each fact once, and before the end of the call.
func TestFactsAreToldOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.subscribe(w.claim.OrganizationID, "*")
	w.subscribe(w.claim.OrganizationID, "call.answered")
	second := w.instance()
	for _, h := range histories {
		t.Run(h.name, func(t *testing.T) {
			seed := rand.Uint64()
			r := rand.New(rand.NewPCG(seed, 1))
			for run := range 8 {
				events := slices.Concat(h.events, h.events)
				r.Shuffle(len(events), func(i, j int) { events[i], events[j] = events[j], events[i] })
				c := w.queue("+12025550199")
				w.exec(`update call set asked_at = clock() where id = $1`, c.ID) // by a process that has died
				var work sync.WaitGroup
				for i, part := range slices.Collect(slices.Chunk(events, (len(events)+2)/3)) {
					calls := []*Service{w.calls, second}[i%2]
					work.Go(func() {
						for _, e := range part {
							e.ConnectionID, e.CallID, e.CarrierCallID, e.At = c.ConnectionID, c.ID, "CA1", time.Now()
							if err := calls.Deliver(t.Context(), e); err != nil {
								t.Error(err)
							}
						}
					})
				}
				work.Wait()
				w.db.Advance(detectionGrace)
				w.settle()
				for _, e := range events {
					e.CarrierCallID = "CA1"
					w.deliver(c, e)
				}
				want := []string{"call.started", "call.completed"}
				if h.want.Status == Completed {
					want = []string{"call.started", "call.answered", "call.completed", "call.analyzed"}
				}
				if got := w.toldTypes(c.ID); !slices.Equal(got, want) {
					t.Fatalf("seed %d, run %d, %v: told %v, want %v", seed, run, kinds(events), got, want)
				}
			}
		})
	}
}

// A fact that becomes known with the end is emitted then. A fact that becomes known later is
// emitted later.
func TestBelatedFactsAreTold(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.subscribe(w.claim.OrganizationID, "call.*")
	only := w.queue("+12025550199")
	w.exec(`update call set asked_at = clock() where id = $1`, only.ID)
	w.deliver(only, carrier.Event{
		Kind: carrier.Ended, CarrierCallID: "CA1", Outcome: carrier.Completed, Duration: 3 * time.Second,
	})
	if got, want := w.toldTypes(only.ID), []string{"call.started", "call.answered"}; !slices.Equal(got, want) {
		t.Errorf("the end told %v, want %v", got, want)
	}
	if e := w.told(only.ID); !reflect.DeepEqual(e[1].Data, w.printed(only.ID)) ||
		e[1].Data.(map[string]any)["status"] != "completed" {
		t.Errorf("told as %v", e[1].Data)
	}

	// A lost call has no call.started until the carrier reports on it.
	lost := w.queue("+12025550198")
	w.exec(`update call set asked_at = clock() where id = $1`, lost.ID)
	w.db.Advance(lostAfter + time.Second)
	w.reconcile()
	w.settle()
	w.deliver(lost, carrier.Event{Kind: carrier.Answered, CarrierCallID: "CA2"})
	if got, want := w.toldTypes(lost.ID), []string{"call.completed", "call.started"}; !slices.Equal(got, want) {
		t.Errorf("told %v, want %v", got, want)
	}

	// This call was never requested from the carrier.
	never := w.queue("+12025550197")
	w.db.Advance(leaseTime + time.Second)
	w.reconcile()
	w.settle()
	if got, want := w.toldTypes(never.ID), []string{"call.completed"}; !slices.Equal(got, want) {
		t.Errorf("told %v, want %v", got, want)
	}
}

// An event and the state that it reports are written together or not at all.
func TestFactsAndEventsShareTheirFate(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.subscribe(w.claim.OrganizationID, "call.*")
	c := w.queue("+12025550199")
	w.place(c)
	w.exec(`alter table event add constraint broken check (type <> 'call.answered')`)
	answered := carrier.Event{Kind: carrier.Answered, ConnectionID: c.ConnectionID, CallID: c.ID, At: time.Now()}
	ended := carrier.Event{
		Kind: carrier.Ended, Outcome: carrier.Completed, ConnectionID: c.ConnectionID, CallID: c.ID, At: time.Now(),
	}
	for _, e := range []carrier.Event{answered, ended} {
		if err := w.calls.Deliver(t.Context(), e); postgres.Constraint(err) != "broken" {
			t.Fatal(err)
		}
		if got := w.get(c.ID); got.Status != Queued || got.AnsweredAt != nil || got.EndedAt != nil {
			t.Errorf("%+v", got)
		}
	}
	w.exec(`alter table event drop constraint broken`)
	w.deliver(c, ended)
	if got, want := w.toldTypes(c.ID), []string{"call.started", "call.answered"}; !slices.Equal(got, want) {
		t.Errorf("told %v, want %v", got, want)
	}
}
