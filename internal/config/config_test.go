package config_test

import (
	"bytes"
	"errors"
	"flag"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/config"
)

var serve = config.Command{
	Name:    "serve",
	Summary: "Runs the product.",
	Settings: []string{
		"data", "DATABASE_URL", "DIALWRIGHT_WHATSAPP", "DIALWRIGHT_WHATSAPP_BASE_URL", "DIALWRIGHT_WHATSAPP_VERSION",
		"addr", "drain", "migrate", "role", "DIALWRIGHT_TRUSTED_PROXIES", "sandbox", "sandbox-url", "sandbox-speed",
		"log-level", "pool",
	},
	Defaults: map[string]string{"sandbox-speed": "10"},
}

func load(t *testing.T, env map[string]string, args ...string) (config.Config, error) {
	t.Helper()
	return serve.Load(args, func(name string) string { return env[name] }, new(bytes.Buffer))
}

func TestAFlagWinsOverTheEnvironmentAndThatOverTheDefault(t *testing.T) {
	t.Parallel()
	c, err := load(t, map[string]string{
		"DIALWRIGHT_ADDR": "0.0.0.0:1", "DIALWRIGHT_DRAIN": "5s",
		"DIALWRIGHT_TRUSTED_PROXIES": "10.0.0.0/8, 192.0.2.7",
	},
		"--addr", "127.0.0.1:0", "--sandbox", "--log-level=warn")
	if err != nil {
		t.Fatal(err)
	}
	if c.Addr != "127.0.0.1:0" || c.Drain != 5*time.Second || c.SandboxSpeed != 10 || !c.Sandbox || !c.Migrate ||
		c.Role != config.RoleAll || c.LogLevel != slog.LevelWarn || c.Data != "./.data" || len(c.Args) != 0 {
		t.Fatalf("%+v", c)
	}
	if len(c.TrustedProxies) != 2 || c.TrustedProxies[1].String() != "192.0.2.7/32" {
		t.Fatalf("%v", c.TrustedProxies)
	}
	if c.WhatsApp || c.WhatsAppURL != "" || c.GraphVersion != "v26.0" {
		t.Fatalf("%+v", c)
	}
	if c.MetricsAddr != "127.0.0.1:9464" {
		t.Fatal("a setting the command does not know has lost its default")
	}
}

func TestEveryProblemIsReportedAtOnceAndNoPasswordInIt(t *testing.T) {
	t.Parallel()
	_, err := load(t, map[string]string{
		"DATABASE_URL": "mysql://u:hunter2@h/d", "DIALWRIGHT_DRAIN": "soon", "DIALWRIGHT_TRUSTED_PROXIES": "nearby",
		"DIALWRIGHT_WHATSAPP_VERSION": "26",
	},
		"--addr", "8080", "--role", "boss", "--sandbox-speed", "NaN", "--pool", "2", "--migrate=perhaps")
	if err == nil {
		t.Fatal("accepted")
	}
	for _, want := range []string{
		"DATABASE_URL", "DIALWRIGHT_DRAIN", "DIALWRIGHT_TRUSTED_PROXIES", "DIALWRIGHT_WHATSAPP_VERSION", "--addr",
		"--role", "--sandbox-speed", "--pool", "--migrate",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%s is not named in:\n%v", want, err)
		}
	}
	if strings.Contains(err.Error(), "hunter2") {
		t.Error("the password is in the error")
	}
}

// If SCOPES is not set, --scopes "$SCOPES" must not create a key with all scopes.
func TestAFlagWithoutAValueIsNotItsDefault(t *testing.T) {
	t.Parallel()
	key := config.Command{Name: "key create", Settings: []string{"data", "org", "name", "scopes"}}
	nothing := func(string) string { return "" }
	for _, args := range [][]string{{"--scopes", ""}, {"--scopes="}, {"--scopes", " , "}, {"--org", ""}} {
		if _, err := key.Load(args, nothing, new(bytes.Buffer)); err == nil ||
			err.Error() != strings.TrimSuffix(args[0], "=")+": a value is required" {
			t.Errorf("%q: %v", args, err)
		}
	}
}

func TestTwoSandboxesExcludeEachOther(t *testing.T) {
	t.Parallel()
	if _, err := load(t, nil, "--sandbox", "--sandbox-url", "http://127.0.0.1:9"); err == nil {
		t.Fatal("accepted")
	}
}

func TestHelpIsTheTable(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	_, err := serve.Load([]string{"--help"}, func(string) string { return "" }, &out)
	if !errors.Is(err, flag.ErrHelp) {
		t.Fatal(err)
	}
	for _, want := range []string{"--addr HOST:PORT, DIALWRIGHT_ADDR", "DATABASE_URL", "(default 10)"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("help lacks %q:\n%s", want, out.String())
		}
	}
	if strings.Contains(out.String(), "--email") {
		t.Error("help shows another command's setting")
	}
}

func TestAnUnknownFlagIsAProblem(t *testing.T) {
	t.Parallel()
	if _, err := load(t, nil, "--prot", "1"); err == nil || !strings.Contains(err.Error(), "prot") {
		t.Fatal(err)
	}
}

func TestTheMetricsAddressMayBeEmpty(t *testing.T) {
	t.Parallel()
	cmd := config.Command{Name: "serve", Settings: []string{"metrics-addr"}}
	c, err := cmd.Load([]string{"--metrics-addr="}, func(string) string { return "" }, new(bytes.Buffer))
	if err != nil || c.MetricsAddr != "" {
		t.Fatal(c.MetricsAddr, err)
	}
}
