package connection

import (
	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/messaging/cloud"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/wire"
)

// Resource is a WhatsApp Business Account as the API shows it, without its secrets.
type Resource struct {
	ID           uuid.UUID  `json:"id"`
	Name         string     `json:"name"`
	Account      string     `json:"account"`
	Subscribed   bool       `json:"subscribed"`
	PausedReason *string    `json:"paused_reason"`
	PausedUntil  *wire.Time `json:"paused_until"`
	ReadAt       *wire.Time `json:"read_at"`
	LastError    *string    `json:"last_error"`
	LastErrorAt  *wire.Time `json:"last_error_at"`
	CreatedAt    wire.Time  `json:"created_at"`
}

// Resource converts a connection.
func (c Connection) Resource() Resource {
	return Resource{
		ID: c.ID, Name: c.Name, Account: c.Account, Subscribed: c.Subscribed, PausedReason: c.PausedReason,
		PausedUntil: wire.Optional(c.PausedUntil), ReadAt: wire.Optional(c.ReadAt), LastError: c.LastError,
		LastErrorAt: wire.Optional(c.LastErrorAt), CreatedAt: wire.Time(c.CreatedAt),
	}
}

// TemplateResource is a template as the API shows it.
type TemplateResource struct {
	ID          uuid.UUID          `json:"id"`
	ExternalIDs []string           `json:"external_ids"` // of the numbers that can send it
	Name        string             `json:"name"`
	Language    string             `json:"language"`
	Category    string             `json:"category"` // in the operator's words
	Status      string             `json:"status"`   // in the operator's words
	Problem     *string            `json:"problem"`  // why it cannot be sent; nil: it can
	Variables   []VariableResource `json:"variables"`
	Header      *HeaderResource    `json:"header"`
	Body        string             `json:"body"`
	Footer      *string            `json:"footer"`
	Buttons     []ButtonResource   `json:"buttons"`
	CreatedAt   wire.Time          `json:"created_at"`
}

// VariableResource is a value that a message must provide for its template.
type VariableResource struct {
	Key  string             `json:"key"`
	Kind cloud.VariableKind `json:"kind"`
}

// HeaderResource is the part of a template above its body.
type HeaderResource struct {
	Format string  `json:"format"` // in the operator's words
	Text   *string `json:"text"`   // of a text
}

// ButtonResource is a button below a template's body.
type ButtonResource struct {
	Type string  `json:"type"` // in the operator's words
	Text string  `json:"text"`
	URL  *string `json:"url"` // may end in a variable
}

// Resource converts a template.
func (t Template) Resource() TemplateResource {
	c := t.Content
	out := TemplateResource{
		ID: t.ID, ExternalIDs: t.ExternalIDs, Name: c.Name, Language: c.Language, Category: c.Category,
		Status: c.Status, Variables: []VariableResource{}, Body: c.Body, Footer: postgres.OrNull(c.Footer),
		Buttons: []ButtonResource{}, CreatedAt: wire.Time(t.CreatedAt),
	}
	if obstacle := c.Obstacle(); obstacle != "" {
		out.Problem = new("Template " + c.Name + " " + obstacle)
	}
	for _, v := range c.Variables() {
		out.Variables = append(out.Variables, VariableResource{Key: v.Key, Kind: v.Kind})
	}
	if c.Header.Format != "" {
		out.Header = &HeaderResource{Format: c.Header.Format, Text: postgres.OrNull(c.Header.Text)}
	}
	for _, b := range c.Buttons {
		out.Buttons = append(out.Buttons, ButtonResource{Type: b.Type, Text: b.Text, URL: postgres.OrNull(b.URL)})
	}
	return out
}
