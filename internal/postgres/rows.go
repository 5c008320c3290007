package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"
)

// Collect runs a query and returns its rows, each converted by as, such as pgx.RowTo[string].
func Collect[T any](ctx context.Context, db DB, as pgx.RowToFunc[T], sql string, args ...any) ([]T, error) {
	rows, err := db.Query(ctx, sql, args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, as)
}

// CollectOne runs a query of exactly one row and returns that row. Errors: pgx.ErrNoRows, pgx.ErrTooManyRows.
func CollectOne[T any](ctx context.Context, db DB, as pgx.RowToFunc[T], sql string, args ...any) (T, error) {
	rows, err := db.Query(ctx, sql, args...)
	if err != nil {
		var none T
		return none, err
	}
	return pgx.CollectExactlyOneRow(rows, as)
}

// Each runs do for every row of a query, for at most atOnce rows at a time, and returns the number of rows and the
// first error. It is for queries that claim work: a row that waits for a carrier delays few others, and an error stops
// none of them. what says what the query does, for its errors.
func Each[T any](
	ctx context.Context, db DB, atOnce int, what, sql string, args pgx.NamedArgs, do func(T) error,
) (int, error) {
	claimed, err := Collect(ctx, db, pgx.RowToStructByName[T], sql, args)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", what, err)
	}
	var group errgroup.Group
	group.SetLimit(atOnce)
	for _, row := range claimed {
		group.Go(func() error { return do(row) })
	}
	return len(claimed), group.Wait()
}
