package model

import (
	"context"
	"encoding/json"
	"io"
	"iter"
	"net/http"
	"unicode/utf8"

	"github.com/tmaxmax/go-sse"
)

const (
	// messagesVersion is the version of the dialect, sent as anthropic-version.
	messagesVersion = "2023-06-01"

	// messagesMaxTokens is MaxTokens where a request has none, because the dialect requires one.
	messagesMaxTokens = 1024
)

// Messages is a model at an endpoint that speaks Anthropic's dialect: POST {base}/messages, streamed.
type Messages struct{ endpoint }

// NewMessages makes the model with a name at an endpoint. base is its address up to /v1.
func NewMessages(client *http.Client, base, key, name string) *Messages {
	header := http.Header{}
	header.Set("X-Api-Key", key)
	header.Set("Anthropic-Version", messagesVersion)
	return &Messages{newEndpoint(client, base, "/messages", header, name)}
}

type (
	messagesRequest struct {
		Model       string            `json:"model"`
		MaxTokens   int               `json:"max_tokens"`
		System      []messagesBlock   `json:"system,omitempty"`
		Messages    []messagesMessage `json:"messages"`
		Tools       []messagesTool    `json:"tools,omitempty"`
		ToolChoice  map[string]any    `json:"tool_choice,omitempty"`
		Temperature *float64          `json:"temperature,omitempty"`
		Stream      bool              `json:"stream"`
	}
	messagesMessage struct {
		Role    string          `json:"role"`
		Content []messagesBlock `json:"content"`
	}
	messagesBlock struct {
		Type      string          `json:"type"`
		Text      string          `json:"text,omitempty"`
		ID        string          `json:"id,omitempty"`
		Name      string          `json:"name,omitempty"`
		Input     json.RawMessage `json:"input,omitempty"`
		ToolUseID string          `json:"tool_use_id,omitempty"`
		Content   string          `json:"content,omitempty"`
		Cache     *messagesCache  `json:"cache_control,omitempty"`
	}
	messagesCache struct {
		Type string `json:"type"`
	}
	messagesTool struct {
		Name        string          `json:"name"`
		Description string          `json:"description,omitempty"`
		InputSchema json.RawMessage `json:"input_schema"`
	}
	messagesEvent struct {
		Type    string `json:"type"`
		Index   int    `json:"index"`
		Message struct {
			Model string        `json:"model"`
			Usage messagesUsage `json:"usage"`
		} `json:"message"`
		Block messagesBlock `json:"content_block"`
		Delta struct {
			Type        string `json:"type"`
			Text        string `json:"text"`
			PartialJSON string `json:"partial_json"`
			StopReason  string `json:"stop_reason"`
		} `json:"delta"`
		Usage messagesUsage `json:"usage"`
		Error *serverError  `json:"error"`
	}
	messagesUsage struct {
		Input   int `json:"input_tokens"`
		Read    int `json:"cache_read_input_tokens"`
		Created int `json:"cache_creation_input_tokens"`
		Output  int `json:"output_tokens"`
	}
)

// schemaTool is the tool by which a model of this dialect answers with a JSON value.
const schemaTool = "answer"

// Stream implements Model.
func (m *Messages) Stream(ctx context.Context, r Request) iter.Seq2[Delta, error] {
	return func(yield func(Delta, error) bool) {
		body, err := m.open(ctx, m.request(r))
		if err != nil {
			yield(nil, err)
			return
		}
		readMessages(ctx, body, r, yield)
	}
}

func (m *Messages) request(r Request) messagesRequest {
	q := messagesRequest{
		Model: m.name, MaxTokens: r.MaxTokens, Temperature: r.Temperature, Stream: true,
		Messages: []messagesMessage{},
	}
	if q.MaxTokens == 0 {
		q.MaxTokens = messagesMaxTokens
	}
	system := r.System
	history := r.Messages
	// The first message must be the person's, so what the agent said before belongs to the system text.
	for len(history) > 0 && history[0].Role == Assistant && len(history[0].Calls) == 0 {
		system += "\n\nYou have already said: " + history[0].Text
		history = history[1:]
	}
	if system != "" {
		block := messagesBlock{Type: "text", Text: system}
		if r.CacheKey != "" {
			block.Cache = &messagesCache{Type: "ephemeral"}
		}
		q.System = []messagesBlock{block}
	}
	for _, message := range history {
		role, blocks := messagesBlocks(message)
		if len(blocks) == 0 {
			continue // the dialect refuses an empty message
		}
		if last := len(q.Messages) - 1; last >= 0 && q.Messages[last].Role == role {
			q.Messages[last].Content = append(q.Messages[last].Content, blocks...)
			continue
		}
		q.Messages = append(q.Messages, messagesMessage{Role: role, Content: blocks})
	}
	for _, t := range r.Tools {
		tool := messagesTool{Name: t.Name, Description: t.Description, InputSchema: t.Parameters}
		if tool.InputSchema == nil {
			tool.InputSchema = json.RawMessage(`{"type":"object"}`) // the dialect requires one
		}
		q.Tools = append(q.Tools, tool)
		q.ToolChoice = map[string]any{"type": "auto", "disable_parallel_tool_use": true}
	}
	if r.Schema != nil {
		q.Tools = []messagesTool{{Name: schemaTool, Description: r.Schema.Name, InputSchema: r.Schema.Value}}
		q.ToolChoice = map[string]any{"type": "tool", "name": schemaTool}
	}
	return q
}

// messagesBlocks writes a message. The result of a tool is a message of the user.
func messagesBlocks(m Message) (role string, blocks []messagesBlock) {
	if m.Role == Result {
		return "user", []messagesBlock{{Type: "tool_result", ToolUseID: m.CallID, Content: m.Text}}
	}
	if m.Text != "" {
		blocks = append(blocks, messagesBlock{Type: "text", Text: m.Text})
	}
	for _, call := range m.Calls {
		input := json.RawMessage(call.Arguments)
		if !json.Valid(input) {
			input = json.RawMessage(`{}`)
		}
		blocks = append(blocks, messagesBlock{Type: "tool_use", ID: call.ID, Name: call.Name, Input: input})
	}
	return string(m.Role), blocks
}

var stopReasons = map[string]Finish{
	"end_turn": Complete, "stop_sequence": Complete, "tool_use": Called, "max_tokens": Length, "refusal": Refused,
	"model_context_window_exceeded": Length,
}

func readMessages(ctx context.Context, body io.ReadCloser, r Request, yield func(Delta, error) bool) {
	defer body.Close()
	var (
		done  Done
		call  *ToolCall
		calls []ToolCall
		chars int
	)
	for raw, err := range sse.Read(body, &sse.ReadConfig{MaxEventSize: maxEvent}) {
		var e messagesEvent
		if err == nil && raw.Data != "" {
			err = json.Unmarshal([]byte(raw.Data), &e)
		}
		if err != nil {
			yield(nil, broken(ctx, err))
			return
		}
		text := ""
		switch e.Type {
		case "error":
			if e.Error == nil {
				e.Error = &serverError{}
			}
			yield(nil, e.Error.classify(0, nil))
			return
		case "message_start":
			u := e.Message.Usage
			done.Model = e.Message.Model
			done.Usage = Usage{Input: u.Input + u.Read + u.Created, Cached: u.Read, Output: u.Output}
		case "content_block_start":
			text, call = e.Block.Text, nil
			if e.Block.Type == "tool_use" {
				call = &ToolCall{ID: e.Block.ID, Name: e.Block.Name}
			}
		case "content_block_delta":
			text = e.Delta.Text
			if call != nil {
				call.Arguments += e.Delta.PartialJSON
			}
		case "content_block_stop":
			if call != nil {
				if call.Arguments == "" {
					call.Arguments = "{}"
				}
				calls, call = append(calls, *call), nil
			}
		case "message_delta":
			done.Usage.Output = max(done.Usage.Output, e.Usage.Output)
			if done.Finish = stopReasons[e.Delta.StopReason]; done.Finish == "" && e.Delta.StopReason != "" {
				done.Finish = Complete // an unknown reason ended a complete answer
			}
		}
		if e.Type == "message_stop" {
			break
		}
		chars += utf8.RuneCountInString(text)
		if text != "" && !yield(Text(text), nil) {
			return
		}
	}
	if err := ctx.Err(); err != nil {
		yield(nil, err)
		return
	}
	if done.Finish == "" {
		yield(nil, broken(ctx, io.ErrUnexpectedEOF))
		return
	}
	if done.Finish == Length || done.Finish == Refused {
		calls = nil // the last call may have been cut
	}
	for _, c := range calls {
		if r.Schema != nil {
			if !yield(Text(c.Arguments), nil) {
				return
			}
			done.Finish = Complete
			continue
		}
		if !yield(c, nil) {
			return
		}
	}
	if done.Usage == (Usage{}) {
		done.Usage = Estimate(r, chars)
	}
	yield(done, nil)
}
