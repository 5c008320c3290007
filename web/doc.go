// Package web owns the dashboard: its routes with the role that each needs, and the
// headers of its responses. The handlers are in the packages below it, one for each
// part of the sidebar. Package views draws the pages. The domain packages contain the
// rules, so a form is refused for the same reasons as an API request.
package web
