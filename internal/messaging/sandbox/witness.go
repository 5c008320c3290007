package sandbox

import (
	"errors"
	"fmt"
	"net/http"
	"sort"
	"strconv"
	"time"

	"github.com/dialwright/dialwright/internal/simulation"
)

// Send is the operator's record of one request to send. It is the JSON of GET /sandbox/sends. A
// request that is neither Accepted nor Refused was lost.
type Send struct {
	Number    int       `json:"number"` // of the request, from 1
	At        time.Time `json:"at"`     // when it was accepted or refused, by the operator's clock
	Portfolio string    `json:"portfolio"`
	Account   string    `json:"account"`
	NumberID  string    `json:"number_id"`
	Recipient string    `json:"recipient"` // E.164
	Template  string    `json:"template"`
	Language  string    `json:"language"`
	Text      string    `json:"text"`      // the body that the recipient reads
	Reference string    `json:"reference"` // biz_opaque_callback_data
	Accepted  bool      `json:"accepted"`
	MessageID string    `json:"message_id"`
	Refused   bool      `json:"refused"`
	Code      int       `json:"code"` // error code of a refused request
	// real time; null while the answer is delayed, and always if the requester went away or got no
	// answer
	AnsweredAt *time.Time `json:"answered_at"`
	Told       []string   `json:"told"` // statuses that the other side has accepted, in order

	scope string
}

// State counts requests and messages. It is the JSON of GET /sandbox/state.
type State struct {
	Requests   int `json:"requests"`   // requests to send since the start
	Accepted   int `json:"accepted"`   // accepted requests
	Unanswered int `json:"unanswered"` // recorded requests whose requester is still waiting
	Pending    int `json:"pending"`    // messages with more statuses to report
}

// record stores a request. The caller holds op.Mu.
func (op *Operator) record(d *Send) {
	op.Counts.Requests++
	op.Counts.Unanswered++
	d.Number, d.At = op.Counts.Requests, op.now()
	op.sends = append(op.sends, d)
	op.Announce()
	if len(op.sends) > op.keep+op.keep/8 {
		op.sends = simulation.Trim(op.sends, op.keep, func(*Send) bool { return true })
	}
}

// Sends returns all remembered requests, in order.
func (op *Operator) Sends() []Send { return op.sendsAfter(0, op.keep+op.keep/8+1) }

// sendsAfter returns at most limit requests after the request with this number.
func (op *Operator) sendsAfter(number, limit int) []Send {
	op.Mu.Lock()
	defer op.Mu.Unlock()
	from := sort.Search(len(op.sends), func(i int) bool { return op.sends[i].Number > number })
	out := make([]Send, 0, min(limit, len(op.sends)-from))
	for _, d := range op.sends[from:] {
		if len(out) == limit {
			break
		}
		one := *d
		one.Told = append([]string{}, d.Told...)
		out = append(out, one)
	}
	return out
}

// RefuseBeyond makes the operator refuse recipients beyond the limit for 24 hours, with an error
// code. 0 stops the refusals.
func (op *Operator) RefuseBeyond(code int) {
	op.Mu.Lock()
	defer op.Mu.Unlock()
	op.beyond = code
}

// Receive simulates a message of a user to a number.
func (op *Operator) Receive(numberID, from, text string) error {
	op.Mu.Lock()
	defer op.Mu.Unlock()
	l := op.numbers[numberID]
	if l == nil {
		return fmt.Errorf("no number %s", numberID)
	}
	op.tell(l.business, "messages", op.inbound(l, from, text, ""))
	return nil
}

const maxListed = 10_000

func (op *Operator) witnessRoutes(mux *http.ServeMux) {
	control := func(pattern string, change func(*http.Request) error) {
		mux.HandleFunc(pattern, op.authorized(simulation.Control(change)))
	}
	mux.HandleFunc("GET /sandbox/state", op.authorized(simulation.Show(func(*http.Request) State {
		return op.State()
	})))
	mux.HandleFunc("GET /sandbox/sends", op.authorized(simulation.Show(func(r *http.Request) map[string][]Send {
		after, _ := strconv.Atoi(r.FormValue("after"))
		return map[string][]Send{"sends": op.sendsAfter(after, maxListed)}
	})))
	control("PUT /sandbox/tier", func(r *http.Request) error {
		return op.SetTier(r.FormValue("account"), r.FormValue("tier"))
	})
	control("PUT /sandbox/quality", func(r *http.Request) error {
		return op.SetQuality(r.FormValue("number"), r.FormValue("quality"))
	})
	control("PUT /sandbox/template", func(r *http.Request) error {
		return op.SetTemplateStatus(r.FormValue("account"), r.FormValue("name"), r.FormValue("language"),
			r.FormValue("status"))
	})
	control("PUT /sandbox/template-category", func(r *http.Request) error {
		seconds, err := simulation.Number(r, "seconds")
		if err != nil {
			return err
		}
		var at time.Time
		if seconds > 0 {
			at = op.now().Add(time.Duration(seconds) * time.Second)
		}
		return op.SetTemplateCategory(r.FormValue("account"), r.FormValue("name"), r.FormValue("language"),
			r.FormValue("category"), at)
	})
	control("PUT /sandbox/template-quality", func(r *http.Request) error {
		return op.SetTemplateQuality(r.FormValue("account"), r.FormValue("name"), r.FormValue("language"),
			r.FormValue("quality"))
	})
	control("PUT /sandbox/number-name", func(r *http.Request) error {
		return op.ReviewName(r.FormValue("number"), r.FormValue("name"), r.FormValue("decision"), r.FormValue("reason"))
	})
	control("POST /sandbox/alert", func(r *http.Request) error {
		return op.Alert(r.FormValue("account"), r.FormValue("kind"), r.FormValue("severity"),
			r.FormValue("description"))
	})
	control("PUT /sandbox/callback", func(r *http.Request) error {
		return op.SetCallback(r.Context(), r.FormValue("account"), r.FormValue("url"), r.FormValue("verify_token"))
	})
	control("PUT /sandbox/trouble", func(r *http.Request) error {
		code, err1 := simulation.Number(r, "code")
		ms, err2 := simulation.Number(r, "ms")
		if err := errors.Join(err1, err2); err != nil {
			return err
		}
		return op.SetTrouble(r.FormValue("account"), Trouble{
			Kind: TroubleKind(r.FormValue("kind")), Delay: time.Duration(ms) * time.Millisecond, Code: code,
		})
	})
	control("PUT /sandbox/beyond", func(r *http.Request) error {
		code, err := simulation.Number(r, "code")
		if err == nil {
			op.RefuseBeyond(code)
		}
		return err
	})
	control("POST /sandbox/advance", func(r *http.Request) error {
		seconds, err := simulation.Number(r, "seconds")
		if err == nil {
			op.Advance(time.Duration(seconds) * time.Second)
		}
		return err
	})
	control("POST /sandbox/inbound", func(r *http.Request) error {
		return op.Receive(r.FormValue("number"), r.FormValue("from"), r.FormValue("text"))
	})
}
