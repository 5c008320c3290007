// Package peer owns the question who is at the other end of a request.
package peer

import (
	"net/http"
	"net/netip"
	"strings"
)

// Address is the client's address: the TCP peer, unless that is a trusted
// proxy; then the rightmost entry of X-Forwarded-For that is not one, because
// everything left of it is the client's own claim. It is not valid when the
// request came over a Unix socket or from a test.
func Address(r *http.Request, trusted []netip.Prefix) netip.Addr {
	address, ok := parse(r.RemoteAddr)
	if !ok || !within(address, trusted) {
		return address
	}
	lines := r.Header.Values("X-Forwarded-For")
	for i := len(lines) - 1; i >= 0; i-- {
		rest := lines[i]
		for rest != "" {
			entry := rest
			if comma := strings.LastIndexByte(rest, ','); comma >= 0 {
				rest, entry = rest[:comma], rest[comma+1:]
			} else {
				rest = ""
			}
			hop, ok := parse(strings.TrimSpace(entry))
			if !ok {
				return address // what a trusted proxy did not write says nothing
			}
			if address = hop; !within(address, trusted) {
				return address
			}
		}
	}
	return address
}

// parse reads an address with or without a port. IPv4 within IPv6 is IPv4, and
// a zone, which only means something on the other machine, is dropped.
func parse(s string) (netip.Addr, bool) {
	if withPort, err := netip.ParseAddrPort(s); err == nil {
		return withPort.Addr().Unmap().WithZone(""), true
	}
	address, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(s, "["), "]"))
	if err != nil {
		return netip.Addr{}, false
	}
	return address.Unmap().WithZone(""), true
}

func within(address netip.Addr, prefixes []netip.Prefix) bool {
	for _, p := range prefixes {
		if p.Contains(address) {
			return true
		}
	}
	return false
}
