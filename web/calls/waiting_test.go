package calls

import (
	"testing"

	"github.com/dialwright/dialwright/internal/campaign"
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
