package call

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/internal/postgres"
)

// Notes returns the notes of a call, in order.
func (s *Service) Notes(ctx context.Context, organization, id uuid.UUID) ([]Note, error) {
	notes, err := postgres.Collect(ctx, s.pool, pgx.RowToStructByName[Note], `
		select `+noteColumns+` from call_note where organization_id = $1 and call_id = $2
		  and destination_id is null order by number`,
		organization, id)
	if err != nil {
		return nil, fmt.Errorf("read the notes of call %s: %w", id, err)
	}
	return notes, nil
}

// ListNotes lists the notes of a call, newest first. Errors: Invalid, NotFound.
func (s *Service) ListNotes(
	ctx context.Context, organization, id uuid.UUID, r page.Request,
) (page.List[Note], error) {
	none := page.List[Note]{Data: []Note{}}
	var exists bool
	err := s.pool.QueryRow(ctx, `select true from call where organization_id = $1 and id = $2`, organization, id).
		Scan(&exists)
	if errors.Is(err, pgx.ErrNoRows) {
		waiting, err := Scheduled(ctx, s.pool, organization, []uuid.UUID{id})
		if err != nil {
			return none, err
		}
		if len(waiting) == 0 {
			return none, fault.NotFoundf("Call")
		}
	} else if err != nil {
		return none, fmt.Errorf("find call %s: %w", id, err)
	}
	return page.Read(ctx, s.pool, r, "list the notes of a call", `
		select `+noteColumns+` from call_note
		where organization_id = @organization_id and call_id = @call_id and destination_id is null and `+page.Where+`
		`+page.Order, pgx.NamedArgs{"organization_id": organization, "call_id": id}, Note.position)
}

// NotesOf lists the notes for the agents of all calls with a person, newest first. Notes that retention removed are
// left out.
func (s *Service) NotesOf(
	ctx context.Context, organization uuid.UUID, number phone.Number, r page.Request,
) (page.List[Note], error) {
	return page.Read(ctx, s.pool, r, "list the notes of a person's calls", `
		select `+noteColumns+` from call_note
		where organization_id = @organization_id and destination_id is null and text <> '' and call_id in (
			select c.id from call c
			where c.organization_id = @organization_id and c.person_number = @number and c.notes > 0)
		  and `+page.Where+`
		`+page.Order, pgx.NamedArgs{"organization_id": organization, "number": number}, Note.position)
}

func (n Note) position() (time.Time, uuid.UUID) { return n.CreatedAt, n.ID }

// QueueNotesHeard adds to a batch the update that stores that the agent knows the notes up to one number, and has
// spoken with those up to another one. It may be repeated.
func QueueNotesHeard(batch *pgx.Batch, id uuid.UUID, epoch, given, used int) {
	batch.Queue(`
		update call_note n set
			given_at = coalesce(n.given_at, clock()),
			used_at = coalesce(n.used_at, case when n.number <= $4 then clock() end)
		where n.call_id = $1 and n.number <= greatest($3::int, $4::int)
		  and (n.given_at is null or n.used_at is null and n.number <= $4)
		  and exists (select from call_line l where l.call_id = n.call_id and l.epoch = $2)`, id, epoch, given, used)
}
