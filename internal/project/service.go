// Package project owns the resources of campaigns: projects, agents, phone numbers, their pools, and
// the connections to carriers that phone numbers belong to. Resources are deactivated
// rather than deleted, so that old calls keep their names. A resource cannot be
// deactivated while a campaign that has not ended uses it.
package project

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/carrier/sandbox"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/seal"
)

// Service owns projects, agents, phone numbers, pools and connections. Make it with New. It is
// safe for concurrent use.
type Service struct {
	pool          postgres.DB
	vault         *seal.Vault
	carriers      Carriers
	sandbox       bool
	onRateChanged func(ctx context.Context, organizationID uuid.UUID) error
	read          readers
}

// readers read what is asked for by its ID.
type readers struct {
	project     *postgres.Reader[Project]
	agent       *postgres.Reader[Agent]
	number      *postgres.Reader[PhoneNumber]
	pool        *postgres.Reader[NumberPool]
	destination *postgres.Reader[Destination]
	connection  *postgres.Reader[Connection]
}

func readersOf(db postgres.DB) readers {
	return readers{
		project:     projectByID.Reader(db),
		agent:       agentByID.Reader(db),
		number:      numberByID.Reader(db),
		pool:        wholePoolByID.Reader(db),
		destination: wholeDestinationByID.Reader(db),
		connection:  connectionByID.Reader(db),
	}
}

// Carriers queries the carriers of connections.
type Carriers interface {
	// Check asks Twilio whether it accepts the credentials of an account in its region.
	// Its error is a *carrier.Error.
	Check(ctx context.Context, c Credentials) error

	// Numbers asks the carrier of a connection which numbers the account has.
	Numbers(ctx context.Context, connectionID uuid.UUID) ([]carrier.Number, error)

	// State asks the carrier of a connection for the state of the account.
	State(ctx context.Context, connectionID uuid.UUID) (carrier.AccountState, error)

	// MayCallFrom asks the carrier of a connection whether the account may call from a number.
	MayCallFrom(ctx context.Context, connectionID uuid.UUID, number string) (bool, error)

	// Reach checks that callbacks for a connection arrive at this server's public address.
	Reach(ctx context.Context, connectionID uuid.UUID) error

	// NumberMustDo returns what a number of a connection must do at its carrier so that calls to it arrive here.
	NumberMustDo(ctx context.Context, connectionID uuid.UUID) (carrier.NumberSetUp, error)

	// NumberDoes asks the carrier of a connection what a number does. Errors: carrier.ErrUnknownNumber, and a
	// *carrier.Error.
	NumberDoes(ctx context.Context, connectionID uuid.UUID, number string) (carrier.NumberSetUp, error)

	// SetUpNumber sets what a number does, and returns what it does then. Errors as of NumberDoes.
	SetUpNumber(
		ctx context.Context, connectionID uuid.UUID, number string, do carrier.NumberSetUp,
	) (carrier.NumberSetUp, error)

	// CallIn lets somebody of the sandbox call a number of a sandbox connection. Its account and its addresses are
	// those of the connection. Errors: *sandbox.RefusedError.
	CallIn(ctx context.Context, connectionID uuid.UUID, in sandbox.CallIn) error
}

// Options are the dependencies of the service.
type Options struct {
	Pool     *pgxpool.Pool
	Vault    *seal.Vault // seals the credentials of connections
	Carriers Carriers
	Sandbox  bool // connections to the sandbox can be created

	// OnRateChanged is called after the commit of a change of calls per second, or of a pool.
	// Recipients of the organization that wait by the old rate may be due earlier.
	OnRateChanged func(ctx context.Context, organizationID uuid.UUID) error
}

// New makes the service.
func New(o Options) *Service {
	return &Service{
		pool:          o.Pool,
		vault:         o.Vault,
		carriers:      o.Carriers,
		sandbox:       o.Sandbox,
		onRateChanged: o.OnRateChanged,
		read:          readersOf(o.Pool),
	}
}

// In returns the same service inside a transaction of the caller. A change of a rate inside it is not reported.
func (s *Service) In(tx pgx.Tx) *Service {
	in := *s
	in.pool, in.read = tx, readersOf(tx)
	in.onRateChanged = func(context.Context, uuid.UUID) error { return nil }
	return &in
}

// rateChanged reports a change of a rate, if from and to differ. If the process dies
// before the report, calls start late, but no call is lost.
func (s *Service) rateChanged(ctx context.Context, organizationID uuid.UUID, from, to *float64) error {
	if from == to || from != nil && to != nil && *from == *to {
		return nil
	}
	return s.onRateChanged(ctx, organizationID)
}

// Row locks keep a new campaign and a concurrent deactivation apart. The creation of a
// campaign locks what the campaign refers to with Lock…ForUse ("for key share") until it
// commits. A deactivation locks the row ("for update"), which waits for that commit, and
// looks for campaigns in a later statement. Key share is the weakest lock that does this.
// It does not block the dialer, which takes "for no key update" on connections and
// numbers.

// user is a column of the table campaign that refers to a table of this package.
type user string

const (
	byProject     user = "project_id"
	byAgent       user = "agent_id"
	byPhoneNumber user = "phone_number_id"
	byNumberPool  user = "number_pool_id"
)

// shownUsers is the number of campaigns that a refusal names.
const shownUsers = 3

// unused returns a Conflict if campaigns that have not ended, which it names, or calls that are scheduled or not
// settled use a row. The caller must have locked the row in an earlier statement.
func unused(ctx context.Context, tx pgx.Tx, organizationID, id uuid.UUID, by user, what string) error {
	args := pgx.NamedArgs{"organization_id": organizationID, "id": id, "shown": shownUsers}
	rows, err := tx.Query(ctx, `
		select name, count(*) over ()
		from campaign
		where organization_id = @organization_id and `+string(by)+` = @id and ended_at is null and kind = 'campaign'
		order by created_at desc, id desc
		limit @shown`, args)
	if err != nil {
		return fmt.Errorf("look for campaigns that use %s: %w", by, err)
	}
	names, total, err := collectUsers(rows)
	if err != nil {
		return fmt.Errorf("look for campaigns that use %s: %w", by, err)
	}
	switch {
	case total == 1:
		return fault.Conflictf("%s is used by 1 campaign that has not ended: %s", what, names[0])
	case total > 1:
		return fault.Conflictf("%s is used by %d campaigns that have not ended: %s", what, total,
			enumerate(names, total))
	}
	var called bool
	err = tx.QueryRow(ctx, `
		select exists (
			select from campaign c
			where c.organization_id = @organization_id and c.`+string(by)+` = @id and `+sqlStandingUsed+`)`, args).
		Scan(&called)
	if err != nil {
		return fmt.Errorf("look for calls that use %s: %w", by, err)
	}
	if called {
		return fault.Conflictf("%s is used by calls that have not ended. Cancel the scheduled calls first", what)
	}
	return nil
}

// sqlStandingUsed is the condition that c is a standing campaign with calls to make.
const sqlStandingUsed = `c.ended_at is null and c.kind = 'call' and exists (
	select from recipient r where r.campaign_id = c.id and r.status in ('pending', 'dialing'))`

func collectUsers(rows pgx.Rows) (names []string, total int, err error) {
	var name string
	_, err = pgx.ForEachRow(rows, []any{&name, &total}, func() error {
		names = append(names, name)
		return nil
	})
	return names, total, err
}

// enumerate returns the names and the number of further names.
func enumerate(names []string, total int) string {
	s := strings.Join(names, ", ")
	if more := total - len(names); more > 0 {
		s += fmt.Sprintf(" and %d more", more)
	}
	return s
}
