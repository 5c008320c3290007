package frame

import (
	"net/http"
	"net/url"
	"slices"
)

// WithoutEmpty redirects a page whose address holds empty parameters to the address without them. Browsers send every
// field of a filter form, and what people copy, save and link to should name only the filters in force.
func WithoutEmpty(next HandlerFunc) HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) error {
		query, err := url.ParseQuery(r.URL.RawQuery)
		if err != nil || !dropEmpty(query) && !r.URL.ForceQuery {
			return next(w, r)
		}
		return SeeOther(w, r, WithParam(&url.URL{Path: r.URL.Path, RawQuery: query.Encode()}, "", ""))
	}
}

// dropEmpty removes the empty values of a query, and reports whether there were any.
func dropEmpty(query url.Values) (dropped bool) {
	for name, values := range query {
		kept := slices.DeleteFunc(slices.Clone(values), func(value string) bool { return value == "" })
		if len(kept) == len(values) {
			continue
		}
		dropped = true
		if query[name] = kept; len(kept) == 0 {
			delete(query, name)
		}
	}
	return dropped
}
