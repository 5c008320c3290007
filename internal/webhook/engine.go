package webhook

import (
	"cmp"
	"context"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"runtime/debug"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/semaphore"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/postgres"
)

const (
	claimGap    = 10 * time.Millisecond // between two claims, so that one takes what many commits wrote
	claimPoll   = time.Second           // for a wake-up that was lost
	promotePoll = 500 * time.Millisecond
	writers     = 2

	maxLost       = 5        // times a row may be taken without a result
	maxLargeBytes = 64 << 20 // bytes of large payloads in memory at a time
)

// EngineOptions are what an engine works with.
type EngineOptions struct {
	Pool      *pgxpool.Pool
	Hub       *postgres.Hub
	Vault     *account.Vault
	Transport func() *http.Transport // of internal/guard: it judges addresses
	Version   string                 // of the product, for the header User-Agent
	Log       *slog.Logger           // nil: slog.Default()
}

// Engine delivers: it takes what is due, sends it, writes down what became of
// it, and plans the next attempt. Any number of them may run on one database.
type Engine struct {
	o EngineOptions
}

// NewEngine makes an engine that is not running yet.
func NewEngine(o EngineOptions) *Engine {
	o.Log = cmp.Or(o.Log, slog.Default())
	return &Engine{o}
}

// Run delivers until ctx is over. Then it begins no attempt any more, gives back
// what it had taken ahead, and returns when the attempts under way (15 s at
// most) are written down. It returns no error: while the database is away it
// waits for it.
func (e *Engine) Run(ctx context.Context) error {
	s := &run{
		pool: e.o.Pool, hub: e.o.Hub, vault: e.o.Vault, log: e.o.Log,
		sender:        newSender(e.o.Transport, e.o.Version),
		largePayloads: semaphore.NewWeighted(maxLargeBytes),
		unsigned:      map[uuid.UUID]struct{}{},
		results:       make(chan result, 2*maxRecordBatch),
	}
	s.dispatcher = newDispatcher(s.start)
	s.work(ctx)
	return nil
}

// shift is one run of an engine, from its start until it has drained.
type run struct {
	pool          *pgxpool.Pool
	hub           *postgres.Hub
	vault         *account.Vault
	log           *slog.Logger
	sender        sender
	dispatcher    *dispatcher
	streaks       streaks
	largePayloads *semaphore.Weighted

	cursor   uuid.UUID              // the webhook that the last claim came to
	wrapped  bool                   // it has begun again with the first since it was woken
	unsigned map[uuid.UUID]struct{} // webhooks whose secrets don't open: said once
	results  chan result
}

func (s *run) work(ctx context.Context) {
	var written, helping sync.WaitGroup
	for range writers {
		written.Go(s.recordResults)
	}
	helping.Go(func() { s.keepClaiming(ctx) })
	helping.Go(func() { s.keepPromoting(ctx) })
	helping.Go(func() { s.keepRecovering(ctx) })
	helping.Go(func() { s.keepStreaks(ctx) })
	helping.Go(func() { s.keepSorting(ctx) })
	helping.Wait()

	// Nothing is begun any more. What is under way ends within its timeout.
	landed := s.dispatcher.close()
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), sendTimeout+writeTimeout)
	defer cancel()
	s.returnRows(end)
	<-landed
	close(s.results)
	written.Wait()
	if err := s.writeStreaks(end); err != nil {
		s.log.Warn("how endpoints did is not written down", "error", err)
	}
	s.returnRows(end) // large payloads that could not be read
}

// returnRows gives back what was not begun. Where that fails, the leases do it.
func (s *run) returnRows(ctx context.Context) {
	rows := s.dispatcher.takeReturns()
	if len(rows) == 0 {
		return
	}
	if err := s.giveBack(ctx, rows); err != nil {
		s.log.Warn("deliveries were not given back; their leases make up for it", "error", err)
	}
}

// keepClaiming takes rows when there is something new, when there is room
// again, and now and then.
func (s *run) keepClaiming(ctx context.Context) {
	wake, stop := s.hub.Subscribe(Topic)
	defer stop()
	t := failureLog{log: s.log, what: "take deliveries"}
	poll := time.NewTimer(0)
	defer poll.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-poll.C:
		case <-wake:
		case <-s.dispatcher.claimAgain:
		}
		// One that was begun is finished, so that nothing is taken and forgotten.
		cctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), writeTimeout)
		s.returnRows(cctx)
		again, err := s.claim(cctx)
		cancel()
		wait := claimPoll*9/10 + rand.N(claimPoll/5)
		gap := claimGap
		switch {
		case err != nil:
			gap = t.failed(err)
			wait = 0
		case again:
			gap, wait = 0, 0
		default:
			s.wrapped = false
		}
		if err == nil {
			t.recovered()
		}
		if !sleep(ctx, gap) {
			return
		}
		poll.Reset(wait)
	}
}

// keepPromoting makes ready what has waited for its time, and what was held for
// webhooks that are active again.
func (s *run) keepPromoting(ctx context.Context) {
	s.keep(ctx, "make deliveries ready", promotePoll, func(ctx context.Context) (time.Duration, error) {
		n, next, err := s.promote(ctx)
		if err != nil {
			return 0, err
		}
		released, err := s.release(ctx)
		if err != nil {
			return 0, err
		}
		if n+released > 0 {
			s.wake()
			return 0, nil
		}
		return next, nil
	})
}

// keepStreaks writes how endpoints do.
func (s *run) keepStreaks(ctx context.Context) {
	s.keep(ctx, "write how endpoints do", streaksEvery, func(ctx context.Context) (time.Duration, error) {
		return streaksEvery, s.writeStreaks(ctx)
	})
}

// keepAging tends the board.
func (s *run) keepSorting(ctx context.Context) {
	age, forget := time.NewTicker(moveSlowEvery), time.NewTicker(idleAfter/10)
	defer age.Stop()
	defer forget.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-age.C:
			s.dispatcher.moveSlow()
		case <-forget.C:
			s.dispatcher.dropIdle()
		}
	}
}

// keep runs a step again and again, after the time it asks for and at most
// most, and longer while it fails. A step that was begun is finished.
func (s *run) keep(ctx context.Context, what string, most time.Duration, step func(context.Context) (time.Duration, error)) {
	t := failureLog{log: s.log, what: what}
	for {
		sctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), writeTimeout)
		wait, err := step(sctx)
		cancel()
		if err != nil {
			wait = t.failed(err)
		} else {
			t.recovered()
			wait = max(min(wait, most), claimGap)
		}
		if !sleep(ctx, wait) {
			return
		}
	}
}

// wake has the claim look again, here and in other processes.
func (s *run) wake() { s.hub.Wake(Topic) }

// start makes the request of a flight, and of those that follow it.
func (s *run) start(f *slot) {
	go func() {
		for f != nil {
			f = s.attempt(f)
		}
	}()
}

// fly makes one request and hands in what became of it.
func (s *run) attempt(f *slot) *slot {
	a, ok := s.deliver(f)
	if !ok {
		return s.dispatcher.finish(f, nil)
	}
	s.results <- resultOf(f, a, rand.Float64())
	return s.dispatcher.finish(f, &a)
}

// deliver makes the attempt; ok is false when it could not be made by no fault
// of the endpoint's.
func (s *run) deliver(f *slot) (a attempt, ok bool) {
	r := &f.row
	spoiled := func(problem string) attempt {
		return attempt{
			url: f.target.url, signedAt: s.sender.now().Unix(), began: time.Now(), timings: noTimings,
			outcome: OutcomeProtocol, problem: problem,
		}
	}
	if r.lost > maxLost {
		// Whatever ends the processes that send it must end somewhere.
		return spoiled("Sending was interrupted several times"), true
	}
	defer func() {
		// What an endpoint answers must not end the process, with the calls in it.
		if p := recover(); p != nil {
			s.log.Error("an attempt panicked", "webhook_id", r.webhookID, "delivery_id", r.deliveryID, "panic", p, "stack", string(debug.Stack()))
			a, ok = spoiled("Sending it failed"), true
		}
	}()
	payload := r.payload
	if payload == nil {
		weight := min(int64(r.size), maxLargeBytes)
		ctx, cancel := context.WithTimeout(context.Background(), sendTimeout)
		defer cancel()
		if err := s.largePayloads.Acquire(ctx, weight); err != nil {
			return a, false
		}
		defer s.largePayloads.Release(weight)
		if err := s.pool.QueryRow(ctx, `select payload from event where id = $1`, r.eventID).Scan(&payload); err != nil {
			s.log.Warn("the payload of an event was not read", "event_id", r.eventID, "error", err)
			return a, false
		}
	}
	if time.Since(r.taken) > lease-sendTimeout {
		return a, false // too late to be done before the lease ends
	}
	return s.sender.send(context.Background(), request{url: f.target.url, eventID: r.eventID, payload: payload, secrets: f.target.secrets}), true
}

// trouble is something that fails for a while: it is logged once, and tried
// again after pauses that grow to 2 s.
type failureLog struct {
	log   *slog.Logger
	what  string
	pause time.Duration
}

// note takes an error and tells how long to wait.
func (t *failureLog) failed(err error) time.Duration {
	if t.pause == 0 {
		t.log.Error("failing, and tried again", "what", t.what, "error", err)
		t.pause = 50 * time.Millisecond
	} else {
		t.pause = min(2*t.pause, 2*time.Second)
	}
	return t.pause/2 + rand.N(t.pause/2)
}

// over says that it went well.
func (t *failureLog) recovered() {
	if t.pause != 0 {
		t.log.Info("works again", "what", t.what)
		t.pause = 0
	}
}

// rest waits for d; false when ctx is over before.
func sleep(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
		return ctx.Err() == nil
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-t.C:
		return true
	}
}
