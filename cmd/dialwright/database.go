package main

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/dialwright/dialwright/internal/cell"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/seal"
	"github.com/dialwright/dialwright/internal/suppression"
)

// database is an open database with the vault that seals its secrets.
type database struct {
	pool     *pgxpool.Pool
	vault    *seal.Vault        // nil for commands that seal nothing
	embedded *postgres.Embedded // nil with DATABASE_URL
	url      string
	cell     cell.Cell // zero without cells
}

// log writes JSON lines to stderr at the configured level.
func (p *process) log() *slog.Logger {
	return slog.New(slog.NewJSONHandler(p.stderr, &slog.HandlerOptions{Level: p.LogLevel}))
}

// openVault opens the master keys. It returns nil for a command that seals nothing and has none.
func openVault(p *process) (*seal.Vault, error) {
	if len(p.MasterKeys) == 0 {
		return nil, nil //nolint:nilnil // no vault is a valid answer
	}
	keys := make([][]byte, len(p.MasterKeys))
	for i, key := range p.MasterKeys {
		var err error
		if keys[i], err = base64.StdEncoding.DecodeString(key); err != nil {
			return nil, fmt.Errorf("read master key %d: %w", i+1, err)
		}
	}
	return seal.NewVault(keys...)
}

// openDatabase connects to DATABASE_URL, or starts the embedded server. If beside is true, it uses the embedded server
// of a process that already runs.
func openDatabase(ctx context.Context, p *process, beside bool) (_ *database, err error) {
	db := &database{url: p.DatabaseURL}
	defer func() {
		if err != nil {
			db.close()
		}
	}()
	if db.vault, err = openVault(p); err != nil {
		return nil, err
	}
	if p.DatabaseURL == "" {
		db.embedded, err = postgres.StartEmbedded(ctx, postgres.EmbeddedOptions{
			Dir: p.Data, Getenv: p.getenv, Log: p.log(), Share: beside,
		})
		if err != nil {
			return nil, err
		}
		db.url = db.embedded.URL()
	}
	if err := db.connect(ctx, p); err != nil {
		return nil, db.explain(err, p.Data)
	}
	return db, nil
}

// openCell connects to the database of a cell.
func openCell(
	ctx context.Context, p *process, directory *cell.Directory, vault *seal.Vault, c cell.Cell,
) (*database, error) {
	db := &database{url: c.URL, vault: vault, cell: c}
	err := db.connect(ctx, p)
	if err == nil {
		err = directory.Check(ctx, db.pool, c.Number)
	}
	if err != nil {
		db.close()
		return nil, fmt.Errorf("open cell %d: %w", c.Number, err)
	}
	return db, nil
}

// connect opens the pool at the URL, after the migration.
func (db *database) connect(ctx context.Context, p *process) (err error) {
	if p.Migrate {
		if err := postgres.Migrate(ctx, db.url); err != nil {
			return err
		}
	}
	options := postgres.Options{URL: db.url, MaxConns: int32(p.PoolSize)}
	if db.vault != nil {
		options.Prepare = suppression.Unlock(db.vault)
	}
	if db.embedded != nil {
		options.Broken = db.embedded.CheckPrograms
	}
	if db.pool, err = postgres.Open(ctx, options); err != nil {
		return err
	}
	return postgres.CheckSchema(ctx, db.pool)
}

// explain adds to an UnreleasedError how to get an empty embedded database. data is the directory of the embedded
// database.
func (db *database) explain(err error, data string) error {
	if _, unreleased := errors.AsType[postgres.UnreleasedError](err); unreleased && db.embedded != nil {
		return fmt.Errorf("%w. To start with one, delete the directory %s", err, data)
	}
	return err
}

// closeTime is how long an interrupted statement may take to release its connection. After that, the server itself
// detects the end of the process.
const closeTime = 5 * time.Second

func (db *database) close() {
	if db.pool != nil {
		closed := make(chan struct{})
		go func() {
			defer close(closed)
			db.pool.Close()
		}()
		select {
		case <-closed:
		case <-time.After(closeTime):
			slog.Warn("a statement is still running; its connection was abandoned")
		}
	}
	if db.embedded != nil {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		if err := db.embedded.Stop(ctx); err != nil {
			slog.Error("could not stop the embedded database", "error", err)
		}
	}
}

func migrate(ctx context.Context, p *process) error {
	p.Migrate = true
	dbs, err := openDatabases(ctx, p)
	if err != nil {
		return err
	}
	defer dbs.close()
	if dbs.away != nil {
		return dbs.away
	}
	fmt.Fprintln(p.stdout, "The schema is up to date.")
	return nil
}
