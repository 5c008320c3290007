// Package web owns the dashboard: its routes with the role each needs, sign-in,
// forms, and live updates. Pages are drawn by views; rules live in the domain
// packages, so a form is refused for the same reasons as an API request.
package web
