package followup

import (
	"context"
	"fmt"
	"iter"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/export"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/postgres"
)

// Filter selects follow-ups. The zero value selects all of them.
type Filter struct {
	Page        page.Request
	Statuses    []Status   // any of them; empty: all
	Kinds       []Kind     // likewise
	AssigneeID  *uuid.UUID // of a user
	Unassigned  bool       // nobody's; not with AssigneeID
	ProjectID   *uuid.UUID
	CampaignID  *uuid.UUID
	CallID      *uuid.UUID
	DueBefore   time.Time   // zero: all, also those without a time
	DueAfter    time.Time   // likewise
	DoneAfter   time.Time   // zero: all, also those that are not done
	DoneBefore  time.Time   // likewise
	PhoneNumber string      // E.164; empty: all
	Answers     check.Pairs // each of these in the call, as in the list of calls
}

// List returns an organization's follow-ups, newest first. Errors: Invalid.
func (s *Service) List(ctx context.Context, organizationID uuid.UUID, f Filter) (page.List[FollowUp], error) {
	args := pgx.NamedArgs{"organization_id": organizationID, "number": f.PhoneNumber}
	from := `follow_up`
	if f.PhoneNumber != "" {
		// With offset, those of the number are read first, whatever PostgreSQL expects of a number that it does not
		// know.
		from = `(
			select o.* from follow_up o where o.call_id = any(array(
				select c.id from call c where c.organization_id = @organization_id and c.person_number = @number))
			offset 0) follow_up`
	}
	where, err := s.where(ctx, organizationID, f, args)
	if err != nil {
		return page.List[FollowUp]{}, err
	}
	query := `select id, created_at from ` + from + `
		where organization_id = @organization_id and ` + page.Where + where
	merged := page.Merge(query, page.Order, page.Equal(args, "status", f.Statuses), page.Equal(args, "kind", f.Kinds))
	return page.Read(ctx, s.pool, f.Page, "list follow-ups",
		selectFrom+` where f.id in (select id from (`+merged+`) listed) order by f.created_at desc, f.id desc`, args,
		func(f FollowUp) (time.Time, uuid.UUID) { return f.CreatedAt, f.ID })
}

// where returns the conditions of a filter, each behind "and", except those by status, kind and number. It adds their
// arguments to args. Errors: Invalid for an answer that no call can have.
func (s *Service) where(
	ctx context.Context, organizationID uuid.UUID, f Filter, args pgx.NamedArgs,
) (string, error) {
	args["assignee_id"], args["project_id"], args["campaign_id"] = f.AssigneeID, f.ProjectID, f.CampaignID
	args["call_id"], args["due_before"], args["due_after"] = f.CallID, f.DueBefore, f.DueAfter
	where := ""
	if f.AssigneeID != nil {
		where += ` and assignee_id = @assignee_id`
	}
	if f.Unassigned {
		where += ` and assignee_id is null`
	}
	if f.ProjectID != nil {
		where += ` and project_id = @project_id`
	}
	if f.CampaignID != nil {
		where += ` and campaign_id = @campaign_id`
	}
	if f.CallID != nil {
		where += ` and call_id = @call_id`
	}
	if !f.DueBefore.IsZero() {
		where += ` and due_at < @due_before`
	}
	if !f.DueAfter.IsZero() {
		where += ` and due_at > @due_after`
	}
	where += page.Within(args, "done_at", f.DoneAfter, f.DoneBefore)
	if len(f.Answers) == 0 {
		return where, nil
	}
	answered, err := s.answered(ctx, organizationID, f.CampaignID, f.Answers, args)
	if err != nil {
		return "", err
	}
	return where + ` and exists (select from call c
		where c.id = follow_up.call_id and c.organization_id = @organization_id and ` + answered + `)`, nil
}

// ByIDs returns those of an organization's follow-ups that have one of the IDs, by ID.
func (s *Service) ByIDs(
	ctx context.Context, organizationID uuid.UUID, ids []uuid.UUID,
) (map[uuid.UUID]FollowUp, error) {
	if len(ids) == 0 {
		return nil, nil //nolint:nilnil // no ID has no follow-up
	}
	list, err := postgres.Collect(ctx, s.pool, pgx.RowToStructByName[FollowUp],
		selectFrom+` where f.organization_id = $1 and f.id = any($2)`, organizationID, ids)
	if err != nil {
		return nil, fmt.Errorf("read %d follow-ups: %w", len(ids), err)
	}
	all := map[uuid.UUID]FollowUp{}
	for _, f := range list {
		all[f.ID] = f
	}
	return all, nil
}

// MostCounted bounds the numbers of Counts.
const MostCounted = 1000

// Counts are numbers of open follow-ups, each at most MostCounted.
type Counts struct {
	Open    int
	Mine    int // assigned to the user
	Overdue int
}

// Count counts the newest open follow-ups of an organization, for a user.
func (s *Service) Count(ctx context.Context, organizationID, userID uuid.UUID) (Counts, error) {
	c, err := postgres.CollectOne(ctx, s.pool, pgx.RowToStructByName[Counts], `
		select count(*) as open, count(*) filter (where o.assignee_id = @user_id) as mine,
		       count(*) filter (where o.due_at < (select clock())) as overdue
		from (
			select assignee_id, due_at from follow_up
			where organization_id = @organization_id and status = 'open'
			order by created_at desc, id desc limit @most) o`,
		pgx.NamedArgs{"organization_id": organizationID, "user_id": userID, "most": MostCounted})
	if err != nil {
		return Counts{}, fmt.Errorf("count open follow-ups: %w", err)
	}
	return c, nil
}

// ExportHeader is the first row of a file of follow-ups.
var ExportHeader = []string{
	"id", "kind", "status", "reason", "note", "assignee", "due_at", "phone_number", "name", "external_id", "project_id",
	"campaign_id", "call_id", "later_call_id", "created_by", "created_at", "done_by", "done_at",
}

// Export returns the rows of all follow-ups of a filter, newest first, read page by page.
func (s *Service) Export(ctx context.Context, organizationID uuid.UUID, f Filter) iter.Seq2[[]string, error] {
	read := func(p page.Request) (page.List[FollowUp], error) {
		f.Page = p
		return s.List(ctx, organizationID, f)
	}
	return page.All(page.Request{Limit: page.MaxLimit}, read, func(f FollowUp) ([]string, error) {
		r := f.Resource()
		return []string{
			f.ID.String(), string(f.Kind), string(f.Status), f.Reason, f.Note, export.Optional(f.AssigneeName),
			export.Optional(r.DueAt), f.PhoneNumber, f.Name, export.Optional(f.ExternalID), f.ProjectID.String(),
			export.Optional(f.CampaignID), f.CallID.String(), export.Optional(f.LaterCallID), f.CreatedBy,
			r.CreatedAt.String(), export.Optional(f.DoneBy), export.Optional(r.DoneAt),
		}, nil
	})
}
