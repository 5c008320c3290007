package main

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/campaign/intake"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/hours"
	"github.com/dialwright/dialwright/internal/messaging"
	"github.com/dialwright/dialwright/internal/messaging/connection"
	whatsapp "github.com/dialwright/dialwright/internal/messaging/sandbox"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/postgres/pgtest"
	"github.com/dialwright/dialwright/internal/project"
	"github.com/dialwright/dialwright/internal/testwait"
)

// A complete server calls recipients and sends messages through the sandbox's phone network and WhatsApp operator. For
// each trigger, the right recipients get a message, and the operator receives the intended content.
func TestCampaignsFollowCallsUp(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), testwait.Limit)
	defer cancel()
	db := pgtest.New(t)
	in := runSandboxed(t, db, "20")

	o, err := in.Accounts.CreateOrganization(ctx, account.OrganizationSettings{
		Name: "Acme", TimeZone: "UTC", Region: "US",
	})
	if err != nil {
		t.Fatal(err)
	}
	actor := account.System(o.ID)
	calls, err := in.Projects.CreateProject(ctx, actor, project.Settings{
		Name:         "Calls",
		TimeZone:     "UTC",
		Region:       "US",
		CallingHours: hours.Always(),
	})
	if err != nil {
		t.Fatal(err)
	}
	robin, err := in.Projects.CreateAgent(ctx, actor, project.AgentSettings{Name: "Robin", Script: conversation.Script{
		Language:  "en-US",
		Greeting:  "Hello.",
		Questions: []conversation.Question{{Key: "well", Ask: "Are you well?", Expect: conversation.YesNo}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	network, err := in.Projects.CreateConnection(ctx, actor, project.NewConnection{
		Kind:               project.Sandbox,
		ConnectionSettings: project.ConnectionSettings{Name: "Sandbox"},
	})
	if err != nil {
		t.Fatal(err)
	}
	line, err := in.Projects.CreatePhoneNumber(ctx, actor, project.NewPhoneNumber{
		ConnectionID:   network.ID,
		PhoneNumber:    "+13125550100",
		NumberSettings: project.NumberSettings{Name: "Main line", Voice: true},
	})
	if err != nil {
		t.Fatal(err)
	}
	_, err = in.WhatsApp.CreateConnection(ctx, actor, connection.NewConnection{Account: whatsapp.Account1K,
		Settings: connection.Settings{Name: "WhatsApp", Token: in.sandboxToken, AppSecret: in.sandboxToken}})
	if err != nil {
		t.Fatal(err)
	}

	const (
		answers, busy, noAnswer, stops = "+15005000001", "+15005010001", "+15005020001", "+15005070001"
		answersToo, busyToo            = "+15005000002", "+15005010002"
		toldFirst, notOnWhatsApp       = "+15005000003", "+15005009102"
	)
	begin := func(trigger campaign.Trigger, template, variables string, numbers ...string) campaign.Campaign {
		t.Helper()
		rate := 100.0
		d := &campaign.Draft{Name: string(trigger), ProjectID: calls.ID.String(), AgentID: robin.ID.String(),
			PhoneNumberID: line.ID.String(), CallsPerSecond: &rate, Recipients: &intake.List{},
			Messaging: &campaign.MessagingInput{ExternalID: whatsapp.Number1K, Trigger: trigger,
				Template: &messaging.TemplateInput{
					Name: template, Language: "en_US", Variables: json.RawMessage(variables),
				}}}
		for _, number := range numbers {
			d.Recipients.Add(intake.Recipient{PhoneNumber: number, Name: "Ada"})
		}
		c, err := in.Campaigns.Create(ctx, actor, d)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	campaigns := []campaign.Campaign{
		begin(campaign.TriggerAfterCall, "follow_up",
			`{"header.1": "{{name}}", "1": "{{name}}", "2": "{{agent_name}} ({{answers.well|-}})"}`, answers, noAnswer,
			stops),
		begin(campaign.TriggerNoAnswer, "missed_call", `{"1": "{{name}}", "button.0.1": "now"}`, busy, busyToo,
			answersToo),
		begin(campaign.TriggerBeforeCall, "heads_up", `{}`, toldFirst, notOnWhatsApp),
	}

	var left int
	for tick := time.NewTicker(50 * time.Millisecond); ; <-tick.C {
		err := db.Pool.QueryRow(ctx, `
			select (select count(*) from campaign where status <> 'completed') +
			       (select count(*) from message where status in ('queued', 'sending', 'sent'))`).Scan(&left)
		if err != nil {
			t.Fatalf("%d campaigns and messages are not at their end: %v", left, err)
		}
		if left == 0 {
			break
		}
	}

	type written struct {
		template string
		accepted bool
	}
	got := map[string]written{}
	sent := map[string]time.Time{}
	for _, s := range in.sandbox.operator.Sends() {
		if _, twice := got[s.Recipient]; twice {
			t.Errorf("%s was written to twice", s.Recipient)
		}
		got[s.Recipient] = written{s.Template, s.Accepted}
		if s.AnsweredAt != nil {
			sent[s.Recipient] = *s.AnsweredAt
		}
		if s.Recipient == answers && s.Text != "Hello Ada, thank you for talking to Robin (yes) today. We are here "+
			"if you have another question." &&
			s.Text != "Hello Ada, thank you for talking to Robin (no) today. We are here if you have another "+
				"question." {
			t.Errorf("%s reads %q", s.Recipient, s.Text)
		}
	}
	for number, want := range map[string]written{
		answers: {"follow_up", true}, busy: {"missed_call", true}, busyToo: {"missed_call", true},
		toldFirst: {"heads_up", true}, notOnWhatsApp: {"heads_up", false},
	} {
		if got[number] != want {
			t.Errorf("%s got %+v, want %+v", number, got[number], want)
		}
		delete(got, number)
	}
	if len(got) > 0 {
		t.Errorf("others were written to: %v", got)
	}

	dialed := map[string]int{}
	for _, d := range in.sandbox.network.Dials() {
		dialed[d.To]++
		if at, ok := sent[d.To]; ok && (d.To == toldFirst || d.To == notOnWhatsApp) && d.ReceivedAt.Before(at) {
			t.Errorf("%s was called before WhatsApp had answered", d.To)
		}
	}
	for _, number := range []string{answers, noAnswer, stops, busy, busyToo, answersToo, toldFirst, notOnWhatsApp} {
		if dialed[number] != 1 {
			t.Errorf("%s was called %d times", number, dialed[number])
		}
	}
	for i, want := range []int{1, 2, 2} {
		list, err := in.Messaging.List(ctx, actor.OrganizationID, messaging.Filter{
			Page: page.Request{Limit: page.MaxLimit}, CampaignID: &campaigns[i].ID,
		})
		if err != nil || len(list.Data) != want {
			t.Errorf("%s: %d messages, want %d, %v", campaigns[i].Name, len(list.Data), want, err)
		}
	}
}
