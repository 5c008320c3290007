package messaging

import (
	"encoding/json"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/phone"
)

// Status is how far a message has come.
type Status string

const (
	Queued    Status = "queued"  // waits; due_at and wait_reason tell for what
	Sending   Status = "sending" // through the gate; the operator's answer is awaited, or unknown
	Sent      Status = "sent"    // the operator has it
	Delivered Status = "delivered"
	Read      Status = "read"
	Failed    Status = "failed" // and was never delivered
	Canceled  Status = "canceled"
)

// Statuses lists all of them in the order people see.
var Statuses = []Status{Queued, Sending, Sent, Delivered, Read, Failed, Canceled}

// WaitReason is why a queued message is not sent at once.
type WaitReason string

const (
	WaitQuota    WaitReason = "quota"     // no recipient may be added to the window now
	WaitPairRate WaitReason = "pair_rate" // this recipient was written to a moment ago
	WaitTemplate WaitReason = "template"  // the template is paused
	WaitRetry    WaitReason = "retry"     // the operator was not able to take it
	// WaitRecipientLimit: the operator lets nobody write to this recipient for now.
	WaitRecipientLimit WaitReason = "recipient_limit"
)

// Message is a template sent, or to be sent, to one recipient.
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
	DueAt            *time.Time  // of Queued: when it may be sent, as far as is known
	WaitReason       *WaitReason // of Queued: why not now
	Attempts         int         // requests to the operator
	UnknownSince     *time.Time  // of Sending: the operator's answer was lost; it is not sent again
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

// messageSelect reads messages as Message.
const messageSelect = `
	select m.id, m.number_id, n.external_id, m.campaign_id, m.recipient_id,
	       case when starts_with(m.phone_number, '#') then '' else m.phone_number end as phone_number, m.template_name, m.template_language,
	       m.variables, m.status, m.due_at, m.wait_reason, m.attempts, m.unknown_since, m.operator_id, m.error_code,
	       m.error, m.created_by, m.created_at, m.sent_at, m.delivered_at, m.read_at, m.ended_at
	from message m join messaging_number n on n.id = m.number_id`
