package connection

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/model"
	"github.com/dialwright/dialwright/internal/model/sandbox"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/project"
	"github.com/dialwright/dialwright/internal/seal"
)

// Provider is the kind of server that a connection leads to.
type Provider string

// Values of Provider.
const (
	OpenAICompatible Provider = "openai_compatible" // chat completions: OpenAI, vLLM, Ollama and most others
	Anthropic        Provider = "anthropic"
	Sandbox          Provider = "sandbox" // a rule-based stand-in, not a language model
)

// Providers are all providers.
var Providers = []Provider{OpenAICompatible, Anthropic, Sandbox}

// Label is the provider's name for people.
func (p Provider) Label() string {
	switch p {
	case OpenAICompatible:
		return "OpenAI-compatible"
	case Anthropic:
		return "Anthropic"
	case Sandbox:
		return "Sandbox"
	}
	return string(p)
}

const (
	// AnthropicURL is the URL of a connection to Anthropic that names none.
	AnthropicURL = "https://api.anthropic.com/v1"

	// DefaultStreams is how many answers a connection streams at the same time, unless it says otherwise.
	DefaultStreams = 20

	maxStreams = 10_000
	maxModel   = 200  // characters of a model's name
	maxKey     = 1000 // characters of a key
)

// Connection is a model at a server. Its key never leaves this package.
type Connection struct {
	ID               uuid.UUID
	Provider         Provider
	Name             string
	URL              string // up to /v1; empty: the sandbox
	Model            string
	HasKey           bool
	Streams          int    // answers at the same time
	InputPrice       string // per million tokens, an exact decimal; empty: unknown
	CachedInputPrice string // likewise
	OutputPrice      string // likewise
	Currency         string // of the prices; empty: there are none
	Health
	CreatedAt time.Time
}

const columns = `id, provider, name, url, model, octet_length(key) > 0 as has_key, streams,
	coalesce(trim_scale(input_price)::text, '') as input_price,
	coalesce(trim_scale(cached_input_price)::text, '') as cached_input_price,
	coalesce(trim_scale(output_price)::text, '') as output_price, currency, ` + healthColumns + `, created_at`

// Price is what the connection's tokens cost, as its settings are. Price.Of prices the tokens of a request.
func (c Connection) Price() model.Price {
	return model.Price{
		Input: c.InputPrice, CachedInput: c.CachedInputPrice, Output: c.OutputPrice, Currency: c.Currency,
	}
}

// PricesColumn is the prices of the connections that a script answers with, as JSON by ID. A connection without prices
// is not in it. organization and script are SQL.
func PricesColumn(organization, script string) string {
	return `(
		select coalesce(jsonb_object_agg(n.id, jsonb_build_object(
			'input', coalesce(trim_scale(n.input_price)::text, ''),
			'cached_input', coalesce(trim_scale(n.cached_input_price)::text, ''),
			'output', coalesce(trim_scale(n.output_price)::text, ''), 'currency', n.currency)), '{}')
		from (values ('connection_id'), ('fallback_connection_id')) f (field)
		join model_connection n on n.id = (` + script + ` -> 'model' ->> f.field)::uuid
		where n.organization_id = ` + organization + ` and n.currency <> '') as prices`
}

// NewConnection is a connection to create.
type NewConnection struct {
	Provider Provider `json:"provider"` // never changes

	Name             string `json:"name"`
	URL              string `json:"url" nullable:"true"` // up to /v1; empty: the sandbox, or Anthropic's own server
	Key              string `json:"key"`                 // empty: none
	Model            string `json:"model"`
	Streams          *int   `json:"streams"` // nil: DefaultStreams
	InputPrice       string `json:"input_price" nullable:"true"`
	CachedInputPrice string `json:"cached_input_price" nullable:"true"`
	OutputPrice      string `json:"output_price" nullable:"true"`
	Currency         string `json:"currency" nullable:"true"`
}

// Change contains the new values of a connection's settings. Nil fields stay as they are. An empty key
// keeps the stored one, an empty price removes it.
type Change struct {
	Name             *string `json:"name"`
	URL              *string `json:"url"`
	Key              *string `json:"key"`
	Model            *string `json:"model"`
	Streams          *int    `json:"streams"`
	InputPrice       *string `json:"input_price"`
	CachedInputPrice *string `json:"cached_input_price"`
	OutputPrice      *string `json:"output_price"`
	Currency         *string `json:"currency"`
}

// with returns the settings of a connection after a change.
func (c Connection) with(change Change) NewConnection {
	n := NewConnection{
		Provider: c.Provider, Name: c.Name, URL: c.URL, Model: c.Model, Streams: &c.Streams, InputPrice: c.InputPrice,
		CachedInputPrice: c.CachedInputPrice, OutputPrice: c.OutputPrice, Currency: c.Currency,
	}
	for _, field := range []struct{ to, from *string }{
		{&n.Name, change.Name}, {&n.URL, change.URL}, {&n.Key, change.Key}, {&n.Model, change.Model},
		{&n.InputPrice, change.InputPrice}, {&n.CachedInputPrice, change.CachedInputPrice},
		{&n.OutputPrice, change.OutputPrice}, {&n.Currency, change.Currency},
	} {
		if field.from != nil {
			*field.to = *field.from
		}
	}
	if change.Streams != nil {
		n.Streams = change.Streams
	}
	return n
}

// check tidies the settings. kept is whether a key is stored that an empty key keeps.
func (s *Service) check(p *fault.Problems, n *NewConnection, kept bool) {
	check.Name(p, "name", &n.Name)
	check.Required(p, "model", &n.Model, maxModel)
	n.Key = strings.TrimSpace(n.Key)
	if len(n.Key) > maxKey || strings.ContainsFunc(n.Key, func(r rune) bool { return r <= ' ' || r > '~' }) {
		p.Addf("key", "must have at most %d printable characters without spaces", maxKey)
	}
	switch n.Provider {
	case OpenAICompatible:
		s.checkURL(p, n)
	case Anthropic:
		if strings.TrimSpace(n.URL) == "" {
			n.URL = AnthropicURL
		}
		s.checkURL(p, n)
		if n.Key == "" && !kept {
			p.Addf("key", "required")
		}
	case Sandbox:
		if n.URL = strings.TrimSpace(n.URL); n.URL != "" {
			p.Addf("url", "must be empty: the sandbox is part of this server")
		}
		if n.Key != "" {
			p.Addf("key", "must be empty: the sandbox needs none")
		}
		known := func(c sandbox.Choice) bool { return c.Name == n.Model }
		if n.Model != "" && !slices.ContainsFunc(sandbox.Choices(), known) {
			p.Addf("model", "must be a model of the sandbox, such as %s", sandbox.Model)
		}
	default:
		p.Addf("provider", "must be openai_compatible, anthropic or sandbox")
	}
	if n.Streams == nil {
		streams := DefaultStreams
		n.Streams = &streams
	}
	if *n.Streams < 1 || *n.Streams > maxStreams {
		p.Addf("streams", "must be between 1 and %d", maxStreams)
	}
	check.Amount(p, "input_price", &n.InputPrice)
	check.Amount(p, "cached_input_price", &n.CachedInputPrice)
	check.Amount(p, "output_price", &n.OutputPrice)
	check.Currency(p, "currency", &n.Currency)
	priced := n.InputPrice+n.CachedInputPrice+n.OutputPrice != ""
	for _, f := range []struct{ path, price string }{{"input_price", n.InputPrice}, {"output_price", n.OutputPrice}} {
		if priced && f.price == "" { // calls would show no cost, and the daily limits would not count them
			p.Addf(f.path, "required with another price; 0 if it costs nothing")
		}
	}
	switch {
	case priced && n.Currency == "":
		p.Addf("currency", "required with a price")
	case !priced:
		n.Currency = ""
	}
}

// checkURL checks the address of a server, up to /v1.
func (s *Service) checkURL(p *fault.Problems, n *NewConnection) {
	s.guard.CheckURL(p, "url", &n.URL)
	n.URL = strings.TrimRight(n.URL, "/")
	if strings.Contains(n.URL, "?") {
		p.Addf("url", "must not contain a query (?)")
	}
	for _, end := range []string{"/chat/completions", "/messages"} {
		if strings.HasSuffix(n.URL, end) {
			p.Addf("url", "must end before %s", end)
		}
	}
}

// Sealed are the columns that this package seals.
var Sealed = []seal.Column{
	{Table: "model_connection", Column: "key", Key: []string{"id"}, Organization: "organization_id", Row: "id::text"},
}

func keyCell(organizationID, id uuid.UUID) seal.Cell {
	return seal.Cell{Organization: organizationID, Table: "model_connection", Column: "key", Row: id.String()}
}

// seal seals a key. An empty key is stored as nothing.
func (s *Service) seal(organizationID, id uuid.UUID, key string) []byte {
	if key == "" {
		return []byte{}
	}
	return s.vault.Seal([]byte(key), keyCell(organizationID, id))
}

// Create creates a connection. It sends nothing to the server: Check does. Errors: Invalid, and Conflict for a name
// that is taken.
func (s *Service) Create(ctx context.Context, actor account.Actor, n NewConnection) (c Connection, err error) {
	if err := s.CheckNew(&n); err != nil {
		return Connection{}, err
	}
	id := uuid.Must(uuid.NewV7())
	args := n.args()
	args["id"], args["organization_id"], args["key"] = id, actor.OrganizationID, s.seal(actor.OrganizationID, id, n.Key)
	args["provider"] = n.Provider
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		c, err = one(ctx, tx, `
			insert into model_connection (id, organization_id, provider, name, url, key, model, streams, input_price,
				cached_input_price, output_price, currency)
			values (@id, @organization_id, @provider, @name, @url, @key, @model, @streams,
				nullif(@input_price, '')::numeric, nullif(@cached_input_price, '')::numeric,
				nullif(@output_price, '')::numeric, @currency)
			returning `+columns, args)
		if err != nil {
			return err
		}
		return record(ctx, tx, actor, c, "model_connection.created", n.audited())
	})
	return c, err
}

// CheckNew tidies a new connection and reports what is wrong with it. Create checks too; call CheckNew
// to report it together with other problems. Errors: Invalid.
func (s *Service) CheckNew(n *NewConnection) error {
	var p fault.Problems
	s.check(&p, n, false)
	return p.Err()
}

func (n NewConnection) args() pgx.NamedArgs {
	return pgx.NamedArgs{
		"name": n.Name, "url": n.URL, "model": n.Model, "streams": *n.Streams, "input_price": n.InputPrice,
		"cached_input_price": n.CachedInputPrice, "output_price": n.OutputPrice, "currency": n.Currency,
	}
}

// audited are the settings as the audit log keeps them.
func (n NewConnection) audited() map[string]any {
	data := map[string]any(n.args())
	data["provider"], data["key_changed"] = n.Provider, n.Key != ""
	return data
}

// Update changes an active connection. Another server needs its key again, because the stored key is
// not sent there. Another server, model or key clears the health. Requests that are under way go on
// with the old settings. Unchanged may refuse the change of the connection as it is then, and may be nil. Errors:
// NotFound, Invalid, Conflict for a name that is taken, and that of unchanged.
func (s *Service) Update(
	ctx context.Context, actor account.Actor, id uuid.UUID, change Change, unchanged func(Connection) error,
) (c Connection, err error) {
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		old, err := lock(ctx, tx, actor.OrganizationID, id)
		if err != nil {
			return err
		}
		if err := check.Precondition(old, unchanged); err != nil {
			return err
		}
		n := old.with(change)
		var p fault.Problems
		s.check(&p, &n, old.HasKey)
		if old.HasKey && n.Key == "" && origin(n.URL) != origin(old.URL) {
			p.Addf("key", "enter the value again because the server changed")
		}
		if err := p.Err(); err != nil {
			return err
		}
		args := n.args()
		args["organization_id"], args["id"] = actor.OrganizationID, id
		args["key"] = s.seal(actor.OrganizationID, id, n.Key)
		args["other"] = n.Key != "" || n.URL != old.URL || n.Model != old.Model
		c, err = one(ctx, tx, `
			update model_connection
			set name = @name, url = @url, model = @model, streams = @streams,
			    key = case when octet_length(@key::bytea) > 0 then @key else key end,
			    input_price = nullif(@input_price, '')::numeric,
			    cached_input_price = nullif(@cached_input_price, '')::numeric,
			    output_price = nullif(@output_price, '')::numeric, currency = @currency, version = version + 1,
			    failures = case when @other then 0 else failures end,
			    throttled_until = case when @other then null else throttled_until end,
			    last_error = case when not @other then last_error end,
			    last_error_at = case when not @other then last_error_at end,
			    last_success_at = case when not @other then last_success_at end,
			    checked_at = case when not @other then checked_at end,
			    check_error = case when not @other then check_error end,
			    first_token_ms = case when not @other then first_token_ms end,
			    tool_calls = case when not @other then tool_calls end
			where organization_id = @organization_id and id = @id
			returning `+columns, args)
		if err != nil {
			return err
		}
		if n.Key == "" && reflect.DeepEqual(old, c) {
			return account.Unchanged(ctx)
		}
		return record(ctx, tx, actor, c, "model_connection.updated", n.audited())
	})
	return c, err
}

// origin is the scheme and the host of an address.
func origin(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	return strings.ToLower(u.Scheme + "://" + u.Host)
}

// Deactivate permanently takes a connection out of use and forgets its key. Errors: NotFound, and
// Conflict that names the agents that use it.
func (s *Service) Deactivate(ctx context.Context, actor account.Actor, id uuid.UUID) error {
	err := postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		c, err := lock(ctx, tx, actor.OrganizationID, id)
		if err != nil {
			return err
		}
		if err := unused(ctx, tx, actor.OrganizationID, c); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `
			update model_connection set deactivated_at = clock(), key = '', version = version + 1
			where organization_id = $1 and id = $2`, actor.OrganizationID, id)
		if err != nil {
			return fmt.Errorf("deactivate a model connection: %w", err)
		}
		return record(ctx, tx, actor, c, "model_connection.deactivated", nil)
	})
	if err == nil {
		s.forget(id)
	}
	return err
}

// Unused is what Deactivate would say of the agents that use a connection. Error: Conflict, which names them.
func (s *Service) Unused(ctx context.Context, organizationID uuid.UUID, c Connection) error {
	return postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error { return unused(ctx, tx, organizationID, c) })
}

func unused(ctx context.Context, tx pgx.Tx, organizationID uuid.UUID, c Connection) error {
	return project.UnusedByAgents(ctx, tx, organizationID, c.ID, `@id in (script -> 'model' ->> 'connection_id',
		script -> 'model' ->> 'fallback_connection_id', script -> 'analysis' ->> 'connection_id')`,
		"Connection "+c.Name)
}

// record writes the audit entry of a change, in the transaction of the change.
func record(
	ctx context.Context, tx pgx.Tx, actor account.Actor, c Connection, action string, data map[string]any,
) error {
	if data == nil {
		data = map[string]any{"name": c.Name}
	}
	return account.Record(ctx, tx, actor, action,
		account.Object{Type: "model_connection", ID: c.ID}, data)
}

// one runs a statement that returns one connection. Errors: NotFound, and Conflict when the name in args is taken.
func one(ctx context.Context, db postgres.DB, sql string, args pgx.NamedArgs) (Connection, error) {
	c, err := postgres.CollectOne(ctx, db, pgx.RowToStructByName[Connection], sql, args)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return Connection{}, fault.NotFoundf("Model connection")
	case postgres.Constraint(err) == "model_connection_name_unique":
		return Connection{}, fault.Takenf("name", "Another model connection is named %s", args["name"])
	case err != nil:
		return Connection{}, fmt.Errorf("query a model connection: %w", err)
	}
	return c, nil
}

const active = ` from model_connection where organization_id = @organization_id and id = @id and deactivated_at is null`

func lock(ctx context.Context, tx pgx.Tx, organizationID, id uuid.UUID) (Connection, error) {
	return one(ctx, tx, `select `+columns+active+` for no key update`,
		pgx.NamedArgs{"organization_id": organizationID, "id": id})
}

var byID = postgres.NewByID[Connection]("Model connection", `select `+columns+active)

// Get returns an active connection. Errors: NotFound.
func (s *Service) Get(ctx context.Context, organizationID, id uuid.UUID) (Connection, error) {
	return s.reader.Read(ctx, organizationID, id)
}

// List lists the active connections, newest first. Errors: Invalid.
func (s *Service) List(
	ctx context.Context, organizationID uuid.UUID, r page.Request,
) (page.List[Connection], error) {
	return page.Read(ctx, s.pool, r, "list model connections", `
		select `+columns+` from model_connection
		where organization_id = @organization_id and deactivated_at is null and `+page.Where+`
		`+page.Order, pgx.NamedArgs{"organization_id": organizationID},
		func(c Connection) (time.Time, uuid.UUID) { return c.CreatedAt, c.ID })
}
