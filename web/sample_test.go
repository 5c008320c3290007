package web

import (
	"net/http"
	"sync"
	"testing"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/app"
)

// madeBySample returns the IDs of what the only sample data has, besides its campaign and its calls.
func (w *world) madeBySample() (ids []string) {
	w.t.Helper()
	return value[[]string](w, `
		select array[campaign_id::text] || array(select id::text from call where campaign_id = s.campaign_id)
			|| array(select id::text from recipient where campaign_id = s.campaign_id)
		from sample s`)
}

// lacksSample requires that no table has one of the IDs of removed sample data, except those that keep what happened,
// and that no person can choose its parts.
func (w *world) lacksSample(ids []string) {
	w.t.Helper()
	if len(ids) < 11 {
		w.t.Fatalf("the sample data had %d parts, want a campaign, 5 recipients and their calls", len(ids))
	}
	tables := value[[]string](w, `
		select array_agg(quote_ident(table_name)) from information_schema.tables
		where table_schema = 'public' and table_type = 'BASE TABLE'
		  and table_name not in ('audit_entry', 'event', 'delivery', 'delivery_due', 'delivery_attempt')`)
	for _, table := range tables {
		n := w.count(`select count(*) from `+table+` t
			where exists (select from unnest($1::text[]) id where position(id in t::text) > 0)`, ids)
		if n > 0 {
			w.t.Errorf("%s has %d rows of the sample data", table, n)
		}
	}
	for table, gone := range map[string]string{
		"sample": "true", "call_hour": "true", "cost_total": "true", "cost_month": "true", "do_not_call": "true",
		"agent": "deactivated_at is null", "phone_number": "deactivated_at is null",
		"connection": "deactivated_at is null",
	} {
		if n := w.count(`select count(*) from ` + table + ` where ` + gone); n > 0 {
			w.t.Errorf("%s has %d rows", table, n)
		}
	}
}

// sampleCampaign returns the campaign of the sample data.
func (n *tenant) sampleCampaign() uuid.UUID {
	n.w.t.Helper()
	made, err := n.w.app.Samples.Create(n.w.t.Context(), n.actor())
	if err != nil {
		n.w.t.Fatal(err)
	}
	return made.CampaignID
}

// An organization with campaigns of its own gets the sample data from its settings.
func TestSampleDataBesideCampaigns(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	n.newCampaign()
	const offer = "For trying things out beside your own campaigns"
	b := n.as(n.admin)
	b.get("/").lacks("Try it with sample data")
	b.get("/settings/organization").has(offer, "Try it with sample data")
	n.as(n.staff).get("/settings/organization").lacks(offer)
	b.post("/sample", nil).leadsBelow("/campaigns/")
	b.get("/settings/organization").lacks(offer)
}

// Several clicks create one set of sample data. Its removal keeps all else, and is refused while another campaign uses
// a part of it.
func TestSampleData(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	b := n.as(n.admin)
	n.as(n.staff).get("/").has("An admin can create the sample data").lacks(`action="/sample"`)
	n.as(n.staff).post("/sample", nil).want(http.StatusForbidden)
	var clicks sync.WaitGroup
	for range 4 {
		clicks.Go(func() { b.post("/sample", nil).leadsBelow("/campaigns/") })
	}
	clicks.Wait()
	id := value[string](w, `select campaign_id::text from sample`)
	if got := w.count(`select count(*) from campaign`); got != 1 {
		t.Fatalf("4 clicks made %d campaigns", got)
	}
	b.get("/campaigns/"+id).has("This is sample data", "the do-not-call entries from these calls",
		"Anna, who answers", "Remove sample data")
	// The steps are about the organization's own parts.
	b.get("/").has("Make your own calls", "Aster Robin, English (US)", "+1 500 555 9000").lacks("Sample agent, English")
	for action, want := range map[string]int{
		"campaign.created": 1, "agent.created": 1, "phone_number.created": 1, "connection.created": 1,
		"project.created": 0,
	} {
		if got := w.count(`
			select count(*) from audit_entry
			where action = $1 and actor_id = $2 and created_at >= (select created_at from sample)`,
			action, n.admin.id); got != want {
			t.Errorf("%d entries %s, want %d", got, action, want)
		}
	}

	w.exec(`update campaign set agent_id = (select agent_id from sample) where id = $1`, n.newCampaign())
	b.post("/sample/remove", nil).want(http.StatusConflict).has("Sample agent", "Aster spring")
	b.get("/campaigns/" + id).has("This is sample data")
	w.exec(`update campaign set agent_id = $1 where name = 'Aster spring'`, n.agent)
	b.post("/sample/remove", nil).leads("/")
	b.get("/").has("Sample data removed").lacks("Make your own calls")
	b.get("/campaigns/" + id).want(http.StatusNotFound)
	if got := value[string](w, `
		select string_agg(name, ', ' order by name collate "C") from (
			select name from campaign union all select name from agent where deactivated_at is null
			union all select name from phone_number where deactivated_at is null) kept`); got !=
		"Aster Robin, Aster care line, Aster spring" {
		t.Errorf("the removal kept %s", got)
	}
	b.post("/sample/remove", nil).leads("/") // the second click
	b.post("/sample", nil).leadsBelow("/campaigns/")
}

// The removal of sample data waits for its calls, and then deletes them with their figures.
func TestSampleDataWithLiveCalls(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	made, err := w.app.Samples.Create(t.Context(), n.actor())
	if err != nil {
		t.Fatal(err)
	}
	call := n.newLiveCall()
	w.exec(`update call set campaign_id = $2, recipient_id = (select id from recipient limit 1) where id = $1`, call,
		made.CampaignID)
	if done, err := w.app.Samples.Remove(t.Context(), n.actor()); err != nil || done {
		t.Fatalf("the removal is done: %t, %v", done, err)
	}
	if _, err := w.app.Samples.Create(t.Context(), n.actor()); err == nil {
		t.Error("sample data was created while the former one is being removed")
	}
	n.as(n.admin).get("/").has("The sample data is being removed")
	if got, err := w.app.Samples.Finish(t.Context()); err != nil || got != 0 {
		t.Errorf("with a live call, %d were finished, %v", got, err)
	}
	w.exec(`update call set status = 'completed', outcome = 'completed', ended_reason = 'ended_by_user',
		ended_by = 'system', ended_at = clock(), settled_at = clock() where id = $1`, call)
	w.exec(`insert into call_hour (organization_id, campaign_id, starts_at, completed) values ($1, $2, clock(), 1)`,
		n.organization, made.CampaignID)
	w.exec(`insert into cost_total (organization_id, project_id, campaign_id, month, currency, amount, calls, completed,
		answered) values ($1, $2, $3, '2026-11-01', 'USD', 0.05, 1, 1, 1)`, n.organization, n.project, made.CampaignID)
	w.exec(`insert into cost_month (organization_id, month, currency, amount, answered)
		values ($1, '2026-11-01', 'USD', 1.05, 3)`, n.organization)
	w.exec(`insert into do_not_call (id, organization_id, phone_number, source, call_id)
		select gen_random_uuid(), organization_id, person_number, 'call', id from call`)
	w.exec(`insert into do_not_call (id, organization_id, phone_number, source) values (gen_random_uuid(), $1,
		'+15005079105', 'user')`, n.organization)
	if got, err := w.app.Samples.Finish(t.Context()); err != nil || got != 1 {
		t.Fatalf("%d were finished, %v", got, err)
	}
	if got := value[string](w, `select concat_ws(' ', trim_scale(amount), answered) from cost_month`); got != "1 2" {
		t.Errorf("the month has %s, want what other calls cost", got)
	}
	for _, table := range []string{"call", "call_hour", "cost_total", "campaign", "recipient", "sample"} {
		if got := w.count(`select count(*) from ` + table); got != 0 {
			t.Errorf("%s has %d rows", table, got)
		}
	}
	if got := w.count(`select count(*) from do_not_call where source = 'user'`); got != 1 ||
		w.count(`select count(*) from do_not_call`) != 1 {
		t.Error("the do-not-call list lost an entry of a person, or kept one of a call")
	}
}

// Without the sandbox, the first steps say how to start it.
func TestNoSampleDataWithoutSandbox(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(o *app.Options) { o.Sandbox = app.Sandbox{} })
	n := w.newTenant("Aster")
	b := n.as(n.admin)
	b.get("/").has("start it with --sandbox").lacks(`action="/sample"`)
	if _, err := w.app.Samples.Create(t.Context(), n.actor()); err == nil {
		t.Error("sample data was created without the sandbox")
	}
	if got, err := w.app.Samples.Get(t.Context(), n.organization); err != nil || got != nil {
		t.Errorf("a part is left: %v, %v", got, err)
	}
	b.post("/sample", nil).want(http.StatusUnprocessableEntity).has("runs without the sandbox")
}
