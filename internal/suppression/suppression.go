// Package suppression owns the do-not-call list: the numbers an organization
// must not call or write to any more. It is looked at when recipients are
// imported and again right before each is dialled.
package suppression

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/internal/postgres"
)

// Channel is a way to reach somebody, each with a list of its own.
type Channel string

const (
	Voice   Channel = "voice"
	Message Channel = "message"
)

// Source is how an entry came about.
type Source string

const (
	ByCall    Source = "call"    // asked for during a call
	ByUser    Source = "user"    // added in the dashboard
	ByAPI     Source = "api"     // added by an integration
	ByImport  Source = "import"  // came with a file
	ByMessage Source = "message" // asked for in a message, or in the messaging app itself
)

// Entry is one number not to be reached on one channel.
type Entry struct {
	ID          uuid.UUID
	Channel     Channel
	PhoneNumber phone.Number
	Source      Source
	Note        string
	CallID      *uuid.UUID // the call it was asked for in
	CreatedBy   string     // the name of who added it
	CreatedAt   time.Time
}

const entryColumns = `id, channel, phone_number, source, note, call_id, created_by, created_at`

// maxNote bounds a note, in characters.
const maxNote = 500

// NewEntry is a number to be added.
type NewEntry struct {
	Channel     Channel      // empty means Voice
	PhoneNumber phone.Number // made by phone.Parse or phone.ParseNational
	Source      Source
	Note        string     // at most 500 characters
	CallID      *uuid.UUID // with ByCall
}

func (n *NewEntry) check() error {
	var p fault.Problems
	if n.Channel == "" {
		n.Channel = Voice
	}
	if n.Channel != Voice && n.Channel != Message {
		p.Addf("channel", "must be voice or message")
	}
	if number, err := phone.Parse(n.PhoneNumber.String()); err != nil {
		p.Addf("phone_number", "%s", err)
	} else {
		n.PhoneNumber = number
	}
	switch n.Source {
	case ByCall, ByUser, ByAPI, ByImport, ByMessage:
	default:
		p.Addf("source", "must be call, user, api, import or message")
	}
	check.Text(&p, "note", &n.Note, maxNote)
	return p.Err()
}

// Service does all that this package owns. Make it with New; it is safe for
// concurrent use.
type Service struct {
	pool *pgxpool.Pool
}

// New makes the service.
func New(pool *pgxpool.Pool) *Service { return &Service{pool: pool} }

// Add puts a number on the list. One that is on it already stays as it is, with
// who added it first and why, and is no error: added tells which. Errors:
// Invalid.
func (s *Service) Add(ctx context.Context, actor account.Actor, n NewEntry) (entry Entry, added bool, err error) {
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		entry, added, err = Add(ctx, tx, actor, n)
		return err
	})
	return entry, added, err
}

// Add is Service.Add in the caller's transaction, for an opt-out that must be
// on the list when the turn that asked for it is stored.
func Add(ctx context.Context, tx pgx.Tx, actor account.Actor, n NewEntry) (entry Entry, added bool, err error) {
	if err := n.check(); err != nil {
		return Entry{}, false, err
	}
	// The update changes nothing. It makes an entry that is there come back,
	// and waits for one that is being added or removed.
	id := uuid.Must(uuid.NewV7())
	entry, err = one(ctx, tx, `
		insert into do_not_call (id, organization_id, channel, phone_number, source, note, call_id, created_by)
		values (@id, @organization_id, @channel, @phone_number, @source, @note, @call_id, @created_by)
		on conflict on constraint do_not_call_unique do update set channel = excluded.channel
		returning `+entryColumns, pgx.NamedArgs{
		"id": id, "organization_id": actor.OrganizationID, "channel": n.Channel, "phone_number": n.PhoneNumber,
		"source": n.Source, "note": n.Note, "call_id": n.CallID, "created_by": actor.Name,
	})
	if err != nil || entry.ID != id {
		return entry, false, err
	}
	err = account.Record(ctx, tx, actor, "do_not_call.added", account.Object{Type: "do_not_call", ID: id}, map[string]any{
		"channel": n.Channel, "phone_number": n.PhoneNumber, "source": n.Source, "call_id": n.CallID,
	})
	return entry, true, err
}

func one(ctx context.Context, db postgres.DB, sql string, args pgx.NamedArgs) (Entry, error) {
	rows, err := db.Query(ctx, sql, args)
	if err != nil {
		return Entry{}, fmt.Errorf("query the do-not-call list: %w", err)
	}
	e, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[Entry])
	if errors.Is(err, pgx.ErrNoRows) {
		return Entry{}, fault.NotFoundf("Do-not-call entry")
	}
	if err != nil {
		return Entry{}, fmt.Errorf("query the do-not-call list: %w", err)
	}
	return e, nil
}

// Remove takes an entry off the list: the number may be reached again. Errors:
// NotFound.
func (s *Service) Remove(ctx context.Context, actor account.Actor, id uuid.UUID) error {
	return postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		e, err := one(ctx, tx, `
			delete from do_not_call
			where organization_id = @organization_id and id = @id
			returning `+entryColumns, pgx.NamedArgs{"organization_id": actor.OrganizationID, "id": id})
		if err != nil {
			return err
		}
		return account.Record(ctx, tx, actor, "do_not_call.removed", account.Object{Type: "do_not_call", ID: id}, map[string]any{
			"channel": e.Channel, "phone_number": e.PhoneNumber, "source": e.Source, "created_at": e.CreatedAt,
		})
	})
}

// Entry returns one. Errors: NotFound.
func (s *Service) Entry(ctx context.Context, organizationID, id uuid.UUID) (Entry, error) {
	return one(ctx, s.pool, `
		select `+entryColumns+` from do_not_call
		where organization_id = @organization_id and id = @id`,
		pgx.NamedArgs{"organization_id": organizationID, "id": id})
}

// Filter says which entries a list is of. The zero value is all of them.
type Filter struct {
	Channel Channel // empty: both
	Search  string  // what the number begins with, as people write it: "+1 312", "1312"
}

// prefix is what the numbers searched for begin with, "" for any. No number
// begins with what has no digits.
func (f Filter) prefix() string {
	search := strings.TrimSpace(f.Search)
	if search == "" {
		return ""
	}
	return "+" + strings.TrimPrefix(strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return r
		}
		if strings.ContainsRune("+ -.()/\u00a0", r) {
			return -1
		}
		return '?' // is in no number
	}, search), "00")
}

// List is the entries of an organization, newest first. Errors: Invalid.
func (s *Service) List(ctx context.Context, organizationID uuid.UUID, f Filter, r page.Request) (page.List[Entry], error) {
	args := pgx.NamedArgs{"organization_id": organizationID, "channel": f.Channel, "prefix": f.prefix()}
	if err := r.Args(args); err != nil {
		return page.List[Entry]{}, err
	}
	from := `do_not_call`
	if f.prefix() != "" {
		few, err := s.few(ctx, args)
		if err != nil {
			return page.List[Entry]{}, err
		}
		if few { // read them all and order them
			from = `(select * from do_not_call where ` + sqlPrefix + ` offset 0) do_not_call`
		}
	}
	rows, err := s.pool.Query(ctx, `
		select `+entryColumns+` from `+from+`
		where organization_id = @organization_id
		  and (@channel = '' or channel = @channel)
		  and starts_with(phone_number, @prefix)
		  and `+page.Where+`
		`+page.Order, args)
	if err != nil {
		return page.List[Entry]{}, fmt.Errorf("list the do-not-call list: %w", err)
	}
	entries, err := pgx.CollectRows(rows, pgx.RowToStructByName[Entry])
	if err != nil {
		return page.List[Entry]{}, fmt.Errorf("list the do-not-call list: %w", err)
	}
	return page.Cut(r, entries, func(e Entry) (time.Time, uuid.UUID) { return e.CreatedAt, e.ID }), nil
}

// sqlPrefix finds numbers by their beginning: ':' is the byte after '9'.
const sqlPrefix = `
	organization_id = @organization_id
	and phone_number collate "C" >= @prefix and phone_number collate "C" < @prefix || ':'`

// fewEntries are as many as are found by their beginning and put in order. Where
// there are more, one in so many of the list is among them, and the list is read
// in its order.
const fewEntries = 2000

func (s *Service) few(ctx context.Context, args pgx.NamedArgs) (bool, error) {
	var n int
	err := s.pool.QueryRow(ctx, `select count(*) from (select from do_not_call where `+sqlPrefix+` limit `+strconv.Itoa(fewEntries+1)+`) n`,
		args).Scan(&n)
	if err != nil {
		return false, fmt.Errorf("search the do-not-call list: %w", err)
	}
	return n <= fewEntries, nil
}

// Listed is which of the numbers are on an organization's list, found in one
// query however many they are. A number put on the list later is found by the
// check right before dialling.
func Listed(ctx context.Context, db postgres.DB, organizationID uuid.UUID, channel Channel, numbers []phone.Number) (map[phone.Number]struct{}, error) {
	rows, err := db.Query(ctx, `
		select phone_number from do_not_call
		where organization_id = @organization_id and channel = @channel and phone_number = any(@numbers::text[])`,
		pgx.NamedArgs{"organization_id": organizationID, "channel": channel, "numbers": numbers})
	if err != nil {
		return nil, fmt.Errorf("look into the do-not-call list: %w", err)
	}
	listed := map[phone.Number]struct{}{}
	var number phone.Number
	_, err = pgx.ForEachRow(rows, []any{&number}, func() error {
		listed[number] = struct{}{}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("look into the do-not-call list: %w", err)
	}
	return listed, nil
}
