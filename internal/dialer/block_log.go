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

// The log records a block when it changes, not on every pass. A campaign with a few
// retries alternates between dialing and waiting, and a campaign that shares a number's
// concurrency reaches that limit with every call.
const (
	// heldLater is the block of a campaign without due recipients. A block by a limit is named by
	// the reason of Waiting.
	heldLater = "later"

	// gapLeast is the shortest gap without due recipients that is logged. hoursLeast is
	// the shortest gap for calling hours, which open and close a few times a day.
	gapLeast   = 15 * time.Minute
	hoursLeast = time.Minute

	// limitRest is how long a limit must not have blocked the campaign before the log
	// says that calls are placed again.
	limitRest = 5 * time.Minute
)

// ownPace lists waiting reasons that are part of a campaign's normal operation and are
// never logged as a block.
var ownPace = []string{campaign.WaitCampaignConcurrency, campaign.WaitMessage}

// newBlock returns the block that the log should name, given the reasons of waiting. It
// returns an empty string if the log has already named the block. until is when the first
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
	if held == nil || p.Standing {
		return nil
	}
	if at := p.campaign.WaitingAt; *held != heldLater && at != nil && p.live.Now.Sub(*at) < limitRest {
		return nil // the limit may block again in a moment
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
