// Package page owns how lists are cut: keyset pages, newest first, with an
// opaque cursor. Every list of the product uses it, never OFFSET.
//
// A domain package writes its list so:
//
//	func (s *Service) List(ctx context.Context, org uuid.UUID, p page.Request) (page.List[Thing], error) {
//		return page.Read(ctx, s.pool, p, "list things", `
//			select `+thingColumns+`
//			from thing
//			where organization_id = @organization_id
//			  and `+page.Where+`
//			`+page.Order, pgx.NamedArgs{"organization_id": org},
//			func(t Thing) (time.Time, uuid.UUID) { return t.CreatedAt, t.ID })
//	}
//
// and api answers page.Map(list, Resource), which marshals as the envelope
// {"data", "has_more", "next_cursor"}.
package page

import (
	"context"
	"crypto/hmac"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"github.com/dialwright/dialwright/internal/fault"
)

// Bounds of Request.Limit.
const (
	DefaultLimit = 25
	MaxLimit     = 100
)

// Request is which part of a list is wanted. The zero value is its first page.
type Request struct {
	Limit         int       // 1 to MaxLimit; 0 means DefaultLimit
	Cursor        string    // List.NextCursor of the page before; "" for the first
	CreatedAfter  time.Time // only what was created later than this; zero: no bound
	CreatedBefore time.Time // only what was created earlier than this; zero: no bound

	// Batch is Limit where the product itself walks a list to its end, and has
	// no bound: what is exported is read a thousand rows at a time. 0: Limit.
	Batch int

	// Forward walks from the oldest to the newest. Only a list that goes by its ids
	// alone, with WhereID and OrderID, may be asked for it.
	Forward bool

	// Tags ties cursors to where they were made: it gives the tags, of TagSize
	// bytes each, that a position has in this very list. The first is put into
	// the cursors that Cut makes, and one of them must be in Cursor. Nil: cursors
	// are bare, and good for any list.
	Tags func(position []byte) [][]byte
}

// TagSize is the length of a cursor's tag in bytes.
const TagSize = 16

// Where and Order are the SQL of a page. They are constant, so that a list is
// one prepared statement, and walk an index that ends in (created_at desc, id
// desc). With a join, make the listed table the only one that has these
// columns, by a subquery. A list whose order is that of its UUIDv7 ids alone
// uses WhereID and OrderID of its request.
const (
	Where = `(created_at, id) < (@page_at, @page_id) and created_at > @page_after and created_at < @page_before`
	Order = `order by created_at desc, id desc limit @page_limit`
)

// WhereID is Where for a list that goes by its ids.
func (r Request) WhereID() string {
	if r.Forward {
		return `id > @page_id`
	}
	return `id < @page_id`
}

// OrderID is Order for a list that goes by its ids.
func (r Request) OrderID() string {
	if r.Forward {
		return `order by id limit @page_limit`
	}
	return `order by id desc limit @page_limit`
}

// Check says what is malformed: its error is Invalid and names limit or cursor.
// Args checks too; it is for who has more to complain about. Whether the cursor
// belongs to this list is for CheckTag.
func (r Request) Check() error {
	var p fault.Problems
	if r.Limit < 0 || r.Limit > MaxLimit {
		p.Addf("limit", "must be between 1 and %d", MaxLimit)
	}
	if _, _, ok := decode(r.position()); !ok {
		p.Addf("cursor", "not a valid cursor")
	}
	return p.Err()
}

// CheckTag refuses a cursor that was made for another list, or by somebody else.
func (r Request) CheckTag() error {
	if r.Tags == nil || r.Cursor == "" {
		return nil
	}
	b, ok := unpacked(r.Cursor)
	if ok && len(b) == cursorSize+TagSize {
		for _, tag := range r.Tags(b[:cursorSize]) {
			if hmac.Equal(tag, b[cursorSize:]) {
				return nil
			}
		}
	}
	return fault.Invalidf("cursor", "not a valid cursor")
}

// position is the cursor without its tag.
func (r Request) position() string {
	if r.Tags == nil || r.Cursor == "" {
		return r.Cursor
	}
	b, ok := unpacked(r.Cursor)
	if !ok || len(b) != cursorSize+TagSize {
		return "-" // not a cursor
	}
	return base64.RawURLEncoding.EncodeToString(b[:cursorSize])
}

// Args adds the arguments of Where and Order. Errors: as Check.
func (r Request) Args(args pgx.NamedArgs) error {
	if err := r.Check(); err != nil {
		return err
	}
	if err := r.CheckTag(); err != nil {
		return err
	}
	at, id, _ := decode(r.position())
	if !r.CreatedBefore.IsZero() && (at.InfinityModifier == pgtype.Infinity || !at.Time.Before(r.CreatedBefore)) {
		// The bound is the position: an index is entered there, and not walked
		// from the newest row to it. The id stays what it is: WhereID goes by
		// it alone, and the rows of the bound itself are left out by Where.
		at = bound(r.CreatedBefore, pgtype.Infinity)
	}
	if r.Forward && r.Cursor == "" {
		id = uuid.Nil
	}
	args["page_limit"] = r.limit() + 1 // one more tells whether there is more
	args["page_at"], args["page_id"] = at, id
	args["page_after"] = bound(r.CreatedAfter, pgtype.NegativeInfinity)
	args["page_before"] = bound(r.CreatedBefore, pgtype.Infinity)
	return nil
}

func (r Request) limit() int {
	if r.Batch > 0 {
		return r.Batch
	}
	if r.Limit == 0 {
		return DefaultLimit
	}
	return r.Limit
}

func bound(t time.Time, none pgtype.InfinityModifier) pgtype.Timestamptz {
	if t.IsZero() {
		return pgtype.Timestamptz{InfinityModifier: none, Valid: true}
	}
	return pgtype.Timestamptz{Time: t, Valid: true}
}

// List is one page, and the envelope of every list the API answers.
type List[T any] struct {
	Data       []T     `json:"data"` // never nil, so that it marshals as []
	HasMore    bool    `json:"has_more"`
	NextCursor *string `json:"next_cursor"` // nil on the last page

	// LookedTo is how far back was looked by a list that gave up looking for more;
	// zero where none did.
	LookedTo time.Time `json:"-"`
}

// Stop makes a page one that looks no further, because that would take too long:
// the next goes on behind a row.
func (l *List[T]) Stop(r Request, at time.Time, id uuid.UUID) {
	next := r.Next(at, id)
	l.HasMore, l.NextCursor, l.LookedTo = true, &next, at
}

// Read reads one page of a list. The statement has Where and Order, and its columns are
// the fields of T. what says what is done, for errors that wrap it: "list projects".
// Errors: as Check.
func Read[T any](
	ctx context.Context, db Querier, r Request, what, sql string, args pgx.NamedArgs,
	key func(T) (time.Time, uuid.UUID),
) (List[T], error) {
	if err := r.Args(args); err != nil {
		return List[T]{}, err
	}
	rows, err := db.Query(ctx, sql, args)
	if err != nil {
		return List[T]{}, fmt.Errorf("%s: %w", what, err)
	}
	all, err := pgx.CollectRows(rows, pgx.RowToStructByName[T])
	if err != nil {
		return List[T]{}, fmt.Errorf("%s: %w", what, err)
	}
	return Cut(r, all, key), nil
}

// Querier is a pool, a connection or a transaction.
type Querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

// Cut makes a page of the rows that Where and Order gave. key is what the list
// is ordered by.
func Cut[T any](r Request, rows []T, key func(T) (time.Time, uuid.UUID)) List[T] {
	list := List[T]{Data: rows}
	if list.Data == nil {
		list.Data = []T{}
	}
	if n := r.limit(); len(rows) > n {
		list.Data, list.HasMore = rows[:n], true
		next := r.Next(key(rows[n-1]))
		list.NextCursor = &next
	}
	return list
}

// Map turns a page of one thing into the same page of another.
func Map[T, R any](l List[T], f func(T) R) List[R] {
	out := List[R]{Data: make([]R, len(l.Data)), HasMore: l.HasMore, NextCursor: l.NextCursor}
	for i, t := range l.Data {
		out.Data[i] = f(t)
	}
	return out
}

// A cursor is the position of the last row shown: milliseconds since 1970, as
// precise as the columns it is compared with, and the id; behind it a tag where
// the list asks for one. It grants nothing: whose rows are read is decided by
// the query.
const cursorSize = 8 + 16

// Next is the cursor of the page behind a row. Cut and Stop make those of lists.
func (r Request) Next(at time.Time, id uuid.UUID) string {
	b := position(at, id)
	if r.Tags != nil {
		b = append(b, r.Tags(b)[0]...)
	}
	return base64.RawURLEncoding.EncodeToString(b)
}

// Cursor is the bare position behind a row.
func Cursor(at time.Time, id uuid.UUID) string { return Request{}.Next(at, id) }

func position(at time.Time, id uuid.UUID) []byte {
	b := make([]byte, cursorSize, cursorSize+TagSize)
	binary.BigEndian.PutUint64(b[:8], uint64(at.UnixMilli()))
	copy(b[8:], id[:])
	return b
}

// unpacked are the bytes of a cursor. The decoder would skip line breaks, so
// that one cursor could be written in many ways.
func unpacked(cursor string) ([]byte, bool) {
	b, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	return b, err == nil && !strings.ContainsAny(cursor, "\r\n")
}

func decode(cursor string) (pgtype.Timestamptz, uuid.UUID, bool) {
	if cursor == "" {
		return bound(time.Time{}, pgtype.Infinity), uuid.Max, true
	}
	b, ok := unpacked(cursor)
	if !ok || len(b) != cursorSize {
		return pgtype.Timestamptz{}, uuid.Nil, false
	}
	ms := binary.BigEndian.Uint64(b[:8])
	if ms > math.MaxInt64/1_000_000 { // beyond what PostgreSQL can hold; never one of ours
		return pgtype.Timestamptz{}, uuid.Nil, false
	}
	return pgtype.Timestamptz{Time: time.UnixMilli(int64(ms)), Valid: true}, uuid.UUID(b[8:]), true
}
