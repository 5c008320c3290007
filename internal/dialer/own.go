package dialer

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/suppression"
)

const (
	// ownRest is how long calls of their own wait before the next trial of what has failed too often, and before a
	// budget is looked at again. Nobody resumes them, as a person resumes a campaign.
	ownRest = time.Minute

	// mostNotPlaced is how often a call of its own that could not be placed is tried before it ends. The delays double
	// from carrierLeast, so these are about 15 minutes.
	mostNotPlaced = 6

	// shareGap is the time between passes while campaigns come first.
	shareGap = 100 * time.Millisecond

	// waitedLeast is how long after a pass its campaign counts as waiting for the connection.
	waitedLeast = 2 * blockedGap
)

// actStanding is act for the standing campaign of calls of their own.
func (p *pass) actStanding(ctx context.Context, calls *call.Service, most int) error {
	reason := p.endReason()
	if reason == "" {
		reason = unheard(p)
	}
	if reason != "" {
		p.settles = true
		return campaign.EndStanding(ctx, p.tx, p.ID, reason)
	}
	if err := p.expireOwn(ctx); err != nil {
		return err
	}
	if p.organization.Stopped {
		return p.stop(ctx)
	}
	if p.trouble() != "" {
		return p.probeOwn(ctx)
	}
	budget, err := p.readBudgets(ctx)
	if err != nil {
		return err
	}
	if budget != "" {
		p.why, p.waitDetail = campaign.WaitBudget, budget
		return p.restOwn(ctx, p.live.Now.Add(ownRest))
	}
	return p.dial(ctx, calls, most)
}

// expireOwn ends the scheduled calls whose time is over, and notes when the next one expires.
func (p *pass) expireOwn(ctx context.Context) error {
	var over []uuid.UUID
	err := p.tx.QueryRow(ctx, `
		select array(select id from recipient
		             where campaign_id = @id and status = 'pending' and expires_at <= @now
		             order by expires_at limit @most),
		       (select min(expires_at) from recipient
		        where campaign_id = @id and status = 'pending' and expires_at > @now)`,
		pgx.NamedArgs{"id": p.ID, "now": p.live.Now, "most": movedMost}).Scan(&over, &p.expires)
	if err != nil {
		return fmt.Errorf("find calls that expire: %w", err)
	}
	if len(over) == movedMost {
		p.expires = ptrTo(p.live.Now.Add(passGap))
	}
	return p.closeOwn(ctx, over, call.ReasonExpired)
}

// closeOwn ends scheduled calls that will not be placed.
func (p *pass) closeOwn(ctx context.Context, recipients []uuid.UUID, reason call.Reason) error {
	p.settles = p.settles || len(recipients) > 0
	return campaign.CloseCalls(ctx, p.tx, recipients, campaign.ClosedBy(reason, ""))
}

// probeOwn has the connection, the numbers and the models that failed too often probe, at most once per ownRest.
func (p *pass) probeOwn(ctx context.Context) error {
	now := p.live.Now
	p.why = campaign.WaitProbing
	if at := p.campaign.PaceAt; at != nil && now.Sub(*at) < ownRest {
		return p.restOwn(ctx, at.Add(ownRest))
	}
	if err := p.tryAgain(ctx); err != nil {
		return err
	}
	p.campaign.PaceAt, p.changed = &now, true
	return p.restOwn(ctx, now.Add(passGap))
}

// restOwn schedules the next pass, and the report why due calls wait until then.
func (p *pass) restOwn(ctx context.Context, next time.Time) error {
	p.next = ptrTo(ceil(next))
	p.setWaitReason(p.why, next)
	return p.write(ctx)
}

// share returns how many of the calls of their own that the limits allow now may start. While campaigns wait, these
// calls take at most half, over all passes. They go first, so an odd call is theirs.
func (p *pass) share(ctx context.Context, allowed int) (int, error) {
	if !p.Standing || allowed == 0 {
		return allowed, nil
	}
	kept := p.kept[p.ConnectionID]
	wait := kept.WaitedUntil != nil && kept.WaitedUntil.After(p.live.Now)
	if !wait {
		err := p.tx.QueryRow(ctx, `
			select exists (
				select from campaign
				where dial_at <= @now and kind = 'campaign' and status in ('scheduled', 'running')
				  and connection_id = @connection_id)`,
			pgx.NamedArgs{"now": p.live.Now, "connection_id": p.ConnectionID}).Scan(&wait)
		if err != nil {
			return 0, fmt.Errorf("look for campaigns that wait for a connection: %w", err)
		}
	}
	if !wait {
		p.lead = 0
		return allowed, nil
	}
	p.shared = true
	return max((allowed+1)/2-p.lead, 0), nil
}

// keepShare stores how far calls of their own are ahead of campaigns, and until when this campaign waits for the
// connection. The pass has locked the connection.
func (p *pass) keepShare(ctx context.Context, waits string) error {
	was, placed := p.kept[p.ConnectionID].OwnLead, len(p.queued)
	switch {
	case !p.Standing:
		p.lead = max(p.lead-placed, 0)
	case p.shared:
		p.lead += placed
	}
	var until *time.Time
	switch waits {
	case campaign.WaitConnectionConcurrency, campaign.WaitConnectionPace, campaign.WaitOrganizationConcurrency,
		campaign.WaitOrganizationPace:
		if !p.Standing && p.live.OwnCalls {
			until = ptrTo(later(*p.next, p.live.Now).Add(waitedLeast))
		}
	}
	if p.lead == was && until == nil {
		return nil
	}
	_, err := p.tx.Exec(ctx, `
		insert into pace (organization_id, connection_id, own_lead, waited_until)
		values (@organization_id, @connection_id, @lead, @until)
		on conflict (id) do update set
			own_lead = excluded.own_lead, waited_until = coalesce(excluded.waited_until, pace.waited_until)`,
		pgx.NamedArgs{
			"organization_id": p.OrganizationID, "connection_id": p.ConnectionID, "lead": p.lead, "until": until,
		})
	if err != nil {
		return fmt.Errorf("keep the share of connection %s: %w", p.ConnectionID, err)
	}
	return nil
}

// sqlOwnListed is the condition that a recipient's number was added to the do-not-call list meanwhile, unless it was
// erased.
var sqlOwnListed = suppression.Names(suppression.Voice, "recipient.organization_id", "recipient.phone_number")

// ownRetry decides what becomes of a call of its own that ended: whether it is called again, and when. Nobody resumes
// a standing campaign, so calls that can't be placed end after a while.
func (r *recipientResult) ownRetry(e call.Ended, next nextCall, again bool) (nextCall, bool) {
	switch {
	case r.Listed:
		return nextCall{}, false
	case e.EndedReason == call.ReasonCountryRefused:
		return nextCall{}, false
	case e.EndedReason.NotPlaced() && e.EndedReason != call.ReasonNotPlaced && r.NotPlaced >= mostNotPlaced:
		return nextCall{}, false
	case r.ExpiresAt != nil && !next.at.Before(*r.ExpiresAt):
		return nextCall{}, false
	}
	return next, again
}

// findErased finds the recipients with calls of their own whose number is on the do-not-call list as an erased one.
func (s *settlement) findErased(ctx context.Context, tx pgx.Tx) error {
	recipients := slices.Collect(maps.Values(s.recipients))
	return suppression.MarkErased(ctx, tx, suppression.Voice, recipients,
		func(r *recipientResult) (suppression.Hashed, bool) {
			return suppression.HashOf(r.OrganizationID, phone.Number(r.PhoneNumber)), r.HasErased && !r.Listed
		}, func(i int) { recipients[i].Listed = true })
}

// plannedTable is the next attempts of calls of their own.
var plannedTable = postgres.NewColumns("planned",
	postgres.Column("id", "uuid", func(r *recipientResult) uuid.UUID { return r.LastCallID }),
	postgres.Column("next_id", "uuid", func(r *recipientResult) *uuid.UUID { return r.nextCallID }),
)

// planned returns the results with a next attempt.
func (s *settlement) planned() (results []*recipientResult) {
	for _, r := range s.results {
		if r.nextCallID != nil {
			results = append(results, r)
		}
	}
	return results
}
