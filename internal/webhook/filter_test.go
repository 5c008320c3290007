package webhook

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/postgres"
)

// ids returns a list of IDs as a filter is sent.
func ids(of ...uuid.UUID) []string {
	texts := []string{}
	for _, id := range of {
		texts = append(texts, id.String())
	}
	return texts
}

// newProject inserts the least that a filter can name.
func (h *world) newProject(owner account.Actor) uuid.UUID {
	h.t.Helper()
	id := uuid.New()
	h.exec(`insert into project (id, organization_id, name, time_zone, region, calling_hours)
		values ($1, $2, 'North', 'UTC', 'US', '{}')`,
		id, owner.OrganizationID)
	return id
}

// tell writes an event of each subject, all of the type call.started.
func (h *world) tell(about ...About) {
	h.t.Helper()
	err := postgres.InTx(h.t.Context(), h.db.Pool, func(tx pgx.Tx) error {
		out, err := Open(h.t.Context(), tx, h.actor.OrganizationID)
		if err != nil {
			return err
		}
		for i, a := range about {
			err := out.Add(Event{
				OrganizationID: h.actor.OrganizationID, About: a, Type: CallStarted, SubjectID: uuid.New(), Data: i,
			})
			if err != nil {
				return err
			}
		}
		return out.Write(h.t.Context(), tx)
	})
	if err != nil {
		h.t.Fatal(err)
	}
}

// A webhook gets the events that pass all its filters, when they happen and from a recovery. An event that no webhook
// gets is not stored.
func TestFilters(t *testing.T) {
	t.Parallel()
	h := newWorld(t)
	north, south, campaign, agent := uuid.New(), uuid.New(), uuid.New(), uuid.New()
	about := []About{
		{},
		{ProjectID: &north},
		{ProjectID: &south, AgentID: &agent},
		{ProjectID: &north, CampaignID: &campaign, AgentID: &agent},
		{ProjectID: &south, CampaignID: &campaign},
		{ProjectID: new(uuid.New())},
	}
	hooks := []struct {
		Webhook
		want string
	}{
		{h.filtered(Filters{ProjectIDs: []uuid.UUID{north}}), "1 3"},
		{h.filtered(Filters{ProjectIDs: []uuid.UUID{north, south}, AgentIDs: []uuid.UUID{agent}}), "2 3"},
		{h.filtered(Filters{CampaignIDs: []uuid.UUID{campaign}}), "3 4"},
		{h.filtered(Filters{CampaignIDs: []uuid.UUID{uuid.New()}}), ""},
	}
	got := func(w Webhook) string {
		return scan[string](h, `select coalesce(string_agg(e.payload::jsonb ->> 'data', ' ' order by e.id), '')
			from delivery d join event e on e.id = d.event_id where d.webhook_id = $1`, w.ID)
	}
	h.tell(about...)
	for i, w := range hooks {
		if got := got(w.Webhook); got != w.want {
			t.Errorf("webhook %d got %q, want %q", i, got, w.want)
		}
	}
	if n := h.count(`event`); n != 4 {
		t.Errorf("%d events are stored, also those that no webhook gets", n)
	}

	// A recovery adds what passes the filters now.
	since := scan[time.Time](h, `select clock()`)
	h.exec(`update webhook set is_active = false, inactive_since = clock()`)
	h.webhook("*")
	h.tell(about...)
	h.exec(`update webhook set is_active = true, inactive_since = null`)
	h.exec(`update webhook set project_ids = '{}' where id = $1`, hooks[1].ID)
	hooks[1].want = "2 3"
	h.exec(`update webhook set project_ids = array[$2::uuid], agent_ids = '{}' where id = $1`, hooks[1].ID, south)
	hooks[1].want += " 2 4"
	for _, i := range []int{0, 2, 3} {
		hooks[i].want = strings.TrimSpace(hooks[i].want + " " + hooks[i].want)
	}
	h.engine()
	for _, w := range hooks {
		if _, err := h.Recover(t.Context(), h.actor, w.ID, since); err != nil {
			t.Fatal(err)
		}
	}
	h.await("the recoveries", func() bool {
		return h.count(`webhook_recovery where finished_at is not null`) == len(hooks)
	})
	for i, w := range hooks {
		if got := got(w.Webhook); got != w.want {
			t.Errorf("after a recovery, webhook %d got %q, want %q", i, got, w.want)
		}
	}

	// The list of events has everything, or what a filter names.
	for _, f := range []struct {
		About
		want int
	}{
		{About{}, 10}, {About{ProjectID: &north}, 4}, {About{CampaignID: &campaign}, 4},
		{About{ProjectID: &south, AgentID: &agent}, 2}, {About{AgentID: new(uuid.New())}, 0},
	} {
		list, err := h.Events(t.Context(), h.actor.OrganizationID, EventFilter{About: f.About})
		if err != nil || len(list.Data) != f.want {
			t.Errorf("%+v: %d events, want %d, %v", f.About, len(list.Data), f.want, err)
		}
	}
}

// filtered makes a webhook with filters, whose IDs need not exist.
func (h *world) filtered(f Filters) Webhook {
	h.t.Helper()
	w := h.webhook("*")
	h.exec(`update webhook set project_ids = coalesce($2::uuid[], '{}'), campaign_ids = coalesce($3::uuid[], '{}'),
		agent_ids = coalesce($4::uuid[], '{}') where id = $1`, w.ID, f.ProjectIDs, f.CampaignIDs, f.AgentIDs)
	return w
}

// A filter names what the organization has. What it names already may be gone, and is not forgotten.
func TestFiltersAreChecked(t *testing.T) {
	t.Parallel()
	h := newWorld(t)
	own, foreign := h.newProject(h.actor), h.newProject(h.organization("UTC"))
	draft := Draft{Name: "CRM", URL: "https://example.com/hook", Events: []string{"*"}}
	draft.Filters = FilterInput{
		ProjectIDs: ids(own, foreign), CampaignIDs: ids(uuid.New()), AgentIDs: ids(uuid.New(), own),
	}
	_, _, err := h.Create(t.Context(), h.actor, draft)
	h.refused(err, fault.Invalid, "filters.project_ids[1]: no such project; "+
		"filters.campaign_ids[0]: no such campaign; filters.agent_ids[0]: no such agent; "+
		"filters.agent_ids[1]: no such agent")
	draft.Filters = FilterInput{ProjectIDs: []string{"x"}, AgentIDs: slices.Repeat([]string{own.String()}, 101)}
	_, _, err = h.Create(t.Context(), h.actor, draft)
	h.refused(err, fault.Invalid,
		"filters.project_ids[0]: no such project; filters.agent_ids: must have at most 100 entries")

	draft.Filters = FilterInput{ProjectIDs: ids(own, own)}
	w, _, err := h.Create(t.Context(), h.actor, draft)
	if err != nil || !slices.Equal(w.ProjectIDs, []uuid.UUID{own}) || w.AgentIDs == nil || len(w.AgentIDs) > 0 {
		t.Fatalf("%+v, %v", w.Filters, err)
	}
	h.exec(`update project set deactivated_at = clock() where id = $1`, own)
	_, _, err = h.Create(t.Context(), h.actor, draft)
	h.refused(err, fault.Invalid, "filters.project_ids[0]: no such project")
	same := FilterInput{ProjectIDs: ids(own)}
	w, err = h.Update(t.Context(), h.actor, w.ID, Change{Filters: &same}, nil)
	if err != nil || len(w.ProjectIDs) != 1 {
		t.Errorf("%+v, %v", w.Filters, err)
	}
	other := FilterInput{ProjectIDs: ids(own, foreign)}
	_, err = h.Update(t.Context(), h.actor, w.ID, Change{Filters: &other}, nil)
	h.refused(err, fault.Invalid, "filters.project_ids[1]: no such project")
	if w, err = h.Update(t.Context(), h.actor, w.ID, Change{Filters: &FilterInput{}}, nil); err != nil ||
		len(w.ProjectIDs) != 0 {
		t.Errorf("%+v, %v", w.Filters, err)
	}
	if got := fmt.Sprint(h.audited(w.ID)); got != "[webhook.created webhook.updated]" {
		t.Errorf("audited %s", got)
	}
}
