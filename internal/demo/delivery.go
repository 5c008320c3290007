package demo

import (
	"context"
	"encoding/json"
	"fmt"
	mathrand "math/rand/v2"
	"net/http"
	"net/netip"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/webhook"
	"github.com/dialwright/dialwright/internal/webhook/sender"
)

// This file writes the log of the demo's webhook: the events of the calls of the last days and their deliveries. The
// product can't have made them, because the calls never took place.

// webhookDays is how long ago the webhook was created. The ten attempts of a delivery take a bit more than three days,
// so a failed delivery fits in.
const webhookDays = 5

// delivered is an event of a past call and its delivery.
type delivered struct {
	id, event uuid.UUID
	kind      webhook.Type
	call      uuid.UUID
	payload   []byte
	at        time.Time
	attempts  []attempt
}

// attempt is an attempt of a delivery.
type attempt struct {
	delivery  uuid.UUID
	number    int
	signature string
	status    int
	problem   *string
	headers   string // JSON
	body      []byte
	ms        float64 // to the first byte
	at        time.Time
}

// seedDeliveries writes the log of the webhook and its creation into the past, unless it has a log.
func (d *seeder) seedDeliveries(
	ctx context.Context, actor account.Actor, w webhook.Webhook, zone *time.Location, now time.Time,
) error {
	var there bool
	err := d.Pool.QueryRow(ctx, `select exists (select from event where organization_id = $1)`,
		actor.OrganizationID).Scan(&there)
	if err != nil {
		return fmt.Errorf("look for events: %w", err)
	}
	since := time.Date(now.Year(), now.Month(), now.Day()-webhookDays, 0, 0, 0, 0, zone)
	calls, err := d.callsSince(ctx, actor.OrganizationID, since)
	if err != nil || there || len(calls) == 0 {
		return err
	}
	log, err := d.deliveriesOf(actor, calls, now)
	if err != nil {
		return err
	}
	return postgres.InTx(ctx, d.Pool, func(tx pgx.Tx) error {
		if err := writeDeliveries(ctx, tx, actor, w, log); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `
			insert into webhook_day (webhook_id, day, succeeded, failed)
			select $1, (a.started_at at time zone $2)::date, count(*) filter (where a.outcome = 'succeeded'),
			       count(*) filter (where a.outcome <> 'succeeded')
			from delivery_attempt a join delivery d on d.id = a.delivery_id
			where d.webhook_id = $1 group by 2`, w.ID, zone.String())
		if err != nil {
			return fmt.Errorf("count attempts: %w", err)
		}
		_, err = tx.Exec(ctx, `
			update webhook w set created_at = $2,
				last_success_at = (select max(delivered_at) from delivery where webhook_id = w.id),
				last_failure_at = (
					select max(a.started_at) from delivery_attempt a join delivery d on d.id = a.delivery_id
					where d.webhook_id = w.id and a.outcome <> 'succeeded')
			where id = $1`, w.ID, since)
		if err != nil {
			return fmt.Errorf("date the webhook back: %w", err)
		}
		return nil
	})
}

// callsSince returns the calls since a time, oldest first.
func (d *seeder) callsSince(
	ctx context.Context, organizationID uuid.UUID, since time.Time,
) (calls []call.Call, err error) {
	in := page.Request{Batch: 1000, CreatedAfter: since}
	for {
		list, err := d.Calls.List(ctx, organizationID, call.Filter{Request: in})
		if err != nil {
			return nil, err
		}
		calls = append(calls, list.Data...)
		if list.NextCursor == nil {
			return calls, nil
		}
		in.Cursor = *list.NextCursor
	}
}

// deliveriesOf makes up the deliveries of the events of calls, newest call first. The receiver was busy now and then.
// One delivery failed for good, because the receiver could not store the call.
func (d *seeder) deliveriesOf(actor account.Actor, calls []call.Call, now time.Time) ([]delivered, error) {
	r := mathrand.New(mathrand.NewPCG(uint64(len(calls)), 3))
	secret := webhook.NewSecret() // nobody was shown the secret of the webhook
	var log []delivered
	failed := false
	for i := len(calls) - 1; i >= 0; i-- {
		c := calls[i]
		if c.EndedAt == nil {
			continue
		}
		kinds := []webhook.Type{webhook.CallCompleted}
		if c.AnsweredAt != nil {
			kinds = append(kinds, webhook.CallAnalyzed)
		}
		for _, kind := range kinds {
			at := c.EndedAt.Add(60 * time.Millisecond) // its settlement
			one := delivered{id: idOf(at), event: idOf(at), kind: kind, call: c.ID, at: at}
			payload, err := webhook.Payload(one.event, one.at, webhook.Event{
				OrganizationID: actor.OrganizationID, Type: kind, SubjectID: c.ID, Data: d.Calls.Resource(c),
				About: webhook.About{ProjectID: &c.ProjectID, CampaignID: c.CampaignID, AgentID: c.AgentID},
			})
			if err != nil {
				return nil, err
			}
			one.payload = payload
			refusals, status := 0, http.StatusServiceUnavailable
			switch {
			case !failed && kind == webhook.CallAnalyzed && one.at.Before(now.Add(-webhook.RetrySpan())):
				failed, refusals, status = true, webhook.Scheduled(), http.StatusInternalServerError
			case r.IntN(12) == 0:
				refusals = 1 + r.IntN(8)/7
			}
			one.attempt(r, secret, refusals, status)
			log = append(log, one)
		}
	}
	return log, nil
}

// attempt makes up the attempts of a delivery, the first of which are refused.
func (d *delivered) attempt(r *mathrand.Rand, secret []byte, refusals, status int) {
	at := d.at.Add(time.Duration(8+r.IntN(40)) * time.Millisecond)
	for n := 1; n <= min(refusals+1, webhook.Scheduled()); n++ {
		at = at.Add(webhook.RetryDelay(n))
		a := attempt{
			delivery: d.id, number: n, at: at, status: http.StatusNoContent, headers: `{}`,
			ms: 4 + 20*r.Float64(),
		}
		if n <= refusals {
			problem := fmt.Sprintf("The endpoint answered %d %s", status, http.StatusText(status))
			a.status, a.problem = status, &problem
			a.headers, a.body = `{"Content-Type": "text/plain; charset=utf-8"}`, []byte("the database is busy\n")
			if status == http.StatusInternalServerError {
				a.body = []byte("the record of this patient is locked\n")
			}
		}
		a.signature = sender.Sign(d.event.String(), a.at.Unix(), d.payload, secret)
		d.attempts = append(d.attempts, a)
	}
}

// writeDeliveries copies events, deliveries and attempts into the tables.
func writeDeliveries(
	ctx context.Context, tx pgx.Tx, actor account.Actor, w webhook.Webhook, log []delivered,
) error {
	var attempts []attempt
	for _, d := range log {
		attempts = append(attempts, d.attempts...)
	}
	receiver := netip.MustParseAddr("127.0.0.1")
	for _, t := range []struct {
		name    string
		columns []string
		rows    int
		row     func(i int) []any
	}{
		{"event", []string{"id", "organization_id", "type", "subject_id", "payload", "created_at"}, len(log),
			func(i int) []any {
				d := log[i]
				return []any{d.event, actor.OrganizationID, string(d.kind), d.call, string(d.payload), d.at}
			}},
		{"delivery", []string{"id", "organization_id", "webhook_id", "event_id", "event_type", "status", "attempts",
			"response_status", "error", "duration_ms", "delivered_at", "created_at"}, len(log),
			func(i int) []any {
				d := log[i]
				last := d.attempts[len(d.attempts)-1]
				status, deliveredAt := "succeeded", &last.at
				if last.problem != nil {
					status, deliveredAt = "failed", nil
				}
				return []any{
					d.id, actor.OrganizationID, w.ID, d.event, string(d.kind), status, len(d.attempts), last.status,
					last.problem, int(last.ms) + 1, deliveredAt, d.at,
				}
			}},
		{"delivery_attempt", []string{"delivery_id", "number", "url", "signed_at", "signature", "outcome", "error",
			"remote_address", "response_status", "response_headers", "response_body", "connect_ms", "first_byte_ms",
			"duration_ms", "started_at"}, len(attempts),
			func(i int) []any {
				a, outcome := attempts[i], sender.OutcomeSucceeded
				if a.problem != nil {
					outcome = sender.OutcomeStatus
				}
				return []any{
					a.delivery, a.number, w.URL, a.at.Unix(), a.signature, string(outcome), a.problem, receiver,
					a.status, json.RawMessage(a.headers), a.body, 0.3 + a.ms/40, a.ms, int(a.ms) + 1, a.at,
				}
			}},
	} {
		_, err := tx.CopyFrom(ctx, pgx.Identifier{t.name}, t.columns,
			pgx.CopyFromSlice(t.rows, func(i int) ([]any, error) { return t.row(i), nil }))
		if err != nil {
			return fmt.Errorf("write %d rows of %s: %w", t.rows, t.name, err)
		}
	}
	return nil
}
