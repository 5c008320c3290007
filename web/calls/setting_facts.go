package calls

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/english"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/hours"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
)

// ownSettings shows the settings of a call that belongs to no campaign.
func (s *Server) ownSettings(r *http.Request, v *views.Call, recipientID uuid.UUID, attempt int) error {
	set, err := s.Campaigns.SettingsOf(r.Context(), frame.SignedIn(r).Organization.ID, recipientID)
	if fault.KindOf(err) == fault.NotFound { // the recipient was deleted
		return nil
	}
	if err != nil {
		return err
	}
	v.MaxAttempts = max(set.MaxAttempts, attempt)
	v.Settings = settingFacts(set, ui.IntentActionOfCall)
	if set.ExpiresAt != nil {
		v.Settings = append(v.Settings, ui.Fact{Name: "No calls after", Text: s.Clock(r).When(*set.ExpiresAt)})
	}
	return nil
}

// knownFacts lists the values that the agent's texts can use. Names and values are written as in the list.
func knownFacts(c call.Call) (facts []ui.Fact, err error) {
	var variables map[string]any
	if err := json.Unmarshal(c.Variables, &variables); err != nil {
		return nil, fmt.Errorf("read the variables of call %s: %w", c.ID, err)
	}
	for _, name := range slices.Sorted(maps.Keys(variables)) {
		text, ok := variables[name].(string)
		if !ok {
			text = AnswerText(variables[name])
		}
		facts = append(facts, ui.Fact{Name: name, Text: text})
	}
	return facts, nil
}

// settingFacts describes the settings that a campaign and a call of its own share. leadsTo has the words for the
// action of an intent.
func settingFacts(c campaign.Campaign, leadsTo func(action string) string) []ui.Fact {
	voicemail := "Hang up"
	if c.VoicemailAction == campaign.LeaveMessage {
		voicemail = "Leave a message"
	}
	voicemail += ". Detection: " + detectionWords(c.Detection)
	return []ui.Fact{
		{Name: "Calling hours", Text: hours.Describe(c.CallingHours)},
		{Name: "Retries", Text: retryWords(c)},
		{Name: "Intents", Value: ui.Lines(intentLines(c, leadsTo))},
		{Name: "Voicemail", Text: voicemail},
		{Name: "Ring time", Text: fmt.Sprintf("%d s", c.RingTimeoutSeconds)},
	}
}

func retryWords(c campaign.Campaign) string {
	if c.MaxAttempts <= 1 {
		return "One attempt"
	}
	words := fmt.Sprintf("Up to %d attempts", c.MaxAttempts)
	var on []string // outcomes that have no retry delays of their own
	own := ""
	for _, outcome := range c.RetryOn {
		word := strings.ToLower(ui.StateOf(outcome).Word)
		if delays := c.RetryOutcomeDelays[outcome]; len(delays) > 0 {
			own += ". After " + word + ": " + ui.Delays(delays)
		} else {
			on = append(on, word)
		}
	}
	if len(on) > 0 {
		words += ". After " + english.List(on) + ": " + ui.Delays(c.RetryDelays)
	}
	return words + own
}

func intentLines(c campaign.Campaign, leadsTo func(action string) string) (lines []string) {
	for _, intent := range conversation.Intents {
		action := *c.Intents.Of(intent)
		words := strings.ToLower(leadsTo(string(action)))
		if action == campaign.IntentRetry && c.MaxAttempts == 1 {
			words = "no more calls, because there is one attempt"
		}
		lines = append(lines, ui.Intent(string(intent))+": "+words)
	}
	return lines
}

// detectionWords describes how machines are detected.
func detectionWords(d carrier.Detection) string {
	words := map[carrier.DetectionMode]string{
		carrier.DetectOff:  "off, by words only",
		carrier.DetectFast: "fast",
		carrier.DetectBeep: "wait for the beep",
	}[d.Mode]
	for _, tuning := range []struct {
		value *int
		text  string
	}{
		{d.TimeoutSeconds, "at most %d s"},
		{d.SilenceTimeoutMS, "%d ms of silence after the answer"},
		{d.SpeechThresholdMS, "%d ms for a person's greeting"},
		{d.SpeechEndThresholdMS, "%d ms of silence after a greeting"},
	} {
		if tuning.value != nil {
			words += ", " + fmt.Sprintf(tuning.text, *tuning.value)
		}
	}
	return words
}
