package webhook

import (
	"context"
	"crypto/subtle"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/postgres"
)

// Draft is a webhook to be created.
type Draft struct {
	ID     uuid.UUID `json:"-"`    // zero: Create makes it; an ID makes this webhook only once
	Name   string    `json:"name"` // 1 to 100 characters
	URL    string    `json:"url"`
	Events []string  `json:"events"` // at least one: types of the catalog, families (call.*) or *
}

// checkEvents folds what is given twice and finds what is not of the catalog.
func checkEvents(p *fault.Problems, path string, events *[]string) {
	subscribable := Subscribable()
	var kept []string
	told := false
	for i, e := range *events {
		e = strings.TrimSpace(e)
		switch {
		case slices.Contains(subscribable, e):
			if !slices.Contains(kept, e) {
				kept = append(kept, e)
			}
		case told: // once is enough
			p.Addf(fmt.Sprintf("%s[%d]", path, i), "not an event type")
		default:
			told = true
			p.Addf(fmt.Sprintf("%s[%d]", path, i), "must be one of %s", strings.Join(subscribable, ", "))
		}
	}
	if len(*events) == 0 {
		p.Addf(path, "at least one is required")
	}
	*events = kept
}

// Check tidies a draft and tells all that is wrong with it. Create checks too;
// it is for who has more to complain about. Errors: Invalid.
func (s *Service) Check(d *Draft) error {
	var p fault.Problems
	check.Name(&p, "name", &d.Name)
	s.guard.CheckURL(&p, "url", &d.URL)
	checkEvents(&p, "events", &d.Events)
	return p.Err()
}

// Create makes a webhook, active at once, and returns its secret, which is
// shown once. Errors: Invalid, Unprocessable when the organization has as many
// as it may, and Conflict when there is a webhook of the draft's id.
func (s *Service) Create(ctx context.Context, actor account.Actor, d Draft) (w Webhook, secret string, err error) {
	if err := s.Check(&d); err != nil {
		return Webhook{}, "", err
	}
	if d.ID == uuid.Nil {
		d.ID = uuid.Must(uuid.NewV7())
	}
	random := newSecret()
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		// Whoever creates at the same time waits here, and counts in a statement
		// of its own: one that locks and counts would not see what it waited for.
		_, err := tx.Exec(ctx, `select from organization where id = @id for no key update`, pgx.NamedArgs{"id": actor.OrganizationID})
		if err != nil {
			return fmt.Errorf("lock the organization: %w", err)
		}
		w, err = one(ctx, tx, `
			insert into webhook (id, organization_id, name, url, events, secret, created_by)
			values (@id, @organization_id, @name, @url, @events, @secret, @created_by)
			returning `+columns, pgx.NamedArgs{
			"id": d.ID, "organization_id": actor.OrganizationID, "name": d.Name, "url": d.URL, "events": d.Events,
			"secret": s.vault.Seal(random, secretCell(actor.OrganizationID, d.ID, secretColumn)), "created_by": actor.Name,
		})
		if postgres.Constraint(err) == "webhook_pkey" {
			return fault.Conflictf("This webhook was created already")
		}
		if err != nil {
			return err
		}
		// Counted last: the tenth that is sent twice was created already, it is not
		// the eleventh.
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
			map[string]any{"name": w.Name, "host": hostOf(w.URL), "events": w.Events})
	})
	if err != nil {
		return Webhook{}, "", err
	}
	return w, showSecret(random), nil
}

// hostOf is what the audit log shows of a URL: paths and queries of webhooks
// often are secrets.
func hostOf(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return ""
	}
	return u.Host
}

// Change says what is to be different about a webhook. Nil fields leave it as
// it is.
type Change struct {
	Name     *string   `json:"name"`
	URL      *string   `json:"url"`
	Events   *[]string `json:"events"`
	IsActive *bool     `json:"is_active"`

	// These cannot be changed, and are Invalid unless they are the webhook's. A
	// client that sends back the webhook it read sends them too.
	ID        *string    `json:"id"`
	Secret    *string    `json:"secret"`
	CreatedAt *time.Time `json:"created_at"`
}

// CheckChange tidies a change and tells what is wrong with it, as far as can be
// said without the webhook. Update checks too; it is for who has more to
// complain about. Errors: Invalid.
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
	return p.Err()
}

// Update changes a webhook. Deliveries that wait go to the new URL; events that
// have happened are not looked at again. Errors: NotFound, Invalid.
func (s *Service) Update(ctx context.Context, actor account.Actor, id uuid.UUID, c Change) (w Webhook, err error) {
	var p fault.Problems
	p.Also(s.CheckChange(&c))
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		if w, err = lock(ctx, tx, actor.OrganizationID, id); err != nil {
			return err
		}
		if err := s.checkReadOnly(ctx, tx, &p, w, c); err != nil {
			return err
		}
		if err := p.Err(); err != nil {
			return err
		}
		if err := update(ctx, tx, actor, &w, c); err != nil || c.IsActive == nil {
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

// checkReadOnly finds what c says about fields that don't change.
func (s *Service) checkReadOnly(ctx context.Context, tx pgx.Tx, p *fault.Problems, w Webhook, c Change) error {
	const readOnly = "cannot be changed"
	if c.ID != nil && *c.ID != w.ID.String() {
		p.Addf("id", readOnly)
	}
	if c.CreatedAt != nil && !c.CreatedAt.Equal(w.CreatedAt) {
		p.Addf("created_at", readOnly)
	}
	if c.Secret != nil {
		var sealed []byte
		if err := tx.QueryRow(ctx, `select secret from webhook where id = @id`, pgx.NamedArgs{"id": w.ID}).Scan(&sealed); err != nil {
			return fmt.Errorf("read the secret of webhook %s: %w", w.ID, err)
		}
		secrets, err := openSecrets(s.vault, w.OrganizationID, w.ID, sealed, nil)
		if err != nil {
			return err
		}
		if subtle.ConstantTimeCompare([]byte(*c.Secret), []byte(showSecret(secrets[0]))) == 0 {
			p.Addf("secret", "cannot be changed, only rotated")
		}
	}
	return nil
}

// update writes the fields of c that differ from w's. The caller holds the row
// lock; w is brought up to date.
func update(ctx context.Context, tx pgx.Tx, actor account.Actor, w *Webhook, c Change) error {
	next, data := *w, map[string]any{}
	if c.Name != nil && *c.Name != w.Name {
		next.Name = *c.Name
		data["name_before"] = w.Name
	}
	if c.URL != nil && *c.URL != w.URL {
		next.URL = *c.URL
		data["host"], data["host_before"] = hostOf(next.URL), hostOf(w.URL)
	}
	if c.Events != nil && !slices.Equal(*c.Events, w.Events) {
		next.Events = *c.Events
		data["events"], data["events_before"] = next.Events, w.Events
	}
	if len(data) == 0 {
		return nil
	}
	after, err := one(ctx, tx, `
		update webhook set name = @name, url = @url, events = @events
		where id = @id
		returning `+columns, pgx.NamedArgs{"id": w.ID, "name": next.Name, "url": next.URL, "events": next.Events})
	if err != nil {
		return err
	}
	*w = after
	data["name"] = w.Name
	return account.Record(ctx, tx, actor, "webhook.updated", account.Object{Type: "webhook", ID: w.ID}, data)
}

// Delete ends a webhook for good: it and its deliveries are gone for everybody
// at once, and nothing is delivered to it any more. Errors: NotFound.
func (s *Service) Delete(ctx context.Context, actor account.Actor, id uuid.UUID) error {
	return postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		w, err := lock(ctx, tx, actor.OrganizationID, id)
		if err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `update webhook set deleted_at = clock() where id = @id`, pgx.NamedArgs{"id": id}); err != nil {
			return fmt.Errorf("delete webhook %s: %w", id, err)
		}
		return account.Record(ctx, tx, actor, "webhook.deleted", account.Object{Type: "webhook", ID: id},
			map[string]any{"name": w.Name, "host": hostOf(w.URL)})
	})
}
