package project

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/postgres"
)

// NumberPool is a group of phone numbers that a campaign calls from. A pool always has a
// number. A number is in at most one pool, so its limits have one owner.
type NumberPool struct {
	ID             uuid.UUID
	ConnectionID   uuid.UUID // of all its numbers; never changes
	Name           string    // unique among the organization's active pools
	Strategy       Strategy
	PhoneNumberIDs []uuid.UUID
	MaxDailyCalls  *int  // calls from each number on a day of the organization; nil: no limit
	Rest           *Rest // nil: numbers do not rest
	DeactivatedAt  *time.Time
	CreatedAt      time.Time
}

// Strategy is the order in which a pool's numbers are used.
type Strategy string

const (
	Rotation Strategy = "rotation" // the number that has not called for the longest time
	Nearest  Strategy = "nearest"  // a number near the recipient's: area code, state, country, else rotation
)

// Strategies lists every strategy.
var Strategies = []Strategy{Rotation, Nearest}

// Rest is the rule by which a number rests: for Hours, if people answered less than BelowPercent of
// its last Calls.
type Rest struct {
	BelowPercent int `json:"below_percent"`
	Calls        int `json:"calls"`
	Hours        int `json:"hours"`
}

// NumberPoolSettings are the settings of a pool. They replace all earlier settings.
type NumberPoolSettings struct {
	Name           string   `json:"name"`
	Strategy       Strategy `json:"strategy"` // absent: rotation
	PhoneNumberIDs []string `json:"phone_number_ids" max:"100"`
	MaxDailyCalls  *int     `json:"max_daily_calls" nullable:"true"`
	Rest           *Rest    `json:"rest" nullable:"true"`
}

// Bounds of a pool's settings.
const (
	maxPoolNumbers = 100
	maxDailyCalls  = 10_000
	maxRestCalls   = 1000
	maxRestHours   = 720
)

// Check normalizes the settings and reports what is wrong with them. It reads no phone numbers:
// CreateNumberPool and UpdateNumberPool check those too. Errors: Invalid.
func (n *NumberPoolSettings) Check() error {
	var p fault.Problems
	n.check(&p)
	return p.Err()
}

func (n *NumberPoolSettings) check(p *fault.Problems) (numbers []uuid.UUID) {
	check.Name(p, "name", &n.Name)
	if n.Strategy == "" {
		n.Strategy = Rotation
	}
	fault.OneOf(p, "strategy", []Strategy{n.Strategy}, Strategies)
	switch of := len(n.PhoneNumberIDs); {
	case of == 0:
		p.Addf("phone_number_ids", "at least one is required")
	case of > maxPoolNumbers:
		p.Addf("phone_number_ids", "at most %d are allowed", maxPoolNumbers)
	default:
		for i, text := range n.PhoneNumberIDs {
			id := check.ID(p, numberAt(i), "phone number", text)
			if id != uuid.Nil && slices.Contains(numbers, id) {
				p.Addf(numberAt(i), "must not be listed twice")
			}
			numbers = append(numbers, id)
		}
	}
	within := func(path string, value, most int) {
		if value < 1 || value > most {
			p.Addf(path, "must be between 1 and %d", most)
		}
	}
	if n.MaxDailyCalls != nil {
		within("max_daily_calls", *n.MaxDailyCalls, maxDailyCalls)
	}
	if r := n.Rest; r != nil {
		within("rest.below_percent", r.BelowPercent, 99)
		within("rest.calls", r.Calls, maxRestCalls)
		within("rest.hours", r.Hours, maxRestHours)
	}
	return numbers
}

func numberAt(i int) string { return fmt.Sprintf("phone_number_ids[%d]", i) }

func (n NumberPoolSettings) args(actor account.Actor, id uuid.UUID) pgx.NamedArgs {
	args := pgx.NamedArgs{
		"organization_id": actor.OrganizationID, "id": id, "name": n.Name, "strategy": n.Strategy,
		"max_daily_calls": n.MaxDailyCalls, "below": nil, "calls": nil, "hours": nil,
	}
	if r := n.Rest; r != nil {
		args["below"], args["calls"], args["hours"] = r.BelowPercent, r.Calls, r.Hours
	}
	return args
}

func (n NumberPoolSettings) audit() map[string]any {
	return map[string]any{
		"name": n.Name, "strategy": n.Strategy, "phone_number_ids": n.PhoneNumberIDs,
		"max_daily_calls": n.MaxDailyCalls, "rest": n.Rest,
	}
}

// named turns the error of a statement for a name that another pool has into a Conflict.
func (n NumberPoolSettings) named(err error) error {
	if postgres.Constraint(err) == "number_pool_name_unique" {
		return fault.Takenf("name", "Another number pool is named %s", n.Name)
	}
	return err
}

// poolSelect reads pools as NumberPool.
const poolSelect = `
	select p.id, p.connection_id, p.name, p.strategy,
	       array(select n.id from phone_number n where n.number_pool_id = p.id order by n.created_at, n.id)
	         as phone_number_ids,
	       p.max_daily_calls,
	       case when p.rest_hours is not null then jsonb_build_object('below_percent', p.rest_below_percent,
	         'calls', p.rest_after_calls, 'hours', p.rest_hours) end as rest,
	       p.deactivated_at, p.created_at
	from number_pool p`

const poolByID = poolSelect + ` where p.organization_id = @organization_id and p.id = @id`

var wholePoolByID = postgres.NewByID[NumberPool]("Number pool", poolByID)

// onePool runs a query that returns one pool. Errors: NotFound.
func onePool(ctx context.Context, db postgres.DB, sql string, args pgx.NamedArgs) (NumberPool, error) {
	p, err := postgres.CollectOne(ctx, db, pgx.RowToStructByName[NumberPool], sql, args)
	if errors.Is(err, pgx.ErrNoRows) {
		return NumberPool{}, fault.NotFoundf("Number pool")
	}
	if err != nil {
		return NumberPool{}, fmt.Errorf("query a number pool: %w", err)
	}
	return p, nil
}

// CreateNumberPool makes a pool. Errors: Invalid, also for a number that the organization
// does not have, that is in another pool or that has another connection than the first. Conflict
// when its name is taken.
func (s *Service) CreateNumberPool(
	ctx context.Context, actor account.Actor, settings NumberPoolSettings,
) (NumberPool, error) {
	var p fault.Problems
	numbers := settings.check(&p)
	if err := p.Err(); err != nil {
		return NumberPool{}, err
	}
	id := uuid.Must(uuid.NewV7())
	args := settings.args(actor, id)
	var created NumberPool
	err := postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		connectionID, err := lockForPool(ctx, tx, actor.OrganizationID, NumberPool{ID: id}, numbers)
		if err != nil {
			return err
		}
		args["connection_id"] = connectionID
		_, err = tx.Exec(ctx, `
			insert into number_pool (id, organization_id, connection_id, name, strategy, max_daily_calls,
				rest_below_percent, rest_after_calls, rest_hours)
			values (@id, @organization_id, @connection_id, @name, @strategy, @max_daily_calls, @below, @calls, @hours)`,
			args)
		if err := settings.named(err); err != nil {
			return fmt.Errorf("create a number pool: %w", err)
		}
		if err := putInPool(ctx, tx, actor.OrganizationID, id, numbers); err != nil {
			return err
		}
		if created, err = onePool(ctx, tx, poolByID, args); err != nil {
			return err
		}
		return account.Record(ctx, tx, actor, "number_pool.created", account.Object{
			Type: "number_pool", ID: id,
		}, settings.audit())
	})
	return created, err
}

// UpdateNumberPool replaces the settings of an active pool. After the commit no call exceeds its
// limits. Unchanged may refuse the change of the pool as it is then, and may be nil. Errors: Invalid and Conflict as
// CreateNumberPool, NotFound, and that of unchanged.
func (s *Service) UpdateNumberPool(
	ctx context.Context, actor account.Actor, id uuid.UUID, settings NumberPoolSettings,
	unchanged func(NumberPool) error,
) (NumberPool, error) {
	var p fault.Problems
	numbers := settings.check(&p)
	if err := p.Err(); err != nil {
		return NumberPool{}, err
	}
	args := settings.args(actor, id)
	var updated NumberPool
	err := postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		old, err := lockPool(ctx, tx, args)
		if err != nil {
			return err
		}
		if err := check.Precondition(old, unchanged); err != nil {
			return err
		}
		if _, err := lockForPool(ctx, tx, actor.OrganizationID, old, numbers); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `
			update number_pool set name = @name, strategy = @strategy, max_daily_calls = @max_daily_calls,
				rest_below_percent = @below, rest_after_calls = @calls, rest_hours = @hours
			where organization_id = @organization_id and id = @id`, args)
		if err := settings.named(err); err != nil {
			return fmt.Errorf("update a number pool: %w", err)
		}
		if err := putInPool(ctx, tx, actor.OrganizationID, id, numbers); err != nil {
			return err
		}
		if updated, err = onePool(ctx, tx, poolByID, args); err != nil {
			return err
		}
		if reflect.DeepEqual(old, updated) {
			return account.Unchanged(ctx)
		}
		return account.Record(ctx, tx, actor, "number_pool.updated", account.Object{
			Type: "number_pool", ID: id,
		}, settings.audit())
	})
	if err != nil {
		return NumberPool{}, err
	}
	return updated, s.onRateChanged(ctx, actor.OrganizationID)
}

// lockPool locks an active pool against new use. Its numbers are locked after it. Errors:
// NotFound.
func lockPool(ctx context.Context, tx pgx.Tx, args pgx.NamedArgs) (NumberPool, error) {
	// A separate statement locks, because a subquery of the locking statement would read the pool's
	// numbers as they were before it waited for the lock.
	var found bool
	err := tx.QueryRow(ctx, `
		select true from number_pool
		where organization_id = @organization_id and id = @id and deactivated_at is null
		for update`, args).Scan(&found)
	if errors.Is(err, pgx.ErrNoRows) {
		return NumberPool{}, fault.NotFoundf("Number pool")
	}
	if err != nil {
		return NumberPool{}, fmt.Errorf("lock a number pool: %w", err)
	}
	return onePool(ctx, tx, poolByID, args)
}

// lockForPool locks the numbers of a pool and the numbers that it is to have, in the order of
// their IDs, and checks the latter. It returns their connection. Errors: Invalid.
func lockForPool(
	ctx context.Context, tx pgx.Tx, organizationID uuid.UUID, pool NumberPool, ids []uuid.UUID,
) (connectionID uuid.UUID, err error) {
	all := slices.Concat(pool.PhoneNumberIDs, ids)
	slices.SortFunc(all, func(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) })
	args := pgx.NamedArgs{"organization_id": organizationID, "ids": slices.Compact(all)}
	locked, err := postgres.Collect(ctx, tx, pgx.RowToStructByName[PhoneNumber], numberSelect+`
		where n.organization_id = @organization_id and n.id = any(@ids) and n.deactivated_at is null
		order by n.id
		for update of n`, args)
	if err != nil {
		return connectionID, fmt.Errorf("lock the numbers of a pool: %w", err)
	}
	numbers := make(map[uuid.UUID]PhoneNumber, len(locked))
	for _, n := range locked {
		numbers[n.ID] = n
	}
	var p fault.Problems
	connectionID = pool.ConnectionID
	for i, id := range ids {
		n, known := numbers[id]
		if known && connectionID == uuid.Nil {
			connectionID = n.ConnectionID
		}
		switch {
		case !known:
			p.Addf(numberAt(i), "no such phone number")
		case !n.Voice:
			p.Addf(numberAt(i), "this number can't place calls")
		case n.NumberPoolID != nil && *n.NumberPoolID != pool.ID:
			p.Addf(numberAt(i), "this number is in another pool: %s", *n.NumberPool)
		case n.ConnectionID != connectionID:
			p.Addf(numberAt(i), "all numbers of a pool must belong to the same connection")
		}
	}
	return connectionID, p.Err()
}

// putInPool replaces the numbers of a pool with these, which the caller has locked. The calls that a
// new number placed today count toward the pool's daily limit.
func putInPool(ctx context.Context, tx pgx.Tx, organizationID, poolID uuid.UUID, ids []uuid.UUID) error {
	args := pgx.NamedArgs{"organization_id": organizationID, "pool": poolID, "ids": ids}
	batch := &pgx.Batch{}
	batch.Queue(`
		update phone_number set number_pool_id = null, rest_until = null, rested_at = null
		where organization_id = @organization_id and number_pool_id = @pool and id <> all(@ids)`, args)
	batch.Queue(`
		update phone_number n
		set number_pool_id = @pool,
		    last_call_at = (
		      select created_at from call c where c.organization_id = n.organization_id and c.phone_number_id = n.id
		        and c.direction = 'outbound'
		      order by c.created_at desc, c.id desc limit 1),
		    calls_day = (k.t at time zone k.time_zone)::date,
		    calls_on_day = (
		      select count(*) from call c where c.organization_id = n.organization_id and c.phone_number_id = n.id
		        and c.direction = 'outbound'
		        and c.created_at >= date_trunc('day', k.t, k.time_zone)
		        and (c.asked_at is not null or c.ended_at is null))
		from (select clock() as t, time_zone from organization where id = @organization_id) k
		where n.organization_id = @organization_id and n.id = any(@ids) and n.number_pool_id is null`, args)
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("change the numbers of pool %s: %w", poolID, err)
	}
	return nil
}

// DeactivateNumberPool permanently takes a pool out of use. Its numbers stay. Errors: NotFound,
// and Conflict that names the campaigns using it.
func (s *Service) DeactivateNumberPool(ctx context.Context, actor account.Actor, id uuid.UUID) error {
	args := pgx.NamedArgs{"organization_id": actor.OrganizationID, "id": id}
	return postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		p, err := lockPool(ctx, tx, args)
		if err != nil {
			return err
		}
		if err := unused(ctx, tx, actor.OrganizationID, id, byNumberPool, "Number pool "+p.Name); err != nil {
			return err
		}
		if _, err := lockForPool(ctx, tx, actor.OrganizationID, p, nil); err != nil {
			return err
		}
		if err := putInPool(ctx, tx, actor.OrganizationID, id, []uuid.UUID{}); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `update number_pool set deactivated_at = clock() where id = @id`, args); err != nil {
			return fmt.Errorf("deactivate a number pool: %w", err)
		}
		return account.Record(ctx, tx, actor, "number_pool.deactivated", account.Object{
			Type: "number_pool", ID: id,
		}, map[string]any{"name": p.Name})
	})
}

// NumberPool returns a pool, active or not. Errors: NotFound.
func (s *Service) NumberPool(ctx context.Context, organizationID, id uuid.UUID) (NumberPool, error) {
	return s.read.pool.Read(ctx, organizationID, id)
}

// ActiveNumberPool returns a pool that is not deactivated. Errors: NotFound.
func (s *Service) ActiveNumberPool(ctx context.Context, organizationID, id uuid.UUID) (NumberPool, error) {
	p, err := s.NumberPool(ctx, organizationID, id)
	if err == nil && p.DeactivatedAt != nil {
		return NumberPool{}, fault.NotFoundf("Number pool")
	}
	return p, err
}

// LockNumberPoolForUse returns an active pool and prevents its deactivation until the transaction
// ends. Error: Invalid "number_pool_id: no such number pool", the same for an unknown, foreign or
// deactivated pool.
func LockNumberPoolForUse(ctx context.Context, tx pgx.Tx, organizationID, id uuid.UUID) (NumberPool, error) {
	p, err := onePool(ctx, tx, poolByID+` and p.deactivated_at is null for key share of p`,
		pgx.NamedArgs{"organization_id": organizationID, "id": id})
	if fault.KindOf(err) == fault.NotFound {
		return NumberPool{}, fault.Invalidf("number_pool_id", "no such number pool")
	}
	return p, err
}

// NumberPools lists the active pools, newest first.
func (s *Service) NumberPools(
	ctx context.Context, organizationID uuid.UUID, r page.Request,
) (page.List[NumberPool], error) {
	return page.Read(ctx, s.pool, r, "list number pools", `select * from (`+poolSelect+`
			where p.organization_id = @organization_id and p.deactivated_at is null
		) listed
		where `+page.Where+`
		`+page.Order, pgx.NamedArgs{"organization_id": organizationID},
		func(p NumberPool) (time.Time, uuid.UUID) { return p.CreatedAt, p.ID })
}

// leavePool takes a number that is about to be removed out of its pool. The caller must have
// locked the pool before the number. Error: Conflict if the pool has no other number.
func leavePool(ctx context.Context, tx pgx.Tx, n PhoneNumber) error {
	if n.NumberPoolID == nil {
		return nil
	}
	var others int
	err := tx.QueryRow(ctx, `select count(*) from phone_number where number_pool_id = $1 and id <> $2`,
		*n.NumberPoolID, n.ID).Scan(&others)
	if err != nil {
		return fmt.Errorf("count the numbers of a pool: %w", err)
	}
	if others == 0 {
		return fault.Conflictf("Phone number %s is the only number of the pool %s. Remove the pool first",
			n.PhoneNumber, *n.NumberPool)
	}
	_, err = tx.Exec(ctx, `
		update phone_number set number_pool_id = null, rest_until = null, rested_at = null where id = $1`, n.ID)
	if err != nil {
		return fmt.Errorf("take a number out of its pool: %w", err)
	}
	return nil
}
