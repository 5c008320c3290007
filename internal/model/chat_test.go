package model

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// served is a server whose answers a test writes. It keeps the requests.
type served struct {
	*Chat
	requests chan map[string]any
}

func serve(t *testing.T, answer http.HandlerFunc) served {
	t.Helper()
	s := served{requests: make(chan map[string]any, 20)}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body map[string]any
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			t.Error(err)
		}
		if r.URL.Path != "/v1/chat/completions" || r.Header.Get("Authorization") != "Bearer key" {
			t.Errorf("%s with %q", r.URL.Path, r.Header.Get("Authorization"))
		}
		s.requests <- body
		answer(w, r)
	}))
	t.Cleanup(server.Close)
	s.Chat = NewChat(server.Client(), server.URL+"/v1/", "key", "m")
	return s
}

// stream is a server that answers with a stream.
func stream(t *testing.T, text string) served {
	return serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, text)
	})
}

// heard is an answer as the tests compare it.
type heard struct {
	text  string
	calls []ToolCall
	done  *Done
	err   error
}

func hear(ctx context.Context, m Model, r Request) (h heard) {
	for d, err := range m.Stream(ctx, r) {
		switch d := d.(type) {
		case Text:
			h.text += string(d)
		case ToolCall:
			h.calls = append(h.calls, d)
		case Done:
			h.done = &d
		}
		if err != nil {
			h.err = err
		}
	}
	return h
}

var asked = Request{System: "Be brief.", Messages: []Message{{Role: User, Text: "Who is this?"}}}

const (
	contentI    = `{"id":"x","model":"m-2","choices":[{"index":0,"delta":{"role":"assistant","content":"I "},"finish_reason":null}],"usage":null}`
	contentAm   = `{"id":"x","model":"m-2","choices":[{"index":0,"delta":{"content":"am Ada."},"finish_reason":null}]}`
	stop        = `{"id":"x","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`
	usage       = `{"choices":[],"usage":{"prompt_tokens":812,"completion_tokens":24,"prompt_tokens_details":{"cached_tokens":640}}}`
	done        = "data: [DONE]\n\n"
	callBegins  = `{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"c1","type":"function","function":{"name":"record_answer","arguments":""}}]}}]}`
	callGoesOn  = `{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"key\":"}}]}}]}`
	callEnds    = `{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"\"ok\"}"}}]}}]}`
	finishCalls = `{"choices":[{"delta":{},"finish_reason":"tool_calls"}]}`
)

func event(values ...string) string {
	var b strings.Builder
	for _, v := range values {
		b.WriteString("data: " + v + "\n\n")
	}
	return b.String()
}

// Streams as servers write them, and what is heard.
func TestStreams(t *testing.T) {
	t.Parallel()
	answer := `{"key":"ok"}`
	tests := map[string]struct {
		stream string
		text   string
		calls  []ToolCall
		finish Finish
	}{
		"as documented":              {event(contentI, contentAm, stop, usage) + done, "I am Ada.", nil, Complete},
		"CRLF":                       {strings.ReplaceAll(event(contentI, contentAm, stop)+done, "\n", "\r\n"), "I am Ada.", nil, Complete},
		"comments between":           {": OPENROUTER PROCESSING\n\n" + strings.Repeat(": wait\n\n", 1000) + event(contentI, stop) + done, "I ", nil, Complete},
		"no space after the colon":   {strings.ReplaceAll(event(contentI, stop)+done, "data: ", "data:"), "I ", nil, Complete},
		"one line break":             {"data: " + contentI + "\ndata: " + contentAm + "\n\n" + event(stop) + done, "I am Ada.", nil, Complete},
		"no [DONE]":                  {event(contentI, stop), "I ", nil, Complete},
		"no line break at the end":   {event(contentI, stop) + "data: [DONE]", "I ", nil, Complete},
		"event names and IDs":        {"event: message\nid: 7\n" + event(contentI, stop) + done, "I ", nil, Complete},
		"unknown fields":             {event(`{"obfuscation":"zz","choices":[{"delta":{"content":"Yes.","reasoning_content":"hm","reasoning":"hm"},"logprobs":null}]}`, stop) + done, "Yes.", nil, Complete},
		"content and reason at once": {event(`{"choices":[{"delta":{"content":"Yes."},"finish_reason":"stop"}]}`) + done, "Yes.", nil, Complete},
		"length":                     {event(contentI, `{"choices":[{"delta":{},"finish_reason":"length"}]}`) + done, "I ", nil, Length},
		"filter":                     {event(`{"choices":[{"delta":{},"finish_reason":"content_filter"}]}`) + done, "", nil, Refused},
		"refusal":                    {event(`{"choices":[{"delta":{"refusal":"I can't."}}]}`, stop) + done, "", nil, Refused},
		"unknown reason":             {event(contentI, `{"choices":[{"delta":{},"finish_reason":"eos"}]}`) + done, "I ", nil, Complete},
		"call in fragments":          {event(callBegins, callGoesOn, callEnds, finishCalls) + done, "", []ToolCall{{"c1", "record_answer", answer}}, Called},
		"call in one chunk, stop":    {event(`{"choices":[{"delta":{"content":"Fine.","tool_calls":[{"id":"c1","function":{"name":"record_answer","arguments":"{\"key\":\"ok\"}"}}]}}]}`, stop) + done, "Fine.", []ToolCall{{"c1", "record_answer", answer}}, Called},
		"call without ID":            {event(`{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"name":"end_call","arguments":""}}]}}]}`, finishCalls) + done, "", []ToolCall{{"call_0", "end_call", "{}"}}, Called},
		"two calls at one index":     {event(callBegins, callEnds, `{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"c2","function":{"name":"end_call","arguments":"{}"}}]}}]}`, finishCalls) + done, "", []ToolCall{{"c1", "record_answer", `"ok"}`}, {"c2", "end_call", "{}"}}, Called},
		"end after one line break":   {event(contentI) + "data: " + stop + "\ndata: [DONE]\n\n", "I ", nil, Complete},
		"call that length cuts":      {event(callBegins, callGoesOn, `{"choices":[{"delta":{},"finish_reason":"length"}]}`) + done, "", nil, Length},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := hear(t.Context(), stream(t, test.stream), asked)
			if got.err != nil || got.done == nil {
				t.Fatalf("%+v", got)
			}
			if got.text != test.text || got.done.Finish != test.finish || len(got.calls) != len(test.calls) {
				t.Fatalf("got %+v %+v", got, got.done)
			}
			for i, call := range got.calls {
				if call != test.calls[i] {
					t.Errorf("got %+v, want %+v", call, test.calls[i])
				}
			}
		})
	}
	got := hear(t.Context(), stream(t, event(contentI, stop, usage)+done), asked).done
	if got.Model != "m-2" || got.Usage != (Usage{Input: 812, Cached: 640, Output: 24}) {
		t.Errorf("counted %+v", got)
	}
	got = hear(t.Context(), stream(t, event(contentAm, stop)+done), asked).done
	if got.Usage != (Usage{Input: 6, Output: 2, Estimated: true}) {
		t.Errorf("estimated %+v", got)
	}
}

// A stream that breaks off, or that no model writes, is an error after the words before it.
func TestBrokenStreams(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"the end is missing": event(contentI, contentAm),
		"an empty answer":    "",
		"not JSON":           event(contentI, "{oops"),
		"a text":             "Welcome",
		"an error within":    event(contentI, `{"error":{"message":"overloaded","code":503}}`, contentAm),
		"an endless event":   event(contentI) + "data: " + strings.Repeat("x", 2*maxEvent),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := hear(t.Context(), stream(t, text), asked)
			if got.err == nil || KindOf(got.err) != Unavailable || got.done != nil {
				t.Errorf("got %+v", got)
			}
		})
	}
}

// Statuses and codes mean different things for the next request.
func TestRefusals(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		status int
		body   string
		kind   ErrorKind
		code   string
	}{
		"quota":           {429, `{"error":{"message":"m","type":"insufficient_quota","code":"insufficient_quota"}}`, Unusable, "insufficient_quota"},
		"rate":            {429, `{"error":{"message":"m","type":"requests","code":"rate_limit_exceeded"}}`, Throttled, "rate_limit_exceeded"},
		"rate, no body":   {429, ``, Throttled, ""},
		"key":             {401, `{"error":{"message":"Incorrect API key provided: sk-secret","code":"invalid_api_key"}}`, Unusable, "invalid_api_key"},
		"no such model":   {404, `{"error":{"message":"m","code":"model_not_found"}}`, Unusable, "model_not_found"},
		"Ollama's text":   {404, `{"error":"model 'm' not found"}`, Unusable, ""},
		"no such page":    {404, `<html>`, Unusable, ""},
		"Ollama's object": {404, `{"error":{"message":"model 'm' not found, try pulling it first","type":"api_error"}}`, Unusable, "api_error"},
		"vLLM, too long":  {400, `{"error":{"message":"This model's maximum context length is 4096 tokens","code":400}}`, TooLong, ""},
		"a sentence":      {400, `{"error":{"message":"m","code":"your key is sk-secret"}}`, Invalid, ""},
		"too long":        {400, `{"error":{"message":"m","code":"context_length_exceeded","param":"messages"}}`, TooLong, "context_length_exceeded"},
		"invalid":         {400, `{"error":{"message":"m","code":"bad","param":"messages"}}`, Invalid, "bad"},
		"500":             {500, `oops`, Unavailable, ""},
		"overloaded":      {529, `{"error":{"type":"overloaded_error"}}`, Unavailable, "overloaded_error"},
		"redirect to app": {204, ``, Unusable, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Retry-After", "2.5")
				w.WriteHeader(test.status)
				_, _ = io.WriteString(w, test.body)
			})
			err := hear(t.Context(), s, asked).err
			e, ok := errors.AsType[*Error](err)
			if !ok || e.Kind != test.kind || e.Code != test.code || e.Status != test.status {
				t.Fatalf("got %+v", err)
			}
			if test.kind == Throttled && e.RetryAfter != 2500*time.Millisecond {
				t.Errorf("retry after %s", e.RetryAfter)
			}
			if strings.Contains(e.Error(), "sk-secret") {
				t.Errorf("the key is in %q", e)
			}
		})
	}
}

// An answer that is no event stream says so, and an error in it counts.
func TestNoEventStream(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ kind, body, want string }{
		"a page":    {"text/html", "<html>", "The server at the address does not answer with an event stream"},
		"an object": {"application/json; charset=utf-8", `{"choices":[]}`, "The server at the address does not answer with an event stream"},
		"an error": {"application/json", `{"error":{"message":"m","code":"model_not_found"}}`,
			"The model server does not have the model (model_not_found)"},
	} {
		s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", test.kind)
			_, _ = io.WriteString(w, test.body)
		})
		if err := hear(t.Context(), s, asked).err; err == nil || err.Error() != test.want || KindOf(err) != Unusable {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A redirect is not followed, so no other host sees the key.
func TestNoRedirect(t *testing.T) {
	t.Parallel()
	other := serve(t, func(http.ResponseWriter, *http.Request) {})
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, other.url, http.StatusTemporaryRedirect)
	})
	if err := hear(t.Context(), s, asked).err; KindOf(err) != Unusable || len(other.requests) != 0 {
		t.Errorf("%v, %d requests", err, len(other.requests))
	}
}

// Requests at the same time that are refused for the same field are all repeated.
func TestRefusedFieldAtTheSameTime(t *testing.T) {
	t.Parallel()
	var first sync.WaitGroup
	first.Add(2)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body map[string]any
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			t.Error(err)
		}
		if body["store"] == nil {
			_, _ = io.WriteString(w, event(contentI, stop)+done)
			return
		}
		first.Done()
		first.Wait()
		w.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(w, `{"error":{"message":"Unknown field","param":"store"}}`)
	}))
	t.Cleanup(server.Close)
	m := NewChat(server.Client(), server.URL+"/v1", "key", "m")
	var both sync.WaitGroup
	for range 2 {
		both.Go(func() {
			if got := hear(t.Context(), m, asked); got.err != nil || got.text != "I " {
				t.Errorf("got %+v", got)
			}
		})
	}
	both.Wait()
}

// A field that the server refuses is left out of the repeated request and of later ones.
func TestRefusedFields(t *testing.T) {
	t.Parallel()
	var left atomic.Int32
	left.Store(2)
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		switch left.Add(-1) {
		case 1:
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, `{"error":{"message":"Unsupported parameter","param":"max_completion_tokens"}}`)
		case 0:
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, `{"error":{"message":"reasoning_effort: extra fields not permitted"}}`)
		default:
			_, _ = io.WriteString(w, event(contentI, stop)+done)
		}
	})
	r := asked
	r.MaxTokens = 220
	for range 2 {
		if got := hear(t.Context(), s, r); got.err != nil || got.text != "I " {
			t.Fatalf("got %+v", got)
		}
	}
	if n := len(s.requests); n != 4 {
		t.Fatalf("%d requests", n)
	}
	if first := <-s.requests; first["max_completion_tokens"] != 220.0 || first["reasoning_effort"] != "none" {
		t.Errorf("the first request: %v", first)
	}
	for range 2 {
		<-s.requests
	}
	last := <-s.requests
	if last["max_tokens"] != 220.0 || last["max_completion_tokens"] != nil || last["reasoning_effort"] != nil {
		t.Errorf("the last request: %v", last)
	}
}

// A server that knows other names for the least thinking gets the least that it knows.
func TestLeastEffort(t *testing.T) {
	t.Parallel()
	for known, want := range map[string][]any{
		"minimal": {"none", "minimal", "minimal"},
		"low":     {"none", "minimal", "low", "low"},
		"high":    {"none", "minimal", "low", nil, nil},
	} {
		sent := make(chan any, 9)
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			var body map[string]any
			if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
				t.Error(err)
			}
			sent <- body["reasoning_effort"]
			if effort := body["reasoning_effort"]; effort != nil && effort != known {
				w.WriteHeader(http.StatusBadRequest)
				_, _ = io.WriteString(w, `{"error":{"message":"m","param":"reasoning_effort","code":"unsupported_value"}}`)
				return
			}
			_, _ = io.WriteString(w, event(contentI, stop)+done)
		}))
		t.Cleanup(server.Close)
		m := NewChat(server.Client(), server.URL+"/v1", "key", "m")
		for range 2 {
			if got := hear(t.Context(), m, asked); got.err != nil {
				t.Fatalf("%s: %+v", known, got)
			}
		}
		for i, want := range want {
			if got := <-sent; got != want {
				t.Errorf("%s: request %d has %v, want %v", known, i, got, want)
			}
		}
	}
}

// A request ends when its context is canceled, and when nobody reads on.
func TestCanceled(t *testing.T) {
	t.Parallel()
	gone := make(chan struct{}, 2)
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, event(contentI))
		w.(http.Flusher).Flush()
		<-r.Context().Done()
		gone <- struct{}{}
	})
	for _, err := range s.Stream(t.Context(), asked) {
		if err != nil {
			t.Error(err)
		}
		break
	}
	<-gone
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var last error
	for d, err := range s.Stream(ctx, asked) {
		if d != nil {
			cancel()
		}
		last = err
	}
	<-gone
	if !errors.Is(last, context.Canceled) {
		t.Errorf("the last error: %v", last)
	}
	if errors.As(last, new(*Error)) {
		t.Error("a canceled request is an error of the endpoint")
	}
}

// The history is written as the dialect wants it.
func TestChatHistory(t *testing.T) {
	t.Parallel()
	s := stream(t, event(stop)+done)
	hear(t.Context(), s, Request{
		System: "Be brief.",
		Messages: []Message{
			{Role: Assistant, Text: "Hi, this is Ada."},
			{Role: User, Text: "Yes."},
			{Role: Assistant, Calls: []ToolCall{{ID: "c1", Name: "record_answer", Arguments: `{"key":"ok"}`}}},
			{Role: Result, CallID: "c1", Text: `{"saved":true}`},
		},
		Tools:  []Tool{{Name: "end_call", Description: "Ends the call.", Parameters: json.RawMessage(`{"type":"object"}`)}},
		Schema: &Schema{Name: "analysis", Value: json.RawMessage(`{"type":"object"}`)},
	})
	got, err := json.Marshal(<-s.requests)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"messages":[{"content":"Be brief.","role":"system"},{"content":"Hi, this is Ada.","role":"assistant"},` +
		`{"content":"Yes.","role":"user"},{"content":null,"role":"assistant","tool_calls":[{"function":{"arguments":` +
		`"{\"key\":\"ok\"}","name":"record_answer"},"id":"c1","type":"function"}]},` +
		`{"content":"{\"saved\":true}","role":"tool","tool_call_id":"c1"}],"model":"m","parallel_tool_calls":false,` +
		`"reasoning_effort":"none","response_format":{"json_schema":{"name":"analysis","schema":{"type":"object"},` +
		`"strict":true},"type":"json_schema"},"store":false,"stream":true,"stream_options":{"include_usage":true},` +
		`"tools":[{"function":{"description":"Ends the call.","name":"end_call","parameters":{"type":"object"}},` +
		`"type":"function"}]}`
	if string(got) != want {
		t.Errorf("sent %s", got)
	}
}

// No stream makes the reader panic, or yield something after an error or the end.
func FuzzChat(f *testing.F) {
	f.Add(event(contentI, contentAm, stop, usage) + done)
	f.Add(event(callBegins, callGoesOn, callEnds, finishCalls) + done)
	f.Fuzz(func(t *testing.T, text string) {
		over := false
		c := &Chat{}
		c.read(t.Context(), io.NopCloser(strings.NewReader(text)), asked, func(d Delta, err error) bool {
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
