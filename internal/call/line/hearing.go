package line

import (
	"context"
	"time"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/project"
)

// hear processes one input from the line.
func (t *talk) hear(ctx context.Context, heard carrier.Heard) error {
	t.quietSince = t.service.now()
	t.clearTrouble(ctx, heard)
	switch h := heard.(type) {
	case carrier.Prompt:
		text := conversation.Clean(h.Text)
		if text == "" {
			return nil
		}
		t.hears(h.At)
		said := call.Turn{Role: call.Recipient, Text: text, StartMS: t.since(h.Start), EndMS: t.since(h.End)}
		return t.step(ctx, []turn{{Turn: said}}, conversation.Prompt{
			Text: h.Text, Language: h.Language, At: t.atRecipient(),
		})
	case carrier.Digit:
		t.hears(time.Time{})
		pressed := call.Turn{Role: call.System, Text: call.PressedKey + h.Digit}
		return t.step(ctx, []turn{{Turn: pressed}}, conversation.Digit{Digit: h.Digit})
	case carrier.Spoken:
		return t.spoken(ctx, h)
	}
	return nil
}

// atRecipient is the time in the recipient's time zone. It is zero if the zone is unknown.
func (t *talk) atRecipient() time.Time {
	if t.zone == nil {
		return time.Time{}
	}
	return t.service.now().In(t.zone)
}

// clearTrouble clears the counts of failed lines of the connection and the campaign when something heard proves
// that this line works: the recipient spoke, or heard the agent. An open socket proves
// nothing, because it may break again at once.
func (t *talk) clearTrouble(ctx context.Context, heard carrier.Heard) {
	works := false
	switch h := heard.(type) {
	case carrier.Prompt, carrier.Digit:
		works = true
	case carrier.Spoken:
		works = h.Cut == carrier.CutNot && h.Confirmed
	}
	if !works || !t.troubled {
		return
	}
	t.troubled = false
	ctx, cancel := context.WithTimeout(ctx, writeTime)
	defer cancel()
	if err := project.ClearLineFailures(ctx, t.service.pool, t.connection, t.campaign); err != nil {
		t.service.log.WarnContext(ctx, "the failed lines of a connection could not be cleared",
			"connection", t.connection, "error", err)
	}
}

// spoken stores how much of an utterance was played.
func (t *talk) spoken(ctx context.Context, h carrier.Spoken) error {
	t.lastPlayed = max(t.lastPlayed, h.Utterance)
	t.lineEnded = h.Cut == carrier.CutClosed
	t.playedAt = t.service.now()
	timing := t.timing(h)
	var turns []turn
	if text := conversation.Clean(h.Text); text != "" {
		turns = []turn{{Turn: call.Turn{
			Role:        call.Agent,
			Text:        text,
			StartMS:     t.since(h.Start),
			EndMS:       t.since(h.End),
			Interrupted: h.Cut != carrier.CutNot,
			Timing:      timing,
		}}}
	}
	if used := t.uses(h.Utterance, h.Text); used > 0 && turns != nil {
		t.unsaved.add(entry{used: used}, t.entries, t.service.now()) // it is written with the turn
	}
	cut := h.Cut == carrier.CutRecipient || h.Cut == carrier.CutRefused || h.Cut == carrier.CutClosed
	given := t.given[h.Utterance]
	delete(t.given, h.Utterance)
	if cut && h.Utterance == t.lastSaid && h.Utterance != t.filler && len(t.replies) == 0 {
		return t.step(ctx, turns, conversation.Interrupted{
			Spoken: h.Text, Given: given, ConnectionID: t.thinking.answering(),
		})
	}
	if h.Cut == carrier.CutNot && h.Utterance == t.lastSaid && len(t.replies) == 0 && t.state.Discloses() {
		given = h.Text
	}
	if given != "" {
		return t.step(ctx, turns, conversation.Played{Given: given, Text: h.Text})
	}
	if turns == nil {
		return nil
	}
	return t.turn(ctx, entry{turns: turns}, nil)
}

// since converts a time that the carrier reported to milliseconds since the answer.
func (t *talk) since(at time.Time) *int {
	if at.IsZero() {
		return nil
	}
	ms := max(int(at.Sub(t.answered).Milliseconds()), 0)
	return &ms
}
