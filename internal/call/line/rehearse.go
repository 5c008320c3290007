package line

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/model"
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

// Failure is why a connection did not answer.
type Failure struct {
	Connection string // its name; empty: it could not be read
	Reason     string // for users
}

// failureOf returns a failure as users may see it.
func (m *mind) failureOf(cause error) Failure {
	m.mu.Lock()
	defer m.mu.Unlock()
	f := Failure{Connection: m.client.Connection.Name, Reason: "The connection could not be read"}
	if e, ok := errors.AsType[*model.Error](cause); ok {
		f.Reason = e.Error()
	} else if e := fault.As(cause); e != nil {
		f.Reason = e.Message
	}
	return f
}

// Rehearsed is the answer to the action Think.
type Rehearsed struct {
	Input      conversation.Input // Thought or Unthought
	FirstToken time.Duration      // how long the first token took; 0: no model answered
	Meanwhile  []string           // what a recipient hears while they wait
	Failures   []Failure          // also of a connection whose fallback answered
}

// Think answers the action Think of a state. If ctx ends first, the answer is Unthought.
func (r *Rehearsal) Think(ctx context.Context, state conversation.State) Rehearsed {
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
	_, thought, _ := th.take()
	answer := Rehearsed{Failures: th.failures}
	waited := r.service.now().Sub(th.began)
	if thought != nil {
		answer.Input, answer.FirstToken = *thought, th.watch.read().token.Sub(th.began)
		waited = answer.FirstToken
	}
	sorry := false
	if state.Heard > 0 && state.Phase == conversation.Talking { // as thinkingDue says
		if waited >= th.patience.filler {
			answer.Meanwhile = append(answer.Meanwhile, state.Moment())
		}
		if sorry = waited >= th.patience.sorry; sorry {
			answer.Meanwhile = append(answer.Meanwhile, state.NotUnderstood())
		}
	}
	if thought == nil {
		answer.Input = conversation.Unthought{Sorry: sorry}
	}
	return answer
}
