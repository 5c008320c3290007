package model

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/tmaxmax/go-sse"
)

// maxEvent bounds one event of a stream, in bytes.
const maxEvent = 1 << 20

// Chat is a model at an endpoint that speaks chat completions: POST {base}/chat/completions, streamed.
type Chat struct {
	endpoint

	mu      sync.Mutex
	refused []string // optional fields that the endpoint does not take; effortField once for each refused value
}

// NewChat makes the model with a name at an endpoint. base is its address up to /v1. The key may be empty.
func NewChat(client *http.Client, base, key, name string) *Chat {
	header := http.Header{}
	if key != "" {
		header.Set("Authorization", "Bearer "+key)
	}
	return &Chat{endpoint: newEndpoint(client, base, "/chat/completions", header, name)}
}

type (
	chatRequest struct {
		Model             string         `json:"model"`
		Messages          []chatMessage  `json:"messages"`
		Tools             []chatTool     `json:"tools,omitempty"`
		Stream            bool           `json:"stream"`
		StreamOptions     map[string]any `json:"stream_options,omitempty"`
		MaxTokens         int            `json:"max_completion_tokens,omitempty"`
		OldMaxTokens      int            `json:"max_tokens,omitempty"` // the name before; other servers know only it
		Temperature       *float64       `json:"temperature,omitempty"`
		ReasoningEffort   string         `json:"reasoning_effort,omitempty"`
		ParallelToolCalls *bool          `json:"parallel_tool_calls,omitempty"`
		PromptCacheKey    string         `json:"prompt_cache_key,omitempty"`
		Store             *bool          `json:"store,omitempty"`
		ResponseFormat    any            `json:"response_format,omitempty"`
	}
	chatMessage struct {
		Role       string     `json:"role"`
		Content    *string    `json:"content"`
		ToolCalls  []chatCall `json:"tool_calls,omitempty"`
		ToolCallID string     `json:"tool_call_id,omitempty"`
	}
	chatCall struct {
		Index    *int         `json:"index,omitempty"`
		ID       string       `json:"id,omitempty"`
		Type     string       `json:"type,omitempty"`
		Function chatFunction `json:"function"`
	}
	chatFunction struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	}
	chatTool struct {
		Type     string         `json:"type"`
		Function chatDefinition `json:"function"`
	}
	chatDefinition struct {
		Name        string          `json:"name"`
		Description string          `json:"description,omitempty"`
		Parameters  json.RawMessage `json:"parameters,omitempty"`
	}
	chatChunk struct {
		Model   string       `json:"model"`
		Choices []chatChoice `json:"choices"`
		Usage   *chatUsage   `json:"usage"`
		Error   *serverError `json:"error"`
	}
	chatChoice struct {
		Delta  chatDelta `json:"delta"`
		Finish string    `json:"finish_reason"`
	}
	chatDelta struct {
		Content   string     `json:"content"`
		Refusal   string     `json:"refusal"`
		ToolCalls []chatCall `json:"tool_calls"`
	}
	chatUsage struct {
		Input   int `json:"prompt_tokens"`
		Output  int `json:"completion_tokens"`
		Details struct {
			Cached int `json:"cached_tokens"`
		} `json:"prompt_tokens_details"`
	}
)

// chatOptional are the fields that a server may not know, by name, and what a request does without one.
var chatOptional = map[string]func(*chatRequest){
	"stream_options": func(r *chatRequest) { r.StreamOptions = nil },
	"max_completion_tokens": func(r *chatRequest) {
		r.OldMaxTokens, r.MaxTokens = r.MaxTokens, 0
	},
	"temperature":         func(r *chatRequest) { r.Temperature = nil },
	effortField:           func(r *chatRequest) { r.ReasoningEffort = lessKnown[r.ReasoningEffort] },
	"parallel_tool_calls": func(r *chatRequest) { r.ParallelToolCalls = nil },
	"prompt_cache_key":    func(r *chatRequest) { r.PromptCacheKey = "" },
	"store":               func(r *chatRequest) { r.Store = nil },
	"response_format":     func(r *chatRequest) { r.ResponseFormat = nil },
}

// effortField is the field of how much a model thinks before it speaks. No server is asked to choose, because the usual
// default takes seconds. But servers know different names of the least.
const effortField = "reasoning_effort"

// lessKnown are the values of effortField that follow a refused one, and efforts is how many there are.
var lessKnown = map[string]string{"none": "minimal", "minimal": "low"}

const efforts = 3

// Stream implements Model. If the endpoint refuses an optional field, the request is repeated without it, and later
// requests leave the field out.
func (c *Chat) Stream(ctx context.Context, r Request) iter.Seq2[Delta, error] {
	return func(yield func(Delta, error) bool) {
		for range len(chatOptional) + efforts {
			q, left := c.request(r)
			body, err := c.open(ctx, q)
			if err == nil {
				c.read(ctx, body, r, yield)
				return
			}
			if !c.refuses(err, left) {
				yield(nil, err)
				return
			}
		}
		yield(nil, &Error{Kind: Invalid, Reason: "The model server refuses each form of the request"})
	}
}

// refuses notes the optional field that an error is about. It is false for every other error, and for a field that
// the request had left out. Requests at the same time may be refused for the same field.
func (c *Chat) refuses(err error, left []string) bool {
	e, ok := errors.AsType[*Error](err)
	if !ok || e.Kind != Invalid || chatOptional[e.Param] == nil {
		return false
	}
	times, most := count(left, e.Param), 1
	if e.Param == effortField {
		most = efforts
	}
	if times >= most {
		return false
	}
	next := times + 1
	if e.Param == effortField && !e.aboutValue() {
		next = most // the server does not know the field at all
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for count(c.refused, e.Param) < next {
		c.refused = append(slices.Clip(c.refused), e.Param)
	}
	return true
}

func count(fields []string, field string) (n int) {
	for _, f := range fields {
		if f == field {
			n++
		}
	}
	return n
}

// aboutValue reports whether the server knows the field and refuses its value.
func (e *Error) aboutValue() bool {
	return strings.Contains(e.Code, "value") || e.Err != nil && strings.Contains(e.Err.Error(), "should be")
}

// request writes a request. left are the optional fields that it leaves out because the endpoint refused them, or whose
// value it has changed for that reason, once for each refusal.
func (c *Chat) request(r Request) (q chatRequest, left []string) {
	no := false
	q = chatRequest{
		Model:           c.name,
		Stream:          true,
		StreamOptions:   map[string]any{"include_usage": true},
		MaxTokens:       r.MaxTokens,
		Temperature:     r.Temperature,
		ReasoningEffort: "none", // see effortField
		PromptCacheKey:  r.CacheKey,
		Store:           &no,
	}
	if r.System != "" {
		q.Messages = append(q.Messages, chatMessage{Role: "system", Content: &r.System})
	}
	for _, m := range r.Messages {
		cm := chatMessage{Role: string(m.Role), ToolCallID: m.CallID}
		if m.Text != "" || len(m.Calls) == 0 {
			cm.Content = &m.Text
		}
		for _, call := range m.Calls {
			cm.ToolCalls = append(cm.ToolCalls, chatCall{
				ID: call.ID, Type: "function", Function: chatFunction{Name: call.Name, Arguments: call.Arguments},
			})
		}
		q.Messages = append(q.Messages, cm)
	}
	for _, t := range r.Tools {
		q.Tools = append(q.Tools, chatTool{Type: "function", Function: chatDefinition(t)})
		q.ParallelToolCalls = &no
	}
	if r.Schema != nil {
		q.ResponseFormat = map[string]any{"type": "json_schema", "json_schema": map[string]any{
			"name": r.Schema.Name, "strict": true, "schema": r.Schema.Value,
		}}
	}
	c.mu.Lock()
	left = c.refused
	c.mu.Unlock()
	for _, field := range left {
		chatOptional[field](&q)
	}
	return q, left
}

// chatAnswer is what a stream has said so far.
type chatAnswer struct {
	calls   []ToolCall
	indexes []int // of calls
	done    Done
	chars   int // yielded, to estimate tokens
	refusal bool
}

func (c *Chat) read(ctx context.Context, body io.ReadCloser, r Request, yield func(Delta, error) bool) {
	defer body.Close()
	var a chatAnswer
	for event, err := range sse.Read(body, &sse.ReadConfig{MaxEventSize: maxEvent}) {
		if err != nil {
			yield(nil, broken(ctx, err))
			return
		}
		// Some servers end an event with one line break, so one event may have several values.
		data, ended := strings.CutSuffix(strings.TrimSpace(event.Data), "[DONE]")
		values := json.NewDecoder(strings.NewReader(data))
		for values.More() {
			var chunk chatChunk
			if err := values.Decode(&chunk); err != nil {
				yield(nil, broken(ctx, err))
				return
			}
			if chunk.Error != nil {
				yield(nil, chunk.Error.classify(0, nil))
				return
			}
			if text := a.take(chunk); text != "" && !yield(Text(text), nil) {
				return
			}
		}
		if ended {
			break
		}
	}
	if err := ctx.Err(); err != nil {
		yield(nil, err)
		return
	}
	if a.done.Finish == "" {
		yield(nil, broken(ctx, io.ErrUnexpectedEOF))
		return
	}
	for _, call := range a.complete() {
		if !yield(call, nil) {
			return
		}
	}
	if a.done.Usage == (Usage{}) {
		a.done.Usage = Estimate(r, a.chars)
	}
	yield(a.done, nil)
}

// take adds a chunk, and returns the words in it that are ready to be spoken.
func (a *chatAnswer) take(chunk chatChunk) string {
	if chunk.Model != "" {
		a.done.Model = chunk.Model
	}
	if u := chunk.Usage; u != nil {
		a.done.Usage = Usage{Input: u.Input, Cached: u.Details.Cached, Output: u.Output}
	}
	if len(chunk.Choices) == 0 {
		return ""
	}
	choice := chunk.Choices[0]
	if choice.Finish != "" {
		a.done.Finish = finishes[choice.Finish]
		if a.done.Finish == "" {
			a.done.Finish = Complete // an unknown reason ended a complete answer
		}
	}
	a.refusal = a.refusal || choice.Delta.Refusal != ""
	for position, fragment := range choice.Delta.ToolCalls {
		a.merge(position, fragment)
	}
	a.chars += utf8.RuneCountInString(choice.Delta.Content)
	return choice.Delta.Content
}

var finishes = map[string]Finish{
	"stop": Complete, "length": Length, "tool_calls": Called, "function_call": Called, "content_filter": Refused,
}

// merge adds a fragment to its call. A server may leave out the index, and may begin another call at an index.
func (a *chatAnswer) merge(position int, f chatCall) {
	index := position
	if f.Index != nil {
		index = *f.Index
	}
	last := -1
	for i, of := range a.indexes {
		if of == index {
			last = i
		}
	}
	if last < 0 || f.ID != "" && a.calls[last].ID != "" && f.ID != a.calls[last].ID {
		a.calls, a.indexes = append(a.calls, ToolCall{}), append(a.indexes, index)
		last = len(a.calls) - 1
	}
	call := &a.calls[last]
	if call.ID == "" {
		call.ID = f.ID
	}
	if call.Name == "" {
		call.Name = f.Function.Name
	}
	call.Arguments += f.Function.Arguments
}

// complete returns the calls, and corrects the reason of the end: some servers say "stop" after a call.
func (a *chatAnswer) complete() []ToolCall {
	for i := range a.calls {
		call := &a.calls[i]
		if call.ID == "" {
			call.ID = "call_" + strconv.Itoa(i)
		}
		if strings.TrimSpace(call.Arguments) == "" {
			call.Arguments = "{}"
		}
	}
	switch {
	case a.refusal:
		a.done.Finish = Refused
	case a.done.Finish == Complete && len(a.calls) > 0:
		a.done.Finish = Called
	case a.done.Finish == Length || a.done.Finish == Refused:
		return nil // the last call may have been cut
	}
	return a.calls
}
