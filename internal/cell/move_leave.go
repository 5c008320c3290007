package cell

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/english"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/postgres"
)

// leave waits until nothing of the organizations is under way, and moves their rows out of the cell's tables. If it
// fails, they work on in their cell.
func (m Move) leave(ctx context.Context, s *state, tables []*table) (*state, error) {
	s, err := m.reopen(ctx, s, tables)
	if err != nil {
		return nil, err
	}
	err = m.tryLeave(ctx, s, tables)
	if err == nil || errors.Is(err, errHalt) || errors.Is(err, errElsewhere) {
		return s, err
	}
	// The rest is done although the person who waited has given up.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
	defer cancel()
	current, again := readState(ctx, m.From.Pool, s.ID)
	if again != nil || current == nil || current.Stage == outgoing {
		return nil, errors.Join(err, again)
	}
	if again := m.stay(ctx, current); again != nil {
		return nil, errors.Join(err, again)
	}
	return nil, fmt.Errorf("%w. %s works on in cell %d", err, s.Names, m.From.Number)
}

// reopen begins the move anew if the tables have changed since the keys were taken away, because the schema for what
// leaves was made for the tables of that time.
func (m Move) reopen(ctx context.Context, s *state, tables []*table) (*state, error) {
	if s.Stage != closed {
		return s, nil
	}
	known, err := tablesIn(ctx, m.From.Pool, s.schema("outgoing"), tables)
	if err != nil {
		return nil, err
	}
	if slices.EqualFunc(known, tables, func(a, b *table) bool { return slices.Equal(a.columns, b.columns) }) {
		return s, nil
	}
	if err := m.stay(ctx, s); err != nil {
		return nil, err
	}
	return m.begin(ctx)
}

// ready fails while the rows could not arrive: the other cell or the directory is away.
func (m Move) ready(ctx context.Context, s *state) error {
	arrived, err := m.arrived(ctx, m.To.Pool)
	if err != nil {
		return err
	}
	if arrived {
		err := postgres.InTx(ctx, m.From.Pool, func(tx pgx.Tx) error { return m.hold(ctx, tx, s) })
		if err != nil {
			return err // another command has brought it there
		}
		return fault.Conflictf("Cell %d has rows of %s already", m.To.Number, s.Names)
	}
	_, err = m.Directory.state(ctx, m.To.Number)
	return err
}

func (m Move) tryLeave(ctx context.Context, s *state, tables []*table) error {
	until := time.Now().Add(m.Wait)
	if s.Stage == stopping {
		if err := m.awaitCalls(ctx, s, until); err != nil {
			return err
		}
		if err := m.ready(ctx, s); err != nil {
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
		if err := m.ready(ctx, s); err != nil {
			return err
		}
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
	return slices.Contains([]string{"40P01", lockNotAvailable, "40001"}, postgres.Code(err))
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

// awaitCalls waits until no call is live and no lease runs.
func (m Move) awaitCalls(ctx context.Context, s *state, until time.Time) error {
	var said string
	for last := (time.Time{}); ; {
		// Somebody may have let the organization call again.
		err := postgres.InTx(ctx, m.From.Pool, func(tx pgx.Tx) error {
			if err := m.hold(ctx, tx, s); err != nil {
				return err
			}
			return stopCalls(ctx, tx, s)
		})
		if err != nil {
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
		// Other organizations and this one's last requests may have changed what was checked in the beginning.
		if err := m.checkRows(ctx, tx); err != nil {
			return err
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
