package account_test

import (
	"encoding/hex"
	"fmt"
	"net/netip"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/postgres"
)

var client = netip.MustParseAddr("198.51.100.4")

func (f *fixture) key(t *testing.T, n account.NewKey) (account.Key, string) {
	t.Helper()
	if n.Name == "" {
		n.Name = "Nightly export"
	}
	k, value, err := f.accounts.CreateKey(t.Context(), f.actor, n)
	if err != nil {
		t.Fatal(err)
	}
	return k, "Bearer " + value
}

func TestAKeyIsShownOnceAndStoredAsAHash(t *testing.T) {
	t.Parallel()
	f := setup(t)
	k, header := f.key(t, account.NewKey{
		Scopes: []account.Scope{account.CampaignsWrite, account.CallsRead, account.CallsRead},
	})
	value := strings.TrimPrefix(header, "Bearer ")

	if !regexp.MustCompile(`^ik_live_[0-9a-f]{64}$`).MatchString(value) {
		t.Errorf("value %q", value)
	}
	if want := value[:12] + "…" + value[len(value)-4:]; k.Display != want {
		t.Errorf("display %q, want %q", k.Display, want)
	}
	if !slices.Equal(k.Scopes, []account.Scope{account.CampaignsWrite, account.CallsRead}) || k.AllScopes() {
		t.Errorf("scopes %v", k.Scopes)
	}
	if k.CreatedBy == nil || *k.CreatedBy != "Ana Lund" || k.LastUsedAt != nil {
		t.Errorf("key %+v", k)
	}
	var dump string
	err := f.db.Pool.QueryRow(t.Context(), `
		select string_agg(k::text, ' ') || (select string_agg(a::text, ' ') from audit_entry a) from api_key k`).
		Scan(&dump)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(dump, value[12:40]) {
		t.Error("the database holds the value")
	}
	if got := audited(t, f.db.Pool, f.org.ID, k.ID); !slices.Equal(got, []string{"api_key.created"}) {
		t.Errorf("audited %v", got)
	}
	all, header := f.key(t, account.NewKey{})
	if !all.AllScopes() {
		t.Errorf("default scopes %v", all.Scopes)
	}
	c, err := f.accounts.AuthenticateKey(t.Context(), header, client)
	if err != nil || !c.HasScope(account.EvidenceRead) || !c.HasScope("later:read") {
		t.Errorf("%+v, %v", c, err)
	}
	// A key with each scope of today does not get those that come later.
	each, header := f.key(t, account.NewKey{Scopes: account.Scopes()})
	c, err = f.accounts.AuthenticateKey(t.Context(), header, client)
	if err != nil || each.AllScopes() || !c.HasScope(account.EvidenceRead) || c.HasScope("later:read") {
		t.Errorf("%+v, %v", c, err)
	}
}

func TestKeyRefusals(t *testing.T) {
	t.Parallel()
	f := setup(t)
	past := time.Now().Add(-time.Second)
	for want, n := range map[string]account.NewKey{
		"name: required":                         {},
		"name: must have at most 100 characters": {Name: strings.Repeat("x", 101)},
		"scopes: choose at least one":            {Name: "N", Scopes: []account.Scope{}},
		"expires_at: must be in the future":      {Name: "N", ExpiresAt: &past},
		`scopes: there is no scope "root"; the scopes are campaigns:read, campaigns:write, calls:read, calls:write, ` +
			`numbers:read, ` +
			`numbers:write, ` +
			`projects:read, projects:write, agents:read, agents:write, connections:read, connections:write, ` +
			`follow_ups:read, follow_ups:write, messages:read, ` +
			`messages:write, suppressions:read, suppressions:write, ` +
			`evidence:read, webhooks:read, ` +
			`webhooks:write`: {
			Name: "N", Scopes: []account.Scope{"root"}},
	} {
		_, _, err := f.accounts.CreateKey(t.Context(), f.actor, n)
		wantFault(t, err, fault.Invalid, want)
	}
}

func TestAuthenticateKey(t *testing.T) {
	t.Parallel()
	f := setup(t)
	ctx := t.Context()
	k, header := f.key(t, account.NewKey{Scopes: []account.Scope{account.CallsRead}})

	before := time.Now().Add(-time.Millisecond)
	c, err := f.accounts.AuthenticateKey(ctx, strings.Replace(header, "Bearer", "bEARER", 1), client)
	if err != nil {
		t.Fatal(err)
	}
	if c.KeyID != k.ID || c.OrganizationID != f.org.ID || c.Name != k.Name {
		t.Errorf("caller %+v", c)
	}
	if !c.HasScope(account.CallsRead) || c.HasScope(account.CampaignsRead) {
		t.Errorf("scopes %v", c.Scopes)
	}
	w := c.Window
	if !w.Allowed || w.Limit != 60 || w.Remaining != 59 || w.ResetIn != time.Minute ||
		w.Reset.Before(before.Add(time.Minute)) {
		t.Errorf("window %+v", w)
	}
	if a := c.Actor(client); a.OrganizationID != f.org.ID || a.Kind != account.ByKey || a.ID != k.ID {
		t.Errorf("actor %+v", a)
	}
	k, err = f.accounts.Key(ctx, f.org.ID, k.ID)
	if err != nil || k.LastUsedAt == nil || k.LastUsedAt.Before(before) || k.LastAddress == nil ||
		*k.LastAddress != client {
		t.Errorf("last use %v at %v, %v", k.LastAddress, k.LastUsedAt, err)
	}

	value := strings.TrimPrefix(header, "Bearer ")
	changed := value[:len(value)-1] + string('0'+'1'-value[len(value)-1]%2)
	const (
		missing = "Missing Authorization header"
		format  = "Invalid API key format"
		invalid = "Invalid or revoked API key"
	)
	for header, want := range map[string]string{
		"":                            missing,
		"  ":                          missing,
		"Bearer":                      format,
		"Bearer ":                     format,
		value:                         format,
		"Basic " + value:              format,
		"Bearer sk_live_" + value[8:]: format,
		"Bearer IK_LIVE_" + value[8:]: format,
		"Bearer ik_live_":             invalid,
		"Bearer " + value[:71]:        invalid,
		"Bearer " + value + "0":       invalid,
		"Bearer " + value + " x":      invalid,
		"Bearer ik_live_" + strings.Repeat("g", 64):         invalid,
		"Bearer ik_live_" + strings.Repeat("0", 64):         invalid,
		"Bearer " + changed:                                 invalid,
		"Bearer ik_live_" + strings.ToUpper(value[8:]) + "": invalid,
	} {
		_, err := f.accounts.AuthenticateKey(ctx, header, client)
		wantFault(t, err, fault.Unauthenticated, want)
	}
}

func TestRevocationHoldsFromTheNextRequest(t *testing.T) {
	t.Parallel()
	f := setup(t)
	ctx := t.Context()
	k, header := f.key(t, account.NewKey{})

	wantFault(t, f.accounts.RevokeKey(ctx, f.stranger(), k.ID), fault.NotFound, "API key not found")
	wantFault(t, f.accounts.RevokeKey(ctx, f.actor, uuid.Must(uuid.NewV7())), fault.NotFound, "API key not found")
	if _, err := f.accounts.AuthenticateKey(ctx, header, client); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second revocation changes nothing
		if err := f.accounts.RevokeKey(ctx, f.actor, k.ID); err != nil {
			t.Fatal(err)
		}
	}
	_, err := f.accounts.AuthenticateKey(ctx, header, client)
	wantFault(t, err, fault.Unauthenticated, "Invalid or revoked API key")
	if got := audited(t, f.db.Pool, f.org.ID, k.ID); !slices.Equal(got, []string{
		"api_key.created", "api_key.revoked",
	}) {
		t.Errorf("audited %v", got)
	}
}

// A request that waits for the key's row sees a concurrent revocation.
func TestRevocationOvertakesAWaitingRequest(t *testing.T) {
	t.Parallel()
	f := setup(t)
	ctx := t.Context()
	k, header := f.key(t, account.NewKey{})

	tx, err := f.db.Pool.Begin(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback(ctx)
	if _, err := tx.Exec(ctx, `select from api_key_use where api_key_id = $1 for update`, k.ID); err != nil {
		t.Fatal(err)
	}
	answered := make(chan error, 1)
	go func() {
		_, err := f.accounts.AuthenticateKey(ctx, header, client)
		answered <- err
	}()
	f.db.AwaitLockWaits(t, 1)
	if err := f.accounts.RevokeKey(ctx, f.actor, k.ID); err != nil {
		t.Fatal(err)
	}
	if err := tx.Commit(ctx); err != nil {
		t.Fatal(err)
	}
	wantFault(t, <-answered, fault.Unauthenticated, "Invalid or revoked API key")
}

func TestAnExpiredKeyIsInvalid(t *testing.T) {
	t.Parallel()
	f := setup(t)
	soon := time.Now().Add(time.Hour).Truncate(time.Millisecond) // as it is stored
	k, header := f.key(t, account.NewKey{ExpiresAt: &soon})
	if _, err := f.accounts.AuthenticateKey(t.Context(), header, client); err != nil {
		t.Fatal(err)
	}
	f.db.Advance(time.Hour)
	_, err := f.accounts.AuthenticateKey(t.Context(), header, client)
	wantFault(t, err, fault.Unauthenticated, "Invalid or revoked API key")
	if !k.Expired(soon) || k.Expired(soon.Add(-time.Second)) {
		t.Error("Expired is off")
	}
}

// The limit is exact, however many requests arrive at once, and from however many
// processes. A refused request writes nothing.
func TestTheWindowIsExact(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.db.StopClock() // all requests are in one window
	ctx := t.Context()
	k, header := f.key(t, account.NewKey{})
	second, err := postgres.Open(ctx, postgres.Options{URL: f.db.URL, MaxConns: 8})
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	services := []*account.Service{f.accounts, account.New(account.Options{Pool: second, Vault: newVault(t)})}

	var admitted atomic.Int32
	var mu sync.Mutex
	remaining := map[int]int{}
	var wg sync.WaitGroup
	for i := range 200 {
		wg.Go(func() {
			c, err := services[i%2].AuthenticateKey(ctx, header, client)
			if err != nil {
				t.Error(err)
				return
			}
			if c.Window.Allowed {
				admitted.Add(1)
				mu.Lock()
				remaining[c.Window.Remaining]++
				mu.Unlock()
			} else if c.Window.Remaining != 0 {
				t.Errorf("refused with %d remaining", c.Window.Remaining)
			}
		})
	}
	wg.Wait()
	if admitted.Load() != 60 {
		t.Errorf("%d of 200 were admitted", admitted.Load())
	}
	for n := range 60 {
		if remaining[n] != 1 {
			t.Errorf("%d requests were told that %d remain", remaining[n], n)
		}
	}

	version := func() (v string) {
		err := f.db.Pool.QueryRow(ctx, `select ctid::text || last_used_at from api_key_use where api_key_id = $1`,
			k.ID).Scan(&v)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	before := version()
	c, err := f.accounts.AuthenticateKey(ctx, header, netip.Addr{})
	if err != nil || c.Window.Allowed || c.Window.ResetIn <= 0 || c.Window.ResetIn > time.Minute {
		t.Fatalf("over the limit: %+v, %v", c.Window, err)
	}
	if version() != before {
		t.Error("a refused request wrote a new version of the row")
	}

	// Waiting for ResetIn is enough.
	f.db.Advance(c.Window.ResetIn)
	if c, err = f.accounts.AuthenticateKey(ctx, header, client); err != nil || !c.Window.Allowed ||
		c.Window.Remaining != 59 {
		t.Errorf("after the window: %+v, %v", c.Window, err)
	}
}

func TestListKeys(t *testing.T) {
	t.Parallel()
	f := setup(t)
	ctx := t.Context()
	var want []string
	for i := range 7 {
		k, _ := f.key(t, account.NewKey{Name: fmt.Sprint("Key ", i)})
		if i == 3 {
			if err := f.accounts.RevokeKey(ctx, f.actor, k.ID); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want = append([]string{k.Name}, want...)
	}
	// Keys with the same creation time must not be lost or repeated.
	if _, err := f.db.Pool.Exec(ctx, `update api_key set created_at = '2026-01-01'`); err != nil {
		t.Fatal(err)
	}
	var got []string
	for p := (page.Request{Limit: 4}); ; {
		l, err := f.accounts.Keys(ctx, f.org.ID, false, p)
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range l.Data {
			got = append(got, k.Name)
		}
		if !l.HasMore {
			break
		}
		p.Cursor = *l.NextCursor
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if l, err := f.accounts.Keys(ctx, f.org.ID, true, page.Request{}); err != nil || len(l.Data) != 1 ||
		l.Data[0].RevokedAt == nil {
		t.Errorf("revoked: %+v, %v", l, err)
	}
	if l, err := f.accounts.Keys(ctx, f.other.ID, false, page.Request{}); err != nil || len(l.Data) != 0 {
		t.Errorf("another organization sees %+v, %v", l, err)
	}
	if live, revoked, err := f.accounts.CountKeys(ctx, f.org.ID); err != nil || live != 6 || revoked != 1 {
		t.Errorf("counted %d and %d, %v", live, revoked, err)
	}
	day := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, p := range []page.Request{{CreatedAfter: day}, {CreatedBefore: day}} {
		if l, err := f.accounts.Keys(ctx, f.org.ID, false, p); err != nil || len(l.Data) != 0 {
			t.Errorf("%+v: %+v, %v", p, l, err)
		}
	}
	if l, err := f.accounts.Keys(ctx, f.org.ID, false, page.Request{
		CreatedAfter: day.Add(-1), CreatedBefore: day.Add(time.Hour),
	}); err != nil || len(l.Data) != 6 {
		t.Errorf("between: %+v, %v", l, err)
	}
	_, err := f.accounts.Keys(ctx, f.org.ID, false, page.Request{Cursor: "x"})
	wantFault(t, err, fault.Invalid, "cursor: not a valid cursor")
}

// For any header, the answer is one of three errors or a key of the right
// form.
func FuzzBearer(f *testing.F) {
	for _, s := range []string{
		"", "Bearer", "bearer  ik_live_" + strings.Repeat("0a", 32), "Basic dTpw", "Bearer ik_live_é",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, header string) {
		value, err := account.Bearer(header)
		if err != nil {
			if m := fault.As(err).Message; m != "Missing Authorization header" && m != "Invalid API key format" &&
				m != "Invalid or revoked API key" {
				t.Errorf("%q: %v", header, err)
			}
			return
		}
		digits, ok := strings.CutPrefix(value, "ik_live_")
		if _, err := hex.DecodeString(digits); !ok || err != nil || len(digits) != 64 ||
			!strings.HasSuffix(strings.TrimSpace(header), value) {
			t.Errorf("%q read as %q", header, value)
		}
	})
}
