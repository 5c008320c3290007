package cell

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/dialwright/dialwright/internal/english"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/loop"
	"github.com/dialwright/dialwright/internal/postgres"
)

// End is one of the two cells of a move.
type End struct {
	Number int
	Pool   *pgxpool.Pool
}

// Move moves organizations from one cell to another, while the other organizations of both work on. All of its
// organizations move together.
//
//  1. stopping: no new calls of the organizations start. Calls and leases end.
//  2. closed: keys, sessions and callbacks are told to come again.
//  3. outgoing: one transaction moves all rows to a schema beside the cell's, where no loop finds them.
//  4. They are copied to a schema beside the other cell's. One transaction there moves them into the tables.
//  5. The schema of step 3 is dropped.
//
// Each step is a transaction that is made once. A move that was interrupted continues when it is run again. Until step
// 4 has committed, Return undoes it.
type Move struct {
	Directory     *Directory
	From, To      End
	Organizations []uuid.UUID
	Wait          time.Duration                 // for calls and leases
	Say           func(format string, a ...any) // progress for a person; nil: nobody reads it
	After         func(step string) error       // is called after each step; an error ends the move at once. May be nil
}

// stage is how far a move is.
type stage string

const (
	stopping  stage = "stopping"
	closed    stage = "closed"
	outgoing  stage = "outgoing"
	returning stage = "returning"
)

const (
	pollGap    = 100 * time.Millisecond
	sayGap     = 10 * time.Second
	quietTime  = 20 * time.Second // for leases of loops, after the last call has ended
	othersTime = 90 * time.Second // for running transactions; statements of the product end within a minute
	moveTime   = 12 * time.Hour   // limit of each statement: a large organization takes a while
)

func sleep(ctx context.Context, d time.Duration) error {
	if !loop.Sleep(ctx, d) {
		return ctx.Err()
	}
	return nil
}

// state is a row of organization_move.
type state struct {
	ID            uuid.UUID
	Organizations []uuid.UUID
	Names         string
	Target        int
	Stage         stage
	Resumes       []uuid.UUID
}

// schema is where the rows of a move are on their way. The names differ because two cells may share a database.
func (s state) schema(kind string) string { return kind + "_" + hex.EncodeToString(s.ID[:]) }

// Moving returns the organizations of the move that an organization of a cell is on, by its name or ID, and the cell
// that they go to. It returns nil without such a move.
func Moving(ctx context.Context, pool *pgxpool.Pool, nameOrID string) (ids []uuid.UUID, target int, err error) {
	err = pool.QueryRow(ctx, `
		select organization_ids, target from organization_move
		where $1 = any(organization_ids::text[]) or lower(names) = lower($1)`, nameOrID).Scan(&ids, &target)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return nil, 0, fmt.Errorf("look for a move: %w", err)
	}
	return ids, target, nil
}

// AllMoving returns the organizations of the moves that a cell has begun and not ended, a list for each move.
func AllMoving(ctx context.Context, pool *pgxpool.Pool, target int) ([][]uuid.UUID, error) {
	all, err := postgres.Collect(ctx, pool, pgx.RowTo[[]uuid.UUID], `
		select organization_ids from organization_move where target = $1 or $1 = 0 order by id`, target)
	if err != nil {
		return nil, fmt.Errorf("read the moves of a cell: %w", err)
	}
	return all, nil
}

// Groups returns the organizations of a cell, oldest first. Those whose WhatsApp numbers share a limit are in one
// group, because they can only move together.
func Groups(ctx context.Context, pool *pgxpool.Pool) ([][]uuid.UUID, error) {
	ids, err := postgres.Collect(ctx, pool, pgx.RowTo[uuid.UUID], `select id from organization order by created_at, id`)
	if err != nil {
		return nil, fmt.Errorf("list the organizations of a cell: %w", err)
	}
	type pair struct{ Organization, Limit string }
	pairs, err := postgres.Collect(ctx, pool, pgx.RowToStructByPos[pair], `
		select distinct organization_id::text, portfolio from messaging_connection
		where disconnected_at is null and portfolio <> ''
		union
		select distinct organization_id::text, scope_id::text from messaging_number where disconnected_at is null
		order by 1, 2`)
	if err != nil {
		return nil, fmt.Errorf("read which organizations share a limit: %w", err)
	}
	var groups [][]uuid.UUID
	placed := map[string]bool{}
	for _, id := range ids {
		if placed[id.String()] {
			continue
		}
		members, limits := map[string]bool{id.String(): true}, map[string]bool{}
		for grown := true; grown; {
			grown = false
			for _, p := range pairs {
				if members[p.Organization] != limits[p.Limit] {
					members[p.Organization], limits[p.Limit], grown = true, true, true
				}
			}
		}
		var group []uuid.UUID
		for _, other := range ids {
			if members[other.String()] {
				group, placed[other.String()] = append(group, other), true
			}
		}
		groups = append(groups, group)
	}
	return groups, nil
}

func readState(ctx context.Context, db postgres.DB, organizationID uuid.UUID) (*state, error) {
	s, err := postgres.CollectOne(ctx, db, pgx.RowToStructByPos[state], `
		select id, organization_ids, names, target, stage, resumes from organization_move
		where $1 = any(organization_ids)`, organizationID)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil //nolint:nilnil // no move is a valid answer
	}
	if err != nil {
		return nil, fmt.Errorf("read the move of an organization: %w", err)
	}
	return &s, nil
}

// Run moves the organizations, or continues their move. Errors: NotFound; Conflict for a move that is not possible.
// Whenever it fails before the rows left, the organizations call again in their cell.
func (m Move) Run(ctx context.Context) error {
	ctx = postgres.WithStatementTime(ctx, moveTime)
	m = m.complete()
	tables, err := m.check(ctx)
	if err != nil {
		return err
	}
	s, err := m.begin(ctx)
	if err != nil {
		return err
	}
	switch s.Stage {
	case stopping, closed:
		if err := m.leave(ctx, s, tables); err != nil {
			return err
		}
	case returning:
		return fault.Conflictf("%s is on its way back. Run the command with --back", s.Names)
	case outgoing:
	}
	arrived, err := m.arrived(ctx, s)
	if err != nil {
		return err
	}
	if !arrived {
		if err := m.bring(ctx, s, tables); err != nil {
			return fmt.Errorf("%w. The rows of %s are safe in the schema %s of cell %d. Run the command again to "+
				"continue, or with --back to return to cell %[4]d", err, s.Names, s.schema("outgoing"), m.From.Number)
		}
	}
	return m.finish(ctx, s)
}

func (m Move) complete() Move {
	m.Organizations = slices.Clone(m.Organizations)
	slices.SortFunc(m.Organizations, func(a, b uuid.UUID) int { return slices.Compare(a[:], b[:]) })
	m.Organizations = slices.Compact(m.Organizations)
	if m.Say == nil {
		m.Say = func(string, ...any) {}
	}
	after := m.After
	m.After = func(step string) error {
		if after == nil {
			return nil
		}
		if err := after(step); err != nil {
			return fmt.Errorf("%w after %s: %w", errHalt, step, err)
		}
		return nil
	}
	return m
}

// begin records the move and stops new calls. A move that is on already is returned as it is.
func (m Move) begin(ctx context.Context) (s *state, err error) {
	err = postgres.InTx(ctx, m.From.Pool, func(tx pgx.Tx) error {
		if s, err = readState(ctx, tx, m.Organizations[0]); err != nil || s != nil {
			return err
		}
		s = &state{ID: m.Organizations[0], Organizations: m.Organizations, Target: m.To.Number, Stage: stopping}
		var found int
		if err := tx.QueryRow(ctx, `
			select count(*), coalesce(string_agg(name, ', ' order by name), ''),
				coalesce(array_agg(id) filter (where calling_stopped_at is null), '{}')
			from (select * from organization where id = any($1) order by id for no key update) o`,
			m.Organizations).Scan(&found, &s.Names, &s.Resumes); err != nil {
			return fmt.Errorf("lock the organizations: %w", err)
		}
		if found != len(m.Organizations) {
			return fault.NotFoundf("Organization")
		}
		_, err := tx.Exec(ctx, `
			insert into organization_move (id, organization_ids, names, target, stage, resumes, began_at)
			select $1, $2, $3, $4, 'stopping', $5, clock()`, s.ID, s.Organizations, s.Names, s.Target, s.Resumes)
		if err != nil {
			return fmt.Errorf("record the move: %w", err)
		}
		return stopCalls(ctx, tx, s)
	})
	switch {
	case err != nil:
		return nil, err
	case !slices.Equal(s.Organizations, m.Organizations):
		return nil, fault.Conflictf("%s move together. Name all of them", s.Names)
	case s.Target != m.To.Number:
		return nil, fault.Conflictf("%s is on its way to cell %d. Finish that move, or run the command with --back",
			s.Names, s.Target)
	}
	return s, m.After(string(stopping))
}

// stoppedBy is who has stopped all calling, as pages show it.
const stoppedBy = "the move to another cell"

// stopCalls stops new calls, as the button of the dashboard does. Calls that were claimed and not requested are never
// placed, because the request is made only while calls may start.
func stopCalls(ctx context.Context, db postgres.DB, s *state) error {
	_, err := db.Exec(ctx, `
		update organization set calling_stopped_at = (select clock()), calling_stopped_by = $2
		where id = any($1) and calling_stopped_at is null`, s.Resumes, stoppedBy)
	if err != nil {
		return fmt.Errorf("stop the calls of %s: %w", s.Names, err)
	}
	return nil
}

// resumeCalls lets organizations call again that the move has stopped, and has their campaigns looked at.
func resumeCalls(ctx context.Context, tx pgx.Tx, s *state) error {
	batch := &pgx.Batch{}
	batch.Queue(`
		update organization set calling_stopped_at = null, calling_stopped_by = '' where id = any($1)`, s.Resumes)
	batch.Queue(`
		update campaign set dial_at = least(dial_at, (select clock()))
		where organization_id = any($1) and status = 'running'`, s.Organizations)
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("let %s call again: %w", s.Names, err)
	}
	return nil
}

// leave waits until nothing of the organizations is under way, and moves their rows out of the cell's tables. If it
// fails, they work on in their cell.
func (m Move) leave(ctx context.Context, s *state, tables []*table) error {
	err := m.tryLeave(ctx, s, tables)
	if err == nil || errors.Is(err, errHalt) {
		return err
	}
	// The rest is done although the person who waited has given up.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
	defer cancel()
	current, again := readState(ctx, m.From.Pool, s.ID)
	if again != nil || current == nil || current.Stage == outgoing {
		return errors.Join(err, again)
	}
	if again := m.stay(ctx, current); again != nil {
		return errors.Join(err, again)
	}
	return fmt.Errorf("%w. %s works on in cell %d", err, s.Names, m.From.Number)
}

// errHalt marks an error of After, which ends a move as the end of its process would.
var errHalt = errors.New("halted")

func (m Move) tryLeave(ctx context.Context, s *state, tables []*table) error {
	until := time.Now().Add(m.Wait)
	if s.Stage == stopping {
		if err := m.awaitCalls(ctx, s, until); err != nil {
			return err
		}
		if err := m.shut(ctx, s, tables); err != nil {
			return err
		}
	}
	if err := m.After(string(closed)); err != nil {
		return err
	}
	// Requests that came before the keys were taken away end, so that none of them is cut off.
	if err := awaitOthers(ctx, m.From.Pool, othersTime); err != nil {
		return err
	}
	for {
		err := m.takeAway(ctx, s, tables)
		if err == nil {
			break
		}
		if !errors.Is(err, errBusy) && !repeatable(err) || time.Now().After(until) {
			return err
		}
		m.Say("%s: %v. Trying again.", s.Names, err)
		if err := m.awaitCalls(ctx, s, until); err != nil {
			return err
		}
	}
	return m.After(string(outgoing))
}

// repeatable reports whether a transaction lost a race for locks.
func repeatable(err error) bool {
	return slices.Contains([]string{"40P01", "55P03", "40001"}, postgres.Code(err))
}

// awaitCalls waits until no call is live and no lease runs.
func (m Move) awaitCalls(ctx context.Context, s *state, until time.Time) error {
	var said string
	for last := (time.Time{}); ; {
		// Somebody may have let the organization call again.
		if err := stopCalls(ctx, m.From.Pool, s); err != nil {
			return err
		}
		what, err := underWay(ctx, m.From.Pool, s.Organizations)
		if err != nil || what == "" {
			return err
		}
		if time.Now().After(until) {
			return fault.Conflictf("%s is still busy after %s: %s", s.Names, m.Wait, what)
		}
		if what != said && time.Since(last) > sayGap {
			m.Say("%s starts no new calls. Waiting for %s.", s.Names, what)
			said, last = what, time.Now()
		}
		if err := sleep(ctx, pollGap); err != nil {
			return err
		}
	}
}

// underWay says what of organizations must end before they can move; "" if nothing must. Whatever has a lease must not
// be done twice: a call, a message, a question to a language model.
func underWay(ctx context.Context, db postgres.DB, ids []uuid.UUID) (string, error) {
	found, err := postgres.Collect(ctx, db, pgx.RowTo[string], `
		select n || ' ' || what from (
			select count(*) as n, 'live calls' as what from call where organization_id = any($1) and ended_at is null
			union all
			select count(*), 'calls whose outcome is not stored' from call
			where organization_id = any($1) and ended_at is not null and settled_at is null
			union all
			select count(*), 'open lines' from call_line
			where organization_id = any($1) and closed_at is null
				and updated_at > (select clock()) - interval '1 minute'
			union all
			select count(*), 'messages that are being sent' from message
			where organization_id = any($1) and status = 'sending' and lease_until > (select clock())
			union all
			select count(*), 'analyses' from call_analysis_due
			where organization_id = any($1) and leased_until > (select clock())
			union all
			select count(*), 'tests of agents' from agent_test_attempt
			where organization_id = any($1) and lease_until > (select clock()) and finished_at is null
			union all
			select count(*), 'downloads of do-not-call lists' from subscribed_list
			where organization_id = any($1) and fetch_until > (select clock())
		) w where n > 0`, ids)
	if err != nil {
		return "", fmt.Errorf("look for what is under way: %w", err)
	}
	return english.List(found), nil
}

// keysOf returns those of the tables that have the API keys.
func keysOf(tables []*table) (keys []*table) {
	for _, t := range tables {
		if t.name == "api_key" || t.name == "api_key_use" {
			keys = append(keys, t)
		}
	}
	return keys
}

// shut takes away what requests come with, and leaves a trace of it, so that they are told to come again.
func (m Move) shut(ctx context.Context, s *state, tables []*table) error {
	schema := s.schema("outgoing")
	return postgres.InTx(ctx, m.From.Pool, func(tx pgx.Tx) error {
		if err := beginLong(ctx, tx); err != nil {
			return err
		}
		if err := m.advance(ctx, tx, s, stopping, closed); err != nil {
			return err
		}
		if err := makeTables(ctx, tx, schema, tables); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `
			insert into organization_move_trace (move_id, kind, id)
			select $1::uuid, 'key', encode(hash, 'hex') from api_key where organization_id = any($2)
			union all
			select $1::uuid, 'connection', id::text from connection where organization_id = any($2)
			union all
			select $1::uuid, 'connection', id::text from messaging_connection where organization_id = any($2)
			union all
			select distinct $1::uuid, 'email', u.email from app_user u join membership m on m.user_id = u.id
			where m.organization_id = any($2)
			  and not exists (select from membership o where o.user_id = u.id and not o.organization_id = any($2))`,
			s.ID, s.Organizations)
		if err != nil {
			return fmt.Errorf("leave traces of %s: %w", s.Names, err)
		}
		for _, t := range slices.Backward(keysOf(tables)) {
			if _, err := t.takeOut(ctx, tx, schema, s.Organizations); err != nil {
				return err
			}
		}
		_, err = tx.Exec(ctx, `delete from user_session where organization_id = any($1)`, s.Organizations)
		if err != nil {
			return fmt.Errorf("end the sessions of %s: %w", s.Names, err)
		}
		s.Stage = closed
		return nil
	})
}

// advance moves a move from one stage to another, unless another command has.
func (m Move) advance(ctx context.Context, tx pgx.Tx, s *state, from, to stage) error {
	tag, err := tx.Exec(ctx, `update organization_move set stage = $3 where id = $1 and stage = $2`, s.ID, from, to)
	if err != nil {
		return fmt.Errorf("record the stage of a move: %w", err)
	}
	if tag.RowsAffected() == 0 {
		return errElsewhere
	}
	return nil
}

var errElsewhere = fault.Conflictf("Another command moves this organization at the moment")

// takeAway moves all rows out of the tables of the cell in one transaction, unless something is under way.
func (m Move) takeAway(ctx context.Context, s *state, tables []*table) error {
	schema := s.schema("outgoing")
	var moved int64
	err := postgres.InTx(ctx, m.From.Pool, func(tx pgx.Tx) error {
		if err := beginLong(ctx, tx); err != nil {
			return err
		}
		if err := m.advance(ctx, tx, s, closed, outgoing); err != nil {
			return err
		}
		if err := m.quiet(ctx, tx, s); err != nil {
			return err
		}
		if err := lockRows(ctx, tx, schema, tables, s.Organizations); err != nil {
			return err
		}
		if what, err := underWay(ctx, tx, s.Organizations); err != nil {
			return err
		} else if what != "" {
			return fmt.Errorf("%w: %s", errBusy, what)
		}
		var err error
		if moved, err = takeOut(ctx, tx, schema, tables, s.Organizations); err != nil {
			return err
		}
		var leased bool
		if err := tx.QueryRow(ctx, `select exists (select from `+schema+`.delivery_due where state = 'leased')`).
			Scan(&leased); err != nil {
			return fmt.Errorf("look for deliveries under way: %w", err)
		}
		if leased {
			return fmt.Errorf("%w: deliveries", errBusy)
		}
		return nil
	})
	if err != nil {
		return err
	}
	s.Stage = outgoing
	m.Say("%s has left cell %d with %d rows.", s.Names, m.From.Number, moved)
	return nil
}

// quiet locks the waiting rows of queues, so that loops skip them, until the rows that loops have are done. Nobody
// waits for these locks.
func (m Move) quiet(ctx context.Context, tx pgx.Tx, s *state) error {
	for until := time.Now().Add(quietTime); ; {
		batch := &pgx.Batch{}
		batch.Queue(`
			select count(*) from (select from delivery_due where state <> 'leased'
				and webhook_id in (select id from webhook where organization_id = any($1)) for update skip locked) l`,
			s.Organizations)
		batch.Queue(`
			select count(*) from (select from message where organization_id = any($1) and status = 'queued'
				for update skip locked) l`, s.Organizations)
		batch.Queue(`
			select count(*) from (select from call_analysis_due where organization_id = any($1)
				and coalesce(leased_until <= (select clock()), true) for update skip locked) l`, s.Organizations)
		batch.Queue(`
			select count(*) from (select from agent_test_attempt where organization_id = any($1)
				and finished_at is null and coalesce(lease_until <= (select clock()), true) for update skip locked) l`,
			s.Organizations)
		batch.Queue(`
			select count(*) from (select from alert_email where organization_id = any($1) for update skip locked) l`,
			s.Organizations)
		var leased int
		batch.Queue(`
			select (select count(*) from delivery_due where state = 'leased'
				and webhook_id in (select id from webhook where organization_id = any($1)))
			+ (select count(*) from message where organization_id = any($1) and status = 'sending'
				and lease_until > (select clock()))
			+ (select count(*) from call_analysis_due where organization_id = any($1)
				and leased_until > (select clock()))`, s.Organizations).
			QueryRow(func(row pgx.Row) error { return row.Scan(&leased) })
		if err := tx.SendBatch(ctx, batch).Close(); err != nil {
			return fmt.Errorf("wait for the queues of %s: %w", s.Names, err)
		}
		if leased == 0 {
			return nil
		}
		if time.Now().After(until) {
			return fmt.Errorf("%w: %d deliveries, messages or analyses are under way", errBusy, leased)
		}
		if err := sleep(ctx, pollGap); err != nil {
			return err
		}
	}
}

// stay ends a move whose rows have not left: the organizations call again.
func (m Move) stay(ctx context.Context, s *state) error {
	return postgres.InTx(ctx, m.From.Pool, func(tx pgx.Tx) error {
		if err := beginLong(ctx, tx); err != nil {
			return err
		}
		if s.Stage == closed {
			schema := s.schema("outgoing")
			tables, err := tablesOf(ctx, tx)
			if err != nil {
				return err
			}
			for _, t := range keysOf(tables) {
				_, err := tx.Exec(ctx, fmt.Sprintf(`insert into %s (%s) select %[2]s from %s.%[1]s`,
					t.name, t.list(), schema))
				if err != nil {
					return fmt.Errorf("return the keys of %s: %w", s.Names, err)
				}
			}
			if _, err := tx.Exec(ctx, `drop schema `+schema+` cascade`); err != nil {
				return fmt.Errorf("drop the schema of outgoing rows: %w", err)
			}
		}
		if err := m.end(ctx, tx, s, s.Stage); err != nil {
			return err
		}
		return resumeCalls(ctx, tx, s)
	})
}

// end forgets the move, unless another command has brought it to another stage.
func (m Move) end(ctx context.Context, tx pgx.Tx, s *state, from stage) error {
	tag, err := tx.Exec(ctx, `delete from organization_move where id = $1 and stage = $2`, s.ID, from)
	if err != nil {
		return fmt.Errorf("end the move of %s: %w", s.Names, err)
	}
	if tag.RowsAffected() == 0 {
		return errElsewhere
	}
	return nil
}

// arrived reports whether the other cell has the organizations.
func (m Move) arrived(ctx context.Context, s *state) (yes bool, err error) {
	err = m.To.Pool.QueryRow(ctx, `select exists (select from organization where id = any($1))`, s.Organizations).
		Scan(&yes)
	if err != nil {
		return false, fmt.Errorf("ask cell %d for %s: %w", m.To.Number, s.Names, err)
	}
	return yes, nil
}

// bring copies the rows to the other cell and makes them its own.
func (m Move) bring(ctx context.Context, s *state, tables []*table) error {
	if err := m.sweep(ctx, s, tables); err != nil {
		return err
	}
	if err := m.claims(ctx, s, m.To.Number); err != nil {
		return err
	}
	if err := m.After("claimed"); err != nil {
		return err
	}
	if err := m.copyOver(ctx, s, tables); err != nil {
		return err
	}
	if err := m.After("copied"); err != nil {
		return err
	}
	schema := s.schema("incoming")
	err := postgres.InTx(ctx, m.To.Pool, func(tx pgx.Tx) error {
		if err := beginLong(ctx, tx); err != nil {
			return err
		}
		if err := bringIn(ctx, tx, schema, tables); err != nil {
			return err
		}
		batch := &pgx.Batch{}
		// Callbacks go to the address of the cell, which carriers and the messaging operator learn anew.
		batch.Queue(`update connection set check_due_at = (select clock())
			where organization_id = any($1) and deactivated_at is null`, s.Organizations)
		batch.Queue(`update messaging_connection set subscribed_at = null, read_at = null
			where organization_id = any($1) and disconnected_at is null`, s.Organizations)
		if err := tx.SendBatch(ctx, batch).Close(); err != nil {
			return fmt.Errorf("prepare the connections of %s: %w", s.Names, err)
		}
		return resumeCalls(ctx, tx, s)
	})
	if err != nil {
		return err
	}
	m.Say("%s has arrived in cell %d.", s.Names, m.To.Number)
	return m.After("arrived")
}

// sweep moves out what transactions wrote that ran when the rows left.
func (m Move) sweep(ctx context.Context, s *state, tables []*table) error {
	if err := awaitOthers(ctx, m.From.Pool, othersTime); err != nil {
		return err
	}
	err := postgres.InTx(ctx, m.From.Pool, func(tx pgx.Tx) error {
		if err := beginLong(ctx, tx); err != nil {
			return err
		}
		if err := m.hold(ctx, tx, s); err != nil {
			return err
		}
		_, err := takeOut(ctx, tx, s.schema("outgoing"), tables, s.Organizations)
		return err
	})
	if err != nil {
		return err
	}
	return m.After("swept")
}

// hold makes a transaction depend on the rows still being on their way. While it is open, they can't return.
func (m Move) hold(ctx context.Context, tx pgx.Tx, s *state) error {
	err := tx.QueryRow(ctx, `select id from organization_move where id = $1 and stage = 'outgoing' for share`, s.ID).
		Scan(new(uuid.UUID))
	if errors.Is(err, pgx.ErrNoRows) {
		return errElsewhere
	}
	if err != nil {
		return fmt.Errorf("lock the move of %s: %w", s.Names, err)
	}
	return nil
}

// copyOver copies the rows to a schema beside the other cell's. The transaction in this cell commits last: if it does,
// nobody has taken the rows back before the copy was complete, and whoever takes them back later drops it first.
func (m Move) copyOver(ctx context.Context, s *state, tables []*table) error {
	schema := s.schema("incoming")
	var rows int64
	err := postgres.InTx(ctx, m.From.Pool, func(from pgx.Tx) error {
		if err := beginLong(ctx, from); err != nil {
			return err
		}
		if err := m.hold(ctx, from, s); err != nil {
			return err
		}
		return postgres.InTx(ctx, m.To.Pool, func(to pgx.Tx) error {
			if err := beginLong(ctx, to); err != nil {
				return err
			}
			if _, err := to.Exec(ctx, `drop schema if exists `+schema+` cascade`); err != nil {
				return fmt.Errorf("drop an earlier copy: %w", err)
			}
			if err := makeTables(ctx, to, schema, tables); err != nil {
				return err
			}
			var err error
			rows, err = copyRows(ctx, from, to, s.schema("outgoing"), schema, tables)
			return err
		})
	})
	if err != nil {
		return err
	}
	m.Say("%d rows of %s were copied to cell %d.", rows, s.Names, m.To.Number)
	return nil
}

// claims gives a cell the portfolios and the numbers of the messaging operator that the organizations on their way send
// from.
func (m Move) claims(ctx context.Context, s *state, cell int) error {
	var portfolios, numbers []string
	schema := s.schema("outgoing")
	err := m.From.Pool.QueryRow(ctx, `
		select coalesce((select array_agg(distinct portfolio) from `+schema+`.messaging_connection
			where disconnected_at is null and portfolio <> ''), '{}'),
			coalesce((select array_agg(distinct external_id) from `+schema+`.messaging_number
			where disconnected_at is null), '{}')`).Scan(&portfolios, &numbers)
	if err != nil {
		return fmt.Errorf("read the WhatsApp numbers of %s: %w", s.Names, err)
	}
	_, err = m.Directory.pool.Exec(ctx, `
		update claim set cell = $3
		where kind = 'portfolio' and external_id = any($1) or kind = 'number' and external_id = any($2)`,
		portfolios, numbers, cell)
	if err != nil {
		return fmt.Errorf("write which cell sends from the WhatsApp numbers of %s: %w", s.Names, err)
	}
	return nil
}

// finish drops the rows that the other cell has now.
func (m Move) finish(ctx context.Context, s *state) error {
	err := postgres.InTx(ctx, m.From.Pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `drop schema if exists `+s.schema("outgoing")+` cascade`); err != nil {
			return fmt.Errorf("drop the schema of outgoing rows: %w", err)
		}
		if _, err := tx.Exec(ctx, `delete from organization_move where id = $1`, s.ID); err != nil {
			return fmt.Errorf("end the move of %s: %w", s.Names, err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return m.After("finished")
}

// Return takes organizations back whose move has begun and has not arrived. Errors: NotFound without such a move,
// Conflict if they have arrived: then they can move back as they came.
func (m Move) Return(ctx context.Context) error {
	ctx = postgres.WithStatementTime(ctx, moveTime)
	m = m.complete()
	s, err := readState(ctx, m.From.Pool, m.Organizations[0])
	if err != nil {
		return err
	}
	if s == nil {
		return fault.NotFoundf("Move of this organization")
	}
	if s.Stage == stopping || s.Stage == closed {
		return m.stay(ctx, s)
	}
	if err := m.recall(ctx, s); err != nil {
		return err
	}
	if err := m.After(string(returning)); err != nil {
		return err
	}
	arrived, err := m.arrived(ctx, s)
	if err != nil {
		return err
	}
	if arrived {
		if err := m.finish(ctx, s); err != nil {
			return err
		}
		return fault.Conflictf("%s had arrived in cell %d already. Move it to cell %d to have it back", s.Names,
			m.To.Number, m.From.Number)
	}
	if err := m.claims(ctx, s, m.From.Number); err != nil {
		return err
	}
	tables, err := tablesOf(ctx, m.From.Pool)
	if err != nil {
		return err
	}
	return postgres.InTx(ctx, m.From.Pool, func(tx pgx.Tx) error {
		if err := beginLong(ctx, tx); err != nil {
			return err
		}
		if err := m.end(ctx, tx, s, returning); err != nil {
			return err
		}
		if err := bringIn(ctx, tx, s.schema("outgoing"), tables); err != nil {
			return err
		}
		return resumeCalls(ctx, tx, s)
	})
}

// recall makes sure that the rows can't arrive any more: no copy begins, and the one that there is is dropped. If they
// are arriving at this moment, it waits for the end of that.
func (m Move) recall(ctx context.Context, s *state) error {
	if s.Stage == outgoing {
		err := postgres.InTx(ctx, m.From.Pool, func(tx pgx.Tx) error {
			return m.advance(ctx, tx, s, outgoing, returning)
		})
		if err != nil {
			return err
		}
		s.Stage = returning
	}
	if _, err := m.To.Pool.Exec(ctx, `drop schema if exists `+s.schema("incoming")+` cascade`); err != nil {
		return fmt.Errorf("drop the copy in cell %d: %w", m.To.Number, err)
	}
	return nil
}
