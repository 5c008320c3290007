package project

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/english"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/internal/postgres"
)

// CheckName names what is checked before a connection calls real phones.
type CheckName string

const (
	CheckAddress     CheckName = "public_address" // the server's public address is https and is reached
	CheckCredentials CheckName = "credentials"
	CheckAccount     CheckName = "account"   // not a trial, and active
	CheckRelay       CheckName = "relay"     // a line has worked since the last one that failed
	CheckCountries   CheckName = "countries" // no country was refused
	CheckNumbers     CheckName = "numbers"   // the account may call from each phone number
)

// CheckNames are all checks, in the order of their list.
var CheckNames = []CheckName{CheckAddress, CheckCredentials, CheckAccount, CheckRelay, CheckCountries, CheckNumbers}

// CheckState is the result of a check.
type CheckState string

const (
	CheckOK            CheckState = "ok"
	CheckFailed        CheckState = "failed"
	CheckUnknown       CheckState = "unknown"
	CheckNotApplicable CheckState = "not_applicable"
)

// Check is the last result of a check of a connection.
type Check struct {
	Name      CheckName
	State     CheckState
	Detail    string // for people
	CheckedAt time.Time
}

const (
	readinessTime = 20 * time.Second
	mostUnowned   = 3 // numbers that a detail names
)

// Readiness returns the checks of a connection, in the order of CheckNames. It is empty before
// the first CheckReadiness. Errors: NotFound.
func (s *Service) Readiness(ctx context.Context, organizationID, connectionID uuid.UUID) ([]Check, error) {
	if _, err := s.Connection(ctx, organizationID, connectionID); err != nil {
		return nil, err
	}
	rows, err := s.pool.Query(ctx, `
		select name, state, detail, checked_at from connection_check
		where organization_id = $1 and connection_id = $2
		order by array_position($3::text[], name)`, organizationID, connectionID, CheckNames)
	if err != nil {
		return nil, fmt.Errorf("read the checks of connection %s: %w", connectionID, err)
	}
	checks, err := pgx.CollectRows(rows, pgx.RowToStructByName[Check])
	if err != nil {
		return nil, fmt.Errorf("read the checks of connection %s: %w", connectionID, err)
	}
	return checks, nil
}

// CheckReadiness makes every check of an active connection and stores the results. It asks the
// carrier and this server's own public address. Errors: NotFound.
func (s *Service) CheckReadiness(ctx context.Context, actor account.Actor, connectionID uuid.UUID) ([]Check, error) {
	c, err := s.Connection(ctx, actor.OrganizationID, connectionID)
	if err != nil {
		return nil, err
	}
	if c.DeactivatedAt != nil {
		return nil, fault.NotFoundf("Connection")
	}
	asking, cancel := context.WithTimeout(ctx, readinessTime)
	defer cancel()
	results := map[CheckName]Check{
		CheckAddress: checkOf(s.carriers.Reach(asking, c.ID), "this server is reached at its public address"),
		CheckRelay:   relayCheck(c),
	}
	results[CheckCredentials], results[CheckAccount] = s.checkAccount(asking, c)
	if results[CheckCountries], err = s.checkCountries(ctx, c); err != nil {
		return nil, err
	}
	if results[CheckNumbers], err = s.checkNumbers(asking, actor.OrganizationID, c); err != nil {
		return nil, err
	}
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		for _, name := range CheckNames {
			_, err := tx.Exec(ctx, `
				insert into connection_check (connection_id, organization_id, name, state, detail, checked_at)
				values ($1, $2, $3, $4, $5, clock())
				on conflict (connection_id, name) do update
				set state = excluded.state, detail = excluded.detail, checked_at = excluded.checked_at`,
				c.ID, actor.OrganizationID, name, results[name].State, results[name].Detail)
			if err != nil {
				return fmt.Errorf("store a check of connection %s: %w", c.ID, err)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return s.Readiness(ctx, actor.OrganizationID, c.ID)
}

// checkOf is the check of what err says.
func checkOf(err error, fine string) Check {
	if err == nil {
		return Check{State: CheckOK, Detail: fine}
	}
	if e, ok := errors.AsType[*carrier.Error](err); ok {
		state := CheckFailed
		if e.Kind != carrier.Refused && e.Concern == carrier.ConcernNone {
			state = CheckUnknown // no answer, which says nothing
		}
		return Check{State: state, Detail: e.Error()}
	}
	return Check{State: CheckFailed, Detail: err.Error()}
}

func relayCheck(c Connection) Check {
	switch {
	case c.Kind == Sandbox:
		return Check{State: CheckNotApplicable, Detail: "the sandbox has no ConversationRelay to accept"}
	case c.LineFailures > 0:
		return Check{State: CheckFailed, Detail: "the last line to the agent failed: " + deref(c.LastError)}
	case c.RelayProvenAt == nil:
		return Check{State: CheckUnknown, Detail: `no line has worked yet. Use "Call me" on an agent`}
	}
	return Check{State: CheckOK, Detail: "a line to the agent has worked"}
}

func (s *Service) checkAccount(ctx context.Context, c Connection) (credentials, state Check) {
	account, err := s.carriers.State(ctx, c.ID)
	credentials = checkOf(err, "the carrier accepts the credentials")
	switch {
	case err != nil:
		return credentials, Check{State: CheckUnknown, Detail: "the account could not be read"}
	case account.Status != "active":
		return credentials, Check{State: CheckFailed, Detail: "the account is " + account.Status}
	case account.Trial:
		return credentials, Check{State: CheckFailed, Detail: "a trial account calls only verified numbers. Upgrade it"}
	}
	return credentials, Check{State: CheckOK, Detail: "the account is active and not a trial"}
}

func (s *Service) checkCountries(ctx context.Context, c Connection) (Check, error) {
	var refused []string
	err := s.pool.QueryRow(ctx, `
		select coalesce(array_agg(distinct r.country order by r.country), '{}')
		from country_refusal r join campaign on campaign.id = r.campaign_id
		where campaign.connection_id = $1 and campaign.ended_at is null`, c.ID).Scan(&refused)
	if err != nil {
		return Check{}, fmt.Errorf("find the refused countries of connection %s: %w", c.ID, err)
	}
	if len(refused) == 0 {
		return Check{State: CheckOK, Detail: "no call of a campaign was refused because of its country"}, nil
	}
	for i, country := range refused {
		refused[i] = phone.CountryInText(country)
	}
	return Check{State: CheckFailed, Detail: "the account may not call " + english.List(refused)}, nil
}

func (s *Service) checkNumbers(ctx context.Context, organizationID uuid.UUID, c Connection) (Check, error) {
	rows, err := s.pool.Query(ctx, `
		select phone_number from phone_number
		where organization_id = $1 and connection_id = $2 and voice and deactivated_at is null
		order by created_at`, organizationID, c.ID)
	if err != nil {
		return Check{}, fmt.Errorf("list the numbers of connection %s: %w", c.ID, err)
	}
	numbers, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return Check{}, fmt.Errorf("list the numbers of connection %s: %w", c.ID, err)
	}
	if len(numbers) == 0 {
		return Check{State: CheckUnknown, Detail: "the connection has no phone number yet"}, nil
	}
	var unowned []string
	for _, n := range numbers {
		may, err := s.carriers.MayCallFrom(ctx, c.ID, n)
		if err != nil {
			return checkOf(err, ""), nil //nolint:nilerr // it is the result of the check
		}
		if !may {
			unowned = append(unowned, phone.Format(phone.Number(n)))
		}
	}
	if len(unowned) == 0 {
		return Check{State: CheckOK, Detail: "the account may call from each phone number"}, nil
	}
	return Check{
		State: CheckFailed,
		Detail: "the account neither has nor verified " +
			strings.TrimSpace(enumerate(unowned[:min(len(unowned), mostUnowned)], len(unowned))),
	}, nil
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
