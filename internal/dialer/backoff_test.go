package dialer

import (
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/google/uuid"
)

// A campaign whose passes fail gets none before its pause is over, also when it waits for a
// slot, and a busy row in between does not shorten the next pause.
func TestAFailingCampaignIsLeftAlone(t *testing.T) {
	t.Parallel()
	d := NewDialer(LoopOptions{Log: slog.New(slog.DiscardHandler)})
	c := target{ID: uuid.New()}
	d.blocked[c.ID] = c
	if len(d.unblock(nil)) != 1 {
		t.Fatal("a free slot wakes no campaign that waits for one")
	}
	d.failed(c, errors.New("broken"))
	if len(d.unblock(nil)) != 0 {
		t.Error("a free slot wakes a campaign that is left alone")
	}

	for range 8 {
		d.failed(c, errors.New("broken"))
	}
	until := d.failing[c.ID].until
	d.leaveAlone(busyGap, c)
	if got := d.failing[c.ID].until; got.Before(until) {
		t.Errorf("a busy row shortened a pause by %v", until.Sub(got))
	}
	d.failed(c, errors.New("broken"))
	if got := time.Until(d.failing[c.ID].until); got < failedMost/2 {
		t.Errorf("after a busy row the next pause is %v", got)
	}
}
