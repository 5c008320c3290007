package calls

import (
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/wire"
	"github.com/dialwright/dialwright/views/ui"
)

// The timeline has the turns in the order of the conversation, also where the carrier's times and ours disagree.
func TestTheTimelineHasTheOrderOfTheConversation(t *testing.T) {
	t.Parallel()
	answered := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	spoken := func(ms int) *int { return &ms }
	c := call.Call{CreatedAt: answered.Add(-time.Minute), AnsweredAt: &answered}
	turns := []call.Turn{
		{
			Index: 0, Role: call.Agent, Text: "Are you coming?", StartMS: spoken(0),
			CreatedAt: answered.Add(3 * time.Second),
		},
		{Index: 1, Role: call.Recipient, Text: "Yes.", StartMS: spoken(3000), CreatedAt: answered.Add(4 * time.Second)},
		{Index: 2, Role: call.System, Text: "Used the tool record_answer", CreatedAt: answered.Add(5 * time.Second)},
		{
			Index: 3, Role: call.Agent, Text: "Thank you.", StartMS: spoken(4500),
			CreatedAt: answered.Add(6 * time.Second),
		},
		{Index: 4, Role: call.System, Text: "Used the tool end_call", CreatedAt: answered.Add(7 * time.Second)},
	}
	var got []string
	for _, step := range callSteps(c, "Nora", turns, nil) {
		if !step.At.Before(answered) && step.Word != "Answered" {
			got = append(got, step.Word)
		}
	}
	want := []string{"Nora", "Recipient", "Used the tool record_answer", "Nora", "Used the tool end_call"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if at := turnTimes(c, turns); !at[3].Equal(answered.Add(4500*time.Millisecond)) || !at[2].Equal(at[3]) {
		t.Errorf("%v", at)
	}
}

// The time that a caller talks with the person at a destination is neither silence nor a share of the agent.
func TestTheConnectedPartIsNotSilence(t *testing.T) {
	t.Parallel()
	answered := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	at := func(seconds int) *wire.Time {
		w := wire.Time(answered.Add(time.Duration(seconds) * time.Second))
		return &w
	}
	ended, ms := answered.Add(100*time.Second), func(n int) *int { return &n }
	turns := []call.Turn{
		{Role: call.Agent, StartMS: ms(0), EndMS: ms(20_000)},
		{Index: 1, Role: call.Recipient, StartMS: ms(20_000), EndMS: ms(30_000)},
		{Index: 2, Role: call.Agent, StartMS: ms(36_000), EndMS: ms(44_000)}, // the last 4 seconds are played too late
	}
	for _, row := range []struct {
		name     string
		transfer *call.Transfer
		want     string
	}{
		{"no transfer", nil, "Agent 28% Recipient 10% Silence 62%"},
		{
			"declined", &call.Transfer{State: call.TransferDeclined, EndedAt: at(60)},
			"Agent 28% Recipient 10% Silence 62%",
		},
		{
			"ended",
			&call.Transfer{Destination: "Desk 7", State: call.TransferEnded, TakenAt: at(40), EndedAt: at(100)},
			"Agent 60% Recipient 25% Silence 15% Connected with Desk 7 1:00",
		},
		{
			"the report of its end is late",
			&call.Transfer{Destination: "Desk 7", State: call.TransferTaken, TakenAt: at(40)},
			"Agent 60% Recipient 25% Silence 15% Connected with Desk 7 1:00",
		},
	} {
		c := call.Call{AnsweredAt: &answered, EndedAt: &ended, Transfer: row.transfer}
		lanes := ui.Lanes{Turns: turnsView(c, "Nora", turns), Seconds: 100, Connected: connected(c)}
		var legend, drawn strings.Builder
		err := errors.Join(lanes.Legend().Render(t.Context(), &legend), lanes.Draw().Render(t.Context(), &drawn))
		if err != nil {
			t.Fatal(err)
		}
		words := strings.Join(strings.Fields(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(legend.String(), " ")), " ")
		if words != row.want {
			t.Errorf("%s: %q, want %q", row.name, words, row.want)
		}
		if got := strings.Contains(drawn.String(), "lane-connected"); got != strings.Contains(row.want, "Connected") {
			t.Errorf("%s: the connected part is drawn: %v", row.name, got)
		}
	}
}

// The words for the end of a call name who ended it. Nobody canceled a call that was not accepted.
func TestEndedWords(t *testing.T) {
	t.Parallel()
	ended := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	for want, c := range map[string]call.Call{
		"Not accepted":                 {Outcome: call.OutcomeCanceled, EndedReason: call.ReasonNotAccepted},
		"Not accepted, too many calls": {Outcome: call.OutcomeCanceled, EndedReason: call.ReasonTooManyCalls},
		"Canceled by Ada": {
			Outcome: call.OutcomeCanceled, EndedReason: call.ReasonCanceledByUser, HangUpBy: new("Ada"),
		},
		"Canceled by a user": {Outcome: call.OutcomeCanceled, EndedReason: call.ReasonCanceledByUser},
		"Canceled":           {Outcome: call.OutcomeCanceled, EndedReason: call.ReasonCanceled, HangUpBy: new("Ada")},
		"Ended by Ada": {
			Outcome: call.OutcomeCompleted, EndedReason: call.ReasonEndedByUser, EndedBy: call.BySystem,
			AnsweredAt: &ended, HangUpBy: new("Ada"),
		},
		"Ended by the agent": {
			Outcome: call.OutcomeCompleted, EndedReason: call.ReasonCompleted, EndedBy: call.ByAgent,
			AnsweredAt: &ended, HangUpBy: new("Ada"), // who came too late
		},
	} {
		c.EndedAt = &ended
		if got := endedWords(c); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
