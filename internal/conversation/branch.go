package conversation

import (
	"fmt"
	"maps"
	"slices"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/fault"
)

// Branch is what follows some answers to a question, in place of the next question. Of several branches the first one
// applies whose rule the answer meets.
type Branch struct {
	// AnswerRule says which answers the branch is for. Without a condition, it is for every answer, and for none.
	AnswerRule
	// GoTo is the key of a later question, or [End]. The questions between do not apply. Empty: the call is
	// transferred.
	GoTo string `json:"go_to,omitempty"`
	// DestinationID is to whom the call is transferred. If nobody takes it, the next question follows.
	DestinationID *uuid.UUID `json:"destination_id,omitempty"`
	// Say is said instead of the standard acknowledgment, or before the end instead of the goodbye. Says are its
	// translations, by language.
	Say  string            `json:"say,omitempty"`
	Says map[string]string `json:"says,omitempty"`
}

// End is the target of a branch that ends the call. No question has it as its key.
const End = "end"

// maxBranches is how many branches a question may have.
const maxBranches = 10

// Always reports whether the branch is for every answer.
func (b Branch) Always() bool {
	return b.Answer == nil && len(b.Options) == 0 && b.AtMost == nil && b.AtLeast == nil
}

// branch returns the branch that follows an answer, which is nil for none, or returns nil.
func (q Question) branch(answer any) *Branch {
	for i := range q.Branches {
		if b := &q.Branches[i]; b.Always() || b.Matches(answer) {
			return b
		}
	}
	return nil
}

// Target returns the index of the question to which a branch of question i leads, which is the number of questions for
// the end.
func (s Script) Target(i int, b Branch) int {
	if b.GoTo == End {
		return len(s.Questions)
	}
	at := slices.IndexFunc(s.Questions, func(q Question) bool { return b.GoTo != "" && q.Key == b.GoTo })
	return max(at, i+1) // a target that is not later is none
}

// Reached reports for each question whether any answers lead to it.
func (s Script) Reached() []bool {
	reached := make([]bool, len(s.Questions)+1)
	reached[0] = true
	for i, q := range s.Questions {
		next := true // after an answer without a branch
		for _, b := range q.Branches {
			target := s.Target(i, b)
			reached[target] = reached[target] || reached[i]
			next = next && !b.Always()
		}
		reached[i+1] = reached[i+1] || reached[i] && next
	}
	return reached[:len(s.Questions)]
}

// validateBranches checks the branches of question i.
func (s *Script) validateBranches(i int, path string, p *fault.Problems) {
	q := s.Questions[i]
	if len(q.Branches) > maxBranches {
		p.Addf(path, "must have at most %d branches", maxBranches)
		return
	}
	taken := map[any]int{} // the answers that earlier branches are for
	for n, b := range q.Branches {
		at := fmt.Sprintf("%s[%d]", path, n)
		switch {
		case !b.Always():
			q.validateRule(at, b.AnswerRule, "", p)
		case n < len(q.Branches)-1:
			p.Addf(at, "must be the last branch, because it is for every answer")
		}
		answers := b.answers()
		for _, field := range slices.Sorted(maps.Keys(answers)) {
			if earlier, twice := taken[answers[field]]; twice {
				p.Addf(at+"."+field, "has a branch already, branch %d", earlier+1)
			} else {
				taken[answers[field]] = n
			}
		}
		s.validateTarget(i, at, b, p)
		text(p, at+".say", b.Say, false, maxLine)
		for _, tag := range slices.Sorted(maps.Keys(b.Says)) {
			if !slices.Contains(s.Tags()[1:], tag) {
				p.Addf(at+".says", "must name further languages of the agent, unlike %q", limit(tag, 40))
				continue
			}
			text(p, at+".says."+tag, b.Says[tag], true, maxLine)
		}
	}
}

// answers are the single answers that a rule names, by the path of each.
func (r AnswerRule) answers() map[string]any {
	all := map[string]any{}
	if r.Answer != nil {
		all["answer"] = *r.Answer
	}
	for i, option := range r.Options {
		all[fmt.Sprintf("options[%d]", i)] = option
	}
	return all
}

// validateTarget checks where a branch of question i leads.
func (s *Script) validateTarget(i int, at string, b Branch, p *fault.Problems) {
	switch {
	case b.GoTo != "" && b.DestinationID != nil:
		p.Addf(at+".destination_id", "is only for a branch without go_to")
	case b.DestinationID != nil:
		if s.Transfer == nil || !slices.Contains(s.Transfer.Destinations, *b.DestinationID) {
			p.Addf(at+".destination_id", "must be one of the agent's destinations")
		}
	case b.GoTo == "":
		p.Addf(at+".go_to", "must be the key of a later question, or %q, unless the branch has a destination_id", End)
	case b.GoTo != End:
		target := slices.IndexFunc(s.Questions, func(q Question) bool { return q.Key == b.GoTo })
		if target < 0 {
			p.Addf(at+".go_to", "is the key of no question")
		} else if target <= i {
			p.Addf(at+".go_to", "must be a question after this one, so that no question is asked twice")
		}
	}
}

// skipped reports for each question whether a branch led past it, so that it does not apply. It follows from the
// answers alone, so whoever has them knows it. A question with an answer is never skipped.
func (s *State) skipped() []bool {
	past := make([]bool, len(s.Script.Questions))
	given := map[string]Answer{}
	for _, a := range s.Answers {
		given[a.Key] = a
	}
	for i := 0; i < len(past); {
		q := s.Script.Questions[i]
		next := i + 1
		a, answered := given[q.Key]
		if answered || !s.asks(q) {
			if b := q.branch(a.Value); b != nil {
				next = s.Script.Target(i, *b)
			}
		}
		for j := i + 1; j < next; j++ {
			_, known := given[s.Script.Questions[j].Key]
			past[j] = !known
		}
		i = next
	}
	return past
}

// Skipped returns the keys of the questions that do not apply, because a branch led past them.
func (s State) Skipped() []string {
	keys := []string{}
	for i, skipped := range s.skipped() {
		if skipped {
			keys = append(keys, s.Script.Questions[i].Key)
		}
	}
	return keys
}

// says is what a branch says in the language that is spoken. It is empty without a translation.
func (s *State) says(b *Branch) string {
	if s.Language != "" {
		return b.Says[s.Language]
	}
	return b.Say
}

// follows goes on after an answer to question i, from which the conversation has moved to the next open question.
// Branch is the branch of the answer; nil: none.
func (s *State) follows(i int, branch *Branch, ack string) []Action {
	if branch == nil {
		return s.proceed(ack)
	}
	var actions []Action
	if n := s.leaves(i, *branch); n > 0 {
		actions = append(actions, Note{fmt.Sprintf("The answer skips %s", counted(n, "question"))})
	}
	say := s.says(branch)
	switch over := s.Question == len(s.Script.Questions); {
	case branch.GoTo == End:
		return append(actions, s.goodbye(Completed, say)...)
	case branch.DestinationID != nil && s.destination(*branch.DestinationID) != nil:
		if say != "" {
			ack = say
		}
		return append(actions, s.transfer(*branch.DestinationID, ack)...)
	case over && say != "":
		return append(actions, s.goodbye(Completed, say+" "+s.wording().Goodbye)...)
	case say != "":
		ack = say
	}
	return append(actions, s.proceed(ack)...)
}

// tellBranch adds to the result of a tool what a model does on a branch.
func (s *State) tellBranch(b Branch, result map[string]any) {
	if say := s.says(&b); say != "" {
		result["say"] = say
	}
	keys, ids := s.destinationKeys()
	for i, id := range ids {
		if b.DestinationID != nil && *b.DestinationID == id {
			result["transfer_to"] = keys[i]
		}
	}
}

// leaves is how many questions a branch of question i leads past.
func (s *State) leaves(i int, b Branch) (n int) {
	skipped := s.skipped()
	for j := i + 1; j < s.Script.Target(i, b); j++ {
		if skipped[j] && s.asks(s.Script.Questions[j]) {
			n++
		}
	}
	return n
}

// counted is "1 question" or "2 questions".
func counted(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}
