package suppression_test

import (
	"context"
	"testing"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/api"
	"github.com/dialwright/dialwright/internal/app/apptest"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/internal/suppression"
)

// A page of the do-not-call list takes the same time however long the list is.
func TestDoNotCallListReadsWhatItShows(t *testing.T) {
	t.Parallel()
	w := apptest.NewWatched(t, api.Reference)
	registry := uuid.New()
	w.Write(nil, `
		insert into subscribed_list (id, organization_id, name, url, channels, every_hours)
		values ('`+registry.String()+`', @organization, 'Registry', 'https://example.com', '{voice}', 24)`)
	w.Write(nil, `
		insert into do_not_call (id, organization_id, phone_number, number_hash, channel, source, created_at, list_id,
			also_in)
		select gen_random_uuid(), @organization, case when n % 400 <> 0 then '+1312' || 2000000 + n end,
		       case when n % 400 = 0 then sha256(n::text::bytea) end,
		       case when n % 1000 = 0 then 'message' else 'voice' end, case
			when n % 500 = 0 then 'user' else 'import' end,
		       @middle::timestamptz + (n - @many / 2) * interval '1 minute',
		       case when n % 500 <> 0 and n < 30000 then '`+registry.String()+`'::uuid end,
		       case when n % 500 = 0 then array['`+registry.String()+`'::uuid] else '{}' end
		from generate_series(1, @many::int) n`)
	list := func(name string, most int, f suppression.Filter) {
		t.Helper()
		apptest.ReadList(w, "the do-not-call list"+name, most,
			func(ctx context.Context, r page.Request) (page.List[suppression.Entry], error) {
				f.Page = r
				return w.Suppressions.List(ctx, w.OrganizationID, f)
			})
	}
	const few = 200
	list("", few, suppression.Filter{})
	list(", voice", few, suppression.Filter{Channels: page.Only(suppression.Voice)})
	list(", messages", few, suppression.Filter{Channels: page.Only(suppression.Message)})
	list(", both channels", few, suppression.Filter{
		Channels: []suppression.Channel{suppression.Voice, suppression.Message},
	})
	list(", imported", few, suppression.Filter{Sources: page.Only(suppression.ByImport)})
	list(", by users", few, suppression.Filter{Sources: page.Only(suppression.ByUser)})
	// Each of two channels has two parts, and each entry the names of its lists.
	list(", of a subscribed list", 500, suppression.Filter{ListID: &registry})
	list(", of a subscribed list, voice", few, suppression.Filter{
		Channels: page.Only(suppression.Voice), ListID: &registry,
	})
	list(", imported, voice", few, suppression.Filter{
		Channels: page.Only(suppression.Voice),
		Sources:  page.Only(suppression.ByImport),
	})
	list(", of erased people", few, suppression.Filter{Erased: true})
	// A search reads up to 2,001 entries to find out whether they are few, and then reads
	// the list.
	list(", searched for a beginning", 2500, suppression.Filter{Search: "+1 312 20"})
	w.Read("the do-not-call list, searched for a few", 2500, func(ctx context.Context) error {
		_, err := w.Suppressions.List(ctx, w.OrganizationID, suppression.Filter{Search: "+1 312 200 12"})
		return err
	})
	for name, search := range map[string]string{
		"a national beginning": "312 200 12", "an ending": "2345", "a whole national number": "(312) 200-1234",
		"a frequent ending": "5", "a frequent national beginning": "312 20",
	} {
		w.Read("the do-not-call list, searched for "+name, 2500, func(ctx context.Context) error {
			_, err := w.Suppressions.List(ctx, w.OrganizationID, suppression.Filter{Search: search, Region: "US"})
			return err
		})
	}
	w.Read("the do-not-call list, of a number", few, func(ctx context.Context) error {
		_, err := w.Suppressions.List(ctx, w.OrganizationID, suppression.Filter{
			PhoneNumber: phone.Number("+13122001234"),
		})
		return err
	})
}
