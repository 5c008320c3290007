package sender

import (
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"os"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/guard"
	"github.com/dialwright/dialwright/internal/testwait"
)

// The log of attempts does not reveal how this network resolves a name, because its
// readers must not learn that.
func TestABlockedAddressIsNotTold(t *testing.T) {
	t.Parallel()
	g, err := guard.New([]string{"10.0.0.0/8"}) // guard with a network allowed, so that localhost is looked up
	if err != nil {
		t.Fatal(err)
	}
	s := Sender{transport: g.Transport(), timeout: testwait.Limit, now: time.Now}
	a := s.Send(t.Context(), Request{
		URL: "https://localhost/hook", EventID: uuid.New(), Secrets: [][]byte{[]byte("secret")},
	})
	if a.Outcome != OutcomeBlocked || a.Problem != "localhost may not be reached" || a.Address.IsValid() ||
		a.Connect >= 0 || a.Status != 0 {
		t.Errorf("%s: %q, address %v, connect %v, status %d", a.Outcome, a.Problem, a.Address, a.Connect, a.Status)
	}
}

// Descriptions of failures reveal nothing about this machine.
func TestProblems(t *testing.T) {
	t.Parallel()
	asked := testwait.NewDeadline(t.Context())
	hanging := newReceiver(t, func(_ int, _ http.ResponseWriter, r *http.Request) {
		asked.Pass()
		<-r.Context().Done()
	})
	dropping := newReceiver(t, func(_ int, w http.ResponseWriter, _ *http.Request) {
		conn, _, err := w.(http.Hijacker).Hijack()
		if err == nil {
			conn.Close()
		}
	})
	secure := httptest.NewTLSServer(http.NotFoundHandler())
	t.Cleanup(secure.Close)
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	closed := httptest.NewServer(nil)
	closed.Close()
	raw := func(answer string) string {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { l.Close() })
		go func() {
			for {
				conn, err := l.Accept()
				if err != nil {
					return
				}
				_, _ = conn.Read(make([]byte, 4096))
				_, _ = io.WriteString(conn, answer)
				conn.Close()
			}
		}()
		return "http://" + l.Addr().String()
	}
	dials := func(err error) http.RoundTripper {
		return &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) { return nil, err }}
	}
	local := func() http.RoundTripper {
		g, err := guard.New([]string{"127.0.0.0/8"})
		if err != nil {
			t.Fatal(err)
		}
		return g.Transport()
	}
	opError := func(err error) error {
		return &net.OpError{Op: "dial", Net: "tcp", Addr: &net.TCPAddr{IP: net.IPv4(10, 1, 2, 3)}, Err: err}
	}
	for _, c := range []struct {
		name      string
		url       string
		transport http.RoundTripper
		outcome   Outcome
		problem   string
	}{
		{
			"unknown name", "https://nowhere.example/",
			dials(&net.DNSError{Err: "no such host", Name: "nowhere.example", Server: "10.9.8.7:53", IsNotFound: true}),
			OutcomeDNS, "The host name nowhere.example does not resolve",
		},
		{
			"no DNS", "https://nowhere.example/",
			dials(&net.DNSError{Err: "server misbehaving", Name: "nowhere.example", Server: "10.9.8.7:53"}),
			OutcomeDNS, "The name nowhere.example could not be looked up",
		},
		{"refused", closed.URL, local(), OutcomeConnect, "The connection was refused"},
		{
			"unreachable", "http://nowhere.example/", dials(opError(syscall.EHOSTUNREACH)), OutcomeConnect,
			"The host is not reachable",
		},
		{
			"not accepted", "http://nowhere.example/", dials(opError(os.ErrDeadlineExceeded)), OutcomeConnect,
			"The connection was not accepted in time",
		},
		{
			"another fault of the dial", "http://nowhere.example/", dials(opError(syscall.EMFILE)), OutcomeConnect,
			"No connection could be made",
		},
		{
			"unknown authority", secure.URL, local(), OutcomeTLS,
			"The certificate is not signed by an authority that is known",
		},
		{
			"no TLS", strings.Replace(raw("nonsense"), "http:", "https:", 1), local(), OutcomeTLS,
			"The TLS handshake failed",
		},
		{
			"hangs", hanging.URL, local(), OutcomeTimeout,
			fmt.Sprintf("No answer within %d s", int(testwait.Limit.Seconds())),
		},
		{"closes", dropping.URL, local(), OutcomeProtocol, "The connection was closed before an answer came"},
		{"no HTTP", raw("220 mail.example ESMTP\r\n"), local(), OutcomeProtocol, "The answer is not valid HTTP"},
		{"no URL", "http://\x7f/", local(), OutcomeProtocol, "The URL is not valid"},
	} {
		ctx := t.Context()
		if c.outcome == OutcomeTimeout {
			ctx = asked
		}
		s := Sender{transport: c.transport, timeout: testwait.Limit, now: time.Now}
		a := s.Send(ctx, Request{
			URL: c.url, EventID: uuid.New(), Payload: []byte("{}"), Secrets: [][]byte{[]byte("secret")},
		})
		if a.Outcome != c.outcome || a.Problem != c.problem || a.Status != 0 || a.Headers != nil || a.Signature == "" {
			t.Errorf("%s: %s, %q (status %d)", c.name, a.Outcome, a.Problem, a.Status)
		}
	}
}

// passesOnRead is a body whose first part makes a deadline pass.
type passesOnRead struct {
	io.ReadCloser
	deadline *testwait.Deadline
}

func (b *passesOnRead) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if n > 0 {
		b.deadline.Pass()
	}
	return n, err
}

// The status decides the outcome, even if the body breaks off or never ends. A body that
// ends early is marked as cut.
func TestStatusAndBody(t *testing.T) {
	t.Parallel()
	elsewhere := newReceiver(t, nil)
	rc := newReceiver(t, func(_ int, w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/redirect":
			http.Redirect(w, r, elsewhere.URL, http.StatusTemporaryRedirect)
		case "/endless":
			w.WriteHeader(http.StatusOK)
			_, _ = io.WriteString(w, "begun")
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		case "/short":
			w.Header().Set("Content-Length", "100")
			_, _ = io.WriteString(w, "begun")
		case "/none":
			w.WriteHeader(http.StatusNoContent)
		case "/exactly":
			_, _ = io.WriteString(w, strings.Repeat("x", MaxBody))
		case "/teapot":
			w.WriteHeader(http.StatusTeapot)
		}
	})
	for _, c := range []struct {
		path    string
		outcome Outcome
		problem string
		status  int
		body    string
		cut     bool
	}{
		{
			"/redirect", OutcomeStatus, "The endpoint answered 307 Temporary Redirect; redirects are not followed",
			307, "", false,
		},
		{"/endless", OutcomeSucceeded, "", 200, "begun", true},
		{"/short", OutcomeSucceeded, "", 200, "begun", true},
		{"/none", OutcomeSucceeded, "", 204, "", false},
		{"/exactly", OutcomeSucceeded, "", 200, strings.Repeat("x", MaxBody), false},
		{"/teapot", OutcomeStatus, "The endpoint answered 418 I'm a teapot", 418, "", false},
	} {
		begun := testwait.NewDeadline(t.Context())
		s := Sender{timeout: testwait.Limit, now: time.Now,
			transport: roundTrip(func(r *http.Request) (*http.Response, error) {
				answer, err := http.DefaultTransport.RoundTrip(r)
				if c.path == "/endless" && err == nil {
					answer.Body = &passesOnRead{answer.Body, begun}
				}
				return answer, err
			})}
		a := s.Send(begun, Request{
			URL: rc.URL + c.path, EventID: uuid.New(), Payload: []byte("{}"), Secrets: [][]byte{[]byte("secret")},
		})
		if a.Outcome != c.outcome || a.Problem != c.problem || a.Status != c.status || string(a.Body) != c.body ||
			a.Cut != c.cut {
			t.Errorf("%s: %s, %q, status %d, %d bytes, cut %t", c.path, a.Outcome, a.Problem, a.Status, len(a.Body),
				a.Cut)
		}
	}
	if n := elsewhere.requests.Load(); n != 0 {
		t.Errorf("%d redirects were followed", n)
	}
}

// A 101 answer takes the connection over and has no body. A read to its end would last as
// long as the receiver likes, because the attempt's timeout does not cover that
// connection.
func TestAnAnswerThatTakesTheConnectionOver(t *testing.T) {
	t.Parallel()
	rc := newReceiver(t, func(_ int, w http.ResponseWriter, _ *http.Request) {
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return
		}
		t.Cleanup(func() { conn.Close() })
		_, _ = io.WriteString(
			conn, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: chat\r\n\r\nhello",
		)
	})
	s := Sender{transport: http.DefaultTransport, timeout: testwait.Limit, now: time.Now}
	made := make(chan Attempt, 1)
	go func() {
		made <- s.Send(context.WithoutCancel(t.Context()), Request{
			URL: rc.URL, EventID: uuid.New(), Payload: []byte("{}"), Secrets: [][]byte{[]byte("secret")},
		})
	}()
	select {
	case a := <-made:
		if a.Outcome != OutcomeStatus || a.Problem != "The endpoint answered 101 Switching Protocols" ||
			a.Status != 101 || len(a.Body) != 0 {
			t.Errorf("%s: %q, status %d, %d bytes", a.Outcome, a.Problem, a.Status, len(a.Body))
		}
	case <-time.After(testwait.Limit):
		t.Fatal("the attempt did not end with its time")
	}
}

// A host name that the operator allows may have a link-local address. The address is
// stored without its zone, because the column does not accept zones, and a failed write
// would block the other results of its batch.
func TestTheZoneOfAnAddressIsNotKept(t *testing.T) {
	t.Parallel()
	var dialed, used trace
	dialed.hooks().ConnectDone("tcp", "[fe80::1%eth0]:443", nil)
	used.hooks().GotConn(httptrace.GotConnInfo{Conn: zonedConn{}})
	for _, trace := range []*trace{&dialed, &used} {
		if address, _ := trace.read(); address.String() != "fe80::1" {
			t.Errorf("%s is kept", address)
		}
	}
}

type zonedConn struct{ net.Conn }

func (zonedConn) RemoteAddr() net.Addr {
	return &net.TCPAddr{IP: net.ParseIP("fe80::1"), Zone: "eth0", Port: 443}
}

// A reused connection has no DNS, connect or TLS time.
func TestTimings(t *testing.T) {
	t.Parallel()
	secure := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	t.Cleanup(secure.Close)
	s := Sender{transport: secure.Client().Transport, timeout: testwait.Limit, now: time.Now}
	for n := range 2 {
		a := s.Send(t.Context(), Request{
			URL: secure.URL, EventID: uuid.New(), Payload: []byte("{}"), Secrets: [][]byte{[]byte("secret")},
		})
		fresh := n == 0
		if a.Outcome != OutcomeSucceeded || a.DNS >= 0 || (a.Connect >= 0) != fresh || (a.TLS >= 0) != fresh ||
			a.FirstByte < 0 || a.Duration < a.FirstByte {
			t.Errorf("attempt %d: %+v of %s", n+1, a.Timings, a.Duration)
		}
	}
}

// receiver is an endpoint that counts its requests.
type receiver struct {
	*httptest.Server
	requests atomic.Int32
}

// newReceiver starts a receiver. answer gets the number of the request. A nil answer
// sends 200.
func newReceiver(t *testing.T, answer func(n int, w http.ResponseWriter, r *http.Request)) *receiver {
	t.Helper()
	rc := &receiver{}
	rc.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		if n := rc.requests.Add(1); answer != nil {
			answer(int(n), w, r)
		}
	}))
	t.Cleanup(func() {
		rc.CloseClientConnections()
		rc.Close()
	})
	return rc
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
