package sandbox

import (
	"cmp"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"time"
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

// Server answers POST /v1/chat/completions, POST /v1/messages and GET /v1/models. It keeps nothing between requests,
// so any number may run.
type Server struct{ speed float64 }

// New makes a server.
func New(o Options) *Server { return &Server{cmp.Or(max(o.Speed, 0), 1)} }

func (s *Server) scaled(d time.Duration) time.Duration { return time.Duration(float64(d) / s.speed) }

type (
	// request is one of chat completions. A request of the other dialect is turned into it.
	request struct {
		Model          string    `json:"model"`
		Messages       []message `json:"messages"`
		Tools          []offered `json:"tools"`
		Stream         bool      `json:"stream"`
		ResponseFormat struct {
			JSONSchema struct {
				Schema json.RawMessage `json:"schema"`
			} `json:"json_schema"`
		} `json:"response_format"`
		StreamOptions struct {
			IncludeUsage bool `json:"include_usage"`
		} `json:"stream_options"`
		forced string // the tool whose arguments are the answer; empty: words are
	}
	// offered is a tool that the request offers.
	offered struct {
		Function struct {
			Name        string `json:"name"`
			Description string `json:"description"`
			Parameters  schema `json:"parameters"`
		} `json:"function"`
	}
	message struct {
		Role      string     `json:"role"`
		Content   string     `json:"content"`
		ToolCalls []toolCall `json:"tool_calls"`
	}
	toolCall struct {
		Function struct {
			Name      string `json:"name"`
			Arguments string `json:"arguments"`
		} `json:"function"`
	}
)

// tokens counts the tokens of a request.
func (q request) tokens() int {
	n := 0
	for _, m := range q.Messages {
		n += len(m.Content)
	}
	return n/4 + 1
}

func tokens(words string) int { return len(words)/4 + 1 }

// dialect is a wire format.
type dialect interface {
	read(body io.Reader) (request, error)
	refuse(w http.ResponseWriter, status int, code, text string)

	// These write the parts of an answer, in this order: begin, words or a refusal, a call of a tool, and finish. A
	// failure ends it earlier. The first two say whether the client still listens.
	begin(s *stream, q request) bool
	word(s *stream, word string) bool
	refusal(s *stream)
	call(s *stream, name, arguments string)
	fail(s *stream)
	finish(s *stream, reason string, q request, words string)
}

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
	var d dialect
	switch {
	case strings.HasSuffix(r.URL.Path, "/chat/completions"):
		d = chatDialect{}
	case strings.HasSuffix(r.URL.Path, "/messages"):
		d = messagesDialect{}
	}
	if r.Method != http.MethodPost || d == nil {
		chatDialect{}.refuse(w, http.StatusNotFound, "not_found",
			"There are only POST /v1/chat/completions, POST /v1/messages and GET /v1/models")
		return
	}
	q, err := d.read(http.MaxBytesReader(w, r.Body, 1<<20))
	if err != nil {
		d.refuse(w, http.StatusBadRequest, "invalid_request", "The body is not JSON of a request")
		return
	}
	f, ok := of(q.Model)
	switch {
	case !ok:
		d.refuse(w, http.StatusNotFound, "model_not_found", "The model does not exist")
		return
	case !q.Stream:
		d.refuse(w, http.StatusBadRequest, "unsupported", "stream must be true")
		return
	case f.status != 0:
		if f.retryAfter != "" {
			w.Header().Set("Retry-After", f.retryAfter)
		}
		d.refuse(w, f.status, f.code, f.says)
		return
	case f.noSchema && len(q.ResponseFormat.JSONSchema.Schema) > 0:
		d.refuse(w, http.StatusBadRequest, "invalid_request_error", "This response_format is not available")
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	out := &stream{
		w: w, flush: http.NewResponseController(w), dialect: d, fault: f, model: q.Model, wait: s.scaled(token),
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
