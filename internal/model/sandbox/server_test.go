package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/model"
)

const system = `You are Nora, an automated voice agent of Acme. <fields>[
	{"key": "coming", "type": "yes_no", "description": "Will you come on Monday?"},
	{"key": "guests", "type": "number", "description": "How many guests do you bring?"},
	{"key": "meal", "type": "choice", "description": "the meal", "options": ["fish", "pasta"]}
]</fields>`

var tools = []model.Tool{{Name: "record_answer"}, {Name: "end_call"}}

const speed = 20

// clients are the clients of the model with a name at a server, by dialect.
func clients(t *testing.T, name string, o Options) map[string]model.Model {
	t.Helper()
	s := httptest.NewServer(New(o))
	t.Cleanup(s.Close)
	return map[string]model.Model{
		"chat":     model.NewChat(s.Client(), s.URL+"/v1", "key", name),
		"messages": model.NewMessages(s.Client(), s.URL+"/v1", "key", name),
	}
}

// inEachDialect runs a test with a model, through each client.
func inEachDialect(t *testing.T, name string, test func(t *testing.T, m model.Model)) {
	t.Helper()
	for dialect, m := range clients(t, name, Options{Speed: speed}) {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			test(t, m)
		})
	}
}

// A conversation collects the fields through each client, and ends.
func TestConversation(t *testing.T) {
	t.Parallel()
	inEachDialect(t, Model, converse)
}

func converse(t *testing.T, m model.Model) {
	r := model.Request{System: system, Tools: tools}
	said := []string{"Hello?", "Who is this?", "Yes, I will.", "Maybe", "three of us", "Pasta, please"}
	recorded := map[string]any{}
	var heard []string
	for range 40 {
		text, calls := "", []model.ToolCall(nil)
		for d, err := range m.Stream(t.Context(), r) {
			if err != nil {
				t.Fatal(err)
			}
			switch d := d.(type) {
			case model.Text:
				text += string(d)
			case model.ToolCall:
				calls = append(calls, d)
			}
		}
		r.Messages = append(r.Messages, model.Message{Role: model.Assistant, Text: text, Calls: calls})
		if text != "" {
			heard = append(heard, text)
		}
		for _, call := range calls {
			var arguments map[string]any
			if err := json.Unmarshal([]byte(call.Arguments), &arguments); err != nil {
				t.Fatal(err)
			}
			if call.Name == "end_call" {
				said = nil
				break
			}
			recorded[arguments["key"].(string)] = arguments["value"]
			r.Messages = append(r.Messages, model.Message{Role: model.Result, CallID: call.ID, Text: `{"saved":true}`})
		}
		if len(calls) > 0 && text == "" && said != nil {
			continue
		}
		if len(said) == 0 {
			break
		}
		r.Messages = append(r.Messages, model.Message{Role: model.User, Text: said[0]})
		said = said[1:]
	}
	if recorded["coming"] != true || recorded["guests"] != 3.0 || recorded["meal"] != "pasta" || len(recorded) != 3 {
		t.Errorf("recorded %v", recorded)
	}
	const want = "Sorry, I did not catch that. Will you come on Monday?|" +
		"I am an automated voice, not a person. This is an automated call from Acme. Will you come on Monday?|" +
		"Thank you. How many guests do you bring?|Sorry, I did not catch that. How many guests do you bring?|" +
		"All right. May I ask: meal?|Thank you for your time. Goodbye."
	if got := strings.Join(heard[1:], "|"); got != want {
		t.Errorf("heard %s", got)
	}
}

// The rules see what a good model sees: which fields apply, what was declined, and what was refused.
func TestAnswers(t *testing.T) {
	t.Parallel()
	const fields = `Speak English (en-US). You are Nora, an automated voice agent of Acme.
		"local_time":"Monday, 2 March 2026, 10:00" <fields>[
		{"key": "coming", "type": "yes_no", "ask": "Will you come?", "required": true},
		{"key": "day", "type": "date", "description": "Only if coming is no: a better day.",
			"ask": "Which day is better?",
			"required": false},
		{"key": "guests", "type": "number", "ask": "How many guests?", "required": true},
		{"key": "note", "type": "text", "ask": "Anything else?", "required": false}
	]</fields>`
	recorded := func(key, value string) []message {
		m := []message{{Role: "assistant"}, {Role: "tool", Content: `{"recorded":true}`}}
		m[0].ToolCalls = slices.Grow(m[0].ToolCalls, 1)[:1]
		m[0].ToolCalls[0].Function.Name = "record_answer"
		m[0].ToolCalls[0].Function.Arguments = `{"key":"` + key + `","value":` + value + `}`
		return m
	}
	agent := func(text string) []message { return []message{{Role: "assistant", Content: text}} }
	person := func(text string) []message { return []message{{Role: "user", Content: text}} }
	refused := recorded("guests", "900")
	refused[1].Content = `{"error":"guests: must be at most 10"}`
	later := recorded("", "0")
	left := recorded("", "0")
	left[0].ToolCalls[0].Function.Name, left[1].Content = "request_follow_up", `{"noted":true}`
	later[0].ToolCalls[0].Function.Name, later[1].Content = "schedule_callback", `{"error":"at must be after now"}`
	for name, test := range map[string]struct {
		messages [][]message
		text     string
		tool     string
	}{
		"a field that does not apply": {
			[][]message{agent("Will you come?"), person("Yes, I will.")},
			"Thank you. How many guests?", "record_answer",
		},
		"a field that applies": {
			[][]message{agent("Will you come?"), person("No, sorry.")},
			"Thank you. Which day is better?", "record_answer",
		},
		"nothing to add": {
			[][]message{
				recorded("coming", "true"), recorded("guests", "2"), agent("Anything else?"),
				person("Um, no, nothing at all."),
			}, "Thank you for your time. Goodbye.", "end_call",
		},
		"something to add": {
			[][]message{
				recorded("coming", "true"), recorded("guests", "2"), agent("Anything else?"),
				person("Yes, I use a walker."),
			}, "", "record_answer",
		},
		"a refused value": {
			[][]message{recorded("coming", "true"), agent("How many guests?"), person("900"), refused},
			"Sorry, I did not catch that. How many guests?", "",
		},
		"not understood once": {
			[][]message{recorded("coming", "true"), agent("How many guests?"), person("Well, hm.")},
			"Sorry, I did not catch that. How many guests?", "",
		},
		"not understood twice": {
			[][]message{
				recorded("coming", "true"), agent("How many guests?"), person("Well, hm."),
				agent("Sorry. How many guests?"),
				person("Well, hm."),
			}, "That's all right, let's move on. Anything else?", "",
		},
		"given up": {
			[][]message{
				recorded("coming", "true"), agent("How many guests?"), person("Well, hm."),
				agent("Sorry. How many guests?"),
				person("Well, hm."), agent("Anything else?"), person("No."),
			}, "Thank you for your time. Goodbye.", "end_call",
		},
		"who is calling": {
			[][]message{agent("Will you come?"), person("Sorry, who is this?")},
			"I am an automated voice, not a person. This is an automated call from Acme. Will you come?", "",
		},
		"a request to repeat": {
			[][]message{agent("Will you come?"), person("Could you repeat that?")}, "Will you come?", "",
		},
		"a question": {
			[][]message{agent("Will you come?"), person("Well. Can I park my car there?")}, "", "request_follow_up",
		},
		"an answer and a question": {
			[][]message{agent("Will you come?"), person("Yes. Can I park my car there?")}, "", "record_answer",
		},
		"a question after an answer": {
			[][]message{
				agent("Will you come?"), person("Yes. Can I park my car there?"), recorded("coming", "true"),
			}, "", "request_follow_up",
		},
		"both done": {
			[][]message{
				agent("Will you come?"), person("Yes. Can I park my car there?"), recorded("coming", "true"), left,
			}, "I can't answer that, but somebody will get back to you. How many guests?", "",
		},
		"a question that was left to people": {
			[][]message{agent("Will you come?"), person("Can I park my car there?"), left},
			"I can't answer that, but somebody will get back to you. Will you come?", "",
		},
		"a time that was refused": {[][]message{person("Call me an hour ago."), later}, "", "schedule_callback"},
	} {
		q := request{Messages: slices.Concat(append([][]message{{{Role: "system", Content: fields}}}, test.messages...)...)}
		q.Tools = slices.Grow(q.Tools, 3)[:3]
		q.Tools[0].Function.Name, q.Tools[1].Function.Name = "end_call", "schedule_callback"
		q.Tools[2].Function.Name = "request_follow_up"
		if got := answer(q); got.text != test.text || got.tool != test.tool {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// A person who asks for a human being is transferred once. If nobody takes the call, somebody calls back.
func TestTransfer(t *testing.T) {
	t.Parallel()
	called := message{Role: "assistant"}
	called.ToolCalls = slices.Grow(called.ToolCalls, 1)[:1]
	called.ToolCalls[0].Function.Name = "transfer"
	asks := message{Role: "user", Content: "Can I talk to a human in billing, please?"}
	nobody := message{Role: "user", Content: "[Nobody took the call at Billing, and the person has heard so.]"}
	closed := message{Role: "tool", Content: `{"status":"closed"}`}
	yes, no := message{Role: "user", Content: "Yes."}, message{Role: "user", Content: "No."}
	offers := message{Role: "assistant", Content: "Shall somebody call you back?"}
	for name, test := range map[string]struct {
		messages   []message
		text, tool string
		argument   any
	}{
		"asked for":   {[]message{asks}, "", "transfer", "Billing"},
		"closed":      {[]message{asks, called, closed}, offers.Content, "", nil},
		"nobody":      {[]message{asks, called, nobody}, offers.Content, "", nil},
		"accepted":    {[]message{asks, called, nobody, offers, yes}, "", "schedule_callback", nil},
		"refused":     {[]message{asks, called, nobody, offers, no}, "", "end_call", nil},
		"asked twice": {[]message{asks, called, nobody, offers, asks}, "", "end_call", nil},
	} {
		q := request{Messages: append([]message{{Role: "system", Content: "Speak English (en-US)."}}, test.messages...)}
		q.Tools = slices.Grow(q.Tools, 3)[:3]
		q.Tools[0].Function.Name, q.Tools[1].Function.Name = "end_call", "schedule_callback"
		q.Tools[2].Function.Name = "transfer"
		q.Tools[2].Function.Parameters = schema{
			Required:   []string{"destination"},
			Properties: map[string]schema{"destination": {Enum: []any{"Front desk", "Billing"}}},
		}
		got := answer(q)
		if got.tool != test.tool || test.text != "" && got.text != test.text ||
			test.argument != nil && got.arguments["destination"] != test.argument {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// asksFirst makes the rules speak, answers and callsLater make them call a tool, and leaves makes them do both.
var (
	asksFirst = model.Request{System: system, Tools: tools}
	answers   = model.Request{
		System: system, Tools: tools, Messages: []model.Message{
			{Role: model.Assistant, Text: "Will you come on Monday?"}, {Role: model.User, Text: "Yes."},
		},
	}
	callsLater = model.Request{
		System: system + ` <data>{"local_time":"Monday, 2 March 2026, 10:00"}</data>`,
		Tools:  append([]model.Tool{{Name: "schedule_callback"}}, tools...),
		Messages: []model.Message{
			{Role: model.Assistant, Text: "Will you come on Monday?"},
			{Role: model.User, Text: "Call me tomorrow afternoon."},
		},
	}
	leaves = model.Request{
		System: system, Tools: tools, Messages: []model.Message{
			{Role: model.Assistant, Text: "Will you come on Monday?"}, {Role: model.User, Text: "Goodbye."},
		},
	}
)

// analyzes asks for the analysis of a call.
var analyzes = model.Request{
	System: "You analyze telephone calls. <fields>[]</fields>", Schema: &model.Schema{Name: "analysis"},
	Messages: []model.Message{{Role: model.User, Text: "<transcript>[]</transcript>"}},
}

const question = "Will you come on Monday?"

// ended is how the answer of each model ends through the client, for those that end.
var ended = map[string]struct {
	request model.Request
	check   func(calls []model.ToolCall, text string, done *model.Done, err error) bool
}{
	Model:                     {asksFirst, spoke(question, model.Complete)},
	"sandbox-429":             {asksFirst, failed(model.Throttled, 0)},
	"sandbox-429-retry-after": {asksFirst, failed(model.Throttled, 20*time.Second)},
	"sandbox-quota":           {asksFirst, failed(model.Unusable, 0)},
	"sandbox-401":             {asksFirst, failed(model.Unusable, 0)},
	"sandbox-500":             {asksFirst, failed(model.Unavailable, 0)},
	"sandbox-error":           {asksFirst, failed(model.Unavailable, 0)},
	"sandbox-cut":             {asksFirst, failed(model.Unavailable, 0)},
	"no-such-model":           {asksFirst, failed(model.Unusable, 0)},
	"sandbox-broken-json": {answers, func(calls []model.ToolCall, _ string, done *model.Done, err error) bool {
		return err == nil && done != nil && len(calls) == 1 && !json.Valid([]byte(calls[0].Arguments))
	}},
	"sandbox-crlf":           {asksFirst, spoke(question, model.Complete)},
	"sandbox-split":          {asksFirst, spoke("Très bien, 好的. "+question, model.Complete)},
	"sandbox-unknown-fields": {asksFirst, spoke(question, model.Complete)},
	"sandbox-refusal":        {asksFirst, spoke("", model.Refused)},
	"sandbox-no-schema":      {asksFirst, spoke(question, model.Complete)},
	"sandbox-empty":          {asksFirst, spoke("", model.Complete)},
	"sandbox-no-tools":       {leaves, spoke("Thank you for your time. Goodbye.", model.Complete)},
	"sandbox-hours": {callsLater, func(calls []model.ToolCall, _ string, _ *model.Done, err error) bool {
		return err == nil && len(calls) == 1 && strings.Contains(calls[0].Arguments, `T14:00","named":"hour"`)
	}},
	"sandbox-card": {
		asksFirst, spoke("Sure, the card is 4111 1111 1111 1111. "+question, model.Complete),
	},
	"sandbox-length": {asksFirst, spoke(question, model.Length)},
}

// Every fault reaches each client as what it is.
func TestFaults(t *testing.T) {
	t.Parallel()
	for name, test := range ended {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			inEachDialect(t, name, func(t *testing.T, m model.Model) {
				calls, text, done, err := hear(t.Context(), m, test.request)
				if !test.check(calls, text, done, err) {
					t.Errorf("%q, %v, %+v, %v", text, calls, done, err)
				}
			})
		})
	}
	elsewhere := []string{
		"sandbox-slow", "sandbox-stall", "sandbox-silent", "sandbox-endless", // they do not end
		"sandbox-burst",                                               // it has no fault
		"sandbox-prose", "sandbox-invented-quote", "sandbox-gullible", // the tests of analyses
	}
	for _, c := range Choices() {
		if _, tested := ended[c.Name]; !tested && !slices.Contains(elsewhere, c.Name) || c.Does == "" {
			t.Errorf("%s has no test, or is not described", c.Name)
		}
	}
}

// A call of a tool arrives whole, with characters of several bytes.
func TestToolCall(t *testing.T) {
	t.Parallel()
	accented := answers
	accented.Messages = slices.Clone(answers.Messages)
	accented.Messages[1].Text = "Yes, that's très bien and café crème."
	inEachDialect(t, Model, func(t *testing.T, m model.Model) {
		calls, _, done, err := hear(t.Context(), m, accented)
		if err != nil || done.Finish != model.Called || len(calls) != 1 ||
			calls[0].Arguments != `{"key":"coming","quote":"Yes, that's très bien and café crème.","value":true}` {
			t.Errorf("%v, %+v, %v", calls, done, err)
		}
	})
}

// A client asks for a JSON value in the way of its dialect.
func TestSchema(t *testing.T) {
	t.Parallel()
	asked := model.Request{
		System: "<criterion>The agent says “Monday”.</criterion>", Schema: &model.Schema{
			Name: "verdict", Value: json.RawMessage(`{"type":"object","properties":{"verdict":{"type":"string"}}}`),
		},
		Messages: []model.Message{{Role: model.User, Text: "Agent: See you on Monday."}},
	}
	inEachDialect(t, Model, func(t *testing.T, m model.Model) {
		calls, text, done, err := hear(t.Context(), m, asked)
		if err != nil || len(calls) != 0 || done.Finish != model.Complete ||
			!strings.Contains(text, `"verdict":"pass"`) {
			t.Errorf("%q, %v, %+v, %v", text, calls, done, err)
		}
	})
	inEachDialect(t, "sandbox-prose", func(t *testing.T, m model.Model) {
		if _, text, _, err := hear(t.Context(), m, analyzes); err != nil || json.Valid([]byte(text)) {
			t.Errorf("%q, %v", text, err)
		}
	})
}

// The first token takes as long as that of a model, divided by the speed.
func TestFirstToken(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]time.Duration{
		Model: firstToken / speed, "sandbox-slow": (firstToken + 3*time.Second) / speed,
	} {
		inEachDialect(t, name, func(t *testing.T, m model.Model) {
			at := time.Now()
			for d, err := range m.Stream(t.Context(), asksFirst) {
				if took := time.Since(at); err != nil || took < want {
					t.Errorf("%v, %v after %s, want at least %s", d, err, took, want)
				}
				break
			}
		})
	}
}

// What a stream that has gone silent said before arrives, and nothing ends it but the client.
func TestSilence(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"sandbox-stall": "Will you ", "sandbox-silent": ""} {
		inEachDialect(t, name, func(t *testing.T, m model.Model) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			text, last := "", error(nil)
			if text == want {
				time.AfterFunc(50*time.Millisecond, cancel)
			}
			for d, err := range m.Stream(ctx, asksFirst) {
				if words, ok := d.(model.Text); ok {
					text += string(words)
				}
				if text == want {
					time.AfterFunc(50*time.Millisecond, cancel)
				}
				last = err
			}
			if text != want || !errors.Is(last, context.Canceled) {
				t.Errorf("%q, %v", text, last)
			}
		})
	}
}

// An answer that does not end is ended by the client.
func TestEndless(t *testing.T) {
	t.Parallel()
	for dialect, m := range clients(t, "sandbox-endless", Options{Speed: 1e9}) {
		_, text, done, err := hear(t.Context(), m, asksFirst)
		if e, ok := errors.AsType[*model.Error](err); !ok ||
			e.Reason != "The answer of the model server does not end" || done != nil || len(text) < 100_000 {
			t.Errorf("%s: %d characters, %+v, %v", dialect, len(text), done, err)
		}
	}
}

func hear(
	ctx context.Context, m model.Model, r model.Request,
) (calls []model.ToolCall, text string, done *model.Done, last error) {
	for d, err := range m.Stream(ctx, r) {
		switch d := d.(type) {
		case model.Text:
			text += string(d)
		case model.ToolCall:
			calls = append(calls, d)
		case model.Done:
			done = &d
		}
		last = err
	}
	return calls, text, done, last
}

func failed(kind model.ErrorKind, after time.Duration) func([]model.ToolCall, string, *model.Done, error) bool {
	return func(_ []model.ToolCall, _ string, done *model.Done, err error) bool {
		e, ok := errors.AsType[*model.Error](err)
		return ok && e.Kind == kind && e.RetryAfter == after && done == nil
	}
}

func spoke(want string, finish model.Finish) func([]model.ToolCall, string, *model.Done, error) bool {
	return func(_ []model.ToolCall, text string, done *model.Done, err error) bool {
		return err == nil && text == want && done != nil && done.Finish == finish
	}
}
