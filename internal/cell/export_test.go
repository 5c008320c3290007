package cell

import (
	"context"

	"github.com/dialwright/dialwright/internal/postgres"
)

// TablesThatMove returns the names of the tables that move, in the order in which they arrive.
func TablesThatMove(ctx context.Context, db postgres.DB) (names []string, err error) {
	tables, err := tablesOf(ctx, db)
	for _, t := range tables {
		names = append(names, t.name)
	}
	return names, err
}

// AwaitOthers and HolderName are for a test of what a move waits for.
var AwaitOthers = awaitOthers

const HolderName = holderName

// Taken returns the columns whose values a cell may have only once, as table.column.
func Taken() (names []string) {
	for _, one := range taken {
		names = append(names, one.table+"."+one.column)
	}
	return names
}

// UserColumns returns the columns that name users, as table.column.
func UserColumns(ctx context.Context, db postgres.DB) (names []string, err error) {
	references, err := userReferences(ctx, db)
	for _, r := range references {
		names = append(names, r[0]+"."+r[1])
	}
	return names, err
}
