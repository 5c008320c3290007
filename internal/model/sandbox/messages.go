package sandbox

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strings"
)

// messagesDialect is Anthropic's.
type messagesDialect struct{}

// messagesRequest is a request of the dialect, as far as the rules read it.
type messagesRequest struct {
	Model    string          `json:"model"`
	Stream   bool            `json:"stream"`
	System   []messagesBlock `json:"system"`
	Messages []struct {
		Role    string          `json:"role"`
		Content []messagesBlock `json:"content"`
	} `json:"messages"`
	Tools []struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		InputSchema json.RawMessage `json:"input_schema"`
	} `json:"tools"`
	ToolChoice struct {
		Name string `json:"name"`
	} `json:"tool_choice"`
}

type messagesBlock struct {
	Type    string          `json:"type"`
	Text    string          `json:"text"`
	Name    string          `json:"name"`
	Input   json.RawMessage `json:"input"`
	Content string          `json:"content"`
}

// alreadySaid precedes what the agent said first, because the first message of this dialect is the person's.
const alreadySaid = "\n\nYou have already said: "

func (messagesDialect) read(body io.Reader) (q request, err error) {
	var m messagesRequest
	if err = json.NewDecoder(body).Decode(&m); err != nil {
		return q, err
	}
	q.Model, q.Stream = m.Model, m.Stream
	for _, block := range m.System {
		system, said, _ := strings.Cut(block.Text, alreadySaid)
		q.Messages = append(q.Messages, message{Role: "system", Content: system})
		for text := range strings.SplitSeq(said, alreadySaid) {
			if text != "" {
				q.Messages = append(q.Messages, message{Role: "assistant", Content: text})
			}
		}
	}
	for _, one := range m.Messages {
		for _, block := range one.Content {
			next := message{Role: one.Role, Content: block.Text}
			switch block.Type {
			case "tool_use":
				var call toolCall
				call.Function.Name, call.Function.Arguments = block.Name, string(block.Input)
				if last := &q.Messages[len(q.Messages)-1]; last.Role == one.Role {
					last.ToolCalls = append(last.ToolCalls, call)
					continue
				}
				next.ToolCalls = []toolCall{call}
			case "tool_result":
				next.Role, next.Content = "tool", block.Content
			}
			q.Messages = append(q.Messages, next)
		}
	}
	for _, tool := range m.Tools {
		if q.forced = m.ToolChoice.Name; tool.Name == q.forced {
			q.ResponseFormat.JSONSchema.Schema = tool.InputSchema
			continue
		}
		var one offered
		one.Function.Name, one.Function.Description = tool.Name, tool.Description
		if err = json.Unmarshal(tool.InputSchema, &one.Function.Parameters); err != nil {
			return q, err
		}
		q.Tools = append(q.Tools, one)
	}
	return q, nil
}

// refusals are the codes of this dialect for those of chat completions.
var refusals = map[string]string{
	"rate_limit_exceeded": "rate_limit_error", "insufficient_quota": "billing_error",
	"invalid_api_key": "authentication_error", "server_error": "api_error", "model_not_found": "not_found_error",
}

func (messagesDialect) refuse(w http.ResponseWriter, status int, code, text string) {
	if other := refusals[code]; other != "" {
		code = other
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]any{
		"type": "error", "error": map[string]any{"type": code, "message": text},
	})
}

func (messagesDialect) send(s *stream, kind string, event map[string]any) bool {
	event["type"] = kind
	if s.fault.unknownFields {
		event = maps.Clone(event)
		event["obfuscation"] = "zzz"
	}
	data, err := json.Marshal(event)
	return err == nil && s.event("event: "+kind, "data: "+string(data))
}

// block writes a block that the parts of delta fill.
func (d messagesDialect) block(s *stream, block map[string]any, deltas ...map[string]any) bool {
	ok := d.send(s, "content_block_start", map[string]any{"index": s.blocks, "content_block": block})
	for _, delta := range deltas {
		ok = ok && d.send(s, "content_block_delta", map[string]any{"index": s.blocks, "delta": delta})
	}
	return ok
}

func (d messagesDialect) end(s *stream) bool {
	s.blocks++
	return d.send(s, "content_block_stop", map[string]any{"index": s.blocks - 1})
}

func (d messagesDialect) begin(s *stream, q request) bool {
	if !d.send(s, "message_start", map[string]any{"message": map[string]any{
		"id": "msg_sandbox", "type": "message", "role": "assistant", "model": s.model, "content": []any{},
		"usage": map[string]int{"input_tokens": q.tokens(), "output_tokens": 1},
	}}) {
		return false
	}
	if !s.fault.unknownFields {
		return true
	}
	return d.send(s, "ping", map[string]any{}) && d.block(s, map[string]any{"type": "thinking", "thinking": ""},
		map[string]any{"type": "thinking_delta", "thinking": "never spoken"},
		map[string]any{"type": "signature_delta", "signature": "zzz"}) && d.end(s)
}

func (d messagesDialect) word(s *stream, word string) bool {
	if !s.worded {
		s.worded = true
		if !d.block(s, map[string]any{"type": "text", "text": ""}) {
			return false
		}
	}
	return d.send(s, "content_block_delta", map[string]any{
		"index": s.blocks, "delta": map[string]any{"type": "text_delta", "text": word},
	})
}

func (messagesDialect) refusal(*stream) {} // only the reason of the end says it

func (d messagesDialect) call(s *stream, name, arguments string) {
	if s.worded {
		s.worded = false
		d.end(s)
	}
	var parts []map[string]any
	for _, text := range fragments(arguments) {
		parts = append(parts, map[string]any{"type": "input_json_delta", "partial_json": text})
	}
	d.block(s, map[string]any{
		"type": "tool_use", "id": "toolu_" + fmt.Sprint(s.sent), "name": name, "input": map[string]any{},
	}, parts...)
	d.end(s)
}

func (d messagesDialect) fail(s *stream) {
	d.send(s, "error", map[string]any{
		"error": map[string]any{"type": "overloaded_error", "message": "The engine is overloaded"},
	})
}

// stopReasons are the reasons of this dialect for those of chat completions.
var stopReasons = map[string]string{
	stopped: "end_turn", called: "tool_use", cut: "max_tokens", refused: "refusal",
}

func (d messagesDialect) finish(s *stream, reason string, _ request, words string) {
	if s.worded && !d.end(s) {
		return
	}
	_ = d.send(s, "message_delta", map[string]any{
		"delta": map[string]any{"stop_reason": stopReasons[reason], "stop_sequence": nil},
		"usage": map[string]int{"output_tokens": tokens(words)},
	}) && d.send(s, "message_stop", map[string]any{})
}
