package calls

import (
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/call"
)

func TestHoursText(t *testing.T) {
	t.Parallel()
	one := call.HoursClock{
		Timezone: "America/Chicago", Source: "number", LocalTime: "2026-11-23T10:32:05.000-06:00",
		Start: "08:00", End: "21:00",
	}
	two := call.HoursClock{
		Timezone: "Europe/Berlin", Source: "campaign", LocalTime: "2026-11-23T17:32:05.000+01:00",
		Start: "00:00", End: "24:00",
	}
	for _, c := range []struct {
		of   call.Call
		want string
	}{
		{call.Call{}, ""},
		{
			call.Call{StartedAt: &time.Time{}, HoursDecision: &call.HoursDecision{
				Clocks:         []call.HoursClock{one},
				Rules:          []string{"own-us-tx-3f2a9c1e", "us-tx-hours", "us-hours", "public_holidays"},
				CallsIn24Hours: 2,
			}},
			"Called at 10:32 in America/Chicago, a time zone of the number, within 08:00–21:00. Rules that applied: " +
				"your own rule for Texas, Texas, United States and public holidays. 2 earlier calls in 24 hours.",
		},
		{
			call.Call{HoursDecision: &call.HoursDecision{Clocks: []call.HoursClock{two, one}}},
			"Allowed at 17:32 in Europe/Berlin, the time zone of the calling hours, within 00:00–24:00, and " +
				"at 10:32 in America/Chicago, a time zone of the number, within 08:00–21:00. " +
				"No earlier call in 24 hours.",
		},
	} {
		if got := HoursText(c.of); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}
