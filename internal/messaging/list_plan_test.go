package messaging_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/api"
	"github.com/dialwright/dialwright/internal/app/apptest"
	"github.com/dialwright/dialwright/internal/messaging"
	"github.com/dialwright/dialwright/internal/messaging/connection"
	"github.com/dialwright/dialwright/internal/page"
)

// A page of messages, templates or accounts takes as long as a page, however many there
// are.
func TestListsOfMessagesReadWhatTheyShow(t *testing.T) {
	t.Parallel()
	w := apptest.NewWatched(t, api.Reference)
	account, scope, busy, quiet := uuid.New(), uuid.New(), uuid.New(), uuid.New()
	campaign := uuid.New()
	const at = `@middle::timestamptz + (n - @many / 2) * interval '1 minute'`
	w.Write(pgx.NamedArgs{
		"connection": account, "scope": scope, "busy": busy, "quiet": quiet, "campaign": campaign,
	},
		`insert into messaging_connection
			(id, organization_id, name, account, credentials, created_at, disconnected_at)
			select case when n = @many then @connection::uuid else gen_random_uuid() end, @organization, 'Account',
			       n::text, '', `+at+`, case when n % 1000 > 0 then clock() end
			from generate_series(1, @many::int) n`,
		`insert into messaging_number (id, organization_id, connection_id, scope_id, external_id)
			select id, @organization, @connection, @scope, id::text from unnest(array[@busy::uuid, @quiet::uuid]) id`,
		`insert into messaging_template
			(id, organization_id, connection_id, name, language, status, category, content, created_at, removed_at)
			select gen_random_uuid(), @organization, @connection, 'Template ' || n, 'en_US', 'APPROVED', 'UTILITY',
			       '{}', `+at+`, case when n % 1000 > 0 then clock() end
			from generate_series(1, @many::int) n`,
		`insert into message (id, organization_id, number_id, scope_id, campaign_id, lane, phone_number, template_name,
			template_language, status, created_at, sent_at, ended_at, due_at, lease_until)
			select gen_random_uuid(), @organization, case when n % 100 = 0 then @quiet::uuid else @busy end, @scope,
			       case when n % 500 = 0 then @campaign::uuid end, @organization, '+1312' || 2000000 + n % 1000,
			       case when n % 100 = 0 then 'rare' else 'common' end, 'en_US', s.status, `+at+`, `+at+`,
			       case when s.status in ('failed', 'canceled') then clock() end,
			       case when s.status = 'queued' then clock() end,
			       case when s.status = 'sending' then clock() end
			from generate_series(1, @many::int) n,
			     lateral (select case when n % 100 < 7
			       then (array['queued', 'sending', 'sent', 'delivered', 'read', 'failed', 'canceled'])[1 + n % 7]
			       else 'delivered' end) s (status)`)
	list := func(name string, most int, f messaging.Filter) {
		t.Helper()
		apptest.ReadList(w, "the list of messages"+name, most,
			func(ctx context.Context, r page.Request) (page.List[messaging.Message], error) {
				f.Page = r
				return w.Messaging.List(ctx, w.OrganizationID, f)
			})
	}
	const few = 200 // a page has 25 rows, each with its number
	list("", few, messaging.Filter{})
	list(" of a campaign", few, messaging.Filter{CampaignID: &campaign})
	list(" to a number", few, messaging.Filter{To: "+13122000123"})
	for _, status := range messaging.Statuses {
		list(", "+string(status), few, messaging.Filter{Statuses: page.Only(status)})
	}
	list(", of two statuses", few, messaging.Filter{Statuses: []messaging.Status{messaging.Failed, messaging.Canceled}})
	w.Read("the list of messages sent in a period", few, func(ctx context.Context) error {
		list, err := w.Messaging.List(ctx, w.OrganizationID, messaging.Filter{
			SentAfter: w.Middle.Add(-5 * time.Minute), SentBefore: w.Middle.Add(5 * time.Minute),
		})
		if err == nil && len(list.Data) == 0 {
			err = errors.New("no messages")
		}
		return err
	})
	// No index has these: a page reads the messages between its own.
	list(" from a number", 5000, messaging.Filter{NumberID: &quiet})
	list(" of a template", 5000, messaging.Filter{Template: "rare"})
	apptest.ReadList(w, "the list of templates", few,
		func(ctx context.Context, r page.Request) (page.List[connection.Template], error) {
			return w.WhatsApp.Templates(ctx, w.OrganizationID, r)
		})
	apptest.ReadList(w, "the list of accounts", few,
		func(ctx context.Context, r page.Request) (page.List[connection.Connection], error) {
			return w.WhatsApp.Connections(ctx, w.OrganizationID, r)
		})
}
