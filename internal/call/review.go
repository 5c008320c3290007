package call

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/wire"
)

const (
	maxTags       = 10   // of a call
	maxTag        = 40   // characters
	maxReviewNote = 2000 // characters
	knownTags     = 100  // that a form suggests
)

// Review is what people say about a call that has ended. It is no part of the call, so no webhook tells of it.
type Review struct {
	CallID     uuid.UUID
	ReviewedAt *time.Time // nil: it still needs a review
	ReviewedBy string     // the member's name, as shown
	Tags       []string   // in order, without duplicates
	Note       string
}

// The audit entry of a review.
const (
	reviewedAction = "call.reviewed"
	callObject     = "call"
)

const reviewColumns = `call_id, reviewed_at, reviewed_by, tags, note`

// ReviewResource is a review in the evidence about a number.
type ReviewResource struct {
	CallID     uuid.UUID  `json:"call_id"`
	ReviewedAt *wire.Time `json:"reviewed_at"`
	ReviewedBy *string    `json:"reviewed_by"`
	Tags       []string   `json:"tags"`
	Note       string     `json:"note"`
}

// Resource returns the review as the evidence prints it.
func (r Review) Resource() ReviewResource {
	out := ReviewResource{CallID: r.CallID, ReviewedAt: wire.Optional(r.ReviewedAt), Tags: r.Tags, Note: r.Note}
	if r.ReviewedBy != "" {
		out.ReviewedBy = &r.ReviewedBy
	}
	return out
}

// ParseTags reads tags that are separated by commas.
func ParseTags(text string) []string {
	var tags []string
	for tag := range strings.SplitSeq(text, ",") {
		if tag = strings.TrimSpace(tag); tag != "" {
			tags = append(tags, tag)
		}
	}
	return tags
}

// checkTags validates tags, and returns them in order and without duplicates.
func checkTags(p *fault.Problems, tags []string) []string {
	tags = slices.Compact(append([]string{}, slices.Sorted(slices.Values(tags))...)) // never null
	if len(tags) > maxTags {
		p.Addf("tags", "must be at most %d", maxTags)
	}
	for _, tag := range tags {
		check.Line(p, "tags", &tag, maxTag)
	}
	return tags
}

// reviewSQL returns the conditions about reviews, with the call's columns behind of. Only calls that have ended have a
// review.
func (f Filter) reviewSQL(args pgx.NamedArgs, of string) (conditions []string) {
	review := `select from call_review v where v.call_id = ` + of + `id and `
	if f.Reviewed != nil {
		args["reviewed"] = *f.Reviewed
		conditions = append(conditions, of+`ended_at is not null`,
			`exists (`+review+`v.reviewed_at is not null) = @reviewed`)
	}
	if f.Tag != "" {
		args["tag"] = f.Tag
		conditions = append(conditions, `exists (`+review+`@tag = any(v.tags))`)
	}
	return conditions
}

// Reviews returns the reviews of calls. A call without one is not in it.
func (s *Service) Reviews(ctx context.Context, organization uuid.UUID, ids []uuid.UUID) (map[uuid.UUID]Review, error) {
	return readReviews(ctx, s.pool, organization, ids)
}

func readReviews(
	ctx context.Context, db postgres.DB, organization uuid.UUID, ids []uuid.UUID,
) (map[uuid.UUID]Review, error) {
	found := map[uuid.UUID]Review{}
	if len(ids) == 0 {
		return found, nil
	}
	list, err := postgres.Collect(ctx, db, pgx.RowToStructByName[Review], `
		select `+reviewColumns+` from call_review where organization_id = $1 and call_id = any($2)`, organization, ids)
	if err != nil {
		return nil, fmt.Errorf("read the reviews of %d calls: %w", len(ids), err)
	}
	for _, r := range list {
		found[r.CallID] = r
	}
	return found, nil
}

// Tags returns the tags of an organization, by name.
func (s *Service) Tags(ctx context.Context, organization uuid.UUID) ([]string, error) {
	tags, err := postgres.Collect(ctx, s.pool, pgx.RowTo[string], `
		select name from call_tag where organization_id = $1 order by name limit $2`, organization, knownTags)
	if err != nil {
		return nil, fmt.Errorf("read the tags of calls: %w", err)
	}
	return tags, nil
}

// SetReview changes the tags and the note of a call that has ended, and whether it is reviewed. Errors: Invalid,
// NotFound, Conflict for a call that has not ended.
func (s *Service) SetReview(ctx context.Context, actor account.Actor, r Review, reviewed bool) error {
	var p fault.Problems
	r.Tags = checkTags(&p, r.Tags)
	check.Text(&p, "note", &r.Note, maxReviewNote)
	if err := p.Err(); err != nil {
		return err
	}
	return postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		if err := lockToReview(ctx, tx, actor.OrganizationID, r.CallID); err != nil {
			return err
		}
		var err error
		if r.Tags, err = asKnown(ctx, tx, actor.OrganizationID, r.Tags); err != nil {
			return err
		}
		reviews, err := readReviews(ctx, tx, actor.OrganizationID, []uuid.UUID{r.CallID})
		if err != nil {
			return err
		}
		was := reviews[r.CallID] // empty before the first review
		if was.ReviewedAt != nil == reviewed && was.Note == r.Note && slices.Equal(was.Tags, r.Tags) {
			return account.Unchanged(ctx)
		}
		_, err = tx.Exec(ctx, `
			insert into call_review (call_id, organization_id, tags, note, reviewed_at, reviewed_by)
			values (@id, @organization_id, @tags, @note, case when @reviewed then clock() end,
				case when @reviewed then @name else '' end)
			on conflict (call_id) do update set tags = excluded.tags, note = excluded.note,
				reviewed_by = case when @reviewed and call_review.reviewed_at is not null then call_review.reviewed_by
					else excluded.reviewed_by end,
				reviewed_at = case when @reviewed then coalesce(call_review.reviewed_at, excluded.reviewed_at) end`,
			pgx.NamedArgs{
				"id": r.CallID, "organization_id": actor.OrganizationID, "tags": r.Tags, "note": r.Note,
				"reviewed": reviewed, "name": actor.Name,
			})
		if err != nil {
			return fmt.Errorf("review call %s: %w", r.CallID, err)
		}
		err = account.Record(ctx, tx, actor, reviewedAction, account.Object{Type: callObject, ID: r.CallID},
			map[string]any{"reviewed": reviewed, "tags": r.Tags})
		if err != nil {
			return err
		}
		return addTags(ctx, tx, actor.OrganizationID, r.Tags)
	})
}

// asKnown writes tags as the organization first wrote them, so that "VIP" and "vip" are one tag. It returns them in
// order and without duplicates.
func asKnown(ctx context.Context, db postgres.DB, organization uuid.UUID, tags []string) ([]string, error) {
	known, err := postgres.Collect(ctx, db, pgx.RowTo[string], `
		select name from call_tag
		where organization_id = $1 and lower(name) = any(select lower(t) from unnest($2::text[]) t)
		order by name`, organization, tags)
	if err != nil {
		return nil, fmt.Errorf("read the tags of calls: %w", err)
	}
	one := []string{} // never null
	for _, tag := range tags {
		same := func(other string) bool { return strings.EqualFold(other, tag) }
		if i := slices.IndexFunc(known, same); i >= 0 && !slices.Contains(known, tag) {
			tag = known[i]
		}
		if !slices.ContainsFunc(one, same) {
			one = append(one, tag)
		}
	}
	slices.Sort(one)
	return one, nil
}

// lockToReview locks a call, so that no erasure and no retention passes beside the review.
func lockToReview(ctx context.Context, tx pgx.Tx, organization, id uuid.UUID) error {
	var ended bool
	err := tx.QueryRow(ctx, `
		select ended_at is not null from call where organization_id = $1 and id = $2 for key share`, organization, id).
		Scan(&ended)
	if errors.Is(err, pgx.ErrNoRows) {
		return fault.NotFoundf("Call")
	}
	if err != nil {
		return fmt.Errorf("lock call %s: %w", id, err)
	}
	if !ended {
		return fault.Conflictf("Call has not ended yet")
	}
	return nil
}

// addTags keeps tags as suggestions.
func addTags(ctx context.Context, tx pgx.Tx, organization uuid.UUID, tags []string) error {
	_, err := tx.Exec(ctx, `
		insert into call_tag (organization_id, name) select $1, unnest($2::text[]) on conflict do nothing`,
		organization, tags)
	if err != nil {
		return fmt.Errorf("keep the tags of calls: %w", err)
	}
	return nil
}

// ReviewsOf lists the reviews of all calls with a person, newest call first.
func (s *Service) ReviewsOf(
	ctx context.Context, organization uuid.UUID, number phone.Number, r page.Request,
) (page.List[Review], error) {
	type dated struct {
		Review
		CreatedAt time.Time
		ID        uuid.UUID
	}
	list, err := page.Read(ctx, s.pool, r, "list the reviews of a person's calls", `
		select `+reviewColumns+`, created_at, call_id as id from (
			select v.*, c.created_at, c.id
			from call c join call_review v on v.call_id = c.id
			where c.organization_id = @organization_id and c.person_number = @number
		) v
		where `+page.Where+`
		`+page.Order, pgx.NamedArgs{"organization_id": organization, "number": number},
		func(d dated) (time.Time, uuid.UUID) { return d.CreatedAt, d.ID })
	return page.Map(list, func(d dated) Review { return d.Review }), err
}
