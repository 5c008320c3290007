package main

import (
	"bufio"
	"encoding/base64"
	"io"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/dialwright/dialwright/api"
	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/app"
	"github.com/dialwright/dialwright/internal/app/apptest"
	"github.com/dialwright/dialwright/internal/postgres/pgtest"
	"github.com/dialwright/dialwright/internal/seal"
)

// Two server processes and 64 connections use one key. Every window admits exactly 60 requests, and each request gets
// a different remaining number. An invalid key gets a 401 for every request.
func TestTheRateLimitIsExactAcrossProcesses(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	master, err := base64.StdEncoding.DecodeString(testMasterKey)
	if err != nil {
		t.Fatal(err)
	}
	vault, err := seal.NewVault(master)
	if err != nil {
		t.Fatal(err)
	}
	accounts := apptest.New(t, db.Pool, api.Reference, func(o *app.Options) { o.Vault = vault }).Accounts
	organization, err := accounts.CreateOrganization(t.Context(), account.OrganizationSettings{
		Name: "Acme", TimeZone: "UTC", Region: "US",
	})
	if err != nil {
		t.Fatal(err)
	}
	_, key, err := accounts.CreateKey(t.Context(), account.System(organization.ID), account.NewKey{Name: "Test"})
	if err != nil {
		t.Fatal(err)
	}
	servers := []string{startWeb(t, db), startWeb(t, db)}

	const connections, each = 64, 3
	type answered struct {
		status           int
		reset, remaining string
	}
	ask := func(key string) (answers []answered) {
		var mu sync.Mutex
		var group sync.WaitGroup
		start := make(chan struct{})
		for i := range connections {
			group.Go(func() {
				client := &http.Client{Transport: &http.Transport{}} // its own connection
				defer client.CloseIdleConnections()
				<-start
				for range each {
					r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, servers[i%2]+
						"/api/v1/nothing", nil)
					if err != nil {
						t.Error(err)
						return
					}
					r.Header.Set("Authorization", "Bearer "+key)
					res, err := client.Do(r)
					if err != nil {
						t.Error(err)
						return
					}
					_, _ = io.Copy(io.Discard, res.Body)
					res.Body.Close()
					mu.Lock()
					answers = append(answers, answered{
						res.StatusCode, res.Header.Get("X-RateLimit-Reset"), res.Header.Get("X-RateLimit-Remaining"),
					})
					mu.Unlock()
				}
			})
		}
		close(start)
		group.Wait()
		return answers
	}

	// On a slow machine several windows may open. Each window keeps to the limit.
	left, refused := map[string][]int{}, map[string]int{}
	for _, a := range ask(key) {
		switch a.status {
		case http.StatusNotFound:
			remaining, err := strconv.Atoi(a.remaining)
			if err != nil {
				t.Fatal(err)
			}
			left[a.reset] = append(left[a.reset], remaining)
		case http.StatusTooManyRequests:
			refused[a.reset]++
		default:
			t.Fatalf("%+v", a)
		}
	}
	for reset, remaining := range left {
		slices.Sort(remaining)
		if n := len(remaining); refused[reset] > 0 && n != account.RateLimit {
			t.Errorf("a window let %d through and refused %d", n, refused[reset])
		}
		for i, n := range slices.Backward(remaining) {
			if want := account.RateLimit - len(remaining) + i; n != want {
				t.Fatalf("a window told of %v", remaining)
			}
		}
	}
	t.Logf("%d windows, %v refused", len(left), refused)

	for _, a := range ask("ik_live_" + strings.Repeat("0", 64)) {
		if a.status != http.StatusUnauthorized || a.remaining != "60" {
			t.Fatalf("with an unknown key: %+v", a)
		}
	}
}

// A path below /api that is not a path of the API gets a JSON answer. Other unknown paths get a page.
func TestWhoAnswersAPath(t *testing.T) {
	t.Parallel()
	url := startWeb(t, pgtest.New(t))
	const elsewhere = `{"error":"Not found: the API is below /api/v1"}`
	for path, want := range map[string]struct {
		status int
		kind   string
		body   string
	}{
		"/api":          {http.StatusNotFound, "application/json", elsewhere},
		"/api/calls":    {http.StatusNotFound, "application/json", elsewhere},
		"/api/v2/calls": {http.StatusNotFound, "application/json", elsewhere},
		"/api/v1": {
			http.StatusUnauthorized, "application/json", `{"error":"Missing Authorization header"}`,
		},
		"/api/v1/nothing": {
			http.StatusUnauthorized, "application/json", `{"error":"Missing Authorization header"}`,
		},
		"/api/v1/../v1/calls": {
			http.StatusUnauthorized, "application/json", `{"error":"Missing Authorization header"}`,
		},
		"/openapi.yaml": {http.StatusOK, "application/yaml", "openapi: 3.1.0"},
		"/docs":         {http.StatusOK, "text/html; charset=utf-8", "<!doctype html>"},
		"/apiary":       {http.StatusNotFound, "text/html; charset=utf-8", "<!doctype html>"},
		"/healthz":      {http.StatusOK, "text/plain; charset=utf-8", "ok"},
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(res.Body)
		res.Body.Close()
		if err != nil || res.StatusCode != want.status || res.Header.Get("Content-Type") != want.kind ||
			!strings.HasPrefix(string(body), want.body) {
			t.Errorf("%s: %d %s %.80s, %v", path, res.StatusCode, res.Header.Get("Content-Type"), body, err)
		}
	}
}

// startWeb starts the product as a server of the API and the dashboard, and returns its URL.
func startWeb(t *testing.T, db *pgtest.DB) (url string) {
	t.Helper()
	cmd := product(t, "DATABASE_URL="+db.URL, "DIALWRIGHT_MASTER_KEY="+testMasterKey)
	cmd.Args = append(cmd.Args, "serve", "--role", "web", "--addr", "127.0.0.1:0", "--metrics-addr=", "--log-level",
		"warn", "--pool", "5", "--data", t.TempDir())
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if _, after, ok := strings.Cut(lines.Text(), "listens on "); ok {
			go io.Copy(io.Discard, out) //nolint:errcheck // until the server ends
			url, _, _ = strings.Cut(after, " ")
			return url
		}
	}
	t.Fatal("the server did not start")
	return ""
}
