package project

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// ProjectNames returns the names of projects, for lists of other nouns that refer to
// projects. It leaves out unknown and foreign ids.
func (s *Service) ProjectNames(
	ctx context.Context, organizationID uuid.UUID, ids []uuid.UUID,
) (map[uuid.UUID]string, error) {
	return s.names(ctx, organizationID, ids, `
		select id, name from project where organization_id = @organization_id and id = any(@ids)`)
}

// AgentNames is ProjectNames for agents.
func (s *Service) AgentNames(
	ctx context.Context, organizationID uuid.UUID, ids []uuid.UUID,
) (map[uuid.UUID]string, error) {
	return s.names(ctx, organizationID, ids, `
		select id, name from agent where organization_id = @organization_id and id = any(@ids)`)
}

func (s *Service) names(
	ctx context.Context, organizationID uuid.UUID, ids []uuid.UUID, sql string,
) (map[uuid.UUID]string, error) {
	names := make(map[uuid.UUID]string, len(ids))
	if len(ids) == 0 {
		return names, nil
	}
	rows, err := s.pool.Query(ctx, sql, pgx.NamedArgs{"organization_id": organizationID, "ids": ids})
	if err != nil {
		return nil, fmt.Errorf("read names: %w", err)
	}
	var id uuid.UUID
	var name string
	if _, err := pgx.ForEachRow(rows, []any{&id, &name}, func() error { names[id] = name; return nil }); err != nil {
		return nil, fmt.Errorf("read names: %w", err)
	}
	return names, nil
}
