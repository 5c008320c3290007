package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	_ "net/http/pprof" // on the server of this benchmark, which is nobody else's
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/api"
	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/app"
	"github.com/dialwright/dialwright/internal/postgres"
)

const (
	readers     = 64              // connections
	readFor     = 5 * time.Second // of each measurement
	readKeys    = 8000            // × 60 requests a minute: more than the machine can make
	readAim     = 0.30
	besideQuery = "/select-1"

	// besideCommand makes this program the server of the benchmark.
	besideCommand = "serve-beside"
)

// serveBeside is the product's API and, beside it on the same server and pool,
// a handler that only runs select 1. It is a process of its own.
func serveBeside(ctx context.Context) error {
	pool, err := postgres.Open(ctx, postgres.Options{URL: os.Getenv("DATABASE_URL")})
	if err != nil {
		return err
	}
	defer pool.Close()
	log := slog.New(slog.NewJSONHandler(os.Stderr, nil)) // a line per request, as serve writes it
	key, err := base64.StdEncoding.DecodeString(os.Getenv("DIALWRIGHT_MASTER_KEY"))
	if err != nil {
		return fmt.Errorf("read the master key: %w", err)
	}
	vault, err := account.NewVault(key)
	if err != nil {
		return err
	}
	a, err := newApp(pool, vault, func(o *app.Options) { o.Log = log })
	if err != nil {
		return err
	}
	product := a.Handler(api.Handler(a), http.NotFoundHandler())
	srv := &http.Server{ReadHeaderTimeout: 10 * time.Second, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == besideQuery:
			var one int
			if err := pool.QueryRow(r.Context(), `select 1`).Scan(&one); err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
			w.Write([]byte("1\n"))
		case strings.HasPrefix(r.URL.Path, "/debug/pprof/"):
			http.DefaultServeMux.ServeHTTP(w, r)
		default:
			product.ServeHTTP(w, r)
		}
	})}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	context.AfterFunc(ctx, func() { srv.Close() })
	fmt.Printf("listens on http://%s\n", listener.Addr())
	if err := srv.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// readCampaign compares GET /campaigns/{id}, which authenticates, counts the
// request against its key and reads a campaign, with the least a handler that
// asks the database can do.
func readCampaign(ctx context.Context, l *lab, o options) error {
	s, err := l.site(ctx, "bench_read", readKeys)
	if err != nil {
		return err
	}
	defer s.close(l)
	self, err := os.Executable()
	if err != nil {
		return err
	}
	server, err := l.start(ctx, "api", self, []string{"DATABASE_URL=" + s.url, "DIALWRIGHT_MASTER_KEY=" + l.masterKey}, besideCommand)
	if err != nil {
		return err
	}
	defer server.stop()
	if o.profiles != "" {
		server.own = server.url
	}
	id, err := s.openCampaign(ctx, server.url)
	if err != nil {
		return err
	}

	beside := &target{path: besideQuery}
	product := &target{path: "/api/v1/campaigns/" + id.String(), key: s.key, holds: []byte(`"id":"` + id.String() + `"`)}
	address := strings.TrimPrefix(server.url, "http://")
	for _, t := range []*target{beside, product} { // connections, plans, pools
		if _, err := hammer(ctx, address, t, time.Second); err != nil {
			return err
		}
	}
	section("Reading a campaign")
	out := newTable("round", "`select 1`", "p50", "p99", "CPU: server, PostgreSQL", "`GET /campaigns/{id}`", "p50", "p99", "CPU: server, PostgreSQL", "ratio")
	var ratios []float64
	for round := range o.rounds {
		var least, read *answers
		leastCPU, err := l.spent(server, func() (n int, err error) {
			least, err = hammer(ctx, address, beside, readFor)
			return least.len(), err
		})
		if err != nil {
			return err
		}
		var readCPU string
		err = l.profile(ctx, server, "read", readFor, func() (err error) {
			readCPU, err = l.spent(server, func() (n int, err error) {
				read, err = hammer(ctx, address, product, readFor)
				return read.len(), err
			})
			return err
		})
		if err != nil {
			return err
		}
		ratio := read.perSecond() / least.perSecond()
		ratios = append(ratios, ratio)
		out.row(fmt.Sprint(round+1), count(int(least.perSecond()))+"/s", ms(least.at(0.50)), ms(least.at(0.99)), leastCPU,
			count(int(read.perSecond()))+"/s", ms(read.at(0.50)), ms(read.at(0.99)), readCPU, fmt.Sprintf("%.2f", ratio))
	}
	out.print()
	fmt.Printf("\nRatio, median of %d rounds: %.2f (aim %.2f, %s). %d connections for %s each. Every answer was a 2xx.\n",
		o.rounds, median(ratios), readAim, met(median(ratios) >= readAim), readers, readFor)
	return nil
}

// spent is the CPU time of the server and of PostgreSQL for each of the n
// requests that fn makes, for the table.
func (l *lab) spent(server *process, fn func() (n int, err error)) (string, error) {
	measure := func() (own, database time.Duration, err error) {
		u, err := usageOf(server.pid())
		if err != nil {
			return 0, 0, err
		}
		database, err = familyUsage(l.cluster.PID())
		return u.own, database, err
	}
	own, database, err := measure()
	if err != nil {
		return "", err
	}
	n, err := fn()
	if err != nil {
		return "", err
	}
	ownAfter, databaseAfter, err := measure()
	return fmt.Sprintf("%d, %d µs", (ownAfter-own).Microseconds()/int64(n), (databaseAfter-database).Microseconds()/int64(n)), err
}

// openCampaign makes a running campaign with a thousand recipients, of whom ten
// are in a call.
func (s *site) openCampaign(ctx context.Context, base string) (uuid.UUID, error) {
	body, err := s.list(1000, map[string]any{"scheduled_at": time.Now().Add(time.Hour)})
	if err != nil {
		return uuid.Nil, err
	}
	var c campaignAnswer
	if _, err := s.do(ctx, http.MethodPost, base+"/api/v1/campaigns", body, http.StatusCreated, &c); err != nil {
		return uuid.Nil, err
	}
	_, err = s.pool.Exec(ctx, `
		insert into call (id, organization_id, project_id, campaign_id, recipient_id, agent_id, phone_number_id, connection_id,
			carrier, from_number, to_number, status, ring_timeout_seconds, max_duration_seconds, answered_at)
		select gen_random_uuid(), organization_id, $2, campaign_id, id, $3, $4, $5, 'sandbox', '+15005550100', phone_number,
			'in_progress', 30, 600, clock()
		from recipient where campaign_id = $1 order by id limit 10`, c.ID, s.ProjectID, s.AgentID, s.PhoneNumberID, s.ConnectionID)
	if err != nil {
		return uuid.Nil, fmt.Errorf("open calls: %w", err)
	}
	_, err = s.pool.Exec(ctx, `update campaign set status = 'running', started_at = clock() where id = $1`, c.ID)
	return c.ID, errors.Join(err, s.analyze(ctx))
}

func (s *site) analyze(ctx context.Context) error {
	_, err := s.pool.Exec(ctx, `vacuum analyze`)
	return err
}

// target is what is asked for again and again.
type target struct {
	path  string
	key   func() string // of each request; nil: none
	holds []byte        // what every answer must hold
}

// answers are the times of requests that were all answered as they should.
type answers struct {
	took   []time.Duration // sorted
	lasted time.Duration
}

func (a *answers) len() int {
	if a == nil {
		return 0
	}
	return len(a.took)
}
func (a *answers) perSecond() float64         { return float64(len(a.took)) / a.lasted.Seconds() }
func (a *answers) at(p float64) time.Duration { return percentile(a.took, p) }

// hammer asks over all connections at once, each as soon as it has its answer,
// for a while. Any answer that is not 2xx is an error.
func hammer(ctx context.Context, address string, t *target, lasts time.Duration) (*answers, error) {
	var (
		wait   sync.WaitGroup
		mu     sync.Mutex
		all    answers
		failed error
		stop   atomic.Bool
	)
	clients := make([]*client, readers)
	for i := range clients {
		c, err := dial(ctx, address)
		if err != nil {
			return nil, err
		}
		defer c.conn.Close()
		clients[i] = c
	}
	began := time.Now()
	for _, c := range clients {
		wait.Go(func() {
			took := make([]time.Duration, 0, 4096)
			var err error
			for err == nil && !stop.Load() {
				start := time.Now()
				err = c.ask(t)
				now := time.Now()
				took = append(took, now.Sub(start))
				if now.Sub(began) >= lasts {
					break
				}
			}
			mu.Lock()
			defer mu.Unlock()
			all.took = append(all.took, took...)
			if err != nil {
				failed = err
				stop.Store(true)
			}
		})
	}
	wait.Wait()
	all.lasted = time.Since(began)
	slices.Sort(all.took)
	return &all, errors.Join(failed, ctx.Err())
}

// client speaks just enough HTTP/1.1 to ask the same question again, so that
// it takes less of the machine than what it measures.
type client struct {
	conn    net.Conn
	in      *bufio.Reader
	request []byte
	body    []byte
}

func dial(ctx context.Context, address string) (*client, error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	return &client{conn: conn, in: bufio.NewReader(conn)}, nil
}

func (c *client) ask(t *target) error {
	c.request = append(append(append(c.request[:0], "GET "...), t.path...), " HTTP/1.1\r\nHost: bench\r\n"...)
	if t.key != nil {
		c.request = append(append(append(c.request, "Authorization: Bearer "...), t.key()...), "\r\n"...)
	}
	c.request = append(c.request, "\r\n"...)
	if _, err := c.conn.Write(c.request); err != nil {
		return err
	}
	line, err := c.in.ReadSlice('\n')
	if err != nil {
		return err
	}
	good := bytes.HasPrefix(line, []byte("HTTP/1.1 2"))
	status, length := string(bytes.TrimSpace(line)), -1
	for {
		if line, err = c.in.ReadSlice('\n'); err != nil {
			return err
		}
		if len(line) <= 2 {
			break
		}
		if value, ok := bytes.CutPrefix(line, []byte("Content-Length: ")); ok {
			if length, err = strconv.Atoi(string(bytes.TrimSpace(value))); err != nil {
				return err
			}
		}
	}
	if length < 0 {
		return fmt.Errorf("GET %s: an answer without its length", t.path)
	}
	c.body = slices.Grow(c.body[:0], length)[:length]
	if _, err := io.ReadFull(c.in, c.body); err != nil {
		return err
	}
	if !good {
		return fmt.Errorf("GET %s: %s: %s", t.path, status, c.body)
	}
	if !bytes.Contains(c.body, t.holds) {
		return fmt.Errorf("GET %s: not what was asked for: %.300s", t.path, c.body)
	}
	return nil
}

// list is the body of a POST /campaigns with n recipients as they come: a name,
// an id and two variables each, numbers of many places.
func (s *site) list(n int, more map[string]any) ([]byte, error) {
	head := map[string]any{
		"name": "Reminders", "project_id": s.ProjectID, "agent_id": s.AgentID, "phone_number_id": s.PhoneNumberID,
		"calling_hours": json.RawMessage(`{"timezone":"recipient","windows":[{"days":["mon","tue","wed","thu","fri","sat","sun"],"start":"08:00","end":"21:00"}]}`),
	}
	for k, v := range more {
		head[k] = v
	}
	b, err := json.Marshal(head)
	if err != nil {
		return nil, err
	}
	var body bytes.Buffer
	body.Grow(n * 180)
	body.Write(b[:len(b)-1])
	body.WriteString(`,"recipients":[`)
	for i := range n {
		if i > 0 {
			body.WriteByte(',')
		}
		fmt.Fprintf(&body, `{"phone_number":"%s","name":"Person %d","external_id":"customer-%d","variables":{"date":"2026-03-%02d","place":"Room %d"},"metadata":{"row":%d}}`,
			phoneNumber(i), i, i, i%28+1, i%40, i)
	}
	body.WriteString(`]}`)
	return body.Bytes(), nil
}

// areas are places with clocks of their own.
var areas = []string{"+1212", "+1305", "+1312", "+1415", "+1602", "+1713", "+1808", "+1206", "+551130", "+4930", "+4420", "+3314"}

// phoneNumber is the i-th of as many different numbers as wanted.
func phoneNumber(i int) string {
	area := areas[i%len(areas)]
	switch area {
	case "+4420":
		return fmt.Sprintf("%s7%07d", area, i)
	case "+551130":
		return fmt.Sprintf("%s%06d", area, i)
	case "+3314":
		return fmt.Sprintf("%s%07d", area, i)
	}
	return fmt.Sprintf("%s2%06d", area, i)
}
