//go:build !linux

package postgres

import "syscall"

// limitUnacknowledged does nothing where there is no TCP_USER_TIMEOUT; keepalive
// finds an idle connection, and a statement's deadline one that is used.
func limitUnacknowledged(string, string, syscall.RawConn) error { return nil }
