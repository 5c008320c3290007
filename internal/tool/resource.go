package tool

import (
	"encoding/json"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/wire"
)

// Resource is a tool as the API shows it: its headers by name, and its secret only when it is made.
type Resource struct {
	ID             uuid.UUID       `json:"id"`
	Name           string          `json:"name"`
	Description    string          `json:"description"`
	Parameters     json.RawMessage `json:"parameters"`
	URL            string          `json:"url"`
	HeaderNames    []string        `json:"header_names"`
	TimeoutSeconds int             `json:"timeout_seconds"`
	Say            *string         `json:"say_while_waiting"`
	Values         []Value         `json:"values"`
	Secret         string          `json:"secret,omitempty"`

	PreviousSecretUntil *wire.Time `json:"previous_secret_until"`
	CreatedAt           wire.Time  `json:"created_at"`
}

// Resource converts a tool.
func (t Tool) Resource() Resource { return t.ResourceWith("") }

// ResourceWith converts a tool whose secret was made just now.
func (t Tool) ResourceWith(secret string) Resource {
	r := Resource{
		ID: t.ID, Name: t.Name, Description: t.Description, Parameters: t.Parameters, URL: t.URL,
		HeaderNames: t.HeaderNames, TimeoutSeconds: t.TimeoutSeconds, Values: t.Values, Secret: secret,
		PreviousSecretUntil: wire.Optional(t.PreviousSecretUntil), CreatedAt: wire.Time(t.CreatedAt),
	}
	if t.Say != "" {
		r.Say = &t.Say
	}
	return r
}

// TrialResource is a request that a person tried, as the API shows it.
type TrialResource struct {
	Request  TrialRequest  `json:"request"`
	Response TrialResponse `json:"response"`
	// Result is what a model would see.
	Result json.RawMessage   `json:"result"`
	Values map[string]string `json:"values"` // variables that the answer sets
}

// TrialRequest is the request of a trial, without its secrets.
type TrialRequest struct {
	URL     string            `json:"url"`
	Headers map[string]string `json:"headers"`
	Body    json.RawMessage   `json:"body"`
}

// TrialResponse is the answer to a trial.
type TrialResponse struct {
	Status *int    `json:"status"` // null: there was no answer
	TookMS int64   `json:"took_ms"`
	Body   string  `json:"body"` // its first 16 kB
	Error  *string `json:"error"`
}

// Resource converts a trial.
func (t Trial) Resource() TrialResource {
	r := TrialResource{
		Request:  TrialRequest{URL: t.URL, Headers: t.Headers, Body: t.Body},
		Response: TrialResponse{TookMS: t.Took.Milliseconds(), Body: t.Shown},
		Result:   t.Result,
		Values:   t.Values,
	}
	if t.Status != 0 {
		r.Response.Status = &t.Status
	}
	if t.Problem != "" {
		r.Response.Error = &t.Problem
	}
	if r.Values == nil {
		r.Values = map[string]string{}
	}
	return r
}
