// Package simulation contains the common parts of the sandboxes: goroutines that end together, accelerated time,
// counts that tests wait for, repeated callbacks, and the HTTP of the control routes.
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
	answerTime = 15 * time.Second // limit of a callback
	maxAnswer  = 64 << 10         // limit of a callback's answer, in bytes

	// Pauses between the attempts of a callback are real time, because the product
	// restarts in real time.
	firstPause = 100 * time.Millisecond
	lastPause  = time.Second
)

// Options configures a Run.
type Options struct {
	Speed    float64       // divides the time of the simulation; 0 means 1
	RetryFor time.Duration // how long Insist repeats a failed callback
	Log      *slog.Logger  // nil: slog.Default()
}

// Run is the run of a sandbox. S is the type of its counts.
type Run[S any] struct {
	Log    *slog.Logger
	Client *http.Client    // sends callbacks, without redirects
	Ctx    context.Context // ends with Close

	Mu     sync.Mutex // guards Counts and the sandbox's records
	Counts S

	speed    float64
	retryFor time.Duration
	cancel   context.CancelFunc
	wg       sync.WaitGroup
	closed   bool
	changed  chan struct{} // closed at the next Announce; nil if no Await waits
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
	transport.Proxy = nil // callbacks go directly to the product's address
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

// Close ends everything immediately, as a power failure does, and waits for the goroutines.
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

// StartLocked is Start for a caller that has locked Mu.
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

// Hold delays the answer to a request by d of real time. It returns false if the requester disconnects or the run ends
// first.
func (r *Run[S]) Hold(req *http.Request, d time.Duration) bool {
	ctx, cancel := context.WithCancel(req.Context())
	defer cancel()
	defer context.AfterFunc(r.Ctx, cancel)()
	return d <= 0 || loop.Sleep(ctx, d)
}

// Answered counts a request as answered. It sets at, unless the requester disconnected before the answer.
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

// Await waits until wanted returns true for the counts. It returns ctx's error if ctx ends first.
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

// Announce wakes Await after a change of Counts. The caller has locked Mu.
func (r *Run[S]) Announce() {
	if r.changed != nil {
		close(r.changed)
		r.changed = nil
	}
}

// Post makes one attempt at a callback. If the answer is not 2xx, the error contains its status.
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

// Insist calls try until it succeeds, returns again as false, or RetryFor has passed, or until ctx ends.
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

// Trim removes the oldest requests until keep requests are left. It removes only requests for which forget returns
// true.
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

// Draw returns a random source that depends only on the words, so that a recipient always behaves in the same way.
func Draw(words ...string) *rand.Rand {
	h := fnv.New64a()
	for _, w := range words {
		h.Write([]byte(w))
		h.Write([]byte{0})
	}
	return rand.New(rand.NewPCG(h.Sum64(), 0x5eed))
}
