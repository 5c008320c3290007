package campaign

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/postgres"
)

// CancelResult is what became of one call of a cancellation.
type CancelResult string

const (
	CallCanceled     CancelResult = "canceled"
	CallAlreadyEnded CancelResult = "already_ended"
	CallInProgress   CancelResult = "in_progress" // being placed, or in the air
	CallUnknown      CancelResult = "unknown"
)

// CancelResults are all results.
var CancelResults = []CancelResult{CallCanceled, CallAlreadyEnded, CallInProgress, CallUnknown}

// Cancellation is the result for one ID.
type Cancellation struct {
	ID     string       `json:"id"`
	Result CancelResult `json:"result"`
}

// CheckCancellation reports a wrong number of IDs. Errors: Invalid.
func CheckCancellation(ids []string) error {
	var p fault.Problems
	switch {
	case len(ids) == 0:
		p.Addf("ids", "at least one is required")
	case len(ids) > MaxCalls:
		p.Addf("ids", "must have at most %d elements", MaxCalls)
	}
	return p.Err()
}

// CancelCalls cancels those of the calls that are scheduled, and returns what became of each, in the order of the IDs.
// An ID that is none is unknown, as is the ID of another organization's call. Errors: Invalid; Conflict if others
// change the calls again and again.
func (s *Service) CancelCalls(ctx context.Context, actor account.Actor, ids []string) ([]Cancellation, error) {
	if err := CheckCancellation(ids); err != nil {
		return nil, err
	}
	var parsed []uuid.UUID
	for _, id := range ids {
		if u, err := uuid.Parse(id); err == nil {
			parsed = append(parsed, u)
		}
	}
	results := map[uuid.UUID]CancelResult{}
	err := s.unlessOvertaken(ctx, func(tx pgx.Tx) error {
		clear(results)
		found, err := lockScheduled(ctx, tx, actor.OrganizationID, parsed)
		if err != nil {
			return err
		}
		var recipients, canceled []uuid.UUID
		for _, f := range found {
			recipients, canceled = append(recipients, f.ID), append(canceled, f.NextCallID)
		}
		how := ClosedBy(call.ReasonCanceledByUser, "")
		how.By = actor.Name
		if err := CloseCalls(ctx, tx, recipients, how); err != nil {
			return err
		}
		if err := account.RecordEach(ctx, tx, actor, "call.canceled", "call", canceled, nil); err != nil {
			return err
		}
		type placed struct {
			ID    uuid.UUID
			Ended bool
		}
		others, err := postgres.Collect(ctx, tx, pgx.RowToStructByName[placed], `
			select id, ended_at is not null as ended from call where organization_id = $1 and id = any($2)`,
			actor.OrganizationID, parsed)
		if err != nil {
			return fmt.Errorf("read %d calls: %w", len(parsed), err)
		}
		for _, o := range others {
			results[o.ID] = CallInProgress
			if o.Ended {
				results[o.ID] = CallAlreadyEnded
			}
		}
		for _, id := range canceled {
			results[id] = CallCanceled
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	s.wakeCanceled()
	all := make([]Cancellation, len(ids))
	for i, id := range ids {
		all[i] = Cancellation{ID: id, Result: CallUnknown}
		if u, err := uuid.Parse(id); err == nil && results[u] != "" {
			all[i].Result = results[u]
		}
	}
	return all, nil
}

// lockedCall is a scheduled call under the row lock of its standing campaign.
type lockedCall struct{ ID, NextCallID, CampaignID uuid.UUID }

// lockScheduled locks the standing campaigns of those of the calls that are scheduled, in the order of whoever locks
// several campaigns. A claim holds such a lock until it commits. A change may move a call to another standing campaign
// before its lock is held: then the error is errOvertaken.
func lockScheduled(ctx context.Context, tx pgx.Tx, organizationID uuid.UUID, calls []uuid.UUID) ([]lockedCall, error) {
	locked, err := postgres.Collect(ctx, tx, pgx.RowTo[uuid.UUID], `
		select id from campaign
		where organization_id = $1 and id = any(array(
			select campaign_id from recipient where organization_id = $1 and next_call_id = any($2)))
		order by id for no key update`, organizationID, calls)
	if err != nil {
		return nil, fmt.Errorf("lock %d scheduled calls: %w", len(calls), err)
	}
	found, err := postgres.Collect(ctx, tx, pgx.RowToStructByName[lockedCall], `
		select id, next_call_id, campaign_id from recipient
		where organization_id = $1 and next_call_id = any($2) and status = 'pending'`, organizationID, calls)
	if err != nil {
		return nil, fmt.Errorf("read %d scheduled calls: %w", len(calls), err)
	}
	for _, f := range found {
		if !slices.Contains(locked, f.CampaignID) {
			return nil, errOvertaken
		}
	}
	return found, nil
}
