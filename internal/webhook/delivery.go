package webhook

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/webhook/sender"
)

// Status is the state of a delivery.
type Status string

const (
	Pending   Status = "pending" // an attempt follows, unless the webhook is inactive
	Succeeded Status = "succeeded"
	Failed    Status = "failed" // no automatic attempt follows
)

// Statuses are all states of a delivery.
var Statuses = []Status{Pending, Succeeded, Failed}

// Delivery is an event on its way to a webhook.
type Delivery struct {
	ID             uuid.UUID
	WebhookID      uuid.UUID
	EventID        uuid.UUID
	EventType      Type
	Status         Status
	Attempts       int
	ResponseStatus *int       // of the last attempt
	Error          *string    // of the last attempt; nil when it succeeded
	DurationMS     *int       // of the last attempt
	NextAttemptAt  *time.Time // nil: none is planned; an inactive webhook gets only resends
	DeliveredAt    *time.Time // when it first succeeded
	CreatedAt      time.Time
	Resending      bool // a requested attempt waits or is in flight
	IsTest         bool // the event is a test of the webhook
}

// deliveryColumns are the columns of a Delivery, for a query on the table delivery. Only
// its row in the queue shows that a delivery is being resent.
const deliveryColumns = `
	delivery.id, delivery.webhook_id, delivery.event_id, delivery.event_type, delivery.status, delivery.attempts,
	delivery.response_status, delivery.error, delivery.duration_ms,
	least(delivery.next_attempt_at, resend.due_at) as next_attempt_at, delivery.delivered_at, delivery.created_at,
	resend.due_at is not null as resending,
	delivery.event_type = 'webhook.test' or coalesce((select e.is_test from event e where e.id = delivery.event_id),
		false) as is_test`

const resending = `
	left join delivery_due resend on resend.delivery_id = delivery.id and resend.manual`

// DeliveryFilter selects deliveries. Zero fields filter nothing.
type DeliveryFilter struct {
	Page       page.Request
	Statuses   []Status // any of them
	Retrying   bool     // pending after a failed attempt, whatever Statuses says
	EventTypes []Type   // any of them
}

// Deliveries reads a page of a webhook's deliveries, newest first. Errors:
// NotFound, Invalid.
func (s *Service) Deliveries(
	ctx context.Context, organizationID, webhookID uuid.UUID, f DeliveryFilter,
) (page.List[Delivery], error) {
	var none page.List[Delivery]
	args := pgx.NamedArgs{"organization_id": organizationID, "webhook_id": webhookID}
	if err := f.Page.Args(args); err != nil {
		return none, err
	}
	var p fault.Problems
	fault.OneOf(&p, "status", f.Statuses, Statuses)
	fault.OneOf(&p, "event_type", f.EventTypes, Types())
	if err := p.Err(); err != nil {
		return none, err
	}
	if _, err := s.Get(ctx, organizationID, webhookID); err != nil {
		return none, err
	}
	attempted := ""
	if f.Retrying {
		f.Statuses, attempted = []Status{Pending}, "attempts > 0 and "
	}
	deliveries, err := postgres.Collect(ctx, s.pool, pgx.RowToStructByName[Delivery], `
		select `+deliveryColumns+`
		from (`+page.Merge(`
			select * from delivery
			where webhook_id = @webhook_id and organization_id = @organization_id and `+attempted+page.Where,
		page.Order, page.Equal(args, "status", f.Statuses), page.Equal(args, "event_type", f.EventTypes))+`
		) delivery `+resending+`
		order by delivery.created_at desc, delivery.id desc`, args)
	if err != nil {
		return none, fmt.Errorf("list deliveries to %s: %w", webhookID, err)
	}
	return page.Cut(f.Page, deliveries, func(d Delivery) (time.Time, uuid.UUID) { return d.CreatedAt, d.ID }), nil
}

func names[S ~string](all []S) string {
	texts := make([]string, len(all))
	for i, s := range all {
		texts[i] = string(s)
	}
	return strings.Join(texts, ", ")
}

// Delivery reads a delivery. It is NotFound if it is unknown, belongs to another
// webhook, or its webhook is deleted or another organization's.
func (s *Service) Delivery(ctx context.Context, organizationID, webhookID, id uuid.UUID) (Delivery, error) {
	if _, err := s.Get(ctx, organizationID, webhookID); err != nil {
		return Delivery{}, err
	}
	return oneDelivery(ctx, s.pool, organizationID, webhookID, id)
}

func oneDelivery(ctx context.Context, db postgres.DB, organizationID, webhookID, id uuid.UUID) (Delivery, error) {
	d, err := postgres.CollectOne(ctx, db, pgx.RowToStructByName[Delivery], `
		select `+deliveryColumns+`
		from delivery `+resending+`
		where delivery.id = @id and delivery.webhook_id = @webhook_id and delivery.organization_id = @organization_id`,
		pgx.NamedArgs{"id": id, "webhook_id": webhookID, "organization_id": organizationID})
	if errors.Is(err, pgx.ErrNoRows) {
		return Delivery{}, fault.NotFoundf("Delivery")
	}
	if err != nil {
		return Delivery{}, fmt.Errorf("read delivery %s: %w", id, err)
	}
	return d, nil
}

// About lists the newest deliveries about a call, recipient, campaign or webhook, at
// most MaxAbout, to all webhooks of the organization.
func (s *Service) About(ctx context.Context, organizationID, subjectID uuid.UUID) ([]Delivery, error) {
	deliveries, err := postgres.Collect(ctx, s.pool, pgx.RowToStructByName[Delivery], `
		select `+deliveryColumns+`
		from (
			select id from event
			where organization_id = @organization_id and subject_id = @subject_id
			order by created_at desc, id desc limit @most
		) newest
		join delivery on delivery.event_id = newest.id and delivery.organization_id = @organization_id
		join webhook on webhook.id = delivery.webhook_id and webhook.deleted_at is null `+resending+`
		order by delivery.created_at desc, delivery.id desc limit @most`,
		pgx.NamedArgs{"organization_id": organizationID, "subject_id": subjectID, "most": MaxAbout})
	if err != nil {
		return nil, fmt.Errorf("list deliveries about %s: %w", subjectID, err)
	}
	return deliveries, nil
}

// Bounds of lists.
const (
	MaxAbout    = 100 // deliveries about a subject
	MaxAttempts = 100 // attempts of a delivery, which people may resend without limit
)

// Attempt is one request of a delivery.
type Attempt struct {
	Number          int  // 1, 2, …
	Manual          bool // requested, not scheduled
	URL             string
	SignedAt        int64 // webhook-timestamp
	Signature       string
	Outcome         sender.Outcome
	Error           *string // nil when it succeeded
	RemoteAddress   *netip.Addr
	ResponseStatus  *int
	ResponseHeaders map[string]string
	ResponseBody    []byte // the first 16 KiB
	ResponseCut     bool   // the body is longer
	Reconnected     bool   // sent over a second connection: the first was closed before a byte was written
	DNSMS           *float32
	ConnectMS       *float32
	TLSMS           *float32
	FirstByteMS     *float32
	DurationMS      int
	StartedAt       time.Time
}

// Headers returns the request headers of an attempt, without the headers of every HTTP
// client.
func (a Attempt) Headers(eventID uuid.UUID) map[string]string {
	return map[string]string{
		"content-type":      "application/json",
		"webhook-id":        eventID.String(),
		"webhook-timestamp": strconv.FormatInt(a.SignedAt, 10),
		"webhook-signature": a.Signature,
	}
}

// DeliveryDetail is a delivery with its requests and answers.
type DeliveryDetail struct {
	Delivery
	Payload string    // the body, byte for byte
	History []Attempt // the newest MaxAttempts, oldest first
}

// DeliveryDetail reads a delivery with its body and its attempts. Errors: as Delivery.
func (s *Service) DeliveryDetail(ctx context.Context, organizationID, webhookID, id uuid.UUID) (DeliveryDetail, error) {
	d, err := s.Delivery(ctx, organizationID, webhookID, id)
	if err != nil {
		return DeliveryDetail{}, err
	}
	detail := DeliveryDetail{Delivery: d}
	err = s.pool.QueryRow(ctx, `select payload from event where id = @id and organization_id = @organization_id`,
		pgx.NamedArgs{"id": d.EventID, "organization_id": organizationID}).Scan(&detail.Payload)
	if errors.Is(err, pgx.ErrNoRows) {
		return DeliveryDetail{}, fault.NotFoundf("Delivery") // the event was deleted meanwhile
	}
	if err != nil {
		return DeliveryDetail{}, fmt.Errorf("read event %s: %w", d.EventID, err)
	}
	rows, err := s.pool.Query(ctx, `
		select number, manual, url, signed_at, signature, outcome, error, remote_address, response_status,
			response_headers,
		       response_body, response_cut, reconnected, dns_ms, connect_ms, tls_ms, first_byte_ms, duration_ms,
			started_at
		from delivery_attempt
		where delivery_id = @id
		order by number desc limit @most`, pgx.NamedArgs{"id": id, "most": MaxAttempts})
	if err != nil {
		return DeliveryDetail{}, fmt.Errorf("read the attempts of %s: %w", id, err)
	}
	if detail.History, err = pgx.CollectRows(rows, pgx.RowToStructByName[Attempt]); err != nil {
		return DeliveryDetail{}, fmt.Errorf("read the attempts of %s: %w", id, err)
	}
	slices.Reverse(detail.History)
	return detail, nil
}
