package account

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/seal"
)

// SingleSignOn is how members of an organization sign in at its OpenID provider.
//
// An admin chooses the provider, so the provider is trusted as much as that admin: for the organization, and for
// nothing else. A session that it opened (Session.SingleSignOn) opens no other organization, and changes nothing of
// the account that other organizations see.
type SingleSignOn struct {
	Address  string // of the sign-in page: /sign-in/sso/{address}; unique on the server
	Label    string // the provider's name on the button
	Issuer   string // https URL
	ClientID string
	Secret   string `db:"-"` // of the client; only for writing: "" keeps the stored one

	// Domains are the domains of email addresses, in lower case. A person whose verified address is in one of them
	// may sign in for the first time: as the member with this address, or as a new member if CreatesMembers.
	Domains        []string
	CreatesMembers bool

	// RoleClaim names the claim with a person's roles or groups. "": the provider knows no roles, members keep theirs,
	// and new members get DefaultRole. Otherwise the role of a member follows the claim at each sign-in: the role with
	// the most rights that one of the values stands for, or DefaultRole, or no access.
	RoleClaim     string
	AdminValues   []string
	ManagerValues []string
	StaffValues   []string
	DefaultRole   Role // "": no access

	// PasswordsOff refuses passwords to everybody but admins, who need a way in while the provider is down.
	PasswordsOff bool

	SignedInAt *time.Time // the last sign-in with this issuer and client; nil: none yet
	CreatedAt  time.Time

	// Revision is the [SingleSignOn.Mark] that was changed. Empty: whatever it is now.
	Revision string `db:"-"`
}

const signOnColumns = `address, label, issuer, client_id, domains, creates_members, role_claim, admin_values,
	manager_values, staff_values, coalesce(default_role, '') as default_role, passwords_off, signed_in_at, created_at`

const (
	maxClient      = 500 // characters of a client ID, a secret or a claim
	maxLabel       = 50
	maxDomains     = 50
	maxRoleValues  = 100 // of one role
	maxRoleValue   = 300 // characters
	maxDomainBytes = 253
)

func clientSecretCell(organizationID uuid.UUID) seal.Cell {
	return seal.Cell{
		Organization: organizationID, Table: "single_sign_on", Column: "client_secret", Row: organizationID.String(),
	}
}

// Mark identifies the values of the settings, without the secret.
func (o SingleSignOn) Mark() string { return check.Revision(o.audit()) }

func (o SingleSignOn) audit() map[string]any {
	return map[string]any{
		"address": o.Address, "label": o.Label, "issuer": o.Issuer, "client_id": o.ClientID,
		"domains": orEmpty(o.Domains), "creates_members": o.CreatesMembers, "role_claim": o.RoleClaim,
		"admin_values": orEmpty(o.AdminValues), "manager_values": orEmpty(o.ManagerValues),
		"staff_values": orEmpty(o.StaffValues), "default_role": o.DefaultRole, "passwords_off": o.PasswordsOff,
	}
}

// orEmpty keeps an empty list from being stored and compared as null.
func orEmpty(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

var (
	signOnAddress = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{1,49}$`)
	domainName    = regexp.MustCompile(`^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]*[a-z0-9])?$`)
)

// callbackAddress is the path below the sign-in pages to which providers send browsers back.
const callbackAddress = "callback"

func (s *Service) checkSignOn(p *fault.Problems, o *SingleSignOn) {
	check.Required(p, "label", &o.Label, maxLabel)
	s.providers.CheckIssuer(p, "issuer", &o.Issuer)
	check.Required(p, "client_id", &o.ClientID, maxClient)
	check.Line(p, "client_secret", &o.Secret, maxClient)
	o.Address = strings.ToLower(strings.TrimSpace(o.Address))
	if !signOnAddress.MatchString(o.Address) {
		p.Addf("address", "must have 2 to 50 letters, digits and hyphens, such as acme")
	} else if o.Address == callbackAddress {
		p.Addf("address", "is used by the product. Choose another one")
	}
	for i, domain := range o.Domains {
		o.Domains[i] = strings.TrimPrefix(strings.ToLower(strings.TrimSpace(domain)), "@")
	}
	o.Domains = tidy(o.Domains)
	switch wrong := slices.IndexFunc(o.Domains, func(d string) bool {
		return len(d) > maxDomainBytes || !domainName.MatchString(d)
	}); {
	case wrong >= 0:
		p.Addf("domains", "%q is not a domain such as example.com", o.Domains[wrong])
	case len(o.Domains) > maxDomains:
		p.Addf("domains", "must be at most %d", maxDomains)
	case len(o.Domains) == 0:
		p.Addf("domains", "required")
	}
	o.checkRoles(p)
}

func (o *SingleSignOn) checkRoles(p *fault.Problems) {
	check.Line(p, "role_claim", &o.RoleClaim, maxClient)
	mapped := 0
	for path, values := range map[string]*[]string{
		"admin_values": &o.AdminValues, "manager_values": &o.ManagerValues, "staff_values": &o.StaffValues,
	} {
		*values = tidy(*values)
		if mapped += len(*values); len(*values) > maxRoleValues {
			p.Addf(path, "must be at most %d", maxRoleValues)
		}
		for i := range *values {
			check.Line(p, path, &(*values)[i], maxRoleValue)
		}
	}
	if o.DefaultRole != "" && !slices.Contains(Roles, o.DefaultRole) {
		p.Addf("default_role", "must be empty, %s", roleWords)
	}
	switch {
	case o.RoleClaim == "" && mapped > 0:
		p.Addf("role_claim", "required, because values stand for roles")
	case o.RoleClaim != "" && mapped == 0:
		p.Addf("role_claim", "no value stands for a role. Enter values, or leave this empty")
	case o.RoleClaim == "" && o.CreatesMembers && o.DefaultRole == "":
		p.Addf("default_role", "choose the role of new members")
	}
}

// tidy removes space, empty values and repetitions.
func tidy(list []string) []string {
	kept := make([]string, 0, len(list))
	for _, each := range list {
		if each = strings.TrimSpace(each); each != "" && !slices.Contains(kept, each) {
			kept = append(kept, each)
		}
	}
	return kept
}

// SingleSignOn returns the settings of an organization, or nil if single sign-on is off.
func (s *Service) SingleSignOn(ctx context.Context, organizationID uuid.UUID) (*SingleSignOn, error) {
	return readSignOn(ctx, s.pool, organizationID, "")
}

func readSignOn(
	ctx context.Context, db postgres.DB, organizationID uuid.UUID, lock string,
) (*SingleSignOn, error) {
	o, err := postgres.CollectOne(ctx, db, pgx.RowToStructByName[SingleSignOn],
		`select `+signOnColumns+` from single_sign_on where organization_id = $1 `+lock, organizationID)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read single sign-on: %w", err)
	}
	return &o, nil
}

// SetSingleSignOn turns single sign-on of the actor's organization on, or changes it. A new issuer is asked for its
// description first. Another issuer or client ends the sessions that the former one opened. Errors: Invalid, Conflict
// if nobody could sign in as an admin, and Stale if somebody else has changed the revision.
func (s *Service) SetSingleSignOn(ctx context.Context, actor Actor, o SingleSignOn) error {
	var p fault.Problems
	s.checkSignOn(&p, &o)
	if err := p.Err(); err != nil {
		return err
	}
	known, err := s.SingleSignOn(ctx, actor.OrganizationID)
	if err != nil {
		return err
	}
	// A provider that is down keeps nobody from changing the other settings.
	if known == nil || strings.TrimSuffix(known.Issuer, "/") != strings.TrimSuffix(o.Issuer, "/") {
		if o.Issuer, err = s.providers.Discover(ctx, "issuer", o.Issuer); err != nil {
			return err
		}
	} else {
		o.Issuer = known.Issuer
	}
	return postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `select from organization where id = $1 for no key update`,
			actor.OrganizationID); err != nil {
			return fmt.Errorf("lock an organization: %w", err)
		}
		was, err := readSignOn(ctx, tx, actor.OrganizationID, "for update")
		if err != nil {
			return err
		}
		return s.storeSignOn(ctx, tx, actor, was, o)
	})
}

// storeSignOn stores o instead of was, which is nil while single sign-on is off.
func (s *Service) storeSignOn(ctx context.Context, tx pgx.Tx, actor Actor, was *SingleSignOn, o SingleSignOn) error {
	action, moved := "single_sign_on.created", true
	o.SignedInAt = nil
	if was != nil {
		if err := check.Unchanged(o.Revision, was.audit(), o.audit()); err != nil {
			return err
		}
		action, moved = "single_sign_on.updated", was.Issuer != o.Issuer || was.ClientID != o.ClientID
		if !moved {
			o.SignedInAt = was.SignedInAt
		}
		if o.Secret == "" && reflect.DeepEqual(was.audit(), o.audit()) {
			return Unchanged(ctx)
		}
	}
	switch {
	case moved && o.Secret == "" && was == nil:
		return fault.Invalidf("client_secret", "required")
	case moved && o.Secret == "": // the stored secret must not be sent to another provider
		return fault.Invalidf("client_secret", "enter the secret of the new client")
	case o.PasswordsOff && o.SignedInAt == nil:
		return fault.Invalidf("passwords_off",
			"save without this first. It can be turned on once somebody has signed in with single sign-on")
	case moved && was != nil:
		if err := adminWithPassword(ctx, tx, actor.OrganizationID); err != nil {
			return err
		}
	}
	args := pgx.NamedArgs{
		"organization_id": actor.OrganizationID, "address": o.Address, "label": o.Label, "issuer": o.Issuer,
		"client_id": o.ClientID, "secret": []byte(nil), "domains": orEmpty(o.Domains), "creates": o.CreatesMembers,
		"claim": o.RoleClaim, "admin": orEmpty(o.AdminValues), "manager": orEmpty(o.ManagerValues),
		"staff": orEmpty(o.StaffValues), "role": o.DefaultRole, "off": o.PasswordsOff, "signed_in_at": o.SignedInAt,
	}
	if o.Secret != "" {
		args["secret"] = s.vault.Seal([]byte(o.Secret), clientSecretCell(actor.OrganizationID))
	}
	sql := `
		update single_sign_on
		set address = @address, label = @label, issuer = @issuer, client_id = @client_id,
		    client_secret = coalesce(@secret, client_secret), domains = @domains, creates_members = @creates,
		    role_claim = @claim, admin_values = @admin, manager_values = @manager, staff_values = @staff,
		    default_role = nullif(@role, ''), passwords_off = @off, signed_in_at = @signed_in_at
		where organization_id = @organization_id`
	if was == nil {
		sql = `
			insert into single_sign_on (organization_id, address, label, issuer, client_id, client_secret, domains,
				creates_members, role_claim, admin_values, manager_values, staff_values, default_role, passwords_off)
			values (@organization_id, @address, @label, @issuer, @client_id, @secret, @domains, @creates, @claim,
				@admin, @manager, @staff, nullif(@role, ''), @off)`
	}
	_, err := tx.Exec(ctx, sql, args)
	if postgres.Constraint(err) == "single_sign_on_address_unique" {
		return fault.Takenf("address", "another organization of this server uses this address")
	}
	if err != nil {
		return fmt.Errorf("store single sign-on: %w", err)
	}
	if err := endSessions(ctx, tx, actor.OrganizationID, moved && was != nil, o.PasswordsOff); err != nil {
		return err
	}
	data := o.audit()
	if was != nil {
		data["secret_replaced"] = o.Secret != ""
	}
	return Record(ctx, tx, actor, action, Object{"single_sign_on", actor.OrganizationID}, data)
}

// endSessions ends the sessions that the provider opened, and those that members who are no admins opened with their
// passwords.
func endSessions(ctx context.Context, tx pgx.Tx, organizationID uuid.UUID, provider, passwords bool) error {
	_, err := tx.Exec(ctx, `
		delete from user_session s using membership m
		where s.organization_id = @organization_id and m.organization_id = s.organization_id and m.user_id = s.user_id
		  and (s.single_sign_on and @provider or not s.single_sign_on and @passwords and m.role <> 'admin')`,
		pgx.NamedArgs{"organization_id": organizationID, "provider": provider, "passwords": passwords})
	if err != nil {
		return fmt.Errorf("end sessions: %w", err)
	}
	return nil
}

// adminWithPassword refuses to end single sign-on for the admins if none of them could sign in without it.
func adminWithPassword(ctx context.Context, tx pgx.Tx, organizationID uuid.UUID) error {
	var found bool
	err := tx.QueryRow(ctx, `
		select exists (
			select from membership m join app_user u on u.id = m.user_id
			where m.organization_id = $1 and m.role = 'admin' and u.password_hash <> '')`, organizationID).Scan(&found)
	if err != nil {
		return fmt.Errorf("look for an admin with a password: %w", err)
	}
	if !found {
		return fault.Conflictf("No admin has a password, so all admins would be locked out. Create a password link " +
			"for another admin first, or ask the operator of this server for dialwright user reset-password")
	}
	return nil
}

// RemoveSingleSignOn turns single sign-on of the actor's organization off, and ends the sessions that the provider
// opened. Whom the provider means is kept, for when it is turned on again. Errors: NotFound, and Conflict if no admin
// has a password.
func (s *Service) RemoveSingleSignOn(ctx context.Context, actor Actor) error {
	return postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		was, err := readSignOn(ctx, tx, actor.OrganizationID, "for update")
		if err != nil {
			return err
		}
		if was == nil {
			return fault.NotFoundf("Single sign-on")
		}
		if err := adminWithPassword(ctx, tx, actor.OrganizationID); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `delete from single_sign_on where organization_id = $1`, actor.OrganizationID)
		if err != nil {
			return fmt.Errorf("turn off single sign-on: %w", err)
		}
		if err := endSessions(ctx, tx, actor.OrganizationID, true, false); err != nil {
			return err
		}
		return Record(ctx, tx, actor, "single_sign_on.removed", Object{"single_sign_on", actor.OrganizationID},
			map[string]any{"issuer": was.Issuer, "client_id": was.ClientID})
	})
}

// MembersWithoutPassword counts the members of an organization who have no password, so that they can sign in only at
// its provider.
func (s *Service) MembersWithoutPassword(ctx context.Context, organizationID uuid.UUID) (n int, err error) {
	err = s.pool.QueryRow(ctx, `
		select count(*) from membership m join app_user u on u.id = m.user_id
		where m.organization_id = $1 and u.password_hash = ''`, organizationID).Scan(&n)
	if err != nil {
		return 0, fmt.Errorf("count members without a password: %w", err)
	}
	return n, nil
}

// SignOn is the single sign-on of an organization, as everybody may see it before they sign in.
type SignOn struct {
	OrganizationID uuid.UUID
	Organization   string // the organization's name
	Address        string
	Label          string
	Issuer         string
	PasswordsOff   bool
}

const signOnSelect = `
	select x.organization_id, o.name as organization, x.address, x.label, x.issuer, x.passwords_off
	from single_sign_on x join organization o on o.id = x.organization_id `

// SignOnAt returns the single sign-on at an address. Errors: NotFound.
func (s *Service) SignOnAt(ctx context.Context, address string) (SignOn, error) {
	list, err := s.signOns(ctx, `where x.address = $1`, check.Searchable(strings.ToLower(address)))
	if err == nil && len(list) == 0 {
		err = fault.NotFoundf("Page")
	}
	if err != nil {
		return SignOn{}, err
	}
	return list[0], nil
}

// SignOnOf returns the single sign-on of an organization, or nil if it is off.
func (s *Service) SignOnOf(ctx context.Context, organizationID uuid.UUID) (*SignOn, error) {
	list, err := s.signOns(ctx, `where x.organization_id = $1`, organizationID)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return &list[0], nil
}

// FindSignOns returns the single sign-ons that somebody may mean: that at the address, or those of the domain of the
// email address. The answer is the same whether or not the email address has an account. Several organizations may
// name a domain, so people choose by the organization's name.
func (s *Service) FindSignOns(ctx context.Context, addressOrEmail string) ([]SignOn, error) {
	text := check.Searchable(canonicalEmail(addressOrEmail))
	_, domain, email := strings.Cut(text, "@")
	if !email {
		return s.signOns(ctx, `where x.address = $1`, text)
	}
	return s.signOns(ctx, `where x.domains @> array[$1] order by o.name, x.address limit 20`, domain)
}

func (s *Service) signOns(ctx context.Context, where string, arg any) ([]SignOn, error) {
	list, err := postgres.Collect(ctx, s.pool, pgx.RowToStructByName[SignOn], signOnSelect+where, arg)
	if err != nil {
		return nil, fmt.Errorf("find single sign-on: %w", err)
	}
	return list, nil
}

// SignInOffer is what the form of the sign-in offers before it knows the organization.
type SignInOffer struct {
	SignOn   bool // some organization of the server has single sign-on
	StayDays int  // how long people may stay signed in, in the organization that allows it longest; 0: nowhere
}

// SignInOffer returns what the form of the sign-in offers.
func (s *Service) SignInOffer(ctx context.Context) (o SignInOffer, err error) {
	if err := s.pool.QueryRow(ctx, `
		select exists (select from single_sign_on), coalesce(max(session_stay_days), 0) from organization`,
	).Scan(&o.SignOn, &o.StayDays); err != nil {
		return SignInOffer{}, fmt.Errorf("read what the sign-in offers: %w", err)
	}
	return o, nil
}

// SignOnRequired refuses a password in an organization that has turned passwords off.
type SignOnRequired struct {
	Organization string // the organization's name
	Address      string // of its single sign-on
}

func (e *SignOnRequired) Error() string { return e.refusal().Error() }

// Unwrap makes the refusal a fault.
func (e *SignOnRequired) Unwrap() error { return e.refusal() }

func (e *SignOnRequired) refusal() *fault.Error {
	return fault.New(fault.Forbidden, "%s takes no passwords. Sign in with single sign-on", e.Organization)
}

// passwordRefused is SQL: whether an organization refuses the passwords of the members m.
const passwordRefused = `(m.role <> 'admin' and exists (
	select from single_sign_on x where x.organization_id = m.organization_id and x.passwords_off))`

// signOnRequired returns a *SignOnRequired if one organization, or with uuid.Nil every organization of a user, takes
// no password of theirs.
func signOnRequired(ctx context.Context, db postgres.DB, userID, organizationID uuid.UUID) error {
	var e SignOnRequired
	err := db.QueryRow(ctx, `
		select o.name, x.address
		from membership m join single_sign_on x using (organization_id) join organization o on o.id = x.organization_id
		where m.user_id = @user_id and @organization_id::uuid in (m.organization_id, @none::uuid)
		  and `+passwordRefused+`
		order by m.seen_at desc nulls last, m.created_at, m.organization_id limit 1`, pgx.NamedArgs{
		"user_id": userID, "organization_id": organizationID, "none": uuid.Nil,
	}).Scan(&e.Organization, &e.Address)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("look for single sign-on: %w", err)
	}
	return &e
}
