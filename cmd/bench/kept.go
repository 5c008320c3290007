package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/dialwright/dialwright/internal/demo/history"
)

// The databases with histories.
const (
	fewName  = "bench_few"
	manyName = "bench_many"
	fewCalls = 10_000
	listKeys = 1000
)

// keyName is the file beside a kept cluster with its master key. A history is kept for
// measurements of another day: filling keeps a machine busy, and a busy machine measures
// nothing.
const keyName = "master_key"

// fillKept makes a cluster in a new directory, with the histories of the benchmarks page
// and export.
func fillKept(ctx context.Context, o options) (err error) {
	// A directory made here contains nothing else, so a failure may remove it.
	if err := os.Mkdir(o.fill, 0o755); err != nil {
		return fmt.Errorf("make a directory for the history: %w", err)
	}
	l, err := openLab(ctx, o)
	if err == nil {
		err = attempt(func() {
			l.history(ctx, fewName, fewCalls).pool.Close()
			l.history(ctx, manyName, o.calls)
			check(os.WriteFile(filepath.Join(o.fill, keyName), []byte(l.masterKey), 0o600))
		})
		l.keep = err == nil
		l.close()
	}
	if err != nil {
		return errors.Join(err, os.RemoveAll(o.fill))
	}
	progress("%s has %s and %s calls", o.fill, count(fewCalls), count(o.calls))
	return nil
}

// history is a site with a history: a kept one, or one that is made now. The large one is
// made once.
func (l *lab) history(ctx context.Context, name string, calls int) *site {
	if name == manyName && l.many != nil {
		return l.many
	}
	var s *site
	if l.filled == "" {
		s = l.site(ctx, name, listKeys)
		s.fillHistory(ctx, calls)
		s.keep = name == manyName || l.fill != ""
	} else {
		s = &site{lab: l, name: name, keep: true}
		s.connect(ctx)
		if name != manyName {
			l.cleanup(s.pool.Close)
		}
		s.History = must(history.Open(ctx, s.pool))
		s.makeKeys(ctx, listKeys)
	}
	if name == manyName {
		l.many = s
	}
	return s
}
