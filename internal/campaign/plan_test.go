package campaign_test

import (
	"context"
	"testing"

	"github.com/dialwright/dialwright/api"
	"github.com/dialwright/dialwright/internal/app/apptest"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/page"
)

// A page of campaigns or recipients takes as long as a page, however many there are.
func TestListsOfCampaignsReadWhatTheyShow(t *testing.T) {
	t.Parallel()
	w := apptest.NewWatched(t, api.Reference)
	w.FillHistory()
	var number string
	err := w.Pool.QueryRow(t.Context(), `select phone_number from recipient where campaign_id = $1 limit 1`, w.Large).
		Scan(&number)
	if err != nil {
		t.Fatal(err)
	}
	const few = 300 // a page has 25 campaigns, each with its calls that have not ended
	list := func(name string, o campaign.ListOptions) {
		t.Helper()
		w.Read("the list of campaigns"+name, few, func(ctx context.Context) error {
			_, err := w.Campaigns.List(ctx, w.OrganizationID, o)
			return err
		})
	}
	list("", campaign.ListOptions{})
	list(", running", campaign.ListOptions{Statuses: page.Only(campaign.Running)})
	list(" of a project", campaign.ListOptions{ProjectID: &w.ProjectID})
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
	recipients(", searched for a number", campaign.RecipientOptions{Search: number})
}
