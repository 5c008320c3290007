package call

import (
	"errors"
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/carrier"
)

// lineFailures returns the connection's count of failed lines.
func (w *world) lineFailures() (n int) {
	w.tb.Helper()
	err := w.db.Pool.QueryRow(w.tb.Context(), `select line_failures from connection`).Scan(&n)
	if err != nil {
		w.tb.Fatal(err)
	}
	return n
}

// An answered call without a line fails, whatever status the carrier reports. Its connection counts
// it once.
func TestLineFailed(t *testing.T) {
	t.Parallel()
	var (
		failed = carrier.Event{
			Kind: carrier.LineFailed, CarrierCallID: "CA001", Code: "64102", Detail: "Unable to connect",
		}
		ended = carrier.Event{Kind: carrier.Ended, CarrierCallID: "CA001", Outcome: carrier.Completed}
		human = carrier.Event{Kind: carrier.Detected, CarrierCallID: "CA001", AnsweredBy: carrier.Human}
	)
	for name, c := range map[string]struct {
		steps    func(w *world, c Claimed)
		outcome  Outcome
		reason   Reason
		by       Party
		detail   string
		failures int
	}{
		"before the end": {func(w *world, c Claimed) {
			w.deliver(c, failed)
			w.deliver(c, failed)
			if _, err := w.calls.Admit(t.Context(), c.ConnectionID, c.ID); err != nil {
				t.Errorf("the carrier gets no instructions when it asks again: %v", err)
			}
			w.deliver(c, ended)
			w.deliver(c, failed)
		}, OutcomeFailed, ReasonLineFailed, BySystem, "Unable to connect", 1},
		"after the end": {func(w *world, c Claimed) {
			w.db.Advance(3 * time.Second)
			w.deliver(c, ended)
			w.deliver(c, failed)
			w.deliver(c, failed)
		}, OutcomeFailed, ReasonLineFailed, BySystem, "Unable to connect", 1},
		"after the recipient hung up at once": {func(w *world, c Claimed) {
			w.deliver(c, ended)
			w.deliver(c, failed)
		}, OutcomeFailed, ReasonLineFailed, BySystem, "Unable to connect", 1},
		"never reported": {func(w *world, c Claimed) {
			w.db.Advance(3 * time.Second)
			w.deliver(c, ended)
		}, OutcomeFailed, ReasonLineFailed, BySystem, noLine, 0},
		"never reported, and a machine": {func(w *world, c Claimed) {
			w.deliver(c, carrier.Event{Kind: carrier.Detected, CarrierCallID: "CA001", AnsweredBy: carrier.Machine})
			w.db.Advance(3 * time.Second)
			w.deliver(c, ended)
		}, OutcomeFailed, ReasonLineFailed, BySystem, noLine, 0},
		"the recipient hangs up at once": {func(w *world, c Claimed) {
			w.deliver(c, ended)
		}, OutcomeCompleted, ReasonHungUp, ByRecipient, "", 0},
		"ended by a user": {func(w *world, c Claimed) {
			if err := w.calls.End(t.Context(), account.System(c.OrganizationID), c.ID); err != nil {
				t.Error(err)
			}
			w.db.Advance(3 * time.Second)
			w.deliver(c, failed)
			w.deliver(c, ended)
		}, OutcomeCompleted, ReasonEndedByUser, BySystem, "", 0},
		"after words were said": {func(w *world, c Claimed) {
			w.hadLine(c)
			w.exec(`insert into call_turn (call_id, index, organization_id, role, text)
				values ($1, 0, $2, 'agent', 'Hi.')`, c.ID, c.OrganizationID)
			w.deliver(c, failed)
			w.deliver(c, ended)
		}, OutcomeCompleted, ReasonLineFailed, BySystem, "Unable to connect", 1},
		"in the greeting": {func(w *world, c Claimed) {
			w.hadLine(c)
			w.exec(`insert into call_turn (call_id, index, organization_id, role, text, interrupted)
				values ($1, 0, $2, 'agent', 'Hello A', true)`, c.ID, c.OrganizationID)
			w.deliver(c, failed)
			w.deliver(c, ended)
		}, OutcomeFailed, ReasonLineFailed, BySystem, "Unable to connect", 1},
		"after the person spoke in the greeting": {func(w *world, c Claimed) {
			w.hadLine(c)
			w.exec(`insert into call_turn (call_id, index, organization_id, role, text, interrupted)
				values ($1, 0, $2, 'agent', 'Hello A', true), ($1, 1, $2, 'recipient', 'Who is it?', false)`,
				c.ID, c.OrganizationID)
			w.deliver(c, ended)
			w.exec(`update call set ended_reason = 'recipient_hung_up'`)
			w.deliver(c, failed)
		}, OutcomeCompleted, ReasonLineFailed, BySystem, "Unable to connect", 1},
		"during the goodbye": {func(w *world, c Claimed) {
			w.hadLine(c)
			w.exec(`update call set ended_reason = 'completed', ended_by = 'agent'`)
			w.deliver(c, failed)
			w.deliver(c, ended)
		}, OutcomeFailed, ReasonLineFailed, BySystem, "Unable to connect", 1},
		"after an opt-out": {func(w *world, c Claimed) {
			w.hadLine(c)
			w.exec(`update call set ended_reason = 'opted_out', ended_by = 'agent'`)
			w.deliver(c, failed)
			w.deliver(c, ended)
		}, OutcomeCompleted, ReasonOptedOut, ByAgent, "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			call := w.talking("+12025550199")
			w.deliver(call, human)
			c.steps(w, call)
			got := w.get(call.ID)
			if got.Status != Completed || got.Outcome != c.outcome || got.EndedReason != c.reason ||
				got.EndedBy != c.by || got.Detail != c.detail {
				t.Errorf("%s, %s, %s by %s: %q", got.Status, got.Outcome, got.EndedReason, got.EndedBy, got.Detail)
			}
			if code := got.CarrierCode; (code != nil && *code == "64102") != (c.failures == 1) {
				t.Errorf("code %v", code)
			}
			if n := w.lineFailures(); n != c.failures {
				t.Errorf("%d failures were counted", n)
			}
		})
	}
	w := newWorld(t)
	c := w.queue("+12025550199")
	w.place(c)
	w.deliver(c, failed)
	if got := w.get(c.ID); got.Status != InProgress || got.AnsweredAt == nil || got.EndedReason != ReasonLineFailed {
		t.Errorf("before the answer was reported: %s, answered at %v", got.Status, got.AnsweredAt)
	}
	c.ConnectionID = w.tenant("Other", "+12025550101").ConnectionID
	failed.CallID, failed.ConnectionID = c.ID, c.ConnectionID
	if err := w.calls.Deliver(t.Context(), failed); !errors.Is(err, carrier.ErrUnknownCall) {
		t.Errorf("from another connection: %v", err)
	}
}

// A call without callbacks counts as a failure of its connection, unless callbacks of other calls
// arrive, or no process could take them.
func TestMissingCallbacks(t *testing.T) {
	t.Parallel()
	talked := carrier.Report{Phase: carrier.Over, Outcome: carrier.Completed, Duration: 14 * time.Second}
	for name, c := range map[string]struct {
		report   carrier.Report
		before   func(w *world, c Claimed)
		reason   Reason
		detail   string
		failures int
	}{
		"answered": {talked, nil, ReasonLineFailed, noCallbacks, 1},
		"busy": {
			carrier.Report{Phase: carrier.Over, Outcome: carrier.Busy}, nil, ReasonBusy, noCallbacks, 1,
		},
		"talking": {carrier.Report{Phase: carrier.Talking}, nil, "", "", 1},
		"rings":   {carrier.Report{Phase: carrier.Alerts}, nil, "", "", 0},
		"failed": {
			carrier.Report{Phase: carrier.Over, Outcome: carrier.Failed}, nil, ReasonUnreachable, "", 0,
		},
		"its process is dead": {talked, func(w *world, _ Claimed) {
			w.exec(`update call set heard_at = '-infinity'`)
		}, ReasonLineFailed, noLine, 0},
		"the end was lost": {talked, func(w *world, c Claimed) {
			w.deliver(c, carrier.Event{Kind: carrier.Answered, CarrierCallID: "CA001"})
			w.db.Advance(silentAfter)
		}, ReasonLineFailed, noLine, 0},
		"another line is open": {talked, func(w *world, _ Claimed) {
			other := w.queue("+12025550142")
			w.hadLine(other)
		}, ReasonLineFailed, noLine, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			call := w.queue("+12025550199")
			w.place(call)
			w.network.calls["CA001"] = c.report
			w.db.Advance(silentBefore)
			if c.before != nil {
				c.before(w, call)
			}
			w.reconcile()
			if got := w.get(call.ID); got.EndedReason != c.reason || got.Detail != c.detail {
				t.Errorf("%s, %s: %q", got.Outcome, got.EndedReason, got.Detail)
			}
			w.db.Advance(silentBefore)
			w.reconcile()
			if n := w.lineFailures(); n != c.failures {
				t.Errorf("%d failures were counted", n)
			}
		})
	}
}
