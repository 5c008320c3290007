package webhook

import (
	"log/slog"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/mail"
	"github.com/dialwright/dialwright/internal/mail/mailtest"
)

// member adds a member with a role to the organization and returns the address.
func (h *world) member(role string) string {
	h.t.Helper()
	id := uuid.New()
	email := role + "." + id.String() + "@example.com"
	h.exec(`insert into app_user (id, email, name, password_hash) values ($1, $2, 'Ada', '')`, id, email)
	h.exec(`insert into membership (organization_id, user_id, role) values ($1, $2, $3)`,
		h.actor.OrganizationID, id, role)
	return email
}

// Each admin gets one email about a disabled webhook, also if the mail server is down at first.
func TestAlerts(t *testing.T) {
	t.Parallel()
	h := newWorld(t)
	server := mailtest.New(t)
	server.Refuse(true)
	sender, err := mail.New(mail.Options{Addr: server.Addr, From: "dial@example.com", TLS: mail.NoTLS})
	if err != nil {
		t.Fatal(err)
	}
	first, second := h.member("admin"), h.member("admin")
	h.member("staff")
	w := h.webhook("*")
	s := h.alerting(sender)
	for range 2 { // it is disabled once
		if err := s.disable(t.Context(), h.actor.OrganizationID, w.ID, DisabledGone); err != nil {
			t.Fatal(err)
		}
	}
	if n := h.count(`webhook_alert`); n != 2 {
		t.Fatalf("%d emails are queued", n)
	}
	send := func(want int) {
		t.Helper()
		sent := 0
		for {
			ok, err := s.sendAlert(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if !ok {
				break
			}
			sent++
		}
		if sent != want {
			t.Errorf("%d attempts, want %d", sent, want)
		}
	}
	send(2)
	send(0) // the next attempts are due later
	if n := h.count(`webhook_alert where attempts = 1 and due_at > clock()`); n != 2 || len(server.Taken()) != 0 {
		t.Errorf("%d emails wait", n)
	}
	server.Refuse(false)
	h.exec(`update webhook_alert set due_at = clock()`)
	send(2)
	taken := server.Taken()
	if len(taken) != 2 || h.count(`webhook_alert`) != 0 {
		t.Fatalf("%+v", taken)
	}
	for _, m := range taken {
		if m.To != first && m.To != second || !strings.Contains(m.Data, "Subject: Webhook disabled: CRM") ||
			!strings.Contains(m.Data, "https://dial.example.com/webhooks/") || !strings.Contains(m.Data, "410") {
			t.Errorf("%s: %s", m.To, m.Data)
		}
	}

	// Nobody is told of a webhook that is active again, nor after they are no admin anymore.
	if _, err := h.Resume(t.Context(), h.actor, w.ID); err != nil {
		t.Fatal(err)
	}
	for _, change := range []string{
		`update webhook set is_active = true, inactive_since = null, disabled_reason = null`,
		`update membership set role = 'staff'`,
	} {
		if err := s.disable(t.Context(), h.actor.OrganizationID, w.ID, DisabledGone); err != nil {
			t.Fatal(err)
		}
		h.exec(change)
		send(2)
	}
	if n := len(server.Taken()); n != 2 || h.count(`webhook_alert`) != 0 {
		t.Errorf("%d emails", n)
	}
}

// Without a mail server, nothing is queued.
func TestNoAlertsWithoutAServer(t *testing.T) {
	t.Parallel()
	h := newWorld(t)
	h.member("admin")
	w := h.webhook("*")
	if err := h.alerting(nil).disable(t.Context(), h.actor.OrganizationID, w.ID, DisabledGone); err != nil {
		t.Fatal(err)
	}
	if n := h.count(`webhook_alert`); n != 0 {
		t.Errorf("%d emails are queued", n)
	}
}

func (h *world) alerting(sender *mail.Sender) *run {
	return &run{
		pool: h.db.Pool, hub: h.hub, log: slog.New(slog.DiscardHandler), mail: sender,
		publicURL: "https://dial.example.com",
	}
}
