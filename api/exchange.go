package api

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"runtime/debug"
	"strconv"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/peer"
)

// exchange is a request with the facts that its middleware learns. observe, the outermost
// middleware, makes it. One goroutine uses it.
type exchange struct {
	http.ResponseWriter
	id      string         // request ID, in X-Request-Id and the log
	caller  account.Caller // zero before authentication
	address netip.Addr     // the client's address
	reading bool           // the handler has begun to read the body
	status  int            // status of the answer; 0 before the answer
	err     error          // for the log: the cause of a 500 or of a fault
	tags    func(purpose string, data []byte) [][]byte
}

type exchangeKey struct{}

// exchangeOf returns the exchange of a request below /api/v1.
func exchangeOf(r *http.Request) *exchange {
	return r.Context().Value(exchangeKey{}).(*exchange)
}

// actor returns the API key as the actor of a change.
func actor(r *http.Request) account.Actor {
	x := exchangeOf(r)
	return x.caller.Actor(x.address)
}

// organization returns the organization whose data a handler may read.
func organization(r *http.Request) uuid.UUID { return exchangeOf(r).caller.OrganizationID }

func (x *exchange) WriteHeader(status int) {
	if x.status == 0 {
		x.status = status
	}
	x.ResponseWriter.WriteHeader(status)
}

func (x *exchange) Write(b []byte) (int, error) {
	if x.status == 0 {
		x.status = http.StatusOK
	}
	return x.ResponseWriter.Write(b)
}

// Unwrap is for http.ResponseController.
func (x *exchange) Unwrap() http.ResponseWriter { return x.ResponseWriter }

// handler answers a request. handle answers its error as refusal says.
type handler func(w http.ResponseWriter, r *http.Request) error

// handle makes an http.HandlerFunc of h and answers h's error.
func (a *api) handle(h handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if err := h(w, r); err != nil {
			refuse(w, r, err)
		}
	}
}

// need admits only keys with a scope.
func (a *api) need(scope account.Scope, h handler) http.HandlerFunc {
	return a.handle(func(w http.ResponseWriter, r *http.Request) error {
		if !exchangeOf(r).caller.HasScope(scope) {
			return fault.New(fault.Forbidden, "Forbidden")
		}
		return h(w, r)
	})
}

// observe gives the request its ID and the headers of every answer, turns a panic into a
// 500, and writes the log line. The line never contains a key, a body or a number.
func (a *api) observe(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		x := &exchange{
			ResponseWriter: w, address: peer.Address(r, a.TrustedProxies), id: uuid.Must(uuid.NewV7()).String(),
			tags: a.Accounts.Tags,
		}
		h := w.Header()
		h["X-Request-Id"] = []string{x.id}
		h["Cache-Control"] = []string{"no-store"}
		h["X-Content-Type-Options"] = []string{"nosniff"}
		limitHeaders(h, account.FullWindow(start))
		r = r.WithContext(context.WithValue(r.Context(), exchangeKey{}, x))
		defer func() {
			if v := recover(); v != nil {
				a.panicked(x, r, v)
			}
			a.logged(x, r, time.Since(start))
		}()
		next.ServeHTTP(x, r)
	})
}

func (a *api) panicked(x *exchange, r *http.Request, v any) {
	if v == http.ErrAbortHandler { //nolint:errorlint // as net/http compares it
		panic(v)
	}
	err := fmt.Errorf("panic: %v\n%s", v, debug.Stack())
	if x.status == 0 {
		refuse(x, r, err)
		return
	}
	// Half of the answer is sent. Without an aborted connection, the client would mistake
	// it for the whole answer.
	a.Log.ErrorContext(r.Context(), "panic after the answer began", "request_id", x.id, "error", err)
	panic(http.ErrAbortHandler)
}

func (a *api) logged(x *exchange, r *http.Request, took time.Duration) {
	level := slog.LevelInfo
	if x.status == http.StatusInternalServerError && r.Context().Err() == nil { // a client that has gone is no failure
		level = slog.LevelError
	}
	attrs := make([]slog.Attr, 0, 7)
	attrs = append(attrs, slog.String("request_id", x.id), slog.String("method", r.Method),
		slog.String("route", r.Pattern),
		slog.Int("status", x.status), slog.Duration("duration", took))
	if id := x.caller.OrganizationID; id != uuid.Nil {
		attrs = append(attrs, slog.String("organization", id.String()))
	}
	if x.err != nil {
		attrs = append(attrs, slog.String("error", x.err.Error()))
	}
	a.Log.LogAttrs(r.Context(), level, "request", attrs...)
}

// authenticate admits only valid keys within their rate limit.
func (a *api) authenticate(next http.Handler) http.Handler {
	return a.handle(func(w http.ResponseWriter, r *http.Request) error {
		x := exchangeOf(r)
		caller, err := a.Accounts.AuthenticateKey(r.Context(), r.Header.Get("Authorization"), x.address)
		if err != nil {
			return err
		}
		x.caller = caller
		limitHeaders(w.Header(), caller.Window)
		if !caller.Window.Allowed {
			f := fault.New(fault.RateLimited, "Rate limit exceeded. Try again later.")
			f.RetryAfter = caller.Window.ResetIn
			return f
		}
		next.ServeHTTP(w, r)
		return nil
	})
}

// limitHeaders sets the headers of the rate limit: X-RateLimit-… and those of
// draft-ietf-httpapi-ratelimit-headers-10. It rounds times up, so that a client that waits
// until then is admitted.
func limitHeaders(h http.Header, w account.Window) {
	limit, remaining := strconv.Itoa(w.Limit), strconv.Itoa(w.Remaining)
	reset := (w.Reset.UnixMilli() + 999) / 1000
	h["X-RateLimit-Limit"] = []string{limit}
	h["X-RateLimit-Remaining"] = []string{remaining}
	h["X-RateLimit-Reset"] = []string{strconv.FormatInt(reset, 10)}
	h["RateLimit-Policy"] = []string{`"default";q=` + limit + `;w=` + strconv.Itoa(int(account.RateWindow/time.Second))}
	h["RateLimit"] = []string{`"default";r=` + remaining + `;t=` + seconds(w.ResetIn)}
}

// seconds formats a wait in whole seconds, rounded up.
func seconds(d time.Duration) string {
	return strconv.FormatInt(int64(max(0, d+time.Second-1)/time.Second), 10)
}
