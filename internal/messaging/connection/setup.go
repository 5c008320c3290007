package connection

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/messaging"
	"github.com/dialwright/dialwright/internal/messaging/cloud"
)

// Callback is what a person enters at the operator, so that its webhooks come here.
type Callback struct {
	URL         string // "" if this server has no public URL
	VerifyToken string
}

// Callback returns the callback of a connection. Show it only to admins: the verify token
// is all that keeps others from taking over the address. Errors: NotFound, also for a
// disconnected account.
func (s *Service) Callback(ctx context.Context, organizationID, id uuid.UUID) (Callback, error) {
	c, err := s.Connection(ctx, organizationID, id)
	if err != nil {
		return Callback{}, err
	}
	if c.DisconnectedAt != nil {
		return Callback{}, fault.NotFoundf("Connection")
	}
	v, err := s.Secrets(ctx, id)
	if err != nil {
		return Callback{}, err
	}
	back := Callback{VerifyToken: v.VerifyToken}
	if s.publicURL != "" {
		back.URL = s.publicURL + cloud.HooksPath + id.String()
	}
	return back, nil
}

// Resubscribe makes the next Refresh read every account and ask for its webhooks again.
// The sandbox's operator forgets them when it restarts.
func (s *Service) Resubscribe(ctx context.Context) error {
	_, err := s.pool.Exec(ctx, `
		update messaging_connection set subscribed_at = null, read_at = null, listed_at = null
			where disconnected_at is null`)
	if err != nil {
		return fmt.Errorf("have the webhooks of messaging connections asked for again: %w", err)
	}
	return nil
}

// RefreshConnection reads a whole account for a person, and asks for its webhooks if the
// operator does not send them yet. Errors: NotFound, also for a disconnected account;
// BadGateway, which the connection's LastError explains; Unavailable when the channel is
// off.
func (s *Service) RefreshConnection(ctx context.Context, actor account.Actor, id uuid.UUID) error {
	if !s.messages.On() {
		return messaging.ErrOff
	}
	c, err := s.Connection(ctx, actor.OrganizationID, id)
	if err != nil {
		return err
	}
	if c.DisconnectedAt != nil {
		return fault.NotFoundf("Connection")
	}
	if err := s.read(ctx, connectionRef{organizationID: actor.OrganizationID, connectionID: id}, true); err != nil {
		return errUnreachable.Because(err)
	}
	if !c.Subscribed {
		if err := s.subscribe(ctx, id); err != nil {
			return errUnreachable.Because(err)
		}
	}
	s.messages.Wake()
	return nil
}
