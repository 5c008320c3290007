package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/seal"
)

// lab is the environment of the benchmarks: their own PostgreSQL server, a directory for logs, and the programs that
// they start. Each benchmark creates its own databases.
type lab struct {
	options
	dir             string
	data            string // the directory of the cluster
	keep            bool   // the cluster outlives this program
	cluster         *postgres.Embedded
	postgresVersion string
	masterKey       string
	vault           *seal.Vault
	many            *site      // the large database, if it exists
	started         []*process // processes of the current section
	cleanups        []func()   // cleanups of the open scopes
	figures         []figure   // figures of the current section
	yardstick       yardstick
	version         string // of the server
}

// scope runs fn, and then the cleanups that fn added, as a test does.
func (l *lab) scope(fn func()) {
	n := len(l.cleanups)
	defer func() {
		for len(l.cleanups) > n {
			last := l.cleanups[len(l.cleanups)-1]
			l.cleanups = l.cleanups[:len(l.cleanups)-1]
			last()
		}
	}()
	fn()
}

func (l *lab) cleanup(fn func()) { l.cleanups = append(l.cleanups, fn) }

// eachRound runs fn once for each round of the short measurements.
func (l *lab) eachRound(fn func(round int)) {
	for round := range l.rounds {
		l.scope(func() { fn(round) })
	}
}

func openLab(ctx context.Context, o options) (*lab, error) {
	l := &lab{options: o}
	if err := attempt(func() { l.open(ctx) }); err != nil {
		l.close()
		return nil, err
	}
	return l, nil
}

func (l *lab) open(ctx context.Context) {
	if l.profiles != "" {
		check(os.MkdirAll(l.profiles, 0o755))
	}
	l.dir = must(os.MkdirTemp("", "dialwright-bench-"))
	check(os.Chmod(l.dir, 0o755)) // if this is root, PostgreSQL runs as another user
	key := make([]byte, seal.MasterKeySize)
	rand.Read(key)
	l.data = cmp.Or(l.fill, filepath.Join(l.dir, "data"))
	if l.filled != "" {
		l.data, l.keep = l.filled, true
		key = must(base64.StdEncoding.DecodeString(string(must(os.ReadFile(filepath.Join(l.filled, keyName))))))
	}
	l.masterKey = base64.StdEncoding.EncodeToString(key)
	l.vault = must(seal.NewVault(key))
	l.cluster = must(postgres.StartEmbedded(ctx, postgres.EmbeddedOptions{Dir: l.data}))
	if l.profiles != "" {
		l.keepStatements(ctx)
	}
	var version, fsync, commit string
	l.admin(ctx, func(conn *pgx.Conn) error {
		return conn.QueryRow(ctx, `
			select current_setting('server_version'), current_setting('fsync'), current_setting('synchronous_commit')`).
			Scan(&version, &fsync, &commit)
	})
	if fsync != "on" || commit != "on" {
		failf("the database is not durable: fsync %s, synchronous_commit %s", fsync, commit)
	}
	l.postgresVersion = "PostgreSQL " + version + " (fsync and synchronous_commit on)"
}

func (l *lab) close() {
	if l.many != nil {
		l.many.pool.Close()
	}
	if l.cluster != nil {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := l.cluster.Stop(ctx); err != nil {
			progress("stop the database: %v", err)
		}
		if !l.keep { // it is outside l.dir if PostgreSQL's user can't reach l.dir
			remove(l.cluster.Home())
		}
	}
	remove(l.dir)
}

func remove(dir string) {
	if dir == "" {
		return
	}
	if err := os.RemoveAll(dir); err != nil {
		progress("remove %s: %v", dir, err)
	}
}

// admin calls use with a connection to the maintenance database.
func (l *lab) admin(ctx context.Context, use func(*pgx.Conn) error) {
	conn := must(pgx.Connect(ctx, l.cluster.URL()))
	defer conn.Close(ctx)
	check(use(conn))
}

// exec executes statements in the maintenance database.
func (l *lab) exec(ctx context.Context, statements ...string) {
	l.admin(ctx, func(conn *pgx.Conn) error {
		for _, sql := range statements {
			if _, err := conn.Exec(ctx, sql); err != nil {
				return fmt.Errorf("%s: %w", sql, err)
			}
		}
		return nil
	})
}
