package webhook

import (
	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/wire"
)

// Resource is a webhook as the API and payloads show it (spec §2.2).
type Resource struct {
	ID        uuid.UUID `json:"id"`
	Name      string    `json:"name"`
	URL       string    `json:"url"`
	Secret    string    `json:"secret,omitempty"` // only where WithSecret put it
	Events    []string  `json:"events"`
	IsActive  bool      `json:"is_active"`
	CreatedAt wire.Time `json:"created_at"`
}

// Resource converts a webhook.
func (w Webhook) Resource() Resource {
	return Resource{ID: w.ID, Name: w.Name, URL: w.URL, Events: w.Events, IsActive: w.IsActive, CreatedAt: wire.Time(w.CreatedAt)}
}

// WithSecret is for the answer that shows a new secret, once.
func (r Resource) WithSecret(secret string) Resource {
	r.Secret = secret
	return r
}

// DeliveryResource is a delivery as the API shows it.
type DeliveryResource struct {
	ID             uuid.UUID  `json:"id"`
	EventID        uuid.UUID  `json:"event_id"`
	EventType      Type       `json:"event_type"`
	Status         Status     `json:"status"`
	Attempts       int        `json:"attempts"`
	ResponseStatus *int       `json:"response_status"`
	Error          *string    `json:"error"`
	DurationMS     *int       `json:"duration_ms"`
	CreatedAt      wire.Time  `json:"created_at"`
	NextAttemptAt  *wire.Time `json:"next_attempt_at"`
	DeliveredAt    *wire.Time `json:"delivered_at"`
}

// Resource converts a delivery.
func (d Delivery) Resource() DeliveryResource {
	return DeliveryResource{
		ID: d.ID, EventID: d.EventID, EventType: d.EventType, Status: d.Status, Attempts: d.Attempts,
		ResponseStatus: d.ResponseStatus, Error: d.Error, DurationMS: d.DurationMS, CreatedAt: wire.Time(d.CreatedAt),
		NextAttemptAt: wire.Optional(d.NextAttemptAt), DeliveredAt: wire.Optional(d.DeliveredAt),
	}
}

// RecoveryResource is a recovery as the API shows it.
type RecoveryResource struct {
	ID          uuid.UUID  `json:"id"`
	Status      string     `json:"status"` // running, finished
	Since       wire.Time  `json:"since"`
	Until       wire.Time  `json:"until"`
	RecoveredTo wire.Time  `json:"recovered_to"`
	Retried     int        `json:"retried"`
	Added       int        `json:"added"`
	CreatedAt   wire.Time  `json:"created_at"`
	FinishedAt  *wire.Time `json:"finished_at"`
}

// Resource converts a recovery.
func (r Recovery) Resource() RecoveryResource {
	out := RecoveryResource{
		ID: r.ID, Status: "running", Since: wire.Time(r.Since), Until: wire.Time(r.Until), RecoveredTo: wire.Time(r.At),
		Retried: r.Retried, Added: r.Added, CreatedAt: wire.Time(r.CreatedAt), FinishedAt: wire.Optional(r.FinishedAt),
	}
	if r.FinishedAt != nil {
		out.Status = "finished"
	}
	return out
}

// KindResource is a type of event as the API shows it.
type KindResource struct {
	Type        Type   `json:"type"`
	Description string `json:"description"`
}

// Resource converts a kind.
func (k Kind) Resource() KindResource { return KindResource(k) }
