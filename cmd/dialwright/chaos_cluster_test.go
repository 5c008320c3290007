package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/dialwright/dialwright/api"
	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/app"
	"github.com/dialwright/dialwright/internal/app/apptest"
	"github.com/dialwright/dialwright/internal/browsertest"
	"github.com/dialwright/dialwright/internal/carrier/sandbox"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/hours"
	modelconn "github.com/dialwright/dialwright/internal/model/connection"
	model "github.com/dialwright/dialwright/internal/model/sandbox"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/postgres/pgtest"
	"github.com/dialwright/dialwright/internal/project"
	"github.com/dialwright/dialwright/internal/seal"
)

// beTheBinary makes the test program run the product. Tests of whole processes start the test program this way, so
// that they test the current code.
const beTheBinary = "DIALWRIGHT_TEST_BE_THE_BINARY"

func TestMain(m *testing.M) {
	if os.Getenv(beTheBinary) != "" {
		main()
	}
	browsertest.Main(m)
}

// product returns a command that runs the product.
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

// chaos is a run: a database, the sandbox, a network in front of two servers, and a receiver of webhooks.
type chaos struct {
	t      *testing.T
	ctx    context.Context // ends after chaosPatience
	plan   chaosPlan
	seed   uint64
	random *rand.Rand

	url      string // of the database
	cells    string // of the directory of cells; "": there are no cells
	pool     *pgxpool.Pool
	advance  func(time.Duration) // moves the database's clock for new connections
	database *chaosDatabase      // nil if the run has no database server of its own
	pooler   *chaosPooler        // nil if the servers connect to the database itself
	cluster  *chaosHA            // nil unless the database is a cluster

	program           string // of the servers; "": this one
	token, sandboxURL string
	servers           []*chaosServer
	network           *chaosNetwork
	receiver          *chaosReceiver

	actor                  account.Actor
	accounts               *account.Service
	app                    *app.App // the test's own app, on the same database
	key                    string
	used                   int // requests made with the key
	project, agent, number uuid.UUID
	campaign               string
	traffic                chaosTraffic

	harms    []harm
	upgraded bool            // the run was an upgrade
	struck   map[string]bool // addresses of the servers that the current harm has stopped
	cutLines bool            // the current harm has cut the connections of lines
}

func newChaos(t *testing.T, plan chaosPlan, seed uint64) *chaos {
	ctx, cancel := context.WithTimeout(t.Context(), chaosPatience)
	t.Cleanup(cancel)
	c := &chaos{t: t, ctx: ctx, plan: plan, seed: seed, random: newRandom(seed), token: strings.Repeat("s", 32)}
	switch {
	case plan.cluster:
		c.cluster = newChaosHA(c)
	case plan.ownDatabase:
		c.database = newChaosDatabase(c)
	default:
		db := pgtest.New(t)
		c.url, c.pool, c.advance = db.URL, db.Pool, db.Advance
	}
	if plan.pooler != "" {
		c.pooler = newChaosPooler(c)
	}
	c.prepare()
	c.startSandbox()
	c.receiver = newChaosReceiver(t)
	for i := range 2 {
		c.servers = append(c.servers, newChaosServer(c, i))
	}
	c.network = newChaosNetwork(c, seed)
	return c
}

// startSandbox starts the sandbox. Its time is 30 times as fast as real time, so a conversation takes a second or two.
func (c *chaos) startSandbox() {
	cmd := product(c.t, "DIALWRIGHT_SANDBOX_TOKEN="+c.token)
	cmd.Args = append(cmd.Args, "sandbox", "--addr", "127.0.0.1:0", "--sandbox-speed", "30", "--log-level", "error")
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	c.must(err)
	c.must(cmd.Start())
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
	go io.Copy(io.Discard, out) //nolint:errcheck // until the sandbox ends
}

// chaosServer is a server. It keeps its address after each restart.
type chaosServer struct {
	c       *chaos
	address string
	data    string
	log     *os.File
	process *exec.Cmd
	exited  chan struct{} // closed when the process has exited; nil while it is killed
}

func newChaosServer(c *chaos, number int) *chaosServer {
	free, err := net.Listen("tcp", "127.0.0.1:0")
	c.must(err)
	s := &chaosServer{c: c, address: free.Addr().String(), data: c.t.TempDir()}
	free.Close()
	// go test -artifacts keeps the log.
	s.log, err = os.Create(filepath.Join(c.t.ArtifactDir(), fmt.Sprintf("server%d.log", number)))
	c.must(err)
	c.t.Cleanup(func() {
		if s.exited != nil {
			_ = s.process.Process.Kill()
			<-s.exited
		}
		_ = s.log.Close() // the text is read below
		if c.t.Failed() {
			text, _ := os.ReadFile(s.log.Name())
			c.t.Logf("the end of the log of server %d:\n%s", number, text[max(0, len(text)-8000):])
		}
	})
	return s
}

// launch starts the process and does not wait.
func (s *chaosServer) launch() {
	c := s.c
	database := "DATABASE_URL=" + c.url
	if c.cells != "" {
		database = "DIALWRIGHT_DIRECTORY_URL=" + c.cells
	}
	cmd := product(c.t, database, "DIALWRIGHT_MASTER_KEY="+testMasterKey, "DIALWRIGHT_SANDBOX_TOKEN="+c.token,
		"DIALWRIGHT_WEBHOOK_ALLOW=127.0.0.1")
	if c.program != "" {
		cmd.Path = c.program
	}
	cmd.Args = append(cmd.Args, "serve", "--addr", s.address, "--public-url", c.network.url, "--metrics-addr=",
		"--log-level", "warn",
		"--pool", "12", "--drain", "10s", "--sandbox-url", c.sandboxURL, "--data", s.data)
	cmd.Stderr = s.log
	c.must(cmd.Start())
	exited := make(chan struct{})
	s.process, s.exited = cmd, exited
	go func() {
		_ = cmd.Wait() // usually the error says that the process was killed
		close(exited)
	}()
}

// start starts the server and waits until it answers.
func (s *chaosServer) start() {
	s.c.t.Helper()
	s.launch()
	s.ready()
}

// ready waits until the server is ready.
func (s *chaosServer) ready() {
	s.c.t.Helper()
	s.c.await("the server answers", func() bool {
		res, err := http.Get("http://" + s.address + "/readyz")
		if err != nil {
			return false
		}
		res.Body.Close()
		return res.StatusCode == http.StatusOK
	})
}

// startAll starts the servers concurrently.
func (c *chaos) startAll() {
	c.t.Helper()
	for _, s := range c.servers {
		s.launch()
	}
	for _, s := range c.servers {
		s.ready()
	}
}

// kill sends kill -9 and waits until the process has ended.
func (s *chaosServer) kill() {
	s.c.t.Helper()
	s.c.struck[s.address] = true
	s.c.must(s.process.Process.Kill())
	<-s.exited
	s.exited = nil
}

// await polls until so returns true. It fails the test if a server ends unexpectedly.
func (c *chaos) await(what string, so func() bool) {
	c.t.Helper()
	for !so() {
		for _, s := range c.servers {
			select {
			case <-s.exited: // nil while it is killed
				c.t.Fatalf("waited in vain: %s; a server has ended by itself: %s", what, s.process.ProcessState)
			default:
			}
		}
		select {
		case <-time.After(5 * time.Millisecond):
		case <-c.ctx.Done():
			c.t.Fatalf("waited in vain: %s", what)
		}
	}
}

// exec and row run SQL. They retry while the database is unavailable.
func (c *chaos) exec(sql string, args ...any) {
	c.t.Helper()
	c.await("the database answers", func() bool {
		_, err := c.pool.Exec(c.ctx, sql, args...)
		return err == nil
	})
}

func (c *chaos) row(sql string, args []any, into ...any) {
	c.t.Helper()
	var err error
	c.await("the database answers", func() bool {
		err = c.pool.QueryRow(c.ctx, sql, args...).Scan(into...)
		return err == nil
	})
}

// waiting returns how many recipients have not reached their final status.
func (c *chaos) waiting() (n int) {
	c.t.Helper()
	c.row(`select total - completed - failed - skipped - canceled - expired from campaign where id = $1`,
		[]any{c.campaign}, &n)
	return n
}

// chaosDatabase is the run's own database server, with the normal durability.
type chaosDatabase struct {
	dir    string
	server *postgres.Embedded
}

func newChaosDatabase(c *chaos) *chaosDatabase {
	pgtest.Server(c.t) // skips if PostgreSQL is not installed
	dir, err := os.MkdirTemp("", "dw")
	c.must(err)
	c.must(os.Chmod(dir, 0o711)) // if this is root, the server's user must pass through dir
	d := &chaosDatabase{dir: dir}
	d.start(c)
	home := d.server.Home()
	c.t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		_ = d.server.Stop(ctx) // kills the server when ctx ends
		for _, path := range []string{dir, home, home + ".lock"} {
			_ = os.RemoveAll(path)
		}
	})
	c.url = d.server.URL()
	c.program = c.plan.previous
	c.open()
	return d
}

// open migrates and opens the run's own database.
func (c *chaos) open() {
	var err error
	if c.program == "" {
		c.must(postgres.Migrate(c.ctx, c.url))
	} else {
		migrate := exec.Command(c.program, "migrate")
		migrate.Env = append(os.Environ(), "DATABASE_URL="+c.url, "DIALWRIGHT_MASTER_KEY="+testMasterKey)
		if text, err := migrate.CombinedOutput(); err != nil {
			c.t.Fatalf("%s migrate: %v: %s", c.program, err, text)
		}
	}
	c.pool, err = postgres.Open(c.ctx, postgres.Options{URL: c.url, MaxConns: 4, Name: "chaos"})
	c.must(err)
	c.t.Cleanup(c.pool.Close)
	var ahead time.Duration
	c.advance = func(by time.Duration) {
		ahead += by
		c.exec(fmt.Sprintf(`alter database dialwright set dialwright.clock_offset = '%d milliseconds'`,
			ahead.Milliseconds()))
		c.pool.Reset()
	}
}

func (d *chaosDatabase) start(c *chaos) {
	c.t.Helper()
	var err error
	d.server, err = postgres.StartEmbedded(c.ctx, postgres.EmbeddedOptions{Dir: d.dir})
	c.must(err)
}

// restart stops the database, waits a moment, and starts it again. It returns when the servers are ready again.
func (d *chaosDatabase) restart(c *chaos, crash bool) {
	if crash {
		c.must(syscall.Kill(d.server.PID(), syscall.SIGQUIT))
		<-d.server.Exited()
	}
	_ = d.server.Stop(c.ctx) // after a crash it only releases the directory
	c.pause(500 * time.Millisecond)
	d.start(c)
	if d.server.URL() != c.url {
		c.t.Fatalf("the database has moved from %s to %s", c.url, d.server.URL())
	}
	for _, s := range c.servers {
		s.ready()
	}
}

// chaosNumber is the number that calls and that people call.
const chaosNumber = "+13125550100"

// prepare creates the parts of the campaign, as a person does in the dashboard.
func (c *chaos) prepare() {
	secret, err := base64.StdEncoding.DecodeString(testMasterKey)
	c.must(err)
	vault, err := seal.NewVault(secret)
	c.must(err)
	c.app = apptest.New(c.t, c.pool, api.Reference, func(o *app.Options) { o.Vault = vault })
	c.accounts = c.app.Accounts
	projects := c.app.Projects
	organization, err := c.accounts.CreateOrganization(c.ctx, account.OrganizationSettings{
		Name: "Chaos", TimeZone: "UTC", Region: "US",
	})
	c.must(err)
	c.actor = account.System(organization.ID)

	p, err := projects.CreateProject(c.ctx, c.actor, project.Settings{
		Name: "Chaos", TimeZone: "UTC", Region: "US", CallingHours: hours.Always(),
	})
	c.must(err)
	agent := c.prepareAgent(p.ID)
	connection, err := projects.CreateConnection(c.ctx, c.actor, project.NewConnection{
		Kind: project.Sandbox, ConnectionSettings: project.ConnectionSettings{Name: "Sandbox"},
	})
	c.must(err)
	number, err := projects.CreatePhoneNumber(c.ctx, c.actor, project.NewPhoneNumber{
		ConnectionID: connection.ID, PhoneNumber: chaosNumber, NumberSettings: project.NumberSettings{Voice: true},
	})
	c.must(err)
	c.project, c.agent, c.number = p.ID, agent, number.ID
	c.prepareTraffic(connection.ID)
}

// The versions of the agent: by its script, and held by a language model. Every recipient keeps one of them over
// retries.
const (
	scriptedVersion = 1
	modelVersion    = 2
	modelPercent    = 40
)

// prepareAgent creates an agent with both versions. It transfers whoever asks for a person to a desk that declines, and
// then to one that takes the call.
func (c *chaos) prepareAgent(projectID uuid.UUID) uuid.UUID {
	var desk project.Destination
	for _, number := range []string{"+15005700001", "+15005710002"} {
		next := project.DestinationSettings{ProjectID: projectID.String(), Name: "Desk " + number, PhoneNumber: number}
		if desk.ID != uuid.Nil {
			next.FallbackID = desk.ID.String()
		}
		var err error
		desk, err = c.app.Projects.CreateDestination(c.ctx, c.actor, next)
		c.must(err)
	}
	settings := project.AgentSettings{Name: "Ada", Script: conversation.Script{
		Language: "en-US", Greeting: "Hello, this is Ada.",
		Questions: []conversation.Question{
			{Key: "rating", Ask: "On a scale from 0 to 10, how do you rate us?", Expect: conversation.Number},
			{Key: "happy", Ask: "Are you happy with our work?", Expect: conversation.YesNo},
			{Key: "wish", Ask: "What is the one thing we could do better?", Expect: conversation.Text},
		},
		Goodbye: "Thank you, goodbye.", VoicemailMessage: chaosMessage,
		Transfer: &conversation.TransferSettings{Destinations: []uuid.UUID{desk.ID}, HumanID: &desk.ID},
	}}
	agent, err := c.app.Projects.CreateAgent(c.ctx, c.actor, settings)
	c.must(err)
	connection, err := c.app.Models.Create(c.ctx, c.actor, modelconn.NewConnection{
		Provider: modelconn.Sandbox, Name: "Model", Model: model.Model, Streams: new(max(c.plan.atOnce, 1)),
	})
	c.must(err)
	settings.Script.Model = &conversation.Model{
		Instructions: "Ask how the person rates us, and what we could do better.", ConnectionID: connection.ID,
	}
	_, err = c.app.Projects.UpdateAgent(c.ctx, c.actor, agent.ID, settings)
	c.must(err)
	_, err = c.app.Projects.PublishAgent(c.ctx, c.actor, agent.ID, project.Publishing{Note: "Held by a model"})
	c.must(err)
	_, err = c.app.Projects.PublishAgent(c.ctx, c.actor, agent.ID, project.Publishing{Version: new(scriptedVersion)})
	c.must(err)
	return agent.ID
}

func (c *chaos) must(err error) {
	c.t.Helper()
	if err != nil {
		c.t.Fatal(err)
	}
}

// createCampaign creates the campaign through the API, as an integrator does.
func (c *chaos) createCampaign() {
	var recipients []map[string]string
	add := func(count int, block string) {
		for range count {
			recipients = append(recipients, map[string]string{
				"phone_number": fmt.Sprintf("%s%04d", block, len(recipients)),
			})
		}
	}
	for block, count := range c.plan.people {
		add(count, "+15005"+block)
	}
	add(c.plan.ordinary, "+1312555")
	// Mix all kinds of recipients.
	c.random.Shuffle(len(recipients), func(i, j int) { recipients[i], recipients[j] = recipients[j], recipients[i] })

	var created struct{ ID string }
	c.api(http.MethodPost, "/campaigns", map[string]any{
		"name": "Chaos", "project_id": c.project, "agent_id": c.agent, "phone_number_id": c.number,
		"agent_version": map[string]any{
			"version": scriptedVersion,
			"split":   map[string]any{"version": modelVersion, "percent": modelPercent},
		},
		"recipients":      recipients,
		"max_concurrency": c.plan.atOnce, "calls_per_second": c.plan.perSecond, "voicemail_action": "leave_message",
		"max_duration_seconds": 3600,
		"retry": map[string]any{
			"max_attempts": chaosMaxAttempts, "delays_minutes": []int{0},
			"on": []string{"busy", "no_answer", "voicemail", "failed"},
		},
	}, &created)
	c.campaign = created.ID
}

// api sends a request to the servers. A key may send 60 requests a minute, so each key is replaced after 60 requests.
func (c *chaos) api(method, path string, body, answer any) {
	c.t.Helper()
	if c.used%account.RateLimit == 0 {
		var err error
		_, c.key, err = c.accounts.CreateKey(c.ctx, c.actor, account.NewKey{
			Name: fmt.Sprintf("Key %d", c.used/account.RateLimit),
		})
		c.must(err)
	}
	c.used++
	text, err := json.Marshal(body)
	c.must(err)
	c.ask(method, c.network.url+"/api/v1"+path, func(req *http.Request) {
		req.Header.Set("Authorization", "Bearer "+c.key)
	}, bytes.NewReader(text), answer)
}

// witness sends a request to the sandbox.
func (c *chaos) witness(method, path string, answer any) {
	c.t.Helper()
	c.ask(method, c.sandboxURL+"/sandbox/"+path, func(req *http.Request) {
		req.SetBasicAuth("test", c.token)
	}, nil, answer)
}

func (c *chaos) ask(method, url string, authorize func(*http.Request), body io.Reader, answer any) {
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

func (c *chaos) state() (s sandbox.State) {
	c.t.Helper()
	c.witness(http.MethodGet, "state", &s)
	return s
}

func (c *chaos) dials() []sandbox.Dial {
	c.t.Helper()
	var answer struct{ Dials []sandbox.Dial }
	c.witness(http.MethodGet, "dials", &answer)
	return answer.Dials
}

func (c *chaos) delayAnswers(d time.Duration) {
	c.t.Helper()
	c.witness(http.MethodPut, fmt.Sprintf("answer-delay?ms=%d", d.Milliseconds()), nil)
}
