package dialer

import (
	"context"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
)

const (
	// A placement takes up to 2 s longer while the pre-dial check is asked. checksMost bounds the calls
	// of one organization that this process places with a check, and checksOfAll those of all
	// organizations, so that slow checks leave placers for everybody else.
	checksMost  = placers / 8
	checksOfAll = placers / 2

	// checkGap is the delay of the next pass over a campaign that was stopped by checksMost.
	checkGap = 100 * time.Millisecond
)

// preDialCheck is the state of an organization's pre-dial check.
type preDialCheck struct {
	Checks      bool // the organization has a check that is on
	CheckHolds  bool // so many checks have failed that recipients wait until one succeeds
	CheckNextAt *time.Time
	CheckReason string // why the last check failed
}

const preDialCheckColumns = `k.organization_id is not null as checks,
	coalesce(k.failures >= @most_check_failures and k.on_failure = 'wait', false) as check_holds,
	k.next_at as check_next_at,
	case when k.failures > 0 then coalesce(k.last_error, '') else '' end as check_reason`

// limit allows one call at a time while checks fail, and none until the next check may be asked.
func (c preDialCheck) limit(now time.Time) limit {
	if !c.CheckHolds {
		return limit{}
	}
	most := 1
	if c.CheckNextAt != nil && c.CheckNextAt.After(now) {
		most = 0
	}
	return limit{&most, 0, campaign.WaitPreDialCheck}
}

// checksFree returns how many more calls with a check this process may place for an organization.
func (d *Dialer) checksFree(organizationID uuid.UUID) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	all := 0
	for _, n := range d.checking {
		all += n
	}
	return max(min(checksMost-d.checking[organizationID], checksOfAll-all), 0)
}

// countChecks counts calls that this process begins or, with a negative n, has ended to place.
func (d *Dialer) countChecks(c call.Claimed, n int) {
	if !c.Checked {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.checking[c.OrganizationID] += n; d.checking[c.OrganizationID] == 0 {
		delete(d.checking, c.OrganizationID)
	}
}

// PreDialCheckChanged makes the recipients due who wait because a pre-dial check failed. Callers use it
// after a change of the check, such as turning it on or off. If the process dies before it, the
// recipients are called later.
func (s *Service) PreDialCheckChanged(ctx context.Context, organizationID uuid.UUID) error {
	if err := s.takeBack(ctx, organizationID, campaign.WaitPreDialCheck); err != nil {
		return err
	}
	return s.LookAgain(ctx, organizationID)
}
