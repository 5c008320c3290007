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

// endedRows are the tables whose rows end with the move: people sign in again, and ask for another link.
var endedRows = []string{"user_session", "password_reset"}

// rowsOfCells are the tables whose rows belong to a cell and its processes, and not to an organization.
var rowsOfCells = []string{
	"call_search_backlog", "cell_mark", "instance", "number_key", "organization_move", "organization_move_trace",
	"schema_migrations", "schema_support", "sessions", "setup_code", "sign_in_failure", "single_sign_on_use",
	"task_lease",
}

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
			"call_sound_part":  `call_id` + fmt.Sprintf(strings.Replace(of, "id", "call_id", 1), "call_sound"),
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
		}
		for _, one := range tables {
			condition := conditions[one.Name]
			if condition == "" && slices.Contains(strings.Split(one.Columns, ", "), "organization_id") {
				condition = `organization_id = $1`
			}
			if slices.Contains(endedRows, one.Name) || slices.Contains(rowsOfCells, one.Name) {
				continue
			}
			if condition == "" {
				return fmt.Errorf("which rows of %s belong to an organization?", one.Name)
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

// An organization with a history, which has rows in every table, moves to a cell that is a schema, and back. Each row
// arrives as it was, nothing stays behind, and nothing is counted twice, also if commands are killed on the way. People
// who also belong to an organization that stays have an account in both cells.
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
	pool, err := postgres.Open(ctx, postgres.Options{URL: at, MaxConns: 2})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	c.cells = append(c.cells, &pgtest.DB{Pool: pool, URL: at})
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
		`insert into agent_version_timing
			select $1, id, gen_random_uuid(), '2026-01-02', 'reply', '{1,2}' from agent where organization_id = $1`,
		`insert into alert_email (id, organization_id, user_id, alert_id)
			select a.id, $1, m.user_id, a.id from alert a, membership m
			where a.organization_id = $1 and m.organization_id = $1 limit 1`,
		`insert into alert_setting (organization_id, user_id, kinds, digest, digest_on)
			select $1, user_id, '{quota_low}', true, '2026-01-02' from membership where organization_id = $1`,
		`insert into call_analysis (id, organization_id, call_id, number, method, status)
			select id, $1, id, 1, 'model', 'pending' from call where organization_id = $1 limit 3`,
		`insert into call_analysis_due (analysis_id, organization_id, connection_id, due_at)
			select id, $1, id, clock() + '1 day' from call_analysis where organization_id = $1`,
		`insert into call_note (id, organization_id, call_id, number, text, author)
			select id, $1, id, 1, 'Calls back later', 'Ann' from call where organization_id = $1 limit 3`,
		`insert into call_price_due (call_id, organization_id, connection_id, carrier_call_id, ended_at, due_at, month)
			select id, $1, connection_id, 'CA1', clock(), clock() + '1 day', '2026-01-01' from call
			where organization_id = $1 limit 3`,
		`insert into call_sound (call_id, organization_id, ticket_hash, asked_at, wanted_until)
			select id, $1, '\x01', clock(), clock() + '1 minute' from call where organization_id = $1 limit 2`,
		`insert into call_sound_part select call_id, 1, '\x0102' from call_sound where organization_id = $1`,
		`insert into call_transfer (call_id, number, organization_id, destination_id, destination, mode, recorded,
				language, state)
			select c.id, 1, $1, (select id from destination where organization_id = $1 limit 1), '+15005000008',
				'warm', true, 'en-US', 'taken' from call c where organization_id = $1 limit 2`,
		`insert into caller_refusal select id, $1, 2, 'spam', clock() from phone_number where organization_id = $1`,
		`insert into campaign_answer_hour
			select id, $1, '2026-01-02 03:00Z', 7, 1 from campaign where organization_id = $1`,
		`insert into change_batch (id, organization_id, object_type, object_ids)
			values (gen_random_uuid(), $1, 'call', array[gen_random_uuid()])`,
		`insert into connection_check
			select id, $1, 'credentials', 'ok', '', clock() from connection where organization_id = $1`,
		`insert into cost_pending select $1, id, 3 from campaign where organization_id = $1`,
		`insert into country_refusal (campaign_id, country, organization_id, reason)
			select id, 'FR', $1, 'not enabled' from campaign where organization_id = $1`,
		`insert into do_not_call_removal (id, organization_id, channel, phone_number, source, note, created_by,
				created_at, removed_by)
			values (gen_random_uuid(), $1, 'voice', '+15005000007', 'manual', '', 'Ann', clock(), 'Ann')`,
		`insert into erasure (id, organization_id, number, number_hash) values
			(gen_random_uuid(), $1, '\x01', '\x02')`,
		`insert into inbound (phone_number_id, organization_id, agent_id, project_id, settings)
			select n.id, $1, a.id, p.id, '{}' from phone_number n, agent a, project p
			where n.organization_id = $1 and a.organization_id = $1 and p.organization_id = $1
			on conflict do nothing`,
		`insert into inbound_pace
			select id, $1, '+15005000006', clock(), true, 0 from phone_number where organization_id = $1`,
		`insert into invitation (id, organization_id, email, role, token_hash, invited_by, expires_at)
			values (gen_random_uuid(), $1, 'next@example.com', 'staff', '\x03', 'Ann', clock() + '1 day')`,
		`insert into line_failure (campaign_id, organization_id, times, reason, last_at)
			select id, $1, 1, 'no answer', clock() from campaign where organization_id = $1`,
		`insert into messaging_alert
			select $1, id, 'account', 'phone_number', '1', 'warning', 'open', '', clock() from messaging_connection
			where organization_id = $1`,
		`insert into model_day (organization_id, day, currency, calls) values ($1, '2026-01-02', 'USD', 5),
			($1, '2026-01-02', null, 1)`,
		`insert into pace (organization_id, connection_id, last_at)
			select $1, id, clock() from connection where organization_id = $1`,
		`insert into pre_dial_check (organization_id, url, secret, on_failure)
			values ($1, 'https://example.com', '\x01', 'wait')`,
		`insert into recording_deletion (call_id, organization_id, connection_id, recording_id, erasure_id, due_at)
			select c.id, $1, c.connection_id, 'RE1', e.id, clock() + '1 day' from call c, erasure e
			where c.organization_id = $1 and e.organization_id = $1 limit 3`,
		`insert into sample (organization_id, connection_id, phone_number_id, agent_id, campaign_id)
			values ($1, gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), gen_random_uuid())`,
		`insert into single_sign_on (organization_id, address, label, issuer, client_id, client_secret, domains,
				creates_members, role_claim, admin_values, manager_values, staff_values, passwords_off)
			values ($1, 'meridian', 'Meridian', 'https://sso.example.com', 'id', '\x01', '{example.com}', false, '',
				'{}', '{}', '{}', false)`,
		`insert into single_sign_on_identity (organization_id, issuer, subject, user_id)
			select $1, 'https://sso.example.com', user_id::text, user_id from membership where organization_id = $1`,
		`insert into subscribed_list (id, organization_id, name, url, channels, every_hours, due_at)
			values (gen_random_uuid(), $1, 'National', 'https://example.com/list', '{voice}', 24, clock() + '1 day')`,
		`insert into tool (id, organization_id, name, description, parameters, url, headers, secret, timeout_seconds)
			values (gen_random_uuid(), $1, 'book', 'Books a visit', '{}', 'https://example.com/book', '', '\x01', 5)`,
		`insert into webhook_recovery (id, organization_id, webhook_id, since, until, at)
			select id, $1, id, clock() - interval '1 day', clock(), clock() from webhook where organization_id = $1`,
		`insert into password_reset (user_id, organization_id, token_hash, expires_at)
			select user_id, $1, decode(md5(user_id::text), 'hex'), clock() + '1 day' from membership
			where organization_id = $1 limit 1`,
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
	for _, name := range slices.Sorted(maps.Keys(before)) {
		if len(before[name]) == 0 {
			t.Errorf("the test has no row of %s. Add one, because it can't tell whether it moves", name)
		}
	}
	if len(before["call"]) < 100 {
		t.Errorf("the history is too short to tell: %d calls", len(before["call"]))
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

	k := newKiller(c, id)
	k.rounds(3)
	sameContents(t, "after commands that were killed", before, contents(t, c.cells[k.in-1],
		[]string{"public", "cell_two"}[k.in-1], id))
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
