package web

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/api"
	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/carrier/sandbox"
	"github.com/dialwright/dialwright/internal/carrier/twilio"
	"github.com/dialwright/dialwright/internal/erasure"
	"github.com/dialwright/dialwright/internal/messaging"
	"github.com/dialwright/dialwright/internal/messaging/cloud"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/postgres/pgtest"
	"github.com/dialwright/dialwright/internal/project"
	"github.com/dialwright/dialwright/internal/suppression"
	"github.com/dialwright/dialwright/internal/upload"
	"github.com/dialwright/dialwright/internal/webhook"
	"github.com/dialwright/dialwright/internal/worker"
)

// sandboxSpeed is how much faster than ours the time of the sandbox
// is in a journey.
const sandboxSpeed = 20

// newProduct is a world in which calls are placed: what newIdleProduct is, and
// the loops.
func newProduct(t testing.TB) *world {
	t.Helper()
	w := newIdleProduct(t)
	working, stop := context.WithCancel(context.Background())
	loopback, worked := newGuard(t), make(chan struct{})
	go func() {
		defer close(worked)
		worker.Run(working, worker.Options{
			Pool: w.Pool, Hub: w.deps.Hub, Accounts: w.accounts, Calls: w.deps.Calls, Messaging: w.deps.Messaging,
			Uploads: w.deps.Uploads, Log: w.deps.Log, Erasures: w.deps.Erasures,
			Deliveries: webhook.NewEngine(webhook.EngineOptions{
				Pool: w.Pool, Hub: w.deps.Hub, Vault: w.vault, Transport: loopback.Transport, Version: "test", Log: w.deps.Log,
			}),
		})
	}()
	t.Cleanup(func() {
		stop()
		<-worked
	})
	return w
}

// newIdleProduct is the API, the callbacks and the dashboard on one address, with
// the sandbox. No loop runs: what a test makes stays as it is.
func newIdleProduct(t testing.TB) *world {
	t.Helper()
	vault, err := account.NewVault(make([]byte, account.MasterKeySize))
	if err != nil {
		t.Fatal(err)
	}
	w := &world{DB: pgtest.New(t), t: t, vault: vault, log: &logBuffer{}, closing: make(chan struct{})}
	log := slog.New(slog.NewJSONHandler(w.log, nil))
	w.server = httptest.NewUnstartedServer(nil)
	address := "http://" + w.server.Listener.Addr().String()
	const token = "token-of-the-sandbox"
	network := sandbox.New(sandbox.Options{Token: token, Speed: sandboxSpeed, Log: log})
	networkServer := httptest.NewServer(network)

	hub := postgres.NewHub(context.Background(), postgres.HubOptions{Pool: w.Pool, Log: log})
	w.accounts = account.New(account.Options{Pool: w.Pool, Vault: vault})
	projects := project.New(project.Options{Pool: w.Pool, Vault: vault, Carriers: &w.carriers, OnRateChanged: unheard})
	calls := call.New(w.Pool, hub, log)
	of := func(ctx context.Context, connection uuid.UUID) (twilio.Account, error) {
		c, err := projects.Credentials(ctx, connection)
		return twilio.Account{SID: c.Account, AuthToken: sandbox.AccountToken(token, c.Account), APIURL: networkServer.URL}, err
	}
	adapter := twilio.New(twilio.Config{Host: calls, PublicURL: address, Account: of, Log: log})
	calls.Carriers = func(ctx context.Context, connection uuid.UUID) (carrier.Carrier, error) {
		account, err := of(ctx, connection)
		return adapter.Carrier(connection, account), err
	}
	campaigns := campaign.New(w.Pool, hub, time.Now)
	messages := messaging.New(messaging.Options{Pool: w.Pool, Vault: vault, Hub: hub, Log: log, Client: w.newOperator(log), PublicURL: address})
	w.deps = Deps{
		Pool: w.Pool, Hub: hub, Accounts: w.accounts, Projects: projects, Suppressions: suppression.New(suppression.Options{Pool: w.Pool}),
		Campaigns: campaigns, Calls: calls, Webhooks: webhook.New(w.Pool, vault, newGuard(t), hub), Messaging: messages,
		Uploads: upload.New(upload.Options{Pool: w.Pool, Vault: vault}), PublicURL: address, Sandbox: true, Version: "1.2.3", Log: log, Closing: w.closing,
		Erasures: erasure.New(erasure.Options{
			Pool: w.Pool, Vault: vault, Hub: hub, Log: log, Accounts: w.accounts, Calls: calls, Campaigns: campaigns, Messaging: messages,
		}),
	}
	pages, hooks, whatsappHooks := Handler(w.deps), adapter.Handler(), messages.Hook()
	public := api.Handler(api.Deps{Accounts: w.accounts, Projects: projects, Campaigns: campaigns, Calls: calls, Log: log})
	w.server.Config.Handler = http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasPrefix(r.URL.Path, twilio.HooksPath):
			hooks.ServeHTTP(out, r)
		case strings.HasPrefix(r.URL.Path, cloud.HooksPath):
			whatsappHooks.ServeHTTP(out, r)
		case strings.HasPrefix(r.URL.Path, "/api/v1/"), r.URL.Path == "/openapi.yaml":
			public.ServeHTTP(out, r)
		default:
			pages.ServeHTTP(out, r)
		}
	})
	w.server.Start()
	t.Cleanup(func() {
		close(w.closing)
		network.Close()
		networkServer.Close()
		if err := adapter.Shutdown(context.Background()); err != nil {
			t.Error(err)
		}
		w.server.CloseClientConnections()
		w.server.Close()
		hub.Close()
	})
	return w
}

// api asks the API with a key and gives the status.
func (w *world) api(path, key string) int {
	w.t.Helper()
	r, err := http.NewRequestWithContext(w.t.Context(), http.MethodGet, w.server.URL+"/api/v1"+path, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+key)
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		w.t.Fatal(err)
	}
	defer resp.Body.Close()
	return resp.StatusCode
}
