package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/carrier/sandbox"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/hours"
	"github.com/dialwright/dialwright/internal/postgres/pgtest"
	"github.com/dialwright/dialwright/internal/project"
)

// beTheBinary makes the test program the product itself: the tests of whole
// processes start it again, so that they run what was just compiled.
const beTheBinary = "DIALWRIGHT_TEST_BE_THE_BINARY"

func TestMain(m *testing.M) {
	if os.Getenv(beTheBinary) != "" {
		main()
	}
	os.Exit(m.Run())
}

// product is the product as a process.
func product(t *testing.T, env ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), append(env, beTheBinary+"=1")...)
	return cmd
}

const (
	crashPeople      = 300
	crashMaxAttempts = 2
	leastKills       = 12 // of which at least
	leastHeld        = 3  // while the sandbox held a dial request it had recorded and not answered, and
	leastBroken      = 3  // with a line open
	mostKills        = 40 // a run that needs more does not meet its moments
	crashPatience    = 4 * time.Minute
	finishPoll       = 100 * time.Millisecond
)

// The server is killed again and again in the middle of a campaign, with
// kill -9, at the worst moments. The sandbox, a process of its own, is the
// witness: it remembers every dial request and every word. So does a receiver of
// webhooks with every event.
func TestKilledServerCallsNobodyTwiceAndForgetsNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("takes about a minute")
	}
	c := newCrash(t)
	c.startServer()
	c.createWebhook()
	c.createCampaign()
	c.kill()
	c.finish()

	dials, calls, recipients := c.dials(), c.calls(), c.recipients()
	c.checkDials(dials, calls)
	c.checkWords(dials, calls)
	c.checkCounters(calls, recipients)
	c.checkEvents(calls, recipients)
}

// crash is one run.
type crash struct {
	t   *testing.T
	ctx context.Context // ends when patience does
	db  *pgtest.DB

	token, sandboxURL string
	url, address      string // of the server
	log               *os.File
	server            *exec.Cmd
	exited            chan struct{} // closed when the server has
	receiver          *crashReceiver

	actor                  account.Actor
	accounts               *account.Service
	key                    string
	used                   int // requests made with the key
	project, agent, number uuid.UUID
	campaign               string

	kills        []time.Time
	held, broken int // kills that met those moments
}

func newCrash(t *testing.T) *crash {
	ctx, cancel := context.WithTimeout(t.Context(), crashPatience)
	t.Cleanup(cancel)
	c := &crash{t: t, ctx: ctx, db: pgtest.New(t), token: strings.Repeat("s", 32)}
	c.prepare()

	var err error
	if c.log, err = os.Create(filepath.Join(t.TempDir(), "server.log")); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		c.log.Close()
		if t.Failed() {
			text, _ := os.ReadFile(c.log.Name())
			t.Logf("the end of the server's log:\n%s", text[max(0, len(text)-8000):])
		}
	})
	c.startSandbox()
	c.receiver = newCrashReceiver(t)

	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c.address = free.Addr().String() // the same for every start
	c.url = "http://" + c.address
	free.Close()
	return c
}

// startSandbox starts the witness. Its time runs 20 times as fast as life: a
// conversation takes some two seconds.
func (c *crash) startSandbox() {
	cmd := product(c.t, "DIALWRIGHT_SANDBOX_TOKEN="+c.token)
	cmd.Args = append(cmd.Args, "sandbox", "--addr", "127.0.0.1:0", "--sandbox-speed", "20", "--log-level", "error")
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		c.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	lines := bufio.NewScanner(out)
	for c.sandboxURL == "" && lines.Scan() {
		if at := strings.Index(lines.Text(), "http://"); at >= 0 {
			c.sandboxURL = lines.Text()[at:]
		}
	}
	if c.sandboxURL == "" {
		c.t.Fatal("the sandbox did not say where it listens")
	}
	go io.Copy(io.Discard, out)
}

// startServer returns when the server answers.
func (c *crash) startServer() {
	c.t.Helper()
	cmd := product(c.t, "DATABASE_URL="+c.db.URL, "DIALWRIGHT_MASTER_KEY="+testMasterKey, "DIALWRIGHT_SANDBOX_TOKEN="+c.token,
		"DIALWRIGHT_WEBHOOK_ALLOW=127.0.0.1")
	cmd.Args = append(cmd.Args, "serve", "--addr", c.address, "--metrics-addr=", "--log-level", "warn", "--pool", "20", "--sandbox-url", c.sandboxURL, "--data", c.t.TempDir())
	cmd.Stderr = c.log
	if err := cmd.Start(); err != nil {
		c.t.Fatal(err)
	}
	exited := make(chan struct{})
	c.server, c.exited = cmd, exited
	go func() {
		_ = cmd.Wait() // that it was killed, mostly
		close(exited)
	}()
	c.t.Cleanup(func() {
		_ = cmd.Process.Kill()
		<-exited
	})
	c.await("the server answers", 2*time.Millisecond, func() bool {
		res, err := http.Get(c.url + "/readyz")
		if err != nil {
			return false
		}
		res.Body.Close()
		return res.StatusCode == http.StatusOK
	})
}

// killServer is kill -9; nothing of the process is left when it returns.
func (c *crash) killServer() {
	if err := c.server.Process.Kill(); err != nil {
		c.t.Fatal(err)
	}
	c.kills = append(c.kills, time.Now())
	<-c.exited
	c.exited = nil
}

// await looks again and again until something is so. A server that ends by
// itself meanwhile has failed.
func (c *crash) await(what string, gap time.Duration, so func() bool) {
	c.t.Helper()
	for !so() {
		select {
		case <-time.After(gap):
		case <-c.exited: // nil while it is killed
			c.t.Fatalf("waited in vain: %s; the server has ended by itself: %s", what, c.server.ProcessState)
		case <-c.ctx.Done():
			c.t.Fatalf("waited in vain: %s", what)
		}
	}
}

// prepare makes what the campaign is made of, as a person would in the dashboard.
func (c *crash) prepare() {
	secret, err := base64.StdEncoding.DecodeString(testMasterKey)
	c.must(err)
	vault, err := account.NewVault(secret)
	c.must(err)
	c.accounts = account.New(c.db.Pool, vault)
	projects := project.New(c.db.Pool, vault)
	organization, err := c.accounts.CreateOrganization(c.ctx, account.OrganizationSettings{Name: "Crash", TimeZone: "UTC", Region: "US"})
	c.must(err)
	c.actor = account.System(organization.ID)

	p, err := projects.CreateProject(c.ctx, c.actor, project.Settings{Name: "Crash", TimeZone: "UTC", Region: "US", CallingHours: hours.Always()})
	c.must(err)
	agent, err := projects.CreateAgent(c.ctx, c.actor, project.AgentSettings{Name: "Ada", Script: conversation.Script{
		Language: "en-US", Greeting: "Hello, this is Ada.",
		Questions: []conversation.Question{
			{Key: "rating", Ask: "On a scale from 0 to 10, how do you rate us?", Expect: conversation.Number},
			{Key: "happy", Ask: "Are you happy with our work?", Expect: conversation.YesNo},
			{Key: "wish", Ask: "What is the one thing we could do better?", Expect: conversation.Text},
		},
		Goodbye: "Thank you, good-bye.", VoicemailMessage: "This is Ada. I will call again. Good-bye.",
	}})
	c.must(err)
	connection, err := projects.CreateConnection(c.ctx, c.actor, project.NewConnection{
		Kind: project.Sandbox, ConnectionSettings: project.ConnectionSettings{Name: "Sandbox"},
	})
	c.must(err)
	number, err := projects.CreatePhoneNumber(c.ctx, c.actor, project.NewPhoneNumber{
		ConnectionID: connection.ID, PhoneNumber: "+13125550100", NumberSettings: project.NumberSettings{Voice: true},
	})
	c.must(err)
	c.project, c.agent, c.number = p.ID, agent.ID, number.ID
}

func (c *crash) must(err error) {
	c.t.Helper()
	if err != nil {
		c.t.Fatal(err)
	}
}

// createCampaign asks for it as an integrator would.
func (c *crash) createCampaign() {
	var recipients []map[string]string
	add := func(count int, block string) {
		for range count {
			recipients = append(recipients, map[string]string{"phone_number": fmt.Sprintf("%s%04d", block, len(recipients))})
		}
	}
	for block, count := range map[string]int{ // what becomes of them is in README.md
		"00": 30, "01": 20, "02": 20, "03": 20, "04": 15, "05": 15, "06": 8, "07": 8, "08": 10, "09": 6, "10": 20, "11": 10, "12": 3, "13": 5,
	} {
		add(count, "+15005"+block)
	}
	add(crashPeople-len(recipients), "+1312555")

	var created struct{ ID string }
	c.api(http.MethodPost, "/campaigns", map[string]any{
		"name": "Crash", "project_id": c.project, "agent_id": c.agent, "phone_number_id": c.number, "recipients": recipients,
		"max_concurrency": 25, "calls_per_second": 25, "voicemail_action": "leave_message", "max_duration_seconds": 3600,
		"retry": map[string]any{"max_attempts": crashMaxAttempts, "delays_minutes": []int{0}, "on": []string{"busy", "no_answer", "voicemail", "failed"}},
	}, &created)
	c.campaign = created.ID
}

// api asks the server. A key may ask 60 times a minute; then another takes over.
func (c *crash) api(method, path string, body, answer any) {
	c.t.Helper()
	if c.used%account.RateLimit == 0 {
		var err error
		_, c.key, err = c.accounts.CreateKey(c.ctx, c.actor, account.NewKey{Name: fmt.Sprintf("Key %d", c.used/account.RateLimit)})
		c.must(err)
	}
	c.used++
	text, err := json.Marshal(body)
	c.must(err)
	c.ask(method, c.url+"/api/v1"+path, func(req *http.Request) { req.Header.Set("Authorization", "Bearer "+c.key) }, bytes.NewReader(text), answer)
}

// witness asks the sandbox.
func (c *crash) witness(method, path string, answer any) {
	c.t.Helper()
	c.ask(method, c.sandboxURL+"/sandbox/"+path, func(req *http.Request) { req.SetBasicAuth("test", c.token) }, nil, answer)
}

func (c *crash) ask(method, url string, authorize func(*http.Request), body io.Reader, answer any) {
	c.t.Helper()
	req, err := http.NewRequestWithContext(c.ctx, method, url, body)
	c.must(err)
	authorize(req)
	res, err := http.DefaultClient.Do(req)
	c.must(err)
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	c.must(err)
	if res.StatusCode >= 300 {
		c.t.Fatalf("%s %s: %s: %s", method, url, res.Status, text)
	}
	if answer != nil {
		c.must(json.Unmarshal(text, answer))
	}
}

func (c *crash) state() (s sandbox.State) {
	c.t.Helper()
	c.witness(http.MethodGet, "state", &s)
	return s
}

func (c *crash) dials() []sandbox.Dial {
	c.t.Helper()
	var answer struct{ Dials []sandbox.Dial }
	c.witness(http.MethodGet, "dials", &answer)
	return answer.Dials
}

func (c *crash) delayAnswers(d time.Duration) {
	c.t.Helper()
	c.witness(http.MethodPut, fmt.Sprintf("answer-delay?ms=%d", d.Milliseconds()), nil)
}

func (c *crash) completed() (done bool) {
	c.t.Helper()
	c.must(c.db.Pool.QueryRow(c.ctx, `select ended_at is not null from campaign where id = $1`, c.campaign).Scan(&done))
	return done
}

// kill kills the server and starts it again, until it was killed often enough
// and at the moments that matter. A moment counts when the witness confirms,
// afterwards, that it was met.
func (c *crash) kill() {
	for len(c.kills) < leastKills || c.held < leastHeld || c.broken < leastBroken {
		if len(c.kills) == mostKills || c.completed() {
			c.t.Fatalf("%d kills, %d of them with a dial request held and %d with a line open", len(c.kills), c.held, c.broken)
		}
		// Some work between two kills, so that they meet all of the campaign.
		until := c.state().Dials + 15
		c.await("more calls", time.Millisecond, func() bool { return c.state().Dials >= until || c.completed() })
		switch len(c.kills) % 3 {
		case 0:
			c.killWhileDialling()
		case 1:
			c.killWhileTalking()
		case 2: // at any moment
			c.killServer()
			c.startServer()
		}
	}
	c.t.Logf("%d kills, %d of them with a dial request held and %d with a line open; %d dials so far",
		len(c.kills), c.held, c.broken, c.state().Dials)
}

// killWhileDialling kills the server while the sandbox holds a request: it has
// recorded it, the call goes its way, and nobody will ever hear the answer.
func (c *crash) killWhileDialling() {
	before := c.state().Dials
	c.delayAnswers(8 * time.Second) // the server gives up after 10
	c.await("a dial request is held", time.Millisecond, func() bool { return c.state().Unanswered > 0 || c.completed() })
	c.killServer()
	c.await("the sandbox has noticed", time.Millisecond, func() bool { return c.state().Unanswered == 0 })
	if slices.ContainsFunc(c.dials(), func(d sandbox.Dial) bool { return d.Number > before && d.AnsweredAt == nil }) {
		c.held++
	}
	c.delayAnswers(0)
	c.startServer()
}

// killWhileTalking kills the server while lines are open. One of them is opened
// again by the carrier: so its call was up, and the server was not done with it.
func (c *crash) killWhileTalking() {
	c.await("lines are open", time.Millisecond, func() bool { return c.state().Lines >= 4 || c.completed() })
	up := map[int]int{} // sessions of the calls that are up
	for _, d := range c.dials() {
		// A number that loses its line by itself proves nothing.
		if d.Sessions > 0 && d.EndedAt == nil && !strings.HasPrefix(d.To, "+150051") {
			up[d.Number] = d.Sessions
		}
	}
	c.killServer()
	c.startServer()
	c.await("a line is opened again", 5*time.Millisecond, func() bool {
		for _, d := range c.dials() {
			if sessions, was := up[d.Number]; was && d.Sessions > sessions {
				c.broken++
				return true
			} else if was && d.EndedAt != nil {
				delete(up, d.Number) // it was just about to end
			}
		}
		return len(up) == 0
	})
}

// finish lets the campaign complete. Calls that nobody will ever hear of again
// are waited for, for minutes, by the product's clock: when nothing else is
// left, that clock is moved on. A new process reads the new time, so each time
// the server is killed once more.
func (c *crash) finish() {
	quiet := 0
	c.await("the campaign completes", finishPoll, func() bool {
		if c.completed() {
			return true
		}
		var due bool
		c.must(c.db.Pool.QueryRow(c.ctx, `
			select exists (select from recipient where campaign_id = $1 and status = 'pending' and due_at <= clock())
			    or exists (select from call where campaign_id = $1 and ended_at is not null and settled_at is null)`, c.campaign).Scan(&due))
		if s := c.state(); due || s.Live > 0 || s.Unanswered > 0 {
			quiet = 0
		} else if quiet++; quiet == 10 {
			c.killServer()
			c.db.Advance(75 * time.Second)
			c.startServer()
			quiet = 0
		}
		return false
	})
}
