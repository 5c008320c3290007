package alert

import (
	"context"
	"fmt"
	"maps"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	// quietTime is how soon an alert that was resolved is the same alert when its condition returns. So a condition
	// that comes and goes sends one email.
	quietTime = time.Hour

	// gathering is the pause before the first email of an alert, in which alerts of other kinds join it.
	gathering = 15 * time.Second

	// batch is how often a member gets emails of batched kinds at most. They go out at fixed times, so that all of them
	// become one.
	batch = 30 * time.Minute

	// kept is how long resolved alerts are listed.
	kept = 30 * 24 * time.Hour

	// sweepBatch bounds how many rows one statement deletes.
	sweepBatch = 1000
)

// Watch opens and resolves alerts, and queues the emails and digests that are due. It is a periodic task. One process
// at a time runs it, and a unique index holds even if two do.
func (s *Service) Watch(ctx context.Context) error {
	for _, c := range conditions {
		if err := s.follow(ctx, c); err != nil {
			return err
		}
	}
	if s.mail == nil {
		return nil
	}
	return s.queueDigests(ctx)
}

// follow compares the condition of one kind with its alerts. There is an email about an open alert, too, when a member
// becomes responsible for it, and when it grows. An email that waits is not queued twice.
func (s *Service) follow(ctx context.Context, c condition) error {
	args := pgx.NamedArgs{
		"kind": c.kind, "quiet": quietTime, "gathering": gathering, "mails": s.mail != nil,
		"batched": of(c.kind).batched, "batch": batch, "roles": of(c.kind).Roles,
	}
	maps.Copy(args, conditionArgs())
	_, err := s.pool.Exec(ctx, `
		with now (`+columns+`) as materialized (`+c.all()+`),
		resolved as (
			update alert a set resolved_at = clock()
			where a.kind = @kind and a.resolved_at is null and not exists (
				select from now n where n.organization_id = a.organization_id and n.subject_id = a.subject_id)
		),
		known as ( -- the open alert of each subject, or the one that is to be open again
			select distinct on (n.organization_id, n.subject_id) a.id, n.*
			from now n
			join alert a on a.organization_id = n.organization_id and a.kind = @kind and a.subject_id = n.subject_id
			where a.resolved_at is null or a.resolved_at > clock() - @quiet::interval
			order by n.organization_id, n.subject_id, a.resolved_at desc nulls first
		),
		again as (
			select k.id, k.organization_id, k.user_id from known k join alert a on a.id = k.id
			where k.user_id is not null and k.user_id is distinct from a.user_id or k.newest > a.newest
		),
		changed as (
			update alert a set name = k.name, detail = k.detail, user_id = k.user_id, resolved_at = null,
				newest = greatest(a.newest, k.newest)
			from known k
			where a.id = k.id and (a.name, a.detail, a.user_id, a.resolved_at, a.newest) is distinct from
				(k.name, k.detail, k.user_id, null::timestamptz, greatest(a.newest, k.newest))
		),
		opened as (
			insert into alert (id, organization_id, kind, subject_id, name, detail, user_id, newest)
			select gen_random_uuid(), n.organization_id, @kind, n.subject_id, n.name, n.detail, n.user_id, n.newest
			from now n
			where not exists (
				select from known k where k.organization_id = n.organization_id and k.subject_id = n.subject_id)
			on conflict (organization_id, kind, subject_id) where resolved_at is null do nothing
			returning id, organization_id, user_id
		)
		insert into alert_email (id, organization_id, user_id, alert_id, due_at)
		select gen_random_uuid(), m.organization_id, m.user_id, a.id,
		       case when @batched and a.user_id is null
		            then date_bin(@batch::interval, clock(), timestamptz '2000-01-01') + @batch::interval
		            else clock() + @gathering::interval end
		from (select * from opened union all select * from again) a
		join membership m on m.organization_id = a.organization_id
		left join alert_setting s on s.organization_id = m.organization_id and s.user_id = m.user_id
		where @mails and (a.user_id is null or a.user_id = m.user_id)
		  and not exists (
			select from alert_email e where e.alert_id = a.id and e.user_id = m.user_id and e.attempts = 0
		  )
		  and case when @kind = any(s.known) then @kind = any(s.kinds) else m.role = any(@roles) end`, args)
	if err != nil {
		return fmt.Errorf("open and resolve alerts of the kind %s: %w", c.kind, err)
	}
	return nil
}

// Sweep deletes alerts that were resolved 30 days ago. It is a periodic task.
func (s *Service) Sweep(ctx context.Context) error {
	for {
		tag, err := s.pool.Exec(ctx, `
			delete from alert where id in (
				select id from alert where resolved_at <= (select clock()) - @kept::interval
				limit @batch for update skip locked)`, pgx.NamedArgs{"kept": kept, "batch": sweepBatch})
		if err != nil {
			return fmt.Errorf("delete old alerts: %w", err)
		}
		if tag.RowsAffected() < sweepBatch {
			return nil
		}
	}
}
