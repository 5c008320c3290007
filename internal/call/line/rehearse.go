package line

import (
	"context"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/conversation"
)

// Rehearsal asks the models of agents outside of calls, as a line does: the fallback connection is asked too
// when the first is late or fails, and the health of the connections counts both. It remembers the
// connections, so use one for each conversation.
type Rehearsal struct {
	service      *Service
	organization uuid.UUID
	minds        []*mind
}

// Rehearse begins a conversation of an organization without a line.
func (s *Service) Rehearse(organization uuid.UUID) *Rehearsal {
	return &Rehearsal{service: s, organization: organization}
}

// Think answers the action Think of a state with Thought or Unthought. firstToken is how long the first
// token took; 0: no model answered. If ctx ends first, it is Unthought.
func (r *Rehearsal) Think(
	ctx context.Context, state conversation.State,
) (in conversation.Input, firstToken time.Duration) {
	if r.minds == nil {
		r.minds = r.service.mindsOf(r.organization, state.Script.Model)
	}
	ctx, cancel := context.WithCancel(ctx)
	th := &thinking{
		cancel:   cancel,
		wake:     func() {}, // nobody listens
		patience: r.service.patience,
		began:    r.service.now(),
		now:      r.service.now,
		watch:    &stopwatch{},
	}
	th.ask(ctx, r.minds, state)
	if _, thought, _ := th.take(); thought != nil {
		return *thought, th.watch.read().token.Sub(th.began)
	}
	return conversation.Unthought{}, 0
}
