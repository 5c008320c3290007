package alert

import (
	"slices"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/account"
)

// Kind is what an alert is about.
type Kind string

// Values of Kind.
const (
	CampaignPaused    Kind = "campaign_paused"
	AbandonedNear     Kind = "abandoned_near"
	ConnectionFailing Kind = "connection_failing"
	ModelFailing      Kind = "model_failing"
	WebhookDisabled   Kind = "webhook_disabled"
	WebhookFailing    Kind = "webhook_failing"
	WhatsAppFailing   Kind = "whatsapp_failing"
	QuotaLow          Kind = "quota_low"
	ListFailing       Kind = "list_failing"
	KeyExpiring       Kind = "key_expiring"
	KeyUnused         Kind = "key_unused"
	FollowUpDue       Kind = "follow_up_due"
	FollowUpNew       Kind = "follow_up_new"
)

// KindOf is a line of the table of kinds.
type KindOf struct {
	Kind  Kind
	Name  string // as a heading: "Webhook disabled"
	When  string // when the alert is opened, as people read it
	Do    string // what to do about it
	Roles []account.Role

	path    string // of a page about the subject that each role can open; with a final slash, the ID follows
	batched bool   // an email about what is nobody's waits for others, at most for batch
	grows   bool   // the alert is about many things, and a newer one sends another email
}

// kinds is the one table of what raises an alert. Members with one of its roles get an email by default, also those who
// chose their emails before the kind was added.
var kinds = []KindOf{
	{
		Kind: CampaignPaused, Name: "Campaign paused", path: "/campaigns/",
		When:  "A campaign paused itself, for example because its connection failed or its budget is used up.",
		Do:    "Remove the cause, then resume the campaign.",
		Roles: []account.Role{account.Admin, account.Manager},
	},
	{
		Kind: AbandonedNear, Name: "Abandoned calls near the limit", path: "/campaigns/",
		When:  "A running campaign has used four fifths of the share of abandoned calls that your organization allows.",
		Do:    "A lower pace leaves fewer people without an agent. At the limit, the campaign is paused.",
		Roles: []account.Role{account.Admin, account.Manager},
	},
	{
		Kind: ConnectionFailing, Name: "Carrier failing", path: "/settings/integrations",
		When: "Too many calls in a row failed, or a check found that the connection is not ready to call, for " +
			"example because the account is suspended.",
		Do:    "An admin corrects the connection. Then resume its campaigns.",
		Roles: []account.Role{account.Admin, account.Manager},
	},
	{
		Kind: ModelFailing, Name: "Language model failing", path: "/settings/integrations",
		When:  "So many requests in a row failed that no call with the model starts.",
		Do:    "An admin checks the connection, then chooses “Try again”.",
		Roles: []account.Role{account.Admin, account.Manager},
	},
	{
		Kind: WebhookDisabled, Name: "Webhook disabled", path: "/webhooks/",
		When: "A webhook was disabled because its endpoint kept failing or is gone.",
		Do: "Events are kept for 30 days. When the endpoint works again, activate the " +
			"webhook and recover what it missed.",
		Roles: []account.Role{account.Admin},
	},
	{
		Kind: WebhookFailing, Name: "Webhook failing", path: "/webhooks/",
		When:  "No delivery to a webhook has succeeded for five minutes, after at least three attempts.",
		Do:    "Check the endpoint. The page of the webhook shows its answers.",
		Roles: []account.Role{account.Admin},
	},
	{
		Kind: WhatsAppFailing, Name: "WhatsApp not sending", path: "/settings/integrations/whatsapp/",
		When:  "A WhatsApp account cannot be read, or sends no messages.",
		Do:    "Messages wait. Check the account and its access token.",
		Roles: []account.Role{account.Admin, account.Manager},
	},
	{
		Kind: QuotaLow, Name: "WhatsApp quota low", path: "/messaging",
		When:  "A WhatsApp number has used at least nine tenths of its 24-hour limit.",
		Do:    "Further messages wait until the oldest conversation is 24 hours old.",
		Roles: []account.Role{account.Admin, account.Manager},
	},
	{
		Kind: ListFailing, Name: "Do-not-call list not updated", path: "/do-not-call/lists/",
		When: "The file of a subscribed list is held back because it has far fewer numbers than before, or three " +
			"fetches in a row failed.",
		Do:    "Check the file and the address on the page of the list.",
		Roles: []account.Role{account.Admin, account.Manager},
	},
	{
		Kind: KeyExpiring, Name: "API key expiring", path: "/settings/api-keys",
		When:  "An API key expires within seven days.",
		Do:    "Rotate the key and give the new one to the system that uses it.",
		Roles: []account.Role{account.Admin},
	},
	{
		Kind: KeyUnused, Name: "API key unused", path: "/settings/api-keys",
		When: "An API key has not been used for 90 days.",
		Do:   "Revoke the key if no system needs it.",
	},
	{
		Kind: FollowUpDue, Name: "Follow-up due", batched: true, path: "/follow-ups/",
		When:  "A follow-up that is assigned to you, or to nobody, is due.",
		Do:    "Call the person, then mark the follow-up as done.",
		Roles: []account.Role{account.Admin, account.Manager, account.Staff},
	},
	{
		Kind: FollowUpNew, Name: "New follow-ups", path: "/follow-ups?assignee=none", batched: true, grows: true,
		When:  "New follow-ups have no assignee. You get at most one email about them every 30 minutes.",
		Do:    "Open the list and take a follow-up, or assign it to a member.",
		Roles: []account.Role{account.Admin, account.Manager, account.Staff},
	},
}

// Kinds returns the table of kinds.
func Kinds() []KindOf { return slices.Clone(kinds) }

// names returns all kinds.
func names() []Kind {
	list := make([]Kind, len(kinds))
	for i, l := range kinds {
		list[i] = l.Kind
	}
	return list
}

// of returns the line of a kind.
func of(k Kind) KindOf {
	i := slices.IndexFunc(kinds, func(l KindOf) bool { return l.Kind == k })
	if i < 0 {
		return KindOf{Kind: k, Name: string(k)}
	}
	return kinds[i]
}

// subjectPath returns the page of a subject.
func (l KindOf) subjectPath(id uuid.UUID) string {
	if l.path == "" || l.path[len(l.path)-1] != '/' {
		return l.path
	}
	return l.path + id.String()
}

// defaults returns the kinds of which a member with a role gets an email unless the member chose others.
func defaults(role account.Role) []Kind {
	var list []Kind
	for _, l := range kinds {
		if slices.Contains(l.Roles, role) {
			list = append(list, l.Kind)
		}
	}
	return list
}
