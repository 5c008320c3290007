package calls

import (
	"cmp"
	"strings"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/views/ui"
)

// ReasonWords returns the detail that the outcome alone does not give.
func ReasonWords(c call.Call) string {
	if c.EndedAt == nil {
		return "" // the row shows an intention that is not yet a result
	}
	if callerGone(c) {
		return "the caller hung up"
	}
	switch c.EndedReason {
	case call.ReasonWrongPerson, call.ReasonDeceased, call.ReasonMinor, call.ReasonCallBack, call.ReasonWantsHuman:
		return strings.ToLower(ui.Intent(string(c.EndedReason)))
	case call.ReasonRecipientBusy:
		return strings.ToLower(ui.Intent(string(conversation.Busy)))
	case call.ReasonTransferred:
		return "transferred"
	case call.ReasonHungUp:
		return "hung up early"
	case call.ReasonSaidGoodbye:
		return "said goodbye"
	case call.ReasonOptedOut:
		return "asked not to be called"
	case call.ReasonSilence:
		return "no response"
	case call.ReasonTurnLimit, call.ReasonMaxDuration:
		return "time limit reached"
	case call.ReasonVoicemailMessage:
		return "message left"
	case call.ReasonScreened:
		return "call screener"
	case call.ReasonMenu:
		return "phone menu"
	case call.ReasonEndedByUser:
		return "ended by " + endedByName(c)
	case call.ReasonServerRestart:
		return "interrupted by a server restart"
	case call.ReasonLineFailed:
		return "line failed"
	case call.ReasonModelFailed:
		return "model failed"
	case call.ReasonModelBudget:
		return "model limit reached"
	case call.ReasonRejected:
		return "declined"
	case call.ReasonInvalidNumber:
		return "number not in service"
	case call.ReasonUnreachable:
		return "unreachable"
	case call.ReasonCarrierUnavailable:
		return "carrier unavailable"
	case call.ReasonAccountRefused:
		return "account refused"
	case call.ReasonCountryRefused:
		return "country not permitted"
	case call.ReasonCallerRefused:
		return "calling number refused"
	case call.ReasonCarrierBusy:
		return "carrier busy"
	case call.ReasonNotPlaced:
		return "not placed"
	case call.ReasonNoCapacity:
		return "nobody could take the call"
	case call.ReasonForwarded:
		return "forwarded"
	case call.ReasonNotAccepted:
		return "" // the outcome says it
	case call.ReasonTooManyCalls:
		return "too many calls"
	case call.ReasonCalledBack:
		return "the person called back"
	case call.ReasonNotAllowed:
		return "refused by the pre-dial check"
	case call.ReasonCheckFailed:
		return "pre-dial check failed"
	case call.ReasonCanceledByUser:
		return "canceled by " + endedByName(c)
	case call.ReasonDoNotCall:
		return "on the do-not-call list"
	case call.ReasonNoConsent:
		return "no consent"
	case call.ReasonExpired:
		return "expired"
	case call.ReasonRemoved:
		return "agent, number or connection removed"
	case call.ReasonRefused:
		return "refused by the carrier"
	case call.ReasonCarrierLost:
		return "lost by the carrier"
	}
	return ""
}

// callerGone reports whether the person called and hung up before the call was answered.
func callerGone(c call.Call) bool {
	return c.Direction == call.Inbound && c.AnsweredAt == nil && c.EndedBy == call.ByRecipient
}

func endedByName(c call.Call) string { return *cmp.Or(c.EndedByName(), new("a user")) }

// ShownOutcome returns the outcome of a call as the word of its state. An inbound call that was not accepted is
// canceled by the API's word, but nobody canceled it.
func ShownOutcome(c call.Call) string {
	if c.EndedReason == call.ReasonNotAccepted || c.EndedReason == call.ReasonTooManyCalls {
		return "not_accepted"
	}
	return string(c.Outcome)
}
