package followup

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/postgres"
)

// MostFinished is how many follow-ups FinishAll takes.
const MostFinished = 1000

// FinishResult is what became of one follow-up of FinishAll.
type FinishResult string

// Values of FinishResult.
const (
	Finished        FinishResult = "done"
	AlreadyFinished FinishResult = "already_done"
	Unknown         FinishResult = "unknown"
)

// FinishResults are all results.
var FinishResults = []FinishResult{Finished, AlreadyFinished, Unknown}

// Finishing is the result for one ID.
type Finishing struct {
	ID     string       `json:"id"`
	Result FinishResult `json:"result"`
}

// CheckFinishAll reports a wrong number of IDs. Errors: Invalid.
func CheckFinishAll(ids []string) error {
	var p fault.Problems
	switch {
	case len(ids) == 0:
		p.Addf("ids", "at least one is required")
	case len(ids) > MostFinished:
		p.Addf("ids", "must have at most %d elements", MostFinished)
	}
	return p.Err()
}

// FinishAll marks those of the follow-ups that are open as done, and returns what became of each, in the order of the
// IDs. Notes stay. An ID that is none is unknown, as is the ID of another organization's follow-up. Errors: Invalid.
func (s *Service) FinishAll(ctx context.Context, actor account.Actor, ids []string) ([]Finishing, error) {
	if err := CheckFinishAll(ids); err != nil {
		return nil, err
	}
	var parsed []uuid.UUID
	for _, id := range ids {
		if u, err := uuid.Parse(id); err == nil {
			parsed = append(parsed, u)
		}
	}
	results := map[uuid.UUID]FinishResult{}
	err := postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		type locked struct {
			ID     uuid.UUID
			Status Status
		}
		// Whoever locks several follow-ups locks them by ID.
		found, err := postgres.Collect(ctx, tx, pgx.RowToStructByName[locked], `
			select id, status from follow_up where organization_id = $1 and id = any($2)
			order by id for no key update`, actor.OrganizationID, parsed)
		if err != nil {
			return fmt.Errorf("lock %d follow-ups: %w", len(parsed), err)
		}
		var open []uuid.UUID
		for _, f := range found {
			results[f.ID] = AlreadyFinished
			if f.Status == Open {
				results[f.ID] = Finished
				open = append(open, f.ID)
			}
		}
		if len(open) == 0 {
			return nil
		}
		if _, err := tx.Exec(ctx, `
			update follow_up set status = 'done', done_by = $3, done_at = clock()
			where organization_id = $1 and id = any($2)`, actor.OrganizationID, open, actor.Name); err != nil {
			return fmt.Errorf("finish %d follow-ups: %w", len(open), err)
		}
		if err := account.RecordEach(ctx, tx, actor, "follow_up.done", "follow_up", open, nil); err != nil {
			return err
		}
		return tell(ctx, tx, actor.OrganizationID, "done", open...)
	})
	if err != nil {
		return nil, err
	}
	s.Wake()
	all := make([]Finishing, len(ids))
	for i, id := range ids {
		all[i] = Finishing{ID: id, Result: Unknown}
		if u, err := uuid.Parse(id); err == nil && results[u] != "" {
			all[i].Result = results[u]
		}
	}
	return all, nil
}

// ReopenAll opens those of the follow-ups again that are done, as the undoing of FinishAll, and returns how many it
// opened. Errors: Invalid.
func (s *Service) ReopenAll(ctx context.Context, actor account.Actor, ids []uuid.UUID) (int, error) {
	if len(ids) > MostFinished {
		return 0, fault.Invalidf("id", "must be at most %d follow-ups", MostFinished)
	}
	var opened []uuid.UUID
	err := postgres.InTx(ctx, s.pool, func(tx pgx.Tx) (err error) {
		opened, err = postgres.Collect(ctx, tx, pgx.RowTo[uuid.UUID], `
			with done as materialized (
				select id from follow_up where organization_id = $1 and id = any($2) and status = 'done'
				order by id for no key update
			)
			update follow_up f set status = 'open', done_by = null, done_at = null from done
			where f.id = done.id returning f.id`, actor.OrganizationID, ids)
		if err != nil {
			return fmt.Errorf("reopen %d follow-ups: %w", len(ids), err)
		}
		if len(opened) == 0 {
			return nil
		}
		if err := account.RecordEach(ctx, tx, actor, "follow_up.reopened", "follow_up", opened, nil); err != nil {
			return err
		}
		return tell(ctx, tx, actor.OrganizationID, "reopened", opened...)
	})
	if err != nil {
		return 0, err
	}
	s.Wake()
	return len(opened), nil
}
