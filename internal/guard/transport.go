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

// Transport returns a new transport that reaches the hosts that g permits, and returns a
// BlockedError for other hosts. It keeps idle connections, so make one transport and
// share it. It uses no proxy from the environment, because a proxy would resolve names
// without the guard's checks. Other errors may name addresses of this network, such as
// the DNS server's: log these errors, and show people only a class of error.
func (g *Guard) Transport() *http.Transport {
	t := &http.Transport{
		DialContext: g.dial,
		TLSClientConfig: &tls.Config{
			MinVersion: tls.VersionTLS12, ClientSessionCache: tls.NewLRUClientSessionCache(1024),
		},
		TLSHandshakeTimeout: 10 * time.Second,

		// The limits fit thousands of hosts, a few of which get hundreds of requests a
		// second.
		MaxIdleConns:        1024,
		MaxIdleConnsPerHost: 64,
		IdleConnTimeout:     90 * time.Second,

		// These limits bound the memory that a host can make the process use. Without
		// compression, an answer cannot unpack into more bytes than the host sent.
		MaxResponseHeaderBytes: 64 << 10,
		DisableCompression:     true,

		ForceAttemptHTTP2: true, // net/http turns it off with a DialContext
		HTTP2: &http.HTTP2Config{
			MaxReceiveBufferPerConnection: 1 << 20,
			MaxReceiveBufferPerStream:     64 << 10,
			// All requests to a host share one connection. Without pings, the kernel
			// would notice a vanished host only after a quarter of an hour.
			SendPingTimeout: 10 * time.Second,
			PingTimeout:     5 * time.Second,
		},
	}
	t.RegisterProtocol("http", plain{g})
	return t
}

// plain refuses plain http to hosts outside the operator's exceptions, even if the URL
// was stored while the host was an exception, or comes from a redirect.
type plain struct{ g *Guard }

func (p plain) RoundTrip(r *http.Request) (*http.Response, error) {
	if h, err := parseHost(r.URL.Hostname()); err == nil && p.g.exempts(h, portOf(r.URL)) {
		return nil, http.ErrSkipAltProtocol
	}
	if r.Body != nil {
		r.Body.Close()
	}
	return nil, &BlockedError{Host: r.URL.Hostname()}
}

// dial connects to address. It looks a name up once, and checks each address of the name
// right before a socket connects to it.
func (g *Guard) dial(ctx context.Context, network, address string) (net.Conn, error) {
	name, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	h, err := parseHost(name)
	if err != nil || !g.admits(h, port) {
		return nil, &BlockedError{Host: name}
	}
	dialer := net.Dialer{Timeout: 10 * time.Second, Resolver: g.resolver}
	if g.names[h.name] || g.serves(h, port) {
		return dialer.DialContext(ctx, network, address)
	}
	if h.name != "" && len(g.networks) == 0 {
		// The trailing dot turns off the machine's search domains. They would take time
		// and could only find addresses that are not permitted.
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

// verdict collects the errors of the addresses of one name. Some addresses of a name may
// be blocked and others not: on a network with DNS64 every host has a second address that
// stands for its IPv4 address.
type verdict struct {
	mu      sync.Mutex
	blocked error
	failed  error // the first error that is not a BlockedError
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

// of returns the error to report, preferably the error of a permitted address.
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
