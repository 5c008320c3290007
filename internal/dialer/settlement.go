package dialer

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/regulation"
	"github.com/dialwright/dialwright/internal/suppression"
	"github.com/dialwright/dialwright/internal/webhook"
)

// settlement is a batch of ended calls with their locked campaigns, their recipients, and
// the changes to both.
type settlement struct {
	tx         pgx.Tx
	now        time.Time
	campaigns  map[uuid.UUID]*campaignDelta
	recipients map[uuid.UUID]*recipientResult
	results    []*recipientResult
	followed   []uuid.UUID // recipients who get their follow-up message now
	listings   []listing   // numbers that are put on the do-not-call list
	plans      bool        // calls of their own have a next attempt
	unmet      []uuid.UUID // recipients who got a message before a call that was never placed
	refused    []uuid.UUID // recipients whom the pre-dial check refused, of campaigns that write before calls
	waits      bool        // a campaign needs a pass
	changed    bool        // a campaign has ended or was paused

	reached []campaign.Reached // campaigns with a further share of recipients in a last status
}

// campaignDelta is a campaign and its changes in the batch.
type campaignDelta struct {
	campaignRow
	completed, failed, canceled, expired, skipped, placed, answered int
	byVoicemail                                                     int // of the completed ones

	compliance      campaign.Compliance
	notPlaced       int
	notPlacedReason call.Reason
	waits           bool
	countries       map[string]*countryResults
	pauseReason     string // "": the campaign may call on
	listed          campaign.LogDetails
}

type campaignRow struct {
	campaign.Locked
	OrganizationID     uuid.UUID
	NumberPoolID       *uuid.UUID
	MaxAttempts        int
	RetryDelays        []int
	RetryOutcomeDelays map[string][]int
	RetryOn            []string
	Intents            campaign.Intents
	CallingHours       json.RawMessage
	CallingRules       regulation.Settings
	MessagingTrigger   *campaign.Trigger // nil: the campaign sends no messages
	FollowUp           []conversation.Intent
	Outcomes           map[call.Outcome]int        // of the settled calls that were placed
	IntentCounts       map[conversation.Intent]int // of the settled calls
	RefusesCountries   bool                        // recipients may wait for a country that the carrier refused
	LimitsAbandoned    bool                        // too many abandoned calls pause the campaign
}

// recipientResult is a recipient and their new state.
type recipientResult struct {
	recipientRow
	status     campaign.RecipientStatus
	outcome    string
	optedOut   bool
	dueAt      *time.Time
	waitReason *string
	skipReason *string
	skipDetail *string
	nextCallID *uuid.UUID // of a call of its own: the next attempt
	known      bool       // the status is not new, so it has no event
}

type recipientRow struct {
	ID             uuid.UUID
	OrganizationID uuid.UUID
	CampaignID     uuid.UUID
	Attempts       int
	PhoneNumber    string
	Timezone       *string
	Zones          []string
	LastCallID     uuid.UUID
	ExpiresAt      *time.Time // of a call of its own
	NotPlaced      int        // calls that were not placed, this call included
	Refused        int        // calls that the carrier refused for a cause that nobody knows, this call included
	CallBacks      int        // calls in which the recipient named a time for the next call, this call included

	AnsweredCallID *uuid.UUID // the call in which they called us and answered what was open: their last call

	Listed    bool // a call of its own, to a number that is on the do-not-call list now
	HasErased bool // a call of its own, and the list has erased numbers

	Canceled bool // a person or a key canceled them during the call: none follows

	Asked bool // they called us and are asked what is open, in a call that is not settled and not in the batch
}

// openSettlement locks the campaigns of the calls in a fixed order, and reads their
// recipients. Recipients change only under that lock. If a campaign can't be locked
// within a moment, openSettlement returns a lockedError, because calls of other campaigns
// must not wait.
func openSettlement(ctx context.Context, tx pgx.Tx, ended []call.Ended) (*settlement, error) {
	var campaignIDs, recipientIDs []uuid.UUID
	batchIDs := make([]uuid.UUID, len(ended))
	for i, e := range ended {
		batchIDs[i] = e.ID
		if e.CampaignID != nil && e.RecipientID != nil {
			campaignIDs = append(campaignIDs, *e.CampaignID)
			recipientIDs = append(recipientIDs, *e.RecipientID)
		}
		if e.Resumed() {
			campaignIDs = append(campaignIDs, *e.ResumesCampaignID)
		}
	}
	slices.SortFunc(campaignIDs, func(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) })
	campaignIDs = slices.Compact(campaignIDs)

	s := &settlement{tx: tx, campaigns: map[uuid.UUID]*campaignDelta{}, recipients: map[uuid.UUID]*recipientResult{}}
	batch := &pgx.Batch{}
	batch.Queue(sqlShort, lockWait)
	reached := 0
	for _, id := range campaignIDs {
		batch.Queue(`
			select `+campaign.LockedColumns+
			`, organization_id, number_pool_id, max_attempts, retry_delays, retry_outcome_delays, retry_on, intents, `+
			`calling_hours, messaging_trigger, coalesce(messaging -> 'follow_up', '[]') as follow_up, outcomes,
			intent_counts,
			       exists (select from country_refusal r where r.campaign_id = campaign.id) as refuses_countries,
			       (select calling_rules from organization o where o.id = campaign.organization_id) as calling_rules,
			       (select abandoned_most is not null from organization o
				where o.id = campaign.organization_id) as limits_abandoned
			from campaign where id = $1
			for no key update`, id).Query(func(rows pgx.Rows) error {
			found, err := pgx.CollectRows(rows, pgx.RowToAddrOfStructByName[campaignRow])
			for _, row := range found {
				s.campaigns[row.ID] = &campaignDelta{
					campaignRow: *row, waits: row.RefusesCountries, countries: map[string]*countryResults{},
				}
				s.waits = s.waits || row.RefusesCountries
			}
			if err == nil {
				reached++
			}
			return err
		})
	}
	// A caller's call is stored under a lock of the recipient, so a later statement sees every such call.
	batch.Queue(`select from recipient where id = any($1) order by id for no key update`, recipientIDs)
	batch.Queue(`
		select id, campaign_id, attempts, phone_number, timezone, zones, last_call_id, expires_at,
		       (select count(*) from call
			where call.recipient_id = recipient.id and call.ended_reason = any($2)) as not_placed,
		       (select count(*) from call
			where call.recipient_id = recipient.id and `+sqlRefused+`) as refused,
		       (select count(*) from call
			where call.recipient_id = recipient.id and call.intent = 'call_back'
				and call.analysis ->> 'call_back_at' is not null) as call_backs, answered_call_id,
		       exists (select from call i
			where i.organization_id = recipient.organization_id and i.person_number = recipient.phone_number
				and i.direction = 'inbound' and i.settled_at is null and i.resumes_recipient_id = recipient.id
				and i.id <> all($3)) as asked,
		       case when first_call_id is not null then `+sqlOwnListed+` else false end as listed,
		       first_call_id is not null and `+suppression.HasErased("recipient.organization_id")+` as has_erased,
		       organization_id,
		       canceled_at is not null as canceled
		from recipient
		where id = any($1) and status = 'dialing' and last_call_id is not null`,
		recipientIDs, call.NotPlacedReasons, batchIDs,
	).Query(func(rows pgx.Rows) error {
		found, err := pgx.CollectRows(rows, pgx.RowToAddrOfStructByName[recipientRow])
		for _, row := range found {
			s.recipients[row.ID] = &recipientResult{recipientRow: *row}
		}
		return err
	})
	batch.Queue(`select clock()`).QueryRow(func(row pgx.Row) error { return row.Scan(&s.now) })
	err := tx.SendBatch(ctx, batch).Close()
	if lockTimedOut(err) && len(campaignIDs) > 0 {
		return nil, &lockedError{campaignIDs[min(reached, len(campaignIDs)-1)]} // or a recipient is locked
	}
	if err != nil {
		return nil, fmt.Errorf("lock the campaigns of %d calls: %w", len(ended), err)
	}
	return s, s.findErased(ctx, tx)
}

// apply decides the next state of a call's recipient.
func (s *settlement) apply(e call.Ended) {
	if e.CampaignID == nil || e.RecipientID == nil {
		return
	}
	c, r := s.campaigns[*e.CampaignID], s.recipients[*e.RecipientID]
	if c == nil {
		return // the campaign does not exist
	}
	if e.AskedAt != nil && !e.EndedReason.NotPlaced() { // others are no attempts
		c.placed++
		c.Outcomes[e.Outcome]++
	}
	if e.AnsweredAt != nil {
		c.answered++
	}
	if e.Intent != "" {
		c.IntentCounts[e.Intent]++
	}
	c.compliance.Count(e)
	if !c.Standing {
		c.countCountry(e)
	}
	if e.EndedReason.NotPlaced() && e.EndedReason != call.ReasonCountryRefused &&
		e.EndedReason != call.ReasonNotAllowed {
		c.notPlaced++
		c.notPlacedReason = e.EndedReason
	}
	if e.EndedReason == call.ReasonAccountRefused && !c.Standing {
		c.pauseReason = "The carrier refused the account: " + carrierWords(e)
	}
	if r == nil || r.LastCallID != e.ID {
		return // the recipient was erased, or this is not their current call
	}
	if isRefused(e) && r.Refused%mostRefusals == 0 && c.pauseReason == "" && !c.Standing {
		c.pauseReason = fmt.Sprintf("The carrier refused %d calls to one recipient: %s", r.Refused, carrierWords(e))
	}
	r.outcome, r.optedOut = string(e.Outcome), e.EndedReason == call.ReasonOptedOut
	expires := cmp.Or(c.ExpiresAt, r.ExpiresAt)
	over := c.Status.Terminal() || r.Canceled || expires != nil && !expires.After(s.now)

	if r.optedOut { // the line has put the number on the list
		c.listed.List(campaign.OptedOut)
		c.listed.DoNotCall++
	}
	s.listNumber(c, e)

	next, again := c.retry(e, r, s.now)
	if c.Standing {
		next, again = r.ownRetry(e, next, again)
	}
	switch {
	case r.AnsweredCallID != nil: // nobody calls a person who has answered
		if e.EndedReason.NotPlaced() {
			r.Attempts--
		}
		r.status, r.outcome = campaign.RecipientCompleted, string(call.OutcomeCompleted)
	case c.Standing && e.EndedReason.NotPlaced() && !over && !again && e.EndedReason != call.ReasonNotAllowed:
		r.Attempts--
		r.status = final(e)
	case e.EndedReason.NotPlaced() && over:
		r.Attempts-- // the call was never dialed
		r.status = campaign.RecipientCanceled
		if !c.Status.Terminal() && !r.Canceled {
			r.status = campaign.RecipientExpired
		}
	case e.EndedReason == call.ReasonNotAllowed:
		r.Attempts--
		r.status = campaign.RecipientSkipped
		r.skipReason, r.skipDetail = ptrTo(campaign.SkipPreDialCheck), &e.Detail
		if c.MessagingTrigger != nil && *c.MessagingTrigger == campaign.TriggerBeforeCall {
			s.refused = append(s.refused, r.ID)
		}
	case e.EndedReason == call.ReasonCountryRefused:
		r.Attempts--
		r.status, r.waitReason = campaign.RecipientPending, ptrTo(campaign.WaitCountry)
		c.waits, s.waits = true, true
	case e.EndedReason.NotPlaced():
		r.Attempts--
		s.again(c, r, next)
	case again && !over:
		s.again(c, r, next)
	default:
		r.status = final(e)
	}
	if c.MessagingTrigger != nil && c.triggersMessage(e, r) {
		s.followed = append(s.followed, r.ID)
	}
	if r.Attempts == 0 && (r.status == campaign.RecipientCanceled || r.status == campaign.RecipientExpired) {
		s.unmet = append(s.unmet, r.ID)
	}
	c.count(r.status)
	if r.status == campaign.RecipientCompleted && r.outcome == string(call.OutcomeVoicemail) {
		c.byVoicemail++
	}
	s.results = append(s.results, r)
}

// plan gives a call of its own that is called again its next call.
func (s *settlement) plan(c *campaignDelta, r *recipientResult) {
	if c.Standing {
		r.nextCallID = ptrTo(uuid.Must(uuid.NewV7()))
		s.plans = true
	}
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
	case campaign.RecipientSkipped:
		c.skipped++
	default:
		return
	}
	c.Unfinished--
}

// resultTable is the table u of the recipients' results.
var resultTable = postgres.NewColumns("u",
	postgres.Column("id", "uuid", func(r *recipientResult) uuid.UUID { return r.ID }),
	postgres.Column("status", "text", func(r *recipientResult) string { return string(r.status) }),
	postgres.Column("attempts", "int", func(r *recipientResult) int32 { return int32(r.Attempts) }),
	postgres.Column("outcome", "text", func(r *recipientResult) string { return r.outcome }),
	postgres.Column("due_at", "timestamptz", func(r *recipientResult) *time.Time { return r.dueAt }),
	postgres.Column("wait_reason", "text", func(r *recipientResult) *string { return r.waitReason }),
	postgres.Column("skip_reason", "text", func(r *recipientResult) *string { return r.skipReason }),
	postgres.Column("skip_detail", "text", func(r *recipientResult) *string { return r.skipDetail }),
	postgres.Column("opted_out", "bool", func(r *recipientResult) bool { return r.optedOut }),
	postgres.Column("next_call_id", "uuid", func(r *recipientResult) *uuid.UUID { return r.nextCallID }),
	postgres.Column("answered_call_id", "uuid", func(r *recipientResult) *uuid.UUID { return r.AnsweredCallID }),
)

// write stores the recipients' results, and updates the counters with one statement per
// campaign.
func (s *settlement) write(ctx context.Context) error {
	batch := &pgx.Batch{}
	batch.Queue(`
		update recipient r
		set status = u.status, attempts = u.attempts, outcome = u.outcome, due_at = u.due_at,
			wait_reason = u.wait_reason, skip_reason = u.skip_reason, skip_detail = u.skip_detail,
		    opted_out = r.opted_out or u.opted_out, next_call_id = u.next_call_id,
		    answered_call_id = u.answered_call_id, last_call_id = coalesce(u.answered_call_id, r.last_call_id),
		    planned_at = case when u.next_call_id is not null then (select clock()) end
		from `+resultTable.Table()+`
		where r.id = u.id`, resultTable.ArgsOf(s.results))
	if s.plans {
		batch.Queue(`update call set next_call_id = planned.next_id from `+plannedTable.Table()+`
			where call.id = planned.id`, plannedTable.ArgsOf(s.planned()))
	}
	for _, c := range s.campaigns {
		// The dialer runs a pass at once over a campaign with waiting recipients, to
		// report why they wait.
		batch.Queue(`
			update campaign set
				completed = completed + @completed,
				completed_by_voicemail = completed_by_voicemail + @by_voicemail,
				failed = failed + @failed, canceled = canceled + @canceled,
				expired = expired + @expired, skipped = skipped + @skipped, calls_placed = calls_placed + @placed,
					calls_answered = calls_answered + @answered,
				outcomes = @outcomes, intent_counts = @intent_counts,
				answered_by_person = answered_by_person + @by_person, opted_out = opted_out + @opted_out,
				abandoned = abandoned + @abandoned, short_calls = short_calls + @short,
				dial_at = case when @waits and status = 'running' then least(dial_at, @now) else dial_at end
			where id = @id`, pgx.NamedArgs{
			"id": c.ID, "completed": c.completed, "failed": c.failed, "canceled": c.canceled, "expired": c.expired,
			"skipped": c.skipped, "by_voicemail": c.byVoicemail,
			"placed": c.placed, "answered": c.answered, "outcomes": c.Outcomes, "intent_counts": c.IntentCounts,
			"waits": c.waits, "now": s.now, "by_person": c.compliance.AnsweredByPerson,
			"opted_out": c.compliance.OptedOut,
			"abandoned": c.compliance.Abandoned, "short": c.compliance.ShortCalls,
		})
	}
	campaign.QueueProgress(batch, slices.Collect(maps.Keys(s.campaigns)), &s.reached)
	s.countAnswers(batch)
	if err := s.tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("enter %d calls: %w", len(s.results), err)
	}
	if err := s.addToDoNotCallList(ctx); err != nil {
		return err
	}
	if err := s.keepRefusedCountries(ctx); err != nil {
		return err
	}
	return s.log(ctx)
}

// log writes the campaigns' log entries about calls that were not placed, about recipients whom the
// pre-dial check refused, and about numbers that were put on the do-not-call list.
func (s *settlement) log(ctx context.Context) error {
	for _, c := range s.campaigns {
		if c.Standing {
			continue
		}
		entries := map[campaign.LogType]campaign.LogDetails{}
		if c.notPlaced > 0 {
			entries[campaign.LogCallsNotPlaced] = campaign.LogDetails{
				Calls: c.notPlaced, Reason: string(c.notPlacedReason),
			}
		}
		if c.skipped > 0 {
			entries[campaign.LogRecipientsSkipped] = campaign.LogDetails{Recipients: c.skipped, NotAllowed: c.skipped}
		}
		if c.listed.Recipients > 0 {
			entries[campaign.LogDoNotCallAdded] = c.listed
		}
		for t, d := range entries {
			if err := campaign.CountLog(ctx, s.tx, c.OrganizationID, c.ID, t, d, false); err != nil {
				return err
			}
		}
	}
	return nil
}

// emit writes the events of the batch, including the events of recipients in their last
// state and of campaigns that have reached a further share of them.
func (s *settlement) emit(ctx context.Context, out *webhook.Outbox) error {
	var ids []uuid.UUID
	for _, r := range s.results {
		t, last := campaign.RecipientEvent(r.status)
		if r.known || s.campaigns[r.CampaignID].Standing {
			continue
		}
		if r.status == campaign.RecipientCanceled && s.campaigns[r.CampaignID].Status.Terminal() {
			continue // the campaign was canceled, whose event stands for all of its recipients
		}
		if last && out.Wants(s.campaigns[r.CampaignID].OrganizationID, t) {
			ids = append(ids, r.ID)
		}
	}
	if err := campaign.EmitRecipients(ctx, s.tx, out, ids); err != nil {
		return err
	}
	if err := campaign.EmitProgress(ctx, s.tx, out, s.reached); err != nil {
		return err
	}
	for _, r := range s.planned() {
		if err := call.EmitScheduled(
			ctx, s.tx, out, s.campaigns[r.CampaignID].OrganizationID, []uuid.UUID{*r.nextCallID},
		); err != nil {
			return err
		}
	}
	return out.Write(ctx, s.tx)
}

// complete ends the campaigns that have no recipient left, and pauses those that can't call.
func (s *settlement) complete(ctx context.Context) error {
	for _, c := range s.campaigns {
		c.Expired += c.expired
		done, err := campaign.Complete(ctx, s.tx, c.OrganizationID, &c.Locked)
		if err != nil {
			return err
		}
		s.changed = s.changed || done
	}
	if err := s.pauseRefused(ctx); err != nil {
		return err
	}
	return s.pauseAbandoned(ctx)
}
