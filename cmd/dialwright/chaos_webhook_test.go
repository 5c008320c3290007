package main

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"sync"
	"testing"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"github.com/dialwright/dialwright/internal/call"
)

// chaosReceiver is the endpoint of the server's webhook. It survives the servers' kills and records every event.
type chaosReceiver struct {
	t      *testing.T
	url    string
	secret *standardwebhooks.Webhook

	mu    sync.Mutex
	told  map[string]chaosEvent // by webhook-id
	times int                   // number of deliveries, including repeated deliveries
}

type chaosEvent struct {
	body []byte
	ID   string
	Type string
	Data json.RawMessage
}

func newChaosReceiver(t *testing.T) *chaosReceiver {
	r := &chaosReceiver{t: t, told: map[string]chaosEvent{}}
	server := httptest.NewServer(r)
	t.Cleanup(server.Close)
	r.url = server.URL
	return r
}

func (r *chaosReceiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return // the server was killed while it sent the body
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	// Ignore the timestamp, because the product's clock is ahead of the receiver's.
	if err := r.secret.VerifyIgnoringTimestamp(body, req.Header); err != nil {
		r.t.Errorf("a delivery is not signed: %v", err)
	}
	e := chaosEvent{body: body}
	if err := json.Unmarshal(body, &e); err != nil || e.ID != req.Header.Get("webhook-id") {
		r.t.Errorf("webhook-id %s: %v: %s", req.Header.Get("webhook-id"), err, body)
	}
	if before, again := r.told[e.ID]; again && !bytes.Equal(before.body, body) {
		r.t.Errorf("event %s came as\n%s\nand as\n%s", e.ID, before.body, body)
	}
	r.told[e.ID] = e
	r.times++
	w.WriteHeader(http.StatusNoContent)
}

// events returns the received events by type and the id of their subject.
func (r *chaosReceiver) events() map[[2]string][]chaosEvent {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := map[[2]string][]chaosEvent{}
	for _, e := range r.told {
		var about struct{ ID string }
		if err := json.Unmarshal(e.Data, &about); err != nil {
			r.t.Errorf("event %s: %v", e.ID, err)
		}
		key := [2]string{e.Type, about.ID}
		all[key] = append(all[key], e)
	}
	return all
}

// createWebhook creates the webhook through the API, as an integrator does.
func (c *chaos) createWebhook() {
	var created struct{ Secret string }
	c.api(http.MethodPost, "/webhooks", map[string]any{
		"name": "Chaos", "url": c.receiver.url, "events": c.plan.events,
	}, &created)
	secret, err := standardwebhooks.NewWebhook(created.Secret)
	c.must(err)
	c.receiver.mu.Lock()
	defer c.receiver.mu.Unlock()
	c.receiver.secret = secret
}

// checkEvents checks that every outcome of calls and recipients was delivered, each fact under one webhook-id, and
// equal to the final state in the API.
func (c *chaos) checkEvents(calls map[string]chaosCall, recipients []chaosRecipient) {
	c.t.Helper()
	want := map[[2]string]bool{}
	for id, one := range calls {
		want[[2]string{"call.completed", id}] = true
		if one.AnsweredAt != nil {
			want[[2]string{"call.answered", id}], want[[2]string{"call.analyzed", id}] = true, true
		}
		if one.CampaignID == "" && one.Direction == call.Outbound {
			want[[2]string{"call.scheduled", id}] = true
		}
		if one.Transfer != nil && one.Transfer.State.Connected() {
			want[[2]string{"call.transferred", id}] = true
		}
	}
	var followUps []string
	c.row(`select coalesce(array_agg(id::text), '{}') from follow_up`, nil, &followUps)
	for _, id := range followUps {
		want[[2]string{"follow_up.created", id}] = true
	}
	for _, r := range recipients {
		if r.Status == "completed" || r.Status == "failed" || r.Status == "skipped" {
			want[[2]string{"recipient." + r.Status, r.ID}] = true
		}
	}
	want[[2]string{"campaign.started", c.campaign}], want[[2]string{"campaign.completed", c.campaign}] = true, true

	if !slices.Contains(c.plan.events, "*") {
		maps.DeleteFunc(want, func(key [2]string, _ bool) bool { return !slices.Contains(c.plan.events, key[0]) })
	}
	missing := func() [][2]string {
		told := c.receiver.events()
		return slices.DeleteFunc(slices.Collect(maps.Keys(want)), func(key [2]string) bool { return told[key] != nil })
	}
	if left := missing(); len(left) > 0 { // no delivery waits at this point, so a missing event never comes
		c.t.Fatalf("never told: %v", left)
	}

	// Whoever takes a call may hang up at the moment of the connection. The transfer has failed then, or another one
	// followed it.
	var taken []string
	c.row(`select coalesce(array_agg(distinct call_id::text), '{}') from call_transfer where taken_at is not null`, nil,
		&taken)
	told := c.receiver.events()
	for key, events := range told {
		if key == [2]string{"campaign.progress", c.campaign} && len(events) <= 3 {
			continue // one for each share, unless a settlement passes several
		}
		if len(events) > 1 {
			c.t.Errorf("%s of %s was told under %d ids", key[0], key[1], len(events))
		}
		answered := key[0] == "recipient.failed" && c.traffic.resumed[key[1]]   // after it, they called us
		priced := key[0] == "call.priced" && calls[key[1]].CarrierCallID != nil // when depends on the network
		took := key[0] == "call.transferred" && slices.Contains(taken, key[1])
		if !want[key] && key[0] != "call.started" && !answered && !priced && !took {
			c.t.Errorf("%s of %s was told, but is not so", key[0], key[1])
		}
	}
	for id, one := range calls {
		var shown chaosCall
		c.must(json.Unmarshal(told[[2]string{"call.completed", id}][0].Data, &shown))
		if !reflect.DeepEqual(shown, one) {
			c.t.Errorf("call %s was told as %+v, the API shows %+v", id, shown, one)
		}
	}
	c.receiver.mu.Lock()
	defer c.receiver.mu.Unlock()
	c.t.Logf("%d events were told in %d deliveries", len(c.receiver.told), c.receiver.times)
}
