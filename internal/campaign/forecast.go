package campaign

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/campaign/intake"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/hours"
	"github.com/dialwright/dialwright/internal/messaging"
	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/internal/suppression"
)

// Forecast estimates what would happen to a list if it were submitted now.
type Forecast struct {
	Recipients int // valid rows of the list
	Called     int
	Duplicates int              // skipped: the number is in the list twice, or already in the campaign
	DoNotCall  int              // skipped
	NoConsent  int              // skipped: the organization requires a consent with its date
	Lacking    []intake.Lacking // those of Called without a value for a variable, if the list is a file or stored
	Dated      []intake.Dated   // variables of Called whose values are dates of a computer, likewise
	Calls      int              // the maximum over all attempts

	// First is the time of the first call, and FirstZone is the IANA time zone of its
	// clock. ByTheirs is true if that is the recipient's own clock, not one clock for
	// all. All are zero if no project is chosen or no recipient will be called.
	First      time.Time
	FirstZone  string
	ByTheirs   bool
	Scheduled  bool // only the start time delays the first call
	OtherZones int  // the number of other clocks

	// Last is the time of the last first attempt at the allowed pace. It is zero if it
	// is unknown or more than FarAhead away.
	Last    time.Time
	TooFar  bool
	Late    int           // recipients not reached before the campaign expires
	PerCall time.Duration // how long a call occupies a line
	Guessed bool          // there were too few calls to measure PerCall

	Quota   *messaging.Quota // of the WhatsApp number; nil: no quota limits the list
	Refused *QuotaError      // why the list would be refused; nil: it would be accepted
}

const (
	// FarAhead is how far into the future a forecast reaches.
	FarAhead = 60 * 24 * time.Hour

	forecastStep   = 15 * time.Minute
	knownCalls     = 20 // the fewest calls that give a duration per call
	recentCalls    = 500
	guessedPerCall = time.Minute
)

// Forecast estimates what would happen to a draft. It ignores invalid and missing
// fields, because Check and Create report them.
func (s *Service) Forecast(ctx context.Context, organizationID uuid.UUID, d *Draft) (Forecast, error) {
	now := s.now()
	var wrong fault.Problems
	set := d.settle(now, &wrong)
	f, groups, err := s.foresee(ctx, organizationID, d.Recipients)
	if err != nil {
		return f, err
	}
	f.Calls = f.Called
	if len(set.retryOn) > 0 && set.maxAttempts > 0 {
		f.Calls *= min(set.maxAttempts, maxMaxAttempts)
	}
	own, err := s.ownNumber(ctx, organizationID, set.from.PhoneNumberID)
	if err != nil {
		return f, err
	}
	if err := s.foreseeQuota(ctx, organizationID, set.chosen(own), set.messaging == nil, &f); err != nil {
		return f, err
	}
	var callingHours hours.Hours
	var zone string
	err = s.db.QueryRow(ctx, `
		select calling_hours, time_zone from project where organization_id = @organization_id and id = @id`,
		pgx.NamedArgs{"organization_id": organizationID, "id": set.projectID}).Scan(&callingHours, &zone)
	if errors.Is(err, pgx.ErrNoRows) {
		return f, nil
	}
	if err != nil {
		return f, fmt.Errorf("read the hours of project %s: %w", set.projectID, err)
	}
	if d.CallingHours != nil {
		var p fault.Problems
		if d.CallingHours.Validate("", &p); p.Err() != nil {
			return f, nil
		}
		callingHours = *d.CallingHours
	}
	start := now
	if set.scheduledAt != nil && set.scheduledAt.After(now) {
		start = *set.scheduledAt
	}
	pace := pacing{
		organizationID: organizationID, from: set.from, perSecond: set.callsPerSecond,
		lines: set.maxConcurrency,
	}
	rules, err := readRules(ctx, s.db, organizationID)
	if err != nil {
		return f, err
	}
	return f, s.foreseeTimes(ctx, &f, groups, NewClocks(callingHours, zone, start, now, rules), pace, set.expiresAt)
}

// ForecastAddition estimates what would happen to recipients, read by ReadAddition,
// that are added to a campaign. Error: NotFound.
func (s *Service) ForecastAddition(ctx context.Context, organizationID, id uuid.UUID, a *Addition) (Forecast, error) {
	c, err := s.Get(ctx, organizationID, id)
	if err != nil {
		return Forecast{}, err
	}
	f, called, err := s.foresee(ctx, organizationID, a.Recipients)
	if err != nil {
		return f, err
	}
	return f, s.foreseeStored(ctx, c, called, &f)
}

// foreseeStored fills in what the settings of a campaign do to recipients who will be called.
func (s *Service) foreseeStored(ctx context.Context, c Campaign, called []*intake.Entry, f *Forecast) error {
	if f.Calls = f.Called; len(c.RetryOn) > 0 {
		f.Calls *= c.MaxAttempts
	}
	externalID, asked, err := s.sender(ctx, c.OrganizationID, c.ID)
	if err != nil {
		return err
	}
	set := settings{messaging: asked}
	if err := s.foreseeQuota(ctx, c.OrganizationID, set.chosen(externalID), false, f); err != nil {
		return err
	}
	var zone string
	err = s.db.QueryRow(ctx, `
		select time_zone from project where organization_id = @organization_id and id = @id`,
		pgx.NamedArgs{"organization_id": c.OrganizationID, "id": c.ProjectID}).Scan(&zone)
	if err != nil {
		return fmt.Errorf("read the zone of project %s: %w", c.ProjectID, err)
	}
	now := s.now()
	start := now
	if c.ScheduledAt.After(now) {
		start = c.ScheduledAt
	}
	pace := pacing{
		organizationID: c.OrganizationID, from: c.callsFrom(), perSecond: c.CallsPerSecond,
		lines: c.MaxConcurrency,
	}
	rules, err := readRules(ctx, s.db, c.OrganizationID)
	if err != nil {
		return err
	}
	return s.foreseeTimes(ctx, f, called, NewClocks(c.CallingHours, zone, start, now, rules), pace, c.ExpiresAt)
}

// foresee counts the recipients who would be called and the skipped recipients by
// reason.
func (s *Service) foresee(
	ctx context.Context, organizationID uuid.UUID, list *intake.List,
) (f Forecast, called []*intake.Entry, err error) {
	if list == nil {
		return f, nil, nil
	}
	listed, err := suppression.Listed(ctx, s.db, organizationID, suppression.Voice, list.Numbers())
	if err != nil {
		return f, nil, err
	}
	required, _, err := consentRequired(ctx, s.db, organizationID)
	if err != nil {
		return f, nil, err
	}
	now := s.now()
	for e := range list.Each {
		f.Recipients++
		switch _, onList := listed[e.Number]; {
		case onList:
			f.DoNotCall++
		case e.Duplicate:
			f.Duplicates++
		case required && !intake.Consented(e.ConsentBasis, e.ConsentAt, e.ConsentExpiresAt, now):
			f.NoConsent++
		default:
			called = append(called, e)
		}
	}
	f.Called = len(called)
	f.Dated = list.Dated(called)
	f.Lacking, err = list.Lacking(called)
	return f, called, err
}

// foreseeQuota fills in the last known quota of the number. A forecast makes no request
// to the operator.
func (s *Service) foreseeQuota(
	ctx context.Context, organizationID uuid.UUID, externalID string, hint bool, f *Forecast,
) error {
	if externalID == "" {
		return nil
	}
	quota, err := s.whatsapp.LastQuotaOf(ctx, organizationID, externalID)
	if fault.KindOf(err) == fault.NotFound {
		return nil
	}
	if err != nil {
		return err
	}
	f.Quota = &quota
	f.Refused = exceeds(f.Recipients, quota, hint)
	return nil
}

// pacing is the pace and concurrency that a campaign's own settings allow.
type pacing struct {
	organizationID uuid.UUID
	from           CallsFrom
	perSecond      float64
	lines          int
}

// foreseeTimes fills in the times of the first and the last call.
func (s *Service) foreseeTimes(
	ctx context.Context, f *Forecast, called []*intake.Entry, clocks *Clocks, pace pacing, expires *time.Time,
) error {
	counts := map[*Due]int{}
	for _, e := range called {
		when, err := clocks.Due(e)
		if err != nil {
			return err
		}
		counts[when]++
	}
	if len(counts) == 0 {
		return nil
	}
	var groups []forecastGroup
	zones := map[string]bool{}
	for when, n := range counts {
		groups = append(groups, forecastGroup{schedule: when.schedule, from: when.At, left: float64(n)})
		zones[when.Zones[0]] = true
		earlier := f.First.IsZero() || when.At.Before(f.First) || when.At.Equal(f.First) && when.Zones[0] < f.FirstZone
		if earlier {
			f.First, f.FirstZone = when.At, when.Zones[0]
			f.ByTheirs = when.Source == ZoneOfRecipient || when.Source == ZoneOfNumber
			f.Scheduled = when.Reason != WaitCallingHours && when.Reason != WaitCallingRules
		}
	}
	f.OtherZones = len(zones) - 1
	if !f.First.After(clocks.now) {
		f.First = clocks.now
	}
	speed, err := s.speed(ctx, f, pace)
	if err != nil || speed.rate <= 0 {
		return err
	}
	until := clocks.now.Add(FarAhead)
	cutOff := expires != nil && expires.Before(until)
	if cutOff {
		until = *expires
	}
	last, left := drain(groups, speed, until)
	switch {
	case left == 0:
		f.Last = last
	case cutOff:
		f.Late = left
	default:
		f.TooFar = true
	}
	return nil
}

// speed is how fast a campaign may start calls.
type speed struct {
	rate  float64 // calls per second
	daily int     // calls on a day; 0: no limit
	zone  *time.Location
}

// speed returns how fast a campaign may start calls under all limits: the pace, the concurrency
// divided by the duration of a call, and the daily limits of the numbers of a pool.
func (s *Service) speed(ctx context.Context, f *Forecast, pace pacing) (speed, error) {
	var lines *int
	var perSecond, took *float64
	var calls int
	var of speed
	var zone string
	err := s.db.QueryRow(ctx, `
		select least(o.max_concurrency, n.max_concurrency, c.max_concurrency), least(o.calls_per_second,
			n.calls_per_second, c.calls_per_second),
		       recent.took, recent.calls, o.time_zone,
		       coalesce(n.numbers * (select max_daily_calls from number_pool where organization_id = o.id
		         and id = @number_pool_id), 0)
		from organization o
		cross join lateral (
			select case when bool_and(max_concurrency is not null) then sum(max_concurrency) end as max_concurrency,
			       case when bool_and(calls_per_second is not null) then sum(calls_per_second) end as calls_per_second,
			       (array_agg(connection_id))[1] as connection_id, count(*) as numbers
			from phone_number
			where organization_id = o.id and (id = @phone_number_id or number_pool_id = @number_pool_id)) n
		left join connection c on c.organization_id = o.id and c.id = n.connection_id
		cross join (
			select avg(extract(epoch from ended_at - started_at))::float8 as took, count(*) as calls
			from (select started_at, ended_at from call
			      where organization_id = @organization_id and ended_at is not null
			      order by created_at desc, id desc limit @recent) as last
			where started_at is not null) as recent
		where o.id = @organization_id`,
		pgx.NamedArgs{
			"organization_id": pace.organizationID, "phone_number_id": pace.from.PhoneNumberID,
			"number_pool_id": orNil(pace.from.NumberPoolID), "recent": recentCalls,
		}).Scan(&lines, &perSecond, &took, &calls, &zone, &of.daily)
	if err == nil {
		of.zone, err = time.LoadLocation(zone)
	}
	if err != nil {
		return of, fmt.Errorf("read how fast calls may be placed: %w", err)
	}
	f.PerCall, f.Guessed = guessedPerCall, true
	if calls >= knownCalls && took != nil {
		f.PerCall, f.Guessed = time.Duration(*took*float64(time.Second)), false
	}
	most := pace.perSecond
	if perSecond != nil {
		most = min(most, *perSecond)
	}
	at := pace.lines
	if lines != nil {
		at = min(at, *lines)
	}
	of.rate = min(most, float64(at)/max(f.PerCall.Seconds(), 1))
	return of, nil
}

// forecastGroup is the recipients who share a clock.
type forecastGroup struct {
	schedule *hours.Schedule
	from     time.Time
	left     float64
}

// drain simulates, in steps, calls at a speed during the calling hours of the groups. It
// returns when the last call begins, and how many recipients are left at until.
func drain(groups []forecastGroup, of speed, until time.Time) (last time.Time, left int) {
	slices.SortFunc(groups, func(a, b forecastGroup) int {
		return cmp.Or(a.from.Compare(b.from), cmp.Compare(a.left, b.left))
	})
	at := groups[0].from
	var tomorrow time.Time
	var today float64 // how many calls the day still allows
	for at.Before(until) {
		span := min(forecastStep, until.Sub(at))
		room, next := of.rate*span.Seconds(), time.Time{}
		if of.daily > 0 {
			if !at.Before(tomorrow) {
				y, m, d := at.In(of.zone).Date()
				tomorrow, today = time.Date(y, m, d+1, 0, 0, 0, 0, of.zone), float64(of.daily)
			}
			if today <= 0 {
				at = tomorrow
				continue
			}
			room = min(room, today)
		}
		began, used := false, 0.0
		for i := range groups {
			g := &groups[i]
			if g.left <= 0 {
				continue
			}
			from := slices.MaxFunc([]time.Time{at, g.from}, time.Time.Compare)
			if opens := Opening(g.schedule, from); opens.After(at) {
				if next.IsZero() || opens.Before(next) {
					next = opens
				}
				continue
			}
			began = true
			taken := min(room, g.left)
			if taken <= 0 {
				continue
			}
			g.left -= taken
			room -= taken
			today -= taken
			used += taken
			last = at.Add(time.Duration(used / of.rate * float64(time.Second)))
		}
		switch {
		case began:
			at = at.Add(span)
		case next.IsZero():
			return last, 0 // no recipient is left
		default:
			at = next
		}
	}
	sum := 0.0
	for _, g := range groups {
		sum += g.left
	}
	return last, int(sum + 0.5)
}

// present returns the numbers and external IDs of a list that are already in the
// campaign.
func (s *Service) present(
	ctx context.Context, organizationID, id uuid.UUID, l *intake.List,
) (numbers map[phone.Number]bool, externalIDs map[string]bool, err error) {
	if numbers, err = usedIn(ctx, s.db, organizationID, id, "phone_number", l.Numbers()); err != nil {
		return nil, nil, err
	}
	externalIDs, err = usedIn(ctx, s.db, organizationID, id, "external_id", l.ExternalIDs())
	return numbers, externalIDs, err
}
