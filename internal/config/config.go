// Package config reads the environment and the flags into one struct, and reports all
// their problems at once. A flag takes precedence over its environment variable.
package config

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Config is the configuration of a command. Fields that a command does not know (see
// Command) have their default values.
type Config struct {
	Data           string         // directory of the embedded server, the master key and the demo's credentials
	DatabaseURL    string         // "": the embedded server in Data
	DirectoryURL   string         // the database that lists the cells; "": there is one database, and no cell
	PoolSize       int            // connections to the database; 0: a number that suits the server
	MasterKeys     []string       // 32 bytes each, in standard base64; the first seals, all open
	Migrate        bool           // migrate on start
	Addr           string         // address of the API and the dashboard, host:port
	PublicURL      string         // URL of Addr for browsers and carriers, without a trailing slash; "": http://Addr
	MetricsAddr    string         // address of /metrics; "": off
	Pprof          bool           // serve profiles of the process at MetricsAddr
	TrustedProxies []netip.Prefix // proxies whose X-Forwarded-For header is trusted
	WebhookAllow   []string       // entries for guard.New, which parses them
	ModelHosts     []string       // entries for guard.NewModels, which parses them
	SMTPAddr       string         // host:port; "": no email is sent
	SMTPFrom       string         // the sender
	SMTPUser       string         // "": the server asks for none
	SMTPPassword   string
	SMTPTLS        string // parsed by mail.New
	TwilioURL      string // base URL of Twilio's REST API; "": that of each connection's region
	WhatsApp       bool   // the deployment has the messaging channel
	WhatsAppURL    string // base URL of Meta's Graph API; "": Meta's own URL, or the sandbox if it is used
	GraphVersion   string // version of the Graph API, "v26.0"
	Role           Role
	Drain          time.Duration // how long a shutdown may take
	Sandbox        bool          // run the sandbox in this process
	SandboxURL     string        // URL of a sandbox in another process
	SandboxToken   string        // token shared with the sandbox in another process
	SandboxSpeed   float64       // how many times faster than real time the sandbox runs
	LogLevel       slog.Level

	// Fields of single commands.
	Organization string        // --org of key and user: a name or an id
	Name         string        // --name
	Email        string        // --email
	UserRole     string        // --role of user create
	Cell         int           // --cell of user create: of a new organization; 0: the one with the fewest
	CellURL      string        // DIALWRIGHT_CELL_URL of cell add
	To           int           // --to of moves: the number of a cell; 0: none
	Wait         time.Duration // --wait of moves: for calls
	Back         bool          // --back of organization move
	Scopes       []string      // --scopes
	Networks     []string      // --networks
	Expires      time.Duration // --expires: from now; 0: never
	DryRun       bool          // --dry-run: only report what would change
	Password     string        // DIALWRIGHT_PASSWORD of user; "": a password is generated and printed

	// Fields of listen, which also has ServerURL and APIKey.
	Forward    string   // --forward: the URL of a receiver
	EventTypes []string // --types; empty: all

	// Fields of agent test.
	ServerURL        string // --url: of a running server, without a trailing slash
	APIKey           string // --api-key
	CasesFile        string // --cases; "": the cases that the agent has
	AgentVersion     int    // --agent-version; 0: the draft
	Repeats          int    // --repeats
	DifficultCallees bool   // --difficult-callees
	JUnit            string // --junit: a file; "": none

	Args []string // arguments that are not flags
}

// Role selects the work of a serve process.
type Role string

const (
	RoleAll    Role = "all"
	RoleWeb    Role = "web"    // API, dashboard and callbacks
	RoleWorker Role = "worker" // the dialer and the other loops
)

// setting is a row of the table that defines parsing, help and documentation.
type setting struct {
	flag, env string // either may be ""
	arg       string // as shown in help; "" for a boolean
	fallback  string
	help      string
	set       func(c *Config, value string) error
}

var settings = []setting{
	{
		"data", "DIALWRIGHT_DATA", "DIR", "./.data", "directory of the embedded database and the keys",
		text(func(c *Config) *string { return &c.Data }),
	},
	{
		"", "DATABASE_URL", "URL", "", "PostgreSQL 15 or newer to use instead of the embedded database",
		databaseURL(func(c *Config) *string { return &c.DatabaseURL }),
	},
	{
		"", directoryVar, "URL", "",
		"PostgreSQL database that lists the cells, if organizations live in several databases; instead of DATABASE_URL",
		databaseURL(func(c *Config) *string { return &c.DirectoryURL }),
	},
	{
		"pool", "DIALWRIGHT_POOL", "N", "0", "maximum database connections; 0 chooses a number that suits the server",
		setPool,
	},
	{
		"", masterKeyVar, "KEY[,KEY]", "",
		"encrypts secrets at rest: 32 bytes in base64 or hex; the first key encrypts, all keys decrypt; a server " +
			"needs it with DATABASE_URL, and every command with cells; otherwise created in the data directory",
		setMasterKeys,
	},
	{"migrate", "DIALWRIGHT_MIGRATE", "", "true", "update the schema at start", boolean(func(c *Config) *bool {
		return &c.Migrate
	})},
	{
		"addr", "DIALWRIGHT_ADDR", "HOST:PORT", "127.0.0.1:8080", "address to listen on; port 0 picks a free port",
		address(func(c *Config) *string { return &c.Addr }),
	},
	{
		"public-url", "DIALWRIGHT_PUBLIC_URL", "URL", "",
		"how browsers and carriers reach this server; default http://HOST:PORT",
		baseURL(func(c *Config) *string { return &c.PublicURL }),
	},
	{
		"metrics-addr", "DIALWRIGHT_METRICS_ADDR", "HOST:PORT", "127.0.0.1:9464",
		"address that serves /metrics; empty turns it off",
		address(func(c *Config) *string { return &c.MetricsAddr }),
	},
	{
		"pprof", "DIALWRIGHT_PPROF", "", "false",
		"serve CPU and memory profiles of this process under /debug/pprof/ beside /metrics",
		boolean(func(c *Config) *bool { return &c.Pprof }),
	},
	{
		"", "DIALWRIGHT_TRUSTED_PROXIES", "CIDR[,CIDR]", "",
		"reverse proxies whose X-Forwarded-For header is trusted", setProxies,
	},
	{
		"", "DIALWRIGHT_WEBHOOK_ALLOW", "HOST|CIDR[,…]", "",
		"hosts and private networks that webhooks, tools, pre-dial checks, single sign-on, subscribed do-not-call " +
			"lists and other files from URLs may reach, also over plain http",
		list(func(c *Config) *[]string { return &c.WebhookAllow }),
	},
	{
		"", "DIALWRIGHT_MODEL_HOSTS", "HOST[:PORT][,…]", "",
		"model servers on private addresses that organizations may connect to, also over plain http",
		list(func(c *Config) *[]string { return &c.ModelHosts }),
	},
	{
		"", "DIALWRIGHT_SMTP_ADDR", "HOST:PORT", "",
		"SMTP server that sends alerts and digests to members by email; default none: no email is sent",
		text(func(c *Config) *string { return &c.SMTPAddr }),
	},
	{
		"", "DIALWRIGHT_SMTP_FROM", "EMAIL", "", "the sender of email; required with DIALWRIGHT_SMTP_ADDR",
		text(func(c *Config) *string { return &c.SMTPFrom }),
	},
	{
		"", "DIALWRIGHT_SMTP_USER", "TEXT", "", "user name at the SMTP server, if it asks for one",
		text(func(c *Config) *string { return &c.SMTPUser }),
	},
	{
		"", "DIALWRIGHT_SMTP_PASSWORD", "TEXT", "", "password at the SMTP server",
		text(func(c *Config) *string { return &c.SMTPPassword }),
	},
	{
		"", "DIALWRIGHT_SMTP_TLS", "starttls|tls|none", "starttls",
		"how the connection to the SMTP server is encrypted",
		text(func(c *Config) *string { return &c.SMTPTLS }),
	},
	{
		"", "DIALWRIGHT_TWILIO_BASE_URL", "URL", "",
		"base URL of Twilio's REST API; default that of each connection's region",
		baseURL(func(c *Config) *string { return &c.TwilioURL }),
	},
	{"", "DIALWRIGHT_WHATSAPP", "", "false", "turn on the WhatsApp channel", boolean(func(c *Config) *bool {
		return &c.WhatsApp
	})},
	{
		"", "DIALWRIGHT_WHATSAPP_BASE_URL", "URL", "",
		"base URL of Meta's Graph API; default https://graph.facebook.com, or the sandbox if there is one",
		baseURL(func(c *Config) *string { return &c.WhatsAppURL }),
	},
	{"", "DIALWRIGHT_WHATSAPP_VERSION", "VERSION", "v26.0", "version of Meta's Graph API", setGraphVersion},
	{"role", "DIALWRIGHT_ROLE", "web|worker|all", "all", "what this process does", setRole},
	{
		"drain", "DIALWRIGHT_DRAIN", "DURATION", "30s", "how long a shutdown may take",
		duration(func(c *Config) *time.Duration { return &c.Drain }),
	},
	{
		"sandbox", "DIALWRIGHT_SANDBOX", "", "false", "run the sandbox, a simulated phone network, in this process",
		boolean(func(c *Config) *bool { return &c.Sandbox }),
	},
	{
		"sandbox-url", "DIALWRIGHT_SANDBOX_URL", "URL", "", "use the sandbox of a `dialwright sandbox` process",
		baseURL(func(c *Config) *string { return &c.SandboxURL }),
	},
	{
		"", "DIALWRIGHT_SANDBOX_TOKEN", "TEXT", "", "token shared by `dialwright sandbox` and its servers",
		text(func(c *Config) *string { return &c.SandboxToken }),
	},
	{
		"sandbox-speed", "DIALWRIGHT_SANDBOX_SPEED", "N", "1",
		"how many times faster than real time the sandbox runs", setSpeed,
	},
	{"log-level", "DIALWRIGHT_LOG_LEVEL", "LEVEL", "info", "debug, info, warn or error", setLevel},
	{"org", "", "NAME|ID", "", "the organization; required unless there is exactly one", text(func(c *Config) *string {
		return &c.Organization
	})},
	{"name", "", "NAME", "", "display name", text(func(c *Config) *string { return &c.Name })},
	{"email", "", "EMAIL", "", "the user's email address", text(func(c *Config) *string { return &c.Email })},
	{"user-role", "", "admin|manager|staff", "admin", "the user's role", text(func(c *Config) *string {
		return &c.UserRole
	})},
	{
		"cell", "", "N", "0", "the cell of a new organization; 0 chooses the one with the fewest organizations",
		count(func(c *Config) *int { return &c.Cell }),
	},
	{"to", "", "N", "0", "the number of the cell that gets the organization", count(func(c *Config) *int {
		return &c.To
	})},
	{
		"wait", "", "DURATION", "15m", "how long to wait for calls to end before the move is given up",
		duration(func(c *Config) *time.Duration { return &c.Wait }),
	},
	{"back", "", "", "false", "undo a move that was interrupted", boolean(func(c *Config) *bool { return &c.Back })},
	{
		"", "DIALWRIGHT_CELL_URL", "URL", "",
		"PostgreSQL database of the cell; with search_path=NAME in it, the cell is that schema",
		databaseURL(func(c *Config) *string { return &c.CellURL }),
	},
	{"scopes", "", "A[,B]", "", "scopes of the key, separated by commas; default all", list(func(c *Config) *[]string {
		return &c.Scopes
	})},
	{
		"networks", "", "A[,B]", "", "addresses and ranges that may use the key, separated by commas; default all",
		list(func(c *Config) *[]string { return &c.Networks }),
	},
	{
		"expires", "", "DURATION", "0", "how long the key is valid, such as 720h; default forever",
		duration(func(c *Config) *time.Duration { return &c.Expires }),
	},
	{"dry-run", "", "", "false", "show what would be done, and change nothing", boolean(func(c *Config) *bool {
		return &c.DryRun
	})},
	{
		"url", "DIALWRIGHT_URL", "URL", "http://127.0.0.1:8080", "the running server",
		baseURL(func(c *Config) *string { return &c.ServerURL }),
	},
	{
		"api-key", "DIALWRIGHT_KEY", "KEY", "",
		"an API key of the server; required; other users of this machine can read a flag",
		text(func(c *Config) *string { return &c.APIKey }),
	},
	{
		"forward", "", "URL", "", "the receiver on this machine or in its network",
		receiver(func(c *Config) *string { return &c.Forward }),
	},
	{
		"types", "", "A[,B]", "", "types of events, separated by commas; default all",
		list(func(c *Config) *[]string { return &c.EventTypes }),
	},
	{
		"cases", "", "FILE", "", "JSON array of test cases to create, or to replace by name, before the run",
		text(func(c *Config) *string { return &c.CasesFile }),
	},
	{
		"agent-version", "", "N", "0", "the version to test; 0 tests the draft",
		count(func(c *Config) *int { return &c.AgentVersion }),
	},
	{"repeats", "", "N", "3", "attempts of each case, 1 to 10", count(func(c *Config) *int { return &c.Repeats })},
	{
		"difficult-callees", "", "", "false", "add the fixed set of difficult callees",
		boolean(func(c *Config) *bool { return &c.DifficultCallees }),
	},
	{
		"junit", "", "FILE", "", "also write the results as JUnit XML",
		text(func(c *Config) *string { return &c.JUnit }),
	},
	{
		"", "DIALWRIGHT_PASSWORD", "TEXT", "", "the password; by default one is generated and printed",
		text(func(c *Config) *string { return &c.Password }),
	},
}

// mayBeEmpty lists the flags that accept an empty value.
var mayBeEmpty = []string{"metrics-addr"}

// Command is one of the binary's commands, with the settings it knows.
type Command struct {
	Name     string   // "key create"
	Args     []string // names of the arguments that it takes, all required
	Summary  string   // one sentence
	Settings []string
	Seals    bool              // it seals or opens secrets, so it always needs a master key
	Required []string          // flags that must be given
	Defaults map[string]string // defaults of this command alone
	Notes    string            // more text for the help
	Example  string            // command line to copy, for the help
}

// Load parses the command's flags and environment. If help is requested, it writes the
// help to w and returns flag.ErrHelp. Any other error has one line for each problem.
//
// A command that seals always gets a master key, and with cells every command does, because the directory seals the
// addresses of the cells. The key is required with DATABASE_URL and with a directory. With the embedded database, the
// key is in a file in the data directory, which Load creates if everything else is valid.
func (cmd Command) Load(args []string, getenv func(string) string, w io.Writer) (Config, error) {
	var c Config
	var problems []error

	known := make([]setting, 0, len(settings))
	for _, s := range settings {
		if slices.Contains(cmd.Settings, s.name()) {
			if fallback, ok := cmd.Defaults[s.name()]; ok {
				s.fallback = fallback
			}
			known = append(known, s)
		} else if err := s.set(&c, s.fallback); err != nil {
			return c, fmt.Errorf("default of %s: %w", s.name(), err)
		}
	}

	flags := flag.NewFlagSet(cmd.Name, flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	given := make(map[string]string)
	for _, s := range known {
		if s.flag == "" {
			continue
		}
		set := func(value string) error { given[s.flag] = value; return nil }
		if s.arg == "" {
			flags.BoolFunc(s.flag, s.help, set)
		} else {
			flags.Func(s.flag, s.help, set)
		}
	}
	for rest := args; len(rest) > 0; { // flags may follow arguments
		err := flags.Parse(rest)
		if errors.Is(err, flag.ErrHelp) {
			cmd.help(w, known)
			return c, flag.ErrHelp
		}
		if err != nil { // the flags after it are not read, so the missing flags are unknown
			return c, flagError(err)
		}
		if rest = flags.Args(); len(rest) > 0 {
			c.Args, rest = append(c.Args, rest[0]), rest[1:]
		}
	}
	switch n := len(cmd.Args); {
	case len(c.Args) < n:
		problems = append(problems, fmt.Errorf("%s is required", cmd.Args[len(c.Args)]))
	case len(c.Args) > n:
		problems = append(problems, fmt.Errorf("%s does not take %q", cmd.Name, c.Args[n]))
	}

	for _, s := range known {
		source, value := "", s.fallback
		if s.env != "" {
			if v := getenv(s.env); v != "" {
				source, value = s.env, v
			}
		}
		if v, ok := given[s.flag]; ok {
			source, value = "--"+s.flag, v
			if strings.Trim(v, " ,") == "" && !slices.Contains(mayBeEmpty, s.flag) {
				problems = append(problems, fmt.Errorf("%s: a value is required", source))
				continue
			}
		} else if slices.Contains(cmd.Required, s.flag) {
			problems = append(problems, fmt.Errorf("--%s is required", s.flag))
			continue
		}
		if err := s.set(&c, value); err != nil {
			problems = append(problems, fmt.Errorf("%s: %w", source, err))
		}
	}
	if c.Sandbox && c.SandboxURL != "" {
		problems = append(problems, errors.New("use either --sandbox or --sandbox-url, not both"))
	}
	if c.SandboxURL != "" && c.SandboxToken == "" {
		problems = append(
			problems,
			errors.New("DIALWRIGHT_SANDBOX_TOKEN: required with --sandbox-url; `dialwright sandbox` prints one"),
		)
	}
	if c.DatabaseURL != "" && c.DirectoryURL != "" {
		problems = append(problems, fmt.Errorf("use either DATABASE_URL or %s, not both", directoryVar))
	}
	if (cmd.Seals && c.DatabaseURL != "" || c.DirectoryURL != "") && getenv(masterKeyVar) == "" {
		problems = append(problems, errNoMasterKey())
	}
	if err := errors.Join(problems...); err != nil {
		return c, err
	}
	if cmd.Seals && c.DatabaseURL == "" && c.DirectoryURL == "" {
		return c, c.keyFile()
	}
	return c, nil
}

// flagError rewords an error of the flag package.
func flagError(err error) error {
	if name, ok := strings.CutPrefix(err.Error(), "flag provided but not defined: -"); ok {
		return fmt.Errorf("--%s: unknown flag", name)
	}
	if name, ok := strings.CutPrefix(err.Error(), "flag needs an argument: -"); ok {
		return fmt.Errorf("--%s: a value is required", name)
	}
	return err
}

// help writes the help of a command. Settings that are only flags come first, because
// they say what the command does.
func (cmd Command) help(w io.Writer, known []setting) {
	fmt.Fprintf(w, "%s\n\nUsage: dialwright %s", cmd.Summary, cmd.Name)
	if len(known) > 0 {
		fmt.Fprint(w, " [flags]")
	}
	fmt.Fprintln(w, strings.Join(append([]string{""}, cmd.Args...), " "))
	for _, section := range []struct {
		title    string
		flagOnly bool
	}{{"Flags", true}, {"Settings, as flags or environment variables", false}} {
		title := "\n" + section.title + ":\n"
		for _, s := range known {
			if (s.env == "") == section.flagOnly {
				fmt.Fprint(w, title)
				title = ""
				cmd.describe(w, s)
			}
		}
	}
	if cmd.Notes != "" {
		fmt.Fprintf(w, "\n%s\n", cmd.Notes)
	}
	if cmd.Example != "" {
		fmt.Fprintf(w, "\nExample:\n  %s\n", cmd.Example)
	}
}

func (cmd Command) describe(w io.Writer, s setting) {
	head := s.env
	if s.flag != "" {
		head = "--" + s.flag
		if s.arg != "" {
			head += " " + s.arg
		}
		if s.env != "" {
			head += ", " + s.env
		}
	}
	fmt.Fprintf(w, "  %s\n      %s", head, s.help)
	switch {
	case slices.Contains(cmd.Required, s.flag):
		fmt.Fprint(w, " (required)")
	case s.fallback != "" && s.fallback != "0" && s.fallback != "false":
		fmt.Fprintf(w, " (default %s)", s.fallback)
	}
	fmt.Fprintln(w)
}

func (s setting) name() string {
	if s.flag != "" {
		return s.flag
	}
	return s.env
}

func text(field func(*Config) *string) func(*Config, string) error {
	return func(c *Config, v string) error { *field(c) = v; return nil }
}

func list(field func(*Config) *[]string) func(*Config, string) error {
	return func(c *Config, v string) error {
		for item := range strings.SplitSeq(v, ",") {
			if item = strings.TrimSpace(item); item != "" {
				*field(c) = append(*field(c), item)
			}
		}
		return nil
	}
}

func boolean(field func(*Config) *bool) func(*Config, string) error {
	return func(c *Config, v string) error {
		b, err := strconv.ParseBool(v)
		if err != nil {
			return fmt.Errorf("%q is not true or false", v)
		}
		*field(c) = b
		return nil
	}
}

func duration(field func(*Config) *time.Duration) func(*Config, string) error {
	return func(c *Config, v string) error {
		d, err := time.ParseDuration(v)
		if err != nil || d < 0 {
			return fmt.Errorf("%q is not a duration such as 30s or 720h", v)
		}
		*field(c) = d
		return nil
	}
}

func address(field func(*Config) *string) func(*Config, string) error {
	return func(c *Config, v string) error {
		if v == "" {
			return nil
		}
		_, port, err := net.SplitHostPort(v)
		if err != nil {
			return fmt.Errorf("%q is not HOST:PORT", v)
		}
		if n, err := strconv.Atoi(port); err != nil || n < 0 || n > 65535 {
			return fmt.Errorf("%q needs a port from 0 to 65535", v)
		}
		*field(c) = v
		return nil
	}
}

func baseURL(field func(*Config) *string) func(*Config, string) error {
	return func(c *Config, v string) error {
		if v == "" {
			return nil
		}
		u, err := url.Parse(v)
		if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || u.RawQuery != "" ||
			u.Fragment != "" || u.User != nil {
			return errors.New("not an address such as https://calls.example.com")
		}
		*field(c) = strings.TrimRight(v, "/")
		return nil
	}
}

// receiver sets the URL of a receiver of events, with its path and query.
func receiver(field func(*Config) *string) func(*Config, string) error {
	return func(c *Config, v string) error {
		if v == "" {
			return nil
		}
		u, err := url.Parse(v)
		if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || u.Fragment != "" {
			return errors.New("not an address such as http://localhost:3000/hooks")
		}
		*field(c) = v
		return nil
	}
}

// directoryVar names the directory of cells in messages.
const directoryVar = "DIALWRIGHT_DIRECTORY_URL"

func databaseURL(field func(*Config) *string) func(*Config, string) error {
	return func(c *Config, v string) error {
		if v == "" {
			return nil
		}
		// The value may contain a password, so the message must not repeat it.
		if u, err := url.Parse(v); err != nil || (u.Scheme != "postgres" && u.Scheme != "postgresql") {
			return errors.New("not an address such as postgres://user:password@host:5432/name")
		}
		*field(c) = v
		return nil
	}
}

func count(field func(*Config) *int) func(*Config, string) error {
	return func(c *Config, v string) error {
		n, err := strconv.Atoi(v)
		if err != nil || n < 0 {
			return fmt.Errorf("%q is not a whole number", v)
		}
		*field(c) = n
		return nil
	}
}

func setPool(c *Config, v string) error {
	n, err := strconv.Atoi(v)
	if err != nil || n < 0 || n > 1000 || n > 0 && n < 4 {
		return fmt.Errorf("%q is not 0 or a number from 4 to 1000", v)
	}
	c.PoolSize = n
	return nil
}

func setSpeed(c *Config, v string) error {
	n, err := strconv.ParseFloat(v, 64)
	if err != nil || !(n >= 0.1 && n <= 1000) {
		return fmt.Errorf("%q is not a number from 0.1 to 1000", v)
	}
	c.SandboxSpeed = n
	return nil
}

func setRole(c *Config, v string) error {
	switch r := Role(v); r {
	case RoleAll, RoleWeb, RoleWorker:
		c.Role = r
		return nil
	}
	return fmt.Errorf("%q is not web, worker or all", v)
}

var graphVersion = regexp.MustCompile(`^v[0-9]{1,3}\.[0-9]{1,3}$`)

func setGraphVersion(c *Config, v string) error {
	if !graphVersion.MatchString(v) {
		return fmt.Errorf("%q is not a version such as v26.0", v)
	}
	c.GraphVersion = v
	return nil
}

func setLevel(c *Config, v string) error {
	if err := c.LogLevel.UnmarshalText([]byte(v)); err != nil {
		return fmt.Errorf("%q is not debug, info, warn or error", v)
	}
	return nil
}

func setProxies(c *Config, v string) error {
	for item := range strings.SplitSeq(v, ",") {
		item = strings.TrimSpace(item)
		if item == "" {
			continue
		}
		prefix, err := netip.ParsePrefix(item)
		if addr, bad := netip.ParseAddr(item); err != nil && bad == nil {
			prefix, err = addr.Prefix(addr.BitLen())
		}
		if err != nil {
			return fmt.Errorf("%q is not an address or a network", item)
		}
		c.TrustedProxies = append(c.TrustedProxies, prefix.Masked())
	}
	return nil
}
