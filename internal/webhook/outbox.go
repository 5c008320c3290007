package webhook

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/wire"
)

// Topic is woken after the commit of a transaction that wrote events.
const Topic = "webhook.delivery"

// maxEventBatch bounds the events written by one statement.
const maxEventBatch = 1000

// Outbox collects the events of one transaction. The code that changes a state opens an
// outbox in its transaction, asks Wants whether a webhook subscribes, adds the events,
// writes them before the commit, and wakes the engines after it:
//
//	out, err := webhook.Open(ctx, tx, organizationID)
//	if out.Wants(organizationID, webhook.CampaignPaused) { out.Add(…) }
//	err = out.Write(ctx, tx)
//	… commit …
//	out.Wake(hub)
//
// An event without a subscribed webhook is not written, unless the organization lists its
// events. An event whose subscribed webhooks are all inactive is written without a
// delivery, so that Recover can send it later.
type Outbox struct {
	now       time.Time // of the events
	listeners map[uuid.UUID][]listener
	events    []queuedEvent
	written   bool
}

// listener is a webhook and its subscriptions, or the reader of an organization's events, who wants all events and no
// delivery, as an inactive webhook.
type listener struct {
	id       uuid.UUID
	events   []string
	filters  Filters
	isActive bool
}

// takes reports whether the listener gets an event.
func (l listener) takes(t Type, a About) bool { return matches(l.events, t) && l.filters.pass(a) }

// Event is something that happened.
type Event struct {
	OrganizationID uuid.UUID
	About          About
	Type           Type
	SubjectID      uuid.UUID // the call, recipient, campaign or webhook that changed
	Data           any       // the subject's resource, as the API returns it
}

// queuedEvent is an event with its encoded payload, to be written.
type queuedEvent struct {
	id             uuid.UUID
	organizationID uuid.UUID
	about          About
	kind           Type
	subjectID      uuid.UUID
	payload        []byte
}

// Open reads the webhooks of some organizations and their subscriptions.
func Open(ctx context.Context, db postgres.DB, organizationIDs ...uuid.UUID) (*Outbox, error) {
	o := &Outbox{listeners: map[uuid.UUID][]listener{}}
	// PostgreSQL plans a condition on a list anew each time, which takes longer than the
	// read, and nearly every transaction concerns one organization.
	which, args := "any(@organizations)", pgx.NamedArgs{"organizations": organizationIDs}
	if len(organizationIDs) == 1 {
		which, args = "@organization", pgx.NamedArgs{"organization": organizationIDs[0]}
	}
	rows, err := db.Query(ctx, `
		select k.t, l.id, l.organization_id, l.events, l.is_active, `+filterColumns+`
		from (select clock() as t) k left join (
			select id, organization_id, events, is_active, `+filterColumns+` from webhook
			where organization_id = `+which+` and deleted_at is null
			union all
			select organization_id, organization_id, '{*}', false, '{}', '{}', '{}' from event_reader
			where organization_id = `+which+`
		) l on true`, args)
	if err != nil {
		return nil, fmt.Errorf("read who listens: %w", err)
	}
	var id, organizationID *uuid.UUID
	var events []string
	var isActive *bool
	var filters Filters
	_, err = pgx.ForEachRow(rows, []any{
		&o.now, &id, &organizationID, &events, &isActive, &filters.ProjectIDs, &filters.CampaignIDs, &filters.AgentIDs,
	}, func() error {
		if id != nil {
			o.listeners[*organizationID] = append(o.listeners[*organizationID], listener{
				id: *id, events: events, filters: filters, isActive: *isActive,
			})
		}
		id, organizationID, events, filters, isActive = nil, nil, nil, Filters{}, nil
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read who listens: %w", err)
	}
	return o, nil
}

// Wants reports whether a webhook of an organization, or its reader, subscribes to one of the types.
// Without a subscriber the event need not be made. The filters of webhooks are not considered: Add does.
func (o *Outbox) Wants(organizationID uuid.UUID, types ...Type) bool {
	for _, l := range o.listeners[organizationID] {
		for _, t := range types {
			if matches(l.events, t) {
				return true
			}
		}
	}
	return false
}

// Listening is Wants as an SQL condition, for statements that must cost nothing without
// subscribers. organizationID is SQL, too.
func Listening(organizationID string, types ...Type) string {
	covering := []string{everything}
	for _, t := range types {
		covering = append(covering, familyOf(t), string(t))
	}
	return `(exists (
		select from webhook w
		where w.organization_id = ` + organizationID + ` and w.deleted_at is null
		  and w.events && array['` + strings.Join(covering, `', '`) + `'])
		or exists (select from event_reader r where r.organization_id = ` + organizationID + `))`
}

// Add adds an event if a webhook subscribes to it and its filters let the event pass.
func (o *Outbox) Add(e Event) error {
	taken := func(l listener) bool { return l.takes(e.Type, e.About) }
	if !slices.ContainsFunc(o.listeners[e.OrganizationID], taken) {
		return nil
	}
	id := uuid.Must(uuid.NewV7())
	payload, err := Payload(id, o.now, e)
	if err != nil {
		return err
	}
	o.events = append(o.events, queuedEvent{
		id:             id,
		organizationID: e.OrganizationID,
		about:          e.About,
		kind:           e.Type,
		subjectID:      e.SubjectID,
		payload:        payload,
	})
	return nil
}

// Payload returns the body of an event's deliveries, byte for byte. It is stored, so a field that is added here is
// missing in older events.
func Payload(id uuid.UUID, at time.Time, e Event) ([]byte, error) {
	payload, err := json.Marshal(struct {
		ID             uuid.UUID  `json:"id"`
		Type           Type       `json:"type"`
		Timestamp      wire.Time  `json:"timestamp"`
		OrganizationID uuid.UUID  `json:"organization_id"`
		ProjectID      *uuid.UUID `json:"project_id"`
		Data           any        `json:"data"`
	}{id, e.Type, wire.Time(at), e.OrganizationID, e.About.ProjectID, e.Data})
	if err != nil {
		return nil, fmt.Errorf("encode event %s: %w", e.Type, err)
	}
	return payload, nil
}

// Write writes the added events, with a delivery for each active webhook that
// subscribes. You may add and write again.
func (o *Outbox) Write(ctx context.Context, tx pgx.Tx) error {
	for len(o.events) > 0 {
		n := min(len(o.events), maxEventBatch)
		if err := o.write(ctx, tx, o.events[:n]); err != nil {
			return err
		}
		o.events = o.events[n:]
		o.written = true
	}
	return nil
}

// newEventTable passes new events to SQL as table e.
var newEventTable = postgres.NewColumns("e",
	postgres.Column("id", "uuid", func(e *queuedEvent) uuid.UUID { return e.id }),
	postgres.Column("organization_id", "uuid", func(e *queuedEvent) uuid.UUID { return e.organizationID }),
	postgres.Column("type", "text", func(e *queuedEvent) string { return string(e.kind) }),
	postgres.Column("subject_id", "uuid", func(e *queuedEvent) uuid.UUID { return e.subjectID }),
	postgres.Column("payload", "text", func(e *queuedEvent) string { return string(e.payload) }),
	postgres.Column("project_id", "uuid", func(e *queuedEvent) *uuid.UUID { return e.about.ProjectID }),
	postgres.Column("campaign_id", "uuid", func(e *queuedEvent) *uuid.UUID { return e.about.CampaignID }),
	postgres.Column("agent_id", "uuid", func(e *queuedEvent) *uuid.UUID { return e.about.AgentID }),
)

func (o *Outbox) write(ctx context.Context, tx pgx.Tx, events []queuedEvent) error {
	var d deliveries
	for _, e := range events {
		for _, l := range o.listeners[e.organizationID] {
			if l.isActive && l.takes(e.kind, e.about) {
				d.add(e.organizationID, l.id, e.id, e.kind)
			}
		}
	}
	args := newEventTable.Args(events)
	args["now"] = o.now
	batch := &pgx.Batch{}
	batch.Queue(`
		insert into event
			(id, organization_id, type, subject_id, payload, project_id, campaign_id, agent_id, created_at)
		select *, @now from `+newEventTable.Table(), args)
	d.queue(batch, o.now)
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("write %d events: %w", len(events), err)
	}
	return nil
}

// newDelivery is a delivery to be queued.
type newDelivery struct {
	id, organizationID, webhookID, eventID uuid.UUID
	kind                                   Type
}

type deliveries []newDelivery

func (d *deliveries) add(organizationID, webhookID, eventID uuid.UUID, t Type) {
	*d = append(*d, newDelivery{uuid.Must(uuid.NewV7()), organizationID, webhookID, eventID, t})
}

// newDeliveryTable passes new deliveries to SQL as table d.
var newDeliveryTable = postgres.NewColumns("d",
	postgres.Column("id", "uuid", func(d *newDelivery) uuid.UUID { return d.id }),
	postgres.Column("organization_id", "uuid", func(d *newDelivery) uuid.UUID { return d.organizationID }),
	postgres.Column("webhook_id", "uuid", func(d *newDelivery) uuid.UUID { return d.webhookID }),
	postgres.Column("event_id", "uuid", func(d *newDelivery) uuid.UUID { return d.eventID }),
	postgres.Column("event_type", "text", func(d *newDelivery) string { return string(d.kind) }),
)

// queue writes the deliveries and their queue rows, due at once.
func (d deliveries) queue(batch *pgx.Batch, now time.Time) {
	if len(d) == 0 {
		return
	}
	args := newDeliveryTable.Args(d)
	args["now"] = now
	batch.Queue(`
		insert into delivery (id, organization_id, webhook_id, event_id, event_type, next_attempt_at, created_at)
		select *, @now, @now from `+newDeliveryTable.Table(), args)
	batch.Queue(`
		insert into delivery_due (delivery_id, webhook_id, due_at)
		select id, webhook_id, @now from `+newDeliveryTable.Table(), args)
}

// Wake wakes the engines of all processes if events were written. Call it after the
// commit.
func (o *Outbox) Wake(hub *postgres.Hub) {
	if o.written {
		hub.Wake(Topic)
	}
}
