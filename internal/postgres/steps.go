package postgres

import (
	"encoding/binary"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"time"
)

// The steps of a start that may take long.
const (
	stepAdopt   = "waiting for the database server of an earlier run to answer or to exit"
	stepCreate  = "creating the database"
	stepStart   = "waiting for the database server to start"
	stepRecover = "waiting for the database server, which was not shut down cleanly and is recovering"
)

// slowStep is how long a step may take before people are told what it is.
const slowStep = 3 * time.Second

// steps tells people what a slow start is doing.
type steps struct {
	log   *slog.Logger
	dir   string
	all   bool // tell of every step at once
	timer *time.Timer
}

// begin ends the step before.
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

// stoppedCleanly reads from pg_control whether the server of the cluster wrote out
// its memory before it ended. The state follows the system identifier and two
// version numbers (PostgreSQL, catalog/pg_control.h); its values have not changed
// since it was introduced.
func stoppedCleanly(dataDir string) bool {
	const stateAt, shutDown, shutDownInRecovery = 16, 1, 2
	f, err := os.Open(filepath.Join(dataDir, "global", "pg_control"))
	if err != nil {
		return false // the server says what is wrong with it
	}
	defer f.Close() //nolint:errcheck // only read
	var state uint32
	if err := binary.Read(io.NewSectionReader(f, stateAt, 4), binary.NativeEndian, &state); err != nil {
		return false
	}
	return state == shutDown || state == shutDownInRecovery
}
