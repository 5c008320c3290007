package conversation

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
)

func TestAccept(t *testing.T) {
	t.Parallel()
	one, ten := 1.0, 10.0
	care := Question{Expect: Choice, Options: []string{"Home visit", "Café", "No. 7"}}
	rating := Question{Expect: Number, Min: &one, Max: &ten}
	of := func(e Expect) Question { return Question{Expect: e} }
	for _, c := range []struct {
		q     Question
		value any
		want  any // a nil value is refused
	}{
		{of(YesNo), true, true}, {of(YesNo), false, false}, {of(YesNo), " Yes", true}, {of(YesNo), "FALSE", false},
		{of(YesNo), "no", false}, {of(YesNo), "maybe", nil}, {of(YesNo), 1.0, nil}, {of(YesNo), nil, nil},
		{of(Number), 3.5, 3.5}, {of(Number), "-12", -12.0}, {of(Number), " 7.25 ", 7.25},
		{of(Number), json.Number("4"), 4.0}, {of(Number), "1e3", nil}, {of(Number), "NaN", nil},
		{of(Number), "1,200", nil}, {of(Number), "four", nil}, {of(Number), true, nil}, {of(Number), math.Inf(1), nil},
		{rating, 10.0, 10.0}, {rating, 1.0, 1.0}, {rating, 11.0, nil}, {rating, "0", nil},
		{care, "Home visit", "Home visit"}, {care, "HOME-VISIT", "Home visit"}, {care, "cafe", "Café"},
		{care, "no 7", "No. 7"}, {care, "home", nil}, {care, 1.0, nil}, {care, "", nil}, {care, "!", nil},
		{of(Text), "  The knee\nhurts. ", "The knee hurts."}, {of(Text), 42.0, "42"}, {of(Text), " ", nil},
		{of(Text), "\x00", nil}, {of(Text), strings.Repeat("é", 4000), strings.Repeat("é", 4000)},
		{of(Text), strings.Repeat("é", 4001), nil}, {of(Text), []any{"a"}, nil}, {of(Text), map[string]any{}, nil},
		{of(Date), "2026-11-24", "2026-11-24"}, {of(Date), " 2026-1-4 ", "2026-01-04"}, {of(Date), "2026-02-29", nil},
		{of(Date), "2028-02-29", "2028-02-29"}, {of(Date), "24 November", nil}, {of(Date), "tomorrow", nil},
		{of(Date), 20261124.0, nil},
		{of(Time), "14:30", "14:30"}, {of(Time), "9:05", "09:05"}, {of(Time), "14:30:59", "14:30"},
		{of(Time), "2:30 p.m.", "14:30"}, {of(Time), "2pm", "14:00"}, {of(Time), "12 AM", "00:00"},
		{of(Time), "24:00", nil}, {of(Time), "noon", nil}, {of(Time), 14.0, nil},
		{of(Phone), "+1 312-555-0142", "+13125550142"}, {of(Phone), "(312) 555 0142", "+13125550142"},
		{of(Phone), 3125550142.0, "+13125550142"}, {of(Phone), "tel:+13125550142", "+13125550142"},
		{of(Phone), "911", nil}, {of(Phone), "12", nil}, {of(Phone), "ask my wife", nil},
		{of(Email), " Anna.Smith@Example.COM ", "Anna.Smith@example.com"}, {of(Email), "anna@localhost", nil},
		{of(Email), "Anna <anna@example.com>", nil}, {of(Email), "anna at example dot com", nil},
		{of(Email), "anna@example.com, ben@example.com", nil}, {of(Email), `"a b"@example.com`, nil},
		{of(Email), "anna@.com", nil}, {of(Email), "@example.com", nil},
	} {
		got, err := c.q.Accept(c.value, "US")
		if got != c.want || (err == nil) != (c.want != nil) {
			t.Errorf("%s %v: %v, %v; want %v", c.q.Expect, c.value, got, err, c.want)
		}
		if err != nil && !strings.HasPrefix(err.Error(), "must ") {
			t.Errorf("%s %v: %v", c.q.Expect, c.value, err)
		}
	}
	// Without a country, only international numbers are known.
	if got, err := of(Phone).Accept("0171 2345678", ""); err == nil {
		t.Errorf("a national number of no country is %v", got)
	}
	if _, err := rating.Accept("11", ""); err == nil || err.Error() != "must be a number between 1 and 10" {
		t.Errorf("11 of 10: %v", err)
	}
}

// What Accept returns, it accepts again unchanged.
func FuzzAccept(f *testing.F) {
	for _, s := range []string{
		"yes", "-0.50", "12:05 am", "2026-1-4", "+49 (0)30 1234567", "0171 2345678", "A@Exämple.COM", "Cafe",
		"a\u0301\ufffd\x01 b", "'+390612345678", "tel:tel:+390612345678", "00390612345678", "=\"030 1234567\"",
	} {
		f.Add(s, "DE")
	}
	low, high := -5.0, 1e6
	f.Fuzz(func(t *testing.T, s, region string) {
		for _, e := range Expects() {
			q := Question{Expect: e}
			switch e {
			case Choice:
				q.Options = []string{"Café", "Home visit", "Straße"}
			case Number:
				q.Min, q.Max = &low, &high
			}
			first, err := q.Accept(s, region)
			if err != nil {
				continue
			}
			encoded, err := json.Marshal(first)
			if err != nil {
				t.Fatalf("%s %q gives %v: %v", e, s, first, err)
			}
			var stored any
			if err := json.Unmarshal(encoded, &stored); err != nil {
				t.Fatal(err)
			}
			if again, err := q.Accept(stored, region); again != first || err != nil {
				t.Errorf("%s %q gives %v, then %v, %v", e, s, first, again, err)
			}
		}
	})
}
