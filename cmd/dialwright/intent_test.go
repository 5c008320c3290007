package main

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/campaign/intake"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/hours"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/internal/postgres/pgtest"
	"github.com/dialwright/dialwright/internal/project"
	"github.com/dialwright/dialwright/internal/suppression"
	"github.com/dialwright/dialwright/internal/testwait"
	"github.com/dialwright/dialwright/internal/webhook"
)

// A complete server calls people who say something else than an answer, and does what the campaign's defaults say.
func TestACampaignActsOnWhatPeopleWant(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), testwait.Limit)
	defer cancel()
	db := pgtest.New(t)
	in := runSandboxed(t, db, "20")
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	o, err := in.Accounts.CreateOrganization(ctx, account.OrganizationSettings{
		Name: "Acme", TimeZone: "UTC", Region: "US",
	})
	must(err)
	actor := account.System(o.ID)
	calls, err := in.Projects.CreateProject(ctx, actor, project.Settings{
		Name: "Calls", TimeZone: "UTC", Region: "US", CallingHours: hours.Always(),
	})
	must(err)
	robin, err := in.Projects.CreateAgent(ctx, actor, project.AgentSettings{Name: "Robin", Script: conversation.Script{
		Language:  "en-US",
		Greeting:  "Hello.",
		Questions: []conversation.Question{{Key: "well", Ask: "Are you well?", Expect: conversation.YesNo}},
	}})
	must(err)
	network, err := in.Projects.CreateConnection(ctx, actor, project.NewConnection{
		Kind: project.Sandbox, ConnectionSettings: project.ConnectionSettings{Name: "Sandbox"},
	})
	must(err)
	line, err := in.Projects.CreatePhoneNumber(ctx, actor, project.NewPhoneNumber{
		ConnectionID:   network.ID,
		PhoneNumber:    "+13125550100",
		NumberSettings: project.NumberSettings{Name: "Main line", Voice: true},
	})
	must(err)
	_, _, err = in.Webhooks.Create(ctx, actor, webhook.Draft{
		Name: "CRM", URL: "https://hooks.example.invalid", Events: []string{string(webhook.CallCompleted)},
	})
	must(err)

	const wrong, deceased, later = "+15005220001", "+15005230001", "+15005240001"
	rate := 100.0
	d := &campaign.Draft{
		Name: "Spring", ProjectID: calls.ID.String(), AgentID: robin.ID.String(), PhoneNumberID: line.ID.String(),
		CallsPerSecond: &rate, Recipients: &intake.List{},
	}
	for _, number := range []string{wrong, deceased, later} {
		d.Recipients.Add(intake.Recipient{PhoneNumber: number})
	}
	c, err := in.Campaigns.Create(ctx, actor, d)
	must(err)
	for tick := time.NewTicker(50 * time.Millisecond); ; <-tick.C {
		var open int
		must(db.Pool.QueryRow(ctx, `
			select count(*) filter (where settled_at is null) + 3 - count(*) from call`).Scan(&open))
		if open == 0 {
			break
		}
	}

	list, err := in.Calls.List(ctx, o.ID, call.Filter{
		Request: page.Request{Limit: page.MaxLimit}, CampaignID: &c.ID, Intents: page.Only(conversation.CallBack),
	})
	must(err)
	if len(list.Data) != 1 || list.Data[0].PersonNumber != later {
		t.Fatalf("%d calls with the intent call_back", len(list.Data))
	}
	shown := in.Calls.Resource(list.Data[0])
	asked := shown.CallBackAt
	if asked == nil {
		t.Fatal("no time was understood")
	}
	var told string
	must(db.Pool.QueryRow(ctx, `
		select coalesce(payload::jsonb #>> '{data,intent}', '') from event where subject_id = $1`,
		shown.ID).Scan(&told))
	var exported []string
	for row, err := range in.Calls.Export(ctx, o.ID, call.Filter{CampaignID: &c.ID}) {
		must(err)
		exported = append(exported, row[slices.Index(call.ExportHeader, "intent")])
	}
	slices.Sort(exported)
	if *shown.Intent != conversation.CallBack || told != "call_back" ||
		!slices.Equal(exported, []string{"call_back", "deceased", "wrong_person"}) {
		t.Errorf("the API's intent is %s, the webhook's %q, the export's %q", *shown.Intent, told, exported)
	}
	people, err := in.Campaigns.Recipients(ctx, o.ID, c.ID, campaign.RecipientOptions{
		Page: page.Request{Limit: page.MaxLimit},
	})
	must(err)
	for _, r := range people.Data {
		switch want := time.Time(*asked); r.PhoneNumber {
		case later:
			if r.Status != campaign.RecipientPending || !r.DueAt.Equal(want) ||
				*r.WaitReason != campaign.WaitCallBack ||
				want.Sub(*list.Data[0].AnsweredAt) < 59*time.Minute {
				t.Errorf("%+v, want a call at %s", r, want)
			}
		default:
			if r.Status != campaign.RecipientCompleted {
				t.Errorf("%s is %s", r.PhoneNumber, r.Status)
			}
		}
	}
	listed, err := suppression.Listed(ctx, db.Pool, o.ID, suppression.Voice, []phone.Number{wrong, deceased, later})
	must(err)
	if _, found := listed[deceased]; !found || len(listed) != 1 {
		t.Errorf("the do-not-call list has %v", listed)
	}
	var counts map[conversation.Intent]int
	if counts, err = in.Campaigns.IntentCounts(ctx, o.ID, c.ID); err != nil || counts[conversation.WrongPerson] != 1 ||
		counts[conversation.Deceased] != 1 || counts[conversation.CallBack] != 1 {
		t.Errorf("%v, %v", counts, err)
	}
}
