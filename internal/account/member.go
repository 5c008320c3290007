package account

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/wire"
)

// Member is a user as seen by an organization.
type Member struct {
	UserID       uuid.UUID
	Email        string
	Name         string
	Role         Role
	CreatedAt    time.Time  // of the membership
	SeenAt       *time.Time // the last use of this organization's dashboard, to the minute; nil: never
	SecondFactor bool       // signing in also requires a code
	Shared       bool       // the account also belongs to another organization: see CreateResetLink
	ResetMark    string     // identifies the current reset link, or its absence
}

const memberSelect = `
	select m.user_id, u.email, u.name, m.role, m.created_at, m.seen_at,
	       exists (select from second_factor f where f.user_id = m.user_id) as second_factor,
	       exists (select from membership o
		where o.user_id = m.user_id and o.organization_id <> m.organization_id) as shared,
	       coalesce((select p.created_at::text from password_reset p where p.user_id = m.user_id), 'none') as reset_mark
	from membership m
	join app_user u on u.id = m.user_id
	where m.organization_id = @organization_id`

// Members lists the people of an organization by name.
func (s *Service) Members(ctx context.Context, organizationID uuid.UUID) ([]Member, error) {
	members, err := postgres.Collect(ctx, s.pool, pgx.RowToStructByName[Member],
		memberSelect+` order by lower(u.name), u.email`, pgx.NamedArgs{"organization_id": organizationID})
	if err != nil {
		return nil, fmt.Errorf("list members: %w", err)
	}
	return members, nil
}

// ListMembers returns a page of an organization's members, those who joined last first. Errors: Invalid.
func (s *Service) ListMembers(
	ctx context.Context, organizationID uuid.UUID, p page.Request,
) (page.List[Member], error) {
	// The columns of a page are created_at and id, and a membership is known by its user.
	return page.Read(ctx, s.pool, p, "list members", `
		with listed as (
			select * from (
				select user_id as id, created_at from membership where organization_id = @organization_id) m
			where `+page.Where+` `+page.Order+`)
		`+memberSelect+` and m.user_id in (select id from listed)
		order by m.created_at desc, m.user_id desc`,
		pgx.NamedArgs{"organization_id": organizationID},
		func(m Member) (time.Time, uuid.UUID) { return m.CreatedAt, m.UserID })
}

// MemberResource is a member as the API shows it.
type MemberResource struct {
	ID        uuid.UUID `json:"id"`
	Name      string    `json:"name"`
	Email     string    `json:"email"`
	Role      Role      `json:"role"`
	CreatedAt wire.Time `json:"created_at"`
}

// Resource converts a member.
func (m Member) Resource() MemberResource {
	return MemberResource{ID: m.UserID, Name: m.Name, Email: m.Email, Role: m.Role, CreatedAt: wire.Time(m.CreatedAt)}
}

// Member returns a member. Errors: NotFound.
func (s *Service) Member(ctx context.Context, organizationID, userID uuid.UUID) (Member, error) {
	return readMember(ctx, s.pool, organizationID, userID)
}

func readMember(ctx context.Context, db postgres.DB, organizationID, userID uuid.UUID) (Member, error) {
	m, err := postgres.CollectOne(ctx, db, pgx.RowToStructByName[Member], memberSelect+` and m.user_id = @user_id`,
		pgx.NamedArgs{"organization_id": organizationID, "user_id": userID})
	if errors.Is(err, pgx.ErrNoRows) {
		return Member{}, fault.NotFoundf("Member")
	}
	if err != nil {
		return Member{}, fmt.Errorf("read a member: %w", err)
	}
	return m, nil
}

// SetRole changes what a member may do, from their next request on. Errors: Invalid,
// NotFound, and Conflict when no admin would remain.
func (s *Service) SetRole(ctx context.Context, actor Actor, userID uuid.UUID, role Role) error {
	var p fault.Problems
	checkRole(&p, role)
	if err := p.Err(); err != nil {
		return err
	}
	return postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		was, name, err := lockMember(ctx, tx, actor, userID)
		if err != nil {
			return err
		}
		if was == role {
			return Unchanged(ctx)
		}
		if was == Admin {
			if err := anotherAdmin(ctx, tx, actor, userID); err != nil {
				return err
			}
		}
		_, err = tx.Exec(ctx, `
			update membership set role = @role
			where organization_id = @organization_id and user_id = @user_id`,
			pgx.NamedArgs{"organization_id": actor.OrganizationID, "user_id": userID, "role": role})
		if err != nil {
			return fmt.Errorf("change a role: %w", err)
		}
		return Record(ctx, tx, actor, "member.role_changed", Object{"user", userID}, map[string]any{
			"name": name, "from": was, "to": role,
		})
	})
}

// RemoveMember ends a membership, and with it the member's sessions in this
// organization at once. Errors: NotFound, and Conflict for the last admin.
func (s *Service) RemoveMember(ctx context.Context, actor Actor, userID uuid.UUID) error {
	return postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		was, name, err := lockMember(ctx, tx, actor, userID)
		if err != nil {
			return err
		}
		if was == Admin {
			if err := anotherAdmin(ctx, tx, actor, userID); err != nil {
				return err
			}
		}
		// The follow-ups that become nobody's are locked by ID, as by everybody who locks several.
		_, err = tx.Exec(ctx, `
			select from follow_up where organization_id = @organization_id and assignee_id = @user_id
			order by id for no key update`,
			pgx.NamedArgs{"organization_id": actor.OrganizationID, "user_id": userID})
		if err != nil {
			return fmt.Errorf("lock the follow-ups of a member: %w", err)
		}
		_, err = tx.Exec(ctx, `
			delete from membership
			where organization_id = @organization_id and user_id = @user_id`,
			pgx.NamedArgs{"organization_id": actor.OrganizationID, "user_id": userID})
		if err != nil {
			return fmt.Errorf("remove a member: %w", err)
		}
		return Record(ctx, tx, actor, "member.removed", Object{"user", userID}, map[string]any{
			"name": name, "role": was,
		})
	})
}

// lockMember locks the memberships of the actor's organization, so that counts of them
// stay valid, and returns the role and the name of one member.
func lockMember(ctx context.Context, tx pgx.Tx, actor Actor, userID uuid.UUID) (role Role, name string, err error) {
	args := pgx.NamedArgs{"organization_id": actor.OrganizationID, "user_id": userID}
	_, err = tx.Exec(ctx, `
		select from membership
		where organization_id = @organization_id
		order by user_id
		for update`, args)
	if err != nil {
		return "", "", fmt.Errorf("lock memberships: %w", err)
	}
	err = tx.QueryRow(ctx, `
		select m.role, u.name from membership m join app_user u on u.id = m.user_id
		where m.organization_id = @organization_id and m.user_id = @user_id`, args).Scan(&role, &name)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", "", fault.NotFoundf("Member")
	}
	if err != nil {
		return "", "", fmt.Errorf("read a member: %w", err)
	}
	return role, name, nil
}

// anotherAdmin checks that the organization has another admin. It runs in a later
// statement than the lock, because the lock's own snapshot may be stale.
func anotherAdmin(ctx context.Context, tx pgx.Tx, actor Actor, userID uuid.UUID) error {
	var found bool
	err := tx.QueryRow(ctx, `
		select exists (
			select from membership
			where organization_id = @organization_id and user_id <> @user_id and role = 'admin')`,
		pgx.NamedArgs{"organization_id": actor.OrganizationID, "user_id": userID}).Scan(&found)
	if err != nil {
		return fmt.Errorf("look for another admin: %w", err)
	}
	if !found {
		return fault.Conflictf("An organization needs at least one admin: make somebody else admin first")
	}
	return nil
}
