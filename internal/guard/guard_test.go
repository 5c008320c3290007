package guard

import (
	"net/netip"
	"slices"
	"strings"
	"testing"
)

func newGuard(t *testing.T, allow ...string) *Guard {
	t.Helper()
	g, err := New(allow)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestEveryBadEntryOfTheAllowListIsReportedAtOnce(t *testing.T) {
	t.Parallel()
	bad := []string{
		"", "10.0.0.0/33", "http://localhost", "localhost:3000", "*.example.com", "2130706433", "127.1",
		"fe80::1%eth0", "fe80::%eth0/10", "[::1]", "a b", "-a.example.com", "a..b",
	}
	_, err := New(append(bad, "localhost", "10.0.0.0/8"))
	if err == nil {
		t.Fatal("accepted")
	}
	lines := strings.Split(err.Error(), "\n")
	if len(lines) != len(bad) {
		t.Errorf("%d problems for %d bad entries:\n%v", len(lines), len(bad), err)
	}
	for i, line := range lines {
		if !strings.HasPrefix(line, Setting+`: "`+bad[i]+`" is neither`) {
			t.Errorf("%q is reported as %s", bad[i], line)
		}
	}
}

func TestTheAllowListIsReadInAnySpelling(t *testing.T) {
	t.Parallel()
	g := newGuard(t, "LocalHost.", "Bücher.example", "my_service", "10.1.2.3/8", "::ffff:192.168.0.0/112", "::1",
		"fd00::/8")
	for _, name := range []string{
		"localhost", "localhost.", "LOCALHOST", "bücher.example", "xn--bcher-kva.example", "my_service",
	} {
		if h, err := parseHost(name); err != nil || !g.exempts(h, "443") {
			t.Errorf("%s is not allowed, %v", name, err)
		}
	}
	for address, want := range map[string]bool{
		"10.255.0.1": true, "::ffff:10.255.0.1": true, "192.168.7.7": true, "::1": true, "fd12::1": true,
		"11.0.0.1": true, "192.169.0.1": true, // public anyway
		"::2": false, "::ffff:127.0.0.1": false, "172.16.0.1": false, "fc00::1": false, "::10.0.0.1": false,
		"fd00::1%1": false,
	} {
		if got := g.permits(netip.MustParseAddr(address)); got != want {
			t.Errorf("%s: %t", address, got)
		}
	}
	if zoned := netip.MustParseAddr("::ffff:10.1.2.3").WithZone("lo"); g.permits(zoned) {
		t.Errorf("%v is permitted", zoned)
	}
}

func TestPublicAddressesAreTheOnesGivenOut(t *testing.T) {
	t.Parallel()
	g := newGuard(t)
	for _, s := range []string{
		"1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255",
		"128.0.0.0",
		"168.63.129.15", "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "191.255.255.255",
		"192.0.1.0", "192.0.3.0",
		"192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0", "203.0.112.255", "203.0.114.0",
		"223.255.255.255",
		"2001:200::1", "2001:4860:4860::8888", "2600::1", "2003::1", "2a00:1450::1", "3ffe::1",
	} {
		if !g.permits(netip.MustParseAddr(s)) {
			t.Errorf("%s is refused", s)
		}
	}
	for _, s := range []string{
		"0.0.0.0", "0.1.2.3", "10.0.0.0", "10.255.255.255", "100.64.0.0", "100.100.100.200", "100.127.255.255",
		"127.0.0.1", "127.255.255.255",
		"168.63.129.16", "169.254.0.0", "169.254.169.254", "169.254.255.255", "172.16.0.0", "172.31.255.255",
		"192.0.0.0", "192.0.0.192",
		"192.0.2.1", "192.88.99.1", "192.168.0.0", "192.168.255.255", "198.18.0.0", "198.19.255.255", "198.51.100.1",
		"203.0.113.1",
		"224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255",
		"::", "::1", "::7f00:1", "::8.8.8.8", "::ffff:8.8.8.8", "::ffff:127.0.0.1", "::ffff:0:127.0.0.1",
		"64:ff9b::8.8.8.8", "64:ff9b:1::1",
		"100::1", "2001::1", "2001:0:4136:e378::1", "2001:2::1", "2001:10::1", "2001:20::1", "2001:db8::1",
		"2002:7f00:1::", "2002:808:808::1",
		"3fff::1", "4000::1", "5f00::1", "fc00::1", "fd00:ec2::254", "fd20:ce::254", "fe80::1", "fe80::1%eth0",
		"febf::1", "fec0::1", "ff02::1",
		"2600::1%eth0",
	} {
		if g.permits(netip.MustParseAddr(s)) {
			t.Errorf("%s is permitted", s)
		}
	}
	if g.permits(netip.Addr{}) {
		t.Error("no address is permitted")
	}
}

// Behind a NAT64 gateway every IPv4 host has an address in 64:ff9b::/96, including the
// hosts of the operator's own network.
func TestAllowingNAT64DoesNotAllowWhatIsBehindIt(t *testing.T) {
	t.Parallel()
	g := newGuard(t, "64:ff9b::/96", "10.7.0.0/16")
	for s, want := range map[string]bool{
		"64:ff9b::8.8.8.8": true, "64:ff9b::10.7.0.1": true,
		"64:ff9b::10.8.0.1": false, "64:ff9b::127.0.0.1": false, "64:ff9b::169.254.169.254": false,
	} {
		if got := g.permits(netip.MustParseAddr(s)); got != want {
			t.Errorf("%s: %t", s, got)
		}
	}
	if h, _ := parseHost("64:ff9b::127.0.0.1"); g.exempts(h, "443") {
		t.Error("plain http is allowed behind the gateway")
	}
}

// oracle reports whether an address is public, by the standard library and by its form.
func oracle(address netip.Addr) bool {
	if address.IsLoopback() || address.IsPrivate() || address.IsLinkLocalUnicast() || address.IsMulticast() ||
		address.IsUnspecified() ||
		!address.IsGlobalUnicast() || address.Zone() != "" || address.Is4In6() {
		return false
	}
	bytes := address.As16()
	if address.Is4() {
		return bytes[12] != 0 && bytes[12] < 240
	}
	sixToFour := bytes[0] == 0x20 && bytes[1] == 0x02
	teredo := bytes[0] == 0x20 && bytes[1] == 0x01 && bytes[2] == 0 && bytes[3] == 0
	return bytes[0]>>5 == 1 && !sixToFour && !teredo
}

// No address that the standard library calls special is permitted. An IPv6 form of an
// IPv4 address is permitted only if the IPv4 address is.
func FuzzPermits(f *testing.F) {
	for _, s := range []string{"127.0.0.1", "::1", "64:ff9b::a00:1", "2002:7f00:1::", "2001:db8::1", "fd00:ec2::254"} {
		f.Add(netip.MustParseAddr(s).AsSlice(), "")
	}
	f.Add(netip.MustParseAddr("fe80::1").AsSlice(), "eth0")
	open, shut := &Guard{}, &Guard{}
	open.networks = []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), nat64}
	f.Fuzz(func(t *testing.T, bytes []byte, zone string) {
		address, ok := netip.AddrFromSlice(bytes)
		if !ok {
			return
		}
		address = address.WithZone(zone)
		if shut.permits(address) && !oracle(address) {
			t.Errorf("%v is permitted", address)
		}
		if !open.permits(address) || shut.permits(address) {
			return
		}
		inner := address.Unmap()
		if nat64.Contains(address) {
			sixteen := address.As16()
			inner = netip.AddrFrom4([4]byte(slices.Clone(sixteen[12:])))
		}
		if !inner.Is4() || inner.As4()[0] != 10 && !oracle(inner) {
			t.Errorf("%v is permitted though only 10.0.0.0/8 is allowed", address)
		}
	})
}
