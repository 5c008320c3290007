package main

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/postgres/pgtest"
	"github.com/dialwright/dialwright/internal/testwait"
)

// The demo comes with test cases of an agent and a run of them, which passes when the product performs it.
func TestDemoTestsAnAgent(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	in := newDemo(t, db.URL, t.TempDir())
	if err := in.prepareDemo(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- in.Evaluations.Work(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil && !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
	var status string
	for began := time.Now(); status == "" || status == "running"; time.Sleep(20 * time.Millisecond) {
		if err := db.Pool.QueryRow(ctx, `select status from agent_test_run`).Scan(&status); err != nil {
			t.Fatal(err)
		}
		if time.Since(began) > testwait.Limit {
			t.Fatal("the run does not end")
		}
	}
	if status != "passed" {
		var attempts string
		if err := db.Pool.QueryRow(ctx, `select string_agg(status || coalesce(error, '') || result::text, E'\n')
			from agent_test_attempt`).Scan(&attempts); err != nil {
			t.Fatal(err)
		}
		t.Errorf("the run has %s:\n%s", status, attempts)
	}
	var cases int
	if err := db.Pool.QueryRow(ctx, `select count(*) from agent_test_case`).Scan(&cases); err != nil || cases != 3 {
		t.Errorf("the agent has %d test cases, %v", cases, err)
	}
}
