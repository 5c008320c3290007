package project

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/postgres"
)

// kindOf returns the kind of an agent with a script.
func kindOf(s conversation.Script) AgentKind {
	if s.Model != nil {
		return ModelHeld
	}
	return Scripted
}

// checkModels checks that the destinations of an agent, and the connections, tools and templates of its models are the
// organization's and in use.
// They stay so until the transaction ends. Error: Invalid "model.connection_id: no such connection", the same for an
// unknown, foreign or deactivated one.
func checkModels(ctx context.Context, tx pgx.Tx, organizationID uuid.UUID, s conversation.Script) error {
	var p fault.Problems
	if t := s.Transfer; t != nil {
		if err := checkDestinations(ctx, tx, organizationID, t.Destinations, &p); err != nil {
			return err
		}
	}
	wanted := map[string]uuid.UUID{}
	var tools, templates []uuid.UUID
	if m := s.Model; m != nil {
		tools, templates = m.HTTPTools, m.Templates
		wanted["model.connection_id"] = m.ConnectionID
		if m.FallbackID != nil {
			wanted["model.fallback_connection_id"] = *m.FallbackID
		}
	}
	if id := s.Analysis.ConnectionID; id != nil {
		wanted["analysis.connection_id"] = *id
	}
	if len(wanted) == 0 {
		return p.Err()
	}
	ids := []uuid.UUID{}
	for _, id := range wanted {
		ids = append(ids, id)
	}
	found, err := postgres.Collect(ctx, tx, pgx.RowTo[uuid.UUID], `
		select id from model_connection
		where organization_id = $1 and id = any($2) and deactivated_at is null
		for share`, organizationID, ids)
	if err != nil {
		return fmt.Errorf("look for the connections of an agent's models: %w", err)
	}
	for _, field := range []string{
		"model.connection_id", "model.fallback_connection_id", "analysis.connection_id",
	} {
		if id, ok := wanted[field]; ok && !slices.Contains(found, id) {
			p.Addf(field, "no such connection")
		}
	}
	for _, chosen := range []struct {
		field, noun, sql string
		ids              []uuid.UUID
	}{
		{"model.http_tools", "tool", `
			select id from tool where organization_id = $1 and id = any($2) and deactivated_at is null
			for share`, tools},
		{"model.message_templates", "template", `
			select id from messaging_template where organization_id = $1 and id = any($2) and removed_at is null`,
			templates},
	} {
		if len(chosen.ids) == 0 {
			continue
		}
		found, err := postgres.Collect(ctx, tx, pgx.RowTo[uuid.UUID], chosen.sql, organizationID, chosen.ids)
		if err != nil {
			return fmt.Errorf("look for what an agent's model uses: %w", err)
		}
		for i, id := range chosen.ids {
			if !slices.Contains(found, id) {
				p.Addf(fmt.Sprintf("%s[%d]", chosen.field, i), "no such %s", chosen.noun)
			}
		}
	}
	return p.Err()
}
