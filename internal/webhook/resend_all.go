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

// MaxResent is how many deliveries ResendAll resends. A recovery has no such bound.
const MaxResent = 1000

// Chosen are deliveries of a webhook: those with the IDs, or all failed or all retrying ones of some types.
type Chosen struct {
	IDs        []uuid.UUID
	Failed     bool   // all failed deliveries instead, except tests
	Retrying   bool   // all that are pending after a failed attempt instead, except tests
	EventTypes []Type // any of them; empty: all
}

// Resent is the result of ResendAll.
type Resent struct {
	Resent  int
	Waiting int // being resent already
	Gone    int // unknown, such as deleted by the retention
}

// all tells that the deliveries are chosen by their state.
func (c Chosen) all() bool { return c.Failed || c.Retrying }

// sql are the deliveries of a webhook that are chosen by their state.
func (c Chosen) sql(args pgx.NamedArgs) string {
	args["types"] = append([]Type{}, c.EventTypes...)
	state := "d.status = 'failed'"
	if c.Retrying {
		state = "d.status = 'pending' and d.attempts > 0"
	}
	return `
		from delivery d
		where d.webhook_id = @webhook_id and d.organization_id = @organization_id and ` + state + `
			and (cardinality(@types::text[]) = 0 or d.event_type = any(@types::text[]))
			and d.event_type <> 'webhook.test'
			and not exists (select from event e where e.id = d.event_id and e.is_test)`
}

// CountChosen counts the failed or retrying deliveries of a webhook that ResendAll would resend, at most MaxResent and
// one.
func (s *Service) CountChosen(
	ctx context.Context, organizationID, webhookID uuid.UUID, c Chosen,
) (n int, err error) {
	args := pgx.NamedArgs{"organization_id": organizationID, "webhook_id": webhookID, "most": MaxResent + 1}
	err = s.pool.QueryRow(ctx, `select count(*) from (select `+c.sql(args)+` limit @most) n`, args).Scan(&n)
	if err != nil {
		return 0, fmt.Errorf("count the deliveries to resend to %s: %w", webhookID, err)
	}
	return n, nil
}

// ResendAll is Resend for many deliveries, the oldest first. The audit log gets one entry for all. Errors: NotFound for
// the webhook; Invalid for more than MaxResent.
func (s *Service) ResendAll(
	ctx context.Context, actor account.Actor, webhookID uuid.UUID, c Chosen,
) (r Resent, err error) {
	var p fault.Problems
	fault.OneOf(&p, "event_type", c.EventTypes, Types())
	if err := p.Err(); err != nil {
		return r, err
	}
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		w, err := read(ctx, tx, actor.OrganizationID, webhookID)
		if err != nil {
			return err
		}
		args := pgx.NamedArgs{
			"organization_id": actor.OrganizationID, "webhook_id": webhookID, "ids": c.IDs, "most": MaxResent + 1,
		}
		from := `
			from delivery d
			where d.webhook_id = @webhook_id and d.organization_id = @organization_id and d.id = any(@ids)`
		if c.all() {
			from = c.sql(args)
		}
		found, err := postgres.Collect(ctx, tx, pgx.RowTo[uuid.UUID],
			`select d.id `+from+` order by d.created_at, d.id limit @most`, args)
		if err != nil {
			return fmt.Errorf("read the deliveries to resend to %s: %w", webhookID, err)
		}
		if len(found) > MaxResent || len(c.IDs) > MaxResent {
			return fault.Invalidf("", "At most %d deliveries can be resent at once. Use Recover for more", MaxResent)
		}
		// A row of the queue for a resend exists while one waits or is in flight. The order keeps two requests from
		// waiting for each other.
		resent, err := postgres.Collect(ctx, tx, pgx.RowTo[uuid.UUID], `
			insert into delivery_due (delivery_id, webhook_id, due_at, manual)
			select id, @webhook_id, clock(), true from unnest(@found::uuid[]) with ordinality f (id, n) order by id
			on conflict on constraint delivery_due_once do nothing
			returning delivery_id`, pgx.NamedArgs{"webhook_id": webhookID, "found": found})
		if err != nil {
			return fmt.Errorf("queue %d deliveries again: %w", len(found), err)
		}
		r = Resent{Resent: len(resent), Waiting: len(found) - len(resent)}
		if !c.all() {
			r.Gone = len(c.IDs) - len(found)
		}
		if len(resent) == 0 {
			return nil
		}
		on := account.Object{Type: "webhook", ID: webhookID}
		return account.Record(ctx, tx, actor, "webhook.deliveries_resent", on,
			map[string]any{"name": w.Name, "deliveries": len(resent), "delivery_ids": resent})
	})
	if err != nil {
		return Resent{}, err
	}
	if r.Resent > 0 {
		s.wake()
	}
	return r, nil
}
