package cell

import (
	"bytes"
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/english"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/postgres"
)

// check refuses a move that can't end well, and returns the tables whose rows move. Errors: Conflict.
func (m Move) check(ctx context.Context) ([]*table, error) {
	if m.From.Number == m.To.Number {
		return nil, fault.Conflictf("The organization is in cell %d already", m.To.Number)
	}
	var versions [2]int
	for i, end := range []End{m.From, m.To} {
		if err := end.Pool.QueryRow(ctx, `select version from schema_migrations`).Scan(&versions[i]); err != nil {
			return nil, fmt.Errorf("read the schema version of cell %d: %w", end.Number, err)
		}
	}
	if versions[0] != versions[1] {
		return nil, fault.Conflictf("Cell %d has schema version %d and cell %d has %d. Run `dialwright migrate` first",
			m.From.Number, versions[0], m.To.Number, versions[1])
	}
	if err := m.checkRows(ctx, m.From.Pool); err != nil {
		return nil, err
	}
	var backlog bool
	if err := m.From.Pool.QueryRow(ctx, `select exists (select from call_search_backlog)`).Scan(&backlog); err != nil {
		return nil, fmt.Errorf("look for transcripts to index: %w", err)
	}
	if backlog {
		return nil, fault.Conflictf("Cell %d still indexes transcripts after an upgrade. Try again later",
			m.From.Number)
	}
	return tablesOf(ctx, m.From.Pool)
}

// checkRows refuses to move rows that can't arrive.
func (m Move) checkRows(ctx context.Context, from postgres.DB) error {
	if err := m.checkPortfolios(ctx, from); err != nil {
		return err
	}
	if err := m.checkNumberKeys(ctx, from); err != nil {
		return err
	}
	return m.checkTaken(ctx, from)
}

// taken are the values that a cell may have only once, whichever organization has them, and what people call them.
// Accounts of people are not among them, because they become one account.
var taken = []struct{ what, table, column, condition string }{
	{"single sign-on address", "single_sign_on", "address", "true"},
	{"WhatsApp account", "messaging_connection", "account", "disconnected_at is null"},
	{"WhatsApp number", "messaging_number", "external_id", "disconnected_at is null"},
}

// checkTaken refuses to move what the other cell has of another organization.
func (m Move) checkTaken(ctx context.Context, from postgres.DB) error {
	for _, one := range taken {
		values, err := postgres.Collect(ctx, from, pgx.RowTo[string], fmt.Sprintf(
			`select %s from %s where organization_id = any($1) and %s`, one.column, one.table, one.condition),
			m.Organizations)
		if err != nil {
			return fmt.Errorf("read what may be there only once: %w", err)
		}
		found, err := postgres.Collect(ctx, m.To.Pool, pgx.RowTo[string], fmt.Sprintf(
			`select %s from %s where %[1]s = any($1) and not organization_id = any($2) and %[3]s`,
			one.column, one.table, one.condition), values, m.Organizations)
		if err != nil {
			return fmt.Errorf("ask cell %d for what may be there only once: %w", m.To.Number, err)
		}
		if len(found) > 0 {
			return fault.Conflictf("An organization of cell %d has the %s %q already. Change one of the two first",
				m.To.Number, one.what, found[0])
		}
	}
	return nil
}

// checkPortfolios refuses to part organizations whose WhatsApp numbers share a limit, which one cell must count.
func (m Move) checkPortfolios(ctx context.Context, from postgres.DB) error {
	found, err := postgres.Collect(ctx, from, pgx.RowTo[string], `
		select distinct o.name || ' (' || o.id || ')'
		from messaging_connection mine
		join messaging_connection theirs on theirs.portfolio = mine.portfolio
		join organization o on o.id = theirs.organization_id
		where mine.organization_id = any($1) and not theirs.organization_id = any($1) and mine.portfolio <> ''
		  and mine.disconnected_at is null and theirs.disconnected_at is null
		union
		select o.name || ' (' || o.id || ')'
		from messaging_number mine
		join messaging_number theirs on theirs.scope_id = mine.scope_id
		join organization o on o.id = theirs.organization_id
		where mine.organization_id = any($1) and not theirs.organization_id = any($1)
		  and mine.disconnected_at is null and theirs.disconnected_at is null
		order by 1`, m.Organizations)
	if err != nil {
		return fmt.Errorf("look for shared WhatsApp portfolios: %w", err)
	}
	if len(found) > 0 {
		return fault.Conflictf("The WhatsApp numbers share a limit with those of %s. Move these organizations together",
			english.List(found))
	}
	return nil
}

// checkNumberKeys refuses to move hashes of erased numbers to a cell that hashes numbers with another key: it would
// call them.
func (m Move) checkNumberKeys(ctx context.Context, from postgres.DB) error {
	var keys [2][]byte
	for i, end := range []End{m.From, m.To} {
		key, err := m.Directory.numberKey(ctx, end.Pool)
		if err != nil {
			return err
		}
		keys[i] = key
	}
	if bytes.Equal(keys[0], keys[1]) {
		return nil
	}
	var hashed bool
	err := from.QueryRow(ctx, `
		select exists (select from do_not_call where organization_id = any($1) and number_hash is not null)
			or exists (select from erasure where organization_id = any($1) and completed_at is null)`,
		m.Organizations).Scan(&hashed)
	if err != nil {
		return fmt.Errorf("look for erased numbers: %w", err)
	}
	if hashed {
		return fault.Conflictf("The organization has erased numbers, and cell %d, which was a deployment of its own, "+
			"can't recognize them", m.To.Number)
	}
	return nil
}
