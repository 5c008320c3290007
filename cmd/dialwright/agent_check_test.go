package main

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/dialwright/dialwright/api"
	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/app/apptest"
	"github.com/dialwright/dialwright/internal/postgres/pgtest"
)

// agent test stores the cases of a file, prints a table and JUnit XML, and ends with the status of the tests.
func TestAgentTest(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	a := apptest.New(t, db.Pool, api.Reference)
	tenant := db.NewTenant(t, "Acme", "+15005550000", pgtest.Script)
	_, key, err := a.Accounts.CreateKey(t.Context(), account.System(tenant.OrganizationID), account.NewKey{
		Name: "CI", Scopes: []account.Scope{account.AgentsRead, account.AgentsWrite},
	})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(a.Handler(api.Handler(a), http.NotFoundHandler()))
	defer server.Close()
	ctx, cancel := context.WithCancel(context.Background())
	var working sync.WaitGroup
	working.Go(func() { _ = a.Evaluations.Work(ctx) }) // its error is that of ctx
	defer working.Wait()
	defer cancel()

	dir := t.TempDir()
	cases, junit := filepath.Join(dir, "cases.json"), filepath.Join(dir, "junit.xml")
	test := func(content string, args ...string) (status int, stdout, stderr string) {
		t.Helper()
		if err := os.WriteFile(cases, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		var out, problems bytes.Buffer
		args = append([]string{"agent", "test", tenant.AgentID.String(), "--url", server.URL}, args...)
		status = run(t.Context(), args,
			func(name string) string { return map[string]string{"DIALWRIGHT_KEY": key}[name] }, &out, &problems)
		return status, out.String(), problems.String()
	}
	said := func(pattern string) string {
		return `[{"name": "Satisfied", "recipient": {"steps": [{"action": "say", "text": "Yes."}]},
			"checks": [{"kind": "said", "value": "` + pattern + `"}]}]`
	}
	status, out, problems := test(said("goodbye"), "--cases", cases, "--repeats", "1", "--difficult-callees")
	if status != 0 || !strings.Contains(out, "Satisfied") || !strings.Contains(out, "passed") {
		t.Errorf("status %d\n%s\n%s", status, out, problems)
	}
	status, out, problems = test(said("pizza"), "--cases", cases, "--repeats", "2", "--junit", junit)
	if status != 1 || !strings.Contains(out, "0 of 2") || !strings.Contains(out, "said: No words of the agent match") {
		t.Errorf("status %d\n%s\n%s", status, out, problems)
	}
	written, err := os.ReadFile(junit)
	if err != nil || strings.Count(string(written), "<failure") != 2 {
		t.Errorf("%s %v", written, err)
	}
	for what, args := range map[string][]string{
		"an unknown check": {"--cases", cases}, "a missing file": {"--cases", cases + ".none"},
		"too many repeats": {"--repeats", "11"}, "an unknown version": {"--agent-version", "9"},
	} {
		content := strings.Replace(said("x"), "said", "smelled", 1)
		if status, out, problems := test(content, args...); status != 2 || problems == "" {
			t.Errorf("%s: status %d\n%s\n%s", what, status, out, problems)
		}
	}
	server.Close()
	status, _, problems = test(said("x"))
	if status != 3 || !strings.Contains(problems, "does not answer: connection refused.") {
		t.Errorf("without a server: status %d, %s", status, problems)
	}
}
