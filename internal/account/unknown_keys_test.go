package account_test

import (
	"errors"
	"fmt"
	"net/netip"
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/testwait"
)

// A client that tries unknown keys is refused without a database query, in the same
// words. Keys that were valid and other addresses are not affected, and a new key works
// soon.
func TestUnknownKeysArePaced(t *testing.T) {
	t.Parallel()
	f := setup(t)
	pool, err := postgres.Open(t.Context(), postgres.Options{URL: f.db.URL, MaxConns: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	accounts := account.New(account.Options{Pool: pool})
	elsewhere := netip.MustParseAddr("203.0.113.9")
	_, known := f.key(t, account.NewKey{})
	if _, err := accounts.AuthenticateKey(t.Context(), known, client); err != nil {
		t.Fatal(err)
	}
	guess := func(n int) error {
		_, err := accounts.AuthenticateKey(t.Context(), fmt.Sprintf("Bearer ik_live_%064x", n), client)
		return err
	}
	before := pool.Stat().AcquireCount()
	const guesses = 20_000
	began := time.Now()
	for n := range guesses {
		if err := guess(n); fault.KindOf(err) != fault.Unauthenticated || err.Error() != "Invalid or revoked API key" {
			t.Fatalf("guess %d: %v", n, err)
		}
	}
	if asked, most := pool.Stat().AcquireCount()-before, 61+10*int64(time.Since(began)/time.Second+1); asked > most {
		t.Errorf("the database was asked %d times about %d keys, want at most %d", asked, guesses, most)
	}

	_, fresh := f.key(t, account.NewKey{})
	if _, err := accounts.AuthenticateKey(t.Context(), known, client); err != nil {
		t.Errorf("a key that was good: %v", err)
	}
	if _, err := accounts.AuthenticateKey(t.Context(), fresh, elsewhere); err != nil {
		t.Errorf("from elsewhere: %v", err)
	}
	_, fresh = f.key(t, account.NewKey{})
	for deadline := time.Now().Add(testwait.Limit); ; {
		_, err := accounts.AuthenticateKey(t.Context(), fresh, client)
		if err == nil {
			break
		}
		if fault.KindOf(err) != fault.Unauthenticated || time.Now().After(deadline) {
			t.Fatal(err)
		}
	}

	// Repeating the same wrong key costs one lookup a second.
	wrong := "Bearer ik_live_" + fmt.Sprintf("%064x", guesses+1)
	asked := pool.Stat().AcquireCount()
	began = time.Now()
	for range 1000 {
		if _, err := accounts.AuthenticateKey(t.Context(), wrong, elsewhere); !errors.As(err, new(*fault.Error)) {
			t.Fatal(err)
		}
	}
	if n, most := pool.Stat().AcquireCount()-asked, int64(time.Since(began)/time.Second)+2; n > most {
		t.Errorf("%d look-ups of one wrong key, want at most %d", n, most)
	}
}
