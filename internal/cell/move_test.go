package cell_test

import (
	"strings"
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/cell"
	"github.com/dialwright/dialwright/internal/postgres/pgtest"
)

// Each table has a rule for moving an organization: a column organization_id, or a place in the lists of move_table.go.
// Whoever adds a table without one decides here whether its rows move.
func TestEveryTableHasARule(t *testing.T) {
	t.Parallel()
	db, ctx := pgtest.New(t), t.Context()
	names, err := cell.TablesThatMove(ctx, db.Pool)
	if err != nil {
		t.Fatal(err)
	}
	at := map[string]int{}
	for i, name := range names {
		at[name] = i + 1
	}
	for _, pair := range [][2]string{
		{"organization", "campaign"}, {"campaign", "recipient"}, {"call", "call_line"}, {"app_user", "membership"},
		{"webhook", "delivery_due"}, {"delivery", "delivery_attempt"}, {"messaging_scope", "messaging_ledger"},
	} {
		if at[pair[0]] == 0 || at[pair[1]] == 0 || at[pair[0]] > at[pair[1]] {
			t.Errorf("%s is at %d and %s at %d", pair[0], at[pair[0]], pair[1], at[pair[1]])
		}
	}
	_, err = db.Pool.Exec(ctx, `create table novelty (id uuid primary key, call_id uuid references call (id))`)
	if err != nil {
		t.Fatal(err)
	}
	_, err = cell.TablesThatMove(ctx, db.Pool)
	if err == nil || !strings.Contains(err.Error(), "novelty has no rule") {
		t.Errorf("a table without a rule: %v", err)
	}
}

// What names a user without a foreign key is in a list, because another cell may know the user by another ID.
func TestColumnsOfUsersAreListed(t *testing.T) {
	t.Parallel()
	db, ctx := pgtest.New(t), t.Context()
	listed, err := cell.UserColumns(ctx, db.Pool)
	if err != nil {
		t.Fatal(err)
	}
	listed = append(listed, "api_key.replaced_by", // names a key
		"recovery_code.user_id") // moves only with its user
	var missing []string
	err = db.Pool.QueryRow(ctx, `
		select coalesce(array_agg(c.relname || '.' || attname), '{}')
		from pg_attribute a join pg_class c on c.oid = a.attrelid
		where relnamespace = 'public'::regnamespace and relkind = 'r' and atttypid = 'uuid'::regtype
		  and attname ~ '(user|actor|assignee|member)_id$|_by$' and not c.relname || '.' || attname = any($1)`, listed).
		Scan(&missing)
	if err != nil || len(missing) > 0 {
		t.Errorf("%v are not in userColumns, and have no foreign key (%v)", missing, err)
	}
}

// What a cell may have only once, whichever organization has it, is in a list, because the other cell may have it
// already.
func TestWhatIsUniqueInACellIsListed(t *testing.T) {
	t.Parallel()
	db, ctx := pgtest.New(t), t.Context()
	moves, err := cell.TablesThatMove(ctx, db.Pool)
	if err != nil {
		t.Fatal(err)
	}
	listed := append(cell.Taken(), "app_user.email", // becomes the account of the other cell
		"api_key.hash", "invitation.token_hash") // random
	var missing []string
	err = db.Pool.QueryRow(ctx, `
		select coalesce(array_agg(c.relname || '.' || attname), '{}')
		from pg_index i join pg_class c on c.oid = i.indrelid
		join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
		where indisunique and indnkeyatts = 1 and atttypid <> 'uuid'::regtype and c.relname = any($1)
		  and not c.relname || '.' || attname = any($2)`, moves, listed).Scan(&missing)
	if err != nil || len(missing) > 0 {
		t.Errorf("%v must be the organizations' only, or in the list of what may be taken (%v)", missing, err)
	}
}

// A move waits for transactions that may have read rows before they left, and not for one that only holds the move of
// another organization, which may take hours.
func TestAMoveDoesNotWaitForAnother(t *testing.T) {
	t.Parallel()
	db, ctx := pgtest.New(t), t.Context()
	tx, err := db.Pool.Begin(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback(ctx)
	if err := cell.AwaitOthers(ctx, db.Pool, time.Millisecond); err == nil || !strings.Contains(err.Error(), "busy") {
		t.Errorf("beside a transaction: %v", err)
	}
	if _, err := tx.Exec(ctx, `select set_config('application_name', $1, true)`, cell.HolderName); err != nil {
		t.Fatal(err)
	}
	if err := cell.AwaitOthers(ctx, db.Pool, time.Millisecond); err != nil {
		t.Errorf("beside a transaction that holds a move: %v", err)
	}
}
