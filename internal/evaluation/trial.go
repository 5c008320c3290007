package evaluation

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/call/line"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/model"
	"github.com/dialwright/dialwright/internal/model/connection"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/seal"
)

// Limits of a trial. The limits of the agent apply too.
const (
	MaxTrialSteps  = MaxSteps
	MaxTrialTokens = 100_000
	maxSealed      = 600_000 // characters
)

// Trial is a conversation by text in which a person plays the recipient. Nothing of it is stored: between two steps,
// the person keeps it as Sealed.
type Trial struct {
	Talk    *Talk         `json:"talk"`
	Steps   int           `json:"steps"`
	Answers []TrialAnswer `json:"answers"` // of the models
}

// TrialAnswer is what an answer of a model used.
type TrialAnswer struct {
	FirstTokenMS int  `json:"first_token_ms"`
	Input        int  `json:"input"`  // tokens, also of a connection whose answer was dropped
	Output       int  `json:"output"` // tokens
	Spoken       bool `json:"spoken"` // it has words, so it is a turn of the transcript
}

// Full reports whether the trial has no more steps.
func (t Trial) Full() bool { return t.Steps >= MaxTrialSteps }

// TrialInput is how a trial begins.
type TrialInput struct {
	Script    conversation.Script
	Variables map[string]any
	At        time.Time // the time in the recipient's time zone
}

// trialCell binds a trial to an agent. It is not stored, so the cell has no column.
func trialCell(organization, agentID uuid.UUID) seal.Cell {
	return seal.Cell{Organization: organization, Table: "trial", Row: agentID.String()}
}

// SealTrial returns a trial as OpenTrial reads it. agentID is nil for an agent that is not saved.
func (s *Service) SealTrial(organization, agentID uuid.UUID, t Trial) (string, error) {
	plain, err := json.Marshal(t)
	if err != nil {
		return "", fmt.Errorf("encode a trial: %w", err)
	}
	return base64.RawURLEncoding.EncodeToString(s.vault.Seal(plain, trialCell(organization, agentID))), nil
}

// errTrial refuses a trial that SealTrial did not make for this agent.
var errTrial = fault.Invalidf("", "This conversation can't be continued. Start again")

// OpenTrial opens what SealTrial returned. Error: Invalid for anything else, also what was sealed for another
// organization or another agent.
func (s *Service) OpenTrial(organization, agentID uuid.UUID, sealed string) (t Trial, err error) {
	if len(sealed) > maxSealed {
		return t, errTrial
	}
	raw, err := base64.RawURLEncoding.DecodeString(sealed)
	if err != nil {
		return t, errTrial.Because(err)
	}
	plain, err := s.vault.Open(raw, trialCell(organization, agentID))
	if err != nil {
		return t, errTrial.Because(err)
	}
	decoder := json.NewDecoder(bytes.NewReader(plain))
	if err := decoder.Decode(&t); err != nil { // an earlier version of the software sealed it
		return t, errTrial.Because(err)
	}
	return t, nil
}

// BeginTrial begins a conversation with an agent. Only ctx bounds the time that a model takes.
func (s *Service) BeginTrial(ctx context.Context, organization uuid.UUID, in TrialInput) (t Trial, err error) {
	mind := s.lines.Rehearse(organization)
	script := in.Script
	if err := s.lines.Direct(ctx, organization, &script); err != nil {
		return t, err
	}
	if script.Model != nil {
		if err := connection.CheckDay(ctx, s.pool, organization); err != nil {
			return t, err
		}
		limited := *script.Model
		limited.MaxTokens = min(cmp.Or(limited.MaxTokens, conversation.DefaultModelTokens), MaxTrialTokens)
		if err := s.lines.Equip(ctx, organization, &limited, nil); err != nil {
			return t, err
		}
		script.Model = &limited
	}
	scene := Scene{Mind: t.noted(mind), At: in.At}
	t.Talk = scene.Begin(ctx, script, in.Variables, script.VoicemailMessage != "")
	return t, s.spendSince(ctx, organization, nil, t.Talk)
}

// StepTrial takes a step of the person. After the end of the conversation it does nothing. Errors: Invalid for a step
// that no recipient can take, and for one too many,
// Conflict at a daily limit of the organization. at is the time in the recipient's time zone.
func (s *Service) StepTrial(
	ctx context.Context, organization uuid.UUID, t *Trial, step Step, at time.Time,
) error {
	var p fault.Problems
	if step.validate("step", &p); p.Err() != nil {
		return p.Err()
	}
	switch {
	case t.Talk.State.Done(), t.Talk.Transferred:
		return nil
	case t.Full():
		return fault.Invalidf("", "A trial has at most %d turns. Start again", MaxTrialSteps)
	}
	if t.Talk.State.Script.Model != nil {
		if err := connection.CheckDay(ctx, s.pool, organization); err != nil {
			return err
		}
	}
	t.Steps++
	before := usesOf(t.Talk)
	Scene{Mind: t.noted(s.lines.Rehearse(organization)), At: at}.Do(ctx, t.Talk, step)
	return s.spendSince(ctx, organization, before, t.Talk)
}

// noted is a mind that notes what its answers used.
func (t *Trial) noted(r *line.Rehearsal) Mind {
	return func(ctx context.Context, state conversation.State) line.Rehearsed {
		answer := r.Think(ctx, state)
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			answer.Failures = append(answer.Failures, line.Failure{Reason: "The page did not wait longer"})
		}
		if thought, ok := answer.Input.(conversation.Thought); ok {
			used := TrialAnswer{
				FirstTokenMS: int(answer.FirstToken.Milliseconds()),
				Input:        thought.Usage.Input,
				Output:       thought.Usage.Output,
				Spoken:       thought.Text != "",
			}
			for _, other := range thought.Others {
				used.Input += other.Usage.Input
				used.Output += other.Usage.Output
			}
			t.Answers = append(t.Answers, used)
		}
		return answer
	}
}

func usesOf(t *Talk) []conversation.Used {
	if t.State.Dialog == nil {
		return nil
	}
	return slices.Clone(t.State.Dialog.Uses)
}

// spendSince adds what a talk used since before to the sums of the day. The tokens are used even if the person is gone.
func (s *Service) spendSince(
	ctx context.Context, organization uuid.UUID, before []conversation.Used, t *Talk,
) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeTime)
	defer cancel()
	var used []conversation.Used
	for _, use := range usesOf(t) {
		for _, earlier := range before {
			if earlier.ConnectionID == use.ConnectionID {
				use.Usage = less(use.Usage, earlier.Usage)
			}
		}
		used = append(used, use)
	}
	all, err := s.priced(ctx, organization, used)
	if err != nil || len(all) == 0 {
		return err
	}
	return postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error { return spend(ctx, tx, organization, all) })
}

// less is a usage without an earlier part.
func less(u, earlier model.Usage) model.Usage {
	u.Input -= earlier.Input
	u.Cached -= earlier.Cached
	u.Output -= earlier.Output
	return u
}
