package api

import (
	"net/http"
	"strconv"
	"time"
)

// deprecation says that a route will be removed. The route's line in the table declares
// it:
//
//	r.Get("/old", a.deprecated(deprecation{since: …, sunset: …}, a.need(account.CallsRead, a.old)))
//
// The route's operation in the description says deprecated: true.
type deprecation struct {
	since  time.Time // the route should not be used from this time on
	sunset time.Time // the route may be removed from this time on; zero: undecided
}

// deprecationPage links to the page about deprecations.
const deprecationPage = `</docs/versioning-and-deprecation#deprecation>; rel="deprecation"; type="text/html"`

// deprecated announces the deprecation in every answer of the route: Deprecation (RFC
// 9745 §2, a date of RFC 9651) and Sunset (RFC 8594 §3, an HTTP date).
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
