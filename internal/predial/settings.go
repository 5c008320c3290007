package predial

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/guard"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/seal"
	"github.com/dialwright/dialwright/internal/webhook"
	"github.com/dialwright/dialwright/internal/webhook/sender"
)

// OnFailure is what happens to a call whose check fails.
type OnFailure string

// Values of OnFailure.
const (
	Wait OnFailure = "wait" // the recipient waits and is tried again
	Call OnFailure = "call" // the call is placed without an answer
)

// overlap is how long the previous secret signs too after a rotation.
const overlap = 24 * time.Hour

// Draft is the part of the setting that a person chooses.
type Draft struct {
	URL       string
	OnFailure OnFailure
}

// Settings are the check of an organization and its health.
type Settings struct {
	URL                 string
	OnFailure           OnFailure
	EnabledAt           *time.Time // nil: the check is off, and no call is asked about
	SecretMark          string     // changes with each rotation and reveals nothing of the secret
	PreviousSecretUntil *time.Time
	Failures            int // failed checks in a row
	LastAnswer          *string
	LastAnswerAt        *time.Time
	LastError           *string
	LastErrorAt         *time.Time
}

const settingsColumns = `url, on_failure, enabled_at, left(encode(sha256(secret), 'hex'), 16) as secret_mark,
	case when previous_secret_until > k.t then previous_secret_until end as previous_secret_until,
	failures, last_answer, last_answer_at, last_error, last_error_at`

// Probing reports whether so many checks in a row have failed that only one request at a time is
// sent, until one is answered.
func (s Settings) Probing() bool { return s.Failures >= MostFailures }

// Service keeps the checks of all organizations and asks them. It is safe for concurrent use.
type Service struct {
	pool   *pgxpool.Pool
	vault  *seal.Vault
	guard  *guard.Guard
	sender sender.Sender
}

// Options are the dependencies of a Service.
type Options struct {
	Pool    *pgxpool.Pool
	Vault   *seal.Vault
	Guard   *guard.Guard // which addresses the check may have
	Version string       // of the product, for the User-Agent
}

// New makes a Service.
func New(o Options) *Service {
	return &Service{
		pool:   o.Pool,
		vault:  o.Vault,
		guard:  o.Guard,
		sender: sender.New(o.Guard.Transport, o.Version).Within(askTime),
	}
}

// Sealed are the columns that this package seals. A rotation moves a secret from the first column
// to the second, so resealing must visit them in this order.
var Sealed = []seal.Column{sealedColumn("secret"), sealedColumn("previous_secret")}

func sealedColumn(column string) seal.Column {
	return seal.Column{
		Table: "pre_dial_check", Column: column, Key: []string{"organization_id"}, Organization: "organization_id",
		Row: "organization_id::text",
	}
}

func secretCell(organizationID uuid.UUID, column string) seal.Cell {
	return seal.Cell{
		Organization: organizationID, Table: "pre_dial_check", Column: column, Row: organizationID.String(),
	}
}

// Get reads the check of an organization, nil if it has none.
func (s *Service) Get(ctx context.Context, organizationID uuid.UUID) (*Settings, error) {
	return read[Settings](ctx, s.pool, settingsColumns, organizationID)
}

// read reads columns of the check of an organization, nil if it has none. The columns may use k.t, the time now.
func read[T any](ctx context.Context, db postgres.DB, columns string, organizationID uuid.UUID) (*T, error) {
	check, err := postgres.CollectOne(ctx, db, pgx.RowToAddrOfStructByName[T], `
		select `+columns+` from pre_dial_check, (select clock() as t) k where organization_id = $1`, organizationID)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the pre-dial check: %w", err)
	}
	return check, nil
}

// Save sets up the check of the actor's organization or changes it. A new check is off, because its
// server does not have the secret yet. secret is not empty for a new check, the only time it is
// shown. Another URL clears the health. Errors: Invalid.
func (s *Service) Save(ctx context.Context, actor account.Actor, d Draft) (secret string, err error) {
	var p fault.Problems
	s.guard.CheckURL(&p, "url", &d.URL)
	if d.OnFailure != Wait && d.OnFailure != Call {
		p.Addf("on_failure", "must be %s or %s", Wait, Call)
	}
	if err := p.Err(); err != nil {
		return "", err
	}
	random := webhook.NewSecret()
	var created bool
	err = s.change(ctx, actor, "organization.pre_dial_check_updated", func(tx pgx.Tx) (map[string]any, error) {
		var was Draft
		err := tx.QueryRow(ctx, `
			select url, on_failure from pre_dial_check where organization_id = $1 for no key update`,
			actor.OrganizationID).Scan(&was.URL, &was.OnFailure)
		if err == nil && was == d {
			return nil, errUnchanged
		}
		if err != nil && !errors.Is(err, pgx.ErrNoRows) {
			return nil, err
		}
		err = tx.QueryRow(ctx, `
			insert into pre_dial_check as c (organization_id, url, on_failure, secret)
			values (@organization_id, @url, @on_failure, @secret)
			on conflict (organization_id) do update set
				url = excluded.url, on_failure = excluded.on_failure,
				failures = case when c.url = excluded.url then c.failures else 0 end,
				next_at = case when c.url = excluded.url then c.next_at end,
				last_answer = case when c.url = excluded.url then c.last_answer end,
				last_answer_at = case when c.url = excluded.url then c.last_answer_at end,
				last_error = case when c.url = excluded.url then c.last_error end,
				last_error_at = case when c.url = excluded.url then c.last_error_at end
			returning secret = @secret`, pgx.NamedArgs{
			"organization_id": actor.OrganizationID, "url": d.URL, "on_failure": d.OnFailure,
			"secret": s.vault.Seal(random, secretCell(actor.OrganizationID, "secret")),
		}).Scan(&created)
		return map[string]any{"host": webhook.HostOf(d.URL), "on_failure": d.OnFailure}, err
	})
	if err != nil || !created {
		return "", err
	}
	return webhook.ShowSecret(random), nil
}

// Enable turns the check of the actor's organization on. After the commit, every call that is placed
// is checked. A check that is on stays as it is. Errors: NotFound.
func (s *Service) Enable(ctx context.Context, actor account.Actor) error {
	return s.turn(ctx, actor, true, "organization.pre_dial_check_enabled")
}

// Disable turns the check of the actor's organization off. Calls are placed without it. A check that
// is off stays as it is. Errors: NotFound.
func (s *Service) Disable(ctx context.Context, actor account.Actor) error {
	return s.turn(ctx, actor, false, "organization.pre_dial_check_disabled")
}

func (s *Service) turn(ctx context.Context, actor account.Actor, on bool, action string) error {
	return s.change(ctx, actor, action, func(tx pgx.Tx) (map[string]any, error) {
		var was bool
		err := tx.QueryRow(ctx, `
			select enabled_at is not null from pre_dial_check where organization_id = $1 for no key update`,
			actor.OrganizationID).Scan(&was)
		switch {
		case errors.Is(err, pgx.ErrNoRows):
			return nil, fault.NotFoundf("Pre-dial check")
		case err == nil && was == on:
			return nil, errUnchanged
		case err != nil:
			return nil, err
		}
		_, err = tx.Exec(ctx, `
			update pre_dial_check set enabled_at = case when $2 then clock() end where organization_id = $1`,
			actor.OrganizationID, on)
		return nil, err
	})
}

// errUnchanged ends a change that has nothing to do, so it has no audit entry.
var errUnchanged = errors.New("unchanged")

// RotateSecret replaces the secret of a SecretMark and returns the new one, the only time it is
// shown. For 24 hours each request also carries a signature by the previous secret. Errors:
// NotFound, and Conflict if the secret was rotated meanwhile.
func (s *Service) RotateSecret(ctx context.Context, actor account.Actor, mark string) (secret string, err error) {
	random := webhook.NewSecret()
	err = s.change(ctx, actor, "organization.pre_dial_check_secret_rotated", func(tx pgx.Tx) (map[string]any, error) {
		var sealed []byte
		var now string
		err := tx.QueryRow(ctx, `
			select secret, left(encode(sha256(secret), 'hex'), 16) from pre_dial_check
			where organization_id = $1 for no key update`, actor.OrganizationID).Scan(&sealed, &now)
		switch {
		case errors.Is(err, pgx.ErrNoRows):
			return nil, fault.NotFoundf("Pre-dial check")
		case err == nil && now != mark:
			return nil, fault.Conflictf("The secret of the pre-dial check was rotated already")
		case err != nil:
			return nil, err
		}
		var previous []byte
		current, err := s.vault.Open(sealed, secretCell(actor.OrganizationID, "secret"))
		switch {
		case err == nil:
			previous = s.vault.Seal(current, secretCell(actor.OrganizationID, "previous_secret"))
		case !errors.Is(err, seal.ErrSealed): // an unreadable secret signs nothing and has no overlap
			return nil, err
		}
		_, err = tx.Exec(ctx, `
			update pre_dial_check set secret = $2, previous_secret = $3,
				previous_secret_until = case when $3::bytea is not null then clock() + $4::interval end
			where organization_id = $1`, actor.OrganizationID,
			s.vault.Seal(random, secretCell(actor.OrganizationID, "secret")), previous, overlap)
		return nil, err
	})
	if err != nil {
		return "", err
	}
	return webhook.ShowSecret(random), nil
}

// Remove ends the check of the actor's organization. Its calls are placed without one.
func (s *Service) Remove(ctx context.Context, actor account.Actor) error {
	return s.change(ctx, actor, "organization.pre_dial_check_removed", func(tx pgx.Tx) (map[string]any, error) {
		tag, err := tx.Exec(ctx, `delete from pre_dial_check where organization_id = $1`, actor.OrganizationID)
		if err == nil && tag.RowsAffected() == 0 {
			err = fault.NotFoundf("Pre-dial check")
		}
		return nil, err
	})
}

// change makes a change and writes its audit entry, in one transaction.
func (s *Service) change(
	ctx context.Context, actor account.Actor, action string, do func(pgx.Tx) (map[string]any, error),
) error {
	err := postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		data, err := do(tx)
		if err != nil {
			return err
		}
		return account.Record(ctx, tx, actor, action,
			account.Object{Type: "organization", ID: actor.OrganizationID}, data)
	})
	if errors.Is(err, errUnchanged) {
		return account.Unchanged(ctx)
	}
	if err != nil && fault.As(err) == nil {
		return fmt.Errorf("change the pre-dial check: %w", err)
	}
	return err
}
