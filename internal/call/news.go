package call

import (
	"context"
	"fmt"
	"regexp"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/postgres"
)

// newsHands is the number of statements at the same time that write news of calls.
const newsHands = 2

// sqlNews makes the moves of many calls as sqlAdvance makes one. A row that another transaction has locked is left
// out, so no call waits for another. A row whose move needs an event is held and not changed. Only an end can be
// unasked.
var sqlNews = `
	with news as materialized (
		select n.*, false as unasked, false as telling, n."to" = 'ringing' as rings, n."to" = 'in_progress' as answers,
			case n."to" when 'ringing' then array['queued'] when 'in_progress' then array['queued', 'ringing']
				else '{}' end as "from"
		from unnest(@ids::uuid[], @connection_ids::uuid[], @carrier_call_ids::text[], @attestations::text[],
			@tos::text[], @accepted::boolean[], @ats::timestamptz[])
			with ordinality n (id, connection_id, carrier_call_id, attestation, "to", accepted, at, place)),
	held as materialized (
		select c.id from call c where c.id = any(@ids) for no key update skip locked),
	changed (id, organization_id, status, started_at, answered_at, ended_at, hang_up_at, carrier_call_id, answered_by,
		settle_now) as (` + ofNews(sqlUpdate) + `
		from news n, (select clock() as t, set_config('synchronous_commit', 'off', true)) k
		where c.id = any(array(select id from held)) and` + ofNews(sqlWhere+withoutEvents(sqlUpdateFirst)) + `
		returning c.id, ` + sqlMoved + `, ` + sqlSettleNow + `)
	select n.place, u.id is not null, coalesce(u.organization_id, n.id), coalesce(u.status, ''), u.started_at,
		u.answered_at, u.ended_at, u.hang_up_at, u.carrier_call_id, coalesce(u.answered_by, ''),
		coalesce(u.settle_now, false)
	from held h join news n using (id) left join changed u using (id)`

// ofNews returns SQL with the arguments of a move as the columns of news n.
func ofNews(sql string) string { return argument.ReplaceAllString(sql, "n.$1") }

var (
	argument = regexp.MustCompile(`@([a-z_]+)`)
	news     = postgres.Compile(sqlNews)
)

// tell makes the moves of many calls. It leaves out a call that is locked, unless it waits, and the second move of one
// call.
func (s *Service) tell(ctx context.Context, moves []move, waits bool, answer func(i int, after moved)) error {
	if waits {
		after, err := s.read(s.pool.QueryRow(ctx, advance.SQL, advance.Args(moves[0].args())...), moves[0])
		if err == nil {
			answer(0, after)
		}
		return err
	}
	var (
		n            = len(moves)
		places       = make([]int, 0, n)
		ids          = make([]uuid.UUID, 0, n)
		connections  = make([]*uuid.UUID, 0, n)
		carrierIDs   = make([]*string, 0, n)
		attestations = make([]*string, 0, n)
		tos          = make([]string, 0, n)
		accepted     = make([]bool, 0, n)
		ats          = make([]time.Time, 0, n)
		seen         = make(map[uuid.UUID]struct{}, n)
	)
	for i, m := range moves {
		if _, again := seen[m.ID]; again {
			continue
		}
		seen[m.ID] = struct{}{}
		places = append(places, i)
		ids, connections = append(ids, m.ID), append(connections, postgres.OrNull(m.ConnectionID))
		carrierIDs = append(carrierIDs, postgres.OrNull(m.CarrierCallID))
		attestations = append(attestations, postgres.OrNull(string(m.Attestation)))
		tos, accepted, ats = append(tos, string(m.To)), append(accepted, m.Accepted), append(ats, m.At)
	}
	rows, err := s.pool.Query(ctx, news.SQL, news.Args(map[string]any{
		"ids": ids, "connection_ids": connections, "carrier_call_ids": carrierIDs, "attestations": attestations,
		"tos": tos, "accepted": accepted, "ats": ats,
	})...)
	if err != nil {
		return fmt.Errorf("tell news of %d calls: %w", len(ids), err)
	}
	defer rows.Close()
	for rows.Next() {
		var place int
		var a moved
		if err := rows.Scan(&place, &a.Found, &a.OrganizationID, &a.Status, &a.StartedAt, &a.AnsweredAt, &a.EndedAt,
			&a.HangUpAt, &a.CarrierCallID, &a.AnsweredBy, &a.SettleNow); err != nil {
			return fmt.Errorf("tell news of %d calls: %w", len(ids), err)
		}
		answer(places[place-1], a)
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("tell news of %d calls: %w", len(ids), err)
	}
	return nil
}
