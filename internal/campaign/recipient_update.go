package campaign

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/campaign/intake"
	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/suppression"
)

// RecipientChange is a change of a recipient who waits for a call. A nil field keeps its value. Variables and metadata
// replace the whole object.
type RecipientChange struct {
	PhoneNumber *string         `json:"phone_number"`                // E.164; before the first attempt
	Name        **string        `json:"name" nullable:"true"`        // to nil: none
	ExternalID  **string        `json:"external_id" nullable:"true"` // to nil: none
	Timezone    **string        `json:"timezone" nullable:"true"`    // to nil: as for a recipient without one
	Variables   json.RawMessage `json:"variables"`
	Metadata    json.RawMessage `json:"metadata"`
}

// RecipientEdit is a RecipientChange of one of many recipients. An edit without an ID names the recipient by the
// external ID, which then does not change.
type RecipientEdit struct {
	ID string `json:"id"`
	RecipientChange
}

// named returns the external ID that names the recipient; "" if the ID does.
func (e RecipientEdit) named() string {
	if e.ID != "" {
		return ""
	}
	return text(e.ExternalID, nil)
}

// change returns what the edit changes.
func (e RecipientEdit) change() RecipientChange {
	ch := e.RecipientChange
	if e.ID == "" {
		ch.ExternalID = nil
	}
	return ch
}

// EditResult is a ChosenResult of an edit. Error says why a change was refused.
type EditResult struct {
	ChosenResult
	Error *string `json:"error"`
}

// CheckEdits reports every problem that can be found without the database. Its error is Invalid and names the fields.
func CheckEdits(edits []RecipientEdit) error {
	var p fault.Problems
	switch {
	case len(edits) == 0:
		p.Addf("recipients", "at least one is required")
	case len(edits) > MaxChosen:
		p.Addf("recipients", "must have at most %d elements", MaxChosen)
	default:
		seen := map[string]int{}
		for i, e := range edits {
			path := indexed("recipients", i) + "."
			key := "id:" + e.ID
			if e.ID == "" {
				key = "external_id:" + e.named()
				if e.named() == "" {
					p.Addf(path+"id", "id or external_id is required")
				}
			}
			if first, twice := seen[key]; twice {
				p.Addf(path+"id", "names the same recipient as recipients[%d]", first)
			} else {
				seen[key] = i
			}
			p.MergeAt(path, e.change().check())
		}
	}
	return p.Err()
}

// check reports problems of the new values.
func (ch RecipientChange) check() *fault.Problems {
	_, p := ch.entry(Recipient{PhoneNumber: "+15005000000"}) // stands for a number that does not change
	return p
}

// entry returns the recipient after the change, or what is wrong with it.
func (ch RecipientChange) entry(r Recipient) (*intake.Entry, *fault.Problems) {
	in := intake.Recipient{
		PhoneNumber: r.PhoneNumber, Name: text(ch.Name, &r.Name), ExternalID: text(ch.ExternalID, r.ExternalID),
		Timezone: text(ch.Timezone, r.Timezone), Variables: r.Variables, Metadata: r.Metadata,
	}
	if ch.PhoneNumber != nil {
		in.PhoneNumber = *ch.PhoneNumber
	}
	if ch.Variables != nil {
		in.Variables = ch.Variables
	}
	if ch.Metadata != nil {
		in.Metadata = ch.Metadata
	}
	return intake.ReadOne(in, "phone_number")
}

// UpdateRecipient changes a recipient who waits for a call. unmodified, which may be nil, may refuse the recipient as
// it was before. Errors: Invalid; NotFound; Conflict for a recipient who is being called or has a last status, and for
// a value that can't be used any more; the error of unmodified.
func (s *Service) UpdateRecipient(
	ctx context.Context, actor account.Actor, campaignID, id uuid.UUID, ch RecipientChange,
	unmodified func(Recipient) error,
) (after Recipient, err error) {
	if err := ch.check().Err(); err != nil {
		return after, err
	}
	err = postgres.InTx(ctx, s.db, func(tx pgx.Tx) error {
		in := s.In(tx)
		if _, err := lockList(ctx, tx, actor.OrganizationID, campaignID); err != nil {
			return err
		}
		before, err := in.Recipient(ctx, actor.OrganizationID, campaignID, id)
		if err != nil {
			return err
		}
		if unmodified != nil {
			if err := unmodified(before); err != nil {
				return err
			}
		}
		results, err := in.edit(ctx, tx, actor, campaignID, []RecipientEdit{{ID: id.String(), RecipientChange: ch}})
		if err != nil {
			return err
		}
		switch r := results[0]; r.Result {
		case RecipientRefused:
			return r.refused
		case RecipientBeingCalled:
			return fault.Conflictf("This recipient is being called and can no longer be changed")
		case RecipientAlreadyEnded:
			return fault.Conflictf("This recipient is %s and can no longer be changed", before.Status)
		}
		after, err = in.Recipient(ctx, actor.OrganizationID, campaignID, id)
		return err
	})
	if err != nil {
		return Recipient{}, err
	}
	s.Wake()
	return after, nil
}

// UpdateRecipients changes those of the recipients who wait for a call, and returns what became of each, in the order
// of the edits. Errors: Invalid, after which nothing has changed; NotFound for the campaign.
func (s *Service) UpdateRecipients(
	ctx context.Context, actor account.Actor, campaignID uuid.UUID, edits []RecipientEdit,
) ([]EditResult, error) {
	if err := CheckEdits(edits); err != nil {
		return nil, err
	}
	var results []edited
	err := postgres.InTx(ctx, s.db, func(tx pgx.Tx) (err error) {
		results, err = s.In(tx).edit(ctx, tx, actor, campaignID, edits)
		return err
	})
	if err != nil {
		return nil, err
	}
	s.Wake()
	all := make([]EditResult, len(results))
	for i, r := range results {
		all[i] = r.EditResult
	}
	return all, nil
}

// edited is the result of an edit, with the error of a refusal.
type edited struct {
	EditResult
	refused error
}

// editedRow is a recipient to change. Its promoted fields are the old values.
type editedRow struct {
	Recipient
	Messaged bool       // a message before the first call was queued
	EndedAt  *time.Time // of the last call

	entry  *intake.Entry // the new values
	fields []string      // that change
	due    replanned
}

// edit changes recipients under the lock of their campaign.
func (s *Service) edit(
	ctx context.Context, tx pgx.Tx, actor account.Actor, campaignID uuid.UUID, edits []RecipientEdit,
) ([]edited, error) {
	locked, err := lockList(ctx, tx, actor.OrganizationID, campaignID)
	if err != nil {
		return nil, err
	}
	var chosen Chosen
	for _, e := range edits {
		if e.ID != "" {
			chosen.IDs = append(chosen.IDs, e.ID)
		} else {
			chosen.ExternalIDs = append(chosen.ExternalIDs, e.named())
		}
	}
	found, err := postgres.Collect(ctx, tx, pgx.RowToAddrOfStructByName[editedRow], `
		select `+recipientColumns+`, messaged_at is not null as messaged,
		       (select ended_at from call where call.id = recipient.last_call_id) as ended_at`+sqlChosen,
		chosen.args(actor.OrganizationID, campaignID))
	if err != nil {
		return nil, fmt.Errorf("read %d recipients of campaign %s to change: %w", len(edits), campaignID, err)
	}
	rows, results, err := match(edits, found)
	if err != nil {
		return nil, err
	}
	if err := refuseUsed(ctx, tx, actor.OrganizationID, campaignID, rows, results); err != nil {
		return nil, err
	}
	var changed []*editedRow
	var ids []uuid.UUID
	var fields []string
	for i, r := range rows {
		if r == nil || results[i].Result != RecipientWasUpdated {
			continue
		}
		changed, ids = append(changed, r), append(ids, r.ID)
		for _, field := range r.fields {
			if !slices.Contains(fields, field) {
				fields = append(fields, field)
			}
		}
	}
	if len(changed) == 0 {
		return results, nil
	}
	if err := replanChanged(ctx, tx, actor.OrganizationID, campaignID, changed); err != nil {
		return nil, err
	}
	if _, err := tx.Exec(ctx, `
		update recipient r set
			phone_number = u.phone_number, name = u.name, external_id = u.external_id, timezone = u.timezone,
			zones = string_to_array(u.zones, ' '), zone_source = u.zone_source, variables = u.variables::jsonb,
			metadata = u.metadata::jsonb, due_at = u.due_at, wait_reason = u.wait_reason
		from `+editedTable.Table()+`
		where r.id = u.id`, editedTable.ArgsOf(changed)); err != nil {
		return nil, fmt.Errorf("change %d recipients of campaign %s: %w", len(changed), campaignID, err)
	}
	if err := recordChosen(ctx, tx, actor, &locked, "campaign.recipients_updated", LogRecipientsUpdated, ids,
		map[string]any{"fields": fields}); err != nil {
		return nil, err
	}
	return results, tellWaiting(ctx, tx, &locked)
}

var editedTable = postgres.NewColumns("u",
	postgres.Column("id", "uuid", func(r *editedRow) uuid.UUID { return r.ID }),
	postgres.Column("phone_number", "text", func(r *editedRow) string { return string(r.entry.Number) }),
	postgres.Column("name", "text", func(r *editedRow) string { return r.entry.Name }),
	postgres.Column("external_id", "text", func(r *editedRow) *string { return postgres.OrNull(r.entry.ExternalID) }),
	postgres.Column("timezone", "text", func(r *editedRow) *string { return postgres.OrNull(r.entry.Timezone) }),
	postgres.Column("zones", "text", func(r *editedRow) string { return strings.Join(r.due.Zones, " ") }),
	postgres.Column("zone_source", "text", func(r *editedRow) string { return r.due.ZoneSource }),
	postgres.Column("variables", "text", func(r *editedRow) string { return string(r.entry.Variables) }),
	postgres.Column("metadata", "text", func(r *editedRow) string { return string(r.entry.Metadata) }),
	postgres.Column("due_at", "timestamptz", func(r *editedRow) *time.Time { return r.due.DueAt }),
	postgres.Column("wait_reason", "text", func(r *editedRow) *string { return r.due.WaitReason }),
)

// match finds the recipients of the edits, and applies each edit. rows and results have the order of the edits.
// Errors: Invalid.
func match(edits []RecipientEdit, found []*editedRow) (rows []*editedRow, results []edited, err error) {
	byID, byExternalID := map[string]*editedRow{}, map[string]*editedRow{}
	for _, r := range found {
		byID[r.ID.String()] = r
		if r.ExternalID != nil {
			byExternalID[*r.ExternalID] = r
		}
	}
	var p fault.Problems
	rows, results = make([]*editedRow, len(edits)), make([]edited, len(edits))
	taken := map[uuid.UUID]int{}
	for i, e := range edits {
		var r *editedRow
		if e.ID == "" {
			r = byExternalID[e.named()]
			results[i].ExternalID = new(e.named())
		} else {
			id, _ := check.ParseID(e.ID)
			r = byID[id.String()]
			results[i].ID = &e.ID
		}
		if r == nil {
			results[i].Result = RecipientUnknown
			continue
		}
		if first, twice := taken[r.ID]; twice {
			p.Addf(indexed("recipients", i)+".id", "names the same recipient as recipients[%d]", first)
			continue
		}
		taken[r.ID] = i
		rows[i] = r
		results[i].ID, results[i].ExternalID = new(r.ID.String()), r.ExternalID
		results[i].Result = chosenRow{Status: r.Status}.result(RecipientWasUpdated)
		problems := r.apply(e.change())
		p.MergeAt(indexed("recipients", i)+".", problems)
		if problems.Len() == 0 && len(r.fields) == 0 && results[i].Result == RecipientWasUpdated {
			results[i].Result = RecipientUnchanged
		}
	}
	return rows, results, p.Err()
}

// apply computes the new values of a recipient, and which fields change.
func (r *editedRow) apply(ch RecipientChange) (problems *fault.Problems) {
	if r.entry, problems = ch.entry(r.Recipient); problems.Len() > 0 {
		return problems
	}
	for _, field := range []struct {
		name     string
		old, new any
	}{
		{"phone_number", r.PhoneNumber, r.entry.Number},
		{"name", r.Name, r.entry.Name},
		{"external_id", r.ExternalID, postgres.OrNull(r.entry.ExternalID)},
		{"timezone", r.Timezone, postgres.OrNull(r.entry.Timezone)},
		{"variables", r.Variables, r.entry.Variables},
		{"metadata", r.Metadata, r.entry.Metadata},
	} {
		if !SameJSON(field.old, field.new) {
			r.fields = append(r.fields, field.name)
		}
	}
	return problems
}

// changes reports whether a field changes.
func (r *editedRow) changes(field string) bool { return slices.Contains(r.fields, field) }

// refuseUsed refuses new numbers of recipients who were called or written to, numbers on the do-not-call list, and
// numbers and external IDs of other recipients.
func refuseUsed(
	ctx context.Context, tx pgx.Tx, organizationID, campaignID uuid.UUID, rows []*editedRow, results []edited,
) error {
	var numbers []phone.Number
	var externalIDs []string
	for i, r := range rows {
		if r == nil || results[i].Result != RecipientWasUpdated {
			continue
		}
		if r.changes("phone_number") {
			numbers = append(numbers, r.entry.Number)
		}
		if r.changes("external_id") && r.entry.ExternalID != "" {
			externalIDs = append(externalIDs, r.entry.ExternalID)
		}
	}
	if len(numbers)+len(externalIDs) == 0 {
		return nil
	}
	listed, err := suppression.Listed(ctx, tx, organizationID, suppression.Voice, numbers)
	if err != nil {
		return err
	}
	usedNumbers, err := usedIn(ctx, tx, organizationID, campaignID, "phone_number", numbers)
	if err != nil {
		return err
	}
	usedIDs, err := usedIn(ctx, tx, organizationID, campaignID, "external_id", externalIDs)
	if err != nil {
		return err
	}
	for i, r := range rows {
		if r == nil || results[i].Result != RecipientWasUpdated {
			continue
		}
		var p fault.Problems
		kind := fault.Conflict
		if r.changes("phone_number") {
			_, onList := listed[r.entry.Number]
			switch {
			case r.Attempts > 0:
				p.Addf("phone_number", "cannot be changed after the first attempt")
			case r.Messaged:
				p.Addf("phone_number", "cannot be changed after the message before the call was queued")
			case onList:
				kind = fault.Unprocessable
				p.Addf("phone_number", "this number is on the do-not-call list")
			case usedNumbers[r.entry.Number]:
				p.Addf("phone_number", "used by another recipient of this campaign")
			}
		}
		if r.changes("external_id") && usedIDs[r.entry.ExternalID] {
			p.Addf("external_id", "used by another recipient of this campaign")
		}
		if refused := fault.As(p.Err()); refused != nil {
			refused.Kind = kind
			results[i].Result, results[i].refused = RecipientRefused, refused
			results[i].Error = new(refused.Error())
			continue
		}
		if r.changes("phone_number") { // also used by those of the same request from now on
			usedNumbers[r.entry.Number] = true
		}
		if r.changes("external_id") {
			usedIDs[r.entry.ExternalID] = r.entry.ExternalID != ""
		}
	}
	return nil
}

// replanChanged gives recipients with a new number or time zone the clock and the time that follow.
func replanChanged(
	ctx context.Context, tx pgx.Tx, organizationID, campaignID uuid.UUID, changed []*editedRow,
) error {
	var c Campaign
	var clocks *Clocks
	var now time.Time
	sets := map[string]*intake.ZoneSet{}
	for _, r := range changed {
		r.due = replanned{
			ID: r.ID, PhoneNumber: string(r.entry.Number), Timezone: postgres.OrNull(r.entry.Timezone),
			Status: r.Status, Zones: r.Zones, ZoneSource: r.ZoneSource, Attempts: r.Attempts, Outcome: r.Outcome,
			DueAt: r.DueAt, WaitReason: r.WaitReason, EndedAt: r.EndedAt,
		}
		if !r.changes("phone_number") && !r.changes("timezone") {
			continue
		}
		if clocks == nil {
			var err error
			if c, err = read(ctx, tx, organizationID, campaignID); err != nil {
				return err
			}
			if err := tx.QueryRow(ctx, `select clock()`).Scan(&now); err != nil {
				return fmt.Errorf("read the clock: %w", err)
			}
			start := c.ScheduledAt
			if start.Before(now) {
				start = now
			}
			if clocks, err = clocksAfter(ctx, tx, c, c.CallingHours, start, now); err != nil {
				return err
			}
		}
		if r.changes("phone_number") { // what the old number waited for no longer applies
			r.due.WaitReason = nil
		}
		before := r.due.DueAt
		after, err := r.due.plan(c, clocks, sets, now)
		if err != nil {
			return err
		}
		if before != nil && before.Before(now) && after.DueAt != nil && !after.DueAt.After(now) {
			after.DueAt = before // keeps the place among those who are due
		}
		r.due = after
	}
	return nil
}
