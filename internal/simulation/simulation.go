// Package simulation owns what the sandboxes share: goroutines that end together, time
// that passes faster, counts that tests wait for, callbacks that are repeated, and the
// HTTP of the control routes.
package simulation

import (
	"context"
	"fmt"
	"hash/fnv"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/dialwright/dialwright/internal/loop"
)

const (
	answerTime = 15 * time.Second // the longest a callback may take
	maxAnswer  = 64 << 10         // bytes of the answer to a callback

	// Pauses between the attempts of a callback are real time, because the product
	// restarts in real time.
	firstPause = 100 * time.Millisecond
	lastPause  = time.Second
)

// Options configures a Run.
type Options struct {
	Speed    float64       // divides the time of the simulation. 0: 1
	RetryFor time.Duration // how long Insist repeats a callback that fails
	Log      *slog.Logger  // nil: slog.Default()
}

// Run is the life of one sandbox. S is the type of its counts.
type Run[S any] struct {
	Log    *slog.Logger
	Client *http.Client    // sends callbacks, without redirects
	Ctx    context.Context // ends with Close

	Mu     sync.Mutex // guards Counts and everything that the sandbox remembers
	Counts S

	speed    float64
	retryFor time.Duration
	cancel   context.CancelFunc
	wg       sync.WaitGroup
	closed   bool
	changed  chan struct{} // closed at the next Announce; nil while nobody waits
}

// New starts a run.
func New[S any](o Options) *Run[S] {
	if o.Speed <= 0 {
		o.Speed = 1
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.Proxy = nil // callbacks go to the address that the product named
	transport.MaxIdleConns = 512
	transport.MaxIdleConnsPerHost = 256
	r := &Run[S]{
		Log:      o.Log,
		Client:   &http.Client{Transport: transport, CheckRedirect: refuseRedirect},
		speed:    o.Speed,
		retryFor: o.RetryFor,
	}
	r.Ctx, r.cancel = context.WithCancel(context.Background()) //nolint:gosec // Close calls it
	return r
}

func refuseRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// Close ends everything at once, as a power cut would, and waits for the goroutines.
func (r *Run[S]) Close() {
	r.Mu.Lock()
	r.closed = true
	r.Mu.Unlock()
	r.cancel()
	r.wg.Wait()
	r.Client.CloseIdleConnections()
}

// Start runs f in a goroutine. It returns false after Close.
func (r *Run[S]) Start(f func()) bool {
	r.Mu.Lock()
	defer r.Mu.Unlock()
	return r.StartLocked(f)
}

// StartLocked is Start for a caller that holds Mu.
func (r *Run[S]) StartLocked(f func()) bool {
	if !r.closed {
		r.wg.Go(f)
	}
	return !r.closed
}

// Scaled converts simulated time to real time.
func (r *Run[S]) Scaled(d time.Duration) time.Duration { return time.Duration(float64(d) / r.speed) }

// Unscaled converts real time to simulated time.
func (r *Run[S]) Unscaled(d time.Duration) time.Duration { return time.Duration(float64(d) * r.speed) }

// Pass waits for d of simulated time. It returns false if the run ends first.
func (r *Run[S]) Pass(d time.Duration) bool { return loop.Sleep(r.Ctx, r.Scaled(d)) }

// Hold delays the answer to a request by d of real time. It returns false if the
// requester leaves or the run ends first.
func (r *Run[S]) Hold(req *http.Request, d time.Duration) bool {
	ctx, cancel := context.WithCancel(req.Context())
	defer cancel()
	defer context.AfterFunc(r.Ctx, cancel)()
	return d <= 0 || loop.Sleep(ctx, d)
}

// Answered counts a request as answered. It sets at, unless the requester left before
// the answer.
func (r *Run[S]) Answered(req *http.Request, unanswered *int, at **time.Time) {
	r.Mu.Lock()
	defer r.Mu.Unlock()
	*unanswered--
	if req.Context().Err() == nil {
		now := time.Now().UTC()
		*at = &now
	}
	r.Announce()
}

// State returns the counts.
func (r *Run[S]) State() S {
	r.Mu.Lock()
	defer r.Mu.Unlock()
	return r.Counts
}

// Await waits until the counts are as wanted. Its error is ctx's.
func (r *Run[S]) Await(ctx context.Context, wanted func(S) bool) (S, error) {
	for {
		r.Mu.Lock()
		state := r.Counts
		if r.changed == nil {
			r.changed = make(chan struct{})
		}
		changed := r.changed
		r.Mu.Unlock()
		if wanted(state) {
			return state, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return state, ctx.Err()
		}
	}
}

// Announce wakes Await after a change of Counts. The caller holds Mu.
func (r *Run[S]) Announce() {
	if r.changed != nil {
		close(r.changed)
		r.changed = nil
	}
}

// Post makes one attempt at a callback. The error of an answer other than 2xx names its
// status.
func (r *Run[S]) Post(ctx context.Context, address, body string, header http.Header) (
	answer []byte, status int, err error,
) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, strings.NewReader(body))
	if err != nil {
		return nil, 0, err
	}
	req.Header = header
	res, err := r.Client.Do(req)
	if err != nil {
		return nil, 0, err
	}
	defer res.Body.Close()
	answer, err = io.ReadAll(io.LimitReader(res.Body, maxAnswer))
	if res.StatusCode >= 300 {
		err = fmt.Errorf("status %d", res.StatusCode)
	}
	return answer, res.StatusCode, err
}

// Insist calls try until it succeeds or wants no other attempt, until RetryFor has
// passed, or until ctx ends.
func (r *Run[S]) Insist(ctx context.Context, try func() (again bool, err error)) error {
	var pauses loop.Backoff
	until := time.Now().Add(r.retryFor)
	for attempts := 1; ; attempts++ {
		again, err := try()
		if err == nil || !again {
			return err
		}
		pause := pauses.Next(firstPause, lastPause)
		if time.Now().Add(pause).After(until) {
			return fmt.Errorf("given up after %d attempts: %w", attempts, err)
		}
		if !loop.Sleep(ctx, pause) {
			return ctx.Err()
		}
	}
}

// Trim forgets the oldest requests until keep are left, and only requests that forget
// accepts.
func Trim[T any](requests []*T, keep int, forget func(*T) bool) []*T {
	excess := len(requests) - keep
	kept := requests[:0]
	for _, q := range requests {
		if excess > 0 && forget(q) {
			excess--
			continue
		}
		kept = append(kept, q)
	}
	clear(requests[len(kept):])
	return kept
}

// Draw returns a source of chance that depends on the words alone, so that a recipient
// always behaves in the same way.
func Draw(words ...string) *rand.Rand {
	h := fnv.New64a()
	for _, w := range words {
		h.Write([]byte(w))
		h.Write([]byte{0})
	}
	return rand.New(rand.NewPCG(h.Sum64(), 0x5eed))
}
