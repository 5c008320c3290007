package api

import (
	"net/http"
	"strconv"
	"time"
)

// deprecation says that a route is to go. Its line in the table carries it:
//
//	r.Get("/old", a.deprecated(deprecation{since: …, sunset: …}, a.need(account.CallsRead, a.old)))
//
// and its operation in the description says deprecated: true.
type deprecation struct {
	since  time.Time // from when on it should not be used
	sunset time.Time // from when on it may be gone; zero while that is not settled
}

// deprecationPage is the page about a deprecation.
const deprecationPage = `</docs/versioning-and-deprecation#deprecation>; rel="deprecation"; type="text/html"`

// deprecated tells of it in every answer of the route: Deprecation as RFC 9745
// §2 writes it, a date of RFC 9651, and Sunset as RFC 8594 §3 does, one of HTTP.
func (a *api) deprecated(d deprecation, next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Deprecation", "@"+strconv.FormatInt(d.since.Unix(), 10))
		h.Add("Link", deprecationPage)
		if !d.sunset.IsZero() {
			h.Set("Sunset", d.sunset.UTC().Format(http.TimeFormat))
		}
		next(w, r)
	}
}
