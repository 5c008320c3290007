package dialer

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/internal/suppression"
)

func (b *bench) try(to string) (uuid.UUID, error) {
	return b.calling.Try(context.Background(), b.actor, Try{
		AgentID: b.agent, PhoneNumberID: b.number, ProjectID: b.project, ToNumber: to, Name: "Ada",
		Variables: map[string]string{"city": "Bonn", "none": ""},
	})
}

// A test call is placed, ends and is settled like every other call, and belongs to no
// campaign.
func TestTry(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	id, err := b.try("(312) 200-0000") // national format
	if err != nil {
		t.Fatal(err)
	}
	if n := b.network.dials("+13122000000"); n != 1 {
		t.Fatalf("the carrier was asked %d times", n)
	}
	if _, err := b.try("+13122000000"); fault.KindOf(err) != fault.Conflict ||
		!strings.Contains(err.Error(), "in another call") {
		t.Errorf("the same number again: %v", err)
	}
	if vars := value[string](
		t, b, `select variables::text from call where id = $1`, id,
	); vars != `{"city": "Bonn", "name": "Ada"}` {
		t.Errorf("variables %s", vars)
	}
	b.endAll(t, call.OutcomeCompleted)
	b.settle(t)
	if n := value[int](
		t, b, `select count(*)::int from call where id = $1 and settled_at is not null and campaign_id is null`, id,
	); n != 1 {
		t.Error("the call is not settled")
	}
	if n := value[int](
		t, b, `select completed from call_hour where organization_id = $1 and campaign_id is null`,
		b.actor.OrganizationID,
	); n != 1 {
		t.Errorf("%d calls in its hour", n)
	}
	if n := value[int](
		t, b, `select count(*)::int from audit_entry where action = 'call.placed' and object_id = $1`, id,
	); n != 1 {
		t.Errorf("%d audit entries", n)
	}
}

// Every rule that keeps recipients from being called also refuses a test call, and a
// refusal leaves nothing behind.
func TestTryIsRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		set  func(*testing.T, *bench)
		to   string
		kind fault.Kind
		says string
	}{
		"not a number": {to: "12", kind: fault.Invalid, says: "to_number"},
		"listed": {kind: fault.Conflict, says: "do-not-call", set: func(t *testing.T, b *bench) {
			_, _, err := suppression.New(suppression.Options{Pool: b.Pool}).
				Add(t.Context(), b.actor, suppression.NewEntry{
					PhoneNumber: phone.Number("+13122000000"), Source: suppression.ByUser,
				})
			if err != nil {
				t.Fatal(err)
			}
		}},
		"closed": {kind: fault.Conflict, says: "calling hours", set: func(t *testing.T, b *bench) {
			// The project is open for one minute a week, and not now.
			b.exec(t, `update project
				set calling_hours = jsonb_build_object('timezone', 'UTC', 'windows',
					jsonb_build_array(jsonb_build_object(
				'days', jsonb_build_array(lower(to_char(clock() at time zone 'UTC' - interval '2 days', 'dy'))),
					'start', '00:00', 'end', '00:01')))`)
		}},
		"stopped": {kind: fault.Conflict, says: "stopped", set: func(t *testing.T, b *bench) {
			b.exec(t, `update organization set calling_stopped_at = clock()`)
		}},
		"no line of the number": {kind: fault.Conflict, says: "simultaneous calls", set: func(t *testing.T, b *bench) {
			b.exec(t, `update phone_number set max_concurrency = 1`)
			if _, err := b.try("+13122000001"); err != nil {
				t.Fatal(err)
			}
		}},
		"no line of the organization": {kind: fault.Conflict, says: "organization", set: func(t *testing.T, b *bench) {
			b.exec(t, `update organization set max_concurrency = 1`)
			if _, err := b.try("+13122000001"); err != nil {
				t.Fatal(err)
			}
		}},
		"as often as a day allows": {to: "+13122000005", kind: fault.Conflict, says: "in the last 24 hours",
			set: func(t *testing.T, b *bench) {
				b.exec(t, `update organization set max_daily_attempts = 1`)
				if _, err := b.try("+13122000005"); err != nil {
					t.Fatal(err)
				}
				b.endAll(t, call.OutcomeBusy)
			}},
		"the pace": {kind: fault.Conflict, says: "calls per second", set: func(t *testing.T, b *bench) {
			b.exec(t, `update connection set calls_per_second = 0.001`)
			if _, err := b.try("+13122000001"); err != nil {
				t.Fatal(err)
			}
		}},
		"the pace of the number": {kind: fault.Conflict, says: "555", set: func(t *testing.T, b *bench) {
			b.exec(t, `update phone_number set calls_per_second = 0.001`)
			if _, err := b.try("+13122000001"); err != nil {
				t.Fatal(err)
			}
		}},
		"the pace of the organization": {kind: fault.Conflict,
			says: "organization is at its limit of 0.001 calls per second", set: func(t *testing.T, b *bench) {
				b.exec(t, `update organization set calls_per_second = 0.001`)
				if _, err := b.try("+13122000001"); err != nil {
					t.Fatal(err)
				}
			}},
		"a connection that rests": {kind: fault.Conflict, says: "paused for a moment",
			set: func(t *testing.T, b *bench) {
				b.rest(t, time.Minute)
			}},
		"a connection with a pace that rests": {kind: fault.Conflict, says: "paused for a moment",
			set: func(t *testing.T, b *bench) {
				b.exec(t, `update connection set calls_per_second = 5`)
				b.rest(t, time.Minute)
			}},
		"another organization's": {kind: fault.Invalid, says: "agent_id", set: func(t *testing.T, b *bench) {
			b.agent = benchOn(t, b.DB).agent
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			if c.set != nil {
				c.set(t, b)
			}
			if c.to == "" {
				c.to = "+13122000000"
			}
			_, err := b.try(c.to)
			if fault.KindOf(err) != c.kind || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v", err)
			}
			if n := value[int](t, b, `select count(*)::int from call where person_number = '+13122000000'`); n != 0 {
				t.Errorf("%d calls", n)
			}
		})
	}
}

// Two people who request the last free slot get one call.
func TestTryTheLastLine(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.exec(t, `update phone_number set max_concurrency = 1`)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() { _, _ = b.try(testNumber(i)) })
	}
	wg.Wait()
	if n := value[int](t, b, `select count(*)::int from call`); n != 1 {
		t.Errorf("%d calls on one line", n)
	}
}

// Campaigns that use every start of a connection leave the next one to a requested test
// call, and the call waits for it.
func TestTryTakesTheNextStart(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.exec(t, `update connection set calls_per_second = 2`)
	slot := b.rest(t, 700*time.Millisecond)
	id, err := b.try("+13122000000")
	if err != nil {
		t.Fatal(err)
	}
	if asked := value[time.Time](
		t, b, `select asked_at from call where id = $1`, id,
	); asked.Before(slot.Truncate(time.Millisecond)) {
		t.Errorf("the carrier was asked %v too early", slot.Sub(asked))
	}
	if next := b.paceAt(t, "connection"); next.Before(slot.Add(500 * time.Millisecond).Truncate(time.Millisecond)) {
		t.Errorf("the next call may start %v after this one", next.Sub(slot))
	}
}
