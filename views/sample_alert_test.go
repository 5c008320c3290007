package views_test

import (
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
)

func alertSamples() []sample {
	open := views.Alerts{Pager: ui.Pager{OlderHref: "?cursor=x"}, Rows: []views.Alert{
		{
			Title: "Webhook disabled: Patient records", Href: "/webhooks/1", Since: ago(2 * hour),
			Text: "Its endpoint answered 410 Gone, so it no longer exists. Nothing is sent to it while it is disabled",
			Do: "Events are kept for 30 days. When the endpoint works again, activate the webhook and recover what " +
				"it missed.",
		},
		{
			Title: "Follow-up due: Walter Emerson", Text: "Answered “no” to “Does that time suit you?”",
			Href: "/follow-ups/1", Since: ago(26 * hour), Due: ago(26 * hour), Others: true,
			Do: "Call the person, then mark the follow-up as done.",
		},
	}}
	resolved := views.Alerts{Resolved: true, Rows: []views.Alert{{
		Title: "Campaign paused: Appointments", Text: "20 calls in a row could not be placed", Href: "/campaigns/1",
		Since: ago(3 * day), Resolved: ago(2 * day),
	}}}
	form := views.AlertSettings{Email: "ingrid@meridian.example", Digest: true, Weekly: true, Kinds: []ui.Check{
		{Name: "kinds", Value: "webhook_disabled", Label: "Webhook disabled", Checked: true,
			Hint: "A webhook was disabled because its endpoint kept failing or is gone."},
		{Name: "kinds", Value: "follow_up_new", Label: "New follow-ups", Checked: true,
			Hint: "New follow-ups have no assignee. You get at most one email about them every 30 minutes."},
		{Name: "kinds", Value: "follow_up_due", Label: "Follow-up due",
			Hint: "A follow-up that is assigned to you, or to nobody, is due."},
	}}
	sending := form
	sending.Sends = true
	reader := staff("/alerts")
	reader.Alerts = 1
	return []sample{
		{"alerts", views.AlertsPage(reader, open)},
		{"alerts-resolved", views.AlertsPage(admin("/alerts"), resolved)},
		{"alerts-none", views.AlertsPage(staff("/alerts"), views.Alerts{})},
		{"alerts-settings", views.AlertSettingsPage(admin("/alerts/settings"), sending)},
		{"alerts-settings-without", views.AlertSettingsPage(staff("/alerts/settings"), form)},
	}
}
