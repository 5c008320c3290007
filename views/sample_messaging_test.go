package views_test

import (
	"fmt"
	"strings"
	"time"

	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
)

const whatsappID = "0192f1aa-5b10-7c02-9d4e-77c1f0a2b3d5"

func whatsappNumber(name, phone string) views.MessagingNumber {
	return views.MessagingNumber{
		ID: whatsappID, ConnectionID: whatsappID, Connection: "Meridian", ExternalID: "200000000000001", Name: name,
		Phone: phone, Quality: "GREEN", Status: "CONNECTED",
	}
}

func limits() []views.MessagingLimit {
	low := whatsappNumber("Pharmacy line", "+17735550164")
	low.Quality = "YELLOW"
	full := whatsappNumber("", "+13125550177")
	full.Quality, full.Status = "RED", "FLAGGED"
	full.Paused = "too many messages from the number were reported as spam, or its limit is reached"
	full.PausedUntil = now.Add(20 * minute)
	nameless := whatsappNumber("", "")
	nameless.Quality, nameless.Status, nameless.Error = "", "BANNED", "the token is expired or not valid (190)"
	return []views.MessagingLimit{
		{
			Tier: "TIER_10K", Limit: 10000, Used: 2386, Planned: 800, Frees: now.Add(8 * hour),
			Numbers: []views.MessagingNumber{whatsappNumber("Care line", "+13125550100")},
		},
		{
			Shared: true, Others: true, Tier: "TIER_1K", Limit: 1000, Used: 420, Frees: now.Add(2 * hour),
			Numbers: []views.MessagingNumber{
				whatsappNumber("Prevention", "+13125550117"), whatsappNumber(longName, "+447700900123"),
			},
		},
		{
			Tier: "TIER_250", Limit: 250, Used: 212, Planned: 60, Frees: now.Add(11 * minute),
			Numbers: []views.MessagingNumber{low},
		},
		{
			Tier: "TIER_250", Limit: 250, Used: 260, Planned: 1204, Frees: now.Add(3*hour + 20*minute),
			Numbers: []views.MessagingNumber{full},
		},
		{Limit: 250, Numbers: []views.MessagingNumber{nameless}},
	}
}

func messagingDays(one int) []views.MessagingDay {
	days := make([]views.MessagingDay, 14)
	for i := range days {
		days[i] = views.MessagingDay{
			Date: ago(time.Duration(13-i) * day), Delivered: one * (i*i%7 + 2), Sent: one * (i % 3),
			Failed: one * (i % 4) / 3,
		}
	}
	return days
}

func previewOf(first string) views.MessagePreview {
	return views.MessagePreview{
		Header: "Thank you, " + first, Body: "Hello " + first +
			", thank you for talking to Nora today. We are here if you have another question.",
		Footer: "Answer STOP to hear no more from us",
		Buttons: []views.MessageButton{
			{Text: "Call me back"}, {Text: "Open", URL: "https://meridian.example/visits/{{1}}"}, {Text: "Stop"},
		},
	}
}

func templateRows() []views.MessageTemplateRow {
	return []views.MessageTemplateRow{
		{
			ID: "1", Name: "follow_up", Language: "en_US", Category: "MARKETING", Status: "APPROVED",
			Body:       "Hello {{1}}, thank you for talking to {{2}} today. We are here if you have another question.",
			Connection: "Meridian",
		},
		{
			ID: "2", Name: "a_template_whose_name_is_as_long_as_a_name_may_be_and_never_ends_for_sure",
			Language: "de", Category: "UTILITY", Status: "PENDING", Obstacle: "is not approved yet",
			Body: strings.Repeat("Guten Tag {{1}}, wir melden uns. ", 12), Connection: longName,
		},
		{
			ID: "3", Name: "offer", Language: "es", Category: "MARKETING", Status: "PAUSED", Obstacle: "is paused",
			Body: "Hola", Connection: "Meridian",
		},
		{
			ID: "4", Name: "carousel", Language: "en_US", Category: "MARKETING", Status: "APPROVED",
			Obstacle: "has a carousel, which Dialwright cannot fill", Body: "Look at these", Connection: "Meridian",
		},
		{
			ID: "5", Name: "old", Language: "en_US", Category: "", Status: "REJECTED", Obstacle: "is rejected",
			Connection: "Meridian",
		},
	}
}

func messageRows() []views.MessageRow {
	row := func(n int, to string, s views.MessageState, at time.Duration) views.MessageRow {
		return views.MessageRow{
			ID: fmt.Sprint(n), To: to, Template: "follow_up", Language: "en_US", Number: "Care line",
			Phone: "+1 312 555 0100", State: s, Created: ago(at),
		}
	}
	rows := []views.MessageRow{
		row(1, "+13125550142", views.MessageState{Status: "queued", Due: now}, 0),
		row(2, "+13125550143", views.MessageState{Status: "queued", Wait: "quota", Due: now.Add(3 * hour)}, 5*minute),
		row(3, "+447700900123", views.MessageState{Status: "sending"}, 6*minute),
		row(4, "+13125550144", views.MessageState{Status: "sending", Unknown: true}, 20*minute),
		row(5, "+13125550145", views.MessageState{Status: "sent"}, hour),
		row(6, "+13125550146", views.MessageState{Status: "delivered"}, 2*hour),
		row(7, "+13125550147", views.MessageState{Status: "read"}, 30*hour),
		row(8, "+13125550148", views.MessageState{
			Status: "failed", Error: "the message cannot be delivered to this recipient",
		}, 31*hour),
		row(9, "+13125550149", views.MessageState{Status: "canceled"}, 300*day),
	}
	rows[5].Campaign, rows[6].Campaign = "Check-in after hospital", longName
	return rows
}

func message() views.Message {
	p := previewOf("Ada")
	return views.Message{
		MessageRow: messageRows()[6], NumberID: "1", TemplateID: "1", CampaignID: "2",
		OperatorID: "wamid.HBgLMTMxMjU1NTAxNDIVAgARGBI5QTNDQTVCM0Q0Q0Q2RTY3RTcA", CreatedBy: "Ingrid Vasquez",
		Preview: &p,
		Steps: []ui.Step{
			{Glyph: ui.GlyphStep, Word: "Queued", At: ago(hour)},
			{Glyph: ui.GlyphStep, Word: "Sent", Note: "At try 3", At: ago(50 * minute)},
			{Glyph: ui.GlyphCompleted, Word: "Delivered", At: ago(49 * minute)},
			{Glyph: ui.GlyphRead, Word: "Read", At: ago(10 * minute)},
		},
	}
}

func messagingSamples() []sample {
	trouble := admin("/messaging")
	trouble.Messaging = 2
	anyNumber := []ui.Option{{Value: "1", Label: "Care line, +1 312 555 0100"}}

	waiting := message()
	waiting.MessageRow = messageRows()[1]
	waiting.Steps = []ui.Step{
		{Glyph: ui.GlyphStep, Word: "Queued", At: ago(hour)},
		{Glyph: ui.GlyphPending, Word: "Deferred", Note: "Until Fri 20 Nov, 17:05", At: now.Add(3 * hour)},
	}
	waiting.EventsHref, waiting.CampaignID, waiting.OperatorID = "/events", "", ""
	failed := message()
	failed.MessageRow, failed.ErrorCode = messageRows()[7], 131026
	failed.Steps = append(failed.Steps[:2:2], ui.Step{Glyph: ui.GlyphFailed, Word: "Failed", At: ago(49 * minute)})
	failed.Preview = nil
	failed.TemplateID = ""
	failed.Variables = []ui.Fact{{Name: "1", Text: "Ada"}, {Name: "header.1", Text: strings.Repeat("long ", 40)}}

	template := views.MessageTemplate{
		MessageTemplateRow: templateRows()[0], ConnectionID: whatsappID,
		Preview: previewOf("{{1}}"), Variables: []string{"header.1", "1", "2", "button.1.1"},
	}
	template.Quality = "GREEN"
	rejected := views.MessageTemplate{
		MessageTemplateRow: templateRows()[4], ConnectionID: whatsappID, Reason: "INVALID_FORMAT",
		Preview: views.MessagePreview{Header: "image", Media: true, Body: strings.Repeat("word", 60)},
	}

	form := views.MessageForm{Mark: whatsappID, TemplateID: "1", Template: "follow_up", Language: "en_US",
		Numbers: []ui.Option{{Value: "1", Label: "Care line, +1 312 555 0100, 187 available"}},
		Preview: previewOf("{{1}}"),
		Variables: []views.MessageVariable{
			{Key: "header.1", Kind: "text"}, {Key: "1", Kind: "text"}, {Key: "button.0.code", Kind: "code"},
			{Key: "header.image", Kind: "link"},
		}}
	wrong := form
	wrong.To, wrong.Preview = "12", previewOf("Ada")
	wrong.Errors = ui.Errors{
		"to_number": "not a valid phone number", "template.variables.1": "must not be empty", "template": "is paused",
	}

	moved, announced := template, template
	moved.Change = views.TemplateChange{From: "UTILITY", At: ago(day), Marketing: true}
	announced.Change = views.TemplateChange{Next: "UTILITY", NextAt: now.Add(20 * hour)}
	reviewed := whatsappNumber("Care line", "+13125550100")
	reviewed.NameRequested, reviewed.NameDecision = "Meridian Care", "REJECTED"
	reviewed.NameReason = "NAME_NOT_CONSISTENT_WITH_BRANDING"

	row := views.WhatsAppRow{
		ID: whatsappID, Name: "Meridian", Account: "100000000000001", Numbers: 2,
		State: views.WhatsAppState{Subscribed: true}, Read: ago(minute), Created: ago(40 * day),
	}
	expired := row
	expired.Name = longName
	expired.State = views.WhatsAppState{
		Subscribed: true, Error: "the token is expired or not valid (190)", ErrorAt: ago(3 * minute),
	}
	stopped := row
	stopped.State = views.WhatsAppState{
		Subscribed: true, Paused: "the business account has a problem with its payment (131042)",
		PausedUntil: now.Add(50 * minute),
	}
	deaf := row
	deaf.State, deaf.Read = views.WhatsAppState{}, time.Time{}
	gone := row
	gone.State.Disconnected = ago(day)
	account := func(r views.WhatsAppRow) views.WhatsAppConnection {
		return views.WhatsAppConnection{WhatsAppRow: r,
			CallbackURL: "https://calls.meridian.example/hooks/whatsapp/" + whatsappID,
			VerifyToken: "UYDSLBG5GYFXGQWXXMA3MGYPWC",
			Of:          []views.MessagingNumber{whatsappNumber("Care line", "+13125550100"), limits()[3].Numbers[0]}}
	}
	path := "/settings/integrations/whatsapp/" + whatsappID
	many := []views.WhatsAppRow{row, expired, stopped, deaf}

	return []sample{
		{"messaging-none", views.MessagingPage(admin("/messaging"), views.Messaging{Days: messagingDays(0)})},
		{"messaging-off", views.MessagingPage(staff("/messaging"), views.Messaging{Off: true, Days: messagingDays(3)})},
		{
			"messaging-one",
			views.MessagingPage(staff("/messaging"), views.Messaging{Limits: limits()[:1], Days: messagingDays(0)}),
		},
		{
			"messaging",
			views.MessagingPage(trouble, views.Messaging{
				Limits: limits(), Days: messagingDays(131), EventsHref: "/events",
			}),
		},
		{"templates-none", views.MessageTemplatesPage(admin("/messaging/templates"), views.MessageTemplates{})},
		{
			"templates",
			views.MessageTemplatesPage(admin("/messaging/templates"), views.MessageTemplates{
				Rows: templateRows(), Pager: ui.Pager{OlderHref: "?cursor=x"},
			}),
		},
		{"template", views.MessageTemplatePage(admin("/messaging/templates/1"), template)},
		{"template-moved", views.MessageTemplatePage(admin("/messaging/templates/1"), moved)},
		{"template-announced", views.MessageTemplatePage(admin("/messaging/templates/1"), announced)},
		{"template-rejected", views.MessageTemplatePage(admin("/messaging/templates/5"), rejected)},
		{
			"templates-none-connected",
			views.MessageTemplatesPage(admin("/messaging/templates"), views.MessageTemplates{Connected: true}),
		},
		{"messages-none", views.MessagesPage(admin("/messaging/messages"), views.Messages{None: true, CanSend: true})},
		{"messages-none-unconnected", views.MessagesPage(admin("/messaging/messages"), views.Messages{None: true})},
		{
			"messages-no-match",
			views.MessagesPage(staff("/messaging/messages"), views.Messages{
				ToNumber: "12", Status: "failed", Numbers: anyNumber,
				Errors: ui.Errors{"to_number": "not a valid phone number"},
			}),
		},
		{
			"messages",
			views.MessagesPage(admin("/messaging/messages"), views.Messages{
				Rows: messageRows(), CanSend: true, Numbers: anyNumber,
				Templates: ui.OptionsOf("follow_up", "heads_up"),
				Pager:     ui.Pager{Line: "Newest first", OlderHref: "?cursor=x"},
			}),
		},
		{"message", views.MessagePage(staff("/messaging/messages/7"), message())},
		{"message-waiting", views.MessagePage(admin("/messaging/messages/2"), waiting)},
		{"message-failed", views.MessagePage(admin("/messaging/messages/8"), failed)},
		{
			"message-cancel",
			views.ConfirmPage(admin("/messaging/messages/2/cancel"), views.CancelMessage("2", "+13125550143")),
		},
		{"message-form", views.MessageFormPage(admin("/messaging/messages/new"), form)},
		{"message-form-off", views.MessageFormPage(admin("/messaging/messages/new"), views.MessageForm{Off: true})},
		{"message-form-none", views.MessageFormPage(admin("/messaging/messages/new"), views.MessageForm{})},
		{
			"message-form-unapproved",
			views.MessageFormPage(admin("/messaging/messages/new"), views.MessageForm{Connected: true}),
		},
		{"message-form-wrong", views.MessageFormPage(admin("/messaging/messages"), wrong)},
		{
			"whatsapp-list-off",
			views.IntegrationsPage(admin("/settings/integrations"), views.Integrations{WhatsAppOff: true}),
		},
		{"whatsapp-list", views.IntegrationsPage(staff("/settings/integrations"), views.Integrations{WhatsApp: many})},
		{"whatsapp-form", views.WhatsAppFormPage(admin(whatsappNew), views.WhatsAppForm{})},
		{
			"whatsapp-form-wrong",
			views.WhatsAppFormPage(admin(path), views.WhatsAppForm{
				ID: whatsappID, Known: "Meridian", Account: "100000000000001",
				Errors: ui.Errors{
					"name": "required", "token": "WhatsApp rejected this token: it is expired or not valid (190)",
				},
			}),
		},
		{"whatsapp", views.WhatsAppConnectionPage(admin(path), account(row))},
		{"whatsapp-alerts", views.WhatsAppConnectionPage(staff(path), views.WhatsAppConnection{
			WhatsAppRow: row, Of: []views.MessagingNumber{reviewed}, Alerts: []views.WhatsAppAlert{
				{
					Kind: "INCREASED_CAPABILITIES_ELIGIBILITY_FAILED", Severity: "CRITICAL", Active: true,
					At:          ago(hour),
					Description: "Your business is not eligible to message more customers at this time.",
				},
				{Kind: "OBA_APPROVED", Severity: "INFORMATIONAL", At: ago(3 * day)},
			},
		})},
		{"whatsapp-expired", views.WhatsAppConnectionPage(admin(path), account(expired))},
		{"whatsapp-stopped", views.WhatsAppConnectionPage(staff(path), account(stopped))},
		{
			"whatsapp-gone",
			views.WhatsAppConnectionPage(admin(path), views.WhatsAppConnection{WhatsAppRow: gone, Off: true}),
		},
		{
			"phone-number-form-whatsapp",
			views.PhoneNumberFormPage(admin("/phone-numbers/1"), views.PhoneNumberForm{
				ID: "1", Number: "+13125550100", Connection: "Twilio, main account", Name: "Care line",
				Messaging: "1", WhatsApp: anyNumber,
				Errors: ui.Errors{"messaging_external_id": "no such WhatsApp number"},
			}),
		},
	}
}

const whatsappNew = "/settings/integrations/whatsapp/new"
