package call

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/project"
)

const (
	// A call is looked up at its carrier after this time without a report on the call:
	silentBefore = 30 * time.Second // before the answer
	silentAfter  = 60 * time.Second // after the answer
	silentEnding = 5 * time.Second  // after its end was requested

	// lostAfter applies to a call whose request got no answer. During this time after the request,
	// the carrier may report the call as unknown and still place it. The time also applies after
	// the death of the process that sent the request, because the request may still arrive.
	lostAfter = askTime + 60*time.Second

	// decidedAfter is the same time for a call that the carrier has accepted. The carrier knows the
	// call, but its directory may list the call a little later.
	decidedAfter = 5 * time.Second

	// overdue is how long after its maximum duration a call is closed even if the carrier does not
	// answer.
	overdue = time.Hour

	reconcileBatch   = 100
	reconcileWorkers = 8
)

// silentCall is a call without recent reports.
type silentCall struct {
	ID             uuid.UUID
	OrganizationID uuid.UUID
	ConnectionID   uuid.UUID
	Status         Status
	CarrierCallID  string
	OwnNumber      string
	PersonNumber   string
	AskedAt        *time.Time
	NotThese       []string
	HangUp         bool // its end was requested
	Orphaned       bool // its process died
	Lost           bool // requested so long ago that the answer "unknown" is final
	Overdue        bool // its maximum duration passed long ago
	TooLong        bool // it talks or rings for longer than it may
	LineSilent     bool // no living process has its line
	HadLine        bool
	Transferring   bool // no line is expected: another phone rings, or the recipient talks to a person
}

// Reconcile looks up silent calls at their carriers and returns the number of calls that it
// processed. Call it again at once if that is not 0. Any number of processes may run it at the same
// time.
func (s *Service) Reconcile(ctx context.Context) (int, error) {
	closed, err := s.closeUnasked(ctx)
	if err != nil {
		return closed, err
	}
	var silent sync.Map // connections that did not answer; their other calls are looked up in the next pass
	looked, err := postgres.Each(ctx, s.pool, reconcileWorkers, "find calls to look up", `
		update call c set heard_at = k.t -- so that no other process takes it
		from (
			select c.id, k.t, c.heard_at = '-infinity' as orphaned, l.call_id is not null as had_line,
			       coalesce(l.updated_at, c.answered_at,
				c.heard_at) < k.t - make_interval(secs => @silent_after) as line_silent
			from call c left join call_line l on l.call_id = c.id, (select clock() as t) k
			where c.ended_at is null and c.asked_at is not null
			  and case
			        -- Its process is dead: it is looked up as soon as every answer is final.
			        when c.heard_at = '-infinity'
			        then c.carrier_call_id is null or c.asked_at < k.t - make_interval(secs => @decided_after)
			        when c.hang_up_at is not null then c.heard_at < k.t - make_interval(secs => @silent_ending)
			        when c.status = 'in_progress'
			        then greatest(c.heard_at, l.updated_at) < k.t - make_interval(secs => @silent_after)
			        else c.heard_at < k.t - make_interval(secs => @silent_before)
			          or c.carrier_call_id is null and c.asked_at < k.t - make_interval(secs => @lost_after)
			         and c.heard_at < c.asked_at + make_interval(secs => @lost_after)
			      end
			order by c.heard_at
			limit @batch
			for no key update of c skip locked
		) k
		where c.id = k.id
		returning c.id, c.organization_id, c.connection_id, c.status, coalesce(c.carrier_call_id,
			'') as carrier_call_id,
		          c.own_number, c.person_number, c.asked_at,
		          case when c.carrier_call_id is null then array(
		              select o.carrier_call_id from call o
		              where o.organization_id = c.organization_id and o.person_number = c.person_number
		                and o.created_at > c.created_at - interval '1 day' and o.carrier_call_id is not null
		                and o.id <> c.id) end as not_these,
		          c.hang_up_at is not null as hang_up,
		          c.asked_at < k.t - make_interval(secs => case
			when c.carrier_call_id is null then @lost_after else @decided_after end) as lost,
		          c.asked_at < k.t - make_interval(secs => c.ring_timeout_seconds + c.max_duration_seconds + @overdue)
			as overdue,
		          coalesce(c.answered_at < k.t - make_interval(secs => c.max_duration_seconds + @silent_before),
		                   c.asked_at < k.t - make_interval(secs => c.ring_timeout_seconds + @lost_after)) as too_long,
		          k.orphaned, k.line_silent, k.had_line,
		          exists (
		              select from call_transfer t where t.call_id = c.id and t.ended_at is null and (t.state = 'taken'
		                or t.state in ('ringing', 'whisper') and t.dialed_at > k.t - make_interval(secs => @dial_time)))
		            as transferring`, pgx.NamedArgs{
		"silent_before": silentBefore.Seconds(), "silent_after": silentAfter.Seconds(),
		"silent_ending": silentEnding.Seconds(),
		"lost_after":    lostAfter.Seconds(), "decided_after": decidedAfter.Seconds(), "overdue": overdue.Seconds(),
		"dial_time": dialTime.Seconds(), "batch": reconcileBatch,
	}, func(c silentCall) error {
		if _, ok := silent.Load(c.ConnectionID); ok && !c.Overdue {
			return nil
		}
		err := s.reconcile(ctx, c)
		if errors.Is(err, errStatusUnknown) {
			silent.Store(c.ConnectionID, true)
			return nil
		}
		return err
	})
	return closed + looked, err
}

// closeUnasked ends calls whose process died before it requested them from the carrier. Their lease
// has expired, so no process requests them any more. No phone rang, so the call does not count as
// an attempt.
func (s *Service) closeUnasked(ctx context.Context) (int, error) {
	ids, err := postgres.Collect(ctx, s.pool, pgx.RowTo[uuid.UUID], `
		select id from call
		where ended_at is null and asked_at is null and coalesce(lease_until, created_at) < (select clock())
		limit $1`, reconcileBatch)
	if err != nil {
		return 0, fmt.Errorf("find abandoned claims: %w", err)
	}
	for i, id := range ids {
		if _, err := s.notPlaced(ctx, move{ID: id, Unasked: true}); err != nil {
			return i, err
		}
	}
	return len(ids), nil
}

// errStatusUnknown says that the carrier did not report a status.
var errStatusUnknown = errors.New("the carrier did not report the status of the call")

// reconcile asks the carrier about one call and applies the answer. It holds no lock and no
// database connection while it asks. Errors: errStatusUnknown.
func (s *Service) reconcile(ctx context.Context, c silentCall) error {
	ref := carrier.Ref{
		CallID: c.ID, CarrierCallID: c.CarrierCallID, From: c.OwnNumber, To: c.PersonNumber, NotThese: c.NotThese,
	}
	if c.AskedAt != nil {
		ref.PlacedAfter = *c.AskedAt
	}
	report, err := s.lookup(ctx, c.ConnectionID, ref)
	lost := move{
		ID: c.ID, To: Failed, Reason: ReasonCarrierLost, By: ByCarrier,
		Detail: "the carrier did not report the end of the call",
	}
	switch {
	case errors.Is(err, carrier.ErrUnknownCall):
		if !c.Lost {
			return nil
		}
		lost.Detail = "the carrier did not confirm the call and does not know it"
		if c.CarrierCallID != "" {
			lost.Detail = "the carrier accepted the call and later did not know it"
		}
		return s.apply(ctx, lost)
	case err != nil:
		s.log.WarnContext(ctx, "looking up a call failed", "call", c.ID, "connection", c.ConnectionID, "error", err)
		if c.Overdue {
			return cmp.Or(s.apply(ctx, lost), errStatusUnknown)
		}
		return errStatusUnknown
	case c.Overdue && (report.Phase == carrier.Waiting || report.Phase == carrier.Alerts):
		return s.apply(ctx, lost) // the end of the call was requested several times
	}

	m := move{
		ID: c.ID, Accepted: true, CarrierCallID: report.CarrierCallID,
		AnsweredBy: answerer(report.AnsweredBy), At: report.StartedAt, Talked: report.Duration,
	}
	unreported, err := s.isUnreported(ctx, c, report)
	if err != nil {
		return err
	}
	if unreported {
		if err := project.CountLineFailure(ctx, s.pool, c.ConnectionID, nil, noCallbacks); err != nil {
			return err
		}
	}
	switch report.Phase {
	case carrier.Alerts:
		m.To = Ringing
	case carrier.Talking:
		m.To = InProgress
	case carrier.Over:
		m.end(report.Outcome, "") // a report does not say why
		m.Code = report.Code
		if unreported {
			m.Detail = noCallbacks
		}
		return s.apply(ctx, m)
	}
	if err := s.apply(ctx, m); err != nil {
		return err
	}

	ref.CarrierCallID = report.CarrierCallID
	switch {
	case c.HangUp:
		return s.giveUp(ctx, c, ref, "") // the reason is already stored
	case report.Phase == carrier.Talking && c.Status == InProgress && c.LineSilent && !c.HadLine:
		return s.giveUp(ctx, c, ref, ReasonLineFailed)
	case report.Phase == carrier.Talking && c.TooLong && c.Status == InProgress:
		return s.giveUp(ctx, c, ref, ReasonMaxDuration)
	case report.Phase != carrier.Talking && c.TooLong && c.Status != InProgress:
		return s.giveUp(ctx, c, ref, ReasonNoAnswer)
	case c.Transferring: // the carrier holds the call
	case report.Phase == carrier.Talking && c.Status == InProgress && c.LineSilent:
		return s.giveUp(ctx, c, ref, ReasonServerRestart)
	}
	return nil
}

func (s *Service) lookup(ctx context.Context, connection uuid.UUID, ref carrier.Ref) (carrier.Report, error) {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	network, err := s.carriers(ctx, connection)
	if err != nil {
		return carrier.Report{}, fmt.Errorf("open connection %s: %w", connection, err)
	}
	return network.Lookup(ctx, ref)
}

func (s *Service) apply(ctx context.Context, m move) error {
	after, err := s.transition(ctx, s.pool, m)
	if err != nil {
		return err
	}
	s.wakeAfter(after)
	return nil
}

// giveUp records why a call must not continue, and then hangs up the call. The carrier reports the
// end.
func (s *Service) giveUp(ctx context.Context, c silentCall, ref carrier.Ref, why Reason) error {
	if why != "" {
		tag, err := s.pool.Exec(ctx, `
			update call c set hang_up_at = k.t, heard_at = k.t,
				ended_by = case when ended_reason is null then 'system' else ended_by end,
				ended_reason = coalesce(ended_reason, $2)
			from (select clock() as t) k
			where c.id = $1 and `+sqlLive+`
			  -- unless another holder has taken over the line meanwhile
			  and ($2 = 'max_duration' or $2 = 'no_answer' and c.answered_at is null or not exists (
			      select from call_line l
			      where l.call_id = c.id and l.updated_at > k.t - make_interval(secs => $3)))`,
			c.ID, why, silentAfter.Seconds())
		if err != nil {
			return fmt.Errorf("mark call %s to be hung up: %w", c.ID, err)
		}
		if tag.RowsAffected() == 0 {
			return nil
		}
	}
	if err := s.hangUp(ctx, c.ConnectionID, ref); err != nil && !errors.Is(err, carrier.ErrUnknownCall) {
		s.log.WarnContext(ctx, "hanging up a call failed and will be retried", "call", c.ID, "error", err)
	}
	return nil
}
