package dialer

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/messaging"
	"github.com/dialwright/dialwright/internal/webhook"
)

const (
	// holdMost is how long a call waits for the message before it, at most.
	holdMost = 60 * time.Second

	// holdGap is how often a campaign is looked at while calls wait for messages.
	holdGap = 250 * time.Millisecond
)

// writesFirst tells whether a message comes before the first call of a recipient.
// Then only those are called who have had theirs, or were waited for long enough.
func (p *pass) writesFirst() bool {
	return p.campaign.MessagingTrigger != nil && *p.campaign.MessagingTrigger == campaign.TriggerBeforeCall
}

// release lets go of the recipients whose message nobody needs to wait for any
// longer: they are due from now on. All others are let go when holdMost is over,
// by being due then, whoever looks.
func (p *pass) release(ctx context.Context) error {
	rows, err := p.tx.Query(ctx, `
		select id from recipient
		where campaign_id = @id and status = 'pending' and wait_reason = 'message' and due_at > @now`,
		pgx.NamedArgs{"id": p.ID, "now": p.live.Now})
	if err != nil {
		return fmt.Errorf("find who is held: %w", err)
	}
	held, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
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

// writeFirst queues the messages of those who are called next. Nobody is written to
// long before their call: there are no more of them than free slots, and than can
// be called within holdMost at the campaign's pace. It tells whether nobody is left
// who is due and without a message.
func (p *pass) writeFirst(ctx context.Context, slots int, paces paces) (dry bool, err error) {
	err = p.tx.QueryRow(ctx, `
		select count(*) from recipient where campaign_id = @id and status = 'pending' and wait_reason = 'message'`,
		pgx.NamedArgs{"id": p.ID}).Scan(&p.held)
	if err != nil {
		return false, fmt.Errorf("count who is held: %w", err)
	}
	room := paces.within(p.live.Now, holdMost, slots) - p.held
	if room <= 0 {
		return false, nil
	}
	var out *webhook.Outbox
	written, dry, err := p.eachDue(ctx, `and r.messaged_at is null`, room,
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
