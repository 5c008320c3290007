package project

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/postgres"
)

// probeNew asks the carrier about each new credential before it is stored. c is the account without
// credentials. Errors: those of probe.
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

const (
	// numbersTime is the time limit for asking carriers for numbers, because a person waits.
	numbersTime = 3 * time.Second

	numbersAtOnce = 20 // carriers asked at the same time
)

// AccountNumbers returns the numbers that an organization's accounts have at their
// carriers and that are not added yet. unread are the names of the connections that gave
// no answer in time.
func (s *Service) AccountNumbers(
	ctx context.Context, organizationID uuid.UUID,
) (numbers []AccountNumber, unread []string, err error) {
	connections, err := s.ActiveConnections(ctx, organizationID)
	if err != nil {
		return nil, nil, err
	}
	added, err := s.addedNumbers(ctx, organizationID)
	if err != nil {
		return nil, nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, numbersTime)
	defer cancel()
	found, failed := make([][]carrier.Number, len(connections)), make([]error, len(connections))
	var asking errgroup.Group
	asking.SetLimit(numbersAtOnce)
	for i, c := range connections {
		asking.Go(func() error {
			found[i], failed[i] = s.carriers.Numbers(ctx, c.ID)
			return nil
		})
	}
	_ = asking.Wait() // the errors are in failed
	for i, c := range connections {
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

// ActiveConnections returns all active connections of an organization, newest first.
func (s *Service) ActiveConnections(ctx context.Context, organizationID uuid.UUID) ([]Connection, error) {
	connections, err := postgres.Collect(ctx, s.pool, pgx.RowToStructByName[Connection], `
		select `+connectionColumns+` from connection
		where organization_id = @organization_id and deactivated_at is null
		order by created_at desc, id desc`, pgx.NamedArgs{"organization_id": organizationID})
	if err != nil {
		return nil, fmt.Errorf("list active connections: %w", err)
	}
	return connections, nil
}

// addedNumbers returns the active numbers of an organization.
func (s *Service) addedNumbers(ctx context.Context, organizationID uuid.UUID) ([]string, error) {
	added, err := postgres.Collect(ctx, s.pool, pgx.RowTo[string], `
		select phone_number from phone_number where organization_id = @organization_id and deactivated_at is null`,
		pgx.NamedArgs{"organization_id": organizationID})
	if err != nil {
		return nil, fmt.Errorf("list added numbers: %w", err)
	}
	return added, nil
}
