package dialer

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/messaging"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/webhook"
)

const (
	// holdMost is the longest time a call waits for the message that precedes it.
	holdMost = 60 * time.Second

	// holdGap is the time between passes while calls wait for messages.
	holdGap = 250 * time.Millisecond
)

// writesFirst reports whether a message precedes a recipient's first call. The dialer
// then calls only recipients who have received their message or have waited long enough
// for it.
func (p *pass) writesFirst() bool {
	return p.campaign.MessagingTrigger != nil && *p.campaign.MessagingTrigger == campaign.TriggerBeforeCall
}

// release makes recipients due whose call no longer needs to wait for a message. All other waiting
// recipients become due when holdMost has passed, in any process.
func (p *pass) release(ctx context.Context) error {
	held, err := postgres.Collect(ctx, p.tx, pgx.RowTo[uuid.UUID], `
		select id from recipient
		where campaign_id = @id and status = 'pending' and wait_reason = 'message' and due_at > @now`,
		pgx.NamedArgs{"id": p.ID, "now": p.live.Now})
	if err != nil {
		return fmt.Errorf("find who is held: %w", err)
	}
	if len(held) == 0 {
		return nil
	}
	decided, err := messaging.Decided(ctx, p.tx, held)
	if err != nil || len(decided) == 0 {
		return err
	}
	_, err = p.tx.Exec(ctx, `update recipient set due_at = @now where id = any(@ids)`,
		pgx.NamedArgs{"ids": decided, "now": p.live.Now})
	if err != nil {
		return fmt.Errorf("release %d recipients: %w", len(decided), err)
	}
	return nil
}

// writeFirst queues messages for the recipients called next. A message must not arrive
// long before its call, so writeFirst queues no more messages than there are free slots,
// and no more than the campaign's pace can call within holdMost. dry is set when no due
// recipient without a message is left.
func (p *pass) writeFirst(ctx context.Context, slots int, paces paces) (dry bool, err error) {
	err = p.tx.QueryRow(ctx, `
		select count(*) from recipient where campaign_id = @id and status = 'pending' and wait_reason = 'message'`,
		pgx.NamedArgs{"id": p.ID}).Scan(&p.held)
	if err != nil {
		return false, fmt.Errorf("count who is held: %w", err)
	}
	room := min(paces.within(p.live.Now, holdMost, slots), p.callers.within(holdMost)) - p.held
	if room <= 0 {
		return false, nil
	}
	var out *webhook.Outbox
	written, dry, err := p.eachInTurn(ctx, `and r.messaged_at is null`, room,
		func(batch *pgx.Batch, ready []candidate) (int, []uuid.UUID, error) {
			if len(ready) == 0 {
				return 0, nil, nil
			}
			ids := make([]uuid.UUID, len(ready))
			for i, c := range ready {
				ids[i] = c.ID
			}
			if out == nil {
				var err error
				if out, err = webhook.Open(ctx, p.tx, p.OrganizationID); err != nil {
					return 0, nil, err
				}
			}
			if err := campaign.PlanMessages(ctx, p.tx, out, ids); err != nil {
				return 0, nil, err
			}
			batch.Queue(`update recipient set messaged_at = @now, due_at = @until, wait_reason = 'message'
				where id = any(@ids)`,
				pgx.NamedArgs{"ids": ids, "now": p.live.Now, "until": p.live.Now.Add(holdMost)})
			return len(ids), nil, nil
		})
	if err != nil || written == 0 {
		return dry, err
	}
	p.held += written
	p.queuedMessages = true
	p.emitted = true // a message may have failed at once
	return dry, out.Write(ctx, p.tx)
}
