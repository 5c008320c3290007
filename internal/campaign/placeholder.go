package campaign

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/dialwright/dialwright/internal/conversation"
)

// placeholder is a variable in a value of a template, written as in the scripts
// of agents: {{name}}, or {{name|what to say without it}}. {{answers.key}} is
// what the recipient answered to the agent's question of that key.
var placeholder = regexp.MustCompile(`\{\{\s*(answers\.)?([a-zA-Z_][a-zA-Z0-9_]{0,63})\s*(?:\|([^{}|]*))?\}\}`)

// field is one placeholder.
type field struct {
	answer    bool // of the call, not of the recipient
	name      string
	otherwise *string // what stands for it when there is nothing; nil: it must be known
}

func (f field) String() string {
	if f.answer {
		return "{{answers." + f.name + "}}"
	}
	return "{{" + f.name + "}}"
}

// fields are the placeholders of a text, in their order.
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

// checkPlaceholders says what is wrong with the braces of a text, or nothing.
func checkPlaceholders(text string) string {
	if strings.ContainsAny(placeholder.ReplaceAllString(text, ""), "{}") {
		return "must write variables as {{name}}, {{answers.key}} or {{name|fallback}}"
	}
	return ""
}

// fillText puts values into a text. Missing is the first placeholder that has
// neither a value nor something to stand for it.
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

// written is a value as it is written in a message. Lists and objects have no
// words.
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

// addressee is a recipient who is to get a message, and what it may say.
type addressee struct {
	Name        string
	PhoneNumber string // E.164
	Agent       string
	Variables   map[string]any // the campaign's, and over them the recipient's
	Answers     map[string]any // of the last call
}

// value is what a placeholder stands for. The names that an agent's script knows
// besides the variables are known here, too.
func (a addressee) value(f field) string {
	if f.answer {
		return written(a.Answers[f.name])
	}
	if v := written(a.Variables[f.name]); v != "" {
		return v
	}
	return conversation.Known{Agent: a.Agent, Name: a.Name, PhoneNumber: a.PhoneNumber}.Value(f.name)
}

// fill fills the values of a template for one recipient. The problem is why it
// can't be, for people.
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
