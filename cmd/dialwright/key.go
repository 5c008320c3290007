package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/project"
)

// withAccounts runs fn on the database of a server that may be running.
func withAccounts(ctx context.Context, p *process, fn func(*account.Service) error) error {
	db, err := openDatabase(ctx, p, true)
	if err != nil {
		return err
	}
	defer db.close()
	return fn(account.New(account.Options{Pool: db.pool, Vault: db.vault, Begin: project.CreateFirst}))
}

// organization finds the organization of --org. The flag is optional if there is only one organization.
func (p *process) organization(ctx context.Context, accounts *account.Service) (account.Organization, error) {
	if p.Organization != "" {
		return accounts.FindOrganization(ctx, p.Organization)
	}
	all, err := accounts.Organizations(ctx)
	if err != nil {
		return account.Organization{}, err
	}
	switch len(all) {
	case 0:
		return account.Organization{}, usageError{errors.New("--org is required, because there is no organization yet")}
	case 1:
		return all[0], nil
	}
	return account.Organization{}, usageError{
		fmt.Errorf("--org is required, because there are %d organizations", len(all)),
	}
}

func keyCreate(ctx context.Context, p *process) error {
	return withAccounts(ctx, p, func(accounts *account.Service) error {
		organization, err := p.organization(ctx, accounts)
		if err != nil {
			return err
		}
		n := account.NewKey{Name: p.Name}
		for _, scope := range p.Scopes {
			n.Scopes = append(n.Scopes, account.Scope(scope))
		}
		var problems fault.Problems
		n.Networks = account.ParseNetworks(&problems, "--networks", strings.Join(p.Networks, ","))
		if err := problems.Err(); err != nil {
			return err
		}
		if p.Expires > 0 {
			at := time.Now().Add(p.Expires)
			n.ExpiresAt = &at
		}
		_, value, err := accounts.CreateKey(ctx, account.Operator(organization.ID), n)
		if err != nil {
			return err
		}
		fmt.Fprintln(p.stdout, value)
		return nil
	})
}

func keyList(ctx context.Context, p *process) error {
	return withAccounts(ctx, p, func(accounts *account.Service) error {
		organization, err := p.organization(ctx, accounts)
		if err != nil {
			return err
		}
		out := tabwriter.NewWriter(p.stdout, 0, 4, 2, ' ', 0)
		fmt.Fprintln(out, "ID\tNAME\tKEY\tSCOPES\tEXPIRES\tLAST USED")
		request := page.Request{Limit: page.MaxLimit}
		for {
			list, err := accounts.Keys(ctx, organization.ID, false, request)
			if err != nil {
				return err
			}
			for _, k := range list.Data {
				scopes := "all"
				if !k.AllScopes() {
					names := make([]string, len(k.Scopes))
					for i, scope := range k.Scopes {
						names[i] = string(scope)
					}
					scopes = strings.Join(names, ",")
				}
				fmt.Fprintf(out, "%s\t%s\t%s\t%s\t%s\t%s\n", k.ID, k.Name, k.Display, scopes, moment(k.ExpiresAt),
					moment(k.LastUsedAt))
			}
			if list.NextCursor == nil {
				return out.Flush()
			}
			request.Cursor = *list.NextCursor
		}
	})
}

func moment(t *time.Time) string {
	if t == nil {
		return "never"
	}
	return t.UTC().Format(time.RFC3339)
}

func keyRevoke(ctx context.Context, p *process) error {
	id, err := uuid.Parse(p.Args[0])
	if err != nil {
		return usageError{fmt.Errorf("KEY-ID: %q is not an ID. Run 'dialwright key list' to see the IDs", p.Args[0])}
	}
	return withAccounts(ctx, p, func(accounts *account.Service) error {
		organization, err := p.organization(ctx, accounts)
		if err != nil {
			return err
		}
		if err := accounts.RevokeKey(ctx, account.Operator(organization.ID), id); err != nil {
			return err
		}
		fmt.Fprintln(p.stdout, "The key was revoked.")
		return nil
	})
}
