package main

import (
	"context"
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/messaging"
	whatsapp "github.com/dialwright/dialwright/internal/messaging/sandbox"
	"github.com/dialwright/dialwright/internal/postgres/pgtest"
	"github.com/dialwright/dialwright/internal/testwait"
)

// The product sends the demo's messages like real messages. It also receives their status from the sandbox of a second
// demo, which knows nothing of the first.
func TestDemoIsToldOfItsMessages(t *testing.T) {
	t.Parallel()
	db, data := pgtest.New(t), t.TempDir()
	var before string // final states of the messages in the first demo
	for _, to := range []string{"", "+15005009000"} {
		in := newDemo(t, db.URL, data)
		in.p.Drain = 2 * time.Second
		if err := in.prepareDemo(t.Context()); err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(t.Context())
		ran := make(chan error, 1)
		go func() { ran <- in.run(ctx) }()
		if to != "" {
			organization, err := in.Accounts.FindOrganization(ctx, "Meridian Home Health")
			if err != nil {
				t.Fatal(err)
			}
			actor := account.System(organization.ID)
			if _, err := in.Messaging.Create(ctx, in.db.pool, actor, messaging.NewMessage{
				ExternalID: whatsapp.Number250, To: to,
				Template: messaging.TemplateInput{Name: "heads_up", Language: "en_US"},
			}); err != nil {
				t.Fatal(err)
			}
			in.Messaging.Wake()
		}
		// +1 500 500 9010 gets no status after the first.
		await(t, db, `select not exists (
			select from message where phone_number <> '+15005009010' and delivered_at is null and status <> 'failed')`)
		var states string
		if err := db.Pool.QueryRow(
			ctx,
			`select string_agg(phone_number || ' ' || status, ', ' order by id) from message
				where phone_number like '+15005009%'`,
		).Scan(&states); err != nil {
			t.Fatal(err)
		}
		stop()
		if err := <-ran; err != nil {
			t.Fatal(err)
		}
		if states == before {
			t.Errorf("the second demo sent nothing: %s", states)
		}
		before = states
	}
}

// await polls until a query returns true.
func await(t *testing.T, db *pgtest.DB, sql string) {
	t.Helper()
	deadline := time.Now().Add(testwait.Limit)
	for {
		var yes bool
		if err := db.Pool.QueryRow(t.Context(), sql).Scan(&yes); err != nil {
			t.Fatal(err)
		}
		if yes {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("never true: %s", sql)
		}
		time.Sleep(20 * time.Millisecond)
	}
}
