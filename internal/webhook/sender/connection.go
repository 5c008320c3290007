package sender

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"sync/atomic"
	"time"
)

// idleTimeout is how long a connection stays open for the next attempt. It is below the
// 5 s after which Node.js and Apache close theirs, so a request rarely meets a
// connection that is being closed.
const idleTimeout = 4 * time.Second

// New returns a sender with two transports from open: one reuses connections, the
// other opens one for each request.
func New(open func() *http.Transport, version string) Sender {
	kept, fresh := open(), open()
	kept.IdleConnTimeout = idleTimeout
	dial := kept.DialContext
	kept.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return &countedConn{Conn: conn}, nil
	}
	fresh.DisableKeepAlives = true
	return Sender{transport: kept, fresh: fresh, agent: "Dialwright/" + version, timeout: Timeout, now: time.Now}
}

// Within returns the sender with another bound of an attempt than Timeout.
func (s Sender) Within(d time.Duration) Sender {
	s.timeout = d
	return s
}

// Keeping returns the sender with another bound of an answer's body than MaxBody, in bytes.
func (s Sender) Keeping(bytes int64) Sender {
	s.keeps = bytes
	return s
}

// countedConn counts the bytes that the operating system accepted.
type countedConn struct {
	net.Conn
	written atomic.Int64
}

func (c *countedConn) Write(b []byte) (int, error) {
	n, err := c.Conn.Write(b)
	c.written.Add(int64(n))
	return n, err
}

// exclusive returns the counted connection below conn if it carries one request at a
// time. An HTTP/2 connection carries many requests, so its count proves nothing about
// one of them.
func exclusive(conn net.Conn) *countedConn {
	if secure, ok := conn.(*tls.Conn); ok {
		if secure.ConnectionState().NegotiatedProtocol == "h2" {
			return nil
		}
		conn = secure.NetConn()
	}
	counted, _ := conn.(*countedConn)
	return counted
}
