package campaign

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
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
var ownPace = []string{WaitCampaignConcurrency, WaitMessage}

// newlyHeld is what the log is to say holds the campaign up, after a look that
// found who waits for what; empty when there is nothing new to say. until is when
// the first of those who wait may be dialed.
func (l *look) newlyHeld(waiting []Waiting) (what string, until *time.Time) {
	what = l.blocked
	if l.organization.Stopped {
		what = WaitCallingStopped
	}
	if what == "" {
		first := ""
		for _, w := range waiting {
			if w.Until != nil && (until == nil || time.Time(*w.Until).Before(*until)) {
				until, first = ptrTo(time.Time(*w.Until)), w.Reason
			}
		}
		least := gapLeast
		if first == WaitCallingHours || first == WaitCallingHoursProject {
			least = hoursLeast
		}
		if until == nil || until.Sub(l.live.Now) < least {
			return "", nil
		}
		what = heldLater
	}
	if slices.Contains(ownPace, what) || l.campaign.Held != nil && *l.campaign.Held == what {
		return "", nil
	}
	return what, until
}

// letGo logs that calls are placed again, if the log has said that something is
// in the way.
func (l *look) letGo(ctx context.Context) error {
	held := l.campaign.Held
	if held == nil {
		return nil
	}
	if at := l.campaign.WaitingAt; *held != heldLater && at != nil && l.live.Now.Sub(*at) < limitRest {
		return nil // it may be in the way again in a moment
	}
	if _, err := l.tx.Exec(ctx, `update campaign set held = null where id = @id`, pgx.NamedArgs{"id": l.ID}); err != nil {
		return fmt.Errorf("let go of campaign %s: %w", l.ID, err)
	}
	l.campaign.Held = nil
	d := LogDetails{}
	if *held != heldLater {
		d.Reason = *held
	}
	return note(ctx, l.tx, account.System(l.OrganizationID), l.ID, LogDialing, d)
}
