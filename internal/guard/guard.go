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
	"strconv"
	"strings"
)

// The operator's settings with the entries of New and of NewModels. People read their names in errors.
const (
	Setting      = "DIALWRIGHT_WEBHOOK_ALLOW"
	ModelSetting = "DIALWRIGHT_MODEL_HOSTS"
)

// Guard decides which addresses may be reached. It is safe for concurrent use.
type Guard struct {
	setting  string            // the operator's setting that lists the exceptions
	names    map[string]bool   // normalized by parseHost
	networks []netip.Prefix    // IPv4 networks are never in IPv6 form
	servers  map[endpoint]bool // exact exceptions
	resolver *net.Resolver
}

// endpoint is a host with a port. An empty port stands for every port of the host.
type endpoint struct {
	host
	port string
}

func bare(setting string) *Guard {
	return &Guard{
		setting: setting,
		names:   make(map[string]bool),
		servers: make(map[endpoint]bool),
		// The C library's resolver would read 2130706433, 0x7f.1 and 017700000001 as
		// 127.0.0.1. Go's resolver reads them as names.
		resolver: &net.Resolver{PreferGo: true},
	}
}

// NewModels makes a guard that permits the public internet and single model servers of the operator's
// own network: a host name (with whatever it resolves to) or an address, with a port, or without one for
// all ports of the host. Such a server may also be reached by plain http. The error has one line for each
// invalid entry.
func NewModels(servers []string) (*Guard, error) {
	g := bare(ModelSetting)
	var problems []error
	for _, entry := range servers {
		e, err := parseEndpoint(entry)
		if err != nil {
			problems = append(problems,
				fmt.Errorf("%s: %q is not a host such as vllm.internal:8000 or 10.0.0.5:8000", ModelSetting, entry))
			continue
		}
		g.servers[e] = true
	}
	return g, errors.Join(problems...)
}

func parseEndpoint(entry string) (endpoint, error) {
	name, port, err := net.SplitHostPort(entry)
	if err != nil { // no port
		name, port = strings.TrimSuffix(strings.TrimPrefix(entry, "["), "]"), ""
	} else if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
		return endpoint{}, errHost
	}
	h, err := parseHost(name)
	if err != nil || h.address.Zone() != "" {
		return endpoint{}, errHost
	}
	return endpoint{h.plain(), port}, nil
}

// serves reports whether the operator's exceptions name exactly this server.
func (g *Guard) serves(h host, port string) bool {
	h = h.plain()
	return g.servers[endpoint{h, port}] || g.servers[endpoint{h, ""}]
}

// New makes a guard that permits the public internet and the operator's exceptions: host
// names (with whatever they resolve to), networks and single addresses. Exceptions may
// also be reached by plain http. The error has one line for each invalid entry.
func New(allow []string) (*Guard, error) {
	g := bare(Setting)
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
