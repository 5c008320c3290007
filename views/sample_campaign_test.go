package views_test

import (
	"fmt"
	"strings"
	"time"

	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
)

const longName = "Follow-up of everybody who asked to be called back after the October wellness visits in the " +
	"northern districts, second round"

func campaignRows() []views.CampaignRow {
	return []views.CampaignRow{
		{
			ID: "0192f3c1-7be4-7a90-8000-000000000001", Name: "Post-discharge check-in, week 46",
			Project: "Care coordination", Status: "running", Note: "10 calls now", Left: "About 38 min",
			Counters: views.Counters{Total: 1840, Completed: 1126, Failed: 382, InProgress: 20, Pending: 312},
			Started:  ago(5 * hour),
		},
		{
			ID: "2", Name: "Autumn flu-shot reminders", Project: "Prevention", Status: "running",
			Note:     "Next call at 14:16",
			Counters: views.Counters{Total: 4000, Completed: 2096, Failed: 532, Skipped: 168, Pending: 1204},
			Started:  ago(23 * hour),
		},
		{
			ID: "3", Name: "Wellness visit booking", Project: "Prevention", Status: "paused",
			Note: "Twenty carrier errors in a row", Counters: views.Counters{Total: 800, Completed: 20, Pending: 780},
			Started: ago(4 * hour),
		},
		{
			ID: "4", Name: longName, Project: "Prevention", Status: "scheduled",
			Counters: views.Counters{Total: 100000, Pending: 100000}, Scheduled: now.Add(60 * hour),
		},
		{
			ID: "5", Name: "One person", Project: "Pharmacy", Status: "completed",
			Counters: views.Counters{Total: 1, Completed: 1}, Started: ago(20 * day), Ended: ago(20*day - hour),
		},
		{
			ID: "6", Name: "Last year's survey", Project: "Pharmacy", Status: "canceled",
			Counters: views.Counters{Total: 620, Completed: 96, Failed: 30, Canceled: 494}, Started: ago(400 * day),
			Ended: ago(399 * day),
		},
		{
			ID: "7", Name: "Number given back", Project: "Pharmacy", Status: "failed",
			Counters: views.Counters{Total: 10, Expired: 10}, Started: ago(40 * day), Ended: ago(39 * day),
		},
	}
}

func calls(parts ...int) []ui.Part {
	var all []ui.Part
	for i, n := range parts {
		all = append(all, ui.Part{Word: ui.Outcomes[i], Count: n})
	}
	return all
}

func campaignLog() []views.LogRow {
	return []views.LogRow{
		{
			Glyph: ui.GlyphPending,
			Text:  "Waiting: 862 for their calling hours, 342 for their next attempt. Next call at 14:16",
			At:    ago(20 * minute),
		},
		{
			Glyph: ui.GlyphWarning,
			Text: "1,284 calls could not be placed: the carrier connection failed. They will be retried and do not " +
				"count as attempts",
			At: ago(2 * hour), Last: ago(hour + 12*minute),
		},
		{Glyph: ui.GlyphInProgress, Text: "Resumed", Actor: "Ingrid Vasquez", At: ago(3 * hour)},
		{
			Glyph: ui.GlyphPaused,
			Text: "Paused automatically: 20 calls in a row could not be placed through the connection Twilio: " +
				"authentication failed (20003)",
			At: ago(3*hour + 20*minute),
		},
		{
			Text:  "400 more recipients added. 12 skipped: 9 on the do-not-call list, 3 duplicates",
			Actor: "API key Nightly export", At: ago(21 * hour),
		},
		{Glyph: ui.GlyphInProgress, Text: "Started", At: ago(23 * hour)},
		{
			Text:  "Created with 3,600 recipients, scheduled for 19 Nov, 15:00. 156 skipped: duplicates",
			Actor: "Ingrid Vasquez", At: ago(30 * hour),
		},
	}
}

func flu() views.Campaign {
	open := []ui.Span{{From: 15 * 60, To: 20 * 60}}
	return views.Campaign{
		ID: "0192f3c1-7be4-7a90-8a11-3f20d7716ab9", Name: "Autumn flu-shot reminders", Status: "running",
		Project: "Prevention", AgentID: "1", Agent: "Nora", From: ui.Phone("+13125550100"),
		Counters: views.Counters{
			Total: 4000, Completed: 2096, Voicemail: 318, Failed: 532, Skipped: 168, Pending: 1204,
		},
		Started: ago(23 * hour), Scheduled: ago(23 * hour),
		NextAt: now.Add(11 * minute),
		Waiting: []views.Wait{
			{Recipients: 862, Text: "wait for their calling hours, first at 15:00", Zones: []views.ZoneWait{
				{Recipients: 512, Text: "in America/Chicago, closed until 15:00 their time"},
				{Recipients: 214, Text: "in America/Denver, closed until 15:00 their time"},
				{Recipients: 136, Text: "in Atlantic/Azores and Europe/Lisbon, closed until 23 Nov, 10:00 CST"},
			}},
			{Glyph: ui.GlyphStep, Recipients: 342, Text: "wait for their next attempt, first at 14:16"},
		},
		NotDue: "Not the cause: simultaneous calls (0 of 10), pace (1 per second), carrier.",
		Clocks: []ui.WeekRow{
			{Label: "New York", Open: open, Now: 15*60 + 5, Note: "342 between attempts"},
			{Label: "Chicago", Open: open, Now: 14*60 + 5, Note: "512, opens in 55 min"},
			{Label: "Denver", Open: open, Now: 13*60 + 5, Note: "214, in 1 h 55 min"},
			{Label: "Los Angeles", Open: open, Now: 12*60 + 5, Note: "136, in 2 h 55 min"},
		},
		Hours:       "Calling hours 15:00–20:00, Mon–Fri, by each recipient's own clock. The line is now.",
		CallsPlaced: 4871, Outcomes: calls(2096, 1412, 803, 401, 159, 0),
		Compliance: views.Compliance{
			Answered: 2140, ByPerson: 1337, OptedOut: 21, Abandoned: 4, Short: 187,
			Limit: " Last 30 days: 4 of 1,120 (0.36%). The campaign is paused above 3%, from 100 answered calls.",
		},
		Costs: []ui.Fact{
			{Name: "Total", Value: ui.Lines([]string{"183.03 USD", "12.40 EUR"})},
			{Name: "Of this, language models", Value: ui.Lines([]string{"21.40 USD"})},
			{Name: "Per completed call", Value: ui.Lines([]string{"0.0873 USD", "0.1240 EUR"})},
			{Name: "Cost known for", Text: "2,140 calls"},
		},
		Log: campaignLog()[:6],
		Settings: []ui.Fact{
			{Name: "Call reason", Text: "Your appointment on Monday"},
			{Name: "Calling hours", Text: "Recipient's time, 15:00–20:00, Mon–Fri"},
			{Name: "Retries", Text: "Up to 3 attempts. After busy and no answer: 30 min, 4 h"},
			{Name: "Pace", Text: "10 simultaneous calls, 1 per second"}, {Name: "Voicemail", Text: "Leave a message"},
		},
		Recipients: []views.RecipientRow{
			{
				Name: "Adaeze Whitlock", Number: "+12125550142", State: "completed", Zone: "America/New_York",
				Attempts: 1, MaxAttempts: 3, LastCallID: "1", LastCallAt: ago(2 * minute), TalkSeconds: 134,
			},
			{
				Name: "Harold Iversen", Number: "+16465550171", State: views.OptedOut, Zone: "America/New_York",
				Attempts: 1, MaxAttempts: 3, LastCallID: "1", LastCallAt: ago(26 * hour), TalkSeconds: 26,
			},
			{
				Name: "Tomasz Wieczorek", Number: "+16465550187", State: "voicemail", Note: ", message left",
				Zone: "America/New_York", Attempts: 2, MaxAttempts: 3, LastCallID: "1", LastCallAt: ago(3 * minute),
				TalkSeconds: 31,
			},
			{
				Name: "Denise Fairbanks", Number: "+12125550119", State: "no_answer", Note: ", retry at 18:02",
				Zone: "America/New_York", Attempts: 2, MaxAttempts: 3, LastCallID: "1", LastCallAt: ago(3 * minute),
			},
			{
				Name: "Luis Arreola", Number: "+14805550173", State: "pending", Note: ", due 23 Nov, 15:00",
				Zone: "America/Phoenix", MaxAttempts: 3, ID: "5", CanCancel: true, CanPrioritize: true,
			},
			{
				Number: "+4915112345678", State: "busy", Note: ", retry at 14:31", Zone: "Europe/Berlin", Attempts: 1,
				MaxAttempts: 3, LastCallID: "1", LastCallAt: ago(20 * hour),
			},
			{
				Name: "Rosalind Achterberg-Featherstonehaugh", Number: "+18475550136", State: "skipped",
				Note: ", on the do-not-call list", Zone: "America/Argentina/Buenos_Aires", MaxAttempts: 3,
			},
			{
				Name: "Caleb Nakagawa", Number: "+13125550109", State: "failed", Note: ", number not in service",
				Zone: "America/Chicago", Attempts: 1, MaxAttempts: 3, LastCallID: "1", LastCallAt: ago(19 * hour),
			},
		},
		Pager:    ui.Pager{Line: "In the order they were added", OlderHref: "?cursor=x", Forward: true},
		CanPause: true, CanCancel: true, EventsHref: "/events",
	}
}

func weekHours() []ui.WeekRow {
	weekday := []ui.Span{{From: 9 * 60, To: 12*60 + 30}, {From: 15 * 60, To: 20 * 60}}
	var rows []ui.WeekRow
	for i, d := range ui.Weekdays {
		r := ui.WeekRow{Label: d.Short, Open: weekday, Now: -1}
		switch i {
		case 5:
			r.Open = []ui.Span{{From: 10 * 60, To: 13 * 60}}
		case 6:
			r.Open = nil
		}
		rows = append(rows, r)
	}
	return rows
}

func callChoices() views.CallChoices {
	return views.CallChoices{
		Projects:     []ui.Option{{Value: "1", Label: "Prevention"}, {Value: "2", Label: "Care coordination"}},
		Agents:       []ui.Option{{Value: "1", Label: "Nora, English (US)"}, {Value: "2", Label: "Nora, Spanish (US)"}},
		PhoneNumbers: []ui.Option{{Value: "1", Label: "+1 312 555 0100, Care line"}},
	}
}

// beside is a form that can begin with earlier campaigns.
func beside(v views.CampaignForm) views.CampaignForm {
	v.Earlier = []ui.Option{
		{Value: "1", Label: "Usual settings, 21 Nov", Group: "Drafts"},
		{
			Value: "2", Label: "Autumn flu-shot reminders for everybody in the northern district, 20 Nov",
			Group: "Campaigns",
		},
	}
	return v
}

func form() views.CampaignForm {
	return views.CampaignForm{
		MaxConcurrency: "10", CallsPerSecond: "1", CallSettings: callSettings(),
	}
}

func callSettings() views.CallSettings {
	return views.CallSettings{
		CallChoices: callChoices(),
		Hours: views.HoursForm{
			Mode: "project", Clock: "recipient", Drawn: weekHours(),
			Words: "The hours of Prevention, by each recipient's own clock.",
		},
		MaxAttempts: "1", DelaysMinutes: "30", RetryOn: []string{"busy", "no_answer"},
		Intents: []views.IntentForm{
			{Intent: "wrong_person", Action: "stop", Actions: []ui.Option{
				{Value: "retry", Label: ui.IntentAction("retry")}, {Value: "stop", Label: ui.IntentAction("stop")},
			}},
			{Intent: "call_back", Action: "call_back", Actions: []ui.Option{
				{Value: "call_back", Label: ui.IntentAction("call_back")},
				{Value: "retry", Label: ui.IntentAction("retry")},
			}},
		},
		OutcomeDelays: map[string]string{"busy": "5, 15"}, VoicemailAction: "hang_up", RingTimeoutSeconds: "30",
		MaxDurationSeconds: "600",
	}
}

func checkedForm() views.CampaignForm {
	v := form()
	v.Name, v.ProjectID, v.AgentID, v.PhoneNumberID = "Wellness visit booking, December", "1", "1", "1"
	v.ScheduledAt = "2026-11-23T09:00"
	v.TestRow = "1"
	v.TestRows = []ui.Option{
		{Value: "0", Label: "Row 2: Olu Adeyemi"},
		{Value: "1", Label: "Row 3: Wilhelmina Montgomery-Featherstonehaugh"},
	}
	v.Placed = []views.TestCall{{ID: "1", Number: "+13125550142"}, {ID: "2", Number: "+13125550143"}}
	v.List = views.ListForm{
		Upload: "1", Name: "wellness-december.csv", Format: "Windows-1252, separated by semicolons", Header: true,
		LeaveOut: true,
		Columns: []views.ListColumn{
			{
				Header: "Patient", Variable: "patient", Use: "name",
				Samples: []string{"Margaret Oyelaran", "Winston Abara"},
			},
			{
				Header: "Mobile", Variable: "mobile", Use: "phone_number",
				Samples: []string{"(312) 555-0142", "773 555 0181"},
			},
			{Header: "Doctor", Variable: "doctor", Use: "variable", Samples: []string{"Amin", "Sorensen"}},
			{
				Header: "Consent given on", Variable: "consent_given_on", Use: "consent_at",
				Samples: []string{"2026-03-31"},
			},
			{Variable: "column_5", Use: "none"},
		},
		Preview: &views.Preview{
			Rows: 1212, Rejected: 55, Named: true, Columns: []string{"doctor"},
			Wrong: []views.PreviewRow{
				{
					Line: 118, Typed: "312-555-01", Name: "Joan Petrie", State: "rejected",
					Check: "Not a valid phone number",
				},
				{Line: 733, Name: "Ellis Varga", State: "rejected", Check: "No phone number"},
				{
					Line: 901, Typed: "4.917E+11", Name: strings.Repeat("Long ", 8) + "…", State: "rejected",
					Check: "The spreadsheet rounded this number. Format its column as text",
				},
			},
			Sample: []views.PreviewRow{
				{
					Line: 2, Typed: "(312) 555-0142", Number: "+1 312 555 0142", Name: "Margaret Oyelaran",
					Cells: []string{"Amin"}, State: "ready",
				},
				{
					Line: 3, Typed: "+17735550181", Number: "+1 773 555 0181", Name: "Winston Abara",
					Cells: []string{"Amin"}, State: "ready",
				},
				{
					Line: 119, Typed: "+1 847 555 0136", Number: "+1 847 555 0136", Name: "Rosalind Achterberg",
					Cells: []string{"Amin"}, State: "skipped", Check: "On the do-not-call list, will be skipped",
				},
				{
					Line: 402, Typed: "312 555 0142", Number: "+1 312 555 0142", Name: "Margaret Oyelaran",
					Cells: []string{"Amin"}, State: "skipped", Check: "Duplicate, will be skipped",
				},
			},
		},
	}
	v.Outlook = &views.Outlook{
		Rows: 1212, Called: 1138, Duplicates: 12, DoNotCall: 7, Rejected: 55, Calls: 3414,
		First: "Mon 23 Nov, 09:00 in the recipients' time",
		Last:  "about Tue 24 Nov, 11:00 CST", PerCall: "Based on your average call of 48 s",
		Quota: &views.OutlookQuota{Name: "Care team", Needed: 1157, Available: 234, Used: 16, Tier: 250},
		Refused: "Recipient list (1,157) exceeds the 234 conversations available for number 106540352242922. Choose " +
			"“Never send a message”, a shorter list or a number without WhatsApp.",
	}
	p := previewOf("{{1}}")
	v.Messaging = views.MessagingForm{
		Trigger: "after_call", Template: "follow_up/en_US", Preview: &p,
		Templates: []ui.Option{{Value: "follow_up/en_US", Label: "follow_up, en_US"}},
		Numbers:   []ui.Option{{Value: "1", Label: "Care team, +1 312 555 0122, 234 available"}},
		Variables: []views.MessageVariable{
			{Key: "header.1", Kind: "text", Value: "{{name|there}}"}, {Key: "1", Kind: "text"},
		},
	}
	return v
}

func campaignSamples() []sample {
	first := views.FirstSteps{
		Agent: "Nora, English (US)", PhoneNumber: "+15005550006", Sandbox: true,
		BaseURL: "https://calls.meridian.example", ProjectID: "0192f3c0-1a2b-7c44-9e01-6b5d2f7c8a10",
		AgentID: "0192f3c0-1a2c-7f03-b2d7-90ac41e5d3f6", PhoneNumberID: "0192f3c0-1a2d-7b91-8c5e-3f20d7716ab9",
	}

	wrong := checkedForm()
	wrong.Name, wrong.DelaysMinutes = "", "30, soon"
	wrong.Hours.Mode, wrong.Hours.Clock, wrong.Hours.Zone = "custom", "zone", "Mars/Olympus"
	wrong.Hours.Windows = []views.WindowForm{
		{Days: []string{"mon", "tue", "wed", "thu", "fri"}, Start: "09:00", End: "08:00"},
		{Days: []string{"sat"}, Start: "10:00", End: "13:00"}, {Days: []string{"sun"}, Start: "10:00", End: "13:00"},
	}
	wrong.Detection = views.DetectionForm{Mode: "fast", TimeoutSeconds: "90"}
	wrong.Errors = ui.Errors{
		"detection.timeout_seconds": "must be between 3 and 59",
		"name":                      "1 to 200 characters", "retry.delays_minutes[1]": "numbers only, such as 30, 240",
		"calling_hours.timezone":       "must be a time zone such as America/Chicago",
		"calling_hours.windows[0].end": "must be after the start",
		"metadata":                     "too large", "recipients": "5 rows to correct",
	}

	unread := checkedForm()
	unread.List.Preview, unread.Outlook = nil, nil
	added := views.RecipientsForm{
		ID: "1", Name: "Autumn flu-shot reminders", Total: 4000, List: checkedForm().List,
		Outlook: &views.Outlook{
			Rows: 1212, Called: 1138, Duplicates: 12, DoNotCall: 7, Rejected: 55, Calls: 1138, First: "Now",
			TooFar: true, Late: 0, PerCall: "Assumes calls of 1 min",
		},
	}
	ended409 := views.RecipientsForm{
		ID: "1", Name: longName, Total: 4000, Ended: "This campaign is completed and can no longer take recipients.",
		List: unread.List,
		Errors: ui.Errors{
			"": "This campaign is completed and can no longer take recipients",
			"recipients": "no column looks like phone numbers. Choose the phone number column, " +
				"or name it phone_number",
		},
	}

	paused := flu()
	paused.Status = "paused"
	paused.PauseReason = "Twilio refused 20 calls in a row: authentication failed (20003). Check the connection's " +
		"credentials, then resume."
	paused.EventsHref = "/events"
	paused.Waiting, paused.CanPause, paused.CanResume = nil, false, true

	budgeted, monthly := paused, paused
	budgeted.Budget = views.CampaignBudget{
		Amount: "1,500.00 USD", CanChange: true,
		Spent: "1,482.60 USD of 1,500.00 USD. About 1,503.12 USD with 114 calls whose price is not known",
	}
	budgeted.PauseCause = views.PausedBudget
	budgeted.PauseReason = "The campaign has reached its budget of 1,500.00 USD. Calls cost 1,482.60 USD, or about " +
		"1,503.12 USD with 114 calls whose price is not known"
	monthly.Budget = views.CampaignBudget{CanChange: true}
	monthly.PauseCause = views.PausedMonthBudget
	monthly.PauseReason = "The organization has reached its monthly budget of 5,000.00 USD for November 2026. " +
		"Calls cost 5,000.40 USD"
	budget := views.CampaignBudgetForm{
		BudgetForm: views.BudgetForm{Amount: "1500", Currency: "USD"}, ID: "1", Name: longName,
		Spent: budgeted.Budget.Spent,
	}
	wrongBudget := views.CampaignBudgetForm{
		BudgetForm: views.BudgetForm{Amount: "0", Currency: "ABC"}, ID: "1", Name: "Autumn flu-shot reminders",
		Errors: ui.Errors{"budget.amount": "must be more than 0", "budget.currency": "not an ISO 4217 currency code"},
	}

	ended := flu()
	ended.Name, ended.Status = longName, "completed"
	ended.Ended = ago(hour)
	ended.EndedReason = "The campaign reached its end time. 1,204 recipients were not called and have expired."
	ended.Counters.Expired, ended.Counters.Pending = 1204, 0
	ended.Waiting, ended.CanPause, ended.CanCancel = nil, false, false
	ended.EventsHref, ended.Recipients, ended.State = "", nil, "canceled"

	scheduled := flu()
	scheduled.Status, scheduled.Counters = "scheduled", views.Counters{Total: 4000, Skipped: 168, Pending: 3832}
	scheduled.Started, scheduled.Scheduled = time.Time{}, now.Add(60*hour)
	scheduled.NextAt, scheduled.CanPause = time.Time{}, false
	scheduled.Waiting, scheduled.Clocks = nil, nil
	scheduled.Hours, scheduled.CallsPlaced = "", 0
	scheduled.Outcomes, scheduled.Compliance = calls(0, 0, 0, 0, 0, 0), views.Compliance{}
	scheduled.Log, scheduled.Recipients = campaignLog()[6:], scheduled.Recipients[3:4]

	canceled := flu()
	canceled.Status, canceled.Ended = "canceled", ago(hour)
	canceled.Counters.Canceled, canceled.Counters.Pending = 1204, 0
	canceled.Waiting, canceled.CanPause = nil, false
	canceled.CanDelete = true
	canceled.CanCancel, canceled.EventsHref, canceled.State = false, "", "failed"
	canceled.Recipients = canceled.Recipients[6:]

	duplicate := form()
	duplicate.From, duplicate.OriginalList, duplicate.OriginalTotal = "1", true, 4000
	draft := flu()
	draft.Status, draft.Counters, draft.CanStart = "draft", views.Counters{Total: 280, Pending: 280}, true
	draft.Started, draft.Scheduled, draft.Waiting, draft.Clocks, draft.Hours = time.Time{}, now, nil, nil, ""
	draft.CallsPlaced, draft.Outcomes = 0, calls(0, 0, 0, 0, 0, 0)
	draft.CanPause, draft.CanDelete, draft.Left, draft.Compliance = false, true, "", views.Compliance{}
	draft.Recipients, draft.NextAt = draft.Recipients[3:4], time.Time{}
	stored := checkedForm()
	stored.Outlook.Rows, stored.Outlook.Called, stored.Outlook.Rejected, stored.Outlook.Calls = 280, 261, 0, 783
	stored.Outlook.Lacking = []views.LackingValue{{
		Name: "visit_day", Rows: 280, Agent: "Nora", Says: "Hello Margaret, Dr. Amin plans to see you on.",
	}}
	stored.Outlook.Dated = []views.DatedValue{{Name: "last_visit", Example: "2026-12-01"}}
	stored.Outlook.Quota, stored.Outlook.Refused, stored.List = nil, "", views.ListForm{}
	stored.TestRows = []ui.Option{{Value: "1", Label: "Margaret Oyelaran"}, {Value: "2", Label: "Winston Abara"}}
	draft.Draft = &stored
	refused := draft
	unchecked := form()
	refused.Draft = &unchecked
	refused.Counters, refused.CanStart, refused.Nobody, refused.Recipients = views.Counters{}, false, true, nil
	refused.Problem, refused.EventsHref = "The campaign has nobody to call. Add recipients, then start it", ""

	one := flu()
	one.Name, one.Counters, one.Waiting, one.Clocks = "One", views.Counters{Total: 1, InProgress: 1}, nil, nil
	one.Recipients = one.Recipients[:1]
	one.Recipients[0].State = "in_progress"
	one.Left, one.Compliance = "Less than a minute of calling left", views.Compliance{}
	one.Log, one.AsTable, one.Search = nil, true, "+1 212"
	one.CallsPlaced, one.Outcomes = 1, calls(0, 0, 0, 0, 0, 0)

	var many []views.CampaignRow
	for i := range 25 {
		r := campaignRows()[i%7]
		r.ID = fmt.Sprint(i)
		many = append(many, r)
	}
	waiting := flu()
	waiting.Templates = []views.CampaignTemplate{{
		Name: "the template follow_up of Meridian", Category: "MARKETING",
		Change: views.TemplateChange{From: "UTILITY", At: ago(hour), Marketing: true},
	}}
	waiting.Clocks, waiting.NextAt, waiting.Disclosure = nil, time.Time{}, "Press 9 at any time."
	waiting.Waiting = []views.Wait{
		{Recipients: 4000, Text: "wait because the carrier connection has reached its limit of simultaneous calls"},
	}

	unready, notReadyNow := form(), notReady()
	unready.NotReady = &notReadyNow
	return []sample{
		{"campaign-over-budget", views.CampaignPage(admin("/campaigns/1"), budgeted)},
		{"campaign-over-monthly-budget", views.CampaignPage(staff("/campaigns/1"), monthly)},
		{"campaign-budget", views.CampaignBudgetPage(admin("/campaigns/1/budget"), budget)},
		{"campaign-budget-wrong", views.CampaignBudgetPage(admin("/campaigns/1/budget"), wrongBudget)},
		{"campaigns-none", views.CampaignsPage(admin("/campaigns"), views.Campaigns{None: true, First: first})},
		{"campaigns-none-staff", views.CampaignsPage(staff("/campaigns"), views.Campaigns{None: true})},
		{"campaigns", views.CampaignsPage(admin("/campaigns"), views.Campaigns{Rows: campaignRows()})},
		{
			"campaigns-many",
			views.CampaignsPage(staff("/campaigns"), views.Campaigns{
				Rows: many, Pager: ui.Pager{Line: "Newest first", NewerHref: "?a", OlderHref: "?b"},
			}),
		},
		{
			"campaigns-filtered",
			views.CampaignsPage(admin("/campaigns"), views.Campaigns{Status: "failed", Search: "spring"}),
		},
		{"campaign", views.CampaignPage(admin("/campaigns/1"), flu())},
		{"campaign-staff", views.CampaignPage(staff("/campaigns/1"), waiting)},
		{"campaign-paused", views.CampaignPage(admin("/campaigns/1"), paused)},
		{"campaign-ended", views.CampaignPage(admin("/campaigns/1"), ended)},
		{"campaign-one", views.CampaignPage(admin("/campaigns/1"), one)},
		{"campaign-scheduled", views.CampaignPage(admin("/campaigns/1"), scheduled)},
		{"campaign-canceled", views.CampaignPage(admin("/campaigns/1"), canceled)},
		{
			"campaign-log",
			views.CampaignLogPage(staff("/campaigns/1/log"), views.CampaignLog{
				ID: "1", Name: longName, Rows: campaignLog(), Pager: ui.Pager{Line: "Newest first", OlderHref: "?b"},
			}),
		},
		{
			"campaign-delete",
			views.ConfirmPage(admin("/campaigns/1/delete"), views.DeleteCampaign("1", "Flu shots, draft", true, 280)),
		},
		{
			"campaign-resume",
			views.ConfirmPage(admin("/campaigns/1/resume"), views.ResumeCampaign(admin("/campaigns/1/resume"), "1",
				"Autumn flu-shot reminders", notReady(), "", ui.Errors{
					"not_ready_reason": "Required, because the connection Twilio, main account is not ready for " +
						"real calls",
				})),
		},
		{"campaign-new-not-ready", views.CampaignFormPage(admin("/campaigns/new"), unready)},
		{
			"campaign-cancel",
			views.ConfirmPage(admin("/campaigns/1/cancel"),
				views.CancelCampaign("1", "Autumn flu-shot reminders", 1204, 3)),
		},
		{"campaign-new", views.CampaignFormPage(admin("/campaigns/new"), beside(form()))},
		{"campaign-duplicate", views.CampaignFormPage(admin("/campaigns/new"), duplicate)},
		{"campaign-draft", views.CampaignPage(admin("/campaigns/1"), draft)},
		{"campaign-refused", views.CampaignPage(admin("/campaigns/1"), refused)},
		{"campaign-new-checked", views.CampaignFormPage(admin("/campaigns/new"), checkedForm())},
		{
			"recipients-new",
			views.RecipientsFormPage(admin("/campaigns/1/recipients/new"), views.RecipientsForm{
				ID: "1", Name: "Autumn flu-shot reminders", Total: 4000,
			}),
		},
		{"recipients-new-checked", views.RecipientsFormPage(admin("/campaigns/1/recipients/new"), added)},
		{"recipients-new-ended", views.RecipientsFormPage(admin("/campaigns/1/recipients/new"), ended409)},
		{"campaign-new-wrong", views.CampaignFormPage(admin("/campaigns/new"), wrong)},
	}
}

// notReady is a connection with a check that failed and one that is not known.
func notReady() views.NotReady {
	return views.NotReady{ID: "1", Name: "Twilio, main account", Checks: []views.ConnectionCheck{
		{
			Title: "Phone numbers", Glyph: ui.GlyphFailed, State: "not ready",
			Detail: "The account neither has nor verified +1 312 555 0142, +1 312 555 0143, +1 312 555 0144 and 9 more",
		},
		{
			Title: "ConversationRelay", Glyph: ui.GlyphPending, State: "not known",
			Detail: `No line has worked yet. Use "Call me" on an agent`,
		},
	}}
}
