package project_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/carrier/speech"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/project"
)

func nora() project.AgentSettings {
	most := 10.0
	return project.AgentSettings{Name: "Nora", Speech: speech.Settings{
		Provider: speech.Amazon, Voice: "Joanna-Neural", Hints: []string{" Meridian ", "Meridian"},
		Pronunciations: []speech.Pronunciation{{Word: "Nguyen", Spoken: "win"}},
	}, Script: conversation.Script{
		Language: "en-US", Greeting: "Hello {{name|there}}.",
		Questions: []conversation.Question{
			{Key: "coming", Ask: "Are you coming?", Expect: conversation.YesNo},
			{Key: "pain", Ask: "How bad is it?", Expect: conversation.Number, Max: &most},
		},
	}}
}

func (f *fixture) agent(t *testing.T) project.Agent {
	t.Helper()
	a, err := f.projects.CreateAgent(t.Context(), f.actor, nora())
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestAgents(t *testing.T) {
	t.Parallel()
	f := setup(t)
	ctx := t.Context()
	a := f.agent(t)
	got, err := json.Marshal(a.Resource())
	want := fmt.Sprintf(`{"id":%q,"name":"Nora","kind":"scripted","language":"en-US","languages":[],"speech":{`+
		`"provider":"amazon","voice":"Joanna-Neural","model":"","transcription_provider":"","transcription_model":"",`+
		`"end_of_turn_ms":null,"end_of_turn_threshold":null,"interruptible":"any","interrupt_sensitivity":"high",`+
		`"ignore_backchannel":false,"hints":["Meridian"],"pronunciations":[{"word":"Nguyen","spoken":"win"}]},`+
		`"greeting":"Hello {{name|there}}.","inbound_greeting":"","disclosure":"","questions":[`+
		`{"key":"coming","ask":"Are you coming?","asks":{},"description":"","expect":"yes_no","required":true,`+
		`"options":[],"min":null,"max":null,"follow_up":null,"translated_options":{},"branches":[]},`+
		`{"key":"pain","ask":"How bad is it?","asks":{},"description":"","expect":"number","required":true,`+
		`"options":[],"min":null,"max":10,"follow_up":null,"translated_options":{},"branches":[]}],`+
		`"not_understood":"","goodbye":"","voicemail_message":"","silence_seconds":8,"nudges":1,`+
		`"record_calls":false,"model":null,"analysis":{"connection_id":null,"success":""},`+
		`"transfer":null,"require_passing_tests":false,`+
		`"published_version":1,"has_draft_changes":false,"created_at":%q,"untranslated":[]}`, a.ID,
		a.CreatedAt.Format("2006-01-02T15:04:05.000Z"))
	if err != nil || string(got) != want {
		t.Errorf("resource %s, want %s", got, want)
	}

	bad := nora()
	bad.Name, bad.Script.Greeting, bad.Script.Questions[1].Key = "", "", "coming"
	bad.Speech.Voice, bad.Script.SilenceSeconds = "Sofie-Neural", 31
	_, err = f.projects.CreateAgent(ctx, f.actor, bad)
	var fields []string
	for _, field := range fault.As(err).Fields {
		fields = append(fields, field.Path)
	}
	if !slices.Equal(fields, []string{
		"name", "speech.voice", "greeting", "silence_seconds", "questions[1].key",
	}) {
		t.Errorf("refused %v", err)
	}

	change := nora()
	change.Script.Language, change.Script.Goodbye, change.RecordCalls = "en-GB", "Cheerio.", true
	_, err = f.projects.UpdateAgent(ctx, f.stranger, a.ID, change)
	wantFault(t, err, fault.NotFound, "Agent not found")
	if a, err = f.projects.UpdateAgent(ctx, f.actor, a.ID, change); err != nil || a.Language != "en-GB" ||
		a.Script.Goodbye != "Cheerio." || !a.RecordCalls || !a.Resource().RecordCalls {
		t.Errorf("%+v, %v", a, err)
	}
	_, err = f.projects.Agent(ctx, f.stranger.OrganizationID, a.ID)
	wantFault(t, err, fault.NotFound, "Agent not found")
	wantFault(t, f.projects.DeactivateAgent(ctx, f.stranger, a.ID), fault.NotFound, "Agent not found")
	if err := f.projects.DeactivateAgent(ctx, f.actor, a.ID); err != nil {
		t.Fatal(err)
	}
	if a, err := f.projects.Agent(ctx, f.org(), a.ID); err != nil || a.DeactivatedAt == nil {
		t.Errorf("an agent of old calls: %+v, %v", a, err)
	}
	left := f.agent(t)
	if l, err := f.projects.Agents(ctx, f.org(), page.Request{}); err != nil || len(l.Data) != 1 ||
		l.Data[0].ID != left.ID {
		t.Errorf("%+v, %v", l, err)
	}
	if l, err := f.projects.Agents(ctx, f.stranger.OrganizationID, page.Request{}); err != nil || len(l.Data) != 0 {
		t.Errorf("%+v, %v", l, err)
	}
	if got := audited(t, f.db.Pool, a.ID); !slices.Equal(got, []string{
		"agent.created", "agent.updated", "agent.deactivated",
	}) {
		t.Errorf("audited %v", got)
	}
}

func TestWhatACampaignUsesStays(t *testing.T) {
	t.Parallel()
	f := setup(t)
	ctx := t.Context()
	connection := f.connection(t)
	use := campaign{
		org: f.org(), project: f.project(t).ID, agent: f.agent(t).ID,
		connection: connection.ID, number: f.number(t, connection.ID, "+13125550142").ID,
	}
	p, err := f.projects.Project(ctx, f.org(), use.project)
	if err != nil {
		t.Fatal(err)
	}
	insert := func(name string, ended bool) {
		use.name, use.ended = name, ended
		if err := use.insert(ctx, f.db.Pool); err != nil {
			t.Fatal(err)
		}
	}
	check := func(is string) {
		t.Helper()
		wantFault(t, f.projects.DeactivateAgent(ctx, f.actor, use.agent), fault.Conflict, "Agent Nora is used by "+is)
		wantFault(t, f.projects.DeactivateProject(ctx, f.actor, use.project), fault.Conflict,
			"Project "+p.Name+" is used by "+is)
		wantFault(t, f.projects.DeactivatePhoneNumber(ctx, f.actor, use.number), fault.Conflict,
			"Phone number +13125550142 is used by "+is)
		_, err := f.projects.UpdatePhoneNumber(ctx, f.actor, use.number, project.NumberSettings{Voice: false})
		wantFault(t, err, fault.Conflict, "Phone number +13125550142 is used by "+is)
	}
	insert("Long over", true)
	insert("Autumn reminders", false)
	check("1 campaign that has not ended: Autumn reminders")
	insert("Winter check", false)
	check("2 campaigns that have not ended: Winter check, Autumn reminders")
	for i := range 4 {
		insert(fmt.Sprint("Wave ", i), false)
	}
	check("6 campaigns that have not ended: Wave 3, Wave 2, Wave 1 and 3 more")

	if _, err := f.db.Pool.Exec(
		ctx, `update campaign set status = 'canceled', ended_at = clock() where ended_at is null`,
	); err != nil {
		t.Fatal(err)
	}
	for what, err := range map[string]error{
		"agent":   f.projects.DeactivateAgent(ctx, f.actor, use.agent),
		"project": f.projects.DeactivateProject(ctx, f.actor, use.project),
		"number":  f.projects.DeactivatePhoneNumber(ctx, f.actor, use.number),
	} {
		if err != nil {
			t.Errorf("%s of ended campaigns: %v", what, err)
		}
	}
}

// part is one of the three resources that a campaign refers to.
type part struct {
	lock       func(tx pgx.Tx, organizationID, id uuid.UUID) error
	deactivate func(id uuid.UUID) error
	id         uuid.UUID
	refusal    string
}

func (f *fixture) parts(ctx context.Context, use campaign) map[string]part {
	return map[string]part{
		"project": {
			func(tx pgx.Tx, org, id uuid.UUID) error {
				_, err := project.LockProjectForUse(ctx, tx, org, id)
				return err
			},
			func(id uuid.UUID) error { return f.projects.DeactivateProject(ctx, f.actor, id) },
			use.project, "project_id: no such project",
		},
		"agent": {
			func(tx pgx.Tx, org, id uuid.UUID) error {
				_, err := project.LockAgentForUse(ctx, tx, org, id)
				return err
			},
			func(id uuid.UUID) error { return f.projects.DeactivateAgent(ctx, f.actor, id) },
			use.agent, "agent_id: no such agent",
		},
		"number": {
			func(tx pgx.Tx, org, id uuid.UUID) error {
				_, err := project.LockPhoneNumberForUse(ctx, tx, org, id)
				return err
			},
			func(id uuid.UUID) error { return f.projects.DeactivatePhoneNumber(ctx, f.actor, id) },
			use.number, "phone_number_id: no such phone number",
		},
	}
}

func (f *fixture) campaignParts(t *testing.T) campaign {
	t.Helper()
	connection := f.connection(t)
	return campaign{org: f.org(), name: "New", project: f.project(t).ID, agent: f.agent(t).ID,
		connection: connection.ID, number: f.number(t, connection.ID, "+13125550142").ID}
}

// The creation of a campaign locks what the campaign uses. A concurrent deactivation
// waits, and then finds the campaign.
func TestADeactivationWaitsForACampaignBeingCreated(t *testing.T) {
	t.Parallel()
	f := setup(t)
	ctx := t.Context()
	use := f.campaignParts(t)
	for name, p := range f.parts(ctx, use) {
		t.Run(name, func(t *testing.T) {
			answered := make(chan error, 1)
			err := postgres.InTx(ctx, f.db.Pool, func(tx pgx.Tx) error {
				if err := p.lock(tx, f.org(), p.id); err != nil {
					return err
				}
				go func() { answered <- p.deactivate(p.id) }()
				f.db.AwaitLockWaits(t, 1)
				return use.insert(ctx, tx)
			})
			if err != nil {
				t.Fatal(err)
			}
			wantFault(t, <-answered, fault.Conflict, "")
		})
	}
}

// In the reverse order, the creation of a campaign waits for a deactivation and sees it.
func TestALockForUseSeesTheDeactivationItWaitedFor(t *testing.T) {
	t.Parallel()
	f := setup(t)
	ctx := t.Context()
	for name, p := range f.parts(ctx, f.campaignParts(t)) {
		t.Run(name, func(t *testing.T) {
			table := map[string]string{"project": "project", "agent": "agent", "number": "phone_number"}[name]
			tx, err := f.db.Pool.Begin(ctx)
			if err != nil {
				t.Fatal(err)
			}
			defer tx.Rollback(ctx)
			for _, sql := range []string{
				`select from ` + table + ` where id = $1 for update`,
				`update ` + table + ` set deactivated_at = clock() where id = $1`,
			} {
				if _, err := tx.Exec(ctx, sql, p.id); err != nil {
					t.Fatal(err)
				}
			}
			locked := make(chan error, 1)
			go func() {
				locked <- postgres.InTx(ctx, f.db.Pool, func(tx pgx.Tx) error { return p.lock(tx, f.org(), p.id) })
			}()
			f.db.AwaitLockWaits(t, 1)
			if err := tx.Commit(ctx); err != nil {
				t.Fatal(err)
			}
			wantFault(t, <-locked, fault.Invalid, p.refusal)
		})
	}
}

func TestForeignAndUnknownPartsReadTheSame(t *testing.T) {
	t.Parallel()
	f := setup(t)
	ctx := t.Context()
	use := f.campaignParts(t)
	for name, p := range f.parts(ctx, use) {
		for _, c := range []struct{ org, id uuid.UUID }{
			{f.stranger.OrganizationID, p.id}, {f.org(), uuid.Must(uuid.NewV7())},
		} {
			err := postgres.InTx(ctx, f.db.Pool, func(tx pgx.Tx) error { return p.lock(tx, c.org, c.id) })
			if wantFault(t, err, fault.Invalid, p.refusal); t.Failed() {
				t.Log(name)
			}
		}
	}
	if _, err := f.projects.UpdatePhoneNumber(ctx, f.actor, use.number, project.NumberSettings{
		Voice: false,
	}); err != nil {
		t.Fatal(err)
	}
	err := postgres.InTx(ctx, f.db.Pool, func(tx pgx.Tx) error {
		_, err := project.LockPhoneNumberForUse(ctx, tx, f.org(), use.number)
		return err
	})
	wantFault(t, err, fault.Invalid, "phone_number_id: this number can't place calls")
}
