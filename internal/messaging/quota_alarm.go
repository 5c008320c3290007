package messaging

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/webhook"
)

// alarm is the last reported state of a scope's quota.
type alarm string

const (
	roomy     alarm = "" // more than a tenth of the limit is left
	low       alarm = "low"
	exhausted alarm = "exhausted"
)

// next returns the alarm after a change, and its new events. Each event is sent once when
// the quota falls to a tenth of the limit or less, and again only after it was higher.
// Single places that become free and are taken at once send no event.
func (a alarm) next(limit, free int) (alarm, []webhook.Type) {
	switch {
	case free*10 > limit:
		return roomy, nil
	case free == 0 && a == roomy:
		return exhausted, []webhook.Type{webhook.NumberQuotaLow, webhook.NumberQuotaExhausted}
	case free == 0 && a == low:
		return exhausted, []webhook.Type{webhook.NumberQuotaExhausted}
	case a == roomy:
		return low, []webhook.Type{webhook.NumberQuotaLow}
	}
	return a, nil
}

// emitQuotaAlarm emits the events of a quota that became low or exhausted, to the
// organizations of all the scope's numbers.
func (w *ScopeTx) emitQuotaAlarm(ctx context.Context, sc *Scope) error {
	var kinds []webhook.Type
	sc.alarm, kinds = sc.alarm.next(sc.Limit, sc.Free())
	if len(kinds) == 0 {
		return nil
	}
	rows, err := w.Tx.Query(ctx, `
		select id, organization_id, external_id, name from messaging_number
		where scope_id = @scope and disconnected_at is null`, pgx.NamedArgs{"scope": sc.ID})
	if err != nil {
		return fmt.Errorf("read the numbers of messaging scope %s: %w", sc.ID, err)
	}
	type concerned struct {
		ID, OrganizationID uuid.UUID
		ExternalID         string
		Name               *string
	}
	numbers, err := pgx.CollectRows(rows, pgx.RowToStructByName[concerned])
	if err != nil {
		return fmt.Errorf("read the numbers of messaging scope %s: %w", sc.ID, err)
	}
	if len(numbers) == 0 {
		return nil
	}
	organizations := make([]uuid.UUID, len(numbers))
	for i, n := range numbers {
		organizations[i] = n.OrganizationID
	}
	out, err := w.open(ctx, organizations)
	if err != nil {
		return err
	}
	for _, n := range numbers {
		q := Quota{ExternalID: n.ExternalID, Name: n.Name, Tier: sc.Limit, Used: sc.Recipients}
		for _, kind := range kinds {
			if err := out.Add(webhook.Event{
				OrganizationID: n.OrganizationID, Type: kind, SubjectID: n.ID, Data: q.Resource(),
			}); err != nil {
				return err
			}
		}
	}
	return nil
}
