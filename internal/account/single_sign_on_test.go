package account_test

import (
	"errors"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/oidc"
	"github.com/dialwright/dialwright/internal/oidc/oidctest"
)

const callback = "https://dial.example.com/sign-in/sso/callback/"

// office is an organization with single sign-on: groups "bosses", "leads" and "callers", and its provider.
type office struct {
	*fixture
	t        *testing.T
	provider *oidctest.Provider
	settings account.SingleSignOn
}

func newOffice(t *testing.T) *office {
	t.Helper()
	o := &office{fixture: setup(t), t: t, provider: oidctest.New(t)}
	o.settings = account.SingleSignOn{
		Address: "meridian", Label: "Okta", Issuer: o.provider.Issuer, ClientID: oidctest.ClientID,
		Secret: oidctest.ClientSecret, Domains: []string{"Meridian.example"}, CreatesMembers: true,
		RoleClaim: "groups", AdminValues: []string{"bosses"}, ManagerValues: []string{"leads"},
		StaffValues: []string{"callers"},
	}
	o.set(func(*account.SingleSignOn) {})
	return o
}

// set changes the settings.
func (o *office) set(change func(*account.SingleSignOn)) {
	o.t.Helper()
	change(&o.settings)
	if err := o.accounts.SetSingleSignOn(o.t.Context(), o.actor, o.settings); err != nil {
		o.t.Fatal(err)
	}
	o.settings.Secret = ""
}

// start begins a sign-in and visits the provider.
func (o *office) start() (account.SignOnStart, oidc.Answer) {
	o.t.Helper()
	s, err := o.accounts.BeginSingleSignOn(o.t.Context(), o.settings.Address, callback, "/calls", "")
	if err != nil {
		o.t.Fatal(err)
	}
	back := o.provider.Visit(o.t, s.URL)
	if want, _ := url.Parse(account.CallbackURL(callback, o.org.ID)); back.Path != want.Path {
		o.t.Fatalf("the browser is sent to %s", back)
	}
	q := back.Query()
	return s, oidc.Answer{State: q.Get("state"), Code: q.Get("code"), Issuer: q.Get("iss"), Error: q.Get("error")}
}

func (o *office) finish(s account.SignOnStart, a oidc.Answer) (string, account.Session, error) {
	token, session, next, err := o.accounts.FinishSingleSignOn(o.t.Context(), o.org.ID, s.Ticket, callback, a, here)
	if err == nil && next != "/calls" {
		o.t.Errorf("the sign-in leads to %q", next)
	}
	return token, session, err
}

// signIn signs somebody in at the provider.
func (o *office) signIn(subject, email string, groups ...string) (string, account.Session, error) {
	o.t.Helper()
	o.provider.SignsIn(subject, email, map[string]any{"groups": groups})
	return o.finish(o.start())
}

func (o *office) signsIn(subject, email string, groups ...string) (string, account.Session) {
	o.t.Helper()
	token, session, err := o.signIn(subject, email, groups...)
	if err != nil {
		o.t.Fatal(err)
	}
	return token, session
}

// member creates a member of the organization with a password.
func (o *office) member(email string, role account.Role) account.User {
	o.t.Helper()
	u, err := o.accounts.CreateUser(o.t.Context(), account.System(o.org.ID), account.NewUser{
		Email: email, Name: email, Password: password, Role: role,
	})
	if err != nil {
		o.t.Fatal(err)
	}
	return u
}

func (o *office) joins(organization uuid.UUID, user account.User) {
	o.t.Helper()
	if _, err := o.db.Pool.Exec(o.t.Context(), `insert into membership (organization_id, user_id, role)
		values ($1, $2, 'staff')`, organization, user.ID); err != nil {
		o.t.Fatal(err)
	}
}

func (o *office) count(sql string, args ...any) (n int) {
	o.t.Helper()
	if err := o.db.Pool.QueryRow(o.t.Context(), sql, args...).Scan(&n); err != nil {
		o.t.Fatal(err)
	}
	return n
}

func refusedWith(t *testing.T, err error, kind fault.Kind, part string) {
	t.Helper()
	if fault.KindOf(err) != kind || fault.As(err) == nil || !strings.Contains(err.Error(), part) {
		t.Errorf("got %v, want %q", err, part)
	}
}

func TestFirstSignInAtAProviderMakesOneMember(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.provider.SignsIn("ben-1", "Ben@Meridian.example", map[string]any{"groups": []string{"leads", "other"}})
	type began struct {
		start  account.SignOnStart
		answer oidc.Answer
	}
	var all []began
	for range 6 {
		s, a := o.start()
		all = append(all, began{s, a})
	}
	var wait sync.WaitGroup
	for _, each := range all {
		wait.Go(func() {
			_, session, err := o.finish(each.start, each.answer)
			if err != nil || session.User.Email != "ben@meridian.example" {
				t.Errorf("%+v, %v", session, err)
			}
		})
	}
	wait.Wait()
	if n := o.count(`select count(*) from app_user where email = 'ben@meridian.example'`); n != 1 {
		t.Fatalf("%d accounts", n)
	}

	token, session := o.signsIn("ben-1", "another@elsewhere.example", "leads") // known by the subject
	if session.User.Email != "ben@meridian.example" || session.Role != account.Manager || !session.SingleSignOn ||
		session.User.Name != "Name of ben-1" || session.Organization.ID != o.org.ID {
		t.Errorf("the session is %+v", session)
	}
	if session, err := o.accounts.Authenticate(t.Context(), token); err != nil || !session.SingleSignOn {
		t.Errorf("%+v, %v", session, err)
	}
	got := audited(t, o.db.Pool, o.org.ID, session.User.ID)
	if !slices.Equal(got, []string{"member.joined", "member.single_sign_on_linked"}) {
		t.Errorf("the audit log has %q", got)
	}
	// The account has no password, so none opens it.
	for _, typed := range []string{"", password} {
		_, _, err := o.accounts.SignIn(t.Context(), "ben@meridian.example", typed, here)
		wantFault(t, err, fault.Unauthenticated, "Wrong email address or password")
	}
}

func TestWhoIsAdmittedByAProvider(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	ctx := t.Context()
	elsewhere, err := o.accounts.CreateUser(ctx, o.stranger(), account.NewUser{
		Email: "eva@meridian.example", Name: "Eva", Password: password, Role: account.Admin,
	})
	if err != nil {
		t.Fatal(err)
	}
	member := o.member("mia@meridian.example", account.Staff)
	o.member("guest@partner.example", account.Staff)
	for _, invited := range []string{"eva@meridian.example", "new@partner.example"} {
		if _, _, err := o.accounts.Invite(ctx, o.actor, invited, account.Staff); err != nil {
			t.Fatal(err)
		}
	}
	refused := func(part, subject, email string, groups ...string) {
		t.Helper()
		_, _, err := o.signIn(subject, email, groups...)
		refusedWith(t, err, fault.Forbidden, part)
	}
	refused("may not sign in here", "s1", "x@other.example", "bosses")
	refused("may not sign in here", "s1", "x@sub.meridian.example", "bosses")
	refused("may not sign in here", "s1", "guest@partner.example", "bosses") // a member outside of the domains
	refused("no role", "s1", "x@meridian.example", "strangers")
	refused("no role", "s1", "mia@meridian.example")
	refused("no email address", "s1", "", "bosses")
	refused("no email address", "s1", "not an address", "bosses")
	refused("password of that account", "s1", "eva@meridian.example", "bosses")

	o.provider.But(func(b *oidctest.Behavior) {
		b.Claims["email"], b.Claims["email_verified"] = "mia@meridian.example", false
	})
	_, _, err = o.finish(o.start())
	refusedWith(t, err, fault.Forbidden, "has not verified")
	o.provider.But(func(b *oidctest.Behavior) { delete(b.Claims, "email_verified") })
	_, _, err = o.finish(o.start())
	refusedWith(t, err, fault.Forbidden, "has not verified")
	if n := o.count(`select count(*) from single_sign_on_identity`); n != 0 {
		t.Fatalf("a refused person is linked: %d", n)
	}
	if n := o.count(`select count(*) from membership where user_id = $1`, elsewhere.ID); n != 1 {
		t.Error("the account of another organization has joined without its owner")
	}

	// A member is linked once. Another person of the provider with the same address is refused.
	if _, session := o.signsIn("mia-1", "mia@meridian.example", "callers"); session.User.ID != member.ID {
		t.Errorf("signed in as %+v", session.User)
	}
	refused("another account", "mia-2", "mia@meridian.example", "callers")

	// An invitation admits an address outside of the domains, also while nobody else is created.
	o.set(func(s *account.SingleSignOn) {
		s.CreatesMembers, s.RoleClaim, s.DefaultRole = false, "", account.Admin
		s.AdminValues, s.ManagerValues, s.StaffValues = nil, nil, nil
	})
	refused("not a member yet", "s3", "zoe@meridian.example")
	if _, session := o.signsIn("new-1", "new@partner.example"); session.Role != account.Staff {
		t.Errorf("invited as staff, joined as %s", session.Role)
	}
	if list, err := o.accounts.Invitations(ctx, o.org.ID); err != nil || len(list) != 1 {
		t.Errorf("the invitation was not used up: %+v, %v", list, err)
	}
	if n := o.count(`select count(*) from audit_entry where action = 'single_sign_on.refused' and organization_id = $1`,
		o.org.ID); n == 0 {
		t.Error("refusals are not in the audit log")
	}
	if n := o.count(`select count(*) from audit_entry where organization_id = $1 and action like 'single%'`,
		o.other.ID); n != 0 {
		t.Error("a provider writes into the audit log of another organization")
	}

	// A removed member comes back with an invitation and another account of the provider.
	if err := o.accounts.RemoveMember(ctx, o.actor, member.ID); err != nil {
		t.Fatal(err)
	}
	refused("not a member yet", "mia-2", "mia@meridian.example")
	if _, _, err := o.accounts.Invite(ctx, o.actor, "mia@meridian.example", account.Manager); err != nil {
		t.Fatal(err)
	}
	if _, session := o.signsIn("mia-2", "mia@meridian.example"); session.User.ID != member.ID ||
		session.Role != account.Manager {
		t.Errorf("came back as %+v", session)
	}
}

// A provider vouches for a person in its own organization. Its admin may say anything there, so nothing that such a
// session does reaches the person's account or another organization.
func TestAProviderOpensNoOtherOrganization(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	ctx := t.Context()
	victim := o.member("vera@meridian.example", account.Staff)
	o.joins(o.other.ID, victim)
	inOther, own, err := o.accounts.SignIn(ctx, victim.Email, password, here)
	if err != nil {
		t.Fatal(err)
	}
	if err := o.accounts.SwitchOrganization(ctx, own, o.other.ID); err != nil {
		t.Fatal(err)
	}
	third, err := o.accounts.CreateOrganization(ctx, account.OrganizationSettings{Name: "Third"})
	if err != nil {
		t.Fatal(err)
	}
	_, link, err := o.accounts.Invite(ctx, account.System(third.ID), victim.Email, account.Admin)
	if err != nil {
		t.Fatal(err)
	}

	_, session := o.signsIn("forged", victim.Email, "bosses")
	actor := session.Actor(here.Address)
	if session.User.ID != victim.ID || session.Others {
		t.Errorf("%+v", session)
	}
	refusedWith(t, o.accounts.SwitchOrganization(ctx, session, o.other.ID), fault.Forbidden, "opens Meridian")
	refusedWith(t, o.accounts.JoinOrganization(ctx, session, link, here), fault.Forbidden, "single sign-on")
	refusedWith(t, o.accounts.Rename(ctx, actor, "Mallory"), fault.Forbidden, "single sign-on")
	refusedWith(t, o.accounts.ChangePassword(ctx, session, actor, password, "another quiet river 9"), fault.Forbidden,
		"single sign-on")
	e, err := o.accounts.BeginSecondFactor(ctx, session.User, "x")
	if err != nil {
		t.Fatal(err)
	}
	_, err = o.accounts.ConfirmSecondFactor(ctx, session, actor, e.Ticket, account.CodeAt(e.Secret, time.Now().Unix()),
		password)
	refusedWith(t, err, fault.Forbidden, "single sign-on")
	_, err = o.accounts.RenewRecoveryCodes(ctx, session, actor, password)
	refusedWith(t, err, fault.Forbidden, "single sign-on")
	refusedWith(t, o.accounts.TurnOffSecondFactor(ctx, session, actor, password), fault.Forbidden, "single sign-on")

	list, err := o.accounts.Sessions(ctx, actor)
	if err != nil || len(list) != 1 || list[0].ID != session.ID {
		t.Errorf("it sees the sessions %+v, %v", list, err)
	}
	refusedWith(t, o.accounts.RevokeSession(ctx, actor, own.ID), fault.NotFound, "Session")
	if n, err := o.accounts.RevokeOtherSessions(ctx, actor, session.ID); err != nil || n != 0 {
		t.Errorf("it ended %d sessions, %v", n, err)
	}
	if now, err := o.accounts.Authenticate(ctx, inOther); err != nil || now.Organization.ID != o.other.ID {
		t.Errorf("the session of the other organization: %+v, %v", now, err)
	}
	// The next sign-in with the password is where the person was last, and the account has its name.
	if err := o.accounts.RemoveMember(ctx, account.System(o.org.ID), victim.ID); err != nil {
		t.Fatal(err)
	}
	if _, again, err := o.accounts.SignIn(ctx, victim.Email, password, here); err != nil ||
		again.Organization.ID != o.other.ID || again.User.Name != victim.Name {
		t.Errorf("%+v, %v", again, err)
	}

	// An account that belongs to one organization alone may take another name there.
	_, session = o.signsIn("ben", "ben@meridian.example", "callers")
	if err := o.accounts.Rename(ctx, session.Actor(here.Address), "Ben Okri"); err != nil {
		t.Error(err)
	}
}

func TestNoAnswerOfAProviderWorksTwice(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	ctx := t.Context()
	o.provider.SignsIn("ben-1", "ben@meridian.example", map[string]any{"groups": []string{"callers"}})
	first, answer := o.start()
	second, other := o.start()
	refused := func(what string, s account.SignOnStart, a oidc.Answer) {
		t.Helper()
		if _, session, err := o.finish(s, a); fault.KindOf(err) != fault.Conflict {
			t.Errorf("%s: %+v, %v", what, session, err)
		}
	}
	refused("the ticket of another browser", first, other)
	refused("the answer of another browser", second, answer)
	refused("no ticket", account.SignOnStart{}, answer)
	changed := first
	changed.Ticket = changed.Ticket[:len(changed.Ticket)-2] + "AA"
	refused("a changed ticket", changed, answer)
	_, _, _, err := o.accounts.FinishSingleSignOn(ctx, o.other.ID, first.Ticket, callback, answer, here)
	refusedWith(t, err, fault.Conflict, "Sign in again")

	if _, _, err := o.finish(first, answer); err != nil {
		t.Fatal(err)
	}
	// The provider would take a new code, and an honest one refuses the old one before this.
	fresh := o.provider.Visit(t, first.URL).Query()
	answer.Code = fresh.Get("code")
	refused("a used ticket", first, answer)

	o.db.Advance(account.SignOnLifetime + time.Second)
	refused("an old ticket", second, other)
	if err := o.accounts.Sweep(ctx); err != nil || o.count(`select count(*) from single_sign_on_use`) != 0 {
		t.Errorf("used sign-ins stay: %v", err)
	}
	third, answer := o.start()
	o.set(func(s *account.SingleSignOn) { s.ClientID, s.Secret = "another", "secret" })
	refused("a sign-in of the former client", third, answer)
}

func TestRolesFollowTheProvider(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	ctx := t.Context()
	role := func(groups ...string) account.Role {
		t.Helper()
		_, session := o.signsIn("ben", "ben@meridian.example", groups...)
		return session.Role
	}
	token, _ := o.signsIn("ben", "ben@meridian.example", "callers")
	if got := role("callers", "bosses"); got != account.Admin {
		t.Errorf("a boss is %s", got)
	}
	if session, err := o.accounts.Authenticate(ctx, token); err != nil || session.Role != account.Admin {
		t.Errorf("the open session: %+v, %v", session, err)
	}
	if got := role("leads"); got != account.Manager {
		t.Errorf("a lead is %s", got)
	}
	_, _, err := o.signIn("ben", "ben@meridian.example", "nothing")
	refusedWith(t, err, fault.Forbidden, "no role")
	if _, err := o.accounts.Authenticate(ctx, token); fault.KindOf(err) != fault.Unauthenticated {
		t.Errorf("a person without a role stays signed in: %v", err)
	}
	o.set(func(s *account.SingleSignOn) { s.DefaultRole = account.Staff })
	if got := role("nothing"); got != account.Staff {
		t.Errorf("by default: %s", got)
	}

	// The last admin stays one, whatever the provider says.
	if _, session := o.signsIn("ana", o.admin.Email, "callers"); session.Role != account.Admin {
		t.Errorf("no admin is left: %s", session.Role)
	}
	got := audited(t, o.db.Pool, o.org.ID, o.admin.ID)
	if !slices.Contains(got, "member.last_admin_kept") {
		t.Errorf("the audit log has %q", got)
	}
	role("bosses")
	if _, session := o.signsIn("ana", o.admin.Email, "callers"); session.Role != account.Staff {
		t.Errorf("another admin is there, and she is %s", session.Role)
	}
}

func TestPasswordsOff(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	ctx := t.Context()
	ben := o.member("ben@meridian.example", account.Staff)
	_, link, err := o.accounts.Invite(ctx, o.actor, "new@meridian.example", account.Staff)
	if err != nil {
		t.Fatal(err)
	}
	byPassword := func(email string) (string, account.Session, error) {
		return o.accounts.SignIn(ctx, email, password, here)
	}
	required := func(err error) {
		t.Helper()
		if e, ok := errors.AsType[*account.SignOnRequired](err); !ok || e.Address != "meridian" ||
			fault.KindOf(err) != fault.Forbidden {
			t.Errorf("got %v", err)
		}
	}
	off := o.settings
	off.PasswordsOff = true
	refusedWith(t, o.accounts.SetSingleSignOn(ctx, o.actor, off), fault.Invalid, "somebody has signed in")
	byProvider, _ := o.signsIn("ben", "ben@meridian.example", "callers")
	open, _, err := byPassword(ben.Email)
	if err != nil {
		t.Fatal(err)
	}
	admins, _, err := byPassword(o.admin.Email)
	if err != nil {
		t.Fatal(err)
	}
	o.set(func(s *account.SingleSignOn) { s.PasswordsOff = true })

	if _, err := o.accounts.Authenticate(ctx, open); fault.KindOf(err) != fault.Unauthenticated {
		t.Errorf("a session by password goes on: %v", err)
	}
	for _, token := range []string{byProvider, admins} {
		if _, err := o.accounts.Authenticate(ctx, token); err != nil {
			t.Errorf("a session ended: %v", err)
		}
	}
	_, _, err = byPassword(ben.Email)
	required(err)
	_, _, err = o.accounts.AcceptInvitation(ctx, link, "New", password, here)
	required(err)
	if _, _, err := byPassword(o.admin.Email); err != nil { // the way in while the provider is down
		t.Errorf("an admin is locked out: %v", err)
	}
	if err := o.accounts.ResetPassword(ctx, ben.Email, password); err != nil { // the operator's way
		t.Fatal(err)
	}
	_, _, err = byPassword(ben.Email)
	required(err)

	// A password still opens the other organization of the person, and this one for an admin.
	o.joins(o.other.ID, ben)
	_, session, err := byPassword(ben.Email)
	if err != nil || session.Organization.ID != o.other.ID {
		t.Fatalf("%+v, %v", session, err)
	}
	required(o.accounts.SwitchOrganization(ctx, session, o.org.ID))
	if err := o.accounts.SetRole(ctx, o.actor, ben.ID, account.Admin); err != nil {
		t.Fatal(err)
	}
	if err := o.accounts.SwitchOrganization(ctx, session, o.org.ID); err != nil {
		t.Errorf("an admin: %v", err)
	}

	// Whoever joins with a password is a member, and signs in with single sign-on.
	eva, err := o.accounts.CreateUser(ctx, o.stranger(), account.NewUser{
		Email: "eva@meridian.example", Name: "Eva", Password: password, Role: account.Admin,
	})
	if err != nil {
		t.Fatal(err)
	}
	_, link, err = o.accounts.Invite(ctx, o.actor, eva.Email, account.Staff)
	if err != nil {
		t.Fatal(err)
	}
	token, session, err := byPassword(eva.Email)
	if err != nil {
		t.Fatal(err)
	}
	required(o.accounts.JoinOrganization(ctx, session, link, here))
	if now, err := o.accounts.Authenticate(ctx, token); err != nil || now.Organization.ID != o.other.ID {
		t.Errorf("%+v, %v", now, err)
	}
	if _, session := o.signsIn("eva", eva.Email, "callers"); session.User.ID != eva.ID {
		t.Errorf("%+v", session)
	}
}

func TestTwoStepSignInIsTheProviders(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.setPolicy(t, func(p *account.SignInPolicy) { p.SecondFactorRequired, p.SessionHours = true, 1 })
	token, session := o.signsIn("ben", "ben@meridian.example", "callers")
	if session.FactorNeeded || session.Most != time.Hour {
		t.Errorf("%+v", session)
	}
	o.db.Advance(61 * time.Minute)
	if _, err := o.accounts.Authenticate(t.Context(), token); fault.KindOf(err) != fault.Unauthenticated {
		t.Errorf("the bounds of sessions do not hold: %v", err)
	}
}

func TestSettingsOfSingleSignOn(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	ctx := t.Context()
	refused := func(path string, change func(*account.SingleSignOn)) {
		t.Helper()
		s := o.settings
		change(&s)
		err := o.accounts.SetSingleSignOn(ctx, o.actor, s)
		if f := fault.As(err); fault.KindOf(err) != fault.Invalid || f == nil || len(f.Fields) != 1 ||
			f.Fields[0].Path != path {
			t.Errorf("%s: %v", path, err)
		}
	}
	refused("label", func(s *account.SingleSignOn) { s.Label = " " })
	refused("issuer", func(s *account.SingleSignOn) { s.Issuer = "http://login.example.com" })
	refused("issuer", func(s *account.SingleSignOn) { s.Issuer = o.provider.Issuer + "/other" })
	refused("client_id", func(s *account.SingleSignOn) { s.ClientID = "" })
	refused("client_secret", func(s *account.SingleSignOn) { s.ClientID = "another" })
	refused("client_secret", func(s *account.SingleSignOn) { s.Issuer = oidctest.New(t).Issuer })
	refused("address", func(s *account.SingleSignOn) { s.Address = "a/b" })
	refused("address", func(s *account.SingleSignOn) { s.Address = "callback" })
	refused("domains", func(s *account.SingleSignOn) { s.Domains = nil })
	refused("domains", func(s *account.SingleSignOn) { s.Domains = []string{"a.example", "example"} })
	refused("role_claim", func(s *account.SingleSignOn) { s.RoleClaim = "" })
	refused("role_claim", func(s *account.SingleSignOn) {
		s.AdminValues, s.ManagerValues, s.StaffValues = nil, nil, nil
	})
	refused("default_role", func(s *account.SingleSignOn) { s.DefaultRole = "owner" })
	refused("default_role", func(s *account.SingleSignOn) {
		s.RoleClaim, s.AdminValues, s.ManagerValues, s.StaffValues = "", nil, nil, nil
	})

	stale := o.settings
	stale.Revision = stale.Mark()
	o.set(func(s *account.SingleSignOn) { s.Label = "Entra" })
	stale.Label = "Google"
	refusedWith(t, o.accounts.SetSingleSignOn(ctx, o.actor, stale), fault.Stale, "")
	theirs := o.settings
	theirs.Secret = "x"
	err := o.accounts.SetSingleSignOn(ctx, o.stranger(), theirs)
	if f := fault.As(err); fault.KindOf(err) != fault.Conflict || f.Fields[0].Path != "address" {
		t.Errorf("an address twice: %v", err)
	}

	for text, want := range map[string]int{
		"meridian": 1, "MERIDIAN": 1, "x@meridian.example": 1, "x@example": 0, "elsewhere": 0, "": 0,
	} {
		if list, err := o.accounts.FindSignOns(ctx, text); err != nil || len(list) != want {
			t.Errorf("%q finds %+v, %v", text, list, err)
		}
	}

	// Another client ends the sessions of the former one. While no admin has a password, nothing takes away the way
	// in.
	token, _ := o.signsIn("ben", "ben@meridian.example", "callers")
	mine, _, err := o.accounts.SignIn(ctx, o.admin.Email, password, here)
	if err != nil {
		t.Fatal(err)
	}
	o.set(func(s *account.SingleSignOn) { s.ClientID, s.Secret = "another", "secret" })
	if _, err := o.accounts.Authenticate(ctx, token); fault.KindOf(err) != fault.Unauthenticated {
		t.Errorf("a session of the former client goes on: %v", err)
	}
	if _, err := o.accounts.Authenticate(ctx, mine); err != nil {
		t.Error(err)
	}
	o.set(func(s *account.SingleSignOn) { s.ClientID, s.Secret = oidctest.ClientID, oidctest.ClientSecret })
	token, _ = o.signsIn("ben", "ben@meridian.example", "callers")
	var hash string
	if err := o.db.Pool.QueryRow(ctx, `select password_hash from app_user where id = $1`, o.admin.ID).
		Scan(&hash); err != nil {
		t.Fatal(err)
	}
	set := func(to string) {
		t.Helper()
		_, err := o.db.Pool.Exec(ctx, `update app_user set password_hash = $2 where id = $1`, o.admin.ID, to)
		if err != nil {
			t.Fatal(err)
		}
	}
	set("")
	refusedWith(t, o.accounts.RemoveSingleSignOn(ctx, o.actor), fault.Conflict, "No admin has a password")
	moved := o.settings
	moved.ClientID, moved.Secret = "another", "secret"
	refusedWith(t, o.accounts.SetSingleSignOn(ctx, o.actor, moved), fault.Conflict, "No admin has a password")
	set(hash)
	if n, err := o.accounts.MembersWithoutPassword(ctx, o.org.ID); err != nil || n != 1 {
		t.Errorf("%d members without a password, %v", n, err)
	}
	if err := o.accounts.RemoveSingleSignOn(ctx, o.actor); err != nil {
		t.Fatal(err)
	}
	if _, err := o.accounts.Authenticate(ctx, token); fault.KindOf(err) != fault.Unauthenticated {
		t.Errorf("a session goes on: %v", err)
	}
	wantFault(t, o.accounts.RemoveSingleSignOn(ctx, o.actor), fault.NotFound, "Single sign-on not found")
	_, err = o.accounts.BeginSingleSignOn(ctx, "meridian", callback, "/", "")
	wantFault(t, err, fault.NotFound, "Page not found")
	got := audited(t, o.db.Pool, o.org.ID, o.org.ID)
	want := []string{
		"organization.created", "single_sign_on.created", "single_sign_on.updated", "single_sign_on.updated",
		"single_sign_on.updated", "single_sign_on.removed",
	}
	if !slices.Equal(got, want) {
		t.Errorf("the audit log has %q", got)
	}
}
