package project

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/internal/postgres"
)

// PhoneNumber is a number of the organization from which calls are placed.
type PhoneNumber struct {
	ID                  uuid.UUID
	ConnectionID        uuid.UUID // never changes
	Connection          string    // the connection's name
	Carrier             Kind
	PhoneNumber         phone.Number
	Name                string
	Voice               bool // calls may be placed from the number
	MessagingExternalID *string
	MaxConcurrency      *int     // calls at a time; nil: no limit
	CallsPerSecond      *float64 // call starts; nil: no limit
	NumberPoolID        *uuid.UUID
	NumberPool          *string // the pool's name
	DeactivatedAt       *time.Time
	CreatedAt           time.Time
}

// numberSelect reads numbers as PhoneNumber. The columns of other tables are subqueries, so that
// a query locks only the number's row.
const numberSelect = `
	select n.id, n.connection_id,
	       (select c.name from connection c where c.id = n.connection_id) as connection,
	       (select c.kind from connection c where c.id = n.connection_id) as carrier,
	       n.phone_number, n.name, n.voice, n.messaging_external_id, n.max_concurrency, n.calls_per_second,
	       n.number_pool_id, (select p.name from number_pool p where p.id = n.number_pool_id) as number_pool,
	       n.deactivated_at, n.created_at
	from phone_number n`

// NewPhoneNumber is a number to add.
type NewPhoneNumber struct {
	ConnectionID uuid.UUID
	PhoneNumber  string // E.164, or as people of the organization's region write it
	NumberSettings
}

// NumberSettings are the settings of a number.
type NumberSettings struct {
	Name           string // at most 100 characters
	Voice          bool
	MaxConcurrency *int     // nil: no limit
	CallsPerSecond *float64 // nil: no limit

	// MessagingExternalID is the operator's ID of the organization's WhatsApp number that
	// belongs to this number. If it is nil or empty, the number has voice only.
	MessagingExternalID *string
}

func (n *NumberSettings) check(p *fault.Problems) {
	check.Line(p, "name", &n.Name, check.MaxName)
	checkConcurrency(p, n.MaxConcurrency)
	checkRate(p, n.CallsPerSecond)
	if n.MessagingExternalID != nil && *n.MessagingExternalID == "" {
		n.MessagingExternalID = nil
	}
}

// checkMessaging adds a problem for a WhatsApp number that the organization does not
// have. It accepts an unchanged WhatsApp number even if the number is gone.
func (n *NumberSettings) checkMessaging(
	ctx context.Context, tx pgx.Tx, organizationID uuid.UUID, old *string, p *fault.Problems,
) error {
	chosen := n.MessagingExternalID
	if chosen == nil || old != nil && *old == *chosen {
		return nil
	}
	var known bool
	err := tx.QueryRow(ctx, `
		select exists (
			select from messaging_number
			where organization_id = @organization_id and external_id = @external_id and disconnected_at is null)`,
		pgx.NamedArgs{"organization_id": organizationID, "external_id": *chosen}).Scan(&known)
	if err != nil {
		return fmt.Errorf("look for a WhatsApp number: %w", err)
	}
	if !known {
		p.Addf("messaging_external_id", "no such WhatsApp number")
	}
	return nil
}

// CreatePhoneNumber adds a number. The checks of its connection are due, because the account may lack
// the number. Errors: Invalid, also for an unknown, foreign or
// deactivated connection; Conflict when the organization has the number.
func (s *Service) CreatePhoneNumber(ctx context.Context, actor account.Actor, n NewPhoneNumber) (PhoneNumber, error) {
	var p fault.Problems
	n.check(&p)
	var created PhoneNumber
	err := postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		args := pgx.NamedArgs{"organization_id": actor.OrganizationID, "connection_id": n.ConnectionID}
		var region string
		err := tx.QueryRow(ctx, `select region from organization where id = @organization_id`, args).Scan(&region)
		if err != nil {
			return fmt.Errorf("read an organization's region: %w", err)
		}
		number, err := phone.ParseNational(n.PhoneNumber, region)
		if err != nil {
			p.Addf("phone_number", "%s", err)
		}
		_, err = oneConnection(ctx, tx, `
			select `+connectionColumns+` from connection
			where organization_id = @organization_id and id = @connection_id and deactivated_at is null
			for key share`, args)
		switch {
		case fault.KindOf(err) == fault.NotFound:
			p.Addf("connection_id", "no such connection")
		case err != nil:
			return err
		}
		if err := n.checkMessaging(ctx, tx, actor.OrganizationID, nil, &p); err != nil {
			return err
		}
		if err := p.Err(); err != nil {
			return err
		}

		id := uuid.Must(uuid.NewV7())
		args["id"], args["phone_number"], args["name"] = id, number, n.Name
		args["calls_per_second"] = n.CallsPerSecond
		args["voice"] = n.Voice
		args["max_concurrency"], args["messaging_external_id"] = n.MaxConcurrency, n.MessagingExternalID
		_, err = tx.Exec(ctx, `
			insert into phone_number (id, organization_id, connection_id, phone_number, name, voice, max_concurrency,
				calls_per_second, messaging_external_id)
			values (@id, @organization_id, @connection_id, @phone_number, @name, @voice, @max_concurrency,
				@calls_per_second, @messaging_external_id)`, args)
		if postgres.Constraint(err) == "phone_number_unique" {
			return fault.Takenf("phone_number", "This phone number is already in use")
		}
		if err != nil {
			return fmt.Errorf("create a phone number: %w", err)
		}
		_, err = tx.Exec(ctx, `
			update connection set check_due_at = clock()
			where organization_id = @organization_id and id = @connection_id and check_due_at > clock()`, args)
		if err != nil {
			return fmt.Errorf("plan the checks of connection %s: %w", n.ConnectionID, err)
		}
		created, err = oneNumber(ctx, tx, numberSelect+
			` where n.organization_id = @organization_id and n.id = @id`, args)
		if err != nil {
			return err
		}
		return account.Record(ctx, tx, actor, "phone_number.created", account.Object{
			Type: "phone_number", ID: id,
		}, map[string]any{
			"phone_number": number, "name": n.Name, "connection_id": n.ConnectionID, "voice": n.Voice,
			"max_concurrency": n.MaxConcurrency, "calls_per_second": n.CallsPerSecond,
			"messaging_external_id": n.MessagingExternalID,
		})
	})
	return created, err
}

// UpdatePhoneNumber changes an active number. Errors: Invalid, NotFound, and Conflict
// when the change takes voice from a number that a campaign uses or that is the only one of its pool.
func (s *Service) UpdatePhoneNumber(
	ctx context.Context, actor account.Actor, id uuid.UUID, settings NumberSettings,
) (PhoneNumber, error) {
	var p fault.Problems
	settings.check(&p)
	if err := p.Err(); err != nil {
		return PhoneNumber{}, err
	}
	return s.updatePhoneNumber(ctx, actor, id, func(PhoneNumber) (NumberSettings, error) { return settings, nil })
}

// updatePhoneNumber gives an active number the settings that are computed from the locked number.
func (s *Service) updatePhoneNumber(
	ctx context.Context, actor account.Actor, id uuid.UUID, settingsOf func(old PhoneNumber) (NumberSettings, error),
) (PhoneNumber, error) {
	var old, updated PhoneNumber
	err := postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		args := pgx.NamedArgs{"organization_id": actor.OrganizationID, "id": id}
		var err error
		if old, err = lockNumber(ctx, tx, args); err != nil {
			return err
		}
		settings, err := settingsOf(old)
		if err != nil {
			return err
		}
		var p fault.Problems
		settings.check(&p)
		if err := settings.checkMessaging(ctx, tx, actor.OrganizationID, old.MessagingExternalID, &p); err != nil {
			return err
		}
		if err := p.Err(); err != nil {
			return err
		}
		if old.Voice && !settings.Voice {
			if err := unused(
				ctx, tx, actor.OrganizationID, id, byPhoneNumber, "Phone number "+old.PhoneNumber.String(),
			); err != nil {
				return err
			}
			if err := leavePool(ctx, tx, old); err != nil {
				return err
			}
		}
		args["name"], args["voice"] = settings.Name, settings.Voice
		args["max_concurrency"], args["calls_per_second"] = settings.MaxConcurrency, settings.CallsPerSecond
		args["messaging_external_id"] = settings.MessagingExternalID
		_, err = tx.Exec(ctx, `
			update phone_number set name = @name, voice = @voice, max_concurrency = @max_concurrency,
				messaging_external_id = @messaging_external_id,
				calls_per_second = @calls_per_second
			where organization_id = @organization_id and id = @id`, args)
		if err != nil {
			return fmt.Errorf("update a phone number: %w", err)
		}
		updated, err = oneNumber(ctx, tx, numberSelect+
			` where n.organization_id = @organization_id and n.id = @id`, args)
		if err != nil {
			return err
		}
		if reflect.DeepEqual(old, updated) {
			return account.Unchanged(ctx)
		}
		return account.Record(ctx, tx, actor, "phone_number.updated", account.Object{
			Type: "phone_number", ID: id,
		}, map[string]any{
			"name": settings.Name, "voice": settings.Voice, "max_concurrency": settings.MaxConcurrency,
			"calls_per_second":      settings.CallsPerSecond,
			"messaging_external_id": settings.MessagingExternalID,
		})
	})
	if err != nil {
		return PhoneNumber{}, err
	}
	return updated, s.rateChanged(ctx, actor.OrganizationID, old.CallsPerSecond, updated.CallsPerSecond)
}

// lockNumber locks an active number against new use, after its pool. Errors: NotFound.
func lockNumber(ctx context.Context, tx pgx.Tx, args pgx.NamedArgs) (PhoneNumber, error) {
	var pool *uuid.UUID
	err := tx.QueryRow(ctx, `
		select id from number_pool
		where id = (select number_pool_id from phone_number where organization_id = @organization_id and id = @id)
		for update`, args).Scan(&pool)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return PhoneNumber{}, fmt.Errorf("lock the pool of a phone number: %w", err)
	}
	n, err := oneNumber(ctx, tx, numberSelect+`
		where n.organization_id = @organization_id and n.id = @id and n.deactivated_at is null
		for update of n`, args)
	if err == nil && n.NumberPoolID != nil && (pool == nil || *pool != *n.NumberPoolID) {
		return PhoneNumber{}, fault.Conflictf("The number has just joined a pool. Try again")
	}
	return n, err
}

// oneNumber runs a query that returns one number. Errors: NotFound.
func oneNumber(ctx context.Context, db postgres.DB, sql string, args pgx.NamedArgs) (PhoneNumber, error) {
	n, err := postgres.CollectOne(ctx, db, pgx.RowToStructByName[PhoneNumber], sql, args)
	if errors.Is(err, pgx.ErrNoRows) {
		return PhoneNumber{}, fault.NotFoundf("Phone number")
	}
	if err != nil {
		return PhoneNumber{}, fmt.Errorf("query a phone number: %w", err)
	}
	return n, nil
}

// DeactivatePhoneNumber takes a number out of use. The number may be added again. Errors:
// NotFound, and Conflict that names the campaigns using it, or the pool that has no other number.
func (s *Service) DeactivatePhoneNumber(ctx context.Context, actor account.Actor, id uuid.UUID) error {
	args := pgx.NamedArgs{"organization_id": actor.OrganizationID, "id": id}
	return postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		n, err := lockNumber(ctx, tx, args)
		if err != nil {
			return err
		}
		if err := unused(
			ctx, tx, actor.OrganizationID, id, byPhoneNumber, "Phone number "+n.PhoneNumber.String(),
		); err != nil {
			return err
		}
		if err := leavePool(ctx, tx, n); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `update phone_number set deactivated_at = clock() where id = @id`, args); err != nil {
			return fmt.Errorf("deactivate a phone number: %w", err)
		}
		return account.Record(ctx, tx, actor, "phone_number.deactivated", account.Object{Type: "phone_number", ID: id},
			map[string]any{"phone_number": n.PhoneNumber})
	})
}

var numberByID = postgres.NewByID[PhoneNumber]("Phone number", numberSelect+`
	where n.organization_id = @organization_id and n.id = @id`)

// PhoneNumber returns a number, active or not. Errors: NotFound.
func (s *Service) PhoneNumber(ctx context.Context, organizationID, id uuid.UUID) (PhoneNumber, error) {
	return s.read.number.Read(ctx, organizationID, id)
}

// VoiceNumber returns a number of VoiceNumbers. Errors: NotFound.
func (s *Service) VoiceNumber(ctx context.Context, organizationID, id uuid.UUID) (PhoneNumber, error) {
	n, err := s.PhoneNumber(ctx, organizationID, id)
	if err == nil && (n.DeactivatedAt != nil || !n.Voice) {
		return PhoneNumber{}, fault.NotFoundf("Phone number")
	}
	return n, err
}

// LockPhoneNumberForUse returns an active number with voice, and prevents its
// deactivation until the transaction ends. Its connection cannot be deactivated before
// the number. Error: Invalid "phone_number_id: no such phone number", the same for an
// unknown, foreign or deactivated number, and Invalid for a number without voice.
func LockPhoneNumberForUse(ctx context.Context, tx pgx.Tx, organizationID, id uuid.UUID) (PhoneNumber, error) {
	n, err := oneNumber(ctx, tx, numberSelect+`
		where n.organization_id = @organization_id and n.id = @id and n.deactivated_at is null
		for key share of n`, pgx.NamedArgs{"organization_id": organizationID, "id": id})
	switch {
	case fault.KindOf(err) == fault.NotFound:
		return PhoneNumber{}, fault.Invalidf("phone_number_id", "no such phone number")
	case err != nil:
		return PhoneNumber{}, err
	case !n.Voice:
		return PhoneNumber{}, fault.Invalidf("phone_number_id", "this number can't place calls")
	}
	return n, nil
}

// PhoneNumbers lists the active numbers, newest first. With voiceOnly, it lists only
// numbers from which calls may be placed.
func (s *Service) PhoneNumbers(
	ctx context.Context, organizationID uuid.UUID, voiceOnly bool, r page.Request,
) (page.List[PhoneNumber], error) {
	args := pgx.NamedArgs{"organization_id": organizationID, "voice_only": voiceOnly}
	return page.Read(ctx, s.pool, r, "list phone numbers", `select * from (`+numberSelect+`
			where n.organization_id = @organization_id and n.deactivated_at is null and (n.voice or not @voice_only)
		) listed
		where `+page.Where+`
		`+page.Order, args,
		func(n PhoneNumber) (time.Time, uuid.UUID) { return n.CreatedAt, n.ID })
}

// VoiceNumbers returns the numbers that a campaign can call from.
func (s *Service) VoiceNumbers(
	ctx context.Context, organizationID uuid.UUID, r page.Request,
) (page.List[PhoneNumber], error) {
	return s.PhoneNumbers(ctx, organizationID, true, r)
}
