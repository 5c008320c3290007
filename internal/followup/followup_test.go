package followup_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/followup"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/postgres/pgtest"
	"github.com/dialwright/dialwright/internal/webhook"
)

// fixture is an organization with two members and a call, and another organization.
type fixture struct {
	db       *pgtest.DB
	svc      *followup.Service
	ada, bob account.Actor
	stranger account.Actor
	call     uuid.UUID
}

func setup(t *testing.T) *fixture {
	t.Helper()
	f := &fixture{db: pgtest.New(t), call: uuid.Must(uuid.NewV7())}
	f.svc = followup.New(followup.Options{Pool: f.db.Pool, Hub: postgres.LocalHub()})
	n := f.db.NewTenant(t, "Acme", "+15005550000", "{}")
	m := f.db.NewTenant(t, "Other", "+15005550001", "{}")
	f.ada, f.bob = f.member(t, n.OrganizationID, "Ada"), f.member(t, n.OrganizationID, "Bob")
	f.stranger = f.member(t, m.OrganizationID, "Eve")
	f.exec(t, `
		insert into call (id, organization_id, project_id, agent_id, phone_number_id, connection_id, carrier,
			own_number, person_number, recipient_name, status, outcome, ended_reason, ring_timeout_seconds,
			max_duration_seconds, ended_at, settled_at)
		values ($1, $2, $3, $4, $5, $6, 'sandbox', '+15005550000', '+15005550006', 'Ana', 'completed', 'completed',
			'agent_hung_up', 30, 600, clock(), clock())`,
		f.call, n.OrganizationID, n.ProjectID, n.AgentID, n.PhoneNumberID, n.ConnectionID)
	return f
}

func (f *fixture) exec(t *testing.T, sql string, args ...any) {
	t.Helper()
	if _, err := f.db.Pool.Exec(t.Context(), sql, args...); err != nil {
		t.Fatal(err)
	}
}

func (f *fixture) member(t *testing.T, organizationID uuid.UUID, name string) account.Actor {
	t.Helper()
	id := uuid.Must(uuid.NewV7())
	f.exec(t, `insert into app_user (id, email, name, password_hash) values ($1, $2, $3, '')`, id,
		fmt.Sprintf("%s@example.com", id), name)
	f.exec(t, `insert into membership (organization_id, user_id, role) values ($1, $2, 'admin')`, organizationID, id)
	return account.Actor{
		OrganizationID: organizationID, Kind: account.ByUser, ID: id, Name: name, Role: account.Staff,
	}
}

func (f *fixture) create(t *testing.T) followup.FollowUp {
	t.Helper()
	created, err := f.svc.Create(t.Context(), f.db.Pool, f.ada, followup.NewFollowUp{
		CallID: f.call, Reason: "Has a question about the invoice",
	})
	if err != nil {
		t.Fatal(err)
	}
	return created
}

func (f *fixture) get(t *testing.T, id uuid.UUID) followup.FollowUp {
	t.Helper()
	got, err := f.svc.Get(t.Context(), f.ada.OrganizationID, id)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// count counts rows.
func (f *fixture) count(t *testing.T, sql string, args ...any) (n int) {
	t.Helper()
	if err := f.db.Pool.QueryRow(t.Context(), `select count(*) from `+sql, args...).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestTheLifeOfAFollowUp(t *testing.T) {
	t.Parallel()
	f := setup(t)
	due := time.Now().Add(time.Hour).Truncate(time.Millisecond).UTC()
	created := f.create(t)
	if created.Kind != followup.Manual || created.Status != followup.Open || created.CreatedBy != "Ada" ||
		created.Name != "Ana" || created.PhoneNumber != "+15005550006" || created.CallID != f.call {
		t.Errorf("created %+v", created)
	}
	bob, dueAt, note := &f.bob.ID, &due, "Ask for the contract"
	changed, err := f.svc.Update(t.Context(), f.ada, created.ID, followup.Change{
		Assignee: &bob, DueAt: &dueAt, Note: &note,
	}, nil)

	if err != nil || changed.Assignee == nil || *changed.AssigneeName != "Bob" || !changed.DueAt.Equal(due) ||
		changed.Note != note {
		t.Errorf("changed to %+v, %v", changed, err)
	}
	bob, dueAt = nil, nil
	changed, err = f.svc.Update(t.Context(), f.ada, created.ID, followup.Change{Assignee: &bob, DueAt: &dueAt}, nil)
	if err != nil || changed.Assignee != nil || changed.DueAt != nil || changed.Note != note {
		t.Errorf("changed back to %+v, %v", changed, err)
	}
	done, err := f.svc.Finish(t.Context(), f.bob, created.ID, followup.Finish{Note: new("Sent")})
	if err != nil || done.Status != followup.Done || *done.DoneBy != "Bob" || done.DoneAt == nil ||
		done.Note != "Sent" {
		t.Errorf("done: %+v, %v", done, err)
	}
	if _, err := f.svc.Take(t.Context(), f.ada, created.ID, followup.Change{}); fault.KindOf(err) != fault.Conflict {
		t.Errorf("a follow-up that is done was taken: %v", err)
	}
	open, err := f.svc.Reopen(t.Context(), f.ada, created.ID)
	if err != nil || open.Status != followup.Open || open.DoneBy != nil || open.DoneAt != nil {
		t.Errorf("reopened: %+v, %v", open, err)
	}
	if _, err := f.svc.Reopen(t.Context(), f.ada, created.ID); fault.KindOf(err) != fault.Conflict {
		t.Errorf("reopened twice: %v", err)
	}
	if n := f.count(t, `audit_entry where object_id = $1 and action like 'follow_up.%'`, created.ID); n != 5 {
		t.Errorf("%d audit entries", n)
	}
}

func TestAnotherOrganizationSeesNothing(t *testing.T) {
	t.Parallel()
	f := setup(t)
	id := f.create(t).ID
	note := ""
	eve := &f.stranger.ID
	for name, err := range map[string]error{
		"get":    second(f.svc.Get(t.Context(), f.stranger.OrganizationID, id)),
		"update": second(f.svc.Update(t.Context(), f.stranger, id, followup.Change{Note: &note}, nil)),
		"take":   second(f.svc.Take(t.Context(), f.stranger, id, followup.Change{})),
		"finish": second(f.svc.Finish(t.Context(), f.stranger, id, followup.Finish{})),
		"reopen": second(f.svc.Reopen(t.Context(), f.stranger, id)),
	} {
		if fault.KindOf(err) != fault.NotFound {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err := f.svc.Create(t.Context(), f.db.Pool, f.stranger, followup.NewFollowUp{CallID: f.call, Reason: "x"})
	if fault.KindOf(err) != fault.Invalid {
		t.Errorf("a follow-up of another organization's call: %v", err)
	}
	_, err = f.svc.Update(t.Context(), f.ada, id, followup.Change{Assignee: &eve}, nil)
	if fault.KindOf(err) != fault.Invalid {
		t.Errorf("assigned to another organization's member: %v", err)
	}
	list, err := f.svc.List(t.Context(), f.stranger.OrganizationID, followup.Filter{})
	counts, err2 := f.svc.Count(t.Context(), f.stranger.OrganizationID, f.stranger.ID)
	if err := errors.Join(err, err2); err != nil || len(list.Data) > 0 || counts != (followup.Counts{}) {
		t.Errorf("listed %v, counted %v, %v", list.Data, counts, err)
	}
}

func second[T any](_ T, err error) error { return err }

// atOnce runs something for both members at once, and returns how many had no error. All errors are conflicts.
func (f *fixture) atOnce(t *testing.T, do func(account.Actor) error) int32 {
	t.Helper()
	var won atomic.Int32
	var work sync.WaitGroup
	for _, actor := range []account.Actor{f.ada, f.bob} {
		work.Go(func() {
			switch err := do(actor); {
			case err == nil:
				won.Add(1)
			case fault.KindOf(err) != fault.Conflict:
				t.Error(err)
			}
		})
	}
	work.Wait()
	return won.Load()
}

// Of two people who take a follow-up at once, one gets it. Of two who finish it at once, one does, and one event tells.
func TestTwoPeopleAtOnce(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.exec(t, `insert into webhook (id, organization_id, name, url, events, secret)
		values (gen_random_uuid(), $1, 'Hook', '', '{follow_up.done}', '')`, f.ada.OrganizationID)
	for range 10 {
		id := f.create(t).ID
		if won := f.atOnce(t, func(a account.Actor) error {
			return second(f.svc.Take(t.Context(), a, id, followup.Change{}))
		}); won != 1 {
			t.Fatalf("%d people took it", won)
		}
		if got := f.get(t, id); got.Assignee == nil {
			t.Fatal("nobody has it")
		}
		if won := f.atOnce(t, func(a account.Actor) error {
			return second(f.svc.Finish(t.Context(), a, id, followup.Finish{Note: &a.Name}))
		}); won != 1 {
			t.Fatalf("%d people finished it", won)
		}
		if got := f.get(t, id); *got.DoneBy != got.Note {
			t.Errorf("%s finished it, and the note is %q", *got.DoneBy, got.Note)
		}
		if n := f.count(t, `event where subject_id = $1`, id); n != 1 {
			t.Errorf("%d events", n)
		}
	}
}

// Who assigns a follow-up while somebody finishes it loses nothing: it is done once, and has its assignee, note and
// time. Who takes it then hears that it is done.
func TestAssignedWhileItIsDone(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.exec(t, `insert into webhook (id, organization_id, name, url, events, secret)
		values (gen_random_uuid(), $1, 'Hook', '', '{follow_up.done}', '')`, f.ada.OrganizationID)
	for range 10 {
		id := f.create(t).ID
		due := time.Now().Add(time.Hour).Truncate(time.Millisecond).UTC()
		var work sync.WaitGroup
		work.Go(func() {
			bob, dueAt := &f.bob.ID, &due
			change := followup.Change{Assignee: &bob, DueAt: &dueAt}
			if _, err := f.svc.Update(t.Context(), f.ada, id, change, nil); err != nil {
				t.Error(err)
			}
		})
		work.Go(func() {
			if _, err := f.svc.Finish(t.Context(), f.bob, id, followup.Finish{Note: new("Sent")}); err != nil {
				t.Error(err)
			}
		})
		work.Go(func() {
			_, err := f.svc.Take(t.Context(), f.ada, id, followup.Change{})
			if err != nil && fault.KindOf(err) != fault.Conflict {
				t.Error(err)
			}
		})
		work.Wait()
		got := f.get(t, id)
		if got.Status != followup.Done || *got.DoneBy != "Bob" || got.Note != "Sent" || got.Assignee == nil ||
			*got.Assignee != f.bob.ID || got.DueAt == nil || !got.DueAt.Equal(due) {
			t.Errorf("%+v", got)
		}
		if n := f.count(t, `event where subject_id = $1`, id); n != 1 {
			t.Errorf("%d events", n)
		}
	}
}

// A change has one event, and a request that changes nothing has none.
func TestTheEventsOfAFollowUp(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.exec(t, `insert into webhook (id, organization_id, name, url, events, secret)
		values (gen_random_uuid(), $1, 'Hook', '', '{follow_up.*}', '')`, f.ada.OrganizationID)
	id := f.create(t).ID
	finish := followup.Finish{Note: new("Sent")}
	update := func(c followup.Change) error { return second(f.svc.Update(t.Context(), f.ada, id, c, nil)) }
	due := time.Now().Add(time.Hour).Truncate(time.Millisecond)
	bob, dueAt, note := &f.bob.ID, &due, "Ask for the contract"
	for i, step := range []struct {
		do   func() error
		want string
	}{
		{func() error { return update(followup.Change{Assignee: &bob, DueAt: &dueAt, Note: &note}) }, "updated"},
		{func() error { return update(followup.Change{Assignee: &bob, DueAt: &dueAt, Note: &note}) }, ""},
		{func() error { return second(f.svc.Take(t.Context(), f.bob, id, followup.Change{})) }, ""},
		{func() error { return second(f.svc.Finish(t.Context(), f.bob, id, finish)) }, "done"},
		{func() error { return second(f.svc.Reopen(t.Context(), f.ada, id)) }, "updated"},
		{func() error { return update(followup.Change{Assignee: new(*uuid.UUID)}) }, "updated"},
		{func() error { return second(f.svc.Take(t.Context(), f.ada, id, followup.Change{})) }, "updated"},
		{func() error { return second(f.svc.FinishAll(t.Context(), f.ada, []string{id.String()})) }, "done"},
		{func() error { return second(f.svc.FinishAll(t.Context(), f.ada, []string{id.String()})) }, ""},
	} {
		f.exec(t, `delete from event`)
		if err := step.do(); err != nil {
			t.Fatal(err)
		}
		types, err := postgres.Collect(t.Context(), f.db.Pool, pgx.RowTo[string],
			`select substr(type, length('follow_up.') + 1) from event where subject_id = $1`, id)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(types, " "); got != step.want {
			t.Errorf("step %d has the events %q, want %q", i, got, step.want)
		}
	}
}

// A due time is not set in the past, and one that has passed since may stay.
func TestDueTimesArePresent(t *testing.T) {
	t.Parallel()
	f := setup(t)
	past := time.Now().Add(-time.Hour).Truncate(time.Millisecond)
	_, err := f.svc.Create(t.Context(), f.db.Pool, f.ada, followup.NewFollowUp{
		CallID: f.call, Reason: "Has a question", DueAt: &past,
	})
	const want = "due_at: must not be more than 5 minutes in the past"
	if fault.KindOf(err) != fault.Invalid || err.Error() != want {
		t.Errorf("created: %v", err)
	}
	id, due, note := f.create(t).ID, &past, "Late"
	_, err = f.svc.Update(t.Context(), f.ada, id, followup.Change{DueAt: &due}, nil)
	if err == nil || err.Error() != want {
		t.Errorf("changed: %v", err)
	}
	f.exec(t, `update follow_up set due_at = $1`, past)
	if _, err = f.svc.Update(t.Context(), f.ada, id, followup.Change{DueAt: &due, Note: &note}, nil); err != nil {
		t.Error(err)
	}
	if got := f.get(t, id); got.Note != note || !got.DueAt.Equal(past) {
		t.Errorf("%+v", got)
	}
}

// Two people who finish the same follow-ups in two orders, while one of their assignees is removed, block nobody.
func TestManyAreFinishedAtOnce(t *testing.T) {
	t.Parallel()
	f := setup(t)
	accounts := account.New(account.Options{Pool: f.db.Pool})
	f.exec(t, `insert into webhook (id, organization_id, name, url, events, secret)
		values (gen_random_uuid(), $1, 'Hook', '', '{follow_up.done}', '')`, f.ada.OrganizationID)
	var ids []string
	for range 40 {
		ids = append(ids, f.create(t).ID.String())
	}
	f.exec(t, `update follow_up set assignee_id = $1`, f.bob.ID)
	backwards := slices.Clone(ids)
	slices.Reverse(backwards)
	var work sync.WaitGroup
	var finished atomic.Int32
	for _, order := range [][]string{ids, backwards} {
		work.Go(func() {
			all, err := f.svc.FinishAll(t.Context(), f.ada, order)
			if err != nil {
				t.Error(err)
			}
			for i, one := range all {
				if one.ID != order[i] {
					t.Errorf("%s is at the place of %s", one.ID, order[i])
				}
				if one.Result == followup.Finished {
					finished.Add(1)
				}
			}
		})
	}
	work.Go(func() {
		if err := accounts.RemoveMember(t.Context(), f.ada, f.bob.ID); err != nil {
			t.Error(err)
		}
	})
	work.Wait()
	if n := f.count(t, `event where type = 'follow_up.done'`); n != len(ids) || int(finished.Load()) != n {
		t.Errorf("%d finished, %d events", finished.Load(), n)
	}
	if n := f.count(t, `follow_up where status = 'done' and assignee_id is null and done_by = 'Ada'`); n != len(ids) {
		t.Errorf("%d are done", n)
	}
}

// All open follow-ups that match a filter are finished, on all pages, except those that nobody has seen. It is undone
// once, and leaves those alone that somebody else has changed since.
func TestAllThatMatchAreFinished(t *testing.T) {
	t.Parallel()
	f := setup(t)
	for range 4 {
		f.create(t)
	}
	f.exec(t, `insert into webhook (id, organization_id, name, url, events, secret)
		values (gen_random_uuid(), $1, 'Hook', '', '{follow_up.done}', '')`, f.ada.OrganizationID)
	mine, done := f.create(t).ID, f.create(t).ID
	f.exec(t, `update follow_up set assignee_id = $1 where id = $2`, f.bob.ID, mine)
	f.exec(t, `update follow_up set status = 'done', done_by = 'Bob', done_at = clock() where id = $1`, done)
	matching := func(want int, filter followup.Filter) followup.Matching {
		t.Helper()
		m, err := f.svc.CountMatching(t.Context(), f.ada.OrganizationID, filter)
		if err != nil || m.FollowUps != want || m.Until.IsZero() {
			t.Errorf("%+v, %v, want %d", m, err, want)
		}
		return m
	}
	matching(0, followup.Filter{Statuses: []followup.Status{followup.Done}})
	matching(0, followup.Filter{Kinds: []followup.Kind{followup.Unsure}})
	matching(0, followup.Filter{PhoneNumber: "+15005550009"})
	matching(5, followup.Filter{PhoneNumber: "+15005550006", Kinds: []followup.Kind{followup.Manual, followup.Unsure}})
	matching(1, followup.Filter{AssigneeID: &f.bob.ID})
	first := page.Request{Limit: 1, Cursor: page.Cursor(time.Unix(1, 0), mine)} // no part of the choice
	filter := followup.Filter{Unassigned: true, Page: first}
	m := matching(4, filter)

	unseen, taken := f.create(t).ID, f.create(t).ID
	f.exec(t, `update follow_up set created_at = created_at + interval '1 second' where id = $1`, unseen)
	f.exec(t, `update follow_up set created_at = $2, assignee_id = $3 where id = $1`, taken, m.Until, f.bob.ID)
	chosen := followup.Chosen{Filter: &filter, Until: m.Until}
	_, err := f.svc.FinishMany(t.Context(), f.ada, followup.Chosen{Filter: &filter})
	if fault.KindOf(err) != fault.Invalid {
		t.Errorf("without a time: %v", err)
	}
	if b, err := f.svc.FinishMany(t.Context(), f.stranger, chosen); err != nil || len(b.Objects) != 0 {
		t.Errorf("a stranger finished %v, %v", b.Objects, err)
	}
	batch, err := f.svc.FinishMany(t.Context(), f.ada, chosen)
	if err != nil || len(batch.Objects) != 4 {
		t.Fatalf("%d finished, %v", len(batch.Objects), err)
	}
	for what, n := range map[string]int{
		`follow_up where status = 'done' and done_by = 'Ada'`: 4, `event where type = 'follow_up.done'`: 4,
		`audit_entry where action = 'follow_up.done' and cardinality(object_ids) = 4`: 1,
	} {
		if got := f.count(t, what); got != n {
			t.Errorf("%d %s, want %d", got, what, n)
		}
	}

	if _, err := f.svc.Reopen(t.Context(), f.bob, batch.Objects[0]); err != nil {
		t.Fatal(err)
	}
	for i, undo := range []struct {
		actor account.Actor
		want  int
	}{{f.stranger, 0}, {f.ada, 3}, {f.ada, 0}} {
		if n, err := f.svc.ReopenAll(t.Context(), undo.actor, batch.ID); err != nil || n != undo.want {
			t.Errorf("undo %d: %d reopened, %v, want %d", i, n, err, undo.want)
		}
	}
	if got := f.get(t, done); got.Status != followup.Done {
		t.Error("the undo reopened another follow-up")
	}
}

// More follow-ups than one request may finish are refused as a whole.
func TestTooManyFollowUpsAreNotFinished(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.create(t)
	f.exec(t, `
		insert into follow_up (id, organization_id, project_id, call_id, kind, reason)
		select gen_random_uuid(), organization_id, project_id, call_id, kind, reason
		from follow_up, generate_series(1, $1)`, followup.MaxMatching)
	m, err := f.svc.CountMatching(t.Context(), f.ada.OrganizationID, followup.Filter{})
	if err != nil || m.FollowUps != followup.MaxMatching+1 {
		t.Errorf("%+v, %v", m, err)
	}
	chosen := followup.Chosen{Filter: &followup.Filter{}, Until: m.Until}
	if _, err = f.svc.FinishMany(t.Context(), f.ada, chosen); fault.KindOf(err) != fault.Invalid ||
		!strings.Contains(err.Error(), "10,000") {
		t.Errorf("finished too many: %v", err)
	}
	f.exec(t, `update follow_up set status = 'done', done_by = 'Bob', done_at = clock()
		where id = (select id from follow_up limit 1)`)
	started := time.Now()
	b, err := f.svc.FinishMany(t.Context(), f.ada, chosen)
	if err != nil || len(b.Objects) != followup.MaxMatching {
		t.Errorf("%d finished, %v", len(b.Objects), err)
	}
	t.Logf("%d follow-ups finished in %s", len(b.Objects), time.Since(started))
}

// The follow-ups of a removed member are nobody's, also if somebody assigns one while the member is removed.
func TestAMemberIsRemoved(t *testing.T) {
	t.Parallel()
	f := setup(t)
	accounts := account.New(account.Options{Pool: f.db.Pool})
	var ids []uuid.UUID
	for range 5 {
		ids = append(ids, f.create(t).ID)
	}
	if _, err := f.svc.Take(t.Context(), f.bob, ids[0], followup.Change{}); err != nil {
		t.Fatal(err)
	}
	var work sync.WaitGroup
	for _, id := range ids {
		work.Go(func() {
			bob := &f.bob.ID
			_, err := f.svc.Update(t.Context(), f.ada, id, followup.Change{Assignee: &bob}, nil)
			if err != nil && fault.KindOf(err) != fault.Invalid {
				t.Error(err)
			}
		})
	}
	if err := accounts.RemoveMember(t.Context(), f.ada, f.bob.ID); err != nil {
		t.Error(err)
	}
	work.Wait()
	for _, id := range ids {
		if got := f.get(t, id); got.Assignee != nil || got.Status != followup.Open {
			t.Errorf("%+v", got)
		}
	}
}

// A call has one follow-up of each kind, whoever adds it, and any number by hand.
func TestOneOfAKind(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.exec(t, `insert into webhook (id, organization_id, name, url, events, secret)
		values (gen_random_uuid(), $1, 'Hook', '', '{*}', '')`, f.ada.OrganizationID)
	var work sync.WaitGroup
	for range 4 {
		work.Go(func() {
			err := postgres.InTx(t.Context(), f.db.Pool, func(tx pgx.Tx) error {
				out, err := webhook.Open(t.Context(), tx, f.ada.OrganizationID)
				if err != nil {
					return err
				}
				if err := followup.Add(t.Context(), tx, out, []followup.Need{
					{CallID: f.call, Kind: followup.TransferFailed, Reason: "Nobody answered"},
					{CallID: f.call, Kind: followup.WantsHuman, Reason: "Asked to talk to a person"},
				}); err != nil {
					return err
				}
				return out.Write(t.Context(), tx)
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	work.Wait()
	f.create(t)
	f.create(t)
	if n := f.count(t, `follow_up`); n != 4 {
		t.Errorf("%d follow-ups", n)
	}
	if n := f.count(t, `event where type = 'follow_up.created'
		and payload::jsonb ->> 'project_id' = payload::jsonb -> 'data' ->> 'project_id'`); n != 4 {
		t.Errorf("%d events", n)
	}
	list, err := f.svc.List(t.Context(), f.ada.OrganizationID, followup.Filter{
		Page: page.Request{Limit: 1}, Kinds: []followup.Kind{followup.TransferFailed, followup.WantsHuman},
		Statuses: []followup.Status{followup.Open}, Unassigned: true, CallID: &f.call, PhoneNumber: "+15005550006",
	})
	if err != nil || len(list.Data) != 1 || !list.HasMore {
		t.Errorf("listed %+v, %v", list, err)
	}
}

// Retention removes what was said in a call, and an erasure everything about the person, from the events too.
func TestForgetAndErase(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.exec(t, `insert into webhook (id, organization_id, name, url, events, secret)
		values (gen_random_uuid(), $1, 'Hook', '', '{*}', '')`, f.ada.OrganizationID)
	f.create(t)
	inTx := func(do func(tx pgx.Tx) error) {
		t.Helper()
		if err := postgres.InTx(t.Context(), f.db.Pool, do); err != nil {
			t.Fatal(err)
		}
	}
	inTx(func(tx pgx.Tx) error {
		out, err := webhook.Open(t.Context(), tx, f.ada.OrganizationID)
		if err != nil {
			return err
		}
		err = followup.Add(t.Context(), tx, out, []followup.Need{
			{CallID: f.call, Kind: followup.Answer, Reason: "Answered no"},
		})
		return errors.Join(err, out.Write(t.Context(), tx))
	})
	f.exec(t, `update delivery_due set due_at = clock() + interval '1 day'`)
	f.exec(t, `update follow_up set note = 'Ana is angry'`)
	calls := []uuid.UUID{f.call}
	inTx(func(tx pgx.Tx) error { return followup.Forget(t.Context(), tx, f.ada.OrganizationID, calls) })
	if n := f.count(t, `follow_up where note <> '' and (reason = '') = (kind = 'answer')`); n != 2 {
		t.Errorf("%d follow-ups are as they should be after the retention", n)
	}
	if n := f.count(t, `event where payload::text like '%Answered no%'`); n != 0 {
		t.Errorf("%d events have the answer", n)
	}
	inTx(func(tx pgx.Tx) error {
		events, err := followup.Erase(t.Context(), tx, f.ada.OrganizationID, calls)
		if events != 2 {
			t.Errorf("%d events were changed", events)
		}
		return err
	})
	if n := f.count(t, `follow_up where note <> '' or reason <> ''`); n != 0 {
		t.Errorf("%d follow-ups have words", n)
	}
	if n := f.count(t, `event where payload::text like '%5550006%' or payload::text like '%invoice%'`); n != 0 {
		t.Errorf("%d events have the number or the reason", n)
	}
}
