package account

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/seal"
)

// A second factor is an authenticator app (RFC 6238). Guesses at its codes have their own
// pace and no other. A person who guesses codes knows the password, so strangers cannot
// lock the owner out with a long pause, and failures of strangers at the same address are
// not counted.
const (
	codeFree = 5
	codeCap  = 10 * time.Minute

	// stepLifetime is how long a sign-in waits for the code.
	stepLifetime = 10 * time.Minute
	// enrollmentLifetime is how long a QR code can be confirmed.
	enrollmentLifetime = 30 * time.Minute

	// RecoveryCodes is the number of codes for a lost app. Each code works once.
	RecoveryCodes = 10
	recoveryBytes = 10
)

// Factor describes a person's own second factor.
type Factor struct {
	On        bool
	Since     time.Time
	Remaining int // unused recovery codes
}

// SecondFactor returns the state of a person's second factor.
func (s *Service) SecondFactor(ctx context.Context, userID uuid.UUID) (Factor, error) {
	f := Factor{On: true}
	err := s.pool.QueryRow(ctx, `
		select created_at, (select count(*) from recovery_code r where r.user_id = f.user_id)
		from second_factor f where user_id = @user_id`,
		pgx.NamedArgs{"user_id": userID}).Scan(&f.Since, &f.Remaining)
	if errors.Is(err, pgx.ErrNoRows) {
		return Factor{}, nil
	}
	if err != nil {
		return Factor{}, fmt.Errorf("read a second factor: %w", err)
	}
	return f, nil
}

func factorCell(userID uuid.UUID) seal.Cell {
	return seal.Cell{Table: "second_factor", Column: "seed", Row: userID.String()}
}

// ticket is a sealed statement that the browser stores and returns.
type ticket struct {
	User     uuid.UUID
	Password []byte       `json:",omitempty"` // SHA-256 of the stored hash that was matched
	Seed     []byte       `json:",omitempty"`
	SignOn   *signOnStart `json:",omitempty"`
	Until    time.Time
}

func (s *Service) sealTicket(ctx context.Context, kind string, t ticket, lifetime time.Duration) (string, error) {
	if err := s.pool.QueryRow(ctx, `select clock() + @lifetime::interval`, pgx.NamedArgs{
		"lifetime": lifetime,
	}).Scan(&t.Until); err != nil {
		return "", fmt.Errorf("read the clock: %w", err)
	}
	plain, err := json.Marshal(t)
	if err != nil {
		return "", fmt.Errorf("encode a ticket: %w", err)
	}
	return base64.RawURLEncoding.EncodeToString(s.vault.Seal(plain, seal.Cell{Table: kind})), nil
}

// openTicket opens a ticket. ok is false if the product did not make the ticket or the
// ticket has expired.
func (s *Service) openTicket(ctx context.Context, kind, sealed string) (t ticket, ok bool, err error) {
	raw, err := base64.RawURLEncoding.DecodeString(sealed)
	if err != nil {
		return t, false, nil
	}
	plain, err := s.vault.Open(raw, seal.Cell{Table: kind})
	if err != nil {
		return t, false, nil
	}
	if err := json.Unmarshal(plain, &t); err != nil {
		return t, false, nil
	}
	if err := s.pool.QueryRow(ctx, `select @until > clock()`, pgx.NamedArgs{"until": t.Until}).Scan(&ok); err != nil {
		return t, false, fmt.Errorf("read the clock: %w", err)
	}
	return t, ok, nil
}

// The kinds of tickets. A ticket opens only as the kind that it was made for.
const (
	stepTicket       = "sign_in_step"
	enrollmentTicket = "second_factor_enrollment"
)

// Enrollment contains everything a person needs to add an account to their authenticator
// app.
type Enrollment struct {
	Secret string // the seed in base32, for typing
	URI    string // otpauth://, for the QR code
	Ticket string // returned with the first code
}

// BeginSecondFactor makes a seed and stores nothing until it is confirmed. The app shows
// issuer as the name of this server.
func (s *Service) BeginSecondFactor(ctx context.Context, user User, issuer string) (Enrollment, error) {
	seed := make([]byte, totpSeed)
	rand.Read(seed)
	sealed, err := s.sealTicket(ctx, enrollmentTicket, ticket{User: user.ID, Seed: seed}, enrollmentLifetime)
	if err != nil {
		return Enrollment{}, err
	}
	return enrollment(user, issuer, seed, sealed), nil
}

// ContinueSecondFactor returns the same seed again, after a mistake. Errors: Conflict
// when the ticket has expired or belongs to another person.
func (s *Service) ContinueSecondFactor(ctx context.Context, user User, issuer, sealed string) (Enrollment, error) {
	t, ok, err := s.openTicket(ctx, enrollmentTicket, sealed)
	if err != nil {
		return Enrollment{}, err
	}
	if !ok || t.User != user.ID {
		return Enrollment{}, errEnrollment
	}
	return enrollment(user, issuer, t.Seed, sealed), nil
}

var errEnrollment = fault.Conflictf("This QR code has expired. Scan the new one")

func enrollment(user User, issuer string, seed []byte, sealed string) Enrollment {
	return Enrollment{Secret: totpBase32.EncodeToString(seed), URI: totpURI(issuer, user.Email, seed), Ticket: sealed}
}

// ConfirmSecondFactor turns a second factor on. The code shows that the app has the seed.
// The password shows that the person is the account's owner. The recovery codes are shown
// once and stored as hashes. Errors: Invalid; Conflict for an expired ticket, and when a
// second factor is already on; RateLimited.
func (s *Service) ConfirmSecondFactor(
	ctx context.Context, session Session, actor Actor, sealed, code, password string,
) (recovery []string, err error) {
	t, ok, err := s.openTicket(ctx, enrollmentTicket, sealed)
	if err != nil {
		return nil, err
	}
	if !ok || t.User != session.User.ID {
		return nil, errEnrollment
	}
	var p fault.Problems
	if digitsOf(code) == "" {
		p.Addf("code", "required")
	}
	if _, err := s.checkOwnPassword(ctx, session, "password", password); err != nil {
		if fault.KindOf(err) != fault.Invalid {
			return nil, err
		}
		p.Also(err)
	}
	if err := p.Err(); err != nil {
		return nil, err
	}
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		now, err := timeStep(ctx, tx)
		if err != nil {
			return err
		}
		step, ok := totpMatch(t.Seed, digitsOf(code), now, 0)
		if !ok {
			return fault.Invalidf("code", "wrong code. Check the clock on your phone")
		}
		tag, err := tx.Exec(ctx, `
			insert into second_factor (user_id, seed, last_step) values (@user_id, @seed, @step)
			on conflict do nothing`, pgx.NamedArgs{
			"user_id": session.User.ID, "seed": s.vault.Seal(t.Seed, factorCell(session.User.ID)), "step": step,
		})
		if err != nil {
			return fmt.Errorf("store a second factor: %w", err)
		}
		if tag.RowsAffected() == 0 {
			return fault.Conflictf("Two-step sign-in is already on")
		}
		if recovery, err = newRecoveryCodes(ctx, tx, session.User.ID); err != nil {
			return err
		}
		return Record(ctx, tx, actor, "user.second_factor_on", Object{"user", session.User.ID}, map[string]any{
			"name": session.User.Name,
		})
	})
	if err != nil {
		return nil, err
	}
	return recovery, nil
}

// RenewRecoveryCodes replaces the recovery codes. Errors: Invalid, RateLimited, Conflict
// when no second factor is on.
func (s *Service) RenewRecoveryCodes(
	ctx context.Context, session Session, actor Actor, password string,
) (recovery []string, err error) {
	if _, err := s.checkOwnPassword(ctx, session, "password", password); err != nil {
		return nil, err
	}
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		if _, _, err := s.lockFactor(ctx, tx, session.User.ID); err != nil {
			return err
		}
		if recovery, err = newRecoveryCodes(ctx, tx, session.User.ID); err != nil {
			return err
		}
		return Record(ctx, tx, actor, "user.recovery_codes_renewed", Object{"user", session.User.ID}, map[string]any{
			"name": session.User.Name,
		})
	})
	if err != nil {
		return nil, err
	}
	return recovery, nil
}

// TurnOffSecondFactor turns off a person's own second factor. Errors: as
// RenewRecoveryCodes.
func (s *Service) TurnOffSecondFactor(ctx context.Context, session Session, actor Actor, password string) error {
	if _, err := s.checkOwnPassword(ctx, session, "password", password); err != nil {
		return err
	}
	return postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		if err := deleteFactor(ctx, tx, session.User.ID); err != nil {
			return err
		}
		return Record(ctx, tx, actor, "user.second_factor_off", Object{"user", session.User.ID}, map[string]any{
			"name": session.User.Name,
		})
	})
}

// ResetSecondFactor turns off the second factor of a member who lost the phone and the
// recovery codes. The member still needs the password. Errors: NotFound; Conflict when no
// second factor is on, for the actor's own account, and for an account that also belongs
// to another organization.
func (s *Service) ResetSecondFactor(ctx context.Context, actor Actor, userID uuid.UUID) error {
	if isOwn(actor, userID) {
		return errOwn
	}
	return postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		user, err := lockAccount(ctx, tx, actor.OrganizationID, userID)
		if err != nil {
			return err
		}
		if err := deleteFactor(ctx, tx, userID); err != nil {
			return err
		}
		return Record(ctx, tx, actor, "member.second_factor_reset", Object{"user", userID}, map[string]any{
			"name": user.Name,
		})
	})
}

// RemoveSecondFactor turns off a second factor for the operator. Errors: NotFound,
// Conflict when no second factor is on.
func (s *Service) RemoveSecondFactor(ctx context.Context, email string) error {
	return s.asOperator(ctx, email, "member.second_factor_reset", func(tx pgx.Tx, id uuid.UUID) error {
		return deleteFactor(ctx, tx, id)
	})
}

var errNoFactor = fault.Conflictf("Two-step sign-in is off")

func deleteFactor(ctx context.Context, tx pgx.Tx, userID uuid.UUID) error {
	tag, err := tx.Exec(ctx, `delete from second_factor where user_id = @user_id`, pgx.NamedArgs{"user_id": userID})
	if err != nil {
		return fmt.Errorf("delete a second factor: %w", err)
	}
	if tag.RowsAffected() == 0 {
		return errNoFactor
	}
	return nil
}

// lockFactor locks a second factor, so that its codes are used one after the other.
// Errors: Conflict when no second factor is on.
func (s *Service) lockFactor(ctx context.Context, tx pgx.Tx, userID uuid.UUID) (seed []byte, last int64, err error) {
	var sealed []byte
	err = tx.QueryRow(ctx, `select seed, last_step from second_factor where user_id = @user_id for update`,
		pgx.NamedArgs{"user_id": userID}).Scan(&sealed, &last)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, 0, errNoFactor
	}
	if err != nil {
		return nil, 0, fmt.Errorf("lock a second factor: %w", err)
	}
	if seed, err = s.vault.Open(sealed, factorCell(userID)); err != nil {
		return nil, 0, fmt.Errorf("open a second factor: %w", err)
	}
	return seed, last, nil
}

// timeStep returns the current time step of RFC 6238.
func timeStep(ctx context.Context, db postgres.DB) (step int64, err error) {
	err = db.QueryRow(ctx, `select floor(extract(epoch from clock()) / @step)::bigint`, pgx.NamedArgs{
		"step": totpStep,
	}).Scan(&step)
	if err != nil {
		return 0, fmt.Errorf("read the clock: %w", err)
	}
	return step, nil
}

// digitsOf returns a code without the spaces that apps show in it: "123 456".
func digitsOf(code string) string { return strings.ReplaceAll(strings.TrimSpace(code), " ", "") }

func newRecoveryCodes(ctx context.Context, tx pgx.Tx, userID uuid.UUID) ([]string, error) {
	codes, hashes := make([]string, RecoveryCodes), make([][]byte, RecoveryCodes)
	for i := range codes {
		random := make([]byte, recoveryBytes)
		rand.Read(random)
		text := strings.ToLower(totpBase32.EncodeToString(random))
		codes[i] = text[:4] + "-" + text[4:8] + "-" + text[8:12] + "-" + text[12:]
		hashes[i] = hashRecovery(codes[i])
	}
	if _, err := tx.Exec(ctx, `delete from recovery_code where user_id = @user_id`, pgx.NamedArgs{
		"user_id": userID,
	}); err != nil {
		return nil, fmt.Errorf("delete recovery codes: %w", err)
	}
	_, err := tx.Exec(ctx, `insert into recovery_code (user_id, code_hash) select @user_id, unnest(@hashes::bytea[])`,
		pgx.NamedArgs{"user_id": userID, "hashes": hashes})
	if err != nil {
		return nil, fmt.Errorf("store recovery codes: %w", err)
	}
	return codes, nil
}

// hashRecovery returns the hash of a recovery code. It accepts capitals, spaces, missing
// dashes, and the digits that base32 does not have.
func hashRecovery(code string) []byte {
	sum := sha256.Sum256([]byte(strings.NewReplacer("-", "", " ", "", "0", "o", "1", "l", "8", "b").
		Replace(strings.ToLower(code))))
	return sum[:]
}

// SecondStep is the error of a sign-in with the right password that also needs a code.
// SignInWithCode takes the Ticket.
type SecondStep struct{ Ticket string }

func (*SecondStep) Error() string { return "sign in: a code is needed, too" }

// secondStep returns nil for an account without a second factor.
func (s *Service) secondStep(ctx context.Context, userID uuid.UUID, passwordHash string) (*SecondStep, error) {
	f, err := s.SecondFactor(ctx, userID)
	if err != nil || !f.On {
		return nil, err
	}
	sum := sha256.Sum256([]byte(passwordHash))
	sealed, err := s.sealTicket(ctx, stepTicket, ticket{User: userID, Password: sum[:]}, stepLifetime)
	if err != nil {
		return nil, err
	}
	return &SecondStep{Ticket: sealed}, nil
}

// SignInWithCode is the second step of a sign-in. It takes a code of the app or a
// recovery code, each of which works once. Errors: Unauthenticated when the first step
// was too long ago or the password was changed since; Invalid for a wrong code;
// RateLimited.
func (s *Service) SignInWithCode(
	ctx context.Context, sealed, code string, client Client,
) (token string, session Session, err error) {
	again := fault.New(fault.Unauthenticated, "This took too long. Sign in again")
	t, ok, err := s.openTicket(ctx, stepTicket, sealed)
	if err != nil {
		return "", Session{}, err
	}
	if !ok {
		return "", Session{}, again
	}
	var stored string
	err = s.pool.QueryRow(ctx, `select password_hash from app_user where id = @id`, pgx.NamedArgs{"id": t.User}).
		Scan(&stored)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return "", Session{}, fmt.Errorf("read a user: %w", err)
	}
	if sum := sha256.Sum256([]byte(stored)); string(sum[:]) != string(t.Password) {
		return "", Session{}, again // no attempt: the code was not looked at
	}
	attempt, err := s.beginAttempt(ctx, pace{subject: subject("code", t.User.String()), free: codeFree, cap: codeCap})
	if err != nil {
		return "", Session{}, err
	}
	var with string
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		with, err = s.useCode(ctx, tx, t.User, code)
		return err
	})
	if fault.KindOf(err) == fault.Conflict {
		err = again // the second factor was turned off meanwhile
	}
	if fault.KindOf(err) == fault.Invalid {
		return "", Session{}, s.signInFailed(ctx, attempt, &FailedSignIn{
			UserID: t.User, With: "code",
		}, client, fault.As(err))
	}
	if err != nil {
		return "", Session{}, err
	}
	if err := s.endAttempt(ctx, attempt); err != nil {
		return "", Session{}, err
	}
	return s.openSession(ctx, t.User, stored, with, client)
}

// useCode marks a code as used and returns its kind. Errors: Invalid when the code is
// wrong or was used; Conflict when no second factor is on.
func (s *Service) useCode(ctx context.Context, tx pgx.Tx, userID uuid.UUID, code string) (what string, err error) {
	seed, last, err := s.lockFactor(ctx, tx, userID)
	if err != nil {
		return "", err
	}
	now, err := timeStep(ctx, tx) // after the lock, so that a request that waited has the current time
	if err != nil {
		return "", err
	}
	if step, ok := totpMatch(seed, digitsOf(code), now, last); ok {
		_, err := tx.Exec(ctx, `update second_factor set last_step = @step where user_id = @user_id`,
			pgx.NamedArgs{"user_id": userID, "step": step})
		if err != nil {
			return "", fmt.Errorf("use a code: %w", err)
		}
		return "app_code", nil
	}
	tag, err := tx.Exec(ctx, `delete from recovery_code where user_id = @user_id and code_hash = @hash`,
		pgx.NamedArgs{"user_id": userID, "hash": hashRecovery(code)})
	if err != nil {
		return "", fmt.Errorf("use a recovery code: %w", err)
	}
	if tag.RowsAffected() == 0 {
		return "", fault.Invalidf("code", "this code is wrong or was already used. Wait for the next one")
	}
	return "recovery_code", nil
}
