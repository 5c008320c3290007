package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/dialwright/dialwright/internal/demo/history"
)

// These constants are for the databases with histories.
const (
	fewName  = "bench_few"
	manyName = "bench_many"
	fewCalls = 10_000
	listKeys = 1000
)

// keyName is the file beside a kept cluster that contains its master key. A history can be kept for measurements on
// another day, because filling keeps a machine busy, and figures from a busy machine are worthless.
const keyName = "master_key"

// fillKept creates a cluster in a new directory and fills it with the histories of the benchmarks page and export.
func fillKept(ctx context.Context, o options) (err error) {
	// The new directory contains no other files, so a failure may remove it.
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

// history returns a site with a history. It opens a kept history or fills a new one. It opens or fills the large
// history only once.
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
