package guard

import (
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net/http"

	"github.com/dialwright/dialwright/internal/fault"
)

// KnownFile is a file that was fetched before and may have changed.
type KnownFile struct {
	URL          string
	HeaderName   string // of the request, in addition to its own; "": none
	HeaderValue  string
	ETag         string // of the answer with the known file, like LastModified; "": it had none
	LastModified string
}

// ChangedFile is a file that has changed. Close it.
type ChangedFile struct {
	io.Reader
	io.Closer
	ETag         string
	LastModified string
}

// OpenChanged requests a file and returns nil if it has not changed. It reads files that are compressed with gzip. It
// follows no redirects, because the header may be a secret. Its errors are those of Open.
func (f *Files) OpenChanged(ctx context.Context, path string, known KnownFile) (*ChangedFile, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, known.URL, nil)
	if err != nil {
		return nil, fault.Invalidf(path, "not a valid URL")
	}
	for name, value := range map[string]string{
		known.HeaderName: known.HeaderValue, "If-None-Match": known.ETag, "If-Modified-Since": known.LastModified,
	} {
		if name != "" && value != "" {
			r.Header.Set(name, value)
		}
	}
	r.Header.Set("Accept-Encoding", "gzip")
	client := &http.Client{
		Transport:     f.http.Transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	o, answer, err := f.open(ctx, path, client, r)
	if err != nil || o == nil {
		return nil, err
	}
	content, err := unpacked(o)
	if err != nil {
		_ = o.Close()
		return nil, err
	}
	return &ChangedFile{
		Reader: content, Closer: o, ETag: answer.Header.Get("ETag"), LastModified: answer.Header.Get("Last-Modified"),
	}, nil
}

// conditional reports whether a request allows the answer that the file has not changed.
func conditional(r *http.Request) bool {
	return r.Header.Get("If-None-Match") != "" || r.Header.Get("If-Modified-Since") != ""
}

// unpacked returns the content of a file, which may be compressed with gzip.
func unpacked(o *remoteFile) (io.Reader, error) {
	start := bufio.NewReader(o)
	if mark, err := start.Peek(2); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	} else if string(mark) != "\x1f\x8b" {
		return o.start(start)
	}
	content, err := gzip.NewReader(start)
	if err != nil {
		return nil, o.damaged(err)
	}
	return o.start(bufio.NewReader(&unpackedFile{o: o, content: content, left: o.max}))
}

func (o *remoteFile) damaged(err error) error {
	if fault.As(err) != nil { // the connection failed
		return err
	}
	return fault.Invalidf(o.path, "the compressed file is damaged")
}

// unpackedFile bounds the bytes that a compressed file unpacks into.
type unpackedFile struct {
	o       *remoteFile
	content *gzip.Reader
	left    int64
}

func (u *unpackedFile) Read(b []byte) (int, error) {
	n, err := u.content.Read(b)
	if u.left -= int64(n); u.left < 0 {
		return n, u.o.tooLarge()
	}
	if err != nil && !errors.Is(err, io.EOF) {
		err = u.o.damaged(err)
	}
	return n, err
}
