package gate

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/messaging"
	"github.com/dialwright/dialwright/internal/messaging/cloud"
	"github.com/dialwright/dialwright/internal/messaging/connection"
)

// Hook receives the operator's webhooks. Any process may receive them. It is mounted at
// cloud.HooksPath.
func (s *Service) Hook() http.Handler {
	return &cloud.Hook{
		Secrets: s.connections.Secrets,
		Deliver: s.deliver,
		Log:     s.log,
	}
}

// deliver applies the events of one webhook of a connection. The connection's secret can sign any
// content, so only events about the connection's own organization are applied. A webhook may come
// more than once and in any order.
func (s *Service) deliver(ctx context.Context, connectionID uuid.UUID, events []cloud.Event) error {
	var organizationID uuid.UUID
	err := s.pool.QueryRow(ctx, `select organization_id from messaging_connection where id = @id`,
		pgx.NamedArgs{"id": connectionID}).Scan(&organizationID)
	if errors.Is(err, pgx.ErrNoRows) {
		return fault.NotFoundf("Connection")
	}
	if err != nil {
		return fmt.Errorf("read messaging connection %s: %w", connectionID, err)
	}
	var statuses []cloud.Status
	stale := map[string]bool{} // accounts to read again; true: with their templates
	for _, e := range events {
		switch e := e.(type) {
		case cloud.Status:
			statuses = append(statuses, e)
		case cloud.Inbound:
			err = s.messages.Receive(ctx, organizationID, e)
		case cloud.Preference:
			err = s.messages.ApplyPreference(ctx, organizationID, e)
		case cloud.TemplateUpdate, cloud.TemplateQualityUpdate:
			stale[e.Account()] = true
		case cloud.CategoryUpdate:
			stale[e.AccountID] = true
			err = s.connections.AnnounceCategory(ctx, organizationID, e)
		case cloud.NameUpdate: // the account is read again for the name that is in use now
			if _, listed := stale[e.AccountID]; !listed {
				stale[e.AccountID] = false
			}
			err = s.connections.ReviewName(ctx, organizationID, e)
		case cloud.AccountAlert:
			err = s.connections.RecordAlert(ctx, organizationID, e)
		default: // a limit, a quality or a state has changed, so the account is read again
			stale[e.Account()] = stale[e.Account()]
		}
		if err != nil {
			return err
		}
	}
	for account, whole := range stale {
		if err := s.connections.MarkOutdated(ctx, organizationID, account, whole); err != nil {
			return err
		}
	}
	return s.settle(ctx, organizationID, statuses)
}

// settle applies statuses to their messages. It finds a message by the operator's ID, or by the
// product's ID if the response with the operator's ID was lost.
func (s *Service) settle(ctx context.Context, organizationID uuid.UUID, statuses []cloud.Status) error {
	if len(statuses) == 0 {
		return nil
	}
	byOperator, byID, err := s.subjects(ctx, organizationID, statuses)
	if err != nil {
		return err
	}
	byScope := map[uuid.UUID][]messaging.Move{}
	for _, e := range statuses {
		on, found := byOperator[e.MessageID]
		if id, err := uuid.Parse(e.Reference); !found && err == nil {
			on, found = byID[id]
		}
		m := messaging.Move{ID: on.id, OperatorID: e.MessageID}
		switch e.State {
		case cloud.Sent:
			m.Update = messaging.UpdateAccepted
		case cloud.Delivered:
			m.Update = messaging.UpdateDelivered
		case cloud.Read:
			m.Update = messaging.UpdateRead
		case cloud.Failed:
			m.Update, m.Code, m.Why = messaging.UpdateFailed, e.Failure.Code, e.Failure.Reason
			m.OptOut = e.Failure.Class == cloud.OptedOut
		default: // played, or a new state, which is not stored
			continue
		}
		if !found { // another system sent the message from the same number, or the message was erased
			continue
		}
		byScope[on.scopeID] = append(byScope[on.scopeID], m)
		if e.State == cloud.Failed {
			s.connections.Refused(ctx, on.route, e.Failure)
		}
	}
	for scopeID, moves := range byScope {
		_, err := s.messages.MoveIn(ctx, scopeID, moves)
		if errors.Is(err, messaging.ErrMoved) {
			_, err = s.messages.Move(ctx, moves...)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// subject is the message that a status is about.
type subject struct {
	id, scopeID uuid.UUID
	route       connection.Route
}

// subjects finds the messages of statuses, by the operator's ID and by the product's ID.
func (s *Service) subjects(
	ctx context.Context, organizationID uuid.UUID, statuses []cloud.Status,
) (byOperator map[string]subject, byID map[uuid.UUID]subject, err error) {
	var operatorIDs []string
	var references []uuid.UUID
	for _, e := range statuses {
		if e.MessageID != "" {
			operatorIDs = append(operatorIDs, e.MessageID)
		}
		if id, err := uuid.Parse(e.Reference); err == nil {
			references = append(references, id)
		}
	}
	// PostgreSQL would otherwise plan a statement with lists for each execution, which takes longer
	// than the lookup. A batch is one transaction.
	batch := &pgx.Batch{}
	batch.Queue(`select set_config('plan_cache_mode', 'force_generic_plan', true)`)
	batch.Queue(`
		select m.id, coalesce(m.operator_id, ''), m.scope_id, m.number_id, m.connection_id, m.template_id from (
			select m.id, m.operator_id, m.scope_id, m.number_id, n.connection_id, (
				select t.id from messaging_template t
				where t.connection_id = n.connection_id and t.name = m.template_name
					and t.language = m.template_language) as template_id
			from message m join messaging_number n on n.id = m.number_id
			where m.organization_id = @organization_id
			  and m.id in (select id from message where operator_id = any(@operator_ids) union all
				select unnest(@references::uuid[]))) m`,
		pgx.NamedArgs{"organization_id": organizationID, "operator_ids": operatorIDs, "references": references},
	).Query(func(rows pgx.Rows) error {
		byOperator, byID = map[string]subject{}, map[uuid.UUID]subject{}
		var m subject
		var operatorID string
		_, err := pgx.ForEachRow(rows, []any{
			&m.id, &operatorID, &m.scopeID, &m.route.NumberID, &m.route.ConnectionID, &m.route.TemplateID,
		}, func() error {
			byID[m.id] = m
			if operatorID != "" {
				byOperator[operatorID] = m
			}
			m.route.TemplateID = nil
			return nil
		})
		return err
	})
	if err := s.pool.SendBatch(ctx, batch).Close(); err != nil {
		return nil, nil, fmt.Errorf("find the messages of %d statuses: %w", len(statuses), err)
	}
	return byOperator, byID, nil
}
