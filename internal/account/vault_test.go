package account_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/account"
)

func TestASecretOpensOnlyInItsPlace(t *testing.T) {
	t.Parallel()
	vault := newVault(t)
	here := account.Place{Organization: uuid.Must(uuid.NewV7()), Table: "connection", Row: "1"}
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
	for _, elsewhere := range []account.Place{
		{Organization: uuid.Must(uuid.NewV7()), Table: here.Table, Row: here.Row},
		{Organization: here.Organization, Table: "webhook", Row: here.Row},
		{Organization: here.Organization, Table: here.Table, Row: "2"},
	} {
		if _, err := vault.Open(sealed, elsewhere); !errors.Is(err, account.ErrSealed) {
			t.Errorf("opened at %+v: %v", elsewhere, err)
		}
	}
	for i := range sealed {
		bad := bytes.Clone(sealed)
		bad[i] ^= 1
		if _, err := vault.Open(bad, here); !errors.Is(err, account.ErrSealed) {
			t.Errorf("opened with byte %d changed: %v", i, err)
		}
		if _, err := vault.Open(sealed[:i], here); !errors.Is(err, account.ErrSealed) {
			t.Errorf("opened when cut to %d bytes: %v", i, err)
		}
	}
}

func TestTheFirstMasterKeySealsAndAllOpen(t *testing.T) {
	t.Parallel()
	older, newer := bytes.Repeat([]byte{1}, 32), bytes.Repeat([]byte{2}, 32)
	place := account.Place{Table: "connection", Row: "1"}
	vault := func(keys ...[]byte) *account.Vault {
		v, err := account.NewVault(keys...)
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
	if _, err := vault(newer).Open(sealed, place); !errors.Is(err, account.ErrSealed) {
		t.Error("opened without its key")
	}
	for _, keys := range [][][]byte{nil, {make([]byte, 31)}, {newer, nil}} {
		if _, err := account.NewVault(keys...); err == nil {
			t.Errorf("%d keys accepted", len(keys))
		}
	}
}
