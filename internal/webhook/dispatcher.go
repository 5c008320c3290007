package webhook

import (
	"sync"
	"time"

	"github.com/google/uuid"
)

// How much a process takes on. Every row it has taken is under lease; those not
// begun within startWithin are given back, so that what is sent follows the
// webhook as it is now, and a receiver that stops answering keeps nothing from
// other processes.
const (
	startWithin = 3 * time.Second

	firstWindow = 4  // requests at a time to an endpoint we know nothing of
	minWindow   = 2  // to one that fails
	maxWindow   = 32 // to one that answers

	// A request that has not been answered for slowAfter is a slow one, and so is
	// every further one to its endpoint until one is answered sooner. Slow ones
	// have places of their own: however many endpoints hang, the others find the
	// quick ones free.
	slowAfter     = time.Second
	maxQuickSlots = 512
	maxSlowSlots  = 1536
	moveSlowEvery = 250 * time.Millisecond

	prefetchFor = 250 * time.Millisecond // rows are taken ahead for so long
	maxPrefetch = 512                    // per endpoint
	maxTaken    = 4096                   // taken by this process in all, begun or not

	idleAfter = 10 * time.Minute // without anything to do
)

// target is an endpoint as it was read last.
type target struct {
	webhookID, organizationID uuid.UUID
	url                       string
	secrets                   [][]byte
	sealed, previous          []byte // what secrets were opened from
}

// row is an attempt to be made, taken under a lease.
type row struct {
	deliveryID uuid.UUID
	manual     bool
	webhookID  uuid.UUID
	step       int
	lost       int // times it was taken since the last result, this one included
	dueAt      time.Time
	lease      int64
	taken      time.Time // before the lease began
	eventID    uuid.UUID
	test       bool   // of an event that was made to test the webhook
	size       int    // of the payload in bytes
	payload    []byte // nil when it is too large to be taken ahead
}

// lane is what goes to one endpoint. How many requests it has at a time, and
// how many rows are taken ahead for it, follows from how it answers.
type endpointQueue struct {
	target   *target
	queue    []row
	inFlight int
	window   int
	prefetch int           // rows it has shown to need ahead
	latency  time.Duration // of late; 0: not known
	slow     bool
	more     bool // there were more rows than it had room for
	blocked  bool // it waits for a place
	usedAt   time.Time
}

// want is how many rows the lane should have, begun or not: as many as it gets
// done while the next ones are taken, once it was seen that there are so many.
func (q *endpointQueue) want() int {
	if q.slow || q.latency == 0 {
		return q.window
	}
	most := int(int64(q.window) * int64(prefetchFor) / int64(max(q.latency, 100*time.Microsecond)))
	return max(min(q.prefetch, most, maxPrefetch), q.window)
}

func (q *endpointQueue) size() int { return len(q.queue) + q.inFlight }

// learn follows from what became of a request.
func (q *endpointQueue) adapt(a *attempt) {
	q.slow = a.duration >= slowAfter
	if q.latency == 0 {
		q.latency = a.duration
	} else {
		q.latency += (a.duration - q.latency) / 8
	}
	if a.status == 0 || a.retryAfter > 0 {
		q.window = max(q.window/2, minWindow)
	} else {
		q.window = min(q.window+1, maxWindow)
	}
}

// flight is a request under way.
type slot struct {
	queue      *endpointQueue
	row        row
	target     *target
	startedAt  time.Time
	slow, done bool
}

// board shares the places of a process out among the lanes. start is called
// with its lock held, for each request that is to be made.
type dispatcher struct {
	begin func(*slot)

	mu                    sync.Mutex
	endpoints             map[uuid.UUID]*endpointQueue
	blocked               []*endpointQueue // for a place, first come first served
	quickInFlight         []*slot          // by the time they began; some are done
	returned              []row            // to be given back
	taken                 int              // taken, begun or not
	inFlight              int
	quickSlots, slowSlots int  // places taken
	starved               bool // rows were left behind for want of room
	closed                bool
	claimAgain, drained   chan struct{} // there is room again; everything has landed
}

func newDispatcher(start func(*slot)) *dispatcher {
	return &dispatcher{begin: start, endpoints: map[uuid.UUID]*endpointQueue{}, claimAgain: make(chan struct{}, 1), drained: make(chan struct{})}
}

// roomFor is how many rows may be taken for an endpoint that has ready ones,
// of at most most in all.
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
	q.more = true // until it is seen that there is not
	if room > most {
		d.starved = true
	}
	return max(min(room, most), 0)
}

// left is how many rows may be taken in all.
func (d *dispatcher) capacity() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.starved = false
	return maxTaken - d.taken
}

// known is what an endpoint was when it was read last, nil when it was not.
func (d *dispatcher) target(webhookID uuid.UUID) *target {
	d.mu.Lock()
	defer d.mu.Unlock()
	if q := d.endpoints[webhookID]; q != nil {
		return q.target
	}
	return nil
}

// put takes in the rows that were taken by t.
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

// dispatch begins what a lane may begin. d.mu is held.
func (d *dispatcher) dispatch(q *endpointQueue) {
	for q.inFlight < q.window && !q.blocked {
		f := d.next(q)
		if f == nil {
			return
		}
		d.begin(f)
	}
}

// next takes the next row of a lane off its queue and finds it a place; nil
// when there is no row, or no place. d.mu is held.
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

// giveBack takes the first n rows off a lane's queue. d.mu is held.
func (d *dispatcher) giveBack(q *endpointQueue, n int) {
	d.returned = append(d.returned, q.queue[:n]...)
	q.queue = q.queue[n:]
	d.taken -= n
}

// land ends a flight: a is what became of it, nil when it never took off, and its
// row is to be given back. It returns the next one for the same goroutine, or
// nil.
func (d *dispatcher) finish(f *slot, a *attempt) *slot {
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

	// Those that wait for a place come first.
	d.unblock()
	var next *slot
	if q.inFlight < q.window && !q.blocked {
		next = d.next(q)
	}
	d.dispatch(q)
	if q.more && q.size() <= q.want()/2 || d.starved && d.taken <= maxTaken/2 {
		q.more, d.starved = false, false // the claim finds out anew
		d.signal()
	}
	if d.closed && d.inFlight == 0 {
		close(d.drained)
	}
	return next
}

// unblock lets those that wait for a place have what is free. d.mu is held.
func (d *dispatcher) unblock() {
	waiting := d.blocked
	d.blocked = nil
	for _, q := range waiting {
		q.blocked = false
		d.dispatch(q)
	}
}

// shrink gives back what a slow endpoint should not have taken ahead. d.mu is
// held.
func (d *dispatcher) shrink(q *endpointQueue) {
	if q.slow && len(q.queue) > q.window {
		d.giveBack(q, len(q.queue)-q.window)
	}
}

// age moves requests that are not answered to the slow places, while there are
// any.
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

// forget drops the lanes that had nothing to do for long.
func (d *dispatcher) dropIdle() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for id, q := range d.endpoints {
		if q.size() == 0 && time.Since(q.usedAt) > idleAfter {
			delete(d.endpoints, id)
		}
	}
}

// takeReturns takes the rows that are to be given back.
func (d *dispatcher) takeReturns() []row {
	d.mu.Lock()
	defer d.mu.Unlock()
	rows := d.returned
	d.returned = nil
	return rows
}

// close begins nothing any more: what was not begun is given back. The channel
// is closed when everything has landed.
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

// signal says that there is room. d.mu is held.
func (d *dispatcher) signal() {
	select {
	case d.claimAgain <- struct{}{}:
	default:
	}
}
