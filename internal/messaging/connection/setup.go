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

// Callback is what the operator's app is told, so that its webhooks come here.
type Callback struct {
	URL         string // "" while this server doesn't know how it is reached
	VerifyToken string
}

// Callback is a connection's. Show it to admins: the verify token is all that
// keeps others from taking the address over. Errors: NotFound, also for one that
// is disconnected.
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

// Resubscribe makes the next Refresh read every account, and ask the operator for
// its webhooks: for an operator that has forgotten what it agreed to.
func (s *Service) Resubscribe(ctx context.Context) error {
	_, err := s.pool.Exec(ctx, `
		update messaging_connection set subscribed_at = null, read_at = null, listed_at = null where disconnected_at is null`)
	if err != nil {
		return fmt.Errorf("have the webhooks of messaging connections asked for again: %w", err)
	}
	return nil
}

// RefreshConnection reads an account again, whole, because somebody asks for it,
// and asks for its webhooks where the operator has not agreed to send them yet.
// Errors: NotFound, also for one that is disconnected; BadGateway, of which the
// connection's LastError says more; Unavailable when the channel is off.
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
