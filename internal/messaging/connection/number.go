package connection

import (
	"context"
	"fmt"
	"time"

	"github.com/dialwright/dialwright/internal/messaging"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// Number is a connected WhatsApp number with the quota of its scope from the last read.
type Number struct {
	ID           uuid.UUID
	ConnectionID uuid.UUID
	Connection   string // its name
	ExternalID   string
	PhoneNumber  *string // E.164
	Name         *string // as registered
	Quality      string  // in the operator's words, like Status and Tier; "" if unknown
	Status       string
	Tier         string
	PausedReason *string // why the number, or its connection, sends nothing
	PausedUntil  *time.Time
	LastError    *string // of the connection's last read; nil when it succeeded

	NameRequested *string // the display name that was reviewed last
	NameDecision  *string // in the operator's words; nil: no review is known
	NameReason    *string // why it was rejected; "" without a reason

	ScopeID uuid.UUID
	Shared  bool       // the limit belongs to a business portfolio: all its numbers share it
	Others  bool       // numbers of other organizations share it
	Limit   int        // distinct recipients in 24 hours
	Used    int        // recipients within the window
	Planned int        // queued messages of this number, counted up to maxPlanned
	FreesAt *time.Time // when the next recipient leaves the window; nil without recipients
}

// Available returns how many more recipients may get a message now.
func (n Number) Available() int { return max(n.Limit-n.Used, 0) }

// maxPlanned bounds the count of queued messages. It is the highest limit that the
// operator grants.
const maxPlanned = 100_000

// Numbers lists an organization's connected numbers, the newest connection first.
func (s *Service) Numbers(ctx context.Context, organizationID uuid.UUID) ([]Number, error) {
	numbers, err := postgres.Collect(ctx, s.pool, pgx.RowToStructByName[Number], `
		select n.id, n.connection_id, c.name as connection, n.external_id, n.phone_number, n.name, n.quality, n.status,
			s.tier,
		       coalesce(n.paused_reason, c.paused_reason) as paused_reason,
		       case when n.paused_reason is null then c.paused_until else n.paused_until end as paused_until,
		       c.last_error, n.name_requested, n.name_decision, n.name_reason,
		       n.scope_id, s.kind = 'portfolio' as shared,
		       exists (select from messaging_number o
		               where o.scope_id = n.scope_id and o.disconnected_at is null
			and o.organization_id <> n.organization_id) as others,
		       s.tier_limit as "limit", u.used,
		       (select count(*) from (
		           select from message m
			where m.number_id = n.id and m.status = 'queued' and m.wait_reason is distinct from 'quota'
		           limit @most) q)
		       + (select count(*) from (
		           select from message m where m.number_id = n.id and m.status = 'queued' and m.wait_reason = 'quota'
		           limit @most) q) as planned,
		       (select l.counted_at from messaging_ledger l
		        where l.scope_id = s.id and l.counted_at > k.t - @window::interval
		        order by l.counted_at offset greatest(u.used - s.tier_limit, 0) limit 1) + @window::interval as frees_at
		from (select clock() as t) k
		cross join messaging_number n
		join messaging_connection c on c.id = n.connection_id
		join messaging_scope s on s.id = n.scope_id
		cross join lateral (
			select s.recipients - count(*) as used from messaging_ledger l
			where l.scope_id = s.id and l.counted_at <= k.t - @window::interval) u
		where n.organization_id = @organization_id and n.disconnected_at is null
		order by c.created_at desc, c.id desc, n.created_at, n.id`,
		pgx.NamedArgs{"organization_id": organizationID, "window": messaging.Window, "most": maxPlanned})
	if err != nil {
		return nil, fmt.Errorf("list messaging numbers: %w", err)
	}
	return numbers, nil
}

// Trouble counts what an administrator should look at.
type Trouble struct {
	Exhausted int // numbers without quota
	Failing   int // connections whose last read failed, or that are paused
}

// Trouble returns the trouble of an organization.
func (s *Service) Trouble(ctx context.Context, organizationID uuid.UUID) (t Trouble, err error) {
	err = s.pool.QueryRow(ctx, `
		select (select count(*)
		        from messaging_number n
		        join messaging_scope s on s.id = n.scope_id
		        where n.organization_id = @organization_id and n.disconnected_at is null
			and s.recipients >= s.tier_limit
		          and s.recipients - (select count(*) from messaging_ledger l
		                              where l.scope_id = s.id
			and l.counted_at <= clock() - @window::interval) >= s.tier_limit),
		       (select count(*)
		        from messaging_connection
		        where organization_id = @organization_id and disconnected_at is null
		          and (last_error is not null or paused_reason is not null))`,
		pgx.NamedArgs{"organization_id": organizationID, "window": messaging.Window}).Scan(&t.Exhausted, &t.Failing)
	if err != nil {
		return Trouble{}, fmt.Errorf("look for trouble with messages: %w", err)
	}
	return t, nil
}
