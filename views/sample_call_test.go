package views_test

import (
	"strings"
	"time"

	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
)

// foundRows are calls as a search shows them.
func foundRows() []views.CallRow {
	rows := callRows()[1:5]
	for i, pieces := range [][]views.FoundText{
		{
			{Text: "…you told me last week that I would get a "}, {Text: "refund", Match: true},
			{Text: " and I have not seen anything of it. I would also take a "}, {Text: "voucher", Match: true},
			{Text: " …"},
		},
		{{Text: "No, the "}, {Text: "refund", Match: true}, {Text: " has arrived, thank you."}},
		{
			{Text: "…have they "}, {Text: "refunded", Match: true}, {Text: " you already? They "},
			{Text: "refunded", Match: true}, {Text: " my neighbor on Monday…"},
		},
		{{Text: "What "}, {Text: "vouchers", Match: true}, {Text: " are these?"}},
	} {
		rows[i].Found = pieces
	}
	return rows
}

// callForm is the form for one call, for an agent that is not chosen yet.
func callForm() views.CallForm {
	return views.CallForm{
		Clock: "organization", CallSettings: callSettings(),
	}
}

// changedCallForm is the form for a scheduled call.
func changedCallForm(further bool) views.CallForm {
	v := callForm()
	v.Change, v.Revision, v.Further = "1", "1;name:x", further
	v.To, v.Name, v.ScheduledAt = "+15005550001", "Margaret Oyelaran", "2026-11-24T09:30"
	return v
}

func wrongCallForm() views.CallForm {
	v := callForm()
	v.To, v.Name, v.AgentID, v.ScheduledAt, v.Clock = "312", "Margaret Oyelaran", "1", "2026-11-20T09:30", "person"
	v.Variables = []views.TryVariable{{Name: "first_name", Value: "Margaret"}, {Name: "visit_day"}}
	v.AskVariables, v.ConsentRequired = true, true
	v.Hours.Mode = "custom"
	v.Troubles = []string{"+1 312 555 0100: the carrier refused the last 5 calls"}
	notReady := notReady()
	v.NotReady = &notReady
	v.Errors = ui.Errors{
		"to": "is too short", "scheduled_at": "must not be more than 5 minutes in the past", "retry.on": "unknown",
		"consent": "a consent with its date is required", "timezone": "the number does not tell the time zone",
		"not_ready_reason": "required", "agent": "is gone",
	}
	return v
}

func callRows() []views.CallRow {
	return []views.CallRow{
		{
			ID: "1", Name: "Margaret Oyelaran", Number: "+13125550142", Status: "in_progress",
			Snippet: "Yes, this is Margaret. Who is this again?", Campaign: "Post-discharge check-in, week 46",
			Attempt: 1, At: ago(minute),
		},
		{
			ID: "2", Name: "Winston Abara", Number: "+17735550181", Status: "completed", Outcome: "completed",
			Snippet: "I get dizzy when I stand up, and my blood pressure was low on Tuesday. My daughter writes it " +
				"down for me every evening, and the nurse has seen it.",
			Campaign: "Post-discharge check-in, week 46", TalkSeconds: 182, At: ago(24 * minute),
		},
		{
			ID: "3", Name: "Elena Marchetti", Number: "+13125550133", Status: "completed", Outcome: "voicemail",
			Snippet: "Please call us back when you hear this.", Campaign: "Post-discharge check-in, week 46",
			TalkSeconds: 42, At: ago(27 * minute), Inbound: true,
		},
		{
			ID: "4", Number: "+4915112345678", Status: "no_answer", Outcome: "no_answer", Campaign: longName,
			At: ago(20 * hour),
		},
		{
			ID: "5", Name: "Harold Iversen", Number: "+13125550171", Status: "completed", Outcome: "completed",
			Reason: "asked not to be called", Snippet: strings.Repeat("Donaudampfschifffahrtsgesellschaft", 4),
			Campaign: "Pharmacy", TalkSeconds: 26, At: ago(21 * day),
		},
		{
			ID: "6", Name: "Amara Nwosu", Number: "+13125550106", Status: "failed", Outcome: "failed",
			Reason: "the carrier lost the call", Campaign: "Pharmacy", At: ago(22 * day),
		},
		{
			ID: "7", Name: "Ruth", Number: "+17085550192", Status: "busy", Outcome: "busy", Campaign: "Pharmacy",
			At: ago(400 * day),
		},
		{
			ID: "8", Name: "Ines", Number: "+17085550193", Status: "canceled", Outcome: "canceled",
			Campaign: "Pharmacy", At: ago(400 * day),
		},
		{ID: "9", Name: "Queue", Number: "+17085550194", Status: "queued", Campaign: "Pharmacy", At: ago(2 * minute)},
		{ID: "10", Name: "Ring", Number: "+17085550195", Status: "ringing", Campaign: "Pharmacy", At: ago(2 * minute)},
	}
}

// liveCalls is the page of live calls with n of them.
func liveCalls(n int) views.Live {
	v := views.Live{
		Href: "/live", ListHref: "/live", EventsHref: "/events", Pager: ui.Pager{Line: "Newest first"},
		Projects:  []ui.Option{{Value: "1", Label: "Aftercare"}},
		Campaigns: []ui.Option{{Value: "1", Label: longName}},
	}
	for i := range n {
		row := views.LiveRow{
			CallRow: callRows()[i%10], Since: ago(7 * time.Duration(i) * time.Second), Href: "/live?call=1",
			Inbound: i%5 == 2, Ending: i%9 == 8,
		}
		row.Status, row.Agent = []string{"in_progress", "in_progress", "ringing", "queued"}[i%4], "Nora, English (US)"
		if row.Status == "in_progress" {
			row.Speaker, row.Said = "Nora", "That is good to hear, thank you. And how is your knee since the operation?"
		}
		if i%8 == 4 {
			row.Said = strings.Repeat("Donaudampfschifffahrtsgesellschaft", 4)
		}
		v.Rows = append(v.Rows, row)
	}
	return v
}

// chosen shows the first call of a page.
func chosen(v views.Live) views.Live {
	v.Rows[0].Chosen, v.CallID = true, "1"
	v.Chosen = &views.LiveCall{CallRow: v.Rows[0].CallRow, Turns: margaret().Turns[:7], CanEnd: true, CanNote: true,
		CanListen: true, Unused: []views.UnusedNote{{
			Text: "Note by Ingrid Vasquez: Tell her the nurse comes at four", State: "Not with the agent yet.",
		}},
		Destinations: []ui.Option{{Value: "1", Label: "Front desk"}, {Value: "2", Label: longName}},
	}
	return v
}

// heard lets the reader listen in to the chosen call.
func heard(v views.Live) views.Live {
	v.Chosen.Listening, v.Chosen.Sound = true, views.SoundPlays
	return v
}

// wasHeard is a call that ended while the reader listened in.
func wasHeard(v views.Live) views.Live {
	c := v.Chosen
	c.Listening, c.Sound, c.Ended, c.CanEnd, c.CanListen = true, views.SoundEnded, true, false, false
	c.Status, c.Outcome, c.Unused, v.Rows = "completed", "completed", nil, v.Rows[1:]
	return v
}

func margaret() views.Call {
	turn := func(role, who string, start, end float64, text string) ui.Turn {
		return ui.Turn{Role: role, Who: who, Start: start, End: end, Text: text}
	}
	v := views.Call{
		ID: "0192f3d0-41aa-7c3e-b1f9-5d20c6a7e814", Name: "Margaret Oyelaran", Number: "+13125550142",
		Status: "completed", Outcome: "completed",
		CampaignID: "1", Campaign: "Post-discharge check-in, week 46", Attempt: 3, MaxAttempts: 3, AgentID: "1",
		Agent: "Nora", At: ago(9 * minute), TalkSeconds: 94, Seconds: 94, CanRepeat: true,
		Summary: "Margaret saw Dr. Amin on Tuesday and her knee is fine. New blood pressure pills make her dizzy in " +
			"the morning; she asks for a call from a nurse today after 15:00, on this number.",
		Turns: []ui.Turn{
			turn("system", "", 0, 0, "Answered by a person"),
			turn("agent", "Nora", 1, 13.5,
				"Hello, this is Nora, an automated voice calling for Meridian Home Health. This call is recorded. "+
					"You can press 9 at any time and we will not call again. Am I speaking with Margaret?"),
			turn("recipient", "Margaret", 14, 17.4, "Yes, this is Margaret. Who is this again?"),
			turn("agent", "Nora", 18, 26.4,
				"Meridian Home Health. You came home from the hospital on Thursday, and I would like to hear how "+
					"you are. Have you been able to see…"),
			turn("recipient", "Margaret", 27, 31.4, "Oh, sorry. Yes, I saw Dr. Amin on Tuesday."),
			turn("agent", "Nora", 32, 37.4,
				"That is good to hear, thank you. And how is your knee since the operation?"),
			turn("recipient", "Margaret", 38, 42.4, "The knee is fine. I walk to the corner and back."),
			turn("system", "", 43, 43, "Answer recorded: knee = fine"),
			turn("agent", "Nora", 43, 48, "Wonderful. Is there anything you would like a nurse to call about?"),
			turn("recipient", "Margaret", 49, 60.4,
				"I would like someone to call about my new blood pressure pills. They make me dizzy in the morning."),
			turn("agent", "Nora", 61, 89,
				"I am sorry to hear that. I will ask a nurse to call you today after three, on this number. Thank "+
					"you, Margaret, and take care."),
			turn("recipient", "Margaret", 90, 93, "Thank you. Bye."),
			turn("system", "", 94, 94, "Ended by the agent"),
		},
		Answers: []ui.Fact{
			{Name: "Identity", Text: "Confirmed"},
			{Name: "Have you seen a doctor since you came home?", Text: "Yes, Tuesday"},
			{Name: "Knee", Text: "Fine"}, {Name: "Opt out", Text: "No"},
		},
		Steps: []ui.Step{
			{Glyph: ui.GlyphStep, Word: "Queued", At: ago(9*minute + 14e9)},
			{Glyph: ui.GlyphDialing, Word: "Dialed", Note: "From +1 312 555 0100", At: ago(9*minute + 11e9)},
			{Glyph: ui.GlyphStep, Word: "Ringing", Note: "11 s", At: ago(9*minute + 11e9)},
			{Glyph: ui.GlyphInProgress, Word: "Answered", Note: "Person", At: ago(9 * minute)},
			{
				Glyph: ui.GlyphStep, Word: "Nora", Note: "Hello, may I speak with Margaret Oyelaran? This…",
				At: ago(9*minute - 1e9),
			},
			{
				Glyph: ui.GlyphStep, Word: "Margaret", Note: "Yes, this is Margaret. Who is this again",
				At: ago(9*minute - 9e9),
			},
			{
				Glyph: ui.GlyphCompleted, Word: "Ended by the agent", Note: "Conversation finished",
				At: ago(7*minute + 26e9),
			},
		},
		Deliveries: []views.CallDelivery{
			{
				DeliveryRow: views.DeliveryRow{
					ID: "1", EventType: "call.completed",
					State: views.DeliveryState{Status: "succeeded", Result: "200 OK"}, Created: ago(7 * minute),
				},
				WebhookID: "1", Webhook: "EHR bridge",
			},
			{
				DeliveryRow: views.DeliveryRow{
					ID: "2", EventType: "call.answered",
					State: views.DeliveryState{
						Status: "pending", Result: "503 Service Unavailable", Next: now.Add(minute),
					},
					Created: ago(9 * minute),
				},
				WebhookID: "2", Webhook: "Warehouse of everything that has ever happened",
			},
		},
		Details: []ui.Fact{
			{Name: "Agent", Text: "Nora, English (US)"}, {Name: "Carrier", Text: "Sandbox"},
			{Name: "Carrier ID", Text: "CA8f2e0d9c3b7a65418f2e0d9c3b7a91d0", Mono: true},
			{Name: "External ID", Text: "pt-20418", Mono: true},
			{
				Name: "Calling hours", Text: "Called at 13:56 in America/Chicago, a time zone of the number, within " +
					"08:00–21:00. Rules that applied: Illinois, United States and public holidays. " +
					"2 earlier calls in 24 hours.",
			},
			{Name: "Cost", Value: ui.Lines([]string{
				"0.0915 USD", "Call: 0.0140 USD", "Voicemail detection: 0.0075 USD, by rate",
				"Line to the agent: 0.0700 USD, by rate",
			})},
			{Name: "Call ID", Value: ui.Copyable("call-id", "call ID", "0192f3d0-41aa-7c3e-b1f9-5d20c6a7e814")},
		},
		Others: []views.CallRow{
			{
				ID: "2", Name: "Margaret Oyelaran", Number: "+13125550142", Status: "voicemail", Outcome: "voicemail",
				Attempt: 2, TalkSeconds: 31, At: ago(20 * hour),
			},
			{
				ID: "3", Name: "Margaret Oyelaran", Number: "+13125550142", Status: "no_answer", Outcome: "no_answer",
				Attempt: 1, At: ago(26 * hour),
			},
		},
	}
	v.Turns[3].Took, v.Turns[3].Parts = "Answered in 1.1 s", []string{
		"Model: 620 ms until its first token", "Dialwright: 4 ms", "First words sent after 662 ms",
		"Spoken after 1,104 ms, as the carrier reported",
	}
	v.Turns[3].Interrupted = true
	return v
}

func callSamples() []sample {
	live := margaret()
	live.Status, live.Outcome, live.Summary = "in_progress", "", ""
	live.Analysis, live.Answers, live.Others = "", nil, nil
	live.Deliveries = nil
	live.Turns, live.Steps, live.TalkSeconds, live.Seconds = live.Turns[:4], live.Steps[:4], 0, 0
	live.CanEnd, live.EventsHref = true, "/events"
	for i := range live.Turns {
		live.Turns[i].Start = -1
	}

	silent := margaret()
	silent.Name, silent.Number = "", "+4915112345678"
	silent.Status, silent.Outcome, silent.OptedOut = "no_answer", "no_answer", true
	silent.Summary, silent.Turns, silent.Answers = "", nil, nil
	silent.TalkSeconds, silent.Seconds, silent.Reason = 0, 0, "nobody answered within 30 s"

	silent.Steps = append(silent.Steps[:3:3], ui.Step{
		Glyph: ui.GlyphNoAnswer, Word: "No answer", Note: strings.Repeat("x", 200), At: ago(9*minute - 30e9),
	})

	failed := margaret()
	failed.Status, failed.Outcome, failed.Summary = "failed", "failed", ""
	failed.Analysis, failed.Turns, failed.Answers = "The analysis failed.", nil, nil

	models := []ui.Option{{Value: "1", Label: "Sandbox model"}, {Value: "2", Label: longName}}
	analyzed := margaret()
	analyzed.Turns[4].ID, analyzed.Turns[9].ID = "turn-4", "turn-9"
	analyzed.Found = []views.FoundField{
		{
			Name: "Have you seen a doctor since you came home?", Value: "Yes, Tuesday",
			Quote: "Yes, I saw Dr. Amin on Tuesday.", Confidence: "97%", Turn: "turn-4",
		},
		{
			Name: "Medication", Value: "Dizzy from the new blood pressure pills",
			Quote: "They make me dizzy in the morning.", Confidence: "82%", Turn: "turn-9",
		},
	}
	analyzed.Analyzed = []ui.Fact{
		{Name: "Successful", Text: "Yes"}, {Name: "Quality", Text: "8 of 10"},
		{Name: "Expects a follow-up", Text: "Yes"},
		{Name: "Issues", Value: ui.Lines([]string{"The two interrupted each other"})},
		{Name: "Model", Text: "sandbox"}, {Name: "Tokens", Text: "1,204 in, 212 out"},
		{Name: "Cost of the analysis", Text: "0.001628 USD"},
	}
	analyzed.Again = views.NewAnalysis{Possible: true, ConnectionID: "1", Connections: models[:1]}

	pending := analyzed
	pending.Again, pending.EventsHref = views.NewAnalysis{}, "/events"
	pending.Notice = "A language model is analyzing this call."
	pending.Analyses = []views.CallAnalysis{
		{Number: 2, Status: "pending", Asked: "Ada Lovelace", At: ago(minute)},
		{Number: 1, Status: "ready", Model: "sandbox", At: ago(7 * minute)},
	}

	unanalyzed := analyzed
	unanalyzed.Again = views.NewAnalysis{Possible: true, Connections: models}
	unanalyzed.Notice = "The analysis failed: The model server answered with status 500 (server_error)."
	unanalyzed.Analyses = []views.CallAnalysis{
		{
			Number: 3, Status: "failed", Model: strings.Repeat("meta-llama/", 9), Asked: longName, At: ago(minute),
			Error: "The model server answered with status 500 (server_error)",
		},
		{Number: 2, Status: "ready", Model: "sandbox", Asked: "Ada Lovelace", At: ago(5 * minute)},
		{Number: 1, ByRule: true, Status: "ready", At: ago(7 * minute)},
	}

	recorded, awaited, deleted := margaret(), margaret(), margaret()
	recorded.Recording.State = views.RecordingThere
	awaited.Recording.State = views.RecordingAwaited
	deleted.Recording = views.Recording{
		State: views.RecordingDeleted, AtCarrier: true, Why: "Twilio does not accept the credentials",
	}

	ringing := live
	ringing.Status, ringing.Turns, ringing.Steps = "ringing", nil, live.Steps[:3]

	machine := margaret()
	machine.Outcome, machine.Summary = "voicemail", ""
	machine.Answers, machine.TalkSeconds, machine.Seconds = nil, 14, 14
	machine.Turns = []ui.Turn{
		{Role: "system", Text: "Answered by a machine"},
		{
			Role: "agent", Who: "Nora", Start: 3, End: 13,
			Text: "Hello, this is Nora, an automated voice of Meridian Home Health. We will try again tomorrow.",
		},
		{Role: "system", Start: 14, End: 14, Text: "Ended by the agent"},
	}
	machine.Steps = append(machine.Steps[:3:3], ui.Step{
		Glyph: ui.GlyphInProgress, Word: "Answered", Note: "Machine", At: ago(9 * minute),
	}, ui.Step{Glyph: ui.GlyphCompleted, Word: "Ended by the agent", Note: "Message left", At: ago(9*minute - 14e9)})

	var many []views.CallRow
	for i := range 25 {
		many = append(many, callRows()[i%10])
	}
	campaigns := []ui.Option{{Value: "1", Label: "Post-discharge check-in, week 46"}, {Value: "2", Label: longName}}
	agents := []ui.Option{{Value: "1", Label: "Nora, English (US)"}}
	first, begun := views.FirstSteps{}, views.FirstSteps{
		Project: "Aftercare: Always", Sandbox: true, PhoneNumber: "+15005550006", HasSandbox: true,
		Agent: "Nora, English (US)", AgentID: "1", AgentLacks: "It has no questions yet",
		Draft: views.FirstDraft{ID: "1", Name: longName},
	}
	refused := chosen(liveCalls(3))
	refused.Chosen.Note.Text, refused.EventsHref = "Tell her the nurse comes at four", ""
	refused.Chosen.Transfer.Errors = ui.Errors{"destination_id": "choose a destination"}
	refused.Chosen.Problem = "The carrier did not send the sound of this call"
	return []sample{
		{"live-none", views.LivePage(admin("/live"), liveCalls(0))},
		{"live-one", views.LivePage(staff("/live"), liveCalls(1))},
		{"live-many", views.LivePage(admin("/live"), liveCalls(40))},
		{"live-chosen", views.LivePage(admin("/live"), chosen(liveCalls(12)))},
		{"live-refused", views.LivePage(admin("/live"), refused)},
		{"live-listening", views.LivePage(admin("/live"), heard(chosen(liveCalls(12))))},
		{"live-listened", views.LivePage(admin("/live"), wasHeard(chosen(liveCalls(12))))},
		{"live-filtered", views.LivePage(staff("/live"), views.Live{
			Direction: "inbound", Href: "/live", Errors: ui.Errors{"campaign_id": "must be a UUID"}, CampaignID: "x",
		})},
		{"calls-none", views.CallsPage(admin("/calls"), views.Calls{None: true})},
		{
			"calls",
			views.CallsPage(admin("/calls"), views.Calls{
				Rows: callRows(), ExportHref: "/calls/export", EventsHref: "/events", Campaigns: campaigns,
				Agents: agents, Pager: ui.Pager{Line: "Newest first", OlderHref: "?cursor=x"},
			}),
		},
		{"calls-many", views.CallsPage(staff("/calls"), views.Calls{Rows: many, Campaigns: campaigns, Agents: agents,
			Outcome: "completed", CampaignID: "2", After: "2026-11-14",
			Chips: []views.FilterChip{
				{Name: "Outcome", Value: "Completed", RemoveHref: "?a"},
				{Name: "Campaign", Value: longName, RemoveHref: "?b"},
				{Name: "From", Value: "14 Nov", RemoveHref: "?c"},
			},
			Pager: ui.Pager{Line: "Newest first", NewerHref: "?n", OlderHref: "?o"}})},
		{"calls-select", views.CallsPage(staff("/calls"), views.Calls{
			Rows: many, Campaigns: campaigns, Agents: agents,
			Tags: ui.OptionsOf("Billing", "Complaint"), Tag: "Complaint",
			Selecting: true, SelectHref: "/calls?select=yes", PlainHref: "/calls",
			ListQuery: "select=yes&tag=Complaint",
			Matching:  views.Matching{Rows: 3_418, Until: "2026-11-20T19:05:00Z"},
			Pager:     ui.Pager{Line: "Newest first", OlderHref: "?o"},
			Chips:     []views.FilterChip{{Name: "Tag", Value: "Complaint", RemoveHref: "?a"}},
			Filters: views.SavedFilters{
				List: "/calls", Path: "/calls", Query: "tag=Complaint", Saved: []views.SavedFilter{
					{ID: "1", Name: "To review", Href: "?reviewed=no"}, {ID: "2", Name: "Voicemail", Href: "?v"},
				},
			},
		})},
		{"calls-select-too-many", views.CallsPage(staff("/calls"), views.Calls{
			Rows: many, Campaigns: campaigns, Agents: agents,
			Selecting: true, SelectHref: "/calls?select=yes", PlainHref: "/calls",
			Matching: views.Matching{Rows: 10_001, Until: "2026-11-20T19:05:00Z"},
			Pager:    ui.Pager{Line: "Newest first", OlderHref: "?o"},
		})},
		{"calls-select-unknown", views.CallsPage(staff("/calls"), views.Calls{
			Rows: many, Campaigns: campaigns, Agents: agents,
			Selecting: true, SelectHref: "/calls?select=yes", PlainHref: "/calls",
			Matching: views.Matching{Rows: 12, Unknown: true},
			Pager:    ui.Pager{Line: "Newest first", OlderHref: "?o"},
		})},
		{"calls-save-filter", views.SaveFilterPage(staff("/saved-filters"), views.SavedFilters{
			List: "/calls", Path: "/calls", Query: "tag=Complaint", Errors: ui.Errors{"name": "required"},
		})},
		{"calls-search", views.CallsPage(staff("/calls"), views.Calls{Rows: foundRows(), Query: "refund or voucher",
			Campaigns: campaigns, Agents: agents, ExportHref: "?e", NewestHref: "?n", RelevanceHref: "?r",
			Chips: []views.FilterChip{{Name: "Said", Value: "refund or voucher", RemoveHref: "?a"}},
			Pager: ui.Pager{Line: "Newest first", OlderHref: "?o"}})},
		{
			"calls-filtered",
			views.CallsPage(admin("/calls"), views.Calls{
				ToNumber: "12", Errors: ui.Errors{"to_number": "not a phone number", "after": "not a date"},
				Chips: []views.FilterChip{{Name: "Number", Value: "12", RemoveHref: "?"}},
			}),
		},
		{"calls-further", views.CallsPage(staff("/calls"), views.Calls{AnsweredBy: "human",
			LookedTo: now.AddDate(0, -2, 0), Pager: ui.Pager{OlderHref: "?o"},
			Chips: []views.FilterChip{{Name: "Answered by", Value: "a person", RemoveHref: "?a"}}})},
		{"call", views.CallPage(admin("/calls/1"), margaret())},
		{"call-recorded", views.CallPage(staff("/calls/1"), recorded)},
		{"call-recording-awaited", views.CallPage(staff("/calls/1"), awaited)},
		{"call-recording-deleted", views.CallPage(admin("/calls/1"), deleted)},
		{"call-ringing", views.CallPage(admin("/calls/1"), ringing)},
		{"call-voicemail", views.CallPage(staff("/calls/1"), machine)},
		{"call-live", views.CallPage(staff("/calls/1"), live)},
		{"call-silent", views.CallPage(admin("/calls/1"), silent)},
		{"call-failed", views.CallPage(admin("/calls/1"), failed)},
		{"call-analyzed", views.CallPage(admin("/calls/1"), analyzed)},
		{"call-analysis-pending", views.CallPage(admin("/calls/1"), pending)},
		{"call-analysis-failed", views.CallPage(admin("/calls/1"), unanalyzed)},
		{"call-cancel", views.ConfirmPage(admin("/calls/1/cancel"), views.CancelCall("1", "Margaret Oyelaran"))},
		{"calls-scheduled", views.CallsPage(admin("/calls?outcome=scheduled"), views.Calls{
			Outcome: "scheduled", Campaigns: campaigns, Agents: agents, ExportHref: "?e",
			Rows: []views.CallRow{
				{ID: "1", Name: "Margaret Oyelaran", Number: "+13125550142", Status: "scheduled", Due: now.Add(day),
					At: ago(minute)},
				{ID: "2", Number: "+4915112345678", Status: "scheduled", At: ago(hour)},
			},
			Chips: []views.FilterChip{{Name: "Outcome", Value: "Scheduled", RemoveHref: "?"}},
			Pager: ui.Pager{Line: "Newest first"},
		})},
		{"call-new", views.CallFormPage(admin("/calls/new"), callForm())},
		{"call-new-wrong", views.CallFormPage(admin("/calls"), wrongCallForm())},
		{"call-new-none", views.CallFormPage(admin("/calls/new"), views.CallForm{})},
		{"call-change", views.CallFormPage(admin("/calls/1/edit"), changedCallForm(false))},
		{"call-change-further", views.CallFormPage(admin("/calls/1/edit"), changedCallForm(true))},
		{"call-end", views.ConfirmPage(staff("/calls/1/hang-up"), views.EndCall("1", "Margaret Oyelaran"))},
		{"overview-none", views.OverviewPage(admin("/"), views.Overview{None: true, First: first})},
		{"overview-draft", views.OverviewPage(admin("/"), views.Overview{None: true, First: begun})},
		{"overview", views.OverviewPage(admin("/"), overview())},
		{"overview-month", views.OverviewPage(admin("/?days=30"), overviewMonth())},
		{"overview-table", views.OverviewPage(staff("/"), overviewTable())},
		{
			"overview-quiet",
			views.OverviewPage(staff("/"), views.Overview{
				Unit: "hour", Period: views.OverviewPeriod{Days: "1"}, Outcomes: overview().Outcomes[:0],
			}),
		},
	}
}
