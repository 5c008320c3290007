package settings

import (
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/english"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/project"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
)

// maxBranchRows bounds the branches that are read from a form. The domain bounds those of a question.
const maxBranchRows = 20

const toDestination = "destination:"

// branchForms are the branches of question i of a script in the form.
func branchForms(script conversation.Script, i int) (all []views.BranchForm) {
	for _, b := range script.Questions[i].Branches {
		row := views.BranchForm{Rule: ruleForm(b.AnswerRule), Say: b.Say}
		switch {
		case b.DestinationID != nil:
			row.Then = toDestination + b.DestinationID.String()
		case b.GoTo == conversation.End:
			row.Then = conversation.End
		default:
			row.Then = views.BranchTo(script.Target(i, b))
		}
		for _, l := range script.Languages {
			row.Says = append(row.Says, b.Says[l.Language])
		}
		all = append(all, row)
	}
	return all
}

// readBranches reads the branches of a question whose fields begin with at.
func readBranches(form url.Values, at string, languages int) (all []views.BranchForm) {
	for j := range maxBranchRows {
		path := at + "branches[" + strconv.Itoa(j) + "]."
		if !form.Has(path + "then") {
			break
		}
		all = append(all, views.BranchForm{
			Rule: readRule(form, path), Then: form.Get(path + "then"), Say: form.Get(path + "say"),
			Says: readTranslations(form, path+"says", languages),
		})
	}
	return all
}

// branches returns the branches of question i of a form.
func branches(
	p *fault.Problems, v views.AgentForm, i int, expect conversation.Expect, languages []conversation.Translation,
) (all []conversation.Branch) {
	for j, row := range v.Questions[i].Branches {
		at := "questions[" + strconv.Itoa(i) + "].branches[" + strconv.Itoa(j) + "]."
		b := conversation.Branch{Say: strings.TrimSpace(row.Say), Says: entered(row.Says, languages)}
		if rule := answerRule(p, at, expect, row.Rule); rule != nil {
			b.AnswerRule = *rule
		}
		if id, ok := strings.CutPrefix(row.Then, toDestination); ok { // a malformed ID is refused like an unknown ID
			destination, _ := check.ParseID(id)
			b.DestinationID = &destination
		} else if row.Then == conversation.End {
			b.GoTo = conversation.End
		} else if n := branchTarget(row.Then); n >= 0 && n < len(v.Questions) {
			b.GoTo = strings.TrimSpace(v.Questions[n].Key)
		}
		all = append(all, b)
	}
	return all
}

// branchTarget is the index of the question to which a branch leads, or -1.
func branchTarget(then string) int {
	_, at, _ := strings.Cut(then, ":")
	if n, err := strconv.Atoi(at); err == nil && n >= 0 && views.BranchTo(n) == then {
		return n
	}
	return -1
}

// branchErrors moves the problems of where branches lead to the field for it.
func branchErrors(e ui.Errors, questions []views.QuestionForm) ui.Errors {
	for i, q := range questions {
		for j, b := range q.Branches {
			at := "questions[" + strconv.Itoa(i) + "].branches[" + strconv.Itoa(j) + "]."
			for _, field := range []string{"go_to", "destination_id"} {
				if message, ok := e[at+field]; ok {
					delete(e, at+field)
					if b.Then == "" {
						message = "choose what follows"
					}
					e[at+"then"] = message
				}
			}
		}
	}
	return e
}

// keepTargets changes the questions of a form. Their branches still lead to the same questions, and those to a question
// that is no longer there lead nowhere.
func keepTargets(
	all []views.QuestionForm, change func([]views.QuestionForm) []views.QuestionForm,
) []views.QuestionForm {
	for i := range all {
		all[i].Was = i + 1
	}
	all = change(all)
	now := map[string]string{}
	for i, q := range all {
		if q.Was > 0 {
			now[views.BranchTo(q.Was-1)] = views.BranchTo(i)
		}
	}
	for i := range all {
		for j := range all[i].Branches {
			if b := &all[i].Branches[j]; branchTarget(b.Then) >= 0 {
				b.Then = now[b.Then]
			}
		}
	}
	return all
}

// changedBranches applies a button of the form to the branches of its questions. ok is false for other buttons.
func changedBranches(all []views.QuestionForm, action string) (focus string, ok bool) {
	do, at, _ := strings.Cut(action, ":")
	question, branch, _ := strings.Cut(at, ":")
	i, err := strconv.Atoi(question)
	if do != "branch" && do != "unbranch" || err != nil || i < 0 || i >= len(all) {
		return "", false
	}
	q := &all[i]
	switch j, err := strconv.Atoi(branch); {
	case do == "branch" && len(q.Branches) < maxBranchRows:
		rule := views.RuleForm{}
		if len(q.Branches) == 0 {
			rule.Answer = "yes" // as the form shows it first
		}
		q.Branches = append(q.Branches, views.BranchForm{Rule: rule})
		return views.BranchFocus(i, len(q.Branches)-1), true
	case do == "unbranch" && err == nil && j >= 0 && j < len(q.Branches):
		q.Branches = slices.Delete(q.Branches, j, j+1)
	}
	return "branch:" + question, true
}

// withBranchWords says in words what the branches of a form do.
func withBranchWords(v *views.AgentForm, names []ui.Option) {
	var script conversation.Script
	for i := range v.Questions {
		var p fault.Problems
		q := &v.Questions[i]
		asked := conversation.Question{Key: views.BranchTo(i)} // a new question has no key
		for j, b := range branches(&p, *v, i, conversation.Expect(q.Expect), nil) {
			target := ""
			if n := branchTarget(q.Branches[j].Then); n >= 0 {
				target, b.GoTo = "question "+strconv.Itoa(n+1), q.Branches[j].Then
			}
			q.Branches[j].Words = branchWords(b, j == 0, target, names)
			asked.Branches = append(asked.Branches, b)
		}
		script.Questions = append(script.Questions, asked)
	}
	for i, reached := range script.Reached() {
		v.Questions[i].Unreached = !reached
	}
}

// branchWords describes a branch: "If no", "ends the call". Only says that no other branch comes before it, and target
// names the question to which it leads.
func branchWords(b conversation.Branch, only bool, target string, names []ui.Option) (w views.BranchWords) {
	w.Always = b.Always()
	switch {
	case b.Always() && only:
		w.When = "After any answer"
	case b.Always():
		w.When = "Otherwise"
	case b.Answer != nil:
		w.When = "If " + strings.ToLower(valueWords(*b.Answer))
	case len(b.Options) > 0:
		w.When = "If " + strings.Join(b.Options, " or ")
	default:
		var bounds []string
		if b.AtMost != nil {
			bounds = append(bounds, "at most "+frame.WrittenFloat(b.AtMost))
		}
		if b.AtLeast != nil {
			bounds = append(bounds, "at least "+frame.WrittenFloat(b.AtLeast))
		}
		w.When = "If " + strings.Join(bounds, " or ")
	}
	switch {
	case b.DestinationID != nil:
		w.Then = "transfers the call to " + nameOf(b.DestinationID, names)
	case b.GoTo == conversation.End:
		w.Then = "ends the call"
	case target != "":
		w.Then = "goes to " + target
	default:
		w.Then = "choose what follows"
	}
	return w
}

// branchReading describes the branches of question i of a script, each in a sentence.
func branchReading(script conversation.Script, i int, known []ui.Option) (lines []string) {
	for j, b := range script.Questions[i].Branches {
		words := branchWords(b, j == 0, "question "+strconv.Itoa(script.Target(i, b)+1), known)
		lines = append(lines, words.Sentence()+saying(b))
	}
	return lines
}

// saying quotes what a branch says.
func saying(b conversation.Branch) string {
	if b.Say == "" {
		return ""
	}
	return ", and says “" + b.Say + "”"
}

// branchChange describes the branches that a change of an agent has as JSON.
func branchChange(value any, known []ui.Option) string {
	text, err := json.Marshal(value)
	var list []project.BranchInput
	if err != nil || json.Unmarshal(text, &list) != nil {
		return valueWords(value)
	}
	var sentences []string
	for j, in := range list {
		b := in.Branch()
		target := ""
		if b.GoTo != "" {
			target = "the question " + b.GoTo
		}
		sentences = append(sentences, branchWords(b, j == 0, target, known).Sentence()+saying(b))
	}
	return strings.Join(sentences, " · ")
}

// untranslatedBranches says which branches lack a translation of what they say.
func untranslatedBranches(language string, questions []string) string {
	fields := "field"
	if len(questions) > 1 {
		fields = "fields"
	}
	return language + ": branches of " + fields + " " + english.List(questions) + " without a translation. People " +
		"hear the standard lines in " + language + "."
}
