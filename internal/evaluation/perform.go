package evaluation

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/call/line"
	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/model"
	"github.com/dialwright/dialwright/internal/model/connection"
)

// stage is where the conversations of an organization's tests take place.
type stage struct {
	lines        *line.Service
	models       *connection.Service
	organization uuid.UUID
	now          func() time.Time
}

// maxSilences bounds the silences after the last step of a recipient. Agents hang up long before.
const maxSilences = 20

// perform holds the conversation of a case with an agent and checks it. Its error is that of a model that
// plays the recipient, or of ctx: then the result says only which tokens were used.
func (s stage) perform(
	ctx context.Context, agent, organization string, script conversation.Script, c Content,
) (Result, error) {
	vars, err := c.variables(agent, organization)
	if err != nil {
		return Result{}, err
	}
	if err := s.lines.Direct(ctx, s.organization, &script); err != nil {
		return Result{}, err
	}
	if script.Model != nil {
		equipped := *script.Model
		if err := s.lines.Equip(ctx, s.organization, &equipped, nil); err != nil {
			return Result{}, err
		}
		script.Model = &equipped
	}
	scene := Scene{Mind: rehearsed(s.lines, s.organization), At: s.now().UTC(), Results: c.ToolResults}
	t := scene.Begin(ctx, script, vars, c.LeaveMessage)
	var played conversation.Used
	if c.Recipient.Model != nil {
		played, err = s.play(ctx, scene, t, *c.Recipient.Model)
	} else {
		scene.follows(ctx, t, c.Recipient.Steps)
	}
	r := resultOfTalk(t)
	r.uses(played)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return r, err
	}
	r.examine(ctx, t, c.Checks, s.judge)
	return r, ctx.Err()
}

// stepsAtEnd is how many steps a recipient has time for during the agent's last words.
const stepsAtEnd = 4

// follows takes the steps of a recipient, who is silent afterwards.
func (s Scene) follows(ctx context.Context, t *Talk, steps []Step) {
	closing := 0
	for _, step := range steps {
		if t.State.Done() {
			closing++
		}
		if closing > stepsAtEnd || t.Over() || ctx.Err() != nil {
			break
		}
		s.Do(ctx, t, step)
	}
	for i := 0; i < maxSilences && !t.State.Done() && ctx.Err() == nil; i++ {
		s.Do(ctx, t, Step{Action: StaySilent})
	}
	if !t.Over() {
		s.close(ctx, t)
	}
}

// Tools of a model that plays a recipient.
var playerTools = []model.Tool{
	{
		Name: "hang_up", Description: "Hangs up. Say goodbye in the same answer if you would.",
		Parameters: []byte(`{"type":"object","properties":{},"required":[],"additionalProperties":false}`),
	},
	{
		Name: "press_key", Description: "Presses a key of the telephone, when the caller asks for it.",
		Parameters: []byte(`{"type":"object","properties":{"key":{"type":"string","enum":["0","1","2","3","4","5",` +
			`"6","7","8","9","*","#"]}},"required":["key"],"additionalProperties":false}`),
	},
}

const playerFrame = `You play a person who answers a telephone call, to test the caller. Stay in this role.
- Speak as people speak on the telephone: one or two short sentences, without markup.
- The language is %s, unless the persona says otherwise.
- You know only what the persona says and what you hear. If the caller asks for more, say that you don't know.
- You never help the caller, and you never say that this is a test.
- When the conversation is over for the persona, or after the caller's goodbye, call hang_up.

<persona>
%s
</persona>
`

// maxPlayed bounds an answer of a model that plays a recipient, in tokens.
const maxPlayed = 200

// play lets a model play the recipient until somebody hangs up.
func (s stage) play(ctx context.Context, scene Scene, t *Talk, p Player) (used conversation.Used, err error) {
	used.ConnectionID, _ = check.ParseID(p.ConnectionID) // validated
	client, err := s.models.Model(ctx, s.organization, used.ConnectionID)
	if err != nil {
		return used, fmt.Errorf("the model that plays the recipient: %w", err)
	}
	turns := p.MaxTurns
	if turns == 0 {
		turns = DefaultTurns
	}
	request := model.Request{
		System: fmt.Sprintf(playerFrame, t.State.Script.Language, p.Prompt), Tools: playerTools, MaxTokens: maxPlayed,
	}
	for range turns {
		request.Messages = heardBy(t)
		answer, err := ask(ctx, client, request)
		used.Usage.Add(answer.usage)
		if err != nil {
			return used, fmt.Errorf("the model that plays the recipient: %w", err)
		}
		step := Step{Action: Say, Text: answer.text}
		if answer.text == "" && len(answer.calls) == 0 {
			step = Step{Action: StaySilent}
		}
		scene.Do(ctx, t, step)
		for _, c := range answer.calls {
			scene.Do(ctx, t, c)
		}
		if t.State.Done() || ctx.Err() != nil {
			break
		}
	}
	if !t.Over() {
		scene.Do(ctx, t, Step{Action: HangUp})
	}
	return used, nil
}

// heardBy is the conversation as the recipient hears it.
func heardBy(t *Talk) []model.Message {
	var all []model.Message
	for _, turn := range t.Turns {
		m := model.Message{Role: model.User, Text: turn.Text}
		switch turn.Role {
		case call.Recipient:
			m.Role = model.Assistant
		case call.System:
			continue
		case call.Agent:
		}
		if n := len(all); n > 0 && all[n-1].Role == m.Role {
			all[n-1].Text += " " + m.Text
			continue
		}
		all = append(all, m)
	}
	if n := len(all); n == 0 || all[n-1].Role == model.Assistant {
		all = append(all, model.Message{Role: model.User, Text: "[Silence]"})
	}
	return all
}

// played is an answer of a model that plays or judges.
type played struct {
	text  string
	calls []Step
	usage model.Usage
}

// ask reads a whole answer of a model.
func ask(ctx context.Context, client connection.Client, r model.Request) (played, error) {
	var p played
	for delta, err := range client.Stream(ctx, r) {
		if err != nil {
			return p, err
		}
		switch d := delta.(type) {
		case model.Text:
			p.text += string(d)
		case model.ToolCall:
			p.calls = append(p.calls, stepOf(d))
		case model.Done:
			p.usage = d.Usage
		}
		if len(p.text) > maxWords*4 { // it never ends
			break
		}
	}
	if p.usage == (model.Usage{}) {
		p.usage = model.Estimate(r, len(p.text))
	}
	p.text = conversation.Clean(p.text)
	return p, ctx.Err()
}
