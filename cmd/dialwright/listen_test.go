package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"github.com/dialwright/dialwright/api"
	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/app/apptest"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/postgres/pgtest"
	"github.com/dialwright/dialwright/internal/testwait"
	"github.com/dialwright/dialwright/internal/webhook"
)

// printed is an output that is read while a command writes it.
type printed struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (p *printed) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text.Write(b)
}

func (p *printed) String() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text.String()
}

// listen sends the events of a server to a receiver, signed, also those that happened while the server was away.
func TestListen(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	a := apptest.New(t, db.Pool, api.Reference)
	tenant := db.NewTenant(t, "Acme", "+15005550000", pgtest.Script)
	newKey := func(scope account.Scope) string {
		t.Helper()
		_, key, err := a.Accounts.CreateKey(t.Context(), account.System(tenant.OrganizationID), account.NewKey{
			Name: "Listener", Scopes: []account.Scope{scope},
		})
		if err != nil {
			t.Fatal(err)
		}
		return key
	}
	key := newKey(account.WebhooksRead)
	serve := func(address string) (at string, stop func()) {
		t.Helper()
		listener, err := net.Listen("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		srv := &http.Server{
			Handler:           a.Handler(api.Handler(a), http.NotFoundHandler()),
			ReadHeaderTimeout: testwait.Limit,
		}
		go func() { _ = srv.Serve(listener) }()
		return listener.Addr().String(), func() { srv.Close() }
	}
	address, stop := serve("127.0.0.1:0")

	type delivery struct {
		header http.Header
		body   []byte
	}
	received := make(chan delivery, 10)
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		received <- delivery{r.Header, body}
		w.WriteHeader(http.StatusNoContent)
	}))
	defer receiver.Close()

	command := func(ctx context.Context, key string, out, problems io.Writer) int {
		return run(ctx, []string{"listen", "--forward", receiver.URL + "/hooks?a=b", "--url", "http://" + address,
			"--api-key", key}, func(string) string { return "" }, out, problems)
	}
	ctx, end := context.WithCancel(t.Context())
	var out, problems printed
	status := make(chan int, 1)
	go func() { status <- command(ctx, key, &out, &problems) }()
	await := func(what string, so func() bool) {
		t.Helper()
		for deadline := time.Now().Add(testwait.Limit); !so(); time.Sleep(10 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("no %s\n%s\n%s", what, out.String(), problems.String())
			}
		}
	}
	secretOf := regexp.MustCompile(`whsec_[A-Za-z0-9+/=]+`)
	await("secret", func() bool { return secretOf.MatchString(out.String()) })
	verifier, err := standardwebhooks.NewWebhook(secretOf.FindString(out.String()))
	if err != nil {
		t.Fatal(err)
	}

	emit := func() uuid.UUID {
		t.Helper()
		id := uuid.New()
		err := postgres.InTx(t.Context(), db.Pool, func(tx pgx.Tx) error {
			o, err := webhook.Open(t.Context(), tx, tenant.OrganizationID)
			if err != nil {
				return err
			}
			err = o.Add(webhook.Event{
				OrganizationID: tenant.OrganizationID, Type: webhook.CallStarted, SubjectID: id,
				Data: map[string]string{"id": id.String(), "said": "Olá <&>"},
			})
			if err != nil {
				return err
			}
			return o.Write(t.Context(), tx)
		})
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	expect := func(id uuid.UUID) {
		t.Helper()
		var d delivery
		select {
		case d = <-received:
		case <-time.After(testwait.Limit):
			t.Fatalf("nothing is forwarded\n%s\n%s", out.String(), problems.String())
		}
		if err := verifier.Verify(d.body, d.header); err != nil {
			t.Errorf("%v: %s", err, d.body)
		}
		var event struct {
			ID, Type string
			Data     struct{ ID uuid.UUID }
		}
		if err := json.Unmarshal(d.body, &event); err != nil || event.Data.ID != id || event.Type != "call.started" ||
			event.ID != d.header.Get("webhook-id") {
			t.Errorf("forwarded %s %v, want the event of %s", d.body, err, id)
		}
	}
	first := emit()
	expect(first)
	stop()
	await("word of the server's absence", func() bool { return strings.Contains(problems.String(), "does not answer") })
	missed := emit()
	_, stop = serve(address)
	defer func() { stop() }()
	expect(missed)
	expect(emit())
	end()
	if got := <-status; got != 0 || strings.Count(out.String(), "204 No Content") < 2 {
		t.Errorf("status %d\n%s\n%s", got, out.String(), problems.String())
	}

	var text bytes.Buffer
	if got := command(t.Context(), newKey(account.CallsRead), &text, &text); got != 2 {
		t.Errorf("a key without the scope: status %d\n%s", got, text.String())
	}
	stop()
	if got := command(t.Context(), key, &text, &text); got != 3 {
		t.Errorf("without a server: status %d\n%s", got, text.String())
	}
}
