package account

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/oidc"
	"github.com/dialwright/dialwright/internal/postgres"
)

// SignOnLifetime is how long a person may take at the provider.
const SignOnLifetime = 10 * time.Minute

const signOnTicket = "single_sign_on_ticket"

// signOnStart is what a sign-in at a provider keeps in the browser.
type signOnStart struct {
	Organization uuid.UUID
	Registration []byte // hash of the issuer and the client
	Request      oidc.Request
	Next         string
}

// SignOnStart is a sign-in that has begun.
type SignOnStart struct {
	URL    string // the provider's page
	State  string // comes back from the provider
	Ticket string // sealed; the browser keeps it, and nobody else may have it
}

// BeginSingleSignOn starts a sign-in at the provider of the organization at an address. callback is the URL to which
// CallbackURL adds the organization, next is the page to open afterwards, and hint the email address that the person
// typed. Errors: NotFound, BadGateway.
func (s *Service) BeginSingleSignOn(ctx context.Context, address, callback, next, hint string) (SignOnStart, error) {
	o, err := s.SignOnAt(ctx, address)
	if err != nil {
		return SignOnStart{}, err
	}
	p, err := s.provider(ctx, o.OrganizationID, callback)
	if err != nil {
		return SignOnStart{}, err
	}
	start := signOnStart{
		Organization: o.OrganizationID,
		Registration: registration(p.Issuer, p.ClientID),
		Request:      oidc.NewRequest(),
		Next:         next,
	}
	to, err := s.providers.AuthURL(ctx, p, start.Request, hint)
	if err != nil {
		return SignOnStart{}, err
	}
	sealed, err := s.sealTicket(ctx, signOnTicket, ticket{SignOn: &start}, SignOnLifetime)
	return SignOnStart{URL: to, State: start.Request.State, Ticket: sealed}, err
}

// registration identifies a client at a provider. Its length is bounded, so that a ticket fits a cookie.
func registration(issuer, clientID string) []byte {
	sum := sha256.Sum256([]byte(issuer + "\x00" + clientID))
	return sum[:]
}

// CallbackURL returns where the provider of an organization sends browsers back to. Each organization has its own, so
// that no provider gets the codes of another one (the mix-up of RFC 9207), and the address of the sign-in page can
// change.
func CallbackURL(callback string, organizationID uuid.UUID) string {
	return callback + organizationID.String()
}

// provider returns the registration of an organization with its provider. Errors: NotFound.
func (s *Service) provider(ctx context.Context, organizationID uuid.UUID, callback string) (oidc.Provider, error) {
	p := oidc.Provider{RedirectURL: CallbackURL(callback, organizationID)}
	var sealed []byte
	err := s.pool.QueryRow(ctx, `
		select issuer, client_id, client_secret from single_sign_on where organization_id = $1`, organizationID).
		Scan(&p.Issuer, &p.ClientID, &sealed)
	if errors.Is(err, pgx.ErrNoRows) {
		return oidc.Provider{}, fault.NotFoundf("Page")
	}
	if err != nil {
		return oidc.Provider{}, fmt.Errorf("read single sign-on: %w", err)
	}
	secret, err := s.vault.Open(sealed, clientSecretCell(organizationID))
	if err != nil {
		return oidc.Provider{}, fmt.Errorf("open the secret of single sign-on: %w", err)
	}
	p.ClientSecret = string(secret)
	return p, nil
}

// FinishSingleSignOn completes a sign-in with the answer of the provider and opens a session in the organization, and
// in no other one. next is the page that BeginSingleSignOn was given; it is known even if the sign-in is refused.
// Two-step sign-in is the provider's. Errors: Conflict for a ticket that is used, too old, or of another sign-in;
// Forbidden if the person may not sign in; BadGateway.
func (s *Service) FinishSingleSignOn(
	ctx context.Context, organizationID uuid.UUID, sealed, callback string, answer oidc.Answer, client Client,
) (token string, session Session, next string, err error) {
	t, ok, err := s.openTicket(ctx, signOnTicket, sealed)
	if err != nil {
		return "", Session{}, "", err
	}
	if !ok || t.SignOn == nil || t.SignOn.Organization != organizationID ||
		subtle.ConstantTimeCompare([]byte(t.SignOn.Request.State), []byte(answer.State)) != 1 {
		return "", Session{}, "", oidc.ErrAnotherSignIn
	}
	next = t.SignOn.Next
	p, err := s.provider(ctx, organizationID, callback)
	if err != nil {
		return "", Session{}, next, err
	}
	o, err := s.SingleSignOn(ctx, organizationID)
	if err != nil {
		return "", Session{}, next, err
	}
	if o == nil || !bytes.Equal(t.SignOn.Registration, registration(p.Issuer, p.ClientID)) {
		return "", Session{}, next, errSignOnMoved
	}
	person, err := s.providers.Exchange(ctx, p, t.SignOn.Request, answer, o.RoleClaim)
	if err != nil {
		return "", Session{}, next, err
	}
	token, session, err = s.enterBySignOn(ctx, t, person, client)
	if errors.Is(err, errEmailTaken) { // another organization made an account with this address at the same time
		token, session, err = s.enterBySignOn(ctx, t, person, client)
	}
	return token, session, next, err
}

var errSignOnMoved = fault.Conflictf("The settings of single sign-on have just changed. Sign in again")

func (s *Service) enterBySignOn(
	ctx context.Context, t ticket, person oidc.Person, client Client,
) (token string, session Session, err error) {
	organizationID := t.SignOn.Organization
	token = newToken()
	var refused *fault.Error
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		// The lock lets the first sign-ins of an organization pass one after the other, so that two of the same
		// person make one account.
		o, err := readSignOn(ctx, tx, organizationID, "for no key update")
		if err != nil {
			return err
		}
		if o == nil || !bytes.Equal(t.SignOn.Registration, registration(o.Issuer, o.ClientID)) {
			return errSignOnMoved
		}
		tag, err := tx.Exec(ctx, `
			insert into single_sign_on_use (state_hash, expires_at) values (@hash, @until) on conflict do nothing`,
			pgx.NamedArgs{"hash": hashToken(t.SignOn.Request.State), "until": t.Until})
		if err != nil {
			return fmt.Errorf("use a sign-in: %w", err)
		}
		if tag.RowsAffected() == 0 {
			return oidc.ErrAnotherSignIn
		}
		a := arrival{
			settings: o, organizationID: organizationID, person: person, role: o.roleOf(person), client: client,
		}
		userID, err := a.admit(ctx, tx)
		if f, ok := errors.AsType[*refusal](err); ok { // what it changed is kept
			refused = f.fault
			return a.recordRefusal(ctx, tx, f)
		}
		if err != nil {
			return err
		}
		session, err = insertSession(ctx, tx, token, userID, organizationID, client)
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `update single_sign_on set signed_in_at = clock() where organization_id = $1`,
			organizationID)
		if err != nil {
			return fmt.Errorf("note a sign-in: %w", err)
		}
		return recordSession(ctx, tx, session, "single_sign_on", client)
	})
	if err == nil && refused != nil {
		err = refused
	}
	if err != nil {
		return "", Session{}, err
	}
	return token, session, nil
}

// roleOf returns the role that the claim of a person stands for; "" for none.
func (o SingleSignOn) roleOf(person oidc.Person) Role {
	if o.RoleClaim != "" {
		has := person.Values(o.RoleClaim)
		for _, mapped := range []struct {
			role   Role
			values []string
		}{{Admin, o.AdminValues}, {Manager, o.ManagerValues}, {Staff, o.StaffValues}} {
			if slices.ContainsFunc(mapped.values, func(v string) bool { return slices.Contains(has, v) }) {
				return mapped.role
			}
		}
	}
	return o.DefaultRole
}
