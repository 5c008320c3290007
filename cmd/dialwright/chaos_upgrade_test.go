package main

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/postgres"
)

// chaosPreviousVar names the program of an earlier version. See make chaos-upgrade.
const chaosPreviousVar = "DIALWRIGHT_PREVIOUS"

// Two servers are upgraded one after the other during a campaign, while people talk. In between, the version before
// works on the newer schema, beside the newer version. Nothing is lost, and no line is dropped. Without an earlier
// program, this one is the version before, and the schema is widened as a later version might do it.
func TestChaosOfAnUpgrade(t *testing.T) {
	t.Parallel()
	eachChaos(t, chaosPlan{
		people: map[string]int{
			"00": 60, "01": 10, "02": 10, "03": 10, "04": 10, "05": 10, "06": 5, "07": 5, "08": 5, "10": 30, "11": 30,
			"13": 10, "27": 10,
		},
		ordinary:  48,
		perSecond: 20, atOnce: 60,
		pause:       2 * time.Second,
		events:      []string{"*"},
		harms:       []func(*chaos){(*chaos).upgrade},
		previous:    os.Getenv(chaosPreviousVar),
		ownDatabase: true,
		singles:     24,
		callers:     30,
	})
}

// upgrade does what README.md says about upgrades: the first server of the new version migrates, then each of the
// others is replaced.
func (c *chaos) upgrade() {
	c.upgraded = true
	if c.program != "" {
		c.must(postgres.Migrate(c.ctx, c.url))
		c.program = ""
	} else {
		c.widen()
	}
	c.pause(c.plan.pause) // the version before goes on with the newer schema
	for _, s := range c.servers {
		s.drain()
		s.start()
		c.pause(c.plan.pause)
	}
}

// widen gives each table a column and an index, each in a transaction of its own, and the schema a later version.
func (c *chaos) widen() {
	rows, err := c.pool.Query(c.ctx, `
		select c.oid::regclass::text from pg_class c
		where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> 'schema_migrations'`)
	c.must(err)
	tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
	c.must(err)
	for i, table := range tables {
		c.exec(fmt.Sprintf(`alter table %s add column if not exists from_a_later_version text default 'x'`, table))
		c.exec(fmt.Sprintf(`create index if not exists later_%d on %s (from_a_later_version)`, i, table))
	}
	c.exec(`update schema_migrations set version = 999999`)
}

// checkNoLineDropped checks that no conversation ended because a server was replaced.
func (c *chaos) checkNoLineDropped(calls map[string]chaosCall) {
	c.t.Helper()
	for _, one := range calls {
		switch one.EndedReason {
		case call.ReasonServerRestart, call.ReasonLineFailed, call.ReasonCarrierLost, call.ReasonModelFailed:
			c.t.Errorf("call %s ended with %s", one.ID, one.EndedReason)
		}
	}
	moved := c.network.handed()
	if moved == 0 {
		c.t.Error("nobody talked while a server was replaced: too little to tell")
	}
	c.t.Logf("%d lines went on at the other server, none was dropped", moved)
}
