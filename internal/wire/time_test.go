package wire_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/wire"
)

func TestTimeIsUTCWithExactlyMilliseconds(t *testing.T) {
	t.Parallel()
	berlin := time.FixedZone("", 2*3600)
	for want, at := range map[string]time.Time{
		`"2026-11-21T09:30:00.000Z"`: time.Date(2026, 11, 21, 11, 30, 0, 0, berlin),
		`"2026-11-21T09:30:00.120Z"`: time.Date(2026, 11, 21, 9, 30, 0, 120_999_999, time.UTC),
	} {
		got, err := json.Marshal(wire.Time(at))
		if err != nil || string(got) != want {
			t.Errorf("%v: got %s, %v, want %s", at, got, err, want)
		}
	}
	if got, _ := json.Marshal(struct{ T *wire.Time }{wire.Optional(nil)}); string(got) != `{"T":null}` {
		t.Errorf("no time is %s", got)
	}
}

func TestParseTime(t *testing.T) {
	t.Parallel()
	got, err := wire.ParseTime("2026-11-21T11:30:00.123987+02:00")
	want := time.Date(2026, 11, 21, 9, 30, 0, 123_000_000, time.UTC)
	if err != nil || !got.Equal(want) || got.Location() != time.UTC {
		t.Errorf("got %v, %v", got, err)
	}
	for in, want := range map[string]int{"123": 123_000_000, "123000001": 124_000_000, "9999": 1_000_000_000} {
		got, err := wire.ParseEnd("2026-11-21T11:30:00." + in + "+02:00")
		if want := time.Date(2026, 11, 21, 9, 30, 0, want, time.UTC); err != nil || !got.Equal(want) {
			t.Errorf("an end: got %v, %v, want %v", got, err, want)
		}
	}
	for _, bad := range []string{"", "2026-11-21", "2026-11-21T09:30:00", "tomorrow", "2026-02-30T00:00:00Z",
		"9999-12-31T23:59:59-23:00", "0001-01-01T00:00:00Z", "2026-11-21T09:30:00Z\x00"} {
		if got, err := wire.ParseTime(bad); err == nil {
			t.Errorf("%q was read as %v", bad, got)
		}
	}
}

func FuzzParseTime(f *testing.F) {
	f.Add("2026-11-21T09:30:00Z")
	f.Add("9999-12-31T23:59:59-23:59")
	f.Fuzz(func(t *testing.T, s string) {
		at, err := wire.ParseTime(s)
		if err != nil {
			return
		}
		again, err := wire.ParseTime(wire.Time(at).String())
		if err != nil || !again.Equal(at) {
			t.Errorf("%q is printed as %s, which reads as %v, %v", s, wire.Time(at), again, err)
		}
	})
}
