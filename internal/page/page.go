// Package page splits lists into keyset pages, newest first, with an opaque cursor. Every
// list of the product uses it, never OFFSET.
//
// A domain package writes a list like this:
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
// The api package answers with page.Map(list, Resource), which marshals as the envelope
// {"data", "has_more", "next_cursor"}.
package page

import (
	"bytes"
	"context"
	"crypto/hmac"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"iter"
	"math"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"github.com/dialwright/dialwright/internal/fault"
)

// Values of Request.Limit.
const (
	DefaultLimit = 25
	ShownLimit   = 100  // the most that a page of the dashboard shows of a list
	MaxLimit     = 1000 // the most that the API answers at once
)

// Request selects a part of a list. The zero value selects the first page.
type Request struct {
	Limit         int       // 1 to MaxLimit; 0 means DefaultLimit
	Cursor        string    // List.NextCursor of the previous page; "" for the first page
	CreatedAfter  time.Time // only rows created after this time; zero: no bound
	CreatedBefore time.Time // only rows created before this time; zero: no bound

	// Batch replaces Limit, without its bound, where the product reads a list to its end:
	// an export reads 1,000 rows at a time. 0 means Limit.
	Batch int

	// Forward reads from the oldest row to the newest. It requires a list that is ordered
	// by ID alone, with WhereID and OrderID.
	Forward bool

	// Tags ties cursors to their list. It returns the tags of a position in this list,
	// each of TagSize bytes. Next puts the first tag into a cursor. CheckTag accepts a
	// Cursor with any of the tags. If Tags is nil, cursors have no tag and are valid for
	// any list.
	Tags func(position []byte) [][]byte
}

// TagSize is the length of a cursor's tag in bytes.
const TagSize = 16

// Where and Order are the SQL of a page. They are constant, so a list is one prepared
// statement. They read an index that ends in (created_at desc, id desc). In a query with
// a join, use a subquery so that only the listed table has these columns. A list that is
// ordered by UUIDv7 ID alone uses Request.WhereID and Request.OrderID.
const (
	Where = `(created_at, id) < (@page_at, @page_id) and created_at > @page_after and created_at < @page_before`
	Order = `order by created_at desc, id desc limit @page_limit`
)

// OrderDue is the order of a page of what is still to come, the earliest first. With Request.WhereDue, it reads an
// index that ends in (due_at, id). The arguments come from DueArgs.
const OrderDue = `order by due_at, id limit @page_limit`

// WhereDue is Where for a list in the order of OrderDue. It has no condition that holds for each row: PostgreSQL would
// expect few rows between two times that it does not know, and sort all that an index on created_at finds.
func (r Request) WhereDue() string {
	where := `(due_at, id) > (@page_at, @page_id)`
	if !r.CreatedAfter.IsZero() || !r.CreatedBefore.IsZero() {
		where += ` and created_at > @page_after and created_at < @page_before`
	}
	return where
}

// WhereID is Where for a list that is ordered by ID alone.
func (r Request) WhereID() string {
	if r.Forward {
		return `id > @page_id`
	}
	return `id < @page_id`
}

// OrderID is Order for a list that is ordered by ID alone.
func (r Request) OrderID() string {
	if r.Forward {
		return `order by id limit @page_limit`
	}
	return `order by id desc limit @page_limit`
}

// Check validates the limit and the cursor. Its error is Invalid and names limit or
// cursor. Args includes this check. Call Check to report these problems together with
// other problems. CheckTag checks whether the cursor belongs to this list.
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

// CheckTag refuses a cursor that was made for another list or was not made by the
// product.
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

// position returns the cursor without its tag.
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
		// The bound becomes the position, so PostgreSQL enters the index there and does
		// not read from the newest row to it. The ID stays unchanged, because WhereID
		// compares only the ID. Where excludes the rows at the bound itself.
		at = bound(r.CreatedBefore, pgtype.Infinity)
	}
	if r.Forward && r.Cursor == "" {
		id = uuid.Nil
	}
	args["page_limit"] = r.limit() + 1 // the extra row shows whether another page follows
	args["page_at"], args["page_id"] = at, id
	args["page_after"] = bound(r.CreatedAfter, pgtype.NegativeInfinity)
	args["page_before"] = bound(r.CreatedBefore, pgtype.Infinity)
	return nil
}

// DueArgs adds the arguments of WhereDue and OrderDue. Errors: as Check.
func (r Request) DueArgs(args pgx.NamedArgs) error {
	if err := r.Args(args); err != nil {
		return err
	}
	// The bounds are times of creation, so they are no position in this list.
	args["page_at"] = pgtype.Timestamptz{InfinityModifier: pgtype.NegativeInfinity, Valid: true}
	args["page_id"] = uuid.Nil
	if r.Cursor != "" {
		at, id, _ := decode(r.position())
		args["page_at"], args["page_id"] = at, id
	}
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

// List is one page of a list, and the envelope of every list in API answers.
type List[T any] struct {
	Data       []T     `json:"data"` // never nil, so that it marshals as []
	HasMore    bool    `json:"has_more"`
	NextCursor *string `json:"next_cursor"` // nil on the last page

	// LookedTo is the time down to which a list was searched before Stop ended the
	// search; zero if Stop was not called.
	LookedTo time.Time `json:"-"`
}

// Stop makes l the page of a search that ended early, because it would take too long. The
// next page continues after the row with this time and ID.
func (l *List[T]) Stop(r Request, at time.Time, id uuid.UUID) {
	next := r.Next(at, id)
	l.HasMore, l.NextCursor, l.LookedTo = true, &next, at
}

// Read reads one page of a list. The statement contains Where and Order, and its columns
// are the fields of T. what names the action in errors: "list projects". Errors: as
// Check.
func Read[T any](
	ctx context.Context, db Querier, r Request, what, sql string, args pgx.NamedArgs,
	key func(T) (time.Time, uuid.UUID),
) (List[T], error) {
	if err := r.Args(args); err != nil {
		return List[T]{}, err
	}
	options := []any{args}
	if args[planned] != nil {
		options = []any{pgx.QueryExecModeCacheDescribe, args} // an unnamed statement is planned with its values
	}
	rows, err := db.Query(ctx, sql, options...)
	if err != nil {
		return List[T]{}, fmt.Errorf("%s: %w", what, err)
	}
	all, err := pgx.CollectRows(rows, pgx.RowToStructByName[T])
	if err != nil {
		return List[T]{}, fmt.Errorf("%s: %w", what, err)
	}
	return Cut(r, all, key), nil
}

// planned is the argument that tells Read to have a statement planned each time. No statement uses it.
const planned = "page_planned"

// Querier is a pool, a connection or a transaction.
type Querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

// Cut makes a page from the rows of a query with Where and Order. key returns the columns
// by which the list is ordered.
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

// Map converts each item of a page.
func Map[T, R any](l List[T], f func(T) R) List[R] {
	out := List[R]{Data: make([]R, len(l.Data)), HasMore: l.HasMore, NextCursor: l.NextCursor}
	for i, t := range l.Data {
		out.Data[i] = f(t)
	}
	return out
}

// All reads a list to its end, page by page, and converts each item. Between two pages it
// occupies no transaction and no connection, so a slow reader does no harm. It ignores
// r's Cursor and Tags. Its first error ends it.
func All[T, R any](r Request, read func(Request) (List[T], error), convert func(T) (R, error)) iter.Seq2[R, error] {
	return func(yield func(R, error) bool) {
		r := r
		r.Cursor, r.Tags = "", nil
		for {
			list, err := read(r)
			if err != nil {
				var none R
				yield(none, err)
				return
			}
			for _, t := range list.Data {
				if item, err := convert(t); !yield(item, err) || err != nil {
					return
				}
			}
			if list.NextCursor == nil {
				return
			}
			r.Cursor = *list.NextCursor
		}
	}
}

// collected is how many rows Collect reads at a time.
const collected = 1000

// Collect reads a list to its end. It is for lists that people set up by hand, such as the choices of a form.
func Collect[T any](
	ctx context.Context, organizationID uuid.UUID,
	list func(context.Context, uuid.UUID, Request) (List[T], error),
) ([]T, error) {
	var all []T
	read := func(r Request) (List[T], error) { return list(ctx, organizationID, r) }
	for t, err := range All(Request{Batch: collected}, read, func(t T) (T, error) { return t, nil }) {
		if err != nil {
			return nil, err
		}
		all = append(all, t)
	}
	return all, nil
}

// IDs returns an ID of each row of a page, in their order, as a statement about all of them takes it.
func IDs[T any](rows []T, id func(T) uuid.UUID) []uuid.UUID {
	ids := make([]uuid.UUID, len(rows)) // never null
	for i, row := range rows {
		ids[i] = id(row)
	}
	return ids
}

// A cursor is the position of the last row shown: milliseconds since 1970, as precise as
// the columns it is compared with, and the ID. If the list uses tags, a tag follows. A
// cursor grants no access, because the query decides whose rows are read.
const cursorSize = 8 + 16

// Next returns the cursor of the page after a row. Cut and Stop call it.
func (r Request) Next(at time.Time, id uuid.UUID) string {
	b := position(at, id)
	if r.Tags != nil {
		b = append(b, r.Tags(b)[0]...)
	}
	return base64.RawURLEncoding.EncodeToString(b)
}

// Cursor returns the cursor of the page after a row, without a tag.
func Cursor(at time.Time, id uuid.UUID) string { return Request{}.Next(at, id) }

// Precedes reports whether a row comes before the position of a cursor that this Request made, in a list with the
// newest row first.
func (r Request) Precedes(cursor string, at time.Time, id uuid.UUID) bool {
	r.Cursor = cursor
	mark, markID, ok := decode(r.position())
	if !ok {
		return false
	}
	return at.After(mark.Time) || at.Equal(mark.Time) && bytes.Compare(id[:], markID[:]) > 0
}

// Numbered returns the position of the cursor in a list that is ordered by a number and an ID.
func (r Request) Numbered() (number int64, id uuid.UUID) {
	at, id, _ := decode(r.position())
	return at.Time.UnixMilli(), id
}

// NextNumbered is Next for a list that is ordered by a number and an ID.
func (r Request) NextNumbered(number int64, id uuid.UUID) string {
	return r.Next(time.UnixMilli(number), id)
}

// Size returns how many rows a page has at most.
func (r Request) Size() int { return r.limit() }

func position(at time.Time, id uuid.UUID) []byte {
	b := make([]byte, cursorSize, cursorSize+TagSize)
	binary.BigEndian.PutUint64(b[:8], uint64(at.UnixMilli()))
	copy(b[8:], id[:])
	return b
}

// unpacked decodes a cursor. It refuses line breaks, which the decoder would skip, so
// that each cursor has one spelling.
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
	if ms > math.MaxInt64/1_000_000 { // outside PostgreSQL's range, so the product did not make this cursor
		return pgtype.Timestamptz{}, uuid.Nil, false
	}
	return pgtype.Timestamptz{Time: time.UnixMilli(int64(ms)), Valid: true}, uuid.UUID(b[8:]), true
}
