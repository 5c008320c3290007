package call

import (
	"encoding/json"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/conversation"
)

// Status is how far a call has come: queued → ringing → in_progress → one of
// the terminal ones. Steps may be left out, none is ever taken back.
type Status string

const (
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
func (s Status) Terminal() bool { return s != Queued && s != Ringing && s != InProgress }

// Statuses are all of them, in the order of a call's life.
var Statuses = []Status{Queued, Ringing, InProgress, Completed, Busy, NoAnswer, Failed, Canceled}

// Outcome is what a call came to; empty until it has ended.
type Outcome string

const (
	OutcomeCompleted Outcome = "completed" // talked to a human, or to somebody nobody could tell from one
	OutcomeNoAnswer  Outcome = "no_answer"
	OutcomeVoicemail Outcome = "voicemail" // answered by a machine, message left or not
	OutcomeBusy      Outcome = "busy"
	OutcomeFailed    Outcome = "failed"
	OutcomeCanceled  Outcome = "canceled"
)

// Outcomes are all of them.
var Outcomes = []Outcome{OutcomeCompleted, OutcomeNoAnswer, OutcomeVoicemail, OutcomeBusy, OutcomeFailed, OutcomeCanceled}

// AnsweredBy is the result of machine detection; empty while it is not known.
type AnsweredBy string

const (
	Human   AnsweredBy = "human"
	Machine AnsweredBy = "machine"
	Unknown AnsweredBy = "unknown" // detection ran and could not tell
)

// Answerers are all results of machine detection.
var Answerers = []AnsweredBy{Human, Machine, Unknown}

// Party is who ended a call.
type Party string

const (
	ByAgent     Party = "agent"
	ByRecipient Party = "recipient"
	BySystem    Party = "system" // this product, or a person who works with it
	ByCarrier   Party = "carrier"
)

// Reason says why a call ended. The set is closed and part of the API.
type Reason string

const (
	// The call was answered.
	ReasonCompleted        Reason = "completed"              // the conversation came to its end
	ReasonSaidGoodbye      Reason = "said_goodbye"           // the recipient said goodbye before that, and so did the agent
	ReasonHungUp           Reason = "recipient_hung_up"      // the recipient hung up before it did
	ReasonOptedOut         Reason = "opted_out"              // the recipient asked not to be called again
	ReasonSilence          Reason = "silence"                // the recipient said nothing
	ReasonTurnLimit        Reason = "turn_limit"             // more went to and fro than the script can need
	ReasonMaxDuration      Reason = "max_duration"           // max_duration_seconds were over
	ReasonVoicemail        Reason = "voicemail"              // a machine answered; no message was left
	ReasonVoicemailMessage Reason = "voicemail_message_left" // a machine answered and the message was left
	ReasonEndedByUser      Reason = "ended_by_user"          // somebody ended it by hand; also before it was answered
	ReasonServerRestart    Reason = "server_restart"         // the process that held the conversation died, and none took it over in time
	ReasonLineFailed       Reason = "line_failed"            // answered, but the conversation could not be held

	// It was not.
	ReasonBusy          Reason = "busy"
	ReasonNoAnswer      Reason = "no_answer"      // rang for ring_timeout_seconds
	ReasonRejected      Reason = "rejected"       // turned down by the recipient or the recipient's network
	ReasonInvalidNumber Reason = "invalid_number" // there is no such number
	ReasonUnreachable   Reason = "unreachable"    // the network could not reach it
	ReasonCanceled      Reason = "canceled"       // canceled at the carrier, not by us

	// The carrier was never able to call; nothing rang, and it does not count
	// as an attempt.
	ReasonCarrierUnavailable Reason = "carrier_unavailable" // the connection failed: network, credentials, calling number
	ReasonCarrierBusy        Reason = "carrier_busy"        // too many calls at once for the connection
	ReasonNotPlaced          Reason = "not_placed"          // the carrier was never asked: whoever claimed it stopped, or all calling was stopped, or the number listed

	ReasonRefused     Reason = "refused"      // the carrier does not call this number
	ReasonCarrierLost Reason = "carrier_lost" // nobody knows: the carrier has no record of a call that it may have placed
)

// Reasons are all of them, as documented.
var Reasons = []Reason{
	ReasonCompleted, ReasonSaidGoodbye, ReasonHungUp, ReasonOptedOut, ReasonSilence, ReasonTurnLimit, ReasonMaxDuration,
	ReasonVoicemail, ReasonVoicemailMessage, ReasonEndedByUser, ReasonServerRestart, ReasonLineFailed,
	ReasonBusy, ReasonNoAnswer, ReasonRejected, ReasonInvalidNumber, ReasonUnreachable, ReasonCanceled,
	ReasonCarrierUnavailable, ReasonCarrierBusy, ReasonNotPlaced, ReasonRefused, ReasonCarrierLost,
}

// NotPlaced reports whether it is certain that no phone was asked to ring, so
// that the attempt is given back and the recipient may be tried again.
func (r Reason) NotPlaced() bool {
	return r == ReasonCarrierUnavailable || r == ReasonCarrierBusy || r == ReasonNotPlaced
}

// VoicemailAction is what is done when a machine answers.
type VoicemailAction string

const (
	HangUp       VoicemailAction = "hang_up"
	LeaveMessage VoicemailAction = "leave_message"
)

// Call is a row as it is read. Pointers are nil, and typed strings empty,
// where there is nothing yet.
type Call struct {
	ID             uuid.UUID
	OrganizationID uuid.UUID
	ProjectID      uuid.UUID
	CampaignID     *uuid.UUID
	RecipientID    *uuid.UUID
	Attempt        int
	AgentID        uuid.UUID
	PhoneNumberID  uuid.UUID
	ConnectionID   uuid.UUID
	Carrier        string
	CarrierCallID  *string
	FromNumber     string
	ToNumber       string
	RecipientName  string
	Status         Status
	Outcome        Outcome
	EndedReason    Reason // while the call is up: why we are about to end it
	EndedBy        Party
	AnsweredBy     AnsweredBy
	Detail         string  // the carrier's words for the end, fit to be shown
	ConsentBasis   *string // on what ground the recipient was called; nil: not known
	ConsentAt      *time.Time
	Variables      json.RawMessage
	Metadata       json.RawMessage
	Record         bool // the carrier was to record it
	RecordingID    *string
	Analysis       *conversation.Analysis
	TranscriptText string // set when the call ends
	CreatedAt      time.Time
	StartedAt      *time.Time // the carrier accepted it
	RingingAt      *time.Time
	AnsweredAt     *time.Time
	EndedAt        *time.Time
	HangUpAt       *time.Time // somebody asked to end it

	RecordingDueAt     *time.Time // nil: its recording is there, or not waited for
	RecordingRemovedAt *time.Time

	Snippet []Segment `db:"-"` // where the transcript matches, only in the results of a search
}

// columns of Call.
const columns = `
	id, organization_id, project_id, campaign_id, recipient_id, attempt, agent_id, phone_number_id, connection_id,
	carrier, carrier_call_id, from_number, to_number, recipient_name, status, coalesce(outcome, '') as outcome,
	coalesce(ended_reason, '') as ended_reason, coalesce(ended_by, '') as ended_by,
	coalesce(answered_by, '') as answered_by, detail, consent_basis, consent_at, variables, metadata, record, recording_id, analysis, transcript_text,
	created_at, started_at, ringing_at, answered_at, ended_at, hang_up_at, recording_due_at, recording_removed_at`

// RingTime is how long it rang, as far as ringing was reported. 0 while it
// still rings.
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

// TalkTime is how long the call was up, by our own timestamps. 0 when it was
// not answered, and while it is up.
func (c Call) TalkTime() time.Duration {
	if c.AnsweredAt == nil || c.EndedAt == nil {
		return 0
	}
	return max(c.EndedAt.Sub(*c.AnsweredAt), 0)
}

// Role is who said something.
type Role string

const (
	Agent     Role = "agent"
	Recipient Role = "recipient"
	System    Role = "system" // not speech: a key that was pressed
)

// Turn is one utterance as it was heard: of the agent, what was played.
type Turn struct {
	Index       int
	Role        Role
	Text        string
	StartMS     *int // since the call was answered; nil where the carrier does not report it
	EndMS       *int
	Interrupted bool // it was not played to its end
	CreatedAt   time.Time
}

// turnColumns of Turn.
const turnColumns = `index, role, text, start_ms, end_ms, interrupted, created_at`
