// Package twilio is the carrier adapter for Twilio Programmable Voice: calls
// are placed over its REST interface, their events come back as signed
// callbacks, and the conversation is held over ConversationRelay, a WebSocket
// that carries text both ways (speech is made and recognized at Twilio).
//
// The same adapter talks to carrier/sandbox, which is the other side of the
// same protocol.
package twilio

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/carrier"
)

// APIURL is Twilio's own REST interface.
const APIURL = "https://api.twilio.com"

// Account is what a connection needs to reach Twilio and to be reached by it.
type Account struct {
	SID       string // AC…
	AuthToken string // authenticates us to Twilio, and Twilio's callbacks to us
	APIURL    string // empty: APIURL
	PublicURL string // where this account's callbacks reach us; empty: Config.PublicURL
}

// Config is what an Adapter needs. Host, PublicURL and Account are required.
type Config struct {
	Host carrier.Host

	// PublicURL is the base address under which Twilio reaches this
	// deployment, "https://dial.example.com". Signatures are checked against
	// it, never against the Host header.
	PublicURL string

	// Account returns the account behind a connection, for callbacks.
	// ErrNoConnection when there is none.
	Account func(ctx context.Context, connectionID uuid.UUID) (Account, error)

	Client *http.Client // nil: one with a pool for hundreds of requests a second

	// Elsewhere fetches recordings from where Twilio says they are, if it does
	// not have them itself: the organization's own storage, say. Twilio's word is
	// all there is for such an address, so it must reach public ones only. Nil:
	// they are not fetched.
	Elsewhere http.RoundTripper

	Log *slog.Logger // nil: slog.Default()
}

// ErrNoConnection is what Config.Account returns for an unknown connection.
var ErrNoConnection = errors.New("twilio: no such connection")

// Adapter holds what all connections to Twilio share: the pool of HTTP
// connections, the callback routes and the lines open at this instance.
type Adapter struct {
	host      carrier.Host
	publicURL string
	account   func(context.Context, uuid.UUID) (Account, error)
	client    *http.Client
	elsewhere http.RoundTripper
	log       *slog.Logger
	now       func() time.Time
	patience  time.Duration // with a callback while the database is away
	mux       *http.ServeMux

	mu       sync.Mutex
	stopping bool
	lines    map[uuid.UUID]*line // by call, the newest line of each
	open     sync.WaitGroup      // one for each line being conversed on
}

// New makes an adapter.
func New(c Config) *Adapter {
	a := &Adapter{
		host:      c.Host,
		publicURL: strings.TrimRight(c.PublicURL, "/"),
		account:   c.Account,
		client:    c.Client,
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
		t.MaxIdleConnsPerHost = 256 // the default of 2 would dial afresh for nearly every call
		a.client = &http.Client{Transport: t, CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse // a request is never repeated, least of all elsewhere
		}}
	}
	a.mux = a.routes()
	return a
}

// Carrier places calls for one connection.
func (a *Adapter) Carrier(connectionID uuid.UUID, account Account) carrier.Carrier {
	if account.APIURL == "" {
		account.APIURL = APIURL
	}
	return &client{adapter: a, connectionID: connectionID, account: account}
}

// Handler serves the callbacks; mount it at HooksPath, whole paths intact.
func (a *Adapter) Handler() http.Handler { return a.mux }

// Drain refuses new lines from now on, with an answer that makes Twilio ask
// again and so reach another instance. Open lines and events go on.
func (a *Adapter) Drain() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.stopping = true
}

// Shutdown drains and closes the lines that are open, so that another instance
// (or this one, restarted) takes the calls over. It returns when the host has
// let go of every line, or when ctx is done.
func (a *Adapter) Shutdown(ctx context.Context) error {
	a.Drain()
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

// isStopping reports whether Shutdown was called.
func (a *Adapter) isStopping() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.stopping
}

// enter registers a line as the newest of its call and closes its predecessor.
// It is refused while the instance is stopping.
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

// base is the public address callbacks of this account are sent to.
func (a *Adapter) base(account Account) string {
	if account.PublicURL != "" {
		return strings.TrimRight(account.PublicURL, "/")
	}
	return a.publicURL
}
