package campaign

import "cmp"

// WaitWords are the texts for a reason why recipients wait. The table waitWords has an
// entry for every reason, so that the pages, the API and the log agree.
type WaitWords struct {
	Line    string // follows "waits" or "wait" on the campaign's page
	Call    string // follows "This call waits", for a call of its own; empty: Line does, unless Never
	Never   bool   // no call of its own waits for this
	Awaited string // follows "12 for" in the campaign's log
	Reached string // of a limit: the log entry for reaching it
	Freed   string // of a limit: the log entry for the end of the wait
	Cause   Cause
	Moment  bool // Line is followed by Until, if it is known
}

// Cause groups reasons by what a person can change.
type Cause int

// Values of Cause.
const (
	CauseRecipient Cause = iota // the recipient's own calling hours and calls
	CauseStart                  // the campaign has not started, or may not dial
	CauseConcurrency
	CausePace
	CauseCarrierPace // a pace, or a pause that the carrier asked for
	CauseCarrier
)

// Words returns the texts for the reason. A test checks that every reason has texts.
func (w Waiting) Words() WaitWords { return waitWords[w.Reason] }

// OfCall returns what follows "This call waits" for a call of its own, which no campaign and no other recipient
// concerns. It is empty for a reason for which no such call waits: its carrier is asked about every country, and nobody
// pauses it.
func (w WaitWords) OfCall() string {
	if w.Never {
		return ""
	}
	return cmp.Or(w.Call, w.Line)
}

var waitWords = map[string]WaitWords{
	WaitScheduled: {
		Line:    "for the start",
		Call:    "for its time",
		Awaited: "the start",
		Cause:   CauseStart,
		Moment:  true,
	},
	WaitCallingHours: {
		Line:    "for their calling hours",
		Call:    "for its calling hours",
		Awaited: "their calling hours",
		Moment:  true,
	},
	WaitCallingHoursProject: {
		Line:    "for the project's calling hours because their number does not reveal a time zone",
		Call:    "for the project's calling hours because the number does not reveal a time zone",
		Awaited: "the project's calling hours",
		Moment:  true,
	},
	WaitCallingRules: {
		Line:    "for the hours and days on which their place allows calls",
		Call:    "for the hours and days on which the number's place allows calls",
		Awaited: "the hours and days on which their place allows calls",
		Moment:  true,
	},
	WaitRetry: {
		Line:    "for their next attempt",
		Call:    "for the delay after the last attempt",
		Awaited: "their next attempt",
		Moment:  true,
	},
	WaitCallBack: {
		Line:    "for the requested call-back, within their calling hours",
		Call:    "for the requested call-back, within its calling hours",
		Awaited: "the requested call-back",
		Moment:  true,
	},
	WaitInCall: {
		Line:    "because their number is in another call",
		Call:    "because the number is in another call",
		Awaited: "another call to their number to end",
		Moment:  true,
	},
	WaitAttemptLimit: {
		Line:    "because their number reached a limit of calls",
		Call:    "because the number reached a limit of calls",
		Awaited: "the limit of calls to their number",
		Moment:  true,
	},
	WaitCarrier: {
		Line:    "because the carrier could not place the call",
		Awaited: "the carrier",
		Cause:   CauseCarrier,
		Moment:  true,
	},
	WaitMessage: {
		Line:    "for the message before their call",
		Call:    "for the message before it",
		Awaited: "the message before their call",
	},
	WaitCountry: {
		Line:    "because the carrier account does not permit calls to their country",
		Never:   true,
		Awaited: "the carrier account to permit calls to their country",
		Cause:   CauseCarrier,
	},
	WaitPreDialCheck: {
		Line:    "because the pre-dial check of your organization failed",
		Awaited: "the pre-dial check to succeed",
		Reached: "The pre-dial check fails. It is asked about one call at a time until it succeeds",
		Freed:   "The pre-dial check succeeds again",
		Moment:  true,
	},
	WaitProbing: {
		Line:    "because earlier calls failed: calls are placed one at a time until one works",
		Awaited: "a call that works",
		Reached: "Earlier calls failed. Calls are placed one at a time until one works",
		Freed:   "A call works again",
		Cause:   CauseCarrier,
	},
	WaitCampaignConcurrency: {
		Line:    "because this campaign has reached its limit of simultaneous calls",
		Call:    "because calls with the same settings have reached the limit of simultaneous calls",
		Awaited: "a free slot among the campaign's simultaneous calls",
		Cause:   CauseConcurrency,
	},
	WaitNumberConcurrency: {
		Line:    "because the phone number has reached its limit of simultaneous calls",
		Awaited: "a free slot of the phone number",
		Reached: "The phone number has reached its limit of simultaneous calls",
		Freed:   "The phone number can take more calls",
		Cause:   CauseConcurrency,
	},
	WaitConnectionConcurrency: {
		Line:    "because the carrier connection has reached its limit of simultaneous calls",
		Awaited: "a free slot of the carrier connection",
		Reached: "The carrier connection has reached its limit of simultaneous calls",
		Freed:   "The carrier connection can take more calls",
		Cause:   CauseConcurrency,
	},
	WaitOrganizationConcurrency: {
		Line:    "because your organization has reached its limit of simultaneous calls",
		Awaited: "a free slot of the organization",
		Reached: "The organization has reached its limit of simultaneous calls",
		Freed:   "The organization can take more calls",
		Cause:   CauseConcurrency,
	},
	WaitModelStreams: {
		Line:    "because the connection of the agent's language model has no free stream",
		Awaited: "a free stream of the agent's language model",
		Reached: "Every stream of the agent's language model is in use",
		Freed:   "The agent's language model has a free stream",
		Cause:   CauseConcurrency,
	},
	WaitBudget: {
		Line:    "because your organization has reached its budget for this month",
		Awaited: "the next month or a larger budget",
		Reached: "The organization has reached its budget for this month",
		Freed:   "The budget allows more calls",
		Cause:   CauseConcurrency,
	},
	WaitModelBudget: {
		Line:    "because your organization has reached its daily limit of language models",
		Awaited: "the daily limit of language models",
		Reached: "The organization has reached its daily limit of language models",
		Freed:   "The daily limit of language models allows more calls",
		Cause:   CauseConcurrency,
		Moment:  true,
	},
	WaitCampaignPace: {
		Line:    "because of this campaign's pace",
		Call:    "because of the pace of calls with the same settings",
		Awaited: "the campaign's pace",
		Cause:   CausePace,
		Moment:  true,
	},
	WaitNumberPace: {
		Line:    "because of the phone number's pace",
		Awaited: "the phone number's pace",
		Cause:   CausePace,
		Moment:  true,
	},
	WaitConnectionPace: {
		Line:    "because of the carrier connection's pace",
		Awaited: "the carrier connection's pace",
		Cause:   CauseCarrierPace,
		Moment:  true,
	},
	WaitOrganizationPace: {
		Line:    "because of your organization's pace",
		Awaited: "the organization's pace",
		Cause:   CausePace,
		Moment:  true,
	},
	WaitNumberPool: {
		Line:    "because every number of the pool rests or has reached its daily limit",
		Awaited: "a number of the pool that may call",
		Reached: "Every number of the pool rests or has reached its daily limit",
		Freed:   "The numbers of the pool can call again",
		Cause:   CausePace,
		Moment:  true,
	},
	WaitPaused: {
		Line:    "because the campaign is paused",
		Never:   true,
		Awaited: "the campaign to be resumed",
		Cause:   CauseStart,
	},
	WaitCallingStopped: {
		Line:    "because all calling is stopped",
		Awaited: "calling to be allowed again",
		Reached: "All calling is stopped",
		Freed:   "Calling is allowed again",
		Cause:   CauseStart,
	},
}
