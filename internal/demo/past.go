package demo

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	mathrand "math/rand/v2"
	"slices"
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
		there, err := d.hasCampaign(ctx, tx, actor.OrganizationID, o.Past[0].Name)
		if err != nil || there {
			return err
		}
		batch := &pgx.Batch{}
		for _, table := range []string{
			"project", "agent", "connection", "model_connection", "phone_number", "membership", "audit_entry",
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
		for i, c := range o.Past {
			h := newGenerator(c, o, p, zone, now, mathrand.New(mathrand.NewPCG(uint64(i), uint64(c.People))))
			h.actor = actor
			if err := h.make(); err != nil {
				return err
			}
			if h.last.After(now) {
				return fmt.Errorf("the campaign %q of the past ends in the future", c.Name)
			}
			if err := h.write(ctx, tx); err != nil {
				return err
			}
			written = append(written, h.id)
		}
		if err := writeNotes(ctx, tx, actor, o); err != nil {
			return err
		}
		return history.Count(ctx, tx, actor.OrganizationID, written)
	})
}

// notes are what staff wrote about the people who were reached last.
var notes = []string{
	"Prefers calls after 5 p.m. Works night shifts this month.",
	"Hard of hearing. Speak slowly, and repeat the time of the visit.",
	"Daughter handles the appointments. Ask for her first.",
}

func writeNotes(ctx context.Context, tx pgx.Tx, actor account.Actor, o organization) error {
	by := o.Admin.Name
	if len(o.Members) > 0 {
		by = o.Members[len(o.Members)-1].Name
	}
	_, err := tx.Exec(ctx, `
		insert into person_note (id, organization_id, phone_number, text, created_by, created_at)
		select gen_random_uuid(), @organization_id, c.person_number, (@notes::text[])[c.n], @by,
			c.ended_at + interval '20 minutes'
		from (
			select person_number, ended_at, row_number() over (order by ended_at desc, id) as n from call
			where organization_id = @organization_id and answered_by = 'human'
		) c
		where c.n <= cardinality(@notes::text[])`,
		pgx.NamedArgs{"organization_id": actor.OrganizationID, "notes": notes, "by": by})
	if err != nil {
		return fmt.Errorf("write notes about people: %w", err)
	}
	return nil
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

	id       uuid.UUID
	created  time.Time
	last     time.Time // settlement of its last call
	outcomes deck[call.Outcome]
	manners  deck[manner]

	recipients []history.Recipient
	calls      []history.Call
	turns      []history.Turn
	optOuts    []optOut
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
	h.outcomes = deckOf[call.Outcome](call.OutcomeCompleted, 25, call.OutcomeNoAnswer, 12, call.OutcomeVoicemail, 6,
		call.OutcomeBusy, 4, call.OutcomeFailed, 2, call.OutcomeCanceled, 1)
	h.manners = deckOf[manner](talksToTheEnd, 28, cutsIn, 4, hangsUpMidway, 3, hasToGo, 1, saysStop, 1,
		pressesNine, 1, staysSilent, 1)

	days := h.workdays()
	h.created = days[0].Add(-40 * time.Minute)
	h.id = idOf(h.created)
	perDay := (h.People + len(days) - 1) / len(days)
	at := days[0]
	for i := range h.People {
		if i%perDay == 0 {
			at = days[i/perDay]
		}
		if err := h.person(i, at, days[i/perDay].Add(-35*time.Minute)); err != nil {
			return err
		}
		gap := time.Duration(h.GapMinutes) * time.Minute
		at = at.Add(gap + h.between(45*time.Second, 170*time.Second))
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

// workdays returns the time of the first call on each day. It is early enough for a second attempt on the same day.
func (h *generator) workdays() []time.Time {
	var days []time.Time
	for d := range h.Days {
		if day := h.begin.AddDate(0, 0, d); day.Weekday() != time.Sunday {
			begin := time.Date(day.Year(), day.Month(), day.Day(), 9, 0, 0, 0, h.zone)
			days = append(days, begin.Add(h.between(0, 5*time.Hour)))
		}
	}
	return days
}

// person calls a person until the person is reached, or until the maximum number of attempts.
func (h *generator) person(i int, at, listed time.Time) error {
	p := personNo(h.FirstPerson + i)
	id := idOf(listed)
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
	c := ended{id: idOf(at), outcome: h.outcomes.deal(h.r)}
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
			h.optOuts = append(h.optOuts, optOut{number: phone.Number(p.number), call: c.id, at: c.ended})
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
	r.PhoneNumber, r.Name, r.ExternalID = p.number, p.name, fmt.Sprint(10_000+h.FirstPerson+i)
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
	if err := call.StoreCharges(ctx, tx, h.charges()); err != nil {
		return err
	}
	return h.record(ctx, tx, started)
}

// charges returns what the calls cost, at the prices of the sandbox.
func (h *generator) charges() []call.Charge {
	charges := make([]call.Charge, len(h.calls))
	for i, c := range h.calls {
		charges[i] = call.Charge{CallID: c.ID, Currency: sandbox.Currency}
		if !c.AnsweredAt.IsZero() {
			charges[i].Amount = sandbox.CallPrice(c.EndedAt.Sub(c.AnsweredAt))
		}
	}
	return charges
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
