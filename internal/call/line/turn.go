package line

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/dialwright/dialwright/internal/call"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/suppression"
)

// writeTime bounds one attempt to write.
const writeTime = 5 * time.Second

// entry is what a holder adds at a time: turns, and with them the state of the
// conversation they led to. It is committed before the reply is spoken.
type entry struct {
	turns  []call.Turn
	state  *conversation.State // nil: as it was
	script bool                // write the script too: once, at the start
	reason call.Reason         // why the call is about to be ended; empty: it is not
	by     call.Party
	optOut bool // the recipient asked not to be called again
	closed bool // the carrier closed the line in order: no turn follows
}

// unsaved are the entries of a holder that are not known to be on disk. They are
// written together, as often as it takes.
type unsaved struct {
	entry
	numbers []int     // each turn's entry
	since   time.Time // when the oldest was added; zero: there is none
}

func (u *unsaved) add(e entry, number int, now time.Time) {
	if u.since.IsZero() {
		u.since = now
	}
	for _, turn := range e.turns {
		u.turns, u.numbers = append(u.turns, turn), append(u.numbers, number)
	}
	if e.state != nil {
		u.state = e.state
	}
	if e.reason != "" {
		u.reason, u.by = e.reason, e.by
	}
	u.script, u.optOut, u.closed = u.script || e.script, u.optOut || e.optOut, u.closed || e.closed
}

func (u *unsaved) any() bool { return !u.since.IsZero() }

// words is how often the recipient spoke or pressed a key.
func (u *unsaved) words() (n int) {
	for _, turn := range u.turns {
		if turn.Role != call.Agent {
			n++
		}
	}
	return n
}

// A write names its epoch: that of a holder who was replaced writes nothing and
// returns no row. It also names its entries: those that an earlier attempt has
// written are not written again, even when that attempt is carried out last. What
// was played or said is numbered by the row, without gaps.
const sqlWrite = `
	with line as (
		select call_id, organization_id, turns, entry from call_line
		where call_id = @id and epoch = @epoch
		for no key update
	), fresh as (
		select line.call_id, line.organization_id, line.turns + row_number() over (order by n.ordinality) - 1 as index,
		       n.role, n.text, n.start_ms, n.end_ms, n.interrupted
		from line, unnest(@entries::int[], @roles::text[], @texts::text[], @starts::int[], @ends::int[], @interrupted::boolean[])
			with ordinality as n (entry, role, text, start_ms, end_ms, interrupted, ordinality)
		where n.entry > line.entry
	), held as (
		update call_line l set
			turns = line.turns + (select count(*) from fresh),
			entry = greatest(line.entry, @entry),
			script = coalesce(case when @entry > line.entry then @script::jsonb end, l.script),
			state = coalesce(case when @entry > line.entry then @state::jsonb end, l.state),
			analysis = coalesce(case when @entry > line.entry then @analysis::jsonb end, l.analysis),
			human = l.human or @human::boolean,
			closed_at = case when @closed::boolean then clock() else l.closed_at end,
			held = l.held and not @closed::boolean,
			updated_at = clock()
		from line
		where l.call_id = line.call_id
		returning l.call_id
	), said as (
		insert into call_turn (call_id, index, organization_id, role, text, start_ms, end_ms, interrupted)
		select call_id, index, organization_id, role, text, start_ms, end_ms, interrupted from fresh
	)
	select coalesce(c.answered_by, ''), c.hang_up_at is not null, c.ended_at is not null
	from held h join call c on c.id = h.call_id`

// sqlRelease says that a holder has nothing more to write.
const sqlRelease = `
	with former as (delete from call_line_former where call_id = @id and epoch = @epoch)
	update call_line set held = false where call_id = @id and epoch = @epoch`

var (
	write       = postgres.Compile(sqlWrite)
	writeMany   = postgres.Compile(sqlWriteMany)
	releaseLine = postgres.Compile(sqlRelease)
)

// turnsToWrite is what a holder writes, as it is written.
type turnsToWrite struct {
	id                      uuid.UUID // of the call
	epoch                   int       // of who holds its line
	entry                   int       // the last one that is in it
	turns                   []call.Turn
	numbers                 []int   // each turn's entry
	script, state, analysis *string // JSON; nil: as it was
	human                   bool    // the recipient did what no machine does
}

// pending is all that is unsaved.
func (t *talk) pending() (turnsToWrite, error) {
	u := &t.unsaved
	n := turnsToWrite{id: t.id, epoch: t.epoch, entry: t.entry, turns: u.turns, numbers: u.numbers}
	if u.state == nil {
		return n, nil
	}
	state := *u.state
	var err error
	if u.script {
		if n.script, err = encode(state.Script); err != nil {
			return turnsToWrite{}, fmt.Errorf("encode the script of call %s: %w", t.id, err)
		}
	}
	if n.analysis, err = encode(conversation.Analyze(state)); err != nil {
		return turnsToWrite{}, fmt.Errorf("encode the analysis of call %s: %w", t.id, err)
	}
	n.human = human(state)
	state.Script = conversation.Script{} // kept once, beside it
	if n.state, err = encode(state); err != nil {
		return turnsToWrite{}, fmt.Errorf("encode the conversation of call %s: %w", t.id, err)
	}
	return n, nil
}

func encode(v any) (*string, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return new(string(text)), nil
}

// args are those of sqlWrite and of the statements that go with it.
func (n turnsToWrite) args() pgx.NamedArgs {
	c := turnArraysOf(len(n.turns))
	c.add(n)
	return pgx.NamedArgs{
		"id": n.id, "epoch": n.epoch, "entry": n.entry, "closed": false,
		"entries": c.entries, "roles": c.roles, "texts": c.texts, "starts": c.starts, "ends": c.ends, "interrupted": c.interrupted,
		"script": n.script, "state": n.state, "analysis": n.analysis, "human": n.human,
	}
}

// turnArrays are turns as arrays, one a column.
type turnArrays struct {
	entries      []int32
	roles, texts []string
	starts, ends []*int32
	interrupted  []bool
}

// turnArraysOf makes room for n turns; an array without any is not null.
func turnArraysOf(n int) turnArrays {
	return turnArrays{
		entries:     make([]int32, 0, n),
		roles:       make([]string, 0, n),
		texts:       make([]string, 0, n),
		starts:      make([]*int32, 0, n),
		ends:        make([]*int32, 0, n),
		interrupted: make([]bool, 0, n),
	}
}

func (c *turnArrays) add(n turnsToWrite) {
	for i, turn := range n.turns {
		c.entries = append(c.entries, int32(n.numbers[i]))
		c.roles, c.texts = append(c.roles, string(turn.Role)), append(c.texts, turn.Text)
		c.starts, c.ends = append(c.starts, int32p(turn.StartMS)), append(c.ends, int32p(turn.EndMS))
		c.interrupted = append(c.interrupted, turn.Interrupted)
	}
}

// human reports whether the recipient did what no machine does.
func human(s conversation.State) bool {
	for _, a := range s.Answers {
		if a.Value != nil {
			return true
		}
	}
	return s.OptedOut != ""
}

// commit commits a note and all that goes with its entry, and tells what the call's
// row says. It bears being repeated. Errors: errReplaced.
func (t *talk) commit(ctx context.Context, n turnsToWrite, e entry) (now update, err error) {
	ctx, cancel := context.WithTimeout(ctx, writeTime)
	defer cancel()
	pool := t.service.pool
	switch {
	case e.optOut:
		err = postgres.InTx(ctx, pool, func(tx pgx.Tx) error {
			if now, err = t.commitWithEnd(ctx, tx, n, e); err != nil {
				return err
			}
			return t.optOut(ctx, tx)
		})
		return now, err
	case e.reason != "", e.closed:
		return t.commitWithEnd(ctx, pool, n, e)
	}
	return t.service.turnWriter.write(ctx, n)
}

// commitWithEnd does so in one round trip, but for an opt-out; on a pool it commits.
// Whichever comes second, the last words or the end of the call, gathers the
// transcript.
func (t *talk) commitWithEnd(ctx context.Context, db postgres.DB, n turnsToWrite, e entry) (now update, err error) {
	args := n.args()
	args["closed"] = e.closed
	settle := false
	batch := &pgx.Batch{}
	call.QueueLock(batch, t.id)
	batch.Queue(write.SQL, write.Args(args)...).QueryRow(func(row pgx.Row) error {
		now, err = readUpdate(row, t.id)
		return err
	})
	if e.reason != "" {
		call.QueueReason(batch, t.id, t.epoch, e.reason, e.by)
	}
	if e.closed {
		if !t.weHungUp && e.state.Ending != conversation.HungUp {
			call.QueueCutShort(batch, t.id, t.epoch)
		}
		call.QueueLastWords(batch, t.id, t.epoch, &settle)
	}
	if err := db.SendBatch(ctx, batch).Close(); err != nil {
		if errors.Is(err, errReplaced) {
			return update{}, err
		}
		return update{}, fmt.Errorf("write a turn of call %s: %w", t.id, err)
	}
	if settle {
		t.service.hub.Wake(call.TopicSettlement)
	}
	return now, nil
}

// optOut puts the number on the do-not-call list.
func (t *talk) optOut(ctx context.Context, tx pgx.Tx) error {
	_, _, err := suppression.Add(ctx, tx, account.System(t.organization), suppression.NewEntry{
		PhoneNumber: phone.Number(t.number), Source: suppression.ByCall, CallID: &t.id,
	})
	if err != nil {
		return fmt.Errorf("put the number of call %s on the do-not-call list: %w", t.id, err)
	}
	return nil
}

func int32p(n *int) *int32 {
	if n == nil {
		return nil
	}
	v := int32(*n)
	return &v
}
