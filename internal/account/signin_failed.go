package account

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/postgres"
)

// FailedSignIn is the cause of a sign-in that was refused for a wrong password or code.
// It is for the log, so it contains nothing that was typed.
type FailedSignIn struct {
	UserID uuid.UUID // zero for an unknown account
	With   string    // "password" or "code"
}

func (f *FailedSignIn) Error() string { return "wrong " + f.With }

// failedAddresses bounds the entries that the failures of one account make in an hour.
// This many addresses have their own entry, and all other addresses share one entry.
const failedAddresses = 20

// signInFailed records a failure in the audit log of every organization of the account.
// It writes one entry with a count for each account, address and hour, so that strangers
// cannot fill the log. It returns refusal with its cause.
func (s *Service) signInFailed(
	ctx context.Context, a attempt, failed *FailedSignIn, client Client, refusal *fault.Error,
) error {
	err := postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		// An unknown account also writes a row, so that it takes as long. The lock also
		// makes concurrent failures wait, so that each sees the entries of the others.
		_, err := tx.Exec(ctx, `update sign_in_failure set last_at = clock() where subject = any(@subjects)`,
			pgx.NamedArgs{"subjects": a.subjects()})
		if err != nil {
			return fmt.Errorf("note a failed sign-in: %w", err)
		}
		_, err = tx.Exec(ctx, `
			with failure as (
				select m.organization_id, u.name, @address::inet as address,
				       floor(extract(epoch from clock()) / 3600) as hour
				from app_user u join membership m on m.user_id = u.id
				where u.id = @user_id
			), counted as (
				select organization_id, name, hour,
				       case when (
				         select count(*) from audit_entry e
				         where e.organization_id = f.organization_id and e.object_id = @user_id
					and e.action = 'session.failed'
				           and e.created_at >= to_timestamp(hour * 3600)
					and e.address is distinct from f.address) < @most
				       then address end as address
				from failure f
			)
			insert into audit_entry (id, organization_id, actor_kind, action, object_type, object_id, data, address)
			select left(encode(sha256(convert_to(concat_ws(' ', organization_id, @user_id::text, @with::text, hour,
				address), 'UTF8')), 'hex'), 32)::uuid,
			       organization_id, 'user', 'session.failed', 'user', @user_id,
			       jsonb_build_object('name', name, 'with', @with::text, 'attempts', 1), address
			from counted
			order by organization_id
			on conflict (id) do update
			set data = audit_entry.data || jsonb_build_object('attempts', (audit_entry.data->>'attempts')::int + 1)`,
			pgx.NamedArgs{
				"user_id": failed.UserID, "with": failed.With, "address": nullAddress(client.Address),
				"most": failedAddresses,
			})
		if err != nil {
			return fmt.Errorf("record a failed sign-in: %w", err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return refusal.Because(failed)
}
