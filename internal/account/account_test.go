package account_test

import (
	"context"
	"net/netip"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/guard"
	"github.com/dialwright/dialwright/internal/oidc"
	"github.com/dialwright/dialwright/internal/postgres/pgtest"
	"github.com/dialwright/dialwright/internal/seal"
)

const password = "a quiet orange river"

var here = account.Client{Address: netip.MustParseAddr("203.0.113.7"), Agent: "Test/1.0"}

// fixture has two organizations. The first has an admin.
type fixture struct {
	db       *pgtest.DB
	accounts *account.Service
	org      account.Organization
	other    account.Organization
	admin    account.User
	actor    account.Actor // the admin
}

func newVault(t testing.TB) *seal.Vault {
	t.Helper()
	v, err := seal.NewVault(make([]byte, seal.MasterKeySize))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func setup(t testing.TB) *fixture {
	t.Helper()
	ctx := t.Context()
	f := &fixture{db: pgtest.New(t)}
	local, err := guard.New([]string{"127.0.0.0/8"})
	if err != nil {
		t.Fatal(err)
	}
	f.accounts = account.New(account.Options{
		Pool: f.db.Pool, Vault: newVault(t), Providers: oidc.New(oidc.Options{Guard: local}),
	})
	if f.org, err = f.accounts.CreateOrganization(ctx, account.OrganizationSettings{
		Name: "Meridian Home Health",
	}); err != nil {
		t.Fatal(err)
	}
	if f.other, err = f.accounts.CreateOrganization(ctx, account.OrganizationSettings{Name: "Elsewhere"}); err != nil {
		t.Fatal(err)
	}
	f.admin, err = f.accounts.CreateUser(ctx, account.System(f.org.ID), account.NewUser{
		Email: "Ana@Meridian.example", Name: "Ana Lund", Password: password, Role: account.Admin,
	})
	if err != nil {
		t.Fatal(err)
	}
	f.actor = account.Actor{
		OrganizationID: f.org.ID, Kind: account.ByUser, ID: f.admin.ID, Name: f.admin.Name, Role: account.Admin,
	}
	return f
}

func (f *fixture) stranger() account.Actor { return account.System(f.other.ID) }

func wantFault(t *testing.T, err error, kind fault.Kind, message string) {
	t.Helper()
	if fault.KindOf(err) != kind || fault.As(err) == nil || message != "" && fault.As(err).Message != message {
		t.Errorf("got %v, want a fault of kind %d: %s", err, kind, message)
	}
}

// audited returns the actions that the audit log has for an object, oldest first, without
// failed sign-ins.
func audited(t *testing.T, pool *pgxpool.Pool, organizationID, object uuid.UUID) []string {
	t.Helper()
	rows, err := pool.Query(context.Background(), `
		select action from audit_entry
		where organization_id = @organization_id and object_id = @object and action <> 'session.failed'
		order by id`, pgx.NamedArgs{"organization_id": organizationID, "object": object})
	if err != nil {
		t.Fatal(err)
	}
	actions, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	return actions
}
