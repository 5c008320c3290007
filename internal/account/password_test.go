package account_test

import (
	"strings"
	"testing"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/fault"
)

// Every new password must be hard to guess for a person who knows common passwords and
// the owner.
func TestPasswordsMustBeHardToGuess(t *testing.T) {
	t.Parallel()
	f := setup(t)
	ctx := t.Context()
	const tooEasy = "too easy to guess. Use several unrelated words or a random password"
	weak := []string{
		"password123456", "passwordpassword", "qwertyuiopas", "aaaaaaaaaaaa", "123456789012", "iloveyou1234",
		"P@ssw0rd1234", "Summer2026!!",
		"dialwright123", "meridian home health", "MeridianHomeHealth2026", "meridian.example", "ana@meridian.example",
		"Ana Lund 1984", strings.Repeat("x", 200),
	}
	for _, password := range weak {
		wantFault(t, f.accounts.ResetPassword(ctx, f.admin.Email, password), fault.Invalid, "password: "+tooEasy)
	}
	for _, password := range []string{
		"correct horse battery", "blink drums lamp", "kq7Gd0xTbw3Lm", "un caf\u00e9 tranquille",
		"ein ruhiger oranger Fluss",
	} {
		if err := f.accounts.ResetPassword(ctx, f.admin.Email, password); err != nil {
			t.Errorf("%s: %v", password, err)
		}
	}
	if err := f.accounts.ResetPassword(ctx, f.admin.Email, password); err != nil {
		t.Fatal(err)
	}

	const known = "Meridian Home Health"
	_, session := f.signIn(t)
	wantFault(t, f.accounts.ChangePassword(ctx, session, f.actor, password, known), fault.Invalid, "new_password: "+
		tooEasy)
	user := account.NewUser{Email: "ben@example.com", Name: "Ben", Password: known, Role: account.Staff}
	_, err := f.accounts.CreateUser(ctx, f.actor, user)
	wantFault(t, err, fault.Invalid, "password: "+tooEasy)
	_, _, err = f.accounts.CreateOrganizationWithUser(ctx, account.OrganizationSettings{Name: known}, user)
	wantFault(t, err, fault.Invalid, "password: "+tooEasy)
	_, invited, err := f.accounts.Invite(ctx, f.actor, "cleo@example.com", account.Staff)
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = f.accounts.AcceptInvitation(ctx, invited, "Cleo", known, here)
	wantFault(t, err, fault.Invalid, "password: "+tooEasy)
	somebody := f.actor
	somebody.ID[15]++
	_, link, err := f.accounts.CreateResetLink(ctx, somebody, f.admin.ID, "")
	if err != nil {
		t.Fatal(err)
	}
	wantFault(t, f.useResetLink(t, link, known), fault.Invalid, "password: "+tooEasy)
}
