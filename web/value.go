package web

import (
	"net/netip"
	"strconv"
	"time"

	"github.com/dialwright/dialwright/internal/project"
	"github.com/dialwright/dialwright/views/ui"
)

func orNone[T any](value *T) T {
	if value == nil {
		var none T
		return none
	}
	return *value
}

func orZero(t *time.Time) time.Time {
	if t == nil {
		return time.Time{}
	}
	return *t
}

// written is an optional number as a form shows it.
func written(n *int) string {
	if n == nil {
		return ""
	}
	return strconv.Itoa(*n)
}

func writtenFloat(n *float64) string {
	if n == nil {
		return ""
	}
	return strconv.FormatFloat(*n, 'f', -1, 64)
}

// numberLabel is a number as a choice: with its name, where it has one.
func numberLabel(n project.PhoneNumber) string {
	label := ui.Phone(n.PhoneNumber.String())
	if n.Name != "" {
		label += ", " + n.Name
	}
	return label
}

func unmapped(a netip.Addr) string { return a.Unmap().String() }
