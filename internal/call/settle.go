package call

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/webhook"
)

// Ended is a call that has ended and is not settled.
type Ended struct {
	ID             uuid.UUID
	OrganizationID uuid.UUID
	CampaignID     *uuid.UUID // of a call of its own: its standing campaign
	RecipientID    *uuid.UUID
	// ResumesRecipientID and ResumesCampaignID are whose open questions an inbound call asked.
	ResumesRecipientID *uuid.UUID
	ResumesCampaignID  *uuid.UUID
	Attempt            int
	PhoneNumberID      uuid.UUID
	ConnectionID       uuid.UUID
	PersonNumber       string
	Status             Status
	Outcome            Outcome
	EndedReason        Reason // NotPlaced reports that the call does not count as an attempt
	EndedBy            Party
	CarrierCode        *string
	Detail             string              // the carrier's words for the end
	Intent             conversation.Intent // empty: none
	CallBackAt         *time.Time          // with an intent: when the recipient wants to be called back
	Leeway             conversation.Leeway // what the recipient left open of CallBackAt
	ByPerson           bool                // the recipient was promised a call by a person, so no agent calls
	Needs              []string            // what the model left to people
	StartedAt          *time.Time
	AskedAt            *time.Time // nil: the call was never requested from the carrier
	AnsweredAt         *time.Time
	EndedAt            time.Time
	LineOpen           bool // the line was not closed in order: its holder died
	AgentSpoke         bool // the recipient heard the agent
	ByMachine          bool // a machine answered, and nothing showed a person
}

// sqlIntent is the columns Intent, CallBackAt, Leeway, ByPerson and Needs of Ended.
const sqlIntent = `coalesce(intent, '') as intent, (analysis ->> 'call_back_at')::timestamptz as call_back_at,
	coalesce(analysis ->> 'leeway', '') as leeway,
	coalesce((analysis ->> 'by_person')::bool, false) as by_person,
	coalesce(analysis -> 'needs', '[]') as needs`

// DialedFrom is the campaign of a call, or the standing campaign of a call of its own.
const DialedFrom = `case when call.campaign_id is null
	then (select r.campaign_id from recipient r where r.id = call.recipient_id) else call.campaign_id end`

// SQLResumes is the campaign whose open questions an inbound call asked.
const SQLResumes = `(select r.campaign_id from recipient r where r.id = call.resumes_recipient_id)`

// SettledWith is the campaign under whose lock a call is settled.
const SettledWith = `coalesce(` + DialedFrom + `, ` + SQLResumes + `)`

// Resumed reports whether a recipient answered what was left open, by calling us.
func (e Ended) Resumed() bool {
	return e.ResumesRecipientID != nil && e.ResumesCampaignID != nil && e.Outcome == OutcomeCompleted &&
		e.EndedReason == ReasonCompleted
}

// Unsettled returns calls that have ended and can be settled, oldest first, and locks them
// for the caller's transaction. It leaves out calls that another transaction has locked and
// the calls of the campaigns in except. The returned values are final, except that a result
// of machine detection may still be added to the call.
func (s *Service) Unsettled(ctx context.Context, tx pgx.Tx, limit int, except ...uuid.UUID) ([]Ended, error) {
	calls, err := postgres.Collect(ctx, tx, pgx.RowToStructByName[Ended], `
		select id, organization_id, `+DialedFrom+` as campaign_id, recipient_id, resumes_recipient_id,
		       `+SQLResumes+` as resumes_campaign_id, attempt, phone_number_id,
		       connection_id, person_number,
		       status, outcome, ended_reason, coalesce(ended_by, '') as ended_by, carrier_code, detail, `+sqlIntent+`,
		       started_at, asked_at, answered_at, ended_at,
		       answered_at is not null and exists (
		           select from call_turn t where t.call_id = call.id and t.role = 'agent') as agent_spoke,
		       answered_at is not null and exists (
		           select from call_line l where l.call_id = call.id and l.closed_at is null) as line_open,
		       answered_by is not distinct from 'machine' and not exists (
		           select from call_line l where l.call_id = call.id and l.human) as by_machine
		from call
		where ended_at is not null and settled_at is null and settle_after <= (select clock())
		  and (`+SettledWith+` = any($2)) is not true
		order by settle_after
		limit $1
		for no key update skip locked`, limit, except)
	if err != nil {
		return nil, fmt.Errorf("find calls to settle: %w", err)
	}
	var open []uuid.UUID
	for i, c := range calls {
		if c.LineOpen {
			open = append(open, c.ID)
			if c.EndedReason == ReasonHungUp {
				calls[i].EndedReason, calls[i].EndedBy = ReasonServerRestart, BySystem
			}
		}
	}
	if len(open) == 0 {
		return calls, nil
	}
	// The holder of the line died, or lost the line and no other holder took over. No more turns
	// follow, and the recipient did not hang up.
	rows, err := tx.Query(ctx, `
		update call c set
			ended_by = case when ended_reason = 'recipient_hung_up' then 'system' else ended_by end,
			ended_reason = case when ended_reason = 'recipient_hung_up' then 'server_restart' else ended_reason end,
			transcript_text = `+sqlTranscript+`,
			analysis = `+sqlAnalysis(`c.answered_by`)+`
		where c.id = any($1)
		returning c.id, `+sqlIntent, open)
	if err != nil {
		return nil, fmt.Errorf("close the lines of ended calls: %w", err)
	}
	var last Ended
	into := []any{&last.ID, &last.Intent, &last.CallBackAt, &last.Leeway, &last.ByPerson, &last.Needs}
	_, err = pgx.ForEachRow(rows, into, func() error {
		i := slices.IndexFunc(calls, func(c Ended) bool { return c.ID == last.ID })
		calls[i].Intent, calls[i].CallBackAt = last.Intent, last.CallBackAt
		calls[i].Leeway, calls[i].ByPerson, calls[i].Needs = last.Leeway, last.ByPerson, slices.Clone(last.Needs)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("close the lines of ended calls: %w", err)
	}
	return calls, nil
}

// MarkSettled settles calls that Unsettled returned in this transaction, and adds their
// events to out, which the caller writes. The caller calls Tally last.
func (s *Service) MarkSettled(ctx context.Context, tx pgx.Tx, calls []Ended, out *webhook.Outbox) error {
	ids := endedIDs(calls)
	batch := &pgx.Batch{}
	batch.Queue(addsCallDays)
	batch.Queue(`
		update call c set
			settled_at = clock(),
			recording_due_at = `+sqlRecordingDue+`,
			-- Without machine detection, whoever spoke or pressed a key is a person, unless recognized as a machine.
			answered_by = case
				when c.answered_by is not null or c.answered_at is null or c.detection <> 'off' then c.answered_by
				when exists (select from call_turn t where t.call_id = c.id and (
					t.role = 'recipient' or t.role = 'system' and t.text ~ '^`+PressedKey+`[0-9*#]$')) then 'human'
				else 'unknown' end
		where id = any($1) and settled_at is null`, ids, recordingDueAfter)
	batch.Queue(sqlHours+`c.id = any($1)`+sqlHoursAdd, ids)
	queuePrices(batch, ids)
	batch.Queue(sqlCloseTransfers, ids)
	batch.Queue(sqlEndedBy, ids)
	batch.Queue(`delete from call_line where call_id = any($1)`, ids)
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("settle %d calls: %w", len(ids), err)
	}
	return s.emitSettled(ctx, tx, out, calls)
}

// Tally adds the calls that MarkSettled settled in this transaction to the figures of their numbers, and to those
// that budgets are compared with. Campaigns share the rows, so these are the last statements of the transaction: a
// settlement that holds the rows waits for nothing else, and the next one may wait longer for them than for others.
func (s *Service) Tally(ctx context.Context, tx pgx.Tx, calls []Ended) error {
	ids := endedIDs(calls)
	batch := &pgx.Batch{}
	batch.Queue(tallyWait)
	batch.Queue(sqlNumberDays+`c.id = any($1)`+sqlNumberDaysAdd, ids)
	batch.Queue(sqlCallDays+`call_id = any($1)`+sqlCallDaysAdd, ids)
	queueVersionDays(batch, `c.id = any($1)`, ids)
	queueResults(batch, `c.id = any($1)`, ids)
	queueCostChanges(batch, `
		select organization_id, campaign_id, month, null as currency, 0 as amount, 1 as answered
		from call_price_due where call_id = any($1) and answered`, ids)
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("count %d settled calls: %w", len(ids), err)
	}
	return nil
}

// tallyWait lets a transaction wait longer for the rows that its last statements change.
const tallyWait = `select set_config('lock_timeout', '10s', true)`

func endedIDs(calls []Ended) []uuid.UUID {
	return page.IDs(calls, func(c Ended) uuid.UUID { return c.ID })
}
