package sandbox

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"time"
)

// Dial is what the network remembers of one dial request and the call it led
// to. It is the JSON of GET /sandbox/dials.
type Dial struct {
	Number     int        `json:"number"` // of the request, from 1
	CallSID    string     `json:"call_sid,omitempty"`
	From       string     `json:"from"`
	To         string     `json:"to"`
	URL        string     `json:"url"` // where instructions are fetched; it tells the requester's calls apart
	ReceivedAt time.Time  `json:"received_at"`
	AnsweredAt *time.Time `json:"answered_at"` // when the request was answered; null while held, and for ever if the requester went away
	Refused    string     `json:"refused,omitempty"`
	Status     string     `json:"status,omitempty"` // of the call, in Twilio's words
	EndedAt    *time.Time `json:"ended_at"`
	Sessions   int        `json:"sessions"`            // how often a line was opened
	Recording  string     `json:"recording,omitempty"` // what the call's recording has come to: "completed" or "deleted"
	Turns      []Turn     `json:"turns"`
}

// Turn is something that was heard on a line.
type Turn struct {
	Session int       `json:"session"` // which opening of the line, from 1
	Who     string    `json:"who"`     // "agent" or "recipient"
	Text    string    `json:"text,omitempty"`
	Digit   string    `json:"digit,omitempty"`
	Cut     bool      `json:"cut,omitempty"` // the agent's: not played to its end
	Began   time.Time `json:"began"`         // when it began
	At      time.Time `json:"at"`            // when it was over
	// Acknowledged, of the recipient's: the agent spoke or ended the session
	// after this was sent, and on the same line. It may have done so before this
	// arrived, so after a line is lost it proves nothing.
	Acknowledged bool `json:"acknowledged,omitempty"`
}

// Who of a Turn.
const (
	Agent     = "agent"
	Recipient = "recipient"
)

// State counts what goes on. It is the JSON of GET /sandbox/state.
type State struct {
	Dials      int `json:"dials"`      // requests since the start, refused ones included
	Unanswered int `json:"unanswered"` // of them: recorded, and the requester is still waiting
	Live       int `json:"live"`       // calls that have not ended
	Lines      int `json:"lines"`      // lines (WebSockets) that are open
}

// State tells what goes on.
func (n *Network) State() State {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.state()
}

func (n *Network) state() State {
	return State{Dials: n.number, Unanswered: n.unanswered, Live: n.live, Lines: n.lines}
}

// Await returns when the state is as wanted, or with ctx's error.
func (n *Network) Await(ctx context.Context, wanted func(State) bool) (State, error) {
	for {
		n.mu.Lock()
		state := n.state()
		if n.changed == nil {
			n.changed = make(chan struct{})
		}
		changed := n.changed
		n.mu.Unlock()
		if wanted(state) {
			return state, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return state, ctx.Err()
		}
	}
}

// announce wakes those who wait for a change. n.mu is held.
func (n *Network) announce() {
	if n.changed != nil {
		close(n.changed)
		n.changed = nil
	}
}

// Dials is everything remembered, in the order of the requests.
func (n *Network) Dials() []Dial {
	n.mu.Lock()
	defer n.mu.Unlock()
	out := make([]Dial, len(n.dials))
	for i, d := range n.dials {
		out[i] = *d
		out[i].Turns = slices.Clone(d.Turns)
		if out[i].Turns == nil {
			out[i].Turns = []Turn{}
		}
	}
	return out
}

// DelayAnswers holds the answer to every dial request from now on for d of
// real time. The request is recorded, and the call goes its way, before that.
func (n *Network) DelayAnswers(d time.Duration) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.answerDelay = d
}

func (n *Network) witnessRoutes(mux *http.ServeMux) {
	mux.HandleFunc("GET /sandbox/state", n.authorized(func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, http.StatusOK, n.State())
	}))
	mux.HandleFunc("GET /sandbox/dials", n.authorized(func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, http.StatusOK, map[string]any{"dials": n.Dials()})
	}))
	mux.HandleFunc("PUT /sandbox/answer-delay", n.authorized(func(w http.ResponseWriter, r *http.Request) {
		ms, err := strconv.Atoi(r.FormValue("ms"))
		if err != nil || ms < 0 {
			http.Error(w, "ms: not a number of milliseconds", http.StatusBadRequest)
			return
		}
		n.DelayAnswers(time.Duration(ms) * time.Millisecond)
		w.WriteHeader(http.StatusNoContent)
	}))
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}
