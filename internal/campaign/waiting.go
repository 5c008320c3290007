package campaign

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/dialwright/dialwright/internal/wire"
)

// Reasons why recipients wait. The first group is also stored with a recipient, as the
// reason why it is not due earlier.
const (
	WaitScheduled    = "scheduled"     // the campaign's start time has not come
	WaitCallingHours = "calling_hours" // the calling hours are closed by the recipient's clock
	WaitCallingRules = "calling_rules" // the rules of the number's place, a holiday or a day without calls
	WaitRetry        = "retry"         // the delay after an attempt is not over
	WaitCallBack     = "call_back"     // the recipient asked to be called back at a later time
	WaitInCall       = "in_call"       // the number is in another call of the organization
	WaitAttemptLimit = "attempt_limit" // the number has reached a limit of calls, the organization's or its place's
	WaitCarrier      = "carrier"       // the connection could not place the last call
	WaitMessage      = "message"       // the message before the call is being sent
	WaitCountry      = "country"       // the carrier account may not call the number's country

	// WaitPreDialCheck: the pre-dial check of the organization failed, for the recipient's last call or
	// so often that calls wait until it succeeds.
	WaitPreDialCheck = "pre_dial_check"

	// WaitCallingHoursProject is calling_hours by the project's clock, because the
	// number gives no reliable time zone.
	WaitCallingHoursProject = "calling_hours_project_time"

	// A limit on simultaneous calls, or on calls per second, is reached.
	WaitProbing                 = "probing" // after failures, calls are placed one at a time until one works
	WaitCampaignConcurrency     = "campaign_concurrency"
	WaitNumberConcurrency       = "phone_number_concurrency"
	WaitConnectionConcurrency   = "connection_concurrency"
	WaitOrganizationConcurrency = "organization_concurrency"
	WaitModelStreams            = "model_streams" // the connection of the agent's model has no free stream
	WaitBudget                  = "budget"        // the monthly budget is reached; only of calls of their own
	WaitModelBudget             = "model_budget"  // the organization's daily limit of language models
	WaitCampaignPace            = "campaign_pace"
	WaitNumberPace              = "phone_number_pace"
	WaitConnectionPace          = "connection_pace" // or the carrier refused calls as too many, and dialing pauses
	WaitOrganizationPace        = "organization_pace"

	WaitNumberPool = "number_pool" // every number of the pool rests or has reached its daily limit

	WaitPaused         = "paused"          // the campaign is paused
	WaitCallingStopped = "calling_stopped" // a person has stopped all calling
)

// WaitReasons lists every reason.
var WaitReasons = []string{
	WaitScheduled, WaitCallingHours, WaitCallingHoursProject, WaitCallingRules, WaitRetry, WaitCallBack, WaitInCall,
	WaitAttemptLimit, WaitCarrier, WaitMessage, WaitCountry, WaitPreDialCheck,
	WaitProbing, WaitCampaignConcurrency, WaitNumberConcurrency, WaitConnectionConcurrency, WaitOrganizationConcurrency,
	WaitModelStreams, WaitBudget, WaitModelBudget,
	WaitCampaignPace, WaitNumberPace, WaitConnectionPace, WaitOrganizationPace, WaitNumberPool, WaitPaused,
	WaitCallingStopped,
}

// Waiting says why some recipients are not being dialed now.
type Waiting struct {
	Reason     string     `json:"reason"`
	Recipients int        `json:"recipients"`
	Until      *wire.Time `json:"until"`  // when the first recipient may be called; nil: no fixed time
	Detail     *string    `json:"detail"` // for a person: who stopped calling, or the carrier's answer

	// ByTimeZone groups recipients by the opening of their calling hours: the zonesMost
	// largest groups. It is empty if one clock applies to all recipients, and for other
	// reasons.
	ByTimeZone []ZoneWaiting `json:"by_time_zone"`
}

// ZoneWaiting is a group of recipients who wait for the same calling hours.
type ZoneWaiting struct {
	TimeZones  []string  `json:"time_zones"` // IANA; the hours must be open in all of them
	Recipients int       `json:"recipients"`
	Until      wire.Time `json:"until"` // when the hours open
}

// zonesMost limits the reported groups, because numbers may belong to many sets of time
// zones.
const zonesMost = 12

// Tally counts waiting recipients by reason.
type Tally map[string]*tallied

type tallied struct {
	Waiting
	zones map[string]*ZoneWaiting
}

// Add counts n recipients who wait for reason until at. A zero at means unknown.
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

// Wait counts n recipients who wait for reason until at. Recipients who wait for
// calling hours are also counted by zones. source is their zone_source.
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

// pausedWaiting sets the only known reason of a paused campaign: the pause. The reasons
// after the pause are unknown.
func (c *Campaign) pausedWaiting() {
	if c.Status == Paused && c.Pending > 0 {
		c.Waiting = []Waiting{{Reason: WaitPaused, Recipients: c.Pending, Detail: c.PauseReason}}
	}
}

// List returns the reasons, the reason with the most recipients first.
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

// waitingResource returns the list for the API, where no list is null.
func waitingResource(list []Waiting) []Waiting {
	shown := make([]Waiting, len(list))
	for i, w := range list {
		w.ByTimeZone = orEmpty(w.ByTimeZone)
		shown[i] = w
	}
	return shown
}
