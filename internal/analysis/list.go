package analysis

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/page"
)

// List lists the analyses of a call, newest first. A call that was only analyzed by rule has one. Errors: NotFound.
func (s *Service) List(
	ctx context.Context, organizationID, callID uuid.UUID, r page.Request,
) (page.List[Analysis], error) {
	c, _, err := s.calls.Get(ctx, organizationID, callID)
	if err != nil {
		return page.List[Analysis]{Data: []Analysis{}}, err
	}
	list, err := page.Read(ctx, s.pool, r, "list the analyses of a call", `
		select `+columns+` from call_analysis y
		where organization_id = @organization_id and call_id = @call_id and `+page.Where+`
		`+page.Order, pgx.NamedArgs{"organization_id": organizationID, "call_id": callID},
		func(a Analysis) (time.Time, uuid.UUID) { return a.CreatedAt, a.ID })
	if a := c.Analysis; err == nil && len(list.Data) == 0 && r.Cursor == "" && a != nil && c.EndedAt != nil &&
		c.EndedAt.After(r.CreatedAfter) && (r.CreatedBefore.IsZero() || c.EndedAt.Before(r.CreatedBefore)) {
		list.Data = append(list.Data, Analysis{
			ID:           c.ID,
			CallID:       c.ID,
			Number:       1,
			Method:       call.ByRule,
			Status:       string(conversation.Ready),
			AgentVersion: c.AgentVersion,
			Result:       &Result{Summary: a.Summary, Sentiment: a.Sentiment, Successful: a.Successful},
			CreatedAt:    *c.EndedAt,
			FinishedAt:   c.EndedAt,
		})
	}
	return list, err
}
