package campaign

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/campaign/intake"
	"github.com/dialwright/dialwright/internal/hours"
	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/internal/postgres"
)

// replanMost bounds the recipients in memory while their times are computed.
const replanMost = 5000

// replanned is a recipient whose time may depend on the calling hours and on the start of the campaign.
type replanned struct {
	ID          uuid.UUID
	PhoneNumber string
	Timezone    *string
	Status      RecipientStatus
	Zones       []string
	ZoneSource  string
	Attempts    int
	Outcome     *string // of the last call
	DueAt       *time.Time
	WaitReason  *string
	EndedAt     *time.Time // of the last call
}

// replan gives the recipients of a campaign without a last status the clocks of new calling hours, and those who wait
// for an opening or for the start the time that follows. Recipients who wait for anything else keep their time: the
// dialer looks at the calling hours again when it has come. The caller holds the campaign's row lock.
func replan(ctx context.Context, tx pgx.Tx, c Campaign, h hours.Hours, start, now time.Time) error {
	if !start.After(now) {
		start = now
	}
	clocks, err := clocksAfter(ctx, tx, c, h, start, now)
	if err != nil {
		return err
	}
	sets := map[string]*intake.ZoneSet{} // Clocks computes each set once
	waiting := 0
	after := uuid.Nil
	for {
		batch, err := postgres.Collect(ctx, tx, pgx.RowToStructByName[replanned], `
			select r.id, r.phone_number, r.timezone, r.status, r.zones, r.zone_source, r.attempts, r.outcome, r.due_at,
			       r.wait_reason, k.ended_at
			from recipient r
			left join call k on k.id = r.last_call_id
			where r.campaign_id = @id and r.status in ('pending', 'dialing') and r.id > @after
			order by r.id
			limit @most`, pgx.NamedArgs{"id": c.ID, "after": after, "most": replanMost})
		if err != nil {
			return fmt.Errorf("read the recipients of campaign %s to plan again: %w", c.ID, err)
		}
		var moved []replanned
		for _, r := range batch {
			if r.Status == RecipientPending {
				waiting++
			}
			planned, err := r.plan(c, clocks, sets, now)
			if err != nil {
				return err
			}
			if !planned.same(r) {
				moved = append(moved, planned)
			}
		}
		if err := writeReplanned(ctx, tx, moved); err != nil {
			return err
		}
		if len(batch) < replanMost {
			break
		}
		after = batch[len(batch)-1].ID
	}
	if c.Status != Scheduled { // the dialer writes what a running campaign waits for
		return nil
	}
	tally := Tally{}
	if waiting > 0 {
		tally.Add(WaitScheduled, waiting, start)
	}
	if _, err := tx.Exec(ctx, `update campaign set waiting = $2 where id = $1`, c.ID, tally.List()); err != nil {
		return fmt.Errorf("write what campaign %s waits for: %w", c.ID, err)
	}
	return nil
}

// clocksAfter returns the clocks of a campaign with new calling hours and a new start.
func clocksAfter(
	ctx context.Context, tx pgx.Tx, c Campaign, h hours.Hours, start, now time.Time,
) (*Clocks, error) {
	var zone string
	if err := tx.QueryRow(ctx, `select time_zone from project where id = $1`, c.ProjectID).Scan(&zone); err != nil {
		return nil, fmt.Errorf("read the time zone of project %s: %w", c.ProjectID, err)
	}
	rules, err := readRules(ctx, tx, c.OrganizationID)
	if err != nil {
		return nil, err
	}
	return NewClocks(h, zone, start, now, rules), nil
}

// plan returns the recipient with the clock and the time of the new calling hours.
func (r replanned) plan(
	c Campaign, clocks *Clocks, sets map[string]*intake.ZoneSet, now time.Time,
) (replanned, error) {
	e := &intake.Entry{Number: phone.Number(r.PhoneNumber)}
	if r.Timezone != nil {
		e.Timezone = *r.Timezone
	}
	if names, reliable := phone.Zones(e.Number); reliable {
		key := strings.Join(names, " ")
		if sets[key] == nil {
			sets[key] = &intake.ZoneSet{Names: names}
		}
		e.NumberZones = sets[key]
	}
	due, err := clocks.Due(e)
	if err != nil {
		return r, fmt.Errorf("plan a recipient of campaign %s again: %w", c.ID, err)
	}
	wait := ""
	if r.WaitReason != nil {
		wait = *r.WaitReason
	}
	r.Zones, r.ZoneSource = due.Zones, due.Source
	opening := wait == WaitCallingHours || wait == WaitCallingRules
	switch {
	case r.Status != RecipientPending:
	case r.Attempts == 0 && (opening || wait == "" || wait == WaitScheduled):
		r.DueAt, r.WaitReason = &due.At, postgres.OrNull(due.Reason)
	case opening: // the delay after the last attempt still applies
		at, reason := due.At, due.Reason
		if again := c.retryAt(r); again.After(now) {
			if at = Opening(due.schedule, again); at.Equal(again) {
				reason = WaitRetry
			} else if reason == "" {
				reason = WaitCallingHours
			}
		}
		r.DueAt, r.WaitReason = &at, postgres.OrNull(reason)
	}
	return r, nil
}

// retryAt returns when the delay after the last attempt ends. It is the zero Time if no attempt is known.
func (c Campaign) retryAt(r replanned) time.Time {
	if r.EndedAt == nil {
		return time.Time{}
	}
	delays := c.RetryDelays
	if r.Outcome != nil && len(c.RetryOutcomeDelays[*r.Outcome]) > 0 {
		delays = c.RetryOutcomeDelays[*r.Outcome]
	}
	if len(delays) == 0 {
		return *r.EndedAt
	}
	minutes := delays[min(max(r.Attempts-1, 0), len(delays)-1)]
	return r.EndedAt.Add(time.Duration(minutes) * time.Minute)
}

func (r replanned) same(old replanned) bool {
	return slices.Equal(r.Zones, old.Zones) && r.ZoneSource == old.ZoneSource &&
		(r.DueAt == nil) == (old.DueAt == nil) && (r.DueAt == nil || r.DueAt.Equal(*old.DueAt)) &&
		(r.WaitReason == nil) == (old.WaitReason == nil) &&
		(r.WaitReason == nil || *r.WaitReason == *old.WaitReason)
}

var replannedTable = postgres.NewColumns("planned",
	postgres.Column("id", "uuid", func(r *replanned) uuid.UUID { return r.ID }),
	postgres.Column("zones", "text", func(r *replanned) string { return strings.Join(r.Zones, " ") }),
	postgres.Column("zone_source", "text", func(r *replanned) string { return r.ZoneSource }),
	postgres.Column("due_at", "timestamptz", func(r *replanned) *time.Time { return r.DueAt }),
	postgres.Column("wait_reason", "text", func(r *replanned) *string { return r.WaitReason }),
)

func writeReplanned(ctx context.Context, tx pgx.Tx, moved []replanned) error {
	if len(moved) == 0 {
		return nil
	}
	_, err := tx.Exec(ctx, `
		update recipient r set
			zones = string_to_array(planned.zones, ' '), zone_source = planned.zone_source,
			due_at = planned.due_at, wait_reason = planned.wait_reason
		from `+replannedTable.Table()+`
		where r.id = planned.id`, replannedTable.Args(moved))
	if err != nil {
		return fmt.Errorf("write the times of %d recipients: %w", len(moved), err)
	}
	return nil
}
