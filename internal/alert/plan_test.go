package alert_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/api"
	"github.com/dialwright/dialwright/internal/app/apptest"
)

// What needs a person of one organization is found beside what needs the people of others, and beside what is done.
func TestNowReadsOneOrganization(t *testing.T) {
	t.Parallel()
	w := apptest.NewWatchedHistory(t, api.Reference)
	w.Write(pgx.NamedArgs{"stranger": uuid.New(), "project": w.ProjectID},
		`insert into api_key (id, organization_id, name, hash, display, scopes, created_at)
		select gen_random_uuid(), @stranger, 'Old', n::text::bytea, 'ik', '{}', clock() - interval '1 year'
		from generate_series(1, @many) n`,
		`insert into api_key_use (api_key_id) select id from api_key where organization_id = @stranger`,
		`insert into follow_up (
			id, organization_id, project_id, call_id, kind, reason, status, due_at, done_at, done_by)
		select gen_random_uuid(), case when n % 2 = 0 then @stranger::uuid else @organization::uuid end, @project,
			gen_random_uuid(), 'wants_human', '', case when n % 2 = 0 then 'open' else 'done' end,
			clock() - interval '1 day', case when n % 2 = 1 then clock() end, case when n % 2 = 1 then 'Ada' end
		from generate_series(1, @many) n`,
		`insert into follow_up (id, organization_id, project_id, call_id, kind, reason, due_at)
		values (gen_random_uuid(), @organization, @project, gen_random_uuid(), 'wants_human', '', clock())`)
	w.Read("what needs a person now", 500, func(ctx context.Context) error {
		list, _, err := w.App.Alerts.Now(ctx, w.OrganizationID, uuid.New(), 10)
		if err == nil && len(list) != 2 {
			err = errors.New("not the follow-up alone, which is due and has no assignee")
		}
		return err
	})
}
