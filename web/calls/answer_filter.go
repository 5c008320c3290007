package calls

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
)

// answersOf reads the filters answers[key] of an address.
func answersOf(q url.Values) views.AnswerFilter {
	f := views.AnswerFilter{}
	for name, values := range q {
		key, begins := strings.CutPrefix(name, "answers[")
		key, ends := strings.CutSuffix(key, "]")
		if begins && ends && key != "" && len(values) > 0 && values[0] != "" {
			f[key] = values[0]
		}
	}
	return f
}

// answerPairs adds the question and the answer of a form to a filter.
func answerPairs(f views.AnswerFilter, question, answer string) check.Pairs {
	pairs := check.Pairs{}
	for key, value := range f {
		pairs[key] = value
	}
	if question != "" && answer != "" {
		pairs[question] = answer
	}
	return pairs
}

// answerFields are the fields of the filter by answer. The field of the answer follows the question. keys are the
// questions to choose from, and asked are those of which more is known.
func answerFields(
	asked []conversation.Question, keys []ui.Option, question, answer string, e ui.Errors,
) views.AnswerFields {
	v := views.AnswerFields{Questions: keys, Question: question, Answer: answer, Errors: e}
	for _, q := range asked {
		if q.Key != question || len(v.Options) > 0 {
			continue
		}
		v.Expect = string(q.Expect)
		switch q.Expect {
		case conversation.YesNo:
			v.Options = []ui.Option{{Value: "true", Label: "Yes"}, {Value: "false", Label: "No"}}
		case conversation.Choice:
			v.Options = ui.OptionsOf(q.Options...)
		case conversation.Number, conversation.Date, conversation.Time, conversation.Text, conversation.Phone,
			conversation.Email:
		}
	}
	has := func(o ui.Option) bool { return o.Value == answer }
	for _, o := range v.Options {
		if words := answerWords(answer); strings.EqualFold(o.Value, answer) || strings.EqualFold(o.Label, words) {
			v.Answer, answer = o.Value, o.Value
		}
	}
	if len(v.Options) > 0 && answer != "" && !slices.ContainsFunc(v.Options, has) { // an option of an earlier version
		v.Options = append(v.Options, ui.Option{Value: answer, Label: answer})
	}
	return v
}

// answerErrors are the errors of a filter, with those of answers at the field of the answer.
func answerErrors(err error) ui.Errors {
	e := ui.ErrorsOf(err)
	for _, path := range ui.SortedKeys(e) {
		if key, is := strings.CutPrefix(path, "answers["); is {
			e["answer"] = ui.Sentence(strings.TrimSuffix(key, "]")) + " " + e[path]
			delete(e, path)
		}
	}
	return e
}

// answerChips are the chips of the filter by answer in force. If it is wrong, the field shows its own error.
func answerChips(
	r *http.Request, given views.AnswerFilter, question, answer string, e ui.Errors,
) (chips []views.FilterChip) {
	if e.For("answer") != "" {
		return nil
	}
	for _, key := range ui.SortedKeys(given) {
		chips = append(chips, views.FilterChip{
			Name: ui.Sentence(key), Value: answerWords(given[key]),
			RemoveHref: frame.WithParam(r.URL, "answers["+key+"]", ""),
		})
	}
	if question != "" && answer != "" {
		chips = append(chips, views.FilterChip{
			Name: ui.Sentence(question), Value: answerWords(answer),
			RemoveHref: frame.WithParams(r.URL, "question", "", "answer", ""),
		})
	}
	return chips
}

// callQuestions adds the questions of the campaign or the agent by which the list is filtered.
func (s *Server) callQuestions(r *http.Request, v *views.Calls) (err error) {
	var p fault.Problems
	of := call.ResultFilter{AgentID: frame.OptionalID(&p, "agent_id", v.AgentID)}
	if v.CampaignID != noCampaign {
		of.CampaignID = frame.OptionalID(&p, "campaign_id", v.CampaignID)
	}
	if p.Err() == nil {
		v.ByAnswer, err = s.answerChoices(r, of, v.Question, v.Answer, v.Errors)
		v.Questions = v.ByAnswer.Questions
	}
	return err
}

// answerChoices are the fields of the filter by answer with the questions of a campaign or an agent. Without one of
// these, there are no questions.
func (s *Server) answerChoices(
	r *http.Request, of call.ResultFilter, question, answer string, e ui.Errors,
) (views.AnswerFields, error) {
	organization := frame.SignedIn(r).Organization.ID
	keys, err := s.Calls.ExportedAnswers(r.Context(), organization, call.Filter{
		CampaignID: of.CampaignID, AgentID: of.AgentID,
	})
	if err != nil {
		return views.AnswerFields{}, err
	}
	asked, err := s.Calls.Questions(r.Context(), organization, of)
	if err != nil {
		return views.AnswerFields{}, err
	}
	return answerFields(asked, keyOptions(keys), question, answer, e), nil
}

func keyOptions(keys []string) []ui.Option {
	options := make([]ui.Option, len(keys))
	for i, key := range keys {
		options[i] = ui.Option{Value: key, Label: ui.Sentence(key)}
	}
	return options
}

// answerWords writes the value of a filter for people.
func answerWords(value string) string {
	switch strings.ToLower(value) {
	case "true", "yes":
		return "Yes"
	case "false", "no":
		return "No"
	}
	return strings.Replace(strings.Replace(value, "..<", " to below ", 1), "..", " to ", 1)
}
