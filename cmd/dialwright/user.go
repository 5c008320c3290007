package main

import (
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
	return withAccounts(ctx, p, func(accounts *account.Service) error {
		name := p.Name
		if name == "" {
			name = p.Email
		}
		password, madeUp := p.password()
		wanted := account.NewUser{Email: p.Email, Name: name, Password: password, Role: account.Role(p.UserRole)}
		var user account.User
		organization, err := p.organization(ctx, accounts)
		switch {
		case fault.KindOf(err) == fault.NotFound:
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
	})
}

func userResetPassword(ctx context.Context, p *process) error {
	return withAccounts(ctx, p, func(accounts *account.Service) error {
		password, madeUp := p.password()
		if err := accounts.ResetPassword(ctx, p.Email, password); err != nil {
			return err
		}
		fmt.Fprintln(p.stdout, "The password was changed. The user is signed out everywhere.")
		if madeUp {
			fmt.Fprintf(p.stdout, "Password: %s\n", password)
		}
		return nil
	})
}

func userResetSecondFactor(ctx context.Context, p *process) error {
	return withAccounts(ctx, p, func(accounts *account.Service) error {
		if err := accounts.RemoveSecondFactor(ctx, p.Email); err != nil {
			return err
		}
		fmt.Fprintln(p.stdout, "Two-step sign-in is off for this account.")
		return nil
	})
}
