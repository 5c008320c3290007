package views_test

import (
	"strings"
	"time"

	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
)

func agentSamples() []sample {
	long := strings.Repeat("A name that goes on and on, ", 3) + "as names may"
	destinations := []ui.Option{{Value: "1", Label: "Front desk"}, {Value: "2", Label: long}}
	return []sample{
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
			Cases: []views.TestCase{
				{ID: "1", Name: "Confirms", Steps: 2, Checks: 3}, {ID: "2", Name: long, Checks: 1},
			},
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
				"2,140 calls", "1,337 completed, 21 opted out", "1:14 talk time per person", "6,000 tokens per call",
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
					Figures: []string{"2,140 calls", "1,337 completed, 21 opted out", "1:14 talk time per person"},
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
			To: [3]string{"312"}, Name: "Ingrid", Placed: []views.TestCall{{ID: "2", Number: "+13125550142"}},
			Variables:    []views.TryVariable{{Name: "clinic"}},
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
	}
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
