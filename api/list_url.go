package api

import (
	"context"
	"io"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/campaign/intake"
	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/fault"
)

// A list may be a file that the server fetches. The request waits for it, and reads it like the body of a request,
// before any transaction begins: nothing is stored unless all of it has arrived and every row is valid. A request that
// is repeated fetches again, but a stored answer takes precedence over what comes then.

// fetched reports whether the list of a body is at a URL, and adds a problem if the body also has a list.
func (a *api) fetched(p *fault.Problems, path string, url *string, list string, has bool) bool {
	switch {
	case *url == "":
		return false
	case has:
		p.Addf(path, "must not be set together with %s", list)
	default:
		a.Files.Check(p, path, url)
	}
	return true
}

// fetch reads the file at a URL.
func (a *api) fetch(ctx context.Context, path, url string, read func(io.Reader) error) error {
	file, err := a.Files.Open(ctx, path, url)
	if err != nil {
		return err
	}
	defer file.Close()
	return read(file)
}

const recipientsURL = "recipients_url"

// fetchRecipients reads the recipients of a campaign that exists from a URL.
func (a *api) fetchRecipients(
	ctx context.Context, organizationID, campaignID uuid.UUID, url string,
) (list *intake.List, err error) {
	err = a.fetch(ctx, recipientsURL, url, func(file io.Reader) error {
		list, err = a.recipientFile(ctx, organizationID, campaignID, file)
		return err
	})
	return list, err
}

// fetchDraft reads the recipients of a new campaign from a URL. The other fields are checked first, so that nobody
// waits for a file because of them.
func (a *api) fetchDraft(ctx context.Context, organizationID uuid.UUID, d *campaign.Draft, url string) error {
	others := *d
	others.AsDraft = true // which may be without recipients
	if err := others.Check(a.Now()); err != nil {
		return err
	}
	projectID, _ := check.ParseID(d.ProjectID)
	how, err := a.Campaigns.ReadingOf(ctx, organizationID, projectID)
	if err != nil {
		return err
	}
	return a.fetch(ctx, recipientsURL, url, func(file io.Reader) error {
		d.Recipients, err = readRecipients(file, how)
		return err
	})
}

// refusedFile reports whether an error of a file is a refusal of the request, over which a stored answer takes
// precedence.
func refusedFile(err error) bool {
	kind := fault.KindOf(err)
	return kind == fault.Invalid || kind == fault.NotFound || kind == fault.BadGateway || kind == fault.Unavailable
}
