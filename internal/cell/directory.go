// Package cell finds the database of an organization, if there is more than one. A cell is the product's whole schema
// in a database, or a schema of one, of its own. An organization lives in one cell, and no transaction spans two.
//
// The directory lists the cells. Which organization, key or person lives in a cell is what the cell itself says, so
// nothing can disagree with it. Neither a call nor a request reads the directory.
package cell

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/seal"
)

// State is what a cell may be used for.
type State string

const (
	Open     State = "open"
	Draining State = "draining" // takes no new organization

	adding State = "adding" // its schema does not bear its mark yet
)

// Cell is a row of the directory.
type Cell struct {
	Number int // from 1
	URL    string
	State  State
}

// Where returns the address of the cell's database without its password.
func (c Cell) Where() string {
	u, err := url.Parse(c.URL)
	if err != nil {
		return ""
	}
	where := u.Host + u.Path
	if schema := u.Query().Get("search_path"); schema != "" {
		where += ", schema " + schema
	}
	return where
}

// Directory is the list of cells in its own database. It is safe for concurrent use.
type Directory struct {
	pool  *pgxpool.Pool
	vault *seal.Vault
	id    uuid.UUID
}

// directoryConns is the size of the pool. A process reads the list every few seconds.
const directoryConns = 4

// OpenDirectory connects to the directory at a URL. With migrate, it first makes or updates its schema. The vault opens
// the addresses of the cells.
func OpenDirectory(ctx context.Context, at string, vault *seal.Vault, migrate bool) (*Directory, error) {
	if migrate {
		if err := postgres.MigrateDirectory(ctx, at); err != nil {
			return nil, fmt.Errorf("prepare the directory of cells: %w", err)
		}
	}
	pool, err := postgres.Open(ctx, postgres.Options{URL: at, MaxConns: directoryConns, Name: "dialwright directory"})
	if err != nil {
		return nil, fmt.Errorf("open the directory of cells: %w", err)
	}
	d := &Directory{pool: pool, vault: vault}
	if err := postgres.CheckDirectory(ctx, pool); err != nil {
		d.Close()
		return nil, err
	}
	if err := pool.QueryRow(ctx, `select id from directory`).Scan(&d.id); err != nil {
		d.Close()
		return nil, fmt.Errorf("read the directory of cells: %w", err)
	}
	return d, nil
}

// Close releases the connections.
func (d *Directory) Close() { d.pool.Close() }

// Pool is the directory's database.
func (d *Directory) Pool() *pgxpool.Pool { return d.pool }

// Vault opens the addresses of the cells.
func (d *Directory) Vault() *seal.Vault { return d.vault }

// Sealed are the columns of the directory that this package seals.
var Sealed = []seal.Column{{Table: "cell", Column: "url", Key: []string{"number"}, Row: "number::text"}}

func place(number int) seal.Cell {
	return seal.Cell{Table: "cell", Column: "url", Row: strconv.Itoa(number)}
}

// Cells lists the cells by number.
func (d *Directory) Cells(ctx context.Context) ([]Cell, error) {
	type row struct {
		Number int
		URL    []byte
		State  State
	}
	rows, err := d.pool.Query(ctx, `select number, url, state from cell where state <> 'adding' order by number`)
	if err != nil {
		return nil, fmt.Errorf("list the cells: %w", err)
	}
	found, err := pgx.CollectRows(rows, pgx.RowToStructByPos[row])
	if err != nil {
		return nil, fmt.Errorf("list the cells: %w", err)
	}
	cells := make([]Cell, len(found))
	for i, r := range found {
		opened, err := d.vault.Open(r.URL, place(r.Number))
		if err != nil {
			return nil, fmt.Errorf("decrypt the address of cell %d with the master key: %w", r.Number, err)
		}
		cells[i] = Cell{Number: r.Number, URL: string(opened), State: r.State}
	}
	return cells, nil
}

// Added is what Add did.
type Added struct {
	Cell
	Known bool // the schema was this cell before, and the directory has its new address
}

// Add makes the schema at a URL a cell, with all organizations that it has. A schema of this directory keeps its
// number, and the directory gets the URL. After a crash, call it again. Errors: Conflict for a schema of another
// directory.
func (d *Directory) Add(ctx context.Context, at string) (Added, error) {
	if err := makeSchema(ctx, at); err != nil {
		return Added{}, err
	}
	if err := postgres.Migrate(ctx, at); err != nil {
		return Added{}, fmt.Errorf("prepare the schema of the cell: %w", err)
	}
	pool, err := postgres.Open(ctx, postgres.Options{URL: at, MaxConns: directoryConns})
	if err != nil {
		return Added{}, err
	}
	defer pool.Close()
	switch is, err := readMark(ctx, pool); {
	case err != nil:
		return Added{}, err
	case is.Number != 0 && is.DirectoryID != d.id:
		return Added{}, fault.Conflictf("This schema is cell %d of another directory", is.Number)
	case is.Number != 0:
		c, err := d.set(ctx, is.Number, at)
		return Added{c, true}, err
	}
	number, err := d.reserve(ctx, at)
	if err != nil {
		return Added{}, err
	}
	if err := d.shareNumberKey(ctx, pool); err != nil {
		return Added{}, err
	}
	if err := d.claimExisting(ctx, pool, number); err != nil {
		return Added{}, err
	}
	_, err = pool.Exec(ctx, `
		insert into cell_mark (directory_id, number) values ($1, $2) on conflict (singleton) do nothing`, d.id, number)
	if err != nil {
		return Added{}, fmt.Errorf("mark the schema as cell %d: %w", number, err)
	}
	if is, err := readMark(ctx, pool); err != nil {
		return Added{}, err
	} else if is != (mark{d.id, number}) {
		return Added{}, fault.Conflictf("Another command has just made this schema cell %d", is.Number)
	}
	c, err := d.set(ctx, number, at)
	return Added{Cell: c}, err
}

// numberKeyCell is where a database keeps the key with which it hashes erased numbers. Package suppression uses it.
var numberKeyCell = seal.Cell{Table: "number_key", Column: "sealed", Row: "key"}

// numberKey returns the key with which a database hashes erased numbers, or nil if it has none yet.
func (d *Directory) numberKey(ctx context.Context, pool *pgxpool.Pool) ([]byte, error) {
	var sealed []byte
	err := pool.QueryRow(ctx, `select sealed from number_key`).Scan(&sealed)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the key of erased numbers: %w", err)
	}
	key, err := d.vault.Open(sealed, numberKeyCell)
	if err != nil {
		return nil, fmt.Errorf("decrypt the key of erased numbers with the master key: %w", err)
	}
	return key, nil
}

// shareNumberKey gives a database without a key of erased numbers that of the other cells, so that organizations can
// move between them. A database that was a deployment of its own keeps its key.
func (d *Directory) shareNumberKey(ctx context.Context, pool *pgxpool.Pool) error {
	if key, err := d.numberKey(ctx, pool); err != nil || key != nil {
		return err
	}
	key := make([]byte, sha256.Size)
	rand.Read(key)
	cells, err := d.Cells(ctx)
	if err != nil {
		return err
	}
	for _, c := range cells {
		other, err := postgres.Open(ctx, postgres.Options{URL: c.URL, MaxConns: 1})
		if err != nil {
			return fmt.Errorf("open cell %d, whose key of erased numbers the new cell gets: %w", c.Number, err)
		}
		known, err := d.numberKey(ctx, other)
		other.Close()
		if err != nil {
			return err
		}
		if known != nil {
			key = known
			break
		}
	}
	_, err = pool.Exec(ctx, `insert into number_key (sealed) values ($1) on conflict do nothing`,
		d.vault.Seal(key, numberKeyCell))
	if err != nil {
		return fmt.Errorf("write the key of erased numbers: %w", err)
	}
	return nil
}

// reserve adds a row that no process serves yet.
func (d *Directory) reserve(ctx context.Context, at string) (number int, err error) {
	err = postgres.InTx(ctx, d.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `select from directory for update`); err != nil { // one command at a time
			return err
		}
		if err := tx.QueryRow(ctx, `select coalesce(max(number), 0) + 1 from cell`).Scan(&number); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `insert into cell (number, url, state) values ($1, $2, $3)`, number,
			d.vault.Seal([]byte(at), place(number)), adding)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("add a cell to the directory: %w", err)
	}
	return number, nil
}

// set gives a cell its address, and opens it if it was being added.
func (d *Directory) set(ctx context.Context, number int, at string) (Cell, error) {
	c := Cell{Number: number, URL: at}
	err := d.pool.QueryRow(ctx, `
		insert into cell (number, url, state) values ($1, $2, 'open')
		on conflict (number) do update set url = excluded.url,
			state = case cell.state when 'adding' then 'open' else cell.state end
		returning state`, number, d.vault.Seal([]byte(at), place(number))).Scan(&c.State)
	if err != nil {
		return Cell{}, fmt.Errorf("write the address of cell %d: %w", number, err)
	}
	return c, nil
}

// SetState opens a cell for new organizations, or closes it. Errors: NotFound.
func (d *Directory) SetState(ctx context.Context, number int, state State) error {
	tag, err := d.pool.Exec(ctx, `update cell set state = $2 where number = $1 and state <> 'adding'`, number, state)
	if err != nil {
		return fmt.Errorf("change cell %d: %w", number, err)
	}
	if tag.RowsAffected() == 0 {
		return fault.NotFoundf(fmt.Sprintf("Cell %d", number))
	}
	return nil
}

// state returns the state of a cell. Errors: NotFound.
func (d *Directory) state(ctx context.Context, number int) (s State, err error) {
	err = d.pool.QueryRow(ctx, `select state from cell where number = $1 and state <> 'adding'`, number).Scan(&s)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", fault.NotFoundf(fmt.Sprintf("Cell %d", number))
	}
	if err != nil {
		return "", fmt.Errorf("ask the directory for cell %d: %w", number, err)
	}
	return s, nil
}

// accepts refuses a new organization for a cell that is being emptied. Errors: Conflict, NotFound.
func (d *Directory) accepts(ctx context.Context, number int) error {
	switch s, err := d.state(ctx, number); {
	case err != nil:
		return err
	case s == Draining:
		return fault.Conflictf("Cell %d takes no new organization. Open it with 'dialwright cell open %[1]d' first",
			number)
	}
	return nil
}

// errClaimed names no other organization.
var errClaimed = fault.Conflictf("Another part of this deployment sends from this WhatsApp number, or from another " +
	"number of its business portfolio, which share a limit. Ask the operator of this server to bring both together")

// Claim makes a cell the only one that sends from a portfolio of the messaging operator ("" if it is unknown) and from
// its numbers, because they share a limit, which one database must count. Errors: Conflict if another cell does.
func (d *Directory) Claim(ctx context.Context, number int, portfolio string, numbers []string) error {
	kinds, ids := []string{}, []string{}
	if portfolio != "" {
		kinds, ids = append(kinds, "portfolio"), append(ids, portfolio)
	}
	for _, id := range numbers {
		kinds, ids = append(kinds, "number"), append(ids, id)
	}
	return postgres.InTx(ctx, d.pool, func(tx pgx.Tx) error {
		// The order of the rows keeps two claims from waiting for each other.
		rows, err := tx.Query(ctx, `
			insert into claim (kind, external_id, cell)
			select distinct kind, external_id, $3::integer from unnest($1::text[], $2::text[]) as c (kind, external_id)
			order by kind, external_id
			on conflict (kind, external_id) do update set cell = claim.cell
			returning cell`, kinds, ids, number)
		if err != nil {
			return fmt.Errorf("claim numbers for cell %d: %w", number, err)
		}
		owners, err := pgx.CollectRows(rows, pgx.RowTo[int])
		if err != nil {
			return fmt.Errorf("claim numbers for cell %d: %w", number, err)
		}
		if slices.ContainsFunc(owners, func(owner int) bool { return owner != number }) {
			return errClaimed
		}
		return nil
	})
}

// claimExisting claims what a schema that becomes a cell sends from already.
func (d *Directory) claimExisting(ctx context.Context, pool *pgxpool.Pool, number int) error {
	var portfolios, numbers []string
	err := pool.QueryRow(ctx, `
		select coalesce((select array_agg(distinct portfolio) from messaging_connection
			where disconnected_at is null and portfolio <> ''), '{}'),
			coalesce((select array_agg(distinct external_id) from messaging_number
			where disconnected_at is null), '{}')`).
		Scan(&portfolios, &numbers)
	if err != nil {
		return fmt.Errorf("read the numbers of cell %d: %w", number, err)
	}
	for _, portfolio := range portfolios {
		if err := d.Claim(ctx, number, portfolio, nil); err != nil {
			return err
		}
	}
	return d.Claim(ctx, number, "", numbers)
}

// Check returns an error unless the schema of pool is the cell that this directory calls number.
func (d *Directory) Check(ctx context.Context, pool *pgxpool.Pool, number int) error {
	switch is, err := readMark(ctx, pool); {
	case err != nil:
		return err
	case is != (mark{d.id, number}):
		return fmt.Errorf("the database at the address of cell %d is not this cell. Give the right address to "+
			"`dialwright cell add`", number)
	}
	return nil
}

// mark is the row of cell_mark, zero without one.
type mark struct {
	DirectoryID uuid.UUID
	Number      int
}

func readMark(ctx context.Context, pool *pgxpool.Pool) (m mark, err error) {
	err = pool.QueryRow(ctx, `select directory_id, number from cell_mark`).Scan(&m.DirectoryID, &m.Number)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return mark{}, fmt.Errorf("read which cell a schema is: %w", err)
	}
	return m, nil
}

// schemaName is a name that needs no quotes.
var schemaName = regexp.MustCompile(`^[a-z_][a-z0-9_]{0,62}$`)

// makeSchema makes the schema that the search path of a URL names, if it names one.
func makeSchema(ctx context.Context, at string) error {
	cfg, err := pgx.ParseConfig(at)
	if err != nil {
		return fmt.Errorf("read the address of the cell: %w", err)
	}
	name, ok := cfg.RuntimeParams["search_path"]
	if !ok {
		return nil
	}
	if !schemaName.MatchString(name) {
		return fault.New(fault.Invalid,
			"search_path must name one schema, with lowercase letters, digits and underscores")
	}
	conn, err := pgx.ConnectConfig(ctx, cfg)
	if err != nil {
		return fmt.Errorf("connect to the database of the cell: %w", err)
	}
	defer conn.Close(context.WithoutCancel(ctx))
	if _, err := conn.Exec(ctx, `create schema if not exists `+pgx.Identifier{name}.Sanitize()); err != nil {
		return fmt.Errorf("create the schema %s: %w", name, err)
	}
	return nil
}
