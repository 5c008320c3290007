// Package app wires the services of a process. The server, the demo, the benchmarks and
// the tests all use this wiring.
package app

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net/netip"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/singleflight"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/alert"
	"github.com/dialwright/dialwright/internal/analysis"
	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/call/line"
	"github.com/dialwright/dialwright/internal/call/listen"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/carrier/twilio"
	"github.com/dialwright/dialwright/internal/cell"
	"github.com/dialwright/dialwright/internal/dialer"
	"github.com/dialwright/dialwright/internal/erasure"
	"github.com/dialwright/dialwright/internal/evaluation"
	"github.com/dialwright/dialwright/internal/evidence"
	"github.com/dialwright/dialwright/internal/followup"
	"github.com/dialwright/dialwright/internal/guard"
	"github.com/dialwright/dialwright/internal/mail"
	"github.com/dialwright/dialwright/internal/messaging"
	"github.com/dialwright/dialwright/internal/messaging/cloud"
	"github.com/dialwright/dialwright/internal/messaging/connection"
	"github.com/dialwright/dialwright/internal/messaging/gate"
	modelconn "github.com/dialwright/dialwright/internal/model/connection"
	"github.com/dialwright/dialwright/internal/oidc"
	"github.com/dialwright/dialwright/internal/person"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/predial"
	"github.com/dialwright/dialwright/internal/project"
	"github.com/dialwright/dialwright/internal/reference"
	"github.com/dialwright/dialwright/internal/sample"
	"github.com/dialwright/dialwright/internal/seal"
	"github.com/dialwright/dialwright/internal/search"
	"github.com/dialwright/dialwright/internal/suppression"
	"github.com/dialwright/dialwright/internal/suppression/subscribed"
	"github.com/dialwright/dialwright/internal/tool"
	"github.com/dialwright/dialwright/internal/upload"
	"github.com/dialwright/dialwright/internal/webhook"
	"github.com/dialwright/dialwright/internal/worker"
)

// Options configure an App. Pool, Vault, Hub, Reference and PublicURL are required.
type Options struct {
	Pool  *pgxpool.Pool
	Vault *seal.Vault
	Hub   *postgres.Hub    // stays open until the App is no longer used
	Log   *slog.Logger     // nil: slog.Default()
	Now   func() time.Time // clock for checking input; nil: time.Now

	Reference      func() (*reference.Reference, error) // returns the parsed API description
	Version        string                               // version of the product
	PublicURL      string                               // URL of this server for browsers and integrators
	Cell           int                                  // number of the database among several; 0: there are no others
	TrustedProxies []netip.Prefix                       // proxies with a trusted X-Forwarded-For header
	WebhookAllow   []string                             // private addresses that webhooks, tools and sign-ins may reach
	ModelHosts     []string                             // model servers on private addresses that connections may reach

	Mail *mail.Sender // nil: the deployment sends no email

	TwilioURL string // replaces Twilio's API in every region; "": Twilio's API
	Sandbox   Sandbox
	WhatsApp  WhatsApp

	// Carriers returns the carrier of a connection. Nil: Twilio or the sandbox.
	Carriers func(ctx context.Context, connectionID uuid.UUID) (carrier.Carrier, error)

	StatementTime time.Duration // timeout of a loop's statement; 0: 20 s
}

// Sandbox locates the sandbox telephone network. Without a URL the process has no
// sandbox, and sandbox connections place no calls.
type Sandbox struct {
	URL         string
	ModelURL    string // the sandbox's model, up to /v1; "": connections to it answer nothing
	Token       string // secret of the network, from which each account's token derives
	CallbackURL string // URL of this server for the network; "": PublicURL
}

// WhatsApp configures the access to the messaging operator.
type WhatsApp struct {
	Off          bool          // the deployment has no messaging channel
	GraphURL     string        // "": Meta's API
	Simulated    bool          // GraphURL is the sandbox's operator: no message reaches a real phone
	GraphVersion string        // "": the newest known version
	CallbackURL  string        // URL of this server for the operator; "": PublicURL
	ReadTime     time.Duration // timeout of one read of an account; 0: 5 s

	// Claim is that of connection.Options.
	Claim func(ctx context.Context, portfolio string, numbers []string) error
}

// App contains the wired services of one process. Make it with New. It is safe for
// concurrent use. Do not change its fields.
type App struct {
	Pool *pgxpool.Pool
	Hub  *postgres.Hub
	Log  *slog.Logger
	Now  func() time.Time

	Accounts     *account.Service
	Projects     *project.Service
	Suppressions *suppression.Service
	Lists        *subscribed.Service
	Erasures     *erasure.Service
	Evidence     *evidence.Service
	People       *person.Service
	Searches     *search.Service
	Calls        *call.Service
	Checks       *predial.Service
	Models       *modelconn.Service
	Tools        *tool.Service
	Lines        *line.Service
	Sounds       *listen.Service
	Analyses     *analysis.Service
	FollowUps    *followup.Service
	Alerts       *alert.Service
	Campaigns    *campaign.Service
	Calling      *dialer.Service
	Evaluations  *evaluation.Service
	Dialer       *dialer.Dialer
	Settler      *dialer.Settler
	Webhooks     *webhook.Service
	Deliveries   *webhook.Engine
	Uploads      *upload.Service
	Samples      *sample.Service
	Files        *guard.Files
	Messaging    *messaging.Service
	WhatsApp     *connection.Service
	MessageGate  *gate.Service
	Twilio       *twilio.Adapter
	Reference    *reference.Reference

	Version        string
	PublicURL      string
	LinkURL        string // URL of callbacks, of links in messages, and of everything else that is not asked with a key
	TrustedProxies []netip.Prefix
	HasSandbox     bool            // connections to the sandbox are possible
	Closing        <-chan struct{} // closed when a shutdown begins

	telephony     *telephony
	closing       chan struct{}
	close         sync.Once
	readiness     singleflight.Group
	statementTime time.Duration
}

// New wires the services and starts none. It fails for an invalid API description, or for
// invalid addresses in WebhookAllow or ModelHosts.
func New(o Options) (*App, error) {
	log := cmp.Or(o.Log, slog.Default())
	if o.Now == nil {
		o.Now = time.Now
	}
	described, err := o.Reference()
	if err != nil {
		return nil, fmt.Errorf("read the API's description: %w", err)
	}
	outward, err := guard.New(o.WebhookAllow)
	if err != nil {
		return nil, err
	}
	models, err := guard.NewModels(o.ModelHosts)
	if err != nil {
		return nil, err
	}
	closing := make(chan struct{})
	link := cell.Link(o.PublicURL, o.Cell)
	a := &App{
		Pool:           o.Pool,
		Hub:            o.Hub,
		Log:            log,
		Now:            o.Now,
		Searches:       search.New(o.Pool),
		People:         person.New(person.Options{Pool: o.Pool, Vault: o.Vault}),
		Suppressions:   suppression.New(suppression.Options{Pool: o.Pool, Hub: o.Hub}),
		Uploads:        upload.New(upload.Options{Pool: o.Pool, Vault: o.Vault}),
		Files:          outward.Files(o.Version),
		Reference:      described,
		Version:        o.Version,
		PublicURL:      o.PublicURL,
		LinkURL:        link,
		TrustedProxies: o.TrustedProxies,
		HasSandbox:     o.Sandbox.URL != "",
		Closing:        closing,
		closing:        closing,
		statementTime:  o.StatementTime,
	}
	a.Accounts = account.New(account.Options{
		Pool:      o.Pool,
		Vault:     o.Vault,
		Providers: oidc.New(oidc.Options{Guard: outward, Version: o.Version}),
		Cell:      o.Cell,
		Begin:     project.CreateFirst,
	})
	a.Lists = subscribed.New(subscribed.Options{
		Pool: o.Pool, Hub: o.Hub, Vault: o.Vault, Guard: outward, Version: o.Version,
	})
	a.Webhooks = webhook.New(webhook.Options{
		Pool:     o.Pool,
		Vault:    o.Vault,
		Guard:    outward,
		Hub:      o.Hub,
		Examples: described.EventExamples(),
	})
	a.Deliveries = webhook.NewEngine(webhook.EngineOptions{
		Pool:      o.Pool,
		Hub:       o.Hub,
		Vault:     o.Vault,
		Transport: outward.Transport,
		Version:   o.Version,
		Log:       log,
	})
	a.Models = modelconn.New(modelconn.Options{
		Pool:       o.Pool,
		Vault:      o.Vault,
		Guard:      models,
		SandboxURL: o.Sandbox.ModelURL,
	})
	a.Tools = tool.New(tool.Options{Pool: o.Pool, Vault: o.Vault, Guard: outward, Version: o.Version})
	userAgent := "dialwright/" + strings.TrimPrefix(o.Version, "v") // for the support of Twilio and Meta
	a.Messaging = messaging.New(messaging.Options{
		Pool: o.Pool, Hub: o.Hub, Log: log, Off: o.WhatsApp.Off, Simulated: o.WhatsApp.Simulated,
	})
	a.WhatsApp = connection.New(connection.Options{
		Pool:     o.Pool,
		Vault:    o.Vault,
		Hub:      o.Hub,
		Log:      log,
		Messages: a.Messaging,
		Client: cloud.New(cloud.Options{
			GraphURL: o.WhatsApp.GraphURL, Version: o.WhatsApp.GraphVersion, UserAgent: userAgent,
		}),
		PublicURL: cmp.Or(o.WhatsApp.CallbackURL, link),
		ReadTime:  o.WhatsApp.ReadTime,
		Claim:     o.WhatsApp.Claim,
	})
	a.MessageGate = gate.New(gate.Options{
		Pool:        o.Pool,
		Hub:         o.Hub,
		Log:         log,
		Messages:    a.Messaging,
		Connections: a.WhatsApp,
	})

	// Calls, projects and the adapter depend on each other. telephony breaks the cycle:
	// it uses the services only during calls and callbacks, after New.
	a.telephony = &telephony{app: a, twilioURL: o.TwilioURL, sandbox: o.Sandbox}
	carriers := o.Carriers
	if carriers == nil {
		carriers = a.telephony.Carrier
	}
	a.Checks = predial.New(predial.Options{Pool: o.Pool, Vault: o.Vault, Guard: outward, Version: o.Version})
	a.Calls = call.New(call.Options{
		Pool:      o.Pool,
		Hub:       o.Hub,
		Log:       log,
		Carriers:  carriers,
		Checks:    a.Checks,
		PublicURL: o.PublicURL,
	})
	a.Sounds = listen.New(listen.Options{Pool: o.Pool, Hub: o.Hub, Carriers: carriers, Log: log})
	a.Lines = line.New(line.Options{
		Calls:     a.Calls,
		Pool:      o.Pool,
		Hub:       o.Hub,
		Models:    a.Models,
		Tools:     a.Tools,
		Templates: a.WhatsApp,
		Messages:  a.Messaging,
		Sounds:    a.Sounds,
		Log:       log,
	})
	a.Evaluations = evaluation.New(evaluation.Options{
		Pool:   o.Pool,
		Hub:    o.Hub,
		Vault:  o.Vault,
		Lines:  a.Lines,
		Models: a.Models,
		Log:    log,
	})
	a.Analyses = analysis.New(analysis.Options{Pool: o.Pool, Hub: o.Hub, Calls: a.Calls, Models: a.Models, Log: log})
	a.FollowUps = followup.New(followup.Options{Pool: o.Pool, Hub: o.Hub, Answered: a.Calls.AnswerCondition})
	a.Alerts = alert.New(alert.Options{
		Pool: o.Pool, Mail: o.Mail, Calls: a.Calls, FollowUps: a.FollowUps, PublicURL: link, Log: log,
	})
	a.Calling = dialer.New(dialer.Options{Pool: o.Pool, Hub: o.Hub, Calls: a.Calls})
	a.Projects = project.New(project.Options{
		Pool:          o.Pool,
		Vault:         o.Vault,
		Carriers:      a.telephony,
		Sandbox:       a.HasSandbox,
		OnRateChanged: a.Calling.LookAgain,
	})
	a.Campaigns = campaign.New(campaign.Options{
		Pool:            o.Pool,
		Hub:             o.Hub,
		WhatsApp:        a.WhatsApp,
		Now:             o.Now,
		CheckConnection: a.Projects.CheckIfOld,
	})
	a.Samples = sample.New(sample.Options{
		Pool: o.Pool, Projects: a.Projects, Campaigns: a.Campaigns, Calls: a.Calls,
	})
	a.Twilio = twilio.New(twilio.Config{
		Host:      a.Lines,
		PublicURL: link,
		Account:   a.telephony.account,
		UserAgent: userAgent,
		Elsewhere: outward.Transport(),
		Log:       log,
	})

	a.Dialer = dialer.NewDialer(dialer.LoopOptions{Pool: o.Pool, Hub: o.Hub, Calls: a.Calls, Log: log})
	a.Settler = dialer.NewSettler(dialer.LoopOptions{Pool: o.Pool, Hub: o.Hub, Calls: a.Calls, Log: log})
	a.Erasures = erasure.New(erasure.Options{
		Pool:      o.Pool,
		Vault:     o.Vault,
		Hub:       o.Hub,
		Log:       log,
		Accounts:  a.Accounts,
		Calls:     a.Calls,
		Campaigns: a.Campaigns,
		Messaging: a.Messaging,
	})
	a.Evidence = evidence.New(evidence.Options{
		Pool:         o.Pool,
		Accounts:     a.Accounts,
		Calls:        a.Calls,
		Campaigns:    a.Campaigns,
		FollowUps:    a.FollowUps,
		Messaging:    a.Messaging,
		People:       a.People,
		Suppressions: a.Suppressions,
	})
	return a, nil
}

// Work runs the background loops until ctx is canceled and their started work is
// finished.
func (a *App) Work(ctx context.Context) { worker.Run(ctx, a.loops()) }

// HoldLines runs the loops of a process that only carries calls.
func (a *App) HoldLines(ctx context.Context) { worker.RunLines(ctx, a.loops()) }

func (a *App) loops() worker.Options {
	return worker.Options{
		Pool:          a.Pool,
		Hub:           a.Hub,
		Accounts:      a.Accounts,
		Alerts:        a.Alerts,
		Projects:      a.Projects,
		Calls:         a.Calls,
		Sounds:        a.Sounds,
		Campaigns:     a.Campaigns,
		Lists:         a.Lists,
		Dialer:        a.Dialer,
		Evaluations:   a.Evaluations,
		Settler:       a.Settler,
		Analyses:      a.Analyses,
		WhatsApp:      a.WhatsApp,
		MessageGate:   a.MessageGate,
		Deliveries:    a.Deliveries,
		Erasures:      a.Erasures,
		Uploads:       a.Uploads,
		Samples:       a.Samples,
		Log:           a.Log,
		StatementTime: a.statementTime,
	}
}

// Drain begins the shutdown: readiness turns false, live streams end, and other processes
// take over the open lines between two turns. It returns when no line is left or ctx is
// done.
func (a *App) Drain(ctx context.Context) {
	a.close.Do(func() { close(a.closing) })
	a.Twilio.Drain()
	if err := a.Lines.Drain(ctx); err != nil {
		a.Log.Warn("lines were not handed over in time", "lines", a.Lines.OpenLines())
	}
	if err := a.Twilio.Shutdown(ctx); err != nil {
		a.Log.Warn("lines were cut off", "error", err)
	}
}
