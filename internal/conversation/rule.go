package conversation

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/dialwright/dialwright/internal/fault"
)

// AnswerRule says which answers to a question something is done for.
type AnswerRule struct {
	Answer  *bool    `json:"answer" nullable:"true"`   // of YesNo: this answer
	Options []string `json:"options" nullable:"true"`  // of Choice: any of these options
	AtMost  *float64 `json:"at_most" nullable:"true"`  // of Number: an answer up to AtMost
	AtLeast *float64 `json:"at_least" nullable:"true"` // of Number: an answer from AtLeast
}

// Matches reports whether the rule is met by an answer, which is a value that [Question.Accept] returned.
func (r *AnswerRule) Matches(answer any) bool {
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

// validateRule checks a rule against the answers that the question accepts. path is that of the rule, and without is
// the problem of a rule for no answer.
func (q Question) validateRule(path string, r AnswerRule, without string, p *fault.Problems) {
	of := func(field string, given bool, expect Expect) bool {
		if given && q.Expect != expect {
			p.Addf(path+"."+field, "is only for %s", expect)
		}
		return given
	}
	given := of("answer", r.Answer != nil, YesNo)
	given = of("options", len(r.Options) > 0, Choice) || given
	given = of("at_most", r.AtMost != nil, Number) || given
	given = of("at_least", r.AtLeast != nil, Number) || given
	if !given {
		p.Addf(path, "%s", without)
	}
	if q.Expect == Choice {
		for i, option := range r.Options {
			if !slices.Contains(q.Options, option) {
				p.Addf(path+fmt.Sprintf(".options[%d]", i), "is none of the question's options")
			}
		}
	}
	q.validateBound(path+".at_most", r.AtMost, p)
	q.validateBound(path+".at_least", r.AtLeast, p)
	if r.AtMost != nil && r.AtLeast != nil && *r.AtMost >= *r.AtLeast {
		p.Addf(path+".at_least", "must be greater than the upper limit, %s",
			strconv.FormatFloat(*r.AtMost, 'f', -1, 64))
	}
}

func (q Question) validateBound(path string, bound *float64, p *fault.Problems) {
	switch {
	case bound == nil:
	case math.IsNaN(*bound) || math.IsInf(*bound, 0):
		p.Addf(path, "must be a number")
	case !q.within(*bound):
		p.Addf(path, "must be a number%s", q.bounds())
	}
}
