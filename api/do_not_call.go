package api

import (
	"fmt"
	"io"
	"net/http"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/internal/suppression"
)

// addDoNotCall needs no idempotency key, because adding a number twice changes nothing.
func (a *api) addDoNotCall(w http.ResponseWriter, r *http.Request) error {
	wanted := suppression.NewEntry{Source: suppression.ByAPI}
	if err := readWhole(w, r, &wanted); err != nil {
		return err
	}
	entry, added, err := a.Suppressions.Add(r.Context(), actor(r), wanted)
	if err != nil {
		return err
	}
	status := http.StatusOK
	if added {
		status = http.StatusCreated
	}
	return send(w, r, status, entry.Resource())
}

// newEntries is the body of POST /do-not-call/batch. The largest batch is far below the
// limit of a body and takes about a second.
type newEntries struct {
	Entries    []suppression.NewEntry `json:"entries" max:"10000"`
	EntriesURL string                 `json:"entries_url" nullable:"true"`
}

func (a *api) addManyDoNotCall(w http.ResponseWriter, r *http.Request) error {
	q := queryOf(r)
	channels := anyOf(q, "channel", suppression.Channels)
	if err := q.err(); err != nil {
		return err
	}
	entries, repeated, err := a.readEntries(w, r, channels)
	if err != nil {
		return err
	}
	added, err := a.Suppressions.AddAll(r.Context(), actor(r), entries)
	if err != nil {
		return fmt.Errorf("add a batch to the do-not-call list: %w", err)
	}
	added.Existing += repeated
	return send(w, r, http.StatusOK, added)
}

// readEntries reads the entries of a body. channels are those of the entries of a file. repeated counts the entries
// that a file has twice.
func (a *api) readEntries(
	w http.ResponseWriter, r *http.Request, channels []suppression.Channel,
) (entries []suppression.NewEntry, repeated int, err error) {
	if isCSV(r) {
		_, err = readCSV(w, r, func(file io.Reader) error {
			entries, repeated, err = a.doNotCallFile(r, channels, file)
			return err
		})
		return entries, repeated, err
	}
	var problems fault.Problems
	var body newEntries
	if _, err := readBody(w, r, maxList, &body, &problems); err != nil {
		return nil, 0, err
	}
	if a.fetched(&problems, "entries_url", &body.EntriesURL, "entries", body.Entries != nil) {
		if err := problems.Err(); err != nil {
			return nil, 0, err
		}
		err = a.fetch(r.Context(), "entries_url", body.EntriesURL, func(file io.Reader) error {
			entries, repeated, err = a.doNotCallFile(r, channels, file)
			return err
		})
		return entries, repeated, err
	}
	if channels != nil {
		problems.Addf("channel", "only for a CSV file. Each entry has its own channel")
	}
	if err := problems.Err(); err != nil {
		return nil, 0, err
	}
	if len(body.Entries) == 0 {
		return nil, 0, fault.Invalidf("entries", "at least one is required")
	}
	for i := range body.Entries {
		body.Entries[i].Source = suppression.ByAPI
	}
	return body.Entries, 0, nil
}

// doNotCallRemoval is the optional body of DELETE /do-not-call/{id}. The reason may name a person, so it is not in
// the URL, which proxies log.
type doNotCallRemoval struct {
	Reason string `json:"reason" nullable:"true"`
}

func (a *api) removeDoNotCall(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, "Do-not-call entry")
	if err != nil {
		return err
	}
	var body doNotCallRemoval
	if r.ContentLength != 0 {
		if err := readWhole(w, r, &body); err != nil {
			return err
		}
	}
	if err := a.Suppressions.Remove(r.Context(), actor(r), id, body.Reason); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

func doNotCallFilter(q *query) suppression.Filter {
	return suppression.Filter{
		Page:        q.page(),
		Channels:    anyOf(q, "channel", suppression.Channels),
		Sources:     anyOf(q, "source", suppression.Sources),
		PhoneNumber: phone.Number(q.number("phone_number")),
	}
}
