package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/campaign/intake"
	"github.com/dialwright/dialwright/internal/postgres/pgtest"
)

// A server with the sandbox in its process is killed while the campaign uses its maximum concurrency. The server
// starts again. The campaign continues before the server looks up the call of a live process, which it would do after
// half a minute. No recipient is called twice.
func TestCampaignContinuesAfterACrash(t *testing.T) {
	t.Parallel()
	const atOnce = 6
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	db := pgtest.New(t)
	c := &chaos{t: t, ctx: ctx, url: db.URL, pool: db.Pool}
	c.prepare()
	pace, most, attempts := 20.0, atOnce, 1
	draft := &campaign.Draft{
		Name: "Crash", ProjectID: c.project.String(), AgentID: c.agent.String(), PhoneNumberID: c.number.String(),
		Recipients: &intake.List{}, CallsPerSecond: &pace, MaxConcurrency: &most,
		Retry: &campaign.RetryInput{MaxAttempts: &attempts},
	}
	for i := range 4 * atOnce {
		draft.Recipients.Add(intake.Recipient{PhoneNumber: fmt.Sprintf("+1500510%04d", i)})
	}
	_, err := c.app.Campaigns.Create(ctx, c.actor, draft)
	c.must(err)

	victim := startCrashServer(c)
	c.await("all slots are in use", func() bool {
		var up int
		c.row(`select count(*) from call where ended_at is null and started_at is not null`, nil, &up)
		return up == atOnce
	})
	c.must(victim.Process.Kill())
	_ = victim.Wait()
	killed := time.Now()

	startCrashServer(c)
	started := time.Now()
	living, marker := uuid.New(), uuid.New()
	c.exec(`insert into instance (id, seen_at) values ($1, clock() + interval '1 day')`, living)
	columns := db.Columns("call")
	c.exec(`
		insert into call (`+columns+`) select `+columns+` from (select (jsonb_populate_record(c, jsonb_build_object(
			'id', $1::text, 'instance_id', $2::text, 'campaign_id', null, 'recipient_id', null, 'to_number',
				'+15005109999',
			'status', 'ringing', 'answered_at', null, 'answered_by', null, 'carrier_call_id', 'CA1',
			'asked_at', clock(), 'started_at', clock(), 'ringing_at', clock(), 'heard_at', clock(),
			'ended_at', null, 'outcome', null, 'ended_reason', null, 'ended_by', null, 'settle_after', null,
				'settled_at', null))).*
		from call c limit 1) copy`, marker, living)
	var heard, next time.Time
	c.row(`select heard_at from call where id = $1`, []any{marker}, &heard)

	c.await("the next call goes out", func() bool {
		var n int
		c.row(`select count(*), coalesce(min(asked_at), clock()) from call where asked_at > $1`, []any{killed}, &n,
			&next)
		return n > 1 // one of them is the marker
	})
	c.row(`select min(asked_at) from call where asked_at > $1 and id <> $2`, []any{killed, marker}, &next)
	t.Logf("the next call went out %s after the kill, %s after the start", next.Sub(killed).
		Round(time.Millisecond), next.Sub(started).Round(time.Millisecond))

	var touched bool
	var twice int
	c.row(`select heard_at <> $2 or ended_at is not null from call where id = $1`, []any{marker, heard}, &touched)
	if touched {
		t.Error("the call of a process that lives was looked up before the campaign continued")
	}
	c.row(
		`select count(*) from (select from call where asked_at is not null and recipient_id is not null
			group by recipient_id having count(*) > 1) r`,
		nil, &twice,
	)
	if twice > 0 {
		t.Errorf("%d recipients were called twice", twice)
	}
}

// startCrashServer starts a server with the sandbox in its process, and waits until the server listens.
func startCrashServer(c *chaos) *exec.Cmd {
	c.t.Helper()
	cmd := product(c.t, "DATABASE_URL="+c.url, "DIALWRIGHT_MASTER_KEY="+testMasterKey)
	cmd.Args = append(cmd.Args, "serve", "--addr", "127.0.0.1:0", "--metrics-addr=", "--log-level", "error", "--pool",
		"5", "--sandbox", "--data", c.t.TempDir())
	out, err := cmd.StdoutPipe()
	c.must(err)
	c.must(cmd.Start())
	c.t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if strings.Contains(lines.Text(), "listens on") {
			go io.Copy(io.Discard, out) //nolint:errcheck // until the server ends
			return cmd
		}
	}
	c.t.Fatal("the server did not start")
	return nil
}
