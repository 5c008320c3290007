// Package sandbox is a simulated phone network: the other side of the protocol that carrier/twilio
// speaks. It answers Twilio's REST calls, rings simulated people, posts signed callbacks, opens the
// ConversationRelay WebSocket, plays the agent's words and lets the people answer. An installation
// on the sandbox runs the production adapter end to end. Only the phones are simulated.
//
// It also records every dial request, all words of recipients and all words that were played to
// them. It is the outside witness for tests that kill the product.
package sandbox

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"log/slog"
	"net/http"
	"net/url"
	"time"

	"github.com/dialwright/dialwright/internal/simulation"
)

// Options configures a Network. Only Token is required.
type Options struct {
	// Token gives access to the witness. AccountToken derives the auth token of every account from
	// it. A sandbox and a server in different processes only need to share this value.
	Token string

	// Speed divides the network's time: ringing, speaking, pausing and the ring timeout. The limit
	// on talk time, request timeouts and request retries are in real time, because they depend on
	// the other side. 0 means 1.
	Speed float64

	// Keep is the number of dials to remember. The network forgets the oldest ended dials first. 0
	// means 20,000.
	Keep int

	// RetryFor is how long a failed callback is repeated. 0 means 15 s, the time after which Twilio
	// gives up at the latest.
	RetryFor time.Duration

	Log *slog.Logger // nil: slog.Default()
}

// Network is the phone network. It is an http.Handler. Close stops it.
type Network struct {
	accountKind, accountStatus string // of every account; empty: "Full" and "active"

	*simulation.Run[State]

	token string
	keep  int
	mux   *http.ServeMux

	// guarded by Mu
	dials       []*Dial                  // by time of request
	calls       map[string]*call         // by sid, the remembered calls
	legs        map[string]*leg          // by sid, the other phones of these calls
	credentials map[string]*credentials  // of accounts with changed credentials
	numbers     map[ownNumber]url.Values // what numbers do when somebody calls them
	answerDelay time.Duration
	elapsed     time.Duration // added to the age of calls; see Elapse
}

// AccountToken returns the auth token of an account, until PromoteToken replaces it. The account
// authenticates with it, and its callbacks are signed with it. Any account sid that begins with AC
// has a token. A signature also needs the account sid, not only the token of the sandbox.
func AccountToken(token, account string) string {
	mac := hmac.New(sha256.New, []byte(token))
	mac.Write([]byte(account))
	return hex.EncodeToString(mac.Sum(nil))
}

// New makes a network. It panics without Token, because anybody could then place calls and forge
// callbacks.
func New(o Options) *Network {
	if o.Token == "" {
		panic("sandbox: Token is required")
	}
	if o.Keep <= 0 {
		o.Keep = 20_000
	}
	if o.RetryFor <= 0 {
		o.RetryFor = 15 * time.Second
	}
	n := &Network{
		Run:   simulation.New[State](simulation.Options{Speed: o.Speed, RetryFor: o.RetryFor, Log: o.Log}),
		token: o.Token,
		keep:  o.Keep,
		calls: map[string]*call{},
		legs:  map[string]*leg{},

		credentials: map[string]*credentials{},
		numbers:     map[ownNumber]url.Values{},
	}
	n.mux = n.routes()
	return n
}

func (n *Network) ServeHTTP(w http.ResponseWriter, r *http.Request) { n.mux.ServeHTTP(w, r) }

// record stores a dial request when it is received.
func (n *Network) record(d *Dial) {
	n.Mu.Lock()
	defer n.Mu.Unlock()
	n.Counts.Dials++
	n.Counts.Unanswered++
	d.Number, d.ReceivedAt = n.Counts.Dials, time.Now().UTC()
	n.dials = append(n.dials, d)
	n.Announce()
	if len(n.dials) > n.keep+n.keep/8 {
		n.forget()
	}
}

// forget drops the oldest dials that have ended, down to n.keep.
func (n *Network) forget() {
	n.dials = simulation.Trim(n.dials, n.keep, func(d *Dial) bool {
		over := d.EndedAt != nil || d.Refused != ""
		if over {
			delete(n.calls, d.CallSID)
			for _, t := range d.Transfers {
				delete(n.legs, t.CallSID)
			}
		}
		return over
	})
}
