package webhook

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/webhook/sender"
)

// Draft is a webhook to be created.
type Draft struct {
	ID     uuid.UUID `json:"-"`    // zero: Create makes an ID; a repeated ID is a Conflict
	Name   string    `json:"name"` // 1 to 100 characters
	URL    string    `json:"url"`
	Events []string  `json:"events"` // at least one: types of the catalog, families (call.*) or *

	// Filters are what its events must belong to. Empty: to anything.
	Filters FilterInput `json:"filters"`

	// Headers go with each delivery. They are stored sealed and never shown.
	Headers map[string]string `json:"headers"`
}

// checkEvents removes duplicates and reports event types that are not in the catalog.
func checkEvents(p *fault.Problems, path string, events *[]string) {
	subscribable := Subscribable()
	var kept []string
	reported := false
	for i, e := range *events {
		e = strings.TrimSpace(e)
		switch {
		case slices.Contains(subscribable, e):
			if !slices.Contains(kept, e) {
				kept = append(kept, e)
			}
		case reported: // the first message lists the types
			p.Addf(fmt.Sprintf("%s[%d]", path, i), "not an event type")
		default:
			reported = true
			p.Addf(fmt.Sprintf("%s[%d]", path, i), "must be one of %s", strings.Join(subscribable, ", "))
		}
	}
	if len(*events) == 0 {
		p.Addf(path, "at least one is required")
	}
	*events = kept
}

// Check normalizes a draft and reports everything that is wrong with it. Create checks
// too; call Check to report it together with other problems. Errors: Invalid.
func (s *Service) Check(d *Draft) error {
	var p fault.Problems
	check.Name(&p, "name", &d.Name)
	s.guard.CheckURL(&p, "url", &d.URL)
	checkEvents(&p, "events", &d.Events)
	d.Filters.parse(&p)
	sender.CheckHeaders(&p, d.Headers)
	return p.Err()
}

// Create makes a webhook, active at once, and returns its secret, which is shown once.
// Errors: Invalid, Unprocessable when the organization is at its limit, and Conflict
// when a webhook has the draft's id.
func (s *Service) Create(ctx context.Context, actor account.Actor, d Draft) (w Webhook, secret string, err error) {
	if err := s.Check(&d); err != nil {
		return Webhook{}, "", err
	}
	if d.ID == uuid.Nil {
		d.ID = uuid.Must(uuid.NewV7())
	}
	filters := d.Filters.parse(&fault.Problems{})
	random := NewSecret()
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		// Concurrent creations wait for this lock and count in a later statement: a statement
		// that locks and counts would not see the webhook it waited for.
		_, err := tx.Exec(ctx, `select from organization where id = @id for no key update`, pgx.NamedArgs{
			"id": actor.OrganizationID,
		})
		if err != nil {
			return fmt.Errorf("lock the organization: %w", err)
		}
		var p fault.Problems
		if err := checkFilters(ctx, tx, &p, actor.OrganizationID, Filters{}, filters); err != nil {
			return err
		}
		if err := p.Err(); err != nil {
			return err
		}
		w, err = one(ctx, tx, `
			insert into webhook (id, organization_id, name, url, events, `+filterColumns+`, secret, headers,
				header_names, created_by)
			values (@id, @organization_id, @name, @url, @events, @project_ids, @campaign_ids, @agent_ids, @secret,
				@headers, @header_names, @created_by)
			returning `+columns, pgx.NamedArgs{
			"id": d.ID, "organization_id": actor.OrganizationID, "name": d.Name, "url": d.URL, "events": d.Events,
			"secret":     s.vault.Seal(random, secretCell(actor.OrganizationID, d.ID, secretColumn)),
			"headers":    sealHeaders(s.vault, actor.OrganizationID, d.ID, d.Headers),
			"created_by": actor.Name, "header_names": headerNames(d.Headers),
			"project_ids": filters.ProjectIDs, "campaign_ids": filters.CampaignIDs, "agent_ids": filters.AgentIDs,
		})
		if postgres.Constraint(err) == "webhook_pkey" {
			return fault.Conflictf("This webhook was created already")
		}
		if err != nil {
			return err
		}
		// The count comes after the insert: the tenth webhook, sent twice, is a conflict and
		// not the eleventh.
		var n int
		err = tx.QueryRow(ctx, `
			select count(*) from webhook where organization_id = @id and deleted_at is null`,
			pgx.NamedArgs{"id": actor.OrganizationID}).Scan(&n)
		if err != nil {
			return fmt.Errorf("count webhooks: %w", err)
		}
		if n > MaxWebhooks {
			return fault.New(fault.Unprocessable, "Webhook limit reached: at most %d per organization", MaxWebhooks)
		}
		return account.Record(ctx, tx, actor, "webhook.created", account.Object{Type: "webhook", ID: d.ID},
			map[string]any{
				"name": w.Name, "host": HostOf(w.URL), "events": w.Events, "filters": w.Filters.Resource(),
				"headers": w.HeaderNames,
			})
	})
	if err != nil {
		return Webhook{}, "", err
	}
	return w, ShowSecret(random), nil
}

// HostOf returns the part of a URL that the audit log shows. Paths and queries of
// webhooks often are secrets.
func HostOf(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return ""
	}
	return u.Host
}
