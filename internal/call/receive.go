package call

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/carrier/speech"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/project"
	"github.com/dialwright/dialwright/internal/webhook"
)

const (
	// inboundDuration bounds an inbound call, and inboundRing the ringing at the number to which it is forwarded.
	inboundDuration = 30 * time.Minute
	inboundRing     = 30 * time.Second

	// messageSilence is how many seconds the line stays open after a message, for a key or a question.
	messageSilence = 5
)

// Reception is what was decided about an inbound call when it arrived. It is stored with the call, so every process
// that takes the call over does the same.
type Reception struct {
	Action    project.InboundAction `json:"action"`
	Language  string                `json:"language,omitempty"` // these three without an agent
	Speech    *speech.Settings      `json:"speech,omitempty"`
	Script    *conversation.Script  `json:"script,omitempty"`
	ForwardTo string                `json:"forward_to,omitempty"`
	Busy      bool                  `json:"busy,omitempty"` // with InboundReject: as if the line were busy
	Caller    conversation.Inbound  `json:"caller"`
	// Forwarded is whether nobody answered at ForwardTo, so that Action is a message now. ForwardedCallID is the
	// carrier's ID of the call to ForwardTo, if somebody answered.
	Forwarded       bool   `json:"forwarded,omitempty"`
	ForwardedCallID string `json:"forwarded_call_id,omitempty"`
}

// numberCalled is the number that somebody calls, with all that decides about the call.
type numberCalled struct {
	ID              uuid.UUID
	OrganizationID  uuid.UUID
	Organization    string
	Carrier         string
	Settings        *project.InboundContent // nil: never set
	AgentID         *uuid.UUID
	AgentVersionID  *uuid.UUID
	Agent           *inboundAgent
	ProjectID       *uuid.UUID
	OldestProjectID *uuid.UUID
	Full            bool // calling is stopped, or a limit of simultaneous calls is reached
	Now             time.Time
}

// inboundAgent is an agent as a call follows it.
type inboundAgent struct {
	Language          string          `json:"language"`
	Speech            speech.Settings `json:"speech"`
	ModelConnectionID *uuid.UUID      `json:"model_connection_id"`
	Full              bool            `json:"full"` // the streams of its language model are used up
}

// lastCall is the last call to the person who calls now.
type lastCall struct {
	ID             uuid.UUID
	CalledAt       time.Time
	ProjectID      uuid.UUID
	AgentID        *uuid.UUID
	AgentVersionID *uuid.UUID
	AgentName      string
	Agent          *inboundAgent
	RecipientID    *uuid.UUID // in a campaign that calls the unreached again, if they wait there
	RecipientName  string
	CampaignName   string
	Outcome        string
	Reason         string
	Variables      map[string]any
	Answers        map[string]any
	Open           bool // its recipient is to be called again, and its agent can ask what was left open
	Left           bool // it did not reach its recipient, or broke off, and its agent can ask what was not answered
}

// resumable is how long the questions of a recipient who has ended can be asked in a call back. Later they are out of
// date.
const resumable = 14 * 24 * time.Hour

// sqlAgentOf is an inboundAgent as JSON, of a version v that may be null and an agent a.
const sqlAgentOf = `case when a.id is not null then jsonb_build_object(
	'language', coalesce(v.language, a.language), 'speech', coalesce(v.speech, a.speech),
	'model_connection_id', coalesce(v.script, a.script) -> 'model' -> 'connection_id',
	'full', exists (
		select from model_connection m
		where m.id = (coalesce(v.script, a.script) -> 'model' ->> 'connection_id')::uuid
		  and m.streams <= (
			select count(*) from call l where l.model_connection_id = m.id and l.ended_at is null))) end`

// Receive stores a call that comes in, and returns what the carrier does with it. It is stored once, however often and
// wherever the carrier asks. The row lock of the organization makes its limits exact beside the dialer's. A call beyond
// the pace of its number is only counted, without that lock, so that a flood of calls delays no campaign. It implements
// carrier.Host. Errors: carrier.ErrNotAdmitted for a number that the connection does not have.
func (s *Service) Receive(ctx context.Context, in carrier.Incoming) (r carrier.Reception, err error) {
	var emitted bool
	var how pace
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		emitted, how = false, within
		number, err := postgres.CollectOne(ctx, tx, pgx.RowToStructByPos[numberOf], `
			select id, organization_id from phone_number
			where connection_id = $1 and phone_number = $2 and deactivated_at is null`, in.ConnectionID, in.To)
		if errors.Is(err, pgx.ErrNoRows) {
			return carrier.ErrNotAdmitted
		}
		if err != nil {
			return fmt.Errorf("find the number of an incoming call: %w", err)
		}
		id, err := s.received(ctx, tx, in)
		if err != nil {
			return err
		}
		if id == uuid.Nil {
			if id, how, err = s.pace(ctx, tx, number, in); err != nil {
				return err
			}
		}
		if how == beyond {
			r = carrier.Reception{Action: carrier.RejectBusy}
			return nil
		}
		_, err = tx.Exec(ctx, `select from organization where id = $1 for no key update`, number.OrganizationID)
		if err != nil {
			return fmt.Errorf("lock the organization of an incoming call: %w", err)
		}
		if id == uuid.Nil {
			if id, err = s.insertInbound(ctx, tx, in, how == bursting); err != nil {
				return err
			}
			if emitted, err = s.emitReceived(ctx, tx, number.OrganizationID, id); err != nil {
				return err
			}
		}
		r, err = s.reception(ctx, tx, in.ConnectionID, id)
		return err
	})
	if err != nil {
		return carrier.Reception{}, err
	}
	if how != within {
		rejections.Inc()
	}
	if how == bursting {
		s.log.WarnContext(ctx, "calls to a number are rejected because there are too many; later ones are only counted",
			"call", r.CallID, "connection", in.ConnectionID)
	}
	if emitted {
		s.wake(webhook.Topic)
	}
	if r.CallID != uuid.Nil && r.Action != carrier.OpenLine && r.Action != carrier.ForwardCall {
		s.wake(TopicSettlement)
	}
	return r, nil
}

// received returns the ID of an incoming call that is stored, or nil.
func (s *Service) received(ctx context.Context, db postgres.DB, in carrier.Incoming) (id uuid.UUID, err error) {
	err = db.QueryRow(ctx, `
		select id from call where connection_id = $1 and received_id = $2`,
		in.ConnectionID, in.CarrierCallID).Scan(&id)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return uuid.Nil, fmt.Errorf("find incoming call: %w", err)
	}
	return id, nil
}

// emitReceived emits call.started.
func (s *Service) emitReceived(ctx context.Context, tx pgx.Tx, organization, id uuid.UUID) (bool, error) {
	out, err := webhook.Open(ctx, tx, organization)
	if err != nil || !out.Wants(organization, webhook.CallStarted) {
		return false, err
	}
	started := func(Call) []webhook.Type { return []webhook.Type{webhook.CallStarted} }
	if err := s.emit(ctx, tx, out, []uuid.UUID{id}, started); err != nil {
		return false, err
	}
	return true, out.Write(ctx, tx)
}

// insertInbound decides what happens to an incoming call, and stores it. tooMany rejects it.
func (s *Service) insertInbound(
	ctx context.Context, tx pgx.Tx, in carrier.Incoming, tooMany bool,
) (uuid.UUID, error) {
	number, err := postgres.CollectOne(ctx, tx, pgx.RowToStructByName[numberCalled], `
		select n.id, n.organization_id, o.name as organization, c.kind as carrier, i.settings, i.agent_id,
		       a.published_version_id as agent_version_id, `+sqlAgentOf+` as agent, i.project_id,
		       (select p.id from project p where p.organization_id = o.id
		        order by p.deactivated_at is not null, p.created_at, p.id limit 1) as oldest_project_id,
		       (o.calling_stopped_at is not null
		         or o.max_concurrency <= (
		           select count(*) from call l where l.organization_id = o.id and l.ended_at is null)
		         or c.max_concurrency <= (
		           select count(*) from call l where l.connection_id = c.id and l.ended_at is null)
		         or n.max_concurrency <= (
		           select count(*) from call l where l.phone_number_id = n.id and l.ended_at is null))
		         is true as full,
		       clock() as now
		from phone_number n
		join connection c on c.id = n.connection_id
		join organization o on o.id = n.organization_id
		left join inbound i on i.phone_number_id = n.id
		left join agent a on a.id = i.agent_id and a.deactivated_at is null
		left join agent_version v on v.id = a.published_version_id
		where n.connection_id = $1 and n.phone_number = $2 and n.deactivated_at is null`, in.ConnectionID, in.To)
	if err != nil {
		return uuid.Nil, fmt.Errorf("read the number of an incoming call: %w", err)
	}
	var last *lastCall
	if in.From != "" {
		if last, err = s.lastCallTo(ctx, tx, number.OrganizationID, in.From); err != nil {
			return uuid.Nil, err
		}
	}
	plan, err := s.receive(number, in, last)
	if err != nil {
		return uuid.Nil, err
	}
	if plan.projectID == nil {
		return uuid.Nil, carrier.ErrNotAdmitted // without a project, nobody was ever called
	}
	rejected := ReasonNotAccepted
	if tooMany {
		rejected = ReasonTooManyCalls
		plan.Reception = Reception{Action: project.InboundReject, Busy: true}
		plan.agentID, plan.versionID, plan.resumes, plan.modelConnectionID = nil, nil, nil, nil
	}
	id := uuid.Must(uuid.NewV7())
	_, err = tx.Exec(ctx, `
		insert into call (id, organization_id, project_id, direction, agent_id, agent_version_id, agent_name,
			phone_number_id, connection_id, carrier, carrier_call_id, own_number, person_number,
			number_withheld, recipient_name, call_reason, status,
			outcome, ended_reason, ended_by, stir_attestation, detection, ring_timeout_seconds, max_duration_seconds,
			variables, model_connection_id, reception, received_id, last_call_id, resumes_recipient_id,
			created_at, instance_id, asked_at, started_at, ringing_at, heard_at, ended_at, settle_after)
		select @id, @organization_id, @project_id, 'inbound', @agent_id, @agent_version_id,
		       (select name from agent where organization_id = @organization_id and id = @agent_id), @phone_number_id,
		       @connection_id, @carrier, @carrier_call_id, @own, @person, @person = '', @name, @reason,
		       case when @reject::boolean then 'canceled' else 'ringing' end,
		       case when @reject then 'canceled' end, case when @reject then @rejected end,
		       case when @reject then 'system' end, @attestation, 'off', @ring, @duration, @variables,
		       @model_connection_id, @reception, @carrier_call_id, @last_call_id, @resumes,
		       k.t, @instance, k.t, k.t, k.t, k.t,
		       case when @reject then k.t end, case when @reject then k.t end
		from (select clock() as t) k`, pgx.NamedArgs{
		"id": id, "organization_id": number.OrganizationID, "project_id": plan.projectID,
		"agent_id": plan.agentID, "agent_version_id": plan.versionID, "phone_number_id": number.ID,
		"connection_id": in.ConnectionID, "carrier": number.Carrier, "carrier_call_id": in.CarrierCallID,
		"own": in.To, "person": in.From, "name": plan.name, "reason": postgres.OrNull(plan.Caller.Reason),
		"reject": plan.Action == project.InboundReject, "rejected": rejected,
		"attestation": postgres.OrNull(in.Attestation),
		"ring":        int(inboundRing.Seconds()), "duration": int(inboundDuration.Seconds()),
		"variables":           plan.variables,
		"model_connection_id": plan.modelConnectionID, "reception": plan.Reception, "last_call_id": plan.lastCallID,
		"resumes": plan.resumes, "instance": s.instance,
	})
	if err != nil {
		return uuid.Nil, fmt.Errorf("store an incoming call: %w", err)
	}
	return id, nil
}

// lastCallTo returns the last call that rang a person, or nil.
func (s *Service) lastCallTo(
	ctx context.Context, tx pgx.Tx, organization uuid.UUID, person string,
) (*lastCall, error) {
	for {
		last, err := readLastCall(ctx, tx, organization, person)
		if last == nil || !last.Open || err != nil {
			return last, err
		}
		// The settlement of the last call ends the recipient before this, or sees this call.
		var open bool
		err = tx.QueryRow(ctx, `
			select status in ('pending', 'dialing') from recipient where id = $1 for share`, last.RecipientID).
			Scan(&open)
		if err != nil && !errors.Is(err, pgx.ErrNoRows) {
			return nil, fmt.Errorf("lock the recipient who calls: %w", err)
		}
		if open {
			return last, nil
		}
	}
}

func readLastCall(
	ctx context.Context, tx pgx.Tx, organization uuid.UUID, person string,
) (*lastCall, error) {
	last, err := postgres.CollectOne(ctx, tx, pgx.RowToStructByName[lastCall], `
		select c.id, coalesce(c.started_at, c.created_at) as called_at, c.project_id, c.agent_id, c.agent_version_id,
		       coalesce(c.agent_name, a.name, '') as agent_name,
		       `+sqlAgentOf+` as agent, coalesce(again.id, r.id) as recipient_id, c.recipient_name,
		       coalesce(g.name, '') as campaign_name, coalesce(c.outcome, '') as outcome,
		       coalesce(nullif(c.variables ->> 'reason', ''), c.call_reason, '') as reason, c.variables,
		       given.answers,
		       (a.deactivated_at is null and (again.id is not null
		         or r.status in ('pending', 'dialing') and g.ended_at is null)) is true as open,
		       (a.deactivated_at is null and not given.finished
		         and c.created_at > clock() - @resumable::interval
		         and g.status is distinct from 'canceled'
		         and (coalesce(r.expires_at, g.expires_at) > clock()) is not false
		         and coalesce(c.analysis ->> 'intent', '') <> all(@nobody)
		         and (c.outcome = any(@unreached) and r.status in ('failed', 'completed')
		           or c.ended_reason = @hung_up and exists (
		             select from jsonb_path_query(coalesce(v.script, a.script), '$.questions[*]') q
		             where not given.answers ? (q ->> 'key')))) is true as left
		from call c
		left join agent a on a.id = c.agent_id
		left join agent_version v on v.id = c.agent_version_id
		left join recipient r on r.id = c.recipient_id
		left join campaign g on g.id = r.campaign_id
		left join lateral ( -- where the unreached of the campaign are called again
			select w.id from recipient w join campaign n on n.id = w.campaign_id
			where w.organization_id = c.organization_id and w.phone_number = c.person_number
			  and w.status in ('pending', 'dialing') and n.retry_of_campaign_id = r.campaign_id and n.ended_at is null
			limit 1) again on true
		cross join lateral ( -- what the person answered in the call, and to its agent when they called back
			select coalesce(jsonb_object_agg(e.key, e.value order by l.created_at, l.id)
			         filter (where e.key is not null), '{}') as answers,
			       coalesce(bool_or(l.direction = 'inbound' and l.ended_reason = any(@finished)), false) as finished
			from call l
			left join lateral jsonb_each(l.analysis -> 'answers') e on true
			where l.id = c.id or l.organization_id = c.organization_id and l.person_number = c.person_number
			  and l.direction = 'inbound' and l.last_call_id = c.id and l.agent_id = c.agent_id) given
		where c.organization_id = @organization_id and c.person_number = @person and c.direction = 'outbound'
		  and `+sqlPlaced+`
		order by c.created_at desc, c.id desc
		limit 1`, pgx.NamedArgs{
		"organization_id": organization, "person": person, "hung_up": ReasonHungUp,
		"resumable": resumable,
		"unreached": []Outcome{OutcomeNoAnswer, OutcomeBusy, OutcomeVoicemail, OutcomeFailed},
		"finished":  []Reason{ReasonCompleted, ReasonSaidGoodbye, ReasonOptedOut},
		"nobody":    []conversation.Intent{conversation.WrongPerson, conversation.Deceased, conversation.Minor},
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("find the last call to a caller: %w", err)
	}
	return &last, nil
}

// inboundPlan is what is stored about an incoming call.
type inboundPlan struct {
	Reception
	agentID, versionID, projectID, lastCallID, resumes, modelConnectionID *uuid.UUID

	name      string
	variables map[string]any
}

// receive decides what happens to an incoming call.
func (s *Service) receive(number numberCalled, in carrier.Incoming, last *lastCall) (p inboundPlan, err error) {
	settings := project.InboundContent{Action: project.InboundMessage}
	if number.Settings != nil {
		settings = *number.Settings
	}
	p.Action, p.ForwardTo, p.projectID = settings.Action, settings.ForwardTo, number.ProjectID
	message := settings.Message
	if settings.Hours != nil {
		schedule, err := settings.Hours.In()
		if err != nil {
			return p, fmt.Errorf("hours of phone number %s: %w", number.ID, err)
		}
		if !schedule.Open(number.Now) {
			p.Action, message = project.InboundMessage, nil
			if o := settings.Outside; o != nil {
				p.Action, message = o.Action, o.Message
			}
		}
	}
	p.variables = map[string]any{}
	p.Caller.Withheld = in.From == ""
	agent := number.Agent
	if last != nil {
		p.know(*last)
		if p.projectID == nil {
			p.projectID = &last.ProjectID
		}
	}
	if p.projectID == nil {
		p.projectID = number.OldestProjectID
	}
	if p.Action == project.InboundAgent {
		p.agentID, p.versionID = number.AgentID, number.AgentVersionID
		// Who was called talks with the agent who called.
		if last != nil && (last.Open || last.Left) && last.Agent != nil {
			p.resume(*last)
			agent = last.Agent
		}
		switch {
		case agent == nil: // it was deactivated
			p.agentID, p.versionID, p.resumes = nil, nil, nil
			p.Action = project.InboundMessage
		case !number.Full && !agent.Full:
			p.modelConnectionID = agent.ModelConnectionID
			return p, nil
		default:
			p.agentID, p.versionID, p.resumes = nil, nil, nil
			p.Action, p.Caller.Full = project.InboundMessage, true
		}
	}
	if p.Action == project.InboundMessage || p.Action == project.InboundForward {
		p.announce(message, agent, last)
	}
	return p, nil
}

// know adds what is known of the caller from the last call.
func (p *inboundPlan) know(last lastCall) {
	p.lastCallID, p.name = &last.ID, last.RecipientName
	p.Caller.Called, p.Caller.Reason, p.Caller.CalledAt = true, last.Reason, last.CalledAt
	for name, value := range last.Variables {
		p.variables["last_call."+name] = value
	}
	for name, value := range map[string]string{
		"agent": last.AgentName, "campaign": last.CampaignName, "outcome": last.Outcome, "reason": last.Reason,
		"name": last.RecipientName,
	} {
		if value != "" {
			p.variables["last_call."+name] = value
		}
	}
	for _, part := range []string{"first_name", "last_name"} {
		value := conversation.Known{Name: last.RecipientName}.Value(part)
		if p.variables["last_call."+part] == nil && value != "" {
			p.variables["last_call."+part] = value
		}
	}
}

// resume lets the agent of the last call ask what was left open.
func (p *inboundPlan) resume(last lastCall) {
	p.agentID, p.versionID, p.resumes = last.AgentID, last.AgentVersionID, last.RecipientID
	for name, value := range last.Variables {
		p.variables[name] = value
	}
	for key, value := range last.Answers {
		p.Caller.Answers = append(p.Caller.Answers, conversation.Answer{Key: key, Value: value})
	}
}

// announce lets the caller hear a message.
func (p *inboundPlan) announce(message *project.InboundText, agent *inboundAgent, last *lastCall) {
	p.Caller.Announced = true
	voice := speech.Default()
	script := conversation.Script{Language: "en-US", SilenceSeconds: messageSilence, Nudges: new(int)}
	switch {
	case message != nil && !p.Caller.Full:
		script.Language, script.Greeting = message.Language, message.Text
		voice = voice.With(message.Speech)
	case agent != nil:
		script.Language, voice = agent.Language, agent.Speech
	case last != nil && last.Agent != nil:
		script.Language, voice = last.Agent.Language, last.Agent.Speech
	}
	p.Language, p.Speech, p.Script = script.Language, &voice, &script
}

// reception returns what the carrier does with a stored inbound call.
func (s *Service) reception(
	ctx context.Context, db postgres.DB, connectionID, id uuid.UUID,
) (r carrier.Reception, err error) {
	var stored Reception
	var own string
	var raw []byte
	err = db.QueryRow(ctx, `select reception, own_number from call where id = $1`, id).Scan(&raw, &own)
	if err != nil {
		return r, fmt.Errorf("read incoming call %s: %w", id, err)
	}
	if err := json.Unmarshal(raw, &stored); err != nil {
		return r, fmt.Errorf("read the reception of call %s: %w", id, err)
	}
	r = carrier.Reception{CallID: id, Action: carrier.RejectCall}
	if stored.Action == project.InboundReject {
		if stored.Busy {
			r.Action = carrier.RejectBusy
		}
		return r, nil
	}
	r.Manner, err = s.admit(ctx, db, connectionID, id)
	if errors.Is(err, carrier.ErrNotAdmitted) { // it has ended meanwhile
		return r, nil
	}
	r.Action = carrier.OpenLine
	if stored.Action == project.InboundForward {
		r.Action = carrier.ForwardCall
		r.Dial = carrier.Forward{
			To: stored.ForwardTo, From: own, RingTimeout: inboundRing, MaxDuration: inboundDuration,
		}
	}
	return r, err
}

// forwarded stores how the dial of a forwarded call ended. Unless the two talked, a message follows. If the caller hung
// up, the end of the call may come first, and waits a moment for this before it is settled. Even the settlement may be
// first. The price of the second call is read later.
func (s *Service) forwarded(ctx context.Context, e carrier.Event) error {
	talked := e.Outcome == carrier.Completed
	tag, err := s.pool.Exec(ctx, `
		with dialed as (
			update call set reception = reception || jsonb_build_object('forwarded_call_id', $4::text)
			where id = $1 and connection_id = $2 and settled_at is not null and reception ? 'forward_to'
			  and $4 <> ''
		)
		update call set
			ended_reason = case when $3 and coalesce(ended_reason, 'recipient_hung_up') = 'recipient_hung_up'
				then 'forwarded' else ended_reason end,
			ended_by = case when $3 and ended_reason is null then 'system' else ended_by end,
			settle_after = case when ended_at is not null then least(settle_after, clock()) else settle_after end,
			reception = reception || case when $3 then '{}' else '{"action": "message", "forwarded": true}'::jsonb end
				|| case when $4 = '' then '{}' else jsonb_build_object('forwarded_call_id', $4::text) end,
			heard_at = case when ended_at is null then clock() else heard_at end
		where id = $1 and connection_id = $2 and direction = 'inbound' and settled_at is null`,
		e.CallID, e.ConnectionID, talked, e.OtherCallID)
	if err != nil {
		return fmt.Errorf("store the end of forwarded call %s: %w", e.CallID, err)
	}
	if tag.RowsAffected() == 0 {
		return carrier.ErrUnknownCall
	}
	return nil
}
