package main

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/dialwright/dialwright/internal/demo/history"
)

const (
	listAim      = 1.5
	listRepeats  = 400             // requests for each list
	aimRepeats   = 2000            // for a list with an aim; p99 of 400 requests would be only the fourth slowest
	listTime     = 6 * time.Second // limit for each list and database
	pageRepeats  = 200
	pageTime     = 8 * time.Second // limit for each page
	pageAim      = 50 * time.Millisecond
	loadAim      = 150_000 // bytes of a page's first load
	exportMemory = 64 << 20
)

// visited is a database with a server that only serves pages.
type visited struct {
	*site
	server  *process
	browser *http.Client
	places  *strings.Replacer // replaces the placeholders in paths
}

// visit fills a database and starts a server on it.
func (l *lab) visit(ctx context.Context, name string, calls int) *visited {
	v := &visited{site: l.history(ctx, name, calls)}
	v.server = l.serve(ctx, v.site, "--role", "web")
	v.browser = signIn(ctx, v.server)
	var middle time.Time
	var number, called string
	v.scan(ctx, `
		select (select created_at from call
		        where organization_id = $1 order by created_at desc, id desc offset $2 limit 1),
		       n.phone_number,
		       (select id::text from call
		        where organization_id = $1 and person_number = n.phone_number and answered_at is not null limit 1)
		from (select phone_number from recipient where campaign_id = $3 order by id limit 1) n`,
		[]any{v.OrganizationID, v.Calls / 2, v.Large}, &middle, &number, &called)
	places := []string{
		"LARGE", v.Large.String(), "SMALL", v.Small.String(), "AGENT", v.AgentID.String(),
		"MIDDLE", middle.UTC().Format(time.RFC3339Nano), "NUMBER", url.QueryEscape(number), "CALL", called,
	}
	v.places = strings.NewReplacer(places...)
	person := somebody.FindSubmatch(v.load(ctx, "/search?q=NUMBER", -1).text)
	if person == nil {
		failf("the search finds nobody with the number of a recipient")
	}
	v.places = strings.NewReplacer(append(places, "PERSON", string(person[1]))...)
	return v
}

// somebody matches a link to the page of a person.
var somebody = regexp.MustCompile(`"/people/([^"/?]+)"`)

// path is a path of the API or of the dashboard. It may contain these placeholders: LARGE and SMALL (campaigns),
// AGENT, MIDDLE (of the calls), NUMBER, CALL and PERSON.
type path string

// load gets a path and checks that the answer is complete: a page, or a list with that number of rows. -1 means any
// number.
func (v *visited) load(ctx context.Context, p path, rows int) answer {
	address := v.places.Replace(string(p))
	if strings.HasPrefix(address, "/api/v1") {
		a := must(v.get(v.server, strings.TrimPrefix(address, "/api/v1")).send(ctx))
		var list struct{ Data []json.RawMessage }
		if check(json.Unmarshal(a.text, &list)); rows >= 0 && len(list.Data) != rows {
			failf("%s at %s calls: %d rows, not %d", p, count(v.Calls), len(list.Data), rows)
		}
		return a
	}
	a := must(request{browser: v.browser, url: v.server.url + address, gzip: true}.send(ctx))
	if !strings.HasPrefix(address, "/static/") && !strings.Contains(string(a.text), "</html>") {
		failf("%s: half a page", p)
	}
	return a
}

// times loads a path many times from each of the databases. It alternates between them, so that other work of the
// machine slows all of them equally. It returns the sorted times.
func times(ctx context.Context, p path, rows, repeats int, longest time.Duration, all ...*visited) [][]time.Duration {
	took := make([][]time.Duration, len(all))
	spent := make([]time.Duration, len(all))
	const warm = 5 // requests before the measurement, for plans and caches
	for i := 0; i < repeats+warm && (i <= 20 || slices.Max(spent) <= longest); i++ {
		for n, v := range all {
			a := v.load(ctx, p, rows)
			spent[n] += a.took
			if i >= warm {
				took[n] = append(took[n], a.took)
			}
		}
	}
	for _, sorted := range took {
		slices.Sort(sorted)
	}
	return took
}

// lists are the rows of the table of readLists.
var lists = []struct {
	name string
	path path
	rows int  // on a page of the API; -1 means any number
	aim  bool // the list has an aim
}{
	{"`GET /calls`", "/api/v1/calls", 25, true},
	{"`GET /calls?limit=100`", "/api/v1/calls?limit=100", 100, false},
	{"`GET /calls`, from the middle", "/api/v1/calls?created_before=MIDDLE", 25, true},
	{"… of the large campaign", "/api/v1/calls?campaign_id=LARGE", 25, false},
	{"… of a small campaign", "/api/v1/calls?campaign_id=SMALL", 25, false},
	{"… to one number", "/api/v1/calls?to_number=NUMBER", 10, false},
	{"… `outcome=failed`", "/api/v1/calls?outcome=failed", 25, false},
	{"… `status=completed`", "/api/v1/calls?status=completed", 25, false},
	{"… `status=ringing`", "/api/v1/calls?status=ringing", history.LiveCalls / 2, false},
	{"… `answered_by=machine`", "/api/v1/calls?answered_by=machine", 25, false},
	{"… `min_duration=200`", "/api/v1/calls?min_duration=200", 25, false},
	{"… by one agent", "/api/v1/calls?agent_id=AGENT", 25, false},
	{
		"… by one agent, `outcome=no_answer`, answered by a person: none",
		"/api/v1/calls?outcome=no_answer&answered_by=human&agent_id=AGENT", -1, false,
	},
	{"… `q` of a word in half of the calls", "/api/v1/calls?q=tomorrow", 25, false},
	{"… `q` of a word in one call of 200", "/api/v1/calls?q=wcjd", -1, false},
	{"… `q` of a word in few calls", "/api/v1/calls?q=aardvark", 25, false},
	{"… `q` of a word in no call", "/api/v1/calls?q=zyzzyva", 0, false},
	{"… `q` of two words, in a row and not", "/api/v1/calls?q=%22coming+tomorrow%22+aardvark", 25, false},
	{
		"… `q` of a word in half of the calls, of a small campaign",
		"/api/v1/calls?q=tomorrow&campaign_id=SMALL", -1, false,
	},
	{"… `q` by relevance", "/api/v1/calls?q=tomorrow&sort=relevance", 25, false},
	{"`GET /campaigns`", "/api/v1/campaigns", -1, false},
	{"`GET /campaigns/{id}`, the large one", "/api/v1/campaigns/LARGE", -1, false},
	{"… its recipients", "/api/v1/campaigns/LARGE/recipients", 25, false},
	{"… its failed recipients", "/api/v1/campaigns/LARGE/recipients?status=failed", 25, false},
	{"dashboard: page of the large campaign", "/campaigns/LARGE", -1, true},
	{"dashboard: page of a small campaign", "/campaigns/SMALL", -1, true},
	{"dashboard: calls", "/calls", -1, false},
	{"dashboard: calls, searched", "/calls?q=aardvark", -1, false},
	{"dashboard: overview", "/", -1, false},
}

// readLists compares the same pages on a database with few calls and on a database with many calls.
func readLists(ctx context.Context, l *lab) {
	few := l.visit(ctx, fewName, fewCalls)
	many := l.visit(ctx, manyName, l.calls)
	section("Lists and pages")
	var worst, slowest float64
	out := newTable("", count(few.Calls)+" calls: p50", "p99", count(many.Calls)+" calls: p50", "p99",
		"ratio of p50", "ratio of p99", fmt.Sprintf("aim %.1f", listAim))
	for _, line := range lists {
		repeats := listRepeats
		if line.aim {
			repeats = aimRepeats
		}
		took := times(ctx, line.path, line.rows, repeats, listTime, few, many)
		ratio := func(p float64) float64 { return float64(percentile(took[1], p)) / float64(percentile(took[0], p)) }
		verdict := ""
		if line.aim {
			verdict = met(ratio(0.99) <= listAim)
			worst, slowest = max(worst, ratio(0.99)), max(slowest, inMS(percentile(took[1], 0.99)))
		}
		out.row(line.name, middle(took[0]), middle(took[1]),
			fmt.Sprintf("%.2f", ratio(0.50)), fmt.Sprintf("%.2f", ratio(0.99)), verdict)
	}
	out.print("One request at a time, up to %d of each and %d where there is an aim. The two databases take turns. "+
		"Nine of ten calls belong to the large campaign (ten attempts for each recipient).", listRepeats, aimRepeats)
	l.figure("slowest list with an aim, p99", "ms", slowest)
	l.figure(fmt.Sprintf("p99 at %s : %s calls, worst list with an aim", count(many.Calls), count(few.Calls)), "",
		worst)
}

// pages are the rows of the table of readPages.
var pages = []struct {
	name string
	path path
}{
	{"Overview, 7 days", "/"},
	{"Overview, 30 days", "/?days=30"},
	{"Campaigns", "/campaigns"},
	{"Campaign, 900,000 calls", "/campaigns/LARGE"},
	{"New campaign", "/campaigns/new"},
	{"Its recipients with an answer", "/campaigns/LARGE?answers%5Bcoming%5D=true"},
	{"Its answers", "/analysis/answers?campaign_id=LARGE"},
	{"Its report", "/campaigns/LARGE/report"},
	{"Analysis, 30 days", "/analysis"},
	{"Analysis, 90 days", "/analysis?days=90"},
	{"Calls", "/calls"},
	{"Calls, one number", "/calls?to_number=NUMBER"},
	{"Calls, a word", "/calls?q=guests"},
	{"Call", "/calls/CALL"},
	{"Live calls", "/live"},
	{"Person", "/people/PERSON"},
	{"Search, a number", "/search?q=NUMBER"},
	{"Search, a word", "/search?q=Ada"},
	{"Follow-ups", "/follow-ups"},
	{"Alerts", "/alerts"},
	{"Messaging", "/messaging"},
	{"Webhooks", "/webhooks"},
	{"API keys", "/settings/api-keys"},
	{"Members", "/settings/members"},
	{"Projects", "/settings/projects"},
	{"Agents", "/agents"},
	{"Phone numbers", "/phone-numbers"},
	{"Do not call, 100,000 entries", "/do-not-call"},
	{"Audit log", "/settings/audit-log"},
	{"Organization", "/settings/organization"},
	{"Profile", "/profile"},
}

// readPages measures each page of the dashboard at a million calls: the server's time, and the size of the first load
// in a browser with an empty cache.
func readPages(ctx context.Context, l *lab) {
	v := l.visit(ctx, manyName, l.calls)
	section(fmt.Sprintf("Pages at %s calls", count(v.Calls)))
	out := newTable("page", "p50", "p99", "aim 50 ms", "page on the wire", "first load", "requests", "aim 150 kB")
	for _, p := range pages {
		took := times(ctx, p.path, -1, pageRepeats, pageTime, v)[0]
		l.duration(p.name+", p50", percentile(took, 0.50))
		page, all, requests := v.firstLoad(ctx, p.path)
		out.row(p.name, middle(took), met(percentile(took, 0.99) <= pageAim),
			kilo(page), kilo(all), requests, met(all < loadAim))
	}
	out.print("One request at a time, up to %d of each. A first load is the page and every file it needs, compressed. "+
		"Later loads are the page alone, because browsers keep the files.", pageRepeats)
}

// named matches the files that a page or a style sheet loads.
var named = regexp.MustCompile(`(?:(?:src|href)="|url\()(/static/[^")]+)`)

// firstLoad counts the bytes and requests of a page when the cache is empty. It skips the fonts that only other
// alphabets need, because browsers do not load them.
func (v *visited) firstLoad(ctx context.Context, p path) (page, all, requests int) {
	a := v.load(ctx, p, -1)
	page, all, requests = a.wire, a.wire, 1
	seen := map[string]bool{}
	for queue := named.FindAllStringSubmatch(string(a.text), -1); len(queue) > 0; queue = queue[1:] {
		file := queue[0][1]
		if seen[file] || strings.Contains(file, "latin-ext") {
			continue
		}
		seen[file] = true
		a := v.load(ctx, path(file), -1)
		all += a.wire
		requests++
		if strings.HasSuffix(file, ".css") {
			queue = append(queue, named.FindAllStringSubmatch(string(a.text), -1)...)
		}
	}
	return page, all, requests
}

// exportCalls reads GET /calls/export to its end from a server that has just started. It measures the rows per second
// and the growth of the server's peak memory.
func exportCalls(ctx context.Context, l *lab) {
	v := l.visit(ctx, manyName, l.calls)
	section("Exporting calls")
	out := newTable("rows", "MiB", "time", "rows a second", "first byte after", "growth of VmHWM", "aim", "")
	v.load(ctx, "/api/v1/calls", 25) // warms connections and plans
	before := peakMemory(v.server)
	r := must(http.NewRequestWithContext(ctx, http.MethodGet, v.server.url+"/api/v1/calls/export", nil))
	r.Header.Set("Authorization", "Bearer "+v.key())
	began := time.Now()
	answer := must(http.DefaultClient.Do(r))
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		failf("export the calls: %s", answer.Status)
	}
	in := &counter{Reader: answer.Body}
	table := csv.NewReader(in)
	table.ReuseRecord = true
	lines := 0
	var first time.Duration
	for ; ; lines++ {
		if _, err := table.Read(); errors.Is(err, io.EOF) {
			break
		} else {
			check(err)
		}
		if first == 0 {
			first = time.Since(began)
		}
	}
	took := time.Since(began)
	if want := v.Calls + history.LiveCalls + 1; lines != want {
		failf("the export has %d rows, not %d", lines-1, want-1)
	}
	grown := peakMemory(v.server) - before
	out.row(lines-1, fmt.Sprint(in.bytes>>20), seconds(took), int(float64(lines)/took.Seconds()), ms(first),
		mebibytes(grown), "< "+mebibytes(exportMemory), met(grown < exportMemory))
	out.print("")
	l.figure("rows exported", "1/s", float64(lines)/took.Seconds())
}
