package call

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/fault"
)

// archive is a network that stores recordings by the carrier's ids of the calls.
type archive struct {
	*network
	kept   map[string]carrier.Recording
	fail   error
	delete func(ctx context.Context, id string) error // replaces the default behavior

	mu      sync.Mutex
	deleted []string
	asked   []string // the requested parts
}

func (a *archive) Recording(_ context.Context, carrierCallID string) (carrier.Recording, error) {
	if a.fail != nil {
		return carrier.Recording{}, a.fail
	}
	rec, ok := a.kept[carrierCallID]
	if !ok {
		return carrier.Recording{}, carrier.ErrNoRecording
	}
	return rec, nil
}

func (a *archive) OpenRecording(_ context.Context, id, part string) (*carrier.Sound, error) {
	a.asked = append(a.asked, part)
	if a.fail != nil {
		return nil, a.fail
	}
	return &carrier.Sound{Body: io.NopCloser(strings.NewReader(id)), Type: "audio/wav", Length: int64(len(id))}, nil
}

func (a *archive) DeleteRecording(ctx context.Context, id string) error {
	if a.delete != nil {
		return a.delete(ctx, id)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.fail == nil {
		a.deleted = append(a.deleted, id)
	}
	return a.fail
}

func newArchive(w *world) *archive {
	a := &archive{network: w.network, kept: map[string]carrier.Recording{}}
	w.calls = w.instance(func(o *Options) {
		o.Carriers = func(context.Context, uuid.UUID) (carrier.Carrier, error) { return a, nil }
		o.PublicURL = "https://dial.example.com"
	})
	w.exec(`update agent set record_calls = true`)
	return a
}

const sid = "CA001"

// talked returns a call that went from its claim to its end.
func (w *world) talked(to string) Claimed {
	w.tb.Helper()
	c := w.queue(to)
	w.place(c)
	w.deliver(c, carrier.Event{Kind: carrier.Answered, CarrierCallID: sid})
	w.deliver(c, carrier.Event{Kind: carrier.Detected, CarrierCallID: sid, AnsweredBy: carrier.Human})
	w.deliver(c, carrier.Event{Kind: carrier.Ended, CarrierCallID: sid, Outcome: carrier.Completed})
	return c
}

func (w *world) tellRecorded(c Claimed, id string) {
	w.tb.Helper()
	w.deliver(c, carrier.Event{
		Kind: carrier.Recorded, CarrierCallID: sid, Recording: carrier.Recording{ID: id, Duration: 12 * time.Second},
	})
}

// The agent's setting at the time of the claim decides whether a call is recorded.
func TestTheClaimDecidesOnTheRecording(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	newArchive(w)
	recorded := w.queue("+12025550199")
	w.exec(`update agent set record_calls = false`)
	silent := w.queue("+12025550198")
	w.place(recorded)
	w.place(silent)
	if p := w.network.placed; len(p) != 2 || !p[0].Record || p[1].Record {
		t.Errorf("placed %+v", p)
	}
	if !w.get(recorded.ID).Record || w.get(silent.ID).Record {
		t.Error("the calls say otherwise")
	}
}

func TestARecordingIsKeptWheneverItComes(t *testing.T) {
	t.Parallel()
	for name, when := range map[string]string{
		"before the end": "", "after the end": "ended", "after the settlement": "settled",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			newArchive(w)
			w.exec(`insert into webhook (id, organization_id, name, url, events, secret)
				select gen_random_uuid(), id, 'Hook', '', '{call.recorded}', '' from organization`)
			var c Claimed
			if when == "" {
				c = w.queue("+12025550199")
				w.place(c)
				w.deliver(c, carrier.Event{Kind: carrier.Answered, CarrierCallID: sid})
			} else {
				c = w.talked("+12025550199")
			}
			if when == "settled" {
				w.settle()
			}
			before := w.get(c.ID)
			if w.calls.Resource(before).RecordingURL != nil {
				t.Fatal("it is there already")
			}
			w.tellRecorded(c, "RE1")
			w.tellRecorded(c, "RE1") // a duplicate
			w.tellRecorded(c, "RE2") // another recording, which nobody requested
			if when == "" {
				w.deliver(c, carrier.Event{Kind: carrier.Ended, CarrierCallID: sid, Outcome: carrier.Completed})
			}
			got := w.get(c.ID)
			if got.RecordingID == nil || *got.RecordingID != "RE1" || got.RecordingDueAt != nil {
				t.Errorf("%+v", got)
			}
			var told, said int
			err := w.db.Pool.QueryRow(t.Context(), `
				select count(*), count(*) filter (where payload::jsonb -> 'data' ->> 'recording_url' like '%/recording')
				from event where type = 'call.recorded' and subject_id = $1`, c.ID).Scan(&told, &said)
			if err != nil || told != 1 || said != 1 {
				t.Errorf("told %d times, %d times with the address, %v", told, said, err)
			}
			if when != "" && (got.Status != before.Status || !got.EndedAt.Equal(*before.EndedAt)) {
				t.Errorf("the call has changed: %+v", got)
			}
			if url := w.calls.Resource(got).RecordingURL; url == nil ||
				*url != "https://dial.example.com/api/v1/calls/"+c.ID.String()+"/recording" {
				t.Errorf("it is at %v", url)
			}
		})
	}
}

// A recording that was removed before the carrier reported it is deleted, and nobody is told of it.
func TestARemovedRecordingHasNoEvent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	newArchive(w)
	w.exec(`insert into webhook (id, organization_id, name, url, events, secret)
		select gen_random_uuid(), id, 'Hook', '', '{call.recorded}', '' from organization`)
	c := w.talked("+12025550199")
	w.exec(`update call set recording_removed_at = clock() where id = $1`, c.ID)
	w.tellRecorded(c, "RE1")
	var events, deletions int
	err := w.db.Pool.QueryRow(t.Context(), `select (select count(*) from event where type = 'call.recorded'),
		(select count(*) from recording_deletion where call_id = $1)`, c.ID).Scan(&events, &deletions)
	if err != nil || events != 0 || deletions != 1 {
		t.Errorf("%d events, %d deletions, %v", events, deletions, err)
	}
}

func TestARecordingOfAnotherCallIsNotOurs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	newArchive(w)
	c := w.talked("+12025550199")
	for name, e := range map[string]carrier.Event{
		"another connection": {CallID: c.ID, ConnectionID: uuid.Must(uuid.NewV7()), CarrierCallID: sid},
		"another call":       {CallID: c.ID, ConnectionID: c.ConnectionID, CarrierCallID: "CA999"},
		"no call":            {CallID: uuid.Must(uuid.NewV7()), ConnectionID: c.ConnectionID, CarrierCallID: sid},
	} {
		e.Kind, e.Recording = carrier.Recorded, carrier.Recording{ID: "RE9"}
		if err := w.calls.Deliver(t.Context(), e); !errors.Is(err, carrier.ErrUnknownCall) {
			t.Errorf("%s: %v", name, err)
		}
	}
	w.exec(`update call set record = false`)
	w.tellRecorded(c, "RE9")
	if got := w.get(c.ID); got.RecordingID != nil {
		t.Errorf("it has %s", *got.RecordingID)
	}
}

func TestTheSoundComesFromTheCarrier(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a := newArchive(w)
	c := w.talked("+12025550199")
	if _, err := w.calls.Recording(t.Context(), c.OrganizationID, c.ID, ""); fault.KindOf(err) != fault.NotFound ||
		err.Error() != "Recording not found" {
		t.Errorf("before there is one: %v", err)
	}
	w.tellRecorded(c, "RE1")
	for _, part := range []string{
		"", "bytes=0-5", "bytes=5-", "bytes=-5", "bytes=0-1,3-4", "bytes=-", "items=0-1", "bytes=0-5\r\nX: y",
	} {
		if _, err := w.calls.Recording(t.Context(), c.OrganizationID, c.ID, part); err != nil {
			t.Fatal(err)
		}
	}
	if got := strings.Join(a.asked, " "); got != " bytes=0-5 bytes=5- bytes=-5    " {
		t.Errorf("asked for %q", got)
	}
	for name, id := range map[string][2]uuid.UUID{
		"a stranger": {uuid.Must(uuid.NewV7()), c.ID}, "no call": {c.OrganizationID, uuid.Must(uuid.NewV7())},
	} {
		if _, err := w.calls.Recording(t.Context(), id[0], id[1], ""); fault.KindOf(err) != fault.NotFound {
			t.Errorf("%s: %v", name, err)
		}
	}
	a.fail = &carrier.Error{Kind: carrier.Unusable, Reason: "Twilio could not be reached"}
	if _, err := w.calls.Recording(t.Context(), c.OrganizationID, c.ID, ""); fault.KindOf(err) != fault.BadGateway {
		t.Errorf("the carrier fails: %v", err)
	}
	a.fail = carrier.ErrNoRecording
	if _, err := w.calls.Recording(t.Context(), c.OrganizationID, c.ID, ""); fault.KindOf(err) != fault.NotFound {
		t.Errorf("the carrier has it no longer: %v", err)
	}
}

// The carrier's report may be lost while no process runs.
func TestARecordingThatNobodyWasToldOfIsFound(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a := newArchive(w)
	ctx := t.Context()
	find := func() {
		t.Helper()
		if err := w.calls.FindRecordings(ctx); err != nil {
			t.Fatal(err)
		}
	}
	w.db.StopClock()
	var now time.Time
	if err := w.db.Pool.QueryRow(ctx, `select clock()`).Scan(&now); err != nil {
		t.Fatal(err)
	}
	c := w.talked("+12025550199")
	w.settle()
	if due := w.get(c.ID).RecordingDueAt; due == nil {
		t.Fatal("nobody will ask")
	}
	a.kept[sid] = carrier.Recording{ID: "RE1", Duration: 3 * time.Second}
	find() // not due yet
	if w.get(c.ID).RecordingID != nil {
		t.Fatal("found before it was due")
	}
	due := func() { w.exec(`update call set recording_due_at = clock() where recording_due_at is not null`) }
	due()
	a.fail = errors.New("out of reach")
	find()
	if got := w.get(c.ID); got.RecordingID != nil || got.RecordingDueAt == nil ||
		!got.RecordingDueAt.After(now.Add(time.Minute)) {
		t.Fatalf("after a failure: %+v", got)
	}
	a.fail = nil
	due()
	find()
	if got := w.get(c.ID); got.RecordingID == nil || *got.RecordingID != "RE1" || got.RecordingDueAt != nil {
		t.Fatalf("not found: %+v", got)
	}

	// After a day the product no longer asks.
	w.exec(
		`update call set recording_id = null, recording_due_at = clock(), ended_at = clock() - interval '25 hours',
			answered_at = clock() - interval '26 hours'`,
	)
	delete(a.kept, sid)
	find()
	if got := w.get(c.ID); got.RecordingDueAt != nil {
		t.Errorf("asked again at %v", got.RecordingDueAt)
	}
}

// A recording that is deleted here is deleted at the carrier too: by any process, again after each
// failure, and again after the death of a process.
func TestADeletionIsAskedForUntilItIsDone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a := newArchive(w)
	ctx := t.Context()
	c := w.talked("+12025550199")
	w.settle()
	w.tellRecorded(c, "RE1")
	w.exec(`update project set recording_days = 1`)
	w.exec(`update call set ended_at = clock() - interval '2 days', answered_at = clock() - interval '3 days'`)
	if err := w.calls.Forget(ctx); err != nil {
		t.Fatal(err)
	}
	ask := func(want int) {
		t.Helper()
		if n, err := w.calls.DeleteRecordings(ctx); err != nil || n != want {
			t.Fatalf("asked for %d, want %d; %v", n, want, err)
		}
	}
	left := func(want Undeleted) {
		t.Helper()
		if got, err := w.calls.Undeleted(ctx, c.OrganizationID, c.ID); err != nil || got != want {
			t.Fatalf("%+v, %v; want %+v", got, err, want)
		}
	}
	left(Undeleted{Count: 1})
	a.fail = &carrier.Error{Kind: carrier.Unusable, Reason: "Twilio could not be reached", Err: errors.New("secret")}
	ask(1)
	ask(0) // not before it is due
	left(Undeleted{Count: 1, Why: "Twilio could not be reached"})
	w.exec(`update recording_deletion set due_at = clock()`)
	a.fail = nil
	ask(1)
	ask(0)
	left(Undeleted{})
	if len(a.deleted) != 1 || a.deleted[0] != "RE1" {
		t.Errorf("deleted %v", a.deleted)
	}
	// A repeated callback does not restore the recording.
	w.tellRecorded(c, "RE1")
	if got := w.get(c.ID); got.RecordingID != nil {
		t.Error("it is back")
	}
	ask(1)
	left(Undeleted{})
}

// A deletion that the carrier does not answer delays no other deletion.
func TestADeletionThatHangsDelaysNoOther(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a := newArchive(w)
	for _, id := range []string{"RE1", "RE2"} {
		w.exec(`
			insert into recording_deletion (call_id, organization_id, connection_id, recording_id, due_at)
			values (gen_random_uuid(), $1, $2, $3, clock() - make_interval(secs => case $3
				when 'RE1' then 2 else 1 end))`,
			w.claim.OrganizationID, w.claim.ConnectionID, id)
	}
	other := make(chan struct{})
	a.delete = func(ctx context.Context, id string) error {
		if id == "RE2" {
			close(other)
			return nil
		}
		select {
		case <-other:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	if n, err := w.calls.DeleteRecordings(t.Context()); n != 2 || err != nil {
		t.Fatalf("%d, %v", n, err)
	}
	var left int
	if err := w.db.Pool.QueryRow(t.Context(), `select count(*) from recording_deletion`).Scan(&left); err != nil ||
		left != 0 {
		t.Errorf("%d are left, %v", left, err)
	}
}
