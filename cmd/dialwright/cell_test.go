package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/postgres/pgtest"
	"github.com/dialwright/dialwright/internal/testwait"
)

// cellular is a deployment with cells.
type cellular struct {
	t         *testing.T
	directory *pgtest.DB
	cells     []*pgtest.DB
}

func newCellular(t *testing.T, cells int) *cellular {
	t.Helper()
	c := &cellular{t: t, directory: pgtest.NewEmpty(t)}
	for range cells {
		c.add()
	}
	return c
}

// add adds a cell by the command.
func (c *cellular) add() {
	c.t.Helper()
	db := pgtest.New(c.t)
	c.cells = append(c.cells, db)
	said := c.run(0, []string{"cell", "add"}, "DIALWRIGHT_CELL_URL", db.URL)
	if !strings.HasPrefix(said, fmt.Sprintf("Cell %d was added: ", len(c.cells))) {
		c.t.Fatal(said)
	}
}

// env returns the settings of a command.
func (c *cellular) env(more ...string) map[string]string {
	env := map[string]string{"DIALWRIGHT_DIRECTORY_URL": c.directory.URL, "DIALWRIGHT_MASTER_KEY": testMasterKey}
	for i := 0; i < len(more); i += 2 {
		env[more[i]] = more[i+1]
	}
	return env
}

// run runs a command and returns what it prints.
func (c *cellular) run(status int, args []string, more ...string) string {
	c.t.Helper()
	env := c.env(more...)
	var out bytes.Buffer
	if got := run(c.t.Context(), args, func(name string) string { return env[name] }, &out, &out); got != status {
		c.t.Fatalf("%v: status %d: %s", args, got, &out)
	}
	return out.String()
}

// A server with two cells runs the campaigns of both. Keys, callbacks, links and people find their cell, and commands
// find an organization wherever it is.
func TestCells(t *testing.T) {
	t.Parallel()
	c := newCellular(t, 2)
	s := runServer(t, "20", c.env())
	keys := make([]string, 2)
	for i, db := range c.cells {
		n := onSandbox(t, db, s.all()[i])
		keys[i] = n.api.key
		if !strings.HasPrefix(n.api.key, fmt.Sprintf("ik_live_%04x", i+1)) {
			t.Errorf("the key of cell %d is %.12s…", i+1, n.api.key)
		}
		agent := n.api.create("/agents", map[string]any{
			"name": "Ann", "language": "en-US", "greeting": "Hello!", "goodbye": "Goodbye.",
			"questions": []any{map[string]any{"key": "well", "ask": "Are you well?", "expect": "yes_no"}},
		})
		campaign := n.api.create("/campaigns", map[string]any{
			"name": "Spring", "project_id": n.project.ID, "agent_id": agent, "phone_number_id": n.number.ID,
			"calls_per_second": 100, "recipients": []any{map[string]any{"phone_number": "+15005000001", "name": "Ada"}},
		})
		n.await(`select ended_at is not null from campaign where id = $1`, campaign)
		n.await(`select outcome = 'completed' and answered_at is not null from call where campaign_id = $1`, campaign)
	}

	said := c.run(0, []string{"user", "create", "--org", "Elsewhere", "--email", "eve@example.com", "--cell", "2"},
		"DIALWRIGHT_PASSWORD", "quite a long pass phrase")
	if !strings.Contains(said, "eve@example.com is now admin of Elsewhere") {
		t.Error(said)
	}
	if page := c.signIn(s.localURL, "eve@example.com"); !strings.Contains(page, "Elsewhere") {
		t.Errorf("after the sign-in it says\n%s", page)
	}
	c.run(0, []string{"key", "create", "--org", "elsewhere", "--name", "Script"})
	if said := c.run(0, []string{"key", "list", "--org", "Elsewhere"}); !strings.Contains(said, "ik_live_0002…") {
		t.Error(said)
	}
	c.run(1, []string{"key", "list", "--org", "Acme"}) // both cells have one

	w := httptest.NewRecorder()
	s.metrics().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	for _, cell := range []string{"1", "2"} {
		series := fmt.Sprintf(`dialwright_queue_depth{cell="%s",queue="calls_to_settle"} `, cell)
		if !strings.Contains(w.Body.String(), series) {
			t.Errorf("no series %s", series)
		}
	}

	c.add() // beside the server
	c.run(0, []string{"user", "create", "--org", "Newest", "--email", "new@example.com"},
		"DIALWRIGHT_PASSWORD", "quite a long pass phrase") // in the empty cell
	c.await("the new cell", func() bool {
		return strings.Contains(c.signIn(s.localURL, "new@example.com"), "Newest")
	})
	c.run(0, []string{"cell", "drain", "3"})
	said = c.run(0, []string{"cell", "list"})
	for _, want := range []string{"1     open      1", "2     open      2", "3     draining  1"} {
		if !strings.Contains(said, "\n"+want) {
			t.Errorf("%q is not in\n%s", want, said)
		}
	}
	if said := c.run(0, []string{"key", "rotate-master"}); !strings.Contains(said, "cell 3") ||
		!strings.Contains(said, "directory") {
		t.Error(said)
	}
	c.run(0, []string{"migrate"})
	for i, key := range keys {
		if status := c.me(s.localURL, key); status != http.StatusOK {
			t.Errorf("the key of cell %d: %d", i+1, status)
		}
	}
}

// A cell whose database is away at the start takes only its own organizations along. It is served when it is back.
func TestACellThatIsAwayIsServedLater(t *testing.T) {
	t.Parallel()
	c := newCellular(t, 2)
	keys := make([]string, 2)
	for i, name := range []string{"One", "Two"} {
		c.run(0, []string{
			"user", "create", "--org", name, "--email", name + "@example.com", "--cell", fmt.Sprint(i + 1),
		},
			"DIALWRIGHT_PASSWORD", "quite a long pass phrase")
		keys[i] = strings.TrimSpace(c.run(0, []string{"key", "create", "--org", name, "--name", "Script"}))
	}
	c.connections(false)
	s := runServer(t, "20", c.env())
	if status := c.me(s.localURL, keys[0]); status != http.StatusOK {
		t.Errorf("the other cell answers %d", status)
	}
	if status := c.me(s.localURL, keys[1]); status != http.StatusServiceUnavailable {
		t.Errorf("the cell that is away answers %d", status)
	}
	if page := c.signIn(s.localURL, "one@example.com"); !strings.Contains(page, "One") {
		t.Errorf("after the sign-in it says\n%s", page)
	}
	if said := c.run(0, []string{"cell", "list"}); !strings.Contains(said, "2     unreachable") {
		t.Error(said)
	}
	if said := c.run(0, []string{"key", "list", "--org", "One"}); !strings.Contains(said, "ik_live_0001…") {
		t.Error(said)
	}
	c.connections(true)
	c.await("the cell", func() bool { return c.me(s.localURL, keys[1]) == http.StatusOK })
}

// count counts in a cell.
func (c *cellular) count(in int, query string, args ...any) (n int) {
	c.t.Helper()
	if err := c.cells[in-1].Pool.QueryRow(c.t.Context(), query, args...).Scan(&n); err != nil {
		c.t.Fatal(err)
	}
	return n
}

// await waits until something is served.
func (c *cellular) await(what string, served func() bool) {
	c.t.Helper()
	for began := time.Now(); !served(); time.Sleep(100 * time.Millisecond) {
		if time.Since(began) > testwait.Limit {
			c.t.Fatalf("%s is not served", what)
		}
	}
}

// connections lets the database of the second cell be reached, or not.
func (c *cellular) connections(allowed bool) {
	c.t.Helper()
	u, err := url.Parse(c.cells[1].URL)
	if err != nil {
		c.t.Fatal(err)
	}
	name := pgx.Identifier{strings.TrimPrefix(u.Path, "/")}.Sanitize()
	if !allowed {
		c.cells[1].Pool.Reset()
	}
	_, err = c.cells[0].Pool.Exec(c.t.Context(),
		fmt.Sprintf(`alter database %s allow_connections %t`, name, allowed))
	if err != nil {
		c.t.Fatal(err)
	}
}

// me asks a server whose a key is, and returns the status.
func (c *cellular) me(at, key string) int {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(c.t.Context(), testwait.Limit)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, at+"/api/v1/me", nil)
	if err != nil {
		c.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+key)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		c.t.Fatal(err)
	}
	res.Body.Close()
	return res.StatusCode
}

// signIn signs in with a browser of its own and returns the page that it sees.
func (c *cellular) signIn(at, email string) string {
	c.t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		c.t.Fatal(err)
	}
	browser := &http.Client{Jar: jar, Timeout: testwait.Limit}
	res, err := browser.PostForm(at+"/sign-in", url.Values{"email": {email}, "password": {"quite a long pass phrase"}})
	if err != nil {
		c.t.Fatal(err)
	}
	defer res.Body.Close()
	page, err := io.ReadAll(res.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	return string(page)
}
