package cell

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/dialwright/dialwright/internal/postgres"
)

// Groups returns the organizations of a cell, oldest first. Those whose WhatsApp numbers share a limit are in one
// group, because they can only move together.
func Groups(ctx context.Context, pool *pgxpool.Pool) ([][]uuid.UUID, error) {
	ids, err := postgres.Collect(ctx, pool, pgx.RowTo[uuid.UUID], `select id from organization order by created_at, id`)
	if err != nil {
		return nil, fmt.Errorf("list the organizations of a cell: %w", err)
	}
	type pair struct{ Organization, Limit string }
	pairs, err := postgres.Collect(ctx, pool, pgx.RowToStructByPos[pair], `
		select distinct organization_id::text, portfolio from messaging_connection
		where disconnected_at is null and portfolio <> ''
		union
		select distinct organization_id::text, scope_id::text from messaging_number where disconnected_at is null
		order by 1, 2`)
	if err != nil {
		return nil, fmt.Errorf("read which organizations share a limit: %w", err)
	}
	var groups [][]uuid.UUID
	placed := map[string]bool{}
	for _, id := range ids {
		if placed[id.String()] {
			continue
		}
		members, limits := map[string]bool{id.String(): true}, map[string]bool{}
		for grown := true; grown; {
			grown = false
			for _, p := range pairs {
				if members[p.Organization] != limits[p.Limit] {
					members[p.Organization], limits[p.Limit], grown = true, true, true
				}
			}
		}
		var group []uuid.UUID
		for _, other := range ids {
			if members[other.String()] {
				group, placed[other.String()] = append(group, other), true
			}
		}
		groups = append(groups, group)
	}
	return groups, nil
}
