package messaging

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/postgres"
)

// HistoryDays is how many days History returns, today included.
const HistoryDays = 14

// Day counts the messages of one day: messages that the operator accepted on that day,
// and messages that failed on it without having been accepted.
type Day struct {
	Date      time.Time // midnight UTC of the day in the organization's zone
	Delivered int       // including read messages
	Sent      int       // not known to be delivered
	Failed    int
}

// History returns an organization's messages by day, the oldest first.
func (s *Service) History(ctx context.Context, organizationID uuid.UUID) ([]Day, error) {
	days, err := postgres.Collect(ctx, s.pool, pgx.RowToStructByName[Day], `
		with o as materialized (
			select time_zone, (clock() at time zone time_zone)::date - (@days::int - 1) as first from organization
				where id = @organization_id),
		had as (
			select (m.at at time zone o.time_zone)::date as day, m.status
			from o cross join lateral (
				select sent_at as at, status from message
				where organization_id = @organization_id and sent_at >= o.first::timestamp at time zone o.time_zone
				union all
				select ended_at, status from message
				where organization_id = @organization_id and ended_at >= o.first::timestamp at time zone o.time_zone
				  and status = 'failed' and sent_at is null) m)
		select d.day::date as date,
		       count(*) filter (where h.status in ('delivered', 'read')) as delivered,
		       count(*) filter (where h.status = 'sent') as sent,
		       count(*) filter (where h.status = 'failed') as failed
		from o
		cross join lateral generate_series(o.first, o.first + (@days::int - 1), interval '1 day') d (day)
		left join had h on h.day = d.day::date
		group by d.day
		order by d.day`, pgx.NamedArgs{"organization_id": organizationID, "days": HistoryDays})
	if err != nil {
		return nil, fmt.Errorf("read the days of messages: %w", err)
	}
	return days, nil
}
