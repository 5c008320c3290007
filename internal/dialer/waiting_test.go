package dialer

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/campaign/intake"
	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/hours"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/testwait"
	"github.com/dialwright/dialwright/internal/wire"
)

// The waiting report shows a pace that delays the next call for longer than a moment, and
// when the next call is due, whether the pace is the campaign's or shared.
func TestASlowPaceIsTold(t *testing.T) {
	t.Parallel()
	for reason, set := range map[string]string{
		campaign.WaitCampaignPace:     `update campaign set calls_per_second = 0.01`,
		campaign.WaitNumberPace:       `update phone_number set calls_per_second = 0.01`,
		campaign.WaitConnectionPace:   `update connection set calls_per_second = 0.01`,
		campaign.WaitOrganizationPace: `update organization set calls_per_second = 0.01`,
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			c := b.create(t, fast(b.draft(3)))
			b.exec(t, set)
			b.Advance(time.Second)
			b.dial(t)
			got := b.checkCounters(t, c.ID)
			if w := got.Waiting; got.Dialing != 1 || len(w) != 1 || w[0].Reason != reason || w[0].Recipients != 2 ||
				w[0].Until == nil {
				t.Fatalf("%+v", got)
			}
			if dialAt, until := value[time.Time](
				t, b, `select dial_at from campaign`,
			), time.Time(*got.Waiting[0].Until); dialAt.Sub(until) < 0 || dialAt.Sub(until) > time.Millisecond {
				t.Errorf("waits until %v and looks again at %v", until, dialAt)
			}
		})
	}
}

// The waiting report shows the rest of a throttled connection. For a failing connection
// it gives the carrier's reason.
func TestWhatTheCarrierSaidIsTold(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.network.answer = func(carrier.Placement) error {
		return &carrier.Error{Kind: carrier.Unusable, Code: "20003", Reason: "the credentials are refused"}
	}
	c := b.create(t, fast(b.draft(1)))
	b.dial(t)
	b.settle(t)
	b.dial(t)
	w := b.get(t, c.ID).Waiting
	if len(w) != 1 || w[0].Reason != campaign.WaitCarrier || w[0].Until == nil || w[0].Detail == nil ||
		*w[0].Detail != "the credentials are refused (20003)" {
		t.Fatalf("%+v", w)
	}

	b.network.mu.Lock()
	b.network.answer = func(carrier.Placement) error {
		return &carrier.Error{Kind: carrier.Throttled, Reason: "too many requests", RetryAfter: time.Minute}
	}
	b.network.mu.Unlock()
	d := fast(b.draft(0))
	for i := range 3 {
		d.Recipients.Add(intake.Recipient{PhoneNumber: testNumber(100 + i)})
	}
	d.MaxConcurrency = ptr(1)
	throttled := b.create(t, d)
	b.dial(t)
	b.settle(t)
	b.Advance(waitingGap)
	b.dial(t)
	for _, w := range b.get(t, throttled.ID).Waiting {
		if w.Reason == campaign.WaitConnectionPace && w.Recipients == 2 && w.Until != nil {
			return
		}
	}
	t.Errorf("%+v", b.get(t, throttled.ID).Waiting)
}

// The waiting report gives what the carrier said about the campaign's own calls, not about those of
// another campaign that calls from the same number.
func TestWhatTheCarrierSaidOfAnotherCampaign(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.answering(func(p carrier.Placement) error {
		if p.To == testNumber(100) {
			return &carrier.Error{
				Kind: carrier.Unusable, Concern: carrier.ConcernCaller, Code: "21210",
				Reason: "the number is not verified",
			}
		}
		return &carrier.Error{Kind: carrier.Unusable, Code: "29999", Reason: "a fault of the carrier"}
	})
	own := b.create(t, fast(b.draft(1)))
	d := fast(b.draft(0))
	d.Recipients.Add(intake.Recipient{PhoneNumber: testNumber(100)})
	other := b.create(t, d)
	for range 2 { // the reports of the second round follow the refusals of both campaigns
		b.Advance(carrierLeast)
		b.dial(t)
		b.settle(t)
		b.dial(t)
	}
	for id, want := range map[uuid.UUID]string{
		own.ID: "a fault of the carrier (29999)", other.ID: "the number is not verified (21210)",
	} {
		w := b.get(t, id).Waiting
		if len(w) != 1 || w[0].Reason != campaign.WaitCarrier || w[0].Detail == nil {
			t.Fatalf("%+v", w)
		}
		if *w[0].Detail != want {
			t.Errorf("%q, want %q", *w[0].Detail, want)
		}
	}
}

// A transaction that locks a campaign for long, for example a large cancellation, does not block a
// pass that has a waiting report to write. The report is written later, by another process if the
// first process dies.
func TestWhoWaitsIsToldThoughTheCampaignWasLocked(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	d := fast(b.draft(2))
	opens := tomorrow(12)
	d.CallingHours = window(opens, time.Hour)
	c := b.create(t, d)
	b.exec(t, `update campaign set waiting = '[]'`)
	due, _, now, err := b.dialer.due(t.Context())
	if err != nil || len(due) != 1 {
		t.Fatalf("%v, %+v", err, due)
	}
	l, err := b.dialer.pass(t.Context(), due[0], claimMost, false)
	if err != nil || l.waits != somebody || !l.next.Equal(opens) {
		t.Fatalf("%v, %+v", err, l)
	}
	if soon := value[time.Time](t, b, `select dial_at from campaign`); soon.Sub(now) > 2*waitingGap {
		t.Errorf("nothing is told, and nobody looks before %v", soon)
	}

	err = postgres.InTx(t.Context(), b.Pool, func(tx pgx.Tx) error {
		if _, err := campaign.Lock(t.Context(), tx, b.actor.OrganizationID, c.ID); err != nil {
			return err
		}
		ctx, cancel := context.WithTimeout(t.Context(), testwait.Limit)
		defer cancel()
		if err := b.dialer.writeWaiting(ctx, l); !errors.Is(err, errBusy) {
			t.Errorf("while the campaign is locked: %v", err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	b.Advance(waitingGap)
	b.dial(t)
	if w := b.get(t, c.ID).Waiting; len(w) != 1 || w[0].Reason != campaign.WaitCallingHours || w[0].Recipients != 2 {
		t.Errorf("afterwards %+v", w)
	}
	if at := value[time.Time](t, b, `select dial_at from campaign`); !at.Equal(opens) {
		t.Errorf("is looked at again at %v", at)
	}
}

// Where each recipient's own time zone counts, the report gives the number of waiting
// recipients and the opening for each time zone, at creation by the list and later by the
// dialer.
func TestWaitingIsToldByTimeZone(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	d := fast(b.draft(0))
	for number, timezone := range map[string]string{
		"+13122000000": "", "+13122000001": "", "+12122000000": "America/Chicago",
		"+4915123456789": "",
		"+351912345678":  "", // a mobile of a country with two time zones
		"+18002000000":   "", // toll-free: the project's clock
	} {
		d.Recipients.Add(intake.Recipient{PhoneNumber: number, Timezone: timezone})
	}
	d.CallingHours = &hours.Hours{
		Timezone: hours.Recipient, Windows: []hours.Window{{Days: hours.Days(), Start: "09:00", End: "17:00"}},
	}
	day := time.Date(time.Now().Year()+1, 1, 11, 0, 0, 0, 0, time.UTC)
	d.ScheduledAt = ptr(day.Add(5 * time.Hour))
	c := b.create(t, d)
	want := map[string][]campaign.ZoneWaiting{
		campaign.WaitCallingHours: {
			{TimeZones: []string{"America/Chicago"}, Recipients: 3, Until: wire.Time(day.Add(15 * time.Hour))},
			{TimeZones: []string{"Europe/Berlin"}, Recipients: 1, Until: wire.Time(day.Add(8 * time.Hour))},
			{
				TimeZones: []string{"Atlantic/Azores", "Europe/Lisbon"}, Recipients: 1,
				Until: wire.Time(day.Add(10 * time.Hour)),
			},
		},
		campaign.WaitCallingHoursProject: {
			{TimeZones: []string{"America/New_York"}, Recipients: 1, Until: wire.Time(day.Add(14 * time.Hour))},
		},
	}
	check := func(when string, list []campaign.Waiting) {
		t.Helper()
		if len(list) != len(want) {
			t.Errorf("%s: %+v", when, list)
		}
		for _, w := range list {
			if fmt.Sprint(w.ByTimeZone) != fmt.Sprint(want[w.Reason]) {
				t.Errorf("%s, %s:\n%+v, want\n%+v", when, w.Reason, w.ByTimeZone, want[w.Reason])
			}
		}
	}
	check("at creation", c.Waiting)
	b.Advance(time.Until(*d.ScheduledAt) + time.Second)
	b.dial(t)
	check("from the dialer", b.get(t, c.ID).Waiting)

	// With one time zone for all recipients the list of zones is empty, never null.
	d.CallingHours = window(tomorrow(12), time.Hour)
	d.ScheduledAt = nil
	one := b.create(t, d)
	if w := one.Resource().Waiting; len(w) != 1 || w[0].ByTimeZone == nil || len(w[0].ByTimeZone) != 0 {
		t.Errorf("by one clock: %+v", w)
	}
}
