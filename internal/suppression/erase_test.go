package suppression_test

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/seal"
	"github.com/dialwright/dialwright/internal/suppression"
)

func (f *fixture) erase(t *testing.T, number phone.Number) {
	t.Helper()
	err := postgres.InTx(t.Context(), f.db.Pool, func(tx pgx.Tx) error {
		return suppression.Erase(t.Context(), tx, f.actor.OrganizationID, number, f.actor.Name)
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestAnErasedNumberStaysListed(t *testing.T) {
	t.Parallel()
	f, ctx := setup(t), t.Context()
	const erased, other = phone.Number("+13125550142"), phone.Number("+13125550143")
	early := f.add(t, suppression.NewEntry{PhoneNumber: erased, Note: "Mr Smith asked"})
	if err := f.list.Remove(ctx, f.actor, early.ID, "Mr Smith wrote"); err != nil {
		t.Fatal(err)
	}
	before := f.add(t, suppression.NewEntry{PhoneNumber: erased, Note: "Mr Smith asked"})
	f.add(t, suppression.NewEntry{PhoneNumber: other})
	f.erase(t, erased)
	f.erase(t, erased) // erase again, as after a crash
	var kept int
	if err := f.db.Pool.QueryRow(ctx, `select count(*) from do_not_call_removal`).Scan(&kept); err != nil || kept > 0 {
		t.Errorf("%d removals of an erased number, %v", kept, err)
	}

	list, err := f.list.List(ctx, f.actor.OrganizationID, suppression.Filter{PhoneNumber: erased})
	if err != nil || len(list.Data) != 2 {
		t.Fatalf("%+v, %v", list.Data, err)
	}
	for _, e := range list.Data {
		if !e.Erased || e.PhoneNumber != "" || e.Note != "" {
			t.Errorf("%+v", e)
		}
		if e.Channel == suppression.Voice && e.ID != before.ID {
			t.Errorf("the entry that was there is another one: %+v", e)
		}
	}
	for _, channel := range suppression.Channels {
		got, err := suppression.Listed(ctx, f.db.Pool, f.actor.OrganizationID, channel, []phone.Number{
			erased, "+13125550199",
		})
		if err != nil || !slices.Equal(slices.Sorted(maps.Keys(got)), []phone.Number{erased}) {
			t.Errorf("%s: %v, %v", channel, got, err)
		}
		if got, err := suppression.Listed(
			ctx, f.db.Pool, f.stranger.OrganizationID, channel, []phone.Number{erased},
		); err != nil || len(got) > 0 {
			t.Errorf("another organization: %v, %v", got, err)
		}
	}
	// Adding an erased number again finds its entry. The number stays hashed.
	again, added, err := f.list.Add(ctx, f.actor, suppression.NewEntry{PhoneNumber: erased, Source: suppression.ByAPI})
	if err != nil || added || again.ID != before.ID || !again.Erased {
		t.Errorf("%+v, %v, %v", again, added, err)
	}
	sum, err := f.list.AddAll(ctx, f.actor, []suppression.NewEntry{
		{PhoneNumber: erased, Source: suppression.ByImport}, {PhoneNumber: other, Source: suppression.ByImport},
		{PhoneNumber: "+13125550144", Source: suppression.ByImport},
		{PhoneNumber: "+13125550144", Source: suppression.ByImport},
	})
	if err != nil || sum != (suppression.Added{Added: 1, Existing: 3, Numbers: 1}) {
		t.Errorf("%+v, %v", sum, err)
	}
	var readable int
	if err := f.db.Pool.QueryRow(
		ctx, `select count(*) from do_not_call where phone_number = $1`, erased,
	).Scan(&readable); err != nil || readable > 0 {
		t.Errorf("%d in clear, %v", readable, err)
	}
	// An erased person can be taken off the list like anybody else, but without a reason in the audit log.
	if err := f.list.Remove(ctx, f.actor, before.ID, "Mr Smith asked"); err != nil {
		t.Fatal(err)
	}
	if got, err := suppression.Listed(
		ctx, f.db.Pool, f.actor.OrganizationID, suppression.Voice, []phone.Number{erased},
	); err != nil || len(got) > 0 {
		t.Errorf("%v, %v", got, err)
	}
	var audited int
	if err := f.db.Pool.QueryRow(ctx, `select count(*) from audit_entry where data::text like '%Smith%'`).
		Scan(&audited); err != nil || audited > 0 {
		t.Errorf("%d audit entries name the person, %v", audited, err)
	}
}

func TestTheHashIsHMAC(t *testing.T) {
	t.Parallel()
	f, ctx := setup(t), t.Context()
	vault, err := seal.NewVault(bytes.Repeat([]byte{7}, seal.MasterKeySize))
	if err != nil {
		t.Fatal(err)
	}
	hashes := make([][]byte, 2)
	for i := range hashes { // two processes share one key
		pool, err := postgres.Open(ctx, postgres.Options{
			URL: f.db.URL, MaxConns: 1, Prepare: suppression.Unlock(vault),
		})
		if err != nil {
			t.Fatal(err)
		}
		hashes[i], err = suppression.Hash(ctx, pool, f.actor.OrganizationID, "+13125550142")
		pool.Close()
		if err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(hashes[0], hashes[1]) {
		t.Errorf("%x and %x", hashes[0], hashes[1])
	}
	var sealed []byte
	if err := f.db.Pool.QueryRow(ctx, `select sealed from number_key`).Scan(&sealed); err != nil {
		t.Fatal(err)
	}
	key, err := vault.Open(sealed, seal.Cell{Table: "number_key", Column: "sealed", Row: "key"})
	if err != nil {
		t.Fatal(err)
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(f.actor.OrganizationID.String() + " +13125550142"))
	if !bytes.Equal(hashes[0], mac.Sum(nil)) {
		t.Errorf("hash %x, want %x", hashes[0], mac.Sum(nil))
	}

	// With another master key, the database connection fails, so nothing is dialed.
	wrong, err := seal.NewVault(bytes.Repeat([]byte{8}, seal.MasterKeySize))
	if err != nil {
		t.Fatal(err)
	}
	pool, err := postgres.Open(ctx, postgres.Options{URL: f.db.URL, MaxConns: 1, Prepare: suppression.Unlock(wrong)})
	if err == nil {
		err = pool.Ping(ctx)
		pool.Close()
	}
	if err == nil || !strings.Contains(err.Error(), "a sealed secret does not open") {
		t.Errorf("%v", err)
	}
}

func TestWithoutTheKeyNothingIsDecided(t *testing.T) {
	t.Parallel()
	f, ctx := setup(t), t.Context()
	keyless, err := postgres.Open(ctx, postgres.Options{URL: f.db.URL, MaxConns: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer keyless.Close()
	blocked := `select ` + suppression.Blocks(suppression.Voice, "$1::uuid", "$2::text", "$3::bytea")
	args := []any{
		f.actor.OrganizationID, "+13125550142", suppression.HashOf(f.actor.OrganizationID, "+13125550142"),
	}
	var yes bool
	if err := keyless.QueryRow(ctx, blocked, args...).Scan(&yes); err == nil {
		t.Error("decided without the key")
	}
	if err := f.db.Pool.QueryRow(ctx, blocked, args...).Scan(&yes); err != nil || yes {
		t.Errorf("nobody is erased: %v, %v", yes, err)
	}
	f.erase(t, "+13125550142")
	if err := f.db.Pool.QueryRow(ctx, blocked, args...).Scan(&yes); err != nil || !yes {
		t.Errorf("%v, %v", yes, err)
	}
}

func TestABatchIsAllOrNothing(t *testing.T) {
	t.Parallel()
	f, ctx := setup(t), t.Context()
	_, err := f.list.AddAll(ctx, f.actor, []suppression.NewEntry{
		{PhoneNumber: "+13125550142", Source: suppression.ByAPI},
		{PhoneNumber: "12", Source: suppression.ByAPI, Channel: "fax"},
	})
	wantFault(
		t, err, fault.Invalid,
		"entries[1].channel: must be voice or message; "+
			"entries[1].phone_number: not a valid phone number. Use E.164, such as +13125550142",
	)
	if list, err := f.list.List(ctx, f.actor.OrganizationID, suppression.Filter{}); err != nil || len(list.Data) > 0 {
		t.Errorf("%+v, %v", list.Data, err)
	}
	if _, err := f.list.AddAll(ctx, f.actor, nil); fault.KindOf(err) != fault.Invalid {
		t.Errorf("%v", err)
	}
}
