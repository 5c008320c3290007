package sandbox

import (
	"net/http"
	"slices"
	"time"

	"github.com/dialwright/dialwright/internal/simulation"
)

// Dial is the record of one dial request and its call. It is the JSON of GET /sandbox/dials.
type Dial struct {
	Number     int       `json:"number"` // of the request, from 1
	CallSID    string    `json:"call_sid,omitempty"`
	From       string    `json:"from"`
	To         string    `json:"to"`
	URL        string    `json:"url"` // address of the instructions; it distinguishes the requester's calls
	CallReason string    `json:"call_reason,omitempty"`
	Inbound    bool      `json:"inbound,omitempty"` // somebody called a number of the account
	Unheard    bool      `json:"unheard,omitempty"` // no request about this caller was answered in time
	ReceivedAt time.Time `json:"received_at"`
	// when the request was answered; null while the answer is delayed, and always if the requester
	// went away
	AnsweredAt *time.Time `json:"answered_at"`
	Refused    string     `json:"refused,omitempty"`
	Status     string     `json:"status,omitempty"` // of the call, in Twilio's terms
	EndedAt    *time.Time `json:"ended_at"`
	Sessions   int        `json:"sessions"` // how often the call opened a line
	// attributes of the last <ConversationRelay>
	Relay map[string]string `json:"relay,omitempty"`
	// status of the call's recording: "completed" or "deleted"
	Recording string `json:"recording,omitempty"`
	Turns     []Turn `json:"turns"`
	// Transfers are the dials of other phones during the call.
	Transfers []Transfer `json:"transfers"`
}

// Turn is a turn on a line.
type Turn struct {
	Session int       `json:"session"` // number of the session, from 1
	Who     string    `json:"who"`     // "agent", "recipient", "carrier" or "person"
	Text    string    `json:"text,omitempty"`
	Digit   string    `json:"digit,omitempty"`
	Cut     bool      `json:"cut,omitempty"` // of the agent: not played to the end
	Began   time.Time `json:"began"`         // when it began
	At      time.Time `json:"at"`            // when it ended
	// Acknowledged is set on a turn of the recipient: the agent spoke or ended the session after
	// the turn was sent, and on the same line. The agent may have done so before the turn arrived.
	// So after a line is lost, this proves nothing.
	Acknowledged bool `json:"acknowledged,omitempty"`
}

// Values of Turn.Who.
const (
	Agent     = "agent"
	Recipient = "recipient"
	Carrier   = "carrier" // the carrier's own voice, as the instructions say
	Person    = "person"  // at the other phone of a transfer
)

// State counts requests, calls and lines. It is the JSON of GET /sandbox/state.
type State struct {
	Dials      int `json:"dials"`      // requests since the start, including refused requests
	Unanswered int `json:"unanswered"` // recorded requests whose requester is still waiting
	Live       int `json:"live"`       // calls that have not ended
	Lines      int `json:"lines"`      // lines (WebSockets) that are open
	Streams    int `json:"streams"`    // streams of sound to whoever listens in
}

// Dials returns all remembered dials, in the order of the requests.
func (n *Network) Dials() []Dial {
	n.Mu.Lock()
	defer n.Mu.Unlock()
	out := make([]Dial, len(n.dials))
	for i, d := range n.dials {
		out[i] = *d
		out[i].Turns = slices.Clone(d.Turns)
		if out[i].Transfers = slices.Clone(d.Transfers); out[i].Transfers == nil {
			out[i].Transfers = []Transfer{}
		}
		for j, t := range out[i].Transfers {
			out[i].Transfers[j].Heard, out[i].Transfers[j].Keys = slices.Clone(t.Heard), slices.Clone(t.Keys)
		}
		if out[i].Turns == nil {
			out[i].Turns = []Turn{}
		}
	}
	return out
}

// DelayAnswers delays the answer to every later dial request by d of real time. The
// request is recorded and the call starts before the delay.
func (n *Network) DelayAnswers(d time.Duration) {
	n.Mu.Lock()
	defer n.Mu.Unlock()
	n.answerDelay = d
}

func (n *Network) witnessRoutes(mux *http.ServeMux) {
	mux.HandleFunc("GET /sandbox/state", n.authorized(simulation.Show(func(*http.Request) State { return n.State() })))
	mux.HandleFunc("GET /sandbox/dials", n.authorized(simulation.Show(func(*http.Request) map[string][]Dial {
		return map[string][]Dial{"dials": n.Dials()}
	})))
	mux.HandleFunc("PUT /sandbox/answer-delay", n.authorized(simulation.Control(func(r *http.Request) error {
		ms, err := simulation.Number(r, "ms")
		if err == nil {
			n.DelayAnswers(time.Duration(ms) * time.Millisecond)
		}
		return err
	})))
}
