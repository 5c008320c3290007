package cloud

import "strings"

// templateRef names a template in a webhook.
type templateRef struct {
	ID       scalar `json:"message_template_id"`
	Name     scalar `json:"message_template_name"`
	Language scalar `json:"message_template_language"`
}

// The reviews that WhatsApp reports, by the name of the webhook's field, are in
// https://developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/reference.

func (p *parser) category(v struct {
	templateRef
	Previous scalar `json:"previous_category"`
	New      scalar `json:"new_category"`
	Correct  scalar `json:"correct_category"` // of a change to come, whose New is the present category
	At       scalar `json:"category_update_timestamp"`
}) {
	if v.Name == "" || v.New == "" && v.Correct == "" {
		p.skipped++
		return
	}
	p.add(CategoryUpdate{
		AccountID: p.account, TemplateID: string(v.ID), Name: string(v.Name), Language: string(v.Language),
		Previous: string(v.Previous), Category: string(v.New), Next: string(v.Correct), NextAt: v.At.time(),
	})
}

func (p *parser) templateQuality(v struct {
	templateRef
	Previous scalar `json:"previous_quality_score"`
	New      scalar `json:"new_quality_score"`
}) {
	if v.Name == "" || v.New == "" {
		p.skipped++
		return
	}
	p.add(TemplateQualityUpdate{
		AccountID: p.account, TemplateID: string(v.ID), Name: string(v.Name), Language: string(v.Language),
		Previous: string(v.Previous), Quality: string(v.New),
	})
}

func (p *parser) name(v struct {
	Phone    scalar `json:"display_phone_number"`
	Decision scalar `json:"decision"`
	Name     scalar `json:"requested_verified_name"`
	Reason   scalar `json:"rejection_reason"`
}) {
	if v.Phone == "" || v.Decision == "" {
		p.skipped++
		return
	}
	p.add(NameUpdate{
		AccountID: p.account, PhoneNumber: e164(string(v.Phone)), Decision: string(v.Decision), Name: string(v.Name),
		Reason: v.Reason.unlessNone(), At: p.at,
	})
}

// alertValue is an alert, which older webhooks have as a field.
type alertValue struct {
	Severity    scalar `json:"alert_severity"`
	Status      scalar `json:"alert_status"`
	Kind        scalar `json:"alert_type"`
	Description string `json:"alert_description"`
}

func (p *parser) alert(v struct {
	EntityType scalar `json:"entity_type"`
	EntityID   scalar `json:"entity_id"`
	alertValue
	Info *alertValue `json:"alert_info"`
}) {
	in := v.alertValue
	if v.Info != nil {
		in = *v.Info
	}
	if in.Kind == "" {
		p.skipped++
		return
	}
	p.add(AccountAlert{
		AccountID: p.account, EntityType: string(v.EntityType), EntityID: string(v.EntityID), Kind: string(in.Kind),
		Severity: string(in.Severity), Status: string(in.Status), Description: strings.TrimSpace(in.Description),
		At: p.at,
	})
}
