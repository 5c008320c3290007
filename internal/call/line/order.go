package line

import (
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/call"
)

// A note is written when it comes, because it must outlive this process. What is being said meanwhile is written after
// the note, when it has been said. The note then moves behind it, so that the transcript has the order of the call.

// stamp gives the turns of an entry with a note for the agent the time at which the note came.
func (t *talk) stamp(e *entry) {
	if e.notes == 0 {
		return
	}
	now := t.since(t.service.now())
	for i := range e.turns {
		if e.turns[i].Role == call.System {
			e.turns[i].StartMS, t.lastNote = now, now
		}
	}
}

// overtaken reports whether a turn began before the last note came.
func (t *talk) overtaken(turns []turn) bool {
	for _, said := range turns {
		if said.Role != call.System && said.StartMS != nil && t.lastNote != nil && *said.StartMS <= *t.lastNote {
			return true
		}
	}
	return false
}

// sqlSortAway gives notes their place. Only the system turns of notes have a time. A second update, sqlMoveBack, makes
// the indexes positive again, because two turns must never have the same index. Turns that are in order stay, so both
// may be repeated.
var sqlSortAway = `
	with placed as (
		select t.index, greatest(t.index, (
			select max(s.index) from call_turn s
			where s.call_id = t.call_id and t.role = 'system' and s.role <> 'system' and s.start_ms <= t.start_ms
		)) as place
		from call_turn t where t.call_id = @id
	), sorted as (
		select index, row_number() over (order by place, place > index, index) - 1 as place from placed
	)
	update call_turn t set index = -1 - s.place from sorted s
	where t.call_id = @id and t.index = s.index and s.index <> s.place
	  and exists (select from call_line l where l.call_id = @id and l.epoch = @epoch)`

// queueSort adds to a batch the updates that move notes behind what was being said when they came. The line's row is
// locked.
func queueSort(batch *pgx.Batch, id uuid.UUID, epoch int) {
	args := pgx.NamedArgs{"id": id, "epoch": epoch}
	batch.Queue(sqlSortAway, args)
	batch.Queue(sqlMoveBack, args)
}
