// Package model streams answers of language models. A Model is one model at one endpoint; the wire
// format of the endpoint is a dialect: chat (chat completions, as OpenAI and most servers speak it)
// or messages (Anthropic). model/sandbox is the other side of the chat dialect.
//
// The clients are the product's own. openai-go v3 adds 26 MB to the binary and minutes to a build.
// sashabaranov/go-openai adds 0.5 MB, but reads lines of any length, reports an error within a
// stream only after the server has sent more, hides Retry-After, and reads one line as one event.
// The event stream itself is read by tmaxmax/go-sse, which bounds the size of an event.
package model
