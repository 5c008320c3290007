package account_test

import (
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/fault"
)

const noInvitation = "The invitation was used, revoked or replaced, or it is more than 7 days old. Ask an admin of " +
	"the organization for a new link"

func (f *fixture) invite(t *testing.T, email string, role account.Role) (account.Invitation, string) {
	t.Helper()
	i, token, err := f.accounts.Invite(t.Context(), f.actor, email, role)
	if err != nil {
		t.Fatal(err)
	}
	return i, token
}

func TestAnInvitationMakesAnAccount(t *testing.T) {
	t.Parallel()
	f := setup(t)
	ctx := t.Context()
	_, _, err := f.accounts.Invite(ctx, f.actor, "nonsense", "owner")
	wantFault(t, err, fault.Invalid, "email: not an email address; role: must be admin, manager or staff")
	_, _, err = f.accounts.Invite(ctx, f.actor, "ANA@meridian.example", account.Staff)
	wantFault(t, err, fault.Conflict, "ana@meridian.example is already a member")

	i, token := f.invite(t, " Ben@Meridian.example ", account.Staff)
	if i.Email != "ben@meridian.example" || i.InvitedBy != "Ana Lund" || i.Role != account.Staff || len(token) < 40 {
		t.Fatalf("%+v, %q", i, token)
	}
	if n := f.count(
		t, `select count(*) from invitation where encode(token_hash, 'escape') like '%' || $1 || '%'`, token,
	); n != 0 {
		t.Error("the token is stored as it is")
	}
	_, _, err = f.accounts.Invite(ctx, f.actor, "ben@meridian.example", account.Admin)
	wantFault(
		t, err, fault.Conflict,
		"ben@meridian.example already has an invitation. Create a new link for it or revoke it",
	)

	offer, err := f.accounts.Offer(ctx, token)
	if err != nil || offer.Organization != f.org.Name || offer.Email != i.Email || offer.HasAccount ||
		offer.Role != account.Staff {
		t.Fatalf("%+v, %v", offer, err)
	}
	_, _, err = f.accounts.AcceptInvitation(ctx, token, "", "short", here)
	wantFault(t, err, fault.Invalid, "name: required; password: must have at least 12 characters")
	for _, wrong := range []string{"", "nonsense", token + "x"} {
		_, _, err := f.accounts.AcceptInvitation(ctx, wrong, "Ben", password, here)
		wantFault(t, err, fault.NotFound, noInvitation)
	}
	_, session, err := f.accounts.AcceptInvitation(ctx, token, " Ben Okri ", password, here)
	if err != nil || session.User.Name != "Ben Okri" || session.Organization.ID != f.org.ID ||
		session.Role != account.Staff {
		t.Fatalf("%+v, %v", session, err)
	}
	_, err = f.accounts.Offer(ctx, token)
	wantFault(t, err, fault.NotFound, noInvitation)
	if got := audited(t, f.db.Pool, f.org.ID, session.User.ID); !slices.Equal(got, []string{"member.joined"}) {
		t.Errorf("audited %v", got)
	}
	if list, err := f.accounts.Invitations(ctx, f.org.ID); err != nil || len(list) != 0 {
		t.Errorf("still open: %v, %v", list, err)
	}
}

// If many people open one link at the same time, one of them gets in.
func TestAnInvitationIsUsedOnce(t *testing.T) {
	t.Parallel()
	f := setup(t)
	_, token := f.invite(t, "ben@meridian.example", account.Staff)
	var wg sync.WaitGroup
	var in atomic.Int32
	for range 6 {
		wg.Go(func() {
			_, _, err := f.accounts.AcceptInvitation(t.Context(), token, "Ben", password, here)
			switch fault.KindOf(err) {
			case fault.NotFound, fault.Conflict:
			default:
				if err != nil {
					t.Error(err)
				}
				in.Add(1)
			}
		})
	}
	wg.Wait()
	if in.Load() != 1 {
		t.Errorf("%d got in", in.Load())
	}
}

func TestInvitationsAreRenewedTakenBackAndExpire(t *testing.T) {
	t.Parallel()
	f := setup(t)
	ctx := t.Context()
	i, first := f.invite(t, "ben@meridian.example", account.Staff)
	_, _, err := f.accounts.RenewInvitation(ctx, f.stranger(), i.ID, time.Time{})
	wantFault(t, err, fault.NotFound, "Invitation not found")
	wantFault(t, f.accounts.RevokeInvitation(ctx, f.stranger(), i.ID), fault.NotFound, "Invitation not found")

	f.db.Advance(account.InvitationLifetime)
	_, err = f.accounts.Offer(ctx, first)
	wantFault(t, err, fault.NotFound, noInvitation)
	renewed, second, err := f.accounts.RenewInvitation(ctx, f.actor, i.ID, time.Time{})
	if err != nil || second == first || !renewed.ExpiresAt.After(i.ExpiresAt) {
		t.Fatalf("%+v, %v", renewed, err)
	}
	_, err = f.accounts.Offer(ctx, first)
	wantFault(t, err, fault.NotFound, noInvitation)
	f.db.Advance(account.InvitationLifetime - time.Hour)
	if _, err := f.accounts.Offer(ctx, second); err != nil {
		t.Fatal(err)
	}
	if err := f.accounts.RevokeInvitation(ctx, f.actor, i.ID); err != nil {
		t.Fatal(err)
	}
	_, _, err = f.accounts.AcceptInvitation(ctx, second, "Ben", password, here)
	wantFault(t, err, fault.NotFound, noInvitation)
	want := []string{"invitation.created", "invitation.renewed", "invitation.revoked"}
	if got := audited(t, f.db.Pool, f.org.ID, i.ID); !slices.Equal(got, want) {
		t.Errorf("audited %v", got)
	}
}

// A person with an account joins with it, and switches between two organizations.
func TestAMemberOfTwoOrganizations(t *testing.T) {
	t.Parallel()
	f := setup(t)
	ctx := t.Context()
	cleo, err := f.accounts.CreateUser(ctx, f.stranger(), account.NewUser{
		Email: "cleo@elsewhere.example", Name: "Cleo", Password: password, Role: account.Admin,
	})
	if err != nil {
		t.Fatal(err)
	}
	token, session, err := f.accounts.SignIn(ctx, cleo.Email, password, here)
	if err != nil || session.Others {
		t.Fatal(session, err)
	}
	_, link := f.invite(t, cleo.Email, account.Staff)
	if offer, err := f.accounts.Offer(ctx, link); err != nil || !offer.HasAccount {
		t.Fatalf("%+v, %v", offer, err)
	}
	_, _, err = f.accounts.AcceptInvitation(ctx, link, "Mallory", password, here)
	wantFault(t, err, fault.Conflict, "This email address already has an account")
	_, mine := f.signIn(t)
	wantFault(t, f.accounts.JoinOrganization(ctx, mine, link, here), fault.Forbidden,
		"This invitation is for cleo@elsewhere.example. Sign in with that address")
	wantFault(t, f.accounts.SwitchOrganization(ctx, session, f.org.ID), fault.NotFound, "Organization not found")

	if err := f.accounts.JoinOrganization(ctx, session, link, here); err != nil {
		t.Fatal(err)
	}
	now, err := f.accounts.Authenticate(ctx, token)
	if err != nil || now.Organization.ID != f.org.ID || now.Role != account.Staff || !now.Others {
		t.Fatalf("%+v, %v", now, err)
	}
	if err := f.accounts.SwitchOrganization(ctx, now, f.other.ID); err != nil {
		t.Fatal(err)
	}
	if now, _ = f.accounts.Authenticate(ctx, token); now.Organization.ID != f.other.ID || now.Role != account.Admin {
		t.Fatalf("%+v", now)
	}
	wantFault(t, f.accounts.SwitchOrganization(ctx, now, uuid.Must(uuid.NewV7())), fault.NotFound,
		"Organization not found")
	// The next sign-in opens the organization that was used last. Times have whole milliseconds, and both switches can
	// be within one.
	f.db.Advance(time.Second)
	if err := f.accounts.SwitchOrganization(ctx, now, f.org.ID); err != nil {
		t.Fatal(err)
	}
	f.db.Advance(time.Second)
	if _, session, err = f.accounts.SignIn(ctx, cleo.Email, password, here); err != nil ||
		session.Organization.ID != f.org.ID {
		t.Errorf("signed in at %s, %v", session.Organization.Name, err)
	}
	members, err := f.accounts.Members(ctx, f.org.ID)
	if err != nil || len(members) != 2 || !members[1].Shared || members[0].Shared || members[1].SeenAt == nil {
		t.Errorf("%+v, %v", members, err)
	}

	// An admin of this organization cannot take over Cleo's account in the other
	// organization.
	_, _, err = f.accounts.CreateResetLink(ctx, f.actor, cleo.ID, "")
	wantFault(t, err, fault.Conflict, "")
	wantFault(t, f.accounts.ResetSecondFactor(ctx, f.actor, cleo.ID), fault.Conflict, "")
}

func TestAResetLink(t *testing.T) {
	t.Parallel()
	f := setup(t)
	ctx := t.Context()
	ben, err := f.accounts.CreateUser(ctx, f.actor, account.NewUser{
		Email: "ben@meridian.example", Name: "Ben", Password: password, Role: account.Staff,
	})
	if err != nil {
		t.Fatal(err)
	}
	signedIn, _, err := f.accounts.SignIn(ctx, ben.Email, password, here)
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = f.accounts.CreateResetLink(ctx, f.stranger(), ben.ID, "")
	wantFault(t, err, fault.NotFound, "Member not found")
	_, _, err = f.accounts.CreateResetLink(ctx, f.actor, f.admin.ID, "") // a session must not bypass the password
	wantFault(t, err, fault.Conflict, "This is your own account. Change it in your profile")
	link := func() string {
		t.Helper()
		_, token, err := f.accounts.CreateResetLink(ctx, f.actor, ben.ID, "")
		if err != nil {
			t.Fatal(err)
		}
		return token
	}
	first, second := link(), link()
	const changed = "another quiet orange river"
	wantFault(t, f.useResetLink(t, first, changed), fault.NotFound, "")
	wantFault(t, f.useResetLink(t, second, "short"), fault.Invalid, "password: must have at least 12 characters")
	if u, err := f.accounts.ResetOf(ctx, second); err != nil || u.Email != ben.Email {
		t.Fatalf("%+v, %v", u, err)
	}
	if err := f.useResetLink(t, second, changed); err != nil {
		t.Fatal(err)
	}
	wantFault(t, f.useResetLink(t, second, changed), fault.NotFound, "")
	_, err = f.accounts.Authenticate(ctx, signedIn)
	wantFault(t, err, fault.Unauthenticated, "")
	if _, _, err := f.accounts.SignIn(ctx, ben.Email, changed, here); err != nil {
		t.Error(err)
	}
	if got := audited(t, f.db.Pool, f.org.ID, ben.ID); !slices.Equal(got[1:], []string{
		"member.reset_link_created", "member.reset_link_created", "user.password_reset",
	}) {
		t.Errorf("audited %v", got)
	}

	// A link ends when it expires, when the password is reset in another way, and with
	// the membership.
	old := link()
	f.db.Advance(account.ResetLifetime)
	wantFault(t, f.useResetLink(t, old, changed), fault.NotFound, "")
	old = link()
	if err := f.accounts.ResetPassword(ctx, ben.Email, password); err != nil {
		t.Fatal(err)
	}
	wantFault(t, f.useResetLink(t, old, changed), fault.NotFound, "")

	// A link does not work for an account that has joined another organization meanwhile.
	old = link()
	if _, err := f.db.Pool.Exec(
		ctx, `insert into membership (organization_id, user_id, role) values ($1, $2, 'admin')`, f.other.ID, ben.ID,
	); err != nil {
		t.Fatal(err)
	}
	err = f.useResetLink(t, old, changed)
	wantFault(t, err, fault.Conflict, "")
	if !strings.Contains(err.Error(), "another organization") {
		t.Error(err)
	}
	if _, _, err := f.accounts.SignIn(ctx, ben.Email, password, here); err != nil {
		t.Error("the password was changed:", err)
	}
	if err := f.accounts.RemoveMember(ctx, f.actor, ben.ID); err != nil {
		t.Fatal(err)
	}
	if n := f.count(t, `select count(*) from password_reset`); n != 0 {
		t.Error("the link outlives the membership")
	}
}

func (f *fixture) count(t *testing.T, sql string, args ...any) (n int) {
	t.Helper()
	if err := f.db.Pool.QueryRow(t.Context(), sql, args...).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func (f *fixture) useResetLink(t *testing.T, token, password string) error {
	t.Helper()
	_, err := f.accounts.UseResetLink(t.Context(), token, password, here)
	return err
}
