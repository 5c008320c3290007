package campaign

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

// SettingsOf returns the settings with which a recipient is called: those of the campaign, or those that the request of
// a call of its own had. Its ExpiresAt is that of the recipient's calls. Errors: NotFound.
func (s *Service) SettingsOf(ctx context.Context, organizationID, recipientID uuid.UUID) (Campaign, error) {
	type settingsRow struct {
		Campaign
		Expiry *time.Time
	}
	r, err := postgres.CollectOne(ctx, s.db, pgx.RowToStructByName[settingsRow], `
		select `+columns+`, recipient.expires_at as expiry
		from recipient join campaign on campaign.id = recipient.campaign_id `+open+`
		where recipient.organization_id = @organization_id and recipient.id = @id`,
		pgx.NamedArgs{"organization_id": organizationID, "id": recipientID})
	if errors.Is(err, pgx.ErrNoRows) {
		return Campaign{}, fault.NotFoundf("Recipient")
	}
	if err != nil {
		return Campaign{}, fmt.Errorf("read the settings of recipient %s: %w", recipientID, err)
	}
	if r.Expiry != nil {
		r.ExpiresAt = r.Expiry
	}
	return r.Campaign, nil
}
