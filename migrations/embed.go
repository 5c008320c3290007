// Package migrations holds the schema as numbered SQL files, built into the
// binary. postgres.Migrate applies them. 000001_init is the schema of the first
// release. Later migrations begin at 000036: 2 to 35 were used before the release.
//
// Each file runs in one transaction together with its version number, opened
// and committed by Migrate: a file has no begin or commit of its own, and
// nothing that refuses to run in a transaction.
package migrations

import "embed"

// FS has the files NNNNNN_name.up.sql and NNNNNN_name.down.sql at its root.
//
//go:embed *.sql
var FS embed.FS
