package web

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
)

// nextCall is when the first who wait may be called, zero when nobody can say.
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

// waitsForHours tells whether the calling hours are what is waited for.
func waitsForHours(wait campaign.Waiting) bool {
	return wait.Reason == campaign.WaitCallingHours || wait.Reason == campaign.WaitCallingHoursProject
}

// waitText says why recipients wait; it follows their number.
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
	switch wait.Reason {
	case campaign.WaitScheduled:
		return waits + " for the start" + first
	case campaign.WaitCallingHours:
		return waits + " for their calling hours" + first
	case campaign.WaitCallingHoursProject:
		return waits + " for the project's calling hours because their number does not reveal a time zone" + first
	case campaign.WaitRetry:
		return waits + " for their next attempt" + first
	case campaign.WaitInCall:
		return waits + " because their number is in another call" + first
	case campaign.WaitCarrier:
		if wait.Detail != nil {
			return waits + " because the carrier could not place the call (" + *wait.Detail + ")" + first
		}
		return waits + " because the carrier could not place the call" + first
	case campaign.WaitMessage:
		return waits + " for the message before their call"
	case campaign.WaitAttemptLimit:
		return waits + " because their number reached your limit of calls in 24 hours" + first
	case campaign.WaitCampaignPace:
		return waits + " because of this campaign's pace" + first
	case campaign.WaitNumberPace:
		return waits + " because of the phone number's pace" + first
	case campaign.WaitConnectionPace:
		return waits + " because of the carrier connection's pace" + first
	case campaign.WaitOrganizationPace:
		return waits + " because of your organization's pace" + first
	case campaign.WaitPaused:
		if by, ok := strings.CutPrefix(orNone(wait.Detail), campaign.PausedBy); ok {
			return waits + " because the campaign was paused by " + by
		}
		return waits + " because the campaign is paused"
	case campaign.WaitCampaignConcurrency:
		return waits + " because this campaign has reached its limit of simultaneous calls"
	case campaign.WaitNumberConcurrency:
		return waits + " because the phone number has reached its limit of simultaneous calls"
	case campaign.WaitConnectionConcurrency:
		return waits + " because the carrier connection has reached its limit of simultaneous calls"
	case campaign.WaitOrganizationConcurrency:
		return waits + " because your organization has reached its limit of simultaneous calls"
	case campaign.WaitCallingStopped:
		return waits + " because all calling is stopped"
	}
	return waits + ": " + strings.ToLower(ui.Sentence(wait.Reason)) + first
}

// zoneWaits says of those who wait for calling hours how many wait in which time
// zone, and for what time there.
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
		lines = append(lines, views.ZoneWait{Recipients: z.Recipients, Text: "in " + ui.List(z.TimeZones) + ", closed until " + until})
		rest -= z.Recipients
	}
	if len(lines) > 0 && rest > 0 {
		lines = append(lines, views.ZoneWait{Recipients: rest, Text: "in other time zones"})
	}
	return lines
}

// notTheCause says what of a running campaign does not hold it up, "" where that
// is not known.
func notTheCause(c campaign.Campaign) string {
	if c.Status != campaign.Running || len(c.Waiting) == 0 {
		return ""
	}
	lines, rate, carrier := true, true, true
	for _, wait := range c.Waiting {
		switch wait.Reason {
		case campaign.WaitCallingStopped, campaign.WaitScheduled:
			return ""
		case campaign.WaitCampaignConcurrency, campaign.WaitNumberConcurrency, campaign.WaitConnectionConcurrency, campaign.WaitOrganizationConcurrency:
			lines = false
		case campaign.WaitConnectionPace: // or a rest that the carrier asked for
			rate, carrier = false, false
		case campaign.WaitCampaignPace, campaign.WaitNumberPace, campaign.WaitOrganizationPace:
			rate = false
		case campaign.WaitCarrier:
			carrier = false
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
