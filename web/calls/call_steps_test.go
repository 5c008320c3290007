package calls

import (
	"slices"
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/call"
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
