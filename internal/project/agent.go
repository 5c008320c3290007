package project

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/carrier/speech"
	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/postgres"
)

// AgentKind is the way in which an agent decides what to say next.
type AgentKind string

const (
	// Scripted agents follow an ordered list of questions and need no model.
	Scripted AgentKind = "scripted"

	// ModelHeld agents leave the conversation to a language model.
	ModelHeld AgentKind = "model"
)

// Agent is a voice agent that conducts calls.
type Agent struct {
	ID           uuid.UUID
	Name         string
	AgentContent               // the draft
	Kept         *Kept         // of the draft of a scripted agent
	Published    *AgentVersion // without its publications; nil: never, and calls follow the draft
	// RequirePassingTests is whether the draft must pass the agent's tests before it is published.
	RequirePassingTests bool
	DeactivatedAt       *time.Time
	CreatedAt           time.Time
}

// Unheard returns the reason, for people, why the published version of an agent may call nobody. It is empty
// except for agents that were stored before their language was refused.
func (a Agent) Unheard() string { return Unheard(a.Name, a.Followed().Language) }

// Unheard is [Agent.Unheard] for callers that have read only the name and the language of
// an agent.
func Unheard(agent, language string) string {
	if conversation.Understands(language) {
		return ""
	}
	return fmt.Sprintf("%s speaks a language (%s) in which %q is not understood. Choose another language for the agent",
		agent, language, "stop")
}

const agentColumns = `agent.id, agent.name, agent.kind, agent.language, agent.speech, agent.script,
	agent.record_calls, agent.kept, ` + sqlPublished + ` as published, agent.require_passing_tests,
	agent.deactivated_at, agent.created_at`

// AgentSettings are the name and the draft of an agent.
type AgentSettings struct {
	Name   string // 1 to 100 characters
	Speech speech.Settings
	Script conversation.Script
	// RecordCalls applies to calls that are claimed after the draft is published.
	RecordCalls bool
	// RequirePassingTests applies at once. Nil: as before, and false for a new agent.
	RequirePassingTests *bool
	// Kept is what a scripted agent keeps of a model. Nil, or what could not be saved as it is: what the agent has.
	Kept *Kept
	// Revision is the [Agent.Revision] that was changed. Empty: whatever it is now.
	Revision string
}

// Validate trims the name and checks the settings. Error: Invalid.
func (a *AgentSettings) Validate() error {
	var p fault.Problems
	check.Name(&p, "name", &a.Name)
	a.Speech.Validate("speech", a.Script.Language, &p)
	a.Script.Validate("", &p) // the script's parts are fields of the agent: greeting, questions[0].ask
	return p.Err()
}

// check is Validate with what the settings refer to, so that one answer names all problems.
func (a *AgentSettings) check(ctx context.Context, tx pgx.Tx, organizationID uuid.UUID) error {
	var p fault.Problems
	p.Also(a.Validate())
	err := checkModels(ctx, tx, organizationID, a.Script)
	if err != nil && fault.KindOf(err) != fault.Invalid {
		return err
	}
	p.Also(err)
	return p.Err()
}

// Sample is what a person wants to hear of an agent on the phone: its greeting in a language, with
// speech settings that may not be saved.
type Sample struct {
	Language string          `json:"language"`
	Speech   speech.Settings `json:"speech"`
}

// Validate checks the settings. Error: Invalid.
func (s *Sample) Validate() error {
	var p fault.Problems
	if !conversation.Understands(s.Language) {
		p.Addf("language", "is not a language of agents")
	}
	s.Speech.Validate("speech", s.Language, &p)
	return p.Err()
}

func (a AgentSettings) args(actor account.Actor, id uuid.UUID, kept *Kept) pgx.NamedArgs {
	return pgx.NamedArgs{
		"organization_id": actor.OrganizationID, "id": id,
		"name": a.Name, "language": a.Script.Language, "speech": a.Speech, "script": a.Script,
		"record_calls": a.RecordCalls, "kind": kindOf(a.Script), "require_passing_tests": a.RequirePassingTests,
		"kept": kept,
	}
}

func (a AgentSettings) audit() map[string]any {
	all := map[string]any{
		"kind": kindOf(a.Script), "name": a.Name, "language": a.Script.Language, "questions": len(a.Script.Questions),
		"analysis_by_model": a.Script.Analysis.ConnectionID != nil,
		"record_calls":      a.RecordCalls, "silence_seconds": a.Script.Silence().Seconds(),
		"nudges":   a.Script.MaxNudges(),
		"provider": a.Speech.Provider, "voice": a.Speech.Voice, "model": a.Speech.Model,
		"transcription_provider": a.Speech.TranscriptionProvider, "transcription_model": a.Speech.TranscriptionModel,
		"end_of_turn_ms": a.Speech.EndOfTurnMS, "end_of_turn_threshold": a.Speech.EndOfTurnThreshold,
		"interruptible": a.Speech.Interruptible, "interrupt_sensitivity": a.Speech.InterruptSensitivity,
		"ignore_backchannel": a.Speech.IgnoreBackchannel, "hints": a.Speech.Hints,
	}
	if t := a.Script.Transfer; t != nil {
		all["transfers_to"] = t.Destinations
	}
	languages := []string{}
	for _, l := range a.Script.Languages {
		languages = append(languages, l.Language)
	}
	all["languages"] = languages
	if a.RequirePassingTests != nil {
		all["require_passing_tests"] = *a.RequirePassingTests
	}
	words := []string{}
	for _, one := range a.Speech.Pronunciations {
		words = append(words, one.Word+" as "+one.Spoken)
	}
	all["pronunciations"] = words
	return all
}

// CreateAgent creates an agent and publishes its first version. Errors: Invalid.
func (s *Service) CreateAgent(ctx context.Context, actor account.Actor, settings AgentSettings) (Agent, error) {
	var a Agent
	err := postgres.InTx(ctx, s.pool, func(tx pgx.Tx) (err error) {
		if err := settings.check(ctx, tx, actor.OrganizationID); err != nil {
			return err
		}
		a, err = oneAgent(ctx, tx, `
			insert into agent (id, organization_id, name, kind, language, speech, script, record_calls,
				require_passing_tests, kept)
			values (@id, @organization_id, @name, @kind, @language, @speech, @script, @record_calls,
				coalesce(@require_passing_tests, false), @kept)
			returning `+agentColumns, settings.args(actor, uuid.Must(uuid.NewV7()), Agent{}.keep(settings)))
		if err != nil {
			return err
		}
		if err := publishDraft(ctx, tx, actor, &a, ""); err != nil {
			return err
		}
		return account.Record(ctx, tx, actor, "agent.created", account.Object{
			Type: "agent", ID: a.ID,
		}, settings.audit())
	})
	return a, err
}

// UpdateAgent changes the name and the draft of an active agent. Calls follow the new draft when it
// is published. Errors: Invalid, NotFound, and Stale if somebody else has changed the revision.
func (s *Service) UpdateAgent(
	ctx context.Context, actor account.Actor, id uuid.UUID, settings AgentSettings,
) (Agent, error) {
	if err := settings.Validate(); err != nil {
		return Agent{}, err
	}
	return s.updateAgent(ctx, actor, id, func(Agent) (AgentSettings, error) { return settings, nil })
}

func (s *Service) updateAgent(
	ctx context.Context, actor account.Actor, id uuid.UUID, change func(Agent) (AgentSettings, error),
) (Agent, error) {
	var a Agent
	err := postgres.InTx(ctx, s.pool, func(tx pgx.Tx) (err error) {
		if a, err = lockAgent(ctx, tx, actor.OrganizationID, id); err != nil {
			return err
		}
		old := a
		settings, err := change(a)
		if err != nil {
			return err
		}
		if err := settings.check(ctx, tx, actor.OrganizationID); err != nil {
			return err
		}
		err = check.Unchanged(settings.Revision, draftFields(a.Name, a.AgentContent),
			draftFields(settings.Name, settings.content()))
		if err != nil {
			return err
		}
		a, err = oneAgent(ctx, tx, `
			update agent set name = @name, kind = @kind, language = @language, speech = @speech, script = @script,
				record_calls = @record_calls, kept = @kept,
				require_passing_tests = coalesce(@require_passing_tests, require_passing_tests)
			where organization_id = @organization_id and id = @id and deactivated_at is null
			returning `+agentColumns, settings.args(actor, id, a.keep(settings)))
		if err != nil {
			return err
		}
		if reflect.DeepEqual(old, a) {
			return account.Unchanged(ctx)
		}
		return account.Record(ctx, tx, actor, "agent.updated", account.Object{Type: "agent", ID: id}, settings.audit())
	})
	return a, err
}

// RequirePassingTests chooses whether the draft of an active agent must pass its tests before it is published. Errors:
// NotFound.
func (s *Service) RequirePassingTests(
	ctx context.Context, actor account.Actor, id uuid.UUID, required bool,
) (Agent, error) {
	return s.updateAgent(ctx, actor, id, func(a Agent) (AgentSettings, error) {
		return AgentSettings{
			Name: a.Name, Speech: a.Speech, Script: a.Script, RecordCalls: a.RecordCalls,
			RequirePassingTests: &required,
		}, nil
	})
}

// oneAgent runs a statement that returns one agent. Errors: NotFound.
func oneAgent(ctx context.Context, db postgres.DB, sql string, args pgx.NamedArgs) (Agent, error) {
	a, err := postgres.CollectOne(ctx, db, pgx.RowToStructByName[Agent], sql, args)
	if errors.Is(err, pgx.ErrNoRows) {
		return Agent{}, fault.NotFoundf("Agent")
	}
	if err != nil {
		return Agent{}, fmt.Errorf("query an agent: %w", err)
	}
	return a, nil
}

// DeactivateAgent permanently takes an agent out of use. Errors: NotFound, and Conflict
// that names the campaigns or phone numbers using it.
func (s *Service) DeactivateAgent(ctx context.Context, actor account.Actor, id uuid.UUID) error {
	args := pgx.NamedArgs{"organization_id": actor.OrganizationID, "id": id}
	return postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		a, err := oneAgent(ctx, tx, `
			select `+agentColumns+` from agent
			where organization_id = @organization_id and id = @id and deactivated_at is null
			for update`, args)
		if err != nil {
			return err
		}
		if err := unused(ctx, tx, actor.OrganizationID, id, byAgent, "Agent "+a.Name); err != nil {
			return err
		}
		if err := notForInbound(ctx, tx, actor.OrganizationID, id, byAgent, "Agent "+a.Name); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `update agent set deactivated_at = clock() where id = @id`, args); err != nil {
			return fmt.Errorf("deactivate an agent: %w", err)
		}
		return account.Record(ctx, tx, actor, "agent.deactivated", account.Object{
			Type: "agent", ID: id,
		}, map[string]any{"name": a.Name})
	})
}

var agentByID = postgres.NewByID[Agent]("Agent", `
	select `+agentColumns+` from agent where organization_id = @organization_id and id = @id`)

// Agent returns an agent, active or not. Errors: NotFound.
func (s *Service) Agent(ctx context.Context, organizationID, id uuid.UUID) (Agent, error) {
	return s.read.agent.Read(ctx, organizationID, id)
}

// ActiveAgent is [Service.Agent] for agents that are in use. Errors: NotFound.
func (s *Service) ActiveAgent(ctx context.Context, organizationID, id uuid.UUID) (Agent, error) {
	a, err := s.Agent(ctx, organizationID, id)
	if err == nil && a.DeactivatedAt != nil {
		return Agent{}, fault.NotFoundf("Agent")
	}
	return a, err
}

// LockAgentForUse returns an active agent and prevents its deactivation until the
// transaction ends. Error: Invalid "agent_id: no such agent", the same for an unknown,
// foreign or deactivated agent.
func LockAgentForUse(ctx context.Context, tx pgx.Tx, organizationID, id uuid.UUID) (Agent, error) {
	a, err := oneAgent(ctx, tx, `
		select `+agentColumns+` from agent
		where organization_id = @organization_id and id = @id and deactivated_at is null
		for key share`, pgx.NamedArgs{"organization_id": organizationID, "id": id})
	if fault.KindOf(err) == fault.NotFound {
		return Agent{}, fault.Invalidf("agent_id", "no such agent")
	}
	return a, err
}

// Agents lists the active agents, newest first.
func (s *Service) Agents(ctx context.Context, organizationID uuid.UUID, r page.Request) (page.List[Agent], error) {
	args := pgx.NamedArgs{"organization_id": organizationID}
	return page.Read(ctx, s.pool, r, "list agents", `
		select `+agentColumns+` from agent
		where organization_id = @organization_id and deactivated_at is null and `+page.Where+`
		`+page.Order, args,
		func(a Agent) (time.Time, uuid.UUID) { return a.CreatedAt, a.ID })
}
