package followup

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/postgres"
)

// Change is a change of a follow-up. A nil field stays. A pointer to nil removes the value.
type Change struct {
	Assignee **uuid.UUID
	DueAt    **time.Time
	Note     *string
}

// Update changes a follow-up, open or done. Unchanged may refuse the change of the follow-up as it is then, and may be
// nil. Errors: Invalid, NotFound, and that of unchanged.
func (s *Service) Update(
	ctx context.Context, actor account.Actor, id uuid.UUID, c Change, unchanged func(FollowUp) error,
) (FollowUp, error) {
	var p fault.Problems
	if c.Note != nil {
		check.Text(&p, "note", c.Note, maxNote)
	}
	if err := p.Err(); err != nil {
		return FollowUp{}, err
	}
	var past bool
	return s.change(ctx, actor, id, func(tx pgx.Tx) (err error) {
		if c.DueAt != nil {
			if past, err = isPast(ctx, tx, *c.DueAt); err != nil {
				return err
			}
		}
		if c.Assignee == nil {
			return nil
		}
		return lockAssignee(ctx, tx, actor.OrganizationID, *c.Assignee)
	}, func(f *FollowUp) (string, map[string]any, error) {
		if err := check.Precondition(*f, unchanged); err != nil {
			return "", nil, err
		}
		changed := map[string]any{}
		if c.Assignee != nil && !postgres.Same(f.Assignee, *c.Assignee) {
			f.Assignee, changed["assignee_id"] = *c.Assignee, *c.Assignee
		}
		if c.DueAt != nil {
			due := *c.DueAt
			if same := due == f.DueAt || due != nil && f.DueAt != nil && due.Equal(*f.DueAt); !same {
				if past {
					return "", nil, errPastDue
				}
				f.DueAt, changed["due_at"] = due, due
			}
		}
		if c.Note != nil && *c.Note != f.Note {
			f.Note, changed["note"] = *c.Note, "changed" // the text may name a person
		}
		if len(changed) == 0 {
			return "", nil, nil
		}
		return "updated", changed, nil
	})
}

// Take assigns an open follow-up to the acting user, with the other changes of c. Of two who take it at once, one gets
// it. Errors: Invalid, NotFound, and Conflict for one that is done or somebody else's.
func (s *Service) Take(ctx context.Context, actor account.Actor, id uuid.UUID, c Change) (FollowUp, error) {
	if actor.Kind != account.ByUser {
		return FollowUp{}, fault.Conflictf("Only a person can take a follow-up")
	}
	c.Assignee = new(&actor.ID)
	return s.Update(ctx, actor, id, c, func(f FollowUp) error {
		switch {
		case f.Status == Done:
			return errDone
		case f.Assignee != nil && *f.Assignee != actor.ID && f.AssigneeName != nil:
			return fault.Conflictf("%s already has this follow-up", *f.AssigneeName)
		}
		return nil
	})
}

var errDone = fault.Conflictf("This follow-up is already done")

// Finish is how a follow-up ends.
type Finish struct {
	Note *string `json:"note"` // replaces the note; nil: it stays
}

// Finish marks a follow-up as done. Of two who do it at once, one does. Errors: Invalid, NotFound, and Conflict for one
// that is done.
func (s *Service) Finish(ctx context.Context, actor account.Actor, id uuid.UUID, in Finish) (FollowUp, error) {
	var p fault.Problems
	if in.Note != nil {
		check.Text(&p, "note", in.Note, maxNote)
	}
	if err := p.Err(); err != nil {
		return FollowUp{}, err
	}
	return s.change(ctx, actor, id, nil, func(f *FollowUp) (string, map[string]any, error) {
		if f.Status == Done {
			return "", nil, errDone
		}
		f.Status, f.DoneBy = Done, &actor.Name
		if in.Note != nil {
			f.Note = *in.Note
		}
		return "done", nil, nil
	})
}

// Reopen opens a follow-up again that is done. Errors: NotFound, and Conflict for one that is open.
func (s *Service) Reopen(ctx context.Context, actor account.Actor, id uuid.UUID) (FollowUp, error) {
	return s.change(ctx, actor, id, nil, func(f *FollowUp) (string, map[string]any, error) {
		if f.Status == Open {
			return "", nil, fault.Conflictf("This follow-up is open")
		}
		f.Status, f.DoneBy = Open, nil
		return "reopened", nil, nil
	})
}

// change changes a follow-up under its lock. before takes locks that come first. decide changes the follow-up and
// returns the verb of the audit entry with its data, or no verb if nothing changes. It wakes the deliveries.
func (s *Service) change(
	ctx context.Context, actor account.Actor, id uuid.UUID, before func(pgx.Tx) error,
	decide func(*FollowUp) (verb string, data map[string]any, err error),
) (f FollowUp, err error) {
	changed := false
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		if before != nil {
			if err := before(tx); err != nil {
				return err
			}
		}
		var locked uuid.UUID
		err := tx.QueryRow(ctx, `
			select id from follow_up where organization_id = $1 and id = $2 for no key update`,
			actor.OrganizationID, id).Scan(&locked)
		if errors.Is(err, pgx.ErrNoRows) {
			return fault.NotFoundf("Follow-up")
		}
		if err != nil {
			return fmt.Errorf("lock follow-up %s: %w", id, err)
		}
		if f, err = byID.Read(ctx, tx, actor.OrganizationID, id); err != nil {
			return err
		}
		verb, data, err := decide(&f)
		if err != nil {
			return err
		}
		if verb == "" {
			return account.Unchanged(ctx)
		}
		_, err = tx.Exec(ctx, `
			update follow_up set
				status = @status, note = @note, assignee_id = @assignee_id, due_at = @due_at, done_by = @done_by,
				done_at = case when @status = 'open' then null else coalesce(done_at, clock()) end
			where organization_id = @organization_id and id = @id`, pgx.NamedArgs{
			"status": f.Status, "note": f.Note, "assignee_id": f.Assignee, "due_at": f.DueAt, "done_by": f.DoneBy,
			"organization_id": actor.OrganizationID, "id": id,
		})
		if err != nil {
			return fmt.Errorf("change follow-up %s: %w", id, err)
		}
		changed = true
		f, err = s.record(ctx, tx, actor, id, verb, data)
		return err
	})
	if err == nil && changed {
		s.Wake()
	}
	return f, err
}
