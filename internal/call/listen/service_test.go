package listen_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/api"
	"github.com/dialwright/dialwright/internal/app"
	"github.com/dialwright/dialwright/internal/app/apptest"
	"github.com/dialwright/dialwright/internal/call/listen"
	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/postgres/pgtest"
	"github.com/dialwright/dialwright/internal/testwait"
)

// world is two processes, and a carrier whose sound comes to the first one.
type world struct {
	testing.TB
	pgtest.Tenant
	db            *pgtest.DB
	first, second *app.App
	call          uuid.UUID

	mu    sync.Mutex
	asked []carrier.Listen
	err   error // of the carrier
}

func newWorld(t *testing.T) *world {
	t.Helper()
	db := pgtest.New(t)
	w := &world{TB: t, db: db, Tenant: db.NewTenant(t, "Acme", "+15005550000", pgtest.Script)}
	process := func() *app.App {
		hub := postgres.NewHub(context.Background(), postgres.HubOptions{Pool: db.Pool})
		t.Cleanup(hub.Close)
		return apptest.New(t, db.Pool, api.Reference, func(o *app.Options) {
			o.Hub = hub
			o.Carriers = func(context.Context, uuid.UUID) (carrier.Carrier, error) { return network{w: w}, nil }
		})
	}
	w.first, w.second = process(), process()
	w.call = uuid.Must(uuid.NewV7())
	w.exec(`insert into call (id, organization_id, project_id, agent_id, phone_number_id, connection_id, carrier,
		own_number, person_number, status, ring_timeout_seconds, max_duration_seconds, asked_at)
		values ($1, $2, $3, $4, $5, $6, 'sandbox', '+15005550000', '+15005000001', 'queued', 30, 600, clock())`,
		w.call, w.OrganizationID, w.ProjectID, w.AgentID, w.PhoneNumberID, w.ConnectionID)
	return w
}

func (w *world) exec(sql string, args ...any) {
	w.Helper()
	if _, err := w.db.Pool.Exec(w.Context(), sql, args...); err != nil {
		w.Fatal(err)
	}
}

// answer makes the call one that is being held.
func (w *world) answer() {
	w.Helper()
	w.exec(`update call set status = 'in_progress', carrier_call_id = 'CA1', started_at = clock(),
		ringing_at = clock(), answered_at = clock() where id = $1`, w.call)
}

func (w *world) requests() []carrier.Listen {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]carrier.Listen(nil), w.asked...)
}

// network is the carrier.
type network struct {
	carrier.Carrier
	w *world
}

func (n network) Listen(_ context.Context, l carrier.Listen) error {
	n.w.mu.Lock()
	defer n.w.mu.Unlock()
	n.w.asked = append(n.w.asked, l)
	return n.w.err
}

// sound is what the carrier sends: 20 ms at a time, without waiting, as long as sent takes them.
type sound struct {
	sent chan byte // the level of the next second of both sides
	at   time.Duration
	left int
	now  byte
}

func newSound() *sound { return &sound{sent: make(chan byte, 100)} }

func (s *sound) Next(ctx context.Context) (carrier.Piece, error) {
	if s.left == 0 {
		select {
		case level, open := <-s.sent:
			if !open {
				return carrier.Piece{}, io.EOF
			}
			s.now, s.left = level, 100
		case <-ctx.Done():
			return carrier.Piece{}, ctx.Err()
		}
	}
	s.left--
	p := carrier.Piece{Side: carrier.Side(s.left % 2), At: s.at, Data: bytes.Repeat([]byte{s.now}, 160)}
	if s.left%2 == 0 {
		s.at += 20 * time.Millisecond
	}
	return p, nil
}

// send brings sound to a process, with the ticket of the last request. ended is closed when the process has let go of
// it.
func (w *world) send(to *app.App) (s *sound, ended chan struct{}) {
	w.Helper()
	asked := w.requests()
	s, ended = newSound(), make(chan struct{})
	go func() {
		defer close(ended)
		to.Sounds.Hear(w.Context(), w.ConnectionID, w.call, asked[len(asked)-1].Ticket, s)
	}()
	return s, ended
}

// hears expects a level, among others.
func (w *world) hears(e *listen.Ear, level byte) {
	w.Helper()
	ctx, cancel := context.WithTimeout(w.Context(), testwait.Limit)
	defer cancel()
	for {
		got, err := e.Next(ctx)
		if err != nil {
			w.Fatalf("level %d: %v", level, err)
		}
		if bytes.IndexByte(got, level) >= 0 {
			return
		}
	}
}

// ends waits for the end of what is heard.
func (w *world) ends(e *listen.Ear) error {
	w.Helper()
	ctx, cancel := context.WithTimeout(w.Context(), testwait.Limit)
	defer cancel()
	for {
		if _, err := e.Next(ctx); err != nil {
			return err
		}
	}
}

// stored waits until this many parts have come.
func (w *world) stored(parts int) {
	w.Helper()
	for began := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		n, err := postgres.CollectOne(w.Context(), w.db.Pool, pgx.RowTo[int], `select parts from call_sound`)
		if err != nil || time.Since(began) > testwait.Limit {
			w.Fatal(n, err)
		}
		if n == parts {
			return
		}
	}
}

func (w *world) listen(at *app.App) *listen.Ear {
	w.Helper()
	e, err := at.Sounds.Listen(w.Context(), w.OrganizationID, w.call)
	if err != nil {
		w.Fatal(err)
	}
	w.Cleanup(e.Close)
	return e
}

// Two people at two processes hear one stream, which the carrier sends to one of them.
func TestTwoListeners(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.answer()
	one, two := w.listen(w.first), w.listen(w.second)
	if asked := w.requests(); len(asked) != 1 || asked[0].CallID != w.call || asked[0].CarrierCallID != "CA1" ||
		len(asked[0].Ticket) < 20 {
		t.Fatalf("asked %+v", asked)
	}
	s, ended := w.send(w.first)
	for _, level := range []byte{7, 8} {
		s.sent <- level
		w.hears(one, level)
		w.hears(two, level)
	}
	w.stored(8)
	late := w.listen(w.second) // does not hear what was said before
	s.sent <- 9
	if got, err := late.Next(t.Context()); err != nil || bytes.IndexByte(got, 8) >= 0 {
		t.Errorf("late: %v", err)
	}
	w.exec(`update call set status = 'completed', outcome = 'completed', ended_at = clock() where id = $1`, w.call)
	for _, e := range []*listen.Ear{one, two} {
		if err := w.ends(e); fault.KindOf(err) != fault.Conflict {
			t.Errorf("after the end: %v", err)
		}
	}
	s.sent <- 10
	<-ended
	var left int
	if err := w.db.Pool.QueryRow(t.Context(),
		`select (select count(*) from call_sound) + (select count(*) from call_sound_part)`).Scan(&left); err != nil ||
		left != 0 {
		t.Errorf("%d rows are left, %v", left, err)
	}
	if n := len(w.requests()); n != 1 {
		t.Errorf("asked %d times", n)
	}
}

// When the process with the sound dies, the sound comes to another one.
func TestTheSoundComesAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.answer()
	e := w.listen(w.second)
	s, ended := w.send(w.first)
	s.sent <- 7
	w.hears(e, 7)
	// The first process has died: its row says that the sound came six seconds ago.
	w.exec(`update call_sound set asked_at = asked_at - interval '1 minute', last_part_at = clock() - interval '6 s'`)
	ctx, cancel := context.WithTimeout(t.Context(), testwait.Limit)
	defer cancel()
	go func() {
		for len(w.requests()) < 2 && ctx.Err() == nil {
			time.Sleep(10 * time.Millisecond)
		}
		again, _ := w.send(w.second)
		again.sent <- 8
	}()
	w.hears(e, 8)
	s.sent <- 9 // the first one was only slow, and its ticket is no longer valid
	<-ended
	if asked := w.requests(); len(asked) != 2 || asked[0].Ticket == asked[1].Ticket {
		t.Errorf("asked %+v", asked)
	}
}

// The sound ends when nobody wants it any more.
func TestNobodyListens(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.answer()
	w.listen(w.first).Close()
	s, ended := w.send(w.first)
	s.sent <- 7
	w.exec(`update call_sound set wanted_until = clock() - interval '1 s'`)
	s.sent <- 8
	<-ended

	// A process that died left its sound behind.
	w.listen(w.first).Close()
	w.exec(`update call_sound set wanted_until = clock() - interval '2 min'`)
	if err := w.first.Sounds.Forget(t.Context()); err != nil {
		t.Fatal(err)
	}
	n, err := postgres.CollectOne(t.Context(), w.db.Pool, pgx.RowTo[int], `select count(*) from call_sound`)
	if err != nil || n != 0 {
		t.Errorf("%d sounds are left, %v", n, err)
	}
}

// A transfer ends the listening: what a person says is not for it.
func TestNobodyHearsATransfer(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.answer()
	e := w.listen(w.first)
	s, ended := w.send(w.second)
	s.sent <- 7
	w.hears(e, 7)
	w.exec(`with d as (insert into destination (id, organization_id, project_id, name, phone_number, hours, mode,
			record, ring_timeout_seconds)
			values (gen_random_uuid(), $2, $3, 'The nurse', '+13125550161', '{}', 'cold', false, 30) returning id)
		insert into call_transfer (call_id, number, organization_id, destination_id, destination, mode, recorded,
			language, state) select $1, 1, $2, id, 'The nurse', 'cold', false, 'en-US', 'taken' from d`,
		w.call, w.OrganizationID, w.ProjectID)
	s.sent <- 8
	<-ended
	err := w.ends(e)
	if fault.KindOf(err) != fault.Conflict || err.Error() == "" {
		t.Errorf("%v", err)
	}
	if can, err := w.first.Sounds.Audible(t.Context(), w.OrganizationID, w.call); can || err != nil {
		t.Errorf("audible: %v, %v", can, err)
	}
}

func TestCallsThatCannotBeHeard(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	refused := func(what string, want fault.Kind, words string) {
		t.Helper()
		_, err := w.first.Sounds.Listen(t.Context(), w.OrganizationID, w.call)
		if fault.KindOf(err) != want || fault.As(err).Message != words {
			t.Errorf("%s: %v", what, err)
		}
	}
	refused("queued", fault.Conflict, "Nobody has answered this call yet")
	w.answer()
	if _, err := w.first.Sounds.Listen(t.Context(), uuid.New(), w.call); fault.KindOf(err) != fault.NotFound {
		t.Errorf("another organization: %v", err)
	}
	w.err = &carrier.Error{Kind: carrier.Refused, Reason: "Twilio does not allow it"}
	const unsent = "The carrier did not send the sound of this call: "
	refused("refused", fault.BadGateway, unsent+"Twilio does not allow it")
	w.err = errors.New("odd")
	refused("odd", fault.BadGateway, unsent+"the carrier could not be reached")
	w.err = carrier.ErrUnknownCall
	refused("ended at the carrier", fault.Conflict, "This call has ended")
	w.err = nil
	e := w.listen(w.first)
	for range 4 { // nothing ever comes
		w.exec(`update call_sound set asked_at = asked_at - interval '1 minute'`)
		if err := w.silence(e); err != nil {
			if fault.KindOf(err) != fault.BadGateway {
				t.Error(err)
			}
			return
		}
	}
	t.Error("waits for ever")
}

// silence looks for sound until the carrier was asked once more, or it gives up.
func (w *world) silence(e *listen.Ear) error {
	w.Helper()
	before := len(w.requests())
	ctx, cancel := context.WithTimeout(w.Context(), testwait.Limit)
	defer cancel()
	go func() {
		for len(w.requests()) == before && ctx.Err() == nil {
			time.Sleep(10 * time.Millisecond)
		}
		time.Sleep(10 * time.Millisecond)
		cancel()
	}()
	if _, err := e.Next(ctx); !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}
