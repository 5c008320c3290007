package campaign

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/model/connection"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/project"
)

// moves are the legal changes of status.
var moves = map[Status][]Status{
	Drafted:   {Scheduled, Canceled},
	Scheduled: {Running, Paused, Canceled, Failed, Completed},
	Running:   {Paused, Completed, Canceled, Failed},
	Paused:    {Scheduled, Running, Completed, Canceled, Failed},
}

// verbs describe the attempted change in error messages.
var verbs = map[Status]string{Scheduled: "resumed", Running: "resumed", Paused: "paused", Canceled: "canceled",
	Completed: "completed", Failed: "ended"}

// Move is a change of a campaign's status, with the action of its audit entry.
type Move struct {
	To     Status
	Action string // of the audit entry: campaign.paused
	Reason string // of a pause or an end

	notReady notReady   // of a start
	startsAt *time.Time // of a draft that starts later
}

// Locked is a campaign under its row lock: the fields that decide its next status.
type Locked struct {
	ID          uuid.UUID
	Name        string
	Status      Status
	ScheduledAt time.Time
	ExpiresAt   *time.Time
	StartedAt   *time.Time
	Unfinished  int // recipients without a last status
	Expired     int
	Standing    bool // of calls of their own
}

// LockedColumns are the columns of Locked.
const LockedColumns = `
	id, name, status, scheduled_at, expires_at, started_at,
	total - completed - failed - skipped - canceled - expired as unfinished, expired,
	kind = 'call' as standing`

// Lock locks a campaign for a change. Errors: NotFound for an unknown or foreign ID.
func Lock(ctx context.Context, tx pgx.Tx, organizationID, id uuid.UUID) (Locked, error) {
	c, err := postgres.CollectOne(ctx, tx, pgx.RowToStructByName[Locked], `
		select `+LockedColumns+`
		from campaign
		where organization_id = @organization_id and id = @id and kind <> 'deleted'
		for no key update`, pgx.NamedArgs{"organization_id": organizationID, "id": id})
	if errors.Is(err, pgx.ErrNoRows) {
		return Locked{}, fault.NotFoundf("Campaign")
	}
	if err != nil {
		return Locked{}, fmt.Errorf("lock campaign %s: %w", id, err)
	}
	return c, nil
}

// Transition changes the status of a campaign. No other code does. The caller holds the
// campaign's row lock, and Transition updates c. A move that is not legal is a
// Conflict. Recipients that can't be called after the move get their last status. The
// caller writes everything else that belongs to the move before, because the events
// show the campaign as it is when Transition returns. The caller wakes webhook.Topic
// after the commit.
func Transition(ctx context.Context, tx pgx.Tx, actor account.Actor, c *Locked, m Move) error {
	if !slices.Contains(moves[c.Status], m.To) {
		return fault.Conflictf("This campaign is %s and cannot be %s", c.Status.words(), verbs[m.To])
	}
	closed := 0
	if m.To == Canceled || m.To == Failed {
		var err error
		if closed, err = ClosePending(ctx, tx, c, RecipientCanceled, All); err != nil {
			return err
		}
	}
	waiting := Tally{}
	if m.To == Scheduled && c.Unfinished > 0 {
		waiting.Add(WaitScheduled, c.Unfinished, c.ScheduledAt)
	}
	_, err := tx.Exec(ctx, `
		update campaign set
			status = @to,
			pause_reason = case when @to = 'paused' then @reason end,
			ended_reason = case when @ended then @reason end,
			started_at = case when @to = 'running' then coalesce(started_at, k.t) else started_at end,
			ended_at = case when @ended then k.t end,
			waiting = @waiting, -- of one that runs, the dialer tells
			waiting_at = null,
			held = null,
			dial_at = case
				when @ended then null
				when @to = 'paused' then expires_at
				when @to = 'scheduled' then least(scheduled_at, expires_at)
				else k.t end
		from (select clock() as t) k
		where id = @id`,
		pgx.NamedArgs{"id": c.ID, "to": m.To, "reason": m.Reason, "ended": m.To.Terminal(), "waiting": waiting.List()})
	if err != nil {
		return fmt.Errorf("move campaign %s from %s to %s: %w", c.ID, c.Status, m.To, err)
	}
	moved := m.change(*c, actor, closed)
	c.Status = m.To
	return record(ctx, tx, actor, moved)
}

// change describes the move of a campaign that still has its old status. closed is how
// many recipients the move closes. The campaign's log gives the reason if the product
// moved the campaign, but not if a person did.
func (m Move) change(c Locked, actor account.Actor, closed int) change {
	moved := change{
		id:      c.ID,
		action:  m.Action,
		data:    map[string]any{"name": c.Name, "from": c.Status, "to": m.To},
		log:     logged[m.To],
		details: LogDetails{Recipients: closed},
		events:  eventsOf(c.Status, m.To, c.StartedAt != nil),
	}
	switch {
	case c.Status == Paused && m.To == Running:
		moved.log = LogResumed
	case c.Status == Drafted && m.To == Scheduled:
		moved.log, moved.details.Until = LogScheduled, m.startsAt
		if m.startsAt == nil { // the dialer starts it at once
			moved.events = nil
		}
	}
	if m.Reason != "" {
		moved.data["reason"] = m.Reason
	}
	if actor.Kind == account.BySystem {
		moved.details.Reason = m.Reason
	}
	m.notReady.writeTo(&moved)
	return moved
}

// Complete ends a campaign in which every recipient has a last status. The caller
// holds the campaign's row lock, and wakes webhook.Topic after the commit if done.
func Complete(ctx context.Context, tx pgx.Tx, organizationID uuid.UUID, c *Locked) (done bool, err error) {
	if c.Standing || c.Unfinished > 0 || c.Status == Drafted || c.Status.Terminal() {
		return false, nil
	}
	reason := EndedFinished
	if c.Expired > 0 {
		reason = EndedExpired
	}
	return true, Transition(ctx, tx, account.System(organizationID), c, Move{
		To: Completed, Action: "campaign.completed", Reason: reason,
	})
}

// All is the limit of ClosePending that closes every pending recipient.
const All = 0

// ClosePending gives at most most pending recipients their last status and returns how
// many there were. It withdraws queued messages that announce calls. Messages after
// calls remain, because they belong to calls that were made. The caller holds the
// campaign's row lock.
func ClosePending(ctx context.Context, tx pgx.Tx, c *Locked, to RecipientStatus, most int) (n int, err error) {
	who := `campaign_id = @id and status = 'pending'`
	if most != All {
		who = `id = any (array(select id from recipient where ` + who + ` limit @most))`
	}
	var unmet []uuid.UUID // recipients with a message, sent or queued, before a call that will not be made
	err = tx.QueryRow(ctx, `
		with closed as (
			update recipient set status = @to, due_at = null, wait_reason = null
			where `+who+`
			returning id, messaged_at is not null and attempts = 0 as unmet)
		select count(*), array_agg(id) filter (where unmet) from closed`,
		pgx.NamedArgs{"id": c.ID, "to": to, "most": most}).Scan(&n, &unmet)
	if err != nil {
		return 0, fmt.Errorf("close the pending recipients of %s: %w", c.ID, err)
	}
	if n == 0 {
		return 0, nil
	}
	if len(unmet) > 0 {
		if err := Withdraw(ctx, tx, unmet, to); err != nil {
			return 0, err
		}
	}
	c.Unfinished -= n
	if to == RecipientExpired {
		c.Expired += n
	}
	_, err = tx.Exec(ctx, `
		update campaign set
			canceled = canceled + case when @to = 'canceled' then @n::int else 0 end,
			expired = expired + case when @to = 'expired' then @n::int else 0 end
		where id = @id`, pgx.NamedArgs{"id": c.ID, "to": to, "n": n})
	if err != nil {
		return 0, fmt.Errorf("count the closed recipients of %s: %w", c.ID, err)
	}
	return n, nil
}

// PausedBy is the start of the reason for a pause by a person. The person's name
// follows.
const PausedBy = "Paused by "

// Pause stops a campaign from dialing. Calls in progress continue.
func (s *Service) Pause(ctx context.Context, actor account.Actor, id uuid.UUID) (Campaign, error) {
	return s.change(ctx, actor, id, func(tx pgx.Tx) error {
		c, err := Lock(ctx, tx, actor.OrganizationID, id)
		if err != nil {
			return err
		}
		return Transition(ctx, tx, actor, &c, Move{
			To: Paused, Action: "campaign.paused", Reason: PausedBy + actor.Name,
		})
	})
}

// Resume continues a paused campaign. Before its start time the campaign becomes
// scheduled again. After too many failures of its lines, its connection or its phone number,
// it places one call at a time until one works. The recipients of refused countries become due. After
// too many abandoned calls, only later calls count for the next pause. A campaign that never started
// needs a connection that is ready, as a new one. A campaign is not resumed while a budget is reached.
func (s *Service) Resume(ctx context.Context, actor account.Actor, id uuid.UUID) (Campaign, error) {
	return s.resume(ctx, actor, id, "")
}

func (s *Service) resume(ctx context.Context, actor account.Actor, id uuid.UUID, reason string) (Campaign, error) {
	if err := s.askAgain(ctx, actor.OrganizationID, id); err != nil {
		return Campaign{}, err
	}
	return s.change(ctx, actor, id, func(tx pgx.Tx) error {
		connectionID, numberIDs, err := connectionOf(ctx, tx, actor.OrganizationID, id)
		if err != nil {
			return err
		}
		// A connection whose failures are forgotten may seem ready, so its checks are read before.
		unready, refusal := allow(ctx, tx, actor, connectionID, numberIDs, reason)
		if refusal != nil && fault.As(refusal) == nil {
			return refusal
		}
		// The order of locks puts the connection before the campaign.
		if err := project.TryAgain(ctx, tx, connectionID, numberIDs, &id); err != nil {
			return err
		}
		if err := connection.TryAgainFor(ctx, tx, id); err != nil {
			return err
		}
		c, err := Lock(ctx, tx, actor.OrganizationID, id)
		if err != nil {
			return err
		}
		if c.Status != Paused { // only the start time starts a scheduled campaign
			return fault.Conflictf("This campaign is %s and cannot be resumed", c.Status.words())
		}
		if err := s.stillMayMessage(ctx, tx, actor.OrganizationID, id, connectionID); err != nil {
			return err
		}
		if err := heard(ctx, tx, actor.OrganizationID, id); err != nil {
			return err
		}
		switch {
		case c.StartedAt != nil:
			unready = notReady{}
		case refusal != nil:
			return refusal
		}
		if err := callRefusedCountries(ctx, tx, id); err != nil {
			return err
		}
		accepted, err := acceptAbandoned(ctx, tx, id)
		if err != nil {
			return err
		}
		var now time.Time
		if err := tx.QueryRow(ctx, `select clock()`).Scan(&now); err != nil {
			return fmt.Errorf("read the clock: %w", err)
		}
		to := Running
		if c.StartedAt == nil && c.ScheduledAt.After(now) {
			to = Scheduled
		} else if err := affordable(ctx, tx, actor.OrganizationID, id); err != nil {
			return err
		}
		return Transition(ctx, tx, actor, &c, Move{
			To: to, Action: "campaign.resumed", Reason: accepted, notReady: unready,
		})
	})
}

// connectionOf reads the connection of a campaign, which never changes, and its phone numbers.
// Errors: NotFound.
func connectionOf(
	ctx context.Context, tx pgx.Tx, organizationID, id uuid.UUID,
) (connectionID uuid.UUID, numberIDs []uuid.UUID, err error) {
	err = tx.QueryRow(ctx, `
		select connection_id, array(
			select n.id from phone_number n
			where n.id = campaign.phone_number_id or n.number_pool_id = campaign.number_pool_id)
		from campaign
		where organization_id = @organization_id and id = @id`,
		pgx.NamedArgs{"organization_id": organizationID, "id": id}).Scan(&connectionID, &numberIDs)
	if errors.Is(err, pgx.ErrNoRows) {
		return uuid.UUID{}, nil, fault.NotFoundf("Campaign")
	}
	if err != nil {
		return uuid.UUID{}, nil, fmt.Errorf("read the connection of campaign %s: %w", id, err)
	}
	return connectionID, numberIDs, nil
}

// callRefusedCountries makes recipients due who wait because the carrier refused their
// country. The caller holds the campaign's row lock.
func callRefusedCountries(ctx context.Context, tx pgx.Tx, id uuid.UUID) error {
	tag, err := tx.Exec(ctx, `delete from country_refusal where campaign_id = $1`, id)
	if err == nil && tag.RowsAffected() > 0 {
		_, err = tx.Exec(ctx, `
			update recipient set due_at = (select clock()), wait_reason = null
			where campaign_id = $1 and status = 'pending' and wait_reason = $2`, id, WaitCountry)
	}
	if err != nil {
		return fmt.Errorf("call the refused countries of campaign %s again: %w", id, err)
	}
	return nil
}

// heard returns a Conflict if the campaign's agent would not understand "stop".
func heard(ctx context.Context, tx pgx.Tx, organizationID, id uuid.UUID) error {
	var agent, language string
	err := tx.QueryRow(ctx, `
		select a.name, coalesce((select v.language from agent_version v
			where v.id = coalesce(c.agent_version_id, a.published_version_id)), a.language)
		from campaign c
		join agent a on a.id = c.agent_id
		where c.organization_id = @organization_id and c.id = @id`,
		pgx.NamedArgs{"organization_id": organizationID, "id": id}).Scan(&agent, &language)
	if err != nil {
		return fmt.Errorf("read the agent of campaign %s: %w", id, err)
	}
	if why := project.Unheard(agent, language); why != "" {
		return fault.Conflictf("%s", why)
	}
	return nil
}

// Cancel ends a campaign. Recipients not called yet are canceled, calls in progress
// continue, and nothing is retried.
func (s *Service) Cancel(ctx context.Context, actor account.Actor, id uuid.UUID) (Campaign, error) {
	return s.change(ctx, actor, id, func(tx pgx.Tx) error {
		c, err := Lock(ctx, tx, actor.OrganizationID, id)
		if err != nil {
			return err
		}
		return Transition(ctx, tx, actor, &c, Move{To: Canceled, Action: "campaign.canceled", Reason: EndedCanceled})
	})
}

// change runs a change of a campaign and reads the result in the same transaction. An
// unknown or foreign ID is NotFound.
func (s *Service) change(
	ctx context.Context, actor account.Actor, id uuid.UUID, fn func(pgx.Tx) error,
) (Campaign, error) {
	var after Campaign
	err := postgres.InTx(ctx, s.db, func(tx pgx.Tx) error {
		err := fn(tx)
		if err != nil {
			return err
		}
		after, err = s.In(tx).Get(ctx, actor.OrganizationID, id)
		return err
	})
	if err != nil {
		return Campaign{}, err
	}
	s.Wake()
	return after, nil
}
