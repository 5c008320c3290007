package account

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/postgres"
)

// InvitationLifetime is how long the link of an invitation works.
const InvitationLifetime = 7 * 24 * time.Hour

// Invitation is an address that was invited and has not joined yet. An expired invitation
// stays until it is renewed or revoked.
type Invitation struct {
	ID        uuid.UUID
	Email     string
	Role      Role
	InvitedBy string // name of the person who made the newest link
	CreatedAt time.Time
	ExpiresAt time.Time
}

const invitationColumns = `id, email, role, invited_by, created_at, expires_at`

// Expired reports whether the link has expired at now.
func (i Invitation) Expired(now time.Time) bool { return !i.ExpiresAt.After(now) }

// newToken returns a secret for a link: 256 random bits.
func newToken() string {
	var random [32]byte
	rand.Read(random[:])
	return base64.RawURLEncoding.EncodeToString(random[:])
}

// Invite creates an invitation and returns the token of its link. The token is shown once
// and not stored. Errors: Invalid, and Conflict when the address belongs to a member or
// is already invited.
func (s *Service) Invite(
	ctx context.Context, actor Actor, email string, role Role,
) (invitation Invitation, token string, err error) {
	email = canonicalEmail(email)
	var p fault.Problems
	checkEmail(&p, email)
	checkRole(&p, role)
	if err := p.Err(); err != nil {
		return Invitation{}, "", err
	}
	token = newToken()
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		var member bool
		err := tx.QueryRow(ctx, `
			select exists (
				select from membership m join app_user u on u.id = m.user_id
				where m.organization_id = @organization_id and u.email = @email)`,
			pgx.NamedArgs{"organization_id": actor.OrganizationID, "email": email}).Scan(&member)
		if err != nil {
			return fmt.Errorf("look for a member: %w", err)
		}
		if member {
			return fault.Conflictf("%s is already a member", email)
		}
		invitation, err = oneInvitation(ctx, tx, `
			insert into invitation (id, organization_id, email, role, token_hash, invited_by, expires_at)
			values (@id, @organization_id, @email, @role, @token_hash, @invited_by, clock() + @lifetime::interval)
			returning `+invitationColumns, pgx.NamedArgs{
			"id": uuid.Must(uuid.NewV7()), "organization_id": actor.OrganizationID, "email": email, "role": role,
			"token_hash": hashToken(token), "invited_by": actor.Name, "lifetime": InvitationLifetime,
		})
		if postgres.Constraint(err) == "invitation_email_unique" {
			return fault.Conflictf("%s already has an invitation. Create a new link for it or revoke it", email)
		}
		if err != nil {
			return err
		}
		return Record(ctx, tx, actor, "invitation.created", Object{"invitation", invitation.ID},
			map[string]any{"email": email, "role": role, "expires_at": invitation.ExpiresAt})
	})
	if err != nil {
		return Invitation{}, "", err
	}
	return invitation, token, nil
}

func oneInvitation(ctx context.Context, db postgres.DB, sql string, args pgx.NamedArgs) (Invitation, error) {
	i, err := postgres.CollectOne(ctx, db, pgx.RowToStructByName[Invitation], sql, args)
	if errors.Is(err, pgx.ErrNoRows) {
		return Invitation{}, fault.NotFoundf("Invitation")
	}
	if err != nil {
		return Invitation{}, fmt.Errorf("query an invitation: %w", err)
	}
	return i, nil
}

// Invitations lists the open invitations of an organization, newest first.
func (s *Service) Invitations(ctx context.Context, organizationID uuid.UUID) ([]Invitation, error) {
	list, err := postgres.Collect(ctx, s.pool, pgx.RowToStructByName[Invitation], `
		select `+invitationColumns+` from invitation
		where organization_id = @organization_id
		order by id desc`, pgx.NamedArgs{"organization_id": organizationID})
	if err != nil {
		return nil, fmt.Errorf("list invitations: %w", err)
	}
	return list, nil
}

// Invitation returns an open invitation. Errors: NotFound.
func (s *Service) Invitation(ctx context.Context, organizationID, id uuid.UUID) (Invitation, error) {
	return oneInvitation(ctx, s.pool, `
		select `+invitationColumns+` from invitation
		where organization_id = @organization_id and id = @id`,
		pgx.NamedArgs{"organization_id": organizationID, "id": id})
}

// errAnotherLink answers a form that is sent twice. The link of the first request stays
// valid, because it may already have been sent to somebody.
var errAnotherLink = fault.Conflictf(
	"A new link was already created and shown at that time. If it is lost, create another one",
)

// RenewInvitation creates a new link. The previous link stops working. replaces is the
// expiry of the previous link, so that a form that is sent twice creates one link; zero
// replaces any link. Errors: NotFound, and Conflict when replaces is the expiry of
// another link.
func (s *Service) RenewInvitation(
	ctx context.Context, actor Actor, id uuid.UUID, replaces time.Time,
) (invitation Invitation, token string, err error) {
	token = newToken()
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		now, err := oneInvitation(ctx, tx, `
			select `+invitationColumns+` from invitation
			where organization_id = @organization_id and id = @id
			for update`, pgx.NamedArgs{"organization_id": actor.OrganizationID, "id": id})
		if err != nil {
			return err
		}
		if !replaces.IsZero() && !now.ExpiresAt.Equal(replaces) {
			return errAnotherLink
		}
		invitation, err = oneInvitation(ctx, tx, `
			update invitation
			set token_hash = @token_hash, expires_at = clock() + @lifetime::interval, invited_by = @invited_by
			where organization_id = @organization_id and id = @id
			returning `+invitationColumns, pgx.NamedArgs{
			"organization_id": actor.OrganizationID, "id": id, "token_hash": hashToken(token),
			"lifetime": InvitationLifetime, "invited_by": actor.Name,
		})
		if err != nil {
			return err
		}
		return Record(ctx, tx, actor, "invitation.renewed", Object{"invitation", id},
			map[string]any{"email": invitation.Email, "expires_at": invitation.ExpiresAt})
	})
	if err != nil {
		return Invitation{}, "", err
	}
	return invitation, token, nil
}

// RevokeInvitation deletes an invitation. Errors: NotFound.
func (s *Service) RevokeInvitation(ctx context.Context, actor Actor, id uuid.UUID) error {
	return postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		i, err := oneInvitation(ctx, tx, `
			delete from invitation
			where organization_id = @organization_id and id = @id
			returning `+invitationColumns, pgx.NamedArgs{"organization_id": actor.OrganizationID, "id": id})
		if err != nil {
			return err
		}
		return Record(ctx, tx, actor, "invitation.revoked", Object{"invitation", id}, map[string]any{"email": i.Email})
	})
}

// Offer is the content of an invitation for the person who opens its link.
type Offer struct {
	OrganizationID uuid.UUID
	Organization   string // the organization's name
	Email          string // the only address that may accept the invitation
	Role           Role
	InvitedBy      string
	HasAccount     bool // the address has an account, so the person signs in to join

	SignOn *SignOn `db:"-"` // the single sign-on of the organization; nil: it is off
}

var errInvitationLink = fault.New(fault.NotFound,
	"The invitation was used, revoked or replaced, or it is more than 7 days old. Ask an admin of the organization "+
		"for a new link")

// Offer reads the link of an invitation. Errors: NotFound.
func (s *Service) Offer(ctx context.Context, token string) (Offer, error) {
	o, err := postgres.CollectOne(ctx, s.pool, pgx.RowToStructByName[Offer], `
		select i.organization_id, o.name as organization, i.email, i.role, i.invited_by,
		       exists (select from app_user u where u.email = i.email) as has_account
		from invitation i
		join organization o on o.id = i.organization_id
		where i.token_hash = @hash and i.expires_at > clock()`, pgx.NamedArgs{"hash": hashToken(token)})
	if errors.Is(err, pgx.ErrNoRows) {
		return Offer{}, errInvitationLink
	}
	if err != nil {
		return Offer{}, fmt.Errorf("read an invitation: %w", err)
	}
	o.SignOn, err = s.SignOnOf(ctx, o.OrganizationID)
	return o, err
}

// consume deletes an invitation. The row lock of the delete lets one of several requests
// through. It returns the organization, the address and the role.
func consume(ctx context.Context, tx pgx.Tx, token string) (Offer, error) {
	var o Offer
	err := tx.QueryRow(ctx, `
		delete from invitation
		where token_hash = @hash and expires_at > clock()
		returning organization_id, email, role, invited_by`,
		pgx.NamedArgs{"hash": hashToken(token)}).Scan(&o.OrganizationID, &o.Email, &o.Role, &o.InvitedBy)
	if errors.Is(err, pgx.ErrNoRows) {
		return Offer{}, errInvitationLink
	}
	if err != nil {
		return Offer{}, fmt.Errorf("consume an invitation: %w", err)
	}
	return o, nil
}

// AcceptInvitation creates the account of an invited person without an account, and signs
// the person in. Errors: NotFound for the link; Invalid, whose paths are name and
// password; Conflict when the address already has an account.
func (s *Service) AcceptInvitation(
	ctx context.Context, link, name, password string, client Client,
) (token string, session Session, err error) {
	// The link is checked first, so that a stranger cannot make the server hash
	// passwords.
	offer, err := s.Offer(ctx, link)
	if err != nil {
		return "", Session{}, err
	}
	var p fault.Problems
	check.Name(&p, "name", &name)
	checkPassword(&p, "password", password, offer.Email, name, offer.Organization)
	if err := p.Err(); err != nil {
		return "", Session{}, err
	}
	if offer.SignOn != nil && offer.SignOn.PasswordsOff && offer.Role != Admin {
		return "", Session{}, &SignOnRequired{Organization: offer.Organization, Address: offer.SignOn.Address}
	}
	hash, err := s.hasher.hash(ctx, password)
	if err != nil {
		return "", Session{}, err
	}
	var user User
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		o, err := consume(ctx, tx, link)
		if err != nil {
			return err
		}
		if user, err = insertAccount(ctx, tx, NewUser{Email: o.Email, Name: name}, hash); err != nil {
			return err
		}
		return join(ctx, tx, o, user, client)
	})
	if err != nil {
		return "", Session{}, err
	}
	return s.openSession(ctx, user.ID, hash, "", client)
}

// join makes a user a member of the organization that invited them. Errors: Conflict when
// the user is already a member.
func join(ctx context.Context, tx pgx.Tx, o Offer, user User, client Client) error {
	tag, err := tx.Exec(ctx, `
		insert into membership (organization_id, user_id, role)
		values (@organization_id, @user_id, @role)
		on conflict do nothing`,
		pgx.NamedArgs{"organization_id": o.OrganizationID, "user_id": user.ID, "role": o.Role})
	if err != nil {
		return fmt.Errorf("join an organization: %w", err)
	}
	if tag.RowsAffected() == 0 {
		return fault.Conflictf("You are already a member")
	}
	actor := Actor{
		OrganizationID: o.OrganizationID, Kind: ByUser, ID: user.ID, Name: user.Name, Role: o.Role,
		Address: client.Address,
	}
	return Record(ctx, tx, actor, "member.joined", Object{"user", user.ID},
		map[string]any{"name": user.Name, "email": user.Email, "role": o.Role, "invited_by": o.InvitedBy})
}

// JoinOrganization accepts an invitation for a signed-in person, and moves their session
// to that organization. Errors: NotFound for the link, Forbidden when the invitation is
// for another address and for a session of single sign-on, Conflict for a member, and *SignOnRequired when the person
// has joined an organization that refuses the password of the session.
func (s *Service) JoinOrganization(ctx context.Context, session Session, link string, client Client) error {
	if session.SingleSignOn {
		return errByProvider
	}
	var required error
	err := postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		o, err := consume(ctx, tx, link)
		if err != nil {
			return err
		}
		if o.Email != session.User.Email {
			return fault.New(fault.Forbidden, "This invitation is for %s. Sign in with that address", o.Email)
		}
		if err := join(ctx, tx, o, session.User, client); err != nil {
			return err
		}
		required = signOnRequired(ctx, tx, session.User.ID, o.OrganizationID)
		if _, joined := errors.AsType[*SignOnRequired](required); joined {
			return nil
		} else if required != nil {
			return required
		}
		return enter(ctx, tx, session.ID, session.User.ID, o.OrganizationID)
	})
	if err != nil {
		return err
	}
	return required
}

// SwitchOrganization moves a session to another organization of the same person. Errors:
// NotFound; Forbidden for a session of single sign-on; *SignOnRequired when the organization refuses passwords.
func (s *Service) SwitchOrganization(ctx context.Context, session Session, organizationID uuid.UUID) error {
	if session.SingleSignOn {
		return fault.New(fault.Forbidden, "You signed in with single sign-on, which opens %s only. "+
			"Sign out, and sign in with your password", session.Organization.Name)
	}
	return postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		if err := signOnRequired(ctx, tx, session.User.ID, organizationID); err != nil {
			return err
		}
		return enter(ctx, tx, session.ID, session.User.ID, organizationID)
	})
}

// enter locks the membership before the session, in the same order as the removal of a
// member.
func enter(ctx context.Context, tx pgx.Tx, sessionID, userID, organizationID uuid.UUID) error {
	args := pgx.NamedArgs{"id": sessionID, "user_id": userID, "organization_id": organizationID}
	tag, err := tx.Exec(ctx, `
		update membership set seen_at = clock()
		where organization_id = @organization_id and user_id = @user_id`, args)
	if err != nil {
		return fmt.Errorf("enter an organization: %w", err)
	}
	if tag.RowsAffected() == 0 {
		return fault.NotFoundf("Organization")
	}
	tag, err = tx.Exec(ctx, `
		update user_session set organization_id = @organization_id
		where id = @id and user_id = @user_id`, args)
	if err != nil {
		return fmt.Errorf("enter an organization: %w", err)
	}
	if tag.RowsAffected() == 0 {
		return fault.New(fault.Unauthenticated, "Sign in to continue")
	}
	return nil
}
