package seal_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/postgres/pgtest"
	"github.com/dialwright/dialwright/internal/seal"
)

func newVault(t testing.TB) *seal.Vault {
	t.Helper()
	v, err := seal.NewVault(make([]byte, seal.MasterKeySize))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestASecretOpensOnlyInItsPlace(t *testing.T) {
	t.Parallel()
	vault := newVault(t)
	here := seal.Cell{Organization: uuid.Must(uuid.NewV7()), Table: "connection", Column: "credentials", Row: "1"}
	secret := []byte("an auth token")
	sealed := vault.Seal(secret, here)
	if bytes.Contains(sealed, secret) {
		t.Fatal("not encrypted")
	}
	if again := vault.Seal(secret, here); bytes.Equal(sealed, again) {
		t.Error("the same secret seals to the same bytes")
	}
	if got, err := vault.Open(sealed, here); err != nil || !bytes.Equal(got, secret) {
		t.Fatalf("got %q, %v", got, err)
	}
	for _, elsewhere := range []seal.Cell{
		{Organization: uuid.Must(uuid.NewV7()), Table: here.Table, Column: here.Column, Row: here.Row},
		{Organization: here.Organization, Table: "webhook", Column: here.Column, Row: here.Row},
		{Organization: here.Organization, Table: here.Table, Column: here.Column, Row: "2"},
		{Organization: here.Organization, Table: here.Table, Column: "previous", Row: here.Row},
		{Organization: here.Organization, Table: here.Table, Row: here.Row},
	} {
		if _, err := vault.Open(sealed, elsewhere); !errors.Is(err, seal.ErrSealed) {
			t.Errorf("opened at %+v: %v", elsewhere, err)
		}
	}
	for i := range sealed {
		bad := bytes.Clone(sealed)
		bad[i] ^= 1
		if _, err := vault.Open(bad, here); !errors.Is(err, seal.ErrSealed) {
			t.Errorf("opened with byte %d changed: %v", i, err)
		}
		if _, err := vault.Open(sealed[:i], here); !errors.Is(err, seal.ErrSealed) {
			t.Errorf("opened when cut to %d bytes: %v", i, err)
		}
	}
}

// A value that was sealed without its column opens until it is sealed again. Then it
// opens only for its column.
func TestSecretsAreSealedAgainForTheirColumn(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	vault := newVault(t)
	if _, err := db.Pool.Exec(
		t.Context(), `create table cell (id integer primary key, current bytea, previous bytea)`,
	); err != nil {
		t.Fatal(err)
	}
	current := seal.Column{Table: "cell", Column: "current", Key: []string{"id"}, Row: "id::text"}
	previous := current
	previous.Column = "previous"
	at := func(column string) seal.Cell { return seal.Cell{Table: "cell", Column: column, Row: "1"} }
	first, second := vault.SealForRow([]byte("first"),
		at("current")), vault.SealForRow([]byte("second"), at("previous"))
	if _, err := db.Pool.Exec(t.Context(), `insert into cell values (1, $1, $2)`, first, second); err != nil {
		t.Fatal(err)
	}
	if secret, err := vault.Open(first, at("current")); err != nil || string(secret) != "first" {
		t.Fatalf("%q, %v", secret, err)
	}
	for _, c := range []seal.Column{current, previous} {
		if r, err := vault.Reseal(t.Context(), db.Pool, c, false); err != nil || r.Done != 1 || r.Current != 0 ||
			len(r.Closed) != 0 {
			t.Fatalf("%+v, %v", r, err)
		}
		if r, err := vault.Reseal(t.Context(), db.Pool, c, false); err != nil || r.Done != 0 || r.Current != 1 {
			t.Fatalf("%+v, %v", r, err)
		}
	}
	if err := db.Pool.QueryRow(
		t.Context(), `update cell set current = previous, previous = current returning current, previous`,
	).Scan(&first, &second); err != nil {
		t.Fatal(err)
	}
	for column, sealed := range map[string][]byte{"current": first, "previous": second} {
		if _, err := vault.Open(sealed, at(column)); !errors.Is(err, seal.ErrSealed) {
			t.Errorf("the other column's secret opens as %s: %v", column, err)
		}
	}
}

func TestTheFirstMasterKeySealsAndAllOpen(t *testing.T) {
	t.Parallel()
	older, newer := bytes.Repeat([]byte{1}, 32), bytes.Repeat([]byte{2}, 32)
	place := seal.Cell{Table: "connection", Row: "1"}
	vault := func(keys ...[]byte) *seal.Vault {
		v, err := seal.NewVault(keys...)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	sealed := vault(older).Seal([]byte("x"), place)
	both := vault(newer, older)
	if _, err := both.Open(sealed, place); err != nil {
		t.Error(err)
	}
	if _, err := vault(newer).Open(both.Seal([]byte("x"), place), place); err != nil {
		t.Error("the first key did not seal:", err)
	}
	if _, err := vault(newer).Open(sealed, place); !errors.Is(err, seal.ErrSealed) {
		t.Error("opened without its key")
	}
	for _, keys := range [][][]byte{nil, {make([]byte, 31)}, {newer, nil}} {
		if _, err := seal.NewVault(keys...); err == nil {
			t.Errorf("%d keys accepted", len(keys))
		}
	}
}
