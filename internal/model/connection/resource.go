package connection

import (
	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/wire"
)

// Resource is a connection as the API shows it, without its key.
type Resource struct {
	ID               uuid.UUID      `json:"id"`
	Name             string         `json:"name"`
	Provider         Provider       `json:"provider"`
	URL              *string        `json:"url"` // null: the sandbox
	Model            string         `json:"model"`
	HasKey           bool           `json:"has_key"`
	Streams          int            `json:"streams"`
	InputPrice       *string        `json:"input_price"` // per million tokens
	CachedInputPrice *string        `json:"cached_input_price"`
	OutputPrice      *string        `json:"output_price"`
	Currency         *string        `json:"currency"`
	Health           HealthResource `json:"health"`
	CreatedAt        wire.Time      `json:"created_at"`
}

// HealthResource is the health of a connection as the API shows it.
type HealthResource struct {
	Failing       bool       `json:"failing"`
	Failures      int        `json:"failures"` // in a row
	LastError     *string    `json:"last_error"`
	LastErrorAt   *wire.Time `json:"last_error_at"`
	LastSuccessAt *wire.Time `json:"last_success_at"`
	CheckedAt     *wire.Time `json:"checked_at"`
	CheckError    *string    `json:"check_error"`
	FirstTokenMS  *int       `json:"first_token_ms"`
	ToolCalls     *bool      `json:"tool_calls"`
}

// Resource converts a connection.
func (c Connection) Resource() Resource {
	return Resource{
		ID: c.ID, Name: c.Name, Provider: c.Provider, URL: known(c.URL), Model: c.Model, HasKey: c.HasKey,
		Streams: c.Streams, InputPrice: known(c.InputPrice), CachedInputPrice: known(c.CachedInputPrice),
		OutputPrice: known(c.OutputPrice), Currency: known(c.Currency),
		Health: HealthResource{
			Failing: c.Failing(), Failures: c.Failures, LastError: c.LastError,
			LastErrorAt: wire.Optional(c.LastErrorAt), LastSuccessAt: wire.Optional(c.LastSuccessAt),
			CheckedAt: wire.Optional(c.CheckedAt), CheckError: c.CheckError, FirstTokenMS: c.FirstTokenMS,
			ToolCalls: c.ToolCalls,
		},
		CreatedAt: wire.Time(c.CreatedAt),
	}
}

// known is nil for an empty text.
func known(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// ResultResource is the result of a check as the API shows it.
type ResultResource struct {
	Works        bool    `json:"works"`
	Error        *string `json:"error"`
	FirstTokenMS *int64  `json:"first_token_ms"` // null: the check failed
	TotalMS      *int64  `json:"total_ms"`       // likewise
	Model        *string `json:"model"`          // as the server names it
	ToolCalls    *bool   `json:"tool_calls"`     // null: the check failed
}

// Resource converts the result of a check.
func (r Result) Resource() ResultResource {
	if r.Error != "" {
		return ResultResource{Error: &r.Error, Model: known(r.Model)}
	}
	return ResultResource{
		Works: true, FirstTokenMS: new(r.FirstToken.Milliseconds()), TotalMS: new(r.Total.Milliseconds()),
		Model: known(r.Model), ToolCalls: &r.ToolCalls,
	}
}
