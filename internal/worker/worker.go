// Package worker owns the loops that work without being asked: it starts them,
// starts them again after they failed, and stops them so that nothing that was
// begun is left half done. What they do belongs to the packages they come from.
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
	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/dialer"
	"github.com/dialwright/dialwright/internal/erasure"
	"github.com/dialwright/dialwright/internal/loop"
	"github.com/dialwright/dialwright/internal/messaging/connection"
	"github.com/dialwright/dialwright/internal/messaging/gate"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/upload"
	"github.com/dialwright/dialwright/internal/webhook"
)

const (
	reconcileGap = 5 * time.Second
	recordingGap = time.Minute
	sweepGap     = 10 * time.Minute

	// A loop that failed starts again after a pause that grows while it keeps
	// failing. One that failed because the database is away pauses for awayPause
	// at most, and starts at once when the database is back.
	leastPause = 500 * time.Millisecond
	mostPause  = 30 * time.Second
	awayPause  = 2 * time.Second

	// statementTime is how long one statement of a loop may take. A loop that is
	// stuck in one would never find out that there is a new server.
	statementTime = 20 * time.Second
)

// topicBack is woken when this process can use the database again: the hub wakes
// every topic when it has connected.
const topicBack = "database"

// Options are what the loops work with.
type Options struct {
	Pool        *pgxpool.Pool
	Hub         *postgres.Hub
	Accounts    *account.Service
	Calls       *call.Service
	Dialer      *dialer.Dialer
	Settler     *dialer.Settler
	WhatsApp    *connection.Service
	MessageGate *gate.Service
	Deliveries  *webhook.Engine
	Erasures    *erasure.Service
	Uploads     *upload.Service
	Log         *slog.Logger

	StatementTime time.Duration // of the loops; 0: 20 s
}

// Run runs the loops of this process until ctx is over. Then nothing new is
// begun, and it returns when what was begun is finished and written down. Any
// number of processes may run it on one database.
func Run(ctx context.Context, o Options) {
	loops := map[string]func(context.Context) error{
		"instance":   o.Calls.KeepAlive,
		"dialer":     o.Dialer.Run,
		"settlement": o.Settler.Run,
		"reconciler": whenWoken(o.Hub, call.TopicReconciler, reconcileGap, untilNone(o.Calls.Reconcile)),
		"messages":   o.MessageGate.NewSender().Run,
		"accounts":   o.WhatsApp.KeepFresh,
		"deliveries": o.Deliveries.Run,
		"erasures":   o.Erasures.Run,
		"recordings": every(recordingGap, o.Calls.FindRecordings),
		"deletions":  every(reconcileGap, untilNone(o.Calls.DeleteRecordings)),
		"retention":  every(sweepGap, alone(o.Pool, "retention", o.Calls.Forget)),
		"log":        every(sweepGap, alone(o.Pool, "webhook log", o.Deliveries.Sweep)),
		"sweep":      every(sweepGap, alone(o.Pool, "sweep", o.Accounts.Sweep)),
		"uploads":    every(sweepGap, alone(o.Pool, "uploads", o.Uploads.Sweep)),
	}
	o.run(ctx, loops)
}

// RunLines runs what a process needs that holds lines and does no other work.
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

// keep runs a loop, and runs it again when it fails or panics, until ctx is
// over. back tells that the database can be used again.
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

// guard makes a panic an error.
func guard(ctx context.Context, work func(context.Context) error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	return work(ctx)
}

// every repeats a task, with pauses that differ a little so that processes
// started together don't stay in step. The task must bear being cut off.
func every(gap time.Duration, task func(context.Context) error) func(context.Context) error {
	return whenever(nil, gap, task)
}

// whenWoken repeats a task as every does, and at once when its topic is woken.
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

// alone runs a task unless another process is at it.
func alone(pool *pgxpool.Pool, name string, task func(context.Context) error) func(context.Context) error {
	return func(ctx context.Context) error {
		_, err := postgres.TryLock(ctx, pool, name, task)
		return err
	}
}

// untilNone repeats a task that takes some of what is to be done, until there is
// none.
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
