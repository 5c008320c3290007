package conversation

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// variable is {{name}}, {{last_call.name}} or either with a fallback, {{name|fallback}}.
var variable = regexp.MustCompile(`\{\{\s*((?:last_call\.)?[a-zA-Z_][a-zA-Z0-9_]{0,63})\s*(?:\|([^{}|]*))?\}\}`)

// Known is the built-in variables for the texts of an agent and the messages around a
// call.
type Known struct {
	Agent        string
	Organization string
	Name         string // the recipient's
	PhoneNumber  string // E.164
	Reason       string // the call reason, which a call screener hears if no variable has one
}

// Value returns the value of a built-in variable. {{agent_name}} is an earlier name of
// {{agent}}.
func (k Known) Value(variable string) string {
	switch variable {
	case "agent", "agent_name":
		return k.Agent
	case "organization":
		return k.Organization
	case "name":
		return k.Name
	case firstName:
		return FirstName(k.Name)
	case lastName:
		return LastName(k.Name)
	case "phone_number":
		return k.PhoneNumber
	}
	return ""
}

// Variables returns all variables of a call: the given variables of the recipient and
// the campaign, and the built-in variables for names that have no spoken value there. Those of the parts of a name that
// has none are missing.
// Every script is filled from here.
func (k Known) Variables(given map[string]any) map[string]any {
	all := map[string]any{}
	for _, name := range []string{"agent", "agent_name", "organization", "name", "phone_number"} {
		all[name] = k.Value(name)
	}
	for name, value := range given {
		if spoken(value) != "" || all[name] == nil {
			all[name] = value
		}
	}
	if name, ok := all["name"].(string); ok {
		for variable, part := range map[string]string{firstName: FirstName(name), lastName: LastName(name)} {
			if part != "" && spoken(all[variable]) == "" {
				all[variable] = part
			}
		}
	}
	if spoken(all["reason"]) == "" && k.Reason != "" {
		all["reason"] = k.Reason
	}
	return all
}

const maxValue = 500 // the maximum of spoken characters of a variable

// CheckTemplate describes the problem with the variables of a text, or returns an empty
// text.
func CheckTemplate(s string) string {
	if strings.ContainsAny(variable.ReplaceAllString(s, ""), "{}") {
		return "must write variables as {{name}} or {{name|fallback}}"
	}
	return ""
}

// UnknownVariable returns the first variable of a text that is not known and has no fallback, or an empty text.
func UnknownVariable(s string, known func(name string) bool) string {
	for _, m := range variable.FindAllStringSubmatchIndex(s, -1) {
		if name := s[m[2]:m[3]]; m[4] < 0 && !known(name) {
			return name
		}
	}
	return ""
}

// Fill replaces the variables of a text for speech. A missing or empty variable becomes
// its fallback, or nothing. Fill closes the gap that it leaves: "Thank you, {{name}}.
// If …" becomes "Thank you. If …". Braces are never spoken.
func Fill(s string, vars map[string]any) string {
	before := ""
	for {
		m := variable.FindStringSubmatchIndex(s)
		if m == nil {
			break
		}
		value := spoken(vars[s[m[2]:m[3]]])
		if value == "" && m[4] >= 0 {
			value = oneLine(s[m[4]:m[5]])
		}
		before += s[:m[0]] + value
		s = s[m[1]:]
		if value == "" {
			before, s = closeGap(before, s)
		}
	}
	return oneLine(before + s)
}

// Readable shows a text that has no values: each variable is its name as words, in quotes.
func Readable(s string) string {
	return variable.ReplaceAllStringFunc(s, func(v string) string {
		name := strings.TrimPrefix(variable.FindStringSubmatch(v)[1], "last_call.")
		return "“" + strings.ReplaceAll(name, "_", " ") + "”"
	})
}

// spoken formats a variable's value as words. Lists and objects give an empty text.
func spoken(v any) string {
	switch v := v.(type) {
	case string:
		return limit(oneLine(v), maxValue)
	case bool:
		return strconv.FormatBool(v)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case int:
		return strconv.Itoa(v)
	case int64:
		return strconv.FormatInt(v, 10)
	case json.Number:
		return oneLine(v.String())
	}
	return ""
}

// oneLine returns a text without braces and control characters, with single spaces.
func oneLine(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case r == '{' || r == '}':
			return -1
		case unicode.IsControl(r):
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, ""))
	return strings.Join(strings.Fields(s), " ")
}

// limit cuts a text to n characters.
func limit(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}
