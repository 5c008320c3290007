// Package migrations holds the schema as numbered SQL files, built into the
// binary. postgres.Migrate applies them. 000001_init is the schema of the first
// release. Later migrations begin at 000036: 2 to 35 were used before the release.
//
// Each file runs in one transaction together with its version number, opened
// and committed by Migrate: a file has no begin or commit of its own, and
// nothing that refuses to run in a transaction.
package migrations

import (
	"embed"
	"io/fs"
)

// FS has the files NNNNNN_name.up.sql and NNNNNN_name.down.sql at its root.
//
//go:embed *.sql
var FS embed.FS

// Directory has the files of the directory of cells, numbered from 900001, so that neither schema is taken for the
// other.
var Directory = must(fs.Sub(directory, "directory"))

//go:embed directory/*.sql
var directory embed.FS

func must(files fs.FS, err error) fs.FS {
	if err != nil {
		panic(err) // the directory is built in
	}
	return files
}
