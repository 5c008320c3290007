package line

import (
	"context"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/loop"
	"github.com/dialwright/dialwright/internal/model"
	"github.com/dialwright/dialwright/internal/model/connection"
)

// patience is how long the recipient waits for the first words of a model's answer, from the
// end of their own words, until the agent does something else. The agent says a filler once,
// asks the other endpoint, asks the recipient to repeat, and gives up.
type patience struct{ filler, hedge, sorry, most, stall time.Duration }

var standardPatience = patience{
	filler: 900 * time.Millisecond,
	hedge:  1500 * time.Millisecond,
	sorry:  4 * time.Second,
	most:   8 * time.Second,
	stall:  5 * time.Second, // between two tokens
}

// maxAnswer is how many characters of one answer are spoken, which takes about a minute.
const maxAnswer = 1000

// retryModel is the pause before the only endpoint is asked again.
const retryModel = 300 * time.Millisecond

// thinking is a request to the model whose answer is being spoken or awaited.
type thinking struct {
	cancel   context.CancelFunc
	wake     func()
	patience patience
	began    time.Time
	first    bool // the agent speaks first

	speech carrier.Speech // nil: nothing was said yet
	number int            // of the utterance

	mu      sync.Mutex
	parts   []string // not spoken yet
	thought *conversation.Thought
	failed  bool
}

// follow begins, replaces or drops the request to the model, as the conversation wants it. The
// request does not wait for the disk. Its words do.
func (t *talk) follow(ctx context.Context, actions []conversation.Action) {
	for _, a := range actions {
		if _, ok := a.(conversation.Think); ok {
			t.think(ctx)
			return
		}
	}
	if !t.state.Awaiting() {
		t.stopThinking()
	}
}

// think asks the model for the next answer.
func (t *talk) think(ctx context.Context) {
	t.stopThinking()
	ctx, cancel := context.WithCancel(ctx)
	th := &thinking{
		cancel:   cancel,
		wake:     func() { t.interrupt.signal(false) },
		patience: t.service.patience,
		began:    t.service.now(),
		first:    t.state.Heard == 0,
	}
	t.thinking = th
	if t.state.Dialog.Rounds <= 1 {
		t.filled, t.sorry = false, false
	}
	if t.minds == nil {
		t.minds = t.service.mindsOf(t.organization, t.state.Script.Model)
	}
	go th.ask(ctx, t.minds, t.state)
}

// stopThinking drops the request to the model. What was spoken of its answer stays.
func (t *talk) stopThinking() {
	th := t.thinking
	if th == nil {
		return
	}
	th.cancel()
	if th.speech != nil {
		_ = th.speech.Abandon() // its only error: the utterance is over
	}
	t.thinking = nil
}

// speakThought gives the words of the model to the line as they come, once the turn before them is on
// disk. It reports whether the conversation has moved on.
func (t *talk) speakThought(ctx context.Context) (bool, error) {
	th := t.thinking
	if th == nil || len(t.replies) > 0 || t.unsaved.any() || !t.partingSince.IsZero() || t.givenUp {
		return false, nil
	}
	// The words wait for the end of what is being said, so that they can be dropped until then.
	if th.speech == nil && t.lastPlayed != t.lastSaid && th.speaks() {
		return false, nil
	}
	parts, thought, failed := th.take()
	for _, part := range parts {
		if th.speech == nil {
			n, speech, err := t.line.Stream(ctx, carrier.SayOptions{})
			if err != nil {
				return false, nil // next reports a closed line
			}
			th.speech, th.number, t.lastSaid = speech, n, n
		}
		t.give(th.number, t.given[th.number]+part)
		_ = th.speech.Write(part) // its only error: the utterance is over, which its Spoken reports
	}
	switch {
	case failed:
		t.stopThinking()
		return true, t.step(ctx, nil, conversation.Unthought{Sorry: t.sorry})
	case thought != nil:
		if th.speech != nil {
			_ = th.speech.Close()
		}
		t.thinking = nil
		thought.At = t.atRecipient()
		return true, t.step(ctx, nil, *thought)
	}
	return false, nil
}

// give notes what was given to the line for an utterance.
func (t *talk) give(utterance int, text string) {
	if t.state.Dialog == nil {
		return
	}
	if t.given == nil {
		t.given = map[int]string{}
	}
	t.given[utterance] = text
}

// thinkingDue returns when the recipient has waited long enough for the next step, or zero.
func (t *talk) thinkingDue() time.Time {
	th := t.thinking
	if th == nil || th.speech != nil || t.lastPlayed != t.lastSaid {
		return time.Time{}
	}
	switch {
	case th.first: // nobody waits for an answer yet
	case !t.filled:
		return th.began.Add(th.patience.filler)
	case !t.sorry:
		return th.began.Add(th.patience.sorry)
	}
	return time.Time{}
}

// overdue says something while the model is silent.
func (t *talk) overdue(ctx context.Context) {
	text := t.state.Moment()
	if t.filled {
		t.sorry, text = true, t.state.Script.NotUnderstood
	}
	t.filled = true
	if n, err := t.line.Say(ctx, text, carrier.SayOptions{}); err == nil {
		t.lastSaid, t.filler = n, n
	}
}

// speaks reports whether there are words to speak.
func (th *thinking) speaks() bool {
	th.mu.Lock()
	defer th.mu.Unlock()
	return len(th.parts) > 0
}

// take returns what is new.
func (th *thinking) take() (parts []string, thought *conversation.Thought, failed bool) {
	th.mu.Lock()
	defer th.mu.Unlock()
	parts, th.parts = th.parts, nil
	return parts, th.thought, th.failed
}

func (th *thinking) say(part string) {
	if part == "" {
		return
	}
	th.mu.Lock()
	th.parts = append(th.parts, part)
	th.mu.Unlock()
	th.wake()
}

func (th *thinking) finish(thought *conversation.Thought) {
	th.mu.Lock()
	th.thought, th.failed = thought, thought == nil
	th.mu.Unlock()
	th.wake()
}

// piece is a part of the answer of an endpoint, or its error.
type piece struct {
	endpoint int
	delta    model.Delta
	err      error
}

// mind is an endpoint of a model in one call. Its settings are read once, so that no turn waits for the
// database.
type mind struct {
	service      *Service
	organization uuid.UUID
	id           uuid.UUID

	mu     sync.Mutex
	client connection.Client
	known  bool // client is set
	proved bool // it answered in this call
}

// mindsOf returns the endpoints of an agent, in the order in which they are asked.
func (s *Service) mindsOf(organization uuid.UUID, m *conversation.Model) []*mind {
	all := []*mind{{service: s, organization: organization, id: m.ConnectionID}}
	if m.FallbackID != nil {
		all = append(all, &mind{service: s, organization: organization, id: *m.FallbackID})
	}
	return all
}

// model returns the client of the endpoint.
func (m *mind) model(ctx context.Context) (model.Model, error) {
	if m.service.models == nil {
		return nil, errNone
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.known {
		return m.client.Model, nil
	}
	var err error
	m.client, err = m.service.models.Model(ctx, m.organization, m.id)
	m.known = err == nil
	return m.client.Model, err
}

// worked clears the failures of the endpoint, once in a call.
func (m *mind) worked(ctx context.Context) {
	m.mu.Lock()
	client, proved := m.client, m.proved
	m.proved = true
	m.mu.Unlock()
	if proved {
		return
	}
	if err := client.Worked(context.WithoutCancel(ctx)); err != nil {
		m.service.log.WarnContext(ctx, "a success of a model could not be noted", "model_connection", m.id,
			"error", err)
	}
}

// failed counts a failure of the endpoint.
func (m *mind) failed(ctx context.Context, cause error) {
	m.mu.Lock()
	client := m.client
	m.proved = false
	m.mu.Unlock()
	m.service.log.WarnContext(ctx, "a model did not answer", "model_connection", m.id, "error", cause)
	if client.Connection.ID == uuid.Nil { // it could not be read
		return
	}
	if err := client.Failed(context.WithoutCancel(ctx), cause); err != nil {
		m.service.log.WarnContext(ctx, "a failure of a model could not be noted", "model_connection", m.id,
			"error", err)
	}
}

// ask asks the endpoint of the agent. If it is late or fails, ask asks the other one too, and the first
// to say something wins.
func (th *thinking) ask(ctx context.Context, minds []*mind, state conversation.State) {
	defer th.cancel()
	r := race{
		thinking: th,
		minds:    minds,
		request:  state.Request(),
		reply:    conversation.NewReply(state),
		pieces:   make(chan piece),
		winner:   -1,
	}
	r.run(ctx)
}

// race is one answer that several endpoints are asked for.
type race struct {
	*thinking
	minds   []*mind
	request model.Request
	reply   *conversation.Reply
	pieces  chan piece

	cancels []context.CancelFunc // of the endpoints that were asked
	running int
	retried bool
	winner  int // -1: none has said anything
	calls   []model.ToolCall
	chars   int  // of the answer
	broken  bool // the answer has no end
}

func (r *race) run(ctx context.Context) {
	r.start(ctx, 0, 0)
	late := time.NewTimer(r.patience.hedge)
	defer late.Stop()
	stall := time.NewTimer(r.patience.most)
	defer stall.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-late.C:
			if r.winner < 0 && len(r.cancels) < len(r.minds) {
				r.start(ctx, len(r.cancels), 0)
			}
		case <-stall.C:
			r.late(ctx)
			return
		case p := <-r.pieces:
			if r.winner >= 0 && p.endpoint != r.winner {
				continue
			}
			stall.Reset(r.patience.stall)
			if r.take(ctx, p) {
				return
			}
		}
	}
}

// late ends an answer whose next piece does not come.
func (r *race) late(ctx context.Context) {
	if r.winner >= 0 {
		r.minds[r.winner].failed(ctx, errLate)
		r.broken = true
		r.end(ctx, model.Done{Finish: model.Length})
		return
	}
	for i := range r.cancels {
		r.minds[i].failed(ctx, errLate)
	}
	r.finish(nil)
}

// start asks an endpoint, after a pause.
func (r *race) start(ctx context.Context, endpoint int, pause time.Duration) {
	ctx, cancel := context.WithCancel(ctx)
	if endpoint == len(r.cancels) {
		r.cancels = append(r.cancels, cancel)
	} else {
		r.cancels[endpoint] = cancel
	}
	r.running++
	go func() {
		defer cancel()
		if !loop.Sleep(ctx, pause) {
			return
		}
		m, err := r.minds[endpoint].model(ctx)
		if err != nil {
			r.pass(ctx, piece{endpoint: endpoint, err: err})
			return
		}
		for delta, err := range m.Stream(ctx, r.request) {
			if !r.pass(ctx, piece{endpoint, delta, err}) || err != nil {
				return
			}
		}
	}()
}

func (r *race) pass(ctx context.Context, p piece) bool {
	select {
	case r.pieces <- p:
		return true
	case <-ctx.Done():
		return false
	}
}

// take processes a piece. It reports whether the answer is complete.
func (r *race) take(ctx context.Context, p piece) bool {
	if p.err != nil {
		return r.lost(ctx, p)
	}
	if r.winner < 0 {
		if text, ok := p.delta.(model.Text); ok && text == "" {
			return false
		}
		r.winner = p.endpoint
		for i, cancel := range r.cancels {
			if i != r.winner {
				cancel()
			}
		}
	}
	switch d := p.delta.(type) {
	case model.Text:
		r.chars += utf8.RuneCountInString(string(d))
		r.say(r.reply.Write(string(d)))
		if _, withheld := r.reply.Said(); withheld {
			r.end(ctx, model.Done{Finish: model.Refused})
			return true
		}
		if r.chars > maxAnswer {
			r.minds[r.winner].failed(ctx, errEndless)
			r.broken = true
			r.end(ctx, model.Done{Finish: model.Length})
			return true
		}
	case model.ToolCall:
		r.calls = append(r.calls, d)
	case model.Done:
		r.end(ctx, d)
		return true
	}
	return false
}

// lost processes the failure of an endpoint. It reports whether the answer is complete.
func (r *race) lost(ctx context.Context, p piece) bool {
	if ctx.Err() != nil {
		return true
	}
	r.running--
	r.minds[p.endpoint].failed(ctx, p.err)
	if said, _ := r.reply.Said(); said != "" { // the recipient has heard the beginning
		r.broken = true
		r.end(ctx, model.Done{Finish: model.Length})
		return true
	}
	r.winner, r.calls = -1, nil
	kind := model.KindOf(p.err)
	switch {
	case len(r.cancels) < len(r.minds):
		r.start(ctx, len(r.cancels), 0)
	case r.running > 0:
	case !r.retried && (kind == model.Unavailable || kind == model.Throttled):
		r.retried = true
		r.start(ctx, p.endpoint, retryModel)
	default:
		r.finish(nil)
		return true
	}
	return false
}

// end completes the answer with what was said so far.
func (r *race) end(ctx context.Context, done model.Done) {
	if done.Finish != model.Refused {
		r.say(r.reply.Close())
	}
	said, withheld := r.reply.Said()
	if said == "" && len(r.calls) == 0 && done.Finish != model.Refused {
		if r.winner >= 0 {
			r.minds[r.winner].failed(ctx, errNothing)
		}
		r.finish(nil)
		return
	}
	if r.winner >= 0 && done.Model != "" {
		r.minds[r.winner].worked(ctx)
	}
	usage := done.Usage
	if usage == (model.Usage{}) {
		usage = model.Estimate(r.request, r.chars)
	}
	if len(r.cancels) > 1 { // the server of the loser read the request too
		usage.Input += model.Estimate(r.request, 0).Input
		usage.Estimated = true
	}
	thought := conversation.Thought{
		Text:     said,
		Withheld: withheld,
		Calls:    r.calls,
		Finish:   done.Finish,
		Broken:   r.broken,
		Usage:    usage,
		Model:    done.Model,
	}
	if r.winner >= 0 {
		thought.ConnectionID = r.minds[r.winner].id
	}
	r.finish(&thought)
}

// Failures that no error of the client reports.
var (
	errNothing = &model.Error{Kind: model.Unavailable, Reason: "The model answered without a word"}
	errNone    = &model.Error{Kind: model.Unusable, Reason: "This process asks no models"}
	errEndless = &model.Error{
		Kind: model.Unavailable, Reason: "The answer of the model is longer than a minute of speech",
	}
	errLate = &model.Error{Kind: model.Unavailable, Reason: "The model did not answer in time"}
)
