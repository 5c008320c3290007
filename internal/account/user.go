package account

import (
	"context"
	"errors"
	"fmt"
	"net/mail"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/postgres"
)

// User is a person. Memberships define what they may do.
type User struct {
	ID        uuid.UUID
	Email     string // lower case
	Name      string
	CreatedAt time.Time
}

const userColumns = `id, email, name, created_at`

// Membership is an organization as seen by a user.
type Membership struct {
	OrganizationID uuid.UUID
	Organization   string // the organization's name
	Role           Role
}

// NewUser is a person to create.
type NewUser struct {
	Email    string
	Name     string // 1 to 100 characters
	Password string // MinPassword to MaxPassword characters
	Role     Role
}

// maxEmail is the longest address that mail can be delivered to (RFC 5321
// §4.5.3.1.3), in bytes.
const maxEmail = 254

// canonicalEmail returns the one spelling under which an account is stored.
func canonicalEmail(s string) string { return strings.ToLower(strings.TrimSpace(s)) }

// check validates a person who joins the organization with this name.
func (u *NewUser) check(p *fault.Problems, organization string) {
	u.Email = canonicalEmail(u.Email)
	checkEmail(p, u.Email)
	check.Name(p, "name", &u.Name)
	checkPassword(p, "password", u.Password, u.Email, u.Name, organization)
	checkRole(p, u.Role)
}

func checkEmail(p *fault.Problems, email string) {
	if email == "" {
		p.Addf("email", "required")
	} else if a, err := mail.ParseAddress(email); err != nil || a.Address != email ||
		len(email) > maxEmail || strings.ContainsFunc(email, unicode.IsControl) {
		p.Addf("email", "not an email address")
	}
}

func checkRole(p *fault.Problems, role Role) {
	if !slices.Contains(Roles, role) {
		p.Addf("role", "must be "+roleWords)
	}
}

// CreateUser creates a person as a member of the actor's organization. Errors:
// Invalid, and Conflict when the email address has an account.
func (s *Service) CreateUser(ctx context.Context, actor Actor, u NewUser) (User, error) {
	organization, err := s.Organization(ctx, actor.OrganizationID)
	if err != nil {
		return User{}, err
	}
	var p fault.Problems
	u.check(&p, organization.Name)
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
// organization.name, email, password and so on, and Conflict when the email
// address has an account.
func (s *Service) CreateOrganizationWithUser(
	ctx context.Context, settings OrganizationSettings, u NewUser,
) (o Organization, user User, err error) {
	var p fault.Problems
	settings.check(&p, "organization.")
	u.check(&p, settings.Name)
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
		if user, err = createUser(ctx, tx, Operator(o.ID), u, hash); err != nil {
			return err
		}
		return s.begin(ctx, tx, Operator(o.ID), o)
	})
	if err != nil {
		return Organization{}, User{}, err
	}
	return o, user, nil
}

func createUser(ctx context.Context, tx pgx.Tx, actor Actor, u NewUser, hash string) (User, error) {
	// The first user ends the setup, however the user was created.
	if _, err := tx.Exec(ctx, `delete from setup_code`); err != nil {
		return User{}, fmt.Errorf("end the set-up: %w", err)
	}
	return insertUser(ctx, tx, actor, u, hash)
}

// insertUser creates a user with a membership in the actor's organization.
func insertUser(ctx context.Context, tx pgx.Tx, actor Actor, u NewUser, hash string) (User, error) {
	user, err := insertAccount(ctx, tx, u, hash)
	if err != nil {
		return User{}, err
	}
	_, err = tx.Exec(ctx, `
		insert into membership (organization_id, user_id, role)
		values (@organization_id, @user_id, @role)`,
		pgx.NamedArgs{"organization_id": actor.OrganizationID, "user_id": user.ID, "role": u.Role})
	if err != nil {
		return User{}, fmt.Errorf("create a membership: %w", err)
	}
	return user, Record(ctx, tx, actor, "member.created", Object{"user", user.ID},
		map[string]any{"name": user.Name, "email": user.Email, "role": u.Role})
}

// insertAccount creates a user who belongs to no organization yet.
func insertAccount(ctx context.Context, tx pgx.Tx, u NewUser, hash string) (User, error) {
	user, err := postgres.CollectOne(ctx, tx, pgx.RowToStructByName[User], `
		insert into app_user (id, email, name, password_hash)
		values (@id, @email, @name, @password_hash)
		returning `+userColumns, pgx.NamedArgs{
		"id": uuid.Must(uuid.NewV7()), "email": u.Email, "name": u.Name, "password_hash": hash,
	})
	if postgres.Constraint(err) == "app_user_email_unique" {
		return User{}, fault.Conflictf("This email address already has an account")
	}
	if err != nil {
		return User{}, fmt.Errorf("create a user: %w", err)
	}
	return user, nil
}

// Memberships lists the organizations of a user, the oldest membership first.
func (s *Service) Memberships(ctx context.Context, userID uuid.UUID) ([]Membership, error) {
	memberships, err := postgres.Collect(ctx, s.pool, pgx.RowToStructByName[Membership], `
		select m.organization_id, o.name as organization, m.role
		from membership m
		join organization o on o.id = m.organization_id
		where m.user_id = @user_id
		order by m.created_at, m.organization_id`, pgx.NamedArgs{"user_id": userID})
	if err != nil {
		return nil, fmt.Errorf("list memberships: %w", err)
	}
	return memberships, nil
}

// errByProvider refuses a change of the account to a session that a provider opened: the provider vouches for the
// person in one organization, and the account may open others. It also keeps such sessions, of which a provider can
// open any number, from guessing the password.
var errByProvider = fault.New(fault.Forbidden,
	"You signed in with single sign-on. Sign in with the password of your account to change this")

// Rename changes a person's own name, in every organization. Errors: Invalid, and Forbidden for a session of single
// sign-on if the account belongs to several organizations.
func (s *Service) Rename(ctx context.Context, actor Actor, name string) error {
	var p fault.Problems
	check.Name(&p, "name", &name)
	if err := p.Err(); err != nil {
		return err
	}
	return postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		var was string
		err := tx.QueryRow(ctx, `select name from app_user where id = @id for no key update`, pgx.NamedArgs{
			"id": actor.ID,
		}).Scan(&was)
		if errors.Is(err, pgx.ErrNoRows) {
			return fault.NotFoundf("User")
		}
		if err != nil {
			return fmt.Errorf("lock a user: %w", err)
		}
		if was == name {
			return Unchanged(ctx)
		}
		if actor.SingleSignOn {
			if err := onlyHere(ctx, tx, actor); err != nil {
				return err
			}
		}
		if _, err := tx.Exec(ctx, `update app_user set name = @name where id = @id`, pgx.NamedArgs{
			"id": actor.ID, "name": name,
		}); err != nil {
			return fmt.Errorf("rename a user: %w", err)
		}
		return Record(ctx, tx, actor, "user.renamed", Object{"user", actor.ID}, map[string]any{
			"name": name, "name_before": was,
		})
	})
}

// onlyHere checks that the account of a session of single sign-on belongs to its organization alone.
func onlyHere(ctx context.Context, tx pgx.Tx, actor Actor) error {
	var elsewhere bool
	err := tx.QueryRow(ctx, `
		select exists (select from membership where user_id = @user_id and organization_id <> @organization_id)`,
		pgx.NamedArgs{"user_id": actor.ID, "organization_id": actor.OrganizationID}).Scan(&elsewhere)
	if err != nil {
		return fmt.Errorf("list memberships: %w", err)
	}
	if elsewhere {
		return errByProvider
	}
	return nil
}

// checkOwnPassword checks that the person at a session knows its password. An unattended
// session must not allow actions that need the password, and must not help to guess it.
// It returns the stored hash. Errors: Invalid at path; RateLimited; Forbidden for a session of single sign-on.
func (s *Service) checkOwnPassword(
	ctx context.Context, session Session, path, password string,
) (stored string, err error) {
	if session.SingleSignOn {
		return "", errByProvider
	}
	attempt, err := s.beginAttempt(ctx, pace{
		subject: subject("session", session.ID.String()), free: accountFree, cap: accountCap,
	})
	if err != nil {
		return "", err
	}
	err = s.pool.QueryRow(ctx, `select password_hash from app_user where id = @id`,
		pgx.NamedArgs{"id": session.User.ID}).Scan(&stored)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return "", fmt.Errorf("read a user: %w", err)
	}
	ok, err := s.hasher.matches(ctx, stored, password)
	if err != nil {
		return "", err
	}
	if !ok {
		return "", fault.Invalidf(path, "wrong password")
	}
	return stored, s.endAttempt(ctx, attempt)
}

// ChangePassword changes a person's own password and ends their other sessions. Errors:
// Invalid, which names both passwords when both are wrong; RateLimited as in SignIn.
func (s *Service) ChangePassword(ctx context.Context, session Session, actor Actor, current, password string) error {
	about, err := s.about(ctx, session.User.Email)
	if err != nil {
		return err
	}
	var p fault.Problems
	stored, err := s.checkOwnPassword(ctx, session, "current_password", current)
	if err != nil && fault.KindOf(err) != fault.Invalid {
		return err
	}
	p.Also(err)
	checkPassword(&p, "new_password", password, about...)
	if err := p.Err(); err != nil {
		return err
	}
	hash, err := s.hasher.hash(ctx, password)
	if err != nil {
		return err
	}
	return postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		args := pgx.NamedArgs{"id": session.User.ID, "hash": hash, "stored": stored, "keep": session.ID}
		tag, err := tx.Exec(ctx, `
			update app_user set password_hash = @hash
			where id = @id and password_hash = @stored`, args)
		if err != nil {
			return fmt.Errorf("change a password: %w", err)
		}
		if tag.RowsAffected() == 0 {
			return fault.Conflictf("The password was changed at the same time elsewhere")
		}
		if _, err := tx.Exec(ctx, `delete from password_reset where user_id = @id`, args); err != nil {
			return fmt.Errorf("end a reset link: %w", err)
		}
		if _, err := tx.Exec(ctx, `delete from user_session where user_id = @id and id <> @keep`, args); err != nil {
			return fmt.Errorf("sign out other sessions: %w", err)
		}
		return Record(ctx, tx, actor, "user.password_changed", Object{"user", session.User.ID}, nil)
	})
}

// ResetPassword lets the operator set a new password for a person who lost the old
// password. It ends all their sessions. Errors: Invalid, NotFound.
func (s *Service) ResetPassword(ctx context.Context, email, password string) error {
	about, err := s.about(ctx, canonicalEmail(email))
	if err != nil {
		return err
	}
	var p fault.Problems
	checkPassword(&p, "password", password, about...)
	if err := p.Err(); err != nil {
		return err
	}
	hash, err := s.hasher.hash(ctx, password)
	if err != nil {
		return err
	}
	return s.asOperator(ctx, email, "user.password_reset", func(tx pgx.Tx, id uuid.UUID) error {
		return setPassword(ctx, tx, id, hash)
	})
}

// HasPassword reports, to the operator, whether password is the password of an account.
// It is not a sign-in: it opens no session, and neither the audit log nor the pace of
// sign-ins records it. An unknown account has no password.
func (s *Service) HasPassword(ctx context.Context, email, password string) (bool, error) {
	var stored string
	err := s.pool.QueryRow(ctx, `select password_hash from app_user where email = @email`,
		pgx.NamedArgs{"email": check.Searchable(canonicalEmail(email))}).Scan(&stored)
	if errors.Is(err, pgx.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("read a user: %w", err)
	}
	return s.hasher.matches(ctx, stored, password)
}

// asOperator changes an account for the operator, and records the change in the audit log
// of every organization of the account. Errors: NotFound.
func (s *Service) asOperator(ctx context.Context, email, action string, do func(pgx.Tx, uuid.UUID) error) error {
	return postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		var id uuid.UUID
		var name string
		err := tx.QueryRow(ctx, `select id, name from app_user where email = @email for update`,
			pgx.NamedArgs{"email": canonicalEmail(email)}).Scan(&id, &name)
		if errors.Is(err, pgx.ErrNoRows) {
			return fault.NotFoundf("User")
		}
		if err != nil {
			return fmt.Errorf("lock a user: %w", err)
		}
		if err := do(tx, id); err != nil {
			return err
		}
		organizations, err := postgres.Collect(ctx, tx, pgx.RowTo[uuid.UUID],
			`select organization_id from membership where user_id = @id`,
			pgx.NamedArgs{"id": id})
		if err != nil {
			return fmt.Errorf("list memberships: %w", err)
		}
		for _, organizationID := range organizations {
			if err := Record(ctx, tx, Operator(organizationID), action, Object{"user", id}, map[string]any{
				"name": name,
			}); err != nil {
				return err
			}
		}
		return nil
	})
}
