package oidc

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"github.com/dialwright/dialwright/internal/fault"
)

// Request is what one sign-in keeps in the browser from its start to its end.
type Request struct {
	State    string // comes back in the answer, so that nobody can complete another browser's sign-in
	Nonce    string // comes back in the ID token, so that no token works twice
	Verifier string // proves to the provider that the code was asked for here (PKCE, RFC 7636)
}

// NewRequest makes the secrets of a sign-in.
func NewRequest() Request {
	return Request{State: random(), Nonce: random(), Verifier: oauth2.GenerateVerifier()}
}

func random() string {
	var b [32]byte
	rand.Read(b[:])
	return base64.RawURLEncoding.EncodeToString(b[:])
}

func (p Provider) config(d *description) *oauth2.Config {
	return &oauth2.Config{
		ClientID:     p.ClientID,
		ClientSecret: p.ClientSecret,
		Endpoint:     d.endpoint,
		RedirectURL:  p.RedirectURL,
		Scopes:       []string{oidc.ScopeOpenID, "profile", "email"},
	}
}

// AuthURL returns the provider's page on which the person signs in. hint is the email address that the person typed;
// "" for none. Errors: BadGateway.
func (c *Client) AuthURL(ctx context.Context, p Provider, r Request, hint string) (string, error) {
	d, err := c.described(ctx, p.Issuer)
	if err != nil {
		return "", err
	}
	options := []oauth2.AuthCodeOption{oidc.Nonce(r.Nonce), oauth2.S256ChallengeOption(r.Verifier)}
	if hint != "" {
		options = append(options, oauth2.SetAuthURLParam("login_hint", hint))
	}
	return p.config(d).AuthCodeURL(r.State, options...), nil
}

// Answer is what the provider sent the browser back with.
type Answer struct {
	State  string
	Code   string
	Issuer string // RFC 9207; "": not sent
	Error  string // the provider's word for a refusal; "": none
}

// Exchange completes a sign-in. claims names the claims that the ID token should have. Those that it lacks are read
// from the provider's user info. Errors: Conflict for an answer that does not belong to the request, Forbidden if the
// provider refused the person, BadGateway.
func (c *Client) Exchange(
	ctx context.Context, p Provider, r Request, answer Answer, claims ...string,
) (Person, error) {
	if r.State == "" || subtle.ConstantTimeCompare([]byte(r.State), []byte(answer.State)) != 1 {
		return Person{}, ErrAnotherSignIn
	}
	d, err := c.described(ctx, p.Issuer)
	if err != nil {
		return Person{}, err
	}
	if answer.Issuer != p.Issuer && (answer.Issuer != "" || d.iss) {
		return Person{}, ErrAnotherSignIn
	}
	if answer.Error != "" || answer.Code == "" {
		return Person{}, fault.New(fault.Forbidden, "%s did not sign you in. Try again, or ask an admin of your "+
			"organization", Host(p.Issuer)).Because(errors.New("the provider answered " + cut(answer.Error)))
	}
	ctx = oidc.ClientContext(ctx, c.http)
	token, err := p.config(d).Exchange(ctx, answer.Code, oauth2.VerifierOption(r.Verifier))
	if err != nil {
		return Person{}, c.gateway(p.Issuer, err)
	}
	person, err := c.verify(ctx, d, p, r, token)
	if err != nil {
		return Person{}, c.gateway(p.Issuer, err)
	}
	if d.userInfo != "" && !person.has(append(claims, "email", "email_verified")) {
		if err := person.complete(ctx, d, token); err != nil {
			return Person{}, c.gateway(p.Issuer, err)
		}
	}
	return person, nil
}

// ErrAnotherSignIn refuses an answer that does not belong to the sign-in that this browser started.
var ErrAnotherSignIn = fault.Conflictf(
	"This sign-in took too long, was already used, or began in another browser. Sign in again")

// verify reads the ID token.
func (c *Client) verify(
	ctx context.Context, d *description, p Provider, r Request, token *oauth2.Token,
) (Person, error) {
	raw, ok := token.Extra("id_token").(string)
	if !ok {
		return Person{}, errors.New("the provider sent no ID token")
	}
	id, err := d.provider.Verifier(&oidc.Config{ClientID: p.ClientID}).Verify(ctx, raw)
	if err != nil {
		return Person{}, fmt.Errorf("verify the ID token: %w", err)
	}
	if subtle.ConstantTimeCompare([]byte(id.Nonce), []byte(r.Nonce)) != 1 {
		return Person{}, errors.New("the ID token has another nonce")
	}
	if id.AccessTokenHash != "" {
		if err := id.VerifyAccessToken(token.AccessToken); err != nil {
			return Person{}, fmt.Errorf("verify the access token: %w", err)
		}
	}
	person := Person{Subject: id.Subject}
	if err := id.Claims(&person.claims); err != nil {
		return Person{}, fmt.Errorf("read the ID token: %w", err)
	}
	if azp := person.text("azp"); len(id.Audience) > 1 && azp != p.ClientID || azp != "" && azp != p.ClientID {
		return Person{}, fmt.Errorf("the ID token is for the client %q", cut(azp))
	}
	if id.Subject == "" || len(id.Subject) > maxSubject {
		return Person{}, errors.New("the ID token has no usable subject")
	}
	return person, nil
}

// maxSubject bounds a subject, in bytes. The specification allows 255 characters of ASCII.
const maxSubject = 255

// Person is the person whom a provider has signed in.
type Person struct {
	Subject string
	claims  map[string]any
}

// NewPerson makes a person with claims, for callers that have verified them in another way.
func NewPerson(subject string, claims map[string]any) Person {
	return Person{Subject: subject, claims: claims}
}

func (p Person) text(claim string) string {
	s, _ := p.claims[claim].(string)
	return strings.ToValidUTF8(strings.TrimSpace(s), "")
}

// Email returns the person's address, and whether the provider has verified that it is theirs.
func (p Person) Email() (email string, verified bool) {
	email = p.text("email")
	switch v := p.claims["email_verified"].(type) {
	case bool:
		verified = v
	case string: // as Amazon Cognito writes it
		verified = v == "true"
	}
	return email, verified && email != ""
}

// Name returns the name that the provider has for the person, or "".
func (p Person) Name() string {
	if name := p.text("name"); name != "" {
		return name
	}
	return strings.TrimSpace(p.text("given_name") + " " + p.text("family_name"))
}

// Values returns the values of a claim: a text, or a list of texts. A claim within another one is named with dots, as
// in "realm_access.roles", unless a claim has exactly this name.
func (p Person) Values(claim string) []string {
	value, _ := find(p.claims, claim)
	switch v := value.(type) {
	case string:
		return []string{v}
	case []any:
		var values []string
		for _, each := range v {
			if s, ok := each.(string); ok {
				values = append(values, s)
			}
		}
		return values
	}
	return nil
}

func find(claims map[string]any, claim string) (any, bool) {
	if v, ok := claims[claim]; ok {
		return v, true
	}
	if outer, inner, nested := strings.Cut(claim, "."); nested {
		if within, ok := claims[outer].(map[string]any); ok {
			return find(within, inner)
		}
	}
	return nil, false
}

func (p Person) has(claims []string) bool {
	return !slices.ContainsFunc(claims, func(claim string) bool {
		_, ok := find(p.claims, claim)
		return claim != "" && !ok
	})
}

// complete adds the claims of the user info that the ID token lacks. An address is verified by what the same source
// says about it.
func (p *Person) complete(ctx context.Context, d *description, token *oauth2.Token) error {
	info, err := d.provider.UserInfo(ctx, oauth2.StaticTokenSource(token))
	if err != nil {
		return fmt.Errorf("read the user info: %w", err)
	}
	if info.Subject != p.Subject {
		return errors.New("the user info is about somebody else")
	}
	var more map[string]any
	if err := info.Claims(&more); err != nil {
		return fmt.Errorf("read the user info: %w", err)
	}
	if email, told := p.claims["email"]; told && email != more["email"] {
		delete(more, "email_verified")
	} else if !told && more["email"] != nil {
		delete(p.claims, "email_verified")
	}
	for claim, value := range more {
		if _, told := p.claims[claim]; !told {
			p.claims[claim] = value
		}
	}
	return nil
}
