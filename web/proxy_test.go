package web

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/netip"
	"testing"

	"github.com/dialwright/dialwright/internal/app"
)

// newProxy starts a reverse proxy in front of the server, as an operator would.
func (w *world) newProxy() string {
	w.t.Helper()
	target := w.origin()
	proxy := httptest.NewServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(target)
		r.SetXForwarded()
	}})
	w.t.Cleanup(proxy.Close)
	return proxy.URL
}

func (w *world) newVisitorBehind(proxy string) *visitor {
	w.t.Helper()
	b := w.newVisitor()
	b.proxy = proxy
	return b
}

// Behind a proxy that the server does not know, all people share one address. A stranger
// who guesses passwords from it must not block people whose browsers have signed in
// before. The stranger's guesses stay slow, also with a device cookie of another account.
func TestAStrangerBehindTheSameProxyBlocksNobodyKnown(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	proxy := w.newProxy()
	right := form("email", n.admin.email, "password", password)
	owner, insider := w.newVisitorBehind(proxy), w.newVisitorBehind(proxy)
	owner.post("/sign-in", right).leads("/")
	owner.post("/sign-out", nil).leads("/sign-in")
	insider.post("/sign-in", form("email", n.staff.email, "password", password)).leads("/")
	insider.post("/sign-out", nil).leads("/sign-in")

	stranger := w.newVisitorBehind(proxy)
	looked := 0
	guess := func(b *visitor, email string) {
		t.Helper()
		switch got := b.post("/sign-in", form("email", email, "password", "not the password")); got.status {
		case http.StatusUnauthorized:
			looked++
		case http.StatusTooManyRequests:
		default:
			t.Fatalf("a guess was answered with %d", got.status)
		}
	}
	guess(stranger, n.admin.email)
	looked = 0
	for range 20 {
		// The wait outlasts the test on a slow machine.
		w.exec(`update sign_in_failure set not_before = clock() + interval '1 hour' where failures > 0`)
		guess(stranger, n.admin.email)
		guess(insider, n.admin.email)
		owner.post("/sign-in", right).leads("/")
		owner.post("/sign-out", nil).leads("/sign-in")
	}
	if looked > 0 {
		t.Errorf("%d guesses were looked at", looked)
	}
	// An unknown browser waits like the stranger.
	w.newVisitorBehind(proxy).post("/sign-in", right).want(http.StatusTooManyRequests)

	// A browser becomes known again with a new password, after a change or through a
	// link.
	owner.post("/sign-in", right).leads("/")
	const changed = "another orange river"
	owner.post("/profile/password", form("current_password", password, "new_password", changed)).leads("/profile")
	owner.post("/sign-out", nil)
	owner.post("/sign-in", form("email", n.admin.email, "password", changed)).leads("/")
	_, token, err := w.accounts.CreateResetLink(t.Context(), n.actor(), n.staff.id, "")
	if err != nil {
		t.Fatal(err)
	}
	fresh := w.newVisitorBehind(proxy)
	fresh.post("/reset-password", form("token", token, "password", changed)).leads("/sign-in")
	fresh.post("/sign-in", form("email", n.staff.email, "password", changed)).leads("/")
	// the new password made its device cookie worthless
	insider.post("/sign-in", form("email", n.staff.email, "password", changed)).want(http.StatusTooManyRequests)
}

// The overview names an unlisted proxy to admins, until the server lists it.
func TestAnUnlistedProxyIsToldToAdmins(t *testing.T) {
	t.Parallel()
	const told = "does not trust"
	w := newWorld(t)
	n := w.newTenant("Aster")
	proxy := w.newProxy()
	b := n.as(n.admin)
	b.get("/").want(http.StatusOK).lacks(told)
	b.proxy = proxy
	b.get("/").want(http.StatusOK).has(told, "DIALWRIGHT_TRUSTED_PROXIES to 127.0.0.1")
	staff := n.as(n.staff)
	staff.proxy = proxy
	staff.get("/").want(http.StatusOK).lacks(told)

	set := newWorld(t, func(o *app.Options) {
		o.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}
	})
	m := set.newTenant("Aster")
	b = m.as(m.admin)
	b.proxy = set.newProxy()
	b.get("/").want(http.StatusOK).lacks(told)
}
