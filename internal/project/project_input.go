package project

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/hours"
)

// Input is a new project, or a change of one, as requested through the API. A nil field is absent: it has its default
// in a new project and stays in a change.
type Input struct {
	Name           *string      `json:"name"`
	TimeZone       *string      `json:"time_zone"`
	Region         *string      `json:"region"`
	CallingHours   *hours.Hours `json:"calling_hours"`
	TranscriptDays **int        `json:"transcript_days" nullable:"true"`
	RecordingDays  **int        `json:"recording_days" nullable:"true"`
}

// Defaults are the settings with which a new project of an organization begins, in the API and in the form.
func Defaults(o account.Organization) Settings {
	return Settings{TimeZone: o.TimeZone, Region: o.Region, CallingHours: hours.Default()}
}

// into returns the settings with the fields of the input.
func (in Input) into(s Settings) Settings {
	set(&s.Name, in.Name)
	set(&s.TimeZone, in.TimeZone)
	set(&s.Region, in.Region)
	set(&s.CallingHours, in.CallingHours)
	set(&s.TranscriptDays, in.TranscriptDays)
	set(&s.RecordingDays, in.RecordingDays)
	return s
}

// valid are settings of which nothing is wrong. They stand for those that an input leaves out.
func valid() Settings {
	return Settings{Name: "Project", TimeZone: "UTC", Region: "US", CallingHours: hours.Default()}
}

// CheckNew reports what is wrong with the input of a new project. Error: Invalid.
func (in Input) CheckNew() error {
	base := valid()
	base.Name = ""
	settings := in.into(base)
	return settings.check()
}

// Check reports what is wrong with the fields of a change. Error: Invalid.
func (in Input) Check() error {
	settings := in.into(valid())
	return settings.check()
}

// NewProjectFrom is [Service.CreateProject] for the API.
func (s *Service) NewProjectFrom(ctx context.Context, actor account.Actor, in Input) (Project, error) {
	var o account.Organization
	err := s.pool.QueryRow(ctx, `select time_zone, region from organization where id = @id`,
		pgx.NamedArgs{"id": actor.OrganizationID}).Scan(&o.TimeZone, &o.Region)
	if err != nil {
		return Project{}, fmt.Errorf("read the defaults of an organization: %w", err)
	}
	return s.CreateProject(ctx, actor, in.into(Defaults(o)))
}

// ChangeProject changes some settings of an active project. Unchanged may refuse the change of the project as it is
// then. Errors: those of UpdateProject, and that of unchanged.
func (s *Service) ChangeProject(
	ctx context.Context, actor account.Actor, id uuid.UUID, in Input, unchanged func(Project) error,
) (Project, error) {
	return s.updateProject(ctx, actor, id, func(old Project) (Settings, error) {
		if err := unchanged(old); err != nil {
			return Settings{}, err
		}
		return in.into(Settings{
			Name: old.Name, TimeZone: old.TimeZone, Region: old.Region, CallingHours: old.CallingHours,
			Retention: old.Retention,
		}), nil
	})
}
