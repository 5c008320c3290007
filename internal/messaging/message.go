package messaging

import (
	"encoding/json"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/phone"
)

// Status is the state of a message.
type Status string

const (
	Queued    Status = "queued"  // due_at and wait_reason say what it waits for
	Sending   Status = "sending" // admitted; the operator's answer is pending or unknown
	Sent      Status = "sent"    // the operator accepted it
	Delivered Status = "delivered"
	Read      Status = "read"
	Failed    Status = "failed" // never delivered
	Canceled  Status = "canceled"
)

// Statuses lists all statuses in the order of the dashboard.
var Statuses = []Status{Queued, Sending, Sent, Delivered, Read, Failed, Canceled}

// WaitReason is why a queued message is not sent now.
type WaitReason string

const (
	WaitQuota    WaitReason = "quota"     // the operator's limit allows no further recipient now
	WaitPairRate WaitReason = "pair_rate" // the recipient got a message a moment ago
	WaitTemplate WaitReason = "template"  // the template is paused
	WaitRetry    WaitReason = "retry"     // the operator could not accept it
	// WaitRecipientLimit: the operator accepts nothing for this recipient for now.
	WaitRecipientLimit WaitReason = "recipient_limit"
)

// Message is a template message to one recipient.
type Message struct {
	ID               uuid.UUID
	NumberID         uuid.UUID
	ExternalID       string // of the number, at the operator
	CampaignID       *uuid.UUID
	RecipientID      *uuid.UUID
	PhoneNumber      phone.Number // of the recipient; empty when erased
	TemplateName     string
	TemplateLanguage string
	Variables        json.RawMessage
	Status           Status
	DueAt            *time.Time  // of Queued: the estimated time of sending
	WaitReason       *WaitReason // of Queued: why it is not sent now
	Attempts         int         // requests to the operator
	UnknownSince     *time.Time  // of Sending: when the answer was lost; it is not sent again
	OperatorID       *string     // the operator's id of the message
	ErrorCode        *int        // the operator's
	Error            *string     // for people: why it failed or waits
	CreatedBy        string
	CreatedAt        time.Time
	SentAt           *time.Time
	DeliveredAt      *time.Time
	ReadAt           *time.Time
	EndedAt          *time.Time // when it failed or was canceled
}

// messageSelect reads rows of Message.
const messageSelect = `
	select m.id, m.number_id, n.external_id, m.campaign_id, m.recipient_id,
	       case when starts_with(m.phone_number, '#') then '' else m.phone_number end as phone_number, m.template_name,
		m.template_language,
	       m.variables, m.status, m.due_at, m.wait_reason, m.attempts, m.unknown_since, m.operator_id, m.error_code,
	       m.error, m.created_by, m.created_at, m.sent_at, m.delivered_at, m.read_at, m.ended_at
	from message m join messaging_number n on n.id = m.number_id`
