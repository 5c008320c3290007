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

	"github.com/dialwright/dialwright/internal/loop"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/seal"
	"github.com/dialwright/dialwright/internal/webhook/sender"
)

const (
	claimGap    = 10 * time.Millisecond // between two claims, so that one claim takes the rows of many commits
	claimPoll   = time.Second           // covers a lost wake-up
	promotePoll = 500 * time.Millisecond
	writers     = 2

	maxLost       = 5        // leases of a row without a result
	maxLargeBytes = 64 << 20 // of large payloads in memory at a time
)

// EngineOptions configure an engine.
type EngineOptions struct {
	Pool      *pgxpool.Pool
	Hub       *postgres.Hub
	Vault     *seal.Vault
	Transport func() *http.Transport // of internal/guard, which checks addresses
	Version   string                 // of the product, for the header User-Agent
	Log       *slog.Logger           // nil: slog.Default()
}

// Engine delivers events: it claims due rows, sends requests, records results and plans
// the next attempts. Any number of engines may run on one database.
type Engine struct {
	o EngineOptions
}

// NewEngine makes an engine. Run starts it.
func NewEngine(o EngineOptions) *Engine {
	o.Log = cmp.Or(o.Log, slog.Default())
	return &Engine{o}
}

// Run delivers until ctx is canceled. Then it starts no more attempts, gives back the
// rows it took ahead, and returns when the results of the attempts in flight (15 s at
// most) are recorded. It returns no error: while the database is unavailable, it waits.
func (e *Engine) Run(ctx context.Context) error {
	s := &run{
		pool: e.o.Pool, hub: e.o.Hub, vault: e.o.Vault, log: e.o.Log,
		sender:        sender.New(e.o.Transport, e.o.Version),
		largePayloads: semaphore.NewWeighted(maxLargeBytes),
		unsigned:      map[uuid.UUID]struct{}{},
		results:       make(chan result, 2*maxRecordBatch),
	}
	s.dispatcher = newDispatcher(s.start)
	s.work(ctx)
	return nil
}

// run is one run of an engine, from its start until it has drained.
type run struct {
	pool          *pgxpool.Pool
	hub           *postgres.Hub
	vault         *seal.Vault
	log           *slog.Logger
	sender        sender.Sender
	dispatcher    *dispatcher
	streaks       streaks
	largePayloads *semaphore.Weighted

	cursor   uuid.UUID              // the last webhook of the last claim
	wrapped  bool                   // the walk restarted at the first webhook since the last wake-up
	unsigned map[uuid.UUID]struct{} // webhooks with unreadable secrets, logged once
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

	// No request starts anymore. Requests in flight end within their timeout.
	landed := s.dispatcher.close()
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), sender.Timeout+writeTimeout)
	defer cancel()
	s.returnRows(end)
	<-landed
	close(s.results)
	written.Wait()
	if err := s.writeStreaks(end); err != nil {
		s.log.Warn("how endpoints did is not written down", "error", err)
	}
	s.returnRows(end) // rows whose large payload could not be read
}

// returnRows gives back rows that were not started. If it fails, they become ready when
// their leases end.
func (s *run) returnRows(ctx context.Context) {
	rows := s.dispatcher.takeReturns()
	if len(rows) == 0 {
		return
	}
	if err := s.giveBack(ctx, rows); err != nil {
		s.log.Warn("deliveries were not given back; their leases make up for it", "error", err)
	}
}

// keepClaiming claims rows after a wake-up, when there is capacity again, and once per
// poll.
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
		// A claim is never canceled halfway: its rows would stay leased without a sender.
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
		if !loop.Sleep(ctx, gap) {
			return
		}
		poll.Reset(wait)
	}
}

// keepPromoting makes rows ready whose time has come, and the rows of webhooks that are
// active again.
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

// keepStreaks records the health of endpoints once a second.
func (s *run) keepStreaks(ctx context.Context) {
	s.keep(ctx, "write how endpoints do", streaksEvery, func(ctx context.Context) (time.Duration, error) {
		return streaksEvery, s.writeStreaks(ctx)
	})
}

// keepSorting moves slow requests to slow slots and drops idle queues.
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

// keep repeats a step after the delay that it returns, at most after most, and with
// growing pauses while it fails. A started step is never canceled.
func (s *run) keep(
	ctx context.Context, what string, most time.Duration, step func(context.Context) (time.Duration, error),
) {
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
		if !loop.Sleep(ctx, wait) {
			return
		}
	}
}

// wake makes all processes claim again.
func (s *run) wake() { s.hub.Wake(Topic) }

// start makes the request of a slot, and the requests that follow in it.
func (s *run) start(f *slot) {
	go func() {
		for f != nil {
			f = s.attempt(f)
		}
	}()
}

// attempt makes one request and hands over its result.
func (s *run) attempt(f *slot) *slot {
	a, ok := s.deliver(f)
	if !ok {
		return s.dispatcher.finish(f, nil)
	}
	s.results <- resultOf(f, a, rand.Float64())
	return s.dispatcher.finish(f, &a)
}

// deliver makes the attempt. ok is false if it was not made for reasons other than the
// endpoint.
func (s *run) deliver(f *slot) (a sender.Attempt, ok bool) {
	r := &f.row
	if r.lost > maxLost {
		// A row that crashes its sender must not crash processes forever.
		return sender.NotMade(f.target.url, "Sending was interrupted several times"), true
	}
	defer func() {
		// A panic over an endpoint's answer must not end the process and its calls.
		if p := recover(); p != nil {
			s.log.Error("an attempt panicked", "webhook_id", r.webhookID, "delivery_id", r.deliveryID, "panic", p,
				"stack", string(debug.Stack()))
			a, ok = sender.NotMade(f.target.url, "Sending it failed"), true
		}
	}()
	payload := r.payload
	if payload == nil {
		weight := min(int64(r.size), maxLargeBytes)
		ctx, cancel := context.WithTimeout(context.Background(), sender.Timeout)
		defer cancel()
		if err := s.largePayloads.Acquire(ctx, weight); err != nil {
			return a, false
		}
		defer s.largePayloads.Release(weight)
		if err := s.pool.QueryRow(
			ctx, `select payload from event where id = $1`, r.eventID,
		).Scan(&payload); err != nil {
			s.log.Warn("the payload of an event was not read", "event_id", r.eventID, "error", err)
			return a, false
		}
	}
	if time.Since(r.taken) > lease-sender.Timeout {
		return a, false // the attempt could outlast the lease
	}
	return s.sender.Send(context.Background(), sender.Request{
		URL:     f.target.url,
		EventID: r.eventID,
		Payload: payload,
		Secrets: f.target.secrets,
		Headers: f.target.headers,
	}), true
}

// failureLog logs a repeated failure once, and returns pauses that grow to 2 s.
type failureLog struct {
	log     *slog.Logger
	what    string
	backoff loop.Backoff
}

// failed records an error and returns how long to wait.
func (t *failureLog) failed(err error) time.Duration {
	if !t.backoff.Failing() {
		t.log.Error("failing, and tried again", "what", t.what, "error", err)
	}
	return loop.Jitter(t.backoff.Next(50*time.Millisecond, 2*time.Second))
}

// recovered ends a series of failures.
func (t *failureLog) recovered() {
	if t.backoff.Failing() {
		t.log.Info("works again", "what", t.what)
		t.backoff.Reset()
	}
}
