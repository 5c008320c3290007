package webhook_test

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/api"
	"github.com/dialwright/dialwright/internal/app/apptest"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/postgres/plans"
	"github.com/dialwright/dialwright/internal/seal"
	"github.com/dialwright/dialwright/internal/testwait"
	"github.com/dialwright/dialwright/internal/webhook"
)

// A page of webhooks or deliveries takes the same time, however many there are.
func TestListsOfWebhooksReadWhatTheyShow(t *testing.T) {
	t.Parallel()
	w := apptest.NewWatched(t, api.Reference)
	hook, subject, delivery := uuid.New(), uuid.New(), uuid.New()
	w.Write(pgx.NamedArgs{"hook": hook, "subject": subject, "delivery": delivery},
		`insert into webhook (id, organization_id, name, url, events, secret, created_at)
			select case when n = 1 then @hook else gen_random_uuid() end, @organization, 'Webhook ' || n,
			       'https://example.com/', '{*}', '', @middle::timestamptz + (n - @many / 2) * interval '1 minute'
			from generate_series(1, @many::int) n`,
		`insert into event (id, organization_id, type, subject_id, payload, created_at)
			select gen_random_uuid(), @organization, case n % 2 when 0 then 'call.completed' else 'call.failed' end,
			       case when n <= 5 then @subject else gen_random_uuid() end, '{}',
			       @middle::timestamptz + (n - @many / 2) * interval '1 minute'
			from generate_series(1, @many::int) n`,
		`insert into delivery (id, organization_id, webhook_id, event_id, event_type, status, created_at)
			select gen_random_uuid(), organization_id, @hook, id, type,
			       (array['succeeded', 'failed', 'pending'])[1 + n % 3], created_at
			from (select row_number() over (order by created_at) n, * from event) e`,
		`update delivery set id = @delivery where event_id = (select id from event
			where subject_id = @subject limit 1)`,
		`update delivery set attempts = 1 where status = 'pending'`,
		`insert into delivery_due (delivery_id, webhook_id, due_at, manual)
			select id, webhook_id, clock(), true from delivery where status <> 'pending'`,
		`insert into delivery_attempt
			(delivery_id, number, url, signed_at, signature, outcome, duration_ms, started_at)
			select id, 1, '', 0, '', 'succeeded', 5, created_at from delivery`)
	const few = 200 // a page has 25 rows, each with its event and its resend
	list := func(name string, f webhook.DeliveryFilter) {
		t.Helper()
		apptest.ReadList(w, "the list of deliveries"+name, few,
			func(ctx context.Context, r page.Request) (page.List[webhook.Delivery], error) {
				f.Page = r
				return w.Webhooks.Deliveries(ctx, w.OrganizationID, hook, f)
			})
	}
	apptest.ReadList(w, "the list of webhooks", few,
		func(ctx context.Context, r page.Request) (page.List[webhook.Webhook], error) {
			return w.Webhooks.List(ctx, w.OrganizationID, r)
		})
	list("", webhook.DeliveryFilter{})
	for _, status := range webhook.Statuses {
		list(", "+string(status), webhook.DeliveryFilter{Statuses: page.Only(status)})
	}
	list(" of a type", webhook.DeliveryFilter{EventTypes: page.Only(webhook.CallCompleted)})
	list(", retrying", webhook.DeliveryFilter{Retrying: true})
	list(" of two statuses", webhook.DeliveryFilter{Statuses: []webhook.Status{webhook.Failed, webhook.Pending}})
	list(", failed, of a type", webhook.DeliveryFilter{
		Statuses:   page.Only(webhook.Failed),
		EventTypes: page.Only(webhook.CallCompleted),
	})
	w.Read("one delivery", 20, func(ctx context.Context) error {
		_, err := w.Webhooks.DeliveryDetail(ctx, w.OrganizationID, hook, delivery)
		return err
	})
	w.Read("the deliveries about a call", few, func(ctx context.Context) error {
		_, err := w.Webhooks.About(ctx, w.OrganizationID, subject)
		return err
	})
	w.Read("a page of events", few, func(ctx context.Context) error {
		_, err := w.Webhooks.Events(ctx, w.OrganizationID, webhook.EventFilter{})
		return err
	})
	w.Read("a page of events of a type", 6000, func(ctx context.Context) error { // maxFiltered, and the page itself
		_, err := w.Webhooks.Events(ctx, w.OrganizationID, webhook.EventFilter{
			Types: []webhook.Type{webhook.MessageRead},
		})
		return err
	})
	// Health reads a thousand deliveries with their events, and waiting deliveries up to
	// MaxWaiting.
	w.Read("the health of a webhook", 2500+webhook.MaxWaiting, func(ctx context.Context) error {
		_, err := w.Webhooks.Health(ctx, w.OrganizationID, hook)
		return err
	})
}

// A claim's reads do not depend on the number of due deliveries, or of webhooks that wait
// for a retry.
func TestClaimsReadWhatTheyTake(t *testing.T) {
	t.Parallel()
	const (
		ready   = 500    // webhooks with due deliveries
		waiting = 10_000 // webhooks that only wait for a retry
	)
	w := apptest.NewWatched(t, api.Reference)
	vault := apptest.Vault(t)
	ids, secrets := make([]uuid.UUID, ready), make([][]byte, ready)
	for i := range ids {
		ids[i] = uuid.New()
		secrets[i] = vault.Seal(make([]byte, webhook.SecretSize), seal.Cell{
			Organization: w.OrganizationID,
			Table:        "webhook",
			Column:       "secret",
			Row:          ids[i].String(),
		})
	}
	w.Write(pgx.NamedArgs{"ids": ids, "secrets": secrets, "waiting": waiting},
		`insert into webhook (id, organization_id, name, url, events, secret)
			select id, @organization, 'Ready', 'http://receiver.example/', '{*}', secret
			from unnest(@ids::uuid[], @secrets::bytea[]) u (id, secret)`,
		`insert into webhook (id, organization_id, name, url, events, secret)
			select gen_random_uuid(), @organization, 'Waiting', 'http://receiver.example/', '{*}', ''
			from generate_series(1, @waiting::int)`,
		`insert into event (id, organization_id, type, subject_id, payload, created_at)
			select gen_random_uuid(), @organization, 'call.completed', gen_random_uuid(), repeat('x', 700), clock()
			from generate_series(1, @many::int / cardinality(@ids::uuid[]))`,
		`insert into delivery (id, organization_id, webhook_id, event_id, event_type)
			select gen_random_uuid(), @organization, w.id, e.id, e.type
			from webhook w, event e where w.name = 'Ready'`,
		`insert into delivery_due (delivery_id, webhook_id, due_at) select id, webhook_id, clock() from delivery`,
		`insert into delivery_due (delivery_id, webhook_id, due_at, state, step)
			select gen_random_uuid(), id, clock() + interval '1 hour', 'waiting', 2 from webhook
				where name = 'Waiting'`)
	w.Plans() // drop the plans recorded so far; no engine runs

	ctx, stop := context.WithTimeout(t.Context(), testwait.Limit)
	defer stop()
	engine := webhook.NewEngine(webhook.EngineOptions{
		Pool:      w.Pool,
		Hub:       postgres.LocalHub(),
		Vault:     vault,
		Transport: unconnected,
		Log:       slog.New(slog.DiscardHandler),
	})
	done := make(chan error, 1)
	go func() { done <- engine.Run(ctx) }()
	const wanted = 2000
	delivered := 0
	for delivered < wanted && ctx.Err() == nil {
		time.Sleep(20 * time.Millisecond)
		err := w.Pool.QueryRow(ctx, `select count(*) from delivery_attempt`).Scan(&delivered)
		if err != nil {
			t.Fatal(err)
		}
	}
	stop()
	if err := <-done; err != nil || delivered < wanted {
		t.Fatalf("%d deliveries: %v", delivered, err)
	}

	walks, takes := 0, 0
	var taken plans.Plan
	for _, p := range w.Plans() {
		switch {
		case strings.HasPrefix(p.Query, "with recursive walk"):
			walks++
			w.Check("the search for webhooks with due deliveries", 2000, p) // 256 webhooks at most
		case strings.HasPrefix(p.Query, "with picked"):
			takes++
			taken.Rows += p.Rows
			w.Check("the claim", 20_000, p)
		}
	}
	if walks == 0 || takes == 0 {
		t.Fatalf("%d searches and %d claims were seen", walks, takes)
	}
	if err := w.Pool.QueryRow(t.Context(), `select count(*) from delivery_attempt`).Scan(&delivered); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d claims read %d rows for %d deliveries", takes, taken.Rows, delivered)
	if most := 10 * delivered; taken.Rows > most {
		t.Errorf("claims read %d rows for %d deliveries, at most %d are wanted", taken.Rows, delivered, most)
	}
}

// unconnected is a transport to endpoints that answer without a network.
func unconnected() *http.Transport {
	t := &http.Transport{}
	t.RegisterProtocol("http", answering{})
	return t
}

type answering struct{}

func (answering) RoundTrip(r *http.Request) (*http.Response, error) {
	_, _ = io.Copy(io.Discard, r.Body) // reads from memory
	return &http.Response{StatusCode: http.StatusNoContent, Header: http.Header{}, Body: http.NoBody, Request: r}, nil
}
