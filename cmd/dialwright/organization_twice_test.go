package main

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/dialwright/dialwright/internal/testwait"
)

// paused starts a command that pauses after a step. It returns when the command has come to the step. end continues the
// command and returns its error.
func (m *mover) paused(at string, args ...string) (end func() error) {
	m.t.Helper()
	came, further := make(chan struct{}), make(chan struct{})
	over := make(chan error, 1)
	go func() {
		_, err := m.move(func(step string) error {
			if step == at {
				close(came)
				<-further
			}
			return nil
		}, args...)
		over <- err
	}()
	select {
	case <-came:
	case err := <-over:
		m.t.Fatalf("the command ended before %s: %v", at, err)
	}
	return func() error {
		close(further)
		return testwait.Next(m.t, "the end of a command", over)
	}
}

// Two people move an organization at once. The later command has the move. The earlier one ends, wherever it is, and
// neither undoes what the later one does nor does it again.
func TestTwoCommandsMoveAnOrganization(t *testing.T) {
	t.Parallel()
	m := newMover(t, 40)
	m.await("calls", func() bool { return m.dials() >= 5 })
	in := 1
	later := func() {
		t.Helper()
		if said, err := m.move(nil, "--to", "12"[2-in:3-in], "--wait", testwait.Limit.String()); err != nil {
			t.Fatalf("the later command: %v: %s", err, said)
		}
		in = 3 - in
	}
	elsewhere := func(at string, err error) {
		t.Helper()
		if err == nil || !strings.HasPrefix(err.Error(), "Another command") {
			t.Errorf("the earlier command, after %s: %v", at, err)
		}
	}
	// The earlier one gives up after the later one has begun.
	end := m.paused("stopping", "--to", "2", "--wait", "1ms")
	endLater := m.paused("stopping", "--to", "2", "--wait", testwait.Limit.String())
	elsewhere("stopping", end())
	if err := endLater(); err != nil {
		t.Fatalf("the later command: %v", err)
	}
	in = 2
	for _, step := range []string{"closed", "outgoing", "claimed", "copied", "arrived"} {
		end := m.paused(step, "--to", "12"[2-in:3-in], "--wait", testwait.Limit.String())
		later()
		elsewhere(step, end())
		m.checkNothingIsLeft(in)
	}
	// Another one takes it back.
	end = m.paused("copied", "--to", "12"[2-in:3-in], "--wait", testwait.Limit.String())
	if said, err := m.move(nil, "--back"); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	elsewhere("copied", end())
	m.finish(in)
}

// What would keep a move from its end keeps it from its beginning, also if it happens while the command waits for
// calls. The organization then works on where it is.
func TestAMoveDoesNotBeginInVain(t *testing.T) {
	t.Parallel()
	m := newMover(t, 30)
	m.await("calls", func() bool { return m.dials() >= 5 })
	exec := func(in int, sql string) {
		t.Helper()
		if _, err := m.cells[in-1].Pool.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	refused := func(want string, err error) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), want) || !strings.HasSuffix(err.Error(), "works on in cell 1") {
			t.Errorf("%q is not %v", want, err)
		}
		m.checkNothingIsLeft(1)
	}
	to2 := []string{"--to", "2", "--wait", testwait.Limit.String()}

	m.run(0, []string{"cell", "drain", "2"})
	if _, err := m.move(nil, to2...); err == nil || !strings.Contains(err.Error(), "Cell 2 takes no new organization") {
		t.Errorf("a cell that is drained: %v", err)
	}
	m.checkNothingIsLeft(1)
	m.run(0, []string{"cell", "open", "2"})

	// The organization that stays connects a number of the same portfolio.
	end := m.paused("closed", to2...)
	exec(1, `
		insert into messaging_connection (id, organization_id, name, account, credentials, portfolio)
		select gen_random_uuid(), id, 'WhatsApp', id::text, '', 'p' from organization`)
	refused("share a limit with those of Acme", end())
	exec(1, `delete from messaging_connection`)

	// The cell goes away. It is back when the command says so.
	end = m.paused("stopping", to2...)
	m.connections(false)
	exec(1, `select pg_terminate_backend(pid) from pg_stat_activity where datname = (
		select split_part(split_part('`+m.cells[1].URL+`', '/', 4), '?', 1))`)
	err := end()
	m.connections(true)
	refused("cell 2", err)
	if t.Failed() {
		return
	}
	m.finish(1)
}

// The schema of both cells changes while an organization is on its way. The move ends all the same, there or back.
func TestAMoveContinuesAfterAnUpgrade(t *testing.T) {
	t.Parallel()
	m := newMover(t, 30)
	m.await("calls", func() bool { return m.dials() >= 5 })
	upgrade := func(name string) {
		t.Helper()
		for _, db := range m.cells {
			for _, sql := range []string{
				`alter table campaign add column ` + name + ` text not null default 'x'`,
				`create table ` + name + ` (organization_id uuid primary key references organization)`,
			} {
				if _, err := db.Pool.Exec(t.Context(), sql); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	in := 1
	for i, one := range []struct {
		step string
		back bool
	}{{"closed", true}, {"outgoing", true}, {"copied", true}, {"closed", false}, {"outgoing", false}, {"copied", false}} {
		args := []string{"--to", fmt.Sprint(3 - in), "--wait", testwait.Limit.String()}
		if said, err := m.move(func(done string) error {
			if done == one.step {
				return errKilled
			}
			return nil
		}, args...); !errors.Is(err, errKilled) {
			t.Fatalf("%v: %s", err, said)
		}
		upgrade(fmt.Sprint("novelty_", i))
		if one.back {
			args = []string{"--back"}
		} else {
			in = 3 - in
		}
		if said, err := m.move(nil, args...); err != nil {
			t.Fatalf("after %s, back: %t: %v: %s", one.step, one.back, err, said)
		}
		m.checkNothingIsLeft(in)
	}
	m.finish(in)
}
