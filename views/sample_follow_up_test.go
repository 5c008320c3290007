package views_test

import (
	"time"

	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
)

func followUpSamples() []sample {
	rows := []views.FollowUpRow{
		{
			ID: "1", Kind: "call_back", Name: "Ana Souza", Number: "+15005550006", Assignee: "Ada Bauer",
			Reason: "Asked to be called back. The requested time is outside the calling hours. " +
				"The agent calls when they open",
			Due: now.Add(-time.Hour), Created: now.Add(-5 * time.Hour), Settled: true, Campaign: "Appointments",
		},
		{ID: "2", Kind: "wants_human", Number: "+15005550007", Reason: "Asked to talk to a person", Created: now},
		{ID: "3", Kind: "answer", Done: true, Created: now.Add(-50 * time.Hour)},
	}
	members := []ui.Option{{Label: "Nobody"}, {Value: "7", Label: "Ada Bauer"}}
	filters := views.FollowUps{
		Status: "open", Members: []ui.Option{{Value: "me", Label: "Me"}, {Value: "none", Label: "Nobody"}},
		Projects: ui.OptionsOf("Clinic"), Open: 2, Mine: 1, Overdue: 1, Most: 1000,
	}
	full, wrong := filters, filters
	full.Rows, full.Pager = rows, ui.Pager{Line: "Newest first", OlderHref: "?cursor=x"}
	full.CampaignID, full.Campaigns = "1", []ui.Option{{Value: "1", Label: "Appointments"}}
	full.Given = views.AnswerFilter{"confirmed": "false"}
	full.ByAnswer = views.AnswerFields{Questions: ui.OptionsOf("confirmed", "pain")}
	full.Chips = []views.FilterChip{{Name: "Confirmed", Value: "No", RemoveHref: "/follow-ups"}}
	full.ListHref, full.ListQuery = "/follow-ups?cursor=x", "cursor=x"
	full.Matching = views.Matching{Rows: 148, Until: "2026-11-20T19:05:00Z"}
	full.ExportHref = "/follow-ups/export"
	wrong.Errors = ui.Errors{"due": "unknown"}
	open := views.FollowUp{
		FollowUpRow: rows[0], CallID: "1", CampaignID: "1", LaterCallID: "2", LaterCallAt: now, AssigneeID: "7",
		DueAt: "2026-11-20T19:05", Members: members, ListQuery: "due=overdue",
	}
	taken := views.FollowUp{FollowUpRow: rows[1], CallID: "1", Members: members, CanTake: true}
	taken.Errors = ui.Errors{"due_at": "must be a date and a time"}
	done := views.FollowUp{FollowUpRow: rows[2], CallID: "1", Note: "Called back", Members: members}
	done.CreatedBy, done.DoneBy, done.DoneAt = "Ada Bauer", "CRM", now
	creating := views.NewFollowUp{CallID: "1", Name: "Ana Souza", Number: "+15005550006", Members: members}
	refused := creating
	refused.Errors = ui.Errors{"reason": "required"}
	return []sample{
		{"follow-ups", views.FollowUpsPage(staff("/follow-ups"), full)},
		{"follow-ups-wrong", views.FollowUpsPage(staff("/follow-ups"), wrong)},
		{"follow-ups-no-match", views.FollowUpsPage(staff("/follow-ups"), filters)},
		{"follow-ups-none", views.FollowUpsPage(admin("/follow-ups"), views.FollowUps{None: true})},
		{"follow-up", views.FollowUpPage(staff("/follow-ups/1"), open)},
		{"follow-up-take", views.FollowUpPage(staff("/follow-ups/2"), taken)},
		{"follow-up-done", views.FollowUpPage(admin("/follow-ups/3"), done)},
		{"follow-up-new", views.NewFollowUpPage(staff("/calls/1/follow-ups/new"), creating)},
		{"follow-up-new-wrong", views.NewFollowUpPage(staff("/calls/1/follow-ups"), refused)},
	}
}
