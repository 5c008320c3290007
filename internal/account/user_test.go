package account_test

import (
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/fault"
)

func TestOrganizations(t *testing.T) {
	t.Parallel()
	f := setup(t)
	ctx := t.Context()
	if f.org.TimeZone != "UTC" || f.org.Region != "US" {
		t.Errorf("defaults %+v", f.org)
	}
	changed, err := f.accounts.UpdateOrganization(ctx, f.actor, account.OrganizationSettings{
		Name: " Meridian ", TimeZone: "America/Chicago", Region: "ca",
	})
	if err != nil || changed.Name != "Meridian" || changed.TimeZone != "America/Chicago" || changed.Region != "CA" {
		t.Fatalf("%+v, %v", changed, err)
	}
	if got, err := f.accounts.Organization(ctx, f.org.ID); err != nil || got != changed {
		t.Errorf("%+v, %v", got, err)
	}
	_, err = f.accounts.UpdateOrganization(ctx, f.actor, account.OrganizationSettings{TimeZone: "Mars", Region: "ZZ"})
	wantFault(
		t, err, fault.Invalid,
		"name: required; time_zone: must be a time zone such as America/Chicago; region: not a two-letter country code",
	)

	for _, by := range []string{"meridian", f.org.ID.String()} {
		if got, err := f.accounts.FindOrganization(ctx, by); err != nil || got.ID != f.org.ID {
			t.Errorf("by %q: %+v, %v", by, got, err)
		}
	}
	_, err = f.accounts.FindOrganization(ctx, "Nobody")
	wantFault(t, err, fault.NotFound, "Organization not found")
	if _, err := f.accounts.CreateOrganization(ctx, account.OrganizationSettings{Name: "Elsewhere"}); err != nil {
		t.Fatal(err)
	}
	_, err = f.accounts.FindOrganization(ctx, "Elsewhere")
	wantFault(t, err, fault.Conflict, "")
	if all, err := f.accounts.Organizations(ctx); err != nil || len(all) != 3 {
		t.Errorf("%d organizations, %v", len(all), err)
	}
}

func TestCreateUser(t *testing.T) {
	t.Parallel()
	f := setup(t)
	ctx := t.Context()
	if f.admin.Email != "ana@meridian.example" {
		t.Errorf("email %q", f.admin.Email)
	}
	good := account.NewUser{Email: "ben@meridian.example", Name: "Ben", Password: password, Role: account.Staff}
	for want, change := range map[string]func(*account.NewUser){
		"email: required": func(u *account.NewUser) { u.Email = " " },
		"email: not an email address": func(u *account.NewUser) {
			u.Email = "Ben <ben@meridian.example>"
		},
		"name: required": func(u *account.NewUser) { u.Name = "" },
		"password: must have at least 12 characters": func(u *account.NewUser) { u.Password = "short" },
		"password: must have at most 200 characters": func(u *account.NewUser) {
			u.Password = strings.Repeat("x", 201)
		},
		"password: must be text": func(u *account.NewUser) {
			u.Password = "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"
		},
		"role: must be admin, manager or staff":       func(u *account.NewUser) { u.Role = "owner" },
		"email: not an email address; name: required": func(u *account.NewUser) { u.Email, u.Name = "x", "" },
		"name: must not contain control characters":   func(u *account.NewUser) { u.Name = "a\x00b" },
	} {
		u := good
		change(&u)
		_, err := f.accounts.CreateUser(ctx, f.actor, u)
		wantFault(t, err, fault.Invalid, want)
	}
	taken := good
	taken.Email = "ANA@meridian.example"
	_, err := f.accounts.CreateUser(ctx, f.actor, taken)
	wantFault(t, err, fault.Conflict, "This email address already has an account")

	ben, err := f.accounts.CreateUser(ctx, f.actor, good)
	if err != nil {
		t.Fatal(err)
	}
	members, err := f.accounts.Members(ctx, f.org.ID)
	if err != nil || len(members) != 2 || members[0].Name != "Ana Lund" || members[1].Role != account.Staff {
		t.Errorf("members %+v, %v", members, err)
	}
	if members, err := f.accounts.Members(ctx, f.other.ID); err != nil || len(members) != 0 {
		t.Errorf("elsewhere %+v, %v", members, err)
	}
	ms, err := f.accounts.Memberships(ctx, ben.ID)
	if err != nil || len(ms) != 1 || ms[0] != (account.Membership{
		OrganizationID: f.org.ID, Organization: f.org.Name, Role: account.Staff,
	}) {
		t.Errorf("memberships %+v, %v", ms, err)
	}
}

// If the person cannot be created, the organization is not created.
func TestCreateOrganizationWithUser(t *testing.T) {
	t.Parallel()
	f := setup(t)
	settings := account.OrganizationSettings{Name: "Harbor"}
	good := account.NewUser{Email: "ben@harbor.example", Name: "Ben", Password: password, Role: account.Admin}
	weak, taken := good, good
	weak.Password, taken.Email = "short", f.admin.Email
	_, _, err := f.accounts.CreateOrganizationWithUser(t.Context(), settings, weak)
	wantFault(t, err, fault.Invalid, "")
	_, _, err = f.accounts.CreateOrganizationWithUser(t.Context(), settings, taken)
	wantFault(t, err, fault.Conflict, "This email address already has an account")
	_, err = f.accounts.FindOrganization(t.Context(), "Harbor")
	wantFault(t, err, fault.NotFound, "")

	o, ben, err := f.accounts.CreateOrganizationWithUser(t.Context(), settings, good)
	if err != nil {
		t.Fatal(err)
	}
	members, err := f.accounts.Members(t.Context(), o.ID)
	if err != nil || len(members) != 1 || members[0].UserID != ben.ID || members[0].Role != account.Admin ||
		o.Name != "Harbor" {
		t.Errorf("%+v, %v", members, err)
	}
	if got := audited(t, f.db.Pool, o.ID, o.ID); !slices.Equal(got, []string{"organization.created"}) {
		t.Errorf("audited %v", got)
	}
}

func TestAnOrganizationKeepsAnAdmin(t *testing.T) {
	t.Parallel()
	f := setup(t)
	ctx := t.Context()
	wantFault(t, f.accounts.RemoveMember(ctx, f.actor, f.admin.ID), fault.Conflict, "")
	wantFault(t, f.accounts.SetRole(ctx, f.actor, f.admin.ID, account.Staff), fault.Conflict, "")
	wantFault(t, f.accounts.SetRole(ctx, f.actor, f.admin.ID, "owner"), fault.Invalid,
		"role: must be admin, manager or staff")
	wantFault(t, f.accounts.RemoveMember(ctx, f.stranger(), f.admin.ID), fault.NotFound, "Member not found")
	wantFault(t, f.accounts.SetRole(ctx, f.actor, uuid.Must(uuid.NewV7()), account.Staff), fault.NotFound,
		"Member not found")

	// If two admins remove each other at the same time, one of them stays.
	ben, err := f.accounts.CreateUser(ctx, f.actor, account.NewUser{
		Email: "ben@meridian.example", Name: "Ben", Password: password, Role: account.Admin})
	if err != nil {
		t.Fatal(err)
	}
	var removed atomic.Int32
	var wg sync.WaitGroup
	for _, id := range []uuid.UUID{f.admin.ID, ben.ID} {
		wg.Go(func() {
			if f.accounts.RemoveMember(ctx, f.actor, id) == nil {
				removed.Add(1)
			}
		})
	}
	wg.Wait()
	if members, err := f.accounts.Members(ctx, f.org.ID); err != nil || len(members) != 1 || removed.Load() != 1 {
		t.Errorf("%d removed, left %+v, %v", removed.Load(), members, err)
	}
}

func TestSetupOfAnEmptyServer(t *testing.T) {
	t.Parallel()
	f := setup(t)
	ctx := t.Context()
	if code, err := f.accounts.OpenSetup(ctx); err != nil || code != "" {
		t.Fatalf("a server with users opens its set-up: %q, %v", code, err)
	}
	if _, err := f.db.Pool.Exec(ctx, `delete from app_user; delete from organization`); err != nil {
		t.Fatal(err)
	}
	if needed, err := f.accounts.SetupNeeded(ctx); err != nil || !needed {
		t.Fatal(needed, err)
	}
	old, err := f.accounts.OpenSetup(ctx)
	if err != nil {
		t.Fatal(err)
	}
	code, err := f.accounts.OpenSetup(ctx)
	if err != nil || code == old || len(code) != 32 {
		t.Fatalf("%q after %q, %v", code, old, err)
	}
	var stored int
	if err := f.db.Pool.QueryRow(
		ctx, `select count(*) from setup_code where code_hash <> $1`, []byte(code),
	).Scan(&stored); err != nil || stored != 1 {
		t.Errorf("%d codes stored, %v", stored, err)
	}

	want := account.Setup{
		Organization: account.OrganizationSettings{Name: "First", TimeZone: "Europe/Berlin", Region: "DE"},
		User: account.NewUser{
			Email: "first@example.com", Name: "First Person", Password: password, Role: account.Staff,
		},
	}
	for _, wrong := range []string{old, "", "x"} {
		wantFault(t, f.accounts.CheckSetup(ctx, wrong), fault.Forbidden, "")
		_, _, err := f.accounts.CompleteSetup(ctx, wrong, want)
		wantFault(t, err, fault.Forbidden, "")
	}
	if err := f.accounts.CheckSetup(ctx, code); err != nil {
		t.Fatal(err)
	}
	_, _, err = f.accounts.CompleteSetup(ctx, code, account.Setup{})
	wantFault(
		t, err, fault.Invalid,
		"organization.name: required; email: required; name: required; password: must have at least 12 characters",
	)

	// Of several concurrent setups, one succeeds and is complete.
	var done atomic.Int32
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			s := want
			s.User.Email = string(rune('a'+i)) + "@example.com"
			_, _, err := f.accounts.CompleteSetup(ctx, code, s)
			if err == nil {
				done.Add(1)
			} else {
				wantFault(t, err, fault.NotFound, "Page not found")
			}
		})
	}
	wg.Wait()
	orgs, err := f.accounts.Organizations(ctx)
	if err != nil || done.Load() != 1 || len(orgs) != 1 || orgs[0].Region != "DE" {
		t.Fatalf("%d set-ups, organizations %+v, %v", done.Load(), orgs, err)
	}
	if members, err := f.accounts.Members(ctx, orgs[0].ID); err != nil || len(members) != 1 ||
		members[0].Role != account.Admin {
		t.Errorf("members %+v, %v", members, err)
	}
	wantFault(t, f.accounts.CheckSetup(ctx, code), fault.NotFound, "Page not found")
	if needed, err := f.accounts.SetupNeeded(ctx); err != nil || needed {
		t.Error(needed, err)
	}
}

// A user created by a command while the setup page is open ends the setup.
func TestACreatedUserEndsTheSetup(t *testing.T) {
	t.Parallel()
	f := setup(t)
	ctx := t.Context()
	if _, err := f.db.Pool.Exec(ctx, `delete from app_user`); err != nil {
		t.Fatal(err)
	}
	code, err := f.accounts.OpenSetup(ctx)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.accounts.CreateUser(ctx, account.System(f.org.ID), account.NewUser{
		Email: "ben@meridian.example", Name: "Ben", Password: password, Role: account.Staff})
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = f.accounts.CompleteSetup(ctx, code, account.Setup{})
	wantFault(t, err, fault.NotFound, "Page not found")
	var codes int
	if err := f.db.Pool.QueryRow(ctx, `select count(*) from setup_code`).Scan(&codes); err != nil || codes != 0 {
		t.Errorf("%d codes left, %v", codes, err)
	}
}

func TestAuditOfAccounts(t *testing.T) {
	t.Parallel()
	f := setup(t)
	if got := audited(t, f.db.Pool, f.org.ID, f.org.ID); !slices.Equal(got, []string{"organization.created"}) {
		t.Errorf("organization: %v", got)
	}
	if got := audited(t, f.db.Pool, f.org.ID, f.admin.ID); !slices.Equal(got, []string{"member.created"}) {
		t.Errorf("user: %v", got)
	}
}

// HasPassword leaves no trace in the database.
func TestHasPasswordIsNoSignIn(t *testing.T) {
	t.Parallel()
	f := setup(t)
	var before, after int
	count := `select (select count(*) from audit_entry) + (select count(*) from user_session) + (select count(*)
		from sign_in_failure)`
	if err := f.db.Pool.QueryRow(t.Context(), count).Scan(&before); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		email, password string
		want            bool
	}{
		{"ana@meridian.example", password, true}, {"Ana@Meridian.example", "another", false},
		{"nobody@meridian.example", password, false},
	} {
		if got, err := f.accounts.HasPassword(t.Context(), c.email, c.password); err != nil || got != c.want {
			t.Errorf("%s, %s: %t, %v", c.email, c.password, got, err)
		}
	}
	if err := f.db.Pool.QueryRow(t.Context(), count).Scan(&after); err != nil || after != before {
		t.Errorf("it left %d rows: %v", after-before, err)
	}
}
