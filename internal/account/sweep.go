package account

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// sweepBatch bounds how many rows one statement of Sweep deletes, so that it
// never holds locks for long.
const sweepBatch = 1000

// Sweep deletes data that is no longer needed: expired sessions, cookies, reset links and
// kept answers, old batches, and old sign-ins and failures of them. It is a periodic task.
func (s *Service) Sweep(ctx context.Context) error {
	for what, sql := range map[string]string{
		"sessions": `
			delete from user_session where id in (
				select id from user_session where expires_at <= (select clock()) limit @batch)`,
		// The store of the dashboard's cookies uses the server's own clock.
		"cookies": `
			delete from sessions where token in (select token from sessions where expiry <= now() limit @batch)`,
		"reset links": `
			delete from password_reset where user_id in (
				select user_id from password_reset
					where expires_at <= (select clock()) limit @batch for update skip locked)`,
		"kept answers": `
			delete from idempotency_key where ctid in (
				select ctid from idempotency_key where created_at <= (select clock()) - @answers::interval
				limit @batch for update skip locked)`,
		"batches": `
			delete from change_batch where id in (
				select id from change_batch where created_at <= (select clock()) - @batches::interval
				limit @batch for update skip locked)`,
		"completed sign-ins": `
			delete from single_sign_on_use where state_hash in (
				select state_hash from single_sign_on_use
				where expires_at <= (select clock()) limit @batch for update skip locked)`,
		"sign-in failures": `
			delete from sign_in_failure where subject in (
				select subject from sign_in_failure
				where last_at < (select clock()) - @failures::interval and not_before < (select clock())
				limit @batch for update skip locked)`,
	} {
		for {
			tag, err := s.pool.Exec(ctx, sql, pgx.NamedArgs{
				"batch": sweepBatch, "answers": IdempotencyLifetime, "failures": failureMemory,
				"batches": batchLifetime,
			})
			if err != nil {
				return fmt.Errorf("sweep %s: %w", what, err)
			}
			if tag.RowsAffected() < sweepBatch {
				break
			}
		}
	}
	return nil
}
