package line

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/carrier"
)

const (
	// maxPrewarming bounds what is made ready at the same time, so that it never competes with calls.
	maxPrewarming = 4
	prewarmTime   = 10 * time.Second
)

// sqlModels finds the model connections of the agent that holds a call.
const sqlModels = `
	select c.organization_id, c.model_connection_id,
	       (coalesce(v.script, a.script) #>> '{model,fallback_connection_id}')::uuid
	from call c
	join agent a on a.id = c.agent_id
	left join agent_version v on v.id = c.agent_version_id
	where c.id = $1 and c.connection_id = $2 and c.model_connection_id is not null and c.ended_at is null`

// prewarm connects to the servers of the models that are about to hold a call, because a TLS connection takes longer
// than a person waits gladly. It returns at once. When much is under way, it does nothing, because the connections
// that are made serve this call too.
func (s *Service) prewarm(ctx context.Context, e carrier.Event) {
	if s.models == nil {
		return
	}
	select {
	case s.prewarming <- struct{}{}:
	default:
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), prewarmTime)
	go func() {
		defer func() { <-s.prewarming }()
		defer cancel()
		if err := s.prewarmModels(ctx, e); err != nil {
			s.log.DebugContext(ctx, "a model was not made ready for a call", "call", e.CallID, "error", err)
		}
	}()
}

func (s *Service) prewarmModels(ctx context.Context, e carrier.Event) error {
	var (
		organization, id uuid.UUID
		fallback         *uuid.UUID
	)
	err := s.pool.QueryRow(ctx, sqlModels, e.CallID, e.ConnectionID).Scan(&organization, &id, &fallback)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil // no model holds the call
	}
	if err != nil {
		return fmt.Errorf("read the model connections of call %s: %w", e.CallID, err)
	}
	err = s.models.Prewarm(ctx, organization, id)
	if fallback != nil {
		err = errors.Join(err, s.models.Prewarm(ctx, organization, *fallback))
	}
	return err
}
