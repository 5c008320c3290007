package project

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/postgres"
)

const (
	readyAge     = time.Hour        // the age at which passed checks are made again
	unreadyAge   = 10 * time.Minute // the same, if a check has not passed
	doubtAge     = 10 * time.Second // the same, if a check would refuse the campaign that is starting
	checkLease   = time.Minute      // longer than readinessTime
	checksAtOnce = 8                // connections that one process checks at the same time
)

// checkAgain schedules the next checks of a connection by CheckDue. CheckDue never checks the
// sandbox.
func checkAgain(ctx context.Context, tx pgx.Tx, c Connection, green bool) error {
	if c.Kind == Sandbox {
		return nil
	}
	age := unreadyAge
	if green {
		age = readyAge
	}
	return update(ctx, tx, "plan the checks of connection", c.ID,
		`update connection set check_due_at = clock() + $2::interval where id = $1`, age)
}

// CheckDue makes the checks of connections that are due, and returns how many connections were due.
// It is a periodic task. It only postpones the checks of a ready connection that has no campaigns,
// no recent calls and no phone number that was never checked, because nobody needs their results.
func (s *Service) CheckDue(ctx context.Context) (int, error) {
	type due struct {
		ID, OrganizationID uuid.UUID
		Idle               bool
	}
	// If the process dies, the connection is due again after checkLease.
	return postgres.Each(ctx, s.pool, checksAtOnce, "claim connections to check", `
		with due as (
			select id from connection
			where check_due_at <= clock() and deactivated_at is null
			order by check_due_at limit @most
			for no key update skip locked),
		claimed as (
			update connection c set check_due_at = clock() + @lease::interval from due where c.id = due.id
			returning c.id, c.organization_id)
		select c.id, c.organization_id,
		       (select bool_and(k.state in ('ok', 'not_applicable')) from connection_check k
		        where k.connection_id = c.id) is true
		       and not exists (
		         select from phone_number n join connection_check k using (connection_id)
		         where n.connection_id = c.id and n.deactivated_at is null and n.created_at >= k.checked_at)
		       and not exists (
		         select from campaign p
		         where p.organization_id = c.organization_id and p.connection_id = c.id and p.ended_at is null
		           and p.kind = 'campaign')
		       and not exists (
		         select from phone_number n
		         join phone_number_day d on d.phone_number_id = n.id and d.day >= (clock() - interval '1 day')::date
		         where n.connection_id = c.id and n.deactivated_at is null) as idle
		from claimed c`, pgx.NamedArgs{"most": checksAtOnce, "lease": checkLease}, func(c due) error {
		if c.Idle {
			return update(ctx, s.pool, "plan the checks of connection", c.ID,
				`update connection set check_due_at = clock() + $2::interval where id = $1`, readyAge)
		}
		_, err := s.CheckReadiness(ctx, account.System(c.OrganizationID), c.ID)
		if fault.KindOf(err) == fault.NotFound { // deactivated meanwhile
			return nil
		}
		return err
	})
}

// CheckIfOld makes the checks of a connection before a campaign starts, unless recent results
// exist. Results are recent for readyAge if the campaign may start, and otherwise for doubtAge, so
// that a fault that was mended does not refuse it. CheckIfOld ignores connections that are unknown,
// deactivated or of the sandbox.
func (s *Service) CheckIfOld(ctx context.Context, organizationID, connectionID uuid.UUID) error {
	c, blocking, err := Unready(ctx, s.pool, organizationID, connectionID)
	switch {
	case fault.KindOf(err) == fault.NotFound:
		return nil
	case err != nil:
		return err
	case c.Kind == Sandbox || c.DeactivatedAt != nil:
		return nil
	}
	age := readyAge
	if len(blocking) > 0 {
		age = doubtAge
	}
	var fresh bool
	err = s.pool.QueryRow(ctx, `
		select coalesce(min(checked_at) > clock() - $3::interval, false) from connection_check
		where organization_id = $1 and connection_id = $2`, organizationID, connectionID, age).Scan(&fresh)
	if err != nil {
		return fmt.Errorf("read the age of the checks of connection %s: %w", connectionID, err)
	}
	if fresh {
		return nil
	}
	_, err = s.CheckReadiness(ctx, account.System(organizationID), connectionID)
	if fault.KindOf(err) == fault.NotFound { // deactivated meanwhile
		return nil
	}
	return err
}

// NotReady is a connection whose campaigns start only if a person gives a reason.
type NotReady struct {
	Name   string
	Checks []Check // the checks that keep its campaigns from starting
}

// From returns the checks that keep campaigns from starting that call from the numbers.
func (n NotReady) From(numbers ...uuid.UUID) []Check {
	return concerning(numbers, slices.Clone(n.Checks))
}

// NotReady returns the connections of an organization that were checked and are not ready.
func (s *Service) NotReady(ctx context.Context, organizationID uuid.UUID) (map[uuid.UUID]NotReady, error) {
	list, err := postgres.Collect(ctx, s.pool, pgx.RowToStructByName[Connection], `
		select `+connectionColumns+` from connection
		where organization_id = $1 and deactivated_at is null and kind <> 'sandbox'
		  and exists (select from connection_check k where k.connection_id = connection.id)`, organizationID)
	if err != nil {
		return nil, fmt.Errorf("list the checked connections: %w", err)
	}
	unready, err := s.UnreadyOf(ctx, organizationID, list)
	if err != nil {
		return nil, err
	}
	found := map[uuid.UUID]NotReady{}
	for _, c := range list {
		if len(unready[c.ID]) > 0 {
			found[c.ID] = NotReady{Name: c.Name, Checks: unready[c.ID]}
		}
	}
	return found, nil
}
