package call

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/webhook"
	"github.com/dialwright/dialwright/internal/wire"
)

// A scheduled call is the next call of a recipient who is in no campaign's list, because POST /calls requested the
// call. It becomes a row of the table call, with the same ID, when it is claimed or when it ends without a claim. So
// what counts, limits and reconciles calls reads only calls that may be in the air, and the time of a row is the time
// of its claim, by which reports count it.

// Waiting is why a scheduled call is not placed now.
type Waiting struct {
	Reason string     `json:"reason"` // one of campaign.WaitReasons
	Until  *wire.Time `json:"until"`  // nil: no fixed time
	Detail *string    `json:"detail"` // for a person: who stopped calling, or the carrier's answer
}

// scheduled is a scheduled call as it is read.
type scheduled struct {
	Call
	Expires    *time.Time
	IsDue      bool
	WaitReason *string
	Held       *string         // why the recipients who are due are not called
	Waits      json.RawMessage // with more about Held
}

// sqlNextNumber is the number of the next call of a standing campaign c. A pool chooses it when it places the call.
// Until then, it is the one whose turn it is.
const sqlNextNumber = `coalesce(c.phone_number_id,
			  (select id from phone_number where number_pool_id = c.number_pool_id and deactivated_at is null
			   order by last_call_at nulls first, id limit 1),
			  (select id from phone_number where connection_id = c.connection_id order by created_at, id limit 1))`

// sqlScheduled is the table call of scheduled calls, with the columns of a call that they have, from recipients r with
// their standing campaigns c.
const sqlScheduled = `
	from (
		select r.next_call_id as id, r.organization_id, c.project_id, null::uuid as campaign_id, r.id as recipient_id,
		       'outbound' as direction, r.attempts + 1 as attempt, null::uuid as last_call_id,
		       null::uuid as resumes_recipient_id, c.agent_id,
		       c.agent_version_id, null::text as agent_name, n.id as phone_number_id, c.connection_id,
		       k.kind as carrier,
		       null::text as carrier_call_id, n.phone_number as own_number,
		       r.phone_number as person_number, false as number_withheld, r.name as recipient_name,
		       'scheduled' as status, null::text as outcome,
		       null::text as ended_reason, null::text as ended_by, null::text as hang_up_by, null::text as answered_by,
		       '' as detail,
		       null::text as carrier_code, c.call_reason, null::text as stir_attestation, r.consent_basis, r.consent_at,
		       r.consent_source, r.consent_expires_at, c.variables || r.variables as variables,
		       c.metadata || r.metadata as metadata, false as record, null::text as recording_id,
		       null::jsonb as analysis, null::jsonb as reception, null::jsonb as pre_dial_check,
		       null::jsonb as calling_hours_decision,
		       '' as transcript_text, r.planned_at as created_at, null::timestamptz as started_at,
		       null::timestamptz as ringing_at, null::timestamptz as answered_at, null::timestamptz as ended_at,
		       null::timestamptz as hang_up_at, null::timestamptz as recording_due_at,
		       null::timestamptz as recording_removed_at, null::numeric as cost, null::text as cost_currency,
		       null::jsonb as cost_parts, r.external_id, r.first_call_id, null::uuid as next_call_id,
		       coalesce(r.changed_at, r.planned_at) as changed_at,
		       r.expires_at, r.due_at, r.due_at <= (select clock()) as is_due, r.wait_reason, c.held, c.waiting as waits
		from recipient r
		join campaign c on c.id = r.campaign_id
		join connection k on k.id = c.connection_id
		cross join lateral (
			select id, phone_number from phone_number
			where id = ` + sqlNextNumber + `
		) n
		where r.next_call_id is not null
	) call`

// sqlPlannedChanged is when the scheduled call of a recipient last changed, as in the index recipient_planned_changed.
const sqlPlannedChanged = `coalesce(changed_at, planned_at)`

const sqlScheduledColumns = columns + `, expires_at as expires, coalesce(is_due, false) as is_due,
	wait_reason, held, waits`

// waits returns the call with the reason why it waits.
func (r scheduled) waits() (Call, error) {
	c := r.Call
	c.ExpiresAt = r.Expires
	if !r.IsDue {
		reason := cmp.Or(*cmp.Or(r.WaitReason, new(string)), "scheduled")
		c.Waiting = &Waiting{Reason: reason, Until: wire.Optional(c.DueAt)}
		return c, nil
	}
	if r.Held == nil {
		return c, nil // the next pass places it
	}
	var reported []Waiting
	if err := json.Unmarshal(r.Waits, &reported); err != nil {
		return c, fmt.Errorf("read why call %s waits: %w", c.ID, err)
	}
	c.Waiting = &Waiting{Reason: *r.Held}
	if i := slices.IndexFunc(reported, func(w Waiting) bool { return w.Reason == *r.Held }); i >= 0 {
		c.Waiting = &reported[i]
	}
	return c, nil
}

func collectScheduled(ctx context.Context, db postgres.DB, sql string, args pgx.NamedArgs) ([]Call, error) {
	rows, err := postgres.Collect(ctx, db, pgx.RowToStructByName[scheduled],
		`select `+sqlScheduledColumns+sqlScheduled+` `+sql, args)
	if err != nil {
		return nil, fmt.Errorf("read scheduled calls: %w", err)
	}
	calls := make([]Call, len(rows))
	for i, r := range rows {
		if calls[i], err = r.waits(); err != nil {
			return nil, err
		}
	}
	return calls, nil
}

// Scheduled returns those of the calls that are scheduled, in the order of the IDs.
func Scheduled(ctx context.Context, db postgres.DB, organization uuid.UUID, ids []uuid.UUID) ([]Call, error) {
	calls, err := collectScheduled(ctx, db, `where organization_id = @organization_id and id = any(@ids)`,
		pgx.NamedArgs{"organization_id": organization, "ids": ids})
	slices.SortFunc(calls, func(a, b Call) int {
		return cmp.Compare(slices.Index(ids, a.ID), slices.Index(ids, b.ID))
	})
	return calls, err
}

// scheduled reports whether scheduled calls may pass the filter, and whether no other calls may.
func (f Filter) scheduled() (also, only bool) {
	asked := slices.Contains(f.Statuses, StatusScheduled)
	if len(f.Statuses) > 0 && !asked || f.Live || f.Placed || f.CampaignID != nil || f.RecipientID != nil ||
		f.Direction == Inbound || len(f.Outcomes) > 0 || len(f.Intents) > 0 ||
		len(f.AnsweredBy) > 0 || f.AgentVersion != nil || f.MinDuration > 0 || f.Query != "" || len(f.Answers) > 0 ||
		f.Times.ofCalls() {
		return false, false
	}
	return true, asked && len(f.Statuses) == 1
}

// addScheduled adds the scheduled calls that pass the filter to a page of the other calls.
func (s *Service) addScheduled(
	ctx context.Context, f Filter, list page.List[Call], args pgx.NamedArgs,
) (page.List[Call], error) {
	waiting, err := s.pageScheduled(ctx, f, page.Where, page.Order, args)
	if err != nil || len(waiting) == 0 {
		return list, err
	}
	calls := list.Data
	for _, c := range waiting {
		// What comes after the page in the list comes after it in the next page.
		if list.NextCursor == nil || f.Request.Precedes(*list.NextCursor, c.CreatedAt, c.ID) {
			calls = append(calls, c)
		}
	}
	slices.SortFunc(calls, func(a, b Call) int {
		return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), bytes.Compare(b.ID[:], a.ID[:]))
	})
	if cut := page.Cut(f.Request, calls, key); cut.HasMore {
		return cut, nil
	}
	list.Data = calls
	return list, nil
}

// DueFirst reports whether the filter lists scheduled calls alone. They are sorted by the time at which they are due,
// the earliest first.
func (f Filter) DueFirst() bool {
	_, only := f.scheduled()
	return only
}

// noDueTime is the position of calls without a due time, after all others: they wait until something is permitted. The
// index recipient_planned_due has the same time.
var noDueTime = time.Date(2200, 1, 1, 0, 0, 0, 0, time.UTC)

const sqlDue = `coalesce(due_at, timestamptz '2200-01-01 00:00:00Z')`

// listScheduled returns a page of the scheduled calls alone.
func (s *Service) listScheduled(ctx context.Context, f Filter, args pgx.NamedArgs) (page.List[Call], error) {
	if err := f.DueArgs(args); err != nil {
		return page.List[Call]{Data: []Call{}}, err
	}
	waiting, err := s.pageScheduled(ctx, f, f.WhereDue(), page.OrderDue, args)
	if err != nil {
		return page.List[Call]{Data: []Call{}}, err
	}
	return page.Cut(f.Request, waiting, func(c Call) (time.Time, uuid.UUID) {
		if c.DueAt == nil {
			return noDueTime, c.ID
		}
		return *c.DueAt, c.ID
	}), nil
}

// pageScheduled reads the scheduled calls that pass the filter, in an order that ends with a limit.
func (s *Service) pageScheduled(
	ctx context.Context, f Filter, where, order string, args pgx.NamedArgs,
) ([]Call, error) {
	// The page is chosen before it is joined, so that no plan reads all scheduled calls.
	own, of := []string{where}, []string{`c.organization_id = @organization_id and c.kind = 'call'`}
	if f.PersonNumber != "" {
		own, args["person_number"] = append(own, `phone_number = @person_number`), f.PersonNumber
	}
	if len(f.NumberPart) > 0 {
		own, args["number_likes"] = append(own, `phone_number like any(@number_likes)`), f.NumberPart.Likes()
	}
	if f.ExternalID != "" {
		own, args["external_id"] = append(own, `external_id = @external_id`), f.ExternalID
	}
	own = append(own, page.Has(args, "metadata", "metadata", f.Metadata)...) // their standing campaigns have none
	for _, c := range []struct {
		column, name string
		value        *uuid.UUID
	}{
		{sqlNextNumber, "phone_number_id", f.PhoneNumberID},
		{"c.agent_id", "agent_id", f.AgentID},
		{"c.project_id", "project_id", f.ProjectID},
	} {
		if c.value != nil {
			of, args[c.name] = append(of, c.column+" = @"+c.name), c.value
		}
	}
	if len(of) > 1 {
		own = append(own, `campaign_id = any(array(select c.id from campaign c where `+strings.Join(of, " and ")+`))`)
	}
	first, changed := "", ""
	for _, condition := range (Times{UpdatedAfter: f.UpdatedAfter, UpdatedBefore: f.UpdatedBefore}).sql(args, "") {
		first = `materialized` // few calls have changed, wherever they are in the order
		changed += ` and ` + strings.Replace(condition, `changed_at`, sqlPlannedChanged, 1)
	}
	return collectScheduled(ctx, s.pool, `where organization_id = @organization_id and id = any(array(
		with r as `+first+` (
			select next_call_id as id, planned_at as created_at, `+sqlDue+` as due_at, phone_number, external_id,
				campaign_id, metadata
			from recipient
			where organization_id = @organization_id and next_call_id is not null`+changed+`
		)
		select id from r
		where `+strings.Join(own, " and ")+` `+order+`)) `+order, args)
}

// EmitScheduled writes call.scheduled for scheduled calls. The caller wakes webhook.Topic after the commit.
func EmitScheduled(
	ctx context.Context, db postgres.DB, out *webhook.Outbox, organization uuid.UUID, ids []uuid.UUID,
) error {
	if len(ids) == 0 || !out.Wants(organization, webhook.CallScheduled) {
		return nil
	}
	calls, err := Scheduled(ctx, db, organization, ids)
	if err != nil {
		return err
	}
	var service Service // scheduled calls have no recordings, whose address a service knows
	for _, c := range calls {
		err := out.Add(webhook.Event{
			OrganizationID: organization, About: c.about(), Type: webhook.CallScheduled, SubjectID: c.ID,
			Data: service.Detail(c, nil),
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Unclaimed is how scheduled calls end that were never claimed.
type Unclaimed struct {
	Outcome Outcome // OutcomeCanceled or OutcomeFailed
	Reason  Reason
	Detail  string
	By      string // the name of who canceled the calls; empty: no user or key did
}

// EndScheduled ends the scheduled calls of recipients: it inserts their rows, which are then settled like others. The
// caller holds the row lock of the recipients' standing campaign, changes the recipients' state, and wakes
// TopicSettlement after the commit.
func EndScheduled(ctx context.Context, tx pgx.Tx, recipients []uuid.UUID, how Unclaimed) error {
	_, err := tx.Exec(ctx, `
		with ended as (
			insert into call (
				id, organization_id, project_id, recipient_id, attempt, agent_id, agent_version_id, phone_number_id,
				connection_id, carrier, own_number, person_number, recipient_name, status, outcome, ended_reason,
				ended_by, hang_up_by, detail, call_reason, ring_timeout_seconds, max_duration_seconds, consent_basis,
				consent_at, consent_source, consent_expires_at, variables, metadata, external_id, first_call_id,
				due_at, created_at, heard_at, ended_at, settle_after)
			select call.id, call.organization_id, call.project_id, call.recipient_id, call.attempt, call.agent_id,
			       call.agent_version_id, call.phone_number_id, call.connection_id, call.carrier, call.own_number,
			       call.person_number, call.recipient_name, @outcome, @outcome, @reason, 'system', nullif(@by, ''),
			       @detail,
			       call.call_reason, s.ring_timeout_seconds, s.max_duration_seconds, call.consent_basis,
			       call.consent_at, call.consent_source, call.consent_expires_at, call.variables, call.metadata,
			       call.external_id, call.first_call_id, call.due_at, t.now, t.now, t.now, t.now
			`+sqlScheduled+`
			join recipient r on r.id = call.recipient_id
			join campaign s on s.id = r.campaign_id
			cross join (select clock() as now) t
			where call.recipient_id = any(@recipients)
			returning id, recipient_id)
		update recipient r set last_call_id = ended.id, next_call_id = null, planned_at = null
		from ended where r.id = ended.recipient_id`, pgx.NamedArgs{
		"recipients": recipients, "outcome": how.Outcome, "reason": how.Reason, "detail": how.Detail,
		"by": how.By,
	})
	if err != nil {
		return fmt.Errorf("end %d scheduled calls: %w", len(recipients), err)
	}
	return nil
}
