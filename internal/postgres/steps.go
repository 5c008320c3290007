package postgres

import (
	"encoding/binary"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"time"
)

// These steps of a start may take long.
const (
	stepAdopt   = "waiting for the database server of an earlier run to answer or to exit"
	stepCreate  = "creating the database"
	stepStart   = "waiting for the database server to start"
	stepRecover = "waiting for the database server, which was not shut down cleanly and is recovering"
)

// slowStep is how long a step may take before the log names it.
const slowStep = 3 * time.Second

// steps logs the steps of a slow start.
type steps struct {
	log   *slog.Logger
	dir   string
	all   bool // log every step immediately
	timer *time.Timer
}

// begin ends the previous step and begins the next step.
func (s *steps) begin(what string) {
	s.done()
	tell := func() { s.log.Info(what, "dir", s.dir) }
	if s.all {
		tell()
	} else {
		s.timer = time.AfterFunc(slowStep, tell)
	}
}

func (s *steps) done() {
	if s.timer != nil {
		s.timer.Stop()
	}
}

// stoppedCleanly reads from pg_control whether the cluster's server wrote its memory to disk before it ended. The
// state follows the system identifier and two version numbers (PostgreSQL, catalog/pg_control.h). Its values have not
// changed since PostgreSQL introduced them.
func stoppedCleanly(dataDir string) bool {
	const stateAt, shutDown, shutDownInRecovery = 16, 1, 2
	f, err := os.Open(filepath.Join(dataDir, "global", "pg_control"))
	if err != nil {
		return false // the server reports the problem itself
	}
	defer f.Close() //nolint:errcheck // only read
	var state uint32
	if err := binary.Read(io.NewSectionReader(f, stateAt, 4), binary.NativeEndian, &state); err != nil {
		return false
	}
	return state == shutDown || state == shutDownInRecovery
}
