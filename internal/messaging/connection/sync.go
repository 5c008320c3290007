package connection

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/messaging"
	"github.com/dialwright/dialwright/internal/messaging/cloud"
	"github.com/dialwright/dialwright/internal/postgres"
)

// connectionRef names the connection that an account was read over.
type connectionRef struct {
	organizationID uuid.UUID
	connectionID   uuid.UUID
	creating       bool // a number that is connected elsewhere fails the connection
}

// scopeKey is the operator's name of a scope.
type scopeKey struct{ kind, externalID string }

// key returns the scope of a number: its account's portfolio, or the number itself if the
// operator names no portfolio.
func key(portfolio, externalID string) scopeKey {
	if portfolio != "" {
		return scopeKey{"portfolio", portfolio}
	}
	return scopeKey{"number", externalID}
}

// storedNumber is a number as the database has it.
type storedNumber struct {
	ID                uuid.UUID
	ScopeID           uuid.UUID
	ExternalID        string
	PhoneNumber, Name *string
	Quality, Status   string
	Rate              int
	Kind              string // of the scope, like the next two
	Portfolio         string
	Tier              string
}

const sqlStored = `
	select n.id, n.scope_id, n.external_id, n.phone_number, n.name, n.quality, n.status, n.rate, s.kind,
		s.external_id as portfolio, s.tier
	from messaging_number n join messaging_scope s on s.id = n.scope_id
	where n.connection_id = @connection and n.disconnected_at is null`

// store writes what a read returned. Usually nothing has changed and only the time of the
// read is written.
func (s *Service) store(ctx context.Context, at connectionRef, l *listing) error {
	if !l.whole || l.portfolio == "" {
		err := s.pool.QueryRow(ctx, `select portfolio from messaging_connection where id = @id`,
			pgx.NamedArgs{"id": at.connectionID}).Scan(&l.portfolio)
		if err != nil {
			return fmt.Errorf("read the portfolio of messaging connection %s: %w", at.connectionID, err)
		}
	}
	if !l.whole {
		same, err := s.same(ctx, at, l)
		if err != nil {
			return err
		}
		if same {
			return s.noteRead(ctx, at)
		}
	}
	return s.apply(ctx, at, l, func(w *syncTx) error { return w.update(ctx) })
}

// lastPortfolio returns the portfolio that the account belonged to when any organization
// connected it before. A token that may not see the portfolio does not end it. Otherwise
// each number would get a limit of its own, although they share one.
func (s *Service) lastPortfolio(ctx context.Context, account string) (portfolio string, err error) {
	err = s.pool.QueryRow(ctx, `
		select portfolio from messaging_connection
		where account = @account and portfolio <> ''
		order by created_at desc, id desc limit 1`, pgx.NamedArgs{"account": account}).Scan(&portfolio)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return "", fmt.Errorf("read the portfolio of an account: %w", err)
	}
	return portfolio, nil
}

func (s *Service) noteRead(ctx context.Context, at connectionRef) error {
	_, err := s.pool.Exec(ctx, `
		update messaging_connection set read_at = clock(), last_error = null, last_error_at = null
		where id = @id and disconnected_at is null`, pgx.NamedArgs{"id": at.connectionID})
	if err != nil {
		return fmt.Errorf("note the read of messaging connection %s: %w", at.connectionID, err)
	}
	return nil
}

// same reports whether the account's numbers are as the database has them.
func (s *Service) same(ctx context.Context, at connectionRef, l *listing) (bool, error) {
	have, err := postgres.Collect(ctx, s.pool, pgx.RowToStructByName[storedNumber],
		sqlStored, pgx.NamedArgs{"connection": at.connectionID})
	if err != nil {
		return false, fmt.Errorf("read the numbers of messaging connection %s: %w", at.connectionID, err)
	}
	if len(have) != len(l.numbers) {
		return false, nil
	}
	tiers := l.tiers()
	for _, n := range l.numbers {
		i := slices.IndexFunc(have, func(h storedNumber) bool { return h.ExternalID == n.ID })
		if i < 0 {
			return false, nil
		}
		k := key(l.portfolio, n.ID)
		if h := have[i]; (scopeKey{h.Kind, h.Portfolio}) != k || h.Tier != tiers[k].String() || !h.shows(n) {
			return false, nil
		}
	}
	return true, nil
}

func (h storedNumber) shows(n cloud.Number) bool {
	return postgres.Same(h.PhoneNumber, postgres.OrNull(n.PhoneNumber)) &&
		postgres.Same(h.Name, postgres.OrNull(n.Name)) &&
		h.Quality == n.Quality && h.Status == n.Status && h.Rate == rateOf(n)
}

// rateOf returns how many messages per second the operator accepts from a number.
func rateOf(n cloud.Number) int {
	switch {
	case n.Coexistence:
		return 20
	case n.Throughput == "HIGH":
		return 1000
	}
	return 80
}

// tiers returns the limits of an account's scopes. Numbers of one portfolio share a
// limit. If the operator reports different limits for them, the lowest known one applies.
func (l *listing) tiers() map[scopeKey]cloud.Tier {
	tiers := map[scopeKey]cloud.Tier{}
	for _, n := range l.numbers {
		k := key(l.portfolio, n.ID)
		old, known := tiers[k]
		if !known || n.Tier.Known() && (!old.Known() || n.Tier.Limit() < old.Limit()) {
			tiers[k] = n.Tier
		}
	}
	return tiers
}

// syncTx is a transaction under the locks of the scopes of one account. It stores what
// the operator reports of the account.
type syncTx struct {
	*messaging.ScopeTx
	log     *slog.Logger
	at      connectionRef
	listing *listing
}

// apply does work under the locks of all scopes that the account's numbers leave or
// enter.
func (s *Service) apply(ctx context.Context, at connectionRef, l *listing, do func(*syncTx) error) error {
	var kinds, externalIDs, numbers []string
	for _, n := range l.numbers {
		numbers = append(numbers, n.ID)
	}
	for k := range l.tiers() {
		kinds, externalIDs = append(kinds, k.kind), append(externalIDs, k.externalID)
	}
	ids := make([]uuid.UUID, len(kinds))
	for i := range ids {
		ids[i] = uuid.Must(uuid.NewV7())
	}
	if err := s.claim(ctx, l.portfolio, numbers); err != nil {
		return err
	}
	args := pgx.NamedArgs{
		"ids": ids, "kinds": kinds, "external_ids": externalIDs, "connection": at.connectionID, "numbers": numbers,
	}
	// This is committed at once: an unused scope does no harm.
	_, err := s.pool.Exec(ctx, `
		insert into messaging_scope (id, kind, external_id)
		select * from unnest(@ids::uuid[], @kinds::text[], @external_ids::text[])
		on conflict do nothing`, args)
	if err != nil {
		return fmt.Errorf("create messaging scopes: %w", err)
	}
	scopes, err := postgres.Collect(ctx, s.pool, pgx.RowTo[uuid.UUID], `
		select id from messaging_scope
		where (kind, external_id) in (select * from unnest(@kinds::text[], @external_ids::text[]))
		   or kind = 'number' and external_id = any(@numbers::text[])
		union
		select scope_id from messaging_number where connection_id = @connection and disconnected_at is null`, args)
	if err != nil {
		return fmt.Errorf("find messaging scopes: %w", err)
	}
	return s.messages.InScopes(ctx, scopes, func(w *messaging.ScopeTx) error {
		return do(&syncTx{ScopeTx: w, log: s.log, at: at, listing: l})
	})
}

// update stores an account: its numbers and their limits, and, if the read was whole, the
// portfolio and the templates.
func (w *syncTx) update(ctx context.Context) error {
	at, l := w.at, w.listing
	args := pgx.NamedArgs{
		"connection": at.connectionID, "organization_id": at.organizationID, "portfolio": l.portfolio,
		"whole": l.whole,
	}
	tag, err := w.Tx.Exec(ctx, `
		update messaging_connection set
			read_at = clock(), last_error = null, last_error_at = null,
			portfolio = case when @whole then @portfolio else portfolio end,
			listed_at = case when @whole then clock() else listed_at end
		where id = @connection and disconnected_at is null`, args)
	if err != nil {
		return fmt.Errorf("update messaging connection %s: %w", at.connectionID, err)
	}
	if tag.RowsAffected() == 0 {
		return nil // it was disconnected during the read
	}
	scopes, err := w.limits(ctx)
	if err != nil {
		return err
	}
	have, err := postgres.Collect(ctx, w.Tx, pgx.RowToStructByName[storedNumber],
		sqlStored+` for no key update of n`, args)
	if err != nil {
		return fmt.Errorf("read the numbers of messaging connection %s: %w", at.connectionID, err)
	}
	args["listed"], args["leaving"] = listedIDs(l), leaving(have, l, scopes)
	if err := lockUse(ctx, w.Tx, `id = any(@leaving::uuid[])`, args); err != nil {
		return err
	}
	for _, n := range l.numbers {
		scopeID := scopes[key(l.portfolio, n.ID)]
		if j := slices.IndexFunc(have, func(h storedNumber) bool { return h.ExternalID == n.ID }); j >= 0 {
			err = w.updateNumber(ctx, have[j], n, scopeID)
		} else {
			err = w.addNumber(ctx, n, scopeID)
		}
		if err != nil {
			return err
		}
	}
	_, err = w.Tx.Exec(ctx, `
		update messaging_number set disconnected_at = clock()
		where connection_id = @connection and disconnected_at is null and not external_id = any(@listed::text[])`, args)
	if err != nil {
		return fmt.Errorf("disconnect numbers of messaging connection %s: %w", at.connectionID, err)
	}
	if !l.whole {
		return nil
	}
	return w.updateTemplates(ctx)
}

func listedIDs(l *listing) []string {
	ids := make([]string, len(l.numbers))
	for i, n := range l.numbers {
		ids[i] = n.ID
	}
	return ids
}

// leaving returns the numbers that change their scope or are no longer listed.
func leaving(have []storedNumber, l *listing, scopes map[scopeKey]uuid.UUID) []uuid.UUID {
	ids := []uuid.UUID{}
	for _, h := range have {
		i := slices.IndexFunc(l.numbers, func(n cloud.Number) bool { return n.ID == h.ExternalID })
		if i < 0 || scopes[key(l.portfolio, h.ExternalID)] != h.ScopeID {
			ids = append(ids, h.ID)
		}
	}
	return ids
}

// lockUse waits for transactions that are creating messages of some numbers and blocks
// new ones. messaging.Service.Create takes the lock that it waits for.
func lockUse(ctx context.Context, tx pgx.Tx, which string, args pgx.NamedArgs) error {
	if _, err := tx.Exec(ctx, `select from messaging_number where `+which+` order by id for update`, args); err != nil {
		return fmt.Errorf("lock messaging numbers: %w", err)
	}
	return nil
}

// limits stores the operator's limits and returns the IDs of the scopes.
func (w *syncTx) limits(ctx context.Context) (map[scopeKey]uuid.UUID, error) {
	ids := map[scopeKey]uuid.UUID{}
	for k, tier := range w.listing.tiers() {
		var id uuid.UUID
		var before string
		err := w.Tx.QueryRow(ctx, `
			update messaging_scope s set tier = @tier, tier_limit = @limit
			from messaging_scope b
			where s.kind = @kind and s.external_id = @external_id and b.id = s.id
			returning s.id, b.tier`,
			pgx.NamedArgs{
				"kind": k.kind, "external_id": k.externalID, "tier": tier.String(), "limit": tier.Limit(),
			}).Scan(&id, &before)
		if err != nil {
			return nil, fmt.Errorf("update the limit of a messaging scope: %w", err)
		}
		ids[k] = id
		w.Scopes[id].Limit = tier.Limit()
		if !tier.Known() && before != tier.String() {
			w.log.WarnContext(ctx, "WhatsApp reports an unknown messaging limit, the lowest applies", "tier",
				tier.String(), "limit", tier.Limit())
		}
	}
	return ids, nil
}

func (w *syncTx) numberArgs(n cloud.Number, scopeID uuid.UUID) pgx.NamedArgs {
	return pgx.NamedArgs{
		"organization_id": w.at.organizationID, "connection": w.at.connectionID, "scope": scopeID, "external_id": n.ID,
		"phone_number": postgres.OrNull(n.PhoneNumber), "name": postgres.OrNull(n.Name), "quality": n.Quality,
		"status": n.Status, "rate": rateOf(n),
	}
}

func (w *syncTx) addNumber(ctx context.Context, n cloud.Number, scopeID uuid.UUID) error {
	args := w.numberArgs(n, scopeID)
	args["id"] = uuid.Must(uuid.NewV7())
	tag, err := w.Tx.Exec(ctx, `
		insert into messaging_number (id, organization_id, connection_id, scope_id, external_id, phone_number, name,
			quality, status, rate)
		values (@id, @organization_id, @connection, @scope, @external_id, @phone_number, @name, @quality, @status,
			@rate)
		on conflict (external_id) where disconnected_at is null do nothing`, args)
	if err != nil {
		return fmt.Errorf("add a number to messaging connection %s: %w", w.at.connectionID, err)
	}
	if tag.RowsAffected() == 1 {
		return w.adopt(ctx, n.ID, scopeID)
	}
	if w.at.creating {
		return fault.Conflictf("WhatsApp number %s is already connected", n.ID)
	}
	// Another connection has the number. Its next read will release it.
	w.log.WarnContext(ctx, "a WhatsApp number is listed by two accounts", "connection", w.at.connectionID,
		"external_id", n.ID)
	return nil
}

func (w *syncTx) updateNumber(ctx context.Context, h storedNumber, n cloud.Number, scopeID uuid.UUID) error {
	if h.ScopeID == scopeID && h.shows(n) {
		return nil
	}
	args := w.numberArgs(n, scopeID)
	args["id"] = h.ID
	_, err := w.Tx.Exec(ctx, `
		update messaging_number
		set scope_id = @scope, phone_number = @phone_number, name = @name, quality = @quality, status = @status,
			rate = @rate
		where id = @id`, args)
	if err != nil {
		return fmt.Errorf("update messaging number %s: %w", h.ID, err)
	}
	if h.ScopeID == scopeID {
		return nil
	}
	return w.moveMessages(ctx, h, scopeID)
}

// moveMessages moves a number's messages, and the recipients who count for them, to
// another scope.
func (w *syncTx) moveMessages(ctx context.Context, h storedNumber, to uuid.UUID) error {
	_, err := w.Tx.Exec(ctx, `
		update message set scope_id = @to
			where organization_id = @organization_id and number_id = @number and scope_id = @from`,
		pgx.NamedArgs{"organization_id": w.at.organizationID, "number": h.ID, "from": h.ScopeID, "to": to})
	if err != nil {
		return fmt.Errorf("move the messages of number %s to another scope: %w", h.ID, err)
	}
	rows, err := w.Tx.Query(ctx, `
		select distinct phone_number from message
		where scope_id = @to and number_id = @number and counted_at > @edge`,
		pgx.NamedArgs{"to": to, "number": h.ID, "edge": w.Scopes[to].Edge()})
	if err != nil {
		return fmt.Errorf("read the recipients of number %s: %w", h.ID, err)
	}
	recipients := map[string]struct{}{}
	var recipient string
	if _, err := pgx.ForEachRow(rows, []any{&recipient}, func() error {
		recipients[recipient] = struct{}{}
		return nil
	}); err != nil {
		return fmt.Errorf("read the recipients of number %s: %w", h.ID, err)
	}
	for _, id := range []uuid.UUID{h.ScopeID, to} {
		if err := w.Recount(ctx, w.Scopes[id], recipients, nil); err != nil {
			return err
		}
	}
	return w.adopt(ctx, h.ExternalID, to)
}

// adopt moves what was sent from a number while its portfolio was unknown to the
// portfolio's scope, where it counts.
func (w *syncTx) adopt(ctx context.Context, externalID string, to uuid.UUID) error {
	var from uuid.UUID
	err := w.Tx.QueryRow(ctx, `select id from messaging_scope
		where kind = 'number' and external_id = @external_id and id <> @to`,
		pgx.NamedArgs{"external_id": externalID, "to": to}).Scan(&from)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("find the scope of a number: %w", err)
	}
	if w.Scopes[from] == nil {
		return messaging.ErrMoved // it was created after the locks were taken; the next read will lock it
	}
	rows, err := w.Tx.Query(ctx, `
		update message set scope_id = @to where scope_id = @from and counted_at is not null returning phone_number`,
		pgx.NamedArgs{"from": from, "to": to})
	if err != nil {
		return fmt.Errorf("move messages to another scope: %w", err)
	}
	recipients := map[string]struct{}{}
	var recipient string
	if _, err := pgx.ForEachRow(rows, []any{&recipient}, func() error {
		recipients[recipient] = struct{}{}
		return nil
	}); err != nil {
		return fmt.Errorf("move messages to another scope: %w", err)
	}
	for _, id := range []uuid.UUID{from, to} {
		if err := w.Recount(ctx, w.Scopes[id], recipients, nil); err != nil {
			return err
		}
	}
	return nil
}

func (w *syncTx) updateTemplates(ctx context.Context) error {
	templates := w.listing.templates
	n := len(templates)
	ids, names, languages := make([]uuid.UUID, n), make([]string, n), make([]string, n)
	statuses, categories, contents := make([]string, n), make([]string, n), make([]string, n)
	for i, t := range templates {
		content, err := json.Marshal(t)
		if err != nil {
			return fmt.Errorf("encode a template: %w", err)
		}
		ids[i], names[i], languages[i] = uuid.Must(uuid.NewV7()), t.Name, t.Language
		statuses[i], categories[i], contents[i] = t.Status, t.Category, string(content)
	}
	_, err := w.Tx.Exec(ctx, `
		with listed as (
			select distinct on (name, language) * from unnest(
				@ids::uuid[], @names::text[], @languages::text[], @statuses::text[], @categories::text[],
					@contents::text[]
			) l (id, name, language, status, category, content)),
		gone as (
			update messaging_template t set removed_at = clock()
			where t.connection_id = @connection and t.removed_at is null
			  and not exists (select from listed l where l.name = t.name and l.language = t.language))
		insert into messaging_template (id, organization_id, connection_id, name, language, status, category, content)
		select l.id, @organization_id, @connection, l.name, l.language, l.status, l.category, l.content::jsonb
			from listed l
		on conflict on constraint messaging_template_unique do update
		set status = excluded.status, category = excluded.category, content = excluded.content, removed_at = null,
			previous_category = case when messaging_template.category in ('', excluded.category)
				then messaging_template.previous_category else messaging_template.category end,
			category_changed_at = case when messaging_template.category in ('', excluded.category)
				then messaging_template.category_changed_at else clock() end,
			next_category = nullif(messaging_template.next_category, excluded.category),
			next_category_at = case when messaging_template.next_category is distinct from excluded.category
				then messaging_template.next_category_at end
		where (messaging_template.status, messaging_template.category, messaging_template.content,
			messaging_template.removed_at)
		      is distinct from (excluded.status, excluded.category, excluded.content, null)`, pgx.NamedArgs{
		"ids": ids, "names": names, "languages": languages, "statuses": statuses, "categories": categories,
		"contents":   contents,
		"connection": w.at.connectionID, "organization_id": w.at.organizationID,
	})
	if err != nil {
		return fmt.Errorf("update the templates of messaging connection %s: %w", w.at.connectionID, err)
	}
	return nil
}
