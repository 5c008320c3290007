package suppression_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/internal/postgres/pgtest"
	"github.com/dialwright/dialwright/internal/suppression"
)

// fixture has two organizations. actor belongs to the first.
type fixture struct {
	db       *pgtest.DB
	list     *suppression.Service
	actor    account.Actor
	stranger account.Actor
}

func setup(t *testing.T) *fixture {
	t.Helper()
	f := &fixture{db: pgtest.New(t)}
	f.list = suppression.New(suppression.Options{Pool: f.db.Pool})
	for _, actor := range []*account.Actor{&f.actor, &f.stranger} {
		*actor = account.System(uuid.Must(uuid.NewV7()))
		_, err := f.db.Pool.Exec(t.Context(), `insert into organization (id, name) values ($1, 'x')`,
			actor.OrganizationID)
		if err != nil {
			t.Fatal(err)
		}
	}
	f.actor.Name = "Ana Lund"
	return f
}

func (f *fixture) add(t *testing.T, n suppression.NewEntry) suppression.Entry {
	t.Helper()
	if n.Source == "" {
		n.Source = suppression.ByUser
	}
	e, added, err := f.list.Add(t.Context(), f.actor, n)
	if err != nil || !added {
		t.Fatalf("%+v: added %v, %v", n, added, err)
	}
	return e
}

func wantFault(t *testing.T, err error, kind fault.Kind, message string) {
	t.Helper()
	if fault.KindOf(err) != kind || fault.As(err) == nil || message != "" && fault.As(err).Message != message {
		t.Errorf("got %v, want a fault of kind %d: %s", err, kind, message)
	}
}

func TestAddAndRemove(t *testing.T) {
	t.Parallel()
	f := setup(t)
	ctx := t.Context()
	callID := uuid.Must(uuid.NewV7())
	e := f.add(t, suppression.NewEntry{
		PhoneNumber: "+13125550142", Source: suppression.ByCall, Note: " pressed 9\r\n", CallID: &callID,
	})
	got, err := json.Marshal(e.Resource())
	want := fmt.Sprintf(`{"id":%q,"channel":"voice","phone_number":"+13125550142","erased":false,"source":"call",`+
		`"note":"pressed 9","call_id":%q,"created_by":"Ana Lund","created_at":%q}`,
		e.ID, callID, e.CreatedAt.Format("2006-01-02T15:04:05.000Z"))
	if err != nil || string(got) != want {
		t.Errorf("resource %s, want %s", got, want)
	}

	// Adding the number again keeps the existing entry.
	again, added, err := f.list.Add(ctx, f.actor, suppression.NewEntry{
		PhoneNumber: "+13125550142", Source: suppression.ByAPI, Note: "other",
	})
	if err != nil || added || again.ID != e.ID || again.Note != "pressed 9" || again.Source != suppression.ByCall {
		t.Errorf("%+v, added %v, %v", again, added, err)
	}
	// Another channel and another organization get their own entries.
	f.add(t, suppression.NewEntry{PhoneNumber: "+13125550142", Channel: suppression.Message})
	if _, added, err := f.list.Add(ctx, f.stranger, suppression.NewEntry{
		PhoneNumber: "+13125550142", Source: suppression.ByUser,
	}); err != nil || !added {
		t.Error(added, err)
	}

	wantFault(t, f.list.Remove(ctx, f.stranger, e.ID, "asked"), fault.NotFound, "Do-not-call entry not found")
	_, err = f.list.Entry(ctx, f.stranger.OrganizationID, e.ID)
	wantFault(t, err, fault.NotFound, "Do-not-call entry not found")
	user := f.actor
	user.Kind, user.ID = account.ByUser, uuid.Must(uuid.NewV7())
	wantFault(t, f.list.Remove(ctx, user, e.ID, " "), fault.Invalid, "reason: required")
	wantFault(t, f.list.Remove(ctx, f.actor, e.ID, strings.Repeat("x", 501)), fault.Invalid,
		"reason: must have at most 500 characters")
	const reason = "Signed form 17 for +1 (312) 555-0142"
	if err := f.list.Remove(ctx, f.actor, e.ID, reason); err != nil {
		t.Fatal(err)
	}
	wantFault(t, f.list.Remove(ctx, f.actor, e.ID, reason), fault.NotFound, "Do-not-call entry not found")
	removals := func(organization uuid.UUID) []suppression.Removal {
		t.Helper()
		list, err := f.list.Removals(ctx, organization, "+13125550142", page.Request{})
		if err != nil {
			t.Fatal(err)
		}
		return list.Data
	}
	if got := removals(f.actor.OrganizationID); len(got) != 1 || got[0].ID != e.ID || *got[0].CallID != callID ||
		got[0].Note != "pressed 9" || got[0].RemovedBy != "Ana Lund" || got[0].RemovedAt.Before(e.CreatedAt) ||
		got[0].Reason != reason {
		t.Errorf("removals %+v", got)
	}
	if got := removals(f.stranger.OrganizationID); len(got) > 0 {
		t.Errorf("removals of another organization: %+v", got)
	}
	back := f.add(t, suppression.NewEntry{PhoneNumber: "+13125550142"})
	if got, err := f.list.Entry(ctx, f.actor.OrganizationID, back.ID); err != nil || got.ID == e.ID {
		t.Errorf("%+v, %v", got, err)
	}

	rows, err := f.db.Pool.Query(ctx, `select action from audit_entry where object_id = $1 order by id`, e.ID)
	if err != nil {
		t.Fatal(err)
	}
	actions, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil || !slices.Equal(actions, []string{"do_not_call.added", "do_not_call.removed"}) {
		t.Errorf("audited %v, %v", actions, err)
	}
	var audited string
	err = f.db.Pool.QueryRow(ctx, `
		select data ->> 'reason' from audit_entry where action = 'do_not_call.removed'`).Scan(&audited)
	if err != nil || audited != "Signed form 17 for …42" {
		t.Errorf("the audit log says %q, %v", audited, err)
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	f := setup(t)
	for want, n := range map[string]suppression.NewEntry{
		"phone_number: not a valid phone number. Use E.164, such as +13125550142": {
			PhoneNumber: "3125550142", Source: suppression.ByUser,
		},
		"channel: must be voice or message": {
			PhoneNumber: "+13125550142", Channel: "fax", Source: suppression.ByUser,
		},
		"source: is not the source of a new entry": {PhoneNumber: "+13125550142"},
		"note: must have at most 500 characters": {
			PhoneNumber: "+13125550142", Source: suppression.ByUser, Note: strings.Repeat("x", 501),
		},
		"note: must not contain control characters": {
			PhoneNumber: "+13125550142", Source: suppression.ByUser, Note: "a\x00",
		},
	} {
		_, _, err := f.list.Add(t.Context(), f.actor, n)
		wantFault(t, err, fault.Invalid, want)
	}
}

func TestOneOfManyAtOnceAdds(t *testing.T) {
	t.Parallel()
	f := setup(t)
	var added atomic.Int32
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			_, fresh, err := f.list.Add(t.Context(), f.actor, suppression.NewEntry{
				PhoneNumber: "+13125550142", Source: suppression.ByAPI,
			})
			if err != nil {
				t.Error(err)
			}
			if fresh {
				added.Add(1)
			}
		})
	}
	wg.Wait()
	if added.Load() != 1 {
		t.Errorf("added %d times", added.Load())
	}
}

func TestList(t *testing.T) {
	t.Parallel()
	f := setup(t)
	ctx := t.Context()
	for _, number := range []phone.Number{"+13125550142", "+13125550143", "+17735550144", "+4930901820"} {
		f.add(t, suppression.NewEntry{PhoneNumber: number})
	}
	f.add(t, suppression.NewEntry{PhoneNumber: "+4930901820", Channel: suppression.Message})
	for _, c := range []struct {
		filter suppression.Filter
		want   string
	}{
		{suppression.Filter{}, "+4930901820 +4930901820 +17735550144 +13125550143 +13125550142"},
		{suppression.Filter{Channels: []suppression.Channel{suppression.Message}}, "+4930901820"},
		{
			suppression.Filter{Channels: suppression.Channels, Sources: suppression.Sources},
			"+4930901820 +4930901820 +17735550144 +13125550143 +13125550142",
		},
		{suppression.Filter{Search: "+1 (312)"}, "+13125550143 +13125550142"},
		{suppression.Filter{Search: "1773"}, "+17735550144"},
		{
			suppression.Filter{
				Search: "0049 30", Channels: []suppression.Channel{suppression.Voice, suppression.Voice},
			},
			"+4930901820",
		},
		{suppression.Filter{Search: "%"}, ""},
		{suppression.Filter{Search: "a\x00"}, ""},
	} {
		var got []string
		for c.filter.Page.Limit = 2; ; {
			l, err := f.list.List(ctx, f.actor.OrganizationID, c.filter)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range l.Data {
				got = append(got, e.PhoneNumber.String())
			}
			if !l.HasMore {
				break
			}
			c.filter.Page.Cursor = *l.NextCursor
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%+v: %v, want %s", c.filter, got, c.want)
		}
	}
	if l, err := f.list.List(ctx, f.stranger.OrganizationID, suppression.Filter{}); err != nil || len(l.Data) != 0 {
		t.Errorf("another organization sees %+v, %v", l, err)
	}

	// More entries begin with these digits than a search sorts.
	_, err := f.db.Pool.Exec(ctx, `
		insert into do_not_call (id, organization_id, phone_number, source, created_at)
		select gen_random_uuid(), $1, '+1202' || 5550000 + n, 'api', clock() + make_interval(secs => n)
			from generate_series(1, 2500) n`,
		f.actor.OrganizationID)
	if err != nil {
		t.Fatal(err)
	}
	l, err := f.list.List(ctx, f.actor.OrganizationID, suppression.Filter{
		Page: page.Request{Limit: 2}, Search: "+1 202",
	})
	if err != nil || len(l.Data) != 2 || l.Data[0].PhoneNumber != "+12025552500" ||
		l.Data[1].PhoneNumber != "+12025552499" || !l.HasMore {
		t.Errorf("%+v, %v", l, err)
	}
}

func TestListed(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.add(t, suppression.NewEntry{PhoneNumber: "+13125550142"})
	f.add(t, suppression.NewEntry{PhoneNumber: "+13125550143", Channel: suppression.Message})
	ask := []phone.Number{"+13125550142", "+13125550143", "+13125550144", "+13125550142"}
	for _, c := range []struct {
		org     uuid.UUID
		channel suppression.Channel
		want    []phone.Number
	}{
		{f.actor.OrganizationID, suppression.Voice, ask[:1]},
		{f.actor.OrganizationID, suppression.Message, ask[1:2]},
		{f.stranger.OrganizationID, suppression.Voice, nil},
	} {
		got, err := suppression.Listed(t.Context(), f.db.Pool, c.org, c.channel, ask)
		if err != nil || !slices.Equal(slices.Sorted(maps.Keys(got)), c.want) {
			t.Errorf("%s: %v, %v", c.channel, got, err)
		}
	}
}
