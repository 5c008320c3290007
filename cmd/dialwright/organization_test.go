package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/carrier/sandbox"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/seal"
)

// told records the deliveries of webhooks: how often each event came, and which subjects each type was about.
type told struct {
	url string

	mu       sync.Mutex
	times    map[string]int            // by the ID of the event
	subjects map[string]map[string]int // number of events by type and subject
}

func newTold(t *testing.T) *told {
	t.Helper()
	r := &told{times: map[string]int{}, subjects: map[string]map[string]int{}}
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, req *http.Request) {
		var e struct {
			Type string
			Data struct{ ID string }
		}
		body, err := io.ReadAll(req.Body)
		if err == nil {
			err = json.Unmarshal(body, &e)
		}
		if err != nil {
			t.Errorf("a delivery: %v", err)
		}
		time.Sleep(20 * time.Millisecond) // so that deliveries are under way at any time
		r.mu.Lock()
		defer r.mu.Unlock()
		r.times[req.Header.Get("webhook-id")]++
		if r.times[req.Header.Get("webhook-id")] > 1 {
			return // subjects is about events
		}
		if r.subjects[e.Type] == nil {
			r.subjects[e.Type] = map[string]int{}
		}
		r.subjects[e.Type][e.Data.ID]++
	}))
	t.Cleanup(server.Close)
	r.url = server.URL
	return r
}

// mover is a deployment with two cells, an organization in the first one that moves, and one that stays there.
type mover struct {
	*cellular
	s          *server
	moves      *sandboxed
	stays      *sandboxed
	told       *told
	campaign   string
	stayed     string // the campaign of the organization that stays
	recipients int
}

func newMover(t *testing.T, recipients int) *mover {
	t.Helper()
	m := &mover{cellular: newCellular(t, 2), told: newTold(t), recipients: recipients}
	m.s = runServer(t, "20", m.env("DIALWRIGHT_WEBHOOK_ALLOW", "127.0.0.1", "DIALWRIGHT_WHATSAPP", "true"))
	m.moves, m.stays = onSandbox(t, m.cells[0], m.s.all()[0]), onSandbox(t, m.cells[0], m.s.all()[0])
	m.moves.api.create("/webhooks", map[string]any{"name": "All", "url": m.told.url, "events": []string{"*"}})
	m.campaign, m.stayed = m.start(m.moves, recipients), m.start(m.stays, recipients)
	return m
}

// start starts a campaign whose recipients all answer.
func (m *mover) start(n *sandboxed, recipients int) string {
	agent := n.api.create("/agents", map[string]any{
		"name": "Ann", "language": "en-US", "greeting": "Hello!", "goodbye": "Goodbye.",
		"questions": []any{map[string]any{"key": "well", "ask": "Are you well?", "expect": "yes_no"}},
	})
	people := make([]any, recipients)
	for i := range people {
		people[i] = map[string]any{"phone_number": fmt.Sprintf("+150050000%02d", i), "name": fmt.Sprint("Ada ", i)}
	}
	return n.api.create("/campaigns", map[string]any{
		"name": "Spring", "project_id": n.project.ID, "agent_id": agent, "phone_number_id": n.number.ID,
		"calls_per_second": 8, "retry": map[string]any{"max_attempts": 1}, "recipients": people,
	})
}

// id is the ID of the organization that moves.
func (m *mover) id() uuid.UUID { return m.moves.actor.OrganizationID }

func (m *mover) dials() int {
	return m.count(1, `select count(*) from call where campaign_id = $1`, m.campaign)
}

// move runs the command. step is called after each step, if it is not nil.
func (m *mover) move(step func(string) error, args ...string) (said string, err error) {
	m.t.Helper()
	cmd, rest, err := find(append([]string{"organization", "move", m.id().String()}, args...))
	if err != nil {
		m.t.Fatal(err)
	}
	env := m.env()
	getenv := func(name string) string { return env[name] }
	cfg, err := cmd.Load(rest, getenv, io.Discard)
	if err != nil {
		m.t.Fatal(err)
	}
	var out bytes.Buffer
	err = cmd.run(m.t.Context(), &process{
		Config: cfg, command: cmd.Name, getenv: getenv, stdout: &out, stderr: &out, afterStep: step,
	})
	return out.String(), err
}

// finish waits until both campaigns have completed and all is told, and checks that each recipient was dialed once and
// each event delivered once.
func (m *mover) finish(in int) {
	m.t.Helper()
	m.awaitEnd(in)
	for _, one := range m.campaigns(in) {
		// All answered, and every transcript is whole.
		if n := m.count(one.cell, `select count(distinct person_number) from call where campaign_id = $1
			and outcome = 'completed' and answered_at is not null`, one.campaign); n != m.recipients {
			m.t.Errorf("%d of %d recipients were reached", n, m.recipients)
		}
		// A call that was claimed when calling stopped is a call, but was not placed.
		if n := m.count(one.cell, `select count(*) from call where campaign_id = $1 and asked_at is not null`,
			one.campaign); n != m.recipients {
			m.t.Errorf("%d calls were placed to %d recipients", n, m.recipients)
		}
		if n := m.count(one.cell, `select completed from campaign where id = $1`, one.campaign); n != m.recipients {
			m.t.Errorf("the campaign counts %d completed recipients", n)
		}
	}
	dialed := map[string]int{}
	for _, d := range m.s.sandbox.network.Dials() {
		dialed[d.To]++
		var said []string
		for _, turn := range d.Turns {
			if turn.Who == sandbox.Recipient {
				said = append(said, turn.Text)
			}
		}
		if stored := m.words(d.CallSID); !slices.Equal(said, stored) || len(said) == 0 {
			m.t.Errorf("%s said %q, and %q is stored", d.To, said, stored)
		}
	}
	for number, n := range dialed {
		if n != 2 { // once by each organization
			m.t.Errorf("%s was dialed %d times", number, n)
		}
	}
	m.checkEvents(in, nil)
	m.checkNothingIsLeft(in)
}

// placed is a campaign and its cell.
type placed struct {
	cell     int
	campaign string
}

// campaigns are those of the organization that moved to a cell, and of the one that stayed.
func (m *mover) campaigns(in int) []placed { return []placed{{in, m.campaign}, {1, m.stayed}} }

// awaitEnd waits until both campaigns have completed and all is told.
func (m *mover) awaitEnd(in int) {
	m.t.Helper()
	done := `select count(*) from campaign c where id = $1 and ended_at is not null
		and not exists (select from call where organization_id = c.organization_id and settled_at is null)
		and not exists (select from delivery where organization_id = c.organization_id and status = 'pending')`
	m.await("the end of the campaigns", func() bool {
		return !slices.ContainsFunc(m.campaigns(in), func(one placed) bool {
			return m.count(one.cell, done, one.campaign) == 0
		})
	})
}

// checkEvents checks that each event of the organization was delivered once. Those of twice may have come twice.
func (m *mover) checkEvents(in int, twice map[string]bool) {
	m.t.Helper()
	m.told.mu.Lock()
	defer m.told.mu.Unlock()
	for id, times := range m.told.times {
		if times != 1 && (times != 2 || !twice[id]) {
			m.t.Errorf("event %s was delivered %d times", id, times)
		}
	}
	const calls = `select count(*) from call where campaign_id = $1`
	for kind, want := range map[string]int{
		"call.completed":      m.count(in, calls, m.campaign),
		"call.answered":       m.count(in, calls+` and answered_at is not null`, m.campaign),
		"recipient.completed": m.count(in, `select completed from campaign where id = $1`, m.campaign),
		"campaign.completed":  1,
	} {
		if n := len(m.told.subjects[kind]); n != want {
			m.t.Errorf("%d events %s were told, not %d", n, kind, want)
		}
		for id, n := range m.told.subjects[kind] {
			if n != 1 {
				m.t.Errorf("%s of %s was told %d times", kind, id, n)
			}
		}
	}
	if n := m.count(in, `select count(*) from event where organization_id = $1`, m.id()); n != len(m.told.times) {
		m.t.Errorf("%d of %d events were told", len(m.told.times), n)
	}
}

// words returns what the recipient of a call said, as it is stored.
func (m *mover) words(carrierCallID string) (all []string) {
	m.t.Helper()
	for _, db := range m.cells {
		words, err := postgres.Collect(m.t.Context(), db.Pool, pgx.RowTo[string], `
			select text from call_turn t join call c on c.id = t.call_id
			where c.carrier_call_id = $1 and role = 'recipient' order by t.index`, carrierCallID)
		if err != nil {
			m.t.Fatal(err)
		}
		all = append(all, words...)
	}
	return all
}

// checkNothingIsLeft checks that only one cell has rows of the organization.
func (m *mover) checkNothingIsLeft(in int) {
	m.t.Helper()
	for number, db := range m.cells {
		if n := m.count(number+1, `select count(*) from pg_namespace where nspname ~ '^(outgoing|incoming)_'`); n != 0 {
			m.t.Errorf("cell %d has %d schemas of rows on their way", number+1, n)
		}
		if n := m.count(number+1, `select count(*) from organization_move`); n != 0 {
			m.t.Errorf("cell %d has %d moves", number+1, n)
		}
		if number+1 == in {
			continue
		}
		for _, table := range m.tables() {
			if n := m.count(number+1, `select count(*) from `+table+` where organization_id = $1`, m.id()); n != 0 {
				m.t.Errorf("%s has %d rows in cell %d (%s)", table, n, number+1, db.URL)
			}
		}
	}
}

// tables are those with rows of organizations.
func (m *mover) tables() (names []string) {
	m.t.Helper()
	err := m.cells[0].Pool.QueryRow(m.t.Context(), `
		select array_agg(relname::text) from pg_class c join pg_attribute a on a.attrelid = c.oid
		where relnamespace = 'public'::regnamespace and relkind = 'r' and attname = 'organization_id'`).Scan(&names)
	if err != nil {
		m.t.Fatal(err)
	}
	return names
}

// An organization moves to another cell while its campaign runs. Nobody is dialed twice, every event is delivered once,
// no word is lost, its key works on, and the campaign of another organization does not notice.
func TestAnOrganizationMovesDuringItsCampaign(t *testing.T) {
	t.Parallel()
	m := newMover(t, 60)
	m.await("calls", func() bool { return m.dials() >= 15 })

	// An integrator goes on. While the rows are on their way, it is told to come again.
	ctx, stop := context.WithCancel(t.Context())
	var asked, late, refused atomic.Int64
	var integrating sync.WaitGroup
	integrating.Go(func() {
		for ctx.Err() == nil {
			switch status := m.me(m.s.localURL, m.moves.api.key); status {
			case http.StatusOK, http.StatusTooManyRequests:
				asked.Add(1)
			case http.StatusServiceUnavailable:
				late.Add(1)
			default:
				refused.Add(1)
				t.Errorf("the key was answered with %d", status)
			}
			time.Sleep(50 * time.Millisecond)
		}
	})
	said, err := m.move(nil, "--to", "2", "--wait", "2m")
	if err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	if !strings.HasSuffix(said, "Moved: the organization works in cell 2.\n") {
		t.Error(said)
	}
	t.Log(said)
	if n := m.count(2, `select count(*) from call where campaign_id = $1`, m.campaign); n < 15 || n == m.recipients {
		t.Errorf("the campaign had placed %d calls when it moved", n)
	}
	m.finish(2)
	stop()
	integrating.Wait()
	t.Logf("%d requests were answered, %d were told to come again", asked.Load(), late.Load())
	if status := m.me(m.s.localURL, m.moves.api.key); status != http.StatusOK && status != http.StatusTooManyRequests {
		t.Errorf("the key is answered with %d", status)
	}
}

var errKilled = errors.New("killed")

// The steps of a move, each of which is a transaction.
var moveSteps = []string{"stopping", "closed", "outgoing", "swept", "claimed", "copied", "arrived", "finished"}

// A command that ends between two steps, or twice, is run again and continues. In between, the organization is in one
// cell at most.
func TestAMoveContinuesAfterAnInterruption(t *testing.T) {
	t.Parallel()
	m := newMover(t, 40)
	m.await("calls", func() bool { return m.dials() >= 10 })
	for i, step := range moveSteps {
		said, err := m.move(func(done string) error {
			if done == step {
				return errKilled
			}
			return nil
		}, "--to", "2", "--wait", "2m")
		if !errors.Is(err, errKilled) {
			t.Fatalf("at %s: %v: %s", step, err, said)
		}
		here, there := m.count(1, `select count(*) from organization where id = $1`, m.id()),
			m.count(2, `select count(*) from organization where id = $1`, m.id())
		if want := i >= slices.Index(moveSteps, "arrived"); here+there > 1 || (there == 1) != want {
			t.Errorf("after %s, %d are in cell 1 and %d in cell 2", step, here, there)
		}
		status := m.me(m.s.localURL, m.moves.api.key)
		switch {
		case i > 0 && i < slices.Index(moveSteps, "arrived"):
			if status != http.StatusServiceUnavailable {
				t.Errorf("after %s, the key is answered with %d", step, status)
			}
		case i == 0 && status != http.StatusOK:
			t.Errorf("after %s, the key is answered with %d", step, status)
		}
	}
	m.finish(2)
	m.await("the key", func() bool { return m.me(m.s.localURL, m.moves.api.key) == http.StatusOK })
}

// A move that was interrupted before it arrived can be undone. Then the campaign goes on where it was.
func TestAMoveIsUndone(t *testing.T) {
	t.Parallel()
	m := newMover(t, 40)
	m.await("calls", func() bool { return m.dials() >= 10 })
	for _, step := range moveSteps[:6] {
		_, err := m.move(func(done string) error {
			if done == step {
				return errKilled
			}
			return nil
		}, "--to", "2", "--wait", "2m")
		if !errors.Is(err, errKilled) {
			t.Fatalf("at %s: %v", step, err)
		}
		if step == "copied" { // the way back is interrupted, too
			if _, err := m.move(func(string) error { return errKilled }, "--back"); !errors.Is(err, errKilled) {
				t.Fatal(err)
			}
			if said, err := m.move(nil, "--to", "2"); err == nil {
				t.Errorf("an organization that returns has moved: %s", said)
			}
		}
		if said, err := m.move(nil, "--back"); err != nil {
			t.Fatalf("back from %s: %v: %s", step, err, said)
		}
		m.checkNothingIsLeft(1)
		if n := m.count(1, `select count(*) from organization where id = $1 and calling_stopped_at is null`,
			m.id()); n != 1 {
			t.Errorf("back from %s, the organization may not call", step)
		}
	}
	if _, err := m.move(nil, "--back"); err == nil {
		t.Error("a move that is no longer on was undone")
	}
	m.finish(1)
}

// A call that does not end in time keeps the organization where it is, and it calls on.
func TestAMoveIsGivenUp(t *testing.T) {
	t.Parallel()
	m := newMover(t, 30)
	m.await("calls", func() bool { return m.dials() >= 5 })
	said, err := m.move(nil, "--to", "2", "--wait", "1ms")
	if err == nil || !strings.Contains(err.Error(), "is still busy after 1ms") ||
		!strings.HasSuffix(err.Error(), "works on in cell 1") {
		t.Errorf("%v: %s", err, said)
	}
	m.checkNothingIsLeft(1)
	m.finish(1)
}

// A person with organizations in two cells has one account in each. After a move to the other cell they have the one
// that was there. What can't be moved is refused in one line, and changes nothing.
func TestAMoveOfPeopleAndWhatIsRefused(t *testing.T) {
	t.Parallel()
	c := newCellular(t, 2)
	const password = "quite a long pass phrase"
	for cell, name := range []string{"One", "Two"} {
		c.run(0, []string{
			"user", "create", "--org", name, "--email", "eve@example.com", "--cell", fmt.Sprint(cell + 1),
		},
			"DIALWRIGHT_PASSWORD", password)
		c.run(0, []string{"user", "create", "--org", name, "--email", name + "@example.com"},
			"DIALWRIGHT_PASSWORD", password)
	}
	c.run(0, []string{"user", "create", "--org", "Three", "--email", "three@example.com", "--cell", "1"},
		"DIALWRIGHT_PASSWORD", password)
	exec := func(in int, sql string) {
		t.Helper()
		if _, err := c.cells[in-1].Pool.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	refused := func(want string, args ...string) {
		t.Helper()
		if said := c.run(1, args); !strings.Contains(said, want) || strings.Count(said, "\n") != 1 {
			t.Errorf("%v: %s", args, said)
		}
	}
	refused("is in cell 1 already", "organization", "move", "One", "--to", "1")
	refused("Cell 3 not found", "organization", "move", "One", "--to", "3")
	refused("Organization not found", "organization", "move", "Four", "--to", "2")
	refused("no move of it is unfinished", "organization", "move", "One", "--back")
	if said := c.run(2, []string{"organization", "move", "One"}); !strings.Contains(said, "--to is required") {
		t.Error(said)
	}
	exec(2, `update schema_migrations set version = version + 1`)
	refused("Run `dialwright migrate` first", "organization", "move", "One", "--to", "2")
	exec(2, `update schema_migrations set version = version - 1`)

	exec(1, `insert into membership (organization_id, user_id, role)
		select o.id, u.id, 'staff' from organization o, app_user u
		where o.name = 'Three' and u.email = 'eve@example.com'`)

	// One and Three send from numbers of one portfolio.
	exec(1, `
		insert into messaging_scope (id, kind, external_id, recipients)
		values (gen_random_uuid(), 'portfolio', 'p', 0)`)
	exec(1, `
		insert into messaging_connection (id, organization_id, name, account, credentials, portfolio)
		select gen_random_uuid(), id, name, name, '', 'p' from organization where name in ('One', 'Three')`)
	exec(1, `
		insert into messaging_number (id, organization_id, connection_id, scope_id, external_id)
		select gen_random_uuid(), m.organization_id, m.id, s.id, m.name from messaging_connection m, messaging_scope s`)
	refused("share a limit with those of Three (", "organization", "move", "One", "--to", "2")

	// The other cell has what must be there only once.
	const signOn = `
		insert into single_sign_on (organization_id, address, label, issuer, client_id, client_secret, domains,
			creates_members, role_claim, admin_values, manager_values, staff_values, passwords_off)
		select id, 'acme', '', '', '', '', '{}', false, '', '{}', '{}', '{}', false from organization
		where name in ('Two', 'Three')`
	exec(1, signOn)
	exec(2, signOn)
	refused(`cell 2 has the single sign-on address "acme" already`, "cell", "move", "1", "--to", "2")
	exec(2, `delete from single_sign_on`)

	// A cell that was a deployment of its own would call erased numbers.
	var key []byte
	if err := c.cells[1].Pool.QueryRow(t.Context(), `select sealed from number_key`).Scan(&key); err != nil {
		t.Fatal(err)
	}
	vault, err := seal.NewVault(must(base64.StdEncoding.DecodeString(testMasterKey)))
	if err != nil {
		t.Fatal(err)
	}
	own := vault.Seal(make([]byte, 32), seal.Cell{Table: "number_key", Column: "sealed", Row: "key"})
	exec(1, `
		insert into do_not_call (id, organization_id, channel, number_hash, source)
		select gen_random_uuid(), id, 'voice', '\x01', 'erasure' from organization where name = 'Three'`)
	setKey := func(sealed []byte) {
		if _, err := c.cells[1].Pool.Exec(t.Context(), `update number_key set sealed = $1`, sealed); err != nil {
			t.Fatal(err)
		}
	}
	setKey(own)
	refused("can't recognize them", "cell", "move", "1", "--to", "2")
	setKey(key)

	said := c.run(0, []string{"cell", "move", "1", "--to", "2"})
	if !strings.Contains(said, "One, Three has arrived in cell 2.") {
		t.Error(said)
	}
	var left, accounts, memberships int
	if err := c.cells[0].Pool.QueryRow(t.Context(), `
		select (select count(*) from organization) + (select count(*) from app_user)
			+ (select count(*) from messaging_scope)`).Scan(&left); err != nil || left != 0 {
		t.Errorf("%d rows are left (%v)", left, err)
	}
	if err := c.cells[1].Pool.QueryRow(t.Context(), `
		select count(distinct u.id), count(*) from app_user u join membership m on m.user_id = u.id
		where u.email = 'eve@example.com'`).Scan(&accounts, &memberships); err != nil || accounts != 1 ||
		memberships != 3 {
		t.Errorf("%d accounts, %d memberships (%v)", accounts, memberships, err)
	}
	s := runServer(t, "20", c.env())
	if page := c.signIn(s.localURL, "one@example.com"); !strings.Contains(page, "One") {
		t.Errorf("after the sign-in it says\n%s", page)
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
