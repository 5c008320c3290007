// Package views owns the pages of the dashboard. Each page is a templ component
// over a plain struct that stands beside it; whoever serves the page fills the
// struct. Pages ask nothing themselves: no database, no request.
//
// Inputs are named by the paths the domain's own validation uses, so that an
// error finds its field by ui.Errors without a second list of names.
package views
