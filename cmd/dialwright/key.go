package main

import (
	"context"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/page"
)

// withOrganization runs fn on the organization of --org, in the database of a server that may be running.
func withOrganization(
	ctx context.Context, p *process, fn func(*account.Service, account.Organization) error,
) error {
	dbs, err := openDatabases(ctx, p)
	if err != nil {
		return err
	}
	defer dbs.close()
	accounts, organization, err := dbs.organization(ctx, p.Organization)
	if err != nil {
		return err
	}
	return fn(accounts, organization)
}

func keyCreate(ctx context.Context, p *process) error {
	return withOrganization(ctx, p, func(accounts *account.Service, organization account.Organization) error {
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
	return withOrganization(ctx, p, func(accounts *account.Service, organization account.Organization) error {
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
	return withOrganization(ctx, p, func(accounts *account.Service, organization account.Organization) error {
		if err := accounts.RevokeKey(ctx, account.Operator(organization.ID), id); err != nil {
			return err
		}
		fmt.Fprintln(p.stdout, "The key was revoked.")
		return nil
	})
}
