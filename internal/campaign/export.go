package campaign

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"strconv"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/export"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/wire"
)

// batch is how many recipients an export reads at a time.
const batch = 1000

// ExportHeader names the columns of Export. The columns that an import knows come
// first, under the names that the import expects.
var ExportHeader = []string{
	"phone_number", "name", "external_id", "timezone", "status", "outcome", "intent", "opted_out",
	"skip_reason", "skip_detail", "attempts",
	"next_attempt_at", "last_call_id", "last_call_at", "talk_seconds",
	"consent_basis", "consent_at", "consent_source", "consent_expires_at", "variables", "metadata",
	"created_at", "id", "campaign_id",
}

// Export yields the recipients of a campaign as rows of a table, in the order of the
// list. The last call of a recipient has its begin and how long they talked. The answers
// to the questions with these keys have a column each, after the others. Each recipient
// that exists when the export begins appears once. Export reuses the slice of a row for
// the next row. Its first error ends it. The errors of Recipients come before any row.
func (s *Service) Export(
	ctx context.Context, organizationID, campaignID uuid.UUID, o RecipientOptions, answers ...string,
) iter.Seq2[[]string, error] {
	o.Page.Forward, o.Page.Batch = true, batch
	var given map[uuid.UUID]map[string]string
	var last map[uuid.UUID]lastCall
	read := func(p page.Request) (list page.List[Recipient], err error) {
		o.Page = p
		if list, err = s.Recipients(ctx, organizationID, campaignID, o); err == nil {
			last, err = s.lastCalls(ctx, organizationID, list.Data)
		}
		if err == nil && len(answers) > 0 {
			given, err = s.Answers(ctx, organizationID, list.Data)
		}
		return list, err
	}
	row := make([]string, len(ExportHeader)+len(answers))
	return page.All(o.Page, read, func(r Recipient) ([]string, error) {
		r.export(row, last)
		for i, key := range answers {
			row[len(ExportHeader)+i] = given[r.ID][key]
		}
		return row, nil
	})
}

// Answers returns the last answers of recipients by the keys of the questions, from the calls to them and from those
// in which they called back.
func (s *Service) Answers(
	ctx context.Context, organizationID uuid.UUID, recipients []Recipient,
) (map[uuid.UUID]map[string]string, error) {
	ids := page.IDs(recipients, func(r Recipient) uuid.UUID { return r.ID })
	rows, err := s.db.Query(ctx, `
		select u.id, jsonb_object_agg(e.key, e.value order by c.created_at, c.id)
		from unnest(@ids::uuid[]) u (id)
		cross join lateral (
			select id, created_at, analysis from call
			where recipient_id = u.id and organization_id = @organization_id
			union all
			select id, created_at, analysis from call
			where resumes_recipient_id = u.id and organization_id = @organization_id
		) c
		cross join lateral jsonb_each_text(c.analysis -> 'answers') e
		where e.value is not null
		group by u.id`, pgx.NamedArgs{"ids": ids, "organization_id": organizationID})
	if err != nil {
		return nil, fmt.Errorf("read the answers of recipients: %w", err)
	}
	given := make(map[uuid.UUID]map[string]string, len(ids))
	var id uuid.UUID
	var answers map[string]string
	if _, err := pgx.ForEachRow(rows, []any{&id, &answers}, func() error {
		given[id] = maps.Clone(answers)
		clear(answers)
		return nil
	}); err != nil {
		return nil, fmt.Errorf("read the answers of recipients: %w", err)
	}
	return given, nil
}

// lastCall is what Export tells of the last call to a recipient.
type lastCall struct {
	at   *time.Time // nil: not placed yet
	talk int        // seconds
}

// lastCalls reads the last calls of recipients, by their IDs.
func (s *Service) lastCalls(
	ctx context.Context, organizationID uuid.UUID, recipients []Recipient,
) (map[uuid.UUID]lastCall, error) {
	ids := make([]uuid.UUID, 0, len(recipients))
	for _, r := range recipients {
		if r.LastCallID != nil {
			ids = append(ids, *r.LastCallID)
		}
	}
	rows, err := s.db.Query(ctx, `
		select id, started_at,
		       floor(coalesce(greatest(extract(epoch from ended_at - answered_at), 0), 0))::int
		from call where organization_id = $1 and id = any($2)`, organizationID, ids)
	if err != nil {
		return nil, fmt.Errorf("read the last calls of recipients: %w", err)
	}
	last := make(map[uuid.UUID]lastCall, len(ids))
	var id uuid.UUID
	var c lastCall
	if _, err := pgx.ForEachRow(rows, []any{&id, &c.at, &c.talk}, func() error {
		last[id] = c
		return nil
	}); err != nil {
		return nil, fmt.Errorf("read the last calls of recipients: %w", err)
	}
	return last, nil
}

func (r Recipient) export(row []string, calls map[uuid.UUID]lastCall) {
	out := r.Resource()
	var basis, since, source, until string
	if out.Consent != nil {
		basis, since = out.Consent.Basis, export.Optional(out.Consent.At)
		source, until = export.Optional(out.Consent.Source), export.Optional(out.Consent.ExpiresAt)
	}
	var last lastCall
	var talk string
	if r.LastCallID != nil {
		last = calls[*r.LastCallID]
		talk = strconv.Itoa(last.talk)
	}
	copy(row, []string{
		out.PhoneNumber, r.Name, export.Optional(out.ExternalID), export.Optional(out.Timezone), string(out.Status),
		export.Optional(out.Outcome), export.Optional(out.Intent),
		strconv.FormatBool(r.OptedOut), export.Optional(out.SkipReason), export.Optional(out.SkipDetail),
		strconv.Itoa(out.Attempts), export.Optional(out.NextAttemptAt), export.Optional(out.LastCallID),
		export.Optional(wire.Optional(last.at)), talk,
		basis, since, source, until, string(out.Variables), string(out.Metadata),
		out.CreatedAt.String(), out.ID.String(),
		out.CampaignID.String(),
	})
}
