package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/account"
	sample "github.com/dialwright/dialwright/internal/demo"
)

// demo is serve with sample data on the simulated phone network. A second demo on the same database continues with the
// existing data.
func demo(ctx context.Context, p *process) error {
	in, err := start(ctx, p)
	if err != nil {
		return err
	}
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
	if err := writePrivately(path, c); err != nil {
		return fmt.Errorf("write the demo's credentials: %w", err)
	}
	fmt.Fprintf(in.p.stdout, `
%s, a demo of Dialwright

  Dashboard   %s
  Email       %s
  Password    %s
  API key     %s

%s contains these and the credentials of a second organization.

`, c.Organization, c.URL, c.Email, c.Password, c.APIKey, path)
	return nil
}

// grant makes sure that access opens the organization. It keeps valid credentials, because only their file contains
// the password and the value of the key.
func (in *instance) grant(ctx context.Context, t sample.Tenant, access *demoAccess) error {
	known := *access
	*access = demoAccess{
		URL: in.PublicURL, Email: t.Email, Password: known.Password, APIKey: known.APIKey, Organization: t.Name,
	}

	if t.Password != "" {
		access.Password = t.Password // new admin
	} else if valid, err := in.Accounts.HasPassword(ctx, t.Email, known.Password); err != nil {
		return err
	} else if !valid || known.Email != t.Email {
		access.Password = rand.Text()
		if err := in.Accounts.ResetPassword(ctx, t.Email, access.Password); err != nil {
			return err
		}
	}
	valid, err := in.isKeyOf(ctx, t.Actor.OrganizationID, access.APIKey)
	if err != nil || valid {
		return err
	}
	_, access.APIKey, err = in.Accounts.CreateKey(ctx, t.Actor, account.NewKey{Name: "Demo"})
	return err
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

// writePrivately replaces a file atomically by v as JSON. Only the owner can read it.
func writePrivately(path string, v any) (err error) {
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
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
