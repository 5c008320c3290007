package account_test

import (
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/fault"
)

// policy is the policy of a new organization.
var policy = account.SignInPolicy{SessionIdleMinutes: 30, SessionHours: 12, SessionStayDays: 30}

func (f *fixture) setPolicy(t *testing.T, change func(*account.SignInPolicy)) {
	t.Helper()
	p := policy
	change(&p)
	if err := f.accounts.SetSignInPolicy(t.Context(), f.actor, p); err != nil {
		t.Fatal(err)
	}
}

func TestAnOrganizationRequiresTheSecondFactor(t *testing.T) {
	t.Parallel()
	f := setup(t)
	ctx := t.Context()
	token, session := f.signIn(t)
	if session.FactorNeeded {
		t.Fatal("it is required of nobody yet")
	}
	f.setPolicy(t, func(p *account.SignInPolicy) { p.SecondFactorRequired = true })
	if session, err := f.accounts.Authenticate(ctx, token); err != nil || !session.FactorNeeded {
		t.Errorf("an open session: %+v, %v", session, err)
	}
	f.enroll(t)
	if session, err := f.accounts.Authenticate(ctx, token); err != nil || session.FactorNeeded {
		t.Errorf("after it was set up: %+v, %v", session, err)
	}
	if got := audited(t, f.db.Pool, f.org.ID, f.org.ID); len(got) != 2 || got[1] != "organization.sign_in_updated" {
		t.Errorf("%q", got)
	}
}

func TestSessionsEndByThePolicy(t *testing.T) {
	t.Parallel()
	f := setup(t)
	ctx := t.Context()
	alive := func(token string) bool {
		t.Helper()
		_, err := f.accounts.Authenticate(ctx, token)
		if err != nil {
			wantFault(t, err, fault.Unauthenticated, "Sign in to continue")
		}
		return err == nil
	}
	staying := here
	staying.Stay = true
	in := func(client account.Client) string {
		t.Helper()
		token, _, err := f.accounts.SignIn(ctx, f.admin.Email, password, client)
		if err != nil {
			t.Fatal(err)
		}
		return token
	}

	// Shorter bounds apply to sessions that were opened under longer bounds.
	stays, idle := in(staying), in(here)
	f.db.Advance(20 * time.Minute)
	used := in(here)
	f.setPolicy(t, func(p *account.SignInPolicy) { p.SessionIdleMinutes = 10 })
	if alive(idle) {
		t.Error("a session goes on that was idle for longer than the new bound")
	}
	if alive(idle) {
		t.Error("the refused request woke it")
	}
	if !alive(used) || !alive(stays) {
		t.Error("the bound ends sessions that it does not concern")
	}
	f.setPolicy(t, func(p *account.SignInPolicy) { p.SessionStayDays = 0 })
	if !alive(stays) {
		t.Error("a session in use ended with the right to stay signed in")
	}
	f.db.Advance(32 * time.Minute)
	if alive(stays) {
		t.Error("a person stays signed in against the policy")
	}
	f.setPolicy(t, func(p *account.SignInPolicy) { p.SessionIdleMinutes, p.SessionHours = 600, 1 })
	hour := in(here)
	f.db.Advance(59 * time.Minute)
	if !alive(hour) {
		t.Error("it ended early")
	}
	f.db.Advance(2 * time.Minute)
	if alive(hour) {
		t.Error("it is longer than an hour")
	}

	// Longer bounds apply to sessions opened from then on.
	f.setPolicy(t, func(p *account.SignInPolicy) { p.SessionIdleMinutes, p.SessionHours = 1440, 48 })
	long := in(here)
	f.db.Advance(23 * time.Hour)
	if !alive(long) {
		t.Error("it ended early")
	}
	f.db.Advance(23 * time.Hour)
	if !alive(long) {
		t.Error("it ended early, though it was used")
	}
	f.db.Advance(3 * time.Hour)
	if alive(long) {
		t.Error("it is longer than two days")
	}

	f.db.Advance(-49 * time.Hour)
	wantFault(t, f.accounts.SetSignInPolicy(ctx, f.actor, account.SignInPolicy{
		SessionIdleMinutes: 4, SessionHours: 169, SessionStayDays: 31,
	}), fault.Invalid, "")
	stale := policy
	stale.Revision = policy.Mark()
	wantFault(t, f.accounts.SetSignInPolicy(ctx, f.actor, stale), fault.Stale, "")
}
