package account

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/postgres"
)

// Failed sign-ins slow down later attempts, per account and per address. They lock nobody
// out. The first few failures are free. Then the pause doubles from one second to a cap
// that a person can wait for. An attempt during the pause is refused before the password
// is checked, and does not extend the pause.
//
// A browser that has signed in to the account before (device.go) is slowed down only by
// its own failures. The same is true for a session that asks for its owner's password.
const (
	accountFree = 5
	accountCap  = 10 * time.Second
	addressFree = 20 // several people may share an address
	addressCap  = 30 * time.Second

	// failureMemory is the time without failures after which all failures are forgotten.
	failureMemory = 15 * time.Minute
)

// Client is the origin of a request.
type Client struct {
	Address netip.Addr
	Agent   string // User-Agent
	Device  string // the device cookie, as RememberDevice made it
	Stay    bool   // whether the sign-in lasts as long as the organization allows
}

// KnowsEmail reports whether a member of an organization of this database signs in with an email address. Errors:
// Unavailable while all their organizations move to another database.
func (s *Service) KnowsEmail(ctx context.Context, email string) (known bool, err error) {
	var moving bool
	err = s.pool.QueryRow(ctx, `
		select exists (select from app_user u join membership m on m.user_id = u.id where u.email = $1),
			exists (select from organization_move_trace where kind = 'email' and id = $1)`,
		check.Searchable(canonicalEmail(email))).Scan(&known, &moving)
	if err != nil {
		return false, fmt.Errorf("look for a person: %w", err)
	}
	if moving {
		return false, errMoving
	}
	return known, nil
}

// SignIn opens a session for a person who knows their password, in the organization that
// they used last. The caller keeps the token for Authenticate. The token is not stored.
//
// Errors: *SecondStep when the account has a second factor; Unauthenticated, with the
// same text and delay for an unknown account as for a wrong password; RateLimited with
// RetryAfter; Forbidden for a person without an organization.
func (s *Service) SignIn(
	ctx context.Context, email, password string, client Client,
) (token string, session Session, err error) {
	email = canonicalEmail(email)
	var id uuid.UUID
	var stored string
	err = s.pool.QueryRow(ctx, `select id, password_hash from app_user where email = @email`,
		pgx.NamedArgs{"email": check.Searchable(email)}).Scan(&id, &stored)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return "", Session{}, fmt.Errorf("read a user: %w", err)
	}
	attempt, err := s.beginAttempt(ctx, s.signInPaces(email, id, stored, client)...)
	if err != nil {
		return "", Session{}, err
	}
	ok, err := s.hasher.matches(ctx, stored, password)
	if err != nil {
		return "", Session{}, err
	}
	if !ok {
		return "", Session{}, s.signInFailed(ctx, attempt, &FailedSignIn{UserID: id, With: "password"}, client,
			fault.New(fault.Unauthenticated, "Wrong email address or password"))
	}
	if err := s.endAttempt(ctx, attempt); err != nil {
		return "", Session{}, err
	}
	if step, err := s.secondStep(ctx, id, stored); err != nil {
		return "", Session{}, err
	} else if step != nil {
		return "", Session{}, step
	}
	return s.openSession(ctx, id, stored, "", client)
}

// signInPaces returns the paces of guesses at the password of an account. An unknown
// account has no proofs, so its guesses have the paces of a stranger.
func (s *Service) signInPaces(email string, id uuid.UUID, passwordHash string, client Client) []pace {
	if device, known := s.knownDevice(client.Device, id, passwordHash); known {
		return []pace{{subject: subject("device", device), free: accountFree, cap: accountCap}}
	}
	return []pace{
		{subject: subject("account", email), free: accountFree, cap: accountCap},
		{subject: subject("address", network(client.Address)), free: addressFree, cap: addressCap, shared: true},
	}
}

// pace slows down guesses that have the same subject.
type pace struct {
	subject string
	free    int           // failures without a pause
	cap     time.Duration // the longest pause
	shared  bool          // several accounts share the pace
}

// attempt is an admitted guess that has not been found right.
type attempt []pace

func (a attempt) subjects() []string {
	subjects := make([]string, len(a))
	for i, p := range a {
		subjects[i] = p.subject
	}
	slices.Sort(subjects) // all attempts lock in the same order
	return subjects
}

// subject hides whose failures are in a row, and bounds its length.
func subject(kind, of string) string {
	sum := sha256.Sum256([]byte(of))
	return kind + ":" + hex.EncodeToString(sum[:16])
}

// network returns the network that is treated as one address. An IPv6 host owns at least
// a /64.
func network(a netip.Addr) string {
	a = a.Unmap()
	if a.Is6() {
		if p, err := a.WithZone("").Prefix(64); err == nil {
			return p.String()
		}
	}
	return a.String()
}

// beginAttempt counts an attempt as failed before the password is checked, so that
// concurrent attempts have the same pace as consecutive attempts. Errors: RateLimited
// when the attempt comes too early.
func (s *Service) beginAttempt(ctx context.Context, paces ...pace) (attempt, error) {
	a := attempt(paces)
	var wait time.Duration
	err := postgres.InTx(ctx, s.pool, func(tx pgx.Tx) (err error) {
		wait, err = a.count(ctx, tx)
		return err
	})
	if err != nil {
		return nil, err
	}
	if wait > 0 {
		seconds := int((wait + time.Second - 1) / time.Second)
		f := fault.New(fault.RateLimited, "Too many failed sign-ins. Try again in %d s.", seconds)
		f.RetryAfter = wait
		return nil, f
	}
	return a, nil
}

func (a attempt) count(ctx context.Context, tx pgx.Tx) (wait time.Duration, err error) {
	subjects := a.subjects()
	_, err = tx.Exec(ctx, `
		insert into sign_in_failure (subject, failures, last_at, not_before)
		select s, 0, clock(), clock() from unnest(@subjects::text[]) s order by s
		on conflict do nothing`, pgx.NamedArgs{"subjects": subjects})
	if err != nil {
		return 0, fmt.Errorf("note a sign-in: %w", err)
	}
	_, err = tx.Exec(ctx, `
		select from sign_in_failure where subject = any(@subjects) order by subject for update`,
		pgx.NamedArgs{"subjects": subjects})
	if err != nil {
		return 0, fmt.Errorf("note a sign-in: %w", err)
	}

	// A separate statement reads the clock after the locks are taken.
	rows, err := tx.Query(ctx, `
		select f.subject,
		       case when f.last_at < now.at - @memory::interval then 0 else f.failures end as failures,
		       f.not_before - now.at as wait
		from sign_in_failure f, (select clock() as at) now
		where f.subject = any(@subjects)`, pgx.NamedArgs{"subjects": subjects, "memory": failureMemory})
	if err != nil {
		return 0, fmt.Errorf("note a sign-in: %w", err)
	}
	failures := make(map[string]int, len(a))
	var of string
	var failed int
	var left time.Duration
	_, err = pgx.ForEachRow(rows, []any{&of, &failed, &left}, func() error {
		failures[of], wait = failed, max(wait, left)
		return nil
	})
	if err != nil {
		return 0, fmt.Errorf("note a sign-in: %w", err)
	}
	if wait > 0 {
		return wait, nil
	}
	for _, p := range a {
		n := failures[p.subject] + 1
		_, err := tx.Exec(ctx, `
			update sign_in_failure
			set failures = @failures, last_at = clock(), not_before = clock() + @pause::interval
			where subject = @subject`,
			pgx.NamedArgs{"subject": p.subject, "failures": n, "pause": pause(n, p.free, p.cap)})
		if err != nil {
			return 0, fmt.Errorf("note a sign-in: %w", err)
		}
	}
	return 0, nil
}

// pause returns the pause after a number of failures.
func pause(failures, free int, limit time.Duration) time.Duration {
	over := failures - free
	if over <= 0 {
		return 0
	}
	return min(time.Second<<min(over-1, 20), limit)
}

// endAttempt takes back the failure that beginAttempt counted, because the password was
// right. The failures of the account start at zero again. An address, which others share,
// loses only this failure, so that a known password does not allow more guesses at
// others.
func (s *Service) endAttempt(ctx context.Context, a attempt) error {
	var own []string
	for _, p := range a {
		if !p.shared {
			own = append(own, p.subject)
		}
	}
	_, err := s.pool.Exec(ctx, `
		update sign_in_failure
		set failures = case when subject = any(@own) then 0 else greatest(failures - 1, 0) end,
		    not_before = clock()
		where subject = any(@subjects)`,
		pgx.NamedArgs{"own": own, "subjects": a.subjects()})
	if err != nil {
		return fmt.Errorf("forget failed sign-ins: %w", err)
	}
	return nil
}

// nullAddress returns nil for a client with an unknown address.
func nullAddress(a netip.Addr) *netip.Addr {
	if !a.IsValid() {
		return nil
	}
	a = a.Unmap().WithZone("")
	return &a
}
