package call

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/suppression"
)

func TestPlaceFailures(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for name, test := range map[string]struct {
		err    error
		placed Placed
		status Status
		reason Reason
		errors int // of the connection, in a row
	}{
		"refused": {
			&carrier.Error{Kind: carrier.Refused, Reason: "not permitted"}, PlacedRefused, Failed, ReasonRefused, 0,
		},
		"no number": {
			&carrier.Error{Kind: carrier.Refused, Reason: "not valid", InvalidNumber: true}, PlacedRefused, Failed,
			ReasonInvalidNumber, 0,
		},
		"throttled": {
			&carrier.Error{Kind: carrier.Throttled, Reason: "too many", RetryAfter: time.Second}, PlacedThrottled,
			Failed, ReasonCarrierBusy, 0,
		},
		"unusable": {
			&carrier.Error{Kind: carrier.Unusable, Reason: "bad credentials"}, PlacedUnavailable, Failed,
			ReasonCarrierUnavailable, 1,
		},
		"account": {
			&carrier.Error{Kind: carrier.Unusable, Concern: carrier.ConcernAccount, Reason: "a trial"},
			PlacedUnavailable, Failed, ReasonAccountRefused, 1,
		},
		"country": {
			&carrier.Error{Kind: carrier.Refused, Concern: carrier.ConcernCountry, Reason: "not there"},
			PlacedRefused, Failed, ReasonCountryRefused, 0,
		},
		"caller": {
			&carrier.Error{Kind: carrier.Unusable, Concern: carrier.ConcernCaller, Reason: "not verified"},
			PlacedUnavailable, Failed, ReasonCallerRefused, 0,
		},
		"ambiguous":   {&carrier.Error{Kind: carrier.Ambiguous, Reason: "timeout"}, PlacedUnknown, Queued, "", 1},
		"anything":    {context.DeadlineExceeded, PlacedUnknown, Queued, "", 1},
		"not an *Err": {errors.New("odd"), PlacedUnknown, Queued, "", 1},
	} {
		w.network.place = func(carrier.Placement) (string, error) { return "", test.err }
		w.exec(`update connection set consecutive_errors = 0`)
		c := w.queue("+12025550199")
		r := w.place(c)
		got := w.get(c.ID)
		if r.Placed != test.placed || got.Status != test.status || got.EndedReason != test.reason {
			t.Errorf("%s: %s, %s, %q", name, r.Placed, got.Status, got.EndedReason)
		}
		var n int
		if err := w.db.Pool.QueryRow(t.Context(), `select consecutive_errors from connection`).Scan(&n); err != nil {
			t.Fatal(err)
		}
		if n != test.errors {
			t.Errorf("%s: %d errors in a row", name, n)
		}
		if again := w.place(c); again.Placed != PlacedNot {
			t.Errorf("%s: placed again: %s", name, again.Placed)
		}
		w.exec(
			`update call set ended_at = clock(), status = 'failed', outcome = 'failed'
				where id = $1 and ended_at is null`,
			c.ID,
		)
	}

	// An answer that proves a working connection resets the number of failures.
	for name, answer := range map[string]error{
		"success": nil, "refused": &carrier.Error{Kind: carrier.Refused},
		"throttled": &carrier.Error{Kind: carrier.Throttled},
	} {
		w.network.place = func(carrier.Placement) (string, error) { return "CA-" + name, answer }
		w.exec(`update connection set consecutive_errors = 7`)
		c := w.queue("+12025550199")
		w.place(c)
		var n int
		if err := w.db.Pool.QueryRow(t.Context(), `select consecutive_errors from connection`).Scan(&n); err != nil ||
			n != 0 {
			t.Errorf("%d errors after %s (%v)", n, name, err)
		}
		w.exec(
			`update call set ended_at = clock(), status = 'failed', outcome = 'failed'
				where id = $1 and ended_at is null`,
			c.ID,
		)
	}
}

// An accepted call ends the row of refusals of its own calling number, and of no other. A
// failure that does not concern the number does not end it.
func TestAnAcceptedCallEndsTheRefusalsOfItsNumber(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.exec(`insert into phone_number (id, organization_id, connection_id, phone_number)
		select gen_random_uuid(), organization_id, connection_id, '+15005550111' from phone_number`)
	w.exec(`insert into caller_refusal (phone_number_id, organization_id, times, reason, last_at)
		select id, organization_id, 4, 'not verified', clock() from phone_number`)
	refused := func() (own, other int) {
		t.Helper()
		err := w.db.Pool.QueryRow(t.Context(), `
			select coalesce(sum(times) filter (where phone_number_id = $1), 0),
			       coalesce(sum(times) filter (where phone_number_id <> $1), 0)
			from caller_refusal`, w.claim.PhoneNumberID).Scan(&own, &other)
		if err != nil {
			t.Fatal(err)
		}
		return own, other
	}
	for i, test := range []struct {
		answer error
		own    int
	}{
		{&carrier.Error{Kind: carrier.Refused, Concern: carrier.ConcernRecipient}, 4},
		{&carrier.Error{Kind: carrier.Unusable, Concern: carrier.ConcernCaller}, 5},
		{nil, 0},
		{&carrier.Error{Kind: carrier.Unusable, Concern: carrier.ConcernCaller}, 1},
	} {
		w.network.place = func(carrier.Placement) (string, error) { return fmt.Sprintf("CA-%d", i), test.answer }
		w.place(w.queue(fmt.Sprintf("+1202555010%d", i)))
		if own, other := refused(); own != test.own || other != 4 {
			t.Errorf("after answer %d: %d refusals of the number, %d of the other", i, own, other)
		}
	}
}

// Place never requests a call that must not be dialed.
func TestPlaceDoesNotAsk(t *testing.T) {
	t.Parallel()
	actor := func(w *world) account.Actor { return account.System(w.claim.OrganizationID) }
	for name, test := range map[string]struct {
		prepare func(w *world, c *Claimed) context.Context
		status  Status
		reason  Reason
	}{
		"lease over in the database": {func(w *world, c *Claimed) context.Context {
			w.db.Advance(leaseTime)
			return nil
		}, Failed, ReasonNotPlaced},
		"suspended": {func(w *world, c *Claimed) context.Context {
			c.since = c.since.Round(0).Add(-leaseTime) // the wall clock advanced, the monotonic clock did not
			return nil
		}, Failed, ReasonNotPlaced},
		"stopping": {func(w *world, c *Claimed) context.Context {
			ctx, cancel := context.WithCancel(context.Background())
			cancel()
			return ctx
		}, Failed, ReasonNotPlaced},
		"ended by hand": {func(w *world, c *Claimed) context.Context {
			if err := w.calls.End(w.tb.Context(), actor(w), c.ID); err != nil {
				w.tb.Fatal(err)
			}
			return nil
		}, Canceled, ReasonEndedByUser},
		// The number was added to the list after the claim, in plain text or as the hash of an
		// erased person.
		"on the do-not-call list": {func(w *world, c *Claimed) context.Context {
			w.exec(`insert into do_not_call (id, organization_id, phone_number, source)
				values (gen_random_uuid(), $1, $2, 'user')`,
				w.claim.OrganizationID, c.PersonNumber)
			return nil
		}, Failed, ReasonNotPlaced},
		"erased": {func(w *world, c *Claimed) context.Context {
			w.exec(`insert into do_not_call (id, organization_id, number_hash, source)
				values (gen_random_uuid(), $1, $2, 'erasure')`,
				w.claim.OrganizationID, suppression.HashOf(w.claim.OrganizationID, phone.Number(c.PersonNumber)))
			return nil
		}, Failed, ReasonNotPlaced},
		"closed by the reconciler": {func(w *world, c *Claimed) context.Context {
			w.db.Advance(leaseTime)
			w.reconcile()
			return nil
		}, Failed, ReasonNotPlaced},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			c := w.queue("+12025550199")
			ctx := test.prepare(w, &c)
			if ctx == nil {
				ctx = t.Context()
			}
			r, err := w.calls.Place(ctx, c)
			if err != nil || r.Placed != PlacedNot {
				t.Errorf("Place: %v, %v", r, err)
			}
			if placed, _, _ := w.network.count(); placed != 0 {
				t.Error("the carrier was asked")
			}
			if got := w.get(c.ID); got.Status != test.status || got.EndedReason != test.reason {
				t.Errorf("%s, %s", got.Status, got.EndedReason)
			}
		})
	}
}

// The process is suspended between writing asked_at and the request.
func TestPlaceChecksTheClocksAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.queue("+12025550199")
	asked := 0
	w.calls.now = func() time.Time {
		asked++
		if asked <= 3 { // the lease, and the moments before the row is written
			return time.Now()
		}
		return time.Now().Add(askTime)
	}
	if r := w.place(c); r.Placed != PlacedNot {
		t.Errorf("Place: %v", r)
	}
	if placed, _, _ := w.network.count(); placed != 0 {
		t.Error("the carrier was asked")
	}
	if got := w.get(c.ID); got.Status != Failed || got.EndedReason != ReasonNotPlaced {
		t.Errorf("%s, %s", got.Status, got.EndedReason)
	}
}

// Callbacks may come before the answer to Place. The call may even have ended by then.
func TestCallbacksBeforePlaceReturns(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var c Claimed
	w.network.place = func(carrier.Placement) (string, error) {
		w.deliver(c, carrier.Event{Kind: carrier.Ringing, CarrierCallID: "CA1"})
		w.deliver(c, carrier.Event{Kind: carrier.Ended, CarrierCallID: "CA1", Outcome: carrier.Busy})
		return "CA1", nil
	}
	c = w.queue("+12025550199")
	if r := w.place(c); r.Placed != PlacedAccepted {
		t.Errorf("Place: %v", r)
	}
	got := w.get(c.ID)
	if got.Status != Busy || got.StartedAt == nil || *got.CarrierCallID != "CA1" {
		t.Errorf("%+v", got)
	}
	inOrder(t, got)
}

func TestEndByHand(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	actor := account.System(w.claim.OrganizationID)
	c := w.queue("+12025550199")
	w.place(c)
	if err := w.calls.End(t.Context(), actor, c.ID); err != nil {
		t.Fatal(err)
	}
	if _, hungUp, _ := w.network.count(); hungUp != 1 {
		t.Errorf("hung up %d times", hungUp)
	}
	if got := w.calls.Resource(w.get(c.ID)); got.EndedReason != nil || got.EndedBy != nil {
		t.Errorf("shown before the end: %v, %v", got.EndedReason, got.EndedBy)
	}
	w.deliver(c, carrier.Event{Kind: carrier.Ended, Outcome: carrier.Canceled})
	if got := w.get(c.ID); got.Status != Canceled || got.EndedReason != ReasonEndedByUser || got.EndedBy != BySystem {
		t.Errorf("%+v", got)
	}
	if err := w.calls.End(t.Context(), actor, c.ID); fault.KindOf(err) != fault.Conflict {
		t.Errorf("ended twice: %v", err)
	}
	other := w.tenant("Other", "+12025550101")
	if err := w.calls.End(
		t.Context(), account.System(other.OrganizationID), c.ID,
	); fault.KindOf(err) != fault.NotFound {
		t.Errorf("foreign: %v", err)
	}
	var entries int
	err := w.db.Pool.QueryRow(t.Context(),
		`select count(*) from audit_entry where action = 'call.ended' and object_id = $1`, c.ID).Scan(&entries)
	if err != nil || entries != 1 {
		t.Errorf("%d audit entries (%v)", entries, err)
	}

	// A user ends the call during its request. Place hangs up as soon as the carrier's id is known.
	var d Claimed
	w.network.place = func(carrier.Placement) (string, error) { return "CA2", w.calls.End(t.Context(), actor, d.ID) }
	d = w.queue("+12025550198")
	w.place(d)
	if _, hungUp, _ := w.network.count(); hungUp != 2 {
		t.Errorf("hung up %d times", hungUp)
	}
}

// Two processes that claim the same numbers in different order wait for each other in turn. No
// number is called twice, and no transaction deadlocks.
func TestConcurrentClaims(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a, b := w.claim, w.claim
	a.PersonNumber, b.PersonNumber = "+12025550198", "+12025550199"
	results := make(chan int, 2)
	for _, order := range [][]Claim{{a, b}, {b, a}} {
		go func() {
			n := 0
			err := postgres.InTx(context.Background(), w.db.Pool, func(tx pgx.Tx) error {
				queued, _, err := w.calls.Queue(context.Background(), tx, order)
				n = len(queued)
				return err
			})
			if err != nil {
				t.Error(err)
			}
			results <- n
		}()
	}
	if n := <-results + <-results; n != 2 {
		t.Errorf("%d calls to two numbers", n)
	}
}

// The database fails for a moment while a call is about to be placed, because a server or its
// programs were replaced. The call is placed when the database answers, and does not wait for the
// end of its lease.
func TestPlaceOutlivesADatabaseThatIsAway(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.exec(`create sequence refusals`)
	w.exec(`
		create function refuse_asking() returns trigger language plpgsql as $$
		begin
			if nextval('refusals') <= 2 then
				raise exception 'could not load library' using errcode = '58P01';
			end if;
			return new;
		end $$`)
	w.exec(
		`create trigger refuse_asking before update on call for each row when (old.asked_at is null
			and new.asked_at is not null) execute function refuse_asking()`,
	)
	c := w.queue("+12025550199")
	if r := w.place(c); r.Placed != PlacedAccepted {
		t.Errorf("%+v", r)
	}
	if placed, _, _ := w.network.count(); placed != 1 {
		t.Errorf("the carrier was asked %d times", placed)
	}
}
