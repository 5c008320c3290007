package dialer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/internal/postgres"
)

// waitingGap is the shortest time between two counts of waiting recipients, because a
// count reads all of them.
const waitingGap = 5 * time.Second

// writeWaiting counts the waiting recipients by reason after a pass, and writes the campaign's
// waiting report. It counts outside of the pass, because the pass's transaction has locked rows
// that other transactions need. The report of a later pass takes precedence. errBusy means that
// another transaction has locked the campaign's row.
func (d *Dialer) writeWaiting(ctx context.Context, p *pass) error {
	rows, err := d.pool.Query(ctx, `
		select case when due_at > @now or due_at is null then coalesce(wait_reason, '') else '' end as reason,
		       case when due_at > @now and wait_reason = @hours then zone_source else '' end as source,
		       case when due_at > @now and wait_reason = @hours
			and zone_source <> @one_clock then zones else '{}' end as in_zones,
		       count(*) as recipients, min(due_at) as at, coalesce(bool_and(due_at <= @now), false) as is_due,
		       -- The IDs of calls are in the order of their creation.
		       coalesce(max(case when wait_reason = @carrier then last_call_id::text end), '') as last_call
		from recipient
		where campaign_id = @id and status = 'pending'
		group by 1, 2, 3`, pgx.NamedArgs{
		"id": p.ID, "now": p.live.Now, "hours": campaign.WaitCallingHours, "one_clock": campaign.ZoneOfCampaign,
		"carrier": campaign.WaitCarrier,
	})
	if err != nil {
		return fmt.Errorf("count who waits: %w", err)
	}
	t, stopped := campaign.Tally{}, 0
	var reason, source string
	var zones []string
	var n int
	var at *time.Time // nil: no time is planned
	var isDue bool
	var last, refused string // the last call of a group, and the last that the carrier did not place
	_, err = pgx.ForEachRow(rows, []any{&reason, &source, &zones, &n, &at, &isDue, &last}, func() error {
		if reason == campaign.WaitCarrier {
			refused = last
		}
		switch {
		case p.organization.Stopped: // applies before every other reason
			stopped += n
		case !isDue:
			t.Wait(cmp.Or(reason, campaign.WaitScheduled), source, zones, n, *cmp.Or(at, &time.Time{}))
		case p.why != "":
			t.Add(p.why, n, p.whyUntil)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("count who waits: %w", err)
	}
	if stopped > 0 {
		t.Add(campaign.WaitCallingStopped, stopped, time.Time{})
		t.Explain(campaign.WaitCallingStopped, "Stopped by "+p.organization.StoppedBy)
	}
	if refused != "" {
		words, err := d.carrierDetail(ctx, p.OrganizationID, refused)
		if err != nil {
			return err
		}
		t.Explain(campaign.WaitCarrier, words)
	}
	if why := p.connection.LastError; why != nil && p.connection.Probing != "" {
		t.Explain(campaign.WaitProbing, *why)
	}
	t.Explain(campaign.WaitProbing, p.live.LineReason)
	t.Explain(campaign.WaitBudget, p.waitDetail)
	t.Explain(campaign.WaitPreDialCheck, p.live.CheckReason)
	var countries []string
	for _, country := range p.live.Countries {
		countries = append(countries, phone.CountryName(country))
	}
	t.Explain(campaign.WaitCountry, strings.Join(countries, ", "))
	waiting := t.List()
	held, until := "", (*time.Time)(nil)
	if !p.Standing { // calls of their own have no log
		held, until = p.newBlock(waiting)
	}
	details := campaign.LogDetails{Waiting: waiting, Until: until}
	if ends := p.campaign.ExpiresAt; ends != nil && until != nil && !until.Before(*ends) {
		details.Ends = ends
	}
	args, err := campaign.LogArgs(account.System(p.OrganizationID), p.ID, campaign.LogWaiting, details)
	if err != nil {
		return err
	}
	maps.Copy(args, pgx.NamedArgs{"waiting": waiting, "now": p.live.Now, "seen": p.campaign.WaitingAt, "held": held,
		"was": p.campaign.Held, "why": p.why,
		"until_told": p.untilTold, "dial_at": p.next})
	// If this report fails, another pass follows soon, because the pass left the campaign
	// due.
	err = postgres.InTx(ctx, d.pool, func(tx pgx.Tx) error {
		batch := &pgx.Batch{}
		batch.Queue(sqlShort, lockWait)
		batch.Queue(`
			with told as (
				update campaign set
					waiting = @waiting, waiting_at = @now, held = case when kind = 'call' then nullif(@why::text, '')
						else coalesce(nullif(@held::text, ''), held) end,
					dial_at = case when dial_at = @until_told then @dial_at else dial_at end
				where id = @campaign_id and status = 'running' and waiting_at is not distinct from @seen
					and held is not distinct from @was
				returning id)
			insert into campaign_log_entry (id, organization_id, campaign_id, kind, actor_kind, actor_name, data)
			select @id::uuid, @organization_id::uuid, told.id, @kind::text, @actor_kind::text, @actor_name::text,
				@data::jsonb
			from told where @held::text <> ''`, args)
		return tx.SendBatch(ctx, batch).Close()
	})
	if lockTimedOut(err) {
		return errBusy
	}
	if err != nil {
		return fmt.Errorf("write who waits: %w", err)
	}
	return nil
}

// carrierDetail returns the carrier's reason for the end of a call, with its code. It is empty for a
// call that is gone.
func (d *Dialer) carrierDetail(ctx context.Context, organizationID uuid.UUID, callID string) (string, error) {
	var e call.Ended
	err := d.pool.QueryRow(ctx, `
		select coalesce(detail, ''), carrier_code from call where organization_id = $1 and id = $2::uuid`,
		organizationID, callID).Scan(&e.Detail, &e.CarrierCode)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return "", fmt.Errorf("read why the carrier did not place call %s: %w", callID, err)
	}
	return carrierWords(e), nil
}
