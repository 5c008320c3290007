package dialer

import (
	"cmp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/campaign"
)

// withModel makes a language model hold the conversations of the bench's agent.
func (b *bench) withModel(t *testing.T, streams int) (connection uuid.UUID) {
	t.Helper()
	connection = uuid.Must(uuid.NewV7())
	b.exec(t, `
		insert into model_connection (id, organization_id, name, provider, key, model, streams)
		values ($1, $2, 'Sandbox model', 'sandbox', '', 'sandbox', $3)`, connection, b.actor.OrganizationID, streams)
	b.exec(t, `
		with v as (
			insert into agent_version (id, organization_id, agent_id, number, kind, language, speech, script,
				record_calls, sha256, created_by)
			select gen_random_uuid(), organization_id, id, 1, 'model', language, speech,
				script || jsonb_build_object('model', jsonb_build_object('instructions', 'Talk.',
					'connection_id', $1::text)),
				record_calls, '', 'test'
			from agent where organization_id = $2
			returning id, agent_id)
		update agent set published_version_id = v.id from v where v.agent_id = agent.id`,
		connection, b.actor.OrganizationID)
	return connection
}

// A connection to a model has so many streams, and no more calls are placed with it. Calls that end free them.
func TestModelStreams(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.withModel(t, 3)
	c := b.create(t, fast(b.draft(10)))
	other := b.create(t, fast(b.draft(10)))
	b.exec(t, `update recipient set phone_number = '+1415' || substr(phone_number, 6) where campaign_id = $1`, other.ID)
	b.dial(t)
	b.dial(t)
	if n := b.get(t, c.ID).Dialing + b.get(t, other.ID).Dialing; n != 3 {
		t.Errorf("%d calls are placed with 3 streams", n)
	}
	b.Advance(waitingGap)
	b.dial(t)
	waits := append(b.get(t, c.ID).Waiting, b.get(t, other.ID).Waiting...)
	if !slices.ContainsFunc(waits, func(w campaign.Waiting) bool { return w.Reason == campaign.WaitModelStreams }) {
		t.Errorf("they wait for %+v", waits)
	}
	b.exec(t, `update model_connection set streams = 100`)
	b.Advance(time.Minute)
	b.dial(t)
	if n := b.get(t, c.ID).Dialing + b.get(t, other.ID).Dialing; n != 20 {
		t.Errorf("%d calls are placed with 100 streams", n)
	}
}

// While the server of a model wants no new calls, recipients wait until it does, unless another connection helps.
func TestModelPause(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	id := b.withModel(t, 3)
	pause := func() {
		b.exec(t, `update model_connection set throttled_until = clock() + interval '1 hour' where id = $1`, id)
		b.Advance(waitingGap)
		b.dial(t)
	}
	c := b.create(t, fast(b.draft(10)))
	pause()
	got := b.get(t, c.ID)
	i := slices.IndexFunc(got.Waiting, func(w campaign.Waiting) bool { return w.Reason == campaign.WaitModelStreams })
	if got.Dialing != 0 || got.Status != campaign.Running || i < 0 || got.Waiting[i].Until == nil {
		t.Fatalf("%d calls are placed by a campaign that is %s and waits for %+v", got.Dialing, got.Status, got.Waiting)
	}
	b.Advance(time.Hour)
	b.dial(t)
	if n := b.get(t, c.ID).Dialing; n != 3 {
		t.Errorf("%d calls are placed after the pause", n)
	}

	// Version 2 has a fallback connection.
	b.exec(t, `
		with helper as (
			insert into model_connection (id, organization_id, name, provider, key, model, streams)
			select gen_random_uuid(), organization_id, 'Another model', 'sandbox', '', 'sandbox', 3
			from model_connection where id = $1
			returning id
		), v as (
			insert into agent_version (id, organization_id, agent_id, number, kind, language, speech, script,
				record_calls, sha256, created_by)
			select gen_random_uuid(), organization_id, agent_id, 2, kind, language, speech,
				jsonb_set(script, '{model,fallback_connection_id}', to_jsonb(helper.id)), record_calls, '', 'test'
			from agent_version, helper where script -> 'model' ->> 'connection_id' = $1::text
			returning id, agent_id)
		update agent set published_version_id = v.id from v where v.agent_id = agent.id`, id)
	b.exec(t, `update model_connection set streams = 5 where id = $1`, id)
	pause()
	if n := b.get(t, c.ID).Dialing; n != 5 {
		t.Errorf("%d calls are placed while another connection helps", n)
	}
}

// A model that is down pauses the campaigns that need it, unless another one helps. Whoever resumes them tries again.
func TestFailingModel(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	id := b.withModel(t, 3)
	c := b.create(t, fast(b.draft(10)))
	b.dial(t)
	b.exec(t, `update model_connection set failures = 5, last_error = 'The model server does not accept the key'
		where id = $1`, id)
	b.Advance(time.Minute)
	b.dial(t)
	got := b.get(t, c.ID)
	if got.Status != campaign.Paused || got.PauseReason == nil ||
		!strings.Contains(*got.PauseReason, "does not accept the key. Check") {
		t.Fatalf("%s: %q", got.Status, *cmp.Or(got.PauseReason, new(string)))
	}
	if _, err := b.svc.Resume(t.Context(), b.actor, c.ID); err != nil {
		t.Fatal(err)
	}
	b.Advance(time.Minute)
	b.dial(t)
	if got := b.get(t, c.ID); got.Status != campaign.Running {
		t.Errorf("resumed, it is %s: %q", got.Status, *cmp.Or(got.PauseReason, new(string)))
	}
}

// At the daily limit of models, a campaign with one waits until tomorrow or until the limit is raised. Calls in
// progress count before they are settled.
func TestModelDay(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.withModel(t, 100)
	set := func(tokens int, amount string) {
		t.Helper()
		m := ModelDay{Tokens: &tokens, Budget: &campaign.Budget{Amount: amount, Currency: "USD"}}
		if err := b.calling.SetModelDay(t.Context(), b.actor, m); err != nil {
			t.Fatal(err)
		}
	}
	set(3*unknownCallTokens, "1")
	c := b.create(t, fast(b.draft(10)))
	waits := func(until bool) {
		t.Helper()
		b.Advance(waitingGap)
		b.dial(t)
		all := b.get(t, c.ID).Waiting
		i := slices.IndexFunc(all, func(w campaign.Waiting) bool { return w.Reason == campaign.WaitModelBudget })
		if i < 0 || (all[i].Until != nil) != until {
			t.Errorf("they wait for %+v", all)
		}
	}
	dialed := func(want int, when string) {
		t.Helper()
		b.dial(t)
		if n := value[int](t, b, `select count(*)::int from call`); n != want {
			t.Errorf("%s, %d calls were placed, want %d", when, n, want)
		}
	}
	dialed(3, "with the first limit")
	waits(false) // for the calls in progress
	set(5*unknownCallTokens, "1")
	dialed(5, "with a raised limit")

	// Used, and settled: 2,000 tokens a call on average, and the price of a day.
	b.exec(t, `insert into model_day (organization_id, day, currency, calls, call_tokens, call_amount, tokens, amount)
		select id, (clock() at time zone time_zone)::date, currency, 2, tokens, amount, tokens, amount
		from organization, (values (null, 4000, 0), ('USD', 0, 1)) d (currency, tokens, amount)
		where id = $1`, b.actor.OrganizationID)
	b.Advance(time.Minute)
	dialed(5, "with the amount reached")
	waits(true)
	set(5*unknownCallTokens, "100")
	dialed(10, "with a raised amount")
}

// A day's use ends with the day of the organization's time zone.
func TestModelDayEnds(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.withModel(t, 100)
	b.exec(t, `insert into model_day (organization_id, day, calls, call_tokens, tokens)
		select id, (clock() at time zone time_zone)::date, 10, 1000, 1000 from organization where id = $1`,
		b.actor.OrganizationID)
	if err := b.calling.SetModelDay(t.Context(), b.actor, ModelDay{Tokens: new(1000)}); err != nil {
		t.Fatal(err)
	}
	c := b.create(t, fast(b.draft(3)))
	b.dial(t)
	if got := b.get(t, c.ID); got.Dialing != 0 || got.Status != campaign.Running {
		t.Fatalf("%d calls are placed, the campaign is %s", got.Dialing, got.Status)
	}
	b.Advance(25 * time.Hour)
	b.dial(t)
	if got := b.get(t, c.ID); got.Dialing != 3 {
		t.Errorf("on the next day, %d calls are placed: %+v", got.Dialing, got.Waiting)
	}
}
