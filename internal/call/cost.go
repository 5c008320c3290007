package call

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/webhook"
)

// priceReads are when the price of a call is read, after its end. A price that is known is read
// again only the last time, because the carrier may have corrected it.
var priceReads = []time.Duration{5 * time.Minute, time.Hour, 24 * time.Hour}

const (
	priceLease = time.Minute        // after this time, another process may repeat a read
	priceFirst = time.Minute        // the pause after the first error; each pause doubles
	pricePause = 6 * time.Hour      // the longest pause
	priceWait  = 4 * 24 * time.Hour // after the end of a call; after it, no error is followed by another try
)

// CostPart is a part of the cost of a call.
type CostPart struct {
	// Kind is call, transfer, recording, detection, relay or model. A transfer is a call to a destination, or to the
	// number to which an inbound call was forwarded.
	Kind   string `json:"kind"`
	Amount string `json:"amount"` // an exact decimal
	// Source is carrier: it reported the price; rate: a rate or price of the connection; or estimate: such a price of
	// tokens that were estimated.
	Source string `json:"source"`
}

// sqlModelCosts is what the tokens of call c cost, as a JSON array with an entry for each currency. It is null if no
// price was known during the call.
const sqlModelCosts = `(
	select jsonb_agg(jsonb_build_object('currency', m.currency, 'amount', m.amount, 'estimated', m.estimated)
		order by m.amount desc, m.currency)
	from (
		select e -> 'cost' ->> 'currency' as currency, sum((e -> 'cost' ->> 'amount')::numeric) as amount,
		       bool_or((e -> 'estimated')::boolean) as estimated
		from jsonb_path_query(c.analysis, '$.model.connections[*] ? (@.cost.amount != null)') e
		group by 1
	) m)`

// sqlTransfers are the carrier's IDs of the calls to the destinations where somebody answered, for call c, and of the
// call to the number to which it was forwarded.
const sqlTransfers = `array(
	select id from (
		select t.number, t.carrier_call_id as id from call_transfer t where t.call_id = c.id
		union all
		select 0, f.reception ->> 'forwarded_call_id' from call f where f.id = c.id
	) other
	where id is not null
	order by number)`

// Cost is what a call cost, as the API prints it.
type Cost struct {
	Amount   string     `json:"amount"` // an exact decimal
	Currency string     `json:"currency"`
	Parts    []CostPart `json:"parts"`
}

// queuePrices adds to a batch the reads of the prices of calls that are being settled. Without a
// carrier's ID, a call was never placed and costs nothing.
func queuePrices(batch *pgx.Batch, calls []uuid.UUID) {
	batch.Queue(`
		insert into call_price_due (call_id, organization_id, connection_id, campaign_id, month, carrier_call_id,
			transfers, answered, model_costs, ended_at, due_at)
		select c.id, c.organization_id, c.connection_id, c.campaign_id,
		       date_trunc('month', c.created_at at time zone o.time_zone)::date, c.carrier_call_id,
		       `+sqlTransfers+`, c.answered_at is not null, `+sqlModelCosts+`, c.ended_at, c.ended_at + $2::interval
		from call c
		join organization o on o.id = c.organization_id
		where c.id = any($1) and c.carrier_call_id is not null
		order by c.id
		on conflict (call_id) do nothing`, calls, priceReads[0])
}

// priceDue is a price to read.
type priceDue struct {
	CallID        uuid.UUID
	ConnectionID  uuid.UUID
	CarrierCallID string
	RecordingID   string
	Transfers     []string // calls to destinations
	Reads         int
	Errors        int
	EndedAt       time.Time
	Now           time.Time
}

// ReadPrices reads the prices that are due, and returns their number. Call it again at once if that
// is not 0. Any number of processes may run it at the same time, and any may be killed, because a
// read may be repeated.
func (s *Service) ReadPrices(ctx context.Context) (int, error) {
	return postgres.Each(ctx, s.pool, reconcileWorkers, "find prices to read", `
		update call_price_due d set
			due_at = k.t + @lease,
			recording_id = coalesce(d.recording_id, (select c.recording_id from call c where c.id = d.call_id)),
			-- A person may have answered at the moment of the settlement.
			transfers = case when k.reached > d.transfers then k.reached else d.transfers end
		from (
			select d.call_id, k.t, c.reached
			from call_price_due d
			cross join (select clock() as t) k
			cross join lateral (select `+strings.ReplaceAll(sqlTransfers, "c.id", "d.call_id")+` as reached) c
			where d.due_at <= k.t
			order by d.due_at limit @most
			for update of d skip locked
		) k
		where d.call_id = k.call_id
		returning d.call_id, d.connection_id, d.carrier_call_id, coalesce(d.recording_id, '') as recording_id,
			d.transfers, d.reads, d.errors, d.ended_at, k.t as now`,
		pgx.NamedArgs{"lease": priceLease, "most": reconcileWorkers},
		func(d priceDue) error { return s.readPrice(ctx, d) })
}

// readPrice asks the carrier for the price of one call and stores the answer.
func (s *Service) readPrice(ctx context.Context, d priceDue) error {
	charged, err := s.askPrice(ctx, d)
	switch {
	case errors.Is(err, carrier.ErrUnknownCall): // and it never will be known
		return s.stopPricing(ctx, d)
	case ctx.Err() != nil:
		return nil // the lease expires
	case err != nil:
		return s.postponePrice(ctx, d, err)
	}
	last := d.Reads+1 >= len(priceReads)
	return postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error { return s.storePrice(ctx, tx, d, charged, last) })
}

// charges are what the carrier charged for a call and its recording.
type charges struct {
	currency        string   // empty: not known yet
	call, recording string   // exact decimals; empty: not known yet, or none
	transfers       []string // the prices of the calls to destinations; nil: not all are known yet
}

func (s *Service) askPrice(ctx context.Context, d priceDue) (charges, error) {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	network, err := s.carriers(ctx, d.ConnectionID)
	if err != nil {
		return charges{}, &carrier.Error{Kind: carrier.Unusable, Reason: readable(err), Err: err}
	}
	call, err := network.CallPrice(ctx, d.CarrierCallID)
	if err != nil {
		return charges{}, err
	}
	charged := charges{currency: call.Currency, call: call.Amount, transfers: []string{}}
	for _, id := range d.Transfers {
		other, err := network.CallPrice(ctx, id)
		if err != nil && !errors.Is(err, carrier.ErrUnknownCall) {
			return charges{}, err
		}
		if other.Amount == "" || other.Currency != call.Currency { // amounts of different currencies have no sum
			charged.transfers = nil
			break
		}
		charged.transfers = append(charged.transfers, other.Amount)
	}
	if d.RecordingID == "" {
		return charged, nil
	}
	recording, err := network.RecordingPrice(ctx, d.RecordingID)
	switch {
	case errors.Is(err, carrier.ErrUnknownCall): // a deleted recording has no price
	case err != nil:
		return charges{}, err
	case recording.Currency == call.Currency:
		charged.recording = recording.Amount
	}
	return charged, nil
}

// postponePrice schedules another try after an error. A price that could not be read for days is
// given up, such as that of an account that was closed.
func (s *Service) postponePrice(ctx context.Context, d priceDue, cause error) error {
	if d.Now.Sub(d.EndedAt) > priceWait {
		s.log.WarnContext(ctx, "the price of a call is not read again", "call", d.CallID, "connection", d.ConnectionID,
			"error", cause)
		return s.stopPricing(ctx, d)
	}
	pause := min(priceFirst<<min(d.Errors, 20), pricePause)
	_, err := s.pool.Exec(ctx, `
		update call_price_due set due_at = clock() + $2::interval, errors = errors + 1 where call_id = $1`,
		d.CallID, pause)
	if err != nil {
		return fmt.Errorf("postpone the price of call %s: %w", d.CallID, err)
	}
	return nil
}

// stopPricing ends the reads of the price of a call. An answered one still counts as a call whose price is not known.
// What its tokens cost is known.
func (s *Service) stopPricing(ctx context.Context, d priceDue) error {
	return postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error { return s.storePrice(ctx, tx, d, charges{}, true) })
}

// storeCost writes the cost of a call, adds the change to the totals, and returns it for queueCostChanges. A part
// that the carrier no longer shows, such as that of a deleted recording, keeps its last price. The price of a call that
// was transferred is known when those of all its phones are. No line is open during a transfer. A call that nobody
// answered and that has no price in the end cost nothing. Tokens of a language model join the parts if their currency
// is the carrier's, or if the carrier told no price in the end. Those in other currencies count in the totals only. A
// call without a carrier's price is not added to the answered ones, because budgets still count it at their average.
var storeCost = postgres.Compile(`
	with known as (
		select c.id, c.organization_id, c.project_id, c.campaign_id, c.cost, c.cost_currency, c.cost_parts,
		       (c.outcome = 'completed')::int as completed, d.answered::int as answered,
		       charged.priced, (d.answered and charged.priced)::int as counted, d.month, money.currency, p.total,
		       p.parts,
		       d.model_costs
		from call c
		join call_price_due d on d.call_id = c.id
		join connection n on n.id = c.connection_id
		cross join lateral (
			select coalesce(@call::numeric, case when @last::boolean and not d.answered then 0 end) as call,
			       @currency::text as currency
		) told
		cross join lateral (
			select coalesce(
				(select sum(price) from unnest(@transfers::numeric[]) price),
				(select (part ->> 'amount')::numeric from jsonb_array_elements(c.cost_parts) part
				 where part ->> 'kind' = 'transfer')) as amount
		) others
		cross join lateral (
			select told.call is not null and told.currency is not null
			       and (cardinality(d.transfers) = 0 or others.amount is not null) as priced,
			       told.call, others.amount as transfer,
			       coalesce(@recording::numeric, (
				select (part ->> 'amount')::numeric from jsonb_array_elements(c.cost_parts) part
				where part ->> 'kind' = 'recording')) as recording,
			       case when c.answered_at is not null and c.detection <> 'off' then n.detection_rate end as detection,
			       -- A forwarded call has no line.
			       case when c.answered_at is not null
				and coalesce(c.ended_reason, '') not in ('line_failed', 'forwarded')
				-- The caller hung up before the message of a call that was to be forwarded.
				and not (coalesce(c.reception ->> 'action' = 'forward' or (c.reception -> 'forwarded')::boolean, false)
					and not exists (select from call_turn t where t.call_id = c.id)) then
				n.relay_rate * greatest(ceil(extract(epoch from c.ended_at - c.answered_at - coalesce((
					select sum(least(t.ended_at, c.ended_at) - t.dialed_at) from call_transfer t
					where t.call_id = c.id and t.dialed_at < c.ended_at), '0')) / 60), 1) end as relay
		) charged
		cross join lateral (
			select case when charged.priced then told.currency else d.model_costs -> 0 ->> 'currency' end as currency
		) money
		cross join lateral (
			select sum(amount) as total,
			       jsonb_agg(jsonb_build_object('kind', kind, 'amount', trim_scale(amount)::text, 'source', source)
				order by position) as parts
			from (
				select * from (values
					(1, 'call', 'carrier', charged.call), (2, 'transfer', 'carrier', charged.transfer),
					(3, 'recording', 'carrier', charged.recording),
					(4, 'detection', 'rate', charged.detection), (5, 'relay', 'rate', charged.relay)
				) part (position, kind, source, amount)
				where charged.priced
				union all
				select 6, 'model', case when m.estimated then 'estimate' else 'rate' end, m.amount
				from jsonb_to_recordset(d.model_costs) m (currency text, amount numeric, estimated boolean)
				where m.currency = money.currency
			) part (position, kind, source, amount)
			where amount is not null
		) p
		where c.id = @id and (charged.priced or @last and d.model_costs is not null)
	), changed as (
		update call c set cost = k.total, cost_currency = k.currency, cost_parts = k.parts
		from known k
		where c.id = k.id and (c.cost, c.cost_currency, c.cost_parts) is distinct from (k.total, k.currency, k.parts)
		returning c.id
	), change as (
		select organization_id, project_id, campaign_id, month, currency, sum(amount) as amount, sum(model) as model,
		       sum(calls) as calls, sum(completed) as completed, sum(answered) as answered
		from (
			select organization_id, project_id, campaign_id, month, currency, total as amount, 0 as model, 1 as calls,
				completed, counted as answered
			from known
			union all
			select organization_id, project_id, campaign_id, month, cost_currency, -cost, 0, -1, -completed, -answered
			from known
			where cost is not null
			union all
			select k.organization_id, k.project_id, k.campaign_id, k.month, m.currency,
			       case when m.currency = each.currency then 0 else m.amount * each.sign end, m.amount * each.sign,
			       case when m.currency = each.currency then 0 else each.sign end,
			       case when m.currency = each.currency then 0 else each.sign * k.completed end, 0
			from known k
			cross join lateral (values (1, k.currency), (-1, k.cost_currency)) each (sign, currency)
			cross join lateral jsonb_to_recordset(k.model_costs) m (currency text, amount numeric)
			where each.sign > 0 or k.cost is not null
		) c
		where exists (select from changed)
		group by organization_id, project_id, campaign_id, month, currency
		having sum(amount) <> 0 or sum(model) <> 0 or sum(calls) <> 0 or sum(completed) <> 0 or sum(answered) <> 0
	), added as (
		insert into cost_total as t (organization_id, project_id, campaign_id, month, currency, amount, model, calls,
			completed, answered)
		select * from change
		order by currency
		on conflict on constraint cost_total_unique do update set
			amount = t.amount + excluded.amount, model = t.model + excluded.model, calls = t.calls + excluded.calls,
			completed = t.completed + excluded.completed, answered = t.answered + excluded.answered
	)
	select k.organization_id, k.priced, exists (select from changed),
	       (select coalesce(jsonb_agg(change), '[]')::text from change)
	from known k`)

// storePrice stores what the carrier charged for a call, and schedules the next read or ends them.
func (s *Service) storePrice(ctx context.Context, tx pgx.Tx, d priceDue, charged charges, last bool) error {
	var organization uuid.UUID
	var priced, changed bool
	changes := []string{"[]", "[]"} // for queueCostChanges
	batch := &pgx.Batch{}
	QueueLock(batch, d.CallID)
	batch.Queue(storeCost.SQL, storeCost.Args(pgx.NamedArgs{
		"id": d.CallID, "call": postgres.OrNull(charged.call), "recording": postgres.OrNull(charged.recording),
		"transfers": charged.transfers, "currency": postgres.OrNull(charged.currency), "last": last,
	})...).QueryRow(func(row pgx.Row) error {
		err := row.Scan(&organization, &priced, &changed, &changes[0])
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		return err
	})
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("store the price of call %s: %w", d.CallID, err)
	}
	reads := d.Reads + 1
	if priced {
		reads = max(reads, len(priceReads)-1)
	}
	due, args := `delete from call_price_due where call_id = $1 returning *`, []any{d.CallID, priced}
	if !last {
		due = `
			select * from call_price_due where call_id = $1 for update
		), scheduled as (
			update call_price_due d set
				reads = $3, errors = 0, priced = $2, due_at = greatest(d.ended_at + $4::interval, clock())
			from due where d.call_id = due.call_id`
		args = append(args, reads, priceReads[reads])
	}
	err := tx.QueryRow(ctx, `
		with due as (`+due+`)
		select coalesce(jsonb_agg(jsonb_build_object(
			'organization_id', organization_id, 'campaign_id', campaign_id, 'month', month, 'amount', 0, 'answered', -1
		)), '[]')::text
		from due where answered and not priced and $2`, args...).Scan(&changes[1])
	if err != nil {
		return fmt.Errorf("schedule the price of call %s: %w", d.CallID, err)
	}
	if changed {
		if err := s.emitOne(ctx, tx, webhook.CallPriced, organization, d.CallID); err != nil {
			return err
		}
	}
	return applyCostChanges(ctx, tx, changes...)
}

// AddCosts adds the calls of campaigns to the sums of costs. The calls were inserted with what they cost, and no sum
// has them yet. Call it last in the transaction.
func AddCosts(ctx context.Context, tx pgx.Tx, campaigns []uuid.UUID) error {
	var changes string
	err := tx.QueryRow(ctx, `
		with change as (
			select c.organization_id, c.project_id, c.campaign_id,
			       date_trunc('month', c.created_at at time zone o.time_zone)::date as month,
			       c.cost_currency as currency, sum(c.cost) as amount, count(*) as calls,
			       count(*) filter (where c.outcome = 'completed') as completed, count(c.answered_at) as answered
			from call c
			join organization o on o.id = c.organization_id
			where c.campaign_id = any($1) and c.cost is not null
			group by 1, 2, 3, 4, 5
		), added as (
			insert into cost_total as t (organization_id, project_id, campaign_id, month, currency, amount, model,
				calls, completed, answered)
			select organization_id, project_id, campaign_id, month, currency, amount, 0, calls, completed, answered
			from change
			order by campaign_id, month, currency
		), days as (
			insert into cost_day (organization_id, project_id, campaign_id, agent_id, phone_number_id, direction, day,
				currency, amount, model, calls, completed)
			select c.organization_id, c.project_id, c.campaign_id, c.agent_id, n.phone_number_id, c.direction,
			       (c.created_at at time zone o.time_zone)::date, c.cost_currency, sum(c.cost), 0, count(*),
			       count(*) filter (where c.outcome = 'completed')
			from call c
			join organization o on o.id = c.organization_id
			cross join lateral (values (null::uuid), (c.phone_number_id)) n (phone_number_id)
			where c.campaign_id = any($1) and c.cost is not null
			group by 1, 2, 3, 4, 5, 6, 7, 8
		)
		select coalesce(jsonb_agg(change), '[]')::text from change`, campaigns).Scan(&changes)
	if err != nil {
		return fmt.Errorf("add what the calls of %d campaigns cost: %w", len(campaigns), err)
	}
	return applyCostChanges(ctx, tx, changes)
}
