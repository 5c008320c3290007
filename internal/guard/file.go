package guard

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"mime"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/dialwright/dialwright/internal/fault"
)

const (
	// MaxFile bounds a file in bytes, and fileTime the time from the request to its last byte.
	MaxFile  = 64 << 20
	fileTime = time.Minute

	maxRedirects = 5

	// filesAtOnce bounds the files that a process reads at the same time. Others wait for their turn.
	filesAtOnce = 8
)

// Files fetches files from addresses that an organization sends with a request. It is safe for concurrent use.
type Files struct {
	guard *Guard
	http  *http.Client
	agent string // the header User-Agent
	turns chan struct{}
	time  time.Duration
	max   int64
}

// Files returns a Files that reaches the hosts that g permits.
func (g *Guard) Files(version string) *Files {
	f := &Files{
		guard: g, agent: "Dialwright/" + version, turns: make(chan struct{}, filesAtOnce), time: fileTime, max: MaxFile,
	}
	f.http = &http.Client{Transport: g.Transport(), CheckRedirect: func(r *http.Request, before []*http.Request) error {
		r.Header.Del("Referer") // the address before may contain a signature
		if len(before) > maxRedirects {
			return errRedirects
		}
		return nil
	}}
	return f
}

var errRedirects = errors.New("too many redirects")

// Check checks the address of a file, for the field at path.
func (f *Files) Check(p *fault.Problems, path string, url *string) { f.guard.CheckURL(p, path, url) }

// Open requests a file from an address that Check accepts. Close the file. The errors of Open and of the file name the
// field at path. They are Invalid if another request can only fail in the same way, and BadGateway or Unavailable if it
// may succeed.
func (f *Files) Open(ctx context.Context, path, url string) (io.ReadCloser, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, fault.Invalidf(path, "not a valid URL")
	}
	r.Header.Set("Accept-Encoding", "identity")
	o, _, err := f.open(ctx, path, f.http, r)
	if err != nil {
		return nil, err // without the nil pointer
	}
	content, err := o.start(bufio.NewReader(o))
	if err != nil {
		_ = o.Close()
		return nil, err
	}
	return file{content, o}, nil
}

// file is the content of an answer, and what closes the answer.
type file struct {
	io.Reader
	io.Closer
}

// open makes a request for a file. The file is nil for the answer 304.
func (f *Files) open(
	ctx context.Context, path string, client *http.Client, r *http.Request,
) (*remoteFile, *http.Response, error) {
	ctx, cancel := context.WithTimeout(ctx, f.time)
	o := &remoteFile{ctx: ctx, path: path, left: f.max, max: f.max}
	select {
	case f.turns <- struct{}{}:
		o.end = func() { cancel(); <-f.turns }
	case <-ctx.Done():
		cancel()
		busy := fault.New(fault.Unavailable, "%s: too many files are being fetched. Try again later", path)
		busy.RetryAfter = f.time
		return nil, nil, busy.Because(ctx.Err())
	}
	r.Header.Set("User-Agent", f.agent)
	r.Header.Set("Accept", "text/csv, */*;q=0.1")
	answer, err := client.Do(r.WithContext(ctx))
	if err != nil {
		defer o.end()
		return nil, nil, o.failed(err)
	}
	o.body = answer.Body
	o.changed = r.Header.Get("Accept-Encoding") == "gzip"
	if answer.StatusCode == http.StatusNotModified && conditional(r) {
		_ = o.Close()
		return nil, answer, nil
	}
	if err := o.refused(answer); err != nil {
		_ = o.Close()
		return nil, nil, err
	}
	return o, answer, nil
}

// remoteFile is the body of an answer.
type remoteFile struct {
	ctx  context.Context
	path string
	body io.ReadCloser
	left int64
	max  int64
	end  func()

	changed bool // OpenChanged requests it: the answer may be compressed, and redirects are not followed
}

func (o *remoteFile) Close() error {
	err := o.body.Close()
	o.end()
	return err
}

func (o *remoteFile) Read(b []byte) (int, error) {
	n, err := o.body.Read(b)
	if o.left -= int64(n); o.left < 0 {
		return n, o.tooLarge()
	}
	if err != nil && !errors.Is(err, io.EOF) {
		err = o.failed(err)
	}
	return n, err
}

func (o *remoteFile) tooLarge() error {
	return fault.Invalidf(o.path, "the file is larger than %d MiB", o.max>>20)
}

// refused says why an answer is no file.
func (o *remoteFile) refused(a *http.Response) error {
	switch {
	case a.StatusCode == http.StatusTooManyRequests || a.StatusCode >= http.StatusInternalServerError:
		return fault.New(fault.BadGateway, "%s: the server of the file answered %d", o.path, a.StatusCode)
	case o.changed && a.StatusCode >= 300 && a.StatusCode < 400 && a.StatusCode != http.StatusNotModified:
		return fault.Invalidf(o.path, "the server of the file answered %d. Its redirects are not followed",
			a.StatusCode)
	case o.changed && a.StatusCode != http.StatusOK:
		return fault.Invalidf(o.path, "the server of the file answered %d. It must answer 200", a.StatusCode)
	case a.StatusCode != http.StatusOK:
		return fault.Invalidf(o.path, "the server of the file answered %d. It must answer 200 without a sign-in",
			a.StatusCode)
	case a.ContentLength > o.max:
		return o.tooLarge()
	case a.Header.Get("Content-Encoding") != "" && !(o.changed && a.Header.Get("Content-Encoding") == "gzip"):
		return fault.Invalidf(o.path, "the file is compressed. Store it without a Content-Encoding")
	}
	if kind, _, _ := mime.ParseMediaType(a.Header.Get("Content-Type")); kind == "text/html" {
		return o.page()
	}
	return nil
}

// pageStart is how many bytes of a file tell a web page.
const pageStart = 512

// start returns the content of a file, unless it is a web page. Not every web page has the content type of one.
func (o *remoteFile) start(content *bufio.Reader) (io.Reader, error) {
	text, err := content.Peek(pageStart)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	begin := strings.ToLower(strings.TrimSpace(strings.TrimPrefix(string(text), "\ufeff")))
	if strings.HasPrefix(begin, "<!doctype") || strings.HasPrefix(begin, "<html") {
		return nil, o.page()
	}
	return content, nil
}

func (o *remoteFile) page() error {
	return fault.Invalidf(o.path,
		"the address answered with a web page instead of a list. Use the address from which the file downloads")
}

// failed turns the error of a request into what people may see. The cause may name addresses of this network.
func (o *remoteFile) failed(err error) error {
	if errors.Is(o.ctx.Err(), context.DeadlineExceeded) {
		return o.gateway("the file did not arrive within a minute", err)
	}
	if blocked, ok := errors.AsType[*BlockedError](err); ok {
		return fault.Invalidf(o.path, "%s. Use a public https address", blocked)
	}
	if errors.Is(err, errRedirects) {
		return fault.Invalidf(o.path, "the address redirects more than %d times", maxRedirects)
	}
	if _, ok := errors.AsType[*net.DNSError](err); ok {
		return o.gateway("the host can't be found", err)
	}
	if _, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		return fault.Invalidf(o.path, "the certificate of the server is not valid")
	}
	return o.gateway("the server can't be reached, or closed the connection", err)
}

func (o *remoteFile) gateway(text string, err error) error {
	return fault.New(fault.BadGateway, "%s: %s", o.path, text).Because(err)
}
