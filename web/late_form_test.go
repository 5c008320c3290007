package web

import (
	"bytes"
	"html"
	"mime/multipart"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/app"
	"github.com/dialwright/dialwright/internal/seal"
	"github.com/dialwright/dialwright/web/people"
)

// lateField is the field of the sign-in form that carries a sealed late form.
const lateField = "late_form"

// late posts a form after the session has ended, and requires the sign-in form as the
// response.
func (b *visitor) late(from, to string, data url.Values) *shown {
	b.t.Helper()
	b.w.exec(`delete from user_session`)
	b.header.Set("Referer", b.w.server.URL+from)
	defer b.header.Del("Referer")
	return b.post(to, data).want(http.StatusUnauthorized).has("Sign in", "so nothing was saved")
}

// signInWith signs a person in by a sign-in form.
func (b *visitor) signInWith(page *shown, p person) *shown {
	b.t.Helper()
	return b.post("/sign-in", page.carried("email", p.email, "password", password))
}

// carried returns the fields that a step of the sign-in sends, including the hidden
// fields of its page.
func (v *shown) carried(pairs ...string) url.Values {
	v.t.Helper()
	return form(append(pairs, "next", v.field("next"), lateField, v.field(lateField))...)
}

// carries reports whether a sign-in form carries a late form.
func (v *shown) carries() bool { return strings.Contains(v.body, ` name="`+lateField+`"`) }

// again returns the form that sends a late form again: its action, and its fields as a
// browser sends them.
func (v *shown) again() (action string, fields url.Values) {
	v.t.Helper()
	v.want(http.StatusOK).has("Send it again?", "so nothing was saved. Your entries are below.", "Send now", "Discard")
	_, main, _ := strings.Cut(v.body, "<main")
	to := regexp.MustCompile(`<form class="page-body[^>]* action="([^"]*)"`).FindStringSubmatch(main)
	action = html.UnescapeString(to[1])
	fields = url.Values{}
	hidden := regexp.MustCompile(`<input type="hidden" name="([^"]*)" value="([^"]*)">`)
	for _, m := range hidden.FindAllStringSubmatch(main, -1) {
		fields.Add(html.UnescapeString(m[1]), html.UnescapeString(m[2]))
	}
	return action, fields
}

func TestALateFormIsSentAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	b := n.as(n.admin)
	typed := form("name", "Night & day", "time_zone", "America/Chicago", "region", "US", "calling_hours", "always",
		"password", "never carried", "api_token", "nor this")
	projects := func() int { return w.count(`select count(*) from project where name = 'Night & day'`) }

	late := b.late("/settings/projects/new?x=1", "/settings/projects?x=2", typed).
		has("You were signed out, so nothing was saved", "Sign in to see your entries").
		lacks("Night", "America/Chicago", "never carried", "nor this")
	if got := late.field("next"); got != "/settings/projects/new?x=1" {
		t.Errorf("it leads on to %q", got)
	}
	signIn := w.newVisitor().get("/sign-in")
	for _, header := range []string{
		"Content-Security-Policy", "X-Content-Type-Options", "Referrer-Policy", "Cache-Control",
		"Cross-Origin-Opener-Policy",
	} {
		if got, want := late.header.Get(header), signIn.header.Get(header); got != want || want == "" {
			t.Errorf("%s is %q, of the sign-in page %q", header, got, want)
		}
	}

	// A wrong password does not lose the late form.
	late = b.post("/sign-in", late.carried("email", n.admin.email, "password", "not the password")).
		want(http.StatusUnauthorized).lacks("Night").
		has("Wrong email address or password", "You were signed out, so nothing was saved")

	page := b.signInWith(late, n.admin).
		has("Night & day", "America/Chicago", "Enter these again: api token, password.").
		lacks("never carried", "nor this")
	if !page.uncached() {
		t.Error("a cache may keep it")
	}
	if got := pathOf(t, page, "Discard"); got != "/settings/projects/new?x=1" {
		t.Errorf("Discard leads to %s", got)
	}
	if projects() != 0 {
		t.Fatal("signing in has sent it")
	}
	action, fields := page.again()
	if action != "/settings/projects?x=2" {
		t.Errorf("it is sent to %s", action)
	}
	typed.Del("password")
	typed.Del("api_token")
	if fields.Encode() != typed.Encode() {
		t.Errorf("it sends %v, not %v", fields, typed)
	}
	b.post(action, fields).leads("/settings/projects")
	if projects() != 1 {
		t.Error("sending it again did nothing")
	}
}

// A long form is restored completely and in order. If the form itself has an error, its
// own page shows it.
func TestALongLateForm(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	b := n.as(n.admin)
	body := "name=Nora&language=es-MX&greeting=Hola"
	for _, f := range [][2]string{
		{"questions[0].key", "ok"}, {"questions[0].ask", "Well?"},
		{"questions[0].expect", "yes_no"},
		{"questions[1].key", "day"}, {"questions[1].ask", "Which day, <then>?"},
		{"questions[1].expect", "choice"},
		{"questions[1].options", "Monday\r\nTuesday"}, {"note", "twice"},
		{"note", "said"},
	} {
		body += "&" + url.QueryEscape(f[0]) + "=" + url.QueryEscape(f[1])
	}
	w.exec(`delete from user_session`)
	late := b.do("POST", "/agents", "application/x-www-form-urlencoded", strings.NewReader(body))
	late.want(http.StatusUnauthorized)
	page := b.signInWith(late, n.admin)
	words := page.words()
	at := 0
	for _, want := range []string{
		"Greeting Hola", "Question 1 Well?", "Question 2 Which day, <then>?",
		"Question 2, options Monday Tuesday", "Note twice, said",
	} {
		found := strings.Index(words[at:], want)
		if found < 0 {
			t.Fatalf("%q is missing, or out of order: %s", want, words)
		}
		at += found
	}
	action, fields := page.again()
	b.post(action, changed(fields, "name", "")).want(http.StatusUnprocessableEntity).
		has("New agent", "Which day, <then>?", ">Monday")
	b.post(action, fields).leadsBelow("/agents/")
	if got := w.count(`select jsonb_array_length(script->'questions') from agent where name = 'Nora'`); got != 2 {
		t.Errorf("the agent has %d questions", got)
	}
}

// A late form keeps its entries, except a file and a list above the size limit.
func TestALateFormWithAFile(t *testing.T) {
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
	late := b.do("POST", "/campaigns", parts.FormDataContentType(), &body).want(http.StatusUnauthorized)
	page := b.signInWith(late, n.admin).has("Enter these again: file, recipients.", "very long lists").
		lacks("+15005000001")
	action, fields := page.again()
	if want := form("name", "Visits in May", "max_concurrency", "7"); action != "/campaigns" ||
		fields.Encode() != want.Encode() {
		t.Errorf("it sends %v to %s", fields, action)
	}
	b.post(action, fields).want(http.StatusUnprocessableEntity).has("New campaign", "Visits in May")
}

func TestALateFormAndTheSecondFactor(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	secret := n.withApp(t)
	p := person{email: "appe.aster@example.com"}
	p.id = value[uuid.UUID](w, `select id from app_user where email = $1`, p.email)
	code := func() string {
		w.exec(`update second_factor set last_step = 0`)
		return appCode(secret, int64(w.count(`select floor(extract(epoch from clock()))::bigint`)))
	}
	b := n.as(p)
	late := b.late("/profile", "/profile", form("name", "Ada Lovelace"))
	step := b.signInWith(late, p).want(http.StatusOK).has("Enter the code").lacks("Lovelace")
	step = b.post("/sign-in/code", step.carried("code", "nonsense")).
		want(http.StatusUnprocessableEntity).has("This code is wrong or was already used").lacks("Lovelace")
	page := b.post("/sign-in/code", step.carried("code", code()))
	action, fields := page.has("Ada Lovelace").again()
	b.post(action, fields).leads("/profile")
	if got := value[string](w, `select name from app_user where id = $1`, p.id); got != "Ada Lovelace" {
		t.Errorf("the name is %q", got)
	}

	// The first step has expired, so the person repeats both steps. The form is kept.
	late = b.late("/profile", "/profile", form("name", "Ada King"))
	b.signInWith(late, p).want(http.StatusOK)
	w.Advance(24 * 60 * 60 * 1e9)
	late = b.post("/sign-in/code", late.carried("code", code())).
		want(http.StatusUnauthorized).has("Sign in", "You were signed out, so nothing was saved")
	step = b.signInWith(late, p).want(http.StatusOK).has("Enter the code")
	b.post("/sign-in/code", step.carried("code", code())).has("Ada King").again()

	// Without a late form, each step has its own page.
	w.exec(`delete from user_session`)
	plain := form("email", p.email, "password", password, "next", "/calls")
	b.post("/sign-in", plain).leads("/sign-in/code?next=%2Fcalls")
}

// Only the sender is offered a late form, and only in the same organization. Another
// person in the same browser is not.
func TestALateFormIsForOnePerson(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n, other := w.newTenant("Aster"), w.newTenant("Borealis")
	cleo := n.newPerson("Cleo", account.Admin)
	b := n.as(n.admin)
	late := b.late("/settings/projects/new", "/settings/projects", form("name", "Night"))
	b.signInWith(late, cleo).leads("/")
	b.get("/").want(http.StatusOK).lacks("Night")
	w.newVisitor().signInWith(late, other.admin).leads("/")

	// The sender may use another browser, and another organization there.
	w.newVisitor().signInWith(late, n.admin).has("Night").again()
	w.exec(`insert into membership (organization_id, user_id, role, seen_at)
		values ($1, $2, 'admin', clock() + interval '1 day')`, other.organization, n.admin.id)
	elsewhere := w.newVisitor()
	elsewhere.signInWith(late, n.admin).leads("/")
	elsewhere.get("/").want(http.StatusOK).lacks("Night").
		has("Your entries were not sent, because they belong to another organization.")
}

// A late form that is not validly sealed is dropped, and the sign-in continues without
// it.
func TestATamperedLateForm(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	b := n.as(n.admin)
	sealed := b.late("/settings/projects/new", "/settings/projects", form("name", "Night")).field(lateField)
	flipped := []byte(sealed)
	if flipped[len(flipped)/2]++; flipped[len(flipped)/2] > 'z' {
		flipped[len(flipped)/2] = 'a'
	}
	ticket := n.as(n.staff).get("/profile/second-factor/new").field("ticket")
	for what, late := range map[string]string{
		"changed":             string(flipped),
		"cut":                 sealed[:len(sealed)/2],
		"for another purpose": ticket,
		"markup":              `"><b>x</b>`,
		"none":                "",
	} {
		data := form("email", n.admin.email, "password", "not the password", "next", "/calls", lateField, late)
		if got := w.newVisitor().post("/sign-in", data).want(http.StatusUnauthorized); got.carries() {
			t.Errorf("%s: it is carried on", what)
		}
		data.Set("password", password)
		w.newVisitor().post("/sign-in", data).leads("/calls")
	}

	// A server with another master key can't open the late form.
	other, err := seal.NewVault(bytes.Repeat([]byte{7}, seal.MasterKeySize))
	if err != nil {
		t.Fatal(err)
	}
	w = newWorld(t, func(o *app.Options) { o.Vault = other })
	n = w.newTenant("Aster")
	w.newVisitor().post("/sign-in",
		form("email", n.admin.email, "password", password, "next", "/calls", lateField, sealed)).leads("/calls")
}

// A late form is sent again only to a path that takes forms.
func TestPathsThatTakeForms(t *testing.T) {
	t.Parallel()
	s := newServer(newWorld(t).app)
	for path, want := range map[string]bool{
		"/campaigns": true, "/settings/projects/" + newID().String(): true,
		"/calls": true, "": false, "campaigns": false, "/live": false, "/nothing": false, "/api/v1/campaigns": false,
	} {
		if got := s.takesForm(path); got != want {
			t.Errorf("%q takes forms: %t", path, got)
		}
	}
}

func TestWhatIsNotCarried(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	b := n.as(n.admin)
	const again = "You were signed out, so nothing was saved Sign in and try again."
	for _, c := range []struct {
		path string
		data url.Values
		says string
	}{
		{"/profile/password", form("current_password", password, "new_password", password), again}, // only secrets
		{"/campaigns/" + newID().String() + "/pause", nil, again},                                  // no entries
		{"/do-not-call", form("phone_number", strings.Repeat("1", 2<<20)), "The form is too long to keep."},
	} {
		late := b.late("/profile", c.path, c.data).has(c.says)
		if late.carries() || late.field("next") != "/profile" {
			t.Errorf("%s is carried, or leads to %s", c.path, late.field("next"))
		}
		b.post("/sign-in", form("email", n.admin.email, "password", password, "next", late.field("next"))).
			leads("/profile")
	}
	// A browser without an earlier session keeps no form, and the server refuses
	// another site's form.
	stranger := w.newVisitor().post("/settings/organization", form("name", "Mine")).want(http.StatusUnauthorized).
		has("You are not signed in, so nothing was saved").lacks("Mine")
	if stranger.carries() || stranger.field("next") != "/" {
		t.Error("a stranger's form is carried")
	}
	b.header.Set("Sec-Fetch-Site", "cross-site")
	b.header.Set("Origin", "https://evil.example")
	if b.post("/settings/organization", form("name", "Mine")).want(http.StatusForbidden).carries() {
		t.Error("another site's form is carried")
	}
}

// The longest late form fits into the sign-in form and is restored.
func TestTheLongestLateForm(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	b := n.as(n.admin)
	w.exec(`delete from user_session`)
	const most, rest = 2000, people.MaxLateForm - 16<<10
	send := func(fields int) *shown {
		var body bytes.Buffer
		parts := multipart.NewWriter(&body)
		for i := range fields - 1 {
			_ = parts.WriteField("f"+strconv.Itoa(i), "\x01<")
		}
		_ = parts.WriteField("recipients", strings.Repeat("\x01<\"é", rest/5))
		_ = parts.Close()
		return b.do("POST", "/campaigns", parts.FormDataContentType(), &body).want(http.StatusUnauthorized)
	}
	if send(most + 1).has("The form is too long to keep").carries() {
		t.Error("a longer form is carried")
	}
	late := send(most)
	if size := len(late.field(lateField)); size < people.MaxLateForm || size > maxSignInForm-16<<10 {
		t.Errorf("sealed it has %d bytes", size)
	}
	_, fields := b.signInWith(late, n.admin).again()
	if len(fields) != most || len(fields.Get("recipients")) != rest/5*5 {
		t.Errorf("%d fields are left, the list with %d bytes", len(fields), len(fields.Get("recipients")))
	}
}

// A POST request for a part of a page gets the sign-in form as a whole page.
func TestALateFormOfAPartOfAPage(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	b := n.as(n.admin)
	b.header.Set("HX-Request", "true")
	late := b.late("/agents/new", "/agents", form("name", "Nora", "action", "question"))
	for name, want := range map[string]string{"HX-Retarget": "body", "HX-Reselect": "unset", "HX-Redirect": ""} {
		if got := late.header.Get(name); got != want {
			t.Errorf("%s is %q", name, got)
		}
	}
	b.header.Del("HX-Request")
	action, fields := b.signInWith(late, n.admin).again()
	b.post(action, fields).want(http.StatusOK).has("New agent", "Nora")
}
