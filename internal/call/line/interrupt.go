package line

import (
	"context"
	"sync"

	"github.com/dialwright/dialwright/internal/call"
)

// listenForUpdates interrupts the holder when the call's row has changed and when this
// process begins to drain.
func (t *talk) listenForUpdates() (stop func()) {
	wake, cancel := t.service.hub.Subscribe(call.LineTopic(t.id))
	done := make(chan struct{})
	go func() {
		draining := t.service.lines.draining
		for {
			select {
			case <-wake:
				t.interrupt.signal(true)
			case <-draining:
				draining = nil
				t.interrupt.signal(false)
			case <-done:
				return
			}
		}
	}()
	return func() {
		cancel()
		close(done)
	}
}

// interrupt ends a holder's wait for input.
type interrupt struct {
	mu      sync.Mutex
	cancel  context.CancelFunc
	pending bool // signaled, and not yet seen by the holder
	changed bool // the call's row has changed
}

func (b *interrupt) signal(changed bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.pending, b.changed = true, b.changed || changed
	if b.cancel != nil {
		b.cancel()
	}
}

// arm makes a signal cancel a wait. A pending signal cancels the wait at once.
func (b *interrupt) arm(cancel context.CancelFunc) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.cancel = cancel
	if b.pending {
		b.pending = false
		cancel()
	}
}

// consume reports whether the call's row has changed since the last consume.
func (b *interrupt) consume() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.pending = false
	changed := b.changed
	b.changed = false
	return changed
}
