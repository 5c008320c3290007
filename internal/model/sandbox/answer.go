package sandbox

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// field is a field to collect, as the system text of a request lists it between <fields> and </fields>.
type field struct {
	Key         string   `json:"key"`
	Type        string   `json:"type"`
	Description string   `json:"description"`
	Options     []string `json:"options"`
	Value       any      `json:"value"` // null: not known yet
}

var fieldsOf = regexp.MustCompile(`(?s)<fields>(.*?)</fields>`)

// answer is what the rules say to a conversation. They see it anew with each request, as a model does.
func answer(q request) reply {
	c := read(q)
	switch {
	case c.last.Role == "tool" && c.called == "end_call":
		return reply{text: "Goodbye."}
	case c.last.Role == "tool":
		return c.goOn("Thank you. ")
	case c.last.Role == "user" && asksWho.MatchString(c.last.Content):
		return c.goOn("This is an automated call. ")
	case c.last.Role == "user" && declines.MatchString(c.last.Content) && c.has("end_call"):
		return reply{text: "All right, thank you for your time.", tool: "end_call",
			arguments: map[string]any{"reason": "not_interested"}}
	case c.last.Role == "user" && c.asked != nil:
		if value, ok := c.asked.understand(c.last.Content); ok {
			return reply{tool: "record_answer",
				arguments: map[string]any{"key": c.asked.Key, "value": value, "quote": c.last.Content}}
		}
		return reply{text: "Sorry, I did not catch that. " + c.asked.question()}
	}
	return c.goOn("")
}

var (
	asksWho  = regexp.MustCompile(`(?i)\bwho (is|are|am)\b|what is this about`)
	declines = regexp.MustCompile(`(?i)not interested|no thanks|no thank you`)
)

// conversation is a request as the rules see it.
type conversation struct {
	fields []field
	tools  []string
	last   message
	called string // the tool whose result is last
	asked  *field // the field that the agent asked for last; nil: none
}

func read(q request) conversation {
	var c conversation
	for _, t := range q.Tools {
		c.tools = append(c.tools, t.Function.Name)
	}
	recorded := map[string]bool{}
	said := ""
	for _, m := range q.Messages {
		switch m.Role {
		case "system":
			if found := fieldsOf.FindStringSubmatch(m.Content); found != nil {
				_ = json.Unmarshal([]byte(found[1]), &c.fields)
			}
		case "assistant":
			if m.Content != "" {
				said = m.Content
			}
			for _, call := range m.ToolCalls {
				c.called = call.Function.Name
				var arguments struct {
					Key string `json:"key"`
				}
				if c.called == "record_answer" && json.Unmarshal([]byte(call.Function.Arguments), &arguments) == nil {
					recorded[arguments.Key] = true
				}
			}
		}
	}
	if len(q.Messages) > 0 {
		c.last = q.Messages[len(q.Messages)-1]
	}
	c.fields = slices.DeleteFunc(c.fields, func(f field) bool { return f.Value != nil || recorded[f.Key] })
	for i := range c.fields {
		if strings.HasSuffix(said, c.fields[i].question()) {
			c.asked = &c.fields[i]
		}
	}
	return c
}

func (c conversation) has(tool string) bool { return slices.Contains(c.tools, tool) }

// goOn asks for the next field, or says goodbye after the last.
func (c conversation) goOn(before string) reply {
	if len(c.fields) > 0 {
		return reply{text: before + c.fields[0].question()}
	}
	r := reply{text: before + "That was all. Have a good day."}
	if c.has("end_call") {
		r.tool, r.arguments = "end_call", map[string]any{"reason": "done"}
	}
	return r
}

// question asks for a field. A description may be a question already.
func (f field) question() string {
	d := strings.TrimSpace(f.Description)
	switch {
	case strings.HasSuffix(d, "?"):
		return d
	case d == "":
		d = strings.ReplaceAll(f.Key, "_", " ")
	}
	q := "May I ask: " + strings.TrimSuffix(d, ".") + "?"
	if f.Type == "choice" && len(f.Options) > 0 {
		q = strings.TrimSuffix(q, "?") + ": " + strings.Join(f.Options, ", ") + "?"
	}
	return q
}

var (
	yes    = regexp.MustCompile(`(?i)(?:^|\PL)(yes|yeah|yep|sure|of course|correct|right|si|sí|oui|ja|sim)(?:\PL|$)`)
	no     = regexp.MustCompile(`(?i)(?:^|\PL)(no|nope|not|non|nein|não)(?:\PL|$)`)
	digits = regexp.MustCompile(`\d+(\.\d+)?`)
	words  = map[string]int{
		"zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
		"ten": 10,
	}
)

// understand reads the value of a field in what a person said.
func (f field) understand(said string) (any, bool) {
	switch f.Type {
	case "yes_no":
		switch {
		case no.MatchString(said):
			return false, true
		case yes.MatchString(said):
			return true, true
		}
		return nil, false
	case "number":
		if n := digits.FindString(said); n != "" {
			return json.Number(n), true
		}
		for _, word := range strings.Fields(strings.ToLower(said)) {
			if n, ok := words[strings.Trim(word, ".,!?")]; ok {
				return n, true
			}
		}
		return nil, false
	case "choice":
		for _, option := range f.Options {
			if strings.Contains(strings.ToLower(said), strings.ToLower(option)) {
				return option, true
			}
		}
		return nil, false
	}
	text := strings.TrimSpace(said)
	return text, text != ""
}
