package guard

import (
	"net/netip"
	"slices"
)

// special4 and special6 are the blocks that IANA's special-purpose registries do not call
// globally reachable, and a few globally reachable blocks that cannot contain a receiver.
// https://www.iana.org/assignments/iana-ipv4-special-registry
// https://www.iana.org/assignments/iana-ipv6-special-registry
var (
	special4 = []netip.Prefix{
		netip.MustParsePrefix("0.0.0.0/8"),        // this host; Linux connects to itself
		netip.MustParsePrefix("10.0.0.0/8"),       // private
		netip.MustParsePrefix("100.64.0.0/10"),    // carrier-grade NAT; metadata of Alibaba
		netip.MustParsePrefix("127.0.0.0/8"),      // loopback
		netip.MustParsePrefix("168.63.129.16/32"), // Azure's host agent, on a public address
		netip.MustParsePrefix("169.254.0.0/16"),   // link-local; metadata of most clouds
		netip.MustParsePrefix("172.16.0.0/12"),    // private
		netip.MustParsePrefix("192.0.0.0/24"),     // protocol assignments; metadata of Oracle
		netip.MustParsePrefix("192.0.2.0/24"),     // documentation
		netip.MustParsePrefix("192.88.99.0/24"),   // 6to4 relays
		netip.MustParsePrefix("192.168.0.0/16"),   // private
		netip.MustParsePrefix("198.18.0.0/15"),    // benchmarks
		netip.MustParsePrefix("198.51.100.0/24"),  // documentation
		netip.MustParsePrefix("203.0.113.0/24"),   // documentation
		netip.MustParsePrefix("224.0.0.0/4"),      // multicast
		netip.MustParsePrefix("240.0.0.0/4"),      // reserved; broadcast
	}

	// global6 is the only allocated block of IPv6. Outside are ::, ::1, IPv4 in IPv6
	// (::/96, ::ffff:0:0/96), NAT64 (64:ff9b::/96, 64:ff9b:1::/48), SRv6 (5f00::/16),
	// private (fc00::/7, metadata of Amazon and Google too), link-local (fe80::/10),
	// site-local (fec0::/10), multicast (ff00::/8) and unallocated addresses.
	global6  = netip.MustParsePrefix("2000::/3")
	special6 = []netip.Prefix{
		netip.MustParsePrefix("2001::/23"),     // protocol assignments: Teredo, benchmarks, ORCHID
		netip.MustParsePrefix("2001:db8::/32"), // documentation
		netip.MustParsePrefix("2002::/16"),     // 6to4: IPv4 in IPv6
		netip.MustParsePrefix("3fff::/20"),     // documentation
	}

	nat64 = netip.MustParsePrefix("64:ff9b::/96")
)

// permits reports whether address may be reached. An address with a zone may not: the
// zone names a network interface of this machine.
func (g *Guard) permits(address netip.Addr) bool {
	if !address.IsValid() || address.Zone() != "" {
		return false
	}
	if nat64.Contains(address) {
		// A machine behind a NAT64 must have this block allowed. That opens the
		// public internet to it, not the private addresses behind the gateway.
		bytes := address.As16()
		return g.allows(address) && g.permits(netip.AddrFrom4([4]byte(bytes[12:])))
	}
	return public(address) || g.allows(address)
}

// allows reports whether the operator's exceptions include address.
func (g *Guard) allows(address netip.Addr) bool {
	plain := address.Unmap()
	return slices.ContainsFunc(g.networks, func(n netip.Prefix) bool {
		return n.Contains(address) || n.Contains(plain)
	})
}

// public reports whether address is on the public internet. The IPv6 form of an IPv4
// address is not.
func public(address netip.Addr) bool {
	within := func(n netip.Prefix) bool { return n.Contains(address) }
	if address.Is4() {
		return !slices.ContainsFunc(special4, within)
	}
	return global6.Contains(address) && !slices.ContainsFunc(special6, within)
}
