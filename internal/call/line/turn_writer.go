package line

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

const (
	maxTurnWriters = 2  // statements at a time
	maxTurnBatch   = 64 // notes in one
)

// turnWriter writes what is said in all calls that this process holds. Every turn is
// on disk before the next one is spoken, and in a busy minute that is most of what
// the database does; so what comes while others are being written is gathered,
// and written in one statement when they are. Nothing waits that could begin.
type turnWriter struct {
	pool *pgxpool.Pool

	mu      sync.Mutex
	pending []*pendingTurns
	writers int // that write
}

// pendingTurns is a note until it is written.
type pendingTurns struct {
	turnsToWrite
	done   chan struct{} // closed when what follows is set
	update update
	err    error
}

// write commits a note, and tells what its call's row says. When ctx is over
// while it is being written, nobody knows whether it was. Errors: errReplaced.
func (s *turnWriter) write(ctx context.Context, n turnsToWrite) (update, error) {
	j := &pendingTurns{turnsToWrite: n, done: make(chan struct{})}
	s.mu.Lock()
	s.pending = append(s.pending, j)
	begin := s.writers < maxTurnWriters
	if begin {
		s.writers++
	}
	s.mu.Unlock()
	if begin {
		go s.run()
	}
	select {
	case <-j.done:
		return j.update, j.err
	case <-ctx.Done():
		s.drop(j)
		return update{}, fmt.Errorf("write a turn of call %s: %w", n.id, ctx.Err())
	}
}

// drop forgets a note that nobody waits for and that is not being written.
func (s *turnWriter) drop(j *pendingTurns) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pending = slices.DeleteFunc(s.pending, func(w *pendingTurns) bool { return w == j })
}

// run writes until nothing waits.
func (s *turnWriter) run() {
	for {
		batch := s.take()
		if len(batch) == 0 {
			return
		}
		for _, j := range s.writeBatch(batch) {
			go s.writeOne(j) // it may have to wait, and nobody waits for it but its call
		}
	}
}

// finish tells the writer of a note what came of it.
func (j *pendingTurns) finish(n update, err error) {
	j.update, j.err = n, err
	close(j.done)
}

func (s *turnWriter) take() []*pendingTurns {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := min(len(s.pending), maxTurnBatch)
	batch := s.pending[:n:n]
	s.pending = s.pending[n:]
	if n == 0 {
		s.pending = nil
		s.writers--
	}
	return batch
}

// writeOne writes one note, once its line is free.
func (s *turnWriter) writeOne(j *pendingTurns) {
	ctx, cancel := context.WithTimeout(context.Background(), writeTime)
	defer cancel()
	j.finish(readUpdate(s.pool.QueryRow(ctx, write.SQL, write.Args(j.args())...), j.id))
}

// readUpdate reads what a call's row says to those who write to its line. Errors:
// errReplaced.
func readUpdate(row pgx.Row, id uuid.UUID) (n update, err error) {
	err = row.Scan(&n.AnsweredBy, &n.HangUp, &n.Ended)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return update{}, errReplaced
	case err != nil:
		return update{}, fmt.Errorf("write a turn of call %s: %w", id, err)
	}
	return n, nil
}

// sqlWriteMany is sqlWrite for many lines. Two holders may think that they have
// the same one: a turn is only written by the one whose epoch it is. A line that
// is locked is left out, so that it holds up no other call.
const sqlWriteMany = `
	with noted as (
		select n.*, l.organization_id, l.turns, l.entry as written
		from unnest(@ids::uuid[], @epochs::int[], @numbers::int[], @scripts::text[], @states::text[], @analyses::text[], @humans::boolean[])
			as n (call_id, epoch, entry, script, state, analysis, human)
		join call_line l on l.call_id = n.call_id and l.epoch = n.epoch
		for no key update of l skip locked
	), fresh as (
		select n.call_id, n.organization_id, n.turns + row_number() over (partition by n.call_id order by t.ordinality) - 1 as index,
		       t.role, t.text, t.start_ms, t.end_ms, t.interrupted
		from noted n
		join unnest(@turn_ids::uuid[], @turn_epochs::int[], @entries::int[], @roles::text[], @texts::text[],
		            @starts::int[], @ends::int[], @interrupted::boolean[])
			with ordinality as t (call_id, epoch, entry, role, text, start_ms, end_ms, interrupted, ordinality)
			on t.call_id = n.call_id and t.epoch = n.epoch
		where t.entry > n.written
	), held as (
		update call_line l set
			turns = n.turns + (select count(*) from fresh f where f.call_id = n.call_id),
			entry = greatest(n.written, n.entry),
			script = coalesce(case when n.entry > n.written then n.script::jsonb end, l.script),
			state = coalesce(case when n.entry > n.written then n.state::jsonb end, l.state),
			analysis = coalesce(case when n.entry > n.written then n.analysis::jsonb end, l.analysis),
			human = l.human or n.human,
			updated_at = clock()
		from noted n
		where l.call_id = n.call_id and l.epoch = n.epoch
		returning l.call_id, l.epoch
	), said as (
		insert into call_turn (call_id, index, organization_id, role, text, start_ms, end_ms, interrupted)
		select call_id, index, organization_id, role, text, start_ms, end_ms, interrupted from fresh
	)
	select h.call_id, h.epoch, coalesce(c.answered_by, '') as answered_by, c.hang_up_at is not null as hang_up, c.ended_at is not null as ended
	from held h join call c on c.id = h.call_id`

// writeBatch writes notes in one statement, and returns those that have to be
// written alone: whose line is locked, or is not theirs any more. When PostgreSQL
// refuses the statement these are all, for it may be the fault of one of them.
func (s *turnWriter) writeBatch(batch []*pendingTurns) []*pendingTurns {
	written, err := s.writeMany(batch)
	if _, refused := errors.AsType[*pgconn.PgError](err); refused {
		return batch
	}
	var left []*pendingTurns
	for _, j := range batch {
		now, ok := written[lineHolder{j.id, j.epoch}]
		switch {
		case err != nil: // of what can't be sent, none can
			j.finish(update{}, fmt.Errorf("write a turn of call %s: %w", j.id, err))
		case ok:
			j.finish(now, nil)
		default:
			left = append(left, j)
		}
	}
	return left
}

// lineHolder names a line by who holds it.
type lineHolder struct {
	id    uuid.UUID
	epoch int
}

// writeMany commits notes in one statement: all whose lines are free and theirs,
// or none and an error.
func (s *turnWriter) writeMany(batch []*pendingTurns) (map[lineHolder]update, error) {
	ctx, cancel := context.WithTimeout(context.Background(), writeTime)
	defer cancel()
	n := len(batch)
	ids, epochs, numbers := make([]uuid.UUID, n), make([]int32, n), make([]int32, n)
	scripts, states, analyses := make([]*string, n), make([]*string, n), make([]*string, n)
	humans := make([]bool, n)
	turnIDs, turnEpochs, turns := []uuid.UUID{}, []int32{}, turnArraysOf(n)
	for i, j := range batch {
		ids[i], epochs[i], numbers[i] = j.id, int32(j.epoch), int32(j.entry)
		scripts[i], states[i], analyses[i], humans[i] = j.script, j.state, j.analysis, j.human
		turns.add(j.turnsToWrite)
		for range j.turns {
			turnIDs, turnEpochs = append(turnIDs, j.id), append(turnEpochs, int32(j.epoch))
		}
	}
	rows, err := s.pool.Query(ctx, writeMany.SQL, writeMany.Args(pgx.NamedArgs{
		"ids": ids, "epochs": epochs, "numbers": numbers, "scripts": scripts, "states": states, "analyses": analyses, "humans": humans,
		"turn_ids": turnIDs, "turn_epochs": turnEpochs, "entries": turns.entries,
		"roles": turns.roles, "texts": turns.texts, "starts": turns.starts, "ends": turns.ends, "interrupted": turns.interrupted,
	})...)
	if err != nil {
		return nil, err
	}
	written := make(map[lineHolder]update, n)
	var h lineHolder
	var now update
	_, err = pgx.ForEachRow(rows, []any{&h.id, &h.epoch, &now.AnsweredBy, &now.HangUp, &now.Ended}, func() error {
		written[h] = now
		return nil
	})
	return written, err
}
