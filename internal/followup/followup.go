package followup

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/postgres"
)

// Kind is why a follow-up exists.
type Kind string

// Values of Kind.
const (
	WantsHuman     Kind = "wants_human"     // the person asked for a human being
	CallBack       Kind = "call_back"       // the person asked for a call that no agent makes
	Answer         Kind = "answer"          // an answer matches the rule of its question
	TransferFailed Kind = "transfer_failed" // nobody took the call
	Unreached      Kind = "unreached"       // no call of the recipient reached the person
	Unsure         Kind = "unsure"          // the agent's model left something, or the analysis found it
	Manual         Kind = "manual"          // a person or a key opened it
)

// Kinds are all kinds, in the order in which people see them.
var Kinds = []Kind{WantsHuman, CallBack, Answer, TransferFailed, Unsure, Unreached, Manual}

// Text is the kind as people read it.
func (k Kind) Text() string {
	return map[Kind]string{
		WantsHuman: "Asked for a person", CallBack: "Asked for a callback", Answer: "Answer",
		TransferFailed: "Transfer failed", Unsure: "Expects an answer", Unreached: "Not reached",
		Manual: "Created by hand",
	}[k]
}

// Status is whether somebody still has to do something.
type Status string

// Values of Status.
const (
	Open Status = "open"
	Done Status = "done"
)

// Statuses are all statuses.
var Statuses = []Status{Open, Done}

// FollowUp is something that a person has to do after a call.
type FollowUp struct {
	ID           uuid.UUID
	Kind         Kind
	Status       Status
	Reason       string // for people; empty: retention or an erasure removed it
	Note         string
	Assignee     *uuid.UUID // a member
	AssigneeName *string
	DueAt        *time.Time
	CallID       uuid.UUID
	ProjectID    uuid.UUID
	CampaignID   *uuid.UUID
	RecipientID  *uuid.UUID
	ExternalID   *string // of the recipient
	Name         string  // of the person; empty: unknown
	PhoneNumber  string  // E.164; empty: withheld, or the person was erased
	Withheld     bool    // the person called and withheld the number
	// LaterCallID is a later call in which the recipient was reached. Nil: there is none.
	LaterCallID *uuid.UUID
	LaterCallAt *time.Time
	CreatedBy   string // empty: the call itself
	CreatedAt   time.Time
	DoneBy      *string
	DoneAt      *time.Time
}

// selectFrom reads follow-ups f. The number and the name are those of the call.
const selectFrom = `
	select f.id, f.kind, f.status, f.reason, f.note, f.assignee_id as assignee, u.name as assignee_name, f.due_at,
	       f.call_id, f.project_id, f.campaign_id, f.recipient_id, r.external_id, c.recipient_name as name,
	       c.person_number as phone_number, c.number_withheld as withheld,
	       l.id as later_call_id, l.created_at as later_call_at,
	       f.created_by, f.created_at, f.done_by, f.done_at
	from follow_up f
	join call c on c.id = f.call_id
	left join recipient r on r.id = f.recipient_id
	left join call l on l.id = r.last_call_id and l.id <> f.call_id and l.outcome = 'completed'
	  and l.created_at > c.created_at
	left join app_user u on u.id = f.assignee_id`

// Options are what the service is made from.
type Options struct {
	Pool *pgxpool.Pool
	Hub  *postgres.Hub
	// Answered returns the condition that a call c has answers and adds its arguments. A campaign tells the questions.
	// Errors: Invalid.
	Answered func(
		ctx context.Context, organizationID uuid.UUID, campaignID *uuid.UUID, answers check.Pairs, args pgx.NamedArgs,
	) (string, error)
}

// Service manages follow-ups. Make it with New. It is safe for concurrent use.
type Service struct {
	pool   *pgxpool.Pool
	hub    *postgres.Hub
	reader *postgres.Reader[FollowUp]

	answered func(context.Context, uuid.UUID, *uuid.UUID, check.Pairs, pgx.NamedArgs) (string, error)
}

// New makes the service.
func New(o Options) *Service {
	return &Service{pool: o.Pool, hub: o.Hub, reader: byID.Reader(o.Pool), answered: o.Answered}
}

var byID = postgres.NewByID[FollowUp]("Follow-up", selectFrom+`
	where f.organization_id = @organization_id and f.id = @id`)

// Get returns a follow-up. Errors: NotFound.
func (s *Service) Get(ctx context.Context, organizationID, id uuid.UUID) (FollowUp, error) {
	return s.reader.Read(ctx, organizationID, id)
}
