package line

import (
	"context"
	"encoding/json"
	"maps"
	"strconv"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/messaging"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/tool"
)

// caller is the call, as the requests of its tools describe it.
type caller struct {
	agent     uuid.UUID
	version   *int           // of the agent; nil: a draft
	variables map[string]any // at the beginning of the call
}

// toolRun is an open call of a tool that this process carries out.
type toolRun struct {
	cancel context.CancelFunc
	result chan conversation.ToolAnswered // of one
}

// toolKit carries out the calls of tools of one call. It reads the settings of a tool once.
type toolKit struct {
	service      *Service
	organization uuid.UUID
	call         uuid.UUID
	connection   uuid.UUID // over which the call is placed
	number       string    // of the recipient
	caller       caller

	mu      sync.Mutex
	clients map[uuid.UUID]*tool.Client
}

// runTools carries out the open calls of tools, once they are on disk, and passes on their results. Calls that are no
// longer open are canceled. It reports whether the conversation has moved on.
func (t *talk) runTools(ctx context.Context) (bool, error) {
	open := t.state.OpenCalls()
	if len(open) == 0 && len(t.running) == 0 {
		return false, nil
	}
	wanted := map[int]bool{}
	for _, c := range open {
		wanted[c.Number] = true
	}
	for number, run := range t.running {
		if !wanted[number] || !t.partingSince.IsZero() {
			run.cancel()
			delete(t.running, number)
		}
	}
	if len(t.replies) > 0 || t.unsaved.any() || !t.partingSince.IsZero() || t.givenUp {
		return false, nil
	}
	for _, c := range open {
		run, ok := t.running[c.Number]
		if !ok {
			t.startTool(ctx, c)
			continue
		}
		select {
		case answer := <-run.result:
			run.cancel()
			delete(t.running, c.Number)
			t.awaited.resumes(t.service.now())
			return true, t.step(ctx, nil, answer)
		default:
		}
	}
	return false, nil
}

// startTool begins an open call.
func (t *talk) startTool(ctx context.Context, c conversation.OpenCall) {
	if len(t.running) == 0 {
		t.filled = t.lastPlayed != t.lastSaid // something is being said while it runs
		t.awaited.waits(t.service.now())
	}
	if t.running == nil {
		t.running = map[int]*toolRun{}
	}
	if t.kit == nil {
		t.kit = &toolKit{
			service: t.service, organization: t.organization, call: t.id, number: t.number, caller: t.caller,
			connection: t.connection,
			clients:    map[uuid.UUID]*tool.Client{},
		}
	}
	ctx, cancel := context.WithCancel(ctx)
	run := &toolRun{cancel: cancel, result: make(chan conversation.ToolAnswered, 1)}
	t.running[c.Number] = run
	kit, state := t.kit, t.state
	go func() {
		defer cancel()
		run.result <- kit.run(ctx, c, state)
		t.interrupt.signal(false)
	}()
}

// stopTools cancels the calls of tools that this process carries out. They stay open for the next holder.
func (t *talk) stopTools() {
	for _, run := range t.running {
		run.cancel()
	}
	t.running = nil
}

// toolDue returns when the recipient has waited long enough for a tool to hear something, or zero.
func (t *talk) toolDue() time.Time {
	if len(t.running) == 0 || t.lastPlayed != t.lastSaid || t.state.Phase != conversation.Talking {
		return time.Time{}
	}
	if t.filled {
		return t.quietSince.Add(t.service.patience.sorry)
	}
	return t.quietSince.Add(t.service.patience.filler)
}

// run carries out a call of a tool.
func (k *toolKit) run(ctx context.Context, c conversation.OpenCall, s conversation.State) conversation.ToolAnswered {
	var answer conversation.ToolAnswered
	if c.Tool == string(conversation.SendMessage) {
		answer.Result = k.send(ctx, c, s)
	} else {
		answer = k.request(ctx, c, s)
	}
	answer.Number = c.Number
	return answer
}

// request makes the request of a tool of the organization. The answer of a tool that is not available is empty.
func (k *toolKit) request(
	ctx context.Context, c conversation.OpenCall, s conversation.State,
) (answer conversation.ToolAnswered) {
	client, err := k.client(ctx, c.ToolID)
	if err != nil {
		k.service.log.WarnContext(ctx, "a tool could not be read", "call", k.call, "tool", c.ToolID, "error", err)
		return answer
	}
	variables := maps.Clone(k.caller.variables)
	for name, value := range s.Values() {
		variables[name] = value
	}
	a := client.Do(ctx, tool.Request{
		ID:           requestID(k.call, c.Number),
		CallID:       &k.call,
		AgentID:      &k.caller.agent,
		AgentVersion: k.caller.version,
		Tool:         c.Tool,
		Arguments:    c.Arguments,
		Variables:    variables,
	})
	if a.Problem != "" && ctx.Err() == nil {
		k.service.log.WarnContext(ctx, "a tool was not available", "call", k.call, "tool", c.ToolID,
			"problem", a.Problem)
	}
	answer.Result, answer.Values = a.Result, a.Values
	return answer
}

// client returns the client of a tool.
func (k *toolKit) client(ctx context.Context, id uuid.UUID) (*tool.Client, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if kept := k.clients[id]; kept != nil {
		return kept, nil
	}
	if k.service.tools == nil {
		return nil, fault.NotFoundf("Tool")
	}
	client, err := k.service.tools.Client(ctx, k.organization, id)
	if err != nil {
		return nil, err
	}
	k.clients[id] = client
	return client, nil
}

// send queues the message of a call of send_message to the recipient. A message that was queued already is not queued
// again.
func (k *toolKit) send(ctx context.Context, c conversation.OpenCall, s conversation.State) json.RawMessage {
	refused := func(reason string) json.RawMessage {
		text, err := json.Marshal(map[string]string{"status": "refused", "reason": reason})
		if err != nil {
			return nil // never: strings always marshal
		}
		return text
	}
	if k.service.messages == nil {
		return refused(messaging.ErrOff.Error())
	}
	var given conversation.MessageArguments
	if err := json.Unmarshal(c.Arguments, &given); err != nil {
		return nil
	}
	for _, template := range s.Script.Model.Messages {
		if template.ID != c.ToolID {
			continue
		}
		variables, err := json.Marshal(given.Variables)
		if err != nil {
			return nil
		}
		id := requestID(k.call, c.Number)
		ctx := postgres.WithStatementTime(ctx, writeTime)
		fits, err := k.service.messages.FitsCalls(ctx, k.service.pool, k.organization, k.connection)
		if err != nil {
			k.service.log.WarnContext(ctx, "a message could not be queued", "call", k.call, "error", err)
			return nil
		}
		if !fits {
			return refused(messaging.SandboxCall)
		}
		_, err = k.service.messages.Create(ctx, k.service.pool, account.System(k.organization),
			messaging.NewMessage{
				ID:         id,
				ExternalID: template.Number,
				To:         k.number,
				Template: messaging.TemplateInput{
					Name: template.Name, Language: template.Language, Variables: variables,
				},
			})
		switch f := fault.As(err); {
		case err == nil:
			k.service.messages.Wake()
		case f != nil && f.Kind == fault.Conflict: // by a process that died before it could say so
		case f != nil:
			// Such a process may have queued what would be refused now.
			if _, err := k.service.messages.Get(ctx, k.organization, id); err != nil {
				return refused(f.Error())
			}
		default:
			k.service.log.WarnContext(ctx, "a message could not be queued", "call", k.call, "error", err)
			return nil
		}
		return json.RawMessage(`{"status":"queued"}`)
	}
	return refused("no such template")
}

// requestID is the ID of the request or the message of a call of a tool. It is the same at every process. It is of
// version 7, with the time of the call.
func requestID(call uuid.UUID, number int) uuid.UUID {
	id := uuid.NewSHA1(call, []byte(strconv.Itoa(number)))
	copy(id[:6], call[:6])
	id[6] = id[6]&0x0f | 0x70
	return id
}
