package check_test

import (
	"strings"
	"testing"

	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/fault"
)

func TestRules(t *testing.T) {
	t.Parallel()
	type rule func(*fault.Problems, string, *string)
	text := func(p *fault.Problems, path string, v *string) { check.Text(p, path, v, 10) }
	required := func(p *fault.Problems, path string, v *string) { check.RequiredText(p, path, v, 10) }
	for _, c := range []struct {
		rule     rule
		in, want string // want: the tidied value, or "!" and the problem
	}{
		{check.Name, "  Autumn reminders ", "Autumn reminders"},
		{check.Name, " \t ", "!required"},
		{check.Name, strings.Repeat("ü", 100), strings.Repeat("ü", 100)},
		{check.Name, strings.Repeat("ü", 101), "!must have at most 100 characters"},
		{check.Name, "a\x00b", "!must not contain control characters"},
		{check.Name, "a\nb", "!must not contain control characters"},
		{check.Name, "a\xffb", "!must be valid UTF-8"},
		{text, "a\r\nb", "a\nb"},
		{text, "a\x00b", "!must not contain control characters"},
		{text, "12345678901", "!must have at most 10 characters"},
		{text, " \r\n ", ""},
		{required, " a\r\nb ", "a\nb"},
		{required, " \r\n ", "!required"},
		{required, "12345678901", "!must have at most 10 characters"},
		{check.TimeZone, "Europe/Berlin", "Europe/Berlin"},
		{check.TimeZone, "UTC", "UTC"},
		{check.TimeZone, "Local", "!must be a time zone such as America/Chicago"},
		{check.TimeZone, "../etc/passwd", "!must be a time zone such as America/Chicago"},
		{check.TimeZone, "Mars/Base", "!must be a time zone such as America/Chicago"},
		{check.TimeZone, "berlin", "!must be a time zone such as America/Chicago. Did you mean Europe/Berlin?"},
		{check.TimeZone, "New York", "!must be a time zone such as America/Chicago. Did you mean America/New_York?"},
		{check.TimeZone, " _ ", "!must be a time zone such as America/Chicago"},
		{check.TimeZone, "", "!required"},
		{check.Region, "de", "DE"},
		{check.Region, "ZZ", "!not a two-letter country code"},
		{check.Region, "001", "!not a two-letter country code"},
	} {
		var p fault.Problems
		got := c.in
		c.rule(&p, "", &got)
		if err := p.Err(); err != nil {
			got = "!" + err.Error()
		}
		if got != c.want {
			t.Errorf("%q: got %q, want %q", c.in, got, c.want)
		}
	}
}
