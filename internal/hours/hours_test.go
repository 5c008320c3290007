package hours

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/dialwright/dialwright/internal/fault"
)

func weekdays() []Day { return Days()[:5] }

func TestValidate(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		json string
		want string // "" for valid
	}{
		{`{"timezone":"recipient","windows":[{"days":["mon"],"start":"08:00","end":"21:00"}]}`, ""},
		{
			`{"timezone":"Europe/Berlin","windows":[{"days":["sun","mon"],"start":"00:00","end":"24:00"},` +
				`{"days":["mon"],"start":"10:00","end":"11:00"}]}`,
			"",
		},
		{`{"timezone":"UTC","windows":[{"days":["mon"],"start":"23:59","end":"24:00"}]}`, ""},
		{
			`{}`,
			`hours.timezone: must be "recipient" or a time zone such as America/Chicago; hours.windows: at ` +
				`least one is required`,
		},
		{`{"timezone":"Local","windows":[{"days":["mon"],"start":"08:00","end":"21:00"}]}`, `hours.timezone: must be`},
		{
			`{"timezone":"Europe/Nowhere","windows":[{"days":["mon"],"start":"08:00","end":"21:00"}]}`,
			`hours.timezone: must be`,
		},
		{
			`{"timezone":"../etc/passwd","windows":[{"days":["mon"],"start":"08:00","end":"21:00"}]}`,
			`hours.timezone: must be`,
		},
		{
			`{"timezone":"recipient","windows":[{"days":[],"start":"08:00","end":"21:00"}]}`,
			`hours.windows[0].days: at least one day is required`,
		},
		{
			`{"timezone":"recipient","windows":[{"days":["mon","Tue"],"start":"08:00","end":"21:00"}]}`,
			`hours.windows[0].days[1]: must be one of mon, tue, wed, thu, fri, sat, sun`,
		},
		{
			`{"timezone":"recipient","windows":[{"days":["mon"],"start":"22:00","end":"06:00"}]}`,
			`hours.windows[0].end: must be later than start. For hours past midnight, use two windows`,
		},
		{
			`{"timezone":"recipient","windows":[{"days":["mon"],"start":"22:00","end":"22:00"}]}`,
			`hours.windows[0].end: must be later`,
		},
		{
			`{"timezone":"recipient","windows":[{"days":["mon"],"start":"8:00","end":"24:01"}]}`,
			`hours.windows[0].start: must be a time from 00:00 to 23:59; hours.windows[0].end: must be a time from ` +
				`00:01 to 24:00`,
		},
		{
			`{"timezone":"recipient","windows":[{"days":["mon"],"start":"24:00","end":"24:00"}]}`,
			`hours.windows[0].start: must be a time from 00:00 to 23:59`,
		},
		{
			`{"timezone":"recipient","windows":[{"days":["mon"],"start":"08:60","end":"09:00"}]}`,
			`hours.windows[0].start: must be`,
		},
	} {
		var h Hours
		if err := json.Unmarshal([]byte(c.json), &h); err != nil {
			t.Fatal(err)
		}
		var p fault.Problems
		h.Validate("hours", &p)
		got := ""
		if err := p.Err(); err != nil {
			got = err.Error()
		}
		if c.want == "" && got != "" || c.want != "" && !strings.HasPrefix(got, c.want) {
			t.Errorf("%s\n got %q\nwant %q", c.json, got, c.want)
		}
	}

	var p fault.Problems
	Hours{Timezone: Recipient, Windows: make([]Window, 100_000)}.Validate("", &p)
	if p.Len() != 1 {
		t.Errorf("%d problems for too many windows, want the one that says so", p.Len())
	}
	for _, h := range []Hours{Always(), Default()} {
		var p fault.Problems
		h.Validate("", &p)
		if p.Err() != nil {
			t.Errorf("%+v: %v", h, p.Err())
		}
	}
}

func TestJSON(t *testing.T) {
	t.Parallel()
	h := Hours{Timezone: Recipient, Windows: []Window{{Days: []Day{Saturday}, Start: "09:00", End: "24:00"}}}
	b, err := json.Marshal(h)
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"timezone":"recipient","windows":[{"days":["sat"],"start":"09:00",` +
		`"end":"24:00"}]}`; string(b) != want {
		t.Errorf("got %s\nwant %s", b, want)
	}
	var back Hours
	if err := json.Unmarshal(b, &back); err != nil || !reflect.DeepEqual(h, back) {
		t.Errorf("%+v came back as %+v, %v", h, back, err)
	}
}

func TestDescribe(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		hours Hours
		want  string
	}{
		{Always(), "Always"},
		{Default(), "Recipient's time, 08:00–21:00, every day"},
		{Hours{Recipient, []Window{{weekdays(), "15:00", "20:00"}}}, "Recipient's time, 15:00–20:00, Mon–Fri"},
		{
			Hours{"Europe/Berlin", []Window{{[]Day{Sunday, Saturday, Tuesday}, "09:00", "24:00"}}},
			"Europe/Berlin, 09:00–24:00, Tue, Sat, Sun",
		},
		{Hours{Recipient, []Window{
			{weekdays()[:4], "09:00", "12:30"}, {weekdays()[:4], "15:00", "20:00"},
			{[]Day{Friday}, "15:00", "18:00"}, {[]Day{Friday}, "09:00", "12:30"},
		}}, "Recipient's time, 09:00–12:30 and 15:00–20:00, Mon–Thu; 09:00–12:30 and 15:00–18:00, Fri"},
		{Hours{Recipient, []Window{{Days(), "00:00", "13:00"}, {Days(), "12:00", "24:00"}}}, "Always"},
		{Hours{Recipient, nil}, "Never"},
	} {
		if got := Describe(c.hours); got != c.want {
			t.Errorf("got  %q\nwant %q", got, c.want)
		}
	}
}

func TestKnownZone(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"UTC": true, "America/Argentina/Buenos_Aires": true, "Etc/GMT+5": true,
		"": false, "Local": false, "posix/UTC": false, "right/UTC": false, "Etc/Unknown": false, "CET/../UTC": false,
	} {
		if got := KnownZone(name); got != want {
			t.Errorf("KnownZone(%q) = %t", name, got)
		}
	}
	if KnownZone(strings.Repeat("x", 10_000)) {
		t.Error("a name of 10,000 characters is known")
	}
}

func ExampleDescribe() {
	fmt.Println(Describe(Default()))
	// Output: Recipient's time, 08:00–21:00, every day
}
