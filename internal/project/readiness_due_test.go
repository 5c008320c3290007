package project_test

import (
	"context"
	"slices"
	"sync"
	"testing"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/project"
)

// reaching counts how often each connection is checked. A check waits until going is closed.
type reaching struct {
	trusting
	begun chan struct{} // has one value per check that began
	going chan struct{}

	mu     sync.Mutex
	checks map[uuid.UUID]int
}

func (r *reaching) Reach(_ context.Context, id uuid.UUID) error {
	r.mu.Lock()
	r.checks[id]++
	r.mu.Unlock()
	r.begun <- struct{}{}
	<-r.going
	return nil
}

// Two processes that claim connections at the same moment, and one that claims while the checks of another last, share
// the connections that are due. Each is checked once.
func TestConnectionsAreCheckedByOneProcess(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.db.StopClock() // no lease ends on a slow machine
	const connections, atOnce = 24, 8
	if _, err := f.db.Pool.Exec(t.Context(), `
		insert into connection (id, organization_id, kind, name, account, credentials, check_due_at)
		select gen_random_uuid(), $1, 'twilio', 'Account ' || i, 'AC' || i, '', clock() - i * interval '1 s'
		from generate_series(1, $2) i`, f.org(), connections); err != nil {
		t.Fatal(err)
	}
	network := &reaching{
		begun: make(chan struct{}, 10*connections), going: make(chan struct{}), checks: map[uuid.UUID]int{},
	}
	process := func() *project.Service {
		pool, err := postgres.Open(context.Background(), postgres.Options{URL: f.db.URL, MaxConns: 4})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(pool.Close)
		return project.New(project.Options{Pool: pool, Carriers: network})
	}
	first, second := process(), process()

	// The table's lock lets both claims begin at the same moment.
	tx, err := f.db.Pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Exec(t.Context(), `lock table connection in share mode`); err != nil {
		t.Fatal(err)
	}
	var rounds sync.WaitGroup
	due := make(chan int, 3)
	round := func(s *project.Service) {
		rounds.Go(func() {
			n, err := s.CheckDue(t.Context())
			if err != nil {
				t.Error(err)
			}
			due <- n
		})
	}
	round(first)
	round(second)
	f.db.AwaitLockWaits(t, 2)
	if err := tx.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range 2 * atOnce {
		<-network.begun
	}
	round(process()) // while the others check
	for range atOnce {
		<-network.begun
	}
	close(network.going)
	rounds.Wait()

	if n := []int{<-due, <-due, <-due}; !slices.Equal(n, []int{atOnce, atOnce, atOnce}) {
		t.Errorf("claimed %d", n)
	}
	if len(network.checks) != connections {
		t.Errorf("%d connections were checked", len(network.checks))
	}
	for id, n := range network.checks {
		if n != 1 {
			t.Errorf("connection %s was checked %d times", id, n)
		}
	}
	if n, err := second.CheckDue(t.Context()); n != 0 || err != nil {
		t.Errorf("%d are due again: %v", n, err)
	}
}
