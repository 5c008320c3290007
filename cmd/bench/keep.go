package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/dialwright/dialwright/internal/demo/history"
	"github.com/dialwright/dialwright/internal/postgres"
)

// keptName is the file beside a kept cluster that says what is in it.
const keptName = "history.json"

// kept is a cluster with histories, for measurements of another day: filling
// keeps a machine busy, and a busy machine measures nothing.
type kept struct {
	MasterKey string     `json:"master_key"`
	Sites     []keptSite `json:"sites"`
}

type keptSite struct {
	Name string   `json:"name"`
	Keys []string `json:"keys"`
}

// fillKept makes a cluster in a directory with the histories that lists and pages
// are measured on. What is there already is left alone.
func fillKept(ctx context.Context, o options) (err error) {
	// Made here, so that nothing else is removed with it when the filling fails.
	if err := os.Mkdir(o.fill, 0o755); err != nil {
		return fmt.Errorf("make a directory for the history: %w", err)
	}
	l, err := openLab(ctx, o)
	if err != nil {
		return errors.Join(err, os.RemoveAll(o.fill))
	}
	defer func() {
		l.keep = err == nil
		l.close()
		if err != nil {
			err = errors.Join(err, os.RemoveAll(o.fill))
		}
	}()
	k := kept{MasterKey: l.masterKey}
	for _, want := range []struct {
		name  string
		calls int
	}{{fewName, fewCalls}, {manyName, o.calls}} {
		s, _, err := l.filled(ctx, want.name, want.calls)
		if err != nil {
			return err
		}
		k.Sites = append(k.Sites, keptSite{Name: s.name, Keys: s.keys})
		s.kept = true
		s.close(l)
	}
	l.many = nil
	text, err := json.MarshalIndent(k, "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(o.fill, keptName), text, 0o600); err != nil {
		return fmt.Errorf("write what was filled: %w", err)
	}
	progress("%s holds %s and %s calls", o.fill, count(fewCalls), count(o.calls))
	return nil
}

func readKept(dir string) (k kept, err error) {
	text, err := os.ReadFile(filepath.Join(dir, keptName))
	if err == nil {
		err = json.Unmarshal(text, &k)
	}
	if err != nil {
		return k, fmt.Errorf("read what was filled: %w", err)
	}
	return k, nil
}

// reopen is a kept site, brought to today's schema.
func (l *lab) reopen(ctx context.Context, name string) (_ *site, h history.History, err error) {
	for _, k := range l.kept.Sites {
		if k.Name != name {
			continue
		}
		s := &site{name: name, kept: true, keys: k.Keys}
		if s.url, err = l.databaseURL(name); err != nil {
			return nil, h, err
		}
		began := time.Now()
		if err := postgres.Migrate(ctx, s.url); err != nil {
			return nil, h, err
		}
		if took := time.Since(began); took > 10*time.Second {
			progress("migrated %s in %s", name, took.Round(time.Second))
		}
		if s.pool, err = postgres.Open(ctx, postgres.Options{URL: s.url, MaxConns: siteConnections, Name: "bench"}); err != nil {
			return nil, h, err
		}
		if s.app, err = newApp(s.pool, l.vault); err != nil {
			return nil, h, err
		}
		h, err = history.Open(ctx, s.pool)
		s.Parts = h.Parts
		return s, h, err
	}
	return nil, h, fmt.Errorf("%s is not among what was kept", name)
}
