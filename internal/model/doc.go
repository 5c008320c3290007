// Package model streams answers of language models. A Model is one model at one endpoint; the wire
// format of the endpoint is a dialect: chat (chat completions, as OpenAI and most servers speak it)
// or messages (Anthropic). model/sandbox is the other side of both.
//
// The clients are the product's own. What others cost, on 2026-11-24, beside a program with net/http alone (stripped),
// and per token of a stream that is in memory:
//
//	                            binary   first build   allocations per token
//	this package                     -             -   20
//	openai-go v3.96          + 19.0 MB         187 s   50
//	anthropic-sdk-go v1.84   +  6.1 MB             -   45
//	go-openai v1.43          +  0.7 MB           3 s   16
//
// All of them take an HTTP client, so the guard can dial, and end with their context. openai-go and Anthropic's own SDK
// are generated from one vendor's API each. sashabaranov/go-openai reads lines of any length, reports an error within a
// stream only after the server has sent more, hides Retry-After, and reads one line as one event. The event stream
// itself is read by tmaxmax/go-sse, which bounds the size of an event.
package model
