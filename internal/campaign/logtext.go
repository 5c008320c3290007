package campaign

import (
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/wire"
)

// Message says an entry in one English sentence, without who and when. at writes
// times as its reader reads them.
func (e LogEntry) Message(at func(time.Time) string) string {
	d := e.Details
	switch e.Type {
	case LogCreated:
		text := "Created with " + people(d.Recipients)
		if d.Until != nil {
			text += ", to start at " + at(*d.Until)
		}
		return text + d.left()
	case LogStarted:
		return "Started"
	case LogPaused:
		if d.Reason != "" {
			return "Paused itself: " + d.Reason
		}
		return "Paused. Calls in progress finish by themselves"
	case LogResumed:
		return "Resumed"
	case LogRecipientsAdded:
		return grouped(d.Recipients) + " more " + plural(d.Recipients, "recipient", "recipients") + " added" + d.left()
	case LogWaiting:
		return d.waits(at)
	case LogDialing:
		if free, ok := freed[d.Reason]; ok {
			return free + ", calls go out again"
		}
		return "Calls go out again"
	case LogRecipientsSkipped:
		return people(d.Recipients) + " skipped: on the do-not-call list by now"
	case LogCallsNotPlaced:
		return grouped(d.Calls) + " " + plural(d.Calls, "call", "calls") + " could not be placed: " + notPlaced[d.Reason] + ". " +
			plural(d.Calls, "It is", "They are") + " tried again and " + plural(d.Calls, "does", "do") + " not count as attempts"
	case LogRecipientsExpired:
		return "Its time is over: " + people(d.Recipients) + " not reached"
	case LogCompleted:
		if d.Reason == EndedExpired {
			return "Completed, because its time was over"
		}
		return "Completed: everybody has been dealt with"
	case LogCanceled:
		return "Canceled" + unreached(d.Recipients)
	case LogFailed:
		return "Ended, because " + gone[d.Reason] + unreached(d.Recipients)
	}
	return string(e.Type)
}

// left says who of a list will not be called.
func (d LogDetails) left() string {
	switch {
	case d.DoNotCall == 0 && d.Duplicate == 0:
		return ""
	case d.Duplicate == 0:
		return ". " + grouped(d.DoNotCall) + " skipped: on the do-not-call list"
	case d.DoNotCall == 0:
		return ". " + grouped(d.Duplicate) + " skipped: listed twice"
	}
	return ". " + grouped(d.DoNotCall+d.Duplicate) + " skipped: " + grouped(d.DoNotCall) + " on the do-not-call list, " + grouped(d.Duplicate) + " listed twice"
}

// waits says what holds a campaign up.
func (d LogDetails) waits(at func(time.Time) string) string {
	if len(d.Waiting) == 0 {
		return "Nothing to dial"
	}
	if d.Until == nil { // a limit: the one without a time
		for _, w := range d.Waiting {
			if text, ok := reached[w.Reason]; ok {
				if w.Detail != nil {
					if by, said := strings.CutPrefix(*w.Detail, "Stopped by "); said {
						text = "All calling was stopped by " + by
					}
				}
				return text + ": " + people(w.Recipients) + " " + plural(w.Recipients, "waits", "wait")
			}
		}
	}
	parts := make([]string, len(d.Waiting))
	for i, w := range d.Waiting {
		what, ok := awaited[w.Reason]
		if !ok {
			what = strings.ReplaceAll(w.Reason, "_", " ")
		}
		parts[i] = grouped(w.Recipients) + " for " + what
	}
	text := "Waiting: " + strings.Join(parts, ", ")
	if d.Until != nil {
		text += ". The next call goes out at " + at(*d.Until)
	}
	return text
}

// reached are limits in the way, and freed the same when they no longer are.
var (
	reached = map[string]string{
		WaitNumberConcurrency:       "Every line of the phone number is in use",
		WaitConnectionConcurrency:   "Every line of the carrier connection is in use",
		WaitOrganizationConcurrency: "Every line of the organization is in use",
		WaitCallingStopped:          "All calling is stopped",
	}
	freed = map[string]string{
		WaitNumberConcurrency:       "The phone number has free lines",
		WaitConnectionConcurrency:   "The carrier connection has free lines",
		WaitOrganizationConcurrency: "The organization has free lines",
		WaitCallingStopped:          "Calling is allowed again",
	}
	awaited = map[string]string{
		WaitScheduled:           "the start",
		WaitCallingHours:        "their calling hours",
		WaitCallingHoursProject: "calling hours by the project's clock",
		WaitRetry:               "their next attempt",
		WaitInCall:              "another call to their number to end",
		WaitAttemptLimit:        "the limit on calls to their number in 24 hours",
		WaitCarrier:             "the carrier",
		WaitCampaignPace:        "the campaign's pace",
		WaitNumberPace:          "the phone number's pace",
		WaitConnectionPace:      "the carrier connection's pace",
		WaitOrganizationPace:    "the organization's pace",
		WaitMessage:             "the message before the call",
	}
	notPlaced = map[string]string{
		string(call.ReasonCarrierUnavailable): "the carrier connection failed",
		string(call.ReasonCarrierBusy):        "too many calls at once for the carrier connection",
		string(call.ReasonNotPlaced):          "the server, or all calling, was stopped before the carrier was asked",
	}
	gone = map[string]string{
		EndedAgent:      "its agent was removed",
		EndedNumber:     "its phone number was removed",
		EndedConnection: "its carrier connection was removed",
	}
)

func unreached(n int) string {
	if n == 0 {
		return ""
	}
	return ". " + people(n) + " " + plural(n, "is", "are") + " not called"
}

func people(n int) string { return grouped(n) + " " + plural(n, "recipient", "recipients") }

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// grouped writes 12855 as 12,855.
func grouped(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// LogResource is an entry of a campaign's log as the API shows it. What does not
// belong to its type is null, and waiting empty.
type LogResource struct {
	ID         uuid.UUID   `json:"id"`
	CampaignID uuid.UUID   `json:"campaign_id"`
	Type       LogType     `json:"type"`
	Actor      LogActor    `json:"actor"`
	Message    string      `json:"message"`
	Reason     *string     `json:"reason"`
	Recipients *int        `json:"recipients"`
	Skipped    *LogSkipped `json:"skipped"`
	Calls      *int        `json:"calls"`
	Waiting    []Waiting   `json:"waiting"`
	Until      *wire.Time  `json:"until"`
	CreatedAt  wire.Time   `json:"created_at"`
	UpdatedAt  wire.Time   `json:"updated_at"`
}

// LogActor is who decided.
type LogActor struct {
	Kind account.ActorKind `json:"kind"`
	Name string            `json:"name"`
}

// LogSkipped is why recipients will not be called.
type LogSkipped struct {
	Duplicate int `json:"duplicate"`
	DoNotCall int `json:"do_not_call"`
}

// Resource converts an entry.
func (e LogEntry) Resource() LogResource {
	d := e.Details
	r := LogResource{
		ID: e.ID, CampaignID: e.CampaignID, Type: e.Type, Actor: LogActor{Kind: e.ActorKind, Name: e.ActorName},
		Message: e.Message(func(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 UTC") }),
		Reason:  orNull(d.Reason), Waiting: waitingResource(d.Waiting), Until: wire.Optional(d.Until),
		CreatedAt: wire.Time(e.CreatedAt), UpdatedAt: wire.Time(e.UpdatedAt),
	}
	switch e.Type {
	case LogCreated, LogRecipientsAdded:
		r.Recipients, r.Skipped = &d.Recipients, &LogSkipped{Duplicate: d.Duplicate, DoNotCall: d.DoNotCall}
	case LogRecipientsSkipped, LogRecipientsExpired, LogCanceled, LogFailed:
		r.Recipients = &d.Recipients
	case LogCallsNotPlaced:
		r.Calls = &d.Calls
	}
	return r
}
