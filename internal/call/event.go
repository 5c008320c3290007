package call

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/webhook"
)

// startEvents are emitted with the move that first sets started_at or answered_at. That move
// may come from a callback, the answer to the dial request, an opened line or the
// reconciler. If only the end of the call reveals the start or the answer, the event is
// emitted with the end.
var startEvents = []webhook.Type{webhook.CallStarted, webhook.CallAnswered}

// withoutEvents is a condition on call c. It is false if the move needs an event: the condition
// first says that the move is the first to set started_at or answered_at, and an active webhook
// listens. With @telling, the caller emits the event, so the condition is true. Without a listening
// webhook, this condition is the whole cost of the events.
func withoutEvents(first string) string {
	return `
		and (@telling::boolean or not (` + first + `) or not ` +
		webhook.Listening("c.organization_id", startEvents...) + `)`
}

// updateAndEmit makes a move and emits its events.
func (s *Service) updateAndEmit(
	ctx context.Context, db postgres.DB, m move, args pgx.NamedArgs,
) (after moved, err error) {
	args["telling"] = true
	err = postgres.InTx(ctx, db, func(tx pgx.Tx) error {
		var before moved
		if before, after, err = s.lockAndUpdate(ctx, tx, m, args); err != nil {
			return err
		}
		var facts []webhook.Type
		if before.StartedAt == nil && after.StartedAt != nil {
			facts = append(facts, webhook.CallStarted)
		}
		if before.AnsweredAt == nil && after.AnsweredAt != nil {
			facts = append(facts, webhook.CallAnswered)
		}
		if len(facts) == 0 {
			return nil
		}
		out, err := webhook.Open(ctx, tx, after.OrganizationID)
		if err != nil || !out.Wants(after.OrganizationID, facts...) {
			return err
		}
		after.Emitted = true
		if err := s.emit(ctx, tx, out, []uuid.UUID{m.ID}, func(Call) []webhook.Type { return facts }); err != nil {
			return err
		}
		return out.Write(ctx, tx)
	})
	if err != nil {
		return moved{}, err
	}
	return after, nil
}

// emit adds events of calls to out. The data of an event is the call as the transaction sees it, so
// call emit after the last change. types returns the events of a call in order.
func (s *Service) emit(
	ctx context.Context, tx pgx.Tx, out *webhook.Outbox, ids []uuid.UUID, types func(Call) []webhook.Type,
) error {
	if len(ids) == 0 {
		return nil
	}
	var calls []Call
	turns := map[uuid.UUID][]Turn{}
	batch := &pgx.Batch{}
	batch.Queue(`select `+columns+` from call where id = any($1) order by array_position($1, id)`, ids).
		Query(func(rows pgx.Rows) (err error) {
			calls, err = pgx.CollectRows(rows, pgx.RowToStructByName[Call])
			return err
		})
	batch.Queue(`select call_id, `+turnColumns+` from call_turn where call_id = any($1) order by call_id, index`, ids).
		Query(func(rows pgx.Rows) error {
			type turnOf struct {
				CallID uuid.UUID
				Turn
			}
			all, err := pgx.CollectRows(rows, pgx.RowToStructByName[turnOf])
			for _, t := range all {
				turns[t.CallID] = append(turns[t.CallID], t.Turn)
			}
			return err
		})
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("read %d calls for their events: %w", len(ids), err)
	}
	for _, c := range calls {
		data := s.Detail(c, turns[c.ID])
		for _, t := range types(c) {
			err := out.Add(webhook.Event{
				OrganizationID: c.OrganizationID, About: c.about(), Type: t, SubjectID: c.ID, Data: data,
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// emitOne writes one event of one call. The caller wakes webhook.Topic after the commit.
func (s *Service) emitOne(ctx context.Context, tx pgx.Tx, t webhook.Type, organization, id uuid.UUID) error {
	out, err := webhook.Open(ctx, tx, organization)
	if err != nil || !out.Wants(organization, t) {
		return err
	}
	err = s.emit(ctx, tx, out, []uuid.UUID{id}, func(Call) []webhook.Type { return []webhook.Type{t} })
	if err != nil {
		return err
	}
	return out.Write(ctx, tx)
}

// about returns what the events of a call belong to.
func (c Call) about() webhook.About {
	return webhook.About{ProjectID: &c.ProjectID, CampaignID: c.CampaignID, AgentID: c.AgentID}
}

// emitSettled adds the events of settled calls: call.completed, and call.analyzed for calls
// that were answered, unless a model analyzes them later.
func (s *Service) emitSettled(ctx context.Context, tx pgx.Tx, out *webhook.Outbox, settled []Ended) error {
	var ids []uuid.UUID
	for _, c := range settled {
		if out.Wants(c.OrganizationID, settledEvents(c.AnsweredAt != nil)...) {
			ids = append(ids, c.ID)
		}
	}
	return s.emit(ctx, tx, out, ids, func(c Call) []webhook.Type {
		pending := c.Analysis != nil && c.Analysis.Status == conversation.Pending
		return settledEvents(c.AnsweredAt != nil && !pending)
	})
}

func settledEvents(analyzed bool) []webhook.Type {
	if analyzed {
		return []webhook.Type{webhook.CallCompleted, webhook.CallAnalyzed}
	}
	return []webhook.Type{webhook.CallCompleted}
}
