package views_test

import (
	"strings"
	"time"

	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
)

func searchSamples() []sample {
	found := views.Search{Query: "oye", Groups: []views.SearchGroup{
		{Title: "People", More: true, Hits: []views.SearchHit{
			{Icon: ui.IconPerson, Label: "Margaret Oyelaran", More: "+1 312 555 0142", Href: "/people/1"},
			{Icon: ui.IconPerson, Label: "+1 312 555 0143", Href: "/people/2"},
		}},
		{Title: "Campaigns", More: true, AllHref: "/campaigns?q=oye", Hits: []views.SearchHit{
			{
				Icon: ui.IconCampaign, Label: "Oyster season " + strings.Repeat("long", 30), More: "Campaign",
				Href: "/campaigns/1",
			},
		}},
		{Title: "Transcripts", Uncounted: true, Hits: []views.SearchHit{
			{Icon: ui.IconSearch, Label: "Calls in which the person said “oye”", Href: "/calls?q=oye"},
		}},
	}}
	person := views.Person{
		Ref: "x4Vd", Number: "+13125550142", Name: "Margaret Oyelaran", Mark: "1", Most: 25,
		Facts: []ui.Fact{
			{Name: "Number", Text: "+1 312 555 0142"}, {Name: "Also", Text: "M. Oyelaran"},
			{Name: "Country", Text: "United States"}, {Name: "Consent", Text: "Contract, form 17, given 3 Nov"},
		},
		Notes: []views.PersonNote{
			{ID: "2", Text: "Prefers mornings.\nAsk for her son first.", By: "Paul Adeyemi", At: now.Add(-time.Hour)},
			{
				ID: "1", Text: strings.Repeat("unbroken", 60), By: "Ingrid Vasquez", At: now.Add(-50 * time.Hour),
				ChangedBy: "Paul Adeyemi", ChangedAt: now.Add(-2 * time.Hour),
			},
		},
		Calls: callRows(), Pager: ui.Pager{Line: "Newest first", OlderHref: "?cursor=x"}, LastCallID: "1",
		DoNotCall: []views.DoNotCallEntry{
			{
				ID: "1", Number: "+13125550142", Channel: "voice", Source: "call", CallID: "1",
				Created: now.Add(-time.Hour),
			},
		},
		FollowUps: []views.FollowUpRow{
			{ID: "1", Kind: "call_back", Assignee: "Ada Bauer", Created: now.Add(-5 * time.Hour)},
			{ID: "2", Kind: "wants_human", Done: true, Created: now.Add(-9 * time.Hour)},
		},
		Lists: []views.PersonEntry{
			{
				Title: "Visit reminders", Href: "/campaigns/1", State: "Completed", At: now.Add(-26 * time.Hour),
				More: "Consent: Contract, form 17",
			},
		},
		Messages: []views.PersonEntry{
			{Title: "visit_reminder", Href: "/messaging/messages/1", State: "Read", At: now, More: "Visit reminders"},
		},
		Cut: []string{"lists", "messages"},
	}
	bare := views.Person{Ref: "x4Vd", Number: "+13125550143", Errors: ui.Errors{"text": "required"}}
	wrong := views.PersonNoteForm{
		Person: bare, ID: "1", Text: strings.Repeat("x", 40), Revision: "1", Errors: ui.Errors{"text": "is too long"},
	}
	return []sample{
		{"search", views.SearchPage(admin("/search"), views.Search{})},
		{"search-found", views.SearchPage(staff("/search"), found)},
		{"search-none", views.SearchPage(admin("/search"), views.Search{Query: "nobody"})},
		{"person", views.PersonPage(admin("/people/x4Vd"), person)},
		{"person-staff", views.PersonPage(staff("/people/x4Vd"), bare)},
		{"person-note", views.PersonNotePage(staff("/people/x4Vd/notes/1"), wrong)},
	}
}
