package dialer

import (
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/campaign/intake"
)

// Without a consent that holds, a recipient is skipped: in a new list, and right before the call if
// the setting changed or the consent ended after the list was taken.
func TestConsentRequired(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	now := value[time.Time](t, b, `select clock()`)
	before, after := now.Add(-24*time.Hour), now.Add(time.Hour)
	draft := func() *campaign.Draft {
		d := fast(b.draft(0))
		for i, consent := range []*intake.Consent{
			{Basis: "contract", At: &before},
			nil,
			{Basis: "web form"},
			{Basis: "web form", At: &before, Source: "newsletter", ExpiresAt: &after},
			{Basis: "web form", At: &before, ExpiresAt: &before},
			{Basis: "web form", At: &after},
		} {
			d.Recipients.Add(intake.Recipient{PhoneNumber: testNumber(i), Consent: consent})
		}
		return d
	}
	require := func(yes bool) {
		t.Helper()
		if err := b.calling.RequireConsent(t.Context(), b.actor, yes); err != nil {
			t.Fatal(err)
		}
	}
	early := b.create(t, draft()) // nothing is required yet
	if early.Skipped != 0 {
		t.Fatalf("%d skipped", early.Skipped)
	}
	require(true)
	for range 3 {
		b.dial(t)
		time.Sleep(30 * time.Millisecond)
	}
	for i, dialed := range []bool{true, false, false, true, false, false} {
		r := b.recipients(t, early.ID)[testNumber(i)]
		if (b.network.dials(testNumber(i)) == 1) != dialed || !dialed &&
			(r.Status != campaign.RecipientSkipped || *r.SkipReason != campaign.SkipNoConsent) {
			t.Errorf("%d: %+v, dialed %d times", i, r, b.network.dials(testNumber(i)))
		}
	}
	b.checkCounters(t, early.ID)
	source := value[string](t, b, `select consent_source from call where person_number = $1`, testNumber(3))
	if source != "newsletter" {
		t.Errorf("the call says %q", source)
	}
	log := value[string](t, b, `select data::text from campaign_log_entry where kind = 'recipients_skipped'`)
	if want := `{"no_consent": 4, "recipients": 4}`; log != want {
		t.Errorf("the log says %s, want %s", log, want)
	}

	d := draft()
	f, err := b.svc.Forecast(t.Context(), b.actor.OrganizationID, d)
	if err != nil || f.NoConsent != 4 || f.Called != 2 {
		t.Errorf("the forecast: %+v, %v", f, err)
	}
	if late := b.create(t, d); late.Skipped != 4 {
		t.Errorf("%d of the new list are skipped", late.Skipped)
	}
	require(false)
	if free := b.create(t, draft()); free.Skipped != 0 {
		t.Errorf("%d are skipped when nothing is required", free.Skipped)
	}
}
