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

// Limits of a body, in bytes: with a recipient list, and any other.
const (
	maxList = 64 << 20
	maxBody = 1 << 20
)

// readBody decodes the body into dst as decode does, and gives its SHA-256.
// Where the JSON itself is wrong, that is the error; other problems are left to
// the caller, who may find more.
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

// unpacked is the body as its sender wrote it. The limit holds for the bytes that
// are sent and for those that they unpack to.
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

// gunzip unpacks what is sent, from the first read on.
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

// Close is the server's business, which closes what was sent.
func (g *gunzip) Close() error { return nil }

var errNoGzip = errors.New("not valid gzip")

func tooLarge(limit int64) error {
	return fault.New(fault.TooLarge, "The body is larger than the limit of %d MiB", limit>>20)
}
