package account

import (
	"context"
	"errors"
	"fmt"
	"net/mail"
	"strings"
	"time"
	"unicode"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/postgres"
)

// User is a person. What they may do is said by their memberships.
type User struct {
	ID        uuid.UUID
	Email     string // lower case
	Name      string
	CreatedAt time.Time
}

const userColumns = `id, email, name, created_at`

// Member is a user as seen by an organization.
type Member struct {
	UserID    uuid.UUID
	Email     string
	Name      string
	Role      Role
	CreatedAt time.Time // of the membership
}

// Membership is an organization as seen by a user.
type Membership struct {
	OrganizationID uuid.UUID
	Organization   string // its name
	Role           Role
}

// NewUser is a person to be created.
type NewUser struct {
	Email    string
	Name     string // 1 to 100 characters
	Password string // MinPassword to MaxPassword characters
	Role     Role
}

// maxEmail is the longest address that mail can be delivered to (RFC 5321
// §4.5.3.1.3), in bytes.
const maxEmail = 254

// canonicalEmail is the one spelling under which an account is known.
func canonicalEmail(s string) string { return strings.ToLower(strings.TrimSpace(s)) }

func (u *NewUser) check(p *fault.Problems) {
	u.Email = canonicalEmail(u.Email)
	if u.Email == "" {
		p.Addf("email", "required")
	} else if a, err := mail.ParseAddress(u.Email); err != nil || a.Address != u.Email ||
		len(u.Email) > maxEmail || strings.ContainsFunc(u.Email, unicode.IsControl) {
		p.Addf("email", "not an e-mail address")
	}
	check.Name(p, "name", &u.Name)
	checkPassword(p, "password", u.Password)
	checkRole(p, u.Role)
}

func checkRole(p *fault.Problems, role Role) {
	if role != Admin && role != Staff {
		p.Addf("role", "must be admin or staff")
	}
}

// CreateUser creates a person as a member of the actor's organization. Errors:
// Invalid, and Conflict when the e-mail address has an account.
func (s *Service) CreateUser(ctx context.Context, actor Actor, u NewUser) (User, error) {
	var p fault.Problems
	u.check(&p)
	if err := p.Err(); err != nil {
		return User{}, err
	}
	hash, err := s.hasher.hash(ctx, u.Password)
	if err != nil {
		return User{}, err
	}
	var user User
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		user, err = createUser(ctx, tx, actor, u, hash)
		return err
	})
	return user, err
}

// CreateOrganizationWithUser creates an organization and a person in it, all or
// nothing. It is for the operator. Errors: Invalid, whose paths are
// organization.name, email, password and so on, and Conflict when the e-mail
// address has an account.
func (s *Service) CreateOrganizationWithUser(ctx context.Context, settings OrganizationSettings, u NewUser) (o Organization, user User, err error) {
	var p fault.Problems
	settings.check(&p, "organization.")
	u.check(&p)
	if err := p.Err(); err != nil {
		return Organization{}, User{}, err
	}
	hash, err := s.hasher.hash(ctx, u.Password)
	if err != nil {
		return Organization{}, User{}, err
	}
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		if o, err = createOrganization(ctx, tx, settings); err != nil {
			return err
		}
		user, err = createUser(ctx, tx, System(o.ID), u, hash)
		return err
	})
	if err != nil {
		return Organization{}, User{}, err
	}
	return o, user, nil
}

func createUser(ctx context.Context, tx pgx.Tx, actor Actor, u NewUser, hash string) (User, error) {
	// Set-up is over with the first user, however that one came about.
	if _, err := tx.Exec(ctx, `delete from setup_code`); err != nil {
		return User{}, fmt.Errorf("end the set-up: %w", err)
	}
	return insertUser(ctx, tx, actor, u, hash)
}

// insertUser creates a user with a membership in the actor's organization.
func insertUser(ctx context.Context, tx pgx.Tx, actor Actor, u NewUser, hash string) (User, error) {
	rows, err := tx.Query(ctx, `
		insert into app_user (id, email, name, password_hash)
		values (@id, @email, @name, @password_hash)
		returning `+userColumns, pgx.NamedArgs{
		"id": uuid.Must(uuid.NewV7()), "email": u.Email, "name": u.Name, "password_hash": hash,
	})
	if err != nil {
		return User{}, fmt.Errorf("create a user: %w", err)
	}
	user, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[User])
	if postgres.Constraint(err) == "app_user_email_unique" {
		return User{}, fault.Conflictf("This e-mail address already has an account")
	}
	if err != nil {
		return User{}, fmt.Errorf("create a user: %w", err)
	}
	_, err = tx.Exec(ctx, `
		insert into membership (organization_id, user_id, role)
		values (@organization_id, @user_id, @role)`,
		pgx.NamedArgs{"organization_id": actor.OrganizationID, "user_id": user.ID, "role": u.Role})
	if err != nil {
		return User{}, fmt.Errorf("create a membership: %w", err)
	}
	return user, Record(ctx, tx, actor, "member.created", Object{"user", user.ID},
		map[string]any{"email": user.Email, "role": u.Role})
}

// Members lists the people of an organization by name.
func (s *Service) Members(ctx context.Context, organizationID uuid.UUID) ([]Member, error) {
	rows, err := s.pool.Query(ctx, `
		select m.user_id, u.email, u.name, m.role, m.created_at
		from membership m
		join app_user u on u.id = m.user_id
		where m.organization_id = @organization_id
		order by lower(u.name), u.email`, pgx.NamedArgs{"organization_id": organizationID})
	if err != nil {
		return nil, fmt.Errorf("list members: %w", err)
	}
	members, err := pgx.CollectRows(rows, pgx.RowToStructByName[Member])
	if err != nil {
		return nil, fmt.Errorf("list members: %w", err)
	}
	return members, nil
}

// Memberships lists the organizations of a user, the oldest membership first.
func (s *Service) Memberships(ctx context.Context, userID uuid.UUID) ([]Membership, error) {
	rows, err := s.pool.Query(ctx, `
		select m.organization_id, o.name as organization, m.role
		from membership m
		join organization o on o.id = m.organization_id
		where m.user_id = @user_id
		order by m.created_at, m.organization_id`, pgx.NamedArgs{"user_id": userID})
	if err != nil {
		return nil, fmt.Errorf("list memberships: %w", err)
	}
	memberships, err := pgx.CollectRows(rows, pgx.RowToStructByName[Membership])
	if err != nil {
		return nil, fmt.Errorf("list memberships: %w", err)
	}
	return memberships, nil
}

// SetRole changes what a member may do, from their next request on. Errors:
// Invalid, NotFound, and Conflict when the last admin would be none.
func (s *Service) SetRole(ctx context.Context, actor Actor, userID uuid.UUID, role Role) error {
	var p fault.Problems
	checkRole(&p, role)
	if err := p.Err(); err != nil {
		return err
	}
	return postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		was, err := lockMember(ctx, tx, actor, userID)
		if err != nil || was == role {
			return err
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
		return Record(ctx, tx, actor, "member.role_changed", Object{"user", userID}, map[string]any{"from": was, "to": role})
	})
}

// RemoveMember ends a membership, and with it the member's sessions in this
// organization at once. Errors: NotFound, and Conflict for the last admin.
func (s *Service) RemoveMember(ctx context.Context, actor Actor, userID uuid.UUID) error {
	return postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		was, err := lockMember(ctx, tx, actor, userID)
		if err != nil {
			return err
		}
		if was == Admin {
			if err := anotherAdmin(ctx, tx, actor, userID); err != nil {
				return err
			}
		}
		_, err = tx.Exec(ctx, `
			delete from membership
			where organization_id = @organization_id and user_id = @user_id`,
			pgx.NamedArgs{"organization_id": actor.OrganizationID, "user_id": userID})
		if err != nil {
			return fmt.Errorf("remove a member: %w", err)
		}
		return Record(ctx, tx, actor, "member.removed", Object{"user", userID}, map[string]any{"role": was})
	})
}

// lockMember locks the memberships of the actor's organization, so that what is
// counted of them stays true, and returns the role of one.
func lockMember(ctx context.Context, tx pgx.Tx, actor Actor, userID uuid.UUID) (Role, error) {
	rows, err := tx.Query(ctx, `
		select user_id, role from membership
		where organization_id = @organization_id
		order by user_id
		for update`, pgx.NamedArgs{"organization_id": actor.OrganizationID})
	if err != nil {
		return "", fmt.Errorf("lock memberships: %w", err)
	}
	var role Role
	var id uuid.UUID
	var r Role
	_, err = pgx.ForEachRow(rows, []any{&id, &r}, func() error {
		if id == userID {
			role = r
		}
		return nil
	})
	if err != nil {
		return "", fmt.Errorf("lock memberships: %w", err)
	}
	if role == "" {
		return "", fault.NotFoundf("Member")
	}
	return role, nil
}

// anotherAdmin makes sure that somebody else can still administer. It counts in
// a later statement than the lock: the lock's own snapshot may be stale.
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

// ChangePassword is a person's own change. It signs out every other session of
// theirs. Errors: Invalid, also when the current password is wrong; RateLimited
// as in SignIn.
func (s *Service) ChangePassword(ctx context.Context, session Session, actor Actor, current, password string) error {
	var p fault.Problems
	checkPassword(&p, "new_password", password)
	if err := p.Err(); err != nil {
		return err
	}
	// A session somebody left open must not be a way to guess the password.
	attempt, err := s.beginAttempt(ctx, session.User.Email, actor.Address)
	if err != nil {
		return err
	}
	var stored string
	err = s.pool.QueryRow(ctx, `select password_hash from app_user where id = @id`,
		pgx.NamedArgs{"id": session.User.ID}).Scan(&stored)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return fmt.Errorf("read a user: %w", err)
	}
	ok, err := s.hasher.matches(ctx, stored, current)
	if err != nil {
		return err
	}
	if !ok {
		return fault.Invalidf("current_password", "wrong password")
	}
	if err := s.endAttempt(ctx, attempt); err != nil {
		return err
	}
	hash, err := s.hasher.hash(ctx, password)
	if err != nil {
		return err
	}
	return postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `
			update app_user set password_hash = @hash
			where id = @id and password_hash = @stored`,
			pgx.NamedArgs{"id": session.User.ID, "hash": hash, "stored": stored})
		if err != nil {
			return fmt.Errorf("change a password: %w", err)
		}
		if tag.RowsAffected() == 0 {
			return fault.Conflictf("The password was changed at the same time elsewhere")
		}
		_, err = tx.Exec(ctx, `delete from user_session where user_id = @user_id and id <> @keep`,
			pgx.NamedArgs{"user_id": session.User.ID, "keep": session.ID})
		if err != nil {
			return fmt.Errorf("sign out other sessions: %w", err)
		}
		return Record(ctx, tx, actor, "user.password_changed", Object{"user", session.User.ID}, nil)
	})
}

// ResetPassword is the operator's way back in for a person who lost theirs. It
// signs them out everywhere. Errors: Invalid, NotFound.
func (s *Service) ResetPassword(ctx context.Context, email, password string) error {
	var p fault.Problems
	checkPassword(&p, "password", password)
	if err := p.Err(); err != nil {
		return err
	}
	hash, err := s.hasher.hash(ctx, password)
	if err != nil {
		return err
	}
	return postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		var id uuid.UUID
		err := tx.QueryRow(ctx, `update app_user set password_hash = @hash where email = @email returning id`,
			pgx.NamedArgs{"email": canonicalEmail(email), "hash": hash}).Scan(&id)
		if errors.Is(err, pgx.ErrNoRows) {
			return fault.NotFoundf("User")
		}
		if err != nil {
			return fmt.Errorf("reset a password: %w", err)
		}
		if _, err := tx.Exec(ctx, `delete from user_session where user_id = @id`, pgx.NamedArgs{"id": id}); err != nil {
			return fmt.Errorf("sign out a user: %w", err)
		}
		rows, err := tx.Query(ctx, `select organization_id from membership where user_id = @id`, pgx.NamedArgs{"id": id})
		if err != nil {
			return fmt.Errorf("list memberships: %w", err)
		}
		organizations, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
		if err != nil {
			return fmt.Errorf("list memberships: %w", err)
		}
		for _, organizationID := range organizations {
			if err := Record(ctx, tx, System(organizationID), "user.password_reset", Object{"user", id}, nil); err != nil {
				return err
			}
		}
		return nil
	})
}
