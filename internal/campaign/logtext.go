package campaign

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/english"
	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/wire"
)

// Message describes an entry in one English sentence, without actor and time. at
// formats times for the reader.
func (e LogEntry) Message(at func(time.Time) string) string {
	d := e.Details
	switch e.Type {
	case LogCreated:
		text := "Created with " + people(d.Recipients)
		if d.Draft {
			text = "Created as a draft with " + people(d.Recipients)
		}
		if d.Until != nil {
			text += ", scheduled for " + at(*d.Until)
		}
		return text + d.skipped() + d.leftOut() + d.anyway()
	case LogStarted:
		return "Started"
	case LogPaused:
		if d.Reason != "" {
			return "Paused automatically: " + d.Reason
		}
		return "Paused. Calls in progress continue"
	case LogResumed:
		return "Resumed" + d.anyway()
	case LogRecipientsAdded:
		return english.Number(d.Recipients) + " more " + plural(d.Recipients, "recipient", "recipients") +
			" added" + d.skipped() + d.leftOut()
	case LogWaiting:
		return d.waits(at)
	case LogDialing:
		if freed := waitWords[d.Reason].Freed; freed != "" {
			return freed + ". Dialing continues"
		}
		return "Dialing continues"
	case LogRecipientsSkipped:
		if d.NoConsent == 0 && d.NotAllowed == 0 {
			return people(d.Recipients) + " skipped: now on the do-not-call list"
		}
		d.Duplicate = 0
		return people(d.Recipients) + " skipped: " + d.reasons()
	case LogDoNotCallAdded:
		return people(d.Recipients) + " added to the do-not-call list" + d.channels() + d.listed()
	case LogCallsNotPlaced:
		return d.unplaced() + ". " + plural(d.Calls, "It", "They") + " will be retried and " +
			plural(d.Calls, "does not count as an attempt", "do not count as attempts")
	case LogCountryRefused:
		return "The carrier refused calls to " + phone.CountryInText(d.Country) + ": " + d.Reason +
			". " + people(d.Recipients) + " " + plural(d.Recipients, "waits", "wait") +
			" until the campaign is paused and resumed"
	case LogRecipientsExpired:
		return "End time reached. " + people(d.Recipients) + " not reached"
	case LogCompleted:
		if d.Reason == EndedExpired {
			return "Completed: the end time was reached"
		}
		return "Completed: all recipients processed"
	case LogCanceled:
		return "Canceled" + unreached(d.Recipients)
	case LogFailed:
		return "Failed: " + gone[d.Reason] + unreached(d.Recipients)
	case LogBudgetChanged:
		if d.Budget == nil {
			return "Budget removed"
		}
		return "Budget set to " + d.Budget.String()
	case LogScheduled:
		if d.Until == nil {
			return "Draft started" + d.anyway()
		}
		return "Draft scheduled for " + at(*d.Until) + d.anyway()
	case LogChanged:
		return d.changes()
	case LogRecipientsCanceled:
		return people(d.Recipients) + " canceled"
	case LogRecipientsPrioritized:
		return people(d.Recipients) + " moved to the front"
	case LogRecipientsUnprioritized:
		return people(d.Recipients) + " moved back to their place"
	case LogRecipientsUpdated:
		return people(d.Recipients) + " changed"
	}
	return string(e.Type)
}

// anyway says why the campaign starts although its connection was not ready.
func (d LogDetails) anyway() string {
	if d.NotReady == "" {
		return ""
	}
	return ". The connection was not ready for real calls. " + strings.TrimSuffix(d.NotReady, ".") +
		". Started anyway: " + d.Reason
}

// channels says for which channels recipients were put on the do-not-call list.
func (d LogDetails) channels() string {
	switch {
	case d.Messages == 0:
		return " for calls"
	case d.DoNotCall == 0:
		return " for messages"
	case d.DoNotCall == d.Recipients && d.Messages == d.Recipients:
		return " for calls and messages"
	}
	return ": " + english.Number(d.DoNotCall) + " for calls, " + english.Number(d.Messages) + " for messages"
}

// listed says why recipients were put on the do-not-call list.
func (d LogDetails) listed() string {
	var reasons []string
	for _, why := range slices.Sorted(maps.Keys(d.Listed)) {
		words := "opted out"
		if why != OptedOut {
			words = conversation.Intent(why).Words()
			words = strings.ToLower(words[:min(len(words), 1)]) + words[min(len(words), 1):]
		}
		reasons = append(reasons, words+" ("+english.Number(d.Listed[why])+")")
	}
	if len(reasons) == 0 {
		return ""
	}
	return ". " + plural(len(reasons), "Reason", "Reasons") + ": " + strings.Join(reasons, ", ")
}

// unplaced says how many calls were not placed, and the reason if it is known.
func (d LogDetails) unplaced() string {
	calls := english.Number(d.Calls) + " " + plural(d.Calls, "call", "calls")
	if why, known := notPlaced[d.Reason]; known {
		return calls + " could not be placed: " + why
	}
	return calls + " " + plural(d.Calls, "was", "were") + " not placed in time"
}

// skipped says how many recipients of a list will not be called.
func (d LogDetails) skipped() string {
	switch n := d.DoNotCall + d.Duplicate + d.NoConsent; n {
	case 0:
		return ""
	case d.DoNotCall:
		return ". " + english.Number(n) + " skipped: on the do-not-call list"
	case d.Duplicate:
		return ". " + english.Number(n) + " skipped: " + plural(n, "duplicate", "duplicates")
	default:
		return ". " + english.Number(n) + " skipped: " + d.reasons()
	}
}

// leftOut says how many rows of the list are no recipients.
func (d LogDetails) leftOut() string {
	if d.LeftOut == 0 {
		return ""
	}
	return ". " + english.Number(d.LeftOut) + plural(d.LeftOut, " row", " rows") + " of the list had errors and " +
		plural(d.LeftOut, "was", "were") + " left out"
}

// reasons says why recipients were skipped, and how many of them.
func (d LogDetails) reasons() string {
	var parts []string
	if d.DoNotCall > 0 {
		parts = append(parts, english.Number(d.DoNotCall)+" on the do-not-call list")
	}
	if d.Duplicate > 0 {
		parts = append(parts, english.Number(d.Duplicate)+" "+plural(d.Duplicate, "duplicate", "duplicates"))
	}
	if d.NotAllowed > 0 {
		parts = append(parts, english.Number(d.NotAllowed)+" refused by the pre-dial check")
	}
	if d.NoConsent > 0 {
		parts = append(parts, english.Number(d.NoConsent)+" without consent")
	}
	return strings.Join(parts, ", ")
}

// waits says what a campaign waits for.
func (d LogDetails) waits(at func(time.Time) string) string {
	if len(d.Waiting) == 0 {
		return "No recipient is due"
	}
	if d.Until == nil { // a limit: its reason has no time
		for _, w := range d.Waiting {
			if text := w.Words().Reached; text != "" {
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
		parts[i] = english.Number(w.Recipients) + " for " + w.Words().Awaited
	}
	text := "Waiting: " + strings.Join(parts, ", ")
	switch {
	case d.Ends != nil:
		text += ". No call is made before calls end at " + at(*d.Ends)
	case d.Until != nil:
		text += ". Next call at " + at(*d.Until)
	}
	return text
}

var (
	notPlaced = map[string]string{
		string(call.ReasonCarrierUnavailable): "the carrier connection failed",
		string(call.ReasonAccountRefused):     "the carrier refused the account",
		string(call.ReasonCallerRefused):      "the carrier refused the calling number",
		string(call.ReasonCarrierBusy):        "the carrier connection had too many calls at once",
		string(call.ReasonCheckFailed):        "the pre-dial check failed",
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
	return ". " + people(n) + " " + "will not be called"
}

func people(n int) string { return english.Number(n) + " " + plural(n, "recipient", "recipients") }

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// LogResource is an entry of a campaign's log in the API. Fields that do not apply to
// its type are null, except waiting, which is empty.
type LogResource struct {
	ID         uuid.UUID   `json:"id"`
	CampaignID uuid.UUID   `json:"campaign_id"`
	Type       LogType     `json:"type"`
	Actor      LogActor    `json:"actor"`
	Message    string      `json:"message"`
	Reason     *string     `json:"reason"`
	Country    *string     `json:"country"`
	Recipients *int        `json:"recipients"`
	Skipped    *LogSkipped `json:"skipped"`
	Calls      *int        `json:"calls"`
	Waiting    []Waiting   `json:"waiting"`
	Until      *wire.Time  `json:"until"`
	CreatedAt  wire.Time   `json:"created_at"`
	UpdatedAt  wire.Time   `json:"updated_at"`
}

// LogActor is the actor who made the decision.
type LogActor struct {
	Kind account.ActorKind `json:"kind"`
	Name string            `json:"name"`
}

// LogSkipped counts the recipients who will not be called, by reason.
type LogSkipped struct {
	Duplicate int `json:"duplicate"`
	NoConsent int `json:"no_consent"`
	DoNotCall int `json:"do_not_call"`
}

// Resource converts an entry.
func (e LogEntry) Resource() LogResource {
	d := e.Details
	r := LogResource{
		ID: e.ID, CampaignID: e.CampaignID, Type: e.Type, Actor: LogActor{Kind: e.ActorKind, Name: e.ActorName},
		Message: e.Message(func(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 UTC") }),
		Reason:  postgres.OrNull(d.Reason), Country: postgres.OrNull(d.Country),
		Waiting: waitingResource(d.Waiting), Until: wire.Optional(d.Until),
		CreatedAt: wire.Time(e.CreatedAt), UpdatedAt: wire.Time(e.UpdatedAt),
	}
	switch e.Type {
	case LogCreated, LogRecipientsAdded:
		r.Recipients, r.Skipped = &d.Recipients, &LogSkipped{
			Duplicate: d.Duplicate, NoConsent: d.NoConsent, DoNotCall: d.DoNotCall,
		}
	case LogRecipientsSkipped, LogDoNotCallAdded, LogCountryRefused, LogRecipientsExpired, LogCanceled, LogFailed,
		LogRecipientsCanceled, LogRecipientsPrioritized, LogRecipientsUnprioritized, LogRecipientsUpdated:
		r.Recipients = &d.Recipients
	case LogCallsNotPlaced:
		r.Calls = &d.Calls
	}
	return r
}
