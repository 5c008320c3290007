package webhook

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/postgres/pgtest"
)

// Events are written only for subscribed webhooks, with a delivery for each active
// webhook.
func TestOutbox(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	acme, other, nobody := uuid.New(), uuid.New(), uuid.New()
	hooks := map[string]uuid.UUID{}
	for _, id := range []uuid.UUID{acme, other, nobody} {
		if _, err := db.Pool.Exec(t.Context(), `insert into organization (id, name) values ($1, 'x')`, id); err != nil {
			t.Fatal(err)
		}
	}
	for _, w := range []struct {
		organization uuid.UUID
		name         string
		events       []string
		inactive     bool
		deleted      bool
	}{
		{acme, "all", []string{"*"}, false, false},
		{acme, "calls", []string{"call.*"}, false, false},
		{acme, "one", []string{"campaign.paused", "call.started"}, false, false},
		{acme, "inactive", []string{"recipient.*"}, true, false},
		{other, "theirs", []string{"*"}, false, false},
		{nobody, "deleted", []string{"*"}, false, true},
	} {
		hooks[w.name] = uuid.New()
		_, err := db.Pool.Exec(t.Context(), `
			insert into webhook (id, organization_id, name, url, events, is_active, inactive_since, secret, deleted_at)
			values ($1, $2, $3, '', $4, not $5, case when $5 then clock() end, '', case when $6 then clock() end)`,
			hooks[w.name], w.organization, w.name, w.events, w.inactive, w.deleted)
		if err != nil {
			t.Fatal(err)
		}
	}

	subject := uuid.New()
	err := postgres.InTx(t.Context(), db.Pool, func(tx pgx.Tx) error {
		o, err := Open(t.Context(), tx, acme, nobody)
		if err != nil {
			return err
		}
		if o.Wants(nobody, CallStarted) || o.Wants(other, CallStarted) || !o.Wants(acme, CallStarted) {
			t.Error("the wrong ones want it")
		}
		for _, organization := range []uuid.UUID{acme, nobody} {
			for _, kind := range []Type{CallStarted, CampaignPaused, RecipientFailed} {
				if err := o.Add(Event{
					OrganizationID: organization, Type: kind, SubjectID: subject, Data: map[string]int{"n": 1},
				}); err != nil {
					return err
				}
			}
		}
		return o.Write(t.Context(), tx)
	})
	if err != nil {
		t.Fatal(err)
	}

	rows, err := db.Pool.Query(t.Context(), `
		select e.id, e.type, e.payload, e.organization_id, e.subject_id,
		       array(select d.webhook_id from delivery d join delivery_due q on q.delivery_id = d.id
			and q.webhook_id = d.webhook_id
		             where d.event_id = e.id and d.event_type = e.type and d.organization_id = e.organization_id
		               and q.due_at <= clock() and d.next_attempt_at = e.created_at) as hooks
		from event e`)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]string{
		"call.started": {"all", "calls", "one"}, "campaign.paused": {"all", "one"}, "recipient.failed": {"all"},
	}
	var id, organization, about uuid.UUID
	var kind, payload string
	var told []uuid.UUID
	_, err = pgx.ForEachRow(rows, []any{&id, &kind, &payload, &organization, &about, &told}, func() error {
		var names []string
		for name, hook := range hooks {
			if slices.Contains(told, hook) {
				names = append(names, name)
			}
		}
		slices.Sort(names)
		if !slices.Equal(names, want[kind]) || organization != acme || about != subject {
			t.Errorf("%s of %s went to %v, want %v", kind, organization, names, want[kind])
		}
		delete(want, kind)
		var body struct {
			ID        uuid.UUID
			Type      string
			Timestamp string
			Data      map[string]int
		}
		if err := json.Unmarshal([]byte(payload), &body); err != nil || body.ID != id || body.Type != kind ||
			body.Data["n"] != 1 || body.Timestamp == "" {
			t.Errorf("%s, %v", payload, err)
		}
		return nil
	})
	if err != nil || len(want) > 0 {
		t.Errorf("not written: %v, %v", want, err)
	}
}

// The SQL condition of Listening agrees with Wants for every type and subscription.
func TestListening(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	acme, other, hook := uuid.New(), uuid.New(), uuid.New()
	for _, id := range []uuid.UUID{acme, other} {
		if _, err := db.Pool.Exec(t.Context(), `insert into organization (id, name) values ($1, 'x')`, id); err != nil {
			t.Fatal(err)
		}
	}
	_, err := db.Pool.Exec(t.Context(), `
		insert into webhook (id, organization_id, name, url, events, secret) values ($1, $2, 'x', '', '{}', '')`, hook,
		acme)
	if err != nil {
		t.Fatal(err)
	}
	types := Types()
	for _, subscription := range Subscribable() {
		if _, err := db.Pool.Exec(t.Context(), `update webhook set events = array[$1]`, subscription); err != nil {
			t.Fatal(err)
		}
		o, err := Open(t.Context(), db.Pool, acme, other)
		if err != nil {
			t.Fatal(err)
		}
		for i, k := range types {
			asked := []Type{k, types[(i+5)%len(types)]}
			for _, organization := range []uuid.UUID{acme, other} {
				var got bool
				if err := db.Pool.QueryRow(
					t.Context(), `select `+Listening("$1::uuid", asked...), organization,
				).Scan(&got); err != nil {
					t.Fatal(err)
				}
				if want := o.Wants(organization, asked...); got != want || organization == other && got {
					t.Errorf("%s subscribes to %v: %t, Wants says %t", subscription, asked, got, want)
				}
			}
		}
	}
	if _, err := db.Pool.Exec(t.Context(), `update webhook set deleted_at = clock()`); err != nil {
		t.Fatal(err)
	}
	var got bool
	if err := db.Pool.QueryRow(t.Context(), `select `+Listening("$1::uuid", types...), acme).Scan(&got); err != nil ||
		got {
		t.Errorf("a deleted webhook listens: %t, %v", got, err)
	}
}
