package api

import (
	"context"
	"encoding/json"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/app"
	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/testwait"
	"github.com/dialwright/dialwright/internal/webhook"
)

// taker is a carrier that accepts every call and never reports its progress.
type taker struct {
	carrier.Recordings
	carrier.Listening
	carrier.Prices
}

func (taker) Place(_ context.Context, p carrier.Placement) (string, error) {
	return "CA" + p.CallID.String(), nil
}
func (taker) Hangup(context.Context, carrier.Ref) error { return nil }
func (taker) Lookup(context.Context, carrier.Ref) (carrier.Report, error) {
	return carrier.Report{}, carrier.ErrUnknownCall
}

// told is an event as a webhook receives it.
type told struct {
	Type    string
	Subject uuid.UUID
	Body    map[string]any
}

// toldSince skips the first events of the tenant and returns the later events.
func (n *tenant) toldSince(first int) []told {
	n.w.t.Helper()
	rows, err := n.w.Pool.Query(n.w.t.Context(), `
		select type, subject_id, payload::jsonb from event where organization_id = $1
			order by created_at, id offset $2`, n.organization, first)
	if err != nil {
		n.w.t.Fatal(err)
	}
	events, err := pgx.CollectRows(rows, pgx.RowToStructByPos[told])
	if err != nil {
		n.w.t.Fatal(err)
	}
	return events
}

// An event's data equals the API's answer at that moment, field by field.
func TestEventsTellWhatTheAPIPrints(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	w.exec(
		`insert into webhook (id, organization_id, name, url, events, secret)
			values (gen_random_uuid(), $1, 'Hook', '', '{*}', '')`,
		n.organization,
	)
	w.wire(func(o *app.Options) {
		o.Carriers = func(context.Context, uuid.UUID) (carrier.Carrier, error) { return taker{}, nil }
	})

	var campaignID string
	answer := func(e told) any {
		t.Helper()
		switch e.Type[:4] {
		case "camp":
			return n.do("GET", "/campaigns/"+e.Subject.String(), nil).want(http.StatusOK).get()
		case "call":
			return n.do("GET", "/calls/"+e.Subject.String(), nil).want(http.StatusOK).get()
		}
		for _, r := range n.do("GET", "/campaigns/"+campaignID+"/recipients", nil).data() {
			if r.(map[string]any)["id"] == e.Subject.String() {
				return r
			}
		}
		return nil
	}
	seen := 0
	expect := func(want ...string) []told {
		t.Helper()
		events := n.toldSince(seen)
		seen += len(events)
		var types []string
		for _, e := range events {
			types = append(types, e.Type)
			if e.Body["type"] != e.Type || len(e.Body) != 6 || e.Body["id"] == nil || e.Body["timestamp"] == nil ||
				e.Body["organization_id"] != n.organization.String() || e.Body["project_id"] != n.project.String() {
				t.Errorf("%s: %v", e.Type, e.Body)
			}
			payloadIsDescribed(t, e.Type, e.Body)
			if e.Type == "campaign.started" {
				continue // the data precedes the first call, which the same transaction claims
			}
			if now := answer(e); !reflect.DeepEqual(e.Body["data"], now) {
				t.Errorf("%s tells %v\nthe API prints %v", e.Type, e.Body["data"], now)
			}
		}
		if !slices.Equal(types, want) {
			t.Fatalf("told %v, want %v", types, want)
		}
		return events
	}

	body := n.campaign()
	body["scheduled_at"] = time.Now().Add(time.Hour).Format(time.RFC3339)
	delete(body, "calling_hours")
	body["recipients"] = append(body["recipients"].([]any)[:1], map[string]any{
		"phone_number": "+15005550001", "name": "Ana again",
	})
	campaignID = n.do("POST", "/campaigns", body).want(http.StatusCreated).get("id").(string)
	expect("campaign.scheduled", "recipient.skipped")
	n.do("POST", "/campaigns/"+campaignID+"/pause", nil).want(http.StatusOK)
	expect("campaign.paused")
	n.do("POST", "/campaigns/"+campaignID+"/resume", nil).want(http.StatusOK)
	expect("campaign.scheduled")

	w.Advance(time.Hour + time.Minute)
	run := func(loop func(context.Context) error, events int) {
		t.Helper()
		ctx, stop := context.WithCancel(t.Context())
		var work sync.WaitGroup
		work.Go(func() {
			if err := loop(ctx); err != nil {
				t.Error(err)
			}
		})
		for deadline := time.Now().Add(
			testwait.Limit,
		); len(n.toldSince(seen)) < events; time.Sleep(5 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("only %v were told", n.toldSince(seen))
			}
		}
		stop()
		work.Wait()
	}
	run(w.app.Dialer.Run, 2)
	events := expect("campaign.started", "call.started")
	counters := events[0].Body["data"].(map[string]any)["counters"].(map[string]any)
	if counters["pending"] != 1.0 || counters["skipped"] != 1.0 || counters["dialing"] != 0.0 {
		t.Errorf("started with %v", counters)
	}
	call := events[1].Subject
	deliver := func(e carrier.Event) {
		t.Helper()
		e.ConnectionID, e.CallID, e.CarrierCallID, e.At = n.connection, call, "CA"+call.String(), time.Now()
		if err := w.app.Calls.Deliver(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	deliver(carrier.Event{Kind: carrier.Ringing})
	deliver(carrier.Event{Kind: carrier.Detected, AnsweredBy: carrier.Human})
	expect("call.answered")
	w.exec(`insert into call_turn (call_id, index, organization_id, role, text, start_ms, end_ms)
		values ($1, 0, $2, 'agent', 'Hello.', null, null), ($1, 1, $2, 'recipient', 'Yes, <indeed> & "so" – ñ.', 1200,
			1900)`, call, n.organization)
	w.exec(`insert into call_line (call_id, organization_id, turns, closed_at, analysis) values ($1, $2, 2, clock(),
		'{"status": "ready", "summary": "Confirmed.", "answers": {"ok": true, "guests": 2.5}, "sentiment": "neutral", "successful": true, "opt_out": false}')`,
		call, n.organization)
	deliver(carrier.Event{Kind: carrier.Ended, Outcome: carrier.Completed, Duration: 3 * time.Second})
	run(w.app.Settler.Run, 4)
	events = expect("call.completed", "call.analyzed", "recipient.completed", "campaign.completed")
	if data, err := json.Marshal(events[1].Body["data"]); err != nil ||
		len(events[1].Body["data"].(map[string]any)["transcript"].([]any)) != 2 {
		t.Errorf("analyzed: %s", data)
	}

	cancel := n.newCampaign()
	n.do("POST", "/campaigns/"+cancel+"/cancel", nil).want(http.StatusOK)
	expect("campaign.canceled")
}

// payloadIsDescribed checks the body of a delivery against the description, which must
// not accept a slightly different body.
func payloadIsDescribed(t testing.TB, kind string, body any) {
	t.Helper()
	item := describedAPI(t).doc.Webhooks[kind]
	if item == nil {
		t.Errorf("%s is not described", kind)
		return
	}
	schema := item.Post.RequestBody.Value.Content.Get("application/json").Schema.Value
	if err := schema.VisitJSON(body, openapi3.EnableJSONSchema2020()); err != nil {
		t.Errorf("%s is not as described: %v", kind, err)
	}
	for _, what := range describedAPI(t).passes(t, schema, body) {
		t.Errorf("%s: the description would let pass %s", kind, what)
	}
}

// The description has all events of the catalog, with their texts, and no other events.
// The data of each event is a resource of the API, and each event has an example.
func TestEventsAreThoseOfTheCatalog(t *testing.T) {
	t.Parallel()
	doc := describedAPI(t).doc
	if got, want := len(doc.Webhooks), len(webhook.Catalog()); got != want {
		t.Errorf("%d events are described, %d there are", got, want)
	}
	data := map[string]string{"campaign": "Campaign", "recipient": "Recipient", "call": "CallWithTranscript",
		"message": "Message", "follow_up": "FollowUp",
		"number": "QuotaEntry", "webhook": "Webhook"}
	for _, kind := range webhook.Catalog() {
		item := doc.Webhooks[string(kind.Type)]
		if item == nil || item.Post == nil {
			t.Errorf("%s is not described", kind.Type)
			continue
		}
		noun, _, _ := strings.Cut(string(kind.Type), ".")
		content := item.Post.RequestBody.Value.Content.Get("application/json")
		schema := content.Schema.Value
		if item.Post.Summary != kind.Description ||
			schema.Properties["data"].Ref != "#/components/schemas/"+data[noun] ||
			schema.Properties["type"].Value.Const != string(kind.Type) || len(item.Post.Parameters) != 3 {
			t.Errorf("%s: %q, data %s", kind.Type, item.Post.Summary, schema.Properties["data"].Ref)
		}
		if content.Example == nil {
			t.Errorf("%s has no example", kind.Type)
			continue
		}
		payloadIsDescribed(t, string(kind.Type), jsonOf(t, content.Example))
	}

	// The body that a webhook receives matches the description.
	w := newWorld(t)
	n := w.newTenant("Acme")
	path := "/webhooks/" + n.newWebhook()
	delivery := n.do("POST", path+"/test", nil).want(http.StatusCreated).get("id").(string)
	var body any
	if err := json.Unmarshal(
		[]byte(n.do("GET", path+"/deliveries/"+delivery, nil).want(http.StatusOK).get("body").(string)), &body,
	); err != nil {
		t.Fatal(err)
	}
	payloadIsDescribed(t, "webhook.test", body)
}
