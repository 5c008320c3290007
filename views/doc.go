// Package views owns the pages of the dashboard. Each page is a templ component with a
// plain struct beside it, which the handler fills. Pages read no database and no
// request.
//
// Inputs are named by the paths of the domain's validation, so that ui.Errors finds the
// field of an error without a second list of names.
package views
