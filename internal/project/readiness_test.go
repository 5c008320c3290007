package project_test

import (
	"context"
	"slices"
	"testing"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/project"
)

// listing is a carrier that lists these numbers and is asked about others.
type listing struct {
	trusting
	numbers []carrier.Number
	asked   []string
}

func (l *listing) Numbers(context.Context, uuid.UUID) ([]carrier.Number, error) {
	return l.numbers, nil
}

func (l *listing) MayCallFrom(_ context.Context, _ uuid.UUID, number string) (bool, error) {
	l.asked = append(l.asked, number)
	return number == "+13125550103", nil
}

// The check of the phone numbers reads the account's list, and asks only about numbers that it lacks, which may be
// verified.
func TestNumbersAreCheckedByTheAccountsList(t *testing.T) {
	t.Parallel()
	f := setup(t)
	var connection uuid.UUID
	if err := f.db.Pool.QueryRow(t.Context(), `
		with made as (
			insert into connection (id, organization_id, kind, name, account, credentials)
			values (gen_random_uuid(), $1, 'twilio', 'Account', 'AC1', '') returning id)
		insert into phone_number (id, organization_id, connection_id, phone_number, created_at)
		select gen_random_uuid(), $1, id, '+1312555010' || i, clock() + i * interval '1 s'
		from made, generate_series(1, 4) i
		returning connection_id`, f.org()).Scan(&connection); err != nil {
		t.Fatal(err)
	}
	network := &listing{numbers: []carrier.Number{{PhoneNumber: "+13125550102"}, {PhoneNumber: "+13125550101"}}}
	projects := project.New(project.Options{Pool: f.db.Pool, Carriers: network})
	checks, err := projects.CheckReadiness(t.Context(), account.System(f.org()), connection)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(network.asked, []string{"+13125550103", "+13125550104"}) {
		t.Errorf("asked about %v", network.asked)
	}
	for _, c := range checks {
		if want := "the account neither has nor verified +1 312 555 0104"; c.Name == project.CheckNumbers &&
			c.Detail != want {
			t.Errorf("%s, want %s", c.Detail, want)
		}
	}
}
