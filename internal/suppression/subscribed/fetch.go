package subscribed

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/english"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/guard"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/suppression"
)

const (
	fetchesAtOnce = 2               // lists that one process fetches at the same time; each takes up to 64 MiB
	fetchLease    = 5 * time.Minute // longer than a fetch and its transaction
	retryAfter    = 10 * time.Minute

	// knownAge is how long an answer that the file has not changed is accepted. A later fetch reads the file again, so
	// a number that left the do-not-call list for another reason comes back.
	knownAge = 7 * 24 * time.Hour

	// A file with less than a tenth of the numbers before is suspicious if these were more than smallList.
	smallList = 100
)

// due is a list that is being fetched.
type due struct {
	ID             uuid.UUID
	OrganizationID uuid.UUID
	FetchID        uuid.UUID
	URL            string
	HeaderName     string
	HeaderValue    []byte // sealed
	ETag           string `db:"etag"`
	LastModified   string
	Region         string
}

// FetchDue fetches lists that are due, and returns how many were. It is a periodic task. A failure is stored with the
// list and returned only if it could not be stored. If the process dies, the list is due again after fetchLease.
func (s *Service) FetchDue(ctx context.Context) (int, error) {
	return postgres.Each(ctx, s.pool, fetchesAtOnce, "claim subscribed lists to fetch", `
		with due as (
			select id from subscribed_list
			where due_at <= (select clock()) and (fetch_until is null or fetch_until <= (select clock()))
			order by due_at limit @most
			for no key update skip locked)
		update subscribed_list l set fetch_id = gen_random_uuid(), fetch_until = clock() + @lease::interval
		from due, organization o
		where l.id = due.id and o.id = l.organization_id
		returning l.id, l.organization_id, l.fetch_id, l.url, l.header_name, l.header_value, o.region,
			case when l.applied_at > clock() - @known::interval then l.etag else '' end as etag,
			case when l.applied_at > clock() - @known::interval then l.last_modified else '' end as last_modified`,
		pgx.NamedArgs{"most": fetchesAtOnce, "lease": fetchLease, "known": knownAge},
		func(d due) error { return s.fetch(ctx, d) })
}

// fetch fetches a list and applies its file.
func (s *Service) fetch(ctx context.Context, d due) error {
	file, err := s.read(ctx, d)
	if err == nil {
		err = s.apply(ctx, d, file)
	}
	if err == nil || ctx.Err() != nil { // after a shutdown, the list is due again
		return err
	}
	refused := fault.As(err)
	if refused == nil {
		return errors.Join(err, s.fail(ctx, d, "The list could not be read", nil))
	}
	if !errors.Is(err, errShrunk) {
		file = nil
	}
	return s.fail(ctx, d, told(refused), file)
}

const path = "file"

// told is a fault as a sentence.
func told(f *fault.Error) string {
	message := f.Message
	if len(f.Fields) > 0 {
		message = f.Fields[0].Message
		if strings.HasPrefix(message, "must ") {
			message = "the file " + message
		}
	}
	message = strings.TrimPrefix(message, path+": ")
	return strings.ToUpper(message[:1]) + message[1:]
}

// content is a file that has changed; nil means that it has not.
type content struct {
	*suppression.Import
	etag, lastModified string
}

// read requests the file of a list, outside of any transaction.
func (s *Service) read(ctx context.Context, d due) (*content, error) {
	known := guard.KnownFile{
		URL: d.URL, HeaderName: d.HeaderName, ETag: d.ETag, LastModified: d.LastModified,
	}
	if d.HeaderName != "" {
		value, err := s.vault.Open(d.HeaderValue, cell(d.OrganizationID, d.ID))
		if err != nil {
			return nil, fault.Invalidf(path, "the value of the header can't be read. Enter it again").Because(err)
		}
		known.HeaderValue = string(value)
	}
	answer, err := s.files.OpenChanged(ctx, path, known)
	if err != nil || answer == nil {
		return nil, err
	}
	defer answer.Close()
	list, err := suppression.ReadFile(io.Reader(answer), d.Region)
	if err != nil {
		return nil, err
	}
	return &content{Import: list, etag: answer.ETag, lastModified: answer.LastModified}, nil
}

// errShrunk is the cause of the refusal of a file with far fewer numbers than before.
var errShrunk = errors.New("the list has shrunk")

// apply makes the entries of a list those of its file, unless the list was changed or removed meanwhile. It refuses a
// file with far fewer numbers than before: a truncated file must not open the way to everyone on the list.
func (s *Service) apply(ctx context.Context, d due, file *content) error {
	added := 0
	err := postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		var name string
		var before int
		var anyway bool
		var channels []suppression.Channel
		err := tx.QueryRow(ctx, `
			select name, numbers, apply_anyway, channels from subscribed_list
			where id = $1 and fetch_id = $2 for update`,
			d.ID, d.FetchID).Scan(&name, &before, &anyway, &channels)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("lock a subscribed list: %w", err)
		}
		args := pgx.NamedArgs{"id": d.ID}
		applied := ""
		if file != nil {
			now := len(file.Numbers)
			switch {
			case anyway:
			case now == 0:
				return fault.Invalidf(path, "the file has no readable phone number").Because(errShrunk)
			case before > smallList && now*10 < before:
				return fault.Invalidf(path, "the file has only %s, and the one before had %d",
					english.Count(now, "number"), before).Because(errShrunk)
			}
			synced, err := suppression.SyncList(ctx, tx, d.OrganizationID, d.ID, file.Import, channels)
			if err != nil {
				return err
			}
			if added = synced.Added; synced != (suppression.Synced{}) {
				err := account.Record(ctx, tx, account.System(d.OrganizationID), "subscribed_list.applied",
					account.Object{Type: "subscribed_list", ID: d.ID},
					map[string]any{"name": name, "added": synced.Added, "removed": synced.Removed})
				if err != nil {
					return err
				}
			}
			args["numbers"], args["etag"], args["last_modified"] = now, file.etag, file.lastModified
			file.rejected(args)
			applied = rejected + `, numbers = @numbers, etag = @etag, last_modified = @last_modified,
				applied_at = clock(), apply_anyway = false, `
		}
		_, err = tx.Exec(ctx, `
			update subscribed_list
			set `+applied+`fetched_at = clock(), failures = 0, last_error = null, last_error_at = null, shrunk = false,
			    held_back = null, due_at = clock() + make_interval(hours => every_hours), fetch_id = null,
			    fetch_until = null
			where id = @id`, args)
		if err != nil {
			return fmt.Errorf("note the fetch of a subscribed list: %w", err)
		}
		return nil
	})
	if err == nil && added > 0 {
		s.hub.Wake(suppression.Topic)
	}
	return err
}

// maxRejectedRows bounds the rows of a file that are stored because they could not be read.
const maxRejectedRows = 1000

// rejectedRow is a row as it is stored.
type rejectedRow struct {
	Line   int    `json:"line"`
	Cell   string `json:"cell"`
	Reason string `json:"reason"`
}

// rejected stores which rows of a file could not be read, with the arguments of content.rejected.
const rejected = `rejected = @rejected, rejected_rows = @rejected_rows`

func (c *content) rejected(args pgx.NamedArgs) {
	rows := []rejectedRow{} // never null
	for _, p := range c.Problems[:min(len(c.Problems), maxRejectedRows)] {
		p = p.Masked()
		rows = append(rows, rejectedRow{p.Line, p.Cell, p.Reason})
	}
	args["rejected"], args["rejected_rows"] = len(c.Problems), rows
}

// RejectedRows returns the first rows of the last file of a list that could not be read, with masked cells.
// List.Rejected is how many there were. Errors: NotFound.
func (s *Service) RejectedRows(
	ctx context.Context, organizationID, id uuid.UUID,
) ([]suppression.RowProblem, error) {
	var rows []rejectedRow
	err := s.pool.QueryRow(ctx, `select rejected_rows from subscribed_list where organization_id = $1 and id = $2`,
		organizationID, id).Scan(&rows)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, fault.NotFoundf("Subscribed list")
	}
	if err != nil {
		return nil, fmt.Errorf("read the rejected rows of a subscribed list: %w", err)
	}
	problems := make([]suppression.RowProblem, len(rows))
	for i, r := range rows {
		problems[i] = suppression.RowProblem{Line: r.Line, Cell: r.Cell, Reason: r.Reason}
	}
	return problems, nil
}

// fail stores why a fetch failed, unless the list was changed or removed meanwhile. held is a file that was read and is
// held back, and nil without one. It is held back until a fetch succeeds. The next fetch is after 10 minutes, and after
// twice the time with each further failure, but not later than usual.
func (s *Service) fail(ctx context.Context, d due, why string, held *content) error {
	args := pgx.NamedArgs{"id": d.ID, "fetch_id": d.FetchID, "why": why, "retry": retryAfter}
	set := ""
	if held != nil {
		held.rejected(args)
		// The next answer must not be that the applied file has not changed: the rejected rows are another file's.
		set = rejected + `, held_back = @why, shrunk = true, etag = '', last_modified = '', `
	}
	_, err := s.pool.Exec(ctx, `
		update subscribed_list
		set `+set+`failures = failures + 1, last_error = @why, last_error_at = clock(),
		    due_at = clock() + least(make_interval(hours => every_hours),
		                             @retry::interval * power(2, least(failures, 12))),
		    fetch_id = null, fetch_until = null
		where id = @id and fetch_id = @fetch_id`, args)
	if err != nil {
		return fmt.Errorf("note the failed fetch of a subscribed list: %w", err)
	}
	return nil
}
