package project

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/page"
)

// probeNew asks the carrier about each new credential, before it is stored. c is the
// account without credentials. Errors: as of probe.
func (s *Service) probeNew(ctx context.Context, c Credentials, settings ConnectionSettings) error {
	if settings.Token != "" {
		c.Token = settings.Token
		if err := s.probe(ctx, "token", c); err != nil {
			return err
		}
	}
	if settings.APISecret != "" {
		c.APIKey, c.APISecret = settings.APIKey, settings.APISecret
		return s.probe(ctx, "api_secret", c)
	}
	return nil
}

// probe asks the carrier whether it accepts credentials. Errors: Invalid of the field
// when the carrier refuses them, and BadGateway when the carrier gives no answer.
func (s *Service) probe(ctx context.Context, field string, c Credentials) error {
	if c.Kind != Twilio {
		return nil
	}
	err := s.carriers.Check(ctx, c)
	if err == nil {
		return nil
	}
	problem, ok := errors.AsType[*carrier.Error](err)
	switch {
	case !ok:
		return err
	case problem.Kind == carrier.Unusable && problem.Err == nil:
		return fault.Invalidf(field, "%s", problem.Reason)
	}
	return fault.New(fault.BadGateway,
		"The account could not be checked, so nothing was saved: %s. Check that this server can reach Twilio, then "+
			"try again.", problem.Reason)
}

// AccountNumber is a number that an account has at its carrier and that the organization
// has not added.
type AccountNumber struct {
	carrier.Number
	ConnectionID uuid.UUID
	Connection   string // the connection's name
}

// numbersTime is the time limit for asking carriers for numbers, because a person waits.
const numbersTime = 3 * time.Second

// AccountNumbers returns the numbers that an organization's accounts have at their
// carriers and that are not added yet. unread are the names of the connections that gave
// no answer in time.
func (s *Service) AccountNumbers(
	ctx context.Context, organizationID uuid.UUID,
) (numbers []AccountNumber, unread []string, err error) {
	connections, err := s.Connections(ctx, organizationID, page.Request{Limit: page.MaxLimit})
	if err != nil {
		return nil, nil, err
	}
	added, err := s.addedNumbers(ctx, organizationID)
	if err != nil {
		return nil, nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, numbersTime)
	defer cancel()
	found, failed := make([][]carrier.Number, len(connections.Data)), make([]error, len(connections.Data))
	var asking sync.WaitGroup
	for i, c := range connections.Data {
		asking.Go(func() { found[i], failed[i] = s.carriers.Numbers(ctx, c.ID) })
	}
	asking.Wait()
	for i, c := range connections.Data {
		if failed[i] != nil {
			unread = append(unread, c.Name)
		}
		for _, n := range found[i] {
			if !slices.Contains(added, n.PhoneNumber) {
				numbers = append(numbers, AccountNumber{Number: n, ConnectionID: c.ID, Connection: c.Name})
			}
		}
	}
	return numbers, unread, nil
}

// addedNumbers returns the active numbers of an organization.
func (s *Service) addedNumbers(ctx context.Context, organizationID uuid.UUID) ([]string, error) {
	rows, err := s.pool.Query(ctx, `
		select phone_number from phone_number where organization_id = @organization_id and deactivated_at is null`,
		pgx.NamedArgs{"organization_id": organizationID})
	if err != nil {
		return nil, fmt.Errorf("list added numbers: %w", err)
	}
	added, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return nil, fmt.Errorf("list added numbers: %w", err)
	}
	return added, nil
}
