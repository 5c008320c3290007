package main

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/dialwright/dialwright/api"
	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/app"
	"github.com/dialwright/dialwright/internal/demo/history"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/seal"
	"github.com/dialwright/dialwright/internal/suppression"
)

// This user signs in to the dashboard of every site.
const (
	email    = "bench@example.com"
	password = "correct horse battery staple"
)

// siteConnections is the size of a site's own pool.
const siteConnections = 8

// site is a database with an organization and all the parts that a campaign needs.
type site struct {
	history.History // contains only Parts before fillHistory
	*lab
	name string
	url  string
	env  []string // extra environment of its servers
	pool *pgxpool.Pool
	app  *app.App // uses pool
	keys []string
	keep bool         // the database outlives the scope
	used atomic.Int64 // number of requests made with the keys
}

// site creates a database of that name. The end of the scope drops it.
func (l *lab) site(ctx context.Context, name string, keys int) *site {
	l.exec(ctx, "create database "+name)
	s := &site{lab: l, name: name}
	l.cleanup(s.close)
	s.connect(ctx)
	s.Parts = must(history.Furnish(ctx, s.app))
	must(s.app.Accounts.CreateUser(ctx, account.System(s.OrganizationID), account.NewUser{
		Email:    email,
		Name:     "Bench",
		Password: password,
		Role:     account.Admin,
	}))
	s.makeKeys(ctx, keys)
	return s
}

// connect migrates and opens the database.
func (s *site) connect(ctx context.Context) {
	u := must(url.Parse(s.cluster.URL()))
	u.Path = "/" + s.name
	s.url = u.String()
	began := time.Now()
	check(postgres.Migrate(ctx, s.url))
	if took := time.Since(began); took > 10*time.Second {
		progress("migrated %s in %s", s.name, took.Round(time.Second))
	}
	s.pool = must(postgres.Open(ctx, postgres.Options{
		URL: s.url, MaxConns: siteConnections, Name: "bench", Prepare: suppression.Unlock(s.vault),
	}))
	s.app = must(newApp(s.pool, s.vault))
}

func (s *site) close() {
	if s.keep {
		return
	}
	if s.pool != nil {
		s.pool.Close()
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := attempt(func() { s.lab.exec(ctx, "drop database if exists "+s.name+" with (force)") }); err != nil {
		progress("drop the database %s: %v", s.name, err)
	}
}

// environment returns the environment variables that a server needs to open the site's database.
func (s *site) environment() []string {
	return []string{"DATABASE_URL=" + s.url, "DIALWRIGHT_MASTER_KEY=" + s.masterKey}
}

// newApp makes the product as the command serve does, for work in this process. It logs nothing and wakes only the
// loops of this process, unless set changes this.
func newApp(pool *pgxpool.Pool, vault *seal.Vault, set ...func(*app.Options)) (*app.App, error) {
	o := app.Options{
		Pool:      pool,
		Vault:     vault,
		Hub:       postgres.LocalHub(),
		Log:       slog.New(slog.DiscardHandler),
		Reference: api.Reference,
		Version:   "bench",
		PublicURL: "http://127.0.0.1",
		Sandbox:   app.Sandbox{URL: "http://127.0.0.1"}, // so that sites can have connections to it
	}
	for _, f := range set {
		f(&o)
	}
	return app.New(o)
}

// fillHistory writes a history with that number of calls.
func (s *site) fillHistory(ctx context.Context, calls int) {
	began := time.Now()
	s.History = must(history.Fill(ctx, s.pool, s.Parts, calls, func(what string) { progress("%s", what) }))
	progress("wrote %s calls in %s", count(calls), time.Since(began).Round(time.Second))
}

func (s *site) exec(ctx context.Context, sql string, args ...any) {
	_, err := s.pool.Exec(ctx, sql, args...)
	check(err)
}

// scan reads one row.
func (s *site) scan(ctx context.Context, sql string, args []any, into ...any) {
	check(s.pool.QueryRow(ctx, sql, args...).Scan(into...))
}

func (s *site) copyFrom(ctx context.Context, table string, columns []string, rows pgx.CopyFromSource) {
	must(s.pool.CopyFrom(ctx, pgx.Identifier{table}, columns, rows))
}

// makeKeys writes API keys like the product, but many at a time.
func (s *site) makeKeys(ctx context.Context, n int) {
	keys, uses := make([][]any, n), make([][]any, n)
	for i := range n {
		var random [32]byte
		rand.Read(random[:])
		digits := hex.EncodeToString(random[:])
		value := "ik_live_" + digits
		hash := sha256.Sum256([]byte(value))
		id := uuid.Must(uuid.NewV7())
		s.keys = append(s.keys, value)
		keys[i] = []any{
			id, s.OrganizationID, fmt.Sprintf("Key %d", i+1), hash[:],
			"ik_live_" + digits[:4] + "…" + digits[60:], []account.Scope{account.EveryScope},
		}
		uses[i] = []any{id}
	}
	s.copyFrom(ctx, "api_key", []string{"id", "organization_id", "name", "hash", "display", "scopes"},
		pgx.CopyFromRows(keys))
	s.copyFrom(ctx, "api_key_use", []string{"api_key_id"}, pgx.CopyFromRows(uses))
	s.exec(ctx, `vacuum analyze api_key, api_key_use`)
}

// key returns the next key in turn. With enough keys, none of them exceeds its rate limit. A key over its limit gets a
// 429, which fails the benchmark.
func (s *site) key() string { return s.keys[int(s.used.Add(1)-1)%len(s.keys)] }

// get returns a request to the API.
func (s *site) get(server *process, path string) request {
	return request{method: http.MethodGet, url: server.url + "/api/v1" + path, auth: "Bearer " + s.key()}
}

// post returns a request to the API with a body.
func (s *site) post(server *process, path string, body []byte, status int) request {
	q := s.get(server, path)
	q.method, q.kind, q.body, q.status = http.MethodPost, "application/json", body, status
	return q
}

// campaign contains the fields of the API's campaign that a benchmark reads.
type campaign struct {
	ID       uuid.UUID `json:"id"`
	Status   string    `json:"status"`
	Counters struct {
		Total     int `json:"total"`
		Pending   int `json:"pending"`
		Completed int `json:"completed"`
		Failed    int `json:"failed"`
	} `json:"counters"`
	Calls struct {
		Placed   int `json:"placed"`
		Answered int `json:"answered"`
	} `json:"calls"`
}

// recipient is a recipient in a request.
type recipient struct {
	PhoneNumber string            `json:"phone_number"`
	Name        string            `json:"name,omitempty"`
	ExternalID  string            `json:"external_id,omitempty"`
	Variables   map[string]string `json:"variables,omitempty"`
	Metadata    map[string]int    `json:"metadata,omitempty"`
}

// list returns n realistic recipients, with a name, an ID, variables, and numbers in many places.
func list(n int) []recipient {
	all := make([]recipient, n)
	for i := range all {
		all[i] = recipient{
			PhoneNumber: phoneNumber(i),
			Name:        fmt.Sprintf("Person %d", i),
			ExternalID:  fmt.Sprintf("customer-%d", i),
			Variables: map[string]string{
				"date":  fmt.Sprintf("2026-03-%02d", i%28+1),
				"place": fmt.Sprintf("Room %d", i%40),
			},
			Metadata: map[string]int{"row": i},
		}
	}
	return all
}

// people returns recipients who all answer, with numbers that the sandbox does not reserve.
func people(n, from int) []recipient {
	all := make([]recipient, n)
	for i := range all {
		all[i].PhoneNumber = fmt.Sprintf("+1212%07d", 2_000_000+from+i)
	}
	return all
}

// campaignBody returns the body of a request that creates a campaign.
func (s *site) campaignBody(recipients []recipient, settings map[string]any) []byte {
	body := map[string]any{
		"name":            "Bench",
		"project_id":      s.ProjectID,
		"agent_id":        s.AgentID,
		"phone_number_id": s.PhoneNumberID,
		"recipients":      recipients,
	}
	for key, value := range settings {
		body[key] = value
	}
	return must(json.Marshal(body))
}

// createCampaign creates a campaign through the API.
func (s *site) createCampaign(ctx context.Context, server *process, body []byte) (campaign, time.Duration) {
	c, took, err := read[campaign](ctx, s.post(server, "/campaigns", body, http.StatusCreated))
	check(err)
	return c, took
}

// areas are formats of phone numbers in places with different time zones.
var areas = []string{
	"+12122%06d", "+13052%06d", "+13122%06d", "+14152%06d", "+16022%06d", "+17132%06d", "+18082%06d", "+12062%06d",
	"+551130%06d", "+49302%06d", "+44207%07d", "+3314%07d",
}

// phoneNumber returns the i-th phone number. The numbers are all different.
func phoneNumber(i int) string { return fmt.Sprintf(areas[i%len(areas)], i) }
