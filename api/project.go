package api

import (
	"context"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/project"
)

// voiceNumbers returns the numbers that a campaign can call from.
func (a *api) voiceNumbers(
	ctx context.Context, organizationID uuid.UUID, p page.Request,
) (page.List[project.PhoneNumber], error) {
	return a.Projects.PhoneNumbers(ctx, organizationID, true, p)
}
