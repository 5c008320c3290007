package analysis

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/model/connection"
	"github.com/dialwright/dialwright/internal/postgres"
)

// spoken is true for a call c in which a person said something. Who only pressed keys said nothing.
const spoken = `c.answered_at is not null and c.outcome = 'completed' and c.answered_by is distinct from 'machine'
	and c.analysis is not null
	and exists (select from call_turn t where t.call_id = c.id and t.role = 'recipient')`

// Queue queues the analyses of calls that this transaction settles, for the agents whose calls a model analyzes. It
// reports whether there are any; then wake Topic after the commit. Call it before the events of the calls are made.
func Queue(ctx context.Context, tx pgx.Tx, ended []call.Ended) (bool, error) {
	var ids []uuid.UUID
	for _, e := range ended {
		if e.AnsweredAt != nil && e.Outcome == call.OutcomeCompleted && !e.ByMachine {
			ids = append(ids, e.ID)
		}
	}
	if len(ids) == 0 {
		return false, nil
	}
	done, err := tx.Exec(ctx, `
		with queued as (
			insert into call_analysis
				(id, organization_id, call_id, number, method, status, agent_version_id, connection_id)
			select gen_random_uuid(), c.organization_id, c.id, 1, 'model', 'pending', c.agent_version_id,
			       s.connection_id
			from call c
			cross join lateral (
				select (coalesce((select script from agent_version v where v.id = c.agent_version_id),
					(select script from agent a where a.id = c.agent_id)) -> 'analysis' ->> 'connection_id')::uuid
					as connection_id
			) s
			where c.id = any($1) and s.connection_id is not null and `+spoken+`
			returning id, organization_id, call_id, connection_id
		), due as (
			insert into call_analysis_due (analysis_id, organization_id, connection_id)
			select id, organization_id, connection_id from queued
		)
		update call c set analysis = c.analysis || '{"status": "pending", "number": 1, "method": "rule"}'
		from queued where c.id = queued.call_id`, ids)
	if err != nil {
		return false, fmt.Errorf("queue the analyses of %d calls: %w", len(ids), err)
	}
	return done.RowsAffected() > 0, nil
}

// Request is a person's or a key's request for another analysis.
type Request struct {
	ConnectionID string `json:"connection_id" nullable:"true"` // empty: that of the agent
}

// facts are what a request needs to know about a call.
type facts struct {
	Settled   bool
	Spoken    bool
	Removed   bool // the transcript
	Pending   bool
	VersionID *uuid.UUID // of the agent, published
	ModelID   *uuid.UUID // the connection in the agent's settings, in use
}

// Again queues another analysis of a call by a model. It follows the agent as it is published now. Errors: NotFound,
// Invalid, and Conflict for a call without words of a person, for one that is being analyzed, and at a daily limit.
func (s *Service) Again(
	ctx context.Context, actor account.Actor, callID uuid.UUID, in Request,
) (a Analysis, err error) {
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `select from call where organization_id = $1 and id = $2 for no key update`,
			actor.OrganizationID, callID); err != nil {
			return fmt.Errorf("lock call %s: %w", callID, err)
		}
		f, err := look(ctx, tx, actor.OrganizationID, callID)
		if err != nil {
			return err
		}
		if err := f.problem(); err != nil {
			return err
		}
		if err := connection.CheckDay(ctx, tx, actor.OrganizationID); err != nil {
			return err
		}
		connectionID, err := chosen(ctx, tx, actor.OrganizationID, f, in)
		if err != nil {
			return err
		}
		if a, err = insert(ctx, tx, actor, callID, connectionID, f.VersionID); err != nil {
			return err
		}
		return account.Record(ctx, tx, actor, "call.analysis_requested", account.Object{Type: "call", ID: callID},
			map[string]any{"number": a.Number})
	})
	if err != nil {
		return Analysis{}, err
	}
	s.hub.Wake(Topic)
	return a, nil
}

// Default returns the connection that another analysis of a call asks if the request names none. Nil: the agent's
// settings name none that is in use. Errors: NotFound, and Conflict as [Service.Again].
func (s *Service) Default(ctx context.Context, organizationID, callID uuid.UUID) (*uuid.UUID, error) {
	f, err := look(ctx, s.pool, organizationID, callID)
	if err != nil {
		return nil, err
	}
	return f.ModelID, f.problem()
}

// look reads the facts of a call. Errors: NotFound.
func look(ctx context.Context, db postgres.DB, organizationID, callID uuid.UUID) (facts, error) {
	f, err := postgres.CollectOne(ctx, db, pgx.RowToStructByName[facts], `
		select c.settled_at is not null as settled, `+spoken+` as spoken,
		       c.transcript_removed_at is not null as removed,
		       exists (select from call_analysis y where y.call_id = c.id and y.status = 'pending') as pending,
		       v.id as version_id,
		       (select n.id from model_connection n where n.organization_id = c.organization_id
		        and n.id = (coalesce(v.script, a.script) -> 'analysis' ->> 'connection_id')::uuid
		        and n.deactivated_at is null) as model_id
		from call c
		join agent a on a.id = c.agent_id
		left join agent_version v on v.id = a.published_version_id
		where c.organization_id = $1 and c.id = $2`, organizationID, callID)
	if errors.Is(err, pgx.ErrNoRows) {
		return f, fault.NotFoundf("Call")
	}
	if err != nil {
		return f, fmt.Errorf("read call %s for an analysis: %w", callID, err)
	}
	return f, nil
}

// problem says why a call can't be analyzed now.
func (f facts) problem() error {
	switch {
	case !f.Settled:
		return fault.Conflictf("The call has not ended yet")
	case f.Removed:
		return fault.Conflictf("The transcript of this call was removed")
	case !f.Spoken:
		return fault.Conflictf("Nobody said anything in this call")
	case f.Pending:
		return fault.Conflictf("This call is already being analyzed")
	}
	return nil
}

// chosen returns the connection of a requested analysis, which stays in use until the transaction ends.
func chosen(ctx context.Context, tx pgx.Tx, organizationID uuid.UUID, f facts, in Request) (uuid.UUID, error) {
	id := f.ModelID
	if in.ConnectionID != "" {
		parsed, err := uuid.Parse(in.ConnectionID)
		if err != nil {
			return uuid.Nil, fault.Invalidf("connection_id", "no such connection")
		}
		id = &parsed
	}
	if id == nil {
		return uuid.Nil, fault.Invalidf("connection_id", "required, because the agent's calls are analyzed by rule")
	}
	found, err := postgres.Collect(ctx, tx, pgx.RowTo[uuid.UUID], `
		select id from model_connection
		where organization_id = $1 and id = $2 and deactivated_at is null
		for key share`, organizationID, *id)
	if err != nil {
		return uuid.Nil, fmt.Errorf("look for the connection of an analysis: %w", err)
	}
	if len(found) == 0 {
		return uuid.Nil, fault.Invalidf("connection_id", "no such connection")
	}
	return *id, nil
}

// insert queues an analysis of a locked call. The analysis by rule before the first one by a model gets its row now.
func insert(
	ctx context.Context, tx pgx.Tx, actor account.Actor, callID, connectionID uuid.UUID, versionID *uuid.UUID,
) (Analysis, error) {
	args := pgx.NamedArgs{
		"organization_id": actor.OrganizationID, "call_id": callID, "connection_id": connectionID,
		"version_id": versionID, "id": uuid.Must(uuid.NewV7()), "requested_by": actor.Name,
	}
	batch := &pgx.Batch{}
	batch.Queue(`
		insert into call_analysis (id, organization_id, call_id, number, method, status, agent_version_id, result,
			created_at, finished_at)
		select c.id, c.organization_id, c.id, 1, 'rule', 'ready', c.agent_version_id, jsonb_build_object(
			'summary', c.analysis -> 'summary', 'sentiment', c.analysis -> 'sentiment',
			'successful', c.analysis -> 'successful'), c.ended_at, c.ended_at
		from call c
		where c.organization_id = @organization_id and c.id = @call_id
		  and not exists (select from call_analysis y where y.call_id = c.id)`, args)
	batch.Queue(`
		insert into call_analysis (id, organization_id, call_id, number, method, status, agent_version_id,
			connection_id, requested_by)
		select @id, @organization_id, @call_id, max(number) + 1, 'model', 'pending', @version_id, @connection_id,
			@requested_by
		from call_analysis where organization_id = @organization_id and call_id = @call_id`, args)
	batch.Queue(`
		insert into call_analysis_due (analysis_id, organization_id, connection_id)
		values (@id, @organization_id, @connection_id)`, args)
	batch.Queue(`
		update call c set analysis = c.analysis || jsonb_build_object('status', 'pending', 'number', y.number,
			'method', coalesce(c.analysis ->> 'method', 'rule'), 'error', null)
		from call_analysis y
		where c.organization_id = @organization_id and c.id = @call_id and y.id = @id`, args)
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return Analysis{}, fmt.Errorf("queue an analysis of call %s: %w", callID, err)
	}
	a, err := postgres.CollectOne(ctx, tx, pgx.RowToStructByName[Analysis], `
		select `+columns+` from call_analysis y where y.organization_id = @organization_id and y.id = @id`, args)
	if err != nil {
		return Analysis{}, fmt.Errorf("read the new analysis of call %s: %w", callID, err)
	}
	return a, nil
}

// Analysis is one version of what is known about a call.
type Analysis struct {
	ID           uuid.UUID // of an analysis by rule: that of the call
	CallID       uuid.UUID
	Number       int // from 1
	Method       call.AnalysisMethod
	Status       string // as conversation.AnalysisStatus
	AgentVersion *int   // whose settings it follows; nil: the agent's draft
	ConnectionID *uuid.UUID
	Model        *string
	Result       *Result // nil: pending, failed or removed
	Error        *string
	InputTokens  int
	CachedTokens int
	OutputTokens int
	Estimated    bool
	Cost         *string
	CostCurrency *string
	RequestedBy  string // empty: the end of the call
	CreatedAt    time.Time
	FinishedAt   *time.Time
}

const columns = `
	y.id, y.call_id, y.number, y.method, y.status,
	(select v.number from agent_version v where v.id = y.agent_version_id) as agent_version,
	y.connection_id, y.model, y.result, y.error, y.input_tokens, y.cached_tokens, y.output_tokens, y.estimated,
	trim_scale(y.cost)::text as cost, y.cost_currency, y.requested_by, y.created_at, y.finished_at`
