package connection

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/messaging"
	"github.com/dialwright/dialwright/internal/messaging/cloud"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/seal"
)

// Connection is a WhatsApp Business Account of an organization. Its credentials never
// leave this package, except for Callback.
type Connection struct {
	ID             uuid.UUID
	Name           string
	Account        string     // the operator's ID
	ReadAt         *time.Time // when its numbers were last read
	Subscribed     bool       // the operator has agreed to send its webhooks
	PausedReason   *string    // why nothing is sent over it
	PausedUntil    *time.Time
	LastError      *string // of the last failed read; nil when the last one succeeded
	LastErrorAt    *time.Time
	DisconnectedAt *time.Time
	CreatedAt      time.Time
}

const connectionColumns = `id, name, account, read_at, subscribed_at is not null as subscribed, paused_reason,
	paused_until, last_error, last_error_at, disconnected_at, created_at`

// NewConnection is an account to connect.
type NewConnection struct {
	Account string // the WhatsApp Business Account ID: digits; never changes
	Settings

	SkipWebhooks bool // the next Refresh asks for the operator's webhooks, not CreateConnection
}

// Settings are what a person can set of a connection. An update keeps secrets that are
// empty here.
type Settings struct {
	Name        string // 1 to 100 characters
	Token       string // of a system user
	AppSecret   string // signs the operator's webhooks
	VerifyToken string // verifies the address of the webhooks; empty: a random one
}

var accountID = regexp.MustCompile(`^[0-9]{5,32}$`)

// check normalizes the account to connect and reports what is wrong with it.
func (n *NewConnection) check() error {
	var p fault.Problems
	n.Account = strings.TrimSpace(n.Account)
	if !accountID.MatchString(n.Account) {
		p.Addf("account", "must be a WhatsApp Business Account ID: digits only")
	}
	n.Settings.check(&p, true)
	return p.Err()
}

func (c *Settings) check(p *fault.Problems, isNew bool) {
	check.Name(p, "name", &c.Name)
	for _, secret := range []struct {
		path     string
		value    *string
		required bool
	}{{"token", &c.Token, isNew}, {"app_secret", &c.AppSecret, isNew}, {"verify_token", &c.VerifyToken, false}} {
		*secret.value = strings.TrimSpace(*secret.value)
		switch v := *secret.value; {
		case v == "" && secret.required:
			p.Addf(secret.path, "required")
		case len(v) > 1000 || strings.ContainsFunc(v, func(r rune) bool { return r <= ' ' || r > '~' }):
			p.Addf(secret.path, "must have at most 1000 printable characters without spaces")
		}
	}
}

// secrets are stored sealed.
type secrets struct {
	Token       string `json:"token"`
	AppSecret   string `json:"app_secret"`
	VerifyToken string `json:"verify_token"`
}

func (s secrets) with(c Settings) secrets {
	for _, v := range []struct {
		to   *string
		from string
	}{{&s.Token, c.Token}, {&s.AppSecret, c.AppSecret}, {&s.VerifyToken, c.VerifyToken}} {
		if v.from != "" {
			*v.to = v.from
		}
	}
	return s
}

func (s secrets) credentials(account string) cloud.Credentials {
	return cloud.Credentials{AccountID: account, Token: s.Token, AppSecret: s.AppSecret}
}

// Sealed are the columns that this package seals.
var Sealed = []seal.Column{
	{
		Table: "messaging_connection", Column: "credentials", Key: []string{"id"}, Organization: "organization_id",
		Row: "id::text",
	},
}

func credentialsCell(organizationID, id uuid.UUID) seal.Cell {
	return seal.Cell{
		Organization: organizationID, Table: "messaging_connection", Column: "credentials", Row: id.String(),
	}
}

func (s *Service) seal(organizationID, id uuid.UUID, v secrets) ([]byte, error) {
	plain, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("encode credentials: %w", err)
	}
	return s.vault.Seal(plain, credentialsCell(organizationID, id)), nil
}

// ErrSealed is the error of stored credentials that cannot be opened.
var ErrSealed = errors.New("the credentials can't be opened")

func (s *Service) unseal(organizationID, id uuid.UUID, sealed []byte) (v secrets, err error) {
	plain, err := s.vault.Open(sealed, credentialsCell(organizationID, id))
	if err != nil {
		return secrets{}, fmt.Errorf("open the credentials of messaging connection %s: %w: %w", id, ErrSealed, err)
	}
	if err := json.Unmarshal(plain, &v); err != nil {
		return secrets{}, fmt.Errorf("decode the credentials of messaging connection %s: %w: %w", id, ErrSealed, err)
	}
	return v, nil
}

// CreateConnection reads an account with the given credentials and connects it, with its
// numbers and templates. Errors: Invalid, also for credentials that the operator refuses;
// Conflict when any organization has connected the account or one of its numbers;
// BadGateway when the operator cannot be reached; Unavailable when the channel is off.
func (s *Service) CreateConnection(ctx context.Context, actor account.Actor, n NewConnection) (Connection, error) {
	if !s.messages.On() {
		return Connection{}, messaging.ErrOff
	}
	if err := n.check(); err != nil {
		return Connection{}, err
	}
	id := uuid.Must(uuid.NewV7())
	v := secrets{VerifyToken: randomToken()}.with(n.Settings)
	listing, err := s.try(ctx, v.credentials(n.Account))
	if err != nil {
		return Connection{}, err
	}
	if listing.portfolio == "" {
		if listing.portfolio, err = s.lastPortfolio(ctx, n.Account); err != nil {
			return Connection{}, err
		}
	}
	sealed, err := s.seal(actor.OrganizationID, id, v)
	if err != nil {
		return Connection{}, err
	}
	var c Connection
	at := connectionRef{organizationID: actor.OrganizationID, connectionID: id, creating: true}
	err = s.apply(ctx, at, listing, func(w *syncTx) (err error) {
		c, err = oneConnection(ctx, w.Tx, `
			insert into messaging_connection (id, organization_id, name, account, credentials)
			values (@id, @organization_id, @name, @account, @credentials)
			returning `+connectionColumns, pgx.NamedArgs{
			"id": id, "organization_id": actor.OrganizationID, "name": n.Name, "account": n.Account,
			"credentials": sealed,
		})
		if err != nil {
			return err
		}
		if err := w.update(ctx); err != nil {
			return err
		}
		if c, err = oneConnection(
			ctx, w.Tx, `select `+connectionColumns+` from messaging_connection where id = @id`,
			pgx.NamedArgs{"id": id},
		); err != nil {
			return err
		}
		return record(ctx, w.Tx, actor, tableConnection, id, "created",
			map[string]any{"name": n.Name, "account": n.Account, "numbers": len(listing.numbers)})
	})
	if err != nil {
		return Connection{}, err
	}
	if n.SkipWebhooks {
		s.messages.Wake()
		return c, nil
	}
	if err := s.subscribe(ctx, id); err != nil { // the next read asks for them again
		s.log.WarnContext(ctx, "WhatsApp does not send its webhooks", "connection", id, "error", err)
	}
	s.messages.Wake()
	return c, nil
}

// UpdateConnection changes a connection. New secrets are tried before they are stored,
// and they end a pause. Errors: those of CreateConnection, and NotFound.
func (s *Service) UpdateConnection(
	ctx context.Context, actor account.Actor, id uuid.UUID, settings Settings,
) (Connection, error) {
	return s.updateConnection(ctx, actor, id, func(Connection) (Settings, error) { return settings, nil })
}

// updateConnection gives a connected account the settings that are computed from the connection as it is.
func (s *Service) updateConnection(
	ctx context.Context, actor account.Actor, id uuid.UUID, settingsOf func(old Connection) (Settings, error),
) (Connection, error) {
	if !s.messages.On() {
		return Connection{}, messaging.ErrOff
	}
	args := pgx.NamedArgs{"organization_id": actor.OrganizationID, "id": id}
	const where = ` where organization_id = @organization_id and id = @id and disconnected_at is null`
	old, err := oneConnection(ctx, s.pool, `select `+connectionColumns+` from messaging_connection`+where, args)
	if err != nil {
		return Connection{}, err
	}
	settings, err := checked(settingsOf(old))
	if err != nil {
		return Connection{}, err
	}
	changes := settings.Token != "" || settings.AppSecret != "" || settings.VerifyToken != ""
	args["credentials"] = nil
	if changes {
		kept, err := s.open(ctx, id)
		if err != nil {
			return Connection{}, err
		}
		v := kept.secrets.with(settings)
		if _, err := s.try(ctx, v.credentials(old.Account)); err != nil {
			return Connection{}, err
		}
		if args["credentials"], err = s.seal(actor.OrganizationID, id, v); err != nil {
			return Connection{}, err
		}
	}
	var c Connection
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		locked, err := oneConnection(ctx, tx,
			`select `+connectionColumns+` from messaging_connection`+where+` for no key update`, args)
		if err != nil {
			return err
		}
		if settings, err = checked(settingsOf(locked)); err != nil {
			return err
		}
		args["name"] = settings.Name
		c, err = oneConnection(ctx, tx, `
			update messaging_connection
			set name = @name, credentials = coalesce(@credentials::bytea, credentials),
			    subscribed_at = case when @credentials::bytea is null then subscribed_at end,
			    paused_reason = case when @credentials::bytea is null then paused_reason end,
			    paused_until = case when @credentials::bytea is null then paused_until end
			`+where+` returning `+connectionColumns, args)
		if err != nil {
			return err
		}
		if !changes && reflect.DeepEqual(locked, c) {
			return account.Unchanged(ctx)
		}
		return record(ctx, tx, actor, tableConnection, id, "updated",
			map[string]any{"name": settings.Name, "credentials_changed": changes})
	})
	if err != nil {
		return Connection{}, err
	}
	s.forget(id)
	s.messages.Wake()
	return c, nil
}

// checked returns settings of an update if nothing is wrong with them.
func checked(settings Settings, err error) (Settings, error) {
	if err != nil {
		return Settings{}, err
	}
	var p fault.Problems
	settings.check(&p, false)
	return settings, p.Err()
}

// Disconnect disconnects an account and its numbers. Queued messages fail. Sent messages
// stay and go on counting. Errors: NotFound.
func (s *Service) Disconnect(ctx context.Context, actor account.Actor, id uuid.UUID) error {
	args := pgx.NamedArgs{"organization_id": actor.OrganizationID, "id": id}
	err := postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		c, err := oneConnection(ctx, tx, `
			update messaging_connection set disconnected_at = clock(), credentials = ''
			where organization_id = @organization_id and id = @id and disconnected_at is null
			returning `+connectionColumns, args)
		if err != nil {
			return err
		}
		if err := lockUse(ctx, tx, `connection_id = @id and disconnected_at is null`, args); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `
			update messaging_number set disconnected_at = clock()
				where connection_id = @id and disconnected_at is null`, args)
		if err != nil {
			return fmt.Errorf("disconnect the numbers of messaging connection %s: %w", id, err)
		}
		return record(ctx, tx, actor, tableConnection, id, "disconnected",
			map[string]any{"name": c.Name, "account": c.Account})
	})
	if err == nil {
		s.forget(id)
	}
	return err
}

// try reads a whole account with new credentials.
func (s *Service) try(ctx context.Context, c cloud.Credentials) (*listing, error) {
	ctx, cancel := context.WithTimeout(ctx, s.readTime)
	defer cancel()
	l, err := readAccount(ctx, s.client.Account(c), true)
	if err != nil {
		return nil, unreadable(err)
	}
	return l, nil
}

// oneConnection runs a statement that returns one connection. Errors: NotFound, and
// Conflict when the account is already connected.
func oneConnection(ctx context.Context, db postgres.DB, sql string, args pgx.NamedArgs) (Connection, error) {
	c, err := postgres.CollectOne(ctx, db, pgx.RowToStructByName[Connection], sql, args)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return Connection{}, fault.NotFoundf("Connection")
	case postgres.Constraint(err) == "messaging_connection_account_unique":
		return Connection{}, fault.Conflictf("This WhatsApp Business Account is already connected")
	case err != nil:
		return Connection{}, fmt.Errorf("query a messaging connection: %w", err)
	}
	return c, nil
}

var connectionByID = postgres.NewByID[Connection]("Connection", `
	select `+connectionColumns+` from messaging_connection where organization_id = @organization_id and id = @id`)

// Connection returns a connection, also a disconnected one. Errors: NotFound.
func (s *Service) Connection(ctx context.Context, organizationID, id uuid.UUID) (Connection, error) {
	return s.connectionReader.Read(ctx, organizationID, id)
}

// Connections lists the connected accounts, newest first. Errors: Invalid.
func (s *Service) Connections(
	ctx context.Context, organizationID uuid.UUID, r page.Request,
) (page.List[Connection], error) {
	args := pgx.NamedArgs{"organization_id": organizationID}
	return page.Read(ctx, s.pool, r, "list messaging connections", `
		select `+connectionColumns+` from messaging_connection
		where organization_id = @organization_id and disconnected_at is null and `+page.Where+`
		`+page.Order, args,
		func(c Connection) (time.Time, uuid.UUID) { return c.CreatedAt, c.ID })
}
