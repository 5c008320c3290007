package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/model"
)

const system = `You call for Acme. <fields>[
	{"key": "coming", "type": "yes_no", "description": "Will you come on Monday?"},
	{"key": "guests", "type": "number", "description": "How many guests do you bring?"},
	{"key": "meal", "type": "choice", "description": "the meal", "options": ["fish", "pasta"]},
	{"key": "known", "type": "text", "description": "What is known?", "value": "yes"}
]</fields>`

var tools = []model.Tool{{Name: "record_answer"}, {Name: "end_call"}}

func open(t *testing.T, name string) *model.Chat {
	t.Helper()
	s := httptest.NewServer(New(Options{}))
	t.Cleanup(s.Close)
	return model.NewChat(s.Client(), s.URL+"/v1", "key", name)
}

// A conversation collects the fields through the client, and ends.
func TestConversation(t *testing.T) {
	t.Parallel()
	m := open(t, Model)
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
		if len(calls) > 0 && said != nil {
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
	const want = "Sorry, I did not catch that. Will you come on Monday?|This is an automated call. Will you come on Monday?|" +
		"Thank you. How many guests do you bring?|Sorry, I did not catch that. How many guests do you bring?|" +
		"Thank you. May I ask: the meal: fish, pasta?|Thank you. That was all. Have a good day."
	if got := strings.Join(heard[1:], "|"); got != want {
		t.Errorf("heard %s", got)
	}
}

// Every fault reaches the client as what it is.
func TestFaults(t *testing.T) {
	t.Parallel()
	asked := model.Request{
		System: system, Tools: tools, Messages: []model.Message{
			{Role: model.Assistant, Text: "Will you come on Monday?"}, {Role: model.User, Text: "Yes."},
		},
	}
	words := asked
	words.Messages = nil
	tests := map[string]struct {
		request model.Request
		check   func(calls []model.ToolCall, text string, done *model.Done, err error) bool
	}{
		"sandbox-429":             {words, failed(model.Throttled, 0)},
		"sandbox-429-retry-after": {words, failed(model.Throttled, 20*time.Second)},
		"sandbox-quota":           {words, failed(model.Unusable, 0)},
		"sandbox-401":             {words, failed(model.Unusable, 0)},
		"sandbox-500":             {words, failed(model.Unavailable, 0)},
		"sandbox-error":           {words, failed(model.Unavailable, 0)},
		"sandbox-cut":             {words, failed(model.Unavailable, 0)},
		"no-such-model":           {words, failed(model.Unusable, 0)},
		"sandbox-broken-json": {asked, func(calls []model.ToolCall, _ string, _ *model.Done, err error) bool {
			return err == nil && len(calls) == 1 && !json.Valid([]byte(calls[0].Arguments))
		}},
		"sandbox-crlf":           {words, spoke("Will you come on Monday?", model.Complete)},
		"sandbox-unknown-fields": {words, spoke("Will you come on Monday?", model.Complete)},
		"sandbox-refusal":        {words, spoke("", model.Refused)},
		"sandbox-length":         {words, spoke("Will you come on Monday?", model.Length)},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if calls, text, done, err := hear(t.Context(), open(t, name), test.request); !test.check(calls, text, done, err) {
				t.Errorf("%q, %v, %+v, %v", text, calls, done, err)
			}
		})
	}
	for _, name := range []string{"sandbox-stall", "sandbox-silent", "sandbox-endless", "sandbox-slow"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
			defer cancel()
			_, text, _, err := hear(ctx, open(t, name), words)
			if !errors.Is(err, context.DeadlineExceeded) || (len(text) > 0) == (name == "sandbox-silent" || name == "sandbox-slow") {
				t.Errorf("%.60q, %v", text, err)
			}
		})
	}
	for name := range faults {
		if _, tested := tests[name]; !tested && name != Model && !strings.Contains("sandbox-stall sandbox-silent sandbox-endless sandbox-slow", name) {
			t.Errorf("%s has no test", name)
		}
	}
}

func hear(ctx context.Context, m model.Model, r model.Request) (calls []model.ToolCall, text string, done *model.Done, last error) {
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
