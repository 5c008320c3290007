package campaign

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// Names reads the names of campaigns, for other lists that mention them. Unknown and
// foreign IDs are omitted.
func (s *Service) Names(ctx context.Context, organizationID uuid.UUID, ids []uuid.UUID) (map[uuid.UUID]string, error) {
	names := make(map[uuid.UUID]string, len(ids))
	if len(ids) == 0 {
		return names, nil
	}
	rows, err := s.db.Query(ctx, `
		select id, name from campaign where organization_id = @organization_id and id = any(@ids)`,
		pgx.NamedArgs{"organization_id": organizationID, "ids": ids})
	if err != nil {
		return nil, fmt.Errorf("read the names of campaigns: %w", err)
	}
	var id uuid.UUID
	var name string
	if _, err := pgx.ForEachRow(rows, []any{&id, &name}, func() error { names[id] = name; return nil }); err != nil {
		return nil, fmt.Errorf("read the names of campaigns: %w", err)
	}
	return names, nil
}

// Running counts the organization's running campaigns.
func (s *Service) Running(ctx context.Context, organizationID uuid.UUID) (int, error) {
	var n int
	err := s.db.QueryRow(ctx, `
		select count(*) from campaign where organization_id = @organization_id and kind = 'campaign'
			and status = 'running'`,
		pgx.NamedArgs{"organization_id": organizationID}).Scan(&n)
	if err != nil {
		return 0, fmt.Errorf("count running campaigns: %w", err)
	}
	return n, nil
}
