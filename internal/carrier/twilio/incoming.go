package twilio

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"regexp"
	"strings"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/phone"
)

// Callbacks of a number, at /hooks/twilio/{connection}/…: what Twilio asks when somebody calls it, and where it reports
// the end of the call.
const (
	hookIncoming       = "incoming"
	hookIncomingStatus = "incoming/status"
)

// NumberHooks are the addresses that a number at Twilio must have so that people can call it: voice_url, and
// status_callback.
func (a *Adapter) NumberHooks(connectionID uuid.UUID, account Account) (voice, status string) {
	base := a.base(account) + HooksPath + connectionID.String() + "/"
	return base + hookIncoming + retryPolicy, base + hookIncomingStatus + retryPolicy
}

// withheld are what Twilio puts in place of a number that the caller withheld: words, and their letters as digits.
// https://www.twilio.com/docs/voice/twiml#twilios-request-to-your-application
var withheld = regexp.MustCompile(`(?i)^\+?(?:anonymous|restricted|blocked|unknown|unavailable|private|266696687|` +
	`7378742833|2562533|8656696|86282452253|7748483|0*)$`)

// callerOf is the number of a caller, E.164. It is empty if the caller withheld it, and for what is no number.
func callerOf(from string) string {
	if withheld.MatchString(from) {
		return ""
	}
	if _, address, ok := strings.Cut(from, "sip:"); ok { // sip:+13125550142@example.com
		from, _, _ = strings.Cut(address, "@")
	}
	number, err := phone.Parse(from)
	if err != nil {
		return ""
	}
	return number.String()
}

// incoming returns the instructions for a call that comes in.
func (a *Adapter) incoming(w http.ResponseWriter, r *http.Request, cb callback) {
	in := carrier.Incoming{
		ConnectionID:  cb.connectionID,
		CarrierCallID: cb.form.Get("CallSid"),
		From:          callerOf(cb.form.Get("From")),
		To:            cmp.Or(callerOf(cb.form.Get("To")), cb.form.Get("To")),
		Attestation:   verstat(cb.form.Get("StirVerstat")),
		At:            a.now().UTC(),
	}
	var got carrier.Reception
	// The call is stored even if Twilio gives up meanwhile: it asks again, or reports the end.
	err := a.persist(context.WithoutCancel(r.Context()), func(ctx context.Context) (err error) {
		got, err = a.host.Receive(ctx, in)
		return err
	})
	switch {
	case errors.Is(err, carrier.ErrNotAdmitted):
		writeTwiML(w, rejectTwiML("rejected"))
		return
	case err != nil:
		a.fail(w, r, "receive an incoming call", err)
		return
	}
	cb.callID = got.CallID
	switch got.Action {
	case carrier.OpenLine:
		if a.isStopping() { // the call is stored, because the caller may hang up before the next request
			a.redirect(w, a.base(cb.account)+HooksPath+cb.connectionID.String()+"/"+hookIncoming)
			return
		}
		a.openLine(w, cb, got.Manner, firstOpening(a.now()))
	case carrier.ForwardCall:
		writeTwiML(w, encode(response{Dial: &dial{
			Action:    a.hookURL(cb.account, cb.connectionID, cb.callID, hookForwarded),
			Method:    http.MethodPost,
			CallerID:  got.Dial.From,
			Timeout:   wholeSeconds(got.Dial.RingTimeout, maxRing),
			TimeLimit: wholeSeconds(got.Dial.MaxDuration, maxTalk),
			Number:    &party{Address: got.Dial.To},
		}}))
	case carrier.RejectBusy:
		writeTwiML(w, rejectTwiML("busy"))
	default:
		writeTwiML(w, rejectTwiML("rejected"))
	}
}

// incomingStatus delivers the end of a call that came in. The caller may hang up before the call is stored. The answer
// then makes Twilio repeat the report, a few times, because it makes no other.
func (a *Adapter) incomingStatus(w http.ResponseWriter, r *http.Request, cb callback) {
	e, ok := a.statusOf(cb)
	if !ok {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	if err := a.apply(r.Context(), e); errors.Is(err, carrier.ErrUnknownCall) {
		http.Error(w, "the call is not known yet", http.StatusServiceUnavailable)
	} else {
		a.answer(w, r, err)
	}
}

// forwarded returns the instructions after the dial of a forwarded call: a line, if nobody answered there.
func (a *Adapter) forwarded(w http.ResponseWriter, r *http.Request, cb callback) {
	e := a.event(cb)
	e.Kind, e.Outcome = carrier.Forwarded, cmp.Or(outcomes[cb.form.Get("DialCallStatus")], carrier.Failed)
	if e.Outcome == carrier.Completed {
		e.OtherCallID = cb.form.Get("DialCallSid")
	}
	err := a.apply(r.Context(), e)
	if err != nil && !isAnswer(err) {
		a.fail(w, r, "apply the end of a forwarded call", err)
		return
	}
	if err != nil || e.Outcome == carrier.Completed || cb.form.Get("CallStatus") != "in-progress" {
		writeTwiML(w, hangupTwiML())
		return
	}
	if a.isStopping() {
		a.redirect(w, a.hookURL(cb.account, cb.connectionID, cb.callID, hookVoice))
		return
	}
	if manner, ok := a.mayContinue(w, r, cb); ok {
		a.openLine(w, cb, manner, firstOpening(a.now()))
	}
}

// verstat reads how far the caller's network attests to the number, "TN-Validation-Passed-A".
// https://www.twilio.com/docs/voice/trusted-calling-with-shakenstir
func verstat(value string) carrier.Attestation {
	level, passed := strings.CutPrefix(value, "TN-Validation-Passed-")
	if !passed {
		return ""
	}
	return attestation(level)
}
