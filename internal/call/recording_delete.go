package call

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/postgres"
)

// A recording that is removed from its call must be deleted at the carrier too. The carrier may be
// unreachable, or refuse the credentials, for a long time. So the transaction that removes the
// recording writes a row of recording_deletion, and requests to the carrier are repeated until the
// recording is deleted.

const (
	deletionLease = time.Minute      // after this time, another process may repeat a deletion
	deletionFirst = 30 * time.Second // the pause after the first failure; each pause doubles
	deletionPause = 6 * time.Hour    // the longest pause
)

// queueDeletion adds to a batch the removal of recordings from their calls and their deletion at
// the carriers, for an erasure if erasure is set. A recording that was not reported may still
// exist, so the product asks the carrier for the recording until an hour after the end of the call.
func queueDeletion(batch *pgx.Batch, calls []uuid.UUID, erasure *uuid.UUID) {
	batch.Queue(`
		insert into recording_deletion as d (call_id, organization_id, connection_id, recording_id, carrier_call_id,
			look_until, erasure_id)
	select c.id, c.organization_id, c.connection_id, c.recording_id, case
		when c.recording_id is null then c.carrier_call_id end,
	       case when c.recording_id is null then c.ended_at + interval '1 hour' end, $2::uuid
	from call c
	where c.id = any($1) and (c.recording_id is not null
	   or c.record and c.answered_at is not null and c.carrier_call_id is not null and c.recording_removed_at is null)
	order by c.id
	on conflict (call_id) do update set erasure_id = coalesce(excluded.erasure_id, d.erasure_id)`, calls, erasure)
	if erasure != nil { // includes the deletions that retention began
		batch.Queue(`update recording_deletion set erasure_id = $2 where call_id = any($1)`, calls, erasure)
	}
	batch.Queue(`
	update call set recording_id = null, recording_seconds = null, recording_due_at = null,
		recording_removed_at = clock()
	where id = any($1) and record`, calls)
}

// deleteTold queues the deletion of a recording that was reported after its removal.
func deleteTold(ctx context.Context, tx pgx.Tx, args pgx.NamedArgs) error {
	_, err := tx.Exec(ctx, `
		insert into recording_deletion (call_id, organization_id, connection_id, recording_id)
		select id, organization_id, connection_id, @recording_id from call where id = @id
		on conflict (call_id) do update
			set recording_id = excluded.recording_id, carrier_call_id = null, look_until = null, due_at = clock()`,
		args)
	return err
}

// deletion is a deletion to request from the carrier.
type deletion struct {
	CallID        uuid.UUID
	ConnectionID  uuid.UUID
	RecordingID   *string
	CarrierCallID *string
	Late          bool // a recording that the carrier does not know now will never exist
	Attempts      int
}

// DeleteRecordings requests the deletions that are due, and returns the number of these deletions.
// Call it again at once if that is not 0. Any number of processes may run it at the same time, and
// any may be killed, because a deletion may be repeated.
func (s *Service) DeleteRecordings(ctx context.Context) (int, error) {
	// A deletion that hangs delays no other, and none outlasts its lease.
	return postgres.Each(ctx, s.pool, reconcileWorkers, "find recordings to delete", `
		update recording_deletion d set due_at = k.t + @lease, attempts = d.attempts + 1
		from (
			select d.call_id, k.t from recording_deletion d, (select clock() as t) k
			where d.due_at <= k.t
			order by d.due_at limit @most
			for update of d skip locked
		) k
		where d.call_id = k.call_id
		returning d.call_id, d.connection_id, d.recording_id, d.carrier_call_id,
			coalesce(d.look_until < k.t, false) as late, d.attempts`,
		pgx.NamedArgs{"lease": deletionLease, "most": reconcileWorkers},
		func(d deletion) error { return s.deleteRecording(ctx, d) })
}

// errAwaited says that a recording does not exist yet, but may exist later.
var errAwaited = errors.New("the recording is not ready yet")

// deleteRecording requests a deletion and stores the result.
func (s *Service) deleteRecording(ctx context.Context, d deletion) error {
	cause := s.askDeletion(ctx, d)
	if cause == nil {
		if _, err := s.pool.Exec(ctx, `delete from recording_deletion where call_id = $1`, d.CallID); err != nil {
			return fmt.Errorf("complete the deletion of the recording of call %s: %w", d.CallID, err)
		}
		return nil
	}
	if ctx.Err() != nil {
		return nil // the lease expires
	}
	pause, why := deletionFirst<<min(d.Attempts-1, 20), "The carrier has not finished the recording"
	if !errors.Is(cause, errAwaited) {
		s.log.WarnContext(ctx, "deleting a recording at the carrier failed and will be retried",
			"call", d.CallID, "connection", d.ConnectionID, "attempts", d.Attempts, "error", cause)
		why = "The carrier's answer is not known"
		if problem, ok := errors.AsType[*carrier.Error](cause); ok {
			why = problem.Reason
		}
	}
	_, err := s.pool.Exec(ctx, `update recording_deletion set due_at = clock() + $2::interval, last_error = $3
		where call_id = $1`,
		d.CallID, min(pause, deletionPause), why)
	if err != nil {
		return fmt.Errorf("postpone the deletion of the recording of call %s: %w", d.CallID, err)
	}
	return nil
}

func (s *Service) askDeletion(ctx context.Context, d deletion) error {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	network, err := s.carriers(ctx, d.ConnectionID)
	if err != nil {
		return &carrier.Error{Kind: carrier.Unusable, Reason: readable(err), Err: err}
	}
	if d.RecordingID != nil {
		return network.DeleteRecording(ctx, *d.RecordingID)
	}
	found, err := network.Recording(ctx, *d.CarrierCallID)
	switch {
	case errors.Is(err, carrier.ErrNoRecording) && d.Late:
		return nil
	case errors.Is(err, carrier.ErrNoRecording):
		return errAwaited
	case err != nil:
		return err
	}
	return network.DeleteRecording(ctx, found.ID)
}

// Undeleted describes the recordings that were removed from calls, but not yet deleted at their
// carriers.
type Undeleted struct {
	Count int
	Why   string // an error that users may see; empty: no attempt has failed
}

// Undeleted returns whether the removed recording of a call is still at its carrier.
func (s *Service) Undeleted(ctx context.Context, organization, id uuid.UUID) (u Undeleted, err error) {
	err = s.pool.QueryRow(ctx, `
		select count(*), coalesce(min(last_error), '') from recording_deletion
			where organization_id = $1 and call_id = $2`,
		organization, id).Scan(&u.Count, &u.Why)
	if err != nil {
		return u, fmt.Errorf("read the pending deletion of the recording of call %s: %w", id, err)
	}
	return u, nil
}
