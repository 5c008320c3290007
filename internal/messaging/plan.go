package messaging

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/messaging/cloud"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/webhook"
)

// Source is the number and the template of a campaign's messages.
type Source struct {
	NumberID uuid.UUID // that sends them
	Template cloud.Template
}

// LockSource finds a connected number and a template that can be sent, and keeps the
// number connected until the transaction ends. Error: Invalid, about "external_id" or
// "template", the same for unknown and foreign ones.
func LockSource(
	ctx context.Context, tx pgx.Tx, organizationID uuid.UUID, externalID, template, language string,
) (Source, error) {
	number, err := lockNumber(ctx, tx, organizationID, externalID)
	if err != nil {
		return Source{}, err
	}
	t, err := usableTemplate(ctx, tx, number.connectionID, template, language)
	if err != nil {
		return Source{}, err
	}
	return Source{NumberID: number.id, Template: t}, nil
}

// Batch is messages of one campaign, from one number, with one template.
type Batch struct {
	OrganizationID uuid.UUID
	CampaignID     uuid.UUID
	NumberID       uuid.UUID
	Template       string // its name
	Language       string
	Messages       []Planned
}

// Planned is a message to one recipient of a campaign.
type Planned struct {
	RecipientID uuid.UUID
	To          string // E.164
	Variables   map[string]string
	Problem     string // why it can't be sent, for people; empty when it can
}

// Plan queues messages of campaigns in the caller's transaction, in one statement. A
// recipient gets one message: recipients that already have one are left out. A message
// that cannot be sent is no error: it is stored as failed, with the reason, and its
// events are added to out, which the caller writes. Call Wake, or wake Topic, after the
// commit.
func Plan(ctx context.Context, tx pgx.Tx, out *webhook.Outbox, batches ...Batch) error {
	var rows planned
	senders, err := lockSenders(ctx, tx, batches)
	if err != nil {
		return err
	}
	for _, b := range batches {
		from, ok := senders[b.NumberID]
		if !ok {
			return fmt.Errorf("plan messages of campaign %s: no number %s", b.CampaignID, b.NumberID)
		}
		template, problem, err := from.template(ctx, tx, b)
		if err != nil {
			return err
		}
		for _, m := range b.Messages {
			if err := rows.add(b, from, m, template, problem); err != nil {
				return err
			}
		}
	}
	failed, err := rows.insert(ctx, tx)
	if err != nil {
		return err
	}
	return rows.record(ctx, tx, out, failed)
}

// plannedFrom is the number of a campaign, locked in its scope.
type plannedFrom struct {
	usableNumber
	disconnected bool
}

// lockSenders locks the numbers in one order, so two transactions never wait for each
// other.
func lockSenders(ctx context.Context, tx pgx.Tx, batches []Batch) (map[uuid.UUID]plannedFrom, error) {
	ids := make([]uuid.UUID, len(batches))
	for i, b := range batches {
		ids[i] = b.NumberID
	}
	rows, err := tx.Query(ctx, `
		select id, connection_id, scope_id, disconnected_at is not null from messaging_number
		where id = any(@ids) order by id for key share`, pgx.NamedArgs{"ids": ids})
	if err != nil {
		return nil, fmt.Errorf("lock messaging numbers: %w", err)
	}
	senders := map[uuid.UUID]plannedFrom{}
	var from plannedFrom
	_, err = pgx.ForEachRow(rows, []any{&from.id, &from.connectionID, &from.scopeID, &from.disconnected}, func() error {
		senders[from.id] = from
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("lock messaging numbers: %w", err)
	}
	return senders, nil
}

// template reads the template of a batch, and why it cannot be sent, if so. Messages of a
// paused template are queued and wait.
func (from plannedFrom) template(
	ctx context.Context, tx pgx.Tx, b Batch,
) (t cloud.Template, problem string, err error) {
	if from.disconnected {
		return t, "The number was disconnected", nil
	}
	t, err = listedTemplate(ctx, tx, from.connectionID, b.Template, b.Language)
	if fault.KindOf(err) == fault.Invalid {
		return t, "WhatsApp no longer lists the template", nil
	}
	if err != nil {
		return t, "", err
	}
	if why := t.Obstacle(); why != "" && t.Status != "PAUSED" {
		return t, "The template " + why, nil
	}
	return t, "", nil
}

// planned are messages to insert.
type planned []plannedMessage

type plannedMessage struct {
	id, organizationID, campaignID, recipientID uuid.UUID
	from                                        plannedFrom
	to                                          string
	template, language                          string
	variables, components                       string // JSON
	problem                                     *string
}

// plannedTable is planned messages as the table p.
var plannedTable = postgres.NewColumns("p",
	postgres.Column("id", "uuid", func(m *plannedMessage) uuid.UUID { return m.id }),
	postgres.Column("organization_id", "uuid", func(m *plannedMessage) uuid.UUID { return m.organizationID }),
	postgres.Column("number_id", "uuid", func(m *plannedMessage) uuid.UUID { return m.from.id }),
	postgres.Column("scope_id", "uuid", func(m *plannedMessage) uuid.UUID { return m.from.scopeID }),
	postgres.Column("campaign_id", "uuid", func(m *plannedMessage) uuid.UUID { return m.campaignID }),
	postgres.Column("recipient_id", "uuid", func(m *plannedMessage) uuid.UUID { return m.recipientID }),
	postgres.Column("phone_number", "text", func(m *plannedMessage) string { return m.to }),
	postgres.Column("template", "text", func(m *plannedMessage) string { return m.template }),
	postgres.Column("language", "text", func(m *plannedMessage) string { return m.language }),
	postgres.Column("variables", "text", func(m *plannedMessage) string { return m.variables }),
	postgres.Column("components", "text", func(m *plannedMessage) string { return m.components }),
	postgres.Column("problem", "text", func(m *plannedMessage) *string { return m.problem }),
)

func (p *planned) add(b Batch, from plannedFrom, m Planned, t cloud.Template, problem string) error {
	if problem == "" {
		problem = m.Problem
	}
	var components []cloud.Component
	if problem == "" {
		var err error
		if components, err = t.Bind(m.Variables); err != nil {
			if fault.KindOf(err) != fault.Invalid {
				return err
			}
			problem = "The template cannot be filled: " + err.Error()
		}
	}
	filled, err := encode(m.Variables, components)
	if err != nil {
		return err
	}
	*p = append(*p, plannedMessage{
		id:             uuid.Must(uuid.NewV7()),
		organizationID: b.OrganizationID,
		campaignID:     b.CampaignID,
		recipientID:    m.RecipientID,
		from:           from,
		to:             m.To,
		template:       b.Template,
		language:       b.Language,
		variables:      string(filled.variables),
		components:     string(filled.components),
		problem:        postgres.OrNull(problem),
	})
	return nil
}

// insert inserts the messages and returns those that failed.
func (p planned) insert(ctx context.Context, tx pgx.Tx) (failed []uuid.UUID, err error) {
	rows, err := tx.Query(ctx, `
		with put as (
			insert into message (
				id, organization_id, number_id, scope_id, campaign_id, recipient_id, lane, phone_number, template_name,
				template_language, variables, components, status, due_at, error, ended_at, created_at)
			select p.id, p.organization_id, p.number_id, p.scope_id, p.campaign_id, p.recipient_id, p.campaign_id,
				p.phone_number,
			       p.template, p.language, p.variables::jsonb, p.components::jsonb,
			       case when p.problem is null then 'queued' else 'failed' end,
			       case when p.problem is null then k.t end, p.problem,
			       case when p.problem is not null then k.t end, k.t
			from `+plannedTable.Table()+`, (select clock() as t) k
			on conflict (recipient_id) where recipient_id is not null do nothing
			returning id, status)
		select id from put where status = 'failed'`, plannedTable.Args(p))
	if err != nil {
		return nil, fmt.Errorf("plan %d messages: %w", len(p), err)
	}
	if failed, err = pgx.CollectRows(rows, pgx.RowTo[uuid.UUID]); err != nil {
		return nil, fmt.Errorf("plan %d messages: %w", len(p), err)
	}
	return failed, nil
}

// record adds the events of messages that were never queued.
func (p planned) record(ctx context.Context, tx pgx.Tx, out *webhook.Outbox, failed []uuid.UUID) error {
	var changes []change
	for _, m := range p {
		if slices.Contains(failed, m.id) {
			changes = append(changes, change{
				organizationID: m.organizationID, messageID: m.id, event: webhook.MessageFailed,
			})
		}
	}
	return record(ctx, tx, out, changes...)
}

// Decided returns the recipients whose calls need not wait for their messages any longer.
// The operator accepted or refused the message, or the message was deferred, or its
// number cannot send at present.
func Decided(ctx context.Context, db postgres.DB, recipientIDs []uuid.UUID) ([]uuid.UUID, error) {
	ids, err := postgres.Collect(ctx, db, pgx.RowTo[uuid.UUID], `
		select m.recipient_id
		from (select clock() as t) k
		cross join message m
		join messaging_number n on n.id = m.number_id
		join messaging_connection c on c.id = n.connection_id
		where m.recipient_id = any(@ids) and m.status <> 'sending' and (
			m.status <> 'queued' or m.wait_reason is not null
			or n.disconnected_at is not null or n.paused_until > k.t or c.paused_until > k.t
				or c.read_at <= k.t - @limit_age::interval)`,
		pgx.NamedArgs{"ids": recipientIDs, "limit_age": LimitAge})
	if err != nil {
		return nil, fmt.Errorf("ask after the messages of %d recipients: %w", len(recipientIDs), err)
	}
	return ids, nil
}

// Withdraw cancels the queued messages to some recipients in the caller's transaction.
// Queued messages do not count, so no scope is locked. If a message is being admitted,
// Withdraw waits for the admission, and the message goes. It locks messages in the order
// in which every transaction locks them.
func Withdraw(ctx context.Context, tx pgx.Tx, recipientIDs []uuid.UUID, why string) error {
	_, err := tx.Exec(ctx, `
		update message set status = 'canceled', due_at = null, wait_reason = null, error_code = null, error = @why,
			ended_at = clock()
		where id in (select id from message where recipient_id = any(@ids) and status = 'queued'
			order by id for no key update)`, pgx.NamedArgs{"ids": recipientIDs, "why": why})
	if err != nil {
		return fmt.Errorf("withdraw the messages to %d recipients: %w", len(recipientIDs), err)
	}
	return nil
}

// Figures counts the messages of a campaign by status.
func (s *Service) Figures(ctx context.Context, organizationID, campaignID uuid.UUID) (map[Status]int, error) {
	rows, err := s.pool.Query(ctx, `
		select status, count(*)::int from message
		where campaign_id = @campaign_id and organization_id = @organization_id
		group by status`, pgx.NamedArgs{"organization_id": organizationID, "campaign_id": campaignID})
	if err != nil {
		return nil, fmt.Errorf("count the messages of campaign %s: %w", campaignID, err)
	}
	figures := map[Status]int{}
	var status Status
	var n int
	if _, err := pgx.ForEachRow(rows, []any{&status, &n}, func() error {
		figures[status] = n
		return nil
	}); err != nil {
		return nil, fmt.Errorf("count the messages of campaign %s: %w", campaignID, err)
	}
	return figures, nil
}
