package web

import (
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/web/frame"
)

// Only the answer that creates a key contains its value.
func TestAPIKeyIsShownOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.admin)
	v.get("/settings/api-keys").has("No keys yet", "Create key")
	data := form("id", v.get("/settings/api-keys/new").want(http.StatusOK).
		field("id"), "name", "Nightly export", "all_scopes", "1")

	created := v.post("/settings/api-keys", data).want(http.StatusCreated)
	value := secretOf(created)
	if !created.uncached() {
		t.Error("the answer may be kept")
	}
	created.has("Copy the key “Nightly export” now", "All scopes", "Never expires", value[:12]+"…"+value[len(value)-4:])
	if caller, err := w.accounts.AuthenticateKey(
		t.Context(), "Bearer "+value, netip.MustParseAddr("192.0.2.7"),
	); err != nil {
		t.Errorf("the key does not work: %v %v", caller, err)
	}

	// Loading the answer again sends the form again.
	v.post("/settings/api-keys", data).leads("/settings/api-keys").lacks(value)
	v.get("/settings/api-keys").want(http.StatusOK).has("Nightly export", "already created", value[:12]).lacks(value)
	if keys := w.count(`select count(*) from api_key`); keys != 1 {
		t.Errorf("sending the form twice made %d keys", keys)
	}
	for _, path := range []string{
		"/settings/api-keys", "/settings/api-keys?revoked=1", "/settings/api-keys/new", "/", "/profile",
	} {
		v.get(path).want(http.StatusOK).lacks(value, value[8:])
	}
	for _, table := range []string{"api_key", "sessions", "audit_entry", "user_session"} {
		if found := w.count(
			`select count(*) from `+table+
				` r where position($1 in r::text) > 0 or position(encode($1::bytea, 'hex') in r::text) > 0`,
			value,
		); found != 0 {
			t.Errorf("the value is in %s", table)
		}
	}
	// Simultaneous sends of the form also create only one key.
	again := changed(data, "id", frame.NewFormID())
	values := make(chan string, 8)
	var sending sync.WaitGroup
	for range cap(values) {
		sending.Go(func() {
			if got := v.post("/settings/api-keys", again); got.status == http.StatusCreated {
				values <- secretOf(got)
			}
		})
	}
	sending.Wait()
	if shown := len(values); shown != 1 {
		t.Errorf("%d keys were shown", shown)
	}
	if keys := w.count(`select count(*) from api_key`); keys != 2 {
		t.Errorf("there are %d keys", keys)
	}
	// The same form ID in another organization gives no access to this key.
	other := w.newTenant("Borealis")
	other.as(other.admin).post("/settings/api-keys", data).leads("/settings/api-keys").lacks(value)
	if keys := w.count(`select count(*) from api_key`); keys != 2 {
		t.Errorf("there are %d keys", keys)
	}
}

func TestAPIKeyForm(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.admin)
	v.get("/settings/api-keys/new").want(http.StatusOK).has("Follow-ups", "See follow-ups").
		lacks("Follow_ups", `></span><span class="hint"`)
	for what, c := range map[string]struct {
		form  []string
		wrong []string
	}{
		"no name": {
			[]string{"name", " ", "all_scopes", "0", "scopes", "calls:read"}, []string{"name", "Required"},
		},
		"a long name": {[]string{"name", strings.Repeat("x", 101)}, []string{"name", "at most 100"}},
		"no scope":    {[]string{"name", "Export", "all_scopes", "0"}, []string{"scopes", ""}},
		"unknown scope": {
			[]string{"name", "Export", "all_scopes", "0", "scopes", "everything"}, []string{"scopes", ""},
		},
		"all and some": {
			[]string{"name", "Export", "all_scopes", "1", "scopes", "calls:read"},
			[]string{"scopes", "Choose “Selected scopes”"},
		},
		"some, no choice": {
			[]string{"name", "Export", "scopes", "calls:read"}, []string{"scopes", "Choose “Selected scopes”"},
		},
		"no date": {[]string{"name", "Export", "expires", "date"}, []string{"expires_at", "Choose a date"}},
		"a past date": {
			[]string{"name", "Export", "expires", "date", "expires_at", "2020-01-01"},
			[]string{"expires_at", "in the future"},
		},
		"no address": {
			[]string{"name", "Export", "networks", "203.0.113.7\nour office"},
			[]string{"networks", `"our" is not an IP address`},
		},
		"no range": {
			[]string{"name", "Export", "networks", "203.0.113.7/24"}, []string{"networks", "write 203.0.113.0/24"},
		},
		"unknown choices": {
			[]string{"name", "Export", "expires", "soon"}, []string{"expires_at", "when the key expires"},
		},
	} {
		got := v.post("/settings/api-keys", form(c.form...))
		got.what += " with " + what
		got.wrong(c.wrong...)
		if strings.Contains(got.body, "ik_live_") {
			t.Errorf("%s: shows a key", what)
		}
		if what == "no name" {
			if !got.ticked("scopes", "calls:read") || got.ticked("scopes", "calls:write") ||
				!got.ticked("all_scopes", "0") {
				t.Error("what was ticked is not kept")
			}
		}
	}
	if keys := w.count(`select count(*) from api_key`); keys != 0 {
		t.Fatalf("refused forms made %d keys", keys)
	}

	v.post("/settings/api-keys", form("name", "Reader", "all_scopes", "0", "scopes", "calls:read", "scopes",
		"campaigns:read", "expires", "date", "expires_at", "2031-05-01")).
		want(http.StatusCreated).has("Calls: read", "Campaigns: read", "Expires")
	list, err := w.accounts.Keys(t.Context(), n.organization, false, page.Request{})
	if err != nil || len(list.Data) != 1 {
		t.Fatal(list, err)
	}
	key := list.Data[0]
	chicago, err := time.LoadLocation("America/Chicago")
	if err != nil {
		t.Fatal(err)
	}
	// The key expires at the end of the day in the organization's time zone.
	if want := time.Date(2031, 5, 2, 0, 0, 0, 0, chicago).Add(-time.Millisecond); key.ExpiresAt == nil ||
		!key.ExpiresAt.Equal(want) {
		t.Errorf("expires at %v, want %v", key.ExpiresAt, want)
	}
	if len(key.Scopes) != 2 || key.AllScopes() || *key.CreatedBy != "Aster Ada" {
		t.Errorf("the key is %+v", key)
	}
	v.get("/settings/api-keys").has("Reader", "Calls: read", "Campaigns: read", "1 May 2031", "Aster Ada").
		lacks("2 May 2031", "All scopes")

	v.post("/settings/api-keys", form("name", "Office", "networks", "203.0.113.0/24\n198.51.100.4")).
		want(http.StatusCreated).has("All scopes · Only from 198.51.100.4 and 203.0.113.0/24 · Never expires")
	v.get("/settings/api-keys").has("Only from 198.51.100.4 and 203.0.113.0/24")
	office := value[string](w, `select id::text from api_key where name = 'Office'`)
	v.get("/settings/api-keys/" + office + "/rotate").has("Network Only from 198.51.100.4 and 203.0.113.0/24")
	v.post("/settings/api-keys", form("name", "Month", "expires", "30")).want(http.StatusCreated)
	if left := w.count(
		`select extract(day from expires_at - clock())::int from api_key where name = 'Month'`,
	); left < 29 || left > 30 {
		t.Errorf("30 days are %d", left)
	}
}

func TestAPIKeyIsRevoked(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.admin)
	id, value := n.newKey("export")
	v.get("/settings/api-keys").has("Aster export", "Never")
	if _, err := w.accounts.AuthenticateKey(
		t.Context(), "Bearer "+value, netip.MustParseAddr("192.0.2.7"),
	); err != nil {
		t.Fatal(err)
	}
	v.get("/settings/api-keys").has("192.0.2.7")
	ask := v.get("/settings/api-keys/"+id.String()+"/revoke").want(http.StatusOK).
		has("Revoke “Aster export”?", "192.0.2.7", "Keep key", "cannot be undone")
	if got := ask.links(); !strings.Contains(
		strings.Join(got, "\n"), "POST /settings/api-keys/"+id.String()+"/revoke",
	) {
		t.Errorf("the question can't be answered: %v", got)
	}
	v.post("/settings/api-keys/"+id.String()+"/revoke", nil).leads("/settings/api-keys")
	if _, err := w.accounts.AuthenticateKey(
		t.Context(), "Bearer "+value, netip.MustParseAddr("192.0.2.7"),
	); err == nil {
		t.Error("the key still works")
	}
	v.get("/settings/api-keys").has("Key revoked", "No keys in use", "Show 1 revoked")
	v.get("/settings/api-keys?revoked=1").
		has("Revoked and replaced keys", "Aster export", "Aster Ada", "Show keys in use")
	v.post("/settings/api-keys/"+id.String()+"/revoke", nil).leads("/settings/api-keys") // the key is already revoked
	v.get("/settings/api-keys/" + id.String()).want(http.StatusConflict).has("This key is revoked or was replaced")
	v.get("/settings/api-keys/" + id.String() + "/rotate").want(http.StatusConflict).
		has("This key is revoked or was replaced")

	// Only an admin sees the buttons that change keys.
	n.newKey("second")
	n.as(n.staff).get("/settings/api-keys").want(http.StatusOK).has("Aster second").lacks("Create key", "/revoke")
}

// A long list of keys has several pages. Active and revoked keys have separate lists.
func TestAPIKeyPages(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	for range 105 {
		n.newKey("export")
	}
	v := n.as(n.admin)
	first := v.get("/settings/api-keys").want(http.StatusOK)
	if rows := strings.Count(first.body, "/revoke\""); rows != 100 {
		t.Errorf("the first page has %d keys", rows)
	}
	older := pathOf(t, first, "Older")
	second := v.get(older).want(http.StatusOK)
	if rows := strings.Count(second.body, "/revoke\""); rows != 5 {
		t.Errorf("the second page has %d keys", rows)
	}
	if newest := pathOf(t, second, "Newest"); newest != "/settings/api-keys" {
		t.Errorf("the newest are at %s", newest)
	}
	v.get("/settings/api-keys?cursor=nonsense").want(http.StatusUnprocessableEntity)
}

// A key and its successor both work during the chosen overlap, and the list says so.
func TestAPIKeyIsRotated(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.admin)
	id, old := n.newKey("export")
	path := "/settings/api-keys/" + id.String() + "/rotate"
	works := func(value string) bool {
		_, err := w.accounts.AuthenticateKey(t.Context(), "Bearer "+value, netip.MustParseAddr("192.0.2.7"))
		return err == nil
	}
	ask := v.get(path).want(http.StatusOK).has("Rotate “Aster export”", "24 hours", "All scopes")
	data := form("id", ask.field("id"), "overlap", "3600")
	for _, wrong := range []string{"", "soon", "-1", "604801"} {
		v.post(path, changed(data, "overlap", wrong)).wrong("overlap", "Choose an overlap")
	}
	rotated := v.post(path, data).want(http.StatusCreated).
		has("Copy the key “Aster export” now", "The old key works until", "Rotating, ends in")
	value := secretOf(rotated)
	if !rotated.uncached() {
		t.Error("the answer may be kept")
	}
	if value == old || !works(old) || !works(value) {
		t.Error("they do not work side by side")
	}
	v.post(path, data).leads("/settings/api-keys").lacks(value)
	v.post(path, changed(data, "id", frame.NewFormID())).leads("/settings/api-keys").lacks("ik_live_")
	v.get("/settings/api-keys").want(http.StatusOK).has("was already rotated", "Rotating, ends in").
		lacks(value, value[8:])
	if keys := w.count(`select count(*) from api_key`); keys != 2 {
		t.Errorf("there are %d keys", keys)
	}

	// An admin can end the overlap early.
	v.post("/settings/api-keys/"+id.String()+"/revoke", nil).leads("/settings/api-keys")
	if works(old) || !works(value) {
		t.Error("the old key was not revoked, or the new one was")
	}
	v.get("/settings/api-keys?revoked=1").has("Aster export", "Replaced")

	leaked, was := n.newKey("leaked")
	now := v.post("/settings/api-keys/"+leaked.String()+"/rotate", form("overlap", "0")).want(http.StatusCreated).
		has("The old key no longer works")
	if works(was) || !works(secretOf(now)) {
		t.Error("without an overlap the old key works on")
	}
}
