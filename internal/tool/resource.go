package tool

import (
	"encoding/json"
	"maps"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/wire"
)

// Resource is a tool as the API shows it, with its headers by name.
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

	PreviousSecretUntil *wire.Time `json:"previous_secret_until"`
	CreatedAt           wire.Time  `json:"created_at"`
}

// Created is a tool whose secret was made just now.
type Created struct {
	Resource
	Secret string `json:"secret"`
}

// WithSecret adds the secret to a resource.
func (r Resource) WithSecret(secret string) Created { return Created{r, secret} }

// Resource converts a tool.
func (t Tool) Resource() Resource {
	r := Resource{
		ID: t.ID, Name: t.Name, Description: t.Description, Parameters: t.Parameters, URL: t.URL,
		HeaderNames: t.HeaderNames, TimeoutSeconds: t.TimeoutSeconds, Values: t.Values,
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
	// Result is what a model would see: JSON.
	Result    string            `json:"result"`
	Variables map[string]string `json:"variables"` // that the answer sets
}

// TrialRequest is the request of a trial, without its secrets.
type TrialRequest struct {
	URL     string            `json:"url"`
	Headers map[string]string `json:"headers"`
	Body    string            `json:"body"` // JSON
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
		Request:   TrialRequest{URL: t.URL, Headers: t.Headers, Body: string(t.Body)},
		Response:  TrialResponse{TookMS: t.Took.Milliseconds(), Body: t.Shown},
		Result:    string(t.Result),
		Variables: map[string]string{},
	}
	maps.Copy(r.Variables, t.Values)
	if t.Status != 0 {
		r.Response.Status = &t.Status
	}
	if t.Problem != "" {
		r.Response.Error = &t.Problem
	}
	return r
}
