package campaign

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/messaging"
	"github.com/dialwright/dialwright/internal/project"
)

// AskQuota asks how many conversations the WhatsApp number of a draft may still start.
// It stores the answer in the draft, and Create compares it with the list, because a
// transaction must not wait for the operator. The draft must have passed Check. Errors,
// for a draft with messages: Unavailable if the channel is off, BadGateway if the
// operator can't be reached. For a draft without messages the last known quota is
// enough.
func (s *Service) AskQuota(ctx context.Context, organizationID uuid.UUID, d *Draft) error {
	if d.asked {
		return nil
	}
	own, err := s.ownNumber(ctx, organizationID, d.checked.from.PhoneNumberID)
	if err != nil {
		return err
	}
	d.quota, err = s.quotaOf(ctx, organizationID, d.checked.chosen(own), d.checked.messaging != nil)
	d.asked = err == nil
	return err
}

// quotaOf asks for the quota of a WhatsApp number. It returns nil if there is no
// number. strict is true if messages were requested. Otherwise the last known quota is
// enough when the operator can't be reached.
func (s *Service) quotaOf(
	ctx context.Context, organizationID uuid.UUID, externalID string, strict bool,
) (*messaging.Quota, error) {
	if externalID == "" {
		return nil, nil
	}
	quota, err := s.whatsapp.QuotaOf(ctx, organizationID, externalID)
	if kind := fault.KindOf(err); (kind == fault.BadGateway || kind == fault.Unavailable) && !strict {
		quota, err = s.whatsapp.LastQuotaOf(ctx, organizationID, externalID)
	}
	switch {
	case fault.KindOf(err) == fault.NotFound: // Create reports the missing number if it needs one
		return nil, nil
	case err != nil:
		return nil, err
	}
	return &quota, nil
}

// ownNumber returns the WhatsApp number of a phone number. It returns nil for a
// voice-only number, for a number that the organization does not have, and for the zero ID.
func (s *Service) ownNumber(ctx context.Context, organizationID, phoneNumberID uuid.UUID) (*string, error) {
	var own *string
	err := s.db.QueryRow(ctx, `
		select messaging_external_id from phone_number
		where organization_id = @organization_id and id = @id and deactivated_at is null`,
		pgx.NamedArgs{"organization_id": organizationID, "id": phoneNumberID}).Scan(&own)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return nil, fmt.Errorf("read what number %s is for messages: %w", phoneNumberID, err)
	}
	return own, nil
}

// fits refuses a list that exceeds the quota of its WhatsApp number: Unprocessable.
// Messages that are planned but not sent yet do not reduce the quota here, because the
// messaging gate decides when each message is sent.
func (d *Draft) fits(number project.PhoneNumber) error {
	chosen := d.checked.chosen(number.MessagingExternalID)
	if chosen == "" || d.quota == nil || d.quota.ExternalID != chosen {
		return nil
	}
	if e := exceeds(d.Recipients.Len(), *d.quota, d.checked.messaging == nil); e != nil {
		return e.fault()
	}
	return nil
}

// QuotaError says that a list exceeds the quota of its WhatsApp number. It is the cause
// of a fault with the same text.
type QuotaError struct {
	Recipients  int
	Available   int
	ExternalID  string // ID of the WhatsApp number
	Unrequested bool   // no messages were requested: the quota applies because the phone number has WhatsApp
}

func (e *QuotaError) Error() string {
	text := fmt.Sprintf("Recipient list (%d) exceeds the %d conversations available for number %s", e.Recipients,
		e.Available, e.ExternalID)
	if e.Unrequested {
		text += `. To send no messages, set "messaging": {"trigger": "never"} or choose a voice-only phone number`
	}
	return text
}

// exceeds returns nil for a list that the quota allows.
func exceeds(recipients int, q messaging.Quota, unrequested bool) *QuotaError {
	if recipients <= q.Available() {
		return nil
	}
	return &QuotaError{
		Recipients: recipients, Available: q.Available(), ExternalID: q.ExternalID, Unrequested: unrequested,
	}
}

// fault returns the refusal of the list: Unprocessable.
func (e *QuotaError) fault() error {
	return fault.New(fault.Unprocessable, "%s", e.Error()).Because(e)
}
