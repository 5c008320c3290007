package guard

import (
	"errors"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"

	"github.com/dialwright/dialwright/internal/fault"
)

// MaxURL bounds a URL that an organization sets, in characters.
const MaxURL = 2048

// CheckURL checks for an https URL on the public internet, or an http or https URL that
// the operator allows. It removes surrounding space. It checks only the text: the
// addresses of a name are checked when they are dialed.
func (g *Guard) CheckURL(p *fault.Problems, path string, raw *string) {
	*raw = strings.TrimSpace(*raw)
	switch {
	case *raw == "":
		p.Addf(path, "required")
		return
	case utf8.RuneCountInString(*raw) > MaxURL:
		p.Addf(path, "must have at most %d characters", MaxURL)
		return
	case !utf8.ValidString(*raw):
		p.Addf(path, "must be valid UTF-8")
		return
	case strings.ContainsFunc(*raw, func(r rune) bool { return unicode.IsControl(r) || unicode.IsSpace(r) }):
		p.Addf(path, "must not contain spaces or control characters")
		return
	}
	u, err := url.Parse(*raw)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Hostname() == "" {
		p.Addf(path, "must be an https URL such as https://example.com")
		return
	}
	if u.User != nil {
		p.Addf(path, "must not contain a user name or a password")
	}
	if strings.Contains(*raw, "#") {
		p.Addf(path, "must not contain a fragment (#)")
	}
	if port := u.Port(); port != "" {
		if n, err := strconv.Atoi(port); err != nil || n < 1 || n > 65535 {
			p.Addf(path, "must have a port between 1 and 65535")
		}
	}
	switch h, err := parseHost(u.Hostname()); {
	case err != nil:
		p.Addf(path, "must name a host, by a domain name or by an address such as 1.2.3.4 or [2600::1]")
	case u.Scheme == "http" && !g.exempts(h, portOf(u)):
		p.Addf(path, "must be an https URL (http is only for hosts within the operator's %s)", g.setting)
	case !g.admits(h, portOf(u)):
		p.Addf(path, "must be a public address (others are only for hosts within the operator's %s)", g.setting)
	}
}

// host is the host of a URL as it will be dialed: an address, or a name in lower-case
// ASCII without the trailing dot.
type host struct {
	address netip.Addr
	name    string
}

// plain returns the host with the IPv6 form of an IPv4 address as that address.
func (h host) plain() host { return host{address: h.address.Unmap(), name: h.name} }

// portOf returns the port of an http or https URL.
func portOf(u *url.URL) string {
	switch {
	case u.Port() != "":
		return u.Port()
	case u.Scheme == "http":
		return "80"
	}
	return "443"
}

var errHost = errors.New("not a host")

// parseHost reads a host without brackets. It translates international names as net/http
// does, and accepts only one form of each kind of address. Other programs read
// 2130706433, 0x7f.1, 0177.0.0.1 and 127.1 as 127.0.0.1 too, so a name that ends in a
// number is refused.
func parseHost(s string) (host, error) {
	if strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) {
		ascii, err := idna.Lookup.ToASCII(s)
		if err != nil {
			return host{}, errHost
		}
		s = ascii
	}
	if address, err := netip.ParseAddr(s); err == nil {
		return host{address: address}, nil
	}
	name := strings.ToLower(strings.TrimSuffix(s, "."))
	if len(name) > 253 {
		return host{}, errHost
	}
	labels := strings.Split(name, ".")
	for _, label := range labels {
		if len(label) < 1 || len(label) > 63 || label[0] == '-' || label[len(label)-1] == '-' ||
			strings.Trim(label, letters) != "" {
			return host{}, errHost
		}
	}
	last := labels[len(labels)-1]
	if strings.Trim(last, "0123456789") == "" ||
		strings.HasPrefix(last, "0x") && strings.Trim(last[2:], "0123456789abcdef") == "" {
		return host{}, errHost
	}
	return host{name: name}, nil
}

// letters are the characters of a name. Domain names have no underscore, but container
// networks use it.
const letters = "abcdefghijklmnopqrstuvwxyz0123456789-_"

// exempts reports whether the operator's exceptions include h at a port, which also allows
// plain http.
func (g *Guard) exempts(h host, port string) bool {
	if g.serves(h, port) {
		return true
	}
	if h.name != "" {
		return g.names[h.name]
	}
	return g.allows(h.address) && g.permits(h.address)
}

// localDomains are never domains on the public internet.
var localDomains = []string{".localhost", ".local", ".internal", ".home.arpa"}

// admits reports whether h may be looked up and dialed at a port. It refuses a name that can only
// be internal, unless the operator allows the name, or a network that it may resolve
// into.
func (g *Guard) admits(h host, port string) bool {
	switch {
	case g.serves(h, port):
		return true
	case h.name == "":
		return g.permits(h.address)
	case g.names[h.name] || len(g.networks) > 0:
		return true
	default:
		return strings.Contains(h.name, ".") &&
			!slices.ContainsFunc(localDomains, func(domain string) bool { return strings.HasSuffix(h.name, domain) })
	}
}
