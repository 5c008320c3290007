package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/demo/history"
)

const (
	fewCalls    = 10_000
	fewName     = "bench_few"
	listAim     = 1.5
	listKeys    = 1000
	manyName    = "bench_many"
	listRepeats = 400             // requests for each line
	aimRepeats  = 2000            // for a line with an aim: of 400, p99 is what befell four
	listTime    = 6 * time.Second // for each line and database at most
)

// lined is a line of the table: a page of the API or the dashboard.
type lined struct {
	name string
	path func(v *visited) string
	html bool
	aim  bool // one of those that have an aim
	rows int  // how many a page of the API must have; -1: any
}

// visited is a database with a server on it.
type visited struct {
	*site
	Calls   int
	Large   uuid.UUID // campaign
	Small   uuid.UUID // campaign
	server  *process
	browser *http.Client
	middle  time.Time // of the calls
	number  string    // that was called ten times
	call    string    // one that was answered
}

func inAPI(path string, values ...string) func(*visited) string {
	return func(*visited) string { return "/api/v1" + path + query(values) }
}

func query(values []string) string {
	if len(values) == 0 {
		return ""
	}
	q := url.Values{}
	for i := 0; i < len(values); i += 2 {
		q.Set(values[i], values[i+1])
	}
	return "?" + q.Encode()
}

var lines = []lined{
	{name: "`GET /calls`", path: inAPI("/calls"), aim: true, rows: 25},
	{name: "`GET /calls?limit=100`", path: inAPI("/calls", "limit", "100"), rows: 100},
	{name: "`GET /calls`, from the middle", path: func(v *visited) string {
		return "/api/v1/calls" + query([]string{"created_before", v.middle.UTC().Format(time.RFC3339Nano)})
	}, aim: true, rows: 25},
	{name: "… of the large campaign", path: func(v *visited) string { return "/api/v1/calls?campaign_id=" + v.Large.String() }, rows: 25},
	{name: "… of a small campaign", path: func(v *visited) string { return "/api/v1/calls?campaign_id=" + v.Small.String() }, rows: 25},
	{name: "… to one number", path: func(v *visited) string { return "/api/v1/calls?to_number=" + url.QueryEscape(v.number) }, rows: 10},
	{name: "… `outcome=failed`", path: inAPI("/calls", "outcome", "failed"), rows: 25},
	{name: "… `status=completed`", path: inAPI("/calls", "status", "completed"), rows: 25},
	{name: "… `status=ringing`", path: inAPI("/calls", "status", "ringing"), rows: history.LiveCalls / 2},
	{name: "… `answered_by=machine`", path: inAPI("/calls", "answered_by", "machine"), rows: 25},
	{name: "… `min_duration=200`", path: inAPI("/calls", "min_duration", "200"), rows: 25},
	{name: "… by one agent", path: func(v *visited) string { return "/api/v1/calls?agent_id=" + v.AgentID.String() }, rows: 25},
	{name: "… by one agent, `outcome=no_answer`, answered by a person: none", path: func(v *visited) string {
		return "/api/v1/calls?outcome=no_answer&answered_by=human&agent_id=" + v.AgentID.String()
	}, rows: -1},
	{name: "… `q` of a word in half of the calls", path: inAPI("/calls", "q", "tomorrow"), rows: 25},
	{name: "… `q` of a word in one call of 200", path: inAPI("/calls", "q", "wcjd"), rows: -1},
	{name: "… `q` of a word in few calls", path: inAPI("/calls", "q", "aardvark"), rows: 25},
	{name: "… `q` of a word in no call", path: inAPI("/calls", "q", "zyzzyva"), rows: 0},
	{name: "… `q` of two words, in a row and not", path: inAPI("/calls", "q", `"coming tomorrow" aardvark`), rows: 25},
	{name: "… `q` of a word in half of the calls, of a small campaign", path: func(v *visited) string {
		return "/api/v1/calls?q=tomorrow&campaign_id=" + v.Small.String()
	}, rows: -1},
	{name: "… `q` by relevance", path: inAPI("/calls", "q", "tomorrow", "sort", "relevance"), rows: 25},
	{name: "`GET /campaigns`", path: inAPI("/campaigns"), rows: -1},
	{name: "`GET /campaigns/{id}`, the large one", path: func(v *visited) string { return "/api/v1/campaigns/" + v.Large.String() }, rows: -1},
	{name: "… its recipients", path: func(v *visited) string { return "/api/v1/campaigns/" + v.Large.String() + "/recipients" }, rows: 25},
	{name: "… its failed recipients", path: func(v *visited) string { return "/api/v1/campaigns/" + v.Large.String() + "/recipients?status=failed" }, rows: 25},
	{name: "dashboard: page of the large campaign", path: func(v *visited) string { return "/campaigns/" + v.Large.String() }, html: true, aim: true},
	{name: "dashboard: page of a small campaign", path: func(v *visited) string { return "/campaigns/" + v.Small.String() }, html: true, aim: true},
	{name: "dashboard: calls", path: func(*visited) string { return "/calls" }, html: true},
	{name: "dashboard: calls, searched", path: func(*visited) string { return "/calls?q=aardvark" }, html: true},
	{name: "dashboard: overview", path: func(*visited) string { return "/" }, html: true},
}

// readLists compares the same pages on a database with few calls and on one
// with many. The two are asked in turn, so that whatever else the machine does
// slows both.
func readLists(ctx context.Context, l *lab, o options) error {
	few, err := l.visit(ctx, fewName, fewCalls)
	if err != nil {
		return err
	}
	defer few.leave(l)
	many, err := l.visit(ctx, manyName, o.calls)
	if err != nil {
		return err
	}
	defer many.leave(l)

	section("Lists and pages")
	out := newTable("", count(few.Calls)+" calls: p50", "p99", count(many.Calls)+" calls: p50", "p99", "ratio of p50", "ratio of p99", fmt.Sprintf("aim %.1f", listAim))
	for _, line := range lines {
		times, err := compare(ctx, line, few, many)
		if err != nil {
			return err
		}
		p := func(i int, share float64) time.Duration { return percentile(times[i], share) }
		verdict := ""
		ratio := float64(p(1, 0.99)) / float64(p(0, 0.99))
		if line.aim {
			verdict = met(ratio <= listAim)
		}
		out.row(line.name, ms(p(0, 0.50)), ms(p(0, 0.99)), ms(p(1, 0.50)), ms(p(1, 0.99)),
			fmt.Sprintf("%.2f", float64(p(1, 0.50))/float64(p(0, 0.50))), fmt.Sprintf("%.2f", ratio), verdict)
	}
	out.print()
	fmt.Printf("\nOne request at a time, up to %d of each and %d where there is an aim. The two databases take turns. Nine of ten calls belong to the large campaign (ten attempts for each recipient).\n", listRepeats, aimRepeats)
	return nil
}

// visit fills a database and starts a server on it that only serves pages.
func (l *lab) visit(ctx context.Context, name string, calls int) (_ *visited, err error) {
	v := &visited{}
	var h history.History
	if v.site, h, err = l.filled(ctx, name, calls); err != nil {
		return nil, err
	}
	v.Calls, v.Large, v.Small = h.Calls, h.Large, h.Small
	defer func() {
		if err != nil {
			v.leave(l)
		}
	}()
	if v.server, err = l.serve(ctx, v.site, "--role", "web"); err != nil {
		return nil, err
	}
	if v.browser, err = signIn(ctx, v.server.url); err != nil {
		return nil, err
	}
	err = v.pool.QueryRow(ctx, `select created_at from call where organization_id = $1 order by created_at desc, id desc offset $2 limit 1`,
		v.OrganizationID, v.Calls/2).Scan(&v.middle)
	if err != nil {
		return nil, fmt.Errorf("find the middle: %w", err)
	}
	err = v.pool.QueryRow(ctx, `select phone_number from recipient where campaign_id = $1 order by id limit 1`, v.Large).Scan(&v.number)
	if err != nil {
		return nil, fmt.Errorf("find a number: %w", err)
	}
	err = v.pool.QueryRow(ctx, `select id::text from call where organization_id = $1 and to_number = $2 and answered_at is not null limit 1`,
		v.OrganizationID, v.number).Scan(&v.call)
	return v, err
}

func (v *visited) leave(l *lab) {
	if v.server != nil {
		v.server.stop()
	}
	l.leave(v.site)
}

// filled is a database with a history: a kept one, or one that is made now. The
// large one is made once.
func (l *lab) filled(ctx context.Context, name string, calls int) (*site, history.History, error) {
	if name == manyName && l.many != nil {
		return l.many, l.manyHistory, nil
	}
	if l.kept != nil {
		s, h, err := l.reopen(ctx, name)
		if err == nil && name == manyName {
			l.many, l.manyHistory = s, h
		}
		return s, h, err
	}
	s, err := l.site(ctx, name, listKeys)
	if err != nil {
		return nil, history.History{}, err
	}
	began := time.Now()
	h, err := s.fill(ctx, calls)
	if err != nil {
		s.close(l)
		return nil, h, err
	}
	progress("wrote %s calls in %s", count(calls), time.Since(began).Round(time.Second))
	if name == manyName {
		l.many, l.manyHistory = s, h
	}
	return s, h, nil
}

// leave closes a site, but keeps the large one for the next benchmark.
func (l *lab) leave(s *site) {
	if s != l.many {
		s.close(l)
	}
}

// compare asks both databases for a line, in turn, and returns the sorted times.
func compare(ctx context.Context, line lined, both ...*visited) ([2][]time.Duration, error) {
	var times [2][]time.Duration
	var spent [2]time.Duration
	repeats := listRepeats
	if line.aim {
		repeats = aimRepeats
	}
	for i := range repeats + 5 {
		if i > 20 && max(spent[0], spent[1]) > listTime {
			break
		}
		for n, v := range both {
			took, err := v.ask(ctx, line)
			if err != nil {
				return times, fmt.Errorf("%s at %s calls: %w", line.name, count(v.Calls), err)
			}
			spent[n] += took
			if i >= 5 { // plans and caches are warm
				times[n] = append(times[n], took)
			}
		}
	}
	slices.Sort(times[0])
	slices.Sort(times[1])
	return times, nil
}

// ask gets a page and checks that it is the one.
func (v *visited) ask(ctx context.Context, line lined) (time.Duration, error) {
	address := v.server.url + line.path(v)
	if !line.html {
		var list struct{ Data []json.RawMessage }
		took, err := v.do(ctx, http.MethodGet, address, nil, http.StatusOK, &list)
		if err == nil && line.rows >= 0 && len(list.Data) != line.rows {
			err = fmt.Errorf("%d rows, not %d", len(list.Data), line.rows)
		}
		return took, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return 0, err
	}
	began := time.Now()
	answer, err := v.browser.Do(r)
	if err != nil {
		return 0, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	took := time.Since(began)
	switch {
	case err != nil:
		return took, err
	case answer.StatusCode != http.StatusOK:
		return took, errors.New(answer.Status)
	case !strings.Contains(string(text), "</html>"):
		return took, errors.New("half a page")
	}
	return took, nil
}
