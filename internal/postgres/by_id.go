package postgres

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/dialwright/dialwright/internal/fault"
)

// ByID is a statement that finds a row of an organization by its ID. T is a struct with a field for each column.
type ByID[T any] struct {
	noun     string
	alone    string // the statement for one row
	gathered string // the statement for the rows of many questions
}

// NewByID makes a ByID of a statement with the arguments @organization_id and @id. noun names the row in errors, as in
// "Campaign". It panics if the statement has other arguments, so call it during package initialization.
func NewByID[T any](noun, sql string) ByID[T] {
	for _, m := range namedArgument.FindAllStringSubmatch(sql, -1) {
		if m[1] != "organization_id" && m[1] != "id" {
			panic("postgres: a statement by ID has the argument @" + m[1])
		}
	}
	alone := strings.NewReplacer("@organization_id", "$1", "@id", "$2")
	joined := strings.NewReplacer("@organization_id", "asked.organization_id", "@id", "asked.id")
	return ByID[T]{
		noun:  noun,
		alone: alone.Replace(sql),
		gathered: `
			select asked.n, found.*
			from unnest($1::uuid[], $2::uuid[]) with ordinality as asked (organization_id, id, n)
			cross join lateral (` + joined.Replace(sql) + `) found`,
	}
}

// Read reads a row, such as within a transaction. Errors: NotFound for an unknown or foreign ID.
func (b ByID[T]) Read(ctx context.Context, db DB, organizationID, id uuid.UUID) (T, error) {
	row, err := CollectOne(ctx, db, pgx.RowToStructByName[T], b.alone, organizationID, id)
	return row, b.fault(err, id)
}

func (b ByID[T]) fault(err error, id uuid.UUID) error {
	if errors.Is(err, pgx.ErrNoRows) {
		return fault.NotFoundf(b.noun)
	}
	if err != nil {
		return fmt.Errorf("read %s %s: %w", strings.ToLower(b.noun), id, err)
	}
	return nil
}

// Reader reads rows by ID for many goroutines. Reads that come while another is under way share a statement.
type Reader[T any] struct {
	by       ByID[T]
	gatherer *Gatherer[rowID, rowRead[T]]
}

type rowID struct{ organizationID, id uuid.UUID }

type rowRead[T any] struct {
	row T
	err error
}

// Reader returns a Reader of a pool. Make one per process.
func (b ByID[T]) Reader(pool DB) *Reader[T] {
	ask := func(ctx context.Context, ids []rowID, _ bool, answer func(int, rowRead[T])) error {
		return b.readAll(ctx, pool, ids, answer)
	}
	return &Reader[T]{by: b, gatherer: NewGatherer(readerHands, ask)}
}

// readerHands is the number of statements of a Reader at the same time.
const readerHands = 2

// Read reads a row. Errors: NotFound for an unknown or foreign ID.
func (r *Reader[T]) Read(ctx context.Context, organizationID, id uuid.UUID) (T, error) {
	read, err := r.gatherer.Ask(ctx, rowID{organizationID, id})
	if err == nil {
		err = read.err
	}
	return read.row, r.by.fault(err, id)
}

// readAll answers every question. A row that does not exist is an answer, too: pgx.ErrNoRows.
func (b ByID[T]) readAll(ctx context.Context, pool DB, asked []rowID, answer func(int, rowRead[T])) error {
	if len(asked) == 1 {
		row, err := CollectOne(ctx, pool, pgx.RowToStructByName[T], b.alone, asked[0].organizationID, asked[0].id)
		if err == nil || errors.Is(err, pgx.ErrNoRows) {
			answer(0, rowRead[T]{row, err})
			return nil
		}
		return err
	}
	organizationIDs, ids := make([]uuid.UUID, len(asked)), make([]uuid.UUID, len(asked))
	for i, a := range asked {
		organizationIDs[i], ids[i] = a.organizationID, a.id
		answer(i, rowRead[T]{err: pgx.ErrNoRows})
	}
	rows, err := pool.Query(ctx, b.gathered, organizationIDs, ids)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		row := numberedRow{rows, new(int)}
		read, err := pgx.RowToStructByName[T](row)
		if err != nil {
			return err
		}
		answer(*row.n-1, rowRead[T]{row: read})
	}
	return rows.Err()
}

// numberedRow hides the first column of a row, the number of its question.
type numberedRow struct {
	pgx.CollectableRow
	n *int
}

func (r numberedRow) FieldDescriptions() []pgconn.FieldDescription {
	return r.CollectableRow.FieldDescriptions()[1:]
}

func (r numberedRow) Scan(dest ...any) error {
	return r.CollectableRow.Scan(append([]any{r.n}, dest...)...)
}
