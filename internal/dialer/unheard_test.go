package dialer

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/fault"
)

// An agent whose language is not understood would not recognize "stop", so it calls
// nobody, even if it was stored before this rule.
func TestAnUnheardAgentCallsNobody(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	running, paused := b.create(t, fast(b.draft(20))), b.create(t, fast(b.draft(2)))
	b.exec(t, `update campaign set max_concurrency = 1 where id = $1`, running.ID)
	later := b.draft(2)
	later.ScheduledAt = ptr(time.Now().Add(time.Hour))
	scheduled := b.create(t, later)
	b.dial(t)
	if _, err := b.svc.Pause(t.Context(), b.actor, paused.ID); err != nil {
		t.Fatal(err)
	}
	up := len(b.network.up())
	b.exec(t, `update agent set language = 'fi-FI'`)
	const why = `Robin speaks a language (fi-FI) in which "stop" is not understood. Choose another language for the ` +
		`agent`
	refused := func(what string, kind fault.Kind, err error) {
		t.Helper()
		if fault.KindOf(err) != kind || !strings.Contains(err.Error(), why) {
			t.Errorf("%s: %v", what, err)
		}
	}

	_, err := b.svc.Create(t.Context(), b.actor, b.draft(1))
	refused("a new campaign", fault.Invalid, err)
	_, err = b.calling.Try(t.Context(), b.actor, Try{
		AgentID: b.agent, PhoneNumberID: b.number, ProjectID: b.project, ToNumber: "+13125550142",
	})
	refused("a call by hand", fault.Invalid, err)
	_, err = b.svc.Resume(t.Context(), b.actor, paused.ID)
	refused("resuming", fault.Conflict, err)

	b.exec(t, `update campaign set scheduled_at = clock(), dial_at = clock() where id = $1`, scheduled.ID)
	b.exec(t, `update campaign set dial_at = clock() where id = $1`, running.ID)
	b.dial(t)
	for _, id := range []uuid.UUID{running.ID, scheduled.ID} {
		if c := b.get(t, id); c.Status != campaign.Paused || c.PauseReason == nil || *c.PauseReason != why {
			t.Errorf("%s, %v", c.Status, c.PauseReason)
		}
	}
	if now := len(b.network.up()); now != up {
		t.Errorf("%d calls, %d before", now, up)
	}

	b.exec(t, `update agent set language = 'de-AT'`)
	if c, err := b.svc.Resume(t.Context(), b.actor, paused.ID); err != nil || c.Status != campaign.Running {
		t.Errorf("with a language that is understood: %s, %v", c.Status, err)
	}
}
