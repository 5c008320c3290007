package campaign

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/messaging"
	"github.com/dialwright/dialwright/internal/messaging/cloud"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/project"
	"github.com/dialwright/dialwright/internal/webhook"
)

// Trigger says when the recipients of a campaign get their message. Each recipient gets
// at most one message.
type Trigger string

const (
	TriggerBeforeCall Trigger = "before_call" // before the first call, which waits for the message
	TriggerNoAnswer   Trigger = "no_answer"   // after the last call, if no call was answered by a person
	TriggerAfterCall  Trigger = "after_call"  // after a call that was answered by a person
	TriggerNever      Trigger = "never"
)

// Triggers lists every trigger.
var Triggers = []Trigger{TriggerBeforeCall, TriggerNoAnswer, TriggerAfterCall, TriggerNever}

// MessagingInput is the requested messages of a campaign. An empty field is absent. The
// variables of the template may contain placeholders.
type MessagingInput struct {
	// ExternalID is the operator's ID of the WhatsApp number; absent: the WhatsApp
	// number of the phone number.
	ExternalID string                   `json:"external_id" nullable:"true"`
	Template   *messaging.TemplateInput `json:"template" nullable:"true"` // absent only with TriggerNever
	Trigger    Trigger                  `json:"trigger"`

	// FollowUp lists intents of FollowUpIntents after which a message is sent with
	// TriggerAfterCall. After a call with another intent, no message is sent.
	FollowUp []conversation.Intent `json:"follow_up"`
}

// Messaging is the messages of a campaign, stored and shown as they were requested.
type Messaging struct {
	ExternalID *string          `json:"external_id"` // nil: the WhatsApp number of the phone number
	Template   *MessageTemplate `json:"template"`    // nil only with TriggerNever
	Trigger    Trigger          `json:"trigger"`

	FollowUp []conversation.Intent `json:"follow_up"` // never nil
}

// MessageTemplate is a template and the values of its variables.
type MessageTemplate struct {
	Name      string            `json:"name"`
	Language  string            `json:"language"`
	Variables map[string]string `json:"variables"` // by the key of the template's variable
}

// sends reports whether the campaign sends any messages.
func (m *Messaging) sends() bool { return m != nil && m.Trigger != TriggerNever }

// input returns the input that gives m.
func (m *Messaging) input() *MessagingInput {
	if m == nil {
		return nil
	}
	in := &MessagingInput{Trigger: m.Trigger, FollowUp: m.FollowUp, ExternalID: valueOf(m.ExternalID)}
	if t := m.Template; t != nil {
		variables, err := json.Marshal(t.Variables)
		if err != nil {
			panic(err) // a map of texts always encodes
		}
		in.Template = &messaging.TemplateInput{Name: t.Name, Language: t.Language, Variables: variables}
	}
	return in
}

// Limits for the names of a template. They cover the operator's own limits.
const (
	maxMessagingID      = 64
	maxTemplateName     = 512
	maxTemplateLanguage = 20
)

// settle checks and normalizes the input. A nil input gives nil.
func (in *MessagingInput) settle(p *fault.Problems) *Messaging {
	if in == nil {
		return nil
	}
	externalID := in.ExternalID
	check.Line(p, "messaging.external_id", &externalID, maxMessagingID)
	m := &Messaging{ExternalID: postgres.OrNull(externalID), Trigger: in.Trigger, FollowUp: orEmpty(in.FollowUp)}
	if !slices.Contains(Triggers, m.Trigger) {
		p.Addf("messaging.trigger", "must be one of before_call, no_answer, after_call, never")
	}
	for i, intent := range m.FollowUp {
		switch path := indexed("messaging.follow_up", i); {
		case m.Trigger != TriggerAfterCall:
			p.Addf(path, "has an effect only with the trigger after_call")
		case slices.Contains(m.FollowUp[:i], intent):
			p.Addf(path, "must not be listed twice")
		default:
			fault.OneOf(p, path, m.FollowUp[i:i+1], FollowUpIntents)
		}
	}
	if in.Template == nil {
		if m.Trigger != TriggerNever {
			p.Addf("messaging.template", "required")
		}
		return m
	}
	t := &MessageTemplate{Name: in.Template.Name, Language: in.Template.Language}
	check.Required(p, "messaging.template.name", &t.Name, maxTemplateName)
	check.Required(p, "messaging.template.language", &t.Language, maxTemplateLanguage)
	variables := check.Variables(p, "messaging.template.variables", in.Template.Variables)
	if err := json.Unmarshal(variables, &t.Variables); err != nil {
		p.Addf("messaging.template.variables", "must be an object")
	}
	for _, key := range slices.Sorted(maps.Keys(t.Variables)) {
		path := "messaging.template.variables." + key
		if wrong := checkPlaceholders(t.Variables[key]); wrong != "" {
			p.Addf(path, "%s", wrong)
		}
		for _, f := range fields(t.Variables[key]) {
			if f.answer && m.Trigger != TriggerAfterCall {
				p.Addf(path, "%s is known only after an answered call", f)
			}
		}
	}
	m.Template = t
	return m
}

// trigger returns when messages are sent; nil: the campaign sends none.
func (s *settings) trigger() *Trigger {
	if !s.messaging.sends() {
		return nil
	}
	return &s.messaging.Trigger
}

// errNoNumber is the same for unknown, foreign and disconnected numbers.
var errNoNumber = fault.Invalidf("messaging", "no WhatsApp number with this external_id")

// chosen returns the WhatsApp number that sends a draft's messages and limits its list:
// the number that the draft names, otherwise the WhatsApp number of the phone number.
// It is empty if there is none or if the draft opts out.
func (s *settings) chosen(own *string) string {
	switch {
	case s.messaging != nil && s.messaging.Trigger == TriggerNever:
		return ""
	case s.messaging != nil && s.messaging.ExternalID != nil:
		return *s.messaging.ExternalID
	case own != nil:
		return *own
	}
	return ""
}

// useSource finds the WhatsApp number and the template of a draft's messages, and keeps
// the number from being disconnected until the campaign is committed. It returns nil
// for a draft without messages. Error: Invalid.
func useSource(ctx context.Context, tx pgx.Tx, organizationID uuid.UUID, d *Draft, p Parts) (*uuid.UUID, error) {
	m := d.checked.messaging
	if !m.sends() {
		return nil, nil
	}
	externalID := d.checked.chosen(p.Number.MessagingExternalID)
	switch {
	case externalID != "":
	case p.Pool != nil:
		return nil, fault.Invalidf("messaging.external_id", "required because a number pool has no WhatsApp number")
	default:
		return nil, fault.Invalidf("messaging.external_id", "required because the phone number has no WhatsApp number")
	}
	source, err := messaging.LockSource(ctx, tx, organizationID, externalID, m.Template.Name, m.Template.Language)
	if f := fault.As(err); f != nil && f.Kind == fault.Invalid {
		if f.Fields[0].Path == "external_id" {
			return nil, errNoNumber
		}
		return nil, fault.Invalidf("messaging.template", "%s", f.Fields[0].Message)
	}
	if err != nil {
		return nil, err
	}
	if err := d.checkTemplate(source.Template, p); err != nil {
		return nil, err
	}
	return &source.NumberID, nil
}

// mayMessage refuses messages that reach real phones for calls that are simulated. Error: Invalid.
func (s *Service) mayMessage(ctx context.Context, tx pgx.Tx, organizationID, connectionID uuid.UUID) error {
	fits, err := s.whatsapp.FitsCalls(ctx, tx, organizationID, connectionID)
	if err == nil && !fits {
		err = fault.Invalidf("messaging", "%s", messaging.SandboxCall)
	}
	return err
}

// stillMayMessage is mayMessage for a campaign that exists: the server's operator may have been simulated when it was
// created. Error: Conflict.
func (s *Service) stillMayMessage(
	ctx context.Context, tx pgx.Tx, organizationID, id, connectionID uuid.UUID,
) error {
	var sends bool
	err := tx.QueryRow(ctx, `
		select messaging_trigger is not null from campaign
		where organization_id = @organization_id and id = @id`,
		pgx.NamedArgs{"organization_id": organizationID, "id": id}).Scan(&sends)
	if err != nil {
		return fmt.Errorf("read whether campaign %s sends messages: %w", id, err)
	}
	if !sends {
		return nil
	}
	err = s.mayMessage(ctx, tx, organizationID, connectionID)
	if fault.KindOf(err) == fault.Invalid {
		return fault.Conflictf("%s. Create a campaign without messages", messaging.SandboxCall)
	}
	return err
}

// checkTemplate reports missing and extra variables of a template as Invalid. A value
// that only a single recipient lacks is reported when that recipient's message is
// planned.
func (d *Draft) checkTemplate(t cloud.Template, p Parts) error {
	var problems fault.Problems
	links := map[string]bool{}
	for _, v := range t.Variables() {
		links[v.Key] = v.Kind == cloud.LinkVariable
	}
	values := map[string]string{}
	for key, text := range d.checked.messaging.Template.Variables {
		values[key], _ = fillText(text, func(field) string {
			if links[key] && strings.HasPrefix(strings.TrimSpace(text), "{{") {
				return "https://example.com"
			}
			return "x"
		})
	}
	_, err := t.Bind(values)
	if f := fault.As(err); f != nil {
		for _, wrong := range f.Fields {
			problems.Addf("messaging.template."+wrong.Path, "%s", wrong.Message)
		}
	} else if err != nil {
		return err
	}
	known := d.known(p)
	for _, key := range slices.Sorted(maps.Keys(values)) {
		for _, f := range fields(d.checked.messaging.Template.Variables[key]) {
			switch path := "messaging.template.variables." + key; {
			case f.otherwise != nil || known(f):
			case f.answer:
				problems.Addf(path, "the agent collects no answer with the key %s", f.name)
			default:
				problems.Addf(
					path,
					"neither the campaign nor any recipient has a value for %s. To set a fallback, write "+
						"{{%s|fallback}}",
					f, f.name,
				)
			}
		}
	}
	return problems.Err()
}

// known returns a function that reports whether a placeholder can ever have a value.
func (d *Draft) known(p Parts) func(field) bool {
	var variables map[string]json.RawMessage
	if json.Unmarshal(d.checked.variables, &variables) != nil { // the variables are already checked
		variables = nil
	}
	return func(f field) bool {
		if f.answer {
			return !slices.ContainsFunc(p.Followed, func(c project.AgentContent) bool {
				return !slices.ContainsFunc(c.Script.Questions, func(q conversation.Question) bool {
					return q.Key == f.name
				})
			})
		}
		if _, ok := variables[f.name]; ok {
			return true
		}
		switch f.name {
		case "phone_number", "agent", "agent_name":
			return true
		}
		from := []string{f.name}
		if conversation.PartOfName(f.name) {
			from = append(from, "name")
		}
		if d.listed != nil {
			return d.listed.total == 0 ||
				slices.ContainsFunc(from, func(name string) bool { return d.listed.variables[name] })
		}
		return d.AsDraft && d.Recipients.Len() == 0 || slices.ContainsFunc(from, d.Recipients.HasVariable)
	}
}

// Withdraw withdraws the messages that announce calls to some recipients, because
// these calls will not be made. to is the recipients' last status.
func Withdraw(ctx context.Context, tx pgx.Tx, recipientIDs []uuid.UUID, to RecipientStatus) error {
	return messaging.Withdraw(ctx, tx, recipientIDs, "The call after it will not be made: the recipient was "+
		string(to))
}

// addressed is a recipient who gets a message now, with the campaign's message
// settings.
type addressed struct {
	ID             uuid.UUID
	CampaignID     uuid.UUID
	OrganizationID uuid.UUID
	NumberID       uuid.UUID
	Messaging      Messaging
	addressee
}

// PlanMessages queues messages to the recipients whose campaigns send messages, in one
// statement. A recipient gets a campaign's message only once.
func PlanMessages(ctx context.Context, tx pgx.Tx, out *webhook.Outbox, recipientIDs []uuid.UUID) error {
	all, err := postgres.Collect(ctx, tx, pgx.RowToStructByName[addressed], `
		select r.id, r.campaign_id, r.organization_id, c.messaging_number_id as number_id, c.messaging, r.name,
			r.phone_number,
		       a.name as agent,
		       c.variables || r.variables || case when jsonb_typeof(k.analysis -> 'variables') = 'object'
			then k.analysis -> 'variables' else '{}' end as variables,
		       case when jsonb_typeof(k.analysis -> 'answers') = 'object' then k.analysis -> 'answers' else '{}' end as
			answers
		from recipient r
		join campaign c on c.id = r.campaign_id
		join agent a on a.id = c.agent_id
		left join call k on k.id = r.last_call_id
		where r.id = any(@ids) and c.messaging_trigger is not null
		order by r.campaign_id, r.id`, pgx.NamedArgs{"ids": recipientIDs})
	if err != nil {
		return fmt.Errorf("read %d recipients to write to: %w", len(recipientIDs), err)
	}
	var batches []messaging.Batch
	for _, to := range all {
		if n := len(batches); n == 0 || batches[n-1].CampaignID != to.CampaignID {
			batches = append(batches, messaging.Batch{OrganizationID: to.OrganizationID, CampaignID: to.CampaignID,
				NumberID: to.NumberID, Template: to.Messaging.Template.Name, Language: to.Messaging.Template.Language})
		}
		b := &batches[len(batches)-1]
		values, problem := to.Messaging.Template.fill(to.addressee)
		b.Messages = append(b.Messages, messaging.Planned{
			RecipientID: to.ID, To: to.PhoneNumber, Variables: values, Problem: problem,
		})
	}
	return messaging.Plan(ctx, tx, out, batches...)
}
