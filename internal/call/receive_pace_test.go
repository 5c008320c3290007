package call

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/carrier"
)

// incoming is a call of somebody to the world's number. No from: the caller withholds the number.
func (w *world) incoming(from string) carrier.Incoming {
	return carrier.Incoming{
		ConnectionID: w.claim.ConnectionID, CarrierCallID: "CA" + uuid.NewString(), From: from, To: w.claim.OwnNumber,
	}
}

// receives has a process receive a call.
func (w *world) receives(s *Service, in carrier.Incoming) carrier.Reception {
	w.tb.Helper()
	r, err := s.Receive(context.Background(), in)
	if err != nil {
		w.tb.Error(err)
	}
	return r
}

// calledTimes lets somebody call at once from n phones through two processes, and returns how many calls were answered.
func (w *world) calledTimes(n int, from func(i int) string) int {
	w.tb.Helper()
	processes := []*Service{w.calls, w.instance()}
	var answered atomic.Int64
	var callers sync.WaitGroup
	for i := range n {
		callers.Go(func() {
			switch r := w.receives(processes[i%2], w.incoming(from(i))); r.Action {
			case carrier.OpenLine:
				answered.Add(1)
			case carrier.RejectBusy:
			default:
				w.tb.Errorf("%+v", r)
			}
		})
	}
	callers.Wait()
	return int(answered.Load())
}

func (w *world) stored(reason Reason) (n int) {
	w.tb.Helper()
	err := w.db.Pool.QueryRow(context.Background(), `
		select count(*) from call where direction = 'inbound' and ended_reason = $1`, reason).Scan(&n)
	if err != nil {
		w.tb.Fatal(err)
	}
	return n
}

// Many calls at once are answered as often as the pace allows, over all processes. The others hear that the line is
// busy, and one of each burst is stored and logged.
func TestBurstsOfCallsAreRejected(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		from func(int) string
		pace inboundPace
	}{
		"of a caller":       {func(int) string { return "+13125550142" }, callerPace},
		"of withheld":       {func(int) string { return "" }, withheldPace},
		"from many numbers": {func(i int) string { return fmt.Sprintf("+1312%07d", 5_550_000+i) }, everyPace},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			var log strings.Builder
			w.calls = w.instance(func(o *Options) {
				o.Log = slog.New(slog.NewTextHandler(&locked{Builder: &log}, nil))
			})
			// With a slow machine, the pace may allow a few more meanwhile.
			began := time.Now()
			n := w.calledTimes(c.pace.burst+30, c.from)
			if more := int(time.Since(began) / c.pace.gap); n < c.pace.burst || n > c.pace.burst+more {
				t.Fatalf("%d calls were answered", n)
			}
			if n := w.stored(ReasonTooManyCalls); n != 1 {
				t.Errorf("%d rejected calls are stored", n)
			}
			if strings.Contains(log.String(), "+1312") || strings.Count(log.String(), "too many") > 1 {
				t.Errorf("the log is %s", log.String())
			}
			if in := w.incoming("+14155550100"); name != "from many numbers" &&
				w.receives(w.calls, in).Action != carrier.OpenLine {
				t.Error("another caller was rejected")
			}
			w.db.Advance(c.pace.gap)
			w.calls = w.instance()
			if n := w.calledTimes(4, c.from); n == 0 || n > 1+int(time.Since(began)/c.pace.gap) {
				t.Errorf("%d calls were answered after a gap", n)
			}
			w.db.Advance(time.Duration(c.pace.burst+5) * c.pace.gap)
			if err := w.calls.SweepPaces(t.Context()); err != nil {
				t.Fatal(err)
			}
			if n := w.calledTimes(c.pace.burst+2, c.from); n < c.pace.burst {
				t.Errorf("%d calls were answered when the pace was at rest", n)
			}
			if n := w.stored(ReasonTooManyCalls); n > 2 {
				t.Errorf("%d rejected calls of two bursts are stored", n)
			}
		})
	}
}

// The network gets no answer to a call that is stored, and says what it says of numbers that do not exist.
func TestAnInboundCallThatFails(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	in := w.incoming("+13125550142")
	id := w.receives(w.calls, in).CallID
	err := w.calls.Deliver(t.Context(), carrier.Event{
		CallID: id, ConnectionID: in.ConnectionID, CarrierCallID: in.CarrierCallID, Kind: carrier.Ended,
		Outcome: carrier.Failed, SIPStatus: "404", Code: "sip_404", Detail: "the number is not in service",
	})
	if err != nil {
		t.Fatal(err)
	}
	c, _, err := w.calls.Get(t.Context(), w.claim.OrganizationID, id)
	if err != nil || c.Outcome != OutcomeFailed || c.EndedReason != ReasonUnreachable || c.EndedBy != ByCarrier ||
		c.Detail != notReached {
		t.Errorf("%s, %s by %s: %q, %v", c.Outcome, c.EndedReason, c.EndedBy, c.Detail, err)
	}
}

// locked is a log that goroutines share.
type locked struct {
	sync.Mutex
	*strings.Builder
}

func (l *locked) Write(p []byte) (int, error) {
	l.Lock()
	defer l.Unlock()
	return l.Builder.Write(p)
}

// A request that the carrier repeats, at once or later, at any process, counts once and gets the same answer.
func TestARepeatedRequestCountsOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	processes := []*Service{w.calls, w.instance()}
	for range callerPace.burst {
		in := w.incoming("+13125550142")
		var asked sync.WaitGroup
		var answers [6]carrier.Reception
		for i := range answers {
			asked.Go(func() { answers[i] = w.receives(processes[i%2], in) })
		}
		asked.Wait()
		for _, r := range answers {
			if r.Action != carrier.OpenLine || r.CallID == uuid.Nil || r.CallID != answers[0].CallID {
				t.Errorf("%+v and %+v", r, answers[0])
			}
		}
	}
	beyond := w.incoming("+13125550142")
	first, again := w.receives(processes[0], beyond), w.receives(processes[1], beyond)
	if first.Action != carrier.RejectBusy || again.Action != carrier.RejectBusy || first.CallID != again.CallID {
		t.Errorf("beyond the pace: %+v, %+v", first, again)
	}
	ended := w.settle()
	if len(ended) != 1 || ended[0].EndedReason != ReasonTooManyCalls || ended[0].Outcome != OutcomeCanceled {
		t.Errorf("settled %+v", ended)
	}
}

// Calls beyond the pace do not wait for the organization's row, which the dialer holds during its passes.
func TestAFloodDelaysNoCampaign(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.calledTimes(callerPace.burst+1, func(int) string { return "+13125550142" })
	tx, err := w.db.Pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback(t.Context())
	if _, err := tx.Exec(t.Context(), `select from organization for no key update`); err != nil {
		t.Fatal(err)
	}
	if n := w.calledTimes(10, func(int) string { return "+13125550142" }); n != 0 {
		t.Errorf("%d calls were answered", n)
	}
}
