package campaign

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/campaign/intake"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/hours"
	"github.com/dialwright/dialwright/internal/messaging"
	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/sheet"
)

// Addition is a list of recipients to add to a campaign that has not ended.
type Addition struct {
	Recipients *intake.List

	checked bool
	asked   bool
	quota   *messaging.Quota // of the WhatsApp number; nil: no quota limits the list
}

// Check reports every problem of the list that can be found without the database. Its
// error is Invalid and names the fields.
func (a *Addition) Check() error {
	var p fault.Problems
	a.Recipients.Check(&p)
	err := p.Err()
	a.checked = err == nil
	return err
}

// AskQuotaFor asks for the quota like AskQuota, for recipients to add to a campaign.
// Errors: NotFound, and the errors of AskQuota.
func (s *Service) AskQuotaFor(ctx context.Context, organizationID, id uuid.UUID, a *Addition) error {
	if a.asked {
		return nil
	}
	fixed, asked, err := s.sender(ctx, organizationID, id)
	if err != nil {
		return err
	}
	set := settings{messaging: asked}
	a.quota, err = s.quotaOf(ctx, organizationID, set.chosen(fixed), asked != nil)
	a.asked = err == nil
	return err
}

// sender reads the WhatsApp number that a campaign sends from, nil for none, and the
// messages that it sends. Both were settled when the campaign was created. Error:
// NotFound.
func (s *Service) sender(
	ctx context.Context, organizationID, id uuid.UUID,
) (externalID *string, asked *Messaging, err error) {
	var own *string
	err = s.db.QueryRow(ctx, `
		select c.messaging, n.external_id, p.messaging_external_id
		from campaign c
		left join phone_number p on p.id = c.phone_number_id
		left join messaging_number n on n.id = c.messaging_number_id
		where c.organization_id = @organization_id and c.id = @id`,
		pgx.NamedArgs{"organization_id": organizationID, "id": id}).Scan(&asked, &externalID, &own)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil, fault.NotFoundf("Campaign")
	}
	if err != nil {
		return nil, nil, fmt.Errorf("read what campaign %s sends from: %w", id, err)
	}
	if externalID == nil {
		externalID = own
	}
	return externalID, asked, nil
}

// Reading returns how a file of recipients to add to a campaign is read: national numbers and times without a zone are
// those of its project. Error: NotFound.
func (s *Service) Reading(ctx context.Context, organizationID, id uuid.UUID) (intake.Reading, error) {
	return s.reading(ctx, fault.NotFoundf("Campaign"), `
		select p.region, p.time_zone from campaign c join project p on p.id = c.project_id
		where c.organization_id = $1 and c.id = $2`, organizationID, id)
}

// ReadingOf returns how a file of recipients is read for a new campaign of a project. Error: Invalid.
func (s *Service) ReadingOf(ctx context.Context, organizationID, projectID uuid.UUID) (intake.Reading, error) {
	return s.reading(ctx, fault.Invalidf("project_id", "no such project"), `
		select region, time_zone from project
		where organization_id = $1 and id = $2 and deactivated_at is null`, organizationID, projectID)
}

func (s *Service) reading(ctx context.Context, none error, sql string, args ...any) (intake.Reading, error) {
	var how intake.Reading
	var zone string
	err := s.db.QueryRow(ctx, sql, args...).Scan(&how.Region, &zone)
	if errors.Is(err, pgx.ErrNoRows) {
		return how, none
	}
	if err == nil {
		how.Zone, err = time.LoadLocation(zone)
	}
	if err != nil {
		return how, fmt.Errorf("read how a file of recipients is read: %w", err)
	}
	return how, nil
}

// ReadAddition reads a list like ReadList, for recipients to add to a campaign.
// Recipients whose number is already in the campaign are duplicates. Rows with an
// external_id that is already in the campaign are rejected. ReadAddition calls open
// each time it reads the file. Errors: NotFound, and the errors of ReadList.
func (s *Service) ReadAddition(
	ctx context.Context, organizationID, id uuid.UUID, open func() (io.ReadCloser, error), how intake.Reading,
) (*intake.File, error) {
	c, err := s.Get(ctx, organizationID, id)
	if err != nil {
		return nil, err
	}
	read := func(how intake.Reading) (*intake.File, error) {
		file, err := open()
		if err != nil {
			return nil, err
		}
		defer file.Close()
		return intake.Read(file, how)
	}
	first := how
	first.Reject = nil
	list, err := read(first)
	if err != nil {
		return list, err
	}
	if how.Numbers, how.ExternalIDs, err = s.present(ctx, organizationID, c.ID, list.Recipients); err != nil {
		return nil, err
	}
	if len(how.Numbers)+len(how.ExternalIDs) == 0 && how.Reject == nil {
		return list, nil
	}
	return read(how)
}

// Append adds all recipients of a list to a campaign, or none of them. Recipients whose
// number is already in the campaign or on the do-not-call list are accepted and
// skipped. Errors: NotFound; Conflict for a campaign that has ended; Invalid for a
// problem of the list, for example an external_id that is already in the campaign;
// Unprocessable for a list that exceeds the quota of its WhatsApp number. If
// AskQuotaFor was not called before, Append calls it and returns its errors.
func (s *Service) Append(ctx context.Context, actor account.Actor, id uuid.UUID, a *Addition) (Campaign, error) {
	if !a.checked {
		if err := a.Check(); err != nil {
			return Campaign{}, err
		}
	}
	if err := s.AskQuotaFor(ctx, actor.OrganizationID, id, a); err != nil {
		return Campaign{}, err
	}
	return s.change(ctx, actor, id, func(tx pgx.Tx) error {
		return add(ctx, tx, actor, id, a)
	})
}

func add(ctx context.Context, tx pgx.Tx, actor account.Actor, id uuid.UUID, a *Addition) error {
	// The lock keeps other transactions from adding recipients or ending the campaign.
	c, err := Lock(ctx, tx, actor.OrganizationID, id)
	if err != nil {
		return err
	}
	if c.Status.Terminal() {
		return fault.Conflictf("This campaign is %s and can no longer take recipients", c.Status)
	}
	var now time.Time
	var callingHours hours.Hours
	var zone string
	err = tx.QueryRow(ctx, `
		select clock(), c.calling_hours, p.time_zone
		from campaign c join project p on p.id = c.project_id
		where c.id = @id`, pgx.NamedArgs{"id": id}).Scan(&now, &callingHours, &zone)
	if err != nil {
		return fmt.Errorf("read the clocks of campaign %s: %w", id, err)
	}
	if c.ExpiresAt != nil && !c.ExpiresAt.After(now) {
		return fault.Conflictf("This campaign has expired and can no longer take recipients")
	}
	if a.quota != nil {
		if e := exceeds(a.Recipients.Len(), *a.quota, false); e != nil {
			return e.fault()
		}
	}
	if err := compare(ctx, tx, actor.OrganizationID, id, a.Recipients); err != nil {
		return err
	}
	start := now
	if c.ScheduledAt.After(now) {
		start = c.ScheduledAt
	}
	rules, err := readRules(ctx, tx, actor.OrganizationID)
	if err != nil {
		return err
	}
	list, err := plan(ctx, tx, actor.OrganizationID, a.Recipients, NewClocks(callingHours, zone, start, now, rules))
	if err != nil {
		return err
	}
	before := uuid.Must(uuid.NewV7()) // less than all IDs of the list
	if err := list.copy(ctx, tx, actor.OrganizationID, id, now); err != nil {
		return err
	}
	waiting := Tally{}
	if pending := c.Unfinished + len(list.rows) - list.skipped; c.Status == Scheduled && pending > 0 {
		waiting.Add(WaitScheduled, pending, c.ScheduledAt)
	}
	_, err = tx.Exec(ctx, `
		update campaign set
			total = total + @total, skipped = skipped + @skipped,
			-- The dialer writes what a running campaign waits for.
			waiting = case when status = 'scheduled' then @waiting else waiting end,
			dial_at = case when status = 'running' then least(dial_at, @now) else dial_at end
		where id = @id`,
		pgx.NamedArgs{
			"id": id, "total": len(list.rows), "skipped": list.skipped, "waiting": waiting.List(), "now": now,
		})
	if err != nil {
		return fmt.Errorf("count the recipients added to campaign %s: %w", id, err)
	}
	appended := change{
		id:      id,
		action:  "campaign.recipients_added",
		data:    map[string]any{"name": c.Name, "recipients": len(list.rows), "skipped": list.skipped},
		log:     LogRecipientsAdded,
		details: list.details(),
	}
	if list.skipped > 0 {
		appended.added = &addedList{after: before, at: now}
	}
	return record(ctx, tx, actor, appended)
}

// compare marks the recipients of list whose number is already in the campaign as
// duplicates. An external_id that is already in the campaign is Invalid. The caller
// holds the lock of the campaign's row.
func compare(ctx context.Context, tx pgx.Tx, organizationID, campaignID uuid.UUID, list *intake.List) error {
	numbers := make([]phone.Number, 0, list.Len())
	var externalIDs []string
	for e := range list.Each {
		numbers = append(numbers, e.Number)
		if e.ExternalID != "" {
			externalIDs = append(externalIDs, e.ExternalID)
		}
	}
	known, err := usedIn(ctx, tx, organizationID, campaignID, "phone_number", numbers)
	if err != nil {
		return err
	}
	used, err := usedIn(ctx, tx, organizationID, campaignID, "external_id", externalIDs)
	if err != nil {
		return err
	}
	var p fault.Problems
	i := 0
	for e := range list.Each {
		if e.ExternalID != "" && used[e.ExternalID] {
			const reason = "used by a recipient of this campaign"
			if e.Line > 0 {
				p.Addf("recipients", "%s", sheet.Problem(int(e.Line), "external_id", reason))
			} else {
				p.Addf(fmt.Sprintf("recipients[%d].external_id", i), reason)
			}
		}
		e.Duplicate = e.Duplicate || known[e.Number]
		i++
	}
	return p.Err()
}

// usedIn returns the values that occur in a column of a campaign's recipients.
func usedIn[T ~string](
	ctx context.Context, db postgres.DB, organizationID, campaignID uuid.UUID, column string, values []T,
) (map[T]bool, error) {
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = string(v)
	}
	found, err := postgres.Collect(ctx, db, pgx.RowTo[string], `
		select `+column+` from recipient
		where organization_id = @organization_id and campaign_id = @id and `+column+` = any(@values::text[])
		  and first_call_id is null`,
		pgx.NamedArgs{"organization_id": organizationID, "id": campaignID, "values": texts})
	if err != nil {
		return nil, fmt.Errorf("compare %s with campaign %s: %w", column, campaignID, err)
	}
	used := make(map[T]bool, len(found))
	for _, v := range found {
		used[T(v)] = true
	}
	return used, nil
}
