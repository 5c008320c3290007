package dialer

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/campaign/intake"
	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/page"
)

// log returns a campaign's log, oldest entry first.
func (b *bench) log(t testing.TB, id uuid.UUID) []campaign.LogEntry {
	t.Helper()
	list, err := b.svc.Log(context.Background(), b.actor.OrganizationID, id, page.Request{Limit: page.MaxLimit})
	if err != nil {
		t.Fatal(err)
	}
	slices.Reverse(list.Data)
	return list.Data
}

// wantLog compares a campaign's log with the wanted entries, written "actor: message".
func (b *bench) wantLog(t testing.TB, id uuid.UUID, want ...string) {
	t.Helper()
	var got []string
	for _, e := range b.log(t, id) {
		got = append(got, e.ActorName+": "+e.Message(func(at time.Time) string { return at.UTC().Format("Mon 15:04") }))
	}
	if !slices.Equal(got, want) {
		t.Errorf("the log says\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
}

func (b *bench) move(
	t testing.TB, id uuid.UUID, to func(context.Context, account.Actor, uuid.UUID) (campaign.Campaign, error),
) {
	t.Helper()
	if _, err := to(t.Context(), b.actor, id); err != nil {
		t.Fatal(err)
	}
}

func TestTheLogTellsWhoDecidedWhat(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.exec(t, `insert into do_not_call (id, organization_id, phone_number, source)
		values (gen_random_uuid(), $1, $2, 'user')`,
		b.actor.OrganizationID, testNumber(1))
	d := fast(b.draft(1200))
	d.Recipients.Add(intake.Recipient{PhoneNumber: testNumber(0)})
	start := time.Now().Add(2 * time.Hour)
	d.ScheduledAt = &start
	c := b.create(t, d)
	b.move(t, c.ID, b.svc.Pause)
	b.move(t, c.ID, b.svc.Resume)
	if _, err := b.svc.Append(t.Context(), b.actor, c.ID, &campaign.Addition{Recipients: func() *intake.List {
		l := &intake.List{}
		l.Add(intake.Recipient{PhoneNumber: testNumber(5000)})
		l.Add(intake.Recipient{PhoneNumber: testNumber(7)})
		return l
	}()}); err != nil {
		t.Fatal(err)
	}
	b.Advance(3 * time.Hour)
	b.dial(t)
	b.move(t, c.ID, b.svc.Cancel)
	left := b.get(t, c.ID).Canceled
	b.wantLog(t, c.ID,
		"Ada: Created with 1,201 recipients, scheduled for "+start.UTC().
			Format("Mon 15:04")+". 2 skipped: 1 on the do-not-call list, 1 duplicate",
		"Ada: Paused. Calls in progress continue",
		"Ada: Resumed",
		"Ada: 2 more recipients added. 1 skipped: duplicate",
		"Dialwright: Started",
		"Ada: Canceled. "+message.NewPrinter(language.English).Sprint(left)+" recipients"+" will not be called",
	)
}

func TestTheLogTellsTheEnd(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	c := b.create(t, fast(b.draft(1)))
	b.dial(t)
	b.endAll(t, call.OutcomeCompleted)
	b.settle(t)
	b.wantLog(t, c.ID, "Ada: Created with 1 recipient", "Dialwright: Started",
		"Dialwright: Completed: all recipients processed")

	d := b.draft(3)
	soon := time.Now().Add(time.Hour)
	d.ScheduledAt, d.ExpiresAt = ptr(soon.Add(-time.Minute)), &soon
	d.CallingHours = window(tomorrow(12), time.Hour)
	c = b.create(t, d)
	b.Advance(2 * time.Hour)
	b.dial(t)
	b.wantLog(t, c.ID, "Ada: Created with 3 recipients, scheduled for "+soon.Add(-time.Minute).UTC().
		Format("Mon 15:04"),
		"Dialwright: End time reached. 3 recipients not reached", "Dialwright: Completed: the end time was reached")

	c = b.create(t, b.draft(1))
	b.exec(t, `update agent set deactivated_at = clock()`)
	b.dial(t)
	b.wantLog(t, c.ID, "Ada: Created with 1 recipient",
		"Dialwright: Failed: its agent was removed. 1 recipient will not be called")
}

// The log has one entry for closed calling hours, however many passes there are, and one
// entry for their opening.
func TestTheLogTellsClosedHoursOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	d := fast(b.draft(3))
	opens := tomorrow(12)
	d.CallingHours = window(opens, 2*time.Hour)
	c := b.create(t, d)
	for range 5 {
		b.dial(t)
		b.Advance(time.Minute)
	}
	waiting := "Dialwright: Waiting: 3 for their calling hours. Next call at " + opens.Format("Mon 15:04")
	b.wantLog(t, c.ID, "Ada: Created with 3 recipients", "Dialwright: Started", waiting)
	b.Advance(time.Until(opens))
	for b.get(t, c.ID).Pending > 0 {
		b.dial(t)
	}
	b.wantLog(t, c.ID, "Ada: Created with 3 recipients", "Dialwright: Started", waiting,
		"Dialwright: Dialing continues")
}

// Retries of single recipients, minutes apart, are not logged.
func TestTheLogIsSilentAboutSingleRetries(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	d := fast(b.draft(6))
	d.Retry = &campaign.RetryInput{MaxAttempts: ptr(5), DelaysMinutes: []int{5}}
	c := b.create(t, d)
	for range 12 {
		b.dial(t)
		if up := b.network.up(); len(up) > 0 {
			b.tell(t, up[0], ends(call.OutcomeBusy)...)
		}
		b.settle(t)
		b.dial(t)
		b.Advance(2 * time.Minute)
	}
	b.wantLog(t, c.ID, "Ada: Created with 6 recipients", "Dialwright: Started")
}

// A limit that every call reaches is logged once. Its end is logged after it has not
// blocked the campaign for a while.
func TestTheLogTellsALimitOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.exec(t, `update phone_number set max_concurrency = 1`)
	c := b.create(t, fast(b.draft(8)))
	for range 5 {
		b.dial(t)
		b.endAll(t, call.OutcomeCompleted)
		b.settle(t)
		b.Advance(6 * time.Second)
	}
	full := ""
	for _, e := range b.log(t, c.ID) {
		if e.Type == campaign.LogWaiting {
			full = "Dialwright: The phone number has reached its limit of simultaneous calls: " +
				fmt.Sprint(e.Details.Waiting[0].Recipients) + " recipients" + " wait"
		}
	}
	b.wantLog(t, c.ID, "Ada: Created with 8 recipients", "Dialwright: Started", full)
	b.exec(t, `update phone_number set max_concurrency = null`)
	b.Advance(limitRest + time.Second)
	b.dial(t)
	b.wantLog(t, c.ID, "Ada: Created with 8 recipients", "Dialwright: Started", full,
		"Dialwright: The phone number can take more calls. Dialing continues")
}

// Calls that a broken connection can't place get one log entry per hour, and the pause
// that follows gives the reason.
func TestTheLogTellsTroubleWithTheConnection(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.network.answer = func(carrier.Placement) error {
		return &carrier.Error{Kind: carrier.Unusable, Code: "20003", Reason: "the credentials are refused"}
	}
	c := b.create(t, fast(b.draft(30)))
	for b.get(t, c.ID).Status != campaign.Paused {
		b.dial(t)
		b.settle(t)
		b.Advance(time.Second)
	}
	b.settle(t)
	log := b.log(t, c.ID)
	var counted, paused int
	for _, e := range log {
		switch e.Type {
		case campaign.LogCallsNotPlaced:
			counted += e.Details.Calls
			if !strings.Contains(e.Message(time.Time.String), "could not be placed: the carrier connection failed") ||
				e.UpdatedAt.Before(e.CreatedAt) {
				t.Errorf("%+v", e)
			}
		case campaign.LogPaused:
			paused++
			if !strings.Contains(e.Details.Reason, "in a row could not be placed through the connection Sandbox") ||
				e.ActorKind != account.BySystem {
				t.Errorf("%+v", e)
			}
		}
	}
	if calls := value[int](t, b, `select count(*) from call where settled_at is not null`); counted != calls ||
		paused != 1 || len(log) > 6 {
		t.Errorf("%d of %d calls and %d pauses in %d entries", counted, calls, paused, len(log))
	}
}

// The log counts recipients who are added to the do-not-call list while the campaign
// runs.
func TestTheLogCountsWhoIsSkipped(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	c := b.create(t, fast(b.draft(6)))
	for i := range 3 {
		b.exec(t, `insert into do_not_call (id, organization_id, phone_number, source)
			values (gen_random_uuid(), $1, $2, 'call')`,
			b.actor.OrganizationID, testNumber(2*i))
	}
	for b.get(t, c.ID).Pending > 0 {
		b.dial(t)
	}
	skipped := 0
	for _, e := range b.log(t, c.ID) {
		if e.Type == campaign.LogRecipientsSkipped {
			skipped += e.Details.DoNotCall
		}
	}
	if skipped != 3 {
		t.Errorf("the log counts %d skipped recipients", skipped)
	}
}

func TestTheLogIsOfOneOrganization(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	c := b.create(t, b.draft(1))
	other := benchOn(t, b.DB)
	for _, id := range []uuid.UUID{c.ID, uuid.New()} {
		if _, err := other.svc.Log(
			t.Context(), other.actor.OrganizationID, id, page.Request{},
		); fault.KindOf(err) != fault.NotFound {
			t.Errorf("%s: %v", id, err)
		}
	}
	list, err := b.svc.Log(t.Context(), b.actor.OrganizationID, c.ID, page.Request{Limit: 1})
	if err != nil || len(list.Data) != 1 {
		t.Fatalf("%+v, %v", list, err)
	}
}

// The log gives the cause of calls that were not placed if it is known, and never guesses
// a cause.
func TestTheLogTellsWhyCallsWereNotPlaced(t *testing.T) {
	t.Parallel()
	for reason, want := range map[call.Reason]string{
		call.ReasonNotPlaced: "4 calls were not placed in time. They will be retried and do not count as " +
			"attempts",
		call.ReasonCarrierUnavailable: "4 calls could not be placed: the carrier connection failed. They will be " +
			"retried and do not count as attempts",
	} {
		e := campaign.LogEntry{
			Type: campaign.LogCallsNotPlaced, Details: campaign.LogDetails{Calls: 4, Reason: string(reason)},
		}
		if got := e.Message(time.Time.String); got != want {
			t.Errorf("%s: %q, want %q", reason, got, want)
		}
	}
}
