package campaign

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/wire"
)

// Reasons why recipients wait. The first ones are also kept with a recipient,
// as why it is not due earlier.
const (
	WaitScheduled    = "scheduled"     // the campaign's time has not come
	WaitCallingHours = "calling_hours" // by the recipient's clock
	WaitRetry        = "retry"         // the delay after an attempt
	WaitInCall       = "in_call"       // the number is in another call of the organization
	WaitAttemptLimit = "attempt_limit" // the number was called as often as the organization allows in 24 hours
	WaitCarrier      = "carrier"       // the connection could not place the last call
	WaitMessage      = "message"       // the message before the call is being sent

	// WaitCallingHoursProject is calling_hours by the project's clock, because
	// the number tells no reliable time zone.
	WaitCallingHoursProject = "calling_hours_project_time"

	// Too few may be up at a time, or started in a second.
	WaitCampaignConcurrency     = "campaign_concurrency"
	WaitNumberConcurrency       = "phone_number_concurrency"
	WaitConnectionConcurrency   = "connection_concurrency"
	WaitOrganizationConcurrency = "organization_concurrency"
	WaitCampaignPace            = "campaign_pace"
	WaitNumberPace              = "phone_number_pace"
	WaitConnectionPace          = "connection_pace" // or its carrier was asked too much, and rests
	WaitOrganizationPace        = "organization_pace"

	WaitPaused         = "paused"          // the campaign is
	WaitCallingStopped = "calling_stopped" // somebody has stopped all calling
)

// WaitReasons are all of them.
var WaitReasons = []string{
	WaitScheduled, WaitCallingHours, WaitCallingHoursProject, WaitRetry, WaitInCall, WaitAttemptLimit, WaitCarrier, WaitMessage,
	WaitCampaignConcurrency, WaitNumberConcurrency, WaitConnectionConcurrency, WaitOrganizationConcurrency,
	WaitCampaignPace, WaitNumberPace, WaitConnectionPace, WaitOrganizationPace, WaitPaused, WaitCallingStopped,
}

// Waiting says why some recipients are not being dialed now.
type Waiting struct {
	Reason     string     `json:"reason"`
	Recipients int        `json:"recipients"`
	Until      *wire.Time `json:"until"`  // when the first of them may be dialed; nil when that depends on others
	Detail     *string    `json:"detail"` // more about it, for people: who stopped it, what the carrier said

	// ByTimeZone is whose calling hours open when: the most numerous zonesMost of
	// them. Empty where one clock counts for all, and for other reasons.
	ByTimeZone []ZoneWaiting `json:"by_time_zone"`
}

// ZoneWaiting is recipients who wait for the same calling hours.
type ZoneWaiting struct {
	TimeZones  []string  `json:"time_zones"` // IANA; the hours must be open in all of them
	Recipients int       `json:"recipients"`
	Until      wire.Time `json:"until"` // when they open
}

// zonesMost bounds the time zones that are told: numbers may belong to many sets.
const zonesMost = 12

// waitingGap is how often who waits for what is counted at most: it reads every
// recipient of the campaign that waits.
const waitingGap = 5 * time.Second

// tellWaiting writes who waits for what after a look that found somebody does.
// It counts outside of the look, which holds rows that others wait for; what
// another look says meanwhile wins. It waits for the campaign's row no longer than a
// look does: errBusy says that somebody holds it.
func (d *Dialer) tellWaiting(ctx context.Context, l *look) error {
	rows, err := d.pool.Query(ctx, `
		select case when due_at > @now then coalesce(wait_reason, '') else '' end as reason,
		       case when due_at > @now and wait_reason = @hours then zone_source else '' end as source,
		       case when due_at > @now and wait_reason = @hours and zone_source <> @one_clock then zones else '{}' end as in_zones,
		       count(*) as recipients, min(due_at) as at, bool_and(due_at <= @now) as is_due
		from recipient
		where campaign_id = @id and status = 'pending'
		group by 1, 2, 3`, pgx.NamedArgs{"id": l.ID, "now": l.live.Now, "hours": WaitCallingHours, "one_clock": zoneOfCampaign})
	if err != nil {
		return fmt.Errorf("count who waits: %w", err)
	}
	t, stopped := tally{}, 0
	var reason, source string
	var zones []string
	var n int
	var at time.Time
	var isDue bool
	_, err = pgx.ForEachRow(rows, []any{&reason, &source, &zones, &n, &at, &isDue}, func() error {
		switch {
		case l.organization.Stopped: // whatever else they may wait for
			stopped += n
		case !isDue:
			t.wait(cmp.Or(reason, WaitScheduled), source, zones, n, at)
		case l.why != "":
			t.add(l.why, n, l.whyUntil)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("count who waits: %w", err)
	}
	if stopped > 0 {
		t.add(WaitCallingStopped, stopped, time.Time{})
		t.explain(WaitCallingStopped, "Stopped by "+l.organization.StoppedBy)
	}
	if why := l.connection.LastError; why != nil {
		t.explain(WaitCarrier, *why)
	}
	waiting := t.waiting()
	held, until := l.newlyHeld(waiting)
	args, err := logArgs(account.System(l.OrganizationID), l.ID, LogWaiting, LogDetails{Waiting: waiting, Until: until})
	if err != nil {
		return err
	}
	maps.Copy(args, pgx.NamedArgs{"waiting": waiting, "now": l.live.Now, "seen": l.campaign.WaitingAt, "held": orNull(held), "was": l.campaign.Held,
		"until_told": l.untilTold, "dial_at": l.next})
	// The look has left the campaign due again soon, should this not be told.
	err = postgres.InTx(ctx, d.pool, func(tx pgx.Tx) error {
		batch := &pgx.Batch{}
		batch.Queue(sqlShort, lockWait)
		batch.Queue(`
			with told as (
				update campaign set
					waiting = @waiting, waiting_at = @now, held = coalesce(@held, held),
					dial_at = case when dial_at = @until_told then @dial_at else dial_at end
				where id = @campaign_id and status = 'running' and waiting_at is not distinct from @seen and held is not distinct from @was
				returning id)
			insert into campaign_log_entry (id, organization_id, campaign_id, kind, actor_kind, actor_name, data)
			select @id::uuid, @organization_id::uuid, told.id, @kind::text, @actor_kind::text, @actor_name::text, @data::jsonb
			from told where @held::text is not null`, args)
		return tx.SendBatch(ctx, batch).Close()
	})
	if lockTimedOut(err) {
		return errBusy
	}
	if err != nil {
		return fmt.Errorf("write who waits: %w", err)
	}
	return nil
}

// tally gathers who waits for what.
type tally map[string]*tallied

type tallied struct {
	Waiting
	zones map[string]*ZoneWaiting
}

// add counts n recipients who wait for reason until at.
func (t tally) add(reason string, n int, at time.Time) *tallied {
	w, ok := t[reason]
	if !ok {
		w = &tallied{Waiting: Waiting{Reason: reason}, zones: map[string]*ZoneWaiting{}}
		t[reason] = w
	}
	w.Recipients += n
	if !at.IsZero() && (w.Until == nil || at.Before(time.Time(*w.Until))) {
		until := wire.Time(at)
		w.Until = &until
	}
	return w
}

// wait counts n recipients whose due time is at, for reason. Where that is calling
// hours, these are in zones, which are known by source, their zone_source.
func (t tally) wait(reason, source string, zones []string, n int, at time.Time) {
	if reason == WaitCallingHours && source == zoneOfProject {
		reason = WaitCallingHoursProject
	}
	w := t.add(reason, n, at)
	if reason != WaitCallingHours && reason != WaitCallingHoursProject || source == zoneOfCampaign {
		return
	}
	key := strings.Join(zones, " ")
	z, ok := w.zones[key]
	if !ok {
		z = &ZoneWaiting{TimeZones: zones, Until: wire.Time(at)}
		w.zones[key] = z
	}
	z.Recipients += n
	if at.Before(time.Time(z.Until)) {
		z.Until = wire.Time(at)
	}
}

// explain says more about a reason, if anybody waits for it.
func (t tally) explain(reason, detail string) {
	if w, ok := t[reason]; ok && detail != "" {
		w.Detail = &detail
	}
}

// pausedWaiting is what those wait for whose campaign is paused: nothing is known
// then of what would come after it.
func (c *Campaign) pausedWaiting() {
	if c.Status == Paused && c.Pending > 0 {
		c.Waiting = []Waiting{{Reason: WaitPaused, Recipients: c.Pending, Detail: c.PauseReason}}
	}
}

// waiting is the list, the most numerous first.
func (t tally) waiting() []Waiting {
	list := make([]Waiting, 0, len(t))
	for _, w := range t {
		for _, z := range w.zones {
			w.ByTimeZone = append(w.ByTimeZone, *z)
		}
		slices.SortFunc(w.ByTimeZone, func(a, b ZoneWaiting) int {
			return cmp.Or(cmp.Compare(b.Recipients, a.Recipients), time.Time(a.Until).Compare(time.Time(b.Until)), slices.Compare(a.TimeZones, b.TimeZones))
		})
		w.ByTimeZone = w.ByTimeZone[:min(len(w.ByTimeZone), zonesMost)]
		list = append(list, w.Waiting)
	}
	slices.SortFunc(list, func(a, b Waiting) int {
		return cmp.Or(cmp.Compare(b.Recipients, a.Recipients), cmp.Compare(a.Reason, b.Reason))
	})
	return list
}

// waitingResource is the list as the API shows it: no list in it is null.
func waitingResource(list []Waiting) []Waiting {
	shown := make([]Waiting, len(list))
	for i, w := range list {
		w.ByTimeZone = orEmpty(w.ByTimeZone)
		shown[i] = w
	}
	return shown
}
