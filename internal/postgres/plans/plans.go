// Package plans records how PostgreSQL executed statements, so that tests and benchmarks
// can check the rows and indexes that each statement read. It needs a superuser and a
// database of its own.
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

// ErrUnavailable means that this PostgreSQL lacks auto_explain.
var ErrUnavailable = errors.New("this PostgreSQL comes without auto_explain")

// Watcher collects the plans of the statements on its pool. auto_explain sends each plan,
// with its actual row counts, as a notice.
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
	Rows       int      // rows that its scans read, including filtered rows
	Blocks     int      // blocks that it accessed, cached or not
	Scans      []string // indexes that it used, and tables that it read completely
	Sequential []string // tables that it read completely
}

// Watch opens a pool to the database of pool and records its plans. Errors:
// ErrUnavailable.
func Watch(ctx context.Context, pool *pgxpool.Pool) (*Watcher, error) {
	// PostgreSQL has no list of the installed libraries, so Watch tries to load this one.
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
	Rows      float64 `json:"Actual Rows"` // average of its loops
	Loops     float64 `json:"Actual Loops"`
	Dropped   float64 `json:"Rows Removed by Filter"`
	Rechecked float64 `json:"Rows Removed by Index Recheck"`
	Hit       int     `json:"Shared Hit Blocks"`
	Read      int     `json:"Shared Read Blocks"`
	Plans     []node  `json:"Plans"`
}

// hear records the plan in a notice: "duration: 0.123 ms  plan:\n{…}".
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
		Blocks: sent.Plan.Hit + sent.Plan.Read, // includes the blocks of child nodes
	}
	p.add(sent.Plan)
	w.plans = append(w.plans, p)
}

func (p *Plan) add(n node) {
	if n.Loops == 0 { // the node was planned and never executed
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

// Take returns the plans since the previous Take.
func (w *Watcher) Take() ([]Plan, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	plans, err := w.plans, w.bad
	w.plans, w.bad = nil, nil
	return plans, err
}
