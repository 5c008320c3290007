package dialer

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/call"
)

// restNumbers has numbers rest that fall under the rest rule of their pool after settled calls. It
// runs after the settlement, which has locked campaigns: numbers are locked before campaigns. If the
// process dies before it, the next settled call of the number makes up for it. A call counts for one
// rest only.
func (s *Settler) restNumbers(ctx context.Context, ids []uuid.UUID) error {
	_, err := s.pool.Exec(ctx, `
		with tired as (
			select n.id, p.rest_hours
			from phone_number n
			join number_pool p on p.id = n.number_pool_id
			cross join lateral (
				select count(*) as calls, count(*) filter (where last.answered) as answered
				from (
					select c.answered_at is not null and c.outcome <> 'voicemail' as answered
					from call c
					where c.organization_id = n.organization_id and c.phone_number_id = n.id
					  and c.direction = 'outbound'
					  and c.settled_at is not null and c.asked_at is not null and c.ended_reason <> all(@not_placed)
					  and (n.rested_at is null or c.created_at > n.rested_at)
					order by c.created_at desc, c.id desc
					limit p.rest_after_calls) last) r
			where n.id = any(@ids) and (n.rest_until is null or n.rest_until <= (select clock()))
			  and r.calls >= p.rest_after_calls and r.answered * 100 < p.rest_below_percent * r.calls
			order by n.id
			for no key update of n)
		update phone_number n
		set rested_at = clock(), rest_until = clock() + make_interval(hours => tired.rest_hours)
		from tired where n.id = tired.id`, pgx.NamedArgs{"ids": ids, "not_placed": call.NotPlacedReasons})
	if err != nil {
		return fmt.Errorf("rest %d numbers: %w", len(ids), err)
	}
	return nil
}

// pooled returns the numbers of the calls of campaigns with a pool.
func (s *settlement) pooled(ended []call.Ended) (ids []uuid.UUID) {
	for _, e := range ended {
		if e.CampaignID == nil {
			continue
		}
		if c := s.campaigns[*e.CampaignID]; c != nil && c.NumberPoolID != nil {
			ids = append(ids, e.PhoneNumberID)
		}
	}
	return ids
}
