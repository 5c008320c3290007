package main

import (
	"bufio"
	"context"
	"encoding/base64"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/api"
	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/app"
	"github.com/dialwright/dialwright/internal/app/apptest"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/postgres/pgtest"
	"github.com/dialwright/dialwright/internal/seal"
	"github.com/dialwright/dialwright/internal/testwait"
	"github.com/dialwright/dialwright/internal/webhook"
)

// One of two workers is killed with kill -9 while both deliver. No delivery is lost. Only deliveries that the worker
// had claimed without storing the result come twice.
func TestKilledWorkerLosesNoDelivery(t *testing.T) {
	t.Parallel()
	const events, killAfter = 3000, 700
	ctx, cancel := context.WithTimeout(t.Context(), testwait.Limit)
	defer cancel()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	db := pgtest.New(t)
	key, err := base64.StdEncoding.DecodeString(testMasterKey)
	must(err)
	vault, err := seal.NewVault(key)
	must(err)

	var mu sync.Mutex
	received := map[uuid.UUID]int{}
	reached, killed := make(chan struct{}), make(chan struct{})
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if _, err := io.ReadAll(r.Body); err != nil {
			return // the kill cut the connection
		}
		time.Sleep(10 * time.Millisecond) // as slow as a network, so that both workers are always busy
		mu.Lock()
		received[uuid.MustParse(r.Header.Get("Webhook-Id"))]++
		n := len(received)
		if n == killAfter {
			close(reached)
		}
		mu.Unlock()
		if n >= killAfter { // what is claimed stays so until a worker is killed
			select {
			case <-killed:
			case <-ctx.Done():
			}
		}
	}))
	t.Cleanup(receiver.Close)

	a := apptest.New(t, db.Pool, api.Reference, func(o *app.Options) {
		o.Vault = vault
		o.WebhookAllow = []string{"127.0.0.0/8"}
	})
	organization, err := a.Accounts.CreateOrganization(ctx, account.OrganizationSettings{
		Name: "Acme", TimeZone: "UTC", Region: "US",
	})
	must(err)
	_, _, err = a.Webhooks.Create(ctx, account.System(organization.ID),
		webhook.Draft{Name: "All", URL: receiver.URL, Events: []string{"*"}})
	must(err)
	hub := postgres.NewHub(ctx, postgres.HubOptions{Pool: db.Pool, Log: slog.New(slog.DiscardHandler)})
	defer hub.Close()
	victim, _ := startWorker(t, db), startWorker(t, db)
	for range events / 100 {
		var out *webhook.Outbox
		must(postgres.InTx(ctx, db.Pool, func(tx pgx.Tx) (err error) {
			out, err = webhook.Open(ctx, tx, organization.ID)
			for range 100 {
				if err == nil {
					err = out.Add(webhook.Event{
						OrganizationID: organization.ID, Type: webhook.CallStarted, SubjectID: uuid.New(),
					})
				}
			}
			if err != nil {
				return err
			}
			return out.Write(ctx, tx)
		}))
		out.Wake(hub)
	}

	await := func(what, sql string, args ...any) {
		t.Helper()
		for {
			var so bool
			must(db.Pool.QueryRow(ctx, sql, args...).Scan(&so))
			if so {
				return
			}
			select {
			case <-time.After(10 * time.Millisecond):
			case <-ctx.Done():
				t.Fatalf("waited in vain: %s", what)
			}
		}
	}
	select {
	case <-reached:
	case <-ctx.Done():
		t.Fatal("nothing is delivered")
	}
	await("deliveries are claimed", `
		select count(distinct lease) >= 2 from delivery_due where state = 'leased'`)
	must(victim.Process.Kill())
	_ = victim.Wait()
	close(killed)
	// The leases last until the test expires them, however long the other worker takes.
	rows, err := db.Pool.Query(ctx, `
		update delivery_due set due_at = due_at + interval '1 day' where state = 'leased' returning delivery_id`)
	must(err)
	taken, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	must(err)

	await("the other worker goes on", `
		select not exists (select from delivery_due where state <> 'leased' or not delivery_id = any($1))`, taken)
	tag, err := db.Pool.Exec(ctx, `update delivery_due set due_at = clock()`) // expires the leases
	must(err)
	left := tag.RowsAffected()
	if left == 0 {
		t.Error("the worker was killed when it had nothing")
	}
	await("everything is delivered", `
		select not exists (select from delivery_due) and not exists (select from delivery where status <> 'succeeded')`)

	mu.Lock()
	defer mu.Unlock()
	rows, err = db.Pool.Query(ctx, `select event_id, id from delivery`)
	must(err)
	var event, delivery uuid.UUID
	n, twice := 0, 0
	_, err = pgx.ForEachRow(rows, []any{&event, &delivery}, func() error {
		n++
		switch times := received[event]; {
		case times == 0:
			t.Errorf("event %s was lost", event)
		case times == 2 && slices.Contains(taken, delivery):
			twice++
		case times > 1:
			t.Errorf("event %s came %d times", event, times)
		}
		return nil
	})
	must(err)
	if n != events {
		t.Errorf("%d deliveries", n)
	}
	t.Logf("of %d deliveries the killed worker had taken %d, %d of which came twice", events, left, twice)
}

// startWorker starts the product as a worker and waits until it works.
func startWorker(t *testing.T, db *pgtest.DB) *exec.Cmd {
	t.Helper()
	cmd := product(t, "DATABASE_URL="+db.URL, "DIALWRIGHT_MASTER_KEY="+
		testMasterKey, "DIALWRIGHT_WEBHOOK_ALLOW=127.0.0.0/8")
	cmd.Args = append(cmd.Args, "serve", "--role", "worker", "--addr", "127.0.0.1:0", "--metrics-addr=", "--log-level",
		"warn", "--pool", "5", "--data", t.TempDir())
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if strings.Contains(lines.Text(), "listens on") {
			go io.Copy(io.Discard, out) //nolint:errcheck // until the worker ends
			return cmd
		}
	}
	t.Fatal("the worker did not start")
	return nil
}
