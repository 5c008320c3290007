package project

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/postgres"
)

// RefusedRest is how long a number of a pool rests after MostCallerRefusals. Its next call shows
// whether the carrier accepts it again.
const RefusedRest = time.Hour

// This many failures in a row pause campaigns. A campaign that is started or resumed afterwards
// resets the count and probes: it places one call at a time until one works. So a recipient list
// loses at most this many calls to one cause.
const (
	MostErrors         = 20 // requests that a connection is to blame for
	MostLineFailures   = 5  // calls whose line failed: fewer, because a person answered each of them
	MostCallerRefusals = 5  // calls that the carrier refused because of the calling number
)

// Probing is what must happen before a connection places more than one call at a time. It is
// empty for a connection that works.
type Probing string

const (
	ProbingCalls Probing = "call" // an accepted call
	ProbingLines Probing = "line" // a line that works
)

// Failures counts the failures of a connection since its last success.
type Failures struct {
	ConsecutiveErrors int // failed requests since the last successful request
	LineFailures      int // calls whose line failed since the last line that worked
	Probing           Probing
	LastError         *string
	LastErrorAt       *time.Time
}

// FailureColumns are the columns of Failures.
const FailureColumns = `consecutive_errors, line_failures, coalesce(probing, '') as probing, last_error, last_error_at`

// Failing reports whether so many calls in a row failed that campaigns pause, or nothing has worked since a person or a
// campaign tried again. IsFailing is the same in SQL.
func (f Failures) Failing() bool {
	return f.ConsecutiveErrors >= MostErrors || f.LineFailures >= MostLineFailures || f.Probing != ""
}

// IsFailing is the SQL condition that a connection is Failing.
var IsFailing = fmt.Sprintf(`(consecutive_errors >= %d or line_failures >= %d or probing is not null)`,
	MostErrors, MostLineFailures)

// Failed reports whether there was a failure since the last success. A single one may be of one call only.
func (f Failures) Failed() bool {
	return f.ConsecutiveErrors > 0 || f.LineFailures > 0 || f.Probing != ""
}

// Problem describes the failures that pause campaigns, for people. It is empty while campaigns
// may call.
func (f Failures) Problem(connection string) string {
	if f.ConsecutiveErrors < MostErrors && f.LineFailures < MostLineFailures {
		return ""
	}
	return f.because(f.Summary() + " through the connection " + connection)
}

// Summary says which calls failed, for people, without the reason.
func (f Failures) Summary() string {
	switch {
	case f.ConsecutiveErrors >= MostErrors, f.ConsecutiveErrors > 1 && f.LineFailures < MostLineFailures:
		return fmt.Sprintf("%d calls in a row could not be placed", f.ConsecutiveErrors)
	case f.LineFailures > 1:
		return fmt.Sprintf("%d calls in a row had no working line to the agent", f.LineFailures)
	case f.ConsecutiveErrors == 1:
		return "The last call could not be placed"
	case f.LineFailures == 1:
		return "The last answered call had no working line to the agent"
	}
	return "No call has worked since the last failure"
}

// Text is the summary with the reason of the last failure.
func (f Failures) Text() string { return f.because(f.Summary()) }

func (f Failures) because(text string) string {
	if f.LastError != nil && *f.LastError != "" {
		text += ": " + *f.LastError
	}
	return text
}

// RefusedCaller is a calling number that the carrier refused.
type RefusedCaller struct {
	CallerRefusals int    // in a row
	CallerProbing  bool   // one call at a time, until the carrier accepts one
	CallerReason   string // the carrier's words for the last refusal
}

// CallerRefusalColumns are the columns of RefusedCaller, from caller_refusal f.
const CallerRefusalColumns = `coalesce(f.times, 0) as caller_refusals, coalesce(f.probing, false) as caller_probing,
	coalesce(f.reason, '') as caller_reason`

// update runs a statement about one row, whose ID is $1. what names the change in the error.
func update(ctx context.Context, db postgres.DB, what string, id uuid.UUID, sql string, args ...any) error {
	if _, err := db.Exec(ctx, sql, append([]any{id}, args...)...); err != nil {
		return fmt.Errorf("%s %s: %w", what, id, err)
	}
	return nil
}

// CountFailure counts a request that failed because of its connection. The checks of the connection
// are due, because they may no longer be right.
func CountFailure(ctx context.Context, db postgres.DB, connectionID uuid.UUID, why string) error {
	return update(ctx, db, "count a failure of connection", connectionID, `
		update connection
		set consecutive_errors = consecutive_errors + 1, last_error = $2, last_error_at = clock(),
		    check_due_at = case when check_due_at > clock() then clock() else check_due_at end
		where id = $1`, why)
}

// ClearFailures resets the count of a connection's failed requests after a successful request.
func ClearFailures(ctx context.Context, db postgres.DB, connectionID uuid.UUID) error {
	return update(ctx, db, "clear the failures of connection", connectionID, `
		update connection set consecutive_errors = 0, probing = nullif(probing, 'call')
		where id = $1 and (consecutive_errors > 0 or probing = 'call')`)
}

// CountLineFailure counts a call whose line failed, or whose callbacks did not arrive. The carrier
// accepted that call, so an accepted request does not reset this count. A failed line also counts
// for its campaign, because an agent whose voice the carrier can't speak fails while other campaigns
// of the connection work. campaignID may be nil.
func CountLineFailure(
	ctx context.Context, db postgres.DB, connectionID uuid.UUID, campaignID *uuid.UUID, why string,
) error {
	err := update(ctx, db, "count a failed line of connection", connectionID, `
		update connection
		set line_failures = line_failures + 1, relay_proven_at = null, last_error = $2, last_error_at = clock()
		where id = $1`, why)
	if err != nil || campaignID == nil {
		return err
	}
	return update(ctx, db, "count a failed line of campaign", *campaignID, `
		insert into line_failure as f (campaign_id, organization_id, times, reason, last_at)
		select id, organization_id, 1, $2, clock() from campaign where id = $1
		on conflict (campaign_id) do update
		set times = f.times + 1, reason = excluded.reason, last_at = excluded.last_at`, why)
}

// ClearLineFailures resets the counts of failed lines of a connection and a campaign after a line
// has worked. campaignID may be nil.
func ClearLineFailures(ctx context.Context, db postgres.DB, connectionID uuid.UUID, campaignID *uuid.UUID) error {
	err := update(ctx, db, "clear the failed lines of connection", connectionID, `
		update connection set line_failures = 0, probing = null, relay_proven_at = coalesce(relay_proven_at, clock())
		where id = $1 and (line_failures > 0 or probing is not null or relay_proven_at is null)`)
	if err != nil || campaignID == nil {
		return err
	}
	return update(ctx, db, "clear the failed lines of campaign", *campaignID,
		`delete from line_failure where campaign_id = $1`)
}

// CountCallerRefusal counts a call that the carrier refused because of the calling number.
func CountCallerRefusal(ctx context.Context, db postgres.DB, phoneNumberID uuid.UUID, why string) error {
	return update(ctx, db, "count a refusal of phone number", phoneNumberID, `
		insert into caller_refusal as f (phone_number_id, organization_id, times, reason, last_at)
		select id, organization_id, 1, $2, clock() from phone_number where id = $1
		on conflict (phone_number_id) do update
		set times = f.times + 1, reason = excluded.reason, last_at = excluded.last_at`, why)
}

// ClearCallerRefusals resets the count of refusals of a calling number after the carrier accepted a
// call from it.
func ClearCallerRefusals(ctx context.Context, db postgres.DB, phoneNumberID uuid.UUID) error {
	return update(ctx, db, "clear the refusals of phone number", phoneNumberID,
		`delete from caller_refusal where phone_number_id = $1`)
}

// TryAgain resets the counts of failures that have reached their limits: those of a connection, of
// phone numbers and of a campaign. All of these then probe. campaignID may be nil.
func TryAgain(
	ctx context.Context, tx pgx.Tx, connectionID uuid.UUID, phoneNumberIDs []uuid.UUID, campaignID *uuid.UUID,
) error {
	if err := retryConnection(ctx, tx, connectionID, MostErrors, MostLineFailures); err != nil {
		return err
	}
	slices.SortFunc(phoneNumberIDs, func(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) })
	for _, id := range phoneNumberIDs {
		if err := retryCaller(ctx, tx, id, MostCallerRefusals); err != nil {
			return err
		}
	}
	if campaignID == nil {
		return nil
	}
	return update(ctx, tx, "try the lines again of campaign", *campaignID, `
		update line_failure set times = 0, probing = true where campaign_id = $1 and times >= $2`, MostLineFailures)
}

func retryConnection(ctx context.Context, tx pgx.Tx, id uuid.UUID, mostErrors, mostLineFailures int) error {
	return update(ctx, tx, "try again connection", id, `
		update connection
		set probing = case when line_failures >= $3 then 'line' else coalesce(probing, 'call') end,
		    consecutive_errors = 0, line_failures = 0
		where id = $1 and (consecutive_errors >= $2 or line_failures >= $3)`, mostErrors, mostLineFailures)
}

func retryCaller(ctx context.Context, tx pgx.Tx, id uuid.UUID, most int) error {
	return update(ctx, tx, "try again phone number", id, `
		update caller_refusal set times = 0, probing = true where phone_number_id = $1 and times >= $2`, most)
}

// RetryConnection resets the counts of failures of an active connection. Its next calls
// are placed one at a time until one works. Errors: NotFound.
func (s *Service) RetryConnection(ctx context.Context, actor account.Actor, id uuid.UUID) error {
	return postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		c, err := oneConnection(ctx, tx, `
			select `+connectionColumns+` from connection
			where organization_id = @organization_id and id = @id and deactivated_at is null
			for no key update`, pgx.NamedArgs{"organization_id": actor.OrganizationID, "id": id})
		if err != nil {
			return err
		}
		if err := retryConnection(ctx, tx, id, 1, 1); err != nil {
			return err
		}
		return account.Record(ctx, tx, actor, "connection.retried", account.Object{
			Type: "connection", ID: id,
		}, map[string]any{"name": c.Name})
	})
}

// RetryPhoneNumber resets the count of refusals of an active phone number. Calls from it
// are placed one at a time until the carrier accepts one. Errors: NotFound.
func (s *Service) RetryPhoneNumber(ctx context.Context, actor account.Actor, id uuid.UUID) error {
	return postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		n, err := lockNumber(ctx, tx, pgx.NamedArgs{"organization_id": actor.OrganizationID, "id": id})
		if err != nil {
			return err
		}
		if err := retryCaller(ctx, tx, id, 1); err != nil {
			return err
		}
		return account.Record(ctx, tx, actor, "phone_number.retried", account.Object{
			Type: "phone_number", ID: id,
		}, map[string]any{"phone_number": n.PhoneNumber})
	})
}

// EndRest ends the rest of an active phone number, also a rest after refusals. Calls from before a
// rest do not count for the next one. Errors: NotFound.
func (s *Service) EndRest(ctx context.Context, actor account.Actor, id uuid.UUID) error {
	args := pgx.NamedArgs{"organization_id": actor.OrganizationID, "id": id}
	err := postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		n, err := lockNumber(ctx, tx, args)
		if err != nil {
			return err
		}
		if err := update(ctx, tx, "end the rest of phone number", id, `
			update phone_number set rest_until = null where id = $1`); err != nil {
			return err
		}
		if err := retryCaller(ctx, tx, id, MostCallerRefusals); err != nil {
			return err
		}
		return account.Record(ctx, tx, actor, "phone_number.rest_ended", account.Object{
			Type: "phone_number", ID: id,
		}, map[string]any{"phone_number": n.PhoneNumber})
	})
	if err != nil {
		return err
	}
	return s.onRateChanged(ctx, actor.OrganizationID)
}

// Trouble contains the reasons why calls from a phone number may fail now.
type Trouble struct {
	Connection string // why its connection fails, for people; empty: it works
	Number     string // why the carrier refuses the number, for people; empty: it does not
}

// Text returns one reason. That of the connection comes first, because it concerns every number.
func (t Trouble) Text() string {
	if t.Connection != "" {
		return t.Connection
	}
	if t.Number != "" {
		return "The carrier refuses the number: " + t.Number
	}
	return ""
}

// Troubles returns the active phone numbers of an organization from which calls may fail now.
func (s *Service) Troubles(ctx context.Context, organizationID uuid.UUID) (map[uuid.UUID]Trouble, error) {
	rows, err := s.pool.Query(ctx, `
		select n.id,
		       c.consecutive_errors, c.line_failures, coalesce(c.probing, ''), c.last_error, c.last_error_at,
		       coalesce(f.reason, '')
		from phone_number n
		join (select *, `+IsFailing+` as is_failing from connection) c
			on c.organization_id = n.organization_id and c.id = n.connection_id
		left join caller_refusal f on f.phone_number_id = n.id
		where n.organization_id = $1 and n.deactivated_at is null
		  and (c.is_failing or f.reason is not null)`, organizationID)
	if err != nil {
		return nil, fmt.Errorf("find the phone numbers whose calls fail: %w", err)
	}
	troubles := map[uuid.UUID]Trouble{}
	var id uuid.UUID
	var f Failures
	var refused string
	_, err = pgx.ForEachRow(rows, []any{
		&id, &f.ConsecutiveErrors, &f.LineFailures, &f.Probing, &f.LastError, &f.LastErrorAt, &refused,
	}, func() error {
		t := Trouble{Number: refused}
		if f.Failing() {
			t.Connection = f.Text()
		}
		troubles[id] = t
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("find the phone numbers whose calls fail: %w", err)
	}
	return troubles, nil
}
