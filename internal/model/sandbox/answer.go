package sandbox

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/dialwright/dialwright/internal/conversation"
)

// answer is what the rules say to a conversation. They see it anew with each request, as a model does:
// the system text names the language and the fields, and the messages what was said and recorded.
func answer(q request) reply {
	c := read(q)
	said := c.last.Content
	switch {
	case c.last.Role == "tool" && c.called == "schedule_callback":
		return reply{text: c.lines.CallBack, tool: "end_call", arguments: map[string]any{"reason": "done"}}
	case c.last.Role == "tool" && c.called == "end_call":
		return reply{text: c.lines.Goodbye}
	case c.last.Role == "tool" && strings.Contains(said, `"error"`):
		return c.goOn(c.lines.NotUnderstood)
	case c.last.Role == "tool":
		return c.goOn(c.thanks())
	case c.last.Role != "user", note.MatchString(said):
		if key := pressed.FindStringSubmatch(said); key != nil {
			said = key[1]
			break
		}
		return c.goOn("")
	}
	switch intent := conversation.IntentOf(c.language, said); {
	case intent == conversation.CallBack && c.has("schedule_callback"):
		at := ""
		if t := conversation.CallBackAt(c.language, said, c.now); t != nil {
			at = t.In(c.now.Location()).Format("2006-01-02T15:04")
		}
		return reply{tool: "schedule_callback", arguments: map[string]any{"at": at}}
	case intent != "" && intent != conversation.CallBack && c.has("report_person"):
		return reply{tool: "report_person", arguments: map[string]any{"who": intent}}
	}
	switch {
	case conversation.SaysGoodbye(c.language, said) && c.has("end_call"):
		return reply{text: c.lines.Goodbye, tool: "end_call", arguments: map[string]any{"reason": "not_interested"}}
	case c.asked == nil:
		return c.goOn("")
	}
	value, ok := conversation.Understand(c.asked.Question, c.language, said, c.now)
	if !ok {
		return c.goOn(c.lines.NotUnderstood)
	}
	// The next question comes in the same answer, as a good model does it.
	r := c.after(c.asked.Key).goOn(c.thanks())
	if r.tool != "" {
		r = reply{} // the goodbye waits for the result
	}
	r.tool, r.arguments = "record_answer", map[string]any{"key": c.asked.Key, "value": value, "quote": said}
	return r
}

var (
	note     = regexp.MustCompile(`^\[.*\]$`)
	pressed  = regexp.MustCompile(`^\[The person pressed the key (.)\.\]$`)
	fieldsOf = regexp.MustCompile(`(?s)<fields>(.*?)</fields>`)
	timeOf   = regexp.MustCompile(`"local_time":"([^"]+)"`)
	speaks   = regexp.MustCompile(`Speak [^(]*\(([A-Za-z-]+)\)`)
)

// field is a field to collect, as the system text of a request lists it between <fields> and </fields>.
type field struct {
	conversation.Question
	Type conversation.Expect `json:"type"`
}

// chat is a request as the rules see it.
type chat struct {
	language string
	now      time.Time // of the person; zero: unknown
	lines    conversation.Lines
	fields   []field // without a value
	tools    []string
	last     message
	called   string // the tool whose result is last
	asked    *field // the field that the agent asked for last; nil: none
	answers  int
}

func read(q request) chat {
	var c chat
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
			if found := timeOf.FindStringSubmatch(m.Content); found != nil {
				c.now, _ = time.Parse(conversation.LocalTime, found[1])
			}
			if found := speaks.FindStringSubmatch(m.Content); found != nil {
				c.language = found[1]
			}
		case "assistant":
			if m.Content != "" {
				said = m.Content
			}
			for _, call := range m.ToolCalls {
				c.called = call.Function.Name
				var arguments struct{ Key string }
				if c.called == "record_answer" && json.Unmarshal([]byte(call.Function.Arguments), &arguments) == nil {
					recorded[arguments.Key] = true
				}
			}
		}
	}
	if len(q.Messages) > 0 {
		c.last = q.Messages[len(q.Messages)-1]
	}
	c.lines, c.answers = conversation.LinesOf(c.language), len(recorded)
	for i := range c.fields {
		c.fields[i].Expect = c.fields[i].Type
	}
	c.fields = slices.DeleteFunc(c.fields, func(f field) bool { return recorded[f.Key] })
	for i := range c.fields {
		if strings.Contains(said, c.fields[i].question()) {
			c.asked = &c.fields[i]
		}
	}
	return c
}

func (c chat) has(tool string) bool { return slices.Contains(c.tools, tool) }

// after is the conversation when a field has a value.
func (c chat) after(key string) chat {
	c.fields = slices.DeleteFunc(slices.Clone(c.fields), func(f field) bool { return f.Key == key })
	return c
}

func (c chat) thanks() string { return c.lines.Acks[c.answers%len(c.lines.Acks)] }

// goOn asks for the next field, or says goodbye after the last.
func (c chat) goOn(before string) reply {
	if len(c.fields) > 0 {
		return reply{text: strings.TrimSpace(before + " " + c.fields[0].question())}
	}
	r := reply{text: c.lines.Goodbye}
	if c.has("end_call") {
		r.tool, r.arguments = "end_call", map[string]any{"reason": "done"}
	}
	return r
}

// question asks for a field.
func (f field) question() string {
	described := ""
	if d := strings.TrimSpace(f.Description); strings.HasSuffix(d, "?") {
		described = d
	}
	return cmp.Or(strings.TrimSpace(f.Ask), described, "May I ask: "+strings.ReplaceAll(f.Key, "_", " ")+"?")
}
