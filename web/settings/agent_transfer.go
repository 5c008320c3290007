package settings

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
)

// transferSettings are the transfers of a form. A malformed ID is refused like an unknown ID. A destination that a
// question or a wish for a person names is one of the agent's.
func transferSettings(v views.AgentForm) *conversation.TransferSettings {
	t := &conversation.TransferSettings{}
	named := map[uuid.UUID]bool{}
	add := func(text string) {
		id, _ := check.ParseID(text)
		if text != "" && !named[id] {
			named[id] = true
			t.Destinations = append(t.Destinations, id)
		}
	}
	for _, text := range v.Destinations {
		add(text)
	}
	if v.HumanID != "" {
		id, _ := check.ParseID(v.HumanID)
		t.HumanID = &id
		add(v.HumanID)
	}
	for _, q := range v.Questions {
		add(q.TransferTo)
	}
	if len(t.Destinations) == 0 {
		return nil
	}
	return t
}

// transferRule reads the rule of a question: "yes", a choice, or "<= 5".
func transferRule(row views.QuestionForm, q conversation.Question) *conversation.TransferRule {
	if row.TransferTo == "" {
		return nil
	}
	rule := &conversation.TransferRule{}
	rule.DestinationID, _ = check.ParseID(row.TransferTo)
	text := strings.TrimSpace(row.TransferIf)
	switch q.Expect {
	case conversation.YesNo:
		if answer := strings.ToLower(text); answer == "yes" || answer == "no" {
			rule.Equals = answer == "yes"
		}
	case conversation.Number:
		for prefix, bound := range map[string]**float64{"<=": &rule.AtMost, ">=": &rule.AtLeast} {
			if rest, ok := strings.CutPrefix(text, prefix); ok {
				if n, err := strconv.ParseFloat(strings.TrimSpace(rest), 64); err == nil {
					*bound = &n
				}
			}
		}
	default:
		if text != "" {
			rule.Equals = text
		}
	}
	return rule
}

// transferForm writes a rule as transferRule reads it.
func transferForm(rule *conversation.TransferRule) (to, when string) {
	if rule == nil {
		return "", ""
	}
	number := func(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }
	switch equals := rule.Equals.(type) {
	case bool:
		when = map[bool]string{true: "yes", false: "no"}[equals]
	case string:
		when = equals
	}
	if rule.AtMost != nil {
		when = "<= " + number(*rule.AtMost)
	}
	if rule.AtLeast != nil {
		when = ">= " + number(*rule.AtLeast)
	}
	return rule.DestinationID.String(), when
}

// transferNames returns a value of JSON in which the names of destinations replace their IDs.
func transferNames(value any, known []ui.Option) any {
	switch v := value.(type) {
	case string:
		return cmp.Or(labelOf(known, v), v)
	case []any:
		all := make([]any, len(v))
		for i := range v {
			all[i] = transferNames(v[i], known)
		}
		return all
	case map[string]any:
		all := map[string]any{}
		for name := range v {
			all[name] = transferNames(v[name], known)
		}
		return all
	}
	return value
}
