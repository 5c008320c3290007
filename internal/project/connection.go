package project

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/postgres"
)

// Kind is the carrier of a connection.
type Kind string

const (
	Twilio  Kind = "twilio"
	Sandbox Kind = "sandbox" // the simulated phone network
)

// Label is the kind's name for people.
func (k Kind) Label() string {
	switch k {
	case Twilio:
		return "Twilio"
	case Sandbox:
		return "Sandbox"
	}
	return string(k)
}

// Region is the data center in which Twilio keeps an account's calls and recordings.
// https://www.twilio.com/docs/global-infrastructure
type Region string

const (
	RegionUS Region = "us1" // Twilio's default
	RegionIE Region = "ie1"
	RegionAU Region = "au1"
)

// Regions are all regions.
var Regions = []Region{RegionUS, RegionIE, RegionAU}

// Label is the region's name for people.
func (r Region) Label() string {
	switch r {
	case RegionUS:
		return "United States (us1)"
	case RegionIE:
		return "Ireland (ie1)"
	case RegionAU:
		return "Australia (au1)"
	}
	return string(r)
}

// Connection is an account at a carrier. Only Credentials returns its credentials.
type Connection struct {
	ID             uuid.UUID
	Kind           Kind
	Name           string
	Account        string   // the account's id at the carrier
	Region         Region   // Twilio's
	APIKey         *string  // SID of Twilio's API key that authenticates requests; nil: the Auth Token does
	CallsPerSecond *float64 // nil: no limit
	MaxConcurrency *int     // nil: no limit
	DetectionRate  string   // price of a detection, an exact decimal; empty: unknown
	RelayRate      string   // price of a started minute of a line, likewise
	Failures

	// PreviousTokenUntil is when callbacks signed with the Auth Token before the last
	// replacement stop being accepted. Nil: there is no such token.
	PreviousTokenUntil *time.Time

	RelayProvenAt *time.Time // when a line worked, since the last line that failed
	DeactivatedAt *time.Time
	CreatedAt     time.Time
}

const connectionColumns = `id, kind, name, account, region, calls_per_second, max_concurrency, ` + FailureColumns + `,
	coalesce(trim_scale(detection_rate)::text, '') as detection_rate,
	coalesce(trim_scale(relay_rate)::text, '') as relay_rate,
	relay_proven_at, api_key,
	case when previous_token_until > clock() then previous_token_until end as previous_token_until,
	deactivated_at, created_at`

// NewConnection is a connection to create. For the sandbox, only the name and the rates are used:
// a sandbox connection has generated credentials and no limits.
type NewConnection struct {
	Kind    Kind
	Account string // Twilio's Account SID; never changes
	Region  Region // Twilio's; empty means us1; never changes, because calls and recordings stay there
	ConnectionSettings
}

// ConnectionSettings are the settings of a connection.
type ConnectionSettings struct {
	Name           string   // 1 to 100 characters
	Token          string   // Twilio's Auth Token; empty in an update keeps the old token
	APIKey         string   // SID of an API key of Twilio, for requests instead of the token; empty: none
	APISecret      string   // of APIKey; empty in an update keeps the secret of the same key
	CallsPerSecond *float64 // of Twilio; nil means 1, Twilio's own default
	MaxConcurrency *int     // of Twilio; nil means no limit

	// The carrier reports no prices for these parts of a call, so people enter them, as exact decimals
	// in the currency of the account. Empty means unknown.
	DetectionRate string // price of detecting who answered a call
	RelayRate     string // price of each started minute of a line
}

// Bounds of a connection's limits. No account exceeds the upper bounds.
const (
	minRate        = 0.01
	maxRate        = 1000
	maxConcurrency = 100_000
)

var (
	accountSID = regexp.MustCompile(`^AC[0-9a-fA-F]{32}$`)
	keySID     = regexp.MustCompile(`^SK[0-9a-fA-F]{32}$`)
)

// Check normalizes the settings and reports what is wrong with them. Errors: Invalid.
func (n *NewConnection) Check() error {
	var p fault.Problems
	switch n.Kind {
	case Twilio:
		n.Account = strings.TrimSpace(n.Account)
		if !accountSID.MatchString(n.Account) {
			p.Addf("account", "must be an Account SID: AC and 32 hexadecimal digits")
		}
		if strings.TrimSpace(n.Token) == "" {
			p.Addf("token", "required")
		}
		if strings.TrimSpace(n.APIKey) != "" && strings.TrimSpace(n.APISecret) == "" {
			p.Addf("api_secret", "required with an API key")
		}
		n.Region = cmp.Or(n.Region, RegionUS)
		if !slices.Contains(Regions, n.Region) {
			p.Addf("region", "must be us1, ie1 or au1")
		}
	case Sandbox:
		// The sandbox accepts any credentials and signs with them, so each connection
		// gets its own credentials.
		n.Account, n.Token, n.Region = "AC"+randomHex(16), randomHex(16), RegionUS
	default:
		p.Addf("carrier", "must be twilio or sandbox")
	}
	n.ConnectionSettings.check(n.Kind, &p)
	return p.Err()
}

// Check normalizes the settings of a connection of a kind and reports what is wrong with them. Errors: Invalid.
func (c *ConnectionSettings) Check(kind Kind) error {
	var p fault.Problems
	c.check(kind, &p)
	return p.Err()
}

func (c *ConnectionSettings) check(kind Kind, p *fault.Problems) {
	check.Name(p, "name", &c.Name)
	check.Amount(p, "detection_rate", &c.DetectionRate)
	check.Amount(p, "relay_rate", &c.RelayRate)
	if kind == Sandbox {
		c.APIKey, c.APISecret, c.CallsPerSecond, c.MaxConcurrency = "", "", nil, nil
		return
	}
	if c.Token = strings.TrimSpace(c.Token); !printable(c.Token) {
		p.Addf("token", "must be an Auth Token")
	}
	c.APIKey, c.APISecret = strings.TrimSpace(c.APIKey), strings.TrimSpace(c.APISecret)
	switch {
	case c.APIKey == "" && c.APISecret != "":
		p.Addf("api_key", "required with a secret")
	case c.APIKey != "" && !keySID.MatchString(c.APIKey):
		p.Addf("api_key", "must be the SID of an API key: SK and 32 hexadecimal digits")
	case !printable(c.APISecret):
		p.Addf("api_secret", "must be the secret of an API key")
	}
	if c.CallsPerSecond == nil {
		one := 1.0
		c.CallsPerSecond = &one
	}
	checkRate(p, c.CallsPerSecond)
	checkConcurrency(p, c.MaxConcurrency)
}

// printable reports whether a text can be a credential of Twilio.
func printable(s string) bool {
	return len(s) <= 200 && !strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r > '~' })
}

func checkRate(p *fault.Problems, rate *float64) {
	// The condition is written so that it refuses NaN too.
	if rate != nil && !(*rate >= minRate && *rate <= maxRate) {
		p.Addf("calls_per_second", "must be between %v and %v", minRate, maxRate)
	}
}

func checkConcurrency(p *fault.Problems, n *int) {
	if n != nil && (*n < 1 || *n > maxConcurrency) {
		p.Addf("max_concurrency", "must be between 1 and %d", maxConcurrency)
	}
}

func randomHex(n int) string {
	b := make([]byte, n)
	rand.Read(b)
	return hex.EncodeToString(b)
}

// CreateConnection creates a connection that the carrier accepts. Errors: Invalid, also
// when the carrier refuses the credentials; BadGateway when the carrier gives no answer;
// Conflict when the organization has a connection to this account.
func (s *Service) CreateConnection(ctx context.Context, actor account.Actor, n NewConnection) (Connection, error) {
	if err := n.Check(); err != nil {
		return Connection{}, err
	}
	if n.Kind == Sandbox && !s.sandbox {
		return Connection{}, fault.Invalidf("carrier", "this server runs without the sandbox")
	}
	credentials := Credentials{Kind: n.Kind, Account: n.Account, Region: n.Region}
	if err := s.probeNew(ctx, credentials, n.ConnectionSettings); err != nil {
		return Connection{}, err
	}
	id := uuid.Must(uuid.NewV7())
	sealed, err := s.seal(actor.OrganizationID, id, secrets{Token: n.Token, APISecret: n.APISecret})
	if err != nil {
		return Connection{}, err
	}
	var c Connection
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) (err error) {
		c, err = oneConnection(ctx, tx, `
			insert into connection (id, organization_id, kind, name, account, region, credentials, api_key,
				calls_per_second, max_concurrency, detection_rate, relay_rate, check_due_at)
			values (@id, @organization_id, @kind, @name, @account, @region, @credentials, nullif(@api_key, ''),
				@calls_per_second, @max_concurrency, nullif(@detection_rate, '')::numeric,
				nullif(@relay_rate, '')::numeric, case when @kind <> 'sandbox' then clock() end)
			returning `+connectionColumns, pgx.NamedArgs{
			"id": id, "organization_id": actor.OrganizationID, "kind": n.Kind, "name": n.Name, "account": n.Account,
			"region": n.Region, "credentials": sealed, "api_key": n.APIKey, "calls_per_second": n.CallsPerSecond,
			"max_concurrency": n.MaxConcurrency, "detection_rate": n.DetectionRate, "relay_rate": n.RelayRate,
		})
		if err != nil {
			return err
		}
		return account.Record(ctx, tx, actor, "connection.created", account.Object{
			Type: "connection", ID: id,
		}, map[string]any{
			"kind": n.Kind, "name": n.Name, "account": n.Account, "region": n.Region,
			"api_key": c.APIKey, "calls_per_second": n.CallsPerSecond, "max_concurrency": n.MaxConcurrency,
			"detection_rate": n.DetectionRate, "relay_rate": n.RelayRate,
		})
	})
	return c, err
}

// UpdateConnection changes an active connection. It checks new credentials at the carrier
// first, and clears the errors made with the old ones. A replaced token is kept for
// previousTokenTime. Errors: Invalid, NotFound, and BadGateway as CreateConnection.
func (s *Service) UpdateConnection(
	ctx context.Context, actor account.Actor, id uuid.UUID, settings ConnectionSettings,
) (Connection, error) {
	return s.updateConnection(ctx, actor, id, func(Connection) (ConnectionSettings, error) { return settings, nil })
}

// updateConnection gives an active connection the settings that are computed from the connection as it is.
func (s *Service) updateConnection(
	ctx context.Context, actor account.Actor, id uuid.UUID,
	settingsOf func(old Connection) (ConnectionSettings, error),
) (Connection, error) {
	current, err := s.ActiveConnection(ctx, actor.OrganizationID, id)
	if err != nil {
		return Connection{}, err
	}
	asked, err := settingsOf(current)
	if err != nil {
		return Connection{}, err
	}
	if err := asked.Check(current.Kind); err != nil {
		return Connection{}, err
	}
	// Ask the carrier before a row is locked.
	credentials := Credentials{Kind: current.Kind, Account: current.Account, Region: current.Region}
	if err := s.probeNew(ctx, credentials, asked); err != nil {
		return Connection{}, err
	}
	var old, c Connection
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		args := pgx.NamedArgs{"organization_id": actor.OrganizationID, "id": id}
		var err error
		old, err = oneConnection(ctx, tx, `
			select `+connectionColumns+` from connection
			where organization_id = @organization_id and id = @id and deactivated_at is null
			for no key update`, args)
		if err != nil {
			return err
		}
		settings, err := settingsOf(old)
		if err != nil {
			return err
		}
		if err := settings.Check(old.Kind); err != nil {
			return err
		}
		if settings.APISecret != "" && settings.APIKey != asked.APIKey { // the carrier was asked about another key
			return fault.Conflictf("The connection has just been changed. Try again")
		}
		args["name"] = settings.Name
		args["calls_per_second"], args["max_concurrency"] = settings.CallsPerSecond, settings.MaxConcurrency
		args["detection_rate"], args["relay_rate"] = settings.DetectionRate, settings.RelayRate
		args["api_key"] = settings.APIKey
		replaced, err := s.replaceCredentials(ctx, tx, actor.OrganizationID, old, settings)
		if err != nil {
			return err
		}
		args["credentials"], args["previous_token"] = replaced.credentials, replaced.previousToken
		args["previous_token_time"] = previousTokenTime
		c, err = oneConnection(ctx, tx, `
			update connection
			set name = @name, calls_per_second = @calls_per_second, max_concurrency = @max_concurrency,
			    detection_rate = nullif(@detection_rate, '')::numeric, relay_rate = nullif(@relay_rate, '')::numeric,
			    api_key = nullif(@api_key, ''), credentials = coalesce(@credentials::bytea, credentials),
			    previous_token = coalesce(@previous_token::bytea, previous_token),
			    previous_token_until = case when @previous_token::bytea is null then previous_token_until
			                                else clock() + @previous_token_time::interval end,
			    consecutive_errors = case when @credentials::bytea is null then consecutive_errors else 0 end,
			    line_failures = case when @credentials::bytea is null then line_failures else 0 end,
			    probing = case when @credentials::bytea is null then probing end,
			    last_error = case when @credentials::bytea is null then last_error end,
			    last_error_at = case when @credentials::bytea is null then last_error_at end,
			    check_due_at = case when @credentials::bytea is null or kind = 'sandbox' then check_due_at
			                        else clock() end
			where organization_id = @organization_id and id = @id
			returning `+connectionColumns, args)
		if err != nil {
			return err
		}
		if replaced.credentials == nil && reflect.DeepEqual(old, c) {
			return account.Unchanged(ctx)
		}
		return account.Record(ctx, tx, actor, "connection.updated", account.Object{
			Type: "connection", ID: id,
		}, map[string]any{
			"name": settings.Name, "calls_per_second": settings.CallsPerSecond,
			"max_concurrency": settings.MaxConcurrency, "api_key": c.APIKey,
			"detection_rate": settings.DetectionRate, "relay_rate": settings.RelayRate,
			"token_changed": replaced.previousToken != nil,
		})
	})
	if err != nil {
		return Connection{}, err
	}
	return c, s.rateChanged(ctx, actor.OrganizationID, old.CallsPerSecond, c.CallsPerSecond)
}

// oneConnection runs a statement that returns one connection. Errors: NotFound, and
// Conflict when the account is already connected.
func oneConnection(ctx context.Context, db postgres.DB, sql string, args pgx.NamedArgs) (Connection, error) {
	c, err := postgres.CollectOne(ctx, db, pgx.RowToStructByName[Connection], sql, args)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return Connection{}, fault.NotFoundf("Connection")
	case postgres.Constraint(err) == "connection_account_unique":
		return Connection{}, fault.Takenf("account", "This account is already connected")
	case err != nil:
		return Connection{}, fmt.Errorf("query a connection: %w", err)
	}
	return c, nil
}

// DeactivateConnection permanently takes a connection out of use. Errors: NotFound, and
// Conflict that names the phone numbers that belong to it.
func (s *Service) DeactivateConnection(ctx context.Context, actor account.Actor, id uuid.UUID) error {
	args := pgx.NamedArgs{"organization_id": actor.OrganizationID, "id": id, "shown": shownUsers}
	return postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		c, err := oneConnection(ctx, tx, `
			select `+connectionColumns+` from connection
			where organization_id = @organization_id and id = @id and deactivated_at is null
			for update`, args)
		if err != nil {
			return err
		}
		rows, err := tx.Query(ctx, `
			select phone_number, count(*) over ()
			from phone_number
			where organization_id = @organization_id and connection_id = @id and deactivated_at is null
			order by created_at desc, id desc
			limit @shown`, args)
		if err != nil {
			return fmt.Errorf("look for numbers of a connection: %w", err)
		}
		numbers, total, err := collectUsers(rows)
		switch {
		case err != nil:
			return fmt.Errorf("look for numbers of a connection: %w", err)
		case total == 1:
			return fault.Conflictf("Connection %s is used by 1 phone number: %s", c.Name, numbers[0])
		case total > 1:
			return fault.Conflictf("Connection %s is used by %d phone numbers: %s", c.Name, total,
				enumerate(numbers, total))
		}
		if _, err := tx.Exec(ctx, `update connection set deactivated_at = clock() where id = @id`, args); err != nil {
			return fmt.Errorf("deactivate a connection: %w", err)
		}
		return account.Record(ctx, tx, actor, "connection.deactivated", account.Object{
			Type: "connection", ID: id,
		}, map[string]any{"name": c.Name})
	})
}

// Connection returns a connection, active or not. Errors: NotFound.
func (s *Service) Connection(ctx context.Context, organizationID, id uuid.UUID) (Connection, error) {
	return s.read.connection.Read(ctx, organizationID, id)
}

var connectionByID = postgres.NewByID[Connection]("Connection", `
	select `+connectionColumns+` from connection where organization_id = @organization_id and id = @id`)

func connectionIn(ctx context.Context, db postgres.DB, organizationID, id uuid.UUID) (Connection, error) {
	return connectionByID.Read(ctx, db, organizationID, id)
}

// Connections lists the active connections, newest first.
func (s *Service) Connections(
	ctx context.Context, organizationID uuid.UUID, r page.Request,
) (page.List[Connection], error) {
	args := pgx.NamedArgs{"organization_id": organizationID}
	return page.Read(ctx, s.pool, r, "list connections", `
		select `+connectionColumns+` from connection
		where organization_id = @organization_id and deactivated_at is null and `+page.Where+`
		`+page.Order, args,
		func(c Connection) (time.Time, uuid.UUID) { return c.CreatedAt, c.ID })
}
