package person

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/suppression"
)

// MaxNote is the maximum length of a note in characters.
const MaxNote = 2000

// Note is what a member wrote about a person.
type Note struct {
	ID          uuid.UUID
	PhoneNumber phone.Number
	Text        string
	Revision    int
	CreatedBy   string
	CreatedAt   time.Time
	UpdatedBy   *string // nil: never changed
	UpdatedAt   *time.Time
}

const noteColumns = `id, phone_number, text, revision, created_by, created_at, updated_by, updated_at`

// Notes lists the notes about a person, newest first. Errors: Invalid.
func (s *Service) Notes(
	ctx context.Context, organizationID uuid.UUID, number phone.Number, r page.Request,
) (page.List[Note], error) {
	return page.Read(ctx, s.o.Pool, r, "list the notes about a person", `
		select `+noteColumns+` from person_note
		where organization_id = @organization_id and phone_number = @number and `+page.Where+` `+page.Order,
		pgx.NamedArgs{"organization_id": organizationID, "number": number},
		func(n Note) (time.Time, uuid.UUID) { return n.CreatedAt, n.ID })
}

// Note returns a note about a person. Errors: NotFound.
func (s *Service) Note(ctx context.Context, organizationID uuid.UUID, number phone.Number, id uuid.UUID) (Note, error) {
	n, err := postgres.CollectOne(ctx, s.o.Pool, pgx.RowToStructByName[Note], `
		select `+noteColumns+` from person_note where organization_id = $1 and phone_number = $2 and id = $3`,
		organizationID, number, id)
	return n, noteError(err, "read")
}

func noteError(err error, what string) error {
	if errors.Is(err, pgx.ErrNoRows) {
		return fault.NotFoundf("Note")
	}
	if err != nil && fault.As(err) == nil {
		return fmt.Errorf("%s a note about a person: %w", what, err)
	}
	return err
}

// NewNote is a note to add.
type NewNote struct {
	ID   uuid.UUID // UUIDv7 of the form, so that a form that is sent twice adds one note
	Text string
}

// AddNote adds a note about a person. Errors: Invalid "text", Conflict for an erased person and for a note that exists
// already.
func (s *Service) AddNote(ctx context.Context, actor account.Actor, number phone.Number, in NewNote) error {
	if err := checkText(&in.Text); err != nil {
		return err
	}
	err := postgres.InTx(ctx, s.o.Pool, func(tx pgx.Tx) error {
		// An erasure that begins meanwhile deletes what transactions that began before it have added.
		tag, err := tx.Exec(ctx, `
			insert into person_note (id, organization_id, phone_number, text, created_by)
			select @id, @organization_id, @number, @text, @by
			where not exists (
				select from do_not_call where organization_id = @organization_id and channel = any('{voice,message}')
				  and number_hash = @hash)`, pgx.NamedArgs{
			"id": in.ID, "organization_id": actor.OrganizationID, "number": number, "text": in.Text, "by": actor.Name,
			"hash": suppression.HashOf(actor.OrganizationID, number),
		})
		if postgres.Constraint(err) == "person_note_pkey" {
			return fault.Conflictf("This note exists already")
		}
		if err == nil && tag.RowsAffected() == 0 {
			return fault.Conflictf("This person was erased, so no note about them can be kept")
		}
		return s.record(ctx, tx, err, actor, "person_note.added", number, in.ID)
	})
	return noteError(err, "add")
}

func checkText(text *string) error {
	var p fault.Problems
	check.RequiredText(&p, "text", text, MaxNote)
	return p.Err()
}

// record adds a change of a note to the audit log, with the last digits of the number.
func (s *Service) record(
	ctx context.Context, tx pgx.Tx, err error, actor account.Actor, action string, number phone.Number, id uuid.UUID,
) error {
	if err != nil {
		return err
	}
	return account.Record(ctx, tx, actor, action, account.Object{Type: "person_note", ID: id},
		map[string]any{"ends_in": suppression.LastDigits(number)})
}

// UpdateNote replaces the text of a note. Errors: Invalid "text", NotFound, Stale if the note has another revision.
func (s *Service) UpdateNote(
	ctx context.Context, actor account.Actor, number phone.Number, id uuid.UUID, revision int, text string,
) error {
	if err := checkText(&text); err != nil {
		return err
	}
	err := postgres.InTx(ctx, s.o.Pool, func(tx pgx.Tx) error {
		var current int
		var was string
		err := tx.QueryRow(ctx, `
			select revision, text from person_note where organization_id = $1 and phone_number = $2 and id = $3
			for no key update`, actor.OrganizationID, number, id).Scan(&current, &was)
		if err == nil && current != revision {
			return fault.New(fault.Stale, "Somebody else changed this note meanwhile. Save again to replace their text")
		}
		if err == nil && was == text {
			return account.Unchanged(ctx)
		}
		if err == nil {
			_, err = tx.Exec(ctx, `
				update person_note set text = $2, revision = revision + 1, updated_by = $3, updated_at = clock()
				where id = $1`, id, text, actor.Name)
		}
		return s.record(ctx, tx, err, actor, "person_note.updated", number, id)
	})
	return noteError(err, "change")
}

// DeleteNote deletes a note. Errors: NotFound.
func (s *Service) DeleteNote(ctx context.Context, actor account.Actor, number phone.Number, id uuid.UUID) error {
	err := postgres.InTx(ctx, s.o.Pool, func(tx pgx.Tx) error {
		err := tx.QueryRow(ctx, `
			delete from person_note where organization_id = $1 and phone_number = $2 and id = $3 returning id`,
			actor.OrganizationID, number, id).Scan(&id)
		return s.record(ctx, tx, err, actor, "person_note.deleted", number, id)
	})
	return noteError(err, "delete")
}

// Erase deletes the notes about a person, in a transaction of an erasure.
func Erase(ctx context.Context, tx pgx.Tx, organizationID uuid.UUID, number phone.Number) error {
	_, err := tx.Exec(ctx, `delete from person_note where organization_id = $1 and phone_number = $2`,
		organizationID, number)
	if err != nil {
		return fmt.Errorf("erase the notes about a person: %w", err)
	}
	return nil
}
