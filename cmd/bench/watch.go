package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// errNoPlans means that the PostgreSQL at hand has no auto_explain.
var errNoPlans = errors.New("this PostgreSQL comes without auto_explain")

// watched is a site with a pool whose statements tell how they were executed:
// auto_explain sends each plan, with what it really did, as a notice.
type watched struct {
	*site
	pool *pgxpool.Pool

	mu    sync.Mutex
	plans []plan
	bad   error
}

// plan is one execution of a statement.
type plan struct {
	query      string
	took       time.Duration
	rows       int      // that its scans read, those they threw away included
	blocks     int      // that it looked at, in memory or not
	scans      []string // how it read what
	sequential []string // the large tables it read from end to end
}

func (s *site) watch(ctx context.Context) (*watched, error) {
	var there bool
	// There is no list of libraries to look into.
	_, err := s.pool.Exec(ctx, `load 'auto_explain'`)
	if e, ok := errors.AsType[*pgconn.PgError](err); ok && e.Code == "58P01" { // undefined_file
		return nil, errNoPlans
	}
	if err != nil {
		return nil, fmt.Errorf("load auto_explain: %w", err)
	}
	for _, sql := range []string{
		`alter database ` + s.name + ` set session_preload_libraries = 'auto_explain'`,
		`alter database ` + s.name + ` set auto_explain.log_min_duration = 0`,
		`alter database ` + s.name + ` set auto_explain.log_analyze = on`,
		`alter database ` + s.name + ` set auto_explain.log_buffers = on`,
		`alter database ` + s.name + ` set auto_explain.log_format = 'json'`,
		`alter database ` + s.name + ` set auto_explain.log_level = 'notice'`,
	} {
		if _, err := s.pool.Exec(ctx, sql); err != nil {
			return nil, fmt.Errorf("have plans told: %w", err)
		}
	}
	w := &watched{site: s}
	cfg := s.pool.Config()
	cfg.ConnConfig.OnNotice = func(_ *pgconn.PgConn, n *pgconn.Notice) { w.hear(n.Message) }
	if w.pool, err = pgxpool.NewWithConfig(ctx, cfg); err != nil {
		return nil, fmt.Errorf("open a pool: %w", err)
	}
	if err := w.pool.QueryRow(ctx, `select exists (select from call where id = '00000000-0000-0000-0000-000000000000')`).Scan(&there); err != nil {
		return nil, err
	}
	if len(w.take()) == 0 {
		return nil, errors.New("no plan was told")
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
func (w *watched) hear(message string) {
	head, body, ok := strings.Cut(message, "plan:\n")
	if !ok {
		return
	}
	var told struct {
		Query string `json:"Query Text"`
		Plan  node
	}
	var took float64
	err := json.Unmarshal([]byte(body), &told)
	if err == nil {
		_, err = fmt.Sscanf(head, "duration: %f ms", &took)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if err != nil {
		w.bad = errors.Join(w.bad, fmt.Errorf("read a plan: %w", err))
		return
	}
	p := plan{
		query: strings.Join(strings.Fields(told.Query), " "), took: time.Duration(took * float64(time.Millisecond)),
		blocks: told.Plan.Hit + told.Plan.Read, // those of its children included
	}
	p.add(told.Plan)
	w.plans = append(w.plans, p)
}

func (p *plan) add(n node) {
	if n.Loops == 0 { // it was planned for and not needed
		return
	}
	if n.Index != "" && n.Table == "" { // the index part of a bitmap scan
		p.note(n.Type + " " + n.Index)
	}
	if n.Table != "" {
		p.rows += int((n.Rows + n.Dropped + n.Rechecked) * n.Loops)
		if n.Type == "Seq Scan" && slices.Contains(large, n.Table) {
			p.sequential = append(p.sequential, n.Table)
		}
		switch {
		case n.Index != "":
			p.note(n.Index)
		case n.Type == "Seq Scan":
			p.note("all of " + n.Table)
		}
	}
	for _, child := range n.Plans {
		p.add(child)
	}
}

func (p *plan) note(scan string) {
	if !slices.Contains(p.scans, scan) {
		p.scans = append(p.scans, scan)
	}
}

// take returns the plans told since the last time.
func (w *watched) take() []plan {
	w.mu.Lock()
	defer w.mu.Unlock()
	plans := w.plans
	w.plans = nil
	return plans
}

// worst is the most that any of the plans did, each figure by itself.
func worst(plans []plan) (most plan) {
	for _, p := range plans {
		most.took, most.rows, most.blocks = max(most.took, p.took), max(most.rows, p.rows), max(most.blocks, p.blocks)
	}
	return most
}

// byStatement groups plans by statement, those that took longest in all first.
func byStatement(plans []plan) [][]plan {
	groups := map[string][]plan{}
	spent := map[string]time.Duration{}
	for _, p := range plans {
		groups[p.query] = append(groups[p.query], p)
		spent[p.query] += p.took
	}
	var sorted [][]plan
	for _, group := range groups {
		sorted = append(sorted, group)
	}
	slices.SortFunc(sorted, func(a, b []plan) int {
		return cmp.Or(cmp.Compare(spent[b[0].query], spent[a[0].query]), strings.Compare(a[0].query, b[0].query))
	})
	return sorted
}

// shortened is the beginning of a statement, fit for a table.
func shortened(query string, n int) string {
	query = strings.NewReplacer("|", "¦", "`", "'").Replace(query)
	if r := []rune(query); len(r) > n {
		return string(r[:n]) + "…"
	}
	return query
}
