package account_test

import (
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/fault"
)

// Requests in one statement are counted one by one, in their order.
func TestRequestsInOneStatementAreCountedExactly(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.db.StopClock()
	ctx := t.Context()
	busy, busyHeader := f.key(t, account.NewKey{Scopes: []account.Scope{account.CallsRead}})
	calm, calmHeader := f.key(t, account.NewKey{})
	revoked, revokedHeader := f.key(t, account.NewKey{})
	soon := time.Now().Add(time.Hour)
	_, expiredHeader := f.key(t, account.NewKey{ExpiresAt: &soon})
	if err := f.accounts.RevokeKey(ctx, f.actor, revoked.ID); err != nil {
		t.Fatal(err)
	}
	f.db.Advance(2 * time.Hour)
	value := func(header string) string { return strings.TrimPrefix(header, "Bearer ") }

	other := netip.MustParseAddr("203.0.113.5")
	if _, err := f.accounts.AuthenticateKey(ctx, busyHeader, other); err != nil {
		t.Fatal(err)
	}
	values := []string{value(calmHeader), value(revokedHeader), value(expiredHeader), "ik_live_unknown"}
	for range 60 {
		values = append(values, value(busyHeader))
	}
	values = append(values, value(calmHeader))
	callers, err := f.accounts.UseKeys(ctx, client, values...)
	if err != nil || len(callers) != 65 {
		t.Fatalf("%d callers, %v", len(callers), err)
	}
	for i := 1; i <= 3; i++ { // revoked, expired, unknown
		if callers[i].KeyID != uuid.Nil {
			t.Errorf("request %d: %+v", i, callers[i])
		}
	}
	for i, remaining := range map[int]int{0: 59, 64: 58, 4: 58, 5: 57, 62: 0} {
		if w := callers[i].Window; !w.Allowed || w.Remaining != remaining || w.ResetIn != time.Minute {
			t.Errorf("request %d: %+v", i, w)
		}
	}
	if w := callers[63].Window; w.Allowed || w.Remaining != 0 || w.ResetIn != time.Minute {
		t.Errorf("the 61st request: %+v", w)
	}
	if c := callers[4]; c.KeyID != busy.ID || c.OrganizationID != f.org.ID || c.Name != busy.Name ||
		!c.HasScope(account.CallsRead) || c.HasScope(account.CallsWrite) {
		t.Errorf("caller %+v", c)
	}
	if c := callers[64]; c.KeyID != calm.ID || !c.HasScope(account.CallsWrite) {
		t.Errorf("caller %+v", c)
	}
	if k, err := f.accounts.Key(ctx, f.org.ID, calm.ID); err != nil || k.LastUsedAt == nil || *k.LastAddress != client {
		t.Errorf("last use %v from %v, %v", k.LastUsedAt, k.LastAddress, err)
	}

	// The window goes on where the statement left it, and one that is over begins anew.
	c, err := f.accounts.AuthenticateKey(ctx, busyHeader, client)
	if err != nil || c.Window.Allowed {
		t.Errorf("%+v, %v", c.Window, err)
	}
	f.db.Advance(time.Minute)
	callers, err = f.accounts.UseKeys(ctx, netip.Addr{}, value(busyHeader), value(busyHeader))
	if err != nil || callers[0].Window.Remaining != 59 || callers[1].Window.Remaining != 58 {
		t.Errorf("%+v, %v", callers, err)
	}
}

// Another process uses a key all the time, so it is locked for some requests of a statement and unlocked for others.
// None of them is refused as one with an unknown key.
func TestAKeyThatIsUnlockedAmongItsRequests(t *testing.T) {
	t.Parallel()
	f := setup(t)
	ctx := t.Context()
	key, header := f.key(t, account.NewKey{})
	values := make([]string, 2000)
	for i := range values {
		values[i] = strings.TrimPrefix(header, "Bearer ")
	}
	var group sync.WaitGroup
	defer group.Wait()
	ended := make(chan struct{})
	defer close(ended)
	group.Go(func() {
		for {
			select {
			case <-ended:
				return
			default:
			}
			if _, err := f.db.Pool.Exec(ctx, `
				select from api_key_use where api_key_id = $1 for no key update`, key.ID); err != nil {
				t.Error(err)
				return
			}
		}
	})
	for mixed, tries := 0, 0; mixed < 5 && tries < 500; tries++ {
		callers, err := f.accounts.UseKeys(ctx, client, values...)
		if err != nil {
			t.Fatal(err)
		}
		if len(callers) > 0 && len(callers) < len(values) {
			mixed++
		}
		for i, c := range callers {
			if c.KeyID != key.ID {
				t.Fatalf("request %d of a statement that answers %d is one with an unknown key", i, len(callers))
			}
		}
	}
}

// A key whose window is locked holds up its own requests, and no others.
func TestALockedKeyHoldsUpNobodyElse(t *testing.T) {
	t.Parallel()
	f := setup(t)
	ctx := t.Context()
	locked, lockedHeader := f.key(t, account.NewKey{})
	_, header := f.key(t, account.NewKey{})
	tx, err := f.db.Pool.Begin(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback(ctx)
	if _, err := tx.Exec(ctx, `select from api_key_use where api_key_id = $1 for update`, locked.ID); err != nil {
		t.Fatal(err)
	}
	values := []string{strings.TrimPrefix(lockedHeader, "Bearer "), strings.TrimPrefix(header, "Bearer "), "unknown"}
	callers, err := f.accounts.UseKeys(ctx, client, values...)
	if _, answered := callers[0]; err != nil || answered || !callers[1].Window.Allowed || len(callers) != 2 {
		t.Errorf("%+v, %v", callers, err)
	}
	waiting := make(chan error, 3)
	for range cap(waiting) {
		go func() {
			_, err := f.accounts.AuthenticateKey(ctx, lockedHeader, client)
			waiting <- err
		}()
	}
	f.db.AwaitLockWaits(t, cap(waiting))
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() {
			if _, err := f.accounts.AuthenticateKey(ctx, header, client); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	select {
	case err := <-waiting:
		t.Errorf("a request with the locked key did not wait: %v", err)
	default:
	}
	if err := f.accounts.RevokeKey(ctx, f.actor, locked.ID); err != nil {
		t.Fatal(err)
	}
	if err := tx.Commit(ctx); err != nil {
		t.Fatal(err)
	}
	for range cap(waiting) {
		wantFault(t, <-waiting, fault.Unauthenticated, "Invalid or revoked API key")
	}
}
