package web

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/account"
)

// A person selects follow-ups in the list and marks them as done, without scripts, and stays in the filtered list.
func TestFollowUpsAreFinishedInTheList(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n, other := w.newTenant("Aster"), w.newTenant("Birch")
	first, second, third, done := n.newFollowUp(), n.newFollowUp(), n.newFollowUp(), n.doneFollowUp()
	foreign := other.newFollowUp()
	v := n.as(n.staff)
	box := func(id uuid.UUID) string { return fmt.Sprintf(`name="id" type="checkbox" value="%s"`, id) }
	list := v.get("/follow-ups?status=all&kind=wants_human").want(http.StatusOK)
	for id, open := range map[uuid.UUID]bool{first: true, second: true, third: true, done: false} {
		if strings.Contains(list.body, box(id)) != open {
			t.Errorf("a box of an open follow-up is %t: %t", open, !open)
		}
	}
	const back = "/follow-ups?kind=wants_human&status=all"
	list.has(`action="/follow-ups/done"`, `name="list" value="`+back+`"`)
	v.get("/follow-ups?status=done").want(http.StatusOK).lacks(`action="/follow-ups/done"`)

	const path = "/follow-ups/done"
	post := func(ids ...string) {
		t.Helper()
		v.post(path, url.Values{"list": {back}, "id": ids}).leads(back)
	}
	post()
	v.get("/follow-ups").has("Select at least one follow-up")
	post(first.String(), done.String(), foreign.String(), "nonsense", second.String())
	marked := v.get("/follow-ups").has("2 follow-ups marked as done", box(third)).lacks(box(first), box(second))
	v.post(marked.undo("/follow-ups/reopen?"), nil).leads(back)
	v.get("/follow-ups").has("2 follow-ups reopened", box(first), box(second))
	if n := w.count(`select count(*) from audit_entry where action = 'follow_up.reopened'`); n != 1 {
		t.Errorf("%d entries of reopened follow-ups", n)
	}
	post(first.String(), second.String())
	post(first.String())
	v.get("/follow-ups").has("None of the selected follow-ups was open")
	if by := value[string](w, `select string_agg(done_by, ' ' order by done_by) from follow_up
		where status = 'done'`); by != "Ada Aster Sam Aster Sam" {
		t.Errorf("done by %s", by)
	}
	if n := w.count(`select count(*) from follow_up where status = 'open'`); n != 2 {
		t.Errorf("%d are open", n)
	}
}

// A person assigns the selected follow-ups of the list, and the undo gives each the assignee that it had.
func TestFollowUpsAreAssignedInTheList(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n, other := w.newTenant("Aster"), w.newTenant("Birch")
	free, taken, done := n.newFollowUp(), n.newFollowUp(), n.doneFollowUp()
	foreign := other.newFollowUp()
	w.exec(`update follow_up set assignee_id = $2 where id = $1`, taken, n.admin.id)
	v := n.as(n.staff)
	const path, back = "/follow-ups/assign", "/follow-ups?kind=wants_human&status=all"
	v.get(back).want(http.StatusOK).has("Assign to", `formaction="`+path+`"`)
	send := func(to string, ids ...uuid.UUID) {
		t.Helper()
		sent := url.Values{"list": {back}, "assignee_id": {to}}
		for _, id := range ids {
			sent.Add("id", id.String())
		}
		v.post(path, sent).leads(back)
	}
	assignees := func() string {
		t.Helper()
		return value[string](w, `select string_agg(coalesce(u.name, 'nobody'), ', ' order by f.id)
			from follow_up f left join app_user u on u.id = f.assignee_id
			where f.id in ($1, $2, $3, $4)`, free, taken, done, foreign)
	}
	send("me")
	v.get(back).has("Select at least one follow-up")
	send("someone", free)
	v.get(back).has("Choose an assignee first")
	send("me", free, taken, done, foreign)
	undo := v.get(back).has("2 follow-ups assigned").undo(path + "/undo?")
	if got := assignees(); got != "Aster Sam, Aster Sam, nobody, nobody" {
		t.Errorf("assigned to %s", got)
	}
	send("me", free, taken)
	v.get(back).has("Nothing to change")
	other.as(other.admin).post(undo, nil)
	v.post(undo, nil).leads(back)
	v.get(back).has("2 follow-ups assigned as before")
	if got := assignees(); got != "nobody, Aster Ada, nobody, nobody" {
		t.Errorf("restored to %s", got)
	}
	if n := w.count(`select count(*) from audit_entry where action = 'follow_up.updated'`); n != 3 {
		t.Errorf("%d entries in the audit log", n)
	}

	// Somebody else's change stays, and whoever is no member anymore gets nothing back.
	mia := n.newPerson("Mia", account.Staff)
	w.exec(`update follow_up set assignee_id = $2 where id = $1`, taken, mia.id)
	send("me", free, taken)
	undo = v.get(back).undo(path + "/undo?")
	w.exec(`update follow_up set assignee_id = $2 where id = $1`, free, n.admin.id)
	w.exec(`delete from membership where user_id = $1`, mia.id)
	v.post(undo, nil).leads(back)
	if got := assignees(); got != "Aster Ada, nobody, nobody, nobody" {
		t.Errorf("restored to %s", got)
	}
	send("none", free)
	v.get(back).has("1 follow-up assigned to nobody")
	v.post(path, form("list", back, "assignee_id", other.admin.id.String(), "id", free.String())).
		want(http.StatusUnprocessableEntity)
}

// All open follow-ups that match the filters are marked as done, also those on other pages, and it can be undone. One
// that was created after the list was opened stays.
func TestAllFollowUpsThatMatchAreFinished(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n, other := w.newTenant("Aster"), w.newTenant("Birch")
	n.doneFollowUp()
	other.newFollowUp()
	first := n.newFollowUp()
	for range 29 {
		w.exec(`insert into follow_up (id, organization_id, project_id, call_id, kind, reason)
			select gen_random_uuid(), organization_id, project_id, call_id, 'manual', reason from follow_up
			where id = $1`, first)
	}
	v := n.as(n.staff)
	const back = "/follow-ups?kind=manual&status=all"
	v.get("/follow-ups?kind=wants_human").want(http.StatusOK).lacks("that match, on all pages")
	list := v.get(back).want(http.StatusOK).has("All 29 that match, on all pages")
	all := form("list", back, "matching", "on", "until", list.field("until"))
	w.exec(`insert into follow_up (id, organization_id, project_id, call_id, kind, reason, created_at)
		select gen_random_uuid(), organization_id, project_id, call_id, 'manual', 'Unseen',
			clock() + interval '1 second' from follow_up where id = $1`, first)
	open := func(want int) {
		t.Helper()
		if got := w.count(`select count(*) from follow_up where status = 'open' and kind = 'manual'`); got != want {
			t.Errorf("%d are open, want %d", got, want)
		}
	}
	v.post("/follow-ups/done", form("list", back, "matching", "on")).want(http.StatusUnprocessableEntity)
	open(30)
	v.post("/follow-ups/done", all).leads(back)
	undo := v.get(back).has("29 follow-ups marked as done").undo("/follow-ups/reopen?")
	open(1)
	other.as(other.staff).post(undo, nil).leads(back)
	open(1)
	v.post(undo, nil).leads(back)
	v.get(back).has("29 follow-ups reopened")
	open(30)
	v.post(undo, nil).leads(back)
	v.get(back).has("Nothing to undo")
}

// All open follow-ups that match the filters are assigned, also those on other pages, and the undo gives each the
// assignee from before. One that was created after the list was opened stays.
func TestAllFollowUpsThatMatchAreAssigned(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n, other := w.newTenant("Aster"), w.newTenant("Birch")
	n.doneFollowUp()
	other.newFollowUp()
	first := n.newFollowUp()
	w.exec(`insert into follow_up (id, organization_id, project_id, call_id, kind, reason, assignee_id)
		select gen_random_uuid(), organization_id, project_id, call_id, 'manual', reason,
			case when i <= 9 then $2::uuid end
		from follow_up, generate_series(1, 29) i where id = $1`, first, n.admin.id)
	v := n.as(n.staff)
	const path, back = "/follow-ups/assign", "/follow-ups?kind=manual&status=all"
	list := v.get(back).want(http.StatusOK).has("All 29 that match, on all pages")
	all := form("list", back, "matching", "on", "until", list.field("until"), "assignee_id", "me")
	w.exec(`insert into follow_up (id, organization_id, project_id, call_id, kind, reason, created_at)
		select gen_random_uuid(), organization_id, project_id, call_id, 'manual', 'Unseen',
			clock() + interval '1 second' from follow_up where id = $1`, first)
	assignees := func(want string) {
		t.Helper()
		got := value[string](w, `select string_agg(name || ' ' || n, ', ' order by name) from (
			select coalesce(u.name, 'nobody') as name, count(*) as n
			from follow_up f left join app_user u on u.id = f.assignee_id group by 1) a`)
		if got != want {
			t.Errorf("assigned to %s, want %s", got, want)
		}
	}
	v.post(path, form("list", back, "matching", "on", "assignee_id", "me")).want(http.StatusUnprocessableEntity)
	assignees("Aster Ada 9, nobody 24")
	v.post(path, all).leads(back)
	undo := v.get(back).has("29 follow-ups assigned").undo(path + "/undo?")
	assignees("Aster Sam 29, nobody 4")
	other.as(other.staff).post(undo, nil).leads(back)
	assignees("Aster Sam 29, nobody 4")
	v.post(undo, nil).leads(back)
	v.get(back).has("29 follow-ups assigned as before")
	assignees("Aster Ada 9, nobody 24")
	v.post(undo, nil).leads(back)
	v.get(back).has("Nothing to undo")

	// The audit log has one entry for many, which the entries of each of them include.
	one := value[uuid.UUID](w, `select id from follow_up where assignee_id = $1 limit 1`, n.admin.id)
	for _, path := range []string{"/settings/audit-log", "/settings/audit-log?object=" + one.String()} {
		log := n.as(n.admin).get(path).want(http.StatusOK).has("assigned 29 follow-ups", "assigned 9 follow-ups")
		if got := strings.Count(log.body, "follow-ups</a>"); got != 2 && path != "/settings/audit-log" {
			t.Errorf("%s: %d entries", path, got)
		}
	}
}

// A follow-up that is done on its own page can be opened again by the toast, as in the list.
func TestDoneFollowUpCanBeUndone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.staff)
	path := "/follow-ups/" + n.newFollowUp().String()
	v.post(path+"/done", form("note", "Called her")).leads("/follow-ups")
	v.get("/follow-ups").has("Follow-up marked as done", "Undo", `action="`+path+`/reopen"`)
	v.post(path+"/reopen", nil).leads(path)
	v.get(path).has("Follow-up reopened", "Mark as done", "Called her")
}

// The form of an overdue follow-up keeps the time that it showed, and refuses another one in the past.
func TestAnOverdueFollowUpCanBeChanged(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	id := n.newFollowUp()
	w.exec(`update follow_up set due_at = '2026-01-05T15:30:45.123Z' where id = $1`, id)
	v, path := n.as(n.staff), "/follow-ups/"+id.String()
	_, rest, _ := strings.Cut(v.get(path).want(http.StatusOK).body, `2026-01-05T`)
	due := "2026-01-05T" + rest[:len("15:30")]
	v.post(path, url.Values{"note": {"Called"}, "due_at": {due}}).leads(path)
	if got := value[time.Time](w, `select due_at from follow_up where note = 'Called'`); got.Nanosecond() == 0 {
		t.Errorf("due at %s", got)
	}
	v.post(path, url.Values{"due_at": {"2026-01-06T10:00"}}).
		wrong("due_at", "Must not be more than 5 minutes in the past")
	v.post("/calls/"+n.newCall().String()+"/follow-ups", url.Values{
		"id": {newID().String()}, "reason": {"Call"}, "due_at": {"2026-01-06T10:00"},
	}).wrong("due_at", "Must not be more than 5 minutes in the past")
	v.post(path, url.Values{"due_at": {""}}).leads(path)
	if n := w.count(`select count(*) from follow_up where due_at is not null`); n != 0 {
		t.Error("the time is still there")
	}
}
