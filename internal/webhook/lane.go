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
	leastWindow = 2  // to one that fails
	mostWindow  = 32 // to one that answers

	// A request that has not been answered for slowAfter is a slow one, and so is
	// every further one to its endpoint until one is answered sooner. Slow ones
	// have places of their own: however many endpoints hang, the others find the
	// quick ones free.
	slowAfter  = time.Second
	mostQuick  = 512
	mostSlow   = 1536
	agingEvery = 250 * time.Millisecond

	prefetchFor  = 250 * time.Millisecond // rows are taken ahead for so long
	mostPrefetch = 512                    // per endpoint
	mostRows     = 4096                   // taken by this process in all, begun or not

	forgetLane = 10 * time.Minute // without anything to do
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
type lane struct {
	to      *target
	queue   []row
	flying  int
	window  int
	ahead   int           // rows it has shown to need ahead
	latency time.Duration // of late; 0: not known
	slow    bool
	more    bool // there were more rows than it had room for
	blocked bool // it waits for a place
	used    time.Time
}

// want is how many rows the lane should have, begun or not: as many as it gets
// done while the next ones are taken, once it was seen that there are so many.
func (l *lane) want() int {
	if l.slow || l.latency == 0 {
		return l.window
	}
	most := int(int64(l.window) * int64(prefetchFor) / int64(max(l.latency, 100*time.Microsecond)))
	return max(min(l.ahead, most, mostPrefetch), l.window)
}

func (l *lane) has() int { return len(l.queue) + l.flying }

// learn follows from what became of a request.
func (l *lane) learn(a *attempt) {
	l.slow = a.duration >= slowAfter
	if l.latency == 0 {
		l.latency = a.duration
	} else {
		l.latency += (a.duration - l.latency) / 8
	}
	if a.status == 0 || a.retryAfter > 0 {
		l.window = max(l.window/2, leastWindow)
	} else {
		l.window = min(l.window+1, mostWindow)
	}
}

// flight is a request under way.
type flight struct {
	lane       *lane
	row        row
	to         *target
	began      time.Time
	slow, done bool
}

// board shares the places of a process out among the lanes. start is called
// with its lock held, for each request that is to be made.
type board struct {
	start func(*flight)

	mu           sync.Mutex
	lanes        map[uuid.UUID]*lane
	waiting      []*lane   // for a place, first come first served
	young        []*flight // by the time they began; some are done
	returns      []row     // to be given back
	rows         int       // taken, begun or not
	flying       int
	quick, slow  int  // places taken
	starved      bool // rows were left behind for want of room
	closed       bool
	room, landed chan struct{} // there is room again; everything has landed
}

func newBoard(start func(*flight)) *board {
	return &board{start: start, lanes: map[uuid.UUID]*lane{}, room: make(chan struct{}, 1), landed: make(chan struct{})}
}

// roomFor is how many rows may be taken for an endpoint that has ready ones,
// of at most most in all.
func (b *board) roomFor(to *target, most int) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	l := b.lanes[to.webhookID]
	if l == nil {
		l = &lane{window: firstWindow}
		b.lanes[to.webhookID] = l
	}
	l.to, l.used = to, time.Now()
	room := l.want() - l.has()
	l.more = true // until it is seen that there is not
	if room > most {
		b.starved = true
	}
	return max(min(room, most), 0)
}

// left is how many rows may be taken in all.
func (b *board) left() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.starved = false
	return mostRows - b.rows
}

// known is what an endpoint was when it was read last, nil when it was not.
func (b *board) known(webhookID uuid.UUID) *target {
	b.mu.Lock()
	defer b.mu.Unlock()
	if l := b.lanes[webhookID]; l != nil {
		return l.to
	}
	return nil
}

// put takes in the rows that were taken by t.
func (b *board) put(t taking, rows []row) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.rows += len(rows)
	took := make(map[uuid.UUID]int32, len(t.webhooks))
	for _, r := range rows {
		took[r.webhookID]++
		l := b.lanes[r.webhookID]
		l.queue = append(l.queue, r)
	}
	for i, id := range t.webhooks {
		l := b.lanes[id]
		if l.more = took[id] == t.rooms[i]; l.more {
			l.ahead = min(2*max(l.ahead, l.window), mostPrefetch)
		} else {
			l.ahead = 0
		}
		b.dispatch(l)
	}
}

// dispatch begins what a lane may begin. b.mu is held.
func (b *board) dispatch(l *lane) {
	for l.flying < l.window && !l.blocked {
		f := b.next(l)
		if f == nil {
			return
		}
		b.start(f)
	}
}

// next takes the next row of a lane off its queue and finds it a place; nil
// when there is no row, or no place. b.mu is held.
func (b *board) next(l *lane) *flight {
	for len(l.queue) > 0 && (b.closed || time.Since(l.queue[0].taken) > startWithin) {
		b.giveBack(l, 1)
	}
	if len(l.queue) == 0 {
		return nil
	}
	switch {
	case l.slow && b.slow < mostSlow:
		b.slow++
	case !l.slow && b.quick < mostQuick:
		b.quick++
	default:
		l.blocked = true
		b.waiting = append(b.waiting, l)
		return nil
	}
	f := &flight{lane: l, row: l.queue[0], to: l.to, began: time.Now(), slow: l.slow}
	l.queue = l.queue[1:]
	l.flying++
	b.flying++
	if !f.slow {
		b.young = append(b.young, f)
	}
	return f
}

// giveBack takes the first n rows off a lane's queue. b.mu is held.
func (b *board) giveBack(l *lane, n int) {
	b.returns = append(b.returns, l.queue[:n]...)
	l.queue = l.queue[n:]
	b.rows -= n
}

// land ends a flight: a is what became of it, nil when it never took off, and its
// row is to be given back. It returns the next one for the same goroutine, or
// nil.
func (b *board) land(f *flight, a *attempt) *flight {
	b.mu.Lock()
	defer b.mu.Unlock()
	l := f.lane
	f.done = true
	if f.slow {
		b.slow--
	} else {
		b.quick--
	}
	b.rows--
	b.flying--
	l.flying--
	l.used = time.Now()
	if a != nil {
		l.learn(a)
		b.shrink(l)
	} else {
		b.returns = append(b.returns, f.row)
	}

	// Those that wait for a place come first.
	b.unblock()
	var next *flight
	if l.flying < l.window && !l.blocked {
		next = b.next(l)
	}
	b.dispatch(l)
	if l.more && l.has() <= l.want()/2 || b.starved && b.rows <= mostRows/2 {
		l.more, b.starved = false, false // the claim finds out anew
		b.signal()
	}
	if b.closed && b.flying == 0 {
		close(b.landed)
	}
	return next
}

// unblock lets those that wait for a place have what is free. b.mu is held.
func (b *board) unblock() {
	waiting := b.waiting
	b.waiting = nil
	for _, l := range waiting {
		l.blocked = false
		b.dispatch(l)
	}
}

// shrink gives back what a slow endpoint should not have taken ahead. b.mu is
// held.
func (b *board) shrink(l *lane) {
	if l.slow && len(l.queue) > l.window {
		b.giveBack(l, len(l.queue)-l.window)
	}
}

// age moves requests that are not answered to the slow places, while there are
// any.
func (b *board) age() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(b.young) > 0 {
		f := b.young[0]
		if !f.done {
			if time.Since(f.began) < slowAfter || b.slow >= mostSlow {
				break
			}
			f.slow, f.lane.slow = true, true
			b.quick--
			b.slow++
			b.shrink(f.lane)
		}
		b.young[0] = nil
		b.young = b.young[1:]
	}
	b.unblock()
}

// forget drops the lanes that had nothing to do for long.
func (b *board) forget() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for id, l := range b.lanes {
		if l.has() == 0 && time.Since(l.used) > forgetLane {
			delete(b.lanes, id)
		}
	}
}

// takeReturns takes the rows that are to be given back.
func (b *board) takeReturns() []row {
	b.mu.Lock()
	defer b.mu.Unlock()
	rows := b.returns
	b.returns = nil
	return rows
}

// close begins nothing any more: what was not begun is given back. The channel
// is closed when everything has landed.
func (b *board) close() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	for _, l := range b.lanes {
		b.giveBack(l, len(l.queue))
	}
	if b.flying == 0 {
		close(b.landed)
	}
	return b.landed
}

// signal says that there is room. b.mu is held.
func (b *board) signal() {
	select {
	case b.room <- struct{}{}:
	default:
	}
}
