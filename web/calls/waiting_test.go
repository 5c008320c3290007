package calls

import (
	"strings"
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/wire"
	"github.com/dialwright/dialwright/views/ui"
)

// Recipients of a country that the carrier refuses are named with the country, and with what
// a person can do.
func TestRecipientsOfARefusedCountry(t *testing.T) {
	t.Parallel()
	countries, reason := "Germany", campaign.WaitCountry
	const want = "wait because the carrier account does not permit calls to their country (Germany). Permit these " +
		"calls at the carrier, then pause and resume the campaign"
	if got := waitText(ui.Clock{}, campaign.Waiting{Reason: reason, Recipients: 2, Detail: &countries}); got != want {
		t.Errorf("%q", got)
	}
	waits := campaign.Recipient{Status: campaign.RecipientPending, WaitReason: &reason}
	if got := recipientNote(ui.Clock{}, campaign.Campaign{}, waits); got != ", country not permitted" {
		t.Errorf("%q", got)
	}
}

// A call of its own has no campaign, so the text of no reason speaks of one, and it speaks of one call.
func TestWhyACallOfItsOwnWaits(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	clock, until, detail := ui.Clock{Now: now, Zone: time.UTC}, wire.Time(now.Add(2*time.Hour)), "the carrier's words"
	want := map[string]string{
		campaign.WaitScheduled: "This call waits for its time, until 14:00.",
		campaign.WaitRetry:     "This call waits for the delay after the last attempt, until 14:00.",
		campaign.WaitCarrier: "This call waits because the carrier could not place the call (the carrier's words), " +
			"until 14:00.",
		campaign.WaitCampaignConcurrency: "This call waits because calls with the same settings have reached the " +
			"limit of simultaneous calls.",
		campaign.WaitCampaignPace: "This call waits because of the pace of calls with the same settings, until 14:00.",
		campaign.WaitPaused:       "This call waits.", // nobody can pause it
		campaign.WaitCountry:      "This call waits.", // its carrier is asked about every country
		campaign.WaitBudget:       "This call waits because your organization has reached its budget for this month.",
	}
	seen := map[string]string{}
	for _, reason := range campaign.WaitReasons {
		got := callWaitText(clock, call.Waiting{Reason: reason, Until: &until, Detail: &detail})
		for _, word := range []string{"campaign", "their", "recipients", " wait "} {
			if strings.Contains(got, word) {
				t.Errorf("%s: %q", reason, got)
			}
		}
		never := reason == campaign.WaitPaused || reason == campaign.WaitCountry
		if text, ok := want[reason]; ok && got != text || !never && (len(got) < 25 || seen[got] != "") {
			t.Errorf("%s: %q, want %q; also of %q", reason, got, text, seen[got])
		}
		if !never {
			seen[got] = reason
		}
	}
}

// A call that is due when the campaign has ended is not announced as one that is made.
func TestACallAfterTheEndIsNotMade(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	due, ends, completed, reason := now.Add(2*time.Hour), now.Add(time.Hour), "completed", campaign.WaitCallBack
	clock := ui.Clock{Now: now, Zone: time.UTC}
	n := campaign.Recipient{
		Status: campaign.RecipientPending, DueAt: &due, Outcome: &completed, WaitReason: &reason,
	}
	if got := recipientNote(clock, campaign.Campaign{}, n); got != ", next call at 14:00" {
		t.Errorf("%q", got)
	}
	const want = ", next call at 14:00 is not made because calls end at 13:00"
	if got := recipientNote(clock, campaign.Campaign{ExpiresAt: &ends}, n); got != want {
		t.Errorf("%q", got)
	}
}

// A campaign with one attempt never tries again, whatever its intents say.
func TestIntentsWithOneAttempt(t *testing.T) {
	t.Parallel()
	for attempts, want := range map[int]string{
		1: "had no time: no more calls, because there is one attempt",
		2: "had no time: try again, if attempts are left",
	} {
		c := campaign.Campaign{MaxAttempts: attempts, Intents: campaign.DefaultIntents}
		var b strings.Builder
		for _, fact := range campaignSettings(c) {
			if fact.Name == "Intents" {
				if err := fact.Value.Render(t.Context(), &b); err != nil {
					t.Fatal(err)
				}
			}
		}
		if !strings.Contains(strings.ToLower(b.String()), want) {
			t.Errorf("%d attempts: %s", attempts, b.String())
		}
	}
}
