package postgres_test

import (
	"context"
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/postgres/pgtest"
)

type kind string

type line struct {
	ID    uuid.UUID
	Kind  kind
	Count int32
	Due   *time.Time
	Note  *string
	Body  []byte
	Size  *float32
	Done  bool
}

var lineTable = postgres.NewColumns("l",
	postgres.Column("id", "uuid", func(l *line) uuid.UUID { return l.ID }),
	postgres.Column("kind", "text", func(l *line) kind { return l.Kind }),
	postgres.Column("count", "int", func(l *line) int32 { return l.Count }),
	postgres.Column("due", "timestamptz", func(l *line) *time.Time { return l.Due }),
	postgres.Column("note", "text", func(l *line) *string { return l.Note }),
	postgres.Column("body", "bytea", func(l *line) []byte { return l.Body }),
	postgres.Column("size", "real", func(l *line) *float32 { return l.Size }),
	postgres.Column("done", "bool", func(l *line) bool { return l.Done }),
)

// Rows sent as columns come back unchanged and in the same order.
func TestColumnsAreTheRows(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	due := time.Date(2026, 11, 22, 9, 30, 0, 0, time.UTC)
	full := line{uuid.New(), "a", -1, &due, new("n\"{},\\"), []byte{0, 1}, new(float32(0.5)), true}
	lines := []line{full, {ID: uuid.New()}, {ID: uuid.New(), Kind: "null", Body: []byte{}}}
	for name, sent := range map[string][]line{"many": lines, "one": lines[1:2], "none": {}} {
		pointers := make([]*line, len(sent))
		for i := range sent {
			pointers[i] = &sent[i]
		}
		for _, args := range []pgx.NamedArgs{lineTable.Args(sent), lineTable.ArgsOf(pointers)} {
			rows, err := db.Pool.Query(t.Context(), `select * from `+lineTable.Table(), args)
			if err != nil {
				t.Fatal(err)
			}
			got, err := pgx.CollectRows(rows, pgx.RowToStructByName[line])
			for i := range got {
				if got[i].Due != nil {
					*got[i].Due = got[i].Due.UTC()
				}
			}
			if err != nil || len(got) != len(sent) || len(sent) > 0 && !reflect.DeepEqual(got, sent) {
				t.Errorf("%s: %+v, %v", name, got, err)
			}
		}
	}
}

// BenchmarkColumns compares Columns with arrays filled by hand.
func BenchmarkColumns(b *testing.B) {
	db := pgtest.New(b)
	for _, n := range []int{1, 100, 1000} {
		lines := make([]line, n)
		for i := range lines {
			lines[i] = line{
				uuid.New(), "a", int32(i), new(time.Now()), new("note"), []byte("body"), new(float32(i)), true,
			}
		}
		run := func(b *testing.B, name, sql string, args func() pgx.NamedArgs) {
			b.Run(fmt.Sprintf("%s/args/%d", name, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					_ = args()
				}
			})
			b.Run(fmt.Sprintf("%s/statement/%d", name, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, err := db.Pool.Exec(context.Background(), sql, args()); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
		run(b, "columns", `select count(l) from `+lineTable.Table(), func() pgx.NamedArgs {
			return lineTable.Args(lines)
		})
		run(b, "byhand", `
			select count(l) from unnest(@ids::uuid[], @kinds::text[], @counts::int[], @dues::timestamptz[],
				@notes::text[],
				@bodies::bytea[], @sizes::real[], @dones::bool[]) as l (id, kind, count, due, note, body, size, done)`,
			func() pgx.NamedArgs { return byHand(lines) })
	}
}

func byHand(lines []line) pgx.NamedArgs {
	n := len(lines)
	ids, kinds, counts := make([]uuid.UUID, n), make([]kind, n), make([]int32, n)
	dues, notes, bodies := make([]*time.Time, n), make([]*string, n), make([][]byte, n)
	sizes, dones := make([]*float32, n), make([]bool, n)
	for i := range lines {
		l := &lines[i]
		ids[i], kinds[i], counts[i], dues[i], notes[i] = l.ID, l.Kind, l.Count, l.Due, l.Note
		bodies[i], sizes[i], dones[i] = l.Body, l.Size, l.Done
	}
	return pgx.NamedArgs{
		"ids": ids, "kinds": kinds, "counts": counts, "dues": dues, "notes": notes,
		"bodies": bodies, "sizes": sizes, "dones": dones,
	}
}
