package main

import (
	"io"
	"net/http"
	"time"
)

// pace is the minimum speed at which a client must send a body: the first bytes within patience, then at least rate
// bytes per second. So a slow connection can upload 64 MiB, but a client that sends nothing does not keep its
// connection.
type pace struct {
	patience time.Duration
	rate     int64
}

var bodyPace = pace{patience: 20 * time.Second, rate: 16 << 10}

// bodies enforces the pace on the bodies of all requests. It does not limit responses, such as a stream or an export.
func (p pace) bodies(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength != 0 {
			body := &pacedBody{
				ReadCloser: r.Body, connection: http.NewResponseController(w), pace: p, begun: time.Now(),
			}
			body.extend()
			r.Body = body
		}
		next.ServeHTTP(w, r)
	})
}

// pacedBody keeps the connection open until the next bytes must arrive. If a handler does not read the whole body, the
// deadline stays, because net/http reads the rest. At the end of the body the deadline is removed. Otherwise net/http
// would treat the client as gone.
type pacedBody struct {
	io.ReadCloser
	connection *http.ResponseController
	pace       pace
	begun      time.Time
	read       int64
}

func (b *pacedBody) Read(into []byte) (int, error) {
	n, err := b.ReadCloser.Read(into)
	b.read += int64(n)
	if err == io.EOF {
		_ = b.connection.SetReadDeadline(time.Time{})
	} else {
		b.extend()
	}
	return n, err
}

func (b *pacedBody) extend() {
	earned := time.Duration(float64(b.read) / float64(b.pace.rate) * float64(time.Second))
	_ = b.connection.SetReadDeadline(b.begun.Add(b.pace.patience + earned)) // some writers in tests do not support it
}
