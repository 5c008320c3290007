package demo

import (
	"context"
	"hash/fnv"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/webhook"
)

// ReceiverPath is the path of the sandbox's webhook receiver, so that the demo has an endpoint for its deliveries.
const ReceiverPath = "/receiver"

// Receive answers deliveries like a system that is sometimes busy: one attempt in eight fails, and the product retries
// it. Whether an attempt fails depends only on the attempt.
func Receive(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		http.Error(w, "deliveries are posted", http.StatusMethodNotAllowed)
		return
	}
	if _, err := io.Copy(io.Discard, http.MaxBytesReader(w, r.Body, 1<<20)); err != nil {
		http.Error(w, "the body is too large", http.StatusRequestEntityTooLarge)
		return
	}
	attempt := fnv.New32a()
	_, _ = io.WriteString(attempt, r.Header.Get("webhook-id")+r.Header.Get("webhook-timestamp")) // never fails
	if attempt.Sum32()%8 == 0 {
		http.Error(w, "the database is busy", http.StatusServiceUnavailable)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// seedWebhook creates a webhook that sends all events of calls, campaigns and messages to the sandbox's receiver, and
// its log.
func (d *seeder) seedWebhook(
	ctx context.Context, actor account.Actor, name string, zone *time.Location, now time.Time,
) error {
	if d.o.SandboxURL == "" {
		return nil
	}
	list, err := d.Webhooks.List(ctx, actor.OrganizationID, everything)
	w, err := found(list, err, func(w webhook.Webhook) bool { return w.Name == name },
		func() (webhook.Webhook, error) {
			w, _, err := d.Webhooks.Create(ctx, actor, webhook.Draft{
				ID:     uuid.Must(uuid.NewV7()),
				Name:   name,
				URL:    d.o.SandboxURL + ReceiverPath,
				Events: []string{"call.*", "campaign.*", "message.*"},
			})
			return w, err
		})
	if err != nil {
		return err
	}
	return d.seedDeliveries(ctx, actor, w, zone, now)
}

// findReceiver updates the webhook's URL, because the sandbox has a new port after a restart. It does not change a URL
// that people have set.
func (d *seeder) findReceiver(ctx context.Context, actor account.Actor, name string) error {
	if d.o.SandboxURL == "" {
		return nil
	}
	here := d.o.SandboxURL + ReceiverPath
	list, err := d.Webhooks.List(ctx, actor.OrganizationID, everything)
	if err != nil {
		return err
	}
	for _, w := range list.Data {
		ours := strings.HasPrefix(w.URL, "http://127.0.0.1:") && strings.HasSuffix(w.URL, ReceiverPath)
		if w.Name == name && w.URL != here && ours {
			if _, err := d.Webhooks.Update(ctx, actor, w.ID, webhook.Change{URL: &here}, nil); err != nil {
				return err
			}
		}
	}
	return nil
}
