package dialer

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/campaign/intake"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/project"
)

// subscribe adds a webhook to the organization.
func (b *bench) subscribe(t testing.TB, events ...string) {
	t.Helper()
	b.exec(t, `insert into webhook (id, organization_id, name, url, events, secret)
		values (gen_random_uuid(), $1, 'Hook', '', $2, '')`,
		b.actor.OrganizationID, events)
}

// event is a stored webhook event.
type event struct {
	Type    string
	Subject uuid.UUID
	Data    any
}

// events returns the organization's new events since the last call, in order.
func (b *bench) events(t testing.TB) []event {
	t.Helper()
	rows, err := b.Pool.Query(t.Context(), `
		with gone as (delete from event where organization_id = $1 returning *)
		select type, subject_id, payload::jsonb -> 'data' from gone order by created_at, id`, b.actor.OrganizationID)
	if err != nil {
		t.Fatal(err)
	}
	all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[event])
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func types(events []event) []string {
	var all []string
	for _, e := range events {
		all = append(all, e.Type)
	}
	return all
}

// printed is a resource as a reader of its JSON sees it.
func printed(t testing.TB, resource any) any {
	t.Helper()
	text, err := json.Marshal(resource)
	if err != nil {
		t.Fatal(err)
	}
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// A quarter, half and three quarters of settled recipients have one event each, when they are reached first. Several
// that are reached at once have one, and the last recipient none.
func TestCampaignProgress(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.subscribe(t, "campaign.progress", "campaign.completed")
	c := b.create(t, fast(b.draft(8)))
	dialed := func(calls int) (live []uuid.UUID) {
		t.Helper()
		for len(live) < calls {
			b.dial(t)
			live = b.network.up()
		}
		return live
	}
	settled := func(calls int, want ...string) {
		t.Helper()
		for _, id := range b.network.up()[:calls] {
			b.tell(t, id, ends(call.OutcomeCompleted)...)
		}
		b.settle(t)
		events := b.events(t)
		if got := types(events); !slices.Equal(got, want) {
			t.Errorf("%+v: told %v, want %v", b.get(t, c.ID).Resource().Counters, got, want)
		}
		for _, e := range events {
			if e.Subject != c.ID || !reflect.DeepEqual(e.Data, printed(t, b.get(t, c.ID).Resource())) {
				t.Errorf("%s tells %v", e.Type, e.Data)
			}
		}
	}
	dialed(8)
	settled(1)
	settled(1, "campaign.progress") // 2 of 8
	settled(1)
	more := &campaign.Addition{Recipients: &intake.List{}}
	for i := range 3 {
		more.Recipients.Add(intake.Recipient{PhoneNumber: testNumber(100 + i)})
	}
	if _, err := b.svc.Append(t.Context(), b.actor, c.ID, more); err != nil {
		t.Fatal(err)
	}
	dialed(8)
	settled(2)                      // 5 of 11
	settled(1, "campaign.progress") // 6 of 11
	settled(4, "campaign.progress") // 10 of 11
	settled(1, "campaign.completed")

	c = b.create(t, fast(b.draft(4)))
	dialed(4)
	settled(3, "campaign.progress")
	settled(1, "campaign.completed")
	c = b.create(t, fast(b.draft(1)))
	dialed(1)
	settled(1, "campaign.completed")

	// A campaign chooses its shares, and may choose others while it runs.
	d := fast(b.draft(8))
	d.ProgressShares = []int{90, 10}
	c = b.create(t, d)
	dialed(8)
	settled(1, "campaign.progress") // 10 percent
	settled(2)
	if _, err := b.svc.Update(t.Context(), b.actor, c.ID, campaign.Change{ProgressShares: []int{60}}, nil); err != nil {
		t.Fatal(err)
	}
	settled(1)
	settled(1, "campaign.progress") // 62 percent
	settled(3, "campaign.completed")
	d = fast(b.draft(4))
	d.ProgressShares = []int{}
	c = b.create(t, d)
	dialed(4)
	settled(3)
	settled(1, "campaign.completed")
}

// Every change of a campaign's state emits one event with the campaign's state after the
// change.
func TestCampaignEvents(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.subscribe(t, "campaign.*")
	stranger := benchOn(t, b.DB)
	stranger.subscribe(t, "*")
	expect := func(c campaign.Campaign, want ...string) {
		t.Helper()
		events := b.events(t)
		if got := types(events); !slices.Equal(got, want) {
			t.Errorf("told %v, want %v", got, want)
		}
		for _, e := range events {
			if e.Subject != c.ID || !reflect.DeepEqual(e.Data, printed(t, c.Resource())) {
				t.Errorf("%s of %s: %v\nthe campaign %s: %v", e.Type, e.Subject, e.Data, c.ID, printed(t, c.Resource()))
			}
		}
	}
	change := func(fn func(context.Context, uuid.UUID) error, c campaign.Campaign) campaign.Campaign {
		t.Helper()
		if err := fn(t.Context(), c.ID); err != nil {
			t.Fatal(err)
		}
		return b.get(t, c.ID)
	}
	pause := func(ctx context.Context, id uuid.UUID) error { _, err := b.svc.Pause(ctx, b.actor, id); return err }
	resume := func(ctx context.Context, id uuid.UUID) error { _, err := b.svc.Resume(ctx, b.actor, id); return err }
	cancel := func(ctx context.Context, id uuid.UUID) error { _, err := b.svc.Cancel(ctx, b.actor, id); return err }

	// The campaign is due at once, so no event comes before the dialer starts it.
	d := b.draft(1)
	d.Metadata = json.RawMessage(`{"shop": "Acme", "visits": 3}`)
	c := b.create(t, d)
	expect(c)
	b.dial(t)
	started := b.get(t, c.ID)
	started.Pending, started.Dialing, started.CallsPlaced = 1, 0, 0 // state before the first call
	expect(started, "campaign.started")
	expect(change(pause, c), "campaign.paused")
	if err := pause(t.Context(), c.ID); err == nil {
		t.Error("paused twice")
	}
	expect(change(resume, c), "campaign.resumed")
	b.endAll(t, call.OutcomeCompleted)
	b.settle(t)
	expect(b.get(t, c.ID), "campaign.completed")
	if err := cancel(t.Context(), c.ID); err == nil {
		t.Error("canceled when completed")
	}
	expect(c)

	// The campaign is paused and resumed before its start, then paused again and resumed
	// after it.
	later := func() campaign.Campaign {
		d := b.draft(2)
		d.ScheduledAt, d.ExpiresAt = ptr(time.Now().Add(time.Hour)), ptr(time.Now().Add(2*time.Hour))
		return b.create(t, d)
	}
	c = later()
	expect(c, "campaign.scheduled")
	expect(change(pause, c), "campaign.paused")
	expect(change(resume, c), "campaign.scheduled")
	expect(change(pause, c), "campaign.paused")
	expiring := later()
	expect(expiring, "campaign.scheduled")
	b.Advance(61 * time.Minute)
	expect(change(resume, c), "campaign.resumed", "campaign.started")
	expect(change(cancel, c), "campaign.canceled")

	// The connection fails, and then the campaign expires.
	b.exec(t, `update recipient set due_at = clock() + interval '1 hour' where campaign_id = $1`, expiring.ID)
	b.dial(t)
	b.exec(t, `update campaign set dial_at = clock() where id = $1`, expiring.ID)
	b.exec(t, `update connection set consecutive_errors = $1 where id = $2`, project.MostErrors, b.connection)
	b.dial(t)
	paused := b.get(t, expiring.ID)
	events := b.events(t)
	if got := types(events); !slices.Equal(got, []string{"campaign.started", "campaign.paused"}) ||
		!reflect.DeepEqual(events[1].Data, printed(t, paused.Resource())) {
		t.Errorf("told %v", events)
	}
	b.Advance(2 * time.Hour)
	b.dial(t)
	expect(b.get(t, expiring.ID), "campaign.completed")

	c = b.create(t, b.draft(1))
	b.exec(t, `update agent set deactivated_at = clock() where id = $1`, b.agent)
	b.dial(t)
	expect(b.get(t, c.ID), "campaign.failed")
	if got := stranger.events(t); len(got) > 0 {
		t.Errorf("another organization heard %v", types(got))
	}
}

// A settlement emits the events of the calls, then of their recipients, then of the
// completed campaign. A recipient gets one event, after the last attempt.
func TestSettlementEvents(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.subscribe(t, "*")
	d := fast(b.draft(2))
	d.Retry = &campaign.RetryInput{MaxAttempts: ptr(2), DelaysMinutes: []int{0}}
	c := b.create(t, d)
	talk := func(n int) {
		t.Helper()
		for len(b.network.up()) < n {
			b.dial(t)
		}
		for _, id := range b.network.up() {
			outcome := call.OutcomeBusy
			if b.network.live[id] == testNumber(0) {
				outcome = call.OutcomeCompleted
			}
			b.tell(t, id, ends(outcome)...)
		}
		b.settle(t)
	}
	talk(2)
	first := b.events(t)
	talk(1)
	second := b.events(t)
	const settled = 5 // events of the first settlement: two calls, one analysis, one recipient, half of the campaign
	got := slices.Concat(types(first[len(first)-settled:]), types(second[len(second)-3:]))
	slices.Sort(got[:3])
	want := []string{
		"call.analyzed", "call.completed", "call.completed", "recipient.completed", "campaign.progress",
		"call.completed", "recipient.failed", "campaign.completed",
	}
	if !slices.Equal(got, want) {
		t.Errorf("told %v, then %v", types(first), types(second))
	}
	rows := b.recipients(t, c.ID)
	told := slices.DeleteFunc(slices.Concat(first, second), func(e event) bool { return e.Type[:4] != "reci" })
	for i, number := range []string{testNumber(0), testNumber(1)} {
		if r := rows[number]; told[i].Subject != r.ID || !reflect.DeepEqual(told[i].Data, printed(t, r.Resource())) {
			t.Errorf("%s: %v\nthe recipient: %v", told[i].Type, told[i].Data, printed(t, r.Resource()))
		}
	}
	if len(told) != 2 || rows[testNumber(1)].Attempts != 2 {
		t.Errorf("told of recipients: %v", types(told))
	}
	if last := second[len(second)-1]; !reflect.DeepEqual(last.Data, printed(t, b.get(t, c.ID).Resource())) {
		t.Errorf("the campaign was told as %v", last.Data)
	}
}

// With a webhook, a long list with many skipped recipients emits an event for each skipped
// recipient, in the list's order. Without a webhook, it emits no event.
func TestSkippedEvents(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.subscribe(t, "recipient.skipped")
	b.subscribe(t, "campaign.*")
	stranger := benchOn(t, b.DB)
	stranger.subscribe(t, "call.*")
	const people = 10_000
	list := func(b *bench) *campaign.Draft {
		d := b.draft(1)
		for range people {
			d.Recipients.Add(intake.Recipient{PhoneNumber: testNumber(0)})
		}
		return d
	}
	c := b.create(t, list(b))
	stranger.create(t, list(stranger))
	if n := value[int](t, b, `select count(*) from event`); n != people {
		t.Errorf("%d of %d were told", n, people)
	}
	same := value[int](t, b, `
		select count(*) from event
		where type = 'recipient.skipped' and subject_id in (select id from recipient where campaign_id = $1
			and status = 'skipped')`, c.ID)
	if queued := value[int](t, b, `select count(*) from delivery_due`); same != people || queued != people {
		t.Errorf("%d are about those who are skipped, %d are to be delivered", same, queued)
	}
	ordered := value[bool](t, b, `
		select array_agg(subject_id order by id) = array_agg(subject_id order by subject_id) from event`)
	if !ordered {
		t.Error("out of order")
	}
	last, err := b.svc.Recipients(t.Context(), b.actor.OrganizationID, c.ID, campaign.RecipientOptions{})
	if err != nil {
		t.Fatal(err)
	}
	events := b.events(t)
	for i, r := range last.Data { // newest first
		if e := events[len(events)-1-i]; e.Subject != r.ID || !reflect.DeepEqual(e.Data, printed(t, r.Resource())) {
			t.Errorf("told %v\nthe recipient: %v", e.Data, printed(t, r.Resource()))
		}
	}

	// The recipient is skipped right before dialing, which ends the campaign.
	b.exec(t, `insert into do_not_call (id, organization_id, phone_number, source)
		values (gen_random_uuid(), $1, $2, 'call')`,
		b.actor.OrganizationID, testNumber(0))
	b.dial(t)
	events = b.events(t)
	if got := types(events); !slices.Equal(got, []string{
		"campaign.started", "recipient.skipped", "campaign.completed",
	}) {
		t.Fatalf("told %v", got)
	}
	if r := b.get(t, c.ID); !reflect.DeepEqual(events[2].Data, printed(t, r.Resource())) || r.Skipped != people+1 {
		t.Errorf("the campaign was told as %v", events[2].Data)
	}
}

// A change that rolls back emits no event.
func TestEventsShareTheFateOfTheChange(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.subscribe(t, "*")
	c := b.create(t, fast(b.draft(1)))
	failed := errors.New("something else goes wrong")
	err := postgres.InTx(t.Context(), b.Pool, func(tx pgx.Tx) error {
		if _, err := b.svc.In(tx).Pause(t.Context(), b.actor, c.ID); err != nil {
			return err
		}
		d := b.draft(1)
		d.Recipients.Add(intake.Recipient{PhoneNumber: testNumber(0)})
		d.ScheduledAt = ptr(time.Now().Add(time.Hour))
		if _, err := b.svc.In(tx).Create(t.Context(), b.actor, d); err != nil {
			return err
		}
		if n := len(b.eventsIn(t, tx)); n != 3 {
			t.Errorf("%d events before the end", n)
		}
		return failed
	})
	if !errors.Is(err, failed) {
		t.Fatal(err)
	}
	if got := b.events(t); len(got) > 0 || b.get(t, c.ID).Status != campaign.Scheduled {
		t.Errorf("told %v", types(got))
	}

	// A settlement whose events can't be stored rolls back, and is repeated later.
	b.dial(t)
	b.endAll(t, call.OutcomeBusy)
	b.events(t)
	b.exec(t, `alter table event add constraint broken check (type <> 'recipient.failed')`)
	if _, err := b.settler.batch(t.Context()); postgres.Constraint(err) != "broken" {
		t.Fatal(err)
	}
	if got := b.events(t); len(got) > 0 || b.checkCounters(t, c.ID).Dialing != 1 {
		t.Errorf("told %v", types(got))
	}
	b.exec(t, `alter table event drop constraint broken`)
	b.settle(t)
	if got := types(b.events(t)); !slices.Equal(got, []string{
		"call.completed", "recipient.failed", "campaign.completed",
	}) {
		t.Errorf("told %v", got)
	}
}

func (b *bench) eventsIn(t testing.TB, tx pgx.Tx) []string {
	t.Helper()
	rows, err := tx.Query(t.Context(), `select type from event where organization_id = $1`, b.actor.OrganizationID)
	if err != nil {
		t.Fatal(err)
	}
	all, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// checkEvents compares the events with the rows after everything has ended. Each fact has
// exactly one event, and there are no other events except pauses and resumptions of campaigns.
func (b *bench) checkEvents(t testing.TB) {
	t.Helper()
	wrong := value[[]string](t, b, `
		with fact (type, id) as (
			select 'call.started', id from call where started_at is not null
			union all select 'call.answered', id from call where answered_at is not null
			union all select 'call.completed', id from call
			union all select 'call.analyzed', id from call where answered_at is not null
			union all select 'recipient.' || status, id from recipient
				where status in ('completed', 'failed', 'skipped')
			union all select 'campaign.started', id from campaign where started_at is not null
			union all select 'campaign.' || status, id from campaign
		), told as (
			select type, subject_id, count(*) as n from event
				where type not in ('campaign.paused', 'campaign.resumed', 'campaign.progress')
				  and (type <> 'recipient.failed' or subject_id not in ( -- they called us after it, and answered
					select id from recipient where answered_call_id is not null))
				group by 1, 2
		)
		select coalesce(array_agg(coalesce(fact.type, told.type) || ' ' || coalesce(n, 0)), '{}')
		from fact full join told on told.type = fact.type and told.subject_id = fact.id
		where n is distinct from 1 or fact.id is null`)
	if len(wrong) > 0 {
		t.Errorf("told wrongly: %v", wrong)
	}
	if n := value[int](t, b, `select count(*) from (
		select from event where type = 'campaign.progress' group by subject_id having count(*) > 3) twice`); n > 0 {
		t.Errorf("%d campaigns told of a share twice", n)
	}
	if n := value[int](t, b, `select count(*) from event e join event l on l.subject_id = e.subject_id
		where e.type = 'call.completed' and l.type in ('call.started', 'call.answered') and (l.created_at,
			l.id) > (e.created_at, e.id)`); n > 0 {
		t.Errorf("%d calls were said to be over before they started", n)
	}
}
