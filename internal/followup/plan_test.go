package followup_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/api"
	"github.com/dialwright/dialwright/internal/app/apptest"
	"github.com/dialwright/dialwright/internal/followup"
	"github.com/dialwright/dialwright/internal/page"
)

// A page of follow-ups takes as long as a page, however many there are.
func TestListsOfFollowUpsReadWhatTheyShow(t *testing.T) {
	t.Parallel()
	w := apptest.NewWatchedHistory(t, api.Reference)
	member := uuid.New()
	w.Write(pgx.NamedArgs{"member": member},
		`insert into app_user (id, email, name, password_hash) values (@member, 'ada@example.com', 'Ada', '')`,
		`insert into membership (organization_id, user_id, role) values (@organization, @member, 'staff')`,
		`insert into follow_up (id, organization_id, project_id, campaign_id, call_id, kind, status, reason,
			assignee_id, due_at, created_at, done_at, done_by)
			select gen_random_uuid(), @organization, c.project_id, c.campaign_id, c.id, k.kind, s.status, 'A reason',
			       case when c.n % 200 = 0 then @member::uuid end,
			       case when c.n % 100 = 0 then c.created_at end, c.created_at,
			       case when s.status = 'done' then clock() end, case when s.status = 'done' then 'Ada' end
			from (
				select c.*, row_number() over (order by c.id) as n from call c where c.organization_id = @organization
			) c
			cross join lateral (select case when c.n % 150 = 0 then 'unsure' else 'answer' end as kind) k
			cross join lateral (select case when c.n % 50 = 0 then 'open' else 'done' end as status) s`)
	list := func(name string, most int, f followup.Filter) {
		t.Helper()
		apptest.ReadList(w, "the list of follow-ups"+name, most,
			func(ctx context.Context, r page.Request) (page.List[followup.FollowUp], error) {
				f.Page = r
				return w.FollowUps.List(ctx, w.OrganizationID, f)
			})
	}
	const few = 500 // a page has 25 rows, each with its call, recipient, later call and assignee
	open := []followup.Status{followup.Open}
	list("", few, followup.Filter{})
	list(", open", few, followup.Filter{Statuses: open})
	list(", of a rare kind", few, followup.Filter{Kinds: []followup.Kind{followup.Unsure}})
	list(", of two kinds", few, followup.Filter{Kinds: []followup.Kind{followup.Unsure, followup.Manual}})
	var number string
	var one uuid.UUID
	err := w.Pool.QueryRow(t.Context(), `
		select c.person_number, c.id from follow_up f join call c on c.id = f.call_id
		where c.campaign_id = $1 order by f.created_at limit 1`, w.Large).Scan(&number, &one)
	if err != nil {
		t.Fatal(err)
	}
	first := func(name string, most int, f followup.Filter) {
		t.Helper()
		w.Read("the list of follow-ups"+name, most, func(ctx context.Context) error {
			_, err := w.FollowUps.List(ctx, w.OrganizationID, f)
			return err
		})
	}
	const some = 1200 // those that are open or that have a time
	list(", of a project", few, followup.Filter{ProjectID: &w.ProjectID})
	list(", of a project, open", few, followup.Filter{ProjectID: &w.ProjectID, Statuses: open})
	first(", of a large campaign", few, followup.Filter{CampaignID: &w.Large})
	first(", of a large campaign, open", few, followup.Filter{CampaignID: &w.Large, Statuses: open})
	first(", of a small campaign", few, followup.Filter{CampaignID: &w.Small})
	first(", of a small campaign, open", few, followup.Filter{CampaignID: &w.Small, Statuses: open})
	first(", of a call", few, followup.Filter{CallID: &one})
	first(", of a number", few, followup.Filter{PhoneNumber: number})
	first(", done lately", few, followup.Filter{DoneAfter: time.Now().Add(time.Hour)})
	first(", due and open", some, followup.Filter{DueBefore: time.Now(), Statuses: open})
	first(", due long ago and open", some, followup.Filter{DueBefore: w.Middle, Statuses: open})
	first(", due", some, followup.Filter{DueBefore: time.Now()})
	first(", due long ago", some, followup.Filter{DueBefore: w.Middle})
	list(", of a member", few, followup.Filter{AssigneeID: &member, Statuses: open})
	w.Read("the count of those that match", 2500, func(ctx context.Context) error { // all open ones
		_, err := w.FollowUps.CountMatching(ctx, w.OrganizationID, followup.Filter{DueBefore: w.Middle})
		return err
	})
	w.Read("the counts", 5000, func(ctx context.Context) error {
		_, err := w.FollowUps.Count(ctx, w.OrganizationID, member)
		return err
	})
}
