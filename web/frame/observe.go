package frame

import (
	"context"
	"net/http"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"
	"github.com/google/uuid"
)

type requestIDKey struct{}

// RequestID returns the request's ID, as in its log line and its X-Request-Id header.
func RequestID(r *http.Request) string {
	id, _ := r.Context().Value(requestIDKey{}).(string)
	return id
}

// Observe gives each request an ID, writes its log line, and converts a panic into an
// error page.
func (s *Server) Observe(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := s.Now()
		id := uuid.Must(uuid.NewV7()).String()
		w.Header().Set("X-Request-Id", id)
		seen := &Observation{}
		ctx := context.WithValue(context.WithValue(r.Context(), requestIDKey{}, id), observationKey{}, seen)
		r = r.WithContext(ctx)
		ww := middleware.NewWrapResponseWriter(w, r.ProtoMajor)
		defer func() {
			if caught := recover(); caught != nil {
				if caught == http.ErrAbortHandler { //nolint:errorlint // as net/http compares it
					panic(caught)
				}
				s.Log.Error("panic", "request_id", id, "panic", caught, "stack", stack())
				if ww.Status() == 0 {
					s.Fail(ww, r, errPanic)
				}
			}
			s.Log.Info("page", "request_id", id, "organization", seen.Organization, "method", r.Method, "route",
				seen.Route,
				"status", ww.Status(), "bytes", ww.BytesWritten(), "duration_ms", s.Now().Sub(start).Milliseconds())
		}()
		next.ServeHTTP(ww, r)
	})
}

// Observation collects values of the log line that only inner handlers know.
type Observation struct {
	Organization string
	Route        string // the pattern, not the path, because a path may contain a phone number
}

type observationKey struct{}

// Observed returns the request's observation, for a handler to fill in.
func Observed(r *http.Request) *Observation {
	o, ok := r.Context().Value(observationKey{}).(*Observation)
	if !ok {
		return &Observation{}
	}
	return o
}

// RoutePattern returns the pattern of the request's route, such as /calls/{id}.
func RoutePattern(r *http.Request) string {
	if c := chi.RouteContext(r.Context()); c != nil {
		return c.RoutePattern()
	}
	return ""
}
