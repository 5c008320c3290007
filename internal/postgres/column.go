package postgres

import (
	"strings"

	"github.com/jackc/pgx/v5"
)

// Columns turns rows of Go into a table in a statement, with one array parameter per column, so that a statement with
// constant text reads any number of rows.
//
//	var priceColumns = postgres.NewColumns("p",
//		postgres.Column("id", "uuid", func(p *price) uuid.UUID { return p.id }),
//		postgres.Column("cents", "int", func(p *price) int { return p.cents }),
//	)
//
//	tx.Exec(ctx, `update item set cents = p.cents from `+priceColumns.Table()+` where item.id = p.id`,
//		priceColumns.Args(prices))
//
// One line defines a column's name, type and value, so that columns can't be mixed up.
type Columns[R any] struct {
	table   string
	columns []ColumnOf[R]
}

// ColumnOf is a column of rows of type R. Column makes it.
type ColumnOf[R any] struct {
	name   string
	kind   string
	values func(n int, row func(i int) *R) any
	arg    string
}

// Column makes a column of a PostgreSQL type. value returns the value in a row. A nil pointer becomes null.
func Column[R, V any](name, kind string, value func(*R) V) ColumnOf[R] {
	return ColumnOf[R]{name: name, kind: kind, values: func(n int, row func(i int) *R) any {
		values := make([]V, n)
		for i := range values {
			values[i] = value(row(i))
		}
		return values
	}}
}

// NewColumns defines a table with this alias and these columns.
func NewColumns[R any](alias string, columns ...ColumnOf[R]) Columns[R] {
	arrays, names := make([]string, len(columns)), make([]string, len(columns))
	for i := range columns {
		c := &columns[i]
		c.arg = alias + "_" + c.name
		arrays[i], names[i] = "@"+c.arg+"::"+c.kind+"[]", c.name
	}
	table := "unnest(" + strings.Join(arrays, ", ") + ") as " + alias + " (" + strings.Join(names, ", ") + ")"
	return Columns[R]{table: table, columns: columns}
}

// Table returns the SQL of the table, for use after from or join.
func (c Columns[R]) Table() string { return c.table }

// Args returns the parameters for a table with these rows. The caller may add its own parameters.
func (c Columns[R]) Args(rows []R) pgx.NamedArgs {
	return c.args(len(rows), func(i int) *R { return &rows[i] })
}

// ArgsOf is Args for pointers to rows.
func (c Columns[R]) ArgsOf(rows []*R) pgx.NamedArgs {
	return c.args(len(rows), func(i int) *R { return rows[i] })
}

func (c Columns[R]) args(n int, row func(i int) *R) pgx.NamedArgs {
	args := make(pgx.NamedArgs, len(c.columns)+8)
	for _, column := range c.columns {
		args[column.arg] = column.values(n, row)
	}
	return args
}

// OrNull returns nil, which becomes null, for the zero value.
func OrNull[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}

// Same reports whether two values that may be null are the same.
func Same[T comparable](a, b *T) bool {
	return a == b || a != nil && b != nil && *a == *b
}
