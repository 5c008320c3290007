package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/netip"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	sample "github.com/dialwright/dialwright/internal/demo"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/postgres/pgtest"
)

const testMasterKey = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="

// newDemo runs the demo command up to the point where it would serve.
func newDemo(t *testing.T, databaseURL, data string) *instance {
	t.Helper()
	cmd, flags, err := find([]string{"demo", "--addr", "127.0.0.1:0", "--data", data, "--log-level", "error"})
	if err != nil {
		t.Fatal(err)
	}
	getenv := func(name string) string {
		return map[string]string{"DATABASE_URL": databaseURL, "DIALWRIGHT_MASTER_KEY": testMasterKey}[name]
	}
	cfg, err := cmd.Load(flags, getenv, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	s, err := start(t.Context(), &process{
		Config: cfg, command: cmd.Name, getenv: getenv, stdout: &bytes.Buffer{}, stderr: io.Discard,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.close)
	return s.only()
}

// runDemo runs a demo as a process of its own, as many times faster than real time. It returns its directory when the
// demo listens.
func runDemo(t *testing.T, db *pgtest.DB, speed int) (dir string, c demoCredentials) {
	t.Helper()
	dir = t.TempDir()
	demo := product(t, "DATABASE_URL="+db.URL, "DIALWRIGHT_MASTER_KEY="+testMasterKey)
	demo.Args = append(demo.Args, "demo", "--addr", "127.0.0.1:0", "--sandbox-speed", strconv.Itoa(speed))
	demo.Dir = dir
	out, err := demo.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := demo.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = demo.Process.Kill()
		_ = demo.Wait()
	})
	printed := ""
	for lines := bufio.NewScanner(out); !strings.Contains(printed, "listens on"); {
		if !lines.Scan() {
			t.Fatalf("the demo ended: %s", printed)
		}
		printed += lines.Text() + "\n"
	}
	// The URL in the credentials is the URL of the server that wrote them.
	if c = readCredentials(t, filepath.Join(dir, ".data")); !strings.Contains(printed, c.URL) {
		t.Errorf("printed was %q, and credentials.json has %s", printed, c.URL)
	}
	return dir, c
}

func readCredentials(t *testing.T, data string) (c demoCredentials) {
	t.Helper()
	path := filepath.Join(data, "credentials.json")
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode() != 0o600 {
		t.Errorf("credentials.json has mode %v", info.Mode())
	}
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, &c)
	}
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func hasPassword(t *testing.T, in *instance, c demoAccess) bool {
	t.Helper()
	ok, err := in.Accounts.HasPassword(t.Context(), c.Email, c.Password)
	if err != nil {
		t.Fatal(err)
	}
	return ok
}

// countAll returns the number of rows in each table that the demo fills.
func countAll(t *testing.T, db *pgtest.DB) string {
	t.Helper()
	var out strings.Builder
	for _, table := range []string{"organization", "app_user", "membership", "project", "agent", "connection",
		"phone_number", "campaign",
		"recipient", "call", "call_turn", "do_not_call", "api_key", "messaging_connection", "messaging_number",
		"message", "follow_up", "call_review", "alert", "delivery", "delivery_attempt"} {
		var n int
		if err := db.Pool.QueryRow(t.Context(), `select count(*) from `+table).Scan(&n); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&out, "%s %d\n", table, n)
	}
	return out.String()
}

func TestDemoGoesOnWithWhatIsThere(t *testing.T) {
	t.Parallel()
	db, data := pgtest.New(t), t.TempDir()
	first := newDemo(t, db.URL, data)
	if err := first.prepareDemo(t.Context()); err != nil {
		t.Fatal(err)
	}
	before, counts := readCredentials(t, data), countAll(t, db)
	if before.URL != first.localURL || before.Organization != "Meridian Home Health" ||
		before.Other.Organization == "" ||
		before.Email == before.Other.Email || before.APIKey == before.Other.APIKey {
		t.Errorf("credentials: %+v", before)
	}
	if printed := first.p.stdout.(*bytes.Buffer).String(); !strings.Contains(printed, before.URL) ||
		!strings.Contains(printed, before.Email) ||
		!strings.Contains(printed, before.Password) || !strings.Contains(printed, before.APIKey) {
		t.Errorf("printed: %s", printed)
	} else {
		for _, m := range before.Members {
			if ok, err := first.Accounts.HasPassword(t.Context(), m.Email, m.Password); err != nil || !ok ||
				!strings.Contains(printed, m.Email) || !strings.Contains(printed, m.Password) {
				t.Errorf("the %s %s can't sign in, or is not printed: %v", m.Role, m.Email, err)
			}
		}
		if len(before.Members) != 2 || before.Members[0].Role != account.Manager {
			t.Errorf("members: %+v", before.Members)
		}
	}
	first.close()

	// Each past call has a cost. The sums of campaigns and of months agree with the calls.
	var priced, total, campaigns, months string
	if err := db.Pool.QueryRow(t.Context(), `
		select count(*) filter (where cost is null) || ' ' || (sum(cost) > 0), sum(cost)::text,
		       (select sum(amount) || ' ' || sum(answered) from cost_total),
		       (select sum(amount) || ' ' || sum(answered) from cost_month)
		from call where ended_at is not null`).Scan(&priced, &total, &campaigns, &months); err != nil ||
		priced != "0 true" || !strings.HasPrefix(campaigns, total+" ") || campaigns != months {
		t.Errorf("calls without a cost, any costs: %s; sums %s, %s, %s: %v", priced, total, campaigns, months, err)
	}

	// The second demo keeps what people rename and remove.
	if _, err := db.Pool.Exec(t.Context(), `
		update organization set name = 'Renamed' where name = 'Meridian Home Health';
		update agent set deactivated_at = clock() where name = 'Theo'`); err != nil {
		t.Fatal(err)
	}
	second := newDemo(t, db.URL, data)
	if err := second.prepareDemo(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := before
	want.URL, want.Other.URL, want.Organization = second.localURL, second.localURL, "Renamed"
	if after := readCredentials(t, data); !reflect.DeepEqual(after, want) {
		t.Errorf("the second demo has %+v, the first had %+v", after, before)
	}
	if now := countAll(t, db); now != counts {
		t.Errorf("the second demo has\n%s, the first had\n%s", now, counts)
	}

	// The sandbox has a new address, and the URL of the webhook follows it.
	var at string
	if err := db.Pool.QueryRow(t.Context(), `select url from webhook`).Scan(&at); err != nil ||
		at != second.sandboxURL+sample.ReceiverPath {
		t.Errorf("the webhook's endpoint is %s, the sandbox is %s: %v", at, second.sandboxURL, err)
	}

	// Only the file contains the credentials. If it is missing, the demo creates new credentials.
	if err := os.Remove(filepath.Join(data, "credentials.json")); err != nil {
		t.Fatal(err)
	}
	if err := second.prepareDemo(t.Context()); err != nil {
		t.Fatal(err)
	}
	third := readCredentials(t, data)
	if third.Password == before.Password || third.APIKey == before.APIKey || !hasPassword(t, second, third.demoAccess) {
		t.Errorf("without its file the demo has %+v, before it had %+v", third, before)
	}

	// The audit log attributes none of this to a person.
	rows, err := db.Pool.Query(t.Context(), `
		select actor_name || ' ' || action from audit_entry
		where actor_kind <> 'system' or action like 'session.%'`)
	if err != nil {
		t.Fatal(err)
	}
	if by, err := pgx.CollectRows(rows, pgx.RowTo[string]); err != nil || len(by) > 0 {
		t.Errorf("the audit log says %q: %v", by, err)
	}

	caller, err := second.Accounts.AuthenticateKey(t.Context(), "Bearer "+
		third.Other.APIKey, netip.MustParseAddr("127.0.0.1"))
	if err != nil {
		t.Fatal(err)
	}
	numbers, err := second.Projects.PhoneNumbers(t.Context(), caller.OrganizationID, true, page.Request{})
	if err != nil || len(numbers.Data) != 1 {
		t.Errorf("the other organization has %d phone numbers: %v", len(numbers.Data), err)
	}
}

// The creation of the sample data is cut off at the first row of each table, one table after the other, on the same
// database. The final result is the same as without interruptions.
func TestDemoIsCompletedAfterAnInterruption(t *testing.T) {
	t.Parallel()
	whole := pgtest.New(t)
	if err := newDemo(t, whole.URL, t.TempDir()).prepareDemo(t.Context()); err != nil {
		t.Fatal(err)
	}
	db, data := pgtest.New(t), t.TempDir()
	if _, err := db.Pool.Exec(t.Context(), `
		create function fail() returns trigger language plpgsql as $$ begin raise exception 'cut off'; end
			$$`); err != nil {
		t.Fatal(err)
	}
	in := newDemo(t, db.URL, data)
	for _, at := range []string{
		"organization where (true)", "membership where (true)", "project where (new.name = 'Home visits')",
		"agent where (new.name = 'June')",
		"connection where (true)", "phone_number where (new.name = 'Main line')",
		"campaign where (new.name = 'Care survey, first half')",
		"call_turn where (new.index = 4)", "do_not_call where (true)",
		"follow_up where (new.status = 'open')",
		"messaging_connection where (new.name = 'Offers')",
		"message where (new.template_name = 'heads_up')", "delivery_attempt where (new.number = 2)",
		"campaign where (new.status = 'scheduled')",
		"recipient where (new.phone_number like '+1500%')", "audit_entry where (new.action = 'demo.seeded')",
		"organization where (new.name like 'Harbor%')", "call where (true)", "api_key where (true)",
	} {
		table, when, _ := strings.Cut(at, " where ")
		mustExec(t, db, `create trigger fail before insert on `+table+` for each row when `+when+
			` execute function fail()`)
		if err := in.prepareDemo(t.Context()); err == nil || !strings.Contains(err.Error(), "cut off") {
			t.Fatalf("an insert into %s was not met: %v", at, err)
		}
		mustExec(t, db, `drop trigger fail on `+table)
	}
	if err := in.prepareDemo(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got, want := countAll(t, db), countAll(t, whole); got != want {
		t.Errorf("after interruptions there is\n%s, without them\n%s", got, want)
	}
	if c := readCredentials(t, data); !hasPassword(t, in, c.demoAccess) {
		t.Error("the credentials of an interrupted demo do not open it")
	}
}

func mustExec(t *testing.T, db *pgtest.DB, sql string) {
	t.Helper()
	if _, err := db.Pool.Exec(t.Context(), sql); err != nil {
		t.Fatalf("%v in %s", err, sql)
	}
}

func TestDemoPastIsBelievable(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	in := newDemo(t, db.URL, t.TempDir())
	if err := in.prepareDemo(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	none := func(what, sql string) {
		t.Helper()
		var n int
		if err := db.Pool.QueryRow(ctx, `select count(*) `+sql).Scan(&n); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		if n != 0 {
			t.Errorf("%d times: %s", n, what)
		}
	}
	none("a sum by month that its days do not have", `from (
			select campaign_id, month, currency, sum(amount), sum(calls) from cost_total group by 1, 2, 3
			except
			select campaign_id, date_trunc('month', day)::date, currency, sum(amount), sum(calls) from cost_day
			where phone_number_id is null group by 1, 2, 3) t`)
	none("a call outside 08:00-20:00 where the people are", `
		from call c join project p on p.id = c.project_id
		where (c.created_at at time zone p.time_zone)::time < '08:00'
			or (c.created_at at time zone p.time_zone)::time > '20:00'
		   or extract(isodow from c.created_at at time zone p.time_zone) = 7`)
	none("a call whose moments are out of order", `
		from call where not (created_at <= asked_at and asked_at <= started_at and started_at <= coalesce(ringing_at,
			started_at)
			and coalesce(ringing_at, started_at) <= coalesce(answered_at, ended_at) and coalesce(answered_at,
				created_at) <= ended_at
			and ended_at <= settled_at and settled_at < clock() and created_at > clock() - interval '30 days')`)
	none("two calls to one number at a time", `
		from call a join call b on a.organization_id = b.organization_id and a.person_number = b.person_number
		where a.id < b.id and a.created_at < b.settled_at and b.created_at < a.settled_at`)
	none("a transcript that is not its turns", `
		from call c
		where c.transcript_text <> coalesce((
			select string_agg(case t.role when 'agent' then 'Agent: '
				when 'recipient' then 'Recipient: ' else '' end || t.text, E'\n' order by t.index)
			from call_turn t where t.call_id = c.id), '')`)
	none("an answered call without an analysis, or one of a call that was not",
		`from call where (answered_at is null) <> (analysis is null)`)
	none("a turn outside its call", `
		from call_turn t join call c on c.id = t.call_id
		where t.end_ms < t.start_ms or t.end_ms > extract(epoch from c.ended_at - c.answered_at) * 1000`)
	none("an opt-out that is not on the do-not-call list", `
		from call c where (c.analysis->>'opt_out')::boolean
		  and not exists (select from do_not_call d
			where d.organization_id = c.organization_id and d.phone_number = c.person_number and d.call_id = c.id)`)
	none("a recipient who was called more often than allowed, or whose attempts are not its calls", `
		from recipient r join campaign m on m.id = r.campaign_id
		where m.metadata->>'demo' = 'true'
		  and (r.attempts > m.max_attempts or r.attempts <> (select count(*) from call c where c.recipient_id = r.id))`)
	none("a call without the version of its agent", `from call where agent_version_id is null`)
	none("a campaign without a log", `
		from campaign m where not exists (select from campaign_log_entry e where e.campaign_id = m.id
			and e.kind = 'created')`)
	none("a campaign whose answered calls are not its rows", `
		from campaign m
		where answered_by_person <> (select count(*) from call c
			where c.campaign_id = m.id and c.answered_at is not null and c.outcome <> 'voicemail'
				and c.settled_at is not null)`)
	none("a campaign whose counters are not its rows", `
		from campaign m
		where m.metadata->>'demo' = 'true' and (m.total, m.completed, m.failed, m.skipped, m.canceled, m.expired,
			m.calls_placed, m.calls_answered) <> (
			select count(*), count(*) filter (where status = 'completed'), count(*) filter (where status = 'failed'),
			        count(*) filter (where status = 'skipped'), count(*) filter (where status = 'canceled'), 0,
			        (select count(*) from call c where c.campaign_id = m.id), (select count(answered_at) from call c
				where c.campaign_id = m.id)
			from recipient r where r.campaign_id = m.id)`)

	some := func(what, sql string) {
		t.Helper()
		var n int
		if err := db.Pool.QueryRow(ctx, `select count(*) `+sql).Scan(&n); err != nil || n == 0 {
			t.Errorf("there is not %s: %v", what, err)
		}
	}
	none("a call after an opt-out", `
		from call a join call b on a.organization_id = b.organization_id and a.person_number = b.person_number
		where (a.analysis->>'opt_out')::boolean and b.created_at > a.ended_at`)
	none("a follow-up that was done before its call ended, or in the future", `
		from follow_up f join call c on c.id = f.call_id
		where f.created_at < c.ended_at or f.done_at < f.created_at or f.done_at > clock()`)
	none("a delivery whose attempts are not its rows, or that was attempted in the future", `
		from delivery d
		where status <> 'pending' and (
			attempts <> (select count(*) from delivery_attempt a where a.delivery_id = d.id)
			or exists (select from delivery_attempt a where a.delivery_id = d.id and a.started_at > clock()))`)
	some("a follow-up that nobody has taken", `from follow_up where status = 'open' and assignee_id is null`)
	some("an assigned follow-up that is due later", `
		from follow_up where status = 'open' and assignee_id is not null and due_at > clock()`)
	some("an overdue follow-up", `from follow_up where status = 'open' and due_at < clock()`)
	some("a follow-up that is done", `from follow_up where status = 'done' and note <> ''`)
	some("an open alert for everybody", `
		from alert a join api_key k on k.id = a.subject_id and k.expires_at < clock() + interval '7 days'
		where a.resolved_at is null and a.user_id is null`)
	some("a reviewed call with a tag and a note", `
		from call_review where reviewed_at is not null and tags <> '{}' and note <> ''`)
	some("a delivered delivery", `from delivery where status = 'succeeded'`)
	some("a failed delivery", `from delivery where status = 'failed' and attempts = 10`)
	some("the campaign of README's pictures", `
		from campaign where name = 'Flu shots, 65 and over' and status in ('scheduled', 'running') and total = 280`)

	var shares string
	err := db.Pool.QueryRow(ctx, `
		select string_agg(outcome || ' ' || n, ', ' order by n desc)
		from (select outcome, count(*) as n from call group by outcome) o`).Scan(&shares)
	if err != nil {
		t.Fatal(err)
	}
	var calls int
	for i, outcome := range []string{"completed", "no_answer", "voicemail", "busy", "failed", "canceled"} {
		list := strings.Split(shares, ", ")
		if len(list) != 6 || !strings.HasPrefix(list[i], outcome+" ") {
			t.Fatalf("outcomes are %s", shares)
		}
		var n int
		if _, err := fmt.Sscanf(list[i], outcome+" %d", &n); err != nil {
			t.Fatal(err)
		}
		calls += n
	}
	if calls < 3000 || calls > 6000 {
		t.Errorf("%d calls", calls)
	}
}
