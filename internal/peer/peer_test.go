package peer_test

import (
	"net/http"
	"net/netip"
	"testing"

	"github.com/dialwright/dialwright/internal/peer"
)

func TestAddress(t *testing.T) {
	t.Parallel()
	trusted := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8")}
	for _, c := range []struct {
		name, remote string
		forwarded    []string
		want         string
	}{
		{"no proxy", "192.0.2.1:1234", nil, "192.0.2.1"},
		{"an untrusted peer's claim", "192.0.2.1:1234", []string{"198.51.100.7"}, "192.0.2.1"},
		{"one proxy", "10.0.0.1:80", []string{"198.51.100.7"}, "198.51.100.7"},
		{"two proxies", "10.0.0.1:80", []string{"198.51.100.7, 10.0.0.2"}, "198.51.100.7"},
		{"the client claims more", "10.0.0.1:80", []string{"203.0.113.9, 198.51.100.7"}, "198.51.100.7"},
		{"the client claims to be trusted", "10.0.0.1:80", []string{"10.0.0.9, 198.51.100.7,10.0.0.2"}, "198.51.100.7"},
		{"several lines", "10.0.0.1:80", []string{"203.0.113.9", "198.51.100.7", "10.0.0.3"}, "198.51.100.7"},
		{"all trusted", "10.0.0.1:80", []string{"10.0.0.4, 10.0.0.3"}, "10.0.0.4"},
		{"rubbish", "10.0.0.1:80", []string{"198.51.100.7, unknown"}, "10.0.0.1"},
		{"rubbish behind", "10.0.0.1:80", []string{"unknown, 198.51.100.7"}, "198.51.100.7"},
		{"empty", "10.0.0.1:80", []string{""}, "10.0.0.1"},
		{"with port", "10.0.0.1:80", []string{"198.51.100.7:4711"}, "198.51.100.7"},
		{"IPv6", "[fd00::1]:80", []string{"[2001:db8::7]:4711"}, "2001:db8::7"},
		{"IPv6 with zone", "[fe80::1%eth0]:80", nil, "fe80::1"},
		{"IPv4 in IPv6", "[::ffff:10.0.0.1]:80", []string{"::ffff:198.51.100.7"}, "198.51.100.7"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := &http.Request{RemoteAddr: c.remote, Header: http.Header{"X-Forwarded-For": c.forwarded}}
			if got := peer.Address(r, trusted); got != netip.MustParseAddr(c.want) {
				t.Errorf("got %v, want %s", got, c.want)
			}
		})
	}
	if got := peer.Address(&http.Request{RemoteAddr: "@"}, trusted); got.IsValid() {
		t.Errorf("a Unix socket has the address %v", got)
	}
}

func FuzzAddress(f *testing.F) {
	f.Add("10.0.0.1:80", "198.51.100.7, 10.0.0.2")
	f.Fuzz(func(t *testing.T, remote, forwarded string) {
		r := &http.Request{RemoteAddr: remote, Header: http.Header{"X-Forwarded-For": {forwarded}}}
		if got := peer.Address(r, nil); got.IsValid() && peer.Address(&http.Request{RemoteAddr: remote}, nil) != got {
			t.Errorf("%q changed the address of %q, which nobody trusts", forwarded, remote)
		}
	})
}
