package views_test

import (
	"strings"
	"time"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/layout"
	"github.com/dialwright/dialwright/views/ui"
)

func stoppedChrome(c layout.Chrome) layout.Chrome {
	c.Stopped = &layout.Stopped{By: "Ingrid Vasquez", At: ago(hour)}
	return c
}

// order returns the order of a list that is sorted by the column by.
func order(by string, descending bool, others ...string) ui.Order {
	o := ui.Order{By: by, Descending: descending, Links: map[string]string{by: "?sort=-" + by}}
	for _, column := range others {
		o.Links[column] = "?sort=" + column
	}
	return o
}

// evidence is what is stored about a number: the same events, times times.
func evidence(times int, older ...string) views.Evidence {
	v := views.Evidence{
		Number: "+13125550142", CreatedAt: now, Listed: []string{"calls"}, Most: 500, Older: older,
	}
	listed := views.DoNotCallEntry{Channel: "voice", Source: "user", Note: "By letter", CreatedBy: "Ingrid Vasquez"}
	heard := views.DoNotCallEntry{Channel: "voice", Source: "call"}
	for i := range times {
		at := func(d time.Duration) time.Time { return ago(500*day - time.Duration(i)*8*day - d) }
		v.Rows = append(v.Rows,
			views.EvidenceEntry{At: at(0), Title: "Added to the do-not-call list", Facts: listed.Facts()},
			views.EvidenceEntry{At: at(day), Title: "Removed from the do-not-call list", Facts: []ui.Fact{
				{Name: "Applies to", Text: "Calls"}, {Name: "By", Text: "Paul Adeyemi"},
			}},
			views.EvidenceEntry{At: at(2 * day), Title: "Added to a campaign", Facts: []ui.Fact{
				{Name: "Campaign", Text: "Post-discharge check-in, week 46"}, {Name: "Name", Text: "Margaret Oyelaran"},
				{Name: "Status", Text: "Completed"},
				{Name: "Consent", Text: "written, form 17, 2 Nov 2026, until 2 Nov 2027"},
			}},
			views.EvidenceEntry{At: at(3 * day), Title: "Call", Href: "/calls/1", Facts: []ui.Fact{
				{Name: "From", Text: "+1 312 555 0100"}, {Name: "Name", Text: "Margaret Oyelaran"},
				{Name: "Campaign", Text: "Post-discharge check-in, week 46"}, {Name: "Agent", Text: "Nora"},
				{Name: "Outcome", Text: "Completed, asked not to be called, 1:34 talk time"},
				{Name: "Consent", Text: "written, form 17, 2 Nov 2026, until 2 Nov 2027"},
				{Name: "Calling hours", Text: "Called at 10:32 in America/Chicago, a time zone of the number, within " +
					"08:00–21:00. Rules that applied: Texas, United States and public holidays. " +
					"2 earlier calls in 24 hours."},
				{Name: "Pre-dial check", Text: "Allowed (20 Nov, 10:31, 84 ms)"},
			}},
			views.EvidenceEntry{At: at(3*day + minute), Title: "Added to the do-not-call list", Facts: heard.Facts()},
			views.EvidenceEntry{
				At: at(4 * day), Title: "WhatsApp message", Href: "/messaging/messages/1", Facts: []ui.Fact{
					{Name: "Template", Text: "heads_up, en_US"},
					{Name: "Status", Text: "Failed, " + strings.Repeat("Donaudampfschifffahrt", 5)},
					{Name: "By", Text: "Ingrid Vasquez"},
				},
			})
	}
	return v
}

func settingsSamples() []sample {
	long := strings.Repeat("A name that goes on and on, ", 3) + "as names may"
	destinations := []ui.Option{{Value: "1", Label: "Front desk"}, {Value: "2", Label: long}}
	week := []views.WindowForm{{Days: []string{"mon", "tue", "wed", "thu", "fri"}, Start: "09:00", End: "20:00"}}
	entries := []views.DoNotCallEntry{
		{
			ID: "1", Number: "+13125550142", Channel: "voice", Source: "call", CallID: "7", CreatedBy: "Nora",
			Created: ago(2 * hour),
		},
		{
			ID: "2", Number: "+4930901820", Source: "user",
			Note: "Asked by letter on 12 November, with a copy to the office", CreatedBy: "Ingrid Vasquez",
			Created: ago(9 * day),
		},
		{ID: "3", Number: "+447700900123", Source: "import", CreatedBy: "Paul Adeyemi", Created: ago(300 * day)},
		{
			ID: "5", Number: "+447700900124", Source: "import", List: "National registry", ListID: "1",
			CreatedBy: "Dialwright",
			AlsoIn:    []string{"Partner"},
			Created:   ago(301 * day),
		},
		{ID: "4", Channel: "message", Source: "erasure", CreatedBy: "Ingrid Vasquez", Created: ago(400 * day)},
	}
	subscribedLists := []views.SubscribedList{
		{
			ID: "1", Name: "National registry", Host: "registry.example.com", Numbers: 41_208, Rejected: 3,
			Channels: []string{"voice"}, FetchedAt: ago(2 * hour), NextAt: now.Add(22 * hour),
		},
		{
			ID: "2", Name: "Unsubscribed in the CRM, all regions and brands", Host: "crm.example.com", Numbers: 1_204,
			Rejected: 1,
			Channels: []string{"message", "voice"}, FetchedAt: ago(26 * hour), NextAt: now.Add(20 * minute),
			LastError: "The file has only 12 numbers, and the one before had 1,204",
			HeldBack:  "The file has only 12 numbers, and the one before had 1,204",
			Effect:    "The last applied file stays in effect",
			FailedAt:  ago(2 * hour), Failures: 1,
		},
		{
			ID: "3", Name: "Partner", Host: "files.example.net", Numbers: 90, Channels: []string{"message"},
			FetchedAt: ago(9 * day), NextAt: now.Add(6 * hour), LastError: "The server answered with the status 403",
			FailedAt: ago(minute), Failures: 9, Effect: "The last applied file stays in effect",
		},
		{ID: "4", Name: "New", Host: "example.org", Channels: []string{"voice"}, NextAt: now},
		{ID: "5", Name: "Night", Host: "example.org", Channels: []string{"voice"}, Fetching: true, NextAt: now},
	}
	heldBack := subscribedLists[1]
	heldBack.Rejected, heldBack.Kept = 1_192, 1_000
	heldBack.Wrong = []views.DoNotCallWrong{
		{Line: 2, Cell: "…42 or mobile", Reason: "A phone number cannot contain letters"},
		{Line: 3, Cell: "1.31E+10", Reason: "The spreadsheet rounded this number. Format its column as text"},
		{Line: 11, Cell: "", Reason: "No phone number"},
	}
	regions := []ui.Option{{Value: "1", Label: "Twilio, main account"}, {Value: "2", Label: "Sandbox"}}
	return []sample{
		{"projects-none", views.ProjectsPage(admin("/settings/projects"), views.Projects{})},
		{"projects", views.ProjectsPage(admin("/settings/projects"),
			views.Projects{Order: order("country", false, "name", "zone", "created"), Rows: []views.Project{
				{
					ID: "1", Name: "Prevention", TimeZone: "America/Chicago", Region: "US",
					Hours: "Recipient's time, 09:00–20:00, Mon–Fri", Created: ago(40 * day),
				},
				{
					ID: "2", Name: long, TimeZone: "America/Argentina/ComodRivadavia", Region: "AR",
					Hours: "Any time", Created: ago(day),
				},
			}})},
		{
			"projects-staff",
			views.ProjectsPage(staff("/settings/projects"), views.Projects{
				Rows: []views.Project{
					{ID: "1", Name: "Prevention", TimeZone: "UTC", Region: "US", Hours: "Any time", Created: ago(day)},
				},
			}),
		},
		{
			"project-form",
			views.ProjectFormPage(admin("/settings/projects/new"), views.ProjectForm{
				TimeZone: "America/Chicago", Region: "US",
				Hours: views.HoursForm{Mode: "custom", Clock: "recipient", Windows: week},
			}),
		},
		{
			"project-form-wrong",
			views.ProjectFormPage(admin("/settings/projects/1"), views.ProjectForm{
				ID: "1", Name: "Prevention", TimeZone: "Mars/Olympus", Region: "US",
				Hours: views.HoursForm{
					Mode: "custom", Clock: "recipient",
					Windows: []views.WindowForm{{Days: []string{"mon"}, Start: "20:00", End: "09:00"}},
				},
				Errors: ui.Errors{
					"time_zone":                    "must be a time zone such as America/Chicago",
					"calling_hours.windows[0].end": "must be later than start",
					"name":                         "another project has this name",
				},
			}),
		},
		{"agents-none", views.AgentsPage(admin("/agents"), views.Agents{})},
		{"agents", views.AgentsPage(admin("/agents"),
			views.Agents{Order: order("created", true, "name", "language", "questions"), Rows: []views.Agent{
				{
					ID: "1", Name: "Nora", Kind: "model", Language: "en-US",
					Greeting: "Hello {{name|there}}, this is Nora, calling for Meridian Home Health.", Questions: 4,
					Created: ago(40 * day),
				},
				{
					ID: "2", Name: long, Kind: "scripted", Language: "fi-FI", Unheard: true,
					Greeting: strings.Repeat("Hola, le llamamos de parte de Meridian. ", 8), Questions: 12,
					Created: ago(day),
				},
			}})},
		{
			"agent-form",
			views.AgentFormPage(admin("/agents/new"), views.AgentForm{
				Language: "en-US", Questions: make([]views.QuestionForm, 1), Speech: speechForm(),
				CallsFrom: views.CallsFromNothing,
			}),
		},
		{"agent-model", views.AgentFormPage(admin("/agents/1"), views.AgentForm{
			ID: "1", Kind: "model", Name: "Nora", Language: "en-US", Greeting: "Hello.", Speech: speechForm(),
			CallsFrom: views.CallsFromSandbox,
			Questions: []views.QuestionForm{{Key: "visit", Ask: "Would you like a visit?", Expect: "yes_no"}},
			Model:     agentModelForm(),
		})},
		{"agent-languages", views.AgentFormPage(admin("/agents/1"), views.AgentForm{
			ID: "1", Kind: "model", Name: "Nora", Language: "en-US", Greeting: "Hello.", Speech: speechForm(),
			Questions: []views.QuestionForm{{
				Key: "visit", Ask: "Would you like a visit?", Expect: "yes_no",
				Asks: []string{"¿Le gustaría una visita?"},
			}},
			Model: agentModelForm(),
			Languages: []views.LanguageForm{{
				Language: "es-US", Voice: "amazon:Lupe-Neural", Greeting: "Hola {{name}}, le habla {{agent}}.",
				Voices: []ui.Option{{Label: "The carrier's default"},
					{Value: "amazon:Lupe-Neural", Label: "Lupe, female, Amazon Polly Neural", Group: "Amazon Polly"}},
				Models: speechForm().Models, Transcriptions: speechForm().Transcriptions,
			}, {
				Language: "en-GB", Goodbye: "{{", Voices: speechForm().Voices,
				Models: speechForm().Models, Transcriptions: speechForm().Transcriptions,
			}},
			Errors: ui.Errors{
				"languages[1].language": "must differ from the agent's other languages in more than the region",
				"languages[1].goodbye":  "must write variables as {{name}} or {{name|fallback}}",
			},
		})},
		{"agent-model-wrong", views.AgentFormPage(admin("/agents/new"), views.AgentForm{
			Kind: "model", Name: "Nora", Language: "en-US", Greeting: "Hello.", Speech: speechForm(),
			Model: views.AgentModelForm{AvoidTopics: "{{name}}", MaxTurns: "many"},
			Errors: ui.Errors{
				"model.instructions":  "required",
				"model.connection_id": "required",
				"model.avoid_topics":  "Line 1: must not contain variables",
				"model.max_turns":     "must be a whole number",
			},
		})},
		{"agent-model-try", views.TryPage(admin("/agents/1/try"), views.Try{
			AgentID: "1", Agent: "Nora", Model: true, Variables: []views.TryVariable{{Name: "language"}},
		})},
		{"agent-model-trying", views.TryPage(admin("/agents/1/try"), agentTryModel())},
		{"agent-draft", views.AgentFormPage(admin("/agents/1"), views.AgentForm{
			ID: "1", Name: "Nora", Language: "en-US", Greeting: "Hello.", Speech: speechForm(), Draft: views.AgentDraft{
				Published: 3, Changes: []views.AgentChange{
					{Field: "Greeting", Before: "Good morning.", After: "Hello."},
					{Field: "Question coming, text", Before: "", After: long},
				},
			},
		})},
		{"agent-tests", views.AgentTestsPage(admin("/agents/1/tests"), views.AgentTests{
			ID: "1", Name: "Nora", Required: true, Repeats: "3",
			Versions: []ui.Option{{Label: "Draft"}, {Value: "3", Label: "Version 3"}},
			Cases:    []views.TestCase{{ID: "1", Name: "Confirms", Steps: 2, Checks: 3}, {ID: "2", Name: long, Checks: 1}},
			Compared: []views.TestRun{{ID: "2", Of: "Draft"}, {ID: "1", Of: "Version 3"}},
			Rows: []views.TestRow{
				{Name: "Confirms", Cells: []string{"passed", "failed"}}, {Name: long, Cells: []string{"running", ""}},
			},
			Runs: []views.TestRun{
				{ID: "2", Of: "Draft", Status: "running", Total: 6, Done: 4, Passed: 3, By: "Ada Park", At: now},
			},
			Pager: ui.Pager{Line: "Newest first"},
		})},
		{"agent-test-case", views.AgentTestCasePage(admin("/agents/1/tests/cases/new"), testCase("steps"))},
		{
			"agent-test-case-model",
			views.AgentTestCasePage(admin("/agents/1/tests/cases/1"), testCase("model")),
		},
		{"agent-test-case-read", views.TestCasePage(staff("/agents/1/tests/cases/1"), views.TestCaseReading{
			AgentID: "1", Agent: "Nora", Name: "Confirms", Reading: views.AgentReading{
				{ID: "recipient", Title: "Recipient", Facts: []ui.Fact{{Name: "Step 1", Text: long}}},
				{ID: "checks", Title: "Checks", Facts: []ui.Fact{
					{Name: "Check 1", Text: "The field ok has the value true"},
				}},
			},
		})},
		{"agent-read", views.AgentReadingPage(staff("/agents/1"), views.AgentPage{
			ID: "1", Name: "Nora", Version: 3, Changed: true, Active: true, Reading: agentReading(long),
		})},
		{"agent-version", views.AgentVersionPage(admin("/agents/1/versions/2"), views.AgentVersionDetail{
			ID: "1", Name: "Nora", Active: true, Reading: agentReading(long), AgentVersion: views.AgentVersion{
				Number: 2, Note: "A shorter greeting. " + long, By: "Ada Park", At: ago(day),
				Changes:      []views.AgentChange{{Field: "Greeting", Before: "Good morning.", After: "Hello."}},
				Campaigns:    []ui.Option{{Value: "1", Label: long}},
				Figures:      []string{"2,140 calls", "1,337 completed, 21 opted out"},
				Publications: []views.Publication{{By: "Ada Park", At: ago(day), Note: "People hung up"}},
			},
		})},
		{"agent-test-run", views.AgentTestRunPage(admin("/agents/1/tests/runs/2"), views.AgentTestRun{
			AgentID: "1", Agent: "Nora",
			TestRun: views.TestRun{ID: "2", Of: "Draft", Status: "running", Total: 4, Done: 2, Passed: 1},
			Cases: []views.TestedCase{
				{Name: "Confirms", Status: "failed", Attempts: []views.TestAttempt{
					{ID: "1", Status: "passed", Repeat: 1}, {ID: "2", Status: "failed", Repeat: 2},
				}},
				{Name: long, Status: "queued", Attempts: []views.TestAttempt{{ID: "3", Status: "queued", Repeat: 1}}},
			},
		})},
		{"agent-test-attempt", views.AgentTestAttemptPage(admin("/agents/1/tests/runs/2/1"),
			views.AgentTestAttempt{
				AgentID: "1", Agent: "Nora", RunID: "2", Run: "Run", Case: "Confirms",
				TestAttempt: views.TestAttempt{ID: "1", Status: "failed", Repeat: 2}, Turns: agentTry().Turns,
				Checks: []views.TestVerdict{
					{Check: "Opted out", Passed: true, Reason: "The recipient opted out"}, {Check: long, Reason: long},
				},
				Facts: []ui.Fact{{Name: "Ended", Text: "Completed"}},
			})},
		{"agent-versions", views.AgentVersionsPage(admin("/agents/1/versions"), views.AgentVersions{
			ID: "1", Name: "Nora", Changed: true, Active: true, Pager: ui.Pager{Line: "Newest first"},
			Total: []string{
				"2,140 calls", "1,337 completed, 21 opted out", "74 s on average", "6,000 tokens per call",
				"Tokens cost 0.0029 USD per call", "Answers in 0.64 s (median), 1.12 s (95%)",
			},
			Rows: []views.AgentVersion{
				{
					Number: 2, Note: "A shorter greeting. " + long, By: "Ada Park", At: ago(day),
					Changes:   []views.AgentChange{{Field: "Greeting", Before: "Good morning.", After: "Hello."}},
					Campaigns: []ui.Option{{Value: "1", Label: long}},
				},
				{
					Number: 1, Published: true, By: "Ada Park", At: ago(9 * day),
					Figures: []string{"2,140 calls", "1,337 completed, 21 opted out", "74 s on average"},
					Publications: []views.Publication{
						{By: "Ada Park", At: ago(time.Hour), Note: "People hung up"},
						{By: "Ada Park", At: ago(9 * day)},
					},
				},
			},
		})},
		{"agent-try", views.TryPage(admin("/agents/1/try"), agentTry())},
		{"agent-try-over", views.TryPage(admin("/agents/1/try"), agentTryOver())},
		{"agent-call", views.CallMePage(admin("/agents/1/call"), views.CallMe{AgentID: "1", Agent: "Nora",
			To: [3]string{"312"}, Name: "Ingrid", Placed: []views.TestCall{{ID: "2", Number: "+13125550142"}}, Variables: []views.TryVariable{{Name: "clinic"}},
			PhoneNumbers: []ui.Option{{Value: "1", Label: "+1 312 555 0100, Care line (Twilio)"}},
			Projects:     []ui.Option{{Value: "1", Label: "Prevention"}},
			Errors:       ui.Errors{"to_number": "not a valid phone number", "": "All calling is stopped"}})},
		{"agent-hear", views.CallMePage(admin("/agents/1/call"), views.CallMe{AgentID: "1", Agent: "Nora",
			Sample:       speechForm().Fields(),
			PhoneNumbers: []ui.Option{{Value: "1", Label: "+1 312 555 0100, Care line (Twilio)"}},
			Projects:     []ui.Option{{Value: "1", Label: "Prevention"}}})},
		{
			"agent-form-wrong",
			views.AgentFormPage(admin("/agents/1"), views.AgentForm{
				ID: "1", Name: "Nora", RecordCalls: true, Language: "english please", Speech: speechFormWrong(),
				Greeting: "Hello {{name|there}}, this is Nora.",
				Questions: []views.QuestionForm{
					{Key: "Wants visit", Ask: "Would you like a nurse to visit you?", Expect: "yes_no"},
					{Key: "day", Ask: "Which day suits you?", Expect: "choice", Options: "Monday\nTuesday"},
					{Key: "pain", Ask: "From 0 to 10, how much does it hurt?", Expect: "number", Min: "0", Max: "10"},
					{Key: "email", Ask: "What is your email address?", Description: "Where the invoice goes",
						Expect: "email", Optional: true},
				},
				Errors: ui.Errors{
					"language":              "must be a language tag such as \"en-US\"",
					"speech.voice_id":       "must be the ID of an ElevenLabs voice, 20 letters and digits",
					"speech.pronunciations": "Line 1, word: must have at most 60 characters",
					"speech.end_of_turn_ms": "must be between 600 and 5,000",
					"questions[0].key": "must be 1 to 40 lowercase letters, digits and underscores, starting with a " +
						"letter",
				},
			}),
		},
		{"agent-transfers", views.AgentFormPage(admin("/agents/1"), views.AgentForm{
			ID: "1", Name: "Nora", Language: "en-US", Greeting: "Hello.", Speech: speechForm(),
			DestinationsOf: destinations, Destinations: []string{"1"}, HumanID: "2",
			Questions: []views.QuestionForm{{
				Key: "visit", Ask: "Would you like a visit?", Expect: "yes_no",
				Branches: []views.BranchForm{
					{
						Rule: views.RuleForm{Answer: "yes"}, Then: "destination:1",
						Words: views.BranchWords{When: "If yes", Then: "transfers the call to Front desk"},
					},
					{Words: views.BranchWords{When: "Otherwise", Then: "choose what follows"}},
				},
			}},
			Errors: ui.Errors{
				"questions[0].branches[1].then": "choose what follows",
				"transfer.human_id":             "must be one of the agent's destinations",
			},
		})},
		{"destinations-none", views.DestinationsPage(admin("/settings/destinations"), views.Destinations{
			Projects: true,
		})},
		{"destinations-staff", views.DestinationsPage(staff("/settings/destinations"), views.Destinations{})},
		{"destinations", views.DestinationsPage(admin("/settings/destinations"), views.Destinations{
			Projects: true, Order: order("created", true, "name", "project"), Rows: []views.Destination{
				{
					ID: "1", Name: "Front desk", Project: "Prevention", Address: "+1 312 555 0161",
					Hours: "09:00–17:00, Mon–Fri", Fallback: long, Warm: true, Created: ago(day),
				},
				{
					ID: "2", Name: long, Project: long,
					Address: "sip:frontdesk@" + strings.Repeat("long.", 10) + "example.com",
					Hours:   "Any time", Record: true, Created: ago(40 * day),
				},
			},
		})},
		{"destination-form", views.DestinationFormPage(admin("/settings/destinations/new"), views.DestinationForm{
			RingTimeout: "25", Hours: views.HoursForm{Mode: "always", Windows: week},
			Projects: []ui.Option{{Value: "1", Label: "Prevention"}},
		})},
		{"destination-form-wrong", views.DestinationFormPage(admin("/settings/destinations/1"), views.DestinationForm{
			ID: "1", Name: "Front desk", Address: "12", Mode: "cold", Record: true, RingTimeout: "x", FallbackID: "2",
			Hours: views.HoursForm{
				Mode: "custom", Zone: "Mars/Olympus",
				Windows: []views.WindowForm{{Days: []string{"mon"}, Start: "20:00", End: "09:00"}},
			},
			Fallbacks: destinations[1:],
			Errors: ui.Errors{
				"address": "not a phone number", "ring_timeout_seconds": "must be a whole number",
				"calling_hours.timezone":       "must be a time zone such as America/Chicago",
				"calling_hours.windows[0].end": "must be later than start", "fallback_id": "no such destination",
			},
		})},
		{"phone-numbers-none", views.PhoneNumbersPage(admin("/phone-numbers"), views.PhoneNumbers{})},
		{"phone-numbers", views.PhoneNumbersPage(admin("/phone-numbers"), views.PhoneNumbers{Connections: 2,
			Order: order("number", false, "connection", "rate", "lines", "created"), Rows: []views.PhoneNumber{
				{
					ID: "0192f3c1-7be4-7a90-8c11-2f6f0f7f1a01", Number: "+13125550100", Name: "Care line",
					Connection: "Twilio, main account", Carrier: "Twilio", Lines: 10, CallsPerSecond: 2.5,
					Pool: "Local numbers", Created: ago(40 * day),
					NumberUse: numberUse(),
				},
				{
					ID: "0192f3c1-7be4-7a90-8c11-2f6f0f7f1a02", Number: "+15005000001", Connection: "Sandbox",
					Carrier: "Sandbox", Created: ago(day),
				},
			}, Pools: []views.NumberPool{
				{
					ID: "0192f3c1-7be4-7a90-8c11-2f6f0f7f1a03", Name: "Local numbers", Nearest: true, Numbers: 12,
					DailyCalls: 100, Rest: views.PoolRest{BelowPercent: 8, Calls: 100, Hours: 24},
				},
				{ID: "0192f3c1-7be4-7a90-8c11-2f6f0f7f1a04", Name: "Service", Numbers: 1},
			}})},
		{"number-pool-form", views.NumberPoolFormPage(admin("/number-pools/new"), views.NumberPoolForm{
			Offered: poolNumbers,
		})},
		{
			"number-pool-form-none",
			views.NumberPoolFormPage(admin("/number-pools/new"), views.NumberPoolForm{}),
		},
		{"number-pool-form-wrong", views.NumberPoolFormPage(admin("/number-pools/1"), views.NumberPoolForm{
			ID: "1", Name: "Local numbers", Strategy: "nearest", Offered: poolNumbers, Numbers: []string{"1", "3"},
			MaxDailyCalls: "100", RestBelow: "8", RestHours: "24",
			Errors: ui.Errors{
				"phone_number_ids[1]": "all numbers of a pool must belong to the same connection",
				"rest.calls":          "must be between 1 and 1,000",
			},
		})},
		{
			"phone-number-form",
			views.PhoneNumberFormPage(admin("/phone-numbers/new"), views.PhoneNumberForm{
				Connections: regions,
			}),
		},
		{"phone-number-form-offered", views.PhoneNumberFormPage(admin("/phone-numbers/new"),
			views.PhoneNumberForm{
				Connections: regions, Unread: []string{"Sandbox"},
				Offered: []views.OfferedNumber{
					{Number: "+13125550100", Label: "Care line, Twilio, main account", ConnectionID: "1"},
					{Number: "+13125550142", Label: "Twilio, main account", ConnectionID: "1"},
				},
			})},
		{
			"phone-number-form-wrong",
			views.PhoneNumberFormPage(admin("/phone-numbers/1"), views.PhoneNumberForm{
				ID: "1", Number: "+13125550100", Connection: "Twilio, main account", Name: "Care line",
				MaxConcurrency: "many",
				Errors:         ui.Errors{"max_concurrency": "must be a whole number from 1 to 10,000"},
			}),
		},
		{
			"phone-number-form-rests",
			views.PhoneNumberFormPage(admin("/phone-numbers/1"), views.PhoneNumberForm{
				ID: "1", Number: "+13125550100", Connection: "Twilio, main account", Name: "Care line",
				PoolID: "1", Pool: "Local numbers", NumberUse: numberUse(),
			}),
		},
		{
			"phone-number-form-refused",
			views.PhoneNumberFormPage(admin("/phone-numbers/1"), views.PhoneNumberForm{
				ID: "1", Number: "+13125550100", Connection: "Twilio, main account", Name: "Care line",
				Refused: "The source phone number provided is not yet verified for your account (21210)",
			}),
		},
		{"inbound", views.InboundPage(admin("/phone-numbers/1/inbound"), inboundForm())},
		{"inbound-wrong", views.InboundPage(admin("/phone-numbers/1/inbound"), func() views.InboundForm {
			v := inboundForm()
			v.Happens, v.Carrier, v.Sandbox, v.ForwardTo = "forward", "Sandbox", true, "12"
			v.Errors = ui.Errors{
				"forward_to":             "not a phone number",
				"calling_hours.timezone": "must be a time zone such as America/Chicago",
			}
			return v
		}())},
		{"inbound-set-up", views.InboundSetUpPage(admin("/phone-numbers/1/inbound/set-up"), views.InboundSetUp{
			ID: "1", Number: "+13125550100", Carrier: "Twilio", Revision: "1",
			Rows: []views.SetUpRow{
				{
					Name: "A call comes in", Now: "POST https://demo.twilio.com/welcome/voice/",
					After: "POST " + inboundURL,
				},
				{Name: "Primary handler fails", After: "POST " + inboundURL},
				{Name: "Call status changes", Now: "POST " + inboundURL, After: "POST " + inboundURL},
			},
		})},
		{"inbound-set-up-failed", views.InboundSetUpPage(admin("/phone-numbers/1/inbound/set-up"),
			views.InboundSetUp{
				ID: "1", Number: "+13125550100", Carrier: "Twilio",
				Problem: "The carrier account does not have this number",
			})},
		{"sandbox-call", views.SandboxCallPage(admin("/phone-numbers/1/sandbox-call"), views.SandboxCall{
			ID: "1", Number: "+13125550100", Who: "+13125550142",
			People: []ui.Check{{Value: "+13125550142", Label: "Anna Smith, +1 312 555 0142"}},
			Caller: "answers", Callers: []ui.Option{{Value: "answers", Label: "Answers every question"}},
		})},
		{"integrations-none", views.IntegrationsPage(admin("/settings/integrations"), views.Integrations{})},
		{"integrations", views.IntegrationsPage(admin("/settings/integrations"),
			views.Integrations{Order: order("name", false, "state", "rate", "lines", "created"),
				Rows: []views.Connection{
					{
						ID: "1", Name: "Twilio, main account", Carrier: "Twilio",
						Account: "AC0123456789abcdef0123456789abcdef", CallsPerSecond: 1, Lines: 20,
						Created: ago(40 * day),
					},
					{
						ID: "2", Name: "Twilio, old", Carrier: "Twilio",
						Account: "ACffffffffffffffffffffffffffffffff", CallsPerSecond: 0.5,
						Error: "Authentication failed (20003)", ErrorAt: ago(hour), Created: ago(100 * day),
					},
					{
						ID: "4", Name: "Twilio, new", Carrier: "Twilio",
						Account: "AC0000000000000000000000000000000f", CallsPerSecond: 1,
						NotReady: "Credentials, Account and ConversationRelay", Created: ago(hour),
					},
					{ID: "3", Name: "Sandbox", Carrier: "Sandbox", Account: "ACsandbox", Created: ago(day)},
				},
				Models: []views.ModelRow{
					{
						ID: "5", Name: "OpenAI", Provider: "OpenAI-compatible", Model: "gpt-4.1-mini", Streams: 200,
						State:   views.ModelState{CheckedAt: ago(hour), FirstTokenMS: 412, ToolCalls: true},
						Created: ago(day),
					},
					{
						ID: "6", Name: "Our own server", Provider: "OpenAI-compatible", Model: "qwen3-32b", Streams: 20,
						State: views.ModelState{
							Failing: true, Failures: 7, LastError: "The model server refused the connection",
							LastErrorAt: ago(minute), CheckedAt: ago(day), FirstTokenMS: 230,
							ToolCalls: true,
						},
						Created: ago(day),
					},
					{
						ID: "7", Name: "Anthropic", Provider: "Anthropic", Model: "claude-haiku", Streams: 20,
						Created: ago(hour),
					},
				}})},
		{"model-form", views.ModelFormPage(admin("/settings/integrations/models/new"), views.ModelForm{
			Provider: "openai_compatible", Sandbox: true, Streams: "20",
			SandboxModels: []ui.Option{{Value: "sandbox", Label: "sandbox: answers"}},
			Errors:        ui.Errors{"url": "required", "currency": "required with a price"},
		})},
		{"model", views.ModelFormPage(admin("/settings/integrations/models/6"), views.ModelForm{
			ID: "6", Known: "Our own server", Provider: "openai_compatible", ProviderLabel: "OpenAI-compatible",
			Name: "Our own server", URL: "http://vllm.internal:8000/v1", HasKey: true, Model: "qwen3-32b",
			Streams: "20",
			State: views.ModelState{
				Failing: true, Failures: 7, LastError: "The model server refused the connection",
				LastErrorAt: ago(minute), LastSuccessAt: ago(hour), CheckedAt: ago(day), FirstTokenMS: 230,
				ToolCalls: true,
			},
		})},
		{"tools", views.ToolsPage(admin("/settings/tools"), views.Tools{Rows: []views.ToolRow{
			{
				ID: "7", Name: "free_slots", Description: "Finds free appointments on a day.",
				URL: "https://example.com/tools/free-slots", Timeout: 3, Created: ago(day),
			},
		}})},
		{"tools-none", views.ToolsPage(admin("/settings/tools"), views.Tools{})},
		{"tool-form", views.ToolFormPage(admin("/settings/tools/new"), views.ToolForm{
			Timeout: "3", Errors: ui.Errors{"name": "required", "values[0].pointer": "must be a JSON pointer"},
		})},
		{"tool", views.ToolFormPage(admin("/settings/tools/7"), views.ToolForm{
			ID: "7", Known: "free_slots", Name: "free_slots", Description: "Finds free appointments on a day.",
			Parameters: "{\n  \"type\": \"object\"\n}", URL: "https://example.com/tools/free-slots",
			HeaderNames: []string{"Authorization"}, Timeout: "3", Say: "Let me look at the calendar.",
			Values: "/slots/0 = first_slot\n", PreviousUntil: ago(-day),
		})},
		{"tool-try", views.ToolTrialPage(admin("/settings/tools/7/try"), views.ToolTrial{
			ID: "7", Name: "free_slots", Arguments: `{"day": "2026-11-25"}`, Done: true, Status: 200,
			Took: 120 * time.Millisecond, Answer: `{"slots":["10:00"]}`, Result: `{"slots":["10:00"]}`,
			Request:   "POST https://example.com/tools/free-slots\nAuthorization: (hidden)\n\n{}",
			Variables: []ui.Fact{{Name: "first_slot", Text: "10:00"}},
		})},
		{"tool-try-failed", views.ToolTrialPage(admin("/settings/tools/7/try"), views.ToolTrial{
			ID: "7", Name: "free_slots", Arguments: "{}", Done: true, Took: 3 * time.Second,
			Problem: "No answer within 3 s", Request: "POST https://example.com", Result: `{"error":"unavailable"}`,
		})},
		{"tool-secret", views.ToolSecretPage(admin("/settings/tools"), views.ToolSecret{
			ID: "7", Name: "free_slots", Secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYq=",
		})},
		{"tool-secret-rotated", views.ToolSecretPage(admin("/settings/tools"), views.ToolSecret{
			ID: "7", Name: "free_slots", Secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYq=", Rotated: true,
			Until: ago(-day),
		})},
		{"tool-rotate", views.ConfirmPage(admin("/settings/tools/7/rotate-secret"),
			views.RotateToolSecret("7", "free_slots", "0f"))},
		{
			"connection-form",
			views.ConnectionFormPage(admin("/settings/integrations/new"), views.ConnectionForm{
				Sandbox: true, CallsPerSecond: "1", Region: "us1",
				Regions: []ui.Option{
					{Value: "us1", Label: "United States (us1)"}, {Value: "ie1", Label: "Ireland (ie1)"},
				},
			}),
		},
		{
			"connection-form-failing",
			views.ConnectionFormPage(admin("/settings/integrations/1"), views.ConnectionForm{
				ID: "1", Kind: "twilio", Name: "Twilio", Account: "AC1", CallsPerSecond: "1",
				APIKey: "SK0123456789abcdef0123456789abcdef", HasAPIKey: true,
				PreviousTokenUntil: now.Add(20 * hour),
				Problem:            "3 calls in a row had no working line to the agent",
				Cause:              "Unable to connect to websocket URL (64102). Its campaigns call on.",
			}),
		},
		{
			"connection-form-checked",
			views.ConnectionFormPage(admin("/settings/integrations/1"), views.ConnectionForm{
				ID: "1", Kind: "twilio", Name: "Twilio", Account: "AC1", CallsPerSecond: "1", CheckedAt: ago(minute),
				Checks: append([]views.ConnectionCheck{
					{
						Title: "Public address", Glyph: ui.GlyphCompleted, State: "ready",
						Detail: "This server is reached at its public address",
					},
					{
						Title: "Calls per second", Glyph: ui.GlyphStep, State: "not checked",
						Detail: "1, Twilio's default. To raise it, ask Twilio first, then " +
							"the account",
					},
				}, notReady().Checks...),
			}),
		},
		{
			"connection-form-wrong",
			views.ConnectionFormPage(admin("/settings/integrations/1"), views.ConnectionForm{
				ID: "1", Kind: "twilio", Name: "Twilio", Account: "AC1", Region: "Ireland (ie1)",
				DetectionRate: "0,0075", RelayRate: "0.07",
				Errors: ui.Errors{
					"detection_rate": "must be a number with at most 6 decimals, such as 0.0075",
					"account":        "must be AC and 32 hexadecimal digits", "token": "required"},
			}),
		},
		{"do-not-call-none", views.DoNotCallPage(admin("/do-not-call"), views.DoNotCall{})},
		{
			"do-not-call",
			views.DoNotCallPage(admin("/do-not-call"), views.DoNotCall{
				Rows: entries, Pager: ui.Pager{Line: "Newest first", OlderHref: "?cursor=x"}, Source: "1",
				Lists: []ui.Option{{Value: "1", Label: "National registry"}, {Value: "3", Label: "Partner"}},
			}),
		},
		{"do-not-call-no-match", views.DoNotCallPage(staff("/do-not-call"), views.DoNotCall{Query: "+81"})},
		{
			"do-not-call-import",
			views.DoNotCallImportPage(admin("/do-not-call/import"), views.DoNotCallImport{
				Region: "US", Channel: "both", Errors: ui.Errors{"file": "Choose a file"},
			}),
		},
		{"do-not-call-import-checked", views.DoNotCallImportPage(admin("/do-not-call/import"),
			views.DoNotCallImport{
				Region: "US", Channel: "both", Upload: "1", Name: "opt-outs-2026.csv", Rows: 1212, Numbers: 1145,
				Duplicates: 12, Rejected: 55,
				Sample: []views.DoNotCallSample{{Number: "+13125550142", Note: "By letter"}, {Number: "+4930901820"}},
				Wrong: []views.DoNotCallWrong{
					{Line: 17, Cell: "call me", Reason: "Not a valid phone number"},
					{Line: 40, Cell: "", Reason: "Not a valid phone number"},
				},
			})},
		{"subscribed-lists", views.SubscribedListsPage(admin("/do-not-call/lists"), views.SubscribedLists{
			Rows: subscribedLists, Most: 10,
		})},
		{"subscribed-lists-staff", views.SubscribedListsPage(staff("/do-not-call/lists"), views.SubscribedLists{
			Rows: subscribedLists[:2], Most: 2,
		})},
		{"subscribed-lists-none", views.SubscribedListsPage(admin("/do-not-call/lists"), views.SubscribedLists{
			Most: 10,
		})},
		{
			"subscribed-list-form",
			views.SubscribedListFormPage(admin("/do-not-call/lists/new"), views.SubscribedListForm{
				URL: "ftp://example.com", Channel: "both", EveryHours: "24", Errors: ui.Errors{
					"name": "required", "url": "must be an https URL such as https://example.com",
					"header_value": "enter the value again. It is never shown",
				},
			}),
		},
		{
			"subscribed-list-edit",
			views.SubscribedListFormPage(admin("/do-not-call/lists/2"), views.SubscribedListForm{
				ID: "2", Known: subscribedLists[1].Name, Name: subscribedLists[1].Name,
				URL: "https://crm.example.com/unsubscribed.csv.gz", Channel: "both", EveryHours: "24",
				HeaderName: "Authorization", HasHeader: true, Saved: heldBack,
			}),
		},
		{
			"subscribed-list-staff",
			views.SubscribedListPage(staff("/do-not-call/lists/2"), views.SubscribedListForm{
				ID: "2", Known: subscribedLists[1].Name, EveryHours: "24", Saved: heldBack,
			}),
		},
		{
			"subscribed-list-remove",
			views.ConfirmPage(admin("/do-not-call/lists/1/remove"),
				views.RemoveSubscribedList("1", "National registry", views.SubscribedNumbers{
					Leaving: 41_208, Shared: 12, Own: 1,
				})),
		},
		{
			"subscribed-list-apply",
			views.ConfirmPage(admin("/do-not-call/lists/2/apply"), views.ApplySubscribedList(subscribedLists[1], 1204)),
		},
		{
			"subscribed-list-full", views.SubscribedListsFullPage(admin("/do-not-call/lists/new"), 10),
		},
		{"evidence-form", views.EvidenceFormPage(admin("/settings/evidence"), views.EvidenceForm{})},
		{"evidence-form-wrong", views.EvidenceFormPage(admin("/settings/evidence"), views.EvidenceForm{
			Number: "call me", Errors: ui.Errors{"phone_number": "Not a valid phone number"},
		})},
		{"evidence", views.EvidencePage(admin("/settings/evidence"), evidence(1))},
		{"evidence-none", views.EvidencePage(admin("/settings/evidence"), views.Evidence{
			Number: "+13125550142", CreatedAt: now,
		})},
		{"evidence-long", views.EvidencePage(admin("/settings/evidence"), evidence(40, "calls", "messages"))},
		{"erasures", views.ErasuresPage(admin("/settings/erasures"), views.Erasures{
			Number: "+13125550142", Errors: ui.Errors{"confirm": "Type “erase” to confirm"},
			Rows: []views.Erasure{
				{CreatedBy: "Ingrid Vasquez", Created: ago(hour)},
				{
					Calls: 3, Recipients: 2, Messages: 1, Recordings: 2,
					Undeleted: "Twilio does not accept the credentials", CreatedBy: "CRM", Created: ago(9 * day),
					Completed: new(ago(9 * day)),
				},
			},
		})},
		{
			"do-not-call-form",
			views.DoNotCallFormPage(admin("/do-not-call/new"), views.DoNotCallForm{
				Number: "123", Errors: ui.Errors{"phone_number": "not a valid phone number"},
			}),
		},
		{
			"do-not-call-remove",
			views.ConfirmPage(admin("/do-not-call/1/remove"), views.RemoveDoNotCall(entries[0], "", nil)),
		},
		{"compliance", views.CompliancePage(admin("/settings/compliance"), views.ComplianceSettings{
			Rules: views.CallingRules{
				Apply:      true,
				ClosedDays: "12-24 Christmas Eve\n24.12.",
				Countries:  "Canada, France and the United States",
				Errors:     ui.Errors{"closed_days": "must be dates such as 2026-12-24, or 12-24 for every year"},
				Table:      callingRules,
				Own:        ownRules,
			},
			Abandoned: views.AbandonedLimit{
				Most: "300", Least: "100", Errors: ui.Errors{"abandoned_most": "must be between 0.1 and 100"},
			},
		})},
		{"compliance-staff", views.CompliancePage(staff("/settings/compliance"), views.ComplianceSettings{
			Rules: views.CallingRules{Table: callingRules}, Abandoned: views.AbandonedLimit{Most: "3", Least: "100"},
			Check: views.PreDialCheck{Saved: true, EnabledAt: ago(day), LastAnswer: "Allowed", LastAnswerAt: ago(day)},
		})},
		{"pre-dial-check-new", views.PreDialCheckPage(admin("/settings/compliance/pre-dial-check"), views.PreDialCheck{
			URL: "http://crm", OnFailure: "wait", Errors: ui.Errors{"url": "must be an https URL"},
		})},
		{"pre-dial-check", views.PreDialCheckPage(admin("/settings/compliance/pre-dial-check"), views.PreDialCheck{
			URL: preDialURL, OnFailure: "wait", Saved: true, SavedURL: preDialURL, SavedWaits: true,
			EnabledAt: ago(day), LastAnswer: "Refused",
			LastAnswerAt: ago(2 * time.Minute), PreviousUntil: ago(-20 * time.Hour), Passed: true,
			Tested: "Refused after 84 ms: on the national list",
		})},
		{"pre-dial-check-failing", views.PreDialCheckPage(
			admin("/settings/compliance/pre-dial-check"), views.PreDialCheck{
				URL: preDialURL, OnFailure: "wait", Saved: true, SavedURL: preDialURL, SavedWaits: true, Failures: 1204,
				Probing: true, EnabledAt: ago(day), LastAnswer: "Allowed", LastAnswerAt: ago(day),
				LastError: "The endpoint answered 503 Service Unavailable", LastErrorAt: ago(time.Minute),
				Tested: "Failed after 2001 ms: No answer within 2 s",
			})},
		{"pre-dial-check-staff", views.PreDialCheckPage(
			staff("/settings/compliance/pre-dial-check"), views.PreDialCheck{
				Saved: true, EnabledAt: ago(day), SavedURL: preDialURL, Failures: 7, Probing: true,
				LastError:   "No answer within 2 s",
				LastErrorAt: ago(time.Minute),
			})},
		{"pre-dial-check-secret", views.PreDialSecretPage(
			admin("/settings/compliance/pre-dial-check"), views.PreDialSecret{
				Secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYq=", Until: ago(-day),
			})},
		{"pre-dial-check-off", views.PreDialCheckPage(admin("/settings/compliance/pre-dial-check"), views.PreDialCheck{
			URL: preDialURL, OnFailure: "wait", Saved: true, SavedURL: preDialURL, SavedWaits: true,
		})},
		{"pre-dial-check-secret-new", views.PreDialSecretPage(
			admin("/settings/compliance/pre-dial-check"), views.PreDialSecret{
				Secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYq=",
			})},
		{"pre-dial-check-rotate", views.ConfirmPage(
			admin("/settings/compliance/pre-dial-check/rotate-secret"), views.RotatePreDialSecret("0f"))},
		{"pre-dial-check-remove", views.ConfirmPage(
			admin("/settings/compliance/pre-dial-check/remove"), views.RemovePreDialCheck())},
		{"compliance-rule", views.CallingRulePage(admin("/settings/compliance/rules/fr-hours"), views.CallingRuleForm{
			Rule: callingRules[1], Use: "other", Hours: views.HoursForm{Windows: []views.WindowForm{
				{Days: []string{"mon", "tue"}, Start: "10:00", End: "12:00"},
			}},
			Errors: ui.Errors{"reason": "required, because the audit log keeps it"},
		})},
		{"compliance-own-rule", views.OwnRulePage(admin("/settings/compliance/own-rules/new"), views.OwnRuleForm{
			Places: []ui.Option{
				{Label: "Choose a place"}, {Value: "DE", Label: "Germany", Group: "Countries"},
				{Value: "CA-ON", Label: "Ontario", Group: "Canada"},
			},
			Place: "CA-ON", Calls: "0", Hours: views.HoursForm{Windows: []views.WindowForm{{Start: "09:00"}}},
			Errors: ui.Errors{
				"calls": "must be between 1 and 100", "calling_hours.windows[0].days": "at least one day is required",
				"reason": "required, because the audit log keeps it",
			},
		})},
		{"compliance-own-rule-remove", views.ConfirmPage(
			admin("/settings/compliance/own-rules/own-ca-on-3f2a9c1e/remove"), views.RemoveOwnRule(ownRules[1]))},
		{"compliance-rule-calls", views.CallingRulePage(admin("/settings/compliance/rules/us-fl-calls"),
			views.CallingRuleForm{Rule: callingRules[0], Use: "listed", Calls: "3", LimitsCalls: true})},
		{"sign-in-policy", views.SignInPolicyPage(admin("/settings/sign-in"), views.SignInPolicy{
			SecondFactorRequired: true, IdleMinutes: "30", Hours: "12", StayDays: "0", Revision: "1",
		})},
		{"single-sign-on-off", views.SingleSignOnPage(admin("/settings/sign-in/sso"), views.SingleSignOn{
			CallbackURL: "https://calls.meridian.example/sign-in/sso/callback/0190b2c4-0000-7000-8000-000000000001",
			Address:     "meridian-home-health",
			Errors: ui.Errors{
				"issuer": "no provider answers at this address with /.well-known/openid-configuration",
				"label":  "required", "domains": "required", "client_secret": "required",
			},
		})},
		{"single-sign-on", views.SingleSignOnPage(admin("/settings/sign-in/sso"), views.SingleSignOn{
			Saved:       true,
			CallbackURL: "https://calls.meridian.example/sign-in/sso/callback/0190b2c4-0000-7000-8000-000000000001",
			SignInURL:   "https://calls.meridian.example/sign-in/sso/meridian",
			Label:       "Okta", Issuer: "https://meridian.okta.example", ClientID: "0oa1x2y3", Address: "meridian",
			Domains: "meridian.example\nmeridian-health.example", Creates: true, RoleClaim: "groups",
			Admins: "calls-admins", Managers: "cn=leads,ou=calls,dc=meridian", Staff: "calls", PasswordsOff: true,
			SignedInAt: ago(2 * day), Revision: "1",
		})},
		{"single-sign-on-remove", views.ConfirmPage(admin("/settings/sign-in/sso/remove"),
			views.RemoveSignOn("Okta", 3))},
		{"sign-in-policy-sso", views.SignInPolicyPage(admin("/settings/sign-in"), views.SignInPolicy{
			IdleMinutes: "30", Hours: "12", StayDays: "30", SignOn: "Okta", SignOnHost: "meridian.okta.example",
			SignOnOnly: true,
		})},
		{"sign-in-policy-wrong", views.SignInPolicyPage(admin("/settings/sign-in"), views.SignInPolicy{
			IdleMinutes: "1", Hours: "twelve", StayDays: "365", Errors: ui.Errors{
				"session_idle_minutes": "Must be between 5 and 1440", "session_hours": "Must be a whole number",
				"session_stay_days": "Must be between 0 and 30",
			},
		})},
		{
			"organization",
			views.OrganizationPage(admin("/settings/organization"), views.Organization{
				ID: "0192f3c1", Name: "Meridian Home Health", TimeZone: "America/Chicago", Region: "US",
				OffersSample: true,
			}),
		},
		{
			"organization-stopped",
			views.OrganizationPage(stoppedChrome(admin("/settings/organization")), views.Organization{
				ID: "0192f3c1", Name: "Meridian Home Health", TimeZone: "America/Chicago", Region: "US",
				Budget: views.MonthlyBudget{
					BudgetForm: views.BudgetForm{Amount: "5000", Currency: "USD"},
					Spent: "4,410.25 USD of 5,000.00 USD in November 2026. About 4,431.40 USD with 114 " +
						"calls whose price is not known. Calls in other currencies do not count",
				},
				Models: views.ModelDay{
					Tokens: "5000000", Amount: "20", Currency: "USD", Used: "Used today: 1,204,310 tokens, 4.82 USD",
				},
				Limits: views.CallingLimits{
					MaxConcurrency: "40", MaxDailyAttempts: "300",
					Errors: ui.Errors{"max_daily_attempts": "must be between 1 and 100"},
				},
			}),
		},
		{
			"stop-calling",
			views.ConfirmPage(admin("/settings/organization/stop-calling"), views.StopCalling{
				Organization: "Meridian Home Health", Name: "Meridian", Up: 12,
				Errors: ui.Errors{"name": "type the name of the organization"},
			}.Confirm()),
		},
		{
			"organization-staff",
			views.OrganizationPage(staff("/settings/organization"), views.Organization{
				ID: "0192f3c1", Name: "Meridian Home Health", TimeZone: "America/Chicago", Region: "US",
			}),
		},
		{"profile", views.ProfilePage(staff("/profile"), views.Profile{Name: "Paul Adeyemi",
			Email: "paul@meridian.example", Errors: ui.Errors{"current_password": "wrong password"},
			Sessions: []views.Session{
				{ID: "1", Browser: "Firefox on Linux", Address: "203.0.113.24", SignedIn: ago(3 * day), Current: true},
				{
					ID: "2", Browser: "Safari on iPhone", Address: "2001:db8::1", SignedIn: ago(9 * day),
					LastSeen: ago(hour),
				},
			}})},
	}
}

// callingRules are a listed, a changed and an unused rule.
var callingRules = []views.CallingRule{
	{
		ID: "us-fl-calls", Place: "Florida", Text: "At most 3 calls to a number in 24 hours",
		Source: "Fla. Stat. § 501.616(6)(b)", URL: "https://example.com/fl", AsOf: "2026-11-23", Verified: true,
		Note: "The law counts calls on the same subject. This server counts all calls of the organization.",
	},
	{
		ID: "fr-hours", Place: "France", Text: "10:00–12:00, Mon, Tue",
		Listed: "10:00–13:00 and 14:00–20:00, Mon–Fri",
		Reason: "our own promise", Source: "Code de la consommation, art. D. 223-9 (décret n° 2022-1313)",
		URL: "https://example.com/fr", AsOf: "2026-11-23", Verified: true,
	},
	{
		ID: "us-tx-hours", Place: "Texas", Text: "09:00–21:00, Mon–Sat; 12:00–21:00, Sun",
		Listed: "09:00–21:00",
		Off:    true, Reason: "existing customers", Source: "Tex. Bus. & Com. Code § 301.051",
		URL: "https://example.com/tx", AsOf: "2026-11-23",
	},
}

var ownRules = []views.OwnRule{
	{ID: "own-de-5b0c77d2", Place: "Germany", Text: "At most 2 calls to a number in 24 hours", Reason: "A promise"},
	{
		ID: "own-ca-on-3f2a9c1e", Place: "Ontario, Canada", Reason: "Our lawyer's advice",
		Text: "09:00–17:00, Mon–Fri, and at most 1 call to a number in 24 hours",
	},
}

var poolNumbers = []ui.Option{
	{Value: "1", Label: "+1 312 555 0100, Care line (Twilio, main account)"},
	{Value: "2", Label: "+1 217 555 0142 (Twilio, main account)"},
	{Value: "3", Label: "+1 500 500 0001 (Sandbox)"},
}

func agentModelForm() views.AgentModelForm {
	return views.AgentModelForm{
		Instructions: "You call {{name}} for Meridian Home Health about a visit of a nurse.\nNever give a diagnosis.",
		ConnectionID: "1", FallbackID: "2", Tools: []string{"report_person", "send_message"},
		HTTPTools: []string{"7"}, Templates: []string{"8"}, ToolChoices: []ui.Option{{Value: "7", Label: "free_slots"}},
		TemplateChoices: []ui.Option{{Value: "8", Label: "reminder (en_US)"}}, AvoidTopics: "prices\nlegal advice",
		Temperature: "0.4", Connections: []ui.Option{
			{Value: "1", Label: "OpenAI, main account (gpt-4.1-mini)"},
			{Value: "2", Label: "Stand-in (sandbox), failing"},
		},
	}
}

func speechForm() views.SpeechForm {
	return views.SpeechForm{
		SilenceSeconds: "8", Nudges: "1",
		Voices: []ui.Option{
			{Label: "The carrier's default"},
			{Value: "amazon:Joanna-Neural", Label: "Joanna, female, Amazon Polly Neural", Group: "Amazon Polly"},
			{Value: "elevenlabs:", Label: "Another voice of ElevenLabs, by its ID", Group: "ElevenLabs"},
		},
		Models:         []ui.Option{{Label: "The carrier's default"}},
		Transcriptions: []ui.Option{{Label: "The carrier's default"}, {Value: "deepgram:flux", Label: "Deepgram Flux"}},
	}
}

func speechFormWrong() views.SpeechForm {
	v := speechForm()
	v.Voice, v.VoiceID, v.Open, v.EndOfTurnMS, v.IgnoreBackchannel = "elevenlabs:", "Rachel", true, "50", true
	v.Hints, v.Pronunciations = "Meridian\nNguyen", strings.Repeat("Nguyen ", 10)+"= win"
	return v
}

const preDialURL = "https://crm.meridian-home-health.example/dialwright/may-we-call?list=national&token=5d0f"

func numberUse() views.NumberUse {
	return views.NumberUse{
		Today: 41, MaxDaily: 100, RestsUntil: ago(-3 * time.Hour),
		Week:  call.NumberFigures{Placed: 420, Reached: 63, Answered: 110, ShortCalls: 11},
		Month: call.NumberFigures{Placed: 1800, Reached: 360, Answered: 500, ShortCalls: 45},
	}
}

// testCase is the form of a case with several kinds of rows, and with errors if a model plays the recipient.
func testCase(recipient string) views.AgentTestCase {
	v := views.AgentTestCase{
		AgentID: "1", Agent: "Nora", Recipient: recipient,
		Connections: []ui.Option{{Value: "1", Label: "Stand-in (sandbox)"}},
		Steps: []views.TestStepForm{
			{Action: "say", Text: "Yes, this is me."}, {Action: "interrupt", Words: "4"}, {Action: "hang_up"},
		},
		Checks: []views.TestCheckForm{
			{Kind: "said", Value: "(?i)thank you"}, {Kind: "field_equals", Name: "coming", Value: "true"},
			{Kind: "tool_called", Name: "end_call"}, {Kind: "opted_out"},
			{Kind: "judge", Value: "The agent is polite."}, {},
		},
	}
	if recipient == "model" {
		long := strings.Repeat("A long name of a case ", 4)
		v.ID, v.Known, v.Name, v.Variables = "1", long, long, `{"first_name": "Ada"}`
		v.Errors = ui.Errors{
			"recipient.model.prompt": "Required", "checks[0].value": "Must be a regular expression in RE2 syntax",
			"variables.first_name": "At most 500 characters",
		}
	}
	return v
}

func agentReading(long string) views.AgentReading {
	return views.AgentReading{
		{ID: "talks", Title: "Agent", Facts: []ui.Fact{{Name: "How it talks", Text: "Language model"}}},
		{ID: "model", Title: "Language model", Facts: []ui.Fact{
			{Name: "Instructions", Value: views.Prose(long + "\n" + long)},
		}},
		{ID: "questions", Title: "Questions", Facts: []ui.Fact{
			{Name: "Coming", Value: views.ReadQuestion("Are you coming?", []string{"Yes or no, optional", long})},
		}},
	}
}

// inboundURL is where a number sends its calls.
const inboundURL = "https://dial.example.com/hooks/twilio/019aa5f0-6c1e-7d3a-9b1f-3f1c52a7d004/incoming"

// inboundForm is a form with hours, outside of which callers hear a message.
func inboundForm() views.InboundForm {
	return views.InboundForm{
		ID: "1", Number: "+13125550100", Happens: "agent", AgentID: "1", Agents: []ui.Option{{Value: "1", Label: "Nora"}},
		Projects: []ui.Option{{Value: "1", Label: "Prevention"}},
		Message:  views.SpokenForm{Language: "en-US", Voices: []ui.Option{{Label: "The carrier's default"}}},
		Hours: views.HoursForm{
			Mode: "custom", Clock: "zone", Zone: "America/Chicago",
			Windows: []views.WindowForm{{Days: []string{"mon", "tue"}, Start: "08:00", End: "18:00"}},
		},
		Outside: "message",
		Closed: views.SpokenForm{
			Text: "You have reached {{organization}}. We are closed.", Language: "en-US",
			Voices: []ui.Option{{Label: "The carrier's default"}},
		},
		Carrier: "Twilio", VoiceURL: inboundURL, StatusURL: inboundURL + "/status",
	}
}
