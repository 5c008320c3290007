package connection

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/messaging"
)

// Quota reads the quota of every number of an organization at the operator. Errors:
// Unavailable when the channel is off; BadGateway when one of the connections cannot be
// read.
func (s *Service) Quota(ctx context.Context, organizationID uuid.UUID) ([]messaging.Quota, error) {
	if !s.messages.On() {
		return nil, messaging.ErrOff
	}
	return s.asked(ctx, organizationID, "")
}

// QuotaOf is Quota for one number. It reads only the number's connection. Errors:
// NotFound when the organization does not have the number; Unavailable; BadGateway.
func (s *Service) QuotaOf(ctx context.Context, organizationID uuid.UUID, externalID string) (messaging.Quota, error) {
	if !s.messages.On() {
		return messaging.Quota{}, messaging.ErrOff
	}
	quotas, err := s.asked(ctx, organizationID, externalID)
	return oneOf(quotas, externalID, err)
}

// LastQuotaOf is QuotaOf from the last read. It does not ask the operator. Error:
// NotFound.
func (s *Service) LastQuotaOf(
	ctx context.Context, organizationID uuid.UUID, externalID string,
) (messaging.Quota, error) {
	quotas, _, err := s.quotas(ctx, organizationID, externalID)
	return oneOf(quotas, externalID, err)
}

// oneOf returns the quota of one number. Error: NotFound.
func oneOf(quotas []messaging.Quota, externalID string, err error) (messaging.Quota, error) {
	if err != nil {
		return messaging.Quota{}, err
	}
	for _, q := range quotas {
		if q.ExternalID == externalID {
			return q, nil
		}
	}
	return messaging.Quota{}, fault.NotFoundf("WhatsApp number")
}

// asked reads the connections at the operator and returns the quotas.
func (s *Service) asked(ctx context.Context, organizationID uuid.UUID, externalID string) ([]messaging.Quota, error) {
	quotas, connections, err := s.quotas(ctx, organizationID, externalID)
	if err != nil {
		return nil, err
	}
	var group errgroup.Group
	var once sync.Once
	var asked bool
	for _, c := range connections {
		if c.age != nil && *c.age < reuseAge && s.mayReuse(c.id) {
			continue
		}
		group.Go(func() error {
			once.Do(func() { asked = true })
			return s.read(ctx, connectionRef{organizationID: organizationID, connectionID: c.id}, false)
		})
	}
	if err := group.Wait(); err != nil {
		return nil, errUnreachable.Because(err)
	}
	if asked {
		quotas, _, err = s.quotas(ctx, organizationID, externalID)
	}
	return quotas, err
}

// LastQuota is Quota from the last read, for callers that prefer it to an error. Error:
// Unavailable when the channel is off.
func (s *Service) LastQuota(ctx context.Context, organizationID uuid.UUID) ([]messaging.Quota, error) {
	if !s.messages.On() {
		return nil, messaging.ErrOff
	}
	quotas, _, err := s.quotas(ctx, organizationID, "")
	return quotas, err
}

// known is a connection and the age of its last read. nil: it must be read again, also
// after a failed read.
type known struct {
	id  uuid.UUID
	age *time.Duration
}

// quotas reads the stored quotas in one round trip: one row of each scope, and the
// entries of its ledger that have left the window but were not cleared yet. With an
// external ID it reads only the connection of that number.
func (s *Service) quotas(
	ctx context.Context, organizationID uuid.UUID, externalID string,
) ([]messaging.Quota, []known, error) {
	rows, err := s.pool.Query(ctx, `
		select c.id, case when c.last_error is null then k.t - c.read_at end, n.external_id, n.name, s.tier_limit,
			s.recipients - (
			select count(*) from messaging_ledger l
			where l.scope_id = s.id and l.counted_at <= k.t - @window::interval)
		from (select clock() as t) k
		cross join messaging_connection c
		left join messaging_number n on n.connection_id = c.id and n.disconnected_at is null
		left join messaging_scope s on s.id = n.scope_id
		where c.organization_id = @organization_id and c.disconnected_at is null
		  and (@external_id = '' or n.external_id = @external_id)
		order by c.created_at desc, c.id desc, n.created_at, n.id`,
		pgx.NamedArgs{"organization_id": organizationID, "external_id": externalID, "window": messaging.Window})
	if err != nil {
		return nil, nil, fmt.Errorf("read quotas: %w", err)
	}
	quotas, connections := []messaging.Quota{}, []known(nil)
	var c known
	var number, name *string
	var tier, used *int
	_, err = pgx.ForEachRow(rows, []any{&c.id, &c.age, &number, &name, &tier, &used}, func() error {
		if n := len(connections); n == 0 || connections[n-1].id != c.id {
			connections = append(connections, c)
		}
		if number != nil {
			quotas = append(quotas, messaging.Quota{ExternalID: *number, Name: name, Tier: *tier, Used: *used})
		}
		c.age, number, name, tier, used = nil, nil, nil, nil, nil
		return nil
	})
	if err != nil {
		return nil, nil, fmt.Errorf("read quotas: %w", err)
	}
	return quotas, connections, nil
}
