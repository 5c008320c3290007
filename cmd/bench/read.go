package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	_ "net/http/pprof" // for the server of this benchmark
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/dialwright/dialwright/api"
	"github.com/dialwright/dialwright/internal/app"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/seal"
	"golang.org/x/sync/errgroup"
)

const (
	readers     = 64              // connections
	readFor     = 5 * time.Second // duration of each measurement
	readKeys    = 8000            // × 60 requests a minute: more than the machine can handle
	readAim     = 0.30
	quotaAim    = 50 * time.Millisecond
	besideQuery = "/select-1"

	// besideCommand makes this program the server of this benchmark.
	besideCommand = "serve-beside"
)

// serveBeside serves the product's API and, with the same server and pool, a handler that only runs select 1.
func serveBeside(ctx context.Context) {
	pool := must(postgres.Open(ctx, postgres.Options{URL: os.Getenv("DATABASE_URL")}))
	defer pool.Close()
	vault := must(seal.NewVault(must(base64.StdEncoding.DecodeString(os.Getenv("DIALWRIGHT_MASTER_KEY")))))
	a := must(newApp(pool, vault, func(o *app.Options) {
		o.Log = slog.New(slog.NewJSONHandler(os.Stderr, nil)) // logs each request, like the command serve
	}))
	routes := http.NewServeMux()
	routes.Handle("/", a.Handler(api.Handler(a), http.NotFoundHandler()))
	routes.Handle("/debug/pprof/", http.DefaultServeMux)
	routes.HandleFunc(besideQuery, func(w http.ResponseWriter, r *http.Request) {
		var one int
		if err := pool.QueryRow(r.Context(), `select 1`).Scan(&one); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Write([]byte("1\n"))
	})
	listen(ctx, routes)
}

// readCampaign compares GET /campaigns/{id} with a handler that runs the cheapest statement. GET /campaigns/{id}
// authenticates, counts the request against its key and reads a campaign.
func readCampaign(ctx context.Context, l *lab) {
	s := l.site(ctx, "bench_read", readKeys)
	server := l.child(ctx, "api", besideCommand, s.environment()...)
	if l.profiles != "" {
		server.own = server.url
	}
	id := s.openCampaign(ctx, server).String()
	beside := &target{server: server, path: besideQuery}
	product := &target{
		server:   server,
		path:     "/api/v1/campaigns/" + id,
		key:      s.key,
		contains: []byte(`"id":"` + id + `"`),
	}
	hammer(ctx, beside, time.Second) // warms connections, plans and pools
	hammer(ctx, product, time.Second)

	section("Reading a campaign")
	out := newTable("round", "`select 1`", "p50", "p99", "CPU: server, PostgreSQL",
		"`GET /campaigns/{id}`", "p50", "p99", "CPU: server, PostgreSQL", "ratio")
	var ratios, rates []float64
	var used [][]time.Duration
	l.eachRound(func(round int) {
		least, leastCPU := l.hammered(ctx, "select-1", beside)
		read, readCPU := l.hammered(ctx, "read", product)
		ratio := read.perSecond() / least.perSecond()
		ratios, rates, used = append(ratios, ratio), append(rates, read.perSecond()), append(used, readCPU)
		out.row(round+1, perSecond(least.perSecond()), middle(least.took), micros(leastCPU),
			perSecond(read.perSecond()), middle(read.took), micros(readCPU), fmt.Sprintf("%.2f", ratio))
	})
	out.print("Ratio, median of %d rounds: %.2f (aim %.2f, %s). %d connections for %s each. Every answer was a 2xx.",
		l.rounds, median(ratios), readAim, met(median(ratios) >= readAim), readers, readFor)
	l.figure("reading a campaign : select 1", "", median(ratios))
	l.figure("reading a campaign", "1/s", median(rates))
	l.cpuOf("reading a campaign", used, 1, "")
}

// readQuota reads the quota of a number whose window is full.
func readQuota(ctx context.Context, l *lab) {
	t := l.texting(ctx, "bench_quota", readKeys)
	t.connect(ctx, fastLine)
	t.fillWindow(ctx, fastLine, windowFull)
	server := t.serve(ctx)
	quota := &target{
		server:   server,
		path:     "/api/v1/campaigns/quota",
		key:      t.key,
		contains: fmt.Appendf(nil, `"used_24h":%d`, windowFull),
	}
	hammer(ctx, quota, time.Second)
	section("Reading the quota")
	out := newTable("round", "`GET /campaigns/quota`", "p50", "p99", "most", "CPU: server, PostgreSQL")
	var worst []time.Duration
	l.eachRound(func(round int) {
		read, cpu := l.hammered(ctx, "quota", quota)
		worst = append(worst, percentile(read.took, 0.99))
		out.row(round+1, perSecond(read.perSecond()), spread(read.took), micros(cpu))
	})
	p99 := median(worst)
	out.print("p99, median of %d rounds: %s (aim %s, %s). %d connections, %s each, %s distinct recipients in the "+
		"window of one number. Every answer was a 2xx with that count. The operator is a separate process and is "+
		"asked as often as in production: the first 10 times in 10 s, then when its last answer is 5 s old.",
		l.rounds, ms(p99), ms(quotaAim), met(p99 <= quotaAim), readers, readFor, count(windowFull))
	l.duration("reading the quota, p99", p99)
}

// openCampaign makes a running campaign with a thousand recipients, of whom ten are in a call.
func (s *site) openCampaign(ctx context.Context, server *process) fmt.Stringer {
	c, _ := s.createCampaign(ctx, server,
		s.campaignBody(list(1000), map[string]any{"scheduled_at": time.Now().Add(time.Hour)}))
	s.exec(ctx, `
		insert into call (id, organization_id, project_id, campaign_id, recipient_id, agent_id, phone_number_id,
			connection_id, carrier, own_number, person_number, status, ring_timeout_seconds, max_duration_seconds,
			answered_at)
		select gen_random_uuid(), organization_id, $2, campaign_id, id, $3, $4, $5, 'sandbox', '+15005550100',
			phone_number, 'in_progress', 30, 600, clock()
		from recipient where campaign_id = $1 order by id limit 10`,
		c.ID, s.ProjectID, s.AgentID, s.PhoneNumberID, s.ConnectionID)
	s.exec(ctx, `update campaign set status = 'running', started_at = clock() where id = $1`, c.ID)
	s.exec(ctx, `vacuum analyze`)
	return c.ID
}

// target is a path that hammer requests repeatedly.
type target struct {
	server   *process
	path     string
	key      func() string // returns the key of each request; nil means no key
	contains []byte        // every answer must contain it
}

// answers are the times of requests. All requests were answered correctly.
type answers struct {
	took   []time.Duration // sorted
	lasted time.Duration
}

func (a *answers) perSecond() float64 { return float64(len(a.took)) / a.lasted.Seconds() }

// hammered hammers a target. It also returns the CPU time of the server and of PostgreSQL for each request.
func (l *lab) hammered(ctx context.Context, name string, t *target) (a *answers, cpu []time.Duration) {
	cpu = l.measure(ctx, name, readFor, func() { a = hammer(ctx, t, readFor) }, t.server)
	for i := range cpu {
		cpu[i] /= time.Duration(len(a.took))
	}
	return a, cpu
}

// micros formats CPU times for one cell.
func micros(cpu []time.Duration) string {
	return each(cpu, func(d time.Duration) string { return fmt.Sprint(d.Microseconds()) }) + " µs"
}

// hammer sends requests over all connections at once, for at least lasts. Each connection sends its next request when
// it has the previous answer. An answer that is not 2xx is an error.
func hammer(ctx context.Context, t *target, lasts time.Duration) *answers {
	clients := make([]*client, readers)
	for i := range clients {
		conn := must((&net.Dialer{}).DialContext(ctx, "tcp", strings.TrimPrefix(t.server.url, "http://")))
		defer conn.Close()
		clients[i] = &client{conn: conn, in: bufio.NewReader(conn)}
	}
	var mu sync.Mutex
	var all answers
	group, ctx := errgroup.WithContext(ctx)
	began := time.Now()
	for _, c := range clients {
		group.Go(func() error {
			took := make([]time.Duration, 0, 4096)
			for now := began; ctx.Err() == nil && now.Sub(began) < lasts; {
				start := time.Now()
				if err := c.ask(t); err != nil {
					return err
				}
				now = time.Now()
				took = append(took, now.Sub(start))
			}
			mu.Lock()
			defer mu.Unlock()
			all.took = append(all.took, took...)
			return ctx.Err()
		})
	}
	check(group.Wait())
	all.lasted = time.Since(began)
	slices.Sort(all.took)
	return &all
}

// client sends the same request repeatedly. It uses less CPU than an http.Client and leaves more of it to the server.
type client struct {
	conn    net.Conn
	in      *bufio.Reader
	request []byte
	body    bytes.Buffer
}

func (c *client) ask(t *target) error {
	c.request = append(append(append(c.request[:0], "GET "...), t.path...), " HTTP/1.1\r\nHost: bench\r\n"...)
	if t.key != nil {
		c.request = append(append(append(c.request, "Authorization: Bearer "...), t.key()...), "\r\n"...)
	}
	if _, err := c.conn.Write(append(c.request, "\r\n"...)); err != nil {
		return err
	}
	response, err := http.ReadResponse(c.in, nil)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	c.body.Reset()
	if _, err := c.body.ReadFrom(response.Body); err != nil {
		return err
	}
	if response.StatusCode/100 != 2 || !bytes.Contains(c.body.Bytes(), t.contains) {
		return fmt.Errorf("GET %s: %s: %.300s", t.path, response.Status, c.body.Bytes())
	}
	return nil
}
