// Package sandbox is a simulated messaging operator: the other side of the WhatsApp Cloud API that
// messaging/cloud speaks. It has business accounts with numbers, limits and templates, accepts
// messages, reports their statuses in signed webhooks, and lets simulated recipients answer. An
// installation on the sandbox runs the production client end to end. Only the phones are simulated.
//
// It also records every request to send, as the outside witness for tests of the send gate. It
// accepts everything, as an operator whose limit is not reached, unless Operator.RefuseBeyond is
// set.
//
// The recipient determines the outcome of a message, as Outcomes lists. Every other message is
// delivered, and most are read.
package sandbox

import (
	"log/slog"
	"net/http"
	"time"

	"github.com/dialwright/dialwright/internal/simulation"
)

// Options configures an Operator. Only Token is required.
type Options struct {
	// Token is the system user's token for every business account. It also gives access to the
	// control routes. A sandbox and a server in different processes share it.
	Token string

	// AppSecret signs webhooks, and requests prove knowledge of it with appsecret_proof. "": Token.
	AppSecret string

	// World has the business accounts. nil: Standard().
	World []Portfolio

	// Speed divides the operator's time until a message is delivered, read and answered. The 24
	// hours of the limit, request timeouts and request retries are in real time. 0 means 1.
	Speed float64

	// PageSize is the maximum number of items on a page, whatever a request asks for. 0 means 100.
	PageSize int

	// Keep is how many requests to send the operator remembers, the newest first. 0 means 100,000.
	Keep int

	// RetryFor is how long a failed webhook is repeated. 0 means a minute.
	RetryFor time.Duration

	Log *slog.Logger // nil: slog.Default()
}

// Operator is the simulated operator. It is an http.Handler. Close stops it.
type Operator struct {
	*simulation.Run[State]

	token     string
	appSecret string
	pageSize  int
	keep      int
	posting   chan struct{} // has one element for each webhook in flight
	mux       *http.ServeMux

	// guarded by Mu
	offset   time.Duration // of the operator's clock
	accounts map[string]*business
	numbers  map[string]*line
	sends    []*Send        // by time of request
	asked    map[string]int // requests to recipients that are refused twice; at most 4,000 numbers
	beyond   int            // error code for requests beyond the limit; 0: no limit
}

// posts is how many webhooks may be in flight at the same time.
const posts = 64

// New makes an operator. It panics without Token, because anybody could then send and forge
// webhooks. It also panics for a World that uses an id twice.
func New(o Options) *Operator {
	if o.Token == "" {
		panic("sandbox: Token is required")
	}
	if o.AppSecret == "" {
		o.AppSecret = o.Token
	}
	if o.World == nil {
		o.World = Standard()
	}
	if o.PageSize <= 0 {
		o.PageSize = 100
	}
	if o.Keep <= 0 {
		o.Keep = 100_000
	}
	if o.RetryFor <= 0 {
		o.RetryFor = time.Minute
	}
	op := &Operator{
		Run:       simulation.New[State](simulation.Options{Speed: o.Speed, RetryFor: o.RetryFor, Log: o.Log}),
		token:     o.Token,
		appSecret: o.AppSecret,
		pageSize:  o.PageSize,
		keep:      o.Keep,
		posting:   make(chan struct{}, posts),
		accounts:  map[string]*business{},
		numbers:   map[string]*line{},
		asked:     map[string]int{},
	}
	op.settle(o.World)
	op.mux = op.routes()
	return op
}

func (op *Operator) ServeHTTP(w http.ResponseWriter, r *http.Request) { op.mux.ServeHTTP(w, r) }

// Advance moves the operator's clock forward, so earlier sends become older by d. A test that also
// moves the product's clock must call Advance first. Otherwise the product sends to recipients who
// still count for the operator.
func (op *Operator) Advance(d time.Duration) {
	op.Mu.Lock()
	defer op.Mu.Unlock()
	op.offset += max(d, 0)
}

// now returns the operator's time. The caller holds op.Mu.
func (op *Operator) now() time.Time { return time.Now().Add(op.offset).UTC() }
