package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"

	"github.com/dialwright/dialwright/internal/evaluation"
	"github.com/dialwright/dialwright/internal/loop"
)

// errTestsFailed ends agentTest with status 1. The table says the rest.
var errTestsFailed = errors.New("the tests did not pass")

const (
	apiTime   = 30 * time.Second
	pollTests = 2 * time.Second // a key may send 60 requests a minute
)

// client sends requests to the API of a running server.
type client struct{ url, key string }

// agentTest runs the tests of an agent on a running server.
func agentTest(ctx context.Context, p *process) error {
	if p.APIKey == "" {
		return usageError{errors.New("DIALWRIGHT_KEY is required. Create a key with the scopes agents:read and " +
			"agents:write")}
	}
	c := client{url: p.ServerURL, key: p.APIKey}
	agent := "/agents/" + url.PathEscape(p.Args[0])
	if p.CasesFile != "" {
		if err := c.storeCases(ctx, agent, p.CasesFile); err != nil {
			return err
		}
	}
	in := evaluation.RunInput{Repeats: &p.Repeats, DifficultCallees: p.DifficultCallees, CaseIDs: []string{}}
	if p.AgentVersion > 0 {
		in.Version = &p.AgentVersion
	}
	var run evaluation.RunDetail
	if err := c.send(ctx, http.MethodPost, agent+"/test-runs", in, &run); err != nil {
		return err
	}
	fmt.Fprintf(p.stderr, "Run %s has started: %d attempts.\n", run.ID, run.RunResource.Attempts)
	for run.FinishedAt == nil {
		if !loop.Sleep(ctx, pollTests) {
			return ctx.Err()
		}
		if err := c.send(ctx, http.MethodGet, agent+"/test-runs/"+run.ID.String(), nil, &run); err != nil {
			return err
		}
	}
	failures, err := c.failures(ctx, agent, run)
	if err != nil {
		return err
	}
	printRun(p.stdout, run, failures)
	if p.JUnit != "" {
		if err := writeJUnit(p.JUnit, run, failures); err != nil {
			return err
		}
	}
	if run.Status != evaluation.Passed {
		return errTestsFailed
	}
	return nil
}

// unreachable says in a sentence why a server did not answer.
func unreachable(address string, err error) error {
	if cause, ok := errors.AsType[*url.Error](err); ok {
		err = cause.Err // without the method and the address
	}
	if cause, ok := errors.AsType[syscall.Errno](err); ok {
		err = cause // "connection refused"
	}
	return fmt.Errorf("the server at %s does not answer: %w. Check DIALWRIGHT_URL, and that the server runs",
		address, err)
}

// storeCases creates the test cases of a file, and replaces those that have the same names.
func (c client) storeCases(ctx context.Context, agent, file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return usageError{err}
	}
	var cases []json.RawMessage
	if err := json.Unmarshal(text, &cases); err != nil {
		return usageError{fmt.Errorf("%s: must be a JSON array of test cases: %w", file, err)}
	}
	known := map[string]string{} // IDs by names
	for cursor := ""; ; {
		var page struct {
			Data       []evaluation.CaseResource `json:"data"`
			NextCursor *string                   `json:"next_cursor"`
		}
		path := agent + "/test-cases?limit=100&cursor=" + url.QueryEscape(cursor)
		if err := c.send(ctx, http.MethodGet, path, nil, &page); err != nil {
			return err
		}
		for _, found := range page.Data {
			known[found.Name] = found.ID.String()
		}
		if page.NextCursor == nil {
			break
		}
		cursor = *page.NextCursor
	}
	for i, body := range cases {
		var named struct{ Name string }
		_ = json.Unmarshal(body, &named) // the server says what is wrong
		method, path := http.MethodPost, agent+"/test-cases"
		if id := known[strings.TrimSpace(named.Name)]; id != "" {
			method, path = http.MethodPut, path+"/"+id
		}
		if err := c.send(ctx, method, path, body, nil); err != nil {
			return usageError{fmt.Errorf("%s: test case %d: %w", file, i+1, err)}
		}
	}
	return nil
}

// failures returns why the failed attempts of a run failed, by attempt.
func (c client) failures(ctx context.Context, agent string, run evaluation.RunDetail) (map[string]string, error) {
	all := map[string]string{}
	for _, tested := range run.Cases {
		for _, a := range tested.Attempts {
			if a.Status != evaluation.Failed || a.Error != nil {
				all[a.ID.String()] = deref(a.Error)
				continue
			}
			var whole evaluation.AttemptResource
			path := agent + "/test-runs/" + run.ID.String() + "/attempts/" + a.ID.String()
			if err := c.send(ctx, http.MethodGet, path, nil, &whole); err != nil {
				return nil, err
			}
			var why []string
			for _, check := range whole.Checks {
				if check.Verdict != evaluation.Pass {
					why = append(why, strings.TrimSpace(fmt.Sprintf("%s %s", check.Kind, check.Name))+": "+check.Reason)
				}
			}
			all[a.ID.String()] = strings.Join(why, "; ")
		}
	}
	return all, nil
}

func deref(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

// passedOf counts the attempts of a case that passed.
func passedOf(tested evaluation.TestedResource) (n int) {
	for _, a := range tested.Attempts {
		if a.Status == evaluation.Passed {
			n++
		}
	}
	return n
}

func printRun(w io.Writer, run evaluation.RunDetail, failures map[string]string) {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "CASE\tRESULT\tPASSED\tWHY")
	for _, tested := range run.Cases {
		why := ""
		for _, a := range tested.Attempts {
			why = cmp.Or(why, failures[a.ID.String()])
		}
		fmt.Fprintf(table, "%s\t%s\t%d of %d\t%s\n", tested.Name, tested.Status, passedOf(tested), len(tested.Attempts),
			why)
	}
	_ = table.Flush()
	fmt.Fprintf(w, "\n%s: %d of %d attempts passed, %d input and %d output tokens.\n", run.Status, run.AttemptsPassed,
		run.RunResource.Attempts, run.InputTokens, run.OutputTokens)
}

// send sends a request and reads the answer into out. It waits when the rate limit is reached.
func (c client) send(ctx context.Context, method, path string, body, out any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return fmt.Errorf("encode a request: %w", err)
	}
	for {
		wait, err := c.try(ctx, method, path, text, out)
		if wait == 0 {
			return err
		}
		if !loop.Sleep(ctx, wait) {
			return ctx.Err()
		}
	}
}

// try sends a request once. wait is how long to wait before the next try; 0: the request has its answer.
func (c client) try(ctx context.Context, method, path string, body []byte, out any) (wait time.Duration, err error) {
	ctx, cancel := context.WithTimeout(ctx, apiTime)
	defer cancel()
	var sent io.Reader
	if method != http.MethodGet {
		sent = bytes.NewReader(body)
	}
	r, err := http.NewRequestWithContext(ctx, method, c.url+"/api/v1"+path, sent)
	if err != nil {
		return 0, usageError{err}
	}
	r.Header.Set("Authorization", "Bearer "+c.key)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, serverError{unreachable(c.url, err)}
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return 0, fmt.Errorf("read the server's answer: %w", err)
	}
	if answer.StatusCode == http.StatusTooManyRequests {
		seconds, _ := strconv.Atoi(answer.Header.Get("Retry-After"))
		return time.Duration(max(seconds, 1)) * time.Second, nil
	}
	if answer.StatusCode >= http.StatusBadRequest {
		var problem struct{ Error string }
		_ = json.Unmarshal(text, &problem)
		err := fmt.Errorf("the server answered %d: %s", answer.StatusCode, cmp.Or(problem.Error, answer.Status))
		if answer.StatusCode < http.StatusInternalServerError && answer.StatusCode != http.StatusConflict {
			return 0, usageError{err}
		}
		if answer.StatusCode >= http.StatusInternalServerError {
			return 0, serverError{err}
		}
		return 0, err
	}
	if out == nil {
		return 0, nil
	}
	if err := json.Unmarshal(text, out); err != nil {
		return 0, fmt.Errorf("read the server's answer: %w", err)
	}
	return 0, nil
}

// writeJUnit writes a run as a JUnit XML file, one test case for each attempt.
func writeJUnit(file string, run evaluation.RunDetail, failures map[string]string) error {
	type failure struct {
		Message string `xml:"message,attr"`
	}
	type testCase struct {
		Suite   string   `xml:"classname,attr"`
		Name    string   `xml:"name,attr"`
		Failure *failure `xml:"failure"`
	}
	type testSuite struct {
		XMLName  xml.Name   `xml:"testsuite"`
		Name     string     `xml:"name,attr"`
		Tests    int        `xml:"tests,attr"`
		Failures int        `xml:"failures,attr"`
		Cases    []testCase `xml:"testcase"`
	}
	suite := testSuite{
		Name: "agent " + run.AgentID.String(), Tests: run.RunResource.Attempts,
		Failures: run.RunResource.Attempts - run.AttemptsPassed,
	}
	for _, tested := range run.Cases {
		for _, a := range tested.Attempts {
			one := testCase{Suite: suite.Name, Name: fmt.Sprintf("%s (%d)", tested.Name, a.Repeat)}
			if a.Status != evaluation.Passed {
				one.Failure = &failure{cmp.Or(failures[a.ID.String()], string(a.Status))}
			}
			suite.Cases = append(suite.Cases, one)
		}
	}
	text, err := xml.MarshalIndent(suite, "", "  ")
	if err != nil {
		return fmt.Errorf("encode the results: %w", err)
	}
	text = append([]byte(xml.Header), append(text, '\n')...)
	if err := os.WriteFile(file, text, 0o644); err != nil { // other programs of CI read it
		return fmt.Errorf("write the results: %w", err)
	}
	return nil
}
