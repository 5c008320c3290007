package twilio

import (
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/carrier/carriertest"
	"github.com/dialwright/dialwright/internal/carrier/speech"
)

// ended is the form of an action callback after a session that failed.
func ended(code string, more ...string) url.Values {
	form := url.Values{
		"CallSid": {"CA1"}, "CallStatus": {"in-progress"}, "SessionStatus": {"failed"}, "SessionDuration": {"1"},
	}
	if code != "" {
		form.Set("ErrorCode", code)
		form.Set("ErrorMessage", "Twilio's words for "+code)
	}
	for i := 0; i < len(more); i += 2 {
		form.Set(more[i], more[i+1])
	}
	return form
}

func TestRelayEnded(t *testing.T) {
	t.Parallel()
	ago := func(d time.Duration) string {
		return "&since=" + strconv.FormatInt(time.Now().Add(-d).UnixMilli(), 10)
	}
	const (
		opens   = "opens"
		apology = "apology"
		hangup  = "hangup"
	)
	for name, c := range map[string]struct {
		query  string
		form   url.Values
		voice  string
		want   string
		failed string // the code and the words of the event; empty: no event
	}{
		"lost":                      {"?attempt=1", ended("64105"), "", opens, ""},
		"lost, without a code":      {"?attempt=1", ended(""), "", opens, ""},
		"lost, without our counter": {"", ended("64105"), "", opens, ""},
		"lost again":                {"?attempt=5" + ago(time.Minute), ended("64105"), "", opens, ""},
		"lost again and again": {
			"?attempt=6", ended("64105"), "", apology, "64105 Twilio's words for 64105",
		},
		"lost after it lasted": {"?attempt=6", ended("64105", "SessionDuration", "30"), "", opens, ""},
		"does not connect":     {"?attempt=1" + ago(time.Second), ended("64102"), "", opens, ""},
		"does not connect, third retry": {
			"?attempt=3" + ago(3*time.Second), ended("64102"), "", opens, "",
		},
		"never connects": {
			"?attempt=4" + ago(3*time.Second), ended("64102"), "", apology, "64102 Twilio's words for 64102",
		},
		"connects too slowly": {
			"?attempt=2" + ago(time.Minute), ended("64102"), "", apology, "64102 Twilio's words for 64102",
		},
		"does not connect after it lasted": {
			"?attempt=1" + ago(time.Minute), ended("64102", "SessionDuration", "30"), "", opens, "",
		},
		"another voice": {"?attempt=1", ended("64106"), "en-US-Wavenet-C", opens, ""},
		"another voice, with the code of all starts": {
			"?attempt=1", ended("64101", "ErrorMessage", "Invalid values (google/en-US/Rachel) for tts settings"),
			"en-US-Wavenet-C", opens, "",
		},
		"no other voice": {
			"?attempt=1", ended("64106"), "", apology, "64106 Twilio's words for 64106",
		},
		"the default voice either": {
			"?attempt=1&voice=default", ended("64106"), "en-US-Wavenet-C", apology, "64106 Twilio's words for 64106",
		},
		"no relay":   {"?attempt=1", ended("64101"), "", apology, "64101 Twilio's words for 64101"},
		"an unknown": {"?attempt=1", ended("64199"), "", apology, "64199 Twilio's words for 64199"},
		"no words": {
			"?attempt=1", ended("64101", "ErrorMessage", ""), "", apology,
			"64101 ConversationRelay could not start the session",
		},
		"words with a number": {
			"?attempt=1", ended("64101", "ErrorMessage", "No session to +14155550100"), "", apology,
			"64101 No session to …",
		},
		"ended by the line": {
			"?attempt=1", ended("", "SessionStatus", "ended", "HandoffData",
				relayFailure{code: "64107", detail: "Invalid message"}.handoff()), "", apology, "64107 Invalid message",
		},
		"no audio":       {"?attempt=1", ended("64108"), "", hangup, ""},
		"too long":       {"?attempt=1", ended("64104"), "", hangup, ""},
		"ended in order": {"?attempt=1", ended("", "SessionStatus", "ended"), "", hangup, ""},
		"other handoff": {
			"?attempt=1", ended("", "SessionStatus", "ended", "HandoffData", `{"x":1}`), "", hangup, "",
		},
		"call is over": {"?attempt=1", ended("64105", "CallStatus", "completed"), "", hangup, ""},
		"call is over before a line opened": {
			"?attempt=2", ended("64102", "CallStatus", "completed"), "", hangup, "64102 Twilio's words for 64102",
		},
	} {
		host := carriertest.NewHost()
		if c.voice != "" {
			host.Manner.Speech.Provider, host.Manner.Speech.Voice = speech.Google, c.voice
		}
		w := call(newTestAdapter(host), callPath+"relay-ended"+c.query, c.form, "")
		body, got := w.Body.String(), hangup
		switch {
		case strings.Contains(body, "<ConversationRelay "):
			got = opens
		case strings.Contains(body, `<Say language="en-US">`+carriertest.Trouble+`</Say><Hangup></Hangup>`):
			got = apology
		}
		if w.Code != 200 || got != c.want || (got == opens) == strings.Contains(body, "<Hangup>") {
			t.Errorf("%s: %d %s", name, w.Code, body)
		}
		failed := ""
		for _, e := range host.View(callID).Events {
			if e.Kind != carrier.LineFailed || e.CarrierCallID != "CA1" {
				t.Errorf("%s: %+v", name, e)
			}
			failed += e.Code + " " + e.Detail
		}
		if failed != c.failed {
			t.Errorf("%s: told of %q, want %q", name, failed, c.failed)
		}
	}
	host := carriertest.NewHost()
	host.Close(callID)
	w := call(newTestAdapter(host), callPath+"relay-ended?attempt=1", ended("64105"), "")
	if body := w.Body.String(); !strings.Contains(body, "<Hangup>") || strings.Contains(body, "<Say") {
		t.Errorf("a closed call goes on: %s", body)
	}
}

// The default voice stays when the line is lost later, and the count begins anew.
func TestOpeningsFollowEachOther(t *testing.T) {
	t.Parallel()
	host := carriertest.NewHost()
	host.Manner.Speech.Provider, host.Manner.Speech.Voice = speech.Google, "en-US-Wavenet-C"
	a := newTestAdapter(host)
	action := func(body string) string {
		_, rest, _ := strings.Cut(body, `action="`+publicURL)
		rest, _, _ = strings.Cut(rest, "#")
		return strings.ReplaceAll(rest, "&amp;", "&")
	}
	first := call(a, callPath+"voice", url.Values{"CallSid": {"CA1"}, "CallStatus": {"in-progress"}}, "").Body.String()
	second := call(a, action(first), ended("64106"), "").Body.String()
	third := call(a, action(second), ended("64105"), "").Body.String()
	fourth := call(a, action(third), ended("64105"), "").Body.String()
	fifth := call(a, action(fourth), ended("64105", "SessionDuration", "12"), "").Body.String()
	for i, c := range []struct {
		body          string
		voiced, pause bool
		attempt       string
	}{
		{first, true, false, "attempt=1"}, {second, false, false, "attempt=1"}, {third, false, false, "attempt=2"},
		{fourth, false, true, "attempt=3"}, {fifth, false, false, "attempt=1"},
	} {
		if strings.Contains(c.body, `voice="en-US-Wavenet-C`) != c.voiced ||
			strings.Contains(c.body, "<Pause") != c.pause ||
			!strings.Contains(c.body, "?"+c.attempt+"&amp;") {
			t.Errorf("opening %d: %s", i+1, c.body)
		}
	}
	if e := host.View(callID).Events; len(e) > 0 {
		t.Errorf("told of %+v", e)
	}
}
