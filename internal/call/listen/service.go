package listen

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/loop"
	"github.com/dialwright/dialwright/internal/postgres"
)

const (
	// wantedTime is how long the sound is wanted after its listener last said so.
	wantedTime = 15 * time.Second
	// renewGap is how often a listener says so.
	renewGap = 5 * time.Second
	// sourceTime is how long the sound may stay away before the carrier is asked again.
	sourceTime = 5 * time.Second
	// pollGap is how often a listener looks for sound without a wake-up.
	pollGap = 250 * time.Millisecond
	// silenceTime is how long a listener waits for sound before it asks whether the call goes on.
	silenceTime = time.Second
	// askTime is the timeout of a request to the carrier.
	askTime = 10 * time.Second
	// keptParts is how many parts of a call are kept: ten seconds.
	keptParts = 40
	// outageTime is how long a listener waits for the database.
	outageTime = time.Minute
	// maxRequests is how often in a row a listener asks for sound that does not come.
	maxRequests = 3
)

// Service lets people listen in. Make it with New. It is safe for concurrent use.
type Service struct {
	pool     *pgxpool.Pool
	hub      *postgres.Hub
	carriers func(ctx context.Context, connectionID uuid.UUID) (carrier.Carrier, error)
	log      *slog.Logger
}

// Options are the dependencies of the service.
type Options struct {
	Pool     *pgxpool.Pool
	Hub      *postgres.Hub
	Carriers func(ctx context.Context, connectionID uuid.UUID) (carrier.Carrier, error)
	Log      *slog.Logger
}

// New makes the service.
func New(o Options) *Service {
	return &Service{pool: o.Pool, hub: o.Hub, carriers: o.Carriers, log: o.Log}
}

func topic(callID uuid.UUID) string { return "sound:" + callID.String() }

// sqlAudible is true for a call c that can be heard: a person or a machine has answered, and the agent talks. What is
// said to a person after a transfer, and while that phone rings, is not for listeners.
const sqlAudible = `c.status = 'in_progress' and c.carrier_call_id is not null and not exists (
	select from call_transfer x where x.call_id = c.id and x.ended_at is null and x.state <> 'requested')`

// Audible reports whether somebody could listen in to a call now.
func (s *Service) Audible(ctx context.Context, organization, callID uuid.UUID) (can bool, err error) {
	err = s.pool.QueryRow(ctx, `select exists (
		select from call c where c.organization_id = $1 and c.id = $2 and `+sqlAudible+`)`,
		organization, callID).Scan(&can)
	if err != nil {
		return false, fmt.Errorf("read whether call %s can be heard: %w", callID, err)
	}
	return can, nil
}

// wanted is a call whose sound is wanted.
type wanted struct {
	Ask           bool // whether the carrier must be asked
	Parts         int64
	ConnectionID  uuid.UUID
	CarrierCallID string
}

// want says that the sound of a call is wanted for wantedTime. One of those who say so at the same time asks the
// carrier. Errors: NotFound, and Conflict for a call that can't be heard.
func (s *Service) want(ctx context.Context, organization, callID uuid.UUID) (wanted, error) {
	ticket := rand.Text()
	w, err := postgres.CollectOne(ctx, s.pool, pgx.RowToStructByName[wanted], `
		with target as (
			select c.id, c.organization_id, c.connection_id, c.carrier_call_id, clock() as t from call c
			where c.organization_id = @organization and c.id = @call and `+sqlAudible+`
		), sound as (
			insert into call_sound as s (call_id, organization_id, ticket_hash, asked_at, wanted_until)
			select id, organization_id, @ticket, t, t + @wanted::interval from target
			on conflict (call_id) do update set
				wanted_until = greatest(s.wanted_until, excluded.wanted_until),
				(ticket_hash, asked_at) = (
					select case when lost then excluded.ticket_hash else s.ticket_hash end,
						case when lost then excluded.asked_at else s.asked_at end
					from (select greatest(s.asked_at, s.last_part_at) < excluded.asked_at - @source::interval) l (lost))
			returning ticket_hash, parts
		)
		select sound.ticket_hash = @ticket as ask, parts, connection_id, carrier_call_id from sound, target`,
		pgx.NamedArgs{
			"organization": organization, "call": callID, "ticket": hashOf(ticket), "wanted": wantedTime,
			"source": sourceTime,
		})
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return wanted{}, s.whyNot(ctx, organization, callID)
	case err != nil:
		return wanted{}, fmt.Errorf("ask for the sound of call %s: %w", callID, err)
	case w.Ask:
		if err := s.ask(ctx, w, callID, ticket); err != nil {
			return wanted{}, err
		}
	}
	return w, nil
}

// ask asks the carrier for the sound. After a failure, the next listener asks again.
func (s *Service) ask(ctx context.Context, w wanted, callID uuid.UUID, ticket string) error {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	network, err := s.carriers(ctx, w.ConnectionID)
	if err == nil {
		err = network.Listen(ctx, carrier.Listen{CallID: callID, CarrierCallID: w.CarrierCallID, Ticket: ticket})
	}
	if err == nil {
		return nil
	}
	s.forget(ctx, callID, ticket)
	if errors.Is(err, carrier.ErrUnknownCall) {
		return errOver.Because(err)
	}
	reason := "the carrier could not be reached"
	if problem, known := errors.AsType[*carrier.Error](err); known {
		reason = problem.Reason
	}
	return fault.New(fault.BadGateway, "The carrier did not send the sound of this call: %s", reason).Because(err)
}

var errOver = fault.Conflictf("This call has ended")

// whyNot says why a call can't be heard.
func (s *Service) whyNot(ctx context.Context, organization, callID uuid.UUID) error {
	var status string
	err := s.pool.QueryRow(ctx, `select status from call where organization_id = $1 and id = $2`, organization, callID).
		Scan(&status)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return fault.NotFoundf("Call")
	case err != nil:
		return fmt.Errorf("find call %s: %w", callID, err)
	case status == "in_progress":
		return fault.Conflictf("This call has been transferred to a person, so nobody can listen in")
	case status == "scheduled" || status == "queued" || status == "ringing":
		return fault.Conflictf("Nobody has answered this call yet")
	}
	return errOver
}

// forget ends the sound of a call that has this ticket.
func (s *Service) forget(ctx context.Context, callID uuid.UUID, ticket string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), askTime)
	defer cancel()
	if _, err := s.pool.Exec(ctx, `delete from call_sound where call_id = $1 and ticket_hash = $2`,
		callID, hashOf(ticket)); err != nil {
		s.log.WarnContext(ctx, "the end of the sound of a call was not stored", "call", callID, "error", err)
	}
	s.hub.Wake(topic(callID))
}

// Listen begins to hear a call. Errors: NotFound, Conflict for a call that can't be heard now, and BadGateway if the
// carrier does not send its sound.
func (s *Service) Listen(ctx context.Context, organization, callID uuid.UUID) (*Ear, error) {
	w, err := s.want(ctx, organization, callID)
	if err != nil {
		return nil, err
	}
	woken, cancel := s.hub.Subscribe(topic(callID))
	now := time.Now()
	e := &Ear{
		service: s, organization: organization, callID: callID, last: w.Parts, renewed: now, heard: now, answered: now,
		woken: woken, cancel: cancel,
	}
	if w.Ask {
		e.requests = 1
	}
	return e, nil
}

// Ear hears a call. One goroutine uses it.
type Ear struct {
	service              *Service
	organization, callID uuid.UUID
	last                 int64 // the last part that was heard
	renewed, heard       time.Time
	answered             time.Time // when the database last answered
	requests             int       // to the carrier, since sound was last heard
	woken                <-chan struct{}
	cancel               func()
}

// Close ends the listening.
func (e *Ear) Close() { e.cancel() }

// Next waits for the next sound of the call, both sides interleaved: the agent's byte, then the person's, in G.711
// µ-law with 8,000 bytes per second each. Errors: those of Service.Listen, Conflict at the end of the call.
func (e *Ear) Next(ctx context.Context) ([]byte, error) {
	for {
		sound, err := e.look(ctx)
		switch {
		case err == nil:
			e.answered = time.Now()
		case ctx.Err() != nil || fault.KindOf(err) != fault.Internal || time.Since(e.answered) > outageTime:
			return nil, err
		}
		if len(sound) > 0 {
			return sound, nil
		}
		select {
		case <-e.woken:
		case <-time.After(pollGap):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// look returns the sound since the last part, and says now and then that it is wanted.
func (e *Ear) look(ctx context.Context) ([]byte, error) {
	sound, err := e.read(ctx)
	if err != nil {
		return nil, err
	}
	now := time.Now()
	if len(sound) > 0 {
		e.heard, e.requests = now, 0
	}
	since := now.Sub(e.renewed)
	if since < renewGap && (since < silenceTime || now.Sub(e.heard) < silenceTime) {
		return sound, nil
	}
	if err := e.renew(ctx); err != nil && len(sound) == 0 {
		return nil, err // after sound, the next look finds the same
	}
	return sound, nil
}

// read returns the sound since the last part. Whoever is late goes on with what is kept.
func (e *Ear) read(ctx context.Context) ([]byte, error) {
	var sound []byte
	var last *int64
	err := e.service.pool.QueryRow(ctx, `
		select string_agg(sound, '' order by number), max(number) from call_sound_part
		where call_id = $1 and number > $2`, e.callID, e.last).Scan(&sound, &last)
	if err != nil {
		return nil, fmt.Errorf("read the sound of call %s: %w", e.callID, err)
	}
	if last != nil {
		e.last = *last
	}
	return sound, nil
}

func (e *Ear) renew(ctx context.Context) error {
	w, err := e.service.want(ctx, e.organization, e.callID)
	if err != nil {
		return err
	}
	e.renewed = time.Now()
	if w.Parts < e.last { // the sound began anew
		e.last = w.Parts
	}
	if w.Ask {
		if e.requests++; e.requests > maxRequests {
			return fault.New(fault.BadGateway, "The carrier does not send the sound of this call")
		}
	}
	return nil
}

// Hear stores the sound that a carrier sends, as long as it is wanted and has the ticket. It implements carrier.Host.
func (s *Service) Hear(ctx context.Context, connectionID, callID uuid.UUID, ticket string, sound carrier.LiveSound) {
	defer s.forget(ctx, callID, ticket)
	var m Mixer
	for {
		p, err := sound.Next(ctx)
		if err != nil {
			return
		}
		for _, part := range m.Add(p) {
			more, err := s.store(ctx, connectionID, callID, ticket, part)
			if err != nil {
				s.log.WarnContext(ctx, "the sound of a call was not stored", "call", callID, "error", err)
				loop.Sleep(ctx, pollGap)
				continue // what is lost is lost, and the next part comes in a quarter of a second
			}
			if !more {
				return
			}
		}
	}
}

// store adds a part to the sound of a call. It returns false when the sound is not wanted any more, or when another
// process has it.
func (s *Service) store(ctx context.Context, connectionID, callID uuid.UUID, ticket string, part []byte) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	n, err := s.pool.Exec(ctx, `
		with sound as (
			update call_sound s set parts = parts + 1, last_part_at = k.t from (select clock() as t) k, call c
			where s.call_id = $1 and s.ticket_hash = $2 and s.wanted_until > k.t
			  and c.id = s.call_id and c.connection_id = $3 and `+sqlAudible+`
			returning s.call_id, s.parts
		), old as (
			delete from call_sound_part p using sound where p.call_id = sound.call_id and p.number <= sound.parts - $5
		)
		insert into call_sound_part (call_id, number, sound) select call_id, parts, $4 from sound`,
		callID, hashOf(ticket), connectionID, part, keptParts)
	if err != nil {
		return false, err
	}
	s.hub.Wake(topic(callID))
	return n.RowsAffected() > 0, nil
}

// Forget deletes sounds that a process left behind when it died. It is a periodic task. Any number of processes may run
// it.
func (s *Service) Forget(ctx context.Context) error {
	_, err := s.pool.Exec(ctx, `delete from call_sound where wanted_until < clock() - $1::interval`, time.Minute)
	if err != nil {
		return fmt.Errorf("delete the sound of calls that have ended: %w", err)
	}
	return nil
}

func hashOf(ticket string) []byte {
	h := sha256.Sum256([]byte(ticket))
	return h[:]
}
