package webhook

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/postgres"
)

// move is a change between active and inactive.
type move struct {
	active bool
	action string // of the audit entry: webhook.paused
	reason string // why the webhook was disabled; empty for a pause or a resume
}

var (
	pause  = move{action: "webhook.paused"}
	resume = move{active: true, action: "webhook.resumed"}
)

// transition is the only way a webhook becomes active or inactive. The caller has the row
// lock, and w is updated. A webhook that is already active or inactive stays unchanged: a
// pause does not turn a disabled webhook into a paused one.
//
// Pending deliveries of an inactive webhook wait until it is resumed. Events meanwhile
// get no delivery. Resuming clears the failures.
func transition(ctx context.Context, tx pgx.Tx, actor account.Actor, w *Webhook, m move) error {
	if w.IsActive == m.active {
		return nil
	}
	after, err := one(ctx, tx, `
		update webhook set
			is_active = @active,
			inactive_since = case when not @active then clock() end,
			disabled_reason = nullif(@reason, ''),
			failing_since = case when not @active then failing_since end,
			failures = case when @active then 0 else failures end,
			last_failure_at = case when not @active then last_failure_at end
		where id = @id
		returning `+columns, pgx.NamedArgs{"id": w.ID, "active": m.active, "reason": m.reason})
	if err != nil {
		return err
	}
	*w = after
	data := map[string]any{"name": w.Name}
	if m.reason != "" {
		data["reason"] = m.reason
	}
	return account.Record(ctx, tx, actor, m.action, account.Object{Type: "webhook", ID: w.ID}, data)
}

// Pause stops deliveries to a webhook until it is resumed. Errors: NotFound.
func (s *Service) Pause(ctx context.Context, actor account.Actor, id uuid.UUID) (Webhook, error) {
	return s.move(ctx, actor, id, pause)
}

// Resume makes a paused or disabled webhook active, and its waiting deliveries are sent.
// Recover sends the events it missed. Errors: NotFound.
func (s *Service) Resume(ctx context.Context, actor account.Actor, id uuid.UUID) (Webhook, error) {
	return s.move(ctx, actor, id, resume)
}

func (s *Service) move(ctx context.Context, actor account.Actor, id uuid.UUID, m move) (w Webhook, err error) {
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		if w, err = lock(ctx, tx, actor.OrganizationID, id); err != nil {
			return err
		}
		return transition(ctx, tx, actor, &w, m)
	})
	if err != nil {
		return Webhook{}, err
	}
	s.wake()
	return w, nil
}

// disable makes a webhook inactive because its endpoint is failing or gone, and writes
// the event for the organization's other webhooks. A webhook that is already inactive or
// deleted stays unchanged. The caller wakes the outbox after its commit.
func disable(ctx context.Context, tx pgx.Tx, organizationID, id uuid.UUID, reason string) (*Outbox, error) {
	w, err := lock(ctx, tx, organizationID, id)
	if fault.KindOf(err) == fault.NotFound {
		return &Outbox{}, nil
	}
	if err != nil {
		return nil, err
	}
	if !w.IsActive {
		return &Outbox{}, nil
	}
	m := move{action: "webhook.disabled", reason: reason}
	if err := transition(ctx, tx, account.System(organizationID), &w, m); err != nil {
		return nil, err
	}
	out, err := Open(ctx, tx, organizationID)
	if err != nil {
		return nil, err
	}
	err = out.Add(Event{OrganizationID: organizationID, Type: WebhookDisabled, SubjectID: id, Data: w.Resource()})
	if err == nil {
		err = out.Write(ctx, tx)
	}
	if err != nil {
		return nil, fmt.Errorf("tell that webhook %s is disabled: %w", id, err)
	}
	return out, nil
}
