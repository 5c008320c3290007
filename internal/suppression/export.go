package suppression

import (
	"context"
	"iter"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/page"
)

// ExportHeader is the first row of a file of entries.
var ExportHeader = []string{"phone_number", "channel", "source", "note", "created_by", "created_at", "call_id", "id"}

// Export returns the rows of all entries of a filter, newest first, read page by page.
// The numbers of erased people are empty.
func (s *Service) Export(ctx context.Context, organizationID uuid.UUID, f Filter) iter.Seq2[[]string, error] {
	read := func(p page.Request) (page.List[Entry], error) {
		f.Page = p
		return s.List(ctx, organizationID, f)
	}
	return page.All(page.Request{Limit: page.MaxLimit}, read, func(e Entry) ([]string, error) {
		call := ""
		if e.CallID != nil {
			call = e.CallID.String()
		}
		return []string{e.PhoneNumber.String(), string(e.Channel), string(e.Source), e.Note, e.CreatedBy,
			e.CreatedAt.Format(time.RFC3339), call, e.ID.String()}, nil
	})
}
