package cell

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/peer"
	"github.com/dialwright/dialwright/internal/recent"
	"github.com/dialwright/dialwright/internal/seal"
)

// Prefix begins the paths that name their cell: /c/7/hooks/… for carriers, and links of emails.
const Prefix = "/c/"

// Link returns the base of the addresses that lead into a cell. 0 is the only database of a deployment without cells.
func Link(publicURL string, number int) string {
	if number == 0 {
		return publicURL
	}
	return strings.TrimRight(publicURL, "/") + Prefix + strconv.Itoa(number)
}

// Site is a cell that this process serves.
type Site struct {
	Number  int
	Handler http.Handler

	// Ready returns an error while the site cannot serve requests. Its text is shown.
	Ready func(ctx context.Context) error
	// HasPeople reports whether somebody can sign in.
	HasPeople func(ctx context.Context) (bool, error)
	// KnowsKey reports whether the key of an Authorization header is one of the cell.
	KnowsKey func(ctx context.Context, header string, address netip.Addr) (bool, error)
	// KnowsEmail reports whether a person of the cell signs in with an email address.
	KnowsEmail func(ctx context.Context, email string) (bool, error)
	// KnowsConnection reports whether the cell has the connection that a callback names.
	KnowsConnection func(ctx context.Context, id uuid.UUID) (bool, error)
}

// RouterOptions are the dependencies of a Router.
type RouterOptions struct {
	PublicURL      string
	Vault          *seal.Vault
	TrustedProxies []netip.Prefix
	Log            *slog.Logger
}

// Router passes each request to the site of its cell: the one that a path names, that knows the API key, that knows the
// person who signs in, or where the browser signed in last. It is safe for concurrent use.
type Router struct {
	o      RouterOptions
	https  bool
	sites  atomic.Pointer[[]Site] // by number
	closed atomic.Pointer[[]int]  // cells of the directory that this process does not serve, such as after a failure
	home   atomic.Int64           // a cell with people, for browsers that were in none yet; 0: none is known

	mu     sync.Mutex
	keys   recent.Map[[sha256.Size]byte, int]       // the cell of each key that was used
	moving recent.Map[[sha256.Size]byte, time.Time] // when a key was of an organization on its way
	moved  recent.Map[uuid.UUID, int]               // the cell of each connection whose callbacks name another one
}

// NewRouter makes a Router without sites.
func NewRouter(o RouterOptions) *Router {
	r := &Router{o: o, https: strings.HasPrefix(o.PublicURL, "https://")}
	r.Serve(nil, nil)
	return r
}

// Serve replaces the sites. closed are the cells whose database this process has not reached yet.
func (r *Router) Serve(sites []Site, closed []int) {
	sites = slices.Clone(sites)
	slices.SortFunc(sites, func(a, b Site) int { return a.Number - b.Number })
	r.sites.Store(&sites)
	r.closed.Store(&closed)
}

func (r *Router) site(number int) (Site, bool) {
	sites := *r.sites.Load()
	i, ok := slices.BinarySearchFunc(sites, number, func(s Site, n int) int { return s.Number - n })
	if !ok {
		return Site{}, false
	}
	return sites[i], true
}

func (r *Router) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	path := req.URL.Path
	switch {
	case path == "/healthz":
		fmt.Fprintln(w, "ok")
	case path == "/readyz":
		r.ready(w, req)
	case strings.HasPrefix(path, Prefix):
		r.named(w, req)
	case strings.HasPrefix(path, hooks):
		r.unnamedHook(w, req)
	case isAPI(path) && req.Header.Get("Authorization") != "":
		r.byKey(w, req)
	case path == "/sign-in" && req.Method == http.MethodPost, path == "/sign-in/sso" && req.Method == http.MethodPost:
		r.byEmail(w, req)
	default:
		r.byBrowser(w, req)
	}
}

// ready tells a load balancer that this process can serve a cell. One that is away must not stop the others.
func (r *Router) ready(w http.ResponseWriter, req *http.Request) {
	failed := errors.New("no cell is available")
	for _, site := range *r.sites.Load() {
		if failed = site.Ready(req.Context()); failed == nil {
			fmt.Fprintln(w, "ok")
			return
		}
	}
	http.Error(w, failed.Error(), http.StatusServiceUnavailable)
}

func isAPI(path string) bool { return strings.HasPrefix(path, "/api/") || path == "/mcp" }

// named serves a path that names its cell. A browser goes on without the name, which the cookie keeps.
func (r *Router) named(w http.ResponseWriter, req *http.Request) {
	name, rest, _ := strings.Cut(strings.TrimPrefix(req.URL.Path, Prefix), "/")
	number, err := strconv.Atoi(name)
	if err != nil || strconv.Itoa(number) != name {
		http.NotFound(w, req)
		return
	}
	site, ok := r.site(number)
	if !ok {
		r.unserved(w, req, number)
		return
	}
	if strings.HasPrefix("/"+rest, hooks) {
		r.hook(w, req, site, Prefix+name)
		return
	}
	if req.Method != http.MethodGet && req.Method != http.MethodHead {
		http.NotFound(w, req)
		return
	}
	r.remember(w, number)
	// Two slashes would lead to another host.
	to := url.URL{Path: "/" + strings.TrimLeft(rest, "/"), RawQuery: req.URL.RawQuery}
	http.Redirect(w, req, to.String(), http.StatusSeeOther)
}

// hooks begins the paths of callbacks.
const hooks = "/hooks/"

// unnamedHook serves a callback whose address was given to a carrier before there were cells. The first cell is the
// database of that time.
func (r *Router) unnamedHook(w http.ResponseWriter, req *http.Request) {
	numbers := slices.Clone(*r.closed.Load())
	for _, site := range *r.sites.Load() {
		numbers = append(numbers, site.Number)
	}
	if len(numbers) == 0 {
		r.away(w, req)
		return
	}
	site, ok := r.site(slices.Min(numbers))
	if !ok {
		r.away(w, req)
		return
	}
	r.hook(w, req, site, "")
}

// unserved answers for a cell that this process does not serve.
func (r *Router) unserved(w http.ResponseWriter, req *http.Request, number int) {
	if !slices.Contains(*r.closed.Load(), number) {
		http.NotFound(w, req)
		return
	}
	r.away(w, req)
}

// away answers a request whose cell can't be reached. Carriers and integrators repeat it.
func (r *Router) away(w http.ResponseWriter, req *http.Request) {
	const text = "This part of the server is not available at the moment. Try again in a few seconds."
	w.Header().Set("Retry-After", "5")
	w.Header().Set("Cache-Control", "no-store")
	if isAPI(req.URL.Path) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusServiceUnavailable)
		_ = json.NewEncoder(w).Encode(map[string]string{"error": text})
		return
	}
	http.Error(w, text, http.StatusServiceUnavailable)
}

// byKey serves a request of the API in the cell that knows its key. An unknown key is refused by the first cell. If the
// cell that served the key before refuses it now, the organization may have moved, and all cells are asked again.
func (r *Router) byKey(w http.ResponseWriter, req *http.Request) {
	header := req.Header.Get("Authorization")
	hash := sha256.Sum256([]byte(header))
	r.mu.Lock()
	number, ok := r.keys.Get(hash)
	r.mu.Unlock()
	site, served := r.site(number)
	if !ok || !served {
		var err error
		if site, err = r.ofKey(req, header, hash); err != nil {
			r.away(w, req)
			return
		}
		site.Handler.ServeHTTP(w, req)
		return
	}
	body := keep(req, 0) // a key is refused before the body is read
	answer := &withheld{ResponseWriter: w, refuses: func(status int) bool {
		return (status == http.StatusUnauthorized || status == http.StatusServiceUnavailable) && !body.lost
	}}
	site.Handler.ServeHTTP(answer, req)
	if !answer.isWithheld {
		return
	}
	r.mu.Lock()
	r.keys.Drop(hash)
	r.mu.Unlock()
	switch now, err := r.ofKey(req, header, hash); {
	case err != nil:
		r.away(w, req)
	case now.Number == number:
		answer.release()
	default:
		now.Handler.ServeHTTP(w, req)
	}
}

// ofKey asks which cell knows a key.
func (r *Router) ofKey(req *http.Request, header string, hash [sha256.Size]byte) (Site, error) {
	sites := *r.sites.Load()
	address := peer.Address(req, r.o.TrustedProxies)
	knows := func(ctx context.Context, s Site) (bool, error) { return s.KnowsKey(ctx, header, address) }
	// The digits of a key begin with its cell, if the key is younger than the cells.
	var found []Site
	var failed error
	if named, ok := r.site(ofDigits(header)); ok {
		found, failed = ask(req.Context(), []Site{named}, knows)
	}
	if len(found) == 0 {
		found, failed = ask(req.Context(), sites, knows)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	at, moving := r.moving.Get(hash)
	switch {
	case len(found) > 0:
		r.keys.Put(hash, found[0].Number)
		return found[0], nil
	case fault.KindOf(failed) == fault.Unavailable:
		r.moving.Put(hash, time.Now())
		return Site{}, failed
	case failed != nil:
	case moving && time.Since(at) < forgetTime:
		// The other cell was asked before the organization arrived, and does not look again at once.
		return Site{}, errOnItsWay
	case len(*r.closed.Load()) > 0:
		failed = fmt.Errorf("cells %v are not available", *r.closed.Load())
	case len(sites) == 0:
		failed = errors.New("there are no cells")
	default:
		return sites[0], nil
	}
	r.o.Log.Warn("could not find the cell of an API key", "error", failed)
	return Site{}, failed
}

// forgetTime is longer than a cell remembers that it did not know a key.
const forgetTime = 5 * time.Second

var errOnItsWay = errors.New("the organization of the key is on its way")

// askTime bounds what a request waits for a cell that does not answer, and that may be another's.
const askTime = 3 * time.Second

// ask returns the sites that know something, by number, and the errors of those that could not say.
func ask(ctx context.Context, sites []Site, knows func(context.Context, Site) (bool, error)) ([]Site, error) {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	known, failed := make([]bool, len(sites)), make([]error, len(sites))
	var asked sync.WaitGroup
	for i, site := range sites {
		asked.Go(func() {
			if known[i], failed[i] = knows(ctx, site); failed[i] != nil {
				failed[i] = fmt.Errorf("ask cell %d: %w", site.Number, failed[i])
			}
		})
	}
	asked.Wait()
	var found []Site
	for i, site := range sites {
		if known[i] {
			found = append(found, site)
		}
	}
	return found, errors.Join(failed...)
}

// keyDigits begins the value of an API key.
const keyDigits = "ik_live_"

// ofDigits reads the cell in which an API key was created, or 0.
func ofDigits(header string) int {
	_, digits, ok := strings.Cut(header, keyDigits)
	if !ok || len(digits) < 4 {
		return 0
	}
	number, err := strconv.ParseUint(digits[:4], 16, 16)
	if err != nil {
		return 0
	}
	return int(number)
}

// formSize bounds what is read of a sign-in to find its email address. A longer form stays where the browser is.
const formSize = 64 << 10

// byEmail serves a sign-in in a cell that knows the person, and keeps the cell in the browser. An email address that no
// cell knows always leads to the same one, so the answer does not tell who is known.
func (r *Router) byEmail(w http.ResponseWriter, req *http.Request) {
	head, err := io.ReadAll(io.LimitReader(req.Body, formSize+1))
	req.Body = readCloser{io.MultiReader(bytes.NewReader(head), req.Body), req.Body}
	if err != nil || len(head) > formSize {
		r.byBrowser(w, req)
		return
	}
	form, err := url.ParseQuery(string(head))
	email := strings.ToLower(strings.TrimSpace(form.Get("email")))
	if err != nil || email == "" {
		r.byBrowser(w, req)
		return
	}
	sites := *r.sites.Load()
	found, failed := ask(req.Context(), sites, func(ctx context.Context, s Site) (bool, error) {
		return s.KnowsEmail(ctx, email)
	})
	if failed != nil && fault.KindOf(failed) != fault.Unavailable {
		r.o.Log.Warn("could not ask for a person who signs in", "error", failed)
	}
	if len(found) == 0 && failed == nil && len(sites) > 0 {
		tag := r.o.Vault.Tags("cell of an unknown email", []byte(email))[0]
		found = sites[binary.BigEndian.Uint32(tag)%uint32(len(sites)):][:1]
	}
	if len(found) == 0 {
		r.away(w, req)
		return
	}
	site := found[0]
	if i := slices.IndexFunc(found, func(s Site) bool { return s.Number == r.remembered(req) }); i >= 0 {
		site = found[i]
	}
	r.remember(w, site.Number)
	site.Handler.ServeHTTP(w, req)
}

type readCloser struct {
	io.Reader
	io.Closer
}

// byBrowser serves what needs no cell, and the pages of a person who is signed in.
func (r *Router) byBrowser(w http.ResponseWriter, req *http.Request) {
	number := r.remembered(req)
	site, ok := r.site(number)
	if !ok && slices.Contains(*r.closed.Load(), number) {
		r.away(w, req)
		return
	}
	if !ok {
		site, ok = r.atHome(req.Context())
	}
	if !ok {
		r.away(w, req)
		return
	}
	site.Handler.ServeHTTP(w, req)
}

// atHome returns the first cell with people. On an empty server it returns the first cell, which can be set up.
func (r *Router) atHome(ctx context.Context) (Site, bool) {
	if site, ok := r.site(int(r.home.Load())); ok {
		return site, true
	}
	sites := *r.sites.Load()
	if len(sites) == 0 {
		return Site{}, false
	}
	found, _ := ask(ctx, sites, func(ctx context.Context, s Site) (bool, error) { return s.HasPeople(ctx) })
	if len(found) == 0 {
		return sites[0], true
	}
	r.home.Store(int64(found[0].Number))
	return found[0], true
}

// rememberedFor is how long a browser keeps its cell, longer than any session.
const rememberedFor = 400 * 24 * time.Hour

func (r *Router) cookie() string {
	if r.https {
		return "__Host-dialwright_cell"
	}
	return "dialwright_cell"
}

func (r *Router) remember(w http.ResponseWriter, number int) {
	http.SetCookie(w, &http.Cookie{ //nolint:gosec // Secure wherever browsers come by https
		Name: r.cookie(), Value: strconv.Itoa(number), Path: "/", MaxAge: int(rememberedFor.Seconds()),
		SameSite: http.SameSiteLaxMode, Secure: r.https, HttpOnly: true,
	})
}

// remembered returns the cell of a browser, or 0.
func (r *Router) remembered(req *http.Request) int {
	c, err := req.Cookie(r.cookie())
	if err != nil {
		return 0
	}
	number, err := strconv.Atoi(c.Value)
	if err != nil {
		return 0
	}
	return number
}
