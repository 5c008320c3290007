package api

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/dialwright/dialwright/internal/app"
)

// fileServer serves a file that tests change.
type fileServer struct {
	url     string
	content atomic.Pointer[string] // nil: the server is down
	asked   atomic.Int32
}

func (s *fileServer) has(content string) { s.content.Store(&content) }

func newFileServer(t *testing.T) *fileServer {
	s := &fileServer{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		s.asked.Add(1)
		content := s.content.Load()
		if content == nil {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		_, _ = io.WriteString(w, *content)
	}))
	t.Cleanup(server.Close)
	s.url = server.URL + "/list.csv?signature=secret"
	return s
}

// A list is fetched from a URL: all of it or nothing, and once per Idempotency-Key.
func TestListsOfURLs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.wire(func(o *app.Options) { o.WebhookAllow = []string{"127.0.0.1"} })
	n, files := w.newTenant("Acme"), newFileServer(t)
	draft := func(changes object) object {
		maps.Copy(changes, object{
			"scheduled_at": "2030-01-01T09:00:00Z", "expires_at": nil, "recipients_url": files.url,
		})
		var body object
		if err := json.Unmarshal([]byte(n.body(changes)), &body); err != nil {
			t.Fatal(err)
		}
		if changes["recipients"] == nil {
			delete(body, "recipients")
		}
		return body
	}
	body := draft(object{})

	// Nobody waits for a file because of another field.
	n.do("POST", "/campaigns", draft(object{"name": ""})).refused(http.StatusBadRequest, "name: required")
	n.do("POST", "/campaigns", draft(object{"recipients": people(1)})).
		refused(http.StatusBadRequest, "recipients_url: must not be set together with recipients")
	if files.asked.Load() != 0 {
		t.Error("the file was fetched")
	}

	before := w.rows()
	const down = "recipients_url: the server of the file answered 503"
	n.do("POST", "/campaigns", body, "Idempotency-Key", "a").refused(http.StatusBadGateway, down)
	files.has("phone_number,city\n3122000010,Rome\n12,Oslo\n")
	n.do("POST", "/campaigns", body, "Idempotency-Key", "a").
		refused(http.StatusBadRequest, "recipients: row 3: phone_number: not a valid phone number")
	if after := w.rows(); after != before {
		t.Errorf("%d rows, %d before", after, before)
	}
	files.has("phone_number,city\n3122000010,Rome\n3122000011,Oslo\n")
	first := n.do("POST", "/campaigns", body, "Idempotency-Key", "a").want(http.StatusCreated)
	if first.get("counters", "total") != 2.0 {
		t.Errorf("created: %s", first.body)
	}
	// The stored answer takes precedence over a file that has changed or is gone.
	files.content.Store(nil)
	again := n.do("POST", "/campaigns", body, "Idempotency-Key", "a").want(http.StatusCreated)
	if again.body != first.body || again.header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("repeated: %v", again)
	}

	path := "/campaigns/" + first.get("id").(string) + "/recipients"
	more := object{"recipients_url": files.url}
	n.do("POST", path, more).refused(http.StatusBadGateway, down)
	files.has("phone_number\n3122000012\n3122000010\n")
	if added := n.do("POST", path, more).want(http.StatusCreated); added.get("counters", "total") != 4.0 {
		t.Errorf("added: %s", added.body)
	}
	w.refill()
	for text, wrong := range map[string]object{
		"recipients_url: must be an https URL such as https://example.com": {"recipients_url": "list.csv"},
		"recipients_url: must not be set together with recipients": {
			"recipients_url": files.url, "recipients": people(1),
		},
		"recipients_url: must not contain a user name or a password": {
			"recipients_url": "https://a:b@example.com",
		},
		"recipients: at least one is required": {"recipients_url": nil},
		"recipients_url: must be a public address (others are only for hosts within the operator's " +
			"DIALWRIGHT_WEBHOOK_ALLOW)": {"recipients_url": "https://169.254.169.254/latest"},
	} {
		n.do("POST", path, wrong).refused(http.StatusBadRequest, text)
	}
	other := w.newTenant("Other")
	other.do("POST", path, more).refused(http.StatusNotFound, "Campaign not found")

	entries := object{"entries_url": files.url}
	files.content.Store(nil)
	n.do("POST", "/do-not-call/batch", entries).
		refused(http.StatusBadGateway, "entries_url: the server of the file answered 503")
	files.has("Phone,Note\n312 200 0030,By letter\n312 200 0031,\n")
	n.do("POST", "/do-not-call/batch?channel=voice,message", entries).want(http.StatusOK).
		has(t, object{"added": 4.0, "existing": 0.0})
	n.do("POST", "/do-not-call/batch", entries).want(http.StatusOK).has(t, object{"added": 0.0, "existing": 2.0})
	entries["entries"] = []object{{"phone_number": "+13122000030"}}
	n.do("POST", "/do-not-call/batch", entries).
		refused(http.StatusBadRequest, "entries_url: must not be set together with entries")
}
