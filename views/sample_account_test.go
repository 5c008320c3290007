package views_test

import (
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
)

func accountSamples() []sample {
	toasted := admin("/settings/api-keys")
	toasted.Toasts = []ui.Toast{
		{Text: "Key revoked"}, {Text: "Campaign paused", Undo: "Resume", UndoAction: "/campaigns/1/resume"},
	}
	keys := []views.APIKey{
		{
			ID: "1", Name: "Nightly export", Display: "ik_live_5c1e…d3b1",
			Scopes: []string{"calls:read", "campaigns:read"}, Expires: now.AddDate(1, 0, 0), Created: ago(minute),
			CreatedBy: "Ingrid Vasquez",
		},
		{
			ID: "2", Name: "EHR bridge", Display: "ik_live_7be4…91d0", LastUsed: ago(2 * minute),
			LastAddress: "203.0.113.24", Created: ago(250 * day), CreatedBy: "Ingrid Vasquez",
		},
		{
			ID: "3", Name: "Scheduler", Display: "ik_live_c03a…5f7e",
			Scopes: []string{
				"campaigns:read", "campaigns:write", "numbers:read", "projects:read", "suppressions:write",
			},
			Networks: []string{"198.51.100.0/24", "2001:db8:85a3::/48"},
			LastUsed: ago(4 * minute), LastAddress: "198.51.100.7", Expires: now.AddDate(0, 0, 6),
			Created: ago(86 * day), CreatedBy: "Ingrid Vasquez",
		},
		{
			ID: "4", Name: "Reporting (old)", Display: "ik_live_88b2…0e31", Scopes: []string{"calls:read"},
			LastUsed: ago(60 * hour), LastAddress: "2001:db8:85a3::8a2e:370:7334", Expires: ago(3 * hour),
			Created: ago(400 * day), CreatedBy: "Paul Adeyemi",
		},
		{
			ID: "5",
			Name: "A key with a name as long as names may be, because somebody wrote down what it is for and for " +
				"whom",
			Display: "ik_live_f4c7…63b8", Scopes: []string{"messages:write"}, Created: ago(17 * day),
			CreatedBy: "Command line",
		},
	}
	rotated := append([]views.APIKey{
		{ID: "6", Name: "EHR bridge", Display: "ik_live_d41c…a07b", Created: ago(minute), CreatedBy: "Ingrid Vasquez"},
		{
			ID: "7", Name: "Intake kiosk", Display: "ik_live_0a9e…77c2", Scopes: []string{"messages:write"},
			LastUsed: ago(134 * day), LastAddress: "203.0.113.80", Created: ago(300 * day), CreatedBy: "Paul Adeyemi",
		},
	}, keys...)
	rotated[3].Replaced, rotated[3].Expires = true, now.Add(day)
	revoked := append([]views.APIKey{}, keys...)
	revoked[3].Revoked, revoked[3].RevokedBy = ago(2*day), "Ingrid Vasquez"
	scopes := []views.ScopeChoice{
		{Name: "campaigns:read", Help: "List campaigns and their recipients", Checked: true},
		{Name: "campaigns:write", Help: "Create, pause, resume and cancel campaigns"},
		{Name: "calls:read", Help: "List calls with their transcripts", Checked: true},
		{Name: "numbers:read", Help: "List phone numbers and their quota"},
		{Name: "projects:read", Help: "List projects and agents"},
		{Name: "suppressions:read", Help: "Read the do-not-call list"},
		{Name: "suppressions:write", Help: "Change the do-not-call list"},
	}
	return []sample{
		{
			"sign-in",
			views.SignInPage(bare("/sign-in", "Sign in"), views.SignIn{
				Host: "calls.meridian.example", Next: "/", StayDays: 30,
			}),
		},
		{
			"sign-in-wrong",
			views.SignInPage(bare("/sign-in", "Sign in"), views.SignIn{
				Host: "calls.meridian.example", Email: "ingrid@meridian.example", StayDays: 30,
				Error: "Wrong email address or password",
			}),
		},
		{"sign-in-late", views.SignInPage(bare("", "Sign in"), views.SignIn{
			Host: "calls.meridian.example", Next: "/campaigns/new", LateForm: "sealed",
			Email: "ingrid@meridian.example",
			Error: "Wrong email address or password",
			Notice: ui.Notice{
				Tone: ui.Warn, Title: "You were signed out, so nothing was saved",
				Text: "Sign in to see your entries and send them again. Stay on this page until then.",
			},
		})},
		{
			"set-up",
			views.SetUpPage(bare("/setup", "Set up"), views.SetUp{Code: "7KQ2-M4XD", TimeZone: "UTC", Region: "US"}),
		},
		{
			"set-up-wrong",
			views.SetUpPage(bare("/setup", "Set up"), views.SetUp{
				Code: "x", Organization: "Meridian", TimeZone: "Mars/Olympus", Region: "US", Email: "ingrid",
				Errors: ui.Errors{
					"code":      "This code is not valid",
					"time_zone": "must be a time zone such as America/Chicago. Did you mean Europe/Berlin?",
					"email":     "not an email address",
					"password":  "too easy to guess. Use several unrelated words or a random password",
				},
			}),
		},
		{
			"failure",
			views.FailurePage(admin("/nowhere"), views.Failure{
				Title: "Page not found", Text: "It may have been removed, or the address is incomplete.",
				RequestID: "01J0Z3K9V8-2", BackHref: "/", BackLabel: "Go to overview",
			}),
		},
		{
			"failure-bare",
			views.BareFailurePage(bare("/setup", "Not found"), views.Failure{
				Title:     "Something went wrong on our side",
				Text:      "The error is in the server's log under the id below. Try again in a moment.",
				RequestID: "01J0Z3K9V8-2", BackHref: "/sign-in", BackLabel: "Sign in",
			}),
		},
		{
			"api-keys-none",
			views.APIKeysPage(admin("/settings/api-keys"), views.APIKeys{BaseURL: "https://calls.meridian.example"}),
		},
		{
			"api-keys",
			views.APIKeysPage(toasted, views.APIKeys{
				Rows: keys, Order: order("used", true, "name", "expires", "created"), Revoked: 3,
				BaseURL: "https://calls.meridian.example",
			}),
		},
		{
			"api-keys-new",
			views.APIKeysPage(admin("/settings/api-keys"), views.APIKeys{
				Rows: keys, Revoked: 3, BaseURL: "https://calls.meridian.example",
				New: &views.NewKey{
					ID: "1", Name: "Nightly export",
					Value:  "ik_live_5c1e8a90d7f24b3f86e1c94a02bd7735e9f6180c4d2ab35f7790ee1468c2d3b1",
					Scopes: []string{"calls:read", "campaigns:read"}, Expires: now.AddDate(1, 0, 0),
				},
			}),
		},
		{
			"api-keys-rotated",
			views.APIKeysPage(admin("/settings/api-keys"), views.APIKeys{
				Rows: rotated, Revoked: 3, BaseURL: "https://calls.meridian.example",
				New: &views.NewKey{
					ID: "6", Name: "EHR bridge",
					Value: "ik_live_d41c8a90d7f24b3f86e1c94a02bd7735e9f6180c4d2ab35f7790ee1468c2a07b", Replaces: true,
					OldUntil: now.Add(day),
				},
			}),
		},
		{
			"api-key-edit",
			views.KeyChangePage(admin("/settings/api-keys/3"), views.KeyChangeForm{
				Key: keys[2], Name: keys[2].Name, Networks: "203.0.113.0/24\n2001:db8::1",
			}),
		},
		{
			"api-key-rotate",
			views.RotateKeyPage(admin("/settings/api-keys/3/rotate"), views.RotateKeyForm{
				Key: keys[2], ID: "x", Overlap: "86400",
			}),
		},
		{
			"api-keys-revoked-staff",
			views.APIKeysPage(staff("/settings/api-keys"), views.APIKeys{
				Rows: revoked, ShowRevoked: true, Revoked: 1, BaseURL: "https://calls.meridian.example",
				Pager: ui.Pager{Line: "Newest first", OlderHref: "?cursor=x"},
			}),
		},
		{
			"api-key-form",
			views.APIKeyFormPage(admin("/settings/api-keys/new"), views.APIKeyForm{Scopes: scopes, Expires: "90"}),
		},
		{
			"api-key-form-wrong",
			views.APIKeyFormPage(admin("/settings/api-keys/new"), views.APIKeyForm{
				Scopes: scopes, Expires: "date",
				Errors: ui.Errors{
					"name": "1 to 100 characters", "scopes": "choose at least one",
					"expires_at": "must be in the future", "": "At most 100 keys per organization",
				},
			}),
		},
		{"api-key-revoke", views.ConfirmPage(admin("/settings/api-keys/3/revoke"), views.RevokeKey(clock(), keys[2]))},
	}
}
