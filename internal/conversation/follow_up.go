package conversation

import (
	"strings"

	"github.com/dialwright/dialwright/internal/english"
)

// FollowUps returns the questions whose answers need a person, in words: `“2” to “rating”`. answers are by the keys
// of the questions.
func (s Script) FollowUps(answers map[string]any) []string {
	var all []string
	for _, q := range s.Questions {
		if answer, given := answers[q.Key]; given && q.FollowUp.Matches(answer) {
			name := strings.ReplaceAll(q.Key, "_", " ")
			all = append(all, "“"+shown(answer)+"” to “"+name+"”")
		}
	}
	return all
}

// FollowUpReason says for people which answers need a person.
func FollowUpReason(answers []string) string {
	return limit("Answered "+english.List(answers), maxReason)
}

const maxReason = 500 // characters
