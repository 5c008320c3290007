package gate

import (
	"slices"
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/messaging/cloud"
	"github.com/dialwright/dialwright/internal/messaging/connection"
	"github.com/dialwright/dialwright/internal/messaging/sandbox"
)

// What WhatsApp reports of templates, names and accounts is stored, by webhook and by the read
// that follows it.
func TestReviewsAreStored(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{Speed: 200})
	c := b.Connect(sandbox.Account250)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	refresh := func() { must(b.Connections.Refresh(t.Context())) }

	// A change is announced, and happens later.
	at := time.Date(2031, 5, 6, 7, 8, 9, 0, time.UTC)
	must(b.Operator.SetTemplateCategory(sandbox.Account250, "heads_up", "en_US", "MARKETING", at))
	b.Eventually(1, `select count(*) from messaging_template where next_category = 'MARKETING'`)
	template := func() (connected struct {
		becomes, became bool
		quality         string
		next            *time.Time
	}) {
		t.Helper()
		all, err := b.Connections.TemplatesNamed(t.Context(), b.Actor.OrganizationID, "heads_up", "en_US")
		if err != nil || len(all) != 1 {
			t.Fatal(len(all), err)
		}
		connected.becomes, connected.became = all[0].BecomesMarketing(), all[0].BecameMarketing()
		connected.quality, connected.next = all[0].Content.Quality, all[0].NextCategoryAt
		return connected
	}
	refresh()
	if got := template(); !got.becomes || got.became || got.next == nil || !got.next.Equal(at) {
		t.Errorf("announced: %+v", got)
	}
	must(b.Operator.SetTemplateCategory(sandbox.Account250, "heads_up", "en_US", "MARKETING", time.Time{}))
	b.Eventually(1, `select count(*) from messaging_connection where listed_at is null`)
	refresh()
	if got := template(); got.becomes || !got.became || got.next != nil {
		t.Errorf("changed: %+v", got)
	}
	if n := b.Count(`select count(*) from messaging_template where previous_category = 'UTILITY'`); n != 1 {
		t.Errorf("%d templates know their category before", n)
	}

	must(b.Operator.SetTemplateQuality(sandbox.Account250, "heads_up", "en_US", "RED"))
	b.Eventually(1, `select count(*) from messaging_connection where listed_at is null`)
	refresh()
	if got := template(); got.quality != "RED" || !got.became {
		t.Errorf("quality: %+v", got)
	}

	must(b.Operator.ReviewName(sandbox.Number250, "Acme Care", "REJECTED", "NAME_TOO_GENERIC"))
	b.Eventually(1, `select count(*) from messaging_number where name_decision = 'REJECTED'
		and name_requested = 'Acme Care' and name_reason = 'NAME_TOO_GENERIC'`)
	must(b.Operator.ReviewName(sandbox.Number250, "Acme Health", "APPROVED", ""))
	b.Eventually(1, `select count(*) from messaging_number where name_decision = 'APPROVED' and name_reason = ''`)
	refresh()
	numbers, err := b.Connections.Numbers(t.Context(), b.Actor.OrganizationID)
	must(err)
	if !slices.ContainsFunc(numbers, func(n connection.Number) bool {
		return n.Name != nil && *n.Name == "Acme Health"
	}) {
		t.Errorf("%+v", numbers)
	}

	must(b.Operator.Alert(sandbox.Account250, "OBA_REJECTED", "WARNING", "Not yet."))
	b.Eventually(1, `select count(*) from messaging_alert where severity = 'WARNING'`)
	// A repeated webhook changes nothing, an older one neither, and a newer one replaces it.
	alerts, err := b.Connections.Alerts(t.Context(), b.Actor.OrganizationID, c.ID)
	must(err)
	if len(alerts) != 1 || alerts[0].Description != "Not yet." || alerts[0].Status != "ACTIVE" {
		t.Fatalf("%+v", alerts)
	}
	again := cloud.AccountAlert{
		AccountID: sandbox.Account250, Kind: alerts[0].Kind, EntityType: alerts[0].EntityType,
		EntityID: alerts[0].EntityID, Severity: "CRITICAL", Status: "ACTIVE", At: alerts[0].At.Add(-time.Second),
	}
	must(b.svc.deliver(t.Context(), c.ID, []cloud.Event{again}))
	if n := b.Count(`select count(*) from messaging_alert where severity = 'CRITICAL'`); n != 0 {
		t.Error("an older alert replaced a newer one")
	}
	again.At = alerts[0].At.Add(time.Second)
	must(b.svc.deliver(t.Context(), c.ID, []cloud.Event{again, again}))
	if n := b.Count(`select count(*) from messaging_alert where severity = 'CRITICAL'`); n != 1 {
		t.Error("a newer alert did not replace the older one")
	}

	// The secret of one organization's connection changes nothing of another's.
	ours := b.Actor.OrganizationID
	b.Actor = b.NewOrganization("Umbrella")
	theirs := b.Connect(sandbox.Account1K)
	again.Severity, again.At = "INFORMATIONAL", again.At.Add(time.Second)
	must(b.svc.deliver(t.Context(), theirs.ID, []cloud.Event{again,
		cloud.CategoryUpdate{
			AccountID: sandbox.Account250, Name: "heads_up", Language: "en_US", Next: "AUTHENTICATION",
		},
		cloud.NameUpdate{AccountID: sandbox.Account250, PhoneNumber: "+13125550122", Decision: "REJECTED", Name: "x"},
	}))
	if n := b.Count(`
		select (select count(*) from messaging_alert where severity = 'INFORMATIONAL')
			+ (select count(*) from messaging_template where next_category is not null)
			+ (select count(*) from messaging_number where name_decision = 'REJECTED')`); n != 0 {
		t.Errorf("%d changes over another organization's connection", n)
	}
	if got, err := b.Connections.Alerts(t.Context(), b.Actor.OrganizationID, c.ID); err != nil || len(got) != 0 {
		t.Errorf("%+v, %v", got, err)
	}
	b.Advance(31 * 24 * time.Hour)
	if got, err := b.Connections.Alerts(t.Context(), ours, c.ID); err != nil || len(got) != 0 {
		t.Errorf("%+v, %v", got, err)
	}
}
