package webhook

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/page"
)

// delivery writes a delivery as the engine leaves it.
func (h *world) delivery(w Webhook, kind Type, status Status, ms int, at time.Time) uuid.UUID {
	h.t.Helper()
	id, event := uuid.Must(uuid.NewV7()), uuid.Must(uuid.NewV7())
	h.exec(`insert into event (id, organization_id, type, subject_id, payload, created_at)
		values ($1, $2, $3, $4, '{"id": 1}', $5)`,
		event, w.OrganizationID, kind, w.ID, at)
	h.exec(`insert into delivery (id, organization_id, webhook_id, event_id, event_type, status, attempts, duration_ms,
		created_at)
		values ($1, $2, $3, $4, $5, $6, 1, $7, $8)`, id, w.OrganizationID, w.ID, event, kind, status, ms, at)
	return id
}

func TestDeliveries(t *testing.T) {
	t.Parallel()
	h := newWorld(t)
	w, other := h.webhook("*"), h.webhook("*")
	start := time.Now().Add(-time.Hour).Truncate(time.Millisecond)
	kinds := []Type{CallStarted, CallCompleted}
	var want []Delivery
	for i := range 12 {
		at := start.Add(time.Duration(i/2) * time.Minute) // two deliveries at each moment
		d := Delivery{EventType: kinds[i%2], Status: Statuses[i%3], CreatedAt: at}
		d.ID = h.delivery(w, d.EventType, d.Status, 5, at)
		h.delivery(other, d.EventType, d.Status, 5, at)
		want = append([]Delivery{d}, want...)
	}
	for _, f := range []DeliveryFilter{
		{}, {Statuses: []Status{Pending}}, {Statuses: []Status{Failed, Pending}}, {EventTypes: []Type{CallStarted}},
		{Statuses: []Status{Succeeded, Failed, Failed}, EventTypes: []Type{CallStarted, CallCompleted}},
		{EventTypes: []Type{WebhookTest}},
		{Page: page.Request{CreatedAfter: start.Add(time.Minute)}},
		{Page: page.Request{CreatedBefore: start.Add(time.Minute)}, Statuses: []Status{Pending}},
	} {
		for _, limit := range []int{1, 2, 3, 100} {
			f.Page.Limit, f.Page.Cursor = limit, ""
			var got, expected []uuid.UUID
			for _, d := range want {
				if (len(f.Statuses) == 0 || slices.Contains(f.Statuses, d.Status)) &&
					(len(f.EventTypes) == 0 || slices.Contains(f.EventTypes, d.EventType)) &&
					d.CreatedAt.After(f.Page.CreatedAfter) &&
					(f.Page.CreatedBefore.IsZero() || d.CreatedAt.Before(f.Page.CreatedBefore)) {
					expected = append(expected, d.ID)
				}
			}
			for range len(want) + 1 {
				list, err := h.Deliveries(t.Context(), h.actor.OrganizationID, w.ID, f)
				if err != nil {
					t.Fatal(err)
				}
				for _, d := range list.Data {
					got = append(got, d.ID)
				}
				if list.NextCursor == nil {
					break
				}
				f.Page.Cursor = *list.NextCursor
			}
			if !slices.Equal(got, expected) {
				t.Errorf("%+v: got %v, want %v", f, got, expected)
			}
		}
	}
	_, err := h.Deliveries(t.Context(), h.actor.OrganizationID, w.ID, DeliveryFilter{
		Statuses: []Status{Failed, "gone"},
	})
	h.refused(err, fault.Invalid, "status: must be one of pending, succeeded, failed, not \"gone\"")
	_, err = h.Deliveries(t.Context(), h.actor.OrganizationID, w.ID, DeliveryFilter{EventTypes: []Type{"call.*"}})
	h.refused(err, fault.Invalid, "event_type: must be one of "+names(Types())+`, not "call.*"`)
}

func TestDeliveryDetail(t *testing.T) {
	t.Parallel()
	h := newWorld(t)
	w := h.webhook("*")
	id := h.delivery(w, CallStarted, Failed, 5, time.Now())
	h.exec(`insert into delivery_attempt (delivery_id, number, url, signed_at, signature, outcome, error, duration_ms,
		started_at)
		select $1, n, 'https://example.com', 1, 'v1,x', 'dns', 'The host name example.com does not resolve', 3, clock()
			from generate_series(1, $2::int) n`,
		id, MaxAttempts)
	h.exec(`insert into delivery_attempt (delivery_id, number, manual, url, signed_at, signature, outcome, error,
		remote_address, response_status,
			response_headers, response_body, response_cut, reconnected, dns_ms, connect_ms, tls_ms, first_byte_ms,
				duration_ms, started_at)
		values ($1, $2, true, 'https://example.com/hook', 1795203500, 'v1,x v1,y', 'status',
			'The endpoint answered 503 Service Unavailable',
			'192.0.2.7', 503, '{"Content-Type": "text/plain"}', '\x6e6fff', true, true, 1.5, null, 20, 30.2, 60,
				clock())`, id, MaxAttempts+1)
	d, err := h.DeliveryDetail(t.Context(), h.actor.OrganizationID, w.ID, id)
	if err != nil {
		t.Fatal(err)
	}
	if len(d.History) != MaxAttempts || d.History[0].Number != 2 || d.Payload != `{"id": 1}` {
		t.Errorf("%d attempts from %d, payload %s", len(d.History), d.History[0].Number, d.Payload)
	}
	r := d.Resource()
	shown, err := json.Marshal(r.History[len(r.History)-1])
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		StartedAt string `json:"started_at"`
	}
	if err := json.Unmarshal(shown, &got); err != nil {
		t.Fatal(err)
	}
	want := `{"number":101,"manual":true,"started_at":"` + got.StartedAt + `","duration_ms":60,"outcome":"status",` +
		`"error":"The endpoint answered 503 Service Unavailable",` +
		`"request":{"url":"https://example.com/hook","headers":{"content-type":"application/json","webhook-id":"` +
		d.EventID.String() + `",` +
		`"webhook-signature":"v1,x v1,y","webhook-timestamp":"1795203500"}},` +
		`"response":{"status":503,"headers":{"Content-Type":"text/plain"},"body":"no` + "\ufffd" +
		`","truncated":true},` +
		`"remote_address":"192.0.2.7","reconnected":true,"timings":{"dns_ms":1.5,"connect_ms":null,"tls_ms":20,` +
		`"first_byte_ms":30.2}}`
	if string(shown) != want {
		t.Errorf("got  %s\nwant %s", shown, want)
	}
	if first := r.History[0]; first.Response != nil || first.RemoteAddress != nil {
		t.Errorf("no answer came: %+v", first)
	}
}

// Other systems drop a manual retry because an earlier retry had the same key. A resend
// is never dropped.
func TestAResendIsNeverSwallowed(t *testing.T) {
	t.Parallel()
	h := newWorld(t)
	w := h.webhook("*")
	for _, status := range Statuses {
		id := h.delivery(w, CallStarted, status, 5, time.Now())
		for range 3 {
			d, err := h.Resend(t.Context(), h.actor, w.ID, id)
			if err != nil {
				t.Fatal(err)
			}
			if !d.Resending || d.NextAttemptAt == nil || d.Status != status {
				t.Errorf("got %+v", d)
			}
			_, err = h.Resend(t.Context(), h.actor, w.ID, id)
			h.refused(err, fault.Conflict, "Delivery is being resent already")
			h.exec(`delete from delivery_due where delivery_id = $1`, id) // the attempt is made
		}
	}
	// Planned retries stay. Deliveries to an inactive webhook can be resent.
	id := h.delivery(w, CallStarted, Pending, 5, time.Now())
	h.exec(`update delivery set next_attempt_at = clock() + interval '1 hour' where id = $1`, id)
	h.exec(
		`insert into delivery_due (delivery_id, webhook_id, due_at, state)
			values ($1, $2, clock() + interval '1 hour', 'waiting')`,
		id, w.ID,
	)
	if _, err := h.Pause(t.Context(), h.actor, w.ID); err != nil {
		t.Fatal(err)
	}
	d, err := h.Resend(t.Context(), h.actor, w.ID, id)
	if err != nil || d.NextAttemptAt == nil || time.Until(*d.NextAttemptAt) > time.Minute {
		t.Errorf("%+v, %v", d, err)
	}
	if n := scan[int](h, `select count(*) from delivery_due where delivery_id = $1`, id); n != 2 {
		t.Errorf("%d places in the queue", n)
	}
	if got := h.audited(id); !slices.Equal(got, []string{"delivery.resent"}) {
		t.Errorf("audited %v", got)
	}
}

func TestTest(t *testing.T) {
	t.Parallel()
	h := newWorld(t)
	w, _ := h.webhook("call.started"), h.webhook("*")
	w, err := h.Pause(t.Context(), h.actor, w.ID)
	if err != nil {
		t.Fatal(err)
	}
	d, err := h.Test(t.Context(), h.actor, w.ID, WebhookTest)
	if err != nil || d.Status != Pending || d.EventType != WebhookTest || d.WebhookID != w.ID ||
		d.NextAttemptAt == nil {
		t.Fatalf("%+v, %v", d, err)
	}
	if n := scan[int](h, `select count(*) from delivery`); n != 1 {
		t.Errorf("%d deliveries", n)
	}
	if n := scan[int](h, `select count(*) from delivery_due where manual and state = 'ready'`); n != 1 {
		t.Errorf("%d attempts", n)
	}
	detail, err := h.DeliveryDetail(t.Context(), h.actor.OrganizationID, w.ID, d.ID)
	if err != nil {
		t.Fatal(err)
	}
	data, _ := json.Marshal(w.Resource())
	if want := fmt.Sprintf(
		`{"id":"%s","type":"webhook.test","timestamp":"%s","organization_id":"%s","project_id":null,"data":%s}`,
		d.EventID, d.Resource().CreatedAt, h.actor.OrganizationID, data,
	); detail.Payload != want {
		t.Errorf("got  %s\nwant %s", detail.Payload, want)
	}
}

// A test of any type sends the example of its type to one webhook only, and no recovery
// sends it.
func TestTestOfAType(t *testing.T) {
	t.Parallel()
	h := newWorld(t)
	rc, other := newReceiver(t, status(http.StatusTeapot)), newReceiver(t, nil)
	w, listening := h.at(rc.URL, "campaign.*"), h.at(other.URL, "*")
	began := scan[time.Time](h, `select clock()`)
	d, err := h.Test(t.Context(), h.actor, w.ID, CallCompleted)
	if err != nil || d.EventType != CallCompleted || !d.IsTest {
		t.Fatalf("%+v, %v", d, err)
	}
	detail, err := h.DeliveryDetail(t.Context(), h.actor.OrganizationID, w.ID, d.ID)
	if err != nil || !strings.HasSuffix(detail.Payload, `,"organization_id":"`+h.actor.OrganizationID.String()+
		`","project_id":"`+exampleProject+`","data":{"id":"1","outcome":"completed"}}`) ||
		!strings.Contains(detail.Payload, `"type":"call.completed"`) {
		t.Errorf("%s, %v", detail.Payload, err)
	}
	_, err = h.Test(t.Context(), h.actor, w.ID, "call.exploded")
	h.refused(err, fault.Invalid, "event_type: must be one of "+names(Types()))
	if _, err = h.Test(t.Context(), h.actor, w.ID, CallStarted); err == nil {
		t.Error("a type without an example is sent")
	}

	h.engine()
	h.await("the attempt", func() bool {
		return h.count(`delivery where id = $1 and status = 'failed' and attempts = 1`, d.ID) == 1
	})
	for _, w := range []Webhook{w, listening} {
		if _, err := h.Recover(t.Context(), h.actor, w.ID, began); err != nil {
			t.Fatal(err)
		}
	}
	h.await("the recoveries", func() bool { return h.count(`webhook_recovery where finished_at is not null`) == 2 })
	if n := h.count(`webhook_recovery where retried + added > 0`); n != 0 || len(rc.requests()) != 1 ||
		len(other.requests()) != 0 {
		t.Errorf("%d recoveries found the test; it was received %d times, and %d times by another webhook", n,
			len(rc.requests()), len(other.requests()))
	}
}

// A test has one attempt, even while the webhook is inactive. If the attempt fails, the
// delivery has failed. A failed resend leaves the status of its delivery unchanged.
func TestOneAttemptOnRequest(t *testing.T) {
	t.Parallel()
	h := newWorld(t)
	rc := newReceiver(t, status(http.StatusTeapot))
	w := h.at(rc.URL, "*")
	if _, err := h.Pause(t.Context(), h.actor, w.ID); err != nil {
		t.Fatal(err)
	}
	test, err := h.Test(t.Context(), h.actor, w.ID, WebhookTest)
	if err != nil {
		t.Fatal(err)
	}
	succeeded, planned := h.delivery(w, CallStarted, Succeeded, 5,
		time.Now()), h.delivery(w, CallStarted, Pending, 5, time.Now())
	h.exec(`update delivery set next_attempt_at = clock() + interval '1 hour' where id = $1`, planned)
	h.exec(
		`insert into delivery_due (delivery_id, webhook_id, due_at, state)
			values ($1, $2, clock() + interval '1 hour', 'waiting')`,
		planned, w.ID,
	)
	for _, id := range []uuid.UUID{succeeded, planned} {
		if _, err := h.Resend(t.Context(), h.actor, w.ID, id); err != nil {
			t.Fatal(err)
		}
	}
	h.engine()
	h.await("the attempts", func() bool { return h.count(`delivery_attempt`) == 3 })
	for id, want := range map[uuid.UUID]Status{test.ID: Failed, succeeded: Succeeded, planned: Pending} {
		d, err := h.Delivery(t.Context(), h.actor.OrganizationID, w.ID, id)
		if err != nil || d.Status != want || d.Resending || (d.NextAttemptAt != nil) != (want == Pending) ||
			d.Error == nil {
			t.Errorf("%+v, %v, want %s", d, err, want)
		}
	}
}

func TestRecover(t *testing.T) {
	t.Parallel()
	h := newWorld(t)
	w := h.webhook("*")
	_, err := h.LatestRecovery(t.Context(), h.actor.OrganizationID, w.ID)
	h.refused(err, fault.NotFound, "Recovery not found")
	now := scan[time.Time](h, `select clock()`)
	for want, since := range map[string]time.Time{
		"since: must not be in the future":       now.Add(time.Hour),
		"since: must be within the last 30 days": now.Add(-recoverable - time.Second),
	} {
		_, err := h.Recover(t.Context(), h.actor, w.ID, since)
		h.refused(err, fault.Invalid, want)
	}
	if _, err := h.Pause(t.Context(), h.actor, w.ID); err != nil {
		t.Fatal(err)
	}
	_, err = h.Recover(t.Context(), h.actor, w.ID, now)
	h.refused(err, fault.Conflict, "Webhook is inactive and cannot be recovered")
	if _, err := h.Resume(t.Context(), h.actor, w.ID); err != nil {
		t.Fatal(err)
	}
	r, err := h.Recover(t.Context(), h.actor, w.ID, now.Add(-time.Hour))
	if err != nil || !r.At.Equal(r.Since) || r.FinishedAt != nil || r.Until.Before(now) ||
		r.Resource().Status != "running" {
		t.Fatalf("%+v, %v", r, err)
	}
	_, err = h.Recover(t.Context(), h.actor, w.ID, now)
	h.refused(err, fault.Conflict, "Webhook is being recovered already")
	h.exec(`update webhook_recovery set finished_at = clock(), at = until`)
	if got, err := h.LatestRecovery(t.Context(), h.actor.OrganizationID, w.ID); err != nil || got.ID != r.ID ||
		got.Resource().Status != "finished" {
		t.Errorf("%+v, %v", got, err)
	}
	second, err := h.Recover(t.Context(), h.actor, w.ID, now)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := h.LatestRecovery(t.Context(), h.actor.OrganizationID, w.ID); err != nil || got.ID != second.ID {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestHealth(t *testing.T) {
	t.Parallel()
	h := newWorld(t)
	h.actor = h.organization("Pacific/Kiritimati") // 14 hours ahead
	w, other := h.webhook("*"), h.webhook("*")
	empty, err := h.Health(t.Context(), h.actor.OrganizationID, w.ID)
	if err != nil || len(empty.Days) != HealthDays || empty.Sampled != 0 || empty.Median != 0 || empty.Waiting != 0 ||
		empty.FailingSince != nil {
		t.Fatalf("%+v, %v", empty, err)
	}
	for i := range 100 {
		h.delivery(w, CallStarted, Succeeded, i+1, time.Now())
	}
	h.delivery(w, CallStarted, Failed, 15_000, time.Now())
	for range 3 {
		h.delivery(w, CallStarted, Pending, 15_000, time.Now())
	}
	h.delivery(other, CallStarted, Pending, 15_000, time.Now())
	for range 2 {
		if err := countAttempts(t.Context(), h.db.Pool, []uuid.UUID{
			other.ID, w.ID, uuid.New(),
		}, []int32{1, 2, 1}, []int32{0, 1, 0}); err != nil {
			t.Fatal(err)
		}
	}
	h.exec(`insert into webhook_day (webhook_id, day, succeeded, failed)
		select $1, (clock() at time zone 'Pacific/Kiritimati')::date - n, 70, 7 from unnest('{1, 13, 14}'::int[]) n`,
		w.ID)
	h.exec(`update webhook set failing_since = clock() where id = $1`, w.ID)
	got, err := h.Health(t.Context(), h.actor.OrganizationID, w.ID)
	if err != nil {
		t.Fatal(err)
	}
	zone, err := time.LoadLocation("Pacific/Kiritimati")
	if err != nil {
		t.Fatal(err)
	}
	today := scan[time.Time](h, `select clock()`).In(zone)
	for i, day := range got.Days {
		date := time.Date(today.Year(), today.Month(), today.Day()-HealthDays+1+i, 0, 0, 0, 0, time.UTC)
		want := Day{Date: date}
		switch i {
		case 0, 12:
			want.Succeeded, want.Failed = 70, 7
		case 13:
			want.Succeeded, want.Failed = 4, 2
		}
		if day != want {
			t.Errorf("day %d: got %+v, want %+v", i, day, want)
		}
	}
	if got.Sampled != 100 || got.Median != 50500*time.Microsecond || got.P95 != 95050*time.Microsecond ||
		got.Waiting != 3 || got.FailingSince == nil {
		t.Errorf("got %+v", got)
	}
}

// A test says nothing about the events that an endpoint receives, so it changes none of
// the webhook's figures, whether it succeeds or fails.
func TestTestsAreNotCounted(t *testing.T) {
	t.Parallel()
	h := newWorld(t)
	rc := newReceiver(t, func(n int, w http.ResponseWriter, _ *http.Request) {
		if n == 1 {
			w.WriteHeader(http.StatusInternalServerError)
		}
	})
	w := h.at(rc.URL, "*")
	h.engine()
	for i, kind := range []Type{WebhookTest, CallCompleted} {
		d, err := h.Test(t.Context(), h.actor, w.ID, kind)
		if err != nil {
			t.Fatal(err)
		}
		want := []Status{Failed, Succeeded}[i]
		h.await("the test", func() bool {
			return h.count(`delivery where id = $1 and status = $2 and attempts = 1`, d.ID, want) == 1
		})
	}
	h.emit(h.actor, 1)
	h.await("the event is counted", func() bool {
		return h.count(`webhook_day where webhook_id = $1 and succeeded > 0`, w.ID) == 1 &&
			h.count(`webhook where id = $1 and last_success_at is not null`, w.ID) == 1
	})
	got, err := h.Health(t.Context(), h.actor.OrganizationID, w.ID)
	if err != nil {
		t.Fatal(err)
	}
	if today := got.Days[HealthDays-1]; today.Succeeded != 1 || today.Failed != 0 || got.Sampled != 1 {
		t.Errorf("the figures are %+v of %d deliveries", today, got.Sampled)
	}
	shares, err := h.AttemptCounts(t.Context(), h.actor.OrganizationID)
	if err != nil || shares[w.ID] != (AttemptCounts{Succeeded: 1}) {
		t.Errorf("the shares are %+v, %v", shares, err)
	}
	if n := h.count(
		`webhook where id = $1 and failures = 0 and failing_since is null and last_failure_at is null`, w.ID,
	); n != 1 {
		t.Error("a failed test begins a streak of failures")
	}
}

// PostgreSQL may not know the time zone of an organization. The counts of this and other
// organizations are written nevertheless.
func TestDaysInATimeZoneThatPostgreSQLDoesNotKnow(t *testing.T) {
	t.Parallel()
	h := newWorld(t)
	w, elsewhere := h.webhook("*"), *h
	elsewhere.actor = h.organization("Europe/Lutetia")
	there := elsewhere.webhook("*")
	if err := countAttempts(t.Context(), h.db.Pool, []uuid.UUID{
		there.ID, w.ID,
	}, []int32{2, 1}, []int32{0, 1}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		w    Webhook
		want AttemptCounts
	}{{w, AttemptCounts{1, 1}}, {there, AttemptCounts{2, 0}}} {
		health, err := h.Health(t.Context(), c.w.OrganizationID, c.w.ID)
		if err != nil || len(health.Days) != HealthDays {
			t.Fatalf("%d days, %v", len(health.Days), err)
		}
		if today := health.Days[HealthDays-1]; today.Succeeded != c.want.Succeeded || today.Failed != c.want.Failed {
			t.Errorf("%+v", today)
		}
		if shares, err := h.AttemptCounts(t.Context(), c.w.OrganizationID); err != nil || shares[c.w.ID] != c.want {
			t.Errorf("%v, %v", shares, err)
		}
	}
}

// A list of webhooks shows their attempt counts, and the dashboard counts the failing
// webhooks, both for one organization only.
func TestSharesAndFailing(t *testing.T) {
	t.Parallel()
	h := newWorld(t)
	all := map[string]Webhook{}
	for _, name := range []string{"fine", "just begun", "two attempts", "failing", "paused", "disabled", "deleted"} {
		all[name] = h.webhook("*")
		h.exec(`insert into webhook_day (webhook_id, day, succeeded, failed)
			select $1, (clock() at time zone 'UTC')::date - n, 3, 1 from generate_series(0, 20) n`, all[name].ID)
	}
	h.exec(`update webhook set failing_since = clock() - interval '5 minutes', failures = 9 where id = any($1)`,
		[]uuid.UUID{all["failing"].ID, all["paused"].ID, all["deleted"].ID})
	// A webhook is not failing while a retry may succeed within minutes.
	h.exec(`update webhook set failing_since = clock() - interval '4 minutes', failures = 9 where id = $1`,
		all["just begun"].ID)
	h.exec(`update webhook set failing_since = clock() - interval '1 hour', failures = 2 where id = $1`,
		all["two attempts"].ID)
	h.exec(`update webhook set is_active = false, inactive_since = clock() where id = any($1)`, []uuid.UUID{
		all["paused"].ID, all["disabled"].ID,
	})
	h.exec(`update webhook set disabled_reason = 'gone' where id = $1`, all["disabled"].ID)
	if err := h.Delete(t.Context(), h.actor, all["deleted"].ID); err != nil {
		t.Fatal(err)
	}
	shares, err := h.AttemptCounts(t.Context(), h.actor.OrganizationID)
	if err != nil || len(shares) != 6 || shares[all["fine"].ID] != (AttemptCounts{
		Succeeded: 3 * HealthDays, Failed: HealthDays,
	}) {
		t.Errorf("%v, %v", shares, err)
	}
	if n, err := h.Failing(t.Context(), h.actor.OrganizationID); err != nil || n != 2 {
		t.Errorf("%d are in trouble, %v", n, err)
	}
	other := h.organization("UTC").OrganizationID
	if shares, err := h.AttemptCounts(t.Context(), other); err != nil || len(shares) != 0 {
		t.Errorf("another organization sees %v, %v", shares, err)
	}
	for name, w := range all {
		if got, err := h.Get(t.Context(), w.OrganizationID, w.ID); name != "deleted" &&
			(err != nil || got.IsFailing != (name == "failing")) {
			t.Errorf("%s: failing is %t, %v", name, got.IsFailing, err)
		}
	}
	if n, err := h.Failing(t.Context(), other); err != nil || n != 0 {
		t.Errorf("another organization sees %d, %v", n, err)
	}

	// DisabledAt returns a time once there are enough failed attempts.
	w, err := h.Get(t.Context(), h.actor.OrganizationID, all["failing"].ID)
	if err != nil || w.DisabledAt() != nil {
		t.Errorf("%v, %v", w.DisabledAt(), err)
	}
	w.Failures++
	if at := w.DisabledAt(); at == nil || !at.Equal(w.FailingSince.Add(failingFor)) {
		t.Errorf("to be disabled at %v", at)
	}
}

// The queries of the delivery list use an index, however long the log is.
func TestDeliveryQueriesUseTheirIndexes(t *testing.T) {
	t.Parallel()
	h := newWorld(t)
	w := h.webhook("*")
	h.exec(`insert into delivery (id, organization_id, webhook_id, event_id, event_type, status, created_at)
		select gen_random_uuid(), $1, case when n % 2 = 0 then $2 else gen_random_uuid() end, gen_random_uuid(),
			'call.started',
		       case when n % 3 = 0 then 'failed' else 'succeeded' end, clock() - n * interval '1 second'
		from generate_series(1, 4000) n`, w.OrganizationID, w.ID)
	h.exec(`analyze delivery`)
	for _, c := range []struct{ where, index string }{
		{"", "delivery_list"}, {" and status = 'failed'", "delivery_status_list"},
		{" and event_type = 'call.started'", "delivery_"},
	} {
		args := pgx.NamedArgs{"webhook_id": w.ID, "organization_id": w.OrganizationID}
		if err := (page.Request{CreatedBefore: time.Now().Add(-time.Minute)}).Args(args); err != nil {
			t.Fatal(err)
		}
		rows, err := h.db.Pool.Query(t.Context(), `explain select * from delivery
			where webhook_id = @webhook_id and organization_id = @organization_id and `+page.Where+c.where+` `+
			page.Order, args)
		if err != nil {
			t.Fatal(err)
		}
		lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			t.Fatal(err)
		}
		plan := strings.Join(lines, "\n")
		if !strings.Contains(plan, "using "+c.index) || strings.Contains(plan, "Sort") {
			t.Errorf("%s:\n%s", c.where, plan)
		}
	}
}
