package account

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/oidc"
)

// arrival is a person whom the provider of an organization has signed in.
type arrival struct {
	settings       *SingleSignOn
	organizationID uuid.UUID
	person         oidc.Person
	role           Role // by the provider's claim or the default; "": none
	client         Client
}

// refusal refuses a person whom the provider has signed in.
type refusal struct {
	fault  *fault.Error
	userID uuid.UUID // zero for a person without an account
	reason string    // for the audit log
}

func (r *refusal) Error() string { return r.fault.Error() }

func (a *arrival) refuse(userID uuid.UUID, reason, format string, args ...any) error {
	return &refusal{fault.New(fault.Forbidden, format, args...), userID, reason}
}

// admit returns the member who the person is, with the role that the provider says. A person who is not known yet is
// linked to their account, or becomes a member. Errors: *refusal, whose changes are to be kept; errEmailTaken.
func (a *arrival) admit(ctx context.Context, tx pgx.Tx) (uuid.UUID, error) {
	userID, err := a.known(ctx, tx)
	if err != nil {
		return uuid.Nil, err
	}
	if userID == uuid.Nil {
		return a.admitFirst(ctx, tx)
	}
	return userID, a.refresh(ctx, tx, userID)
}

// known returns the user whom the provider means by the subject, or uuid.Nil.
func (a *arrival) known(ctx context.Context, tx pgx.Tx) (userID uuid.UUID, err error) {
	err = tx.QueryRow(ctx, `
		select user_id from single_sign_on_identity
		where organization_id = @organization_id and issuer = @issuer and subject = @subject`, pgx.NamedArgs{
		"organization_id": a.organizationID, "issuer": a.settings.Issuer, "subject": check.Searchable(a.person.Subject),
	}).Scan(&userID)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return uuid.Nil, fmt.Errorf("find who signs in: %w", err)
	}
	return userID, nil
}

// admitFirst admits a person at the first sign-in. Only an address that the provider has verified names an account,
// only in a domain that the organization has named, or with an invitation, and only the account of a member, or one
// that belongs to no organization. So no provider opens an account of another organization.
func (a *arrival) admitFirst(ctx context.Context, tx pgx.Tx) (uuid.UUID, error) {
	host := oidc.Host(a.settings.Issuer)
	email, verified := a.person.Email()
	email = canonicalEmail(email)
	var p fault.Problems
	checkEmail(&p, email)
	switch {
	case email == "" || p.Len() > 0:
		return uuid.Nil, a.refuse(uuid.Nil, "no email address", "%s sent no email address for you. Ask the person "+
			"who manages it to release the claim “email”", host)
	case !verified:
		return uuid.Nil, a.refuse(uuid.Nil, "email address not verified",
			"%s has not verified that %s is yours. Verify the address there, then sign in again", host, email)
	}
	var userID uuid.UUID
	var member, elsewhere bool
	err := tx.QueryRow(ctx, `
		select u.id, coalesce(bool_or(m.organization_id = @organization_id), false),
		       coalesce(bool_or(m.organization_id <> @organization_id), false)
		from app_user u left join membership m on m.user_id = u.id
		where u.email = @email group by u.id`,
		pgx.NamedArgs{"organization_id": a.organizationID, "email": email}).Scan(&userID, &member, &elsewhere)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return uuid.Nil, fmt.Errorf("find an account: %w", err)
	}
	var invited Role
	err = tx.QueryRow(ctx, `
		select role from invitation
		where organization_id = @organization_id and email = @email and expires_at > clock()`,
		pgx.NamedArgs{"organization_id": a.organizationID, "email": email}).Scan(&invited)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return uuid.Nil, fmt.Errorf("find an invitation: %w", err)
	}
	_, domain, _ := strings.Cut(email, "@")
	allowed := slices.Contains(a.settings.Domains, domain)
	switch {
	case member && allowed:
		if a.settings.RoleClaim != "" && a.role == "" {
			return uuid.Nil, a.refuse(userID, "no role", noRole, host)
		}
		if err := a.link(ctx, tx, userID, email); err != nil {
			return uuid.Nil, err
		}
		return userID, a.refresh(ctx, tx, userID)
	case elsewhere && !member && invited != "":
		return uuid.Nil, a.refuse(userID, "account of another organization", "%s already has an account on this "+
			"server. Open your invitation and sign in with the password of that account to join", email)
	case elsewhere && !member:
		return uuid.Nil, a.refuse(userID, "account of another organization",
			"%s already has an account in another organization of this server. Ask an admin to invite you", email)
	case invited == "" && !allowed:
		return uuid.Nil, a.refuse(userID, "domain", "Addresses at %s may not sign in here. Ask an admin to invite you",
			domain)
	case member: // an invitation of a member can't be
		return uuid.Nil, a.refuse(userID, "domain", "Addresses at %s may not sign in here. Ask an admin", domain)
	case invited == "" && !a.settings.CreatesMembers:
		return uuid.Nil, a.refuse(userID, "not a member", "You are not a member yet. Ask an admin to invite %s", email)
	}
	if a.settings.RoleClaim == "" && invited != "" {
		a.role = invited
	}
	if a.role == "" {
		return uuid.Nil, a.refuse(userID, "no role", noRole, host)
	}
	return a.join(ctx, tx, userID, email)
}

const noRole = "Your account at %s has no role that may sign in here. Ask the person who manages your roles there"

// join makes the person a member, with the account userID, or a new one for uuid.Nil.
func (a *arrival) join(ctx context.Context, tx pgx.Tx, userID uuid.UUID, email string) (uuid.UUID, error) {
	name := a.person.Name()
	var p fault.Problems
	if check.Name(&p, "name", &name); p.Len() > 0 {
		name, _, _ = strings.Cut(email, "@")
	}
	user := User{ID: userID, Email: email, Name: name}
	if userID == uuid.Nil {
		// Without a password, nothing but a provider opens the account.
		made, err := insertAccount(ctx, tx, NewUser{Email: email, Name: name}, "")
		if fault.KindOf(err) == fault.Conflict {
			return uuid.Nil, errEmailTaken
		}
		if err != nil {
			return uuid.Nil, err
		}
		user = made
	} else if err := tx.QueryRow(ctx, `select name from app_user where id = $1`, userID).Scan(&user.Name); err != nil {
		return uuid.Nil, fmt.Errorf("read a user: %w", err)
	}
	_, err := tx.Exec(ctx, `delete from invitation where organization_id = @organization_id and email = @email`,
		pgx.NamedArgs{"organization_id": a.organizationID, "email": email})
	if err != nil {
		return uuid.Nil, fmt.Errorf("consume an invitation: %w", err)
	}
	offer := Offer{OrganizationID: a.organizationID, Role: a.role, InvitedBy: "single sign-on"}
	if err := join(ctx, tx, offer, user, a.client); err != nil {
		return uuid.Nil, err
	}
	return user.ID, a.link(ctx, tx, user.ID, email)
}

var errEmailTaken = errors.New("another organization has just made this account")

// link notes whom the provider means by the subject.
func (a *arrival) link(ctx context.Context, tx pgx.Tx, userID uuid.UUID, email string) error {
	tag, err := tx.Exec(ctx, `
		insert into single_sign_on_identity (organization_id, issuer, subject, user_id)
		values (@organization_id, @issuer, @subject, @user_id) on conflict do nothing`, pgx.NamedArgs{
		"organization_id": a.organizationID, "issuer": a.settings.Issuer, "subject": check.Searchable(a.person.Subject),
		"user_id": userID,
	})
	if err != nil {
		return fmt.Errorf("link an account: %w", err)
	}
	if tag.RowsAffected() == 0 {
		return a.refuse(userID, "linked to another account of the provider", "%s belongs to a member who signed in "+
			"with another account at %s before. An admin can remove that member and invite you again", email,
			oidc.Host(a.settings.Issuer))
	}
	return Record(ctx, tx, System(a.organizationID), "member.single_sign_on_linked", Object{"user", userID},
		map[string]any{"name": email, "issuer": a.settings.Issuer})
}

// refresh gives a member the role that the provider says. Without one, the sessions that the provider opened end.
// The last admin stays an admin, because nobody could change anything otherwise.
func (a *arrival) refresh(ctx context.Context, tx pgx.Tx, userID uuid.UUID) error {
	if a.settings.RoleClaim == "" {
		return nil
	}
	args := pgx.NamedArgs{"organization_id": a.organizationID, "user_id": userID, "role": a.role}
	if a.role == "" {
		if _, err := tx.Exec(ctx, `
			delete from user_session
			where organization_id = @organization_id and user_id = @user_id and single_sign_on`, args); err != nil {
			return fmt.Errorf("end sessions: %w", err)
		}
		return a.refuse(userID, "no role", noRole, oidc.Host(a.settings.Issuer))
	}
	system := System(a.organizationID)
	was, name, err := lockMember(ctx, tx, system, userID)
	if err != nil || was == a.role {
		return err
	}
	changed := map[string]any{"name": name, "from": was, "to": a.role, "by": "single sign-on"}
	if was == Admin {
		err := anotherAdmin(ctx, tx, system, userID)
		if fault.KindOf(err) == fault.Conflict {
			return a.recordHourly(ctx, tx, "member.last_admin_kept", Object{"user", userID}, map[string]any{
				"name": name, "role": a.role,
			})
		}
		if err != nil {
			return err
		}
	}
	_, err = tx.Exec(ctx, `
		update membership set role = @role where organization_id = @organization_id and user_id = @user_id`, args)
	if err != nil {
		return fmt.Errorf("change a role: %w", err)
	}
	return Record(ctx, tx, system, "member.role_changed", Object{"user", userID}, changed)
}

// recordRefusal writes one entry for each person, reason and hour.
func (a *arrival) recordRefusal(ctx context.Context, tx pgx.Tx, f *refusal) error {
	email, _ := a.person.Email()
	data := map[string]any{"name": email, "reason": f.reason, "issuer": a.settings.Issuer}
	object := Object{"single_sign_on", a.organizationID}
	if f.userID != uuid.Nil && f.reason != "account of another organization" {
		object = Object{"user", f.userID}
	}
	return a.recordHourly(ctx, tx, "single_sign_on.refused", object, data)
}

func (a *arrival) recordHourly(
	ctx context.Context, tx pgx.Tx, action string, object Object, data map[string]any,
) error {
	var now time.Time
	if err := tx.QueryRow(ctx, `select clock()`).Scan(&now); err != nil {
		return fmt.Errorf("read the clock: %w", err)
	}
	name := fmt.Sprint(a.organizationID, a.settings.Issuer, a.person.Subject, action, data["reason"],
		now.Truncate(time.Hour).Unix())
	system := System(a.organizationID)
	system.Address = a.client.Address
	return record(ctx, tx, uuid.NewHash(sha256.New(), uuid.Nil, []byte(name), 8), system, action, object, data)
}
