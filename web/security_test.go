package web

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/app"
	"github.com/dialwright/dialwright/static"
	"github.com/dialwright/dialwright/web/frame"
)

func TestHeaders(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	key, _ := n.newKey("export")
	admin, nobody := n.as(n.admin), w.newVisitor()
	ids := map[string]bool{}
	for what, v := range map[string]*shown{
		"a page":               admin.get("/calls"),
		"a page for nobody":    nobody.get("/sign-in"),
		"a redirect":           nobody.get("/calls"),
		"a page there is not":  admin.get("/nothing"),
		"a refusal":            n.as(n.staff).get("/campaigns/new"),
		"a wrong form":         admin.post("/do-not-call", form("phone_number", "x")),
		"a question":           admin.get("/settings/api-keys/" + key.String() + "/revoke"),
		"a stream":             admin.get("/events"),
		"a file":               nobody.get(static.Path("app.css")),
		"a file there is not":  nobody.get("/static/none.css"),
		"a method there isn't": admin.do("PUT", "/calls", "", nil),
	} {
		h := v.header
		for name, want := range map[string]string{
			"Content-Security-Policy": `^default-src 'none'; script-src 'self'; style-src 'self'; font-src ` +
				`'self'; .*frame-ancestors 'none'$`,
			"X-Content-Type-Options":     `^nosniff$`,
			"Referrer-Policy":            `^same-origin$`,
			"Permissions-Policy":         `camera=\(\)`,
			"Cross-Origin-Opener-Policy": `^same-origin$`,
			"X-Request-Id":               `^[0-9a-f-]{36}$`,
			"Cache-Control":              `^(no-store|no-store, no-transform|public, max-age=31536000, immutable)$`,
		} {
			if got := h.Values(name); len(got) != 1 || !regexp.MustCompile(want).MatchString(got[0]) {
				t.Errorf("%s: %s is %q", what, name, got)
			}
		}
		if strings.Contains(h.Get("Content-Security-Policy"), "unsafe") {
			t.Errorf("%s: unsafe policy", what)
		}
		if id := h.Get("X-Request-Id"); ids[id] {
			t.Errorf("%s: the request id is not new", what)
		} else {
			ids[id] = true
		}
		if strings.Contains(v.body, "style=") || strings.Contains(v.body, "onclick=") ||
			strings.Contains(v.body, "<style") {
			t.Errorf("%s: has what the policy forbids", what)
		}
	}
}

func TestErrorPagesQuoteTheRequest(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	for _, v := range []*shown{n.as(n.admin).get("/calls/" + newID().String()), w.newVisitor().get("/nothing")} {
		v.want(http.StatusNotFound).has("Page not found", v.header.Get("X-Request-Id"))
	}
	// Only the log shows the cause of a failure, under the request's ID.
	v := n.as(n.admin)
	w.exec(`alter table call rename to call_that_was`)
	broken := v.get("/calls").want(http.StatusInternalServerError)
	broken.has("Something went wrong", broken.header.Get("X-Request-Id")).lacks("relation", "SQLSTATE")
	if log := w.log.String(); !strings.Contains(
		log, `"request_id":"`+broken.header.Get("X-Request-Id")+`","route":"/calls","error":"list calls`,
	) {
		t.Errorf("the log does not tell why: %s", log)
	}
}

func TestFilesAreKept(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.admin).get(static.Path("js/app.js")).want(http.StatusOK)
	if got := v.header.Get("Cache-Control"); got != "public, max-age=31536000, immutable" {
		t.Errorf("Cache-Control is %q", got)
	}
	if got := v.header.Get("Content-Type"); got != "text/javascript; charset=utf-8" {
		t.Errorf("Content-Type is %q", got)
	}
	// A file is the same for all visitors, compressed or not. Its handler reads and sets
	// no cookie.
	if v.header.Get("Vary") != "Accept-Encoding" || v.header.Get("Set-Cookie") != "" {
		t.Errorf("a file depends on who asks: %v", v.header)
	}
}

func TestOtherSitesCanNotPost(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	for what, header := range map[string]http.Header{
		"another site, by Sec-Fetch-Site": {"Sec-Fetch-Site": {"cross-site"}, "Origin": {"https://evil.example"}},
		"a sibling of ours":               {"Sec-Fetch-Site": {"same-site"}, "Origin": {"https://other.example"}},
		"another site, by Origin":         {"Sec-Fetch-Site": {}, "Origin": {"https://evil.example"}},
		"no origin at all":                {"Sec-Fetch-Site": {}, "Origin": {"null"}},
	} {
		v := n.as(n.admin)
		v.header = header
		v.post("/do-not-call", form("phone_number", "+13125550142")).want(http.StatusForbidden).
			has("came from another site")
		v.post("/sign-in", form("email", n.admin.email, "password", password)).want(http.StatusForbidden)
		if w.count(`select count(*) from do_not_call`) != 0 {
			t.Fatalf("%s got through", what)
		}
	}
	v := n.as(n.admin)
	v.header = http.Header{"Sec-Fetch-Site": {"cross-site"}}
	v.get("/calls").want(http.StatusOK) // a link from another site is allowed
}

// A proxy may forward a Host header of its own.
func TestPublicURLIsTheOrigin(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(o *app.Options) { o.PublicURL = "https://calls.example" })
	n := w.newTenant("Aster")
	v := n.as(n.admin)
	v.header = http.Header{"Sec-Fetch-Site": {}, "Origin": {"https://calls.example"}}
	v.post("/do-not-call", form("phone_number", "+13125550142")).leads("/do-not-call")

	signIn := w.newVisitor().post("/sign-in", form("email", n.admin.email, "password", password)).
		want(http.StatusSeeOther)
	theme := w.newVisitor().post("/theme", form("theme", "dark")).want(http.StatusSeeOther)
	for name, answer := range map[string]*shown{
		"__Host-dialwright_session": signIn, "__Host-dialwright_device": signIn, "__Host-dialwright_theme": theme,
	} {
		cookie := answer.cookie(name)
		for _, attribute := range []string{"HttpOnly", "Secure", "SameSite=Lax", "Path=/"} {
			if !strings.Contains(cookie, attribute) || strings.Contains(cookie, "Domain") {
				t.Errorf("the cookie %s lacks %s, or has a domain: %q", name, attribute, cookie)
			}
		}
	}
}

func TestTheme(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	for _, v := range []*visitor{n.as(n.admin), w.newVisitor()} {
		v.get("/sign-in").lacks(`data-theme=`)
		v.post("/theme", form("theme", "dark", "next", "/profile")).leads("/profile")
		v.get("/nothing").has(`data-theme="dark"`)
		v.post("/theme", form("theme", "light", "next", "https://evil.example/")).leads("/")
		v.get("/nothing").has(`data-theme="light"`)
		v.post("/theme", form("theme", "mauve")).want(http.StatusUnprocessableEntity)
	}
	// The page that follows is the same one: its filters, and the secret of a link, stay.
	if next := n.as(n.admin).get("/calls?q=a&status=live").field("next"); next != "/calls?q=a&status=live" {
		t.Errorf("on a filtered list, the page after a change of theme is %s", next)
	}
	link := n.invitationTo("new@example.com")
	token := strings.TrimPrefix(link, "/invitation?token=")
	for what, page := range map[string]*shown{
		"the invitation": w.newVisitor().get(link).want(http.StatusOK),
		"its answer": w.newVisitor().post("/invitation", form("token", token, "name", "")).
			want(http.StatusUnprocessableEntity),
	} {
		if next := page.field("next"); next != link {
			t.Errorf("%s: the page after a change of theme is %s, want %s", what, next, link)
		}
	}
}

func TestLargeForms(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.admin)
	large := form("name", strings.Repeat("x", 2<<20))
	v.post("/settings/projects", large).want(http.StatusRequestEntityTooLarge).has("too large")
	v.post("/settings/organization", large).want(http.StatusRequestEntityTooLarge)
	w.newVisitor().post("/sign-in", large).want(http.StatusRequestEntityTooLarge)
	v.do("POST", "/settings/projects", "application/x-www-form-urlencoded", strings.NewReader("name=%zz")).
		want(http.StatusUnprocessableEntity)
}

// Text that the database can't store is refused in every field, and is never a server
// error.
func TestUnreadableText(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.admin)
	for _, bad := range []string{"\x00", "a\x00b", "\xff\xfe", "a\x80"} {
		q := url.QueryEscape(bad)
		for _, path := range []string{
			"/campaigns?status=" + q, "/campaigns?cursor=" + q, "/calls?to_number=" + q, "/calls?outcome=" + q,
			"/calls?answered_by=" + q,
			"/calls?campaign_id=" + q, "/calls?after=" + q, "/calls?cursor=" + q, "/do-not-call?q=" + q,
			"/do-not-call?cursor=" + q,
			"/do-not-call/new?phone_number=" + q, "/campaigns/new?project_id=" + q, "/sign-in?next=" + q,
			"/campaigns/" + url.PathEscape(bad),
		} {
			if got := v.get(path); got.status >= 500 {
				t.Errorf("GET %s: %d", path, got.status)
			}
		}
		for name, line := range visits() {
			method, path, _ := strings.Cut(name, " ")
			if method != "POST" || strings.Contains(path, "{id}") || path == "/sign-out" {
				continue
			}
			data := url.Values{}
			for field, values := range line.form {
				data[field] = values
			}
			for _, field := range []string{"name", "email", "password", "phone_number", "note", "account", "token",
				"code", "greeting", "voice", "questions[0].ask",
				"time_zone", "recipients", "connection_id", "scopes", "scheduled_at", "project_id", "current_password",
				"new_password", "next", "theme"} {
				if data.Has(field) || len(data) == 0 {
					changed := url.Values{}
					for f, values := range data {
						changed[f] = values
					}
					changed.Set(field, bad)
					if got := v.post(path, changed); got.status >= 500 {
						t.Errorf("POST %s with %q in %s: %d", path, bad, field, got.status)
					}
				}
			}
		}
	}
}

func TestNothingSecretIsLogged(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := w.newVisitor()
	v.post("/sign-in", form("email", n.admin.email, "password", "not the password at all")).
		want(http.StatusUnauthorized)
	v.post("/sign-in", form("email", n.admin.email, "password", password)).want(http.StatusSeeOther)
	key := secretOf(v.post("/settings/api-keys", form("name", "Export")).want(http.StatusCreated))
	v.post("/settings/integrations", form("carrier", "twilio", "name", "Main", "account", "AC"+
		strings.Repeat("a", 32), "token", "sealed-token-1234")).want(http.StatusSeeOther)
	v.get("/calls?to_number=%2B13125550142").want(http.StatusOK)
	v.post("/do-not-call", form("phone_number", "+1 312 555 0142", "note", "a private note")).
		want(http.StatusSeeOther)
	v.get("/setup?code=0123456789abcdef0123456789abcdef")
	w.exec(`alter table do_not_call rename to was`)
	v.post("/do-not-call", form("phone_number", "+1 312 555 0142", "note", "a private note")).
		want(http.StatusInternalServerError)

	log := w.log.String()
	if !strings.Contains(log, `"route":"/settings/api-keys"`) {
		t.Fatalf("the log holds no pages: %s", log)
	}
	for what, secret := range map[string]string{
		"a password": password, "a wrong password": "not the password at all", "an API key": key,
		"a part of an API key": key[8:40],
		"a session token":      v.cookie("dialwright_session"), "an Auth Token": "sealed-token-1234",
		"a phone number": "3125550142",
		"a body":         "a private note", "a set-up code": "0123456789abcdef", "an address": n.admin.email,
	} {
		if secret == "" || strings.Contains(log, secret) {
			t.Errorf("the log holds %s: %q", what, secret)
		}
	}
}

var secretValue = regexp.MustCompile(`ik_live_[0-9a-f]{64}`)

// secretOf returns the API key on a page.
func secretOf(v *shown) string {
	v.t.Helper()
	keys := secretValue.FindAllString(v.body, -1)
	if len(keys) != 1 {
		v.t.Fatalf("%s: shows %d keys", v.what, len(keys))
	}
	return keys[0]
}

func TestHead(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if v := w.newVisitor().do("HEAD", static.Path("app.css"), "", nil).want(http.StatusOK); v.body != "" ||
		v.header.Get("Content-Type") != "text/css; charset=utf-8" {
		t.Errorf("HEAD of a file: %v %q", v.header, v.body)
	}
	n := w.newTenant("Aster")
	n.as(n.admin).do("HEAD", "/calls", "", nil).want(http.StatusOK)
}

func TestPanic(t *testing.T) {
	t.Parallel()
	log := &logBuffer{}
	s := &frame.Server{App: &app.App{Log: slog.New(slog.NewJSONHandler(log, nil)), Now: time.Now}}
	answer := httptest.NewRecorder()
	h := s.Observe(secure(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("lost a screw") })))
	h.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/", nil))
	if body := answer.Body.String(); answer.Code != http.StatusInternalServerError ||
		strings.Contains(body, "screw") || !strings.Contains(body, answer.Header().Get("X-Request-Id")) {
		t.Errorf("%d %s", answer.Code, body)
	}
	if !strings.Contains(log.String(), "lost a screw") || !strings.Contains(log.String(), "TestPanic") {
		t.Errorf("the log does not tell what panicked, or where: %s", log)
	}
}
