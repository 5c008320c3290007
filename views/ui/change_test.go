package ui

import (
	"testing"
	"time"
)

func TestChange(t *testing.T) {
	t.Parallel()
	for got, want := range map[string]string{
		Change(108, 100):            "+8.0%",
		Change(50, 100):             "−50.0%",
		Change(100, 100):            "±0.0%",
		Change(9999, 10000):         "±0.0%" + "",
		Change(5, 0):                "",
		Points(463, 1000, 449, 999): "+1.4 pt",
		Points(1, 2, 3, 4):          "−25.0 pt",
		Points(1, 0, 3, 4):          "",
		SecondsMore(108, 112):       "−4 s",
		SecondsMore(112, 108):       "+4 s",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestDays(t *testing.T) {
	t.Parallel()
	at := func(s string) time.Time {
		d, err := time.Parse("2006-01-02", s)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	for _, c := range [][3]string{
		{"2026-11-14", "2026-11-20", "14–20 Nov 2026"},
		{"2026-10-28", "2026-11-10", "28 Oct – 10 Nov 2026"},
		{"2025-12-28", "2026-01-10", "28 Dec 2025 – 10 Jan 2026"},
		{"2026-11-20", "2026-11-20", "20 Nov 2026"},
	} {
		if got := Days(at(c[0]), at(c[1])); got != c[2] {
			t.Errorf("%s to %s: %q, want %q", c[0], c[1], got, c[2])
		}
	}
}
