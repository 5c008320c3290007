package model

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
	"mime"
	"net"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unicode/utf8"

	"github.com/dialwright/dialwright/internal/guard"
)

const (
	// maxRefusal bounds the body of an answer that is an error, in bytes.
	maxRefusal = 64 << 10

	// maxAnswer bounds the stream of an answer, in bytes. A server that never ends it stops there.
	maxAnswer = 4 << 20
)

// endpoint sends the requests of a dialect.
type endpoint struct {
	client *http.Client
	base   string
	url    string
	header http.Header
	name   string // of the model
}

func newEndpoint(client *http.Client, base, path string, header http.Header, name string) endpoint {
	header.Set("Content-Type", "application/json")
	header.Set("Accept", "text/event-stream")
	own := *client
	// Another host must not see the key, and net/http would send it X-Api-Key.
	own.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	base = strings.TrimRight(base, "/")
	return endpoint{client: &own, base: base, url: base + path, header: header, name: name}
}

// Prewarm makes the connection to the server before the first request needs it. It asks for the list of models, which
// costs nothing. An answer of any status is a success.
func (e *endpoint) Prewarm(ctx context.Context) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, e.base+"/models", nil)
	if err != nil {
		return fmt.Errorf("write a request to a model server: %w", err)
	}
	r.Header = maps.Clone(e.header)
	answer, err := e.client.Do(r)
	if err != nil {
		return unreached(ctx, err)
	}
	defer answer.Body.Close()
	_, _ = io.CopyN(io.Discard, answer.Body, maxAnswer) // net/http keeps only connections whose answer was read
	return nil
}

// open sends a request and returns the stream of the answer.
func (e *endpoint) open(ctx context.Context, request any) (io.ReadCloser, error) {
	body, err := json.Marshal(request)
	if err != nil {
		return nil, fmt.Errorf("write a request to a model: %w", err)
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, e.url, bytes.NewReader(body))
	if err != nil {
		return nil, &Error{Kind: Unusable, Reason: "The address of the model server is not valid", Err: err}
	}
	r.Header = maps.Clone(e.header)
	answer, err := e.client.Do(r)
	if err != nil {
		return nil, unreached(ctx, err)
	}
	kind, _, _ := mime.ParseMediaType(answer.Header.Get("Content-Type"))
	if answer.StatusCode == http.StatusOK && kind != "application/json" && kind != "text/html" {
		return http.MaxBytesReader(nil, answer.Body, maxAnswer), nil
	}
	defer answer.Body.Close()
	text, _ := io.ReadAll(io.LimitReader(answer.Body, maxRefusal))
	var refusal struct {
		Error *serverError `json:"error"`
	}
	said := json.Unmarshal(text, &refusal) == nil && refusal.Error != nil
	if !said {
		refusal.Error = &serverError{}
	}
	if answer.StatusCode != http.StatusOK {
		return nil, refusal.Error.classify(answer.StatusCode, answer.Header)
	}
	if said {
		return nil, refusal.Error.classify(0, answer.Header)
	}
	return nil, &Error{
		Kind:   Unusable,
		Status: answer.StatusCode,
		Reason: "The server at the address does not answer with an event stream",
	}
}

// unreached describes a request that got no answer.
func unreached(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	e := &Error{Kind: Unavailable, Reason: "The model server cannot be reached", Err: err}
	blocked, isBlocked := errors.AsType[*guard.BlockedError](err)
	dns, isDNS := errors.AsType[*net.DNSError](err)
	certificate, isCertificate := errors.AsType[*tls.CertificateVerificationError](err)
	_, isPlain := errors.AsType[tls.RecordHeaderError](err)
	switch {
	case isBlocked:
		e.Kind, e.Reason = Unusable, "The address of the model server is refused: "+blocked.Error()
	case isDNS && dns.IsNotFound:
		e.Reason = "The host name of the model server does not resolve"
	case isCertificate:
		e.Reason = "The certificate of the model server is not valid"
		if _, unknown := errors.AsType[x509.UnknownAuthorityError](certificate.Err); unknown {
			e.Reason = "The certificate of the model server is not signed by a known authority"
		}
	case isPlain:
		e.Reason = "The model server does not speak TLS at the address"
	case errors.Is(err, syscall.ECONNREFUSED):
		e.Reason = "The model server refused the connection"
	}
	return e
}

// serverError is an error as servers of both dialects write it.
type serverError struct {
	Message string `json:"message"`
	Type    string `json:"type"`
	Param   string `json:"param"`
	Code    any    `json:"code"` // a string, a number or null
}

// UnmarshalJSON also reads an error that is only a text.
func (s *serverError) UnmarshalJSON(text []byte) error {
	if json.Unmarshal(text, &s.Message) == nil {
		return nil
	}
	type plain serverError
	return json.Unmarshal(text, (*plain)(s))
}

// codeForm is the form of a code. People see it, so a text of the server is no code.
var codeForm = regexp.MustCompile(`^[A-Za-z0-9_.-]{1,64}$`)

// classify says what the error means. status is 0 for an error within a stream.
func (s *serverError) classify(status int, header http.Header) error {
	e := &Error{Status: status, Param: s.Param}
	if code, ok := s.Code.(string); ok && codeForm.MatchString(code) {
		e.Code = code
	}
	if number, ok := s.Code.(float64); ok && status == 0 {
		status = int(number)
	}
	if e.Code == "" && codeForm.MatchString(s.Type) {
		e.Code = s.Type
	}
	message := strings.ToLower(s.Message)
	switch {
	case e.Code == "insufficient_quota" || e.Code == "billing_error" || status == http.StatusPaymentRequired:
		e.Kind, e.Reason = Unusable, "The account at the model server has used up its quota"
	case e.Code == "context_length_exceeded" || status == http.StatusBadRequest &&
		(strings.Contains(message, "prompt is too long") || strings.Contains(message, "maximum context length")):
		e.Kind, e.Reason = TooLong, "The conversation is longer than the model can read"
	case status == http.StatusTooManyRequests || e.Code == "rate_limit_exceeded" || e.Code == "rate_limit_error":
		e.Kind, e.Reason = Throttled, "The model server has too many requests"
		e.RetryAfter = retryAfter(header.Get("Retry-After"), time.Now())
	case e.Code == "model_not_found" || status == http.StatusNotFound && strings.Contains(message, "model"):
		e.Kind, e.Reason = Unusable, "The model server does not have the model"
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		e.Kind, e.Reason = Unusable, "The model server does not accept the key"
	case status == http.StatusNotFound || status == http.StatusMethodNotAllowed:
		e.Kind, e.Reason = Unusable, "There is no model server at the address, or it does not have the model"
	case status == http.StatusRequestTimeout || status == http.StatusConflict || status >= 500:
		e.Kind, e.Reason = Unavailable, fmt.Sprintf("The model server answered with status %d", status)
	case status >= 400:
		e.Kind, e.Reason = Invalid, "The model server refused the request"
		e.Param = cmp.Or(e.Param, paramIn(s.Message))
	case status >= 200:
		e.Kind, e.Reason = Unusable, fmt.Sprintf("The model server answered with status %d", status)
	default:
		e.Kind, e.Reason = Unavailable, "The model server ended the answer with an error"
	}
	if s.Message != "" {
		e.Err = errors.New(s.Message)
	}
	return e
}

// paramIn finds the name of an optional field in the text of an error, for servers that name it only there.
func paramIn(message string) string {
	longest := ""
	for field := range chatOptional {
		if strings.Contains(message, field) && len(field) > len(longest) {
			longest = field
		}
	}
	return longest
}

// broken describes a stream that could not be read to its end.
func broken(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	reason := "The answer of the model server broke off"
	if _, endless := errors.AsType[*http.MaxBytesError](err); endless {
		reason = "The answer of the model server does not end"
	}
	return &Error{Kind: Unavailable, Reason: reason, Err: err}
}

// Estimate counts the tokens of a request and of an answer with so many characters, for servers that do not.
func Estimate(r Request, output int) Usage {
	input := utf8.RuneCountInString(r.System)
	for _, m := range r.Messages {
		input += utf8.RuneCountInString(m.Text)
		for _, call := range m.Calls {
			input += len(call.Arguments)
		}
	}
	return Usage{Input: (input + 3) / 4, Output: (output + 3) / 4, Estimated: true}
}

// maxRetryAfter is the longest wait that a server may request.
const maxRetryAfter = time.Hour

// retryAfter reads the header of RFC 9110, section 10.2.3. It is 0 if there is none.
func retryAfter(value string, now time.Time) time.Duration {
	d := time.Duration(0)
	if seconds, err := strconv.ParseFloat(value, 64); err == nil {
		d = time.Duration(min(seconds, maxRetryAfter.Seconds()) * float64(time.Second))
	} else if at, err := http.ParseTime(value); err == nil {
		d = at.Sub(now)
	}
	return min(max(d, 0), maxRetryAfter)
}
