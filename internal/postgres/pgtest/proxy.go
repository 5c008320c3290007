package pgtest

import (
	"io"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// Proxy connects a client to a test's database and simulates network and server failures.
type Proxy struct {
	URL string // URL of the database through the proxy

	listener net.Listener
	dial     func() (net.Conn, error)

	mu     sync.Mutex
	frozen chan struct{} // Freeze closes it for the connections made before the freeze
}

// NewProxy starts a proxy for db that forwards everything.
func NewProxy(tb testing.TB, db *DB) *Proxy {
	tb.Helper()
	address, err := url.Parse(db.URL)
	if err != nil {
		tb.Fatal(err)
	}
	query := address.Query()
	p := &Proxy{frozen: make(chan struct{})}
	if dir := query.Get("host"); strings.HasPrefix(dir, "/") { // a Unix socket
		own, err := os.MkdirTemp("", "dw") // a short path, because a socket's path is limited
		if err != nil {
			tb.Fatal(err)
		}
		tb.Cleanup(func() { _ = os.RemoveAll(own) })
		name := "/.s.PGSQL." + query.Get("port")
		p.dial = func() (net.Conn, error) { return net.Dial("unix", dir+name) }
		p.listener, err = net.Listen("unix", filepath.Join(own, name))
		if err != nil {
			tb.Fatal(err)
		}
		query.Set("host", own)
		address.RawQuery = query.Encode()
	} else {
		server := address.Host
		p.dial = func() (net.Conn, error) { return net.Dial("tcp", server) }
		if p.listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
			tb.Fatal(err)
		}
		address.Host = p.listener.Addr().String()
	}
	p.URL = address.String()
	tb.Cleanup(func() { _ = p.listener.Close() })
	go p.serve()
	return p
}

// Freeze makes the current connections behave as if the server were suspended: they stay open, but no data passes.
// Later connections work, as if another server had taken over.
func (p *Proxy) Freeze() {
	p.mu.Lock()
	defer p.mu.Unlock()
	close(p.frozen)
	p.frozen = make(chan struct{})
}

func (p *Proxy) serve() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		p.mu.Lock()
		frozen := p.frozen
		p.mu.Unlock()
		server, err := p.dial()
		if err != nil {
			_ = client.Close()
			continue
		}
		go pass(client, server, frozen)
		go pass(server, client, frozen)
	}
}

// pass copies until either side closes. It discards data that arrives after the freeze.
func pass(from, to net.Conn, frozen <-chan struct{}) {
	defer from.Close()
	defer to.Close()
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		select {
		case <-frozen:
			_, _ = io.Copy(io.Discard, from) // until the client closes the connection
			return
		default:
		}
		if err != nil {
			return
		}
		if _, err := to.Write(buffer[:n]); err != nil {
			return
		}
	}
}
