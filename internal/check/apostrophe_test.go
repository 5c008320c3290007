package check_test

import (
	"testing"

	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/postgres/pgtest"
)

// Go and SQL write the same apostrophes straight.
func TestStraightIsTheSameInSQL(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	const text = "O'Brien, O’Brien, ‘Oʼ`´′Brien’"
	var sql string
	if err := db.Pool.QueryRow(t.Context(), `select straight_apostrophes($1)`, text).Scan(&sql); err != nil {
		t.Fatal(err)
	}
	if got := check.Straight(text); got != sql || got != "O'Brien, O'Brien, 'O'`´′Brien'" {
		t.Errorf("Go: %s, SQL: %s", got, sql)
	}
}
