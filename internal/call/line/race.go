package line

import (
	"context"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/loop"
	"github.com/dialwright/dialwright/internal/model"
	"github.com/dialwright/dialwright/internal/model/connection"
)

// maxAnswer is how many characters of one answer are spoken, which takes about a minute.
const maxAnswer = 1000

// retryModel is the pause before the only endpoint is asked again.
const retryModel = 300 * time.Millisecond

// piece is a part of the answer of an endpoint, or its error.
type piece struct {
	endpoint int
	delta    model.Delta
	err      error
	at       time.Time // when it arrived
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

// provider returns the provider of the endpoint. It is empty while its settings are not known.
func (m *mind) provider() connection.Provider {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.client.Connection.Provider
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
		quiet:    state.Phase == conversation.Menu,
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
	quiet   bool // an answer without words is one, too

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
		r.fails(ctx, r.winner, errLate)
		r.breakOff(ctx)
		return
	}
	for i := range r.cancels {
		r.fails(ctx, i, errLate)
	}
	r.finish(nil)
}

// fails notes the failure of an endpoint.
func (r *race) fails(ctx context.Context, endpoint int, cause error) {
	r.failures = append(r.failures, r.minds[endpoint].failureOf(cause))
	r.minds[endpoint].failed(ctx, cause)
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
		result := abandoned
		defer func() { requests.WithLabelValues(string(r.minds[endpoint].provider()), result).Inc() }()
		for delta, err := range m.Stream(r.watch.traced(ctx, r.now), r.request) {
			if done, ok := delta.(model.Done); ok && err == nil {
				result = answered
				countTokens(r.minds[endpoint].provider(), done.Usage)
			} else if err != nil && ctx.Err() == nil {
				result = failed
			}
			if !r.pass(ctx, piece{endpoint, delta, err, r.now()}) || err != nil {
				return
			}
		}
	}()
}

// speak gives words to the holder of the line. at is when what completed them arrived.
func (r *race) speak(part string, at time.Time) {
	if part != "" {
		r.watch.mark(func(m *moments) *time.Time { return &m.part }, at)
		r.say(part)
	}
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
		r.answers(r.minds[p.endpoint].id)
		r.watch.begins(p.at, len(r.cancels) > 1)
		for i, cancel := range r.cancels {
			if i != r.winner {
				cancel()
			}
		}
		r.running = 1
	}
	switch d := p.delta.(type) {
	case model.Text:
		r.chars += utf8.RuneCountInString(string(d))
		r.speak(r.reply.Write(string(d)), p.at)
		if _, withheld := r.reply.Said(); withheld != "" {
			r.end(ctx, model.Done{Finish: model.Refused})
			return true
		}
		if r.chars > maxAnswer {
			r.fails(ctx, r.winner, errEndless)
			r.breakOff(ctx)
			return true
		}
	case model.ToolCall:
		r.calls = append(r.calls, d)
	case model.Done:
		return r.done(ctx, d)
	}
	return false
}

// lost processes the failure of an endpoint. It reports whether the answer is complete.
func (r *race) lost(ctx context.Context, p piece) bool {
	if ctx.Err() != nil {
		return true
	}
	r.running--
	r.fails(ctx, p.endpoint, p.err)
	if said, _ := r.reply.Said(); said != "" { // the recipient has heard the beginning
		r.breakOff(ctx)
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

// done processes the end of an answer. It reports whether the answer is complete: without a word and without a tool
// it is a failure, and another request may do better.
func (r *race) done(ctx context.Context, d model.Done) bool {
	if d.Finish != model.Refused {
		r.speak(r.reply.Close(), r.now())
	}
	said, withheld := r.reply.Said()
	if said+withheld == "" && len(r.calls) == 0 && d.Finish != model.Refused && !r.quiet {
		return r.lost(ctx, piece{endpoint: r.winner, err: errNothing})
	}
	r.end(ctx, d)
	return true
}

// breakOff ends an answer whose end nobody knows.
func (r *race) breakOff(ctx context.Context) {
	r.broken = true
	r.end(ctx, model.Done{Finish: model.Length})
}

// end completes the answer with what was said so far.
func (r *race) end(ctx context.Context, done model.Done) {
	if done.Finish != model.Refused {
		r.speak(r.reply.Close(), r.now())
	}
	said, withheld := r.reply.Said()
	if said+withheld == "" && len(r.calls) == 0 && r.broken {
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
	thought := conversation.Thought{
		Text:     said,
		Withheld: withheld,
		Calls:    r.calls,
		Finish:   done.Finish,
		Broken:   r.broken,
		Usage:    usage,
		Model:    done.Model,
	}
	answered := max(r.winner, 0)
	thought.ConnectionID = r.minds[answered].id
	for i := range r.cancels { // the server of the loser read the request too
		if i != answered {
			thought.Others = append(thought.Others, conversation.Used{
				ConnectionID: r.minds[i].id, Usage: model.Estimate(r.request, 0),
			})
		}
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
