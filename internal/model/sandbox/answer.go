package sandbox

import (
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/conversation/lexicon"
)

// answer is what the rules say to a conversation. They see it anew with each request, as a model does:
// the system text names the language and the fields, and the messages what was said and recorded.
func answer(q request) reply {
	if r, ok := perform(q); ok {
		return r
	}
	c := read(q)
	return c.withInstructions(c.answer())
}

// scheduled is the call of a tool that notes a wish for a call. named is what the person named of the time, other than
// an hour.
func scheduled(at, named string) reply {
	return reply{
		tool: "schedule_callback", arguments: map[string]any{"at": at, "named": cmp.Or(named, namedHour)},
	}
}

// namedHour is what a person names who leaves nothing open.
const namedHour = "hour"

func (c chat) answer() reply {
	said := c.last.Content
	if c.menu {
		return c.choose(said)
	}
	switch {
	case c.last.Role == "tool" && c.called == "schedule_callback" && strings.Contains(said, `"error"`):
		return scheduled("", "")
	case c.last.Role == "tool" && c.called == "schedule_callback":
		return reply{text: c.lines.CallBack, tool: "end_call", arguments: map[string]any{"reason": "done"}}
	case c.last.Role == "tool" && c.called == transferTool && !strings.Contains(said, `"error"`): // nobody is there now
		return reply{text: c.transfers().OfferCallBack}
	case c.last.Role == "tool" && c.called == followUpTool && !strings.Contains(said, `"error"`):
		return c.goOn(c.leftToPeople())
	case c.last.Role == "tool" && c.called == "end_call":
		return reply{text: c.lines.Goodbye}
	case c.last.Role == "tool" && c.custom(c.called):
		return c.goOn(c.found(said))
	case c.last.Role == "tool" && strings.Contains(said, `"error"`):
		return c.goOn(c.lines.NotUnderstood)
	case c.last.Role == "tool" && c.called == "record_answer" && c.unknown() != "":
		return reply{tool: followUpTool, arguments: map[string]any{"need": c.unknown()}}
	case c.last.Role == "tool":
		return c.goOn(c.thanks())
	case c.last.Role == "user" && untaken.MatchString(said):
		return reply{text: c.transfers().OfferCallBack}
	case c.last.Role != "user", note.MatchString(said):
		if key := pressed.FindStringSubmatch(said); key != nil {
			said = key[1]
			break
		}
		return c.goOn("")
	}
	intent := conversation.IntentOf(c.language, said)
	if yes, ok := conversation.Understand(yesNo, c.language, said, c.now); c.offering && ok && intent == "" {
		if yes == false || !c.has("schedule_callback") {
			return c.goOn(c.thanks())
		}
		intent = conversation.CallBack
	}
	switch {
	case intent == conversation.WantsHuman && c.has(transferTool) && !c.transferred:
		return reply{tool: transferTool, arguments: c.transfer.arguments(said)}
	case intent == conversation.CallBack && c.has("schedule_callback"):
		at := ""
		t, leeway := conversation.CallBackAt(c.language, said, c.now)
		if t != nil {
			at = t.In(c.now.Location()).Format("2006-01-02T15:04")
		}
		return scheduled(at, string(leeway))
	case intent != "" && intent != conversation.CallBack && c.has("report_person"):
		return reply{tool: "report_person", arguments: map[string]any{"who": intent}}
	case intent != "" && intent != conversation.CallBack && c.has("end_call"): // and so no answer
		return reply{
			text: c.parting(intent), tool: "end_call", arguments: map[string]any{"reason": "not_interested"},
		}
	}
	if r, ok := c.lookUp(said); ok {
		return r
	}
	who, again := conversation.Asks(c.language, said)
	switch {
	case conversation.SaysGoodbye(c.language, said) && c.has("end_call"):
		return reply{text: c.lines.Goodbye, tool: "end_call", arguments: map[string]any{"reason": "not_interested"}}
	case who:
		return c.goOn(strings.ReplaceAll(c.lines.Automated, "{{organization}}", c.organization))
	case c.asked == nil, again:
		return c.goOn("")
	case c.asked.declined(c.language, said):
		return c.after(c.asked.Key).goOn(c.thanks())
	}
	value, ok := conversation.Understand(c.asked.Question, c.language, said, c.now)
	unknown := c.unknown()
	switch {
	case !ok && unknown != "":
		return reply{tool: followUpTool, arguments: map[string]any{"need": unknown}}
	case !ok && c.tries[c.asked.Key] >= maxTries:
		return c.after(c.asked.Key).goOn(c.lines.MoveOn)
	case !ok:
		return c.goOn(c.lines.NotUnderstood)
	}
	thanks := c.thanks()
	c.values[c.asked.Key] = value
	// The next question comes in the same answer, as a good model does it.
	r := c.after(c.asked.Key).goOn(thanks)
	if r.tool != "" || unknown != "" {
		r = reply{} // the goodbye waits for the result, and so does the person's question
	}
	r.tool, r.arguments = "record_answer", map[string]any{"key": c.asked.Key, "value": value, "quote": said}
	return r
}

var (
	note     = regexp.MustCompile(`^\[.*\]$`)
	pressed  = regexp.MustCompile(`^\[The person pressed the key (.)\.\]$`)
	fieldsOf = regexp.MustCompile(`(?s)<fields>(.*?)</fields>`)
	timeOf   = regexp.MustCompile(`"local_time":"([^"]+)"`)
	caller   = regexp.MustCompile(`an automated voice agent of (.+?)\.\s`)
	onlyIf   = regexp.MustCompile(`(?i)^only if ([a-z][a-z0-9_]*) is ([^:.,]+)`)
	speaks   = regexp.MustCompile(`[Ss]peak [^(]*\(([A-Za-z-]+)\)`)
	untaken  = regexp.MustCompile(`^\[Nobody took the call at .*\]$`)
	operator = regexp.MustCompile(`^\[Instruction of the operator: (.+)\]$`)
	tellThem = regexp.MustCompile(`(?i)^(?:please )?(?:tell|let) (?:her|him|them|the \w+)(?: know)?(?: that)?,? `)
	switched = regexp.MustCompile(`^\[The call continues in [^(]*\(([A-Za-z-]+)\)\.\]$`)
)

// transferTool is the tool that connects the person with a human being.
const transferTool = string(conversation.TransferTool)

// followUpTool is the tool that leaves something to people.
const followUpTool = string(conversation.RequestFollowUp)

// minQuestion is how many words a question has at least that is left to people. "Hello?" has fewer.
const minQuestion = 4

// asksOf are questions within what a person says.
var asksOf = regexp.MustCompile(`[^.!?;…]+\?`)

// unknown is the question in what the person said last, as long as it is to be left to people; "": none.
func (c chat) unknown() string {
	all := asksOf.FindAllString(c.person, -1)
	if len(all) == 0 || c.left || !c.has(followUpTool) {
		return ""
	}
	last := strings.TrimSpace(all[len(all)-1])
	if len(strings.Fields(last)) < minQuestion {
		return ""
	}
	return last
}

// leftToPeople is what the agent says when it has left a question to people.
func (c chat) leftToPeople() string {
	if strings.HasPrefix(c.language, "en") {
		return "I can't answer that, but somebody will get back to you."
	}
	return c.lines.MoveOn
}

// yesNo understands the answer to the offer of a call.
var yesNo = conversation.Question{Expect: conversation.YesNo}

// field is a field to collect, as the system text of a request lists it between <fields> and </fields>.
type field struct {
	conversation.Question
	Type conversation.Expect `json:"type"`
}

// maxTries is how often the rules ask for a value that they do not understand.
const maxTries = 2

// applies reports whether a field whose description begins with "Only if key is value" is to be asked for.
func (f field) applies(values map[string]any) bool {
	when := onlyIf.FindStringSubmatch(f.Description)
	if when == nil {
		return true
	}
	is := fmt.Sprint(values[when[1]])
	switch values[when[1]] {
	case true:
		is = "yes"
	case false:
		is = "no"
	}
	return strings.EqualFold(is, strings.TrimSpace(when[2]))
}

// declined reports whether a person has nothing to say to an optional field, as in "No, nothing at all."
func (f field) declined(language, said string) bool {
	if f.IsRequired() || f.Expect == conversation.YesNo || len(strings.Fields(said)) > 6 {
		return false
	}
	yes, ok := conversation.Understand(conversation.Question{Expect: conversation.YesNo}, language, said, time.Time{})
	return ok && yes == false
}

// chat is a request as the rules see it.
type chat struct {
	language     string
	organization string
	now          time.Time // of the person; zero: unknown
	lines        conversation.Lines
	fields       []field // that are neither recorded nor declined nor given up
	tools        []string
	offered      []offer // send_message, and tools that the rules know only from the request
	menu         bool    // a phone menu is speaking
	transfer     schema  // the arguments of the tool transfer
	transferred  bool    // a transfer was tried
	offering     bool    // the agent has just offered that somebody calls
	last         message
	person       string   // what the person said last
	left         bool     // something was left to people since
	called       string   // the tool whose result is last
	asked        *field   // the field that the agent asked for last; nil: none
	instructions []string // of the operator, as they are spoken, that the agent has not followed yet
	values       map[string]any
	tries        map[string]int // how often the agent asked for each field
}

func read(q request) chat {
	c := chat{values: map[string]any{}, tries: map[string]int{}}
	for _, t := range q.Tools {
		c.tools = append(c.tools, t.Function.Name)
		if !conversation.Reserved(t.Function.Name) || t.Function.Name == string(conversation.SendMessage) {
			c.offered = append(c.offered, offer{t.Function.Name, t.Function.Description, t.Function.Parameters})
		}
		if t.Function.Name == transferTool {
			c.transfer = t.Function.Parameters
		}
	}
	closed := map[string]bool{} // declined fields
	var left []string           // the fields that apply; nil: all
	asked, key := "", ""        // the keys of the field that was asked for last, and of the one recorded last
	for _, m := range q.Messages {
		c.last = m
		switch m.Role {
		case "system":
			c.readSystem(m.Content)
		case "assistant":
			c.offering = strings.Contains(m.Content, c.transfers().OfferCallBack)
			if m.Content != "" {
				asked = c.asks(m.Content)
				c.tries[asked]++
				c.instructions = slices.DeleteFunc(c.instructions, func(i string) bool {
					return strings.Contains(m.Content, i)
				})
			}
			for _, call := range m.ToolCalls {
				c.called = call.Function.Name
				c.transferred = c.transferred || c.called == transferTool
				c.left = c.left || c.called == followUpTool
				var arguments struct {
					Key   string
					Value any
				}
				if c.called == "record_answer" && json.Unmarshal([]byte(call.Function.Arguments), &arguments) == nil {
					key = arguments.Key
					c.values[key] = arguments.Value
				}
			}
		case "tool":
			var result struct {
				Left []string `json:"fields_without_value"`
			}
			switch {
			case c.called != "record_answer":
			case strings.Contains(m.Content, `"error"`):
				delete(c.values, key)
			case json.Unmarshal([]byte(m.Content), &result) == nil && result.Left != nil:
				left = result.Left
			}
		case "user":
			if to := switched.FindStringSubmatch(m.Content); to != nil {
				c.language = to[1]
				clear(c.tries) // what was asked before was perhaps not understood
				continue
			}
			if told := operator.FindStringSubmatch(m.Content); told != nil {
				c.instructions = append(c.instructions, spokenInstruction(told[1]))
				continue
			}
			if !note.MatchString(m.Content) {
				c.person, c.left = m.Content, false
			}
			c.menu = c.menu || strings.HasPrefix(m.Content, "[A phone menu is speaking")
			if f := c.field(asked); f != nil && f.declined(c.language, m.Content) {
				closed[asked] = true
			}
		}
	}
	c.lines = conversation.LinesOf(c.language)
	if c.last.Role == "user" {
		delete(closed, asked) // answer handles it
	}
	c.fields = slices.DeleteFunc(c.fields, func(f field) bool {
		_, recorded := c.values[f.Key]
		applies := left == nil || slices.Contains(left, f.Key)
		return recorded || closed[f.Key] || !applies || c.tries[f.Key] >= maxTries && f.Key != asked
	})
	c.asked = c.field(asked)
	return c
}

// readSystem reads the system text.
func (c *chat) readSystem(text string) {
	if found := fieldsOf.FindStringSubmatch(text); found != nil {
		_ = json.Unmarshal([]byte(found[1]), &c.fields)
	}
	for i := range c.fields {
		c.fields[i].Expect = c.fields[i].Type
	}
	if found := timeOf.FindStringSubmatch(text); found != nil {
		c.now, _ = time.Parse(conversation.LocalTime, found[1])
	}
	if found := caller.FindStringSubmatch(text); found != nil {
		c.organization = found[1]
	}
	if found := speaks.FindStringSubmatch(text); found != nil {
		c.language = found[1]
	}
}

// spokenInstruction is an instruction of the operator as the agent says it: "tell her the nurse comes" is "The nurse
// comes."
func spokenInstruction(text string) string {
	text = tellThem.ReplaceAllString(strings.TrimSpace(text), "")
	first, size := utf8.DecodeRuneInString(text)
	return strings.TrimRight(string(unicode.ToUpper(first))+text[size:], ".!") + "."
}

// withInstructions says in an answer what the operator wants. An answer without words follows, once its tool is done.
func (c chat) withInstructions(r reply) reply {
	if len(c.instructions) > 0 && (r.text != "" || r.tool == "") {
		r.text = strings.TrimSpace(strings.Join(c.instructions, " ") + " " + r.text)
	}
	return r
}

// asks returns the key of the field that a text asks for; "": none.
func (c chat) asks(text string) (key string) {
	for _, f := range c.fields {
		if strings.Contains(text, f.question(c.language)) {
			key = f.Key
		}
	}
	return key
}

// field returns the field of a key, or nil.
func (c chat) field(key string) *field {
	for i := range c.fields {
		if c.fields[i].Key == key {
			return &c.fields[i]
		}
	}
	return nil
}

func (c chat) has(tool string) bool { return slices.Contains(c.tools, tool) }

// after is the conversation when a field has a value.
func (c chat) after(key string) chat {
	c.fields = slices.DeleteFunc(slices.Clone(c.fields), func(f field) bool { return f.Key == key })
	return c
}

func (c chat) thanks() string { return c.lines.Acks[len(c.values)%len(c.lines.Acks)] }

// transfers are the lines of transfers in the language that is spoken.
func (c chat) transfers() lexicon.Transfers {
	base, _, _ := strings.Cut(c.language, "-")
	return lexicon.TransfersIn(base)
}

// parting ends a call with somebody who wants something else than to answer.
func (c chat) parting(intent conversation.Intent) string {
	switch intent {
	case conversation.WrongPerson:
		return c.lines.WrongPerson
	case conversation.Deceased:
		return c.lines.Deceased
	case conversation.Minor:
		return c.lines.Minor
	case conversation.Busy:
		return c.lines.Busy
	}
	return c.lines.Goodbye
}

// goOn asks for the next field, or says goodbye after the last.
func (c chat) goOn(before string) reply {
	for _, f := range c.fields {
		if f.applies(c.values) {
			return reply{text: strings.TrimSpace(before + " " + f.question(c.language))}
		}
	}
	r := reply{text: c.lines.Goodbye}
	if c.has("end_call") {
		r.tool, r.arguments = "end_call", map[string]any{"reason": "done"}
	}
	return r
}

// question asks for a field in a language, if its question is translated.
func (f field) question(language string) string {
	described := ""
	if d := strings.TrimSpace(f.Description); strings.HasSuffix(d, "?") {
		described = d
	}
	return cmp.Or(strings.TrimSpace(f.Asks[language]), strings.TrimSpace(f.Ask), described,
		"May I ask: "+strings.ReplaceAll(f.Key, "_", " ")+"?")
}
