package calls

import (
	"net/http"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/internal/suppression"
	"github.com/dialwright/dialwright/views/ui"
)

// stepLength bounds the text of a turn in the timeline, in characters.
const stepLength = 48

// callSteps returns the timeline of a call, with every turn in it and further steps.
func callSteps(c call.Call, agent string, turns []call.Turn, further []ui.Step) []ui.Step {
	steps := []ui.Step{{Glyph: ui.GlyphStep, Word: "Queued", At: c.CreatedAt}}
	switch {
	case c.Status == call.StatusScheduled:
		steps[0].Word = "Scheduled"
	case c.Direction == call.Inbound:
		steps = []ui.Step{{
			Glyph: ui.GlyphDialing, Word: "Called in", Note: "To " + ui.Phone(c.OwnNumber), At: c.CreatedAt,
		}}
	case c.StartedAt != nil:
		steps = append(steps, ui.Step{
			Glyph: ui.GlyphDialing, Word: "Dialed", Note: "From " + ui.Phone(c.OwnNumber), At: *c.StartedAt,
		})
	}
	if c.RingingAt != nil {
		note := ""
		if ring := c.RingTime().Truncate(time.Second); ring > 0 { // as ring_seconds
			note = ui.Wait(ring)
		}
		steps = append(steps, ui.Step{Glyph: ui.GlyphStep, Word: "Ringing", Note: note, At: *c.RingingAt})
	}
	if c.AnsweredAt != nil {
		note := map[call.AnsweredBy]string{"human": "By a person", "machine": "By voicemail"}[c.AnsweredBy]
		steps = append(steps, ui.Step{Glyph: ui.GlyphInProgress, Word: "Answered", Note: note, At: *c.AnsweredAt})
	}
	times := turnTimes(c, turns)
	for i, turn := range turnsView(c, agent, turns) {
		at := times[i]
		if turn.Role == "system" {
			steps = append(steps, ui.Step{Glyph: ui.GlyphStep, Word: turn.Text, At: at})
		} else {
			steps = append(steps, ui.Step{
				Glyph: ui.GlyphStep, Word: turn.Who, Note: shortened(turn.Text, stepLength), At: at, Spoken: true,
			})
		}
	}
	if c.EndedAt != nil {
		state := ui.StateOf(ShownOutcome(c))
		steps = append(steps, ui.Step{Glyph: state.Glyph, Word: endedWords(c), Note: ui.Capital(c.Detail),
			At: *c.EndedAt})
	}
	steps = append(steps, further...)
	// The carrier's callbacks arrive in any order, with times of several clocks.
	sort.SliceStable(steps, func(i, j int) bool { return steps[i].At.Before(steps[j].At) })
	return steps
}

// turnTimes returns when each turn began. It never goes back, so that a list by time has the order of the turns. The
// carrier reports when words were spoken. Of another turn, only the time of its storage is known, by our own clock,
// which may be later than the words that follow it.
func turnTimes(c call.Call, turns []call.Turn) []time.Time {
	times := make([]time.Time, len(turns))
	spoken := make([]bool, len(turns))
	for i, turn := range turns {
		times[i] = turn.CreatedAt
		if c.AnsweredAt != nil && turn.StartMS != nil {
			times[i], spoken[i] = c.AnsweredAt.Add(time.Duration(*turn.StartMS)*time.Millisecond), true
		}
	}
	for i := len(turns) - 2; i >= 0; i-- {
		if !spoken[i] && times[i].After(times[i+1]) {
			times[i] = times[i+1]
		}
	}
	for i := 1; i < len(turns); i++ {
		if times[i].Before(times[i-1]) {
			times[i] = times[i-1]
		}
	}
	return times
}

// listedAfter returns the step of the timeline in which a call put its number on the do-not-call list.
func (s *Server) listedAfter(r *http.Request, c call.Call) ([]ui.Step, error) {
	if c.EndedAt == nil || c.PersonNumber == "" { // an erased number is not known
		return nil, nil
	}
	list, err := s.Suppressions.List(r.Context(), c.OrganizationID, suppression.Filter{
		PhoneNumber: phone.Number(c.PersonNumber),
	})
	if err != nil {
		return nil, err
	}
	var channels []string
	step := ui.Step{Glyph: ui.GlyphSkipped, Word: "Added to the do-not-call list"}
	for _, e := range list.Data {
		if e.CallID != nil && *e.CallID == c.ID {
			channels = append(channels, map[suppression.Channel]string{
				suppression.Voice: "calls", suppression.Message: "messages",
			}[e.Channel])
			step.At = e.CreatedAt
		}
	}
	if len(channels) == 0 {
		return nil, nil
	}
	slices.Sort(channels)
	step.Note = "For " + strings.Join(channels, " and ")
	return []ui.Step{step}, nil
}

func endedWords(c call.Call) string {
	if c.AnsweredAt == nil {
		word := ui.StateOf(ShownOutcome(c)).Word
		switch reason := ReasonWords(c); {
		case reason == "":
			return word
		case strings.HasPrefix(reason, strings.ToLower(word)+" "): // "canceled by Ada"
			return ui.Capital(reason)
		default:
			return word + ", " + reason
		}
	}
	switch c.EndedBy {
	case call.ByAgent:
		if c.EndedReason == call.ReasonTransferred && c.Transfer != nil { // the agent was no longer on the call
			return "Ended by " + c.Transfer.Destination
		}
		return "Ended by the agent"
	case call.ByRecipient:
		return "Ended by the recipient"
	case call.ByCarrier:
		return "Ended by the carrier"
	}
	if name := c.EndedByName(); name != nil {
		return "Ended by " + *name
	}
	return "Ended"
}
