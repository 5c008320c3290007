// Package upload stores an uploaded file until its user decides about it. A form that is checked, corrected and
// submitted again needs its file again, and any process may answer. The browser should not send the file twice.
//
// The file is a list of people that the user has not yet decided to store. So it is sealed, and only its user can read
// it. It is deleted after the decision, or after Lifetime at the latest.
package upload

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/seal"
)

const (
	// Lifetime is how long a file is stored after it was last read.
	Lifetime = 6 * time.Hour
	// MaxSize is the maximum size of a file in bytes.
	MaxSize = 64 << 20

	perUser         = 8 // number of newest files that are stored; forms that wait for another one are files, too
	perOrganization = 50
	pieceSize       = 1 << 20
	maxName         = 200 // characters
	sweepBatch      = 100
)

// File is a stored file.
type File struct {
	ID   uuid.UUID
	Name string // file name on the user's computer
	Size int64  // bytes
}

// Service stores uploaded files. Make it with New. It is safe for concurrent use.
type Service struct {
	pool  *pgxpool.Pool
	vault *seal.Vault
}

// Options are the dependencies of the service.
type Options struct {
	Pool  *pgxpool.Pool
	Vault *seal.Vault // seals the files
}

// New makes the service.
func New(o Options) *Service {
	return &Service{pool: o.Pool, vault: o.Vault}
}

// Keep stores a file for the actor, a user. Only the newest few files of each user are stored. Errors: TooLarge;
// Unprocessable while the organization has too many files; other errors come from r or the database.
func (s *Service) Keep(ctx context.Context, actor account.Actor, name string, r io.Reader) (File, error) {
	if runes := []rune(strings.ToValidUTF8(strings.ReplaceAll(name, "\x00", ""), "")); len(runes) > maxName {
		name = string(runes[:maxName])
	} else {
		name = string(runes)
	}
	f := File{ID: uuid.Must(uuid.NewV7()), Name: name}
	err := postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		args := pgx.NamedArgs{
			"id": f.ID, "organization_id": actor.OrganizationID, "user_id": actor.ID, "name": name,
			"lifetime": Lifetime,
			"older":    perUser - 1, "most": perOrganization,
		}
		// Uploads of an organization are counted one at a time. Otherwise two uploads could both pass the limit. This
		// is not a row lock, because the dialer could wait for a row.
		if _, err := tx.Exec(
			ctx, `select pg_advisory_xact_lock(hashtextextended('upload ' || @organization_id::text, 0))`, args,
		); err != nil {
			return fmt.Errorf("wait for other uploads: %w", err)
		}
		_, err := tx.Exec(ctx, `
			delete from upload where id in (
				select id from upload where organization_id = @organization_id and user_id = @user_id
				order by created_at desc, id desc offset @older)`, args)
		if err != nil {
			return fmt.Errorf("drop older uploads: %w", err)
		}
		tag, err := tx.Exec(ctx, `
			insert into upload (id, organization_id, user_id, name, size, expires_at)
			select @id, @organization_id, @user_id, @name, 0, clock() + @lifetime::interval
			where (select count(*) from upload
				where organization_id = @organization_id and expires_at > clock()) < @most`, args)
		if err != nil {
			return fmt.Errorf("insert upload: %w", err)
		}
		if tag.RowsAffected() == 0 {
			return fault.New(fault.Unprocessable,
				"Your organization has %d unfinished uploads. Finish one or try again later", perOrganization)
		}
		if f.Size, err = s.write(ctx, tx, actor.OrganizationID, f.ID, r); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `update upload set size = @size where id = @id`, pgx.NamedArgs{
			"id": f.ID, "size": f.Size,
		})
		if err != nil {
			return fmt.Errorf("note the size of upload %s: %w", f.ID, err)
		}
		return nil
	})
	return f, err
}

// write stores the pieces of a file and returns its size.
func (s *Service) write(ctx context.Context, tx pgx.Tx, organizationID, id uuid.UUID, r io.Reader) (int64, error) {
	pieces := &pieceWriter{ctx: ctx, tx: tx, vault: s.vault, organizationID: organizationID, id: id}
	compressed, err := gzip.NewWriterLevel(pieces, gzip.BestSpeed)
	if err != nil {
		return 0, fmt.Errorf("compress an upload: %w", err)
	}
	size, err := io.Copy(compressed, io.LimitReader(r, MaxSize+1))
	if err != nil {
		return 0, fmt.Errorf("store upload %s: %w", id, err)
	}
	if size > MaxSize {
		return 0, fault.New(fault.TooLarge, "The list is larger than %d MiB", MaxSize>>20)
	}
	if err := compressed.Close(); err != nil {
		return 0, fmt.Errorf("store upload %s: %w", id, err)
	}
	return size, pieces.flush()
}

// pieceWriter seals a file and stores it in pieces.
type pieceWriter struct {
	ctx                context.Context
	tx                 pgx.Tx
	vault              *seal.Vault
	organizationID, id uuid.UUID
	position           int
	buf                []byte
}

func (w *pieceWriter) Write(p []byte) (int, error) {
	written := len(p)
	for len(p) > 0 {
		n := min(len(p), pieceSize-len(w.buf))
		w.buf, p = append(w.buf, p[:n]...), p[n:]
		if len(w.buf) == pieceSize {
			if err := w.flush(); err != nil {
				return 0, err
			}
		}
	}
	return written, nil
}

func (w *pieceWriter) flush() error {
	if len(w.buf) == 0 {
		return nil
	}
	_, err := w.tx.Exec(w.ctx, `insert into upload_piece (upload_id, position, sealed) values ($1, $2, $3)`,
		w.id, w.position, w.vault.Seal(w.buf, place(w.organizationID, w.id, w.position)))
	if err != nil {
		return fmt.Errorf("store piece %d of upload %s: %w", w.position, w.id, err)
	}
	w.position++
	w.buf = w.buf[:0]
	return nil
}

// Sealed are the columns that this package seals.
var Sealed = []seal.Column{
	{
		Table: "upload_piece", Column: "sealed", Key: []string{"upload_id", "position"},
		Organization: "select organization_id from upload where id = t.upload_id", Row: "upload_id || '/' || position",
	},
}

// place binds a piece to its position, so no piece can be moved.
func place(organizationID, id uuid.UUID, position int) seal.Cell {
	return seal.Cell{
		Organization: organizationID,
		Table:        "upload_piece",
		Column:       "sealed",
		Row:          id.String() + "/" + strconv.Itoa(position),
	}
}

// Open returns a file of the actor and extends its storage by another Lifetime. Close the reader after use. Errors:
// NotFound, also for the file of another user.
func (s *Service) Open(ctx context.Context, actor account.Actor, id string) (File, io.ReadCloser, error) {
	key, err := uuid.Parse(id)
	if err != nil {
		return File{}, nil, fault.NotFoundf("List")
	}
	f := File{ID: key}
	err = s.pool.QueryRow(ctx, `
		update upload set expires_at = clock() + @lifetime::interval
		where id = @id and organization_id = @organization_id and user_id = @user_id and expires_at > clock()
		returning name, size`, pgx.NamedArgs{
		"id": key, "organization_id": actor.OrganizationID, "user_id": actor.ID, "lifetime": Lifetime,
	}).Scan(&f.Name, &f.Size)
	if errors.Is(err, pgx.ErrNoRows) {
		return File{}, nil, fault.NotFoundf("List")
	}
	if err != nil {
		return File{}, nil, fmt.Errorf("find upload %s: %w", key, err)
	}
	content, err := gzip.NewReader(&pieceReader{ctx: ctx, service: s, organizationID: actor.OrganizationID, id: key})
	if errors.Is(err, seal.ErrSealed) { // the master key was replaced: the file is lost
		return File{}, nil, fault.NotFoundf("List")
	}
	if err != nil {
		return File{}, nil, fmt.Errorf("open upload %s: %w", key, err)
	}
	return f, content, nil
}

// pieceReader reads a file in pieces. It uses no database connection between reads.
type pieceReader struct {
	ctx                context.Context
	service            *Service
	organizationID, id uuid.UUID
	position           int
	rest               []byte
}

func (r *pieceReader) Read(p []byte) (int, error) {
	if len(r.rest) == 0 {
		var sealed []byte
		err := r.service.pool.QueryRow(r.ctx, `
			select p.sealed from upload_piece p join upload u on u.id = p.upload_id
			where u.organization_id = $1 and p.upload_id = $2 and p.position = $3`, r.organizationID, r.id, r.position).
			Scan(&sealed)
		if errors.Is(err, pgx.ErrNoRows) {
			return 0, io.EOF
		}
		if err != nil {
			return 0, fmt.Errorf("read piece %d of upload %s: %w", r.position, r.id, err)
		}
		if r.rest, err = r.service.vault.Open(sealed, place(r.organizationID, r.id, r.position)); err != nil {
			return 0, err
		}
		r.position++
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// Drop deletes a file of the actor. A missing file is no error.
func (s *Service) Drop(ctx context.Context, actor account.Actor, id string) error {
	key, err := uuid.Parse(id)
	if err != nil {
		return nil
	}
	_, err = s.pool.Exec(ctx, `
		delete from upload where id = @id and organization_id = @organization_id and user_id = @user_id`,
		pgx.NamedArgs{"id": key, "organization_id": actor.OrganizationID, "user_id": actor.ID})
	if err != nil {
		return fmt.Errorf("drop upload %s: %w", key, err)
	}
	return nil
}

// Sweep deletes files after their Lifetime. It is a periodic task.
func (s *Service) Sweep(ctx context.Context) error {
	for {
		tag, err := s.pool.Exec(ctx, `
			delete from upload where id in (
				select id from upload where expires_at <= (select clock()) limit $1 for update skip locked)`,
			sweepBatch)
		if err != nil {
			return fmt.Errorf("sweep uploads: %w", err)
		}
		if tag.RowsAffected() < sweepBatch {
			return nil
		}
	}
}
