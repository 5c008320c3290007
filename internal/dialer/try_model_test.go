package dialer

import (
	"errors"
	"sync"
	"testing"

	"github.com/dialwright/dialwright/internal/model/connection"
	"github.com/dialwright/dialwright/internal/postgres"
)

// Two processes start no more calls by hand than the daily limit of models has room for.
func TestTryKeepsTheModelDay(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.withModel(t, 100)
	b.exec(t, `update agent a set script = v.script from agent_version v where v.id = a.published_version_id`)
	if err := b.calling.SetModelDay(t.Context(), b.actor, ModelDay{Tokens: new(2 * unknownCallTokens)}); err != nil {
		t.Fatal(err)
	}
	other := New(Options{Pool: b.Pool, Hub: postgres.LocalHub(), Calls: b.calls})
	placed := make(chan error, 6)
	var all sync.WaitGroup
	for i, to := range []string{
		"+13122000000", "+13122000001", "+13122000002", "+13122000003", "+13122000004", "+13122000005",
	} {
		service := []*Service{b.calling, other}[i%2]
		all.Go(func() {
			_, err := service.Try(t.Context(), b.actor, Try{
				AgentID: b.agent, PhoneNumberID: b.number, ProjectID: b.project, ToNumber: to,
			})
			placed <- err
		})
	}
	all.Wait()
	close(placed)
	refused := 0
	for err := range placed {
		switch {
		case errors.Is(err, connection.ErrDay):
			refused++
		case err != nil:
			t.Error(err)
		}
	}
	if n := value[int](t, b, `select count(*)::int from call`); n != 2 || refused != 4 {
		t.Errorf("%d calls were placed and %d refused, want 2 and 4", n, refused)
	}
}
