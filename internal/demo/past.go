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
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/hours"
	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/project"
	"github.com/dialwright/dialwright/internal/suppression"
)

// This file writes the past: campaigns that are over, with calls that nobody
// placed. No service can make those (they would be dialed), so the rows go
// into the tables as settlement would have left them. They are marked as demo
// data in their metadata.

// past is a campaign that is over.
type past struct {
	name         string
	project      project.Project
	agent        cast
	number       project.PhoneNumber
	people       int // who were called
	skipped      int // and who were not: on the do-not-call list, or twice in the list
	first        int // which of the demo's people
	from         time.Time
	days         int // on which people were called for the first time; Sundays are off
	maxAttempts  int
	leaveMessage bool
	variables    func(i int) map[string]any // of the i-th; may be nil
}

// cast is an agent with what people answer it.
type cast struct {
	agent
	made project.Agent
}

// callingHours are those of the past: by the recipient's clock, never on Sundays.
var callingHours = hours.Hours{Timezone: hours.Recipient, Windows: []hours.Window{{
	Days:  []hours.Day{hours.Monday, hours.Tuesday, hours.Wednesday, hours.Thursday, hours.Friday, hours.Saturday},
	Start: "08:00", End: "20:00",
}}}

const (
	ringTime = 30 * time.Second
	longest  = 10 * time.Minute
	sameDay  = 240  // minutes before the second attempt
	nextDay  = 1440 // and before the third
	metadata = `{"demo": true}`
)

// seedHistory writes all of the past in one transaction, unless it is there. It
// also makes what it is made of as old as it must be.
func (d *seeder) seedHistory(ctx context.Context, actor account.Actor, zone *time.Location, now time.Time, past []past) error {
	return postgres.InTx(ctx, d.Pool, func(tx pgx.Tx) error {
		there, err := d.hasCampaign(ctx, tx, actor.OrganizationID, past[0].name)
		if err != nil || there {
			return err
		}
		batch := &pgx.Batch{}
		for _, table := range []string{"project", "agent", "connection", "phone_number", "membership", "audit_entry"} {
			batch.Queue(`update `+table+` set created_at = created_at - interval '30 days' where organization_id = $1`, actor.OrganizationID)
		}
		batch.Queue(`update organization set created_at = created_at - interval '30 days' where id = $1`, actor.OrganizationID)
		batch.Queue(`
			update app_user set created_at = created_at - interval '30 days'
			where id in (select user_id from membership where organization_id = $1)`, actor.OrganizationID)
		if err := tx.SendBatch(ctx, batch).Close(); err != nil {
			return fmt.Errorf("date back: %w", err)
		}
		for i, p := range past {
			h := history{past: p, actor: actor, zone: zone, r: mathrand.New(mathrand.NewPCG(uint64(i), uint64(p.people)))}
			if err := h.make(); err != nil {
				return err
			}
			if h.last.After(now) {
				return fmt.Errorf("the campaign %q of the past ends in the future", p.name)
			}
			if err := h.write(ctx, tx); err != nil {
				return err
			}
		}
		return call.Recount(ctx, tx, actor.OrganizationID)
	})
}

// history is a campaign of the past being made up.
type history struct {
	past
	actor account.Actor
	zone  *time.Location
	r     *mathrand.Rand // the same every time: the past does not depend on who looks at it

	id       uuid.UUID
	created  time.Time
	last     time.Time // when its last call was settled
	outcomes deck[call.Outcome]
	manners  deck[manner]

	recipients, calls, turns        [][]any
	completed, failed, canceled, up int // recipients by status, and calls answered
	ended                           map[call.Outcome]int
	optOuts                         []optOut
	unwanted                        []phone.Number // on the do-not-call list before it began
	schedule                        *hours.Schedule
}

// optOut is somebody who asked in a call not to be called again.
type optOut struct {
	number phone.Number
	call   uuid.UUID
	at     time.Time
}

// deck deals its cards in the shares they have, in an order drawn by chance.
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

func (h *history) make() (err error) {
	if h.schedule, err = callingHours.In(h.zone.String()); err != nil {
		return err
	}
	h.ended = map[call.Outcome]int{}
	h.outcomes = deckOf[call.Outcome](call.OutcomeCompleted, 25, call.OutcomeNoAnswer, 12, call.OutcomeVoicemail, 6,
		call.OutcomeBusy, 4, call.OutcomeFailed, 2, call.OutcomeCanceled, 1)
	h.manners = deckOf[manner](talksToTheEnd, 28, cutsIn, 4, hangsUpMidway, 3, hasToGo, 1, saysStop, 1, pressesNine, 1, staysSilent, 1)

	days := h.workdays()
	h.created = days[0].Add(-40 * time.Minute)
	h.id = idOf(h.created)
	perDay := (h.people + len(days) - 1) / len(days)
	at := days[0]
	for i := range h.people {
		if i%perDay == 0 {
			at = days[i/perDay]
		}
		if err := h.person(i, at, days[i/perDay].Add(-35*time.Minute)); err != nil {
			return err
		}
		at = at.Add(h.between(45*time.Second, 170*time.Second))
	}
	for i := range h.skipped {
		p, reason := personNo(h.first+i), campaign.SkipDuplicate
		if i%2 == 0 {
			p, reason = personNo(590+i), campaign.SkipDoNotCall
			h.unwanted = append(h.unwanted, phone.Number(p.number))
		}
		if err := h.recipient(idOf(h.created), h.people+i, p, h.created, campaign.RecipientSkipped, 0, nil, nil, &reason); err != nil {
			return err
		}
	}
	return nil
}

// workdays are the moments at which a day's first call is placed: early enough
// for a second attempt on that day.
func (h *history) workdays() []time.Time {
	var days []time.Time
	for d := range h.days {
		if day := h.from.AddDate(0, 0, d); day.Weekday() != time.Sunday {
			begin := time.Date(day.Year(), day.Month(), day.Day(), 9, 0, 0, 0, h.zone)
			days = append(days, begin.Add(h.between(0, 5*time.Hour)))
		}
	}
	return days
}

// person is called until reached, or as often as is allowed.
func (h *history) person(i int, at, listed time.Time) error {
	p := personNo(h.first + i)
	id := idOf(listed)
	var more map[string]any
	if h.variables != nil {
		more = h.variables(i)
	}
	vars := p.variables(more)
	for attempt := 1; ; attempt++ {
		c, err := h.call(id, p, vars, at, attempt)
		if err != nil {
			return err
		}
		again := (c.outcome == call.OutcomeBusy || c.outcome == call.OutcomeNoAnswer) && attempt < h.maxAttempts
		if !again {
			status := campaign.RecipientFailed
			switch {
			case c.outcome == call.OutcomeCompleted, c.reason == call.ReasonVoicemailMessage:
				status = campaign.RecipientCompleted
				h.completed++
			case c.outcome == call.OutcomeCanceled:
				status = campaign.RecipientCanceled
				h.canceled++
			default:
				h.failed++
			}
			return h.recipient(id, i, p, listed, status, attempt, &c.id, &c.outcome, nil)
		}
		delay := sameDay
		if attempt > 1 {
			delay = nextDay
		}
		due, ok := h.schedule.NextOpening(c.ended.Add(time.Duration(delay) * time.Minute))
		if !ok {
			return fmt.Errorf("the calling hours of %q never open", h.name)
		}
		at = due.Add(h.between(time.Second, 4*time.Minute))
	}
}

// ended is how a call of the past ended.
type ended struct {
	id      uuid.UUID
	outcome call.Outcome
	reason  call.Reason
	ended   time.Time
}

// call is one attempt to reach somebody.
func (h *history) call(recipient uuid.UUID, p person, vars map[string]any, at time.Time, attempt int) (ended, error) {
	c := ended{id: idOf(at), outcome: h.outcomes.deal(h.r)}
	h.ended[c.outcome]++
	asked := at.Add(h.between(15*time.Millisecond, 60*time.Millisecond))
	started := asked.Add(h.between(120*time.Millisecond, 480*time.Millisecond))
	ringing := new(started.Add(h.between(700*time.Millisecond, 2500*time.Millisecond)))
	var (
		answered, hangUp *time.Time
		answeredBy       *call.AnsweredBy
		by               = call.BySystem
		status           = call.Status(c.outcome)
		analysis         []byte
		text             string
	)
	switch c.outcome {
	case call.OutcomeNoAnswer:
		c.reason, c.ended = call.ReasonNoAnswer, ringing.Add(ringTime)
	case call.OutcomeBusy:
		c.reason, by, c.ended, ringing = call.ReasonBusy, call.ByRecipient, started.Add(h.between(time.Second, 3*time.Second)), nil
	case call.OutcomeFailed:
		c.reason, by, c.ended, ringing = pickOne(h.r, []call.Reason{call.ReasonInvalidNumber, call.ReasonUnreachable}), call.ByCarrier,
			started.Add(h.between(900*time.Millisecond, 4*time.Second)), nil
	case call.OutcomeCanceled:
		c.reason, c.ended = call.ReasonEndedByUser, ringing.Add(h.between(5*time.Second, 14*time.Second))
		hangUp = new(c.ended.Add(-300 * time.Millisecond))
	default:
		who, manner := call.Machine, isMachine
		if c.outcome == call.OutcomeCompleted {
			who, manner = call.Human, h.manners.deal(h.r)
		}
		if manner == staysSilent {
			who = call.Unknown
		}
		spoken := conversation.Known{Agent: h.agent.Name, Name: p.name, PhoneNumber: p.number}.Variables(vars)
		t := converse(h.r, h.agent.agent, spoken, h.leaveMessage, manner)
		answered, answeredBy, status = new(ringing.Add(h.between(3*time.Second, 19*time.Second))), &who, call.Completed
		c.ended = answered.Add(t.length)
		c.reason, by = t.reason()
		text = t.text()
		var err error
		if analysis, err = json.Marshal(conversation.Analyze(t.state)); err != nil {
			return c, fmt.Errorf("encode an analysis: %w", err)
		}
		for _, turn := range t.turns {
			said := *answered
			if turn.EndMS != nil {
				said = answered.Add(time.Duration(*turn.EndMS) * time.Millisecond)
			}
			h.turns = append(h.turns, []any{c.id, turn.Index, h.actor.OrganizationID, string(turn.Role), turn.Text, turn.StartMS, turn.EndMS, turn.Interrupted, said})
		}
		if t.state.OptedOut != "" {
			h.optOuts = append(h.optOuts, optOut{number: phone.Number(p.number), call: c.id, at: c.ended})
		}
		h.up++
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
	if h.leaveMessage {
		action = call.LeaveMessage
	}
	h.calls = append(h.calls, []any{
		c.id, h.actor.OrganizationID, h.project.ID, h.id, recipient, attempt, h.agent.made.ID, h.number.ID, h.number.ConnectionID,
		string(project.Sandbox), carrierID(), string(h.number.PhoneNumber), p.number, p.name, string(status), string(c.outcome), string(c.reason), string(by),
		orNull((*string)(answeredBy)), string(action), int(ringTime.Seconds()), int(longest.Seconds()), variables, []byte(metadata), analysis, text,
		at, asked, started, ringing, answered, c.ended, c.ended, hangUp, c.ended, settled,
	})
	return c, nil
}

func (h *history) recipient(id uuid.UUID, i int, p person, listed time.Time, status campaign.RecipientStatus, attempts int, last *uuid.UUID, outcome *call.Outcome, skip *string) error {
	var more map[string]any
	if h.variables != nil {
		more = h.variables(i)
	}
	variables, err := json.Marshal(p.variables(more))
	if err != nil {
		return fmt.Errorf("encode variables: %w", err)
	}
	h.recipients = append(h.recipients, []any{
		id, h.actor.OrganizationID, h.id, p.number, p.name, fmt.Sprintf("%d", 10_000+h.first+i), []string{h.zone.String()}, "project",
		variables, []byte("{}"), string(status), attempts, last, orNull((*string)(outcome)), skip, listed,
	})
	return nil
}

func (h *history) between(least, most time.Duration) time.Duration {
	return least + time.Duration(h.r.Int64N(int64(most-least)))
}

// write copies the campaign into the tables.
func (h *history) write(ctx context.Context, tx pgx.Tx) error {
	calling, err := json.Marshal(callingHours)
	if err != nil {
		return fmt.Errorf("encode calling hours: %w", err)
	}
	action := campaign.HangUp
	if h.leaveMessage {
		action = campaign.LeaveMessage
	}
	started := h.created.Add(40 * time.Minute)
	_, err = tx.Exec(ctx, `
		insert into campaign (
			id, organization_id, project_id, agent_id, phone_number_id, connection_id, name, status, ended_reason, scheduled_at,
			calling_hours, max_concurrency, calls_per_second, max_attempts, retry_delays, retry_on, voicemail_action,
			ring_timeout_seconds, max_duration_seconds, metadata, total, completed, failed, skipped, canceled,
			calls_placed, calls_answered, outcomes, created_by, created_at, started_at, ended_at)
		values (
			@id, @organization_id, @project_id, @agent_id, @phone_number_id, @connection_id, @name, 'completed', @ended_reason, @started_at,
			@calling_hours, 5, 1, @max_attempts, @retry_delays, '{busy,no_answer}', @voicemail_action,
			@ring_timeout, @max_duration, @metadata, @total, @completed, @failed, @skipped, @canceled,
			@calls_placed, @calls_answered, @outcomes, @created_by, @created_at, @started_at, @ended_at)`,
		pgx.NamedArgs{
			"id": h.id, "organization_id": h.actor.OrganizationID, "project_id": h.project.ID, "agent_id": h.agent.made.ID,
			"phone_number_id": h.number.ID, "connection_id": h.number.ConnectionID, "name": h.name, "ended_reason": campaign.EndedFinished,
			"calling_hours": calling, "max_attempts": h.maxAttempts, "retry_delays": []int{sameDay, nextDay}, "voicemail_action": action,
			"ring_timeout": int(ringTime.Seconds()), "max_duration": int(longest.Seconds()), "metadata": metadata,
			"total": len(h.recipients), "completed": h.completed, "failed": h.failed, "skipped": h.skipped, "canceled": h.canceled,
			"calls_placed": len(h.calls), "calls_answered": h.up, "outcomes": h.ended, "created_by": h.actor.Name,
			"created_at": h.created, "started_at": started, "ended_at": h.last,
		})
	if err != nil {
		return fmt.Errorf("insert the campaign %q: %w", h.name, err)
	}
	for _, t := range []struct {
		table   string
		columns []string
		rows    [][]any
	}{
		{"recipient", []string{
			"id", "organization_id", "campaign_id", "phone_number", "name", "external_id", "zones", "zone_source",
			"variables", "metadata", "status", "attempts", "last_call_id", "outcome", "skip_reason", "created_at"}, h.recipients},
		{"call", []string{
			"id", "organization_id", "project_id", "campaign_id", "recipient_id", "attempt", "agent_id", "phone_number_id", "connection_id",
			"carrier", "carrier_call_id", "from_number", "to_number", "recipient_name", "status", "outcome", "ended_reason", "ended_by",
			"answered_by", "voicemail_action", "ring_timeout_seconds", "max_duration_seconds", "variables", "metadata", "analysis", "transcript_text",
			"created_at", "asked_at", "started_at", "ringing_at", "answered_at", "ended_at", "heard_at", "hang_up_at", "settle_after", "settled_at"}, h.calls},
		{"call_turn", []string{"call_id", "index", "organization_id", "role", "text", "start_ms", "end_ms", "interrupted", "created_at"}, h.turns},
	} {
		if _, err := tx.CopyFrom(ctx, pgx.Identifier{t.table}, t.columns, pgx.CopyFromRows(t.rows)); err != nil {
			return fmt.Errorf("copy %d rows into %s: %w", len(t.rows), t.table, err)
		}
	}
	return h.record(ctx, tx, started)
}

// record writes what the audit log and the do-not-call list say about it.
func (h *history) record(ctx context.Context, tx pgx.Tx, started time.Time) error {
	system := account.System(h.actor.OrganizationID)
	object := account.Object{Type: "campaign", ID: h.id}
	dated := func(at time.Time, write func() error) error {
		if err := write(); err != nil {
			return err
		}
		// What was written in this transaction by now is not dated yet.
		for _, table := range []string{"audit_entry", "do_not_call"} {
			_, err := tx.Exec(ctx, `update `+table+` set created_at = $2 where organization_id = $1 and created_at > clock() - interval '1 hour'`,
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
	if err := entry(h.created, h.actor, "campaign.created", map[string]any{"name": h.name, "recipients": len(h.recipients)}); err != nil {
		return err
	}
	if err := entry(started, system, "campaign.started", map[string]any{"name": h.name, "from": campaign.Scheduled, "to": campaign.Running}); err != nil {
		return err
	}
	for _, o := range h.optOuts {
		err := dated(o.at, func() error {
			_, _, err := suppression.Add(ctx, tx, system, suppression.NewEntry{PhoneNumber: o.number, Source: suppression.ByCall, CallID: &o.call})
			return err
		})
		if err != nil {
			return err
		}
	}
	err := entry(h.last, system, "campaign.completed", map[string]any{
		"name": h.name, "from": campaign.Running, "to": campaign.Completed, "reason": campaign.EndedFinished,
	})
	if err != nil {
		return err
	}
	return h.log(ctx, tx, started)
}

// log writes the campaign's own log, and what its calls count as for regulators
// and carriers, as campaign.Compliance says.
func (h *history) log(ctx context.Context, tx pgx.Tx, started time.Time) error {
	_, err := tx.Exec(ctx, `
		insert into campaign_log_entry (id, organization_id, campaign_id, kind, actor_kind, actor_name, data, created_at, updated_at)
		select id, @organization_id, @id, kind, actor_kind, actor_name, data::jsonb, at, at
		from unnest(@ids::uuid[], @kinds::text[], @actors::text[], @names::text[], @data::text[], @times::timestamptz[])
			as e (id, kind, actor_kind, actor_name, data, at)`, pgx.NamedArgs{
		"organization_id": h.actor.OrganizationID, "id": h.id,
		"ids":    []uuid.UUID{idOf(h.created), idOf(started), idOf(h.last)},
		"kinds":  []string{string(campaign.LogCreated), string(campaign.LogStarted), string(campaign.LogCompleted)},
		"actors": []string{string(h.actor.Kind), string(account.BySystem), string(account.BySystem)},
		"names":  []string{h.actor.Name, account.System(h.actor.OrganizationID).Name, account.System(h.actor.OrganizationID).Name},
		"data": []string{
			fmt.Sprintf(`{"recipients": %d, "do_not_call": %d, "until": %q}`, len(h.recipients), h.skipped, started.UTC().Format(time.RFC3339)), "{}",
			fmt.Sprintf(`{"reason": %q}`, campaign.EndedFinished),
		},
		"times": []time.Time{h.created, started, h.last},
	})
	if err != nil {
		return fmt.Errorf("write the log of %q: %w", h.name, err)
	}
	_, err = tx.Exec(ctx, `
		update campaign set answered_by_person = n.by_person, opted_out = n.opted_out, short_calls = n.short
		from (
			select count(*) filter (where outcome <> 'voicemail') as by_person,
			       count(*) filter (where ended_reason = 'opted_out') as opted_out,
			       count(*) filter (where ended_at - answered_at <= interval '6 s') as short
			from call where campaign_id = @id and answered_at is not null) n
		where id = @id`, pgx.NamedArgs{"id": h.id})
	if err != nil {
		return fmt.Errorf("count the calls of %q: %w", h.name, err)
	}
	return nil
}

// idOf is a UUIDv7 (RFC 9562 §5.7) of a moment in the past.
func idOf(at time.Time) uuid.UUID {
	id := uuid.Must(uuid.NewV7())
	ms := at.UnixMilli()
	for i := range 6 {
		id[i] = byte(ms >> (40 - 8*i))
	}
	return id
}

// carrierID looks like the sandbox's ids of calls.
func carrierID() string {
	id := make([]byte, 16)
	rand.Read(id) // it never fails
	return "CA" + hex.EncodeToString(id)
}

// orNull is the text behind a pointer of a named text type, for a COPY.
func orNull(s *string) any {
	if s == nil {
		return nil
	}
	return *s
}
