package main

import (
	"io"
	"net/http"
	"time"
)

// pace is how fast a client must send a body: patience for a start, and from
// then on at least rate bytes a second. So 64 MiB pass over a slow line, and who
// sends nothing holds no connection.
type pace struct {
	patience time.Duration
	rate     int64
}

var bodyPace = pace{patience: 20 * time.Second, rate: 16 << 10}

// bodies holds the bodies of all requests to the pace. What the server sends,
// such as a stream or an export, is not its business.
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

// pacedBody gives the connection until the next bytes must be there. The deadline
// stays when a handler does not read to the end, as net/http reads the rest, and
// ends with the body: net/http would take the client for gone.
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
	_ = b.connection.SetReadDeadline(b.begun.Add(b.pace.patience + earned)) // not every writer in tests has one
}
