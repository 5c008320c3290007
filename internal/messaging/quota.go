package messaging

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"
)

// Quota is what one number may still start.
type Quota struct {
	ExternalID string
	Name       *string // as registered
	Tier       int     // distinct recipients in 24 hours, of all numbers of its scope
	Used       int     // of them in the window, campaigns and single sends of all these numbers together
}

// Available is how many more recipients may be written to now.
func (q Quota) Available() int { return max(q.Tier-q.Used, 0) }

// Quota asks the operator about every number of an organization. Errors:
// Unavailable when the channel is off; BadGateway when one of the organization's
// connections can't be read.
func (s *Service) Quota(ctx context.Context, organizationID uuid.UUID) ([]Quota, error) {
	if !s.On() {
		return nil, errOff
	}
	quotas, connections, err := s.quotas(ctx, organizationID)
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
			return s.read(ctx, place{organizationID: organizationID, connectionID: c.id}, false)
		})
	}
	if err := group.Wait(); err != nil {
		return nil, errUnreachable.Because(err)
	}
	if asked {
		quotas, _, err = s.quotas(ctx, organizationID)
	}
	return quotas, err
}

// LastQuota is Quota as it was last known, for who would rather have that than
// an error. Error: Unavailable when the channel is off.
func (s *Service) LastQuota(ctx context.Context, organizationID uuid.UUID) ([]Quota, error) {
	if !s.On() {
		return nil, errOff
	}
	quotas, _, err := s.quotas(ctx, organizationID)
	return quotas, err
}

// known is a connection and how long ago it was read; nil: it is to be read again.
type known struct {
	id  uuid.UUID
	age *time.Duration
}

// quotas reads what is known, in one round trip: of each scope one row, and the
// entries of its ledger that have left the window since somebody last cleared it.
func (s *Service) quotas(ctx context.Context, organizationID uuid.UUID) ([]Quota, []known, error) {
	rows, err := s.pool.Query(ctx, `
		select c.id, k.t - c.read_at, n.external_id, n.name, s.tier_limit, s.recipients - (
			select count(*) from messaging_ledger l
			where l.scope_id = s.id and l.counted_at <= k.t - @window::interval)
		from (select clock() as t) k
		cross join messaging_connection c
		left join messaging_number n on n.connection_id = c.id and n.disconnected_at is null
		left join messaging_scope s on s.id = n.scope_id
		where c.organization_id = @organization_id and c.disconnected_at is null
		order by c.created_at desc, c.id desc, n.created_at, n.id`,
		pgx.NamedArgs{"organization_id": organizationID, "window": window})
	if err != nil {
		return nil, nil, fmt.Errorf("read quotas: %w", err)
	}
	quotas, connections := []Quota{}, []known(nil)
	var c known
	var externalID, name *string
	var tier, used *int
	_, err = pgx.ForEachRow(rows, []any{&c.id, &c.age, &externalID, &name, &tier, &used}, func() error {
		if n := len(connections); n == 0 || connections[n-1].id != c.id {
			connections = append(connections, c)
		}
		if externalID != nil {
			quotas = append(quotas, Quota{ExternalID: *externalID, Name: name, Tier: *tier, Used: *used})
		}
		c.age, externalID, name, tier, used = nil, nil, nil, nil, nil
		return nil
	})
	if err != nil {
		return nil, nil, fmt.Errorf("read quotas: %w", err)
	}
	return quotas, connections, nil
}
