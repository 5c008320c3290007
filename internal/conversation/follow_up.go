package conversation

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dialwright/dialwright/internal/english"
	"github.com/dialwright/dialwright/internal/fault"
)

// FollowUpRule says which answers to a question need a person. It says nothing in a call.
type FollowUpRule struct {
	Answer  *bool    `json:"answer" nullable:"true"`   // of YesNo: this answer
	Options []string `json:"options" nullable:"true"`  // of Choice: any of these options
	AtMost  *float64 `json:"at_most" nullable:"true"`  // of Number: an answer up to AtMost
	AtLeast *float64 `json:"at_least" nullable:"true"` // of Number: an answer from AtLeast
}

// Matches reports whether an answer needs a person. answer is a value that [Question.Accept] returned.
func (r *FollowUpRule) Matches(answer any) bool {
	if r == nil {
		return false
	}
	switch a := answer.(type) {
	case bool:
		return r.Answer != nil && a == *r.Answer
	case string:
		return slices.Contains(r.Options, a)
	case float64:
		return r.AtMost != nil && a <= *r.AtMost || r.AtLeast != nil && a >= *r.AtLeast
	}
	return false
}

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

// validateFollowUp checks the rule against the answers that the question accepts.
func (q Question) validateFollowUp(at func(field string) string, p *fault.Problems) {
	r := q.FollowUp
	if r == nil {
		return
	}
	of := func(field string, given bool, expect Expect) bool {
		if given && q.Expect != expect {
			p.Addf(at("follow_up."+field), "is only for %s", expect)
		}
		return given
	}
	given := of("answer", r.Answer != nil, YesNo)
	given = of("options", len(r.Options) > 0, Choice) || given
	given = of("at_most", r.AtMost != nil, Number) || given
	given = of("at_least", r.AtLeast != nil, Number) || given
	if !given {
		p.Addf(at("follow_up"), "must say which answers make a follow-up")
	}
	if q.Expect == Choice {
		for i, option := range r.Options {
			if !slices.Contains(q.Options, option) {
				p.Addf(at(fmt.Sprintf("follow_up.options[%d]", i)), "is none of the question's options")
			}
		}
	}
	q.validateFollowUpBound(at("follow_up.at_most"), r.AtMost, p)
	q.validateFollowUpBound(at("follow_up.at_least"), r.AtLeast, p)
	if r.AtMost != nil && r.AtLeast != nil && *r.AtMost >= *r.AtLeast {
		p.Addf(at("follow_up.at_least"), "must be greater than at_most, %s",
			strconv.FormatFloat(*r.AtMost, 'f', -1, 64))
	}
}

func (q Question) validateFollowUpBound(path string, bound *float64, p *fault.Problems) {
	switch {
	case bound == nil:
	case math.IsNaN(*bound) || math.IsInf(*bound, 0):
		p.Addf(path, "must be a number")
	case !q.within(*bound):
		p.Addf(path, "must be a number%s", q.bounds())
	}
}
