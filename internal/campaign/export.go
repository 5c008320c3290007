package campaign

import (
	"context"
	"iter"
	"strconv"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/export"
	"github.com/dialwright/dialwright/internal/page"
)

// batch is how many recipients an export reads at a time.
const batch = 1000

// ExportHeader names the columns of Export. The columns that an import knows come
// first, under the names that the import expects.
var ExportHeader = []string{
	"phone_number", "name", "external_id", "timezone", "status", "outcome", "intent", "opted_out",
	"skip_reason", "skip_detail", "attempts",
	"next_attempt_at", "last_call_id",
	"consent_basis", "consent_at", "consent_source", "consent_expires_at", "variables", "metadata",
	"created_at", "id", "campaign_id",
}

// Export yields the recipients of a campaign as rows of a table, in the order of the
// list. Each recipient that exists when the export begins appears once. Export reuses
// the slice of a row for the next row. Its first error ends it. The errors of
// Recipients come before any row.
func (s *Service) Export(
	ctx context.Context, organizationID, campaignID uuid.UUID, o RecipientOptions,
) iter.Seq2[[]string, error] {
	o.Page.Forward, o.Page.Batch = true, batch
	read := func(p page.Request) (page.List[Recipient], error) {
		o.Page = p
		return s.Recipients(ctx, organizationID, campaignID, o)
	}
	row := make([]string, len(ExportHeader))
	return page.All(o.Page, read, func(r Recipient) ([]string, error) {
		r.export(row)
		return row, nil
	})
}

func (r Recipient) export(row []string) {
	out := r.Resource()
	var basis, since, source, until string
	if out.Consent != nil {
		basis, since = out.Consent.Basis, export.Optional(out.Consent.At)
		source, until = export.Optional(out.Consent.Source), export.Optional(out.Consent.ExpiresAt)
	}
	copy(row, []string{
		out.PhoneNumber, r.Name, export.Optional(out.ExternalID), export.Optional(out.Timezone), string(out.Status),
		export.Optional(out.Outcome), export.Optional(out.Intent),
		strconv.FormatBool(r.OptedOut), export.Optional(out.SkipReason), export.Optional(out.SkipDetail),
		strconv.Itoa(out.Attempts), export.Optional(out.NextAttemptAt), export.Optional(out.LastCallID),
		basis, since, source, until, string(out.Variables), string(out.Metadata),
		out.CreatedAt.String(), out.ID.String(),
		out.CampaignID.String(),
	})
}
