package project

import (
	"context"
	"errors"
	"fmt"
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

// AgentContent is what a version of an agent fixes. The name of an agent is not part of it.
type AgentContent struct {
	Kind        AgentKind           `json:"kind"`
	Language    string              `json:"language"` // BCP 47; the language of the script
	Speech      speech.Settings     `json:"speech"`
	Script      conversation.Script `json:"script"`
	RecordCalls bool                `json:"record_calls"` // the disclosure should say so
}

// AgentVersion is a published version of an agent. It never changes.
type AgentVersion struct {
	ID      uuid.UUID `json:"id"`
	AgentID uuid.UUID `json:"agent_id"`
	Number  int       `json:"number"` // from 1
	AgentContent
	SHA256    string    `json:"sha256"` // of the content, in hexadecimal digits
	Note      string    `json:"note"`
	CreatedBy string    `json:"created_by"` // the actor's name, as shown
	CreatedAt time.Time `json:"created_at"`

	IsPublished  bool          `json:"-"` // calls follow it
	Publications []Publication `json:"-"` // the last ones, newest first
}

// Publication says who published a version, and when. A version can be published again.
type Publication struct {
	PublishedBy string    `json:"published_by"` // the actor's name, as shown
	PublishedAt time.Time `json:"published_at"`
	Note        string    `json:"note"`
}

const (
	maxNote         = 500 // characters of a note
	maxPublications = 20  // that are read with a version
)

// sqlPublished is the published version as JSON, for a query on agent. It is null without one.
const sqlPublished = `(select to_jsonb(v) from agent_version v where v.id = agent.published_version_id)`

var versionColumns = fmt.Sprintf(`
	id, agent_id, number, kind, language, speech, script, record_calls, sha256, note, created_by, created_at,
	exists (select from agent a where a.id = agent_version.agent_id and a.published_version_id = agent_version.id)
		as is_published,
	(select coalesce(jsonb_agg(to_jsonb(p)), '[]') from (
		select published_by, published_at, note from agent_publication p where p.version_id = agent_version.id
		order by published_at desc, id desc limit %d) p) as publications`, maxPublications)

// Followed returns what calls of campaigns follow that chose no version: the published version.
func (a Agent) Followed() AgentContent {
	if a.Published == nil {
		return a.AgentContent
	}
	return a.Published.AgentContent
}

// DraftChanges returns how the draft differs from the published version. All of an agent that was never published is
// a change.
func (a Agent) DraftChanges() []Change {
	if a.Published == nil {
		return Changes(AgentContent{}, a.AgentContent)
	}
	return Changes(a.Published.AgentContent, a.AgentContent)
}

// Publishing says what of an agent is to be published.
type Publishing struct {
	Note    string // at most 500 characters
	Version *int   // an earlier version, which is published again; nil: the draft, as a new version
}

// PublishAgent makes a new version of the agent's draft, or takes an earlier version. Calls that are claimed afterwards
// follow it, except those of campaigns that chose a version. An earlier version needs no passed tests, so that a
// mistake can be taken back. Errors: Invalid, NotFound, and Conflict if nothing would change or the agent must pass its
// tests first.
func (s *Service) PublishAgent(
	ctx context.Context, actor account.Actor, id uuid.UUID, in Publishing,
) (Agent, error) {
	var p fault.Problems
	check.Text(&p, "note", &in.Note, maxNote)
	if err := p.Err(); err != nil {
		return Agent{}, err
	}
	var a Agent
	err := postgres.InTx(ctx, s.pool, func(tx pgx.Tx) (err error) {
		if a, err = lockAgent(ctx, tx, actor.OrganizationID, id); err != nil {
			return err
		}
		before := a.Published
		if in.Version != nil {
			err = publishAgain(ctx, tx, actor, &a, in)
		} else if err = checkTests(ctx, tx, &a); err == nil {
			err = publishDraft(ctx, tx, actor, &a, in.Note)
		}
		if err != nil {
			return err
		}
		data := map[string]any{"name": a.Name, "version": a.Published.Number, "note": in.Note}
		if before != nil {
			data["version_before"] = before.Number
		}
		return account.Record(ctx, tx, actor, "agent.published", account.Object{Type: "agent", ID: id}, data)
	})
	return a, err
}

// publishDraft makes the next version of a locked agent and publishes it.
func publishDraft(ctx context.Context, tx pgx.Tx, actor account.Actor, a *Agent, note string) error {
	if a.Published != nil && len(a.DraftChanges()) == 0 {
		return fault.Conflictf("The draft is the same as version %d, which is published", a.Published.Number)
	}
	if why := Unheard(a.Name, a.Language); why != "" {
		return fault.Conflictf("%s", why)
	}
	v, err := postgres.CollectOne(ctx, tx, pgx.RowToStructByName[AgentVersion], `
		insert into agent_version (id, organization_id, agent_id, number, kind, language, speech, script, record_calls,
			sha256, note, created_by)
		select @version_id, organization_id, id,
			(select coalesce(max(number), 0) + 1 from agent_version where agent_id = @id),
			kind, language, speech, script, record_calls,
			encode(sha256(convert_to(jsonb_build_array(kind, language, speech, script, record_calls)::text, 'UTF8')),
				'hex'),
			@note, @created_by
		from agent where organization_id = @organization_id and id = @id
		returning `+versionColumns, pgx.NamedArgs{
		"organization_id": actor.OrganizationID, "id": a.ID, "version_id": uuid.Must(uuid.NewV7()), "note": note,
		"created_by": actor.Name,
	})
	if err != nil {
		return fmt.Errorf("insert a version of agent %s: %w", a.ID, err)
	}
	return publish(ctx, tx, actor, a, v, note)
}

// publishAgain publishes an earlier version of a locked agent.
func publishAgain(ctx context.Context, tx pgx.Tx, actor account.Actor, a *Agent, in Publishing) error {
	if a.Published != nil && a.Published.Number == *in.Version {
		return fault.Conflictf("Version %d is already published", *in.Version)
	}
	v, err := oneVersion(ctx, tx, actor.OrganizationID, a.ID, *in.Version)
	if fault.KindOf(err) == fault.NotFound {
		return fault.Invalidf("version", "no such version")
	}
	if err != nil {
		return err
	}
	if why := Unheard(a.Name, v.Language); why != "" {
		return fault.Conflictf("%s", why)
	}
	return publish(ctx, tx, actor, a, v, in.Note)
}

func publish(ctx context.Context, tx pgx.Tx, actor account.Actor, a *Agent, v AgentVersion, note string) error {
	args := pgx.NamedArgs{
		"organization_id": actor.OrganizationID, "agent_id": a.ID, "version_id": v.ID, "note": note,
		"id": uuid.Must(uuid.NewV7()), "published_by": actor.Name,
	}
	batch := &pgx.Batch{}
	batch.Queue(`update agent set published_version_id = @version_id
		where organization_id = @organization_id and id = @agent_id`, args)
	batch.Queue(`
		insert into agent_publication (id, organization_id, version_id, note, published_by)
		values (@id, @organization_id, @version_id, @note, @published_by)`, args)
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("publish version %d of agent %s: %w", v.Number, a.ID, err)
	}
	a.Published = &v
	return nil
}

// DiscardAgentDraft makes the draft of an agent equal to its published version. Errors: NotFound, and Conflict for an
// agent that was never published.
func (s *Service) DiscardAgentDraft(ctx context.Context, actor account.Actor, id uuid.UUID) (Agent, error) {
	var a Agent
	err := postgres.InTx(ctx, s.pool, func(tx pgx.Tx) (err error) {
		if a, err = lockAgent(ctx, tx, actor.OrganizationID, id); err != nil {
			return err
		}
		if a.Published == nil {
			return fault.Conflictf("No version of this agent is published")
		}
		a, err = oneAgent(ctx, tx, `
			update agent set kind = v.kind, language = v.language, speech = v.speech, script = v.script,
				record_calls = v.record_calls, kept = case v.kind when 'scripted' then agent.kept end
			from (select id as version_id, kind, language, speech, script, record_calls from agent_version) v
			where agent.organization_id = @organization_id and agent.id = @id
				and v.version_id = agent.published_version_id
			returning `+agentColumns, pgx.NamedArgs{"organization_id": actor.OrganizationID, "id": id})
		if err != nil {
			return err
		}
		return account.Record(ctx, tx, actor, "agent.draft_discarded", account.Object{Type: "agent", ID: id},
			map[string]any{"name": a.Name, "version": a.Published.Number})
	})
	return a, err
}

// lockAgent locks an active agent for a change and reads it in a later statement, because the locking statement would
// not see a version that was published while it waited. Errors: NotFound.
func lockAgent(ctx context.Context, tx pgx.Tx, organizationID, id uuid.UUID) (Agent, error) {
	args := pgx.NamedArgs{"organization_id": organizationID, "id": id}
	_, err := tx.Exec(ctx, `
		select from agent where organization_id = @organization_id and id = @id for no key update`, args)
	if err != nil {
		return Agent{}, fmt.Errorf("lock agent %s: %w", id, err)
	}
	return oneAgent(ctx, tx, `
		select `+agentColumns+` from agent
		where organization_id = @organization_id and id = @id and deactivated_at is null`, args)
}

// AgentVersions lists the versions of an agent, newest first. Errors: NotFound for an unknown or foreign agent.
func (s *Service) AgentVersions(
	ctx context.Context, organizationID, agentID uuid.UUID, r page.Request,
) (page.List[AgentVersion], error) {
	if _, err := s.Agent(ctx, organizationID, agentID); err != nil {
		return page.List[AgentVersion]{Data: []AgentVersion{}}, err
	}
	return page.Read(ctx, s.pool, r, "list versions of an agent", `
		select `+versionColumns+` from agent_version
		where organization_id = @organization_id and agent_id = @agent_id and `+page.Where+`
		`+page.Order, pgx.NamedArgs{"organization_id": organizationID, "agent_id": agentID},
		func(v AgentVersion) (time.Time, uuid.UUID) { return v.CreatedAt, v.ID })
}

// AgentVersion returns a version of an agent, and how it differs from the one before. Errors: NotFound.
func (s *Service) AgentVersion(
	ctx context.Context, organizationID, agentID uuid.UUID, number int,
) (AgentVersion, []Change, error) {
	v, err := oneVersion(ctx, s.pool, organizationID, agentID, number)
	if err != nil || number == 1 {
		return v, []Change{}, err
	}
	before, err := oneVersion(ctx, s.pool, organizationID, agentID, number-1)
	if err != nil {
		return v, nil, err
	}
	return v, Changes(before.AgentContent, v.AgentContent), nil
}

// VersionOfAgent returns a version of an agent in the caller's transaction. Errors: NotFound.
func VersionOfAgent(
	ctx context.Context, tx pgx.Tx, organizationID, agentID uuid.UUID, number int,
) (AgentVersion, error) {
	return oneVersion(ctx, tx, organizationID, agentID, number)
}

func oneVersion(
	ctx context.Context, db postgres.DB, organizationID, agentID uuid.UUID, number int,
) (AgentVersion, error) {
	v, err := postgres.CollectOne(ctx, db, pgx.RowToStructByName[AgentVersion], `
		select `+versionColumns+` from agent_version
		where organization_id = @organization_id and agent_id = @agent_id and number = @number`,
		pgx.NamedArgs{"organization_id": organizationID, "agent_id": agentID, "number": number})
	if errors.Is(err, pgx.ErrNoRows) {
		return v, fault.NotFoundf("Version")
	}
	if err != nil {
		return v, fmt.Errorf("read version %d of agent %s: %w", number, agentID, err)
	}
	return v, nil
}
