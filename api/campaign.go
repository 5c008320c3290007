package api

import (
	"encoding/json"
	"net/http"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/campaign/intake"
	"github.com/dialwright/dialwright/internal/export"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/hours"
)

// newCampaign is the body of POST /campaigns. What its values may be is
// campaign.Draft's to say.
type newCampaign struct {
	Name               string             `json:"name"`
	ProjectID          string             `json:"project_id"`
	AgentID            string             `json:"agent_id"`
	PhoneNumberID      string             `json:"phone_number_id"`
	Recipients         each[newRecipient] `json:"recipients" max:"100000"`
	ScheduledAt        *time.Time         `json:"scheduled_at" nullable:"true"`
	ExpiresAt          *time.Time         `json:"expires_at" nullable:"true"`
	CallingHours       *hours.Hours       `json:"calling_hours"`
	MaxConcurrency     *int               `json:"max_concurrency"`
	CallsPerSecond     *float64           `json:"calls_per_second"`
	Retry              *newRetry          `json:"retry"`
	VoicemailAction    *string            `json:"voicemail_action"`
	RingTimeoutSeconds *int               `json:"ring_timeout_seconds"`
	MaxDurationSeconds *int               `json:"max_duration_seconds"`
	Variables          json.RawMessage    `json:"variables"`
	Metadata           json.RawMessage    `json:"metadata"`
	Messaging          *newMessaging      `json:"messaging" nullable:"true"`
}

type newMessaging struct {
	ExternalID *string      `json:"external_id" nullable:"true"`
	Template   *newTemplate `json:"template" nullable:"true"`
	Trigger    string       `json:"trigger"`
}

type newRetry struct {
	MaxAttempts          *int              `json:"max_attempts"`
	DelaysMinutes        []int             `json:"delays_minutes"`
	OutcomeDelaysMinutes *newOutcomeDelays `json:"outcome_delays_minutes"`
	On                   []string          `json:"on"`
}

// newOutcomeDelays has a field for each of campaign.RetryOutcomes.
type newOutcomeDelays struct {
	Busy      []int `json:"busy" nullable:"true"`
	NoAnswer  []int `json:"no_answer" nullable:"true"`
	Voicemail []int `json:"voicemail" nullable:"true"`
	Failed    []int `json:"failed" nullable:"true"`
}

type newRecipient struct {
	PhoneNumber string          `json:"phone_number"`
	Name        *string         `json:"name" nullable:"true"`
	ExternalID  *string         `json:"external_id" nullable:"true"`
	Timezone    *string         `json:"timezone" nullable:"true"`
	Consent     *newConsent     `json:"consent" nullable:"true"`
	Variables   json.RawMessage `json:"variables"`
	Metadata    json.RawMessage `json:"metadata"`
}

type newConsent struct {
	Basis string     `json:"basis"`
	At    *time.Time `json:"at" nullable:"true"`
}

func (n newCampaign) draft(list *intake.List) *campaign.Draft {
	d := &campaign.Draft{
		Name: n.Name, ProjectID: n.ProjectID, AgentID: n.AgentID, PhoneNumberID: n.PhoneNumberID, Recipients: list,
		ScheduledAt: n.ScheduledAt, ExpiresAt: n.ExpiresAt, CallingHours: n.CallingHours,
		MaxConcurrency: n.MaxConcurrency, CallsPerSecond: n.CallsPerSecond, VoicemailAction: text(n.VoicemailAction),
		RingTimeoutSeconds: n.RingTimeoutSeconds, MaxDurationSeconds: n.MaxDurationSeconds,
		Variables: n.Variables, Metadata: n.Metadata,
	}
	if n.Retry != nil {
		d.Retry = &campaign.RetryInput{MaxAttempts: n.Retry.MaxAttempts, DelaysMinutes: n.Retry.DelaysMinutes, On: n.Retry.On}
		if own := n.Retry.OutcomeDelaysMinutes; own != nil {
			d.Retry.OutcomeDelaysMinutes = map[string][]int{
				"busy": own.Busy, "no_answer": own.NoAnswer, "voicemail": own.Voicemail, "failed": own.Failed,
			}
		}
	}
	if m := n.Messaging; m != nil {
		d.Messaging = &campaign.MessagingInput{ExternalID: text(m.ExternalID), Trigger: campaign.Trigger(m.Trigger)}
		if t := m.Template; t != nil {
			d.Messaging.Template = &campaign.TemplateInput{Name: t.Name, Language: t.Language, Variables: t.Variables}
		}
	}
	return d
}

func (n newRecipient) input() intake.Recipient {
	in := intake.Recipient{
		PhoneNumber: n.PhoneNumber, Name: text(n.Name), ExternalID: text(n.ExternalID), Timezone: text(n.Timezone),
		Variables: n.Variables, Metadata: n.Metadata,
	}
	if n.Consent != nil {
		in.Consent = &intake.Consent{Basis: n.Consent.Basis, At: n.Consent.At}
	}
	return in
}

// text is an optional text, where null and "" are absent.
func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func (a *api) createCampaign(w http.ResponseWriter, r *http.Request) error {
	var problems fault.Problems
	list := &intake.List{}
	body := newCampaign{Recipients: func(n *newRecipient, _ bool) { list.Add(n.input()) }}
	digest, err := readBody(w, r, maxList, &body, &problems)
	if err != nil {
		return err
	}
	draft := body.draft(list)
	problems.Also(draft.Check(a.Now()))
	refused := problems.Err()
	if refused == nil {
		refused = a.Campaigns.AskQuota(r.Context(), organization(r), draft)
	}

	return a.create(w, r, creation{
		digest:  digest,
		refused: refused,
		work: func(tx pgx.Tx) (any, error) {
			c, err := a.Campaigns.In(tx).Create(r.Context(), actor(r), draft)
			return c.Resource(), err
		},
		wake: a.Campaigns.Wake,
	})
}

// moreRecipients is the body of POST /campaigns/{id}/recipients.
type moreRecipients struct {
	Recipients each[newRecipient] `json:"recipients" max:"100000"`
}

func (a *api) appendRecipients(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, "Campaign")
	if err != nil {
		return err
	}
	var problems fault.Problems
	more := &campaign.Addition{Recipients: &intake.List{}}
	body := moreRecipients{Recipients: func(n *newRecipient, _ bool) { more.Recipients.Add(n.input()) }}
	digest, err := readBody(w, r, maxList, &body, &problems)
	if err != nil {
		return err
	}
	problems.Also(more.Check())
	refused := problems.Err()
	if refused == nil {
		refused = a.Campaigns.AskQuotaFor(r.Context(), organization(r), id, more)
	}

	return a.create(w, r, creation{
		digest:  digest,
		refused: refused,
		work: func(tx pgx.Tx) (any, error) {
			c, err := a.Campaigns.In(tx).Append(r.Context(), actor(r), id, more)
			return c.Resource(), err
		},
		wake: a.Campaigns.Wake,
	})
}

func campaignFilter(q *query) campaign.ListOptions {
	return campaign.ListOptions{
		Page:      q.page(),
		Statuses:  anyOf(q, "status", campaign.Statuses),
		ProjectID: q.id("project_id"),
	}
}

// recipientFilter reads the filters that a list of recipients and its export share.
func recipientFilter(q *query) campaign.RecipientOptions {
	return campaign.RecipientOptions{
		Statuses: anyOf(q, "status", campaign.RecipientStatuses),
		Outcomes: anyOf(q, "outcome", call.Outcomes),
	}
}

func recipientPage(q *query) campaign.RecipientOptions {
	pages := q.page()
	o := recipientFilter(q)
	o.Page = pages
	return o
}

func (a *api) exportRecipients(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, "Campaign")
	if err != nil {
		return err
	}
	q := queryOf(r)
	o := recipientFilter(q)
	o.Page.CreatedAfter, o.Page.CreatedBefore = q.created()
	if err := q.err(); err != nil {
		return err
	}
	return a.sendCSV(w, r, "recipients.exported", account.Object{Type: "campaign", ID: id}, export.File{
		Name: "recipients.csv", Header: campaign.ExportHeader, Rows: a.Campaigns.Export(r.Context(), organization(r), id, o),
	})
}
