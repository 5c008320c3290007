package call

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/project"
	"github.com/dialwright/dialwright/internal/wire"
)

// A note is a row, because the process that runs the line may be another one, or die. Its holder learns from each write
// how many notes the call has, reads those that the conversation does not know, and stores them with its state.

const (
	maxNote  = 500 // characters
	maxNotes = 20  // per call
)

// Note is a note for the agent of a live call.
type Note struct {
	ID        uuid.UUID
	CallID    uuid.UUID
	Number    int // in the call, from 1
	Text      string
	Author    string     // the actor's name, as shown
	GivenAt   *time.Time // when the agent got it; nil: not yet, or never
	UsedAt    *time.Time // when the agent first spoke with it; nil: not yet, or never
	CreatedAt time.Time
}

// A take-over is stored as a note with a destination.
const noteColumns = `id, call_id, number, text, author, given_at, used_at, created_at`

// NoteResource is a note as the API prints it.
type NoteResource struct {
	ID        uuid.UUID  `json:"id"`
	CallID    uuid.UUID  `json:"call_id"`
	Text      string     `json:"text"`
	Author    string     `json:"author"`
	CreatedAt wire.Time  `json:"created_at"`
	GivenAt   *wire.Time `json:"given_at"`
	UsedAt    *wire.Time `json:"used_at"`
}

// Resource returns the note as the API prints it.
func (n Note) Resource() NoteResource {
	return NoteResource{
		ID:        n.ID,
		CallID:    n.CallID,
		Text:      n.Text,
		Author:    n.Author,
		CreatedAt: wire.Time(n.CreatedAt),
		GivenAt:   wire.Optional(n.GivenAt),
		UsedAt:    wire.Optional(n.UsedAt),
	}
}

// NewNote is a note that a person or a key adds.
type NewNote struct {
	ID     uuid.UUID // UUIDv7; zero: AddNote makes one
	CallID uuid.UUID
	Text   string
}

// AddNote adds a note for the agent of a live call. The agent uses it in its next words. Call WakeLine after the
// commit. Errors: Invalid, NotFound, and Conflict for an agent that cannot use notes, and for a call that ends.
func (s *Service) AddNote(ctx context.Context, db postgres.DB, actor account.Actor, in NewNote) (n Note, err error) {
	var p fault.Problems
	check.Required(&p, "text", &in.Text, maxNote)
	if err := p.Err(); err != nil {
		return Note{}, err
	}
	if in.ID == uuid.Nil {
		in.ID = uuid.Must(uuid.NewV7())
	}
	err = postgres.InTx(ctx, db, func(tx pgx.Tx) error {
		if err := lockForNote(ctx, tx, actor.OrganizationID, in.CallID); err != nil {
			return err
		}
		n, err = insertNote(ctx, tx, actor, in, nil)
		if postgres.Constraint(err) == "call_note_pkey" {
			return fault.Conflictf("This note exists already")
		}
		if err != nil {
			return fmt.Errorf("add a note to call %s: %w", in.CallID, err)
		}
		return account.Record(ctx, tx, actor, "call.noted", account.Object{Type: "call", ID: in.CallID}, nil)
	})
	return n, err
}

// insertNote adds a note, or a take-over with a destination, to a locked call.
func insertNote(
	ctx context.Context, tx pgx.Tx, actor account.Actor, in NewNote, destination *uuid.UUID,
) (Note, error) {
	return postgres.CollectOne(ctx, tx, pgx.RowToStructByName[Note], `
		with numbered as (
			update call set notes = notes + 1 where organization_id = @organization_id and id = @call_id
			returning notes
		)
		insert into call_note (id, organization_id, call_id, number, text, author, destination_id)
		select @id, @organization_id, @call_id, notes, @text, @author, @destination_id from numbered
		returning `+noteColumns, pgx.NamedArgs{
		"id": in.ID, "organization_id": actor.OrganizationID, "call_id": in.CallID, "text": in.Text,
		"author": actor.Name, "destination_id": destination,
	})
}

// TakeOver makes the agent of a live call transfer it to a destination of its project. Errors: Invalid, NotFound, and
// Conflict for a call that nobody talks in, that is being transferred, or that ends.
func (s *Service) TakeOver(ctx context.Context, actor account.Actor, id uuid.UUID, destination uuid.UUID) error {
	err := postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		var leaving, known bool
		var phase, name string
		if err := lockLive(ctx, tx, actor.OrganizationID, id); err != nil {
			return err
		}
		err := tx.QueryRow(ctx, `
			select coalesce(l.state ->> 'phase', ''), `+sqlLeaving+`, d.id is not null, coalesce(d.name, '')
			from call c
			left join call_line l on l.call_id = c.id
			left join destination d on d.organization_id = c.organization_id and d.project_id = c.project_id
			  and d.id = $2 and d.deactivated_at is null
			where c.id = $1`, id, destination).Scan(&phase, &leaving, &known, &name)
		switch {
		case err != nil:
			return fmt.Errorf("read the conversation of call %s: %w", id, err)
		case leaving || phase == string(conversation.Transferring):
			return fault.Conflictf("The call is being transferred already")
		case !known:
			return fault.Invalidf("destination_id", "no such destination in the project of the call")
		case phase != string(conversation.Talking):
			return fault.Conflictf("Nobody is talking with the agent, so there is nobody to transfer")
		}
		note := NewNote{ID: uuid.Must(uuid.NewV7()), CallID: id}
		if _, err := insertNote(ctx, tx, actor, note, &destination); err != nil {
			return fmt.Errorf("take over call %s: %w", id, err)
		}
		return account.Record(ctx, tx, actor, "call.transferred", account.Object{Type: "call", ID: id},
			map[string]any{"name": name, "destination_id": destination})
	})
	if err != nil {
		return err
	}
	s.WakeLine(id)
	return nil
}

// sqlModeled is true for a call c whose agent has a language model.
const sqlModeled = `c.sample is null and coalesce(jsonb_typeof(coalesce(
		(select l.script from call_line l where l.call_id = c.id), c.reception -> 'script',
		(select v.script from agent_version v where v.id = c.agent_version_id),
		(select a.script from agent a where a.id = c.agent_id)) -> 'model'), '') = 'object'`

// sqlLeaving is true for a call c that is being transferred, or that somebody takes over.
const sqlLeaving = `(
	exists (select from call_transfer t where t.call_id = c.id and t.ended_at is null)
	or exists (select from call_note n where n.call_id = c.id and n.destination_id is not null and n.given_at is null))`

// Takes reports what people can do about a live call now. With a language model, its agent can use notes. While the
// agent talks with somebody, the call can be transferred.
func (s *Service) Takes(ctx context.Context, organization, id uuid.UUID) (notes, transfer bool, err error) {
	err = s.pool.QueryRow(ctx, `
		select `+sqlModeled+`, not `+sqlLeaving+` and exists (
			select from call_line l where l.call_id = c.id and l.state ->> 'phase' = $3)
		from call c where c.organization_id = $1 and c.id = $2`, organization, id, conversation.Talking).
		Scan(&notes, &transfer)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return false, false, fmt.Errorf("read the agent of call %s: %w", id, err)
	}
	return notes, transfer, nil
}

// lockLive locks a call that has not ended. A later statement sees what was committed before the lock.
// Errors: NotFound, and Conflict for a call that is scheduled, that has ended, or that is about to end.
func lockLive(ctx context.Context, tx pgx.Tx, organization, id uuid.UUID) error {
	var ended, ending bool
	err := tx.QueryRow(ctx, `
		select ended_at is not null, hang_up_at is not null
		from call where organization_id = $1 and id = $2 for no key update`, organization, id).Scan(&ended, &ending)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		waiting, err := Scheduled(ctx, tx, organization, []uuid.UUID{id})
		if err == nil && len(waiting) > 0 {
			return fault.Conflictf("The call has not been placed yet")
		}
		return cmp.Or(err, error(fault.NotFoundf("Call")))
	case err != nil:
		return fmt.Errorf("lock call %s: %w", id, err)
	case ended:
		return fault.Conflictf("The call has already ended")
	case ending:
		return fault.Conflictf("The call is about to end")
	}
	return nil
}

// lockForNote locks a call and checks that its agent can use another note.
func lockForNote(ctx context.Context, tx pgx.Tx, organization, id uuid.UUID) error {
	if err := lockLive(ctx, tx, organization, id); err != nil {
		return err
	}
	var modeled bool
	var notes int
	err := tx.QueryRow(ctx, `select notes, `+sqlModeled+` from call c where c.organization_id = $1 and c.id = $2`,
		organization, id).Scan(&notes, &modeled)
	switch {
	case err != nil:
		return fmt.Errorf("read the agent of call %s: %w", id, err)
	case !modeled:
		return fault.Conflictf("The agent of this call follows a script and cannot use notes. Only an agent with a " +
			"language model can")
	case notes >= maxNotes:
		return fault.Conflictf("A call can have at most %d notes", maxNotes)
	}
	// The state that the holder stored last. It may be about to change, and then the note is never used.
	var parting, leaving, alone bool
	err = tx.QueryRow(ctx, `
		select coalesce(state ->> 'phase' in ('closing', 'over'), false),
		       coalesce(state ->> 'phase' = 'transferring', false),
		       coalesce((state -> 'dialog' ->> 'scripted')::boolean, false)
		from call_line where call_id = $1`, id).Scan(&parting, &leaving, &alone)
	switch {
	case errors.Is(err, pgx.ErrNoRows): // nobody has answered yet
		return nil
	case err != nil:
		return fmt.Errorf("read the conversation of call %s: %w", id, err)
	case parting:
		return fault.Conflictf("The agent is saying goodbye and cannot use a note any more")
	case leaving:
		return fault.Conflictf("The call is being transferred")
	case alone:
		return fault.Conflictf("The agent goes on without its language model and cannot use notes")
	}
	return nil
}

// WakeLine wakes the holder of a call's line, in any process.
func (s *Service) WakeLine(id uuid.UUID) { s.wake(LineTopic(id)) }

// NotesAfter returns the notes and take-overs of a call after a number, in order, as its conversation hears them.
func NotesAfter(
	ctx context.Context, db postgres.DB, organization, id uuid.UUID, number int,
) ([]conversation.Input, error) {
	type order struct {
		Number        int
		Author, Text  string
		DestinationID *uuid.UUID
		Record        bool
	}
	orders, err := postgres.Collect(ctx, db, pgx.RowToStructByName[order], `
		select n.number, n.author, n.text, n.destination_id, c.record
		from call_note n join call c on c.id = n.call_id
		where n.organization_id = $1 and n.call_id = $2 and n.number > $3 order by n.number`, organization, id, number)
	if err != nil {
		return nil, fmt.Errorf("read the notes of call %s: %w", id, err)
	}
	var wanted []uuid.UUID
	for _, o := range orders {
		if o.DestinationID != nil {
			wanted = append(wanted, *o.DestinationID)
		}
	}
	var all []conversation.Destination
	if len(wanted) > 0 {
		if all, err = project.KnownDestinations(ctx, db, organization, wanted); err != nil {
			return nil, err
		}
	}
	inputs := make([]conversation.Input, len(orders))
	for i, o := range orders {
		if o.DestinationID == nil {
			inputs[i] = conversation.Noted{Number: o.Number, Author: o.Author, Text: o.Text}
			continue
		}
		inputs[i] = conversation.TakenOver{
			Number: o.Number, Author: o.Author, Known: conversation.WithFallbacks(all, *o.DestinationID),
			Recorded: o.Record,
		}
	}
	return inputs, nil
}
