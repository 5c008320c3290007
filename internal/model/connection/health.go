package connection

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/model"
	"github.com/dialwright/dialwright/internal/postgres"
)

const (
	// MostFailures is how many requests in a row fail before a connection counts as failing. In SQL:
	// model_connection.failures >= 5, with the reason in last_error.
	MostFailures = 5

	// successGap is the shortest time between two writes of the last success while all goes well.
	successGap = 10 * time.Minute

	maxReason = 300 // characters of a stored error
)

// Health is how the requests of a connection have ended since its settings last changed.
type Health struct {
	Failures      int // in a row
	LastError     *string
	LastErrorAt   *time.Time
	LastSuccessAt *time.Time // at most 10 minutes old while requests succeed

	CheckedAt    *time.Time // nil: never checked
	CheckError   *string    // why the last check failed; nil: it did not
	FirstTokenMS *int       // of the last check, in milliseconds; nil: it failed
	ToolCalls    *bool      // whether the model called a tool in the last check; nil: unknown
}

const healthColumns = `failures, last_error, last_error_at, last_success_at, checked_at, check_error, first_token_ms,
	tool_calls`

// Failing reports whether so many requests in a row failed that calls should not rely on the connection.
func (h Health) Failing() bool { return h.Failures >= MostFailures }

// counts reports whether an error is to blame on the connection: its settings are refused, or its server
// does not answer. A server that has too many requests works, and a request that it refuses is the fault
// of the request.
func counts(err error) (reason string, ok bool) {
	e, is := errors.AsType[*model.Error](err)
	if !is || e.Kind != model.Unusable && e.Kind != model.Unavailable {
		return "", false
	}
	if runes := []rune(e.Error()); len(runes) > maxReason {
		return string(runes[:maxReason]), true
	}
	return e.Error(), true
}

// Failed counts a request that failed because of the connection. It ignores every other error, such as a
// canceled context. A caller that waits no longer for a server counts a *model.Error that is Unavailable. Of a
// server that has too many requests it notes until when, if the server says so. Failures of older settings do
// not count.
func (c Client) Failed(ctx context.Context, cause error) error {
	if e, is := errors.AsType[*model.Error](cause); is && e.Kind == model.Throttled && e.RetryAfter > 0 {
		return c.update(ctx, "note the pause of", `
			throttled_until = greatest(throttled_until, clock() + @pause::interval)`,
			pgx.NamedArgs{"pause": e.RetryAfter})
	}
	reason, ok := counts(cause)
	if !ok {
		return nil
	}
	return c.update(ctx, "count a failure of", `
		failures = failures + 1, last_error = @reason, last_error_at = clock()`, pgx.NamedArgs{"reason": reason})
}

// Worked resets the count of failures after a request succeeded. While nothing has failed, it writes only
// the time of the success, at most once in 10 minutes.
func (c Client) Worked(ctx context.Context) error {
	return c.update(ctx, "note a success of", `failures = 0, last_success_at = clock()`,
		pgx.NamedArgs{"gap": successGap},
		` and (failures > 0 or last_success_at is null or last_success_at < (select clock()) - @gap::interval)`)
}

// update changes the health of the connection, unless its settings have changed since.
func (c Client) update(ctx context.Context, what, set string, args pgx.NamedArgs, where ...string) error {
	sql := `update model_connection set ` + set + `
		where organization_id = @organization_id and id = @id and version = @version`
	for _, condition := range where {
		sql += condition
	}
	args["organization_id"], args["id"], args["version"] = c.organizationID, c.Connection.ID, c.version
	if _, err := c.service.pool.Exec(ctx, sql, args); err != nil {
		return fmt.Errorf("%s model connection %s: %w", what, c.Connection.ID, err)
	}
	return nil
}

// TryAgain resets the count of failures of an active connection, so that calls rely on it again. Errors:
// NotFound.
func (s *Service) TryAgain(ctx context.Context, actor account.Actor, id uuid.UUID) error {
	return postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		c, err := lock(ctx, tx, actor.OrganizationID, id)
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `
			update model_connection set failures = 0, throttled_until = null where organization_id = $1 and id = $2`,
			actor.OrganizationID, id)
		if err != nil {
			return fmt.Errorf("try model connection %s again: %w", id, err)
		}
		return record(ctx, tx, actor, c, "model_connection.retried", nil)
	})
}

// TryAgainFor resets the counts of failures of the connections that a campaign's agent uses, in the transaction that
// starts or resumes the campaign. They may be those of earlier campaigns, or mended since.
func TryAgainFor(ctx context.Context, tx pgx.Tx, campaignID uuid.UUID) error {
	_, err := tx.Exec(ctx, `
		update model_connection set failures = 0
		where failures >= $2 and id in (
			select (v.script -> 'model' ->> f.field)::uuid
			from campaign c
			join agent a on a.id = c.agent_id
			join agent_version v on v.id = coalesce(c.agent_version_id, a.published_version_id)
				or v.id = c.split_version_id,
			(values ('connection_id'), ('fallback_connection_id')) f (field)
			where c.id = $1)`, campaignID, MostFailures)
	if err != nil {
		return fmt.Errorf("try the models of campaign %s again: %w", campaignID, err)
	}
	return nil
}
