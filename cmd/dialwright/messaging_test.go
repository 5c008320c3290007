package main

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/messaging"
	"github.com/dialwright/dialwright/internal/messaging/connection"
	whatsapp "github.com/dialwright/dialwright/internal/messaging/sandbox"
	"github.com/dialwright/dialwright/internal/postgres/pgtest"
	"github.com/dialwright/dialwright/internal/testwait"
)

// runSandboxed runs a server with the sandbox's phone network and WhatsApp operator until the test ends.
func runSandboxed(t *testing.T, db *pgtest.DB, speed string) *instance {
	t.Helper()
	return runServer(t, speed, map[string]string{"DATABASE_URL": db.URL}).only()
}

// runServer runs a server with the sandbox and with settings of the environment until the test ends.
func runServer(t *testing.T, speed string, env map[string]string) *server {
	t.Helper()
	cmd, flags, err := find([]string{
		"serve", "--addr", "127.0.0.1:0", "--metrics-addr", "", "--data", t.TempDir(), "--sandbox", "--sandbox-speed",
		speed, "--log-level", "error",
	})
	if err != nil {
		t.Fatal(err)
	}
	getenv := func(name string) string {
		return cmp.Or(env[name], map[string]string{
			"DIALWRIGHT_MASTER_KEY": testMasterKey, "DIALWRIGHT_WHATSAPP": "true",
		}[name])
	}
	cfg, err := cmd.Load(flags, getenv, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	s, err := start(t.Context(), &process{
		Config: cfg, command: cmd.Name, getenv: getenv, stdout: &bytes.Buffer{}, stderr: io.Discard,
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	over := make(chan error, 1)
	go func() { over <- s.run(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-over; err != nil {
			t.Error(err)
		}
	})
	return s
}

// A server with the WhatsApp channel and the sandbox sends messages and receives their status: the loops run, and the
// operator reaches the webhooks' address.
func TestAServerSendsMessages(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	db := pgtest.New(t)
	in := runSandboxed(t, db, "200")
	o, err := in.Accounts.CreateOrganization(ctx, account.OrganizationSettings{Name: "Acme"})
	if err != nil {
		t.Fatal(err)
	}
	actor := account.System(o.ID)
	_, err = in.WhatsApp.CreateConnection(ctx, actor, connection.NewConnection{Account: whatsapp.Account250,
		Settings: connection.Settings{Name: "WhatsApp", Token: in.sandboxToken, AppSecret: in.sandboxToken}})
	if err != nil {
		t.Fatal(err)
	}
	m, err := in.Messaging.Create(ctx, db.Pool, actor, messaging.NewMessage{
		ExternalID: whatsapp.Number250, To: "+15005009000",
		Template: messaging.TemplateInput{Name: "heads_up", Language: "en_US"},
	})
	if err != nil {
		t.Fatal(err)
	}
	in.Messaging.Wake()
	deadline := time.Now().Add(testwait.Limit)
	for tick := time.NewTicker(20 * time.Millisecond); m.Status != messaging.Read; <-tick.C {
		if time.Now().After(deadline) {
			t.Fatalf("the message is %s: %+v", m.Status, m)
		}
		if m, err = in.Messaging.Get(ctx, o.ID, m.ID); err != nil {
			t.Fatal(err)
		}
	}
	if quotas, err := in.WhatsApp.Quota(ctx, o.ID); err != nil || len(quotas) != 1 || quotas[0].Used != 1 {
		t.Errorf("%+v, %v", quotas, err)
	}
}
