package cell

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/errgroup"
)

// beginLong prepares a transaction that reads and writes all rows of an organization: the role's settings are for short
// statements that always have an index. Triggers leave the rows alone, because what they would make moves, too.
func beginLong(ctx context.Context, tx pgx.Tx) error {
	_, err := tx.Exec(ctx, `
		select set_config('enable_seqscan', 'on', true), set_config('lock_timeout', '30s', true),
			set_config('idle_in_transaction_session_timeout', '10min', true),
			set_config('dialwright.moves', 'yes', true)`)
	if err != nil {
		return fmt.Errorf("prepare a transaction: %w", err)
	}
	return nil
}

// makeTables creates the schema of rows on their way.
func makeTables(ctx context.Context, tx pgx.Tx, schema string, tables []*table) error {
	if _, err := tx.Exec(ctx, `create schema `+schema); err != nil {
		return fmt.Errorf("create the schema of rows that move, which the database's role must be allowed to: %w", err)
	}
	for _, t := range tables {
		_, err := tx.Exec(ctx, fmt.Sprintf(`create table %s.%s as select %s from %[2]s with no data`,
			schema, t.name, t.list()))
		if err != nil {
			return fmt.Errorf("create the table of outgoing rows of %s: %w", t.name, err)
		}
	}
	return nil
}

// lockRows locks the rows of organizations that rows of other tables refer to, so that no such row comes while they
// leave: the reference would delete it with its parent.
func lockRows(ctx context.Context, tx pgx.Tx, schema string, tables []*table, ids []uuid.UUID) error {
	referred := map[string]bool{}
	for _, t := range tables {
		for _, p := range t.parents {
			referred[p.table] = referred[p.table] || p.foreign
		}
	}
	for _, t := range tables {
		if _, some := shared[t.name]; some || !referred[t.name] {
			continue
		}
		if _, err := tx.Exec(ctx, fmt.Sprintf(`select count(*) from (select from %s where %s for update) l`,
			t.name, t.of(schema)), args(t.of(schema), ids)...); err != nil {
			return fmt.Errorf("lock the rows of %s: %w", t.name, err)
		}
	}
	return nil
}

// args returns the arguments of a statement with a condition of table.of.
func args(condition string, ids []uuid.UUID) []any {
	if strings.Contains(condition, "$1") {
		return []any{ids}
	}
	return nil
}

// takeOut moves the rows of organizations from a table to the schema beside it.
func (t *table) takeOut(ctx context.Context, tx pgx.Tx, schema string, ids []uuid.UUID) (moved int64, err error) {
	sql := fmt.Sprintf(`with gone as (delete from %s where %s returning %s) insert into %s.%[1]s select * from gone`,
		t.name, t.of(schema), t.list(), schema)
	tag, err := tx.Exec(ctx, sql, args(sql, ids)...)
	if err != nil {
		return 0, fmt.Errorf("move rows of %s out: %w", t.name, err)
	}
	return tag.RowsAffected(), nil
}

// takeOut moves the rows of organizations to the schema beside them, children before parents. It may be called again,
// for rows that came later.
func takeOut(ctx context.Context, tx pgx.Tx, schema string, tables []*table, ids []uuid.UUID) (moved int64, err error) {
	run := func(t *table, sql string) error {
		tag, err := tx.Exec(ctx, sql, args(sql, ids)...)
		if err != nil {
			return fmt.Errorf("move rows of %s out: %w", t.name, err)
		}
		moved += tag.RowsAffected()
		return nil
	}
	for _, t := range tables { // nothing may refer to what leaves first, and the copy keeps the references
		if len(t.reset) == 0 {
			continue
		}
		if err := run(t, fmt.Sprintf(`insert into %s.%s select %s from %[2]s where %[4]s`, schema, t.name, t.list(),
			t.of(schema))); err != nil {
			return 0, err
		}
		if _, err := tx.Exec(ctx, fmt.Sprintf(`update %s set %s = null where %s`, t.name,
			strings.Join(t.reset, " = null, "), t.of(schema)), ids); err != nil {
			return 0, fmt.Errorf("cut the references of %s: %w", t.name, err)
		}
	}
	for _, name := range ended {
		if _, err := tx.Exec(ctx, `delete from `+name+` where organization_id = any($1)`, ids); err != nil {
			return 0, fmt.Errorf("delete the rows of %s: %w", name, err)
		}
	}
	for _, t := range slices.Backward(tables) {
		var sql string
		_, some := shared[t.name]
		switch {
		default:
			n, err := t.takeOut(ctx, tx, schema, ids)
			if err != nil {
				return 0, err
			}
			moved += n
			continue
		case some:
			// A row that somebody else uses stays. The others are deleted below.
			same := make([]string, len(t.keys))
			for i, key := range t.keys {
				same[i] = fmt.Sprintf("o.%s = t.%[1]s", key)
			}
			sql = fmt.Sprintf(`insert into %s.%s select %s from %[2]s t where %[4]s and not exists (
				select from %[1]s.%[2]s o where %[5]s)`, schema, t.name, t.list(), t.of(schema),
				strings.Join(same, " and "))
		case len(t.reset) > 0:
			sql = fmt.Sprintf(`delete from %s where %s`, t.name, t.of(schema))
		}
		before := moved
		if err := run(t, sql); err != nil {
			return 0, err
		}
		if len(t.reset) > 0 {
			moved = before // the rows were copied above
		}
	}
	return moved, dropUnused(ctx, tx, schema)
}

// dropUnused deletes the rows of shared tables that only the organizations on their way used.
func dropUnused(ctx context.Context, tx pgx.Tx, schema string) error {
	references, err := userReferences(ctx, tx)
	if err != nil {
		return err
	}
	var unused strings.Builder
	for _, r := range references {
		if _, some := shared[r[0]]; !some && !slices.Contains(userColumns, r) {
			fmt.Fprintf(&unused, ` and not exists (select from %s where %s = u.id)`, r[0], r[1])
		}
	}
	for _, sql := range []string{
		`delete from app_user u where id in (select id from ` + schema + `.app_user)` + unused.String(),
		`delete from messaging_scope s where id in (select id from ` + schema + `.messaging_scope)
			and not exists (select from messaging_number where scope_id = s.id)`,
		`delete from messaging_ledger l where scope_id in (select id from ` + schema + `.messaging_scope)
			and not exists (select from messaging_scope where id = l.scope_id)`,
	} {
		if _, err := tx.Exec(ctx, sql); err != nil {
			return fmt.Errorf("delete what only the organizations on their way used: %w", err)
		}
	}
	return nil
}

// copyRows copies the rows of a schema to one of another database, through this process and in pieces.
func copyRows(ctx context.Context, from, to pgx.Tx, source, target string, tables []*table) (rows int64, err error) {
	for _, t := range tables {
		n, err := t.copy(ctx, from, to, source, target)
		if err != nil {
			return 0, fmt.Errorf("copy the rows of %s: %w", t.name, err)
		}
		rows += n
	}
	return rows, nil
}

func (t *table) copy(ctx context.Context, from, to pgx.Tx, source, target string) (int64, error) {
	reader, writer := io.Pipe()
	var read, written int64
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error {
		tag, err := from.Conn().PgConn().CopyTo(ctx, writer, fmt.Sprintf(
			`copy (select %s from %s.%s) to stdout (format binary)`, t.list(), source, t.name))
		writer.CloseWithError(err)
		read = tag.RowsAffected()
		return err
	})
	group.Go(func() error {
		tag, err := to.Conn().PgConn().CopyFrom(ctx, reader, fmt.Sprintf(`copy %s.%s (%s) from stdin (format binary)`,
			target, t.name, t.list()))
		reader.CloseWithError(err)
		written = tag.RowsAffected()
		return err
	})
	if err := group.Wait(); err != nil {
		return 0, err
	}
	if read != written {
		return 0, fmt.Errorf("%d rows were read and %d written", read, written)
	}
	return written, nil
}

// bringIn inserts the rows of a schema into the tables of its cell, parents before children, and drops the schema.
func bringIn(ctx context.Context, tx pgx.Tx, schema string, tables []*table) error {
	if err := match(ctx, tx, schema); err != nil {
		return err
	}
	for _, t := range tables {
		columns := slices.DeleteFunc(slices.Clone(t.columns), func(c string) bool {
			return slices.Contains(t.reset, c)
		})
		sql := fmt.Sprintf(`insert into %s (%s) select %[2]s from %s.%[1]s`, t.name, quoted(columns, ""), schema)
		switch t.name {
		case "app_user":
			sql += ` where id in (select id from ` + schema + `.account where fresh)`
		case "second_factor", "recovery_code":
			sql += ` where user_id in (select id from ` + schema + `.account where fresh)`
		case "messaging_scope":
			sql += ` on conflict do nothing`
		case "messaging_ledger": // each cell has counted what it sent
			sql += ` on conflict (scope_id, phone_number) do update set
				counted_at = greatest(messaging_ledger.counted_at, excluded.counted_at),
				asked_at = greatest(messaging_ledger.asked_at, excluded.asked_at)`
		}
		if _, err := tx.Exec(ctx, sql); err != nil {
			return fmt.Errorf("bring rows of %s in: %w", t.name, err)
		}
	}
	for _, t := range tables {
		for _, column := range t.reset {
			same := make([]string, len(t.keys))
			for i, key := range t.keys {
				same[i] = fmt.Sprintf("t.%s = o.%[1]s", key)
			}
			if _, err := tx.Exec(ctx, fmt.Sprintf(`update %s t set %s = o.%[2]s from %s.%[1]s o where %[4]s
				and o.%[2]s is not null`, t.name, column, schema, strings.Join(same, " and "))); err != nil {
				return fmt.Errorf("restore the references of %s: %w", t.name, err)
			}
		}
	}
	if _, err := tx.Exec(ctx, `drop schema `+schema+` cascade`); err != nil {
		return fmt.Errorf("drop the schema of rows that moved: %w", err)
	}
	return nil
}

// match gives the rows of a schema the IDs under which the cell knows the same users and limits already.
func match(ctx context.Context, tx pgx.Tx, schema string) error {
	references, err := userReferences(ctx, tx)
	if err != nil {
		return err
	}
	statements := []string{
		// An email address is one account. An account that came here before may have another address by now.
		`create table %[1]s.account as
			select u.id, coalesce(e.id, i.id, u.id) as known, e.id is null and i.id is null as fresh
			from %[1]s.app_user u left join app_user e on e.email = u.email left join app_user i on i.id = u.id`,
		`create table %[1]s.scope as
			select s.id, k.id as known from %[1]s.messaging_scope s
			join messaging_scope k on k.kind = s.kind and k.external_id = s.external_id and k.id <> s.id`,
		`update %[1]s.messaging_number t set scope_id = s.known from %[1]s.scope s where t.scope_id = s.id`,
		`update %[1]s.message t set scope_id = s.known from %[1]s.scope s where t.scope_id = s.id`,
		`update %[1]s.messaging_ledger t set scope_id = s.known from %[1]s.scope s where t.scope_id = s.id`,
		`delete from %[1]s.messaging_scope where id in (select id from %[1]s.scope)`,
		// The list of events is in the order of transactions, and readers go on after the last one that they saw. The
		// events stay in their order and are older than all transactions to come.
		`update %[1]s.event e set transaction_id = n.id::text::xid8
		from (
			select transaction_id, greatest(pg_snapshot_xmin(pg_current_snapshot())::text::numeric - 1
				- (max(place) over () - place), 0) as id
			from (select transaction_id, dense_rank() over (order by transaction_id) as place
				from (select distinct transaction_id from %[1]s.event) d) p
		) n
		where n.transaction_id = e.transaction_id and exists (
			select from %[1]s.event where transaction_id >= pg_snapshot_xmin(pg_current_snapshot()))`,
	}
	for _, r := range references {
		if _, some := shared[r[0]]; some || slices.Contains(ended, r[0]) {
			continue
		}
		statements = append(statements, fmt.Sprintf(`update %%[1]s.%s t set %s = a.known from %%[1]s.account a
			where t.%[2]s = a.id and a.known <> a.id`, r[0], r[1]))
	}
	for _, sql := range statements {
		if _, err := tx.Exec(ctx, fmt.Sprintf(sql, schema)); err != nil {
			return fmt.Errorf("match the rows that come in with those of the cell: %w", err)
		}
	}
	return nil
}

// awaitOthers waits until no transaction runs that ran when it was called: it may have read rows before they left, and
// may write beside them.
func awaitOthers(ctx context.Context, pool *pgxpool.Pool, within time.Duration) error {
	const others = `
		select coalesce(array_agg(l.virtualxid), '{}'), coalesce(string_agg(distinct a.application_name, ', '), '')
		from pg_locks l join pg_stat_activity a on a.pid = l.pid
		where l.locktype = 'virtualxid' and a.datname = current_database() and a.backend_type = 'client backend'
		  and a.pid <> pg_backend_pid() and a.application_name not in ('pg_dump', '` + holderName + `')`
	var open []string
	var names string
	if err := pool.QueryRow(ctx, others).Scan(&open, &names); err != nil {
		return fmt.Errorf("look for running transactions: %w", err)
	}
	for until := time.Now().Add(within); len(open) > 0; {
		if time.Now().After(until) {
			return fmt.Errorf("%w: a transaction of %s has run for more than %s", errBusy, names, within)
		}
		if err := sleep(ctx, pollGap); err != nil {
			return err
		}
		if err := pool.QueryRow(ctx, others+` and l.virtualxid = any($1)`, open).Scan(&open, &names); err != nil {
			return fmt.Errorf("look for running transactions: %w", err)
		}
	}
	return nil
}

// holderName is the application_name of a transaction that only keeps other commands from moving an organization.
const holderName = "dialwright holds a move"

var errBusy = errors.New("the organization is busy")
