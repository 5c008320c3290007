package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/dialwright/dialwright/internal/postgres/pgtest"
	"github.com/dialwright/dialwright/internal/testtool"
)

// The tests of the clients in clients/ pass, also those that drive a server.
func TestClients(t *testing.T) {
	t.Parallel()
	_, err := os.Stat("../../node_modules/typescript")
	testtool.Need(t, err)
	_, c := runDemo(t, pgtest.New(t), 50)
	for _, client := range []struct {
		dir, ran string
		commands [][]string
	}{
		{"go", "--- PASS: TestDemo", [][]string{{"go", "vet", "./..."}, {"go", "test", "-count", "1", "-v", "./..."}}},
		{"typescript", " - a campaign runs\n", [][]string{
			{"node", "../../node_modules/typescript/bin/tsc", "--project", "tsconfig.test.json"},
			{"node", "--test", "--test-reporter", "tap", "build/test"},
		}},
	} {
		t.Run(client.dir, func(t *testing.T) {
			t.Parallel()
			var out []byte
			for _, command := range client.commands {
				cmd := exec.CommandContext(t.Context(), testtool.Find(t, command[0]), command[1:]...)
				cmd.Dir = "../../clients/" + client.dir
				cmd.Env = append(os.Environ(), "GOWORK=off", "DIALWRIGHT_URL="+c.URL, "DIALWRIGHT_KEY="+c.APIKey)
				if out, err = cmd.CombinedOutput(); err != nil {
					t.Fatalf("%s: %v\n%s", command, err, out)
				}
			}
			if !strings.Contains(string(out), client.ran) {
				t.Errorf("the test against a server did not run: %s", out)
			}
		})
	}
}
