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
	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/hours"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/postgres"
)

// Project is a group of campaigns. It says which time zone and numbering plan apply to
// its recipients if nothing more specific is known, and when they may be called.
type Project struct {
	ID           uuid.UUID
	Name         string
	TimeZone     string // IANA
	Region       string // ISO 3166-1 alpha-2
	CallingHours hours.Hours
	Retention
	DeactivatedAt *time.Time
	CreatedAt     time.Time
}

// Retention is the number of days for which data about a call is kept after its end: 1 to
// 3,650; nil: forever.
type Retention struct {
	TranscriptDays *int // transcript, summary and answers
	RecordingDays  *int // the link to the recording
}

// maxDays is ten years.
const maxDays = 3650

func (r Retention) check(p *fault.Problems) {
	for _, kept := range []struct {
		path string
		days *int
	}{{"transcript_days", r.TranscriptDays}, {"recording_days", r.RecordingDays}} {
		if kept.days != nil && (*kept.days < 1 || *kept.days > maxDays) {
			p.Addf(kept.path, "must be between 1 and %d", maxDays)
		}
	}
}

const projectColumns = `id, name, time_zone, region, calling_hours, transcript_days, recording_days,
	deactivated_at, created_at`

// Settings are the settings of a project.
type Settings struct {
	Name         string // 1 to 100 characters, unique among the organization's active projects
	TimeZone     string // IANA
	Region       string // ISO 3166-1 alpha-2
	CallingHours hours.Hours
	Retention
}

func (s *Settings) check() error {
	var p fault.Problems
	check.Name(&p, "name", &s.Name)
	check.TimeZone(&p, "time_zone", &s.TimeZone)
	check.Region(&p, "region", &s.Region)
	s.CallingHours.Validate("calling_hours", &p)
	s.Retention.check(&p)
	return p.Err()
}

func (s Settings) args(actor account.Actor, id uuid.UUID) pgx.NamedArgs {
	return pgx.NamedArgs{
		"organization_id": actor.OrganizationID, "id": id,
		"name": s.Name, "time_zone": s.TimeZone, "region": s.Region, "calling_hours": s.CallingHours,
		"transcript_days": s.TranscriptDays, "recording_days": s.RecordingDays,
	}
}

func (s Settings) audit() map[string]any {
	return map[string]any{"name": s.Name, "time_zone": s.TimeZone, "region": s.Region, "calling_hours": s.CallingHours,
		"transcript_days": s.TranscriptDays, "recording_days": s.RecordingDays}
}

// CreateProject creates a project. Errors: Invalid, and Conflict when the name is taken.
func (s *Service) CreateProject(ctx context.Context, actor account.Actor, settings Settings) (Project, error) {
	if err := settings.check(); err != nil {
		return Project{}, err
	}
	var p Project
	err := postgres.InTx(ctx, s.pool, func(tx pgx.Tx) (err error) {
		p, err = createProject(ctx, tx, actor, settings)
		return err
	})
	return p, err
}

// CreateFirst creates the first project of an organization, with the organization's name, in the transaction that
// creates the organization. Campaigns, calls and destinations need a project.
func CreateFirst(ctx context.Context, tx pgx.Tx, actor account.Actor, o account.Organization) error {
	settings := Defaults(o)
	settings.Name = o.Name
	if err := settings.check(); err != nil {
		return err
	}
	_, err := createProject(ctx, tx, actor, settings)
	return err
}

func createProject(ctx context.Context, tx pgx.Tx, actor account.Actor, settings Settings) (Project, error) {
	p, err := oneProject(ctx, tx, settings.Name, `
		insert into project (id, organization_id, name, time_zone, region, calling_hours, transcript_days,
			recording_days)
		values (@id, @organization_id, @name, @time_zone, @region, @calling_hours, @transcript_days, @recording_days)
		returning `+projectColumns, settings.args(actor, uuid.Must(uuid.NewV7())))
	if err != nil {
		return Project{}, err
	}
	return p, account.Record(ctx, tx, actor, "project.created", account.Object{
		Type: "project", ID: p.ID,
	}, settings.audit())
}

// UpdateProject changes an active project. Existing campaigns keep the hours with which
// they were created. Errors: Invalid, NotFound, Conflict as CreateProject.
func (s *Service) UpdateProject(
	ctx context.Context, actor account.Actor, id uuid.UUID, settings Settings,
) (Project, error) {
	if err := settings.check(); err != nil {
		return Project{}, err
	}
	return s.updateProject(ctx, actor, id, func(Project) (Settings, error) { return settings, nil })
}

// updateProject gives an active project the settings that are computed from the locked project.
func (s *Service) updateProject(
	ctx context.Context, actor account.Actor, id uuid.UUID, settingsOf func(old Project) (Settings, error),
) (Project, error) {
	var p Project
	err := postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		old, err := oneProject(ctx, tx, "", `
			select `+projectColumns+` from project
			where organization_id = @organization_id and id = @id and deactivated_at is null
			for no key update`, pgx.NamedArgs{"organization_id": actor.OrganizationID, "id": id})
		if err != nil {
			return err
		}
		settings, err := settingsOf(old)
		if err != nil {
			return err
		}
		if err := settings.check(); err != nil {
			return err
		}
		p, err = oneProject(ctx, tx, settings.Name, `
			update project set name = @name, time_zone = @time_zone, region = @region, calling_hours = @calling_hours,
				transcript_days = @transcript_days, recording_days = @recording_days
			where organization_id = @organization_id and id = @id
			returning `+projectColumns, settings.args(actor, id))
		if err != nil {
			return err
		}
		if reflect.DeepEqual(old, p) {
			return account.Unchanged(ctx)
		}
		return account.Record(ctx, tx, actor, "project.updated", account.Object{
			Type: "project", ID: id,
		}, settings.audit())
	})
	return p, err
}

// oneProject runs a statement that returns one project. Errors: NotFound, and Conflict
// when its name is taken.
func oneProject(ctx context.Context, db postgres.DB, name, sql string, args pgx.NamedArgs) (Project, error) {
	p, err := postgres.CollectOne(ctx, db, pgx.RowToStructByName[Project], sql, args)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return Project{}, fault.NotFoundf("Project")
	case postgres.Constraint(err) == "project_name_unique":
		return Project{}, fault.Takenf("name", "Another project is named %s", name)
	case err != nil:
		return Project{}, fmt.Errorf("query a project: %w", err)
	}
	return p, nil
}

// DeactivateProject permanently takes a project out of use. Errors: NotFound, and
// Conflict that names the campaigns using it.
func (s *Service) DeactivateProject(ctx context.Context, actor account.Actor, id uuid.UUID) error {
	args := pgx.NamedArgs{"organization_id": actor.OrganizationID, "id": id}
	return postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		p, err := oneProject(ctx, tx, "", `
			select `+projectColumns+` from project
			where organization_id = @organization_id and id = @id and deactivated_at is null
			for update`, args)
		if err != nil {
			return err
		}
		if err := unused(ctx, tx, actor.OrganizationID, id, byProject, "Project "+p.Name); err != nil {
			return err
		}
		if err := notForInbound(ctx, tx, actor.OrganizationID, id, byProject, "Project "+p.Name); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `update project set deactivated_at = clock() where id = @id`, args); err != nil {
			return fmt.Errorf("deactivate a project: %w", err)
		}
		return account.Record(ctx, tx, actor, "project.deactivated", account.Object{
			Type: "project", ID: id,
		}, map[string]any{"name": p.Name})
	})
}

var projectByID = postgres.NewByID[Project]("Project", `
	select `+projectColumns+` from project where organization_id = @organization_id and id = @id`)

// Project returns a project, active or not. Errors: NotFound.
func (s *Service) Project(ctx context.Context, organizationID, id uuid.UUID) (Project, error) {
	return s.read.project.Read(ctx, organizationID, id)
}

// ActiveProject returns a project that is not deactivated. Errors: NotFound.
func (s *Service) ActiveProject(ctx context.Context, organizationID, id uuid.UUID) (Project, error) {
	p, err := s.Project(ctx, organizationID, id)
	if err == nil && p.DeactivatedAt != nil {
		return Project{}, fault.NotFoundf("Project")
	}
	return p, err
}

// LockProjectForUse returns an active project and prevents its deactivation until the
// transaction ends. Error: Invalid "project_id: no such project", the same for an
// unknown, foreign or deactivated project.
func LockProjectForUse(ctx context.Context, tx pgx.Tx, organizationID, id uuid.UUID) (Project, error) {
	p, err := oneProject(ctx, tx, "", `
		select `+projectColumns+` from project
		where organization_id = @organization_id and id = @id and deactivated_at is null
		for key share`, pgx.NamedArgs{"organization_id": organizationID, "id": id})
	if fault.KindOf(err) == fault.NotFound {
		return Project{}, fault.Invalidf("project_id", "no such project")
	}
	return p, err
}

// Projects lists the active projects, newest first.
func (s *Service) Projects(ctx context.Context, organizationID uuid.UUID, r page.Request) (page.List[Project], error) {
	args := pgx.NamedArgs{"organization_id": organizationID}
	return page.Read(ctx, s.pool, r, "list projects", `
		select `+projectColumns+` from project
		where organization_id = @organization_id and deactivated_at is null and `+page.Where+`
		`+page.Order, args,
		func(p Project) (time.Time, uuid.UUID) { return p.CreatedAt, p.ID })
}
