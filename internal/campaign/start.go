package campaign

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/postgres"
)

// Start starts a draft: at its start time, or now if that is past. From then on it is like a campaign that was created
// without a draft. reason says why it starts if its connection is not ready for real calls. Errors: Invalid for the
// reason; NotFound; Conflict for a campaign that is no draft, has no recipients or an end in the past, or for a
// connection that is not ready.
func (s *Service) Start(ctx context.Context, actor account.Actor, id uuid.UUID, reason string) (Campaign, error) {
	var p fault.Problems
	check.Text(&p, "not_ready_reason", &reason, maxNotReadyReason)
	if err := p.Err(); err != nil {
		return Campaign{}, err
	}
	if err := s.askAgain(ctx, actor.OrganizationID, id); err != nil {
		return Campaign{}, err
	}
	return s.change(ctx, actor, id, func(tx pgx.Tx) error {
		connectionID, numberIDs, err := connectionOf(ctx, tx, actor.OrganizationID, id)
		if err != nil {
			return err
		}
		unready, refusal := allow(ctx, tx, actor, connectionID, numberIDs, reason)
		if refusal != nil && fault.As(refusal) == nil {
			return refusal
		}
		c, err := Lock(ctx, tx, actor.OrganizationID, id)
		if err != nil {
			return err
		}
		var now time.Time
		if err := tx.QueryRow(ctx, `select clock()`).Scan(&now); err != nil {
			return fmt.Errorf("read the clock: %w", err)
		}
		switch {
		case c.Status != Drafted:
			return fault.Conflictf("This campaign is %s and cannot be started", c.Status.words())
		case c.Unfinished == 0:
			return fault.Conflictf("The campaign has nobody to call. Add recipients, then start it")
		case c.ExpiresAt != nil && !c.ExpiresAt.After(now):
			return fault.Conflictf("The end of the campaign is past. Change it, then start the campaign")
		}
		if err := s.stillMayMessage(ctx, tx, actor.OrganizationID, id, connectionID); err != nil {
			return err
		}
		if err := heard(ctx, tx, actor.OrganizationID, id); err != nil {
			return err
		}
		if refusal != nil {
			return refusal
		}
		m := Move{To: Scheduled, Action: "campaign.scheduled", notReady: unready}
		if c.ScheduledAt.After(now) {
			m.startsAt = &c.ScheduledAt
		} else {
			c.ScheduledAt = now
			if _, err := tx.Exec(ctx, `update campaign set scheduled_at = $2 where id = $1`, id, now); err != nil {
				return fmt.Errorf("start campaign %s now: %w", id, err)
			}
		}
		return Transition(ctx, tx, actor, &c, m)
	})
}

// CheckDelete refuses to delete a campaign in this status. Errors: Conflict.
func (s Status) CheckDelete() error {
	switch s {
	case Drafted, Canceled:
		return nil
	case Completed, Failed:
		return fault.Conflictf("This campaign is %s. Only drafts and canceled campaigns can be deleted", s)
	}
	return fault.Conflictf("This campaign is %s and cannot be deleted. Cancel it first", s)
}

// Delete removes a draft, or a campaign that was canceled. Calls and messages stay in the history: a campaign that has
// any stays for them, with the recipients who were called or written to, but no list shows it. Recipients who were
// neither called nor written to are deleted. Errors: NotFound; Conflict for another status, and while calls of the
// campaign have not ended.
func (s *Service) Delete(ctx context.Context, actor account.Actor, id uuid.UUID) error {
	return postgres.InTx(ctx, s.db, func(tx pgx.Tx) error {
		c, err := Lock(ctx, tx, actor.OrganizationID, id)
		if err != nil {
			return err
		}
		if c.Standing {
			return fault.NotFoundf("Campaign")
		}
		if err := c.Status.CheckDelete(); err != nil {
			return err
		}
		var called, live bool
		err = tx.QueryRow(ctx, `
			select exists (select from call where campaign_id = @id)
			         or exists (select from message where campaign_id = @id),
			       exists (select from call where campaign_id = @id and settled_at is null)`,
			pgx.NamedArgs{"id": id}).Scan(&called, &live)
		if err != nil {
			return fmt.Errorf("look for the calls of campaign %s: %w", id, err)
		}
		if live {
			return fault.Conflictf("Calls of the campaign have not ended. Delete it when they have")
		}
		if called {
			err = hide(ctx, tx, id)
		} else if _, err = tx.Exec(ctx, `delete from campaign where id = $1`, id); err != nil {
			err = fmt.Errorf("delete campaign %s: %w", id, err)
		}
		if err != nil {
			return err
		}
		return account.Record(ctx, tx, actor, "campaign.deleted", account.Object{Type: "campaign", ID: id},
			map[string]any{"name": c.Name})
	})
}

// hide removes a campaign with calls or messages from all lists, and the recipients without any.
func hide(ctx context.Context, tx pgx.Tx, id uuid.UUID) error {
	_, err := tx.Exec(ctx, `
		delete from recipient r
		where campaign_id = $1 and last_call_id is null and not exists (
			select from message m where m.recipient_id = r.id)`, id)
	if err == nil {
		_, err = tx.Exec(ctx, `update campaign set kind = 'deleted' where id = $1`, id)
	}
	if err != nil {
		return fmt.Errorf("hide campaign %s: %w", id, err)
	}
	return nil
}

// Remove deletes a campaign that has ended, with its recipients and its log, after the caller's transaction has deleted
// its calls. Errors: NotFound, also for a campaign that has not ended.
func (s *Service) Remove(ctx context.Context, actor account.Actor, id uuid.UUID) error {
	return postgres.InTx(ctx, s.db, func(tx pgx.Tx) error {
		var name string
		err := tx.QueryRow(ctx, `
			delete from campaign where organization_id = $1 and id = $2 and ended_at is not null
			returning name`, actor.OrganizationID, id).Scan(&name)
		if errors.Is(err, pgx.ErrNoRows) {
			return fault.NotFoundf("Campaign")
		}
		if err != nil {
			return fmt.Errorf("remove campaign %s: %w", id, err)
		}
		return account.Record(ctx, tx, actor, "campaign.deleted", account.Object{Type: "campaign", ID: id},
			map[string]any{"name": name})
	})
}
