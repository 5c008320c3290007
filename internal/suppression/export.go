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
	return func(yield func([]string, error) bool) {
		f.Page = page.Request{Limit: page.MaxLimit}
		for {
			list, err := s.List(ctx, organizationID, f)
			if err != nil {
				yield(nil, err)
				return
			}
			for _, e := range list.Data {
				call := ""
				if e.CallID != nil {
					call = e.CallID.String()
				}
				row := []string{e.PhoneNumber.String(), string(e.Channel), string(e.Source), e.Note, e.CreatedBy,
					e.CreatedAt.Format(time.RFC3339), call, e.ID.String()}
				if !yield(row, nil) {
					return
				}
			}
			if list.NextCursor == nil {
				return
			}
			f.Page.Cursor = *list.NextCursor
		}
	}
}
