package dialer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/errgroup"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/loop"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/webhook"
)

const (
	pollGap   = time.Second          // longest time between two rounds
	roundGap  = 5 * time.Millisecond // shortest time between two rounds
	passMost  = 64                   // campaigns passed over in one round
	passers   = 4                    // organizations handled in parallel
	placers   = 512                  // calls that one process requests from carriers in parallel
	claimMost = 128                  // calls claimed in one pass

	throttled     = time.Second     // rest of a throttled connection if the carrier names no delay
	throttledMost = 5 * time.Minute // longest rest of a throttled connection

	passTime = 30 * time.Second // time limit of a pass that began before the process was stopping

	failedLeast = time.Second // first delay after a failed pass
	failedMost  = time.Minute // longest delay after a failed pass
)

// Dialer claims due recipients and places their calls. Any number of dialers in any
// number of processes may work on the same campaigns, because every limit is checked
// under row locks.
type Dialer struct {
	pool  *pgxpool.Pool
	calls *call.Service
	hub   *postgres.Hub
	log   *slog.Logger

	placing sync.WaitGroup

	mu      sync.Mutex
	free    int                   // calls that may still be placed in parallel
	blocked map[uuid.UUID]target  // campaigns that get a pass as soon as a slot may be free
	failing map[uuid.UUID]failure // campaigns that get no pass for a while

	checking map[uuid.UUID]int // calls with a pre-dial check that are being placed, by organization
}

type failure struct {
	backoff loop.Backoff
	until   time.Time
}

// LoopOptions are the dependencies of the Dialer and the Settler.
type LoopOptions struct {
	Pool  *pgxpool.Pool
	Hub   *postgres.Hub
	Calls *call.Service
	Log   *slog.Logger // nil: slog.Default()
}

// NewDialer makes a dialer. Run starts it.
func NewDialer(o LoopOptions) *Dialer {
	return &Dialer{
		pool:    o.Pool,
		calls:   o.Calls,
		hub:     o.Hub,
		log:     cmp.Or(o.Log, slog.Default()),
		free:    placers,
		blocked: map[uuid.UUID]target{},
		failing: map[uuid.UUID]failure{},

		checking: map[uuid.UUID]int{},
	}
}

// Run dials until ctx is canceled. It then claims nothing more and returns when the
// claimed calls are placed and recorded, after about 10 s at most.
func (d *Dialer) Run(ctx context.Context) error {
	defer d.placing.Wait()
	work, stop := d.hub.Subscribe(campaign.Topic)
	defer stop()
	slots, stop := d.hub.Subscribe(call.TopicDialer)
	defer stop()
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		woken := true
		select {
		case <-ctx.Done():
			return nil
		case <-timer.C:
			woken = false
		case <-work:
		case <-slots:
		}
		wait, err := d.round(ctx, woken)
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil:
			return err
		}
		if !loop.Sleep(ctx, roundGap) { // several wake-ups at nearly the same time cause one round
			return nil
		}
		timer.Reset(wait - roundGap)
	}
}

// round runs a pass over every campaign that is due, and returns the time until the next
// round. woken is set when a slot may have become free.
func (d *Dialer) round(ctx context.Context, woken bool) (time.Duration, error) {
	due, next, now, err := d.due(ctx)
	if err != nil {
		return 0, err
	}
	began := time.Now()
	if woken {
		due = append(due, d.unblock(due)...)
	}
	byOrganization := map[uuid.UUID][]target{}
	for _, t := range due {
		byOrganization[t.OrganizationID] = append(byOrganization[t.OrganizationID], t)
	}
	var mu sync.Mutex
	var group errgroup.Group
	group.SetLimit(passers)
	for _, targets := range byOrganization {
		slices.SortFunc(targets, compareTargets)
		group.Go(func() error {
			for i, t := range targets {
				if ctx.Err() != nil {
					return nil
				}
				at, shared := d.visit(ctx, t, now)
				mu.Lock()
				next = earlier(next, at)
				mu.Unlock()
				if shared { // the next campaigns would wait for the same row and delay other organizations
					d.leaveAlone(busyGap, targets[i:]...)
					return nil
				}
			}
			return nil
		})
	}
	_ = group.Wait() // visit logs its errors
	wait := pollGap
	if next != nil {
		wait = min(wait, next.Sub(now)-time.Since(began))
	}
	return max(wait, 0), nil
}

// due reads the due campaigns, and the time when the next campaign is due.
func (d *Dialer) due(ctx context.Context) (due []target, next *time.Time, now time.Time, err error) {
	rows, err := d.pool.Query(ctx, `
		select id, organization_id, connection_id, phone_number_id, number_pool_id, dial_at, pace_at, expires_at,
		       kind = 'call',
		       exists (select from country_refusal r
			where r.campaign_id = campaign.id and r.applied_at is null and r.times >= @most_country_refusals), k.t
		from campaign, (select clock() as t) k
		where dial_at is not null and not id = any(@failing)
		order by dial_at
		limit @most`, pgx.NamedArgs{
		"most": passMost, "failing": d.leftAlone(), "most_country_refusals": mostCountryRefusals,
	})
	if err != nil {
		return nil, nil, now, fmt.Errorf("find campaigns to dial: %w", err)
	}
	var t target
	_, err = pgx.ForEachRow(rows, []any{
		&t.ID, &t.OrganizationID, &t.ConnectionID, &t.PhoneNumberID, &t.NumberPoolID, &t.DialAt, &t.PaceAt,
		&t.ExpiresAt, &t.Standing, &t.CountryRefused, &now,
	}, func() error {
		if t.DialAt.After(now) {
			next = earlier(next, ptrTo(t.DialAt))
		} else {
			due = append(due, t)
		}
		t.PaceAt, t.ExpiresAt, t.PhoneNumberID, t.NumberPoolID = nil, nil, nil, nil
		return nil
	})
	if err != nil {
		return nil, nil, now, fmt.Errorf("find campaigns to dial: %w", err)
	}
	if len(due) == passMost {
		next = &now // more campaigns may be due
	}
	return due, next, now, nil
}

// unblock returns the campaigns that wait for a free slot, are not in due, and are not left alone.
func (d *Dialer) unblock(due []target) []target {
	d.mu.Lock()
	defer d.mu.Unlock()
	var free []target
	for id, t := range d.blocked {
		visited := slices.ContainsFunc(due, func(other target) bool { return other.ID == id })
		if !visited && !time.Now().Before(d.failing[id].until) {
			free = append(free, t)
		}
	}
	slices.SortFunc(free, compareTargets)
	return free[:min(len(free), passMost)]
}

// visit runs one pass over a campaign at about now, and places the calls that the pass claimed. It
// returns the time of the next pass, nil to wait for a wake-up. shared is set when another
// transaction has locked a row that other campaigns also need.
func (d *Dialer) visit(ctx context.Context, t target, now time.Time) (next *time.Time, shared bool) {
	most := d.reserve()
	if late := now.Sub(t.DialAt); late >= 0 {
		lateness.Observe(late.Seconds())
	}
	// A pass that has begun also finishes. A commit that is cut off may leave claimed calls that no
	// process places before their lease ends.
	lctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), passTime)
	p, err := d.tryPass(lctx, t, most, now)
	cancel()
	if err != nil {
		d.release(most)
		switch {
		case ctx.Err() != nil:
		case errors.Is(err, errChanged):
			d.mu.Lock()
			delete(d.blocked, t.ID)
			d.mu.Unlock()
			return &now, false // the next round reads it again
		case errors.Is(err, errBusy), errors.Is(err, errShared):
			d.leaveAlone(busyGap, t)
			return ptrTo(now.Add(busyGap)), errors.Is(err, errShared)
		case postgres.Away(err): // the campaign is not the cause: the round fails if the database stays unavailable
			d.leaveAlone(busyGap, t)
			d.log.Warn("the database was not available; the campaign will be retried", "campaign", t.ID, "error", err)
			return ptrTo(now.Add(busyGap)), false
		default:
			d.failed(t, err)
		}
		return nil, false
	}
	d.release(most - len(p.queued))
	for _, c := range p.queued {
		d.countChecks(c, 1)
		d.placing.Go(func() { d.place(ctx, c) })
	}

	d.mu.Lock()
	delete(d.failing, t.ID)
	if p.blocked != "" && p.blocked != campaign.WaitNumberPool { // no slot ends that wait
		t.PaceAt, t.DialAt = p.campaign.PaceAt, *p.next
		d.blocked[t.ID] = t
	} else {
		delete(d.blocked, t.ID)
	}
	d.mu.Unlock()

	if p.waits == somebody {
		switch err := d.writeWaiting(ctx, p); {
		case err == nil, ctx.Err() != nil:
		case errors.Is(err, errBusy): // another pass comes soon and reports the wait
		default:
			d.failed(t, err)
		}
	}
	return p.next, false
}

// tryPass runs pass and returns a panic as an error, because one campaign must not stop
// the others.
func (d *Dialer) tryPass(ctx context.Context, t target, most int, now time.Time) (p *pass, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("pass over campaign %s: panic: %v\n%s", t.ID, r, debug.Stack())
		}
	}()
	if t.ExpiresAt != nil && !t.ExpiresAt.After(now) {
		return &pass{target: t}, d.expire(ctx, t)
	}
	if t.CountryRefused {
		return &pass{target: t, next: &now}, d.applyCountries(ctx, t)
	}
	return d.pass(ctx, t, most, t.DialAt.After(now))
}

// failed delays the next pass over a campaign, longer after each failure.
func (d *Dialer) failed(t target, err error) {
	d.mu.Lock()
	f := d.failing[t.ID]
	pause := f.backoff.Next(failedLeast, failedMost)
	f.until = time.Now().Add(pause)
	d.failing[t.ID] = f
	d.mu.Unlock()
	d.log.Error("the campaign could not be dialed and will be retried", "campaign", t.ID, "organization",
		t.OrganizationID, "pause", pause, "error", err)
}

// leaveAlone suspends passes over campaigns for a while.
func (d *Dialer) leaveAlone(pause time.Duration, targets ...target) {
	d.mu.Lock()
	defer d.mu.Unlock()
	until := time.Now().Add(pause)
	for _, t := range targets {
		f := d.failing[t.ID] // keeps its backoff
		if until.After(f.until) {
			f.until = until
		}
		d.failing[t.ID] = f
	}
}

// leftAlone returns the campaigns that get no pass now.
func (d *Dialer) leftAlone() []uuid.UUID {
	d.mu.Lock()
	defer d.mu.Unlock()
	ids := []uuid.UUID{}
	for id, f := range d.failing {
		switch since := time.Since(f.until); {
		case since < 0:
			ids = append(ids, id)
		case since > failedMost: // the campaign ended, or another process handles it
			delete(d.failing, id)
		}
	}
	return ids
}

// reserve takes capacity for the calls that one pass may claim, so that every claimed
// call can be placed before its lease ends.
func (d *Dialer) reserve() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	n := min(d.free, claimMost)
	d.free -= n
	return n
}

func (d *Dialer) release(n int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.free += n
}

// place places one claimed call.
func (d *Dialer) place(ctx context.Context, c call.Claimed) {
	defer d.release(1)
	defer d.countChecks(c, -1)
	defer func() {
		if r := recover(); r != nil { // the reconciler finds out how the call ended
			d.log.Error("placing a call panicked", "call", c.ID, "panic", r, "stack", string(debug.Stack()))
		}
	}()
	result, err := d.calls.Place(ctx, c)
	if err != nil {
		d.log.Error("the result of placing a call could not be saved", "call", c.ID, "organization", c.OrganizationID,
			"error", err)
		return
	}
	if result.Placed != call.PlacedThrottled {
		return
	}
	rest := min(max(result.RetryAfter, throttled), throttledMost)
	pctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), passTime)
	defer cancel()
	if err := d.rest(pctx, c.ConnectionID, rest); err != nil {
		d.log.Error("the pace of a throttled connection could not be saved", "connection", c.ConnectionID, "error", err)
	}
}

// compareTargets puts calls of their own before campaigns, and the campaign first that has waited longest for a call.
func compareTargets(a, b target) int {
	if a.Standing != b.Standing {
		if a.Standing {
			return -1
		}
		return 1
	}
	return compareTimes(a.PaceAt, b.PaceAt)
}

// compareTimes orders times, nil first.
func compareTimes(a, b *time.Time) int {
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		return -1
	case b == nil:
		return 1
	}
	return a.Compare(*b)
}

// earlier returns the earlier of two times, either of which may be nil.
func earlier(a, b *time.Time) *time.Time {
	if a == nil || b != nil && b.Before(*a) {
		return b
	}
	return a
}

// wakeEngines wakes the delivery of events. Call it after the commit.
func (d *Dialer) wakeEngines() { d.hub.Wake(webhook.Topic) }
