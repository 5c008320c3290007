package postgres_test

import (
	"context"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/postgres/pgtest"
)

type thing struct {
	ID    uuid.UUID
	Name  string
	Parts []string
}

var thingByID = postgres.NewByID[thing]("Thing", `
	select t.id, t.name, p.parts from thing t
	cross join lateral (select array_agg(part.name order by part.name) as parts from part where part.thing_id = t.id) p
	where t.organization_id = @organization_id and t.id = @id`)

// Reads that share statements get their own rows, and only those of their organization.
func TestReadersReadTheirOwnRows(t *testing.T) {
	t.Parallel()
	db, ctx := pgtest.NewEmpty(t), t.Context()
	exec := func(sql string, args ...any) {
		t.Helper()
		if _, err := db.Pool.Exec(ctx, sql, args...); err != nil {
			t.Fatal(err)
		}
	}
	exec(`create table thing (id uuid primary key, organization_id uuid not null, name text)`)
	exec(`create table part (thing_id uuid references thing, name text)`)
	ours, theirs := uuid.New(), uuid.New()
	ids := make([]uuid.UUID, 100)
	for i := range ids {
		ids[i] = uuid.New()
		organization := ours
		if i%4 == 1 {
			organization = theirs
		}
		var name *string // a name that is null does not fit the struct
		if text := ids[i].String(); i%4 != 2 {
			name = &text
		}
		exec(`insert into thing values ($1, $2, $3)`, ids[i], organization, name)
		exec(`insert into part values ($1, 'a'), ($1, $2)`, ids[i], ids[i].String())
	}
	check := func(i int, read func(context.Context, uuid.UUID, uuid.UUID) (thing, error)) {
		got, err := read(ctx, ours, ids[i])
		switch {
		case i%4 == 1:
			if fault.KindOf(err) != fault.NotFound || err.Error() != "Thing not found" || got.Name != "" {
				t.Errorf("a foreign row: %v, %v", got, err)
			}
		case i%4 == 2:
			if err == nil || !strings.Contains(err.Error(), "read thing "+ids[i].String()) {
				t.Errorf("a row that does not fit: %v", err)
			}
		case err != nil || got.ID != ids[i] || got.Name != ids[i].String() || len(got.Parts) != 2:
			t.Errorf("%v, %v", got, err)
		}
	}
	reader := thingByID.Reader(db.Pool)
	var group sync.WaitGroup
	for range 5 {
		for i := range ids {
			group.Go(func() { check(i, reader.Read) })
		}
	}
	group.Wait()
	for i := range 8 {
		check(i, func(ctx context.Context, organizationID, id uuid.UUID) (thing, error) {
			return thingByID.Read(ctx, db.Pool, organizationID, id)
		})
	}
}

func TestAStatementByIDHasNoOtherArguments(t *testing.T) {
	t.Parallel()
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	postgres.NewByID[thing]("Thing", `select * from thing where id = @id and name = @name`)
}
