package project_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/project"
)

// owning is a carrier whose accounts have two numbers each: one that is added, and one that is not.
type owning struct {
	trusting
	mu    sync.Mutex
	asked int
}

func (o *owning) Numbers(context.Context, uuid.UUID) ([]carrier.Number, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.asked++
	if o.asked == 1 {
		return nil, errors.New("no answer")
	}
	return []carrier.Number{
		{PhoneNumber: fmt.Sprintf("+1312555%04d", o.asked)}, {PhoneNumber: fmt.Sprintf("+1415555%04d", o.asked)},
	}, nil
}

// Every account is asked, and every number that is added is left out, however many there are.
func TestAccountNumbersOfManyConnections(t *testing.T) {
	t.Parallel()
	f := setup(t)
	const connections = 130
	if _, err := f.db.Pool.Exec(t.Context(), `
		with made as (
			insert into connection (id, organization_id, kind, name, account, credentials)
			select gen_random_uuid(), o, 'twilio', 'Account ' || i, 'AC' || i, ''
			from unnest($1::uuid[]) o, generate_series(1, $2) i
			returning id, organization_id, account)
		insert into phone_number (id, organization_id, connection_id, phone_number)
		select gen_random_uuid(), organization_id, id, '+1312555' || lpad(substr(account, 3), 4, '0') from made
		where organization_id = $3`,
		[]uuid.UUID{f.org(), f.stranger.OrganizationID}, connections, f.org()); err != nil {
		t.Fatal(err)
	}
	network := &owning{}
	projects := project.New(project.Options{Pool: f.db.Pool, Carriers: network})
	numbers, unread, err := projects.AccountNumbers(t.Context(), f.org())
	if err != nil || len(unread) != 1 || network.asked != connections {
		t.Fatalf("%d accounts were asked, %v gave no answer, %v", network.asked, unread, err)
	}
	var offered []string
	of := map[uuid.UUID]bool{}
	for _, n := range numbers {
		offered, of[n.ConnectionID] = append(offered, n.PhoneNumber), true
	}
	slices.Sort(offered)
	var want []string
	for i := 2; i <= connections; i++ {
		want = append(want, fmt.Sprintf("+1415555%04d", i))
	}
	if !slices.Equal(offered, want) || len(of) != connections-1 {
		t.Errorf("%d numbers of %d connections are offered: %v", len(offered), len(of), offered)
	}
}
