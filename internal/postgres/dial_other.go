//go:build !linux

package postgres

import "syscall"

// limitUnacknowledged does nothing because TCP_USER_TIMEOUT exists only on Linux. Keepalive detects a dead idle
// connection, and a statement's deadline detects a dead connection in use.
func limitUnacknowledged(string, string, syscall.RawConn) error { return nil }
