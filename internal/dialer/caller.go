package dialer

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/project"
	"github.com/dialwright/dialwright/internal/regulation"
)

// noLimit is more calls than any pass claims.
const noLimit = math.MaxInt32

type limitsOfNumber struct {
	ID             uuid.UUID
	Gone           bool
	PhoneNumber    string
	MaxConcurrency *int
	CallsPerSecond *float64
	InPool         bool
	LastCallAt     *time.Time
	CallsDay       *time.Time // the day of CallsOnDay
	CallsOnDay     int
	RestUntil      *time.Time
}

const limitsOfNumberColumns = `id, deactivated_at is not null as gone, phone_number, max_concurrency, calls_per_second,
	number_pool_id is not null as in_pool, last_call_at, calls_day, calls_on_day, rest_until`

type limitsOfPool struct {
	Name          string
	Strategy      project.Strategy
	MaxDailyCalls *int
	Rests         bool
}

// caller is a number that the campaign calls from.
type caller struct {
	limitsOfNumber
	live   int // counted only for a number with a limit
	pace   pace
	daily  int       // calls that the day still allowed when the pass began
	rested time.Time // when the number may call again; not in the future: now
	placed int       // calls that the pass claimed
	place  *place    // of the number; nil: not known yet

	refusals int // consecutive ones
	refused  *time.Time
	reason   string // the carrier's words for the last refusal
}

// callers are the numbers that a campaign calls from: its phone number, or the numbers of its pool.
type callers struct {
	pool     *limitsOfPool // nil: the campaign has one number
	all      []*caller
	now      time.Time
	day      time.Time // of now by the organization's time zone, as a date in UTC
	tomorrow time.Time // when the next day begins
	turns    int       // calls given to numbers
}

// lockCallers queues the statements that lock the campaign's numbers, the numbers of a pool in the
// order of their IDs.
func (p *pass) lockCallers(batch *pgx.Batch, args pgx.NamedArgs) {
	which := `id = @phone_number_id`
	if p.NumberPoolID != nil {
		p.callers.pool = &limitsOfPool{}
		one(batch, p.callers.pool, args, `
			select name, strategy, max_daily_calls, rest_hours is not null as rests
			from number_pool where organization_id = @organization_id and id = @number_pool_id
			for no key update`)
		which = `number_pool_id = @number_pool_id and deactivated_at is null
		order by id`
	}
	batch.Queue(`
		select `+limitsOfNumberColumns+`
		from phone_number where organization_id = @organization_id and `+which+`
		for no key update`, args).Query(func(rows pgx.Rows) error {
		found, err := pgx.CollectRows(rows, pgx.RowToStructByName[limitsOfNumber])
		for _, n := range found {
			p.callers.all = append(p.callers.all, &caller{limitsOfNumber: n})
		}
		return err
	})
}

// readCallers queues the statement that reads the paces, the refusals and the live calls of a pool's
// numbers. It must come after the statements that lock the numbers. Other statements of the pass
// read them for a campaign with one number.
func (p *pass) readCallers(batch *pgx.Batch, args pgx.NamedArgs) {
	if p.callers.pool == nil {
		return
	}
	batch.Queue(`
		select n.id, case when n.max_concurrency is null then 0 else
		         (select count(*) from call where phone_number_id = n.id and ended_at is null) end,
		       pace.last_at, pace.rest_until, coalesce(f.times, 0), f.last_at, coalesce(f.reason, '')
		from phone_number n
		left join pace on pace.id = n.id
		left join caller_refusal f on f.phone_number_id = n.id
		where n.number_pool_id = @number_pool_id and n.deactivated_at is null
		order by n.id`, args).Query(func(rows pgx.Rows) error {
		var id uuid.UUID
		var live, refusals int
		var kept keptPace
		var refused *time.Time
		var reason string
		i := 0
		_, err := pgx.ForEachRow(rows, []any{
			&id, &live, &kept.LastAt, &kept.RestUntil, &refusals, &refused, &reason,
		}, func() error {
			if i >= len(p.callers.all) || p.callers.all[i].ID != id {
				return fmt.Errorf("the numbers of pool %s have changed under their lock", *p.NumberPoolID)
			}
			c := p.callers.all[i]
			c.live, c.pace = live, newPace(c.CallsPerSecond, kept)
			c.refusals, c.refused, c.reason = refusals, refused, reason
			i++
			return nil
		})
		return err
	})
}

// open completes the callers of a pass that begins at now. zone is the organization's.
func (cs *callers) open(now time.Time, zone string) error {
	cs.now = now
	if slices.ContainsFunc(cs.all, func(c *caller) bool { return c.InPool }) {
		in, err := time.LoadLocation(zone)
		if err != nil {
			return fmt.Errorf("load the zone of an organization: %w", err)
		}
		y, m, d := now.In(in).Date()
		cs.day, cs.tomorrow = time.Date(y, m, d, 0, 0, 0, 0, time.UTC), time.Date(y, m, d+1, 0, 0, 0, 0, in)
	}
	for _, c := range cs.all {
		c.daily = noLimit
		if cs.pool == nil {
			continue
		}
		if most := cs.pool.MaxDailyCalls; most != nil {
			c.daily = *most
			if c.CallsDay != nil && c.CallsDay.Equal(cs.day) {
				c.daily = max(*most-c.CallsOnDay, 0)
			}
		}
		if cs.pool.Rests && c.RestUntil != nil {
			c.rested = *c.RestUntil
		}
		if c.refusals >= project.MostCallerRefusals {
			c.rested = later(c.rested, c.refused.Add(project.RefusedRest))
		}
	}
	return nil
}

// tired returns when a number that has reached its daily limit or rests may call again, and the
// zero time for any other number.
func (cs *callers) tired(c *caller) (until time.Time) {
	if c.rested.After(cs.now) {
		until = c.rested
	}
	if c.daily <= c.placed {
		until = later(until, cs.tomorrow)
	}
	return until
}

// slots returns how many more calls the limits of a number allow, without its pace.
func (cs *callers) slots(c *caller) int {
	if c.rested.After(cs.now) {
		return 0
	}
	n := c.daily
	if most := c.MaxConcurrency; most != nil {
		n = min(n, *most-c.live)
	}
	return max(n-c.placed, 0)
}

// room returns how many more calls a number may start now.
func (cs *callers) room(c *caller) int {
	n := cs.slots(c)
	return max(min(n, c.pace.allows(cs.now, n+c.placed)-c.placed), 0)
}

// sum adds up a number of calls over all numbers.
func (cs *callers) sum(of func(*caller) int) (n int) {
	for _, c := range cs.all {
		n = min(n+of(c), noLimit)
	}
	return n
}

func (cs *callers) allSlots() int { return cs.sum(cs.slots) }
func (cs *callers) allRoom() int  { return cs.sum(cs.room) }

// within returns how many calls the numbers may start between now and d later.
func (cs *callers) within(d time.Duration) int {
	return cs.sum(func(c *caller) int { return c.pace.after(cs.now, c.placed).within(cs.now, d, cs.slots(c)) })
}

// next returns when the pace of a number allows the next call. It is zero if no number has a slot.
func (cs *callers) next() (at time.Time) {
	found := false
	for _, c := range cs.all {
		if cs.slots(c) == 0 {
			continue
		}
		if own := c.pace.after(cs.now, c.placed).next; !found || own.Before(at) {
			at, found = own, true
		}
	}
	return at
}

// bound returns why no number has a slot, and until when, if that is known.
func (cs *callers) bound() (reason string, until time.Time) {
	for _, c := range cs.all {
		at := cs.tired(c)
		if at.IsZero() {
			return campaign.WaitNumberConcurrency, time.Time{}
		}
		if until.IsZero() || at.Before(until) {
			until = at
		}
	}
	return campaign.WaitNumberPool, until
}

// take gives a call to a recipient to a number, nil if no number has room. A retry comes from the number
// of the recipient's first call, which they may know, unless that number has no room. Otherwise the
// strategy decides, and among equal numbers the one that has not called for the longest time.
func (cs *callers) take(to candidate) *caller {
	var best *caller
	var at nearness
	near := cs.pool != nil && cs.pool.Strategy == project.Nearest
	var there place
	if near {
		there = placeOf(to.PhoneNumber)
	}
	for _, c := range cs.all {
		if cs.room(c) == 0 {
			continue
		}
		if to.FirstNumberID != nil && c.ID == *to.FirstNumberID {
			best = c
			break
		}
		var own nearness
		if near {
			if c.place == nil {
				c.place = ptrTo(placeOf(c.PhoneNumber))
			}
			own = c.place.nearness(there)
		}
		if best == nil || cmp.Or(cmp.Compare(at, own), compareTimes(c.LastCallAt, best.LastCallAt),
			bytes.Compare(c.ID[:], best.ID[:])) < 0 {
			best, at = c, own
		}
	}
	if best != nil {
		best.placed++
		best.LastCallAt = ptrTo(cs.now.Add(time.Duration(cs.turns) * time.Microsecond))
		cs.turns++
	}
	return best
}

// giveBack takes back a call that was not claimed.
func (cs *callers) giveBack(numberID uuid.UUID) {
	i := slices.IndexFunc(cs.all, func(c *caller) bool { return c.ID == numberID })
	cs.all[i].placed--
}

// nearness is how near a number is to a recipient's.
type nearness int

const (
	elsewhere nearness = iota
	sameCountry
	sameState
	sameAreaCode
)

// place is where a number belongs by its digits. Only numbers of the North American Numbering Plan
// have an area code.
type place struct {
	areaCode string
	state    regulation.Place // the country, if the state is unknown
}

func placeOf(number string) (p place) {
	p.state = regulation.PlaceOf(phone.Number(number))
	if strings.HasPrefix(number, "+1") && len(number) > 5 {
		p.areaCode = number[2:5]
	}
	return p
}

func (p place) nearness(to place) nearness {
	switch {
	case p.state == "" || p.state.Country() != to.state.Country():
		return elsewhere
	case p.areaCode != "" && p.areaCode == to.areaCode:
		return sameAreaCode
	case p.state == to.state && p.state != p.state.Country():
		return sameState
	}
	return sameCountry
}

// reached are the paces of the numbers after the claimed calls.
func (cs *callers) reached() (reached []reachedPace) {
	for _, c := range cs.all {
		if c.placed > 0 {
			reached = append(reached, reachedPace{pace: c.pace.after(cs.now, c.placed), numberID: &c.ID})
		}
	}
	return reached
}

var callerTable = postgres.NewColumns("used",
	postgres.Column("id", "uuid", func(c *caller) uuid.UUID { return c.ID }),
	postgres.Column("last_call_at", "timestamptz", func(c *caller) *time.Time { return c.LastCallAt }),
	postgres.Column("calls", "int", func(c *caller) int32 { return int32(c.placed) }),
)

// keep counts the claimed calls of numbers that are in a pool. Their rows are locked.
func (cs *callers) keep(ctx context.Context, tx pgx.Tx) error {
	var used []*caller
	for _, c := range cs.all {
		if c.placed > 0 && c.InPool {
			used = append(used, c)
		}
	}
	if len(used) == 0 {
		return nil
	}
	args := callerTable.ArgsOf(used)
	args["day"] = cs.day
	_, err := tx.Exec(ctx, `
		update phone_number n
		set last_call_at = used.last_call_at, calls_day = @day::date,
		    calls_on_day = case when n.calls_day = @day::date then n.calls_on_day else 0 end + used.calls
		from `+callerTable.Table()+`
		where n.id = used.id`, args)
	if err != nil {
		return fmt.Errorf("count the calls of %d numbers: %w", len(used), err)
	}
	return nil
}

// unplaced returns the calls whose numbers did not call anybody.
func unplaced(ended []call.Ended) (ids []uuid.UUID) {
	for _, e := range ended {
		if e.AskedAt == nil || e.EndedReason.NotPlaced() {
			ids = append(ids, e.ID)
		}
	}
	return ids
}

// uncount takes calls that were not placed out of the daily counts of their numbers, and returns the pools that may
// call again. Passes wait for the rows of numbers, so it is the last statement of its transaction.
func uncount(ctx context.Context, tx pgx.Tx, calls []uuid.UUID) (pools []uuid.UUID, err error) {
	if len(calls) == 0 {
		return nil, nil
	}
	pools, err = postgres.Collect(ctx, tx, pgx.RowTo[uuid.UUID], `
		with unplaced as (
			select c.phone_number_id as id, (c.created_at at time zone o.time_zone)::date as day, count(*) as calls
			from call c
			join organization o on o.id = c.organization_id
			where c.id = any($1)
			group by 1, 2
		), locked as (
			select n.id from phone_number n
			join unplaced u on u.id = n.id and u.day = n.calls_day
			where n.number_pool_id is not null
			order by n.id
			for no key update of n
		)
		update phone_number n set calls_on_day = greatest(n.calls_on_day - u.calls, 0)
		from unplaced u
		join locked on locked.id = u.id
		where n.id = u.id and n.calls_day = u.day
		returning n.number_pool_id`, calls)
	if err != nil {
		return nil, fmt.Errorf("uncount %d calls of numbers: %w", len(calls), err)
	}
	return pools, nil
}

// callAgain has the campaigns of pools make a pass now, because a number has a call left. If the process dies
// before it, they make it when the pool's day is over.
func callAgain(ctx context.Context, db postgres.DB, pools []uuid.UUID) error {
	_, err := db.Exec(ctx, `
		update campaign set dial_at = (select clock())
		where id in (
			select id from campaign
			where id = any(array( -- by the index of pools, not of all campaigns that dial
				select c.id from number_pool p
				cross join lateral (
					select id from campaign
					where organization_id = p.organization_id and number_pool_id = p.id and ended_at is null
					offset 0
				) c
				where p.id = any($1)
			)) and status = 'running' and dial_at > (select clock())
			order by id for no key update skip locked
		)`, pools)
	if err != nil {
		return fmt.Errorf("resume the calls of %d pools: %w", len(pools), err)
	}
	return nil
}

// refusedCaller returns a number that the carrier refused too often, if it refused all of them.
func (cs *callers) refusedCaller() *caller {
	for _, c := range cs.all {
		if c.refusals < project.MostCallerRefusals {
			return nil
		}
	}
	if len(cs.all) == 0 {
		return nil
	}
	return cs.all[0]
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
