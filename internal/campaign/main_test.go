package campaign

import (
	"context"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/campaign/intake"
	"github.com/dialwright/dialwright/internal/messaging"
	"github.com/dialwright/dialwright/internal/messaging/cloud"
	"github.com/dialwright/dialwright/internal/messaging/connection"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/postgres/pgtest"
	"github.com/dialwright/dialwright/internal/seal"
)

// world is an organization with everything that a campaign needs. It has no dialer. The
// tests of calls are in package dialer.
type world struct {
	*pgtest.DB
	svc     *Service
	actor   account.Actor
	project uuid.UUID
	agent   uuid.UUID
	number  uuid.UUID
}

func newWorld(t testing.TB) *world {
	t.Helper()
	return worldOn(t, pgtest.New(t))
}

// worldOn creates another organization in a database.
func worldOn(t testing.TB, db *pgtest.DB) *world {
	t.Helper()
	w := &world{DB: db}
	w.svc = w.service(time.Now)
	n := db.NewTenant(t, "Acme", "+15005550000", "{}")
	w.actor = account.Actor{OrganizationID: n.OrganizationID, Kind: account.ByUser, ID: uuid.New(), Name: "Ada"}
	w.project, w.agent, w.number = n.ProjectID, n.AgentID, n.PhoneNumberID
	return w
}

// service creates the campaign service with a clock for checks of input.
func (b *world) service(now func() time.Time) *Service {
	vault, err := seal.NewVault(make([]byte, seal.MasterKeySize))
	if err != nil {
		panic(err) // the key has the right size
	}
	whatsapp := connection.New(connection.Options{
		Pool:     b.Pool,
		Vault:    vault,
		Hub:      postgres.LocalHub(),
		Log:      slog.New(slog.DiscardHandler),
		Messages: messaging.New(messaging.Options{Pool: b.Pool, Hub: postgres.LocalHub(), Off: true}),
		Client:   cloud.New(cloud.Options{}),
	})
	return New(Options{Pool: b.Pool, Hub: postgres.LocalHub(), WhatsApp: whatsapp, Now: now})
}

func (b *world) exec(t testing.TB, sql string, args ...any) {
	t.Helper()
	if _, err := b.Pool.Exec(context.Background(), sql, args...); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
}

// value reads a single value.
func value[T any](t testing.TB, w *world, sql string, args ...any) T {
	t.Helper()
	rows, _ := w.Pool.Query(context.Background(), sql, args...)
	v, err := pgx.CollectExactlyOneRow(rows, pgx.RowTo[T])
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return v
}

// draft returns a campaign with n recipients of the sandbox's reserved block.
func (b *world) draft(n int) *Draft {
	d := &Draft{
		Name:          "Spring",
		ProjectID:     b.project.String(),
		AgentID:       b.agent.String(),
		PhoneNumberID: b.number.String(),
		Recipients:    &intake.List{},
	}
	for i := range n {
		d.Recipients.Add(intake.Recipient{PhoneNumber: testNumber(i), Name: fmt.Sprintf("Person %d", i)})
	}
	return d
}

// testNumber returns the i-th of 10,000,000 different possible numbers.
func testNumber(i int) string { return fmt.Sprintf("+1312%07d", 2000000+i) }

func (b *world) create(t testing.TB, d *Draft) Campaign {
	t.Helper()
	c, err := b.svc.Create(t.Context(), b.actor, d)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func (b *world) get(t testing.TB, id uuid.UUID) Campaign {
	t.Helper()
	c, err := b.svc.Get(context.Background(), b.actor.OrganizationID, id)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// recipients returns the recipients of a campaign by number.
func (b *world) recipients(t testing.TB, id uuid.UUID) map[string]Recipient {
	t.Helper()
	all := map[string]Recipient{}
	o := RecipientOptions{Page: page.Request{Limit: page.MaxLimit}}
	for {
		list, err := b.svc.Recipients(context.Background(), b.actor.OrganizationID, id, o)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range list.Data {
			all[r.PhoneNumber] = r
		}
		if !list.HasMore {
			return all
		}
		o.Page.Cursor = *list.NextCursor
	}
}

func ptr[T any](v T) *T { return &v }

// fast removes the draft's own limits.
func fast(d *Draft) *Draft {
	d.CallsPerSecond = ptr(1000.0)
	d.MaxConcurrency = ptr(1000)
	return d
}

var epoch = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
