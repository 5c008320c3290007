package campaign

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/dialwright/dialwright/internal/conversation"
)

// placeholder is a variable in a template's value, written as in an agent's script:
// {{name}} or {{name|fallback}}. {{answers.key}} is the recipient's answer to the
// agent's question with that key.
var placeholder = regexp.MustCompile(`\{\{\s*(answers\.)?([a-zA-Z_][a-zA-Z0-9_]{0,63})\s*(?:\|([^{}|]*))?\}\}`)

// field is a placeholder.
type field struct {
	answer    bool // an answer of the call, not a variable of the recipient
	name      string
	otherwise *string // the fallback for an empty value; nil: the value is required
}

func (f field) String() string {
	if f.answer {
		return "{{answers." + f.name + "}}"
	}
	return "{{" + f.name + "}}"
}

// fields returns the placeholders of a text, in their order.
func fields(text string) []field {
	var all []field
	for _, m := range placeholder.FindAllStringSubmatchIndex(text, -1) {
		all = append(all, fieldAt(text, m))
	}
	return all
}

func fieldAt(text string, m []int) field {
	f := field{answer: m[2] >= 0, name: text[m[4]:m[5]]}
	if m[6] >= 0 {
		otherwise := strings.TrimSpace(text[m[6]:m[7]])
		f.otherwise = &otherwise
	}
	return f
}

// checkPlaceholders describes the problem with the braces of a text, or returns an
// empty text.
func checkPlaceholders(text string) string {
	if strings.ContainsAny(placeholder.ReplaceAllString(text, ""), "{}") {
		return "must write variables as {{name}}, {{answers.key}} or {{name|fallback}}"
	}
	return ""
}

// fillText replaces the placeholders of a text by values. missing is the first
// placeholder with neither a value nor a fallback.
func fillText(text string, value func(field) string) (filled string, missing *field) {
	var b strings.Builder
	end := 0
	for _, m := range placeholder.FindAllStringSubmatchIndex(text, -1) {
		f := fieldAt(text, m)
		v := value(f)
		switch {
		case v != "":
		case f.otherwise != nil:
			v = *f.otherwise
		case missing == nil:
			missing = &f
		}
		b.WriteString(text[end:m[0]])
		b.WriteString(v)
		end = m[1]
	}
	b.WriteString(text[end:])
	return b.String(), missing
}

// written formats a value for a message. Lists and objects give an empty text.
func written(v any) string {
	switch v := v.(type) {
	case string:
		return strings.TrimSpace(v)
	case bool:
		if v {
			return "yes"
		}
		return "no"
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return ""
}

// addressee is a recipient of a message, and the values that the message may contain.
type addressee struct {
	Name        string
	PhoneNumber string // E.164
	Agent       string
	Variables   map[string]any // the campaign's variables, overridden by the recipient's
	Answers     map[string]any // answers of the last call
}

// value returns the value of a placeholder. It also knows the built-in names of an
// agent's script.
func (a addressee) value(f field) string {
	if f.answer {
		return written(a.Answers[f.name])
	}
	if v := written(a.Variables[f.name]); v != "" {
		return v
	}
	return conversation.Known{Agent: a.Agent, Name: a.Name, PhoneNumber: a.PhoneNumber}.Value(f.name)
}

// fill fills in a template for a recipient. problem tells a person why a value is
// missing; empty: none is.
func (t MessageTemplate) fill(to addressee) (values map[string]string, problem string) {
	values = make(map[string]string, len(t.Variables))
	for key, text := range t.Variables {
		filled, missing := fillText(text, to.value)
		values[key] = filled
		switch {
		case missing == nil || problem != "":
		case missing.answer:
			problem = fmt.Sprintf("The call gave no answer to %s, which the template's variable %s needs", missing.name,
				key)
		default:
			problem = fmt.Sprintf("Nothing is known for %s, which the template's variable %s needs", missing, key)
		}
	}
	return values, problem
}
