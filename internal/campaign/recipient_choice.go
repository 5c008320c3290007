package campaign

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/postgres"
)

// MaxChosen is how many recipients one request may cancel, prioritize or change.
const MaxChosen = 1000

// Chosen names recipients of one campaign: by their IDs, by their external IDs, or by both.
type Chosen struct {
	IDs         []string `json:"ids"`
	ExternalIDs []string `json:"external_ids"`
}

// Check reports a wrong number of recipients. Errors: Invalid.
func (c Chosen) Check() error {
	var p fault.Problems
	switch n := len(c.IDs) + len(c.ExternalIDs); {
	case n == 0:
		p.Addf("ids", "ids or external_ids must name at least one recipient")
	case n > MaxChosen:
		p.Addf("ids", "ids and external_ids together must have at most %d elements", MaxChosen)
	}
	return p.Err()
}

// RecipientResult is what became of one recipient of a request about many.
type RecipientResult string

// The results. A recipient InProgress is being called: what the request does to them follows the call.
const (
	RecipientWasCanceled    RecipientResult = "canceled"
	RecipientWasPrioritized RecipientResult = "prioritized"
	RecipientWasUpdated     RecipientResult = "updated"
	RecipientUnchanged      RecipientResult = "unchanged"
	RecipientBeingCalled    RecipientResult = "in_progress"
	RecipientAlreadyEnded   RecipientResult = "already_ended"
	RecipientRefused        RecipientResult = "refused"
	RecipientUnknown        RecipientResult = "unknown"
)

// ChosenResult is the result for one recipient of a request. An unknown recipient has only what the request named.
type ChosenResult struct {
	ID         *string         `json:"id"`
	ExternalID *string         `json:"external_id"`
	Result     RecipientResult `json:"result"`
}

// chosenRow is a recipient whom a request names.
type chosenRow struct {
	ID         uuid.UUID
	ExternalID *string
	Status     RecipientStatus
	Attempts   int
}

// result returns the result of a change that only a pending recipient takes.
func (r chosenRow) result(done RecipientResult) RecipientResult {
	switch {
	case r.Status == RecipientPending:
		return done
	case r.Status.dialed():
		return RecipientBeingCalled
	}
	return RecipientAlreadyEnded
}

// sqlChosen finds recipients by their IDs and external IDs. Calls of their own are no recipients of lists.
const sqlChosen = `
	from recipient
	where organization_id = @organization_id and campaign_id = @campaign_id and first_call_id is null and id in (
		select id from recipient where id = any(@ids::uuid[])
		union all
		select id from recipient
		where campaign_id = @campaign_id and external_id = any(@external_ids::text[]) and first_call_id is null)`

func (c Chosen) args(organizationID, campaignID uuid.UUID) pgx.NamedArgs {
	ids := []uuid.UUID{}
	for _, text := range c.IDs {
		if id, ok := check.ParseID(text); ok { // a malformed ID is unknown
			ids = append(ids, id)
		}
	}
	return pgx.NamedArgs{
		"organization_id": organizationID, "campaign_id": campaignID, "ids": ids, "external_ids": c.ExternalIDs,
	}
}

// results lists the results in the order of the request.
func (c Chosen) results(rows []chosenRow, done RecipientResult) []ChosenResult {
	byID, byExternalID := map[string]chosenRow{}, map[string]chosenRow{}
	for _, r := range rows {
		byID[r.ID.String()] = r
		if r.ExternalID != nil {
			byExternalID[*r.ExternalID] = r
		}
	}
	all := make([]ChosenResult, 0, len(c.IDs)+len(c.ExternalIDs))
	known := func(r chosenRow) ChosenResult {
		return ChosenResult{ID: new(r.ID.String()), ExternalID: r.ExternalID, Result: r.result(done)}
	}
	for _, text := range c.IDs {
		id, _ := check.ParseID(text)
		if r, ok := byID[id.String()]; ok {
			all = append(all, known(r))
		} else {
			all = append(all, ChosenResult{ID: &text, Result: RecipientUnknown})
		}
	}
	for _, externalID := range c.ExternalIDs {
		if r, ok := byExternalID[externalID]; ok {
			all = append(all, known(r))
		} else {
			all = append(all, ChosenResult{ExternalID: &externalID, Result: RecipientUnknown})
		}
	}
	return all
}

// choice is a change of some recipients of a campaign.
type choice struct {
	action string // of the audit entry
	log    LogType
	done   RecipientResult

	// apply changes the recipients who wait for a call. dialed are being called. The caller holds the campaign's lock.
	apply func(ctx context.Context, tx pgx.Tx, c *Locked, pending, dialed []uuid.UUID) error
}

// choose applies a change to the recipients that a request names, or to all that match a filter. A claim holds the lock
// of the campaign until it commits, so each recipient is either waiting or being called. Errors: NotFound for the
// campaign.
func (s *Service) choose(
	ctx context.Context, actor account.Actor, campaignID uuid.UUID, chosen Chosen, matching *RecipientOptions,
	do choice,
) (results []ChosenResult, err error) {
	err = postgres.InTx(ctx, s.db, func(tx pgx.Tx) error {
		c, err := lockList(ctx, tx, actor.OrganizationID, campaignID)
		if err != nil {
			return err
		}
		named := chosen
		if matching != nil {
			if named, err = s.matched(ctx, tx, actor.OrganizationID, campaignID, *matching); err != nil {
				return err
			}
		}
		rows, err := postgres.Collect(ctx, tx, pgx.RowToStructByName[chosenRow],
			`select id, external_id, status, attempts `+sqlChosen, named.args(actor.OrganizationID, campaignID))
		if err != nil {
			return fmt.Errorf("read %d recipients of campaign %s: %w",
				len(named.IDs)+len(named.ExternalIDs), campaignID, err)
		}
		results = named.results(rows, do.done)
		var pending, dialed []uuid.UUID
		for _, r := range rows {
			switch {
			case r.Status == RecipientPending:
				pending = append(pending, r.ID)
			case r.Status.dialed():
				dialed = append(dialed, r.ID)
			}
		}
		if len(pending)+len(dialed) == 0 {
			return nil
		}
		return do.apply(ctx, tx, &c, pending, dialed)
	})
	if err != nil {
		return nil, err
	}
	s.Wake()
	return results, nil
}

// matched names the recipients that match a filter. The caller holds the lock of the campaign. Errors: Invalid, also
// for more than MaxMatching.
func (s *Service) matched(
	ctx context.Context, tx pgx.Tx, organizationID, campaignID uuid.UUID, o RecipientOptions,
) (Chosen, error) {
	ids, err := s.matching(ctx, tx, organizationID, campaignID, o)
	if err != nil {
		return Chosen{}, err
	}
	if len(ids) > MaxMatching {
		return Chosen{}, fault.Invalidf("", "More than %d recipients match. Narrow the filter", MaxMatching)
	}
	named := Chosen{IDs: make([]string, len(ids))}
	for i, id := range ids {
		named.IDs[i] = id.String()
	}
	return named, nil
}

// lockList locks a campaign with a list of recipients. A standing campaign has none. Errors: NotFound.
func lockList(ctx context.Context, tx pgx.Tx, organizationID, id uuid.UUID) (Locked, error) {
	c, err := Lock(ctx, tx, organizationID, id)
	if err == nil && c.Standing {
		return Locked{}, fault.NotFoundf("Campaign")
	}
	return c, err
}

// recordChosen writes the audit entry and the log entry of a change of some recipients. The log counts the recipients
// of an hour in one entry, because an integration may change them one by one.
func recordChosen(
	ctx context.Context, tx pgx.Tx, actor account.Actor, c *Locked, action string, log LogType, ids []uuid.UUID,
	data map[string]any,
) error {
	if len(ids) == 0 {
		return nil
	}
	all := map[string]any{"name": c.Name, "recipients": len(ids), "recipient_ids": ids}
	for k, v := range data {
		all[k] = v
	}
	err := account.Record(ctx, tx, actor, action, account.Object{Type: "campaign", ID: c.ID}, all)
	if err != nil {
		return err
	}
	return CountLog(ctx, tx, actor.OrganizationID, c.ID, log, LogDetails{Recipients: len(ids)}, false)
}

// tellWaiting updates what a scheduled campaign waits for. The dialer writes what a running campaign waits for, in the
// pass that begins now.
func tellWaiting(ctx context.Context, tx pgx.Tx, c *Locked) error {
	waiting := Tally{}
	if c.Status == Scheduled && c.Unfinished > 0 {
		waiting.Add(WaitScheduled, c.Unfinished, c.ScheduledAt)
	}
	_, err := tx.Exec(ctx, `
		update campaign set
			waiting = case when status = 'scheduled' then @waiting else waiting end,
			dial_at = case when status = 'running' then least(dial_at, clock()) else dial_at end
		where id = @id`, pgx.NamedArgs{"id": c.ID, "waiting": waiting.List()})
	if err != nil {
		return fmt.Errorf("wake campaign %s: %w", c.ID, err)
	}
	return nil
}

// one makes the change of a single recipient. Errors: NotFound for the campaign or the recipient; Conflict for a
// recipient whose last status is reached, with what can no longer be done.
func (s *Service) one(
	ctx context.Context, actor account.Actor, campaignID, id uuid.UUID, do choice, what string,
) (after Recipient, err error) {
	err = postgres.InTx(ctx, s.db, func(tx pgx.Tx) error {
		in := s.In(tx)
		results, err := in.choose(ctx, actor, campaignID, Chosen{IDs: []string{id.String()}}, nil, do)
		if err != nil {
			return err
		}
		if after, err = in.Recipient(ctx, actor.OrganizationID, campaignID, id); err != nil {
			return err
		}
		switch results[0].Result {
		case do.done:
			return nil
		case RecipientBeingCalled:
			if do.done == RecipientWasCanceled { // no call follows
				return nil
			}
			return fault.Conflictf("This recipient is being called and can no longer be %s", what)
		}
		return fault.Conflictf("This recipient is %s and can no longer be %s", after.Status, what)
	})
	if err != nil {
		return Recipient{}, err
	}
	s.Wake()
	return after, nil
}

// CancelRecipients cancels recipients of a campaign: nobody calls them. A call in progress continues, and none follows
// it. The messages that the campaign has queued before their calls are withdrawn. Canceling a recipient twice changes
// nothing. Errors: Invalid; NotFound for the campaign.
func (s *Service) CancelRecipients(
	ctx context.Context, actor account.Actor, campaignID uuid.UUID, chosen Chosen,
) ([]ChosenResult, error) {
	if err := chosen.Check(); err != nil {
		return nil, err
	}
	return s.choose(ctx, actor, campaignID, chosen, nil, cancellation(actor))
}

// CancelMatching is CancelRecipients for all recipients that match a filter, at most MaxMatching.
func (s *Service) CancelMatching(
	ctx context.Context, actor account.Actor, campaignID uuid.UUID, o RecipientOptions,
) ([]ChosenResult, error) {
	return s.choose(ctx, actor, campaignID, Chosen{}, &o, cancellation(actor))
}

// CancelRecipient is CancelRecipients for one recipient. Errors: NotFound; Conflict for a recipient with a last status.
func (s *Service) CancelRecipient(
	ctx context.Context, actor account.Actor, campaignID, id uuid.UUID,
) (Recipient, error) {
	return s.one(ctx, actor, campaignID, id, cancellation(actor), "canceled")
}

func cancellation(actor account.Actor) choice {
	do := choice{action: "campaign.recipients_canceled", log: LogRecipientsCanceled, done: RecipientWasCanceled}
	do.apply = func(ctx context.Context, tx pgx.Tx, c *Locked, pending, dialed []uuid.UUID) error {
		// Whoever is being called gets no other call when this one is settled.
		marked, err := postgres.Collect(ctx, tx, pgx.RowTo[uuid.UUID], `
			update recipient set canceled_at = clock() where id = any($1) and canceled_at is null returning id`, dialed)
		if err != nil {
			return fmt.Errorf("cancel %d recipients who are being called: %w", len(dialed), err)
		}
		if err := closeChosen(ctx, tx, c, pending); err != nil {
			return err
		}
		if err := recordChosen(ctx, tx, actor, c, do.action, do.log, append(marked, pending...), nil); err != nil {
			return err
		}
		if err := emitRecipients(ctx, tx, actor.OrganizationID, RecipientCanceled, pending); err != nil {
			return err
		}
		if done, err := Complete(ctx, tx, actor.OrganizationID, c); done || err != nil {
			return err
		}
		return tellWaiting(ctx, tx, c)
	}
	return do
}

// closeChosen cancels recipients who wait for a call, with the messages that announce it: the first one, or the next
// one for a message that has waited for the quota since the first.
func closeChosen(ctx context.Context, tx pgx.Tx, c *Locked, ids []uuid.UUID) error {
	if len(ids) == 0 {
		return nil
	}
	announced, err := postgres.Collect(ctx, tx, pgx.RowTo[*time.Time], `
		update recipient set status = 'canceled', canceled_at = clock(), due_at = null, wait_reason = null
		where id = any($1) and status = 'pending'
		returning messaged_at`, ids)
	if err != nil {
		return fmt.Errorf("cancel %d recipients of campaign %s: %w", len(ids), c.ID, err)
	}
	_, err = tx.Exec(ctx, `update campaign set canceled = canceled + $2 where id = $1`, c.ID, len(ids))
	if err != nil {
		return fmt.Errorf("count the canceled recipients of campaign %s: %w", c.ID, err)
	}
	c.Unfinished -= len(ids)
	for _, at := range announced {
		if at != nil {
			return Withdraw(ctx, tx, ids, RecipientCanceled)
		}
	}
	return nil
}

// PrioritizeRecipients has recipients of a campaign called before its others who are due. Recipients who are not due
// yet keep their time. Errors: Invalid; NotFound for the campaign.
func (s *Service) PrioritizeRecipients(
	ctx context.Context, actor account.Actor, campaignID uuid.UUID, chosen Chosen,
) ([]ChosenResult, error) {
	if err := chosen.Check(); err != nil {
		return nil, err
	}
	return s.choose(ctx, actor, campaignID, chosen, nil, priority(actor, new(time.Time)))
}

// PrioritizeSelected is PrioritizeRecipients, for those that are chosen or for all that match a filter, at most
// MaxMatching. It also returns the time by which Unprioritize undoes it. It is zero if nobody was prioritized.
func (s *Service) PrioritizeSelected(
	ctx context.Context, actor account.Actor, campaignID uuid.UUID, chosen Chosen, matching *RecipientOptions,
) (results []ChosenResult, at time.Time, err error) {
	if matching == nil {
		if err := chosen.Check(); err != nil {
			return nil, at, err
		}
	}
	results, err = s.choose(ctx, actor, campaignID, chosen, matching, priority(actor, &at))
	return results, at, err
}

// Unprioritize undoes PrioritizeSelected: the recipients that it prioritized at a time, and that still wait for their
// call, are called in their order again. It returns how many they are. Errors: NotFound for the campaign.
func (s *Service) Unprioritize(
	ctx context.Context, actor account.Actor, campaignID uuid.UUID, at time.Time,
) (n int, err error) {
	err = postgres.InTx(ctx, s.db, func(tx pgx.Tx) error {
		c, err := lockList(ctx, tx, actor.OrganizationID, campaignID)
		if err != nil {
			return err
		}
		changed, err := postgres.Collect(ctx, tx, pgx.RowTo[uuid.UUID], `
			update recipient set prioritized_at = null
			where organization_id = $1 and campaign_id = $2 and status = 'pending' and prioritized_at = $3
			  and first_call_id is null
			returning id`, actor.OrganizationID, campaignID, at)
		if err != nil {
			return fmt.Errorf("undo the priority of recipients of campaign %s: %w", campaignID, err)
		}
		n = len(changed)
		return recordChosen(ctx, tx, actor, &c, "campaign.recipients_unprioritized", LogRecipientsUnprioritized,
			changed, nil)
	})
	if err != nil {
		return 0, err
	}
	s.Wake()
	return n, nil
}

// PrioritizeRecipient is PrioritizeRecipients for one recipient. Errors: NotFound; Conflict for a recipient who is
// being called or has a last status.
func (s *Service) PrioritizeRecipient(
	ctx context.Context, actor account.Actor, campaignID, id uuid.UUID,
) (Recipient, error) {
	return s.one(ctx, actor, campaignID, id, priority(actor, new(time.Time)), "prioritized")
}

// priority sets at to the time by which the change is undone.
func priority(actor account.Actor, at *time.Time) choice {
	do := choice{
		action: "campaign.recipients_prioritized", log: LogRecipientsPrioritized, done: RecipientWasPrioritized,
	}
	do.apply = func(ctx context.Context, tx pgx.Tx, c *Locked, pending, _ []uuid.UUID) error {
		var now time.Time
		if err := tx.QueryRow(ctx, `select clock()::timestamptz(3)`).Scan(&now); err != nil {
			return fmt.Errorf("read the clock: %w", err)
		}
		changed, err := postgres.Collect(ctx, tx, pgx.RowTo[uuid.UUID], `
			update recipient set prioritized_at = $2 where id = any($1) and prioritized_at is null
			returning id`, pending, now)
		if err != nil {
			return fmt.Errorf("prioritize %d recipients of campaign %s: %w", len(pending), c.ID, err)
		}
		if len(changed) > 0 {
			*at = now
		}
		return recordChosen(ctx, tx, actor, c, do.action, do.log, changed, nil)
	}
	return do
}
