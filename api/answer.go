package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"strconv"
	"time"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/export"
	"github.com/dialwright/dialwright/internal/fault"
)

// problem is the body of every refusal (spec §7).
type problem struct {
	Error string `json:"error"`
}

// send answers v as JSON. It is encoded as a whole first: what can't be encoded
// is an error, never half an answer.
func send(w http.ResponseWriter, r *http.Request, status int, v any) error {
	body, err := encode(v)
	if err != nil {
		return err
	}
	return sendEncoded(w, r, status, body)
}

func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, fmt.Errorf("encode the answer: %w", err)
	}
	return b.Bytes(), nil
}

func sendEncoded(w http.ResponseWriter, r *http.Request, status int, body []byte) error {
	if status == http.StatusOK && (r.Method == http.MethodGet || r.Method == http.MethodHead) &&
		notModified(w, r, body) {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body) // a client that is gone does not want to hear of it
	return nil
}

// sendCSV answers a table. When it can't be sent to its end the connection is
// broken off, so that the client does not take it for a whole one.
func (a *api) sendCSV(w http.ResponseWriter, r *http.Request, action string, of account.Object, f export.File) error {
	if r.Method == http.MethodHead {
		f.Rows = firstOf(f.Rows) // which is the error, if there is one
	} else {
		f.Rows = export.Noted(f.Rows, func() error { return a.Accounts.NoteHourly(r.Context(), actor(r), action, of) })
	}
	err := export.Serve(w, f)
	if cut, broken := errors.AsType[*export.CutError](err); broken {
		if r.Context().Err() == nil { // else it is the client that went away
			a.Log.ErrorContext(r.Context(), "export broke off", "request_id", exchangeOf(r).id, "route", r.Pattern,
				"error", cut)
		}
		panic(http.ErrAbortHandler)
	}
	return err
}

// firstOf ends rows after the first one.
func firstOf(rows iter.Seq2[[]string, error]) iter.Seq2[[]string, error] {
	return func(yield func([]string, error) bool) {
		for row, err := range rows {
			yield(row, err)
			return
		}
	}
}

var statuses = map[fault.Kind]int{
	fault.Invalid:         http.StatusBadRequest,
	fault.Unauthenticated: http.StatusUnauthorized,
	fault.Forbidden:       http.StatusForbidden,
	fault.NotFound:        http.StatusNotFound,
	fault.Conflict:        http.StatusConflict,
	fault.TooLarge:        http.StatusRequestEntityTooLarge,
	fault.Unsupported:     http.StatusUnsupportedMediaType,
	fault.Unprocessable:   http.StatusUnprocessableEntity,
	fault.RateLimited:     http.StatusTooManyRequests,
	fault.BadGateway:      http.StatusBadGateway,
	fault.Unavailable:     http.StatusServiceUnavailable,
}

// refusal is what a client sees of err: a fault's status and text, or
// 500 and a text that says nothing.
func refusal(err error) (status int, text string) {
	f := fault.As(err)
	if f == nil || statuses[f.Kind] == 0 {
		return http.StatusInternalServerError, "Internal error"
	}
	return statuses[f.Kind], f.Message
}

// refuse answers err.
func refuse(w http.ResponseWriter, r *http.Request, err error) {
	x := exchangeOf(r)
	status, text := refusal(err)
	if f := fault.As(err); f == nil || f.Unwrap() != nil {
		x.err = err
	}
	h := w.Header()
	switch status {
	case http.StatusUnauthorized:
		h.Set("WWW-Authenticate", `Bearer realm="Dialwright"`) // RFC 9110 §11.6.1
	case http.StatusUnsupportedMediaType:
		h.Set("Accept-Encoding", "gzip") // RFC 9110 §12.5.3
	case http.StatusTooManyRequests, http.StatusServiceUnavailable, http.StatusConflict:
		if after := fault.As(err).RetryAfter; after > 0 {
			h.Set("Retry-After", seconds(after))
		}
	}
	sendProblem(w, r, status, text)
}

// sendProblem answers an error, after reading what the client is still sending.
func sendProblem(w http.ResponseWriter, r *http.Request, status int, text string) {
	drain(r)
	body, err := encode(problem{text})
	if err != nil {
		panic(err) // a string always encodes
	}
	_ = sendEncoded(w, r, status, body)
}

const (
	maxDrain     = 256 << 20
	drainTimeout = 20 * time.Second
	drainStep    = 64 << 10
)

// drain reads the rest of a refused body. A client that only looks for the
// answer once it has sent everything would otherwise see its connection reset
// and never learn why. A client that waits for "100 Continue" has sent nothing.
func drain(r *http.Request) {
	if r.Body == nil || r.ContentLength == 0 || r.ContentLength > maxDrain {
		return
	}
	x := exchangeOf(r)
	if r.Header.Get("Expect") != "" && !x.reading {
		return
	}
	// The server cuts off a body that comes too slowly.
	for begun, left := time.Now(), int64(maxDrain); left > 0 && time.Since(begun) < drainTimeout; {
		n, err := io.CopyN(io.Discard, r.Body, min(left, drainStep))
		if err != nil {
			return
		}
		left -= n
	}
}
