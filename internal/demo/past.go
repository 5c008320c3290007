package demo

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	mathrand "math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/call/line"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/carrier/sandbox"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/demo/history"
	"github.com/dialwright/dialwright/internal/hours"
	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/suppression"
)

// This file writes the past: ended campaigns with invented calls. The services can't create these rows, because they
// would dial, so this file writes the rows that settlement would have left. Their metadata marks them as demo data.

// callingHours are the calling hours of past campaigns: in the recipient's time zone, never on Sundays.
var callingHours = hours.Hours{Timezone: hours.Recipient, Windows: []hours.Window{{
	Days:  []hours.Day{hours.Monday, hours.Tuesday, hours.Wednesday, hours.Thursday, hours.Friday, hours.Saturday},
	Start: "08:00", End: "20:00",
}}}

const (
	sameDay  = 240  // minutes before the second attempt
	nextDay  = 1440 // minutes before the third attempt
	metadata = `{"demo": true}`
)

// seedHistory writes all past campaigns in one transaction, unless they exist. It also moves the creation of their
// parts into the past.
func (d *seeder) seedHistory(
	ctx context.Context, actor account.Actor, o organization, p parts, zone *time.Location, now time.Time,
) error {
	return postgres.InTx(ctx, d.Pool, func(tx pgx.Tx) error {
		there, err := d.hasCampaign(ctx, tx, actor.OrganizationID, o.Past[len(o.Past)-1].Name)
		if err != nil || there {
			return err
		}
		batch := &pgx.Batch{}
		for _, table := range []string{
			"project", "agent", "connection", "model_connection", "phone_number", "membership", "api_key",
			"audit_entry",
		} {
			batch.Queue(`update `+table+` set created_at = created_at - interval '30 days' where organization_id = $1`,
				actor.OrganizationID)
		}
		batch.Queue(`update organization set created_at = created_at - interval '30 days' where id = $1`,
			actor.OrganizationID)
		batch.Queue(`
			update app_user set created_at = created_at - interval '30 days'
			where id in (select user_id from membership where organization_id = $1)`, actor.OrganizationID)
		if err := tx.SendBatch(ctx, batch).Close(); err != nil {
			return fmt.Errorf("date back: %w", err)
		}
		var written []uuid.UUID
		var needs []need
		stopped := map[string]time.Time{}
		for i, c := range o.Past {
			h := newGenerator(c, o, p, zone, now, mathrand.New(mathrand.NewPCG(uint64(i), uint64(c.People))))
			h.actor, h.stopped = actor, stopped
			if err := h.make(); err != nil {
				return err
			}
			if h.last.After(now) {
				return fmt.Errorf("the campaign %q of the past ends in the future", c.Name)
			}
			if err := h.write(ctx, tx); err != nil {
				return err
			}
			written, needs = append(written, h.id), append(needs, h.needs...)
		}
		if err := writeNotes(ctx, tx, actor, o); err != nil {
			return err
		}
		if err := writeReviews(ctx, tx, actor, o); err != nil {
			return err
		}
		if err := writeFollowUps(ctx, tx, actor, o, needs, now); err != nil {
			return err
		}
		if err := history.Count(ctx, tx, actor.OrganizationID, written); err != nil {
			return err
		}
		return call.AddCosts(ctx, tx, written)
	})
}

// generator makes up a past campaign.
type generator struct {
	past
	cast   agent
	pieces history.Parts
	actor  account.Actor
	begin  time.Time // the first day
	zone   *time.Location
	r      *mathrand.Rand // has a fixed seed, so that the past is always the same

	id      uuid.UUID
	created time.Time
	last    time.Time // settlement of its last call
	manners deck[manner]
	stopped map[string]time.Time // when numbers opted out, in all campaigns so far

	recipients []history.Recipient
	calls      []history.Call
	turns      []history.Turn
	optOuts    []optOut
	needs      []need
	unwanted   []phone.Number // numbers that were on the do-not-call list before the start
	schedule   *hours.Schedule
}

func newGenerator(c past, o organization, p parts, zone *time.Location, now time.Time, r *mathrand.Rand) *generator {
	number, agent := p.numbers[c.PhoneNumber], p.agents[c.Agent]
	var version uuid.UUID
	if agent.Published != nil {
		version = agent.Published.ID
	}
	return &generator{
		past: c,
		cast: o.agent(c.Agent),
		pieces: history.Parts{
			ProjectID:      p.projects[c.Project].ID,
			AgentID:        agent.ID,
			AgentVersionID: version,
			ConnectionID:   number.ConnectionID,
			PhoneNumberID:  number.ID,
			PhoneNumber:    string(number.PhoneNumber),
		},
		begin: c.from(now),
		zone:  zone,
		r:     r,
	}
}

// optOut is a recipient who opted out in a call.
type optOut struct {
	number phone.Number
	call   uuid.UUID
	at     time.Time
}

// deck deals cards in random order. Each card appears in its share.
type deck[T any] struct {
	cards []T
	left  []T
}

func deckOf[T any](shares ...any) deck[T] {
	var d deck[T]
	for i := 0; i < len(shares); i += 2 {
		d.cards = append(d.cards, slices.Repeat([]T{shares[i].(T)}, shares[i+1].(int))...)
	}
	return d
}

func (d *deck[T]) deal(r *mathrand.Rand) T {
	if len(d.left) == 0 {
		d.left = slices.Clone(d.cards)
		r.Shuffle(len(d.left), func(i, j int) { d.left[i], d.left[j] = d.left[j], d.left[i] })
	}
	card := d.left[0]
	d.left = d.left[1:]
	return card
}

func (h *generator) make() (err error) {
	if h.schedule, err = callingHours.In(h.zone.String()); err != nil {
		return err
	}
	h.manners = deckOf[manner](talksToTheEnd, 150, cutsIn, 14, hangsUpMidway, 14, hasToGo, 5, wantsHuman, 3,
		saysStop, 1, pressesNine, 2, staysSilent, 3)

	days := h.workdays()
	h.created = days[0].opens.Add(-40 * time.Minute)
	h.id = idOf(h.created)
	h.Name = strings.ReplaceAll(h.Name, "{day}", days[0].opens.Format("2 Jan"))
	i := 0
	for _, d := range days {
		for _, at := range h.firstCalls(d) {
			if err := h.person(i, at, d.opens.Add(-35*time.Minute)); err != nil {
				return err
			}
			i++
		}
	}
	for i := range h.Skipped {
		p, reason := personNo(h.FirstPerson+i), campaign.SkipDuplicate
		if i%2 == 0 {
			p, reason = personNo(590+i), campaign.SkipDoNotCall
			h.unwanted = append(h.unwanted, phone.Number(p.number))
		}
		err := h.recipient(idOf(h.created), h.People+i, p, h.created, history.Recipient{
			Status: campaign.RecipientSkipped, SkipReason: reason,
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// workday is a day on which a past campaign calls people for the first time.
type workday struct {
	opens  time.Time
	closes time.Time // no first calls after it
	people int
}

// workdays returns the days of first calls. Saturdays have half as many as the other days. The last day ends so early
// that the second attempt is on the same day.
func (h *generator) workdays() []workday {
	var days []workday
	weight, weights := func(day time.Time) int {
		if day.Weekday() == time.Saturday {
			return 1
		}
		return 2
	}, 0
	for d := range h.Days {
		if day := h.begin.AddDate(0, 0, d); day.Weekday() != time.Sunday {
			at := func(hour int) time.Time {
				return time.Date(day.Year(), day.Month(), day.Day(), hour, 0, 0, 0, h.zone)
			}
			days = append(days, workday{opens: at(9), closes: at(19)})
			weights += weight(day)
		}
	}
	days[len(days)-1].closes = days[len(days)-1].opens.Add(6 * time.Hour)
	left := h.People
	for i := range days {
		days[i].people = left * weight(days[i].opens) / weights
		left -= days[i].people
		weights -= weight(days[i].opens)
	}
	return days
}

// firstCalls returns the times of the first calls of a day, in order. Every person gets an equal share of the day, and
// is called at a random time in it.
func (h *generator) firstCalls(d workday) []time.Time {
	if d.people == 0 {
		return nil
	}
	share := d.closes.Sub(d.opens) / time.Duration(d.people)
	times := make([]time.Time, d.people)
	for i := range times {
		times[i] = d.opens.Add(time.Duration(i)*share + h.between(0, share))
	}
	return times
}

// reached are the people whom an hour of the day adds to the average share, in percent of all calls, from 8:00. People
// are at home before lunch and after work.
var reached = [12]int{-6, 2, 8, 9, -4, -9, -7, -3, 1, 6, 9, 4}

// outcome makes up the outcome of a call.
func (h *generator) outcome(at time.Time) call.Outcome {
	percent := h.ReachedPercent + reached[min(max(at.Hour()-8, 0), len(reached)-1)]
	switch at.Weekday() {
	case time.Monday:
		percent -= 4
	case time.Saturday:
		percent += 5
	}
	if h.r.IntN(100) < percent {
		return call.OutcomeCompleted
	}
	switch n := h.r.IntN(100); {
	case n < 49:
		return call.OutcomeNoAnswer
	case n < 80:
		return call.OutcomeVoicemail
	case n < 93:
		return call.OutcomeBusy
	case n < 98:
		return call.OutcomeFailed
	}
	return call.OutcomeCanceled
}

// person calls a person until the person is reached, or until the maximum number of attempts.
func (h *generator) person(i int, at, listed time.Time) error {
	p := personNo(h.FirstPerson + i)
	id := idOf(listed)
	if at, ok := h.stopped[p.number]; ok && at.Before(listed) {
		return h.recipient(id, i, p, listed, history.Recipient{
			Status: campaign.RecipientSkipped, SkipReason: campaign.SkipDoNotCall,
		})
	}
	vars := h.Variables.of(i, p)
	for attempt := 1; ; attempt++ {
		c, err := h.call(id, p, vars, at, attempt)
		if err != nil {
			return err
		}
		again := (c.outcome == call.OutcomeBusy || c.outcome == call.OutcomeNoAnswer) && attempt < h.MaxAttempts
		if !again {
			status := campaign.RecipientFailed
			switch {
			case c.outcome == call.OutcomeCompleted, c.reason == call.ReasonVoicemailMessage:
				status = campaign.RecipientCompleted
			case c.outcome == call.OutcomeCanceled:
				status = campaign.RecipientCanceled
			}
			return h.recipient(id, i, p, listed, history.Recipient{
				Status: status, Attempts: attempt, LastCallID: c.id, Outcome: c.outcome,
			})
		}
		delay := sameDay
		if attempt > 1 {
			delay = nextDay
		}
		// A call is made a little after it is due, which can be after closing time.
		for open := false; !open; {
			due, ok := h.schedule.NextOpening(c.ended.Add(time.Duration(delay) * time.Minute))
			if !ok {
				return fmt.Errorf("the calling hours of %q never open", h.Name)
			}
			at = due.Add(h.between(time.Second, 4*time.Minute))
			due, ok = h.schedule.NextOpening(at)
			open = ok && due.Equal(at)
			delay += 5
		}
	}
}

// ended is how a call of the past ended.
type ended struct {
	id      uuid.UUID
	outcome call.Outcome
	reason  call.Reason
	ended   time.Time
}

// call makes up an attempt to reach a person.
func (h *generator) call(recipient uuid.UUID, p person, vars map[string]any, at time.Time, attempt int) (ended, error) {
	c := ended{id: idOf(at), outcome: h.outcome(at)}
	asked := at.Add(h.between(15*time.Millisecond, 60*time.Millisecond))
	started := asked.Add(h.between(120*time.Millisecond, 480*time.Millisecond))
	ringing := started.Add(h.between(700*time.Millisecond, 2500*time.Millisecond))
	var (
		answered, hangUp time.Time
		answeredBy       call.AnsweredBy
		by               = call.BySystem
		status           = call.Status(c.outcome)
		analysis         []byte
		text             string
	)
	switch c.outcome {
	case call.OutcomeNoAnswer:
		c.reason, c.ended = call.ReasonNoAnswer, ringing.Add(history.RingTime)
	case call.OutcomeBusy:
		c.reason, by, ringing = call.ReasonBusy, call.ByRecipient, time.Time{}
		c.ended = started.Add(h.between(time.Second, 3*time.Second))
	case call.OutcomeFailed:
		c.reason = pickOne(h.r, []call.Reason{call.ReasonInvalidNumber, call.ReasonUnreachable})
		by, ringing = call.ByCarrier, time.Time{}
		c.ended = started.Add(h.between(900*time.Millisecond, 4*time.Second))
	case call.OutcomeCanceled:
		c.reason, c.ended = call.ReasonEndedByUser, ringing.Add(h.between(5*time.Second, 14*time.Second))
		hangUp = c.ended.Add(-300 * time.Millisecond)
	default:
		who, manner := call.Machine, isMachine
		if c.outcome == call.OutcomeCompleted {
			who, manner = call.Human, h.manners.deal(h.r)
		}
		if manner == staysSilent {
			who = call.Unknown
		}
		spoken := conversation.Known{Agent: h.Agent, Name: p.name, PhoneNumber: p.number}.Variables(vars)
		t := converse(h.r, h.cast, spoken, h.LeaveMessage, manner)
		answered, answeredBy, status = ringing.Add(h.between(3*time.Second, 19*time.Second)), who, call.Completed
		c.ended = answered.Add(t.length)
		c.reason, by = line.ReasonOf(t.state.Ending)
		text = t.text()
		var err error
		if analysis, err = json.Marshal(conversation.Analyze(t.state)); err != nil {
			return c, fmt.Errorf("encode an analysis: %w", err)
		}
		for _, turn := range t.turns {
			said := answered
			if turn.EndMS != nil {
				said = answered.Add(time.Duration(*turn.EndMS) * time.Millisecond)
			}
			turn.CreatedAt = said
			h.turns = append(h.turns, history.Turn{Turn: turn, CallID: c.id, OrganizationID: h.actor.OrganizationID})
		}
		if t.state.OptedOut != "" {
			h.stopped[p.number] = c.ended
			h.optOuts = append(h.optOuts, optOut{number: phone.Number(p.number), call: c.id, at: c.ended})
		} else if n := needOf(t.state); n.kind != "" {
			n.call, n.at = c.id, c.ended
			h.needs = append(h.needs, n)
		}
	}
	settled := c.ended.Add(h.between(20*time.Millisecond, 90*time.Millisecond))
	if settled.After(h.last) {
		h.last = settled
	}
	variables, err := json.Marshal(vars)
	if err != nil {
		return c, fmt.Errorf("encode variables: %w", err)
	}
	action := call.HangUp
	if h.LeaveMessage {
		action = call.LeaveMessage
	}
	h.calls = append(h.calls, history.Call{
		Parts:           h.parts(),
		ID:              c.id,
		CampaignID:      h.id,
		RecipientID:     recipient,
		Attempt:         attempt,
		CarrierCallID:   carrierID(),
		PersonNumber:    p.number,
		RecipientName:   p.name,
		ExternalID:      p.externalID,
		Status:          status,
		Outcome:         c.outcome,
		EndedReason:     c.reason,
		EndedBy:         by,
		AnsweredBy:      answeredBy,
		VoicemailAction: action,
		Variables:       variables,
		Metadata:        json.RawMessage(metadata),
		Analysis:        analysis,
		Transcript:      text,
		Cost:            price(answered, c.ended),
		CostCurrency:    sandbox.Currency,
		CreatedAt:       at,
		AskedAt:         asked,
		StartedAt:       started,
		RingingAt:       ringing,
		AnsweredAt:      answered,
		EndedAt:         c.ended,
		HangUpAt:        hangUp,
		SettledAt:       settled,
	})
	return c, nil
}

// parts returns the parts of the campaign and its calls.
func (h *generator) parts() history.Parts {
	p := h.pieces
	p.OrganizationID = h.actor.OrganizationID
	return p
}

// recipient adds a person to the list. r is the outcome of their calls.
func (h *generator) recipient(id uuid.UUID, i int, p person, listed time.Time, r history.Recipient) error {
	variables, err := json.Marshal(h.Variables.of(i, p))
	if err != nil {
		return fmt.Errorf("encode variables: %w", err)
	}
	r.ID, r.OrganizationID, r.CampaignID = id, h.actor.OrganizationID, h.id
	r.PhoneNumber, r.Name = p.number, p.name
	if r.SkipReason != campaign.SkipDuplicate { // an external ID is unique in its list
		r.ExternalID = p.externalID
	}
	r.Zones, r.ZoneSource, r.Variables, r.CreatedAt = []string{h.zone.String()}, "project", variables, listed
	h.recipients = append(h.recipients, r)
	return nil
}

func (h *generator) between(least, most time.Duration) time.Duration {
	return least + time.Duration(h.r.Int64N(int64(most-least)))
}

// write copies the campaign into the tables.
func (h *generator) write(ctx context.Context, tx pgx.Tx) error {
	action := campaign.HangUp
	if h.LeaveMessage {
		action = campaign.LeaveMessage
	}
	started := h.created.Add(40 * time.Minute)
	c := history.Campaign{
		Parts:           h.parts(),
		ID:              h.id,
		Name:            h.Name,
		CallingHours:    callingHours,
		MaxConcurrency:  5,
		MaxAttempts:     h.MaxAttempts,
		RetryDelays:     []int{sameDay, nextDay},
		RetryOn:         []call.Outcome{call.OutcomeBusy, call.OutcomeNoAnswer},
		VoicemailAction: action,
		Metadata:        json.RawMessage(metadata),
		CreatedBy:       h.actor.Name,
		CreatedAt:       h.created,
		StartedAt:       started,
		EndedAt:         h.last,
	}
	if err := history.Write(ctx, tx, 1, func(int) history.Campaign { return c }); err != nil {
		return err
	}
	err := history.Write(ctx, tx, len(h.recipients), func(i int) history.Recipient { return h.recipients[i] })
	if err != nil {
		return err
	}
	if err := history.Write(ctx, tx, len(h.calls), func(i int) history.Call { return h.calls[i] }); err != nil {
		return err
	}
	if err := history.Write(ctx, tx, len(h.turns), func(i int) history.Turn { return h.turns[i] }); err != nil {
		return err
	}
	return h.record(ctx, tx, started)
}

// price returns the price of a call at the sandbox. Calls that nobody answered cost nothing.
func price(answered, ended time.Time) string {
	if answered.IsZero() {
		return "0"
	}
	return strings.TrimRight(sandbox.CallPrice(ended.Sub(answered)), "0")
}

// record writes the campaign's entries in the audit log and the do-not-call list.
func (h *generator) record(ctx context.Context, tx pgx.Tx, started time.Time) error {
	system := account.System(h.actor.OrganizationID)
	object := account.Object{Type: "campaign", ID: h.id}
	dated := func(at time.Time, write func() error) error {
		if err := write(); err != nil {
			return err
		}
		// Rows with a recent date are the rows that write has just added.
		for _, table := range []string{"audit_entry", "do_not_call"} {
			_, err := tx.Exec(ctx, `
				update `+table+` set created_at = $2
				where organization_id = $1 and created_at > clock() - interval '1 hour'`,
				h.actor.OrganizationID, at)
			if err != nil {
				return fmt.Errorf("date back: %w", err)
			}
		}
		return nil
	}
	entry := func(at time.Time, actor account.Actor, action string, data map[string]any) error {
		return dated(at, func() error { return account.Record(ctx, tx, actor, action, object, data) })
	}
	for i, number := range h.unwanted {
		err := dated(h.created.Add(-time.Duration(i+2)*21*time.Hour), func() error {
			_, _, err := suppression.Add(ctx, tx, h.actor, suppression.NewEntry{
				PhoneNumber: number, Source: suppression.ByUser, Note: "Asked us by letter not to call.",
			})
			return err
		})
		if err != nil {
			return err
		}
	}
	err := entry(h.created, h.actor, "campaign.created", map[string]any{
		"name": h.Name, "recipients": len(h.recipients),
	})
	if err != nil {
		return err
	}
	err = entry(started, system, "campaign.started", map[string]any{
		"name": h.Name, "from": campaign.Scheduled, "to": campaign.Running,
	})
	if err != nil {
		return err
	}
	for _, o := range h.optOuts {
		err := dated(o.at, func() error {
			_, err := suppression.AddFromCall(
				ctx, tx, h.actor.OrganizationID, o.call, o.number, suppression.ByCall, "",
				suppression.Voice,
			)
			return err
		})
		if err != nil {
			return err
		}
	}
	err = entry(h.last, system, "campaign.completed", map[string]any{
		"name": h.Name, "from": campaign.Running, "to": campaign.Completed, "reason": campaign.EndedFinished,
	})
	if err != nil {
		return err
	}
	return h.log(ctx, tx, started)
}

// log writes the campaign's own log.
func (h *generator) log(ctx context.Context, tx pgx.Tx, started time.Time) error {
	system := account.System(h.actor.OrganizationID)
	_, err := tx.Exec(ctx, `
		insert into campaign_log_entry
			(id, organization_id, campaign_id, kind, actor_kind, actor_name, data, created_at, updated_at)
		select id, @organization_id, @id, kind, actor_kind, actor_name, data::jsonb, at, at
		from unnest(@ids::uuid[], @kinds::text[], @actors::text[], @names::text[], @data::text[], @times::timestamptz[])
			as e (id, kind, actor_kind, actor_name, data, at)`, pgx.NamedArgs{
		"organization_id": h.actor.OrganizationID, "id": h.id,
		"ids":    []uuid.UUID{idOf(h.created), idOf(started), idOf(h.last)},
		"kinds":  []string{string(campaign.LogCreated), string(campaign.LogStarted), string(campaign.LogCompleted)},
		"actors": []string{string(h.actor.Kind), string(account.BySystem), string(account.BySystem)},
		"names":  []string{h.actor.Name, system.Name, system.Name},
		"data": []string{
			fmt.Sprintf(`{"recipients": %d, "do_not_call": %d, "until": %q}`,
				len(h.recipients), h.Skipped, started.UTC().Format(time.RFC3339)),
			"{}",
			fmt.Sprintf(`{"reason": %q}`, campaign.EndedFinished),
		},
		"times": []time.Time{h.created, started, h.last},
	})
	if err != nil {
		return fmt.Errorf("write the log of %q: %w", h.Name, err)
	}
	return nil
}

// idOf returns a UUIDv7 for a time in the past.
func idOf(at time.Time) uuid.UUID { return history.IDAt(at, rand.Text()) }

// carrierID returns an ID like the sandbox's call IDs.
func carrierID() string {
	id := make([]byte, 16)
	rand.Read(id) // never fails
	return "CA" + hex.EncodeToString(id)
}
