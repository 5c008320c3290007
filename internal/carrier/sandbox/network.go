// Package sandbox is a phone network in a box: the other side of the protocol
// that carrier/twilio speaks. It answers Twilio's REST calls, rings simulated
// people, posts signed callbacks, opens the ConversationRelay WebSocket, plays
// what it is told to say and lets the people answer. An installation on it runs
// the production adapter end to end; only the phones are missing.
//
// It also remembers every dial request it was asked for, everything recipients
// said and everything that was played to them: the outside witness for tests
// that kill the product.
package sandbox

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"log/slog"
	"net/http"
	"sync"
	"time"
)

// Options configures a Network. Only Token is required.
type Options struct {
	// Token opens the witness, and AccountToken makes the auth token of every
	// account from it. A sandbox and a server in different processes agree on
	// this one value.
	Token string

	// Speed divides the network's time: ringing, speaking, pausing, the limits
	// on ringing and talking. It leaves alone what depends on the other side:
	// timeouts and retries of requests. 0 means 1.
	Speed float64

	// Keep is how many dials are remembered; the oldest that have ended are
	// forgotten first. 0 means 20,000.
	Keep int

	// RetryFor is how long a callback that fails is tried again. 0 means the
	// 15 s in which Twilio gives up at the latest.
	RetryFor time.Duration

	Log *slog.Logger // nil: slog.Default()
}

// Network is the phone network. It is an http.Handler; Close ends it.
type Network struct {
	token    string
	speed    float64
	keep     int
	retryFor time.Duration
	log      *slog.Logger
	client   *http.Client
	mux      *http.ServeMux

	ctx    context.Context
	cancel context.CancelFunc
	wg     sync.WaitGroup

	mu          sync.Mutex
	closed      bool
	dials       []*Dial          // by time of request; Dial and its call share n.mu
	calls       map[string]*call // by sid, those that are remembered
	number      int              // of the last dial
	unanswered  int
	live        int
	lines       int
	answerDelay time.Duration
	changed     chan struct{} // closed at the next change of State; nil while nobody waits
}

// AccountToken is the auth token of an account: the account authenticates with it
// and its callbacks are signed with it. Any account sid that begins with AC has
// one. The token of the sandbox alone signs for no account whose sid is unknown.
func AccountToken(token, account string) string {
	mac := hmac.New(sha256.New, []byte(token))
	mac.Write([]byte(account))
	return hex.EncodeToString(mac.Sum(nil))
}

// New makes a network. It panics without Token, with which anybody could
// place calls and forge callbacks.
func New(o Options) *Network {
	if o.Token == "" {
		panic("sandbox: Token is required")
	}
	if o.Speed <= 0 {
		o.Speed = 1
	}
	if o.Keep <= 0 {
		o.Keep = 20_000
	}
	if o.RetryFor <= 0 {
		o.RetryFor = 15 * time.Second
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.Proxy = nil // callbacks go where they are addressed
	transport.MaxIdleConns = 512
	transport.MaxIdleConnsPerHost = 256
	n := &Network{
		token:    o.Token,
		speed:    o.Speed,
		keep:     o.Keep,
		retryFor: o.RetryFor,
		log:      o.Log,
		client: &http.Client{
			Transport:     transport,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		calls: map[string]*call{},
	}
	n.ctx, n.cancel = context.WithCancel(context.Background())
	n.mux = n.routes()
	return n
}

func (n *Network) ServeHTTP(w http.ResponseWriter, r *http.Request) { n.mux.ServeHTTP(w, r) }

// Close drops every call without another word to anybody, as a power cut
// would, and waits until nothing runs any more.
func (n *Network) Close() {
	n.mu.Lock()
	n.closed = true
	n.mu.Unlock()
	n.cancel()
	n.wg.Wait()
	n.client.CloseIdleConnections()
}

// scaled is a length of network time as it passes here.
func (n *Network) scaled(d time.Duration) time.Duration {
	return time.Duration(float64(d) / n.speed)
}

// unscaled is the network time that passed in d.
func (n *Network) unscaled(d time.Duration) time.Duration {
	return time.Duration(float64(d) * n.speed)
}

// start runs f as part of the network, unless it is closed.
func (n *Network) start(f func()) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.closed {
		return false
	}
	n.wg.Go(f)
	return true
}

// record remembers a dial request from the moment it is received.
func (n *Network) record(d *Dial) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.number++
	d.Number = n.number
	d.ReceivedAt = time.Now().UTC()
	n.dials = append(n.dials, d)
	n.unanswered++
	n.announce()
	if len(n.dials) > n.keep+n.keep/8 {
		n.forget()
	}
}

// forget drops the oldest dials that have ended, down to n.keep.
func (n *Network) forget() {
	excess := len(n.dials) - n.keep
	kept := n.dials[:0]
	for _, d := range n.dials {
		if excess > 0 && (d.EndedAt != nil || d.Refused != "") {
			excess--
			delete(n.calls, d.CallSID)
			continue
		}
		kept = append(kept, d)
	}
	clear(n.dials[len(kept):])
	n.dials = kept
}
