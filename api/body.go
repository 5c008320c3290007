package api

import (
	"compress/flate"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/dialwright/dialwright/internal/fault"
)

// Limits of a body in bytes: of a body with a recipient list, and of any other body.
const (
	maxList = 64 << 20
	maxBody = 1 << 20
)

// readBody decodes the body into dst as decode does, and returns its SHA-256. It returns
// an error for malformed JSON. It adds other problems to problems, so that the caller can
// add more.
func readBody(
	w http.ResponseWriter, r *http.Request, limit int64, dst any, problems *fault.Problems,
) (digest []byte, err error) {
	if r.ContentLength > limit {
		return nil, tooLarge(limit)
	}
	exchangeOf(r).reading = true
	body, err := unpacked(w, r, limit)
	if err != nil {
		return nil, err
	}
	hash := sha256.New()
	whole, err := decode(io.TeeReader(body, hash), dst, problems)
	if err == nil && !whole {
		err = problems.Err()
	}
	return hash.Sum(nil), err
}

// readWhole decodes a body and reports the problems of its JSON as an error, with those that dst finds itself.
func readWhole(w http.ResponseWriter, r *http.Request, dst any) error {
	var problems fault.Problems
	if _, err := readBody(w, r, maxBody, dst, &problems); err != nil {
		return err
	}
	if of, ok := dst.(interface{ Check() error }); ok && problems.Len() > 0 {
		problems.Also(of.Check()) // one answer names all problems
	}
	return problems.Err()
}

// readChecked is readWhole for a body with rules that its domain checks later or one after the other: one answer names
// all problems. check runs when the body is decoded.
func readChecked(w http.ResponseWriter, r *http.Request, dst any, check func() error) error {
	var problems fault.Problems
	if _, err := readBody(w, r, maxBody, dst, &problems); err != nil {
		return err
	}
	problems.Also(check())
	return problems.Err()
}

// unpacked returns the body without its compression. The limit applies to the compressed
// bytes and to the uncompressed bytes.
func unpacked(w http.ResponseWriter, r *http.Request, limit int64) (io.Reader, error) {
	sent := http.MaxBytesReader(w, r.Body, limit)
	switch coding := strings.ToLower(strings.Join(r.Header.Values("Content-Encoding"), ", ")); coding {
	case "", "identity":
		return sent, nil
	case "gzip", "x-gzip":
		return http.MaxBytesReader(w, &gunzip{sent: sent}, limit), nil
	default:
		return nil, fault.New(fault.Unsupported, "Content-Encoding must be gzip, or the header must be left out")
	}
}

// gunzip uncompresses a body, beginning at the first read.
type gunzip struct {
	sent io.Reader
	out  *gzip.Reader
}

func (g *gunzip) Read(b []byte) (n int, err error) {
	if g.out == nil {
		g.out, err = gzip.NewReader(g.sent)
	}
	if err == nil {
		n, err = g.out.Read(b)
	}
	if _, corrupt := errors.AsType[flate.CorruptInputError](err); corrupt || errors.Is(err, gzip.ErrHeader) ||
		errors.Is(err, gzip.ErrChecksum) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = errNoGzip
	}
	return n, err
}

// Close does nothing, because the server closes the body.
func (g *gunzip) Close() error { return nil }

var errNoGzip = errors.New("not valid gzip")

const notGzip = "the body is not valid gzip, although its Content-Encoding is gzip"

func notArrived() *fault.Error {
	return fault.New(
		fault.Invalid, "The body did not arrive completely or arrived too slowly. Send the request again.",
	)
}

func tooLarge(limit int64) error {
	return fault.New(fault.TooLarge, "The body is larger than the limit of %d MiB", limit>>20)
}
