package webhook

import (
	"net/http"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/webhook/sender"
)

// A 410 answer disables the webhook, and its delivery gets no retry.
func TestGoneDisables(t *testing.T) {
	t.Parallel()
	h := newWorld(t)
	rc := newReceiver(t, status(http.StatusGone))
	told := newReceiver(t, nil)
	w := h.at(rc.URL, "call.*")
	h.at(told.URL, "webhook.*")
	h.engine()
	h.emit(h.actor, 1)
	h.await("the other webhook is told", func() bool { return len(told.requests()) == 1 })
	got, err := h.Get(t.Context(), h.actor.OrganizationID, w.ID)
	if err != nil || got.IsActive || got.DisabledReason == nil || *got.DisabledReason != DisabledGone {
		t.Errorf("%+v, %v", got, err)
	}
	if n := h.count(
		`delivery where webhook_id = $1 and status = 'failed' and attempts = 1 and next_attempt_at is null`, w.ID,
	); n != 1 {
		t.Error("it is tried again")
	}
	if n := h.count(
		`audit_entry where action = 'webhook.disabled' and object_id = $1 and actor_kind = 'system' and `+
			`organization_id = $2`,
		w.ID, h.actor.OrganizationID,
	); n != 1 {
		t.Errorf("%d audit entries", n)
	}
}

// The next attempt is not made before the time in Retry-After.
func TestRetryAfterIsHonored(t *testing.T) {
	t.Parallel()
	h := newWorld(t)
	rc := newReceiver(t, func(_ int, w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "7200")
		w.WriteHeader(http.StatusTooManyRequests)
	})
	h.at(rc.URL, "*")
	h.engine()
	h.emit(h.actor, 1)
	h.await("the attempt", func() bool { return h.count(`delivery where attempts = 1`) == 1 })
	if n := h.count(`delivery_due q join delivery d on d.id = q.delivery_id join delivery_attempt a on ` +
		`a.delivery_id = d.id
		where q.due_at = d.next_attempt_at and q.due_at between a.started_at + interval '2 hours' - interval '1 ` +
		`second' and a.started_at + interval '2 hours 1 minute'`); n != 1 {
		t.Error("it is not")
	}
}

// An endpoint is disabled after five days of failures with at least ten attempts, a
// recent failure and no success.
func TestFailingForDaysDisables(t *testing.T) {
	t.Parallel()
	h := newWorld(t)
	bad, good := newReceiver(t, status(http.StatusBadGateway)), newReceiver(t, nil)
	webhooks := map[string]uuid.UUID{}
	for name, c := range map[string]struct {
		url      string
		days     float64
		failures int
	}{
		"too long":   {bad.URL, 5.01, failingLeast - 1},
		"too short":  {bad.URL, 4.9, 100},
		"too few":    {bad.URL, 20, failingLeast - 2},
		"successful": {good.URL, 20, 100},
		"new":        {bad.URL, -1, 0},
	} {
		h.actor = h.organization("UTC")
		w := h.at(c.url, "call.*")
		webhooks[name] = w.ID
		if c.days > 0 {
			h.exec(`update webhook
				set failing_since = clock() - make_interval(secs => $2), failures = $3,
					last_failure_at = clock() - interval '2 days' where id = $1`,
				w.ID, c.days*86400, c.failures)
		}
		h.emit(h.actor, 1)
	}
	h.engine()
	h.await("the attempts are counted", func() bool {
		return h.count(
			`webhook where last_failure_at > clock() - interval '1 hour' or last_success_at is not null`,
		) == len(webhooks)
	})
	h.await("one is disabled", func() bool { return h.count(`webhook where not is_active`) > 0 })
	for name, id := range webhooks {
		if active := scan[bool](h, `select is_active from webhook where id = $1`, id); active == (name == "too long") {
			t.Errorf("%s: active %t", name, active)
		}
	}
	if n := h.count(
		`webhook where id = $1 and failing_since is null and failures = 0`, webhooks["successful"],
	); n != 1 {
		t.Error("a success does not clear the streak")
	}
	if n := h.count(
		`webhook where id = $1 and failures = 1 and failing_since = last_failure_at`, webhooks["new"],
	); n != 1 {
		t.Error("a first failure begins no streak")
	}
}

// Streaks that could not be written are merged back in the order of their attempts.
func TestMarksArePutBack(t *testing.T) {
	t.Parallel()
	var s streaks
	id := uuid.New()
	begin := time.Now()
	add := func(second int, ok bool) {
		r := &result{row: row{webhookID: id}, to: &target{}, ended: begin.Add(time.Duration(second) * time.Second)}
		r.a.Outcome = sender.OutcomeStatus
		if ok {
			r.a.Outcome = sender.OutcomeSucceeded
		}
		s.add(r)
	}
	add(1, true)
	add(2, false)
	add(3, false)
	old := s.take()
	add(4, false)
	s.putBack(old)
	m := s.take()[id]
	if m.succeeded != 1 || m.failed != 3 || !m.reset || m.failures != 3 ||
		m.firstFailure != begin.Add(2*time.Second) || m.lastFailure != begin.Add(4*time.Second) ||
		m.lastSuccess != begin.Add(time.Second) {
		t.Errorf("%+v", m)
	}
	add(5, false)
	old = s.take()
	add(6, true)
	s.putBack(old)
	if m := s.take()[id]; m.succeeded != 1 || m.failed != 1 || !m.reset || m.failures != 0 {
		t.Errorf("%+v", m)
	}
	s.putBack(map[uuid.UUID]*streak{id: {failures: 2, failed: 2, firstFailure: begin, lastFailure: begin}})
	if m := s.take()[id]; m.failures != 2 || m.firstFailure != begin {
		t.Errorf("%+v", m)
	}
}
