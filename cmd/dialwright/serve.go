package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/dialwright/dialwright/api"
	"github.com/dialwright/dialwright/internal/app"
	"github.com/dialwright/dialwright/internal/cell"
	"github.com/dialwright/dialwright/internal/config"
	"github.com/dialwright/dialwright/internal/mail"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/web"
)

// server is a running process: its port, and an instance for each database.
type server struct {
	p   *process
	log *slog.Logger

	listener  net.Listener
	localURL  string          // URL of this server on this machine
	directory *cell.Directory // nil: there is one database
	router    *cell.Router    // nil without a directory

	sandbox      *box   // nil unless the sandbox runs in this process
	sandboxURL   string // "" if there is no sandbox
	sandboxToken string

	mu        sync.Mutex
	instances []*instance     // by cell
	unopened  []int           // cells that are not served yet
	opening   map[int]bool    // cells that are being opened
	working   context.Context // of the loops; nil before run
	loops     sync.WaitGroup
}

// instance is a database that the server serves: the App and its resources.
type instance struct {
	*app.App
	*server
	db       *database
	hub      *postgres.Hub
	surfaces http.Handler // the API, the dashboard and the callbacks
}

func serve(ctx context.Context, p *process) error {
	s, err := start(ctx, p)
	if err != nil {
		return err
	}
	if err := s.announceSetup(ctx); err != nil {
		s.close()
		return err
	}
	return s.run(ctx)
}

// start opens the port and the databases and wires their Apps. The caller must run or close the server.
func start(ctx context.Context, p *process) (_ *server, err error) {
	s := &server{p: p, log: p.log()}
	slog.SetDefault(s.log)
	defer func() {
		if err != nil {
			s.close()
		}
	}()

	// First, because a taken address must not leave a new database behind.
	if s.listener, err = listen(p.Addr); err != nil {
		return nil, err
	}
	s.localURL = "http://" + reachable(s.listener.Addr().(*net.TCPAddr))
	if err := s.startSandbox(); err != nil {
		return nil, err
	}
	if p.DirectoryURL != "" {
		return s, s.openCells(ctx)
	}
	db, err := openDatabase(ctx, p, false)
	if err != nil {
		return nil, err
	}
	return s, s.open(ctx, db)
}

// open wires the App of a database, which the server then owns.
func (s *server) open(ctx context.Context, db *database) (err error) {
	in := &instance{server: s, db: db}
	defer func() {
		if err != nil {
			in.release()
		}
	}()
	in.hub = postgres.NewHub(context.WithoutCancel(ctx), postgres.HubOptions{Pool: db.pool, Log: s.log})
	if in.App, err = app.New(in.options()); err != nil {
		return err
	}
	in.surfaces = in.handlers()
	if err := in.Webhooks.AdoptEvents(ctx); err != nil {
		return err
	}
	// The embedded server has only one owner at a time, so the previous owner is gone.
	if err := in.Calls.Join(ctx, db.embedded != nil); err != nil {
		return err
	}
	s.add(in)
	return nil
}

// add serves an instance, and runs its loops as soon as the server runs.
func (s *server) add(in *instance) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.instances = append(s.instances, in)
	slices.SortFunc(s.instances, func(a, b *instance) int { return a.db.cell.Number - b.db.cell.Number })
	if s.working != nil && s.working.Err() == nil {
		s.loops.Go(func() { in.work(s.working) })
	}
}

// all returns the instances.
func (s *server) all() []*instance {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.instances)
}

// only returns the instance of a server without cells.
func (s *server) only() *instance { return s.instances[0] }

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
	local := cell.Link(in.localURL, in.db.cell.Number)
	o := app.Options{
		Pool:           in.db.pool,
		Vault:          in.db.vault,
		Hub:            in.hub,
		Log:            in.log,
		Reference:      api.Reference,
		Version:        version,
		PublicURL:      in.publicURL(),
		Cell:           in.db.cell.Number,
		TrustedProxies: in.p.TrustedProxies,
		WebhookAllow:   in.p.WebhookAllow,
		ModelHosts:     in.p.ModelHosts,
		Mail:           email,
		TwilioURL:      in.p.TwilioURL,
		Sandbox:        app.Sandbox{URL: in.sandboxURL, Token: in.sandboxToken},
		WhatsApp:       app.WhatsApp{Off: !in.p.WhatsApp, GraphURL: in.p.WhatsAppURL, GraphVersion: in.p.GraphVersion},
	}
	if number := in.db.cell.Number; number != 0 {
		o.WhatsApp.Claim = func(ctx context.Context, portfolio string, numbers []string) error {
			return in.directory.Claim(ctx, number, portfolio, numbers)
		}
	}
	if in.sandboxURL != "" {
		o.Sandbox.ModelURL = in.sandboxURL + modelPath + "/v1"
	}
	if in.sandboxURL != "" && in.p.WhatsAppURL == "" {
		o.WhatsApp.GraphURL = in.sandboxURL + whatsappPath
		o.WhatsApp.Simulated = true
	}
	if in.sandbox != nil { // the same machine, so the public URL does not matter
		o.Sandbox.CallbackURL = local
		if in.p.WhatsAppURL == "" {
			o.WhatsApp.CallbackURL = local
		}
	}
	return o
}

func (s *server) publicURL() string { return cmp.Or(s.p.PublicURL, s.localURL) }

// reachable returns the address at which this machine reaches a listener.
func reachable(addr *net.TCPAddr) string {
	if addr.IP.IsUnspecified() {
		return net.JoinHostPort("127.0.0.1", fmt.Sprint(addr.Port))
	}
	return addr.String()
}

// handler returns the handler of the API, the dashboard and the callbacks.
func (s *server) handler() http.Handler {
	if s.router != nil {
		return bodyPace.bodies(s.router)
	}
	return bodyPace.bodies(s.only().surfaces)
}

func (in *instance) handlers() http.Handler {
	if in.p.Role == config.RoleWorker {
		return in.Handler(http.NotFoundHandler(), http.NotFoundHandler())
	}
	return in.Handler(api.Handler(in.App), web.Handler(in.App))
}

// run serves until ctx ends, then drains: it makes no new claims, finishes open requests and stores their results, and
// hands over live lines.
func (s *server) run(ctx context.Context) error {
	defer s.close()
	srv := &http.Server{
		Handler:           s.handler(),
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
		ErrorLog:          slog.NewLogLogger(s.log.Handler(), slog.LevelDebug),
	}
	served := make(chan error, 1)
	go func() { served <- srv.Serve(s.listener) }()
	stopMetrics := s.serveMetrics()
	defer stopMetrics()

	working, stopWork := context.WithCancel(context.WithoutCancel(ctx))
	defer stopWork()
	s.work(working)

	fmt.Fprintf(s.p.stdout, "Dialwright %s listens on %s (%s)\n", version, s.localURL, s.where())

	var failure error
	select {
	case <-ctx.Done():
	case err := <-served:
		failure = fmt.Errorf("serve: %w", err)
	case <-s.exited():
		failure = errors.New("the embedded database has stopped")
	}

	drain, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.p.Drain)
	defer cancel()
	stopWork()
	var drained sync.WaitGroup
	for _, in := range s.all() {
		drained.Go(func() { in.Drain(drain) })
	}
	drained.Wait()
	if err := srv.Shutdown(drain); err != nil {
		s.log.Warn("requests were cut off", "error", err)
		srv.Close()
	}
	worked := make(chan struct{})
	go func() {
		defer close(worked)
		s.loops.Wait()
	}()
	select {
	case <-worked:
	case <-drain.Done():
		s.log.Warn("background work was cut off; it continues when its leases expire")
	}
	return failure
}

// where names the databases.
func (s *server) where() string {
	if s.router != nil {
		return fmt.Sprintf("%d cells", len(s.all()))
	}
	switch db := s.only().db; {
	case db.embedded == nil:
		return "database: DATABASE_URL"
	case db.embedded.Moved():
		return "database: " + db.embedded.Home()
	}
	return "database: " + s.p.Data
}

// exited is closed when the embedded database has stopped. It is nil without one.
func (s *server) exited() <-chan struct{} {
	if s.router != nil || s.only().db.embedded == nil {
		return nil
	}
	return s.only().db.embedded.Exited()
}

// work starts the loops of this process, which end with ctx.
func (s *server) work(ctx context.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.working = ctx
	for _, in := range s.instances {
		s.loops.Go(func() { in.work(ctx) })
	}
	if s.router != nil {
		s.loops.Go(func() { s.watchCells(ctx) })
	}
}

// work runs the loops of a database until ctx ends.
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

func (s *server) close() {
	if s.listener != nil {
		s.listener.Close()
	}
	if s.sandbox != nil {
		s.sandbox.close()
	}
	for _, in := range s.all() {
		in.release()
	}
	if s.directory != nil {
		s.directory.Close()
	}
}

// release closes the database of an instance.
func (in *instance) release() {
	if in.hub != nil {
		in.hub.Close()
	}
	in.db.close()
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
func (s *server) announceSetup(ctx context.Context) error {
	if s.p.Role == config.RoleWorker {
		return nil
	}
	in, empty, err := s.home(ctx)
	if err != nil || in == nil || !empty {
		return err
	}
	code, err := in.Accounts.OpenSetup(ctx)
	if err != nil {
		return err
	}
	if code != "" {
		fmt.Fprintf(s.p.stdout, "\nThis server is empty. Set it up at\n  %s/setup?code=%s\n\n",
			strings.TrimRight(in.LinkURL, "/"), code)
	}
	return nil
}

// home returns the first instance that has people, or else the first one, which is empty.
func (s *server) home(ctx context.Context) (in *instance, empty bool, err error) {
	all := s.all()
	for _, in := range all {
		if empty, err := in.Accounts.SetupNeeded(ctx); err != nil {
			return nil, false, err
		} else if !empty {
			return in, false, nil
		}
	}
	if len(all) == 0 {
		return nil, false, nil
	}
	return all[0], true, nil
}
