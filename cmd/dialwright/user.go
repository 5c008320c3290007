package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/fault"
)

// password returns the given password, or a random password, which the caller must print.
func (p *process) password() (value string, madeUp bool) {
	if p.Password != "" {
		return p.Password, false
	}
	return rand.Text(), true
}

func userCreate(ctx context.Context, p *process) error {
	dbs, err := openDatabases(ctx, p)
	if err != nil {
		return err
	}
	defer dbs.close()
	password, madeUp := p.password()
	wanted := account.NewUser{
		Email: p.Email, Name: cmp.Or(p.Name, p.Email), Password: password, Role: account.Role(p.UserRole),
	}
	var user account.User
	accounts, organization, err := dbs.organization(ctx, p.Organization)
	switch {
	case fault.KindOf(err) == fault.NotFound:
		if accounts, err = dbs.newcomers(ctx, p.Cell); err != nil {
			return err
		}
		organization, user, err = accounts.CreateOrganizationWithUser(ctx, account.OrganizationSettings{
			Name: p.Organization,
		}, wanted)
	case err == nil:
		user, err = accounts.CreateUser(ctx, account.Operator(organization.ID), wanted)
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(p.stdout, "%s is now %s of %s.\n", user.Email, p.UserRole, organization.Name)
	if madeUp {
		fmt.Fprintf(p.stdout, "Password: %s\n", password)
	}
	return nil
}

// withUser runs fn on the accounts of the user of --email, in the database of a server that may be running.
func withUser(ctx context.Context, p *process, fn func(*account.Service) error) error {
	dbs, err := openDatabases(ctx, p)
	if err != nil {
		return err
	}
	defer dbs.close()
	return dbs.everywhere(fn)
}

func userResetPassword(ctx context.Context, p *process) error {
	password, madeUp := p.password()
	if err := withUser(ctx, p, func(accounts *account.Service) error {
		return accounts.ResetPassword(ctx, p.Email, password)
	}); err != nil {
		return err
	}
	fmt.Fprintln(p.stdout, "The password was changed. The user is signed out everywhere.")
	if madeUp {
		fmt.Fprintf(p.stdout, "Password: %s\n", password)
	}
	return nil
}

func userResetSecondFactor(ctx context.Context, p *process) error {
	if err := withUser(ctx, p, func(accounts *account.Service) error {
		return accounts.RemoveSecondFactor(ctx, p.Email)
	}); err != nil {
		return err
	}
	fmt.Fprintln(p.stdout, "Two-step sign-in is off for this account.")
	return nil
}
