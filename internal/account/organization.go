package account

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/postgres"
)

// Organization is a tenant. Everything except users belongs to exactly one organization.
type Organization struct {
	ID        uuid.UUID
	Name      string
	TimeZone  string // IANA; the time zone of the dashboard
	Region    string // ISO 3166-1 alpha-2; for reading national numbers
	CreatedAt time.Time

	// CallingStoppedAt and CallingStoppedBy say when and by whom all calling was stopped.
	// CallingStoppedAt is nil while calling is not stopped.
	CallingStoppedAt *time.Time
	CallingStoppedBy string
}

const organizationColumns = `id, name, time_zone, region, created_at, calling_stopped_at, calling_stopped_by`

// OrganizationSettings are the settings of an organization.
type OrganizationSettings struct {
	Name     string // 1 to 100 characters
	TimeZone string // IANA; empty means UTC
	Region   string // ISO 3166-1 alpha-2; empty means US

	// Revision is the [Organization.Revision] that was changed. Empty: whatever it is now.
	Revision string
}

// Revision identifies the settings of an organization, as a form shows them.
func (o Organization) Revision() string { return check.Revision(o.audit()) }

func (o *OrganizationSettings) check(p *fault.Problems, prefix string) {
	if o.TimeZone == "" {
		o.TimeZone = "UTC"
	}
	if o.Region == "" {
		o.Region = "US"
	}
	check.Name(p, prefix+"name", &o.Name)
	check.TimeZone(p, prefix+"time_zone", &o.TimeZone)
	check.Region(p, prefix+"region", &o.Region)
}

// CreateOrganization creates an organization without members. It is for the operator
// (commands, demo data). People create their organization with CompleteSetup. Errors:
// Invalid.
func (s *Service) CreateOrganization(ctx context.Context, settings OrganizationSettings) (Organization, error) {
	var p fault.Problems
	settings.check(&p, "")
	if err := p.Err(); err != nil {
		return Organization{}, err
	}
	var o Organization
	err := postgres.InTx(ctx, s.pool, func(tx pgx.Tx) (err error) {
		o, err = createOrganization(ctx, tx, settings)
		return err
	})
	return o, err
}

func createOrganization(ctx context.Context, tx pgx.Tx, settings OrganizationSettings) (Organization, error) {
	o, err := insertOrganization(ctx, tx, settings)
	if err != nil {
		return Organization{}, err
	}
	return o, Record(ctx, tx, Operator(o.ID), "organization.created", Object{"organization", o.ID}, o.audit())
}

// audit returns the settings that the audit log records.
func (o Organization) audit() map[string]any {
	return map[string]any{"name": o.Name, "time_zone": o.TimeZone, "region": o.Region}
}

func insertOrganization(ctx context.Context, tx pgx.Tx, settings OrganizationSettings) (Organization, error) {
	o, err := postgres.CollectOne(ctx, tx, pgx.RowToStructByName[Organization], `
		insert into organization (id, name, time_zone, region)
		values (@id, @name, @time_zone, @region)
		returning `+organizationColumns, pgx.NamedArgs{
		"id": uuid.Must(uuid.NewV7()), "name": settings.Name, "time_zone": settings.TimeZone, "region": settings.Region,
	})
	if err != nil {
		return Organization{}, fmt.Errorf("create an organization: %w", err)
	}
	return o, nil
}

// Organization returns an organization by its id. Errors: NotFound.
func (s *Service) Organization(ctx context.Context, id uuid.UUID) (Organization, error) {
	return oneOrganization(ctx, s.pool, `select `+organizationColumns+` from organization where id = $1`, id)
}

func oneOrganization(ctx context.Context, db postgres.DB, sql string, id uuid.UUID) (Organization, error) {
	o, err := postgres.CollectOne(ctx, db, pgx.RowToStructByName[Organization], sql, id)
	if errors.Is(err, pgx.ErrNoRows) {
		return Organization{}, fault.NotFoundf("Organization")
	}
	if err != nil {
		return Organization{}, fmt.Errorf("read an organization: %w", err)
	}
	return o, nil
}

// FindOrganization finds an organization by its id or name, for the operator. Errors:
// NotFound, and Conflict when several organizations have that name.
func (s *Service) FindOrganization(ctx context.Context, nameOrID string) (Organization, error) {
	if id, err := uuid.Parse(nameOrID); err == nil {
		return s.Organization(ctx, id)
	}
	rows, err := s.pool.Query(ctx, `
		select `+organizationColumns+` from organization
		where lower(name) = lower(@name)
		order by created_at limit 2`, pgx.NamedArgs{"name": nameOrID})
	if err != nil {
		return Organization{}, fmt.Errorf("find an organization: %w", err)
	}
	found, err := pgx.CollectRows(rows, pgx.RowToStructByName[Organization])
	switch {
	case err != nil:
		return Organization{}, fmt.Errorf("find an organization: %w", err)
	case len(found) == 0:
		return Organization{}, fault.NotFoundf("Organization")
	case len(found) > 1:
		return Organization{}, fault.Conflictf("Several organizations have this name: give the id, such as %s",
			found[0].ID)
	}
	return found[0], nil
}

// Organizations lists all organizations, oldest first. It is for the operator. Code that
// serves people or keys must not call it.
func (s *Service) Organizations(ctx context.Context) ([]Organization, error) {
	all, err := postgres.Collect(ctx, s.pool, pgx.RowToStructByName[Organization],
		`select `+organizationColumns+` from organization order by created_at, id`)
	if err != nil {
		return nil, fmt.Errorf("list organizations: %w", err)
	}
	return all, nil
}

// UpdateOrganization changes the actor's organization. Errors: Invalid, and Stale if somebody else has changed the
// revision.
func (s *Service) UpdateOrganization(
	ctx context.Context, actor Actor, settings OrganizationSettings,
) (Organization, error) {
	var p fault.Problems
	settings.check(&p, "")
	if err := p.Err(); err != nil {
		return Organization{}, err
	}
	var o Organization
	err := postgres.InTx(ctx, s.pool, func(tx pgx.Tx) (err error) {
		o, err = oneOrganization(ctx, tx,
			`select `+organizationColumns+` from organization where id = $1 for no key update`, actor.OrganizationID)
		if err != nil {
			return err
		}
		wanted := Organization{Name: settings.Name, TimeZone: settings.TimeZone, Region: settings.Region}
		if err := check.Unchanged(settings.Revision, o.audit(), wanted.audit()); err != nil {
			return err
		}
		if reflect.DeepEqual(o.audit(), wanted.audit()) {
			return Unchanged(ctx)
		}
		o, err = postgres.CollectOne(ctx, tx, pgx.RowToStructByName[Organization], `
			update organization set name = @name, time_zone = @time_zone, region = @region
			where id = @organization_id
			returning `+organizationColumns, pgx.NamedArgs{
			"organization_id": actor.OrganizationID,
			"name":            settings.Name, "time_zone": settings.TimeZone, "region": settings.Region,
		})
		if err != nil {
			return fmt.Errorf("update an organization: %w", err)
		}
		return Record(ctx, tx, actor, "organization.updated", Object{"organization", o.ID},
			o.audit())
	})
	return o, err
}
