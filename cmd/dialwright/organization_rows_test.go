package main

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha1"
	"encoding/base64"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	network "github.com/dialwright/dialwright/internal/carrier/sandbox"
	sample "github.com/dialwright/dialwright/internal/demo"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/postgres/pgtest"
	"github.com/dialwright/dialwright/internal/testwait"
)

// changing are the columns that a move changes: when something is looked at next, and the order of events in a
// database.
var changing = []string{"check_due_at", "subscribed_at", "read_at", "dial_at", "transaction_id"}

// contents returns what each table has of an organization.
func contents(t *testing.T, db *pgtest.DB, schema string, id uuid.UUID) map[string][]string {
	t.Helper()
	ctx := t.Context()
	all := map[string][]string{}
	err := postgres.InTx(ctx, db.Pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `set local search_path = `+schema); err != nil {
			return err
		}
		type table struct{ Name, Columns string }
		tables, err := postgres.Collect(ctx, tx, pgx.RowToStructByPos[table], `
			select c.relname, string_agg(quote_ident(attname), ', ' order by attname)
			from pg_class c join pg_attribute a on a.attrelid = c.oid
			where relnamespace = current_schema()::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped
			  and not attname = any($1)
			group by 1 order by 1`, changing)
		if err != nil {
			return err
		}
		const of = ` in (select id from %s where organization_id = $1)`
		conditions := map[string]string{
			"organization": `id = $1`, "app_user": `id in (select user_id from membership where organization_id = $1)`,
			"recovery_code":    `user_id in (select user_id from membership where organization_id = $1)`,
			"call_line_former": `call_id` + fmt.Sprintf(strings.Replace(of, "id", "call_id", 1), "call_line"),
			"upload_piece":     `upload_id` + fmt.Sprintf(of, "upload"),
			"second_factor":    `user_id in (select user_id from membership where organization_id = $1)`,
			"api_key_use":      `api_key_id` + fmt.Sprintf(of, "api_key"),
			"delivery_attempt": `delivery_id` + fmt.Sprintf(of, "delivery"),
			"delivery_due":     `webhook_id` + fmt.Sprintf(of, "webhook"),
			"webhook_day":      `webhook_id` + fmt.Sprintf(of, "webhook"),
			"messaging_window": `number_id` + fmt.Sprintf(of, "messaging_number"),
			"messaging_scope":  `id in (select scope_id from messaging_number where organization_id = $1)`,
			"messaging_ledger": `scope_id in (select scope_id from messaging_number where organization_id = $1)`,
			"user_session":     `false and organization_id = $1`, "password_reset": `false and organization_id = $1`,
		}
		for _, one := range tables {
			condition := conditions[one.Name]
			if condition == "" && slices.Contains(strings.Split(one.Columns, ", "), "organization_id") {
				condition = `organization_id = $1`
			}
			if condition == "" {
				continue
			}
			all[one.Name], err = postgres.Collect(ctx, tx, pgx.RowTo[string], fmt.Sprintf(
				`select r::text from (select %s from %s where %s) r order by 1`, one.Columns, one.Name, condition), id)
			if err != nil {
				return fmt.Errorf("%s: %w", one.Name, err)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func sameContents(t *testing.T, when string, before, after map[string][]string) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(before)) {
		if slices.Equal(before[name], after[name]) {
			continue
		}
		i := 0
		for i < min(len(before[name]), len(after[name])) && before[name][i] == after[name][i] {
			i++
		}
		first := func(rows []string) string {
			if i < len(rows) {
				return rows[i]
			}
			return "nothing"
		}
		t.Errorf("%s, %s has %d rows and not %d. First difference:\n%s\n%s", when, name, len(after[name]),
			len(before[name]), first(before[name]), first(after[name]))
	}
}

// An organization with a history moves to a cell that is a schema, and back. Each row arrives as it was, nothing stays
// behind, and nothing is counted twice. Those of its people who belong to an organization that stays have an account in
// both cells.
func TestAnOrganizationMovesWithItsHistory(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	c := newCellular(t, 1)
	other := pgtest.NewEmpty(t)
	at := other.URL + "?search_path=cell_two"
	if strings.Contains(other.URL, "?") {
		at = other.URL + "&search_path=cell_two"
	}
	c.run(0, []string{"cell", "add"}, "DIALWRIGHT_CELL_URL", at)
	c.cells = append(c.cells, other)
	s := startIdle(t, c.env("DIALWRIGHT_WEBHOOK_ALLOW", "127.0.0.1", "DIALWRIGHT_MODEL_HOSTS", "127.0.0.1"))
	in := s.all()[0]
	tenants, err := sample.Seed(ctx, sample.Options{
		App: in.App, SandboxURL: s.sandboxURL, SandboxToken: s.sandboxToken, Messaging: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	id, stays := tenants[0].Actor.OrganizationID, tenants[1].Actor.OrganizationID
	exec := func(sql string, args ...any) {
		t.Helper()
		if _, err := c.cells[0].Pool.Exec(ctx, sql, args...); err != nil {
			t.Fatal(err)
		}
	}
	// The admin also belongs to the organization that stays.
	exec(`insert into membership (organization_id, user_id, role)
		select $2, user_id, 'staff' from membership where organization_id = $1 and role = 'admin' limit 1`, id, stays)
	// What the demo has none of.
	for _, sql := range []string{
		`insert into messaging_ledger select scope_id, '+15005000009', clock(), clock() from messaging_number
			where organization_id = $1 limit 1`,
		`insert into messaging_window select id, '+15005000009', clock() from messaging_number
			where organization_id = $1 limit 1`,
		`insert into event_reader (organization_id, read_at) values ($1, clock())`,
		`insert into call_line (call_id, organization_id, held, closed_at) select id, organization_id, false, clock()
			from call where organization_id = $1 limit 5`,
		`insert into call_line_former select call_id, 1, 1, 1 from call_line where organization_id = $1`,
		`insert into upload (id, organization_id, user_id, name, size, expires_at)
			select user_id, organization_id, user_id, 'list.csv', 3, clock() + '1 day' from membership
			where organization_id = $1`,
		`insert into upload_piece select id, 0, '\x010203' from upload where organization_id = $1`,
		`insert into list_columns select organization_id, user_id, 'calls', '{name}' from membership
			where organization_id = $1`,
		`insert into saved_filter (id, organization_id, user_id, list, name, query)
			select user_id, organization_id, user_id, 'calls', 'Mine', 'q=1' from membership
			where organization_id = $1`,
		`insert into second_factor (user_id, seed, last_step) select user_id, '\x01', 7 from membership
			where organization_id = $1`,
		`insert into recovery_code select user_id, '\x02' from membership where organization_id = $1`,
		`insert into idempotency_key (organization_id, route, key_hash, body_hash, status, answer)
			values ($1, 'POST /calls', '\x01', '\x02', 201, '\x03')`,
		`insert into user_session (id, user_id, organization_id, token_hash, agent, last_seen_at, expires_at)
			select user_id, user_id, organization_id, decode(md5(user_id::text), 'hex'), '', clock(), clock() + '1 day'
			from membership where organization_id = $1`,
	} {
		exec(sql, id)
	}
	var connection uuid.UUID
	if err := c.cells[0].Pool.QueryRow(ctx, `select id from connection where organization_id = $1 limit 1`, id).
		Scan(&connection); err != nil {
		t.Fatal(err)
	}
	before, kept := contents(t, c.cells[0], "public", id), contents(t, c.cells[0], "public", stays)
	var empty []string
	for _, name := range slices.Sorted(maps.Keys(before)) {
		if len(before[name]) == 0 {
			empty = append(empty, name)
		}
	}
	t.Logf("without a row: %v", empty)
	if len(before["call"]) < 100 || len(before["call_search"]) == 0 || len(before["organization_hour"]) == 0 ||
		len(before["messaging_ledger"]) == 0 {
		t.Errorf("the history is too short to tell: %d calls, %d messages", len(before["call"]), len(before["message"]))
	}

	t.Log(c.run(0, []string{"organization", "move", id.String(), "--to", "2"}))
	sameContents(t, "after the move", before, contents(t, other, "cell_two", id))
	sameContents(t, "of those who stay", kept, contents(t, c.cells[0], "public", stays))
	for name, rows := range contents(t, c.cells[0], "public", id) {
		if len(rows) > 0 {
			t.Errorf("%d rows of %s stayed", len(rows), name)
		}
	}
	var claimed int
	if err := c.directory.Pool.QueryRow(ctx, `select count(*) from claim where cell = 2`).Scan(&claimed); err != nil ||
		claimed == 0 {
		t.Errorf("the cell has %d portfolios and numbers (%v)", claimed, err)
	}
	checkCallback(ctx, t, s, connection)

	t.Log(c.run(0, []string{"organization", "move", id.String(), "--to", "1"}))
	sameContents(t, "after the way back", before, contents(t, c.cells[0], "public", id))
	sameContents(t, "of those who stay", kept, contents(t, c.cells[0], "public", stays))
}

// startIdle starts a server that answers requests and does nothing by itself, so that contents can be compared.
func startIdle(t *testing.T, env map[string]string) *server {
	t.Helper()
	cmd, flags, err := find([]string{
		"serve", "--addr", "127.0.0.1:0", "--metrics-addr", "", "--data", t.TempDir(), "--sandbox",
		"--log-level", "error",
	})
	if err != nil {
		t.Fatal(err)
	}
	env["DIALWRIGHT_WHATSAPP"] = "true"
	getenv := func(name string) string { return env[name] }
	cfg, err := cmd.Load(flags, getenv, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	s, err := start(t.Context(), &process{
		Config: cfg, command: cmd.Name, getenv: getenv, stdout: io.Discard, stderr: io.Discard,
	})
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: s.handler(), ReadHeaderTimeout: testwait.Limit}
	go func() { _ = server.Serve(s.listener) }()
	t.Cleanup(func() {
		server.Close()
		s.close()
	})
	return s
}

// checkCallback checks that a callback is served, although its address names the cell that the organization has left.
func checkCallback(ctx context.Context, t *testing.T, s *server, connection uuid.UUID) {
	t.Helper()
	credentials, err := s.all()[1].Projects.Credentials(ctx, connection)
	if err != nil {
		t.Fatal(err)
	}
	token := network.AccountToken(s.sandboxToken, credentials.Account)
	for _, base := range []string{s.localURL + "/c/1", s.localURL + "/c/2"} {
		address := base + "/hooks/twilio/" + connection.String() + "/calls/" + uuid.NewString() + "/echo"
		mac := hmac.New(sha1.New, []byte(token))
		mac.Write([]byte(address))
		for signature, want := range map[string]int{
			base64.StdEncoding.EncodeToString(mac.Sum(nil)): http.StatusOK, "wrong": http.StatusForbidden,
		} {
			req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, http.NoBody)
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("X-Twilio-Signature", signature)
			res, err := http.DefaultClient.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			text, _ := io.ReadAll(res.Body)
			res.Body.Close()
			if res.StatusCode != want {
				t.Errorf("a callback to %s: %d %s, not %d", base, res.StatusCode, bytes.TrimSpace(text), want)
			}
		}
	}
}
