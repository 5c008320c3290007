package main

import (
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// chaosNetwork is a proxy in front of the servers with one address, like a load balancer: it sends each request to any
// server that accepts it. While it is adverse, it loses some of the carrier's callbacks, delivers some twice, and some
// late and out of order.
type chaosNetwork struct {
	url     string
	proxy   *httputil.ReverseProxy
	adverse atomic.Bool
	late    sync.WaitGroup

	mu      sync.Mutex
	random  *rand.Rand
	servers []string
	conns   map[net.Conn]bool
	lines   map[string][]lineOpening // by the path of the line, in the order of opening
	lost    int                      // number of callbacks
	twice   int
	delayed int
}

// lineOpening is a line that a server accepted.
type lineOpening struct {
	server string // address of the server
	at     time.Time
}

// serversOf returns the addresses of the servers that have had a line.
func serversOf(openings []lineOpening) map[string]bool {
	all := map[string]bool{}
	for _, o := range openings {
		all[o.server] = true
	}
	return all
}

func newChaosNetwork(c *chaos, seed uint64) *chaosNetwork {
	n := &chaosNetwork{random: newRandom(seed + 1), conns: map[net.Conn]bool{}, lines: map[string][]lineOpening{}}
	for _, s := range c.servers {
		n.servers = append(n.servers, s.address)
	}
	n.proxy = &httputil.ReverseProxy{
		Rewrite:   func(r *httputil.ProxyRequest) { r.Out.URL.Scheme = "http" },
		Transport: n,
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) {
			w.WriteHeader(http.StatusBadGateway) // no server runs, or the server has just ended
		},
	}
	server := httptest.NewUnstartedServer(n)
	server.Listener = chaosListener{server.Listener, n}
	server.Config.ErrorLog = nil
	server.Start()
	c.t.Cleanup(func() {
		n.late.Wait()
		n.cutAll()
		server.Close()
	})
	n.url = server.URL
	return n
}

// chaosTransport opens a new connection for each request, so that requests can reach different servers.
var chaosTransport = &http.Transport{DisableKeepAlives: true}

// RoundTrip sends a request to any server, and to another server if that server is unavailable.
func (n *chaosNetwork) RoundTrip(r *http.Request) (res *http.Response, err error) {
	n.mu.Lock()
	first := n.random.IntN(len(n.servers))
	n.mu.Unlock()
	var body []byte
	if r.Body != nil {
		if body, err = io.ReadAll(r.Body); err != nil {
			return nil, err
		}
	}
	for i := range n.servers {
		address := n.servers[(first+i)%len(n.servers)]
		out := r.Clone(r.Context())
		out.URL.Host = address
		out.Body = io.NopCloser(bytes.NewReader(body))
		if len(body) == 0 {
			out.Body = http.NoBody
		}
		if res, err = chaosTransport.RoundTrip(out); err == nil {
			if strings.HasSuffix(r.URL.Path, "/relay") && res.StatusCode == http.StatusSwitchingProtocols {
				n.mu.Lock()
				n.lines[r.URL.Path] = append(n.lines[r.URL.Path], lineOpening{address, time.Now()})
				n.mu.Unlock()
			}
			return res, nil
		}
		if op, ok := err.(*net.OpError); !ok || op.Op != "dial" { //nolint:errorlint // returned unwrapped
			return nil, err // the server may have processed the request
		}
	}
	return nil, err
}

// ServeHTTP loses, delays and repeats the carrier's callbacks, as networks do.
func (n *chaosNetwork) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	status, detected := strings.HasSuffix(r.URL.Path, "/status"), strings.HasSuffix(r.URL.Path, "/amd")
	if !n.adverse.Load() || !status && !detected {
		n.proxy.ServeHTTP(w, r)
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the connection was cut
	}
	again := func() *http.Request {
		out := r.Clone(r.Context())
		out.Body = io.NopCloser(bytes.NewReader(body))
		return out
	}
	n.mu.Lock()
	draw, wait := n.random.IntN(100), time.Duration(n.random.IntN(800))*time.Millisecond
	switch {
	case draw < 3 && status:
		n.lost++
	case draw < 13:
		n.delayed++
	case draw < 23:
		n.twice++
	}
	n.mu.Unlock()
	switch {
	case draw < 3 && status: // the product later asks the carrier
		w.WriteHeader(http.StatusNoContent)
	case draw < 13: // after later callbacks; lost if no server runs then
		w.WriteHeader(http.StatusNoContent)
		late := again()
		late = late.WithContext(context.WithoutCancel(late.Context()))
		n.late.Go(func() {
			time.Sleep(wait)
			n.proxy.ServeHTTP(httptest.NewRecorder(), late)
		})
	case draw < 23:
		n.proxy.ServeHTTP(httptest.NewRecorder(), again())
		n.proxy.ServeHTTP(w, again())
	default:
		n.proxy.ServeHTTP(w, again())
	}
}

// handed counts the lines that more than one server has had.
func (n *chaosNetwork) handed() (count int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, openings := range n.lines {
		if len(serversOf(openings)) > 1 {
			count++
		}
	}
	return count
}

// openings returns the openings of a call's line.
func (n *chaosNetwork) openings(call string) []lineOpening {
	n.mu.Lock()
	defer n.mu.Unlock()
	for path, openings := range n.lines {
		if strings.Contains(path, "/"+call+"/") {
			return slices.Clone(openings)
		}
	}
	return nil
}

// cut closes a third of the connections.
func (n *chaosNetwork) cut(draw func(int) int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for conn := range n.conns {
		if draw(3) == 0 {
			conn.Close()
		}
	}
}

func (n *chaosNetwork) cutAll() { n.cut(func(int) int { return 0 }) }

// chaosListener tracks the open connections.
type chaosListener struct {
	net.Listener
	network *chaosNetwork
}

func (l chaosListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	l.network.mu.Lock()
	defer l.network.mu.Unlock()
	tracked := &chaosConn{Conn: conn, network: l.network}
	l.network.conns[conn] = true
	return tracked, nil
}

type chaosConn struct {
	net.Conn
	network *chaosNetwork
}

func (c *chaosConn) Close() error {
	c.network.mu.Lock()
	delete(c.network.conns, c.Conn)
	c.network.mu.Unlock()
	return c.Conn.Close()
}
