package connection

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/model"
	"github.com/dialwright/dialwright/internal/postgres"
)

// checkTime bounds a check, because a person waits.
const checkTime = 15 * time.Second

// checkTokens bounds the answers of a check. A model that thinks first needs some of them for that.
const checkTokens = 200

// Result is the result of a check.
type Result struct {
	Error      string        // why it failed, for people; empty: the model answered
	FirstToken time.Duration // from the request to the first word
	Total      time.Duration // from the request to the end of the answer
	Model      string        // as the server names it; empty: it did not
	ToolCalls  bool          // whether the model called a tool
}

// Check asks the model for a short answer and for a call of a tool. A failed check is a Result and no
// error. Both count for the health. Errors: NotFound.
func (s *Service) Check(ctx context.Context, actor account.Actor, id uuid.UUID) (Result, error) {
	client, err := s.Model(ctx, actor.OrganizationID, id)
	if _, unusable := errors.AsType[*model.Error](err); unusable {
		return s.store(ctx, actor, client, Result{}, err)
	}
	if err != nil {
		return Result{}, err
	}
	asking, cancel := context.WithTimeout(ctx, s.checkTime)
	defer cancel()
	r, err := try(asking, client)
	switch {
	case err != nil && ctx.Err() != nil:
		return Result{}, ctx.Err() // the person has left
	case asking.Err() != nil:
		err = &model.Error{
			Kind:   model.Unavailable,
			Reason: fmt.Sprintf("The model did not answer within %g seconds", s.checkTime.Seconds()),
			Err:    err,
		}
	}
	return s.store(ctx, actor, client, r, err)
}

// try makes the two requests of a check.
func try(ctx context.Context, m model.Model) (r Result, err error) {
	begun := time.Now()
	request := model.Request{
		System:    "You are being tested. Answer with the word: working.",
		Messages:  []model.Message{{Role: model.User, Text: "Do you work?"}},
		MaxTokens: checkTokens,
	}
	for d, err := range m.Stream(ctx, request) {
		if err != nil {
			return r, err
		}
		switch d := d.(type) {
		case model.Text:
			if r.FirstToken == 0 {
				r.FirstToken = time.Since(begun)
			}
		case model.Done:
			r.Model = d.Model
			if d.Finish == model.Refused {
				return r, &model.Error{Kind: model.Invalid, Reason: "The model refused to answer"}
			}
		}
	}
	r.Total = time.Since(begun)
	if r.FirstToken == 0 {
		return r, &model.Error{Kind: model.Invalid, Reason: "The model answered without words"}
	}
	request.System = "You are being tested. Call the tool end_call now and say nothing."
	request.Tools = []model.Tool{{
		Name: "end_call", Description: "Ends the call.",
		Parameters: json.RawMessage(`{"type":"object","properties":{"reason":{"type":"string","enum":["done"]}},` +
			`"required":["reason"],"additionalProperties":false}`),
	}}
	for d, err := range m.Stream(ctx, request) {
		if model.KindOf(err) == model.Invalid && err != nil {
			break // the server does not know tools
		}
		if err != nil {
			return r, err
		}
		if call, ok := d.(model.ToolCall); ok {
			var arguments map[string]any
			r.ToolCalls = call.Name == "end_call" && json.Unmarshal([]byte(call.Arguments), &arguments) == nil
		}
	}
	return r, nil
}

// store keeps the result of a check, unless the settings have changed since.
func (s *Service) store(ctx context.Context, actor account.Actor, c Client, r Result, cause error) (Result, error) {
	args := pgx.NamedArgs{
		"organization_id": c.organizationID, "id": c.Connection.ID, "version": c.version, "error": nil,
		"first_token": r.FirstToken.Milliseconds(), "tool_calls": r.ToolCalls,
	}
	set := `checked_at = k.t, check_error = @error, first_token_ms = @first_token, tool_calls = @tool_calls,
		failures = 0, throttled_until = null, last_success_at = k.t`
	if cause != nil {
		r.Error = cause.Error()
		reason, counted := counts(cause)
		if !counted {
			reason = r.Error
		}
		args["error"], args["first_token"], args["tool_calls"] = reason, nil, nil
		set = `checked_at = k.t, check_error = @error, first_token_ms = null, tool_calls = null`
		if counted {
			set += `, failures = failures + 1, last_error = @error, last_error_at = k.t`
		}
	}
	err := postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `
			update model_connection set `+set+` from (select clock() as t) k
			where organization_id = @organization_id and id = @id and version = @version`, args); err != nil {
			return fmt.Errorf("keep the check of model connection %s: %w", c.Connection.ID, err)
		}
		return record(ctx, tx, actor, c.Connection, "model_connection.checked",
			map[string]any{"name": c.Connection.Name, "worked": cause == nil})
	})
	return r, err
}
