package dialer

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign/intake"
	"github.com/dialwright/dialwright/internal/hours"
	"github.com/dialwright/dialwright/internal/regulation"
)

// A call keeps the clocks, the hours and the rules that allowed it, and how often its number was called before.
func TestACallKeepsItsHoursDecision(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.rules(t, func(s *regulation.Settings) {
		s.Apply, s.Holidays, s.ClosedDays = true, true, []regulation.ClosedDay{{Date: "12-24"}}
	})
	b.eastern(t, time.March, 3, 10, 32) // Eastern standard time, also in Lima
	day := value[time.Time](t, b, `select clock()`).Format(time.DateOnly)
	callsTo := func(timezone string, number string, h hours.Hours) {
		t.Helper()
		d := b.draftOf()
		d.CallingHours = &h
		d.Recipients.Add(intake.Recipient{PhoneNumber: number, Timezone: timezone})
		b.create(t, d)
		b.dial(t)
		b.endAll(t, call.OutcomeBusy)
		b.settle(t)
	}
	own := hours.Hours{Timezone: hours.Recipient, Windows: []hours.Window{
		{Days: hours.Days(), Start: "09:00", End: "12:00"}, {Days: hours.Days(), Start: "12:00", End: "22:00"},
	}}
	berlin := hours.Hours{Timezone: "Europe/Berlin", Windows: hours.Always().Windows}
	clock := func(zone, source, local, start, end string) string {
		return `{"timezone":"` + zone + `","source":"` + source + `","local_time":"` + day + "T" + local +
			`","start":"` + start + `","end":"` + end + `"}`
	}
	const morning = "10:32:00.000-05:00"
	for _, c := range []struct {
		number, timezone string
		hours            hours.Hours
		want             string // without what every decision ends with
	}{
		{miami, "", own, `{"clocks":[` + clock("America/New_York", "number", morning, "09:00", "20:00") +
			`],"rules":["us-fl-calls","us-fl-hours","us-hours","public_holidays","closed_days"]`},
		{newYork, "", own, `{"clocks":[` + clock("America/New_York", "number", morning, "09:00", "21:00") +
			`],"rules":["us-hours","public_holidays","closed_days"]`},
		{"+18005550100", "", own, `{"clocks":[` + clock("America/New_York", "project", morning, "09:00", "21:00") +
			`],"rules":["us-hours","public_holidays","closed_days"]`},
		{"+5114567890", "America/Lima", own, `{"clocks":[` + clock("America/Lima", "recipient", morning, "09:00",
			"22:00") + `],"rules":["closed_days"]`},
		{"+12125550101", "", berlin, `{"clocks":[` +
			clock("Europe/Berlin", "campaign", "16:32:00.000+01:00", "00:00", "24:00") + "," +
			clock("America/New_York", "number", morning, "08:00", "21:00") +
			`],"rules":["us-hours","public_holidays","closed_days"]`},
	} {
		for _, calls := range []string{"0", "1"} {
			callsTo(c.timezone, c.number, c.hours)
			if got, want := b.decision(t, c.number), c.want+`,"calls_in_24_hours":`+calls+`}`; got != want {
				t.Errorf("%s: %s, want %s", c.number, got, want)
			}
		}
	}

	// Without rules, the calling hours alone decide. A call to hear an agent keeps its decision, too.
	b.rules(t, func(s *regulation.Settings) { *s = regulation.Settings{} })
	b.exec(t, `update project set calling_hours = $1`, own)
	const toll = "+18005550101"
	if _, err := b.calling.Try(t.Context(), b.actor, Try{
		AgentID: b.agent, ProjectID: b.project, PhoneNumberID: b.number, ToNumber: toll,
	}); err != nil {
		t.Fatal(err)
	}
	want := `{"clocks":[` + clock("America/New_York", "project", morning, "09:00", "22:00") +
		`],"rules":[],"calls_in_24_hours":0}`
	if got := b.decision(t, toll); got != want {
		t.Errorf("a call to hear an agent: %s, want %s", got, want)
	}
}

// decision returns what is stored with the last call to a number.
func (b *bench) decision(t testing.TB, number string) string {
	t.Helper()
	raw, err := json.Marshal(value[call.HoursDecision](t, b, `
		select calling_hours_decision from call where person_number = $1 order by id desc limit 1`, number))
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}
