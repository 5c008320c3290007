package analysis_test

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/api"
	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/app/apptest"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/model/connection"
	"github.com/dialwright/dialwright/internal/page"
)

// A claim reads the analyses that it takes, whatever the number of queued ones, past ones and calls.
func TestClaimsOfAnalysesReadWhatTheyTake(t *testing.T) {
	t.Parallel()
	const queued = 10_000
	w := apptest.NewWatchedHistory(t, api.Reference)
	streams := 1000
	c, err := w.App.Models.Create(t.Context(), account.System(w.OrganizationID), connection.NewConnection{
		Name: "Sandbox", Provider: connection.Sandbox, Model: "sandbox", Streams: &streams,
	})
	if err != nil {
		t.Fatal(err)
	}
	w.Write(pgx.NamedArgs{"connection": c.ID, "queued": queued},
		`insert into call_analysis (id, organization_id, call_id, number, method, status, connection_id)
			select gen_random_uuid(), organization_id, id, 1, 'model', 'ready', @connection from call
			where analysis is not null`,
		`insert into call_analysis (id, organization_id, call_id, number, method, status, connection_id)
			select gen_random_uuid(), organization_id, call_id, 2, 'model', 'pending', connection_id from call_analysis
			limit @queued`,
		`insert into call_analysis_due (analysis_id, organization_id, connection_id)
			select id, organization_id, connection_id from call_analysis where status = 'pending'`)
	claims := 0
	w.Read("the claim", 500, func(ctx context.Context) error {
		jobs, err := w.App.Analyses.Claim(ctx, 16)
		if len(jobs) == 16 {
			claims++
		}
		return err
	})
	if claims < 7 {
		t.Errorf("%d claims took all that they could", claims)
	}
	jobs, err := w.App.Analyses.Claim(t.Context(), 1)
	if err != nil || len(jobs) != 1 {
		t.Fatal(jobs, err)
	}
	w.Read("the analyses of a call", 20, func(ctx context.Context) error {
		_, err := w.App.Analyses.List(ctx, w.OrganizationID, jobs[0].CallID, page.Request{})
		return err
	})
	w.Read("whether a call can be analyzed", 20, func(ctx context.Context) error {
		_, err := w.App.Analyses.Default(ctx, w.OrganizationID, jobs[0].CallID)
		if fault.KindOf(err) == fault.Conflict { // it is being analyzed
			return nil
		}
		return err
	})
}
