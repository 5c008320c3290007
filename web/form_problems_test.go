package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// A form names all its problems at once, also when a number is unreadable.
func TestFormsNameAllProblems(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	v := n.as(n.admin)
	for path, c := range map[string]struct {
		form url.Values
		want map[string]string
	}{
		"/settings/integrations": {
			form("carrier", "twilio", "name", "", "account", "XX123", "token", "t", "api_key", "AB1",
				"calls_per_second", "-1",
				"detection_rate", "0,0075", "max_concurrency", "abc"),
			map[string]string{
				"name": "Required", "account": "Must be an Account SID", "calls_per_second": "Must be between 0.01 and",
				"max_concurrency": "Must be a whole number", "detection_rate": "Must be",
			},
		},
		"/settings/compliance/own-rules": {
			form("place", "DE", "calls", "abc"),
			map[string]string{"calls": "Must be a whole number", "reason": "Required"},
		},
		"/do-not-call/lists": {
			form("url", "ftp://example.com", "every_hours", "5", "header_value", "secret"),
			map[string]string{
				"name": "Required", "url": "Must be an https URL", "every_hours": "Must be 6, 12, 24 or 168",
				"header_name": "Required with a value", "header_value": "Enter the value again",
			},
		},
		"/number-pools": {
			form("name", "", "max_daily_calls", "x"),
			map[string]string{"name": "Required", "max_daily_calls": "Must be a whole number"},
		},
		"/settings/destinations": {
			form("project_id", n.project.String(), "name", "", "address", "12", "mode", "warm",
				"ring_timeout_seconds", "x", "calling_hours", "custom", "calling_hours.timezone", "Mars"),
			map[string]string{
				"name": "Required", "address": "Not a valid phone number",
				"ring_timeout_seconds": "Must be a whole number", "calling_hours.timezone": "Must be a time zone",
			},
		},
		"/settings/organization/limits": {
			form("max_concurrency", "x", "max_daily_attempts", "0"),
			map[string]string{"max_concurrency": "Must be a whole number", "max_daily_attempts": "Must be between 1"},
		},
		"/agents": {
			changed(agentForm(), "nudges", "abc", "silence_seconds", "99", "speech.pronunciations", "bad",
				"speech.hints",
				strings.Repeat("x", 300)),
			map[string]string{
				"nudges": "Must be a whole number", "silence_seconds": "Must be between",
				"speech.pronunciations": "Must have the form", "speech.hints": "Line 1",
			},
		},
	} {
		shown := v.post(path, c.form).want(http.StatusUnprocessableEntity)
		for field, want := range c.want {
			shown.wrong(field, want)
		}
	}
}
