// Package dialwright is a client of the Dialwright API: campaigns of automatic outbound phone calls, single calls,
// their transcripts, and webhooks. The operations and types are generated from the API's description. This file sends
// the requests:
//
//	c := dialwright.New("https://dial.example.com", os.Getenv("DIALWRIGHT_KEY"))
//	call, err := c.CreateCall(ctx, dialwright.NewCall{AgentID: agent, PhoneNumberID: &number, To: "+15005550100"})
//
// A request that fails is sent again, if the API cannot carry it out twice: after a lost connection, a 5xx, a 429 and
// the 409 of a request that is still being processed. Requests that create something get an Idempotency-Key for it.
package dialwright

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	randv2 "math/rand/v2"
	"net/http"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// Client sends requests with an API key. It is safe for concurrent use.
type Client struct {
	url, key string

	HTTP    *http.Client  // nil: http.DefaultClient
	Retries int           // after the first try; New sets 4
	MaxWait time.Duration // the longest wait before a retry; New sets a minute, in which a rate limit passes
}

// New returns a client of the server at a URL, such as https://dial.example.com.
func New(serverURL, key string) *Client {
	return &Client{url: strings.TrimRight(serverURL, "/") + "/api/v1", key: key, Retries: 4, MaxWait: time.Minute}
}

// Ptr returns a pointer to a value, for optional fields.
func Ptr[T any](value T) *T { return &value }

// APIError is an answer that refuses a request, or the last one after all retries.
type APIError struct {
	Status    int    // of HTTP
	Message   string // says what is wrong; a 400 names each field
	RequestID string // X-Request-Id, by which the server's log has the request

	retryAfter time.Duration // -1: none
}

func (e *APIError) Error() string {
	return fmt.Sprintf("dialwright: %d: %s", e.Status, strings.ReplaceAll(e.Message, "\n", "; "))
}

// IsNotFound reports whether an error is a 404.
func IsNotFound(err error) bool {
	var e *APIError
	return errors.As(err, &e) && e.Status == http.StatusNotFound
}

// RequestOption changes one request.
type RequestOption func(*request)

// WithIdempotencyKey sends a request with your own Idempotency-Key, such as the ID of your order. The request can then
// be repeated by another process.
func WithIdempotencyKey(key string) RequestOption { return WithHeader("Idempotency-Key", key) }

// WithHeader sends a request with a header, such as Range or If-None-Match.
func WithHeader(name, value string) RequestOption {
	return func(r *request) { r.header.Set(name, value) }
}

// WithNull sets fields of the body to null: in a change, this removes their values.
func WithNull(fields ...string) RequestOption {
	return func(r *request) { r.null = append(r.null, fields...) }
}

// AppendRecipientsCSV adds the recipients of a CSV file, as the dashboard reads it, to a campaign.
func (c *Client) AppendRecipientsCSV(
	ctx context.Context, id CampaignID, file []byte, options ...RequestOption,
) (*Campaign, error) {
	return c.AppendRecipients(ctx, id, NewRecipients{}, append([]RequestOption{withCSV(file)}, options...)...)
}

// AddManyDoNotCallCSV adds the numbers of a CSV file to the do-not-call list.
func (c *Client) AddManyDoNotCallCSV(
	ctx context.Context, params *AddManyDoNotCallParams, file []byte, options ...RequestOption,
) (*DoNotCallAdded, error) {
	return c.AddManyDoNotCall(ctx, params, NewDoNotCallBatch{}, append([]RequestOption{withCSV(file)}, options...)...)
}

// withCSV sends a file instead of the JSON body.
func withCSV(file []byte) RequestOption {
	return func(r *request) {
		r.csv = file
		r.header.Set("Content-Type", "text/csv")
	}
}

type request struct {
	method, path string
	query        url.Values
	header       http.Header
	body         any
	csv          []byte // instead of body
	null         []string
	once         bool // carrying it out twice would do something twice
}

// newRequest takes the path with its parameters, and their names and values.
func newRequest(method, path string, parameters ...string) *request {
	for i := 0; i+1 < len(parameters); i += 2 {
		path = strings.ReplaceAll(path, "{"+parameters[i]+"}", url.PathEscape(parameters[i+1]))
	}
	return &request{method: method, path: path, query: url.Values{}, header: http.Header{}}
}

// add adds a parameter to the query: a value, a list or a map, or a pointer to one. Nil is none.
func (r *request) add(name string, value any) {
	v := reflect.ValueOf(value)
	for v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return
		}
		v = v.Elem()
	}
	if t, ok := v.Interface().(time.Time); ok {
		r.query.Add(name, t.Format(time.RFC3339Nano))
		return
	}
	switch v.Kind() {
	case reflect.Slice:
		for i := range v.Len() {
			r.query.Add(name, fmt.Sprint(v.Index(i).Interface()))
		}
	case reflect.Map:
		for key, item := range v.Seq2() {
			r.query.Add(fmt.Sprintf("%s[%v]", name, key.Interface()), fmt.Sprint(item.Interface()))
		}
	default:
		r.query.Add(name, fmt.Sprint(v.Interface()))
	}
}

func (r *request) encode() ([]byte, error) {
	if r.header.Get("Content-Type") == "text/csv" {
		return r.csv, nil
	}
	if r.body == nil && len(r.null) == 0 {
		return nil, nil
	}
	body, err := json.Marshal(r.body)
	if err != nil || len(r.null) == 0 {
		return body, err
	}
	fields := map[string]json.RawMessage{}
	if err := json.Unmarshal(body, &fields); err != nil {
		return nil, err
	}
	if fields == nil { // of a null body
		fields = map[string]json.RawMessage{}
	}
	for _, name := range r.null {
		fields[name] = json.RawMessage("null")
	}
	return json.Marshal(fields)
}

func send[T any](ctx context.Context, c *Client, r *request, options []RequestOption) (*T, error) {
	body, err := c.stream(ctx, r, options)
	if err != nil {
		return nil, err
	}
	defer body.Close()
	answer := new(T)
	if err := json.NewDecoder(body).Decode(answer); err != nil && !errors.Is(err, io.EOF) { // a 204 has no body
		return nil, fmt.Errorf("dialwright: read the answer of %s %s: %w", r.method, r.path, err)
	}
	return answer, nil
}

// stream returns the body of a successful answer. The caller closes it.
func (c *Client) stream(ctx context.Context, r *request, options []RequestOption) (io.ReadCloser, error) {
	for _, set := range options {
		set(r)
	}
	if r.method == http.MethodPost && !r.once && r.header.Get("Idempotency-Key") == "" {
		r.header.Set("Idempotency-Key", rand.Text())
	}
	body, err := r.encode()
	if err != nil {
		return nil, fmt.Errorf("dialwright: write the body of %s %s: %w", r.method, r.path, err)
	}
	for try := 0; ; try++ {
		answer, err := c.try(ctx, r, body)
		if err == nil {
			return answer, nil
		}
		wait, again := c.again(r, err, try)
		if !again || ctx.Err() != nil {
			return nil, err
		}
		timer := time.NewTimer(wait)
		select {
		case <-ctx.Done():
			timer.Stop()
			return nil, errors.Join(ctx.Err(), err)
		case <-timer.C:
		}
	}
}

// again reports whether to send a request again, and when.
func (c *Client) again(r *request, err error, try int) (time.Duration, bool) {
	if try >= c.Retries {
		return 0, false
	}
	wait := time.Duration(float64(500*time.Millisecond<<min(try, 10)) * (0.75 + randv2.Float64()/2))
	var refused *APIError
	if errors.As(err, &refused) {
		switch {
		case refused.Status == http.StatusTooManyRequests: // it was not carried out
		case refused.Status == http.StatusConflict && refused.retryAfter >= 0: // the first is still being processed
		case refused.Status >= 500 && !r.once:
		default:
			return 0, false
		}
		if refused.retryAfter >= 0 {
			return refused.retryAfter, refused.retryAfter <= c.MaxWait
		}
	} else if r.once {
		return 0, false
	}
	return min(wait, c.MaxWait), true
}

func (c *Client) try(ctx context.Context, r *request, body []byte) (io.ReadCloser, error) {
	address := c.url + r.path
	if len(r.query) > 0 {
		address += "?" + r.query.Encode()
	}
	//nolint:gosec // the server is the caller's
	q, err := http.NewRequestWithContext(ctx, r.method, address, bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("dialwright: %w", err)
	}
	maps.Copy(q.Header, r.header)
	q.Header.Set("Authorization", "Bearer "+c.key)
	q.Header.Set("User-Agent", "dialwright-go")
	if body != nil && q.Header.Get("Content-Type") == "" {
		q.Header.Set("Content-Type", "application/json")
	}
	client := c.HTTP
	if client == nil {
		client = http.DefaultClient
	}
	answer, err := client.Do(q) //nolint:gosec // the server is the caller's
	if err != nil {
		return nil, fmt.Errorf("dialwright: %s %s: %w", r.method, r.path, err)
	}
	if answer.StatusCode < 300 {
		return answer.Body, nil
	}
	defer answer.Body.Close()
	refused := &APIError{
		Status: answer.StatusCode, RequestID: answer.Header.Get("X-Request-Id"), retryAfter: -1,
		Message: http.StatusText(answer.StatusCode),
	}
	if seconds, err := strconv.Atoi(answer.Header.Get("Retry-After")); err == nil && seconds >= 0 {
		refused.retryAfter = time.Duration(seconds) * time.Second
	}
	var said Error
	if json.NewDecoder(io.LimitReader(answer.Body, 1<<20)).Decode(&said) == nil && said.Error != "" {
		refused.Message = said.Error
	}
	return nil, refused
}

// pages yields the items of all pages. next reads a page and reports whether another one follows.
func pages[T any](next func() (items []T, more bool, err error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for more := true; more; {
			var items []T
			var err error
			if items, more, err = next(); err != nil {
				yield(*new(T), err)
				return
			}
			for _, item := range items {
				if !yield(item, nil) {
					return
				}
			}
		}
	}
}
