package cell

import (
	"bytes"
	"context"
	"io"
	"maps"
	"net/http"
	"strings"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/peer"
)

// callbackSize bounds what is kept of a callback to serve it again in another cell. A larger one is refused once, and
// the carrier repeats it.
const callbackSize = 1 << 20

// hook serves a callback in the cell that its address names. prefix is the part of the path that names it. Carriers
// keep the address of an organization that has moved, so a callback that the cell does not know is served where its
// connection is now.
func (r *Router) hook(w http.ResponseWriter, req *http.Request, site Site, prefix string) {
	req = req.WithContext(peer.WithMount(req.Context(), prefix))
	id, named := connectionOf(strings.TrimPrefix(req.URL.Path, prefix))
	r.mu.Lock()
	number, ok := r.moved.Get(id)
	r.mu.Unlock()
	if now, served := r.site(number); ok && served {
		site = now
	}
	body := keep(req, callbackSize)
	answer := &withheld{ResponseWriter: w, refuses: func(status int) bool {
		return status == http.StatusNotFound && named
	}}
	http.StripPrefix(prefix, site.Handler).ServeHTTP(answer, req)
	if !answer.isWithheld {
		return
	}
	found, failed := ask(req.Context(), *r.sites.Load(), func(ctx context.Context, s Site) (bool, error) {
		return s.KnowsConnection(ctx, id)
	})
	switch {
	case len(found) == 0 && failed != nil:
		if fault.KindOf(failed) != fault.Unavailable {
			r.o.Log.Warn("could not find the cell of a callback", "error", failed)
		}
		r.away(w, req)
		return
	case len(found) == 0, found[0].Number == site.Number:
		answer.release()
		return
	}
	r.mu.Lock()
	r.moved.Put(id, found[0].Number)
	r.mu.Unlock()
	if body.lost {
		r.away(w, req)
		return
	}
	body.again()
	http.StripPrefix(prefix, found[0].Handler).ServeHTTP(w, req)
}

// connectionOf returns the connection that the path of a callback names: /hooks/{carrier}/{connection}/…
func connectionOf(path string) (uuid.UUID, bool) {
	_, rest, _ := strings.Cut(strings.TrimPrefix(path, hooks), "/")
	name, _, _ := strings.Cut(rest, "/")
	id, err := uuid.Parse(name)
	return id, err == nil
}

// kept is the body of a request that may be served twice.
type kept struct {
	io.ReadCloser

	most int
	read bytes.Buffer
	lost bool // more was read than is kept
}

// keep keeps up to most bytes of the body of a request.
func keep(req *http.Request, most int) *kept {
	k := &kept{ReadCloser: req.Body, most: most}
	if req.Body != nil && req.Body != http.NoBody {
		req.Body = k
	}
	return k
}

func (k *kept) Read(p []byte) (int, error) {
	n, err := k.ReadCloser.Read(p)
	if k.lost = k.lost || k.read.Len()+n > k.most; !k.lost {
		k.read.Write(p[:n])
	}
	return n, err
}

// Close leaves the body open for another reader. The server closes it.
func (k *kept) Close() error { return nil }

// again makes the next read begin at the start.
func (k *kept) again() {
	k.ReadCloser = readCloser{io.MultiReader(bytes.NewReader(bytes.Clone(k.read.Bytes())), k.ReadCloser), k.ReadCloser}
	k.read.Reset()
}

// withheld is an answer that is not sent if another cell may know more.
type withheld struct {
	http.ResponseWriter

	refuses    func(status int) bool
	header     http.Header
	wrote      bool
	isWithheld bool
	status     int
	body       bytes.Buffer
}

func (w *withheld) Header() http.Header {
	if w.wrote && !w.isWithheld {
		return w.ResponseWriter.Header()
	}
	if w.header == nil {
		w.header = http.Header{}
	}
	return w.header
}

func (w *withheld) WriteHeader(status int) {
	if w.wrote {
		return
	}
	if status >= 100 && status < 200 && status != http.StatusSwitchingProtocols {
		w.ResponseWriter.WriteHeader(status)
		return
	}
	w.wrote = true
	if w.refuses(status) {
		w.isWithheld, w.status = true, status
		return
	}
	maps.Copy(w.ResponseWriter.Header(), w.header)
	w.ResponseWriter.WriteHeader(status)
}

func (w *withheld) Write(p []byte) (int, error) {
	if !w.wrote {
		w.WriteHeader(http.StatusOK)
	}
	if w.isWithheld {
		return w.body.Write(p)
	}
	return w.ResponseWriter.Write(p)
}

// Unwrap lets http.ResponseController reach the connection.
func (w *withheld) Unwrap() http.ResponseWriter {
	if w.isWithheld {
		return nil
	}
	return w.ResponseWriter
}

// release sends the answer after all.
func (w *withheld) release() {
	maps.Copy(w.ResponseWriter.Header(), w.header)
	w.ResponseWriter.WriteHeader(w.status)
	_, _ = w.ResponseWriter.Write(w.body.Bytes()) // the client may be gone
}
