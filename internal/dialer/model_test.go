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
