package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/singleflight"

	"github.com/dialwright/dialwright/api"
	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/carrier/sandbox"
	"github.com/dialwright/dialwright/internal/carrier/twilio"
	"github.com/dialwright/dialwright/internal/config"
	"github.com/dialwright/dialwright/internal/erasure"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/guard"
	"github.com/dialwright/dialwright/internal/messaging"
	"github.com/dialwright/dialwright/internal/messaging/cloud"
	"github.com/dialwright/dialwright/internal/peer"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/project"
	"github.com/dialwright/dialwright/internal/reference"
	"github.com/dialwright/dialwright/internal/suppression"
	"github.com/dialwright/dialwright/internal/upload"
	"github.com/dialwright/dialwright/internal/webhook"
	"github.com/dialwright/dialwright/internal/worker"
	"github.com/dialwright/dialwright/web"
)

// instance is a running server: everything of one process, wired.
type instance struct {
	p   *process
	log *slog.Logger
	db  *database
	hub *postgres.Hub

	guard            *guard.Guard
	accounts         *account.Service
	projects         *project.Service
	suppressions     *suppression.Service
	erasures         *erasure.Service
	calls            *call.Service
	campaigns        *campaign.Service
	webhooks         *webhook.Service
	uploads          *upload.Service
	twilio           *twilio.Adapter
	messaging        *messaging.Service
	sandbox          *box     // nil unless it runs in this process
	accountsOfTwilio sync.Map // connection id → keptAccount

	listener     net.Listener
	publicURL    string // how browsers and carriers reach us
	localURL     string // how this machine reaches us
	sandboxURL   string // "" without a sandbox
	sandboxToken string
	reference    *reference.Reference
	closing      chan struct{} // closed when a shutdown begins
	readiness    singleflight.Group
}

func serve(ctx context.Context, p *process) error {
	in, err := start(ctx, p)
	if err != nil {
		return err
	}
	if err := in.announceSetup(ctx); err != nil {
		in.close()
		return err
	}
	return in.run(ctx)
}

// start opens the database and the port and wires the packages together. The
// caller runs or closes it.
func start(ctx context.Context, p *process) (_ *instance, err error) {
	in := &instance{p: p, log: p.log(), closing: make(chan struct{})}
	slog.SetDefault(in.log)
	defer func() {
		if err != nil {
			in.close()
		}
	}()

	if in.reference, err = reference.Parse(api.Description); err != nil {
		return nil, err
	}
	if in.guard, err = guard.New(p.WebhookAllow); err != nil {
		return nil, err
	}
	if in.db, err = openDatabase(ctx, p, false); err != nil {
		return nil, err
	}
	if in.listener, err = net.Listen("tcp", p.Addr); err != nil {
		return nil, fmt.Errorf("listen: %w", err)
	}
	in.localURL = "http://" + reachable(in.listener.Addr().(*net.TCPAddr))
	in.publicURL = p.PublicURL
	if in.publicURL == "" {
		in.publicURL = in.localURL
	}
	if err := in.startSandbox(); err != nil {
		return nil, err
	}

	pool := in.db.pool
	in.hub = postgres.NewHub(context.WithoutCancel(ctx), postgres.HubOptions{Pool: pool, Log: in.log})
	in.accounts = account.New(account.Options{Pool: pool, Vault: in.db.vault})
	in.suppressions = suppression.New(suppression.Options{Pool: pool})
	in.calls = call.New(pool, in.hub, in.log)
	in.calls.Carriers, in.calls.PublicURL = in.carrier, in.publicURL
	// The embedded server has one owner at a time: whoever had it before is gone.
	if err := in.calls.Join(ctx, in.db.embedded != nil); err != nil {
		return nil, err
	}
	in.campaigns = campaign.New(pool, in.hub, time.Now)
	in.projects = project.New(project.Options{
		Pool:          pool,
		Vault:         in.db.vault,
		Carriers:      telephony{in},
		OnRateChanged: in.campaigns.LookAnew,
	})
	in.webhooks = webhook.New(pool, in.db.vault, in.guard, in.hub)
	if in.webhooks.Examples, err = in.reference.EventData(); err != nil {
		return nil, err
	}
	in.uploads = upload.New(upload.Options{Pool: pool, Vault: in.db.vault})
	in.messaging = messaging.New(messaging.Options{
		Pool: pool, Vault: in.db.vault, Hub: in.hub, Log: in.log, Client: in.whatsappClient(), PublicURL: in.hooksURL(),
	})
	in.campaigns.Messaging = in.messaging
	in.erasures = erasure.New(erasure.Options{
		Pool: pool, Vault: in.db.vault, Hub: in.hub, Log: in.log,
		Accounts: in.accounts, Calls: in.calls, Campaigns: in.campaigns, Messaging: in.messaging,
	})
	in.twilio = twilio.New(twilio.Config{
		Host: in.calls, PublicURL: in.publicURL, Account: in.twilioAccount, Elsewhere: in.guard.Transport(), Log: in.log,
	})
	return in, nil
}

// telephony is the project.Carriers of an instance.
type telephony struct{ in *instance }

func (p telephony) Check(ctx context.Context, account, token string) error {
	return p.in.twilio.Check(ctx, twilio.Account{SID: account, AuthToken: token, APIURL: p.in.p.TwilioURL})
}

func (p telephony) Numbers(ctx context.Context, connectionID uuid.UUID) ([]carrier.Number, error) {
	acc, err := p.in.twilioAccount(ctx, connectionID)
	if err != nil {
		return nil, err
	}
	return p.in.twilio.Numbers(ctx, acc)
}

// reachable is the address under which this machine reaches a listener.
func reachable(addr *net.TCPAddr) string {
	if addr.IP.IsUnspecified() {
		return net.JoinHostPort("127.0.0.1", fmt.Sprint(addr.Port))
	}
	return addr.String()
}

// carrier is the way to the phone network of a connection.
func (in *instance) carrier(ctx context.Context, connectionID uuid.UUID) (carrier.Carrier, error) {
	acc, err := in.twilioAccount(ctx, connectionID)
	if err != nil {
		return nil, err
	}
	return in.twilio.Carrier(connectionID, acc), nil
}

// twilioAccount finds the account behind a connection. A sandbox connection is
// the same adapter with the sandbox at the other end.
func (in *instance) twilioAccount(ctx context.Context, connectionID uuid.UUID) (twilio.Account, error) {
	if kept, ok := in.accountsOfTwilio.Load(connectionID); ok && time.Since(kept.(keptAccount).at) < accountAge {
		return kept.(keptAccount).Account, nil
	}
	acc, err := in.readTwilioAccount(ctx, connectionID)
	if err == nil {
		in.accountsOfTwilio.Store(connectionID, keptAccount{acc, time.Now()})
	}
	return acc, err
}

// accountAge is for how long an account is kept in memory: every callback of
// every call asks for one. A changed token holds after it at the latest.
const accountAge = 5 * time.Second

type keptAccount struct {
	twilio.Account
	at time.Time
}

func (in *instance) readTwilioAccount(ctx context.Context, connectionID uuid.UUID) (twilio.Account, error) {
	c, err := in.projects.Credentials(ctx, connectionID)
	if fault.KindOf(err) == fault.NotFound {
		return twilio.Account{}, twilio.ErrNoConnection
	}
	if err != nil {
		return twilio.Account{}, err
	}
	if c.Kind != project.Sandbox {
		return twilio.Account{SID: c.Account, AuthToken: c.Token, APIURL: in.p.TwilioURL}, nil
	}
	if in.sandboxURL == "" {
		return twilio.Account{}, errors.New("this server runs without the sandbox. Start it with --sandbox")
	}
	acc := twilio.Account{SID: c.Account, AuthToken: sandbox.AccountToken(in.sandboxToken, c.Account), APIURL: in.sandboxURL}
	if in.sandbox != nil {
		acc.PublicURL = in.localURL // same machine, whatever the world calls us
	}
	return acc, nil
}

// whatsappClient speaks to Meta, or to the sandbox where there is one; nil
// without the channel.
func (in *instance) whatsappClient() *cloud.Client {
	if !in.p.WhatsApp {
		return nil
	}
	address := in.p.WhatsAppURL
	if address == "" && in.sandboxURL != "" {
		address = in.sandboxURL + whatsappPath
	}
	return cloud.New(cloud.Options{GraphURL: address, Version: in.p.GraphVersion})
}

// hooksURL is how the WhatsApp operator reaches this server.
func (in *instance) hooksURL() string {
	if in.sandbox != nil && in.p.WhatsAppURL == "" {
		return in.localURL // same machine, whatever the world calls us
	}
	return in.publicURL
}

// handler is the one server for the API, the dashboard and the callbacks.
func (in *instance) handler() http.Handler { return bodyPace.bodies(in.surfaces()) }

func (in *instance) surfaces() http.Handler {
	hooks, whatsappHooks := in.twilio.Handler(), in.messaging.Hook()
	var public, dashboard http.Handler
	if in.p.Role != config.RoleWorker {
		public = api.Handler(api.Deps{
			Accounts: in.accounts, Projects: in.projects, Campaigns: in.campaigns, Calls: in.calls, Webhooks: in.webhooks,
			Messaging: in.messaging, Suppressions: in.suppressions, Erasures: in.erasures, TrustedProxies: in.p.TrustedProxies, Log: in.log,
		})
		dashboard = web.Handler(web.Deps{
			Pool: in.db.pool, Hub: in.hub,
			Accounts: in.accounts, Projects: in.projects, Suppressions: in.suppressions, Erasures: in.erasures, Campaigns: in.campaigns, Calls: in.calls,
			Webhooks: in.webhooks, Uploads: in.uploads, Messaging: in.messaging, Reference: in.reference, PublicURL: in.publicURL, Sandbox: in.sandboxURL != "", TrustedProxies: in.p.TrustedProxies,
			Version: version, Log: in.log, Closing: in.closing,
		})
	}
	// Not a ServeMux: it would redirect odd paths before a surface sees them.
	surfaces := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path := r.URL.Path
		switch {
		case path == "/healthz":
			fmt.Fprintln(w, "ok")
		case path == "/readyz":
			in.ready(w, r)
		case strings.HasPrefix(path, twilio.HooksPath):
			hooks.ServeHTTP(w, r)
		case strings.HasPrefix(path, cloud.HooksPath):
			whatsappHooks.ServeHTTP(w, r)
		case public == nil:
			http.NotFound(w, r)
		case path == "/api/v1" || strings.HasPrefix(path, "/api/v1/"):
			public.ServeHTTP(w, r)
		case path == "/api" || strings.HasPrefix(path, "/api/"):
			api.ServeElsewhere(w, r)
		case path == "/openapi.yaml":
			api.ServeDescription(w, r)
		default:
			dashboard.ServeHTTP(w, r)
		}
	})
	return peer.LogUnlisted(secure(in.publicURL, surfaces), in.p.TrustedProxies, in.log)
}

// readyTime is how long the database may take to open a session.
const readyTime = 5 * time.Second

// ready tells a load balancer whether this process can serve.
func (in *instance) ready(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), readyTime)
	defer cancel()
	select {
	case <-in.closing:
		http.Error(w, "draining", http.StatusServiceUnavailable)
		return
	default:
	}
	_, err, _ := in.readiness.Do("", func() (any, error) { // one session at a time, however often it is asked
		return nil, postgres.Ready(ctx, in.db.pool)
	})
	if err != nil {
		in.log.Warn("this server is not ready", "error", err)
		http.Error(w, "database not ready", http.StatusServiceUnavailable)
		return
	}
	fmt.Fprintln(w, "ok")
}

// run serves until ctx is done, then drains: no new claims, open requests and
// bookkeeping finish, live lines are handed over.
func (in *instance) run(ctx context.Context) error {
	defer in.close()
	srv := &http.Server{
		Handler:           in.handler(),
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
		ErrorLog:          slog.NewLogLogger(in.log.Handler(), slog.LevelDebug),
	}
	served := make(chan error, 1)
	go func() { served <- srv.Serve(in.listener) }()
	stopMetrics := in.serveMetrics()
	defer stopMetrics()

	working, stopWork := context.WithCancel(context.WithoutCancel(ctx))
	defer stopWork()
	worked := make(chan struct{})
	go func() {
		defer close(worked)
		in.work(working)
	}()

	where := in.p.Data
	if in.db.embedded == nil {
		where = "DATABASE_URL"
	} else if in.db.embedded.Moved() {
		where = in.db.embedded.Home()
	}
	fmt.Fprintf(in.p.stdout, "Dialwright %s listens on %s (database: %s)\n", version, in.localURL, where)

	var exited <-chan struct{}
	if in.db.embedded != nil {
		exited = in.db.embedded.Exited()
	}
	var failure error
	select {
	case <-ctx.Done():
	case err := <-served:
		failure = fmt.Errorf("serve: %w", err)
	case <-exited:
		failure = errors.New("the embedded database has stopped")
	}

	close(in.closing)
	drain, cancel := context.WithTimeout(context.WithoutCancel(ctx), in.p.Drain)
	defer cancel()
	stopWork()
	// Lines are let go between two turns, and opened again elsewhere.
	in.twilio.Drain()
	if err := in.calls.Drain(drain); err != nil {
		in.log.Warn("lines were not handed over in time", "lines", in.calls.OpenLines())
	}
	if err := in.twilio.Shutdown(drain); err != nil {
		in.log.Warn("lines were cut off", "error", err)
	}
	if err := srv.Shutdown(drain); err != nil {
		in.log.Warn("requests were cut off", "error", err)
		srv.Close()
	}
	select {
	case <-worked:
	case <-drain.Done():
		in.log.Warn("background work was cut off; it continues when its leases expire")
	}
	return failure
}

// work runs the loops of this process until ctx is done.
func (in *instance) work(ctx context.Context) {
	o := worker.Options{
		Pool:      in.db.pool,
		Hub:       in.hub,
		Accounts:  in.accounts,
		Calls:     in.calls,
		Messaging: in.messaging,
		Uploads:   in.uploads,
		Erasures:  in.erasures,
		Log:       in.log,
	}
	if in.p.Role == config.RoleWeb {
		worker.RunLines(ctx, o)
		return
	}
	in.introduce(ctx)
	o.Deliveries = webhook.NewEngine(webhook.EngineOptions{
		Pool:      in.db.pool,
		Hub:       in.hub,
		Vault:     in.db.vault,
		Transport: in.guard.Transport,
		Version:   version,
		Log:       in.log,
	})
	worker.Run(ctx, o)
}

// introduce tells a WhatsApp operator that has begun with this process where its
// webhooks are to go, before anything is sent.
func (in *instance) introduce(ctx context.Context) {
	if in.sandbox == nil || !in.sandboxWhatsApp() {
		return
	}
	err := in.messaging.Resubscribe(ctx)
	if err == nil {
		err = in.messaging.Refresh(ctx)
	}
	if err != nil && ctx.Err() == nil {
		in.log.Warn("the status of messages may not be reported", "error", err)
	}
}

func (in *instance) close() {
	if in.listener != nil {
		in.listener.Close()
	}
	if in.sandbox != nil {
		in.sandbox.close()
	}
	if in.hub != nil {
		in.hub.Close()
	}
	if in.db != nil {
		in.db.close()
	}
}

// announceSetup prints the link that sets up an empty server.
func (in *instance) announceSetup(ctx context.Context) error {
	if in.p.Role == config.RoleWorker {
		return nil
	}
	code, err := in.accounts.OpenSetup(ctx)
	if err != nil {
		return err
	}
	if code != "" {
		fmt.Fprintf(in.p.stdout, "\nThis server is empty. Set it up at\n  %s/setup?code=%s\n\n", strings.TrimRight(in.publicURL, "/"), code)
	}
	return nil
}
