package cell

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/postgres"
)

// A table with a column organization_id moves with its organization. The rules below are about all other tables. A
// schema with a table that has no rule can't be moved.

// link says that rows of a table move with rows of another one.
type link struct{ table, column, parent, parentColumn string }

// links are the tables whose rows belong to rows of an organization.
var links = []link{
	{"api_key_use", "api_key_id", "api_key", "id"},
	{"call_line_former", "call_id", "call_line", "call_id"},
	{"call_sound_part", "call_id", "call_sound", "call_id"},
	{"delivery_attempt", "delivery_id", "delivery", "id"},
	{"delivery_due", "webhook_id", "webhook", "id"},
	{"messaging_window", "number_id", "messaging_number", "id"},
	{"upload_piece", "upload_id", "upload", "id"},
	{"webhook_day", "webhook_id", "webhook", "id"},
}

// shared are the tables whose rows several organizations may use, with the rows that organizations use. The other cell
// gets a copy, and a row leaves only if nobody in this cell uses it any more. The parents must have left.
var shared = map[string]string{
	"app_user":      `id in (select user_id from %[1]s.membership)`,
	"second_factor": `user_id in (select user_id from %[1]s.membership)`,
	"recovery_code": `user_id in (select user_id from %[1]s.membership)`,
	"messaging_scope": `id in (select scope_id from %[1]s.messaging_number
		union select scope_id from %[1]s.message)`,
	"messaging_ledger": `scope_id in (select scope_id from %[1]s.messaging_number
		union select scope_id from %[1]s.message)`,
}

// ended are the tables with rows that end when their organization leaves: people sign in again and ask for another link
// to a new password, because both were given to them for the other cell.
var ended = []string{"user_session", "password_reset"}

// staying are the tables that belong to a cell or to its processes, and not to an organization.
var staying = []string{
	"call_search_backlog", "cell_mark", "instance", "number_key", "organization_move", "organization_move_trace",
	"schema_migrations", "schema_support", "sessions", "setup_code", "sign_in_failure", "single_sign_on_use",
	"task_lease",
}

// userColumns name users without a foreign key, so that an entry survives its user.
var userColumns = [][2]string{{"audit_entry", "actor_id"}, {"alert", "user_id"}}

// table is a table whose rows move.
type table struct {
	name    string
	columns []string // those that an insert may set
	own     bool     // it has organization_id
	parents []parent
	reset   []string // columns that complete a circle of references; an insert leaves them null at first
	keys    []string // of the primary key
}

// parent is a table that must be there before.
type parent struct {
	table    string
	nullable []string // columns of the reference that may be null
	foreign  bool     // the reference is a foreign key
}

func (t *table) list() string { return quoted(t.columns, "") }

func quoted(columns []string, of string) string {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = of + pgx.Identifier{c}.Sanitize()
	}
	return strings.Join(names, ", ")
}

// tablesOf returns the tables of a schema whose rows move, each after those that it refers to. It fails if it does not
// know what to do with a table.
func tablesOf(ctx context.Context, db postgres.DB) ([]*table, error) {
	type row struct {
		Name    string
		Columns []string
		Own     bool
		Keys    []string
	}
	rows, err := postgres.Collect(ctx, db, pgx.RowToStructByPos[row], `
		select c.relname,
			array(select attname::text from pg_attribute a where a.attrelid = c.oid and attnum > 0
				and not attisdropped and attgenerated = '' order by attnum),
			exists (select from pg_attribute a where a.attrelid = c.oid and attname = 'organization_id'
				and not attisdropped),
			array(select attname::text from pg_index i join pg_attribute a on a.attrelid = c.oid
				and a.attnum = any(i.indkey) where i.indrelid = c.oid and i.indisprimary)
		from pg_class c
		where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition
		order by relname`)
	if err != nil {
		return nil, fmt.Errorf("read the tables of a cell: %w", err)
	}
	byName := map[string]*table{}
	for _, r := range rows {
		if slices.Contains(staying, r.Name) || slices.Contains(ended, r.Name) {
			continue
		}
		linked := slices.ContainsFunc(links, func(l link) bool { return l.table == r.Name })
		if _, some := shared[r.Name]; !r.Own && !linked && !some && r.Name != "organization" {
			return nil, fmt.Errorf("the table %s has no rule for moving an organization", r.Name)
		}
		byName[r.Name] = &table{name: r.Name, columns: r.Columns, own: r.Own, keys: r.Keys}
	}
	if err := readParents(ctx, db, byName); err != nil {
		return nil, err
	}
	return inOrder(byName)
}

// tablesIn returns those of the tables, with those of their columns, that a schema of rows on their way has. It lacks
// what an upgrade has added since it was made.
func tablesIn(ctx context.Context, db postgres.DB, schema string, tables []*table) ([]*table, error) {
	type row struct {
		Name    string
		Columns []string
	}
	rows, err := postgres.Collect(ctx, db, pgx.RowToStructByPos[row], `
		select c.relname, array_agg(attname::text)
		from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
		where n.nspname = $1 and relkind = 'r' and attnum > 0 and not attisdropped
		group by 1`, schema)
	if err != nil {
		return nil, fmt.Errorf("read the tables of rows on their way: %w", err)
	}
	there := map[string][]string{}
	for _, r := range rows {
		there[r.Name] = r.Columns
	}
	var some []*table
	for _, t := range tables {
		columns, ok := there[t.name]
		if !ok {
			continue
		}
		own := *t
		own.columns = slices.DeleteFunc(slices.Clone(t.columns), func(c string) bool {
			return !slices.Contains(columns, c)
		})
		some = append(some, &own)
	}
	return some, nil
}

// outgoingTables returns the tables of a cell whose rows are in a schema of rows on their way.
func outgoingTables(ctx context.Context, db postgres.DB, schema string) ([]*table, error) {
	tables, err := tablesOf(ctx, db)
	if err != nil {
		return nil, err
	}
	return tablesIn(ctx, db, schema, tables)
}

// readParents reads the references between tables.
func readParents(ctx context.Context, db postgres.DB, byName map[string]*table) error {
	type reference struct {
		Table, Parent string
		Nullable      []string
	}
	references, err := postgres.Collect(ctx, db, pgx.RowToStructByPos[reference], `
		select t.relname, p.relname, array(
			select attname::text from pg_attribute where attrelid = t.oid and attnum = any(f.conkey) and not attnotnull)
		from pg_constraint f join pg_class t on t.oid = f.conrelid join pg_class p on p.oid = f.confrelid
		where f.contype = 'f' and t.relnamespace = current_schema()::regnamespace and f.conparentid = 0
		order by f.conname`)
	if err != nil {
		return fmt.Errorf("read the references between the tables of a cell: %w", err)
	}
	for _, r := range references {
		t, ok := byName[r.Table]
		_, moves := byName[r.Parent]
		switch {
		case !ok || r.Table == r.Parent:
		case !moves:
			return fmt.Errorf("the table %s moves and refers to %s, which does not", r.Table, r.Parent)
		default:
			t.parents = append(t.parents, parent{r.Parent, r.Nullable, true})
		}
	}
	for _, l := range links {
		byName[l.table].parents = append(byName[l.table].parents, parent{l.parent, nil, false})
	}
	// Rows of shared tables are found by the rows that use them, which must have left before.
	for _, pair := range [][2]string{
		{"membership", "second_factor"}, {"membership", "recovery_code"}, {"message", "messaging_scope"},
		{"message", "messaging_ledger"}, {"messaging_number", "messaging_ledger"},
		{"messaging_ledger", "messaging_scope"},
	} {
		byName[pair[0]].parents = append(byName[pair[0]].parents, parent{pair[1], nil, false})
	}
	return nil
}

// inOrder sorts the tables, and breaks circles at columns that may be null.
func inOrder(byName map[string]*table) ([]*table, error) {
	var sorted []*table
	done := map[string]bool{}
	names := make([]string, 0, len(byName))
	for name := range byName {
		names = append(names, name)
	}
	slices.Sort(names)
	waits := func(t *table) bool {
		return slices.ContainsFunc(t.parents, func(p parent) bool { return !done[p.table] })
	}
	for len(sorted) < len(byName) {
		before := len(sorted)
		for _, name := range names {
			if t := byName[name]; !done[name] && !waits(t) {
				done[name], sorted = true, append(sorted, t)
			}
		}
		if len(sorted) == before && !breakCircle(byName, names, done) {
			return nil, fmt.Errorf("the references between the tables of a cell form a circle without a column that " +
				"may be null")
		}
	}
	return sorted, nil
}

// breakCircle removes one reference of a circle.
func breakCircle(byName map[string]*table, names []string, done map[string]bool) bool {
	var reaches func(from, to string, seen map[string]bool) bool
	reaches = func(from, to string, seen map[string]bool) bool {
		if from == to {
			return true
		}
		if seen[from] || done[from] {
			return false
		}
		seen[from] = true
		return slices.ContainsFunc(byName[from].parents, func(p parent) bool { return reaches(p.table, to, seen) })
	}
	for _, name := range names {
		t := byName[name]
		for i, p := range t.parents {
			if !done[name] && len(p.nullable) > 0 && reaches(p.table, name, map[string]bool{}) {
				t.reset = append(t.reset, p.nullable...)
				t.parents = slices.Delete(t.parents, i, i+1)
				return true
			}
		}
	}
	return false
}

// of returns the condition on the rows of a table that belong to the organizations of $1. outgoing is the schema of
// rows that have left already.
func (t *table) of(outgoing string) string {
	if rows, ok := shared[t.name]; ok {
		return fmt.Sprintf(rows, outgoing)
	}
	switch {
	case t.name == "organization":
		return `id = any($1)`
	case t.own:
		return `organization_id = any($1)`
	}
	i := slices.IndexFunc(links, func(l link) bool { return l.table == t.name })
	l := links[i]
	above := table{name: l.parent, own: true}
	return fmt.Sprintf(`%s in (select %s from %s where %s union all select %[2]s from %[5]s.%[3]s)`,
		l.column, l.parentColumn, l.parent, above.of(outgoing), outgoing)
}

// userReferences returns the columns that name users: those with a foreign key, and userColumns.
func userReferences(ctx context.Context, db postgres.DB) ([][2]string, error) {
	rows, err := postgres.Collect(ctx, db, func(r pgx.CollectableRow) (c [2]string, err error) {
		return c, r.Scan(&c[0], &c[1])
	}, `
		select distinct t.relname, a.attname
		from pg_constraint f join pg_class t on t.oid = f.conrelid
		cross join unnest(f.conkey, f.confkey) k (own, referenced)
		join pg_attribute a on a.attrelid = f.conrelid and a.attnum = k.own
		join pg_attribute p on p.attrelid = f.confrelid and p.attnum = k.referenced
		where f.contype = 'f' and t.relnamespace = current_schema()::regnamespace
		  and (f.confrelid = 'app_user'::regclass and p.attname = 'id'
			or f.confrelid = 'membership'::regclass and p.attname = 'user_id')
		order by 1, 2`)
	if err != nil {
		return nil, fmt.Errorf("read which columns name users: %w", err)
	}
	return append(rows, userColumns...), nil
}
