package followup

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/webhook"
)

// Need is something in a call that needs a person.
type Need struct {
	CallID uuid.UUID
	Kind   Kind // not Manual
	Reason string
	DueAt  *time.Time // nil: no particular time
}

// needTable passes needs to SQL as table n.
var needTable = postgres.NewColumns("n",
	postgres.Column("id", "uuid", func(*Need) uuid.UUID { return uuid.Must(uuid.NewV7()) }),
	postgres.Column("call_id", "uuid", func(n *Need) uuid.UUID { return n.CallID }),
	postgres.Column("kind", "text", func(n *Need) string { return string(n.Kind) }),
	postgres.Column("reason", "text", func(n *Need) string { return n.Reason }),
	postgres.Column("due_at", "timestamptz", func(n *Need) *time.Time { return n.DueAt }),
)

// Add opens the follow-ups of calls in the transaction that found out about the needs, and adds their events to out,
// which the caller writes and wakes. A call that already has a follow-up of a kind gets no other one of it. The caller
// has locked the calls.
func Add(ctx context.Context, tx pgx.Tx, out *webhook.Outbox, needs []Need) error {
	if len(needs) == 0 {
		return nil
	}
	type opened struct{ ID, OrganizationID uuid.UUID }
	rows, err := postgres.Collect(ctx, tx, pgx.RowToStructByPos[opened], `
		insert into follow_up
			(id, organization_id, project_id, campaign_id, recipient_id, call_id, kind, reason, due_at)
		select n.id, c.organization_id, c.project_id, c.campaign_id, c.recipient_id, c.id, n.kind, n.reason, n.due_at
		from `+needTable.Table()+` join call c on c.id = n.call_id
		order by c.id
		on conflict (call_id, kind) where kind <> 'manual' do nothing
		returning id, organization_id`, needTable.Args(needs))
	if err != nil {
		return fmt.Errorf("open the follow-ups of %d calls: %w", len(needs), err)
	}
	var ids []uuid.UUID
	for _, r := range rows {
		if out.Wants(r.OrganizationID, webhook.FollowUpCreated) {
			ids = append(ids, r.ID)
		}
	}
	return emit(ctx, tx, out, webhook.FollowUpCreated, ids...)
}

// emit adds an event about each follow-up to out.
func emit(ctx context.Context, tx pgx.Tx, out *webhook.Outbox, t webhook.Type, ids ...uuid.UUID) error {
	if len(ids) == 0 {
		return nil
	}
	type owned struct {
		OrganizationID uuid.UUID
		AgentID        *uuid.UUID // of the call
		FollowUp
	}
	rows, err := postgres.Collect(ctx, tx, pgx.RowToStructByName[owned], `
		select o.organization_id, (select c.agent_id from call c where c.id = o.call_id) as agent_id, s.*
		from follow_up o join (`+selectFrom+`) s on s.id = o.id
		where o.id = any($1) order by o.id`, ids)
	if err != nil {
		return fmt.Errorf("read %d follow-ups: %w", len(ids), err)
	}
	for _, f := range rows {
		err := out.Add(webhook.Event{
			OrganizationID: f.OrganizationID, Type: t, SubjectID: f.ID, Data: f.Resource(),
			About: webhook.About{ProjectID: &f.ProjectID, CampaignID: f.CampaignID, AgentID: f.AgentID},
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Limits of texts, in characters.
const (
	maxReason = 500
	maxNote   = 5000
)

// NewFollowUp is a follow-up that a person or a key opens.
type NewFollowUp struct {
	ID         uuid.UUID  `json:"-"` // UUIDv7; zero: Create makes one
	CallID     uuid.UUID  `json:"call_id"`
	Reason     string     `json:"reason"`
	Note       string     `json:"note"`
	AssigneeID *uuid.UUID `json:"assignee_id"` // nil: nobody
	DueAt      *time.Time `json:"due_at"`
}

// Create opens a follow-up of a call in the caller's transaction. Wake webhook.Topic after the commit.
// Errors: Invalid, and Conflict for an ID that exists.
func (s *Service) Create(
	ctx context.Context, db postgres.DB, actor account.Actor, in NewFollowUp,
) (f FollowUp, err error) {
	var p fault.Problems
	check.Required(&p, "reason", &in.Reason, maxReason)
	check.Text(&p, "note", &in.Note, maxNote)
	if err := p.Err(); err != nil {
		return FollowUp{}, err
	}
	if in.ID == uuid.Nil {
		in.ID = uuid.Must(uuid.NewV7())
	}
	err = postgres.InTx(ctx, db, func(tx pgx.Tx) error {
		past, err := isPast(ctx, tx, in.DueAt)
		if err != nil {
			return err
		}
		if past {
			return errPastDue
		}
		if err := lockAssignee(ctx, tx, actor.OrganizationID, in.AssigneeID); err != nil {
			return err
		}
		// The lock keeps an erasure from reading the follow-ups of the call before this one is there.
		var of uuid.UUID
		err = tx.QueryRow(ctx, `select id from call where organization_id = $1 and id = $2 for share`,
			actor.OrganizationID, in.CallID).Scan(&of)
		if errors.Is(err, pgx.ErrNoRows) {
			return fault.Invalidf("call_id", "no such call")
		}
		if err != nil {
			return fmt.Errorf("lock call %s: %w", in.CallID, err)
		}
		_, err = tx.Exec(ctx, `
			insert into follow_up (id, organization_id, project_id, campaign_id, recipient_id, call_id, kind, reason,
				note, assignee_id, due_at, created_by)
			select @id, organization_id, project_id, campaign_id, recipient_id, id, 'manual', @reason, @note,
				@assignee_id, @due_at, @created_by
			from call where organization_id = @organization_id and id = @call_id`, pgx.NamedArgs{
			"id": in.ID, "reason": in.Reason, "note": in.Note, "assignee_id": in.AssigneeID, "due_at": in.DueAt,
			"created_by": actor.Name, "organization_id": actor.OrganizationID, "call_id": in.CallID,
		})
		if postgres.Constraint(err) == "follow_up_pkey" {
			return fault.Conflictf("This follow-up exists already")
		}
		if err != nil {
			return fmt.Errorf("open a follow-up of call %s: %w", in.CallID, err)
		}
		f, err = s.record(ctx, tx, actor, in.ID, "created", map[string]any{"call_id": in.CallID})
		return err
	})
	return f, err
}

// errPastDue has the tolerance of the start of a campaign, so that a form's "now" is still one when it is sent.
var errPastDue = fault.Invalidf("due_at", "must not be more than 5 minutes in the past")

func isPast(ctx context.Context, tx pgx.Tx, due *time.Time) (past bool, err error) {
	if due == nil {
		return false, nil
	}
	if err := tx.QueryRow(ctx, `select $1::timestamptz < clock() - interval '5 minutes'`, due).Scan(&past); err != nil {
		return false, fmt.Errorf("compare a due time with the clock: %w", err)
	}
	return past, nil
}

// lockAssignee checks that somebody is a member, who stays one until the transaction ends. It comes before the lock of
// a follow-up, because the removal of a member locks the membership first, too.
func lockAssignee(ctx context.Context, tx pgx.Tx, organizationID uuid.UUID, assignee *uuid.UUID) error {
	if assignee == nil {
		return nil
	}
	found, err := tx.Exec(ctx, `
		select from membership where organization_id = $1 and user_id = $2 for key share`, organizationID, *assignee)
	if err != nil {
		return fmt.Errorf("lock a membership: %w", err)
	}
	if found.RowsAffected() == 0 {
		return fault.Invalidf("assignee_id", "no such member")
	}
	return nil
}

// record writes the audit entry and the event of a change, and returns the follow-up.
func (s *Service) record(
	ctx context.Context, tx pgx.Tx, actor account.Actor, id uuid.UUID, verb string, data map[string]any,
) (FollowUp, error) {
	object := account.Object{Type: "follow_up", ID: id}
	if err := account.Record(ctx, tx, actor, "follow_up."+verb, object, data); err != nil {
		return FollowUp{}, err
	}
	if err := tell(ctx, tx, actor.OrganizationID, verb, id); err != nil {
		return FollowUp{}, err
	}
	return byID.Read(ctx, tx, actor.OrganizationID, id)
}

// eventTypes are the events of the verbs of audit entries. A change has one event: the end of a follow-up is no update.
var eventTypes = map[string]webhook.Type{
	"created": webhook.FollowUpCreated, "updated": webhook.FollowUpUpdated, "reopened": webhook.FollowUpUpdated,
	"done": webhook.FollowUpDone,
}

// tell writes the event of a change of each follow-up.
func tell(ctx context.Context, tx pgx.Tx, organizationID uuid.UUID, verb string, ids ...uuid.UUID) error {
	out, err := webhook.Open(ctx, tx, organizationID)
	if err != nil {
		return err
	}
	if t := eventTypes[verb]; out.Wants(organizationID, t) {
		if err := emit(ctx, tx, out, t, ids...); err != nil {
			return err
		}
	}
	return out.Write(ctx, tx)
}

// Wake wakes the deliveries of all processes. Call it after the commit of [Service.Create].
func (s *Service) Wake() { s.hub.Wake(webhook.Topic) }
