package guard

import (
	"context"
	"net"
	"net/netip"
	"strings"
	"sync"
	"testing"

	"golang.org/x/net/dns/dnsmessage"
)

// zone is a name server on loopback. The n-th lookup of a name gets its n-th answer, and
// every further lookup gets the last answer. An answer is a list of addresses, "" for
// none.
type zone struct {
	mu      sync.Mutex
	answers map[string][]string
	asked   map[string]int // lookups by name; A and AAAA are one lookup
}

// serve answers the guard's DNS queries from now on.
func (z *zone) serve(t *testing.T, g *Guard) {
	t.Helper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	z.asked = make(map[string]int)
	go func() {
		buffer := make([]byte, 4096)
		for {
			n, from, err := conn.ReadFrom(buffer)
			if err != nil {
				return
			}
			if answer, err := z.answer(buffer[:n]); err == nil {
				_, _ = conn.WriteTo(answer, from)
			}
		}
	}()
	g.resolver.Dial = func(ctx context.Context, _, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "udp", conn.LocalAddr().String())
	}
}

func (z *zone) lookups(name string) int {
	z.mu.Lock()
	defer z.mu.Unlock()
	return z.asked[name]
}

func (z *zone) answer(query []byte) ([]byte, error) {
	var m dnsmessage.Message
	if err := m.Unpack(query); err != nil {
		return nil, err
	}
	q := m.Questions[0]
	name := strings.ToLower(strings.TrimSuffix(q.Name.String(), "."))
	z.mu.Lock()
	defer z.mu.Unlock()
	answers, known := z.answers[name]
	m.Response, m.RecursionAvailable, m.Additionals = true, true, nil
	if !known {
		m.RCode = dnsmessage.RCodeNameError
		return m.Pack()
	}
	if q.Type == dnsmessage.TypeA {
		z.asked[name]++
	}
	turn := min(max(z.asked[name], 1), len(answers)) - 1
	for _, s := range strings.Fields(answers[turn]) {
		address := netip.MustParseAddr(s)
		header := dnsmessage.ResourceHeader{Name: q.Name, Class: dnsmessage.ClassINET}
		switch {
		case q.Type == dnsmessage.TypeA && address.Is4():
			m.Answers = append(m.Answers, dnsmessage.Resource{
				Header: header, Body: &dnsmessage.AResource{A: address.As4()},
			})
		case q.Type == dnsmessage.TypeAAAA && address.Is6():
			m.Answers = append(m.Answers, dnsmessage.Resource{
				Header: header, Body: &dnsmessage.AAAAResource{AAAA: address.As16()},
			})
		}
	}
	return m.Pack()
}
