package webhook

import (
	"slices"
	"strings"
)

// Type is a type of event: noun.verb.
type Type string

// The catalog.
const (
	CampaignScheduled Type = "campaign.scheduled"
	CampaignStarted   Type = "campaign.started"
	CampaignPaused    Type = "campaign.paused"
	CampaignResumed   Type = "campaign.resumed"
	CampaignProgress  Type = "campaign.progress"
	CampaignCompleted Type = "campaign.completed"
	CampaignCanceled  Type = "campaign.canceled"
	CampaignFailed    Type = "campaign.failed"

	RecipientCompleted Type = "recipient.completed"
	RecipientFailed    Type = "recipient.failed"
	RecipientSkipped   Type = "recipient.skipped"
	RecipientCanceled  Type = "recipient.canceled"

	CallScheduled   Type = "call.scheduled"
	CallStarted     Type = "call.started"
	CallAnswered    Type = "call.answered"
	CallTransferred Type = "call.transferred"
	CallCompleted   Type = "call.completed"
	CallAnalyzed    Type = "call.analyzed"
	CallRecorded    Type = "call.recorded"
	CallPriced      Type = "call.priced"

	MessageSent      Type = "message.sent"
	MessageDelivered Type = "message.delivered"
	MessageRead      Type = "message.read"
	MessageFailed    Type = "message.failed"

	FollowUpCreated Type = "follow_up.created"
	FollowUpUpdated Type = "follow_up.updated"
	FollowUpDone    Type = "follow_up.done"

	NumberQuotaLow       Type = "number.quota_low"
	NumberQuotaExhausted Type = "number.quota_exhausted"

	WebhookDisabled Type = "webhook.disabled"
	WebhookTest     Type = "webhook.test"
)

// Kind is a type of the catalog with its description.
type Kind struct {
	Type        Type
	Description string // a sentence, for people
}

// Catalog returns every type in display order.
func Catalog() []Kind { return slices.Clone(catalog) }

var catalog = []Kind{
	{CampaignScheduled, "A campaign was created for later, or resumed before its start."},
	{CampaignStarted, "A campaign started. Its first calls are about to be placed."},
	{CampaignPaused, "A campaign was paused by a person, by a key or automatically. `pause_reason` says why."},
	{CampaignResumed, "A paused campaign was resumed."},
	{CampaignProgress, "A campaign has settled a share of its recipients, such as half."},
	{CampaignCompleted, "A campaign processed all recipients or expired."},
	{CampaignCanceled, "A campaign was canceled."},
	{CampaignFailed, "A campaign ended because its agent, phone number or connection was removed."},
	{RecipientCompleted, "A recipient was reached. No more calls follow."},
	{RecipientFailed, "A recipient was not reached in any attempt."},
	{RecipientSkipped, "A recipient will not be called: a duplicate, or on the do-not-call list."},
	{RecipientCanceled, "A person or a key canceled a recipient. The others of the campaign continue."},
	{CallScheduled, "A single call, or its next attempt, was scheduled."},
	{CallStarted, "The carrier accepted a call."},
	{CallAnswered, "A person or a machine answered a call."},
	{CallTransferred, "A person at a destination took a call. `transfer` says who."},
	{CallCompleted, "A call ended, with any outcome."},
	{CallAnalyzed, "The analysis and transcript of an answered call are ready, or the analysis failed."},
	{CallRecorded, "The recording of a call is available under `recording_url`."},
	{CallPriced, "The cost of a call became known, or the carrier corrected it."},
	{MessageSent, "WhatsApp accepted a message."},
	{MessageDelivered, "A message was delivered to the recipient's device."},
	{MessageRead, "A message was read."},
	{MessageFailed, "A message failed and will not be delivered."},
	{FollowUpCreated, "A call needs a person, or somebody created a follow-up."},
	{FollowUpUpdated, "The assignee, due time or note of a follow-up changed, or it was reopened."},
	{FollowUpDone, "A person or a key marked a follow-up as done."},
	{NumberQuotaLow, "A WhatsApp number has a tenth of its 24-hour limit left, or less."},
	{NumberQuotaExhausted, "A WhatsApp number has reached its 24-hour limit. Messages wait."},
	{WebhookDisabled, "A webhook was disabled because its endpoint keeps failing or is gone."},
	{WebhookTest, "A test requested by a person or a key, sent to one webhook only."},
}

// Types returns the types of the catalog in its order.
func Types() []Type {
	types := make([]Type, len(catalog))
	for i, k := range catalog {
		types[i] = k.Type
	}
	return types
}

// everything is the subscription to every type.
const everything = "*"

func familyOf(t Type) string {
	noun, _, _ := strings.Cut(string(t), ".")
	return noun + ".*"
}

// families returns the subscriptions to all types of a noun, such as call.*.
func families() []string {
	var all []string
	for _, k := range catalog {
		if family := familyOf(k.Type); !slices.Contains(all, family) {
			all = append(all, family)
		}
	}
	return all
}

// Subscribable returns everything a webhook can subscribe to: every type, every family,
// and *.
func Subscribable() []string {
	all := make([]string, 0, 2*len(catalog))
	for _, k := range catalog {
		all = append(all, string(k.Type))
	}
	return append(append(all, families()...), everything)
}

// matches reports whether subscriptions cover a type.
func matches(subscriptions []string, t Type) bool {
	for _, s := range subscriptions {
		if s == everything || s == string(t) || s == familyOf(t) {
			return true
		}
	}
	return false
}
