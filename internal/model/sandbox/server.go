package sandbox

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// Model is the name of the model without faults.
const Model = "sandbox"

// Options configure a server.
type Options struct {
	FirstToken time.Duration // until the first token of an answer
	Token      time.Duration // between two tokens
}

// Server answers POST /v1/chat/completions. It keeps nothing between requests, so any number may run.
type Server struct{ o Options }

// New makes a server.
func New(o Options) *Server { return &Server{o} }

type (
	request struct {
		Model    string    `json:"model"`
		Messages []message `json:"messages"`
		Tools    []struct {
			Function struct {
				Name string `json:"name"`
			} `json:"function"`
		} `json:"tools"`
		Stream        bool `json:"stream"`
		StreamOptions struct {
			IncludeUsage bool `json:"include_usage"`
		} `json:"stream_options"`
	}
	message struct {
		Role      string `json:"role"`
		Content   string `json:"content"`
		ToolCalls []struct {
			Function struct {
				Name      string `json:"name"`
				Arguments string `json:"arguments"`
			} `json:"function"`
		} `json:"tool_calls"`
	}
)

// reply is what the rules answer: words, then at most one call of a tool.
type reply struct {
	text      string
	tool      string
	arguments map[string]any
}

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost || !strings.HasSuffix(r.URL.Path, "/chat/completions") {
		refuse(w, http.StatusNotFound, "not_found", "There is only POST /v1/chat/completions")
		return
	}
	var q request
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<20)).Decode(&q); err != nil {
		refuse(w, http.StatusBadRequest, "invalid_request", "The body is not JSON of a request")
		return
	}
	f, ok := faults[q.Model]
	switch {
	case !ok:
		refuse(w, http.StatusNotFound, "model_not_found", "The model does not exist")
		return
	case !q.Stream:
		refuse(w, http.StatusBadRequest, "unsupported", "stream must be true")
		return
	case f.refuse != nil:
		f.refuse(w)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	out := &stream{w: w, flush: http.NewResponseController(w), fault: f, model: q.Model, wait: s.o.Token, done: r.Context().Done()}
	if !out.sleep(s.o.FirstToken + f.firstToken) {
		return
	}
	out.write(answer(q), q)
}

func refuse(w http.ResponseWriter, status int, code, text string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]any{"error": map[string]any{"message": text, "type": code, "code": code}})
}

// stream writes one answer, with its fault.
type stream struct {
	w     http.ResponseWriter
	flush *http.ResponseController
	fault fault
	model string
	wait  time.Duration
	done  <-chan struct{}
	sent  int // chunks
}

func (s *stream) sleep(d time.Duration) bool {
	if d <= 0 {
		return true
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-s.done:
		return false
	}
}

// event writes raw text as one event.
func (s *stream) event(data string) bool {
	end := "\n"
	if s.fault.crlf {
		end = "\r\n"
	}
	if _, err := fmt.Fprint(s.w, "data: ", data, end, end); err != nil {
		return false
	}
	return s.flush.Flush() == nil
}

func (s *stream) chunk(choice map[string]any) bool {
	value := map[string]any{
		"id": "chatcmpl-sandbox", "object": "chat.completion.chunk", "model": s.model, "choices": []any{choice},
	}
	if s.fault.unknownFields {
		value["obfuscation"], value["moderation"] = "zzz", map[string]any{"flagged": false}
		choice["logprobs"] = nil
		choice["delta"].(map[string]any)["reasoning_content"] = "never spoken"
	}
	data, err := json.Marshal(value)
	if err != nil {
		return false
	}
	s.sent++
	return s.event(string(data))
}

func (s *stream) delta(delta map[string]any) bool {
	return s.chunk(map[string]any{"index": 0, "delta": delta, "finish_reason": nil})
}

func (s *stream) write(a reply, q request) {
	if !s.delta(map[string]any{"role": "assistant", "content": ""}) {
		return
	}
	if s.fault.refusal {
		s.delta(map[string]any{"refusal": "I can't help with that."})
		s.finish("stop", q, a)
		return
	}
	for i, word := range strings.SplitAfter(a.text, " ") {
		for again := true; again; again = s.fault.endless {
			if i > 0 && !s.sleep(s.wait) || word != "" && !s.delta(map[string]any{"content": word}) {
				return
			}
		}
		if i == 1 && s.fault.after != nil {
			s.fault.after(s)
			return
		}
	}
	if s.fault.after != nil {
		s.fault.after(s)
		return
	}
	reason := "stop"
	if a.tool != "" {
		reason = "tool_calls"
		s.call(a)
	}
	if s.fault.length {
		reason = "length"
	}
	s.finish(reason, q, a)
}

// call writes a call of a tool in fragments.
func (s *stream) call(a reply) {
	arguments, _ := json.Marshal(a.arguments)
	text := string(arguments)
	if s.fault.brokenArguments {
		text = strings.TrimSuffix(text, "}")
	}
	part := func(function map[string]any, more map[string]any) bool {
		more["index"], more["function"] = 0, function
		return s.delta(map[string]any{"tool_calls": []any{more}})
	}
	ok := part(map[string]any{"name": a.tool, "arguments": ""},
		map[string]any{"id": "call_" + fmt.Sprint(s.sent), "type": "function"})
	for ok && text != "" {
		n := min(len(text), 12)
		ok = part(map[string]any{"arguments": text[:n]}, map[string]any{})
		text = text[n:]
	}
}

func (s *stream) finish(reason string, q request, a reply) {
	if !s.chunk(map[string]any{"index": 0, "delta": map[string]any{}, "finish_reason": reason}) {
		return
	}
	if q.StreamOptions.IncludeUsage {
		in := 0
		for _, m := range q.Messages {
			in += len(m.Content)
		}
		usage, _ := json.Marshal(map[string]any{
			"model": s.model, "choices": []any{},
			"usage": map[string]int{
				"prompt_tokens": in/4 + 1, "completion_tokens": len(a.text)/4 + 1, "total_tokens": (in+len(a.text))/4 + 2,
			},
		})
		s.event(string(usage))
	}
	s.event("[DONE]")
}
