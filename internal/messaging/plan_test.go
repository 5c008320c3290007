package messaging_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/messaging"
	"github.com/dialwright/dialwright/internal/messaging/messagingtest"
	"github.com/dialwright/dialwright/internal/messaging/sandbox"
	"github.com/dialwright/dialwright/internal/postgres"
)

// Withdrawals and moves of the same messages never deadlock.
func TestWithdrawalsAndMoves(t *testing.T) {
	t.Parallel()
	b := messagingtest.New(t, sandbox.Options{})
	b.Connect(sandbox.Account250)
	const n = 300
	recipients, ids := make([]uuid.UUID, n), make([]uuid.UUID, n)
	for i := range ids {
		recipients[i], ids[i] = uuid.Must(uuid.NewV7()), uuid.Must(uuid.NewV7())
	}
	slices.Reverse(recipients) // the one order is not the other
	for range 5 {
		b.Exec(`delete from message`)
		b.Exec(`insert into message (id, organization_id, number_id, scope_id, lane, recipient_id, phone_number,
			template_name, template_language, due_at)
			select m.id, n.organization_id, n.id, n.scope_id, m.recipient, m.recipient, '+1312' || 2000000 + m.i,
				'heads_up', 'en_US', clock()
			from messaging_number n, unnest($1::uuid[], $2::uuid[]) with ordinality m (id, recipient, i)`, ids,
			recipients)
		var moves []messaging.Move
		for _, id := range ids {
			moves = append(moves, messaging.Move{
				ID: id, Update: messaging.UpdateFailed, Why: "The number was disconnected",
			})
		}
		var group sync.WaitGroup
		errs := make(chan error, 2)
		group.Go(func() {
			_, err := b.Messages.Move(t.Context(), moves...)
			errs <- err
		})
		group.Go(func() {
			errs <- postgres.InTx(t.Context(), b.Pool, func(tx pgx.Tx) error {
				return messaging.Withdraw(t.Context(), tx, recipients, "It is withdrawn")
			})
		})
		group.Wait()
		for range 2 {
			if err := <-errs; err != nil {
				t.Fatal(fmt.Errorf("they met: %w", err))
			}
		}
		if left := b.Count(`select count(*) from message where status not in ('failed', 'canceled')`); left > 0 {
			t.Errorf("%d are neither failed nor canceled", left)
		}
	}
	b.CheckLedgers()
}
