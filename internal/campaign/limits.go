package campaign

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/call"
)

type limitsOfOrganization struct {
	Stopped        bool
	MaxConcurrency *int
}

type limitsOfConnection struct {
	Gone              bool
	Kind              string
	Name              string
	CallsPerSecond    *float64
	MaxConcurrency    *int
	PaceAt            *time.Time
	ConsecutiveErrors int
	LastError         *string
}

type limitsOfNumber struct {
	Gone           bool
	PhoneNumber    string
	MaxConcurrency *int
}

type limitsOfCampaign struct {
	locked
	ProjectID          uuid.UUID
	AgentID            uuid.UUID
	CallingHours       json.RawMessage
	MaxConcurrency     int
	CallsPerSecond     float64
	MessagingTrigger   *Trigger
	VoicemailAction    call.VoicemailAction
	RingTimeoutSeconds int
	MaxDurationSeconds int
	PaceAt             *time.Time
	DialAt             *time.Time
	WaitingAt          *time.Time
	HasWaiting         bool
	Held               *string
}

// liveCalls are the calls in flight, counted in a statement after the one that
// locked: a count in the locking statement would not see what the lock waited
// for. Where there is no limit there is no count.
type liveCalls struct {
	Now          time.Time
	AgentGone    bool
	Organization int
	Connection   int
	Number       int
	Campaign     int
}

// sqlShort begins a transaction that runs many times a second: it waits for no
// row for long, and plans nothing again that costs more to plan than to run.
const sqlShort = `select set_config('lock_timeout', $1, true), set_config('plan_cache_mode', 'force_generic_plan', true)`

// lockAll takes the rows that carry limits, in the one order, and counts.
func (l *look) lockAll(ctx context.Context) error {
	args := pgx.NamedArgs{"organization_id": l.OrganizationID, "connection_id": l.ConnectionID, "phone_number_id": l.PhoneNumberID, "id": l.ID}
	batch := &pgx.Batch{}
	batch.Queue(sqlShort, lockWait)
	one(batch, &l.organization, args, `
		select calling_stopped_at is not null as stopped, max_concurrency
		from organization where id = @organization_id
		for no key update`)
	one(batch, &l.connection, args, `
		select deactivated_at is not null as gone, kind, name, calls_per_second, max_concurrency, pace_at, consecutive_errors, last_error
		from connection where organization_id = @organization_id and id = @connection_id
		for no key update`)
	one(batch, &l.number, args, `
		select deactivated_at is not null as gone, phone_number, max_concurrency
		from phone_number where organization_id = @organization_id and id = @phone_number_id
		for no key update`)
	one(batch, &l.campaign, args, `
		select `+lockedColumns+`, project_id, agent_id, calling_hours, messaging_trigger, max_concurrency, calls_per_second, voicemail_action,
		       ring_timeout_seconds, max_duration_seconds, pace_at, dial_at, waiting_at, waiting <> '[]' as has_waiting, held
		from campaign where organization_id = @organization_id and id = @id
		for no key update`)
	one(batch, &l.live, args, `
		select clock() as now,
		       (select deactivated_at is not null from agent a
		        where a.id = (select agent_id from campaign where id = @id)) as agent_gone,
		       (select count(*) from call where campaign_id = @id and settled_at is null and ended_at is null) as campaign,
		       (select case when max_concurrency is null then 0 else
		          (select count(*) from call where phone_number_id = n.id and ended_at is null) end
		        from phone_number n where id = @phone_number_id) as number,
		       (select case when max_concurrency is null then 0 else
		          (select count(*) from call where connection_id = n.id and ended_at is null) end
		        from connection n where id = @connection_id) as connection,
		       (select case when max_concurrency is null then 0 else
		          (select count(*) from call where organization_id = n.id and ended_at is null) end
		        from organization n where id = @organization_id) as organization`)
	if err := l.tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("lock the limits of campaign %s: %w", l.ID, err)
	}
	return nil
}

// one queues a statement that reads exactly one row into dst.
func one[T any](batch *pgx.Batch, dst *T, args pgx.NamedArgs, sql string) {
	batch.Queue(sql, args).Query(func(rows pgx.Rows) (err error) {
		*dst, err = pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[T])
		return err
	})
}

// free is how many more calls the limits of concurrency allow, and which of
// them is the narrowest.
func (l *look) free() (n int, bound string) {
	n, bound = l.campaign.MaxConcurrency-l.live.Campaign, WaitCampaignConcurrency
	for _, limit := range []struct {
		most   *int
		live   int
		reason string
	}{
		{l.number.MaxConcurrency, l.live.Number, WaitNumberConcurrency},
		{l.connection.MaxConcurrency, l.live.Connection, WaitConnectionConcurrency},
		{l.organization.MaxConcurrency, l.live.Organization, WaitOrganizationConcurrency},
	} {
		if limit.most != nil && *limit.most-limit.live < n {
			n, bound = *limit.most-limit.live, limit.reason
		}
	}
	return max(n, 0), bound
}
