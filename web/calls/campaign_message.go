package calls

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/a-h/templ"
	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/english"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/messaging"
	"github.com/dialwright/dialwright/internal/messaging/connection"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
	"github.com/dialwright/dialwright/web/messages"
)

// templateValue identifies a template in a form. The name of a template contains no
// slash.
func templateValue(t connection.Template) string { return t.Content.Name + "/" + t.Content.Language }

const variablePrefix = "messaging.template.variables."

func readMessaging(form url.Values) views.MessagingForm {
	v := views.MessagingForm{
		Trigger: form.Get("messaging.trigger"), ExternalID: form.Get("messaging.external_id"),
		Template: form.Get("messaging.template"),
	}
	var followUp []conversation.Intent
	for _, intent := range form["messaging.follow_up"] {
		followUp = append(followUp, conversation.Intent(intent))
	}
	v.FollowUp = followUpChecks(followUp)
	for name := range form {
		if key, ok := strings.CutPrefix(name, variablePrefix); ok {
			v.Variables = append(v.Variables, views.MessageVariable{Key: key, Value: form.Get(name)})
		}
	}
	return v
}

// messagingForm fills the form with the messages of a campaign.
func messagingForm(c campaign.Campaign) (v views.MessagingForm) {
	m := c.Messaging
	if m == nil {
		return v
	}
	v.Trigger, v.ExternalID = string(m.Trigger), frame.OrNone(m.ExternalID)
	v.FollowUp = followUpChecks(m.FollowUp)
	if m.Template != nil {
		v.Template = m.Template.Name + "/" + m.Template.Language
		for key, value := range m.Template.Variables {
			v.Variables = append(v.Variables, views.MessageVariable{Key: key, Value: value})
		}
	}
	return v
}

// messagingInput makes the domain's input of the form. Without a message, it ignores the fields of
// the message.
func messagingInput(v views.MessagingForm, p *fault.Problems) (*campaign.MessagingInput, error) {
	in := &campaign.MessagingInput{Trigger: campaign.Trigger(v.Trigger)}
	for _, check := range v.FollowUp {
		if check.Checked {
			in.FollowUp = append(in.FollowUp, conversation.Intent(check.Value))
		}
	}
	if len(in.FollowUp) > 0 && in.Trigger != campaign.TriggerAfterCall {
		p.Addf("messaging.follow_up", "clear these boxes, or choose “After an answered call”")
		in.FollowUp = nil
	}
	switch in.Trigger {
	case "":
		return nil, nil
	case campaign.TriggerNever:
		return in, nil
	}
	in.ExternalID = v.ExternalID
	if v.Template == "" {
		return in, nil
	}
	values := map[string]string{}
	for _, m := range v.Variables {
		if m.Value != "" {
			values[m.Key] = m.Value
		}
	}
	variables, err := json.Marshal(values)
	if err != nil {
		return nil, fmt.Errorf("encode the variables of a template: %w", err)
	}
	name, language, _ := strings.Cut(v.Template, "/")
	in.Template = &messaging.TemplateInput{Name: name, Language: language, Variables: variables}
	return in, nil
}

// followUpChecks makes the choices of the intents after which a message is sent too.
func followUpChecks(chosen []conversation.Intent) (checks []ui.Check) {
	for _, intent := range campaign.FollowUpIntents {
		checks = append(checks, ui.Check{
			Name: "messaging.follow_up", Value: string(intent), Label: ui.Intent(string(intent)),
			Checked: slices.Contains(chosen, intent),
		})
	}
	return checks
}

// fillMessaging adds the choices of the form, and the variables and the text of the
// chosen template.
func (s *Server) fillMessaging(r *http.Request, v *views.MessagingForm, numbers []connection.Number) error {
	if len(numbers) == 0 || !s.Messaging.On() {
		return nil
	}
	if v.FollowUp == nil {
		v.FollowUp = followUpChecks(nil)
	}
	for _, n := range numbers {
		v.Numbers = append(v.Numbers, ui.Option{
			Value: n.ExternalID, Label: messages.NumberTitle(n) + ", " + ui.Count(n.Available()) + " available",
		})
	}
	all, err := page.Collect(r.Context(), frame.SignedIn(r).Organization.ID, s.WhatsApp.Templates)
	if err != nil {
		return err
	}
	values := map[string]string{}
	for _, m := range v.Variables {
		values[m.Key] = m.Value
	}
	v.Variables = nil
	listed := map[string]bool{} // two accounts may have templates of the same name
	for _, t := range all {
		value := templateValue(t)
		if t.Content.Obstacle() != "" || listed[value] {
			continue
		}
		listed[value] = true
		v.Templates = append(v.Templates, ui.Option{Value: value, Label: t.Content.Name + ", " + t.Content.Language})
		if value != v.Template {
			continue
		}
		for _, variable := range t.Content.Variables() {
			v.Variables = append(v.Variables, views.MessageVariable{
				Key: variable.Key, Kind: string(variable.Kind), Value: values[variable.Key],
			})
		}
		shown := messages.Preview(t.Content, values)
		v.Preview = &shown
	}
	return nil
}

// refusal is a fault in the words of the form.
func refusal(err error) string {
	if e, ok := errors.AsType[*campaign.QuotaError](err); ok {
		return refusedList(e)
	}
	return fault.As(err).Message
}

// refusedList says that a list is too long, "" if e is nil.
func refusedList(e *campaign.QuotaError) string {
	if e == nil {
		return ""
	}
	text := fmt.Sprintf("Recipient list (%s) exceeds the %s conversations available for number %s",
		ui.Count(e.Recipients), ui.Count(e.Available), e.ExternalID)
	if !e.Unrequested {
		return text
	}
	return text + ". Choose “Never send a message”, a shorter list or a number without WhatsApp."
}

// changedTemplates returns the template of a campaign's messages, if WhatsApp has moved it to
// marketing since the campaign was created, or has announced to do so. Accounts may have templates
// of the same name.
func (s *Server) changedTemplates(
	ctx context.Context, organizationID uuid.UUID, c campaign.Campaign,
) (changed []views.CampaignTemplate, err error) {
	if c.EndedAt != nil || c.Messaging == nil || c.Messaging.Template == nil ||
		c.Messaging.Trigger == campaign.TriggerNever {
		return nil, nil
	}
	named, err := s.WhatsApp.TemplatesNamed(ctx, organizationID, c.Messaging.Template.Name,
		c.Messaging.Template.Language)
	if err != nil {
		return nil, err
	}
	for _, t := range named {
		if t.BecomesMarketing() || t.BecameMarketing() && t.CategoryChangedAt.After(c.CreatedAt) {
			changed = append(changed, views.CampaignTemplate{
				Name: "the template " + t.Content.Name + " of " + t.Connection, Category: t.Content.Category,
				Change: messages.TemplateChange(t),
			})
		}
	}
	return changed, nil
}

// campaignMessages describes the messages that a campaign sends and links to them. It is
// nil for a campaign without messages.
func campaignMessages(c campaign.Campaign) templ.Component {
	if c.Messaging == nil || c.Messaging.Template == nil || c.Messaging.Trigger == campaign.TriggerNever {
		return nil
	}
	also := make([]string, len(c.Messaging.FollowUp))
	for i, intent := range c.Messaging.FollowUp {
		also[i] = "“" + ui.Intent(string(intent)) + "”"
	}
	when := map[campaign.Trigger]string{
		campaign.TriggerBeforeCall: "before the first call", campaign.TriggerNoAnswer: "when nobody answered",
		campaign.TriggerAfterCall: "after an answered call",
	}[c.Messaging.Trigger]
	if len(also) > 0 {
		when += ", also after " + english.List(also)
	}
	return views.CampaignMessages(c.ID.String(), c.Messaging.Template.Name+", "+c.Messaging.Template.Language, when)
}
