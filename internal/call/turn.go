package call

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/suppression"
)

// writeTime bounds one write. A holder whose database does not answer gives the
// line up.
const writeTime = 10 * time.Second

// entry is what a holder writes in one go: turns, and with them the state of
// the conversation they led to. It is committed before the reply is spoken.
type entry struct {
	turns  []Turn
	state  *conversation.State // nil: as it was
	script bool                // write the script too: once, at the start
	reason Reason              // why the call is about to be ended; empty: it is not
	by     Party
}

// A write names its epoch: that of a holder who was replaced writes nothing and
// returns no row. What was played or said is numbered by the row, without gaps.
const sqlWrite = `
	with held as (
		update call_line set
			turns = turns + cardinality(@roles::text[]),
			script = coalesce(@script::jsonb, script),
			state = coalesce(@state::jsonb, state),
			analysis = coalesce(@analysis::jsonb, analysis),
			human = human or @human::boolean,
			closed_at = case when @closed::boolean then clock() else closed_at end,
			updated_at = clock()
		where call_id = @id and epoch = @epoch
		returning call_id, organization_id, turns - cardinality(@roles::text[]) as first
	), said as (
		insert into call_turn (call_id, index, organization_id, role, text, start_ms, end_ms, interrupted)
		select h.call_id, h.first + n.ordinality - 1, h.organization_id, n.role, n.text, n.start_ms, n.end_ms, n.interrupted
		from held h, unnest(@roles::text[], @texts::text[], @starts::int[], @ends::int[], @interrupted::boolean[])
			with ordinality as n (role, text, start_ms, end_ms, interrupted, ordinality)
	)
	select coalesce(c.answered_by, ''), c.hang_up_at is not null, c.ended_at is not null
	from held h join call c on c.id = h.call_id`

// sqlIntend notes why the holder is about to end the call. If the recipient was
// quicker, it is still why the conversation was over.
const sqlIntend = `
	update call c set ended_reason = @reason, ended_by = @ended_by
	where c.id = @id
	  and (c.ended_reason is null or (c.ended_reason = 'recipient_hung_up' and c.settled_at is null))
	  and exists (select from call_line l where l.call_id = c.id and l.epoch = @epoch)`

// sqlCutShort corrects that when the recipient hung up into the last words.
const sqlCutShort = `
	update call c set ended_reason = 'recipient_hung_up', ended_by = 'recipient'
	where c.id = @id and c.ended_reason in ('completed', 'said_goodbye', 'silence', 'turn_limit') and c.settled_at is null
	  and exists (select from call_line l where l.call_id = c.id and l.epoch = @epoch)`

// sqlCallFirst takes the call's row before the line's, as everybody does who
// needs both.
const sqlCallFirst = `select from call where id = @id for no key update`

// sqlComplete adds the last words to a call that ended before its line was
// closed, and lets it be settled.
const sqlComplete = `
	update call c set
		transcript_text = ` + sqlTranscript + `,
		analysis = ` + sqlAnalysis + `,
		settle_after = case when c.status = 'completed' and c.answered_by is not null then c.ended_at else c.settle_after end
	where c.id = @id and c.ended_at is not null and c.settled_at is null
	  and exists (select from call_line l where l.call_id = c.id and l.epoch = @epoch)
	returning c.settle_after <= (select clock())`

// note is an entry as it is written.
type note struct {
	id                      uuid.UUID // of the call
	epoch                   int       // of who holds its line
	turns                   []Turn
	script, state, analysis *string // JSON; nil: as it was
	human                   bool    // the recipient did what no machine does
}

func (t *talk) note(e entry) (note, error) {
	n := note{id: t.id, epoch: t.epoch, turns: e.turns}
	if e.state == nil {
		return n, nil
	}
	state := *e.state
	var err error
	if e.script {
		if n.script, err = encode(state.Script); err != nil {
			return note{}, fmt.Errorf("encode the script of call %s: %w", t.id, err)
		}
	}
	if n.analysis, err = encode(conversation.Analyze(state)); err != nil {
		return note{}, fmt.Errorf("encode the analysis of call %s: %w", t.id, err)
	}
	n.human = human(state)
	state.Script = conversation.Script{} // kept once, beside it
	if n.state, err = encode(state); err != nil {
		return note{}, fmt.Errorf("encode the conversation of call %s: %w", t.id, err)
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
func (n note) args() pgx.NamedArgs {
	c := turnArraysOf(len(n.turns))
	c.add(n)
	return pgx.NamedArgs{
		"id": n.id, "epoch": n.epoch, "closed": false,
		"roles": c.roles, "texts": c.texts, "starts": c.starts, "ends": c.ends, "interrupted": c.interrupted,
		"script": n.script, "state": n.state, "analysis": n.analysis, "human": n.human,
	}
}

// turnArrays are turns as arrays, one a column.
type turnArrays struct {
	roles, texts []string
	starts, ends []*int32
	interrupted  []bool
}

// turnArraysOf makes room for n turns; an array without any is not null.
func turnArraysOf(n int) turnArrays {
	return turnArrays{
		roles: make([]string, 0, n), texts: make([]string, 0, n),
		starts: make([]*int32, 0, n), ends: make([]*int32, 0, n), interrupted: make([]bool, 0, n),
	}
}

func (c *turnArrays) add(n note) {
	for _, turn := range n.turns {
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

// write commits an entry and learns what is new. Errors: errReplaced.
func (t *talk) write(ctx context.Context, e entry) error {
	if e.reason != "" {
		return t.writeIn(ctx, t.calls.pool, e)
	}
	n, err := t.note(e)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, writeTime)
	defer cancel()
	if t.news, err = t.calls.scribe.write(ctx, n); err != nil {
		return err
	}
	t.written = t.calls.now()
	return nil
}

// writeIn writes an entry in one round trip, and learns what is new; on a pool it
// commits it. Errors: errReplaced.
func (t *talk) writeIn(ctx context.Context, db postgres.DB, e entry) error {
	ctx, cancel := context.WithTimeout(ctx, writeTime)
	defer cancel()
	n, err := t.note(e)
	if err != nil {
		return err
	}
	args := n.args()
	if e.reason == "" {
		return t.learn(db.QueryRow(ctx, write.sql, write.args(args)...))
	}
	args["reason"], args["ended_by"] = e.reason, e.by
	batch := &pgx.Batch{}
	batch.Queue(callFirst.sql, callFirst.args(args)...)
	batch.Queue(write.sql, write.args(args)...)
	batch.Queue(intend.sql, intend.args(args)...)
	results := db.SendBatch(ctx, batch)
	defer results.Close() //nolint:errcheck // closed below; this is for the ways out before
	if _, err := results.Exec(); err != nil {
		return fmt.Errorf("write a turn of call %s: %w", t.id, err)
	}
	if err := t.learn(results.QueryRow()); err != nil {
		return err
	}
	if err := results.Close(); err != nil {
		return fmt.Errorf("write a turn of call %s: %w", t.id, err)
	}
	return nil
}

func (t *talk) learn(row pgx.Row) error {
	var err error
	if t.news, err = learn(row, t.id); err != nil {
		return err
	}
	t.written = t.calls.now()
	return nil
}

// close writes the last of a line that the carrier closed in order: no turn
// follows. Whichever comes second, this or the end of the call, gathers the
// transcript.
func (t *talk) close(ctx context.Context, e entry) error {
	ctx, cancel := context.WithTimeout(ctx, writeTime)
	defer cancel()
	n, err := t.note(e)
	if err != nil {
		return err
	}
	args := n.args()
	args["closed"] = true
	batch := &pgx.Batch{}
	batch.Queue(callFirst.sql, callFirst.args(args)...)
	if !t.ours && e.state.Ending != conversation.HungUp {
		batch.Queue(cutShort.sql, cutShort.args(args)...)
	}
	batch.Queue(write.sql, write.args(args)...)
	batch.Queue(complete.sql, complete.args(args)...)
	results := t.calls.pool.SendBatch(ctx, batch)
	defer results.Close() //nolint:errcheck // closed below; this is for the ways out before
	for range batch.Len() - 2 {
		if _, err := results.Exec(); err != nil {
			return fmt.Errorf("close the line of call %s: %w", t.id, err)
		}
	}
	if err := t.learn(results.QueryRow()); err != nil {
		return err
	}
	var settle bool
	if err := results.QueryRow().Scan(&settle); err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return fmt.Errorf("close the line of call %s: %w", t.id, err)
	}
	if err := results.Close(); err != nil {
		return fmt.Errorf("close the line of call %s: %w", t.id, err)
	}
	if settle {
		t.calls.wake(TopicSettlement)
	}
	return nil
}

// optOut writes an entry together with the wish never to be called again.
func (t *talk) optOut(ctx context.Context, e entry) error {
	return postgres.InTx(ctx, t.calls.pool, func(tx pgx.Tx) error {
		if err := t.writeIn(ctx, tx, e); err != nil {
			return err
		}
		_, _, err := suppression.Add(ctx, tx, account.System(t.organization), suppression.NewEntry{
			PhoneNumber: phone.Number(t.number), Source: suppression.ByCall, CallID: &t.id,
		})
		if err != nil {
			return fmt.Errorf("put the number of call %s on the do-not-call list: %w", t.id, err)
		}
		return nil
	})
}

func int32p(n *int) *int32 {
	if n == nil {
		return nil
	}
	v := int32(*n)
	return &v
}
