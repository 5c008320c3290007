package model

import (
	"context"
	"encoding/json"
	"iter"
)

// Model streams answers. It is safe for concurrent use.
type Model interface {
	// Stream requests an answer and yields its parts as they arrive. The last one is a Done, unless
	// an error ends the answer. Every error is an *Error or that of the context. A canceled context
	// or the end of the loop also ends the request. Each use of the sequence is a new request.
	Stream(ctx context.Context, r Request) iter.Seq2[Delta, error]

	// Prewarm makes the connection to the server before the first request needs it, which saves the
	// time of TLS. Its errors say nothing about the next request.
	Prewarm(ctx context.Context) error
}

// Request is a request for one answer.
type Request struct {
	System    string // comes before the messages
	Messages  []Message
	Tools     []Tool
	MaxTokens int // of the answer; 0: the dialect's default

	// Temperature and the fields below are left out if they are zero, and if the endpoint has refused
	// them before.
	Temperature *float64
	CacheKey    string // requests with the same beginning have the same key
	Schema      *Schema
}

// Role is whose words a message has.
type Role string

// Values of Role.
const (
	User      Role = "user"      // the person on the phone
	Assistant Role = "assistant" // the agent: only what was played
	Result    Role = "tool"      // the result of a tool
)

// Message is one entry of the history.
type Message struct {
	Role   Role
	Text   string
	Calls  []ToolCall // of Assistant
	CallID string     // of Result: the ID of the ToolCall
}

// Tool is a function that the model may call.
type Tool struct {
	Name        string // at most 64 of a-z, A-Z, 0-9, _ and -
	Description string
	Parameters  json.RawMessage // a JSON schema of an object
}

// Schema makes the answer a JSON value.
type Schema struct {
	Name  string
	Value json.RawMessage // a JSON schema; every property is required and no other is allowed
}

// Delta is a part of an answer: Text, ToolCall or Done.
type Delta interface{ delta() }

// Text is a fragment of the words.
type Text string

// ToolCall is a complete call of a tool. The arguments are what the model wrote, so they may be
// invalid. An ID is unique within an answer.
type ToolCall struct {
	ID        string
	Name      string
	Arguments string // JSON of an object, as the model wrote it; never empty
}

// Done ends an answer.
type Done struct {
	Finish Finish
	Usage  Usage
	Model  string // as the server names it; empty: it did not
}

func (Text) delta()     {}
func (ToolCall) delta() {}
func (Done) delta()     {}

// Finish is why an answer ended.
type Finish string

// Values of Finish.
const (
	Complete Finish = "complete" // it said what it had to say
	Called   Finish = "called"   // it waits for results of tools
	Length   Finish = "length"   // MaxTokens cut it
	Refused  Finish = "refused"  // the model or a filter of its server refused; text of a refusal is not yielded
)

// Usage counts the tokens of an answer.
type Usage struct {
	Input     int
	Cached    int // of Input, read from the server's cache
	Output    int
	Estimated bool // the server did not count; 4 characters are a token
}

// Add adds the tokens of another answer.
func (u *Usage) Add(other Usage) {
	u.Input += other.Input
	u.Cached += other.Cached
	u.Output += other.Output
	u.Estimated = u.Estimated || other.Estimated
}
