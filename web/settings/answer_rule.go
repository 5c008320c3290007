package settings

import (
	"net/url"
	"strings"

	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/web/frame"
)

// ruleForm are the fields of a rule.
func ruleForm(rule conversation.AnswerRule) views.RuleForm {
	v := views.RuleForm{
		Options: strings.Join(rule.Options, "\n"),
		AtMost:  frame.WrittenFloat(rule.AtMost), AtLeast: frame.WrittenFloat(rule.AtLeast),
	}
	if rule.Answer != nil {
		v.Answer = map[bool]string{true: "yes", false: "no"}[*rule.Answer]
	}
	return v
}

// readRule reads the fields of a rule whose names begin with at.
func readRule(form url.Values, at string) views.RuleForm {
	return views.RuleForm{
		Answer: form.Get(at + "answer"), Options: form.Get(at + "options"),
		AtMost: form.Get(at + "at_most"), AtLeast: form.Get(at + "at_least"),
	}
}

// answerRule returns a rule from the fields that its kind of answer has. Nil: it is for no answer.
func answerRule(p *fault.Problems, at string, expect conversation.Expect, v views.RuleForm) *conversation.AnswerRule {
	var rule conversation.AnswerRule
	switch expect {
	case conversation.YesNo:
		if v.Answer == "" {
			return nil
		}
		answer := v.Answer == "yes"
		rule.Answer = &answer
	case conversation.Choice:
		if rule.Options = frame.FilledLines(v.Options); len(rule.Options) == 0 {
			return nil
		}
	case conversation.Number:
		rule.AtMost = frame.OptionalFloat(p, at+"at_most", v.AtMost)
		rule.AtLeast = frame.OptionalFloat(p, at+"at_least", v.AtLeast)
		if rule.AtMost == nil && rule.AtLeast == nil {
			return nil
		}
	default:
		return nil
	}
	return &rule
}
