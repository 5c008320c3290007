package api

import (
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"mime"
	"net/http"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/campaign/intake"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/suppression"
)

// isCSV reports whether the body is a CSV file, by its Content-Type. Every other body is JSON.
func isCSV(r *http.Request) bool {
	mediaType, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return err == nil && mediaType == "text/csv"
}

// readCSV reads the body as a file while it arrives, and returns its SHA-256. The charset of the Content-Type is
// ignored, because read detects the encoding, as of an upload in the dashboard. It returns the errors of read, and
// Invalid for a body that did not arrive.
func readCSV(w http.ResponseWriter, r *http.Request, read func(io.Reader) error) (digest []byte, err error) {
	if r.ContentLength > maxList {
		return nil, tooLarge(maxList)
	}
	exchangeOf(r).reading = true
	body, err := unpacked(w, r, maxList)
	if err != nil {
		return nil, err
	}
	hash := sha256.New()
	file := io.TeeReader(body, hash)
	if err = read(file); fault.KindOf(err) == fault.NotFound { // a stored answer takes precedence
		if _, broken := io.Copy(io.Discard, file); broken != nil {
			err = broken
		}
	}
	return hash.Sum(nil), brokenFile(err)
}

// brokenFile turns the error that ended the reading of a file into a fault.
func brokenFile(err error) error {
	if err == nil || fault.As(err) != nil {
		return err
	}
	if over, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return tooLarge(over.Limit)
	}
	if errors.Is(err, errNoGzip) {
		return fault.Invalidf("", notGzip)
	}
	return notArrived().Because(err)
}

// recipientFile reads a file of recipients for a campaign.
func (a *api) recipientFile(
	ctx context.Context, organizationID, campaignID uuid.UUID, file io.Reader,
) (*intake.List, error) {
	how, err := a.Campaigns.Reading(ctx, organizationID, campaignID)
	if err != nil {
		return nil, err
	}
	return readRecipients(file, how)
}

// readRecipients reads a file of recipients. A row with a problem refuses all.
func readRecipients(file io.Reader, how intake.Reading) (*intake.List, error) {
	read, err := intake.Read(file, how)
	if err != nil {
		return nil, err
	}
	var problems fault.Problems
	read.Check(&problems)
	return read.Recipients, problems.Err()
}

// doNotCallFile reads a file of numbers for the do-not-call list, by default for calls. A row with a problem refuses
// all. repeated counts the entries that the file has twice.
func (a *api) doNotCallFile(
	r *http.Request, channels []suppression.Channel, file io.Reader,
) (entries []suppression.NewEntry, repeated int, err error) {
	if channels == nil {
		channels = []suppression.Channel{suppression.Voice}
	}
	o, err := a.Accounts.Organization(r.Context(), organization(r))
	if err != nil {
		return nil, 0, err
	}
	read, err := suppression.ReadFile(file, o.Region)
	if err != nil {
		return nil, 0, at("entries", err)
	}
	var problems fault.Problems
	for _, p := range read.Problems {
		problems.Addf("entries", "%s", p)
	}
	if err := problems.Err(); err != nil {
		return nil, 0, err
	}
	if len(read.Numbers) == 0 {
		return nil, 0, fault.Invalidf("entries", "the file has no rows")
	}
	return read.Entries(channels...), read.Duplicates * len(channels), nil
}

// at returns an Invalid error with another path for its fields. Other errors stay as they are.
func at(path string, err error) error {
	f := fault.As(err)
	if f == nil || f.Kind != fault.Invalid {
		return err
	}
	var p fault.Problems
	for _, field := range f.Fields {
		p.Addf(path, "%s", field.Message)
	}
	return p.Err()
}
