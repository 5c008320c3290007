package twilio

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/carrier/carriertest"
)

const publicURL = "https://dial.example.com"

var (
	connectionID = uuid.MustParse("01900000-0000-7000-8000-000000000001")
	callID       = uuid.MustParse("01900000-0000-7000-8000-000000000002")
	callPath     = HooksPath + connectionID.String() + "/calls/" + callID.String() + "/"
)

func newTestAdapter(host carrier.Host) *Adapter {
	return New(Config{Host: host, PublicURL: publicURL, Log: slog.New(slog.DiscardHandler),
		Account: func(_ context.Context, id uuid.UUID) (Account, error) {
			if id != connectionID {
				return Account{}, ErrNoConnection
			}
			return Account{SID: "AC1", AuthToken: "token", PreviousToken: "previous"}, nil
		}})
}

// call posts a form as Twilio would, signed for the public address.
func call(a *Adapter, path string, form url.Values, signature string) *httptest.ResponseRecorder {
	if signature == "" {
		signature = sign("token", publicURL+path, form)
	}
	r := httptest.NewRequest(http.MethodPost, "http://internal:8080"+path, strings.NewReader(form.Encode()))
	r.Header.Set("X-Twilio-Signature", signature)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	w := httptest.NewRecorder()
	a.Handler().ServeHTTP(w, r)
	return w
}

func TestStatusCallbacks(t *testing.T) {
	t.Parallel()
	for status, want := range map[string]carrier.Event{
		"initiated":   {Kind: carrier.Accepted},
		"ringing":     {Kind: carrier.Ringing},
		"in-progress": {Kind: carrier.Answered},
		"completed":   {Kind: carrier.Ended, Outcome: carrier.Completed, Duration: 17 * time.Second},
		"busy":        {Kind: carrier.Ended, Outcome: carrier.Busy, Code: "sip_486", SIPStatus: "486"},
		"no-answer":   {Kind: carrier.Ended, Outcome: carrier.NoAnswer},
		"failed":      {Kind: carrier.Ended, Outcome: carrier.Failed, Code: "sip_404", SIPStatus: "404"},
		"canceled":    {Kind: carrier.Ended, Outcome: carrier.Canceled},
	} {
		host := carriertest.NewHost()
		form := url.Values{
			"CallSid": {"CA1"}, "CallStatus": {status}, "SequenceNumber": {"3"},
			"Timestamp": {"Sat, 21 Nov 2026 09:00:00 +0000"},
		}
		switch status {
		case "completed":
			form.Set("CallDuration", "17")
			form.Set("SipResponseCode", "200")
		case "busy":
			form.Set("SipResponseCode", "486")
		case "failed":
			form.Set("SipResponseCode", "404")
		}
		if w := call(newTestAdapter(host), callPath+"status", form, ""); w.Code != http.StatusNoContent {
			t.Fatalf("%s: %d %s", status, w.Code, w.Body)
		}
		got := host.View(callID).Events[0]
		if (want.Code != "") != (got.Detail != "") {
			t.Errorf("%s: detail %q", status, got.Detail)
		}
		got.Detail = ""
		want.ConnectionID, want.CallID, want.CarrierCallID, want.Sequence = connectionID, callID, "CA1", 3
		want.At = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
		if !got.At.Equal(want.At) {
			t.Errorf("%s: at %v", status, got.At)
		}
		got.At = want.At
		if got != want {
			t.Errorf("%s: got %+v, want %+v", status, got, want)
		}
	}
}

// StirStatus is a level of attestation, or absent, or the word "null".
func TestAttestation(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]carrier.Attestation{
		"A": "A", "B": "B", "C": "C", "": "", "null": "", "D": "", "TN-Validation-Passed-A": "",
	} {
		host := carriertest.NewHost()
		call(newTestAdapter(host), callPath+"status", url.Values{
			"CallSid": {"CA1"}, "CallStatus": {"ringing"}, "StirStatus": {value},
		}, "")
		if got := host.View(callID).Events[0].Attestation; got != want {
			t.Errorf("%q: %q, want %q", value, got, want)
		}
	}
}

// The words for the end of a call: Twilio's own, else those for the phone network's status,
// else those for the code.
func TestEndsWithAnErrorCode(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		code, message, sip string
		want               carrier.Event
	}{
		"a message": {
			"32011", "No route to +15005001234", "404",
			carrier.Event{Code: "32011", SIPStatus: "404", Detail: "No route to …"},
		},
		"a status of the network": {
			"32011", "", "404",
			carrier.Event{Code: "32011", SIPStatus: "404", Detail: "the number is not in service"},
		},
		"a code with words": {
			"32011", "", "",
			carrier.Event{Code: "32011", Detail: "the recipient's phone network could not be reached"},
		},
		"a status without words": {
			"32011", "", "500",
			carrier.Event{
				Code: "32011", SIPStatus: "500", Detail: "the recipient's phone network could not be reached",
			},
		},
		"a code without words": {
			"31999", "", "", carrier.Event{Code: "31999", Detail: "Twilio reported error 31999"},
		},
		"no code": {
			"0", "", "500",
			carrier.Event{Code: "sip_500", SIPStatus: "500", Detail: "the phone network answered 500"},
		},
	} {
		host := carriertest.NewHost()
		call(newTestAdapter(host), callPath+"status", url.Values{
			"CallSid": {"CA1"}, "CallStatus": {"failed"}, "ErrorCode": {test.code}, "ErrorMessage": {test.message},
			"SipResponseCode": {test.sip},
		}, "")
		got := host.View(callID).Events[0]
		if got.Code != test.want.Code || got.SIPStatus != test.want.SIPStatus || got.Detail != test.want.Detail {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestDetection(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]carrier.Event{
		"human":               {AnsweredBy: carrier.Human},
		"machine_start":       {AnsweredBy: carrier.Machine},
		"machine_end_beep":    {AnsweredBy: carrier.Machine, MessageEnd: true},
		"machine_end_silence": {AnsweredBy: carrier.Machine, MessageEnd: true},
		"fax":                 {AnsweredBy: carrier.Machine},
		"unknown":             {AnsweredBy: carrier.Unknown},
		"":                    {AnsweredBy: carrier.Unknown},
	} {
		host := carriertest.NewHost()
		call(newTestAdapter(host), callPath+"amd", url.Values{"CallSid": {"CA1"}, "AnsweredBy": {value}}, "")
		got := host.View(callID).Events
		if len(got) != 1 || got[0].Kind != carrier.Detected || got[0].AnsweredBy != want.AnsweredBy ||
			got[0].MessageEnd != want.MessageEnd || got[0].Sequence != -1 || got[0].At.IsZero() {
			t.Errorf("%q: %+v", value, got)
		}
	}
}

func TestOnlyTwilioIsListenedTo(t *testing.T) {
	t.Parallel()
	host := carriertest.NewHost()
	a := newTestAdapter(host)
	form := url.Values{"CallSid": {"CA1"}, "CallStatus": {"completed"}}
	for name, c := range map[string]struct {
		path, signature string
		status          int
	}{
		"another token":     {callPath + "status", sign("other", publicURL+callPath+"status", form), 403},
		"the internal host": {callPath + "status", sign("token", "http://internal:8080"+callPath+"status", form), 403},
		"another path":      {callPath + "status", sign("token", publicURL+callPath+"voice", form), 403},
		"another query":     {callPath + "status?x=1", sign("token", publicURL+callPath+"status", form), 403},
		"nonsense":          {callPath + "status", "x", 403},
		"voice":             {callPath + "voice", "x", 403},
		"amd":               {callPath + "amd", "x", 403},
		"relay-ended":       {callPath + "relay-ended", "x", 403},
		"unknown connection": {
			strings.Replace(callPath, connectionID.String(), callID.String(), 1) + "status", "", 404,
		},
		"no call id":   {strings.Replace(callPath, callID.String(), "x", 1) + "status", "", 404},
		"no such hook": {callPath + "elsewhere", "", 404},
	} {
		if w := call(a, c.path, form, c.signature); w.Code != c.status {
			t.Errorf("%s: %d", name, w.Code)
		}
	}
	for _, signature := range []string{"", "x", sign("token", "ws://internal"+callPath+"relay", nil)} {
		r := httptest.NewRequest(http.MethodGet, callPath+"relay", nil)
		r.Header.Set("X-Twilio-Signature", signature)
		w := httptest.NewRecorder()
		if a.Handler().ServeHTTP(w, r); w.Code != 403 {
			t.Errorf("relay with %q: %d", signature, w.Code)
		}
	}
	if v := host.View(callID); len(v.Events) != 0 {
		t.Errorf("delivered %+v", v.Events)
	}
	for _, token := range []string{"token", "previous"} {
		if w := call(a, callPath+"status", form, sign(token, publicURL+callPath+"status", form)); w.Code != 204 {
			t.Errorf("%s: %d", token, w.Code)
		}
	}
	big := url.Values{"CallSid": {strings.Repeat("x", maxForm)}}
	if w := call(a, callPath+"status", big, ""); w.Code != 400 {
		t.Errorf("too large: %d", w.Code)
	}
}

// awayHost is a host whose database is unavailable for the first attempts of each action.
type awayHost struct {
	*carriertest.Host
	attempts *atomic.Int32
}

func (h awayHost) away() error {
	if h.attempts.Add(1)%3 != 0 {
		return errors.New("database is away")
	}
	return nil
}

func (h awayHost) Deliver(context.Context, carrier.Event) error { return h.away() }
func (h awayHost) Admit(context.Context, uuid.UUID, uuid.UUID) (carrier.Manner, error) {
	return carrier.Manner{Language: "en-US"}, h.away()
}

// A callback that comes while the database is unavailable waits until it is available.
func TestCallbacksOutliveAnOutage(t *testing.T) {
	t.Parallel()
	a := newTestAdapter(awayHost{carriertest.NewHost(), &atomic.Int32{}})
	a.patience = time.Hour
	form := url.Values{"CallSid": {"CA1"}, "CallStatus": {"in-progress"}}
	for hook, code := range map[string]int{"status": 204, "amd": 204, "voice": 200} {
		if w := call(a, callPath+hook, form, ""); w.Code != code {
			t.Errorf("%s: %d %s", hook, w.Code, w.Body)
		}
	}
}

type failingHost struct {
	*carriertest.Host
	err error
}

func (h failingHost) Deliver(context.Context, carrier.Event) error { return h.err }
func (h failingHost) Admit(context.Context, uuid.UUID, uuid.UUID) (carrier.Manner, error) {
	return carrier.Manner{}, h.err
}

func TestFailuresOfTheHost(t *testing.T) {
	t.Parallel()
	form := url.Values{"CallSid": {"CA1"}, "CallStatus": {"in-progress"}}
	broken := newTestAdapter(failingHost{carriertest.NewHost(), errors.New("database is down")})
	broken.patience = 0
	for _, hook := range []string{"status", "amd", "voice"} {
		if w := call(broken, callPath+hook, form, ""); w.Code != 500 || strings.Contains(w.Body.String(), "database") {
			t.Errorf("%s: %d %s", hook, w.Code, w.Body) // Twilio repeats a callback after 5xx
		}
	}
	unknown := newTestAdapter(failingHost{carriertest.NewHost(), carrier.ErrNotAdmitted})
	if w := call(unknown, callPath+"status", form, ""); w.Code != 404 {
		t.Errorf("unknown call: %d", w.Code)
	}
	if w := call(unknown, callPath+"voice", form, ""); w.Code != 200 || !strings.Contains(w.Body.String(), "<Hangup>") {
		t.Errorf("unknown call: %d %s", w.Code, w.Body)
	}
}

func TestTwiML(t *testing.T) {
	t.Parallel()
	w := call(newTestAdapter(carriertest.NewHost()), callPath+"voice", url.Values{
		"CallSid": {"CA1"}, "CallStatus": {"in-progress"},
	}, "")
	for _, want := range []string{
		`url="wss://dial.example.com` + callPath + `relay"`, `dtmfDetection="true"`, `interruptible="any"`,
		`reportInputDuringAgentSpeech="any"`, `events="speaker-events tokens-played"`, `language="en-US"`,
		`<Parameter name="call" value="` + callID.String() + `">`, `relay-ended?attempt=1&amp;since=`, `#rc=5`,
	} {
		if !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s is missing in %s", want, w.Body)
		}
	}
}

func TestRecordingCallbacks(t *testing.T) {
	t.Parallel()
	const sid = "RE0123456789abcdef0123456789abcdef"
	for name, c := range map[string]struct {
		form url.Values
		want []carrier.Recording
	}{
		"finished": {
			url.Values{"RecordingSid": {sid}, "RecordingStatus": {"completed"}, "RecordingDuration": {"17"}},
			[]carrier.Recording{{ID: sid, Duration: 17 * time.Second}},
		},
		"length unknown": {
			url.Values{"RecordingSid": {sid}, "RecordingStatus": {"completed"}, "RecordingDuration": {"-1"}},
			[]carrier.Recording{{ID: sid}},
		},
		"absent": {url.Values{"RecordingSid": {sid}, "RecordingStatus": {"absent"}}, nil},
		"failed": {url.Values{"RecordingSid": {sid}, "RecordingStatus": {"failed"}}, nil},
		"no sid": {url.Values{"RecordingSid": {"../Calls"}, "RecordingStatus": {"completed"}}, nil},
	} {
		host := carriertest.NewHost()
		c.form.Set("CallSid", "CA1")
		if w := call(newTestAdapter(host), callPath+"recording", c.form, ""); w.Code != http.StatusNoContent {
			t.Errorf("%s: %d", name, w.Code)
		}
		v := host.View(callID)
		if got := v.Recorded(); len(got) != len(c.want) || len(got) > 0 && got[0] != c.want[0] {
			t.Errorf("%s: %+v", name, v.Events)
		}
	}
	if w := call(newTestAdapter(carriertest.NewHost()), callPath+"recording", url.Values{
		"RecordingSid": {sid},
	}, "forged"); w.Code != http.StatusForbidden {
		t.Errorf("forged: %d", w.Code)
	}
}

// A process that stops leaves an incoming call to another one. The call rings on, and is stored: the caller may hang up
// meanwhile.
func TestIncomingWhileStopping(t *testing.T) {
	t.Parallel()
	host := carriertest.NewHost()
	a := newTestAdapter(host)
	a.Drain()
	path := HooksPath + connectionID.String() + "/incoming"
	w := call(a, path, url.Values{
		"CallSid": {"CA1"}, "From": {"+13125550142"}, "To": {"+13125550100"}, "CallStatus": {"ringing"},
	}, "")
	want := `<Pause length="1"></Pause><Redirect method="POST">` + publicURL + path +
		strings.ReplaceAll(retryPolicy, "&", "&amp;") + `</Redirect></Response>`
	if w.Code != http.StatusOK || !strings.HasSuffix(strings.TrimSpace(w.Body.String()), want) ||
		w.Header().Get("Connection") != "close" {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if _, _, asked := host.Received("CA1"); asked != 1 {
		t.Error("the call is not stored")
	}
}

// The end of a call that is reported before the call is known must be reported again.
func TestIncomingEndsBeforeItIsKnown(t *testing.T) {
	t.Parallel()
	host := carriertest.NewHost()
	a := newTestAdapter(host)
	path := HooksPath + connectionID.String() + "/incoming"
	form := url.Values{
		"CallSid": {"CA1"}, "From": {"+13125550142"}, "To": {"+13125550100"}, "CallStatus": {"no-answer"},
	}
	if w := call(a, path+"/status", form, ""); w.Code != http.StatusServiceUnavailable {
		t.Fatalf("before: %d %s", w.Code, w.Body)
	}
	if w := call(a, path, form, ""); w.Code != http.StatusOK {
		t.Fatalf("receive: %d %s", w.Code, w.Body)
	}
	if w := call(a, path+"/status", form, ""); w.Code != http.StatusNoContent {
		t.Fatalf("after: %d %s", w.Code, w.Body)
	}
	_, id, _ := host.Received("CA1")
	if events := host.View(id).Events; len(events) != 1 || events[0].Outcome != carrier.NoAnswer {
		t.Errorf("%+v", events)
	}
	voice, status := a.NumberHooks(connectionID, Account{})
	if !strings.HasSuffix(voice, "/incoming"+retryPolicy) ||
		!strings.HasSuffix(status, "/incoming/status"+retryPolicy) {
		t.Errorf("Twilio does not repeat requests to %s and %s", voice, status)
	}
}
