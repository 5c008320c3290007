package webhook

import (
	"net/netip"
	"strings"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/webhook/sender"
	"github.com/dialwright/dialwright/internal/wire"
)

// Resource is a webhook as the API and payloads show it.
type Resource struct {
	ID        uuid.UUID      `json:"id"`
	Name      string         `json:"name"`
	URL       string         `json:"url"`
	Secret    string         `json:"secret,omitempty"` // set by WithSecret only
	Events    []string       `json:"events"`
	Filters   FilterResource `json:"filters"`
	Headers   []string       `json:"header_names"`
	IsActive  bool           `json:"is_active"`
	CreatedAt wire.Time      `json:"created_at"`
}

// Resource converts a webhook.
func (w Webhook) Resource() Resource {
	return Resource{
		ID: w.ID, Name: w.Name, URL: w.URL, Events: w.Events, Filters: w.Filters.Resource(), Headers: w.HeaderNames,
		IsActive: w.IsActive, CreatedAt: wire.Time(w.CreatedAt),
	}
}

// WithSecret adds a new secret, for the one answer that shows it.
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

// DeliveryDetailResource is a delivery with its requests and answers.
type DeliveryDetailResource struct {
	DeliveryResource
	Body    string            `json:"body"` // of every attempt, byte for byte
	History []AttemptResource `json:"history"`
}

// AttemptResource is one request of a delivery.
type AttemptResource struct {
	Number        int               `json:"number"`
	Manual        bool              `json:"manual"`
	StartedAt     wire.Time         `json:"started_at"`
	DurationMS    int               `json:"duration_ms"`
	Outcome       sender.Outcome    `json:"outcome"`
	Error         *string           `json:"error"`
	Request       RequestResource   `json:"request"`
	Response      *ResponseResource `json:"response"` // null without an answer
	RemoteAddress *netip.Addr       `json:"remote_address"`
	Reconnected   bool              `json:"reconnected"` // sent over a second connection: the first took no byte
	Timings       TimingsResource   `json:"timings"`
}

// RequestResource is an attempt's URL and headers, without the headers of every HTTP
// client.
type RequestResource struct {
	URL     string            `json:"url"`
	Headers map[string]string `json:"headers"`
}

// ResponseResource is a receiver's answer.
type ResponseResource struct {
	Status    int               `json:"status"`
	Headers   map[string]string `json:"headers"`
	Body      string            `json:"body"` // the first 16 KiB; bytes that are not UTF-8 are replaced
	Truncated bool              `json:"truncated"`
}

// TimingsResource are the durations of an attempt's parts in milliseconds. A part is
// null if the attempt did not reach it or reused a connection.
type TimingsResource struct {
	DNS       *float32 `json:"dns_ms"`
	Connect   *float32 `json:"connect_ms"`
	TLS       *float32 `json:"tls_ms"`
	FirstByte *float32 `json:"first_byte_ms"`
}

// Resource converts a delivery with its attempts.
func (d DeliveryDetail) Resource() DeliveryDetailResource {
	out := DeliveryDetailResource{
		DeliveryResource: d.Delivery.Resource(), Body: d.Payload, History: make([]AttemptResource, len(d.History)),
	}
	for i, a := range d.History {
		out.History[i] = a.resource(d.EventID)
	}
	return out
}

func (a Attempt) resource(eventID uuid.UUID) AttemptResource {
	out := AttemptResource{
		Number: a.Number, Manual: a.Manual, StartedAt: wire.Time(a.StartedAt), DurationMS: a.DurationMS,
		Outcome: a.Outcome, Error: a.Error, Request: RequestResource{URL: a.URL, Headers: a.Headers(eventID)},
		RemoteAddress: a.RemoteAddress,
		Reconnected:   a.Reconnected,
		Timings:       TimingsResource{DNS: a.DNSMS, Connect: a.ConnectMS, TLS: a.TLSMS, FirstByte: a.FirstByteMS},
	}
	if a.ResponseStatus != nil {
		out.Response = &ResponseResource{Status: *a.ResponseStatus, Headers: a.ResponseHeaders,
			Body: strings.ToValidUTF8(string(a.ResponseBody), "\ufffd"), Truncated: a.ResponseCut}
		if out.Response.Headers == nil {
			out.Response.Headers = map[string]string{}
		}
	}
	return out
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
