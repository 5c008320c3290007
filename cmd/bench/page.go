package main

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"
)

const (
	pageRepeats = 200
	pageTime    = 8 * time.Second // for each page at most
	pageAim     = 50 * time.Millisecond
	loadAim     = 150_000 // bytes of a first load
)

// pages are those of the dashboard that one works with.
var pages = []struct {
	name string
	path func(*visited) string
}{
	{"Overview, 7 days", at("/")},
	{"Overview, 30 days", at("/?days=30")},
	{"Campaigns", at("/campaigns")},
	{"Campaign, 900,000 calls", func(v *visited) string { return "/campaigns/" + v.Large.String() }},
	{"New campaign", at("/campaigns/new")},
	{"Calls", at("/calls")},
	{"Calls, one number", func(v *visited) string { return "/calls" + query([]string{"to_number", v.number}) }},
	{"Calls, a word", at("/calls?q=guests")},
	{"Call", func(v *visited) string { return "/calls/" + v.call }},
	{"Messaging", at("/messaging")},
	{"Webhooks", at("/webhooks")},
	{"API keys", at("/settings/api-keys")},
	{"Members", at("/settings/members")},
	{"Projects", at("/settings/projects")},
	{"Agents", at("/settings/agents")},
	{"Phone numbers", at("/settings/phone-numbers")},
	{"Do not call, 100,000 entries", at("/settings/do-not-call")},
	{"Audit log", at("/settings/audit-log")},
	{"Organization", at("/settings/organization")},
	{"Profile", at("/profile")},
}

func at(path string) func(*visited) string { return func(*visited) string { return path } }

// readPages measures each page of the dashboard at a million calls: how long the
// server takes, and what a browser that has never been here must load.
func readPages(ctx context.Context, l *lab, o options) error {
	v, err := l.visit(ctx, manyName, o.calls)
	if err != nil {
		return err
	}
	defer v.leave(l)
	files := map[string]int{} // bytes of those that were loaded, by address
	section(fmt.Sprintf("Pages at %s calls", count(v.Calls)))
	out := newTable("page", "p50", "p99", "aim 50 ms", "page on the wire", "first load", "requests", "aim 150 kB")
	for _, p := range pages {
		address := v.server.url + p.path(v)
		times, err := v.open(ctx, address)
		if err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		page, all, requests, err := v.firstLoad(ctx, address, files)
		if err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		out.row(p.name, ms(percentile(times, 0.50)), ms(percentile(times, 0.99)), met(percentile(times, 0.99) <= pageAim),
			kilo(page), kilo(all), fmt.Sprint(requests), met(all < loadAim))
	}
	out.print()
	fmt.Printf("\nOne request at a time, up to %d of each. A first load is the page and every file it needs, compressed. Later loads are the page alone, because browsers keep the files.\n", pageRepeats)
	return nil
}

func kilo(n int) string { return fmt.Sprintf("%.1f kB", float64(n)/1000) }

// open gets a page many times and returns the sorted times.
func (v *visited) open(ctx context.Context, address string) ([]time.Duration, error) {
	var times []time.Duration
	spent := time.Duration(0)
	for i := range pageRepeats + 5 {
		if i > 20 && spent > pageTime {
			break
		}
		began := time.Now()
		if _, _, err := v.load(ctx, address, "</html>"); err != nil {
			return nil, err
		}
		took := time.Since(began)
		spent += took
		if i >= 5 { // plans and caches are warm
			times = append(times, took)
		}
	}
	slices.Sort(times)
	return times, nil
}

// named finds what a page, or a style sheet, has a browser load.
var named = regexp.MustCompile(`(?:(?:src|href)="|url\()(/static/[^")]+)`)

// firstLoad is how many bytes and requests a page takes where nothing is cached.
// Fonts that only other alphabets need are not loaded.
func (v *visited) firstLoad(ctx context.Context, address string, files map[string]int) (page, all, requests int, err error) {
	text, page, err := v.load(ctx, address, "</html>")
	if err != nil {
		return 0, 0, 0, err
	}
	all, requests = page, 1
	seen := map[string]bool{}
	queue := named.FindAllStringSubmatch(text, -1)
	for len(queue) > 0 {
		path := queue[0][1]
		queue = queue[1:]
		if seen[path] || strings.Contains(path, "latin-ext") {
			continue
		}
		seen[path] = true
		requests++
		if n, ok := files[path]; ok && !strings.HasSuffix(path, ".css") {
			all += n
			continue
		}
		text, n, err := v.load(ctx, v.server.url+path, "")
		if err != nil {
			return 0, 0, 0, err
		}
		files[path] = n
		all += n
		if strings.HasSuffix(path, ".css") {
			queue = append(queue, named.FindAllStringSubmatch(text, -1)...)
		}
	}
	return page, all, requests, nil
}

// load gets an address as browsers do, compressed, and tells how many bytes came.
func (v *visited) load(ctx context.Context, address, ends string) (text string, wire int, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return "", 0, err
	}
	r.Header.Set("Accept-Encoding", "gzip")
	answer, err := v.browser.Do(r)
	if err != nil {
		return "", 0, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return "", 0, errors.New(answer.Status)
	}
	counted := &counter{from: answer.Body}
	var body io.Reader = counted
	if answer.Header.Get("Content-Encoding") == "gzip" {
		if body, err = gzip.NewReader(counted); err != nil {
			return "", 0, err
		}
	}
	all, err := io.ReadAll(body)
	if err != nil {
		return "", 0, err
	}
	if !strings.Contains(string(all), ends) {
		return "", 0, errors.New("half a page")
	}
	return string(all), counted.n, nil
}

// counter counts what is read.
type counter struct {
	from io.Reader
	n    int
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.from.Read(p)
	c.n += n
	return n, err
}
