package account_test

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/fault"
)

func (f *fixture) signIn(t *testing.T) (string, account.Session) {
	t.Helper()
	token, session, err := f.accounts.SignIn(t.Context(), " ANA@meridian.example", password, here)
	if err != nil {
		t.Fatal(err)
	}
	return token, session
}

func TestSignInAndOut(t *testing.T) {
	t.Parallel()
	f := setup(t)
	ctx := t.Context()
	token, session := f.signIn(t)
	got, err := f.accounts.Authenticate(ctx, token)
	if err != nil || got != session {
		t.Fatalf("%+v, %v, want %+v", got, err, session)
	}
	if got.User != f.admin || got.Organization != f.org || got.Role != account.Admin {
		t.Errorf("session %+v", got)
	}
	if a := got.Actor(here.Address); a.ID != f.admin.ID || a.OrganizationID != f.org.ID || a.Role != account.Admin ||
		a.Name != "Ana Lund" {
		t.Errorf("actor %+v", a)
	}
	var leaks int
	err = f.db.Pool.QueryRow(
		ctx, `select count(*) from user_session where encode(token_hash, 'escape') like '%' || $1 || '%'`, token,
	).Scan(&leaks)
	if err != nil || leaks != 0 {
		t.Error("the token is stored", err)
	}
	list, err := f.accounts.Sessions(ctx, f.actor)
	if err != nil || len(list) != 1 || list[0].ID != session.ID || *list[0].Address != here.Address ||
		list[0].Agent != "Test/1.0" {
		t.Errorf("sessions %+v, %v", list, err)
	}
	if err := f.accounts.SignOut(ctx, token, here); err != nil {
		t.Fatal(err)
	}
	for _, token := range []string{token, "", "nonsense"} {
		_, err := f.accounts.Authenticate(ctx, token)
		wantFault(t, err, fault.Unauthenticated, "Sign in to continue")
	}
	if err := f.accounts.SignOut(ctx, token, here); err != nil {
		t.Error("a second sign-out:", err)
	}
}

func TestWrongSignInsLookTheSame(t *testing.T) {
	t.Parallel()
	f := setup(t)
	for _, email := range []string{"ana@meridian.example", "nobody@meridian.example", "", "a\x00b\xff"} {
		_, _, err := f.accounts.SignIn(t.Context(), email, "not the password", here)
		wantFault(t, err, fault.Unauthenticated, "Wrong email address or password")
	}
}

// The same letter from another keyboard, composed differently, gives the same password.
func TestPasswordsAreNormalized(t *testing.T) {
	t.Parallel()
	f := setup(t)
	if err := f.accounts.ResetPassword(t.Context(), f.admin.Email, "un caf\u00e9 tranquille"); err != nil {
		t.Fatal(err)
	}
	if _, _, err := f.accounts.SignIn(t.Context(), f.admin.Email, "un cafe\u0301 tranquille", here); err != nil {
		t.Error(err)
	}
}

func TestMembershipDecidesAtEveryRequest(t *testing.T) {
	t.Parallel()
	f := setup(t)
	ctx := t.Context()
	ben, err := f.accounts.CreateUser(ctx, f.actor, account.NewUser{
		Email: "ben@meridian.example", Name: "Ben", Password: password, Role: account.Staff})
	if err != nil {
		t.Fatal(err)
	}
	token, session, err := f.accounts.SignIn(ctx, ben.Email, password, here)
	if err != nil || session.Role != account.Staff {
		t.Fatal(session.Role, err)
	}
	if err := f.accounts.SetRole(ctx, f.actor, ben.ID, account.Admin); err != nil {
		t.Fatal(err)
	}
	if got, err := f.accounts.Authenticate(ctx, token); err != nil || got.Role != account.Admin {
		t.Errorf("after a change of role: %v, %v", got.Role, err)
	}
	if err := f.accounts.RemoveMember(ctx, f.actor, ben.ID); err != nil {
		t.Fatal(err)
	}
	_, err = f.accounts.Authenticate(ctx, token)
	wantFault(t, err, fault.Unauthenticated, "")
	_, _, err = f.accounts.SignIn(ctx, ben.Email, password, here)
	wantFault(t, err, fault.Forbidden, "This account belongs to no organization")
	want := []string{"member.created", "member.role_changed", "member.removed"}
	if got := audited(t, f.db.Pool, f.org.ID, ben.ID); !slices.Equal(got, want) {
		t.Errorf("audited %v", got)
	}
}

func TestRevokeSessions(t *testing.T) {
	t.Parallel()
	f := setup(t)
	ctx := t.Context()
	first, s1 := f.signIn(t)
	second, s2 := f.signIn(t)
	third, _ := f.signIn(t)

	somebody := f.actor
	somebody.ID = uuid.Must(uuid.NewV7())
	wantFault(t, f.accounts.RevokeSession(ctx, somebody, s2.ID), fault.NotFound, "Session not found")
	if err := f.accounts.RevokeSession(ctx, f.actor, s2.ID); err != nil {
		t.Fatal(err)
	}
	_, err := f.accounts.Authenticate(ctx, second)
	wantFault(t, err, fault.Unauthenticated, "")
	if n, err := f.accounts.RevokeOtherSessions(ctx, f.actor, s1.ID); err != nil || n != 1 {
		t.Error(n, err)
	}
	_, err = f.accounts.Authenticate(ctx, third)
	wantFault(t, err, fault.Unauthenticated, "")
	if _, err := f.accounts.Authenticate(ctx, first); err != nil {
		t.Error(err)
	}
}

func TestChangeAndResetPassword(t *testing.T) {
	t.Parallel()
	f := setup(t)
	ctx := t.Context()
	kept, session := f.signIn(t)
	lost, _ := f.signIn(t)
	const next = "another orange river"

	wantFault(t, f.accounts.ChangePassword(ctx, session, f.actor, password, "short"), fault.Invalid,
		"new_password: must have at least 12 characters")
	wantFault(t, f.accounts.ChangePassword(ctx, session, f.actor, "wrong", next), fault.Invalid,
		"current_password: wrong password")
	wantFault(t, f.accounts.ChangePassword(ctx, session, f.actor, "wrong", "short"), fault.Invalid,
		"current_password: wrong password; new_password: must have at least 12 characters")
	if err := f.accounts.ChangePassword(ctx, session, f.actor, password, next); err != nil {
		t.Fatal(err)
	}
	if _, err := f.accounts.Authenticate(ctx, kept); err != nil {
		t.Error("the session that changed it ended:", err)
	}
	_, err := f.accounts.Authenticate(ctx, lost)
	wantFault(t, err, fault.Unauthenticated, "")
	_, _, err = f.accounts.SignIn(ctx, f.admin.Email, password, here)
	wantFault(t, err, fault.Unauthenticated, "")

	wantFault(t, f.accounts.ResetPassword(ctx, "nobody@example.com", next), fault.NotFound, "User not found")
	if err := f.accounts.ResetPassword(ctx, f.admin.Email, password); err != nil {
		t.Fatal(err)
	}
	_, err = f.accounts.Authenticate(ctx, kept)
	wantFault(t, err, fault.Unauthenticated, "")
	f.signIn(t)
	want := []string{"member.created", "user.password_changed", "user.password_reset"}
	if got := audited(t, f.db.Pool, f.org.ID, f.admin.ID); !slices.Equal(got, want) {
		t.Errorf("audited %v", got)
	}
}

func TestSessionsEndAndAreSeenByTheMinute(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.db.StopClock()
	ctx := t.Context()
	token, _ := f.signIn(t)
	seen := func() time.Time {
		if _, err := f.accounts.Authenticate(ctx, token); err != nil {
			t.Fatal(err)
		}
		list, err := f.accounts.Sessions(ctx, f.actor)
		if err != nil || len(list) != 1 {
			t.Fatal(list, err)
		}
		return list[0].LastSeenAt
	}
	at := seen()
	if again := seen(); !again.Equal(at) {
		t.Error("seen twice in a minute")
	}
	f.db.Advance(2 * time.Minute)
	if again := seen(); again.Sub(at) < 2*time.Minute {
		t.Errorf("seen at %v, then at %v", at, again)
	}
}

// Without "stay signed in", a session ends after half an hour without use, and twelve
// hours after the sign-in in any case. With it, a session ends after thirty days.
func TestHowLongASessionLasts(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.db.StopClock()
	ctx := t.Context()
	in := func(client account.Client) (lives func() bool) {
		t.Helper()
		token, _, err := f.accounts.SignIn(ctx, f.admin.Email, password, client)
		if err != nil {
			t.Fatal(err)
		}
		return func() bool {
			_, err := f.accounts.Authenticate(ctx, token)
			if err != nil {
				wantFault(t, err, fault.Unauthenticated, "Sign in to continue")
			}
			return err == nil
		}
	}
	staying := here
	staying.Stay = true
	stays, used, unused := in(staying), in(here), in(here)
	for range 24 { // twelve hours
		if !used() {
			t.Fatal("a session in use has ended")
		}
		f.db.Advance(29*time.Minute + 59*time.Second)
	}
	if unused() {
		t.Error("a session without use goes on")
	}
	if !used() {
		t.Error("it has ended before its time")
	}
	f.db.Advance(time.Minute)
	if used() {
		t.Error("it has no end")
	}
	f.db.Advance(account.SessionStay - 13*time.Hour)
	if !stays() {
		t.Error("a person who asked to stay signed in is not")
	}
	f.db.Advance(2 * time.Hour)
	if stays() {
		t.Error("it lasts for longer than it says")
	}
	if list, err := f.accounts.Sessions(ctx, f.actor); err != nil || len(list) != 0 {
		t.Errorf("%+v, %v", list, err)
	}
	if err := f.accounts.Sweep(ctx); err != nil {
		t.Fatal(err)
	}
	if rows := f.count(t, `select count(*) from user_session`); rows != 0 {
		t.Errorf("%d rows left", rows)
	}
}

func TestFailedSignInsSlowTheAccountDown(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.db.StopClock()
	ctx := t.Context()
	address := func(i int) account.Client {
		return account.Client{Address: netip.MustParseAddr(fmt.Sprintf("198.51.100.%d", i))}
	}
	wrong := func(i int) error {
		_, _, err := f.accounts.SignIn(ctx, f.admin.Email, "not the password", address(i))
		return err
	}
	for i := range 6 {
		wantFault(t, wrong(i), fault.Unauthenticated, "")
	}
	// The sixth failure starts a pause of one second for all addresses. During the pause,
	// the password is not checked.
	_, _, err := f.accounts.SignIn(ctx, f.admin.Email, password, address(50))
	wantFault(t, err, fault.RateLimited, "Too many failed sign-ins. Try again in 1 s.")
	if after := fault.As(err).RetryAfter; after <= 0 || after > time.Second {
		t.Errorf("retry after %v", after)
	}
	// Other accounts do not wait.
	if _, _, err := f.accounts.SignIn(
		ctx, "nobody@example.com", "not the password", address(51),
	); fault.KindOf(err) != fault.Unauthenticated {
		t.Error(err)
	}
	// The pause grows only to its cap. Waiting for its end is enough.
	for i := range 10 {
		f.db.Advance(10 * time.Second)
		wantFault(t, wrong(10+i), fault.Unauthenticated, "")
	}
	_, _, err = f.accounts.SignIn(ctx, f.admin.Email, password, address(52))
	wantFault(t, err, fault.RateLimited, "")
	f.db.Advance(fault.As(err).RetryAfter)
	if _, _, err := f.accounts.SignIn(ctx, f.admin.Email, password, address(53)); err != nil {
		t.Fatal("the right password after the wait:", err)
	}
	wantFault(t, wrong(54), fault.Unauthenticated, "") // the failures start at zero again
	wantFault(t, wrong(55), fault.Unauthenticated, "")
}

// A device that has signed in to the account before is slowed down only by its own
// failures. Its proof is valid for one account and one password.
func TestAKnownDeviceIsNotHeldUp(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.db.StopClock()
	ctx := t.Context()
	ben, err := f.accounts.CreateUser(ctx, f.actor, account.NewUser{
		Email: "ben@meridian.example", Name: "Ben", Password: password, Role: account.Staff,
	})
	if err != nil {
		t.Fatal(err)
	}
	remember := func(user account.User, cookie string) string {
		t.Helper()
		cookie, err := f.accounts.RememberDevice(ctx, user.ID, cookie)
		if err != nil {
			t.Fatal(err)
		}
		return cookie
	}
	signIn := func(password, device string) error {
		t.Helper()
		_, _, err := f.accounts.SignIn(ctx, f.admin.Email, password, account.Client{
			Address: here.Address, Device: device,
		})
		return err
	}
	known, another := remember(f.admin, ""), remember(f.admin, "")
	both := remember(ben, known) // two people at one browser
	for range 5 {
		wantFault(t, signIn("not the password", ""), fault.Unauthenticated, "")
	}
	f.hold(t)
	changed := "A" + known[1:]
	if changed == known { // proofs begin with a random character
		changed = "B" + known[1:]
	}
	for what, device := range map[string]string{
		"nothing": "", "nonsense": "x.y.z", "a proof of somebody else": remember(ben, ""),
		"a changed proof": changed, "too many": "x.x.x.x." + known,
	} {
		if err := signIn(password, device); fault.KindOf(err) != fault.RateLimited {
			t.Errorf("%s: %v", what, err)
		}
	}
	for _, device := range []string{known, both, another} {
		if err := signIn(password, device); err != nil {
			t.Error(err)
		}
	}
	for range 5 {
		wantFault(t, signIn("not the password", known), fault.Unauthenticated, "")
	}
	f.hold(t)
	wantFault(t, signIn(password, known), fault.RateLimited, "")
	if err := signIn(password, another); err != nil {
		t.Error("another device of the same person waits:", err)
	}
	// A cookie has proofs of a few people, but only one proof of each person.
	for range 3 * 4 {
		both = remember(f.admin, both)
	}
	if n := strings.Count(both, "."); n != 1 {
		t.Errorf("%d proofs", n+1)
	}
	if err := f.accounts.ResetPassword(ctx, f.admin.Email, "another orange river"); err != nil {
		t.Fatal(err)
	}
	wantFault(t, signIn("another orange river", another), fault.RateLimited, "")
	if err := signIn("another orange river", remember(f.admin, another)); err != nil {
		t.Error(err)
	}
}

// Strangers cannot fill the audit log. In an hour, the failures of one account make one
// entry for each of the first addresses, and one entry for all other addresses.
func TestFailedSignInsAreCountedInTheAuditLog(t *testing.T) {
	t.Parallel()
	f := setup(t)
	ctx := t.Context()
	fail := func(i int) {
		t.Helper()
		f.db.Advance(10 * time.Second)
		_, _, err := f.accounts.SignIn(ctx, f.admin.Email, "not the password", account.Client{
			Address: netip.MustParseAddr(fmt.Sprintf("198.51.100.%d", i)),
		})
		wantFault(t, err, fault.Unauthenticated, "Wrong email address or password")
	}
	for i := range 25 {
		fail(i)
		fail(i)
	}
	entries, attempts := f.count(t, `select count(*) from audit_entry where action = 'session.failed'`),
		f.count(t, `select sum((data->>'attempts')::int) from audit_entry where action = 'session.failed'`)
	// A new hour may begin during the test.
	if entries < 21 || entries > 2*21 || attempts != 50 {
		t.Errorf("%d entries of %d attempts", entries, attempts)
	}
	if n := f.count(
		t, `select count(*) from audit_entry where action = 'session.failed' and address is null`,
	); n > 2 || entries == 21 && n != 1 {
		t.Errorf("%d entries of other addresses", n)
	}
}

// hold extends the pause of all earlier failures to an hour, so that a slow test does not
// outlast it.
func (f *fixture) hold(t *testing.T) {
	t.Helper()
	if _, err := f.db.Pool.Exec(
		t.Context(), `update sign_in_failure set not_before = clock() + interval '1 hour' where failures > 0`,
	); err != nil {
		t.Fatal(err)
	}
}

// A session asks for its owner's password at its own pace. Strangers who guess do not
// delay it, and a session does not make guessing faster.
func TestASessionGuessesAtItsOwnPace(t *testing.T) {
	t.Parallel()
	f := setup(t)
	ctx := t.Context()
	_, session := f.signIn(t)
	_, _, err := f.accounts.SignIn(ctx, f.admin.Email, "not the password", here)
	wantFault(t, err, fault.Unauthenticated, "")
	f.hold(t)
	for range 5 {
		wantFault(t, f.accounts.ChangePassword(ctx, session, f.actor, "not the password", "another orange river"),
			fault.Invalid, "current_password: wrong password")
	}
	f.hold(t)
	wantFault(t, f.accounts.ChangePassword(ctx, session, f.actor, password, "another orange river"), fault.RateLimited,
		"")
	f.db.Advance(time.Hour)
	if err := f.accounts.ChangePassword(ctx, session, f.actor, password, "another orange river"); err != nil {
		t.Error(err)
	}
}

// Concurrent attempts have the same pace as consecutive attempts. One IPv6 network is one
// address.
func TestConcurrentGuessesAreCounted(t *testing.T) {
	t.Parallel()
	f := setup(t)
	var looked, refused atomic.Int32
	var wg sync.WaitGroup
	for i := range 60 {
		wg.Go(func() {
			client := account.Client{Address: netip.MustParseAddr(fmt.Sprintf("2001:db8::%x", i+1))}
			_, _, err := f.accounts.SignIn(t.Context(), fmt.Sprintf("nobody%d@example.com", i), strings.Repeat("x", 20),
				client)
			switch fault.KindOf(err) {
			case fault.Unauthenticated:
				looked.Add(1)
			case fault.RateLimited:
				refused.Add(1)
			default:
				t.Error(err)
			}
		})
	}
	wg.Wait()
	// 20 attempts are free, and the 21st starts the first pause. A slow machine may see
	// the pause end.
	if looked.Load() < 21 || looked.Load() > 25 || looked.Load()+refused.Load() != 60 {
		t.Errorf("%d looked at, %d refused", looked.Load(), refused.Load())
	}
	f.db.Advance(24 * time.Hour)
	if err := f.accounts.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	var rows int
	if err := f.db.Pool.QueryRow(t.Context(), `select count(*) from sign_in_failure`).Scan(&rows); err != nil ||
		rows != 0 {
		t.Errorf("%d failures kept, %v", rows, err)
	}
}
