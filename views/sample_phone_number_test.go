package views_test

import (
	"strings"
	"time"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
)

func phoneNumberSamples() []sample {
	long := strings.Repeat("A name that goes on and on, ", 3) + "as names may"
	destinations := []ui.Option{{Value: "1", Label: "Front desk"}, {Value: "2", Label: long}}
	week := []views.WindowForm{{Days: []string{"mon", "tue", "wed", "thu", "fri"}, Start: "09:00", End: "20:00"}}
	regions := []ui.Option{{Value: "1", Label: "Twilio, main account"}, {Value: "2", Label: "Sandbox"}}
	return []sample{
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
	}
}

var poolNumbers = []ui.Option{
	{Value: "1", Label: "+1 312 555 0100, Care line (Twilio, main account)"},
	{Value: "2", Label: "+1 217 555 0142 (Twilio, main account)"},
	{Value: "3", Label: "+1 500 500 0001 (Sandbox)"},
}

func numberUse() views.NumberUse {
	return views.NumberUse{
		Today: 41, MaxDaily: 100, RestsUntil: ago(-3 * time.Hour),
		Week:  call.NumberFigures{Placed: 420, Reached: 63, Answered: 110, ShortCalls: 11},
		Month: call.NumberFigures{Placed: 1800, Reached: 360, Answered: 500, ShortCalls: 45},
	}
}

// inboundURL is where a number sends its calls.
const inboundURL = "https://dial.example.com/hooks/twilio/019aa5f0-6c1e-7d3a-9b1f-3f1c52a7d004/incoming"

// inboundForm is a form with hours, outside of which callers hear a message.
func inboundForm() views.InboundForm {
	return views.InboundForm{
		ID: "1", Number: "+13125550100", Happens: "agent", AgentID: "1",
		Agents:   []ui.Option{{Value: "1", Label: "Nora"}},
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
