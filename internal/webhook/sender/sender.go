package sender

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/guard"
)

const (
	// Timeout bounds an attempt from the DNS lookup to the last byte of the answer.
	Timeout = 15 * time.Second

	// MaxBody and MaxHeaders are how many bytes of an answer's body and headers are
	// stored. drained is how many more are read so that the connection can be reused.
	MaxBody    = 16 << 10
	MaxHeaders = 8 << 10
	drained    = 64 << 10
)

// Sender makes single attempts.
type Sender struct {
	transport http.RoundTripper // must not follow redirects
	fresh     http.RoundTripper // the same, with a new connection for each request
	agent     string            // the header User-Agent
	timeout   time.Duration
	keeps     int64            // bytes of an answer's body; 0: MaxBody
	now       func() time.Time // for signatures
}

// Request is the content and the URL of an attempt.
type Request struct {
	URL     string
	EventID uuid.UUID
	Payload []byte
	Secrets [][]byte          // each secret adds a signature
	Headers map[string]string // in addition to the sender's own, which they do not replace
}

// Attempt is the result of one request.
type Attempt struct {
	URL       string
	SignedAt  int64 // Unix seconds
	Signature string

	Outcome    Outcome
	Problem    string // for people; empty after a success
	Address    netip.Addr
	Status     int // 0: there was no answer
	Headers    []byte
	Body       []byte
	Cut        bool // the answer's body is longer than Body
	RetryAfter time.Duration

	// Reconnected is set if the request used a second connection because the first was
	// closed before any byte of the request was written.
	Reconnected bool

	Began    time.Time // by the monotonic clock
	Duration time.Duration
	Timings
}

// Timings are the durations of the parts of an attempt, negative for a part that did not
// take place. A reused connection has no DNS, Connect and TLS.
type Timings struct {
	DNS, Connect, TLS, FirstByte time.Duration
}

var noTimings = Timings{-1, -1, -1, -1}

// NotMade returns the failed attempt of a request that was not made.
func NotMade(url, problem string) Attempt {
	now := time.Now()
	return Attempt{
		URL: url, SignedAt: now.Unix(), Began: now, Timings: noTimings,
		Outcome: OutcomeProtocol, Problem: problem,
	}
}

// Send makes an attempt. It returns no error: every failure is a result of the attempt.
func (s *Sender) Send(ctx context.Context, l Request) Attempt {
	at := s.now()
	a := Attempt{URL: l.URL, SignedAt: at.Unix(), Began: time.Now(), Timings: noTimings}
	a.Signature = Sign(l.EventID.String(), a.SignedAt, l.Payload, l.Secrets...)

	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	var trace trace
	ctx = httptrace.WithClientTrace(ctx, trace.hooks())
	req, err := s.request(ctx, l, a)
	if err != nil {
		a.Outcome, a.Problem, a.Duration = OutcomeProtocol, "The URL is not valid", time.Since(a.Began)
		return a
	}
	answer, err := s.transport.RoundTrip(req)
	if err != nil && ctx.Err() == nil && trace.untouched() {
		if req, err = s.request(ctx, l, a); err == nil {
			answer, err = s.fresh.RoundTrip(req)
		}
	}
	a.Reconnected = trace.reconnected()
	if err != nil {
		a.Duration = time.Since(a.Began)
		a.Address, a.Timings = trace.read()
		a.Outcome, a.Problem = trace.classify(ctx, err, req.URL, s.timeout)
		return a
	}
	a.Status = answer.StatusCode
	a.Headers = keepHeaders(answer.Header)
	a.RetryAfter = retryAfter(answer.StatusCode, answer.Header.Get("Retry-After"), at)
	// The status decides. A body that breaks off, never ends or is too long does not
	// change the result.
	a.Body, a.Cut = keepBody(answer.Body, cmp.Or(s.keeps, MaxBody))
	a.Duration = time.Since(a.Began)
	a.Address, a.Timings = trace.read()
	switch {
	case a.Status >= 200 && a.Status < 300:
		a.Outcome = OutcomeSucceeded
	case a.Status >= 300 && a.Status < 400:
		a.Outcome, a.Problem = OutcomeStatus, fmt.Sprintf("The endpoint answered %s; redirects are not followed",
			statusText(a.Status))
	default:
		a.Outcome, a.Problem = OutcomeStatus, fmt.Sprintf("The endpoint answered %s", statusText(a.Status))
	}
	return a
}

// request builds the HTTP request of an attempt. It clears GetBody, so that the transport
// cannot repeat the request: the receiver may have read it already.
func (s *Sender) request(ctx context.Context, l Request, a Attempt) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, l.URL, bytes.NewReader(l.Payload))
	if err != nil {
		return nil, err
	}
	req.GetBody = nil
	req.Header = http.Header{}
	for name, value := range l.Headers {
		req.Header.Set(name, value)
	}
	maps.Copy(req.Header, http.Header{
		"Content-Type":      {"application/json"},
		"User-Agent":        {s.agent},
		"Webhook-Id":        {l.EventID.String()},
		"Webhook-Timestamp": {strconv.FormatInt(a.SignedAt, 10)},
		"Webhook-Signature": {a.Signature},
	})
	return req, nil
}

func statusText(status int) string {
	return strings.TrimSpace(strconv.Itoa(status) + " " + http.StatusText(status))
}

// keepBody reads the beginning of a body and closes it. cut is true if the body is
// longer.
func keepBody(body io.ReadCloser, keeps int64) (kept []byte, cut bool) {
	defer body.Close()
	if _, taken := body.(io.Writer); taken {
		// An answer 101 takes the connection over. Nothing after it is a body, and the
		// attempt's timeout would not end a read.
		return nil, false
	}
	kept, err := io.ReadAll(io.LimitReader(body, keeps+1))
	if err != nil {
		return kept[:min(int64(len(kept)), keeps)], true
	}
	if int64(len(kept)) <= keeps {
		return kept, false
	}
	_, _ = io.CopyN(io.Discard, body, drained) // the attempt's timeout ends it
	return kept[:keeps], true
}

// keepHeaders returns the JSON of an answer's headers, by name, up to MaxHeaders bytes.
func keepHeaders(h http.Header) []byte {
	names := make([]string, 0, len(h))
	for name := range h {
		names = append(names, name)
	}
	slices.Sort(names)
	kept, room := make(map[string]string, len(names)), MaxHeaders
	for _, name := range names {
		value := strings.ReplaceAll(strings.Join(h[name], ", "), "\x00", "") // jsonb does not accept it
		if room -= len(name) + len(value); room < 0 {
			break
		}
		kept[name] = value
	}
	text, err := json.Marshal(kept)
	if err != nil {
		return nil // never: strings always marshal
	}
	return text
}

// trace records the times of an attempt. A dial that one request started may end after
// it, so its callbacks come at any time.
type trace struct {
	mu        sync.Mutex
	address   netip.Addr
	connected bool
	tlsErr    error

	connections int          // used by the request
	reused      bool         // the last connection comes from an earlier attempt
	counted     *countedConn // the last connection; nil if its count proves nothing
	before      int64        // bytes written to the last connection before this request
	begun       bool         // the first header was written to the last connection

	dnsStart, dnsEnd, connectStart, connectEnd, tlsStart, tlsEnd, wrote, firstByte time.Time
}

func (t *trace) hooks() *httptrace.ClientTrace {
	mark := func(at *time.Time) {
		t.mu.Lock()
		defer t.mu.Unlock()
		*at = time.Now()
	}
	return &httptrace.ClientTrace{
		GetConn: func(string) {
			t.mu.Lock()
			defer t.mu.Unlock()
			t.connected, t.begun = false, false
		},
		DNSStart: func(httptrace.DNSStartInfo) { mark(&t.dnsStart) },
		DNSDone:  func(httptrace.DNSDoneInfo) { mark(&t.dnsEnd) },
		ConnectStart: func(string, string) {
			t.mu.Lock()
			defer t.mu.Unlock()
			if t.connectStart.IsZero() { // the first of several addresses
				t.connectStart = time.Now()
			}
		},
		ConnectDone: func(_, address string, err error) {
			if _, blocked := errors.AsType[*guard.BlockedError](err); blocked {
				return // a webhook's owner must not learn this network's addresses
			}
			t.mu.Lock()
			defer t.mu.Unlock()
			t.connectEnd = time.Now()
			if to, bad := netip.ParseAddrPort(address); bad == nil {
				t.address = plain(to.Addr())
			}
		},
		TLSHandshakeStart: func() { mark(&t.tlsStart) },
		TLSHandshakeDone: func(_ tls.ConnectionState, err error) {
			t.mu.Lock()
			defer t.mu.Unlock()
			t.tlsEnd, t.tlsErr = time.Now(), err
		},
		GotConn: func(info httptrace.GotConnInfo) {
			t.mu.Lock()
			defer t.mu.Unlock()
			t.connected, t.reused = true, info.Reused
			t.connections++
			if t.counted = exclusive(info.Conn); t.counted != nil {
				t.before = t.counted.written.Load()
			}
			if to, ok := info.Conn.RemoteAddr().(*net.TCPAddr); ok {
				t.address = plain(to.AddrPort().Addr())
			}
			if info.Reused {
				t.dnsStart, t.connectStart, t.tlsStart = time.Time{}, time.Time{}, time.Time{}
			}
		},
		WroteHeaderField: func(string, []string) {
			t.mu.Lock()
			defer t.mu.Unlock()
			t.begun = true
		},
		WroteRequest:         func(httptrace.WroteRequestInfo) { mark(&t.wrote) },
		GotFirstResponseByte: func() { mark(&t.firstByte) },
	}
}

// plain returns an address without its zone, which names a network interface of this
// machine and does not fit the column.
func plain(address netip.Addr) netip.Addr { return address.Unmap().WithZone("") }

func (t *trace) read() (netip.Addr, Timings) {
	t.mu.Lock()
	defer t.mu.Unlock()
	between := func(from, to time.Time) time.Duration {
		if from.IsZero() || to.Before(from) {
			return -1
		}
		return to.Sub(from)
	}
	return t.address, Timings{
		DNS: between(t.dnsStart, t.dnsEnd), Connect: between(t.connectStart, t.connectEnd),
		TLS: between(t.tlsStart, t.tlsEnd), FirstByte: between(t.wrote, t.firstByte),
	}
}

// untouched reports whether a request failed on a reused connection that certainly
// transmitted none of its bytes.
func (t *trace) untouched() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.connected && t.reused && (!t.begun || t.counted != nil && t.counted.written.Load() == t.before)
}

func (t *trace) reconnected() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.connections > 1
}

// classify names the failure, for people. The texts describe only the endpoint as its
// owner knows it, and nothing of this machine or its network.
func (t *trace) classify(ctx context.Context, err error, to *url.URL, timeout time.Duration) (Outcome, string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if blocked, ok := errors.AsType[*guard.BlockedError](err); ok {
		return OutcomeBlocked, blocked.Error()
	}
	if dns, ok := errors.AsType[*net.DNSError](err); ok {
		if dns.IsNotFound {
			return OutcomeDNS, fmt.Sprintf("The host name %s does not resolve", to.Hostname())
		}
		return OutcomeDNS, fmt.Sprintf("The name %s could not be looked up", to.Hostname())
	}
	late := ctx.Err() != nil || errors.Is(err, context.DeadlineExceeded) || isTimeout(err)
	switch {
	case t.connected && late:
		return OutcomeTimeout, fmt.Sprintf("No answer within %g s", timeout.Seconds())
	case t.connected && strings.Contains(err.Error(), "REFUSED_STREAM"): // net/http does not export its HTTP/2 errors
		return OutcomeProtocol, "The endpoint refused the request (HTTP/2 REFUSED_STREAM)"
	case t.connected && (strings.Contains(err.Error(), "GOAWAY") || errors.Is(err, io.EOF) ||
		errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)):
		return OutcomeProtocol, "The connection was closed before an answer came"
	case t.connected:
		return OutcomeProtocol, "The answer is not valid HTTP"
	case !t.tlsStart.IsZero():
		return OutcomeTLS, tlsProblem(cmpErr(t.tlsErr, err), late)
	case errors.Is(err, syscall.ECONNREFUSED):
		return OutcomeConnect, "The connection was refused"
	case errors.Is(err, syscall.EHOSTUNREACH) || errors.Is(err, syscall.ENETUNREACH):
		return OutcomeConnect, "The host is not reachable"
	case late && t.connectStart.IsZero() && !t.dnsStart.IsZero():
		return OutcomeDNS, fmt.Sprintf("The name %s could not be looked up in time", to.Hostname())
	case late:
		return OutcomeConnect, "The connection was not accepted in time"
	default:
		return OutcomeConnect, "No connection could be made"
	}
}

func cmpErr(first, otherwise error) error {
	if first != nil {
		return first
	}
	return otherwise
}

func isTimeout(err error) bool {
	e, ok := errors.AsType[net.Error](err)
	return ok && e.Timeout()
}

func tlsProblem(err error, late bool) string {
	if _, ok := errors.AsType[x509.UnknownAuthorityError](err); ok {
		return "The certificate is not signed by an authority that is known"
	}
	if _, ok := errors.AsType[x509.HostnameError](err); ok {
		return "The certificate is for another host"
	}
	if invalid, ok := errors.AsType[x509.CertificateInvalidError](err); ok {
		if invalid.Reason == x509.Expired {
			return "The certificate has expired or is not valid yet"
		}
		return "The certificate is not valid"
	}
	if late {
		return "The TLS handshake was not finished in time"
	}
	return "The TLS handshake failed"
}
