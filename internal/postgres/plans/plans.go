// Package plans shows how PostgreSQL executed statements, so that tests and benchmarks
// can tell what each of them read. It needs a superuser and a database of its own.
package plans

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// ErrUnavailable means that this PostgreSQL comes without auto_explain.
var ErrUnavailable = errors.New("this PostgreSQL comes without auto_explain")

// Watcher collects the plans of the statements on its pool: auto_explain sends each
// plan, with what it really did, as a notice.
type Watcher struct {
	Pool *pgxpool.Pool // close it after use

	mu    sync.Mutex
	plans []Plan
	bad   error
}

// Plan is one execution of a statement.
type Plan struct {
	Query      string
	Took       time.Duration
	Rows       int      // that its scans read, including rows that a filter removed
	Blocks     int      // that it looked at, in memory or not
	Scans      []string // the indexes it used, and tables it read from end to end
	Sequential []string // the tables it read from end to end
}

// Watch opens a pool to the same database as another.
func Watch(ctx context.Context, pool *pgxpool.Pool) (*Watcher, error) {
	// There is no list of libraries to look into.
	_, err := pool.Exec(ctx, `load 'auto_explain'`)
	if e, ok := errors.AsType[*pgconn.PgError](err); ok && e.Code == "58P01" { // undefined_file
		return nil, ErrUnavailable
	}
	if err != nil {
		return nil, fmt.Errorf("load auto_explain: %w", err)
	}
	w := &Watcher{}
	cfg := pool.Config()
	cfg.ConnConfig.OnNotice = func(_ *pgconn.PgConn, n *pgconn.Notice) { w.hear(n.Message) }
	prepare := cfg.AfterConnect
	cfg.AfterConnect = func(ctx context.Context, c *pgx.Conn) error {
		if prepare != nil {
			if err := prepare(ctx, c); err != nil {
				return err
			}
		}
		_, err := c.Exec(ctx, `
			load 'auto_explain';
			set auto_explain.log_analyze = on;
			set auto_explain.log_buffers = on;
			set auto_explain.log_format = 'json';
			set auto_explain.log_level = 'notice';
			set auto_explain.log_min_duration = 0`)
		return err
	}
	if w.Pool, err = pgxpool.NewWithConfig(ctx, cfg); err != nil {
		return nil, fmt.Errorf("open a pool: %w", err)
	}
	if _, err := w.Pool.Exec(ctx, `select count(*) from pg_class`); err != nil {
		w.Pool.Close()
		return nil, fmt.Errorf("see a plan: %w", err)
	}
	if plans, err := w.Take(); err != nil || len(plans) == 0 {
		w.Pool.Close()
		return nil, fmt.Errorf("no plan was sent: %w", err)
	}
	return w, nil
}

// node is a node of a plan as explain (format json) prints it.
type node struct {
	Type      string  `json:"Node Type"`
	Table     string  `json:"Relation Name"`
	Index     string  `json:"Index Name"`
	Rows      float64 `json:"Actual Rows"` // of each loop
	Loops     float64 `json:"Actual Loops"`
	Dropped   float64 `json:"Rows Removed by Filter"`
	Rechecked float64 `json:"Rows Removed by Index Recheck"`
	Hit       int     `json:"Shared Hit Blocks"`
	Read      int     `json:"Shared Read Blocks"`
	Plans     []node  `json:"Plans"`
}

// hear keeps the plan of a notice, "duration: 0.123 ms  plan:\n{…}".
func (w *Watcher) hear(message string) {
	head, body, ok := strings.Cut(message, "plan:\n")
	if !ok {
		return
	}
	var sent struct {
		Query string `json:"Query Text"`
		Plan  node
	}
	var took float64
	err := json.Unmarshal([]byte(body), &sent)
	if err == nil {
		_, err = fmt.Sscanf(head, "duration: %f ms", &took)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if err != nil {
		w.bad = errors.Join(w.bad, fmt.Errorf("read a plan: %w", err))
		return
	}
	p := Plan{
		Query:  strings.Join(strings.Fields(sent.Query), " "),
		Took:   time.Duration(took * float64(time.Millisecond)),
		Blocks: sent.Plan.Hit + sent.Plan.Read, // those of its children included
	}
	p.add(sent.Plan)
	w.plans = append(w.plans, p)
}

func (p *Plan) add(n node) {
	if n.Loops == 0 { // it was planned for and not needed
		return
	}
	if n.Index != "" {
		p.scanned(n.Index)
	}
	if n.Table != "" {
		p.Rows += int((n.Rows + n.Dropped + n.Rechecked) * n.Loops)
		if n.Type == "Seq Scan" {
			p.scanned("all of " + n.Table)
			p.Sequential = append(p.Sequential, n.Table)
		}
	}
	for _, child := range n.Plans {
		p.add(child)
	}
}

func (p *Plan) scanned(what string) {
	if !slices.Contains(p.Scans, what) {
		p.Scans = append(p.Scans, what)
	}
}

// Take returns the plans since the last time.
func (w *Watcher) Take() ([]Plan, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	plans, err := w.plans, w.bad
	w.plans, w.bad = nil, nil
	return plans, err
}
