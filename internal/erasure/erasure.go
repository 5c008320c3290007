// Package erasure erases a person by their phone number. It removes the number, name and words of that person from all
// stored data, and prevents later calls and messages to the number. Only figures and a keyed hash remain.
package erasure

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/messaging"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/seal"
	"github.com/dialwright/dialwright/internal/suppression"
)

// Topic is woken after the commit of a request.
const Topic = "erasure"

// Erasure is the running or completed erasure of a person. It does not identify the person.
type Erasure struct {
	ID          uuid.UUID
	Calls       int // calls to the person
	Recipients  int // entries in campaigns
	Messages    int
	Events      int // events with data about the person
	CreatedBy   string
	CreatedAt   time.Time
	CompletedAt *time.Time // nil while the erasure runs

	Recordings int    // recordings that carriers have not deleted yet
	Undeleted  string // a displayable reason; "" if no deletion has failed
}

const columns = `id, calls, recipients, messages, events, created_by, created_at, completed_at,
	(select count(*) from recording_deletion d where d.erasure_id = erasure.id) as recordings,
	coalesce((select min(d.last_error) from recording_deletion d where d.erasure_id = erasure.id), '') as undeleted`

// Options are the dependencies of the service.
type Options struct {
	Pool      *pgxpool.Pool
	Vault     *seal.Vault
	Hub       *postgres.Hub
	Log       *slog.Logger // nil: slog.Default()
	Accounts  *account.Service
	Calls     *call.Service
	Campaigns *campaign.Service
	Messaging *messaging.Service
}

// Service manages erasures. Make it with New. It is safe for concurrent use.
type Service struct {
	o      Options
	reader *postgres.Reader[Erasure]
}

// New makes the service.
func New(o Options) *Service {
	o.Log = cmp.Or(o.Log, slog.Default())
	return &Service{o, byID.Reader(o.Pool)}
}

// Request starts the erasure of a person. The commit puts the number on the do-not-call list of every channel, as a
// hash. Any process does the rest in the background. If the erasure of the number is already running, Request returns
// it, and that erasure also removes data that was added after its start.
// Errors: Invalid "phone_number".
func (s *Service) Request(ctx context.Context, actor account.Actor, phoneNumber string) (Erasure, error) {
	number, err := phone.Parse(phoneNumber)
	if err != nil {
		return Erasure{}, fault.Invalidf("phone_number", "%s", err)
	}
	hash, err := suppression.Hash(ctx, s.o.Pool, actor.OrganizationID, number)
	if err != nil {
		return Erasure{}, err
	}
	id := uuid.Must(uuid.NewV7())
	var e Erasure
	err = postgres.InTx(ctx, s.o.Pool, func(tx pgx.Tx) error {
		e, err = one(ctx, tx, `
			insert into erasure (id, organization_id, number, number_hash, created_by)
			values (@id, @organization_id, @number, @hash, @created_by)
			on conflict (organization_id, number_hash) where completed_at is null do update set seen_at = null
			returning `+columns, pgx.NamedArgs{
			"id": id, "organization_id": actor.OrganizationID, "hash": hash, "created_by": actor.Name,
			"number": s.o.Vault.Seal([]byte(number), numberCell(actor.OrganizationID, id)),
		})
		if err != nil || e.ID != id {
			return err
		}
		if err := suppression.Erase(ctx, tx, actor.OrganizationID, number, actor.Name); err != nil {
			return err
		}
		return account.Record(ctx, tx, actor, "erasure.requested", account.Object{Type: "erasure", ID: id}, nil)
	})
	if err != nil {
		return Erasure{}, err
	}
	s.o.Hub.Wake(Topic)
	return e, nil
}

// Sealed are the columns that this package seals.
var Sealed = []seal.Column{
	{Table: "erasure", Column: "number", Key: []string{"id"}, Organization: "organization_id", Row: "id::text"},
}

func numberCell(organizationID, id uuid.UUID) seal.Cell {
	return seal.Cell{Organization: organizationID, Table: "erasure", Column: "number", Row: id.String()}
}

func one(ctx context.Context, db postgres.DB, sql string, args pgx.NamedArgs) (Erasure, error) {
	e, err := postgres.CollectOne(ctx, db, pgx.RowToStructByName[Erasure], sql, args)
	if errors.Is(err, pgx.ErrNoRows) {
		return Erasure{}, fault.NotFoundf("Erasure")
	}
	if err != nil {
		return Erasure{}, fmt.Errorf("query an erasure: %w", err)
	}
	return e, nil
}

var byID = postgres.NewByID[Erasure]("Erasure", `
	select `+columns+` from erasure where organization_id = @organization_id and id = @id`)

// Get returns an erasure. Errors: NotFound.
func (s *Service) Get(ctx context.Context, organizationID, id uuid.UUID) (Erasure, error) {
	return s.reader.Read(ctx, organizationID, id)
}

// List returns the erasures of an organization, newest first. Errors: Invalid.
func (s *Service) List(ctx context.Context, organizationID uuid.UUID, r page.Request) (page.List[Erasure], error) {
	args := pgx.NamedArgs{"organization_id": organizationID}
	return page.Read(ctx, s.o.Pool, r, "list erasures", `
		select `+columns+` from erasure
		where organization_id = @organization_id and `+page.Where+`
		`+page.Order, args,
		func(e Erasure) (time.Time, uuid.UUID) { return e.CreatedAt, e.ID })
}
