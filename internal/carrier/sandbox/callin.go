package sandbox

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/simulation"
)

// This file lets people call numbers of the accounts.

// CallIn is a call that somebody makes to a number of an account. It is the JSON of POST /sandbox/calls.
type CallIn struct {
	Account string `json:"account"`
	From    string `json:"from"` // E.164; empty: the caller withholds the number
	To      string `json:"to"`   // E.164
	// Caller is what the person does: one of Callers. Empty: "answers".
	Caller string `json:"caller"`
	// VoiceURL and StatusURL are what the number has at the carrier. Empty: as set for the number.
	VoiceURL  string `json:"voice_url"`
	StatusURL string `json:"status_url"`
}

// Withheld is what the network reports as the number of a caller who withheld it.
const Withheld = "+266696687" // "ANONYMOUS" in the letters of a phone's keys

// callers are the people who call, by their names.
var callers = []struct {
	name, text string
	plan       plan
}{
	{"answers", "answers every question", plan{}},
	{"asks_why", "asks why you called, and then answers", plan{habit: asksWhy}},
	{"presses_9", "presses 9 to opt out", plan{habit: pressesNine}},
	{"says_stop", "says stop to opt out", plan{habit: saysStop}},
	{"presses_1", "presses 1 when the agent speaks", plan{habit: pressesOne}},
	{"asks_for_person", "asks for a person", plan{habit: wantsHuman}},
	{
		"asks_for_person_and_leaves", "asks for a person, and hangs up while the person hears who is calling",
		plan{habit: wantsHumanBriefly},
	},
	{"silent", "says nothing", plan{silent: true, habit: keepsSilence}},
	{"hangs_up_at_once", "hangs up before you answer", plan{hasty: true}},
	{"hangs_up", "hangs up mid-sentence", plan{habit: hangsUp}},
	{"repeated", "the network asks twice at the same time, and reports everything twice", plan{shuffles: true}},
	{"drops", "the line drops during the conversation and comes back", plan{losesLine: true}},
}

// Callers lists what a caller can do.
func Callers() (all []simulation.Outcome) {
	for _, c := range callers {
		all = append(all, simulation.Outcome{Digits: c.name, Text: c.text})
	}
	return all
}

// CallIn lets somebody call a number of an account. It returns the ID of the call.
func (n *Network) CallIn(in CallIn) (sid string, err error) {
	var p *plan
	for _, c := range callers {
		if c.name == in.Caller || in.Caller == "" {
			p = &c.plan
			break
		}
	}
	switch {
	case p == nil:
		return "", fmt.Errorf("sandbox: no caller %q", in.Caller)
	case in.From != "" && !e164.MatchString(in.From), !e164.MatchString(in.To):
		return "", fmt.Errorf("sandbox: the numbers of a call must be E.164")
	}
	if in.VoiceURL == "" {
		set := n.numberOf(in.Account, in.To)
		in.VoiceURL, in.StatusURL = set.Get("VoiceUrl"), set.Get("StatusCallback")
	}
	if address, err := url.Parse(in.VoiceURL); err != nil || address.Host == "" {
		return "", fmt.Errorf("sandbox: the number %s has no voice URL", in.To)
	}
	d := &Dial{From: in.From, To: in.To, URL: withoutFragment(in.VoiceURL), Inbound: true}
	if in.From == "" {
		d.From = Withheld
	}
	n.record(d)
	n.Mu.Lock()
	now := time.Now().UTC()
	d.AnsweredAt = &now
	n.Counts.Unanswered--
	c := &call{
		n:       n,
		dial:    d,
		sid:     "CA" + strings.ReplaceAll(uuid.NewString(), "-", ""),
		account: in.Account,
		form: url.Values{
			"Url": {in.VoiceURL}, "StatusCallback": {in.StatusURL}, "StatusCallbackEvent": {"completed"},
		},
		plan:    *p,
		created: time.Now(),
		person:  newRecipient(d.From, *p),
	}
	c.person.calls = true
	c.ctx, c.cancel = context.WithCancelCause(n.Ctx)
	d.CallSID, d.Status = c.sid, "ringing"
	n.calls[c.sid] = c
	n.Counts.Live++
	n.Announce()
	n.Mu.Unlock()
	if !n.Start(c.ringIn) {
		return "", fmt.Errorf("sandbox: the network is shutting down")
	}
	return c.sid, nil
}

// ringIn runs an incoming call from its first ring to its end.
func (c *call) ringIn() {
	defer c.cancel(nil)
	c.setStatus("ringing")
	form := c.basics("ringing")
	if c.dial.From != Withheld {
		form.Set("StirVerstat", "TN-Validation-Passed-A")
	}
	address := c.form.Get("Url")
	if c.plan.shuffles { // the network did not see the first answer
		c.n.Start(func() { _, _ = c.insist(c.n.Ctx, address, form) })
	}
	if c.plan.hasty {
		c.n.Start(func() {
			if _, err := c.insist(c.n.Ctx, address, form); err != nil {
				c.unheard(err)
			}
		})
		c.finish("no-answer")
		return
	}
	var verbs []verb
	for unanswered := true; unanswered; {
		document, err := c.insist(c.ctx, address, form)
		if err != nil {
			c.unheard(err)
			c.finish("failed")
			return
		}
		if verbs, err = parseTwiML(document); err != nil {
			c.n.Log.Error("sandbox: instructions cannot be followed", "call", c.sid, "error", err)
			c.finish("failed")
			return
		}
		// A pause before anything else lets the call ring on.
		if unanswered = len(verbs) == 2 && verbs[0].name == "Pause" && verbs[1].name == "Redirect"; unanswered {
			if !c.wait(verbs[0].length) {
				c.finish("no-answer")
				return
			}
			address = verbs[1].action
		}
	}
	switch {
	case len(verbs) > 0 && verbs[0].name == "Reject" && verbs[0].text == "busy":
		c.finish("busy")
		return
	case len(verbs) > 0 && verbs[0].name == "Reject":
		c.finish("no-answer")
		return
	}
	c.setStatus("in-progress")
	if next, form := c.obey(verbs); next != "" {
		c.followFrom(next, form)
	}
	c.finish("completed")
	if c.plan.shuffles {
		c.report("completed", nil)
	}
}

// unheard records that a caller got no instructions.
func (c *call) unheard(err error) {
	c.n.Log.Warn("sandbox: no instructions for an incoming call", "call", c.sid, "error", err)
	c.n.Mu.Lock()
	defer c.n.Mu.Unlock()
	c.dial.Unheard = true
}

func (n *Network) callInRoutes(mux *http.ServeMux) {
	mux.HandleFunc("POST /sandbox/calls", n.authorized(func(w http.ResponseWriter, r *http.Request) {
		var in CallIn
		if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<16)).Decode(&in); err != nil {
			refuse(w, http.StatusBadRequest, 20001, "The body is not JSON")
			return
		}
		sid, err := n.CallIn(in)
		if err != nil {
			refuse(w, http.StatusBadRequest, 20001, strings.TrimPrefix(err.Error(), "sandbox: "))
			return
		}
		simulation.JSON(w, http.StatusCreated, map[string]string{"call_sid": sid})
	}))
}

// RefusedError is a call that the network refuses.
type RefusedError struct{ Message string }

func (e *RefusedError) Error() string { return "sandbox: " + e.Message }

// callInTime bounds RequestCallIn, because a person waits.
const callInTime = 5 * time.Second

// RequestCallIn asks the network at an address to let somebody call. Errors: *RefusedError.
func RequestCallIn(ctx context.Context, address, token string, in CallIn) error {
	body, err := json.Marshal(in)
	if err != nil {
		return fmt.Errorf("encode a call to the sandbox: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, callInTime)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address+"/sandbox/calls", bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("request a call of the sandbox: %w", err)
	}
	req.SetBasicAuth("sandbox", token)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return fmt.Errorf("request a call of the sandbox: %w", err)
	}
	defer res.Body.Close()
	if res.StatusCode == http.StatusCreated {
		return nil
	}
	var refused struct {
		Message string `json:"message"`
	}
	if err := json.NewDecoder(io.LimitReader(res.Body, 1<<16)).Decode(&refused); err != nil || refused.Message == "" {
		return fmt.Errorf("request a call of the sandbox: status %d", res.StatusCode)
	}
	return &RefusedError{refused.Message}
}
