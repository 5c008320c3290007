package account_test

import (
	"context"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/api"
	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/app/apptest"
	"github.com/dialwright/dialwright/internal/page"
)

// A page of keys or of the audit log takes the same time however many rows there are.
func TestListsOfKeysAndTheAuditLogReadWhatTheyShow(t *testing.T) {
	t.Parallel()
	w := apptest.NewWatched(t, api.Reference)
	actor, object := uuid.New(), uuid.New()
	w.Write(pgx.NamedArgs{"actor": actor, "object": object},
		`insert into api_key (id, organization_id, name, hash, display, scopes, created_at, revoked_at)
			select gen_random_uuid(), @organization, 'Key ' || n, sha256(n::text::bytea), 'ik_live_…', '{}',
			       @middle::timestamptz + (n - @many / 2) * interval '1 minute', case when n % 1000 > 0 then clock() end
			from generate_series(1, @many::int) n`,
		`insert into api_key_use (api_key_id) select id from api_key`,
		`insert into audit_entry
			(id, organization_id, actor_kind, actor_id, action, object_type, object_id, created_at)
			select gen_random_uuid(), @organization, k.kind,
			       case when k.kind = 'system' then null when n % 500 = 0 then @actor else gen_random_uuid() end,
			       case when n % 500 = 1 then 'campaign.paused' else 'call.requested' end,
			       case when n % 500 < 3 then 'campaign' else 'call' end,
			       case when n % 500 = 2 then @object else gen_random_uuid() end,
			       @middle::timestamptz + (n - @many / 2) * interval '1 minute'
			from generate_series(1, @many::int) n,
			     lateral (select case when n % 500 = 3 then 'system' else 'api_key' end) k (kind)`)
	const few = 200 // a page has 25 rows, each key with its use
	for name, revoked := range map[string]bool{"": false, ", revoked": true} {
		apptest.ReadList(w, "the list of keys"+name, few,
			func(ctx context.Context, r page.Request) (page.List[account.Key], error) {
				return w.Accounts.Keys(ctx, w.OrganizationID, revoked, r)
			})
	}
	for name, f := range map[string]account.EntryFilter{
		"":                 {},
		" of an actor":     {Actor: actor},
		" of the product":  {System: true},
		" of an action":    {Action: "campaign.paused"},
		" of a type":       {ObjectType: "campaign"},
		" of an object":    {ObjectType: "campaign", Object: object},
		" of the object":   {Object: object},
		" of actor, type":  {Actor: actor, ObjectType: "campaign"},
		" of common type":  {ObjectType: "call"},
		" of keys' action": {Action: "call.requested"},
	} {
		apptest.ReadList(w, "the audit log"+name, few,
			func(ctx context.Context, r page.Request) (page.List[account.Entry], error) {
				return w.Accounts.Entries(ctx, w.OrganizationID, f, r)
			})
	}
}
