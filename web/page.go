package web

import (
	"bytes"
	"fmt"
	"math"
	"net/http"
	"runtime/debug"
	"strconv"
	"time"

	"github.com/a-h/templ"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/layout"
	"github.com/dialwright/dialwright/views/ui"
)

// handlerFunc answers a request or says why not; fail makes a page of that.
type handlerFunc func(w http.ResponseWriter, r *http.Request) error

func (s *server) handle(h handlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		observed(r).route = routePattern(r)
		if err := h(w, r); err != nil {
			s.fail(w, r, err)
		}
	})
}

// render draws a page whole before anything is sent, so that a failure half way
// is still an error page.
func render(w http.ResponseWriter, r *http.Request, status int, page templ.Component) error {
	var b bytes.Buffer
	if err := page.Render(r.Context(), &b); err != nil {
		return fmt.Errorf("draw %s: %w", routePattern(r), err)
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	return sendCompressed(w, r, status, b.Bytes())
}

// seeOther sends the browser to a page after a form was carried out.
func seeOther(w http.ResponseWriter, r *http.Request, path string) error {
	http.Redirect(w, r, path, http.StatusSeeOther)
	return nil
}

// chrome is what surrounds a page of a signed-in person.
func (s *server) chrome(r *http.Request) layout.Chrome {
	session := signedIn(r)
	c := layout.Chrome{
		Organization: session.Organization.Name,
		User:         session.User.Name,
		Role:         roleName(session.Role),
		CanManage:    session.Role == account.Admin,
		Path:         r.URL.Path,
		Theme:        s.theme(r),
		Clock:        s.clock(r),
		Others:       session.Others,
	}
	c.Stopped = stoppedBy(session)
	if text := s.sessions.PopString(r.Context(), sessionToast); text != "" {
		c.Toasts = []ui.Toast{readToast(text)}
	}
	running, err := s.Campaigns.Running(r.Context(), session.Organization.ID)
	if err != nil {
		// A count beside a link is no reason to refuse the page.
		s.Log.Warn("count running campaigns", "request_id", requestID(r), "error", err)
	}
	c.Running = running
	if c.Failing, err = s.Webhooks.Failing(r.Context(), session.Organization.ID); err != nil {
		s.Log.Warn("count failing webhooks", "request_id", requestID(r), "error", err)
	}
	trouble, err := s.WhatsApp.Trouble(r.Context(), session.Organization.ID)
	if err != nil {
		s.Log.Warn("count trouble with messages", "request_id", requestID(r), "error", err)
	}
	c.Messaging = trouble.Exhausted + trouble.Failing
	return c
}

// stoppedBy is who stopped all calling, nil while nobody did.
func stoppedBy(session account.Session) *layout.Stopped {
	if session.Organization.CallingStoppedAt == nil {
		return nil
	}
	return &layout.Stopped{By: session.Organization.CallingStoppedBy, At: *session.Organization.CallingStoppedAt}
}

// liveChrome is chrome for a part of the page at path, drawn by itself: nothing
// of the surroundings, so it must not take the toasts from the next page.
func (s *server) liveChrome(r *http.Request, path string) layout.Chrome {
	session := signedIn(r)
	return layout.Chrome{
		Organization: session.Organization.Name, User: session.User.Name, Role: roleName(session.Role),
		CanManage: session.Role == account.Admin, Path: path, Clock: s.clock(r), Stopped: stoppedBy(session),
	}
}

// bare is the shell of the pages before one is signed in.
func (s *server) bare(r *http.Request, title string) layout.Bare {
	return layout.Bare{Title: title, Theme: s.theme(r), Path: r.URL.Path, Version: s.Version, Clock: s.clock(r)}
}

// clock writes times in the organization's zone; in UTC where nobody is signed in.
func (s *server) clock(r *http.Request) ui.Clock {
	zone := time.UTC
	if session, ok := current(r); ok {
		if z, err := time.LoadLocation(session.Organization.TimeZone); err == nil {
			zone = z
		}
	}
	return ui.Clock{Now: s.Now(), Zone: zone}
}

func roleName(role account.Role) string {
	if role == account.Admin {
		return "Admin"
	}
	return "Staff"
}

func stack() string { return string(debug.Stack()) }

var errNoPage = fault.NotFoundf("Page")

var errPanic = fmt.Errorf("a handler panicked")

// statuses of the kinds of refusals, and what a page says above their text.
var statuses = map[fault.Kind]struct {
	status int
	title  string
}{
	fault.Invalid:         {http.StatusUnprocessableEntity, "This request is not valid"},
	fault.Unauthenticated: {http.StatusUnauthorized, "Sign in to continue"},
	fault.Forbidden:       {http.StatusForbidden, "You don't have access"},
	fault.NotFound:        {http.StatusNotFound, "Page not found"},
	fault.Conflict:        {http.StatusConflict, "This can't be done right now"},
	fault.TooLarge:        {http.StatusRequestEntityTooLarge, "Request too large"},
	fault.Unprocessable:   {http.StatusUnprocessableEntity, "Limit reached"},
	fault.RateLimited:     {http.StatusTooManyRequests, "Too many attempts"},
	fault.BadGateway:      {http.StatusBadGateway, "An external service failed"},
	fault.Unavailable:     {http.StatusServiceUnavailable, "Not available"},
}

// fail answers with an error page. Only a fault's own text is shown; anything
// else is logged here, once, under the request's id.
func (s *server) fail(w http.ResponseWriter, r *http.Request, err error) {
	f := fault.As(err)
	if f == nil {
		if r.Context().Err() != nil {
			return // the browser has gone
		}
		s.Log.Error("page failed", "request_id", requestID(r), "route", routePattern(r), "error", err)
		f = fault.New(fault.Internal, "Something went wrong on our side. The error is in the server's log. Try again. If it happens again, contact the person who runs this server.")
	} else if f.Unwrap() != nil {
		s.Log.Warn("page refused", "request_id", requestID(r), "route", routePattern(r), "error", f)
	}
	shown, known := statuses[f.Kind]
	if !known {
		shown.status, shown.title = http.StatusInternalServerError, "Something went wrong"
	}
	failure := views.Failure{Title: shown.title, Text: f.Message, RequestID: requestID(r), BackHref: "/", BackLabel: "Go to overview"}
	if f.Kind == fault.NotFound {
		failure.Text = "It may have been removed, or the URL may be wrong."
		if f.Message != errNoPage.Message {
			failure.Text = f.Message + ". " + failure.Text
		}
	}
	_, inside := current(r)
	switch {
	case f.Kind == fault.Internal && r.Method == http.MethodGet:
		failure.BackHref, failure.BackLabel = ours(r.URL.RequestURI()), "Try again"
	case !inside:
		failure.BackLabel = "Go to sign-in"
	case f == errNotAdmin:
		failure.BackHref, failure.BackLabel = "/settings/members", "See the admins"
	}
	retryAfter(w, f)
	var page templ.Component
	if _, ok := current(r); ok {
		page = views.FailurePage(s.chrome(r), failure)
	} else {
		page = views.BareFailurePage(s.bare(r, failure.Title), failure)
	}
	if err := render(w, r, shown.status, page); err != nil {
		s.Log.Error("draw the error page", "request_id", requestID(r), "error", err)
	}
}

// retryAfter tells when to come back: in whole seconds, rounded up, so that
// waiting exactly that long is enough.
func retryAfter(w http.ResponseWriter, f *fault.Error) {
	if f.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(f.RetryAfter.Seconds()))))
	}
}

// themeCookie keeps the choice of light or dark; it says nothing about anybody.
const (
	themeCookie   = "dialwright_theme"
	themeLifetime = 365 * 24 * time.Hour
)

func (s *server) theme(r *http.Request) string {
	if c, err := r.Cookie(s.cookieName(themeCookie)); err == nil && (c.Value == "light" || c.Value == "dark") {
		return c.Value
	}
	return ""
}

func (s *server) setTheme(w http.ResponseWriter, r *http.Request) error {
	value := r.PostFormValue("theme")
	if value != "light" && value != "dark" {
		return fault.Invalidf("theme", "must be light or dark")
	}
	s.setCookie(w, themeCookie, value, themeLifetime)
	return seeOther(w, r, ours(r.PostFormValue("next")))
}
