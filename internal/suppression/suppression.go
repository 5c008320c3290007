// Package suppression owns the do-not-call list: the numbers that an organization must
// not call or write to. The list is checked when recipients are imported and again right
// before each call and message.
package suppression

import (
	"cmp"
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
	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/internal/postgres"
)

// Channel is a way to reach a person. Each channel has its own list.
type Channel string

const (
	Voice   Channel = "voice"
	Message Channel = "message"
)

// Source is the origin of an entry.
type Source string

const (
	ByCall        Source = "call"         // requested during a call
	ByDeceased    Source = "deceased"     // the recipient has died, as said on a call
	ByWrongPerson Source = "wrong_person" // the number belongs to somebody else, as said on a call
	ByCampaign    Source = "campaign"     // a campaign's action for another intent of a call
	ByUser        Source = "user"         // added in the dashboard
	ByAPI         Source = "api"          // added by an integration
	ByImport      Source = "import"       // imported from a file
	ByMessage     Source = "message"      // requested in a message or in the messaging app
	ByErasure     Source = "erasure"      // added by an erasure
)

// Channels and Sources list all values.
var (
	Channels = []Channel{Voice, Message}
	Sources  = []Source{
		ByCall, ByDeceased, ByWrongPerson, ByCampaign, ByUser, ByAPI, ByImport, ByMessage, ByErasure,
	}
)

// Entry is one number that must not be reached on one channel.
type Entry struct {
	ID          uuid.UUID
	Channel     Channel
	PhoneNumber phone.Number // empty when Erased
	Erased      bool         // the person was erased: only a hash of the number is kept
	Source      Source
	Note        string
	CallID      *uuid.UUID // the call that led to the entry
	ListID      *uuid.UUID // the subscribed list that the entry comes from, which may also remove it
	ListName    string
	AlsoIn      []string // the names of the other subscribed lists that have the number
	CreatedBy   string   // the name of the user or key that added it
	CreatedAt   time.Time
}

const entryColumns = `id, channel, coalesce(phone_number, '') as phone_number, number_hash is not null as erased,
	source, note, call_id, list_id,
	coalesce((select l.name from subscribed_list l where l.id = list_id), '') as list_name,
	array(select l.name from subscribed_list l where l.id = any(also_in) order by l.name) as also_in, created_by,
	created_at`

// maxNote bounds a note, in characters.
const maxNote = 500

// NewEntry is a number to add.
type NewEntry struct {
	Channel     Channel      `json:"channel"` // empty means Voice
	PhoneNumber phone.Number `json:"phone_number"`
	Source      Source       `json:"-"`
	Note        string       `json:"note"` // at most 500 characters
	CallID      *uuid.UUID   `json:"-"`    // with the sources of AddFromCall
}

// Check normalizes the entry and reports what is wrong with it. Errors: Invalid.
func (n *NewEntry) Check() error {
	var p fault.Problems
	if n.Channel == "" {
		n.Channel = Voice
	}
	if n.Channel != Voice && n.Channel != Message {
		p.Addf("channel", "must be voice or message")
	}
	if number, err := phone.Parse(strings.TrimSpace(n.PhoneNumber.String())); err != nil {
		p.Addf("phone_number", "%s", err)
	} else {
		n.PhoneNumber = number
	}
	if n.Source == ByErasure || !slices.Contains(Sources, n.Source) {
		p.Addf("source", "is not the source of a new entry")
	}
	check.Text(&p, "note", &n.Note, maxNote)
	return p.Err()
}

// Service owns the do-not-call list. Make it with New. It is safe for concurrent use.
type Service struct {
	pool   *pgxpool.Pool
	hub    *postgres.Hub
	reader *postgres.Reader[Entry]
}

// Topic is woken when numbers may have been added to the list. Whoever adds one in a transaction wakes it after the
// commit.
const Topic = "do_not_call"

// Options are the dependencies of the service.
type Options struct {
	Pool *pgxpool.Pool
	Hub  *postgres.Hub // wakes what cancels the scheduled calls to added numbers; nil: a hub that nothing listens to
}

// New makes the service.
func New(o Options) *Service {
	return &Service{pool: o.Pool, hub: cmp.Or(o.Hub, postgres.LocalHub()), reader: byID.Reader(o.Pool)}
}

// Add puts a number on the list. If the number is already on it, the entry stays
// unchanged and added is false. An entry of a subscribed list becomes a new entry of the
// actor, which the list no longer removes, and added is true. Errors: Invalid.
func (s *Service) Add(ctx context.Context, actor account.Actor, n NewEntry) (entry Entry, added bool, err error) {
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		entry, added, err = Add(ctx, tx, actor, n)
		return err
	})
	if added {
		s.hub.Wake(Topic)
	}
	return entry, added, err
}

// AddOn puts a number on the lists of channels, on all of them or on none. added is false if it is on all of them
// already. Errors: Invalid.
func (s *Service) AddOn(
	ctx context.Context, actor account.Actor, n NewEntry, channels ...Channel,
) (added bool, err error) {
	ordered := slices.Sorted(slices.Values(channels)) // the order of a batch, so that neither waits for the other
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		added = false
		for _, n.Channel = range ordered {
			_, fresh, err := Add(ctx, tx, actor, n)
			if err != nil {
				return err
			}
			added = added || fresh
		}
		return nil
	})
	if err != nil {
		return false, err
	}
	if added {
		s.hub.Wake(Topic)
	}
	return added, nil
}

// Add is Service.Add in the caller's transaction. Use it for an opt-out, which must be on
// the list when the turn that requests it is stored.
func Add(ctx context.Context, tx pgx.Tx, actor account.Actor, n NewEntry) (entry Entry, added bool, err error) {
	if err := n.Check(); err != nil {
		return Entry{}, false, err
	}
	// The update changes only an entry of a subscribed list. It returns an existing entry and
	// waits for a transaction that is adding or removing it.
	id := uuid.Must(uuid.NewV7())
	entry, err = one(ctx, tx, `
		with erased as materialized (
			select `+entryColumns+` from do_not_call
			where organization_id = @organization_id and channel = @channel
				and number_hash = @hash
		), put as (
			insert into do_not_call as d
				(id, organization_id, channel, phone_number, source, note, call_id, created_by)
			select @id, @organization_id, @channel, @phone_number, @source, @note, @call_id::uuid, @created_by
			where not exists (select from erased)
			on conflict on constraint do_not_call_unique do update set
				id = case when d.list_id is null then d.id else excluded.id end,
				source = case when d.list_id is null then d.source else excluded.source end,
				note = case when d.list_id is null then d.note else excluded.note end,
				call_id = case when d.list_id is null then d.call_id else excluded.call_id end,
				created_by = case when d.list_id is null then d.created_by else excluded.created_by end,
				created_at = case when d.list_id is null then d.created_at else excluded.created_at end,
				list_id = null,
				also_in = case when d.list_id is null then d.also_in else array_append(d.also_in, d.list_id) end
			returning `+entryColumns+`)
		select * from erased union all select * from put`, pgx.NamedArgs{
		"id": id, "organization_id": actor.OrganizationID, "channel": n.Channel, "phone_number": n.PhoneNumber,
		"source": n.Source, "note": n.Note, "call_id": n.CallID, "created_by": actor.Name,
		"hash": HashOf(actor.OrganizationID, n.PhoneNumber),
	})
	if err != nil || entry.ID != id {
		return entry, false, err
	}
	err = account.Record(ctx, tx, actor, "do_not_call.added", account.Object{
		Type: "do_not_call", ID: id,
	}, map[string]any{
		"channel": n.Channel, "ends_in": LastDigits(n.PhoneNumber), "source": n.Source, "call_id": n.CallID,
	})
	return entry, true, err
}

// AddFromCall puts the number of a call on the lists of channels, in the caller's transaction. Give
// the channels in the order of a batch, message before voice. note says what source does not. added is
// false if the number is on all of the lists already.
func AddFromCall(
	ctx context.Context, tx pgx.Tx, organizationID, callID uuid.UUID, number phone.Number, source Source,
	note string, channels ...Channel,
) (added bool, err error) {
	for _, channel := range channels {
		_, fresh, err := Add(ctx, tx, account.System(organizationID), NewEntry{
			Channel:     channel,
			PhoneNumber: number,
			Source:      source,
			Note:        note,
			CallID:      &callID,
		})
		if err != nil {
			return false, fmt.Errorf("add the number of call %s to the do-not-call list: %w", callID, err)
		}
		added = added || fresh
	}
	return added, nil
}

func one(ctx context.Context, db postgres.DB, sql string, args pgx.NamedArgs) (Entry, error) {
	e, err := postgres.CollectOne(ctx, db, pgx.RowToStructByName[Entry], sql, args)
	if errors.Is(err, pgx.ErrNoRows) {
		return Entry{}, fault.NotFoundf("Do-not-call entry")
	}
	if err != nil {
		return Entry{}, fmt.Errorf("query the do-not-call list: %w", err)
	}
	return e, nil
}

var byID = postgres.NewByID[Entry]("Do-not-call entry", `
	select `+entryColumns+` from do_not_call where organization_id = @organization_id and id = @id`)

// Entry returns an entry. Errors: NotFound.
func (s *Service) Entry(ctx context.Context, organizationID, id uuid.UUID) (Entry, error) {
	return s.reader.Read(ctx, organizationID, id)
}

// Listed returns the numbers that are on an organization's list, in one query for any
// number of them. The check right before dialing finds numbers that are added later.
func Listed(
	ctx context.Context, db postgres.DB, organizationID uuid.UUID, channel Channel, numbers []phone.Number,
) (map[phone.Number]struct{}, error) {
	// The row without a number says that the list has erased numbers. Only then are the numbers hashed.
	found, err := postgres.Collect(ctx, db, pgx.RowTo[*phone.Number], `
		select phone_number from do_not_call
		where organization_id = @organization_id and channel = @channel and phone_number = any(@numbers::text[])
		union all
		select null where `+HasErased("@organization_id"),
		pgx.NamedArgs{"organization_id": organizationID, "channel": channel, "numbers": numbers})
	if err != nil {
		return nil, fmt.Errorf("look into the do-not-call list: %w", err)
	}
	listed := map[phone.Number]struct{}{}
	var hashes []Hashed
	for _, number := range found {
		if number != nil {
			listed[*number] = struct{}{}
			continue
		}
		hashes = make([]Hashed, len(numbers))
		for i, n := range numbers {
			hashes[i] = HashOf(organizationID, n)
		}
	}
	erased, err := erasedOf(ctx, db, channel, hashes)
	if err != nil {
		return nil, err
	}
	for h := range erased {
		listed[h.number] = struct{}{}
	}
	return listed, nil
}

// Blocks returns a condition of SQL: a number is on the list of an organization. The
// arguments are SQL too, except the channel; hash is that of the number, a Hashed. Every
// statement that decides whether a person is reached uses this condition, never an earlier
// read. "offset 0" makes PostgreSQL look each number up. Without it, PostgreSQL may read the
// whole list into a hash for a statement that returns only the first of many rows.
func Blocks(channel Channel, organizationID, number, hash string) string {
	return `(` + Names(channel, organizationID, number) + `
		or ` + entryOf(channel, organizationID) + `dnc.number_hash = ` + hash + ` offset 0))`
}

func entryOf(channel Channel, organizationID string) string {
	return `exists (select from do_not_call dnc
		where dnc.organization_id = ` + organizationID + ` and dnc.channel = '` + string(channel) + `' and `
}

// LastDigits returns the last two digits of a number. The audit log contains no more,
// because it outlives the erasure of a person.
func LastDigits(number phone.Number) string { return string(number[max(len(number)-2, 0):]) }
