package calls

import (
	"net/http"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/webhook"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/web/frame"
	"github.com/dialwright/dialwright/web/webhooks"
)

// callDeliveries returns the webhook deliveries about a call, newest first.
func (s *Server) callDeliveries(r *http.Request, call uuid.UUID) ([]views.CallDelivery, error) {
	ctx, organization := r.Context(), frame.SignedIn(r).Organization.ID
	about, err := s.Webhooks.About(ctx, organization, call)
	if err != nil || len(about) == 0 {
		return nil, err
	}
	list, err := s.Webhooks.List(ctx, organization, page.Request{Limit: webhook.MaxWebhooks})
	if err != nil {
		return nil, err
	}
	hooks := make(map[uuid.UUID]webhook.Webhook, len(list.Data))
	for _, w := range list.Data {
		hooks[w.ID] = w
	}
	var rows []views.CallDelivery
	for _, d := range about {
		if w, ok := hooks[d.WebhookID]; ok { // a missing webhook was deleted just now
			rows = append(rows, views.CallDelivery{
				DeliveryRow: webhooks.DeliveryRow(w, d), WebhookID: w.ID.String(), Webhook: w.Name,
			})
		}
	}
	return rows, nil
}
