package twilio

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/dialwright/dialwright/internal/carrier"
)

// transferHandoff is the handoff data of a session that ended for a transfer.
const transferHandoff = `{"transfer":true}`

// Names of the query of callbacks about a dial.
const (
	transferQuery = "transfer"
	turnQuery     = "turn"
)

// keyTime is how long a person may take to press a key after a whisper.
const keyTime = 6 * time.Second

// Limits of a dial, in seconds.
const (
	maxRing = 600
	maxTalk = 14400
)

// dial connects a call with another phone. With answerOnBridge, the recipient hears ringing until the other side is
// connected, also during the whisper.
// https://www.twilio.com/docs/voice/twiml/dial
type dial struct {
	Action            string `xml:"action,attr"`
	Method            string `xml:"method,attr"`
	CallerID          string `xml:"callerId,attr,omitempty"`
	Timeout           string `xml:"timeout,attr"`
	TimeLimit         string `xml:"timeLimit,attr"`
	AnswerOnBridge    bool   `xml:"answerOnBridge,attr,omitempty"`
	Record            string `xml:"record,attr,omitempty"`
	Trim              string `xml:"trim,attr,omitempty"`
	RecordingCallback string `xml:"recordingStatusCallback,attr,omitempty"`
	Number            *party `xml:"Number"`
	SIP               *party `xml:"Sip"`
}

// party is who is dialed. The instructions at URL, if any, are followed on that phone before the two are connected.
// https://www.twilio.com/docs/voice/twiml/number
type party struct {
	URL     string `xml:"url,attr,omitempty"`
	Method  string `xml:"method,attr,omitempty"`
	Address string `xml:",chardata"`
}

// gather waits for a key.
// https://www.twilio.com/docs/voice/twiml/gather
type gather struct {
	Action  string `xml:"action,attr"`
	Method  string `xml:"method,attr"`
	Input   string `xml:"input,attr"`
	Digits  int    `xml:"numDigits,attr"`
	Timeout string `xml:"timeout,attr"`
	Empty   bool   `xml:"actionOnEmptyResult,attr"`
	Say     *say   `xml:"Say"`
}

// proceed answers the action callback of a session that ended for a transfer.
func (a *Adapter) proceed(w http.ResponseWriter, r *http.Request, cb callback) {
	a.next(w, r, cb, func(ctx context.Context) (carrier.Next, error) {
		return a.host.Proceed(ctx, cb.connectionID, cb.callID)
	})
}

// returned answers the action callback of a dial.
// https://www.twilio.com/docs/voice/twiml/dial#action
func (a *Adapter) returned(w http.ResponseWriter, r *http.Request, cb callback) {
	n, err := strconv.Atoi(r.URL.Query().Get(transferQuery))
	if err != nil {
		http.NotFound(w, r)
		return
	}
	e := carrier.DialEnd{
		Transfer: n,
		Outcome:  cmp.Or(outcomes[cb.form.Get("DialCallStatus")], carrier.Failed),
		// The status is "completed" for everybody who answered, also if they hung up before they were connected.
		Apart: strings.EqualFold(cb.form.Get("DialBridged"), "false"),
		Over:  cb.form.Get("CallStatus") != statusTalking,
	}
	if cb.form.Get("DialCallStatus") == "answered" {
		e.Outcome = carrier.Completed
	}
	a.next(w, r, cb, func(ctx context.Context) (carrier.Next, error) {
		return a.host.Returned(ctx, cb.connectionID, cb.callID, e)
	})
}

// next answers a callback with what comes next on an answered call.
func (a *Adapter) next(
	w http.ResponseWriter, r *http.Request, cb callback, ask func(context.Context) (carrier.Next, error),
) {
	if a.isStopping() {
		w.Header().Set("Connection", "close") // so that the retry reaches another process
		http.Error(w, "shutting down", http.StatusServiceUnavailable)
		return
	}
	// What is asked is stored even if Twilio closes the connection meanwhile.
	ctx := context.WithoutCancel(r.Context())
	next, err := a.askNext(ctx, ask)
	if err == nil && next.Dial != nil && next.Dial.Pause {
		if failed := a.recordOn(ctx, cb, false); failed != nil {
			a.log.WarnContext(ctx, "a recording could not be paused, so a call is not transferred", "call", cb.callID,
				"connection", cb.connectionID, "error", failed)
			end := carrier.DialEnd{Transfer: next.Dial.Transfer, Outcome: carrier.Failed, Apart: true}
			next, err = a.askNext(ctx, func(ctx context.Context) (carrier.Next, error) {
				return a.host.Returned(ctx, cb.connectionID, cb.callID, end)
			})
		}
	}
	switch {
	case errors.Is(err, carrier.ErrNotAdmitted):
		writeTwiML(w, hangupTwiML())
	case err != nil:
		a.fail(w, r, "continue an answered call", err)
	case next.Dial != nil:
		writeTwiML(w, encode(response{Dial: a.dialing(cb, *next.Dial)}))
	default:
		if next.Resume {
			if err := a.recordOn(ctx, cb, true); err != nil {
				a.log.WarnContext(ctx, "a paused recording could not be continued", "call", cb.callID,
					"connection", cb.connectionID, "error", err)
			}
		}
		a.openLine(w, cb, next.Manner, firstOpening(a.now()))
	}
}

func (a *Adapter) askNext(
	ctx context.Context, ask func(context.Context) (carrier.Next, error),
) (next carrier.Next, err error) {
	err = a.persist(ctx, func(ctx context.Context) error {
		next, err = ask(ctx)
		return err
	})
	return next, err
}

// dialing returns the instructions of a dial.
func (a *Adapter) dialing(cb callback, d carrier.Dial) *dial {
	hook := func(name string) string {
		return a.hookURL(cb.account, cb.connectionID, cb.callID, name) + "?" + transferQuery + "=" +
			strconv.Itoa(d.Transfer) + retryPolicy
	}
	v := &dial{
		Action:         hook(hookReturned),
		Method:         http.MethodPost,
		CallerID:       d.From,
		Timeout:        wholeSeconds(d.RingTimeout, maxRing),
		TimeLimit:      wholeSeconds(d.MaxDuration, maxTalk),
		AnswerOnBridge: true,
	}
	if d.Record {
		v.Record, v.Trim = "record-from-answer-dual", "do-not-trim"
		v.RecordingCallback = a.hookURL(cb.account, cb.connectionID, cb.callID, hookRecording) + retryPolicy
	}
	p := &party{URL: hook(hookWhisper), Method: http.MethodPost, Address: d.To}
	if strings.HasPrefix(d.To, "+") {
		v.Number = p
	} else {
		v.SIP = p
	}
	return v
}

// whisper returns the instructions for the person who answered a dial. A document without a verb connects them.
func (a *Adapter) whisper(w http.ResponseWriter, r *http.Request, cb callback) {
	query := r.URL.Query()
	n, err := strconv.Atoi(query.Get(transferQuery))
	if err != nil {
		http.NotFound(w, r)
		return
	}
	turn, _ := strconv.Atoi(query.Get(turnQuery)) // absent: the first
	p := carrier.Pressed{
		Transfer: n, Turn: turn, Key: cb.form.Get("Digits"),
		CarrierCallID: cb.form.Get("CallSid"), // of the other phone; the call's own is ParentCallSid
	}
	var said carrier.Whisper
	err = a.persist(context.WithoutCancel(r.Context()), func(ctx context.Context) (err error) {
		said, err = a.host.Whisper(ctx, cb.connectionID, cb.callID, p)
		return err
	})
	if err != nil && !isAnswer(err) {
		a.fail(w, r, "instruct the person to whom a call is transferred", err)
		return
	}
	var spoken *say
	if said.Text != "" {
		spoken = &say{Language: said.Language, Text: said.Text}
	}
	switch {
	case err != nil:
		writeTwiML(w, hangupTwiML())
	case said.Then == carrier.Connect:
		writeTwiML(w, encode(response{Say: spoken}))
	case said.Then == carrier.WaitFor:
		again := url.Values{transferQuery: {strconv.Itoa(n)}, turnQuery: {strconv.Itoa(turn + 1)}}
		writeTwiML(w, encode(response{
			Gather: &gather{
				Action: a.hookURL(cb.account, cb.connectionID, cb.callID, hookWhisper) +
					"?" + again.Encode() + retryPolicy,
				Method: http.MethodPost,
				Input:  "dtmf", Digits: 1, Timeout: wholeSeconds(keyTime, 600), Empty: true,
				Say: spoken,
			},
			Hangup: &empty{}, // never reached, because an empty result is an action too; a document's end would connect
		}))
	default:
		writeTwiML(w, encode(response{Say: spoken, Hangup: &empty{}}))
	}
}

// recordOn continues or pauses the recording of a call. A pause is silent in the recording, so that the times of what
// follows stay right. A call without a recording is left alone.
// https://www.twilio.com/docs/voice/api/recording
func (a *Adapter) recordOn(ctx context.Context, cb callback, on bool) error {
	ctx, cancel := context.WithTimeout(ctx, attemptTime)
	defer cancel()
	form := url.Values{"Status": {"in-progress"}}
	if !on {
		form = url.Values{"Status": {"paused"}, "PauseBehavior": {"silence"}}
	}
	account := cb.account
	account.APIURL = cmp.Or(account.APIURL, APIURL)
	c := &client{adapter: a, connectionID: cb.connectionID, account: account}
	path := "/Calls/" + url.PathEscape(cb.form.Get("CallSid")) + recordingsPath + "Twilio.CURRENT.json"
	err := c.do(ctx, http.MethodPost, path, form, nil)
	if errors.Is(err, carrier.ErrUnknownCall) { // it is not being recorded
		return nil
	}
	if err != nil {
		return fmt.Errorf("change the recording of call %s: %w", cb.callID, err)
	}
	return nil
}
