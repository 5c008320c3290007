// Package guard keeps requests to addresses that an organization chose away
// from everything that is not the public internet: the machine itself, the
// network it stands in, the metadata service of its cloud. An address is judged
// when it is dialed, after name resolution, so that neither a name, nor a
// redirect, nor an answer that changes leads around the judgement.
package guard

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
)

// Setting is the operator's setting that New takes the entries of. People read
// it in what a Guard refuses.
const Setting = "DIALWRIGHT_WEBHOOK_ALLOW"

// Guard decides which addresses may be reached. It is safe for concurrent use.
type Guard struct {
	names    map[string]bool // as parseHost writes them
	networks []netip.Prefix  // IPv4 ones never in their IPv6 form
	resolver *net.Resolver
}

// New makes a guard that lets through the public internet and, beyond it, what
// the operator allows: host names (with whatever they resolve to), networks and
// single addresses. What is allowed may also be reached by plain http. The
// error has one line for each entry that is none of these.
func New(allow []string) (*Guard, error) {
	g := &Guard{
		names: make(map[string]bool),
		// The C library's resolver would read 2130706433, 0x7f.1 and 017700000001
		// as 127.0.0.1; Go's reads a name as a name.
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

// parseNetwork reads a network or a single address. An IPv4 one in its IPv6
// form is the IPv4 one, so that both forms of an address are allowed by both.
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

// BlockedError says that a request was not sent, or a connection not made,
// because the guard refuses it. It may be shown: beyond the host as the
// organization gave it, it tells nothing.
type BlockedError struct {
	Host string // a name or an address, without port
}

func (e *BlockedError) Error() string {
	return e.Host + " may not be reached"
}
