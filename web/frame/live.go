package frame

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/a-h/templ"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/views/layout"
)

const (
	// livePace is how often a stream reads its live part again. The state comes from the
	// database, so any process may change it and any process may serve the stream.
	livePace = time.Second
	// liveEvery is how often an idle stream sends a comment, which keeps proxies from
	// closing the connection.
	liveEvery = 20 * time.Second
	// liveFor bounds the life of a stream, after which the browser opens another. It also
	// bounds how long a shutdown waits for streams.
	liveFor = 10 * time.Minute
)

// EventsHref returns the address of the stream of the page at an address. The stream has the filters of the page.
func EventsHref(page *url.URL) string {
	stream := *page
	stream.Path += "/events"
	return WithParam(&stream, "", "")
}

// Stream sends a live part whenever it changes. draw returns the part, and whether the
// part can never change again. The request that draw gets has the address of the page, which
// the stream's extends by /events, so that the part's links lead to the page. Each reading
// first checks the session, so a stream ends within a second of its session's revocation.
func (s *Server) Stream(
	w http.ResponseWriter, r *http.Request, event string,
	draw func(*http.Request) (part templ.Component, last bool, err error),
) error {
	ctx, cancel := context.WithTimeout(r.Context(), liveFor)
	defer cancel()
	r = r.WithContext(ctx)
	page := *r.URL
	page.Path = cmp.Or(strings.TrimSuffix(page.Path, "/events"), "/")
	r.URL = &page
	part, last, err := draw(r) // before anything is sent: a missing page is an ordinary 404
	if err != nil {
		return err
	}
	StartStream(w)
	out := http.NewResponseController(w)
	tick := time.NewTicker(livePace)
	defer tick.Stop()
	var before string
	silent := time.Duration(0)
	for {
		var b bytes.Buffer
		if err := part.Render(ctx, &b); err != nil {
			return s.endStream(ctx, w, r, fmt.Errorf("draw a live part: %w", err))
		}
		switch now := b.String(); {
		case now != before:
			before, silent = now, 0
			if err := send(w, event, now); err != nil {
				return nil // the browser has disconnected
			}
		case silent >= liveEvery:
			silent = 0
			if _, err := fmt.Fprint(w, ": still here\n\n"); err != nil {
				return nil
			}
		}
		if last {
			if err := send(w, "end", ""); err != nil {
				return nil
			}
		}
		if err := out.Flush(); err != nil || last {
			return nil
		}
		select {
		case <-ctx.Done():
			return nil
		case <-s.Closing:
			return nil
		case <-tick.C:
			silent += livePace
		}
		session, ok, err := s.authenticate(r)
		if err != nil {
			return s.endStream(ctx, w, r, err)
		}
		if !ok {
			return SayGone(w)
		}
		r = WithSession(r, session) // the role may have changed
		if part, last, err = draw(r); err != nil {
			return s.endStream(ctx, w, r, err)
		}
	}
}

// WithRunning adds the count of running campaigns in the menu to a live part whose campaigns start and end.
func (s *Server) WithRunning(r *http.Request, part templ.Component) (templ.Component, error) {
	n, err := s.Campaigns.Running(r.Context(), SignedIn(r).Organization.ID)
	if err != nil {
		return nil, err
	}
	return templ.Join(part, layout.RunningNow(n)), nil
}

// EventStream is the content type of a live stream.
const EventStream = "text/event-stream"

// SayGone sends the event that the session has ended. The page then stops listening and
// reloads, which leads to the sign-in.
func SayGone(w http.ResponseWriter) error {
	if err := send(w, "gone", ""); err != nil {
		return err
	}
	return send(w, "end", "")
}

// StartStream sets the headers of a live stream.
func StartStream(w http.ResponseWriter) {
	h := w.Header()
	h.Set("Content-Type", EventStream)
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no") // keeps nginx and similar proxies from buffering
}

// endStream logs why an open stream ends. The browser opens another stream, and its
// answer shows the error.
func (s *Server) endStream(ctx context.Context, _ http.ResponseWriter, r *http.Request, err error) error {
	if err != nil && ctx.Err() == nil && fault.As(err) == nil {
		s.Log.Error("live stream failed", "request_id", RequestID(r), "route", RoutePattern(r), "error", err)
	}
	return nil
}

// send writes one event; data may have several lines.
func send(w http.ResponseWriter, event, data string) error {
	var b strings.Builder
	b.WriteString("event: " + event + "\n")
	for line := range strings.SplitSeq(strings.TrimRight(data, "\n"), "\n") {
		b.WriteString("data: " + line + "\n")
	}
	b.WriteString("\n")
	_, err := w.Write([]byte(b.String()))
	return err
}
