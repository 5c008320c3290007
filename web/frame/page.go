package frame

import (
	"bytes"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"runtime/debug"
	"strconv"
	"time"

	"github.com/a-h/templ"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/layout"
	"github.com/dialwright/dialwright/views/ui"
)

// HandlerFunc answers a request or returns an error, which Fail shows as a page.
type HandlerFunc func(w http.ResponseWriter, r *http.Request) error

// Handle makes an http.Handler from h, with an error page for h's error.
func (s *Server) Handle(h HandlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		Observed(r).Route = RoutePattern(r)
		if r.Method == http.MethodPost {
			r = r.WithContext(account.WithOutcome(r.Context()))
		}
		if err := h(w, r); err != nil {
			s.Fail(w, r, err)
		}
	})
}

// Render draws the whole page before it sends anything, so a failure in the middle still
// gives an error page.
func Render(w http.ResponseWriter, r *http.Request, status int, page templ.Component) error {
	var b bytes.Buffer
	if err := page.Render(r.Context(), &b); err != nil {
		return fmt.Errorf("draw %s: %w", RoutePattern(r), err)
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	return sendCompressed(w, r, status, b.Bytes())
}

// RenderSecret draws a page with a new secret, in the answer to the form that made it. path is the page that the form
// which switches the theme leads back to, because the secret is shown only once.
func RenderSecret[V any](
	s *Server, w http.ResponseWriter, r *http.Request, status int, path string,
	page func(layout.Chrome, V) templ.Component, secret V,
) error {
	ShowsSecret(w)
	c := s.Chrome(r)
	c.Path = path
	return Render(w, r, status, page(c, secret))
}

// SeeOther redirects the browser to a page after a form.
func SeeOther(w http.ResponseWriter, r *http.Request, path string) error {
	http.Redirect(w, r, path, http.StatusSeeOther)
	return nil
}

// Chrome returns the frame of a page for a signed-in person.
func (s *Server) Chrome(r *http.Request) layout.Chrome {
	session := SignedIn(r)
	c := layout.Chrome{
		Organization: session.Organization.Name,
		User:         session.User.Name,
		Role:         session.Role,
		Path:         r.URL.Path,
		Theme:        s.Theme(r),
		Clock:        s.Clock(r),
		Others:       session.Others,
		Confined:     session.FactorNeeded,
		Return:       ReturnTo(r),
		PersonPath:   func(number string) string { return s.PersonPath(r, number) },
	}
	if r.Method == http.MethodGet { // the answer to a form has no address of its own
		c.Query = r.URL.RawQuery
	}
	c.Stopped = stoppedBy(session)
	if text := s.Sessions.PopString(r.Context(), SessionToast); text != "" {
		c.Toasts = []ui.Toast{readToast(text)}
	}
	running, err := s.Campaigns.Running(r.Context(), session.Organization.ID)
	if err != nil {
		// A missing count beside a link must not fail the page.
		s.Log.Warn("count running campaigns", "request_id", RequestID(r), "error", err)
	}
	c.Running = running
	if c.Failing, err = s.Webhooks.Failing(r.Context(), session.Organization.ID); err != nil {
		s.Log.Warn("count failing webhooks", "request_id", RequestID(r), "error", err)
	}
	trouble, err := s.WhatsApp.Trouble(r.Context(), session.Organization.ID)
	if err != nil {
		s.Log.Warn("count trouble with messages", "request_id", RequestID(r), "error", err)
	}
	c.Messaging = trouble.Exhausted + trouble.Failing
	followUps, err := s.FollowUps.Count(r.Context(), session.Organization.ID, session.User.ID)
	if err != nil {
		s.Log.Warn("count open follow-ups", "request_id", RequestID(r), "error", err)
	}
	if c.Alerts, err = s.Alerts.Count(r.Context(), session.Organization.ID, session.User.ID); err != nil {
		s.Log.Warn("count open alerts", "request_id", RequestID(r), "error", err)
	}
	c.FollowUps, c.MyFollowUps, c.Overdue = followUps.Open, followUps.Mine, followUps.Overdue
	return c
}

// PersonPath returns the address of the page of a person, or an empty text for no number.
func (s *Server) PersonPath(r *http.Request, number string) string {
	ref := s.People.Ref(SignedIn(r).Organization.ID, phone.Number(number))
	if ref == "" {
		return ""
	}
	return "/people/" + ref
}

// PersonNumber returns the number of the person whose page led to a form, as the form shows it; "" for none.
func (s *Server) PersonNumber(r *http.Request) string {
	return s.NumberOf(r, r.URL.Query().Get("person"))
}

// NumberOf returns the number of the person whose page has a reference, as a form shows it; "" for no such person.
func (s *Server) NumberOf(r *http.Request, ref string) string {
	number, err := s.People.Number(SignedIn(r).Organization.ID, ref)
	if err != nil {
		return ""
	}
	return phone.Format(number)
}

// stoppedBy returns the person who stopped all calling, or nil if calling is not
// stopped.
func stoppedBy(session account.Session) *layout.Stopped {
	if session.Organization.CallingStoppedAt == nil {
		return nil
	}
	return &layout.Stopped{By: session.Organization.CallingStoppedBy, At: *session.Organization.CallingStoppedAt}
}

// LiveChrome is Chrome for a live part of the page at path. The part shows no toasts, so
// LiveChrome leaves them for the next page.
func (s *Server) LiveChrome(r *http.Request, path string) layout.Chrome {
	session := SignedIn(r)
	return layout.Chrome{
		Organization: session.Organization.Name, User: session.User.Name, Role: session.Role,
		Path: path, Clock: s.Clock(r), Stopped: stoppedBy(session),
		PersonPath: func(number string) string { return s.PersonPath(r, number) },
	}
}

// Bare returns the frame of a page that needs no sign-in.
func (s *Server) Bare(r *http.Request, title string) layout.Bare {
	return layout.Bare{
		Title: title, Theme: s.Theme(r), Path: r.URL.RequestURI(), Version: s.Version, Clock: s.Clock(r),
	}
}

// Clock writes times in the organization's time zone, or in UTC if nobody is signed in.
func (s *Server) Clock(r *http.Request) ui.Clock {
	zone := time.UTC
	if session, ok := Current(r); ok {
		if z, err := time.LoadLocation(session.Organization.TimeZone); err == nil {
			zone = z
		}
	}
	return ui.Clock{Now: s.Now(), Zone: zone}
}

func stack() string { return string(debug.Stack()) }

// ErrNoPage answers a path without a page.
var ErrNoPage = fault.NotFoundf("Page")

var errPanic = fmt.Errorf("a handler panicked")

// Statuses maps a kind of refusal to the status and the title of its page.
var Statuses = map[fault.Kind]struct {
	Status int
	title  string
}{
	fault.Invalid:         {http.StatusUnprocessableEntity, "This request is not valid"},
	fault.Unauthenticated: {http.StatusUnauthorized, "Sign in to continue"},
	fault.Forbidden:       {http.StatusForbidden, "You don't have access"},
	fault.NotFound:        {http.StatusNotFound, "Page not found"},
	fault.Conflict:        {http.StatusConflict, "This can't be done right now"},
	fault.Stale:           {http.StatusConflict, "This was changed meanwhile"},
	fault.TooLarge:        {http.StatusRequestEntityTooLarge, "Request too large"},
	fault.Unprocessable:   {http.StatusUnprocessableEntity, "Limit reached"},
	fault.RateLimited:     {http.StatusTooManyRequests, "Too many attempts"},
	fault.BadGateway:      {http.StatusBadGateway, "An external service failed"},
	fault.Unavailable:     {http.StatusServiceUnavailable, "Not available"},
}

// Fail answers with an error page. The page shows only the text of a fault. Fail logs
// any other error, once, with the request's ID.
func (s *Server) Fail(w http.ResponseWriter, r *http.Request, err error) {
	f := fault.As(err)
	if f == nil {
		if r.Context().Err() != nil {
			return // the browser has disconnected
		}
		s.Log.Error("page failed", "request_id", RequestID(r), "route", RoutePattern(r), "error", err)
		f = fault.New(
			fault.Internal,
			"Something went wrong on our side. The error is in the server's log. Try again. If it happens again, "+
				"contact the person who runs this server.",
		)
	} else if f.Unwrap() != nil {
		s.Log.Warn("page refused", "request_id", RequestID(r), "route", RoutePattern(r), "error", f)
	}
	shown, known := Statuses[f.Kind]
	if !known {
		shown.Status, shown.title = http.StatusInternalServerError, "Something went wrong"
	}
	failure := views.Failure{
		Title: shown.title, Text: f.Message, RequestID: RequestID(r), BackHref: "/", BackLabel: "Go to overview",
	}
	if f.Kind == fault.NotFound {
		failure.Text = "It may have been removed, or the URL may be wrong."
		if f.Message != ErrNoPage.Message {
			failure.Text = f.Message + ". " + failure.Text
		}
	}
	_, inside := Current(r)
	switch {
	case f.Kind == fault.Internal && r.Method == http.MethodGet:
		failure.BackHref, failure.BackLabel = OwnPath(r.URL.RequestURI()), "Try again"
	case !inside:
		failure.BackLabel = "Go to sign-in"
	case isMissingRight(f):
		failure.BackHref, failure.BackLabel = "/settings/members", "See what each role may do"
	case r.Method == http.MethodPost && PostedFrom(r) != "":
		failure.BackHref, failure.BackLabel = OwnPath(PostedFrom(r)), "Go back"
	}
	RetryAfter(w, f)
	var page templ.Component
	if _, ok := Current(r); ok {
		page = views.FailurePage(s.Chrome(r), failure)
	} else {
		page = views.BareFailurePage(s.Bare(r, failure.Title), failure)
	}
	if err := Render(w, r, shown.Status, page); err != nil {
		s.Log.Error("draw the error page", "request_id", RequestID(r), "error", err)
	}
}

// PostedFrom returns the page of this site that a form was on, or an empty text if it is not known.
func PostedFrom(r *http.Request) string {
	from, err := url.Parse(r.Referer())
	if err != nil || from.Host != r.Host {
		return ""
	}
	return from.RequestURI()
}

// RetryAfter sets the Retry-After header in whole seconds, rounded up.
func RetryAfter(w http.ResponseWriter, f *fault.Error) {
	if f.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(f.RetryAfter.Seconds()))))
	}
}

// themeCookie stores the choice of light or dark. It contains no personal data.
const (
	themeCookie   = "dialwright_theme"
	themeLifetime = 365 * 24 * time.Hour
)

// Theme returns the visitor's choice: light, dark, or "" for none.
func (s *Server) Theme(r *http.Request) string {
	if c, err := r.Cookie(s.CookieName(themeCookie)); err == nil && (c.Value == "light" || c.Value == "dark") {
		return c.Value
	}
	return ""
}

func (s *Server) SetTheme(w http.ResponseWriter, r *http.Request) error {
	value := r.PostFormValue("theme")
	if value != "light" && value != "dark" {
		return fault.Invalidf("theme", "must be light or dark")
	}
	s.SetCookie(w, themeCookie, value, themeLifetime)
	return SeeOther(w, r, OwnPath(r.PostFormValue("next")))
}
