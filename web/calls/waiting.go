package calls

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/english"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
)

// nextCall returns the earliest time at which a waiting recipient may be called. It is
// zero if no such time is known.
func nextCall(waiting []campaign.Waiting) time.Time {
	var next time.Time
	for _, wait := range waiting {
		if wait.Until == nil {
			continue
		}
		if at := time.Time(*wait.Until); next.IsZero() || at.Before(next) {
			next = at
		}
	}
	return next
}

// waitsForHours reports whether the recipients wait for calling hours.
func waitsForHours(wait campaign.Waiting) bool {
	return wait.Reason == campaign.WaitCallingHours || wait.Reason == campaign.WaitCallingHoursProject
}

// waitText explains why recipients wait. The page shows it after their number.
func waitText(clock ui.Clock, wait campaign.Waiting) string {
	first := ""
	if wait.Until != nil {
		first = ", first at " + clock.When(time.Time(*wait.Until))
	}
	waits := "wait"
	if wait.Recipients == 1 {
		waits = "waits"
		first = strings.Replace(first, ", first at", ", until", 1)
	}
	words := wait.Words()
	text := waits + " " + words.Line
	switch {
	case (wait.Reason == campaign.WaitCarrier || wait.Reason == campaign.WaitPreDialCheck) && wait.Detail != nil:
		text += " (" + *wait.Detail + ")"
	case wait.Reason == campaign.WaitCountry:
		text += " (" + frame.OrNone(wait.Detail) +
			"). Permit these calls at the carrier, then pause and resume the campaign"
	case wait.Reason == campaign.WaitPaused:
		if by, ok := strings.CutPrefix(frame.OrNone(wait.Detail), campaign.PausedBy); ok {
			return waits + " because the campaign was paused by " + by
		}
	}
	if words.Moment {
		text += first
	}
	return text
}

// callWaitText explains why a call of its own waits.
func callWaitText(clock ui.Clock, wait call.Waiting) string {
	words := campaign.Waiting{Reason: wait.Reason}.Words()
	text := "This call waits"
	if line := words.OfCall(); line != "" {
		text += " " + line
	}
	if wait.Detail != nil && (wait.Reason == campaign.WaitCarrier || wait.Reason == campaign.WaitPreDialCheck) {
		text += " (" + *wait.Detail + ")"
	}
	if wait.Until != nil && words.Moment {
		text += ", until " + clock.When(time.Time(*wait.Until))
	}
	return text + "."
}

// zoneWaits splits the recipients who wait for calling hours by time zone, each zone with
// the time at which its calling hours open.
func zoneWaits(clock ui.Clock, wait campaign.Waiting) []views.ZoneWait {
	var lines []views.ZoneWait
	rest := wait.Recipients
	for _, z := range wait.ByTimeZone {
		opens := time.Time(z.Until)
		until := clock.When(opens) + " " + clock.Abbreviation(opens)
		if len(z.TimeZones) == 1 {
			if there, err := time.LoadLocation(z.TimeZones[0]); err == nil {
				until = ui.Clock{Now: clock.Now, Zone: there}.Short(opens) + " their time"
			}
		}
		lines = append(lines, views.ZoneWait{
			Recipients: z.Recipients, Text: "in " + english.List(z.TimeZones) + ", closed until " + until,
		})
		rest -= z.Recipients
	}
	if len(lines) > 0 && rest > 0 {
		lines = append(lines, views.ZoneWait{Recipients: rest, Text: "in other time zones"})
	}
	return lines
}

// notTheCause names the checks that do not block a running campaign, or "" if they are
// unknown.
func notTheCause(c campaign.Campaign) string {
	if c.Status != campaign.Running || len(c.Waiting) == 0 {
		return ""
	}
	lines, rate, carrier := true, true, true
	for _, wait := range c.Waiting {
		switch wait.Words().Cause {
		case campaign.CauseStart:
			return ""
		case campaign.CauseConcurrency:
			lines = false
		case campaign.CauseCarrierPace:
			rate, carrier = false, false
		case campaign.CausePace:
			rate = false
		case campaign.CauseCarrier:
			carrier = false
		case campaign.CauseRecipient:
		}
	}
	var not []string
	if lines {
		not = append(not, fmt.Sprintf("simultaneous calls (%d of %d)", c.Dialing+c.InProgress, c.MaxConcurrency))
	}
	if rate {
		not = append(not, "pace ("+strconv.FormatFloat(c.CallsPerSecond, 'f', -1, 64)+" per second)")
	}
	if carrier {
		not = append(not, "carrier")
	}
	if len(not) == 0 {
		return ""
	}
	return "Not the cause: " + strings.Join(not, ", ") + "."
}

func waitGlyph(wait campaign.Waiting) ui.Glyph {
	if wait.Reason == campaign.WaitRetry {
		return ui.GlyphStep
	}
	return ui.GlyphPending
}
