package account

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/postgres"
)

// ResetLifetime is how long a password reset link works.
const ResetLifetime = 24 * time.Hour

// errShared refuses to reset an account that also belongs to another organization. An
// admin may help a member who forgot the password or lost the phone only if the account
// belongs to the admin's organization alone. Otherwise, the admin could act as that
// person in the other organization. Then only the operator can help.
var errShared = fault.Conflictf(
	"This account also belongs to another organization, so admins cannot reset it. The operator of this server can, " +
		"with the command dialwright user",
)

// errOwn refuses to reset the actor's own account. A person who changes their own account
// must enter the password, so that an unattended session is not enough.
var errOwn = fault.Conflictf("This is your own account. Change it in your profile")

func isOwn(actor Actor, userID uuid.UUID) bool { return actor.Kind == ByUser && actor.ID == userID }

// lockAccount locks the account of a member against joining an organization, and checks
// that it belongs to the actor's organization alone. Errors: NotFound, Conflict.
func lockAccount(ctx context.Context, tx pgx.Tx, organizationID, userID uuid.UUID) (User, error) {
	args := pgx.NamedArgs{"organization_id": organizationID, "user_id": userID}
	// The lock "for update" waits for the key share lock of a membership's reference.
	user, err := postgres.CollectOne(ctx, tx, pgx.RowToStructByName[User],
		`select `+userColumns+` from app_user where id = @user_id for update`, args)
	if errors.Is(err, pgx.ErrNoRows) {
		return User{}, fault.NotFoundf("Member")
	}
	if err != nil {
		return User{}, fmt.Errorf("lock a user: %w", err)
	}
	var here, elsewhere bool
	err = tx.QueryRow(ctx, `
		select coalesce(bool_or(organization_id = @organization_id), false),
		       coalesce(bool_or(organization_id <> @organization_id), false)
		from membership where user_id = @user_id`, args).Scan(&here, &elsewhere)
	switch {
	case err != nil:
		return User{}, fmt.Errorf("list memberships: %w", err)
	case !here:
		return User{}, fault.NotFoundf("Member")
	case elsewhere:
		return User{}, errShared
	}
	return user, nil
}

// CreateResetLink creates the token of a link with which a member sets a new password.
// The token is shown once and not stored. An earlier link stops working. mark is the
// ResetMark that the member had when the form was made, so that a form that is sent twice
// creates one link; empty accepts any mark. Errors: NotFound, and Conflict for another
// mark, for the actor's own account, and for an account that also belongs to another
// organization.
func (s *Service) CreateResetLink(
	ctx context.Context, actor Actor, userID uuid.UUID, mark string,
) (user User, token string, err error) {
	if isOwn(actor, userID) {
		return User{}, "", errOwn
	}
	token = newToken()
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		if user, err = lockAccount(ctx, tx, actor.OrganizationID, userID); err != nil {
			return err
		}
		if mark != "" {
			now, err := readMember(ctx, tx, actor.OrganizationID, userID)
			if err != nil {
				return err
			}
			if now.ResetMark != mark {
				return errAnotherLink
			}
		}
		_, err = tx.Exec(ctx, `
			insert into password_reset (user_id, organization_id, token_hash, expires_at)
			values (@user_id, @organization_id, @token_hash, clock() + @lifetime::interval)
			on conflict (user_id) do update
			set organization_id = excluded.organization_id, token_hash = excluded.token_hash,
			    created_at = clock(), expires_at = excluded.expires_at`, pgx.NamedArgs{
			"user_id": userID, "organization_id": actor.OrganizationID, "token_hash": hashToken(token),
			"lifetime": ResetLifetime,
		})
		if err != nil {
			return fmt.Errorf("store a reset link: %w", err)
		}
		return Record(ctx, tx, actor, "member.reset_link_created", Object{"user", userID}, map[string]any{
			"name": user.Name, "email": user.Email,
		})
	})
	if err != nil {
		return User{}, "", err
	}
	return user, token, nil
}

var errResetLink = fault.New(fault.NotFound,
	"The link was used or replaced, or it is more than 24 hours old. Ask an admin of your organization for a new one")

// ResetOf returns the user whose password a link resets. Errors: NotFound.
func (s *Service) ResetOf(ctx context.Context, token string) (User, error) {
	user, err := postgres.CollectOne(ctx, s.pool, pgx.RowToStructByName[User], `
		select `+userColumns+` from app_user
		where id = (select user_id from password_reset where token_hash = @hash and expires_at > clock())`,
		pgx.NamedArgs{"hash": hashToken(token)})
	if errors.Is(err, pgx.ErrNoRows) {
		return User{}, errResetLink
	}
	if err != nil {
		return User{}, fmt.Errorf("read a reset link: %w", err)
	}
	return user, nil
}

// UseResetLink sets a new password of a person and ends all their sessions. A second
// factor stays in force. Errors: NotFound for the link, Invalid, and Conflict when the
// account has joined another organization since.
func (s *Service) UseResetLink(ctx context.Context, token, password string, client Client) (User, error) {
	user, err := s.ResetOf(ctx, token) // first, so that a stranger cannot make the server hash passwords
	if err != nil {
		return User{}, err
	}
	about, err := s.about(ctx, user.Email)
	if err != nil {
		return User{}, err
	}
	var p fault.Problems
	checkPassword(&p, "password", password, about...)
	if err := p.Err(); err != nil {
		return User{}, err
	}
	hash, err := s.hasher.hash(ctx, password)
	if err != nil {
		return User{}, err
	}
	return user, postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		// The account is locked first, as in CreateResetLink.
		if _, err := tx.Exec(ctx, `select from app_user where id = @id for update`, pgx.NamedArgs{
			"id": user.ID,
		}); err != nil {
			return fmt.Errorf("lock a user: %w", err)
		}
		var organizationID uuid.UUID
		err := tx.QueryRow(ctx, `
			delete from password_reset
			where token_hash = @hash and expires_at > clock()
			returning organization_id`, pgx.NamedArgs{"hash": hashToken(token)}).Scan(&organizationID)
		if errors.Is(err, pgx.ErrNoRows) {
			return errResetLink
		}
		if err != nil {
			return fmt.Errorf("consume a reset link: %w", err)
		}
		if _, err := lockAccount(ctx, tx, organizationID, user.ID); err != nil {
			return err
		}
		if err := setPassword(ctx, tx, user.ID, hash); err != nil {
			return err
		}
		actor := Actor{
			OrganizationID: organizationID, Kind: ByUser, ID: user.ID, Name: user.Name, Address: client.Address,
		}
		return Record(ctx, tx, actor, "user.password_reset", Object{"user", user.ID}, map[string]any{"by": "link"})
	})
}

// setPassword replaces a password, and ends every session and every reset link of the
// user.
func setPassword(ctx context.Context, tx pgx.Tx, userID uuid.UUID, hash string) error {
	for _, sql := range []string{
		`update app_user set password_hash = @hash where id = @id`,
		`delete from password_reset where user_id = @id`,
		`delete from user_session where user_id = @id`,
	} {
		if _, err := tx.Exec(ctx, sql, pgx.NamedArgs{"id": userID, "hash": hash}); err != nil {
			return fmt.Errorf("set a password: %w", err)
		}
	}
	return nil
}
