package guard

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/netip"
	"sync"
	"syscall"
	"time"
)

// Transport returns a new transport that reaches what g permits and answers
// with a BlockedError otherwise. It holds the connections it keeps open, so make
// one and share it. It takes no proxy from the environment: a proxy would
// resolve the names out of our sight. Its other errors can name addresses of
// this network, such as the DNS server's: log them, show a class of them.
func (g *Guard) Transport() *http.Transport {
	t := &http.Transport{
		DialContext: g.dial,
		TLSClientConfig: &tls.Config{
			MinVersion: tls.VersionTLS12, ClientSessionCache: tls.NewLRUClientSessionCache(1024),
		},
		TLSHandshakeTimeout: 10 * time.Second,

		// Thousands of hosts, of which a few are asked hundreds of times a second.
		MaxIdleConns:        1024,
		MaxIdleConnsPerHost: 64,
		IdleConnTimeout:     90 * time.Second,

		// What a host can make us hold in memory. It cannot unpack into more than
		// it sent, either.
		MaxResponseHeaderBytes: 64 << 10,
		DisableCompression:     true,

		ForceAttemptHTTP2: true, // Go leaves it off beside a DialContext
		HTTP2: &http.HTTP2Config{
			MaxReceiveBufferPerConnection: 1 << 20,
			MaxReceiveBufferPerStream:     64 << 10,
			// All requests to a host share one connection. When the host has
			// vanished, the kernel would notice after a quarter of an hour.
			SendPingTimeout: 10 * time.Second,
			PingTimeout:     5 * time.Second,
		},
	}
	t.RegisterProtocol("http", plain{g})
	return t
}

// plain holds plain http back from hosts that the operator does not name, also
// when the address was stored while he did, or comes from a redirect.
type plain struct{ g *Guard }

func (p plain) RoundTrip(r *http.Request) (*http.Response, error) {
	if h, err := parseHost(r.URL.Hostname()); err == nil && p.g.exempts(h) {
		return nil, http.ErrSkipAltProtocol
	}
	if r.Body != nil {
		r.Body.Close()
	}
	return nil, &BlockedError{Host: r.URL.Hostname()}
}

// dial connects to address. It looks a name up once, and each of its addresses
// is judged by the socket that is about to connect to it.
func (g *Guard) dial(ctx context.Context, network, address string) (net.Conn, error) {
	name, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	h, err := parseHost(name)
	if err != nil || !g.admits(h) {
		return nil, &BlockedError{Host: name}
	}
	dialer := net.Dialer{Timeout: 10 * time.Second, Resolver: g.resolver}
	if g.names[h.name] {
		return dialer.DialContext(ctx, network, address)
	}
	if h.name != "" && len(g.networks) == 0 {
		// With the dot of the root the machine's search domains are not tried: it
		// would take time, and find nothing that may be reached.
		address = net.JoinHostPort(h.name+".", port)
	}

	var judged verdict
	dialer.ControlContext = func(_ context.Context, _, address string, _ syscall.RawConn) error {
		to, err := netip.ParseAddrPort(address)
		if err != nil || !g.permits(to.Addr()) {
			return &BlockedError{Host: name}
		}
		return nil
	}
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		ConnectDone: func(_, _ string, err error) { judged.add(err) },
	})
	conn, err := dialer.DialContext(ctx, network, address)
	if err != nil {
		return nil, judged.of(err)
	}
	return conn, nil
}

// verdict gathers what became of the addresses of one name. A name may have
// some that are refused and some that are not: on a network with DNS64 every
// host has an address that stands for its IPv4 one.
type verdict struct {
	mu      sync.Mutex
	blocked error
	failed  error // of the first address that is not blocked
}

func (v *verdict) add(err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if blocked, ok := errors.AsType[*BlockedError](err); ok {
		v.blocked = blocked
	} else if v.failed == nil {
		v.failed = err
	}
}

// of is the error to answer with: of a permitted address if there is any.
func (v *verdict) of(err error) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	switch _, blocked := errors.AsType[*BlockedError](err); {
	case !blocked:
		return err
	case v.failed != nil:
		return v.failed
	default:
		return v.blocked
	}
}
