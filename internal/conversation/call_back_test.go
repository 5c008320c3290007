package conversation

import (
	"strings"
	"testing"

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
		at := tongue.callBackAt(flatten(clauses(said)), wednesday)
		if at == nil || at.In(wednesday.Location()).Format("2006-01-02 15:04") != want {
			t.Errorf("%q is %v, want %s", said, at, want)
		}
	}
	if at := tongue.callBackAt(strings.Fields("some other time"), wednesday); at != nil {
		t.Errorf("no time is %v", at)
	}
}
