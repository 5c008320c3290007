package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"syscall"
	"time"

	"github.com/dialwright/dialwright/api"
	"github.com/dialwright/dialwright/internal/app"
	"github.com/dialwright/dialwright/internal/config"
	"github.com/dialwright/dialwright/internal/mail"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/web"
)

// instance is a running server: the App and its resources.
type instance struct {
	*app.App
	p   *process
	log *slog.Logger
	db  *database
	hub *postgres.Hub

	sandbox      *box // nil unless the sandbox runs in this process
	listener     net.Listener
	localURL     string // URL of this server on this machine
	sandboxURL   string // "" if there is no sandbox
	sandboxToken string
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

// start opens the database and the port and wires the App. The caller must run or close the instance.
func start(ctx context.Context, p *process) (_ *instance, err error) {
	in := &instance{p: p, log: p.log()}
	slog.SetDefault(in.log)
	defer func() {
		if err != nil {
			in.close()
		}
	}()

	// First, because a taken address must not leave a new database behind.
	if in.listener, err = listen(p.Addr); err != nil {
		return nil, err
	}
	if in.db, err = openDatabase(ctx, p, false); err != nil {
		return nil, err
	}
	in.localURL = "http://" + reachable(in.listener.Addr().(*net.TCPAddr))
	if err := in.startSandbox(); err != nil {
		return nil, err
	}
	in.hub = postgres.NewHub(context.WithoutCancel(ctx), postgres.HubOptions{Pool: in.db.pool, Log: in.log})
	if in.App, err = app.New(in.options()); err != nil {
		return nil, err
	}
	if err := in.Webhooks.AdoptEvents(ctx); err != nil {
		return nil, err
	}
	// The embedded server has only one owner at a time, so the previous owner is gone.
	if err := in.Calls.Join(ctx, in.db.embedded != nil); err != nil {
		return nil, err
	}
	return in, nil
}

// smtp returns the settings of email.
func smtp(c config.Config) mail.Options {
	return mail.Options{
		Addr:     c.SMTPAddr,
		From:     c.SMTPFrom,
		Username: c.SMTPUser,
		Password: c.SMTPPassword,
		TLS:      mail.TLS(c.SMTPTLS),
	}
}

// options returns the App's options from the settings of the process.
func (in *instance) options() app.Options {
	email, _ := mail.New(smtp(in.p.Config)) // run has reported the errors
	o := app.Options{
		Pool:           in.db.pool,
		Vault:          in.db.vault,
		Hub:            in.hub,
		Log:            in.log,
		Reference:      api.Reference,
		Version:        version,
		PublicURL:      cmp.Or(in.p.PublicURL, in.localURL),
		TrustedProxies: in.p.TrustedProxies,
		WebhookAllow:   in.p.WebhookAllow,
		ModelHosts:     in.p.ModelHosts,
		Mail:           email,
		TwilioURL:      in.p.TwilioURL,
		Sandbox:        app.Sandbox{URL: in.sandboxURL, Token: in.sandboxToken},
		WhatsApp:       app.WhatsApp{Off: !in.p.WhatsApp, GraphURL: in.p.WhatsAppURL, GraphVersion: in.p.GraphVersion},
	}
	if in.sandboxURL != "" {
		o.Sandbox.ModelURL = in.sandboxURL + modelPath + "/v1"
	}
	if in.sandboxURL != "" && in.p.WhatsAppURL == "" {
		o.WhatsApp.GraphURL = in.sandboxURL + whatsappPath
		o.WhatsApp.Simulated = true
	}
	if in.sandbox != nil { // the same machine, so the public URL does not matter
		o.Sandbox.CallbackURL = in.localURL
		if in.p.WhatsAppURL == "" {
			o.WhatsApp.CallbackURL = in.localURL
		}
	}
	return o
}

// reachable returns the address at which this machine reaches a listener.
func reachable(addr *net.TCPAddr) string {
	if addr.IP.IsUnspecified() {
		return net.JoinHostPort("127.0.0.1", fmt.Sprint(addr.Port))
	}
	return addr.String()
}

// handler returns the handler of the API, the dashboard and the callbacks.
func (in *instance) handler() http.Handler { return bodyPace.bodies(in.surfaces()) }

func (in *instance) surfaces() http.Handler {
	if in.p.Role == config.RoleWorker {
		return in.Handler(http.NotFoundHandler(), http.NotFoundHandler())
	}
	return in.Handler(api.Handler(in.App), web.Handler(in.App))
}

// run serves until ctx ends, then drains: it makes no new claims, finishes open requests and stores their results, and
// hands over live lines.
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

	drain, cancel := context.WithTimeout(context.WithoutCancel(ctx), in.p.Drain)
	defer cancel()
	stopWork()
	in.Drain(drain)
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

// work runs the loops of this process until ctx ends.
func (in *instance) work(ctx context.Context) {
	if in.p.Role == config.RoleWeb {
		in.HoldLines(ctx)
		return
	}
	in.introduce(ctx)
	in.Work(ctx)
}

// introduce registers the webhook URL at a WhatsApp operator that started with this process, before any message is
// sent.
func (in *instance) introduce(ctx context.Context) {
	if in.sandbox == nil || !in.sandboxWhatsApp() {
		return
	}
	err := in.WhatsApp.Resubscribe(ctx)
	if err == nil {
		err = in.WhatsApp.Refresh(ctx)
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

// listen opens an address. Its error says what to do about an address that is taken.
func listen(addr string) (net.Listener, error) {
	listener, err := net.Listen("tcp", addr)
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf(
			"another program listens on %s already: stop it, or choose another address with --addr", addr)
	}
	return listener, err // which names the address
}

// announceSetup prints the link that sets up an empty server.
func (in *instance) announceSetup(ctx context.Context) error {
	if in.p.Role == config.RoleWorker {
		return nil
	}
	code, err := in.Accounts.OpenSetup(ctx)
	if err != nil {
		return err
	}
	if code != "" {
		fmt.Fprintf(in.p.stdout, "\nThis server is empty. Set it up at\n  %s/setup?code=%s\n\n",
			strings.TrimRight(in.PublicURL, "/"), code)
	}
	return nil
}
