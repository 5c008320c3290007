package gate

import (
	"context"
	"fmt"

	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/suppression"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// sqlPick finds the next messages. A lane is a campaign, or the single sends of an organization.
// Lanes take turns: the first message of each lane, then the second message of each lane, however
// long a lane is. Within a lane, messages that wait for quota come first, in the order of their
// creation. They are read only while there is quota.
const sqlPick = `
	with recursive due as (
		select n.id as number_id, n.budget, (
			select m.lane from message m
			where m.number_id = n.id and m.status = 'queued' and m.wait_reason is distinct from 'quota'
			order by m.lane limit 1) as lane
		from unnest(@numbers::uuid[], @budgets::int[]) n (id, budget)
		union all
		select d.number_id, d.budget, (
			select m.lane from message m
			where m.number_id = d.number_id and m.status = 'queued' and m.wait_reason is distinct from 'quota'
				and m.lane > d.lane
			order by m.lane limit 1)
		from due d where d.lane is not null
	), held as (
		select n.id as number_id, n.budget, (
			select m.lane from message m
			where m.number_id = n.id and m.status = 'queued' and m.wait_reason = 'quota'
			order by m.lane limit 1) as lane
		from unnest(@numbers::uuid[], @budgets::int[]) n (id, budget)
		where @free > 0
		union all
		select h.number_id, h.budget, (
			select m.lane from message m
			where m.number_id = h.number_id and m.status = 'queued' and m.wait_reason = 'quota' and m.lane > h.lane
			order by m.lane limit 1)
		from held h where h.lane is not null
	)
	select p.id
	from (
		select c.id, row_number() over (partition by c.number_id, c.lane order by c.held desc, c.place) as turn, c.place
		from (
			select m.id, d.number_id, d.lane, false as held, m.place
			from due d cross join lateral (
				select m.id, row_number() over (order by m.due_at, m.id) as place
				from (
					select m.id, m.due_at from message m
					where m.number_id = d.number_id and m.lane = d.lane and m.status = 'queued'
					  and m.wait_reason is distinct from 'quota' and m.due_at <= @now
					order by m.due_at, m.id limit greatest(d.budget, @more)) m) m
			where d.lane is not null
			union all
			select m.id, h.number_id, h.lane, true, m.place
			from held h cross join lateral (
				select m.id, row_number() over (order by m.id) as place
				from (
					select m.id from message m
					where m.number_id = h.number_id and m.lane = h.lane and m.status = 'queued'
						and m.wait_reason = 'quota'
					order by m.id limit least(h.budget, @free)) m) m
			where h.lane is not null
		) c
	) p
	order by p.turn, p.place, p.id
	limit @most`

// sqlSuppressed is true for a recipient on the do-not-call list, unless the number was erased.
var sqlSuppressed = suppression.Names(suppression.Message, "m.organization_id", "m.phone_number")

// sqlCandidates locks the picked messages, except the messages that another transaction is
// changing, and reads the data for the decision about each message.
var sqlCandidates = `
	select m.id, m.number_id, m.lane, m.wait_reason, m.attempts, m.refused_class, m.refused_times, m.phone_number,
		m.template_name, m.template_language, m.components,
	       t.id, t.paused_until, t.paused_reason,
	       ` + sqlSuppressed + `, ` + suppression.HasErased("m.organization_id") + `, m.organization_id,
	       l.asked_at is not null, l.asked_at,
	       exists (select from campaign c join connection on connection.id = c.connection_id
	       	where c.id = m.campaign_id and connection.kind = 'sandbox')
	from message m
	left join messaging_number n on n.id = m.number_id
	left join messaging_template t on t.connection_id = n.connection_id and t.name = m.template_name
		and t.language = m.template_language
	left join messaging_ledger l on l.scope_id = @scope and l.phone_number = m.phone_number
	where m.id = any(@ids) and m.status = 'queued' and m.scope_id = @scope
	order by array_position(@ids, m.id)
	for no key update of m skip locked`

func (p *pass) pick(ctx context.Context, numbers []uuid.UUID, budgets []int, more, most int) ([]uuid.UUID, error) {
	ids, err := postgres.Collect(ctx, p.Tx, pgx.RowTo[uuid.UUID], sqlPick, pgx.NamedArgs{
		"numbers": numbers, "budgets": budgets, "free": p.quota, "more": more, "most": most, "now": p.scope.Now,
	})
	if err != nil {
		return nil, fmt.Errorf("find queued messages of messaging scope %s: %w", p.scope.ID, err)
	}
	return ids, nil
}
