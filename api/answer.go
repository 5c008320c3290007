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

// problem is the body of every error answer.
type problem struct {
	Error string `json:"error"`
}

// send answers v as JSON. It encodes v completely before it writes, so a failure gives an
// error and never half an answer.
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
	_, _ = w.Write(body) // the client may have gone
	return nil
}

// sendCSV answers a table as CSV. If a row fails, sendCSV aborts the connection, so that
// the client does not mistake the part for the whole table.
func (a *api) sendCSV(w http.ResponseWriter, r *http.Request, action string, of account.Object, f export.File) error {
	if r.Method == http.MethodHead {
		f.Rows = firstOf(f.Rows) // HEAD needs only the first row, whose error decides the status
	} else {
		f.Rows = export.Noted(f.Rows, func() error { return a.Accounts.NoteHourly(r.Context(), actor(r), action, of) })
	}
	return a.whole(r, export.Serve(w, f))
}

// whole returns the error of a file of which nothing was sent. If a part of the file was sent, whole aborts the
// connection.
func (a *api) whole(r *http.Request, err error) error {
	if cut, broken := errors.AsType[*export.CutError](err); broken {
		if r.Context().Err() == nil { // a canceled request means that the client has gone
			a.Log.ErrorContext(r.Context(), "export broke off", "request_id", exchangeOf(r).id, "route", r.Pattern,
				"error", cut)
		}
		panic(http.ErrAbortHandler)
	}
	return err
}

// firstOf returns rows up to the first row or error.
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
	fault.Stale:           http.StatusPreconditionFailed,
	fault.TooLarge:        http.StatusRequestEntityTooLarge,
	fault.Unsupported:     http.StatusUnsupportedMediaType,
	fault.Unprocessable:   http.StatusUnprocessableEntity,
	fault.RateLimited:     http.StatusTooManyRequests,
	fault.BadGateway:      http.StatusBadGateway,
	fault.Unavailable:     http.StatusServiceUnavailable,
}

// refusal returns the status and the text of err for the client. An error that is not a
// fault gets 500 and a text without details.
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

// sendProblem answers an error, after it has read the rest of the request.
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

// drain reads the rest of a refused body. Some clients read the answer only after they
// have sent everything; without drain, their connection would be reset before they see
// it. A client that waits for "100 Continue" has sent nothing.
func drain(r *http.Request) {
	if r.Body == nil || r.ContentLength == 0 || r.ContentLength > maxDrain {
		return
	}
	x := exchangeOf(r)
	if r.Header.Get("Expect") != "" && !x.reading {
		return
	}
	// The server cuts off a body that arrives too slowly.
	for begun, left := time.Now(), int64(maxDrain); left > 0 && time.Since(begun) < drainTimeout; {
		n, err := io.CopyN(io.Discard, r.Body, min(left, drainStep))
		if err != nil {
			return
		}
		left -= n
	}
}
