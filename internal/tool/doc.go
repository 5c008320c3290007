// Package tool owns the tools of organizations: requests to an organization's own server that an
// agent held by a language model makes during a call. It keeps their settings and secrets, makes
// the signed requests, and reads the answers.
package tool
