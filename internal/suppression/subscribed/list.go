// Package subscribed keeps the do-not-call list in sync with lists that others publish, such as a national registry:
// the settings of each list, its fetches by schedule, and what happens while they fail.
package subscribed

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/guard"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/seal"
	"github.com/dialwright/dialwright/internal/suppression"
	"github.com/dialwright/dialwright/internal/webhook"
	"github.com/dialwright/dialwright/internal/webhook/sender"
)

// MaxLists is how many lists an organization may have.
const MaxLists = 10

// MostFailures is after how many failed fetches in a row a person must look at a list.
const MostFailures = 3

// InEffect and NoneApplied say what a list does while a file is held back or fetches fail.
const (
	InEffect    = "The last applied file stays in effect"
	NoneApplied = "No file has been applied yet"
)

// Effect is InEffect or NoneApplied.
func (l List) Effect() string {
	if l.FetchedAt == nil {
		return NoneApplied
	}
	return InEffect
}

// Intervals are the possible hours between two fetches of a list.
var Intervals = []int{6, 12, 24, 168}

// List is a subscribed list of an organization. The value of its header never leaves this package.
type List struct {
	ID          uuid.UUID
	Name        string
	URL         string
	HeaderName  string // of a header of the request, whose value is secret; "": none
	Channels    []suppression.Channel
	EveryHours  int
	Numbers     int        // of the last applied file
	Rejected    int        // rows of the last file that could not be read, applied or held back
	FetchedAt   *time.Time // the last success; nil: none yet, and no file was applied
	Failures    int        // in a row
	LastError   *string    // nil: the last fetch succeeded
	LastErrorAt *time.Time
	HeldBack    *string // why the last file that was read was not applied; nil: it was
	NextFetchAt time.Time
	Fetching    bool // a process is fetching the list
	CreatedAt   time.Time
}

// A program before held_back sets shrunk only.
const columns = `id, name, url, header_name, channels, every_hours, numbers, rejected, fetched_at, failures,
	last_error, last_error_at, case when shrunk then coalesce(held_back, last_error) end as held_back,
	due_at as next_fetch_at,
	fetch_until is not null and fetch_until > clock() as fetching, created_at`

// Draft is the part of a list that a person chooses.
type Draft struct {
	Name       string                `json:"name"`
	URL        string                `json:"url"`
	Channels   []suppression.Channel `json:"channels"`
	EveryHours int                   `json:"every_hours"`
	HeaderName string                `json:"header_name"` // empty: no header
	// HeaderValue is stored sealed and never shown. In a change of a list, nil keeps the stored value.
	HeaderValue *string `json:"header_value"`
}

// Service owns the subscribed lists of all organizations. Make it with New. It is safe for concurrent use.
type Service struct {
	pool   *pgxpool.Pool
	hub    *postgres.Hub
	vault  *seal.Vault
	guard  *guard.Guard
	files  *guard.Files
	reader *postgres.Reader[List]
}

// Topic is woken when a list is due.
const Topic = "subscribed_list"

// Options are the dependencies of a Service.
type Options struct {
	Pool    *pgxpool.Pool
	Hub     *postgres.Hub // nil: a hub that nothing listens to
	Vault   *seal.Vault
	Guard   *guard.Guard // which addresses lists may have
	Version string       // of the product, for the User-Agent
}

// New makes a Service.
func New(o Options) *Service {
	if o.Hub == nil {
		o.Hub = postgres.LocalHub()
	}
	return &Service{
		pool:   o.Pool,
		hub:    o.Hub,
		vault:  o.Vault,
		guard:  o.Guard,
		files:  o.Guard.Files(o.Version),
		reader: byID.Reader(o.Pool),
	}
}

// Sealed are the columns that this package seals.
var Sealed = []seal.Column{{
	Table: "subscribed_list", Column: "header_value", Key: []string{"id"}, Organization: "organization_id",
	Row: "id::text",
}}

func cell(organizationID, id uuid.UUID) seal.Cell {
	return seal.Cell{
		Organization: organizationID, Table: "subscribed_list", Column: "header_value", Row: id.String(),
	}
}

// check tidies a draft. keeps is set if the stored value of the header stays.
func (s *Service) check(d *Draft, keeps bool) error {
	var p fault.Problems
	check.Name(&p, "name", &d.Name)
	s.guard.CheckURL(&p, "url", &d.URL)
	if d.HeaderName = strings.TrimSpace(d.HeaderName); d.HeaderName == "" && d.HeaderValue != nil {
		p.Addf("header_name", "required with a value")
	} else if d.HeaderName != "" && d.HeaderValue == nil && !keeps {
		p.Addf("header_value", "required")
	} else if d.HeaderName != "" {
		value := "kept"
		if d.HeaderValue != nil {
			value = strings.TrimSpace(*d.HeaderValue)
			d.HeaderValue = &value
		}
		var headers fault.Problems
		sender.CheckHeaders(&headers, map[string]string{d.HeaderName: value})
		if f := fault.As(headers.Err()); f != nil {
			path := "header_name"
			if value == "" || strings.HasPrefix(f.Fields[0].Message, "must be one line") {
				path = "header_value"
			}
			p.Addf(path, "%s", f.Fields[0].Message)
		} else if slices.Contains(fetchHeaders, strings.ToLower(d.HeaderName)) {
			p.Addf("header_name", "is set by the request itself")
		}
	}
	if len(d.Channels) == 0 {
		p.Addf("channels", "required")
	}
	fault.OneOf(&p, "channels", d.Channels, suppression.Channels)
	d.Channels = slices.Compact(slices.Sorted(slices.Values(d.Channels)))
	if !slices.Contains(Intervals, d.EveryHours) {
		p.Addf("every_hours", "must be 6, 12, 24 or 168")
	}
	return p.Err()
}

// fetchHeaders belong to the request for a file.
var fetchHeaders = []string{"accept", "accept-encoding", "if-none-match", "if-modified-since", "range"}

func (d Draft) args(organizationID, id uuid.UUID) pgx.NamedArgs {
	return pgx.NamedArgs{
		"organization_id": organizationID, "id": id, "name": d.Name, "url": d.URL, "header_name": d.HeaderName,
		"channels": d.Channels, "every_hours": d.EveryHours,
	}
}

func (s *Service) seal(organizationID, id uuid.UUID, d Draft) []byte {
	if d.HeaderName == "" || d.HeaderValue == nil {
		return nil
	}
	return s.vault.Seal([]byte(*d.HeaderValue), cell(organizationID, id))
}

// audited are the settings as the audit log keeps them.
func (l List) audited() map[string]any {
	return map[string]any{
		"name": l.Name, "host": webhook.HostOf(l.URL), "channels": l.Channels, "every_hours": l.EveryHours,
		"header": l.HeaderName,
	}
}

// Create adds a list, which is fetched soon. Errors: Invalid, and Unprocessable when the organization is at its limit.
func (s *Service) Create(ctx context.Context, actor account.Actor, d Draft) (l List, err error) {
	if err := s.check(&d, false); err != nil {
		return List{}, err
	}
	id := uuid.Must(uuid.NewV7())
	args := d.args(actor.OrganizationID, id)
	args["header_value"], args["most"] = s.seal(actor.OrganizationID, id, d), MaxLists
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		// Concurrent creations wait for this lock and count in a later statement.
		_, err := tx.Exec(ctx, `select from organization where id = $1 for no key update`, actor.OrganizationID)
		if err != nil {
			return fmt.Errorf("lock the organization: %w", err)
		}
		l, err = one(ctx, tx, `
			insert into subscribed_list
				(id, organization_id, name, url, header_name, header_value, channels, every_hours)
			select @id, @organization_id, @name, @url, @header_name, @header_value, @channels, @every_hours
			where (select count(*) from subscribed_list where organization_id = @organization_id) < @most
			returning `+columns, args)
		if fault.KindOf(err) == fault.NotFound {
			return fault.New(fault.Unprocessable, "List limit reached: at most %d per organization", MaxLists)
		}
		if err != nil {
			return err
		}
		return record(ctx, tx, actor, l, "subscribed_list.created", l.audited())
	})
	if err != nil {
		return List{}, err
	}
	s.hub.Wake(Topic)
	return l, nil
}

// Update changes a list, which is fetched again soon. A fetch that is running has no effect. Another server needs the
// header again, because the stored one is not sent there. Errors: NotFound, Invalid.
func (s *Service) Update(ctx context.Context, actor account.Actor, id uuid.UUID, d Draft) (l List, err error) {
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		old, err := lock(ctx, tx, actor.OrganizationID, id)
		if err != nil {
			return err
		}
		keeps := old.HeaderName != "" && old.HeaderName == strings.TrimSpace(d.HeaderName) && d.HeaderValue == nil
		if err := s.check(&d, keeps); err != nil {
			return err
		}
		if keeps && sender.Origin(d.URL) != sender.Origin(old.URL) {
			return fault.Invalidf("header_value", "enter the value again because the server changed")
		}
		if old.same(d) && (d.HeaderValue == nil) {
			l = old
			return account.Unchanged(ctx)
		}
		args := d.args(actor.OrganizationID, id)
		args["header_value"], args["keeps"] = s.seal(actor.OrganizationID, id, d), keeps
		l, err = one(ctx, tx, `
			update subscribed_list
			set name = @name, url = @url, header_name = @header_name,
			    header_value = case when @keeps then header_value else @header_value end,
			    channels = @channels, every_hours = @every_hours, etag = '', last_modified = '', failures = 0,
			    last_error = null, last_error_at = null, shrunk = false, held_back = null, apply_anyway = false,
			    due_at = clock(), fetch_id = null, fetch_until = null
			where organization_id = @organization_id and id = @id
			returning `+columns, args)
		if err != nil {
			return err
		}
		return record(ctx, tx, actor, l, "subscribed_list.updated", l.audited())
	})
	if err != nil {
		return List{}, err
	}
	s.hub.Wake(Topic)
	return l, nil
}

func (l List) same(d Draft) bool {
	return l.Name == d.Name && l.URL == d.URL && l.HeaderName == d.HeaderName && l.EveryHours == d.EveryHours &&
		slices.Equal(l.Channels, d.Channels)
}

// FetchNow has a list fetched soon, even if its file has not changed. With anyway, which is for a list whose last file
// is held back, the file is applied even if it has far fewer numbers than before. Errors: NotFound, Conflict.
func (s *Service) FetchNow(ctx context.Context, actor account.Actor, id uuid.UUID, anyway bool) (l List, err error) {
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		l, err = one(ctx, tx, `
			update subscribed_list
			set due_at = clock(), etag = '', last_modified = '', apply_anyway = apply_anyway or @anyway,
			    fetch_id = null, fetch_until = null
			where organization_id = @organization_id and id = @id
			returning `+columns,
			pgx.NamedArgs{"organization_id": actor.OrganizationID, "id": id, "anyway": anyway})
		if err != nil {
			return err
		}
		if anyway && l.HeldBack == nil {
			return fault.Conflictf("No file of this list is held back")
		}
		return record(ctx, tx, actor, l, "subscribed_list.fetch_requested",
			map[string]any{"name": l.Name, "apply_anyway": anyway})
	})
	if err == nil {
		s.hub.Wake(Topic)
	}
	return l, err
}

// Remove deletes a list and its entries, and returns how many numbers left the do-not-call list. Errors: NotFound.
func (s *Service) Remove(ctx context.Context, actor account.Actor, id uuid.UUID) (removed int, err error) {
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		l, err := lock(ctx, tx, actor.OrganizationID, id)
		if err != nil {
			return err
		}
		removed, err = suppression.DropList(ctx, tx, actor.OrganizationID, id)
		if err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `delete from subscribed_list where organization_id = $1 and id = $2`,
			actor.OrganizationID, id); err != nil {
			return fmt.Errorf("remove a subscribed list: %w", err)
		}
		return record(ctx, tx, actor, l, "subscribed_list.removed",
			map[string]any{"name": l.Name, "removed": removed})
	})
	return removed, err
}

// Numbers counts the numbers of a list on the do-not-call list, and those that Remove would take off. Errors: NotFound.
func (s *Service) Numbers(ctx context.Context, organizationID, id uuid.UUID) (n suppression.NumbersOfList, err error) {
	if _, err := s.Get(ctx, organizationID, id); err != nil {
		return n, err
	}
	return suppression.CountNumbersOfList(ctx, s.pool, organizationID, id)
}

func record(
	ctx context.Context, tx pgx.Tx, actor account.Actor, l List, action string, data map[string]any,
) error {
	return account.Record(ctx, tx, actor, action, account.Object{Type: "subscribed_list", ID: l.ID}, data)
}

// one runs a statement that returns one list. Errors: NotFound, and Invalid for a name that is taken.
func one(ctx context.Context, db postgres.DB, sql string, args pgx.NamedArgs) (List, error) {
	l, err := postgres.CollectOne(ctx, db, pgx.RowToStructByName[List], sql, args)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return List{}, fault.NotFoundf("Subscribed list")
	case postgres.Constraint(err) == "subscribed_list_name":
		return List{}, fault.Invalidf("name", "is the name of another list")
	case err != nil:
		return List{}, fmt.Errorf("query a subscribed list: %w", err)
	}
	return l, nil
}

const ofID = ` from subscribed_list where organization_id = @organization_id and id = @id`

func lock(ctx context.Context, tx pgx.Tx, organizationID, id uuid.UUID) (List, error) {
	return one(ctx, tx, `select `+columns+ofID+` for update`,
		pgx.NamedArgs{"organization_id": organizationID, "id": id})
}

var byID = postgres.NewByID[List]("Subscribed list", `select `+columns+ofID)

// Get returns a list. Errors: NotFound.
func (s *Service) Get(ctx context.Context, organizationID, id uuid.UUID) (List, error) {
	return s.reader.Read(ctx, organizationID, id)
}

// Lists returns the lists of an organization, newest first. Errors: Invalid.
func (s *Service) Lists(ctx context.Context, organizationID uuid.UUID, r page.Request) (page.List[List], error) {
	return page.Read(ctx, s.pool, r, "list subscribed lists", `
		select `+columns+` from subscribed_list
		where organization_id = @organization_id and `+page.Where+`
		`+page.Order, pgx.NamedArgs{"organization_id": organizationID},
		func(l List) (time.Time, uuid.UUID) { return l.CreatedAt, l.ID })
}
