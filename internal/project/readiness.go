package project

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
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
	CheckPace        CheckName = "pace"      // information: how fast calls start
)

// CheckNames are all checks, in the order of their list.
var CheckNames = []CheckName{CheckAddress, CheckCredentials, CheckAccount, CheckRelay, CheckCountries, CheckNumbers,
	CheckPace}

// Label is the check's name for people.
func (n CheckName) Label() string {
	switch n {
	case CheckAddress:
		return "Public address"
	case CheckCredentials:
		return "Credentials"
	case CheckAccount:
		return "Account"
	case CheckRelay:
		return "ConversationRelay"
	case CheckCountries:
		return "Countries"
	case CheckNumbers:
		return "Phone numbers"
	case CheckPace:
		return "Calls per second"
	}
	return string(n)
}

// CheckState is the result of a check.
type CheckState string

const (
	CheckOK            CheckState = "ok"
	CheckFailed        CheckState = "failed"
	CheckUnknown       CheckState = "unknown"
	CheckNotApplicable CheckState = "not_applicable"
	CheckInformation   CheckState = "information" // not a check: the detail only informs
)

// Check is the last result of a check of a connection.
type Check struct {
	Name      CheckName
	State     CheckState
	Detail    string // for people
	CheckedAt time.Time

	numberIDs []uuid.UUID // the phone numbers that the check concerns; none: all of the connection
}

// Label names the check with what was found: "Account: the account is suspended".
func (c Check) Label() string { return c.Name.Label() + ": " + c.Detail }

// concerns reports whether the check concerns one of the numbers. No numbers stand for all of the connection.
func (c Check) concerns(numbers []uuid.UUID) bool {
	return len(numbers) == 0 || len(c.numberIDs) == 0 ||
		slices.ContainsFunc(numbers, func(id uuid.UUID) bool { return slices.Contains(c.numberIDs, id) })
}

// blocks reports whether no campaign starts on a connection because of the check.
func (c Check) blocks(on Connection) bool {
	// A check without an answer has found no fault, so it blocks nothing. But if no line has ever
	// worked, the account may be unable to have one, and every call would fail. After "Try again",
	// calls start one at a time instead.
	return c.State == CheckFailed || c.Name == CheckRelay && c.State == CheckUnknown && on.Probing == ""
}

// FailedChecks is SQL that names the failed checks of connection c with what was found, in one text, or null. Countries
// count while a campaign leaves them out. One line that failed may be of one call only, so it counts if none has worked
// for ten minutes.
var FailedChecks = `
	select string_agg(n.label || ': ' || k.detail, '. ' order by n.nth) as text
	from connection_check k
	join (values ` + checkLabels() + `) n (nth, name, label) on n.name = k.name
	where k.connection_id = c.id and c.kind <> '` + string(Sandbox) + `' and k.state = '` + string(CheckFailed) + `'
	  and case k.name
	      when '` + string(CheckRelay) + `'
	      then c.line_failures > 0 and c.last_error_at <= (select clock()) - interval '10 minutes'
	      when '` + string(CheckCountries) + `'
	      then exists (
	        select from country_refusal r join campaign g on g.id = r.campaign_id
	        where g.connection_id = c.id and g.status = 'running' and r.applied_at is not null)
	      else true end`

// checkLabels are the checks in their order, as rows of SQL.
func checkLabels() string {
	rows := make([]string, len(CheckNames))
	for i, name := range CheckNames {
		rows[i] = fmt.Sprintf("(%d, '%s', '%s')", i, name, name.Label())
	}
	return strings.Join(rows, ", ")
}

const (
	readinessTime = 20 * time.Second
	mostUnowned   = 3 // how many refused numbers the detail of a check names
)

// Readiness returns the checks of a connection, in the order of CheckNames. It is empty before
// the first CheckReadiness. Errors: NotFound.
func (s *Service) Readiness(ctx context.Context, organizationID, connectionID uuid.UUID) ([]Check, error) {
	_, checks, err := readiness(ctx, s.pool, organizationID, connectionID)
	return checks, err
}

// readiness reads a connection and its checks.
func readiness(
	ctx context.Context, db postgres.DB, organizationID, connectionID uuid.UUID,
) (Connection, []Check, error) {
	c, err := connectionIn(ctx, db, organizationID, connectionID)
	if err != nil {
		return c, nil, err
	}
	checks, err := checksOf(ctx, db, organizationID, c)
	return c, checks[c.ID], err
}

// checksOf reads the checks of connections. It computes again, instead of reading, the checks that
// need only the database, so that they are never old. A connection that was not checked yet has none.
func checksOf(
	ctx context.Context, db postgres.DB, organizationID uuid.UUID, list ...Connection,
) (map[uuid.UUID][]Check, error) {
	ids := make([]uuid.UUID, len(list))
	for i, c := range list {
		ids[i] = c.ID
	}
	rows, err := db.Query(ctx, `
		select connection_id, name, state, detail, checked_at, phone_number_ids from connection_check
		where organization_id = $1 and connection_id = any($2)
		order by array_position($3::text[], name)`, organizationID, ids, CheckNames)
	if err != nil {
		return nil, fmt.Errorf("read the checks of connections: %w", err)
	}
	found := map[uuid.UUID][]Check{}
	var id uuid.UUID
	var stored Check
	columns := []any{
		&id, &stored.Name, &stored.State, &stored.Detail, &stored.CheckedAt, &stored.numberIDs,
	}
	_, err = pgx.ForEachRow(rows, columns, func() error {
		found[id] = append(found[id], stored)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read the checks of connections: %w", err)
	}
	if len(found) == 0 {
		return found, nil
	}
	refused, err := refusedCountries(ctx, db, ids...)
	if err != nil {
		return nil, err
	}
	added, err := postgres.Collect(ctx, db, pgx.RowTo[uuid.UUID], `
		select distinct n.connection_id from phone_number n
		join connection_check k on k.connection_id = n.connection_id and k.name = @numbers
		where n.organization_id = @organization_id and n.connection_id = any(@ids) and n.voice
		  and n.deactivated_at is null and n.created_at >= k.checked_at`, pgx.NamedArgs{
		"organization_id": organizationID, "ids": ids, "numbers": CheckNumbers,
	})
	if err != nil {
		return nil, fmt.Errorf("find the numbers that were added after the checks of connections: %w", err)
	}
	for _, c := range list {
		checks := found[c.ID]
		if len(checks) == 0 {
			continue
		}
		for i, old := range checks {
			now := old
			switch old.Name {
			case CheckRelay:
				now = relayCheck(c)
			case CheckCountries:
				now = countriesCheck(refused[c.ID])
			case CheckNumbers:
				if old.State != CheckFailed && slices.Contains(added, c.ID) {
					now = Check{State: CheckUnknown, Detail: "a phone number was added after this check"}
				}
			case CheckCredentials, CheckAccount:
				if old.State == CheckOK && c.failedAfter(old.CheckedAt) {
					now = Check{State: CheckUnknown, Detail: "a call failed after this check: " + deref(c.LastError)}
				}
			}
			now.Name, now.CheckedAt = old.Name, old.CheckedAt
			checks[i] = now
		}
		pace := paceCheck(c)
		pace.Name, pace.CheckedAt = CheckPace, checks[0].CheckedAt
		found[c.ID] = append(checks, pace)
	}
	return found, nil
}

// failedAfter reports whether a request failed after a time, and none has succeeded since.
func (f Failures) failedAfter(at time.Time) bool {
	return (f.ConsecutiveErrors > 0 || f.Probing == ProbingCalls) && f.LastErrorAt != nil && f.LastErrorAt.After(at)
}

// Unready returns the checks of a connection that keep campaigns from starting that call from the
// given numbers, or from any number if none is given. For a connection that was never checked it
// returns one check that says so, and for the sandbox it returns none. Errors: NotFound.
func Unready(
	ctx context.Context, db postgres.DB, organizationID, connectionID uuid.UUID, numbers ...uuid.UUID,
) (Connection, []Check, error) {
	c, checks, err := readiness(ctx, db, organizationID, connectionID)
	if err != nil {
		return c, nil, err
	}
	return c, concerning(numbers, c.blocking(checks)), nil
}

// UnreadyOf is Unready of many connections, by their IDs.
func (s *Service) UnreadyOf(
	ctx context.Context, organizationID uuid.UUID, list []Connection,
) (map[uuid.UUID][]Check, error) {
	found, err := checksOf(ctx, s.pool, organizationID, list...)
	if err != nil {
		return nil, err
	}
	for _, c := range list {
		found[c.ID] = c.blocking(found[c.ID])
	}
	return found, nil
}

// concerning returns those of the checks that concern one of the numbers.
func concerning(numbers []uuid.UUID, checks []Check) []Check {
	return slices.DeleteFunc(checks, func(check Check) bool { return !check.concerns(numbers) })
}

// blocking returns those of the connection's checks that keep campaigns from starting.
func (c Connection) blocking(checks []Check) []Check {
	switch {
	case c.Kind == Sandbox:
		return nil
	case len(checks) == 0:
		return []Check{{Name: CheckAddress, State: CheckUnknown, Detail: "the connection was not checked yet"}}
	}
	return slices.DeleteFunc(checks, func(check Check) bool { return !check.blocks(c) })
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
	refused, err := refusedCountries(ctx, s.pool, c.ID)
	if err != nil {
		return nil, err
	}
	results[CheckCountries] = countriesCheck(refused[c.ID])
	if results[CheckNumbers], err = s.checkNumbers(asking, actor.OrganizationID, c); err != nil {
		return nil, err
	}
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		green := true
		for _, name := range CheckNames {
			result, stored := results[name]
			if !stored {
				continue
			}
			green = green && (result.State == CheckOK || result.State == CheckNotApplicable)
			_, err := tx.Exec(ctx, `
				insert into connection_check (connection_id, organization_id, name, state, detail, checked_at,
					phone_number_ids)
				values ($1, $2, $3, $4, $5, clock(), $6)
				on conflict (connection_id, name) do update
				set state = excluded.state, detail = excluded.detail, checked_at = excluded.checked_at,
				    phone_number_ids = excluded.phone_number_ids`,
				c.ID, actor.OrganizationID, name, result.State, result.Detail, result.numberIDs)
			if err != nil {
				return fmt.Errorf("store a check of connection %s: %w", c.ID, err)
			}
		}
		return checkAgain(ctx, tx, c, green)
	})
	if err != nil {
		return nil, err
	}
	return s.Readiness(ctx, actor.OrganizationID, c.ID)
}

// checkOf returns the check for the error of a request. fine is the detail if err is nil.
func checkOf(err error, fine string) Check {
	if err == nil {
		return Check{State: CheckOK, Detail: fine}
	}
	if e, ok := errors.AsType[*carrier.Error](err); ok {
		state := CheckFailed
		if e.Kind != carrier.Refused && e.Concern == carrier.ConcernNone {
			state = CheckUnknown // the carrier did not answer, so nothing is known
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
	case c.RelayProvenAt == nil && c.Probing != "":
		return Check{State: CheckUnknown, Detail: "no line has worked since somebody tried again. " +
			"Calls start one at a time until one works"}
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

// refusedCountries returns the countries that running campaigns leave out, by connection.
func refusedCountries(ctx context.Context, db postgres.DB, ids ...uuid.UUID) (map[uuid.UUID][]string, error) {
	rows, err := db.Query(ctx, `
		select distinct campaign.connection_id, r.country
		from country_refusal r join campaign on campaign.id = r.campaign_id
		where campaign.connection_id = any($1) and campaign.status = 'running' and r.applied_at is not null
		order by r.country`, ids)
	if err != nil {
		return nil, fmt.Errorf("find the refused countries of connections: %w", err)
	}
	refused := map[uuid.UUID][]string{}
	var id uuid.UUID
	var country string
	_, err = pgx.ForEachRow(rows, []any{&id, &country}, func() error {
		refused[id] = append(refused[id], phone.CountryInText(country))
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("find the refused countries of connections: %w", err)
	}
	return refused, nil
}

func countriesCheck(refused []string) Check {
	if len(refused) == 0 {
		return Check{
			State: CheckOK, Detail: "no running campaign has calls refused because of their country",
		}
	}
	return Check{State: CheckFailed, Detail: "the account may not call " + english.List(refused)}
}

// paceCheck says how fast calls start. It can't check this, because Twilio's API does not report
// how many calls per second an account may start. Twilio queues the calls above that pace.
func paceCheck(c Connection) Check {
	switch {
	case c.CallsPerSecond == nil:
		return Check{State: CheckInformation, Detail: "the connection has no limit of its own"}
	case *c.CallsPerSecond == 1:
		return Check{State: CheckInformation, Detail: "1, Twilio's default. " +
			"To raise it, ask Twilio first, then change it here"}
	}
	return Check{State: CheckInformation, Detail: strconv.FormatFloat(*c.CallsPerSecond, 'f', -1, 64) +
		". The account must be allowed as many: Twilio's default is 1"}
}

func (s *Service) checkNumbers(ctx context.Context, organizationID uuid.UUID, c Connection) (Check, error) {
	type number struct {
		ID          uuid.UUID
		PhoneNumber string
	}
	numbers, err := postgres.Collect(ctx, s.pool, pgx.RowToStructByName[number], `
		select id, phone_number from phone_number
		where organization_id = $1 and connection_id = $2 and voice and deactivated_at is null
		order by created_at`, organizationID, c.ID)
	if err != nil {
		return Check{}, fmt.Errorf("list the numbers of connection %s: %w", c.ID, err)
	}
	if len(numbers) == 0 {
		return Check{State: CheckUnknown, Detail: "the connection has no phone number yet"}, nil
	}
	owned, err := s.carriers.Numbers(ctx, c.ID)
	if err != nil {
		return checkOf(err, ""), nil //nolint:nilerr // it is the result of the check
	}
	var unowned []string
	var ids []uuid.UUID
	for _, n := range numbers {
		if slices.ContainsFunc(owned, func(o carrier.Number) bool { return o.PhoneNumber == n.PhoneNumber }) {
			continue
		}
		// The number may be verified, or beyond the end of a long list.
		may, err := s.carriers.MayCallFrom(ctx, c.ID, n.PhoneNumber)
		if err != nil {
			return checkOf(err, ""), nil //nolint:nilerr // it is the result of the check
		}
		if !may {
			unowned = append(unowned, phone.Format(phone.Number(n.PhoneNumber)))
			ids = append(ids, n.ID)
		}
	}
	if len(unowned) == 0 {
		return Check{State: CheckOK, Detail: "the account may call from each phone number"}, nil
	}
	return Check{
		State: CheckFailed,
		Detail: "the account neither has nor verified " +
			enumerate(unowned[:min(len(unowned), mostUnowned)], len(unowned)),
		numberIDs: ids,
	}, nil
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
