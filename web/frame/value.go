package frame

import (
	"net/netip"
	"strconv"
	"strings"
	"time"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/internal/project"
	"github.com/dialwright/dialwright/views/ui"
)

// OrNone returns the value, or the zero value for nil.
func OrNone[T any](value *T) T {
	if value == nil {
		var none T
		return none
	}
	return *value
}

// OrZero returns the time, or the zero time for nil.
func OrZero(t *time.Time) time.Time {
	if t == nil {
		return time.Time{}
	}
	return *t
}

// ReadPhone reads a number as people in a region write it. A number that it cannot read stays as it was typed, for the
// domain to refuse.
func ReadPhone(typed, region string) string {
	if n, err := phone.ParseNational(typed, region); err == nil {
		return n.String()
	}
	return strings.TrimSpace(typed)
}

// Written formats an optional whole number for an input.
func Written(n *int) string {
	if n == nil {
		return ""
	}
	return strconv.Itoa(*n)
}

// WrittenFloat formats an optional number for an input.
func WrittenFloat(n *float64) string {
	if n == nil {
		return ""
	}
	return strconv.FormatFloat(*n, 'f', -1, 64)
}

// NumberLabel names a phone number in a select, with its name if it has one.
func NumberLabel(n project.PhoneNumber) string {
	label := ui.Phone(n.PhoneNumber.String())
	if n.Name != "" {
		label += ", " + n.Name
	}
	return label
}

// Unmapped formats an IP address. An IPv4 address never has the IPv6 form.
func Unmapped(a netip.Addr) string { return a.Unmap().String() }

// FilledLines returns the lines of a text that are not empty.
func FilledLines(text string) (all []string) {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			all = append(all, line)
		}
	}
	return all
}

// Headers reads lines such as "Authorization: Bearer …".
func Headers(p *fault.Problems, text string) map[string]string {
	headers := map[string]string{}
	for _, line := range FilledLines(text) {
		name, value, ok := strings.Cut(line, ":")
		name = strings.TrimSpace(name)
		if _, twice := headers[name]; !ok || twice {
			p.Addf("headers", "must have one header per line, such as Authorization: Bearer …, and each name only once")
			return nil
		}
		headers[name] = strings.TrimSpace(value)
	}
	return headers
}
