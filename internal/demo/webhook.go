package demo

import (
	"context"
	"hash/fnv"
	"io"
	"net/http"
	"strings"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/webhook"
)

// ReceiverPath is where the sandbox takes deliveries in, below its own address, so
// that the demo has an endpoint to send to.
const ReceiverPath = "/receiver"

// Receive answers deliveries as a system does that is busy now and then: one
// attempt of eight fails, which one is up to the attempt alone. Those come again.
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

// seedWebhook makes a webhook that tells the sandbox's receiver of everything.
func (d *seeder) seedWebhook(ctx context.Context, actor account.Actor, name string) error {
	if d.o.SandboxURL == "" {
		return nil
	}
	list, err := d.Webhooks.List(ctx, actor.OrganizationID, everything)
	_, err = found(list, err, func(w webhook.Webhook) bool { return w.Name == name },
		func() (webhook.Webhook, error) {
			w, _, err := d.Webhooks.Create(ctx, actor, webhook.Draft{
				ID:     uuid.Must(uuid.NewV7()),
				Name:   name,
				URL:    d.o.SandboxURL + ReceiverPath,
				Events: []string{"call.*", "campaign.*", "message.*"},
			})
			return w, err
		})
	return err
}

// findReceiver lets the webhook find the sandbox, whose port is another one after
// a restart. One that people sent elsewhere stays as it is.
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
			if _, err := d.Webhooks.Update(ctx, actor, w.ID, webhook.Change{URL: &here}); err != nil {
				return err
			}
		}
	}
	return nil
}
