package sandbox

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/dialwright/dialwright/internal/conversation"
)

// Model is the name of the model without faults.
const Model = "sandbox"

// The times of a server, before its speed divides them. They are those of a small model in the same region.
const (
	firstToken = 300 * time.Millisecond // until the first token of an answer
	token      = 20 * time.Millisecond  // between two tokens
)

// Options configure a server.
type Options struct {
	Speed float64 // divides the times of the server; 0: 1
}

// Server answers POST /v1/chat/completions and GET /v1/models. It keeps nothing between requests, so
// any number may run.
type Server struct{ speed float64 }

// New makes a server.
func New(o Options) *Server { return &Server{cmp.Or(max(o.Speed, 0), 1)} }

func (s *Server) scaled(d time.Duration) time.Duration { return time.Duration(float64(d) / s.speed) }

type (
	request struct {
		Model    string    `json:"model"`
		Messages []message `json:"messages"`
		Tools    []struct {
			Function struct {
				Name        string `json:"name"`
				Description string `json:"description"`
				Parameters  schema `json:"parameters"`
			} `json:"function"`
		} `json:"tools"`
		Stream         bool `json:"stream"`
		ResponseFormat struct {
			JSONSchema struct {
				Schema json.RawMessage `json:"schema"`
			} `json:"json_schema"`
		} `json:"response_format"`
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
	if r.Method == http.MethodGet && strings.HasSuffix(r.URL.Path, "/models") {
		listModels(w)
		return
	}
	if r.Method != http.MethodPost || !strings.HasSuffix(r.URL.Path, "/chat/completions") {
		refuse(w, http.StatusNotFound, "not_found", "There are only POST /v1/chat/completions and GET /v1/models")
		return
	}
	var q request
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<20)).Decode(&q); err != nil {
		refuse(w, http.StatusBadRequest, "invalid_request", "The body is not JSON of a request")
		return
	}
	f, ok := of(q.Model)
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
	case f.noSchema && len(q.ResponseFormat.JSONSchema.Schema) > 0:
		refuse(w, http.StatusBadRequest, "invalid_request_error", "This response_format is not available")
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	out := &stream{
		w: w, flush: http.NewResponseController(w), fault: f, model: q.Model, wait: s.scaled(token),
		done: r.Context().Done(),
	}
	if f.burst {
		out.wait = 0
	}
	wait := f.firstToken
	if wait != stall {
		wait = s.scaled(firstToken + f.firstToken)
	}
	if !out.sleep(wait) {
		return
	}
	said, ok := analyzed(q, f)
	if !ok {
		said = answer(q)
	}
	out.write(said, q)
}

func listModels(w http.ResponseWriter) {
	var list struct {
		Object string           `json:"object"`
		Data   []map[string]any `json:"data"`
	}
	list.Object = "list"
	for _, c := range Choices() {
		list.Data = append(list.Data, map[string]any{"id": c.Name, "object": "model", "owned_by": "sandbox"})
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(list)
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
	text := "data: " + data + end + end
	for len(text) > 0 {
		size := len(text)
		if s.fault.split { // up to the next byte that is not ASCII, and this byte
			size = min(strings.IndexFunc(text, func(r rune) bool { return r >= utf8.RuneSelf })+1, size)
			if size == 0 {
				size = len(text)
			}
		}
		if _, err := io.WriteString(s.w, text[:size]); err != nil || s.flush.Flush() != nil {
			return false
		}
		text = text[size:]
	}
	return true
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
	if s.fault.empty {
		s.finish("stop", q, reply{})
		return
	}
	if s.fault.talksOnly {
		if a.tool != "" && a.text == "" {
			a.text = conversation.LinesOf(read(q).language).Goodbye
		}
		a.tool = ""
	}
	if s.fault.hours && a.arguments["named"] != nil {
		a.arguments["named"] = namedHour
	}
	if s.fault.card {
		a.text = "Sure, the card is 4111 1111 1111 1111. " + a.text
	}
	if s.fault.split {
		a.text = "Très bien, 好的. " + a.text
	}
	for i, word := range strings.SplitAfter(a.text, " ") {
		for n := 0; n == 0 || s.fault.endless; n++ {
			if i+n > 0 && !s.sleep(s.wait) || word != "" && !s.delta(map[string]any{"content": word}) {
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
				"prompt_tokens": in/4 + 1, "completion_tokens": len(a.text)/4 + 1,
				"total_tokens": in/4 + len(a.text)/4 + 2,
			},
		})
		s.event(string(usage))
	}
	s.event("[DONE]")
}
