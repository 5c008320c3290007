package main

import (
	"bytes"
	"strings"
	"testing"
)

func TestEveryBadSettingIsReportedAtOnce(t *testing.T) {
	t.Parallel()
	env := map[string]string{"DIALWRIGHT_WEBHOOK_ALLOW": "localhost,10.0.0.0/33,http://inside", "DIALWRIGHT_DRAIN": "soon"}
	var stdout, stderr bytes.Buffer
	if status := run(t.Context(), []string{"serve", "--role", "boss"}, func(name string) string { return env[name] }, &stdout, &stderr); status != 2 {
		t.Errorf("status %d", status)
	}
	for _, want := range []string{"--role: ", "DIALWRIGHT_DRAIN: ", `DIALWRIGHT_WEBHOOK_ALLOW: "10.0.0.0/33" is neither`, `DIALWRIGHT_WEBHOOK_ALLOW: "http://inside" is neither`} {
		if !strings.Contains(stderr.String(), "\ndialwright: "+want) && !strings.HasPrefix(stderr.String(), "dialwright: "+want) {
			t.Errorf("%q is not reported in\n%s", want, &stderr)
		}
	}
	if lines := strings.Count(stderr.String(), "\n"); lines != 4 || stdout.Len() > 0 {
		t.Errorf("%d lines, and on stdout %q:\n%s", lines, &stdout, &stderr)
	}
}

func TestAGroupOfCommandsListsThem(t *testing.T) {
	t.Parallel()
	for _, group := range []string{"key", "user"} {
		for _, args := range [][]string{{group}, {group, "--help"}, {group, "-h"}, {group, "help"}} {
			var stdout, stderr bytes.Buffer
			if status := run(t.Context(), args, func(string) string { return "" }, &stdout, &stderr); status != 0 || stderr.Len() > 0 {
				t.Errorf("%v: status %d, %s", args, status, &stderr)
			}
			for _, cmd := range commands {
				if listed := strings.Contains(stdout.String(), "  "+cmd.Name+" "); listed != strings.HasPrefix(cmd.Name, group+" ") {
					t.Errorf("%v: %q is listed: %t", args, cmd.Name, listed)
				}
			}
		}
		var stderr bytes.Buffer
		status := run(t.Context(), []string{group, "frobnicate"}, func(string) string { return "" }, &stderr, &stderr)
		if want := "dialwright: unknown command \"" + group + " frobnicate\". Run 'dialwright " + group + " --help' for a list\n"; status != 2 || stderr.String() != want {
			t.Errorf("status %d, %q", status, &stderr)
		}
	}
}
