package call

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/postgres"
)

const (
	maxReviewed = page.ShownLimit // calls that one form may name

	// MaxMatching is how many calls one request may review by a filter.
	MaxMatching = 10_000

	// thorough is how many times as long as a page a review looks for the calls that match. What a page could count,
	// a review finds, although the server may be busier then.
	thorough = 10
)

// Chosen are calls to review: those with the IDs, all that a filter selects, or those of a batch, to undo it.
type Chosen struct {
	IDs    []uuid.UUID
	Filter *Filter   // nil: not by a filter; its Request has no effect, except for its bounds
	Until  time.Time // required by Filter: Matching.Until of the list that the person saw
	Batch  uuid.UUID // zero: none
}

// Matching counts the calls that a filter selects and that can be reviewed, which are those that have ended.
type Matching struct {
	Calls   int       // at most MaxMatching and one
	Unknown bool      // there may be more: finding them would take too long for a page
	Until   time.Time // the calls had ended before; for Chosen
}

// CountMatching counts the calls that a filter selects and that can be reviewed. Errors: Invalid.
func (s *Service) CountMatching(ctx context.Context, organization uuid.UUID, f Filter) (m Matching, err error) {
	if err := s.pool.QueryRow(ctx, `select clock()`).Scan(&m.Until); err != nil {
		return m, fmt.Errorf("read the clock: %w", err)
	}
	ids, all, err := s.matching(ctx, organization, f, m.Until, s.patience)
	m.Calls, m.Unknown = len(ids), !all
	return m, err
}

// matching finds the calls that a filter selects and that ended before a time, at most MaxMatching and one, on all
// pages. A call that ends later is none of them: nobody has seen it. all is false if it has not found them within its
// patience. Errors: Invalid.
func (s *Service) matching(
	ctx context.Context, organization uuid.UUID, f Filter, ended time.Time, patience time.Duration,
) (ids []uuid.UUID, all bool, err error) {
	f.Request = page.Request{
		Batch: MaxMatching, CreatedAfter: f.CreatedAfter, CreatedBefore: f.CreatedBefore,
	}
	f.Sort = ""
	if f.EndedBefore.IsZero() || f.EndedBefore.After(ended) {
		f.EndedBefore = ended
	}
	if err := f.check(); err != nil {
		return nil, false, err
	}
	if f.unended() {
		return nil, true, nil
	}
	until := s.now().Add(patience)
	if f.Answers, err = ReadAnswers(ctx, s.pool, organization, f.asked(), f.Answers); err != nil {
		return nil, false, err
	}
	if f, err = s.findNumbers(ctx, organization, f); err != nil {
		return nil, false, err
	}
	bounded, some, err := s.bounded(ctx, organization, f.Request, f.Times)
	if err != nil || !some {
		return nil, err == nil, err
	}
	f.Request = bounded
	args := pgx.NamedArgs{"organization_id": organization, "scanned": s.scanned}
	if err := f.Args(args); err != nil {
		return nil, false, err
	}
	var found []position
	if f.Query == "" {
		indexed, looked := f.query(args)
		found, _, all, err = s.filtered(ctx, f, indexed, looked, args, until)
	} else {
		finder := s.finder(f, args, until)
		all = true // unless it is called
		err = s.find(ctx, organization, f, finder, func(done bool) error {
			found, all = finder.found, done
			return nil
		})
	}
	if err != nil {
		return nil, false, err
	}
	if len(found) > MaxMatching {
		found, all = found[:MaxMatching+1], true
	}
	return idsAt(found), all, nil
}

// selected returns the IDs of chosen calls that are not those of a batch. Errors: Invalid, also for too many.
func (s *Service) selected(ctx context.Context, organization uuid.UUID, c Chosen) ([]uuid.UUID, error) {
	if c.Filter == nil {
		if len(c.IDs) > maxReviewed {
			return nil, fault.Invalidf("id", "must be at most %d calls", maxReviewed)
		}
		return c.IDs, nil
	}
	if c.Until.IsZero() {
		return nil, fault.Invalidf("until", "required")
	}
	ids, all, err := s.matching(ctx, organization, *c.Filter, c.Until, thorough*s.patience)
	switch {
	case err != nil:
		return nil, err
	case len(ids) > MaxMatching:
		return nil, fault.Invalidf("", "More than %d calls match. Narrow the filter", MaxMatching)
	case !all:
		return nil, fault.Invalidf("", "It takes too long to find all calls that match. Narrow the filter")
	}
	return ids, nil
}

// MarkReviewed marks calls that have ended as reviewed, or takes the mark away. It returns those that it changed.
// Unknown and foreign IDs, and calls that have not ended, are left out. Errors: Invalid for too many.
func (s *Service) MarkReviewed(
	ctx context.Context, actor account.Actor, c Chosen, reviewed bool,
) (account.Batch, error) {
	return s.reviewMany(ctx, actor, c, map[string]any{"reviewed": reviewed}, `
		insert into call_review (call_id, organization_id, reviewed_at, reviewed_by)
		select id, @organization_id, case when @reviewed then clock() end, case when @reviewed then @name else '' end
		from ended
		on conflict (call_id) do update set reviewed_at = excluded.reviewed_at, reviewed_by = excluded.reviewed_by
		where (call_review.reviewed_at is not null) <> @reviewed
		returning call_id`, pgx.NamedArgs{"reviewed": reviewed, "name": actor.Name})
}

// Tag adds a tag to calls that have ended, or takes it away. It returns those that it changed. A call that has as many
// tags as it may is left out, as are unknown and foreign IDs. Errors: Invalid, under tag for a wrong one.
func (s *Service) Tag(
	ctx context.Context, actor account.Actor, c Chosen, tag string, add bool,
) (account.Batch, error) {
	tag = strings.TrimSpace(tag)
	var p fault.Problems
	if tag == "" || strings.Contains(tag, ",") {
		p.Addf("tag", "must be one tag, such as Complaint")
	}
	check.Line(&p, "tag", &tag, maxTag)
	if err := p.Err(); err != nil {
		return account.Batch{}, err
	}
	known, err := asKnown(ctx, s.pool, actor.OrganizationID, []string{tag})
	if err != nil {
		return account.Batch{}, err
	}
	tag = known[0]
	args := pgx.NamedArgs{"tag": tag, "most": maxTags}
	if !add {
		return s.reviewMany(ctx, actor, c, map[string]any{"removed_tag": tag}, `
			update call_review set tags = array_remove(tags, @tag) from ended
			where call_id = id and @tag = any(tags)
			returning call_id`, args)
	}
	return s.reviewMany(ctx, actor, c, map[string]any{"added_tag": tag}, `
		insert into call_review (call_id, organization_id, tags)
		select id, @organization_id, array[@tag] from ended
		on conflict (call_id) do update set
			tags = (select array_agg(t order by t collate "C") from unnest(call_review.tags || @tag) t)
		where not @tag = any(call_review.tags) and cardinality(call_review.tags) < @most
		returning call_id`, args)
}

// reviewMany runs a statement about those of the calls that have ended, as the table ended. It returns the changed
// ones.
func (s *Service) reviewMany(
	ctx context.Context, actor account.Actor, c Chosen, change map[string]any, sql string, args pgx.NamedArgs,
) (changed account.Batch, err error) {
	ids, err := s.selected(ctx, actor.OrganizationID, c)
	if err != nil {
		return changed, err
	}
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		if c.Batch != uuid.Nil {
			batch, err := account.TakeBatch(ctx, tx, actor.OrganizationID, callObject, c.Batch)
			if err != nil {
				return err
			}
			ids = batch.Objects
		}
		args["organization_id"], args["ids"] = actor.OrganizationID, ids
		reviewed, err := postgres.Collect(ctx, tx, pgx.RowTo[uuid.UUID], `
			with ended as materialized (
				select id from call
				where organization_id = @organization_id and id = any(@ids) and ended_at is not null
				order by id for key share
			) `+sql, args)
		if err != nil {
			return fmt.Errorf("review %d calls: %w", len(ids), err)
		}
		changed, err = account.RecordBatch(ctx, tx, actor, reviewedAction, callObject,
			account.Batch{Objects: reviewed}, change)
		if err != nil {
			return err
		}
		if tag, ok := change["added_tag"].(string); ok && len(reviewed) > 0 {
			return addTags(ctx, tx, actor.OrganizationID, []string{tag})
		}
		return nil
	})
	return changed, err
}
