// Package testwait is about time in tests: how long they wait for what has to come,
// and deadlines that pass when they say so.
package testwait

import (
	"context"
	"sync"
	"testing"
	"time"
)

// Limit is when a test gives up one wait. No machine is so slow that it reaches it: only
// what is broken does. It is far below the limit of a whole run of tests, so that a failed
// run names what it waited for.
const Limit = 10 * time.Minute

// Next returns what comes next from a channel. It fails the test if nothing comes.
func Next[T any](tb testing.TB, what string, from <-chan T) T {
	tb.Helper()
	select {
	case next := <-from:
		return next
	case <-time.After(Limit):
		tb.Fatalf("waited in vain: %s", what)
	}
	panic("not reached")
}

// Deadline is a context whose deadline passes when the test says so: a short one
// by the clock passes too early on a slow machine.
type Deadline struct {
	context.Context
	over chan struct{}
	once sync.Once
}

// NewDeadline makes one that has not passed.
func NewDeadline(parent context.Context) *Deadline {
	return &Deadline{Context: parent, over: make(chan struct{})}
}

// Pass has the deadline pass.
func (d *Deadline) Pass() { d.once.Do(func() { close(d.over) }) }

// Done is closed when the deadline has passed.
func (d *Deadline) Done() <-chan struct{} { return d.over }

// Err is context.DeadlineExceeded when the deadline has passed.
func (d *Deadline) Err() error {
	select {
	case <-d.over:
		return context.DeadlineExceeded
	default:
		return nil
	}
}
