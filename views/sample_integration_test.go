package views_test

import (
	"time"

	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
)

func integrationSamples() []sample {
	return []sample{
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
	}
}
