package campaign

import (
	"cmp"
	"slices"
	"strings"
	"time"

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
	WaitScheduled, WaitCallingHours, WaitCallingHoursProject, WaitRetry, WaitInCall, WaitAttemptLimit, WaitCarrier,
	WaitMessage,
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

// Tally counts waiting recipients by reason.
type Tally map[string]*tallied

type tallied struct {
	Waiting
	zones map[string]*ZoneWaiting
}

// Add counts n recipients who wait for reason until at. A zero at is unknown.
func (t Tally) Add(reason string, n int, at time.Time) *tallied {
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

// Wait counts n recipients who wait for reason until at. Calling hours are counted
// by zones as well; source, their zone_source, tells whose they are.
func (t Tally) Wait(reason, source string, zones []string, n int, at time.Time) {
	if reason == WaitCallingHours && source == ZoneOfProject {
		reason = WaitCallingHoursProject
	}
	w := t.Add(reason, n, at)
	if reason != WaitCallingHours && reason != WaitCallingHoursProject || source == ZoneOfCampaign {
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

// Explain adds a detail to a reason that some recipients wait for.
func (t Tally) Explain(reason, detail string) {
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

// List returns the reasons, the most numerous first.
func (t Tally) List() []Waiting {
	list := make([]Waiting, 0, len(t))
	for _, w := range t {
		for _, z := range w.zones {
			w.ByTimeZone = append(w.ByTimeZone, *z)
		}
		slices.SortFunc(w.ByTimeZone, func(a, b ZoneWaiting) int {
			return cmp.Or(cmp.Compare(b.Recipients, a.Recipients), time.Time(a.Until).
				Compare(time.Time(b.Until)), slices.Compare(a.TimeZones, b.TimeZones))
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
