package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/app"
	"github.com/dialwright/dialwright/internal/demo/history"
	"github.com/dialwright/dialwright/internal/postgres"
)

// Who signs in to the dashboard of every site.
const (
	email    = "bench@example.com"
	password = "correct horse battery staple"
)

// siteConnections are those that a site's own statements have.
const siteConnections = 4

// site is a database with an organization that has what a campaign needs.
type site struct {
	history.Parts
	name string
	url  string
	env  []string // of its servers, besides what all have
	pool *pgxpool.Pool
	app  *app.App // on pool
	keys []string
	kept bool         // its database outlives this program
	used atomic.Int64 // requests made with the keys
}

// site makes a database of that name. The caller closes it.
func (l *lab) site(ctx context.Context, name string, keys int) (_ *site, err error) {
	if err := l.admin(ctx, "create database "+name); err != nil {
		return nil, fmt.Errorf("create the database %s: %w", name, err)
	}
	s := &site{name: name}
	defer func() {
		if err != nil {
			s.close(l)
		}
	}()
	if s.url, err = l.databaseURL(name); err != nil {
		return nil, err
	}
	if err := postgres.Migrate(ctx, s.url); err != nil {
		return nil, err
	}
	if s.pool, err = postgres.Open(ctx, postgres.Options{URL: s.url, MaxConns: siteConnections, Name: "bench"}); err != nil {
		return nil, err
	}
	if s.app, err = newApp(s.pool, l.vault); err != nil {
		return nil, err
	}
	if err := s.furnish(ctx); err != nil {
		return nil, err
	}
	return s, s.makeKeys(ctx, keys)
}

func (s *site) close(l *lab) {
	if s.pool != nil {
		s.pool.Close()
	}
	if !s.kept {
		l.drop(s.name)
	}
}

func (l *lab) databaseURL(name string) (string, error) {
	u, err := url.Parse(l.cluster.URL())
	if err != nil {
		return "", fmt.Errorf("read the database's address: %w", err)
	}
	u.Path = "/" + name
	return u.String(), nil
}

// furnish makes the organization and who signs in to it, by the product's own packages.
func (s *site) furnish(ctx context.Context) (err error) {
	if s.Parts, err = history.Furnish(ctx, s.app); err != nil {
		return err
	}
	_, err = s.app.Accounts.CreateUser(ctx, account.System(s.OrganizationID), account.NewUser{
		Email:    email,
		Name:     "Bench",
		Password: password,
		Role:     account.Admin,
	})
	return err
}

// fill writes a history of that many calls.
func (s *site) fill(ctx context.Context, calls int) (history.History, error) {
	return history.Fill(ctx, s.pool, s.Parts, calls, func(what string) { progress("%s", what) })
}

// makeKeys writes API keys as the product would, but many at a time.
func (s *site) makeKeys(ctx context.Context, n int) error {
	scopes := account.Scopes()
	keys, uses := make([][]any, n), make([][]any, n)
	for i := range n {
		var random [32]byte
		rand.Read(random[:])
		digits := hex.EncodeToString(random[:])
		value := "ik_live_" + digits
		hash := sha256.Sum256([]byte(value))
		id := uuid.Must(uuid.NewV7())
		s.keys = append(s.keys, value)
		keys[i] = []any{id, s.OrganizationID, fmt.Sprintf("Key %d", i+1), hash[:], "ik_live_" + digits[:4] + "…" + digits[60:], scopes}
		uses[i] = []any{id}
	}
	if _, err := s.pool.CopyFrom(ctx, pgx.Identifier{"api_key"}, []string{"id", "organization_id", "name", "hash", "display", "scopes"}, pgx.CopyFromRows(keys)); err != nil {
		return fmt.Errorf("make API keys: %w", err)
	}
	if _, err := s.pool.CopyFrom(ctx, pgx.Identifier{"api_key_use"}, []string{"api_key_id"}, pgx.CopyFromRows(uses)); err != nil {
		return fmt.Errorf("make API keys: %w", err)
	}
	_, err := s.pool.Exec(ctx, `vacuum analyze api_key, api_key_use`)
	return err
}

// key is the next one in turn, so that none is over its rate as long as there
// are enough of them. What is not 2xx fails a benchmark, a 429 too.
func (s *site) key() string {
	return s.keys[int(s.used.Add(1)-1)%len(s.keys)]
}

// do makes an API request and reads the answer, which must have the status.
func (s *site) do(ctx context.Context, method, address string, body []byte, status int, into any) (took time.Duration, err error) {
	r, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	r.Header.Set("Authorization", "Bearer "+s.key())
	r.Header.Set("Content-Type", "application/json")
	began := time.Now()
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, fmt.Errorf("%s %s: %w", method, r.URL.Path, err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	took = time.Since(began)
	if err != nil {
		return took, fmt.Errorf("%s %s: %w", method, r.URL.Path, err)
	}
	if answer.StatusCode != status {
		return took, fmt.Errorf("%s %s: %s: %.500s", method, r.URL.Path, answer.Status, text)
	}
	if into == nil {
		return took, nil
	}
	if err := json.Unmarshal(text, into); err != nil {
		return took, fmt.Errorf("%s %s: %w", method, r.URL.Path, err)
	}
	return took, nil
}

// signIn is a browser that is signed in to the dashboard of a server.
func signIn(ctx context.Context, base string) (*http.Client, error) {
	jar, err := cookiejar.New(nil)
	if err != nil {
		return nil, err
	}
	browser := &http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	form := url.Values{"email": {email}, "password": {password}}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, base+"/sign-in", strings.NewReader(form.Encode()))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	answer, err := browser.Do(r)
	if err != nil {
		return nil, fmt.Errorf("sign in: %w", err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusSeeOther {
		return nil, fmt.Errorf("sign in: %s", answer.Status)
	}
	return browser, nil
}

// created is what a benchmark reads of a campaign.
type campaignAnswer struct {
	ID       uuid.UUID `json:"id"`
	Status   string    `json:"status"`
	Counters struct {
		Total     int `json:"total"`
		Pending   int `json:"pending"`
		Completed int `json:"completed"`
		Failed    int `json:"failed"`
		Skipped   int `json:"skipped"`
	} `json:"counters"`
	Calls struct {
		Placed   int `json:"placed"`
		Answered int `json:"answered"`
	} `json:"calls"`
}
