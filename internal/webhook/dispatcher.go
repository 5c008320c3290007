package webhook

import (
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/webhook/sender"
)

// These limits bound the work of one process. Every row that it has taken is under lease.
// Rows that it has not started within startWithin go back to the queue. So requests
// follow the webhook's latest settings, and a hanging receiver withholds no rows from
// other processes.
const (
	startWithin = 3 * time.Second

	firstWindow = 4  // simultaneous requests to an endpoint without a history
	minWindow   = 2  // to a failing endpoint
	maxWindow   = 32 // to an endpoint that answers

	// A request without an answer for slowAfter is slow, and so are the next requests to
	// its endpoint until one is answered sooner. Slow requests have their own slots, so
	// hanging endpoints never take the quick slots of the others.
	slowAfter     = time.Second
	maxQuickSlots = 512
	maxSlowSlots  = 1536
	moveSlowEvery = 250 * time.Millisecond

	prefetchFor = 250 * time.Millisecond // amount of work to take ahead
	maxPrefetch = 512                    // per endpoint
	maxTaken    = 4096                   // rows of this process, started or not

	idleAfter = 10 * time.Minute // an endpoint queue without work is dropped
)

// target is an endpoint as the claim read it last.
type target struct {
	webhookID, organizationID uuid.UUID
	url                       string
	secrets                   [][]byte
	sealed, previous          []byte // the sealed forms of secrets
	headers                   map[string]string
	sealedHeaders             []byte
}

// row is one planned attempt, taken under a lease.
type row struct {
	deliveryID uuid.UUID
	manual     bool
	webhookID  uuid.UUID
	step       int
	lost       int // leases since the last result, including this lease
	dueAt      time.Time
	lease      int64
	taken      time.Time // before the lease began
	eventID    uuid.UUID
	test       bool   // the event is a test of the webhook
	size       int    // of the payload in bytes
	payload    []byte // nil: too large to read before the attempt
}

// endpointQueue contains the rows of one endpoint. The endpoint's answers set its window
// (simultaneous requests) and its prefetch (rows taken ahead).
type endpointQueue struct {
	target   *target
	queue    []row
	inFlight int
	window   int
	prefetch int           // rows to take ahead
	latency  time.Duration // moving average; 0: unknown
	slow     bool
	more     bool // the last claim left rows behind
	blocked  bool // waits for a free slot
	usedAt   time.Time
}

// want returns how many rows the queue should have, started or not: as many as the
// endpoint answers while the next rows are read. It grows only after a claim left rows
// behind.
func (q *endpointQueue) want() int {
	if q.slow || q.latency == 0 {
		return q.window
	}
	most := int(int64(q.window) * int64(prefetchFor) / int64(max(q.latency, 100*time.Microsecond)))
	return max(min(q.prefetch, most, maxPrefetch), q.window)
}

// size returns the rows that wait plus the requests in flight.
func (q *endpointQueue) size() int { return len(q.queue) + q.inFlight }

// adapt updates latency and window after an attempt.
func (q *endpointQueue) adapt(a *sender.Attempt) {
	q.slow = a.Duration >= slowAfter
	if q.latency == 0 {
		q.latency = a.Duration
	} else {
		q.latency += (a.Duration - q.latency) / 8
	}
	if a.Status == 0 || a.RetryAfter > 0 {
		q.window = max(q.window/2, minWindow)
	} else {
		q.window = min(q.window+1, maxWindow)
	}
}

// slot is a request in flight. It occupies a quick or a slow slot of the process.
type slot struct {
	queue      *endpointQueue
	row        row
	target     *target
	startedAt  time.Time
	slow, done bool
}

// dispatcher shares the slots of a process among the endpoint queues. It calls begin,
// with its lock held, for each request to make.
type dispatcher struct {
	begin func(*slot)

	mu                    sync.Mutex
	endpoints             map[uuid.UUID]*endpointQueue
	blocked               []*endpointQueue // queues that wait for a slot, first come first served
	quickInFlight         []*slot          // ordered by start time; some are done
	returned              []row            // rows to give back
	taken                 int              // rows, started or not
	inFlight              int
	quickSlots, slowSlots int  // slots in use
	starved               bool // a claim left rows behind because maxTaken was reached
	closed                bool
	claimAgain, drained   chan struct{} // there is capacity again; no request is in flight
}

func newDispatcher(start func(*slot)) *dispatcher {
	return &dispatcher{
		begin: start, endpoints: map[uuid.UUID]*endpointQueue{}, claimAgain: make(chan struct{}, 1),
		drained: make(chan struct{}),
	}
}

// capacityFor returns how many rows a claim may take for an endpoint with ready rows, at
// most most.
func (d *dispatcher) capacityFor(to *target, most int) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	q := d.endpoints[to.webhookID]
	if q == nil {
		q = &endpointQueue{window: firstWindow}
		d.endpoints[to.webhookID] = q
	}
	q.target, q.usedAt = to, time.Now()
	room := q.want() - q.size()
	q.more = true // enqueue corrects this
	if room > most {
		d.starved = true
	}
	return max(min(room, most), 0)
}

// capacity returns how many rows a claim may take for all endpoints.
func (d *dispatcher) capacity() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.starved = false
	return maxTaken - d.taken
}

// target returns the endpoint as the claim read it last, nil if it never did.
func (d *dispatcher) target(webhookID uuid.UUID) *target {
	d.mu.Lock()
	defer d.mu.Unlock()
	if q := d.endpoints[webhookID]; q != nil {
		return q.target
	}
	return nil
}

// enqueue adds the rows that a claim took for t.
func (d *dispatcher) enqueue(t takeRequest, rows []row) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.taken += len(rows)
	took := make(map[uuid.UUID]int32, len(t.webhooks))
	for _, r := range rows {
		took[r.webhookID]++
		q := d.endpoints[r.webhookID]
		q.queue = append(q.queue, r)
	}
	for i, id := range t.webhooks {
		q := d.endpoints[id]
		if q.more = took[id] == t.limits[i]; q.more {
			q.prefetch = min(2*max(q.prefetch, q.window), maxPrefetch)
		} else {
			q.prefetch = 0
		}
		d.dispatch(q)
	}
}

// dispatch starts the requests that q's window and the free slots allow. d.mu is held.
func (d *dispatcher) dispatch(q *endpointQueue) {
	for q.inFlight < q.window && !q.blocked {
		f := d.next(q)
		if f == nil {
			return
		}
		d.begin(f)
	}
}

// next takes the next row off a queue and gives it a slot. It returns nil without a row
// or without a free slot. d.mu is held.
func (d *dispatcher) next(q *endpointQueue) *slot {
	for len(q.queue) > 0 && (d.closed || time.Since(q.queue[0].taken) > startWithin) {
		d.giveBack(q, 1)
	}
	if len(q.queue) == 0 {
		return nil
	}
	switch {
	case q.slow && d.slowSlots < maxSlowSlots:
		d.slowSlots++
	case !q.slow && d.quickSlots < maxQuickSlots:
		d.quickSlots++
	default:
		q.blocked = true
		d.blocked = append(d.blocked, q)
		return nil
	}
	f := &slot{queue: q, row: q.queue[0], target: q.target, startedAt: time.Now(), slow: q.slow}
	q.queue = q.queue[1:]
	q.inFlight++
	d.inFlight++
	if !f.slow {
		d.quickInFlight = append(d.quickInFlight, f)
	}
	return f
}

// giveBack takes the first n rows off a queue, to be given back. d.mu is held.
func (d *dispatcher) giveBack(q *endpointQueue, n int) {
	d.returned = append(d.returned, q.queue[:n]...)
	q.queue = q.queue[n:]
	d.taken -= n
}

// finish frees a slot. a is the attempt, nil if it was not made: then the row is given
// back. It returns the queue's next request for the same goroutine, or nil.
func (d *dispatcher) finish(f *slot, a *sender.Attempt) *slot {
	d.mu.Lock()
	defer d.mu.Unlock()
	q := f.queue
	f.done = true
	if f.slow {
		d.slowSlots--
	} else {
		d.quickSlots--
	}
	d.taken--
	d.inFlight--
	q.inFlight--
	q.usedAt = time.Now()
	if a != nil {
		q.adapt(a)
		d.shrink(q)
	} else {
		d.returned = append(d.returned, f.row)
	}

	// Blocked queues come first.
	d.unblock()
	var next *slot
	if q.inFlight < q.window && !q.blocked {
		next = d.next(q)
	}
	d.dispatch(q)
	if q.more && q.size() <= q.want()/2 || d.starved && d.taken <= maxTaken/2 {
		q.more, d.starved = false, false // the next claim sets them again
		d.signal()
	}
	if d.closed && d.inFlight == 0 {
		close(d.drained)
	}
	return next
}

// unblock gives free slots to blocked queues. d.mu is held.
func (d *dispatcher) unblock() {
	waiting := d.blocked
	d.blocked = nil
	for _, q := range waiting {
		q.blocked = false
		d.dispatch(q)
	}
}

// shrink gives back the rows that were taken ahead for an endpoint that became slow.
// d.mu is held.
func (d *dispatcher) shrink(q *endpointQueue) {
	if q.slow && len(q.queue) > q.window {
		d.giveBack(q, len(q.queue)-q.window)
	}
}

// moveSlow moves unanswered requests from quick to slow slots, as far as slow slots are
// free.
func (d *dispatcher) moveSlow() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for len(d.quickInFlight) > 0 {
		f := d.quickInFlight[0]
		if !f.done {
			if time.Since(f.startedAt) < slowAfter || d.slowSlots >= maxSlowSlots {
				break
			}
			f.slow, f.queue.slow = true, true
			d.quickSlots--
			d.slowSlots++
			d.shrink(f.queue)
		}
		d.quickInFlight[0] = nil
		d.quickInFlight = d.quickInFlight[1:]
	}
	d.unblock()
}

// dropIdle drops queues that had no work for idleAfter.
func (d *dispatcher) dropIdle() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for id, q := range d.endpoints {
		if q.size() == 0 && time.Since(q.usedAt) > idleAfter {
			delete(d.endpoints, id)
		}
	}
}

// takeReturns takes the rows to give back.
func (d *dispatcher) takeReturns() []row {
	d.mu.Lock()
	defer d.mu.Unlock()
	rows := d.returned
	d.returned = nil
	return rows
}

// close stops starting requests and gives back the waiting rows. The returned channel is
// closed when no request is in flight.
func (d *dispatcher) close() <-chan struct{} {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closed = true
	for _, q := range d.endpoints {
		d.giveBack(q, len(q.queue))
	}
	if d.inFlight == 0 {
		close(d.drained)
	}
	return d.drained
}

// signal tells the claim that there is capacity. d.mu is held.
func (d *dispatcher) signal() {
	select {
	case d.claimAgain <- struct{}{}:
	default:
	}
}
