package webhook

import (
	"context"
	"crypto/subtle"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/webhook/sender"
)

// Change contains the new values of a webhook's fields. Nil fields stay as they are.
type Change struct {
	Name     *string   `json:"name"`
	URL      *string   `json:"url"`
	Events   *[]string `json:"events"`
	IsActive *bool     `json:"is_active"`

	// Filters replace all filters.
	Filters *FilterInput `json:"filters"`

	// Headers replace all headers. Another server needs them again: whoever may change the URL could otherwise send the
	// stored ones, which nobody can read, to a server of their own.
	Headers *map[string]string `json:"headers"`

	// These fields are read-only: a value that differs from the webhook's is Invalid. A
	// client may send back the whole webhook that it read.
	ID        *string    `json:"id"`
	Secret    *string    `json:"secret"`
	Names     *[]string  `json:"header_names"`
	CreatedAt *time.Time `json:"created_at"`
}

// CheckChange normalizes a change and reports what is wrong with it, as far as that is
// known without the webhook. Update checks too; call CheckChange to report it together
// with other problems. Errors: Invalid.
func (s *Service) CheckChange(c *Change) error {
	var p fault.Problems
	if c.Name != nil {
		check.Name(&p, "name", c.Name)
	}
	if c.URL != nil {
		s.guard.CheckURL(&p, "url", c.URL)
	}
	if c.Events != nil {
		checkEvents(&p, "events", c.Events)
	}
	if c.Filters != nil {
		c.Filters.parse(&p)
	}
	if c.Headers != nil {
		sender.CheckHeaders(&p, *c.Headers)
	}
	return p.Err()
}

// Update changes a webhook. Waiting deliveries go to the new URL. New subscriptions
// and filters apply to future events only. Unchanged may refuse the change of the webhook as it is then, and may be
// nil. Errors: NotFound, Invalid, and that of unchanged.
func (s *Service) Update(
	ctx context.Context, actor account.Actor, id uuid.UUID, c Change, unchanged func(Webhook) error,
) (w Webhook, err error) {
	var p fault.Problems
	p.Also(s.CheckChange(&c))
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		if w, err = lock(ctx, tx, actor.OrganizationID, id); err != nil {
			return err
		}
		if err := check.Precondition(w, unchanged); err != nil {
			return err
		}
		if err := s.checkReadOnly(ctx, tx, &p, w, c); err != nil {
			return err
		}
		if c.URL != nil && c.Headers == nil && len(w.HeaderNames) > 0 && sender.Origin(*c.URL) != sender.Origin(w.URL) {
			p.Addf("headers", "enter the value again because the server changed")
		}
		filters := w.Filters
		if c.Filters != nil && p.Len() == 0 {
			filters = c.Filters.parse(&p)
			if err := checkFilters(ctx, tx, &p, w.OrganizationID, w.Filters, filters); err != nil {
				return err
			}
		}
		if err := p.Err(); err != nil {
			return err
		}
		if err := s.update(ctx, tx, actor, &w, c, filters); err != nil || c.IsActive == nil {
			return err
		}
		m := pause
		if *c.IsActive {
			m = resume
		}
		return transition(ctx, tx, actor, &w, m)
	})
	if err != nil {
		return Webhook{}, err
	}
	s.wake()
	return w, nil
}

// checkReadOnly reports changes of read-only fields.
func (s *Service) checkReadOnly(ctx context.Context, tx pgx.Tx, p *fault.Problems, w Webhook, c Change) error {
	const readOnly = "cannot be changed"
	if c.ID != nil && *c.ID != w.ID.String() {
		p.Addf("id", readOnly)
	}
	if c.CreatedAt != nil && !c.CreatedAt.Equal(w.CreatedAt) {
		p.Addf("created_at", readOnly)
	}
	if c.Names != nil && !slices.Equal(*c.Names, w.HeaderNames) {
		p.Addf("header_names", "cannot be changed, only headers")
	}
	if c.Secret != nil {
		var sealed []byte
		if err := tx.QueryRow(
			ctx, `select secret from webhook where id = @id`, pgx.NamedArgs{"id": w.ID},
		).Scan(&sealed); err != nil {
			return fmt.Errorf("read the secret of webhook %s: %w", w.ID, err)
		}
		secrets, err := openSecrets(s.vault, w.OrganizationID, w.ID, sealed, nil)
		if err != nil {
			return err
		}
		if subtle.ConstantTimeCompare([]byte(*c.Secret), []byte(ShowSecret(secrets[0]))) == 0 {
			p.Addf("secret", "cannot be changed, only rotated")
		}
	}
	return nil
}

// update writes the fields of c that differ from w's, with the checked filters, and updates w. The caller has the
// row lock.
func (s *Service) update(
	ctx context.Context, tx pgx.Tx, actor account.Actor, w *Webhook, c Change, filters Filters,
) error {
	next, data := *w, map[string]any{}
	if c.Name != nil && *c.Name != w.Name {
		next.Name = *c.Name
		data["name_before"] = w.Name
	}
	if c.URL != nil && *c.URL != w.URL {
		next.URL = *c.URL
		data["host"], data["host_before"] = HostOf(next.URL), HostOf(w.URL)
	}
	if c.Events != nil && !slices.Equal(*c.Events, w.Events) {
		next.Events = *c.Events
		data["events"], data["events_before"] = next.Events, w.Events
	}
	if !filters.equal(w.Filters) {
		next.Filters = filters
		data["filters"], data["filters_before"] = filters.Resource(), w.Filters.Resource()
	}
	var headers map[string]string
	if c.Headers != nil && len(*c.Headers)+len(w.HeaderNames) > 0 {
		headers = *c.Headers
		data["headers"], data["headers_before"] = headerNames(headers), w.HeaderNames
	}
	if len(data) == 0 {
		return account.Unchanged(ctx)
	}
	after, err := one(ctx, tx, `
		update webhook set name = @name, url = @url, events = @events,
			project_ids = @project_ids, campaign_ids = @campaign_ids, agent_ids = @agent_ids,
			headers = case when @replace then @headers else headers end,
			header_names = case when @replace then @header_names else header_names end
		where id = @id
		returning `+columns, pgx.NamedArgs{
		"id": w.ID, "name": next.Name, "url": next.URL, "events": next.Events, "replace": c.Headers != nil,
		"project_ids": next.ProjectIDs, "campaign_ids": next.CampaignIDs, "agent_ids": next.AgentIDs,
		"headers": sealHeaders(s.vault, w.OrganizationID, w.ID, headers), "header_names": headerNames(headers),
	})
	if err != nil {
		return err
	}
	*w = after
	data["name"] = w.Name
	return account.Record(ctx, tx, actor, "webhook.updated", account.Object{Type: "webhook", ID: w.ID}, data)
}
