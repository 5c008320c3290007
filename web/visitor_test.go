package web

import (
	"html"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/testwait"
	"github.com/dialwright/dialwright/web/frame"
)

// visitor is a client that keeps cookies and does not follow redirects.
type visitor struct {
	t      testing.TB
	w      *world
	client *http.Client
	header http.Header // headers of each request, besides the usual ones
	proxy  string      // address of a proxy before the server; "": no proxy
}

func (b *visitor) origin() string {
	if b.proxy != "" {
		return b.proxy
	}
	return b.w.server.URL
}

func (w *world) newVisitor() *visitor {
	w.t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		w.t.Fatal(err)
	}
	return &visitor{t: w.t, w: w, header: http.Header{}, client: &http.Client{
		Jar: jar, Timeout: testwait.Limit,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// as returns a browser in which a person is signed in. It does not use the sign-in form,
// because checking a password is slow.
func (n *tenant) as(p person) *visitor {
	n.w.t.Helper()
	b := n.w.newVisitor()
	token := rawToken()
	n.w.exec(`insert into user_session (id, user_id, organization_id, token_hash, agent, expires_at)
		values ($1, $2, $3, sha256($4), 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
			clock() + interval '1 day')`,
		newID(), p.id, n.organization, []byte(token))
	store := frame.New(n.w.app).Sessions
	ctx, err := store.Load(n.w.t.Context(), "")
	if err != nil {
		n.w.t.Fatal(err)
	}
	store.Put(ctx, frame.SessionToken, token)
	store.Put(ctx, frame.SessionUser, p.id.String())
	store.Put(ctx, frame.SessionOrganization, n.organization.String())
	cookie, _, err := store.Commit(ctx)
	if err != nil {
		n.w.t.Fatal(err)
	}
	b.client.Jar.SetCookies(b.w.origin(), []*http.Cookie{{Name: store.Cookie.Name, Value: cookie, Path: "/"}})
	return b
}

func rawToken() string { return uuid.NewString() + uuid.NewString() }

func (w *world) origin() *url.URL {
	u, err := url.Parse(w.server.URL)
	if err != nil {
		w.t.Fatal(err)
	}
	return u
}

func (b *visitor) cookie(name string) string {
	for _, c := range b.client.Jar.Cookies(b.w.origin()) { // a proxy on this host has the same cookies
		if c.Name == name {
			return c.Value
		}
	}
	return ""
}

// shown is an answer that a browser received.
type shown struct {
	t      testing.TB
	what   string
	status int
	header http.Header
	body   string
}

func (b *visitor) get(path string) *shown {
	b.t.Helper()
	return b.do("GET", path, "", nil)
}

func (b *visitor) post(path string, form url.Values) *shown {
	b.t.Helper()
	return b.do("POST", path, "application/x-www-form-urlencoded", strings.NewReader(form.Encode()))
}

func (b *visitor) do(method, path, contentType string, body io.Reader) *shown {
	b.t.Helper()
	r, err := http.NewRequestWithContext(b.t.Context(), method, b.origin()+path, body)
	if err != nil {
		b.t.Fatal(err)
	}
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	if method != "GET" {
		r.Header.Set("Origin", b.origin())
		r.Header.Set("Content-Type", contentType)
	}
	for name, values := range b.header {
		r.Header[name] = values
	}
	return b.send(r)
}

func (b *visitor) send(r *http.Request) *shown {
	b.t.Helper()
	resp, err := b.client.Do(r)
	if err != nil {
		b.t.Fatalf("%s %s: %v", r.Method, r.URL.Path, err)
	}
	defer resp.Body.Close()
	v := &shown{t: b.t, what: r.Method + " " + r.URL.Path, status: resp.StatusCode, header: resp.Header}
	if strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream") {
		return v // a stream may have no end
	}
	content, err := io.ReadAll(resp.Body)
	if err != nil {
		b.t.Fatalf("%s: %v", v.what, err)
	}
	v.body = string(content)
	return v
}

// cookie returns the line that sets a cookie, or "".
func (v *shown) cookie(name string) string {
	for _, line := range v.header.Values("Set-Cookie") {
		if strings.HasPrefix(line, name+"=") {
			return line
		}
	}
	return ""
}

func (v *shown) want(status int) *shown {
	v.t.Helper()
	if v.status != status {
		v.t.Fatalf("%s: status %d, want %d: %s", v.what, v.status, status, v.words())
	}
	return v
}

// uncached reports whether no cache may keep a page, as one that shows a secret.
func (v *shown) uncached() bool { return v.header.Get("Cache-Control") == "no-store, no-transform" }

// leads requires a redirect to a path.
func (v *shown) leads(path string) *shown {
	v.t.Helper()
	if v.want(http.StatusSeeOther); v.header.Get("Location") != path {
		v.t.Fatalf("%s: leads to %q, want %q", v.what, v.header.Get("Location"), path)
	}
	return v
}

// leadsBelow requires a redirect to a path below another one.
func (v *shown) leadsBelow(path string) *shown {
	v.t.Helper()
	if v.want(http.StatusSeeOther); !strings.HasPrefix(v.header.Get("Location"), path) {
		v.t.Fatalf("%s: leads to %q, want below %q", v.what, v.header.Get("Location"), path)
	}
	return v
}

// has requires texts of the page that a person can read, or values of fields.
func (v *shown) has(texts ...string) *shown {
	v.t.Helper()
	body, words := html.UnescapeString(v.body), plain(v.body)
	for _, text := range texts {
		if !strings.Contains(body, text) && !strings.Contains(words, text) {
			v.t.Errorf("%s: %q is missing: %s", v.what, text, v.words())
		}
	}
	return v
}

func (v *shown) lacks(texts ...string) *shown {
	v.t.Helper()
	body := html.UnescapeString(v.body)
	for _, text := range texts {
		if strings.Contains(body, text) {
			v.t.Errorf("%s: holds %q", v.what, text)
		}
	}
	return v
}

// wrong requires the form again, with messages at its fields, as pairs of a field and a
// message.
func (v *shown) wrong(pairs ...string) *shown {
	v.t.Helper()
	v.want(http.StatusUnprocessableEntity)
	for i := 0; i < len(pairs); i += 2 {
		field, message := regexp.QuoteMeta(pairs[i]), pairs[i+1]
		at := regexp.MustCompile(`(?s)id="` + field + `-error".*?</p>`).FindString(v.body)
		if !strings.Contains(plain(at), message) {
			v.t.Errorf("%s: the field %s says %q, want %q: %s", v.what, pairs[i], plain(at), message, v.words())
		}
		if !strings.Contains(v.body, `aria-describedby="`+pairs[i]+`-error"`) {
			v.t.Errorf("%s: the field %s is not described by its message", v.what, pairs[i])
		}
	}
	return v
}

var (
	tags   = regexp.MustCompile(`(?s)<(script|style|svg).*?</(script|style|svg)>|<[^>]*>`)
	spaces = regexp.MustCompile(`\s+`)
)

func plain(markup string) string {
	return strings.TrimSpace(spaces.ReplaceAllString(html.UnescapeString(tags.ReplaceAllString(markup, " ")), " "))
}

// words returns the readable text of the page's main part.
func (v *shown) words() string {
	body := v.body
	if _, main, ok := strings.Cut(body, "<main"); ok {
		body = "<main" + main
	}
	words := plain(body)
	return words[:min(len(words), 1500)]
}

// links returns the links and forms of a page, each once, as "GET /path" and "POST
// /path", without query and fragment.
func (v *shown) links() []string {
	v.t.Helper()
	var all []string
	add := func(method, target string) {
		u, err := url.Parse(html.UnescapeString(target))
		if err != nil {
			v.t.Errorf("%s: link %q: %v", v.what, target, err)
			return
		}
		if u.Host == "" && u.Path != "" && !slices.Contains(all, method+" "+u.Path) {
			all = append(all, method+" "+u.Path)
		}
	}
	for _, m := range regexp.MustCompile(`<(?:a|link)\b[^>]*\shref="([^"]*)"`).FindAllStringSubmatch(v.body, -1) {
		add("GET", m[1])
	}
	for _, m := range regexp.MustCompile(`\s(?:src|sse-connect)="([^"]*)"`).FindAllStringSubmatch(v.body, -1) {
		add("GET", m[1])
	}
	for _, m := range regexp.MustCompile(`<form\b[^>]*>`).FindAllString(v.body, -1) {
		method := "GET"
		if strings.Contains(m, `method="post"`) {
			method = "POST"
		}
		if action := regexp.MustCompile(`\saction="([^"]*)"`).FindStringSubmatch(m); action != nil {
			add(method, action[1])
		}
	}
	return all
}

// field returns the value of an input on the page.
func (v *shown) field(name string) string {
	v.t.Helper()
	for _, input := range regexp.MustCompile(`<input\b[^>]*>`).FindAllString(v.body, -1) {
		if strings.Contains(input, ` name="`+name+`"`) {
			if m := regexp.MustCompile(`\svalue="([^"]*)"`).FindStringSubmatch(input); m != nil {
				return html.UnescapeString(m[1])
			}
			return ""
		}
	}
	v.t.Fatalf("%s: no field %s", v.what, name)
	return ""
}

// pathOf returns the target of the link with these words.
func pathOf(t testing.TB, v *shown, words string) string {
	t.Helper()
	for _, m := range regexp.MustCompile(
		`(?s)<a\b[^>]*\shref="([^"]*)"[^>]*>(.*?)</a>`,
	).FindAllStringSubmatch(v.body, -1) {
		if plain(m[2]) == words {
			return html.UnescapeString(m[1])
		}
	}
	t.Fatalf("%s: no link %q", v.what, words)
	return ""
}

// ticked reports whether a checkbox, radio button or option is chosen.
func (v *shown) ticked(name, value string) bool {
	v.t.Helper()
	for _, input := range regexp.MustCompile(`<input\b[^>]*>`).FindAllString(v.body, -1) {
		if strings.Contains(input, ` name="`+name+`"`) && strings.Contains(input, ` value="`+value+`"`) {
			return strings.Contains(input, " checked")
		}
	}
	at := regexp.MustCompile(`(?s)<select\b[^>]*\sname="` + regexp.QuoteMeta(name) + `".*?</select>`).FindString(v.body)
	return strings.Contains(at, `<option value="`+value+`" selected`)
}

// chosen reports whether an option of a list is selected.
func (v *shown) chosen(name, value string) bool {
	v.t.Helper()
	_, list, ok := strings.Cut(v.body, ` name="`+name+`"`)
	if !ok {
		v.t.Fatalf("%s: no list %s", v.what, name)
	}
	list, _, _ = strings.Cut(list, "</select>")
	return regexp.MustCompile(`<option value="` + regexp.QuoteMeta(value) + `"[^>]* selected`).MatchString(list)
}
