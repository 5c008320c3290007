// Command dialwright runs campaigns of automatic outbound phone calls. One binary contains the API, the dashboard, the
// dialer, and the administrative commands.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	_ "time/tzdata" // calling hours need the zones, even if the system has none

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/config"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/guard"
	"github.com/dialwright/dialwright/internal/mail"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the process immediately
	os.Exit(run(ctx, os.Args[1:], os.Getenv, os.Stdout, os.Stderr))
}

// command is an entry of the table of commands.
type command struct {
	config.Command
	run func(ctx context.Context, p *process) error
}

// process contains the settings and streams of a running command.
type process struct {
	config.Config
	command string
	getenv  func(string) string
	stdout  io.Writer // for people and scripts; log lines go to stderr
	stderr  io.Writer

	afterStep func(step string) error // of a move, for tests; may be nil
}

var (
	cells    = []string{"DIALWRIGHT_DIRECTORY_URL", "DIALWRIGHT_MASTER_KEY", "log-level"}
	base     = append([]string{"data", "DATABASE_URL", "pool"}, cells...)
	settings = append([]string{"migrate", "addr", "public-url", "metrics-addr", "pprof",
		"DIALWRIGHT_TRUSTED_PROXIES", "DIALWRIGHT_WEBHOOK_ALLOW", "DIALWRIGHT_MODEL_HOSTS",
		"DIALWRIGHT_SMTP_ADDR", "DIALWRIGHT_SMTP_FROM", "DIALWRIGHT_SMTP_USER", "DIALWRIGHT_SMTP_PASSWORD",
		"DIALWRIGHT_SMTP_TLS",
		"DIALWRIGHT_TWILIO_BASE_URL", "DIALWRIGHT_WHATSAPP", "DIALWRIGHT_WHATSAPP_BASE_URL",
		"DIALWRIGHT_WHATSAPP_VERSION", "role", "drain", "sandbox", "sandbox-url", "DIALWRIGHT_SANDBOX_TOKEN",
		"sandbox-speed"}, base...)
)

// quiet is for commands that should print only their answer.
var quiet = map[string]string{"log-level": "warn"}

func with(base []string, more ...string) []string { return append(more, base...) }

var commands = []command{
	{
		config.Command{
			Name: "serve", Summary: "Runs the API, the dashboard and the dialer (the default command).", Seals: true,
			Settings: settings,
		},
		serve,
	},
	{config.Command{Name: "demo", Seals: true,
		Summary:  "Runs everything with sample data on a simulated phone network.",
		Settings: settings, Defaults: map[string]string{
			"sandbox": "true", "DIALWRIGHT_WHATSAPP": "true", "log-level": "warn", "metrics-addr": "",
			"DIALWRIGHT_WEBHOOK_ALLOW": "localhost,127.0.0.0/8,::1/128",
			"DIALWRIGHT_MODEL_HOSTS":   "localhost,127.0.0.1,::1",
		}}, demo},
	{config.Command{Name: "sandbox", Summary: "Runs the sandbox, a simulated phone network and WhatsApp, as a " +
		"separate process.",
		Settings: []string{"addr", "DIALWRIGHT_SANDBOX_TOKEN", "sandbox-speed", "log-level"},
		Defaults: map[string]string{"addr": "127.0.0.1:8090"}}, runSandbox},
	{
		config.Command{Name: "migrate", Summary: "Updates the database schema.", Settings: base, Defaults: quiet},
		migrate,
	},
	{config.Command{
		Name:     "cell add",
		Summary:  "Adds a database as a cell: a place where organizations live, beside others.",
		Settings: append([]string{"DIALWRIGHT_CELL_URL"}, cells...),
		Defaults: quiet,
		Notes: "The schema is created or updated. The organizations of an existing database come along. With the " +
			"address of a cell that is listed already, its address is replaced.",
		Example: "DIALWRIGHT_CELL_URL=postgres://dialwright@db2.example.com/dialwright dialwright cell add",
	}, cellAdd},
	{config.Command{
		Name: "cell list", Summary: "Lists the cells.", Settings: with(cells, "pool"), Defaults: quiet,
	}, cellList},
	{config.Command{
		Name: "cell drain", Args: []string{"CELL"},
		Summary:  "Closes a cell for new organizations.",
		Settings: cells, Defaults: quiet,
		Example: "dialwright cell drain 2",
	}, cellDrain},
	{config.Command{
		Name: "cell open", Args: []string{"CELL"},
		Summary:  "Opens a cell for new organizations again.",
		Settings: cells, Defaults: quiet,
		Example: "dialwright cell open 2",
	}, cellOpen},
	{config.Command{
		Name: "cell move", Args: []string{"CELL"},
		Summary:  "Moves all organizations of a cell to another one, one after another.",
		Settings: with(cells, "pool", "to", "wait"), Defaults: quiet,
		Notes: "It stops at the first organization that can't be moved. Run it again to continue. Close the cell " +
			"for new organizations first, with 'dialwright cell drain'.",
		Example: "dialwright cell move 1 --to 2",
	}, cellMove},
	{config.Command{
		Name: "organization move", Args: []string{"ORGANIZATION"},
		Summary:  "Moves an organization to another cell, while the others work on.",
		Settings: with(cells, "pool", "to", "wait", "back"), Defaults: quiet,
		Notes: "ORGANIZATION is a name or an ID, or IDs separated by commas of organizations that move together. " +
			"The organization starts no new calls, and moves when its calls have ended. After an interruption, run " +
			"the command again to continue, or with --back to undo the move.",
		Example: "dialwright organization move 01980f3e-5b7c-7d21-9c54-8a6b1f0e2d43 --to 2",
	}, organizationMove},
	{config.Command{
		Name:     "key create",
		Summary:  "Creates an API key and prints it.",
		Settings: with(base, "org", "name", "scopes", "networks", "expires"),
		Defaults: quiet,
		Required: []string{"name"},
		Notes:    "Scopes: " + account.JoinScopes(account.Scopes()) + ".",
		Example: `dialwright key create --org "Meridian Home Health" --name "My script" --scopes ` +
			`campaigns:write,calls:read --expires 720h`,
	}, keyCreate},
	{config.Command{
		Name:     "key list",
		Summary:  "Lists an organization's API keys.",
		Settings: with(base, "org"),
		Defaults: quiet,
		Example:  `dialwright key list --org "Meridian Home Health"`,
	}, keyList},
	{config.Command{
		Name:     "key revoke",
		Summary:  "Revokes an API key.",
		Args:     []string{"KEY-ID"},
		Settings: with(base, "org"),
		Defaults: quiet,
		Notes:    "'dialwright key list' shows the IDs.",
		Example:  `dialwright key revoke --org "Meridian Home Health" 01980f3e-5b7c-7d21-9c54-8a6b1f0e2d43`,
	}, keyRevoke},
	{config.Command{
		Name:     "key rotate-master",
		Seals:    true,
		Summary:  "Encrypts every secret in the database with the first master key, so that you can remove the others.",
		Settings: with(base, "dry-run"),
		Defaults: quiet,
		Example:  "dialwright key rotate-master --dry-run",
	}, keyRotateMaster},
	{config.Command{
		Name:     "user create",
		Summary:  "Creates a user. With --org, also creates the organization if it does not exist.",
		Settings: with(base, "org", "email", "name", "user-role", "cell", "DIALWRIGHT_PASSWORD"),
		Defaults: quiet,
		Required: []string{"email"},
		Notes:    "Without --name, the email address is also the display name.",
		Example: `dialwright user create --org "Meridian Home Health" --email me@example.com --name "Mia Example" ` +
			`--user-role staff`,
	}, userCreate},
	{config.Command{
		Name:     "user reset-password",
		Summary:  "Sets a user's password and signs the user out everywhere.",
		Settings: with(base, "email", "DIALWRIGHT_PASSWORD"),
		Defaults: quiet,
		Required: []string{"email"},
		Example:  "dialwright user reset-password --email me@example.com",
	}, userResetPassword},
	{config.Command{
		Name:     "user reset-second-factor",
		Summary:  "Turns off two-step sign-in for a user who lost their phone and recovery codes.",
		Settings: with(base, "email"),
		Defaults: quiet,
		Required: []string{"email"},
		Example:  "dialwright user reset-second-factor --email me@example.com",
	}, userResetSecondFactor},
	{config.Command{
		Name:    "agent test",
		Summary: "Runs the tests of an agent on a running server, for continuous integration.",
		Args:    []string{"AGENT-ID"},
		Settings: []string{
			"url", "api-key", "cases", "agent-version", "repeats", "difficult-callees", "junit",
		},
		Notes: "The exit status is 0 if all tests pass, 1 if not, 2 for a wrong command line or request, and 3 " +
			"if the server does not answer. The key needs the scopes agents:read and agents:write.",
		Example: "dialwright agent test 01980f3e-5b7c-7d21-9c54-8a6b1f0e2d43 --cases cases.json --difficult-callees",
	}, agentTest},
	{config.Command{
		Name:     "listen",
		Summary:  "Forwards the events of a running server to a receiver on this machine, for development.",
		Settings: []string{"forward", "url", "api-key", "types"},
		Required: []string{"forward"},
		Notes: "Each event is sent once, as a webhook sends it. It prints the secret that verifies the signatures, " +
			"which stays the same for a key. The key needs the scope webhooks:read. Ctrl-C ends it.",
		Example: "dialwright listen --forward http://localhost:3000/hooks --url https://dial.example.com",
	}, forwardEvents},
	{config.Command{
		Name:     "openapi",
		Summary:  "Prints the description of the API, as /openapi.json of a server with this version.",
		Settings: []string{"public-url"},
		Example:  "dialwright openapi --public-url https://dial.example.com > openapi.json",
	}, printOpenAPI},
	{config.Command{Name: "version", Summary: "Prints the version."}, printVersion},
}

// run is main without the process. It returns the exit status.
func run(ctx context.Context, args []string, getenv func(string) string, stdout, stderr io.Writer) int {
	cmd, rest, err := find(args)
	if err != nil {
		fmt.Fprintln(stderr, "dialwright:", err)
		return 2
	}
	if cmd == nil {
		usage(stdout, rest...)
		return 0
	}
	cfg, err := cmd.Load(rest, getenv, stdout)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	// guard and mail check their own settings. The errors are reported together with all other
	// problems.
	_, badWebhooks := guard.New(cfg.WebhookAllow)
	_, badModels := guard.NewModels(cfg.ModelHosts)
	_, badMail := mail.New(smtp(cfg))
	err = errors.Join(err, badWebhooks, badModels, badMail)
	if err != nil {
		for line := range strings.SplitSeq(err.Error(), "\n") {
			fmt.Fprintln(stderr, "dialwright:", line)
		}
		return 2
	}
	err = cmd.run(ctx, &process{Config: cfg, command: cmd.Name, getenv: getenv, stdout: stdout, stderr: stderr})
	if err != nil {
		fmt.Fprintln(stderr, "dialwright:", err)
		return exitStatus(err)
	}
	return 0
}

// usageError is an invalid command line that a command detects only when it runs.
type usageError struct{ error }

// serverError is a server that gave a command no answer, which says nothing about what the command asked.
type serverError struct{ error }

// exitStatus returns 2 if the command line is wrong, 3 if a server did not answer, otherwise 1.
func exitStatus(err error) int {
	if _, bad := errors.AsType[usageError](err); bad || fault.KindOf(err) == fault.Invalid {
		return 2
	}
	if _, away := errors.AsType[serverError](err); away {
		return 3
	}
	return 1
}

// find returns the command that args begin with, and the other args. Flags without a command mean serve. A nil command
// is a request for help. The returned args then name the group of commands.
func find(args []string) (*command, []string, error) {
	switch {
	case len(args) == 0:
		return &commands[0], nil, nil
	case isHelp(args[0]):
		return nil, nil, nil
	case isVersion(args[0]):
		return &commands[len(commands)-1], args[1:], nil
	case strings.HasPrefix(args[0], "-"):
		return &commands[0], args, nil
	}
	for i := range commands {
		words := strings.Fields(commands[i].Name)
		if len(args) >= len(words) && strings.Join(args[:len(words)], " ") == commands[i].Name {
			return &commands[i], args[len(words):], nil
		}
	}
	help := "dialwright --help"
	if slices.ContainsFunc(commands, func(c command) bool { return strings.HasPrefix(c.Name, args[0]+" ") }) {
		if len(args) == 1 || isHelp(args[1]) {
			return nil, args[:1], nil
		}
		help = "dialwright " + args[0] + " --help"
	}
	return nil, nil, fmt.Errorf("unknown command %q. Run '%s' for a list", strings.Join(args, " "), help)
}

func isHelp(arg string) bool {
	return arg == "help" || arg == "-h" || arg == "-help" || arg == "--help"
}

// usage lists all commands, or the commands of a group.
func usage(w io.Writer, group ...string) {
	prefix := strings.Join(append(group, ""), " ")
	if prefix == "" {
		fmt.Fprintf(w, "Dialwright %s: automatic phone calls by voice agents.\n\n", version)
	}
	fmt.Fprintf(w, "Usage: dialwright %s[command] [flags]\n\n", prefix)
	for _, cmd := range commands {
		if strings.HasPrefix(cmd.Name, prefix) {
			fmt.Fprintf(w, "  %-24s %s\n", cmd.Name, cmd.Summary)
		}
	}
	fmt.Fprint(w, "\nRun 'dialwright COMMAND --help' to see a command's settings.\n")
}
