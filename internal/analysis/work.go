package analysis

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/loop"
	"github.com/dialwright/dialwright/internal/model"
	"github.com/dialwright/dialwright/internal/model/connection"
)

// running is an analysis that this process makes.
type running struct {
	connection uuid.UUID
	begun      time.Time
	cancel     context.CancelCauseFunc
}

// errCrowded ends an analysis whose stream a call needs.
var errCrowded = errors.New("a call needs the stream")

// Run makes queued analyses until ctx ends. Any number of processes may run it. The analyses of a process that was
// killed are made by another one when their leases expire.
func (s *Service) Run(ctx context.Context) error {
	woken, stop := s.hub.Subscribe(Topic)
	defer stop()
	work, cancel := context.WithCancel(ctx)
	var all sync.WaitGroup
	defer all.Wait()
	defer cancel()
	again := make(chan struct{}, 1)
	var swept time.Time
	for ctx.Err() == nil {
		if time.Since(swept) > time.Minute {
			if err := s.failOverdue(ctx); err != nil {
				return err
			}
			swept = time.Now()
		}
		if err := s.giveWay(ctx); err != nil {
			return err
		}
		if err := s.start(work, &all, again); err != nil {
			return err
		}
		gap := poll
		if s.busy() > 0 {
			gap = pollBusy
		}
		wait, done := context.WithTimeout(ctx, loop.Jitter(gap))
		select {
		case <-wait.Done():
		case <-woken:
		case <-again:
		}
		done()
	}
	return nil
}

func (s *Service) busy() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.running)
}

// start claims as many analyses as the process has places for, and makes each in a goroutine. again receives when one
// has ended.
func (s *Service) start(ctx context.Context, all *sync.WaitGroup, again chan<- struct{}) error {
	free := atOnce - s.busy()
	if free == 0 {
		return nil
	}
	jobs, err := s.claim(ctx, free)
	if err != nil {
		return err
	}
	for _, j := range jobs {
		asking, cancel := context.WithCancelCause(ctx)
		s.mu.Lock()
		s.running[j.AnalysisID] = running{connection: j.ConnectionID, begun: time.Now(), cancel: cancel}
		s.mu.Unlock()
		all.Go(func() {
			defer func() {
				cancel(nil)
				s.mu.Lock()
				delete(s.running, j.AnalysisID)
				s.mu.Unlock()
				select {
				case again <- struct{}{}:
				default:
				}
			}()
			if err := s.work(asking, j); err != nil {
				s.log.ErrorContext(ctx, "an analysis could not be written; it is repeated", "analysis", j.AnalysisID,
					"error", err)
			}
		})
	}
	return nil
}

// giveWay ends analyses on connections that have more calls and analyses than streams, the newest first. A call claims
// its stream before its phone rings, so the stream is free when somebody answers.
func (s *Service) giveWay(ctx context.Context) error {
	s.mu.Lock()
	byConnection := map[uuid.UUID][]running{}
	var connections []uuid.UUID
	for _, r := range s.running {
		if byConnection[r.connection] == nil {
			connections = append(connections, r.connection)
		}
		byConnection[r.connection] = append(byConnection[r.connection], r)
	}
	s.mu.Unlock()
	if len(connections) == 0 {
		return nil
	}
	excess, err := s.excess(ctx, connections)
	if err != nil {
		return err
	}
	for id, n := range excess {
		ours := byConnection[id]
		slices.SortFunc(ours, func(a, b running) int { return b.begun.Compare(a.begun) })
		for _, r := range ours[:min(n, len(ours))] {
			r.cancel(errCrowded)
		}
	}
	return nil
}

// failOverdue ends analyses that waited for too long, because their connection fails or calls use all of its streams.
func (s *Service) failOverdue(ctx context.Context) error {
	for {
		jobs, err := s.overdue(ctx, atOnce)
		if err != nil || len(jobs) == 0 {
			return err
		}
		for _, j := range jobs {
			err := s.finish(ctx, j, outcome{reason: s.overdueReason(ctx, j)})
			if err != nil && !errors.Is(err, errLost) {
				return err
			}
		}
	}
}

func (s *Service) overdueReason(ctx context.Context, j job) string {
	const late = "The call could not be analyzed within 24 hours"
	c, err := s.models.Get(ctx, j.OrganizationID, j.ConnectionID)
	switch {
	case fault.KindOf(err) == fault.NotFound:
		return deactivated
	case errors.Is(connection.CheckDay(ctx, s.pool, j.OrganizationID), connection.ErrDay):
		return late + ", because the daily limit for language models was reached"
	case err == nil && c.Failing() && c.LastError != nil:
		return late + ": " + *c.LastError
	}
	return late + ", because calls used all streams of the model connection"
}

// deactivated is why an analysis fails whose connection is out of use.
const deactivated = "The model connection was deactivated"

// work makes a claimed analysis, and stores what came of it.
func (s *Service) work(ctx context.Context, j job) error {
	if err := connection.CheckDay(ctx, s.pool, j.OrganizationID); fault.KindOf(err) == fault.Conflict {
		analyses.WithLabelValues(resultPostponed).Inc()
		return s.postpone(ctx, j, dayPause, j.Failures)
	}
	o, err := s.analyze(ctx, j)
	// The claim is given up, or the result written, also if the process is about to stop.
	writing, cancel := context.WithTimeout(context.WithoutCancel(ctx), askTime)
	defer cancel()
	if err == nil {
		return ended(s.finish(writing, j, o))
	}
	if ctx.Err() != nil {
		if err := s.count(writing, j, o); err != nil {
			return err
		}
		pause := time.Duration(0)
		if errors.Is(context.Cause(ctx), errCrowded) {
			pause = crowded
			analyses.WithLabelValues(resultPostponed).Inc()
		}
		return s.postpone(writing, j, pause, j.Failures)
	}
	failed, is := errors.AsType[*model.Error](err)
	if !is { // the database; the lease expires
		return err
	}
	s.log.WarnContext(ctx, "a call could not be analyzed", "call", j.CallID, "model_connection", j.ConnectionID,
		"try", j.Failures+1, "error", err)
	final := failed.Kind == model.TooLong || errors.Is(err, errFinal) || j.Failures >= len(pauses)
	if failed.Kind == model.Throttled || !final { // else finish counts it
		if err := s.count(writing, j, o); err != nil {
			return err
		}
	}
	switch {
	case failed.Kind == model.Throttled: // no fault of the analysis, and others wait too
		analyses.WithLabelValues(resultPostponed).Inc()
		return s.postpone(writing, j, max(failed.RetryAfter, loop.Jitter(throttle)), j.Failures)
	case !final:
		analyses.WithLabelValues(resultRetried).Inc()
		return s.postpone(writing, j, pauses[j.Failures], j.Failures+1)
	}
	o.reason = failed.Error()
	return ended(s.finish(writing, j, o))
}

// errFinal is the cause of an error after which another try is useless.
var errFinal = errors.New("final")

// ended hides that another process has the analysis, which is no error.
func ended(err error) error {
	if errors.Is(err, errLost) {
		return nil
	}
	return err
}
