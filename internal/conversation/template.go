package conversation

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// variable is {{name}} or {{name|what to say without it}}.
var variable = regexp.MustCompile(`\{\{\s*([a-zA-Z_][a-zA-Z0-9_]{0,63})\s*(?:\|([^{}|]*))?\}\}`)

const maxValue = 500 // characters of a variable that are spoken

// checkTemplate says what is wrong with the variables of a text, or nothing.
func checkTemplate(s string) string {
	if strings.ContainsAny(variable.ReplaceAllString(s, ""), "{}") {
		return "a variable is written {{name}} or {{name|otherwise}}"
	}
	return ""
}

// Fill puts the variables into a text that is to be spoken. One that is missing
// or empty becomes its default, else nothing, and the gap it leaves is closed:
// "Hello {{name}}, …" reads "Hello, …". Braces are never spoken.
func Fill(s string, vars map[string]any) string {
	var b strings.Builder
	for {
		m := variable.FindStringSubmatchIndex(s)
		if m == nil {
			break
		}
		value := spoken(vars[s[m[2]:m[3]]])
		if value == "" && m[4] >= 0 {
			value = oneLine(s[m[4]:m[5]])
		}
		b.WriteString(s[:m[0]])
		b.WriteString(value)
		s = s[m[1]:]
		if value == "" && s != "" && strings.ContainsRune(",.;:!?", rune(s[0])) {
			before := strings.TrimRight(b.String(), " ")
			b.Reset()
			b.WriteString(before)
		}
	}
	b.WriteString(s)
	return oneLine(b.String())
}

// spoken is a variable's value in words. What has no words (lists, objects)
// says nothing.
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

// oneLine is a text without braces and control characters, its blanks single.
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
