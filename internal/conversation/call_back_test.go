package conversation

import (
	"strings"
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/conversation/lexicon"
)

// Other languages say times in ways that English has no use for.
func TestTimesUnlikeEnglish(t *testing.T) {
	t.Parallel()
	l := lexicon.English()
	l.Times.Hours = map[string]int{"piątej": 5}
	l.Times.OClock = append(l.Times.OClock, "hours")
	l.Times.Days["domattina"], l.Times.Parts["domattina"] = 1, 9
	l.Times.Weekdays[1] = append(l.Times.Weekdays[1], "Montagabend")
	l.Times.Parts["Montagabend"] = 18
	tongue := compile(l)
	for said, want := range map[string]string{
		"at piątej":          "2026-11-25 17:00",
		"after piątej":       "2026-11-25 17:00",
		"at four hours":      "2026-11-25 16:00",
		"in four hours":      "2026-11-25 14:07",
		"domattina":          "2026-11-26 09:00",
		"Montagabend":        "2026-11-30 18:00",
		"Montagabend at 8":   "2026-11-30 20:00",
		"at four and a half": "2026-11-25 16:30",
	} {
		at, _ := tongue.callBackAt(flatten(clauses(said)), wednesday)
		if at == nil || at.In(wednesday.Location()).Format("2006-01-02 15:04") != want {
			t.Errorf("%q is %v, want %s", said, at, want)
		}
	}
	if at, _ := tongue.callBackAt(strings.Fields("some other time"), wednesday); at != nil {
		t.Errorf("no time is %v", at)
	}
}

// Who names a day alone, late at night, is not called at that hour.
func TestDaysWithoutATime(t *testing.T) {
	t.Parallel()
	tongue := compile(lexicon.English())
	for said, want := range map[string]string{
		"next week": "2026-12-02 08:00 any", "in two days": "2026-11-27 08:00 any", "on Friday": "2026-11-27 08:00 any",
		"today": "2026-11-25 08:00 any", "tomorrow morning": "2026-11-26 09:00", "tomorrow at 3 pm": "2026-11-26 15:00",
		"in two days at 3 pm": "2026-11-27 15:00", "in an hour": "2026-11-25 03:26",
	} {
		y, m, d := wednesday.Date()
		night := time.Date(y, m, d, 2, 26, 0, 0, wednesday.Location())
		at, leeway := tongue.callBackAt(flatten(clauses(said)), night)
		got := ""
		if at != nil {
			got = at.In(wednesday.Location()).Format("2006-01-02 15:04")
		}
		if leeway.AnyTime() {
			got += " any"
		}
		if got != want {
			t.Errorf("%q is %s, want %s", said, got, want)
		}
	}
}

// What was left open of a time is not claimed: neither the hour of an afternoon nor the day of a week.
func TestWordsOfTimes(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ tag, said, want string }{
		{"en", "tomorrow afternoon", "on 26 Nov, in the afternoon"},
		{"en", "tomorrow morning, please", "on 26 Nov, in the morning"},
		{"en", "tonight", "on 25 Nov, in the evening"},
		{"en", "around lunchtime tomorrow", "on 26 Nov, around noon"},
		{"en", "tomorrow afternoon at three", "on 26 Nov, 15:00"},
		{"en", "in an hour", "on 25 Nov, 11:07"},
		{"en", "next week", "in the week of 30 Nov"},
		{"en", "yes, next week in the morning", "in the week of 30 Nov"},
		{"en", "in two weeks", "in the week of 7 Dec"},
		{"en", "next week on Friday", "on 4 Dec"},
		{"en", "next month", "around 25 Dec"},
		{"en", "in two days", "on 27 Nov"},
		{"de", "nächste Woche", "in the week of 30 Nov"},
		{"de", "morgen Nachmittag", "on 26 Nov, in the afternoon"},
		{"es", "la semana que viene", "in the week of 30 Nov"},
		{"it", "domattina", "on 26 Nov, in the morning"},
	} {
		at, leeway := tongueOf(row.tag).callBackAt(flatten(clauses(row.said)), wednesday)
		if at == nil {
			t.Errorf("%s: %q is no time", row.tag, row.said)
		} else if got := leeway.Words(at.In(wednesday.Location())); got != row.want {
			t.Errorf("%s: %q is %q, want %q", row.tag, row.said, got, row.want)
		}
	}
}

// A weekday of a later week is that weekday, on whatever day it is said, and in each language and order.
func TestWeekdaysOfNextWeek(t *testing.T) {
	t.Parallel()
	for _, l := range languages {
		times := l.source().Times
		for phrase, days := range times.Days {
			if days != 7 {
				continue
			}
			for weekday, names := range times.Weekdays {
				for _, name := range names {
					for _, said := range []string{phrase + " " + name, name + " " + phrase} {
						for today := range 7 {
							now := wednesday.AddDate(0, 0, today)
							at, _ := l.tongue().callBackAt(flatten(clauses(said)), now)
							monday := now.AddDate(0, 0, 7-(int(now.Weekday())+6)%7)
							want := monday.AddDate(0, 0, (weekday+6)%7).Format(time.DateOnly)
							if at == nil || at.In(now.Location()).Format(time.DateOnly) != want {
								t.Errorf("%s: %q said on %s is %v, want %s", l.tag, said, now.Weekday(), at, want)
							}
						}
					}
				}
			}
		}
	}
}

func TestWeekdaysOfLaterWeeks(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ tag, said, want string }{
		{"en", "yes, next week on Friday", "2026-12-04 10:07 any"},
		{"en", "next week, Monday at 3 pm", "2026-11-30 15:00"},
		{"en", "on Friday next week in the morning", "2026-12-04 09:00"},
		{"en", "next month on a Friday", "2026-12-25 10:07 any"},
		{"en", "in two weeks on Monday", "2026-12-07 10:07 any"},
		{"en", "tomorrow, Thursday, at 3 pm", "2026-11-26 15:00"},
		{"de", "am Freitag nächster Woche", "2026-12-04 10:07 any"},
		{"it", "venerdì della prossima settimana", "2026-12-04 10:07 any"},
		{"es", "el viernes de la semana próxima", "2026-12-04 10:07 any"},
		{"cs", "v pátek příštího týdne", "2026-12-04 10:07 any"},
		{"pl", "w piątek przyszłego tygodnia", "2026-12-04 10:07 any"},
		{"el", "την Παρασκευή της επόμενης εβδομάδας", "2026-12-04 10:07 any"},
		{"tr", "gelecek hafta cuma günü", "2026-12-04 10:07 any"},
	} {
		at, leeway := tongueOf(row.tag).callBackAt(flatten(clauses(row.said)), wednesday)
		got := ""
		if at != nil {
			got = at.In(wednesday.Location()).Format("2006-01-02 15:04")
		}
		if leeway.AnyTime() {
			got += " any"
		}
		if got != row.want {
			t.Errorf("%s: %q is %s, want %s", row.tag, row.said, got, row.want)
		}
	}
}
