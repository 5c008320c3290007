package project

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/carrier/speech"
	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/hours"
	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/internal/postgres"
)

// InboundAction is what happens to a call to a phone number of the organization.
type InboundAction string

const (
	// InboundMessage plays a message. It is the default, because whoever was called can then call back and opt out.
	InboundMessage InboundAction = "message"
	InboundAgent   InboundAction = "agent"   // an agent talks with the caller
	InboundForward InboundAction = "forward" // the caller is connected to another number
	InboundReject  InboundAction = "reject"  // the call is not answered
)

// InboundActions lists every action. The second list is for the time outside of the hours.
var (
	InboundActions        = []InboundAction{InboundMessage, InboundAgent, InboundForward, InboundReject}
	InboundOutsideActions = []InboundAction{InboundMessage, InboundReject}
)

// Inbound is what happens when somebody calls a phone number.
type Inbound struct {
	PhoneNumberID uuid.UUID
	AgentID       *uuid.UUID // with InboundAgent
	ProjectID     *uuid.UUID // of the calls; nil: that of the last call to the caller, else the oldest
	Settings      InboundContent
	UpdatedAt     *time.Time // nil: never set
}

// InboundContent are the settings without references. It is stored as it is.
type InboundContent struct {
	Action    InboundAction   `json:"action"`
	Message   *InboundText    `json:"message" nullable:"true"`    // nil: the standard message
	ForwardTo string          `json:"forward_to" nullable:"true"` // E.164; empty without InboundForward
	Hours     *hours.Hours    `json:"hours" nullable:"true"`      // of the action; nil: always
	Outside   *InboundOutside `json:"outside" nullable:"true"`    // outside of Hours; nil: the standard message
}

// InboundOutside is what happens outside of the hours.
type InboundOutside struct {
	Action  InboundAction `json:"action"`
	Message *InboundText  `json:"message" nullable:"true"` // nil: the standard message
}

// InboundText is a spoken message. Its variables are those of inboundVariables and of the last call to the caller.
type InboundText struct {
	Text     string         `json:"text"`
	Language string         `json:"language"` // BCP 47
	Speech   speech.Engines `json:"speech"`
}

// InboundInput are settings as requested. They replace all earlier settings.
type InboundInput struct {
	InboundContent

	AgentID   string `json:"agent_id" nullable:"true"`
	ProjectID string `json:"project_id" nullable:"true"`

	// Revision is the [Inbound.Revision] that was changed. Empty: whatever it is now.
	Revision string `json:"-"`
}

// Revision identifies the settings, as a form shows them.
func (i Inbound) Revision() string { return check.Revision(i.fields()) }

// fields are the settings that a form changes.
func (i Inbound) fields() InboundResource {
	fields := i.Resource()
	fields.PhoneNumberID, fields.UpdatedAt = uuid.Nil, nil
	return fields
}

// inboundVariables are the variables of a message besides those of the last call. No agent speaks, and no campaign
// calls, so their variables would always be empty.
var inboundVariables = []string{"organization", "name", "phone_number"}

// lastCall precedes the names of the variables of the last call, which may be any.
const lastCall = "last_call."

// maxInboundText is the maximum length of a message, in characters: about 2 minutes.
const maxInboundText = 1000

// Check normalizes the settings and reports what is wrong with them. It reads neither the agent nor the project:
// SetInbound checks those too. Errors: Invalid.
func (in *InboundInput) Check() error {
	var p fault.Problems
	in.check(&p)
	return p.Err()
}

func (in *InboundInput) check(p *fault.Problems) (agent, project *uuid.UUID) {
	if in.Action == "" { // whoever replaces the settings says by what
		p.Addf("action", "required: message, agent, forward or reject")
	} else {
		fault.OneOf(p, "action", []InboundAction{in.Action}, InboundActions)
	}
	in.Message.check("message", p)
	switch {
	case in.Action == InboundAgent:
		id := check.ID(p, "agent_id", "agent", in.AgentID)
		agent = &id
	case in.AgentID != "":
		p.Addf("agent_id", "is only for the action agent")
	}
	if in.Action != "" && in.Action != InboundMessage && in.Message != nil {
		p.Addf("message", "is only for the action message")
	}
	switch {
	case in.Action == InboundForward && in.ForwardTo == "":
		p.Addf("forward_to", "required")
	case in.Action == InboundForward:
		to, err := phone.Parse(in.ForwardTo)
		if err != nil {
			p.Addf("forward_to", "%s", err)
		}
		in.ForwardTo = to.String()
	case in.ForwardTo != "":
		p.Addf("forward_to", "is only for the action forward")
	}
	if in.ProjectID != "" {
		id := check.ID(p, "project_id", "project", in.ProjectID)
		project = &id
	}
	if in.Hours != nil {
		in.Hours.ValidateLocal("hours", p)
	}
	if o := in.Outside; o != nil {
		if in.Hours == nil {
			p.Addf("outside", "is only for settings with hours")
		}
		fault.OneOf(p, "outside.action", []InboundAction{o.Action}, InboundOutsideActions)
		o.Message.check("outside.message", p)
		if o.Action != InboundMessage && o.Message != nil {
			p.Addf("outside.message", "is only for the action message")
		}
	}
	return agent, project
}

func (m *InboundText) check(path string, p *fault.Problems) {
	if m == nil {
		return
	}
	check.Required(p, path+".text", &m.Text, maxInboundText)
	if problem := conversation.CheckTemplate(m.Text); problem != "" {
		p.Addf(path+".text", "%s", problem)
	} else if unknown := conversation.UnknownVariable(m.Text, func(name string) bool {
		return strings.HasPrefix(name, lastCall) || slices.Contains(inboundVariables, name)
	}); unknown != "" {
		p.Addf(path+".text", "nothing is known for {{%[1]s}}. Known are {{%[2]s}}, and variables of the last call to "+
			"the caller such as {{%[3]sname}}. To set a fallback, write {{%[1]s|fallback}}",
			unknown, strings.Join(inboundVariables, "}}, {{"), lastCall)
	}
	switch {
	case m.Language == "":
		p.Addf(path+".language", "required")
		return
	case !conversation.Understands(m.Language):
		p.Addf(path+".language", "is not a language of agents")
		return
	}
	m.Speech.Validate(path+".speech", m.Language, p)
}

// inboundSelect reads the settings of phone numbers as Inbound.
const inboundSelect = `
	select n.id as phone_number_id, i.agent_id, i.project_id,
	       coalesce(i.settings, '{"action": "message"}') as settings, i.updated_at
	from phone_number n
	left join inbound i on i.phone_number_id = n.id`

// Inbound returns what happens when somebody calls an active phone number. Errors: NotFound.
func (s *Service) Inbound(ctx context.Context, organizationID, phoneNumberID uuid.UUID) (Inbound, error) {
	in, err := postgres.CollectOne(ctx, s.pool, pgx.RowToStructByName[Inbound], inboundSelect+`
		where n.organization_id = @organization_id and n.id = @id and n.deactivated_at is null`,
		pgx.NamedArgs{"organization_id": organizationID, "id": phoneNumberID})
	if errors.Is(err, pgx.ErrNoRows) {
		return Inbound{}, fault.NotFoundf("Phone number")
	}
	if err != nil {
		return Inbound{}, fmt.Errorf("read what happens to calls to a phone number: %w", err)
	}
	return in, nil
}

// SetInbound replaces what happens when somebody calls an active phone number. It applies to the next call. Unchanged
// may refuse the change of what happens then, and may be nil. Errors: NotFound; Stale if somebody else has changed the
// revision; that of unchanged; and Invalid, also for an agent that is unknown, foreign, deactivated or not published,
// and for a project that is unknown, foreign or deactivated.
func (s *Service) SetInbound(
	ctx context.Context, actor account.Actor, phoneNumberID uuid.UUID, in InboundInput,
	unchanged func(Inbound) error,
) (Inbound, error) {
	var p fault.Problems
	agentID, projectID := in.check(&p)
	if err := p.Err(); err != nil {
		return Inbound{}, err
	}
	var set Inbound
	err := postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		args := pgx.NamedArgs{
			"organization_id": actor.OrganizationID, "id": phoneNumberID, "agent_id": agentID, "project_id": projectID,
			"settings": in.InboundContent,
		}
		number, err := lockNumber(ctx, tx, args)
		if err != nil {
			return err
		}
		now, err := postgres.CollectOne(ctx, tx, pgx.RowToStructByName[Inbound], inboundSelect+`
			where n.organization_id = @organization_id and n.id = @id`, args)
		if err != nil {
			return fmt.Errorf("read what happens to calls to a phone number: %w", err)
		}
		if err := check.Precondition(now, unchanged); err != nil {
			return err
		}
		wanted := Inbound{AgentID: agentID, ProjectID: projectID, Settings: in.InboundContent}
		if err := check.Unchanged(in.Revision, now.fields(), wanted.fields()); err != nil {
			return err
		}
		if agentID != nil {
			agent, err := LockAgentForUse(ctx, tx, actor.OrganizationID, *agentID)
			if err != nil {
				return err
			}
			switch unheard := agent.Unheard(); {
			case agent.Published == nil:
				return fault.Invalidf("agent_id", "this agent is not published")
			case unheard != "":
				return fault.Invalidf("agent_id", "%s", unheard)
			}
		}
		if projectID != nil {
			if _, err := LockProjectForUse(ctx, tx, actor.OrganizationID, *projectID); err != nil {
				return err
			}
		}
		if in.ForwardTo != "" {
			var own bool
			err := tx.QueryRow(ctx, `
				select exists (
					select from phone_number
					where organization_id = @organization_id and phone_number = @forward_to
						and deactivated_at is null)`,
				pgx.NamedArgs{"organization_id": actor.OrganizationID, "forward_to": in.ForwardTo}).Scan(&own)
			if err != nil {
				return fmt.Errorf("look for a number of the organization: %w", err)
			}
			if own { // it might forward the call back
				return fault.Invalidf("forward_to", "must not be one of your own numbers")
			}
		}
		_, err = tx.Exec(ctx, `
			insert into inbound (phone_number_id, organization_id, agent_id, project_id, settings)
			values (@id, @organization_id, @agent_id, @project_id, @settings)
			on conflict (phone_number_id) do update set
				agent_id = excluded.agent_id, project_id = excluded.project_id, settings = excluded.settings,
				updated_at = clock()`, args)
		if err != nil {
			return fmt.Errorf("set what happens to calls to a phone number: %w", err)
		}
		set, err = postgres.CollectOne(ctx, tx, pgx.RowToStructByName[Inbound], inboundSelect+`
			where n.organization_id = @organization_id and n.id = @id`, args)
		if err != nil {
			return fmt.Errorf("read what happens to calls to a phone number: %w", err)
		}
		if now.UpdatedAt != nil && reflect.DeepEqual(now.fields(), set.fields()) {
			return account.Unchanged(ctx)
		}
		return account.Record(ctx, tx, actor, "phone_number.inbound_changed", account.Object{
			Type: "phone_number", ID: phoneNumberID,
		}, map[string]any{
			"phone_number": number.PhoneNumber, "action": in.Action, "agent_id": agentID, "project_id": projectID,
			"message": in.Message, "forward_to": in.ForwardTo, "hours": in.Hours, "outside": in.Outside,
		})
	})
	return set, err
}

// notForInbound returns a Conflict that names phone numbers, if calls to active numbers use a row of the table agent or
// project. The caller must have locked the row in an earlier statement.
func notForInbound(ctx context.Context, tx pgx.Tx, organizationID, id uuid.UUID, by user, what string) error {
	rows, err := tx.Query(ctx, `
		select n.phone_number, count(*) over ()
		from inbound i join phone_number n on n.id = i.phone_number_id
		where i.organization_id = @organization_id and i.`+string(by)+` = @id and n.deactivated_at is null
		order by n.created_at desc, n.id desc
		limit @shown`, pgx.NamedArgs{"organization_id": organizationID, "id": id, "shown": shownUsers})
	if err != nil {
		return fmt.Errorf("look for phone numbers that use %s: %w", by, err)
	}
	numbers, total, err := collectUsers(rows)
	switch {
	case err != nil:
		return fmt.Errorf("look for phone numbers that use %s: %w", by, err)
	case total > 0:
		return fault.Conflictf("%s is used for calls to %s", what, enumerate(numbers, total))
	}
	return nil
}
