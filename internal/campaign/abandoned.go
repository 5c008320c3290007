package campaign

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/english"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/postgres"
)

// AbandonedSpan is the period over which the share of abandoned calls counts, as in 16 CFR
// 310.4(b)(4)(i): 30 days of one campaign.
const AbandonedSpan = 30 * 24 * time.Hour

// AbandonedRate is the share of abandoned calls among a campaign's calls that a person answered, and the
// organization's limit.
type AbandonedRate struct {
	Answered, Abandoned int      // of the last 30 days
	Counted             Counted  // those that can pause the campaign
	Most                *float64 // percent; nil: no limit
	Least               int      // with fewer answered calls, the limit does not apply
}

// Counted are the calls since the campaign was resumed after a pause because of abandoned calls, and
// at most those of the last 30 days.
type Counted struct {
	Answered, Abandoned int
	Resumed             bool // the campaign was resumed within the last 30 days
}

// Exceeded reports whether too many calls were abandoned.
func (r AbandonedRate) Exceeded() bool {
	return r.Most != nil && r.Counted.Answered >= r.Least &&
		float64(r.Counted.Abandoned)*100 > *r.Most*float64(r.Counted.Answered)
}

// Text describes a share that is too high, for people.
func (r AbandonedRate) Text() string {
	since := "in the last 30 days"
	if r.Counted.Resumed {
		since = "since the campaign was resumed"
	}
	return fmt.Sprintf("%s of the %s calls that people answered %s were abandoned (%s%%). Your limit is %s%%",
		english.Number(r.Counted.Abandoned), english.Number(r.Counted.Answered), since,
		decimal(100*float64(r.Counted.Abandoned)/float64(r.Counted.Answered), 2), decimal(*r.Most, -1))
}

func decimal(n float64, digits int) string { return strconv.FormatFloat(n, 'f', digits, 64) }

// Abandoned reads the share of abandoned calls of a campaign. Errors: NotFound.
func Abandoned(ctx context.Context, db postgres.DB, organizationID, id uuid.UUID) (r AbandonedRate, err error) {
	const counts = `filter (where c.abandoned_from is null or h.starts_at >= c.abandoned_from)`
	err = db.QueryRow(ctx, `
		select o.abandoned_most, o.abandoned_least,
		       coalesce(sum(h.answered_by_person), 0), coalesce(sum(h.abandoned), 0),
		       coalesce(sum(h.answered_by_person) `+counts+`, 0), coalesce(sum(h.abandoned) `+counts+`, 0),
		       coalesce(c.abandoned_from > clock() - @span::interval, false)
		from campaign c
		join organization o on o.id = c.organization_id
		left join campaign_answer_hour h on h.campaign_id = c.id and h.starts_at > (select clock()) - @span::interval
		where c.organization_id = @organization_id and c.id = @id
		group by c.id, o.id`,
		pgx.NamedArgs{"organization_id": organizationID, "id": id, "span": AbandonedSpan}).
		Scan(&r.Most, &r.Least, &r.Answered, &r.Abandoned, &r.Counted.Answered, &r.Counted.Abandoned,
			&r.Counted.Resumed)
	if errors.Is(err, pgx.ErrNoRows) {
		return r, fault.NotFoundf("Campaign")
	}
	if err != nil {
		return r, fmt.Errorf("read the abandoned calls of campaign %s: %w", id, err)
	}
	return r, nil
}

// Abandoned reads the share of abandoned calls of a campaign. Errors: NotFound.
func (s *Service) Abandoned(ctx context.Context, organizationID, id uuid.UUID) (AbandonedRate, error) {
	return Abandoned(ctx, s.db, organizationID, id)
}

// sweepBatch bounds how many rows one statement of Sweep deletes.
const sweepBatch = 1000

// Sweep deletes the hours that are too old to count. It is a periodic task.
func (s *Service) Sweep(ctx context.Context) error {
	for {
		tag, err := s.db.Exec(ctx, `
			delete from campaign_answer_hour where ctid in (
				select ctid from campaign_answer_hour where starts_at <= (select clock()) - @span::interval
				limit @batch for update skip locked)`,
			pgx.NamedArgs{"span": AbandonedSpan, "batch": sweepBatch})
		if err != nil {
			return fmt.Errorf("sweep the answered calls of campaigns: %w", err)
		}
		if tag.RowsAffected() < sweepBatch {
			return nil
		}
	}
}

// PauseAbandoned pauses a running campaign if too many calls were abandoned. The caller holds the
// campaign's row lock, and wakes webhook.Topic after the commit if paused.
func PauseAbandoned(
	ctx context.Context, tx pgx.Tx, organizationID uuid.UUID, c *Locked,
) (paused bool, err error) {
	rate, err := Abandoned(ctx, tx, organizationID, c.ID)
	if err != nil || !rate.Exceeded() {
		return false, err
	}
	if _, err := tx.Exec(ctx, `update campaign set abandoned_paused = true where id = $1`, c.ID); err != nil {
		return false, fmt.Errorf("pause campaign %s because of abandoned calls: %w", c.ID, err)
	}
	return true, Transition(ctx, tx, account.System(organizationID), c, Move{
		To: Paused, Action: "campaign.paused", Reason: rate.Text(),
	})
}

// acceptAbandoned has only later calls count for the next pause, if too many abandoned calls paused the
// campaign. It returns what the audit entry of the resume says. The caller holds the campaign's row lock.
func acceptAbandoned(ctx context.Context, tx pgx.Tx, id uuid.UUID) (reason string, err error) {
	tag, err := tx.Exec(ctx, `
		update campaign set abandoned_paused = false, abandoned_from = clock() where id = $1 and abandoned_paused`, id)
	if err != nil {
		return "", fmt.Errorf("count the abandoned calls of campaign %s from now: %w", id, err)
	}
	if tag.RowsAffected() == 0 {
		return "", nil
	}
	return "Abandoned calls count again from now", nil
}
