package calls

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/views/ui"
)

// AnswersView lists the answers in the order of the questions, with the questions that did not apply. Answers to
// questions that were since deleted from the agent come last.
func AnswersView(a *conversation.Analysis, questions []conversation.Question) []ui.Fact {
	keys := make([]string, 0, len(a.Answers))
	names := map[string]string{}
	for _, q := range questions {
		names[q.Key] = questionName(q)
		if _, ok := a.Answers[q.Key]; ok || slices.Contains(a.Skipped, q.Key) {
			keys = append(keys, q.Key)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(a.Answers)) {
		if !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	var facts []ui.Fact
	for _, key := range keys {
		text := AnswerText(a.Answers[key])
		if slices.Contains(a.Skipped, key) {
			text = "Did not apply"
		}
		facts = append(facts, ui.Fact{Name: cmp.Or(names[key], ui.Sentence(key)), Text: text})
	}
	facts = append(facts, ui.Fact{Name: "Sentiment", Text: ui.Capital(string(a.Sentiment))})
	optOut := "No"
	if a.OptOut {
		optOut = "Yes"
	}
	return append(facts, ui.Fact{Name: "Asked not to be called", Text: optOut})
}

// questionName names a question as the report of a campaign does: by its text, or by its key if it has none.
func questionName(q conversation.Question) string {
	return cmp.Or(conversation.Readable(q.Ask), ui.Sentence(q.Key))
}

// AnswerText formats a recorded answer.
func AnswerText(value any) string {
	switch v := value.(type) {
	case nil:
		return "–"
	case bool:
		if v {
			return "Yes"
		}
		return "No"
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case string:
		if strings.Contains(v, "@") {
			return v // an email address
		}
		return ui.Capital(v)
	}
	return fmt.Sprint(value)
}
