package gate

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/dialwright/dialwright/internal/messaging"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// deferForQuota gives messages without quota an estimated due time, once per message. As soon as
// there is quota, passes read the waiting messages in the order of their creation, sooner or later
// than estimated.
func (p *pass) deferForQuota(ctx context.Context, put []candidate) error {
	places := map[uuid.UUID]int{} // number of waiting messages in each lane
	var news []candidate
	for _, m := range put {
		if m.wait == nil || *m.wait != messaging.WaitQuota {
			news = append(news, m)
			places[m.lane] = 0
		}
	}
	if len(news) == 0 {
		return nil
	}
	lanes := make([]uuid.UUID, 0, len(places))
	for lane := range places {
		lanes = append(lanes, lane)
	}
	rows, err := p.Tx.Query(ctx, `
		select w.lane, count(*) from (
			select a.lane from unnest(@lanes::uuid[]) a (lane)
			join messaging_number n on n.scope_id = @scope and n.disconnected_at is null
			join message m on m.number_id = n.id and m.lane = a.lane and m.status = 'queued'
				and m.wait_reason = 'quota') w
		group by w.lane`, pgx.NamedArgs{"lanes": lanes, "scope": p.scope.ID})
	if err != nil {
		return fmt.Errorf("count who waits for messaging scope %s: %w", p.scope.ID, err)
	}
	var lane uuid.UUID
	var ahead int
	if _, err := pgx.ForEachRow(rows, []any{&lane, &ahead}, func() error {
		places[lane] = ahead
		return nil
	}); err != nil {
		return fmt.Errorf("count who waits for messaging scope %s: %w", p.scope.ID, err)
	}
	turns := make([]int, len(news))
	for i, m := range news {
		turns[i] = places[m.lane] * len(lanes)
		places[m.lane]++
	}
	times, err := p.quotaTimes(ctx, turns)
	if err != nil {
		return err
	}
	for i, m := range news {
		p.moves = append(p.moves, messaging.Move{
			ID: m.id, Update: messaging.UpdateDeferred, Due: times[i], Wait: messaging.WaitQuota,
		})
	}
	return nil
}

// releaseCounted releases messages that wait for quota for a recipient whom this pass has admitted.
// These messages no longer need quota.
func (p *pass) releaseCounted(ctx context.Context) error {
	if len(p.sends) == 0 {
		return nil
	}
	known := make([]uuid.UUID, len(p.moves))
	for i, m := range p.moves {
		known[i] = m.ID
	}
	var recipients []string
	for _, m := range p.sends {
		recipients = append(recipients, m.message.To)
	}
	ids, err := postgres.Collect(ctx, p.Tx, pgx.RowTo[uuid.UUID], `
		select m.id from message m
		where m.organization_id in (select n.organization_id from messaging_number n where n.scope_id = @scope
			and n.disconnected_at is null)
		  and m.phone_number = any(@recipients::text[]) and m.scope_id = @scope and m.status = 'queued'
			and m.wait_reason = 'quota'
		  and not m.id = any(@known::uuid[])
		limit @most
		for no key update of m skip locked`,
		pgx.NamedArgs{"scope": p.scope.ID, "recipients": recipients, "known": known, "most": maxDeferred})
	if err != nil {
		return fmt.Errorf("find who needs no slot of messaging scope %s: %w", p.scope.ID, err)
	}
	for _, id := range ids {
		p.moves = append(p.moves, messaging.Move{
			ID: id, Update: messaging.UpdateDeferred, Due: p.scope.Now.Add(pairGap), Wait: messaging.WaitPairRate,
		})
	}
	return nil
}

// quotaTimes estimates when the scope will have quota for another recipient, for turns that begin
// at 0. At that time, enough recipients in the window, including the recipients of this pass, have
// left it.
func (p *pass) quotaTimes(ctx context.Context, turns []int) ([]time.Time, error) {
	stored := p.scope.Recipients
	inside := stored + p.scope.Free() - p.quota
	over := max(inside-p.scope.Limit, 0) // recipients who leave without freeing quota
	wanted := map[int]struct{}{}
	last := 0
	for _, turn := range turns {
		if place := (over + turn) % max(inside, 1); place < stored {
			wanted[place] = struct{}{}
			last = max(last, place)
		}
	}
	rows, err := p.Tx.Query(ctx, `
		select o.place, o.counted_at from (
			select row_number() over (order by counted_at) - 1 as place, counted_at from (
				select counted_at from messaging_ledger where scope_id = @scope
					order by counted_at limit @last + 1) r) o
		where o.place = any(@wanted::bigint[])`,
		pgx.NamedArgs{"scope": p.scope.ID, "last": last, "wanted": slices.Collect(maps.Keys(wanted))})
	if err != nil {
		return nil, fmt.Errorf("read when messaging scope %s has room: %w", p.scope.ID, err)
	}
	leaves := map[int]time.Time{}
	var place int
	var at time.Time
	if _, err := pgx.ForEachRow(rows, []any{&place, &at}, func() error {
		leaves[place] = at.Add(messaging.Window)
		return nil
	}); err != nil {
		return nil, fmt.Errorf("read when messaging scope %s has room: %w", p.scope.ID, err)
	}
	times := make([]time.Time, len(turns))
	for i, turn := range turns {
		place := (over + turn) % max(inside, 1)
		at, known := leaves[place]
		if !known { // a recipient whom this pass adds
			at = p.scope.Now.Add(messaging.Window)
		}
		// A turn beyond the current recipients waits for recipients who will be added by then: one
		// more window for every full round.
		times[i] = at.Add(time.Duration(min((over+turn)/max(inside, 1), maxWindowsAhead)) * messaging.Window)
	}
	return times, nil
}
