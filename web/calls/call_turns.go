package calls

import (
	"cmp"
	"strconv"
	"time"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/views/ui"
)

// speaker is the name of who spoke a turn: the agent, or the first name of the recipient.
func speaker(c call.Call, agent string, role call.Role) string {
	if role == call.Agent {
		return agent
	}
	return cmp.Or(conversation.ShortName(c.RecipientName), "Recipient")
}

func turnsView(c call.Call, agent string, turns []call.Turn) []ui.Turn {
	rows := make([]ui.Turn, len(turns))
	for i, turn := range turns {
		row := ui.Turn{
			ID:   turnID(turn.Index),
			Role: string(turn.Role), Who: speaker(c, agent, turn.Role), Text: turn.Text, Start: seconds(turn.StartMS),
			End: seconds(turn.EndMS), Interrupted: turn.Interrupted,
		}
		if turn.Timing != nil {
			row.Took, row.Parts = timingText(*turn.Timing)
		}
		rows[i] = row
	}
	return rows
}

// connected is the part of a call with a person to whom it was transferred.
func connected(c call.Call) *ui.Connected {
	t := c.Transfer
	if t == nil || !t.State.Connected() || t.TakenAt == nil || c.AnsweredAt == nil {
		return nil
	}
	whole := c.TalkTime().Seconds()
	end := whole
	if t.EndedAt != nil {
		end = min(time.Time(*t.EndedAt).Sub(*c.AnsweredAt).Seconds(), whole)
	}
	start := max(time.Time(*t.TakenAt).Sub(*c.AnsweredAt).Seconds(), 0)
	if start >= end {
		return nil
	}
	return &ui.Connected{With: t.Destination, Start: start, End: end}
}

// timingText says how long the answer of a language model took, and what it is made of.
func timingText(t call.Timing) (took string, parts []string) {
	until := t.FirstSentMS
	if t.SpeakingMS != nil {
		until = *t.SpeakingMS
	}
	ms := func(n int) string { return ui.Count(n) + " ms" }
	parts = append(parts, "Model: "+ms(t.FirstTokenMS-t.RequestMS)+" until its first token")
	if t.ToolMS > 0 {
		parts = append(parts, "Earlier requests and tools: "+ms(t.ToolMS))
	}
	parts = append(parts, "Dialwright: "+ms(t.OwnMS), "First words sent after "+ms(t.FirstSentMS))
	if t.SpeakingMS != nil {
		parts = append(parts, "Spoken after "+ms(*t.SpeakingMS)+", as the carrier reported")
	}
	if t.Hedged {
		parts = append(parts, "Two connections were asked")
	}
	return "Answered in " + strconv.FormatFloat(float64(until)/1000, 'f', 1, 64) + " s", parts
}

// seconds converts milliseconds. It returns -1 if the carrier did not report the
// duration.
func seconds(ms *int) float64 {
	if ms == nil {
		return -1
	}
	return float64(*ms) / 1000
}
