package model

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

const (
	messageStart  = `{"type":"message_start","message":{"model":"c-1","usage":{"input_tokens":100,"cache_read_input_tokens":40,"output_tokens":1}}}`
	textStart     = `{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`
	textDelta     = `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"I am Ada."}}`
	thinking      = `{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"hm"}}`
	blockStop     = `{"type":"content_block_stop","index":0}`
	toolStart     = `{"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"t1","name":"end_call","input":{}}}`
	toolDelta     = `{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\"reason\":\"done\"}"}}`
	messageEnd    = `{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":9}}`
	messageCalled = `{"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":9}}`
	messageCut    = `{"type":"message_delta","delta":{"stop_reason":"max_tokens"},"usage":{"output_tokens":9}}`
	messageStop   = `{"type":"message_stop"}`
	ping          = `{"type":"ping"}`
)

func serveMessages(t *testing.T, text string) (m *Messages, requests chan map[string]any) {
	t.Helper()
	requests = make(chan map[string]any, 9)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body map[string]any
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			t.Error(err)
		}
		if r.URL.Path != "/v1/messages" || r.Header.Get("X-Api-Key") != "key" ||
			r.Header.Get("Anthropic-Version") != "2023-06-01" {
			t.Errorf("%s with %v", r.URL.Path, r.Header)
		}
		requests <- body
		_, _ = io.WriteString(w, text)
	}))
	t.Cleanup(server.Close)
	return NewMessages(server.Client(), server.URL+"/v1", "key", "c"), requests
}

func TestMessages(t *testing.T) {
	t.Parallel()
	m, _ := serveMessages(t, event(messageStart, ping, textStart, thinking, textDelta, blockStop, messageEnd, messageStop))
	got := hear(t.Context(), m, asked)
	if got.err != nil || got.text != "I am Ada." || *got.done != (Done{Complete, Usage{Input: 140, Cached: 40, Output: 9}, "c-1"}) {
		t.Errorf("got %+v %+v", got, got.done)
	}
	m, _ = serveMessages(t, event(messageStart, textStart, textDelta, blockStop, toolStart, toolDelta, blockStop, messageCalled, messageStop))
	got = hear(t.Context(), m, asked)
	if got.err != nil || len(got.calls) != 1 || got.calls[0] != (ToolCall{"t1", "end_call", `{"reason":"done"}`}) ||
		got.text != "I am Ada." || got.done.Finish != Called {
		t.Errorf("got %+v %+v", got, got.done)
	}
	m, _ = serveMessages(t, event(messageStart, toolStart, toolDelta, blockStop, messageCalled, messageStop))
	got = hear(t.Context(), m, Request{Messages: asked.Messages, Schema: &Schema{Name: "analysis"}})
	if got.text != `{"reason":"done"}` || len(got.calls) != 0 || got.done.Finish != Complete {
		t.Errorf("a JSON value: %+v %+v", got, got.done)
	}
	m, _ = serveMessages(t, event(messageStart, toolStart, toolDelta, blockStop, messageCut, messageStop))
	got = hear(t.Context(), m, asked)
	if got.err != nil || len(got.calls) != 0 || got.done.Finish != Length {
		t.Errorf("a call that length cuts: %+v %+v", got, got.done)
	}
	for name, text := range map[string]string{
		"the end is missing": event(messageStart, textStart, textDelta),
		"an error within":    event(messageStart, textDelta, `{"type":"error","error":{"type":"overloaded_error"}}`),
		"not JSON":           event(messageStart, "{oops"),
	} {
		m, _ = serveMessages(t, text)
		if got := hear(t.Context(), m, asked); got.err == nil || KindOf(got.err) != Unavailable || got.done != nil {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// The first message is the person's, and messages of both sides alternate.
func TestMessagesHistory(t *testing.T) {
	t.Parallel()
	m, requests := serveMessages(t, event(messageEnd))
	hear(t.Context(), m, Request{
		System:   "Be brief.",
		CacheKey: "agent_1",
		Messages: []Message{
			{Role: Assistant, Text: "Hi, this is Ada."},
			{Role: User, Text: "Yes."},
			{Role: Assistant, Text: "Fine.", Calls: []ToolCall{{ID: "t1", Name: "record_answer", Arguments: `{"key":"ok"}`}}},
			{Role: Result, CallID: "t1", Text: `{"saved":true}`},
			{Role: User, Text: "Bye."},
		},
		Tools: []Tool{{Name: "end_call", Description: "Ends the call.", Parameters: json.RawMessage(`{"type":"object"}`)}},
	})
	got, err := json.Marshal(<-requests)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"max_tokens":1024,"messages":[{"content":[{"text":"Yes.","type":"text"}],"role":"user"},` +
		`{"content":[{"text":"Fine.","type":"text"},{"id":"t1","input":{"key":"ok"},"name":"record_answer",` +
		`"type":"tool_use"}],"role":"assistant"},{"content":[{"content":"{\"saved\":true}","tool_use_id":"t1",` +
		`"type":"tool_result"},{"text":"Bye.","type":"text"}],"role":"user"}],"model":"c","stream":true,` +
		`"system":[{"cache_control":{"type":"ephemeral"},"text":"Be brief.\n\nYou have already said: ` +
		`Hi, this is Ada.","type":"text"}],"tool_choice":{"disable_parallel_tool_use":true,"type":"auto"},` +
		`"tools":[{"description":"Ends the call.","input_schema":{"type":"object"},"name":"end_call"}]}`
	if string(got) != want {
		t.Errorf("sent %s", got)
	}
}

func FuzzMessages(f *testing.F) {
	f.Add(event(messageStart, textStart, textDelta, blockStop, toolStart, toolDelta, blockStop, messageCalled, messageStop))
	f.Fuzz(func(t *testing.T, text string) {
		over := false
		readMessages(t.Context(), io.NopCloser(strings.NewReader(text)), asked, func(d Delta, err error) bool {
			if over {
				t.Errorf("%v, %v after the end", d, err)
			}
			_, last := d.(Done)
			over = last || err != nil
			return true
		})
		if !over {
			t.Error("neither an end nor an error")
		}
	})
}
