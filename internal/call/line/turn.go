package line

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/suppression"
)

// writeTime is the time limit of one attempt to write.
const writeTime = 5 * time.Second

// entry is one addition of a holder to its line: turns, and the state of the conversation after
// them. It is committed before the reply is spoken. Entries that may not be on disk are merged and
// written together, as often as needed.
type entry struct {
	turns    []turn
	state    *conversation.State // nil: unchanged
	script   bool                // write the script too: once, at the start
	reason   call.Reason         // why the call is about to end; empty: it continues
	by       call.Party
	optOut   bool                   // the recipient asked not to be called again
	transfer *conversation.Transfer // of the call, which the recipient is about to hear of; nil: none
	notes    int                    // the number of the last note that the agent got; 0: none
	used     int                    // the number of the last note that the agent spoke with; 0: none
	closed   bool                   // the carrier closed the line in order, so no turn follows
	cutShort bool                   // the recipient hung up during the agent's last words
	unsorted bool                   // a note that came later may be written already
	since    time.Time              // when the first merged entry was added; zero: no entry
}

// turn is a turn with the number of its entry.
type turn struct {
	call.Turn
	entry int
}

// add merges another entry with this number into e.
func (e *entry) add(other entry, number int, now time.Time) {
	if e.since.IsZero() {
		e.since = now
	}
	for _, added := range other.turns {
		e.turns = append(e.turns, turn{added.Turn, number})
	}
	if other.state != nil {
		e.state = other.state
	}
	if other.reason != "" {
		e.reason, e.by = other.reason, other.by
	}
	if other.transfer != nil {
		e.transfer = other.transfer
	}
	e.notes, e.used = max(e.notes, other.notes), max(e.used, other.used)
	e.script, e.optOut, e.closed = e.script || other.script, e.optOut || other.optOut, e.closed || other.closed
	e.cutShort, e.unsorted = e.cutShort || other.cutShort, e.unsorted || other.unsorted
}

func (e *entry) any() bool { return !e.since.IsZero() }

// words returns how often the recipient spoke or pressed a key.
func (e *entry) words() (n int) {
	for _, turn := range e.turns {
		if turn.Role != call.Agent {
			n++
		}
	}
	return n
}

// write has the unsaved entries of a holder in the form in which they are stored.
type write struct {
	lineHolder
	organization            uuid.UUID
	number                  string // of the recipient
	entry                   int    // number of the last entry in the write
	turns                   []turn
	script, state, analysis *string // JSON; nil: unchanged
	human                   bool    // the recipient did something that shows a person
	reason                  call.Reason
	by                      call.Party
	optOut                  bool
	transfer                *conversation.Transfer // nil: none
	notes, used             int
	closed                  bool
	cutShort                bool // the recipient hung up during the agent's last words
	unsorted                bool // a note that came later may be written already

	done   chan struct{} // of the turn writer: closed when the fields below are set
	update update
	err    error
}

// lineHolder names the holder of a line.
type lineHolder struct {
	id    uuid.UUID // of the call
	epoch int
}

// lineTable is the table w of the lines of writes.
var lineTable = postgres.NewColumns("w",
	postgres.Column("call_id", "uuid", func(w *write) uuid.UUID { return w.id }),
	postgres.Column("epoch", "int", func(w *write) int32 { return int32(w.epoch) }),
	postgres.Column("entry", "int", func(w *write) int32 { return int32(w.entry) }),
	postgres.Column("script", "text", func(w *write) *string { return w.script }),
	postgres.Column("state", "text", func(w *write) *string { return w.state }),
	postgres.Column("analysis", "text", func(w *write) *string { return w.analysis }),
	postgres.Column("human", "boolean", func(w *write) bool { return w.human }),
	postgres.Column("closed", "boolean", func(w *write) bool { return w.closed }),
)

// turnRow is a turn of a write.
type turnRow struct {
	lineHolder
	position int // among the turns of the write
	turn
}

// turnTable is the table t of the turns of writes.
var turnTable = postgres.NewColumns("t",
	postgres.Column("call_id", "uuid", func(r *turnRow) uuid.UUID { return r.id }),
	postgres.Column("epoch", "int", func(r *turnRow) int32 { return int32(r.epoch) }),
	postgres.Column("entry", "int", func(r *turnRow) int32 { return int32(r.entry) }),
	postgres.Column("position", "int", func(r *turnRow) int32 { return int32(r.position) }),
	postgres.Column("role", "text", func(r *turnRow) string { return string(r.Role) }),
	postgres.Column("text", "text", func(r *turnRow) string { return r.Text }),
	postgres.Column("start_ms", "int", func(r *turnRow) *int { return r.StartMS }),
	postgres.Column("end_ms", "int", func(r *turnRow) *int { return r.EndMS }),
	postgres.Column("interrupted", "boolean", func(r *turnRow) bool { return r.Interrupted }),
	postgres.Column("timing", "text", func(r *turnRow) *string { return encodeTiming(r.Timing) }),
)

// rows returns the turns that belong to entries after the given entry.
func (w *write) rows(entry int) (rows []turnRow) {
	for _, turn := range w.turns {
		if turn.entry > entry {
			rows = append(rows, turnRow{w.lineHolder, len(rows), turn})
		}
	}
	return rows
}

// writeTurns commits writes of several lines. writeFreeLines leaves out locked lines, so that they
// do not delay other calls.
var (
	writeTurns     = postgres.Compile(sqlWrite("for no key update of l"))
	writeFreeLines = postgres.Compile(sqlWrite("for no key update of l skip locked"))
)

// sqlWrite returns the statement that writes turns. A write names the epoch of its holder: a holder
// that was replaced writes nothing and gets no row. A write also names its entries: entries that an
// earlier attempt wrote are not written again, even if that attempt is carried out last. The row of
// the line numbers its turns without gaps.
func sqlWrite(lock string) string {
	return `
	with written as (
		select w.*, l.organization_id, l.turns, l.entry as last_entry
		from ` + lineTable.Table() + `
		join call_line l on l.call_id = w.call_id and l.epoch = w.epoch
		` + lock + `
	), fresh as (
		select w.call_id, w.organization_id, w.turns + row_number() over (partition by w.call_id
			order by t.position) - 1 as index,
		       t.role, t.text, t.start_ms, t.end_ms, t.interrupted, t.timing
		from written w
		join ` + turnTable.Table() + ` on t.call_id = w.call_id and t.epoch = w.epoch
		where t.entry > w.last_entry
	), held as (
		update call_line l set
			turns = w.turns + (select count(*) from fresh f where f.call_id = w.call_id),
			entry = greatest(w.last_entry, w.entry),
			script = coalesce(case when w.entry > w.last_entry then w.script::jsonb end, l.script),
			state = coalesce(case when w.entry > w.last_entry then w.state::jsonb end, l.state),
			analysis = coalesce(case when w.entry > w.last_entry then w.analysis::jsonb end, l.analysis),
			human = l.human or w.human,
			closed_at = case when w.closed then clock() else l.closed_at end,
			held = l.held and not w.closed,
			updated_at = clock()
		from written w
		where l.call_id = w.call_id and l.epoch = w.epoch
		returning l.call_id, l.epoch
	), said as (
		insert into call_turn (call_id, index, organization_id, role, text, start_ms, end_ms, interrupted, timing)
		select call_id, index, organization_id, role, text, start_ms, end_ms, interrupted, timing::jsonb from fresh
	)
	select h.call_id, h.epoch, coalesce(c.answered_by, ''), c.hang_up_at is not null, c.ended_at is not null, c.notes
	from held h join call c on c.id = h.call_id`
}

// writeArgs returns the arguments of sqlWrite.
func writeArgs(writes ...*write) pgx.NamedArgs {
	args := lineTable.ArgsOf(writes)
	var rows []turnRow
	for _, w := range writes {
		rows = append(rows, w.rows(0)...)
	}
	maps.Copy(args, turnTable.Args(rows))
	return args
}

// readUpdates reads the result of sqlWrite: the update for the holder of each line that was
// written.
func readUpdates(rows pgx.Rows) (map[lineHolder]update, error) {
	updates := map[lineHolder]update{}
	var h lineHolder
	var u update
	_, err := pgx.ForEachRow(rows, []any{&h.id, &h.epoch, &u.AnsweredBy, &u.HangUp, &u.Ended, &u.Notes}, func() error {
		updates[h] = u
		return nil
	})
	return updates, err
}

// queue adds the statement of this write to a batch. The batch sets now to the result of the
// statement. Errors of the batch: errReplaced.
func (w *write) queue(batch *pgx.Batch, now *update) {
	batch.Queue(writeTurns.SQL, writeTurns.Args(writeArgs(w))...).Query(func(rows pgx.Rows) error {
		updates, err := readUpdates(rows)
		if err != nil {
			return err
		}
		var held bool
		if *now, held = updates[w.lineHolder]; !held {
			return errReplaced
		}
		return nil
	})
}

// send sends a batch with a write. Errors: errReplaced.
func (w *write) send(ctx context.Context, db postgres.DB, batch *pgx.Batch) error {
	err := db.SendBatch(ctx, batch).Close()
	if err == nil || errors.Is(err, errReplaced) {
		return err
	}
	return w.failed(err)
}

func (w *write) failed(err error) error {
	return fmt.Errorf("write a turn of call %s: %w", w.id, err)
}

// pending returns all unsaved entries in the form in which they are stored.
func (t *talk) pending() (*write, error) {
	u := t.unsaved
	w := &write{
		lineHolder:   t.lineHolder,
		organization: t.organization,
		number:       t.number,
		entry:        t.entries,
		turns:        u.turns,
		reason:       u.reason,
		by:           u.by,
		optOut:       u.optOut,
		transfer:     u.transfer,
		notes:        u.notes,
		used:         u.used,
		closed:       u.closed,
		cutShort:     u.cutShort,
		unsorted:     u.unsorted,
		done:         make(chan struct{}),
	}
	if u.state == nil {
		return w, nil
	}
	state := *u.state
	var err error
	if u.script {
		if w.script, err = encode(state.Script); err != nil {
			return nil, fmt.Errorf("encode the script of call %s: %w", t.id, err)
		}
	}
	if w.analysis, err = encode(conversation.Analyze(state)); err != nil {
		return nil, fmt.Errorf("encode the analysis of call %s: %w", t.id, err)
	}
	w.human = state.Person || state.OptedOut != ""
	state.Script = conversation.Script{} // stored once, in a separate column
	if w.state, err = encode(state); err != nil {
		return nil, fmt.Errorf("encode the conversation of call %s: %w", t.id, err)
	}
	return w, nil
}

func encode(v any) (*string, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return new(string(text)), nil
}

// commit commits a write, with the end of the call and the opt-out that it contains, and returns
// the update for the holder. It may be repeated. Errors: errReplaced.
func (s *Service) commit(ctx context.Context, w *write) (now update, err error) {
	ctx, cancel := context.WithTimeout(ctx, writeTime)
	defer cancel()
	switch {
	case w.optOut:
		err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
			if now, err = s.commitWithEnd(ctx, tx, w); err != nil {
				return err
			}
			return w.addToDoNotCallList(ctx, tx)
		})
		if err == nil {
			s.hub.Wake(suppression.Topic)
		}
		return now, err
	case w.reason != "", w.closed, w.transfer != nil, w.notes > 0, w.used > 0, w.unsorted:
		return s.commitWithEnd(ctx, s.pool, w)
	}
	return s.turnWriter.write(ctx, w)
}

// commitWithEnd commits a write and the end that it contains in one round trip. Both the
// last words and the end of the call gather the transcript, so the later of them
// completes it.
func (s *Service) commitWithEnd(ctx context.Context, db postgres.DB, w *write) (now update, err error) {
	settle := false
	batch := &pgx.Batch{}
	call.QueueLock(batch, w.id)
	w.queue(batch, &now)
	if w.unsorted {
		queueSort(batch, w.id, w.epoch)
	}
	if w.reason != "" {
		call.QueueReason(batch, w.id, w.epoch, w.reason, w.by)
	}
	if t := w.transfer; t != nil {
		call.QueueTransfer(batch, w.id, w.epoch, call.NewTransfer{
			Number: t.Number, DestinationID: t.DestinationID, Destination: t.Destination, Mode: t.Mode,
			Recorded: t.Recorded, Language: t.Language, Briefing: t.Briefing,
		})
	}
	if w.notes > 0 || w.used > 0 {
		call.QueueNotesHeard(batch, w.id, w.epoch, w.notes, w.used)
	}
	if w.closed {
		if w.cutShort {
			call.QueueCutShort(batch, w.id, w.epoch)
		}
		call.QueueLastWords(batch, w.id, w.epoch, &settle)
	}
	if err := w.send(ctx, db, batch); err != nil {
		return update{}, err
	}
	if settle {
		s.hub.Wake(call.TopicSettlement)
	}
	return now, nil
}

// addToDoNotCallList adds the number of the call to the do-not-call list.
func (w *write) addToDoNotCallList(ctx context.Context, tx pgx.Tx) error {
	_, err := suppression.AddFromCall(
		ctx, tx, w.organization, w.id, phone.Number(w.number), suppression.ByCall, "", suppression.Voice,
	)
	return err
}
