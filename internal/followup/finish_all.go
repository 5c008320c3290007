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

// The audit entry of a follow-up that is done.
const (
	doneAction = "follow_up.done"
	objectType = "follow_up"
)

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
		if err := account.RecordEach(ctx, tx, actor, doneAction, objectType, open, nil); err != nil {
			return err
		}
		return finish(ctx, tx, actor, open)
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

// finish marks open follow-ups as done, which the caller has locked.
func finish(ctx context.Context, tx pgx.Tx, actor account.Actor, open []uuid.UUID) error {
	if _, err := tx.Exec(ctx, `
		update follow_up set status = 'done', done_by = $3, done_at = clock()
		where organization_id = $1 and id = any($2)`, actor.OrganizationID, open, actor.Name); err != nil {
		return fmt.Errorf("finish %d follow-ups: %w", len(open), err)
	}
	return tell(ctx, tx, actor.OrganizationID, "done", open...)
}
