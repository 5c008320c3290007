package web

import (
	"bytes"
	"errors"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"
)

// signInAgain signs a person in at a browser whose session is over.
func (b *visitor) signInAgain(p person, next string) *shown {
	b.t.Helper()
	return b.post("/sign-in", form("email", p.email, "password", password, "next", next))
}

// nextOf is where a redirect to the sign-in leads on to.
func nextOf(t testing.TB, v *shown) string {
	t.Helper()
	u, err := url.Parse(v.want(http.StatusSeeOther).header.Get("Location"))
	if err != nil || u.Path != "/sign-in" {
		t.Fatalf("%s: leads to %s", v.what, v.header.Get("Location"))
	}
	return u.Query().Get("next")
}

func TestAFormOutlivesItsSession(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	b := n.as(n.admin)
	typed := form("name", "Night & day", "time_zone", "America/Chicago", "region", "US", "calling_hours", "always", "password", "never kept", "api_token", "nor this")

	w.exec(`delete from user_session`) // revoked: the row is gone
	b.header.Set("Referer", w.server.URL+"/settings/projects/new")
	next := nextOf(t, b.post("/settings/projects", typed))
	if !strings.HasPrefix(next, "/kept/") {
		t.Fatalf("the form is not kept: %q", next)
	}
	if n := w.count(`select count(*) from kept_form where position('Night'::bytea in form) > 0`); n != 0 {
		t.Error("it is stored as it is")
	}

	// Nobody else gets to see it, not even in the same browser.
	w.newVisitor().get(next).leads("/sign-in?next=" + url.QueryEscape(next))
	other := n.as(n.staff)
	other.get(next).want(http.StatusNotFound).lacks("Night")

	b.signInAgain(n.admin, next).leads(next)
	page := b.get(next).want(http.StatusOK).has("Night & day", "America/Chicago", "Send now", "api token and password", `href="/settings/projects/new"`).
		lacks("never kept", "nor this")
	if page.header.Get("Cache-Control") != "no-store" {
		t.Error("a cache may keep it")
	}
	// Nothing was done by signing in; sending it does what it would have done.
	if n := w.count(`select count(*) from project where name = 'Night & day'`); n != 0 {
		t.Fatal("it was carried out by itself")
	}
	again := url.Values{}
	for _, name := range []string{"name", "time_zone", "region", "calling_hours"} {
		again.Set(name, page.field(name))
	}
	if got := page.links(); !strings.Contains(strings.Join(got, " "), "POST /settings/projects") {
		t.Errorf("it leads to %v", got)
	}
	b.post("/settings/projects", again).leads("/settings/projects")
	if n := w.count(`select count(*) from project where name = 'Night & day'`); n != 1 {
		t.Error("sending it again did nothing")
	}

	// It is forgotten after a while.
	w.Advance(61 * 60 * 1e9)
	b.get(next).want(http.StatusNotFound)
}

// A file is not kept, nor a list beyond the bound; what was typed is.
func TestWhatIsKeptOfAFormWithAFile(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	b := n.as(n.admin)
	w.exec(`update user_session set expires_at = clock()`)
	var body bytes.Buffer
	parts := multipart.NewWriter(&body)
	_ = parts.WriteField("name", "Visits in May")
	file, _ := parts.CreateFormFile("file", "list.csv")
	_, _ = file.Write([]byte("phone_number\n+15005000001\n"))
	_ = parts.WriteField("recipients", strings.Repeat("+15005000001\n", 200_000))
	_ = parts.WriteField("max_concurrency", "7")
	_ = parts.Close()
	next := nextOf(t, b.do("POST", "/campaigns", parts.FormDataContentType(), &body))
	b.signInAgain(n.admin, next)
	b.get(next).want(http.StatusOK).has("Visits in May", "7", "Not kept: file and recipients").lacks("+15005000001")
}

func TestWhatIsNotKept(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	b := n.as(n.admin)
	w.exec(`delete from user_session`)
	b.header.Set("Referer", w.server.URL+"/profile")
	for path, data := range map[string]url.Values{
		"/profile/password":                         form("current_password", password, "new_password", password), // only secrets
		"/campaigns/" + newID().String() + "/pause": nil,                                                          // nothing typed
		"/settings/do-not-call":                     form("phone_number", strings.Repeat("1", 2<<20)),
	} {
		if next := nextOf(t, b.post(path, data)); next != "/profile" {
			t.Errorf("%s leads to %s", path, next)
		}
	}
	// A browser nobody was signed in at keeps nothing, nor does another site's form.
	if next := nextOf(t, w.newVisitor().post("/settings/organization", form("name", "Mine"))); next != "" {
		t.Errorf("a stranger's form leads to %s", next)
	}
	b.header.Set("Sec-Fetch-Site", "cross-site")
	b.header.Set("Origin", "https://evil.example")
	b.post("/settings/organization", form("name", "Mine")).want(http.StatusForbidden)
	if n := w.count(`select count(*) from kept_form`); n != 0 {
		t.Errorf("%d forms are kept", n)
	}
	// The newest few of a person only.
	b.header.Del("Sec-Fetch-Site")
	b.header.Del("Origin")
	for range 8 {
		nextOf(t, b.post("/settings/organization", form("name", "Mine")))
	}
	if n := w.count(`select count(*) from kept_form`); n != 5 {
		t.Errorf("%d forms are kept", n)
	}
}

// What is stored of a form is bounded, also in the names of what is left out of
// it, and so is the work of finding that out.
func TestAKeptFormIsBounded(t *testing.T) {
	t.Parallel()
	for what, write := range map[string]func(parts *multipart.Writer, i int){
		"fields":  func(parts *multipart.Writer, i int) { _ = parts.WriteField("f"+strconv.Itoa(i), "") },
		"files":   func(parts *multipart.Writer, i int) { _, _ = parts.CreateFormFile("f"+strconv.Itoa(i), "list.csv") },
		"secrets": func(parts *multipart.Writer, i int) { _ = parts.WriteField("token"+strconv.Itoa(i), "x") },
		"names": func(parts *multipart.Writer, i int) {
			_, _ = parts.CreateFormFile(strconv.Itoa(i%10)+strings.Repeat("f", 1<<10), "list.csv")
		},
	} {
		var body bytes.Buffer
		parts := multipart.NewWriter(&body)
		for i := range maxKeptFields + 1 {
			write(parts, i)
		}
		_ = parts.Close()
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/campaigns", &body)
		r.Header.Set("Content-Type", parts.FormDataContentType())
		var form keptForm
		if err := form.read(r); !errors.Is(err, errTooLong) {
			t.Errorf("%d %s: %v, %d fields and %d names kept", maxKeptFields+1, what, err, len(form.Fields), len(form.Lost))
		}
	}
}
