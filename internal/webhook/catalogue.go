package webhook

import (
	"slices"
	"strings"
)

// Type is what kind of thing happened: noun.verb.
type Type string

// The catalogue.
const (
	CampaignScheduled Type = "campaign.scheduled"
	CampaignStarted   Type = "campaign.started"
	CampaignPaused    Type = "campaign.paused"
	CampaignResumed   Type = "campaign.resumed"
	CampaignCompleted Type = "campaign.completed"
	CampaignCanceled  Type = "campaign.canceled"
	CampaignFailed    Type = "campaign.failed"

	RecipientCompleted Type = "recipient.completed"
	RecipientFailed    Type = "recipient.failed"
	RecipientSkipped   Type = "recipient.skipped"

	CallStarted   Type = "call.started"
	CallAnswered  Type = "call.answered"
	CallCompleted Type = "call.completed"
	CallAnalyzed  Type = "call.analyzed"

	MessageSent      Type = "message.sent"
	MessageDelivered Type = "message.delivered"
	MessageRead      Type = "message.read"
	MessageFailed    Type = "message.failed"

	NumberQuotaLow       Type = "number.quota_low"
	NumberQuotaExhausted Type = "number.quota_exhausted"

	WebhookDisabled Type = "webhook.disabled"
	WebhookTest     Type = "webhook.test"
)

// Kind is a type of the catalogue and what it tells.
type Kind struct {
	Type        Type
	Description string // a sentence, for people
}

// Catalogue is every type there is, in the order people see.
func Catalogue() []Kind { return slices.Clone(catalogue) }

var catalogue = []Kind{
	{CampaignScheduled, "A campaign was created for later, or put back to wait for its time."},
	{CampaignStarted, "A campaign's time has come and its first calls are about to be placed."},
	{CampaignPaused, "A campaign was paused, by a person, a key or because its connection fails."},
	{CampaignResumed, "A paused campaign goes on."},
	{CampaignCompleted, "A campaign has dealt with every recipient, or has expired."},
	{CampaignCanceled, "A campaign was canceled."},
	{CampaignFailed, "A campaign ended because its agent, number or connection is gone for good."},
	{RecipientCompleted, "A recipient was reached; no more calls follow."},
	{RecipientFailed, "A recipient was not reached in any of the attempts."},
	{RecipientSkipped, "A recipient will not be called: a duplicate, or on the do-not-call list."},
	{CallStarted, "The carrier has taken a call."},
	{CallAnswered, "A call was answered, by a person or a machine."},
	{CallCompleted, "A call has come to its end, whatever its outcome."},
	{CallAnalyzed, "The analysis of an answered call is there, with its transcript."},
	{MessageSent, "WhatsApp has taken a message."},
	{MessageDelivered, "A message is on a device of its recipient."},
	{MessageRead, "A message was read."},
	{MessageFailed, "A message was not delivered and will not be."},
	{NumberQuotaLow, "A tenth of what a WhatsApp number may start within 24 hours is left, or less."},
	{NumberQuotaExhausted, "A WhatsApp number may start no more conversations for now; messages wait."},
	{WebhookDisabled, "A webhook was disabled because its endpoint keeps failing or is gone."},
	{WebhookTest, "A test, asked for by a person or a key; sent to one webhook only."},
}

// Types are those of the catalogue, in its order.
func Types() []Type {
	types := make([]Type, len(catalogue))
	for i, k := range catalogue {
		types[i] = k.Type
	}
	return types
}

// everything subscribes to every type.
const everything = "*"

func familyOf(t Type) string {
	noun, _, _ := strings.Cut(string(t), ".")
	return noun + ".*"
}

// families are the subscriptions to all types of a noun: call.*.
func families() []string {
	var all []string
	for _, k := range catalogue {
		if family := familyOf(k.Type); !slices.Contains(all, family) {
			all = append(all, family)
		}
	}
	return all
}

// Subscribable is what a webhook can subscribe to: every type, every family, *.
func Subscribable() []string {
	all := make([]string, 0, 2*len(catalogue))
	for _, k := range catalogue {
		all = append(all, string(k.Type))
	}
	return append(append(all, families()...), everything)
}

// matches tells whether subscriptions cover a type.
func matches(subscriptions []string, t Type) bool {
	for _, s := range subscriptions {
		if s == everything || s == string(t) || s == familyOf(t) {
			return true
		}
	}
	return false
}
