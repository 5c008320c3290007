package line

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/suppression"
)

// The turns of a former holder come before the turns of the holder that replaced it. That holder
// may be a former holder too. Two updates move the later turns, because two turns must never have
// the same index.
var (
	sqlLineFirst = `select epoch from call_line where call_id = @id for no key update`
	sqlFormer    = `delete from call_line_former where call_id = @id and epoch = @former returning entry, turns`
	sqlMoveAway  = `update call_turn set index = -1 - (index + @count) where call_id = @id and index >= @place`
	sqlMoveBack  = `update call_turn set index = -1 - index where call_id = @id and index < 0`
	sqlLateTurns = `
		insert into call_turn (call_id, index, organization_id, role, text, start_ms, end_ms, interrupted, timing)
		select @id, @place::int + t.position, @organization_id, t.role, t.text, t.start_ms, t.end_ms, t.interrupted,
		       t.timing::jsonb
		from ` + turnTable.Table()
	sqlMoveFormer = `update call_line_former set turns = turns + @count where call_id = @id and epoch > @former`
	sqlCountLate  = `update call_line set turns = turns + @count, human = human or @human where call_id = @id`
)

// writeLate writes what a replaced holder has heard. The conversation continued without this
// holder, so writeLate writes only its turns and an opt-out. If an earlier write was committed but
// its answer was lost, writeLate does not repeat the write. Errors: errReplaced when the call is
// settled.
func (t *talk) writeLate(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, writeTime)
	defer cancel()
	w, err := t.pending()
	if err != nil {
		return err
	}
	settle := false
	err = postgres.InTx(ctx, t.service.pool, func(tx pgx.Tx) error {
		settle, err = w.insertLate(ctx, tx)
		return err
	})
	if err != nil {
		return fmt.Errorf("write late turns of call %s: %w", t.id, err)
	}
	t.clearUnsaved()
	t.service.hub.Wake(call.LineTopic(t.id))
	if settle {
		t.service.hub.Wake(call.TopicSettlement)
	}
	if w.optOut {
		t.service.hub.Wake(suppression.Topic)
	}
	return nil
}

// insertLate inserts the turns of a replaced holder. It reports whether the call can be settled
// now.
func (w *write) insertLate(ctx context.Context, tx pgx.Tx) (settle bool, err error) {
	var epoch int
	args := pgx.NamedArgs{"id": w.id, "former": w.epoch}
	batch := &pgx.Batch{}
	call.QueueLock(batch, w.id)
	batch.Queue(sqlLineFirst, args).QueryRow(func(row pgx.Row) error { return row.Scan(&epoch) })
	err = tx.SendBatch(ctx, batch).Close()
	if errors.Is(err, pgx.ErrNoRows) {
		return false, errReplaced
	}
	if err != nil {
		return false, err
	}
	var entry, place int
	err = tx.QueryRow(ctx, sqlFormer, args).Scan(&entry, &place)
	if errors.Is(err, pgx.ErrNoRows) {
		return false, nil // an earlier attempt was committed
	}
	if err != nil {
		return false, err
	}
	late := w.rows(entry)
	args = turnTable.Args(late)
	args["id"], args["former"], args["organization_id"] = w.id, w.epoch, w.organization
	args["place"], args["count"], args["human"] = place, len(late), w.human || w.optOut
	batch = &pgx.Batch{}
	for _, sql := range []string{sqlMoveAway, sqlMoveBack, sqlLateTurns, sqlMoveFormer, sqlCountLate} {
		batch.Queue(sql, args)
	}
	if w.unsorted {
		queueSort(batch, w.id, epoch)
	}
	if w.optOut {
		call.QueueLateOptOut(batch, w.id)
	}
	call.QueueLastWords(batch, w.id, epoch, &settle)
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return false, err
	}
	if w.optOut {
		return settle, w.addToDoNotCallList(ctx, tx)
	}
	return settle, nil
}
