package main

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
)

func TestEveryBadSettingIsReportedAtOnce(t *testing.T) {
	t.Parallel()
	env := map[string]string{
		"DIALWRIGHT_WEBHOOK_ALLOW": "localhost,10.0.0.0/33,http://inside", "DIALWRIGHT_DRAIN": "soon",
		"DIALWRIGHT_MODEL_HOSTS": "vllm:8000,10.0.0.0/8",
	}
	var stdout, stderr bytes.Buffer
	if status := run(t.Context(), []string{"serve", "--role", "boss"}, func(name string) string {
		return env[name]
	}, &stdout, &stderr); status != 2 {
		t.Errorf("status %d", status)
	}
	for _, want := range []string{
		"--role: ", "DIALWRIGHT_DRAIN: ", `DIALWRIGHT_WEBHOOK_ALLOW: "10.0.0.0/33" is neither`,
		`DIALWRIGHT_WEBHOOK_ALLOW: "http://inside" is neither`, `DIALWRIGHT_MODEL_HOSTS: "10.0.0.0/8" is not a host`,
	} {
		if !strings.Contains(stderr.String(), "\ndialwright: "+want) &&
			!strings.HasPrefix(stderr.String(), "dialwright: "+want) {
			t.Errorf("%q is not reported in\n%s", want, &stderr)
		}
	}
	if lines := strings.Count(stderr.String(), "\n"); lines != 5 || stdout.Len() > 0 {
		t.Errorf("%d lines, and on stdout %q:\n%s", lines, &stdout, &stderr)
	}
}

func TestAGroupOfCommandsListsThem(t *testing.T) {
	t.Parallel()
	for _, group := range []string{"key", "user"} {
		for _, args := range [][]string{{group}, {group, "--help"}, {group, "-h"}, {group, "help"}} {
			var stdout, stderr bytes.Buffer
			if status := run(t.Context(), args, func(string) string {
				return ""
			}, &stdout, &stderr); status != 0 || stderr.Len() > 0 {
				t.Errorf("%v: status %d, %s", args, status, &stderr)
			}
			for _, cmd := range commands {
				if listed := strings.Contains(
					stdout.String(), "  "+cmd.Name+" ",
				); listed != strings.HasPrefix(cmd.Name, group+" ") {
					t.Errorf("%v: %q is listed: %t", args, cmd.Name, listed)
				}
			}
		}
		var stderr bytes.Buffer
		status := run(t.Context(), []string{group, "frobnicate"}, func(string) string { return "" }, &stderr, &stderr)
		if want := "dialwright: unknown command \"" + group + " frobnicate\". Run 'dialwright " + group +
			" --help' for a list\n"; status != 2 || stderr.String() != want {
			t.Errorf("status %d, %q", status, &stderr)
		}
	}
}

// Each command's help shows every flag, marks the required flags, and has an example that the command accepts.
func TestHelpOfCommandsForPeopleAndKeys(t *testing.T) {
	t.Parallel()
	required := map[string][]string{
		"key create": {"name"}, "user create": {"email"}, "user reset-password": {"email"},
		"user reset-second-factor": {"email"},
	}
	for _, cmd := range commands {
		if !strings.HasPrefix(cmd.Name, "key ") && !strings.HasPrefix(cmd.Name, "user ") {
			continue
		}
		var help bytes.Buffer
		if status := run(t.Context(), append(strings.Fields(cmd.Name), "--help"), func(string) string {
			return ""
		}, &help, &help); status != 0 {
			t.Fatalf("%s: status %d: %s", cmd.Name, status, &help)
		}
		for _, name := range cmd.Settings {
			head := name
			if name == strings.ToLower(name) {
				head = "--" + name
			}
			_, text, _ := strings.Cut(help.String(), "\n  "+head)
			text, _, _ = strings.Cut(text, "\n  -")
			if text == "" {
				t.Errorf("%s: %s is missing in\n%s", cmd.Name, head, &help)
			}
			if marked := strings.Contains(text, "(required)"); marked != slices.Contains(required[cmd.Name], name) {
				t.Errorf("%s: %s is marked as required: %t", cmd.Name, head, marked)
			}
		}
		for _, name := range required[cmd.Name] {
			var stderr bytes.Buffer
			status := run(t.Context(), strings.Fields(cmd.Name), func(string) string { return "" }, &stderr, &stderr)
			if want := "dialwright: --" + name + " is required\n"; status != 2 || stderr.String() != want {
				t.Errorf("%s without --%s: status %d, %q", cmd.Name, name, status, &stderr)
			}
		}
		_, example, _ := strings.Cut(help.String(), "\nExample:\n  dialwright ")
		var args []string
		for i, part := range strings.Split(strings.TrimSpace(example), `"`) {
			if i%2 == 1 {
				args = append(args, part) // a quoted argument
			} else {
				args = append(args, strings.Fields(part)...)
			}
		}
		found, rest, err := find(args)
		if err != nil || found == nil || found.Name != cmd.Name {
			t.Fatalf("%s: the example is %q", cmd.Name, example)
		}
		// This test does not check the flags and files of the embedded database.
		rest = append([]string{"--data", t.TempDir()}, rest...)
		if _, err := found.Load(rest, func(string) string { return "" }, io.Discard); err != nil {
			t.Errorf("%s: the example is refused: %v", cmd.Name, err)
		}
	}
}

func TestTheVersionIsPrinted(t *testing.T) {
	t.Parallel()
	for _, arg := range []string{"version", "--version", "-version", "-v"} {
		var stdout, stderr bytes.Buffer
		if status := run(t.Context(), []string{arg}, func(string) string {
			return ""
		}, &stdout, &stderr); status != 0 || stderr.Len() > 0 {
			t.Errorf("%s: status %d, %s", arg, status, &stderr)
		}
		if stdout.String() != "dialwright "+version+"\n" || version == "" {
			t.Errorf("%s: %q", arg, &stdout)
		}
	}
	var help bytes.Buffer
	if run(t.Context(), []string{"--help"}, func(string) string {
		return ""
	}, &help, &help); !strings.Contains(help.String(), "\n  version ") {
		t.Errorf("the help does not list it:\n%s", &help)
	}
}

func TestTheVersionOfABinaryThatTheLinkerWasNotTold(t *testing.T) {
	t.Parallel()
	set := func(key, value string) debug.BuildSetting { return debug.BuildSetting{Key: key, Value: value} }
	revision := set("vcs.revision", "0123456789abcdef0123456789abcdef01234567")
	for want, info := range map[string]*debug.BuildInfo{
		"dev":    {Main: debug.Module{Version: "(devel)"}},
		"v1.2.3": {Main: debug.Module{Version: "v1.2.3"}, Settings: []debug.BuildSetting{revision}},
		"0123456789ab": {
			Main:     debug.Module{Version: "(devel)"},
			Settings: []debug.BuildSetting{revision, set("vcs.modified", "false")},
		},
		"0123456789ab-dirty": {Settings: []debug.BuildSetting{revision, set("vcs.modified", "true")}},
	} {
		if got := versionOf(info); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := versionOf(nil); got != "dev" {
		t.Errorf("%q without information", got)
	}
}

// An invalid command line ends with status 2 and an error that names the problem.
func TestCommandLinesThatAreWrong(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{
		"key create --frob":             "--frob: unknown flag",
		"key create --name":             "--name: a value is required",
		"key create --name x extra":     `key create does not take "extra"`,
		"key revoke":                    "KEY-ID is required",
		"key revoke --org":              "--org: a value is required",
		"key revoke one two":            `key revoke does not take "two"`,
		"key revoke abc --org x":        `KEY-ID: "abc" is not an ID. Run 'dialwright key list' to see the IDs`,
		"version extra":                 `version does not take "extra"`,
		"serve --sandbox off":           `serve does not take "off"`,
		"sandbox --addr 1 --addr=nine:": `--addr: "nine:" needs a port from 0 to 65535`,
	} {
		var stdout, stderr bytes.Buffer
		status := run(t.Context(), strings.Fields(args), func(string) string { return "" }, &stdout, &stderr)
		if status != 2 || stderr.String() != "dialwright: "+want+"\n" || stdout.Len() > 0 {
			t.Errorf("%s: status %d, %q %q", args, status, &stderr, &stdout)
		}
	}
}

// A taken address is reported before a database is made, with what to do about it.
func TestATakenAddress(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	data := filepath.Join(t.TempDir(), "data")
	var stdout, stderr bytes.Buffer
	status := run(t.Context(), []string{"serve", "--addr", taken.Addr().String(), "--data", data},
		func(string) string { return "" }, &stdout, &stderr)
	want := "dialwright: another program listens on " + taken.Addr().String() +
		" already: stop it, or choose another address with --addr\n"
	if status == 0 || stderr.String() != want {
		t.Errorf("status %d, %s", status, &stderr)
	}
	if _, err := os.Stat(filepath.Join(data, "postgres")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a database was made: %v", err)
	}
}
