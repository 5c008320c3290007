package twilio_test

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/carrier/carriertest"
	"github.com/dialwright/dialwright/internal/carrier/twilio"
)

// requestsFile has every request of the adapter, as it was last reviewed. TestDescriptionConformance
// compares the file with Twilio's own description of its API.
const requestsFile = "testdata/requests.txt"

var update = flag.Bool("update", false, "write "+requestsFile)

const (
	callSID      = "CA0123456789abcdef0123456789abcdef"
	numberSID    = "PN0123456789abcdef0123456789abcdef"
	recordingSID = "RE0123456789abcdef0123456789abcdef"
)

// place returns a step that places a call.
func place(change func(*carrier.Placement)) func(context.Context, *client) {
	return func(ctx context.Context, c *client) {
		p := carrier.Placement{
			CallID: uuid.MustParse("01900000-0000-7000-8000-000000000002"), From: carriertest.From, To: "+15005001234",
			RingTimeout: 30 * time.Second, MaxDuration: 10 * time.Minute,
		}
		change(&p)
		c.placements = append(c.placements, p)
		_, _ = c.Place(ctx, p)
	}
}

// client makes requests, and remembers the placements.
type client struct {
	carrier.Carrier
	adapter    *twilio.Adapter
	account    twilio.Account
	placements []carrier.Placement
}

// steps make every request that the adapter can make. A new parameter or request needs a step here,
// which TestRecordedRequests checks.
var steps = []struct {
	name   string
	method string // of carrier.Carrier or of the adapter
	make   func(context.Context, *client)
}{
	{"place", "Place", place(func(*carrier.Placement) {})},
	{"place, detect machines fast", "Place", place(func(p *carrier.Placement) {
		p.Detection.Mode = carrier.DetectFast
	})},
	{"place, wait for the beep", "Place", place(func(p *carrier.Placement) {
		seconds, speech, end, silence := 20, 3000, 1500, 4000
		p.Detection = carrier.Detection{
			Mode: carrier.DetectBeep, TimeoutSeconds: &seconds, SpeechThresholdMS: &speech, SpeechEndThresholdMS: &end,
			SilenceTimeoutMS: &silence,
		}
	})},
	{"place, with a call reason", "Place", place(func(p *carrier.Placement) {
		p.CallReason = "Your appointment on Monday"
	})},
	{"place, record", "Place", place(func(p *carrier.Placement) { p.Record = true })},
	{"place, wait for the beep and record", "Place", place(func(p *carrier.Placement) {
		p.Detection.Mode, p.Record = carrier.DetectBeep, true
	})},
	{"hang up", "Hangup", func(ctx context.Context, c *client) {
		_ = c.Hangup(ctx, carrier.Ref{CarrierCallID: callSID})
	}},
	{"look up", "Lookup", func(ctx context.Context, c *client) {
		_, _ = c.Lookup(ctx, carrier.Ref{CarrierCallID: callSID})
	}},
	{"look up without the call's SID", "Lookup", func(ctx context.Context, c *client) {
		_, _ = c.Lookup(ctx, carrier.Ref{From: carriertest.From, To: "+15005001234"})
	}},
	{"find a recording", "Recording", func(ctx context.Context, c *client) { _, _ = c.Recording(ctx, callSID) }},
	{"fetch a recording", "OpenRecording", func(ctx context.Context, c *client) {
		_, _ = c.OpenRecording(ctx, recordingSID, "bytes=0-99")
	}},
	{"delete a recording", "DeleteRecording", func(ctx context.Context, c *client) {
		_ = c.DeleteRecording(ctx, recordingSID)
	}},
	{"listen in to a call", "Listen", func(ctx context.Context, c *client) {
		_ = c.Listen(ctx, carrier.Listen{
			CallID: uuid.MustParse("01900000-0000-7000-8000-000000000002"), CarrierCallID: callSID, Ticket: "TICKET",
		})
	}},
	{"read the price of a call", "CallPrice", func(ctx context.Context, c *client) {
		_, _ = c.CallPrice(ctx, callSID)
	}},
	{"read the price of a recording", "RecordingPrice", func(ctx context.Context, c *client) {
		_, _ = c.RecordingPrice(ctx, recordingSID)
	}},
	{"check the credentials", "Check", func(ctx context.Context, c *client) { _ = c.adapter.Check(ctx, c.account) }},
	{"list the numbers", "Numbers", func(ctx context.Context, c *client) { _, _ = c.adapter.Numbers(ctx, c.account) }},
	{"read the account", "State", func(ctx context.Context, c *client) { _, _ = c.adapter.State(ctx, c.account) }},
	{"look for a number among those of the account", "MayCallFrom", func(ctx context.Context, c *client) {
		_, _ = c.adapter.MayCallFrom(ctx, c.account, carriertest.From)
	}},
	{"read what a number does when somebody calls it", "NumberDoes", func(ctx context.Context, c *client) {
		_, _ = c.adapter.NumberDoes(ctx, c.account, carriertest.From)
	}},
	{"set up a number", "SetUpNumber", func(ctx context.Context, c *client) {
		must := c.adapter.NumberMustDo(uuid.MustParse("01900000-0000-7000-8000-000000000001"), c.account)
		_, _ = c.adapter.SetUpNumber(ctx, c.account, carriertest.From, must)
	}},
}

// The adapter sends what the file has. After a wanted change, run the test with -update, review the
// difference, and run make conformance.
func TestRecordedRequests(t *testing.T) {
	t.Parallel()
	var sent []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sent = append(sent, written(t, r)) // one request at a time
		fmt.Fprintf(w, `{"incoming_phone_numbers": [{"sid": "%s", "phone_number": "%s"}]}`,
			numberSID, carriertest.From)
	}))
	defer server.Close()
	a := twilio.New(twilio.Config{PublicURL: "https://dial.example.com"})
	c := &client{adapter: a, account: twilio.Account{SID: accountSID, AuthToken: "token", APIURL: server.URL}}
	c.Carrier = a.Carrier(uuid.MustParse("01900000-0000-7000-8000-000000000001"), c.account)
	var file strings.Builder
	covered := map[string]bool{}
	for _, step := range steps {
		sent = nil
		step.make(t.Context(), c)
		if len(sent) == 0 {
			t.Fatalf("%s: no request", step.name)
		}
		for _, request := range sent {
			fmt.Fprintf(&file, "# %s\n%s\n", step.name, request)
		}
		covered[step.method] = true
	}
	for _, method := range requestMethods() {
		if !covered[method] {
			t.Errorf("no step makes the request of %s", method)
		}
	}
	for _, field := range reflect.VisibleFields(reflect.TypeFor[carrier.Placement]()) {
		if !slices.ContainsFunc(c.placements, func(p carrier.Placement) bool {
			return !reflect.ValueOf(p).FieldByIndex(field.Index).IsZero()
		}) {
			t.Errorf("no step places a call with %s", field.Name)
		}
	}
	if *update {
		if err := os.WriteFile(requestsFile, []byte(file.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(requestsFile)
	if err != nil {
		t.Fatal(err)
	}
	if got := file.String(); got != string(want) {
		t.Errorf("the requests are not those of %s. Run this test with -update and review the difference. Now:\n%s",
			requestsFile, got)
	}
}

// requestMethods returns the methods that make requests to Twilio: those of a carrier, and those of
// the adapter that take an account and return an error. Reach asks this server itself.
func requestMethods() (names []string) {
	for m := range reflect.TypeFor[carrier.Carrier]().Methods() {
		names = append(names, m.Name)
	}
	for m := range reflect.TypeFor[*twilio.Adapter]().Methods() {
		fails := m.Type.NumOut() > 0 && m.Type.Out(m.Type.NumOut()-1) == reflect.TypeFor[error]()
		for i := range m.Type.NumIn() {
			if fails && m.Name != "Reach" && m.Type.In(i) == reflect.TypeFor[twilio.Account]() {
				names = append(names, m.Name)
			}
		}
	}
	return names
}

// written returns a request as the file has it: the method and the path, then the parameters of the
// query and of the form, sorted by name.
func written(t *testing.T, r *http.Request) string {
	if user, password, _ := r.BasicAuth(); user != accountSID || password != "token" {
		t.Errorf("%s without the credentials", r.URL.Path)
	}
	if err := r.ParseForm(); err != nil {
		t.Error(err)
	}
	if got := r.Header.Get("Content-Type"); r.Method == http.MethodPost && got != "application/x-www-form-urlencoded" {
		t.Errorf("%s has the type %q", r.URL.Path, got)
	}
	var b strings.Builder
	fmt.Fprintln(&b, r.Method, r.URL.EscapedPath())
	list := func(place string, values url.Values) {
		for _, name := range slices.Sorted(maps.Keys(values)) {
			for _, value := range values[name] {
				fmt.Fprintf(&b, "%s %s = %s\n", place, name, value)
			}
		}
	}
	list("query", r.URL.Query())
	list("form", r.PostForm)
	return b.String()
}
