package webhook

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/page"
)

const (
	// MaxWait is the longest time that Events waits for an event.
	MaxWait = 25 * time.Second

	// eventPoll is how often a waiting reader looks: a wake-up may be lost, or come while an older transaction is
	// still open.
	eventPoll = 500 * time.Millisecond

	// maxPageBytes ends a page of large events before its limit. The event that passes it is the last of the page.
	maxPageBytes = 4 << 20

	// maxFiltered bounds the events that one page with a filter reads. A page that reaches it may be empty.
	maxFiltered = 5000
)

// Starts of a list without a cursor.
const (
	StartOldest Start = "oldest"
	StartNow    Start = "now"
)

// Start is where a list of events without a cursor begins.
type Start string

// Starts are all starts.
var Starts = []Start{StartOldest, StartNow}

// EventFilter selects events. Zero fields filter nothing.
type EventFilter struct {
	Page  page.Request
	Types []Type        // any of them
	About About         // nil: any
	Start Start         // without a cursor; "" means StartOldest
	Wait  time.Duration // for the first event, at most MaxWait

	Closing <-chan struct{} // ends the wait; nil: nothing does
}

// StoredEvent is an event of the list: its payload, as a delivery has it.
type StoredEvent struct{ Payload json.RawMessage }

// Resource is the payload.
func (e StoredEvent) Resource() json.RawMessage { return e.Payload }

// EventList is a page of events, oldest first. Unlike other lists it has no end: the cursor of the last page finds the
// events that follow.
type EventList struct {
	Data       []json.RawMessage `json:"data"`
	HasMore    bool              `json:"has_more"`
	NextCursor string            `json:"next_cursor"`
}

// committed is the SQL of the first transaction that may still write events. All events of earlier transactions are
// visible, or never will be.
//
// Transactions commit in another order than they begin. A reader that has seen the event of a later transaction would
// skip the event of an earlier one that commits afterwards, if time or id were the order. So the order is the number of
// the transaction, and the list ends before the oldest transaction that is open. Numbers are given by a transaction's
// first change, so a backup that only reads delays nothing. Transactions of other databases of the same server have
// numbers too, but write no events here.
const committed = `(
	select coalesce(
		(select min(x.id) from pg_snapshot_xip(pg_current_snapshot()) as x (id)
		 where not exists (
			select from pg_stat_activity a where a.backend_xid = x.id::xid and a.datname <> current_database())),
		pg_snapshot_xmax(pg_current_snapshot())))`

// Events reads a page of an organization's events, oldest first. Tests are left out. From the first time on, all events
// of the organization are stored, until it has not asked for as long as events are kept. Errors: Invalid.
func (s *Service) Events(ctx context.Context, organizationID uuid.UUID, f EventFilter) (EventList, error) {
	if err := f.Page.Check(); err != nil {
		return EventList{}, err
	}
	if err := f.Page.CheckTag(); err != nil {
		return EventList{}, err
	}
	var p fault.Problems
	fault.OneOf(&p, "type", f.Types, Types())
	fault.OneOf(&p, "start", page.Only(f.Start), Starts)
	if f.Wait < 0 || f.Wait > MaxWait {
		p.Addf("wait", "must be between 0 and %d", MaxWait/time.Second)
	}
	if err := p.Err(); err != nil {
		return EventList{}, err
	}
	woken, cancel := s.hub.Subscribe(Topic)
	defer cancel()
	// Before the list is read, so that the events after a StartNow are stored.
	_, err := s.pool.Exec(ctx, `
		insert into event_reader as r (organization_id, read_at) values ($1, clock())
		on conflict (organization_id) do update set read_at = clock() where r.read_at < clock() - interval '1 hour'`,
		organizationID)
	if err != nil {
		return EventList{}, fmt.Errorf("store who lists events: %w", err)
	}
	after, err := s.eventsFrom(ctx, organizationID, f)
	if err != nil {
		return EventList{}, err
	}
	over := time.After(f.Wait)
	for {
		list, last, err := s.events(ctx, organizationID, f, after)
		if err != nil || len(list.Data) > 0 || list.HasMore || f.Wait == 0 {
			return list, err
		}
		after = last
		select {
		case <-woken:
		case <-time.After(eventPoll):
		case <-over:
			return list, nil
		case <-f.Closing:
			return list, nil
		case <-ctx.Done(): // the client has gone
			return list, nil
		}
	}
}

// eventPosition is the place of an event in the list.
type eventPosition struct {
	transaction int64
	id          uuid.UUID
}

// eventsFrom returns the position after which a page begins.
func (s *Service) eventsFrom(
	ctx context.Context, organizationID uuid.UUID, f EventFilter,
) (at eventPosition, err error) {
	switch {
	case f.Page.Cursor != "":
		at.transaction, at.id = f.Page.Numbered()
		// A restored database counts its transactions from the start again, see AdoptEvents. So does the one to which
		// an organization has moved with its events, which kept their order.
		err = s.pool.QueryRow(ctx, `
			select coalesce(
				(select transaction_id::text::bigint from event where id = $2 and organization_id = $3),
				case when $1 < pg_snapshot_xmax(pg_current_snapshot())::text::bigint then $1::bigint else 0 end)`,
			at.transaction, at.id, organizationID).Scan(&at.transaction)
	case f.Start == StartNow:
		err = s.pool.QueryRow(ctx, `select `+committed+`::text::bigint`).Scan(&at.transaction)
	}
	if err != nil {
		return at, fmt.Errorf("find the first event of a page: %w", err)
	}
	return at, nil
}

// condition returns the SQL condition of the filters; empty: none.
func (f EventFilter) condition() string {
	var all []string
	if len(f.Types) > 0 {
		all = append(all, `type = any(@types)`)
	}
	if f.About.ProjectID != nil {
		all = append(all, `project_id = @project_id`)
	}
	if f.About.CampaignID != nil {
		all = append(all, `campaign_id = @campaign_id`)
	}
	if f.About.AgentID != nil {
		all = append(all, `agent_id = @agent_id`)
	}
	if all == nil {
		return ""
	}
	return `where ` + strings.Join(all, ` and `)
}

// events reads the page after a position, and the position of the last event that it looked at.
func (s *Service) events(
	ctx context.Context, organizationID uuid.UUID, f EventFilter, after eventPosition,
) (EventList, eventPosition, error) {
	limit := f.Page.Size()
	look := limit + 1 // the extra row shows whether another page follows
	condition := f.condition()
	if condition != "" {
		look = maxFiltered
	}
	rows, err := s.pool.Query(ctx, `
		with looked as materialized (
			select transaction_id, id, type, project_id, campaign_id, agent_id from event
			where organization_id = @organization_id and (transaction_id, id) > (@transaction::text::xid8, @id)
			  and transaction_id < `+committed+` and not is_test
			order by transaction_id, id limit @look
		), chosen as (
			select transaction_id, id from looked `+condition+` order by transaction_id, id limit @most
		), last as (
			select transaction_id, id from looked order by transaction_id desc, id desc limit 1
		)
		select c.transaction_id::text::bigint, c.id, e.payload, 0 as looked
		from chosen c join event e on e.id = c.id
		union all
		select transaction_id::text::bigint, id, null, (select count(*)::int from looked) from last
		order by looked, 1, 2`, pgx.NamedArgs{
		"organization_id": organizationID, "transaction": fmt.Sprint(after.transaction), "id": after.id,
		"look": look, "most": limit + 1, "types": f.Types, "project_id": f.About.ProjectID,
		"campaign_id": f.About.CampaignID, "agent_id": f.About.AgentID,
	})
	if err != nil {
		return EventList{}, after, fmt.Errorf("list events: %w", err)
	}
	list := EventList{Data: []json.RawMessage{}}
	var at eventPosition
	var payload *string // nil: the last event that was looked at
	bytes, looked := 0, 0
	_, err = pgx.ForEachRow(rows, []any{&at.transaction, &at.id, &payload, &looked}, func() error {
		switch {
		case payload == nil && !list.HasMore:
			after, list.HasMore = at, looked == look
		case payload == nil:
		case len(list.Data) == limit || bytes > maxPageBytes:
			list.HasMore = true
		default:
			list.Data = append(list.Data, json.RawMessage(*payload))
			bytes += len(*payload)
			after = at
		}
		return nil
	})
	if err != nil {
		return EventList{}, after, fmt.Errorf("list events: %w", err)
	}
	list.NextCursor = f.Page.NextNumbered(after.transaction, after.id)
	return list, after, nil
}

// Event reads an event. Its deliveries are not needed for it. Errors: NotFound.
func (s *Service) Event(ctx context.Context, organizationID, id uuid.UUID) (StoredEvent, error) {
	var payload string
	err := s.pool.QueryRow(ctx, `
		select payload from event where id = @id and organization_id = @organization_id`,
		pgx.NamedArgs{"id": id, "organization_id": organizationID}).Scan(&payload)
	if errors.Is(err, pgx.ErrNoRows) {
		return StoredEvent{}, fault.NotFoundf("Event")
	}
	if err != nil {
		return StoredEvent{}, fmt.Errorf("read event %s: %w", id, err)
	}
	return StoredEvent{json.RawMessage(payload)}, nil
}

// AdoptEvents puts the events of a restored backup before all later events. A backup keeps the numbers of transactions
// that its server gave, and another server begins with low numbers again. Call it before the first event is written.
func (s *Service) AdoptEvents(ctx context.Context) error {
	_, err := s.pool.Exec(ctx, `
		update event e set transaction_id = '0'
		from organization o
		where e.organization_id = o.id and e.transaction_id >= pg_snapshot_xmax(pg_current_snapshot())`)
	if err != nil {
		return fmt.Errorf("adopt the events of a backup: %w", err)
	}
	return nil
}
