package sender

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"
	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"

	"github.com/dialwright/dialwright/internal/guard"
)

// dialed makes transports of the guard whose connections report when this side closes
// them.
type dialed struct {
	closed chan struct{}
}

type watchedConn struct {
	net.Conn
	once   sync.Once
	closed chan struct{}
}

func (c *watchedConn) Close() error {
	err := c.Conn.Close()
	c.once.Do(func() { c.closed <- struct{}{} })
	return err
}

func (d *dialed) transport(t *testing.T, roots *x509.CertPool) func() *http.Transport {
	t.Helper()
	g, err := guard.New([]string{"127.0.0.0/8"})
	if err != nil {
		t.Fatal(err)
	}
	return func() *http.Transport {
		transport := g.Transport()
		transport.TLSClientConfig.RootCAs = roots
		dial := transport.DialContext
		transport.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
			conn, err := dial(ctx, network, address)
			if err != nil {
				return nil, err
			}
			return &watchedConn{Conn: conn, closed: d.closed}, nil
		}
		return transport
	}
}

// A receiver may close an idle connection at the moment of its reuse. No byte of the
// request was written then, so the request uses a fresh connection, and the attempt
// reports it.
func TestAConnectionThatClosesAtTheMomentOfReuse(t *testing.T) {
	t.Parallel()
	for _, protocol := range []string{"HTTP/1.1", "HTTP/1.1 over TLS", "HTTP/2"} {
		t.Run(protocol, func(t *testing.T) {
			t.Parallel()
			var requests atomic.Int32
			server := httptest.NewUnstartedServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body)
				requests.Add(1)
			}))
			server.Config.ErrorLog = log.New(io.Discard, "", 0)
			roots := x509.NewCertPool()
			if protocol == "HTTP/1.1" {
				server.Start()
			} else {
				server.EnableHTTP2 = protocol == "HTTP/2"
				server.StartTLS()
				roots.AddCert(server.Certificate())
			}
			t.Cleanup(server.Close)
			d := &dialed{closed: make(chan struct{}, 10)}
			s := New(d.transport(t, roots), "test")
			out := Request{
				URL: server.URL, EventID: uuid.New(), Payload: []byte("{}"), Secrets: [][]byte{[]byte("secret")},
			}
			if a := s.Send(t.Context(), out); a.Outcome != OutcomeSucceeded || a.Reconnected {
				t.Fatalf("%s: %q, over a second connection: %t", a.Outcome, a.Problem, a.Reconnected)
			}
			ctx := httptrace.WithClientTrace(t.Context(),
				&httptrace.ClientTrace{GotConn: func(info httptrace.GotConnInfo) {
					if info.Reused {
						server.CloseClientConnections()
						<-d.closed
					}
				}})
			a := s.Send(ctx, out)
			if n := requests.Load(); a.Outcome != OutcomeSucceeded || !a.Reconnected || a.Connect < 0 || n != 2 {
				t.Errorf("%s: %q, over a second connection: %t, %+v; %d requests in all", a.Outcome, a.Problem,
					a.Reconnected, a.Timings, n)
			}
		})
	}
}

// An HTTP/2 receiver may refuse a request after receiving it. The attempt then sends no
// second request.
func TestHTTP2RequestsThatAreRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		refuse  func(f *http2.Framer, stream uint32) error
		problem string
	}{
		"REFUSED_STREAM": {
			func(f *http2.Framer, stream uint32) error {
				return f.WriteRSTStream(stream, http2.ErrCodeRefusedStream)
			},
			"The endpoint refused the request (HTTP/2 REFUSED_STREAM)",
		},
		"GOAWAY": {
			func(f *http2.Framer, stream uint32) error { return f.WriteGoAway(stream-2, http2.ErrCodeNo, nil) },
			"The connection was closed before an answer came",
		},
		"close": {
			func(*http2.Framer, uint32) error { return io.EOF },
			"The connection was closed before an answer came",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rc := newHTTP2Receiver(t, c.refuse)
			d := &dialed{closed: make(chan struct{}, 10)}
			s := New(d.transport(t, rc.roots), "test")
			out := Request{URL: rc.url, EventID: uuid.New(), Payload: []byte("{}"), Secrets: [][]byte{[]byte("secret")}}
			if a := s.Send(t.Context(), out); a.Outcome != OutcomeSucceeded {
				t.Fatalf("%s: %q", a.Outcome, a.Problem)
			}
			a := s.Send(t.Context(), out)
			if a.Outcome != OutcomeProtocol || a.Problem != c.problem || a.Reconnected || rc.requests.Load() != 2 {
				t.Errorf("%s: %q, over a second connection: %t; %d requests in all", a.Outcome, a.Problem,
					a.Reconnected, rc.requests.Load())
			}
		})
	}
}

// http2Receiver answers its first request, and refuses every later request after
// receiving all of it.
type http2Receiver struct {
	url      string
	roots    *x509.CertPool
	requests atomic.Int32
	refuse   func(f *http2.Framer, stream uint32) error
}

func newHTTP2Receiver(t *testing.T, refuse func(f *http2.Framer, stream uint32) error) *http2Receiver {
	t.Helper()
	issuer := httptest.NewTLSServer(nil) // provides the certificate
	issuer.Close()
	rc := &http2Receiver{roots: x509.NewCertPool(), refuse: refuse}
	rc.roots.AddCert(issuer.Certificate())
	l, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{
		Certificates: issuer.TLS.Certificates, NextProtos: []string{"h2"}, MinVersion: tls.VersionTLS12,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	rc.url = "https://" + l.Addr().String()
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go rc.serve(conn)
		}
	}()
	return rc
}

func (rc *http2Receiver) serve(conn net.Conn) {
	defer conn.Close()
	preface := make([]byte, len(http2.ClientPreface))
	if _, err := io.ReadFull(conn, preface); err != nil {
		return
	}
	f := http2.NewFramer(conn, conn)
	if err := f.WriteSettings(); err != nil {
		return
	}
	for {
		frame, err := f.ReadFrame()
		if err != nil {
			return
		}
		if s, ok := frame.(*http2.SettingsFrame); ok && !s.IsAck() {
			err = f.WriteSettingsAck()
		}
		if data, ok := frame.(*http2.DataFrame); ok && data.StreamEnded() {
			if rc.requests.Add(1) == 1 {
				err = answerHTTP2(f, data.StreamID)
			} else {
				err = rc.refuse(f, data.StreamID)
			}
		}
		if err != nil {
			return
		}
	}
}

func answerHTTP2(f *http2.Framer, stream uint32) error {
	var block bytes.Buffer
	if err := hpack.NewEncoder(&block).WriteField(hpack.HeaderField{Name: ":status", Value: "204"}); err != nil {
		return err
	}
	return f.WriteHeaders(http2.HeadersFrameParam{
		StreamID: stream, BlockFragment: block.Bytes(), EndHeaders: true, EndStream: true,
	})
}
