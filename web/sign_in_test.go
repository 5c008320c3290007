package web

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/web/frame"
)

func TestSignIn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := w.newVisitor()
	v.get("/sign-in?next=%2Fcalls%3Foutcome%3Dbusy").want(http.StatusOK).
		has("Sign in", strings.TrimPrefix(w.server.URL, "http://"), "/calls?outcome=busy")

	// A wrong password and an unknown address get the same answer.
	for _, email := range []string{n.admin.email, "nobody@example.com"} {
		v.post("/sign-in", form("email", email, "password", "wrong wrong wrong", "next", "/calls", "remember", "on")).
			want(http.StatusUnauthorized).has("Wrong email address or password", email, `value="/calls"`).
			lacks("wrong wrong wrong")
	}
	before := v.cookie("dialwright_session")

	v.post("/sign-in", form("email", strings.ToUpper(n.admin.email), "password", password, "next",
		"/calls?outcome=busy")).leads("/calls?outcome=busy")
	if after := v.cookie("dialwright_session"); after == "" || after == before {
		t.Error("the session's token was not renewed")
	}
	v.get("/").want(http.StatusOK).has("Aster Ada", "Admin")
	v.get("/sign-in").leads("/")
	// The session ends with the browser, unless the person asks to stay signed in.
	for remember, lasts := range map[string]bool{"": false, "on": true} {
		cookie := w.newVisitor().
			post("/sign-in", form("email", n.admin.email, "password", password, "remember", remember)).
			cookie("dialwright_session")
		if strings.Contains(cookie, "Max-Age=26") != lasts {
			t.Errorf("with remember %q the cookie is %q", remember, cookie)
		}
	}
	if n := w.count(
		`select count(*) from sessions where token = $1 or position($1::bytea in data) > 0`,
		v.cookie("dialwright_session"),
	); n != 0 {
		t.Error("the store holds the cookie's token as it is")
	}
	if n := w.count(
		`select count(*) from sessions where position(convert_to($1, 'UTF8') in data) > 0`, n.admin.id.String(),
	); n != 0 {
		t.Error("the store holds what a session is, in clear")
	}
	// A session that can't be decrypted is treated as missing, and causes no error.
	w.exec(`update sessions set data = 'changed'`)
	v.get("/").leads("/sign-in")
}

// A session that an attacker planted in a browser before the sign-in is worthless
// afterwards.
func TestSignInAgainstFixation(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	attacker := w.newVisitor()
	attacker.post("/sign-out", nil) // the request makes no session
	// The toast of a sign-out makes a session without a person.
	other := n.as(n.staff)
	other.post("/sign-out", nil).leads("/sign-in")
	planted := other.cookie("dialwright_session")
	if planted == "" {
		t.Fatal("there is no session to plant")
	}
	victim := w.newVisitor()
	victim.client.Jar.SetCookies(w.origin(), []*http.Cookie{{Name: "dialwright_session", Value: planted, Path: "/"}})
	victim.post("/sign-in", form("email", n.admin.email, "password", password)).leads("/")
	victim.get("/").want(http.StatusOK)
	other.get("/").leads("/sign-in")
	if victim.cookie("dialwright_session") == planted {
		t.Error("the planted token is in use")
	}
}

func TestSignInSlowsDown(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.StopClock()
	n := w.newTenant("Aster")
	v := w.newVisitor()
	var last *shown
	for range 10 {
		if last = v.post(
			"/sign-in", form("email", n.admin.email, "password", "wrong wrong wrong"),
		); last.status != http.StatusUnauthorized {
			break
		}
	}
	last.want(http.StatusTooManyRequests).has("Too many failed sign-ins", n.admin.email)
	seconds, err := strconv.Atoi(last.header.Get("Retry-After"))
	if err != nil || seconds < 1 || seconds > 30 {
		t.Fatalf("Retry-After is %q", last.header.Get("Retry-After"))
	}
	w.Advance(time.Duration(seconds) * time.Second)
	v.post("/sign-in", form("email", n.admin.email, "password", password)).leads("/")
}

func TestSignInLeadsNowhereElse(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	for _, next := range []string{
		"https://evil.example/", "//evil.example/", "/\\evil.example", "\\\\evil.example", "javascript:alert(1)",
		"evil", "/\t/evil.example", "/\n/evil.example",
		"http:evil.example", "///evil.example", "/%5cevil.example/..//", " //evil.example",
	} {
		if got := frame.OwnPath(next); got != "/" && !strings.HasPrefix(got, "/%5c") {
			t.Errorf("%q leads to %q", next, got)
		}
	}
	v := w.newVisitor()
	v.post("/sign-in", form("email", n.admin.email, "password", password, "next", "//evil.example/")).leads("/")
	v.get("/sign-in?next=" + url.QueryEscape("https://evil.example/")).leads("/")
	w.newVisitor().get("/sign-in?next=" + url.QueryEscape("https://evil.example/")).lacks("evil.example")
}

func TestSignOut(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.admin)
	copied := w.newVisitor() // a thief with a copy of the cookie
	copied.client.Jar.SetCookies(w.origin(), v.client.Jar.Cookies(w.origin()))
	copied.get("/").want(http.StatusOK)
	v.post("/sign-out", nil).leads("/sign-in")
	v.get("/sign-in").has("You are signed out.")
	v.get("/sign-in").lacks("You are signed out.")
	v.get("/").leads("/sign-in")
	copied.get("/").leads("/sign-in")
	if w.count(`select count(*) from user_session`) != 0 {
		t.Error("the session is still there")
	}
}

// A change of a person's rights takes effect at their next request.
func TestChangesHoldAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	ctx := t.Context()

	v := n.as(n.staff)
	v.get("/campaigns/new").want(http.StatusForbidden)
	if err := w.accounts.SetRole(ctx, n.actor(), n.staff.id, account.Admin); err != nil {
		t.Fatal(err)
	}
	v.get("/campaigns/new").want(http.StatusOK)
	if err := w.accounts.SetRole(ctx, n.actor(), n.staff.id, account.Staff); err != nil {
		t.Fatal(err)
	}
	v.get("/campaigns/new").want(http.StatusForbidden)
	if err := w.accounts.RemoveMember(ctx, n.actor(), n.staff.id); err != nil {
		t.Fatal(err)
	}
	v.get("/calls").leads("/sign-in?next=%2Fcalls")

	first, second := n.as(n.admin), n.as(n.admin)
	first.get("/profile").want(http.StatusOK).has("Firefox on Linux", "This browser", "Sign out everywhere else")
	id := value[string](w, `select id::text from user_session where user_id = $1 order by id desc limit 1`, n.admin.id)
	first.post("/profile/sessions/"+id+"/revoke", nil).leads("/profile")
	first.get("/profile").has("Browser signed out")
	second.get("/").leads("/sign-in")

	third := n.as(n.admin)
	first.post("/profile/sessions/revoke-others", nil).leads("/profile")
	first.get("/profile").has("1 other browser signed out")
	third.get("/").leads("/sign-in")

	// Changing a password ends the other sessions. Resetting it ends all sessions.
	fourth := n.as(n.admin)
	first.post("/profile/password", form("current_password", "wrong wrong", "new_password", "short")).
		wrong("current_password", "Wrong password", "new_password", "12 characters")
	first.post("/profile/password", form("current_password", password, "new_password", "another long password")).
		wrong("new_password", "Too easy to guess").lacks("Wrong password")
	first.post("/profile/password", form("current_password", "wrong wrong", "new_password", "another orange river")).
		wrong("current_password", "Wrong password").lacks("Too easy to guess")
	first.post("/profile/password", form("current_password", password, "new_password", "another orange river")).
		leads("/profile")
	first.get("/profile").want(http.StatusOK).has("Password changed")
	fourth.get("/").leads("/sign-in")
	if err := w.accounts.ResetPassword(ctx, n.admin.email, "yet another orange bridge"); err != nil {
		t.Fatal(err)
	}
	first.get("/").leads("/sign-in")

	// The session has expired.
	fifth := n.as(n.admin)
	w.exec(`update user_session set expires_at = clock()`)
	fifth.get("/").leads("/sign-in")
}

// A person can't end another person's session.
func TestSessionsAreOnesOwn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	victim, v := n.as(n.admin), n.as(n.staff)
	id := value[string](w, `select id::text from user_session where user_id = $1`, n.admin.id)
	v.post("/profile/sessions/"+id+"/revoke", nil).want(http.StatusNotFound)
	v.post("/profile/sessions/revoke-others", nil).leads("/profile")
	victim.get("/").want(http.StatusOK)
}

func TestSetUp(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	code, err := w.accounts.OpenSetup(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	v := w.newVisitor()
	v.get("/").leads("/setup")
	v.get("/sign-in").leads("/setup")
	v.get("/calls/" + newID().String()).leads("/setup")
	if got := v.get("/setup?code=" + code).want(http.StatusOK).has("Set up this server"); got.field("code") != code {
		t.Error("the link's code is not in the form")
	}
	v.get("/setup").want(http.StatusOK).has("Setup code")
	v.header.Set("Accept-Language", "de-AT,de;q=0.9,en;q=0.5")
	if !v.get("/setup").chosen("region", "AT") {
		t.Error("the country is not the browser's")
	}
	v.header.Del("Accept-Language")
	v.get("/setup?code=" + strings.Repeat("0", 32)).want(http.StatusOK).has("not valid")

	data := form("code", code, "organization", "Aster", "time_zone", "America/Chicago", "region", "US",
		"name", "Ada", "email", "ada@example.com", "password", password)
	with := func(field, value string) url.Values {
		changed := url.Values{}
		for f, values := range data {
			changed[f] = values
		}
		changed.Set(field, value)
		return changed
	}
	v.post("/setup", with("code", strings.Repeat("0", 32))).want(http.StatusForbidden).
		has("not valid", "Aster", "ada@example.com").lacks(password)
	v.post("/setup", with("code", "")).want(http.StatusForbidden)
	v.post("/setup", with("organization", "")).wrong("organization", "Required").has("ada@example.com")
	v.post("/setup", with("time_zone", "Mars/Olympus")).
		wrong("time_zone", "Must be a time zone such as America/Chicago")
	v.post("/setup", with("time_zone", "berlin")).wrong("time_zone", "Did you mean Europe/Berlin?")
	v.post("/setup", with("email", "ada")).wrong("email", "Not an email address")
	v.post("/setup", with("password", "short")).wrong("password", "12 characters").lacks("short")
	if n := w.count(`select count(*) from organization`); n != 0 {
		t.Fatalf("%d organizations were left behind", n)
	}

	v.post("/setup", data).leads("/")
	v.get("/").want(http.StatusOK).has("Aster", "No campaigns yet", "Aster: Recipient's time, 08:00–21:00, every day")
	v.get("/campaigns/new").has("Aster").lacks("There is no project yet")
	if got := value[string](w, `
		select concat_ws(', ', p.name, p.time_zone, p.region, e.actor_name)
		from project p join audit_entry e on e.object_id = p.id`); got != "Aster, America/Chicago, US, Ada" {
		t.Errorf("the first project is %s", got)
	}
	v.get("/setup?code=" + code).leads("/sign-in")
	other := w.newVisitor()
	other.get("/setup?code=" + code).leads("/sign-in")
	other.post("/setup", data).want(http.StatusNotFound)
	other.get("/").leads("/sign-in")
}
