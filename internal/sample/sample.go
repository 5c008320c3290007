// Package sample creates and removes the sample data of an organization: a connection to the sandbox, a phone number,
// an agent, and a campaign with five people of the sandbox. It shows calls before a carrier is connected.
package sample

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/campaign/intake"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/hours"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/project"
	"github.com/dialwright/dialwright/internal/suppression"
)

// Sample is the sample data of an organization. Its objects may have been removed by people since.
type Sample struct {
	OrganizationID uuid.UUID
	ProjectID      *uuid.UUID // nil: the organization had a project
	ConnectionID   uuid.UUID
	PhoneNumberID  uuid.UUID
	AgentID        uuid.UUID
	CampaignID     uuid.UUID
	CreatedAt      time.Time
	RemovedAt      *time.Time // not nil: its last calls are ending
	RemovedBy      string
}

const columns = `organization_id, project_id, connection_id, phone_number_id, agent_id, campaign_id, created_at,
	removed_at, removed_by`

// The names of what Create creates.
const (
	Name        = "Sample data"
	AgentName   = "Sample agent"
	PhoneNumber = "+15005559100"
)

// people are those of the sandbox whom the campaign calls. Their numbers decide what they do.
var people = []intake.Recipient{
	{PhoneNumber: "+15005009101", Name: "Anna, who answers"},
	{PhoneNumber: "+15005019102", Name: "Ben, who is busy"},
	{PhoneNumber: "+15005039103", Name: "Carla's voicemail"},
	{PhoneNumber: "+15005059104", Name: "David, who interrupts"},
	{PhoneNumber: "+15005079105", Name: "Eve, who says stop"},
}

// script is what the agent says.
var script = conversation.Script{
	Language: "en-US",
	Greeting: "Hello {{first_name|there}}, this is the sample agent of {{organization}}.",
	Questions: []conversation.Question{
		{Key: "well", Ask: "Are you feeling well today?", Expect: conversation.YesNo},
		{
			Key: "visit", Ask: "When should we visit you: in the morning or in the afternoon?",
			Expect: conversation.Choice, Options: []string{"In the morning", "In the afternoon"},
		},
		{Key: "rating", Ask: "From 0 to 10, how happy are you with our service?", Expect: conversation.Number},
	},
	VoicemailMessage: "Hello {{first_name|there}}, this is the sample agent of {{organization}}. We will call again.",
}

// Service creates and removes sample data. Make it with New. It is safe for concurrent use.
type Service struct{ o Options }

// Options are the dependencies of the service.
type Options struct {
	Pool      *pgxpool.Pool
	Projects  *project.Service
	Campaigns *campaign.Service
	Calls     *call.Service
}

// New makes the service.
func New(o Options) *Service { return &Service{o} }

// Get returns the sample data of an organization, or nil if it has none.
func (s *Service) Get(ctx context.Context, organizationID uuid.UUID) (*Sample, error) {
	return one(ctx, s.o.Pool, `select `+columns+` from sample where organization_id = $1`, organizationID)
}

func one(ctx context.Context, db postgres.DB, sql string, args ...any) (*Sample, error) {
	found, err := postgres.CollectOne(ctx, db, pgx.RowToStructByName[Sample], sql, args...)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("query sample data: %w", err)
	}
	return &found, nil
}

// Create creates the sample data of the actor's organization and starts its campaign, all or nothing. If there is some
// already, Create returns that. Errors: Invalid on a server without the sandbox; Conflict while the former sample data
// is being removed, or if the phone number of the sample data is in use.
func (s *Service) Create(ctx context.Context, actor account.Actor) (*Sample, error) {
	var made *Sample
	err := postgres.InTx(ctx, s.o.Pool, func(tx pgx.Tx) (err error) {
		made, err = s.create(ctx, tx, actor)
		return err
	})
	if err != nil {
		return nil, err
	}
	s.o.Campaigns.Wake()
	return made, nil
}

func (s *Service) create(ctx context.Context, tx pgx.Tx, actor account.Actor) (*Sample, error) {
	id := uuid.Must(uuid.NewV7())
	// The second of two clicks waits here for the commit of the first, and finds its sample data.
	tag, err := tx.Exec(ctx, `
		insert into sample (organization_id, connection_id, phone_number_id, agent_id, campaign_id)
		values ($1, $2, $2, $2, $2)
		on conflict (organization_id) do nothing`, actor.OrganizationID, id)
	if err != nil {
		return nil, fmt.Errorf("begin sample data: %w", err)
	}
	if tag.RowsAffected() == 0 {
		found, err := one(ctx, tx, `select `+columns+` from sample where organization_id = $1`, actor.OrganizationID)
		if err != nil || found.RemovedAt == nil {
			return found, err
		}
		return nil, fault.Conflictf("The former sample data is being removed. Try again in a minute")
	}
	projects := s.o.Projects.In(tx)
	made := Sample{OrganizationID: actor.OrganizationID, CampaignID: id}
	list, err := projects.Projects(ctx, actor.OrganizationID, page.Request{Limit: 1})
	if err != nil {
		return nil, err
	}
	var projectID uuid.UUID
	if len(list.Data) > 0 {
		projectID = list.Data[0].ID
	} else {
		p, err := projects.NewProjectFrom(ctx, actor, project.Input{Name: new(Name)})
		if err != nil {
			return nil, err
		}
		projectID, made.ProjectID = p.ID, &p.ID
	}
	connection, err := projects.CreateConnection(ctx, actor, project.NewConnection{
		Kind: project.Sandbox, ConnectionSettings: project.ConnectionSettings{Name: Name},
	})
	if err != nil {
		return nil, err
	}
	number, err := projects.CreatePhoneNumber(ctx, actor, project.NewPhoneNumber{
		ConnectionID: connection.ID, PhoneNumber: PhoneNumber,
		NumberSettings: project.NumberSettings{Name: Name, Voice: true},
	})
	if err != nil {
		return nil, err
	}
	agent, err := projects.CreateAgent(ctx, actor, project.AgentSettings{Name: AgentName, Script: script})
	if err != nil {
		return nil, err
	}
	made.ConnectionID, made.PhoneNumberID, made.AgentID = connection.ID, number.ID, agent.ID
	always := hours.Always()
	draft := &campaign.Draft{
		ID: id, Name: Name, ProjectID: projectID.String(), AgentID: agent.ID.String(),
		PhoneNumberID: number.ID.String(), CallingHours: &always, VoicemailAction: campaign.LeaveMessage,
		Recipients: &intake.List{},
	}
	for _, p := range people {
		p.Consent = &intake.Consent{Basis: Name}
		draft.Recipients.Add(p)
	}
	if _, err := s.o.Campaigns.In(tx).Create(ctx, actor, draft); err != nil {
		return nil, err
	}
	return one(ctx, tx, `
		update sample set project_id = @project, connection_id = @connection, phone_number_id = @number,
			agent_id = @agent
		where organization_id = @organization
		returning `+columns, pgx.NamedArgs{
		"organization": actor.OrganizationID, "project": made.ProjectID, "connection": made.ConnectionID,
		"number": made.PhoneNumberID, "agent": made.AgentID,
	})
}

// Remove cancels the campaign of the sample data, takes its agent, its number and its connection out of use, ends its
// calls and deletes them. It reports whether that is done: while calls are ending, Finish does the rest. An
// organization without sample data is done. Errors: Conflict that names the campaigns that use the objects.
func (s *Service) Remove(ctx context.Context, actor account.Actor) (done bool, err error) {
	var found *Sample
	err = postgres.InTx(ctx, s.o.Pool, func(tx pgx.Tx) (err error) {
		found, err = one(ctx, tx, `select `+columns+` from sample where organization_id = $1 for update`,
			actor.OrganizationID)
		if err != nil || found == nil || found.RemovedAt != nil {
			return err
		}
		return s.retire(ctx, tx, actor, *found)
	})
	if err != nil || found == nil {
		return err == nil, err
	}
	s.o.Campaigns.Wake()
	live, err := postgres.Collect(ctx, s.o.Pool, pgx.RowTo[uuid.UUID], `
		select id from call where campaign_id = $1 and organization_id = $2 and ended_at is null`,
		found.CampaignID, actor.OrganizationID)
	if err != nil {
		return false, fmt.Errorf("find the calls of sample data: %w", err)
	}
	for _, id := range live {
		if err := s.o.Calls.End(ctx, actor, id); err != nil && fault.KindOf(err) != fault.Conflict {
			return false, err
		}
	}
	return s.finish(ctx, actor.OrganizationID)
}

// retire takes the objects out of use. Those that people have removed are skipped.
func (s *Service) retire(ctx context.Context, tx pgx.Tx, actor account.Actor, found Sample) error {
	projects, campaigns := s.o.Projects.In(tx), s.o.Campaigns.In(tx)
	// The dialer locks a connection and a number before their campaign.
	for _, lock := range []struct {
		table string
		id    uuid.UUID
	}{{"connection", found.ConnectionID}, {"phone_number", found.PhoneNumberID}} {
		if _, err := tx.Exec(ctx, `select from `+lock.table+` where id = $1 for update`, lock.id); err != nil {
			return fmt.Errorf("lock a %s of sample data: %w", lock.table, err)
		}
	}
	c, err := campaigns.Get(ctx, actor.OrganizationID, found.CampaignID)
	if err == nil && !c.Status.Terminal() && c.Status != campaign.Drafted {
		_, err = campaigns.Cancel(ctx, actor, found.CampaignID)
	}
	if err != nil && fault.KindOf(err) != fault.NotFound {
		return err
	}
	for _, object := range []struct {
		id     uuid.UUID
		remove func(context.Context, account.Actor, uuid.UUID) error
	}{
		{found.AgentID, projects.DeactivateAgent},
		{found.PhoneNumberID, projects.DeactivatePhoneNumber},
		{found.ConnectionID, projects.DeactivateConnection},
	} {
		if err := object.remove(ctx, actor, object.id); err != nil && fault.KindOf(err) != fault.NotFound {
			return err
		}
	}
	if found.ProjectID != nil {
		err := projects.DeactivateProject(ctx, actor, *found.ProjectID)
		if err != nil && fault.KindOf(err) != fault.NotFound {
			return err
		}
	}
	_, err = tx.Exec(ctx, `update sample set removed_at = clock(), removed_by = $2 where organization_id = $1`,
		actor.OrganizationID, actor.Name)
	if err != nil {
		return fmt.Errorf("retire sample data: %w", err)
	}
	return nil
}

// Finish deletes the sample data whose last calls have ended, and returns how much that was. It is a background task,
// which any number of processes may run at the same time.
func (s *Service) Finish(ctx context.Context) (int, error) {
	waiting, err := postgres.Collect(ctx, s.o.Pool, pgx.RowTo[uuid.UUID], `
		select s.organization_id from sample s
		where s.removed_at is not null
		  and not exists (select from call c where c.campaign_id = s.campaign_id and c.settled_at is null)
		limit 10`)
	if err != nil {
		return 0, fmt.Errorf("find sample data to delete: %w", err)
	}
	n := 0
	for _, id := range waiting {
		done, err := s.finish(ctx, id)
		if err != nil {
			return n, err
		}
		if done {
			n++
		}
	}
	return n, nil
}

// finish deletes the campaign and its calls, unless some have not ended.
func (s *Service) finish(ctx context.Context, organizationID uuid.UUID) (done bool, err error) {
	err = postgres.InTx(ctx, s.o.Pool, func(tx pgx.Tx) error {
		found, err := one(ctx, tx, `
			select `+columns+` from sample
			where organization_id = $1 and removed_at is not null for update skip locked`, organizationID)
		if err != nil || found == nil {
			return err
		}
		actor := account.System(organizationID)
		actor.Name = found.RemovedBy
		calls, live, err := call.DeleteOf(ctx, tx, organizationID, found.CampaignID)
		if err != nil || live {
			return err
		}
		var ids []uuid.UUID
		var numbers []phone.Number
		for _, c := range calls {
			ids, numbers = append(ids, c.ID), append(numbers, c.Number)
		}
		if err := suppression.ForgetCalls(ctx, tx, organizationID, ids, numbers); err != nil {
			return err
		}
		err = s.o.Campaigns.In(tx).Remove(ctx, actor, found.CampaignID)
		if err != nil && fault.KindOf(err) != fault.NotFound { // a person has deleted it
			return err
		}
		_, err = tx.Exec(ctx, `delete from result_day where organization_id = $1 and campaign_id = $2`, organizationID,
			found.CampaignID)
		if err != nil {
			return fmt.Errorf("delete the sums of sample data: %w", err)
		}
		if _, err := tx.Exec(ctx, `delete from sample where organization_id = $1`, organizationID); err != nil {
			return fmt.Errorf("delete sample data: %w", err)
		}
		done = true
		return nil
	})
	return done, err
}
