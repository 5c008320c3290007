package dialer

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/campaign"
)

// What holds a campaign up is logged when it changes, and not at every look: a
// campaign that calls people back in ones and twos goes from dialing to waiting
// and back with each of them, and one of several that share a number's lines
// reaches its limit with every call.
const (
	// heldLater says that nobody is due. A limit is said by its reason of Waiting.
	heldLater = "later"

	// gapLeast is how long nobody must be due for it to be told, and hoursLeast
	// where it is for calling hours: these open and close a few times a day.
	gapLeast   = 15 * time.Minute
	hoursLeast = time.Minute

	// limitRest is how long a limit must not have been in the way for it to be
	// told that it is free again.
	limitRest = 5 * time.Minute
)

// ownPace are reasons of waiting that are how a campaign runs, not what holds it up.
var ownPace = []string{campaign.WaitCampaignConcurrency, campaign.WaitMessage}

// newBlock returns what the log should name as blocking the campaign, given the
// reasons of waiting; empty if the log has named it already. until is when the first
// waiting recipient may be dialed.
func (p *pass) newBlock(waiting []campaign.Waiting) (what string, until *time.Time) {
	what = p.blocked
	if p.organization.Stopped {
		what = campaign.WaitCallingStopped
	}
	if what == "" {
		first := ""
		for _, w := range waiting {
			if w.Until != nil && (until == nil || time.Time(*w.Until).Before(*until)) {
				until, first = ptrTo(time.Time(*w.Until)), w.Reason
			}
		}
		least := gapLeast
		if first == campaign.WaitCallingHours || first == campaign.WaitCallingHoursProject {
			least = hoursLeast
		}
		if until == nil || until.Sub(p.live.Now) < least {
			return "", nil
		}
		what = heldLater
	}
	if slices.Contains(ownPace, what) || p.campaign.Held != nil && *p.campaign.Held == what {
		return "", nil
	}
	return what, until
}

// logUnblocked logs that calls are placed again if the log has named a block.
func (p *pass) logUnblocked(ctx context.Context) error {
	held := p.campaign.Held
	if held == nil {
		return nil
	}
	if at := p.campaign.WaitingAt; *held != heldLater && at != nil && p.live.Now.Sub(*at) < limitRest {
		return nil // it may be in the way again in a moment
	}
	if _, err := p.tx.Exec(
		ctx, `update campaign set held = null where id = @id`, pgx.NamedArgs{"id": p.ID},
	); err != nil {
		return fmt.Errorf("let go of campaign %s: %w", p.ID, err)
	}
	p.campaign.Held = nil
	d := campaign.LogDetails{}
	if *held != heldLater {
		d.Reason = *held
	}
	return campaign.WriteLog(ctx, p.tx, account.System(p.OrganizationID), p.ID, campaign.LogDialing, d)
}
