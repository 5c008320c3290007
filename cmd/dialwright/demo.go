package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/account"
	sample "github.com/dialwright/dialwright/internal/demo"
	"github.com/dialwright/dialwright/internal/page"
)

// demo is serve with sample data on the simulated phone network. A second demo on the same database continues with the
// existing data.
func demo(ctx context.Context, p *process) error {
	if p.DirectoryURL != "" {
		return usageError{errors.New("the demo has one database: use DATABASE_URL, or neither")}
	}
	s, err := start(ctx, p)
	if err != nil {
		return err
	}
	in := s.only()
	if err := in.prepareDemo(ctx); err != nil {
		in.close()
		return err
	}
	return in.run(ctx)
}

// demoCredentials is the content of credentials.json, with which people use the demo.
type demoCredentials struct {
	demoAccess
	Other demoAccess `json:"other"` // the second organization
}

// demoAccess contains the credentials of an organization.
type demoAccess struct {
	URL          string `json:"url"`
	Email        string `json:"email"`
	Password     string `json:"password"`
	APIKey       string `json:"api_key"`
	Organization string `json:"organization"` // name of the organization

	// The newest parts of a campaign; empty: there are none.
	ProjectID     string `json:"project_id"`
	AgentID       string `json:"agent_id"`
	PhoneNumberID string `json:"phone_number_id"`

	Members []demoMember `json:"members,omitempty"` // people with other roles
}

// demoMember contains the sign-in of a member who is not the admin of the organization.
type demoMember struct {
	Role     account.Role `json:"role"`
	Email    string       `json:"email"`
	Password string       `json:"password"`
}

func (in *instance) prepareDemo(ctx context.Context) error {
	tenants, err := sample.Seed(ctx, sample.Options{
		App:          in.App,
		SandboxURL:   in.sandboxURL,
		SandboxToken: in.sandboxToken,
		Messaging:    in.sandboxWhatsApp(),
	})
	if err != nil {
		return fmt.Errorf("make the sample data: %w", err)
	}
	path := filepath.Join(in.p.Data, "credentials.json")
	var c demoCredentials
	if text, err := os.ReadFile(path); err == nil {
		if json.Unmarshal(text, &c) != nil {
			c = demoCredentials{} // a foreign file; replaced
		}
	} else if !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("read the demo's credentials: %w", err)
	}
	for i, access := range []*demoAccess{&c.demoAccess, &c.Other} {
		if err := in.grant(ctx, tenants[i], access); err != nil {
			return fmt.Errorf("make the demo's credentials: %w", err)
		}
	}
	text, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		return fmt.Errorf("encode the demo's credentials: %w", err)
	}
	shell := filepath.Join(in.p.Data, "demo.env")
	if err := errors.Join(writePrivately(path, text), writePrivately(shell, []byte(c.shell()))); err != nil {
		return fmt.Errorf("write the demo's credentials: %w", err)
	}
	fmt.Fprintf(in.p.stdout, `
%s, a demo of Dialwright

  Dashboard   %s
  Email       %s
  Password    %s
  API key     %s

%s%s contains these and the credentials of a second organization.
%s sets the API key in a shell, with the IDs of a project, an agent and a phone number.

`, c.Organization, c.URL, c.Email, c.Password, c.APIKey, c.signIns(), path, shell)
	return nil
}

// shell sets what requests to the API need as variables of a shell.
func (a demoAccess) shell() string {
	return fmt.Sprintf(`DIALWRIGHT_URL='%s'
DIALWRIGHT_KEY='%s'
PROJECT_ID='%s'
AGENT_ID='%s'
PHONE_NUMBER_ID='%s'`, a.URL, a.APIKey, a.ProjectID, a.AgentID, a.PhoneNumberID)
}

// signIns lists the members with other roles, with their passwords.
func (a demoAccess) signIns() string {
	var b strings.Builder
	for _, m := range a.Members {
		fmt.Fprintf(&b, "  %-11s %s\n              %s\n", m.Role.Name(), m.Email, m.Password)
	}
	if b.Len() > 0 {
		b.WriteString("\n")
	}
	return b.String()
}

// grant makes sure that access opens the organization. It keeps valid credentials, because only their file contains
// the password and the value of the key.
func (in *instance) grant(ctx context.Context, t sample.Tenant, access *demoAccess) error {
	known := *access
	*access = demoAccess{
		URL: in.PublicURL, Email: t.Email, Password: known.Password, APIKey: known.APIKey, Organization: t.Name,
	}

	var err error
	if access.Password, err = in.passwordOf(ctx, t.Email, t.Password, known.Email, known.Password); err != nil {
		return err
	}
	for _, m := range t.Members {
		was := demoMember{}
		if i := slices.IndexFunc(known.Members, func(k demoMember) bool { return k.Email == m.Email }); i >= 0 {
			was = known.Members[i]
		}
		password, err := in.passwordOf(ctx, m.Email, m.Password, was.Email, was.Password)
		if err != nil {
			return err
		}
		access.Members = append(access.Members, demoMember{Role: m.Role, Email: m.Email, Password: password})
	}
	if err := in.findParts(ctx, t.Actor.OrganizationID, access); err != nil {
		return err
	}
	valid, err := in.isKeyOf(ctx, t.Actor.OrganizationID, access.APIKey)
	if err != nil || valid {
		return err
	}
	_, access.APIKey, err = in.Accounts.CreateKey(ctx, t.Actor, account.NewKey{Name: "Demo"})
	return err
}

// findParts finds the newest parts of a campaign.
func (in *instance) findParts(ctx context.Context, organizationID uuid.UUID, access *demoAccess) error {
	newest := page.Request{Limit: 1}
	projects, err := in.Projects.Projects(ctx, organizationID, newest)
	if err != nil {
		return err
	}
	agents, err := in.Projects.Agents(ctx, organizationID, newest)
	if err != nil {
		return err
	}
	numbers, err := in.Projects.PhoneNumbers(ctx, organizationID, false, newest)
	if err != nil {
		return err
	}
	for _, p := range projects.Data {
		access.ProjectID = p.ID.String()
	}
	for _, a := range agents.Data {
		access.AgentID = a.ID.String()
	}
	for _, n := range numbers.Data {
		access.PhoneNumberID = n.ID.String()
	}
	return nil
}

// passwordOf returns a valid password of the account of email: created, the password of a new
// account, or the known one of the account of knownEmail. If neither is valid, it sets a new
// password.
func (in *instance) passwordOf(ctx context.Context, email, created, knownEmail, known string) (string, error) {
	if created != "" {
		return created, nil
	}
	valid, err := in.Accounts.HasPassword(ctx, email, known)
	if err != nil || valid && knownEmail == email {
		return known, err
	}
	password := rand.Text()
	return password, in.Accounts.ResetPassword(ctx, email, password)
}

// isKeyOf checks a key without using it, so the check does not count as a request.
func (in *instance) isKeyOf(ctx context.Context, organizationID uuid.UUID, value string) (valid bool, err error) {
	err = in.db.pool.QueryRow(ctx, `
		select exists (
			select from api_key
			where organization_id = $1 and hash = sha256(convert_to($2, 'UTF8')) and $3 = any(scopes)
			  and revoked_at is null and (expires_at is null or expires_at > clock()))`,
		organizationID, value, account.EveryScope).Scan(&valid)
	if err != nil {
		return false, fmt.Errorf("look for the demo's key: %w", err)
	}
	return valid, nil
}

// writePrivately replaces a file atomically by a text. Only the owner can read it.
func writePrivately(path string, text []byte) (err error) {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, ".credentials-*") // 0600
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(f.Name()) // the caller gets err
		}
	}()
	_, err = f.Write(append(text, '\n'))
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
