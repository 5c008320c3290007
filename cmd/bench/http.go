package main

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"time"
)

// request is an HTTP request. Its client reads the whole answer, and the answer must have the status.
type request struct {
	browser *http.Client // nil: no browser
	method  string       // "" means GET
	url     string
	auth    string // the header Authorization
	kind    string // the header Content-Type
	body    []byte
	status  int  // 0 means 200
	gzip    bool // accept a compressed answer
}

// answer is the answer to a request.
type answer struct {
	text []byte
	wire int // bytes of the body on the wire
	took time.Duration
}

func (q request) send(ctx context.Context) (a answer, err error) {
	fail := func(err error) (answer, error) { return a, fmt.Errorf("%s %s: %w", q.method, q.url, err) }
	r, err := http.NewRequestWithContext(ctx, q.method, q.url, bytes.NewReader(q.body))
	if err != nil {
		return fail(err)
	}
	for name, value := range map[string]string{"Authorization": q.auth, "Content-Type": q.kind} {
		if value != "" {
			r.Header.Set(name, value)
		}
	}
	if q.gzip {
		r.Header.Set("Accept-Encoding", "gzip")
	}
	began := time.Now()
	response, err := cmp.Or(q.browser, http.DefaultClient).Do(r)
	if err != nil {
		return fail(err)
	}
	defer response.Body.Close()
	wire := &counter{Reader: response.Body}
	var body io.Reader = wire
	if response.Header.Get("Content-Encoding") == "gzip" {
		if body, err = gzip.NewReader(wire); err != nil {
			return fail(err)
		}
	}
	a.text, err = io.ReadAll(body)
	a.took, a.wire = time.Since(began), wire.bytes
	if err != nil {
		return fail(err)
	}
	if response.StatusCode != cmp.Or(q.status, http.StatusOK) {
		return fail(fmt.Errorf("%s: %.500s", response.Status, bytes.TrimSpace(a.text)))
	}
	return a, nil
}

// read sends the request and decodes the JSON of its answer.
func read[T any](ctx context.Context, q request) (v T, took time.Duration, err error) {
	a, err := q.send(ctx)
	if err == nil {
		err = json.Unmarshal(a.text, &v)
	}
	return v, a.took, err
}

// counter counts the bytes that are read.
type counter struct {
	io.Reader
	bytes int
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.bytes += n
	return n, err
}

// poll calls done repeatedly until it returns true.
func poll(ctx context.Context, patience, pause time.Duration, otherwise string, done func() bool) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for !done() {
		select {
		case <-ctx.Done():
			failf("%s: %w", otherwise, ctx.Err())
		case <-time.After(pause):
		}
	}
}

const form = "application/x-www-form-urlencoded"

// signIn returns a browser that is signed in to the dashboard of a server.
func signIn(ctx context.Context, server *process) *http.Client {
	browser := &http.Client{
		Jar:           must(cookiejar.New(nil)),
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	must(request{
		browser: browser,
		method:  http.MethodPost,
		url:     server.url + "/sign-in",
		kind:    form,
		body:    []byte(url.Values{"email": {email}, "password": {password}}.Encode()),
		status:  http.StatusSeeOther,
	}.send(ctx))
	return browser
}
