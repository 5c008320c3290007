package evidence_test

import (
	"context"
	"io"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/api"
	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/app/apptest"
)

// The evidence about a number reads only rows about it, however many calls, recipients and audit entries
// there are.
func TestEvidenceReadsWhatItShows(t *testing.T) {
	t.Parallel()
	w := apptest.NewWatchedHistory(t, api.Reference)
	const number = "+15005550006"
	w.Write(pgx.NamedArgs{"number": number},
		`update call set person_number = @number, notes = 1 where id in (select id from call order by id limit 20)`,
		`update recipient set phone_number = @number where id in (select id from recipient order by id limit 20)`,
		`insert into call_note (id, organization_id, call_id, number, text, author)
			select gen_random_uuid(), organization_id, id, 1, 'The nurse comes at four', 'CRM' from call`,
		`insert into do_not_call (id, organization_id, channel, phone_number, source)
			select gen_random_uuid(), @organization, 'voice',
			       case when n = 7 then @number else '+1312' || n + 1000000 end, 'api'
			from generate_series(1, @many::int) n`,
		`insert into audit_entry (id, organization_id, actor_kind, action, object_type, object_id)
			select gen_random_uuid(), organization_id, 'user', 'do_not_call.added', 'do_not_call', id from do_not_call`)
	w.Read("the evidence about a number", 200, func(ctx context.Context) error {
		f, err := w.Evidence.Open(ctx, account.System(w.OrganizationID), number)
		if err != nil {
			return err
		}
		return f.Write(ctx, io.Discard)
	})
	w.Read("the newest evidence about a number", 200, func(ctx context.Context) error {
		f, err := w.Evidence.Open(ctx, account.System(w.OrganizationID), number)
		if err != nil {
			return err
		}
		_, err = f.Newest(ctx, 500)
		return err
	})
}
