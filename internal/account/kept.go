package account

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/postgres"
)

// A form that was sent when its session was over is kept, sealed, for the time
// it takes to sign in again; the newest few of a person only.
const (
	keptLifetime = time.Hour
	keptForms    = 5
)

func keptPlace(organizationID, id uuid.UUID) Place {
	return Place{Organization: organizationID, Table: "kept_form", Column: "form", Row: id.String()}
}

// KeepForm stores what somebody had typed, and returns the id to ask for it by.
// Errors: NotFound when there is no such membership (any more).
func (s *Service) KeepForm(ctx context.Context, organizationID, userID uuid.UUID, form []byte) (uuid.UUID, error) {
	id := uuid.Must(uuid.NewV7())
	args := pgx.NamedArgs{
		"id": id, "user_id": userID, "organization_id": organizationID, "keep": keptForms,
		"form": s.vault.Seal(form, keptPlace(organizationID, id)), "lifetime": keptLifetime,
	}
	err := postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `
			insert into kept_form (id, user_id, organization_id, form, expires_at)
			select @id, user_id, organization_id, @form, clock() + @lifetime::interval
			from membership
			where user_id = @user_id and organization_id = @organization_id`, args)
		if err != nil {
			return fmt.Errorf("keep a form: %w", err)
		}
		if tag.RowsAffected() == 0 {
			return fault.NotFoundf("Member")
		}
		_, err = tx.Exec(ctx, `
			delete from kept_form where id in (
				select id from kept_form where user_id = @user_id order by id desc offset @keep)`, args)
		if err != nil {
			return fmt.Errorf("forget older forms: %w", err)
		}
		return nil
	})
	return id, err
}

// KeptForm returns what the same person had typed in the organization they are
// in now. Errors: NotFound.
func (s *Service) KeptForm(ctx context.Context, session Session, id uuid.UUID) ([]byte, error) {
	var sealed []byte
	err := s.pool.QueryRow(ctx, `
		select form from kept_form
		where id = @id and user_id = @user_id and organization_id = @organization_id and expires_at > clock()`,
		pgx.NamedArgs{"id": id, "user_id": session.User.ID, "organization_id": session.Organization.ID}).Scan(&sealed)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, fault.NotFoundf("Form")
	}
	if err != nil {
		return nil, fmt.Errorf("read a kept form: %w", err)
	}
	form, err := s.vault.Open(sealed, keptPlace(session.Organization.ID, id))
	if err != nil {
		return nil, fmt.Errorf("open a kept form: %w", err)
	}
	return form, nil
}
