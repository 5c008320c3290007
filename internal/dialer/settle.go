package dialer

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/webhook"
)

const (
	settleMost = 200                    // calls settled in one transaction
	settleGap  = 100 * time.Millisecond // between two, so that a campaign's row is locked and written once for many calls
	settlePoll = 5 * time.Second
	settleTime = 30 * time.Second // how long a batch may take that was begun before its process was told to stop

	// settleRest is how long calls are left alone that another process is
	// settling.
	settleRest = 250 * time.Millisecond

	// After a call that the connection could not place, its recipient waits
	// this long, twice as long after the next, and so on.
	carrierLeast = 30 * time.Second
	carrierMost  = 15 * time.Minute
)

// Settler settles ended calls: it decides what happens to each recipient next, and
// writes the campaign's counters. Any number of Settlers may run.
type Settler struct {
	pool  *pgxpool.Pool
	calls *call.Service
	hub   *postgres.Hub
	log   *slog.Logger
	busy  map[uuid.UUID]time.Time // campaigns left alone until then: somebody holds their row
}

// NewSettler makes a settler that is not running yet.
func NewSettler(o LoopOptions) *Settler {
	return &Settler{pool: o.Pool, calls: o.Calls, hub: o.Hub, log: cmp.Or(o.Log, slog.Default()), busy: map[uuid.UUID]time.Time{}}
}

// Run settles until ctx is over. A batch that was begun is finished.
func (s *Settler) Run(ctx context.Context) error {
	wake, stop := s.hub.Subscribe(call.TopicSettlement)
	defer stop()
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-timer.C:
		case <-wake:
		}
		rctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleTime)
		wait, err := s.round(rctx)
		cancel()
		if err != nil {
			return err
		}
		if !sleep(ctx, settleGap) {
			return nil
		}
		timer.Reset(wait - settleGap)
	}
}

// round settles what can be settled, at most one batch, and tells how long
// there is nothing more to do.
func (s *Settler) round(ctx context.Context) (time.Duration, error) {
	most, busy := settlePoll, s.leftAlone()
	if len(busy) > 0 {
		most = busyGap
	}
	var until *float64
	err := s.pool.QueryRow(ctx, `
		select extract(epoch from min(settle_after) - (select clock()))::float8
		from call where ended_at is not null and settled_at is null and (campaign_id = any($1)) is not true`, busy).Scan(&until)
	switch {
	case err != nil:
		return 0, fmt.Errorf("find calls to settle: %w", err)
	case until == nil:
		return most, nil
	case *until > 0:
		return min(most, time.Duration(*until*float64(time.Second))), nil
	}
	n, err := s.batch(ctx)
	if locked, ok := errors.AsType[*lockedError](err); ok {
		s.busy[locked.campaign] = time.Now().Add(busyGap)
		return 0, nil // the others, at once
	}
	if err == nil && n == 0 {
		return settleRest, nil
	}
	return 0, err
}

// leftAlone are the campaigns whose calls are not to be settled now.
func (s *Settler) leftAlone() []uuid.UUID {
	maps.DeleteFunc(s.busy, func(_ uuid.UUID, until time.Time) bool { return !time.Now().Before(until) })
	return slices.Collect(maps.Keys(s.busy))
}

// lockedError says that somebody holds a campaign's row for long. Nothing of the
// batch was settled.
type lockedError struct{ campaign uuid.UUID }

func (e *lockedError) Error() string {
	return fmt.Sprintf("campaign %s is locked by somebody else", e.campaign)
}

// batch settles calls in one transaction, and tells how many.
func (s *Settler) batch(ctx context.Context) (n int, err error) {
	var b *settlement
	var out *webhook.Outbox
	var ended []call.Ended
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) (err error) {
		ended, err = s.calls.Unsettled(ctx, tx, settleMost, s.leftAlone()...)
		if err != nil || len(ended) == 0 {
			return err
		}
		n = len(ended)
		if b, err = openSettlement(ctx, tx, ended); err != nil {
			return err
		}
		for _, e := range ended {
			b.apply(e)
		}
		if err := b.write(ctx); err != nil {
			return err
		}
		if out, err = webhook.Open(ctx, tx, organizations(ended)...); err != nil {
			return err
		}
		if err := b.followUp(ctx, out); err != nil {
			return err
		}
		// In the order of what they tell: a call, whom it was made to, and the
		// campaign that has nobody left.
		if err := s.calls.MarkSettled(ctx, tx, ended, out); err != nil {
			return err
		}
		if err := b.emit(ctx, out); err != nil {
			return err
		}
		return b.complete(ctx)
	})
	if err != nil {
		return 0, fmt.Errorf("settle calls: %w", err)
	}
	for _, e := range ended {
		settlements.WithLabelValues(string(e.Outcome)).Inc()
	}
	if b != nil {
		if b.waits {
			s.hub.Wake(campaign.Topic)
		}
		s.wakeSenders(b)
		if b.ended {
			s.hub.Wake(webhook.Topic)
		}
		out.Wake(s.hub)
	}
	return n, nil
}

func organizations(ended []call.Ended) []uuid.UUID {
	var ids []uuid.UUID
	for _, e := range ended {
		if !slices.Contains(ids, e.OrganizationID) {
			ids = append(ids, e.OrganizationID)
		}
	}
	return ids
}

// settlement is a batch of ended calls: their campaigns, locked, their recipients,
// and what changes about both.
type settlement struct {
	tx         pgx.Tx
	now        time.Time
	campaigns  map[uuid.UUID]*campaignDelta
	recipients map[uuid.UUID]*recipientResult
	results    []*recipientResult
	followed   []uuid.UUID // recipients who get their message now
	unmet      []uuid.UUID // recipients whose message came before a call that never came
	waits      bool        // somebody is to be dialed again
	ended      bool        // a campaign has ended
}

// campaignDelta is a campaign and what the batch changes about it.
type campaignDelta struct {
	campaignRow
	completed, failed, canceled, expired, placed, answered int
	compliance                                             campaign.Compliance
	notPlaced                                              int
	notPlacedReason                                        call.Reason
	waits                                                  bool
}

type campaignRow struct {
	campaign.Locked
	OrganizationID     uuid.UUID
	MaxAttempts        int
	RetryDelays        []int
	RetryOutcomeDelays map[string][]int
	RetryOn            []string
	CallingHours       json.RawMessage
	MessagingTrigger   *campaign.Trigger    // nil: it sends no messages
	Outcomes           map[call.Outcome]int // of its settled calls
}

// recipientResult is a recipient and what becomes of it.
type recipientResult struct {
	recipientRow
	status     campaign.RecipientStatus
	outcome    string
	optedOut   bool
	dueAt      *time.Time
	waitReason *string
}

type recipientRow struct {
	ID         uuid.UUID
	CampaignID uuid.UUID
	Attempts   int
	Zones      []string
	LastCallID uuid.UUID
	NotPlaced  int // calls to it, this one included, that were not placed
}

// openSettlement locks the campaigns of the calls, in one order, and reads their
// recipients, which nobody changes without that lock. A campaign that can't be
// had in a moment is a lockedError: the calls of the others must not wait.
func openSettlement(ctx context.Context, tx pgx.Tx, ended []call.Ended) (*settlement, error) {
	var campaignIDs, recipientIDs []uuid.UUID
	for _, e := range ended {
		if e.CampaignID != nil && e.RecipientID != nil {
			campaignIDs = append(campaignIDs, *e.CampaignID)
			recipientIDs = append(recipientIDs, *e.RecipientID)
		}
	}
	slices.SortFunc(campaignIDs, func(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) })
	campaignIDs = slices.Compact(campaignIDs)

	b := &settlement{tx: tx, campaigns: map[uuid.UUID]*campaignDelta{}, recipients: map[uuid.UUID]*recipientResult{}}
	batch := &pgx.Batch{}
	batch.Queue(sqlShort, lockWait)
	reached := 0
	for _, id := range campaignIDs {
		batch.Queue(`
			select `+campaign.LockedColumns+`, organization_id, max_attempts, retry_delays, retry_outcome_delays, retry_on, calling_hours, messaging_trigger, outcomes
			from campaign where id = $1
			for no key update`, id).Query(func(rows pgx.Rows) error {
			found, err := pgx.CollectRows(rows, pgx.RowToAddrOfStructByName[campaignRow])
			for _, row := range found {
				b.campaigns[row.ID] = &campaignDelta{campaignRow: *row}
			}
			if err == nil {
				reached++
			}
			return err
		})
	}
	batch.Queue(`
		select id, campaign_id, attempts, zones, last_call_id,
		       (select count(*) from call where call.recipient_id = recipient.id and call.ended_reason = any($2)) as not_placed
		from recipient
		where id = any($1) and status = 'dialing' and last_call_id is not null`,
		recipientIDs, noAttempt,
	).Query(func(rows pgx.Rows) error {
		found, err := pgx.CollectRows(rows, pgx.RowToAddrOfStructByName[recipientRow])
		for _, row := range found {
			b.recipients[row.ID] = &recipientResult{recipientRow: *row}
		}
		return err
	})
	batch.Queue(`select clock()`).QueryRow(func(row pgx.Row) error { return row.Scan(&b.now) })
	err := tx.SendBatch(ctx, batch).Close()
	if lockTimedOut(err) && reached < len(campaignIDs) {
		return nil, &lockedError{campaignIDs[reached]}
	}
	if err != nil {
		return nil, fmt.Errorf("lock the campaigns of %d calls: %w", len(ended), err)
	}
	return b, nil
}

// apply decides what becomes of the recipient of a call.
func (b *settlement) apply(e call.Ended) {
	if e.CampaignID == nil || e.RecipientID == nil {
		return
	}
	c, r := b.campaigns[*e.CampaignID], b.recipients[*e.RecipientID]
	if c == nil {
		return // erased meanwhile
	}
	c.Outcomes[e.Outcome]++
	c.compliance.Count(e)
	if e.EndedReason.NotPlaced() {
		c.notPlaced++
		c.notPlacedReason = e.EndedReason
	}
	if r == nil || r.LastCallID != e.ID {
		return // erased meanwhile
	}
	if e.AskedAt != nil && !e.EndedReason.NotPlaced() {
		c.placed++
	}
	if e.AnsweredAt != nil {
		c.answered++
	}
	r.outcome, r.optedOut = string(e.Outcome), e.EndedReason == call.ReasonOptedOut
	over := c.Status.Terminal() || c.ExpiresAt != nil && !c.ExpiresAt.After(b.now)

	switch wait, again := c.retry(e, r); {
	case e.EndedReason.NotPlaced() && over:
		r.Attempts-- // it was never dialed
		r.status = campaign.RecipientCanceled
		if !c.Status.Terminal() {
			r.status = campaign.RecipientExpired
		}
	case e.EndedReason.NotPlaced():
		r.Attempts--
		b.again(c, r, wait, campaign.WaitCarrier)
	case again && !over:
		b.again(c, r, wait, campaign.WaitRetry)
	default:
		r.status = final(e)
	}
	if c.MessagingTrigger != nil && followsUp(*c.MessagingTrigger, e, r.status) {
		b.followed = append(b.followed, r.ID)
	}
	if r.Attempts == 0 && (r.status == campaign.RecipientCanceled || r.status == campaign.RecipientExpired) {
		b.unmet = append(b.unmet, r.ID)
	}
	c.count(r.status)
	b.results = append(b.results, r)
}

// retry tells whether the recipient of a call is to be called again, and after
// what delay. What nobody knows to have failed is never repeated, nor is a
// person called who asked not to be.
func (c *campaignDelta) retry(e call.Ended, r *recipientResult) (time.Duration, bool) {
	switch {
	case e.EndedReason == call.ReasonNotPlaced:
		return 0, true
	case e.EndedReason.NotPlaced():
		return min(carrierLeast<<min(max(r.NotPlaced-1, 0), 10), carrierMost), true
	case e.EndedReason == call.ReasonCarrierLost, e.EndedReason == call.ReasonOptedOut:
		return 0, false
	case r.Attempts >= c.MaxAttempts, !slices.Contains(c.RetryOn, string(e.Outcome)):
		return 0, false
	}
	delays, delay := c.RetryDelays, 0
	if own := c.RetryOutcomeDelays[string(e.Outcome)]; len(own) > 0 {
		delays = own
	}
	if n := len(delays); n > 0 {
		delay = delays[min(max(r.Attempts-1, 0), n-1)]
	}
	return time.Duration(delay) * time.Minute, true
}

// again puts a recipient back among those who wait.
func (b *settlement) again(c *campaignDelta, r *recipientResult, wait time.Duration, reason string) {
	due := b.now.Add(wait)
	at := due
	// Hours that can't be read are the dialer's to report, for this campaign
	// alone; here they would hold up the calls of all others.
	if schedule, err := scheduleOf(c.CallingHours, r.Zones); err == nil {
		at = campaign.Opening(schedule, due)
	}
	if at.After(due) {
		reason = campaign.WaitCallingHours
	}
	r.status, r.dueAt, r.waitReason = campaign.RecipientPending, &at, &reason
	c.waits, b.waits = true, true
}

// final is the last state of a recipient after a call that is not repeated.
func final(e call.Ended) campaign.RecipientStatus {
	switch {
	case e.Outcome == call.OutcomeCompleted, e.EndedReason == call.ReasonVoicemailMessage:
		return campaign.RecipientCompleted
	case e.Outcome == call.OutcomeCanceled:
		return campaign.RecipientCanceled
	}
	return campaign.RecipientFailed
}

func (c *campaignDelta) count(status campaign.RecipientStatus) {
	switch status {
	case campaign.RecipientCompleted:
		c.completed++
	case campaign.RecipientFailed:
		c.failed++
	case campaign.RecipientCanceled:
		c.canceled++
	case campaign.RecipientExpired:
		c.expired++
	default:
		return
	}
	c.Unfinished--
}

// resultTable has the recipients' results, as u.
var resultTable = postgres.NewColumns("u",
	postgres.Column("id", "uuid", func(r *recipientResult) uuid.UUID { return r.ID }),
	postgres.Column("status", "text", func(r *recipientResult) string { return string(r.status) }),
	postgres.Column("attempts", "int", func(r *recipientResult) int32 { return int32(r.Attempts) }),
	postgres.Column("outcome", "text", func(r *recipientResult) string { return r.outcome }),
	postgres.Column("due_at", "timestamptz", func(r *recipientResult) *time.Time { return r.dueAt }),
	postgres.Column("wait_reason", "text", func(r *recipientResult) *string { return r.waitReason }),
	postgres.Column("opted_out", "bool", func(r *recipientResult) bool { return r.optedOut }),
)

// write makes the entries, and counts them with one update per campaign.
func (b *settlement) write(ctx context.Context) error {
	batch := &pgx.Batch{}
	batch.Queue(`
		update recipient r
		set status = u.status, attempts = u.attempts, outcome = u.outcome, due_at = u.due_at, wait_reason = u.wait_reason,
		    opted_out = r.opted_out or u.opted_out
		from `+resultTable.Table()+`
		where r.id = u.id`, resultTable.ArgsOf(b.results))
	for _, c := range b.campaigns {
		// Whoever waits again is looked at by the dialer at once, which says so.
		batch.Queue(`
			update campaign set
				completed = completed + @completed, failed = failed + @failed, canceled = canceled + @canceled,
				expired = expired + @expired, calls_placed = calls_placed + @placed, calls_answered = calls_answered + @answered,
				outcomes = @outcomes, answered_by_person = answered_by_person + @by_person, opted_out = opted_out + @opted_out,
				abandoned = abandoned + @abandoned, short_calls = short_calls + @short,
				dial_at = case when @waits and status = 'running' then least(dial_at, @now) else dial_at end
			where id = @id`, pgx.NamedArgs{
			"id": c.ID, "completed": c.completed, "failed": c.failed, "canceled": c.canceled, "expired": c.expired,
			"placed": c.placed, "answered": c.answered, "outcomes": c.Outcomes, "waits": c.waits, "now": b.now,
			"by_person": c.compliance.AnsweredByPerson, "opted_out": c.compliance.OptedOut,
			"abandoned": c.compliance.Abandoned, "short": c.compliance.ShortCalls,
		})
	}
	if err := b.tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("enter %d calls: %w", len(b.results), err)
	}
	return b.log(ctx)
}

// note logs what went wrong with calls of the batch before they rang.
func (b *settlement) log(ctx context.Context) error {
	for _, c := range b.campaigns {
		if c.notPlaced == 0 {
			continue
		}
		d := campaign.LogDetails{Calls: c.notPlaced, Reason: string(c.notPlacedReason)}
		if err := campaign.CountLog(ctx, b.tx, c.OrganizationID, c.ID, campaign.LogCallsNotPlaced, d, false); err != nil {
			return err
		}
	}
	return nil
}

// emit writes the events of the batch, with those of recipients who have come to
// their last state.
func (b *settlement) emit(ctx context.Context, out *webhook.Outbox) error {
	var ids []uuid.UUID
	for _, r := range b.results {
		t, last := campaign.RecipientEvent(r.status)
		if last && out.Wants(b.campaigns[r.CampaignID].OrganizationID, t) {
			ids = append(ids, r.ID)
		}
	}
	if err := campaign.EmitRecipients(ctx, b.tx, out, ids); err != nil {
		return err
	}
	return out.Write(ctx, b.tx)
}

// complete ends the campaigns that have nobody left.
func (b *settlement) complete(ctx context.Context) error {
	for _, c := range b.campaigns {
		c.Expired += c.expired
		done, err := campaign.Complete(ctx, b.tx, c.OrganizationID, &c.Locked)
		if err != nil {
			return err
		}
		b.ended = b.ended || done
	}
	return nil
}
