// Package worker runs the background loops: it starts them, restarts them after failures, and stops them without
// leaving work half done. Other packages implement the loops.
package worker

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"runtime/debug"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/alert"
	"github.com/dialwright/dialwright/internal/analysis"
	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/call/listen"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/dialer"
	"github.com/dialwright/dialwright/internal/erasure"
	"github.com/dialwright/dialwright/internal/evaluation"
	"github.com/dialwright/dialwright/internal/loop"
	"github.com/dialwright/dialwright/internal/messaging/connection"
	"github.com/dialwright/dialwright/internal/messaging/gate"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/project"
	"github.com/dialwright/dialwright/internal/sample"
	"github.com/dialwright/dialwright/internal/suppression"
	"github.com/dialwright/dialwright/internal/suppression/subscribed"
	"github.com/dialwright/dialwright/internal/upload"
	"github.com/dialwright/dialwright/internal/webhook"
)

const (
	reconcileGap = 5 * time.Second
	recordingGap = time.Minute
	alertGap     = time.Minute
	sweepGap     = 10 * time.Minute

	// A failed loop restarts after a pause, which grows while the loop keeps failing. If the database is unavailable,
	// the pause is at most awayPause, and the loop restarts immediately when the database is available again.
	leastPause = 500 * time.Millisecond
	mostPause  = 30 * time.Second
	awayPause  = time.Second

	// statementTime limits each statement of a loop. Without it, a loop in a stuck statement would never find the new
	// server.
	statementTime = 20 * time.Second
)

// topicBack is woken when this process can use the database again, because the hub wakes every topic after it
// connects.
const topicBack = "database"

// Options are the dependencies of the loops.
type Options struct {
	Pool        *pgxpool.Pool
	Hub         *postgres.Hub
	Accounts    *account.Service
	Alerts      *alert.Service
	Projects    *project.Service
	Calls       *call.Service
	Sounds      *listen.Service
	Campaigns   *campaign.Service
	Lists       *subscribed.Service
	Dialer      *dialer.Dialer
	Evaluations *evaluation.Service
	Settler     *dialer.Settler
	Analyses    *analysis.Service
	WhatsApp    *connection.Service
	MessageGate *gate.Service
	Deliveries  *webhook.Engine
	Erasures    *erasure.Service
	Uploads     *upload.Service
	Samples     *sample.Service
	Log         *slog.Logger

	StatementTime time.Duration // statement limit of the loops; 0 means 20 s
}

// Run runs the loops of this process until ctx ends. Then it starts no new work, and returns when the running work is
// finished and stored. Any number of processes may run it on one database.
func Run(ctx context.Context, o Options) {
	loops := map[string]func(context.Context) error{
		"instance":   o.Calls.KeepAlive,
		"dialer":     o.Dialer.Run,
		"settlement": o.Settler.Run,
		"analyses":   o.Analyses.Run,
		"reconciler": whenWoken(o.Hub, call.TopicReconciler, reconcileGap, untilNone(o.Calls.Reconcile)),
		"messages":   o.MessageGate.NewSender().Run,
		"accounts":   o.WhatsApp.KeepFresh,
		"tests":      o.Evaluations.Work,
		"deliveries": o.Deliveries.Run,
		"erasures":   o.Erasures.Run,
		"recordings": every(recordingGap, o.Calls.FindRecordings),
		"deletions":  every(reconcileGap, untilNone(o.Calls.DeleteRecordings)),
		"search":     every(sweepGap, untilNone(o.Calls.IndexSides)),
		"prices":     every(reconcileGap, untilNone(o.Calls.ReadPrices)),
		"retention":  every(sweepGap, alone(o.Pool, "retention", o.Calls.Forget)),
		"sounds":     every(sweepGap, alone(o.Pool, "sounds", o.Sounds.Forget)),
		"paces":      every(sweepGap, alone(o.Pool, "paces", o.Calls.SweepPaces)),
		"log":        every(sweepGap, alone(o.Pool, "webhook log", o.Deliveries.Sweep)),
		"sweep":      every(sweepGap, alone(o.Pool, "sweep", o.Accounts.Sweep)),
		"test log":   every(sweepGap, alone(o.Pool, "test log", o.Evaluations.Sweep)),
		"uploads":    every(sweepGap, alone(o.Pool, "uploads", o.Uploads.Sweep)),
		"opt-outs":   whenWoken(o.Hub, suppression.Topic, reconcileGap, untilNone(o.Campaigns.CancelListed)),
		"lists":      whenWoken(o.Hub, subscribed.Topic, reconcileGap, untilNone(o.Lists.FetchDue)),
		"readiness":  every(reconcileGap, untilNone(o.Projects.CheckDue)),
		"answers":    every(sweepGap, alone(o.Pool, "answers", o.Campaigns.Sweep)),
		"alerts":     every(alertGap, alone(o.Pool, "alerts", o.Alerts.Watch)),
		"emails":     every(reconcileGap, untilNone(o.Alerts.Send)),
		"alert log":  every(sweepGap, alone(o.Pool, "alert log", o.Alerts.Sweep)),
		"samples":    every(reconcileGap, untilNone(o.Samples.Finish)),
		"tokens":     every(sweepGap, alone(o.Pool, "tokens", o.Projects.Sweep)),
	}
	o.run(ctx, loops)
}

// RunLines runs the loops of a process that handles lines and does no other work.
func RunLines(ctx context.Context, o Options) {
	o.run(ctx, map[string]func(context.Context) error{"instance": o.Calls.KeepAlive})
}

func (o Options) run(ctx context.Context, loops map[string]func(context.Context) error) {
	ctx = postgres.WithStatementTime(ctx, cmp.Or(o.StatementTime, statementTime))
	var running sync.WaitGroup
	for name, work := range loops {
		running.Go(func() {
			back, stop := o.Hub.Subscribe(topicBack)
			defer stop()
			keep(ctx, o.Log.With("loop", name), back, work)
		})
	}
	running.Wait()
}

// keep runs a loop, and restarts it after an error or a panic, until ctx ends. back receives when the database is
// available again.
func keep(ctx context.Context, log *slog.Logger, back <-chan struct{}, work func(context.Context) error) {
	var backoff loop.Backoff
	for ctx.Err() == nil {
		began := time.Now()
		err := guard(ctx, work)
		if ctx.Err() != nil {
			return
		}
		if time.Since(began) > 2*mostPause {
			backoff.Reset()
		}
		if postgres.Away(err) {
			pause := backoff.Next(leastPause, awayPause)
			log.WarnContext(ctx, "the database is not available; the loop restarts when it is", "pause", pause, "error",
				err)
			loop.Await(ctx, back, pause)
		} else {
			pause := backoff.Next(leastPause, mostPause)
			log.ErrorContext(ctx, "a loop failed and will restart", "pause", pause, "error", err)
			loop.Sleep(ctx, pause)
		}
	}
}

// guard converts a panic to an error.
func guard(ctx context.Context, work func(context.Context) error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	return work(ctx)
}

// every repeats a task. Its pauses vary a little, so that processes that start together do not stay in step. The task
// must tolerate interruption.
func every(gap time.Duration, task func(context.Context) error) func(context.Context) error {
	return whenever(nil, gap, task)
}

// whenWoken repeats a task like every, and also runs it immediately when its topic is woken.
func whenWoken(
	hub *postgres.Hub, topic string, gap time.Duration, task func(context.Context) error,
) func(context.Context) error {
	return func(ctx context.Context) error {
		woken, stop := hub.Subscribe(topic)
		defer stop()
		return whenever(woken, gap, task)(ctx)
	}
}

func whenever(woken <-chan struct{}, gap time.Duration, task func(context.Context) error) func(context.Context) error {
	return func(ctx context.Context) error {
		for ctx.Err() == nil {
			if err := task(ctx); err != nil {
				return err
			}
			loop.Await(ctx, woken, gap*9/10+rand.N(gap/5))
		}
		return nil
	}
}

// alone runs a task unless another process is running it.
func alone(pool *pgxpool.Pool, name string, task func(context.Context) error) func(context.Context) error {
	return func(ctx context.Context) error {
		_, err := postgres.TryLease(ctx, pool, name, task)
		return err
	}
}

// untilNone repeats a task until it finds no work. Each run of the task does part of the work.
func untilNone(task func(context.Context) (int, error)) func(context.Context) error {
	return func(ctx context.Context) error {
		for {
			n, err := task(ctx)
			if err != nil || n == 0 {
				return err
			}
		}
	}
}
