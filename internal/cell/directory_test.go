package cell_test

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/dialwright/dialwright/internal/cell"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/postgres/pgtest"
	"github.com/dialwright/dialwright/internal/seal"
)

func newVault(t *testing.T) *seal.Vault {
	t.Helper()
	v, err := seal.NewVault(make([]byte, seal.MasterKeySize))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func newDirectory(t *testing.T) *cell.Directory {
	t.Helper()
	d, err := cell.OpenDirectory(t.Context(), pgtest.NewEmpty(t).URL, newVault(t), true)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	return d
}

// inSchema returns the address of a schema of a database.
func inSchema(at, name string) string {
	if strings.Contains(at, "?") {
		return at + "&search_path=" + name
	}
	return at + "?search_path=" + name
}

// A schema is one cell. Adding it again only replaces its address, and another directory does not get it.
func TestASchemaIsOneCell(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	d, db := newDirectory(t), pgtest.NewEmpty(t)
	for i, name := range []string{"first", "second"} {
		added, err := d.Add(ctx, inSchema(db.URL, name))
		if err != nil || added.Number != i+1 || added.Known || added.State != cell.Open {
			t.Fatalf("cell %d: %+v, %v", i+1, added, err)
		}
	}
	moved := inSchema(db.URL, "first") + "&connect_timeout=9"
	if added, err := d.Add(ctx, moved); err != nil || added.Number != 1 || !added.Known {
		t.Errorf("the same schema again: %+v, %v", added, err)
	}
	if err := d.SetState(ctx, 2, cell.Draining); err != nil {
		t.Error(err)
	}
	cells, err := d.Cells(ctx)
	if err != nil || len(cells) != 2 || cells[0].URL != moved || cells[1].State != cell.Draining {
		t.Errorf("%+v, %v", cells, err)
	}
	if where := cells[0].Where(); strings.Contains(where, "@") || !strings.Contains(where, "schema first") {
		t.Errorf("it stands at %q", where)
	}
	if _, err := newDirectory(t).Add(ctx, moved); fault.KindOf(err) != fault.Conflict {
		t.Errorf("another directory: %v", err)
	}
	if err := d.SetState(ctx, 3, cell.Open); fault.KindOf(err) != fault.NotFound {
		t.Errorf("an unknown cell: %v", err)
	}
}

// Commands that add the same schema at the same moment make one cell of it.
func TestASchemaIsAddedOnce(t *testing.T) {
	t.Parallel()
	d, db := newDirectory(t), pgtest.NewEmpty(t)
	var added [4]cell.Added
	var failed [4]error
	var all sync.WaitGroup
	for i := range added {
		all.Go(func() { added[i], failed[i] = d.Add(t.Context(), db.URL) })
	}
	all.Wait()
	numbers := map[int]bool{}
	for i := range added {
		switch {
		case failed[i] == nil:
			numbers[added[i].Number] = true
		case fault.KindOf(failed[i]) != fault.Conflict:
			t.Error(failed[i])
		}
	}
	cells, err := d.Cells(t.Context())
	if err != nil || len(numbers) != 1 || len(cells) != 1 || !numbers[cells[0].Number] {
		t.Errorf("it is cells %v of %+v, %v", numbers, cells, err)
	}
}

// A wrong address in the directory is found before the cell is served.
func TestACellIsChecked(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	d, db := newDirectory(t), pgtest.New(t)
	added, err := d.Add(ctx, db.URL)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Check(ctx, db.Pool, added.Number); err != nil {
		t.Error(err)
	}
	if d.Check(ctx, db.Pool, added.Number+1) == nil || d.Check(ctx, pgtest.New(t).Pool, added.Number) == nil {
		t.Error("a wrong database passes")
	}
}

// The directory and a cell are not the same schema, in whatever order they are made.
func TestTheDirectoryIsNoCell(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	used := pgtest.New(t)
	if d, err := cell.OpenDirectory(ctx, used.URL, newVault(t), true); err == nil {
		d.Close()
		t.Error("a cell became the directory")
	} else if !strings.Contains(err.Error(), "give each its own") {
		t.Error(err)
	}
	empty := pgtest.NewEmpty(t)
	d, err := cell.OpenDirectory(ctx, empty.URL, newVault(t), true)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if err := postgres.Migrate(ctx, empty.URL); err == nil || !strings.Contains(err.Error(), "give each its own") {
		t.Errorf("the directory became a cell: %v", err)
	}
	if _, err := d.Add(ctx, inSchema(empty.URL, "Mixed")); fault.KindOf(err) != fault.Invalid {
		t.Errorf("a schema that needs quotes: %v", err)
	}
}

// One cell counts what is sent from a portfolio and its numbers, also if another does not know the portfolio.
func TestANumberIsCountedInOneCell(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	d := newDirectory(t)
	for range 2 {
		if _, err := d.Add(ctx, pgtest.New(t).URL); err != nil {
			t.Fatal(err)
		}
	}
	claim := func(number int, portfolio string, numbers ...string) fault.Kind {
		return fault.KindOf(d.Claim(ctx, number, portfolio, numbers))
	}
	var all sync.WaitGroup
	for i := range 20 { // every cell at the same moment, in any order
		numbers := []string{"n1", "n2", "n3"}
		if i%2 == 1 {
			slices.Reverse(numbers)
		}
		all.Go(func() { claim(1+i%2, "p1", numbers...) })
	}
	all.Wait()
	owner, other := 1, 2
	if err := d.Claim(ctx, owner, "p1", nil); err != nil {
		owner, other = 2, 1
	}
	if err := d.Claim(ctx, owner, "p1", []string{"n1", "n2", "n3"}); err != nil {
		t.Errorf("the claims are split: %v", err)
	}
	if claim(other, "", "n2") != fault.Conflict || claim(other, "p1", "n9") != fault.Conflict {
		t.Error("two cells count the same limit")
	}
	if err := d.Claim(ctx, owner, "", []string{"n9"}); err != nil {
		t.Errorf("a refused claim stays: %v", err)
	}
	if err := d.Claim(ctx, other, "p2", []string{"n4"}); err != nil {
		t.Error(err)
	}
}
