package twilio

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/peer"
)

// HooksPath is where Handler is mounted.
const HooksPath = "/hooks/twilio/"

// Kinds of callbacks: the last part of the path /hooks/twilio/{connection}/calls/{call}/….
const (
	hookVoice     = "voice"       // asks for instructions for an answered call
	hookStatus    = "status"      // reports the status of the call
	hookDetected  = "amd"         // reports the result of machine detection
	hookRelay     = "relay"       // the WebSocket
	hookEnded     = "relay-ended" // asks for instructions after the end of the WebSocket
	hookRecording = "recording"   // reports that the recording can be fetched
	hookForwarded = "forwarded"   // asks for instructions after the dial of a forwarded call
	hookWhisper   = "whisper"     // asks for instructions for the person to whom a call is transferred
	hookSound     = "sound"       // the WebSocket of the sound for whoever listens in
	hookReturned  = "returned"    // asks for instructions after the end of a dial
)

// retryPolicy makes Twilio repeat a callback after no answer, a slow answer or an error,
// within its limit of 15 s in total. The fragment is neither sent nor signed.
// https://www.twilio.com/docs/usage/webhooks/webhooks-connection-overrides
const retryPolicy = "#rc=5&rp=ct,rt,5xx"

// statusTalking is the CallStatus of an answered call.
const statusTalking = "in-progress"

const (
	maxForm         = 64 << 10
	signatureHeader = "X-Twilio-Signature"
)

// callback is a request with a valid signature of its connection.
type callback struct {
	connectionID, callID uuid.UUID // callID is nil in the callbacks of a number
	account              Account
	form                 url.Values // of a POST; all values of a repeated key are equivalent
}

func (a *Adapter) hookURL(account Account, connectionID, callID uuid.UUID, name string) string {
	return a.base(account) + HooksPath + connectionID.String() + "/calls/" + callID.String() + "/" + name
}

func (a *Adapter) routes() *http.ServeMux {
	mux := http.NewServeMux()
	path := HooksPath + "{connection}/calls/{call}/"
	handle := func(method, name string, h func(http.ResponseWriter, *http.Request, callback)) {
		mux.HandleFunc(method+" "+path+name, func(w http.ResponseWriter, r *http.Request) {
			if cb, ok := a.verify(w, r); ok {
				h(w, r, cb)
			}
		})
	}
	handle(http.MethodPost, hookVoice, a.voice)
	handle(http.MethodPost, hookStatus, a.status)
	handle(http.MethodPost, hookDetected, a.detected)
	handle(http.MethodGet, hookRelay, a.relay)
	handle(http.MethodGet, hookSound, a.sound)
	handle(http.MethodPost, hookEnded, a.relayEnded)
	handle(http.MethodPost, hookRecording, a.recorded)
	handle(http.MethodPost, hookEcho, a.answerEcho)
	handle(http.MethodPost, hookForwarded, a.forwarded)
	for name, h := range map[string]func(http.ResponseWriter, *http.Request, callback){
		hookIncoming: a.incoming, hookIncomingStatus: a.incomingStatus,
	} {
		mux.HandleFunc("POST "+HooksPath+"{connection}/"+name, func(w http.ResponseWriter, r *http.Request) {
			if cb, ok := a.verify(w, r); ok {
				h(w, r, cb)
			}
		})
	}
	handle(http.MethodPost, hookWhisper, a.whisper)
	handle(http.MethodPost, hookReturned, a.returned)
	return mux
}

// verify checks the signature. It answers a request that Twilio did not send.
func (a *Adapter) verify(w http.ResponseWriter, r *http.Request) (callback, bool) {
	connectionID, err := uuid.Parse(r.PathValue("connection"))
	var callID uuid.UUID // of the callbacks of a number: nil
	if call := r.PathValue("call"); err == nil && call != "" {
		callID, err = uuid.Parse(call)
	}
	if err != nil {
		http.NotFound(w, r)
		return callback{}, false
	}
	var account Account
	err = a.persist(r.Context(), func(ctx context.Context) (err error) {
		account, err = a.account(ctx, connectionID)
		return err
	})
	if errors.Is(err, ErrNoConnection) || fault.KindOf(err) == fault.NotFound {
		http.NotFound(w, r)
		return callback{}, false
	}
	if err != nil {
		a.fail(w, r, "read the connection of a callback", err)
		return callback{}, false
	}
	cb := callback{connectionID: connectionID, callID: callID, account: account}
	address := peer.Base(r, a.base(account)) + r.URL.RequestURI()
	if r.Method == http.MethodPost {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxForm))
		if err != nil {
			http.Error(w, "body too large or cut off", http.StatusBadRequest)
			return callback{}, false
		}
		if cb.form, err = url.ParseQuery(string(body)); err != nil {
			http.Error(w, "not a form", http.StatusBadRequest)
			return callback{}, false
		}
	}
	signature := r.Header.Get(signatureHeader)
	ok := account.signed(signature, address, cb.form)
	if !ok && r.Method == http.MethodGet {
		// The handshake of a WebSocket is signed with the address in the TwiML.
		ok = account.signed(signature, webSocket(address), nil)
	}
	if !ok {
		http.Error(w, "signature does not match", http.StatusForbidden)
		return callback{}, false
	}
	return cb, true
}

// voice returns the instructions for a call that was answered.
func (a *Adapter) voice(w http.ResponseWriter, r *http.Request, cb callback) {
	if a.isStopping() {
		a.redirect(w, a.hookURL(cb.account, cb.connectionID, cb.callID, hookVoice))
		return
	}
	if manner, ok := a.mayContinue(w, r, cb); ok {
		a.openLine(w, cb, manner, firstOpening(a.now()))
	}
}

// redirect has Twilio ask an address again, which reaches another process because this one stops. Twilio would repeat
// a request that fails, too, but at once and a few times at most, and the call would end then. Nothing may be lost that
// only the present request says.
func (a *Adapter) redirect(w http.ResponseWriter, address string) {
	w.Header().Set("Connection", "close")
	writeTwiML(w, laterTwiML(address+retryPolicy))
}

// relayEnded returns the instructions after the end of the WebSocket.
func (a *Adapter) relayEnded(w http.ResponseWriter, r *http.Request, cb callback) {
	if cb.form.Get("HandoffData") == transferHandoff && cb.form.Get("CallStatus") == statusTalking {
		a.proceed(w, r, cb)
		return
	}
	f := failureOf(cb.form)
	if f.remedy == none || f.remedy == letGo {
		writeTwiML(w, hangupTwiML())
		return
	}
	if cb.form.Get("CallStatus") != statusTalking {
		if f.remedy != reopen { // no line opened before the recipient hung up
			a.reportFailure(r.Context(), cb, f)
		}
		writeTwiML(w, hangupTwiML())
		return
	}
	manner, ok := a.mayContinue(w, r, cb)
	if !ok {
		return
	}
	seconds, _ := strconv.Atoi(cb.form.Get("SessionDuration"))
	lasted := time.Duration(seconds) * time.Second
	o := readOpening(r.URL.Query(), a.now())
	next, ok := o.after(f, lasted, manner.Named(), a.now())
	a.log.WarnContext(r.Context(), "twilio line failed", "call", cb.callID, "connection", cb.connectionID,
		"code", f.code, "detail", f.detail, "attempt", o.attempt, "reopens", ok)
	if !ok {
		a.reportFailure(r.Context(), cb, f)
		writeTwiML(w, partingTwiML(manner.Language, manner.Trouble))
		return
	}
	a.openLine(w, cb, manner, next)
}

// reportFailure delivers that a line failed. It makes one attempt, because the recipient
// hears silence meanwhile. Without this event, the call still has no line when it ends.
func (a *Adapter) reportFailure(ctx context.Context, cb callback, f relayFailure) {
	e := a.event(cb)
	e.Kind, e.Code, e.Detail = carrier.LineFailed, f.code, f.detail
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), attemptTime)
	defer cancel()
	if err := a.host.Deliver(ctx, e); err != nil && !isAnswer(err) {
		a.log.ErrorContext(ctx, "the failure of a line could not be stored", "call", cb.callID, "error", err)
	}
}

// mayContinue returns how an answered call is to be held. If the call must not continue, it
// answers the callback and returns false. While the process stops, Twilio repeats the request itself, with
// all that it says of the line.
func (a *Adapter) mayContinue(w http.ResponseWriter, r *http.Request, cb callback) (carrier.Manner, bool) {
	if a.isStopping() {
		w.Header().Set("Connection", "close") // so that the retry reaches another process
		http.Error(w, "shutting down", http.StatusServiceUnavailable)
		return carrier.Manner{}, false
	}
	manner, err := a.admit(r.Context(), cb)
	if errors.Is(err, carrier.ErrNotAdmitted) {
		writeTwiML(w, hangupTwiML())
		return carrier.Manner{}, false
	}
	if err != nil {
		a.fail(w, r, "admit an answered call", err)
		return carrier.Manner{}, false
	}
	return manner, true
}

// openLine answers a callback with the instructions to open a line. The retry policy of the
// action callback lets a call survive the restart of the only server.
func (a *Adapter) openLine(w http.ResponseWriter, cb callback, manner carrier.Manner, o opening) {
	socket := webSocket(a.hookURL(cb.account, cb.connectionID, cb.callID, hookRelay))
	action := a.hookURL(cb.account, cb.connectionID, cb.callID, hookEnded) + "?" + o.query() + retryPolicy
	if o.defaultVoice {
		manner = manner.Unnamed()
	}
	writeTwiML(w, relayTwiML(socket, action, cb.callID.String(), manner, o.pause()))
}

// outcomes are the final statuses of a call.
var outcomes = map[string]carrier.Outcome{
	"completed": carrier.Completed,
	"busy":      carrier.Busy,
	"no-answer": carrier.NoAnswer,
	"failed":    carrier.Failed,
	"canceled":  carrier.Canceled,
}

// status delivers the status of a call.
func (a *Adapter) status(w http.ResponseWriter, r *http.Request, cb callback) {
	if e, ok := a.statusOf(cb); ok {
		a.deliver(w, r, e)
	} else {
		w.WriteHeader(http.StatusNoContent) // a retry would not help
	}
}

// statusOf reads the status of a call. ok is false for an unknown status.
// https://www.twilio.com/docs/voice/api/call-resource#statuscallback
func (a *Adapter) statusOf(cb callback) (e carrier.Event, ok bool) {
	e = a.event(cb)
	e.Attestation = attestation(cb.form.Get("StirStatus"))
	switch status := cb.form.Get("CallStatus"); status {
	case "queued", "initiated":
		e.Kind = carrier.Accepted
	case "ringing":
		e.Kind = carrier.Ringing
	case statusTalking:
		e.Kind = carrier.Answered
	default:
		outcome, known := outcomes[status]
		if !known {
			return carrier.Event{}, false
		}
		e.Kind, e.Outcome = carrier.Ended, outcome
		if n, err := strconv.Atoi(cb.form.Get("CallDuration")); err == nil && n > 0 {
			e.Duration = time.Duration(n) * time.Second
		}
		ending(&e, cb.form)
	}
	return e, true
}

// detected delivers the result of machine detection.
// https://www.twilio.com/docs/voice/answering-machine-detection
func (a *Adapter) detected(w http.ResponseWriter, r *http.Request, cb callback) {
	e := a.event(cb)
	e.Kind = carrier.Detected
	value := cb.form.Get("AnsweredBy")
	if e.AnsweredBy = answeredBy(value); e.AnsweredBy == "" {
		e.AnsweredBy = carrier.Unknown
	}
	e.MessageEnd = strings.HasPrefix(value, "machine_end")
	a.deliver(w, r, e)
}

func (a *Adapter) event(cb callback) carrier.Event {
	e := carrier.Event{
		ConnectionID:  cb.connectionID,
		CallID:        cb.callID,
		CarrierCallID: cb.form.Get("CallSid"),
		Sequence:      -1,
		At:            parseTime(cb.form.Get("Timestamp")),
	}
	if n, err := strconv.Atoi(cb.form.Get("SequenceNumber")); err == nil && n >= 0 {
		e.Sequence = n
	}
	if e.At.IsZero() {
		e.At = a.now().UTC()
	}
	return e
}

func (a *Adapter) deliver(w http.ResponseWriter, r *http.Request, e carrier.Event) {
	a.answer(w, r, a.apply(r.Context(), e))
}

// apply delivers an event, even if Twilio closes the connection meanwhile.
func (a *Adapter) apply(ctx context.Context, e carrier.Event) error {
	return a.persist(context.WithoutCancel(ctx), func(ctx context.Context) error { return a.host.Deliver(ctx, e) })
}

// answer answers a callback whose event was delivered with this error.
func (a *Adapter) answer(w http.ResponseWriter, r *http.Request, err error) {
	if errors.Is(err, carrier.ErrUnknownCall) || errors.Is(err, carrier.ErrNotAdmitted) ||
		fault.KindOf(err) == fault.NotFound {
		http.NotFound(w, r) // not retried
		return
	}
	if err != nil {
		a.fail(w, r, "apply a call event", err)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

func (a *Adapter) admit(ctx context.Context, cb callback) (manner carrier.Manner, err error) {
	err = a.persist(ctx, func(ctx context.Context) error {
		manner, err = a.host.Admit(ctx, cb.connectionID, cb.callID)
		return err
	})
	return manner, err
}

const (
	// patience is how long a callback waits while the database is unavailable. Twilio waits 15 s
	// for an answer, and repeats few callbacks by default.
	patience    = 10 * time.Second
	attemptTime = 5 * time.Second
	attemptGap  = 250 * time.Millisecond
)

// persist repeats an action that fails because the database is unavailable.
func (a *Adapter) persist(ctx context.Context, try func(context.Context) error) error {
	for until := a.now().Add(a.patience); ; {
		attempt, cancel := context.WithTimeout(ctx, attemptTime)
		err := try(attempt)
		cancel()
		if err == nil || isAnswer(err) || a.isStopping() || !a.now().Add(attemptGap).Before(until) {
			return err
		}
		select {
		case <-time.After(attemptGap):
		case <-ctx.Done():
			return err
		}
	}
}

// isAnswer reports whether an error gives information about the call, so that a retry would not
// help.
func isAnswer(err error) bool {
	return errors.Is(err, carrier.ErrUnknownCall) || errors.Is(err, carrier.ErrNotAdmitted) ||
		errors.Is(err, ErrNoConnection) || fault.KindOf(err) != fault.Internal
}

// fail logs an error once and sends an answer that makes Twilio try again.
func (a *Adapter) fail(w http.ResponseWriter, r *http.Request, attempted string, err error) {
	if !errors.Is(err, context.Canceled) {
		a.log.ErrorContext(r.Context(), "twilio callback failed", "attempted", attempted,
			"connection", r.PathValue("connection"), "call", r.PathValue("call"), "error", err)
	}
	http.Error(w, "temporarily unable", http.StatusInternalServerError)
}

// answeredBy reads Twilio's AnsweredBy. It is empty without a result.
func answeredBy(value string) carrier.AnsweredBy {
	switch {
	case value == "":
		return ""
	case value == "human":
		return carrier.Human
	case strings.HasPrefix(value, "machine"), value == "fax":
		return carrier.Machine
	default:
		return carrier.Unknown
	}
}

// attestation reads Twilio's StirStatus, which comes with the statuses ringing and in-progress. It
// is empty if Twilio gives none, also as the word "null".
func attestation(value string) carrier.Attestation {
	switch level := carrier.Attestation(value); level {
	case carrier.FullAttestation, carrier.PartialAttestation, carrier.GatewayAttestation:
		return level
	}
	return ""
}

// ending adds to e why a call ended: Twilio's error code, and the SIP status of the
// recipient's phone network, which says more where it is known. Many error codes come
// without a message.
func ending(e *carrier.Event, form url.Values) {
	words := ""
	if sip := form.Get("SipResponseCode"); sip != "" && sip != "200" && sip != "487" { // 487: ended before the answer
		e.SIPStatus, e.Code = sip, "sip_"+sip
		words = sipWords[sip]
		e.Detail = cmp.Or(words, "the phone network answered "+sip)
	}
	code := form.Get("ErrorCode")
	if code == "" || code == "0" {
		return
	}
	n, _ := strconv.Atoi(code) // another form of code is in no table
	e.Code = code
	e.Detail = cmp.Or(readable(form.Get("ErrorMessage")), words, codes[n].reason, reported(code))
}

// sipWords are the SIP statuses that say why a call failed (RFC 3261 §21; 607 and 608:
// RFC 8197 and RFC 8688).
var sipWords = map[string]string{
	"404": "the number is not in service",
	"410": "the number is not in service",
	"484": "the number is not in service",
	"604": "the number is not in service",
	"403": "the call was rejected",
	"603": "the call was rejected",
	"607": "the call was rejected",
	"608": "the call was rejected",
	"486": "the line was busy",
	"600": "the line was busy",
	"408": "nobody could be reached",
	"480": "nobody could be reached",
}

func writeTwiML(w http.ResponseWriter, document []byte) {
	w.Header().Set("Content-Type", "text/xml; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(document)
}
