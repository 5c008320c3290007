package oidc_test

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/guard"
	"github.com/dialwright/dialwright/internal/oidc"
	"github.com/dialwright/dialwright/internal/oidc/oidctest"
)

const redirect = "https://dial.example.com/sign-in/sso/callback/1"

func client(t *testing.T, o oidc.Options, allow ...string) *oidc.Client {
	t.Helper()
	g, err := guard.New(allow)
	if err != nil {
		t.Fatal(err)
	}
	o.Guard, o.Version = g, "test"
	return oidc.New(o)
}

func local(t *testing.T) *oidc.Client {
	t.Helper()
	return client(t, oidc.Options{}, "127.0.0.0/8")
}

func registration(p *oidctest.Provider) oidc.Provider {
	return oidc.Provider{
		Issuer: p.Issuer, ClientID: oidctest.ClientID, ClientSecret: oidctest.ClientSecret, RedirectURL: redirect,
	}
}

// start begins a sign-in and returns the answer with which the provider sends the browser back.
func start(t *testing.T, c *oidc.Client, p *oidctest.Provider, r oidc.Request) oidc.Answer {
	t.Helper()
	address, err := c.AuthURL(t.Context(), registration(p), r, "ada@example.com")
	if err != nil {
		t.Fatal(err)
	}
	back := p.Visit(t, address)
	if got := back.Scheme + "://" + back.Host + back.Path; got != redirect {
		t.Fatalf("the browser is sent to %s", got)
	}
	q := back.Query()
	return oidc.Answer{State: q.Get("state"), Code: q.Get("code"), Issuer: q.Get("iss"), Error: q.Get("error")}
}

func TestSignIn(t *testing.T) {
	t.Parallel()
	c, p := local(t), oidctest.New(t)
	p.SignsIn("ada-1", "ada@example.com", map[string]any{
		"name": "Ada Lund", "groups": []string{"staff", "calls"},
		"realm_access": map[string]any{"roles": []string{"boss"}},
	})
	signIn := func() (oidc.Person, error) {
		r := oidc.NewRequest()
		return c.Exchange(t.Context(), registration(p), r, start(t, c, p, r), "groups")
	}
	check := func(person oidc.Person, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		email, verified := person.Email()
		if person.Subject != "ada-1" || email != "ada@example.com" || !verified || person.Name() != "Ada Lund" ||
			!slices.Equal(person.Values("groups"), []string{"staff", "calls"}) ||
			!slices.Equal(person.Values("realm_access.roles"), []string{"boss"}) || person.Values("none") != nil {
			t.Errorf("signed in: %+v", person)
		}
	}
	check(signIn())
	if n := p.Asked("/userinfo"); n != 0 {
		t.Errorf("the user info was asked for %d times, though the ID token has every claim", n)
	}

	// The provider is described once, and its new key is found.
	p.RotateKeys()
	check(signIn())
	if n := p.Asked("/.well-known/openid-configuration"); n != 1 {
		t.Errorf("the provider was asked for its description %d times", n)
	}

	// What the ID token lacks is in the user info.
	p.But(func(b *oidctest.Behavior) { b.OnlyInfo = []string{"groups", "email", "email_verified", "name"} })
	check(signIn())
	if n := p.Asked("/userinfo"); n != 1 {
		t.Errorf("the user info was asked for %d times", n)
	}
	p.But(func(b *oidctest.Behavior) { b.Claims["email_verified"] = "true" })
	check(signIn())
	p.But(func(b *oidctest.Behavior) { b.Claims["email_verified"] = false })
	if person, err := signIn(); err != nil {
		t.Error(err)
	} else if _, verified := person.Email(); verified {
		t.Error("an address counts as verified that is not")
	}
}

func TestSecretInTheBody(t *testing.T) {
	t.Parallel()
	c, p := local(t), oidctest.New(t)
	p.SignsIn("ada-1", "ada@example.com", nil)
	p.But(func(b *oidctest.Behavior) { b.Post = true })
	r := oidc.NewRequest()
	if _, err := c.Exchange(t.Context(), registration(p), r, start(t, c, p, r)); err != nil {
		t.Error(err)
	}
}

func TestRefusedAnswers(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		does func(*oidctest.Behavior)
		kind fault.Kind
		says string
	}{
		"another nonce":    {func(b *oidctest.Behavior) { b.OtherNonce = true }, fault.BadGateway, "can't be used"},
		"another issuer":   {func(b *oidctest.Behavior) { b.OtherIssuer = true }, fault.BadGateway, "can't be used"},
		"another audience": {func(b *oidctest.Behavior) { b.Audience = []string{"other"} }, fault.BadGateway, ""},
		"several audiences": {func(b *oidctest.Behavior) {
			b.Audience = []string{"dialwright", "x"}
		}, fault.BadGateway, ""},
		"another client": {func(b *oidctest.Behavior) { b.Azp = "other" }, fault.BadGateway, "can't be used"},
		"expired":        {func(b *oidctest.Behavior) { b.Expired = true }, fault.BadGateway, "can't be used"},
		"another key":    {func(b *oidctest.Behavior) { b.OtherKey = true }, fault.BadGateway, "can't be used"},
		"unsigned":       {func(b *oidctest.Behavior) { b.Unsigned = true }, fault.BadGateway, "can't be used"},
		"no token":       {func(b *oidctest.Behavior) { b.NoToken = true }, fault.BadGateway, "can't be used"},
		"a long answer":  {func(b *oidctest.Behavior) { b.Long = true }, fault.BadGateway, "too long"},
		"a redirect":     {func(b *oidctest.Behavior) { b.Redirect = true }, fault.BadGateway, "can't be used"},
		"no subject": {func(b *oidctest.Behavior) {
			b.Subject = strings.Repeat("x", 256)
		}, fault.BadGateway, "can't be used"},
		"somebody else": {func(b *oidctest.Behavior) {
			b.OtherSubject, b.OnlyInfo = true, []string{"email"}
		}, fault.BadGateway, "can't be used"},
		"refused":     {func(b *oidctest.Behavior) { b.Refuse = "access_denied" }, fault.Forbidden, "did not sign"},
		"another iss": {func(b *oidctest.Behavior) { b.OtherIss = true }, fault.Conflict, "another browser"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, p := local(t), oidctest.New(t)
			p.SignsIn("ada-1", "ada@example.com", nil)
			p.But(row.does)
			r := oidc.NewRequest()
			person, err := c.Exchange(t.Context(), registration(p), r, start(t, c, p, r))
			if fault.KindOf(err) != row.kind || fault.As(err) == nil || !strings.Contains(err.Error(), row.says) {
				t.Errorf("got %+v, %v", person, err)
			}
		})
	}
}

// Neither the state, nor the verifier, nor the code of another sign-in completes one, and nothing works twice.
func TestReplays(t *testing.T) {
	t.Parallel()
	c, p := local(t), oidctest.New(t)
	p.SignsIn("ada-1", "ada@example.com", nil)
	mine, other := oidc.NewRequest(), oidc.NewRequest()
	refused := func(what string, kind fault.Kind, r oidc.Request, a oidc.Answer) {
		t.Helper()
		if person, err := c.Exchange(t.Context(), registration(p), r, a); fault.KindOf(err) != kind {
			t.Errorf("%s: %+v, %v", what, person, err)
		}
	}
	answer := start(t, c, p, mine)
	refused("the state of another sign-in", fault.Conflict, other, answer)
	refused("no state", fault.Conflict, oidc.Request{}, oidc.Answer{Code: answer.Code, Issuer: answer.Issuer})
	stolen := other
	stolen.State = mine.State
	refused("the verifier of another sign-in", fault.BadGateway, stolen, answer)

	answer = start(t, c, p, mine)
	injected := mine
	injected.Nonce = other.Nonce
	refused("the nonce of another sign-in", fault.BadGateway, injected, answer)
	answer = start(t, c, p, mine)
	if _, err := c.Exchange(t.Context(), registration(p), mine, answer); err != nil {
		t.Fatal(err)
	}
	refused("the same code", fault.BadGateway, mine, answer)
	unnamed := start(t, c, p, mine)
	unnamed.Issuer = ""
	refused("an answer without the issuer that the provider promises to name", fault.Conflict, mine, unnamed)
}

func TestDiscover(t *testing.T) {
	t.Parallel()
	p := oidctest.New(t)
	wrong := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		body := map[string]string{
			"/other":   `{"issuer": "https://other.example.com"}`,
			"/partial": `{"issuer": "http://` + r.Host + `/partial", "token_endpoint": "https://a.example.com/t"}`,
			"/slash": `{"issuer": "http://` + r.Host + `/slash/",` +
				`"authorization_endpoint": "https://a.example.com/a",` +
				`"token_endpoint": "https://a.example.com/t", "jwks_uri": "https://a.example.com/k"}`,
			"/script": `{"issuer": "http://` + r.Host + `/script", "authorization_endpoint": "javascript:alert(1)",` +
				`"token_endpoint": "https://a.example.com/t", "jwks_uri": "https://a.example.com/k"}`,
		}[strings.TrimSuffix(strings.TrimSuffix(r.URL.Path, "/.well-known/openid-configuration"), "/")]
		if body == "" {
			http.NotFound(w, r)
			return
		}
		_, _ = w.Write([]byte(body))
	}))
	t.Cleanup(wrong.Close)
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	for name, row := range map[string]struct{ issuer, says string }{
		"a provider":     {p.Issuer, ""},
		"its own slash":  {wrong.URL + "/slash", ""},
		"no provider":    {wrong.URL, "no provider answers"},
		"another name":   {wrong.URL + "/other", "calls itself https://other.example.com"},
		"half a one":     {wrong.URL + "/partial", "has no usable"},
		"a script":       {wrong.URL + "/script", "no usable authorization_endpoint"},
		"nobody there":   {gone.URL, "can't be reached"},
		"an own machine": {"https://10.0.0.1", "may not be reached"},
	} {
		issuer, err := local(t).Discover(t.Context(), "issuer", row.issuer)
		switch {
		case row.says == "" && err != nil:
			t.Errorf("%s: %v", name, err)
		case row.says == "" && strings.TrimSuffix(issuer, "/") != row.issuer:
			t.Errorf("%s is called %s", name, issuer)
		case row.says != "" && (fault.KindOf(err) != fault.Invalid || fault.As(err).Fields[0].Path != "issuer" ||
			!strings.Contains(err.Error(), row.says)):
			t.Errorf("%s: %v", name, err)
		}
	}

	// The guard decides at the dial, whatever the text of the issuer is.
	if _, err := client(t, oidc.Options{}).Discover(t.Context(), "issuer", p.Issuer); err == nil ||
		!strings.Contains(err.Error(), "may not be reached") {
		t.Errorf("a provider in the own network is reached: %v", err)
	}
	// A provider that never answers holds nobody.
	p.But(func(b *oidctest.Behavior) { b.Silent = true })
	slow := client(t, oidc.Options{Time: 50 * time.Millisecond}, "127.0.0.0/8")
	if _, err := slow.Discover(t.Context(), "issuer", p.Issuer); err == nil ||
		!strings.Contains(err.Error(), "did not answer within") {
		t.Errorf("a silent provider: %v", err)
	}

	var problems fault.Problems
	issuer := " " + p.Issuer + "/.well-known/openid-configuration "
	if local(t).CheckIssuer(&problems, "issuer", &issuer); problems.Len() > 0 || issuer != p.Issuer {
		t.Errorf("the address of the description: %q, %v", issuer, problems.Err())
	}
	for _, bad := range []string{"", "ftp://a.example.com", "https://a.example.com?x=1", "http://a.example.com"} {
		var problems fault.Problems
		if local(t).CheckIssuer(&problems, "issuer", &bad); problems.Len() == 0 {
			t.Errorf("%q is an issuer", bad)
		}
	}
}
