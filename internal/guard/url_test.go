package guard

import (
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/idna"

	"github.com/dialwright/dialwright/internal/fault"
)

// complaint returns CheckURL's error for raw, "" without one.
func complaint(g *Guard, raw string) string {
	var p fault.Problems
	g.CheckURL(&p, "url", &raw)
	if err := p.Err(); err != nil {
		return err.Error()
	}
	return ""
}

func TestCheckURL(t *testing.T) {
	t.Parallel()
	const (
		notURL  = "url: must be an https URL such as https://example.com"
		notHost = "url: must name a host, by a domain name or by an address such as 1.2.3.4 or [2600::1]"
		private = "url: must be a public address (others are only for hosts within the operator's " +
			"DIALWRIGHT_WEBHOOK_ALLOW)"
		plain = "url: must be an https URL (http is only for hosts within the operator's DIALWRIGHT_WEBHOOK_ALLOW)"
	)
	g := newGuard(t, "localhost", "my_service", "10.0.0.0/8", "::1")
	for raw, want := range map[string]string{
		"https://example.com/hooks":                        "",
		" https://example.com/hooks\n":                     "",
		"HTTPS://EXAMPLE.COM":                              "",
		"https://example.com.:8443/a/../b?c=d%20e&f=%00":   "",
		"https://example.com/üñí?q=☎":                      "",
		"https://bücher.example/":                          "",
		"https://xn--bcher-kva.example/":                   "",
		"https://8.8.8.8/":                                 "",
		"https://[2600::1]:65535/":                         "",
		"https://example.com:/":                            "",
		"https://localhost:3000/":                          "",
		"http://localhost:3000/":                           "",
		"http://LOCALHOST./":                               "",
		"http://my_service/":                               "",
		"http://10.1.2.3/":                                 "",
		"http://[::1]:8080/":                               "",
		"http://[::ffff:10.1.2.3]/":                        "",
		"https://10.1.2.3/":                                "",
		"https://example.com/" + strings.Repeat("a", 2028): "",
		"https://example.com/" + strings.Repeat("a", 2029): "url: must have at most 2,048 characters",
		"":                                "url: required",
		" ":                               "url: required",
		"example.com":                     notURL,
		"//example.com/":                  notURL,
		"https:example.com":               notURL,
		"https:///hooks":                  notURL,
		"https://:443/":                   notURL,
		"https://::1/":                    notURL,
		"https://example.com:port/":       notURL,
		"https://127%2e0.0.1/":            notURL,
		"https://example.com\\@10.0.0.1/": notURL,
		"ftp://example.com/":              notURL,
		"file:///etc/passwd":              notURL,
		"gopher://example.com/":           notURL,
		"unix:///run/docker.sock":         notURL,
		"javascript:alert(1)":             notURL,
		"https://example.com/a b":         "url: must not contain spaces or control characters",
		"https://example.com/\u2028a":     "url: must not contain spaces or control characters",
		"https://example.com/\r\nHost: a": "url: must not contain spaces or control characters",
		"https://example.com/\x00":        "url: must not contain spaces or control characters",
		"https://example.com/\xff":        "url: must be valid UTF-8",
		"https://u@example.com/":          "url: must not contain a user name or a password",
		"https://:@example.com/":          "url: must not contain a user name or a password",
		"https://u:p@example.com:0/#x": "url: must not contain a user name or a password; url: " +
			"must not contain a fragment (#); url: must have a port between 1 and 65535",
		"https://example.com/#":                          "url: must not contain a fragment (#)",
		"https://example.com:65536/":                     "url: must have a port between 1 and 65535",
		"https://example.com:99999999999999999999/":      "url: must have a port between 1 and 65535",
		"https://exa$mple.com/":                          notHost,
		"https://-example.com/":                          notHost,
		"https://example..com/":                          notHost,
		"https://*.example.com/":                         notHost,
		"https://" + strings.Repeat("a", 64) + ".com/":   notHost,
		"https://" + strings.Repeat("a.", 127) + "com/":  notHost,
		"https://2130706433/":                            notHost,
		"https://0x7f000001/":                            notHost,
		"https://0x7f.1/":                                notHost,
		"https://017700000001/":                          notHost,
		"https://0177.0.0.1/":                            notHost,
		"https://127.1/":                                 notHost,
		"https://127.0.0.1./":                            notHost,
		"https://1.2.3.4.5/":                             notHost,
		"https://256.1.1.1/":                             notHost,
		"https://example.0x/":                            notHost,
		"http://example.com/":                            plain,
		"http://8.8.8.8/":                                plain,
		"http://169.254.169.254/latest/meta-data/":       plain,
		"http://localhost.example.com/":                  plain,
		"https://127.0.0.1/":                             private,
		"https://[::ffff:127.0.0.1]/":                    private,
		"https://[::ffff:8.8.8.8]/":                      private,
		"https://[fe80::1%25eth0]/":                      private,
		"https://[2600::1%25eth0]/":                      private,
		"https://①②⑦.⓪.⓪.①/":                             private,
		"https://１２７.0.0.1/":                             private,
		"https://127。0。0。1/":                             private,
		"https://xn--a.example/":                         "",
		"https://example.local.com/":                     "",
		"https://internal.example/":                      "",
		"https://1.example/":                             "",
		"https://%E2%91%A0%E2%91%A1%E2%91%A6.0.0.1/path": private,
	} {
		if got := complaint(g, raw); got != want {
			t.Errorf("%q\n got %q\nwant %q", raw, got, want)
		}
	}

	// These names can only be internal. They are accepted if an internal network is
	// allowed, because they may resolve into it.
	strict := newGuard(t, "localhost")
	for _, raw := range []string{
		"https://intranet/", "https://metadata.google.internal/", "https://printer.local/", "https://api.localhost/",
		"https://router.home.arpa./",
	} {
		if got := complaint(strict, raw); got != private {
			t.Errorf("%q: got %q", raw, got)
		}
		if got := complaint(g, raw); got != "" {
			t.Errorf("%q: got %q though 10.0.0.0/8 is allowed", raw, got)
		}
	}

	padded := " https://example.com/ "
	if g.CheckURL(new(fault.Problems), "", &padded); padded != "https://example.com/" {
		t.Errorf("tidied to %q", padded)
	}
}

// aton reads an address as the C library's inet_aton and the browsers do: one to four
// parts, each decimal, octal or hexadecimal. The last part fills the remaining bytes.
func aton(s string) (netip.Addr, bool) {
	parts := strings.Split(strings.TrimSuffix(s, "."), ".")
	if len(parts) > 4 {
		return netip.Addr{}, false
	}
	var sum uint64
	for i, part := range parts {
		bits := 8
		if i == len(parts)-1 {
			bits = 8 * (4 - i)
		}
		if strings.ToLower(part) == "0x" {
			part = "0"
		}
		n, err := strconv.ParseUint(part, 0, 64)
		if err != nil || strings.Contains(part, "_") || n >= 1<<bits {
			return netip.Addr{}, false
		}
		sum = sum<<bits | n
	}
	return netip.AddrFrom4([4]byte{byte(sum >> 24), byte(sum >> 16), byte(sum >> 8), byte(sum)}), true
}

// Every address that a program could dial for an accepted host without DNS is permitted,
// however the program reads numbers.
func FuzzCheckURL(f *testing.F) {
	for _, host := range []string{
		"example.com", "bücher.example", "10.0.0.1", "127.1", "0x7f.1", "2130706433", "017700000001", "127.0.0.1.",
		"[::1]", "[::ffff:7f00:1]",
		"[fe80::1%25eth0]", "①②⑦.0.0.1", "127。0。0。1", "u@127.0.0.1", "a\\@b", "%31", "8.8.8.8", "0x.0x", "1.2.3.0xff",
	} {
		f.Add("https://" + host + ":8443/")
		f.Add("http://" + host)
	}
	g := &Guard{
		names: map[string]bool{"localhost": true}, networks: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")},
	}
	f.Fuzz(func(t *testing.T, raw string) {
		var p fault.Problems
		g.CheckURL(&p, "url", &raw)
		if p.Err() != nil {
			return
		}
		u, err := url.Parse(raw)
		if err != nil {
			t.Fatalf("%q is accepted: %v", raw, err)
		}
		name := u.Hostname()
		if ascii, err := idna.Lookup.ToASCII(name); err == nil { // as net/http does
			name = ascii
		}
		address, err := netip.ParseAddr(name)
		if aton, ok := aton(name); ok && err != nil {
			address, err = aton, nil
		}
		allowed := name == "localhost" || err == nil && address.Unmap().Is4() && address.Unmap().As4()[0] == 10
		if err == nil && !oracle(address) && !allowed {
			t.Errorf("%q is accepted and dials %v", raw, address)
		}
		if u.Scheme != "https" && !allowed && strings.TrimSuffix(strings.ToLower(name), ".") != "localhost" {
			t.Errorf("%q is accepted", raw)
		}
	})
}
