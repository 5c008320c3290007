package account_test

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/fault"
)

// code returns the code that the app shows at the database's time.
func (f *fixture) code(t *testing.T, secret string) string {
	t.Helper()
	return account.CodeAt(secret, int64(f.count(t, `select floor(extract(epoch from clock()))::bigint`)))
}

// enroll turns on a second factor for the admin.
func (f *fixture) enroll(t *testing.T) (secret string, recovery []string, session account.Session) {
	t.Helper()
	_, session = f.signIn(t)
	e, err := f.accounts.BeginSecondFactor(t.Context(), f.admin, "calls.example.com")
	if err != nil {
		t.Fatal(err)
	}
	recovery, err = f.accounts.ConfirmSecondFactor(t.Context(), session, f.actor, e.Ticket, f.code(t, e.Secret),
		password)
	if err != nil {
		t.Fatal(err)
	}
	return e.Secret, recovery, session
}

// step signs the admin in up to the second step.
func (f *fixture) step(t *testing.T) string {
	t.Helper()
	token, _, err := f.accounts.SignIn(t.Context(), f.admin.Email, password, here)
	second, ok := errors.AsType[*account.SecondStep](err)
	if !ok || token != "" {
		t.Fatalf("%q, %v: the password is enough", token, err)
	}
	return second.Ticket
}

func TestTurningTheSecondFactorOn(t *testing.T) {
	t.Parallel()
	f := setup(t)
	ctx := t.Context()
	_, session := f.signIn(t)
	e, err := f.accounts.BeginSecondFactor(ctx, f.admin, "calls.example.com")
	if err != nil || !strings.Contains(e.URI, e.Secret) {
		t.Fatalf("%+v, %v", e, err)
	}
	if again, err := f.accounts.ContinueSecondFactor(ctx, f.admin, "calls.example.com", e.Ticket); err != nil ||
		again != e {
		t.Errorf("%+v, %v", again, err)
	}
	confirm := func(ticket, code, password string) error {
		_, err := f.accounts.ConfirmSecondFactor(ctx, session, f.actor, ticket, code, password)
		return err
	}
	wantFault(t, confirm(e.Ticket, "000", password), fault.Invalid,
		"code: wrong code. Check the clock on your phone")
	wantFault(t, confirm(e.Ticket, f.code(t, e.Secret), "not the password"), fault.Invalid, "password: wrong password")
	wantFault(t, confirm("nonsense", f.code(t, e.Secret), password), fault.Conflict,
		"This QR code has expired. Scan the new one")
	other := f.admin
	other.ID[15]++
	foreign, err := f.accounts.BeginSecondFactor(ctx, other, "calls.example.com")
	if err != nil {
		t.Fatal(err)
	}
	wantFault(t, confirm(foreign.Ticket, f.code(t, foreign.Secret), password), fault.Conflict, "")
	if factor, err := f.accounts.SecondFactor(ctx, f.admin.ID); err != nil || factor.On {
		t.Fatalf("%+v, %v", factor, err)
	}
	code := f.code(t, e.Secret)
	recovery, err := f.accounts.ConfirmSecondFactor(ctx, session, f.actor, e.Ticket, " "+code[:3]+" "+
		code[3:], password)
	if err != nil || len(recovery) != account.RecoveryCodes {
		t.Fatal(recovery, err)
	}
	wantFault(t, confirm(e.Ticket, code, password), fault.Conflict, "Two-step sign-in is already on")
	if n := f.count(
		t, `select count(*) from second_factor where position(convert_to($1, 'UTF8') in seed) > 0`, e.Secret,
	); n != 0 {
		t.Error("the seed is stored as it is")
	}
	if factor, err := f.accounts.SecondFactor(ctx, f.admin.ID); err != nil || !factor.On || factor.Remaining != 10 {
		t.Errorf("%+v, %v", factor, err)
	}
	if members, err := f.accounts.Members(ctx, f.org.ID); err != nil || !members[0].SecondFactor {
		t.Errorf("%+v, %v", members, err)
	}
	late, err := f.accounts.BeginSecondFactor(ctx, f.admin, "calls.example.com")
	if err != nil {
		t.Fatal(err)
	}
	f.db.Advance(31 * time.Minute)
	wantFault(t, confirm(late.Ticket, f.code(t, late.Secret), password), fault.Conflict,
		"This QR code has expired. Scan the new one")
}

func TestSigningInTakesTheCode(t *testing.T) {
	t.Parallel()
	f := setup(t)
	ctx := t.Context()
	secret, recovery, _ := f.enroll(t)
	with := func(ticket, code string) error {
		_, _, err := f.accounts.SignInWithCode(ctx, ticket, code, here)
		return err
	}
	const wrong = "code: this code is wrong or was already used. Wait for the next one"

	// The code that turned the second factor on is also used.
	wantFault(t, with(f.step(t), f.code(t, secret)), fault.Invalid, wrong)
	f.db.Advance(time.Minute)
	ticket, code := f.step(t), f.code(t, secret)
	token, session, err := f.accounts.SignInWithCode(ctx, ticket, code, here)
	if err != nil || session.User.ID != f.admin.ID {
		t.Fatal(err)
	}
	if _, err := f.accounts.Authenticate(ctx, token); err != nil {
		t.Fatal(err)
	}
	wantFault(t, with(ticket, code), fault.Invalid, wrong)
	wantFault(t, with(f.step(t), code), fault.Invalid, wrong)

	// A recovery code works once, however it is typed.
	typed := strings.ToUpper(strings.ReplaceAll(recovery[3], "-", " "))
	if err := with(f.step(t), typed); err != nil {
		t.Fatal(err)
	}
	wantFault(t, with(f.step(t), recovery[3]), fault.Invalid, wrong)
	if factor, err := f.accounts.SecondFactor(ctx, f.admin.ID); err != nil || factor.Remaining != 9 {
		t.Errorf("%+v, %v", factor, err)
	}

	// A ticket signs in only the person whose password was shown, and not for long.
	const gone = "This took too long. Sign in again"
	wantFault(t, with("nonsense", recovery[4]), fault.Unauthenticated, gone)
	ticket = f.step(t)
	if err := f.accounts.ResetPassword(ctx, f.admin.Email, "a quiet orange lake"); err != nil {
		t.Fatal(err)
	}
	for range 20 { // none of them counts as a wrong code
		wantFault(t, with(ticket, recovery[4]), fault.Unauthenticated, gone)
	}
	if err := f.accounts.ResetPassword(ctx, f.admin.Email, password); err != nil {
		t.Fatal(err)
	}
	ticket = f.step(t)
	f.db.Advance(11 * time.Minute)
	wantFault(t, with(ticket, recovery[4]), fault.Unauthenticated, gone)
}

func TestACodeIsUsedOnce(t *testing.T) {
	t.Parallel()
	f := setup(t)
	secret, recovery, _ := f.enroll(t)
	f.db.Advance(time.Minute)
	for _, code := range []string{f.code(t, secret), recovery[0]} {
		tickets := []string{f.step(t), f.step(t), f.step(t)}
		var wg sync.WaitGroup
		var in atomic.Int32
		for _, ticket := range tickets {
			wg.Go(func() {
				_, _, err := f.accounts.SignInWithCode(t.Context(), ticket, code, here)
				if err == nil {
					in.Add(1)
				} else if fault.KindOf(err) != fault.Invalid {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if in.Load() != 1 {
			t.Errorf("%d got in with one code", in.Load())
		}
	}
}

func TestGuessingCodesSlowsDown(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.db.StopClock()
	_, recovery, _ := f.enroll(t)
	ticket := f.step(t)
	var err error
	tries := 0
	for range 20 {
		if _, _, err = f.accounts.SignInWithCode(
			t.Context(), ticket, "000000", here,
		); fault.KindOf(err) == fault.RateLimited {
			break
		}
		tries++
	}
	if fault.KindOf(err) != fault.RateLimited || tries > 7 {
		t.Fatalf("after %d tries: %v", tries, err)
	}
	// Entering the password again allows no new guesses.
	_, _, err = f.accounts.SignInWithCode(t.Context(), f.step(t), recovery[0], here)
	wantFault(t, err, fault.RateLimited, "")
}

func TestTurningTheSecondFactorOff(t *testing.T) {
	t.Parallel()
	f := setup(t)
	ctx := t.Context()
	_, recovery, session := f.enroll(t)
	_, err := f.accounts.RenewRecoveryCodes(ctx, session, f.actor, "not the password")
	wantFault(t, err, fault.Invalid, "password: wrong password")
	renewed, err := f.accounts.RenewRecoveryCodes(ctx, session, f.actor, password)
	if err != nil || slices.Contains(renewed, recovery[0]) {
		t.Fatal(renewed, err)
	}
	_, _, err = f.accounts.SignInWithCode(ctx, f.step(t), recovery[0], here)
	wantFault(t, err, fault.Invalid, "")
	wantFault(t, f.accounts.TurnOffSecondFactor(ctx, session, f.actor, "not the password"), fault.Invalid,
		"password: wrong password")
	if err := f.accounts.TurnOffSecondFactor(ctx, session, f.actor, password); err != nil {
		t.Fatal(err)
	}
	wantFault(t, f.accounts.TurnOffSecondFactor(ctx, session, f.actor, password), fault.Conflict,
		"Two-step sign-in is off")
	f.signIn(t)

	// Another admin and the operator can let in a member who lost everything. An admin's
	// own session must not bypass the password.
	_, _, _ = f.enroll(t)
	wantFault(t, f.accounts.ResetSecondFactor(ctx, f.stranger(), f.admin.ID), fault.NotFound, "Member not found")
	wantFault(t, f.accounts.ResetSecondFactor(ctx, f.actor, f.admin.ID), fault.Conflict,
		"This is your own account. Change it in your profile")
	dora, err := f.accounts.CreateUser(ctx, f.actor, account.NewUser{
		Email: "dora@meridian.example", Name: "Dora", Password: password, Role: account.Admin,
	})
	if err != nil {
		t.Fatal(err)
	}
	other := f.actor
	other.ID, other.Name = dora.ID, dora.Name
	if err := f.accounts.ResetSecondFactor(ctx, other, f.admin.ID); err != nil {
		t.Fatal(err)
	}
	wantFault(t, f.accounts.ResetSecondFactor(ctx, other, f.admin.ID), fault.Conflict, "Two-step sign-in is off")
	_, _, _ = f.enroll(t)
	if err := f.accounts.RemoveSecondFactor(ctx, f.admin.Email); err != nil {
		t.Fatal(err)
	}
	f.signIn(t)
	want := []string{"member.created", "user.second_factor_on", "user.recovery_codes_renewed", "user.second_factor_off",
		"user.second_factor_on", "member.second_factor_reset", "user.second_factor_on", "member.second_factor_reset"}
	if got := audited(t, f.db.Pool, f.org.ID, f.admin.ID); !slices.Equal(got, want) {
		t.Errorf("audited %v", got)
	}
}
