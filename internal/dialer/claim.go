package dialer

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/campaign/intake"
	"github.com/dialwright/dialwright/internal/hours"
	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/regulation"
	"github.com/dialwright/dialwright/internal/suppression"
)

const (
	// inCallGap is the delay before the dialer tries a number again that is in another
	// call.
	inCallGap = 30 * time.Second

	// pickRounds bounds the reads of one pass that tries to fill its budget. postponeMost bounds
	// the recipients moved to their next opening in one statement. movedMost approximately bounds
	// the recipients moved in one pass, because the pass has locked rows that other campaigns need.
	pickRounds   = 8
	postponeMost = 250
	movedMost    = 1000
)

// candidate is a recipient who is due.
type candidate struct {
	ID               uuid.UUID
	PhoneNumber      string
	Name             string
	ExternalID       *string
	Timezone         *string
	Zones            []string
	ZoneSource       string
	Attempts         int
	ConsentBasis     *string
	ConsentAt        *time.Time
	ConsentSource    *string
	ConsentExpiresAt *time.Time
	Variables        json.RawMessage
	Metadata         json.RawMessage
	Listed           bool // added to the do-not-call list since the import
	HasErased        bool // the list has erased numbers
	InCall           bool // in another call of the organization

	FirstCallID *uuid.UUID // of a call of its own, like the next one
	NextCallID  *uuid.UUID

	FirstNumberID *uuid.UUID // from which the recipient was called first, if the campaign has a pool
}

// sqlListed is the condition that a recipient is on the do-not-call list now, unless the number was erased.
var sqlListed = suppression.Names(suppression.Voice, "r.organization_id", "r.phone_number")

// sqlCalledUs is the condition that a recipient has called us and talks with us, or that it is not settled yet whether
// they answered what was open.
const sqlCalledUs = `exists (select from call i
	where i.organization_id = r.organization_id and i.person_number = r.phone_number
	  and i.direction = 'inbound' and i.settled_at is null)`

// sqlPick reads due recipients, longest due first. The values of the campaign are
// defaults for a recipient's own values. The query finds live calls by their state, which
// makes PostgreSQL use the index on the number. With "ended_at is null" it may instead
// scan all live calls for each recipient, if there were few at the last analyze.
var sqlPick = `
	select r.id, r.phone_number, r.name, r.external_id, r.timezone, r.zones, r.zone_source,
	       r.attempts, r.consent_basis, r.consent_at,
	       r.consent_source,
	       r.consent_expires_at,
	       c.variables || r.variables as variables, c.metadata || r.metadata as metadata,
	       ` + sqlListed + ` as listed, ` + suppression.HasErased("r.organization_id") + ` as has_erased,
	       r.first_call_id, r.next_call_id,
	       exists (select from call
	               where call.organization_id = r.organization_id and call.person_number = r.phone_number
	                 and call.status in ('queued', 'ringing', 'in_progress'))
	         or ` + sqlCalledUs + ` as in_call,
	       case when c.number_pool_id is not null and r.attempts > 0 then (
	           select call.phone_number_id from call where call.recipient_id = r.id order by call.attempt limit 1)
	         end as first_number_id
	from recipient r
	join campaign c on c.id = r.campaign_id
	where r.campaign_id = @id and r.status = 'pending' and r.due_at <= @now `

const sqlPickOrder = `
	order by r.due_at, r.id
	limit @most`

// sqlFirst is the condition of recipients who are called before the others.
const sqlFirst = ` and r.prioritized_at is not null`

// claim queues up to budget calls.
func (p *pass) claim(ctx context.Context, calls *call.Service, budget int) (err error) {
	who := ``
	if p.writesFirst() {
		who = `and r.messaged_at is not null`
	}
	_, p.dry, err = p.eachInTurn(ctx, who, budget,
		func(batch *pgx.Batch, ready []candidate) (int, []uuid.UUID, error) {
			return p.queue(ctx, batch, calls, ready)
		})
	return err
}

// eachInTurn is eachDue, first for the recipients who were prioritized.
func (p *pass) eachInTurn(ctx context.Context, who string, most int, do deal) (done int, dry bool, err error) {
	if p.live.Prioritized {
		if done, _, err = p.eachDue(ctx, who+sqlFirst, most, do); err != nil {
			return 0, false, err
		}
	}
	rest, dry, err := p.eachDue(ctx, who, most-done, do)
	return done + rest, dry, err
}

// deal handles recipients who may be dialed now and adds its updates to batch. It returns
// the number of recipients it handled, and the recipients whose number has just entered
// another call.
type deal func(batch *pgx.Batch, ready []candidate) (done int, busy []uuid.UUID, err error)

// eachDue reads due recipients, longest due first, and defers those recipients who may
// not be dialed now. It passes the others to do until do has handled most of them. dry is
// set when no due recipient is left.
func (p *pass) eachDue(ctx context.Context, who string, most int, do deal) (done int, dry bool, err error) {
	for range pickRounds {
		want := most - done
		asked := want
		if p.organization.MaxDailyAttempts != nil || p.rules != nil || len(p.live.Refused) > 0 {
			asked = max(asked, cappedPick)
		}
		if want == 0 || p.moved >= movedMost {
			return done, false, nil
		}
		candidates, err := postgres.Collect(ctx, p.tx, pgx.RowToStructByName[candidate],
			sqlPick+who+sqlPickOrder, pgx.NamedArgs{"id": p.ID, "now": p.live.Now, "most": asked})
		if err != nil {
			return done, false, fmt.Errorf("pick recipients: %w", err)
		}
		if err := p.findErased(ctx, candidates); err != nil {
			return done, false, err
		}
		n, left, err := p.take(ctx, who, candidates, want, do)
		if err != nil {
			return done, false, err
		}
		done += n
		if len(candidates) < asked && left == 0 {
			return done, true, nil
		}
	}
	return done, false, nil
}

// findErased finds the candidates whose number is on the do-not-call list as an erased one.
func (p *pass) findErased(ctx context.Context, candidates []candidate) error {
	return suppression.MarkErased(ctx, p.tx, suppression.Voice, candidates,
		func(c candidate) (suppression.Hashed, bool) {
			return suppression.HashOf(p.OrganizationID, phone.Number(c.PhoneNumber)), c.HasErased && !c.Listed
		}, func(i int) { candidates[i].Listed = true })
}

// take passes candidates who may be dialed now to do, at most the number in most. It defers
// candidates who may not be dialed now. left is the number of candidates that take did not reach.
func (p *pass) take(
	ctx context.Context, who string, candidates []candidate, most int, do deal,
) (done, left int, err error) {
	batch := &pgx.Batch{}
	var skip, unconsented, busy, hold []uuid.UUID
	var ready []candidate
	closed := map[string]bool{}
	ruled := map[*hours.Schedule]*deferred{}
	for _, c := range candidates {
		own, err := p.schedule(c.Zones)
		if err != nil {
			return 0, 0, err
		}
		schedule, err := p.ruled(own, c)
		if err != nil {
			return 0, 0, err
		}
		switch {
		case c.Listed:
			skip = append(skip, c.ID)
		case p.organization.ConsentRequired && !c.consented(p.live.Now):
			unconsented = append(unconsented, c.ID)
		case p.refusesCountry(c.PhoneNumber):
			hold = append(hold, c.ID)
		case p.rules != nil && !schedule.Open(p.live.Now):
			if ruled[schedule] == nil {
				ruled[schedule] = openingOf(schedule, own, p.live.Now)
			}
			ruled[schedule].ids = append(ruled[schedule].ids, c.ID)
		case !schedule.Open(p.live.Now):
			if key := strings.Join(c.Zones, " "); !closed[key] {
				closed[key] = true
				p.postpone(batch, who, c.Zones, campaign.Opening(schedule, p.live.Now))
			}
		case c.InCall:
			busy = append(busy, c.ID)
		default:
			ready = append(ready, c)
		}
	}
	if ready, err = p.deferCapped(ctx, batch, ready); err != nil {
		return 0, 0, err
	}
	if left = max(len(ready)-most, 0); left > 0 {
		ready = ready[:most]
	}
	done, refused, err := do(batch, ready)
	if err != nil {
		return 0, 0, err
	}
	busy = append(busy, refused...)
	p.noConsent += len(unconsented)
	if err := p.skip(ctx, batch, campaign.SkipDoNotCall, skip); err != nil {
		return 0, 0, err
	}
	if err := p.skip(ctx, batch, campaign.SkipNoConsent, unconsented); err != nil {
		return 0, 0, err
	}
	if len(hold) > 0 {
		batch.Queue(sqlHoldCountry, pgx.NamedArgs{"ids": hold, "reason": campaign.WaitCountry})
		p.moved += len(hold)
		p.heldCountry = true
	}
	for _, d := range ruled {
		p.moved += len(d.ids)
		batch.Queue(`update recipient set due_at = @at, wait_reason = @reason where id = any(@ids)`,
			pgx.NamedArgs{"ids": d.ids, "at": d.at, "reason": d.reason})
	}
	if len(busy) > 0 {
		batch.Queue(`update recipient set due_at = @at, wait_reason = @reason where id = any(@ids)`,
			pgx.NamedArgs{"ids": busy, "at": p.live.Now.Add(inCallGap), "reason": campaign.WaitInCall})
	}
	if batch.Len() == 0 {
		return done, left, nil
	}
	if err := p.tx.SendBatch(ctx, batch).Close(); err != nil {
		return 0, 0, fmt.Errorf("claim recipients: %w", err)
	}
	return done, left, nil
}

// skip has recipients never be called.
func (p *pass) skip(ctx context.Context, batch *pgx.Batch, reason string, ids []uuid.UUID) error {
	if len(ids) == 0 {
		return nil
	}
	if p.Standing {
		return p.closeOwn(ctx, ids, ownSkips[reason])
	}
	batch.Queue(`
		update recipient set status = 'skipped', skip_reason = @reason, due_at = null, wait_reason = null
		where id = any(@ids)`, pgx.NamedArgs{"ids": ids, "reason": reason})
	p.skipped = append(p.skipped, ids...)
	if p.writesFirst() {
		return campaign.Withdraw(ctx, p.tx, ids, campaign.RecipientSkipped)
	}
	return nil
}

// ownSkips are the reasons with which scheduled calls end whose recipients are skipped.
var ownSkips = map[string]call.Reason{
	campaign.SkipDoNotCall: call.ReasonDoNotCall, campaign.SkipNoConsent: call.ReasonNoConsent,
}

// consented reports whether the recipient's consent holds.
func (c candidate) consented(now time.Time) bool {
	return intake.Consented(*cmp.Or(c.ConsentBasis, new(string)), c.ConsentAt, c.ConsentExpiresAt, now)
}

// queue is the deal that queues calls.
func (p *pass) queue(
	ctx context.Context, batch *pgx.Batch, calls *call.Service, ready []candidate,
) (done int, busy []uuid.UUID, err error) {
	claims := make([]call.Claim, len(ready))
	for i, c := range ready {
		from := p.callers.take(c)
		if from == nil {
			return 0, nil, fmt.Errorf("no number of campaign %s has room for a call", p.ID)
		}
		if claims[i], err = p.call(c, from); err != nil {
			return 0, nil, err
		}
	}
	queued, refused, err := calls.Queue(ctx, p.tx, claims)
	if err != nil {
		return 0, nil, err
	}
	for _, r := range refused {
		p.callers.giveBack(r.PhoneNumberID)
		busy = append(busy, *r.RecipientID)
	}
	if len(queued) == 0 {
		return 0, busy, nil
	}
	recipients, ids := make([]uuid.UUID, len(queued)), make([]uuid.UUID, len(queued))
	for i, q := range queued {
		recipients[i], ids[i] = *q.RecipientID, q.ID
	}
	batch.Queue(`
		update recipient r
		set status = 'dialing', attempts = attempts + 1, last_call_id = u.call_id, outcome = null, due_at = null,
			wait_reason = null, next_call_id = null, planned_at = null
		from unnest(@recipients::uuid[], @calls::uuid[]) u (id, call_id)
		where r.id = u.id`, pgx.NamedArgs{"recipients": recipients, "calls": ids})
	p.queued = append(p.queued, queued...)
	return len(queued), busy, nil
}

// postpone moves due recipients in these time zones to their next opening: those who were prioritized, if who is
// about them, because others may be due before them.
func (p *pass) postpone(batch *pgx.Batch, who string, zones []string, to time.Time) {
	p.moved += postponeMost
	first := ""
	if strings.HasSuffix(who, sqlFirst) {
		first = sqlFirst
	}
	batch.Queue(`
		update recipient set due_at = @to, wait_reason = @reason
		where id in (
			select id from recipient r
			where campaign_id = @id and status = 'pending' and due_at <= @now and zones = @zones`+first+`
			order by due_at, id
			limit @most)`,
		pgx.NamedArgs{
			"id": p.ID, "now": p.live.Now, "zones": zones, "to": to, "reason": campaign.WaitCallingHours,
			"most": postponeMost,
		})
}

func (p *pass) schedule(zones []string) (*hours.Schedule, error) {
	key := strings.Join(zones, " ")
	if s, ok := p.schedules[key]; ok {
		return s, nil
	}
	s, err := scheduleOf(p.campaign.CallingHours, zones)
	if err != nil {
		return nil, fmt.Errorf("calling hours of campaign %s: %w", p.ID, err)
	}
	p.schedules[key] = s
	return s, nil
}

// ruled returns when a recipient may be called: at the times of their calling hours that the
// rules of the number's place allow.
func (p *pass) ruled(own *hours.Schedule, c candidate) (*hours.Schedule, error) {
	return ruled(p.rules, own, c.PhoneNumber, c.Timezone, c.Zones)
}

func ruled(
	rules *regulation.Book, own *hours.Schedule, number string, timezone *string, zones []string,
) (*hours.Schedule, error) {
	if rules == nil {
		return own, nil
	}
	n := phone.Number(number)
	return rules.Schedule(own, n, regulation.ZonesOf(n, *cmp.Or(timezone, new(string)), zones))
}

// deferred are recipients who wait for the same opening.
type deferred struct {
	at     time.Time
	reason string
	ids    []uuid.UUID
}

// openingOf returns the next opening of a schedule, and whether calling hours or rules close it
// until then. own is the schedule of the calling hours alone.
func openingOf(schedule, own *hours.Schedule, t time.Time) *deferred {
	d := &deferred{at: campaign.Opening(schedule, t), reason: campaign.WaitCallingHours}
	if d.at.After(campaign.Opening(own, t)) {
		d.reason = campaign.WaitCallingRules
	}
	return d
}

// scheduleOf returns a campaign's calling hours in the time zones of a recipient.
func scheduleOf(callingHours json.RawMessage, zones []string) (*hours.Schedule, error) {
	var h hours.Hours
	if err := json.Unmarshal(callingHours, &h); err != nil {
		return nil, fmt.Errorf("read calling hours: %w", err)
	}
	return h.In(zones...)
}

func (p *pass) call(c candidate, from *caller) (call.Claim, error) {
	own, err := p.schedule(c.Zones)
	if err != nil {
		return call.Claim{}, err
	}
	decision, err := decide(p.rules, own, phone.Number(c.PhoneNumber), c.Timezone, c.Zones, c.ZoneSource, p.live.Now)
	if err != nil {
		return call.Claim{}, err
	}
	version := p.live.PublishedID
	if p.campaign.AgentVersionID != nil {
		version = p.campaign.AgentVersionID
	}
	if p.campaign.SplitVersionID != nil && campaign.InSplit(p.ID, c.ID, *p.campaign.SplitPercent) {
		version = p.campaign.SplitVersionID
	}
	list := &p.ID
	if p.Standing {
		list = nil
	}
	return call.Claim{
		ID: *cmp.Or(c.NextCallID, new(uuid.UUID)), FirstCallID: c.FirstCallID,
		OrganizationID: p.OrganizationID, ProjectID: p.campaign.ProjectID, CampaignID: list, RecipientID: &c.ID,
		Attempt: c.Attempts + 1, AgentID: p.campaign.AgentID, AgentVersionID: version,
		PhoneNumberID: from.ID, ConnectionID: p.ConnectionID,
		Carrier: p.connection.Kind, OwnNumber: from.PhoneNumber, PersonNumber: c.PhoneNumber,
		RecipientName:   c.Name,
		VoicemailAction: p.campaign.VoicemailAction,
		Detection:       p.campaign.Detection,
		CallReason:      *cmp.Or(p.campaign.CallReason, new(string)),
		RingTimeout:     time.Duration(p.campaign.RingTimeoutSeconds) * time.Second,
		MaxDuration:     time.Duration(p.campaign.MaxDurationSeconds) * time.Second,
		ConsentBasis:    c.ConsentBasis, ConsentAt: c.ConsentAt,
		ConsentSource: c.ConsentSource, ConsentExpiresAt: c.ConsentExpiresAt,
		Variables: c.Variables, Metadata: c.Metadata, ExternalID: c.ExternalID,
		Hours: decision,
	}, nil
}

// decide returns why a call may be claimed at a moment: what the clocks of its calling hours show, which are in
// zones and come from source, and what those of the rules of its number show.
func decide(
	rules *regulation.Book, own *hours.Schedule, n phone.Number, timezone *string, zones []string, source string,
	at time.Time,
) (*call.HoursDecision, error) {
	schedule, err := ruled(rules, own, n.String(), timezone, zones)
	if err != nil {
		return nil, err
	}
	d := &call.HoursDecision{Rules: rules.Applied(n)}
	for _, a := range schedule.Around(at) {
		c := call.HoursClock{
			Timezone: a.Timezone, Source: source, LocalTime: a.Local.Format(call.HoursTime),
		}
		c.Start, c.End = a.Open.Clock()
		// A zone that the calling hours name may be the recipient's, too. Zones of the rules alone are the number's.
		switch {
		case timezone != nil && *timezone == a.Timezone:
			c.Source = campaign.ZoneOfRecipient
		case !slices.Contains(zones, a.Timezone):
			c.Source = campaign.ZoneOfNumber
		}
		d.Clocks = append(d.Clocks, c)
	}
	return d, nil
}
