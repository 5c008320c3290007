package conversation

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/dialwright/dialwright/internal/english"
)

// FollowUps returns the questions whose answers need a person, in words: `“2” to “How was your stay?”`. answers are by
// the keys of the questions. vars are the variables of the call, so that a question reads as it was spoken.
func (s Script) FollowUps(answers, vars map[string]any) []string {
	var all []string
	for _, q := range s.Questions {
		if answer, given := answers[q.Key]; given && q.FollowUp.Matches(answer) {
			all = append(all, "“"+shown(answer)+"” to “"+q.quoted(vars)+"”")
		}
	}
	return all
}

// quoted is what the agent asked, for people. A question that the agent's model words itself has its key.
func (q Question) quoted(vars map[string]any) string {
	if text := Fill(q.Ask, vars); text != "" {
		return limit(text, maxQuoted)
	}
	return strings.ReplaceAll(q.Key, "_", " ")
}

// FollowUpReason says for people which answers need a person.
func FollowUpReason(answers []string) string {
	return limit("Answered "+english.List(answers), maxReason)
}

const (
	maxReason = 500 // characters
	maxQuoted = 160 // likewise, of a question
)

// What a model may leave to people in one call.
const (
	maxNeeds = 3
	maxNeed  = 150 // characters
)

// requestFollowUp notes what the model leaves to people. It is part of the State, so it is stored before the next words
// of the agent.
func requestFollowUp(s *State, text []byte, _ Thought) (effect, error) {
	var a struct{ Need string }
	if err := arguments(text, &a); err != nil {
		return effect{}, err
	}
	need := limit(Clean(a.Need), maxNeed)
	switch {
	case need == "":
		return effect{}, errors.New("need is missing: what the person wants, in one sentence")
	case s.Phase == Menu:
		return effect{}, errors.New("nobody has answered yet")
	case slices.Contains(s.Needs, need):
		return effect{result: map[string]any{"noted": true}, silent: true}, nil
	case len(s.Needs) >= maxNeeds:
		return effect{}, fmt.Errorf("%d follow-ups were requested already", maxNeeds)
	}
	s.Needs = append(slices.Clip(s.Needs), need)
	return effect{
		result:  map[string]any{"noted": true},
		actions: []Action{Note{"Left to your team: " + need}},
		silent:  true,
	}, nil
}

// NeedsReason says for people what the model of a call left to them. It is empty for nothing.
func NeedsReason(needs []string) string {
	if len(needs) == 0 {
		return ""
	}
	return limit("The agent left this to you: "+strings.Join(needs, " · "), maxReason)
}
