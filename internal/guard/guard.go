// Package guard restricts requests to addresses that an organization chose to the public
// internet. It blocks this machine, its network and its cloud's metadata service. An
// address is checked when it is dialed, after name resolution, so a name, a redirect or a
// changing DNS answer cannot bypass the check.
package guard

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
)

// Setting names the operator's setting whose entries New takes. People read the name in
// the guard's errors.
const Setting = "DIALWRIGHT_WEBHOOK_ALLOW"

// Guard decides which addresses may be reached. It is safe for concurrent use.
type Guard struct {
	names    map[string]bool // normalized by parseHost
	networks []netip.Prefix  // IPv4 networks are never in IPv6 form
	resolver *net.Resolver
}

// New makes a guard that permits the public internet and the operator's exceptions: host
// names (with whatever they resolve to), networks and single addresses. Exceptions may
// also be reached by plain http. The error has one line for each invalid entry.
func New(allow []string) (*Guard, error) {
	g := &Guard{
		names: make(map[string]bool),
		// The C library's resolver would read 2130706433, 0x7f.1 and 017700000001 as
		// 127.0.0.1. Go's resolver reads them as names.
		resolver: &net.Resolver{PreferGo: true},
	}
	var problems []error
	for _, entry := range allow {
		if network, ok := parseNetwork(entry); ok {
			g.networks = append(g.networks, network)
		} else if h, err := parseHost(entry); err == nil && h.name != "" {
			g.names[h.name] = true
		} else {
			problems = append(
				problems,
				fmt.Errorf("%s: %q is neither a host name, nor an address, nor a network such as 10.0.0.0/8", Setting,
					entry),
			)
		}
	}
	return g, errors.Join(problems...)
}

// parseNetwork reads a network or a single address. It converts an IPv4 network in IPv6
// form to IPv4, so that an entry in either form allows both forms.
func parseNetwork(s string) (netip.Prefix, bool) {
	network, err := netip.ParsePrefix(s)
	if err != nil {
		address, err := netip.ParseAddr(s)
		if err != nil || address.Zone() != "" {
			return netip.Prefix{}, false
		}
		network = netip.PrefixFrom(address, address.BitLen())
	}
	if network.Addr().Is4In6() && network.Bits() >= 96 {
		network = netip.PrefixFrom(network.Addr().Unmap(), network.Bits()-96)
	}
	return network.Masked(), true
}

// BlockedError says that the guard refused a request or a connection. It may be shown,
// because it reveals nothing but the host as the organization gave it.
type BlockedError struct {
	Host string // a name or an address, without port
}

func (e *BlockedError) Error() string {
	return e.Host + " may not be reached"
}
