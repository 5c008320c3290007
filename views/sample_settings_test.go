package views_test

import (
	"strings"

	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/layout"
	"github.com/dialwright/dialwright/views/ui"
)

func settingsSamples() []sample {
	long := strings.Repeat("A name that goes on and on, ", 3) + "as names may"
	week := []views.WindowForm{{Days: []string{"mon", "tue", "wed", "thu", "fri"}, Start: "09:00", End: "20:00"}}
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
