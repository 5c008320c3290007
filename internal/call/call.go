package call

import (
	"cmp"
	"encoding/json"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/predial"
)

// Status is the state of a call: scheduled → queued → ringing → in_progress → a terminal state. A call
// may skip states. It never returns to an earlier state.
type Status string

const (
	// StatusScheduled: a call of its own waits for its time, its calling hours or its turn.
	StatusScheduled Status = "scheduled"

	Queued     Status = "queued"
	Ringing    Status = "ringing"
	InProgress Status = "in_progress"

	Completed Status = "completed"
	Busy      Status = "busy"
	NoAnswer  Status = "no_answer"
	Failed    Status = "failed"
	Canceled  Status = "canceled"
)

// Terminal reports whether a call in this state has ended.
func (s Status) Terminal() bool {
	return s != StatusScheduled && s != Queued && s != Ringing && s != InProgress
}

// Statuses are all statuses, in the order of a call's life.
var Statuses = []Status{StatusScheduled, Queued, Ringing, InProgress, Completed, Busy, NoAnswer, Failed, Canceled}

// Direction is who called whom.
type Direction string

const (
	Outbound Direction = "outbound"
	Inbound  Direction = "inbound" // a person called a number of the organization
)

// Directions are both directions.
var Directions = []Direction{Outbound, Inbound}

// Outcome is how a call ended. It is empty until then.
type Outcome string

const (
	OutcomeCompleted Outcome = "completed" // the agent talked to a person, or detection found no machine
	OutcomeNoAnswer  Outcome = "no_answer"
	OutcomeVoicemail Outcome = "voicemail" // a machine answered, with or without a message left
	OutcomeBusy      Outcome = "busy"
	OutcomeFailed    Outcome = "failed"
	OutcomeCanceled  Outcome = "canceled"
)

// Outcomes are all outcomes.
var Outcomes = []Outcome{
	OutcomeCompleted, OutcomeNoAnswer, OutcomeVoicemail, OutcomeBusy, OutcomeFailed, OutcomeCanceled,
}

// AnsweredBy is the result of machine detection. It is empty while the result is unknown.
type AnsweredBy string

const (
	Human   AnsweredBy = "human"
	Machine AnsweredBy = "machine"
	Unknown AnsweredBy = "unknown" // detection found no result
)

// Answerers are all results of machine detection.
var Answerers = []AnsweredBy{Human, Machine, Unknown}

// Party is the side that ended a call.
type Party string

const (
	ByAgent     Party = "agent"
	ByRecipient Party = "recipient"
	BySystem    Party = "system" // this product, or one of its users
	ByCarrier   Party = "carrier"
)

// Reason says why a call ended. The set is closed and part of the API.
type Reason string

const (
	// Reasons of calls that were answered.
	ReasonCompleted Reason = "completed" // the script was completed
	// the recipient said goodbye first, and the agent answered it; or opted out, and withheld the number
	ReasonSaidGoodbye      Reason = "said_goodbye"
	ReasonHungUp           Reason = "recipient_hung_up"      // the recipient hung up before the end of the script
	ReasonOptedOut         Reason = "opted_out"              // the recipient asked not to be called again
	ReasonSilence          Reason = "silence"                // the recipient said nothing
	ReasonTurnLimit        Reason = "turn_limit"             // the conversation had more turns than the script can need
	ReasonMaxDuration      Reason = "max_duration"           // the call reached max_duration_seconds
	ReasonVoicemail        Reason = "voicemail"              // a machine answered; no message was left
	ReasonVoicemailMessage Reason = "voicemail_message_left" // a machine answered and the message was left
	// a call screener answered and did not put the call through
	ReasonScreened      Reason = "screened"
	ReasonMenu          Reason = "menu"           // a phone menu answered, and nobody behind it
	ReasonWrongPerson   Reason = "wrong_person"   // a person answered who is not the recipient
	ReasonDeceased      Reason = "deceased"       // a person said that the recipient has died
	ReasonMinor         Reason = "minor"          // a child answered
	ReasonRecipientBusy Reason = "recipient_busy" // the recipient had no time to talk
	ReasonCallBack      Reason = "call_back"      // the recipient asked for a call at another time
	ReasonWantsHuman    Reason = "wants_human"    // the recipient asked to talk to a person
	ReasonTransferred   Reason = "transferred"    // the agent connected the recipient with a person
	ReasonEndedByUser   Reason = "ended_by_user"  // a user ended the call, perhaps before it was answered
	// no language model answered, or it refused to; the agent had no question that it could ask without one
	ReasonModelFailed Reason = "model_failed"
	// the language model used all that one call may use
	ReasonModelBudget Reason = "model_budget"
	// the process that owned the line died, and no other process took over the line in time
	ReasonServerRestart Reason = "server_restart"
	ReasonLineFailed    Reason = "line_failed" // the call was answered, but the conversation could not take place

	// the caller heard that nobody can talk now, because a limit of simultaneous calls is reached or calling is stopped
	ReasonNoCapacity Reason = "no_capacity"
	ReasonForwarded  Reason = "forwarded" // the caller was connected to another number

	// Reasons of calls that were not answered.
	ReasonNotAccepted   Reason = "not_accepted"   // an inbound call: the number takes no calls now
	ReasonTooManyCalls  Reason = "too_many_calls" // an inbound call beyond the pace; later ones are not stored
	ReasonBusy          Reason = "busy"
	ReasonNoAnswer      Reason = "no_answer"      // rang for ring_timeout_seconds
	ReasonRejected      Reason = "rejected"       // the recipient or the recipient's network rejected the call
	ReasonInvalidNumber Reason = "invalid_number" // the number does not exist
	ReasonUnreachable   Reason = "unreachable"    // the network could not reach the number
	ReasonCanceled      Reason = "canceled"       // canceled at the carrier, not by this product

	// The carrier could not place the call. No phone rang, and the call does not count as
	// an attempt.
	ReasonCarrierUnavailable Reason = "carrier_unavailable" // the carrier could not be reached, or failed
	ReasonAccountRefused     Reason = "account_refused"     // the carrier accepts no call of the account
	ReasonCountryRefused     Reason = "country_refused"     // the account may not call this country
	ReasonCallerRefused      Reason = "caller_refused"      // the carrier does not accept the calling number
	ReasonCarrierBusy        Reason = "carrier_busy"        // too many simultaneous calls for the connection
	// the call was not requested from the carrier: the claim expired, calling was stopped, or the
	// number opted out
	ReasonNotPlaced   Reason = "not_placed"
	ReasonNotAllowed  Reason = "not_allowed"  // the pre-dial check of the organization refused the call
	ReasonCheckFailed Reason = "check_failed" // the pre-dial check failed, so the call was not dialed

	// Reasons of scheduled calls that ended before they were claimed.
	ReasonCanceledByUser Reason = "canceled_by_user"
	ReasonDoNotCall      Reason = "do_not_call" // the number is on the do-not-call list since
	ReasonNoConsent      Reason = "no_consent"  // the consent does not hold, and the organization requires one
	ReasonExpired        Reason = "expired"     // expires_at was reached
	ReasonCalledBack     Reason = "called_back" // the recipient called us meanwhile, and answered
	ReasonRemoved        Reason = "removed"     // the agent, the phone number or the connection was removed

	ReasonRefused     Reason = "refused"      // the carrier does not call this number
	ReasonCarrierLost Reason = "carrier_lost" // unknown: the carrier has no record of a call that it may have placed
)

// Reasons are all reasons, in the order of the documentation.
var Reasons = []Reason{
	ReasonCompleted, ReasonSaidGoodbye, ReasonHungUp, ReasonOptedOut, ReasonSilence, ReasonTurnLimit, ReasonMaxDuration,
	ReasonVoicemail, ReasonVoicemailMessage, ReasonScreened, ReasonMenu, ReasonWrongPerson, ReasonDeceased, ReasonMinor,
	ReasonRecipientBusy, ReasonCallBack, ReasonWantsHuman, ReasonTransferred, ReasonEndedByUser, ReasonServerRestart,
	ReasonLineFailed, ReasonModelFailed, ReasonModelBudget, ReasonNoCapacity, ReasonForwarded, ReasonNotAccepted,
	ReasonTooManyCalls, ReasonBusy, ReasonNoAnswer, ReasonRejected, ReasonInvalidNumber, ReasonUnreachable,
	ReasonCanceled,
	ReasonCarrierUnavailable, ReasonAccountRefused, ReasonCountryRefused, ReasonCallerRefused, ReasonCarrierBusy,
	ReasonNotPlaced, ReasonNotAllowed, ReasonCheckFailed, ReasonCanceledByUser, ReasonDoNotCall, ReasonNoConsent,
	ReasonExpired, ReasonRemoved, ReasonCalledBack, ReasonRefused, ReasonCarrierLost,
}

// NotPlacedReasons are the reasons with which it is certain that no phone rang, and that the
// recipient's phone is not the cause.
var NotPlacedReasons = []Reason{
	ReasonCarrierUnavailable, ReasonAccountRefused, ReasonCountryRefused, ReasonCallerRefused, ReasonCarrierBusy,
	ReasonNotPlaced, ReasonNotAllowed, ReasonCheckFailed, ReasonCanceledByUser, ReasonDoNotCall, ReasonNoConsent,
	ReasonExpired, ReasonRemoved, ReasonCalledBack,
}

// NotPlaced reports whether it is certain that no phone rang. A call that was not placed does not
// count as an attempt, so the recipient may be called again unless the pre-dial check refused it.
func (r Reason) NotPlaced() bool { return slices.Contains(NotPlacedReasons, r) }

// ByMachine reports whether the line ended the call because a machine answered.
func (r Reason) ByMachine() bool {
	return r == ReasonVoicemail || r == ReasonVoicemailMessage || r == ReasonScreened || r == ReasonMenu
}

// VoicemailAction is what the agent does when a machine answers.
type VoicemailAction string

const (
	HangUp       VoicemailAction = "hang_up"
	LeaveMessage VoicemailAction = "leave_message"
)

// DefaultDetection is the detection of machines that fits an action.
func DefaultDetection(action VoicemailAction) carrier.DetectionMode {
	if action == LeaveMessage {
		return carrier.DetectBeep
	}
	return carrier.DetectFast
}

// Call is a call as it is stored. A pointer is nil, and a typed string is empty, until the value
// exists.
type Call struct {
	ID               uuid.UUID
	OrganizationID   uuid.UUID
	ProjectID        uuid.UUID
	CampaignID       *uuid.UUID
	RecipientID      *uuid.UUID
	Direction        Direction
	Attempt          int
	LastCallID       *uuid.UUID // of an inbound call: the call with the person before it; nil: none, or not known
	AgentID          *uuid.UUID // nil: an inbound call without an agent
	AgentVersion     *int       // nil: the draft, or the call is older than versions
	AgentName        *string    // with which it speaks; nil: no agent
	PhoneNumberID    uuid.UUID
	ConnectionID     uuid.UUID
	Carrier          string
	CarrierCallID    *string
	OwnNumber        string // of the organization, whoever called
	PersonNumber     string // of the person, whoever called; empty: withheld, or erased
	NumberWithheld   bool   // the caller withheld the number
	RecipientName    string
	Status           Status
	Outcome          Outcome
	EndedReason      Reason // on a live call: why the call is about to end
	EndedBy          Party
	HangUpBy         *string // the name of the user or key that asked for the end; nil: nobody did, or an older call
	AnsweredBy       AnsweredBy
	Detail           string  // the carrier's or the pre-dial check's description of the end; users may see it
	CarrierCode      *string // the carrier's code for the end
	CallReason       *string // sent to the carrier with the call; nil: none
	StirAttestation  *carrier.Attestation
	ConsentBasis     *string // nil: unknown
	ConsentAt        *time.Time
	ConsentSource    *string
	ConsentExpiresAt *time.Time
	Variables        json.RawMessage
	Metadata         json.RawMessage
	Record           bool // the carrier was asked to record the call
	RecordingID      *string
	Analysis         *Analysis
	Transfer         *Transfer       // the last one; nil: none
	Resumes          *Resumed        // of an inbound call: whose open questions it asked; nil: nobody's
	ForwardedTo      *string         // of an inbound call: the number at which it was to ring, E.164; nil: none
	PreDialCheck     *predial.Answer // nil: no check was asked
	HoursDecision    *HoursDecision  `db:"calling_hours_decision"` // nil: the call is older than the column
	TranscriptText   string          // set when the call ends
	CreatedAt        time.Time
	ChangedAt        time.Time  // updated_at in the API
	StartedAt        *time.Time // the carrier accepted the call
	RingingAt        *time.Time
	AnsweredAt       *time.Time
	EndedAt          *time.Time
	HangUpAt         *time.Time // when the end of the call was requested

	RecordingDueAt     *time.Time // nil: the recording has arrived, or none is expected
	RecordingRemovedAt *time.Time

	ExternalID  *string    // of the recipient; nil also for older calls
	FirstCallID *uuid.UUID // of a call of its own: the call that was requested, of which this is an attempt
	NextCallID  *uuid.UUID // of a call of its own: the next attempt
	DueAt       *time.Time // of a scheduled call: when it may be placed; or could have been, if it never was
	ExpiresAt   *time.Time `db:"-"` // of a scheduled call
	Waiting     *Waiting   `db:"-"` // of a scheduled call; nil: it is about to be placed

	CostAmount   *string // an exact decimal; nil: not known
	CostCurrency *string
	CostParts    []CostPart

	Snippet []Segment `db:"-"` // the matching part of the transcript; only in the results of a search
}

// columns are the columns of Call. Until a call is placed, its agent's name is the one of now.
const columns = `
	id, organization_id, project_id, campaign_id, recipient_id, direction, attempt, last_call_id, agent_id,
	(select number from agent_version where agent_version.id = agent_version_id) as agent_version,
	coalesce(agent_name, (select name from agent where agent.id = agent_id)) as agent_name,
	phone_number_id, connection_id,
	carrier, carrier_call_id, own_number, person_number, number_withheld,
	recipient_name, status, coalesce(outcome, '') as outcome,
	coalesce(ended_reason, '') as ended_reason, coalesce(ended_by, '') as ended_by, hang_up_by,
	coalesce(answered_by, '') as answered_by, detail, carrier_code, call_reason, stir_attestation,
	consent_basis, consent_at, consent_source,
	consent_expires_at, variables, metadata,
	record,
	recording_id, analysis, ` + sqlTransfer + ` as transfer, ` + sqlResumed + ` as resumes,
	case when reception ->> 'action' = 'forward' or (reception -> 'forwarded')::boolean
		then reception ->> 'forward_to' end as forwarded_to, pre_dial_check, calling_hours_decision, transcript_text,
	created_at, started_at, ringing_at, answered_at, ended_at, hang_up_at, recording_due_at, recording_removed_at,
	external_id, first_call_id, next_call_id, due_at, changed_at,
	trim_scale(cost)::text as cost_amount, cost_currency, cost_parts`

// Missing says why a call has no number of the person.
type Missing string

const (
	NumberWithheld Missing = "withheld" // the caller withheld it
	NumberErased   Missing = "erased"   // the person was erased
)

// MissingNumber says why PersonNumber is empty. It is empty if there is a number.
func (c Call) MissingNumber() Missing {
	switch {
	case c.PersonNumber != "":
		return ""
	case c.NumberWithheld:
		return NumberWithheld
	}
	return NumberErased
}

// From is the number that called.
func (c Call) From() string {
	if c.Direction == Inbound {
		return c.PersonNumber
	}
	return c.OwnNumber
}

// EndedByName is the name of the user or key that ended or canceled the call; nil if nobody did, or it is not known.
func (c Call) EndedByName() *string {
	if c.EndedAt != nil && (c.EndedReason == ReasonEndedByUser || c.EndedReason == ReasonCanceledByUser) {
		return postgres.OrNull(*cmp.Or(c.HangUpBy, new(string)))
	}
	return nil
}

// To is the number that was called.
func (c Call) To() string {
	if c.Direction == Inbound {
		return c.OwnNumber
	}
	return c.PersonNumber
}

// RingTime is how long the phone rang. It is 0 while the phone rings, and if the carrier
// reported no ringing.
func (c Call) RingTime() time.Duration {
	end := c.AnsweredAt
	if end == nil {
		end = c.EndedAt
	}
	if c.RingingAt == nil || end == nil {
		return 0
	}
	return max(end.Sub(*c.RingingAt), 0)
}

// TalkTime is the time between answer and end, by the product's clock. It is 0 for a live call and
// for a call that was not answered.
func (c Call) TalkTime() time.Duration {
	if c.AnsweredAt == nil || c.EndedAt == nil {
		return 0
	}
	return max(c.EndedAt.Sub(*c.AnsweredAt), 0)
}

// Role is the speaker of a turn.
type Role string

const (
	Agent     Role = "agent"
	Recipient Role = "recipient"
	System    Role = "system" // a pressed key, a note, a used tool, a transfer, or who ended the call
)

// PressedKey begins the text of a System turn for a key that the recipient pressed.
const PressedKey = "Pressed "

// Turn is one utterance as it was heard. The text of an agent's turn is the text that was played.
type Turn struct {
	Index       int
	Role        Role
	Text        string
	StartMS     *int // since the call was answered, also of a note; nil: not reported by the carrier, or not speech
	EndMS       *int
	Interrupted bool // not played to the end
	CreatedAt   time.Time
	Timing      *Timing // of a model's answer to the recipient; nil: it is none, or its times are not known
}

// Timing is how long the answer of a language model took, in milliseconds since the recipient's words arrived at this
// process.
type Timing struct {
	RequestMS    int  `json:"request_ms"`     // the request was sent
	FirstTokenMS int  `json:"first_token_ms"` // the first part of the answer arrived
	FirstSentMS  int  `json:"first_sent_ms"`  // the first words were sent to the carrier
	SpeakingMS   *int `json:"speaking_ms"`    // the carrier reported that they are spoken; nil: it did not report it

	// ToolMS is the part of RequestMS that earlier requests took, with the tools that the model called in them.
	ToolMS int `json:"tool_ms"`
	// OwnMS is the share of this process in FirstSentMS: until requests are sent, and from the first words that can be
	// spoken until they are sent.
	OwnMS        int       `json:"own_ms"`
	ConnectionID uuid.UUID `json:"connection_id"` // of the model that answered
	Hedged       bool      `json:"hedged"`        // another connection was asked too
}

// turnColumns are the columns of Turn.
const turnColumns = `index, role, text, start_ms, end_ms, interrupted, created_at, timing`
