package views_test

import (
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
)

func doNotCallSamples() []sample {
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
		{ID: "6", Channel: "voice", Source: "call", CallID: "8", Created: ago(401 * day)},
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
	return []sample{
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
	}
}
