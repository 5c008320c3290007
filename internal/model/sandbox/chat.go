package sandbox

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
)

// chatDialect is chat completions.
type chatDialect struct{}

func (chatDialect) read(body io.Reader) (q request, err error) {
	err = json.NewDecoder(body).Decode(&q)
	return q, err
}

func (chatDialect) refuse(w http.ResponseWriter, status int, code, text string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]any{"error": map[string]any{"message": text, "type": code, "code": code}})
}

func (chatDialect) chunk(s *stream, choice map[string]any) bool {
	value := map[string]any{
		"id": "chatcmpl-sandbox", "object": "chat.completion.chunk", "model": s.model, "choices": []any{choice},
	}
	if s.fault.unknownFields {
		value["obfuscation"], value["moderation"] = "zzz", map[string]any{"flagged": false}
		choice["logprobs"] = nil
		choice["delta"].(map[string]any)["reasoning_content"] = "never spoken"
	}
	data, err := json.Marshal(value)
	return err == nil && s.event("data: "+string(data))
}

func (d chatDialect) delta(s *stream, delta map[string]any) bool {
	return d.chunk(s, map[string]any{"index": 0, "delta": delta, "finish_reason": nil})
}

func (d chatDialect) begin(s *stream, _ request) bool {
	return d.delta(s, map[string]any{"role": "assistant", "content": ""})
}

func (d chatDialect) word(s *stream, word string) bool {
	return d.delta(s, map[string]any{"content": word})
}

func (d chatDialect) refusal(s *stream) {
	d.delta(s, map[string]any{"refusal": "I can't help with that."})
}

func (d chatDialect) call(s *stream, name, arguments string) {
	part := func(function map[string]any, more map[string]any) bool {
		more["index"], more["function"] = 0, function
		return d.delta(s, map[string]any{"tool_calls": []any{more}})
	}
	ok := part(map[string]any{"name": name, "arguments": ""},
		map[string]any{"id": "call_" + fmt.Sprint(s.sent), "type": "function"})
	for _, text := range fragments(arguments) {
		ok = ok && part(map[string]any{"arguments": text}, map[string]any{})
	}
}

func (chatDialect) fail(s *stream) {
	s.event(`data: {"error":{"message":"The engine is overloaded","type":"server_error","code":503}}`)
}

func (d chatDialect) finish(s *stream, reason string, q request, words string) {
	if reason == refused {
		reason = stopped // the refusal has come before
	}
	if !d.chunk(s, map[string]any{"index": 0, "delta": map[string]any{}, "finish_reason": reason}) {
		return
	}
	if q.StreamOptions.IncludeUsage {
		usage, _ := json.Marshal(map[string]any{
			"model": s.model, "choices": []any{},
			"usage": map[string]int{
				"prompt_tokens": q.tokens(), "completion_tokens": tokens(words),
				"total_tokens": q.tokens() + tokens(words),
			},
		})
		s.event("data: " + string(usage))
	}
	s.event("data: [DONE]")
}
