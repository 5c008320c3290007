package predial_test

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/guard"
	"github.com/dialwright/dialwright/internal/postgres/pgtest"
	"github.com/dialwright/dialwright/internal/predial"
	"github.com/dialwright/dialwright/internal/seal"
)

func service(t *testing.T, db *pgtest.DB, allow ...string) *predial.Service {
	t.Helper()
	g, err := guard.New(allow)
	if err != nil {
		t.Fatal(err)
	}
	vault, err := seal.NewVault(make([]byte, seal.MasterKeySize))
	if err != nil {
		t.Fatal(err)
	}
	return predial.New(predial.Options{Pool: db.Pool, Vault: vault, Guard: g, Version: "test"})
}

func newActor(t *testing.T, db *pgtest.DB) account.Actor {
	t.Helper()
	n := db.NewTenant(t, "Acme", "+15005550000", "{}")
	return account.Actor{OrganizationID: n.OrganizationID, Kind: account.ByUser, ID: uuid.New(), Name: "Ada"}
}

func question(actor account.Actor) predial.Question {
	id, external := uuid.New(), "crm-17"
	return predial.Question{
		OrganizationID: actor.OrganizationID,
		CallID:         uuid.New(),
		Recipient: predial.Recipient{
			ID: &id, ExternalID: &external, Variables: json.RawMessage(`{"doctor":"Wu"}`),
		},
		From:    "+15005550000",
		To:      "+15005550001",
		Attempt: 2,
	}
}

func TestAnswers(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	actor, s := newActor(t, db), service(t, db, "127.0.0.0/8")
	answers := map[string]http.HandlerFunc{
		"/allow": func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"allow": true}`) },
		"/refuse": func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, `{"allow":false,"reason":" on\n a list"}`)
		},
		"/long": func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprintf(w, `{"allow":false,"reason":%q}`, strings.Repeat("ü", 300))
		},
		"/created": func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusCreated)
			fmt.Fprint(w, `{"allow": true}`)
		},
		"/slow":    func(http.ResponseWriter, *http.Request) { time.Sleep(3 * time.Second) },
		"/broken":  func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"allow": tr`) },
		"/text":    func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"allow": "true"}`) },
		"/missing": func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"allowed": true}`) },
		"/redirect": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/allow", http.StatusTemporaryRedirect)
		},
		"/oversized": func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, `{"allow": true, "x": "`+strings.Repeat("x", 16<<10)+`"}`)
		},
		"/500": func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusInternalServerError)
			fmt.Fprint(w, `{"allow": true}`)
		},
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		answers[r.URL.Path](w, r)
	}))
	defer server.Close()
	for path, want := range map[string]string{
		"/allow":     "allowed",
		"/created":   "allowed",
		"/refuse":    "refused on a list",
		"/long":      "refused " + strings.Repeat("ü", 200),
		"/slow":      "failed No answer within 2 s",
		"/broken":    `failed The answer is not JSON such as {"allow": true}`,
		"/text":      `failed The answer is not JSON such as {"allow": true}`,
		"/missing":   `failed The answer has no "allow"`,
		"/redirect":  "failed The endpoint answered 307 Temporary Redirect; redirects are not followed",
		"/oversized": "failed The answer broke off or is longer than 16 KiB",
		"/500":       "failed The endpoint answered 500 Internal Server Error",
	} {
		for onFailure, failed := range map[predial.OnFailure]string{
			predial.Wait: "failed", predial.Call: "failed_open",
		} {
			if path == "/slow" && onFailure == predial.Call {
				continue
			}
			_, err := s.Save(t.Context(), actor, predial.Draft{URL: server.URL + path, OnFailure: onFailure})
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Enable(t.Context(), actor); err != nil {
				t.Fatal(err)
			}
			a, _, err := s.Ask(t.Context(), question(actor))
			if err != nil {
				t.Fatal(err)
			}
			got := string(a.Result)
			if a.Reason != nil {
				got += " " + *a.Reason
			}
			if want := strings.Replace(want, "failed ", failed+" ", 1); got != want {
				t.Errorf("%s: %s, want %s", path, got, want)
			}
			if a.TookMS > 2500 {
				t.Errorf("%s took %d ms", path, a.TookMS)
			}
		}
	}

	// The guard decides when the address is dialed, too.
	_, err := s.Save(t.Context(), actor, predial.Draft{URL: server.URL + "/allow", OnFailure: predial.Wait})
	if err != nil {
		t.Fatal(err)
	}
	strict := service(t, db)
	if a, _, err := strict.Ask(t.Context(), question(actor)); err != nil || a.Result != predial.Failed {
		t.Errorf("a private address: %+v, %v", a, err)
	}
	for _, url := range []string{"http://example.com", "https://127.0.0.1/x", "https://a@example.com/", ""} {
		_, err := strict.Save(t.Context(), actor, predial.Draft{URL: url, OnFailure: predial.Wait})
		if fault.KindOf(err) != fault.Invalid {
			t.Errorf("%s: %v", url, err)
		}
	}
}

// The documented request: a receiver verifies it with the library, also while both secrets sign.
func TestSignedRequest(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	actor, s := newActor(t, db), service(t, db, "127.0.0.0/8")
	var header http.Header
	var body []byte
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header = r.Header
		body, _ = io.ReadAll(r.Body)
		fmt.Fprint(w, `{"allow": true}`)
	}))
	defer server.Close()
	first, err := s.Save(t.Context(), actor, predial.Draft{URL: server.URL, OnFailure: predial.Wait})
	if err != nil || !strings.HasPrefix(first, "whsec_") {
		t.Fatal(first, err)
	}
	if again, err := s.Save(t.Context(), actor, predial.Draft{URL: server.URL, OnFailure: predial.Call}); again != "" {
		t.Errorf("a change shows the secret: %v", err)
	}
	settings, err := s.Get(t.Context(), actor.OrganizationID)
	if err != nil {
		t.Fatal(err)
	}
	second, err := s.RotateSecret(t.Context(), actor, settings.SecretMark)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.RotateSecret(t.Context(), actor, settings.SecretMark); fault.KindOf(err) != fault.Conflict {
		t.Errorf("a second rotation by the same form: %v", err)
	}
	if err := s.Enable(t.Context(), actor); err != nil {
		t.Fatal(err)
	}
	q := question(actor)
	if _, _, err := s.Ask(t.Context(), q); err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{first, second} {
		w, err := standardwebhooks.NewWebhook(secret)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Verify(body, header); err != nil {
			t.Error(err)
		}
	}
	var got map[string]any
	if err := json.Unmarshal(body, &got); err != nil {
		t.Fatal(err)
	}
	data, _ := got["data"].(map[string]any)
	recipient, _ := data["recipient"].(map[string]any)
	if header.Get("Webhook-Id") != q.CallID.String() || got["type"] != "call.check" || data["to"] != q.To ||
		data["call_id"] != q.CallID.String() || recipient["external_id"] != "crm-17" ||
		fmt.Sprint(recipient["variables"], recipient["metadata"], data["attempt"]) != "map[doctor:Wu] map[] 2" {
		t.Errorf("%v: %s", header, body)
	}
	if _, err := s.Test(t.Context(), actor); err != nil || !strings.Contains(string(body), `"call.check.test"`) {
		t.Errorf("the test: %v, %s", err, body)
	}
	if err := s.Remove(t.Context(), actor); err != nil {
		t.Fatal(err)
	}
	if a, _, err := s.Ask(t.Context(), q); a != nil || err != nil {
		t.Errorf("after the removal: %+v, %v", a, err)
	}
}

// After five failures, only one process sends one request at a time, until one succeeds.
func TestProbing(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	actor, s, other := newActor(t, db), service(t, db, "127.0.0.0/8"), service(t, db, "127.0.0.0/8")
	const callers = 8
	var requests, up, refused atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		if up.Load() == 0 {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		for refused.Load() < callers-1 && r.Context().Err() == nil { // one probe is in flight at a time
			time.Sleep(time.Millisecond)
		}
		fmt.Fprint(w, `{"allow": true}`)
	}))
	defer server.Close()
	if _, err := s.Save(t.Context(), actor, predial.Draft{URL: server.URL, OnFailure: predial.Wait}); err != nil {
		t.Fatal(err)
	}
	if err := s.Enable(t.Context(), actor); err != nil {
		t.Fatal(err)
	}
	for i := range int32(predial.MostFailures + 3) {
		a, _, err := s.Ask(t.Context(), question(actor))
		if err != nil || a.Result != predial.Failed {
			t.Fatalf("%+v, %v", a, err)
		}
		if want := min(i+1, predial.MostFailures); requests.Load() != want {
			t.Fatalf("%d requests after %d checks", requests.Load(), i+1)
		}
	}
	if c, err := s.Get(t.Context(), actor.OrganizationID); err != nil || !c.Probing() || c.LastError == nil {
		t.Errorf("%+v, %v", c, err)
	}
	up.Store(1)
	var recoveries atomic.Int32
	for round := 0; recoveries.Load() == 0 && round < 20; round++ { // a slow machine may exceed a probe's time
		if _, err := db.Pool.Exec(t.Context(), `update pre_dial_check set next_at = clock()`); err != nil {
			t.Fatal(err)
		}
		refused.Store(0)
		before := requests.Load()
		var wg sync.WaitGroup
		for i := range callers {
			wg.Go(func() {
				a, recovered, err := []*predial.Service{s, other}[i%2].Ask(t.Context(), question(actor))
				if err != nil {
					t.Error(err)
				}
				if recovered {
					recoveries.Add(1)
				}
				if a.Result == predial.Failed {
					refused.Add(1)
				}
			})
		}
		wg.Wait()
		if n := requests.Load() - before; n != 1 {
			t.Errorf("%d requests", n)
		}
	}
	if recoveries.Load() != 1 {
		t.Errorf("%d recoveries", recoveries.Load())
	}
	if c, err := s.Get(t.Context(), actor.OrganizationID); err != nil || c.Failures != 0 || *c.LastAnswer != "Allowed" {
		t.Errorf("%+v, %v", c, err)
	}
}

// The reference shows the request that is sent, and an answer that is understood.
func TestDocumentedCheck(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../api/openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	_, page, _ := strings.Cut(string(text), "# Pre-dial check\n")
	blocks := strings.Split(page, "```")
	if len(blocks) < 5 {
		t.Fatal("the reference has no page about the check")
	}
	request, answer := strings.TrimPrefix(blocks[1], "json"), strings.TrimPrefix(blocks[3], "json")
	var told, sent map[string]any
	if err := json.Unmarshal([]byte(request), &told); err != nil {
		t.Fatal(err)
	}
	db := pgtest.New(t)
	actor, s := newActor(t, db), service(t, db, "127.0.0.0/8")
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := json.NewDecoder(r.Body).Decode(&sent); err != nil {
			t.Error(err)
		}
		fmt.Fprint(w, answer)
	}))
	defer server.Close()
	if _, err := s.Save(t.Context(), actor, predial.Draft{URL: server.URL, OnFailure: predial.Wait}); err != nil {
		t.Fatal(err)
	}
	if err := s.Enable(t.Context(), actor); err != nil {
		t.Fatal(err)
	}
	a, _, err := s.Ask(t.Context(), question(actor))
	if err != nil || a.Result != predial.Refused || *a.Reason != "Listed on the national do-not-call registry" {
		t.Errorf("%+v, %v", a, err)
	}
	fields := func(v map[string]any) string {
		data, _ := v["data"].(map[string]any)
		recipient, _ := data["recipient"].(map[string]any)
		return fmt.Sprint(v["type"], slices.Sorted(maps.Keys(v)), slices.Sorted(maps.Keys(data)),
			slices.Sorted(maps.Keys(recipient)))
	}
	if fields(told) != fields(sent) {
		t.Errorf("the reference has %s, sent was %s", fields(told), fields(sent))
	}
}

// A new check is off, so its server is not asked before it has the secret. A test reaches it all the same.
func TestANewCheckIsOff(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	actor, s := newActor(t, db), service(t, db, "127.0.0.0/8")
	var asked []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body struct{ Type string }
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			t.Error(err)
		}
		asked = append(asked, body.Type)
		fmt.Fprint(w, `{"allow": true}`)
	}))
	defer server.Close()
	draft := predial.Draft{URL: server.URL, OnFailure: predial.Wait}
	if _, err := s.Save(t.Context(), actor, draft); err != nil {
		t.Fatal(err)
	}
	want := func(what string, on bool) {
		t.Helper()
		a, _, err := s.Ask(t.Context(), question(actor))
		if err != nil || (a != nil) != on {
			t.Errorf("%s: %+v, %v", what, a, err)
		}
	}
	want("saved", false)
	entries := func(want int) {
		t.Helper()
		var n int
		if err := db.Pool.QueryRow(t.Context(), `
			select count(*) from audit_entry where action like 'organization.pre_dial_check_%abled'`,
		).Scan(&n); err != nil || n != want {
			t.Errorf("%d entries, want %d, %v", n, want, err)
		}
	}
	if a, err := s.Test(t.Context(), actor); err != nil || a.Result != predial.Allowed {
		t.Errorf("the test: %+v, %v", a, err)
	}
	for range 2 { // the second changes nothing
		if err := s.Enable(t.Context(), actor); err != nil {
			t.Fatal(err)
		}
	}
	want("turned on", true)
	entries(1)
	if _, err := s.Save(t.Context(), actor, draft); err != nil {
		t.Fatal(err)
	}
	want("saved while on", true)
	for range 2 {
		if err := s.Disable(t.Context(), actor); err != nil {
			t.Fatal(err)
		}
	}
	want("turned off", false)
	entries(2)
	if got := fmt.Sprint(asked); got != "[call.check.test call.check call.check]" {
		t.Error(got)
	}
	if err := s.Enable(t.Context(), newActor(t, db)); fault.KindOf(err) != fault.NotFound {
		t.Errorf("without a check: %v", err)
	}
}
