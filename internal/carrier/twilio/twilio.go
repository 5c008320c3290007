// Package twilio is the carrier adapter for Twilio Programmable Voice. It places calls over the
// REST API, receives their events as signed callbacks, and carries the conversation over
// ConversationRelay, a WebSocket that carries text in both directions. Twilio synthesizes and
// recognizes the speech.
//
// The same adapter talks to carrier/sandbox, which is the other side of the same protocol.
package twilio

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/carrier"
)

// APIURL is the address of Twilio's REST API in the region us1, Twilio's default.
const APIURL = "https://api.twilio.com"

// regionURLs are the addresses of the API in other regions than us1.
// https://www.twilio.com/docs/global-infrastructure/using-the-twilio-rest-api-in-a-non-us-region
var regionURLs = map[string]string{
	"ie1": "https://api.dublin.ie1.twilio.com",
	"au1": "https://api.sydney.au1.twilio.com",
}

// RegionURL is the address of the API in a region: "us1", "ie1" or "au1".
func RegionURL(region string) string { return cmp.Or(regionURLs[region], APIURL) }

// Account is the Twilio account of a connection.
type Account struct {
	SID           string // AC…
	AuthToken     string // signs Twilio's callbacks, and authenticates requests without an API key
	PreviousToken string // the auth token before it, which also signs callbacks; empty: none
	APIKey        string // SK…; empty: none
	APISecret     string // of APIKey
	APIURL        string // empty: APIURL
	PublicURL     string // where callbacks of this account arrive; empty: Config.PublicURL
}

// authorize authenticates a request to Twilio. The account in the path is the same with an API key.
// https://www.twilio.com/docs/usage/requests-to-twilio
func (a Account) authorize(r *http.Request) {
	if a.APIKey != "" {
		r.SetBasicAuth(a.APIKey, a.APISecret)
		return
	}
	r.SetBasicAuth(a.SID, a.AuthToken)
}

// signed reports whether a signature of a request to an address, with a form or without one, is
// this account's. During a rotation, Twilio signs with the old token until the new one is promoted.
// https://www.twilio.com/docs/iam/api/authtoken
func (a Account) signed(signature, address string, form url.Values) bool {
	current := signed(a.AuthToken, signature, address, form)
	previous := signed(a.PreviousToken, signature, address, form) // always compared, so that the time reveals nothing
	return current || previous
}

// Config configures an Adapter. Host, PublicURL and Account are required.
type Config struct {
	Host carrier.Host

	// PublicURL is the base address at which Twilio reaches this deployment,
	// "https://dial.example.com". Signatures are checked against it, never against the Host
	// header.
	PublicURL string

	// Account returns the account of a connection, for callbacks. Errors: ErrNoConnection.
	Account func(ctx context.Context, connectionID uuid.UUID) (Account, error)

	Client    *http.Client // nil: a client with a pool for hundreds of requests per second
	UserAgent string       // of requests to Twilio; empty: that of net/http

	// Elsewhere fetches recordings that Twilio stores at another address, for example in the
	// organization's own storage. It must reach public addresses only, because the address comes
	// from an answer of Twilio. Nil: these recordings are not fetched.
	Elsewhere http.RoundTripper

	Log *slog.Logger // nil: slog.Default()
}

// ErrNoConnection is the error of Config.Account for an unknown connection.
var ErrNoConnection = errors.New("twilio: no such connection")

// Adapter is shared by all connections to Twilio. It has the pool of HTTP connections, the
// routes of the callbacks, and the open lines of this process.
type Adapter struct {
	host      carrier.Host
	publicURL string
	account   func(context.Context, uuid.UUID) (Account, error)
	client    *http.Client
	userAgent string
	elsewhere http.RoundTripper
	log       *slog.Logger
	now       func() time.Time
	patience  time.Duration // how long a callback waits while the database is unavailable
	mux       *http.ServeMux

	mu       sync.Mutex
	stopping bool
	lines    map[uuid.UUID]*line // the newest line of each call
	open     sync.WaitGroup      // one for each line in Converse, and for each sound in Hear

	running context.Context // ends with Shutdown
	stop    context.CancelFunc
}

// New makes an adapter.
func New(c Config) *Adapter {
	a := &Adapter{
		host:      c.Host,
		publicURL: strings.TrimRight(c.PublicURL, "/"),
		account:   c.Account,
		client:    c.Client,
		userAgent: c.UserAgent,
		elsewhere: c.Elsewhere,
		log:       c.Log,
		now:       time.Now,
		patience:  patience,
		lines:     map[uuid.UUID]*line{},
	}
	if a.log == nil {
		a.log = slog.Default()
	}
	if a.client == nil {
		t := http.DefaultTransport.(*http.Transport).Clone()
		t.MaxIdleConns = 512
		t.MaxIdleConnsPerHost = 256 // with the default of 2, nearly every call would open a connection
		a.client = &http.Client{Transport: t, CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse // a request is never repeated, and not sent to another address
		}}
	}
	a.running, a.stop = context.WithCancel(context.Background())
	a.mux = a.routes()
	return a
}

// Carrier returns the carrier of one connection.
func (a *Adapter) Carrier(connectionID uuid.UUID, account Account) carrier.Carrier {
	if account.APIURL == "" {
		account.APIURL = APIURL
	}
	return &client{adapter: a, connectionID: connectionID, account: account}
}

// Handler serves the callbacks. Mount it at HooksPath, with whole paths.
func (a *Adapter) Handler() http.Handler { return a.mux }

// Drain makes the adapter refuse new lines. The refusal makes Twilio ask again and reach another
// process. Open lines and events continue.
func (a *Adapter) Drain() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.stopping = true
}

// Shutdown drains and closes the open lines and sounds, so that another process takes over the calls.
// It returns when the host has released every line, or when ctx is done.
func (a *Adapter) Shutdown(ctx context.Context) error {
	a.Drain()
	a.stop()
	a.mu.Lock()
	for _, l := range a.lines {
		go l.shut(carrier.CloseShutdown, "instance is stopping")
	}
	a.mu.Unlock()

	done := make(chan struct{})
	go func() { a.open.Wait(); close(done) }()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// identify names the product in a request, which helps Twilio's support.
func (a *Adapter) identify(r *http.Request) {
	if a.userAgent != "" {
		r.Header.Set("User-Agent", a.userAgent)
	}
}

// isStopping reports whether Shutdown was called.
func (a *Adapter) isStopping() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.stopping
}

// enter registers a line as the newest line of its call and closes the older line. It returns false
// while the process is stopping.
func (a *Adapter) enter(callID uuid.UUID, l *line) bool {
	a.mu.Lock()
	if a.stopping {
		a.mu.Unlock()
		return false
	}
	old := a.lines[callID]
	a.lines[callID] = l
	a.open.Add(1)
	a.mu.Unlock()
	if old != nil {
		go old.shut(carrier.CloseReplaced, "a newer line was opened for the call")
	}
	return true
}

func (a *Adapter) leave(callID uuid.UUID, l *line) {
	a.mu.Lock()
	if a.lines[callID] == l {
		delete(a.lines, callID)
	}
	a.mu.Unlock()
	a.open.Done()
}

// base returns the public address of the callbacks of an account.
func (a *Adapter) base(account Account) string {
	if account.PublicURL != "" {
		return strings.TrimRight(account.PublicURL, "/")
	}
	return a.publicURL
}
