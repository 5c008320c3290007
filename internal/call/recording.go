package call

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/webhook"
)

const (
	// recordingDueAfter is how long the carrier may take to report a recording. Then the product
	// asks for the recording. Later pauses grow with the age of the call. The report may be lost
	// while no process of this deployment runs.
	recordingDueAfter = 5 * time.Minute
	// recordingSearchTime is how long after the end of a call the product asks the carrier for the
	// recording.
	recordingSearchTime = 24 * time.Hour
)

// sqlRecordingDue is the value of recording_due_at for a call that is being settled. $2 is
// recordingDueAfter.
const sqlRecordingDue = `case
	when record and recording_id is null and recording_removed_at is null and answered_at is not null
		and carrier_call_id is not null
	then clock() + $2::interval end`

// recordingURL returns the address where the API serves the recording of a call. It is nil without
// a recording. The address at the carrier is not used, because it needs the connection's
// credentials.
func (s *Service) recordingURL(c Call) *string {
	if c.RecordingID == nil {
		return nil
	}
	return new(s.publicURL + "/api/v1/calls/" + c.ID.String() + "/recording")
}

// recorded stores that the recording of a call is finished and writes its event, in any state of the
// call: the report usually comes after the settlement. If the call was erased or its retention period
// has passed, the recording is deleted instead, without an event.
func (s *Service) recorded(ctx context.Context, e carrier.Event) error {
	args := pgx.NamedArgs{
		"id": e.CallID, "connection_id": postgres.OrNull(e.ConnectionID),
		"carrier_call_id": postgres.OrNull(e.CarrierCallID),
		"recording_id":    e.Recording.ID, "seconds": postgres.OrNull(int(e.Recording.Duration / time.Second)),
	}
	kept := false
	err := postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		var organization uuid.UUID
		var record, removed bool
		var known *string
		err := tx.QueryRow(ctx, `
			select organization_id, record, recording_removed_at is not null, recording_id from call
			where id = @id and (@connection_id::uuid is null or connection_id = @connection_id)
			  and (carrier_call_id is null or @carrier_call_id::text is null or carrier_call_id = @carrier_call_id)
			for no key update`, args).Scan(&organization, &record, &removed, &known)
		switch {
		case errors.Is(err, pgx.ErrNoRows):
			return carrier.ErrUnknownCall
		case err != nil:
			return err
		case !record || known != nil: // unwanted, or reported before
			return nil
		case removed:
			return deleteTold(ctx, tx, args)
		}
		_, err = tx.Exec(ctx, `
			update call set recording_id = @recording_id, recording_seconds = @seconds, recording_due_at = null,
				carrier_call_id = coalesce(carrier_call_id, @carrier_call_id)
			where id = @id`, args)
		if err != nil {
			return err
		}
		kept = true
		return s.emitOne(ctx, tx, webhook.CallRecorded, organization, e.CallID)
	})
	if err != nil && !errors.Is(err, carrier.ErrUnknownCall) {
		return fmt.Errorf("store the recording of call %s: %w", e.CallID, err)
	}
	if err == nil && kept {
		s.hub.Wake(webhook.Topic)
	}
	return err
}

// onePart matches an HTTP Range with one part. Other ranges return the whole recording.
var onePart = regexp.MustCompile(`^bytes=(?:\d{1,18}-\d{0,18}|-\d{1,18})$`)

// Recording begins to fetch the recording of a call from its carrier, or the part that an
// HTTP Range names. The caller closes its Body. Errors: NotFound, BadGateway,
// carrier.ErrNoSuchPart.
func (s *Service) Recording(ctx context.Context, organization, id uuid.UUID, part string) (*carrier.Sound, error) {
	var connection uuid.UUID
	var recording *string
	err := s.pool.QueryRow(ctx, `select connection_id, recording_id from call where organization_id = $1 and id = $2`,
		organization, id).Scan(&connection, &recording)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return nil, fault.NotFoundf("Call")
	case err != nil:
		return nil, fmt.Errorf("find the recording of call %s: %w", id, err)
	case recording == nil:
		return nil, fault.NotFoundf("Recording")
	}
	network, err := s.carriers(ctx, connection)
	if err != nil {
		return nil, fault.New(fault.BadGateway, "The recording could not be fetched: %s", readable(err)).Because(err)
	}
	if !onePart.MatchString(part) {
		part = ""
	}
	sound, err := network.OpenRecording(ctx, *recording, part)
	switch problem, known := errors.AsType[*carrier.Error](err); {
	case errors.Is(err, carrier.ErrNoRecording):
		return nil, fault.NotFoundf("Recording")
	case errors.Is(err, carrier.ErrNoSuchPart) || err == nil:
		return sound, err
	case known:
		return nil, fault.New(fault.BadGateway, "The recording could not be fetched: %s", problem.Reason).Because(err)
	default:
		return nil, fault.New(fault.BadGateway, "The recording could not be fetched").Because(err)
	}
}

// FindRecordings asks carriers for recordings that are overdue. It is a periodic task. Any number
// of processes may run it.
func (s *Service) FindRecordings(ctx context.Context) error {
	type missing struct {
		ID, ConnectionID uuid.UUID
		CarrierCallID    string
	}
	// A carrier that hangs delays few other recordings.
	_, err := postgres.Each(ctx, s.pool, reconcileWorkers, "find calls without a recording", `
		update call c set recording_due_at = case
			when k.t - c.ended_at < @look then k.t + greatest(@wait, k.t - c.ended_at) end
		from (
			select c.id, k.t from call c, (select clock() as t) k
			where c.recording_due_at <= k.t
			order by c.recording_due_at limit @most
			for no key update of c skip locked
		) k
		where c.id = k.id
		returning c.id, c.connection_id, c.carrier_call_id`,
		pgx.NamedArgs{"look": recordingSearchTime, "wait": recordingDueAfter, "most": reconcileBatch},
		func(c missing) error {
			found, err := s.findRecording(ctx, c.ConnectionID, c.CarrierCallID)
			switch {
			case errors.Is(err, carrier.ErrNoRecording), ctx.Err() != nil:
				return nil
			case err != nil:
				s.log.WarnContext(ctx, "looking up a recording failed and will be retried", "call", c.ID, "connection",
					c.ConnectionID, "error", err)
				return nil
			}
			err = s.recorded(ctx, carrier.Event{
				CallID: c.ID, ConnectionID: c.ConnectionID, CarrierCallID: c.CarrierCallID, Recording: found,
			})
			if errors.Is(err, carrier.ErrUnknownCall) {
				return nil // the call was erased meanwhile
			}
			return err
		})
	return err
}

func (s *Service) findRecording(
	ctx context.Context, connection uuid.UUID, carrierCallID string,
) (carrier.Recording, error) {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	network, err := s.carriers(ctx, connection)
	if err != nil {
		return carrier.Recording{}, fmt.Errorf("open connection %s: %w", connection, err)
	}
	return network.Recording(ctx, carrierCallID)
}
