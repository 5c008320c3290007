package account_test

import (
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/page"
)

// works reports whether a key is accepted.
func (f *fixture) works(t *testing.T, header string) bool {
	t.Helper()
	_, err := f.accounts.AuthenticateKey(t.Context(), header, client)
	if err != nil && fault.KindOf(err) != fault.Unauthenticated {
		t.Fatal(err)
	}
	return err == nil
}

// listed returns the ids of the keys in use, or of the ended keys.
func (f *fixture) listed(t *testing.T, ended bool) (ids []uuid.UUID) {
	t.Helper()
	list, err := f.accounts.Keys(t.Context(), f.org.ID, ended, page.Request{})
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range list.Data {
		ids = append(ids, k.ID)
	}
	live, over, err := f.accounts.CountKeys(t.Context(), f.org.ID)
	if count := map[bool]int{false: live, true: over}[ended]; err != nil || count != len(ids) {
		t.Errorf("%d listed, %d counted, %v", len(ids), count, err)
	}
	return ids
}

func TestAKeyAndItsSuccessorWorkSideBySide(t *testing.T) {
	t.Parallel()
	f := setup(t)
	ctx := t.Context()
	expires := time.Now().Add(90 * 24 * time.Hour)
	old, before := f.key(t, account.NewKey{Scopes: []account.Scope{account.CallsRead}, ExpiresAt: &expires})
	f.db.Advance(24 * time.Hour)
	next, value, err := f.accounts.RotateKey(ctx, f.actor, old.ID, account.Rotation{Overlap: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	after := "Bearer " + value
	if next.ID == old.ID || next.Name != old.Name || !slices.Equal(next.Scopes, old.Scopes) ||
		next.Display == old.Display || next.ReplacedBy != nil {
		t.Errorf("the successor is %+v", next)
	}
	// The successor has the lifetime of the old key, starting now.
	if lifetime := next.ExpiresAt.Sub(next.CreatedAt) - old.ExpiresAt.Sub(old.CreatedAt); lifetime.Abs() > time.Minute {
		t.Errorf("its life is %v longer", lifetime)
	}
	if !f.works(t, before) || !f.works(t, after) {
		t.Error("they do not work side by side")
	}
	old, err = f.accounts.Key(ctx, f.org.ID, old.ID)
	now := next.CreatedAt
	if err != nil || !old.Rotating(now) || old.Rotating(now.Add(61*time.Minute)) || *old.ReplacedBy != next.ID ||
		old.ExpiresAt.Sub(now).Round(time.Minute) != time.Hour {
		t.Errorf("the old one is %+v, %v", old, err)
	}
	if got := f.listed(t, false); !slices.Equal(got, []uuid.UUID{next.ID, old.ID}) {
		t.Errorf("in use are %v", got)
	}
	if got := audited(t, f.db.Pool, f.org.ID, old.ID); !slices.Equal(got, []string{
		"api_key.created", "api_key.rotated",
	}) {
		t.Errorf("audited %v", got)
	}
	if got := audited(t, f.db.Pool, f.org.ID, next.ID); !slices.Equal(got, []string{"api_key.created"}) {
		t.Errorf("audited %v", got)
	}

	f.db.Advance(time.Hour + time.Second)
	if f.works(t, before) || !f.works(t, after) {
		t.Error("the overlap does not end")
	}
	if in, over := f.listed(t, false), f.listed(t, true); !slices.Equal(in, []uuid.UUID{next.ID}) ||
		!slices.Equal(over, []uuid.UUID{old.ID}) {
		t.Errorf("in use are %v, over %v", in, over)
	}
}

func TestRotationWithoutOverlapRevokes(t *testing.T) {
	t.Parallel()
	f := setup(t)
	old, before := f.key(t, account.NewKey{})
	next, value, err := f.accounts.RotateKey(t.Context(), f.actor, old.ID, account.Rotation{})
	if err != nil || next.ExpiresAt != nil || !next.AllScopes() {
		t.Fatalf("%+v, %v", next, err)
	}
	if f.works(t, before) || !f.works(t, "Bearer "+value) {
		t.Error("the old key works on")
	}
	if old, err = f.accounts.Key(t.Context(), f.org.ID, old.ID); err != nil || old.RevokedAt == nil ||
		old.RevokedBy == nil {
		t.Errorf("%+v, %v", old, err)
	}
}

// An overlap never extends the life of a key, and can be cut short.
func TestAnOverlapIsNoExtension(t *testing.T) {
	t.Parallel()
	f := setup(t)
	expires := time.Now().Add(2 * time.Hour)
	old, before := f.key(t, account.NewKey{ExpiresAt: &expires})
	if _, _, err := f.accounts.RotateKey(t.Context(), f.actor, old.ID, account.Rotation{
		Overlap: account.MaxOverlap,
	}); err != nil {
		t.Fatal(err)
	}
	if k, err := f.accounts.Key(t.Context(), f.org.ID, old.ID); err != nil || !k.ExpiresAt.Equal(*old.ExpiresAt) {
		t.Errorf("it now lives until %v, %v", k.ExpiresAt, err)
	}
	if err := f.accounts.RevokeKey(t.Context(), f.actor, old.ID); err != nil || f.works(t, before) {
		t.Errorf("it can't be revoked: %v", err)
	}
}

func TestRotationRefusals(t *testing.T) {
	t.Parallel()
	f := setup(t)
	ctx := t.Context()
	rotate := func(actor account.Actor, id uuid.UUID, overlap time.Duration) error {
		_, _, err := f.accounts.RotateKey(ctx, actor, id, account.Rotation{Overlap: overlap})
		return err
	}
	k, _ := f.key(t, account.NewKey{})
	wantFault(t, rotate(f.stranger(), k.ID, 0), fault.NotFound, "API key not found")
	wantFault(t, rotate(f.actor, uuid.Must(uuid.NewV7()), 0), fault.NotFound, "API key not found")
	wantFault(t, rotate(f.actor, k.ID, -1), fault.Invalid, "overlap: must be between 0 and 7 days")
	wantFault(t, rotate(f.actor, k.ID, account.MaxOverlap+1), fault.Invalid, "overlap: must be between 0 and 7 days")

	// Of many concurrent rotations, one creates the successor.
	var wins, losses sync.Map
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			if err := rotate(f.actor, k.ID, time.Hour); err == nil {
				wins.Store(i, true)
			} else {
				losses.Store(i, err)
			}
		})
	}
	group.Wait()
	won := 0
	wins.Range(func(any, any) bool { won++; return true })
	if won != 1 {
		t.Errorf("%d successors", won)
	}
	losses.Range(func(_, err any) bool {
		wantFault(t, err.(error), fault.Conflict, "This key was rotated already")
		return true
	})

	revoked, _ := f.key(t, account.NewKey{})
	if err := f.accounts.RevokeKey(ctx, f.actor, revoked.ID); err != nil {
		t.Fatal(err)
	}
	wantFault(t, rotate(f.actor, revoked.ID, 0), fault.Conflict, "This key is revoked and cannot be rotated")
	soon := time.Now().Add(time.Hour)
	expired, _ := f.key(t, account.NewKey{ExpiresAt: &soon})
	f.db.Advance(2 * time.Hour)
	wantFault(t, rotate(f.actor, expired.ID, 0), fault.Conflict, "This key has expired and cannot be rotated")
}
