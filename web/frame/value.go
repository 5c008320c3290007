package frame

import (
	"net/netip"
	"strconv"
	"time"

	"github.com/dialwright/dialwright/internal/project"
	"github.com/dialwright/dialwright/views/ui"
)

func OrNone[T any](value *T) T {
	if value == nil {
		var none T
		return none
	}
	return *value
}

func OrZero(t *time.Time) time.Time {
	if t == nil {
		return time.Time{}
	}
	return *t
}

// Written is an optional number as a form shows it.
func Written(n *int) string {
	if n == nil {
		return ""
	}
	return strconv.Itoa(*n)
}

func WrittenFloat(n *float64) string {
	if n == nil {
		return ""
	}
	return strconv.FormatFloat(*n, 'f', -1, 64)
}

// NumberLabel is a number as a choice: with its name, where it has one.
func NumberLabel(n project.PhoneNumber) string {
	label := ui.Phone(n.PhoneNumber.String())
	if n.Name != "" {
		label += ", " + n.Name
	}
	return label
}

func Unmapped(a netip.Addr) string { return a.Unmap().String() }
