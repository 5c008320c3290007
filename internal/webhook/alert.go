package webhook

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/mail"
	"github.com/dialwright/dialwright/internal/postgres"
)

const (
	alertPoll  = 5 * time.Second
	alertFirst = time.Minute // the pause after the first attempt, and its lease; each pause doubles
	alertPause = time.Hour   // the longest pause
	alertLife  = 3 * 24 * time.Hour
)

// queueAlerts queues an email to each admin of the organization of a webhook that is being disabled.
func queueAlerts(ctx context.Context, tx pgx.Tx, organizationID, webhookID uuid.UUID, reason string) error {
	_, err := tx.Exec(ctx, `
		insert into webhook_alert (id, organization_id, webhook_id, user_id, reason)
		select gen_random_uuid(), organization_id, @webhook_id, user_id, @reason from membership
		where organization_id = @organization_id and role = 'admin'`,
		pgx.NamedArgs{"organization_id": organizationID, "webhook_id": webhookID, "reason": reason})
	if err != nil {
		return fmt.Errorf("queue the emails about webhook %s: %w", webhookID, err)
	}
	return nil
}

// alert is an email to be sent.
type alert struct {
	ID           uuid.UUID
	WebhookID    uuid.UUID
	Reason       string
	Expired      bool
	Email        *string // nil: the person is no admin anymore
	Webhook      *string // its name; nil: it was deleted
	Organization string
	Since        *time.Time // when it was disabled; nil: it is active again
	Zone         string     // the organization's
}

// keepAlerting sends the emails that are due.
func (s *run) keepAlerting(ctx context.Context) {
	if s.mail == nil {
		return
	}
	s.keep(ctx, "send emails about disabled webhooks", alertPoll, func(ctx context.Context) (time.Duration, error) {
		sent, err := s.sendAlert(ctx)
		if sent {
			return 0, err
		}
		return alertPoll, err
	})
}

// sendAlert makes one attempt at the next email. ok is false if none is due. The time of the next attempt is stored
// before this one, so another process repeats it if this one dies, and a server that is down is asked again later.
func (s *run) sendAlert(ctx context.Context) (ok bool, err error) {
	due, err := postgres.Collect(ctx, s.pool, pgx.RowToStructByName[alert], `
		with due as (
			update webhook_alert a set attempts = a.attempts + 1,
				due_at = k.t + least(@most::interval, @first::interval * power(2, least(a.attempts, 20)))
			from (
				select a.id, k.t from webhook_alert a, (select clock() as t) k
				where a.due_at <= k.t order by a.due_at limit 1
				for no key update of a skip locked
			) k
			where a.id = k.id
			returning a.*
		)
		select a.id, a.webhook_id, a.reason, a.created_at < clock() - @life::interval as expired,
		       u.email, w.name as webhook, o.name as organization, w.inactive_since as since, o.time_zone as zone
		from due a
		join organization o on o.id = a.organization_id
		left join membership m on m.organization_id = a.organization_id and m.user_id = a.user_id and m.role = 'admin'
		left join app_user u on u.id = m.user_id
		left join webhook w on w.id = a.webhook_id and w.deleted_at is null and w.disabled_reason = a.reason`,
		pgx.NamedArgs{"first": alertFirst, "most": alertPause, "life": alertLife})
	if err != nil {
		return false, fmt.Errorf("find emails to send: %w", err)
	}
	if len(due) == 0 {
		return false, nil
	}
	a := due[0]
	if !a.Expired && a.Email != nil && a.Webhook != nil && a.Since != nil {
		// The attempt outlasts the deadline of a statement.
		if err := s.mail.Send(context.WithoutCancel(ctx), a.message(s.publicURL)); err != nil {
			s.log.Warn("an email about a disabled webhook was not sent, and is tried again", "webhook_id", a.WebhookID,
				"error", err)
			return true, nil
		}
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), writeTimeout)
	defer cancel()
	if _, err := s.pool.Exec(ctx, `delete from webhook_alert where id = $1`, a.ID); err != nil {
		return true, fmt.Errorf("forget a sent email: %w", err)
	}
	return true, nil
}

func (a alert) message(publicURL string) mail.Message {
	why := "No delivery succeeded for five days."
	if a.Reason == DisabledGone {
		why = "Its endpoint answered 410 Gone, so it no longer exists."
	}
	since := a.Since.UTC().Format("2 Jan 2006, 15:04 UTC")
	if zone, err := time.LoadLocation(a.Zone); err == nil {
		since = a.Since.In(zone).Format("2 Jan 2006, 15:04 MST")
	}
	return mail.Message{
		ID:      a.ID.String(),
		To:      *a.Email,
		Subject: "Webhook disabled: " + *a.Webhook,
		Text: "The webhook “" + *a.Webhook + "” of " + a.Organization + " was disabled on " + since + ".\n\n" +
			why + " Nothing is sent to it while it is disabled.\n\n" +
			"Events are kept for 30 days. When the endpoint works again, activate the webhook and " +
			"recover what it missed:\n" +
			publicURL + "/webhooks/" + a.WebhookID.String() + "\n\n" +
			"You get this email because you are an admin of " + a.Organization + ".\n",
	}
}
