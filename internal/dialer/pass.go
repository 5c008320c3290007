package dialer

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/hours"
	"github.com/dialwright/dialwright/internal/messaging"
	"github.com/dialwright/dialwright/internal/model/connection"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/project"
	"github.com/dialwright/dialwright/internal/regulation"
)

const (
	// passGap is the shortest time between two passes over a campaign with more
	// recipients to dial. It makes a fast campaign claim several calls per pass.
	passGap = 20 * time.Millisecond

	// blockedGap is the delay before the next pass over a campaign without a free slot,
	// if no wake-up comes earlier.
	blockedGap = time.Second

	// paceTold is the shortest delay by a pace that the waiting report mentions.
	paceTold = 2 * time.Second

	// expireMost bounds the recipients that expire in one pass.
	expireMost = 5000

	// lockWait bounds how long a pass waits for a row, because the pass has locked other rows that
	// more campaigns need. After lockWait the dialer skips the campaign for busyGap.
	lockWait = "300ms"
	busyGap  = 200 * time.Millisecond
)

// target is a campaign that gets a pass.
type target struct {
	ID             uuid.UUID
	OrganizationID uuid.UUID
	ConnectionID   uuid.UUID
	PhoneNumberID  *uuid.UUID // nil: the campaign calls from a pool
	NumberPoolID   *uuid.UUID
	DialAt         time.Time
	PaceAt         *time.Time
	ExpiresAt      *time.Time
	Standing       bool // of calls of their own
	CountryRefused bool // a pass must first have the recipients of a refused country wait
}

// pass is one round over one campaign: a transaction that locks the rows with limits, and the
// decisions of the round.
type pass struct {
	tx pgx.Tx
	target
	organization limitsOfOrganization
	connection   limitsOfConnection
	callers      callers
	campaign     limitsOfCampaign
	live         liveCalls
	kept         map[uuid.UUID]keptPace // by the ID of the organization, the connection or the phone number

	schedules map[string]*hours.Schedule // by time zones
	rules     *regulation.Book           // by the number's place

	checks         int       // calls that may be placed with a pre-dial check
	affordable     int       // calls that fit into the budgets
	modelRoom      modelRoom // what the daily limits of language models allow
	queued         []call.Claimed
	skipped        []uuid.UUID
	noConsent      int        // how many of skipped have no consent
	held           int        // recipients whose call waits for its message or for its turn after the message
	queuedMessages bool       // messages are ready to send
	moved          int        // upper bound of the recipients whose due time was moved
	heldCountry    bool       // recipients were found whose country the carrier refuses
	dry            bool       // every due recipient was handled
	blocked        string     // limit that leaves no slot for due recipients: a reason of Waiting
	waits          waits      // what the report of waiting recipients needs
	lead           int        // calls of their own that started ahead of campaigns on the connection
	shared         bool       // campaigns wait, so calls of their own take half
	settles        bool       // scheduled calls have ended
	expires        *time.Time // when the next scheduled call expires
	waitDetail     string     // more about why, for people
	why            string     // why due recipients are not dialed; "" when none is due
	whyUntil       time.Time  // until when; zero when unknown
	next           *time.Time // time of the next pass; nil: on a wake-up

	retried   bool       // the connection or the phone number begins to probe
	untilTold *time.Time // dial_at until the waiting report is written; nil: dial_at is next already
	changed   bool       // a column other than next must be written
	emitted   bool       // events may be ready to deliver
}

// waits is what a pass knows about waiting recipients.
type waits uint8

const (
	unknown  waits = iota // unknown, or reported a moment ago
	nobody                // no recipient waits
	somebody              // a report must be written
)

// pass starts, ends or dials one due campaign. It claims at most most calls. early means
// that the campaign is not due, but a slot may be free.
func (d *Dialer) pass(ctx context.Context, t target, most int, early bool) (*pass, error) {
	p := &pass{
		target:     t,
		schedules:  map[string]*hours.Schedule{},
		checks:     d.checksFree(t.OrganizationID),
		affordable: most,
	}
	err := postgres.InTx(ctx, d.pool, func(tx pgx.Tx) error {
		p.tx = tx
		if err := p.lockAll(ctx); err != nil {
			return err
		}
		if p.renumbered() {
			return errChanged
		}
		p.rules = regulation.NewBook(p.organization.CallingRules)
		p.lead = p.kept[p.ConnectionID].OwnLead
		p.next = p.campaign.DialAt
		if p.next == nil || p.next.After(p.live.Now) && !early {
			return nil // another process has handled the campaign
		}
		return p.act(ctx, d.calls, most)
	})
	switch {
	case lockTimedOut(err) && len(p.callers.all) == 0: // the wait was for a row before the number's
		return nil, errShared
	case lockTimedOut(err):
		return nil, errBusy
	case errors.Is(err, errChanged):
		return nil, errChanged
	case err != nil:
		return nil, fmt.Errorf("pass over campaign %s: %w", t.ID, err)
	}
	if p.emitted {
		d.wakeEngines()
	}
	if p.queuedMessages {
		d.hub.Wake(messaging.Topic)
	}
	if p.settles {
		d.hub.Wake(call.TopicSettlement)
	}
	return p, nil
}

// errBusy means that another transaction, for example the cancellation of a large campaign, has
// locked the campaign's row. errShared means that other campaigns also need the locked row. errChanged means that the
// campaign calls from other numbers since it was found to be due, so that the pass has locked those of before.
var (
	errBusy    = errors.New("the campaign is locked by somebody else")
	errShared  = errors.New("a row with limits is locked by somebody else")
	errChanged = errors.New("the campaign has got other numbers to call from")
)

// lockTimedOut reports whether a statement waited for a row longer than lockWait.
func lockTimedOut(err error) bool {
	pg, ok := errors.AsType[*pgconn.PgError](err)
	return ok && pg.Code == "55P03" // lock_not_available
}

// expire expires at most expireMost waiting recipients of a campaign whose time is over.
// The campaign stays due until none is left. Calls in flight continue, and the settlement
// of the last call completes the campaign. expire locks only the campaign's row.
func (d *Dialer) expire(ctx context.Context, t target) error {
	err := d.underLock(ctx, t, func(tx pgx.Tx, c campaign.Locked) error {
		if c.Status.Terminal() {
			return nil
		}
		n, err := campaign.ClosePending(ctx, tx, &c, campaign.RecipientExpired, expireMost)
		if err == nil && n > 0 {
			err = campaign.CountLog(ctx, tx, t.OrganizationID, t.ID, campaign.LogRecipientsExpired, campaign.LogDetails{
				Recipients: n,
			}, true)
		}
		if err != nil || n == expireMost {
			return err
		}
		if done, err := campaign.Complete(ctx, tx, t.OrganizationID, &c); done || err != nil {
			return err
		}
		if _, err := tx.Exec(
			ctx, `update campaign set dial_at = null, waiting = '[]' where id = $1`, t.ID,
		); err != nil {
			return fmt.Errorf("expire campaign %s: %w", t.ID, err)
		}
		return nil
	})
	if err == nil {
		d.wakeEngines()
	}
	return err
}

// underLock runs do in a transaction that locks only the campaign's row. errBusy means that
// another transaction holds the row.
func (d *Dialer) underLock(ctx context.Context, t target, do func(pgx.Tx, campaign.Locked) error) error {
	err := postgres.InTx(ctx, d.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `select set_config('lock_timeout', $1, true)`, lockWait); err != nil {
			return fmt.Errorf("limit the wait for campaign %s: %w", t.ID, err)
		}
		c, err := campaign.Lock(ctx, tx, t.OrganizationID, t.ID)
		if err != nil {
			return err
		}
		return do(tx, c)
	})
	if lockTimedOut(err) {
		return errBusy
	}
	return err
}

// act takes the step that the campaign is due for.
func (p *pass) act(ctx context.Context, calls *call.Service, most int) error {
	c, now := &p.campaign.Locked, p.live.Now
	switch {
	case c.Status.Terminal(), c.Status == campaign.Drafted:
		p.next = nil
		return p.write(ctx)
	case c.Standing:
		return p.actStanding(ctx, calls, most)
	case c.ExpiresAt != nil && !c.ExpiresAt.After(now):
		return nil // the next pass expires the campaign
	case c.Status == campaign.Paused, c.Status == campaign.Scheduled && c.ScheduledAt.After(now):
		p.next = c.ExpiresAt
		if c.Status == campaign.Scheduled {
			p.wakeBy(c.ScheduledAt)
		}
		return p.write(ctx)
	}
	if reason := p.endReason(); reason != "" {
		p.next = nil
		return p.transition(ctx, campaign.Move{To: campaign.Failed, Action: "campaign.failed", Reason: reason})
	}
	if reason := unheard(p); reason != "" {
		p.next = c.ExpiresAt
		return p.transition(ctx, campaign.Move{To: campaign.Paused, Action: "campaign.paused", Reason: reason})
	}
	if c.Status == campaign.Scheduled {
		if err := p.tryAgain(ctx); err != nil {
			return err
		}
		if err := p.transition(ctx, campaign.Move{To: campaign.Running, Action: "campaign.started"}); err != nil {
			return err
		}
		p.campaign.WaitingAt, p.changed = nil, true
		if p.retried {
			p.next = &now // the next pass knows how many calls are live
			return nil
		}
	}
	if done, err := p.complete(ctx); done || err != nil {
		p.next = nil
		return err
	}
	if p.organization.Stopped {
		return p.stop(ctx)
	}
	reason, err := p.pauseReason(ctx)
	if err != nil {
		return err
	}
	if reason != "" {
		p.next = c.ExpiresAt
		return p.transition(ctx, campaign.Move{To: campaign.Paused, Action: "campaign.paused", Reason: reason})
	}
	return p.dial(ctx, calls, most)
}

func (p *pass) transition(ctx context.Context, m campaign.Move) error {
	p.emitted = true
	return campaign.Transition(ctx, p.tx, account.System(p.OrganizationID), &p.campaign.Locked, m)
}

func (p *pass) complete(ctx context.Context) (done bool, err error) {
	done, err = campaign.Complete(ctx, p.tx, p.OrganizationID, &p.campaign.Locked)
	p.emitted = p.emitted || done
	return done, err
}

// endReason returns why the campaign can never dial again, or an empty string if it can.
func (p *pass) endReason() string {
	switch {
	case p.live.AgentGone:
		return campaign.EndedAgent
	case p.connection.Gone:
		return campaign.EndedConnection
	case len(p.callers.all) == 0 || p.callers.all[0].Gone: // of a pool, only active numbers were read
		return campaign.EndedNumber
	}
	return ""
}

// pauseReason describes the failures, or the budget, that pause the campaign, for people. It is empty if the
// campaign may call.
func (p *pass) pauseReason(ctx context.Context) (string, error) {
	if reason := p.trouble(); reason != "" {
		return reason, nil
	}
	if n := p.live.LineFailures; n >= project.MostLineFailures {
		return fmt.Sprintf("%d calls of this campaign in a row had no working line to the agent: %s", n,
			p.live.LineReason), nil
	}
	if p.live.OnlyCountries {
		return countryProblem(ctx, p.tx, p.ID)
	}
	return p.readBudgets(ctx)
}

// trouble describes the failures of the connection, the phone numbers or the models, for people.
func (p *pass) trouble() string {
	if reason := p.connection.Problem(p.connection.Name); reason != "" {
		return reason
	}
	if refused := p.callers.refusedCaller(); refused != nil {
		return p.callerProblem(refused)
	}
	return p.live.modelLimits.problem()
}

// unheard returns why the agent would not understand "stop", or an empty string.
func unheard(p *pass) string { return project.Unheard(p.live.Agent, p.live.AgentLanguage) }

// tryAgain has the connection and the phone numbers of a campaign that starts probe, if they
// failed too often. The failures were those of earlier campaigns.
func (p *pass) tryAgain(ctx context.Context) error {
	if p.live.modelLimits.problem() != "" {
		if err := connection.TryAgainFor(ctx, p.tx, p.ID); err != nil {
			return err
		}
		p.live.ModelFailures = 0
	}
	if p.connection.Problem("") == "" && p.callers.refusedCaller() == nil {
		return nil
	}
	p.retried = true
	var numbers []uuid.UUID
	for _, c := range p.callers.all {
		numbers = append(numbers, c.ID)
	}
	return project.TryAgain(ctx, p.tx, p.ConnectionID, numbers, nil)
}

// dial claims as many due recipients as the limits allow.
func (p *pass) dial(ctx context.Context, calls *call.Service, most int) error {
	now := p.live.Now
	if err := p.readModelRoom(ctx); err != nil {
		return err
	}
	paces := p.paces()
	free, bound := p.free()
	if p.live.Checks {
		most = min(most, p.checks)
	}
	budget := paces.allow(now, min(free, most, p.affordable, p.callers.allRoom()))
	budget, err := p.share(ctx, budget)
	if err != nil {
		return err
	}
	if p.writesFirst() {
		if err := p.release(ctx); err != nil {
			return err
		}
	}
	if budget > 0 {
		if err := p.claim(ctx, calls, budget); err != nil {
			return err
		}
	}
	placed := len(p.queued)
	var until time.Time
	waited := "" // the limit that recipients who are due wait for
	switch {
	case bound == campaign.WaitNumberConcurrency:
		bound, until = p.callers.bound()
	case bound == campaign.WaitPreDialCheck && free == 0:
		until = *p.live.CheckNextAt
	case bound == campaign.WaitModelStreams && p.live.modelLimits.pauses(now):
		until = *p.live.ModelPause
	case bound == campaign.WaitModelBudget && p.modelRoom.Reached:
		until = p.modelRoom.Tomorrow
	}
	paces = paces.after(now, placed)
	waitsForMessages := false
	if p.writesFirst() {
		dry, err := p.writeFirst(ctx, free-placed, paces)
		if err != nil {
			return err
		}
		waitsForMessages = p.dry && p.held > 0
		p.dry = p.dry && dry
	}

	switch {
	case waitsForMessages:
		if err := p.scheduleNext(ctx, campaign.WaitMessage, time.Time{}); err != nil {
			return err
		}
		p.wakeBy(now.Add(holdGap))
	case p.dry || placed >= free:
		if err := p.scheduleNext(ctx, bound, until); err != nil {
			return err
		}
	case p.shared && placed == budget: // a wake-up may come earlier, when a slot is free
		p.blocked, p.next = campaign.WaitConnectionConcurrency, ptrTo(ceil(now.Add(shareGap)))
		p.setWaitReason(p.blocked, time.Time{})
	default: // the pace or most stops the claim
		at, reason := paces.next()
		if own := p.callers.next(); own.After(at) {
			at, reason = own, campaign.WaitNumberPace
		}
		least := now.Add(passGap)
		if p.live.Checks && placed >= p.checks {
			least = now.Add(checkGap)
		}
		if at.Before(least) {
			at = least
		}
		p.next = ptrTo(ceil(at))
		if at.Sub(now) >= paceTold {
			p.setWaitReason(reason, at)
		}
		waited = reason
	}
	if p.blocked != "" {
		waited = p.blocked
	}
	if err := p.keepShare(ctx, waited); err != nil {
		return err
	}
	if e := p.campaign.ExpiresAt; e != nil {
		p.wakeBy(*e)
	}
	if placed > 0 {
		p.campaign.PaceAt, p.changed = ptrTo(paces[0].pace.next.Round(time.Microsecond)), true
		if err := p.keepShared(ctx, paces); err != nil {
			return err
		}
		if err := p.callers.keep(ctx, p.tx); err != nil {
			return err
		}
		if err := p.logUnblocked(ctx); err != nil {
			return err
		}
	}
	if len(p.skipped) > 0 {
		p.campaign.Unfinished -= len(p.skipped)
		p.changed = true
	}
	if err := p.write(ctx); err != nil {
		return err
	}
	if len(p.skipped) == 0 {
		return nil
	}
	p.emitted = true
	if err := campaign.RecordSkipped(ctx, p.tx, p.OrganizationID, p.ID, p.skipped, campaign.LogDetails{
		Recipients: len(p.skipped), DoNotCall: len(p.skipped) - p.noConsent, NoConsent: p.noConsent,
	}); err != nil {
		return err
	}
	_, err = p.complete(ctx)
	return err
}

// scheduleNext sets the time of the next pass when nothing more can be done now, because no
// recipient is due or no slot is free. bound is the reason of a missing slot, and until is when
// there is one again, if that is known.
func (p *pass) scheduleNext(ctx context.Context, bound string, until time.Time) error {
	now := p.live.Now
	err := p.tx.QueryRow(ctx, `
		select min(due_at) from recipient where campaign_id = @id and status = 'pending'`,
		pgx.NamedArgs{"id": p.ID}).Scan(&p.next)
	switch {
	case err != nil:
		return fmt.Errorf("find the next recipient: %w", err)
	case p.next == nil && len(p.live.Countries) == 0:
		p.waits = nobody
		return nil
	case p.next == nil: // recipients of refused countries may be left
		if p.heldCountry {
			p.next = ptrTo(now.Add(passGap)) // to pause the campaign if nobody else is left
		}
	case p.next.After(now):
	case p.dry: // one pass could not postpone every recipient
		p.next = ptrTo(now.Add(passGap))
		return nil
	default:
		p.blocked = bound
		p.next = p.campaign.DialAt
		if soon := now.Add(blockedGap); until.After(soon) {
			p.next = ptrTo(ceil(until))
		} else if !p.next.After(now) {
			p.next = &soon
		}
		p.setWaitReason(p.blocked, until)
		return nil
	}
	p.setWaitReason("", time.Time{})
	return nil
}

// setWaitReason schedules the report of waiting recipients, which is written after
// the commit, once per waitingGap. why and until describe the due recipients. A zero
// until is unknown.
func (p *pass) setWaitReason(why string, until time.Time) {
	p.why, p.whyUntil, p.waits = why, until, somebody
	if at := p.campaign.WaitingAt; at != nil && p.live.Now.Sub(*at) < waitingGap {
		p.waits = unknown
		p.wakeBy(at.Add(waitingGap))
	}
}

// stop schedules no pass before the campaign expires. A new pass starts when calling is
// allowed again.
func (p *pass) stop(ctx context.Context) error {
	p.next = p.campaign.ExpiresAt
	p.setWaitReason(campaign.WaitCallingStopped, time.Time{})
	return p.write(ctx)
}

// wakeBy has the next pass start at the given time or earlier.
func (p *pass) wakeBy(at time.Time) {
	if p.next == nil || at.Before(*p.next) {
		p.next = &at
	}
}

// write stores the decisions of the pass.
func (p *pass) write(ctx context.Context) error {
	if p.expires != nil {
		p.wakeBy(*p.expires)
	}
	// While calls are being placed, and when no recipient waits, there is no waiting report.
	clears := p.campaign.HasWaiting && (p.waits == nobody || p.waits == unknown && p.why == "" && len(p.queued) > 0)
	next := p.next
	if soon := ceil(p.live.Now.Add(waitingGap)); p.waits == somebody && (next == nil || next.After(soon)) {
		next, p.untilTold = &soon, &soon // the report is due even if this process dies before it writes it
	}
	if at := p.campaign.DialAt; !p.changed && !clears && (next == at || next != nil && at != nil && next.Equal(*at)) {
		return nil
	}
	_, err := p.tx.Exec(ctx, `
		update campaign set
			dial_at = @dial_at, pace_at = @pace_at,
			skipped = skipped + @skipped,
			waiting = case when @clear then '[]' else waiting end,
			held = case when @clear and kind = 'call' then null else held end
		where id = @id`,
		pgx.NamedArgs{
			"id": p.ID, "dial_at": next, "pace_at": p.campaign.PaceAt, "skipped": len(p.skipped), "clear": clears,
		})
	if err != nil {
		return fmt.Errorf("write the pass over campaign %s: %w", p.ID, err)
	}
	return nil
}

// ceil rounds t up to a whole millisecond, the precision of dial_at, so that the result
// is never earlier than t.
func ceil(t time.Time) time.Time {
	if c := t.Truncate(time.Millisecond); !c.Equal(t) {
		return c.Add(time.Millisecond)
	}
	return t
}

func ptrTo[T any](v T) *T { return &v }
