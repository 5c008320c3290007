package ui_test

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/views/ui"
)

func TestCount(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]string{
		0: "0", 7: "7", 999: "999", 1000: "1,000", 12855: "12,855", 1234567: "1,234,567", -4: "−4", -12855: "−12,855",
	} {
		if got := ui.Count(n); got != want {
			t.Errorf("Count(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestPercentOfNothing(t *testing.T) {
	t.Parallel()
	if got := ui.Percent(0, 0); got != ui.None {
		t.Errorf("Percent(0, 0) = %q", got)
	}
	if got := ui.Percent(2796, 4000); got != "69.9%" {
		t.Errorf("Percent(2796, 4000) = %q", got)
	}
}

func TestWait(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		0: "0 s", 40 * time.Second: "40 s", 59*time.Second + 700*time.Millisecond: "1 min", 11 * time.Minute: "11 min",
		59*time.Minute + 40*time.Second: "1 h", 115 * time.Minute: "1 h 55 min", 4 * time.Hour: "4 h",
		23*time.Hour + 59*time.Minute + 50*time.Second: "1 day", 6 * 24 * time.Hour: "6 days",
		-11 * time.Minute: "11 min",
	} {
		if got := ui.Wait(d); got != want {
			t.Errorf("Wait(%v) = %q, want %q", d, got, want)
		}
	}
}

func TestTook(t *testing.T) {
	t.Parallel()
	for ms, want := range map[float64]string{
		0: "< 1 ms", 0.04: "< 0.1 ms", 0.4: "0.4 ms", 1: "1 ms", 9.94: "9.9 ms", 9.96: "10 ms", 183.6: "184 ms",
		999.4: "999 ms", 999.6: "1.0 s", 15000: "15.0 s",
	} {
		if got := ui.Took(ms); got != want {
			t.Errorf("Took(%v) = %q, want %q", ms, got, want)
		}
	}
}

func TestTalkTime(t *testing.T) {
	t.Parallel()
	for seconds, want := range map[int]string{0: "–", -1: "–", 9: "0:09", 94: "1:34", 3725: "1:02:05"} {
		if got := ui.TalkTime(seconds); got != want {
			t.Errorf("TalkTime(%d) = %q, want %q", seconds, got, want)
		}
	}
}

func TestWords(t *testing.T) {
	t.Parallel()
	for got, want := range map[string]string{
		ui.Phone("+13125550142"):                   "+1 312 555 0142",
		ui.Phone(""):                               "",
		ui.Reached(""):                             "Erased number",
		ui.PersonNumber("", true):                  "Number withheld",
		ui.PersonNumber("", false):                 "Erased number",
		ui.Reached("+13125550142"):                 "+1 312 555 0142",
		ui.Phone("not a number"):                   "not a number",
		ui.Plural(1, "call"):                       "1 call",
		ui.Plural(2, "person", "people"):           "2 people",
		ui.Delays([]int{30, 240, 0}):               "30 min, 4 h, at once",
		ui.Sentence("do_not_call"):                 "Do not call",
		ui.Capital("élan"):                         "Élan",
		ui.Capital(""):                             "",
		ui.City("America/Argentina/Buenos_Aires"):  "Buenos Aires",
		ui.City("UTC"):                             "UTC",
		ui.LanguageName("es-US"):                   "Spanish (US)",
		ui.LanguageName("english please"):          "english please",
		ui.RegionName("AR"):                        "Argentina",
		ui.StateOf("no_answer").Word:               "No answer",
		ui.StateOf("a_state_of_next_year").Word:    "A state of next year",
		ui.Spans(nil):                              "Closed",
		ui.Spans([]ui.Span{{From: 540, To: 1440}}): "09:00–24:00",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestClock(t *testing.T) {
	t.Parallel()
	chicago, err := time.LoadLocation("America/Chicago")
	if err != nil {
		t.Fatal(err)
	}
	c := ui.Clock{Now: time.Date(2026, 11, 20, 20, 5, 0, 0, time.UTC), Zone: chicago}
	at := func(s string) time.Time {
		v, err := time.Parse(time.RFC3339, s)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	for _, tt := range []struct{ got, want string }{
		{c.Short(at("2026-11-20T06:00:00Z")), "00:00"}, // midnight in Chicago is still today
		{c.Short(at("2026-11-20T05:59:59Z")), "19 Nov, 23:59"},
		{c.Short(at("2025-03-12T12:00:00Z")), "12 Mar 2025"},
		{c.Short(at("2027-01-04T15:00:00Z")), "4 Jan, 09:00"}, // within half a year, though in another year
		{c.Short(time.Time{}), "–"},
		{c.Day(at("2026-11-19T18:00:00Z")), "Yesterday"},
		{c.Full(at("2026-11-20T19:56:12Z")), "Fri 20 Nov 2026, 13:56:12 CST"},
		{c.When(at("2026-11-20T19:05:00Z")), "13:05"}, // today needs no date
		{ui.Clock{Now: c.Now, Zone: chicago, Dated: true}.When(at("2026-11-20T19:05:00Z")), "20 Nov, 13:05"},
		{c.When(at("2026-11-19T21:00:00Z")), "19 Nov, 15:00"},
		{c.When(at("2027-01-04T15:00:00Z")), "4 Jan, 09:00"},
		{c.When(at("2025-03-12T14:30:00Z")), "12 Mar 2025, 09:30"},
		{c.Input(at("2026-11-23T15:00:00Z")), "2026-11-23T09:00"},
		{ui.Clock{Now: c.Now}.Full(at("2026-11-20T19:56:12Z")), "Fri 20 Nov 2026, 19:56:12 UTC"},
		{ui.Clock{Now: c.Now, Zone: time.FixedZone("-03", -3*3600)}.Abbreviation(c.Now), "UTC−3"},
		{ui.Clock{Now: c.Now, Zone: time.FixedZone("+0545", 5*3600+45*60)}.Abbreviation(c.Now), "UTC+5:45"},
	} {
		if tt.got != tt.want {
			t.Errorf("got %q, want %q", tt.got, tt.want)
		}
	}
}

func TestErrorsFindTheirFields(t *testing.T) {
	t.Parallel()
	var p fault.Problems
	p.Addf("name", "required")
	p.Addf("retry.delays_minutes[1]", "must be a number")
	p.Addf("metadata", "too large")
	p.Addf("name", "and this one comes second")
	e := ui.ErrorsOf(p.Err())
	for path, want := range map[string]string{
		"name": "required", "retry.delays_minutes": "must be a number", "retry": "must be a number", "nam": "",
		"retry.delays": "",
	} {
		if got := e.For(path); got != want {
			t.Errorf("For(%q) = %q, want %q", path, got, want)
		}
	}
	if rest := e.Rest("name", "retry.delays_minutes"); len(rest) != 1 || rest[0] != "metadata: too large" {
		t.Errorf("Rest = %q", rest)
	}
	if e := ui.ErrorsOf(fault.Conflictf("in use")); e.For("") != "in use" {
		t.Errorf("a refusal without fields gives %q", e)
	}
	if e := ui.ErrorsOf(context.Canceled); e != nil {
		t.Errorf("an internal error shows %q", e)
	}
}

// User input is never interpreted as HTML.
func TestTextIsEscaped(t *testing.T) {
	t.Parallel()
	const evil = `"><script>alert(1)</script>`
	var b bytes.Buffer
	parts := []func() error{
		func() error {
			return ui.Input{
				Field: ui.Field{Name: "a", Label: evil, Hint: evil, Error: evil}, Value: evil,
			}.Render(t.Context(), &b)
		},
		func() error {
			return ui.TextArea{Field: ui.Field{Name: "b", Label: evil}, Value: evil}.Render(t.Context(), &b)
		},
		func() error { return ui.Button{Label: evil, Href: "javascript:alert(1)"}.Render(t.Context(), &b) },
		func() error { return ui.Secret{Title: evil, Value: evil}.Render(t.Context(), &b) },
		func() error {
			return ui.Transcript([]ui.Turn{{Role: "recipient", Who: evil, Text: evil}}).Render(t.Context(), &b)
		},
		func() error {
			return ui.Meter{
				Parts: []ui.Part{{Word: "completed", Label: evil, Count: 1}}, Total: 2,
			}.Render(t.Context(), &b)
		},
	}
	for i, part := range parts {
		if err := part(); err != nil {
			t.Fatalf("part %d: %v", i, err)
		}
	}
	if html := b.String(); strings.Contains(html, "<script") || strings.Contains(html, "javascript:") {
		t.Errorf("markup came through: %s", html)
	}
}
