package twilio_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/carrier/twilio"
	"github.com/dialwright/dialwright/internal/guard"
)

const soundID = "RE0123456789abcdef0123456789abcdef"

// Place sends the recording parameters only for a call that must be recorded.
func TestPlaceAsksForARecording(t *testing.T) {
	t.Parallel()
	var form url.Values
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = r.ParseForm()
		form = r.PostForm
		w.WriteHeader(http.StatusCreated)
		fmt.Fprint(w, `{"sid":"CA1"}`)
	}))
	defer server.Close()
	p := placement()
	if _, err := connect(server.URL, authToken).Place(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	for name := range form {
		if strings.HasPrefix(name, "Record") || name == "Trim" {
			t.Errorf("%s is sent for a call that is not recorded", name)
		}
	}
	p.Record = true
	if _, err := connect(server.URL, authToken).Place(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"Record": "true", "RecordingChannels": "dual", "Trim": "do-not-trim", "RecordingStatusCallbackMethod": "POST",
		"RecordingStatusCallbackEvent": "completed",
	} {
		if form.Get(name) != want {
			t.Errorf("%s is %q", name, form.Get(name))
		}
	}
	if at := form.Get("RecordingStatusCallback"); !strings.HasPrefix(at, "https://dial.example.com/hooks/twilio/") ||
		!strings.Contains(at, "/calls/"+p.CallID.String()+"/recording#") {
		t.Errorf("told at %s", at)
	}
}

// elsewhere is a RoundTripper that records its requests.
type elsewhere struct {
	answer func(*http.Request) *http.Response
	asked  []*http.Request
}

func (e *elsewhere) RoundTrip(r *http.Request) (*http.Response, error) {
	e.asked = append(e.asked, r)
	return e.answer(r), nil
}

func answer(status int, kind, body string) *http.Response {
	return &http.Response{
		StatusCode: status, Header: http.Header{"Content-Type": {kind}}, ContentLength: int64(len(body)),
		Body: io.NopCloser(strings.NewReader(body)),
	}
}

func recorder(apiURL string, other http.RoundTripper) carrier.Carrier {
	a := twilio.New(twilio.Config{PublicURL: "https://dial.example.com/", Elsewhere: other})
	return a.Carrier(uuid.Must(uuid.NewV7()), twilio.Account{SID: accountSID, AuthToken: authToken, APIURL: apiURL})
}

// A recording that is stored outside Twilio is fetched without Twilio's credentials, and only
// through Elsewhere.
func TestARecordingElsewhere(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if user, password, _ := r.BasicAuth(); user != accountSID || password != authToken ||
			r.URL.Path != "/2010-04-01/Accounts/"+accountSID+"/Recordings/"+soundID+".wav" {
			t.Errorf("asked for %s as %s", r.URL, user)
		}
		http.Redirect(w, r, "https://bucket.example.com/a.wav?signed=1", http.StatusTemporaryRedirect)
	}))
	defer server.Close()
	other := &elsewhere{answer: func(*http.Request) *http.Response {
		return answer(200, "binary/octet-stream", "RIFF")
	}}
	sound, err := recorder(server.URL, other).OpenRecording(t.Context(), soundID, "bytes=0-")
	if err != nil {
		t.Fatal(err)
	}
	all, err := io.ReadAll(sound.Body)
	if err != nil || string(all) != "RIFF" || sound.Type != "audio/wav" || sound.Body.Close() != nil {
		t.Errorf("%q, %v, %+v", all, err, sound)
	}
	if r := other.asked[0]; len(other.asked) != 1 || r.URL.String() != "https://bucket.example.com/a.wav?signed=1" ||
		r.Header.Get("Authorization") != "" || r.Header.Get("Range") != "bytes=0-" {
		t.Errorf("asked elsewhere for %s with %v", r.URL, r.Header)
	}

	for name, c := range map[string]*elsewhere{
		"refused there": {answer: func(*http.Request) *http.Response {
			return answer(403, "application/xml", "<no/>")
		}},
		"sent about": {answer: func(r *http.Request) *http.Response {
			a := answer(302, "text/html", "")
			a.Header.Set("Location", "https://bucket.example.com/next")
			a.Request = r
			return a
		}},
		"no sound": {answer: func(*http.Request) *http.Response { return answer(200, "text/html", "<script>") }},
	} {
		_, err := recorder(server.URL, c).OpenRecording(t.Context(), soundID, "")
		if e, ok := errors.AsType[*carrier.Error](err); !ok || e.Kind != carrier.Refused || len(c.asked) > 3 {
			t.Errorf("%s: %v after %d", name, err, len(c.asked))
		}
	}
}

// No answer of Twilio makes the product fetch an address in its own network.
func TestARecordingIsNotFetchedFromInside(t *testing.T) {
	t.Parallel()
	reached := false
	inside := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true }))
	defer inside.Close()
	public, err := guard.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, address := range []string{
		inside.URL, "http://169.254.169.254/latest/meta-data", "http://localhost/", "file:///etc/passwd",
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", address)
			w.WriteHeader(http.StatusFound)
		}))
		if _, err := recorder(server.URL, public.Transport()).OpenRecording(t.Context(), soundID, ""); err == nil {
			t.Errorf("%s was fetched", address)
		}
		server.Close()
	}
	if reached {
		t.Error("it was reached")
	}
}

func TestRecordingsThatFail(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		status int
		kind   string
		body   string
		want   func(error) bool
	}{
		"gone": {404, "application/json", `{"code":20404}`, func(err error) bool {
			return errors.Is(err, carrier.ErrNoRecording)
		}},
		"credentials": {401, "application/json", `{"code":20003}`, func(err error) bool {
			return carrier.KindOf(err) == carrier.Unusable
		}},
		"broken": {503, "text/plain", `x`, func(err error) bool { return carrier.KindOf(err) == carrier.Ambiguous }},
		"a page": {200, "text/html", `<script>`, func(err error) bool {
			return carrier.KindOf(err) == carrier.Refused
		}},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", c.kind)
			w.WriteHeader(c.status)
			fmt.Fprint(w, c.body)
		}))
		if _, err := recorder(server.URL, nil).OpenRecording(t.Context(), soundID, ""); err == nil || !c.want(err) ||
			strings.Contains(err.Error(), authToken) || strings.Contains(err.Error(), accountSID) {
			t.Errorf("%s: %v", name, err)
		}
		if c.status == 401 {
			if err := recorder(server.URL, nil).DeleteRecording(t.Context(), soundID); !c.want(err) {
				t.Errorf("delete, %s: %v", name, err)
			}
		}
		server.Close()
	}
}

// A fetch ends when its context ends.
func TestAFetchEndsWithItsContext(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "audio/x-wav")
		w.Header().Set("Content-Length", "100")
		fmt.Fprint(w, "RIFF")
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	}))
	defer server.Close()
	ctx, cancel := context.WithCancel(t.Context())
	sound, err := recorder(server.URL, nil).OpenRecording(ctx, soundID, "")
	if err != nil {
		t.Fatal(err)
	}
	defer sound.Body.Close()
	if _, err := io.ReadFull(sound.Body, make([]byte, 4)); err != nil {
		t.Fatal(err)
	}
	cancel()
	if _, err := io.ReadAll(sound.Body); !errors.Is(err, context.Canceled) {
		t.Errorf("read on: %v", err)
	}
}
