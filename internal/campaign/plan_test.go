package campaign_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/api"
	"github.com/dialwright/dialwright/internal/app/apptest"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/page"
)

// Reading a page of campaigns or recipients takes the same time however many rows
// exist.
func TestListsOfCampaignsReadWhatTheyShow(t *testing.T) {
	t.Parallel()
	w := apptest.NewWatchedHistory(t, api.Reference)
	project, agent := uuid.New(), uuid.New()
	w.Write(pgx.NamedArgs{"project": project, "agent": agent}, `
		insert into campaign
		select copy.*
		from campaign c, generate_series(1, @many::int) n,
		     lateral (select case when n % 1000 < 7
		       then (array['scheduled', 'running', 'paused', 'completed', 'canceled', 'failed', 'draft'])[1 + n % 1000]
		       else 'completed' end) s (status),
		     jsonb_populate_record(c, jsonb_build_object(
			'id', gen_random_uuid(),
			'created_at', @middle::timestamptz + (n - @many / 2) * interval '1 minute',
			'project_id', case when n % 1000 = 1 then @project::uuid else c.project_id end,
			'agent_id', case when n % 1000 = 2 then @agent::uuid else c.agent_id end,
			'status', s.status,
			'ended_at', case when s.status in ('completed', 'canceled', 'failed') then clock() end)) copy
		where c.name = 'Campaign 1'`)
	var number string
	err := w.Pool.QueryRow(t.Context(), `select phone_number from recipient where campaign_id = $1 limit 1`, w.Large).
		Scan(&number)
	if err != nil {
		t.Fatal(err)
	}
	const few = 300 // a page has 25 campaigns, each with its open calls
	list := func(name string, o campaign.ListOptions) {
		t.Helper()
		apptest.ReadList(w, "the list of campaigns"+name, few,
			func(ctx context.Context, r page.Request) (page.List[campaign.Campaign], error) {
				o.Page = r
				return w.Campaigns.List(ctx, w.OrganizationID, o)
			})
	}
	// A search for a part of a name reads all campaigns.
	list("", campaign.ListOptions{})
	for _, status := range campaign.Statuses {
		list(", "+string(status), campaign.ListOptions{Statuses: page.Only(status)})
	}
	list(", scheduled or running", campaign.ListOptions{
		Statuses: []campaign.Status{campaign.Scheduled, campaign.Running},
	})
	list(" of a busy project", campaign.ListOptions{ProjectID: &w.ProjectID})
	list(" of a quiet project", campaign.ListOptions{ProjectID: &project})
	list(" of a busy agent", campaign.ListOptions{AgentID: &w.AgentID})
	list(" of a quiet agent", campaign.ListOptions{AgentID: &agent})
	period := func(name string, o campaign.ListOptions) {
		t.Helper()
		w.Read("the list of campaigns"+name, few, func(ctx context.Context) error {
			_, err := w.Campaigns.List(ctx, w.OrganizationID, o)
			return err
		})
	}
	later := time.Now().Add(time.Hour)
	period(" that ended lately", campaign.ListOptions{EndedAfter: later})
	period(" that changed lately", campaign.ListOptions{UpdatedAfter: later})
	period(" that started lately", campaign.ListOptions{StartedAfter: later})
	w.Read("one campaign", few, func(ctx context.Context) error {
		_, err := w.Campaigns.Get(ctx, w.OrganizationID, w.Large)
		return err
	})
	w.Read("a campaign's outcomes", few, func(ctx context.Context) error {
		_, err := w.Campaigns.Outcomes(ctx, w.OrganizationID, w.Large)
		return err
	})
	recipients := func(name string, o campaign.RecipientOptions) {
		t.Helper()
		w.Read("the list of recipients"+name, few, func(ctx context.Context) error {
			_, err := w.Campaigns.Recipients(ctx, w.OrganizationID, w.Large, o)
			return err
		})
	}
	recipients("", campaign.RecipientOptions{})
	recipients(", failed", campaign.RecipientOptions{Statuses: page.Only(campaign.RecipientFailed)})
	recipients(", in a call", campaign.RecipientOptions{Statuses: page.Only(campaign.RecipientInProgress)})
	recipients(" with a number", campaign.RecipientOptions{PhoneNumber: number})
	recipients(" with an external ID", campaign.RecipientOptions{ExternalID: "nobody"})
	recipients(" with an external ID and metadata", campaign.RecipientOptions{
		ExternalID: "nobody", Metadata: check.Pairs{"source": "crm"},
	})
	recipients(", searched for a number", campaign.RecipientOptions{Search: number})
}
