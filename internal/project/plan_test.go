package project_test

import (
	"context"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/api"
	"github.com/dialwright/dialwright/internal/app/apptest"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/project"
)

// A page of projects, agents, connections or numbers takes the same time even if nearly
// all of them are deactivated.
func TestListsOfSettingsReadWhatTheyShow(t *testing.T) {
	t.Parallel()
	w := apptest.NewWatched(t, api.Reference)
	const rest = `
		'Copy ' || n, @middle::timestamptz + (n - @many / 2) * interval '1 minute', case when n % 1000 > 0 then ` +
		`clock() end`
	w.Write(pgx.NamedArgs{"connection": w.ConnectionID},
		`insert into project (id, organization_id, time_zone, region, calling_hours, name, created_at, deactivated_at)
			select gen_random_uuid(), p.organization_id, p.time_zone, p.region, p.calling_hours, `+rest+`
			from project p, generate_series(1, @many::int) n`,
		`insert into agent (id, organization_id, language, script, name, created_at, deactivated_at)
			select gen_random_uuid(), a.organization_id, a.language, a.script, `+rest+`
			from agent a, generate_series(1, @many::int) n`,
		`insert into connection (id, organization_id, kind, account, credentials, name, created_at, deactivated_at)
			select gen_random_uuid(), c.organization_id, c.kind, 'account ' || n, c.credentials, `+rest+`
			from connection c, generate_series(1, @many::int) n`,
		`insert into phone_number (id, organization_id, connection_id, phone_number, voice, name, created_at,
			deactivated_at)
			select gen_random_uuid(), @organization, @connection, '+1312' || 2000000 + n, n % 2000 = 0, `+rest+`
			from generate_series(1, @many::int) n`)
	const few = 200 // a page has 25 rows, each number with its connection
	apptest.ReadList(w, "the list of projects", few,
		func(ctx context.Context, r page.Request) (page.List[project.Project], error) {
			return w.Projects.Projects(ctx, w.OrganizationID, r)
		})
	apptest.ReadList(w, "the list of agents", few,
		func(ctx context.Context, r page.Request) (page.List[project.Agent], error) {
			return w.Projects.Agents(ctx, w.OrganizationID, r)
		})
	apptest.ReadList(w, "the list of connections", few,
		func(ctx context.Context, r page.Request) (page.List[project.Connection], error) {
			return w.Projects.Connections(ctx, w.OrganizationID, r)
		})
	for name, voiceOnly := range map[string]bool{"": false, " that can call": true} {
		apptest.ReadList(w, "the list of numbers"+name, few,
			func(ctx context.Context, r page.Request) (page.List[project.PhoneNumber], error) {
				return w.Projects.PhoneNumbers(ctx, w.OrganizationID, voiceOnly, r)
			})
	}
	w.Read("the names of agents", 20, func(ctx context.Context) error {
		_, err := w.Projects.AgentNames(ctx, w.OrganizationID, []uuid.UUID{w.AgentID})
		return err
	})
}
